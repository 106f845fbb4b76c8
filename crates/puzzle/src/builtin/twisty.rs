//! The built-in puzzles that are cut out of polyhedra, with the names of their turns.
//!
//! The viewer looks along the second axis: F is at −y, U at +z, R at +x.

use super::geometry::{Plane, Shape, Turn, Vector, scaled, unit};
use crate::definition::{Definition, Role};
use std::f64::consts::TAU;

/// Beyond every sticker.
const FAR: f64 = 100.0;

/// The face letters of a cube with their directions.
const CUBE: [(&str, Vector); 6] = [
    ("U", [0.0, 0.0, 1.0]),
    ("D", [0.0, 0.0, -1.0]),
    ("F", [0.0, -1.0, 0.0]),
    ("B", [0.0, 1.0, 0.0]),
    ("R", [1.0, 0.0, 0.0]),
    ("L", [-1.0, 0.0, 0.0]),
];

fn face(letter: &str) -> Vector {
    CUBE.iter().find(|(name, _)| *name == letter).expect("a face").1
}

/// A turn of the layers beyond a plane.
fn layer(name: impl Into<String>, axis: Vector, angle: f64, above: f64) -> Turn {
    Turn { name: name.into(), axis, angle, above, below: FAR, role: Role::Counted }
}

/// A rotation of the whole puzzle.
fn rotation(name: impl Into<String>, axis: Vector, angle: f64) -> Turn {
    Turn { role: Role::Rotation, ..layer(name, axis, angle, -FAR) }
}

/// The planes of all axes at some distances, each once.
fn planes(axes: &[Vector], offsets: &[f64]) -> Vec<Plane> {
    axes.iter().flat_map(|&normal| offsets.iter().map(move |&offset| Plane { normal, offset })).collect()
}

fn cube_faces() -> Vec<Plane> {
    CUBE.iter().map(|&(_, normal)| Plane { normal, offset: 1.0 }).collect()
}

fn cube_rotations() -> [Turn; 3] {
    [("x", "R"), ("y", "U"), ("z", "F")].map(|(name, letter)| rotation(name, face(letter), 0.25))
}

/// The cube with `n` layers.
pub(super) fn cube(n: usize) -> Definition {
    // The distance of the plane below the first `layers` layers.
    let depth = |layers: usize| 1.0 - 2.0 * layers as f64 / n as f64;
    let axes = ["U", "F", "R"].map(face);
    let offsets: Vec<f64> = (1..n).map(depth).collect();
    let mut turns = Vec::new();
    let order = ["U", "R", "F", "D", "L", "B"];
    turns.extend(order.map(|letter| layer(letter, face(letter), 0.25, depth(1))));
    let wide = |layers: usize, letter: &str, role| {
        let name = if layers == 2 { format!("{letter}w") } else { format!("{layers}{letter}w") };
        Turn { role, ..layer(name, face(letter), 0.25, depth(layers)) }
    };
    for layers in 2..n {
        // Up to half of the layers; more of them amount to the others and a rotation.
        let role = if 2 * layers <= n { Role::Counted } else { Role::Derived };
        turns.extend(order.map(|letter| wide(layers, letter, role)));
    }
    for slice in 2..n {
        turns.extend(order.map(|letter| Turn {
            below: depth(slice - 1),
            role: Role::Derived,
            ..layer(format!("{slice}{letter}"), face(letter), 0.25, depth(slice))
        }));
    }
    if n % 2 == 1 {
        let middle = n.div_ceil(2);
        turns.extend([("M", "L"), ("E", "D"), ("S", "F")].map(|(name, letter)| Turn {
            below: depth(middle - 1),
            role: Role::Derived,
            ..layer(name, face(letter), 0.25, depth(middle))
        }));
    }
    if n == 3 {
        // Small letters are wide turns here; on larger cubes some people mean the inner slice.
        turns.extend(
            order.map(|letter| Turn { name: letter.to_lowercase(), ..wide(2, letter, Role::Derived) }),
        );
    }
    turns.extend(cube_rotations());
    Shape {
        name: format!("{n}x{n}x{n}"),
        faces: cube_faces(),
        cuts: planes(&axes, &offsets),
        turns,
        keeps: |_| true,
    }
    .cut()
}

/// The direction of a corner or an edge of the cube, such as `UFR`.
fn between(letters: &str) -> Vector {
    let sum = letters.chars().fold([0.0; 3], |sum: Vector, letter| {
        let face = face(&letter.to_string());
        [sum[0] + face[0], sum[1] + face[1], sum[2] + face[2]]
    });
    unit(sum)
}

/// The corners of a cube.
const CORNERS: [&str; 8] = ["UFR", "UFL", "UBL", "UBR", "DFR", "DFL", "DBL", "DBR"];

/// The skewb: four planes through the centre, perpendicular to the diagonals.
pub(super) fn skewb() -> Definition {
    let axes: Vec<Vector> = ["UFR", "UFL", "UBL", "UBR"].map(between).to_vec();
    // In the notation of the World Cube Association, the corner UFR never moves.
    let turns = [("R", "DBR"), ("U", "UBL"), ("L", "DFL"), ("B", "DBL")];
    Shape {
        name: "skewb".to_owned(),
        faces: cube_faces(),
        cuts: planes(&axes, &[0.0]),
        turns: turns.map(|(name, corner)| layer(name, between(corner), 1.0 / 3.0, 0.0)).to_vec(),
        keeps: |_| true,
    }
    .cut()
}

/// The dino cube: each plane goes through the three neighbours of a corner.
pub(super) fn dino() -> Definition {
    let axes: Vec<Vector> = CORNERS.map(between).to_vec();
    let offset = 1.0 / 3.0_f64.sqrt();
    let mut turns: Vec<Turn> =
        CORNERS.iter().zip(&axes).map(|(name, &axis)| layer(*name, axis, 1.0 / 3.0, offset)).collect();
    // Quarter turns of the whole cube would exchange places that turns do not connect.
    turns.extend(["UFR", "UFL"].map(|name| rotation(format!("{name}v"), between(name), 1.0 / 3.0)));
    Shape {
        name: "dino".to_owned(),
        faces: cube_faces(),
        cuts: planes(&axes, &[offset]),
        turns,
        keeps: |_| true,
    }
    .cut()
}

/// The helicopter cube, whose edges turn by half turns only.
pub(super) fn helicopter() -> Definition {
    let edges = ["UF", "UR", "UB", "UL", "FR", "FL", "BR", "BL", "DF", "DR", "DB", "DL"];
    let axes: Vec<Vector> = edges.map(between).to_vec();
    let offset = 0.5_f64.sqrt();
    let mut turns: Vec<Turn> =
        edges.iter().zip(&axes).map(|(name, &axis)| layer(*name, axis, 0.5, offset)).collect();
    turns.extend(cube_rotations());
    let cuts = planes(&axes, &[offset]);
    Shape { name: "helicopter".to_owned(), faces: cube_faces(), cuts, turns, keeps: |_| true }.cut()
}

/// A direction by its height and its angle around the vertical axis, in degrees from the right, seen from above.
fn direction(height: f64, degrees: f64) -> Vector {
    let (sin, cos) = (degrees / 360.0 * TAU).sin_cos();
    let flat = (1.0 - height * height).sqrt();
    [flat * cos, flat * sin, height]
}

/// The pyraminx, with or without its tips.
pub(super) fn pyraminx(tips: bool) -> Definition {
    let vertices = [
        ("U", [0.0, 0.0, 1.0]),
        ("L", direction(-1.0 / 3.0, 210.0)),
        ("R", direction(-1.0 / 3.0, 330.0)),
        ("B", direction(-1.0 / 3.0, 90.0)),
    ];
    let axes: Vec<Vector> = vertices.iter().map(|&(_, axis)| axis).collect();
    let faces = axes.iter().map(|&axis| Plane { normal: scaled(axis, -1.0), offset: 1.0 }).collect();
    // A vertex is at distance 3.
    let (big, tip) = (1.0 / 3.0, 5.0 / 3.0);
    let mut turns = vertices.map(|(name, axis)| layer(name, axis, 1.0 / 3.0, big)).to_vec();
    let mut cuts = planes(&axes, &[big]);
    if tips {
        turns.extend(vertices.map(|(name, axis)| layer(name.to_lowercase(), axis, 1.0 / 3.0, tip)));
        cuts.extend(planes(&axes, &[tip]));
    }
    let name = if tips { "pyraminx" } else { "pyraminx-without-tips" }.to_owned();
    Shape { name, faces, cuts, turns, keeps: |stickers| stickers > 1 }.cut()
}

/// The faces of a dodecahedron with their directions: six around the top, and their opposites.
fn dodecahedron() -> Vec<(&'static str, Vector)> {
    let height = 1.0 / 5.0_f64.sqrt();
    let mut faces = vec![("U", [0.0, 0.0, 1.0])];
    let around = ["F", "R", "BR", "BL", "L"];
    faces.extend(
        around.iter().zip(0..).map(|(&name, at)| (name, direction(height, f64::from(at) * 72.0 - 90.0))),
    );
    let opposite = ["D", "B", "DL", "FL", "FR", "DR"];
    for (at, name) in opposite.into_iter().enumerate() {
        faces.push((name, scaled(faces[at].1, -1.0)));
    }
    faces
}

/// The megaminx, or the kilominx, which has its corners only.
pub(super) fn dodecahedral(name: &str, keeps: fn(usize) -> bool) -> Definition {
    const CUT: f64 = 0.7;
    let faces = dodecahedron();
    let axes: Vec<Vector> = faces.iter().map(|&(_, axis)| axis).collect();
    let mut turns: Vec<Turn> = faces.iter().map(|&(name, axis)| layer(name, axis, 0.2, CUT)).collect();
    // Scrambles turn everything but the left or the upper face by two fifths, clockwise as seen from the other side.
    let direction =
        |letter: &str| scaled(faces.iter().find(|(name, _)| *name == letter).expect("a face").1, -1.0);
    for (name, still, angle) in [("R++", "L", 0.4), ("R--", "L", -0.4), ("D++", "U", 0.4), ("D--", "U", -0.4)]
    {
        turns.push(Turn { role: Role::Derived, ..layer(name, direction(still), angle, -CUT) });
    }
    turns.extend(faces.iter().map(|&(name, axis)| rotation(format!("{name}v"), axis, 0.2)));
    Shape {
        name: name.to_owned(),
        faces: axes.iter().map(|&normal| Plane { normal, offset: 1.0 }).collect(),
        cuts: planes(&axes, &[CUT]),
        turns,
        keeps,
    }
    .cut()
}

/// The face-turning octahedron, held with a vertex in front.
pub(super) fn fto() -> Definition {
    let tall = 2.0_f64.sqrt();
    let front = [
        ("U", [0.0, -1.0, tall]),
        ("F", [0.0, -1.0, -tall]),
        ("R", [tall, -1.0, 0.0]),
        ("L", [-tall, -1.0, 0.0]),
    ];
    let opposite = ["D", "B", "BL", "BR"];
    let mut faces: Vec<(&str, Vector)> = front.map(|(name, axis)| (name, unit(axis))).to_vec();
    for (at, name) in opposite.into_iter().enumerate() {
        faces.push((name, scaled(faces[at].1, -1.0)));
    }
    let axes: Vec<Vector> = faces.iter().map(|&(_, axis)| axis).collect();
    const CUT: f64 = 1.0 / 3.0;
    let mut turns: Vec<Turn> = faces.iter().map(|&(name, axis)| layer(name, axis, 1.0 / 3.0, CUT)).collect();
    turns.extend(faces.iter().map(|&(name, axis)| rotation(format!("{name}v"), axis, 1.0 / 3.0)));
    Shape {
        name: "fto".to_owned(),
        faces: axes.iter().map(|&normal| Plane { normal, offset: 1.0 }).collect(),
        cuts: planes(&axes, &[CUT]),
        turns,
        keeps: |_| true,
    }
    .cut()
}
