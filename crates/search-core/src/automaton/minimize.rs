//! Merges the equivalent states of an automaton and drops those that no string reaches.
//!
//! The idea (Moore 1956): states are equivalent when they allow the same strings. Begin with one class of all states;
//! split each class by the class (or the dead state) that each operator leads to; stop when a round splits no class.
//! The result is the smallest automaton that allows the same strings.
//!
//! Cost: the number of rounds is the length of the longest string needed to distinguish two states (at most the learned
//! depth); each is linear in the table.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::Automaton;

impl Automaton {
    /// The smallest automaton that allows the same strings.
    pub fn minimized(&self) -> Automaton {
        let reachable = self.reachable();
        let (class, classes) = self.classes(&reachable);
        // Classes in the order of their first state, so that the start comes first.
        let mut number = vec![usize::MAX; classes];
        let mut members = Vec::with_capacity(classes);
        for &state in &reachable {
            let slot = &mut number[class[state] as usize];
            if *slot == usize::MAX {
                *slot = members.len();
                members.push(state);
            }
        }
        Automaton::from_rule(self.ops(), members.len(), |merged, op| {
            self.successor(members[merged], op.index()).map(|to| number[class[to] as usize])
        })
    }

    /// The states that some string reaches, in breadth-first order from the start.
    fn reachable(&self) -> Vec<usize> {
        let mut seen = vec![false; self.states()];
        seen[0] = true;
        let mut order = vec![0];
        let mut head = 0;
        while head < order.len() {
            let state = order[head];
            head += 1;
            for to in (0..self.ops()).filter_map(|op| self.successor(state, op)) {
                if !std::mem::replace(&mut seen[to], true) {
                    order.push(to);
                }
            }
        }
        order
    }

    /// The class of each reachable state, and the number of classes.
    fn classes(&self, reachable: &[usize]) -> (Vec<u32>, usize) {
        let mut class = vec![0u32; self.states()];
        let mut classes = 1;
        loop {
            let mut pairs = Interner::default();
            let split: Vec<u32> = reachable
                .iter()
                .map(|&state| {
                    (0..self.ops()).fold(class[state], |signature, op| {
                        let to = self.successor(state, op).map_or(0, |to| class[to] + 1);
                        pairs.intern(op as u64, signature, to)
                    })
                })
                .collect();
            let mut names = Interner::default();
            for (&state, &signature) in reachable.iter().zip(&split) {
                class[state] = names.intern(0, signature, 0);
            }
            if names.len() == classes {
                return (class, classes);
            }
            classes = names.len();
        }
    }
}

/// Numbers distinct (column, left, right) triples in the order in which they are met.
#[derive(Default)]
struct Interner {
    numbers: HashMap<u128, u32, BuildHasherDefault<Mix>>,
}

impl Interner {
    fn intern(&mut self, column: u64, left: u32, right: u32) -> u32 {
        let key = u128::from(column) << 64 | u128::from(left) << 32 | u128::from(right);
        let fresh = u32::try_from(self.numbers.len()).expect("fewer than 2^32 signatures");
        *self.numbers.entry(key).or_insert(fresh)
    }

    fn len(&self) -> usize {
        self.numbers.len()
    }
}

/// A fast hasher for keys that are not chosen by an adversary.
#[derive(Default)]
struct Mix(u64);

impl Hasher for Mix {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.0 = (self.0 ^ u64::from_le_bytes(word)).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
        }
    }

    fn finish(&self) -> u64 {
        self.0.wrapping_mul(0xD6E8_FEB8_6659_FD93)
    }
}
