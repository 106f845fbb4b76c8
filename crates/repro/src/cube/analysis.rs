//! The paper's hypothesis: nodes generated are about the states of the space divided by the entries
//! of the table, t = n/m.
//!
//! A full search with a small table would take years. A search to a bound d is one of a smaller space: n becomes the
//! nodes of the tree at depth d. So each table is searched to the first bound that generates some millions of nodes,
//! and t and n are scaled to the whole space by the same factor.

use super::{search, solver, ten_cubes};
use crate::job::{Context, Outcome, Stopped};
use cube::Metric;

/// A heuristic of one table (or of three, as the paper counts), and its entries.
pub const TABLES: [(&str, &str, f64); 7] = [
    ("2 edges", "edges:UR,UF", 528.0),
    ("3 edges", "edges:UR,UF,UL", 10_560.0),
    ("4 edges", "edges:UR,UF,UL,UB", 190_080.0),
    ("5 edges", "edges:UR,UF,UL,UB,FR", 3_041_280.0),
    ("6 edges", "edges6", 42_577_920.0),
    ("corners", "corners", 88_179_840.0),
    ("corners and two sets of 6 edges", "korf97", 173_335_680.0),
];
/// The largest table that is searched with.
pub const SEVEN: (&str, &str, f64) = ("7 edges", "edges7", 510_935_040.0);
/// The least number of nodes of the last iteration.
const ENOUGH: u64 = 3_000_000;
/// The number of positions of the cube.
const STATES: f64 = 43_252_003_274_489_856_000.0;

/// Measures t and n/m with these tables.
pub fn measured(tables: &[(&str, &str, f64)], context: &Context<'_>) -> Result<Outcome, Stopped> {
    let mut out = Outcome::default();
    let mut points = Vec::new();
    for &(row, heuristic, m) in tables {
        context.run.progress().begin(row, 0);
        let (bound, t) = enough(heuristic, context)?;
        let n = Metric::Htm.automaton().strings_by_length(bound as usize)[bound as usize] as f64;
        let note = format!("to depth {bound}, mean of three cubes");
        out.put("analysis", row, "entries m", m as u64);
        out.note("analysis", row, "nodes t", t, note);
        out.put("analysis", row, "t over n/m", t * m / n);
        points.push((STATES / m, t * STATES / n));
    }
    context.run.progress().end();
    if points.len() > 2 {
        let ratio = 0.5f64.powf(slope(&points));
        out.note(
            "analysis",
            "nodes when memory doubles",
            "ratio",
            ratio,
            "fitted to the tables of this list",
        );
        let ends: Vec<(f64, f64)> = [1e10, 1e17].map(|at| (at, at)).to_vec();
        out.curve("tm", "t = n/m", ends);
        out.curve("tm", "paper", vec![(249_527_409_904.0, 352_656_042_894.0)]);
    }
    out.curve("tm", "ours, scaled to the whole space", points);
    Ok(out)
}

/// The first bound whose iteration generates enough nodes, and the mean over three cubes.
fn enough(heuristic: &str, context: &Context<'_>) -> Result<(u32, f64), Stopped> {
    let (solver, cubes) = (solver(heuristic, context)?, &ten_cubes()[7..]);
    for bound in 5.. {
        let mut generated = Vec::new();
        for cube in cubes {
            let iterations = search(&solver, cube, Some(bound), context)?.iterations;
            generated.extend(iterations.iter().find(|i| i.bound == bound).map(|i| i.generated));
        }
        let mean = generated.iter().sum::<u64>() as f64 / cubes.len() as f64;
        if mean >= ENOUGH as f64 {
            return Ok((bound, mean));
        }
    }
    unreachable!("nodes grow with the bound")
}

/// The slope of log t against log n/m, by least squares.
fn slope(points: &[(f64, f64)]) -> f64 {
    let logs: Vec<(f64, f64)> = points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
    let mean = |of: &dyn Fn(&(f64, f64)) -> f64| logs.iter().map(of).sum::<f64>() / logs.len() as f64;
    let (x, y) = (mean(&|p| p.0), mean(&|p| p.1));
    mean(&|p| (p.0 - x) * (p.1 - y)) / mean(&|p| (p.0 - x).powi(2))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_slope_of_a_power_is_its_exponent() {
        let points: Vec<(f64, f64)> = [1.0, 10.0, 100.0].map(|x: f64| (x, 3.0 * x.powf(0.8))).to_vec();
        assert!((super::slope(&points) - 0.8).abs() < 1e-12);
    }
}
