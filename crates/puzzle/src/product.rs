//! Products of coordinates as a pattern space: what pattern databases and counts fill.
//!
//! The idea: the entry of a state is a number in mixed radix, whose digits are the state's coordinates. The last
//! coordinate is the column: its table is the map of the columns for each move, whatever the row, so one evaluation of
//! a move in a row serves all entries of the row ([`search_core::pdb::space`]).
//!
//! Invariant: the entry of the solved state is 0. Entries that no state has stay unreached.

use std::collections::HashMap;
use std::sync::Arc;

use search_core::pdb::rank::permutation;
use search_core::pdb::{PatternSpace, Step};
use search_core::{Cancelled, Run};

use crate::coordinate::{Coordinate, MOST_STATES, NONE};

/// The direction in which moves are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the solved state on: the distance *to* a state.
    Forward,
    /// Moves undone: the distance from a state to the solved one.
    Backward,
}

/// The effect of moves on the states of one factor.
#[derive(Clone, Debug)]
enum Axis {
    /// A coordinate's table.
    Table { states: usize, next: Arc<[u16]>, has_rules: bool },
    /// All permutations of distinct pieces, ranked: for each move, the place that each piece comes from.
    Permutations { pieces: usize, from: Vec<Vec<u8>> },
}

impl Axis {
    fn states(&self) -> usize {
        match self {
            Axis::Table { states, .. } => *states,
            Axis::Permutations { pieces, .. } => {
                usize::try_from(permutation::count(*pieces, *pieces)).expect("at most 12 pieces")
            }
        }
    }

    /// The axis whose states are all pairs of states of two tables: the state of `other` is multiplied by the number of
    /// states of this one. `None` for permutations.
    fn times(&self, other: &Axis, moves: usize) -> Option<Axis> {
        let (Axis::Table { .. }, Axis::Table { .. }) = (self, other) else { return None };
        let (own, all) = (self.states(), self.states() * other.states());
        let next = (0..all * moves).map(|at| {
            let (state, op) = (at / moves, at % moves);
            let pair = (self.next(state % own, op, moves), other.next(state / own, op, moves));
            let to = pair.0.zip(pair.1).map_or(usize::from(NONE), |(to, its)| to + its * own);
            u16::try_from(to).expect("at most MOST_STATES states")
        });
        let next: Arc<[u16]> = next.collect();
        Some(Axis::Table { states: all, has_rules: next.contains(&NONE), next })
    }

    /// The state after a move; `None` if the move is illegal.
    #[inline(always)]
    fn next(&self, state: usize, op: usize, moves: usize) -> Option<usize> {
        match self {
            Axis::Table { next, .. } => {
                let to = next[state * moves + op];
                (to != NONE).then_some(usize::from(to))
            }
            Axis::Permutations { pieces, from } => {
                let (mut now, mut then) = ([0; 16], [0; 16]);
                permutation::unrank(state as u64, *pieces, &mut now[..*pieces]);
                for (to, &from) in then[..*pieces].iter_mut().zip(&from[op]) {
                    *to = now[usize::from(from)];
                }
                usize::try_from(permutation::rank(&then[..*pieces], *pieces)).ok()
            }
        }
    }
}

/// Numbered states with the effect of each move: a coordinate, or several in one.
#[derive(Clone, Debug)]
pub struct Table {
    /// The number of states, of which 0 is the solved one.
    pub states: usize,
    /// For each state and move, the state that the move leads to, or [`NONE`].
    pub next: Arc<[u16]>,
}

impl Table {
    /// A coordinate.
    pub fn of(coordinate: &Coordinate) -> Table {
        Table { states: coordinate.states(), next: coordinate.next().into() }
    }

    /// The pairs of states of two tables that moves reach together, if they are at most half of all pairs, so that one
    /// table of them leaves fewer entries of a product unused.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn joined(&self, other: &Table, run: &Run<'_>) -> Result<Option<Table>, Cancelled> {
        let moves = self.next.len() / self.states;
        let most = MOST_STATES.min(self.states * other.states / 2);
        let mut numbers: HashMap<(u16, u16), u16> = HashMap::from([((0, 0), 0)]);
        let (mut pairs, mut next, mut at) = (vec![(0, 0)], Vec::new(), 0);
        while at < pairs.len() {
            run.check()?;
            let (a, b): (u16, u16) = pairs[at];
            for op in 0..moves {
                let to = (self.next[usize::from(a) * moves + op], other.next[usize::from(b) * moves + op]);
                if to.0 == NONE || to.1 == NONE {
                    next.push(NONE);
                    continue;
                }
                let new = u16::try_from(pairs.len()).expect("at most MOST_STATES states");
                let number = *numbers.entry(to).or_insert(new);
                if number == new {
                    if pairs.len() >= most {
                        return Ok(None);
                    }
                    pairs.push(to);
                }
                next.push(number);
            }
            at += 1;
        }
        Ok(Some(Table { states: pairs.len(), next: next.into() }))
    }
}

/// A factor of a product, before its place among the others is chosen.
#[derive(Clone, Debug)]
pub enum Factor<'a> {
    /// A coordinate.
    Coordinate(&'a Coordinate),
    /// Numbered states.
    Table(Table),
    /// All permutations of up to twelve distinct pieces: for each move, the place that each piece comes from.
    Permutations(Vec<Vec<u8>>),
}

/// The maximum number of pieces whose permutations are a factor.
pub const MOST_RANKED: usize = 12;

/// A product of coordinates.
#[derive(Clone, Debug)]
pub struct Product {
    moves: usize,
    rows: Vec<Axis>,
    row_count: usize,
    column: Option<Axis>,
    /// The tables of the column, move by move.
    maps: Vec<Vec<u16>>,
    is_undirected: bool,
    /// For each factor as given, the number by which its state is multiplied in the entry's number.
    strides: Vec<usize>,
}

impl Product {
    /// The product of `factors`, in which `moves` moves act. `is_closed` says that the moves have inverses among
    /// themselves. `None` if it has more than 2^32 rows.
    ///
    /// # Panics
    /// If permutations are to be moved backward by moves that have no inverses.
    pub fn new(
        factors: &[Factor<'_>],
        moves: usize,
        is_closed: bool,
        direction: Direction,
    ) -> Option<Product> {
        let given: Vec<Axis> = factors.iter().map(|factor| axis(factor, is_closed, direction)).collect();
        let (axes, members) = gathered(given, moves);
        let widest = |axis: &Axis| match axis {
            Axis::Table { states, has_rules: false, .. } => *states,
            _ => 0,
        };
        // Tables have at most 2^16 - 1 states, the limit of columns.
        let column = (0..axes.len()).max_by_key(|&at| widest(&axes[at])).filter(|&at| widest(&axes[at]) > 0);
        let columns = column.map_or(1, |at| axes[at].states());
        let mut strides = vec![0; factors.len()];
        let mut row_count = 1usize;
        for (at, axis) in axes.iter().enumerate() {
            let mut stride = 1;
            if Some(at) != column {
                stride = row_count.checked_mul(columns)?;
                row_count = row_count.checked_mul(axis.states())?;
            }
            for &(factor, within) in &members[at] {
                strides[factor] = stride.checked_mul(within)?;
            }
        }
        if row_count as u64 > 1 << 32 || row_count.checked_mul(columns).is_none() {
            return None;
        }
        let maps = match column.map(|at| &axes[at]) {
            Some(Axis::Table { states, next, .. }) => {
                let map = |op| (0..*states).map(|state| next[state * moves + op]).collect();
                (0..moves).map(map).collect()
            }
            _ => Vec::new(),
        };
        let rows = axes.iter().enumerate().filter(|&(at, _)| Some(at) != column);
        Some(Product {
            moves,
            rows: rows.map(|(_, axis)| axis.clone()).collect(),
            row_count,
            column: column.map(|at| axes[at].clone()),
            maps,
            is_undirected: is_closed,
            strides,
        })
    }

    /// The number of entries.
    pub fn entries(&self) -> u64 {
        self.row_count as u64 * self.columns() as u64
    }

    /// For each factor, the number by which its state is multiplied in the entry's number.
    pub fn strides(&self) -> &[usize] {
        &self.strides
    }

    /// The entry that a move leads to; `None` if the move is illegal.
    pub fn next(&self, entry: usize, op: usize) -> Option<usize> {
        let columns = self.columns();
        let (row, column) = (entry / columns, entry % columns);
        let row = self.next_row(row, op)?;
        let column = self.maps.get(op).map_or(0, |map| usize::from(map[column]));
        Some(row * columns + column)
    }

    #[inline(always)]
    fn next_row(&self, row: usize, op: usize) -> Option<usize> {
        if let [axis] = &self.rows[..] {
            return axis.next(row, op, self.moves);
        }
        let (mut rest, mut to, mut stride) = (row, 0, 1);
        for axis in &self.rows {
            let states = axis.states();
            to += axis.next(rest % states, op, self.moves)? * stride;
            (rest, stride) = (rest / states, stride * states);
        }
        Some(to)
    }
}

/// The maximum number of states of several small factors that become one axis.
const MOST_GATHERED: usize = 4096;

/// Small factors gathered in axes of up to [`MOST_GATHERED`] states, so that an entry has few digits and a row has many
/// columns; and for each axis its factors, with the number by which the state of each is multiplied.
fn gathered(given: Vec<Axis>, moves: usize) -> (Vec<Axis>, Vec<Vec<(usize, usize)>>) {
    let (mut axes, mut members): (Vec<Axis>, Vec<Vec<(usize, usize)>>) = (Vec::new(), Vec::new());
    for (number, axis) in given.into_iter().enumerate() {
        let last = axes.last().map_or(usize::MAX, Axis::states);
        if last.saturating_mul(axis.states()) <= MOST_GATHERED
            && let Some(both) = axes.last().and_then(|last| last.times(&axis, moves))
        {
            *axes.last_mut().expect("an axis") = both;
            members.last_mut().expect("an axis").push((number, last));
        } else {
            axes.push(axis);
            members.push(vec![(number, 1)]);
        }
    }
    (axes, members)
}

fn axis(factor: &Factor<'_>, is_closed: bool, direction: Direction) -> Axis {
    match factor {
        Factor::Coordinate(coordinate) => {
            // Where moves have inverses, both directions give the same distances.
            let next = match direction {
                Direction::Backward if !is_closed => coordinate.previous().into(),
                _ => coordinate.next().into(),
            };
            Axis::Table { states: coordinate.states(), next, has_rules: coordinate.has_rules() }
        }
        Factor::Table(Table { states, next }) => {
            assert!(direction == Direction::Forward || is_closed, "numbered states are moved forward");
            Axis::Table { states: *states, next: next.clone(), has_rules: next.contains(&NONE) }
        }
        Factor::Permutations(from) => {
            assert!(direction == Direction::Forward || is_closed, "permutations are moved forward");
            let pieces = from[0].len();
            assert!(pieces <= MOST_RANKED, "at most 12 pieces are ranked");
            Axis::Permutations { pieces, from: from.clone() }
        }
    }
}

impl PatternSpace for Product {
    fn rows(&self) -> usize {
        self.row_count
    }

    fn columns(&self) -> usize {
        self.column.as_ref().map_or(1, Axis::states)
    }

    fn ops(&self) -> usize {
        self.moves
    }

    #[inline(always)]
    fn step(&self, row: usize, op: usize) -> Step {
        match self.next_row(row, op) {
            // A space has at most 2^32 rows and 64 moves.
            Some(to) => Step { row: to as u32, map: op as u16, flip: 0 },
            None => Step { row: row as u32, map: self.moves as u16, flip: 0 },
        }
    }

    fn map(&self, id: u16) -> Option<&[u16]> {
        self.maps.get(usize::from(id)).map(Vec::as_slice)
    }

    fn goals(&self) -> Vec<usize> {
        vec![0]
    }

    fn is_undirected(&self) -> bool {
        self.is_undirected
    }
}
