//! The half-turn cosets at small depths, and the number of strings of turns that continue from them.

use super::{MOST_FLIPS, Square};
use crate::cube::{Cube, Turn};
use crate::lanes::Lanes;
use crate::metric::Metric;
use crate::space::{State, View};
use search_core::{Op, OpSet};
use std::collections::{HashMap, HashSet};

/// The cosets at one depth, each with the last turn that leads to it.
pub(super) type Layer = Vec<(Cube, Option<Turn>)>;

/// The greatest depth at which cosets are listed.
pub(super) fn listed_depth(metric: Metric) -> u32 {
    match metric {
        Metric::Htm | Metric::Stm | Metric::Axial => 7,
        Metric::Qtm => 8,
    }
}

/// The number of cosets at [`listed_depth`].
fn listed_count(metric: Metric) -> u64 {
    match metric {
        Metric::Htm | Metric::Stm | Metric::Axial => 492_469,
        Metric::Qtm => 659_958,
    }
}

/// The cosets at each depth up to `depth`, at least one of each class under the symmetries.
pub(super) fn listed<V: Lanes>(metric: Metric, depth: u32) -> Vec<Layer> {
    let all = Square::<V>::new(MOST_FLIPS);
    let entry = |cube: &Cube| {
        V::run(
            #[inline(always)]
            || all.entry(State::new(cube).by_location(), View::Position),
        )
    };
    let mut seen = HashSet::from([entry(&Cube::SOLVED)]);
    let mut layers = vec![vec![(Cube::SOLVED, None)]];
    for _ in 0..depth {
        let mut layer = Vec::new();
        for (cube, last) in layers.last().expect("the solved cube is listed") {
            for op in first_turns(metric, *last) {
                let turn = metric.turns()[op.index()];
                let next = cube.apply(turn);
                if seen.insert(entry(&next)) {
                    layer.push((next, Some(turn)));
                }
            }
        }
        layers.push(layer);
    }
    layers
}

/// The turns that may follow `last`. In the half-turn metric they are those of other faces: two turns of one face
/// are one turn, so the resulting coset is nearer, and no shortest string contains them.
pub(super) fn first_turns(metric: Metric, last: Option<Turn>) -> OpSet {
    let turns = metric.turns().iter().enumerate();
    let may_follow =
        |turn: &Turn| metric == Metric::Qtm || last.is_none_or(|last| last.face() != turn.face());
    turns.filter(|(_, turn)| may_follow(turn)).map(|(op, _)| Op::new(op)).collect()
}

/// The number of strings that a fill enumerates at `depth`, or at the depth of the listed cosets if that is
/// greater. They take nearly all of its time.
pub(crate) fn strings(metric: Metric, depth: u32) -> u64 {
    let automaton = metric.automaton();
    let mut endings = HashMap::from([(automaton.start(), listed_count(metric))]);
    for _ in listed_depth(metric)..depth {
        let mut longer = HashMap::new();
        for (state, count) in endings {
            for op in automaton.allowed(state) {
                let next = automaton.next(state, op).expect("the automaton allows the operator");
                *longer.entry(next).or_insert(0) += count;
            }
        }
        endings = longer;
    }
    let count = endings.into_values().sum();
    let follow = first_turns(metric, Some(metric.turns()[0])).len() as u64;
    if depth > listed_depth(metric) { count * follow / metric.turns().len() as u64 } else { count }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::Portable;

    /// Counts are nearly those of the enumeration: the face of a coset's last turn decides which turns may follow, but
    /// has little effect on the number of strings.
    #[test]
    fn counts_of_strings_are_those_of_a_fill() {
        for metric in [Metric::Htm, Metric::Qtm] {
            let (layers, automaton) = (listed::<Portable>(metric, listed_depth(metric)), metric.automaton());
            let listed = layers.last().expect("the last layer");
            assert_eq!(strings(metric, listed_depth(metric)), listed.len() as u64);
            for more in 1..3 {
                let mut count = 0;
                for (_, last) in listed.iter().step_by(10) {
                    let mut open = vec![(automaton.start(), first_turns(metric, *last), more)];
                    while let Some((state, ops, more)) = open.pop() {
                        if more == 0 {
                            count += 10;
                            continue;
                        }
                        for next in ops.into_iter().filter_map(|op| automaton.next(state, op)) {
                            open.push((next, automaton.allowed(next), more - 1));
                        }
                    }
                }
                let counted = strings(metric, listed_depth(metric) + more);
                assert!(counted.abs_diff(count) < count / 100, "{counted} instead of {count}");
            }
        }
        // The documented counts of the usual tables, in hundreds of millions.
        let counts = [(Metric::Htm, 10), (Metric::Htm, 11), (Metric::Qtm, 11), (Metric::Qtm, 12)];
        let counts = counts.map(|(metric, depth)| strings(metric, depth) / 100_000_000);
        assert_eq!(counts, [13, 177, 7, 66]);
    }
}
