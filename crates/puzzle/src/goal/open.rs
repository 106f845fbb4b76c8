//! The parts of a goal that are left open, by places of the goal.

use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;

use crate::fault::Faults;
use crate::model::Puzzle;

/// Some places of an orbit, or all of them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Places {
    /// The name of the orbit.
    pub orbit: String,
    /// The places, numbered from 0; `None` for all.
    pub places: Option<Vec<usize>>,
}

/// The parts of a goal that are left open. By default nothing is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Open {
    /// Places whose pieces do not matter: any of the pieces that the goal has at these places may be at each of them, in
    /// any orientation.
    pub ignored: Vec<Places>,
    /// Places whose pieces may have any orientation.
    pub unoriented: Vec<Places>,
    /// Sets of places whose pieces are interchangeable: each may be at any place of its set.
    pub alike: Vec<Places>,
}

impl Open {
    /// Sets [`ignored`](Open#structfield.ignored).
    #[must_use]
    pub fn ignored(self, ignored: Vec<Places>) -> Open {
        Open { ignored, ..self }
    }

    /// Sets [`unoriented`](Open#structfield.unoriented).
    #[must_use]
    pub fn unoriented(self, unoriented: Vec<Places>) -> Open {
        Open { unoriented, ..self }
    }

    /// Sets [`alike`](Open#structfield.alike).
    #[must_use]
    pub fn alike(self, alike: Vec<Places>) -> Open {
        Open { alike, ..self }
    }

    /// Whether nothing is left open.
    pub fn is_none(&self) -> bool {
        *self == Open::default()
    }

    /// For each orbit of `puzzle`, what is open at each place.
    pub(super) fn resolve(&self, puzzle: &Puzzle) -> Result<Vec<OpenPlaces>, Faults> {
        let none = |orbit: &crate::model::Orbit| OpenPlaces {
            set: vec![None; orbit.pieces],
            unoriented: vec![false; orbit.pieces],
        };
        let mut open: Vec<OpenPlaces> = puzzle.orbits().iter().map(none).collect();
        let mut faults = Vec::new();
        // The ignored places of an orbit are one set, the first.
        let ignored = self.ignored.iter().map(|places| (places, 0));
        for (places, set) in ignored.chain(self.alike.iter().zip(1..)) {
            let found = places.find(puzzle).map_err(|fault| faults.push(fault));
            let Ok((orbit, found)) = found else { continue };
            let of = &mut open[orbit];
            for place in found {
                match of.set[place].replace(set) {
                    Some(other) if other != set => faults.push(format!(
                        "place {place} of {} belongs to two sets of interchangeable pieces",
                        places.orbit
                    )),
                    _ => of.unoriented[place] |= set == 0,
                }
            }
        }
        for places in &self.unoriented {
            match places.find(puzzle) {
                Ok((orbit, found)) => found.iter().for_each(|&place| open[orbit].unoriented[place] = true),
                Err(fault) => faults.push(fault),
            }
        }
        Faults::unless_none(faults, || open)
    }
}

/// The open places of an orbit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OpenPlaces {
    /// The set of interchangeable pieces that the place belongs to, if any.
    pub(super) set: Vec<Option<usize>>,
    /// Whether the orientation does not matter.
    pub(super) unoriented: Vec<bool>,
}

impl Places {
    /// The number of the orbit, and the places.
    fn find(&self, puzzle: &Puzzle) -> Result<(usize, Vec<usize>), String> {
        let orbits = puzzle.orbits();
        let Some(number) = orbits.iter().position(|orbit| orbit.name == self.orbit) else {
            let names: Vec<&str> = orbits.iter().map(|orbit| orbit.name.as_str()).take(20).collect();
            return Err(format!(
                "no moves carry pieces of an orbit {}; orbits are {}",
                self.orbit,
                names.join(", ")
            ));
        };
        let all = orbits[number].pieces;
        let places = self.places.clone().unwrap_or_else(|| (0..all).collect());
        match places.iter().find(|&&place| place >= all) {
            Some(place) => Err(format!("{} has no place {place}: places are 0 to {}", self.orbit, all - 1)),
            None => Ok((number, places)),
        }
    }
}

/// The reason why a text does not name places.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` names no places: write ORBIT or ORBIT:PLACES, such as CORNERS or CORNERS:0-3,7")]
pub struct InvalidPlaces(String);

impl FromStr for Places {
    type Err = InvalidPlaces;

    fn from_str(text: &str) -> Result<Places, InvalidPlaces> {
        let invalid = || InvalidPlaces(text.to_owned());
        let Some((orbit, list)) = text.rsplit_once(':') else {
            let orbit = text.trim().to_owned();
            return if orbit.is_empty() { Err(invalid()) } else { Ok(Places { orbit, places: None }) };
        };
        let number = |text: &str| text.trim().parse::<u8>().map(usize::from).map_err(|_| invalid());
        let (mut places, mut seen) = (Vec::new(), HashSet::new());
        for item in list.split(',') {
            let (first, last) = item.split_once('-').unwrap_or((item, item));
            let (first, last) = (number(first)?, number(last)?);
            if first > last {
                return Err(invalid());
            }
            places.extend((first..=last).filter(|&place| seen.insert(place)));
        }
        Ok(Places { orbit: orbit.trim().to_owned(), places: Some(places) })
    }
}

impl fmt::Display for Places {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.orbit)?;
        let Some(places) = &self.places else { return Ok(()) };
        let places: Vec<String> = places.iter().map(usize::to_string).collect();
        write!(f, ":{}", places.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_places_are_read() {
        let read = |text: &str| text.parse::<Places>().map(|places| places.to_string());
        assert_eq!(read("CORNERS").as_deref(), Ok("CORNERS"));
        assert_eq!(read("CORNERS: 0-3, 7,2").as_deref(), Ok("CORNERS:0,1,2,3,7"));
        for text in ["", "A:", "A:3-1", "A:x", "A:1-", "A:300", "A:-1"] {
            assert_eq!(read(text), Err(InvalidPlaces(text.to_owned())));
        }
    }
}
