//! Near misses as data: strings of operators, each of which shares its first operators with the one before.

use super::super::checkpoint::Operators;
use super::super::near::Kept;
use super::super::node::Task;
use super::super::pass::Pass;
use super::super::split::SMALLEST;
use crate::domain::{Domain, Op};
use crate::heuristic::Heuristic;
use serde::{Deserialize, Serialize};

/// More operators than any string has.
const LONGEST: u32 = 512;
/// More shared operators than this are written again, so that their number is one character.
const MOST_SHARED: usize = 63;

/// Some near misses of an iteration, in the order of the search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NearMisses {
    /// The bound of the iteration that kept them.
    pub(super) bound: u32,
    /// The moves that were left.
    pub(super) keep_at: u32,
    count: usize,
    /// Of each the number of operators that it shares with the one before, then the others.
    strings: Operators,
}

impl NearMisses {
    /// None yet.
    pub(super) fn none(bound: u32, keep_at: u32) -> NearMisses {
        NearMisses { bound, keep_at, count: 0, strings: Operators::default() }
    }

    /// Those that the search of `tasks` kept.
    pub(super) fn of<D: Domain, H: Heuristic<D>>(
        bound: u32,
        keep_at: u32,
        tasks: &[Task<D, H>],
        kept: &Kept<H::Carry>,
    ) -> NearMisses {
        let mut writer = Writer::new(bound, keep_at);
        for (task, ops) in kept.in_order(tasks, keep_at) {
            writer.push(&[&task.path[..], ops].concat());
        }
        writer.finish()
    }

    /// How many they are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Whether they are whole.
    pub(super) fn is_sound(&self) -> bool {
        let mut strings = Strings::of(self);
        let all = std::iter::from_fn(|| strings.next().map(|_| ())).count();
        all == self.count && !strings.damaged
    }

    /// All of them, shared out to at most `pieces` of about equal size.
    pub(super) fn regroup(all: &[NearMisses], pieces: usize) -> Vec<NearMisses> {
        let Some(&NearMisses { bound, keep_at, .. }) = all.first() else { return Vec::new() };
        let count: usize = all.iter().map(NearMisses::count).sum();
        let size = count.div_ceil(pieces.max(1)).max(1);
        let (mut groups, mut writer) = (Vec::new(), Writer::new(bound, keep_at));
        for one in all {
            let mut strings = Strings::of(one);
            while strings.next().is_some() {
                writer.push(&strings.ops);
                if writer.near.count == size {
                    groups.push(std::mem::replace(&mut writer, Writer::new(bound, keep_at)).finish());
                }
            }
        }
        if writer.near.count > 0 {
            groups.push(writer.finish());
        }
        groups
    }
}

/// Writes near misses one after the other.
struct Writer {
    near: NearMisses,
    last: Vec<Op>,
    written: Vec<Op>,
}

impl Writer {
    fn new(bound: u32, keep_at: u32) -> Writer {
        Writer { near: NearMisses::none(bound, keep_at), last: Vec::new(), written: Vec::new() }
    }

    fn push(&mut self, ops: &[Op]) {
        let shared = self.last.iter().zip(ops).take_while(|(last, op)| last == op).count().min(MOST_SHARED);
        self.written.push(Op(shared as u8));
        self.written.extend(&ops[shared..]);
        self.near.count += 1;
        self.last.clear();
        self.last.extend(ops);
    }

    fn finish(self) -> NearMisses {
        NearMisses { strings: Operators::from(&self.written[..]), ..self.near }
    }
}

/// Reads near misses one after the other.
struct Strings {
    /// The operators of the one that was read last.
    ops: Vec<Op>,
    length: usize,
    left: std::vec::IntoIter<Op>,
    damaged: bool,
}

impl Strings {
    fn of(near: &NearMisses) -> Strings {
        let length = near.bound.saturating_sub(near.keep_at).min(LONGEST) as usize;
        Strings { ops: Vec::new(), length, left: near.strings.to_ops().into_iter(), damaged: false }
    }

    /// Reads the next one into `ops`. Returns how many operators it shares with the one before; nothing at the
    /// end, and where the rest is damaged.
    fn next(&mut self) -> Option<usize> {
        let shared = self.left.next()?.index();
        self.damaged |= shared > self.ops.len() || self.left.len() < self.length.saturating_sub(shared);
        if self.damaged {
            return None;
        }
        self.ops.truncate(shared);
        self.ops.extend(self.left.by_ref().take(self.length.saturating_sub(shared)));
        Some(shared)
    }
}

/// Goes from each near miss to the next.
pub(super) struct Walk<D: Domain, H: Heuristic<D>> {
    strings: Strings,
    /// The moves left at the root.
    bound: u32,
    /// The subtrees on the way to the last one, from the root on, with the moves that were left.
    way: Vec<Task<D, H>>,
    /// Nodes with so few moves left were not expanded when the iteration was cut.
    smallest: u32,
    scratch: H::Scratch,
}

impl<D: Domain, H: Heuristic<D>> Walk<D, H> {
    /// Before the first of them.
    pub fn new(near: &NearMisses, root: Task<D, H>) -> Walk<D, H> {
        let root = Task { remaining: near.bound, ..root };
        let smallest = SMALLEST.max(near.keep_at);
        let (strings, scratch) = (Strings::of(near), H::Scratch::default());
        Walk { strings, bound: near.bound, way: vec![root], smallest, scratch }
    }

    /// The subtrees below at most `most` of them that come next, with a greater bound. Nothing if the search does
    /// not reach one of them.
    pub fn tasks(&mut self, pass: &Pass<'_, D, H>, bound: u32, most: usize) -> Option<Vec<Task<D, H>>> {
        let further = bound.checked_sub(self.bound)?;
        let mut tasks = Vec::new();
        while tasks.len() < most {
            let Some(shared) = self.strings.next() else { break };
            self.way.truncate(shared + 1);
            for &op in &self.strings.ops[shared..] {
                let last = self.way.last()?;
                let remaining = last.remaining.checked_sub(1).filter(|&left| left > 0)?;
                // Openings are those of nodes that were expanded when the iteration was cut.
                let path = &self.strings.ops[..self.way.len() - 1];
                let opening = pass.openings.at(path).filter(|_| last.remaining > self.smallest);
                let node = pass.reached(&last.node, opening, op, last.remaining, &mut self.scratch)?;
                self.way.push(Task::new(node, Vec::new(), remaining));
            }
            let last = self.way.last()?;
            let (node, remaining) = (last.node.clone(), last.remaining + further);
            tasks.push(Task::new(node, self.strings.ops.clone(), remaining));
        }
        (!self.strings.damaged).then_some(tasks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ida::testing::{digits, ops};

    fn read(near: &NearMisses) -> Vec<String> {
        let mut strings = Strings::of(near);
        let mut all = Vec::new();
        while strings.next().is_some() {
            all.push(digits(&strings.ops));
        }
        all
    }

    fn written(all: &[&str]) -> NearMisses {
        let mut writer = Writer::new(7, 3);
        all.iter().for_each(|one| writer.push(&ops(one)));
        writer.finish()
    }

    #[test]
    fn what_is_written_is_read() {
        let all = ["0102", "0120", "0121", "2010", "2010"];
        let near = written(&all);
        assert_eq!((near.count(), near.is_sound()), (5, true));
        assert_eq!(read(&near), all);
        assert!(written(&[]).is_sound());
    }

    #[test]
    fn pieces_have_about_equal_sizes_and_keep_the_order() {
        let (one, none, two) = (written(&["0102", "0120", "0121"]), written(&[]), written(&["1010", "2010"]));
        let all = [one, none, two];
        for (pieces, sizes) in [(1, &[5][..]), (2, &[3, 2]), (3, &[2, 2, 1]), (9, &[1, 1, 1, 1, 1])] {
            let groups = NearMisses::regroup(&all, pieces);
            assert_eq!(groups.iter().map(NearMisses::count).collect::<Vec<_>>(), sizes);
            let read: Vec<String> = groups.iter().flat_map(read).collect();
            assert_eq!(read, ["0102", "0120", "0121", "1010", "2010"]);
        }
        assert!(NearMisses::regroup(&[], 3).is_empty());
    }

    #[test]
    fn damage_is_seen() {
        let near = written(&["0102", "0120"]);
        for strings in ["", "0", "10102", "00102z", "0010220"] {
            let other =
                NearMisses { strings: serde_json::from_value(strings.into()).unwrap(), ..near.clone() };
            assert!(!other.is_sound(), "{strings:?}");
        }
        assert!(!NearMisses { count: 3, ..near }.is_sound());
    }
}
