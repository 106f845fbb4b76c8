//! Splitting the first levels of a tree into subtrees for the threads.
//!
//! The idea: the tree is expanded level by level, in the order of the search, until it has many
//! more subtrees than there are threads; each thread takes the next subtree that no thread has taken.
//!
//! Invariant: the subtrees are numbered in the order in which a single thread would search them, and a complete
//! iteration visits the same nodes on any number of threads. Unless any solution will do, a solution stops only later
//! subtrees; earlier ones are finished, so the first solution is the same for every number of threads.

use super::counts::Counts;
use super::expander::Expander;
#[cfg(doc)]
use super::root_moves::RootMoves;
use super::subtree::{Subtree, SubtreeOf};
use super::subtree_result::SubtreeResult;
use super::{depth_first, interleaved, own};
use crate::clock::Instant;
use crate::domain::Domain;
use crate::heuristic::{Heuristic, Kernel};
use crate::simd::{ForTarget, Target};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The number of subtrees per thread; large, since the sizes of subtrees differ widely.
const SUBTREES_PER_THREAD: usize = 512;
/// A subtree with this many moves left or fewer is not split.
const SMALLEST: u32 = 3;

/// The number of first subtrees that are split further, and the approximate number of subtrees that they become.
const FRONT: usize = 64;
const FINER: usize = 16;

impl<D: Domain, H: Heuristic<D>> ForTarget for Expander<'_, D, H> {
    const TARGET: Target = D::TARGET;
}

/// The number of subtrees at which splitting stops for this number of threads.
pub(super) fn enough(threads: usize) -> usize {
    threads * SUBTREES_PER_THREAD
}

/// Searches subtrees on all threads. After the time `until`, or when the search [pauses](super::stop::Stop::pauses), it
/// begins no further subtree, except for the first one.
/// `update` is called with the number of subtrees begun. Also returns the number of the first subtree not begun: unless
/// the search was cancelled or stopped by a solution, all earlier ones are finished.
pub(super) fn search_subtrees<D: Domain, H: Heuristic<D>>(
    expander: &Expander<'_, D, H>,
    subtrees: &[SubtreeOf<D, H>],
    until: Option<Instant>,
    update: &(dyn Fn(usize) + Sync),
) -> (SubtreeResult, usize) {
    let next = AtomicUsize::new(0);
    let next_subtree = || {
        let is_time = expander.stop.pauses() || until.is_some_and(|until| Instant::now() >= until);
        if is_time && next.load(Ordering::Relaxed) > 0 {
            return None;
        }
        expander.stop.check_incumbent();
        let number = next.fetch_add(1, Ordering::Relaxed);
        update(number.min(subtrees.len()));
        let subtree = subtrees.get(number)?;
        (!expander.stop.skips(number) && !expander.run.is_cancelled()).then_some((number, subtree))
    };
    let parts = expander.run.each(|| {
        Expander::<D, H>::run(
            #[inline(always)]
            || {
                let mut result = SubtreeResult::default();
                match expander.kernel {
                    Kernel::DepthFirst => depth_first::run(expander, next_subtree, &mut result),
                    Kernel::Own { lanes } if own::run(expander, lanes, next_subtree, &mut result) => {}
                    Kernel::Own { lanes } | Kernel::Interleaved { lanes } => {
                        interleaved::run(expander, lanes, next_subtree, &mut result)
                    }
                }
                result
            },
        )
    });
    let mut result = SubtreeResult::default();
    parts.into_iter().for_each(|part| result.add(part));
    (result, next.into_inner().min(subtrees.len()))
}

/// Splits subtrees level by level, in order, until there are at least `enough` and none has [root moves](RootMoves), or
/// until all are too small to split.
///
/// A node without children stays a subtree but does not count towards `enough`. So the search of the subtrees records
/// the depth of every branch, however finely the tree is split.
pub(super) fn split<D: Domain, H: Heuristic<D>>(
    expander: &Expander<'_, D, H>,
    mut subtrees: Vec<SubtreeOf<D, H>>,
    enough: usize,
    counts: &mut Counts,
) -> Vec<SubtreeOf<D, H>> {
    let mut scratch = H::Scratch::default();
    loop {
        let few = subtrees.iter().filter(|subtree| !subtree.is_leaf).count() < enough;
        let is_split = |subtree: &SubtreeOf<D, H>| {
            !subtree.is_leaf
                && subtree.remaining > SMALLEST
                && (few || expander.root_moves.at(&subtree.path).is_some())
        };
        if !subtrees.iter().any(is_split) {
            return subtrees;
        }
        let mut level = Vec::with_capacity(subtrees.len() * 4);
        for subtree in subtrees {
            if !is_split(&subtree) {
                level.push(subtree);
            } else if let Some(children) = children(expander, &subtree, &mut scratch, counts) {
                level.extend(children);
            } else {
                level.push(Subtree { is_leaf: true, ..subtree });
            }
        }
        subtrees = level;
    }
}

/// Splits the first subtrees further if the deepest branches come first: these are by far the largest and mostly
/// contain the solution. Otherwise most threads would wait for the one that searches the subtree with the solution.
pub(super) fn refine<D: Domain, H: Heuristic<D>>(
    expander: &Expander<'_, D, H>,
    mut subtrees: Vec<SubtreeOf<D, H>>,
    counts: &mut Counts,
) -> Vec<SubtreeOf<D, H>> {
    if subtrees.len() < FRONT * FINER {
        return subtrees;
    }
    let rest = subtrees.split_off(FRONT);
    let mut subtrees = split(expander, subtrees, FRONT * FINER, counts);
    subtrees.extend(rest);
    subtrees
}

/// The subtrees below those children of `subtree` that the heuristic does not prune. `None` if all are pruned: then the
/// root is counted not here but by the search of the subtree. That search ignores root moves, so a root that has them
/// is always counted here.
///
/// It is not inlined, so that the heuristic is compiled once for all splitting.
#[inline(never)]
fn children<D: Domain, H: Heuristic<D>>(
    expander: &Expander<'_, D, H>,
    subtree: &SubtreeOf<D, H>,
    scratch: &mut H::Scratch,
    counts: &mut Counts,
) -> Option<Vec<SubtreeOf<D, H>>> {
    let (moves, mut own) = (expander.root_moves.at(&subtree.path), Counts::default());
    let batch = expander.expand(&subtree.node, moves, subtree.remaining, &mut own);
    let mut children = Vec::new();
    for op in expander.sieve(&subtree.node, batch, scratch, &mut own) {
        let node = expander.child(&subtree.node, op, scratch);
        if !expander.passes_goal(&node.state) {
            let path = subtree.path.iter().copied().chain([op]).collect();
            children.push(Subtree::new(node, path, subtree.remaining - 1));
        }
    }
    if children.is_empty() && moves.is_none() {
        return None;
    }
    counts.add(&own);
    Some(children)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ida::Incumbent;
    use crate::ida::stop::{Leave, Stop};
    use crate::ida::testing::{Nothing, Strings, digits, expander, no_repetition, ops, strings, subtree};
    use crate::run::Run;

    /// The last one is that of a heuristic that has none.
    const KERNELS: [Kernel; 4] = [
        Kernel::DepthFirst,
        Kernel::Interleaved { lanes: 1 },
        Kernel::Interleaved { lanes: 7 },
        Kernel::Own { lanes: 3 },
    ];

    #[test]
    fn subtrees_cover_the_tree_in_order() {
        let (domain, rules, run) = (Strings(Vec::new()), no_repetition(), Run::new());
        let expander = expander(&domain, &rules, &run);
        for enough in [1, 2, 10, 50, 10_000] {
            let mut counts = Counts::default();
            let subtrees = split(&expander, vec![subtree(&rules, "", 8)], enough, &mut counts);
            let depth = 8 - subtrees[0].remaining;
            let paths: Vec<String> = subtrees.iter().map(|subtree| digits(&subtree.path)).collect();
            assert_eq!(paths, strings(&rules, depth));
            assert!(
                subtrees
                    .iter()
                    .all(|subtree| subtree.node.state == subtree.path && subtree.remaining == 8 - depth)
            );
            assert!(paths.len() >= enough || depth == 8 - SMALLEST, "{enough}: {}", paths.len());
            let inner = (0..depth).map(|depth| strings(&rules, depth).len()).sum::<usize>() as u64;
            assert_eq!((counts.expanded, counts.generated), (inner, inner + paths.len() as u64 - 1));
        }
    }

    #[test]
    fn the_first_subtrees_are_split_further_in_place() {
        let (domain, rules, run) = (Strings(Vec::new()), no_repetition(), Run::new());
        let expander = expander(&domain, &rules, &run);
        let paths = |subtrees: &[SubtreeOf<Strings, Nothing>]| -> Vec<String> {
            subtrees.iter().map(|subtree| digits(&subtree.path)).collect()
        };
        let mut counts = Counts::default();
        let few = split(&expander, vec![subtree(&rules, "", 24)], 100, &mut counts);
        let before = paths(&few);
        assert_eq!(paths(&refine(&expander, few, &mut counts)), before);
        let many = split(&expander, vec![subtree(&rules, "", 24)], FRONT * FINER, &mut counts);
        let before = paths(&many);
        counts = Counts::default();
        let after = paths(&refine(&expander, many, &mut counts));
        // Two operators are allowed after each string, so four levels split one subtree into 16.
        let split_once = FRONT * (FINER - 1);
        assert_eq!((after.len(), counts.expanded), (before.len() + split_once, split_once as u64));
        assert_eq!(after[FRONT * FINER..], before[FRONT..]);
        for (at, path) in after[..FRONT * FINER].iter().enumerate() {
            let above = &before[at / FINER];
            assert!(path.starts_with(above) && path.len() == above.len() + 4, "{at}");
        }
        assert!(after.is_sorted());
    }

    /// Searches the tree of strings of eight operators.
    fn search(expander: &Expander<'_, Strings, Nothing>) -> (SubtreeResult, usize) {
        let mut all = SubtreeResult::default();
        let subtrees = split(expander, vec![subtree(expander.automaton, "", 8)], 20, &mut all.counts);
        all.add(search_subtrees(expander, &subtrees, None, &|_| ()).0);
        (all, subtrees.len())
    }

    /// Every kernel and number of threads finds the solution of the earliest subtree. If each subtree is completed,
    /// they find all solutions, in order, with the same counts.
    #[test]
    fn the_earliest_solution_wins() {
        let rules = no_repetition();
        let goals = ["01020102", "12121212", "21012101"];
        let domain = Strings(goals.map(ops).to_vec());
        for (kernel, threads) in KERNELS.into_iter().flat_map(|kernel| [1, 2, 3].map(|n| (kernel, n))) {
            let run = Run::new().with_threads(threads);
            let first = Expander { kernel, ..expander(&domain, &rules, &run) };
            let (result, _) = search(&first);
            assert_eq!(digits(&result.found[0].path), goals[0]);
            let all = Expander { kernel, stop: Stop::new(Leave::Never), ..expander(&domain, &rules, &run) };
            let (result, _) = search(&all);
            assert_eq!(result.found.iter().map(|found| digits(&found.path)).collect::<Vec<_>>(), goals);
            assert_eq!((result.counts.expanded, result.counts.generated), (382, 765));
        }
    }

    /// If any solution will do, each kernel and number of threads finds one, and an incumbent stops the search.
    #[test]
    fn any_solution_ends_the_search() {
        let rules = no_repetition();
        let goals = ["01020102", "12121212", "21012101"];
        let domain = Strings(goals.map(ops).to_vec());
        for (kernel, threads) in KERNELS.into_iter().flat_map(|kernel| [1, 2, 3].map(|n| (kernel, n))) {
            let run = Run::new().with_threads(threads);
            let any = |leave| Expander { kernel, stop: Stop::new(leave), ..expander(&domain, &rules, &run) };
            let (result, _) = search(&any(Leave::Any(None)));
            assert!(goals.contains(&&*digits(&result.found[0].path)));
            let incumbent = Incumbent::new();
            incumbent.offer(&ops(goals[2]));
            let (result, _) = search(&any(Leave::Any(Some((incumbent.clone(), 7)))));
            assert!(!result.found.is_empty(), "the incumbent is too long to end the search");
            let (result, subtrees) = search(&any(Leave::Any(Some((incumbent, 8)))));
            assert!(result.found.is_empty() && subtrees > 0);
        }
    }

    /// Pauses, kernel and number of threads change neither counts nor solutions.
    #[test]
    fn searching_in_parts_gives_the_whole_result() {
        let rules = no_repetition();
        let domain = Strings(["01020102", "12121212", "21012101"].map(ops).to_vec());
        for (kernel, threads) in KERNELS.into_iter().flat_map(|kernel| [1, 3].map(|n| (kernel, n))) {
            let run = Run::new().with_threads(threads);
            let expander =
                Expander { kernel, stop: Stop::new(Leave::Never), ..expander(&domain, &rules, &run) };
            let (whole, _) = search(&expander);
            let mut parts = SubtreeResult::default();
            let subtrees = split(&expander, vec![subtree(&rules, "", 8)], 20, &mut parts.counts);
            let mut done = 0;
            while done < subtrees.len() {
                // The time limit is reached after two more subtrees have begun.
                let end = (done + 2).min(subtrees.len());
                let (mut part, begun) = search_subtrees(&expander, &subtrees[done..end], None, &|_| ());
                assert_eq!(begun, end - done);
                part.found.iter_mut().for_each(|found| found.subtree += done);
                parts.add(part);
                done = end;
            }
            assert_eq!(parts.counts, whole.counts);
            let paths = |result: &SubtreeResult| -> Vec<_> {
                result.found.iter().map(|found| (found.subtree, found.path.clone())).collect()
            };
            assert_eq!(paths(&parts), paths(&whole));
            let (_, begun) = search_subtrees(&expander, &subtrees, Some(Instant::now()), &|_| ());
            assert!((1..=threads).contains(&begun), "each thread searches at most one");
        }
    }
}
