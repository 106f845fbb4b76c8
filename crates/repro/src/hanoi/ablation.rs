//! The effect of each ingredient: the same proof with one left out.
//!
//! All variants prove the same length, of 17 discs. The states that a search generates are compared; all images under
//! its symmetry count once. Seconds are shown too, but variants without the solver's own pruning look values up state
//! by state, so their times cannot be compared.

use crate::job::{Context, Outcome, Stopped};
use hanoi4::bitmap::search::{NoPruning, Pruner, Setup};
use hanoi4::bitmap::shape::{SMALL, Shape, Word256};
use hanoi4::goals::{Goals, MIDDLE_PAIRS};
use hanoi4::layer_search::{LayerReport, SearchOptions, search_layers};
use hanoi4::model::State;
use hanoi4::pdb::Database;
use hanoi4::pegs::PegGroup;
use hanoi4::presumed::four_peg_length;
use hanoi4::splittings::TwoSplittings;
use hanoi4::tables::DatabaseId;
use search_core::Silent;
use search_core::storage::Budget;

const DISCS: u32 = 17;
/// The compressed database's discs, of 16 that move.
const DATABASE: u32 = 12;

/// A variant and its search.
struct Variant {
    name: &'static str,
    report: LayerReport,
    /// The length proved, and the length of the path to the goal of the search.
    length: u32,
}

/// Proves the length of 17 discs with each ingredient left out in turn.
pub fn ablation(context: &Context<'_>) -> Result<Outcome, Stopped> {
    let mut out = Outcome::default();
    let Context { store, run, .. } = *context;
    let (big, _) = DatabaseId::middle(DATABASE).get(store, run)?;
    let moving = DISCS - 1;
    let presumed = four_peg_length(DISCS);
    let threshold = (presumed - 1) / 2;
    let rest = || Database::complete(moving - big.discs(), Goals::Middle);
    let two = TwoSplittings::new(moving, threshold, &big, rest(), run)?;
    let small = two.small();
    // As many entries, but each for only one configuration.
    let (plain, other) = (
        Database::complete(big.kept(), Goals::Middle),
        Database::complete(moving - big.kept(), Goals::Middle),
    );
    let (one, uncompressed) = (rest(), [(&plain, &other)]);
    let single = [(&big, &one)];
    let by_one = ByState::new(moving, small, threshold, &single, false);
    let by_plain = ByState::new(moving, small, threshold, &uncompressed, true);

    let half = |group: PegGroup, small: u32, pruner: &dyn Pruner, name| {
        context.run.check()?;
        let mut setup = Setup::new(moving, small, group);
        (setup.goals, setup.budget) = (MIDDLE_PAIRS.to_vec(), Budget::new(run.memory(), 0));
        let options =
            SearchOptions { until_goal: true, max_depth: Some(threshold), ..SearchOptions::default() };
        let report = search_layers(setup, pruner, &options, &run.with_progress(&Silent))?;
        let found = report.goal_depth().expect("the presumed length is reached");
        Ok::<Variant, Stopped>(Variant { name, length: 2 * found + 1, report })
    };
    let group = || Goals::Middle.group();
    let largest = moving.min(*SMALL.end());
    let variants = [
        half(group(), small, &two, "all ingredients")?,
        half(PegGroup::trivial(), small, &two, "without symmetry")?,
        half(group(), small, &by_one, "without the second splitting")?,
        half(group(), small, &by_plain, "without compression")?,
        half(group(), largest, &NoPruning, "without a heuristic")?,
        full_depth(context)?,
    ];
    let all = variants[0].report.total(|layer| layer.orbits) as f64;
    for variant in &variants {
        assert_eq!(variant.length, presumed, "{}: every variant proves the same", variant.name);
        let states = variant.report.total(|layer| layer.orbits);
        let note = format!(
            "{} times those of the full set",
            crate::number::Number::Real(states as f64 / all).pretty()
        );
        out.note("ablation", variant.name, "unique states", states, note);
        out.timed("ablation", variant.name, "seconds", variant.report.seconds, "");
    }
    let before = variants[0]
        .report
        .layers
        .iter()
        .take(two.first_depth() as usize)
        .map(|layer| layer.orbits)
        .sum::<u64>();
    out.note(
        "ablation",
        "all ingredients",
        "% of states without a heuristic call",
        100.0 * before as f64 / all,
        format!("no state can be pruned before depth {}", two.first_depth()),
    );
    Ok(out)
}

/// Without half depth the search has no middle state as its goal and continues to the goal itself.
fn full_depth(context: &Context<'_>) -> Result<Variant, Stopped> {
    let mut setup = Setup::new(DISCS, DISCS.min(*SMALL.end()), PegGroup::fixing(0));
    (setup.target, setup.budget) = (Some(State::all_on(3, DISCS)), Budget::new(context.run.memory(), 0));
    let options = SearchOptions { until_goal: true, ..SearchOptions::default() };
    let report = search_layers(setup, &NoPruning, &options, &context.run.with_progress(&Silent))?;
    let length = report.depth();
    Ok(Variant { name: "without half depth, without a heuristic", report, length })
}

/// The greatest value of some splittings, looked up state by state: the slow, simple way.
struct ByState<'a> {
    discs: u32,
    shape: Shape,
    threshold: u32,
    splittings: &'a [(&'a Database, &'a Database)],
    /// Whether each splitting is also used with its parts exchanged.
    both_ways: bool,
}

impl<'a> ByState<'a> {
    fn new(
        discs: u32,
        small: u32,
        threshold: u32,
        splittings: &'a [(&'a Database, &'a Database)],
        both_ways: bool,
    ) -> ByState<'a> {
        ByState { discs, shape: Shape::new(small), threshold, splittings, both_ways }
    }

    fn value(&self, state: State) -> u32 {
        let one = |large: &Database, small: &Database| {
            let (high, low) = (state.above(self.discs - large.discs()), state.smallest(small.discs()));
            u32::from(large.value(high)) + u32::from(small.value(low))
        };
        let values = self.splittings.iter().map(|(big, rest)| {
            let other = if self.both_ways { one(rest, big) } else { 0 };
            one(big, rest).max(other)
        });
        values.max().unwrap_or(0)
    }
}

impl Pruner for ByState<'_> {
    fn admits(&self, _: State, depth: u32) -> bool {
        depth <= self.threshold
    }

    fn prune(&self, large: State, depth: u32, bits: &mut [Word256]) -> bool {
        let mut far = Vec::new();
        self.shape.for_each(bits, |state| {
            if depth + self.value(large.with_smaller(state, self.shape.small())) > self.threshold {
                far.push(state);
            }
        });
        for &state in &far {
            let (unit, word, bit) = self.shape.locate(state);
            bits[unit][word] &= !(1 << bit);
        }
        !far.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use search_core::Run;

    #[test]
    fn pruning_state_by_state_equals_pruning_block_by_block() {
        let big = Database::compressed(6, 2, Goals::Middle, &Run::new());
        let big = big.unwrap();
        let rest = Database::complete(4, Goals::Middle);
        let again = Database::complete(4, Goals::Middle);
        let two = TwoSplittings::new(10, 20, &big, again, &Run::new()).unwrap();
        let splittings = [(&big, &rest)];
        let slow = ByState::new(10, two.small(), 20, &splittings, true);
        for state in (0..1u64 << 20).step_by(97).map(State::from_code) {
            assert_eq!(slow.value(state), two.value(state));
        }
    }
}
