//! The known numbers of positions at each depth.

use crate::puzzles::{cube3, pancakes, pocket_cube, pyraminx, skewb, top_spin};
use puzzle::count::{CountError, CountPlan, CountTable, Counts, by_layers};
use puzzle::system::System;
use puzzle::{Puzzle, Selection, builtin};
use search_core::progress::Progress;
use search_core::{Cancel, Run};
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

fn counted(puzzle: &Puzzle) -> Vec<u64> {
    let system = System::new(puzzle, &run()).expect("a system");
    let plan = CountPlan::new(puzzle, &system, true, &run()).expect("not cancelled");
    assert!(!matches!(plan, CountPlan::Layers));
    let counts = plan.count(&system, None, &run()).expect("it fits");
    assert!(counts.complete);
    let depth = counts.layers.len() - 1;
    assert!(counts.deepest.iter().all(|word| word.len() == depth));
    let few = by_layers(&system, Some(5), &run()).expect("it fits");
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

#[test]
fn cubes_have_their_known_numbers_of_positions_near_the_solved_one() {
    for puzzle in [cube3("UDRLFB", &[]), cube3("UF", &["x", "y"])] {
        let system = System::new(&puzzle, &run()).expect("a system");
        let counts = by_layers(&system, Some(5), &run()).expect("it fits");
        assert_eq!(counts.layers, [1, 18, 243, 3240, 43239, 574908]);
        let few = by_layers(&system, None, &run().with_memory(1 << 20)).expect_err("too little memory");
        assert!(matches!(few, CountError::Budget(layers) if layers.len() > 3));
    }
}

#[test]
fn a_pyraminx_with_tips_is_counted_by_its_independent_parts() {
    for rotated in [false, true] {
        let puzzle = pyraminx(true, rotated);
        let system = System::new(&puzzle, &run()).expect("a system");
        assert_eq!(system.moves(), 16);
        let plan = CountPlan::new(&puzzle, &system, true, &run()).expect("not cancelled");
        assert!(plan.size().expect("tables").0 < 2_000_000, "{:?}", plan.size());
        let counts = plan.count(&system, None, &run()).expect("it fits");
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
        assert!(counts.deepest.iter().all(|word| word.len() == known.len() - 1));
    }
}

#[test]
fn ways_to_hold_a_puzzle_are_counted_as_layers_count_them() {
    // Opposite faces turn the whole cube.
    for faces in ["UD", "UDR"] {
        let puzzle = pocket_cube(faces, &[]);
        let system = System::new(&puzzle, &run()).expect("a system");
        let plan = CountPlan::new(&puzzle, &system, true, &run()).expect("not cancelled");
        let counts = plan.count(&system, None, &run()).expect("it fits");
        let depth = (faces == "UDR").then_some(6);
        let layers = by_layers(&system, depth, &run()).expect("it fits");
        assert!(layers.layers.iter().zip(&counts.layers).all(|(a, b)| a == b), "{layers:?} {counts:?}");
        assert!(depth.is_some() || layers.layers.len() == counts.layers.len());
        assert!(counts.deepest.iter().all(|word| word.len() + 1 == counts.layers.len()));
    }
}

#[test]
fn small_puzzles_are_counted_alike_by_tables_and_by_layers() {
    for puzzle in [pocket_cube("UR", &[]), cube3("U", &[]), pancakes(7), top_spin(7, 4)] {
        let system = System::new(&puzzle, &run()).expect("a system");
        let table = CountTable::of(&system, &run())
            .expect("not cancelled")
            .expect("a table")
            .count(&run())
            .expect("it fits");
        let layers = by_layers(&system, None, &run()).expect("it fits");
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
fn counts_ask_whether_to_stop_after_little_work() {
    let kilominx = builtin::get("kilominx").expect("a puzzle").expect("a definition");
    let kilominx = kilominx.select(&Selection::default()).expect("a selection").puzzle;
    let system = System::new(&kilominx, &run()).expect("a system");
    check_work_between_questions("layers", 1 << 16, |run| by_layers(&system, Some(4), run));

    let held = pocket_cube("UDRLFB", &[]);
    let system = System::new(&held, &run()).expect("a system");
    let plan = CountPlan::new(&held, &system, true, &run()).expect("not cancelled");
    check_work_between_questions("sets of ways", 24 << 16, |run| plan.count(&system, None, run));
}
