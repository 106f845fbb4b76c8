//! Exact distances of pairs of coordinates, filled in memory by breadth-first search.
//!
//! A pair of coordinates is a projection of the cube, so its distance never exceeds that of the phase; the greatest of some
//! pairs is the bound. Phase 2 has (corners, slice) and (edges, slice), 967,680 entries each. Phase 1 has (twist, slice),
//! (flip, slice) and (twist, flip), 6.6 million entries together, and is needed only without the table of cosets.

use super::coordinates::{EIGHT, FOUR, INNER, InnerMoves, MoveTable, Outer, OuterMoves};
use super::phase_one::PhaseOne;
use crate::cube::Turn;
use crate::metric::Metric;
use crate::pdb::corners::TWISTS;
use crate::pdb::coset::{FLIPS, SLICES};
use search_core::{Cancelled, Run};

/// The distances of the pairs of two coordinates: entry `a * |b| + b`.
#[derive(Debug)]
pub(super) struct Pairs {
    columns: usize,
    distances: Vec<u8>,
}

/// The mark of an entry that is not reached yet.
const FAR: u8 = u8::MAX;

impl Pairs {
    /// The distances from the pair `home`, where turn `i` changes the pair as both move tables say and costs
    /// `costs[i]` (0: not allowed).
    ///
    /// Entries are visited by distance; one is final when its distance is visited, because every turn costs at
    /// least one.
    fn fill<const N: usize>(
        (first, second): (&MoveTable<N>, &MoveTable<N>),
        home: (u16, u16),
        costs: [u8; N],
        run: &Run<'_>,
    ) -> Result<Pairs, Cancelled> {
        let columns = second.len();
        let turns: Vec<(usize, u8)> = (0..N).map(|i| (i, costs[i])).filter(|&(_, cost)| cost > 0).collect();
        let mut distances = vec![FAR; first.len() * columns];
        distances[usize::from(home.0) * columns + usize::from(home.1)] = 0;
        let (mut depth, mut greatest) = (0, 0);
        while depth <= greatest {
            for row in 0..first.len() {
                if row % 1024 == 0 {
                    run.check()?;
                }
                for column in 0..columns {
                    if distances[row * columns + column] != depth {
                        continue;
                    }
                    for &(turn, cost) in &turns {
                        let to = usize::from(first[row][turn]) * columns + usize::from(second[column][turn]);
                        if distances[to] > depth + cost {
                            distances[to] = depth + cost;
                            greatest = greatest.max(depth + cost);
                        }
                    }
                }
            }
            depth += 1;
        }
        Ok(Pairs { columns, distances })
    }

    /// The entry of a pair.
    #[inline(always)]
    pub(super) fn place(&self, first: u16, second: u16) -> u32 {
        first as u32 * self.columns as u32 + second as u32
    }

    /// The distance of an entry.
    #[inline(always)]
    pub(super) fn at(&self, place: u32) -> u8 {
        self.distances[place as usize]
    }

    /// The distance of a pair.
    #[inline(always)]
    pub(super) fn get(&self, first: u16, second: u16) -> u8 {
        self.at(self.place(first, second))
    }
}

/// The tables of phase 2.
#[derive(Debug)]
pub(super) struct Inner {
    pub moves: InnerMoves,
    pub corners: Pairs,
    pub edges: Pairs,
    /// The least distance of each permutation of the corners.
    pub corners_alone: Vec<u8>,
    /// The tables of phase 1 that every bound needs.
    pub outer: OuterMoves,
}

impl Inner {
    pub(super) fn new(metric: Metric, run: &Run<'_>) -> Result<Inner, Cancelled> {
        let moves = InnerMoves::new();
        let costs = INNER.map(|turn| metric.length(turn) as u8);
        debug_assert_eq!((moves.corners.len(), moves.slice.len()), (EIGHT, FOUR));
        let fill = |first: &&MoveTable<10>| Pairs::fill((first, &moves.slice), (0, 0), costs, run);
        let [corners, edges] = all(run.map(&[&moves.corners, &moves.edges], fill))?;
        let least = |row: &[u8]| *row.iter().min().expect("a row has entries");
        let corners_alone = corners.distances.chunks_exact(FOUR).map(least).collect();
        Ok(Inner { corners, edges, corners_alone, moves, outer: OuterMoves::new() })
    }
}

/// The results, or the first error.
fn all<T, const N: usize>(results: Vec<Result<T, Cancelled>>) -> Result<[T; N], Cancelled> {
    let values = results.into_iter().collect::<Result<Vec<T>, Cancelled>>()?;
    Ok(values.try_into().unwrap_or_else(|_| unreachable!("as many results as items")))
}

/// The bound of phase 1 without the table of cosets.
#[derive(Debug)]
pub(super) struct Small {
    twist_slice: Pairs,
    flip_slice: Pairs,
    twist_flip: Pairs,
}

impl Small {
    pub(super) fn new(metric: Metric, run: &Run<'_>) -> Result<Small, Cancelled> {
        let moves = OuterMoves::new();
        let home = Outer::of(&crate::Cube::SOLVED);
        // A half turn that costs two is two quarter turns.
        let costs = std::array::from_fn(|turn| match metric.length(Turn::from_index(turn)) {
            1 => 1,
            _ => 0,
        });
        let pairs = [
            ((&moves.twist, &moves.slice), (home.twist, home.slice)),
            ((&moves.flip, &moves.slice), (home.flip, home.slice)),
            ((&moves.twist, &moves.flip), (home.twist, home.flip)),
        ];
        let filled = run.map(&pairs, |&(tables, home)| Pairs::fill(tables, home, costs, run));
        let [twist_slice, flip_slice, twist_flip] = all(filled)?;
        debug_assert_eq!(twist_slice.distances.len(), TWISTS * SLICES);
        debug_assert_eq!(twist_flip.distances.len(), TWISTS * FLIPS);
        Ok(Small { twist_slice, flip_slice, twist_flip })
    }

    /// The tables, in the order of their places.
    #[cfg(test)]
    pub(super) fn pairs(&self) -> [&Pairs; 3] {
        [&self.twist_slice, &self.flip_slice, &self.twist_flip]
    }
}

impl PhaseOne for Small {
    type Place = [u32; 3];

    #[inline(always)]
    fn locate(&self, at: Outer) -> [u32; 3] {
        [
            self.twist_slice.place(at.twist, at.slice),
            self.flip_slice.place(at.flip, at.slice),
            self.twist_flip.place(at.twist, at.flip),
        ]
    }

    #[inline(always)]
    fn read(&self, [twist_slice, flip_slice, twist_flip]: [u32; 3]) -> u8 {
        let one = self.twist_slice.at(twist_slice).max(self.flip_slice.at(flip_slice));
        one.max(self.twist_flip.at(twist_flip))
    }
}
