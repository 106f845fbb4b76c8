//! Discovers duplicate operator strings by breadth-first search, one length after another.
//!
//! The idea (Taylor & Korf 1993; Korf & Taylor 1996, "Pruning Duplicate Nodes"): enumerate the operator strings of
//! growing length. If two strings have the same effect, the later one in shortlex order (shorter first, then
//! lexicographic) never needs to be completed.
//!
//! Caution: whether a string is legal may depend on the state. So string `s` is pruned only when an earlier string `s'`
//! has the same effect **and is legal wherever `s` is**. The [`Model`] decides this.
//!
//! Why no shortest path is lost: let `w` be the shortlex-least legal string from a state to another. Its length is the
//! distance. If `w = x s y` with `s` pruned in favour of `s'`, then `s` is legal after `x`, so `s'` is, and `x s' y` is
//! a legal string with the same end that precedes `w`, because shortlex order is preserved when the same prefix and
//! suffix are added. That contradicts the choice of `w`. So `w` contains no pruned string, whatever set of rules is
//! used, and chains of rules cannot be cyclic. Only strings that contain no pruned string are enumerated, so each rule
//! is minimal.
//!
//! Cost: each length is enumerated twice. The first pass marks a hash of every effect in a bitmap and records which
//! slots are hit again; the second keeps only strings in such slots, a few percent. These are sorted, and equal hashes
//! are compared exactly by replaying the strings. So memory is two fixed bitmaps plus the few strings kept, and a hash
//! collision costs time, not correctness.

use std::cmp::Ordering::Less;
use std::hash::Hash;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use super::everywhere::Everywhere;
use super::model::Model;
use super::trie::Trie;
use super::{Automaton, StateId};
use crate::cast::to_u64;
use crate::domain::{Domain, Op, checked_op_count};
use crate::progress::Cancelled;
use crate::run::Run;

/// Strings by the first byte of their hashes.
struct Buckets(Vec<Mutex<Vec<Met>>>);

impl Buckets {
    const COUNT: usize = 1 << 8;

    fn new() -> Buckets {
        Buckets((0..Buckets::COUNT).map(|_| Mutex::default()).collect())
    }

    fn add(&self, met: Vec<Met>) {
        let mut parts = vec![Vec::new(); Buckets::COUNT];
        met.into_iter().for_each(|met| parts[(met.0 >> 56) as usize].push(met));
        for (bucket, mut part) in self.0.iter().zip(parts).filter(|(_, part)| !part.is_empty()) {
            bucket.lock().expect("no thread panics while it adds").append(&mut part);
        }
    }

    /// The strings, sorted within each bucket.
    fn sorted(self, run: &Run<'_>) -> Result<Vec<Vec<Met>>, Cancelled> {
        let mut buckets: Vec<Vec<Met>> =
            self.0.into_iter().map(|bucket| bucket.into_inner().expect("no thread panicked")).collect();
        run.try_for_each_item(&mut buckets, &|_, bucket| {
            bucket.sort_unstable();
            run.check()
        })?;
        Ok(buckets)
    }
}

/// The counts of one length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LengthCount {
    /// The length of the strings.
    pub length: usize,
    /// The number of strings of this length that contain no shorter pruned string.
    pub live: u64,
    /// The number of strings pruned at this length.
    pub pruned: u64,
    /// The number of strings that duplicate an earlier one but are kept, because no earlier duplicate is legal wherever
    /// they are.
    pub unpruned: u64,
}

/// The duplicate operator strings of a domain up to a length.
#[derive(Clone, Debug)]
pub struct Learned {
    /// The pruned strings, shorter first, then lexicographic. None contains another.
    pub strings: Vec<Vec<Op>>,
    /// One entry for each length from 1.
    pub levels: Vec<LengthCount>,
}

/// Finds the duplicate strings of up to `depth` operators, using bitmaps of `1 << filter_bits`
/// bits each (two of them; 31 suits a hundred million strings and takes half a gibibyte).
///
/// # Errors
/// [`Cancelled`].
///
/// # Panics
/// If a string of `depth` operators does not fit 64 bits, or `filter_bits` is not in `6..=40`.
pub fn learn<M: Model>(
    model: &M,
    depth: usize,
    filter_bits: u32,
    run: &Run<'_>,
) -> Result<Learned, Cancelled> {
    let width = op_width(model.op_count());
    assert!(depth * width as usize <= 64, "strings of {depth} operators fit 64 bits");
    assert!((6..=40).contains(&filter_bits), "between 64 bits and a tebibit in a bitmap");
    let mut trie = Trie::new(model.op_count());
    let mut learned = Learned { strings: Vec::new(), levels: Vec::new() };
    run.progress().begin("learning duplicate operator strings", to_u64(depth));
    for length in 1..=depth {
        run.check()?;
        let automaton = trie.automaton();
        let search = LengthSearch { model, automaton: &automaton, length, width, filter_bits };
        let (level, strings) = search.duplicates(run)?;
        for string in strings {
            trie.insert(&string);
            learned.strings.push(string);
        }
        run.progress().update(to_u64(length));
        run.progress().detail(&format!(
            "length {length}: {} strings, {} pruned, {} duplicates stay",
            level.live, level.pruned, level.unpruned
        ));
        learned.levels.push(level);
    }
    run.progress().end();
    Ok(learned)
}

impl Automaton {
    /// The automaton that forbids duplicate strings of up to `depth` operators, in a domain whose operators are legal in
    /// every state. Strings start in `reference`, which must fulfil the condition of [`Everywhere`]; the goal usually does.
    /// For long strings, [`learn_in`](Automaton::learn_in) reports progress and can be cancelled.
    ///
    /// ```
    /// use search_core::{Automaton, Domain, Op};
    ///
    /// /// Four switches; operator `i` turns switch `i` on or off.
    /// struct Switches;
    ///
    /// impl Domain for Switches {
    ///     type State = u8;
    ///     fn op_count(&self) -> usize { 4 }
    ///     fn apply(&self, on: &u8, op: Op) -> u8 { on ^ 1 << op.index() }
    ///     fn is_goal(&self, on: &u8) -> bool { *on == 0 }
    /// }
    ///
    /// let automaton = Automaton::learn(&Switches, &0, 2);
    /// let after = |string: &[usize]| {
    ///     string.iter().try_fold(automaton.start(), |state, &op| automaton.next(state, Op::new(op)))
    /// };
    /// assert!(after(&[0, 1, 3]).is_some());
    /// assert!(after(&[1, 0]).is_none()); // leads where [0, 1] leads
    /// assert!(after(&[2, 2]).is_none()); // leads back
    /// ```
    ///
    /// # Panics
    /// If the domain has more than 64 operators, or a string of `depth` operators does not fit 64 bits.
    pub fn learn<D: Domain>(domain: &D, reference: &D::State, depth: usize) -> Automaton
    where
        D::State: Eq + Hash,
    {
        let learned = Automaton::learn_in(domain, reference, depth, &Run::new());
        learned.expect("a run of its own is not cancelled")
    }

    /// Like [`learn`](Automaton::learn), but uses the threads of `run`, reports progress and can be cancelled.
    ///
    /// # Errors
    /// [`Cancelled`].
    ///
    /// # Panics
    /// As [`learn`](Automaton::learn).
    pub fn learn_in<D: Domain>(
        domain: &D,
        reference: &D::State,
        depth: usize,
        run: &Run<'_>,
    ) -> Result<Automaton, Cancelled>
    where
        D::State: Eq + Hash,
    {
        let ops = checked_op_count(domain);
        let learned = learn(&Everywhere::new(domain, reference), depth, filter_bits(ops, depth), run)?;
        Ok(Trie::from_strings(ops, &learned.strings).automaton().minimized())
    }
}

/// The size of a filter, as a power of two of bits: one slot for each string of `depth` operators, between 4 Kib and
/// 256 Mib.
fn filter_bits(ops: usize, depth: usize) -> u32 {
    let strings = to_u64(ops).saturating_pow(depth as u32);
    (u64::BITS - strings.leading_zeros()).clamp(12, 28)
}

/// Bits that one operator takes in a packed string.
fn op_width(ops: usize) -> u32 {
    ops.next_power_of_two().trailing_zeros().max(1)
}

/// A string whose hash was met twice: its effect's hash, its length, and itself packed (first operator highest), so
/// that the derived order is shortlex within one hash.
type Met = (u64, u8, u64);

/// The search for the duplicates of one length.
struct LengthSearch<'a, M: Model> {
    model: &'a M,
    automaton: &'a Automaton,
    length: usize,
    width: u32,
    filter_bits: u32,
}

/// A string, its walk and the automaton's state after it.
#[derive(Clone)]
struct Node<W> {
    walk: W,
    state: StateId,
    packed: u64,
    length: usize,
}

impl<M: Model> LengthSearch<'_, M> {
    fn duplicates(&self, run: &Run<'_>) -> Result<(LengthCount, Vec<Vec<Op>>), Cancelled> {
        let roots = self.roots();
        let mut filter = Filter::new(self.filter_bits);
        let live = AtomicU64::new(0);
        run.try_for_each(roots.len(), &|root| {
            run.check()?;
            let mut of_root = 0;
            self.visit(&roots[root], &mut |node| {
                of_root += u64::from(node.length == self.length);
                filter.mark(self.model.effect_hash(&node.walk));
            });
            live.fetch_add(of_root, Ordering::Relaxed);
            Ok::<(), Cancelled>(())
        })?;
        filter.met = Vec::new();
        let met = Buckets::new();
        run.try_for_each(roots.len(), &|root| {
            run.check()?;
            let mut of_root = Vec::new();
            self.visit(&roots[root], &mut |node| {
                let hash = self.model.effect_hash(&node.walk);
                if filter.met_twice(hash) {
                    of_root.push((hash, node.length as u8, node.packed));
                }
            });
            met.add(of_root);
            Ok::<(), Cancelled>(())
        })?;
        let (strings, unpruned) = self.judge(&met.sorted(run)?, run);
        let (live, pruned) = (live.into_inner(), to_u64(strings.len()));
        let level = LengthCount { length: self.length, live, pruned, unpruned };
        Ok((level, strings))
    }

    /// Short strings whose extensions are distributed among the threads. They include the empty string, so every string
    /// of the right parity descends from exactly one of them.
    fn roots(&self) -> Vec<Node<M::Walk>> {
        let mut roots =
            vec![Node { walk: self.model.start(), state: self.automaton.start(), packed: 0, length: 0 }];
        for _ in 0..self.length.min(ROOT_LENGTH) {
            let longest = roots.last().map_or(0, |root| root.length);
            let from = roots.partition_point(|root| root.length < longest);
            for at in from..roots.len() {
                let node = roots[at].clone();
                self.children(&node, |child| roots.push(child));
            }
        }
        roots
    }

    fn children(&self, node: &Node<M::Walk>, mut each: impl FnMut(Node<M::Walk>)) {
        for op in (0..self.model.op_count()).map(Op::new) {
            if let Some(state) = self.automaton.next(node.state, op)
                && let Some(walk) = self.model.extend(&node.walk, op)
            {
                let packed = node.packed << self.width | to_u64(op.index());
                each(Node { walk, state, packed, length: node.length + 1 });
            }
        }
    }

    /// Calls `each` for the strings below `root` whose length has this length's parity. For a root shorter than the
    /// longest ones, that is only the root itself.
    fn visit(&self, root: &Node<M::Walk>, each: &mut impl FnMut(&Node<M::Walk>)) {
        if (self.length - root.length).is_multiple_of(2) {
            each(root);
        }
        if root.length >= self.length.min(ROOT_LENGTH) && root.length < self.length {
            self.children(root, |child| self.visit(&child, each));
        }
    }

    /// The strings to prune among those met, and the number of duplicates that must be kept.
    fn judge(&self, met: &[Vec<Met>], run: &Run<'_>) -> (Vec<Vec<Op>>, u64) {
        let groups = met.iter().flat_map(|bucket| bucket.chunk_by(|a, b| a.0 == b.0));
        let groups: Vec<&[Met]> = groups.filter(|group| group.len() > 1).collect();
        let judged = run.map(&groups, |group| self.judge_group(group)).concat();
        let mut pruned: Vec<u64> =
            judged.iter().filter(|&&(_, prune)| prune).map(|&(packed, _)| packed).collect();
        pruned.sort_unstable();
        let strings = pruned.iter().map(|&packed| self.unpack(packed, self.length)).collect();
        (strings, to_u64(judged.len() - pruned.len()))
    }

    /// The strings of this length in a group of equal hashes that duplicate an earlier one, and
    /// whether they may be pruned.
    fn judge_group(&self, group: &[Met]) -> Vec<(u64, bool)> {
        let walks: Vec<M::Walk> =
            group.iter().map(|&(_, length, packed)| self.replay(packed, length as usize)).collect();
        let mut judged = Vec::new();
        for (at, &(_, length, packed)) in group.iter().enumerate() {
            if length as usize != self.length {
                continue;
            }
            let walk = &walks[at];
            let mut earlier =
                walks[..at].iter().filter(|other| self.model.same_effect(other, walk)).peekable();
            if earlier.peek().is_some() {
                judged.push((packed, earlier.any(|standing| self.model.legal_wherever(standing, walk))));
            }
        }
        debug_assert!(group.is_sorted_by(|a, b| a.cmp(b) == Less), "strings are met once each");
        judged
    }

    fn replay(&self, packed: u64, length: usize) -> M::Walk {
        self.unpack(packed, length).into_iter().fold(self.model.start(), |walk, op| {
            self.model.extend(&walk, op).expect("a string that was met is legal somewhere")
        })
    }

    fn unpack(&self, packed: u64, length: usize) -> Vec<Op> {
        let mask = (1 << self.width) - 1;
        (0..length as u32).rev().map(|at| Op::new((packed >> (at * self.width) & mask) as usize)).collect()
    }
}

/// The length of the strings whose extensions are distributed among the threads.
const ROOT_LENGTH: usize = 7;

/// Two bitmaps over hashes: hashes met, dropped once all strings are marked, and hashes met again.
struct Filter {
    met: Vec<AtomicU64>,
    again: Vec<AtomicU64>,
    shift: u32,
}

impl Filter {
    fn new(bits: u32) -> Filter {
        // The system zeroes a page when it is first touched.
        let words = || bytemuck::zeroed_vec::<AtomicU64>(1 << (bits - 6));
        Filter { met: words(), again: words(), shift: 64 - bits }
    }

    fn slot(&self, hash: u64) -> (usize, u64) {
        let slot = hash.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> self.shift;
        ((slot >> 6) as usize, 1 << (slot & 63))
    }

    fn mark(&self, hash: u64) {
        let (word, bit) = self.slot(hash);
        if self.met[word].fetch_or(bit, Ordering::Relaxed) & bit != 0 {
            self.again[word].fetch_or(bit, Ordering::Relaxed);
        }
    }

    fn met_twice(&self, hash: u64) -> bool {
        let (word, bit) = self.slot(hash);
        self.again[word].load(Ordering::Relaxed) & bit != 0
    }
}

#[cfg(test)]
mod tests {
    use super::super::Everywhere;
    use super::*;
    use crate::domain::Domain;

    /// The square grid of the paper: left, right, up, down, everywhere legal.
    struct Grid;

    impl Domain for Grid {
        type State = (i32, i32);
        fn op_count(&self) -> usize {
            4
        }
        fn apply(&self, &(x, y): &(i32, i32), op: Op) -> (i32, i32) {
            let (dx, dy) = [(-1, 0), (1, 0), (0, -1), (0, 1)][op.index()];
            (x + dx, y + dy)
        }
        fn is_goal(&self, place: &(i32, i32)) -> bool {
            *place == (0, 0)
        }
    }

    #[test]
    fn the_grid_of_the_paper_needs_depth_two_and_five_states() {
        let grid = Everywhere::new(&Grid, &(0, 0));
        let learned = learn(&grid, 2, 10, &Run::new()).expect("not cancelled");
        assert_eq!(learned.strings.len(), 8, "four inverses and four turns");
        let automaton = Trie::from_strings(4, &learned.strings).automaton().minimized();
        assert_eq!(automaton.states(), 5);
        assert_eq!(automaton.strings_by_length(6), [1, 4, 8, 12, 16, 20, 24]);
        let deeper = learn(&grid, 6, 10, &Run::new()).expect("not cancelled");
        assert_eq!(deeper.strings, learned.strings, "nothing is left to prune");
    }
}
