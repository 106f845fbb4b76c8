//! The least number of vertical moves that a board needs, by the number of tiles in each row from each goal row; and the
//! same for columns.
//!
//! The idea (walking distance, Takahashi 2002): a vertical move changes the rows of tiles, a horizontal one does not. So
//! count in each row the tiles of each goal row. A breadth-first search over all such tables from that of the goal gives
//! the least number of vertical moves; here, one of them moves the blank by any number of rows.
//!
//! Why it is admissible: each move of a solution is vertical or horizontal, so the least numbers of both add up. Since
//! both kinds alternate, a solution with `n` moves of one kind has at least `2 n - 1` moves.
//!
//! On boards with sides of 5 there are too many tables, so goal rows are merged into three classes, in several ways. The
//! projection forgets more, so its distances are lower bounds as well.
//!
//! **Incremental.** A move by one cell leads from a table to another one, which depends only on the direction and the
//! class of the tile; so the numbers of tables are followed by reads, and nothing is counted.
//!
//! Cost: 24,964 tables on 4x4; about 200,000 for each way of merging on 5x5.

use std::collections::HashMap;

/// The greatest number of classes of goal lines.
const CLASSES: usize = 4;
/// The bits of a count.
const COUNT: u32 = 3;
/// No table: a move off the board, or of a tile that is not there.
const NONE: u32 = u32::MAX;

/// The distances of all tables of one direction.
#[derive(Clone, Debug)]
pub(super) struct Lines {
    /// By goal line.
    classes: Vec<u8>,
    numbers: HashMap<u64, u32>,
    /// By table: the least number of moves.
    distances: Vec<u8>,
    /// By table, direction (towards the first line, or the last) and class of the tile that moves: the next table.
    next: Vec<[[u32; CLASSES]; 2]>,
}

/// The ways to merge `count` goal lines into classes.
pub(super) fn mergers(count: usize) -> Vec<Vec<u8>> {
    match count {
        5 => vec![vec![0, 1, 2, 2, 2], vec![0, 0, 1, 2, 2], vec![0, 0, 0, 1, 2]],
        _ => vec![(0..count as u8).collect()],
    }
}

/// A table: counts by line and class, then the blank's line.
#[derive(Clone, Copy)]
struct Table(u64);

impl Table {
    fn one(line: usize, class: usize) -> u64 {
        1 << (COUNT as usize * (line * CLASSES + class))
    }

    fn blank(self) -> usize {
        (self.0 >> 60) as usize
    }

    fn count(self, line: usize, class: usize) -> u64 {
        self.0 / Table::one(line, class) & 7
    }

    /// The table after a tile of `class` has moved from `line` into the blank's line.
    fn after(self, line: usize, class: usize) -> Table {
        let counts = self.0 & !(15 << 60);
        let moved = counts - Table::one(line, class) + Table::one(self.blank(), class);
        Table(moved | (line as u64) << 60)
    }
}

impl Lines {
    /// The distances on a board with a number of lines of `length` cells, whose blank has its goal in line `blank`.
    pub fn new(classes: &[u8], length: usize, blank: usize) -> Lines {
        let mut goal = (blank as u64) << 60;
        for (line, &class) in classes.iter().enumerate() {
            let tiles = length - usize::from(line == blank);
            goal += tiles as u64 * Table::one(line, class.into());
        }
        let mut lines = Lines {
            classes: classes.to_vec(),
            numbers: HashMap::from([(goal, 0)]),
            distances: Vec::new(),
            next: Vec::new(),
        };
        lines.number(Table(goal));
        lines.measure();
        lines
    }

    /// Numbers all tables that single steps lead to from the first one.
    fn number(&mut self, goal: Table) {
        let mut tables = vec![goal];
        while let Some(&table) = tables.get(self.next.len()) {
            let mut next = [[NONE; CLASSES]; 2];
            for (direction, next) in next.iter_mut().enumerate() {
                let Some(line) = self.beside(table.blank(), direction) else { continue };
                for (class, next) in next.iter_mut().enumerate() {
                    if table.count(line, class) > 0 {
                        let after = table.after(line, class);
                        *next = *self.numbers.entry(after.0).or_insert_with(|| {
                            tables.push(after);
                            tables.len() as u32 - 1
                        });
                    }
                }
            }
            self.next.push(next);
        }
    }

    /// The line that the blank enters from `line`.
    fn beside(&self, line: usize, direction: usize) -> Option<usize> {
        let to = if direction == 0 { line.checked_sub(1)? } else { line + 1 };
        (to < self.classes.len()).then_some(to)
    }

    /// Finds the distance of each table from the first one, breadth first.
    fn measure(&mut self) {
        self.distances = vec![u8::MAX; self.next.len()];
        self.distances[0] = 0;
        let (mut layer, mut depth) = (vec![0], 0);
        while !layer.is_empty() {
            depth += 1;
            let mut found = Vec::new();
            for table in layer {
                for direction in 0..2 {
                    let mut passed = vec![table];
                    while let Some(table) = passed.pop() {
                        let all = self.next[table as usize][direction];
                        for after in all.into_iter().filter(|&after| after != NONE) {
                            passed.push(after);
                            if self.distances[after as usize] == u8::MAX {
                                self.distances[after as usize] = depth;
                                found.push(after);
                            }
                        }
                    }
                }
            }
            layer = found;
        }
    }

    /// The number of the table of a board, given the line and the goal line of each tile, and the blank's line.
    pub fn table(&self, tiles: impl Iterator<Item = (usize, usize)>, blank: usize) -> u32 {
        let counts = tiles.map(|(line, goal)| Table::one(line, self.classes[goal].into())).sum::<u64>();
        self.numbers[&(counts | (blank as u64) << 60)]
    }

    /// The table after a tile with its goal in line `goal` has moved into the blank's line.
    #[inline(always)]
    pub fn after(&self, table: u32, towards_last: bool, goal: usize) -> u32 {
        self.next[table as usize][usize::from(towards_last)][usize::from(self.classes[goal])]
    }

    /// The least number of moves.
    #[inline(always)]
    pub fn distance(&self, table: u32) -> u8 {
        self.distances[table as usize]
    }

    /// The number of tables.
    #[cfg(test)]
    pub fn count(&self) -> usize {
        self.next.len()
    }
}
