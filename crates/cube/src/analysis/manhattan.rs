//! The exact distribution of Manhattan distance over all cubes.
//!
//! The idea: the sum over the edges depends on where each edge is and how it is flipped, and cubies restrict
//! each other only by occupying locations. So it is enough to count the assignments of the first `k` cubies to
//! a set of `k` locations, by the sum of their distances, the sum of their orientations and the parity of the
//! permutation (each cubie adds one inversion for every greater location that is occupied). A legal cube has
//! orientation sums 0, and corners and edges of equal parity. So the joint distribution of both sums combines
//! the even corners with the even edges, and the odd with the odd.
//!
//! Cost: `2^n` sets times cubies, orientations and sums, about ten million steps for the edges.
//!
//! This gives exactly the expected value that Korf 1997 ("A First Attempt") states: 22 for the sum over the
//! edges, 5.5 when divided by four.

use super::Distribution;
use crate::heuristics::manhattan::{Manhattan, Sums, Variant};
use crate::metric::Metric;

/// The number of arrangements of the corners (or edges) with each sum of distances, by the parity of their
/// permutation.
type BySum = [Vec<u128>; 2];

/// The distribution of a variant of Manhattan distance over all cubes.
pub fn distribution(metric: Metric, variant: Variant) -> Distribution {
    let heuristic = Manhattan::new(metric, variant);
    let mut counts = vec![0; 256];
    for (sums, cubes) in joint(&heuristic) {
        counts[usize::from(heuristic.bound(sums))] += cubes;
    }
    Distribution::new(counts)
}

/// The expected value before rounding up: of the total divided by eight, of the greater of the two sums divided
/// by four, or of the edges' sum divided by four.
pub fn unrounded(metric: Metric, variant: Variant) -> f64 {
    let (mut total, mut sum) = (0.0, 0.0);
    for (Sums { corners, edges }, cubes) in joint(&Manhattan::new(metric, variant)) {
        let value = match variant {
            Variant::All => f64::from(corners + edges) / 8.0,
            Variant::Max => f64::from(corners.max(edges)) / 4.0,
            Variant::Edges => f64::from(edges) / 4.0,
        };
        total += cubes as f64;
        sum += cubes as f64 * value;
    }
    sum / total
}

/// The number of cubes with each pair of sums.
fn joint(heuristic: &Manhattan) -> Vec<(Sums, u128)> {
    let mut joint = Vec::new();
    for (of_corners, of_edges) in corner_sums(heuristic).iter().zip(&edge_sums(heuristic)) {
        for (corners, n) in (0..).zip(of_corners).filter(|(_, n)| **n > 0) {
            joint.extend((0..).zip(of_edges).map(|(edges, m)| (Sums { corners, edges }, n * m)));
        }
    }
    joint
}

fn corner_sums(heuristic: &Manhattan) -> BySum {
    count::<8, 3>(|cubie, value| heuristic.corner_distance(cubie, value))
}

fn edge_sums(heuristic: &Manhattan) -> BySum {
    count::<12, 2>(|cubie, value| heuristic.edge_distance(cubie, value))
}

/// Counts the arrangements of `N` cubies with `WAYS` orientations each whose orientations add up to 0;
/// `distance(cubie, location | orientation << 4)` is the distance of one cubie.
fn count<const N: usize, const WAYS: usize>(distance: impl Fn(usize, u8) -> u8) -> BySum {
    let distances: Vec<Vec<usize>> = (0..N)
        .map(|cubie| (0..N * WAYS).map(|v| distance(cubie, (v % N + v / N * 16) as u8).into()).collect())
        .collect();
    let sums = 1 + distances.iter().map(|of_cubie| of_cubie.iter().max().unwrap_or(&0)).sum::<usize>();
    // Index: the set of locations, the parity, the orientation, the sum.
    let cell = |set: usize, parity: usize, turned: usize| ((set * 2 + parity) * WAYS + turned) * sums;
    let mut ways = vec![0u128; (1 << N) * 2 * WAYS * sums];
    ways[cell(0, 0, 0)] = 1;
    for set in 0usize..1 << N {
        let cubie = set.count_ones() as usize;
        for location in (0..N).filter(|location| set >> location & 1 == 0) {
            let inversions = (set >> location).count_ones() as usize;
            for (parity, turned, orientation) in combinations(WAYS) {
                let from = cell(set, parity, turned);
                let to = cell(set | 1 << location, (parity + inversions) % 2, (turned + orientation) % WAYS);
                let by = distances[cubie][orientation * N + location];
                for sum in 0..sums - by {
                    ways[to + sum + by] += ways[from + sum];
                }
            }
        }
    }
    [0, 1].map(|parity| ways[cell((1 << N) - 1, parity, 0)..][..sums].to_vec())
}

/// All combinations of a parity, a sum of orientations so far, and an orientation to add.
fn combinations(ways: usize) -> impl Iterator<Item = (usize, usize, usize)> {
    (0..2).flat_map(move |parity| (0..ways * ways).map(move |i| (parity, i / ways, i % ways)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::Portable;
    use crate::random::random_cube;
    use crate::space::State;
    use chacha20::ChaCha8Rng;
    use chacha20::rand_core::SeedableRng;

    #[test]
    fn every_cube_is_counted() {
        // With the edges at home, half of the arrangements of the corners are legal.
        for (variant, zeros) in [(Variant::All, 1), (Variant::Max, 1), (Variant::Edges, 88_179_840 / 2)] {
            let all = distribution(Metric::Htm, variant);
            assert_eq!(all.total(), 43_252_003_274_489_856_000);
            assert_eq!(all.counts[0], zeros);
        }
    }

    /// Korf 1997: the expected value of the sum over the edges, divided by four, is 5.5.
    #[test]
    fn the_edges_expected_sum_is_22() {
        let [even, odd] = edge_sums(&Manhattan::new(Metric::Htm, Variant::Edges));
        let both = Distribution::new(even.iter().zip(&odd).map(|(a, b)| a + b).collect());
        assert_eq!(both.total(), 479_001_600 * 2048);
        assert_eq!(both.expected(), 22.0);
        assert!((unrounded(Metric::Htm, Variant::Edges) - 5.5).abs() < 1e-9);
    }

    #[test]
    fn samples_have_the_same_mean() {
        for (metric, variant) in
            [(Metric::Htm, Variant::All), (Metric::Htm, Variant::Max), (Metric::Qtm, Variant::Edges)]
        {
            let heuristic = Manhattan::new(metric, variant);
            let mut rng = ChaCha8Rng::seed_from_u64(3);
            let samples = 100_000;
            let sum: u64 = (0..samples)
                .map(|_| heuristic.sums(&State::<Portable>::new(&random_cube(&mut rng))))
                .map(|sums| u64::from(heuristic.bound(sums)))
                .sum();
            let difference = sum as f64 / f64::from(samples) - distribution(metric, variant).expected();
            assert!(difference.abs() < 0.01, "{metric:?} {variant:?}: {difference}");
        }
    }
}
