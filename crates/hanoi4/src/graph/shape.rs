//! The layout of a state space in words of bits, and the effect of moves on it.
//!
//! A state is a number in base `p`, the number of pegs. The smallest discs select a word of a block,
//! the next larger ones a bit of the word, the largest ones the block:
//!
//! ```text
//! state, largest disc first:   L L L L … | b b b | w w w w
//!                              the block  the bit   the word
//! ```
//!
//! A disc moves from peg `a` to peg `b` only while no smaller disc is on either. So a move of a disc
//! that selects the word is an `or` of one word to another, for all its states at once. A move of a
//! disc within the word is a mask and a shift, in the words whose own discs leave both pegs free. A
//! move of a disc that selects the block is an `and` with a mask and an `or` to another block, in
//! those same words. All of these are listed here, per graph.
//!
//! Words are of 64 bits for 4 and 6 pegs, and of 128 bits for 3 and 5 pegs, where three discs of five
//! pegs use 125 of the bits.

use super::peg_graph::PegGraph;
use bytemuck::Pod;
use std::ops::{BitAnd, BitOr, Not, Shl, Shr};

/// A word of bits, one per state.
pub trait Word:
    Pod
    + Send
    + Sync
    + Eq
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// The number of bits.
    const BITS: usize;
    /// No bit set.
    const ZERO: Self;
    /// The lowest bit set.
    const ONE: Self;
    /// The number of bits set.
    fn ones(self) -> u64;
    /// The number of the lowest bit set, or the number of bits if none is.
    fn lowest(self) -> usize;
}

macro_rules! word {
    ($word:ty) => {
        impl Word for $word {
            const BITS: usize = <$word>::BITS as usize;
            const ZERO: Self = 0;
            const ONE: Self = 1;
            #[inline(always)]
            fn ones(self) -> u64 {
                u64::from(self.count_ones())
            }
            #[inline(always)]
            fn lowest(self) -> usize {
                self.trailing_zeros() as usize
            }
        }
    };
}
word!(u64);
word!(u128);

/// The smallest disc on each peg among some discs; [`EMPTY`] for a peg without any.
pub type Tops = [u8; 6];

/// The entry of a peg without discs.
pub const EMPTY: u8 = u8::MAX;

/// A shift of the states of a word in which one disc can move.
#[derive(Clone, Copy, Debug)]
struct Shift<W> {
    mask: W,
    left: u32,
    right: u32,
}

/// The layout of the states, and the moves of a graph.
#[derive(Debug)]
pub struct Shape<W> {
    pub pegs: usize,
    pub discs: usize,
    /// The number of discs that select the word, of those that select the bit, and of both.
    pub word_discs: usize,
    pub bit_discs: usize,
    pub small: usize,
    /// The number of words of a block, and the number of blocks.
    pub words: usize,
    pub blocks: usize,
    /// The number of states of a word: its bits in use.
    pub bits: usize,
    /// The powers of the number of pegs.
    weights: Vec<usize>,
    /// The edges of the graph, and for each the number of its unordered pair of pegs.
    pub edges: Vec<(usize, usize, usize)>,
    /// For each unordered pair of pegs that an edge joins: the words whose discs leave both pegs free.
    pub free_words: Vec<Vec<u16>>,
    /// For each pair: the bits whose discs leave both pegs free.
    pub free_bits: Vec<W>,
    /// The words from which word `w` is reached: `sources[starts[w]..starts[w + 1]]`.
    starts: Vec<u32>,
    sources: Vec<u16>,
    /// For each edge: the shifts within a word.
    shifts: Vec<Vec<Shift<W>>>,
    /// For each word: the edges whose pegs its discs leave free.
    word_edges: Vec<Vec<u8>>,
    /// The top discs of each word and of each bit.
    pub word_tops: Vec<Tops>,
    pub bit_tops: Vec<Tops>,
}

/// The digits of `number` in base `pegs`, the lowest first.
fn digits(mut number: usize, pegs: usize, count: usize) -> impl Iterator<Item = usize> {
    (0..count).map(move |_| {
        let digit = number % pegs;
        number /= pegs;
        digit
    })
}

/// The top discs of a configuration whose discs are numbered from `first`.
fn tops(number: usize, pegs: usize, count: usize, first: usize) -> Tops {
    let mut tops = [EMPTY; 6];
    for (disc, peg) in digits(number, pegs, count).enumerate() {
        tops[peg] = tops[peg].min((first + disc) as u8);
    }
    tops
}

/// The top discs when the discs of `above` are larger than those of `small`.
#[inline(always)]
pub fn over(small: &Tops, above: &Tops) -> Tops {
    std::array::from_fn(|peg| small[peg].min(above[peg]))
}

/// The greatest number of discs that select the bit, with `pegs` pegs in words of `bits` bits.
fn most_bit_discs(pegs: usize, bits: usize) -> usize {
    (1..).take_while(|&discs| pegs.pow(discs) <= bits).last().unwrap_or(0) as usize
}

impl<W: Word> Shape<W> {
    /// The layout for `discs` discs, of which at most `word_discs` select the word.
    pub fn new(graph: &PegGraph, discs: u32, word_discs: u32) -> Shape<W> {
        let (pegs, discs) = (graph.pegs() as usize, discs as usize);
        let bit_discs = most_bit_discs(pegs, W::BITS).min(discs);
        let word_discs = (word_discs as usize).min(discs - bit_discs);
        let small = word_discs + bit_discs;
        let (words, bits) = (pegs.pow(word_discs as u32), pegs.pow(bit_discs as u32));
        let mut pairs: Vec<(usize, usize)> = Vec::new();
        let mut edges = Vec::new();
        for &(a, b) in graph.edges() {
            let (a, b) = (a as usize, b as usize);
            let pair = (a.min(b), a.max(b));
            let at = pairs.iter().position(|&known| known == pair).unwrap_or_else(|| {
                pairs.push(pair);
                pairs.len() - 1
            });
            edges.push((a, b, at));
        }
        let word_tops: Vec<Tops> = (0..words).map(|word| tops(word, pegs, word_discs, 0)).collect();
        let bit_tops: Vec<Tops> = (0..bits).map(|bit| tops(bit, pegs, bit_discs, word_discs)).collect();
        let is_free = |tops: &Tops, (a, b): (usize, usize)| tops[a] == EMPTY && tops[b] == EMPTY;
        let free_words = pairs.iter().map(|&pair| {
            (0..words).filter(|&word| is_free(&word_tops[word], pair)).map(|word| word as u16).collect()
        });
        let free_bits = pairs.iter().map(|&pair| set(bits, |bit| is_free(&bit_tops[bit], pair)));
        let (mut starts, mut sources) = (vec![0], Vec::new());
        for word in 0..words {
            for &(a, b, _) in &edges {
                sources.extend(source(&word_tops[word], word, (a, b), pegs, 0).map(|from| from as u16));
            }
            starts.push(sources.len() as u32);
        }
        let shifts = edges.iter().map(|&(a, b, _)| {
            let shift = |disc: usize| {
                let top = (word_discs + disc) as u8;
                let mask = set(bits, |bit| bit_tops[bit][a] == top && bit_tops[bit][b] > top);
                let step = |from: usize, to: usize| (to.saturating_sub(from) * pegs.pow(disc as u32)) as u32;
                Shift { mask, left: step(a, b), right: step(b, a) }
            };
            (0..bit_discs).map(shift).collect()
        });
        let word_edges = word_tops.iter().map(|tops| {
            let free = (0..edges.len()).filter(|&edge| is_free(tops, (edges[edge].0, edges[edge].1)));
            free.map(|edge| edge as u8).collect()
        });
        Shape {
            pegs,
            discs,
            word_discs,
            bit_discs,
            small,
            words,
            bits,
            weights: (0..discs as u32).map(|disc| pegs.pow(disc)).collect(),
            blocks: pegs.pow((discs - small) as u32),
            free_words: free_words.collect(),
            free_bits: free_bits.collect(),
            starts,
            sources,
            shifts: shifts.collect(),
            word_edges: word_edges.collect(),
            edges,
            word_tops,
            bit_tops,
        }
    }

    /// The states of word `at` that are one move of a small disc away from states of `block`.
    #[inline(always)]
    pub fn reached(&self, block: &[W], at: usize) -> W {
        let mut found = W::ZERO;
        let sources = &self.sources[self.starts[at] as usize..self.starts[at + 1] as usize];
        for &from in sources {
            found = found | block[usize::from(from)];
        }
        if block[at] != W::ZERO {
            for &edge in &self.word_edges[at] {
                for shift in &self.shifts[usize::from(edge)] {
                    found = found | (block[at] & shift.mask) << shift.left >> shift.right;
                }
            }
        }
        found
    }

    /// The top large discs of `block`.
    pub fn block_tops(&self, block: usize) -> Tops {
        tops(block, self.pegs, self.discs - self.small, self.small)
    }

    /// The blocks from which a move of a large disc leads to `block`, whose top discs are `tops`: the
    /// block and the pair of pegs of the move.
    pub fn source_blocks(&self, block: usize, tops: &Tops) -> impl Iterator<Item = (usize, usize)> {
        self.edges.iter().filter_map(move |&(a, b, pair)| {
            source(tops, block, (a, b), self.pegs, self.small).map(|from| (from, pair))
        })
    }

    /// The place of the state with all discs on `peg`: block, word and bit.
    pub fn perfect(&self, peg: usize) -> (usize, usize, usize) {
        let all = |count: usize| peg * (self.pegs.pow(count as u32) - 1) / (self.pegs - 1);
        (all(self.discs - self.small), all(self.word_discs), all(self.bit_discs))
    }

    /// Calls `visit` with the place of each state from which a move leads to the state at the given
    /// place, whose top large discs are `large`.
    #[inline(always)]
    pub fn each_source(
        &self,
        (block, word, bit): (usize, usize, usize),
        large: &Tops,
        mut visit: impl FnMut(usize, usize, usize),
    ) {
        let tops = over(&over(&self.word_tops[word], &self.bit_tops[bit]), large);
        for &(a, b, _) in &self.edges {
            let disc = usize::from(tops[b]);
            if tops[b] >= tops[a] {
                continue;
            }
            if disc < self.word_discs {
                visit(block, moved(word, (b, a), self.weights[disc]), bit);
            } else if disc < self.small {
                visit(block, word, moved(bit, (b, a), self.weights[disc - self.word_discs]));
            } else {
                visit(moved(block, (b, a), self.weights[disc - self.small]), word, bit);
            }
        }
    }
}

/// `number` with a digit changed from one peg to another; the digit's place has this weight.
#[inline(always)]
fn moved(number: usize, (from, to): (usize, usize), weight: usize) -> usize {
    number + to * weight - from * weight
}

/// The configuration from which a move along the edge (a, b) leads to the configuration `number`,
/// whose top discs are `tops` and whose smallest disc is `first`, if there is one.
fn source(tops: &Tops, number: usize, (a, b): (usize, usize), pegs: usize, first: usize) -> Option<usize> {
    (tops[b] < tops[a]).then(|| moved(number, (b, a), pegs.pow(u32::from(tops[b]) - first as u32)))
}

/// The word of the bits that `is_in` holds for.
fn set<W: Word>(bits: usize, is_in: impl Fn(usize) -> bool) -> W {
    (0..bits).filter(|&bit| is_in(bit)).fold(W::ZERO, |set, bit| set | W::ONE << bit as u32)
}
