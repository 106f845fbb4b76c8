//! The kernel of the sums: searches subtrees, and reads only the costs that it needs.
//!
//! The idea: a partition is **tight** at a node if its sum equals the moves left. All sums have the parity of the moves
//! left, so a child is pruned if and only if the cost of the moved tile's pattern goes up in a tight partition. Within
//! the bound, the costs of a tight partition can only go down, so it is tight in the whole subtree. A node is searched
//! in these steps, each of which waits for what the one before has located:
//!
//! 1. For each child, the pattern of the first tight partition.
//! 2. For the children left, the patterns of the other tight partitions; and for the node itself, the patterns of the
//!    moved tile that no tight partition of its parent has. Now all its sums are known.
//! 3. If more partitions are tight than in its parent, the children's patterns of these.
//!
//! The children that are left are searched in turn. So the costs of a pattern without a tight partition are read only
//! for nodes with children.
//!
//! Invariant: level `d` of a lane has the node at depth `d` of its path. Its placements and sums are those of its parent
//! after the move. Costs that have not been read (`unread`) count as if they went up in the sums, and the placements of
//! their patterns are those before the move until the second step. A tight partition has no such cost, since each cost
//! of a child in a partition that is tight in its parent is read before the child is entered.
//!
//! Why no solution is lost, and why it expands the nodes of the other kernels: a child is pruned if a cost goes up that
//! was located for it, and only costs of tight partitions are. Its sum then exceeds the moves left. Before a child is
//! entered, all costs that could prune it have been read: those of the partitions that are tight by the exact sums. If
//! the parity of the bound is wrong, partitions whose sums are one less than the moves left count as tight, by the same
//! argument. A test compares lengths, counts and solutions with those of the plain kernel.
//!
//! Cost: one to three visits for each node; several subtrees are searched in turn, so that the reads overlap.

use search_core::heuristic::{NodeCounts, SubtreeQueue};
use search_core::{Automaton, Op, OpSet};

use super::path::{Cells, Lane, Level, LocatedBytes, Slide, Stage};
use super::words::Sums;
use super::{Additive, Summary, TILES};
use crate::board::OPS;
use crate::puzzle::Puzzle;

/// The number of rounds, each with a visit to every lane, between reports.
const ROUNDS_PER_REPORT: u32 = 1 << 10;

/// The queue of a search by sums of `P` patterns.
type Queue<'q, const P: usize, const BYTES: usize> = dyn SubtreeQueue<Puzzle<BYTES>, Summary<P>> + 'q;

/// The outcome of a visit to a lane.
enum Visit {
    /// Values are located.
    Waiting,
    /// The subtree is finished.
    Done,
}

/// Everything that stays the same while a thread searches.
struct Walk<'w, 't, const P: usize, const Q: usize, B> {
    additive: &'w Additive<'t, P, Q, B>,
    automaton: &'w Automaton,
    /// By the blank's cell and operator.
    slides: [[Slide; OPS]; TILES],
    applicable: [OpSet; TILES],
    goal: Cells,
    /// All bits of the byte of each partition.
    bytes: u64,
}

/// Searches the subtrees of a queue, `lanes` of them in turn.
#[inline(always)]
pub(super) fn run<const P: usize, const Q: usize, const BYTES: usize, B: AsRef<[u8]> + Sync>(
    additive: &Additive<'_, P, Q, B>,
    puzzle: &Puzzle<BYTES>,
    automaton: &Automaton,
    lanes: usize,
    queue: &mut Queue<'_, P, BYTES>,
) {
    let walk = Walk::new(additive, puzzle, automaton);
    let mut counts = NodeCounts::default();
    let mut in_flight = Vec::with_capacity(lanes);
    while in_flight.len() < lanes.max(1) {
        let mut lane = Lane::new();
        if !walk.begin(&mut lane, queue, &mut counts) {
            break;
        }
        in_flight.push(lane);
    }
    let excess = in_flight.first().map_or(u32::MAX, |lane: &Lane<'_, P, Q>| lane.excess);
    let with_excess = |counts: NodeCounts| {
        let is_pruned = counts.stages.iter().any(|stage| stage.cut > 0);
        NodeCounts {
            least_excess: counts.least_excess.min(if is_pruned { excess } else { u32::MAX }),
            ..counts
        }
    };
    // The second lane is first: where a last iteration ends depends on the order, and recorded counts have this one.
    let (mut end, mut at) = (queue.end(), 1);
    while !in_flight.is_empty() {
        for _ in 0..ROUNDS_PER_REPORT {
            while at < in_flight.len() {
                let lane = &mut in_flight[at];
                let is_left = lane.number >= end;
                if is_left || matches!(walk.visit(lane, queue, &mut counts), Visit::Done) {
                    queue.leave(lane.number, lane.deepest as u32);
                    // The subtree may have ended with a solution.
                    end = queue.end();
                    if !walk.begin(lane, queue, &mut counts) {
                        in_flight.swap_remove(at);
                    }
                }
                at += 1;
            }
            at = 0;
        }
        if !queue.report(&with_excess(std::mem::take(&mut counts))) {
            return;
        }
        end = queue.end();
    }
    queue.report(&with_excess(counts));
}

impl<'w, 't, const P: usize, const Q: usize, B: AsRef<[u8]> + Sync> Walk<'w, 't, P, Q, B> {
    /// By set of children: all of their places, `Q` bits each.
    const PLACES: [u32; 1 << OPS] = {
        let (mut places, mut number) = ([0; 1 << OPS], 0);
        while number < OPS * Q << OPS {
            let (set, place) = (number % (1 << OPS), number >> OPS);
            places[set] |= (set as u32 >> (place / Q) & 1) << place;
            number += 1;
        }
        places
    };

    fn new<const BYTES: usize>(
        additive: &'w Additive<'t, P, Q, B>,
        puzzle: &Puzzle<BYTES>,
        automaton: &'w Automaton,
    ) -> Self {
        let (mut slides, mut applicable) = ([[Slide::default(); OPS]; TILES], [OpSet::EMPTY; TILES]);
        for blank in 0..puzzle.board().cells() {
            for op in OpSet::first(OPS) {
                if puzzle.board().neighbour(blank, op).is_some() {
                    let from = puzzle.target(blank, op);
                    let cells = additive.frames[from] | additive.frames[blank] << 16;
                    slides[blank][op.index()] = Slide { from: from as u8, cells };
                    applicable[blank] = applicable[blank].with(op);
                }
            }
        }
        let goal = Cells::new(puzzle.goal());
        let bytes = additive.ones.0 * 0xFF;
        Walk { additive, automaton, slides, applicable, goal, bytes }
    }

    /// Begins the next subtree. Returns false if there is none.
    fn begin<const BYTES: usize>(
        &self,
        lane: &mut Lane<'t, P, Q>,
        queue: &mut Queue<'_, P, BYTES>,
        counts: &mut NodeCounts,
    ) -> bool {
        let Some(root) = queue.next() else { return false };
        (lane.number, lane.remaining, lane.depth, lane.deepest) = (root.number, root.remaining, 0, 0);
        lane.excess = 2 - (u32::from(root.carry.sums.of(0)) + root.remaining) % 2;
        if lane.levels.is_empty() {
            lane.levels.push(Level::new(root.fsm));
        }
        let applicable = self.applicable[root.state.blank() % TILES];
        let ops = applicable.and(self.automaton.allowed(root.fsm));
        counts.expanded += 1;
        counts.generated += ops.len() as u64;
        counts.pruned_by_fsm += (applicable.len() - ops.len()) as u64;
        for stage in &mut counts.stages {
            stage.looked_up += ops.len() as u64;
        }
        // The first visit finds nothing located, and all sums known.
        lane.levels[0] = Level {
            cells: Cells::new(root.state),
            placements: root.carry.placements,
            sums: root.carry.sums,
            blank: root.state.blank() as u8,
            pending: ops,
            ..Level::new(root.fsm)
        };
        true
    }

    /// Reads what the lane located on its last visit, then continues until it has located more.
    #[inline(always)]
    fn visit<const BYTES: usize>(
        &self,
        lane: &mut Lane<'t, P, Q>,
        queue: &mut Queue<'_, P, BYTES>,
        counts: &mut NodeCounts,
    ) -> Visit {
        let mut level = &mut lane.levels[lane.depth];
        let mut kept = Self::survivors(level, &lane.bytes);
        let pruned = (level.pending.len() - kept.len()) as u64;
        if level.stage == Stage::First {
            counts.stages[0].cut += pruned;
        } else {
            counts.stages[1].cut += pruned;
            if level.stage == Stage::Rest && !kept.is_empty() {
                self.settle(level, &lane.bytes);
            }
        }
        loop {
            if kept.is_empty() {
                if !self.advance(lane, queue, counts) {
                    return Visit::Done;
                }
                level = &mut lane.levels[lane.depth];
                kept = level.pending;
                let first = level.tight & level.tight.wrapping_neg();
                if first != 0 && self.locate(level, &mut lane.bytes, kept, first) {
                    return Visit::Waiting;
                }
            }
            if level.stage == Stage::First {
                counts.stages[1].looked_up += kept.len() as u64;
                level.stage = Stage::Rest;
                let is_waiting = self.locate_own(level, &mut lane.bytes);
                // A set with one partition has been located.
                let others = level.tight & level.tight.wrapping_sub(1);
                if (others != 0 && self.locate(level, &mut lane.bytes, kept, others)) | is_waiting {
                    if others == 0 {
                        level.located = 0;
                    }
                    level.pending = kept;
                    return Visit::Waiting;
                }
            }
            let left = lane.remaining - lane.depth as u32;
            let tight = level.sums.at_least(left - 1, self.bytes);
            level.stage = Stage::Known;
            let others = tight & !level.tight;
            level.tight = tight;
            if others != 0 && self.locate(level, &mut lane.bytes, kept, others) {
                level.pending = kept;
                return Visit::Waiting;
            }
            level.open = kept;
            kept = OpSet::EMPTY;
        }
    }

    /// The pending children none of whose costs goes up.
    #[inline(always)]
    fn survivors(level: &Level<P, Q>, bytes: &LocatedBytes<'t, Q>) -> OpSet {
        let (mut places, mut up) = (level.located, 0);
        while places != 0 {
            let at = places.trailing_zeros() as usize % (OPS * Q);
            let (child, place) = (at / Q, at % Q);
            up |= level.after[child][place].differs(*bytes.children[child][place]) << child;
            places &= places - 1;
        }
        OpSet(level.pending.0 & !up)
    }

    /// Locates the costs of the node's own patterns that have not been read. Returns whether there are any.
    #[inline(always)]
    fn locate_own(&self, level: &mut Level<P, Q>, bytes: &mut LocatedBytes<'t, Q>) -> bool {
        let patterns = &self.additive.lookups.patterns[usize::from(level.tile) % TILES];
        let mut places = level.unread;
        while places != 0 {
            let place = places.trailing_zeros() as usize % Q;
            let pattern = usize::from(patterns[place]) % P;
            let placement = level.placements[pattern];
            let (byte, held, order) = self.additive.readers[pattern].find(placement, level.slide);
            level.placements[pattern] = placement.moved_up(held, order);
            bytes.own[place] = byte;
            places &= places - 1;
        }
        level.unread != 0
    }

    /// Reads the costs of the node's own patterns.
    #[inline(always)]
    fn settle(&self, level: &mut Level<P, Q>, bytes: &LocatedBytes<'t, Q>) {
        let (lookups, tile) = (&self.additive.lookups, usize::from(level.tile) % TILES);
        let mut places = std::mem::take(&mut level.unread);
        while places != 0 {
            let place = places.trailing_zeros() as usize % Q;
            let placement = &mut level.placements[usize::from(lookups.patterns[tile][place]) % P];
            let down;
            (*placement, down) = placement.read(*bytes.own[place]);
            level.sums.0 = level.sums.0.wrapping_sub(lookups.members[tile][place] & down.wrapping_neg());
            places &= places - 1;
        }
    }

    /// Locates the costs of children in some partitions that have not been located before. Returns whether there are
    /// any.
    #[inline(always)]
    fn locate(
        &self,
        level: &mut Level<P, Q>,
        bytes: &mut LocatedBytes<'t, Q>,
        children: OpSet,
        partitions: u8,
    ) -> bool {
        let additive = self.additive;
        let (slides, by_tile) =
            (&self.slides[usize::from(level.blank) % TILES], &additive.places[usize::from(partitions)]);
        // All four operators, applicable or not, since branches would be hard to predict.
        let (mut tiles, mut all) = ([0; OPS], 0);
        for at in 0..OPS {
            tiles[at] = usize::from(level.cells.0[usize::from(slides[at].from) % TILES]) % TILES;
            all |= u32::from(by_tile[tiles[at]]) << (at * Q);
        }
        let mut places = all & Self::PLACES[children.0 as usize % (1 << OPS)] & !level.found;
        level.found |= places;
        level.located = places;
        let is_waiting = places != 0;
        while places != 0 {
            let number = places.trailing_zeros() as usize % (OPS * Q);
            let (at, place) = (number / Q, number % Q);
            let pattern = usize::from(additive.lookups.patterns[tiles[at]][place]) % P;
            let placement = level.placements[pattern];
            let (byte, held, order) = additive.readers[pattern].find(placement, slides[at].cells);
            level.after[at][place] = placement.moved_down(held, order);
            bytes.children[at][place] = byte;
            places &= places - 1;
        }
        is_waiting
    }

    /// Enters the next open child and expands it. Returns false if the subtree is finished.
    #[inline(always)]
    fn advance<const BYTES: usize>(
        &self,
        lane: &mut Lane<'t, P, Q>,
        queue: &mut Queue<'_, P, BYTES>,
        counts: &mut NodeCounts,
    ) -> bool {
        loop {
            let op = loop {
                if let Some(op) = lane.levels[lane.depth].open.pop_first() {
                    break op;
                }
                if lane.depth == 0 {
                    return false;
                }
                lane.depth -= 1;
            };
            if lane.remaining - lane.depth as u32 == 1 {
                if self.is_last(lane, op, queue, counts) {
                    return false;
                }
                continue;
            }
            if lane.depth + 1 == lane.levels.len() {
                lane.grow();
            }
            let (above, below) = lane.levels.split_at_mut(lane.depth + 1);
            let (level, child) = (&above[lane.depth], &mut below[0]);
            let slide = self.slides[usize::from(level.blank) % TILES][op.index() % OPS];
            let blank = usize::from(slide.from) % TILES;
            let fsm = self.automaton.next(level.fsm, op).expect("the automaton allowed the operator");
            let ops = self.applicable[blank].and(self.automaton.allowed(fsm));
            counts.expanded += 1;
            counts.generated += ops.len() as u64;
            counts.pruned_by_fsm += (self.applicable[blank].len() - ops.len()) as u64;
            lane.deepest = lane.deepest.max(lane.depth + 1);
            if ops.is_empty() {
                continue;
            }
            counts.stages[0].looked_up += ops.len() as u64;
            (child.fsm, child.op, child.pending) = (fsm, op, ops);
            self.enter(level, child, slide);
            lane.depth += 1;
            return true;
        }
    }

    /// Makes `child` the child of a node that `child.op` leads to.
    #[inline(always)]
    fn enter(&self, level: &Level<P, Q>, child: &mut Level<P, Q>, slide: Slide) {
        let (from, to) = (usize::from(slide.from) % TILES, usize::from(level.blank) % TILES);
        let (at, tile) = (child.op.index() % OPS, level.cells.0[from]);
        child.cells = level.cells;
        (child.cells.0[to], child.cells.0[from]) = (tile, 0);
        child.placements = level.placements;
        let (lookups, number) = (&self.additive.lookups, usize::from(tile) % TILES);
        let mut sums = level.sums.0.wrapping_add(self.additive.ones.0);
        let mut places = (level.found >> (at * Q)) as u8 & Self::PLACES[1] as u8;
        child.unread = ((1 << lookups.counts[number]) - 1) as u8 & !places;
        while places != 0 {
            let place = places.trailing_zeros() as usize % Q;
            let pattern = usize::from(lookups.patterns[number][place]) % P;
            child.placements[pattern] = level.after[at][place];
            sums = sums.wrapping_sub(lookups.members[number][place]);
            places &= places - 1;
        }
        child.sums = Sums(sums);
        (child.blank, child.tile, child.slide) = (slide.from, tile, slide.cells);
        (child.tight, child.stage) = (level.tight, Stage::First);
        (child.open, child.found) = (OpSet::EMPTY, 0);
    }

    /// Whether a leaf, with no move left, is a goal that ends the subtree.
    #[cold]
    #[inline(never)]
    fn is_last<const BYTES: usize>(
        &self,
        lane: &Lane<'t, P, Q>,
        op: Op,
        queue: &mut Queue<'_, P, BYTES>,
        counts: &mut NodeCounts,
    ) -> bool {
        let level = &lane.levels[lane.depth];
        let (to, slide) =
            (usize::from(level.blank), self.slides[usize::from(level.blank) % TILES][op.index() % OPS]);
        let (from, mut cells) = (usize::from(slide.from), level.cells);
        cells.0.swap(from, to);
        if cells == self.goal {
            let above = lane.levels[1..=lane.depth].iter().map(|level| level.op);
            return queue.found(lane.number, above.chain([op]).collect());
        }
        let fsm = self.automaton.next(level.fsm, op).expect("the automaton allowed the operator");
        if !self.applicable[from].and(self.automaton.allowed(fsm)).is_empty() {
            counts.least_excess = 1;
        }
        false
    }
}
