//! The automaton that prunes duplicate operator strings, and the grid that explains it.

use super::grid::{Grid, inverses, points};
use super::{puzzle, search, solver, tables, ten, totals};
use crate::fixture::Figures;
use crate::job::{Context, Cost, Job, Outcome, Stopped};
use crate::paper::{Paper, Tier};
use search_core::automaton::{Trie, learn};
use search_core::{Automaton, Op};
use slidetile::board::OPS;
use slidetile::{HeuristicSpec, Pruning, default_pruning, fsm};

/// The greatest length of the quick tier, and that of the standard one.
const QUICK: usize = 16;
const STANDARD: usize = 17;
/// The bound to which the first instance is searched in the quick tier; its length is 100.
const BOUND: u32 = 94;

/// The jobs of this module.
pub fn jobs(figures: &Figures<'_>) -> Vec<Job> {
    let timed = |row: &str, column: &str| row.starts_with("easiest") && column.starts_with("time");
    let second = |row: &str, _: &str| row.starts_with("second");
    let solved =
        figures.printed("table-1", "instance 1", "nodes by the paper’s heuristic").unwrap_or(f64::NAN);
    let mut jobs = vec![
        Job::new(
            Paper::Tiles,
            "automaton",
            Tier::Quick,
            Cost::new(26.0, 500),
            "learns duplicate strings to length 16 on the 5×5 board, and measures each length’s automaton",
            figures.of("automaton", |row, _| !row.starts_with("easiest") && !row.starts_with("second")),
            |context| automata(2..=QUICK, context),
        ),
        Job::new(
            Paper::Tiles,
            "automaton-17",
            Tier::Standard,
            Cost::new(60.0, 900),
            "learns duplicate strings to length 17",
            Vec::new(),
            |context| automata(STANDARD..=STANDARD, context),
        ),
        Job::new(
            Paper::Tiles,
            "grid",
            Tier::Quick,
            Cost::new(1.0, 50),
            "learns the square grid’s automaton from strings of two moves",
            figures.table("grid"),
            grid,
        ),
        Job::new(
            Paper::Tiles,
            "pruning",
            Tier::Quick,
            Cost::new(15.0, 300),
            "searches the first instance to bound 94 with and without the automaton",
            Vec::new(),
            move |context| {
                let (row, column) = ("instance 1 to bound 94", "time without over time with");
                let mut out = pruning(0, Some(BOUND), row, column, context)?;
                out.curve("nodes", "paper: instance 1, solved, all iterations", vec![(100.0, solved)]);
                Ok(out)
            },
        ),
        Job::new(
            Paper::Tiles,
            "pruning-1",
            Tier::Standard,
            Cost::new(400.0, 300),
            "solves the first instance with and without the automaton",
            figures.of("automaton", timed),
            |context| pruning(0, None, "easiest two", "time without over time with", context),
        ),
        Job::new(
            Paper::Tiles,
            "pruning-2",
            Tier::Full,
            Cost::new(1200.0, 300),
            "solves the second instance with and without the automaton",
            figures.of("automaton", second),
            |context| pruning(1, None, "second of the two", "time without over time with", context),
        ),
    ];
    for job in jobs.iter_mut().filter(|job| job.id.contains("pruning")) {
        job.tables = tables(&puzzle(5, 5), HeuristicSpec::Korf96, 0);
    }
    jobs
}

fn automata(lengths: std::ops::RangeInclusive<usize>, context: &Context<'_>) -> Result<Outcome, Stopped> {
    let mut out = Outcome::default();
    let (board, most) = (puzzle(5, 5).board(), *lengths.end());
    let learned = fsm::learn_duplicates(board, most, context.run)?;
    let (mut factors, mut states, mut strings) = (Vec::new(), Vec::new(), Vec::new());
    for length in lengths.step_by(if most == QUICK { 2 } else { 1 }) {
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
        // Two strings of the same length that do the same make a cycle of twice that length.
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

fn grid(context: &Context<'_>) -> Result<Outcome, Stopped> {
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
fn pruning(
    at: usize,
    bound: Option<u32>,
    row: &str,
    column: &str,
    context: &Context<'_>,
) -> Result<Outcome, Stopped> {
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
    out.timed("automaton", row, column, seconds[0] / seconds[1], format!("instance {}", at + 1));
    Ok(out)
}
