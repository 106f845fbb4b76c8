//! Free rotations: positions that differ by a rotation of the whole puzzle are one position.
//!
//! The idea: choose an **anchor**, a few pieces that the rotations carry to different points each. Every position then
//! has exactly one rotated form whose anchor is at home, and that form stands for all. A counted move that carries the
//! anchor away is followed by the rotation that brings it back. So moves of positions become moves of these forms, and
//! a search never sees a rotation. On the 2x2x2 cube the anchor is a corner, and the opposite faces merge.
//!
//! Conjugates count: turning the puzzle as a whole, making a counted move and turning it back costs one move. So the
//! reduced moves come from all conjugates `a · m · a⁻¹` of counted moves `m` by rotations `a`.
//!
//! Why no shortest path is lost: let `R` be the group of rotations, and write products from left to right. The
//! neighbours of the class `sR` are the classes `s·a·m·R` for all `a` in `R`. With `c = a·m·a⁻¹` that is `s·c·R`. If `s`
//! has its anchor at home, then `c` carries the anchor where exactly one rotation `r` does, and `s·c·r⁻¹` is the form of
//! the neighbour that has it at home.
//!
//! Invariants: the anchor's image under each conjugate is its image under a rotation, which is checked for all of them;
//! and different rotations give different images. Pieces of the anchor have labels of their own.
//!
//! Cost: the number of rotations times the number of moves, once.

use std::collections::HashMap;

use crate::fault::Faults;
use crate::model::{Move, Pattern, Puzzle, Transformation};

/// The maximum number of free rotations, the identity included.
pub const MOST_ROTATIONS: usize = 1000;

/// A product of rotations.
#[derive(Clone, Debug)]
struct Element {
    transformation: Transformation,
    /// The generators and inverses whose product it is: number `2 g` is generator `g`, `2 g + 1` its inverse.
    word: Vec<usize>,
}

/// A move of positions whose anchor is at home.
#[derive(Clone, Debug)]
pub struct ReducedMove {
    /// Its effect: a conjugate of a counted move, then the rotation that brings the anchor home.
    pub transformation: Transformation,
    /// The conjugates that have this effect.
    ways: Vec<Way>,
}

/// A conjugate `a · m · a⁻¹` of a counted move, followed by a rotation.
#[derive(Clone, Copy, Debug)]
struct Way {
    /// The rotation `a`.
    by: usize,
    /// The counted move `m`.
    counted: usize,
    /// The rotation `r` that carries the anchor as the conjugate does, so that `r⁻¹` brings it home.
    carried: usize,
}

/// A piece of the anchor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct AnchorPiece {
    orbit: usize,
    /// Its home.
    place: usize,
    /// The modulus within which its orientation identifies rotations; 1 if its place suffices.
    modulus: u8,
}

/// The places and orientations of the anchor's pieces.
type Points = Vec<(u8, u8)>;

/// A puzzle without rotations that has the positions and the neighbours of another with them.
#[derive(Clone, Debug)]
pub struct Reduction {
    rotations: Vec<Element>,
    names: Vec<String>,
    anchor: Vec<AnchorPiece>,
    /// The rotation that carries the anchor from home to these points.
    by_points: HashMap<Points, usize>,
    moves: Vec<ReducedMove>,
    counted: Vec<Move>,
    solved: Pattern,
}

impl Reduction {
    /// Finds the anchor and the moves.
    ///
    /// # Errors
    /// [`Faults`]: too many rotations, rotations of a puzzle with illegal states, or no anchor.
    pub fn of(puzzle: &Puzzle) -> Result<Reduction, Faults> {
        let rotations = elements(puzzle)?;
        if rotations.len() > 1 && !puzzle.illegal().is_empty() {
            return Err("free rotations are not supported where some states are illegal".to_owned().into());
        }
        let conjugates = conjugates(puzzle, &rotations);
        let mut best: Option<(usize, Vec<AnchorPiece>)> = None;
        for anchor in anchors(puzzle, rotations.len()) {
            let Some(by_points) = regular(&anchor, &rotations) else { continue };
            let Some(moves) = reduced(&anchor, &by_points, &rotations, &conjugates) else { continue };
            let changed: usize = moves.iter().map(|step| step.transformation.changes()).sum();
            if best.as_ref().is_none_or(|(least, _)| changed < *least) {
                best = Some((changed, anchor));
            }
        }
        let Some((_, anchor)) = best else {
            return Err("no piece shows how the puzzle is held: its free rotations cannot be removed"
                .to_owned()
                .into());
        };
        let by_points = regular(&anchor, &rotations).expect("the anchor was tried");
        let moves = reduced(&anchor, &by_points, &rotations, &conjugates).expect("the anchor was tried");
        Ok(Reduction {
            names: puzzle
                .rotations()
                .iter()
                .flat_map(|turn| [turn.name.clone(), undone(&turn.name)])
                .collect(),
            counted: puzzle.moves().to_vec(),
            solved: puzzle.solved().clone(),
            rotations,
            anchor,
            by_points,
            moves,
        })
    }

    /// The number of rotations, the identity included.
    pub fn rotations(&self) -> usize {
        self.rotations.len()
    }

    /// The moves of positions whose anchor is at home.
    pub fn moves(&self) -> &[ReducedMove] {
        &self.moves
    }

    /// The rotated form of `pattern` whose anchor is at home; `None` if rotations do not bring it there, so that the
    /// pattern cannot be solved.
    pub fn normalized(&self, pattern: &Pattern) -> Option<Pattern> {
        let points: Option<Points> = self.anchor.iter().map(|piece| self.point(piece, pattern)).collect();
        let carried = &self.rotations[*self.by_points.get(&points?)?].transformation;
        Some(pattern.apply(&carried.inverse()))
    }

    /// The place of an anchor's piece, and its orientation relative to the solved pattern.
    fn point(&self, piece: &AnchorPiece, pattern: &Pattern) -> Option<(u8, u8)> {
        let (solved, orbit) = (&self.solved.orbits[piece.orbit], &pattern.orbits[piece.orbit]);
        let place = orbit.pieces.iter().position(|&label| label == solved.pieces[piece.place])?;
        let turned = u16::from(orbit.orientation[place]) + u16::from(piece.modulus)
            - u16::from(solved.orientation[piece.place] % piece.modulus);
        let turned = turned % u16::from(piece.modulus);
        Some((u8::try_from(place).ok()?, u8::try_from(turned).ok()?))
    }

    /// The names of counted moves and rotations that have the effect of `moves` on `pattern`, which may be rotated.
    /// Rotations are named only where a conjugate of a counted move is not a counted move itself.
    ///
    /// # Panics
    /// If rotations do not bring the anchor of `pattern` home.
    pub fn spell(&self, pattern: &Pattern, moves: &[usize]) -> Vec<&str> {
        let points = self.anchor.iter().map(|piece| self.point(piece, pattern).expect("an anchor"));
        // The puzzle as it is held is the normalized form, followed by this rotation.
        let mut held = self.by_points[&points.collect::<Points>()];
        let mut names = Vec::new();
        for &number in moves {
            let ways = &self.moves[number].ways;
            let turn = |way: &Way| self.product(self.inverse(held), way.by);
            let words =
                |way: &Way| self.rotations[turn(way)].word.len() + words(&self.counted[way.counted].name);
            let way = ways.iter().min_by_key(|way| words(way)).expect("a move has a way");
            let turn = turn(way);
            names.extend(self.rotations[turn].word.iter().map(|&generator| &self.names[generator][..]));
            names.push(&self.counted[way.counted].name);
            // t·a·m = (t·c·r⁻¹)·r·a, where c = a·m·a⁻¹.
            held = self.product(way.carried, way.by);
        }
        names
    }

    /// The effect of a rotation, numbered from 0, the identity.
    pub(crate) fn rotation(&self, number: usize) -> &Transformation {
        &self.rotations[number].transformation
    }

    /// The factors of an element `c = h·ρ`: `h`, which keeps the anchor at home, and for each rotation `r` the number of
    /// `ρ·r`. `None` if no rotation carries the anchor as `c` does.
    pub(crate) fn factors(&self, element: &Transformation) -> Option<(Transformation, Vec<usize>)> {
        let carried = *self.by_points.get(&image(&self.anchor, element))?;
        let first = element.then(&self.rotations[carried].transformation.inverse());
        Some((first, (0..self.rotations.len()).map(|rotation| self.product(carried, rotation)).collect()))
    }

    fn product(&self, first: usize, second: usize) -> usize {
        let product = self.rotations[first].transformation.then(&self.rotations[second].transformation);
        self.by_points[&image(&self.anchor, &product)]
    }

    fn inverse(&self, rotation: usize) -> usize {
        self.by_points[&image(&self.anchor, &self.rotations[rotation].transformation.inverse())]
    }

    /// Whether some rotation of `pattern` looks solved.
    pub fn is_solved(&self, pattern: &Pattern) -> bool {
        self.rotations.iter().any(|turn| pattern.apply(&turn.transformation) == self.solved)
    }
}

/// The name of the inverse of a rotation.
pub(crate) fn undone(name: &str) -> String {
    name.strip_suffix('\'').map_or_else(|| format!("{name}'"), str::to_owned)
}

/// The number of words in a name, which may be an algorithm in brackets; brackets count as words.
fn words(name: &str) -> usize {
    name.split_whitespace().count() - 1 + name.matches('[').count()
}

/// All products of the rotations, breadth first, so that their words are short.
fn elements(puzzle: &Puzzle) -> Result<Vec<Element>, Faults> {
    let mut elements = vec![Element { transformation: puzzle.identity(), word: Vec::new() }];
    let mut seen: HashMap<Transformation, usize> = HashMap::from([(puzzle.identity(), 0)]);
    let both = puzzle.rotations().iter().map(|turn| &turn.transformation);
    let generators: Vec<Transformation> = both.flat_map(|turn| [turn.clone(), turn.inverse()]).collect();
    let mut next = 0;
    while next < elements.len() {
        for (number, generator) in generators.iter().enumerate() {
            let transformation = elements[next].transformation.then(generator);
            if !seen.contains_key(&transformation) {
                seen.insert(transformation.clone(), elements.len());
                let word = elements[next].word.iter().copied().chain([number]).collect();
                elements.push(Element { transformation, word });
            }
            if elements.len() > MOST_ROTATIONS {
                return Err(format!("the free rotations have more than {MOST_ROTATIONS} products")
                    .to_owned()
                    .into());
            }
        }
        next += 1;
    }
    Ok(elements)
}

/// The conjugates of counted moves, each with the rotation and the move: those of the identity first.
fn conjugates(puzzle: &Puzzle, rotations: &[Element]) -> Vec<(Transformation, usize, usize)> {
    let pairs = rotations.iter().enumerate().flat_map(|(by, rotation)| {
        let steps = puzzle.moves().iter().enumerate();
        steps.map(move |(counted, step)| {
            // a · m · a⁻¹ is the conjugate of m by the inverse of a.
            (step.transformation.conjugate(&rotation.transformation.inverse()), by, counted)
        })
    });
    pairs.collect()
}

/// The possible anchors: no piece if nothing rotates, else single pieces, pairs of places, and pairs of pieces.
fn anchors(puzzle: &Puzzle, rotations: usize) -> Vec<Vec<AnchorPiece>> {
    if rotations == 1 {
        return vec![Vec::new()];
    }
    let mut pieces = Vec::new();
    for (orbit, pattern) in puzzle.solved().orbits.iter().enumerate() {
        for (place, &label) in pattern.pieces.iter().enumerate() {
            if pattern.pieces.iter().filter(|&&other| other == label).count() == 1 {
                pieces.push(AnchorPiece { orbit, place, modulus: pattern.orientation_mod[place] });
            }
        }
    }
    let mut anchors: Vec<Vec<AnchorPiece>> = pieces.iter().map(|&piece| vec![piece]).collect();
    let flat = |piece: AnchorPiece| AnchorPiece { modulus: 1, ..piece };
    // One first piece for each orbit: the others are its images in the puzzles at hand.
    let mut firsts: Vec<AnchorPiece> = pieces.clone();
    firsts.dedup_by_key(|piece| piece.orbit);
    for first in firsts {
        let others = pieces.iter().filter(|second| second.orbit == first.orbit && **second != first);
        for &second in others {
            anchors.push(vec![flat(first), flat(second)]);
            if first.modulus > 1 {
                anchors.push(vec![first, second]);
            }
        }
    }
    anchors
}

/// The points to which a transformation carries the anchor from home.
fn image(anchor: &[AnchorPiece], transformation: &Transformation) -> Points {
    let point = |piece: &AnchorPiece| {
        let part = &transformation.orbits[piece.orbit];
        let home = piece.place;
        let place = part.from.iter().position(|&from| usize::from(from) == home).expect("a permutation");
        (u8::try_from(place).expect("at most 256 places"), part.turn[place] % piece.modulus)
    };
    anchor.iter().map(point).collect()
}

/// The rotation by the points to which it carries the anchor, if they all differ.
fn regular(anchor: &[AnchorPiece], rotations: &[Element]) -> Option<HashMap<Points, usize>> {
    let mut by_points = HashMap::new();
    for (number, rotation) in rotations.iter().enumerate() {
        if by_points.insert(image(anchor, &rotation.transformation), number).is_some() {
            return None;
        }
    }
    Some(by_points)
}

/// The different effects of the conjugates, except none, if each carries the anchor as a rotation does.
fn reduced(
    anchor: &[AnchorPiece],
    by_points: &HashMap<Points, usize>,
    rotations: &[Element],
    conjugates: &[(Transformation, usize, usize)],
) -> Option<Vec<ReducedMove>> {
    let mut moves: Vec<ReducedMove> = Vec::new();
    let mut numbers: HashMap<Transformation, usize> = HashMap::new();
    for (conjugate, by, counted) in conjugates {
        let carried = *by_points.get(&image(anchor, conjugate))?;
        let transformation = conjugate.then(&rotations[carried].transformation.inverse());
        if transformation.is_identity() {
            continue;
        }
        let number = *numbers.entry(transformation.clone()).or_insert(moves.len());
        if number == moves.len() {
            moves.push(ReducedMove { transformation, ways: Vec::new() });
        }
        moves[number].ways.push(Way { by: *by, counted: *counted, carried });
    }
    Some(moves)
}
