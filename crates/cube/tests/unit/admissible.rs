//! Every heuristic, compared with exact distances; incremental values, compared with those computed from scratch;
//! and the operators that a heuristic calls useful, compared with brute force.

use super::common::{
    self,
    reference::{self, Ball},
    visit::{self, Visitor},
};
use crate::heuristics::{Instructions, SquareBound};
use crate::lanes::{Lanes, Portable};
use crate::pdb::Square;
use crate::pdb::square::fill::{FillSpec, fill};
use crate::pdb::square::{CLASSES, GROUP, entries_of};
use crate::solver::FaceSolver;
use crate::space::{CubeSpace, End, Sides, State, View};
use crate::{Cube, Metric};
use search_core::heuristic::{Batch, NodeRef};
use search_core::memory::Memory;
use search_core::pdb::Packed;
use search_core::table::Unfinished;
use search_core::{Domain, Heuristic, Op, OpSet, Run};
use std::collections::HashMap;
use std::fmt::Debug;
use std::sync::Arc;

/// Half-turn heuristics whose value changes by at most one per move. The tables of four edges are so small that
/// deltas are derived from them too.
const CONSISTENT: [&str; 11] = [
    "coset-1",
    "coset-2",
    "korf97",
    "corners",
    "edges6",
    "edges:UR,UF,UL,UB",
    "hoey:48",
    "corners+edges:UR,UF,DL,DB",
    "manhattan-all",
    "manhattan-max",
    "manhattan-edges",
];
/// Heuristics that also use the inverse, which one move can change by more, or that add one where three values
/// are equal.
const OTHERS: [&str; 9] = [
    "coset-3",
    "coset-1i",
    "coset-2i",
    "coset-3i",
    "coset",
    "square-0",
    "square-1",
    "hoey:60",
    "corners+hoey:96",
];
/// Quarter-turn heuristics without big tables.
const QUARTER_TURNS: [&str; 5] =
    ["edges:UR,UF,UL,UB", "edges:DR,FR,FL+edges:BL", "manhattan-all", "manhattan-max", "manhattan-edges"];

/// Checks a cube at a known distance, and returns whether the value is the distance.
fn is_tight(solver: &FaceSolver, cube: &Cube, distance: u32) -> bool {
    let value = u32::from(solver.value(cube));
    assert!(value <= distance, "{}: {value} at distance {distance}, {cube:?}", solver.heuristic());
    value == distance
}

/// Checks the whole ball, or a part of each layer if lookups are many; then a sample of the layer beyond.
fn check_ball(name: &str, ball: &Ball) {
    let metric = ball.metric();
    let solver = common::solver(name, metric, Instructions::Best);
    let most = if name.contains("hoey") { 5_000 } else { 200_000 };
    let mut tight = 0;
    for (layer, distance) in ball.layers.iter().zip(0..) {
        let sample = layer.iter().step_by(layer.len().div_ceil(most));
        tight = sample.filter(|cube| is_tight(&solver, cube, distance)).count();
        assert!(distance > 1 || tight > 0, "{name} is exact for no cube at distance {distance}");
    }
    let rng = &mut common::rng(6);
    let (last, moves) = (&ball.layers[ball.radius() as usize], metric.turns());
    for _ in 0..most / 10 {
        let cube = last[common::below(rng, last.len())].apply(moves[common::below(rng, moves.len())]);
        let distance = ball.distance(&cube).unwrap_or(ball.radius() + 1);
        tight += usize::from(is_tight(&solver, &cube, distance));
    }
    assert!(tight > 0, "{name} is never exact far out");
}

#[test]
fn no_value_exceeds_the_distance() {
    CONSISTENT.iter().chain(&OTHERS).for_each(|name| check_ball(name, reference::htm()));
}

#[test]
fn no_value_exceeds_the_distance_in_quarter_turns() {
    QUARTER_TURNS.iter().for_each(|name| check_ball(name, reference::qtm()));
}

fn check_walks(name: &str, metric: Metric, consistent: bool, walks: usize) {
    let solver = common::solver(name, metric, Instructions::Best);
    let rng = &mut common::rng(100);
    for _ in 0..walks {
        let mut cube = Cube::SOLVED;
        let mut value = solver.value(&cube);
        for made in 1..=100 {
            let moves = metric.turns();
            cube = cube.apply(moves[common::below(rng, moves.len())]);
            let next = solver.value(&cube);
            assert!(u32::from(next) <= made, "{name}: {next} after {made} moves");
            assert!(!consistent || value.abs_diff(next) <= 1, "{name}: {value}, then {next} at {cube:?}");
            value = next;
        }
    }
}

#[test]
fn values_change_by_at_most_one() {
    CONSISTENT.iter().for_each(|name| check_walks(name, Metric::Htm, true, 50));
    OTHERS.iter().for_each(|name| check_walks(name, Metric::Htm, false, 10));
    QUARTER_TURNS.iter().for_each(|name| check_walks(name, Metric::Qtm, true, 50));
}

/// Walks along operators. At every node, the values that the search reads for the children must equal those
/// computed from scratch, and carried data must equal recomputed data.
struct Incremental;

impl Visitor for Incremental {
    fn visit<V: Lanes, H: Heuristic<CubeSpace<V>, Carry: Debug>>(
        &mut self,
        name: &str,
        space: &CubeSpace<V>,
        heuristic: &H,
    ) {
        let rng = &mut common::rng(3);
        let walks = if heuristic.stages() > 6 { 1 } else { 10 };
        for _ in 0..walks {
            let mut state = State::new(&common::random_walk(rng, space.metric(), 5));
            let mut carry = heuristic.carry(space, &state);
            for _ in 0..100 {
                let node = NodeRef { domain: space, state: &state, carry: &carry };
                let mut scratch = H::Scratch::default();
                for ops in [space.ops_at(End::Front), space.ops_at(End::Back)] {
                    check_kept(name, heuristic, node, ops, &mut scratch);
                }
                let op = Op::new(common::below(rng, space.op_count()));
                let ops = if space.ops_at(End::Front).contains(op) {
                    space.ops_at(End::Front)
                } else {
                    space.ops_at(End::Back)
                };
                read_exactly(heuristic, node, ops, &mut scratch);
                let next = space.apply(&state, op);
                carry = heuristic.carry_child(node, op, &next, &scratch);
                let fresh = heuristic.carry(space, &next);
                assert_eq!(format!("{carry:?}"), format!("{fresh:?}"), "{name}, {op:?}");
                state = next;
            }
        }
    }
}

/// Checks that exactly the children within the limit are kept at one end; or none, if some neighbour shows that
/// the node itself is too far away.
fn check_kept<V: Lanes, H: Heuristic<CubeSpace<V>>>(
    name: &str,
    heuristic: &H,
    node: NodeRef<'_, CubeSpace<V>, H::Carry>,
    ops: OpSet,
    scratch: &mut H::Scratch,
) {
    let value = |op: Op| u32::from(heuristic.value(node.domain, &node.domain.apply(node.state, op)));
    let values: Vec<(Op, u32)> = ops.into_iter().map(|op| (op, value(op))).collect();
    let greatest = values.iter().map(|(_, value)| *value).max().unwrap_or(0);
    for limit in 0..=greatest {
        // A search evaluates useful operators only.
        let useful = heuristic.useful(node, limit + 1, ops);
        let (mut batch, mut least_cut) = (Batch { ops: useful, stage: 0, limit }, u32::MAX);
        while batch.stage < heuristic.stages() {
            let sieved = heuristic.evaluate(node, batch, scratch);
            least_cut = least_cut.min(sieved.least_cut);
            batch = Batch { ops: sieved.kept, stage: batch.stage + 1, limit };
        }
        let within: OpSet =
            values.iter().filter(|(op, v)| useful.contains(*op) && *v <= limit).map(|(op, _)| *op).collect();
        let too_far = batch.ops.is_empty() && greatest > limit + 2;
        assert!(batch.ops == within || too_far, "{name}, {limit}: {:?} of {values:?}", batch.ops);
        let says_why = least_cut > limit && least_cut != u32::MAX;
        assert!(batch.ops == useful || says_why, "{name}, {limit}: {least_cut}");
    }
}

/// Reads all stages of all children; with no move left nothing is skipped.
fn read_exactly<V: Lanes, H: Heuristic<CubeSpace<V>>>(
    heuristic: &H,
    node: NodeRef<'_, CubeSpace<V>, H::Carry>,
    ops: OpSet,
    scratch: &mut H::Scratch,
) {
    for stage in 0..heuristic.stages() {
        let batch = Batch { ops, stage, limit: 0 };
        heuristic.prepare(node, batch, scratch);
        heuristic.locate(node, batch, scratch);
        heuristic.read(batch, scratch);
    }
}

#[test]
fn incremental_values_equal_those_from_scratch() {
    visit::each(&CONSISTENT, Metric::Htm, &mut Incremental);
    visit::each(&OTHERS, Metric::Htm, &mut Incremental);
    visit::each(&QUARTER_TURNS, Metric::Qtm, &mut Incremental);
}

/// Near the goal, brute force shows which moves can begin or end a solution within the limit. For the side that a
/// heuristic chooses, it must exclude none of them.
#[derive(Default)]
struct Useful {
    /// The number of excluded operators.
    left_out: usize,
    /// The number of nodes whose last move was fixed.
    backwards: usize,
}

impl Visitor for Useful {
    fn visit<V: Lanes, H: Heuristic<CubeSpace<V>, Carry: Debug>>(
        &mut self,
        name: &str,
        space: &CubeSpace<V>,
        heuristic: &H,
    ) {
        let (ball, automaton) = (reference::htm(), space.automaton());
        let rng = &mut common::rng(6);
        for i in 0..600 {
            let cube = common::random_walk(rng, Metric::Htm, 1 + i % 6);
            let distance = ball.distance(&cube).unwrap_or(ball.radius() + 1);
            let mut fsm = automaton.start();
            for _ in 0..i % 4 {
                let allowed: Vec<Op> = automaton.allowed(fsm).into_iter().collect();
                fsm = automaton.next(fsm, allowed[common::below(rng, allowed.len())]).expect("allowed");
            }
            let allowed = automaton.allowed(fsm);
            for remaining in distance.max(1)..=ball.radius() + 1 {
                let state = State::new(&cube);
                let carry = heuristic.carry(space, &state);
                let node = NodeRef { domain: space, state: &state, carry: &carry };
                let useful = heuristic.useful(node, remaining, allowed);
                let can_serve = |op: &Op| {
                    let child = space.apply(&state, *op).cube();
                    ball.distance(&child).is_some_and(|distance| distance < remaining)
                };
                let needed: OpSet = allowed.into_iter().filter(can_serve).collect();
                self.check(
                    space,
                    useful,
                    needed,
                    allowed,
                    &format!("{name}: {remaining} moves for {cube:?}"),
                );
            }
        }
    }
}

impl Useful {
    fn check<V: Lanes>(
        &mut self,
        space: &CubeSpace<V>,
        useful: OpSet,
        needed: OpSet,
        allowed: OpSet,
        what: &str,
    ) {
        assert_eq!(useful.and(allowed), useful, "{what}: a forbidden operator");
        let (front, back) = (useful.and(space.ops_at(End::Front)), useful.and(space.ops_at(End::Back)));
        assert!(front.is_empty() || back.is_empty(), "{what}: both sides at once");
        let serves = |side: OpSet| useful.and(needed).and(side) == needed.and(side);
        let is_front = front == useful && serves(space.ops_at(End::Front));
        let is_back = space.is_two_sided() && back == useful && serves(space.ops_at(End::Back));
        assert!(is_front || is_back, "{what}: {useful:?} leaves out some of {needed:?}");
        self.backwards += usize::from(!back.is_empty());
        let side = if back.is_empty() { space.ops_at(End::Front) } else { space.ops_at(End::Back) };
        self.left_out += usize::from(useful != allowed.and(side));
    }
}

#[test]
fn useful_operators_lose_no_solution() {
    let mut useful = Useful::default();
    visit::each(&["coset-1", "coset-2", "coset-3"], Metric::Htm, &mut useful);
    assert_eq!((useful.backwards, useful.left_out), (0, 0), "one side has no tight view of the inverse");
    visit::each(&["coset-1i", "coset-2i", "coset-3i", "square-1"], Metric::Htm, &mut useful);
    assert!(useful.backwards > 1000 && useful.left_out > 1000, "the test sees the cases that matter");
    visit::each(&["korf97", "manhattan-max"], Metric::Htm, &mut useful);
}

/// Fills a table of half-turn cosets without flips by enumeration.
fn cosets<const BITS: u32>(group: u32, base: u32, depth: u32) -> Arc<Packed<BITS, Memory>> {
    let square = Square::<Portable>::new(0);
    let spec = FillSpec { classes: 0..CLASSES, group, base, depth };
    let built = fill(&square, Metric::Htm, (spec, BITS), &Unfinished::NOWHERE, &Run::new());
    let entries = entries_of(CLASSES, 0).div_ceil(1 << group);
    Arc::new(Packed::new(built.expect("it is not cancelled").body, entries).expect("all entries"))
}

/// The values of the larger tables go up to 13, of which no cube near enough can have 11 or more. So lower bases stand
/// for theirs: values are exact above the base and just beyond it, and never exceed the distance to the coset.
#[test]
fn any_base_of_half_turn_cosets_gives_lower_bounds() {
    let (ball, space) = (reference::htm(), CubeSpace::<Portable>::new(Metric::Htm, Sides::Two));
    let square = Square::<Portable>::new(0);
    let entry = |cube: &Cube| square.entry(State::new(cube).by_location(), View::Position);
    let mut least = HashMap::new();
    for (layer, distance) in ball.layers.iter().zip(0u8..) {
        layer.iter().for_each(|cube| _ = least.entry(entry(cube)).or_insert(distance));
    }
    for base in 0..=ball.radius() - 2 {
        let (table, floor) = (cosets(0, base, base + 2), cosets(GROUP, 0, base));
        let bound = SquareBound::new(&space, square.clone(), table, floor, base as u8);
        let mut seen = [0; 2];
        for (layer, distance) in ball.layers.iter().zip(0u8..) {
            for cube in layer.iter().step_by(layer.len().div_ceil(20_000)) {
                let views = [*cube, cube.inverse()].map(|cube| u32::from(least[&entry(&cube)]));
                let exact = |value: &&u32| **value > base;
                let value = u32::from(bound.value(&space, &State::new(cube)));
                assert!(value <= u32::from(distance), "{cube:?}");
                match views.iter().filter(exact).max() {
                    Some(exact) => assert_eq!(value, (*exact).min(base + 3), "{cube:?}"),
                    None => assert!(value <= views[0].max(views[1]), "{cube:?}"),
                }
                seen[usize::from(value > base)] += 1;
            }
        }
        assert!(seen.iter().all(|seen| *seen > 100), "base {base}: {seen:?}");
    }
}
