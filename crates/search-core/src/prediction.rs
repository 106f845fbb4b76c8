//! The nodes that an iteration of IDA\* is expected to expand, from the values of its heuristic.
//!
//! The idea: a node at depth `i` is expanded by the iteration with bound `c` if its value is at most `c - i`. So the
//! iteration expands about `Σ N(i) P(c - i)` nodes, where `N(i)` is the number of nodes at depth `i` of the tree without
//! a heuristic, and `P(x)` the share of nodes with a value of at most `x`. Where operators are not always applicable, nodes
//! fall into classes, such as the cells of the blank: then both are taken for each class by itself. This also accounts for
//! values of one parity.
//!
//! Exactness: if the heuristic is consistent and every string of operators permutes the states, the sum is the mean over
//! all start states of one class, for the tree that is not cut short at the goal; `P` is then taken over all states of a
//! class. For a single start it is an estimate.
//!
//! Cost: states of the automaton times classes times operators, per depth.
//!
//! Source: Korf, Reid and Edelkamp, "Time complexity of iterative-deepening-A*", Artificial Intelligence 129 (2001).

/// The expected number of nodes that the iteration with `bound` expands. `nodes` has the number of nodes by depth and class, as
/// [`Automaton::nodes_by_depth`](crate::Automaton::nodes_by_depth) counts them, `values` for each class the number of states
/// with each value.
pub fn expanded(nodes: &[Vec<f64>], values: &[Vec<u64>], bound: usize) -> f64 {
    let share = |class: usize, most: usize| {
        let values: &[u64] = values.get(class).map_or(&[], Vec::as_slice);
        let all: u64 = values.iter().sum();
        let within: u64 = values.iter().take(most + 1).sum();
        if all == 0 { 0.0 } else { within as f64 / all as f64 }
    };
    let at = |(depth, counts): (usize, &Vec<f64>)| -> f64 {
        let counts = counts.iter().enumerate().filter(|(_, count)| **count > 0.0);
        counts.map(|(class, count)| count * share(class, bound - depth)).sum()
    };
    nodes.iter().enumerate().take(bound + 1).map(at).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::automaton::{Automaton, StateId};
    use crate::domain::Domain;
    use crate::testing::{Pancakes, half_gaps};
    use std::collections::BTreeSet;

    /// The number of nodes below a state whose value does not exceed what is left of the bound.
    fn counted(automaton: &Automaton, id: StateId, stack: &[u8; 6], left: usize) -> u64 {
        if usize::from(half_gaps(stack)) > left {
            return 0;
        }
        if left == 0 {
            return 1;
        }
        let ops = automaton.allowed(id).into_iter();
        let below = ops.map(|op| {
            let next = automaton.next(id, op).expect("an allowed operator");
            counted(automaton, next, &Pancakes.apply(stack, op), left - 1)
        });
        1 + below.sum::<u64>()
    }

    /// All stacks.
    fn stacks() -> Vec<[u8; 6]> {
        let (mut all, mut new) = (BTreeSet::new(), vec![Pancakes::<6>::sorted()]);
        while let Some(stack) = new.pop() {
            if all.insert(stack) {
                new.extend((0..5).map(|op| Pancakes.apply(&stack, crate::Op::new(op))));
            }
        }
        all.into_iter().collect()
    }

    #[test]
    fn the_mean_over_all_states_is_exact() {
        let stacks = stacks();
        let automaton = Automaton::learn(&Pancakes::<6>, &Pancakes::<6>::sorted(), 5);
        let mut values = vec![vec![0; 5]];
        stacks.iter().for_each(|stack| values[0][usize::from(half_gaps(stack))] += 1);
        let nodes = automaton.nodes_by_depth(1, |_, _| Some(0), 0, 7);
        for bound in 0..8 {
            let all = stacks.iter().map(|stack| counted(&automaton, automaton.start(), stack, bound));
            let mean = all.sum::<u64>() as f64 / stacks.len() as f64;
            let predicted = expanded(&nodes, &values, bound);
            assert!((mean - predicted).abs() < 1e-9 * mean, "bound {bound}: {mean}, not {predicted}");
        }
    }

    #[test]
    fn classes_without_states_count_nothing() {
        assert_eq!(expanded(&[vec![1.0, 0.0], vec![0.0, 3.0]], &[vec![0, 2]], 4), 1.0);
    }
}
