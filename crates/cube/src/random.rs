//! Uniformly random cubes.
//!
//! Each of the 43,252,003,274,489,856,000 legal cubes is equally likely. Both permutations are drawn uniformly
//! and independently; if they differ in parity, two edges are swapped, which maps the edge permutations of
//! either parity one to one onto those of the other. All twists and flips but the last are drawn, and the last
//! makes the sum right.

use crate::cube::Cube;
use chacha20::rand_core::Rng;

/// A uniformly random legal cube. The same generator state gives the same cube in every version.
pub fn random_cube(rng: &mut impl Rng) -> Cube {
    let mut corners = permutation::<8>(rng);
    let mut edges = permutation::<12>(rng);
    orient(&mut corners, 3, rng);
    orient(&mut edges, 2, rng);
    Cube::from_cubies(corners, edges).unwrap_or_else(|_| {
        // Only the parities may disagree.
        let (a, b) = (edges[0] & 15, edges[1] & 15);
        edges[0] = edges[0] & 16 | b;
        edges[1] = edges[1] & 16 | a;
        Cube::from_cubies(corners, edges).expect("swapping two edges changes the parity")
    })
}

/// A uniformly random number below `bound`. Draws beyond the last multiple of `bound` are repeated.
pub fn below(bound: u32, rng: &mut impl Rng) -> u32 {
    let fair = u32::MAX - u32::MAX % bound;
    loop {
        let draw = rng.next_u32();
        if draw < fair {
            return draw % bound;
        }
    }
}

/// Fisher and Yates's shuffle of `0..N`.
fn permutation<const N: usize>(rng: &mut impl Rng) -> [u8; N] {
    let mut cubies = std::array::from_fn(|i| i as u8);
    for last in (1..N).rev() {
        cubies.swap(last, below(last as u32 + 1, rng) as usize);
    }
    cubies
}

/// Draws the orientation of all cubies but the last, whose orientation makes the sum 0 modulo `ways`.
fn orient(cubies: &mut [u8], ways: u8, rng: &mut impl Rng) {
    let (last, others) = cubies.split_last_mut().expect("there are cubies");
    let mut sum = 0;
    for cubie in others {
        let orientation = below(u32::from(ways), rng) as u8;
        *cubie |= orientation << 4;
        sum += orientation;
    }
    *last |= ((ways - sum % ways) % ways) << 4;
}

#[cfg(test)]
mod tests {
    use super::*;
    use chacha20::ChaCha8Rng;
    use chacha20::rand_core::SeedableRng;

    /// Pearson's statistic of counts that should be equal.
    fn chi_square(counts: &[u32]) -> f64 {
        let expected = f64::from(counts.iter().sum::<u32>()) / counts.len() as f64;
        counts.iter().map(|&count| (f64::from(count) - expected).powi(2) / expected).sum()
    }

    #[test]
    fn every_cubie_is_everywhere_equally_often() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let (mut corners, mut edges, mut odd) = ([[0u32; 24]; 8], [[0u32; 24]; 12], 0u32);
        let samples = 48_000;
        for _ in 0..samples {
            let cube = random_cube(&mut rng);
            assert_eq!(Cube::from_cubies(cube.corners, cube.edges), Ok(cube));
            odd += u32::from(cube.is_odd());
            for (at, &v) in cube.corners.iter().enumerate() {
                corners[at][usize::from((v & 15) * 3 + (v >> 4))] += 1;
            }
            for (at, &v) in cube.edges.iter().enumerate() {
                edges[at][usize::from((v & 15) * 2 + (v >> 4))] += 1;
            }
        }
        // With 23 degrees of freedom, 64 is exceeded once in 100,000 times.
        assert!(corners.iter().chain(&edges).all(|counts| chi_square(counts) < 64.0));
        assert!(chi_square(&[odd, samples - odd]) < 20.0);
    }

    #[test]
    fn numbers_stay_below_their_bound() {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        assert!((1..50).all(|bound| below(bound, &mut rng) < bound));
    }
}
