//! The positions of a puzzle: how many there are, which states are among them, and random ones.
//!
//! Conjugates of counted moves by rotations count too, so a state can be reached by moves and rotations exactly if some
//! rotation carries it to a state that moves alone reach. States that differ by a rotation are one position. Let `R0` be
//! the rotations of the solved state that moves alone reach. If every rotation but the identity changes every state, the
//! states that moves reach form classes of as many states as `R0` has rotations, one class for each position. A
//! rotation changes every state if it moves or turns a piece of an orbit whose pieces all differ and whose
//! orientations all count.

use crate::definition::products;
use crate::group::{Factors, Group, Uniform};
use crate::model::{Pattern, Puzzle, Transformation};
use crate::shapes::{Loops, Shapes};
use crate::system::{System, SystemError};
use search_core::{Cancelled, Run};
use std::sync::Arc;

/// The positions of a puzzle.
#[derive(Clone, Debug)]
pub struct Positions {
    puzzle: Puzzle,
    group: Group,
    /// All products of the rotations; `None` if there are too many.
    rotations: Option<Vec<Transformation>>,
    /// The shapes of a puzzle with rules. The group is then that of the moves that keep the solved shape.
    shaped: Option<Arc<Shaped>>,
}

/// The shapes of a puzzle with rules.
#[derive(Debug)]
struct Shaped {
    system: System,
    shapes: Shapes,
    /// For each shape, the effect of moves that lead to it.
    paths: Vec<Transformation>,
}

impl Positions {
    /// The positions of a puzzle; `None` if it has too many points, or rules that do not divide positions into
    /// [shapes](crate::shapes).
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn new(puzzle: &Puzzle, run: &Run<'_>) -> Result<Option<Positions>, Cancelled> {
        if puzzle.illegal().is_empty() {
            let steps = puzzle.moves().iter().chain(puzzle.free()).map(|step| &step.transformation);
            let group = Group::generated(puzzle.orbits(), steps, run)?;
            let rotations = products(puzzle.identity(), puzzle.rotations());
            return Ok(group.map(|group| Positions {
                puzzle: puzzle.clone(),
                group,
                rotations,
                shaped: None,
            }));
        }
        let system = match System::new(puzzle, run) {
            Ok(system) if puzzle.rotations().is_empty() => system,
            Err(SystemError::Cancelled(cancelled)) => return Err(cancelled),
            _ => return Ok(None),
        };
        let Some(shapes) = Shapes::new(&system, run)? else { return Ok(None) };
        let Some(Loops { group, paths }) = Loops::new(&shapes, &system, puzzle.orbits(), run)? else {
            return Ok(None);
        };
        let (puzzle, shaped) = (puzzle.clone(), Some(Arc::new(Shaped { system, shapes, paths })));
        let rotations = Some(vec![puzzle.identity()]);
        Ok(Some(Positions { puzzle, group, rotations, shaped }))
    }

    /// The group of the counted and the free moves; for a puzzle with rules, that of the strings of moves that keep the solved shape.
    pub fn group(&self) -> &Group {
        &self.group
    }

    /// The number of shapes of a puzzle with rules, each of which has as many positions.
    pub fn shapes(&self) -> Option<usize> {
        self.shaped.as_ref().map(|shaped| shaped.paths.len())
    }

    /// The number of free rotations; `None` if there are too many.
    pub fn rotations(&self) -> Option<usize> {
        self.rotations.as_ref().map(Vec::len)
    }

    /// The number of positions; `None` if only a search can decide it.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn count(&self, run: &Run<'_>) -> Result<Option<Factors>, Cancelled> {
        let Some(rotations) = self.rotations.as_ref().filter(|_| self.puzzle.free().is_empty()) else {
            return Ok(None);
        };
        let puzzle = &self.puzzle;
        let is_distinct = |orbit: usize| puzzle.solved().orbits[orbit].is_distinct(&puzzle.orbits()[orbit]);
        let distinct: Vec<usize> = (0..puzzle.orbits().len()).filter(|&orbit| is_distinct(orbit)).collect();
        let changes =
            |rotation: &Transformation| distinct.iter().any(|&orbit| !rotation.orbits[orbit].is_identity());
        if !rotations[1..].iter().all(changes) {
            return Ok(None);
        }
        let mut reached = 0;
        for rotation in rotations {
            let turned = puzzle.solved().apply(rotation);
            match self.group.reaches(puzzle.solved(), &turned, run)? {
                None => return Ok(None),
                Some(is_reached) => reached += usize::from(is_reached),
            }
        }
        let patterns = self.group.patterns(puzzle.solved());
        Ok(patterns.map(|mut count| {
            count.divide(reached);
            count.multiply(self.shapes().unwrap_or(1));
            count
        }))
    }

    /// Whether a state can be solved; `None` if only a search can decide it.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn contain(&self, state: &Pattern, run: &Run<'_>) -> Result<Option<bool>, Cancelled> {
        let Some(rotations) = &self.rotations else { return Ok(None) };
        if let Some(Shaped { system, shapes, paths }) = self.shaped.as_deref() {
            let Some(shape) = shapes.shape_of(system, state) else { return Ok(Some(false)) };
            let back = state.apply(&paths[shape].inverse());
            return self.group.reaches(self.puzzle.solved(), &back, run);
        }
        let mut is_certain = true;
        for rotation in rotations {
            match self.group.reaches(self.puzzle.solved(), &state.apply(rotation), run)? {
                Some(true) => return Ok(Some(true)),
                Some(false) => {}
                None => is_certain = false,
            }
        }
        Ok(is_certain.then_some(false))
    }

    /// The state after a uniformly random element of the group of counted moves, and after moves to a random shape. Every state that they lead to is
    /// equally likely, also with pieces that look alike.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn random(&self, rng: &mut Uniform, run: &Run<'_>) -> Result<Pattern, Cancelled> {
        let state = self.puzzle.solved().apply(&self.group.random(rng, run)?);
        Ok(match &self.shaped {
            Some(shaped) => state.apply(&shaped.paths[rng.below(shaped.paths.len())]),
            None => state,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin;
    use crate::definition::{Definition, Selected, Selection};

    fn puzzle(name: &str) -> (Definition, Selected) {
        let definition = builtin::get(name).expect("a built-in puzzle").expect("in range");
        let selected = definition.select(&Selection::default()).expect("a puzzle");
        (definition, selected)
    }

    fn positions(puzzle: &Puzzle) -> Positions {
        Positions::new(puzzle, &Run::new()).expect("not cancelled").expect("few points")
    }

    #[test]
    fn numbers_of_positions_are_as_published() {
        for (name, published) in [
            ("2x2x2", "3674160"),
            ("3x3x3", "43252003274489856000"),
            ("4x4x4", "7401196841564901869874093974498574336000000000"),
            ("5x5x5", "282870942277741856536180333107150328293127731985672134721536000000000000000"),
            ("dino", "19958400"),
            ("kilominx", "23563902142421896679424000"),
            ("fto", "31408133379194880000000"),
            ("helicopter", "493694233804800000"),
            ("topspin-20-4", "121645100408832000"),
            ("pyraminx", "75582720"),
        ] {
            let (_, selected) = puzzle(name);
            let positions = positions(&selected.puzzle);
            let count = positions.count(&Run::new()).expect("not cancelled").map(|count| count.decimal());
            assert_eq!(count.as_deref(), Some(published), "{name}");
        }
    }

    #[test]
    fn square_1_has_its_published_number_of_positions_and_random_ones_are_legal() {
        let (_, selected) = puzzle("square-1");
        let positions = positions(&selected.puzzle);
        // 3678 shapes with 8! arrangements of corners and of edges, and two of the middle layer (J. Scherphuis).
        let order = positions.group().order().decimal();
        assert_eq!((positions.shapes(), order.as_str()), (Some(2 * 3678), "1625702400"));
        let count = positions.count(&Run::new()).expect("not cancelled").map(|count| count.decimal());
        assert_eq!(count.as_deref(), Some("11958666854400"));
        let mut rng = Uniform::new(7);
        for _ in 0..5 {
            let mut state = positions.random(&mut rng, &Run::new()).expect("not cancelled");
            assert!(selected.puzzle.is_legal(&state));
            assert_eq!(positions.contain(&state, &Run::new()), Ok(Some(true)));
            // The first halves of two corners are exchanged.
            let pieces = &mut state.orbits[0].pieces;
            let place = |piece| pieces.iter().position(|&known| known == piece).expect("a piece");
            let (one, other) = (place(0), place(3));
            pieces.swap(one, other);
            assert_eq!(positions.contain(&state, &Run::new()), Ok(Some(false)));
        }
        // Positions that differ by free turns are one, so the number of states is not that of positions.
        let free = Selection { free: vec!["U".to_owned(), "D".to_owned()], ..Selection::default() };
        let twists =
            builtin::get("square-1").expect("built in").expect("in range").select(&free).expect("a puzzle");
        let positions = self::positions(&twists.puzzle);
        assert_eq!(positions.count(&Run::new()), Ok(None));
    }

    #[test]
    fn free_moves_lead_to_states() {
        let (definition, _) = puzzle("3x3x3");
        let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        let selection = Selection { moves: Some(names(&["R"])), free: names(&["U"]), ..Selection::default() };
        let selected = definition.select(&selection).expect("a puzzle");
        assert_eq!(positions(&selected.puzzle).group().order().decimal(), "73483200");
    }

    #[test]
    fn random_states_can_be_solved_and_states_with_a_turned_corner_cannot() {
        for name in ["2x2x2", "3x3x3", "4x4x4", "megaminx", "fto"] {
            let (definition, selected) = puzzle(name);
            let positions = positions(&selected.puzzle);
            let mut rng = Uniform::new(7);
            for _ in 0..5 {
                let mut state = positions.random(&mut rng, &Run::new()).expect("not cancelled");
                assert_eq!(positions.contain(&state, &Run::new()), Ok(Some(true)), "{name}");
                let whole = selected.pattern(&definition, &state);
                assert_eq!(selected.state(&whole), Ok(state.clone()), "{name}");
                let corner = &mut state.orbits[0];
                corner.orientation[0] = (corner.orientation[0] + 1) % corner.orientation_mod[0];
                assert_eq!(positions.contain(&state, &Run::new()), Ok(Some(false)), "{name}");
            }
        }
    }
}
