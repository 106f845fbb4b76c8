//! The built-in puzzles that are defined by permutations.

use crate::definition::{Definition, Named, Role};
use crate::model::{Illegal, Orbit, OrbitTransformation, Pattern, Transformation};

/// A puzzle with one orbit of distinct pieces; each move has a name, a role and its transformation.
fn of_one_orbit(name: String, orbit: Orbit, moves: Vec<(String, Role, OrbitTransformation)>) -> Definition {
    let orbits = vec![orbit];
    let named =
        |(name, role, part)| Named { name, transformation: Transformation { orbits: vec![part] }, role };
    Definition {
        name,
        solved: Pattern::distinct(&orbits),
        moves: moves.into_iter().map(named).collect(),
        orbits,
        illegal: Vec::new(),
        remarks: Vec::new(),
    }
}

/// A permutation of places: the piece at `from(place)` moves to `place`.
fn permuted(places: usize, from: impl Fn(usize) -> usize) -> OrbitTransformation {
    let from = (0..places).map(|place| from(place) as u8).collect();
    OrbitTransformation { from, turn: vec![0; places], orientations: 1 }
}

/// TopSpin: `F` reverses the first `k` of `n` pieces in a ring, and `R` shifts the ring, which is free.
pub(super) fn topspin(n: usize, k: usize) -> Definition {
    let orbit = Orbit { name: "PIECES".to_owned(), pieces: n, orientations: 1 };
    let flip = permuted(n, |place| if place < k { k - 1 - place } else { place });
    let shift = permuted(n, |place| (place + 1) % n);
    let moves = vec![("F".to_owned(), Role::Counted, flip), ("R".to_owned(), Role::Rotation, shift)];
    of_one_orbit(format!("topspin-{n}-{k}"), orbit, moves)
}

/// A stack of pancakes: `f3` turns the topmost three over. Burnt pancakes have two sides.
pub(super) fn pancakes(n: usize, burnt: bool) -> Definition {
    let sides = if burnt { 2 } else { 1 };
    let orbit = Orbit { name: "PANCAKES".to_owned(), pieces: n, orientations: sides };
    let moves = (if burnt { 1 } else { 2 }..=n).map(|many| {
        let mut part = permuted(n, |place| if place < many { many - 1 - place } else { place });
        if burnt {
            part.orientations = 2;
            part.turn[..many].fill(1);
        }
        (format!("f{many}"), Role::Counted, part)
    });
    let kind = if burnt { "burnt-pancake" } else { "pancake" };
    of_one_orbit(format!("{kind}-{n}"), orbit, moves.collect())
}

/// Lights Out: `b3` switches the light in the second column and third row, and its neighbours.
pub(super) fn lights_out(rows: usize, columns: usize) -> Definition {
    let lights = rows * columns;
    let orbit = Orbit { name: "LIGHTS".to_owned(), pieces: lights, orientations: 2 };
    let mut moves = Vec::new();
    for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
        let mut part = permuted(lights, |place| place);
        part.orientations = 2;
        for (other, turn) in part.turn.iter_mut().enumerate() {
            let distance = (other / columns).abs_diff(row) + (other % columns).abs_diff(column);
            *turn = u8::from(distance <= 1);
        }
        let letter = char::from(b'a' + column as u8);
        moves.push((format!("{letter}{}", row + 1), Role::Counted, part));
    }
    of_one_orbit(format!("lights-out-{rows}x{columns}"), orbit, moves)
}

/// A map of the projective line, whose point at infinity is `None`.
type OnTheLine = dyn Fn(Option<u64>) -> Option<u64>;

/// The projective line over the field with `p` elements, the last point being infinity, as a permutation puzzle.
fn projective(name: &str, p: u64, moves: [(&str, &OnTheLine); 3]) -> Definition {
    let places = p as usize + 1;
    let orbit = Orbit { name: "POINTS".to_owned(), pieces: places, orientations: 1 };
    let moves = moves.map(|(name, image)| {
        let point = |place: usize| if place as u64 == p { None } else { Some(place as u64) };
        let place = |point: Option<u64>| point.unwrap_or(p) as usize;
        let mut part = permuted(places, |place| place);
        for source in 0..places {
            part.from[place(image(point(source)))] = source as u8;
        }
        (name.to_owned(), Role::Counted, part)
    });
    of_one_orbit(name.to_owned(), orbit, moves.to_vec())
}

fn power(base: u64, exponent: u64, p: u64) -> u64 {
    (0..exponent).fold(1, |product, _| product * base % p)
}

/// The point `-1/x`.
fn negative_inverse(x: Option<u64>, p: u64) -> Option<u64> {
    match x {
        None => Some(0),
        Some(0) => None,
        Some(x) => Some((p - power(x, p - 2, p)) % p),
    }
}

/// The Mathieu group M12 on the projective line over 11 elements: `x + 1`, `-1/x` and `4x² - 3x⁷`.
pub(super) fn m12() -> Definition {
    const P: u64 = 11;
    projective(
        "m12",
        P,
        [
            ("A", &|x| x.map(|x| (x + 1) % P)),
            ("C", &|x| negative_inverse(x, P)),
            ("D", &|x| x.map(|x| (4 * power(x, 2, P) + (P - 3) * power(x, 7, P)) % P)),
        ],
    )
}

/// The Mathieu group M24 on the projective line over 23 elements: `x + 1`, `-1/x`, and `x³/9` for squares, `9x³` for
/// other numbers.
pub(super) fn m24() -> Definition {
    const P: u64 = 23;
    projective(
        "m24",
        P,
        [
            ("A", &|x| x.map(|x| (x + 1) % P)),
            ("C", &|x| negative_inverse(x, P)),
            ("D", &|x| {
                x.map(|x| {
                    let is_square = x == 0 || power(x, (P - 1) / 2, P) == 1;
                    let factor = if is_square { power(9, P - 2, P) } else { 9 };
                    power(x, 3, P) * factor % P
                })
            }),
        ],
    )
}

/// Square-1: a turn of the upper or lower layer by any angle is a move, and so is a twist of the right half.
///
/// Each layer has twelve slots of 30 degrees, numbered clockwise as seen from its own side, from the cut in front: the
/// upper layer has the slots 0 to 11, whose second half lies to the right of the cut, the lower one the slots 12 to 23,
/// whose first half does. A corner fills two slots. A state is illegal if a cut would divide a corner, that is, if the
/// second half of a corner follows a cut. A rotation of the right half carries the slots 6 to 11, from the back to the
/// front, to the slots 12 to 17, from the front to the back; so the halves of a corner keep their order.
pub(super) fn square_1() -> Definition {
    let orbits = vec![
        Orbit { name: "SLOTS".to_owned(), pieces: 24, orientations: 1 },
        Orbit { name: "EQUATOR".to_owned(), pieces: 1, orientations: 2 },
    ];
    let turned = |upper: i32, lower: i32| {
        let from = |place: usize| {
            let (first, by) = if place < 12 { (0, upper) } else { (12, lower) };
            first + (place as i32 - first as i32 - by).rem_euclid(12) as usize
        };
        let equator = OrbitTransformation { from: vec![0], turn: vec![0], orientations: 2 };
        Transformation { orbits: vec![permuted(24, from), equator] }
    };
    let twist = Transformation {
        orbits: vec![
            permuted(24, |place| match place {
                6..=11 => place + 6,
                12..=17 => place - 6,
                _ => place,
            }),
            OrbitTransformation { from: vec![0], turn: vec![1], orientations: 2 },
        ],
    };
    let named = |name: &str, transformation, role| Named { name: name.to_owned(), transformation, role };
    let mut moves = vec![
        named("U", turned(1, 0), Role::Counted),
        named("D", turned(0, 1), Role::Counted),
        named("/", twist, Role::Counted),
    ];
    for (upper, lower) in (-6..=6).flat_map(|upper| (-6..=6).map(move |lower| (upper, lower))) {
        moves.push(named(&format!("({upper},{lower})"), turned(upper, lower), Role::Derived));
    }
    // Clockwise from the cut in front: upper corner, edge, corner, edge and so on; lower edge, corner and so on.
    let second_halves = (0..24_u8).filter(|slot| if *slot < 12 { slot % 3 == 1 } else { slot % 3 == 2 });
    let illegal = second_halves
        .flat_map(|piece| [0, 6, 12, 18].map(|place| Illegal { orbit: 0, place, piece }))
        .collect();
    Definition {
        name: "square-1".to_owned(),
        solved: Pattern::distinct(&orbits),
        orbits,
        moves,
        illegal,
        remarks: Vec::new(),
    }
}
