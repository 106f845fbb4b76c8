//! Measuring how fast a machine is, before long work whose time is to be predicted.
//!
//! The idea: a node takes as long as its reads of memory do, so short searches in tables of the same size show it. The
//! counts of nodes do not depend on the machine; each puzzle has its own.

use crate::clock::Instant;
use std::time::Duration;

/// The median of what `trial` measures of the instances, one after the other until `enough` time has passed. A short
/// disturbance of the machine affects one trial only. `None` is a trial that measures nothing.
///
/// # Errors
/// The first error of `trial`.
///
/// # Panics
/// If the instances end before anything is measured.
///
/// ```
/// use search_core::calibration::median_of_trials;
/// use std::time::Duration;
///
/// let rates = [Some(3.0), None, Some(9.0), Some(4.0)];
/// let median = median_of_trials(Duration::from_secs(60), rates, Ok::<_, std::convert::Infallible>);
/// assert_eq!(median, Ok(4.0));
/// ```
pub fn median_of_trials<T, E>(
    enough: Duration,
    instances: impl IntoIterator<Item = T>,
    mut trial: impl FnMut(T) -> Result<Option<f64>, E>,
) -> Result<f64, E> {
    let (mut measured, begun) = (Vec::new(), Instant::now());
    for instance in instances {
        measured.extend(trial(instance)?);
        if !measured.is_empty() && begun.elapsed() >= enough {
            break;
        }
    }
    let middle = measured.len() / 2;
    Ok(*measured.select_nth_unstable_by(middle, f64::total_cmp).1)
}

/// The value at `share` of the way from `from` to `to`, where logarithms are on a line.
pub fn between(from: f64, to: f64, share: f64) -> f64 {
    from * (to / from).powf(share)
}
