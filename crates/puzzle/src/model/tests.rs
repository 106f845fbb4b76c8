//! Laws of transformations and patterns, and the faults of a puzzle.

use super::*;
use proptest::prelude::*;

fn orbits() -> Vec<Orbit> {
    vec![
        Orbit { name: "CORNERS".into(), pieces: 5, orientations: 3 },
        Orbit { name: "EDGES".into(), pieces: 4, orientations: 2 },
    ]
}

prop_compose! {
    fn part(orbit: Orbit)(
        from in Just((0..orbit.pieces as u8).collect::<Vec<u8>>()).prop_shuffle(),
        turn in prop::collection::vec(0..orbit.orientations as u8, orbit.pieces),
    ) -> OrbitTransformation {
        OrbitTransformation { from, turn, orientations: orbit.orientations as u8 }
    }
}

fn transformation() -> impl Strategy<Value = Transformation> {
    let [corners, edges]: [Orbit; 2] = orbits().try_into().expect("two orbits");
    (part(corners), part(edges)).prop_map(|(a, b)| Transformation { orbits: vec![a, b] })
}

proptest! {
    #[test]
    fn transformations_form_a_group(a in transformation(), b in transformation(), c in transformation()) {
        let identity = Transformation::identity(&orbits());
        prop_assert!(a.then(&a.inverse()) == identity && a.inverse().then(&a).is_identity());
        prop_assert_eq!(a.then(&b).then(&c), a.then(&b.then(&c)));
        prop_assert_eq!(a.conjugate(&b).then(&c.conjugate(&b)), a.then(&c).conjugate(&b));
        let order = a.order().expect("a small order");
        prop_assert!(a.power(order).is_identity());
        prop_assert!((1..order).all(|less| !a.power(less).is_identity()));
    }

    #[test]
    fn patterns_are_moved_by_products_as_by_their_factors(a in transformation(), b in transformation()) {
        let mut solved = Pattern::distinct(&orbits());
        solved.orbits[0].pieces[1] = 0;
        solved.orbits[1].orientation_mod[2] = 1;
        prop_assert_eq!(solved.apply(&a).apply(&b), solved.apply(&a.then(&b)));
        prop_assert!(solved.apply(&a).faults(&orbits()).is_empty());
    }
}

#[test]
fn every_fault_of_a_puzzle_is_named() {
    let orbits = orbits();
    let mut wrong = Transformation::identity(&orbits);
    wrong.orbits[0].from[1] = 0;
    wrong.orbits[1].turn[3] = 2;
    let mut solved = Pattern::distinct(&orbits);
    solved.orbits[0].orientation_mod[4] = 2;
    let step = |transformation| Move { name: "U".into(), transformation, base: 0, power: 1 };
    let parts = PuzzleParts {
        name: "test".into(),
        moves: vec![step(wrong), step(Transformation::identity(&orbits))],
        free: Vec::new(),
        rotations: Vec::new(),
        solved,
        illegal: vec![Illegal { orbit: 2, place: 0, piece: 0 }, Illegal { orbit: 1, place: 4, piece: 0 }],
        orbits,
    };
    let faults = Puzzle::new(parts.clone()).expect_err("faults").0;
    assert_eq!(
        faults,
        [
            "move U: place 0 of CORNERS is named twice",
            "move U: orientation 2 of EDGES is not from 0 to 1",
            "two moves have the name U",
            "solved pattern: modulus 2 at place 4 of CORNERS does not divide 3",
            "a rule names orbit 2 of 2",
            "a rule names place 4 of the 4 places of EDGES",
        ]
    );
    let empty =
        PuzzleParts { orbits: vec![Orbit { name: "A".into(), pieces: 257, orientations: 0 }], ..parts };
    assert_eq!(Puzzle::new(empty).expect_err("faults").0.len(), 2);
}
