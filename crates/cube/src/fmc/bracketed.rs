//! Commutators and their conjugates among short strings of turns.
//!
//! The idea: a commutator *A B A' B'* is found by trying all lengths of *A*. A conjugate is found by undoing each setup of at most
//! two turns first. Turns of one face are joined, so a commutator whose turns cancel where its parts meet is found with
//! a setup, or not at all.

use super::{joined, undo};
use crate::cube::Turn;
use crate::metric::Metric;
use crate::notation::scramble;

/// The turns as a commutator `[A, B]`, or a conjugate of one `[S: [A, B]]`, if they are one.
pub fn bracketed(turns: &[Turn]) -> Option<String> {
    let turns = joined(Metric::Htm, turns);
    let ones: Vec<Vec<Turn>> = Turn::all().map(|turn| vec![turn]).collect();
    let twos = ones.iter().flat_map(|one| Turn::all().map(|turn| [&one[..], &[turn]].concat()));
    let setups: Vec<Vec<Turn>> = [Vec::new()].into_iter().chain(ones.iter().cloned()).chain(twos).collect();
    setups.iter().find_map(|setup| {
        let inner = joined(Metric::Htm, &[&undo(setup)[..], &turns, setup].concat());
        let inner = commutator(&inner)?;
        let setup = scramble::format(setup.iter().copied());
        Some(if setup.is_empty() { inner } else { format!("[{setup}: {inner}]") })
    })
}

/// The turns as a commutator `[A, B]`.
fn commutator(turns: &[Turn]) -> Option<String> {
    let (first, _) = turns.split_at_checked(turns.len() / 2)?;
    let split = |at: &usize| {
        let (a, b) = first.split_at(*at);
        joined(Metric::Htm, &[a, b, &undo(a), &undo(b)].concat()) == turns
    };
    let at = (1..first.len()).find(split)?;
    let [a, b] = [&first[..at], &first[at..]].map(|part| scramble::format(part.iter().copied()));
    Some(format!("[{a}, {b}]"))
}
