//! Pattern databases in the metric of several tiles as one.
//!
//! The idea: forget all tiles but a few, and the blank. The least number of moves in this smaller puzzle is a lower bound
//! (Culberson & Schaeffer 1996). A move may slide tiles of several patterns, so the values of patterns do not add up, and
//! the greatest one is taken.
//!
//! An entry is an arrangement of the blank and the pattern's tiles, numbered by
//! [`permutation::rank`]. Boards of at most 9 cells have one pattern of all tiles, so its values are exact.

use search_core::Run;
use search_core::pdb::rank::permutation;
use search_core::pdb::{FillOptions, Graph, Packed, fill, prove};
use search_core::table::{Built, Encoding, FileError, Kind, Proof, Recipe, Spec, Unfinished};

use super::op_count;
use crate::board::{Board, byte};
use crate::puzzle::Puzzle;

/// The version of the function from states to entries.
const RANKING: u32 = 1;
/// The greatest number of entries of a table.
const MOST_ENTRIES: u64 = 6_000_000;
/// The greatest number of cells of a board with pattern databases of this metric.
const MOST_CELLS: usize = 16;
/// The greatest number of tiles of a pattern, and the blank.
pub(super) const MOST_PLACES: usize = 10;
/// The seconds that one thread takes for an entry.
const SECONDS_PER_ENTRY: f64 = 1e-6;

/// The recipe of a pattern database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MultiPattern {
    board: Board,
    /// The goal cells of the tiles, ascending.
    homes: Vec<u8>,
    /// The goal cell of the blank.
    blank: u8,
}

/// The pattern databases for a puzzle: together they have every tile. None for boards of more than 16 cells.
pub fn patterns(puzzle: &Puzzle) -> Vec<MultiPattern> {
    let (board, blank) = (puzzle.board(), byte(puzzle.goal().blank()));
    let cells = board.cells();
    if cells > MOST_CELLS || !super::fits(board) {
        return Vec::new();
    }
    let fits = |tiles: &usize| permutation::count(cells, tiles + 1) <= MOST_ENTRIES;
    let size = (1..cells.min(MOST_PLACES)).rev().find(fits).unwrap_or(1);
    let homes: Vec<u8> = (0..byte(cells)).filter(|&home| home != blank).collect();
    homes.chunks(size).map(|homes| MultiPattern { board, homes: homes.to_vec(), blank }).collect()
}

impl MultiPattern {
    /// The pattern of the table with this name.
    pub(crate) fn named(board: Board, rest: &str) -> Option<MultiPattern> {
        let mut words = rest.split('-');
        let tiles: usize = words.next()?.parse().ok()?;
        let homes = u32::from_str_radix(words.next()?, 16).ok()?;
        let blank: u8 = words.next().map_or(Some(0), |word| word.strip_prefix("blank")?.parse().ok())?;
        let cells = board.cells();
        let is_pattern = cells <= MOST_CELLS
            && super::fits(board)
            && (1..MOST_PLACES.min(cells)).contains(&tiles)
            && homes.count_ones() as usize == tiles
            && u64::from(homes) >> cells == 0
            && usize::from(blank) < cells
            && homes >> blank & 1 == 0;
        let homes = (0..byte(cells)).filter(|&home| homes >> home & 1 == 1).collect();
        is_pattern.then_some(MultiPattern { board, homes, blank })
    }

    /// The goal cells of the tiles, ascending.
    pub fn homes(&self) -> &[u8] {
        &self.homes
    }

    fn entries(&self) -> u64 {
        permutation::count(self.board.cells(), self.homes.len() + 1)
    }

    /// The number of the entry with the blank and the tiles in these cells.
    #[inline(always)]
    pub(super) fn index(cells: usize, places: &[u8]) -> usize {
        permutation::rank(places, cells) as usize
    }

    /// All entries as a graph.
    fn graph(&self) -> Graph<impl Fn(usize, usize) -> Option<usize> + Sync> {
        let (board, cells, places) = (self.board, self.board.cells(), self.homes.len() + 1);
        let goal: Vec<u8> = std::iter::once(self.blank).chain(self.homes.iter().copied()).collect();
        let neighbour = move |entry: usize, op: usize| {
            let mut at = [0; MOST_PLACES];
            let at = &mut at[..places];
            permutation::unrank(entry as u64, cells, at);
            let (direction, count) = (op % crate::board::OPS, op / crate::board::OPS);
            for _ in 0..=count {
                let to = at[0];
                let from = byte(board.neighbour(to.into(), search_core::Op::new(direction))?);
                at[1..].iter_mut().filter(|cell| **cell == from).for_each(|cell| *cell = to);
                at[0] = from;
            }
            Some(MultiPattern::index(cells, at))
        };
        let goals = vec![MultiPattern::index(cells, &goal)];
        Graph::new(self.entries() as usize, op_count(board), goals, neighbour).undirected()
    }
}

impl Recipe for MultiPattern {
    fn name(&self) -> String {
        let homes = self.homes.iter().fold(0u32, |homes, home| homes | 1 << home);
        let blank = if self.blank == 0 { String::new() } else { format!("-blank{}", self.blank) };
        format!("tiles-{}-multi{}-{homes:x}{blank}", self.board, self.homes.len())
    }

    fn description(&self) -> String {
        format!("pattern database of {} tiles of {}, several tiles as one", self.homes.len(), self.board)
    }

    fn spec(&self) -> Spec {
        Spec {
            kind: Kind::PatternDatabase,
            puzzle: format!("slidetile {}", self.board),
            operators: "multi".to_owned(),
            pattern: format!("blank {}, goal cells {:?}", self.blank, self.homes),
            ranking: RANKING,
            bits: 8,
            encoding: Encoding::Exact,
            entries: self.entries(),
            // With every tile, half of the arrangements have the other parity.
            complete: false,
        }
    }

    fn peak_bytes(&self) -> u64 {
        self.bytes() + self.entries() / 32 + FillOptions::default().step_cache as u64
    }

    fn build_seconds(&self, threads: usize) -> f64 {
        self.entries() as f64 * SECONDS_PER_ENTRY / threads.max(1) as f64
    }

    fn prove(&self, body: &[u8], run: &Run<'_>) -> Result<Proof, FileError> {
        let table = Packed::<8, _>::new(body, self.entries()).expect("the length was checked");
        prove(&self.graph(), &table, None, run)?;
        Ok(Proof::Neighbours)
    }

    fn build(&self, _: &Unfinished, run: &Run<'_>) -> Result<Built, FileError> {
        Ok(fill::<8, _>(&self.graph(), FillOptions::default(), run)?.into())
    }
}
