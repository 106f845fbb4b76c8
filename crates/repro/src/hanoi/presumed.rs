//! Presumed-optimal lengths, and the numbers in the paper's text.

use crate::fixture::Figures;
use crate::job::{Context, Outcome, Stopped, Work, work};
use hanoi4::goals::Goals;
use hanoi4::model::{Puzzle, State};
use hanoi4::pdb::Database;
use hanoi4::presumed::Presumed;
use hanoi4::reference;
use hanoi4::tables::DatabaseId;
use search_core::table::Recipe;
use std::collections::HashSet;

/// The greatest number of discs of the searches on three pegs.
const THREE_PEGS: u32 = 12;
const RADII: u32 = 10;

/// Computes the presumed-optimal lengths and the numbers of the text, and searches three pegs.
pub fn presumed(figures: &Figures<'_>) -> Work {
    let lengths = figures.rows("presumed", "length");
    let widest = figures.printed("complete", "22 discs", "width").unwrap_or(f64::NAN);
    work(move |context| run(&lengths, widest, context))
}

fn run(lengths: &[String], widest: f64, context: &Context<'_>) -> Result<Outcome, Stopped> {
    let mut out = Outcome::default();
    let presumed = Presumed::new(31, 4);
    for row in lengths {
        let discs = row.trim_end_matches(" discs").parse().expect("a row of so many discs");
        out.put("presumed", row, "length", presumed.length(discs));
    }
    three_pegs(context, &mut out)?;
    sizes(widest, &mut out);
    Ok(out)
}

fn three_pegs(context: &Context<'_>, out: &mut Outcome) -> Result<(), Stopped> {
    let (mut lengths, mut radii) = (0, 0);
    for discs in 1..=THREE_PEGS {
        context.run.check()?;
        let puzzle = Puzzle::new(discs, 3).expect("a puzzle");
        let distances = reference::distances(&puzzle, [State::START]);
        let length = distances[State::all_on(2, discs).index()];
        let radius = reference::histogram(&distances).len() - 1;
        lengths += u32::from(length != (1 << discs) - 1);
        radii += u32::from(discs <= RADII && radius != usize::from(length));
    }
    out.note("presumed", "three pegs: solutions other than 2^n − 1", "of 12 sizes", lengths, "1 to 12 discs");
    out.note("presumed", "three pegs: radius other than the length", "of 10 sizes", radii, "1 to 10 discs");
    Ok(())
}

fn sizes(widest: f64, out: &mut Outcome) {
    let states = |discs: u32| Puzzle::new(discs, 4).expect("a puzzle").states();
    out.put("sizes", "states with 22 discs, trillions", "count", states(22) as f64 / 1e12);
    let ratio = states(22) as f64 / widest;
    out.note("sizes", "22 discs: states over width", "ratio", ratio, "by the printed width");
    out.put("sizes", "30 discs over 24 discs", "ratio of states", states(30) / states(24));
    // Expansion and merge files for the 15 largest of 29 discs, one of six images each.
    out.put("sizes", "files for 29 discs, millions", "count", 2.0 * states(15) as f64 / 6.0 / 1e6);
    let middle = |discs: u32| {
        let on_two = |state: &State| (0..discs).all(|disc| state.peg(disc) == 1 || state.peg(disc) == 2);
        (0..states(discs)).map(State::from_code).filter(on_two).count()
    };
    // Both are the number of ways to put 15 discs on two pegs; for 10 discs all of them are enumerated.
    assert_eq!(middle(10), 1 << 10, "each disc on one of two pegs");
    out.put("sizes", "middle states of 16 discs", "count", 1u64 << 15);
    out.put("sizes", "goals of a 15-disc database on two pegs", "count", goals_on_two_pegs(15));
    let complete = |discs| DatabaseId { discs, dropped: 0, goals: Goals::Middle }.bytes();
    out.put("sizes", "15-disc database", "bytes", complete(15));
    let seven = Database::complete(7, Goals::Middle);
    out.put("sizes", "7-disc database", "bytes", seven.values().len());
}

/// The number of distinct states among a database's goals that are on two pegs, one of three pairs.
fn goals_on_two_pegs(discs: u32) -> usize {
    let on_two = |state: &State| (0..discs).all(|disc| matches!(state.peg(disc), 1 | 2));
    Goals::Middle.states(discs).into_iter().filter(on_two).collect::<HashSet<_>>().len()
}
