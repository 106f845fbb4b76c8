//! The number of positions at each depth.
//!
//! The idea: where the product of all coordinates has few enough states, one fill of a table over it finds the depth of
//! every position ([`search_core::pdb::fill`](fn@search_core::pdb::fill)): half a byte an entry, in place, in parallel,
//! forward and backward. Rows of the table may be the permutations of up to twelve pieces, which are ranked as they are
//! needed. Otherwise, or to a depth only, layers of positions are sorted lists. Where moves have inverses, a child of a
//! layer lies in the layer before it, in the layer itself or in the next, so only two layers are kept; else all are.
//!
//! Where the moves divide into classes that commute with each other (the tips of a pyraminx and all the rest), each class
//! is counted by itself, and the counts are combined.
//!
//! Invariant of all: a position is counted once, at its least depth. Positions that differ by a free rotation are one.
//!
//! Cost: the table has an entry for each state of the product, some of which no position may have; layers take two
//! bytes for each coordinate of each position, and their children as much again for each move.

use rayon::prelude::*;
use search_core::domain::Lengths;
use search_core::memory::MemoryError;
use search_core::pdb::{FillError, FillOptions, fill};
use search_core::{Cancelled, Domain, Op, OpSet, Run};

use crate::coordinate::{Coordinate, MOST_STATES, Projection};
use crate::group::{Factors, Group};
use crate::model::{Move, Puzzle, PuzzleParts, Transformation};
use crate::product::{Direction, Factor, MOST_RANKED, Product, Table};
use crate::space::{Slot, Space, Width, with_width};
use crate::system::{System, SystemError};

/// The number of deepest positions that are listed.
const LISTED: usize = 10;
/// The maximum number of tables of which pairs are tried to be joined.
const MOST_JOINED: usize = 16;
/// The depth of a coordinate from which on the entries of a table get eight bits.
const DEEP: usize = 10;

/// The number of positions at each depth, and examples of the deepest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counts {
    /// The number of positions at each depth, from 0.
    pub layers: Vec<u64>,
    /// Whether these are all positions.
    pub complete: bool,
    /// Shortest products of reduced moves to some of the deepest positions, if all positions were counted by a table.
    pub deepest: Vec<Vec<usize>>,
}

/// The reason why positions were not counted.
#[derive(Debug, thiserror::Error)]
pub enum CountError {
    /// The work was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The memory budget is exceeded after the layers with these numbers of positions.
    #[error("memory budget exceeded at depth {}", .0.len())]
    Budget(Vec<u64>),
    /// There is not enough memory.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// There are more positions than 64 bits count.
    #[error("there are more positions than 64 bits count")]
    TooMany,
    /// Some position is deeper than entries of eight bits tell.
    #[error("some position is deeper than {0} moves")]
    TooDeep(u8),
}

impl From<FillError> for CountError {
    fn from(error: FillError) -> CountError {
        match error {
            FillError::Cancelled(cancelled) => cancelled.into(),
            FillError::Memory(error) => error.into(),
            FillError::TooDeep { max, .. } => CountError::TooDeep(max),
        }
    }
}

/// The way to count all positions.
#[derive(Debug)]
pub enum CountPlan {
    /// A table of the depth of every position.
    Table(CountTable),
    /// Puzzles whose positions are combined freely, each with the numbers of its moves in the whole one: each move of
    /// one commutes with each of another, so depths add up.
    Independent(Vec<(CountTable, Vec<usize>)>),
    /// Sorted layers.
    Layers,
}

impl CountPlan {
    /// The way that takes least time within the memory of `run`; layers if only some are wanted.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn new(
        puzzle: &Puzzle,
        system: &System,
        are_all_wanted: bool,
        run: &Run<'_>,
    ) -> Result<CountPlan, Cancelled> {
        if !are_all_wanted {
            return Ok(CountPlan::Layers);
        }
        let fits = |table: &CountTable| table.bytes() <= run.memory();
        if let Some(independent) = independent(puzzle, system, run)? {
            let tables = independent
                .into_iter()
                .map(|(system, moves)| Ok(CountTable::of(&system, run)?.map(|table| (table, moves))));
            let tables: Result<Option<Vec<(CountTable, Vec<usize>)>>, Cancelled> = tables.collect();
            let tables = tables?;
            if let Some(tables) = tables.filter(|all| all.iter().all(|(table, _)| fits(table))) {
                return Ok(CountPlan::Independent(tables));
            }
        }
        Ok(CountTable::of(system, run)?.filter(fits).map_or(CountPlan::Layers, CountPlan::Table))
    }

    /// The number of entries of all tables, and the bytes of memory of the greatest; `None` for layers.
    pub fn size(&self) -> Option<(u64, u64)> {
        match self {
            CountPlan::Table(table) => Some((table.entries(), table.bytes())),
            CountPlan::Independent(tables) => {
                let bytes = tables.iter().map(|(table, _)| table.bytes()).max();
                Some((tables.iter().map(|(table, _)| table.entries()).sum(), bytes.unwrap_or(0)))
            }
            CountPlan::Layers => None,
        }
    }

    /// Counts the positions, those up to `depth` if it is given and layers are counted.
    ///
    /// # Errors
    /// [`CountError`].
    pub fn count(&self, system: &System, depth: Option<usize>, run: &Run<'_>) -> Result<Counts, CountError> {
        match self {
            CountPlan::Table(table) => table.count(run),
            CountPlan::Layers => by_layers(system, depth, run),
            CountPlan::Independent(tables) => {
                let mut all = Counts { layers: vec![1], complete: true, deepest: vec![Vec::new()] };
                for (table, moves) in tables {
                    let counts = table.count(run)?;
                    all = all.combined(&counts, moves).ok_or(CountError::TooMany)?;
                }
                Ok(all)
            }
        }
    }
}

impl Counts {
    /// The counts of positions that consist of one of these and one of `other`, whose moves have these numbers.
    fn combined(&self, other: &Counts, moves: &[usize]) -> Option<Counts> {
        let mut layers = vec![0u64; self.layers.len() + other.layers.len() - 1];
        for (depth, &count) in self.layers.iter().enumerate() {
            for (more, &its) in other.layers.iter().enumerate() {
                let both = count.checked_mul(its)?;
                layers[depth + more] = layers[depth + more].checked_add(both)?;
            }
        }
        let words = self.deepest.iter().flat_map(|word| {
            let renamed = |its: &Vec<usize>| its.iter().map(|&number| moves[number]).collect::<Vec<_>>();
            other.deepest.iter().map(move |its| [&word[..], &renamed(its)].concat())
        });
        let deepest = words.take(LISTED).collect();
        Some(Counts { layers, complete: self.complete && other.complete, deepest })
    }
}

/// The puzzles into which one divides because each move of one commutes with each of another, and the group of all moves
/// is as large as the product of theirs; each with the numbers of its moves. `None` if it does not divide.
///
/// Why depths add up: a product of moves can be sorted by puzzle, since moves of different ones commute. So a position is a
/// product of one element of each group, and as the order of the whole is the product of theirs, it is so in one way.
/// Each factor of a shortest word is then a shortest word of its own.
///
/// # Errors
/// [`Cancelled`].
fn independent(
    puzzle: &Puzzle,
    system: &System,
    run: &Run<'_>,
) -> Result<Option<Vec<(System, Vec<usize>)>>, Cancelled> {
    if !system.is_group {
        return Ok(None);
    }
    let steps: Vec<&Transformation> =
        system.reduction.moves().iter().map(|step| &step.transformation).collect();
    let joined = system.joined();
    let mut class: Vec<usize> = (0..steps.len()).collect();
    for a in 0..steps.len() {
        for b in 0..a {
            // Powers of one move commute, but are not combined freely.
            let is_free = steps[a].then(steps[b]) == steps[b].then(steps[a]) && !joined[a][b];
            if class[a] != class[b] && !is_free {
                let (from, to) = (class[a], class[b]);
                class.iter_mut().filter(|of| **of == from).for_each(|of| *of = to);
            }
        }
    }
    let mut classes = class.clone();
    classes.sort_unstable();
    classes.dedup();
    if classes.len() < 2 {
        return Ok(None);
    }
    let order = |moves: &[usize]| {
        let group = Group::generated(puzzle.orbits(), moves.iter().map(|&number| steps[number]), run)?;
        Ok(group.filter(Group::is_proved).map(|group| group.order()))
    };
    let all: Vec<usize> = (0..steps.len()).collect();
    let Some(whole) = order(&all)? else { return Ok(None) };
    let (mut product, mut puzzles) = (Factors::one(), Vec::new());
    for of in classes {
        let moves: Vec<usize> = all.iter().copied().filter(|&number| class[number] == of).collect();
        let Some(own) = order(&moves)? else { return Ok(None) };
        product.multiply_by(&own);
        let named = moves.iter().map(|&number| Move {
            name: number.to_string(),
            transformation: steps[number].clone(),
            base: number,
            power: 1,
        });
        let parts = PuzzleParts {
            name: puzzle.name().to_owned(),
            orbits: puzzle.orbits().to_vec(),
            moves: named.collect(),
            rotations: Vec::new(),
            solved: puzzle.solved().clone(),
            illegal: Vec::new(),
        };
        let Ok(part) = Puzzle::new(parts) else { return Ok(None) };
        match System::new(&part, run) {
            Ok(system) => puzzles.push((system, moves)),
            Err(SystemError::Cancelled(cancelled)) => return Err(cancelled),
            Err(SystemError::Faults(_)) => return Ok(None),
        }
    }
    Ok((whole == product).then_some(puzzles))
}

/// A table of the depth of every position.
#[derive(Clone, Debug)]
pub struct CountTable {
    product: Product,
    bits: u64,
    inverses: Option<Vec<usize>>,
}

impl CountTable {
    /// The table of a puzzle; `None` if it has too many entries to be numbered.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn of(system: &System, run: &Run<'_>) -> Result<Option<CountTable>, Cancelled> {
        let mut is_deep = system.coordinates.iter().any(|coordinate| coordinate.depth() > DEEP);
        let ranked: Result<Vec<Option<Option<Coordinate>>>, Cancelled> =
            (0..system.parts.len()).map(|part| orientations_of_ranked(system, part, run)).collect();
        let ranked = ranked?;
        let (mut factors, mut tables) = (Vec::new(), Vec::new());
        for (number, part) in system.parts.iter().enumerate() {
            match &ranked[number] {
                Some(orientations) => {
                    let from = part.moves.iter().map(|step| step.from.clone()).collect();
                    factors.push(Factor::Permutations(from));
                    tables.extend(orientations.iter().map(Table::of));
                    is_deep |= part.moves.len() < 6;
                }
                None => {
                    let own = system.coordinates.iter().filter(|of| of.projection.part == number);
                    tables.extend(own.map(Table::of));
                }
            }
        }
        factors.extend(joined(tables).into_iter().map(Factor::Table));
        let product = Product::new(&factors, system.moves(), system.inverses.is_some(), Direction::Forward);
        let bits = if is_deep { 8 } else { 4 };
        Ok(product.map(|product| CountTable { product, bits, inverses: system.inverses.clone() }))
    }

    /// The number of entries: that of positions, or more.
    pub fn entries(&self) -> u64 {
        self.product.entries()
    }

    /// The bytes of memory that filling takes.
    pub fn bytes(&self) -> u64 {
        self.entries() / 8 * self.bits + self.entries() / 32
    }

    /// Fills the table.
    ///
    /// # Errors
    /// [`CountError`].
    pub fn count(&self, run: &Run<'_>) -> Result<Counts, CountError> {
        if self.bits == 8 {
            return self.count_in::<8>(run);
        }
        match self.count_in::<4>(run) {
            Err(CountError::TooDeep(_)) => self.count_in::<8>(run),
            other => other,
        }
    }

    fn count_in<const BITS: u32>(&self, run: &Run<'_>) -> Result<Counts, CountError> {
        if self.entries() / 8 * u64::from(BITS) > run.memory() {
            return Err(CountError::Budget(Vec::new()));
        }
        let filled = fill::<BITS, _>(&self.product, FillOptions::default(), run)?;
        let layers = filled.histogram.counts.clone();
        let depth = filled.histogram.max().expect("the solved position");
        let table = &filled.table;
        let at_depth = (0..table.len()).filter(|&entry| table.get(entry) == depth).take(LISTED);
        let words = at_depth.map(|entry| self.word(entry as usize, |at| table.get(at as u64)));
        Ok(Counts { layers, complete: true, deepest: words.flatten().collect() })
    }

    /// A shortest product of moves to an entry. Backward steps need moves that have inverses.
    fn word(&self, entry: usize, depth: impl Fn(usize) -> u8) -> Option<Vec<usize>> {
        let undo = self.inverses.as_ref()?;
        let (mut at, mut word) = (entry, Vec::new());
        while depth(at) > 0 {
            let ops = 0..undo.len();
            let down = |op: usize| self.product.next(at, op).filter(|&to| depth(to) + 1 == depth(at));
            let (op, to) = ops.filter_map(|op| Some((op, down(op)?))).next()?;
            word.push(undo[op]);
            at = to;
        }
        word.reverse();
        Some(word)
    }
}

/// Joins tables whose states depend on each other, so that a product of them has fewer entries that no position has.
fn joined(mut tables: Vec<Table>) -> Vec<Table> {
    if tables.len() > MOST_JOINED {
        return tables;
    }
    // Small ones first: they are soon tried.
    tables.sort_by_key(|table| table.states);
    let mut pair = (0, 1);
    while pair.1 < tables.len() {
        if let Some(both) = tables[pair.0].joined(&tables[pair.1]) {
            tables.remove(pair.1);
            tables.remove(pair.0);
            tables.push(both);
            tables.sort_by_key(|table| table.states);
            pair = (0, 1);
            continue;
        }
        pair = if pair.0 + 1 < pair.1 { (pair.0 + 1, pair.1) } else { (0, pair.1 + 1) };
    }
    tables
}

/// Whether the permutations of a part are ranked instead of divided among coordinates, and then the coordinate of its
/// orientations, if it has any.
fn orientations_of_ranked(
    system: &System,
    number: usize,
    run: &Run<'_>,
) -> Result<Option<Option<Coordinate>>, Cancelled> {
    let part = &system.parts[number];
    let kinds = part.kinds();
    let own = system.coordinates.iter().filter(|of| of.projection.part == number);
    let are_divided = own.clone().count() > 1
        && !own.clone().any(|of| {
            of.projection == Projection::places(number, part)
                || of.projection == Projection::orientations(number, part)
        });
    let is_group = system.inverses.is_some() && part.illegal.is_empty() && kinds.len() == part.places.len();
    if !are_divided || !is_group || kinds.len() > MOST_RANKED {
        return Ok(None);
    }
    if kinds.iter().all(|kind| kind.1 == 1) {
        return Ok(Some(None));
    }
    Ok(Coordinate::new(part, Projection::orientations(number, part), MOST_STATES, run)?.map(Some))
}

/// The number of positions at each depth up to `depth`, by layers.
///
/// # Errors
/// [`CountError`].
pub fn by_layers(system: &System, depth: Option<usize>, run: &Run<'_>) -> Result<Counts, CountError> {
    struct Layers<'a, 'r>(&'a System, Option<usize>, &'a Run<'r>);
    impl Width for Layers<'_, '_> {
        type Answer = Result<Counts, CountError>;
        fn with<const N: usize>(self) -> Self::Answer {
            let Layers(system, depth, run) = self;
            let slots: Vec<Slot> = system.coordinates.iter().map(Slot::of).collect();
            let exact = slots.len();
            let space = Space::<N>::new(system.moves(), slots, exact, Lengths::ANY);
            run.install(|| layers(&space, system.inverses.is_some(), depth, run))
        }
    }
    with_width(system.coordinates.len(), Layers(system, depth, run))
}

fn layers<const N: usize>(
    space: &Space<N>,
    is_closed: bool,
    depth: Option<usize>,
    run: &Run<'_>,
) -> Result<Counts, CountError> {
    let room = usize::try_from(run.memory()).unwrap_or(usize::MAX) / size_of::<[u16; N]>();
    // Children of a block, with duplicates, take a quarter of the memory at most.
    let block = (room / 4 / space.op_count()).max(1);
    let mut kept: Vec<Vec<[u16; N]>> = vec![vec![[0; N]]];
    let mut counts = vec![1];
    run.progress().begin("layers", 0);
    let mut complete = false;
    while depth.is_none_or(|depth| counts.len() <= depth) {
        let mut next: Vec<[u16; N]> = Vec::new();
        for parents in kept[kept.len() - 1].chunks(block) {
            run.check()?;
            let children = |parent: &[u16; N]| {
                let parent = *parent;
                let ops: OpSet = space.applicable(&parent);
                ops.into_iter().map(move |op: Op| space.apply(&parent, op)).collect::<Vec<_>>()
            };
            let mut new: Vec<[u16; N]> = parents.par_iter().flat_map_iter(children).collect();
            new.par_sort_unstable();
            new.dedup();
            new.retain(|child| kept.iter().all(|layer| layer.binary_search(child).is_err()));
            next.extend(new);
            let held: usize = kept.iter().map(Vec::len).sum::<usize>() + next.len();
            if held > room / 2 {
                return Err(CountError::Budget(counts));
            }
        }
        next.par_sort_unstable();
        next.dedup();
        if next.is_empty() {
            complete = true;
            break;
        }
        counts.push(next.len() as u64);
        run.progress().update(counts.len() as u64 - 1);
        kept.push(next);
        if is_closed && kept.len() > 2 {
            kept.remove(0);
        }
    }
    run.progress().end();
    Ok(Counts { layers: counts, complete, deepest: Vec::new() })
}
