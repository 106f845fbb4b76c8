//! Coordinates: small projections of a part, numbered, with the effect of every move in a table.
//!
//! The idea: a **projection** keeps some kinds of pieces of a part and forgets the others, or forgets which piece is
//! which and keeps their orientations. What it keeps moves by itself, so the projected patterns that moves reach from
//! the solved one can be numbered once, and the effect of each move on the numbers is a table. A few such coordinates
//! determine the whole position; a node of a search costs one read from each.
//!
//! Invariant: rows of the table lie together, so the children of a node are in one or two lines of the cache. Numbers
//! fit 16 bits, so a table of the usual eighteen moves has at most 2.4 MB and most have far less.
//!
//! Illegal states: a projection in which a rule holds for all pieces of a class decides the rule. Moves that lead to a
//! state that breaks it are [`NONE`] in the table. Other projections allow them, which keeps distances in them lower
//! bounds.

use std::collections::HashMap;

use crate::model::{OrbitPattern, OrbitTransformation};
use crate::part::Part;
use search_core::{Cancelled, Run};

/// The number of a state to which no move leads: the move is illegal.
pub const NONE: u16 = u16::MAX;
/// The maximum number of states of a coordinate.
pub const MOST_STATES: usize = NONE as usize;

/// The class and the orientation that a projection keeps of a kind of pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Kept {
    /// The class: pieces of one class are not told apart.
    pub class: u8,
    /// The modulus within which the orientation is kept: a divisor of the kind's, and the same in all of a class.
    pub modulus: u8,
}

/// A projection of a part: for each of its [kinds](Part::kinds), the part that is kept.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Projection {
    /// The number of the part.
    pub part: usize,
    /// The part that is kept of each kind.
    pub kept: Vec<Kept>,
}

impl Projection {
    /// Everything.
    pub fn all(number: usize, part: &Part) -> Projection {
        let kinds = part.kinds();
        let kept = kinds.iter().enumerate().map(|(class, &(_, modulus, _))| kept(class, modulus));
        Projection { part: number, kept: kept.collect() }
    }

    /// The places of the pieces, without orientations.
    pub fn places(number: usize, part: &Part) -> Projection {
        let kept = (0..part.kinds().len()).map(|class| kept(class, 1)).collect();
        Projection { part: number, kept }
    }

    /// The orientation at each place, without the pieces; their moduli are kept where they differ.
    pub fn orientations(number: usize, part: &Part) -> Projection {
        let kinds = part.kinds();
        let mut moduli: Vec<u8> = kinds.iter().map(|kind| kind.1).collect();
        moduli.sort_unstable();
        moduli.dedup();
        let class = |modulus: u8| moduli.iter().position(|&known| known == modulus).expect("a modulus");
        let kept = kinds.iter().map(|&(_, modulus, _)| kept(class(modulus), modulus));
        Projection { part: number, kept: kept.collect() }
    }

    /// Some kinds, by their numbers in ascending order, with or without their orientations; the others look alike.
    pub fn subset(number: usize, part: &Part, kinds: &[usize], oriented: bool) -> Projection {
        let kinds_of_part = part.kinds();
        let kept = kinds_of_part.iter().enumerate().map(|(kind, &(_, modulus, _))| {
            match kinds.binary_search(&kind) {
                Ok(at) => kept(at + 1, if oriented { modulus } else { 1 }),
                Err(_) => kept(0, 1),
            }
        });
        Projection { part: number, kept: kept.collect() }
    }

    /// The kinds with rules, those with rules about the same places in one class; the others look alike.
    pub fn ruled(number: usize, part: &Part) -> Projection {
        let places = |label: u8| -> Vec<usize> {
            let mut places: Vec<usize> =
                part.illegal.iter().filter(|rule| rule.1 == label).map(|rule| rule.0).collect();
            places.sort_unstable();
            places.dedup();
            places
        };
        let of_kinds: Vec<Vec<usize>> = part.kinds().iter().map(|kind| places(kind.0)).collect();
        let mut classes = vec![Vec::new()];
        for places in &of_kinds {
            if !classes.contains(places) {
                classes.push(places.clone());
            }
        }
        let class = |places: &Vec<usize>| classes.iter().position(|known| known == places);
        let kept = of_kinds.iter().map(|places| kept(class(places).expect("a class"), 1));
        Projection { part: number, kept: kept.collect() }
    }

    /// An upper limit of the number of states.
    pub fn most_states(&self, part: &Part) -> f64 {
        let kinds = part.kinds();
        let mut counts: HashMap<u8, (usize, u8)> = HashMap::new();
        for (kept, &(_, _, count)) in self.kept.iter().zip(&kinds) {
            counts.entry(kept.class).or_insert((0, kept.modulus)).0 += count;
        }
        let (mut states, mut places) = (1.0, part.places.len());
        for &(count, modulus) in counts.values() {
            for taken in 0..count {
                states *= (places - taken) as f64 / (count - taken) as f64 * f64::from(modulus);
            }
            places -= count;
        }
        states
    }

    /// The projected pattern: class and orientation of each place; `None` if it has a piece that the part has not.
    fn key(&self, part: &Part, pattern: &OrbitPattern) -> Option<Box<[u8]>> {
        let kinds = part.kinds();
        let mut key = Vec::with_capacity(2 * part.places.len());
        for place in 0..part.places.len() {
            let (label, modulus) = (pattern.pieces[place], pattern.orientation_mod[place]);
            let kind = kinds.iter().position(|kind| (kind.0, kind.1) == (label, modulus))?;
            let kept = self.kept[kind];
            key.extend([kept.class, pattern.orientation[place] % kept.modulus]);
        }
        Some(key.into())
    }

    /// Whether a projected pattern breaks a rule that the projection decides.
    fn breaks_rule(&self, rules: &[(usize, u8)], key: &[u8]) -> bool {
        rules.iter().any(|&(place, class)| key[2 * place] == class)
    }

    /// The rules that this projection decides, as places and classes: a rule about all kinds of a class.
    fn rules(&self, part: &Part) -> Vec<(usize, u8)> {
        let kinds = part.kinds();
        let mut rules = Vec::new();
        for &(place, label) in &part.illegal {
            for (_, kept) in kinds.iter().zip(&self.kept).filter(|(kind, _)| kind.0 == label) {
                let mut same = kinds.iter().zip(&self.kept).filter(|(_, other)| other.class == kept.class);
                if same.all(|(other, _)| part.illegal.contains(&(place, other.0))) {
                    rules.push((place, kept.class));
                }
            }
        }
        rules.sort_unstable();
        rules.dedup();
        rules
    }
}

fn kept(class: usize, modulus: u8) -> Kept {
    Kept { class: u8::try_from(class).expect("at most 256 kinds"), modulus }
}

/// The projected pattern after a transformation.
fn moved(key: &[u8], step: &OrbitTransformation, moduli: &[u8; 256]) -> Box<[u8]> {
    let mut next = Vec::with_capacity(key.len());
    for (&from, &turn) in step.from.iter().zip(&step.turn) {
        let (class, orientation) = (key[2 * usize::from(from)], key[2 * usize::from(from) + 1]);
        let modulus = moduli[usize::from(class)];
        let turned = (u16::from(orientation) + u16::from(turn)) % u16::from(modulus);
        next.extend([class, u8::try_from(turned).expect("below the modulus")]);
    }
    next.into()
}

/// A projection whose states are numbered from 0, the solved one, breadth first.
#[derive(Clone, Debug)]
pub struct Coordinate {
    /// The projection.
    pub projection: Projection,
    numbers: HashMap<Box<[u8]>, u16>,
    /// For each state and move, the state that the move leads to.
    next: Vec<u16>,
    moves: usize,
    depth: usize,
}

impl Coordinate {
    /// Numbers the states of `projection`; `None` if there are more than `most`.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn new(
        part: &Part,
        projection: Projection,
        most: usize,
        run: &Run<'_>,
    ) -> Result<Option<Coordinate>, Cancelled> {
        let most = most.min(MOST_STATES);
        let mut moduli = [1; 256];
        for kept in &projection.kept {
            moduli[usize::from(kept.class)] = kept.modulus;
        }
        let rules = projection.rules(part);
        let moves = part.moves.len();
        let inverses: Vec<OrbitTransformation> =
            part.moves.iter().map(OrbitTransformation::inverse).collect();
        let steps: Vec<&OrbitTransformation> = part.moves.iter().chain(&inverses).collect();
        let solved = projection.key(part, &part.solved).expect("the part's own pattern");
        let mut numbers: HashMap<Box<[u8]>, u16> = HashMap::from([(solved.clone(), 0)]);
        let mut states: Vec<Box<[u8]>> = vec![solved];
        let mut next = Vec::new();
        let (mut at, mut depth, mut layer_end) = (0, 0, 1);
        while at < states.len() {
            run.check()?;
            if at == layer_end {
                (depth, layer_end) = (depth + 1, states.len());
            }
            for (number, step) in steps.iter().enumerate() {
                let to = moved(&states[at], step, &moduli);
                let to = if projection.breaks_rule(&rules, &to) {
                    NONE
                } else if let Some(&known) = numbers.get(&to) {
                    known
                } else {
                    if states.len() >= most {
                        return Ok(None);
                    }
                    let new = u16::try_from(states.len()).expect("at most MOST_STATES states");
                    numbers.insert(to.clone(), new);
                    states.push(to);
                    new
                };
                if number < moves {
                    next.push(to);
                }
            }
            at += 1;
        }
        Ok(Some(Coordinate { projection, numbers, next, moves, depth }))
    }

    /// The number of states.
    pub fn states(&self) -> usize {
        self.numbers.len()
    }

    /// The greatest number of moves, forward or backward, that a state is away from the solved one.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// For each state and move, the state that the move leads to, or [`NONE`].
    pub fn next(&self) -> &[u16] {
        &self.next
    }

    /// For each state and move, the state from which the move leads here, or [`NONE`].
    pub fn previous(&self) -> Vec<u16> {
        let mut previous = vec![NONE; self.next.len()];
        for (from, row) in self.next.chunks(self.moves).enumerate() {
            for (number, &to) in row.iter().enumerate().filter(|&(_, &to)| to != NONE) {
                previous[usize::from(to) * self.moves + number] =
                    u16::try_from(from).expect("at most MOST_STATES states");
            }
        }
        previous
    }

    /// The number of the state of a part's pattern; `None` if moves do not lead to it.
    pub fn state(&self, part: &Part, pattern: &OrbitPattern) -> Option<u16> {
        self.numbers.get(&self.projection.key(part, pattern)?).copied()
    }

    /// Whether some move is illegal in some state.
    pub fn has_rules(&self) -> bool {
        self.next.contains(&NONE)
    }
}

impl Coordinate {
    /// The pieces and what is kept of them, for a person.
    pub fn description(&self, parts: &[Part]) -> String {
        let Projection { part, kept } = &self.projection;
        let kinds = parts[*part].kinds();
        let named: Vec<String> = kinds
            .iter()
            .zip(kept)
            .filter(|(_, kept)| kept.class > 0 || kept.modulus > 1 || self.keeps_apart(**kept))
            .map(|(kind, kept)| match kept.modulus {
                1 => kind.0.to_string(),
                modulus => format!("{}/{modulus}", kind.0),
            })
            .collect();
        format!("orbit {} pieces {}", parts[*part].orbit, named.join(" "))
    }

    /// Whether `kept` is a class of one kind.
    fn keeps_apart(&self, kept: Kept) -> bool {
        self.projection.kept.iter().filter(|other| other.class == kept.class).count() == 1
    }
}
