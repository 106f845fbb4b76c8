//! The passes of a fill: goals, forward, backward, images under symmetry.
//!
//! The rows are divided into groups of at least 64 entries. Each group has a mask of the depths that its entries may
//! have, so that a pass skips groups without relevant entries. A mask may have too many depths (each costs a scan),
//! never too few.
//!
//! A step that keeps its row and every column, as that of an operator that does not apply, is left out: forward, all its
//! images are reached; backward, those of unreached entries are unreached.
//!
//! Writing: backward, only the thread that works on a group writes it. Forward, any thread may find children in any
//! row: it reads without a lock which of them are unreached, and locks the row's group to set them, if there are any.
//! If rows are so short that a lock would cost more than it saves, there are no locks and each entry is set atomically.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU64, Ordering};

use crate::cast::to_u64;
use crate::meter::Meter;
use crate::pdb::space::{PatternSpace, Step};
use crate::progress::Cancelled;
use crate::run::{Run, Spare};

use super::cells::{Cells, Claim};
use super::list::List;
use super::lock::SpinLock;

/// The mask bit for entries that are not reached.
const OPEN: u16 = 1 << 15;
/// Rows of fewer columns than this are short: they are expanded about once, so their steps are not
/// kept, and their entries are set one by one, so their groups have no locks.
const LONG: usize = 16;
/// The least number of pieces of parallel work in a pass: large, so that threads end together.
const PIECES: usize = 1024;
/// The maximum number of entries of a piece, unless a single group has more, so that a cancelled pass stops within
/// milliseconds.
const ENTRIES_OF_PIECE: usize = 1 << 17;

/// The mask bit of a depth. Depths that share a bit only cost a scan.
fn bit(depth: u8) -> u16 {
    1 << (depth % 15)
}

/// The state that all passes of a fill share.
pub(super) struct Passes<'a, S: ?Sized, const BITS: u32> {
    space: &'a S,
    cells: Cells<'a, BITS>,
    rows: usize,
    columns: usize,
    /// The bits that a step may flip so that every column stays a column.
    flips: u16,
    /// For each column map, whether it is known to be valid.
    is_map: Vec<AtomicBool>,
    group_rows: usize,
    masks: Vec<AtomicU16>,
    /// One lock per group, or none at all.
    locks: Vec<SpinLock>,
    /// The steps of all rows, operator by operator, when they are kept.
    steps: Option<Vec<Step>>,
    /// The rows with aliases.
    aliases: Vec<(usize, Vec<Step>)>,
    /// Working spaces that no thread uses.
    spare: Spare<Scratch>,
    run: &'a Run<'a>,
    meter: &'a Meter<'a>,
}

#[cold]
fn check_map(map: &[u16], columns: usize) {
    assert_eq!(map.len(), columns, "a column map has an image for each column");
    assert!(map.iter().all(|&image| usize::from(image) < columns), "a column map leads to columns");
}

/// One thread's working space.
struct Scratch {
    /// Columns of the current row that remain to be examined.
    columns: List,
    /// Columns found: of the current row (backward) or of the row that a step leads to (forward).
    found: List,
    /// The steps of the current row.
    steps: Vec<Step>,
}

impl Scratch {
    fn new(columns: usize) -> Scratch {
        Scratch { columns: List::new(columns), found: List::new(columns), steps: Vec::new() }
    }
}

impl<'a, S: PatternSpace + ?Sized, const BITS: u32> Passes<'a, S, BITS> {
    pub(super) fn new(
        space: &'a S,
        cells: Cells<'a, BITS>,
        step_cache: usize,
        run: &'a Run<'a>,
        meter: &'a Meter<'a>,
    ) -> Result<Self, Cancelled> {
        let (rows, columns) = (space.rows(), space.columns());
        assert!(
            rows as u64 <= 1 << 32 && (1..=1 << 16).contains(&columns),
            "at most 2^32 rows, 2^16 columns"
        );
        let group_rows = 64usize.div_ceil(columns);
        let groups = rows.div_ceil(group_rows);
        let locks = if columns >= LONG { groups } else { 0 };
        let mut passes = Passes {
            space,
            cells,
            rows,
            columns,
            flips: (columns & columns.wrapping_neg()).wrapping_sub(1) as u16,
            is_map: (0..=u16::MAX).map(|_| AtomicBool::new(false)).collect(),
            group_rows,
            masks: (0..groups).map(|_| AtomicU16::new(OPEN)).collect(),
            locks: (0..locks).map(|_| SpinLock::default()).collect(),
            steps: None,
            aliases: Vec::new(),
            spare: Spare::default(),
            run,
            meter,
        };
        passes.aliases = passes.all_aliases()?;
        let bytes = (rows * size_of::<Step>()).saturating_mul(space.ops());
        if columns >= LONG && bytes <= step_cache {
            passes.steps = Some(passes.all_steps()?);
        }
        Ok(passes)
    }

    /// The entry of a depth: entries of two bits hold the depth modulo 3.
    #[inline(always)]
    fn entry(depth: u8) -> u8 {
        if BITS == 2 { depth % 3 } else { depth }
    }

    /// Ranges of entries that contain all entries at `depth`.
    pub(super) fn ranges(&self, depth: u8) -> Vec<Range<u64>> {
        let entries = self.group_rows * self.columns;
        let mut ranges: Vec<Range<u64>> = Vec::new();
        for (group, mask) in self.masks.iter().enumerate() {
            if mask.load(Ordering::Relaxed) & bit(depth) == 0 {
                continue;
            }
            let end = ((group + 1) * entries).min(self.rows * self.columns);
            let (first, end) = (to_u64(group * entries), to_u64(end));
            match ranges.last_mut().filter(|last| last.end == first) {
                Some(last) => last.end = end,
                None => ranges.push(first..end),
            }
        }
        ranges
    }

    fn all_aliases(&self) -> Result<Vec<(usize, Vec<Step>)>, Cancelled> {
        let piece = self.rows.div_ceil(PIECES).max(1);
        let mut pieces = vec![Vec::new(); self.rows.div_ceil(piece)];
        self.run.try_for_each_item(&mut pieces, &|number, found: &mut Vec<_>| {
            self.run.check()?;
            let rows = number * piece..self.rows.min((number + 1) * piece);
            let aliases = rows.map(|row| (row, self.space.aliases(row)));
            *found = aliases.filter(|(_, aliases)| !aliases.is_empty()).collect();
            Ok(())
        })?;
        Ok(pieces.concat())
    }

    fn all_steps(&self) -> Result<Vec<Step>, Cancelled> {
        let ops = self.space.ops();
        let mut steps = vec![Step::to(0); self.rows * ops];
        let piece = self.rows.div_ceil(PIECES).max(1);
        self.run.try_for_each_chunk(&mut steps, (piece * ops).max(1), &|number, chunk| {
            self.run.check()?;
            for (row, steps) in (number * piece..).zip(chunk.chunks_mut(ops)) {
                for (op, step) in steps.iter_mut().enumerate() {
                    *step = self.space.step(row, op);
                }
            }
            Ok(())
        })?;
        Ok(steps)
    }

    /// Sets the goals and their images to 0. Returns the number of these entries.
    pub(super) fn set_goals(&self) -> Result<u64, Cancelled> {
        let goals = self.space.goals();
        assert!(!goals.is_empty(), "a pattern space has at least one goal");
        let mut set = 0;
        for goal in goals {
            assert!(goal < self.rows * self.columns, "goal {goal} lies beyond the last entry");
            set += u64::from(self.cells.lower(&Claim::NONE, goal, 0));
            self.mark(goal / self.columns, 0);
        }
        self.meter.add(set);
        Ok(set + self.set_aliases(0)?)
    }

    /// Sets every unreached child of an entry at `depth` to `depth + 1`. Returns the number of entries set.
    pub(super) fn forward(&self, depth: u8) -> Result<u64, Cancelled> {
        self.each_group(bit(depth), |rows, scratch| {
            rows.map(|row| self.forward_row(row, depth, scratch)).sum()
        })
    }

    fn forward_row(&self, row: usize, depth: u8, scratch: &mut Scratch) -> u64 {
        let Scratch { columns, found, steps } = scratch;
        self.cells.find(row * self.columns, self.columns, Self::entry(depth), columns);
        if columns.is_empty() {
            return 0;
        }
        let steps = self.prefetched_steps(row, steps).iter().filter(|step| !self.is_idle(row, **step));
        steps.map(|&step| self.lower_images(columns, step, depth + 1, found)).sum()
    }

    /// Whether a step keeps every entry of its row.
    #[inline(always)]
    fn is_idle(&self, row: usize, step: Step) -> bool {
        step.row as usize == row && step.flip == 0 && self.space.map(step.map).is_none()
    }

    /// Sets the unreached images of `columns` under `step` to `value`. Returns the number of entries set.
    #[inline(always)]
    fn lower_images(&self, columns: &List, step: Step, value: u8, found: &mut List) -> u64 {
        self.find_unreached_images(columns, step, found);
        if found.is_empty() {
            return 0;
        }
        self.mark(step.row as usize, value);
        self.lower_shared(step.row as usize, found, value)
    }

    /// Writes to `found` the images of `columns` under `step` that are unreached.
    #[inline(always)]
    fn find_unreached_images(&self, columns: &List, step: Step, found: &mut List) {
        let (cells, base) = (self.cells, step.row as usize * self.columns);
        self.check_flip(step);
        let columns = columns.as_slice().iter();
        found.rewrite(|list| {
            let mut look_at = |image: u16| list.push_if(image, cells.is_unreached(base + usize::from(image)));
            match self.space.map(step.map) {
                None => columns.for_each(|&column| look_at(column ^ step.flip)),
                Some(map) => {
                    let map = self.checked(step.map, map);
                    columns.for_each(|&column| look_at(map[usize::from(column)] ^ step.flip));
                }
            }
        });
    }

    /// Column map `id`, whose images are checked when it is used for the first time.
    #[inline(always)]
    fn checked<'m>(&self, id: u16, map: &'m [u16]) -> &'m [u16] {
        let is_map = &self.is_map[usize::from(id)];
        if !is_map.load(Ordering::Relaxed) {
            check_map(map, self.columns);
            is_map.store(true, Ordering::Relaxed);
        }
        map
    }

    /// A column beyond the last one would be an entry of another row.
    #[inline(always)]
    fn check_flip(&self, step: Step) {
        assert!(step.flip & !self.flips == 0, "a step leads to columns of its row");
    }

    /// Sets those of `columns` in `row` that are still unreached; other threads may do the same. Returns the number of
    /// entries set.
    #[inline(always)]
    fn lower_shared(&self, row: usize, columns: &List, value: u8) -> u64 {
        let group = row / self.group_rows;
        match self.locks.get(group) {
            None => self.lower_columns(&Claim::NONE, row, columns, value),
            Some(lock) => lock.with(|| self.lower_columns(&self.claim(group), row, columns, value)),
        }
    }

    #[inline(always)]
    fn lower_columns(&self, claim: &Claim, row: usize, columns: &List, value: u8) -> u64 {
        let base = row * self.columns;
        let entry = Self::entry(value);
        let lower = |&column: &u16| u64::from(self.cells.lower(claim, base + usize::from(column), entry));
        columns.as_slice().iter().map(lower).sum()
    }

    /// The claim to the entries of a group.
    #[inline(always)]
    fn claim(&self, group: usize) -> Claim {
        let first = group * self.group_rows;
        let end = self.rows.min(first + self.group_rows);
        self.cells.claim(first * self.columns..end * self.columns)
    }

    /// Sets every unreached entry that has a neighbour at `depth` to `depth + 1`. Returns the number of entries set.
    pub(super) fn backward(&self, depth: u8) -> Result<u64, Cancelled> {
        self.each_group(OPEN, |rows, scratch| {
            let first = rows.start;
            let claim = self.claim(first / self.group_rows);
            let (mut new, mut is_open) = (0, false);
            for row in rows {
                self.find_reachable(row, depth, scratch);
                new += self.lower_columns(&claim, row, &scratch.found, depth + 1);
                is_open |= !scratch.columns.is_empty();
            }
            if new > 0 {
                self.mark(first, depth + 1);
            }
            if !is_open {
                self.masks[first / self.group_rows].fetch_and(!OPEN, Ordering::Relaxed);
            }
            new
        })
    }

    /// Sorts the unreached columns of `row` into those that have a neighbour at `depth`
    /// (`scratch.found`) and those that have none (`scratch.columns`).
    fn find_reachable(&self, row: usize, depth: u8, scratch: &mut Scratch) {
        let Scratch { columns, found, steps } = scratch;
        self.cells.find(row * self.columns, self.columns, Cells::<BITS>::UNREACHED, columns);
        found.clear();
        if self.steps.is_some() && !columns.is_empty() {
            self.prefetched_steps(row, steps);
        }
        for op in 0..self.space.ops() {
            if columns.is_empty() {
                break;
            }
            let step = self.step(row, op);
            if self.may_hold(step.row as usize, depth) && !self.is_idle(row, step) {
                self.split_off_reachable(columns, found, step, depth);
            }
        }
    }

    /// Moves from `columns` to `found` those whose image under `step` is at `depth`.
    #[inline(always)]
    fn split_off_reachable(&self, columns: &mut List, found: &mut List, step: Step, depth: u8) {
        self.check_flip(step);
        let (cells, base, entry) = (self.cells, step.row as usize * self.columns, Self::entry(depth));
        let is_there = move |column: u16| cells.get(base + usize::from(column ^ step.flip)) == entry;
        match self.space.map(step.map) {
            None => columns.split_off(found, is_there),
            Some(map) => {
                let map = self.checked(step.map, map);
                columns.split_off(found, move |column| is_there(map[usize::from(column)]));
            }
        }
    }

    /// Sets the images, under the symmetries of their row's class, of the entries at `depth`.
    pub(super) fn set_aliases(&self, depth: u8) -> Result<u64, Cancelled> {
        let set_images = |scratch: &mut Scratch, (row, steps): &(usize, Vec<Step>)| {
            if !self.may_hold(*row, depth) {
                return 0;
            }
            let Scratch { columns, found, .. } = scratch;
            self.cells.find(row * self.columns, self.columns, Self::entry(depth), columns);
            steps.iter().map(|&step| self.lower_images(columns, step, depth, found)).sum::<u64>()
        };
        let piece = self.aliases.len().div_ceil(PIECES).max(1);
        let pieces: Vec<_> = self.aliases.chunks(piece).collect();
        self.sum(pieces.len(), &|number, scratch| {
            pieces[number].iter().map(|aliases| set_images(scratch, aliases)).sum()
        })
    }

    /// Adds up `work` of each number below `pieces`, in parallel.
    fn sum(
        &self,
        pieces: usize,
        work: &(dyn Fn(usize, &mut Scratch) -> u64 + Sync),
    ) -> Result<u64, Cancelled> {
        let sum = AtomicU64::new(0);
        self.run.try_for_each(pieces, &|number| {
            self.run.check()?;
            let mut scratch = self.spare.take().unwrap_or_else(|| Scratch::new(self.columns));
            let new = work(number, &mut scratch);
            self.spare.leave(scratch);
            self.meter.add(new);
            sum.fetch_add(new, Ordering::Relaxed);
            Ok(())
        })?;
        self.run.check()?;
        Ok(sum.into_inner())
    }

    /// Runs `work` on the rows of each group whose mask has `wanted`, in parallel, and adds up the results.
    fn each_group(
        &self,
        wanted: u16,
        work: impl Fn(Range<usize>, &mut Scratch) -> u64 + Sync,
    ) -> Result<u64, Cancelled> {
        let most = ENTRIES_OF_PIECE / (self.group_rows * self.columns);
        let piece = self.masks.len().div_ceil(PIECES).min(most).max(1);
        let pieces: Vec<_> = self.masks.chunks(piece).collect();
        self.sum(pieces.len(), &|number, scratch| {
            let mut new = 0;
            for (group, mask) in (number * piece..).zip(pieces[number]) {
                if mask.load(Ordering::Relaxed) & wanted != 0 {
                    let first = group * self.group_rows;
                    new += work(first..self.rows.min(first + self.group_rows), scratch);
                }
            }
            new
        })
    }

    #[inline(always)]
    fn step(&self, row: usize, op: usize) -> Step {
        match &self.steps {
            Some(steps) => steps[row * self.space.ops() + op],
            None => self.space.step(row, op),
        }
    }

    /// The steps of a row. Prefetches their target rows.
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
