//! The space of cubes that the referee searches: codes of pieces, and turns that act on them.

use super::pieces::{Piece, Place};
use crate::certificate::search::{End, Space};
use crate::cube::parse_moves;

/// A turn of a face or a slice: for each place, the place that its piece comes from, as a shift in bits, and the
/// codes after the turn.
pub(super) struct Turn {
    pub(super) text: String,
    from: [u32; 20],
    after: Vec<[u8; 32]>,
}

impl Turn {
    pub(super) fn applied(&self, cube: u128) -> u128 {
        let mut next = 0;
        for (place, (from, after)) in self.from.iter().zip(&self.after).enumerate() {
            next |= u128::from(after[(cube >> from & 31) as usize]) << (5 * place);
        }
        next
    }
}

/// Cubes as numbers, five bits per place; one start and the goals.
pub(super) struct Turns {
    pub(super) start: u128,
    pub(super) goals: Vec<u128>,
    pub(super) turns: Vec<Turn>,
}

/// The codes of all places as a number.
pub(super) fn packed(codes: &[u8]) -> u128 {
    codes.iter().rev().fold(0, |packed, &code| packed << 5 | u128::from(code))
}

/// A turn that leaves the centres in place, from the model of stickers, where `code` is the code of a piece.
pub(super) fn turn(text: String, places: &[Place], code: impl Fn(&Piece) -> u8) -> Turn {
    let moves = parse_moves(&text).expect("a face turn, or a slice and a rotation");
    let image = |facelet| moves.iter().fold(facelet, |facelet, turn| turn.images()[facelet]);
    let images: [usize; 54] = std::array::from_fn(image);
    let mut turn = Turn { text, from: [0; 20], after: vec![[0; 32]; 20] };
    for (from, place) in places.iter().enumerate() {
        let image = images[place[0]];
        let lands = |(to, at): (usize, &Place)| Some((to, at.iter().position(|&facelet| facelet == image)?));
        let (to, slot) = places.iter().enumerate().find_map(lands).expect("a turn takes places to places");
        let sides = place.len();
        turn.from[to] = 5 * from as u32;
        for home in (0..20).filter(|&home| places[home].len() == sides) {
            for turned in 0..sides {
                let before = code(&Piece { home, turned });
                turn.after[to][usize::from(before)] =
                    code(&Piece { home, turned: (turned + sides - slot) % sides });
            }
        }
    }
    turn
}

impl Space for Turns {
    type State = u128;

    fn ends(&self, end: End) -> Vec<u128> {
        match end {
            End::Start => vec![self.start],
            End::Goal => self.goals.clone(),
        }
    }

    fn neighbours(&self, state: u128, mut visit: impl FnMut(u128)) {
        self.turns.iter().for_each(|turn| visit(turn.applied(state)));
    }
}
