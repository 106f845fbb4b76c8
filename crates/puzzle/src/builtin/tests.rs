//! Orders of groups, numbers of positions, and relations between turns.

use super::*;
use crate::definition::{Metric, Selected, Selection};
use crate::group::{Factors, Group};
use crate::model::Pattern;
use search_core::Run;
use std::collections::HashSet;

fn definition(name: &str) -> Definition {
    get(name).expect("a built-in puzzle").expect("in range")
}

fn selected(name: &str) -> Selected {
    definition(name).select(&Selection::default()).expect("a puzzle")
}

/// The order of the group that the counted moves generate.
fn order(name: &str) -> Factors {
    let Selected { puzzle, .. } = selected(name);
    let moves = puzzle.moves().iter().map(|step| &step.transformation);
    let group =
        Group::generated(puzzle.orbits(), moves, &Run::new()).expect("not cancelled").expect("few points");
    assert!(group.is_proved(), "{name}");
    group.order()
}

fn factorial(n: usize) -> Factors {
    let mut product = Factors::one();
    (1..=n).for_each(|number| product.multiply(number));
    product
}

/// The product of some numbers and powers.
fn product(factors: &[(Factors, u32)]) -> String {
    let mut all = Factors::one();
    for (factor, times) in factors {
        for (prime, exponent) in factor.exponents() {
            (0..exponent * times).for_each(|_| all.multiply(prime));
        }
    }
    all.decimal()
}

fn number(n: usize) -> Factors {
    let mut factors = Factors::one();
    factors.multiply(n);
    factors
}

#[test]
fn puzzles_have_the_names_of_events() {
    for (name, canonical) in
        [("2x2", "2x2x2"), ("5X5", "5x5x5"), ("Megaminx", "megaminx"), ("FTO", "fto"), ("sq1", "square-1")]
    {
        assert_eq!(definition(name), definition(canonical), "{name}");
    }
    for name in ["2x3", "x", "3x", "1x2x3", "sq2"] {
        assert!(get(name).is_none(), "{name}");
    }
    assert!(get("8x8").is_some_and(|cube| cube.is_err()));
}

#[test]
fn orders_of_groups_are_as_published() {
    for (name, published) in [
        ("2x2x2", "88179840"),
        ("3x3x3", "43252003274489856000"),
        ("pyraminx-without-tips", "933120"),
        ("pyraminx", "75582720"),
        ("skewb", "3149280"),
        ("megaminx", "100669616553523347122516032313645505168688116411019768627200000000000"),
        ("m12", "95040"),
        ("m24", "244823040"),
        ("dino", "239500800"),
        ("lights-out-5x5", "8388608"),
        ("lights-out-3x3", "512"),
        ("pancake-8", "40320"),
        ("burnt-pancake-6", "46080"),
        // Reversing four pieces is even; the rotation of the ring is odd.
        ("topspin-20-4", "1216451004088320000"),
    ] {
        assert_eq!(order(name).decimal(), published, "{name}");
    }
    let half = |mut order: Factors| {
        order.divide(2);
        order
    };
    // Corners of the cube: 8! · 3^7.
    let corners = [(factorial(8), 1), (number(3), 7)];
    let with = |more: &[(Factors, u32)]| product(&[&corners[..], more].concat());
    assert_eq!(order("4x4x4").decimal(), with(&[(half(factorial(24)), 1), (factorial(24), 1)]));
    assert_eq!(order("kilominx").decimal(), product(&[(half(factorial(20)), 1), (number(3), 19)]));
    assert_eq!(order("helicopter").decimal(), with(&[(factorial(6), 3), (half(factorial(6)), 1)]));
    // Corners 6!/2 · 2^5, edges 12!/2, centres twice 12!/2.
    let fto = [(half(factorial(6)), 1), (number(2), 5), (half(factorial(12)), 3)];
    assert_eq!(order("fto").decimal(), product(&fto));
}

#[test]
fn the_5x5x5_has_the_published_order() {
    // Corners, midges, wings and two kinds of movable centres, all distinct: 8! 3^7 12! 2^11 24!^3, divided by 8, since
    // corners and wings determine the parity of midges and of both kinds of centres.
    let mut free = factorial(12);
    free.divide(8);
    let all = [(factorial(8), 1), (number(3), 7), (free, 1), (number(2), 11), (factorial(24), 3)];
    assert_eq!(order("5x5x5").decimal(), product(&all));
}

/// The number of states at each depth; states that differ by a rotation are one.
fn layers(name: &str, selection: &Selection, depth: usize) -> Vec<usize> {
    let Selected { puzzle, .. } = definition(name).select(selection).expect("a puzzle");
    let mut group = vec![puzzle.identity()];
    let mut known: HashSet<_> = group.iter().cloned().collect();
    let mut at = 0;
    while at < group.len() {
        for rotation in puzzle.rotations() {
            let product = group[at].then(&rotation.transformation);
            if known.insert(product.clone()) {
                group.push(product);
            }
        }
        at += 1;
    }
    let least = |state: Pattern| {
        group.iter().map(|rotation| state.apply(rotation)).min().expect("the identity is one of them")
    };
    let mut layer = vec![least(puzzle.solved().clone())];
    let mut seen: HashSet<Pattern> = layer.iter().cloned().collect();
    let mut counts = vec![1];
    for _ in 0..depth {
        let mut next = Vec::new();
        for state in &layer {
            for step in puzzle.moves() {
                let child = state.apply(&step.transformation);
                if puzzle.is_legal(&child) {
                    let child = least(child);
                    if seen.insert(child.clone()) {
                        next.push(child);
                    }
                }
            }
        }
        counts.push(next.len());
        layer = next;
    }
    counts
}

#[test]
fn states_at_small_depths_are_as_published() {
    let all = Selection::default();
    assert_eq!(layers("2x2x2", &all, 4), [1, 9, 54, 321, 1847]);
    assert_eq!(layers("3x3x3", &all, 3), [1, 18, 243, 3240]);
    assert_eq!(layers("pyraminx-without-tips", &all, 5), [1, 8, 48, 288, 1728, 9896]);
    assert_eq!(layers("skewb", &all, 5), [1, 8, 48, 288, 1728, 10248]);
    assert_eq!(layers("pancake-6", &all, 7), [1, 5, 20, 79, 199, 281, 133, 2]);
    assert_eq!(layers("burnt-pancake-3", &all, 6), [1, 3, 6, 12, 18, 6, 2]);
    let quarter = Selection { metric: Metric::Inverses, ..Selection::default() };
    assert_eq!(layers("3x3x3", &quarter, 3), [1, 12, 114, 1068]);
}

/// The least positive number of repetitions of an algorithm that leads back.
fn repetitions(name: &str, text: &str) -> u64 {
    let definition = definition(name);
    let algorithm = definition.algorithm(text).expect("an algorithm");
    definition.effect(&algorithm).order().expect("a small order")
}

#[test]
fn turns_are_related_as_on_the_real_puzzles() {
    for (name, text, times) in [
        ("3x3x3", "R U R' U'", 6),
        ("3x3x3", "R U", 105),
        ("3x3x3", "(R U R' U R U2 R' L' U' L U' L' U2 L)", 3),
        ("3x3x3", "M' R L' x'", 1),
        ("3x3x3", "r x' L'", 1),
        ("3x3x3", "Uw y' D'", 1),
        ("3x3x3", "R U R' U' R' F R2 U' R' U' R U R' F'", 2),
        ("3x3x3", "2R M", 1),
        ("4x4x4", "Rw 2R' R'", 1),
        ("4x4x4", "Rw x' Lw'", 1),
        ("5x5x5", "3Rw x' Lw'", 1),
        ("2x2x2", "x R' L", 1),
        ("megaminx", "R++ R--", 1),
        ("megaminx", "D++ Uv2 U'2", 1),
        ("megaminx", "R U R' U'", 6),
        ("pyraminx", "R U R' U'", 3),
        ("square-1", "(1,0)/(-1,0)", 2),
        ("helicopter", "UF UR", 6),
    ] {
        assert_eq!(repetitions(name, text), times, "{name}: {text}");
    }
}

#[test]
fn square_1_allows_what_the_real_puzzle_allows() {
    let definition = definition("square-1");
    let after = |text: &str| {
        let algorithm = definition.algorithm(text).expect("an algorithm");
        definition.perform(&definition.solved, &algorithm)
    };
    for text in ["/", "(1,0)/", "(0,-1)/", "(1,0)/(5,-1)/(-5,1)/(-1,0)", "(3,0)/(-3,-3)/(0,3)/"] {
        assert!(after(text).is_ok(), "{text}");
    }
    for text in ["(-1,0)", "(0,1)", "U'", "(1,0)/(1,0)"] {
        assert!(after(text).expect_err("blocked").to_string().contains("is blocked"), "{text}");
    }
    // The two shapes that a single twist leads to and the turns between them.
    assert_eq!(layers("square-1", &Selection::default(), 2).len(), 3);
}

#[test]
fn every_example_of_the_list_is_a_puzzle() {
    for entry in ENTRIES {
        let selected = selected(entry.example);
        assert_eq!(selected.puzzle.name(), entry.example);
        assert!(selected.remarks.is_empty(), "{}: {:?}", entry.name, selected.remarks);
    }
    for name in ["1x1x1", "8x8x8", "pancake-61", "topspin-20-21", "lights-out-16x1"] {
        assert!(get(name).expect("a family").is_err(), "{name}");
    }
    for name in ["", "cube", "3x3x4", "pancake-x", "topspin-20", "4x5"] {
        assert!(get(name).is_none(), "{name}");
    }
}

/// Names of conjugates are algorithms with the effect of the move.
#[test]
fn every_counted_move_can_be_written() {
    for name in ["2x2x2", "topspin-8-4", "dino", "helicopter", "4x4x4"] {
        let definition = definition(name);
        let Selected { puzzle, .. } = selected(name);
        for step in puzzle.moves() {
            let algorithm = definition.algorithm(&step.name).expect("an algorithm");
            assert_eq!(definition.effect(&algorithm), step.transformation, "{name}: {}", step.name);
        }
    }
    let names: Vec<String> =
        selected("topspin-8-4").puzzle.moves().iter().map(|step| step.name.clone()).collect();
    assert_eq!(names, ["F", "[R': F]", "[R2': F]", "[R3': F]", "[R4: F]", "[R3: F]", "[R2: F]", "[R: F]"]);
}
