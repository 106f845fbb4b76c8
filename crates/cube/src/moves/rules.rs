//! The move rules of a set: the operators that may follow each string.
//!
//! The idea: turns about one axis commute, so the effect of a run of such turns does not depend on their order, and
//! often fewer or other turns have the same effect: `R L R'` is `L`, and where slices count as one move `R L` is `M
//! L2`. Of all strings about one axis with the same effect, the rules allow one: the first in the order of the
//! operators among the shortest. (If operators have costs, the first among the shortest of the cheapest; the arguments
//! below apply to costs as to lengths.) The states of the automaton are the effects of the turns since the last change
//! of axis.
//!
//! Why no optimal solution is lost: divide a shortest solution into runs about one axis. Each run may be replaced by
//! the allowed string with the same effect, which is at most as long; since the effect is exactly the same (in the
//! frame of the set, including the centres), the rest still solves the cube. Each prefix of an allowed run is itself
//! allowed: a better string with the same effect would improve the run. So the automaton, which sees one operator at a
//! time, completes the run. The argument uses only that the operators commute, so it applies to every set: with `R2`
//! alone, no run is joined to an `R` that the set does not have.
//!
//! Each suffix of an allowed run is also allowed, by the same argument. So a search that fixes moves at the front and
//! at the back of the unknown moves may apply the rules at each end separately: the moves at the front are a prefix,
//! those at the back a suffix, of every allowed solution that contains them.
//!
//! Cost: at most 63 states for each axis; at both ends at most the square of their number, which merging equivalent
//! states reduces (all slice turns: from 2,116 to 100).

use super::permutation::Permutation;
use super::set::MoveSet;
use crate::solver::loops::comes_back;
use search_core::{Automaton, Op};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// The effect of a run about one axis, and the allowed string that has it.
#[derive(Clone, Debug)]
struct Run {
    axis: usize,
    effect: Permutation,
    string: Vec<usize>,
}

/// The rules of a set.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    /// The effect of each operator, and its axis.
    operators: Vec<(Permutation, usize)>,
    runs: Vec<Run>,
}

impl Rules {
    /// The rules of `set`.
    pub(crate) fn new(set: &MoveSet) -> Rules {
        Rules::with_costs(set, &vec![1; set.operators().len()])
    }

    /// The rules of `set` where each operator has a cost.
    ///
    /// # Panics
    /// If there is not one cost for each operator, or one is 0.
    pub(crate) fn with_costs(set: &MoveSet, costs: &[u32]) -> Rules {
        assert_eq!(costs.len(), set.operators().len(), "one cost for each operator");
        assert!(!costs.contains(&0), "a move that costs nothing could be made again and again");
        let operators = set.operators().iter().map(|operator| (operator.effect, operator.axis)).collect();
        Rules { operators, runs: (0..3).flat_map(|axis| runs_about(set, costs, axis)).collect() }
    }

    /// The rules as an automaton over the operators.
    pub(crate) fn automaton(&self) -> Automaton {
        let longer = self.longer(End::Last);
        Automaton::from_rule(self.operators.len(), longer.len(), |state, op| longer[state][op.index()])
    }

    /// The rules for a search that fixes moves at the front (operators `0..n`) and at the back (`n..2n`) of the unknown
    /// moves.
    ///
    /// # Panics
    /// If there are more than 32 operators.
    pub(crate) fn at_both_ends(&self) -> Automaton {
        let (front, back) = (self.longer(End::Last), self.longer(End::First));
        let (n, states) = (self.operators.len(), front.len());
        let rule = |state: usize, op: Op| match op.index().checked_sub(n) {
            None => Some(front[state / states][op.index()]? * states + state % states),
            Some(op) => Some(state / states * states + back[state % states][op]?),
        };
        Automaton::from_rule(2 * n, states * states, rule).minimized()
    }

    /// The allowed string with the same effect as `ops`, run by run. It is at most as long. (If a whole run has no
    /// effect, two runs about one axis may become adjacent and are not joined; no shortest solution has such a run.)
    pub(crate) fn canonical(&self, ops: &[Op]) -> Vec<Op> {
        let of_run = |effect: Permutation| {
            let found = self.runs.iter().find(|run| run.effect == effect);
            found.map_or(&[][..], |run| &run.string[..]).iter().map(|&op| Op::new(op))
        };
        self.effects(ops).flat_map(of_run).collect()
    }

    /// The effects of the runs of a string.
    fn effects(&self, ops: &[Op]) -> impl Iterator<Item = Permutation> {
        let axis = |op: &Op| self.operators[op.index()].1;
        let then = |so_far: Permutation, op: &Op| so_far.then(&self.operators[op.index()].0);
        let runs = ops.chunk_by(move |a, b| axis(a) == axis(b));
        runs.map(move |run| run.iter().fold(Permutation::IDENTITY, then))
    }

    /// Whether the rules allow a string.
    pub(crate) fn allow(&self, ops: &[Op]) -> bool {
        self.canonical(ops) == ops
    }

    /// Keeps the strings without loops (`solver/loops.rs`), among strings that the rules allow.
    pub(crate) fn without_loops(&self, mut strings: Vec<Vec<Op>>) -> Vec<Vec<Op>> {
        let beginnings = self.beginnings();
        strings.retain(|string| {
            let runs = self.effects(string).map(|effect| &beginnings[&effect]);
            !comes_back(Permutation::IDENTITY, runs, Permutation::then)
        });
        strings
    }

    /// Maps the effect of each allowed run to the effects of all prefixes of the shortest strings that have it. The
    /// effect of the whole run comes last.
    fn beginnings(&self) -> HashMap<Permutation, Vec<Permutation>> {
        let lengths: HashMap<Permutation, usize> =
            self.runs.iter().map(|run| (run.effect, run.string.len())).collect();
        let of = |whole: &Run| {
            let rest = |beginning: &Run| lengths.get(&beginning.effect.inverse().then(&whole.effect));
            let is_on_the_way = |beginning: &&Run| {
                rest(beginning).is_some_and(|rest| beginning.string.len() + rest == whole.string.len())
            };
            let same_axis = self.runs.iter().filter(|run| run.axis == whole.axis);
            same_axis.filter(is_on_the_way).map(|run| run.effect).chain([whole.effect]).collect()
        };
        self.runs.iter().map(|whole| (whole.effect, of(whole))).collect()
    }

    /// The allowed strings about one axis.
    pub(crate) fn runs(&self) -> impl Iterator<Item = Vec<Op>> {
        self.runs.iter().map(|run| run.string.iter().map(|&op| Op::new(op)).collect())
    }

    /// For each run, numbered from 1, and for none, 0: the run that it becomes if an operator is added as its last
    /// or its first one, or that begins with the operator where the axis changes.
    fn longer(&self, end: End) -> Vec<Vec<Option<usize>>> {
        let number = |axis: usize, string: &[usize]| {
            self.runs.iter().position(|run| run.axis == axis && run.string == string).map(|run| run + 1)
        };
        let with = |run: Option<&Run>, op: usize| match run {
            Some(run) if run.axis == self.operators[op].1 => {
                let mut string = run.string.clone();
                string.insert(if end == End::Last { string.len() } else { 0 }, op);
                number(run.axis, &string)
            }
            _ => number(self.operators[op].1, &[op]),
        };
        let runs = std::iter::once(None).chain(self.runs.iter().map(Some));
        runs.map(|run| (0..self.operators.len()).map(|op| with(run, op)).collect()).collect()
    }
}

/// Where an operator is added to a run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    First,
    Last,
}

/// Everything that turns about one axis can do, but for nothing, each with its allowed string. The strings come in the
/// order of their costs, their lengths, and the operators, so the first that does something is the allowed one
/// (Dijkstra 1959).
fn runs_about(set: &MoveSet, costs: &[u32], axis: usize) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let mut strings = BinaryHeap::from([Reverse((0, 0, Vec::<usize>::new()))]);
    while let Some(Reverse((cost, length, string))) = strings.pop() {
        let effect =
            string.iter().fold(Permutation::IDENTITY, |so_far, &op| so_far.then(&set.operators()[op].effect));
        if runs.iter().any(|run| run.effect == effect) {
            continue;
        }
        for op in (0..costs.len()).filter(|&op| set.operators()[op].axis == axis) {
            let longer = string.iter().copied().chain([op]).collect();
            strings.push(Reverse((cost + costs[op], length + 1, longer)));
        }
        runs.push(Run { axis, effect, string });
    }
    runs.split_off(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::Metric;
    use search_core::testing::Random;

    fn rules(text: &str, metric: Metric) -> (MoveSet, Automaton) {
        let set = MoveSet::parse(text, Some(metric)).unwrap();
        let automaton = Rules::new(&set).automaton();
        (set, automaton)
    }

    /// The rules of all face turns are those that are written by hand.
    #[test]
    fn all_face_turns_have_the_rules_of_their_metric() {
        for metric in Metric::FACES {
            let (_, automaton) = rules("U R F D L B", metric);
            let by_hand = metric.automaton();
            assert_eq!(automaton.strings_by_length(12), by_hand.strings_by_length(12));
            let start = (automaton.start(), by_hand.start());
            let mut open = vec![(start, 0)];
            while let Some(((ours, theirs), depth)) = open.pop() {
                assert_eq!(automaton.allowed(ours), by_hand.allowed(theirs));
                if depth < 4 {
                    let next = |op: Op| (automaton.next(ours, op), by_hand.next(theirs, op));
                    let nexts = automaton.allowed(ours).into_iter().map(next);
                    open.extend(nexts.map(|(a, b)| ((a.unwrap(), b.unwrap()), depth + 1)));
                }
            }
        }
    }

    #[test]
    fn half_turns_alone_are_not_joined() {
        // U2, R2, and neither of them twice in a row.
        assert_eq!(rules("U2 R2", Metric::Htm).1.strings_by_length(4), [1, 2, 2, 2, 2]);
        assert_eq!(rules("U R2", Metric::Htm).1.strings_by_length(3), [1, 4, 6, 12]);
    }

    /// Each effect of a run about one axis has one string, of the least length.
    #[test]
    fn slices_share_their_axis_with_faces() {
        // R, L and M, each by three angles, and the six other turns of both faces against each other.
        assert_eq!(rules("R L M", Metric::Stm).1.strings_by_length(3), [1, 9, 6, 0]);
        // With the layers R and M alone, 16 positions in space.
        assert_eq!(rules("R M", Metric::Stm).1.strings_by_length(3), [1, 6, 9, 0]);
        // All: 27, then another axis or one of six more turns of the same.
        assert_eq!(rules("U R F D L B M E S", Metric::Stm).1.strings_by_length(2), [1, 27, 27 * 18 + 18]);
    }

    /// A string of three moves at the front and three at the back is allowed if both are parts of allowed strings;
    /// and all allowed strings of six are.
    #[test]
    fn the_rules_hold_at_each_end_separately() {
        for (text, metric) in [("U R F D L B M E S", Metric::Stm), ("U D R L F B", Metric::Qtm)] {
            let set = MoveSet::parse(text, Some(metric)).unwrap();
            let (rules, n) = (Rules::new(&set), set.operators().len());
            let both = rules.at_both_ends();
            if metric == Metric::Stm {
                assert_eq!(both.states(), 100);
            }
            let next = |state, op: usize| both.next(state, Op::new(op));
            let mut random = Random::new(1);
            for _ in 0..60_000 {
                let digits = [(); 6].map(|()| Op::new(random.below(n)));
                let (front, back) = digits.split_at(3);
                let at_front = front.iter().try_fold(both.start(), |state, op| next(state, op.index()));
                let at_back =
                    back.iter().rev().try_fold(both.start(), |state, op| next(state, op.index() + n));
                assert_eq!(at_front.is_some(), rules.allow(front), "{front:?}");
                assert_eq!(at_back.is_some(), rules.allow(back), "{back:?}");
                let together = back.iter().rev().try_fold(at_front, |state, op| {
                    state.map_or(Some(None), |state| next(state, op.index() + n).map(Some))
                });
                let expected = at_front.is_none() || at_back.is_some();
                assert_eq!(together.is_some(), expected);
                assert!(!rules.allow(&digits) || at_front.is_some() && at_back.is_some());
            }
        }
    }

    #[test]
    fn the_canonical_string_is_allowed_and_equivalent() {
        for (text, metric) in
            [("U R F D L B M E S", Metric::Stm), ("M U", Metric::Stm), ("U R2 D", Metric::Htm)]
        {
            let (set, automaton) = rules(text, metric);
            let (rules, n) = (Rules::new(&set), set.operators().len());
            let effect = |ops: &[Op]| {
                let effects = ops.iter().map(|op| set.operators()[op.index()].effect);
                effects.fold(Permutation::IDENTITY, |so_far, effect| so_far.then(&effect))
            };
            for string in (0..n.pow(3)).map(|i| [0, 1, 2].map(|at| Op::new(i / n.pow(at) % n))) {
                let canonical = rules.canonical(&string);
                assert_eq!(effect(&canonical), effect(&string));
                assert!(canonical.len() < 3 || canonical[..] <= string[..]);
                let next = |state, op: &Op| automaton.next(state, *op);
                let is_allowed = string.iter().try_fold(automaton.start(), next).is_some();
                assert_eq!(is_allowed, rules.allow(&string), "{string:?}");
            }
        }
    }
}
