//! Orders of known groups, membership and random elements.

use super::*;
use crate::model::OrbitTransformation;
use std::collections::HashSet;

fn generated(orbits: &[Orbit], generators: &[Transformation]) -> Group {
    Group::generated(orbits, generators, &Run::new()).expect("not cancelled").expect("few points")
}

/// Permutations of places as transformations.
fn permutations(from: &[&[u8]]) -> (Vec<Orbit>, Vec<Transformation>) {
    let orbit = Orbit { name: "P".into(), pieces: from[0].len(), orientations: 1 };
    let part = |from: &&[u8]| OrbitTransformation {
        from: from.to_vec(),
        turn: vec![0; from.len()],
        orientations: 1,
    };
    let all = from.iter().map(|from| Transformation { orbits: vec![part(from)] });
    (vec![orbit], all.collect())
}

/// All products, found one by one.
fn closure(orbits: &[Orbit], generators: &[Transformation]) -> HashSet<Transformation> {
    let mut found = vec![Transformation::identity(orbits)];
    let mut known: HashSet<Transformation> = found.iter().cloned().collect();
    while let Some(element) = found.pop() {
        for generator in generators {
            let product = element.then(generator);
            if known.insert(product.clone()) {
                found.push(product);
            }
        }
    }
    known
}

#[test]
fn orders_equal_the_number_of_products() {
    for generators in [
        &[&[1_u8, 2, 3, 4, 5, 0][..], &[1, 0, 2, 3, 4, 5]][..],
        &[&[1, 2, 3, 4, 0, 5], &[0, 5, 2, 3, 1, 4]],
        &[&[1, 2, 3, 4, 5, 6, 0], &[0, 2, 4, 6, 1, 3, 5]],
        &[&[1, 0, 3, 2, 4, 5, 6]],
        &[&[0, 1, 2]],
    ] {
        let (orbits, generators) = permutations(generators);
        let group = generated(&orbits, &generators);
        let all = closure(&orbits, &generators);
        assert!(group.is_proved());
        assert_eq!(group.order().decimal(), all.len().to_string());
        let mut rng = Uniform::new(1);
        let mut seen = HashSet::new();
        for _ in 0..20 * all.len() {
            seen.insert(group.random(&mut rng, &Run::new()).expect("not cancelled"));
        }
        assert_eq!(seen, all);
        assert!(all.iter().all(|element| group.contains(element, &Run::new()) == Ok(Some(true))));
        let (_, swap) = permutations(&[&(0..orbits[0].pieces as u8).rev().collect::<Vec<u8>>()]);
        assert_eq!(group.contains(&swap[0], &Run::new()), Ok(Some(all.contains(&swap[0]))));
    }
}

#[test]
fn turns_are_part_of_the_group() {
    let orbit = Orbit { name: "C".into(), pieces: 3, orientations: 4 };
    let step = |from: [u8; 3], turn: [u8; 3]| Transformation {
        orbits: vec![OrbitTransformation { from: from.to_vec(), turn: turn.to_vec(), orientations: 4 }],
    };
    // Pieces return to their places turned by two only.
    let generators = [step([1, 2, 0], [1, 3, 0]), step([0, 1, 2], [2, 0, 0])];
    let orbits = [orbit];
    let group = generated(&orbits, &generators);
    let all = closure(&orbits, &generators);
    assert_eq!(group.order().decimal(), all.len().to_string());
    let sets: Vec<_> = group.transitive_sets().collect();
    assert_eq!(sets, [(0, &[0, 1, 2][..], 2)]);
    let mut rng = Uniform::new(2);
    assert!((0..100).all(|_| all.contains(&group.random(&mut rng, &Run::new()).expect("not cancelled"))));
    assert_eq!(group.contains(&step([0, 1, 2], [1, 0, 0]), &Run::new()), Ok(Some(false)));
}

#[test]
fn a_copy_of_a_generator_continues_with_the_same_numbers() {
    let mut numbers = Uniform::new(3);
    for count in 0..40 {
        let mut copy = numbers.clone();
        let next: Vec<usize> = (0..50).map(|_| copy.below(1000)).collect();
        let mut again = numbers.clone();
        assert!(next.iter().all(|&number| again.below(1000) == number), "after {count}");
        assert_eq!(numbers.below(1000), next[0]);
    }
}
