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
//! A move and the one that undoes it are found together: each product of a pattern with a move fills two entries of the table.
//!
//! Illegal states: a projection in which a rule holds for all pieces of a class decides the rule. Moves that lead to a
//! state that breaks it are [`NONE`] in the table. Other projections allow them, which keeps distances in them lower
//! bounds.

use std::collections::HashMap;

use xxhash_rust::xxh3::xxh3_64;

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

    /// The sets to which the pieces belong: that of each piece is the set of its home.
    pub fn sets(number: usize, part: &Part, of_homes: &[usize]) -> Projection {
        let set = |&(label, modulus, _): &(u8, u8, usize)| {
            let homes = part.solved.pieces.iter().zip(&part.solved.orientation_mod);
            let home = homes.clone().position(|home| home == (&label, &modulus));
            kept(of_homes[home.expect("a kind of the part")], 1)
        };
        Projection { part: number, kept: part.kinds().iter().map(set).collect() }
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

    /// The projected pattern, a byte for each place: the number of its class and orientation in `symbols`; `None` if it has a
    /// piece that the part has not.
    fn key(&self, part: &Part, symbols: &Symbols, pattern: &OrbitPattern) -> Option<Vec<u8>> {
        let kinds = part.kinds();
        let symbol = |place: usize| {
            let (label, modulus) = (pattern.pieces[place], pattern.orientation_mod[place]);
            let kind = kinds.iter().position(|kind| (kind.0, kind.1) == (label, modulus))?;
            let kept = self.kept[kind];
            Some(symbols.first[usize::from(kept.class)] + pattern.orientation[place] % kept.modulus)
        };
        (0..part.places.len()).map(symbol).collect()
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

/// The classes of a projection with their orientations, numbered: the bytes of projected patterns.
#[derive(Clone, Debug)]
struct Symbols {
    /// For each class, the number of its orientation 0; the others follow.
    first: Vec<u8>,
    /// For each class, its modulus.
    moduli: Vec<u8>,
    count: usize,
}

impl Symbols {
    /// The symbols of a projection; `None` if there are more than 256.
    fn new(projection: &Projection) -> Option<Symbols> {
        let classes = projection.kept.iter().map(|kept| usize::from(kept.class) + 1).max().unwrap_or(0);
        let mut moduli = vec![1; classes];
        for kept in &projection.kept {
            moduli[usize::from(kept.class)] = kept.modulus;
        }
        let (mut first, mut count) = (Vec::new(), 0usize);
        for &modulus in &moduli {
            first.push(u8::try_from(count).ok()?);
            count += usize::from(modulus);
        }
        (count <= 256).then_some(Symbols { first, moduli, count })
    }

    /// For each symbol, whether it is of a class.
    fn of_class(&self, class: u8) -> Vec<bool> {
        let (first, modulus) = (self.first[usize::from(class)], self.moduli[usize::from(class)]);
        let (first, end) = (usize::from(first), usize::from(first) + usize::from(modulus));
        (0..self.count).map(|symbol| (first..end).contains(&symbol)).collect()
    }

    /// For each symbol, the one after a turn.
    fn turned(&self, turn: u8) -> Vec<u8> {
        let class = |(&first, &modulus): (&u8, &u8)| {
            (0..modulus).map(move |orientation| {
                let sum = (u16::from(orientation) + u16::from(turn)) % u16::from(modulus);
                first + u8::try_from(sum).expect("below the modulus")
            })
        };
        self.first.iter().zip(&self.moduli).flat_map(class).collect()
    }
}

/// A place that a move changes: the place that its piece comes from, and the symbols after the turn.
struct Change {
    to: usize,
    from: usize,
    turned: Vec<u8>,
}

/// The places that a transformation changes.
fn changes(step: &OrbitTransformation, symbols: &Symbols) -> Vec<Change> {
    let places = step.from.iter().zip(&step.turn).enumerate();
    let moved = places.filter(|&(to, (&from, &turn))| to != usize::from(from) || turn > 0);
    let change = |(to, (&from, &turn)): (usize, _)| Change {
        to,
        from: usize::from(from),
        turned: symbols.turned(turn),
    };
    moved.map(change).collect()
}

/// Keys of one length, numbered in the order in which they were added.
#[derive(Clone, Debug)]
struct Numbers {
    length: usize,
    keys: Vec<u8>,
    /// An open hash table of the numbers; [`NONE`] where there is none.
    slots: Vec<u16>,
}

impl Numbers {
    fn new(length: usize) -> Numbers {
        Numbers { length, keys: Vec::new(), slots: vec![NONE; 64] }
    }

    fn len(&self) -> usize {
        self.keys.len() / self.length
    }

    fn key(&self, number: usize) -> &[u8] {
        &self.keys[number * self.length..][..self.length]
    }

    /// The number of a key, or the empty slot where it belongs.
    fn find(&self, key: &[u8]) -> Result<u16, usize> {
        let last = self.slots.len() - 1;
        // Truncation chooses the low bits.
        let mut slot = xxh3_64(key) as usize & last;
        loop {
            match self.slots[slot] {
                NONE => return Err(slot),
                number if self.key(usize::from(number)) == key => return Ok(number),
                _ => slot = (slot + 1) & last,
            }
        }
    }

    /// The number of a key, which is added if it is new and there are fewer than `most`.
    fn add(&mut self, key: &[u8], most: usize) -> Option<u16> {
        let slot = match self.find(key) {
            Ok(number) => return Some(number),
            Err(slot) => slot,
        };
        if self.len() >= most {
            return None;
        }
        let number = u16::try_from(self.len()).expect("at most MOST_STATES states");
        self.keys.extend_from_slice(key);
        self.slots[slot] = number;
        if 2 * self.len() > self.slots.len() {
            self.slots = vec![NONE; 2 * self.slots.len()];
            for number in 0..=number {
                let slot = self.find(self.key(usize::from(number))).expect_err("keys differ");
                self.slots[slot] = number;
            }
        }
        Some(number)
    }
}

/// A projection whose states are numbered from 0, the solved one, breadth first.
#[derive(Clone, Debug)]
pub struct Coordinate {
    /// The projection.
    pub projection: Projection,
    symbols: Symbols,
    numbers: Numbers,
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
        let Some(symbols) = Symbols::new(&projection) else { return Ok(None) };
        let rules: Vec<(usize, Vec<bool>)> = (projection.rules(part).into_iter())
            .map(|(place, class)| (place, symbols.of_class(class)))
            .collect();
        let moves = part.moves.len();
        let inverses: Vec<OrbitTransformation> =
            part.moves.iter().map(OrbitTransformation::inverse).collect();
        // For each move, the one that undoes it.
        let back: Vec<Option<usize>> =
            inverses.iter().map(|step| part.moves.iter().position(|other| other == step)).collect();
        // An inverse that is a move leads to no state that the moves do not lead to.
        let undone = inverses.into_iter().zip(&back).filter(|(_, back)| back.is_none()).map(|(step, _)| step);
        let undone: Vec<OrbitTransformation> = undone.collect();
        let steps: Vec<Vec<Change>> =
            part.moves.iter().chain(&undone).map(|step| changes(step, &symbols)).collect();
        let solved = projection.key(part, &symbols, &part.solved).expect("the part's own pattern");
        let mut numbers = Numbers::new(solved.len());
        if numbers.add(&solved, most).is_none() {
            return Ok(None);
        }
        let (mut next, mut to) = (Vec::new(), solved);
        let (mut at, mut depth, mut layer_end) = (0, 0, 1);
        while at < numbers.len() {
            run.check()?;
            if at == layer_end {
                (depth, layer_end) = (depth + 1, numbers.len());
            }
            next.resize(numbers.len() * moves, NONE);
            for (number, step) in steps.iter().enumerate() {
                // Found when the state that the move leads to was expanded.
                if number < moves && next[at * moves + number] != NONE {
                    continue;
                }
                let from = numbers.key(at);
                to.copy_from_slice(from);
                let mut is_changed = false;
                for change in step {
                    let symbol = change.turned[usize::from(from[change.from])];
                    is_changed |= symbol != from[change.to];
                    to[change.to] = symbol;
                }
                let is_illegal = rules.iter().any(|(place, marked)| marked[usize::from(to[*place])]);
                let to = match (is_changed, is_illegal) {
                    (false, _) => u16::try_from(at).expect("at most MOST_STATES states"),
                    (true, true) => NONE,
                    (true, false) => match numbers.add(&to, most) {
                        Some(number) => number,
                        None => return Ok(None),
                    },
                };
                if number < moves {
                    next[at * moves + number] = to;
                    if let Some(back) = back[number].filter(|_| to != NONE) {
                        next.resize(numbers.len() * moves, NONE);
                        next[usize::from(to) * moves + back] =
                            u16::try_from(at).expect("at most MOST_STATES states");
                    }
                }
            }
            at += 1;
        }
        Ok(Some(Coordinate { projection, symbols, numbers, next, moves, depth }))
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
        self.numbers.find(&self.projection.key(part, &self.symbols, pattern)?).ok()
    }

    /// The number of digits that a place can have: a class of pieces with an orientation.
    pub(crate) fn symbols(&self) -> usize {
        self.symbols.count
    }

    /// The digit of each place in a state.
    pub(crate) fn digits(&self, state: usize) -> &[u8] {
        self.numbers.key(state)
    }

    /// The digit of the piece of this home, turned by `turn`.
    pub(crate) fn digit(&self, part: &Part, home: usize, turn: u8) -> u8 {
        let (label, modulus) = (part.solved.pieces[home], part.solved.orientation_mod[home]);
        let kinds = part.kinds();
        let kind =
            kinds.iter().position(|kind| (kind.0, kind.1) == (label, modulus)).expect("a kind of the part");
        let kept = self.projection.kept[kind];
        let sum = u16::from(part.solved.orientation[home]) + u16::from(turn);
        let turned = u8::try_from(sum % u16::from(kept.modulus)).expect("below the modulus");
        self.symbols.first[usize::from(kept.class)] + turned
    }

    /// For each digit, the home and the turn of its piece, if the coordinate tells the piece apart with all its turns.
    pub(crate) fn pieces(&self, part: &Part) -> Vec<Option<(usize, u8)>> {
        let mut pieces = vec![None; self.symbols.count];
        let orientations = part.moves[0].orientations;
        for (kind, kept) in part.kinds().iter().zip(&self.projection.kept) {
            if kind.2 > 1 || kept.modulus != orientations || !self.keeps_apart(*kept) {
                continue;
            }
            let home =
                part.solved.pieces.iter().position(|&label| label == kind.0).expect("a kind of the part");
            for turn in 0..orientations {
                pieces[usize::from(self.digit(part, home, turn))] = Some((home, turn));
            }
        }
        pieces
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

    /// The home places of the pieces that are kept: those distinguished from others, or whose orientations count.
    pub fn homes(&self, part: &Part) -> Vec<usize> {
        let (kinds, kept) = (part.kinds(), &self.projection.kept);
        let is_kept = |place: &usize| {
            let pair = (part.solved.pieces[*place], part.solved.orientation_mod[*place]);
            let kind = kinds.iter().position(|kind| (kind.0, kind.1) == pair);
            let kept = kind.map(|kind| kept[kind]);
            kept.is_some_and(|kept| kept.class > 0 || kept.modulus > 1 || self.keeps_apart(kept))
        };
        (0..part.places.len()).filter(is_kept).collect()
    }

    /// Whether `kept` is a class of one kind.
    fn keeps_apart(&self, kept: Kept) -> bool {
        self.projection.kept.iter().filter(|other| other.class == kept.class).count() == 1
    }
}
