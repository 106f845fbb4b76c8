//! The command `recheck`: the lower bound of a certificate, proved a second time with other tables.
//!
//! `referee check` shares no code with the solvers and reads no tables, so it cannot go as far as they do. `recheck` goes
//! as far as a solver: it searches the same bounds with a heuristic of another family, whose tables the certificate does
//! not name. A table with a wrong entry, forged or damaged, could hide a solution from both searches only if different
//! tables agreed about it.

use crate::{Exit, Failure, Limits, Session};
use clap::Args;
use referee::certificate::{Answer, Certificate};
use search_core::record::{TableUse, Used};
use search_core::{Ending, Report, Solution, storage};
use serde::Serialize;
use std::path::PathBuf;
use std::time::Duration;

/// Prove the lower bounds of certificates again, with other tables
///
/// A certificate is a line of a file that `solve --certificate` wrote. The search uses another heuristic, whose tables the
/// certificate does not name; they are built if they do not exist. `referee check` checks the solutions.
#[derive(Args, Clone, Debug)]
pub struct RecheckArgs {
    /// The file of certificates
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Give up on a certificate after this time: seconds, or such as 90s, 5m or 1h30m
    #[arg(long, value_name = "DURATION", value_parser = crate::format::parse_duration, help_heading = "Limits")]
    time_limit: Option<Duration>,
}

/// The second proof, as `--json` prints it.
#[derive(Debug, Serialize)]
struct Rechecked<'a> {
    file: String,
    line: usize,
    instance: &'a str,
    /// The lower bound of the certificate.
    claimed: u32,
    /// The lower bound that the second proof reached, at most the claimed one.
    lower_bound: u32,
    proved: bool,
    heuristic: String,
    tables: Vec<TableUse>,
    /// A solution that is shorter than the claimed bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    shorter: Option<Solution>,
}

impl Rechecked<'_> {
    fn text(&self) -> String {
        let Rechecked { file, line, claimed, lower_bound, heuristic, .. } = self;
        let found = match &self.shorter {
            Some(Solution { length, moves }) => {
                format!("contradicted: a solution of {length} moves: {moves}")
            }
            None if self.proved => format!("proved again with {heuristic}"),
            None => {
                format!("not proved again; {heuristic} proves that every solution has at least {lower_bound}")
            }
        };
        format!("{file}:{line}: every solution has at least {claimed} moves: {found}")
    }
}

impl RecheckArgs {
    /// Proves the lower bound of each certificate again. `search` solves the instance of a certificate within the bound that
    /// it is given, with other tables than those of the certificate; its solutions are checked by the referee.
    ///
    /// # Errors
    /// When the file cannot be read, or the output cannot be written.
    pub fn run(
        &self,
        session: &Session,
        mut search: impl FnMut(&Certificate, u32, &Limits) -> Result<(Report<Solution>, Used), Failure>,
    ) -> Result<Exit, Failure> {
        let bytes = storage::read(&self.file).map_err(Failure::error)?;
        let text = String::from_utf8_lossy(&bytes);
        let limits = Limits { max_depth: None, time_limit: self.time_limit };
        let (mut output, mut worst) = (session.output(), Exit::Done);
        for (line, text) in (1..).zip(text.lines()) {
            let place = || format!("{}:{line}", self.file.display());
            let rechecked =
                self.recheck(line, text, |certificate, bound| search(certificate, bound, &limits));
            let exit = match rechecked {
                Ok((certificate, mut rechecked)) => {
                    rechecked.instance = &certificate.instance;
                    output.record(&rechecked, |rechecked| vec![rechecked.text()])?;
                    match (&rechecked.shorter, rechecked.proved) {
                        (Some(_), _) => {
                            contradicted(&place(), &certificate).report();
                            if certificate.tables.is_empty() { Exit::Error } else { Exit::Table }
                        }
                        (None, true) => Exit::Done,
                        (None, false) => Exit::Unsolved,
                    }
                }
                Err(failure) if failure.is_output => return Err(failure),
                Err(failure) => {
                    Failure { message: format!("{}: {}", place(), failure.message), ..failure.clone() }
                        .report();
                    failure.exit
                }
            };
            worst = worst.max(exit);
            if session.is_interrupted() {
                return Err(Failure::interrupted(format_args!("interrupted at {}", place()))
                    .with_remedy("run the same command again"));
            }
        }
        Ok(worst)
    }

    /// Proves one bound.
    fn recheck(
        &self,
        line: usize,
        text: &str,
        search: impl FnOnce(&Certificate, u32) -> Result<(Report<Solution>, Used), Failure>,
    ) -> Result<(Certificate, Rechecked<'static>), Failure> {
        let certificate = Certificate::parse(text).map_err(Failure::malformed)?;
        let claimed = match certificate.result {
            Answer::Optimal { length, .. } | Answer::LowerBound { length } => length,
            Answer::Exhausted => {
                return Err(Failure::malformed("it claims that there is no solution, which is no bound"));
            }
        };
        let (report, Used { heuristic, tables, .. }) = match claimed.checked_sub(1) {
            Some(bound) => search(&certificate, bound)?,
            None => {
                let ending = Ending::bounded(0);
                (Report { ending, iterations: Vec::new() }, Used::default())
            }
        };
        let shorter = report.ending.solutions().first().cloned();
        let lower_bound = match (&shorter, &report.ending) {
            (Some(solution), _) => solution.length,
            (None, Ending::Bounded { lower_bound, .. } | Ending::Cancelled { lower_bound, .. }) => {
                claimed.min(*lower_bound)
            }
            (None, _) => claimed,
        };
        let proved = shorter.is_none() && lower_bound == claimed;
        let file = self.file.display().to_string();
        let rechecked =
            Rechecked { file, line, instance: "", claimed, lower_bound, proved, heuristic, tables, shorter };
        Ok((certificate, rechecked))
    }
}

/// The failure for a certificate whose bound a shorter solution contradicts.
fn contradicted(place: &str, certificate: &Certificate) -> Failure {
    let message = format!("{place}: the certificate is wrong: there is a shorter solution");
    if certificate.tables.is_empty() {
        return Failure::error(message)
            .with_remedy("the certificate was changed, or its program has a fault");
    }
    let names: Vec<&str> = certificate.tables.iter().map(|table| table.name.as_str()).collect();
    Failure::table(message).with_remedy(format_args!(
        "the certificate was changed, or one of its tables is wrong: `tables verify --contents {}` finds out",
        names.join(" ")
    ))
}

/// The failure for a certificate of another puzzle than the program's.
pub fn other_puzzle(certificate: &Certificate) -> Failure {
    Failure::malformed(format_args!("it is a certificate of {}", certificate.program))
        .with_remedy("`cube-opt recheck` rechecks cubes, `tile24 recheck` rechecks sliding tiles")
}
