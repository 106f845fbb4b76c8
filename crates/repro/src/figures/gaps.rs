//! The gap between both bounds of a search, by time.
//!
//! Seconds differ from machine to machine, so they are not measured here: `fixtures/bounds/gaps.csv` has the bounds that
//! searches printed (`fixtures/bounds/README.md`).

use super::chart::{Chart, Series};
use plotters::chart::SeriesLabelPosition;
use search_core::Run;
use std::collections::BTreeMap;

const RECORDED: &str = include_str!("../../../../fixtures/bounds/gaps.csv");
/// The puzzles: their names in the file and in the legend.
const PUZZLES: [(&str, &str); 3] =
    [("cube", "ten cubes"), ("5x5", "ten 24-puzzles"), ("6x6", "ten 6x6 boards")];
/// The times at which gaps are drawn: powers of ten with these exponents, in tenths.
const TENTHS: std::ops::RangeInclusive<i32> = -20..=20;

/// Both bounds at a time.
struct Bounds {
    seconds: f64,
    lower: u32,
    upper: u32,
}

/// The mean gap of each puzzle, as a share of the lower bound, by the time of the search.
pub fn gaps(_: &Run<'_>) -> String {
    let series = PUZZLES.iter().map(|&(puzzle, name)| {
        let searches = read(RECORDED, puzzle);
        let point = |tenths: i32| {
            let exponent = f64::from(tenths) / 10.0;
            mean_gap(&searches, 10f64.powf(exponent)).map(|gap| (exponent, 100.0 * gap))
        };
        Series { name, points: TENTHS.filter_map(point).collect() }
    });
    Chart {
        axes: ["seconds", "gap, % of the lower bound"],
        log: false,
        x_label: seconds,
        legend: SeriesLabelPosition::UpperRight,
        series: series.collect(),
    }
    .draw()
}

/// A power of ten as a number of seconds.
fn seconds(exponent: f64) -> String {
    let places = (-exponent).ceil().max(0.0) as usize;
    format!("{:.places$}", 10f64.powf(exponent))
}

/// The bounds of each search of a puzzle, in the order of time.
fn read(text: &str, puzzle: &str) -> Vec<Vec<Bounds>> {
    let mut searches = BTreeMap::<&str, Vec<Bounds>>::new();
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').map(|field| field.trim_matches('"')).collect();
        let [name, instance, seconds, lower, upper] = fields[..] else { panic!("{line}: five fields") };
        if name == puzzle {
            let number = |field: &str| field.parse().unwrap_or_else(|_| panic!("{line}: not a number"));
            let seconds = seconds.parse().unwrap_or_else(|_| panic!("{line}: not a time"));
            let bounds = Bounds { seconds, lower: number(lower), upper: number(upper) };
            searches.entry(instance).or_default().push(bounds);
        }
    }
    searches.into_values().collect()
}

/// The mean gap at a time, as a share of the mean lower bound; `None` if a search has no solution by then, or has ended
/// without a proof.
fn mean_gap(searches: &[Vec<Bounds>], seconds: f64) -> Option<f64> {
    let mut sums = (0, 0);
    for search in searches {
        let known = search.iter().take_while(|bounds| bounds.seconds <= seconds).last()?;
        let is_over = search.last().is_some_and(|last| last.seconds < seconds);
        if is_over && known.lower < known.upper {
            return None;
        }
        sums = (sums.0 + known.lower, sums.1 + known.upper);
    }
    (sums.0 > 0).then(|| f64::from(sums.1 - sums.0) / f64::from(sums.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_those_of_the_last_bounds_before_a_time() {
        let text = "puzzle,instance,seconds,lower_bound,upper_bound
            \"a\",\"1\",0.5,10,14\na,2,1,10,16\nb,1,0.1,2,3\na,1,2,12,12\na,2,3,10,16\n"
            .replace("\n            ", "\n");
        let searches = read(&text, "a");
        assert_eq!(searches.iter().map(Vec::len).collect::<Vec<_>>(), [2, 2]);
        // One has no solution yet; later it has ended without a proof.
        assert_eq!((mean_gap(&searches, 0.7), mean_gap(&searches, 3.5)), (None, None));
        assert_eq!((mean_gap(&searches, 1.5), mean_gap(&searches, 2.5)), (Some(0.5), Some(6.0 / 22.0)));
        assert_eq!((seconds(-2.0), seconds(0.0), seconds(2.0)), ("0.01".into(), "1".into(), "100".into()));
    }
}
