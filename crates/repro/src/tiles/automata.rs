//! The automaton that prunes duplicate operator strings, and the grid that explains it.

use super::grid::{Grid, inverses, points};
use super::{puzzle, search, solver, ten, totals};
use crate::fixture::Figures;
use crate::job::{Context, Outcome, Stopped, Work, work};
use search_core::automaton::{Trie, learn};
use search_core::{Automaton, Op};
use slidetile::board::OPS;
use slidetile::{HeuristicSpec, Pruning, default_pruning, fsm};

/// The greatest length of the quick tier.
const QUICK: usize = 16;
/// The bound to which the first instance is searched in the quick tier; its length is 100.
const BOUND: u32 = 94;

/// Searches the first instance to bound 94 with and without the automaton.
pub fn pruning_to_bound(figures: &Figures<'_>) -> Work {
    let solved =
        figures.printed("table-1", "instance 1", "nodes by the paper’s heuristic").unwrap_or(f64::NAN);
    work(move |context| {
        let mut out = pruning(0, Some(BOUND), "instance 1 to bound 94", context)?;
        out.curve("nodes", "paper: instance 1, solved, all iterations", vec![(100.0, solved)]);
        Ok(out)
    })
}

/// Solves one of the first two instances with and without the automaton.
pub fn pruning_solved(number: usize, context: &Context<'_>) -> Result<Outcome, Stopped> {
    let row = if number == 1 { "easiest two" } else { "second of the two" };
    pruning(number - 1, None, row, context)
}

/// Learns duplicate strings to a length on the 5x5 board, and measures its automaton; in the quick tier, those of
/// every second length up to it.
pub fn automata(most: usize, context: &Context<'_>) -> Result<Outcome, Stopped> {
    let mut out = Outcome::default();
    let lengths = if most == QUICK { 2..=most } else { most..=most };
    let board = puzzle(5, 5).board();
    let learned = fsm::learn_duplicates(board, most, context.run)?;
    let (mut factors, mut states, mut strings) = (Vec::new(), Vec::new(), Vec::new());
    for length in lengths.step_by(2) {
        context.run.check()?;
        let kept: Vec<&Vec<Op>> = learned.strings.iter().filter(|string| string.len() <= length).collect();
        let trie = Trie::from_strings(OPS, &kept);
        let merged = trie.automaton().minimized();
        let (row, x) = (format!("length {length}"), length as f64);
        let factor = fsm::branching_factor(board, &merged, context.run);
        out.put("automaton", &row, "strings", kept.len());
        out.put("automaton", &row, "states", trie.nodes());
        out.put("automaton", &row, "states, merged", merged.states());
        out.put("automaton", &row, "branching factor", factor);
        factors.push((x, factor));
        states.push((x, merged.states() as f64));
        strings.push((x, kept.len() as f64));
        if length == QUICK {
            let note = format!("ours, learned to length {length}");
            out.note("automaton", "the paper’s", "states", trie.nodes(), note.clone());
            out.note("automaton", "the paper’s", "branching factor", factor, note);
        }
    }
    if most == QUICK {
        let inverse = fsm::branching_factor(board, &fsm::inverse_automaton(), context.run);
        out.put("automaton", "inverse operators only", "branching factor", inverse);
        // Two strings of equal length with the same effect form a cycle of twice that length.
        let first = learned.levels.iter().find(|level| level.length > 2 && level.pruned > 0);
        out.put(
            "automaton",
            "shortest cycle beside inverses",
            "moves",
            first.map_or(0, |level| 2 * level.length),
        );
        out.curve("automaton", "paper: 2.235, length not told", vec![(QUICK as f64, 2.235)]);
        out.curve(
            "automaton-states",
            "paper: 619,000 states, length not told",
            vec![(QUICK as f64, 619_000.0)],
        );
    }
    out.curve("automaton", "ours", factors);
    out.curve("automaton-states", "states, merged", states);
    out.curve("automaton-states", "strings", strings);
    Ok(out)
}

/// Learns the square grid's automaton from strings of two moves.
pub fn grid(context: &Context<'_>) -> Result<Outcome, Stopped> {
    const DEPTH: usize = 20;
    let mut out = Outcome::default();
    let learned = learn(&Grid, 2, 12, context.run)?;
    let machine = Trie::from_strings(4, &learned.strings).automaton().minimized();
    let free = Automaton::unrestricted(4);
    let inverse = inverses();
    let growth = |automaton: &Automaton| automaton.branching_factor(1, |_, _| Some(0), context.run);
    let strings = machine.strings_by_length(DEPTH);
    let one_each = (0..=DEPTH).all(|depth| strings[depth] == points(depth as u128));
    out.put("grid", "all operators", "growth a move", growth(&free).round() as u64);
    out.put("grid", "inverses only", "states", inverse.states());
    out.put("grid", "inverses only", "growth a move", growth(&inverse).round() as u64);
    out.put("grid", "learned from depth 2", "states", machine.states());
    let paths = strings[DEPTH] / points(DEPTH as u128);
    let note = if one_each { "at every depth to 20" } else { "not at every depth" };
    out.note("grid", "learned from depth 2", "paths to each point", paths, note);
    for (name, automaton) in [("all operators", &free), ("inverses only", &inverse), ("learned", &machine)] {
        let counts = automaton.strings_by_length(DEPTH);
        let points = counts.iter().enumerate().map(|(depth, &count)| (depth as f64, count as f64));
        out.curve("grid", name, points.collect());
    }
    // Four moves, then four or three; one path to each of the 4d points at depth d.
    let by_depth = |d: f64| [4f64.powf(d), 4.0 * 3f64.powf(d - 1.0), 4.0 * d].map(|nodes| (d, nodes));
    let paper = [5.0, 10.0, 15.0, 20.0].map(by_depth);
    out.curve("grid", "paper: 4 or 3 a move, or one path to each point", paper.concat());
    Ok(out)
}

/// One instance of Table 1 with the paper's heuristic, with and without the automaton.
fn pruning(at: usize, bound: Option<u32>, row: &str, context: &Context<'_>) -> Result<Outcome, Stopped> {
    let mut out = Outcome::default();
    let tiles = ten()[at].0;
    let mut seconds = Vec::new();
    for pruning in [Pruning::Inverse, default_pruning(puzzle(5, 5).board())] {
        let name = match pruning {
            Pruning::Learned(length) => format!("automaton of length {length}"),
            _ => "inverses only".to_owned(),
        };
        context.run.progress().begin(&name, 0);
        let report =
            search(&solver(puzzle(5, 5), HeuristicSpec::Korf96, pruning, context)?, &tiles, bound, context)?;
        let (nodes, time) = totals(&report);
        let column = format!("nodes, {name}");
        match bound {
            Some(_) => out.put("automaton", row, &column, nodes),
            None => out.raced("automaton", row, &column, nodes, ""),
        }
        let points = report.iterations.iter().map(|i| (f64::from(i.bound), i.generated as f64));
        out.curve("nodes", format!("instance {}, {name}", at + 1), points.collect());
        seconds.push(time);
    }
    context.run.progress().end();
    out.timed(
        "automaton",
        row,
        "time without over time with",
        seconds[0] / seconds[1],
        format!("instance {}", at + 1),
    );
    Ok(out)
}
