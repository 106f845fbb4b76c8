//! Symmetries: relabelings of points that map moves to moves and the solved position to itself.
//!
//! The idea: number the points of all parts (a place with an orientation), and let `x·m` be the point to which move `m`
//! carries `x`. A symmetry is a permutation `σ` of the points and a permutation `π` of the moves with
//! `σ(x·m) = σ(x)·π(m)`. It maps the position that moves `m₁ m₂ …` lead to to the one that `π(m₁) π(m₂) …` lead to, so both
//! have the same distance. A table of distances therefore serves the image of a position too, and the image is known
//! after each move without computing it anew: its coordinates are moved by `π(m)` instead of `m`.
//!
//! Search: `π` keeps the lengths of the cycles of each product of two moves, which leaves few candidates; they are found by
//! backtracking. For each, `σ` follows from the image of one point of each set of points that moves connect, and is
//! checked everywhere.
//!
//! Sets of points that moves connect are matched without backtracking. A set `A` may be mapped to `B` exactly if the moves `π(m)`
//! act on `B` as the moves `m` do on `A`. So sets that share one image are alike and share all images, and if there is a `σ` for
//! `π` at all, every choice of images for some of the sets can be completed. The first set without an image therefore rules out `π`.
//!
//! Cost: limited to a number of steps, since moves that all look alike (as those of Lights Out) have too many candidates:
//! then some symmetries are not found, which loses lookups and nothing else. Distinct pieces only.

use std::collections::HashMap;
use std::hash::Hash;

use crate::model::{OrbitTransformation, Transformation};
use crate::part::Part;
use search_core::{Cancelled, Run};

/// The maximum number of steps of the search for permutations of moves.
const MOST_STEPS: usize = 1 << 20;
/// The maximum number of permutations of moves that are tried.
const MOST_TRIED: usize = 1 << 9;

/// The maximum number of images of points that are followed, in all candidates together.
const MOST_FOLLOWED: u64 = 1 << 26;

/// A symmetry other than the identity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symmetry {
    /// The image of each move.
    pub moves: Vec<usize>,
    /// The image of each point.
    points: Vec<usize>,
}

impl Symmetry {
    /// The image of an element, given and returned by its effect on each part; `None` if it does not keep the stickers
    /// of pieces together.
    pub fn image(&self, parts: &[Part], element: &[OrbitTransformation]) -> Option<Vec<OrbitTransformation>> {
        let to = destinations(element);
        let mut image = vec![0; to.len()];
        for (point, &end) in to.iter().enumerate() {
            image[self.points[point]] = self.points[end];
        }
        elements(parts, &image)
    }

    /// Whether points with one label are mapped to points with one label, and back.
    pub(crate) fn keeps<L: Copy + Eq + Hash>(&self, labels: &[L]) -> bool {
        let (mut to, mut from) = (HashMap::new(), HashMap::new());
        self.points.iter().enumerate().all(|(point, &image)| {
            let (label, label_to) = (labels[point], labels[image]);
            *to.entry(label).or_insert(label_to) == label_to
                && *from.entry(label_to).or_insert(label) == label
        })
    }

    /// The element that relabels points so, by its effect on each part; `None` if there is none.
    pub(crate) fn element(&self, parts: &[Part]) -> Option<Vec<OrbitTransformation>> {
        elements(parts, &self.points)
    }

    /// The place to which a place of a part is mapped, with the number of its part.
    pub fn place(&self, parts: &[Part], part: usize, place: usize) -> (usize, usize) {
        let (part, place, _) = self.point(parts, (part, place, 0));
        (part, place)
    }

    /// The point to which a point is mapped: the number of its part, its place and its orientation.
    pub fn point(&self, parts: &[Part], (part, place, turn): (usize, usize, u8)) -> (usize, usize, u8) {
        let orientations = |part: &Part| usize::from(part.moves[0].orientations);
        let points = |part: &Part| part.places.len() * orientations(part);
        let first: usize = parts[..part].iter().map(points).sum();
        let mut image = self.points[first + place * orientations(&parts[part]) + usize::from(turn)];
        for (number, part) in parts.iter().enumerate() {
            if image < points(part) {
                let turn = u8::try_from(image % orientations(part)).expect("below the modulus");
                return (number, image / orientations(part), turn);
            }
            image -= points(part);
        }
        unreachable!("an image is a point of a part")
    }
}

/// The symmetries of moves that act on these parts, without the identity: one for each permutation of the moves.
///
/// # Errors
/// [`Cancelled`].
pub fn symmetries(parts: &[Part], run: &Run<'_>) -> Result<Vec<Symmetry>, Cancelled> {
    with_relabelings(parts, MOST_TRIED, 1, run)
}

/// The symmetries of moves that act on these parts, without those that keep every move: for each of up to
/// `tried` permutations of the moves up to `most` relabelings of the points.
///
/// # Errors
/// [`Cancelled`].
pub(crate) fn with_relabelings(
    parts: &[Part],
    tried: usize,
    most: usize,
    run: &Run<'_>,
) -> Result<Vec<Symmetry>, Cancelled> {
    Ok(search(parts, tried, most, run)?.0)
}

/// The symmetries, and the number of images of points that were followed.
fn search(
    parts: &[Part],
    tried: usize,
    most: usize,
    run: &Run<'_>,
) -> Result<(Vec<Symmetry>, u64), Cancelled> {
    let Some(first) = parts.first() else { return Ok((Vec::new(), 0)) };
    let moves: Vec<Vec<usize>> = (0..first.moves.len())
        .map(|number| {
            let of_parts: Vec<OrbitTransformation> =
                parts.iter().map(|part| part.moves[number].clone()).collect();
            destinations(&of_parts)
        })
        .collect();
    let mut search =
        Candidates { kinds: kinds(&moves), chosen: Vec::new(), found: Vec::new(), most: tried, steps: 0 };
    search.extend();
    let is_identity = |candidate: &Vec<usize>| candidate.iter().enumerate().all(|(at, &to)| at == to);
    let found = search.found.into_iter().filter(|candidate| !is_identity(candidate));
    let keeps = |symmetry: &Symmetry| {
        // What keeps the moves' pieces together keeps those of all products together.
        let keeps = |number: usize| {
            let step: Vec<OrbitTransformation> =
                parts.iter().map(|part| part.moves[number].clone()).collect();
            symmetry.image(parts, &step).is_some()
        };
        (0..moves.len()).all(keeps)
    };
    let (mut all, mut followed) = (Vec::new(), 0);
    for candidate in found {
        let mut search =
            Relabelings { moves: &moves, renamed: &candidate, most, found: Vec::new(), followed };
        search.extend(&mut vec![None; moves[0].len()], &mut vec![false; moves[0].len()], run)?;
        followed = search.followed;
        for points in search.found {
            let symmetry = Symmetry { moves: candidate.clone(), points };
            if keeps(&symmetry) {
                all.push(symmetry);
            }
        }
    }
    Ok((all, followed))
}

/// The effect of a transformation on each of the parts.
pub fn on_parts(parts: &[Part], transformation: &Transformation) -> Vec<OrbitTransformation> {
    parts.iter().map(|part| part.restricted(&transformation.orbits[part.orbit])).collect()
}

/// For each point, the one to which an element carries it.
pub(crate) fn destinations(element: &[OrbitTransformation]) -> Vec<usize> {
    let mut all = Vec::new();
    for part in element {
        let (first, orientations) = (all.len(), usize::from(part.orientations));
        all.resize(first + part.from.len() * orientations, 0);
        for (place, (&from, &turn)) in part.from.iter().zip(&part.turn).enumerate() {
            for orientation in 0..orientations {
                let turned = (orientation + usize::from(turn)) % orientations;
                all[first + usize::from(from) * orientations + orientation] =
                    first + place * orientations + turned;
            }
        }
    }
    all
}

/// The element that carries points so; `None` if it splits a piece.
fn elements(parts: &[Part], to: &[usize]) -> Option<Vec<OrbitTransformation>> {
    let (mut first, mut all) = (0, Vec::new());
    for part in parts {
        let (places, modulus) = (part.places.len(), part.moves[0].orientations);
        let orientations = usize::from(modulus);
        let end = first + places * orientations;
        let mut element =
            OrbitTransformation { from: vec![0; places], turn: vec![0; places], orientations: modulus };
        for from in 0..places {
            let start = first + from * orientations;
            let at = to[start].checked_sub(first).filter(|_| to[start] < end)?;
            let (place, turn) = (at / orientations, at % orientations);
            let is_whole = (0..orientations).all(|orientation| {
                to[start + orientation] == first + place * orientations + (orientation + turn) % orientations
            });
            if !is_whole {
                return None;
            }
            element.from[place] = u8::try_from(from).ok()?;
            element.turn[place] = u8::try_from(turn).ok()?;
        }
        all.push(element);
        first = end;
    }
    Some(all)
}

/// For each pair of moves, a number for the lengths of the cycles of their product.
fn kinds(moves: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut numbers: HashMap<Vec<(usize, usize)>, usize> = HashMap::new();
    let mut number = |product: &[usize]| {
        let next = numbers.len();
        *numbers.entry(cycles(product)).or_insert(next)
    };
    let row = |first: &Vec<usize>| {
        let product = |second: &Vec<usize>| first.iter().map(|&at| second[at]).collect::<Vec<_>>();
        moves.iter().map(|second| number(&product(second))).collect()
    };
    moves.iter().map(row).collect()
}

/// The number of cycles of each length.
fn cycles(to: &[usize]) -> Vec<(usize, usize)> {
    let (mut seen, mut lengths) = (vec![false; to.len()], Vec::new());
    for start in 0..to.len() {
        let (mut at, mut length) = (start, 0);
        while !std::mem::replace(&mut seen[at], true) {
            (at, length) = (to[at], length + 1);
        }
        if length > 0 {
            lengths.push(length);
        }
    }
    lengths.sort_unstable();
    lengths.chunk_by(|a, b| a == b).map(|run| (run[0], run.len())).collect()
}

/// The search for permutations of moves that keep the kinds of pairs.
struct Candidates {
    kinds: Vec<Vec<usize>>,
    chosen: Vec<usize>,
    found: Vec<Vec<usize>>,
    /// The number of permutations after which the search ends.
    most: usize,
    steps: usize,
}

impl Candidates {
    fn extend(&mut self) {
        let (next, count) = (self.chosen.len(), self.kinds.len());
        if next == count {
            self.found.push(self.chosen.clone());
            return;
        }
        for image in 0..count {
            if self.found.len() >= self.most || self.steps >= MOST_STEPS {
                return;
            }
            self.steps += 1;
            let kinds = &self.kinds;
            let keeps = |(earlier, &its): (usize, &usize)| {
                its != image
                    && kinds[earlier][next] == kinds[its][image]
                    && kinds[next][earlier] == kinds[image][its]
            };
            if kinds[next][next] == kinds[image][image] && self.chosen.iter().enumerate().all(keeps) {
                self.chosen.push(image);
                self.extend();
                self.chosen.pop();
            }
        }
    }
}

/// The search for permutations of the points.
struct Relabelings<'a> {
    moves: &'a [Vec<usize>],
    renamed: &'a [usize],
    most: usize,
    found: Vec<Vec<usize>>,
    /// The number of images that were followed, by earlier searches too.
    followed: u64,
}

impl Relabelings<'_> {
    /// Extends images of some points to images of all. If there is no extension, no other images of these points have one.
    fn extend(
        &mut self,
        images: &mut [Option<usize>],
        taken: &mut [bool],
        run: &Run<'_>,
    ) -> Result<(), Cancelled> {
        let Some(start) = images.iter().position(Option::is_none) else {
            self.found.push(images.iter().copied().flatten().collect());
            return Ok(());
        };
        for image in 0..images.len() {
            if taken[image] || self.found.len() == self.most {
                continue;
            }
            run.check()?;
            if self.followed >= MOST_FOLLOWED {
                return Ok(());
            }
            let Some(spread) = self.spread(start, image, taken) else { continue };
            for &(point, image) in &spread {
                images[point] = Some(image);
                taken[image] = true;
            }
            self.extend(images, taken, run)?;
            if self.found.is_empty() {
                return Ok(());
            }
            for (point, image) in spread {
                images[point] = None;
                taken[image] = false;
            }
        }
        Ok(())
    }

    /// The images of all points that moves connect with `start`, if that has this image.
    fn spread(&mut self, start: usize, image: usize, taken: &[bool]) -> Option<Vec<(usize, usize)>> {
        let mut images: HashMap<usize, usize> = HashMap::from([(start, image)]);
        let mut originals: HashMap<usize, usize> = HashMap::from([(image, start)]);
        let mut found = vec![(start, image)];
        let mut at = 0;
        while at < found.len() {
            let (point, image) = found[at];
            for (step, &its) in self.moves.iter().zip(self.renamed) {
                self.followed += 1;
                let (to, its) = (step[point], self.moves[its][image]);
                match (images.get(&to), originals.get(&its)) {
                    (Some(&known), Some(&of)) if known == its && of == to => {}
                    (None, None) if !taken[its] => {
                        images.insert(to, its);
                        originals.insert(its, to);
                        found.push((to, its));
                    }
                    _ => return None,
                }
            }
            at += 1;
        }
        Some(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definition::Definition;
    use crate::system::System;
    use crate::{Selection, builtin, formats};

    /// The number of symmetries, and of images of points that were followed to find them.
    fn found(definition: &Definition, selection: &Selection) -> (usize, u64) {
        let puzzle = definition.select(selection).expect("moves").puzzle;
        let system = System::new(&puzzle, &Run::new()).expect("a system");
        let (found, followed) = search(&system.parts, MOST_TRIED, 1, &Run::new()).expect("not cancelled");
        (found.len(), followed)
    }

    fn built_in(name: &str) -> Definition {
        builtin::get(name).expect("a name").expect("a definition")
    }

    #[test]
    fn symmetries_of_many_equal_parts_are_found_with_little_work() {
        // Each ring of three places is a part; all permutations of the rings are symmetries.
        let rings = |count: usize| {
            let ring = |at: usize| format!("m{at} := ({},{},{});\n", 3 * at + 1, 3 * at + 2, 3 * at + 3);
            formats::read(&(0..count).map(ring).collect::<String>()).expect("generators")
        };
        // Tips and the pieces below them are parts of one place.
        let cases = [(built_in("pyraminx"), 23), (rings(6), 511), (rings(32), 511)];
        for (definition, least) in cases {
            let (symmetries, followed) = found(&definition, &Selection::default());
            assert!(symmetries >= least && followed < 1 << 22, "{symmetries} {followed}");
        }
    }

    #[test]
    fn a_definition_of_fifty_kilobytes_is_read_and_its_symmetries_found_with_little_work() {
        let (text, _) = formats::write(&built_in("megaminx"), formats::Form::KPuzzle).expect("a text");
        assert!(text.len() > 50_000, "{}", text.len());
        let definition = formats::read(&text).expect("a definition");
        let faces = "U F L R BL BR B D DL DR FL FR".split(' ').map(str::to_owned).collect();
        let selection = Selection { moves: Some(faces), rotations: Some(Vec::new()), ..Selection::default() };
        let (symmetries, followed) = found(&definition, &selection);
        assert!(symmetries == 119 && followed < 1 << 22, "{symmetries} {followed}");
    }
}
