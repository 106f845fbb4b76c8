//! `tile24 fsm`: learning automata, and showing what was learned.

use std::time::Instant;

use clap::{Args, Subcommand};
use puzzle_cli::{Exit, Failure, Session};
use search_core::automaton::Trie;
use search_core::table::{Table, TableError};
use serde::Serialize;

use crate::board::{Board, OPS};
use crate::fsm;
use crate::solver::Pruning;
use crate::tables::LearnedAutomaton;

/// Learn and show automata that prune duplicate operator strings
#[derive(Args, Clone, Debug)]
pub struct FsmArgs {
    #[command(subcommand)]
    command: FsmCommand,
}

#[derive(Subcommand, Clone, Debug)]
enum FsmCommand {
    /// Learn from scratch, print what was found, and keep the automaton as a table
    Learn(Chosen),
    /// Print the states and the branching factor of an automaton, learned if it is not there
    Show(Chosen),
}

#[derive(Args, Clone, Debug)]
struct Chosen {
    /// Largest board area considered
    #[arg(long, value_name = "ROWSxCOLS", default_value = "5x5")]
    size: Board,
    /// The length of the longest strings
    #[arg(long, value_name = "D", default_value_t = 16, value_parser = depth)]
    depth: usize,
}

impl Chosen {
    fn recipe(&self) -> LearnedAutomaton {
        LearnedAutomaton { board: self.size, depth: self.depth }
    }
}

fn depth(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(depth @ 1..=Pruning::DEEPEST) => Ok(depth),
        _ => Err(format!("not a depth from 1 to {}", Pruning::DEEPEST)),
    }
}

/// What is known of an automaton.
#[derive(Serialize)]
struct Shown {
    size: String,
    depth: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    strings: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    states_before_merging: Option<usize>,
    states: usize,
    bytes: usize,
    branching_factor: f64,
    branching_factor_without: f64,
    seconds: f64,
    table: String,
}

pub(super) fn run(args: &FsmArgs, session: &Session) -> Result<Exit, Failure> {
    match &args.command {
        FsmCommand::Learn(chosen) => learn(chosen, session),
        FsmCommand::Show(chosen) => {
            let begun = Instant::now();
            let store = session.store(super::VERSION)?;
            let table = store.get(&chosen.recipe(), &session.run());
            show(chosen, None, table, begun, session)
        }
    }
}

fn learn(chosen: &Chosen, session: &Session) -> Result<Exit, Failure> {
    let begun = Instant::now();
    let learned = fsm::learn_duplicates(chosen.size, chosen.depth, &session.run())
        .map_err(|_| Failure::interrupted("interrupted while learning"))?;
    let before = Trie::from_strings(OPS, &learned.strings).nodes();
    for level in &learned.levels {
        session.remark(&format!(
            "length {}: {} strings, {} pruned, {} duplicates stay",
            level.length, level.live, level.pruned, level.unpruned
        ));
    }
    let store = session.store(super::VERSION)?;
    let built = chosen.recipe().built(&learned).map_err(Failure::error)?;
    let table = store.keep(&chosen.recipe(), built, &session.run());
    show(chosen, Some((learned.strings.len(), before)), table, begun, session)
}

fn show(
    chosen: &Chosen,
    found: Option<(usize, usize)>,
    table: Result<Table, TableError>,
    begun: Instant,
    session: &Session,
) -> Result<Exit, Failure> {
    let Chosen { size, depth } = *chosen;
    let opened = table.and_then(|table| Ok((table.to_automaton(OPS)?, table.used())));
    let (automaton, used) = opened.map_err(|error| super::table_failure(&error))?;
    let (seconds, run) = (begun.elapsed().as_secs_f64(), session.run());
    let shown = Shown {
        size: size.to_string(),
        depth,
        strings: found.map(|(strings, _)| strings),
        states_before_merging: found.map(|(_, before)| before),
        states: automaton.states(),
        bytes: 4 * automaton.table().len(),
        branching_factor: fsm::branching_factor(size, &automaton, &run),
        branching_factor_without: fsm::branching_factor(size, &fsm::inverse_automaton(), &run),
        seconds,
        table: used.name,
    };
    session.output().record(&shown, |s| {
        let mut lines = vec![format!("duplicate strings of up to {} moves within {}", s.depth, s.size)];
        if let (Some(strings), Some(before)) = (s.strings, s.states_before_merging) {
            lines.push(format!("strings {strings}, states before merging {before}"));
        }
        lines.push(format!("states {}, bytes {}", s.states, s.bytes));
        lines.push(format!(
            "branching factor {:.4}, without {:.4}",
            s.branching_factor, s.branching_factor_without
        ));
        lines.push(format!("table {}", s.table));
        lines
    })?;
    session.remark(&format!("{:.1} s", shown.seconds));
    Ok(Exit::Done)
}
