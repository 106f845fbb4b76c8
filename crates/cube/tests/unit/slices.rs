//! All face and slice turns, searched from both ends with their cosets, compared with brute force over 27 cubes: the
//! results of the turns of the layers on a solved cube, with the centres as the frame.

use super::common;
use crate::analysis::tables::cosets;
use crate::heuristics::CosetBound;
use crate::lanes::Portable;
use crate::moves::cosets::CosetTable;
use crate::moves::tables::SetTable;
use crate::moves::{Group, MoveSet, SetSolver};
use crate::notation::scramble::{self, Move, format_moves};
use crate::pdb::corners::twist_of;
use crate::pdb::coset::{flip_of, slice_of};
use crate::space::{CubeSpace, End, Sides, State};
use crate::symmetry::Symmetry;
use crate::tables::Table;
use crate::{Cube, Face, Metric, Turn};
use chacha20::ChaCha8Rng;
use search_core::heuristic::{Heuristic, NodeRef};
use search_core::ida::{Config, Wanted};
use search_core::pdb::Packed;
use search_core::table::Recipe;
use search_core::{Ending, OpSet, Run};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::{Arc, LazyLock};

/// The 27 turns: the effect of each, and its axis. Written by hand: faces, and the two faces beside a slice, which
/// turn in the same direction in space.
fn turns() -> Vec<(Cube, usize)> {
    let faces = Turn::all().map(|turn| (*Cube::of_turn(turn), turn.face().index() % 3));
    let slice =
        |turn: Turn| (Cube::SOLVED.apply_all([turn.inverse(), turn.across()]), turn.face().index() % 3);
    faces.chain(Turn::all().take(9).map(slice)).collect()
}

fn group() -> Group {
    Group::new(MoveSet::all(Metric::Stm))
}

fn coset_table() -> CosetTable {
    CosetTable::of(&group()).expect("slice turns are the same seen by every symmetry")
}

/// The filled table, from the shared store.
fn filled() -> Arc<Table> {
    static TABLE: LazyLock<Arc<Table>> = LazyLock::new(|| {
        let body = common::store().get(&coset_table(), &Run::new()).expect("the table is available").body;
        Arc::new(Packed::new(body, CosetTable::entries() as u64).expect("a body of the table's length"))
    });
    TABLE.clone()
}

fn solver() -> SetSolver {
    SetSolver::with_cosets(group(), &coset_table().into(), common::store(), &Run::new())
        .expect("its table is available")
}

/// The positions at each distance, to `depth`.
fn layers(depth: usize) -> Vec<HashSet<Cube>> {
    let turns = turns();
    let mut seen = HashSet::from([Cube::SOLVED]);
    let mut layers = vec![seen.clone()];
    for _ in 0..depth {
        let next =
            layers[layers.len() - 1].iter().flat_map(|cube| turns.iter().map(|(t, _)| cube.compose(t)));
        let layer: HashSet<Cube> = next.filter(|cube| seen.insert(*cube)).collect();
        layers.push(layer);
    }
    layers
}

fn random_walk(rng: &mut ChaCha8Rng, length: usize) -> Cube {
    let turns = turns();
    (0..length).fold(Cube::SOLVED, |cube, _| cube.compose(&turns[common::below(rng, 27)].0))
}

/// The published counts: 1, 27, 501, 9175, 164900, and the operators of the search lead to the same cubes.
#[test]
fn positions_by_slice_turns() {
    let layers = layers(4);
    let counts: Vec<usize> = layers.iter().map(HashSet::len).collect();
    assert_eq!(counts, [1, 27, 501, 9_175, 164_900]);
    let operators: HashSet<Cube> = coset_table().moves().iter().copied().collect();
    assert_eq!(operators, layers[1]);
}

/// Every coset is reached, and the first distances are those of a search that stores twists, flips and slices
/// directly, without symmetries.
#[test]
fn the_distribution_is_that_of_a_plain_search() {
    let histogram = cosets(coset_table().coset(), &filled(), &Run::new());
    assert_eq!((histogram.unreached, histogram.reached()), (0, 2_217_093_120));
    let plain = plain_counts(5);
    assert_eq!(histogram.counts[..plain.len()], plain);
    // With face turns alone, fewer cosets are this near (fixtures/cube/known-counts.json).
    let by_faces = [1, 4, 50, 592, 7_156, 87_236];
    assert!(plain.iter().zip(by_faces).skip(1).all(|(slices, faces)| *slices > faces), "{plain:?}");
}

/// The number of cosets at each distance up to `depth`, by their coordinates alone.
fn plain_counts(depth: usize) -> Vec<u64> {
    let turns = turns();
    let coordinates = |cube: &Cube| (twist_of(cube), flip_of(cube), slice_of(cube));
    let mut seen = HashSet::from([coordinates(&Cube::SOLVED)]);
    let (mut layer, mut counts) = (vec![Cube::SOLVED], vec![1]);
    for _ in 0..depth {
        let next = layer.iter().flat_map(|cube| turns.iter().map(|(turn, _)| cube.compose(turn)));
        // One cube represents its coset: turns lead from all cubes of a coset to the same cosets.
        layer = next.filter(|cube| seen.insert(coordinates(cube))).collect();
        counts.push(layer.len() as u64);
    }
    counts
}

fn bound() -> (CubeSpace<Portable, crate::space::AnyMoves>, CosetBound<Portable>) {
    let table = coset_table();
    let space = CubeSpace::of_moves(table.moves(), Sides::Two);
    let bound = CosetBound::new(&space, table.coset(), filled(), 3, true);
    (space, bound)
}

#[test]
fn no_value_exceeds_the_distance() {
    let (space, bound) = bound();
    let value = |cube: &Cube| usize::from(bound.value(&space, &State::new(cube)));
    let mut greatest = 0;
    for (distance, layer) in layers(4).iter().enumerate() {
        for cube in layer {
            assert!(value(cube) <= distance, "{cube:?}");
            greatest = greatest.max(value(cube));
            assert!(value(cube) > 0 || distance == 0 || is_in_all_subgroups(cube));
        }
    }
    assert_eq!(greatest, 4);
    let rng = &mut common::rng(8);
    for length in (5..14).cycle().take(20_000) {
        assert!(value(&random_walk(rng, length)) <= length);
    }
}

fn is_in_all_subgroups(cube: &Cube) -> bool {
    let home = |cube: &Cube| twist_of(cube) == 0 && flip_of(cube) == 0 && slice_of(cube) == 0xf00;
    (0..3).all(|axis| home(&Symmetry::from_index(16 * axis).conjugate(cube)))
}

/// For positions with known distances, the useful operators at one end include every move that begins (or ends) a
/// shortest solution.
#[test]
fn useful_operators_lose_no_solution() {
    let (space, bound) = bound();
    let layers = layers(4);
    let moves = coset_table().moves().to_vec();
    let distance = |cube: &Cube| layers.iter().position(|layer| layer.contains(cube));
    let (mut backwards, mut left_out) = (0, 0);
    for (remaining, layer) in layers.iter().enumerate().skip(1) {
        for cube in layer.iter().take(2_000) {
            let state = State::new(cube);
            let carry = bound.carry(&space, &state);
            let node = NodeRef { domain: &space, state: &state, carry: &carry };
            let all = OpSet::first(54);
            let useful = bound.useful(node, remaining as u32, all);
            let is_back = useful.into_iter().all(|op| space.end_of(op) == End::Back);
            let end = if is_back { End::Back } else { End::Front };
            let needed = space.ops_at(end).into_iter().filter(|op| {
                let turn = &moves[op.index() % 27];
                let next = if is_back { turn.compose(cube) } else { cube.compose(turn) };
                distance(&next) == Some(remaining - 1)
            });
            let needed: OpSet = needed.collect();
            assert!(!needed.is_empty() && needed.and(useful) == needed, "{cube:?}: {useful:?}, {needed:?}");
            backwards += usize::from(is_back);
            left_out += usize::from(useful.len() < 27);
        }
    }
    assert!(backwards > 500 && left_out > 2_000, "{backwards} {left_out}");
}

fn solved(solver: &SetSolver, cube: &Cube, config: &Config) -> (u32, Vec<Vec<Move>>) {
    let Ending::Optimal { length, solutions, complete: true } =
        solver.solve(cube, config, &Run::new().with_threads(2)).unwrap().ending
    else {
        panic!("slice turns solve every cube")
    };
    (length, solutions)
}

/// Lengths equal those of the one-sided search with corners and edges; the solutions solve the cube.
#[test]
fn lengths_equal_those_of_the_search_from_one_end() {
    let both = solver();
    let tables = SetTable::plan(&group(), 50_000_000, &[]);
    let one = SetSolver::with_tables(group(), None, &tables, common::store(), &Run::new()).unwrap();
    // Small tables of other edges.
    let named: Vec<String> = tables.iter().map(Recipe::name).collect();
    let others = SetTable::plan(&group(), 20_000, &named);
    assert!(!others.is_empty() && others.iter().all(|table| !named.contains(&table.name())));
    let other = SetSolver::with_tables(group(), None, &others, common::store(), &Run::new()).unwrap();
    for length in 1..=3 {
        let cube = random_walk(&mut common::rng(28), length);
        let [(ours, _), (theirs, _)] =
            [&both, &other].map(|solver| solved(solver, &cube, &Config::default()));
        assert_eq!(ours, theirs, "{cube:?}");
    }
    let rng = &mut common::rng(27);
    for length in (1..=9).chain(6..=9) {
        let cube = random_walk(rng, length);
        let config = Config::default();
        let ((ours, solutions), (theirs, _)) = (solved(&both, &cube, &config), solved(&one, &cube, &config));
        assert!(ours == theirs && ours as usize <= length, "{cube:?}: {ours} {theirs}");
        let solution = scramble::parse(&format_moves(solutions[0].iter().copied())).unwrap();
        assert!(cube.compose(&solution.cube()).is_solved());
        assert_eq!(solutions[0].len(), ours as usize);
    }
}

/// The effect of each run about one axis: strings that differ only within such runs are the same.
type Runs = Vec<Cube>;

/// The runs of a string of turns.
fn runs_of(string: impl IntoIterator<Item = (Cube, usize)>) -> Runs {
    let mut runs: Vec<(Cube, usize)> = Vec::new();
    for (turn, axis) in string {
        match runs.last_mut().filter(|(_, last)| *last == axis) {
            Some((so_far, _)) => *so_far = so_far.compose(&turn),
            None => runs.push((turn, axis)),
        }
    }
    runs.into_iter().map(|(cube, _)| cube).collect()
}

/// The runs of a printed solution.
fn runs_of_moves(moves: &[Move]) -> Runs {
    let cube = |n: usize| scramble::parse(&format_moves(moves[..n].iter().copied())).unwrap();
    let turn = |i: usize| {
        let (before, after) = (cube(i), cube(i + 1));
        // The axis of the layer in the frame of the centres.
        let face: Face = before.orientation.face_at(moves[i].face);
        (before.cube().inverse().compose(&after.cube()), face.index() % 3)
    };
    runs_of((0..moves.len()).map(turn))
}

/// All solutions of `cube` with `length` moves: strings of two or three turns from either side that meet.
fn by_brute_force(cube: &Cube, length: usize) -> BTreeSet<Runs> {
    let turns = turns();
    let strings = |n: usize| {
        (0..27_usize.pow(n as u32)).map(move |i| (0..n).map(move |at| i / 27_usize.pow(at as u32) % 27))
    };
    let product =
        |string: &[usize]| string.iter().fold(Cube::SOLVED, |so_far, &t| so_far.compose(&turns[t].0));
    let back = length / 2;
    let mut ends: HashMap<Cube, Vec<Vec<usize>>> = HashMap::new();
    for string in strings(back).map(Iterator::collect::<Vec<_>>) {
        ends.entry(product(&string).inverse()).or_default().push(string);
    }
    let fronts = strings(length - back).map(Iterator::collect::<Vec<_>>);
    let whole = fronts.flat_map(|front| {
        let met = ends.get(&cube.compose(&product(&front))).map_or(&[][..], |ends| &ends[..]);
        met.iter().map(move |end| [front.clone(), end.clone()].concat()).collect::<Vec<_>>()
    });
    whole.map(|string| runs_of(string.into_iter().map(|t| turns[t]))).collect()
}

/// All solutions equal those of brute force, for symmetric positions too; up to symmetry, one of each class remains.
#[test]
fn all_solutions_equal_those_of_brute_force() {
    let solver = solver();
    let all = Config::default().wanted(Wanted::All { extra: 0 });
    let rng = &mut common::rng(4);
    let walks: Vec<Cube> = (0..8).map(|i| random_walk(rng, 3 + i % 3)).collect();
    let texts = [
        "R L",
        "M2 E2",
        "M E M' E'",
        "M2 E2 S2",
        "R2 L2 U2 D2",
        "U D'",
        "R U R' U'",
        "M2 U2 M2 U2",
        "R2 F2 R2 F2",
    ];
    let cubes = texts.map(|text| scramble::parse(text).unwrap().cube());
    let mut with_symmetries = 0;
    for cube in walks.iter().chain(&cubes) {
        let (length, solutions) = solved(&solver, cube, &all);
        let found: BTreeSet<Runs> = solutions.iter().map(|moves| runs_of_moves(moves)).collect();
        assert_eq!(found.len(), solutions.len(), "no two are the same");
        let expected = by_brute_force(cube, length as usize);
        assert_eq!(found, expected, "{cube:?}");
        let symmetries = Symmetry::of(cube);
        let class = |runs: &Runs| -> Runs {
            let images = symmetries.iter().map(|s| runs.iter().map(|run| s.conjugate(run)).collect());
            images.min().expect("the identity is one")
        };
        let classes: BTreeSet<Runs> = expected.iter().map(class).collect();
        let unique = solver.solve_up_to_symmetry(cube, &all, &Run::new()).unwrap().ending;
        let unique: Vec<Runs> = unique.solutions().iter().map(|moves| class(&runs_of_moves(moves))).collect();
        assert_eq!(unique.len(), classes.len());
        assert_eq!(unique.into_iter().collect::<BTreeSet<_>>(), classes);
        with_symmetries += usize::from(classes.len() < expected.len());
    }
    assert!(with_symmetries > 3, "the test sees positions with symmetries");
}

/// Solutions up to two moves longer, none of which contains a part without effect.
#[test]
fn longer_solutions_equal_those_of_brute_force() {
    let solver = solver();
    let config = Config::default().wanted(Wanted::All { extra: 2 });
    for text in ["R U", "M2 E2", "M U'", "R L'"] {
        let cube = scramble::parse(text).unwrap().cube();
        let (shortest, solutions) = solved(&solver, &cube, &config);
        for length in shortest..=shortest + 2 {
            let found = solutions.iter().filter(|moves| moves.len() == length as usize);
            let found: BTreeSet<Runs> = found.map(|moves| runs_of_moves(moves)).collect();
            let is_longest_form = |runs: &Runs| runs.iter().map(run_length).sum::<usize>() == length as usize;
            let expected = by_brute_force(&cube, length as usize).into_iter();
            let expected: BTreeSet<Runs> =
                expected.filter(|runs| is_longest_form(runs) && has_no_loop(runs)).collect();
            assert_eq!(found, expected, "{text}, {length}");
        }
    }
}

/// The number of turns that a run about one axis needs; `None` if it has no effect.
fn run_length(run: &Cube) -> usize {
    match turns().iter().any(|(turn, _)| turn == run) {
        _ if run.is_solved() => 0,
        true => 1,
        false => 2,
    }
}

/// Whether no part of a string is without effect; a part may begin and end anywhere, within runs too.
fn has_no_loop(runs: &Runs) -> bool {
    let mut so_far = vec![Cube::SOLVED];
    for run in runs {
        let before = so_far[so_far.len() - 1];
        let parts: Vec<Cube> = match run_length(run) {
            2 => halves(run).map(|half| before.compose(&half)).into_iter().collect(),
            _ => Vec::new(),
        };
        so_far.extend(parts);
        so_far.push(before.compose(run));
    }
    (0..so_far.len()).all(|i| (0..i).all(|j| so_far[i] != so_far[j]))
}

/// The first turn of a run of two: of all pairs with the same effect, that of the first pair in the order of the moves.
fn halves(run: &Cube) -> Option<Cube> {
    let moves = coset_table().moves().to_vec();
    moves.iter().copied().find(|half| moves.contains(&half.inverse().compose(run)))
}

/// Threads, instructions and the reduction of the first move do not change lengths; a proved bound is right.
#[test]
fn a_bound_below_the_length_is_proved() {
    let solver = solver();
    let cube = scramble::parse("R U F' M E2 L D' S B2").unwrap().cube();
    let (length, _) = solved(&solver, &cube, &Config::default());
    for threads in [1, 2] {
        let config = Config::default().max_bound(length - 1);
        let report = solver.solve(&cube, &config, &Run::new().with_threads(threads)).unwrap();
        assert_eq!(report.ending, Ending::bounded(length));
    }
}

/// Sets that are not invariant under every symmetry have no such table; the set of all face turns has one.
#[test]
fn only_symmetric_sets_have_cosets() {
    let of =
        |text: &str, counting| CosetTable::of(&Group::new(MoveSet::parse(text, Some(counting)).unwrap()));
    for (text, counting) in [("U R", Metric::Htm), ("M E S", Metric::Stm), ("U R F D L B M", Metric::Stm)] {
        assert!(of(text, counting).is_none(), "{text}");
    }
    assert_eq!(of("U R F D L B", Metric::Htm).unwrap().moves().len(), 18);
    assert_eq!(of("U R F D L B", Metric::Qtm).unwrap().moves().len(), 12);
    assert_eq!(of("U R F D L B M2 E2 S2", Metric::Stm).unwrap().moves().len(), 21);
}
