//! Permutations of the 54 facelets, numbered as [`facelets`](crate::notation::facelets) are written.
//!
//! A permutation gives the new place of each sticker. Face turns fix the six centres; slices and wide turns move them,
//! so a move here is that of a cube in space, without renaming of faces.

use crate::cube::{CORNERS, Cube, EDGES, Face, Turn};
use crate::notation::Orientation;
use crate::notation::facelets::{of_corners, of_edges};
use crate::notation::scramble::{Layers, Move};
use crate::symmetry::Symmetry;
use std::array;

/// The number of facelets.
pub(crate) const FACELETS: usize = 54;

/// A permutation of the facelets: the new place of each sticker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Permutation([u8; FACELETS]);

impl Permutation {
    /// The permutation that moves nothing.
    pub const IDENTITY: Permutation = {
        let mut images = [0; FACELETS];
        let mut i = 0;
        while i < FACELETS {
            images[i] = i as u8;
            i += 1;
        }
        Permutation(images)
    };

    /// The new place of a facelet's sticker.
    #[inline(always)]
    pub(crate) const fn image(&self, facelet: u8) -> u8 {
        self.0[facelet as usize]
    }

    /// This permutation followed by `next`.
    #[must_use]
    pub(crate) fn then(&self, next: &Permutation) -> Permutation {
        Permutation(self.0.map(|facelet| next.image(facelet)))
    }

    /// The permutation that undoes this one.
    #[must_use]
    pub fn inverse(&self) -> Permutation {
        let mut inverse = [0; FACELETS];
        for (from, to) in (0..).zip(self.0) {
            inverse[usize::from(to)] = from;
        }
        Permutation(inverse)
    }

    /// The permutation that makes `cube` from a solved cube; the centres stay.
    pub(crate) fn of_cube(cube: &Cube) -> Permutation {
        let mut images = Permutation::IDENTITY.0;
        place(&mut images, &of_corners(), cube.corners());
        place(&mut images, &of_edges(), cube.edges());
        Permutation(images)
    }

    /// The rotation of the whole cube to this orientation.
    pub(crate) fn of_orientation(held: Orientation) -> Permutation {
        Permutation::of_symmetry(held.symmetry().inverse())
    }

    /// The rotations of the whole cube, the one that moves nothing first.
    pub(crate) fn rotations() -> impl Iterator<Item = Permutation> {
        Orientation::all().map(Permutation::of_orientation)
    }

    /// The effect of a move on the cube in space.
    pub(crate) fn of_move(Move { face, layers, quarters }: Move) -> Permutation {
        let turns = Permutation::of_cube(&turned(face, layers, quarters));
        match layers {
            Layers::Outer => turns,
            _ => turns.then(&Permutation::of_orientation(Orientation::HOME.rotated(face, quarters))),
        }
    }

    /// This permutation restricted to the pieces that have one of `facelets`, which it must permute among themselves;
    /// all others stay.
    #[must_use]
    pub(crate) fn on_pieces_of(&self, facelets: &[u8]) -> Permutation {
        let mut images = Permutation::IDENTITY.0;
        let mut keep = |piece: &[usize]| {
            if piece.iter().any(|&facelet| facelets.contains(&(facelet as u8))) {
                piece.iter().for_each(|&facelet| images[facelet] = self.0[facelet]);
            }
        };
        of_corners().iter().for_each(|piece| keep(piece));
        of_edges().iter().for_each(|piece| keep(piece));
        (0..6).for_each(|face| keep(&[centre(face)]));
        Permutation(images)
    }

    /// The permutation of the facelets by a symmetry.
    pub(crate) fn of_symmetry(symmetry: Symmetry) -> Permutation {
        let action = symmetry.action();
        let mut images = [0; FACELETS];
        for (face, to) in action.face.iter().enumerate() {
            images[centre(face)] = centre(to.index()) as u8;
        }
        carry(&mut images, &action.face, (&CORNERS, &of_corners()), &action.corner);
        carry(&mut images, &action.face, (&EDGES, &of_edges()), &action.edge);
        Permutation(images)
    }
}

/// The effect of a move by the cube's own faces, which a rotation of the whole cube does not move.
pub(crate) fn turned(face: Face, layers: Layers, quarters: u8) -> Cube {
    let turn = |face, quarters| Turn::new(face, quarters);
    match layers {
        Layers::Outer => Cube::SOLVED.apply(turn(face, quarters)),
        Layers::Wide => Cube::SOLVED.apply(turn(face.opposite(), quarters)),
        Layers::Middle => Cube::SOLVED.apply_all([turn(face, 4 - quarters), turn(face.opposite(), quarters)]),
        Layers::All => Cube::SOLVED,
    }
}

/// The facelet at the centre of a face.
pub(crate) const fn centre(face: usize) -> usize {
    9 * face + 4
}

/// Writes the new places of the facelets of some locations, given the images `face` of the faces and `to` of the
/// locations.
fn carry<const S: usize, const N: usize>(
    images: &mut [u8; FACELETS],
    face: &[Face; 6],
    (names, facelets): (&[[Face; S]; N], &[[usize; S]; N]),
    to: &[u8; N],
) {
    for ((name, from), &to) in names.iter().zip(facelets).zip(to) {
        let to = usize::from(to);
        for (side, &facelet) in name.iter().zip(from) {
            let slot = names[to].iter().position(|&f| f == face[side.index()]);
            images[facelet] = facelets[to][slot.expect("a symmetry carries faces to faces")] as u8;
        }
    }
}

/// Writes the new places of the stickers of the cubies: `cubie | shift << 4` at each location.
fn place<const S: usize>(images: &mut [u8; FACELETS], locations: &[[usize; S]], cubies: &[u8]) {
    for (location, v) in locations.iter().zip(cubies) {
        let (cubie, shift) = (usize::from(v & 15), usize::from(v >> 4));
        let home: [usize; S] = locations[cubie];
        let to: [usize; S] = array::from_fn(|slot| location[(slot + shift) % S]);
        home.into_iter().zip(to).for_each(|(from, to)| images[from] = to as u8);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{facelets, scramble};

    /// The letters of a solved cube after a permutation.
    fn shown(permutation: &Permutation) -> String {
        let mut letters = [' '; FACELETS];
        for (i, c) in facelets::format(&Cube::SOLVED).chars().enumerate() {
            letters[usize::from(permutation.image(i as u8))] = c;
        }
        letters.iter().collect()
    }

    #[test]
    fn permutations_of_moves_equal_those_of_the_notation() {
        let text = "R U' M2 f x E' S Lw2 y' D z B u' M";
        let moves = scramble::parse_moves(text).unwrap();
        for length in 0..=moves.len() {
            let scramble =
                scramble::parse(&moves[..length].iter().map(|m| format!("{m} ")).collect::<String>());
            let scramble = scramble.unwrap();
            let product = moves[..length]
                .iter()
                .fold(Permutation::IDENTITY, |so_far, &next| so_far.then(&Permutation::of_move(next)));
            let turns = Permutation::of_cube(&scramble.cube());
            assert_eq!(product, turns.then(&Permutation::of_orientation(scramble.orientation)));
            let read = facelets::parse(&shown(&product)).unwrap();
            assert_eq!((read.cube, read.orientation), (scramble.cube(), scramble.orientation));
        }
    }

    #[test]
    fn products_are_those_of_cubes() {
        let a = scramble::parse("R U2 F' L D").unwrap().cube();
        let b = scramble::parse("B L' U F2 R'").unwrap().cube();
        let [p, q] = [a, b].map(|cube| Permutation::of_cube(&cube));
        assert_eq!(p.then(&q), Permutation::of_cube(&a.compose(&b)));
        assert_eq!(p.then(&p.inverse()), Permutation::IDENTITY);
        assert_eq!(p.inverse(), Permutation::of_cube(&a.inverse()));
        let rotations: Vec<_> = Permutation::rotations().collect();
        assert_eq!((rotations.len(), rotations[0]), (24, Permutation::IDENTITY));
        assert!(rotations.iter().all(|r| rotations.contains(&r.inverse())));
        // Conjugation by a symmetry, reflections included, is that of the cube.
        for symmetry in Symmetry::all() {
            let carried = Permutation::of_symmetry(symmetry);
            let conjugate = carried.inverse().then(&p).then(&carried);
            assert_eq!(conjugate, Permutation::of_cube(&symmetry.conjugate(&a)));
        }
    }
}
