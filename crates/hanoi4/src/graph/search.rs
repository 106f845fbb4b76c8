//! Breadth-first search over bitmaps of all states.
//!
//! Three bits per state: the current layer, the next one, and whether the state was visited. (Moves
//! along one-way edges cannot be undone, so two layers would not find all duplicates.) A step works
//! on one block of the next layer at a time: it collects what the block's own current states and
//! those of the adjacent blocks reach, and takes away what was visited. It reads the current layer
//! and writes the block alone, so threads need no coordination.
//!
//! Most blocks have no states in most layers. A mark per block and layer records whether the block has any, and for
//! each pair of pegs whether it has states whose small discs leave both free: only from these can a move of a large
//! disc lead to another block. A block that neither has states nor is adjacent to a block so marked is skipped.

use super::GraphTask;
use super::shape::{Shape, Word};
use crate::error::SearchError;
use rayon::prelude::*;
use search_core::Run;
use search_core::memory::Memory;
use std::marker::PhantomData;

/// The mark of a block that has states; the bits below it belong to the pairs of pegs.
const HAS_STATES: u32 = 1 << 31;

/// A layer: a bitmap of all states and a mark per block.
#[derive(Debug)]
pub(super) struct Layer<W> {
    bitmap: Memory,
    marks: Vec<u32>,
    words: PhantomData<W>,
}

impl<W: Word> Layer<W> {
    fn new(shape: &Shape<W>) -> Result<Layer<W>, SearchError> {
        let bitmap = Memory::zeroed(shape.blocks * shape.words * size_of::<W>())?;
        Ok(Layer { bitmap, marks: vec![0; shape.blocks], words: PhantomData })
    }

    /// All words, block by block.
    pub(super) fn words(&self) -> &[W] {
        bytemuck::cast_slice(&self.bitmap)
    }

    /// Whether the block has states in this layer.
    pub(super) fn has_states(&self, block: usize) -> bool {
        self.marks[block] != 0
    }

    /// Whether the block has states whose small discs leave a pair of pegs free.
    pub(super) fn leaves_free(&self, block: usize, pair: usize) -> bool {
        self.marks[block] >> pair & 1 != 0
    }
}

/// A search from all discs on one peg.
#[derive(Debug)]
pub(super) struct GraphSearch<W> {
    pub(super) shape: Shape<W>,
    pub(super) current: Layer<W>,
    pub(super) next: Layer<W>,
    visited: Memory,
}

/// The default number of discs that select the word: blocks of about 2 to 4 KiB.
fn default_word_discs(pegs: u32) -> u32 {
    [5, 4, 3, 3][pegs as usize - 3]
}

/// The bytes that a search takes.
pub(super) fn bytes_needed<W: Word>(task: &GraphTask<'_>) -> u128 {
    let pegs = u128::from(task.graph.pegs());
    let word_bits = W::BITS as u128;
    let mut used = 1;
    let mut discs = 0;
    while discs < task.discs && used * pegs <= word_bits {
        (used, discs) = (used * pegs, discs + 1);
    }
    let words = pegs.saturating_pow(task.discs - discs);
    let word_discs = task.word_discs.unwrap_or(default_word_discs(task.graph.pegs()));
    let blocks = pegs.saturating_pow((task.discs - discs).saturating_sub(word_discs));
    words.saturating_mul(3 * word_bits / 8).saturating_add(blocks.saturating_mul(8))
}

impl<W: Word> GraphSearch<W> {
    /// A search whose next layer is the start alone.
    ///
    /// # Errors
    /// [`SearchError::Budget`], or [`SearchError::Memory`] when the system refuses.
    pub(super) fn new(
        task: &GraphTask<'_>,
        extra: u128,
        run: &Run<'_>,
    ) -> Result<GraphSearch<W>, SearchError> {
        let need = bytes_needed::<W>(task).saturating_add(extra);
        if need > u128::from(run.memory()) {
            return Err(SearchError::Budget { need, budget: run.memory() });
        }
        let word_discs = task.word_discs.unwrap_or(default_word_discs(task.graph.pegs()));
        let shape = Shape::new(task.graph, task.discs, word_discs);
        let (current, next) = (Layer::new(&shape)?, Layer::new(&shape)?);
        let visited = Memory::zeroed(next.bitmap.len())?;
        let mut search = GraphSearch { shape, current, next, visited };
        let (block, word, bit) = search.shape.perfect(task.from as usize);
        let words = search.shape.words;
        let next: &mut [W] = bytemuck::cast_slice_mut(&mut search.next.bitmap);
        let visited: &mut [W] = bytemuck::cast_slice_mut(&mut search.visited);
        next[block * words + word] = W::ONE << bit as u32;
        visited[block * words + word] = W::ONE << bit as u32;
        search.next.marks[block] = marks(&search.shape, &next[block * words..][..words]);
        Ok(search)
    }

    /// Makes the next layer the current one and finds the layer after it; returns its number of
    /// states.
    ///
    /// # Errors
    /// [`SearchError::Cancelled`]; the search cannot be used any more.
    pub(super) fn step(&mut self, run: &Run<'_>) -> Result<u64, SearchError> {
        /// The number of blocks that a thread processes between cancellation checks.
        const CHUNK: usize = 64;
        std::mem::swap(&mut self.current, &mut self.next);
        let (shape, current) = (&self.shape, &self.current);
        let words = shape.words;
        let visited: &mut [W] = bytemuck::cast_slice_mut(&mut self.visited);
        let next: &mut [W] = bytemuck::cast_slice_mut(&mut self.next.bitmap);
        let chunks = next
            .par_chunks_mut(CHUNK * words)
            .zip(visited.par_chunks_mut(CHUNK * words))
            .zip(self.next.marks.par_chunks_mut(CHUNK));
        let states = chunks.enumerate().map(|(chunk, ((next, visited), marks))| {
            if run.is_cancelled() {
                return 0;
            }
            let mut states = 0;
            for (at, mark) in marks.iter_mut().enumerate() {
                let (next, visited) = (&mut next[at * words..][..words], &mut visited[at * words..][..words]);
                states += step_block(shape, current, chunk * CHUNK + at, next, visited, mark);
            }
            states
        });
        let states = run.install(|| states.sum());
        run.check()?;
        Ok(states)
    }

    /// Whether the state at a place (block, word, bit) is in the next layer.
    pub(super) fn is_next(&self, (block, word, bit): (usize, usize, usize)) -> bool {
        self.next.has_states(block)
            && self.next.words()[block * self.shape.words + word] >> bit as u32 & W::ONE != W::ZERO
    }
}

/// Finds the states of one block in the next layer; returns their number.
fn step_block<W: Word>(
    shape: &Shape<W>,
    current: &Layer<W>,
    block: usize,
    next: &mut [W],
    visited: &mut [W],
    mark: &mut u32,
) -> u64 {
    let tops = shape.block_tops(block);
    let is_entered = |(from, pair): (usize, usize)| current.leaves_free(from, pair).then_some((from, pair));
    let mut entries = shape.source_blocks(block, &tops).filter_map(is_entered).peekable();
    let has_states = current.has_states(block);
    if !has_states && entries.peek().is_none() {
        if std::mem::take(mark) != 0 {
            next.fill(W::ZERO);
        }
        return 0;
    }
    if has_states {
        let own = &current.words()[block * shape.words..][..shape.words];
        for (at, word) in next.iter_mut().enumerate() {
            *word = shape.reached(own, at);
        }
    } else {
        next.fill(W::ZERO);
    }
    for (from, pair) in entries {
        let other = &current.words()[from * shape.words..][..shape.words];
        for &at in &shape.free_words[pair] {
            let at = usize::from(at);
            next[at] = next[at] | other[at] & shape.free_bits[pair];
        }
    }
    let mut states = 0;
    for (word, visited) in next.iter_mut().zip(visited) {
        *word = *word & !*visited;
        *visited = *visited | *word;
        states += word.ones();
    }
    *mark = if states == 0 { 0 } else { marks(shape, next) };
    states
}

/// The mark of a block with states.
fn marks<W: Word>(shape: &Shape<W>, block: &[W]) -> u32 {
    let mut mark = HAS_STATES;
    for (pair, words) in shape.free_words.iter().enumerate() {
        let any = words.iter().fold(W::ZERO, |any, &at| any | block[usize::from(at)]);
        mark |= u32::from(any & shape.free_bits[pair] != W::ZERO) << pair;
    }
    mark
}
