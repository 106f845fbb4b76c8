//! The pieces behind the stickers of a cube, and the laws that they obey.

use crate::certificate::game::is_odd;
use crate::cube::{Cube, Vector, facelet_at};

/// The facelets of one place; those of a corner are in clockwise order from the one on U or D.
pub(super) type Place = Vec<usize>;

/// The places: 8 corners, then 12 edges.
pub(super) fn places() -> Vec<Place> {
    let mut places: Vec<Place> = Vec::new();
    for code in 0..27 {
        let centre: Vector = [code % 3 - 1, code / 3 % 3 - 1, code / 9 - 1];
        let sides: Vec<usize> = match centre.iter().product::<i32>() {
            1 => vec![1, 2, 0],
            -1 => vec![1, 0, 2],
            _ => [1, 2, 0].into_iter().filter(|&axis| centre[axis] != 0).collect(),
        };
        let facelet = |&axis: &usize| {
            let mut point = centre;
            point[axis] *= 2;
            facelet_at(point)
        };
        if sides.len() >= 2 {
            places.push(sides.iter().map(facelet).collect());
        }
    }
    places.sort_by_key(|place| std::cmp::Reverse(place.len()));
    places
}

/// The facelet at the centre of the face of a facelet.
fn centre_of(facelet: usize) -> usize {
    facelet / 9 * 9 + 4
}

/// The piece at a place, and its orientation there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    /// The place where it belongs.
    pub(super) home: usize,
    pub(super) turned: usize,
}

/// The piece with these colours, in any order.
pub(super) fn named(name: &str, on: &Cube, places: &[Place]) -> Option<usize> {
    let sorted = |mut symbols: Vec<char>| {
        symbols.sort_unstable();
        symbols
    };
    let wanted = sorted(name.chars().take(4).collect());
    let colours = |place: &Place| place.iter().map(|&facelet| on.facelets()[centre_of(facelet)]).collect();
    places.iter().position(|place| sorted(colours(place)) == wanted)
}

/// The piece at each place of a cube that turns can reach, or the law that it breaks.
pub(super) fn pieces(cube: &Cube, places: &[Place]) -> Result<Vec<Piece>, String> {
    let symbols = cube.facelets();
    if (0..6).any(|face| (0..face).any(|other| symbols[9 * face + 4] == symbols[9 * other + 4])) {
        return Err("two centres have the same colour".to_owned());
    }
    let colour = |facelet: usize| symbols[centre_of(facelet)];
    let piece = |place: &Place| {
        let sides = place.len();
        let fits = |home: &Place, turned: usize| {
            home.len() == sides && (0..sides).all(|i| symbols[place[i]] == colour(home[(i + turned) % sides]))
        };
        let found = (0..places.len()).find_map(|home| {
            (0..sides).find(|&turned| fits(&places[home], turned)).map(|turned| Piece { home, turned })
        });
        let shown = || place.iter().map(|&facelet| symbols[facelet]).collect::<String>();
        found.ok_or_else(|| format!("there is no piece {:?}", shown()))
    };
    let pieces: Vec<Piece> = places.iter().map(piece).collect::<Result<_, _>>()?;
    if let Some(lacking) = (0..places.len()).find(|&home| pieces.iter().all(|piece| piece.home != home)) {
        let name: String = places[lacking].iter().map(|&facelet| colour(facelet)).collect();
        return Err(format!("the piece {name} is missing"));
    }
    let (corners, edges) = pieces.split_at(8);
    let turned = |some: &[Piece]| some.iter().map(|piece| piece.turned).sum::<usize>();
    if turned(corners) % 3 != 0 {
        return Err("a corner is twisted".to_owned());
    }
    if turned(edges) % 2 != 0 {
        return Err("an edge is flipped".to_owned());
    }
    if is_odd_arrangement(corners) != is_odd_arrangement(edges) {
        return Err("two pieces are swapped".to_owned());
    }
    Ok(pieces)
}

/// Whether the pieces, all corners or all edges, are an odd permutation of the solved ones.
pub(super) fn is_odd_arrangement(pieces: &[Piece]) -> bool {
    let first = pieces.iter().map(|piece| piece.home).min().unwrap_or(0);
    is_odd(&pieces.iter().map(|piece| piece.home - first).collect::<Vec<_>>())
}
