//! Pattern spaces: the input of a breadth-first fill, as rows times columns.
//!
//! The idea: most projections are a product. An operator changes the locations of the pieces (the row) independently of
//! their orientations (the column), and changes the column in a way that depends on the row alone. So an operator is
//! evaluated once for all columns of a row, and both rows are in the processor's cache while their entries are
//! processed. A space without such structure has one column.
//!
//! The index of an entry is `row * columns + column`; there is no padding.

/// The effect of an operator on a row: entry `(row, column)` goes to `(step.row, map(step.map)[column] ^ step.flip)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The row it leads to.
    pub row: u32,
    /// The column map that applies first.
    pub map: u16,
    /// The mask by which the mapped column is XORed: zero, or below a power of two that divides the number of columns, so that
    /// every column leads to a column.
    pub flip: u16,
}

impl Step {
    /// A step that keeps the column, in a space whose map 0 is the identity.
    pub const fn to(row: u32) -> Step {
        Step { row, map: 0, flip: 0 }
    }
}

/// A pattern space: entries, operators and goals.
///
/// The fill finds, for each entry, the least number of operators that lead *from* a goal to it. If operators have
/// inverses, this is the distance to the nearest goal; otherwise give the inverse relation as operators.
pub trait PatternSpace: Sync {
    /// The number of rows, at most 2^32.
    fn rows(&self) -> usize;

    /// The number of columns of each row, from 1 to 2^16.
    fn columns(&self) -> usize {
        1
    }

    /// The number of operators.
    fn ops(&self) -> usize;

    /// The step of `op` in `row`. An operator that does not apply in a row leads back to the row
    /// and keeps the columns. Evaluated at most once for each row, operator and depth.
    fn step(&self, row: usize, op: usize) -> Step;

    /// Column map `id`: `columns` numbers below `columns`. `None` is the identity.
    fn map(&self, id: u16) -> Option<&[u16]> {
        let _ = id;
        None
    }

    /// The entries at distance 0: at least one, repetitions allowed.
    fn goals(&self) -> Vec<usize>;

    /// For spaces reduced by symmetry: the non-trivial maps that keep the distances of a row's
    /// entries, onto the row itself or onto other rows. They come from the stabiliser of the
    /// row's class: all of them, so that they form a group with the identity. Whenever an entry
    /// is reached, its images are reached at the same depth.
    fn aliases(&self, row: usize) -> Vec<Step> {
        let _ = row;
        Vec::new()
    }

    /// Whether the neighbour relation is symmetric, so that the fill may also go backward, from an unreached entry to a
    /// reached neighbour.
    fn is_undirected(&self) -> bool {
        false
    }
}

/// A space without product structure: entries numbered from 0, one column.
#[derive(Clone, Debug)]
pub struct Graph<F> {
    entries: usize,
    ops: usize,
    goals: Vec<usize>,
    undirected: bool,
    neighbour: F,
}

impl<F: Fn(usize, usize) -> Option<usize> + Sync> Graph<F> {
    /// Creates a space of `entries` entries, of which `goals` are at distance 0. `neighbour(entry, op)` is the entry
    /// that operator `op` of `ops` leads to from `entry`, or `None` if it is not applicable.
    pub fn new(entries: usize, ops: usize, goals: Vec<usize>, neighbour: F) -> Graph<F> {
        Graph { entries, ops, goals, undirected: false, neighbour }
    }

    /// Declares that every edge leads both ways, which makes the fill faster.
    #[must_use]
    pub fn undirected(self) -> Graph<F> {
        Graph { undirected: true, ..self }
    }
}

impl<F: Fn(usize, usize) -> Option<usize> + Sync> PatternSpace for Graph<F> {
    fn rows(&self) -> usize {
        self.entries
    }
    fn ops(&self) -> usize {
        self.ops
    }
    #[inline(always)]
    fn step(&self, row: usize, op: usize) -> Step {
        Step::to((self.neighbour)(row, op).unwrap_or(row) as u32)
    }
    fn goals(&self) -> Vec<usize> {
        self.goals.clone()
    }
    fn is_undirected(&self) -> bool {
        self.undirected
    }
}
