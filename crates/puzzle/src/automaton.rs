//! The strings of moves that a search leaves out, because another string has the same effect.

use search_core::{Automaton, Cancelled, Domain, Op, Run};

use crate::model::OrbitTransformation;
use crate::part::Part;
use crate::system::System;

/// The approximate number of strings that the automaton is learned from.
const STRINGS: f64 = 300_000.0;
/// The maximum length of strings that the automaton is learned from: ten moves of six bits each fit a word.
pub const LONGEST: usize = 10;

/// The automaton that forbids strings of moves with the same effect as another. Where some states are illegal, a string
/// may be legal where the other is not: see `orders`.
///
/// # Errors
/// [`Cancelled`].
pub fn automaton(system: &System, learn: Option<usize>, run: &Run<'_>) -> Result<Automaton, Cancelled> {
    let moves = system.moves();
    let has_rules = system.parts.iter().any(|part| !part.illegal.is_empty());
    let depth = learn.unwrap_or_else(|| default_depth(moves));
    if depth == 0 {
        return Ok(Automaton::unrestricted(moves));
    }
    if has_rules {
        return Ok(orders(system));
    }
    let elements = Elements { parts: &system.parts, moves };
    Automaton::learn_in(&elements, &elements.identity(), depth.min(LONGEST), run)
}

/// The automaton for puzzles with illegal states. It forbids a move if moves that change none of its places lead back to
/// a move with which it joins to a single one, or to none, and if the last of those moves has a greater number.
///
/// Why no shortest solution is lost: let `a` and `b` change no place in common. Where `a b` is legal, `b a` is: after `b`, each
/// place has what it has after `a b` if `b` changes it, and else what it has at first, and rules are about single places. And
/// where `a b` is legal and a single move does what both do, that is legal. So of the shortest legal strings that differ by such
/// exchanges, the least in the order of the moves' numbers is allowed.
///
/// Source: normal forms of trace monoids (Anisimov and Knuth 1979, "Inhomogeneous sorting").
fn orders(system: &System) -> Automaton {
    let (joined, apart) = (system.joined(), system.apart());
    let moves = system.moves();
    // A state is the set of forbidden moves.
    let after = |forbidden: u64, step: usize| {
        let is_forbidden = |&next: &usize| {
            joined[step][next] || apart[step][next] && (next < step || forbidden >> next & 1 == 1)
        };
        (0..moves).filter(is_forbidden).fold(0, |set, next| set | 1 << next)
    };
    let mut states = vec![0u64];
    let mut at = 0;
    while at < states.len() {
        let forbidden = states[at];
        for step in (0..moves).filter(|step| forbidden >> step & 1 == 0) {
            let next = after(forbidden, step);
            if !states.contains(&next) {
                states.push(next);
            }
        }
        at += 1;
    }
    let next = |state: usize, op: Op| {
        let is_forbidden = states[state] >> op.index() & 1 == 1;
        let next = after(states[state], op.index());
        let number = || states.iter().position(|&known| known == next).expect("a known state");
        (!is_forbidden).then(number)
    };
    Automaton::from_rule(moves, states.len(), next)
}

/// The default length of the strings that the automaton is learned from: about 300,000 of them.
pub fn default_depth(moves: usize) -> usize {
    let depth = (STRINGS.ln() / (moves as f64).ln().max(1.0)) as usize;
    depth.clamp(2, LONGEST)
}

/// The group that moves generate, with distinct pieces and all orientations, also where the puzzle has identical ones:
/// strings with one effect here have one effect on every pattern.
struct Elements<'a> {
    parts: &'a [Part],
    moves: usize,
}

impl Elements<'_> {
    fn identity(&self) -> Box<[u8]> {
        let places = |part: &Part| {
            (0..part.places.len()).map(|place| u8::try_from(place).expect("at most 256 places")).collect()
        };
        let flat = |part: &Part| -> Vec<u8> {
            let from: Vec<u8> = places(part);
            from.iter().copied().chain(from.iter().map(|_| 0)).collect()
        };
        self.parts.iter().flat_map(flat).collect()
    }
}

impl Domain for Elements<'_> {
    type State = Box<[u8]>;

    fn op_count(&self) -> usize {
        self.moves
    }

    fn apply(&self, state: &Box<[u8]>, op: Op) -> Box<[u8]> {
        let (mut next, mut rest) = (Vec::with_capacity(state.len()), &state[..]);
        for part in self.parts {
            let OrbitTransformation { from, turn, orientations } = &part.moves[op.index()];
            let (places, after) = rest.split_at(from.len());
            let (turns, after) = after.split_at(from.len());
            next.extend(from.iter().map(|&from| places[usize::from(from)]));
            next.extend(from.iter().zip(turn).map(|(&from, &turn)| {
                let sum = u16::from(turns[usize::from(from)]) + u16::from(turn);
                u8::try_from(sum % u16::from(*orientations)).expect("below the modulus")
            }));
            rest = after;
        }
        next.into()
    }

    fn is_goal(&self, _: &Box<[u8]>) -> bool {
        false
    }
}
