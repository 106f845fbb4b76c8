//! The distribution of a heuristic's values over all cubes.
//!
//! | module | contents |
//! | --- | --- |
//! | [`manhattan`] | Manhattan distance over all cubes, counted without enumerating them |
//! | [`tables`] | the distances in a table, each entry weighted by the number of its cubes |
//! | [`sample`] | any heuristic, on seeded random cubes |

pub mod manhattan;
pub mod sample;
pub mod tables;

/// The exact number of cubes with each value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Distribution {
    /// `counts[v]` cubes have the value `v`; no trailing zeros.
    pub counts: Vec<u128>,
}

impl Distribution {
    /// The distribution with these counts of the values 0, 1, 2, ….
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

    /// The greatest value; 0 if there is none.
    pub fn greatest(&self) -> u8 {
        self.counts.len().saturating_sub(1) as u8
    }

    /// The expected value for a cube chosen uniformly.
    pub fn expected(&self) -> f64 {
        let sum: f64 =
            self.counts.iter().enumerate().map(|(value, &count)| value as f64 * count as f64).sum();
        sum / self.total() as f64
    }
}
