//! The problem space, the search tree, and the arithmetic of the paper's analysis.

use crate::fixture::Figures;
use crate::job::{Context, Outcome, Stopped, Work, work};
use cube::heuristics::manhattan::Variant;
use cube::perft::Perft;
use cube::tables::{Pattern, TableId};
use cube::{Metric, Turn, analysis};

const DEPTH: usize = 18;
/// The deepest layer of distinct cubes that is counted: 7,618,438 cubes.
const PERFT: usize = 6;

/// Counts the move sequences and the cubes by depth, and the size of the space.
pub fn search_tree(figures: &Figures<'_>) -> Work {
    let printed = Printed::new(figures);
    work(move |context| run(&printed, context))
}

/// The paper's figures on which its arithmetic is based.
struct Printed {
    nodes: Vec<f64>,
    depth_17: f64,
    /// Table 1: depth and nodes.
    tree: Vec<(f64, f64)>,
}

impl Printed {
    fn new(figures: &Figures<'_>) -> Printed {
        let nodes =
            |n: u32| figures.printed("table-2", &format!("cube {n}"), "nodes by the heuristic of 1997");
        let level = |depth: usize| {
            let nodes = figures.printed("search-tree", &format!("depth {depth}"), "nodes")?;
            Some((depth as f64, nodes))
        };
        Printed {
            tree: (1..=DEPTH).filter_map(level).collect(),
            nodes: (1..=10).filter_map(nodes).collect(),
            depth_17: figures.printed("iterations", "depth 17", "nodes, mean").unwrap_or(f64::NAN),
        }
    }
}

fn run(printed: &Printed, context: &Context<'_>) -> Result<Outcome, Stopped> {
    let mut out = Outcome::default();
    let automaton = Metric::Htm.automaton();
    let nodes = automaton.strings_by_length(DEPTH);
    let factor = automaton.branching_factor(1, |_, _| Some(0), context.run);
    let states = analysis::manhattan::distribution(Metric::Htm, Variant::Edges).total();
    space(&nodes, factor, states, &mut out);
    for (depth, &count) in nodes.iter().enumerate().skip(1) {
        out.put("search-tree", format!("depth {depth}"), "nodes", count);
    }
    let corners = TableId { pattern: Pattern::Corners, metric: Metric::Htm }.entries();
    out.put(
        "heuristics",
        "corners, estimate by Table 1",
        "expected value",
        (corners as f64).ln() / factor.ln(),
    );
    out.put("fiat-shamir", "states at depth nine, billions", "count", nodes[9] as f64 / 1e9);
    arithmetic(printed, &nodes, states, &mut out);
    cubes(context, &mut out)?;
    let tree = nodes.iter().enumerate().map(|(depth, &count)| (depth as f64, count as f64)).collect();
    out.curve("tree", "nodes in the tree", tree);
    out.curve("tree", "paper: nodes in the tree", printed.tree.clone());
    Ok(out)
}

fn space(nodes: &[u128], factor: f64, states: u128, out: &mut Outcome) {
    let turns = Metric::Htm.turns();
    let after = |first: &Turn| turns.iter().filter(|turn| turn.face() != first.face()).count();
    // All ways to assemble the cubies, legal or not.
    let assembled: u128 =
        (1..=8).product::<u128>() * 3u128.pow(8) * (1..=12).product::<u128>() * 2u128.pow(12);
    let before: u128 = nodes[1..DEPTH].iter().sum();
    out.put("space", "states", "count", states);
    out.put("space", "isomorphic subgraphs", "count", assembled / states);
    out.put("space", "cubie values", "count", 8 * 3u32);
    out.put("space", "movable cubies", "count", 8 + 12u32);
    out.put("space", "first moves", "count", nodes[1]);
    out.put("space", "moves after the first", "count", after(&turns[0]));
    out.put("space", "asymptotic branching factor", "count", factor);
    let first = nodes.iter().position(|&count| count > states).unwrap_or(0);
    out.put("space", "first depth with more nodes than states", "count", first);
    let overhead = 100.0 * before as f64 / nodes[DEPTH] as f64;
    out.put("space", "nodes of the iterations before the last, % of the last", "count", overhead);
    let days = nodes[10] as f64 / 1e6 / 86_400.0;
    out.put("space", "days to depth 10 at a million a second", "count", days);
}

/// The figures that the paper derives from its own.
fn arithmetic(printed: &Printed, nodes: &[u128], states: u128, out: &mut Outcome) {
    let entries = |pattern| TableId { pattern, metric: Metric::Htm }.entries();
    let m = entries(Pattern::Corners) + 2 * entries(Pattern::Edges(cube::pdb::edges::KORF));
    let (n_by_m, t) =
        (states as f64 / m as f64, printed.nodes.iter().sum::<f64>() / printed.nodes.len() as f64);
    out.put("analysis", "m: entries of the three tables", "count", m);
    out.put("analysis", "n/m", "count", n_by_m.round() as u64);
    out.note("analysis", "t: mean of Table 2 as printed", "count", t, "from the printed nodes");
    out.put("analysis", "t over n/m", "ratio", t / n_by_m);
    out.put("analysis", "brute force to depth 17 − 9, billions", "count", nodes[8] as f64 / 1e9);
    let ratio = printed.depth_17 / nodes[8] as f64;
    out.note("analysis", "nodes to depth 17 over that", "ratio", ratio, "from the printed 122 billion");
}

/// Distinct cubes, by a naive enumeration.
fn cubes(context: &Context<'_>, out: &mut Outcome) -> Result<(), Stopped> {
    let mut perft = Perft::new(Metric::Htm);
    let mut points = vec![(0.0, 1.0)];
    for depth in 1..=PERFT {
        let room = 256 << 20;
        let count = match depth {
            PERFT => perft.count_next(room, context.run)?,
            _ => perft.advance(room, context.run)?,
        };
        out.put("search-tree", format!("depth {depth}"), "distinct cubes", count);
        points.push((depth as f64, count as f64));
    }
    out.curve("tree", "distinct cubes", points);
    Ok(())
}
