//! Operators on shapes and arrangements.
//!
//! The idea: an operator leads from a row to a row, and its movement of a component's slots is one of a few, so a map of the
//! arrangements for each movement serves all rows. Without free moves, rows are shapes and operators are moves. With free
//! moves, a row is a class of shapes, and an operator has three parts: a turn by free moves, a counted move, and the turn to the
//! first shape of the class that is reached.

use std::collections::HashMap;

use search_core::domain::{Lengths, MOST_OPS};
use search_core::{Cancelled, Op, OpSet, Run};

use super::MOST_COMPONENTS;
use super::arrangement::Arrangements;
use super::components::{Component, Shape};
use super::space::State;
use crate::coordinate::NONE;
use crate::model::Transformation;
use crate::system::System;

/// The maximum number of bytes of the maps of arrangements.
const MOST_BYTES: usize = 256 << 20;

/// The movement of each component, by its number.
pub(super) type Movements = [u16; MOST_COMPONENTS];

/// The operators of a puzzle with rules.
#[derive(Debug)]
pub struct Steps {
    ops: usize,
    /// For each row and operator, the row that it leads to, or [`NONE`], and its movements.
    steps: Vec<(u16, Movements)>,
    legal: Vec<OpSet>,
    /// For each component, the number of its arrangements, and for each movement the arrangement that follows each.
    maps: Vec<(usize, Vec<u16>)>,
    /// The solved state, and the others of its class.
    goals: Vec<State>,
    /// For each row, the movements by which free moves keep its first shape, but for none.
    keeping: Vec<Vec<Movements>>,
    /// For each row, whether an odd number of operators leads to it, if that is certain.
    parity: Option<Vec<bool>>,
    depth: usize,
    classes: Option<Turns>,
}

/// Turns by free moves.
#[derive(Debug)]
struct Turns {
    counted: usize,
    /// For each shape, its row, the free moves that lead to the first shape of the row, and their movements.
    normal: Vec<(u16, Vec<u8>, Movements)>,
    /// For each row, its first shape and the turns from there.
    rows: Vec<(usize, Vec<Vec<u8>>)>,
}

/// Different movements of a component's slots, each with a sequence of movements by single moves that amounts to it.
#[derive(Default)]
struct Known {
    numbers: HashMap<Vec<u8>, u16>,
    single: Vec<Vec<u16>>,
}

/// Movements by several moves: the shape that they lead to, and for each component the slots and the single movements.
struct Path {
    shape: usize,
    slots: Vec<Vec<u8>>,
    single: Vec<Vec<u16>>,
}

impl Path {
    fn of(shape: &Shape, kept: &[(Component, Arrangements)], from: usize, moves: &[u8]) -> Option<Path> {
        let slots = kept.iter().map(|(of, _)| (0..of.solved.len()).map(|slot| slot as u8).collect());
        let mut path = Path { shape: from, slots: slots.collect(), single: vec![Vec::new(); kept.len()] };
        for &op in moves {
            let at = path.shape * shape.moves + usize::from(op);
            for ((of, _), (slots, single)) in kept.iter().zip(path.slots.iter_mut().zip(&mut path.single)) {
                let number = of.of_moves[at];
                let movement = &of.movements[usize::from(number)];
                *slots = movement.iter().map(|&slot| slots[usize::from(slot)]).collect();
                single.push(number);
            }
            path.shape = shape.after(path.shape, usize::from(op))?;
        }
        Some(path)
    }

    /// The numbers of its movements; `None` if there are too many.
    fn numbers(self, known: &mut [Known]) -> Option<Movements> {
        let mut numbers = [0; MOST_COMPONENTS];
        for (number, ((slots, single), known)) in
            numbers.iter_mut().zip(self.slots.into_iter().zip(self.single).zip(known))
        {
            let new = u16::try_from(known.single.len()).ok()?;
            *number = *known.numbers.entry(slots).or_insert(new);
            if *number == new {
                known.single.push(single);
            }
        }
        Some(numbers)
    }
}

impl Steps {
    /// The operators of a puzzle without free moves: its moves. `None` if the maps of arrangements are too large.
    pub(super) fn of_moves(shape: &Shape, kept: &[(Component, Arrangements)]) -> Option<Steps> {
        let maps: Vec<(usize, Vec<u16>)> = kept.iter().map(single_maps).collect::<Option<_>>()?;
        let step = |(at, &to): (usize, &u16)| {
            let mut movements = [0; MOST_COMPONENTS];
            for (movement, (of, _)) in movements.iter_mut().zip(kept) {
                *movement = of.of_moves[at];
            }
            (to, movements)
        };
        let steps = shape.next.iter().enumerate().map(step).collect();
        let goals = vec![solved(kept)];
        let keeping = vec![Vec::new(); shape.count()];
        Some(Steps::new(shape.moves, steps, maps, goals, keeping, None))
    }

    /// The operators of a puzzle with free moves. `None` if there are too many operators or movements.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub(super) fn of_classes(
        system: &System,
        shape: &Shape,
        kept: &[(Component, Arrangements)],
        run: &Run<'_>,
    ) -> Result<Option<Steps>, Cancelled> {
        let Some(turns) = Turns::new(system, shape, kept) else { return Ok(None) };
        let (mut turns, mut known) = turns;
        let (mut steps, mut keeping, mut ops) = (Vec::new(), Vec::new(), 0);
        for (first, of_row) in &turns.rows {
            run.check()?;
            let (mut of_ops, mut of_keeping) = (Vec::new(), Vec::new());
            for turn in of_row {
                let Some(path) = Path::of(shape, kept, *first, turn) else { return Ok(None) };
                let turned = path.shape;
                if turned == *first && !turn.is_empty() {
                    let Some(movements) = path.numbers(&mut known) else { return Ok(None) };
                    of_keeping.push(movements);
                }
                for counted in 0..turns.counted {
                    let Some(after) = shape.after(turned, counted) else {
                        of_ops.push((NONE, [0; MOST_COMPONENTS]));
                        continue;
                    };
                    let (row, normal, _) = &turns.normal[after];
                    let moves = [&turn[..], &[counted as u8], &normal[..]].concat();
                    let path = Path::of(shape, kept, *first, &moves);
                    let movements = path.and_then(|path| path.numbers(&mut known));
                    let Some(movements) = movements else { return Ok(None) };
                    of_ops.push((*row, movements));
                }
            }
            ops = ops.max(of_ops.len());
            steps.push(of_ops);
            keeping.push(of_keeping);
        }
        for (from, (_, normal, movements)) in turns.normal.iter_mut().enumerate() {
            let path = Path::of(shape, kept, from, normal);
            match path.and_then(|path| path.numbers(&mut known)) {
                Some(numbers) => *movements = numbers,
                None => return Ok(None),
            }
        }
        if ops > MOST_OPS {
            return Ok(None);
        }
        steps.iter_mut().for_each(|of_ops| of_ops.resize(ops, (NONE, [0; MOST_COMPONENTS])));
        let maps = kept.iter().zip(&known).map(|(of, known)| composed_maps(of, known, run));
        let Some(maps) = maps.collect::<Option<Vec<_>>>() else { return Ok(None) };
        let mut all = Steps::new(ops, steps.concat(), maps, vec![solved(kept)], keeping, Some(turns));
        let goals = all.images(&all.goals[0]).collect::<Vec<_>>();
        all.goals.extend(goals);
        Ok(Some(all))
    }

    fn new(
        ops: usize,
        steps: Vec<(u16, Movements)>,
        maps: Vec<(usize, Vec<u16>)>,
        goals: Vec<State>,
        keeping: Vec<Vec<Movements>>,
        classes: Option<Turns>,
    ) -> Steps {
        let legal = steps.chunks_exact(ops).map(|row| {
            let legal = row.iter().enumerate().filter(|(_, step)| step.0 != NONE);
            legal.map(|(op, _)| Op::new(op)).collect()
        });
        let legal: Vec<OpSet> = legal.collect();
        let mut all = Steps { ops, legal, steps, maps, goals, keeping, parity: None, depth: 0, classes };
        all.measure();
        all
    }

    /// Finds the greatest distance of a row, and the parities of the distances.
    fn measure(&mut self) {
        let mut distances = vec![usize::MAX; self.rows()];
        distances[0] = 0;
        let (mut found, mut at) = (vec![0], 0);
        while at < found.len() {
            let row: usize = found[at];
            for op in self.legal[row] {
                let to = usize::from(self.steps[row * self.ops + op.index()].0);
                if distances[to] == usize::MAX {
                    distances[to] = distances[row] + 1;
                    found.push(to);
                }
            }
            at += 1;
        }
        self.depth = distances[found[found.len() - 1]];
        let odd: Vec<bool> = distances.iter().map(|distance| distance % 2 == 1).collect();
        let alternates = (0..self.rows()).all(|row| {
            let mut rows = self.legal[row].into_iter().map(|op| self.steps[row * self.ops + op.index()].0);
            rows.all(|to| odd[usize::from(to)] != odd[row])
        });
        self.parity = alternates.then_some(odd);
    }

    /// The maximum number of operators of a state.
    pub fn ops(&self) -> usize {
        self.ops
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.legal.len()
    }

    /// The greatest number of operators to a row.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// The number of arrangements of a component.
    pub fn arrangements(&self, component: usize) -> usize {
        self.maps[component].0
    }

    /// The arrangement that follows each by a movement of a component.
    pub(super) fn map(&self, component: usize, movement: u16) -> &[u16] {
        let (count, flat) = &self.maps[component];
        &flat[usize::from(movement) * count..][..*count]
    }

    /// The number of movements of a component.
    pub(super) fn movements(&self, component: usize) -> usize {
        let (count, flat) = &self.maps[component];
        flat.len() / count
    }

    /// The solved states.
    pub(super) fn goals(&self) -> &[State] {
        &self.goals
    }

    /// The movements by which free moves keep the first shape of a row, but for none.
    pub(super) fn keeping(&self, row: usize) -> &[Movements] {
        &self.keeping[row]
    }

    /// The row that an operator leads to, and the movement of a component; `None` if it does not apply.
    #[inline(always)]
    pub(super) fn step(&self, row: usize, op: usize, component: usize) -> Option<(u16, u16)> {
        let (to, movements) = self.steps[row * self.ops + op];
        (to != NONE).then_some((to, movements[component]))
    }

    /// The operators that apply to a row.
    #[inline(always)]
    pub(super) fn legal(&self, state: &State) -> OpSet {
        self.legal[usize::from(state[0])]
    }

    /// The row that an operator leads to, and the movements of the components.
    #[inline(always)]
    pub(super) fn located(&self, row: usize, op: Op) -> (usize, &Movements) {
        let (to, movements) = &self.steps[row * self.ops + op.index()];
        (usize::from(*to), movements)
    }

    /// The number of arrangements of a component, and for each movement the arrangement that follows each.
    #[inline(always)]
    pub(super) fn maps(&self, component: usize) -> (usize, &[u16]) {
        let (count, flat) = &self.maps[component];
        (*count, flat)
    }

    /// The operators that apply to a row, by its number.
    pub(super) fn legal_in(&self, row: usize) -> OpSet {
        self.legal[row]
    }

    /// The average number of operators that apply to a row.
    pub(crate) fn mean_legal(&self) -> f64 {
        let all: usize = self.legal.iter().map(|legal| legal.len()).sum();
        all as f64 / self.rows() as f64
    }

    /// The state that an operator leads to.
    #[inline(always)]
    pub(super) fn after(&self, state: &State, op: Op) -> State {
        let (row, movements) = &self.steps[usize::from(state[0]) * self.ops + op.index()];
        self.moved(state, *row, movements)
    }

    #[inline(always)]
    fn moved(&self, state: &State, row: u16, movements: &Movements) -> State {
        let mut to = [row, 0, 0, 0];
        for (at, (count, flat)) in self.maps.iter().enumerate() {
            to[at + 1] = flat[usize::from(movements[at]) * count + usize::from(state[at + 1])];
        }
        to
    }

    /// The other states of the class of a state, which free moves that keep the shape lead to.
    #[inline(always)]
    pub(super) fn images(&self, state: &State) -> impl Iterator<Item = State> + '_ {
        let state = *state;
        self.keeping[usize::from(state[0])]
            .iter()
            .map(move |movements| self.moved(&state, state[0], movements))
    }

    /// The lengths of solutions of a state.
    pub(super) fn lengths(&self, state: &State) -> Lengths {
        self.parity.as_ref().map_or(Lengths::ANY, |odd| Lengths::parity(odd[usize::from(state[0])]))
    }

    /// The state of a shape with arrangements, of which the first number is still to be set.
    pub(super) fn first(&self, shape: usize, mut state: State) -> State {
        match &self.classes {
            None => {
                state[0] = shape as u16;
                state
            }
            Some(turns) => {
                let (row, _, movements) = &turns.normal[shape];
                self.moved(&state, *row, movements)
            }
        }
    }

    /// The moves that operators stand for, from a state with the given shape, with free moves before, between and after them; `None` if
    /// they do not lead to the solved state.
    pub(super) fn word(
        &self,
        system: &System,
        shape: &Shape,
        start: (usize, State),
        ops: &[Op],
    ) -> Option<Vec<usize>> {
        let Some(turns) = &self.classes else { return Some(ops.iter().map(|op| op.index()).collect()) };
        let (mut at, mut state) = start;
        let (mut word, mut free): (Vec<usize>, Vec<u8>) = (Vec::new(), Vec::new());
        for &op in ops {
            let row = usize::from(state[0]);
            if !self.legal.get(row)?.contains(op) {
                return None;
            }
            free.extend(&turns.normal[at].1);
            let (first, of_row) = &turns.rows[row];
            let turn = of_row.get(op.index() / turns.counted)?;
            free.extend(turn);
            let turned = turn.iter().try_fold(*first, |at, &op| shape.after(at, usize::from(op)))?;
            let counted = op.index() % turns.counted;
            word.extend(merged(system, &std::mem::take(&mut free))?);
            word.push(counted);
            at = shape.after(turned, counted)?;
            state = self.after(&state, op);
        }
        free.extend(&turns.normal[at].1);
        let row = usize::from(state[0]);
        let (first, of_row) = turns.rows.get(row)?;
        if state != self.goals[0] {
            let leads =
                |turn: &[u8]| turn.iter().try_fold(*first, |at, &op| shape.after(at, usize::from(op)));
            let keeping = of_row.iter().filter(|turn| !turn.is_empty() && leads(turn) == Some(*first));
            let mut keeping = keeping.zip(self.images(&state));
            free.extend(keeping.find(|(_, image)| *image == self.goals[0])?.0);
        }
        word.extend(merged(system, &free)?);
        Some(word)
    }
}

impl Turns {
    /// The turns of all shapes, whose movements are not known yet; `None` if free moves cannot be undone.
    fn new(
        system: &System,
        shape: &Shape,
        kept: &[(Component, Arrangements)],
    ) -> Option<(Turns, Vec<Known>)> {
        let counted = system.moves() - system.free.iter().map(Vec::len).sum::<usize>();
        let (mut normal, mut rows) = (vec![None; shape.count()], Vec::new());
        for first in 0..shape.count() {
            if normal[first].is_some() {
                continue;
            }
            let row = u16::try_from(rows.len()).ok()?;
            let turns = turns(system, shape, first);
            for (to, _) in &turns {
                let back = self::turns(system, shape, *to).into_iter().find(|(back, _)| *back == first)?.1;
                normal[*to] = Some((row, back, [0; MOST_COMPONENTS]));
            }
            rows.push((first, turns.into_iter().map(|(_, turn)| turn).collect()));
        }
        let known = kept.iter().map(|_| Known::default()).collect();
        Some((Turns { counted, normal: normal.into_iter().collect::<Option<_>>()?, rows }, known))
    }
}

/// All turns by free moves from a shape, each a legal power of each base or none, with the shapes that they lead to; the first is none.
fn turns(system: &System, shape: &Shape, from: usize) -> Vec<(usize, Vec<u8>)> {
    let mut turns = vec![(from, Vec::new())];
    for base in &system.free {
        for (at, turn) in turns.clone() {
            for &op in base {
                if let Some(to) = shape.after(at, op) {
                    turns.push((to, [&turn[..], &[op as u8]].concat()));
                }
            }
        }
    }
    turns
}

/// The free moves that some free moves amount to: at most one of each base.
fn merged(system: &System, moves: &[u8]) -> Option<Vec<usize>> {
    let step = |number: usize| &system.reduction.moves()[number].transformation;
    let mut merged = Vec::new();
    for base in &system.free {
        let own = moves.iter().map(|&op| usize::from(op)).filter(|op| base.contains(op));
        let both =
            |all: Option<Transformation>, op| Some(all.map_or(step(op).clone(), |all| all.then(step(op))));
        let Some(all) = own.fold(None, both).filter(|all| !all.is_identity()) else { continue };
        merged.push(*base.iter().find(|&&op| *step(op) == all)?);
    }
    Some(merged)
}

/// The solved state.
fn solved(kept: &[(Component, Arrangements)]) -> State {
    let mut state = [0; MOST_COMPONENTS + 1];
    for (number, (_, arrangements)) in state[1..].iter_mut().zip(kept) {
        *number = arrangements.solved;
    }
    state
}

/// The maps of the movements by single moves; `None` if they are too large.
fn single_maps((component, arrangements): &(Component, Arrangements)) -> Option<(usize, Vec<u16>)> {
    let count = arrangements.count();
    let is_small = component.movements.len() * count <= MOST_BYTES / 2;
    let maps = || component.movements.iter().map(|movement| arrangements.moved(movement)).collect::<Vec<_>>();
    is_small.then(|| (count, maps().concat()))
}

/// The maps of known movements, composed of those by single moves; `None` if they are too large.
fn composed_maps(of: &(Component, Arrangements), known: &Known, run: &Run<'_>) -> Option<(usize, Vec<u16>)> {
    let (count, single) = single_maps(of)?;
    if known.single.len() * count > MOST_BYTES / 2 {
        return None;
    }
    let compose = |numbers: &Vec<u16>| -> Vec<u16> {
        let mut all: Vec<u16> = (0..count).map(|number| number as u16).collect();
        for &number in numbers {
            let map = &single[usize::from(number) * count..][..count];
            all.iter_mut().for_each(|at| *at = map[usize::from(*at)]);
        }
        all
    };
    Some((count, run.map(&known.single, compose).concat()))
}
