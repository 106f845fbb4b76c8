//! A legal cube: 8 corner and 12 edge cubies, each with a location and an orientation.
//!
//! No table is copied from elsewhere: every face turn follows from the names of the locations. A turn of a face
//! permutes the four faces around it; so the cubie at the location named `URF` moves to the location with the permuted
//! names, and its orientation changes by the new position of the first letter.

use std::fmt;

/// The six faces, in the order that numbers the turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Face {
    /// Up.
    U,
    /// Right.
    R,
    /// Front.
    F,
    /// Down.
    D,
    /// Left.
    L,
    /// Back.
    B,
}

impl Face {
    /// All faces in order.
    pub const ALL: [Face; 6] = [Face::U, Face::R, Face::F, Face::D, Face::L, Face::B];

    /// The face's number.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The face's letter.
    pub const fn letter(self) -> char {
        ['U', 'R', 'F', 'D', 'L', 'B'][self.index()]
    }

    /// The face of a capital letter.
    pub(crate) fn from_letter(letter: char) -> Option<Face> {
        Face::ALL.into_iter().find(|face| face.letter() == letter)
    }

    /// The face across the cube.
    pub const fn opposite(self) -> Face {
        Face::ALL[(self.index() + 3) % 6]
    }

    /// The faces around this one, clockwise as seen from outside it.
    pub const fn around(self) -> [Face; 4] {
        use Face::{B, D, F, L, R, U};
        match self {
            U => [F, L, B, R],
            R => [U, B, D, F],
            F => [U, R, D, L],
            D => [F, R, B, L],
            L => [U, F, D, B],
            B => [U, L, D, R],
        }
    }
}

use Face::{B, D, F, L, R, U};

/// The corner locations (and cubies): three faces each, clockwise, `U` or `D` first.
pub const CORNERS: [[Face; 3]; 8] =
    [[U, R, F], [U, F, L], [U, L, B], [U, B, R], [D, F, R], [D, L, F], [D, B, L], [D, R, B]];

/// The edge locations (and cubies): `U` or `D` first, else `F` or `B`.
pub const EDGES: [[Face; 2]; 12] =
    [[U, R], [U, F], [U, L], [U, B], [D, R], [D, F], [D, L], [D, B], [F, R], [F, L], [B, L], [B, R]];

/// A turn of one face by 90, 180 or 270 degrees clockwise: `face * 3 + (quarter turns - 1)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Turn(u8);

impl Turn {
    /// The number of turns.
    pub const COUNT: usize = 18;

    /// The turn of `face` by `quarters` (1, 2 or 3) quarter turns clockwise.
    ///
    /// # Panics
    /// If `quarters` is not 1, 2 or 3.
    pub const fn new(face: Face, quarters: u8) -> Turn {
        assert!(quarters >= 1 && quarters <= 3, "a turn has 1, 2 or 3 quarter turns");
        Turn(face as u8 * 3 + quarters - 1)
    }

    /// The turn of this number, `face * 3 + (quarter turns - 1)`.
    ///
    /// # Panics
    /// If `index` is 18 or more.
    pub const fn from_index(index: usize) -> Turn {
        assert!(index < Turn::COUNT, "there are 18 turns");
        Turn(index as u8)
    }

    /// The turn's number.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// All turns in order: U U2 U' R R2 R' F ...
    pub fn all() -> impl Iterator<Item = Turn> {
        (0..Turn::COUNT as u8).map(Turn)
    }

    /// The face that is turned.
    #[inline(always)]
    pub const fn face(self) -> Face {
        Face::ALL[self.0 as usize / 3]
    }

    /// Quarter turns clockwise: 1, 2 or 3.
    #[inline(always)]
    pub const fn quarters(self) -> u8 {
        self.0 % 3 + 1
    }

    /// The turn of the opposite face by the same number of quarter turns.
    #[must_use]
    pub(crate) const fn across(self) -> Turn {
        Turn((self.0 + 9) % 18)
    }

    /// Whether another turn is about the same axis.
    pub(crate) fn shares_axis(self, other: Turn) -> bool {
        other.face() == self.face() || other.face() == self.face().opposite()
    }

    /// The turn that undoes this one.
    #[inline(always)]
    #[must_use]
    pub const fn inverse(self) -> Turn {
        Turn(self.0 / 3 * 3 + 2 - self.0 % 3)
    }
}

impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let suffix = ["", "2", "'"][self.quarters() as usize - 1];
        write!(f, "{}{suffix}", self.face().letter())
    }
}

/// A legal cube: the cubie at each location, and its orientation.
///
/// Cubes are made by turns, by composition or by [`Cube::from_cubies`], so every value is one that
/// turns can reach.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cube {
    pub(crate) corners: [u8; 8],
    pub(crate) edges: [u8; 12],
}

/// The reason why 20 cubies do not form a legal cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalCube {
    /// Some cubie is missing or some value is out of range.
    #[error("the cubies are not each of the 8 corners and 12 edges once")]
    NotAPermutation,
    /// The twists do not add up to a multiple of three.
    #[error("the corners are twisted by {0} thirds of a turn in all")]
    Twist(u8),
    /// The flips do not add up to an even number.
    #[error("an odd number of edges is flipped")]
    Flip,
    /// Corner and edge permutation differ in parity.
    #[error("corner and edge permutations differ in parity")]
    Parity,
}

impl Cube {
    /// The solved cube.
    pub const SOLVED: Cube =
        Cube { corners: [0, 1, 2, 3, 4, 5, 6, 7], edges: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] };

    /// The corners: `cubie | twist << 4` at each location of [`CORNERS`]. The cubie's `U` or `D` sticker
    /// sits `twist` places clockwise from the location's `U` or `D` facelet.
    pub fn corners(&self) -> &[u8; 8] {
        &self.corners
    }

    /// The edges: `cubie | flip << 4` at each location of [`EDGES`]. The cubie's first sticker is on the
    /// location's first facelet (0) or second (1).
    pub fn edges(&self) -> &[u8; 12] {
        &self.edges
    }

    /// A cube from its [`corners`](Cube::corners) and [`edges`](Cube::edges).
    ///
    /// # Errors
    /// The first law of the cube that is violated.
    pub fn from_cubies(corners: [u8; 8], edges: [u8; 12]) -> Result<Cube, IllegalCube> {
        let seen = |cubies: &[u8], orientations: u8| {
            cubies.iter().try_fold(0u32, |seen, v| (v >> 4 < orientations).then_some(seen | 1 << (v & 15)))
        };
        if seen(&corners, 3) != Some(0xff) || seen(&edges, 2) != Some(0xfff) {
            return Err(IllegalCube::NotAPermutation);
        }
        let twist = corners.iter().map(|v| v >> 4).sum::<u8>() % 3;
        if twist != 0 {
            return Err(IllegalCube::Twist(twist));
        }
        if edges.iter().map(|v| v >> 4).sum::<u8>() % 2 != 0 {
            return Err(IllegalCube::Flip);
        }
        if odd(&corners) != odd(&edges) {
            return Err(IllegalCube::Parity);
        }
        Ok(Cube { corners, edges })
    }

    /// Whether every cubie is solved.
    pub fn is_solved(&self) -> bool {
        *self == Cube::SOLVED
    }

    /// This cube followed by `next`: the permutation that makes `next` from the solved cube is applied to this one.
    #[must_use]
    pub fn compose(&self, next: &Cube) -> Cube {
        // Loops, since the methods of arrays are not always inlined.
        let mut cube = *next;
        for v in &mut cube.corners {
            let from = self.corners[*v as usize & 7];
            *v = from & 15 | (from >> 4) + (*v >> 4) << 4;
        }
        for v in &mut cube.edges {
            *v = self.edges[*v as usize & 15] ^ *v & 16;
        }
        cube.reduced()
    }

    /// The cube that undoes this one: `c.compose(&c.inverse())` is solved.
    #[must_use]
    pub fn inverse(&self) -> Cube {
        let mut inverse = Cube::SOLVED;
        for (at, v) in self.corners.iter().enumerate() {
            inverse.corners[*v as usize & 15] = at as u8 | (3 - (v >> 4)) % 3 << 4;
        }
        for (at, v) in self.edges.iter().enumerate() {
            inverse.edges[*v as usize & 15] = at as u8 | v & 16;
        }
        inverse
    }

    /// The cube after one turn.
    #[must_use]
    pub fn apply(&self, turn: Turn) -> Cube {
        self.compose(Cube::of_turn(turn))
    }

    /// The cube after some turns.
    #[must_use]
    pub fn apply_all(&self, turns: impl IntoIterator<Item = Turn>) -> Cube {
        turns.into_iter().fold(*self, |cube, turn| cube.apply(turn))
    }

    /// The cube that a turn makes from the solved one.
    pub fn of_turn(turn: Turn) -> &'static Cube {
        static TURNS: std::sync::LazyLock<[Cube; Turn::COUNT]> = std::sync::LazyLock::new(|| {
            std::array::from_fn(|i| {
                let turn = Turn(i as u8);
                (0..turn.quarters()).fold(Cube::SOLVED, |cube, _| cube.compose(&quarter_turn(turn.face())))
            })
        });
        &TURNS[turn.0 as usize]
    }

    /// Whether the permutation of the corners (and so of the edges) is odd: whether the number of
    /// quarter turns of every solution is odd.
    pub(crate) fn is_odd(&self) -> bool {
        odd(&self.corners)
    }

    /// This cube with its twists reduced modulo 3.
    fn reduced(mut self) -> Cube {
        for v in &mut self.corners {
            *v = if *v >= 0x30 { *v - 0x30 } else { *v };
        }
        self
    }
}

impl Default for Cube {
    fn default() -> Cube {
        Cube::SOLVED
    }
}

impl fmt::Debug for Cube {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |faces: &[Face], shift: u8| -> String {
            (0..faces.len()).map(|i| faces[(i + shift as usize) % faces.len()].letter()).collect()
        };
        write!(f, "Cube(")?;
        for v in self.edges {
            write!(f, "{} ", name(&EDGES[v as usize & 15], v >> 4))?;
        }
        for (i, v) in self.corners.iter().enumerate() {
            let shift = (3 - (v >> 4)) % 3;
            write!(f, "{}{}", name(&CORNERS[*v as usize & 15], shift), if i < 7 { " " } else { ")" })?;
        }
        Ok(())
    }
}

/// The cube that one clockwise quarter turn of `face` makes from the solved one.
fn quarter_turn(face: Face) -> Cube {
    let around = face.around();
    let turned = |f: Face| match around.iter().position(|&g| g == f) {
        Some(i) => around[(i + 1) % 4],
        None => f,
    };
    let mut cube = Cube::SOLVED;
    for (from, names) in CORNERS.iter().enumerate().filter(|(_, names)| names.contains(&face)) {
        let (to, slot) = find(&CORNERS, names.map(turned));
        cube.corners[to] = from as u8 | (slot as u8) << 4;
    }
    for (from, names) in EDGES.iter().enumerate().filter(|(_, names)| names.contains(&face)) {
        let (to, slot) = find(&EDGES, names.map(turned));
        cube.edges[to] = from as u8 | (slot as u8) << 4;
    }
    cube
}

/// The location with these faces in any order, and the slot of the first of them.
pub(crate) fn find<const N: usize>(locations: &[[Face; N]], faces: [Face; N]) -> (usize, usize) {
    let at = locations.iter().position(|names| faces.iter().all(|f| names.contains(f)));
    let at = at.expect("the faces name a location");
    (at, locations[at].iter().position(|&f| f == faces[0]).expect("a face of the location"))
}

/// The letters of some faces: the name of a location or a cubie.
pub(crate) fn name(faces: &[Face]) -> String {
    faces.iter().map(|face| face.letter()).collect()
}

/// Whether the cubies (low nibbles) are an odd permutation.
pub(crate) fn odd(cubies: &[u8]) -> bool {
    let inversions =
        (0..cubies.len()).flat_map(|i| (0..i).filter(move |&j| cubies[j] & 15 > cubies[i] & 15)).count();
    inversions % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turns(text: &str) -> Vec<Turn> {
        let all: Vec<_> = Turn::all().map(|t| t.to_string()).collect();
        text.split(' ').map(|t| Turn(all.iter().position(|u| u == t).unwrap() as u8)).collect()
    }

    fn order(text: &str) -> usize {
        let turns = turns(text);
        let mut cube = Cube::SOLVED;
        (1..)
            .find(|_| {
                cube = cube.apply_all(turns.iter().copied());
                cube.is_solved()
            })
            .unwrap()
    }

    #[test]
    fn turns_have_their_known_orders() {
        assert!(Turn::all().all(|t| order(&t.to_string()) == [4, 2, 4][t.quarters() as usize - 1]));
        assert_eq!((order("R U"), order("R U R' U'"), order("R U2 D' B D'")), (105, 6, 1260));
    }

    #[test]
    fn the_superflip_flips_every_edge() {
        let cube = Cube::SOLVED.apply_all(turns("U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2"));
        assert_eq!(cube.corners, Cube::SOLVED.corners);
        assert_eq!(cube.edges, Cube::SOLVED.edges.map(|v| v | 16));
    }

    #[test]
    fn inverse_and_legality() {
        let mut cube = Cube::SOLVED;
        for t in Turn::all().chain(Turn::all().rev_by(7)) {
            cube = cube.apply(t);
            assert!(cube.compose(&cube.inverse()).is_solved() && cube.inverse().compose(&cube).is_solved());
            assert_eq!(Cube::from_cubies(cube.corners, cube.edges), Ok(cube));
            assert!(cube.apply(t).apply(t.inverse()) == cube);
        }
        let mut twisted = Cube::SOLVED;
        twisted.corners[0] = 0x10;
        assert_eq!(Cube::from_cubies(twisted.corners, twisted.edges), Err(IllegalCube::Twist(1)));
    }

    trait RevBy: Iterator<Item = Turn> + Sized {
        fn rev_by(self, step: u8) -> impl Iterator<Item = Turn> {
            self.map(move |t| Turn((t.0 * step + 3) % 18))
        }
    }
    impl<I: Iterator<Item = Turn>> RevBy for I {}
}
