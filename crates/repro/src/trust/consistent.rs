//! Forged tables of exact distances in which neighbours still differ by at most one.
//!
//! A random change of an entry mostly leaves a neighbour that differs from it by two, which any check of neighbours
//! finds. So entries are changed together here. The least and the greatest of two functions that change by at most one
//! along each move do so too, hence two kinds of change keep the property:
//!
//! - **Lowered**: an entry gets a value below its distance, and all entries so near to it that they would exceed that
//!   value by more than their number of moves from it are lowered to what is allowed. A greatest distance among its
//!   neighbours is lowered alone.
//! - **Raised**: the same with an entry above its distance. Then a goal is raised too, because distances are the greatest
//!   such values that are 0 at the goals.
//!
//! Each forgery is compared with the true neighbours before it is tried. The proof must refuse it: an entry needs a
//! neighbour that is smaller by one, and only goals are 0.

use super::Outcome;
use super::forged::{below, recipe_of, write};
use chacha20::ChaCha8Rng;
use chacha20::rand_core::SeedableRng;
use cube::Metric;
use cube::pdb::edges::Edges;
use puzzle_cli::Failure;
use search_core::Run;
use search_core::pdb::{PatternSpace, Step};
use search_core::table::{ErrorKind, Recipe, Store, Trust, Unfinished};
use std::path::Path;

/// The moves between the entries of a table.
#[derive(Clone, Copy, Debug)]
enum Space {
    /// Some edges of a cube, by their bits.
    Edges(Metric, u16),
    /// All states of a tower, with this number of discs.
    Tower(u32),
}

/// The tables that are forged, by name. The goals of the third leave flips open.
const SUBJECTS: [(&str, Space); 6] = [
    ("cube-edges2-003-htm", Space::Edges(Metric::Htm, 0x003)),
    ("cube-edges3-007-qtm", Space::Edges(Metric::Qtm, 0x007)),
    ("cube-edges3-007-0023456789ab-000-u-htm", Space::Edges(Metric::Htm, 0x007)),
    ("cube-edges4-00f-htm", Space::Edges(Metric::Htm, 0x00f)),
    ("hanoi4-middle-6-6", Space::Tower(6)),
    ("hanoi4-peg3-5-5", Space::Tower(5)),
];

impl Space {
    /// The neighbours of each entry.
    fn neighbours(self) -> Vec<Vec<u32>> {
        match self {
            Space::Edges(metric, set) => {
                let edges = Edges::new(metric, set).expect("a pattern");
                let columns = edges.columns();
                let next = |entry: usize, op: usize| {
                    let (row, column) = (entry / columns, entry % columns);
                    let Step { row, map, flip } = edges.step(row, op);
                    let to = edges.map(map).map_or(column as u16, |map| map[column]) ^ flip;
                    row * columns as u32 + u32::from(to)
                };
                let all = |entry| (0..edges.ops()).map(|op| next(entry, op)).collect();
                (0..edges.rows() * columns).map(all).collect()
            }
            Space::Tower(discs) => {
                (0..1 << (2 * discs)).map(|state| tower_neighbours(state, discs)).collect()
            }
        }
    }
}

/// The states of a tower one move away: the pegs of the discs have two bits each, those of the smallest the lowest.
fn tower_neighbours(state: u32, discs: u32) -> Vec<u32> {
    let peg = |disc: u32| state >> (2 * disc) & 3;
    let is_free = |disc: u32, peg_to: u32| (0..disc).all(|smaller| peg(smaller) != peg_to);
    let moves = (0..discs).flat_map(|disc| (0..4).map(move |to| (disc, to)));
    let legal = moves.filter(|&(disc, to)| to != peg(disc) && is_free(disc, peg(disc)) && is_free(disc, to));
    legal.map(|(disc, to)| state & !(3 << (2 * disc)) | to << (2 * disc)).collect()
}

/// Forges about `count` tables of those whose title contains `only`, and tries to prove each.
///
/// # Errors
/// When a sound table cannot be built or is not proved.
pub fn forge_consistently(
    only: &str,
    count: usize,
    seed: u64,
    run: &Run<'_>,
) -> Result<Vec<Outcome>, Failure> {
    let home = tempfile::tempdir().map_err(|error| Failure::error(format_args!("a directory: {error}")))?;
    let title = |name: &str| format!("consistently forged {name}");
    let chosen: Vec<_> = SUBJECTS.iter().filter(|(name, _)| title(name).contains(only)).collect();
    let each = count.div_ceil(chosen.len().max(1));
    let outcomes = chosen.iter().map(|(name, space)| {
        let failure =
            |error: &dyn std::fmt::Display| Failure::error(format_args!("the table {name}: {error}"));
        let recipe = recipe_of(name).ok_or_else(|| failure(&"no program has it"))?;
        let built = recipe.build(&Unfinished::NOWHERE, run).map_err(|error| failure(&error))?;
        let bits = usize::from(recipe.spec().bits);
        let subject = Subject {
            recipe: &*recipe,
            home: home.path(),
            depth: built.depth,
            bits,
            distances: unpacked(&built.body, bits, recipe.spec().entries as usize),
            neighbours: space.neighbours(),
        };
        subject
            .refuses(&subject.distances, run)
            .map_err(|error| failure(&error))
            .and_then(|refuses| if refuses { Err(failure(&"the sound table is refused")) } else { Ok(()) })?;
        let (mut random, mut refused, mut broken) = (ChaCha8Rng::seed_from_u64(seed), 0, Vec::new());
        for number in 0..each {
            let (values, how) = subject.forge(&mut random);
            subject.check(&values).map_err(|error| failure(&error))?;
            match subject.refuses(&values, run) {
                Ok(true) => refused += 1,
                Ok(false) => broken.push(format!("{name}, forgery {number}: {how}: passed as proved")),
                Err(error) => broken.push(format!("{name}, forgery {number}: {how}: {error}")),
            }
            if run.is_cancelled() {
                break;
            }
        }
        Ok(Outcome { title: title(name), endings: vec![(refused, "refused".to_owned())], broken })
    });
    outcomes.collect()
}

/// The entries of a table.
fn unpacked(body: &[u8], bits: usize, entries: usize) -> Vec<u8> {
    let mask = ((1_u32 << bits) - 1) as u8;
    (0..entries).map(|entry| body[entry * bits / 8] >> (entry * bits % 8) & mask).collect()
}

/// A table that is forged many times.
struct Subject<'a> {
    recipe: &'a dyn Recipe,
    home: &'a Path,
    depth: u32,
    bits: usize,
    distances: Vec<u8>,
    neighbours: Vec<Vec<u32>>,
}

impl Subject<'_> {
    /// Changed entries, and how they were changed: one to three changes that keep the property.
    fn forge(&self, random: &mut ChaCha8Rng) -> (Vec<u8>, String) {
        let (mut values, mut how) = (self.distances.clone(), Vec::new());
        // The greatest value stands for entries that are not reached.
        let most = ((1_u32 << self.bits) - 2) as u8;
        while values == self.distances {
            for _ in 0..1 + below(random, 3) {
                let entry = below(random, values.len());
                let value = values[entry];
                let raised = below(random, 8) == 0;
                let to = match below(random, 2) {
                    _ if raised => value + 1 + below(random, 2) as u8,
                    0 => value.saturating_sub(1),
                    _ => below(random, usize::from(value) + 1) as u8,
                };
                if to <= most {
                    self.change(&mut values, entry, to);
                    how.push(format!("entry {entry} is {to} instead of {value}"));
                }
            }
        }
        (values, how.join(", "))
    }

    /// Sets an entry to `to`, and the entries around it to the nearest values that differ by at most one from those of
    /// their neighbours.
    fn change(&self, values: &mut [u8], entry: usize, to: u8) {
        let is_raised = to > values[entry];
        values[entry] = to;
        let mut changed = vec![entry];
        while let Some(entry) = changed.pop() {
            let value = values[entry];
            for &neighbour in &self.neighbours[entry] {
                let its = &mut values[neighbour as usize];
                let allowed =
                    if is_raised { (*its).max(value.saturating_sub(1)) } else { (*its).min(value + 1) };
                if *its != allowed {
                    *its = allowed;
                    changed.push(neighbour as usize);
                }
            }
        }
    }

    /// Checks that the values are not the distances, and that those of neighbours differ by at most one.
    fn check(&self, values: &[u8]) -> Result<(), String> {
        if values == self.distances {
            return Err("a forgery changes nothing".to_owned());
        }
        let differs = |&(entry, to): &(usize, u32)| values[entry].abs_diff(values[to as usize]) > 1;
        let pairs = |(entry, all): (usize, &Vec<u32>)| all.iter().map(|&to| (entry, to)).find(differs);
        match self.neighbours.iter().enumerate().find_map(pairs) {
            Some((entry, to)) => Err(format!("neighbours {entry} and {to} differ by more than one")),
            None => Ok(()),
        }
    }

    /// Whether `tables verify --contents` would refuse a table of these values.
    fn refuses(&self, values: &[u8], run: &Run<'_>) -> Result<bool, String> {
        let mut body = vec![0; (values.len() * self.bits).div_ceil(8)];
        for (entry, value) in values.iter().enumerate() {
            body[entry * self.bits / 8] |= value << (entry * self.bits % 8);
        }
        write(self.home, self.recipe, self.depth, &body, run).map_err(|error| error.to_string())?;
        match Store::new(self.home, "forged").trusting(Trust::None).prove(self.recipe, run) {
            Ok((_, proof)) if proof.is_complete() => Ok(false),
            Ok((_, proof)) => Err(format!("only {proof:?}")),
            Err(error) if error.kind() == ErrorKind::Damaged => Ok(true),
            Err(error) => Err(error.to_string()),
        }
    }
}
