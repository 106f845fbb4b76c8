//! The choice of the pattern databases of a solver.
//!
//! A table of all positions is chosen if it is small enough to be filled within a minute: then the first bound of a search
//! is its last. Otherwise each part is divided among databases of as many pieces as the memory holds, and parts that leave
//! room share one. Where symmetries map a database to sets of pieces that together contain those of another, the first serves
//! both by lookups of images, and the other is left out. Where symmetries reduce a table of many more
//! [cosets](crate::cosets), that replaces all of them. Where rules restrict the pieces, databases are of
//! [shapes](crate::shapes) and as many pieces of each component as the memory holds. A caller may choose the pieces of each database instead.

use std::sync::Arc;

use search_core::table::Recipe;
use search_core::{Cancelled, Run};

use crate::coordinate::Coordinate;
use crate::cosets::{Cosets, cosets};
use crate::database::Database;
use crate::fault::Faults;
use crate::model::Puzzle;
use crate::shapes::{ShapeProduct, Shapes};
use crate::symmetry::Symmetry;
use crate::system::{MOST_OF_A_FEW, System, SystemError, few_at_a_time};

/// The maximum number of entries of a table of all positions.
const MOST_WHOLE: f64 = 400e6;
/// The maximum number of entries of one pattern database.
const MOST_ENTRIES: f64 = 250e6;
/// The least number of entries of a database that images of another one replace: small ones cost little.
const LEAST_REPLACED: f64 = 1e7;
/// The maximum number of coordinates of a puzzle whose images are looked up instead of further databases: images have
/// coordinates of their own.
const MOST_COORDINATES: usize = 16;

/// The least ratio of the positions of cosets to those of the largest pattern database that they replace.
const LEAST_GAIN: f64 = 4.0;

/// The maximum number of states of a coordinate that determines a few pieces and is read for no database, so that all of these
/// stay in the second cache.
const MOST_OF_EXACT: f64 = 1_000.0;

/// The settings of a solver: everything is optional.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct SolverSetup {
    /// The length of the strings that the automaton is learned from, if not the default; 0 for no automaton.
    pub learn: Option<usize>,
    /// Whether positions are looked up by their images under symmetries too; by default they are.
    pub symmetries: Option<bool>,
    /// The pieces of each pattern database, if they are not chosen by the solver: numbers of their homes over all orbits
    /// in order. Pieces that look alike are kept together.
    pub patterns: Option<Vec<Vec<usize>>>,
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

    /// Sets [`patterns`](SolverSetup#structfield.patterns).
    #[must_use]
    pub fn patterns(self, patterns: Option<Vec<Vec<usize>>>) -> SolverSetup {
        SolverSetup { patterns, ..self }
    }
}

/// The pattern databases of a solver, with what they are made of.
#[derive(Clone)]
pub(crate) struct Plan {
    /// The coordinates that determine a position, then those that only databases need.
    pub coordinates: Vec<Coordinate>,
    /// The number of the first coordinates, which determine a position.
    pub exact: usize,
    pub databases: Vec<Database>,
    /// The symmetries by which positions are looked up too.
    pub symmetries: Vec<Symmetry>,
    /// The shapes, if these are what the databases are of.
    pub shapes: Option<Shaped>,
}

/// The shapes that databases are of.
#[derive(Clone)]
pub(crate) struct Shaped {
    pub shapes: Arc<Shapes>,
    /// Whether images of positions are looked up too.
    pub with_images: bool,
}

/// The pattern databases that are chosen within the memory of `run`. `shapes` are those of the puzzle, if it has some.
///
/// # Errors
/// [`Faults`]: a database has too many entries to be numbered; [`Cancelled`].
pub(crate) fn plan(
    puzzle: &Puzzle,
    system: &System,
    shapes: Option<&Arc<Shapes>>,
    setup: &SolverSetup,
    run: &Run<'_>,
) -> Result<Plan, SystemError> {
    if let Some(shapes) = shapes {
        let databases = shaped(puzzle, system, shapes, run);
        if !databases.is_empty() {
            let coordinates = system.coordinates.clone();
            let (exact, symmetries) = (coordinates.len(), Vec::new());
            let with_images = setup.symmetries.unwrap_or(true);
            let shapes = Some(Shaped { shapes: shapes.clone(), with_images });
            return Ok(Plan { coordinates, exact, databases, symmetries, shapes });
        }
    }
    if !system.free.is_empty() {
        return Err(Faults::from("free moves are searched without pattern databases".to_owned()).into());
    }
    let mut groups = within_memory(system, run);
    let is_whole = groups.iter().any(|group| group.len() == system.coordinates.len());
    let mut symmetries = Vec::new();
    if setup.symmetries.unwrap_or(true) && system.is_group && !is_whole {
        symmetries = system.symmetries(run)?.to_vec();
    }
    let largest = groups.iter().map(|group| entries(system, group)).fold(0.0, f64::max);
    let most = MOST_ENTRIES.min(2.0 * run.memory() as f64 / 1.2);
    if let Some(Cosets { coordinates: of_cosets, reduced }) = cosets(system, &symmetries, most, run)?
        && reduced.positions() >= LEAST_GAIN * largest
    {
        let mut coordinates = exact_coordinates(system, run)?;
        let exact = coordinates.len();
        let chosen = of_cosets
            .into_iter()
            .map(|coordinate| numbered(&mut coordinates, coordinate))
            .collect::<Vec<_>>();
        let database = Database::reduced(puzzle.name(), system, &coordinates, &chosen, reduced);
        return Ok(Plan { coordinates, exact, databases: vec![database], symmetries, shapes: None });
    }
    if groups.len() > 1 && system.coordinates.len() <= MOST_COORDINATES {
        leave_out_images(system, &mut groups, &symmetries);
    }
    let coordinates = system.coordinates.clone();
    let database = |group: &Vec<usize>| Database::new(puzzle.name(), system, &coordinates, group);
    let databases: Option<Vec<Database>> = groups.iter().map(database).collect();
    let databases =
        databases.ok_or_else(|| Faults::from("a pattern database has too many entries".to_owned()))?;
    Ok(Plan { exact: coordinates.len(), coordinates, databases, symmetries, shapes: None })
}

/// The databases of shapes, one with the pieces of each component, or as many of them as fit an equal share of the memory; where it is
/// larger, with a few pieces of another component too.
fn shaped(puzzle: &Puzzle, system: &System, shapes: &Arc<Shapes>, run: &Run<'_>) -> Vec<Database> {
    let share = run.memory() as f64 / 1.2 / shapes.components() as f64;
    let of_component = |component: usize| {
        // An entry has a byte at most.
        let sized = shapes.choices(component).map(|pieces| (ShapeProduct::size(shapes, pieces), pieces));
        let fitting = sized.filter(|(size, _)| *size <= share.min(MOST_WHOLE));
        let (_, pieces) = fitting.max_by(|(a, _), (b, _)| a.total_cmp(b))?;
        Database::shaped(puzzle.name(), system, shapes, pieces)
    };
    let mut databases: Vec<Database> = (0..shapes.components()).filter_map(of_component).collect();
    // The strongest first: most children are cut by it.
    databases.sort_by_key(|database| std::cmp::Reverse(database.bytes()));
    databases
}

/// Coordinates that determine a position, a few pieces with their orientations at a time: their inverses can be looked up, and
/// their tables are smaller than those of whole parts.
fn exact_coordinates(system: &System, run: &Run<'_>) -> Result<Vec<Coordinate>, Cancelled> {
    let mut coordinates = Vec::new();
    for (number, part) in system.parts.iter().enumerate() {
        let kinds: Vec<usize> = (0..part.kinds().len()).collect();
        match few_at_a_time(number, part, &kinds, MOST_OF_EXACT, run)? {
            Some(few) => coordinates.extend(few),
            None => return Ok(system.coordinates.clone()),
        }
    }
    // Images need room too.
    Ok(if coordinates.len() <= MOST_COORDINATES { coordinates } else { system.coordinates.clone() })
}

/// The number of a coordinate, which is added if it is missing.
fn numbered(coordinates: &mut Vec<Coordinate>, coordinate: Coordinate) -> usize {
    let known = coordinates.iter().position(|known| known.projection == coordinate.projection);
    known.unwrap_or_else(|| {
        coordinates.push(coordinate);
        coordinates.len() - 1
    })
}

/// Leaves out the databases that images of others replace.
fn leave_out_images(system: &System, groups: &mut Vec<Vec<usize>>, symmetries: &[Symmetry]) {
    let mut kept: Vec<(Vec<(usize, usize)>, f64)> = Vec::new();
    groups.retain(|group| {
        let (own, size) = (places(system, group), entries(system, group));
        let is_served = kept.iter().any(|(known, entries)| {
            let images = |place: &(usize, usize)| {
                known.iter().any(|&(part, at)| {
                    (part, at) == *place
                        || symmetries.iter().any(|symmetry| symmetry.place(&system.parts, part, at) == *place)
                })
            };
            size >= LEAST_REPLACED && *entries >= size && own.iter().all(images)
        });
        if !is_served {
            kept.push((own, size));
        }
        !is_served
    });
}

/// The places, with their parts, of the pieces that the coordinates of a database tell apart.
fn places(system: &System, group: &[usize]) -> Vec<(usize, usize)> {
    let of = |&number: &usize| {
        let coordinate = &system.coordinates[number];
        let part = coordinate.projection.part;
        coordinate.homes(&system.parts[part]).into_iter().map(move |place| (part, place))
    };
    group.iter().flat_map(of).collect()
}

/// The coordinates of each pattern database, without regard to symmetries.
fn within_memory(system: &System, run: &Run<'_>) -> Vec<Vec<usize>> {
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

/// The coordinates of a pattern database of chosen pieces, by their numbers in `coordinates`, to which the missing ones are
/// added. Pieces that no move carries are left out.
///
/// # Errors
/// [`Faults`]: no piece that moves, a piece that does not exist or is named twice, or too many identical pieces;
/// [`Cancelled`](search_core::Cancelled).
pub(crate) fn chosen(
    puzzle: &Puzzle,
    system: &System,
    pieces: &[usize],
    coordinates: &mut Vec<Coordinate>,
    run: &Run<'_>,
) -> Result<Vec<usize>, SystemError> {
    let homes: Vec<(usize, usize)> = (puzzle.orbits().iter().enumerate())
        .flat_map(|(orbit, of)| (0..of.pieces).map(move |place| (orbit, place)))
        .collect();
    let (mut sorted, mut faults) = (pieces.to_vec(), Vec::new());
    sorted.sort_unstable();
    if pieces.is_empty() {
        faults.push("a pattern needs at least one piece".to_owned());
    }
    let twice = sorted.windows(2).filter(|pair| pair[0] == pair[1]);
    faults.extend(twice.map(|pair| format!("piece {} is named twice", pair[0])));
    let foreign = sorted.iter().filter(|&&piece| piece >= homes.len());
    faults.extend(
        foreign.map(|piece| format!("there is no piece {piece}: pieces are 0 to {}", homes.len() - 1)),
    );
    if !faults.is_empty() {
        return Err(Faults(faults).into());
    }
    let mut numbers = Vec::new();
    for (number, part) in system.parts.iter().enumerate() {
        let all_kinds = part.kinds();
        let local = sorted.iter().filter_map(|&piece| {
            let (orbit, place) = homes[piece];
            let at = part.places.iter().position(|&own| usize::from(own) == place);
            at.filter(|_| part.orbit == orbit)
        });
        let kind = |at: usize| {
            let pair = (part.solved.pieces[at], part.solved.orientation_mod[at]);
            all_kinds.iter().position(|kind| (kind.0, kind.1) == pair).expect("a kind of the part")
        };
        let mut kinds: Vec<usize> = local.map(kind).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let of_part = few_at_a_time(number, part, &kinds, MOST_OF_A_FEW, run)?
            .ok_or_else(|| Faults::from(format!("the pattern {pieces:?} has too many identical pieces")))?;
        for coordinate in of_part {
            numbers.push(numbered(coordinates, coordinate));
        }
    }
    if numbers.is_empty() {
        return Err(format!("no move carries a piece of the pattern {pieces:?}").into());
    }
    Ok(numbers)
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
