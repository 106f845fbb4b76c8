//! The known numbers of positions at each depth.

use crate::puzzles::{cube3, pancakes, pocket_cube, pyraminx, skewb, top_spin};
use puzzle::count::{Antipode, CountAsk, CountError, CountPlan, CountTable, Counts, TableCounts, by_layers};
use puzzle::definition::Metric;
use puzzle::goal::{Places, positions};
use puzzle::system::System;
use puzzle::{Ask, Goal, Open, Pattern, Puzzle, Selection, Solver, SolverSetup, builtin};
use search_core::progress::Progress;
use search_core::table::Store;
use search_core::{Cancel, Run};
use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};

const POCKET_CUBE: [u64; 12] = [1, 9, 54, 321, 1847, 9992, 50136, 227536, 870072, 1887748, 623800, 2644];
/// Positions of a cube that is not held still: those of the corners of a 3x3x3 cube.
const POCKET_CUBE_HELD: [u64; 12] =
    [1, 18, 243, 2874, 28000, 205416, 1168516, 5402628, 20776176, 45391616, 15139616, 64736];
const PYRAMINX: [u64; 12] = [1, 8, 48, 288, 1728, 9896, 51808, 220111, 480467, 166276, 2457, 32];
const SKEWB: [u64; 12] = [1, 8, 48, 288, 1728, 10248, 59304, 315198, 1225483, 1455856, 81028, 90];

fn run() -> Run<'static> {
    Run::new().with_threads(2)
}

fn to(depth: impl Into<Option<usize>>) -> CountAsk {
    CountAsk::default().max_depth(depth)
}

fn counted(puzzle: &Puzzle) -> Vec<u64> {
    let system = System::new(puzzle, &run()).expect("a system");
    let plan = CountPlan::new(puzzle, &system, &to(None), &run()).expect("not cancelled");
    assert!(!matches!(plan, CountPlan::Layers));
    let counts = plan.count(&system, &to(None), &run()).expect("it fits");
    assert!(counts.complete);
    let depth = counts.layers.len() - 1;
    assert!(counts.deepest.iter().all(|of| of.word.len() == depth));
    let few = by_layers(&system, &to(5), &run()).expect("it fits");
    assert!(few.layers.iter().zip(&counts.layers).all(|(a, b)| a == b), "{few:?}");
    counts.layers
}

#[test]
fn puzzles_have_their_known_numbers_of_positions() {
    let lights = builtin::get("lights-out-3x3").expect("a puzzle").expect("a definition");
    let lights = lights.select(&Selection::default()).expect("a selection").puzzle;
    let cases: [(&str, Puzzle, &[u64]); 11] = [
        ("all faces, held in any way", pocket_cube("UDRLFB", &[]), &POCKET_CUBE_HELD),
        ("lights out", lights, &[1, 9, 36, 84, 126, 126, 84, 36, 9, 1]),
        ("three faces", pocket_cube("URF", &[]), &POCKET_CUBE),
        ("all faces", pocket_cube("UDRLFB", &["x", "y"]), &POCKET_CUBE),
        ("one face and rotations", pocket_cube("U", &["x", "y", "z"]), &POCKET_CUBE),
        ("pyraminx", pyraminx(false, false), &PYRAMINX),
        ("rotated pyraminx", pyraminx(false, true), &PYRAMINX),
        ("skewb", skewb(), &SKEWB),
        ("6 pancakes", pancakes(6), &[1, 5, 20, 79, 199, 281, 133, 2]),
        ("9 pancakes", pancakes(9), &[1, 8, 56, 391, 2278, 10666, 38015, 93585, 132697, 79379, 5804]),
        ("topspin", top_spin(6, 4), &[]),
    ];
    for (name, puzzle, known) in cases {
        let counts = counted(&puzzle);
        if known.is_empty() {
            assert_eq!(counts.iter().sum::<u64>(), 720, "{name}: {counts:?}");
        } else {
            assert_eq!(counts, known, "{name}");
        }
    }
}

/// The quarter-turn metric (<https://www.jaapsch.net/puzzles/cube2.htm>).
const POCKET_CUBE_QUARTER_TURNS: [u64; 15] =
    [1, 6, 27, 120, 534, 2256, 8969, 33058, 114149, 360508, 930588, 1350852, 782536, 90280, 276];

fn built_in(name: &str, selection: &Selection) -> Puzzle {
    let definition = builtin::get(name).expect("a puzzle").expect("a definition");
    definition.select(selection).expect("a selection").puzzle
}

fn quarter_turns() -> Selection {
    Selection { metric: Metric::Inverses, ..Selection::default() }
}

#[test]
fn quarter_turns_have_their_known_numbers_of_positions() {
    assert_eq!(counted(&built_in("2x2x2", &quarter_turns())), POCKET_CUBE_QUARTER_TURNS);
    let cube = built_in("3x3x3", &quarter_turns());
    let system = System::new(&cube, &run()).expect("a system");
    let counts = by_layers(&system, &to(6), &run()).expect("it fits");
    // Korf, Finding Optimal Solutions to Rubik's Cube; sequence A080583.
    assert_eq!(counts.layers, [1, 12, 114, 1068, 10011, 93840, 878880]);
}

/// The numbers of patterns by lights to be pressed (<https://www.jaapsch.net/puzzles/lights.htm>).
#[test]
fn lights_out_has_its_known_numbers_of_positions() {
    let known = [
        1, 25, 300, 2300, 12650, 53130, 176176, 467104, 982335, 1596279, 1935294, 1684446, 1004934, 383670,
        82614, 7350,
    ];
    assert_eq!(counted(&built_in("lights-out-5x5", &Selection::default())), known);
}

/// Greatest numbers of flips: sequences A058986 (pancakes) and A078942 (burnt pancakes).
#[test]
fn stacks_of_pancakes_have_their_known_greatest_depths() {
    let cases = [("pancake-8", 40320, 9), ("pancake-10", 3_628_800, 11), ("burnt-pancake-3", 48, 6)];
    let burnt = [("burnt-pancake-5", 3840, 10), ("burnt-pancake-7", 645_120, 14)];
    for (name, positions, depth) in cases.into_iter().chain(burnt) {
        let counts = counted(&built_in(name, &Selection::default()));
        assert_eq!((counts.iter().sum::<u64>(), counts.len() - 1), (positions, depth), "{name}");
    }
}

#[test]
fn cubes_have_their_known_numbers_of_positions_to_depth_six() {
    let system = System::new(&cube3("UDRLFB", &[]), &run()).expect("a system");
    let counts = by_layers(&system, &to(6), &run()).expect("it fits");
    assert_eq!(counts.layers, [1, 18, 243, 3240, 43239, 574908, 7618438]);
}

#[test]
#[ignore = "takes a minute"]
fn cubes_have_their_known_numbers_of_positions_to_depth_seven() {
    let system = System::new(&cube3("UDRLFB", &[]), &run()).expect("a system");
    let counts = by_layers(&system, &to(7), &run()).expect("it fits");
    assert_eq!(counts.layers[7], 100_803_036);
}

fn open(puzzle: &Puzzle, open: &Open) -> Puzzle {
    Goal::new(puzzle, puzzle.solved(), open).expect("a goal").puzzle().clone()
}

fn places(text: &str) -> Vec<Places> {
    text.split(' ').filter(|text| !text.is_empty()).map(|text| text.parse().expect("places")).collect()
}

#[test]
fn goals_that_leave_pieces_open_have_their_known_numbers_of_positions() {
    let cube = cube3("UDRLFB", &[]);
    let corners = open(&cube, &Open::default().ignored(places("EDGES")));
    assert_eq!(counted(&corners), POCKET_CUBE_HELD);
    // The first phase of Thistlethwaite's method, orientations of edges only; its greatest depth is published
    // (<https://www.jaapsch.net/puzzles/thistle.htm>).
    let flips = Open::default().ignored(places("CORNERS")).alike(places("EDGES"));
    let counts = counted(&open(&built_in("3x3x3", &Selection::default()), &flips));
    assert_eq!(counts, [1, 2, 25, 202, 620, 900, 285, 13]);
}

#[test]
#[ignore = "takes minutes and a gigabyte"]
fn the_first_phase_of_a_cube_has_its_known_numbers_of_positions() {
    // The cosets of <U, D, R2, L2, F2, B2> (<https://kociemba.org/math/cubemath.htm>).
    let edges = places("EDGES:8-11 EDGES:0-7");
    let phase = open(
        &built_in("3x3x3", &Selection::default()),
        &Open::default().alike([places("CORNERS"), edges].concat()),
    );
    let system = System::new(&phase, &run()).expect("a system");
    let plan = CountPlan::new(&phase, &system, &to(None), &run()).expect("not cancelled");
    let counts = plan.count(&system, &to(None), &run()).expect("it fits");
    let known = [1, 4, 50, 592, 7156, 87236, 1_043_817, 12_070_278, 124_946_368, 821_605_960, 1_199_128_738];
    assert_eq!(counts.layers[..11], known);
    assert_eq!(counts.layers[11..], [58_202_444, 476]);
}

/// The number of patterns at each depth up to `depth` from the nearest of `starts`, by a plain search.
fn plain_from(puzzle: &Puzzle, starts: &[Pattern], depth: usize) -> Vec<u64> {
    let mut known: HashSet<Pattern> = starts.iter().cloned().collect();
    let mut last: Vec<Pattern> = known.iter().cloned().collect();
    let mut layers = vec![last.len() as u64];
    while !last.is_empty() && layers.len() <= depth {
        let mut next = Vec::new();
        for pattern in &last {
            for step in puzzle.moves() {
                let to = pattern.apply(&step.transformation);
                if puzzle.is_legal(&to) && known.insert(to.clone()) {
                    next.push(to);
                }
            }
        }
        if !next.is_empty() {
            layers.push(next.len() as u64);
        }
        last = next;
    }
    layers
}

fn plain(puzzle: &Puzzle, depth: usize) -> Vec<u64> {
    plain_from(puzzle, &[puzzle.solved().clone()], depth)
}

#[test]
fn positions_are_counted_from_the_nearest_of_several_goals() {
    let cases = [
        ("pancake-7", "", vec!["", "f4 f7", "f2 f3"]),
        ("burnt-pancake-4", "", vec!["", "f4", "f4"]),
        ("2x2x2", "CORNERS:0-3 CORNERS:4-7", vec!["", "U R2 F2 R2 U"]),
        ("square-1", "", vec!["", "/ (3,0) /"]),
    ];
    let held = Selection { rotations: Some(Vec::new()), ..Selection::default() };
    for (name, alike, scrambles) in cases {
        let definition = builtin::get(name).expect("a puzzle").expect("a definition");
        let selected = definition.select(&held).expect("a selection");
        let open = Open::default().alike(places(alike));
        let goals = |scrambles: &[&str]| -> Vec<Goal> {
            let state = |text: &&str| {
                let algorithm = definition.algorithm(text).expect("moves");
                definition.perform(&definition.solved, &algorithm).expect("a legal state")
            };
            let goal = |text: &&str| Goal::new(&selected.puzzle, &state(text), &open).expect("a goal");
            scrambles.iter().map(goal).collect()
        };
        let of = goals(&scrambles);
        let system = System::new(of[0].puzzle(), &run()).expect("a system");
        let ask = to(3).goals(&system, &of).expect("goals that are counted together");
        let starts = positions(&of).expect("goals that are counted together");
        let counts = by_layers(&system, &ask, &run()).expect("it fits");
        assert_eq!(counts.layers, plain_from(of[0].puzzle(), &starts, 3), "{name}");
        let plan = CountPlan::new(of[0].puzzle(), &system, &ask, &run()).expect("not cancelled");
        assert_eq!(plan.count(&system, &ask, &run()).expect("it fits"), counts, "{name}");
        if !alike.is_empty() {
            // These moves carry pieces from one set to the other.
            let faults = to(3).goals(&system, &goals(&["", "R"])).expect_err("sets that differ");
            assert!(faults.to_string().contains("goal 2 does not leave open"), "{faults}");
        }
    }
}

#[test]
fn identical_pieces_open_goals_and_rules_are_counted_as_a_plain_search_counts_them() {
    let pocket = pocket_cube("URF", &[]);
    let orbit = pocket.orbits()[0].name.clone();
    let of = |text: &str| places(&text.replace('C', &orbit));
    let held = Selection { rotations: Some(Vec::new()), ..Selection::default() };
    let cases = [
        ("alike", open(&pocket, &Open::default().alike(of("C:0-3 C:4-7"))), usize::MAX),
        ("unoriented", open(&pocket, &Open::default().unoriented(of("C"))), usize::MAX),
        ("ignored", open(&pocket, &Open::default().ignored(of("C:0-3"))), usize::MAX),
        ("turned only", open(&pocket, &Open::default().alike(of("C"))), usize::MAX),
        ("square-1", built_in("square-1", &held), 3),
        ("topspin", built_in("topspin-8-4", &held), usize::MAX),
        (
            "one-way topspin",
            built_in("topspin-7-4", &Selection { metric: Metric::Generators, ..held.clone() }),
            usize::MAX,
        ),
        ("burnt pancakes", built_in("burnt-pancake-4", &held), usize::MAX),
    ];
    for (name, puzzle, depth) in cases {
        let system = System::new(&puzzle, &run()).expect("a system");
        let limit = (depth < usize::MAX).then_some(depth);
        let layers = by_layers(&system, &to(limit), &run()).expect("it fits").layers;
        assert_eq!(layers, plain(&puzzle, depth), "{name}");
        let plan = CountPlan::new(&puzzle, &system, &to(limit), &run()).expect("not cancelled");
        assert_eq!(plan.count(&system, &to(limit), &run()).expect("it fits").layers, layers, "{name}");
    }
}

#[test]
fn the_deepest_positions_are_listed_once_for_each_class() {
    let puzzle = built_in("pyraminx-without-tips", &Selection::default());
    let system = System::new(&puzzle, &run()).expect("a system");
    let plan = CountPlan::new(&puzzle, &system, &to(None), &run()).expect("not cancelled");
    let counts = plan.count(&system, &to(None), &run()).expect("it fits");
    let layers = by_layers(&system, &to(None), &run()).expect("it fits");
    // All 32 belong to a few classes.
    let directory = tempfile::tempdir().expect("a directory");
    let (store, setup) = (Store::new(directory.path(), "test"), SolverSetup::default());
    let solver = Solver::new(puzzle.clone(), Vec::new(), &setup, store, &run()).expect("a solver");
    for counts in [counts, layers] {
        let alike: usize = counts.deepest.iter().map(|of| of.alike).sum();
        assert!(alike == 32 && counts.deepest.len() < 10, "{:?}", counts.deepest);
        for Antipode { word, .. } in &counts.deepest {
            let moves = system.reduction.moves();
            let step = |pattern: Pattern, &number: &usize| pattern.apply(&moves[number].transformation);
            let ask = Ask::new(word.iter().fold(puzzle.solved().clone(), step));
            let answer = solver.solve(&ask, &run()).expect("a search");
            assert_eq!(answer.ending.length(), Some(11));
            assert_eq!(word.len(), 11);
        }
    }
}

#[test]
fn tables_of_two_bits_count_like_tables_of_four() {
    for puzzle in [pancakes(8), pyraminx(false, false)] {
        let system = System::new(&puzzle, &run()).expect("a system");
        let table = |run: &Run<'_>| {
            let table = CountTable::of(&system, run).expect("not cancelled").expect("a table");
            (table.bytes(), table.count(20, run).expect("it fits"))
        };
        let (bytes, counts) = table(&run());
        let (fewer, same) = table(&run().with_memory(bytes - 1));
        assert!(fewer < 2 * bytes / 3, "{fewer} of {bytes} bytes");
        assert_eq!(counts.layers, same.layers);
        let words = |counts: &TableCounts| -> Vec<usize> { counts.deepest.iter().map(Vec::len).collect() };
        assert_eq!(words(&counts), words(&same));
    }
}

#[test]
fn cubes_have_their_known_numbers_of_positions_near_the_solved_one() {
    for puzzle in [cube3("UDRLFB", &[]), cube3("UF", &["x", "y"])] {
        let system = System::new(&puzzle, &run()).expect("a system");
        let counts = by_layers(&system, &to(5), &run()).expect("it fits");
        assert_eq!(counts.layers, [1, 18, 243, 3240, 43239, 574908]);
        let few = by_layers(&system, &to(None), &run().with_memory(1 << 20)).expect_err("too little memory");
        assert!(matches!(few, CountError::Budget(layers) if layers.len() > 3));
    }
}

#[test]
fn a_pyraminx_with_tips_is_counted_by_its_independent_parts() {
    for rotated in [false, true] {
        let puzzle = pyraminx(true, rotated);
        let system = System::new(&puzzle, &run()).expect("a system");
        assert_eq!(system.moves(), 16);
        let plan = CountPlan::new(&puzzle, &system, &to(None), &run()).expect("not cancelled");
        assert!(plan.size().expect("tables").0 < 2_000_000, "{:?}", plan.size());
        let counts = plan.count(&system, &to(None), &run()).expect("it fits");
        assert_eq!(counts.layers.iter().sum::<u64>(), 933_120 * 81);
        // A tip takes one move or none.
        let mut known = PYRAMINX.to_vec();
        known.resize(PYRAMINX.len() + 4, 0);
        for _ in 0..4 {
            for depth in (1..known.len()).rev() {
                known[depth] += 2 * known[depth - 1];
            }
        }
        assert_eq!(counts.layers, known);
        assert!(counts.deepest.iter().all(|of| of.word.len() == known.len() - 1));
    }
}

#[test]
fn ways_to_hold_a_puzzle_are_counted_as_layers_count_them() {
    // Opposite faces turn the whole cube.
    for faces in ["UD", "UDR"] {
        let puzzle = pocket_cube(faces, &[]);
        let system = System::new(&puzzle, &run()).expect("a system");
        let plan = CountPlan::new(&puzzle, &system, &to(None), &run()).expect("not cancelled");
        let counts = plan.count(&system, &to(None), &run()).expect("it fits");
        let depth = (faces == "UDR").then_some(6);
        let layers = by_layers(&system, &to(depth), &run()).expect("it fits");
        assert!(layers.layers.iter().zip(&counts.layers).all(|(a, b)| a == b), "{layers:?} {counts:?}");
        assert!(depth.is_some() || layers.layers.len() == counts.layers.len());
        assert!(counts.deepest.iter().all(|of| of.word.len() + 1 == counts.layers.len()));
    }
}

#[test]
fn small_puzzles_are_counted_alike_by_tables_and_by_layers() {
    for puzzle in [pocket_cube("UR", &[]), cube3("U", &[]), pancakes(7), top_spin(7, 4)] {
        let system = System::new(&puzzle, &run()).expect("a system");
        let table = CountTable::of(&system, &run())
            .expect("not cancelled")
            .expect("a table")
            .count(1, &run())
            .expect("it fits");
        let layers = by_layers(&system, &to(None), &run()).expect("it fits");
        assert_eq!((table.layers, layers.complete), (layers.layers, true), "{}", puzzle.name());
    }
}

/// The last layer that was reported.
#[derive(Default)]
struct LastLayer(AtomicUsize);

impl Progress for LastLayer {
    fn update(&self, done: u64) {
        self.0.store(usize::try_from(done).expect("few layers"), Ordering::Relaxed);
    }
}

/// Stops a count by layers at its first question whether to stop, its second, its fourth and so on. The layers that are
/// complete by then must have at most `most` positions for each question.
fn check_work_between_questions(
    name: &str,
    most: u64,
    count: impl Fn(&Run<'_>) -> Result<Counts, CountError>,
) {
    let layers = count(&run()).expect("not cancelled").layers;
    let done = |last: usize| layers[..=last].iter().sum::<u64>();
    let mut questions = 1;
    loop {
        let last = LastLayer::default();
        let stopped = Run::new().with_threads(1).with_cancel(&Cancel::at_question(questions));
        let counted = count(&stopped.with_progress(&last));
        let last = if counted.is_ok() { layers.len() - 1 } else { last.0.into_inner() };
        assert!(
            done(last) <= questions * most,
            "{name}: {} positions after {questions} questions",
            done(last)
        );
        if counted.is_ok() {
            break;
        }
        questions *= 2;
    }
}

#[test]
fn a_count_that_is_stopped_returns_the_layers_it_has() {
    let system = System::new(&pancakes(9), &run()).expect("a system");
    let mut depths = HashSet::new();
    for questions in 1..20 {
        let stopped = Run::new().with_threads(1).with_cancel(&Cancel::at_question(questions));
        let Err(CountError::Stopped(layers)) = by_layers(&system, &to(None), &stopped) else { break };
        assert!([1, 8, 56, 391, 2278, 10666, 38015, 93585, 132697, 79379, 5804].starts_with(&layers));
        depths.insert(layers.len());
    }
    assert!(depths.len() > 2, "{depths:?}");
}

#[test]
fn counts_ask_whether_to_stop_after_little_work() {
    let kilominx = builtin::get("kilominx").expect("a puzzle").expect("a definition");
    let kilominx = kilominx.select(&Selection::default()).expect("a selection").puzzle;
    let system = System::new(&kilominx, &run()).expect("a system");
    check_work_between_questions("layers", 1 << 16, |run| by_layers(&system, &to(4), run));

    let held = pocket_cube("UDRLFB", &[]);
    let system = System::new(&held, &run()).expect("a system");
    let plan = CountPlan::new(&held, &system, &to(None), &run()).expect("not cancelled");
    check_work_between_questions("sets of ways", 24 << 16, |run| plan.count(&system, &to(None), run));
}
