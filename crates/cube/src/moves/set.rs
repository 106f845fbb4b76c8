//! Sets of moves, and what counts as one move.
//!
//! A set is data: names of layers that turn (`U`, `R2`, `M`, `Rw`), and what counts as one move. From
//! them follow the operators of a search, each of unit cost: what they do to the cube, their names and
//! the axis they turn about. Everything above, the group, its tables, the rules against duplicates and
//! the search, is derived from the operators.
//!
//! **Places and faces.** `U` is the layer that is up now. A slice or a wide turn moves the centres, so
//! after `M` another face is up. Where the set has the same turns for every way of holding the cube
//! that its moves lead to, this makes no difference to what can be done next, only to its name:
//! then the centres are the frame, a slice is a turn of two opposite faces at once, a wide turn one of
//! the opposite face, and the moves are renamed when they are printed. Otherwise (`M U`, say: after
//! `M` the layer that was up is at the back, and the set cannot turn it) the moves act on the cube in
//! space, its centres included, and a cube is solved when it looks solved, however it is held.
//!
//! Every set contains the inverse of each of its operators, so distances are the same both ways.

use super::permutation::{Permutation, turned};
use crate::cube::{Cube, Face, Turn};
use crate::metric::Metric;
use crate::notation::scramble::{self, Layers, Move};
use crate::notation::{Fault, Orientation};
use std::fmt;

/// All moves of a metric that turn the cube in different ways.
const fn all_moves(metric: Metric) -> &'static str {
    match metric {
        Metric::Htm | Metric::Qtm | Metric::Axial => "U R F D L B",
        Metric::Stm => "U R F D L B M E S",
    }
}

/// One move as a search applies it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Operator {
    /// Its name, for someone who holds the cube as at the start.
    pub name: Move,
    /// The turn of the opposite face that is made at once with it, in the axial metric.
    pub across: Option<Move>,
    /// Its effect on the facelets.
    pub effect: Permutation,
    /// The axis it turns about: 0 for U and D, 1 for R and L, 2 for F and B.
    pub axis: usize,
}

impl Operator {
    /// The names of its turns.
    pub(crate) fn names(&self) -> impl Iterator<Item = Move> + use<> {
        [self.name].into_iter().chain(self.across)
    }

    /// The cube that it makes from the solved one, with the centres as the frame.
    pub(crate) fn cube(&self) -> Cube {
        let turns = self.names().map(|name| turned(name.face, name.layers, name.quarters));
        turns.fold(Cube::SOLVED, |cube, turn| cube.compose(&turn))
    }
}

/// `U`, or `U+D'` for turns of opposite faces at once.
impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.name)?;
        self.across.map_or(Ok(()), |across| write!(f, "+{across}"))
    }
}

/// Moves that are allowed, each of unit cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveSet {
    metric: Metric,
    /// The moves as they were named: all turns of a layer, or its half turn.
    named: Vec<Named>,
    operators: Vec<Operator>,
    frame: Frame,
}

/// All turns of a layer, or its half turn alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Named {
    layers: Layers,
    face: Face,
    half: bool,
}

/// The part that stays in place while moves are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Frame {
    /// The centres.
    Centres,
    /// Space: moves carry the centres along.
    Space,
}

/// Why a text names no set of moves.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidSet {
    /// Something is no move at all.
    #[error("{0}")]
    Fault(#[from] Fault),
    /// Nothing is named.
    #[error(
        "no move is named: `U R` allows all turns of two faces, `R2` half turns alone, `M` a slice, `Rw` a wide turn"
    )]
    Empty,
    /// A move is named without its inverse.
    #[error(
        "{0} is one direction of a turn: `{1}` allows all turns of that layer, `{1}2` its half turn alone"
    )]
    OneWay(Move, Move),
    /// A rotation of the whole cube.
    #[error("{0} rotates the whole cube, which counts as no move")]
    Rotation(Move),
    /// A move of more than a face, in the axial metric.
    #[error(
        "{0} turns more than one face: the metric axial has turns of faces alone, two opposite ones at once"
    )]
    MoreThanFaces(Move),
    /// A move that counts as more than one in this metric.
    #[error("{name} counts as two moves in {metric}{}", remedy(metric))]
    Two {
        /// The move.
        name: Move,
        /// The metric's name.
        metric: &'static str,
    },
}

fn remedy(metric: &str) -> &'static str {
    if metric == "htm" { "; use the metric stm" } else { "; use the metric htm, or stm for slices" }
}

impl Named {
    /// The named moves in one metric.
    fn moves(self, metric: Metric) -> impl Iterator<Item = Move> {
        let quarters: &[u8] = match (self.half, metric) {
            (true, _) => &[2],
            (false, Metric::Qtm) => &[1, 3],
            (false, _) => &[1, 2, 3],
        };
        quarters.iter().map(move |&quarters| Move { face: self.face, layers: self.layers, quarters })
    }
}

/// `U`, `R2`, `M`, `Rw`.
impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quarters = if self.half { 2 } else { 1 };
        write!(f, "{}", Move { face: self.face, layers: self.layers, quarters })
    }
}

impl MoveSet {
    /// The set that `text` names: `U R F2 M Rw`. A layer alone stands for all turns of it that count as one move,
    /// and a layer followed by 2 for its half turn only. The order does not matter. Without `metric` it is the slice-turn
    /// metric if a slice is named, and the half-turn metric otherwise.
    ///
    /// # Errors
    /// [`InvalidSet`].
    pub fn parse(text: &str, metric: Option<Metric>) -> Result<MoveSet, InvalidSet> {
        let moves = scramble::parse_moves(&text.replace(',', " "))?;
        let has_slice = moves.iter().any(|name| name.layers == Layers::Middle);
        let metric = metric.unwrap_or(if has_slice { Metric::Stm } else { Metric::Htm });
        let mut named =
            moves.into_iter().map(|name| Self::check(name, metric)).collect::<Result<Vec<_>, _>>()?;
        named.sort_unstable();
        // All turns of a layer include its half turn, which sorts after them.
        named.dedup_by_key(|named| (named.layers, named.face));
        if named.is_empty() {
            return Err(InvalidSet::Empty);
        }
        Ok(MoveSet::new(metric, named))
    }

    /// All moves of a metric.
    pub fn all(metric: Metric) -> MoveSet {
        MoveSet::parse(all_moves(metric), Some(metric)).expect("all moves are a set")
    }

    fn check(name: Move, metric: Metric) -> Result<Named, InvalidSet> {
        let half = name.quarters == 2;
        let two = Err(InvalidSet::Two { name, metric: metric.name() });
        match name.layers {
            Layers::All => Err(InvalidSet::Rotation(name)),
            Layers::Middle | Layers::Wide if metric == Metric::Axial => Err(InvalidSet::MoreThanFaces(name)),
            Layers::Middle if metric != Metric::Stm => two,
            _ if half && metric == Metric::Qtm => two,
            _ if name.quarters == 3 => Err(InvalidSet::OneWay(name, Move { quarters: 1, ..name })),
            layers => Ok(Named { layers, face: name.face, half }),
        }
    }

    fn new(metric: Metric, named: Vec<Named>) -> MoveSet {
        let names: Vec<Move> = named.iter().flat_map(|named| named.moves(metric)).collect();
        let frame = if is_same_however_held(&names) { Frame::Centres } else { Frame::Space };
        let mut operators: Vec<Operator> = Vec::new();
        for name in names {
            let effect = match frame {
                Frame::Centres => by_centres(name),
                Frame::Space => Permutation::of_move(name),
            };
            // With the centres as the frame, Rw is the same as L.
            if operators.iter().all(|operator| operator.effect != effect) {
                operators.push(Operator { name, across: None, effect, axis: name.face.index() % 3 });
            }
        }
        if metric == Metric::Axial {
            operators.extend(pairs(&operators));
        }
        MoveSet { metric, named, operators, frame }
    }

    /// The metric.
    pub(crate) fn metric(&self) -> Metric {
        self.metric
    }

    /// The operators of a search; at most 45.
    pub(crate) fn operators(&self) -> &[Operator] {
        &self.operators
    }

    /// The names of all moves, for someone who holds the cube in any way.
    pub fn names(&self) -> Vec<Move> {
        self.named.iter().flat_map(|named| named.moves(self.metric)).collect()
    }

    /// The moves as turns of faces; `None` if some are of other layers, or turn two faces at once.
    pub fn face_turns(&self) -> Option<Vec<Turn>> {
        let turns = self.operators.iter().map(|operator| operator.name.turn());
        if self.metric.is_of_faces() { turns.collect() } else { None }
    }

    /// Whether moves may carry the centres along.
    pub(crate) fn is_in_space(&self) -> bool {
        self.frame == Frame::Space
    }

    /// The operator that undoes operator `op`.
    ///
    /// # Panics
    /// If there is no operator `op`.
    pub fn inverse(&self, op: usize) -> usize {
        let inverse = self.operators[op].effect.inverse();
        let undoes = self.operators.iter().position(|operator| operator.effect == inverse);
        undoes.expect("a set has the inverse of each of its moves")
    }

    /// The names of some operators in order, for someone who makes these moves.
    ///
    /// # Panics
    /// If one is no operator.
    pub(crate) fn spell(&self, ops: impl IntoIterator<Item = usize>) -> Vec<Move> {
        let names = self.names();
        let mut held = Orientation::HOME;
        let name = |op: usize| {
            let Operator { across, effect, .. } = self.operators[op];
            if self.is_in_space() || across.is_some() {
                return self.operators[op].names();
            }
            let way = Permutation::of_orientation(held);
            let does = |name: &Move| way.then(&by_centres(*name)).then(&way.inverse()) == effect;
            let name = *names.iter().find(|name| does(name)).expect("the same turns, however held");
            if name.layers != Layers::Outer {
                held = held.rotated(name.face, name.quarters);
            }
            Operator { name, ..self.operators[op] }.names()
        };
        ops.into_iter().flat_map(name).collect()
    }

    /// The number of moves that these turns count as. In the axial metric, turns of one axis that follow each other are one
    /// move.
    pub fn length(&self, turns: &[Move]) -> usize {
        match self.metric {
            Metric::Axial => turns.chunk_by(|a, b| a.face.index() % 3 == b.face.index() % 3).count(),
            _ => turns.len(),
        }
    }

    /// The given names, joined by hyphens, for names of files: `U-R2-M`.
    pub(crate) fn stem(&self) -> String {
        self.named.iter().map(Named::to_string).collect::<Vec<_>>().join("-")
    }
}

/// `⟨U, R2⟩`, without brackets: `U R2`.
impl fmt::Display for MoveSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.named.iter().map(Named::to_string).collect::<Vec<_>>().join(" "))
    }
}

/// The turns of two opposite faces at once.
fn pairs(turns: &[Operator]) -> Vec<Operator> {
    let of = |first: &Operator| {
        let first = *first;
        let across = turns.iter().filter(move |turn| turn.name.face == first.name.face.opposite());
        across.map(move |turn| Operator {
            across: Some(turn.name),
            effect: first.effect.then(&turn.effect),
            ..first
        })
    };
    turns.iter().filter(|turn| turn.name.face < turn.name.face.opposite()).flat_map(of).collect()
}

/// The effect of a move by the cube's own faces, with every face at its own place.
fn by_centres(name: Move) -> Permutation {
    Permutation::of_cube(&turned(name.face, name.layers, name.quarters))
}

/// Whether the moves are the same turns of the cube's own faces for every way of holding it that they
/// lead to. It is enough to look at one move that rotates the cube at a time: where each of these
/// rotations maps the set of turns to itself, so do all their products.
fn is_same_however_held(names: &[Move]) -> bool {
    let turns: Vec<Permutation> = names.iter().map(|&name| by_centres(name)).collect();
    let rotating = names.iter().filter(|name| name.layers != Layers::Outer);
    let mut ways =
        rotating.map(|name| Permutation::of_orientation(Orientation::HOME.rotated(name.face, name.quarters)));
    ways.all(|way| turns.iter().all(|turn| turns.contains(&way.then(turn).then(&way.inverse()))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(text: &str, metric: Metric) -> MoveSet {
        MoveSet::parse(text, Some(metric)).unwrap()
    }

    fn names(text: &str, metric: Metric) -> String {
        set(text, metric).names().iter().map(Move::to_string).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn sets_contain_the_named_moves() {
        assert_eq!(names("R,U", Metric::Htm), "U U2 U' R R2 R'");
        assert_eq!(names("U R2 U2", Metric::Htm), "U U2 U' R2");
        assert_eq!(names("R U", Metric::Qtm), "U U' R R'");
        assert_eq!(names("M2 r U2", Metric::Stm), "U2 M2 Rw Rw2 Rw'");
        assert_eq!(set("M2 r U2", Metric::Stm).stem(), "U2-M2-Rw");
        assert_eq!(MoveSet::parse("M U", None).unwrap().metric(), Metric::Stm);
        assert_eq!(MoveSet::parse("U r", None).unwrap().metric(), Metric::Htm);
        assert_eq!(MoveSet::all(Metric::Stm).operators().len(), 27);
        assert_eq!(MoveSet::all(Metric::Axial).operators().len(), 45);
        let turns = set("U R2", Metric::Htm).face_turns().expect("faces alone");
        assert_eq!(turns.iter().map(Turn::to_string).collect::<Vec<_>>().join(" "), "U U2 U' R2");
        assert_eq!((set("U Rw", Metric::Htm).face_turns(), set("U", Metric::Stm).face_turns()), (None, None));
        let pairs: Vec<String> =
            set("U D2 R", Metric::Axial).operators().iter().map(ToString::to_string).collect();
        assert_eq!(pairs.join(" "), "U U2 U' R R2 R' D2 U+D2 U2+D2 U'+D2");
    }

    #[test]
    fn invalid_sets_are_refused() {
        for (text, metric, reason) in [
            ("", Metric::Htm, "no move is named"),
            ("R'", Metric::Htm, "one direction"),
            ("x", Metric::Htm, "rotates the whole cube"),
            ("R2", Metric::Qtm, "counts as two moves in qtm; use the metric htm"),
            ("M", Metric::Htm, "counts as two moves in htm; use the metric stm"),
            ("R Q", Metric::Htm, "\"Q\""),
            ("U M", Metric::Axial, "M turns more than one face"),
            ("Rw", Metric::Axial, "Rw turns more than one face"),
        ] {
            let error = MoveSet::parse(text, Some(metric)).unwrap_err().to_string();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }

    /// Sets that are the same for all ways of holding the cube, and sets that are not.
    #[test]
    fn the_frame_is_what_the_moves_allow() {
        for text in ["U R", "M", "M E S", "U D F B M", "R L Rw Lw M", "U R F D L B M E S", "U D E2", "R Lw"] {
            assert!(!set(text, Metric::Stm).is_in_space(), "{text}");
        }
        for text in ["M U", "U Rw", "R U M", "M2 U", "U R F D L B M E", "M E"] {
            assert!(set(text, Metric::Stm).is_in_space(), "{text}");
        }
        assert_eq!(set("R L Rw Lw M", Metric::Stm).operators().len(), 9);
    }

    #[test]
    fn operators_are_spelled_as_moves() {
        for text in ["U R F D L B M E S", "M U", "M E S", "U D F B M", "R L Rw"] {
            let set = set(text, Metric::Stm);
            let n = set.operators().len();
            let ops: Vec<usize> = (0..20).map(|i| (i * i * 5 + 3 * i + 1) % n).collect();
            let product = ops
                .iter()
                .fold(Permutation::IDENTITY, |so_far, &op| so_far.then(&set.operators()[op].effect));
            let spelled = set.spell(ops).into_iter().fold(Permutation::IDENTITY, |so_far, name| {
                assert!(set.names().contains(&name));
                so_far.then(&Permutation::of_move(name))
            });
            let same = Permutation::rotations().any(|rotation| product.then(&rotation) == spelled);
            assert!(same, "{text}");
        }
    }

    #[test]
    fn each_operator_has_its_inverse() {
        for text in ["U R", "M U", "Rw2 U2 F", "U R F D L B M E S"] {
            let set = set(text, Metric::Stm);
            for (op, operator) in set.operators().iter().enumerate() {
                let product = operator.effect.then(&set.operators()[set.inverse(op)].effect);
                assert_eq!(product, Permutation::IDENTITY);
            }
        }
    }
}
