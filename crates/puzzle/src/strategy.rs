//! The choice of the pattern databases of a solver.
//!
//! A table of all positions is chosen if it is small enough to be filled within a minute: then the first bound of a search
//! is its last. Otherwise each part is divided among databases of as many pieces as the memory holds, and parts that leave
//! room share one.

use search_core::Run;

use crate::system::System;

/// The maximum number of entries of a table of all positions.
const MOST_WHOLE: f64 = 400e6;
/// The maximum number of entries of one pattern database.
const MOST_ENTRIES: f64 = 250e6;

/// The settings of a solver: everything is optional.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct SolverSetup {
    /// The length of the strings that the automaton is learned from, if not the default; 0 for no automaton.
    pub learn: Option<usize>,
    /// Whether positions are looked up by their images under symmetries too; by default they are.
    pub symmetries: Option<bool>,
}

impl SolverSetup {
    /// Sets [`learn`](SolverSetup#structfield.learn).
    #[must_use]
    pub fn learn(self, learn: Option<usize>) -> SolverSetup {
        SolverSetup { learn, ..self }
    }

    /// Sets [`symmetries`](SolverSetup#structfield.symmetries).
    #[must_use]
    pub fn symmetries(self, symmetries: bool) -> SolverSetup {
        SolverSetup { symmetries: Some(symmetries), ..self }
    }
}

/// The coordinates of each pattern database, by their numbers in the system.
pub(crate) fn databases(system: &System, run: &Run<'_>) -> Vec<Vec<usize>> {
    // Half a byte an entry, or a byte; and what a fill takes beside its table.
    let memory = run.memory() as f64 / 1.2;
    let whole = system.most_positions();
    let all: Vec<usize> = (0..system.coordinates.len()).collect();
    if whole <= MOST_WHOLE.min(memory) {
        return vec![all];
    }
    let mut most = MOST_ENTRIES.min(memory);
    loop {
        let groups = grouped(system, most);
        let total: f64 = groups.iter().map(|group| entries(system, group)).sum();
        // A single coordinate has at most 2^16 states, so this ends.
        if total <= memory || most < 1e5 {
            return groups;
        }
        most /= 1.5;
    }
}

fn entries(system: &System, group: &[usize]) -> f64 {
    group.iter().map(|&number| system.coordinates[number].states() as f64).product()
}

/// Coordinates in groups of at most `most` entries: those of one part together, and small groups joined.
fn grouped(system: &System, most: f64) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut part = None;
    for (number, coordinate) in system.coordinates.iter().enumerate() {
        let own = coordinate.projection.part;
        let fits = |group: &Vec<usize>| entries(system, group) * coordinate.states() as f64 <= most;
        match groups.last_mut().filter(|group| part == Some(own) && fits(group)) {
            Some(group) => group.push(number),
            None => groups.push(vec![number]),
        }
        part = Some(own);
    }
    loop {
        groups.sort_by(|a, b| entries(system, a).total_cmp(&entries(system, b)));
        if groups.len() < 2 || entries(system, &groups[0]) * entries(system, &groups[1]) > most {
            break;
        }
        let joined = groups.remove(0);
        groups[0].extend(joined);
    }
    // The strongest first: most children are cut by it.
    groups.reverse();
    groups
}
