//! Shared test code: the pancake puzzle and a small random generator.

use crate::automaton::Automaton;
use crate::domain::{Domain, Op};
use crate::planning::{Fact, Task};
use std::collections::{HashSet, VecDeque};

/// The pancake puzzle: operator `i` flips the topmost `i + 2` of `N` pancakes; the goal is the sorted stack.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pancakes<const N: usize>;

impl<const N: usize> Pancakes<N> {
    /// The sorted stack.
    pub fn sorted() -> [u8; N] {
        std::array::from_fn(|cake| cake as u8)
    }

    /// The stack after `flips` random flips.
    pub fn random(flips: usize, random: &mut Random) -> [u8; N] {
        (0..flips).fold(Self::sorted(), |stack, _| Pancakes.apply(&stack, Op::new(random.below(N - 1))))
    }

    /// The automaton that forbids repeating a flip, which would undo it.
    pub fn never_twice() -> Automaton {
        Automaton::from_rule(N - 1, N, |last, op| (last != op.index() + 1).then_some(op.index() + 1))
    }
}

impl<const N: usize> Domain for Pancakes<N> {
    type State = [u8; N];

    fn op_count(&self) -> usize {
        N - 1
    }

    fn apply(&self, stack: &[u8; N], op: Op) -> [u8; N] {
        let mut next = *stack;
        next[..op.index() + 2].reverse();
        next
    }

    fn is_goal(&self, stack: &[u8; N]) -> bool {
        stack.is_sorted()
    }
}

/// The number of neighbours in the stack, with the plate, that differ by more than one (Helmert 2010). A flip changes one
/// pair of neighbours, so this is a lower bound.
pub fn gaps<const N: usize>(stack: &[u8; N]) -> u8 {
    let below = stack[1..].iter().copied().chain([N as u8]);
    stack.iter().zip(below).filter(|(above, below)| above.abs_diff(*below) > 1).count() as u8
}

/// Half of the [`gaps`]: a weaker bound, so that searches are longer.
pub fn half_gaps<const N: usize>(stack: &[u8; N]) -> u8 {
    gaps(stack) / 2
}

/// A small random generator (SplitMix64: Steele, Lea and Flood 2014).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The generator with a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A number below `limit`.
    ///
    /// # Panics
    /// If `limit` is 0.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.bits() % limit as u64) as usize
    }
}

/// The least cost of a plan of `task`, by searching all its states; `None` if there is none. Costs are 0 or 1.
pub fn plan_length(task: &Task) -> Option<u32> {
    let holds = |state: &[usize], facts: &[Fact]| facts.iter().all(|fact| state[fact.variable] == fact.value);
    let mut seen = HashSet::from([task.initial.clone()]);
    let mut open = VecDeque::from([(0, task.initial.clone())]);
    let mut done = HashSet::new();
    while let Some((cost, state)) = open.pop_front() {
        if holds(&state, &task.goal) {
            return Some(cost);
        }
        if !done.insert(state.clone()) {
            continue;
        }
        for action in task.actions.iter().filter(|action| holds(&state, &action.conditions)) {
            let mut next = state.clone();
            for effect in action.effects.iter().filter(|effect| holds(&state, &effect.when)) {
                next[effect.fact.variable] = effect.fact.value;
            }
            match action.cost {
                0 if !done.contains(&next) => open.push_front((cost, next)),
                1 if seen.insert(next.clone()) => open.push_back((cost + 1, next)),
                _ => {}
            }
        }
    }
    None
}
