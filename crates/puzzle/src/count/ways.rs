//! A count of pairs (`held`), with a set of ways to hold the puzzle for each free part of a position.
//!
//! The idea: the positions that share their free part differ in the way the puzzle is held only, and a move acts on all
//! of them alike: it leads from the set `S` of ways at `p` to the set `ρ·S` at `p·h`. A set of at most 32 ways is one
//! word. All moves with the same `h` are made at once: the union of their sets `ρ·S` is a read from a table for each
//! byte of `S`. So a step of the search handles all ways of a free part at once, where a table of positions would take
//! a step for each.
//!
//! Three words for each free part have the ways that are reached at depths of each residue modulo 3. Neighbours differ
//! in depth by one at most, so the residue of a neighbour tells its depth (Cooperman and Finkelstein 1992), and
//! shortest words are read from the words at the end.
//!
//! Invariant: after the pass of depth `d`, exactly the pairs at depth at most `d + 1` are in one of the three sets of
//! their free part, in that of their depth. Sets of depth `d - 3` and before are in the same words as those of `d`;
//! their neighbours are all reached, so they add nothing.
//!
//! While few pairs are new, they are listed and their neighbours are set, one after another. Later each free part
//! collects the sets of its neighbours, in parallel over rows. Both find the same pairs, because every move is undone
//! by a move.
//!
//! Cost: twelve bytes for each free part and two for lists, and a step for each free part, different `h` and depth at
//! which much is new.

use search_core::pdb::PatternSpace;
use search_core::{Cancelled, Run};

use super::table::Factors;
use super::{CountError, NoTable, TableCounts};
use crate::model::OrbitTransformation;
use crate::product::Product;
use crate::system::System;

/// A list of new pairs is kept while it has at most one for so many free parts.
const FREE_PARTS_PER_LISTED: usize = 16;
/// The maximum number of new pairs of which a pass over all rows makes a list.
const MOST_COLLECTED: usize = 1 << 12;

/// The number of sets of which words are made between two questions whether to stop.
const SETS_OF_PIECE: usize = 1 << 7;

/// A map of sets of ways that keeps unions, as a table for each byte.
#[derive(Clone, Debug)]
struct SetMap(Box<[[u32; 256]; 4]>);

impl SetMap {
    /// The map that leads from no way to any.
    fn empty() -> SetMap {
        SetMap(Box::new([[0; 256]; 4]))
    }

    /// Adds to each image the ways that the ways of the set become.
    fn add(&mut self, next: &[u8]) {
        for (number, table) in self.0.iter_mut().enumerate() {
            for (set, image) in table.iter_mut().enumerate() {
                let ways =
                    (0..8).filter(|bit| set >> bit & 1 == 1).filter_map(|bit| next.get(8 * number + bit));
                *image = ways.fold(*image, |image, &to| image | 1 << to);
            }
        }
    }

    /// The image of a set of ways that fit `BYTES` bytes.
    #[inline(always)]
    fn image<const BYTES: usize>(&self, set: u32) -> u32 {
        let bytes = set.to_le_bytes();
        (0..BYTES).fold(0, |image, number| image | self.0[number][usize::from(bytes[number])])
    }
}

/// Moves that act alike on free parts.
#[derive(Clone, Debug)]
struct FreeMove {
    /// One of them.
    number: usize,
    /// The number of a move that undoes it, on free parts.
    undo: usize,
    /// The ways to which one of them leads.
    map: SetMap,
}

/// A table of the pairs of a puzzle: for each free part, sets of ways to hold the puzzle.
#[derive(Clone, Debug)]
pub struct WayTable {
    free: Product,
    moves: Vec<FreeMove>,
    /// For each move of the puzzle, the way that each way becomes.
    ways: Vec<Vec<u8>>,
    undo: Vec<usize>,
}

impl WayTable {
    /// The table of a puzzle of pairs whose part `shown` shows how it is held. Each move must be undone by a
    /// move.
    pub(super) fn of(system: &System, shown: usize, run: &Run<'_>) -> Result<WayTable, NoTable> {
        let undo = system.inverses.clone().ok_or(NoTable::Unsuited)?;
        let free = Factors::of(system, Some(shown), run)?.product(system).ok_or(NoTable::Unsuited)?;
        let ways: Vec<Vec<u8>> = system.parts[shown].moves.iter().map(destinations).collect();
        let on_free = |number: usize| -> Vec<&OrbitTransformation> {
            let parts = system.parts.iter().enumerate().filter(|&(part, _)| part != shown);
            parts.map(|(_, part)| &part.moves[number]).collect()
        };
        let mut moves: Vec<FreeMove> = Vec::new();
        for number in 0..system.moves() {
            let known = moves.iter().position(|known| on_free(known.number) == on_free(number));
            let known = known.unwrap_or_else(|| {
                moves.push(FreeMove { number, undo: undo[number], map: SetMap::empty() });
                moves.len() - 1
            });
            moves[known].map.add(&ways[number]);
        }
        Ok(WayTable { free, moves, ways, undo })
    }

    /// The number of free parts, or more.
    pub(super) fn free_parts(&self) -> u64 {
        self.free.entries()
    }

    /// The number of pairs, or more.
    pub fn entries(&self) -> u64 {
        self.free.entries() * self.ways[0].len() as u64
    }

    /// The bytes of memory that a count takes.
    pub fn bytes(&self) -> u64 {
        let list = size_of::<(usize, u32)>() as u64;
        self.free.entries() * 12 + 2 * list * (self.free.entries() / FREE_PARTS_PER_LISTED as u64)
    }

    /// Counts the pairs at each depth. Finds words to `words` of the deepest pairs, or to all.
    ///
    /// # Errors
    /// [`CountError`].
    pub fn count(&self, words: usize, run: &Run<'_>) -> Result<TableCounts, CountError> {
        if self.bytes() > run.memory() {
            return Err(CountError::Budget(Vec::new()));
        }
        let mut sets = Sets::new(self);
        let (mut layers, mut last) = (vec![1], Some(vec![(0, 1)]));
        run.progress().begin("sets of ways", 0);
        loop {
            run.check()?;
            let depth = layers.len() - 1;
            let few = sets.entries() / FREE_PARTS_PER_LISTED;
            let (new, list) = match &last {
                Some(list) if list.len() <= few => sets.spread(depth, list, run)?,
                _ => sets.collect(depth, run)?,
            };
            if new == 0 {
                break;
            }
            layers.push(new);
            last = list;
            run.progress().update(layers.len() as u64 - 1);
        }
        run.progress().end();
        let deepest = sets.deepest(layers.len() - 1, last, words, run)?;
        Ok(TableCounts { layers, deepest })
    }
}

/// The way that each way becomes.
fn destinations(step: &OrbitTransformation) -> Vec<u8> {
    let mut to = vec![0; step.from.len()];
    for (place, &from) in step.from.iter().enumerate() {
        to[usize::from(from)] = u8::try_from(place).expect("at most 32 ways");
    }
    to
}

/// The sets of ways that are reached, by the residue of the depth modulo 3.
struct Sets<'a> {
    table: &'a WayTable,
    reached: [Vec<u32>; 3],
}

/// New pairs: free parts with sets of ways.
type List = Vec<(usize, u32)>;
/// Rows of sets, the number of positions that are new in them, and their list.
type Piece<'a> = (&'a mut [u32], u64, List);

impl Sets<'_> {
    fn new(table: &WayTable) -> Sets<'_> {
        let entries = table.free.rows() * table.free.columns();
        let mut reached = [vec![0; entries], vec![0; entries], vec![0; entries]];
        reached[0][0] = 1;
        Sets { table, reached }
    }

    fn entries(&self) -> usize {
        self.reached[0].len()
    }

    /// Sets the neighbours of the listed pairs of a depth. Returns the number of new pairs, and their list.
    fn spread(&mut self, depth: usize, list: &List, run: &Run<'_>) -> Result<(u64, Option<List>), Cancelled> {
        let (mut new, mut count) = (List::new(), 0);
        for parents in list.chunks(1 << 12) {
            run.check()?;
            for &(entry, set) in parents {
                for step in &self.table.moves {
                    let Some(to) = self.table.free.next(entry, step.number) else { continue };
                    let known = self.reached.iter().fold(0, |known, of| known | of[to]);
                    let added = step.map.image::<4>(set) & !known;
                    if added != 0 {
                        self.reached[(depth + 1) % 3][to] |= added;
                        count += u64::from(added.count_ones());
                        new.push((to, added));
                    }
                }
            }
        }
        Ok((count, Some(new)))
    }

    /// Collects, for each free part, the sets of its neighbours of a depth. Returns the number of new pairs, and their
    /// list if they are few.
    fn collect(&mut self, depth: usize, run: &Run<'_>) -> Result<(u64, Option<List>), Cancelled> {
        let table = self.table;
        let columns = table.free.columns();
        let next = (depth + 1) % 3;
        let all = u32::MAX >> (32 - table.ways[0].len());
        let mut target = std::mem::take(&mut self.reached[next]);
        let (source, other) = (&self.reached[depth % 3], &self.reached[(depth + 2) % 3]);
        let rows_of_piece = (1 << 12) / columns + 1;
        let mut pieces: Vec<Piece<'_>> =
            target.chunks_mut(columns * rows_of_piece).map(|piece| (piece, 0, List::new())).collect();
        let done = run.try_for_each_item(&mut pieces, &|number, (piece, count, list): &mut Piece<'_>| {
            let (mut some, mut collected) = (Vec::new(), vec![0; columns]);
            for (row, target) in (number * rows_of_piece..).zip(piece.chunks_mut(columns)) {
                run.check()?;
                let first = row * columns;
                let known = |target: &[u32], at: usize| target[at] | source[first + at] | other[first + at];
                some.clear();
                some.extend((0..columns).filter(|&at| known(target, at) != all));
                if some.len() > columns / 2 {
                    match all.count_ones() {
                        0..=8 => table.collect::<1>(row, source, &mut collected),
                        9..=16 => table.collect::<2>(row, source, &mut collected),
                        17..=24 => table.collect::<3>(row, source, &mut collected),
                        _ => table.collect::<4>(row, source, &mut collected),
                    }
                } else {
                    table.collect_some(row, source, &some, &mut collected);
                }
                for &at in &some {
                    let added = collected[at] & !known(target, at);
                    if added != 0 {
                        target[at] |= added;
                        *count += u64::from(added.count_ones());
                        if list.len() <= MOST_COLLECTED {
                            list.push((first + at, added));
                        }
                    }
                }
            }
            Ok::<(), Cancelled>(())
        });
        let (mut count, mut list) = (0, List::new());
        for (_, of_piece, mut some) in pieces {
            count += of_piece;
            if list.len() <= MOST_COLLECTED {
                list.append(&mut some);
            }
        }
        self.reached[next] = target;
        done?;
        run.check()?;
        Ok((count, (list.len() <= MOST_COLLECTED).then_some(list)))
    }

    /// Shortest words to some pairs of the last depth.
    fn deepest(
        &self,
        depth: usize,
        list: Option<List>,
        most: usize,
        run: &Run<'_>,
    ) -> Result<Vec<Vec<usize>>, Cancelled> {
        // Those of a depth that is less by three are in the same sets: their words are shorter.
        let all = self.reached[depth % 3].iter().copied().enumerate();
        let entries: Box<dyn Iterator<Item = (usize, u32)>> = match list {
            Some(mut list) => {
                list.sort_unstable();
                Box::new(list.into_iter())
            }
            None => Box::new(all),
        };
        let mut words = Vec::new();
        for (number, (entry, set)) in entries.enumerate() {
            if number % SETS_OF_PIECE == 0 {
                run.check()?;
            }
            let ways = (0..self.table.ways[0].len()).filter(|way| set >> way & 1 == 1);
            let deep = ways.map(|way| self.word((entry, way), depth)).filter(|word| word.len() == depth);
            words.extend(deep.take(most - words.len()));
            if words.len() == most {
                break;
            }
        }
        Ok(words)
    }

    /// A shortest product of moves to a pair, whose depth is `depth` or less by a multiple of three.
    fn word(&self, pair: (usize, usize), depth: usize) -> Vec<usize> {
        let (mut at, mut word, mut depth) = (pair, Vec::new(), depth);
        while at != (0, 0) {
            depth += 2;
            let down = |op: usize| {
                let to = (self.table.free.next(at.0, op)?, usize::from(self.table.ways[op][at.1]));
                (self.reached[depth % 3][to.0] >> to.1 & 1 == 1).then_some((op, to))
            };
            let (op, to) = (0..self.table.undo.len()).find_map(down).expect("a neighbour that is less deep");
            word.push(self.table.undo[op]);
            at = to;
        }
        word.reverse();
        word
    }
}

impl WayTable {
    /// The union of the sets that lead to the free parts of a row.
    #[inline(always)]
    fn collect<const BYTES: usize>(&self, row: usize, source: &[u32], collected: &mut [u32]) {
        collected.fill(0);
        let columns = collected.len();
        for step in &self.moves {
            let from = self.free.step(row, step.undo);
            let first = from.row as usize * columns;
            let source = &source[first..first + columns];
            match self.free.map(from.map) {
                Some(map) => {
                    for (set, &column) in collected.iter_mut().zip(map) {
                        *set |= step.map.image::<BYTES>(source[usize::from(column)]);
                    }
                }
                None => {
                    for (set, &from) in collected.iter_mut().zip(source) {
                        *set |= step.map.image::<BYTES>(from);
                    }
                }
            }
        }
    }

    /// The union of the sets that lead to some free parts of a row.
    fn collect_some(&self, row: usize, source: &[u32], columns: &[usize], collected: &mut [u32]) {
        columns.iter().for_each(|&column| collected[column] = 0);
        for step in &self.moves {
            let from = self.free.step(row, step.undo);
            let first = from.row as usize * collected.len();
            let map = self.free.map(from.map);
            for &column in columns {
                let at = map.map_or(column, |map| usize::from(map[column]));
                collected[column] |= step.map.image::<4>(source[first + at]);
            }
        }
    }
}
