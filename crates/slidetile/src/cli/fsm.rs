//! `tile24 fsm`: learns and shows automata.

use std::time::Instant;

use clap::builder::RangedU64ValueParser;
use clap::{Args, Subcommand};
use puzzle_cli::format::{format_bytes, whole_mebibytes};
use puzzle_cli::{Exit, Failure, Session};
use search_core::automaton::{Learned, Trie};
use search_core::table::Recipe;
use serde::Serialize;

use crate::board::{Board, OPS};
use crate::fsm::{self, Pruning};
use crate::solver::SolverError;
use crate::tables::LearnedAutomaton;

/// Learn and show automata that prune duplicate operator strings
#[derive(Args, Clone, Debug)]
pub struct FsmArgs {
    #[command(subcommand)]
    command: FsmCommand,
}

#[derive(Subcommand, Clone, Debug)]
enum FsmCommand {
    /// Learn from scratch, print the result, and keep the automaton as a table
    Learn(Chosen),
    /// Print the states and the branching factor of an automaton, which is learned if its table does not exist
    Show(Chosen),
}

#[derive(Args, Clone, Debug)]
struct Chosen {
    /// Largest board area considered
    #[arg(long, value_name = "ROWSxCOLS", default_value = "5x5")]
    size: Board,
    /// Length of the longest strings
    #[arg(long, value_name = "D", default_value_t = 16, value_parser = depths())]
    depth: usize,
}

fn depths() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(1..=Pruning::DEEPEST as u64)
}

/// The record of an automaton.
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
    let (begun, store, run) = (Instant::now(), session.store(super::VERSION), session.run());
    let (FsmCommand::Learn(chosen) | FsmCommand::Show(chosen)) = &args.command;
    let &Chosen { size, depth } = chosen;
    if size.is_large() {
        return Err(super::solver_failure(&SolverError::NoStrings));
    }
    let recipe = LearnedAutomaton { board: size, depth };
    let learned = match &args.command {
        FsmCommand::Learn(_) => {
            let needed = recipe.peak_bytes();
            if needed > run.memory() && depth > fsm::default_depth(size) {
                return Err(Failure::error(format_args!(
                    "learning to depth {depth} takes {}",
                    format_bytes(needed)
                ))
                .with_remedy(format_args!("give --memory {}, or a lower --depth", whole_mebibytes(needed))));
            }
            Some(learn(chosen, session)?)
        }
        FsmCommand::Show(_) => None,
    };
    let table = match &learned {
        Some(learned) => store.keep(&recipe, recipe.built(learned).map_err(Failure::error)?, &run),
        None => store.get(&recipe, &run),
    };
    let opened = table.and_then(|table| Ok((table.to_automaton(OPS)?, table.used())));
    let (automaton, used) = opened.map_err(|error| super::table_failure(&error))?;
    let seconds = begun.elapsed().as_secs_f64();
    let strings = learned.map(|learned| learned.strings);
    let shown = Shown {
        size: size.to_string(),
        depth,
        strings: strings.as_ref().map(Vec::len),
        states_before_merging: strings.map(|strings| Trie::from_strings(OPS, &strings).nodes()),
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
            "branching factor {:.4}, {:.4} if only inverse moves are pruned",
            s.branching_factor, s.branching_factor_without
        ));
        lines.push(format!("table {}", s.table));
        lines
    })?;
    session.remark(&format!("{:.1} s", shown.seconds));
    Ok(Exit::Done)
}

/// Learns from scratch, with a remark for each length.
fn learn(chosen: &Chosen, session: &Session) -> Result<Learned, Failure> {
    let learned = fsm::learn_duplicates(chosen.size, chosen.depth, &session.run())
        .map_err(|_| Failure::interrupted("interrupted while learning"))?;
    for level in &learned.levels {
        session.remark(&format!(
            "length {}: {} strings, {} pruned, {} duplicates not pruned",
            level.length, level.live, level.pruned, level.unpruned
        ));
    }
    Ok(learned)
}
