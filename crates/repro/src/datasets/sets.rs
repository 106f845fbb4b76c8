//! The sets: their puzzles, numbers of instances and the way of drawing them.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::SeedableRng;
use clap::ValueEnum;
use cube::metric::Metric;
use cube::notation::facelets;
use cube::random::{below, random_cube};
use cube::{Cube, Turn};
use serde::{Deserialize, Serialize};
use slidetile::random::Instances;
use slidetile::{Board, Puzzle};

/// A set by its name.
#[derive(ValueEnum, Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum SetName {
    /// Uniformly random cubes in the half-turn metric: ten thousand
    Cubes,
    /// Cubes at each distance from 1 to 18 in the half-turn metric: a thousand of each
    CubeDistances,
    /// Uniformly random 15-puzzles: a thousand
    Fifteen,
    /// Uniformly random 19-puzzles, 4x5: a hundred
    Nineteen,
    /// The fifty 24-puzzles of Korf & Felner 2002
    Fifty,
}

impl SetName {
    /// The name.
    pub fn name(self) -> String {
        self.to_possible_value().expect("every set has a name").get_name().to_owned()
    }

    /// The intended number of instances; in a set with distances, of each distance.
    pub fn count(self) -> usize {
        match self {
            SetName::Cubes => 10_000,
            SetName::CubeDistances | SetName::Fifteen => 1_000,
            SetName::Nineteen => 100,
            SetName::Fifty => 50,
        }
    }

    /// A description of how its instances are chosen.
    pub fn sampling(self) -> &'static str {
        match self {
            SetName::Cubes => "uniformly random legal cubes",
            SetName::CubeDistances => {
                "the cubes that d random turns under the move rules lead to, where their distance is d; each cube \
                 once, so at small distances there may be fewer; a cube with several shortest solutions is \
                 proportionally likelier"
            }
            SetName::Fifteen | SetName::Nineteen => "uniformly random solvable boards",
            SetName::Fifty => "the instances of Korf & Felner 2002, fewest nodes in the paper first",
        }
    }

    /// The board; `None` for the cube.
    pub fn board(self) -> Option<Board> {
        match self {
            SetName::Cubes | SetName::CubeDistances => None,
            SetName::Fifteen => Board::new(4, 4),
            SetName::Nineteen => Board::new(4, 5),
            SetName::Fifty => Board::new(5, 5),
        }
    }

    /// Its sections of `count` instances each; in a set with distances, one per distance up to `farthest`.
    pub fn sections(self, count: usize, farthest: u32) -> Vec<Section> {
        let whole = |draws| Section { set: self, name: self.name(), length: None, count, draws };
        match self {
            SetName::CubeDistances => (1..=farthest)
                .map(|distance| Section {
                    set: self,
                    name: format!("distance-{distance}"),
                    length: Some(distance),
                    count,
                    draws: 20 * count as u64 + 500,
                })
                .collect(),
            SetName::Fifty => vec![whole(50)],
            _ => vec![whole(u64::MAX)],
        }
    }
}

/// A part of a set whose instances are drawn alike.
pub struct Section {
    set: SetName,
    /// Its name.
    pub name: String,
    /// The required length of a shortest solution, if there is one.
    pub length: Option<u32>,
    /// The number of instances.
    pub count: usize,
    /// The greatest number of instances that are drawn.
    pub draws: u64,
}

impl Section {
    /// The instances in the order in which they are drawn, with repetitions.
    pub fn instances(&self, seed: u64) -> Box<dyn Iterator<Item = String>> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let text = |cube: Cube| facelets::format(&cube);
        match (self.set, self.length) {
            (SetName::Cubes, _) => Box::new(std::iter::repeat_with(move || text(random_cube(&mut rng)))),
            (SetName::CubeDistances, length) => {
                let turns = length.unwrap_or_default();
                rng.set_stream(u64::from(turns));
                Box::new(std::iter::repeat_with(move || text(walk(turns, &mut rng))))
            }
            (SetName::Fifty, _) => Box::new(fifty().into_iter()),
            (set, _) => {
                let board = set.board().expect("a board");
                let goal = *Puzzle::blank_first(board).goal();
                Box::new(Instances::new(board, goal, seed).map(move |tiles| tiles.text(board)))
            }
        }
    }
}

/// The cube after `turns` random turns: each string that the move rules allow is equally likely
/// where every turn has equally many successors, as after the first turn of an axis.
fn walk(turns: u32, rng: &mut ChaCha8Rng) -> Cube {
    let automaton = Metric::Htm.automaton();
    let (mut cube, mut state) = (Cube::SOLVED, automaton.start());
    for _ in 0..turns {
        let next = |turn: &Turn| automaton.next(state, Metric::Htm.operator(*turn)?).map(|to| (*turn, to));
        let allowed: Vec<_> = Metric::Htm.turns().iter().filter_map(next).collect();
        let (turn, to) = allowed[below(allowed.len() as u32, rng) as usize];
        (cube, state) = (cube.apply(turn), to);
    }
    cube
}

/// The fifty instances, as numbers separated by spaces, fewest nodes of 2002 first, so that a stopped run has most of
/// them.
fn fifty() -> Vec<String> {
    let file = include_str!("../../../../fixtures/sliding-tiles/korf-felner-2002-fifty.csv");
    let instance = |row: &str| {
        let (_, nodes) = row.rsplit_once(',')?;
        Some((nodes.parse::<u64>().ok()?, row.split('"').nth(1)?.replace(',', " ")))
    };
    let mut instances: Vec<_> =
        file.lines().filter(|line| !line.starts_with('#')).filter_map(instance).collect();
    instances.sort();
    instances.into_iter().map(|(_, tiles)| tiles).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_have_their_instances_names_and_sections() {
        assert_eq!(fifty().len(), 50);
        // Number 38, of 38,173,507 nodes.
        let easiest = "10 3 24 12 0 7 8 11 14 21 22 23 2 1 9 17 18 6 20 4 13 15 5 19 16";
        assert_eq!(fifty()[0], easiest);
        assert_eq!(SetName::CubeDistances.sections(1000, 18).len(), 18);
        for set in SetName::value_variants() {
            for section in set.sections(3, 18) {
                let first: Vec<String> = section.instances(1).take(3).collect();
                assert_eq!(first, section.instances(1).take(3).collect::<Vec<_>>());
            }
        }
    }
}
