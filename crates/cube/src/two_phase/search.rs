//! The searches of all views on all threads.
//!
//! The work is a sequence of subtrees: for each cost of the moves `p` and `q` outside H, in increasing order, each cost of
//! `q`, each of the six views of the cube, and each first turn. Threads take the next subtree; they share the length of the
//! best solution, which only decreases, so a thread that reads an older one searches too much, never too little. On one
//! thread the order is fixed.
//!
//! A view that is the image of another one, as of a symmetric cube, is left out.

use super::coordinates::{INNER, Outer, Places, is_inner};
use super::phase_one::PhaseOne;
use super::subtrees::{MOST, Subtree};
use super::views::{View, to_axis_of};
use super::{Found, Limits, TwoPhase};
use crate::cube::{Cube, Face, Turn};
use crate::metric::Metric;
use search_core::Run;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};

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

/// The data that the threads share.
struct Shared<'a> {
    cube: &'a Cube,
    limits: &'a Limits,
    run: &'a Run<'a>,
    improved: &'a (dyn Fn(&[Turn]) + Sync),
    metric: Metric,
    /// Solutions must be shorter than this.
    below: AtomicU32,
    best: Mutex<Option<Vec<Turn>>>,
    generated: AtomicU64,
    is_over: AtomicBool,
}

impl Shared<'_> {
    /// Takes a solution if it is shorter than all before.
    fn offer(&self, turns: Vec<Turn>) {
        assert!(self.cube.apply_all(turns.iter().copied()).is_solved(), "both phases solve the cube");
        let length = turns.iter().map(|&turn| self.metric.length(turn)).sum();
        let mut best = self.best.lock().expect("no thread panicked");
        if length >= self.below.load(Ordering::Relaxed) {
            return;
        }
        self.below.store(length, Ordering::Relaxed);
        (self.improved)(&turns);
        *best = Some(turns);
        if length <= self.limits.enough {
            self.is_over.store(true, Ordering::Relaxed);
        }
    }

    /// Adds to the nodes of all threads, and asks whether to stop.
    fn report(&self, more: u64) {
        let nodes = self.generated.fetch_add(more, Ordering::Relaxed) + more;
        let is_limited = self.below.load(Ordering::Relaxed) < MOST as u32;
        let is_spent = is_limited && self.limits.nodes.is_some_and(|most| nodes >= most);
        if is_spent || self.run.is_cancelled() {
            self.is_over.store(true, Ordering::Relaxed);
        }
    }
}

/// Searches for ever shorter solutions, as [`TwoPhase::solve`] says.
pub(super) fn solve<P: PhaseOne>(
    tables: &TwoPhase,
    bound: &P,
    cube: &Cube,
    limits: &Limits,
    improved: &(dyn Fn(&[Turn]) + Sync),
    run: &Run<'_>,
) -> Found {
    let shared = Shared {
        cube,
        limits,
        run,
        improved,
        metric: tables.metric,
        below: AtomicU32::new(limits.below.unwrap_or(u32::MAX).min(MOST as u32)),
        best: Mutex::new(None),
        generated: AtomicU64::new(0),
        is_over: AtomicBool::new(false),
    };
    if cube.is_solved() {
        shared.offer(Vec::new());
    }
    let views = View::all(cube);
    let counts = (views.iter().filter(|view| !view.is_inverse).count(), views.len());
    let next = AtomicUsize::new(0);
    run.each(|| {
        let mut worker = Worker::new(tables, bound, &shared);
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(subtree) = Subtree::of_number(number, counts, tables.metric) else { break };
            if shared.is_over.load(Ordering::Relaxed) || subtree.outside >= worker.below() {
                break;
            }
            worker.subtree(&views[subtree.view], &subtree);
        }
        shared.report(worker.unreported);
    });
    let best = shared.best.into_inner().expect("no thread panicked");
    Found { best, generated: shared.generated.into_inner() }
}

/// A node of phase 1.
#[derive(Clone, Copy)]
struct Node {
    at: Outer,
    /// The cost of phase 1 that is left.
    left: u32,
    last: Option<Face>,
}

/// A thread's search.
struct Worker<'a, P> {
    tables: &'a TwoPhase,
    bound: &'a P,
    shared: &'a Shared<'a>,
    /// The turns that may follow each face in phase 1 (index 6: none), where phase 1 costs this much more (the last: three
    /// or more).
    follow: [[Vec<Turn>; 4]; 7],
    /// The turns that may follow each face in phase 2, as numbers among the turns of H.
    follow_inner: [Vec<usize>; 7],
    /// The turns that may follow each face in `q`.
    follow_after: [Vec<Turn>; 7],
    turns: [Places; Turn::COUNT],
    costs: [u32; Turn::COUNT],
    /// The turns of the node.
    path: [Turn; MOST],
    /// The permutations after the first turns of the path; the first `known + 1` are up to date.
    places: [Places; MOST],
    known: usize,
    /// The coordinates along the other two axes after the first turns of the path; the first `known_beside + 1` are up to
    /// date.
    beside: [[Outer; 2]; MOST],
    known_beside: usize,
    /// Each turn as it is seen along the other two axes.
    turns_beside: [[Turn; 2]; Turn::COUNT],
    /// The turns of `q`.
    after: Vec<Turn>,
    unreported: u64,
}

/// The index of a last face.
#[inline(always)]
fn index(last: Option<Face>) -> usize {
    last.map_or(6, Face::index)
}

/// Whether a turn may follow a turn of `last`: no face twice in a row, opposite faces in one order.
fn may_follow(last: usize, turn: Turn) -> bool {
    let face = turn.face();
    last == 6 || face.index() != last && (face.opposite().index() != last || face.index() > last)
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
    fn new(tables: &'a TwoPhase, bound: &'a P, shared: &'a Shared<'a>) -> Worker<'a, P> {
        let metric = tables.metric;
        let (solved, home) = (Places::of(&Cube::SOLVED), Outer::of(&Cube::SOLVED));
        Worker {
            tables,
            bound,
            shared,
            follow: std::array::from_fn(|last| {
                std::array::from_fn(|left| {
                    let follows =
                        |turn: &Turn| may_follow(last, *turn) && may_be_at(*turn, left as u32, metric);
                    Turn::all().filter(follows).collect()
                })
            }),
            follow_inner: std::array::from_fn(|last| {
                (0..INNER.len()).filter(|&i| may_follow(last, INNER[i])).collect()
            }),
            follow_after: std::array::from_fn(|last| {
                Turn::all().filter(|&turn| may_follow(last, turn)).collect()
            }),
            turns: std::array::from_fn(|i| Places::of(Cube::of_turn(Turn::from_index(i)))),
            costs: std::array::from_fn(|i| metric.length(Turn::from_index(i))),
            path: [Turn::from_index(0); MOST],
            places: [solved; MOST],
            known: 0,
            beside: [[home; 2]; MOST],
            known_beside: 0,
            turns_beside: std::array::from_fn(|i| {
                [1, 2].map(|axis| to_axis_of(axis).turn(Turn::from_index(i)))
            }),
            after: Vec::new(),
            unreported: 0,
        }
    }

    /// The length that solutions must be shorter than.
    #[inline(always)]
    fn below(&self) -> u32 {
        self.shared.below.load(Ordering::Relaxed)
    }

    #[inline(always)]
    fn is_over(&self) -> bool {
        self.shared.is_over.load(Ordering::Relaxed)
    }

    /// Counts generated nodes, and asks at intervals whether to stop.
    #[inline(always)]
    fn count(&mut self, more: u64) {
        self.unreported += more;
        if self.unreported >= PACE {
            self.shared.report(std::mem::take(&mut self.unreported));
        }
    }

    /// Searches a subtree.
    fn subtree(&mut self, view: &View, subtree: &Subtree) {
        let Subtree { outside, after, number, .. } = *subtree;
        self.after.clear();
        if after > 0 {
            let turn = Turn::from_index(number);
            if !is_inner(turn) {
                self.ends(view, outside - after, after, Outer::of(&Cube::SOLVED), &[turn]);
            }
            return;
        }
        let root = self.root(&view.cube, outside);
        if number == Turn::COUNT {
            if outside == 0 && self.bound.read(self.bound.locate(root.at)) == 0 {
                self.phase_two(view, 0, 0, root);
            }
            return;
        }
        let turn = Turn::from_index(number);
        if !self.follow[index(None)][outside.min(3) as usize].contains(&turn) {
            return;
        }
        self.count(1);
        let (at, cost) = (self.tables.inner.outer.after(root.at, turn), self.costs[number]);
        if is_useful(self.bound.read(self.bound.locate(at)), outside - cost) {
            self.path[0] = turn;
            self.phase_one(view, 1, cost, Node { at, left: outside - cost, last: Some(turn.face()) });
        }
    }

    /// The root of the phases 1 of `cube` that cost `left`.
    fn root(&mut self, cube: &Cube, left: u32) -> Node {
        self.places[0] = Places::of(cube);
        self.beside[0] = [1, 2].map(|axis| Outer::of(&to_axis_of(axis).conjugate(cube)));
        (self.known, self.known_beside) = (0, 0);
        Node { at: Outer::of(cube), left, last: None }
    }

    /// Searches with every `q` that continues the turns so far by one of `turns` and costs `left` more. The cost of `p` is
    /// `before`, and `at` has the coordinates of the turns so far.
    fn ends(&mut self, view: &View, before: u32, left: u32, at: Outer, turns: &[Turn]) {
        let mut places = [P::Place::default(); Turn::COUNT];
        let maps = view.maps();
        for (place, &turn) in places.iter_mut().zip(turns) {
            if self.costs[turn.index()] == left {
                *place = self.bound.locate(maps.after(self.tables.inner.outer.after(at, turn)));
            }
        }
        self.count(turns.len() as u64);
        for (&place, &turn) in places.iter().zip(turns) {
            let Some(left) = left.checked_sub(self.costs[turn.index()]) else { continue };
            self.after.push(turn);
            if left > 0 {
                let follow = std::mem::take(&mut self.follow_after[turn.face().index()]);
                self.ends(view, before, left, self.tables.inner.outer.after(at, turn), &follow);
                self.follow_after[turn.face().index()] = follow;
            } else if is_useful(self.bound.read(place), before) {
                let cube = Cube::SOLVED.apply_all(self.after.iter().copied()).compose(&view.cube);
                let root = self.root(&cube, before);
                let spent = self.after.iter().map(|turn| self.costs[turn.index()]).sum();
                if self.is_near(0, spent) {
                    self.phase_one(view, 0, spent, root);
                }
            }
            self.after.pop();
            if self.is_over() {
                return;
            }
        }
    }

    /// Searches below a node of phase 1, which has `depth` turns and costs `spent`.
    fn phase_one(&mut self, view: &View, depth: usize, spent: u32, node: Node) {
        if node.left == 0 {
            return self.phase_two(view, depth, spent, node);
        }
        let mut places = [P::Place::default(); Turn::COUNT];
        let turns = &self.follow[index(node.last)][node.left.min(3) as usize];
        for (place, &turn) in places.iter_mut().zip(turns) {
            *place = self.bound.locate(self.tables.inner.outer.after(node.at, turn));
        }
        let count = turns.len();
        self.count(count as u64);
        for i in 0..count {
            let turn = self.follow[index(node.last)][node.left.min(3) as usize][i];
            let cost = self.costs[turn.index()];
            if is_useful(self.bound.read(places[i]), node.left - cost) {
                self.path[depth] = turn;
                self.known = self.known.min(depth);
                self.known_beside = self.known_beside.min(depth);
                if self.is_near(depth + 1, spent + cost) {
                    let at = self.tables.inner.outer.after(node.at, turn);
                    let child = Node { at, left: node.left - cost, last: Some(turn.face()) };
                    self.phase_one(view, depth + 1, spent + cost, child);
                    if self.is_over() {
                        return;
                    }
                }
            }
        }
    }

    /// Whether a node after `depth` turns, which cost `spent`, may be near enough to the solved cube, as far as the distances
    /// along the other two axes tell.
    #[inline(always)]
    fn is_near(&mut self, depth: usize, spent: u32) -> bool {
        let Some(room) = (self.below() - 1).checked_sub(spent) else { return false };
        if room > most_unchecked(self.tables.metric) {
            return true;
        }
        while self.known_beside < depth {
            let turns = self.turns_beside[self.path[self.known_beside].index()];
            let at = &self.beside[self.known_beside];
            self.beside[self.known_beside + 1] =
                [0, 1].map(|axis| self.tables.inner.outer.after(at[axis], turns[axis]));
            self.known_beside += 1;
        }
        let places = self.beside[depth].map(|at| self.bound.locate(at));
        places.iter().all(|&place| u32::from(self.bound.read(place)) <= room)
    }

    /// Continues a complete phase 1 of `depth` turns, if the whole can be shorter than the best solution.
    fn phase_two(&mut self, view: &View, depth: usize, spent: u32, node: Node) {
        let Some(most) = (self.below() - 1).checked_sub(spent) else { return };
        let most = most.min(most_inner(self.tables.metric));
        while self.known < depth {
            let turn = self.path[self.known];
            self.places[self.known + 1] = self.places[self.known].then(&self.turns[turn.index()]);
            self.known += 1;
        }
        let places = &self.places[depth];
        let inner = &self.tables.inner;
        let (corners, slice) = (places.corners(), places.slice());
        let bound = inner.corners.get(corners, slice);
        if u32::from(bound) > most {
            return;
        }
        let edges = places.edges();
        let bound = u32::from(bound.max(inner.edges.get(edges, slice)));
        let at = Inside { corners, edges, slice };
        for left in bound..=most {
            if let Some(end) = self.inside(depth, at, left, index(node.last)) {
                let turns = [&self.path[..end], &self.after].concat();
                return self.shared.offer(view.solution(&turns));
            }
            if self.is_over() {
                return;
            }
        }
    }

    /// Searches for a phase 2 that costs at most `left`; returns the length of the whole path.
    fn inside(&mut self, depth: usize, at: Inside, left: u32, last: usize) -> Option<usize> {
        let tables = &self.tables.inner;
        if tables.corners.get(at.corners, at.slice) == 0 && tables.edges.get(at.edges, at.slice) == 0 {
            return Some(depth);
        }
        for i in 0..self.follow_inner[last].len() {
            let turn = self.follow_inner[last][i];
            let Some(left) = left.checked_sub(self.costs[INNER[turn].index()]) else { continue };
            let next = Inside {
                corners: tables.moves.corners[at.corners as usize][turn],
                edges: tables.moves.edges[at.edges as usize][turn],
                slice: tables.moves.slice[at.slice as usize][turn],
            };
            self.count(1);
            if u32::from(tables.corners.get(next.corners, next.slice)) > left
                || u32::from(tables.edges.get(next.edges, next.slice)) > left
            {
                continue;
            }
            self.path[depth] = INNER[turn];
            let end = self.inside(depth + 1, next, left, INNER[turn].face().index());
            if end.is_some() || self.is_over() {
                return end;
            }
        }
        None
    }
}

/// The coordinates of phase 2.
#[derive(Clone, Copy)]
struct Inside {
    corners: u16,
    edges: u16,
    slice: u16,
}
