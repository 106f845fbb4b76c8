//! Units: one iteration as work for many processes, on one machine or many.
//!
//! The idea: every process that splits the tree to the same number of subtrees numbers the same subtrees. So a unit is
//! only a range of these numbers. A process searches it and hands back an [`Outcome`], which is
//! plain data too; whoever has those of all units has the iteration.
//!
//! Invariant: the outcome of a unit depends on nothing but the [`Tree`](super::Tree), the [`Cut`] and the range: not
//! on the process, its threads or the other units. (The counts of a unit that holds a solution do depend on them, as those
//! of the last iteration.) Outcomes can be added in any order and more than once.
//!
//! Why no shortest solution is lost: an iteration without a solution is over only when the ranges cover all
//! subtrees. A solution counts only when all units before its own are there, so it is the one that a
//! single process finds, and the counts of complete iterations are those of a single process: the branches are in the same
//! order ([`Order::Deepest`](super::Order::Deepest)), which the cut has as data.
//!
//! Cost: each process splits the tree anew, which expands as many nodes as there are subtrees, about.
//!
//! | file | contents |
//! | --- | --- |
//! | `plan` | a bound that is cut into units, as data |
//! | `gathered` | the outcomes of an iteration, put together |
//! | `advance` | from the state of a search to its next plan |

mod advance;
mod gathered;
mod plan;
#[cfg(test)]
mod testing;

pub use super::cut::{Cut, Outcome};
pub use super::distributed::{DistributedSearch, Settings};
pub use super::tree::{Subtrees, UnitError};
pub use advance::{Advance, ChooseSplit, Names, SplitPolicy};
pub use gathered::{Gathered, Step};
pub use plan::{LastCut, Next, OtherPlan, Plan};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::automaton::Automaton;
    use crate::domain::Op;
    use crate::ida::branch_depths::BranchDepths;
    use crate::ida::testing::{NOTHING, Nothing, Strings, digits, no_repetition, ops};
    use crate::ida::tree::Manner;
    use crate::ida::{AnyTree, Config, RootMoves, Tree, search};
    use crate::record::{Ending, Iteration};
    use crate::run::Run;
    use std::ops::Range;

    static START: Vec<Op> = Vec::new();

    fn tree<'a>(domain: &'a Strings, rules: &'a Automaton) -> Tree<'a, Strings, Nothing> {
        let (heuristic, root_moves) = (&NOTHING, RootMoves::none());
        Tree { domain, heuristic, automaton: rules, start: &START, root_moves }
    }

    fn outcomes(tree: &Tree<'_, Strings, Nothing>, cut: &Cut, units: usize, run: &Run<'_>) -> Vec<Outcome> {
        let shares = cut.shares(units);
        assert_eq!(shares.iter().map(ExactSizeIterator::len).sum::<usize>(), cut.subtrees);
        let subtrees = tree.cut_again(cut, Manner::default()).unwrap();
        shares.into_iter().map(|share| unit(tree, cut, &subtrees, share, run).unwrap()).collect()
    }

    fn unit(
        tree: &Tree<'_, Strings, Nothing>,
        cut: &Cut,
        subtrees: &Subtrees,
        share: Range<usize>,
        run: &Run<'_>,
    ) -> Result<Outcome, UnitError> {
        let part = (share.clone(), None);
        let outcome = tree.search(cut.bound, subtrees, part, Manner::default(), &|_| (), run)?;
        Ok(outcome.with_items(share))
    }

    fn cut_for(
        tree: &Tree<'_, Strings, Nothing>,
        bound: u32,
        enough: usize,
        depths: &BranchDepths,
        run: &Run<'_>,
    ) -> Cut {
        tree.cut(bound, enough, Some(depths), Manner::default(), run).0
    }

    /// How deep a complete iteration entered its branches.
    fn depths(gathered: &Gathered) -> BranchDepths {
        BranchDepths::merged([gathered.outcome().depths].iter(), gathered.iteration().generated)
    }

    /// Bound after bound: whatever the number of subtrees, units and threads and the order in which outcomes arrive,
    /// some of them twice, the iterations and the solution are those of one search.
    #[test]
    fn units_are_the_whole_search() {
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
                    let cut = cut_for(&tree, bound, enough, &entered, &run);
                    let mut all = outcomes(&tree, &cut, units, &run);
                    let middle = all.len() / 2;
                    all.rotate_left(middle);
                    all.push(all[0].clone());
                    let mut gathered = Gathered::new(cut);
                    assert!(all.into_iter().all(|outcome| gathered.add(outcome)));
                    let expected = iterations.next().unwrap();
                    match gathered.step().unwrap() {
                        Step::Solved(path) => break path,
                        Step::Longer(excess) => bound += excess.unwrap(),
                    }
                    entered = depths(&gathered);
                    let seconds = expected.seconds;
                    assert_eq!(Iteration { seconds, ..gathered.iteration() }, *expected);
                };
                assert_eq!(digits(&solution), digits(&solutions[0]));
            }
        }
    }

    #[test]
    fn an_iteration_is_over_only_when_nothing_is_missing() {
        let (rules, run) = (no_repetition(), Run::new());
        let domain = Strings(["21212121"].map(ops).to_vec());
        let tree = tree(&domain, &rules);
        let cut = cut_for(&tree, 8, 20, &BranchDepths::default(), &run);
        let all = outcomes(&tree, &cut, 6, &run);
        for missing in 0..6 {
            let mut gathered = Gathered::new(cut.clone());
            let there = all.iter().enumerate().filter(|&(unit, _)| unit != missing);
            assert!(there.map(|(_, outcome)| outcome.clone()).all(|outcome| gathered.add(outcome)));
            // The last unit holds the solution.
            assert_eq!(gathered.step(), None, "without unit {missing}");
            assert!(!gathered.iteration().complete);
            assert!(gathered.add(all[missing].clone()));
            assert_eq!(gathered.step(), Some(Step::Solved(ops("21212121"))));
        }
    }

    #[test]
    fn without_a_heuristic_equal_shares_are_expected_to_take_as_long() {
        let (rules, run) = (no_repetition(), Run::new());
        let domain = Strings(Vec::new());
        let tree = tree(&domain, &rules);
        let cut = cut_for(&tree, 8, 20, &BranchDepths::default(), &run);
        assert_eq!(cut.subtrees, 48);
        let subtrees = tree.cut_again(&cut, Manner::default()).unwrap();
        let expected = tree.expected(&subtrees, &[0..12, 12..24, 24..48, 40..60], 2.0, &run).unwrap();
        // Three moves are left below each subtree.
        assert_eq!(expected, [12.0, 12.0, 24.0, 0.0].map(|subtrees| subtrees * 8.0));
    }

    #[test]
    fn where_the_deepest_branches_come_first_the_first_units_are_small() {
        let (rules, run) = (no_repetition(), Run::new());
        let domain = Strings(["21212121"].map(ops).to_vec());
        let tree = tree(&domain, &rules);
        let cut = cut_for(&tree, 6, 20, &BranchDepths::default(), &run);
        let mut gathered = Gathered::new(cut.clone());
        assert!(outcomes(&tree, &cut, 3, &run).into_iter().all(|outcome| gathered.add(outcome)));
        let next = cut_for(&tree, 7, 20, &depths(&gathered), &run);
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
    fn what_belongs_to_another_search_is_refused() {
        let (rules, run) = (no_repetition(), Run::new());
        let domain = Strings(Vec::new());
        let tree = tree(&domain, &rules);
        let (cut, next) = (
            cut_for(&tree, 7, 20, &BranchDepths::default(), &run),
            cut_for(&tree, 8, 20, &BranchDepths::default(), &run),
        );
        let (subtrees, others) = (
            tree.cut_again(&cut, Manner::default()).unwrap(),
            tree.cut_again(&next, Manner::default()).unwrap(),
        );
        let mut gathered = Gathered::new(cut.clone());
        assert!(!gathered.add(unit(&tree, &next, &others, 0..1, &run).unwrap()), "another bound");
        assert!(gathered.add(unit(&tree, &cut, &subtrees, 2..5, &run).unwrap()));
        for overlapping in [0..3, 4..6, 3..4, 0..24] {
            assert!(!gathered.add(unit(&tree, &cut, &subtrees, overlapping, &run).unwrap()));
        }
        assert!(gathered.add(unit(&tree, &cut, &subtrees, 5..24, &run).unwrap()));
        let beyond = unit(&tree, &cut, &subtrees, 20..25, &run);
        assert_eq!(beyond.unwrap_err(), UnitError::Range(24));
        let free = Automaton::unrestricted(3);
        let other = Tree { automaton: &free, ..tree };
        assert_eq!(
            other.cut_again(&cut, Manner::default()).err().unwrap(),
            UnitError::Other { expected: 24, found: 81 }
        );
    }
}
