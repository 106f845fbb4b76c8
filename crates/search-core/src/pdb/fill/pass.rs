//! The passes of a fill: goals, forward, backward, images under symmetry.
//!
//! The rows are cut into groups of at least 64 entries. Each group has a mask of the depths that
//! its entries may hold, so that a pass skips what has nothing for it. A mask may say too much
//! (that costs a look), never too little.

use std::sync::atomic::{AtomicU16, Ordering};

use rayon::prelude::*;

use crate::pdb::space::{PatternSpace, Step};
use crate::progress::{Cancel, Cancelled};

use super::cells::Cells;
use super::meter::Meter;

/// The mask bit that says: some entry is not reached.
const OPEN: u16 = 1 << 15;
/// Rows of fewer columns than this are expanded about once, so their steps are not kept.
const CACHED_COLUMNS: usize = 16;
/// Pieces of parallel work in a pass: many, so that threads end together and a cancelled pass stops
/// within milliseconds.
const PIECES: usize = 1024;

/// The mask bit of a depth. Depths that share a bit cost a look, no more.
fn bit(depth: u8) -> u16 {
    1 << (depth % 15)
}

/// What the passes work on.
pub(super) struct Passes<'a, S, const BITS: u32> {
    space: &'a S,
    cells: Cells<'a, BITS>,
    rows: usize,
    columns: usize,
    group_rows: usize,
    masks: Vec<AtomicU16>,
    /// The steps of all rows, operator by operator, when they are kept.
    steps: Option<Vec<Step>>,
    /// The rows with aliases.
    aliases: Vec<(usize, Vec<Step>)>,
    cancel: &'a Cancel,
    meter: &'a Meter<'a>,
}

/// One thread's working space.
#[derive(Default)]
struct Scratch {
    /// Columns still to look at.
    columns: Vec<u16>,
    /// Columns that a backward pass found.
    found: Vec<u16>,
    /// The steps of the row at hand.
    steps: Vec<Step>,
}

impl<'a, S: PatternSpace, const BITS: u32> Passes<'a, S, BITS> {
    pub(super) fn new(
        space: &'a S,
        cells: Cells<'a, BITS>,
        step_cache: usize,
        cancel: &'a Cancel,
        meter: &'a Meter<'a>,
    ) -> Result<Self, Cancelled> {
        let (rows, columns) = (space.rows(), space.columns());
        assert!(
            rows as u64 <= 1 << 32 && (1..=1 << 16).contains(&columns),
            "at most 2^32 rows, 2^16 columns"
        );
        let group_rows = 64usize.div_ceil(columns);
        let masks = (0..rows.div_ceil(group_rows)).map(|_| AtomicU16::new(OPEN)).collect();
        let mut passes = Passes {
            space,
            cells,
            rows,
            columns,
            group_rows,
            masks,
            steps: None,
            aliases: (0..rows)
                .into_par_iter()
                .map(|row| (row, space.aliases(row)))
                .filter(|(_, a)| !a.is_empty())
                .collect(),
            cancel,
            meter,
        };
        let bytes = (rows * size_of::<Step>()).saturating_mul(space.ops());
        if columns >= CACHED_COLUMNS && bytes <= step_cache {
            passes.steps = Some(passes.all_steps()?);
        }
        Ok(passes)
    }

    fn all_steps(&self) -> Result<Vec<Step>, Cancelled> {
        let ops = self.space.ops();
        let mut steps = vec![Step::to(0); self.rows * ops];
        let piece = self.rows.div_ceil(PIECES).max(1);
        steps.par_chunks_mut((piece * ops).max(1)).enumerate().try_for_each(|(index, chunk)| {
            self.cancel.check()?;
            for (row, steps) in (index * piece..).zip(chunk.chunks_mut(ops)) {
                for (op, step) in steps.iter_mut().enumerate() {
                    *step = self.space.step(row, op);
                }
            }
            Ok(())
        })?;
        Ok(steps)
    }

    /// Sets the goals and their images to 0. Returns how many entries that are.
    pub(super) fn set_goals(&self) -> Result<u64, Cancelled> {
        let goals = self.space.goals();
        assert!(!goals.is_empty(), "a pattern space has at least one goal");
        let mut set = 0;
        for goal in goals {
            assert!(goal < self.rows * self.columns, "goal {goal} lies beyond the last entry");
            set += u64::from(self.cells.lower(goal, 0));
            self.mark(goal / self.columns, 0);
        }
        self.meter.add(set);
        Ok(set + self.set_aliases(0)?)
    }

    /// Sets every unreached child of an entry at `depth` to `depth + 1`. Returns how many.
    pub(super) fn forward(&self, depth: u8) -> Result<u64, Cancelled> {
        self.each_group(bit(depth), |rows, scratch| {
            rows.map(|row| self.forward_row(row, depth, scratch)).sum()
        })
    }

    fn forward_row(&self, row: usize, depth: u8, scratch: &mut Scratch) -> u64 {
        let Scratch { columns, steps, .. } = scratch;
        self.cells.find(row * self.columns, self.columns, depth, columns);
        if columns.is_empty() {
            return 0;
        }
        let mut total = 0;
        for &step in self.prefetched_steps(row, steps) {
            let new = self.lower_images(columns, step, depth + 1);
            if new > 0 {
                self.mark(step.row as usize, depth + 1);
            }
            total += new;
        }
        total
    }

    /// Sets the images of `columns` under `step` to `value` where they are unreached.
    #[inline(always)]
    fn lower_images(&self, columns: &[u16], step: Step, value: u8) -> u64 {
        let base = step.row as usize * self.columns;
        let mut new = 0;
        let mut visit = |column: u16| {
            let index = base + usize::from(column ^ step.flip);
            if self.cells.get(index) == Cells::<BITS>::UNREACHED {
                new += u64::from(self.cells.lower(index, value));
            }
        };
        match self.space.map(step.map) {
            None => columns.iter().for_each(|&column| visit(column)),
            Some(map) => {
                assert_eq!(map.len(), self.columns, "a column map has an image for each column");
                columns.iter().for_each(|&column| visit(map[usize::from(column)]));
            }
        }
        new
    }

    /// Sets every unreached entry that has a neighbour at `depth` to `depth + 1`. Returns how many.
    pub(super) fn backward(&self, depth: u8) -> Result<u64, Cancelled> {
        self.each_group(OPEN, |rows, scratch| {
            let first = rows.start;
            let (mut new, mut rest) = (0, 0);
            for row in rows {
                new += self.backward_row(row, depth, scratch);
                rest += scratch.columns.len();
            }
            if new > 0 {
                self.mark(first, depth + 1);
            }
            if rest == 0 {
                self.masks[first / self.group_rows].fetch_and(!OPEN, Ordering::Relaxed);
            }
            new
        })
    }

    /// Leaves in `scratch.columns` what is still unreached.
    fn backward_row(&self, row: usize, depth: u8, scratch: &mut Scratch) -> u64 {
        let Scratch { columns, found, steps } = scratch;
        let first = row * self.columns;
        self.cells.find(first, self.columns, Cells::<BITS>::UNREACHED, columns);
        found.clear();
        if self.steps.is_some() && !columns.is_empty() {
            self.prefetched_steps(row, steps);
        }
        for op in 0..self.space.ops() {
            if columns.is_empty() {
                break;
            }
            let step = self.step(row, op);
            if self.may_hold(step.row as usize, depth) {
                self.split(columns, found, step, depth);
            }
        }
        found.iter().filter(|&&column| self.cells.lower(first + usize::from(column), depth + 1)).count()
            as u64
    }

    /// Moves from `columns` to `found` those whose image under `step` is at `depth`.
    #[inline(always)]
    fn split(&self, columns: &mut Vec<u16>, found: &mut Vec<u16>, step: Step, depth: u8) {
        let base = step.row as usize * self.columns;
        let is_there = |column: u16| self.cells.get(base + usize::from(column ^ step.flip)) == depth;
        match self.space.map(step.map) {
            None => split_by(columns, found, is_there),
            Some(map) => {
                assert_eq!(map.len(), self.columns, "a column map has an image for each column");
                split_by(columns, found, |column| is_there(map[usize::from(column)]));
            }
        }
    }

    /// Sets the images, under the symmetries of their row's class, of the entries at `depth`.
    pub(super) fn set_aliases(&self, depth: u8) -> Result<u64, Cancelled> {
        let new = self.aliases.par_iter().map_init(Scratch::default, |scratch, (row, steps)| {
            if !self.may_hold(*row, depth) {
                return 0;
            }
            self.cells.find(row * self.columns, self.columns, depth, &mut scratch.columns);
            let set_image = |&step: &Step| {
                let new = self.lower_images(&scratch.columns, step, depth);
                if new > 0 {
                    self.mark(step.row as usize, depth);
                }
                new
            };
            steps.iter().map(set_image).sum()
        });
        let new = new.sum();
        self.meter.add(new);
        self.cancel.check()?;
        Ok(new)
    }

    /// Runs `work` on the rows of each group whose mask has `wanted`, in parallel, and adds up.
    fn each_group(
        &self,
        wanted: u16,
        work: impl Fn(std::ops::Range<usize>, &mut Scratch) -> u64 + Sync,
    ) -> Result<u64, Cancelled> {
        let piece = self.masks.len().div_ceil(PIECES).max(1);
        let on_piece = |scratch: &mut Scratch, (index, masks): (usize, &[AtomicU16])| {
            self.cancel.check()?;
            let mut new = 0;
            for (group, mask) in (index * piece..).zip(masks) {
                if mask.load(Ordering::Relaxed) & wanted != 0 {
                    let first = group * self.group_rows;
                    new += work(first..self.rows.min(first + self.group_rows), scratch);
                }
            }
            self.meter.add(new);
            Ok(new)
        };
        self.masks
            .par_chunks(piece)
            .enumerate()
            .map_init(Scratch::default, on_piece)
            .try_reduce(|| 0, |a, b| Ok(a + b))
    }

    #[inline(always)]
    fn step(&self, row: usize, op: usize) -> Step {
        match &self.steps {
            Some(steps) => steps[row * self.space.ops() + op],
            None => self.space.step(row, op),
        }
    }

    /// The steps of a row, whose target rows are being fetched.
    #[inline(always)]
    fn prefetched_steps<'s>(&'s self, row: usize, scratch: &'s mut Vec<Step>) -> &'s [Step] {
        let ops = self.space.ops();
        let steps = match &self.steps {
            Some(steps) => &steps[row * ops..(row + 1) * ops],
            None => {
                scratch.clear();
                scratch.extend((0..ops).map(|op| self.space.step(row, op)));
                scratch
            }
        };
        for step in steps {
            self.cells.prefetch(step.row as usize * self.columns);
        }
        steps
    }

    /// Notes that `row` may hold entries at `depth`.
    #[inline(always)]
    fn mark(&self, row: usize, depth: u8) {
        let mask = &self.masks[row / self.group_rows];
        if mask.load(Ordering::Relaxed) & bit(depth) == 0 {
            mask.fetch_or(bit(depth), Ordering::Relaxed);
        }
    }

    #[inline(always)]
    fn may_hold(&self, row: usize, depth: u8) -> bool {
        self.masks[row / self.group_rows].load(Ordering::Relaxed) & bit(depth) != 0
    }
}

/// Moves from `columns` to `found` those that `is_there`, keeping the order, without branches.
#[inline(always)]
fn split_by(columns: &mut Vec<u16>, found: &mut Vec<u16>, is_there: impl Fn(u16) -> bool) {
    let before = found.len();
    found.resize(before + columns.len(), 0);
    let (mut kept, mut moved) = (0, before);
    for at in 0..columns.len() {
        let column = columns[at];
        let there = is_there(column);
        columns[kept] = column;
        found[moved] = column;
        kept += usize::from(!there);
        moved += usize::from(there);
    }
    columns.truncate(kept);
    found.truncate(moved);
}
