//! Layers of positions in memory.
//!
//! The idea: a hash of each position chooses its bucket, so equal positions lie in the same bucket of their layers. The
//! children of a layer are appended to buckets. Then each bucket is completed by itself, in the cache: a table of
//! hashes removes duplicates, and the positions of earlier layers. Where moves have inverses, a child of a layer lies
//! in the layer before it, in the layer itself or in the next, so only two layers are kept; else all are.
//!
//! Invariant: a kept layer has each of its positions once, and all layers are divided into the same buckets.
//!
//! Memory: children are completed whenever an eighth of the budget was appended, so that duplicates do not exhaust it.
//! Kept positions take at most half of the budget.
//!
//! Stops: a piece of a layer with [`MOST_CHILDREN`] children, and a bucket with a few times as many, are the most work
//! between two questions whether to stop.
//!
//! Cost: two bytes for each coordinate of each position, and for each child a few reads, a copy and a search in a table.

use std::sync::Mutex;

use rayon::prelude::*;
use search_core::domain::Lengths;
use search_core::{Cancelled, Domain, Run};

use super::{CountError, Counts};
use crate::space::{Slot, Space, Width, with_width};
use crate::system::System;

/// The maximum number of children that are generated at once.
const MOST_CHILDREN: usize = 1 << 15;
/// The maximum number of children of a bucket on average, duplicates included.
const CHILDREN_OF_BUCKET: usize = 1 << 15;
/// The part of the memory that children may take before they are completed.
const PARTS_OF_MEMORY: usize = 8;
/// An empty place in a table of hashes.
const EMPTY: u32 = u32::MAX;

/// The number of positions at each depth up to `depth`, by layers.
///
/// # Errors
/// [`CountError`].
pub fn by_layers(system: &System, depth: Option<usize>, run: &Run<'_>) -> Result<Counts, CountError> {
    struct Counted<'a, 'r>(&'a System, Option<usize>, &'a Run<'r>);
    impl Width for Counted<'_, '_> {
        type Answer = Result<Counts, CountError>;
        fn with<const N: usize>(self) -> Self::Answer {
            let Counted(system, depth, run) = self;
            let slots: Vec<Slot> = system.coordinates.iter().map(Slot::of).collect();
            let exact = slots.len();
            let space = Space::<N>::new(system.moves(), slots, exact, Lengths::ANY);
            run.install(|| Layers::new(&space, system.inverses.is_some(), run).count(depth))
        }
    }
    with_width(system.coordinates.len(), Counted(system, depth, run))
}

/// The bytes of a position in a layer.
pub(super) fn bytes_of_position(system: &System) -> u64 {
    struct Bytes;
    impl Width for Bytes {
        type Answer = u64;
        fn with<const N: usize>(self) -> u64 {
            size_of::<[u16; N]>() as u64
        }
    }
    with_width(system.coordinates.len(), Bytes)
}

/// Positions, divided by their hashes.
type Buckets<const N: usize> = Vec<Vec<[u16; N]>>;

fn total<const N: usize>(buckets: &Buckets<N>) -> usize {
    buckets.iter().map(Vec::len).sum()
}

/// A hash of a position: words of four coordinates, multiplied and folded.
#[inline(always)]
fn hash<const N: usize>(position: &[u16; N]) -> u64 {
    position.chunks_exact(4).fold(0x9E37_79B9_7F4A_7C15, |hash: u64, states| {
        let word = states.iter().fold(0, |word, &state| word << 16 | u64::from(state));
        let product = u128::from(hash ^ word) * 0xD6E8_FEB8_6659_FD93;
        // The low and the high half.
        product as u64 ^ (product >> 64) as u64
    })
}

/// The bucket of a hash among 2 to the power of `bits`.
#[inline(always)]
fn bucket(hash: u64, bits: u32) -> usize {
    (hash >> 1 >> (63 - bits)) as usize
}

/// The kept layers.
struct Layers<'a, const N: usize> {
    space: &'a Space<N>,
    /// Whether moves have inverses.
    is_closed: bool,
    run: &'a Run<'a>,
    /// The number of positions that fit the memory.
    room: usize,
    /// The number of buckets is 2 to this power.
    bits: u32,
    kept: Vec<Buckets<N>>,
}

impl<'a, const N: usize> Layers<'a, N> {
    fn new(space: &'a Space<N>, is_closed: bool, run: &'a Run<'a>) -> Layers<'a, N> {
        let room = usize::try_from(run.memory()).unwrap_or(usize::MAX) / size_of::<[u16; N]>();
        Layers { space, is_closed, run, room, bits: 0, kept: vec![vec![vec![[0; N]]]] }
    }

    fn count(mut self, depth: Option<usize>) -> Result<Counts, CountError> {
        let mut counts = vec![1];
        self.run.progress().begin("layers", 0);
        let mut complete = false;
        while depth.is_none_or(|depth| counts.len() <= depth) {
            let Some(next) = self.next()? else { return Err(CountError::Budget(counts)) };
            let states = total(&next);
            if states == 0 {
                complete = true;
                break;
            }
            counts.push(states as u64);
            self.run.progress().update(counts.len() as u64 - 1);
            self.kept.push(next);
            if self.is_closed && self.kept.len() > 2 {
                self.kept.remove(0);
            }
        }
        self.run.progress().end();
        Ok(Counts { layers: counts, complete, deepest: Vec::new() })
    }

    /// The next layer; `None` if it exceeds the memory.
    fn next(&mut self) -> Result<Option<Buckets<N>>, Cancelled> {
        let ops = self.space.op_count();
        let held: usize = self.kept.iter().map(total).sum();
        let parents = self.kept.last().expect("there is a layer");
        self.divide((total(parents) * ops).min(self.room))?;
        let at_once = self.room / PARTS_OF_MEMORY;
        let of_piece = MOST_CHILDREN.min(at_once) / ops;
        let pieces = pieces(self.kept.last().expect("there is a layer"), of_piece.max(1));
        let mut next: Buckets<N> = vec![Vec::new(); 1 << self.bits];
        for pieces in pieces.chunks((at_once / MOST_CHILDREN).max(1)) {
            self.expand(pieces, &mut next)?;
            self.complete(&mut next)?;
            if held + total(&next) > self.room / 2 {
                return Ok(None);
            }
        }
        Ok(Some(next))
    }

    /// Divides the kept layers into enough buckets for so many children.
    fn divide(&mut self, children: usize) -> Result<(), Cancelled> {
        let bits = (children / CHILDREN_OF_BUCKET + 1).next_power_of_two().trailing_zeros();
        let more = bits.saturating_sub(self.bits);
        if more == 0 {
            return Ok(());
        }
        let divided = |positions: Vec<[u16; N]>| {
            self.run.check()?;
            let mut parts: Buckets<N> = vec![Vec::new(); 1 << more];
            for position in positions {
                parts[bucket(hash(&position), bits) & ((1 << more) - 1)].push(position);
            }
            Ok(parts)
        };
        for layer in &mut self.kept {
            let parts = std::mem::take(layer).into_par_iter().map(divided).collect::<Result<Vec<_>, _>>()?;
            *layer = parts.into_iter().flatten().collect();
        }
        self.bits = bits;
        Ok(())
    }

    /// Appends the children of the pieces to `next`.
    fn expand(&self, pieces: &[Vec<&[[u16; N]]>], next: &mut Buckets<N>) -> Result<(), Cancelled> {
        let buckets: Vec<Mutex<&mut Vec<[u16; N]>>> = next.iter_mut().map(Mutex::new).collect();
        let expand = |sorter: &mut Sorter<N>, piece: &Vec<&[[u16; N]]>| {
            self.run.check()?;
            for parent in piece.iter().copied().flatten() {
                for op in self.space.applicable(parent) {
                    sorter.add(self.space.apply(parent, op), self.bits);
                }
            }
            sorter.append_to(&buckets);
            Ok(())
        };
        pieces.par_iter().try_for_each_init(|| Sorter::new(buckets.len()), expand)
    }

    /// Leaves each position of `next` once, and none of the kept layers.
    fn complete(&self, next: &mut Buckets<N>) -> Result<(), Cancelled> {
        let complete = |table: &mut Vec<u32>, (number, positions): (usize, &mut Vec<[u16; N]>)| {
            if positions.is_empty() {
                return Ok(());
            }
            self.run.check()?;
            let known = self.kept.iter().flat_map(|layer| &layer[number]);
            leave_new(positions, known, table);
            positions.shrink_to_fit();
            Ok(())
        };
        next.par_iter_mut().enumerate().try_for_each_init(Vec::new, complete)
    }
}

/// The positions of a layer in pieces of at most `most`.
fn pieces<const N: usize>(layer: &Buckets<N>, most: usize) -> Vec<Vec<&[[u16; N]]>> {
    let (mut pieces, mut room) = (vec![Vec::new()], most);
    for mut positions in layer.iter().map(Vec::as_slice) {
        while !positions.is_empty() {
            if room == 0 {
                pieces.push(Vec::new());
                room = most;
            }
            let (some, rest) = positions.split_at(room.min(positions.len()));
            pieces.last_mut().expect("a piece").push(some);
            (room, positions) = (room - some.len(), rest);
        }
    }
    pieces
}

/// Children that are sorted by their buckets.
struct Sorter<const N: usize> {
    children: Vec<[u16; N]>,
    buckets: Vec<u32>,
    /// For each bucket, the place of its next child among the sorted ones.
    places: Vec<u32>,
    sorted: Vec<[u16; N]>,
}

impl<const N: usize> Sorter<N> {
    fn new(buckets: usize) -> Sorter<N> {
        Sorter { children: Vec::new(), buckets: Vec::new(), places: vec![0; buckets], sorted: Vec::new() }
    }

    #[inline(always)]
    fn add(&mut self, child: [u16; N], bits: u32) {
        self.children.push(child);
        // There are fewer than 2^32 buckets.
        self.buckets.push(bucket(hash(&child), bits) as u32);
    }

    /// Appends the children to their buckets.
    fn append_to(&mut self, buckets: &[Mutex<&mut Vec<[u16; N]>>]) {
        let Sorter { children, buckets: of, places, sorted } = self;
        places.fill(0);
        of.iter().for_each(|&bucket| places[bucket as usize] += 1);
        let mut end = 0;
        for place in places.iter_mut() {
            (*place, end) = (end, end + *place);
        }
        sorted.resize(children.len(), [0; N]);
        for (child, &bucket) in children.iter().zip(&*of) {
            let place = &mut places[bucket as usize];
            sorted[*place as usize] = *child;
            *place += 1;
        }
        let mut first = 0;
        // Now each place is the end of its bucket.
        for (bucket, &end) in buckets.iter().zip(&*places) {
            let some = &sorted[first..end as usize];
            if !some.is_empty() {
                append(&mut bucket.lock().expect("no thread panics while it holds a bucket"), some);
            }
            first = end as usize;
        }
        children.clear();
        of.clear();
    }
}

/// Appends positions to a bucket, which grows by half at least.
fn append<const N: usize>(bucket: &mut Vec<[u16; N]>, some: &[[u16; N]]) {
    if bucket.capacity() - bucket.len() < some.len() {
        bucket.reserve_exact(some.len().max(bucket.len() / 2));
    }
    bucket.extend_from_slice(some);
}

/// Leaves each of `positions` once, and none that is known. `table` is room for a table of hashes.
fn leave_new<'a, const N: usize>(
    positions: &mut Vec<[u16; N]>,
    known: impl Iterator<Item = &'a [u16; N]>,
    table: &mut Vec<u32>,
) {
    let places = (2 * positions.len()).next_power_of_two();
    table.clear();
    table.resize(places, EMPTY);
    let mut count = 0;
    for at in 0..positions.len() {
        let position = positions[at];
        if let Err(place) = find(&position, &positions[..count], table) {
            // A bucket has fewer than 2^32 positions.
            table[place] = count as u32;
            positions[count] = position;
            count += 1;
        }
    }
    positions.truncate(count);
    let mut is_known = vec![false; count];
    for position in known {
        if let Ok(number) = find(position, positions, table) {
            is_known[number] = true;
        }
    }
    let mut is_known = is_known.into_iter();
    positions.retain(|_| !is_known.next().expect("a mark for each"));
}

/// The number of a position, or the place in the table where it belongs.
#[inline(always)]
fn find<const N: usize>(position: &[u16; N], positions: &[[u16; N]], table: &[u32]) -> Result<usize, usize> {
    let last = table.len() - 1;
    // Truncation chooses the low bits; the high ones chose the bucket.
    let mut place = hash(position) as usize & last;
    loop {
        match table[place] {
            EMPTY => return Err(place),
            number if positions[number as usize] == *position => return Ok(number as usize),
            _ => place = (place + 1) & last,
        }
    }
}
