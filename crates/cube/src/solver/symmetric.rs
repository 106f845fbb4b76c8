//! Symmetric positions: of branches that symmetries map to each other only one is searched.
//!
//! The idea: a symmetry that leaves the cube unchanged maps each solution to a solution. A symmetry that maps the cube
//! to its inverse (an antisymmetry) also does so if the solution is reversed: its turns in reverse order, each
//! inverted. So solutions form classes of *images*, and it is enough to find one of each class. Of the first turns only
//! one of each class is searched; below it, the symmetries that leave this turn unchanged reduce the second turn in the
//! same way; and so on, until only the identity is left.
//!
//! **The tree.** A node fixes turns at the front and at the back of the solution; its images are those that leave all
//! of these turns in place. A turn at one end is left out if an image maps it to a lesser one there. At the front,
//! turns have the order of the operators; at the back, that of the turns of the opposite faces, since the move rules
//! apply in reverse there. An antisymmetry exchanges the ends, so it relates pairs of turns, not single turns: if any
//! antisymmetries are left, the search fixes a turn at the front and then one at the back, and leaves out a pair that
//! an image maps to a lesser one, compared at the front first.
//!
//! **Why a solution of each class is found.** Only solutions that follow the move rules are considered; an image is
//! reordered to follow them. A solution has exactly one path in the tree, since the end whose turn is fixed depends on
//! the node alone. Compare two solutions of a class at the node where their paths diverge, by the order at that end,
//! and let *w* be the least. Suppose that the search leaves *w* out at a node: an image *e* preserves the turns *F* and
//! *B* that are fixed there, and maps the next turn (or the next two, one at each end) to lesser ones. Let *u* be the
//! string of the images of *w*'s turns, before it is reordered: it begins with *F*, ends with *B*, and its next turn is
//! less than that of *w*. Reordering sorts runs of turns of one axis, and makes two equal quarter turns clockwise. So
//! at the first place where it changes the string, read from the front, it puts a lesser turn; the same holds when the
//! string is read from the back, in the order at that end. Therefore the path of the reordered *u* either diverges from
//! that of *w* where a turn of *F* or *B* is fixed, with a lesser turn; or it reaches the node, and the next turn (the
//! next two) is at most that of *u*. In both cases it is less than *w*, a contradiction. The heuristic's choice of
//! useful turns does not interfere: it leaves out only turns with which no solution of the bound continues at the
//! chosen end.
//!
//! The argument needs all solutions of a class to be in the tree. So it applies to solutions without
//! [loops](super::loops): on a solution with a loop, the search may reach a goal early, although it would have to
//! continue in the image.
//!
//! Cost: a few thousand strings of [`DEPTH`] turns at most, once for each symmetric cube.

use super::FaceSolver;
use super::loops::has_loop;
use crate::cube::{Cube, Turn};
use crate::metric::Metric;
use crate::symmetry::Symmetry;
use search_core::automaton::StateId;
use search_core::ida::{NodeMoves, RootMoves};
use search_core::{Automaton, Op, OpSet};
use std::collections::BTreeSet;

/// The number of turns that are fixed in this way. Few longer strings (at most one in fifty) have an image that
/// preserves them.
const DEPTH: usize = 4;

/// A map of the solutions of a cube to its solutions: a symmetry, applied to the solution or to the reversed solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Image {
    symmetry: Symmetry,
    reverses: bool,
}

impl Image {
    const IDENTITY: Image = Image { symmetry: Symmetry::IDENTITY, reverses: false };

    /// The images of the turns at the same place from both ends.
    fn pair(self, first: Turn, last: Turn) -> (Turn, Turn) {
        let image = |turn: Turn| self.symmetry.turn(turn);
        if self.reverses {
            (image(last.inverse()), image(first.inverse()))
        } else {
            (image(first), image(last))
        }
    }

    /// The image of a solution, reordered to follow the move rules.
    fn solution(self, metric: Metric, turns: &[Turn]) -> Vec<Turn> {
        let mut image: Vec<Turn> = turns.iter().map(|&turn| self.symmetry.turn(turn)).collect();
        if self.reverses {
            image.reverse();
            image.iter_mut().for_each(|turn| *turn = turn.inverse());
        }
        metric.canonical(&image)
    }
}

/// Whether a symmetry other than the identity leaves a cube unchanged, or some symmetry maps it to its inverse.
pub(crate) fn is_symmetric(cube: &Cube) -> bool {
    Images::of(cube).0.len() > 1
}

/// The maps of the solutions of one cube to each other: a group.
#[derive(Clone, Debug)]
pub(super) struct Images(Vec<Image>);

impl Images {
    /// The identity alone.
    pub(crate) fn none() -> Images {
        Images(vec![Image::IDENTITY])
    }

    /// The symmetries that leave `cube` unchanged, and the antisymmetries.
    pub(crate) fn of(cube: &Cube) -> Images {
        let inverse = cube.inverse();
        let image = |reverses, to| {
            move |symmetry: Symmetry| (symmetry.conjugate(cube) == to).then_some(Image { symmetry, reverses })
        };
        let same = Symmetry::all().filter_map(image(false, *cube));
        Images(same.chain(Symmetry::all().filter_map(image(true, inverse))).collect())
    }

    /// The images that do not reverse the solution.
    #[must_use]
    fn forwards(mut self) -> Images {
        self.0.retain(|image| !image.reverses);
        self
    }

    /// The root moves of a search with the move rules `rules`, from one side or from both.
    pub(crate) fn root_moves(&self, metric: Metric, rules: &Automaton) -> RootMoves {
        let turns = metric.turns();
        let is_two_sided = rules.ops() > turns.len();
        let images = if is_two_sided { self.clone() } else { self.clone().forwards() };
        let mut tree = Tree { turns, rules, root_moves: RootMoves::default() };
        tree.grow(&mut Vec::new(), rules.start(), &images.0);
        tree.root_moves
    }

    /// The solutions that follow the move rules and have no loop, and their images, without repetition, by length and
    /// then in the order of the turns. A two-sided search also finds others, which break a rule where the two sides
    /// meet.
    pub(crate) fn all(&self, metric: Metric, solutions: Vec<Vec<Turn>>) -> Vec<Vec<Turn>> {
        let rules = metric.automaton();
        let keeps_rules = |turns: &&Vec<Turn>| {
            let next = |state, turn: &Turn| rules.next(state, metric.operator(*turn)?);
            turns.iter().try_fold(rules.start(), next).is_some()
        };
        let mut sorted: BTreeSet<(usize, Vec<Turn>)> = BTreeSet::new();
        for turns in solutions.iter().filter(keeps_rules).filter(|turns| !has_loop(metric, turns)) {
            sorted.extend(self.0.iter().map(|image| (turns.len(), image.solution(metric, turns))));
        }
        sorted.into_iter().map(|(_, turns)| turns).collect()
    }
}

/// The nodes with moves of their own, as they are found.
struct Tree<'a> {
    turns: &'a [Turn],
    rules: &'a Automaton,
    root_moves: RootMoves,
}

impl Tree<'_> {
    /// Adds the node that `path` leads to, which `images` preserve, and the nodes below it.
    fn grow(&mut self, path: &mut Vec<Op>, state: StateId, images: &[Image]) {
        let [_, _, ..] = images else { return };
        if path.len() >= DEPTH {
            return;
        }
        match images.iter().any(|image| image.reverses) {
            true => self.grow_by_pairs(path, state, images),
            false => self.grow_by_turns(path, state, images),
        }
    }

    /// Grows the tree if the search chooses the end.
    fn grow_by_turns(&mut self, path: &mut Vec<Op>, state: StateId, images: &[Image]) {
        let ops: OpSet = self.allowed(state).filter(|&op| self.is_least(op, images)).collect();
        self.root_moves.insert(path, NodeMoves { ops, is_final: false });
        for op in ops {
            let turn = self.turn(op);
            let rest: Vec<Image> =
                images.iter().filter(|image| image.symmetry.turn(turn) == turn).copied().collect();
            self.below(path, state, op, |tree, path, state| tree.grow(path, state, &rest));
        }
    }

    /// Grows the tree if antisymmetries are left: a turn at the front, then one at the back.
    fn grow_by_pairs(&mut self, path: &mut Vec<Op>, state: StateId, images: &[Image]) {
        let forwards: Vec<Image> = images.iter().filter(|image| !image.reverses).copied().collect();
        let at_front = |&op: &Op| !self.is_back(op);
        let firsts: OpSet =
            self.allowed(state).filter(at_front).filter(|&op| self.is_least(op, &forwards)).collect();
        self.root_moves.insert(path, NodeMoves { ops: firsts, is_final: true });
        for first in firsts {
            self.below(path, state, first, |tree, path, state| tree.grow_last(path, state, first, images));
        }
    }

    /// The second half of a pair, after the turn `first`.
    fn grow_last(&mut self, path: &mut Vec<Op>, state: StateId, first: Op, images: &[Image]) {
        let pair = |last: Op| (self.turn(first), self.turn(last));
        let key = |(first, last): (Turn, Turn)| (first, last.across());
        let image = |image: &Image, (first, last)| image.pair(first, last);
        let is_least = |&last: &Op| images.iter().all(|e| key(image(e, pair(last))) >= key(pair(last)));
        let lasts: OpSet = self.allowed(state).filter(|&op| self.is_back(op)).filter(is_least).collect();
        let rest = |last: Op| -> Vec<Image> {
            images.iter().filter(|e| image(e, pair(last)) == pair(last)).copied().collect()
        };
        let rests: Vec<(Op, Vec<Image>)> = lasts.into_iter().map(|last| (last, rest(last))).collect();
        self.root_moves.insert(path, NodeMoves { ops: lasts, is_final: true });
        for (last, rest) in rests {
            self.below(path, state, last, |tree, path, state| tree.grow(path, state, &rest));
        }
    }

    /// Calls `act` with the node that `op` leads to.
    fn below(
        &mut self,
        path: &mut Vec<Op>,
        state: StateId,
        op: Op,
        act: impl FnOnce(&mut Self, &mut Vec<Op>, StateId),
    ) {
        let state = self.rules.next(state, op).expect("the rules allowed the turn");
        path.push(op);
        act(self, path, state);
        path.pop();
    }

    /// The operators that the rules allow.
    fn allowed(&self, state: StateId) -> impl Iterator<Item = Op> + use<> {
        self.rules.allowed(state).and(OpSet::first(self.rules.ops())).into_iter()
    }

    fn is_back(&self, op: Op) -> bool {
        op.index() >= self.turns.len()
    }

    fn turn(&self, op: Op) -> Turn {
        self.turns[op.index() % self.turns.len()]
    }

    /// Whether no image maps this turn to a lesser one at its end.
    fn is_least(&self, op: Op, images: &[Image]) -> bool {
        let key = |turn: Turn| if self.is_back(op) { turn.across() } else { turn };
        let turn = self.turn(op);
        images.iter().all(|image| key(image.symmetry.turn(turn)) >= key(turn))
    }
}

impl FaceSolver {
    /// The maps of the solutions of `cube` to each other that this search uses.
    pub(super) fn images(&self, cube: &Cube) -> Images {
        match self.symmetric && self.heuristic.specification().has_symmetric_goal() {
            true => Images::of(cube),
            false => Images::none(),
        }
    }
}

/// Of solutions of `cube` that its symmetries map to each other, keeps the first in the order of the turns.
pub(crate) fn up_to_symmetry(metric: Metric, cube: &Cube, mut solutions: Vec<Vec<Turn>>) -> Vec<Vec<Turn>> {
    let Images(images) = Images::of(cube).forwards();
    solutions.retain(|turns| images.iter().all(|image| image.solution(metric, turns) >= *turns));
    solutions
}

#[cfg(test)]
mod tests {
    use super::*;
    use search_core::testing::Random;
    use std::collections::{HashMap, HashSet};
    use std::hash::{DefaultHasher, Hash, Hasher};

    /// The groups of images of the cubes within four turns, and that of the solved cube.
    fn groups() -> Vec<Images> {
        let (mut seen, mut layer) = (HashSet::from([Cube::SOLVED]), vec![Cube::SOLVED]);
        let mut groups = HashMap::from([(2 * Symmetry::COUNT as u128, Images::of(&Cube::SOLVED))]);
        for _ in 0..4 {
            let next = layer.iter().flat_map(|cube| Turn::all().map(|turn| cube.apply(turn)));
            layer = next.filter(|cube| seen.insert(*cube)).collect();
            for images in layer.iter().map(Images::of).filter(|images| images.0.len() > 1) {
                let bit = |image: &Image| image.symmetry.index() + if image.reverses { 48 } else { 0 };
                let set = images.0.iter().fold(0u128, |set, image| set | 1 << bit(image));
                groups.entry(set).or_insert(images);
            }
        }
        groups.into_values().collect()
    }

    /// A string of `length` turns of some faces that keeps the rules.
    fn string(metric: Metric, faces: usize, length: usize, random: &mut Random) -> Vec<Turn> {
        let rules = metric.automaton();
        let (mut state, mut turns) = (rules.start(), Vec::new());
        while turns.len() < length {
            let op = Op::new(random.below(metric.turns().len()));
            let turn = metric.turns()[op.index()];
            // U and D first, then F and B, then all.
            let is_one = [0, 3, 2, 5, 1, 4][..faces].contains(&turn.face().index());
            if let Some(next) = rules.next(state, op).filter(|_| is_one) {
                (state, turns) = (next, [&turns[..], &[turn]].concat());
            }
        }
        turns
    }

    /// Whether a search that chooses ends at random, if the root moves leave them open, finds `turns`.
    fn is_found(metric: Metric, root_moves: &RootMoves, turns: &[Turn], sides: usize, seed: u64) -> bool {
        let (mut path, mut left) = (Vec::new(), turns);
        while let (Some(first), Some(last)) = (left.first(), left.last()) {
            let moves = root_moves.at(&path);
            let mut hasher = DefaultHasher::new();
            (seed, &path).hash(&mut hasher);
            let is_back = match moves {
                Some(NodeMoves { ops, is_final: true }) => ops.0 >> metric.turns().len() != 0,
                _ => sides == 2 && hasher.finish() % 2 == 1,
            };
            let op = metric.operator(if is_back { *last } else { *first }).expect("a move");
            let op = Op::new(op.index() + if is_back { metric.turns().len() } else { 0 });
            if moves.is_some_and(|moves| !moves.ops.contains(op)) {
                return false;
            }
            path.push(op);
            left = if is_back { &left[..left.len() - 1] } else { &left[1..] };
        }
        true
    }

    /// For every group of images and every choice of ends, a search finds a string of each class, and few strings of
    /// large classes.
    #[test]
    fn a_string_of_each_class_is_found() {
        let (groups, mut random) = (groups(), Random::new(1));
        assert!(groups.len() > 60, "{} groups", groups.len());
        for metric in [Metric::Htm, Metric::Qtm] {
            let two_sided = metric.two_sided_automaton();
            let (mut large, mut found) = (0, 0);
            for images in &groups {
                for (sides, rules) in [(1, &metric.automaton()), (2, &two_sided)] {
                    let root_moves = images.root_moves(metric, rules);
                    let images = if sides == 2 { images.clone() } else { images.clone().forwards() };
                    for number in 0..300 {
                        let (faces, length) = (if number % 2 == 0 { 6 } else { 4 }, 4 + random.below(5));
                        let one = string(metric, faces, length, &mut random);
                        let class: BTreeSet<Vec<Turn>> =
                            images.0.iter().map(|image| image.solution(metric, &one)).collect();
                        let ends = random.bits();
                        let is_found = |turns: &&Vec<Turn>| is_found(metric, &root_moves, turns, sides, ends);
                        let some = class.iter().filter(is_found).count();
                        assert!(some > 0, "{metric:?}, {sides} sides, {images:?}: {class:?}");
                        if class.len() >= 24 {
                            (large, found) = (large + class.len(), found + some);
                        }
                    }
                }
            }
            assert!(large > 10_000 && found * 15 < large, "{metric:?}: {found} of {large}");
        }
    }

    #[test]
    fn images_of_solutions_are_solutions() {
        let scramble = [1, 3, 8, 10, 14].map(Turn::from_index);
        for symmetry in Symmetry::all().filter(|&s| s.then(s) == Symmetry::IDENTITY) {
            // x s(x)⁻¹: the symmetry maps it to its inverse.
            let undone = scramble.iter().rev().map(|turn| symmetry.turn(turn.inverse()));
            let cube = Cube::SOLVED.apply_all(scramble).apply_all(undone.clone());
            let images = Images::of(&cube);
            assert!(images.0.contains(&Image { symmetry, reverses: true }));
            let solution: Vec<Turn> = scramble.iter().copied().chain(undone).collect();
            let solution: Vec<Turn> = solution.iter().rev().map(|turn| turn.inverse()).collect();
            for image in images.0 {
                let turns = image.solution(Metric::Htm, &solution);
                assert!(cube.apply_all(turns).is_solved(), "{image:?}");
            }
        }
    }

    /// Of the 18 first turns of the superflip, a quarter turn and a half turn are searched, with few pairs.
    #[test]
    fn the_superflip_has_few_openings() {
        let superflip = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2";
        let cube = crate::notation::scramble::parse(superflip).expect("a scramble").cube();
        let images = Images::of(&cube);
        assert_eq!(images.0.len(), 2 * Symmetry::COUNT);
        let one = images.root_moves(Metric::Htm, &Metric::Htm.automaton());
        assert_eq!(one.at(&[]).expect("moves").ops, [Op::new(0), Op::new(1)].into_iter().collect());
        let two = images.root_moves(Metric::Htm, &Metric::Htm.two_sided_automaton());
        let pairs = [0, 1].map(|first| two.at(&[Op::new(first)]).expect("moves").ops.len());
        assert_eq!(two.at(&[]), Some(NodeMoves { ops: one.at(&[]).expect("one").ops, is_final: true }));
        assert!(pairs.iter().sum::<usize>() <= 12, "{pairs:?} of 324");
        assert!(two.len() < 1000, "{}", two.len());
    }
}
