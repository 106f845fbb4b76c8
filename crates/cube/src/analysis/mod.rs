//! How many cubes have each value of a heuristic.
//!
//! | module | holds |
//! | --- | --- |
//! | [`manhattan`] | Manhattan distance over all cubes, counted without enumerating them |
//! | [`tables`] | the distances in a table, each entry weighted by the cubes that it stands for |
//! | [`sample`] | any heuristic, on seeded random cubes |

pub mod manhattan;
pub mod sample;
pub mod tables;

/// How many cubes have each value, exactly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Distribution {
    /// `counts[v]` cubes have the value `v`; no trailing zeros.
    pub counts: Vec<u128>,
}

impl Distribution {
    /// From counts of the values 0, 1, 2, ….
    pub fn new(mut counts: Vec<u128>) -> Distribution {
        while counts.last() == Some(&0) {
            counts.pop();
        }
        Distribution { counts }
    }

    /// The number of cubes.
    pub fn total(&self) -> u128 {
        self.counts.iter().sum()
    }

    /// The greatest value; 0 when there is none.
    pub fn greatest(&self) -> u8 {
        self.counts.len().saturating_sub(1) as u8
    }

    /// The expected value of a cube chosen uniformly.
    pub fn expected(&self) -> f64 {
        let sum: f64 =
            self.counts.iter().enumerate().map(|(value, &count)| value as f64 * count as f64).sum();
        sum / self.total() as f64
    }
}
