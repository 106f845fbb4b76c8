//! The asymptotic branching factor of a search tree under an automaton.
//!
//! The idea: how often each operator is applicable depends on the state, but often only on a small
//! part of it (where the blank is). Count the legal strings of growing length from every pair of
//! (automaton state, position class); the ratio of successive counts tends to the greatest
//! eigenvalue of the pairs' transition matrix. Two steps are compared at a time, because boards
//! coloured like a chessboard make single steps alternate.
//!
//! Cost: states times classes times operators per step, some dozens of steps.

use std::convert::Infallible;

use super::Automaton;
use crate::domain::Op;
use crate::run::Run;

/// The maximum number of steps, even if the ratio has not settled.
const MAX_STEPS: usize = 2000;
/// The number of automaton states whose strings one piece of parallel work counts.
const STATES_A_PIECE: usize = 1 << 10;

impl Automaton {
    /// The asymptotic branching factor, where `step(class, op)` is the class that `op` leads to, or `None` when it is
    /// not applicable. Accurate to about nine digits.
    ///
    /// # Panics
    /// If `classes` is 0 or `step` names a class that does not exist.
    pub fn branching_factor(
        &self,
        classes: usize,
        step: impl Fn(usize, Op) -> Option<usize>,
        run: &Run<'_>,
    ) -> f64 {
        assert!(classes > 0, "there is a position class");
        let steps = self.step_table(classes, step);
        self.growth(classes, &steps, run)
    }

    fn growth(&self, classes: usize, steps: &[u32], run: &Run<'_>) -> f64 {
        let mut counts = vec![1.0f64; self.states() * classes];
        let mut factor = 0.0f64;
        for _ in 0..MAX_STEPS {
            let next = self.strings_from(&counts, steps, classes, run);
            let mut grown = self.strings_from(&next, steps, classes, run);
            let (before, after): (f64, f64) = (counts.iter().sum(), grown.iter().sum());
            let last = std::mem::replace(&mut factor, (after / before).sqrt());
            if (factor - last).abs() < 1e-9 || after == 0.0 {
                break;
            }
            let scale = counts.len() as f64 / after;
            grown.iter_mut().for_each(|count| *count *= scale);
            counts = grown;
        }
        factor
    }

    /// The number of nodes at each depth `0..=depth` of the search tree, by position class, from a start of the class
    /// `start`; `step` as for [`branching_factor`](Automaton::branching_factor).
    ///
    /// # Panics
    /// If `start` is not below `classes`, or `step` names a class that does not exist.
    pub fn nodes_by_depth(
        &self,
        classes: usize,
        step: impl Fn(usize, Op) -> Option<usize>,
        start: usize,
        depth: usize,
    ) -> Vec<Vec<f64>> {
        assert!(start < classes, "class {start} of {classes}");
        let (steps, ops) = (self.step_table(classes, step), self.ops());
        let mut counts = vec![0.0; self.states() * classes];
        counts[start] = 1.0;
        let by_class = |counts: &[f64]| {
            let of = |class| counts.iter().skip(class).step_by(classes).sum();
            (0..classes).map(of).collect::<Vec<f64>>()
        };
        let mut layers = vec![by_class(&counts)];
        for _ in 0..depth {
            let mut after = vec![0.0; counts.len()];
            for (pair, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0.0) {
                let (state, class) = (pair / classes, pair % classes);
                for op in (0..ops).filter(|op| steps[class * ops + op] != u32::MAX) {
                    let Some(to) = self.successor(state, op) else { continue };
                    after[to * classes + steps[class * ops + op] as usize] += count;
                }
            }
            layers.push(by_class(&after));
            counts = after;
        }
        layers
    }

    /// The class after each operator, by class; `u32::MAX` where it is not applicable.
    fn step_table(&self, classes: usize, step: impl Fn(usize, Op) -> Option<usize>) -> Vec<u32> {
        let ops = self.ops();
        (0..classes * ops)
            .map(|at| match step(at / ops, Op::new(at % ops)) {
                None => u32::MAX,
                Some(class) => {
                    assert!(class < classes, "a step leads to class {class} of {classes}");
                    class as u32
                }
            })
            .collect()
    }

    /// The number of strings from each pair, given the numbers from each pair one operator later.
    fn strings_from(&self, counts: &[f64], steps: &[u32], classes: usize, run: &Run<'_>) -> Vec<f64> {
        let ops = self.ops();
        let of_state = |state: usize, sums: &mut [f64]| {
            for op in 0..ops {
                let Some(to) = self.successor(state, op) else { continue };
                let after = &counts[to * classes..][..classes];
                for (class, sum) in sums.iter_mut().enumerate() {
                    if let Some(count) = after.get(steps[class * ops + op] as usize) {
                        *sum += count;
                    }
                }
            }
        };
        let mut sums = vec![0.0; counts.len()];
        let never_fails = run.try_for_each_chunk(&mut sums, STATES_A_PIECE * classes, &|piece, sums| {
            let states = (piece * STATES_A_PIECE..).zip(sums.chunks_mut(classes));
            states.for_each(|(state, sums)| of_state(state, sums));
            Ok::<(), Infallible>(())
        });
        let Ok(()) = never_fails;
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branching_factors_are_the_known_ones() {
        let free = Automaton::unrestricted(4);
        assert!((free.branching_factor(1, |_, _| Some(0), &Run::new()) - 4.0).abs() < 1e-6);
        // Two alternating classes, one with two operators and one with eight.
        let lame = Automaton::unrestricted(8);
        let factor = lame.branching_factor(
            2,
            |class, op| (class == 1 || op.index() < 2).then_some(1 - class),
            &Run::new(),
        );
        assert!((factor - 4.0).abs() < 1e-6, "the geometric mean, not {factor}");
    }

    #[test]
    fn nodes_are_counted_by_class() {
        // A path of three cells, whose middle one has both neighbours.
        let walk = Automaton::unrestricted(2);
        let step =
            |cell: usize, op: Op| [cell.checked_sub(1), Some(cell + 1).filter(|&cell| cell < 3)][op.index()];
        let nodes = walk.nodes_by_depth(3, step, 0, 4);
        assert_eq!(
            nodes,
            [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 2.0, 0.0], [2.0, 0.0, 2.0]]
        );
    }
}
