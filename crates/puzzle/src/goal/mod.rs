//! Goals: states to be reached, with pieces and orientations left open.
//!
//! **The idea.** A goal is the solved pattern of another puzzle with the same moves, in which interchangeable pieces have one
//! label and open orientations have the modulus 1: identical pieces and `orientationMod` as KPuzzle has them. A pattern
//! becomes a pattern of that puzzle if its pieces are relabeled. Relabeling changes neither places nor moves, so a solution
//! of the relabeled pattern is a solution to the goal, and conversely.
//!
//! **One puzzle for many goals.** Where all pieces of an orbit differ, the pieces that the goal has at its places can have
//! the labels of the pieces that belong there, and count their turns from their orientations in the goal. Then every goal
//! that leaves the same places open is the solved pattern of the same puzzle, with the same tables, and only the start
//! differs. An orbit keeps its labels, and the goal has a puzzle of its own, if pieces look alike in the definition, if
//! rules name pieces, or if the orientations of interchangeable pieces matter: these are compared by place, and the pieces of
//! a set may be turned differently in the goal.
//!
//! The module `open` has the parts that are left open.

mod open;

use std::collections::{BTreeSet, HashMap};

use crate::fault::Faults;
use crate::model::{Illegal, Orbit, OrbitPattern, Pattern, Puzzle};
use open::OpenPlaces;

pub use open::{InvalidPlaces, Open, Places};

/// A state to be reached, with what is left open.
#[derive(Clone, Debug)]
pub struct Goal {
    state: Pattern,
    open: Vec<OpenPlaces>,
    puzzle: Puzzle,
    /// For each orbit, the pieces by their labels.
    relabeled: Vec<HashMap<u8, Relabeled>>,
}

/// A piece in the puzzle whose solved pattern stands for the goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Relabeled {
    label: u8,
    /// The amount that is added to its orientation.
    turn: u8,
    unoriented: bool,
}

impl Goal {
    /// The goal `state` of `puzzle`, with `open` left open.
    ///
    /// # Errors
    /// All faults: orbits and places that do not exist or are in two sets, and sets whose pieces cannot be distinguished from others.
    pub fn new(puzzle: &Puzzle, state: &Pattern, open: &Open) -> Result<Goal, Faults> {
        let faults = state.faults(puzzle.orbits());
        Faults::unless_none(faults, || ())?;
        let open = open.resolve(puzzle)?;
        let (mut faults, mut relabeled) = (Vec::new(), Vec::new());
        let mut parts = puzzle.clone().into_parts();
        let mut rules = Vec::new();
        for (number, orbit) in puzzle.orbits().iter().enumerate() {
            let of_orbit = OrbitGoal {
                orbit,
                solved: &puzzle.solved().orbits[number],
                state: &state.orbits[number],
                open: &open[number],
                rules: puzzle.illegal().iter().filter(|rule| rule.orbit == number).copied().collect(),
            };
            let start = faults.len();
            faults.extend(of_orbit.faults());
            if faults.len() == start {
                let labels = of_orbit.relabeled();
                rules.extend(of_orbit.relabeled_rules(&labels));
                parts.solved.orbits[number] = relabeled_orbit(&state.orbits[number], &labels);
                relabeled.push(labels);
            }
        }
        Faults::unless_none(faults, || ())?;
        parts.illegal = rules;
        Ok(Goal { state: state.clone(), open, puzzle: Puzzle::new(parts)?, relabeled })
    }

    /// The puzzle whose solved pattern stands for the goal.
    pub fn puzzle(&self) -> &Puzzle {
        &self.puzzle
    }

    /// The state.
    pub fn state(&self) -> &Pattern {
        &self.state
    }

    /// A pattern of the original puzzle as one of [`puzzle`](Self::puzzle); `None` if it has a piece that the goal has not.
    pub fn relabeled(&self, pattern: &Pattern) -> Option<Pattern> {
        let orbits = pattern.orbits.iter().zip(&self.relabeled).map(|(part, labels)| {
            part.pieces.iter().all(|label| labels.contains_key(label)).then(|| relabeled_orbit(part, labels))
        });
        Some(Pattern { orbits: orbits.collect::<Option<_>>()? })
    }

    /// Whether a pattern of the original puzzle, as it is held, is the goal but for what is left open. Compares the pieces
    /// at each place, without the labels that a search reads.
    pub fn accepts(&self, pattern: &Pattern) -> bool {
        let orbits = self.state.orbits.iter().zip(&self.open).zip(&pattern.orbits);
        orbits.into_iter().all(|((goal, open), part)| {
            (0..goal.pieces.len()).all(|place| {
                let is_piece = match open.set[place] {
                    None => part.pieces[place] == goal.pieces[place],
                    Some(set) => (0..goal.pieces.len()).any(|other| {
                        open.set[other] == Some(set) && goal.pieces[other] == part.pieces[place]
                    }),
                };
                is_piece && (open.unoriented[place] || part.orientation[place] == goal.orientation[place])
            })
        })
    }
}

/// The states of goals as patterns of the first one's puzzle.
///
/// # Errors
/// [`Faults`]: goals that do not leave the same pieces open. Then patterns that differ only in what one goal leaves open differ
/// for another.
pub fn positions(goals: &[Goal]) -> Result<Vec<Pattern>, Faults> {
    let Some(first) = goals.first() else { return Ok(Vec::new()) };
    let (mut positions, mut faults) = (Vec::new(), Vec::new());
    for (number, goal) in (1..).zip(goals) {
        let mut parts = first.relabeled.iter().zip(&goal.relabeled);
        match first.relabeled(&goal.state) {
            Some(position) if parts.all(|(one, other)| are_alike(one, other)) => positions.push(position),
            _ => faults.push(format!("goal {number} does not leave open the pieces that goal 1 leaves open")),
        }
    }
    Faults::unless_none(faults, || positions)
}

/// Whether two goals give the same pieces of an orbit equal labels, and leave the orientations of the same pieces open.
fn are_alike(one: &HashMap<u8, Relabeled>, other: &HashMap<u8, Relabeled>) -> bool {
    let mut labels: HashMap<u8, u8> = HashMap::new();
    let is_same = |(piece, of_one): (&u8, &Relabeled)| {
        other.get(piece).is_some_and(|of_other| {
            *labels.entry(of_one.label).or_insert(of_other.label) == of_other.label
                && of_one.unoriented == of_other.unoriented
        })
    };
    one.len() == other.len() && one.iter().all(is_same) && {
        let mut images: Vec<u8> = labels.values().copied().collect();
        images.sort_unstable();
        images.windows(2).all(|pair| pair[0] < pair[1])
    }
}

/// The relabeled part of a pattern.
fn relabeled_orbit(part: &OrbitPattern, labels: &HashMap<u8, Relabeled>) -> OrbitPattern {
    let mut relabeled = part.clone();
    for place in 0..part.pieces.len() {
        let Relabeled { label, turn, unoriented } = labels[&part.pieces[place]];
        let modulus = if unoriented { 1 } else { part.orientation_mod[place] };
        relabeled.pieces[place] = label;
        relabeled.orientation_mod[place] = modulus;
        relabeled.orientation[place] =
            ((u16::from(part.orientation[place]) + u16::from(turn)) % u16::from(modulus)) as u8;
    }
    relabeled
}

/// The part of a goal that concerns one orbit.
struct OrbitGoal<'a> {
    orbit: &'a Orbit,
    solved: &'a OrbitPattern,
    state: &'a OrbitPattern,
    open: &'a OpenPlaces,
    rules: Vec<Illegal>,
}

impl OrbitGoal<'_> {
    fn faults(&self) -> Vec<String> {
        let OrbitGoal { orbit: Orbit { name, .. }, state, open, .. } = self;
        let mut faults = BTreeSet::new();
        for (place, &label) in state.pieces.iter().enumerate() {
            for other in 0..place {
                let looks_alike = label == state.pieces[other];
                let [one, two] = [place, other].map(|place| (open.set[place], open.unoriented[place]));
                if looks_alike && one != two {
                    faults.insert(format!(
                        "the pieces with label {label} of {name} look alike, so their places must be left open together"
                    ));
                }
                if one.0.is_none() || one.0 != two.0 || looks_alike {
                    continue;
                }
                let is_open = |place: usize| open.unoriented[place];
                let moduli = [place, other].map(|at| if is_open(at) { 1 } else { state.orientation_mod[at] });
                if moduli[0] != moduli[1] {
                    faults.insert(format!(
                        "the orientation counts for some of the interchangeable pieces of {name} only"
                    ));
                }
                if self.places_without(label) != self.places_without(state.pieces[other]) {
                    faults.insert(format!(
                        "rules of the puzzle tell pieces of {name} apart that would be interchangeable; \
                         make those interchangeable that have the same rules"
                    ));
                }
            }
        }
        faults.into_iter().collect()
    }

    /// The places where rules forbid a piece.
    fn places_without(&self, label: u8) -> BTreeSet<usize> {
        self.rules.iter().filter(|rule| rule.piece == label).map(|rule| rule.place).collect()
    }

    /// Whether the goal's pieces get the labels of the pieces that belong to its places.
    fn is_renamed(&self) -> bool {
        let OrbitGoal { orbit, solved, open, rules, .. } = self;
        let mut oriented_sets = open.set.iter().zip(&open.unoriented);
        solved.is_distinct(orbit)
            && rules.is_empty()
            && (orbit.orientations == 1
                || !oriented_sets.any(|(set, unoriented)| set.is_some() && !unoriented))
    }

    /// The pieces by their labels.
    fn relabeled(&self) -> HashMap<u8, Relabeled> {
        let OrbitGoal { orbit, solved, state, open, .. } = self;
        let is_renamed = self.is_renamed();
        let labels = if is_renamed { solved } else { state };
        let piece = |place: usize| {
            let set = open.set[place];
            let same = (0..labels.pieces.len()).filter(|&other| set.is_some() && open.set[other] == set);
            let label = same.map(|other| labels.pieces[other]).min().unwrap_or(labels.pieces[place]);
            let orientations = orbit.orientations as u16;
            let [home, here] = [solved, state].map(|part| u16::from(part.orientation[place]));
            let turn = if is_renamed { (home + orientations - here) % orientations } else { 0 };
            Relabeled { label, turn: turn as u8, unoriented: open.unoriented[place] }
        };
        (0..state.pieces.len()).map(|place| (state.pieces[place], piece(place))).collect()
    }

    fn relabeled_rules(&self, labels: &HashMap<u8, Relabeled>) -> Vec<Illegal> {
        let mut rules: Vec<Illegal> = Vec::new();
        for rule in &self.rules {
            // A rule about a piece that the puzzle does not have is kept as it is.
            let piece = labels.get(&rule.piece).map_or(rule.piece, |relabeled| relabeled.label);
            if !rules.contains(&Illegal { piece, ..*rule }) {
                rules.push(Illegal { piece, ..*rule });
            }
        }
        rules
    }
}
