//! Units: one iteration as work for many processes, on one machine or many.
//!
//! The idea: every process that splits the tree to the same number of subtrees numbers the same subtrees. So a unit is
//! only a range of these numbers. A process searches it and returns an [`Outcome`], which is also plain data. The
//! outcomes of all units make up the iteration.
//!
//! Invariant: the outcome of a unit depends only on the [`Tree`](super::Tree), the [`Partition`] and the range, not on
//! the process, its threads or the other units. (The counts of a unit with a solution do depend on them, like those of
//! a last iteration.) Outcomes can be added in any order and more than once.
//!
//! Why no shortest solution is lost: an iteration without a solution is over only when the ranges cover all subtrees. A
//! solution of any unit ends it: it has the length of the bound, so it is shortest. In the order of the operators it counts
//! only when the outcomes of all earlier units are present, so it is the one that a single process finds. The counts of
//! complete iterations are also those of a single process, since the partition contains the order of the branches
//! ([`Order::Deepest`](super::Order::Deepest)).
//!
//! Cost: each process splits the tree again, which expands about as many nodes as there are subtrees.
//!
//! | file | contents |
//! | --- | --- |
//! | `plan` | a bound divided into units, as data |
//! | `outcomes` | collecting the outcomes of an iteration |
//! | `advance` | advancing a search from its state to the next plan |

mod advance;
mod outcomes;
mod plan;
#[cfg(test)]
mod testing;

pub use super::distributed::{DistributedSearch, Settings};
pub use super::driver::{ChooseSplit, SplitPolicy};
pub use super::partition::{Outcome, Partition};
pub use super::tree::{Subtrees, UnitError};
pub use advance::Advance;
pub use outcomes::{Outcomes, Step};
pub use plan::{LastPartition, Names, Next, Plan, PlanMismatch};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::automaton::Automaton;
    use crate::domain::Op;
    use crate::ida::branch_depths::BranchDepths;
    use crate::ida::testing::{NOTHING, Nothing, Strings, digits, no_repetition, ops};
    use crate::ida::tree::SearchMode;
    use crate::ida::{AnyTree, Config, RootMoves, Tree, search};
    use crate::record::{Ending, Iteration};
    use crate::run::Run;
    use std::ops::Range;

    static START: Vec<Op> = Vec::new();

    fn tree<'a>(domain: &'a Strings, rules: &'a Automaton) -> Tree<'a, Strings, Nothing> {
        let (heuristic, root_moves) = (&NOTHING, RootMoves::none());
        Tree { domain, heuristic, automaton: rules, start: &START, root_moves }
    }

    fn all_outcomes(
        tree: &Tree<'_, Strings, Nothing>,
        partition: &Partition,
        units: usize,
        run: &Run<'_>,
    ) -> Vec<Outcome> {
        let shares = partition.shares(units);
        assert_eq!(shares.iter().map(ExactSizeIterator::len).sum::<usize>(), partition.subtrees);
        let subtrees = tree.partition_again(partition, SearchMode::default()).unwrap();
        shares.into_iter().map(|share| unit(tree, partition, &subtrees, share, run).unwrap()).collect()
    }

    fn unit(
        tree: &Tree<'_, Strings, Nothing>,
        partition: &Partition,
        subtrees: &Subtrees,
        share: Range<usize>,
        run: &Run<'_>,
    ) -> Result<Outcome, UnitError> {
        let part = (share.clone(), None);
        let outcome = tree.search(partition.bound, subtrees, part, SearchMode::default(), &|_| (), run)?;
        Ok(outcome.with_items(share))
    }

    fn partition_for(
        tree: &Tree<'_, Strings, Nothing>,
        bound: u32,
        enough: usize,
        depths: &BranchDepths,
        run: &Run<'_>,
    ) -> Partition {
        tree.partition(bound, enough, Some(depths), SearchMode::default(), run).0
    }

    /// The depths that a complete iteration reached in its branches.
    fn depths(outcomes: &Outcomes) -> BranchDepths {
        BranchDepths::merged([outcomes.outcome().depths].iter(), outcomes.iteration().generated)
    }

    /// Iterations and solution are those of one search, whatever the number of subtrees, units and threads and the
    /// order in which outcomes arrive, some of them twice.
    #[test]
    fn units_give_the_result_of_one_search() {
        let rules = no_repetition();
        for goals in [&["0102010"][..], &["2121212", "0120120", "1010101"]] {
            let domain = Strings(goals.iter().map(|goal| ops(goal)).collect());
            let tree = tree(&domain, &rules);
            let config = Config::default().min_bound(3);
            let whole = search(&domain, &NOTHING, &rules, &START, &config, &Run::new());
            let Ending::Optimal { solutions, .. } = &whole.ending else { panic!("solved") };
            for (enough, units, threads) in [(1, 1, 1), (5, 2, 3), (20, 7, 2), (1000, 1000, 1)] {
                let run = Run::new().with_threads(threads);
                let (mut bound, mut entered, mut iterations) =
                    (3, BranchDepths::default(), whole.iterations.iter());
                let solution = loop {
                    let partition = partition_for(&tree, bound, enough, &entered, &run);
                    let mut all = all_outcomes(&tree, &partition, units, &run);
                    let middle = all.len() / 2;
                    all.rotate_left(middle);
                    all.push(all[0].clone());
                    let mut outcomes = Outcomes::new(partition);
                    assert!(all.into_iter().all(|outcome| outcomes.add(outcome)));
                    let expected = iterations.next().unwrap();
                    match outcomes.step().unwrap() {
                        Step::Solved(path) => break path,
                        Step::Longer(excess) => bound += excess.unwrap(),
                    }
                    entered = depths(&outcomes);
                    let seconds = expected.seconds;
                    assert_eq!(Iteration { seconds, ..outcomes.iteration() }, *expected);
                };
                assert_eq!(digits(&solution), digits(&solutions[0]));
            }
        }
    }

    #[test]
    fn an_iteration_ends_only_when_no_outcome_is_missing() {
        let (rules, run) = (no_repetition(), Run::new());
        let domain = Strings(["21212121"].map(ops).to_vec());
        let tree = tree(&domain, &rules);
        let partition = partition_for(&tree, 8, 20, &BranchDepths::default(), &run);
        let all = all_outcomes(&tree, &partition, 6, &run);
        for missing in 0..6 {
            let mut outcomes = Outcomes::new(partition.clone());
            let there = all.iter().enumerate().filter(|&(unit, _)| unit != missing);
            assert!(there.map(|(_, outcome)| outcome.clone()).all(|outcome| outcomes.add(outcome)));
            // The solution is in the last unit.
            assert_eq!(outcomes.step(), None, "without unit {missing}");
            assert!(!outcomes.iteration().complete);
            assert!(outcomes.add(all[missing].clone()));
            assert_eq!(outcomes.step(), Some(Step::Solved(ops("21212121"))));
        }
    }

    #[test]
    fn units_of_equal_size_have_equal_expected_cost_without_a_heuristic() {
        let (rules, run) = (no_repetition(), Run::new());
        let domain = Strings(Vec::new());
        let tree = tree(&domain, &rules);
        let partition = partition_for(&tree, 8, 20, &BranchDepths::default(), &run);
        assert_eq!(partition.subtrees, 48);
        let subtrees = tree.partition_again(&partition, SearchMode::default()).unwrap();
        let expected = tree.expected(&subtrees, &[0..12, 12..24, 24..48, 40..60], 2.0, &run).unwrap();
        // Three moves are left below each subtree.
        assert_eq!(expected, [12.0, 12.0, 24.0, 0.0].map(|subtrees| subtrees * 8.0));
    }

    #[test]
    fn the_first_units_are_small_if_the_deepest_branches_come_first() {
        let (rules, run) = (no_repetition(), Run::new());
        let domain = Strings(["21212121"].map(ops).to_vec());
        let tree = tree(&domain, &rules);
        let partition = partition_for(&tree, 6, 20, &BranchDepths::default(), &run);
        let mut outcomes = Outcomes::new(partition.clone());
        assert!(all_outcomes(&tree, &partition, 3, &run).into_iter().all(|outcome| outcomes.add(outcome)));
        let next = partition_for(&tree, 7, 20, &depths(&outcomes), &run);
        for units in [1, 2, 5, 24, 1000] {
            let shares = next.shares(units);
            assert_eq!((shares[0].start, shares[shares.len() - 1].end), (0, next.subtrees));
            assert!(shares.windows(2).all(|pair| pair[0].end == pair[1].start));
            assert!(shares.iter().all(|share| !share.is_empty()));
            assert!(shares.windows(2).all(|pair| pair[0].len() <= pair[1].len() + 1));
        }
        assert!(next.shares(5)[0].len() < next.subtrees / 10, "{:?}", next.shares(5));
    }

    #[test]
    fn outcomes_and_ranges_of_another_search_are_refused() {
        let (rules, run) = (no_repetition(), Run::new());
        let domain = Strings(Vec::new());
        let tree = tree(&domain, &rules);
        let (partition, next) = (
            partition_for(&tree, 7, 20, &BranchDepths::default(), &run),
            partition_for(&tree, 8, 20, &BranchDepths::default(), &run),
        );
        let (subtrees, others) = (
            tree.partition_again(&partition, SearchMode::default()).unwrap(),
            tree.partition_again(&next, SearchMode::default()).unwrap(),
        );
        let mut outcomes = Outcomes::new(partition.clone());
        assert!(!outcomes.add(unit(&tree, &next, &others, 0..1, &run).unwrap()), "another bound");
        assert!(outcomes.add(unit(&tree, &partition, &subtrees, 2..5, &run).unwrap()));
        for overlapping in [0..3, 4..6, 3..4, 0..24] {
            assert!(!outcomes.add(unit(&tree, &partition, &subtrees, overlapping, &run).unwrap()));
        }
        assert!(outcomes.add(unit(&tree, &partition, &subtrees, 5..24, &run).unwrap()));
        let beyond = unit(&tree, &partition, &subtrees, 20..25, &run);
        assert_eq!(beyond.unwrap_err(), UnitError::Range(24));
        let free = Automaton::unrestricted(3);
        let other = Tree { automaton: &free, ..tree };
        assert_eq!(
            other.partition_again(&partition, SearchMode::default()).err().unwrap(),
            UnitError::Other { expected: 24, found: 81 }
        );
    }
}
