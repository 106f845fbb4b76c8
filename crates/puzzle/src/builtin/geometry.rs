//! Puzzles that are cut out of a polyhedron by planes.
//!
//! The idea: the faces of a convex polyhedron are cut by all planes into polygons, the **stickers**. A turn rotates the
//! stickers on one side of a plane, and each must land exactly on another sticker. A cell of the arrangement of planes
//! is convex, so the stickers that lie on the same side of every plane belong to one **piece**. Places are what turns
//! carry pieces to. The orientation of a piece is the number of the sticker of its place, clockwise, on which its first
//! sticker lies; only stickers that turns can carry to each other are counted, so that every orientation that is
//! modelled can occur. Pieces of one orbit with the same colours look alike.
//!
//! Everything is checked while it is built: stickers that land on none, pieces that a turn splits, and turns that are
//! no cyclic shifts of stickers are panics, which the tests of the built-in puzzles would hit. Floating-point
//! coordinates only decide which stickers coincide.

use crate::definition::{Definition, Named, Role};
use crate::model::{Orbit, OrbitPattern, OrbitTransformation, Pattern, Transformation};
use std::collections::BTreeMap;

/// A point or a direction.
pub(super) type Vector = [f64; 3];

/// Two coordinates that differ by less are the same.
const SAME: f64 = 1e-6;

pub(super) fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(super) fn scaled(a: Vector, by: f64) -> Vector {
    a.map(|x| x * by)
}

pub(super) fn unit(a: Vector) -> Vector {
    scaled(a, 1.0 / dot(a, a).sqrt())
}

fn sum(a: Vector, b: Vector) -> Vector {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// The points `x` with `normal · x = offset`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plane {
    pub(super) normal: Vector,
    pub(super) offset: f64,
}

impl Plane {
    fn side(&self, point: Vector) -> f64 {
        dot(self.normal, point) - self.offset
    }
}

/// A turn: the stickers whose distance along the axis lies between two numbers rotate clockwise, as seen from outside.
#[derive(Clone, Debug)]
pub(super) struct Turn {
    pub(super) name: String,
    pub(super) axis: Vector,
    /// The angle as a part of a whole turn.
    pub(super) angle: f64,
    pub(super) above: f64,
    pub(super) below: f64,
    pub(super) role: Role,
}

/// A puzzle before it is cut.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    pub(super) name: String,
    /// The faces of the polyhedron, whose inside has lower values. The first sticker of a place is on the first face.
    pub(super) faces: Vec<Plane>,
    pub(super) cuts: Vec<Plane>,
    pub(super) turns: Vec<Turn>,
    /// Whether pieces with this number of stickers are part of the puzzle.
    pub(super) keeps: fn(usize) -> bool,
}

/// A polygon on the surface.
struct Sticker {
    face: usize,
    centre: Vector,
    /// For each cut, whether the sticker is above it.
    sides: Vec<bool>,
}

/// The part of a polygon on one side of a plane.
fn clipped(polygon: &[Vector], plane: &Plane, above: bool) -> Vec<Vector> {
    let side = |point: Vector| if above { plane.side(point) } else { -plane.side(point) };
    let mut kept = Vec::new();
    for (number, &from) in polygon.iter().enumerate() {
        let to = polygon[(number + 1) % polygon.len()];
        let (a, b) = (side(from), side(to));
        if a >= -SAME {
            kept.push(from);
        }
        if (a > SAME && b < -SAME) || (a < -SAME && b > SAME) {
            kept.push(sum(scaled(from, b / (b - a)), scaled(to, a / (a - b))));
        }
    }
    kept
}

/// The area of a polygon, and its centre of mass.
fn measured(polygon: &[Vector]) -> (f64, Vector) {
    let Some(&first) = polygon.first() else { return (0.0, [0.0; 3]) };
    let (mut area, mut centre) = (0.0, [0.0; 3]);
    for pair in polygon[1..].windows(2) {
        let minus = scaled(first, -1.0);
        let normal = cross(sum(pair[0], minus), sum(pair[1], minus));
        let part = dot(normal, normal).sqrt() / 2.0;
        let middle = scaled(sum(first, sum(pair[0], pair[1])), 1.0 / 3.0);
        (area, centre) = (area + part, sum(centre, scaled(middle, part)));
    }
    (area, if area > 0.0 { scaled(centre, 1.0 / area) } else { centre })
}

/// A point rotated clockwise about an axis, as seen from the tip of the axis.
fn rotated(point: Vector, axis: Vector, angle: f64) -> Vector {
    let (sin, cos) = (-angle * std::f64::consts::TAU).sin_cos();
    let along = scaled(axis, dot(axis, point) * (1.0 - cos));
    sum(sum(scaled(point, cos), scaled(cross(axis, point), sin)), along)
}

impl Shape {
    fn stickers(&self) -> Vec<Sticker> {
        let mut stickers = Vec::new();
        for (face, plane) in self.faces.iter().enumerate() {
            let other = if plane.normal[0].abs() < 0.9 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
            let (u, middle) = (unit(cross(plane.normal, other)), scaled(plane.normal, plane.offset));
            let v = cross(plane.normal, u);
            let far = 100.0;
            let corner = |a: f64, b: f64| sum(middle, sum(scaled(u, a * far), scaled(v, b * far)));
            let mut polygon =
                vec![corner(1.0, 1.0), corner(-1.0, 1.0), corner(-1.0, -1.0), corner(1.0, -1.0)];
            for (number, other) in self.faces.iter().enumerate() {
                if number != face {
                    polygon = clipped(&polygon, other, false);
                }
            }
            let mut pieces = vec![polygon];
            for cut in &self.cuts {
                let halves =
                    pieces.iter().flat_map(|piece| [true, false].map(|above| clipped(piece, cut, above)));
                pieces = halves.filter(|piece| measured(piece).0 > SAME).collect();
            }
            for piece in pieces {
                let centre = measured(&piece).1;
                let sides = self.cuts.iter().map(|cut| cut.side(centre) > 0.0).collect();
                stickers.push(Sticker { face, centre, sides });
            }
        }
        stickers
    }

    /// Cuts the polyhedron.
    ///
    /// # Panics
    /// If the turns do not carry stickers to stickers and pieces to pieces.
    pub(super) fn cut(&self) -> Definition {
        let stickers = self.stickers();
        let mut by_sides: BTreeMap<Vec<bool>, Vec<usize>> = BTreeMap::new();
        for (number, sticker) in stickers.iter().enumerate() {
            by_sides.entry(sticker.sides.clone()).or_default().push(number);
        }
        let mut pieces: Vec<Vec<usize>> =
            by_sides.into_values().filter(|piece| (self.keeps)(piece.len())).collect();
        pieces.sort_unstable();
        for piece in &mut pieces {
            self.sort_clockwise(piece, &stickers);
        }
        let images: Vec<Vec<usize>> = self.turns.iter().map(|turn| images(turn, &stickers)).collect();
        let places = Places::new(&pieces, &images, stickers.len());
        places.definition(self, &stickers)
    }

    /// Sorts the stickers of a piece clockwise as seen from outside.
    fn sort_clockwise(&self, piece: &mut [usize], stickers: &[Sticker]) {
        let normal = |sticker: usize| self.faces[stickers[sticker].face].normal;
        let axis = piece.iter().fold([0.0; 3], |axis, &sticker| sum(axis, normal(sticker)));
        let first = normal(piece[0]);
        if piece.len() < 3 {
            return;
        }
        let axis = unit(axis);
        let flat = sum(first, scaled(axis, -dot(first, axis)));
        let side = cross(axis, flat);
        let angle = |sticker: &usize| {
            let angle = (-dot(side, normal(*sticker))).atan2(dot(flat, normal(*sticker)));
            if angle < -SAME { angle + std::f64::consts::TAU } else { angle }
        };
        piece.sort_by(|a, b| angle(a).total_cmp(&angle(b)));
    }
}

/// The sticker that each sticker is carried to.
fn images(turn: &Turn, stickers: &[Sticker]) -> Vec<usize> {
    let image = |(number, sticker): (usize, &Sticker)| {
        let along = dot(turn.axis, sticker.centre);
        if along < turn.above || along > turn.below {
            return number;
        }
        let to = rotated(sticker.centre, turn.axis, turn.angle);
        let at = |other: &Sticker| (0..3).all(|axis| (other.centre[axis] - to[axis]).abs() < SAME);
        stickers.iter().position(at).unwrap_or_else(|| panic!("{} carries a sticker to none", turn.name))
    };
    stickers.iter().enumerate().map(image).collect()
}

/// The pieces in orbits, each with the stickers that show its orientation.
struct Places<'a> {
    pieces: &'a [Vec<usize>],
    images: &'a [Vec<usize>],
    /// For each orbit, its pieces, in the order of places.
    orbits: Vec<Vec<usize>>,
    /// For each piece, its stickers that can be carried to each other, clockwise.
    counted: Vec<Vec<usize>>,
}

/// The number of the set of each item, if the images of an item belong to its set.
fn sets(count: usize, images: impl Fn(usize) -> Vec<usize>) -> Vec<usize> {
    let mut set = vec![usize::MAX; count];
    for start in 0..count {
        let mut waiting = vec![start];
        while let Some(item) = waiting.pop() {
            if set[item] == usize::MAX {
                set[item] = start;
                waiting.extend(images(item));
            }
        }
    }
    set
}

impl<'a> Places<'a> {
    fn new(pieces: &'a [Vec<usize>], images: &'a [Vec<usize>], stickers: usize) -> Places<'a> {
        let mut piece_of = vec![usize::MAX; stickers];
        for (number, piece) in pieces.iter().enumerate() {
            piece.iter().for_each(|&sticker| piece_of[sticker] = number);
        }
        let carried = |piece: usize| -> Vec<usize> {
            let to = |images: &Vec<usize>| {
                let to = piece_of[images[pieces[piece][0]]];
                assert!(
                    pieces[piece].iter().all(|&sticker| piece_of[images[sticker]] == to),
                    "a turn splits a piece"
                );
                to
            };
            images.iter().map(to).collect()
        };
        // A turn has finite order, so what it carries to an item it also carries from it.
        let orbit_of = sets(pieces.len(), carried);
        let alike = sets(stickers, |sticker| images.iter().map(|images| images[sticker]).collect());
        let mut orbits: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (piece, &orbit) in orbit_of.iter().enumerate() {
            orbits.entry(orbit).or_default().push(piece);
        }
        let counted = pieces.iter().enumerate().map(|(piece, all)| {
            let first = alike[pieces[orbit_of[piece]][0]];
            let of_set = |&sticker: &usize| alike[sticker] == first;
            // Clockwise, from the sticker on the first face.
            let start = (0..all.len()).filter(|&at| of_set(&all[at])).min_by_key(|&at| all[at]);
            let start = start.expect("a sticker of each kind");
            let turned = all[start..].iter().chain(&all[..start]).copied();
            turned.filter(of_set).collect()
        });
        let counted = counted.collect();
        let mut orbits: Vec<Vec<usize>> = orbits.into_values().collect();
        orbits.sort_by_key(|orbit| (std::cmp::Reverse(pieces[orbit[0]].len().min(3)), orbit.len()));
        Places { pieces, images, orbits, counted }
    }

    fn definition(&self, shape: &Shape, stickers: &[Sticker]) -> Definition {
        let mut orbits: Vec<Orbit> = Vec::new();
        let mut solved = Pattern { orbits: Vec::new() };
        for places in &self.orbits {
            let kind = match self.pieces[places[0]].len() {
                1 => "CENTERS",
                2 => "EDGES",
                _ => "CORNERS",
            };
            let earlier = orbits.iter().filter(|orbit| orbit.name.starts_with(kind)).count();
            let name = if earlier > 0 { format!("{kind}{}", earlier + 1) } else { kind.to_owned() };
            let orbit = Orbit { name, pieces: places.len(), orientations: self.counted[places[0]].len() };
            let colours: Vec<Vec<usize>> =
                places.iter().map(|&piece| self.colours(piece, stickers)).collect();
            let mut kinds: Vec<&Vec<usize>> = Vec::new();
            for colour in &colours {
                if !kinds.contains(&colour) {
                    kinds.push(colour);
                }
            }
            let label = |colour| kinds.iter().position(|&kind| kind == colour).expect("it is listed") as u8;
            let pieces = colours.iter().map(label).collect();
            solved.orbits.push(OrbitPattern { pieces, ..OrbitPattern::distinct(&orbit) });
            orbits.push(orbit);
        }
        let moves = shape.turns.iter().zip(self.images).map(|(turn, images)| Named {
            name: turn.name.clone(),
            transformation: self.transformation(images),
            role: turn.role,
        });
        Definition {
            name: shape.name.clone(),
            moves: moves.collect(),
            orbits,
            solved,
            illegal: Vec::new(),
            remarks: Vec::new(),
        }
    }

    /// The faces of a piece, clockwise from its first counted sticker.
    fn colours(&self, piece: usize, stickers: &[Sticker]) -> Vec<usize> {
        let all = &self.pieces[piece];
        let start =
            all.iter().position(|&sticker| sticker == self.counted[piece][0]).expect("it is one of them");
        (0..all.len()).map(|at| stickers[all[(start + at) % all.len()]].face).collect()
    }

    fn transformation(&self, images: &[usize]) -> Transformation {
        let parts = self.orbits.iter().map(|places| {
            let turns = self.counted[places[0]].len();
            let (mut from, mut turn) = (vec![0; places.len()], vec![0; places.len()]);
            for (source, &piece) in places.iter().enumerate() {
                let carried: Vec<usize> =
                    self.counted[piece].iter().map(|&sticker| images[sticker]).collect();
                let to = places.iter().position(|&other| self.counted[other].contains(&carried[0]));
                let to = to.expect("a place of the orbit");
                let there = &self.counted[places[to]];
                let shift =
                    there.iter().position(|&sticker| sticker == carried[0]).expect("it is one of them");
                assert!(
                    (0..turns).all(|at| there[(at + shift) % turns] == carried[at]),
                    "a turn reorders the stickers of a piece"
                );
                (from[to], turn[to]) = (source as u8, shift as u8);
            }
            OrbitTransformation { from, turn, orientations: turns as u8 }
        });
        Transformation { orbits: parts.collect() }
    }
}
