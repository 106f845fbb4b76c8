//! The metrics, their face turns as operators, and the move rules of these as automata.
//!
//! The rules (Korf 1997, "The Problem Space"): never turn the face just turned; of two opposite
//! faces turned one after the other, only one order is allowed. In the half-turn metric this
//! leaves 18 turns first, 15 after a face of the later kind, 12 after one of the earlier, and a
//! branching factor of 13.34847. In the quarter-turn metric a face may be turned twice the same
//! way (clockwise, since both ways are the same half turn), not three times.
//!
//! Why no optimal path is lost: sorting the turns within every run of turns of one axis, and
//! joining turns of one face, changes neither the cube that a string leads to nor, except to
//! shorten it, its length; the sorted and joined string is the one that the automaton allows.

use crate::cube::{Face, Turn};
use search_core::{Automaton, Op};
use serde::{Deserialize, Serialize};

/// The metric: the turns that count as one move.
///
/// A metric names a set of moves ([`MoveSet::all`](crate::moves::MoveSet::all)). The methods of this type concern its
/// face turns; heuristics and tables exist for [`Metric::FACES`] alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Default)]
#[serde(rename_all = "lowercase")]
pub enum Metric {
    /// Any turn of one face is one move (half-turn or face-turn metric). A slice is two moves.
    #[default]
    Htm,
    /// A quarter turn of one face is one move (quarter-turn metric).
    Qtm,
    /// Any turn of one layer, a slice included, is one move (slice-turn metric).
    Stm,
    /// Any turn of one face is one move, and so are turns of two opposite faces at once (axial metric), as a robot with a
    /// motor on each face makes them.
    Axial,
}

const ALL: [Turn; 18] = turns([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17]);
const QUARTERS: [Turn; 12] = turns([0, 2, 3, 5, 6, 8, 9, 11, 12, 14, 15, 17]);

/// The turns with these numbers.
const fn turns<const N: usize>(indices: [usize; N]) -> [Turn; N] {
    let mut turns = [Turn::from_index(0); N];
    let mut i = 0;
    while i < N {
        turns[i] = Turn::from_index(indices[i]);
        i += 1;
    }
    turns
}

impl Metric {
    /// All metrics.
    pub const ALL: [Metric; 4] = [Metric::Htm, Metric::Qtm, Metric::Stm, Metric::Axial];
    /// The metrics whose moves are face turns alone.
    pub const FACES: [Metric; 2] = [Metric::Htm, Metric::Qtm];

    /// Whether each move turns one face.
    pub const fn is_of_faces(self) -> bool {
        matches!(self, Metric::Htm | Metric::Qtm)
    }

    /// The face turns that count as one move, in the order that numbers the operators.
    pub const fn turns(self) -> &'static [Turn] {
        match self {
            Metric::Htm | Metric::Stm | Metric::Axial => &ALL,
            Metric::Qtm => &QUARTERS,
        }
    }

    /// The number of a turn among this metric's moves, if it is one.
    pub fn operator(self, turn: Turn) -> Option<Op> {
        self.turns().iter().position(|&t| t == turn).map(Op::new)
    }

    /// "htm", "qtm", "stm" or "axial".
    pub const fn name(self) -> &'static str {
        match self {
            Metric::Htm => "htm",
            Metric::Qtm => "qtm",
            Metric::Stm => "stm",
            Metric::Axial => "axial",
        }
    }

    /// The number of moves that `turn` counts as.
    pub const fn length(self, turn: Turn) -> u32 {
        match self {
            Metric::Htm | Metric::Stm | Metric::Axial => 1,
            Metric::Qtm => [1, 2, 1][turn.quarters() as usize - 1],
        }
    }

    /// The move rules as an automaton over this metric's turns. State 0 is the start; the others
    /// record how the axis of the last turn has been turned since another axis was.
    pub fn automaton(self) -> Automaton {
        let runs = self.runs();
        Automaton::from_rule(self.turns().len(), runs.len(), |state, op| self.extend(&runs, state, op))
    }

    /// The move rules for a search that fixes moves at the front (operators `0..n`) and at the
    /// back (`n..2n`) of what is left to find: each end follows the rules by itself.
    pub(crate) fn two_sided_automaton(self) -> Automaton {
        let runs = self.runs();
        let n = self.turns().len();
        Automaton::from_rule(2 * n, runs.len() * runs.len(), |state, op| {
            let (front, back) = (state / runs.len(), state % runs.len());
            if op.index() < n {
                Some(self.extend(&runs, front, op)? * runs.len() + back)
            } else {
                // Read backwards, the rules apply with the order of opposite faces reversed, that
                // is, with every face named by its opposite.
                let mirrored = self.turns()[op.index() - n].across();
                let mirrored = self.turns().iter().position(|&t| t == mirrored)?;
                Some(front * runs.len() + self.extend(&runs, back, Op::new(mirrored))?)
            }
        })
    }

    /// The string that the rules allow among those that differ from `turns` in the order within runs
    /// of turns of one axis, and in how they divide a turn of one face. It is the least of them, in
    /// the order of the operators. (Where a whole run cancels out, two runs of one axis may meet, and
    /// are left as they are; no shortest solution has such a run.)
    pub(crate) fn canonical(self, turns: &[Turn]) -> Vec<Turn> {
        let mut canonical = Vec::with_capacity(turns.len());
        for run in turns.chunk_by(|a, b| a.shares_axis(*b)) {
            for face in Face::ALL {
                let of_face = run.iter().filter(|turn| turn.face() == face);
                let quarters = of_face.map(|turn| turn.quarters()).sum::<u8>() % 4;
                match (self, quarters) {
                    (_, 0) => {}
                    (Metric::Qtm, 2) => canonical.extend([Turn::new(face, 1); 2]),
                    _ => canonical.push(Turn::new(face, quarters)),
                }
            }
        }
        canonical
    }

    /// The state that `op` leads to.
    fn extend(self, runs: &[AxisRun], state: usize, op: Op) -> Option<usize> {
        let next = runs[state].with(self, self.turns()[op.index()])?;
        runs.iter().position(|run| *run == next)
    }

    /// Every run of turns of one axis that the rules allow; the empty one first.
    fn runs(self) -> Vec<AxisRun> {
        let mut runs = vec![AxisRun::default()];
        let mut done = 0;
        while done < runs.len() {
            let run = runs[done];
            for next in self.turns().iter().filter_map(|&turn| run.with(self, turn)) {
                if !runs.contains(&next) {
                    runs.push(next);
                }
            }
            done += 1;
        }
        runs
    }
}

/// The turns since another axis was turned, as far as they matter to the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
struct AxisRun {
    last: Option<Face>,
    /// In the quarter-turn metric: the last face was turned once, clockwise, and may be again.
    again: bool,
}

impl AxisRun {
    fn with(self, metric: Metric, turn: Turn) -> Option<AxisRun> {
        let face = turn.face();
        let clockwise = metric == Metric::Qtm && turn.quarters() == 1;
        match self.last {
            Some(last) if last == face => {
                (self.again && clockwise).then_some(AxisRun { last: Some(face), again: false })
            }
            Some(last) if last == face.opposite() && last > face => None,
            _ => Some(AxisRun { last: Some(face), again: clockwise }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cube;
    use std::collections::HashSet;

    /// Korf 1997, Table 1.
    #[test]
    fn node_counts_equal_table_1() {
        let counts = Metric::Htm.automaton().strings_by_length(18);
        let table_1: [u128; 18] = [
            18,
            243,
            3_240,
            43_254,
            577_368,
            7_706_988,
            102_876_480,
            1_373_243_544,
            18_330_699_168,
            244_686_773_808,
            3_266_193_870_720,
            43_598_688_377_184,
            581_975_750_199_168,
            7_768_485_393_179_328,
            103_697_388_221_736_960,
            1_384_201_395_738_071_424,
            18_476_969_736_848_122_368,
            246_639_261_965_462_754_048,
        ];
        assert_eq!(counts[1..], table_1);
        assert!((counts[18] as f64 / counts[17] as f64 - 13.34847).abs() < 5e-6);
    }

    #[test]
    fn the_canonical_string_keeps_the_rules_and_leads_to_the_same_cube() {
        for metric in [Metric::Htm, Metric::Qtm] {
            let (automaton, turns) = (metric.automaton(), metric.turns());
            let strings =
                (0..turns.len().pow(4)).map(|n| [0, 1, 2, 3].map(|i| n / turns.len().pow(i) % turns.len()));
            for string in strings.step_by(7) {
                let string = string.map(|op| turns[op]);
                let canonical = metric.canonical(&string);
                assert_eq!(Cube::SOLVED.apply_all(canonical.iter().copied()), Cube::SOLVED.apply_all(string));
                assert!(canonical.len() <= string.len());
                let step =
                    |state, turn: &Turn| automaton.next(state, metric.operator(*turn).expect("a move"));
                // A run that cancels out may leave two of one axis side by side.
                let allowed = canonical.iter().try_fold(automaton.start(), step).is_some();
                assert!(allowed || canonical.len() < string.len(), "{string:?} {canonical:?}");
                let least = canonical.len() < string.len() || canonical[..] <= string[..];
                assert!(least, "{string:?} {canonical:?}");
            }
        }
    }

    /// Every cube within reach is reached by a string of its own length: breadth-first counts
    /// under the automaton equal those without.
    #[test]
    fn the_move_rules_reach_every_cube() {
        for (metric, known) in [
            (Metric::Htm, &[1, 18, 243, 3240, 43239][..]),
            (Metric::Qtm, &[1, 12, 114, 1068, 10011, 93840][..]),
        ] {
            let automaton = metric.automaton();
            let mut seen = HashSet::from([Cube::SOLVED]);
            let mut layer = vec![(Cube::SOLVED, automaton.start())];
            for (depth, &count) in known.iter().enumerate() {
                let new: HashSet<Cube> = layer.iter().map(|(cube, _)| *cube).collect();
                let fresh = if depth == 0 { 1 } else { new.difference(&seen).count() };
                assert_eq!(fresh, count, "{metric:?} depth {depth}");
                seen.extend(new);
                layer = layer
                    .iter()
                    .flat_map(|&(cube, state)| {
                        let automaton = &automaton;
                        automaton.allowed(state).into_iter().map(move |op| {
                            let turn = metric.turns()[op.index()];
                            (cube.apply(turn), automaton.next(state, op).expect("allowed"))
                        })
                    })
                    .collect();
            }
        }
    }
}
