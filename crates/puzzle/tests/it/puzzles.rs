//! Small puzzles, made by turning pieces in space.

use puzzle::{Move, Orbit, OrbitTransformation, Pattern, Puzzle, PuzzleParts, Rotation, Transformation};

type Vector = [i32; 3];
type Matrix = [Vector; 3];

fn times(matrix: &Matrix, vector: Vector) -> Vector {
    matrix.map(|row| row.iter().zip(vector).map(|(a, b)| a * b).sum())
}

fn dot(a: Vector, b: Vector) -> i32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Quarter turns about the axes.
const X: Matrix = [[1, 0, 0], [0, 0, 1], [0, -1, 0]];
const Y: Matrix = [[0, 0, -1], [0, 1, 0], [1, 0, 0]];
const Z: Matrix = [[0, 1, 0], [-1, 0, 0], [0, 0, 1]];

/// A third of a turn about a corner of the cube, which exchanges the axes in turn, with signs.
fn third(corner: Vector) -> Matrix {
    let [x, y, z] = corner;
    [[0, 0, x * z], [y * x, 0, 0], [0, z * y, 0]]
}

/// Pieces of one orbit: the position of each, and where its stickers point, clockwise.
struct Pieces {
    name: &'static str,
    pieces: Vec<(Vector, Vec<Vector>)>,
}

impl Pieces {
    fn new(name: &'static str, positions: impl IntoIterator<Item = Vector>, stickers: &[Vector]) -> Pieces {
        let facets = |position: Vector| {
            let mut facets: Vec<Vector> =
                stickers.iter().copied().filter(|&sticker| dot(position, sticker) > 0).collect();
            if facets.len() == 3 && dot(cross(facets[0], facets[1]), position) > 0 {
                facets.swap(1, 2);
            }
            facets
        };
        Pieces { name, pieces: positions.into_iter().map(|at| (at, facets(at))).collect() }
    }

    /// Centres whose stickers look alike in every orientation.
    fn centres(name: &'static str, positions: impl IntoIterator<Item = Vector>) -> Pieces {
        Pieces { name, pieces: positions.into_iter().map(|at| (at, vec![at])).collect() }
    }

    fn orbit(&self) -> Orbit {
        Orbit { name: self.name.to_owned(), pieces: self.pieces.len(), orientations: self.pieces[0].1.len() }
    }

    fn turned(&self, by: &Matrix, moves: impl Fn(Vector) -> bool) -> OrbitTransformation {
        let mut turned = OrbitTransformation::identity(&self.orbit());
        for (from, (position, facets)) in self.pieces.iter().enumerate() {
            if moves(*position) {
                let (to, facet) = (times(by, *position), times(by, facets[0]));
                let place = self.pieces.iter().position(|(at, _)| *at == to).expect("a place");
                let turn = self.pieces[place].1.iter().position(|at| *at == facet).expect("a sticker");
                turned.from[place] = from as u8;
                turned.turn[place] = turn as u8;
            }
        }
        turned
    }
}

fn all_turned(orbits: &[Pieces], by: &Matrix, moves: impl Fn(usize, Vector) -> bool) -> Transformation {
    let of = |(orbit, pieces): (usize, &Pieces)| pieces.turned(by, |at| moves(orbit, at));
    Transformation { orbits: orbits.iter().enumerate().map(of).collect() }
}

/// A puzzle of these base moves and all their powers.
pub fn with_powers(
    name: &str,
    orbits: Vec<Orbit>,
    base: Vec<(String, Transformation)>,
    rotations: Vec<(&str, Transformation)>,
) -> Puzzle {
    let mut moves = Vec::new();
    for (number, (name, first)) in base.iter().enumerate() {
        let order = first.order().expect("a small order");
        for power in 1..order {
            let name = match power {
                1 => name.clone(),
                last if last + 1 == order => format!("{name}'"),
                middle => format!("{name}{middle}"),
            };
            moves.push(Move { name, transformation: first.power(power), base: number, power: power as u32 });
        }
    }
    let rotations = rotations.into_iter();
    Puzzle::new(PuzzleParts {
        name: name.to_owned(),
        solved: Pattern::distinct(&orbits),
        moves,
        free: Vec::new(),
        rotations: rotations
            .map(|(name, transformation)| Rotation { name: name.to_owned(), transformation })
            .collect(),
        illegal: Vec::new(),
        orbits,
    })
    .expect("a consistent puzzle")
}

fn signs() -> impl Iterator<Item = Vector> {
    (0..8).map(|bits| [0, 1, 2].map(|axis| 1 - 2 * (bits >> axis & 1)))
}

fn faces() -> [Vector; 6] {
    [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]]
}

fn inverse(matrix: &Matrix) -> Matrix {
    std::array::from_fn(|row| std::array::from_fn(|column| matrix[column][row]))
}

fn cube(name: &str, orbits: &[Pieces], moves: &str, rotations: &[&str]) -> Puzzle {
    let face = |name: char| match name {
        'U' => ([0, 1, 0], Y),
        'D' => ([0, -1, 0], inverse(&Y)),
        'R' => ([1, 0, 0], X),
        'L' => ([-1, 0, 0], inverse(&X)),
        'F' => ([0, 0, 1], Z),
        _ => ([0, 0, -1], inverse(&Z)),
    };
    let base = moves.chars().map(|name| {
        let (normal, matrix) = face(name);
        (name.to_string(), all_turned(orbits, &matrix, |_, at| dot(at, normal) > 0))
    });
    let rotation = |name: &&'static str| {
        let matrix = match *name {
            "x" => X,
            "y" => Y,
            _ => Z,
        };
        (*name, all_turned(orbits, &matrix, |_, _| true))
    };
    let names: Vec<&'static str> =
        ["x", "y", "z"].into_iter().filter(|name| rotations.contains(name)).collect();
    let of = orbits.iter().map(Pieces::orbit).collect();
    with_powers(name, of, base.collect(), names.iter().map(rotation).collect())
}

fn corners() -> Pieces {
    // The sticker up or down is the first.
    let stickers = [[0, 1, 0], [0, -1, 0], [1, 0, 0], [-1, 0, 0], [0, 0, 1], [0, 0, -1]];
    Pieces::new("CORNERS", signs(), &stickers)
}

fn edges() -> Pieces {
    let all = (0..27).map(|at| [at % 3 - 1, at / 3 % 3 - 1, at / 9 - 1]);
    Pieces::new("EDGES", all.filter(|at| dot(*at, *at) == 2), &faces())
}

/// The 2x2x2 cube with these moves and rotations.
pub fn pocket_cube(moves: &str, rotations: &[&str]) -> Puzzle {
    cube("2x2x2", &[corners()], moves, rotations)
}

/// The 3x3x3 cube with these moves and rotations.
pub fn cube3(moves: &str, rotations: &[&str]) -> Puzzle {
    let orbits = [corners(), edges(), Pieces::centres("CENTERS", faces())];
    cube("3x3x3", &orbits, moves, rotations)
}

/// The skewb with turns of all eight corners and free rotations.
pub fn skewb() -> Puzzle {
    let orbits = [corners(), Pieces::centres("CENTERS", faces())];
    let base = signs().enumerate().map(|(number, corner)| {
        // The corner itself and its three neighbours; the three centres beside it.
        let turn = all_turned(&orbits, &third(corner), |_, at| dot(at, corner) > 0);
        (format!("c{number}"), turn)
    });
    let rotations = [("x", X), ("y", Y)].map(|(name, by)| (name, all_turned(&orbits, &by, |_, _| true)));
    with_powers("skewb", orbits.iter().map(Pieces::orbit).collect(), base.collect(), rotations.into())
}

/// The pyraminx, with or without turns of its tips, with its rotations if wanted.
pub fn pyraminx(tips: bool, rotated: bool) -> Puzzle {
    let vertices: [Vector; 4] = [[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]];
    let faces_of = vertices.map(|vertex| vertex.map(|at| -at));
    let mut orbits =
        vec![Pieces::new("EDGES", faces(), &faces_of), Pieces::new("AXIALS", vertices, &faces_of)];
    if tips {
        orbits.push(Pieces::new("TIPS", vertices, &faces_of));
    }
    let mut base: Vec<(String, Transformation)> = Vec::new();
    for (name, vertex) in ["U", "L", "R", "B"].into_iter().zip(vertices) {
        // Of the vertices only the turned one has a positive product; of the edges its three.
        let turn = all_turned(&orbits, &third(vertex), |_, at| dot(at, vertex) > 0);
        base.push((name.to_owned(), turn));
        if tips {
            let turn = all_turned(&orbits, &third(vertex), |orbit, at| orbit == 2 && at == vertex);
            base.push((name.to_lowercase(), turn));
        }
    }
    let turns = [("Uv", vertices[0]), ("Lv", vertices[1])];
    let rotations = turns.map(|(name, vertex)| (name, all_turned(&orbits, &third(vertex), |_, _| true)));
    let rotations = if rotated { rotations.into() } else { Vec::new() };
    let name = if tips { "pyraminx with tips" } else { "pyraminx" };
    with_powers(name, orbits.iter().map(Pieces::orbit).collect(), base, rotations)
}

/// A puzzle of one orbit without orientations, by moves that are not multiplied.
pub fn permutations(name: &str, moves: Vec<(String, Vec<u8>)>) -> Puzzle {
    let pieces = moves[0].1.len();
    let orbits = vec![Orbit { name: "PIECES".into(), pieces, orientations: 1 }];
    let moves = moves.into_iter().enumerate().map(|(base, (name, from))| {
        let part = OrbitTransformation { turn: vec![0; from.len()], from, orientations: 1 };
        Move { name, transformation: Transformation { orbits: vec![part] }, base, power: 1 }
    });
    Puzzle::new(PuzzleParts {
        name: name.to_owned(),
        moves: moves.collect(),
        free: Vec::new(),
        rotations: Vec::new(),
        solved: Pattern::distinct(&orbits),
        illegal: Vec::new(),
        orbits,
    })
    .expect("a consistent puzzle")
}

/// A stack of pancakes.
pub fn pancakes(count: u8) -> Puzzle {
    let flip = |top: u8| (format!("f{top}"), (0..top).rev().chain(top..count).collect());
    permutations("pancakes", (2..=count).map(flip).collect())
}

/// TopSpin: a ring of `count` tokens, whose first `turned` are reversed.
pub fn top_spin(count: u8, turned: u8) -> Puzzle {
    let left = (0..count).map(|at| (at + 1) % count).collect();
    let right = (0..count).map(|at| (at + count - 1) % count).collect();
    let flip = (0..turned).rev().chain(turned..count).collect();
    permutations("topspin", vec![("L".into(), left), ("R".into(), right), ("F".into(), flip)])
}
