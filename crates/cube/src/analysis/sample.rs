//! The mean of a heuristic on random cubes.

use crate::random::random_cube;
use crate::strategy::{Solver, SolverError};
use chacha20::ChaCha8Rng;
use chacha20::rand_core::SeedableRng;
use search_core::Run;

/// The values of a heuristic on some random cubes.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// `counts[v]` cubes have the value `v`; no trailing zeros.
    pub counts: Vec<u64>,
}

/// Cubes between two checks for cancellation.
const STRIDE: u64 = 4096;

impl Sample {
    /// The values of `cubes` uniformly random cubes. The same seed gives the same sample.
    ///
    /// # Errors
    /// [`SolverError`]: cancelled, or a table is not available.
    pub fn draw(solver: &Solver, cubes: u64, seed: u64, run: &Run<'_>) -> Result<Sample, SolverError> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut counts = vec![0; 256];
        for drawn in 0..cubes {
            if drawn % STRIDE == 0 {
                run.check()?;
            }
            counts[usize::from(solver.value(&random_cube(&mut rng), run)?)] += 1;
        }
        while counts.last() == Some(&0) {
            counts.pop();
        }
        Ok(Sample { counts })
    }

    /// The number of cubes that were drawn.
    pub(crate) fn cubes(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The mean value.
    pub fn mean(&self) -> f64 {
        self.moment(1)
    }

    /// The standard error of the mean.
    pub fn standard_error(&self) -> f64 {
        ((self.moment(2) - self.mean().powi(2)) / self.cubes() as f64).sqrt()
    }

    fn moment(&self, power: i32) -> f64 {
        let sum: f64 = self.counts.iter().enumerate().map(|(v, &n)| (v as f64).powi(power) * n as f64).sum();
        sum / self.cubes() as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SolverSetup;
    use crate::heuristics::HeuristicSpec;
    use crate::heuristics::manhattan::Variant;
    use crate::metric::Metric;

    #[test]
    fn the_sampled_mean_is_near_the_exact_one() {
        let choice = HeuristicSpec::Manhattan(Variant::Max);
        let store = search_core::table::Store::new(std::env::temp_dir(), "test");
        let solver = SolverSetup::new().heuristic(choice).load(store, &Run::new()).unwrap();
        let sample = Sample::draw(&solver, 20_000, 1, &Run::new()).unwrap();
        let exact = crate::analysis::manhattan::distribution(Metric::Htm, Variant::Max).expected();
        assert_eq!(sample.cubes(), 20_000);
        assert!((sample.mean() - exact).abs() < 4.0 * sample.standard_error(), "{sample:?}");
        assert_eq!(sample, Sample::draw(&solver, 20_000, 1, &Run::new()).unwrap());
    }

    #[test]
    fn means_and_errors_are_those_of_the_counts() {
        let dice = Sample { counts: vec![0, 1, 1, 1, 1, 1, 1] };
        assert_eq!(dice.mean(), 3.5);
        assert!((dice.standard_error() - (35.0f64 / 12.0 / 6.0).sqrt()).abs() < 1e-12);
    }
}
