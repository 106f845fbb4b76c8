//! Rubik's cube as 54 stickers at points in space, turned by rotations.
//!
//! The cube is centred at the origin: x points right, y up, z to the viewer. The centre of each cubie is a point with
//! coordinates -1, 0, 1, and a sticker is one step further out along the normal of its face, so exactly one of its
//! coordinates is -2 or 2. A turn rotates all stickers of some layers by quarter turns around an axis; the new place
//! of a sticker is computed, not looked up.

use crate::Refusal;
use std::fmt;

pub(crate) type Vector = [i32; 3];

/// A face: its letter, its outward normal, and the direction in which its rows run downwards on the usual net
/// (U above F, D below F; L, F, R, B side by side).
struct Face {
    letter: char,
    normal: Vector,
    down: Vector,
}

const FACES: [Face; 6] = [
    Face { letter: 'U', normal: [0, 1, 0], down: [0, 0, 1] },
    Face { letter: 'R', normal: [1, 0, 0], down: [0, -1, 0] },
    Face { letter: 'F', normal: [0, 0, 1], down: [0, -1, 0] },
    Face { letter: 'D', normal: [0, -1, 0], down: [0, 0, -1] },
    Face { letter: 'L', normal: [-1, 0, 0], down: [0, -1, 0] },
    Face { letter: 'B', normal: [0, 0, -1], down: [0, -1, 0] },
];

fn dot(a: Vector, b: Vector) -> i32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// `base + k * direction`.
fn along(base: Vector, k: i32, direction: Vector) -> Vector {
    [base[0] + k * direction[0], base[1] + k * direction[1], base[2] + k * direction[2]]
}

/// Rotates `point` a quarter turn clockwise, as seen from the tip of `normal`.
fn rotate(point: Vector, normal: Vector) -> Vector {
    along(cross(point, normal), dot(point, normal), normal)
}

/// The point of facelet `index` (URFDLB, each face row by row).
fn sticker(index: usize) -> Vector {
    let face = &FACES[index / 9];
    let (row, column) = ((index % 9 / 3) as i32, (index % 3) as i32);
    let right = cross(face.normal, face.down);
    let centre = along([0; 3], 2, face.normal);
    along(along(centre, row - 1, face.down), column - 1, right)
}

/// The facelet at a point of the surface.
///
/// # Panics
/// If no sticker is at this point.
pub(crate) fn facelet_at(point: Vector) -> usize {
    let face = FACES
        .iter()
        .position(|face| dot(point, face.normal) == 2)
        .expect("a point two steps from the centre");
    let Face { normal, down, .. } = FACES[face];
    let (row, column) = (dot(point, down) + 1, dot(point, cross(normal, down)) + 1);
    let facelet = face * 9 + row as usize * 3 + column as usize;
    assert_eq!(sticker(facelet), point, "rotations map stickers to stickers");
    facelet
}

/// A move: some layers perpendicular to the axis of a face, turned clockwise as seen from that face.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    text: String,
    normal: Vector,
    /// The layers that turn: the far one, the middle one, the one at the face itself.
    layers: [bool; 3],
    quarters: u32,
}

/// The face that a turn without its amount follows, and its layers (see [`Move`]).
fn layers(body: &str) -> Option<(char, [bool; 3])> {
    const OUTER: [bool; 3] = [false, false, true];
    const WIDE: [bool; 3] = [false, true, true];
    const MIDDLE: [bool; 3] = [false, true, false];
    const ALL: [bool; 3] = [true, true, true];
    let characters: Vec<char> = body.chars().collect();
    match characters[..] {
        ['M'] => Some(('L', MIDDLE)),
        ['E'] => Some(('D', MIDDLE)),
        ['S'] => Some(('F', MIDDLE)),
        ['x'] => Some(('R', ALL)),
        ['y'] => Some(('U', ALL)),
        ['z'] => Some(('F', ALL)),
        [letter] if letter.is_lowercase() => Some((letter.to_ascii_uppercase(), WIDE)),
        [letter] => Some((letter, OUTER)),
        [letter, 'w'] | ['2', letter, 'w'] => Some((letter, WIDE)),
        ['3', letter, 'w'] => Some((letter, ALL)),
        _ => None,
    }
}

/// The cost of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    /// A turn of a face by any angle costs 1.
    HalfTurn,
    /// A quarter turn of a face costs 1, a half turn 2.
    QuarterTurn,
    /// A turn of a face or of a slice by any angle costs 1.
    SliceTurn,
}

impl Move {
    /// Reads one move: a face turn (`U R2 F'`), a wide turn (`r`, `Rw`, `2Rw`, `3Rw`), a slice
    /// (`M` as L, `E` as D, `S` as F) or a rotation of the whole cube (`x` as R, `y` as U, `z` as F).
    ///
    /// # Errors
    /// A description of the part that cannot be read.
    pub fn parse(text: &str) -> Result<Move, String> {
        let body = text.trim_end_matches(['2', '\'']);
        let quarters = match &text[body.len()..] {
            "" => 1,
            "2" | "2'" | "'2" => 2,
            "'" => 3,
            other => return Err(format!("unknown amount {other:?}")),
        };
        let (letter, layers) = layers(body).ok_or("unknown turn")?;
        let face = FACES.iter().find(|face| face.letter == letter).ok_or("unknown turn")?;
        Ok(Move { text: text.to_string(), normal: face.normal, layers, quarters })
    }

    /// Whether the move turns one outer layer and nothing else.
    pub fn is_face_turn(&self) -> bool {
        self.layers == [false, false, true]
    }

    /// Whether the move turns the layer between two opposite faces and nothing else.
    pub fn is_slice(&self) -> bool {
        self.layers == [false, true, false]
    }

    /// The length of the move: the least cost of the same effect, up to the orientation of the whole cube, by
    /// turning faces, or slices if these cost no more.
    pub fn length(&self, metric: Metric) -> u64 {
        let faces = match self.layers {
            [true, true, true] => 0,
            [false, true, false] => 2,
            _ => 1,
        };
        match metric {
            Metric::HalfTurn => faces,
            Metric::QuarterTurn => faces * u64::from(self.quarters.min(4 - self.quarters)),
            Metric::SliceTurn => faces.min(1),
        }
    }

    /// Whether the move moves the sticker at `point`.
    fn carries(&self, point: Vector) -> bool {
        let layer = dot(point, self.normal).clamp(-1, 1) + 1;
        self.layers[layer as usize]
    }

    /// The point to which the move takes the sticker at `point`.
    fn image(&self, point: Vector) -> Vector {
        if !self.carries(point) {
            return point;
        }
        (0..self.quarters).fold(point, |point, _| rotate(point, self.normal))
    }

    /// The image of each of the 54 facelets.
    pub(crate) fn images(&self) -> [usize; 54] {
        std::array::from_fn(|i| facelet_at(self.image(sticker(i))))
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Reads moves separated by white space.
///
/// # Errors
/// [`Refusal::Move`] names the first one that cannot be read.
pub fn parse_moves(text: &str) -> Result<Vec<Move>, Refusal> {
    let read = |(i, token)| Move::parse(token).map_err(|reason| Refusal::of_move(i + 1, token, reason));
    text.split_whitespace().enumerate().map(read).collect()
}

/// The total length of moves.
pub fn length(moves: &[Move], metric: Metric) -> u64 {
    moves.iter().map(|turn| turn.length(metric)).sum()
}

/// A cube by its appearance: the symbol of each of its 54 stickers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cube {
    facelets: [char; 54],
}

impl Cube {
    /// The solved cube, where each face shows its own letter.
    pub fn solved() -> Cube {
        Cube { facelets: std::array::from_fn(|i| FACES[i / 9].letter) }
    }

    /// Reads 54 symbols, faces in the order URFDLB, each row by row; white space is ignored.
    ///
    /// # Errors
    /// [`Refusal::State`] if there are not exactly 54.
    pub fn parse(text: &str) -> Result<Cube, Refusal> {
        let symbols: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
        match symbols.try_into() {
            Ok(facelets) => Ok(Cube { facelets }),
            Err(symbols) => Err(Refusal::state(format!("{} stickers instead of 54", symbols.len()))),
        }
    }

    /// The cube after a move.
    #[must_use]
    pub fn after(&self, turn: &Move) -> Cube {
        self.moved(&turn.images())
    }

    /// The cube after each facelet has moved to its image.
    pub(crate) fn moved(&self, images: &[usize; 54]) -> Cube {
        let mut next = self.clone();
        for (&symbol, &image) in self.facelets.iter().zip(images) {
            next.facelets[image] = symbol;
        }
        next
    }

    /// The cube after all `moves`, in order.
    #[must_use]
    pub fn after_all(&self, moves: &[Move]) -> Cube {
        moves.iter().fold(self.clone(), |cube, turn| cube.after(turn))
    }

    /// This cube in the first orientation that is the right one, if there is one.
    pub(crate) fn held_as(&self, is_right: impl Fn(&Cube) -> bool) -> Option<Cube> {
        let tips = ["", "x", "x2", "x'", "z", "z'"].into_iter();
        let ways = tips.flat_map(|tip| ["", "y", "y2", "y'"].map(|turn| format!("{tip} {turn}")));
        let mut held = ways.filter_map(|way| Some(self.after_all(&parse_moves(&way).ok()?)));
        held.find(is_right)
    }

    /// The symbols of the 54 stickers.
    pub fn facelets(&self) -> &[char; 54] {
        &self.facelets
    }
}

impl fmt::Display for Cube {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.facelets.iter().try_for_each(|symbol| write!(f, "{symbol}"))
    }
}

/// Checks that `solution` consists of face turns, leads from `start` to `goal`, and has exactly the
/// length `claimed`.
///
/// # Errors
/// The [`Refusal`] names the move that fails and the reason, the end of the moves, or their length.
pub fn check(start: &Cube, goal: &Cube, solution: &str, metric: Metric, claimed: u64) -> Result<(), Refusal> {
    let moves = parse_moves(solution)?;
    if let Some(i) = moves.iter().position(|turn| !turn.is_face_turn()) {
        return Err(Refusal::of_move(i + 1, &moves[i], "a solution may turn only faces"));
    }
    Refusal::verdict(&start.after_all(&moves), goal, length(&moves, metric), claimed)
}

/// Checks that the face turns of `solution` are `claimed` moves of the axial metric: one for each face, and one for two
/// opposite faces that follow each other, which a robot turns at once.
///
/// # Errors
/// The [`Refusal`] names a move that turns more than a face, a face that turns twice in one move, or the number of moves.
pub fn check_axial(solution: &str, claimed: usize) -> Result<(), Refusal> {
    let moves = parse_moves(solution)?;
    let mut count = 0;
    let mut so_far: Vec<char> = Vec::new();
    for (i, turn) in moves.iter().enumerate() {
        let refused = |reason| Refusal::of_move(i + 1, turn, reason);
        let Some(face) = turn.text.chars().next().filter(|_| turn.is_face_turn()) else {
            return Err(refused("a move of the axial metric turns only faces"));
        };
        let is_opposite =
            |&other: &char| ["UD", "RL", "FB"].iter().any(|pair| pair.contains(face) && pair.contains(other));
        if !so_far.iter().all(is_opposite) {
            so_far.clear();
        }
        if so_far.contains(&face) {
            return Err(refused("a face turns twice in one move"));
        }
        count += u64::from(so_far.is_empty());
        so_far.push(face);
    }
    Refusal::verdict(&"", &"", count, claimed as u64)
}

/// Checks that `solution` consists of `claimed` moves that are all `allowed`, and leads from `start` to a cube that
/// looks like `goal` in some orientation. Each move counts as one.
///
/// # Errors
/// The [`Refusal`] names the move that fails and the reason, the end of the moves, or their length.
pub fn check_moves(
    start: &Cube,
    goal: &Cube,
    solution: &str,
    allowed: &[String],
    claimed: usize,
) -> Result<(), Refusal> {
    let moves = parse_moves(solution)?;
    if let Some(i) = moves.iter().position(|turn| !allowed.contains(&turn.text)) {
        return Err(Refusal::of_move(i + 1, &moves[i], "this move is not allowed"));
    }
    let reached = start.after_all(&moves);
    let reached = reached.held_as(|cube| cube == goal).unwrap_or(reached);
    Refusal::verdict(&reached, goal, moves.len() as u64, claimed as u64)
}
