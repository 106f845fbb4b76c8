//! Orbits and moves of a puzzle that is given as data.
//!
//! An orbit has places and an equal number of pieces, and for each of them the same number of orientations. A
//! **point** is a place with an orientation: point `first + orientations * place + orientation`. A move is a
//! permutation of all points: the sticker at `from[p]` moves to point `p`. A puzzle that is given by generators
//! has one orbit without orientations.

/// The maximum number of points of a puzzle.
pub const MOST_POINTS: usize = 256;
/// The maximum number of moves of a puzzle.
pub const MOST_MOVES: usize = 64;

/// All faults of a definition, a state or a pattern.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.join("; "))]
pub struct Faults(pub Vec<String>);

impl From<String> for Faults {
    fn from(fault: String) -> Faults {
        Faults(vec![fault])
    }
}

/// A set of pieces that moves permute among themselves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Orbit {
    /// Its name.
    pub name: String,
    /// The number of places, equal to that of pieces.
    pub pieces: usize,
    /// The number of orientations, at least 1.
    pub orientations: usize,
}

/// A move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// Its name.
    pub name: String,
    /// For each point `p`, the point whose sticker moves to it.
    pub from: Vec<usize>,
}

/// The definition of a puzzle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Definition {
    /// The orbits in the order of their points.
    pub orbits: Vec<Orbit>,
    /// The moves.
    pub moves: Vec<Move>,
}

impl Definition {
    /// The puzzle whose moves are these named permutations of places: the piece at place `from[p]` moves to
    /// place `p`.
    ///
    /// # Errors
    /// [`Faults`], if there are none or they have different lengths.
    pub fn from_generators(
        generators: impl IntoIterator<Item = (String, Vec<usize>)>,
    ) -> Result<Definition, Faults> {
        let moves: Vec<Move> = generators.into_iter().map(|(name, from)| Move { name, from }).collect();
        let Some(pieces) = moves.first().map(|first| first.from.len()) else {
            return Err(Faults(vec!["there are no generators".to_owned()]));
        };
        let orbit = Orbit { name: "PIECES".to_owned(), pieces, orientations: 1 };
        Ok(Definition { orbits: vec![orbit], moves })
    }

    /// The number of points.
    pub fn points(&self) -> usize {
        self.orbits.iter().map(|orbit| orbit.pieces * orbit.orientations).sum()
    }

    /// The number of pieces.
    pub fn pieces(&self) -> usize {
        self.orbits.iter().map(|orbit| orbit.pieces).sum()
    }

    /// The same puzzle with all powers of each move as moves: `U`, `U2`, `U'`.
    #[must_use]
    pub fn with_powers(&self) -> Definition {
        let mut moves: Vec<Move> = Vec::new();
        for first in &self.moves {
            let order = order(&first.from);
            let mut power = first.from.clone();
            for exponent in 1..order {
                let name = match exponent {
                    1 => first.name.clone(),
                    last if last + 1 == order => format!("{}'", first.name),
                    middle => format!("{}{middle}", first.name),
                };
                if moves.iter().all(|known| known.from != power) {
                    moves.push(Move { name, from: power.clone() });
                }
                power = power.iter().map(|&point| first.from[point]).collect();
            }
        }
        Definition { orbits: self.orbits.clone(), moves }
    }

    /// All faults of the orbits and moves.
    pub fn faults(&self) -> Vec<String> {
        let (points, mut faults) = (self.points(), Vec::new());
        if !(2..=MOST_POINTS).contains(&points) {
            faults.push(format!("the puzzle has {points} points instead of 2 to {MOST_POINTS}"));
        }
        if !(1..=MOST_MOVES).contains(&self.moves.len()) {
            faults.push(format!("the puzzle has {} moves instead of 1 to {MOST_MOVES}", self.moves.len()));
        }
        for (number, step) in self.moves.iter().enumerate() {
            if self.moves[..number].iter().any(|other| other.name == step.name) {
                faults.push(format!("two moves have the name {}", step.name));
            }
            faults.extend(self.faults_of(step));
        }
        faults
    }

    /// The first fault of a move; later ones would only follow from it.
    fn faults_of(&self, step: &Move) -> Option<String> {
        let (points, name) = (self.points(), &step.name);
        if step.from.len() != points {
            return Some(format!("move {name} permutes {} of {points} points", step.from.len()));
        }
        let mut seen = vec![false; points];
        for &point in &step.from {
            match seen.get_mut(point) {
                None => {
                    return Some(format!(
                        "move {name} names point {point}, but points are 0 to {}",
                        points - 1
                    ));
                }
                Some(true) => return Some(format!("move {name} names {point} twice")),
                Some(new) => *new = true,
            }
        }
        let mut first = 0;
        for orbit in &self.orbits {
            let end = first + orbit.pieces * orbit.orientations;
            for place in step.from[first..end].chunks(orbit.orientations) {
                let keeps = |at: usize| {
                    let turned = place[at].wrapping_sub(place[0] - (place[0] - first) % orbit.orientations);
                    place[at] >= first
                        && turned == ((place[0] - first) % orbit.orientations + at) % orbit.orientations
                };
                if place[0] < first || place[0] >= end || !(0..orbit.orientations).all(keeps) {
                    return Some(format!(
                        "move {name} splits pieces of {}, or moves them to another orbit",
                        orbit.name
                    ));
                }
            }
            first = end;
        }
        None
    }
}

/// The least power of a permutation that is the identity.
fn order(from: &[usize]) -> usize {
    let mut seen = vec![false; from.len()];
    let mut order = 1;
    for start in 0..from.len() {
        let (mut at, mut length) = (start, 0);
        while at < from.len() && !std::mem::replace(&mut seen[at], true) {
            (at, length) = (from[at], length + 1);
        }
        if length > 1 {
            order = lcm(order, length);
        }
    }
    order
}

fn lcm(a: usize, b: usize) -> usize {
    let (mut x, mut y) = (a, b);
    while y > 0 {
        (x, y) = (y, x % y);
    }
    a / x * b
}

#[cfg(test)]
mod tests {
    use super::*;

    fn generators(moves: &[&[usize]]) -> Definition {
        let named = moves.iter().enumerate().map(|(i, from)| (format!("m{i}"), from.to_vec()));
        Definition::from_generators(named).expect("there are moves")
    }

    #[test]
    fn every_fault_is_named() {
        let faults =
            generators(&[&[1, 0, 2], &[0, 0, 1], &[0, 1], &[0, 1, 3]]).puzzle().expect_err("faults").0;
        assert_eq!(faults.len(), 3, "{faults:?}");
        assert!(faults[0].contains("names 0 twice") && faults[1].contains("2 of 3 points"));
        assert!(Definition::from_generators([]).is_err());
    }

    #[test]
    fn powers_are_moves() {
        let cycle = generators(&[&[1, 2, 3, 0]]).with_powers();
        let names: Vec<&str> = cycle.moves.iter().map(|step| &step.name[..]).collect();
        assert_eq!(names, ["m0", "m02", "m0'"]);
        assert_eq!(cycle.moves[1].from, [2, 3, 0, 1]);
        // A move of order two is its own inverse.
        assert_eq!(generators(&[&[1, 0, 2]]).with_powers().moves.len(), 1);
    }

    #[test]
    fn pieces_stay_whole() {
        let orbits = vec![Orbit { name: "CORNERS".into(), pieces: 2, orientations: 3 }];
        let step = |from: &[usize]| Definition {
            orbits: orbits.clone(),
            moves: vec![Move { name: "t".into(), from: from.to_vec() }],
        };
        assert!(step(&[4, 5, 3, 0, 1, 2]).puzzle().is_ok());
        assert!(step(&[5, 4, 3, 0, 1, 2]).puzzle().is_err());
        assert!(step(&[3, 4, 2, 0, 1, 5]).puzzle().is_err());
    }
}
