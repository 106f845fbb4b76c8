//! A cube as 54 facelets: the faces U, R, F, D, L, B, each row by row as on the usual net.
//!
//! Any six symbols can be used (letters, digits, coloured squares); white space, commas and comments between
//! them are ignored. The centres show which symbol belongs to which face, so the cube may be held in any
//! orientation. If the symbols are the letters `U R F D L B` themselves and the centres are those of a rotated
//! cube, the letters name the faces: the cube is rotated back, and the [`Orientation`] records how it was
//! held. With other symbols the upper face is U, and so on.

use super::fault::{Defect, Fault};
use super::format::Format;
use super::orientation::Orientation;
use super::pieces::Seen;
use super::text;
use crate::cube::{CORNERS, Cube, EDGES, Face};

/// The default symbols of the faces U, R, F, D, L, B: their letters.
pub const LETTERS: [char; 6] = ['U', 'R', 'F', 'D', 'L', 'B'];

/// A cube that was given by its facelets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facelets {
    /// The cube, by its own faces.
    pub cube: Cube,
    /// The orientation in which it was held.
    pub orientation: Orientation,
    /// The symbols of the centres at the places U, R, F, D, L, B.
    pub centres: [char; 6],
}

/// Reads 54 facelets.
///
/// # Errors
/// A [`Fault`] with everything that is wrong: the count, symbols that do not occur nine times,
/// repeated centres, impossible, duplicate and missing pieces, twist, flip, parity.
pub fn parse(text: &str) -> Result<Facelets, Fault> {
    let symbols = text::symbols(text);
    let mut defects = miscounts(&symbols);
    let cube = match <&[char; 54]>::try_from(symbols.as_slice()) {
        Ok(facelets) => held_cube(facelets, &mut defects),
        Err(_) => {
            defects.insert(0, Defect::FaceletCount(symbols.len()));
            None
        }
    };
    match cube {
        Some((held, centres)) if defects.is_empty() => {
            let orientation = orientation(centres);
            Ok(Facelets { cube: orientation.cube_from_held(&held), orientation, centres })
        }
        _ => {
            defects.splice(0..0, only_order(&symbols).map(Defect::FaceOrder));
            Err(Fault::of(Format::Facelets, defects))
        }
    }
}

/// Reads an order of the faces, such as `ULFRBD`.
///
/// # Errors
/// If it does not name each face once.
pub fn face_order(text: &str) -> Result<[Face; 6], Fault> {
    let faces: Vec<Face> = text.chars().filter_map(Face::from_letter).collect();
    let all_once = text.chars().count() == 6 && Face::ALL.iter().all(|face| faces.contains(face));
    let order = faces.try_into().ok().filter(|_| all_once);
    order.ok_or_else(|| Fault::unread(Defect::FaceNames))
}

/// Converts facelets in the given order of the faces to the usual order.
///
/// # Errors
/// If there are not 54.
pub fn reordered(text: &str, order: [Face; 6]) -> Result<String, Fault> {
    let symbols = text::symbols(text);
    match <&[char; 54]>::try_from(symbols.as_slice()) {
        Ok(facelets) => Ok(in_usual_order(facelets, order).iter().collect()),
        Err(_) => Err(Fault::of(Format::Facelets, vec![Defect::FaceletCount(symbols.len())])),
    }
}

fn in_usual_order(facelets: &[char; 54], order: [Face; 6]) -> [char; 54] {
    let mut usual = *facelets;
    for (block, face) in facelets.chunks(9).zip(order) {
        usual[9 * face.index()..][..9].copy_from_slice(block);
    }
    usual
}

/// The order of the faces in which the facelets are those of a legal cube; `None` if no order or more than one
/// order fits.
fn only_order(symbols: &[char]) -> Option<String> {
    let facelets = <&[char; 54]>::try_from(symbols).ok().filter(|_| miscounts(symbols).is_empty())?;
    let mut orders: Vec<Vec<Face>> = vec![Vec::new()];
    for _ in Face::ALL {
        let longer = |order: Vec<Face>| {
            let free = Face::ALL.into_iter().filter(|face| !order.contains(face));
            free.map(|face| [&order[..], &[face]].concat()).collect::<Vec<_>>()
        };
        orders = orders.into_iter().flat_map(longer).collect();
    }
    let is_legal = |order: &Vec<Face>| {
        let order = <[Face; 6]>::try_from(order.as_slice()).expect("six faces");
        held_cube(&in_usual_order(facelets, order), &mut Vec::new()).is_some()
    };
    let mut legal = orders.iter().filter(|order| is_legal(order));
    let only = legal.next()?;
    legal.next().is_none().then(|| only.iter().map(|face| face.letter()).collect())
}

/// The facelets of a cube, one letter each, without spaces.
pub fn format(cube: &Cube) -> String {
    format_with(cube, LETTERS)
}

/// The facelets of a cube whose faces U, R, F, D, L, B have the given symbols.
pub fn format_with(cube: &Cube, symbols: [char; 6]) -> String {
    let seen = Seen::on(cube, symbols);
    let mut facelets: [char; 54] = std::array::from_fn(|i| symbols[i / 9]);
    for (at, stickers) in of_corners().iter().zip(seen.corners) {
        at.iter().zip(stickers).for_each(|(&facelet, symbol)| facelets[facelet] = symbol);
    }
    for (at, stickers) in of_edges().iter().zip(seen.edges) {
        at.iter().zip(stickers).for_each(|(&facelet, symbol)| facelets[facelet] = symbol);
    }
    facelets.iter().collect()
}

/// The cube as held, and its centres; `None` if centres or pieces have defects.
fn held_cube(facelets: &[char; 54], defects: &mut Vec<Defect>) -> Option<(Cube, [char; 6])> {
    let centres: [char; 6] = std::array::from_fn(|face| facelets[9 * face + 4]);
    let repeated = repeated_centres(&centres);
    if !repeated.is_empty() {
        defects.extend(repeated);
        return None;
    }
    let seen = Seen {
        symbols: centres,
        corners: of_corners().map(|at| at.map(|facelet| facelets[facelet])),
        edges: of_edges().map(|at| at.map(|facelet| facelets[facelet])),
    };
    match seen.cube() {
        Ok(cube) => Some((cube, centres)),
        Err(wrong) => {
            defects.extend(wrong);
            None
        }
    }
}

/// The facelets of each corner location of [`CORNERS`], in the order of the location's faces.
pub fn of_corners() -> [[usize; 3]; 8] {
    CORNERS.map(|faces| std::array::from_fn(|slot| index(&faces, slot)))
}

/// The facelets of each edge location of [`EDGES`], in the order of the location's faces.
pub fn of_edges() -> [[usize; 2]; 12] {
    EDGES.map(|faces| std::array::from_fn(|slot| index(&faces, slot)))
}

/// The orientation of a cube with these centres.
fn orientation(centres: [char; 6]) -> Orientation {
    let has = |held: &Orientation| Face::ALL.map(|place| held.face_at(place).letter()) == centres;
    Orientation::all().find(has).unwrap_or(Orientation::HOME)
}

/// Wrong counts: the number of different symbols is not six, or a symbol does not occur nine times.
fn miscounts(symbols: &[char]) -> Vec<Defect> {
    let mut kinds: Vec<(char, usize)> = Vec::new();
    for &symbol in symbols {
        match kinds.iter_mut().find(|(known, _)| *known == symbol) {
            Some((_, count)) => *count += 1,
            None => kinds.push((symbol, 1)),
        }
    }
    let mut defects = Vec::new();
    if kinds.len() != 6 {
        defects.push(Defect::SymbolKinds(kinds.iter().map(|(symbol, _)| *symbol).collect()));
    }
    let wrong = kinds.into_iter().filter(|&(_, count)| count != 9);
    defects.extend(wrong.map(|(symbol, count)| Defect::SymbolCount { symbol, count }));
    defects
}

fn repeated_centres(centres: &[char; 6]) -> Vec<Defect> {
    let faces_with = |symbol: char| -> Vec<String> {
        let with = (0..6).filter(|&face| centres[face] == symbol);
        with.map(|face| LETTERS[face].to_string()).collect()
    };
    let first = |&face: &usize| !centres[..face].contains(&centres[face]);
    let all = (0..6).filter(first).map(|face| (centres[face], faces_with(centres[face])));
    all.filter(|(_, faces)| faces.len() > 1)
        .map(|(symbol, faces)| Defect::SameCentre { symbol, faces })
        .collect()
}

/// The facelet on the face `location[slot]` that touches the location's other faces.
fn index(location: &[Face], slot: usize) -> usize {
    let face = location[slot];
    let [top, right, bottom, left] = sides(face);
    let step = |before, after| match (location.contains(&before), location.contains(&after)) {
        (true, _) => 0,
        (_, true) => 2,
        _ => 1,
    };
    9 * face.index() + 3 * step(top, bottom) + step(left, right)
}

/// The faces above, right of, below and left of a face on the net.
fn sides(face: Face) -> [Face; 4] {
    let mut sides = face.around();
    if face == Face::U {
        sides.rotate_left(2); // The list of U begins with F, which is below U on the net.
    }
    sides
}
