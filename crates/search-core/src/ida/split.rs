//! The tree's first levels, cut into subtrees for the threads.
//!
//! The idea: the tree is expanded level by level, in the order of the search, until it has many
//! more subtrees than there are threads; each thread takes the next subtree that no thread has taken.
//!
//! Invariant: the subtrees are numbered in the order in which one thread alone would search them.
//! A subtree that holds a solution stops only later ones, and earlier ones are finished, so the
//! solution of the earliest subtree is the same for every number of threads, and a complete
//! iteration visits the same nodes.

use super::counts::Counts;
use super::pass::Pass;
#[cfg(doc)]
use super::root_moves::RootMoves;
use super::subtree::{Subtree, SubtreeOf};
use super::subtree_result::SubtreeResult;
use super::{depth_first, interleaved};
use crate::clock::Instant;
use crate::domain::Domain;
use crate::heuristic::{Heuristic, Kernel};
use crate::simd::{ForTarget, Target};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The number of subtrees per thread at which splitting stops: many, since their sizes differ widely.
const SUBTREES_PER_THREAD: usize = 512;
/// Moves left at which a subtree is too small to be worth splitting.
const SMALLEST: u32 = 3;

/// The number of the first subtrees that are cut more finely, and about how finely.
const FRONT: usize = 64;
const FINER: usize = 16;

impl<D: Domain, H: Heuristic<D>> ForTarget for Pass<'_, D, H> {
    const TARGET: Target = D::TARGET;
}

/// The number of subtrees at which splitting stops, for so many threads.
pub(super) fn enough(threads: usize) -> usize {
    threads * SUBTREES_PER_THREAD
}

/// Searches subtrees on all threads, and begins none after `until` but the first; `update` is called with the number of
/// subtrees begun. Also returns the number of the first that was not begun: if the search was not cancelled and no
/// solution stopped it, all before it are finished.
pub(super) fn search_subtrees<D: Domain, H: Heuristic<D>>(
    pass: &Pass<'_, D, H>,
    subtrees: &[SubtreeOf<D, H>],
    until: Option<Instant>,
    update: &(dyn Fn(usize) + Sync),
) -> (SubtreeResult, usize) {
    let next = AtomicUsize::new(0);
    let next_subtree = || {
        if until.is_some_and(|until| Instant::now() >= until && next.load(Ordering::Relaxed) > 0) {
            return None;
        }
        let number = next.fetch_add(1, Ordering::Relaxed);
        update(number.min(subtrees.len()));
        let subtree = subtrees.get(number)?;
        (!pass.stop.skips(number) && !pass.run.is_cancelled()).then_some((number, subtree))
    };
    let parts = pass.run.each(|| {
        Pass::<D, H>::run(
            #[inline(always)]
            || {
                let mut result = SubtreeResult::default();
                match pass.kernel {
                    Kernel::DepthFirst => depth_first::run(pass, next_subtree, &mut result),
                    Kernel::Interleaved { lanes } => interleaved::run(pass, lanes, next_subtree, &mut result),
                }
                result
            },
        )
    });
    let mut result = SubtreeResult::default();
    parts.into_iter().for_each(|part| result.add(part));
    (result, next.into_inner().min(subtrees.len()))
}

/// Expands subtrees level by level, in order, to at least `enough` and until none has [root moves](RootMoves), or until
/// all that is left is small.
///
/// A node without children stays a subtree, and does not count towards `enough`. So however finely the tree is cut, the
/// search of the subtrees notes how deep it entered every branch.
pub(super) fn split<D: Domain, H: Heuristic<D>>(
    pass: &Pass<'_, D, H>,
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
                && (few || pass.root_moves.at(&subtree.path).is_some())
        };
        if !subtrees.iter().any(is_split) {
            return subtrees;
        }
        let mut level = Vec::with_capacity(subtrees.len() * 4);
        for subtree in subtrees {
            if !is_split(&subtree) {
                level.push(subtree);
            } else if let Some(children) = children(pass, &subtree, &mut scratch, counts) {
                level.extend(children);
            } else {
                level.push(Subtree { is_leaf: true, ..subtree });
            }
        }
        subtrees = level;
    }
}

/// Cuts the first subtrees more finely, where the deepest branches come first: these are the largest by far, and mostly
/// hold the solution. Otherwise all but one of many threads would wait for the subtree that it is in.
pub(super) fn refine<D: Domain, H: Heuristic<D>>(
    pass: &Pass<'_, D, H>,
    mut subtrees: Vec<SubtreeOf<D, H>>,
    counts: &mut Counts,
) -> Vec<SubtreeOf<D, H>> {
    if subtrees.len() < FRONT * FINER {
        return subtrees;
    }
    let rest = subtrees.split_off(FRONT);
    let mut subtrees = split(pass, subtrees, FRONT * FINER, counts);
    subtrees.extend(rest);
    subtrees
}

/// The subtrees below the children of `subtree` that the heuristic leaves. `None` if it leaves none: then the root is not
/// counted here, but by the search of the subtree. That search does not know of root moves, so a root that has them is
/// always counted here.
fn children<D: Domain, H: Heuristic<D>>(
    pass: &Pass<'_, D, H>,
    subtree: &SubtreeOf<D, H>,
    scratch: &mut H::Scratch,
    counts: &mut Counts,
) -> Option<Vec<SubtreeOf<D, H>>> {
    let (moves, mut own) = (pass.root_moves.at(&subtree.path), Counts::default());
    let batch = pass.expand(&subtree.node, moves, subtree.remaining, &mut own);
    let mut children = Vec::new();
    for op in pass.sieve(&subtree.node, batch, scratch, &mut own) {
        let node = pass.child(&subtree.node, op, scratch);
        if !pass.passes_goal(&node.state) {
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
    use crate::ida::stop::Stop;
    use crate::ida::testing::{Nothing, Strings, digits, no_repetition, ops, pass, strings, subtree};
    use crate::run::Run;

    const KERNELS: [Kernel; 3] =
        [Kernel::DepthFirst, Kernel::Interleaved { lanes: 1 }, Kernel::Interleaved { lanes: 7 }];

    #[test]
    fn the_subtrees_are_the_tree_in_order() {
        let (domain, rules, run) = (Strings(Vec::new()), no_repetition(), Run::new());
        let pass = pass(&domain, &rules, &run);
        for enough in [1, 2, 10, 50, 10_000] {
            let mut counts = Counts::default();
            let subtrees = split(&pass, vec![subtree(&rules, "", 8)], enough, &mut counts);
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
    fn the_first_subtrees_are_cut_more_finely_in_place() {
        let (domain, rules, run) = (Strings(Vec::new()), no_repetition(), Run::new());
        let pass = pass(&domain, &rules, &run);
        let paths = |subtrees: &[SubtreeOf<Strings, Nothing>]| -> Vec<String> {
            subtrees.iter().map(|subtree| digits(&subtree.path)).collect()
        };
        let mut counts = Counts::default();
        let few = split(&pass, vec![subtree(&rules, "", 24)], 100, &mut counts);
        let before = paths(&few);
        assert_eq!(paths(&refine(&pass, few, &mut counts)), before);
        let many = split(&pass, vec![subtree(&rules, "", 24)], FRONT * FINER, &mut counts);
        let before = paths(&many);
        counts = Counts::default();
        let after = paths(&refine(&pass, many, &mut counts));
        // Each string is followed by two operators, so four levels make 16 of one.
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
    fn search(pass: &Pass<'_, Strings, Nothing>) -> (SubtreeResult, usize) {
        let mut all = SubtreeResult::default();
        let subtrees = split(pass, vec![subtree(pass.automaton, "", 8)], 20, &mut all.counts);
        all.add(search_subtrees(pass, &subtrees, None, &|_| ()).0);
        (all, subtrees.len())
    }

    /// Whatever the kernel and the threads: of several solutions that of the earliest subtree, and
    /// with each subtree searched to its end all of them in order, and the same counts.
    #[test]
    fn the_earliest_solution_wins() {
        let rules = no_repetition();
        let goals = ["01020102", "12121212", "21012101"];
        let domain = Strings(goals.map(ops).to_vec());
        for (kernel, threads) in KERNELS.into_iter().flat_map(|kernel| [1, 2, 3].map(|n| (kernel, n))) {
            let run = Run::new().with_threads(threads);
            let first = Pass { kernel, ..pass(&domain, &rules, &run) };
            let (result, _) = search(&first);
            assert_eq!(digits(&result.found[0].path), goals[0]);
            let all = Pass { kernel, stop: Stop::new(true), ..pass(&domain, &rules, &run) };
            let (result, _) = search(&all);
            assert_eq!(result.found.iter().map(|found| digits(&found.path)).collect::<Vec<_>>(), goals);
            assert_eq!((result.counts.expanded, result.counts.generated), (382, 765));
        }
    }

    /// For any pauses, kernel and number of threads: the same counts and solutions.
    #[test]
    fn a_search_in_parts_is_the_whole() {
        let rules = no_repetition();
        let domain = Strings(["01020102", "12121212", "21012101"].map(ops).to_vec());
        for (kernel, threads) in KERNELS.into_iter().flat_map(|kernel| [1, 3].map(|n| (kernel, n))) {
            let run = Run::new().with_threads(threads);
            let pass = Pass { kernel, stop: Stop::new(true), ..pass(&domain, &rules, &run) };
            let (whole, _) = search(&pass);
            let mut parts = SubtreeResult::default();
            let subtrees = split(&pass, vec![subtree(&rules, "", 8)], 20, &mut parts.counts);
            let mut done = 0;
            while done < subtrees.len() {
                // As if time were up once two more have begun.
                let end = (done + 2).min(subtrees.len());
                let (mut part, begun) = search_subtrees(&pass, &subtrees[done..end], None, &|_| ());
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
            let (_, begun) = search_subtrees(&pass, &subtrees, Some(Instant::now()), &|_| ());
            assert!((1..=threads).contains(&begun), "each thread searches at most one");
        }
    }
}
