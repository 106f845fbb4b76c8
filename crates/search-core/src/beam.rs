//! Beam search: a solution soon, without a proof that it is shortest.
//!
//! The idea: search breadth first, but keep only the most promising states of each depth, those with the least heuristic
//! values. The first layer with a goal gives a solution. Its length is an upper bound for the search that proves the
//! optimum; a wider beam mostly gives a shorter one.
//!
//! A heuristic has few distinct values, so most states of a layer are equally good by it. [`search_by`] keeps the states
//! with the least *rank* instead, a number that the caller derives from a state's carry: an estimate that is finer than
//! the value, and need not be a lower bound. Values still prune.
//!
//! Invariant: the states of a layer are distinct, occurred in no earlier layer, and are reached by as many moves as the
//! layer's depth. States are distinguished by 64-bit hashes. If two states had the same hash, one of them would be
//! dropped, which can only lose solutions; every solution that is returned is a string of applied operators.
//!
//! The result does not depend on the number of threads: children are collected in the order of their parents, and states
//! of equal rank are chosen by their hashes.
//!
//! Cost: for each kept state its children's values and carries, 16 bytes for its hash, and 8 to find its path again;
//! the children of two layers are in memory. Children are chosen by 24 bytes each and stay where they were generated;
//! their memory is used again two layers later. The table reads of several children overlap.
//!
//! Source: Lowerre 1976 (the Harpy system).

use crate::domain::{Domain, Op, OpSet};
use crate::heuristic::{Batch, Heuristic, NodeRef};
use crate::progress::Cancelled;
use crate::run::{Run, Spare};
use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hash, Hasher};

/// The number of parents whose children are generated together.
const CHUNK: usize = 256;
/// The number of children whose table reads overlap.
const IN_FLIGHT: usize = 16;

/// The number of nodes of the first beam if a solution is wanted soon.
pub const EAGER: u64 = 1 << 20;

/// The width and the limits of a beam search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beam {
    /// The number of states that each layer keeps.
    pub width: usize,
    /// Only solutions shorter than this are wanted.
    pub below: u32,
}

impl Beam {
    /// The widest beam whose states, for solutions of about `length` moves, fit in `memory` bytes.
    pub fn most<D: Domain, H: Heuristic<D>>(memory: u64, length: u32) -> usize {
        let layer = 8 * size_of::<Node<D::State, H::Carry>>() as u64;
        let kept = 24 * u64::from(length.max(1));
        usize::try_from(memory / (layer + kept)).unwrap_or(usize::MAX)
    }
}

/// A state of a layer, and how it was reached.
#[derive(Clone)]
struct Node<S, C> {
    state: S,
    carry: C,
    hash: u64,
    /// The hash of the parent, which is no child.
    above: u64,
    parent: u32,
    op: Op,
    /// 0 if the state may be a goal.
    value: u8,
    rank: u32,
}

impl<S, C> Node<S, C> {
    /// The node as a heuristic sees it.
    fn seen<'n, D: Domain<State = S>>(&'n self, domain: &'n D) -> NodeRef<'n, D, C> {
        NodeRef { domain, state: &self.state, carry: &self.carry }
    }
}

type NodeOf<D, H> = Node<<D as Domain>::State, <H as Heuristic<D>>::Carry>;

/// A child that may be kept: what it is chosen by, and its place in the chunks.
#[derive(Clone, Copy)]
struct Candidate {
    rank: u32,
    hash: u64,
    chunk: u32,
    place: u32,
}

/// The hashes of states that were kept.
type Seen = HashSet<u64, BuildHasherDefault<AsIs>>;

/// Searches for a solution of `start`, keeping the states with the least heuristic values. Returns `None` if the beam
/// contains none that is short enough.
///
/// ```
/// use search_core::beam::{Beam, search};
/// use search_core::testing::{Pancakes, gaps};
/// use search_core::{Domain, Run};
///
/// let start = [3, 0, 4, 1, 5, 2];
/// let found = search(&Pancakes, &gaps, &start, &Beam { width: 100, below: u32::MAX }, &Run::new())?;
/// let end = found.expect("every stack can be sorted").iter().fold(start, |at, op| Pancakes.apply(&at, *op));
/// assert!(Pancakes.is_goal(&end));
/// # Ok::<(), search_core::Cancelled>(())
/// ```
///
/// # Errors
/// [`Cancelled`].
pub fn search<D, H>(
    domain: &D,
    heuristic: &H,
    start: &D::State,
    beam: &Beam,
    run: &Run<'_>,
) -> Result<Option<Vec<Op>>, Cancelled>
where
    D: Domain<State: Hash>,
    H: Heuristic<D>,
{
    search_by(domain, heuristic, &|_, value| value, start, beam, run)
}

/// As [`search`], keeping the states with the least rank, which `rank` derives from a state's carry and value.
///
/// # Errors
/// [`Cancelled`].
pub fn search_by<D, H>(
    domain: &D,
    heuristic: &H,
    rank: &(impl Fn(&H::Carry, u32) -> u32 + Sync),
    start: &D::State,
    beam: &Beam,
    run: &Run<'_>,
) -> Result<Option<Vec<Op>>, Cancelled>
where
    D: Domain<State: Hash>,
    H: Heuristic<D>,
{
    if domain.is_goal(start) {
        return Ok((beam.below > 0).then(Vec::new));
    }
    let carry = heuristic.carry(domain, start);
    let hash = hash(start);
    let root =
        Node { state: start.clone(), carry, hash, above: hash, parent: 0, op: Op::new(0), value: 1, rank: 0 };
    // The states of a layer are those of `kept` among the children of the layer before it.
    let (mut before, mut kept) = (vec![vec![root]], vec![Candidate { rank: 0, hash, chunk: 0, place: 0 }]);
    let spare: Spare<Vec<NodeOf<D, H>>> = Spare::default();
    let mut seen = Seen::default();
    seen.insert(hash);
    let mut paths = Vec::new();
    for depth in 1..beam.below {
        run.check()?;
        // A child may be as far as the last move that is still allowed.
        let limit = beam.below - 1 - depth;
        let chunks: Vec<(usize, &[Candidate])> = kept.chunks(CHUNK).enumerate().collect();
        let expand = Expand { domain, heuristic, rank, limit };
        let children = run.map(&chunks, |&(chunk, parents)| {
            let mut children = spare.take().unwrap_or_default();
            let parents = parents.iter().map(|kept| &before[kept.chunk as usize][kept.place as usize]);
            expand.children(((chunk * CHUNK) as u32..).zip(parents), &mut children);
            children
        });
        let goals =
            children.iter().flatten().filter(|child| child.value == 0 && domain.is_goal(&child.state));
        if let Some(goal) = goals.min_by_key(|child| child.rank) {
            return Ok(Some(path(&paths, goal.parent, goal.op)));
        }
        kept = choose(&children, beam.width, &mut seen);
        if kept.is_empty() {
            break;
        }
        let of = |kept: &Candidate| &children[kept.chunk as usize][kept.place as usize];
        paths.push(kept.iter().map(of).map(|child| (child.parent, child.op)).collect());
        for mut unused in std::mem::replace(&mut before, children) {
            unused.clear();
            spare.leave(unused);
        }
    }
    Ok(None)
}

/// The `width` children of the least rank that are new, without duplicates. They are added to `seen`.
fn choose<S, C>(children: &[Vec<Node<S, C>>], width: usize, seen: &mut Seen) -> Vec<Candidate> {
    let mut all: Vec<Candidate> = Vec::with_capacity(children.iter().map(Vec::len).sum());
    for (chunk, children) in (0..).zip(children) {
        for (place, &Node { rank, hash, .. }) in (0..).zip(children) {
            all.push(Candidate { rank, hash, chunk, place });
        }
    }
    best(all, width, seen)
}

/// The best `width` of some candidates that are new, without duplicates, in the order of their places.
fn best(mut rest: Vec<Candidate>, width: usize, seen: &mut Seen) -> Vec<Candidate> {
    let key = |candidate: &Candidate| (candidate.rank, candidate.hash, candidate.chunk, candidate.place);
    let mut kept = Vec::with_capacity(width.min(rest.len()));
    // Duplicates are looked for among the best only, so some more may have to be taken.
    while kept.len() < width && !rest.is_empty() {
        let more = (width - kept.len()) + (width - kept.len()) / 8 + 1;
        let taken = if more < rest.len() {
            rest.select_nth_unstable_by_key(more, key);
            rest.drain(..more).collect()
        } else {
            std::mem::take(&mut rest)
        };
        kept.extend(taken.into_iter().filter(|candidate| seen.insert(candidate.hash)));
    }
    if kept.len() > width {
        kept.select_nth_unstable_by_key(width, key);
        // States that were not kept may be reached again, and are then as good as any.
        kept.drain(width..).for_each(|candidate| {
            seen.remove(&candidate.hash);
        });
    }
    kept.sort_unstable_by_key(|candidate| (candidate.chunk, candidate.place));
    kept
}

/// The expansion of a layer.
struct Expand<'a, D, H, R> {
    domain: &'a D,
    heuristic: &'a H,
    rank: &'a R,
    /// The greatest value that a child may have.
    limit: u32,
}

/// A child whose value is being read.
struct Reading<'n, D: Domain, H: Heuristic<D>> {
    parent: &'n NodeOf<D, H>,
    number: u32,
    op: Op,
    state: D::State,
    hash: u64,
    value: u32,
}

impl<D, H, R> Expand<'_, D, H, R>
where
    D: Domain<State: Hash>,
    H: Heuristic<D>,
    R: Fn(&H::Carry, u32) -> u32,
{
    /// Appends the children of some numbered states to `children`.
    fn children<'n>(
        &self,
        parents: impl Iterator<Item = (u32, &'n NodeOf<D, H>)>,
        children: &mut Vec<NodeOf<D, H>>,
    ) where
        D: 'n,
    {
        let mut scratch: [H::Scratch; IN_FLIGHT] = std::array::from_fn(|_| H::Scratch::default());
        let mut reading: Vec<Reading<'n, D, H>> = Vec::with_capacity(IN_FLIGHT);
        for (number, parent) in parents {
            for op in self.domain.applicable(&parent.state).and(OpSet::first(self.domain.op_count())) {
                let state = self.domain.apply(&parent.state, op);
                let hash = hash(&state);
                if hash == parent.above {
                    continue;
                }
                reading.push(Reading { parent, number, op, state, hash, value: 0 });
                if reading.len() == IN_FLIGHT {
                    self.read(&mut reading, &mut scratch, children);
                }
            }
        }
        self.read(&mut reading, &mut scratch, children);
    }

    /// Reads the values of some children, and appends those within the limit to `children`.
    fn read(
        &self,
        reading: &mut Vec<Reading<'_, D, H>>,
        scratch: &mut [H::Scratch; IN_FLIGHT],
        children: &mut Vec<NodeOf<D, H>>,
    ) {
        let Expand { domain, heuristic, rank, limit } = *self;
        // A limit of 0 prunes every child but one with the value 0, so the least pruned value is the child's.
        let batch = |op: Op, stage| Batch { ops: OpSet::EMPTY.with(op), stage, limit: 0 };
        for stage in 0..heuristic.stages() {
            for (child, scratch) in reading.iter().zip(&mut *scratch) {
                heuristic.prepare(child.parent.seen(domain), batch(child.op, stage), scratch);
            }
            for (child, scratch) in reading.iter().zip(&mut *scratch) {
                heuristic.locate(child.parent.seen(domain), batch(child.op, stage), scratch);
            }
            for (child, scratch) in reading.iter_mut().zip(&mut *scratch) {
                let sieved = heuristic.read(batch(child.op, stage), scratch);
                let value = if sieved.kept.is_empty() { sieved.least_cut } else { 0 };
                child.value = child.value.max(value);
            }
        }
        for (child, scratch) in reading.drain(..).zip(scratch) {
            let Reading { parent, number, op, state, hash, value } = child;
            if value <= limit {
                let carry = heuristic.carry_child(parent.seen(domain), op, &state, scratch);
                let rank = rank(&carry, value);
                let (value, above, parent) = (value as u8, parent.hash, number);
                children.push(Node { state, carry, hash, above, parent, op, value, rank });
            }
        }
    }
}

/// The operators that lead to a child of the state with number `parent` in the last layer of `layers`.
fn path(layers: &[Vec<(u32, Op)>], mut parent: u32, last: Op) -> Vec<Op> {
    let mut ops = vec![last];
    for layer in layers.iter().rev() {
        let (above, op) = layer[parent as usize];
        ops.push(op);
        parent = above;
    }
    ops.reverse();
    ops
}

fn hash(state: &impl Hash) -> u64 {
    let mut hasher = Folded::default();
    state.hash(&mut hasher);
    hasher.finish()
}

/// A hash by folded multiplications, as in wyhash: a few instructions for eight bytes, and no protection against
/// states that were chosen to collide.
#[derive(Default)]
struct Folded(u64);

impl Folded {
    fn add(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word ^ 0x9E37_79B9_7F4A_7C15) * 0xD6E8_FEB8_6659_FD93;
        self.0 = product as u64 ^ (product >> 64) as u64 ^ self.0.rotate_left(23);
    }
}

impl Hasher for Folded {
    fn finish(&self) -> u64 {
        let mut last = Folded(self.0);
        last.add(0x2545_F491_4F6C_DD1D);
        last.0
    }

    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        words.iter().for_each(|word| self.add(u64::from_le_bytes(*word)));
        if !rest.is_empty() {
            self.add(rest.iter().fold(1, |word, &byte| word << 8 | u64::from(byte)));
        }
    }
}

/// The hash of a number that is a hash: the number itself.
#[derive(Default)]
struct AsIs(u64);

impl Hasher for AsIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.0 = self.0 << 8 | u64::from(byte));
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::automaton::Automaton;
    use crate::heuristic::Sieved;
    use crate::ida;
    use crate::testing::{Pancakes, Random, half_gaps};

    const ALL: u32 = u32::MAX;

    fn replay(start: &[u8; 9], ops: &[Op]) -> [u8; 9] {
        ops.iter().fold(*start, |at, op| Pancakes.apply(&at, *op))
    }

    #[test]
    fn solutions_are_valid_never_too_short_and_the_same_on_all_threads() {
        let mut random = Random::new(3);
        let (mut narrow, mut wide) = (0, 0);
        for _ in 0..20 {
            let start = Pancakes::<9>::random(40, &mut random);
            let config = ida::Config::default();
            let rules = Automaton::unrestricted(8);
            let exact = ida::search(&Pancakes, &half_gaps, &rules, &start, &config, &Run::new());
            let exact = exact.ending.length().expect("every stack can be sorted");
            let solve = |width, below, threads| {
                let run = Run::new().with_threads(threads);
                search(&Pancakes, &half_gaps, &start, &Beam { width, below }, &run).expect("not cancelled")
            };
            for width in [10, 1000] {
                let found = solve(width, ALL, 1).expect("a solution");
                assert!(Pancakes.is_goal(&replay(&start, &found)) && found.len() as u32 >= exact);
                assert_eq!(solve(width, ALL, 3).as_ref(), Some(&found));
                *(if width == 10 { &mut narrow } else { &mut wide }) += found.len();
            }
            // A beam that keeps every state finds a shortest solution, and none below its length.
            assert_eq!(solve(1 << 20, exact + 1, 2).map(|found| found.len() as u32), Some(exact));
            assert_eq!(solve(1 << 20, exact, 2), None);
        }
        assert!(wide < narrow, "{wide} {narrow}");
    }

    #[test]
    fn a_solved_state_has_the_empty_solution_and_cancelled_work_ends() {
        let (start, run) = (Pancakes::<9>::sorted(), Run::new());
        let beam = Beam { width: 5, below: ALL };
        assert_eq!(search(&Pancakes, &half_gaps, &start, &beam, &run), Ok(Some(Vec::new())));
        run.cancel().cancel();
        let start = Pancakes.apply(&start, Op::new(3));
        assert_eq!(search(&Pancakes, &half_gaps, &start, &beam, &run), Err(Cancelled));
        assert!(Beam::most::<Pancakes<9>, fn(&[u8; 9]) -> u8>(1 << 20, 10) > 100);
    }
    /// Half of the gaps, located only for the batch that was prepared last.
    struct Prepared;

    impl Heuristic<Pancakes<9>> for Prepared {
        type Carry = ();
        type Scratch = (Option<Batch>, u8);

        fn carry(&self, _: &Pancakes<9>, _: &[u8; 9]) {}

        fn carry_child(&self, _: NodeRef<'_, Pancakes<9>, ()>, _: Op, _: &[u8; 9], _: &Self::Scratch) {}

        fn prepare(&self, _: NodeRef<'_, Pancakes<9>, ()>, batch: Batch, scratch: &mut Self::Scratch) {
            scratch.0 = Some(batch);
        }

        fn locate(&self, node: NodeRef<'_, Pancakes<9>, ()>, batch: Batch, scratch: &mut Self::Scratch) {
            assert_eq!(scratch.0.take(), Some(batch));
            let op = batch.ops.into_iter().next().expect("a child");
            scratch.1 = half_gaps(&node.domain.apply(node.state, op));
        }

        fn read(&self, batch: Batch, scratch: &mut Self::Scratch) -> Sieved {
            let mut sieved = Sieved::default();
            batch.ops.into_iter().for_each(|op| sieved.take(op, scratch.1, batch.limit));
            sieved
        }

        fn value(&self, _: &Pancakes<9>, state: &[u8; 9]) -> u8 {
            half_gaps(state)
        }
    }

    #[test]
    fn batches_are_prepared_before_they_are_located() {
        let start = Pancakes::<9>::random(40, &mut Random::new(5));
        let (beam, run) = (Beam { width: 100, below: ALL }, Run::new());
        let found = search(&Pancakes, &Prepared, &start, &beam, &run);
        assert!(matches!(&found, Ok(Some(_))));
        assert_eq!(found, search(&Pancakes, &half_gaps, &start, &beam, &run));
    }
}
