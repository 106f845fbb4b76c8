//! Linear conflict: the moves out of a line that its contents require.
//!
//! The idea (Hansson, Mayer & Yung 1992; Korf & Taylor 1996): two tiles in their goal row, in
//! reversed order, cannot both stay in the row all the time. So the tiles that never
//! leave the row must be in goal order already. Each of the others makes two
//! vertical moves that Manhattan distance does not count. The least number of tiles that leave is
//! found by trying all subsets, once for each possible content of a line.
//!
//! So that nothing is counted twice, an entry also contains the data that other parts need: the cost of the line if the
//! tiles next to its corners are *forced* to move (the corner heuristic), and the tiles that may leave the line at no
//! further cost (the last moves).
//!
//! Why it is admissible: extra vertical moves are counted in the rows, extra horizontal moves in
//! the columns, and a tile has only one goal row and one goal column.
//!
//! Cost: contents times subsets, hundredths of a second for a line of six; one read for each line of a state.

use crate::board::TABLE_SIDE;

/// The contents of lines of one length, each with its cost.
#[derive(Clone, Debug)]
pub struct LineTable {
    length: usize,
    entries: Vec<Entry>,
}

/// The cost of a line, and the tiles that may leave it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(transparent)]
pub struct Entry(u16);

impl Entry {
    /// The number of moves beyond Manhattan distance that the line needs.
    #[inline(always)]
    pub const fn cost(self) -> u16 {
        self.0 & 0xFF
    }

    /// Bit `g`: the tile whose goal is the line's cell `g` may leave the line within this cost.
    #[inline(always)]
    pub const fn leavers(self) -> usize {
        (self.0 >> 8 & 0x3F) as usize
    }
}

impl LineTable {
    /// The table of all contents of lines of `length` cells, at most 6.
    ///
    /// The key of a content has a digit for each cell in base `length + 1`, the first cell lowest: `1 + g` for
    /// the tile whose goal is the line's cell `g`, 0 for any other content.
    pub fn new(length: usize) -> LineTable {
        let contents = (length + 1).pow(length as u32);
        let mut entries = Vec::with_capacity(4 * contents);
        for forced in 0..4 {
            entries.extend((0..contents).map(|key| entry(length, key, forced)));
        }
        LineTable { length, entries }
    }

    /// The table without conflicts: only forced tiles cost moves.
    pub fn without_conflicts(length: usize) -> LineTable {
        let contents = (length + 1).pow(length as u32);
        let cost = |forced| Entry(2 * forced_goals(length, forced).count_ones() as u16);
        let entries = (0..4).flat_map(|forced| std::iter::repeat_n(cost(forced), contents));
        LineTable { length, entries: entries.collect() }
    }

    /// The number of contents, including those with a tile twice.
    pub fn contents(&self) -> usize {
        self.entries.len() / 4
    }

    /// The length of the lines.
    pub fn length(&self) -> usize {
        self.length
    }

    /// All entries: the key of a content, plus [`contents`](LineTable::contents) if the tile next
    /// to the line's first corner is forced, plus twice that if the one next to the last corner is.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }
}

/// The goal cells of the forced tiles, by the two bits of `forced`.
fn forced_goals(length: usize, forced: usize) -> u32 {
    let first = if forced & 1 == 1 { 1 << 1 } else { 0 };
    let last = if forced & 2 == 2 { 1 << (length - 2) } else { 0 };
    first | last
}

fn entry(length: usize, key: usize, forced: usize) -> Entry {
    let (mut goals, mut count, mut present) = ([0; TABLE_SIDE], 0, 0u32);
    let mut rest = key;
    for _ in 0..length {
        if let Some(goal) = (rest % (length + 1)).checked_sub(1) {
            if present >> goal & 1 == 1 {
                // A tile twice: no state has this content.
                return Entry::default();
            }
            present |= 1 << goal;
            goals[count] = goal;
            count += 1;
        }
        rest /= length + 1;
    }
    let goals = &goals[..count];
    let forced = forced_goals(length, forced) & present;
    let mut best = u32::MAX;
    let mut leavers = 0;
    for leaving in (0..1u32 << length).filter(|set| set & !present == 0) {
        let stay = goals.iter().filter(|&goal| leaving >> goal & 1 == 0);
        if !stay.is_sorted() {
            continue;
        }
        // A forced tile that does not leave the line moves along another one.
        let cost = leaving.count_ones() + (forced & !leaving).count_ones();
        if cost < best {
            (best, leavers) = (cost, 0);
        }
        if cost == best {
            leavers |= leaving;
        }
    }
    Entry((2 * best) as u16 | (leavers as u16) << 8)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content(digits: &[usize]) -> Entry {
        let table = LineTable::new(digits.len());
        let key = digits.iter().rev().fold(0, |key, digit| key * (digits.len() + 1) + digit);
        table.entries()[key]
    }

    #[test]
    fn the_papers_conflicts_have_their_costs() {
        assert_eq!(content(&[0, 3, 2, 0, 0]).cost(), 2, "(2 1) in the top row");
        assert_eq!(content(&[0, 4, 3, 2, 0]).cost(), 4, "(3 2 1)");
        assert_eq!(content(&[0, 4, 3, 2, 0]).leavers(), 0b1110, "any two of the three");
        assert_eq!(content(&[2, 3, 4, 5, 1]).cost(), 2, "only the last must leave");
        assert_eq!(content(&[2, 3, 4, 5, 1]).leavers(), 0b1);
        assert_eq!(content(&[1, 2, 3, 4, 5]), Entry::default());
        assert_eq!(content(&[6, 5, 4, 3, 2, 1]).cost(), 10);
    }

    #[test]
    fn moves_of_forced_tiles_are_counted_once() {
        let table = LineTable::new(5);
        let contents = table.contents();
        let key = |digits: [usize; 5]| digits.iter().rev().fold(0, |key, digit| key * 6 + digit);
        // Tile of cell 3 at home, the corner's tile left of it: it leaves anyway.
        let reversed = key([0, 0, 5, 4, 0]);
        assert_eq!(table.entries()[reversed].cost(), 2);
        assert_eq!(table.entries()[2 * contents + reversed].cost(), 2);
        assert_eq!(table.entries()[2 * contents + key([0, 0, 0, 4, 0])].cost(), 2);
        assert_eq!(table.entries()[3 * contents + key([0, 2, 0, 4, 0])].cost(), 4);
    }
}
