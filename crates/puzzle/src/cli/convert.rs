//! `puzzle-opt convert`: definitions in another form.

use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};
use puzzle_cli::{Exit, Failure, Session};
use serde::Serialize;

use super::malformed;
use super::puzzle_args;
use crate::formats::{self, Form};

/// Write a definition in another form
///
/// Parts that the form cannot express are refused, or left out and named on standard error. Read back, the
/// definition has the same moves and the same solved state.
#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Examples:\n  puzzle-opt convert skewb --to tws > skewb.tws\n  puzzle-opt convert 3x3x3.tws --to kpuzzle"
)]
pub struct ConvertArgs {
    /// A built-in puzzle or a file that defines one
    #[arg(value_name = "PUZZLE")]
    puzzle: String,
    /// The form to write
    #[arg(long, value_enum)]
    to: Form,
}

impl ValueEnum for Form {
    fn value_variants<'a>() -> &'a [Form] {
        &Form::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let help = match self {
            Form::KPuzzle => "The JSON of cubing.js and twips",
            Form::Tws => "The lines of twsearch and ksolve",
            Form::Gap => "Generators as permutations in the notation of GAP",
        };
        Some(PossibleValue::new(self.name()).help(help))
    }
}

#[derive(Serialize)]
struct Record<'a> {
    puzzle: &'a str,
    form: &'static str,
    text: String,
}

pub(super) fn run(args: &ConvertArgs, session: &Session) -> Result<Exit, Failure> {
    let definition = puzzle_args::definition(&args.puzzle)?;
    let written = formats::write(&definition, args.to);
    let (text, remarks) = written
        .map_err(|faults| malformed(&format!("definition for the form {}", args.to.name()), &faults))?;
    for remark in definition.remarks.iter().chain(&remarks) {
        session.remark(remark);
    }
    let record = Record { puzzle: &definition.name, form: args.to.name(), text };
    session.output().record(&record, |record| vec![record.text.trim_end().to_owned()])?;
    Ok(Exit::Done)
}
