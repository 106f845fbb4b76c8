//! The units of work, in order of the cost of the moves outside H.

use crate::cube::Turn;
use crate::metric::Metric;

/// The greatest length of a solution; no cube needs as many moves in either metric.
pub(super) const MOST: usize = 40;

/// The greatest cost of `q`.
pub(super) const MOST_AFTER: u32 = 6;

/// The greatest cost of `q`, where that of `p` and `q` is `outside`. A longer `q` has so many strings that looking them up
/// takes longer than the searches that begin with them.
fn most_after(outside: u32, metric: Metric) -> u32 {
    let least_before = match metric {
        Metric::Htm | Metric::Stm | Metric::Axial => 5 + u32::from(outside < 12),
        Metric::Qtm => 7,
    };
    outside.saturating_sub(least_before).min(outside.saturating_sub(1) / 2).min(MOST_AFTER)
}

/// A unit of work: the solutions `p h q` of one view whose parts have these costs, and that have a certain turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Subtree {
    /// The cost of `p` and `q`.
    pub outside: u32,
    /// The cost of `q`.
    pub after: u32,
    pub view: usize,
    /// The first turn of `q`, or of `p` if `q` is empty. One more stands for an empty `p`.
    pub number: usize,
}

impl Subtree {
    /// The subtree of this number, in order of the cost outside H, where so many views are of the cube and so many in all;
    /// `None` beyond the greatest length.
    pub(super) fn of_number(
        mut number: usize,
        (of_cube, views): (usize, usize),
        metric: Metric,
    ) -> Option<Subtree> {
        for outside in 0..MOST as u32 {
            for after in 0..=most_after(outside, metric) {
                let turns = if after > 0 { Turn::COUNT } else { Turn::COUNT + 1 };
                // Where both sides cost the same, the inverse has the same solutions.
                let views = if after > 0 && 2 * after == outside { of_cube } else { views };
                if number < views * turns {
                    return Some(Subtree { outside, after, view: number / turns, number: number % turns });
                }
                number -= views * turns;
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn each_division_of_a_cost_is_searched_once() {
        for (counts, metric) in [((3, 6), Metric::Htm), ((1, 1), Metric::Htm), ((3, 6), Metric::Qtm)] {
            let all = (0..).map_while(|number| Subtree::of_number(number, counts, metric));
            let all: Vec<Subtree> = all.take_while(|subtree| subtree.outside < 15).collect();
            assert!(all.is_sorted_by_key(|subtree| (subtree.outside, subtree.after)));
            let distinct: HashSet<String> = all.iter().map(|subtree| format!("{subtree:?}")).collect();
            assert_eq!(distinct.len(), all.len());
            // A search of the inverse finds solutions whose parts are exchanged.
            let is_new = |s: &Subtree| s.view < counts.0 || 2 * s.after != s.outside || s.outside == 0;
            assert!(all.iter().all(|subtree| 2 * subtree.after <= subtree.outside && is_new(subtree)));
        }
    }
}
