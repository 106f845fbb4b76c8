//! Turns the stickers at each location into a legal cube, or into a list of everything that is wrong.
//!
//! A cube that can be reached by turns satisfies five conditions, checked in this order: the stickers at each
//! location are those of some piece; each piece occurs once; the corners' twists cancel; the edges' flips
//! cancel; corners and edges are permuted with the same parity. Each turn preserves these conditions, and every
//! cube that satisfies them can be reached (there are 8! 3^7 12! 2^11 / 2 such cubes).

use super::fault::{Defect, Impossible, Kind};
use crate::cube::{CORNERS, Cube, EDGES, Face, name, odd};

/// The stickers at each location, by symbol, in the order of the location's faces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Seen {
    /// The symbol of each face.
    pub symbols: [char; 6],
    /// At each corner location of [`CORNERS`].
    pub corners: [[char; 3]; 8],
    /// At each edge location of [`EDGES`].
    pub edges: [[char; 2]; 12],
}

impl Seen {
    /// The stickers of a cube whose faces have these symbols.
    pub(crate) fn on(cube: &Cube, symbols: [char; 6]) -> Seen {
        let symbol = |face: Face| symbols[face.index()];
        Seen {
            symbols,
            corners: cube.corners.map(|v| {
                let mut stickers = CORNERS[v as usize & 15].map(symbol);
                stickers.rotate_right(v as usize >> 4);
                stickers
            }),
            edges: cube.edges.map(|v| {
                let mut stickers = EDGES[v as usize & 15].map(symbol);
                stickers.rotate_right(v as usize >> 4);
                stickers
            }),
        }
    }

    /// The legal cube with these stickers.
    ///
    /// # Errors
    /// All [`Defect`]s that are found, by piece and location.
    pub(crate) fn cube(&self) -> Result<Cube, Vec<Defect>> {
        let mut defects = Vec::new();
        let corners = self.full_set(Kind::Corner, &CORNERS, &self.corners, &mut defects);
        let edges = self.full_set(Kind::Edge, &EDGES, &self.edges, &mut defects);
        if let Some(corners) = corners {
            let twist = orientations(&corners) % 3;
            defects.extend((twist != 0).then_some(Defect::Twist { clockwise: twist == 1 }));
        }
        if let Some(edges) = edges {
            defects.extend((orientations(&edges) % 2 == 1).then_some(Defect::Flip));
        }
        match (corners, edges) {
            (Some(corners), Some(edges)) => {
                defects.extend((odd(&corners) != odd(&edges)).then_some(Defect::Parity));
                Cube::from_cubies(corners, edges).map_err(|_| defects)
            }
            _ => Err(defects),
        }
    }

    /// The cubie and orientation at each location, if every cubie occurs once; otherwise adds the defects.
    fn full_set<const N: usize, const COUNT: usize>(
        &self,
        kind: Kind,
        locations: &[[Face; N]; COUNT],
        stickers: &[[char; N]; COUNT],
        defects: &mut Vec<Defect>,
    ) -> Option<[u8; COUNT]> {
        let before = defects.len();
        let mut cubies = [0; COUNT];
        let mut found = vec![Vec::new(); COUNT];
        for (at, seen) in stickers.iter().enumerate() {
            match self.identify(locations, seen) {
                Ok((cubie, slot)) => {
                    cubies[at] = (cubie | slot << 4) as u8;
                    found[cubie].push(name(&locations[at]));
                }
                Err(why) => defects.push(Defect::Piece {
                    kind,
                    location: name(&locations[at]),
                    stickers: seen.iter().collect(),
                    why,
                }),
            }
        }
        for (cubie, at) in found.into_iter().enumerate() {
            let piece = self.name(&locations[cubie]);
            match at.len() {
                0 => defects.push(Defect::Missing { kind, piece }),
                1 => {}
                _ => defects.push(Defect::Duplicate { kind, piece, locations: at }),
            }
        }
        (defects.len() == before).then_some(cubies)
    }

    /// The cubie with these stickers, and the slot of its first sticker.
    fn identify<const N: usize>(
        &self,
        cubies: &[[Face; N]],
        stickers: &[char; N],
    ) -> Result<(usize, usize), Impossible> {
        let mut faces = [Face::U; N];
        for (face, &symbol) in faces.iter_mut().zip(stickers) {
            *face = self.face(symbol).ok_or(Impossible::Strange(symbol))?;
        }
        for i in 0..N {
            for j in 0..i {
                if faces[i] == faces[j] {
                    return Err(Impossible::Equal(stickers[i]));
                }
                if faces[i] == faces[j].opposite() {
                    return Err(Impossible::Opposite(stickers[j], stickers[i]));
                }
            }
        }
        let (cubie, slot) = crate::cube::find(cubies, faces);
        let names = &cubies[cubie];
        let slot_of_first = (N - slot) % N;
        match (0..N).all(|i| faces[(slot_of_first + i) % N] == names[i]) {
            true => Ok((cubie, slot_of_first)),
            false => Err(Impossible::Mirrored(self.name(names))),
        }
    }

    /// The face with this symbol.
    fn face(&self, symbol: char) -> Option<Face> {
        Face::ALL.into_iter().find(|&face| self.symbols[face.index()] == symbol)
    }

    /// A piece's name in the symbols of the text.
    fn name(&self, faces: &[Face]) -> String {
        faces.iter().map(|&face| self.symbols[face.index()]).collect()
    }
}

/// The sum of all orientations.
fn orientations(cubies: &[u8]) -> u32 {
    cubies.iter().map(|v| u32::from(v >> 4)).sum()
}
