//! Reference implementations: breadth-first search over whole cubes, and plain enumeration of turns.
//!
//! Nothing here uses the automata, the heuristics or the search, only turns applied to cubes. The move rules are
//! implemented a second time.

use crate::{Cube, Face, Metric, Turn};
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// All cubes within some moves of the solved one.
pub struct Ball {
    metric: Metric,
    distance: HashMap<Cube, u32>,
    /// The cubes at each distance.
    pub layers: Vec<Vec<Cube>>,
}

impl Ball {
    /// Breadth-first search to `radius` moves.
    pub fn new(metric: Metric, radius: usize) -> Ball {
        let mut distance = HashMap::from([(Cube::SOLVED, 0)]);
        let mut layers = vec![vec![Cube::SOLVED]];
        for depth in 1..=radius {
            let mut layer = Vec::new();
            for cube in &layers[depth - 1] {
                for next in metric.turns().iter().map(|&turn| cube.apply(turn)) {
                    distance.entry(next).or_insert_with(|| {
                        layer.push(next);
                        depth as u32
                    });
                }
            }
            layers.push(layer);
        }
        Ball { metric, distance, layers }
    }

    /// The metric of the distances.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// The greatest distance in the ball.
    pub fn radius(&self) -> u32 {
        self.layers.len() as u32 - 1
    }

    /// The exact distance of a cube, if it lies in the ball.
    pub fn distance(&self, cube: &Cube) -> Option<u32> {
        self.distance.get(cube).copied()
    }

    /// The exact distance of a cube at most `far` moves beyond this ball: grows a ball around the cube, layer by layer,
    /// until it meets this one.
    pub fn meet(&self, cube: &Cube, far: usize) -> Option<u32> {
        self.layers[..=far].iter().zip(0..).find_map(|(layer, made)| {
            let left = layer.iter().filter_map(|moves| self.distance(&cube.compose(moves))).min();
            left.map(|left| made + left)
        })
    }

    /// All canonical strings of at most `length` moves that solve the cube at their end and not before, by length and
    /// then in the order of the turns.
    pub fn solutions(&self, cube: &Cube, length: u32) -> Vec<Vec<Turn>> {
        let enumeration = Enumeration {
            turns: self.metric.turns(),
            metric: self.metric,
            distance: &|cube| self.distance(cube),
            radius: self.radius(),
        };
        enumeration.solutions(cube, length)
    }
}

/// The same for any goal.
pub fn solutions(
    metric: Metric,
    accepts: &dyn Fn(&Cube) -> bool,
    cube: &Cube,
    length: u32,
) -> Vec<Vec<Turn>> {
    solutions_with(metric.turns(), metric, accepts, cube, length)
}

/// The same with these turns alone.
pub fn solutions_with(
    turns: &[Turn],
    metric: Metric,
    accepts: &dyn Fn(&Cube) -> bool,
    cube: &Cube,
    length: u32,
) -> Vec<Vec<Turn>> {
    let distance = |cube: &Cube| accepts(cube).then_some(0);
    Enumeration { turns, metric, distance: &distance, radius: 0 }.solutions(cube, length)
}

/// Whether a part of a canonical string of half-turn moves is without effect, in any order of turns of opposite faces.
pub fn has_loop(turns: &[Turn]) -> bool {
    let pairs: Vec<usize> =
        (1..turns.len()).filter(|&at| turns[at - 1].face() == turns[at].face().opposite()).collect();
    (0..1_usize << pairs.len()).any(|exchanged| {
        let mut turns = turns.to_vec();
        for (_, &at) in pairs.iter().enumerate().filter(|(pair, _)| exchanged >> pair & 1 == 1) {
            turns.swap(at - 1, at);
        }
        let (mut cube, mut passed) = (Cube::SOLVED, HashSet::from([Cube::SOLVED]));
        turns.iter().any(|&turn| {
            cube = cube.apply(turn);
            !passed.insert(cube)
        })
    })
}

/// Plain enumeration, which skips the last levels only where distances up to the radius are known.
struct Enumeration<'a> {
    turns: &'a [Turn],
    metric: Metric,
    distance: &'a dyn Fn(&Cube) -> Option<u32>,
    radius: u32,
}

impl Enumeration<'_> {
    fn solutions(&self, cube: &Cube, length: u32) -> Vec<Vec<Turn>> {
        let mut all = Vec::new();
        self.extend(cube, length, &mut Vec::new(), &mut all);
        // Those of one length stay in the order of the turns.
        all.sort_by_key(Vec::len);
        all
    }

    /// Adds the solutions that begin with the turns `made` and have at most `left` more.
    fn extend(&self, cube: &Cube, left: u32, made: &mut Vec<Turn>, all: &mut Vec<Vec<Turn>>) {
        match (self.distance)(cube) {
            Some(distance) if distance > left => return,
            None if left <= self.radius => return,
            Some(0) => return all.push(made.clone()),
            _ if left == 0 => return,
            _ => {}
        }
        for &turn in self.turns {
            if follows(self.metric, made, turn) {
                made.push(turn);
                self.extend(&cube.apply(turn), left - 1, made, all);
                made.pop();
            }
        }
    }
}

/// Whether the move rules let `turn` follow `made`: opposite faces in the order of [`Face`], no face twice in a row,
/// except twice clockwise in the quarter-turn metric, for a half turn.
fn follows(metric: Metric, made: &[Turn], turn: Turn) -> bool {
    let face = |back: usize| -> Option<Face> { Some(made[made.len().checked_sub(back)?].face()) };
    match face(1) {
        Some(last) if last == turn.face() => {
            let clockwise = turn.quarters() == 1 && made[made.len() - 1].quarters() == 1;
            metric == Metric::Qtm && clockwise && face(2) != Some(last)
        }
        Some(last) => last != turn.face().opposite() || last < turn.face(),
        None => true,
    }
}

/// All cubes within five moves, in the half-turn metric.
pub fn htm() -> &'static Ball {
    static BALL: LazyLock<Ball> = LazyLock::new(|| Ball::new(Metric::Htm, 5));
    &BALL
}

/// All cubes within five quarter turns.
pub fn qtm() -> &'static Ball {
    static BALL: LazyLock<Ball> = LazyLock::new(|| Ball::new(Metric::Qtm, 5));
    &BALL
}
