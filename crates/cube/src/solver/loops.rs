//! Loops: parts of a solution that lead back to the position where they began.
//!
//! A loop only adds length, so solutions with one are left out if solutions longer than the shortest are wanted.
//!
//! Why the result then does not depend on the search: a search does not continue from a goal. So a search from one end
//! misses solutions that end with a loop, and a search from both ends misses those with a loop where the ends meet.
//! Each finds all others that keep the move rules.
//!
//! Invariant: whether a solution has a loop depends neither on the order of turns about one axis nor on which quarter
//! turns make a half turn. So the solution that follows the move rules represents all that differ from it in this way,
//! and if a solution has a loop, so do its images under symmetry and the reversed solution. For this, every position on
//! a shortest path through a run of turns about one axis counts as visited.
//!
//! Cost: a solution of *n* turns has fewer than 2 *n* such positions, or 4 *n* in quarter turns; each is compared with
//! those before it.

use crate::cube::{Cube, Face, Turn};
use crate::metric::Metric;

/// Whether a solution that keeps the move rules has a loop.
pub(crate) fn has_loop(metric: Metric, turns: &[Turn]) -> bool {
    let runs = turns.chunk_by(|a, b| a.shares_axis(*b)).map(|run| beginnings(metric, run));
    comes_back(Cube::SOLVED, runs, Cube::compose)
}

/// Whether a path from `start` returns to a position. Each item of `runs` has the effects of the prefixes of a run,
/// that of the whole run last; it is empty if the run has no effect. `then` applies an effect to a position.
pub(crate) fn comes_back<P: Copy + PartialEq>(
    start: P,
    runs: impl Iterator<Item = impl AsRef<[P]>>,
    then: impl Fn(&P, &P) -> P,
) -> bool {
    let (mut passed, mut here) = (vec![start], start);
    for run in runs {
        let positions: Vec<P> = run.as_ref().iter().map(|effect| then(&here, effect)).collect();
        match positions.last() {
            Some(end) if positions.iter().all(|position| !passed.contains(position)) => here = *end,
            _ => return true,
        }
        passed.extend(positions);
    }
    false
}

/// The effects of the prefixes of a run of turns about one axis, in any order of its turns; that of the whole run last.
fn beginnings(metric: Metric, run: &[Turn]) -> Vec<Cube> {
    let mut effects = vec![Cube::SOLVED];
    for face in Face::ALL {
        let of_face = run.iter().filter(|turn| turn.face() == face);
        let quarters = of_face.map(|turn| turn.quarters()).sum::<u8>() % 4;
        let angles: &[u8] = match (metric, quarters) {
            (_, 0) => continue,
            (Metric::Qtm, 2) => &[1, 3, 2],
            _ => &[quarters],
        };
        let turned = |effect: &Cube| {
            angles.iter().map(|&angle| effect.apply(Turn::new(face, angle))).collect::<Vec<_>>()
        };
        let more: Vec<Cube> = effects.iter().flat_map(turned).collect();
        effects.extend(more);
    }
    effects.split_off(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::scramble;

    /// Every string of turns that differs from `turns` in the order within runs about one axis, and in the quarter
    /// turns that make a half turn.
    fn alike(metric: Metric, turns: &[Turn]) -> Vec<Vec<Turn>> {
        let mut all = vec![Vec::new()];
        for run in turns.chunk_by(|a, b| a.shares_axis(*b)) {
            let effect = Cube::SOLVED.apply_all(run.iter().copied());
            let mut orders = vec![Vec::new()];
            for _ in run {
                let more = |order: &Vec<Turn>| {
                    metric.turns().iter().map(|&turn| [&order[..], &[turn]].concat()).collect::<Vec<_>>()
                };
                orders = orders.iter().flat_map(more).collect();
            }
            let is_alike = |order: &Vec<Turn>| {
                order.iter().all(|turn| turn.shares_axis(run[0]))
                    && Cube::SOLVED.apply_all(order.iter().copied()) == effect
            };
            orders.retain(is_alike);
            all = all
                .iter()
                .flat_map(|front| orders.iter().map(move |order| [&front[..], order].concat()))
                .collect();
        }
        all
    }

    /// Whether a substring of one string of turns has no effect, in its own order.
    fn repeats(turns: &[Turn]) -> bool {
        (0..turns.len()).any(|from| {
            (from + 1..=turns.len())
                .any(|to| Cube::SOLVED.apply_all(turns[from..to].iter().copied()).is_solved())
        })
    }

    #[test]
    fn a_loop_is_a_part_that_does_nothing_in_some_order() {
        let strings = [
            (Metric::Htm, "R U F", false),
            (Metric::Htm, "U' R' U2 D2 R2 L2 U2 D2 R2 L2", true),
            (Metric::Htm, "R2 L2 F2 B2 R2 L2 F2 B2 U' R'", true),
            // The last turns do not close the loop.
            (Metric::Htm, "R2 L2 F2 B2 R2 L2 F2", false),
            (Metric::Htm, "R L2 F2 B2 R2 L2 F2 B2 R U", true),
            // L interrupts the loop only in this order.
            (Metric::Htm, "R2 L F2 B2 R2 L2 F2 B2 L2 D", true),
            (Metric::Htm, "R U R' U' R U R' U' R U R' U' R U R' U' R U R' U' R U R' U'", true),
            (Metric::Htm, "R U R' U' R U R' U' R U R' U' R U R' U' R U R' U' R U R'", false),
            (Metric::Qtm, "R R U", false),
            // A loop that begins in the middle of R R, and one that does so if the half turn is R' R'.
            (Metric::Qtm, "R R U R' U' R U R' U' R U R' U' R U R' U' R U R' U' R U R' U' F", true),
            (Metric::Qtm, "R R U R U' R' U R U' R' U R U' R' U R U' R' U R U' R' U R U' F", true),
        ];
        for (metric, text, expected) in strings {
            let canonical = metric.canonical(&scramble::parse(text).expect("turns").turns);
            let by_orders = alike(metric, &canonical).iter().any(|order| repeats(order));
            assert_eq!(by_orders, expected, "{metric:?} {text}");
            assert_eq!(has_loop(metric, &canonical), expected, "{metric:?} {text}");
        }
    }
}
