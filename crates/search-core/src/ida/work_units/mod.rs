//! Units: one iteration as work for many processes, on one machine or many.
//!
//! The idea: every process that splits the tree to the same number of subtrees numbers the same subtrees. So a unit is
//! only a range of these numbers. A process searches it and hands back an [`Outcome`], which is
//! plain data too; whoever has those of all units has the iteration.
//!
//! Invariant: the outcome of a unit depends on nothing but the [`Tree`], the [`Cut`] and the range: not
//! on the process, its threads or the other units. (Only of a unit that holds a solution the counts do, as those of the last
//! iteration do.) Outcomes can be added in any order and more than once.
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
//! | `tree` | cutting an iteration, and searching a unit of it |
//! | `gathered` | the outcomes of an iteration, put together |
//! | `plan` | a bound that is cut into units, as data |
//! | `state` | what comes between two bounds, as data |

mod gathered;
mod plan;
mod state;
#[cfg(test)]
mod testing;
mod tree;

pub use super::cut::{Cut, Outcome};
pub use gathered::{Gathered, Step};
pub use plan::{Choice, DistributedSearch, LastCut, Next, OtherPlan, Plan, Settings};
pub use state::{Advance, Names, SearchState, SplitPolicy};
pub use tree::{AnyTree, Subtrees, Tree, UnitError};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::automaton::Automaton;
    use crate::domain::Op;
    use crate::ida::branch_depths::BranchDepths;
    use crate::ida::testing::{NOTHING, Nothing, Strings, digits, no_repetition, ops};
    use crate::ida::{Config, RootMoves, search};
    use crate::record::{Ending, Iteration};
    use crate::run::Run;

    static START: Vec<Op> = Vec::new();

    fn tree<'a>(domain: &'a Strings, rules: &'a Automaton) -> Tree<'a, Strings, Nothing> {
        let (heuristic, root_moves) = (&NOTHING, RootMoves::none());
        Tree { domain, heuristic, automaton: rules, start: &START, root_moves }
    }

    fn outcomes(tree: &Tree<'_, Strings, Nothing>, cut: &Cut, units: usize, run: &Run<'_>) -> Vec<Outcome> {
        let shares = cut.shares(units);
        assert_eq!(shares.iter().map(ExactSizeIterator::len).sum::<usize>(), cut.subtrees);
        let subtrees = tree.subtrees(cut).unwrap();
        shares.into_iter().map(|share| tree.search(cut, &subtrees, share, run).unwrap()).collect()
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
                let (mut bound, mut reach, mut iterations) =
                    (3, BranchDepths::default(), whole.iterations.iter());
                let solution = loop {
                    let cut = tree.cut(bound, enough, &reach, &run).0;
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
                    reach = gathered.reach();
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
        let cut = tree.cut(8, 20, &BranchDepths::default(), &run).0;
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
        let cut = tree.cut(8, 20, &BranchDepths::default(), &run).0;
        assert_eq!(cut.subtrees, 48);
        let subtrees = tree.subtrees(&cut).unwrap();
        let expected = tree.expected(&subtrees, &[0..12, 12..24, 24..48, 40..60], 2.0, &run).unwrap();
        // Three moves are left below each subtree.
        assert_eq!(expected, [12.0, 12.0, 24.0, 0.0].map(|subtrees| subtrees * 8.0));
    }

    #[test]
    fn where_the_deepest_branches_come_first_the_first_units_are_small() {
        let (rules, run) = (no_repetition(), Run::new());
        let domain = Strings(["21212121"].map(ops).to_vec());
        let tree = tree(&domain, &rules);
        let cut = tree.cut(6, 20, &BranchDepths::default(), &run).0;
        let mut gathered = Gathered::new(cut.clone());
        assert!(outcomes(&tree, &cut, 3, &run).into_iter().all(|outcome| gathered.add(outcome)));
        let next = tree.cut(7, 20, &gathered.reach(), &run).0;
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
            tree.cut(7, 20, &BranchDepths::default(), &run).0,
            tree.cut(8, 20, &BranchDepths::default(), &run).0,
        );
        let (subtrees, others) = (tree.subtrees(&cut).unwrap(), tree.subtrees(&next).unwrap());
        let mut gathered = Gathered::new(cut.clone());
        assert!(!gathered.add(tree.search(&next, &others, 0..1, &run).unwrap()), "another bound");
        assert!(gathered.add(tree.search(&cut, &subtrees, 2..5, &run).unwrap()));
        for overlapping in [0..3, 4..6, 3..4, 0..24] {
            assert!(!gathered.add(tree.search(&cut, &subtrees, overlapping, &run).unwrap()));
        }
        assert!(gathered.add(tree.search(&cut, &subtrees, 5..24, &run).unwrap()));
        let beyond = tree.search(&cut, &subtrees, 20..25, &run);
        assert_eq!(beyond.unwrap_err(), UnitError::Range(24));
        let free = Automaton::unrestricted(3);
        let other = Tree { automaton: &free, ..tree };
        assert_eq!(other.subtrees(&cut).err().unwrap(), UnitError::Other { expected: 24, found: 81 });
    }
}
