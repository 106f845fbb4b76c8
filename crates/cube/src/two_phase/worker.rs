//! A thread's search of a subtree, with several nodes of phase 1 in flight.
//!
//! The table of cosets does not fit in the caches, and a search that waits for each read spends half of its time there. So
//! nodes lie on a stack, and some of them are in flight: the entries of a node's children are located and prefetched, and
//! read when those of the other nodes in flight are prefetched too. The order is fixed, since nothing depends on when a
//! line arrives.

use super::TwoPhase;
use super::coordinates::{Outer, Places, is_inner, may_follow};
use super::phase_one::PhaseOne;
use super::phase_two::PhaseTwo;
use super::shared::Shared;
use super::subtrees::{MOST, MOST_AFTER, Subtree};
use super::tails::TAIL;
use super::views::{View, to_axis_of};
use crate::cube::{Cube, Turn};
use crate::metric::Metric;
use std::collections::VecDeque;

/// The number of nodes in flight.
const AHEAD: usize = 8;
/// The number of `q` in flight.
const ENDS_AHEAD: usize = 32;
/// The nodes between two questions whether to stop, some tens of microseconds.
const PACE: u64 = 1 << 10;
/// A phase 1 that has reached H is not continued with fewer moves than this: none so short returns to H with a quarter
/// turn as its last move.
const DETOUR: u32 = 5;
/// The nodes from which at most this many moves are left are looked up along the other two axes too: most values are
/// greater.
fn most_unchecked(metric: Metric) -> u32 {
    match metric {
        Metric::Htm | Metric::Stm | Metric::Axial => 9,
        Metric::Qtm => 11,
    }
}

/// The greatest length of phase 2: about one element of H in a hundred is so near in half turns.
fn most_inner(metric: Metric) -> u32 {
    match metric {
        Metric::Htm | Metric::Stm | Metric::Axial => 10,
        Metric::Qtm => 14,
    }
}

/// The turns of `q`.
#[derive(Clone, Copy)]
struct After {
    turns: [Turn; MOST_AFTER as usize],
    count: u8,
}

impl After {
    const NONE: After = After { turns: [Turn::from_index(0); MOST_AFTER as usize], count: 0 };

    fn then(mut self, turn: Turn) -> After {
        self.turns[usize::from(self.count)] = turn;
        self.count += 1;
        self
    }

    fn as_slice(&self) -> &[Turn] {
        &self.turns[..usize::from(self.count)]
    }
}

/// A node of phase 1.
#[derive(Clone, Copy)]
struct Node {
    at: Outer,
    /// The coordinates along the other two axes.
    beside: [Outer; 2],
    places: Places,
    path: [Turn; MOST],
    depth: usize,
    /// The cost of phase 1 that is left.
    left: u32,
    /// The cost of the turns so far, those of `q` too.
    spent: u32,
    /// The index of the last turn's face; 6: none.
    last: usize,
    after: After,
}

/// A node in flight, with the places of the entries that are prefetched.
enum InFlight<P> {
    /// The entries of the node along the other two axes.
    Beside(Node, [P; 2]),
    /// The entries of its children.
    Children(Node, [P; Turn::COUNT]),
}

/// A thread's search.
pub(super) struct Worker<'a, P: PhaseOne> {
    tables: &'a TwoPhase,
    bound: &'a P,
    shared: &'a Shared<'a>,
    /// The turns that may follow each face in phase 1 (index 6: none), where phase 1 costs this much more (the last: three
    /// or more).
    follow: [[Vec<Turn>; 4]; 7],
    /// The turns that may follow each face in `q`.
    follow_after: [Vec<Turn>; 7],
    turns: [Places; Turn::COUNT],
    costs: [u32; Turn::COUNT],
    /// Each turn as it is seen along the other two axes.
    turns_beside: [[Turn; 2]; Turn::COUNT],
    phase_two: PhaseTwo<'a>,
    stack: Vec<Node>,
    in_flight: VecDeque<InFlight<P::Place>>,
    ends: VecDeque<(After, P::Place)>,
    /// The turns of phase 2.
    run: Vec<Turn>,
    unreported: u64,
}

/// Whether phase 1 may have this turn where it costs `left` more: its last turn is not of H.
fn may_be_at(turn: Turn, left: u32, metric: Metric) -> bool {
    let cost = metric.length(turn);
    cost < left || cost == left && !is_inner(turn)
}

/// Whether a node with this bound may lead to a phase 1 that costs `left` more.
#[inline(always)]
fn is_useful(bound: u8, left: u32) -> bool {
    u32::from(bound) <= left && (bound > 0 || left == 0 || left >= DETOUR)
}

impl<'a, P: PhaseOne> Worker<'a, P> {
    pub(super) fn new(tables: &'a TwoPhase, bound: &'a P, shared: &'a Shared<'a>) -> Worker<'a, P> {
        let metric = tables.metric;
        let follow = |last, left| {
            let follows = |turn: &Turn| may_follow(last, *turn) && may_be_at(*turn, left, metric);
            Turn::all().filter(follows).collect()
        };
        Worker {
            tables,
            bound,
            shared,
            follow: std::array::from_fn(|last| std::array::from_fn(|left| follow(last, left as u32))),
            follow_after: std::array::from_fn(|last| {
                Turn::all().filter(|&turn| may_follow(last, turn)).collect()
            }),
            turns: std::array::from_fn(|i| Places::of(Cube::of_turn(Turn::from_index(i)))),
            costs: std::array::from_fn(|i| metric.length(Turn::from_index(i))),
            turns_beside: std::array::from_fn(|i| {
                [1, 2].map(|axis| to_axis_of(axis).turn(Turn::from_index(i)))
            }),
            phase_two: PhaseTwo::new(tables),
            stack: Vec::new(),
            in_flight: VecDeque::with_capacity(AHEAD),
            ends: VecDeque::with_capacity(ENDS_AHEAD),
            run: Vec::new(),
            unreported: 0,
        }
    }

    /// The nodes that are not reported yet.
    pub(super) fn unreported(&self) -> u64 {
        self.unreported
    }

    /// Counts generated nodes, and asks at intervals whether to stop.
    #[inline(always)]
    fn count(&mut self, more: usize) {
        self.unreported += more as u64;
        if self.unreported >= PACE {
            self.shared.report(std::mem::take(&mut self.unreported));
        }
    }

    /// Searches a subtree.
    pub(super) fn subtree(&mut self, view: &View, subtree: &Subtree) {
        let Subtree { outside, after, number, .. } = *subtree;
        let turn = (number < Turn::COUNT).then(|| Turn::from_index(number));
        match turn {
            Some(turn) if after > 0 => {
                if is_inner(turn) {
                    return;
                }
                self.ends(view, outside - after, after, Outer::of(&Cube::SOLVED), After::NONE, &[turn]);
                while !self.ends.is_empty() && !self.shared.is_over() {
                    self.oldest_end(view, outside - after, after);
                }
            }
            Some(turn) => {
                let root = self.root(&view.cube, After::NONE, 0, outside);
                if self.follow[6][outside.min(3) as usize].contains(&turn) {
                    self.count(1);
                    let at = self.tables.inner.outer.after(root.at, turn);
                    let child = self.child(&root, turn, at);
                    if is_useful(self.bound.read(self.bound.locate(at)), child.left) {
                        self.stack.push(child);
                    }
                }
            }
            None if outside == 0 && self.bound.read(self.bound.locate(Outer::of(&view.cube))) == 0 => {
                let root = self.root(&view.cube, After::NONE, 0, 0);
                self.inside(view, &root, &[], &root.places, 0);
            }
            None => {}
        }
        self.phase_one(view);
        self.stack.clear();
        self.in_flight.clear();
        self.ends.clear();
    }

    /// The root of the phases 1 of `cube` that cost `left`.
    fn root(&self, cube: &Cube, after: After, spent: u32, left: u32) -> Node {
        let beside = |axis| Outer::of(&to_axis_of(axis).conjugate(cube));
        Node {
            at: Outer::of(cube),
            beside: [beside(1), beside(2)],
            places: Places::of(cube),
            path: [Turn::from_index(0); MOST],
            depth: 0,
            left,
            spent,
            last: 6,
            after,
        }
    }

    /// The child of a node by a turn, which has the coordinates `at`.
    #[inline(always)]
    fn child(&self, node: &Node, turn: Turn, at: Outer) -> Node {
        let (mut child, cost) = (*node, self.costs[turn.index()]);
        let [first, second] = self.turns_beside[turn.index()];
        let outer = &self.tables.inner.outer;
        child.at = at;
        child.beside = [outer.after(node.beside[0], first), outer.after(node.beside[1], second)];
        child.places = node.places.then(&self.turns[turn.index()]);
        child.path[node.depth] = turn;
        child.depth += 1;
        child.left -= cost;
        child.spent += cost;
        child.last = turn.face().index();
        child
    }

    /// Searches with every `q` that continues `after` by one of `turns` and costs `left` more. The cost of `p` is `before`,
    /// and `at` has the coordinates of `after`.
    fn ends(&mut self, view: &View, before: u32, left: u32, at: Outer, after: After, turns: &[Turn]) {
        let maps = view.maps();
        self.count(turns.len());
        for &turn in turns {
            let Some(left) = left.checked_sub(self.costs[turn.index()]) else { continue };
            let (at, after) = (self.tables.inner.outer.after(at, turn), after.then(turn));
            if left > 0 {
                let follow = std::mem::take(&mut self.follow_after[turn.face().index()]);
                self.ends(view, before, left, at, after, &follow);
                self.follow_after[turn.face().index()] = follow;
            } else {
                self.ends.push_back((after, self.bound.locate(maps.after(at))));
                if self.ends.len() == ENDS_AHEAD {
                    let spent = after.as_slice().iter().map(|turn| self.costs[turn.index()]).sum();
                    self.oldest_end(view, before, spent);
                }
            }
            if self.shared.is_over() {
                return;
            }
        }
    }

    /// Begins the searches with the `q` that has been in flight longest. The cost of `p` is `before`, that of `q` is
    /// `spent`.
    fn oldest_end(&mut self, view: &View, before: u32, spent: u32) {
        let Some((after, place)) = self.ends.pop_front() else { return };
        if is_useful(self.bound.read(place), before) {
            let cube = Cube::SOLVED.apply_all(after.as_slice().iter().copied()).compose(&view.cube);
            self.stack.push(self.root(&cube, after, spent, before));
            // Several roots share the time of their reads.
            if self.stack.len() >= AHEAD {
                self.phase_one(view);
            }
        }
    }

    /// Searches below the nodes of the stack.
    fn phase_one(&mut self, view: &View) {
        loop {
            while self.in_flight.len() < AHEAD
                && let Some(node) = self.stack.pop()
            {
                self.begin(view, node);
            }
            match self.in_flight.pop_front() {
                None => return,
                Some(InFlight::Beside(node, places)) => {
                    let room = self.room(node.spent);
                    let is_near = |place| room.is_some_and(|room| u32::from(self.bound.read(place)) <= room);
                    if places.into_iter().all(is_near) {
                        self.expand(view, node);
                    }
                }
                Some(InFlight::Children(node, places)) => self.children(&node, &places),
            }
            if self.shared.is_over() {
                return;
            }
        }
    }

    /// The moves that are left for a solution shorter than the best, after turns that cost `spent`.
    #[inline(always)]
    fn room(&self, spent: u32) -> Option<u32> {
        (self.shared.below() - 1).checked_sub(spent)
    }

    /// Puts a node in flight.
    #[inline(always)]
    fn begin(&mut self, view: &View, node: Node) {
        match self.room(node.spent) {
            None => {}
            Some(room) if room <= most_unchecked(self.tables.metric) => {
                let places = [self.bound.locate(node.beside[0]), self.bound.locate(node.beside[1])];
                self.in_flight.push_back(InFlight::Beside(node, places));
            }
            Some(_) => self.expand(view, node),
        }
    }

    /// Locates the children of a node, or ends phase 1.
    #[inline(always)]
    fn expand(&mut self, view: &View, node: Node) {
        match node.left {
            0 => self.inside(view, &node, &[], &node.places, node.spent),
            TAIL => self.tails(view, &node),
            left => {
                let mut places = [P::Place::default(); Turn::COUNT];
                let turns = &self.follow[node.last][left.min(3) as usize];
                for (place, &turn) in places.iter_mut().zip(turns) {
                    *place = self.bound.locate(self.tables.inner.outer.after(node.at, turn));
                }
                self.count(turns.len());
                self.in_flight.push_back(InFlight::Children(node, places));
            }
        }
    }

    /// Reads the entries of a node's children, and adds those that remain to the stack.
    #[inline(always)]
    fn children(&mut self, node: &Node, places: &[P::Place; Turn::COUNT]) {
        let turns = &self.follow[node.last][node.left.min(3) as usize];
        for (&place, &turn) in places.iter().zip(turns) {
            if is_useful(self.bound.read(place), node.left - self.costs[turn.index()]) {
                let child = self.child(node, turn, self.tables.inner.outer.after(node.at, turn));
                self.stack.push(child);
            }
        }
    }

    /// Continues a node by each of its tails.
    fn tails(&mut self, view: &View, node: &Node) {
        let spent = node.spent + TAIL;
        let tables = self.tables;
        for tail in tables.tails.of(node.at) {
            self.count(1);
            let Some(room) = self.room(spent) else { return };
            let corners = node.places.corners_after(&tail.corners);
            let turns = tail.turns();
            if u32::from(tables.inner.corners_alone[usize::from(corners)]) <= room
                && may_follow(node.last, turns[0])
            {
                let then = |places: Places, turn: &Turn| places.then(&self.turns[turn.index()]);
                let places = turns.iter().fold(node.places, then);
                self.inside(view, node, turns, &places, spent);
            }
        }
    }

    /// Continues a complete phase 1, of the turns of a node and its tail, if the whole can be shorter than the best
    /// solution.
    fn inside(&mut self, view: &View, node: &Node, tail: &[Turn], places: &Places, spent: u32) {
        let Some(room) = self.room(spent) else { return };
        let most = room.min(most_inner(self.tables.metric));
        let last = tail.last().map_or(node.last, |turn| turn.face().index());
        let mut generated = 0;
        let mut count = |more: u64| {
            generated += more;
            if generated % PACE < more {
                self.shared.report(0);
            }
            !self.shared.is_over()
        };
        self.run.clear();
        if self.phase_two.search(places, most, last, &mut self.run, &mut count) {
            let path = [&node.path[..node.depth], tail, &self.run, node.after.as_slice()].concat();
            self.shared.offer(view.solution(&path));
        }
        self.count(generated as usize);
    }
}
