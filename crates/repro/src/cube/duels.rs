//! IDA* against the Fiat–Shamir search at equal depth; one thread against many.

use super::{search, solver, ten_cubes};
use crate::job::{Context, Outcome, Stopped};
use cube::Metric;
use cube::shamir::ShamirSearch;

/// The first depth, whose speeds are shown.
const QUICK: u32 = 13;
/// The depth of the searches that are split.
const SPLIT: u32 = 14;

/// Searches one cube to a depth by IDA* and by the Fiat-Shamir search.
pub fn fiat_shamir(depth: u32, context: &Context<'_>) -> Result<Outcome, Stopped> {
    let mut out = Outcome::default();
    let cube = ten_cubes()[9];
    let solver = solver("korf97", context)?;
    let iterations = search(&solver, &cube, Some(depth), context)?.iterations;
    let last = iterations.last().expect("there is an iteration");
    let mut shamir = ShamirSearch::new(&cube, Metric::Htm.turns());
    let (length, solution) = shamir.at(depth, context.run)?;
    assert!(solution.is_none(), "the tenth cube needs 18 moves");
    let products = length.generated_left + length.generated_right;
    let (nodes, row) = (last.generated as f64 / last.seconds, format!("depth {depth}"));
    let speed = products as f64 / length.seconds;
    out.timed(
        "fiat-shamir",
        "equal depth",
        "Fiat–Shamir time over IDA* time",
        length.seconds / last.seconds,
        row.clone(),
    );
    out.put("fiat-shamir", &row, "nodes of IDA*", last.generated);
    out.put("fiat-shamir", &row, "products of Fiat–Shamir", products);
    out.timed("fiat-shamir", &row, "seconds of IDA*", last.seconds, "");
    out.timed("fiat-shamir", &row, "seconds of Fiat–Shamir", length.seconds, "");
    let lists = length.lists.iter().max().expect("four lists");
    out.put("fiat-shamir", &row, "greatest list of permutations", *lists);
    if depth == QUICK {
        out.timed("machine", "Fiat–Shamir", "permutations a second", speed, "");
        let both = "IDA* node against Fiat–Shamir permutation";
        out.timed("machine", both, "ratio of speeds", nodes / speed, "");
        out.timed_curve("speed", "ours", vec![(speed, 1.0)]);
    }
    Ok(out)
}

/// Splits the root among 18 processors, and times one thread against two.
pub fn splitting(context: &Context<'_>) -> Result<Outcome, Stopped> {
    let mut out = Outcome::default();
    let (solver, cube) = (solver("korf97", context)?, ten_cubes()[9]);
    let mut subtrees = Vec::new();
    for &turn in Metric::Htm.turns() {
        // After its first move a processor has one move less.
        let iterations = search(&solver, &cube.apply(turn), Some(SPLIT - 1), context)?.iterations;
        subtrees.push(iterations.last().map_or(0, |i| i.generated));
    }
    let (all, most) = (subtrees.iter().sum::<u64>(), subtrees.iter().max().copied().unwrap_or(1));
    let note = format!("nodes of all 18 subtrees to depth {SPLIT} divided by those of the largest");
    out.note("splitting", "18 processors", "speed-up", all as f64 / most as f64, note);
    if context.run.threads() < 2 {
        return Err(Stopped::Failed("it needs two threads".to_owned()));
    }
    let timed = |threads| {
        let iterations = search(
            &solver,
            &cube,
            Some(SPLIT),
            &Context { run: &context.run.with_threads(threads), ..context.clone() },
        )?
        .iterations;
        let last = iterations.last().expect("there is an iteration");
        Ok::<(f64, u64), Stopped>((last.seconds, last.generated))
    };
    let ((one, nodes), (two, same)) = (timed(1)?, timed(2)?);
    assert_eq!(nodes, same, "counts do not depend on the number of threads");
    out.timed("splitting", "one thread to two", "speed-up", one / two, format!("depth {SPLIT}"));
    Ok(out)
}
