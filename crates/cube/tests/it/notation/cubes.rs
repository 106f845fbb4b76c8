//! Seeded random cubes and the referee's view of them.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use cube::cube::{Cube, Turn};
use proptest::prelude::*;

pub fn rng(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

/// A number below `n`.
pub fn below(rng: &mut ChaCha8Rng, n: usize) -> usize {
    (rng.next_u64() % n as u64) as usize
}

pub fn shuffle<T>(rng: &mut ChaCha8Rng, items: &mut [T]) {
    for i in (1..items.len()).rev() {
        items.swap(i, below(rng, i + 1));
    }
}

/// Uniformly random cubies; every second arrangement is legal after the last twist and flip are set, and a swap
/// makes the other half legal.
pub fn uniform(seed: u64) -> Cube {
    let rng = &mut rng(seed);
    let (mut corners, mut edges) = (*Cube::SOLVED.corners(), *Cube::SOLVED.edges());
    shuffle(rng, &mut corners);
    shuffle(rng, &mut edges);
    let twists: [u8; 7] = std::array::from_fn(|_| below(rng, 3) as u8);
    let flips: [u8; 11] = std::array::from_fn(|_| below(rng, 2) as u8);
    (0..7).for_each(|i| corners[i] |= twists[i] << 4);
    (0..11).for_each(|i| edges[i] |= flips[i] << 4);
    corners[7] |= (21 - twists.iter().sum::<u8>()) % 3 << 4;
    edges[11] |= flips.iter().sum::<u8>() % 2 << 4;
    Cube::from_cubies(corners, edges).unwrap_or_else(|_| {
        edges.swap(0, 1);
        Cube::from_cubies(corners, edges).expect("one of two parities is legal")
    })
}

/// Random turns.
pub fn turns(seed: u64, length: usize) -> Vec<Turn> {
    let rng = &mut rng(seed);
    (0..length).map(|_| Turn::from_index(below(rng, 18))).collect()
}

/// Both kinds of random cubes.
pub fn any_cube() -> impl Strategy<Value = Cube> {
    prop_oneof![
        any::<u64>().prop_map(uniform),
        (any::<u64>(), 0..30usize).prop_map(|(seed, n)| Cube::SOLVED.apply_all(turns(seed, n))),
    ]
}

/// The referee's facelets after moves.
pub fn referee_facelets(moves: &str) -> String {
    let moves = referee::cube::parse_moves(moves).expect("the referee reads the moves");
    referee::cube::Cube::solved().after_all(&moves).to_string()
}
