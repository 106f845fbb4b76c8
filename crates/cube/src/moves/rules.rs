//! The move rules of a set: which operator may follow which string.
//!
//! The idea: turns about one axis commute, so what a run of such turns does to the cube does not
//! depend on their order, and often the same can be done with fewer or other turns: `R L R'` is `L`, and
//! where slices count as one move `R L` is `M L2`. Of all strings about one axis that do the same, the
//! rules allow one: the first in the order of the operators among the shortest. The states of the
//! automaton are what the turns since the last change of axis have done.
//!
//! Why no optimal solution is lost: cut a shortest solution into runs about one axis. Each run may be
//! replaced by the allowed string that does the same; that is no longer, and since it does exactly the
//! same (in the frame of the set, to the centres too), the rest still solves the cube. Each beginning of
//! an allowed run is itself allowed: if a better string did the same, the run would be bettered by it. So
//! the automaton, which sees one operator at a time, completes the run. This uses no more than that the
//! operators commute, so it holds for every set: with `R2` alone, no run is joined to an `R` that the set
//! does not have.
//!
//! Cost: at most 63 states for each axis.

use super::permutation::Permutation;
use super::set::MoveSet;
use search_core::Automaton;

/// What a run about one axis does, and the allowed string that does it.
struct Run {
    axis: usize,
    effect: Permutation,
    string: Vec<usize>,
}

/// The rules of a set as an automaton over its operators.
pub fn automaton(set: &MoveSet) -> Automaton {
    let runs: Vec<Run> = (0..3).flat_map(|axis| runs_about(set, axis)).collect();
    let is_string = |axis: usize, effect: &Permutation, string: &[usize]| {
        runs.iter().position(|run| run.axis == axis && run.effect == *effect && run.string == string)
    };
    Automaton::from_rule(set.operators().len(), runs.len() + 1, |state, op| {
        let operator = &set.operators()[op.index()];
        let found = match state.checked_sub(1).map(|run| &runs[run]) {
            Some(Run { axis, effect, string }) if *axis == operator.axis => {
                let longer: Vec<usize> = string.iter().copied().chain([op.index()]).collect();
                is_string(*axis, &effect.then(&operator.effect), &longer)
            }
            _ => is_string(operator.axis, &operator.effect, &[op.index()]),
        };
        found.map(|run| run + 1)
    })
}

/// Everything that turns about one axis can do, but for nothing, each with its allowed string. Breadth-first, in
/// the order of strings, so the first that does something is the allowed one.
fn runs_about(set: &MoveSet, axis: usize) -> Vec<Run> {
    let mut runs = vec![Run { axis, effect: Permutation::IDENTITY, string: Vec::new() }];
    let mut done = 0;
    while done < runs.len() {
        for (op, operator) in set.operators().iter().enumerate().filter(|(_, operator)| operator.axis == axis)
        {
            let effect = runs[done].effect.then(&operator.effect);
            if runs.iter().all(|run| run.effect != effect) {
                let string = runs[done].string.iter().copied().chain([op]).collect();
                runs.push(Run { axis, effect, string });
            }
        }
        done += 1;
    }
    runs.split_off(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::Metric;
    use crate::moves::Counting;
    use search_core::Op;

    fn rules(text: &str, counting: Counting) -> (MoveSet, Automaton) {
        let set = MoveSet::parse(text, Some(counting)).unwrap();
        let automaton = automaton(&set);
        (set, automaton)
    }

    /// The rules of all face turns are those that are written by hand.
    #[test]
    fn all_face_turns_have_the_rules_of_their_metric() {
        for (counting, metric) in [(Counting::Htm, Metric::Htm), (Counting::Qtm, Metric::Qtm)] {
            let (_, automaton) = rules("U R F D L B", counting);
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
        // U2, R2, and none of them twice.
        assert_eq!(rules("U2 R2", Counting::Htm).1.strings_by_length(4), [1, 2, 2, 2, 2]);
        assert_eq!(rules("U R2", Counting::Htm).1.strings_by_length(3), [1, 4, 6, 12]);
    }

    /// Each effect of a run about one axis has one string, of the least length.
    #[test]
    fn slices_share_their_axis_with_faces() {
        // R, L and M, each by three angles, and the six other turns of both faces against each other.
        assert_eq!(rules("R L M", Counting::Stm).1.strings_by_length(3), [1, 9, 6, 0]);
        // With the layers R and M alone, 16 positions in space.
        assert_eq!(rules("R M", Counting::Stm).1.strings_by_length(3), [1, 6, 9, 0]);
        // All: 27, then another axis or one of six more turns of the same.
        assert_eq!(rules("U R F D L B M E S", Counting::Stm).1.strings_by_length(2), [1, 27, 27 * 18 + 18]);
    }
}
