//! Moves that are defined by algorithms of other moves, in any order.
//!
//! Each is computed once, after those that it is made of, with one product per node of its algorithm. The number of
//! moves that it stands for is computed first, so a chain of definitions that doubles at each step is refused before
//! any product is made; and moves that are defined by each other are never computed, and named.

use super::{Named, Role};
use crate::model::{Orbit, Transformation};
use crate::notation::{Algorithm, MOST_MOVES, Names};

/// A move and the text of the algorithm that defines it.
pub(crate) struct Derived {
    /// Its name.
    pub(crate) name: String,
    /// The algorithm.
    pub(crate) text: String,
    /// Its role.
    pub(crate) role: Role,
    /// The words before its name in messages.
    pub(crate) place: String,
}

/// Adds derived moves to the moves that they are made of.
///
/// # Errors
/// All faults: names that are taken, algorithms that cannot be read, lengths beyond [`MOST_MOVES`], circles.
pub(crate) fn add(orbits: &[Orbit], moves: &mut Vec<Named>, derived: &[Derived]) -> Result<(), Vec<String>> {
    let first = moves.len();
    let known = moves.iter().map(|named| named.name.as_str());
    let names = Names::new(known.chain(derived.iter().map(|derived| derived.name.as_str())));
    let (mut faults, mut algorithms) = (Vec::new(), Vec::new());
    for (number, derived) in (first..).zip(derived) {
        let Derived { name, text, place, .. } = derived;
        if names.get(name) != Some(number) {
            faults.push(format!("two moves have the name {name}"));
        }
        match Algorithm::parse(text, &names) {
            Ok(algorithm) => algorithms.push(algorithm),
            Err(other) => faults.push(format!("{place}{name}: {other}")),
        }
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    let mut effects: Vec<Option<(Transformation, u64)>> =
        moves.iter().map(|named| Some((named.transformation.clone(), 1))).collect();
    effects.resize(first + derived.len(), None);
    for number in order(first, &algorithms) {
        let (Derived { name, place, .. }, algorithm) = (&derived[number], &algorithms[number]);
        // What is made of a refused move is not computed.
        if algorithm.names().into_iter().any(|part| effects[part].is_none()) {
            continue;
        }
        let part = |part: usize| effects[part].as_ref().expect("its parts are known");
        let length = algorithm.length(|name| part(name).1);
        if length > MOST_MOVES {
            faults.push(format!("{place}{name} stands for more than {MOST_MOVES} moves"));
            continue;
        }
        let effect = algorithm.effect(orbits, |name| &part(name).0);
        effects[first + number] = Some((effect, length));
    }
    let unknown = derived.iter().zip(&effects[first..]).filter(|(_, effect)| effect.is_none());
    let circle: Vec<&str> = unknown.map(|(derived, _)| derived.name.as_str()).collect();
    if !circle.is_empty() && faults.is_empty() {
        faults.push(format!("moves are defined by each other: {}", circle.join(", ")));
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    for (derived, effect) in derived.iter().zip(effects.drain(first..)) {
        let (transformation, _) = effect.expect("all are known");
        moves.push(Named { name: derived.name.clone(), transformation, role: derived.role });
    }
    Ok(())
}

/// The numbers of the algorithms, each after those that it is made of, without those in circles.
fn order(first: usize, algorithms: &[Algorithm]) -> Vec<usize> {
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); algorithms.len()];
    let mut missing = vec![0; algorithms.len()];
    for (number, algorithm) in algorithms.iter().enumerate() {
        for part in algorithm.names().into_iter().filter_map(|name| name.checked_sub(first)) {
            users[part].push(number);
            missing[number] += 1;
        }
    }
    let mut ready: Vec<usize> = (0..algorithms.len()).filter(|&number| missing[number] == 0).collect();
    let mut at = 0;
    while at < ready.len() {
        for &user in &users[ready[at]] {
            missing[user] -= 1;
            if missing[user] == 0 {
                ready.push(user);
            }
        }
        at += 1;
    }
    ready
}
