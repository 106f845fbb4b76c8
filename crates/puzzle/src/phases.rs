//! Solutions in two phases: first into a subgroup, then home by moves of the subgroup alone.
//!
//! The idea: moves that turn no piece generate a subgroup. Its orbits divide the places into sets, and its elements keep every
//! orientation and every set. The first phase brings all orientations and sets home by all moves; the second one has few moves,
//! which permute the pieces of each set. Both are searched by iterative deepening, with distances in products of two
//! coordinates as lower bounds. Longer first phases are tried for the sake of shorter second ones, until the nodes are used up.
//! On the 3x3x3 cube these are the phases of H. Kociemba (1992).
//!
//! The projection may keep less than the subgroup does. Then some ends of the first phase have no second one, and the search
//! continues with the next end.
//!
//! Cost: a byte for each entry of the products, and a fixed number of nodes.

use search_core::{Cancelled, Op, Run};

use crate::coordinate::{Coordinate, MOST_STATES, Projection};
use crate::model::{Pattern, Puzzle, PuzzleParts};
use crate::part::Part;
use crate::system::{System, SystemError};

/// The maximum number of entries of a product of two coordinates.
const MOST_ENTRIES: usize = 1 << 21;
/// The maximum number of products of a phase.
const MOST_PRODUCTS: usize = 6;
/// The number of nodes of both phases.
const NODES: u64 = 2_000_000;
/// The maximum number of nodes of one second phase.
const NODES_OF_SECOND: u64 = 20_000;
/// The cost of the beginning of a second phase, in nodes.
const NODES_OF_START: u64 = 100;
/// The maximum length of a second phase.
const MOST_OF_SECOND: usize = 30;
/// The maximum number of coordinates of a phase.
const MOST_COORDINATES: usize = 8;
/// An entry that is not known yet.
const UNKNOWN: u8 = u8::MAX;

/// The states of the coordinates of a phase; those that it does not have are 0.
type States = [u16; MOST_COORDINATES];

/// The two phases of a puzzle.
pub(crate) struct Phases {
    first: Phase,
    second: Phase,
    /// The system of the second phase.
    inner: System,
    /// The numbers of the moves of the second phase.
    kept: Vec<u8>,
    joined: Vec<Vec<bool>>,
}

/// The coordinates and the lower bounds of a phase.
struct Phase {
    coordinates: Vec<Coordinate>,
    moves: usize,
    products: Vec<Product>,
}

/// The distances of the states of two coordinates.
struct Product {
    pair: [usize; 2],
    distances: Vec<u8>,
}

impl Phases {
    /// The phases of a puzzle; `None` if its definition shows none that are small enough.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub(crate) fn new(puzzle: &Puzzle, system: &System, run: &Run<'_>) -> Result<Option<Phases>, Cancelled> {
        let parts = &system.parts;
        let keeps =
            |number: &usize| parts.iter().all(|part| part.moves[*number].turn.iter().all(|&turn| turn == 0));
        let kept: Vec<usize> = (0..system.moves()).filter(keeps).collect();
        if !system.is_group || system.inverses.is_none() || kept.is_empty() || kept.len() == system.moves() {
            return Ok(None);
        }
        let numbered = system.numbered_moves();
        let moves = kept.iter().map(|&number| numbered[number].clone()).collect();
        let own = PuzzleParts { moves, rotations: Vec::new(), ..puzzle.clone().into_parts() };
        let inner = match Puzzle::new(own).map(|own| System::new(&own, run)) {
            Ok(Ok(inner)) => inner,
            Ok(Err(SystemError::Cancelled(cancelled))) => return Err(cancelled),
            Ok(Err(SystemError::Faults(_))) | Err(_) => return Ok(None),
        };
        let mut coordinates = Vec::new();
        for (number, part) in parts.iter().enumerate() {
            let sets = sets(part, &kept);
            let turns = part.kinds().iter().any(|kind| kind.1 > 1);
            let projections = [
                turns.then(|| Projection::orientations(number, part)),
                (sets.iter().any(|&set| set > 0)).then(|| Projection::sets(number, part, &sets)),
            ];
            for projection in projections.into_iter().flatten() {
                let is_small = projection.most_states(part) <= 4.0 * MOST_STATES as f64;
                let coordinate = match is_small {
                    true => Coordinate::new(part, projection, MOST_STATES, run)?,
                    false => None,
                };
                let Some(coordinate) = coordinate else { return Ok(None) };
                coordinates.push(coordinate);
            }
        }
        let first = Phase::new(coordinates, system.moves(), run)?;
        let second = Phase::new(inner.coordinates.clone(), kept.len(), run)?;
        let kept = kept.into_iter().map(|number| number as u8).collect();
        let (Some(first), Some(second)) = (first, second) else { return Ok(None) };
        Ok(Some(Phases { first, second, inner, kept, joined: system.joined() }))
    }

    /// A solution of a pattern with fewer moves than `below`, if one is found.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub(crate) fn solve(
        &self,
        system: &System,
        pattern: &Pattern,
        below: usize,
        run: &Run<'_>,
    ) -> Result<Option<Vec<Op>>, Cancelled> {
        let Some(start) = system.reduction.normalized(pattern) else { return Ok(None) };
        let Some(states) = self.first.states(system, &start) else { return Ok(None) };
        let mut search = Search {
            phases: self,
            system,
            start: &start,
            path: Vec::new(),
            best: None,
            below,
            nodes: 0,
            run,
        };
        let mut length = self.first.value(&states);
        while length < search.below && search.nodes < NODES {
            search.first(&states, length)?;
            length += 1;
        }
        Ok(search.best.map(|word| word.into_iter().map(|number| Op::new(usize::from(number))).collect()))
    }
}

/// For each place, the number of the set of places between which the kept moves carry pieces; 0 if all are one set.
fn sets(part: &Part, kept: &[usize]) -> Vec<usize> {
    let count = part.places.len();
    let mut least: Vec<usize> = (0..count).collect();
    let mut has_changed = true;
    while std::mem::take(&mut has_changed) {
        for &number in kept {
            for (place, &from) in part.moves[number].from.iter().enumerate() {
                let from = usize::from(from);
                let both = least[place].min(least[from]);
                has_changed |= least[place] != least[from];
                (least[place], least[from]) = (both, both);
            }
        }
    }
    let firsts: Vec<usize> = (0..count).filter(|&place| least[place] == place).collect();
    least.iter().map(|least| firsts.binary_search(least).expect("the first of a set")).collect()
}

impl Phase {
    /// The phase of these coordinates; `None` if none of their products is small enough.
    fn new(coordinates: Vec<Coordinate>, moves: usize, run: &Run<'_>) -> Result<Option<Phase>, Cancelled> {
        let count = coordinates.len();
        let pairs = (0..count).flat_map(|a| (a + 1..count).map(move |b| [a, b]));
        let entries = |pair: &[usize; 2]| coordinates[pair[0]].states() * coordinates[pair[1]].states();
        let mut small: Vec<[usize; 2]> = pairs.filter(|pair| entries(pair) <= MOST_ENTRIES).collect();
        small.sort_by_key(|pair| std::cmp::Reverse(entries(pair)));
        small.truncate(MOST_PRODUCTS);
        if count > MOST_COORDINATES {
            return Ok(None);
        }
        let mut products = Vec::new();
        for pair in small {
            products.push(Product::new(&coordinates, pair, moves, run)?);
        }
        Ok((!products.is_empty()).then_some(Phase { coordinates, moves, products }))
    }

    /// The states of a pattern; `None` if moves of the phase cannot lead to it.
    fn states(&self, system: &System, pattern: &Pattern) -> Option<States> {
        let mut states = States::default();
        let known = system.states(pattern, &self.coordinates)?;
        states[..known.len()].copy_from_slice(&known);
        Some(states)
    }

    /// A lower bound on the number of moves that bring all coordinates home.
    fn value(&self, states: &States) -> usize {
        let own = self.products.iter().map(|product| {
            let [a, b] = product.pair.map(|number| usize::from(states[number]));
            usize::from(product.distances[a * self.coordinates[product.pair[1]].states() + b])
        });
        own.max().unwrap_or(0)
    }

    /// The states after a move.
    fn after(&self, states: &States, number: usize) -> States {
        let mut after = States::default();
        for ((after, coordinate), &state) in after.iter_mut().zip(&self.coordinates).zip(states) {
            *after = coordinate.next()[usize::from(state) * self.moves + number];
        }
        after
    }
}

impl Product {
    /// The distances by breadth-first search from the solved states. Moves are closed under inversion, so the direction does not
    /// matter.
    fn new(
        coordinates: &[Coordinate],
        pair: [usize; 2],
        moves: usize,
        run: &Run<'_>,
    ) -> Result<Product, Cancelled> {
        let [first, second] = pair.map(|number| &coordinates[number]);
        let mut distances = vec![UNKNOWN; first.states() * second.states()];
        let (mut layer, mut depth) = (vec![0u32], 0);
        distances[0] = 0;
        while !layer.is_empty() {
            depth += 1;
            let mut next = Vec::new();
            for part in layer.chunks(1 << 14) {
                run.check()?;
                for &entry in part {
                    let (a, b) = (entry as usize / second.states(), entry as usize % second.states());
                    for number in 0..moves {
                        let a = usize::from(first.next()[a * moves + number]);
                        let b = usize::from(second.next()[b * moves + number]);
                        let to = a * second.states() + b;
                        if distances[to] == UNKNOWN {
                            distances[to] = depth;
                            next.push(to as u32);
                        }
                    }
                }
            }
            layer = next;
        }
        Ok(Product { pair, distances })
    }
}

/// A running search.
struct Search<'a> {
    phases: &'a Phases,
    system: &'a System,
    start: &'a Pattern,
    path: Vec<u8>,
    best: Option<Vec<u8>>,
    /// Only solutions with fewer moves are wanted.
    below: usize,
    nodes: u64,
    run: &'a Run<'a>,
}

impl Search<'_> {
    /// Whether a move may follow the path.
    fn fits(&self, number: u8) -> bool {
        self.path.last().is_none_or(|&last| !self.phases.joined[usize::from(last)][usize::from(number)])
    }

    /// Searches first phases with exactly `left` more moves.
    fn first(&mut self, states: &States, left: usize) -> Result<(), Cancelled> {
        let Phases { first, kept, .. } = self.phases;
        self.nodes += 1;
        if self.nodes.is_multiple_of(1 << 12) {
            self.run.check()?;
        }
        if left == 0 {
            // With a kept move at its end, a shorter first phase is enough.
            let is_minimal = self.path.last().is_none_or(|last| !kept.contains(last));
            if is_minimal && states.iter().all(|&state| state == 0) {
                self.begin_second()?;
            }
            return Ok(());
        }
        for number in 0..first.moves as u8 {
            if self.nodes >= NODES || self.path.len() + left >= self.below {
                return Ok(());
            }
            let next = if self.fits(number) { first.after(states, usize::from(number)) } else { continue };
            if first.value(&next) < left {
                self.path.push(number);
                self.first(&next, left - 1)?;
                self.path.pop();
            }
        }
        Ok(())
    }

    /// Searches the second phase after the path.
    fn begin_second(&mut self) -> Result<(), Cancelled> {
        let Phases { second, inner, .. } = self.phases;
        self.nodes += NODES_OF_START;
        let steps = self.system.reduction.moves();
        let end = self
            .path
            .iter()
            .fold(self.start.clone(), |at, &number| at.apply(&steps[usize::from(number)].transformation));
        let Some(states) = second.states(inner, &end) else { return Ok(()) };
        let limit = self.nodes + NODES_OF_SECOND;
        let length = self.path.len();
        for left in second.value(&states)..MOST_OF_SECOND {
            if length + left >= self.below || self.second(&states, left, limit)? || self.nodes >= limit {
                break;
            }
        }
        self.path.truncate(length);
        Ok(())
    }

    /// Searches second phases with exactly `left` more moves. Returns whether one was found.
    fn second(&mut self, states: &States, left: usize, limit: u64) -> Result<bool, Cancelled> {
        let Phases { second, kept, .. } = self.phases;
        self.nodes += 1;
        if self.nodes.is_multiple_of(1 << 12) {
            self.run.check()?;
        }
        if left == 0 {
            let is_solved = states.iter().all(|&state| state == 0);
            if is_solved {
                self.below = self.path.len();
                self.best = Some(self.path.clone());
            }
            return Ok(is_solved);
        }
        for (at, &number) in kept.iter().enumerate() {
            if self.nodes >= limit {
                return Ok(false);
            }
            let next = if self.fits(number) { second.after(states, at) } else { continue };
            if second.value(&next) < left {
                self.path.push(number);
                if self.second(&next, left - 1, limit)? {
                    return Ok(true);
                }
                self.path.pop();
            }
        }
        Ok(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Selection, builtin, group::Uniform};

    #[test]
    fn cubes_are_solved_within_twenty_five_moves() {
        let definition = builtin::get("3x3x3").expect("a name").expect("a definition");
        let puzzle = definition.select(&Selection::default()).expect("moves").puzzle;
        let run = Run::new();
        let system = System::new(&puzzle, &run).expect("a system");
        let phases = Phases::new(&puzzle, &system, &run).expect("not cancelled").expect("two phases");
        assert_eq!(phases.kept.len(), 10);
        let mut random = Uniform::new(2);
        for _ in 0..3 {
            let moves = puzzle.moves();
            let walk = (0..60).map(|_| &moves[random.below(moves.len())].transformation);
            let pattern = walk.fold(puzzle.solved().clone(), |pattern, step| pattern.apply(step));
            let found =
                phases.solve(&system, &pattern, 26, &run).expect("not cancelled").expect("a solution");
            let start = system.reduction.normalized(&pattern).expect("it can be solved");
            let steps = system.reduction.moves();
            let end = found.iter().fold(start, |at, op| at.apply(&steps[op.index()].transformation));
            assert_eq!(end, *puzzle.solved());
            assert!(found.len() <= 25);
        }
    }

    #[test]
    fn puzzles_without_such_a_subgroup_have_no_phases() {
        for name in ["megaminx", "pancake-5", "skewb"] {
            let definition = builtin::get(name).expect("a name").expect("a definition");
            let puzzle = definition.select(&Selection::default()).expect("moves").puzzle;
            let system = System::new(&puzzle, &Run::new()).expect("a system");
            let phases = Phases::new(&puzzle, &system, &Run::new()).expect("not cancelled");
            assert!(phases.is_none(), "{name}");
        }
    }
}
