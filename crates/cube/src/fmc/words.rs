//! Strings of at most ten moves that move a few corners, or a few edges, or two corners and two edges, and nothing else.
//!
//! The idea: a string is a first half *a* and the inverse of a second half *b*, of at most five moves each. It leaves the
//! edges as they are if and only if *a* and *b* do the same to the edges. So all halves are sorted by what they do to
//! the edges, and those that agree are joined in pairs; likewise for the corners. A string moves at most two corners if
//! its halves agree on the other six, so for each two corners the halves are sorted by what they do to the others.
//!
//! Each string is found once: a string that the move rules allow has one half *a*, its first moves, the greater half if
//! their number is odd. Pairs that begin with other moves once turns of opposite faces are in order, or become shorter,
//! are left out. None is missed, since both halves obey the move rules.
//!
//! The cost: 624,124 halves of at most five moves, sorted 30 times; 26 bytes each, and 11 bytes for each string.

use super::{length, undo};
use crate::cube::{Cube, Turn};
use crate::metric::Metric;
use search_core::{Cancelled, Run};
use std::collections::HashMap;
use std::iter::zip;
use std::ops::Range;

/// The greatest number of moves of a string.
pub const MOST_MOVES: u32 = 10;
/// The greatest number of pieces of one kind that a string moves.
const MOST_PIECES: u32 = 5;
/// The number of corners, and of edges, that a string of both moves.
const OF_EACH: u32 = 2;
/// The greatest number of moves of a half.
const HALF: usize = MOST_MOVES as usize / 2;

/// The pieces of a cube that are not solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Open {
    /// The number of corners.
    pub corners: u32,
    /// The number of edges.
    pub edges: u32,
    /// The number of cycles that bring their pieces back turned; a piece that is turned in its place is one.
    pub turned: u32,
}

impl Open {
    /// The pieces of a cube that are not solved.
    pub fn of(cube: &Cube) -> Open {
        let (corners, turned) = unsolved(cube.corners(), 3);
        let (edges, flipped) = unsolved(cube.edges(), 2);
        Open { corners, edges, turned: turned + flipped }
    }

    /// The number of pieces.
    pub fn pieces(self) -> u32 {
        self.corners + self.edges
    }

    /// Whether a string may solve these pieces.
    pub fn is_of_a_string(self) -> bool {
        let is_mixed = self.corners == OF_EACH && self.edges == OF_EACH;
        let is_pure = self.corners == 0 || self.edges == 0;
        is_mixed || is_pure && (1..=MOST_PIECES).contains(&self.pieces())
    }

    /// A measure of what is left: two turned corners take more insertions than a cycle of three.
    pub fn left(self) -> u32 {
        self.pieces() + self.turned
    }
}

/// The number of cubies that are not solved, and of the cycles that turn them.
fn unsolved<const N: usize>(cubies: &[u8; N], orientations: u8) -> (u32, u32) {
    let (mut pieces, mut turned, mut seen) = (0, 0, [false; N]);
    for start in 0..N {
        let (mut at, mut length, mut turn) = (start, 0, 0);
        while !seen[at] {
            seen[at] = true;
            (length, turn) = (length + 1, turn + (cubies[at] >> 4));
            at = usize::from(cubies[at] & 15);
        }
        let is_turned = turn % orientations != 0;
        if length > 1 || is_turned {
            (pieces, turned) = (pieces + length, turned + u32::from(is_turned));
        }
    }
    (pieces, turned)
}

/// At most `N` turns.
#[derive(Clone, Copy, Debug)]
struct Few<const N: usize> {
    turns: [Turn; N],
    count: u8,
}

impl<const N: usize> Few<N> {
    fn of(turns: &[Turn]) -> Few<N> {
        let mut few = Few { turns: [Turn::from_index(0); N], count: turns.len() as u8 };
        few.turns[..turns.len()].copy_from_slice(turns);
        few
    }

    fn turns(&self) -> &[Turn] {
        &self.turns[..usize::from(self.count)]
    }
}

/// A half with the cube that it makes from the solved one.
#[derive(Clone, Copy)]
struct Half {
    turns: Few<HALF>,
    cube: Cube,
}

/// The strings, by what they do.
pub struct Words {
    /// Cubes that a string makes from the solved one, each with its strings.
    effects: Vec<(Cube, Range<usize>)>,
    /// The places of these cubes among the effects.
    places: HashMap<Cube, usize>,
    words: Vec<Few<{ MOST_MOVES as usize }>>,
}

impl Words {
    /// All strings of at most `most` moves.
    ///
    /// # Errors
    /// [`Cancelled`].
    ///
    /// # Panics
    /// If `most` exceeds [`MOST_MOVES`].
    pub fn new(metric: Metric, most: u32, run: &Run<'_>) -> Result<Words, Cancelled> {
        assert!(most <= MOST_MOVES, "strings of at most {MOST_MOVES} moves");
        let mut halves = halves(most.div_ceil(2) as usize);
        let mut found: Vec<(Cube, Vec<Turn>)> = Vec::new();
        halves.sort_unstable_by_key(|half| *half.cube.edges());
        for alike in [by_edges, by_corners] {
            let groups: Vec<&[Half]> = halves.chunk_by(alike).filter(|group| group.len() > 1).collect();
            let is_pure = |a: &Half, b: &Half| {
                let [corners, edges] = differences(a, b);
                (1..=MOST_PIECES).contains(&(corners + edges))
            };
            let in_group = |group: &&[Half]| match run.is_cancelled() {
                true => Vec::new(),
                false => pairs(group.iter(), is_pure),
            };
            found.extend(run.map(&groups, in_group).into_iter().flatten());
            run.check()?;
            halves.sort_unstable_by_key(|half| *half.cube.corners());
        }
        let without = |two: &[usize; 2]| if run.is_cancelled() { Vec::new() } else { mixed(&halves, *two) };
        found.extend(run.map(&twos(), without).into_iter().flatten());
        run.check()?;
        found.retain(|(_, turns)| length(metric, turns) <= most);
        found.sort_unstable_by(|(a, short), (b, long)| (a, short.len(), short).cmp(&(b, long.len(), long)));
        Ok(Words::of(&found))
    }

    /// Strings that are sorted by what they do.
    fn of(found: &[(Cube, Vec<Turn>)]) -> Words {
        let mut from = 0;
        let group = |group: &[(Cube, Vec<Turn>)]| {
            from += group.len();
            (group[0].0, from - group.len()..from)
        };
        let effects: Vec<_> = found.chunk_by(|(a, _), (b, _)| a == b).map(group).collect();
        let places = effects.iter().enumerate().map(|(place, (cube, _))| (*cube, place)).collect();
        Words { effects, places, words: found.iter().map(|(_, turns)| Few::of(turns)).collect() }
    }

    /// The cubes that the strings make from the solved one.
    pub fn effects(&self) -> impl Iterator<Item = &Cube> {
        self.effects.iter().map(|(cube, _)| cube)
    }

    /// The strings that make a cube from the solved one, the shortest first.
    pub fn making(&self, cube: &Cube) -> impl Iterator<Item = &[Turn]> {
        let range = self.places.get(cube).map_or(0..0, |&place| self.effects[place].1.clone());
        self.words[range].iter().map(Few::turns)
    }
}

fn by_edges(a: &Half, b: &Half) -> bool {
    a.cube.edges() == b.cube.edges()
}

fn by_corners(a: &Half, b: &Half) -> bool {
    a.cube.corners() == b.cube.corners()
}

/// All halves of at most `most` moves.
fn halves(most: usize) -> Vec<Half> {
    let mut halves = vec![Half { turns: Few::of(&[]), cube: Cube::SOLVED }];
    let mut from = 0;
    for _ in 0..most {
        let last = from..halves.len();
        from = halves.len();
        for at in last {
            let half = halves[at];
            let longer = Turn::all().filter(|&turn| follows(half.turns.turns().last(), turn));
            halves.extend(longer.map(|turn| Half {
                turns: Few::of(&[half.turns.turns(), &[turn]].concat()),
                cube: half.cube.apply(turn),
            }));
        }
    }
    halves
}

/// Whether a turn may follow another: no face twice in a row, opposite faces in one order.
fn follows(last: Option<&Turn>, turn: Turn) -> bool {
    last.is_none_or(|last| !last.shares_axis(turn) || last.face() < turn.face())
}

/// Each two of the eight corners.
fn twos() -> Vec<[usize; 2]> {
    (0..8).flat_map(|second| (0..second).map(move |first| [first, second])).collect()
}

/// The strings of halves that agree on all but two corners, and that move two edges.
fn mixed(halves: &[Half], two: [usize; 2]) -> Vec<(Cube, Vec<Turn>)> {
    let others = |half: &Half| {
        let mut corners = *half.cube.corners();
        two.iter().for_each(|&corner| corners[corner] = u8::MAX);
        u64::from_ne_bytes(corners)
    };
    let mut sorted: Vec<(u64, &Half)> = halves.iter().map(|half| (others(half), half)).collect();
    sorted.sort_unstable_by_key(|(others, half)| (*others, half.turns.count));
    let is_mixed = |a: &Half, b: &Half| {
        let [corners, edges] = differences(a, b);
        corners == OF_EACH && edges == OF_EACH
    };
    let groups = sorted.chunk_by(|(a, _), (b, _)| a == b).filter(|group| group.len() > 1);
    groups.flat_map(|group| pairs(group.iter().map(|(_, half)| *half), is_mixed)).collect()
}

/// The numbers of corners and of edges on which halves differ: a string of both moves as many.
fn differences(a: &Half, b: &Half) -> [u32; 2] {
    let differing = |a: &[u8], b: &[u8]| zip(a, b).filter(|(a, b)| a != b).count() as u32;
    [differing(a.cube.corners(), b.cube.corners()), differing(a.cube.edges(), b.cube.edges())]
}

/// The strings of a first half and the inverse of a second one, of a group of halves.
fn pairs<'a>(
    group: impl Iterator<Item = &'a Half> + Clone,
    is_wanted: impl Fn(&Half, &Half) -> bool,
) -> Vec<(Cube, Vec<Turn>)> {
    let mut found = Vec::new();
    for a in group.clone() {
        let seconds = group.clone().filter(|b| (b.turns.count..=b.turns.count + 1).contains(&a.turns.count));
        for b in seconds.filter(|b| is_wanted(a, b)) {
            let whole = [a.turns.turns(), &undo(b.turns.turns())].concat();
            let word = Metric::Htm.canonical(&whole);
            if word.len() == whole.len() && word.starts_with(a.turns.turns()) {
                found.push((a.cube.compose(&b.cube.inverse()), word));
            }
        }
    }
    found
}
