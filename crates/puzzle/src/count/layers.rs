//! Layers of positions in memory.
//!
//! The idea: a hash of each position chooses its bucket, so equal positions lie in the same bucket of their layers. The
//! children of a layer are appended to buckets. Then each bucket is completed by itself, in the cache: a table of
//! hashes removes duplicates, and the positions of earlier layers. Where moves have inverses, a child of a layer lies
//! in the layer before it, in the layer itself or in the next, so only two layers are needed; else all are.
//!
//! Earlier layers are kept as long as there is memory. If all of them are left when the last layer is complete, a shortest
//! word to each of some deepest positions follows from them: some move leads to a position of a layer from one of the layer
//! before it.
//!
//! Invariant: a kept layer has each of its positions once, and all layers that are needed are divided into the same
//! buckets.
//!
//! Memory: children are completed whenever an eighth of the budget was appended, so that duplicates do not exhaust it.
//! Kept positions take at most half of the budget.
//!
//! Stops: a piece of a layer with [`MOST_CHILDREN`] children, and a bucket with a few times as many, are the most work
//! between two questions whether to stop.
//!
//! Cost: two bytes for each coordinate of each position, and for each child a few reads, a copy and a search in a table.

use std::sync::Mutex;

use search_core::domain::Lengths;
use search_core::run::{Run, Spare};
use search_core::{Cancelled, Domain, Op};

use super::antipodes::{Antipode, Classes};
use super::{CountAsk, CountError, Counts};
use crate::fault::Faults;
use crate::near::{ClassSpace, Classes as FreeMoves, Hashed, PlaceSpace, Places, with_class_room};
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

/// The number of positions at each depth, by layers.
///
/// # Errors
/// [`CountError`].
pub fn by_layers(system: &System, ask: &CountAsk, run: &Run<'_>) -> Result<Counts, CountError> {
    struct Counted<'a, 'r>(&'a System, &'a CountAsk, &'a Run<'r>);
    impl Width for Counted<'_, '_> {
        type Answer = Result<Counts, CountError>;
        fn with<const N: usize>(self) -> Self::Answer {
            let Counted(system, ask, run) = self;
            let slots: Vec<Slot> = system.coordinates.iter().map(Slot::of).collect();
            let exact = slots.len();
            let space = Space::<N>::new(system.moves(), slots, exact, Lengths::ANY);
            let layers = Layers::new(&space, system.inverses.is_some(), ask.starts(), run);
            let (counts, layers) = layers.count(ask.depth)?;
            let are_kept = counts.complete && layers.earlier.len() + layers.kept.len() == counts.layers.len();
            let undo = system.inverses.as_deref().filter(|_| are_kept && ask.has_one_goal());
            let deepest = undo.map_or_else(Vec::new, |undo| layers.deepest(system, undo));
            Ok(Counts { deepest, ..counts })
        }
    }
    if system.free.is_empty() {
        return with_width(system.coordinates.len(), Counted(system, ask, run));
    }
    let (places, classes) = classes(system)?;
    with_class_room(&places, CountedClasses { places: &places, classes: &classes, depth: ask.depth, run })
}

/// The classes of positions that differ by free moves.
fn classes(system: &System) -> Result<(Places, FreeMoves), CountError> {
    let places =
        Places::new(system).ok_or_else(|| Faults::from("there are more than 256 places".to_owned()))?;
    Ok((places, FreeMoves::new(system)?))
}

/// Counts the classes of positions that differ by free moves.
struct CountedClasses<'a, 'r> {
    places: &'a Places,
    classes: &'a FreeMoves,
    depth: Option<usize>,
    run: &'a Run<'r>,
}

impl Width for CountedClasses<'_, '_> {
    type Answer = Result<Counts, CountError>;

    fn with<const W: usize>(self) -> Self::Answer {
        let CountedClasses { places, classes, depth, run } = self;
        let space = ClassSpace::new(classes, PlaceSpace::<W>::new(places, Lengths::ANY));
        let layers = Layers::new(&space, true, vec![space.root()], run);
        Ok(layers.count(depth)?.0)
    }
}

/// The bytes of a position in a layer.
pub(super) fn bytes_of_position(system: &System) -> u64 {
    struct Bytes(usize);
    impl Width for Bytes {
        type Answer = u64;
        fn with<const N: usize>(self) -> u64 {
            (self.0 * N) as u64
        }
    }
    match classes(system) {
        Ok((places, _)) if !system.free.is_empty() => with_class_room(&places, Bytes(1)),
        _ => with_width(system.coordinates.len(), Bytes(size_of::<u16>())),
    }
}

impl<const N: usize> Hashed for Space<N> {
    fn root(&self) -> [u16; N] {
        [0; N]
    }

    #[inline(always)]
    fn hash(&self, position: &[u16; N]) -> u64 {
        hash(position)
    }

    #[inline(always)]
    fn child_hash(&self, position: &[u16; N], _: u64, op: Op) -> u64 {
        hash(&self.apply(position, op))
    }
}

/// Positions, divided by their hashes.
type Buckets<P> = Vec<Vec<P>>;
/// A bucket, and those into which it is divided.
type Piece<'a, P> = (&'a mut Vec<P>, &'a mut [Vec<P>]);

fn total<P>(buckets: &Buckets<P>) -> usize {
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
struct Layers<'a, D: Hashed> {
    space: &'a D,
    /// Whether moves have inverses.
    is_closed: bool,
    run: &'a Run<'a>,
    /// The number of positions that fit the memory.
    room: usize,
    /// The number of buckets of the layers that are needed is 2 to this power.
    bits: u32,
    /// The layers that are needed for the next one.
    kept: Vec<Buckets<D::State>>,
    /// The layers before these, without the first ones that did not fit the memory. They have no more buckets than the others.
    earlier: Vec<Buckets<D::State>>,
}

impl<'a, D: Hashed<State: Copy + Eq>> Layers<'a, D> {
    fn new(space: &'a D, is_closed: bool, starts: Vec<D::State>, run: &'a Run<'a>) -> Layers<'a, D> {
        let room = usize::try_from(run.memory()).unwrap_or(usize::MAX) / size_of::<D::State>();
        Layers { space, is_closed, run, room, bits: 0, kept: vec![vec![starts]], earlier: Vec::new() }
    }

    fn count(mut self, depth: Option<usize>) -> Result<(Counts, Self), CountError> {
        let mut counts = vec![total(&self.kept[0]) as u64];
        self.run.progress().begin("layers", 0);
        let mut complete = false;
        while depth.is_none_or(|depth| counts.len() <= depth) {
            let next = match self.next() {
                Ok(Some(next)) => next,
                Ok(None) => return Err(CountError::Budget(counts)),
                Err(_) => return Err(CountError::Stopped(counts)),
            };
            let states = total(&next);
            if states == 0 {
                complete = true;
                break;
            }
            counts.push(states as u64);
            self.run.progress().update(counts.len() as u64 - 1);
            self.kept.push(next);
            if self.is_closed && self.kept.len() > 2 {
                self.earlier.push(self.kept.remove(0));
            }
        }
        self.run.progress().end();
        Ok((Counts { layers: counts, complete, deepest: Vec::new() }, self))
    }

    /// Some positions of the last layer, where all layers are kept; an empty list if the run is cancelled before.
    fn deepest(&self, system: &System, undo: &[usize]) -> Vec<Antipode> {
        let Ok(classes) = Classes::new(system, self.run) else { return Vec::new() };
        let positions = self.kept.last().into_iter().flatten().flatten().take(classes.words());
        classes.listed(positions.map(|position| self.word(*position, undo)).collect())
    }

    /// A shortest word to a position of the last layer, where all layers are kept.
    fn word(&self, mut position: D::State, undo: &[usize]) -> Vec<usize> {
        let mut word = Vec::new();
        for layer in self.earlier.iter().chain(&self.kept).rev().skip(1) {
            let bits = layer.len().trailing_zeros();
            let before = self.space.applicable(&position).into_iter().find_map(|op| {
                let before = self.space.apply(&position, op);
                layer[bucket(self.space.hash(&before), bits)].contains(&before).then_some((op, before))
            });
            let (op, before) =
                before.expect("each position has one of the layer before among its neighbours");
            word.push(undo[op.index()]);
            position = before;
        }
        word.reverse();
        word
    }

    /// The next layer; `None` if it exceeds the memory.
    fn next(&mut self) -> Result<Option<Buckets<D::State>>, Cancelled> {
        let ops = self.space.op_count();
        let parents = self.kept.last().expect("there is a layer");
        let needed: usize = self.kept.iter().map(total).sum();
        self.divide((total(parents) * ops).min(self.room))?;
        let at_once = self.room / PARTS_OF_MEMORY;
        let of_piece = MOST_CHILDREN.min(at_once) / ops;
        let pieces = pieces(self.kept.last().expect("there is a layer"), of_piece.max(1));
        let mut next: Buckets<D::State> = vec![Vec::new(); 1 << self.bits];
        for pieces in pieces.chunks((at_once / MOST_CHILDREN).max(1)) {
            self.expand(pieces, &mut next)?;
            self.complete(&mut next)?;
            if !has_room(&mut self.earlier, needed + total(&next), self.room / 2) {
                return Ok(None);
            }
        }
        Ok(Some(next))
    }

    /// Divides the layers that are needed into enough buckets for so many children.
    fn divide(&mut self, children: usize) -> Result<(), Cancelled> {
        let bits = (children / CHILDREN_OF_BUCKET + 1).next_power_of_two().trailing_zeros();
        let more = bits.saturating_sub(self.bits);
        if more == 0 {
            return Ok(());
        }
        for layer in &mut self.kept {
            let mut divided: Buckets<D::State> = vec![Vec::new(); layer.len() << more];
            let mut pieces: Vec<_> = layer.iter_mut().zip(divided.chunks_mut(1 << more)).collect();
            self.run.try_for_each_item(&mut pieces, &|_, (positions, parts): &mut Piece<'_, D::State>| {
                self.run.check()?;
                for position in std::mem::take(*positions) {
                    parts[bucket(self.space.hash(&position), bits) & ((1 << more) - 1)].push(position);
                }
                Ok::<(), Cancelled>(())
            })?;
            *layer = divided;
        }
        self.bits = bits;
        Ok(())
    }

    /// Appends the children of the pieces to `next`.
    fn expand(&self, pieces: &[Vec<&[D::State]>], next: &mut Buckets<D::State>) -> Result<(), Cancelled> {
        let buckets: Vec<Mutex<&mut Vec<D::State>>> = next.iter_mut().map(Mutex::new).collect();
        let spare: Spare<Sorter<D::State>> = Spare::default();
        self.run.try_for_each(pieces.len(), &|number| {
            self.run.check()?;
            let mut sorter = spare.take().unwrap_or_else(|| Sorter::new(buckets.len()));
            for parent in pieces[number].iter().copied().flatten() {
                for op in self.space.applicable(parent) {
                    let child = self.space.apply(parent, op);
                    sorter.add(child, bucket(self.space.hash(&child), self.bits));
                }
            }
            sorter.append_to(&buckets);
            spare.leave(sorter);
            Ok(())
        })
    }

    /// Leaves each position of `next` once, and none of the layers that are needed.
    fn complete(&self, next: &mut Buckets<D::State>) -> Result<(), Cancelled> {
        let spare: Spare<Vec<u32>> = Spare::default();
        self.run.try_for_each_item(next, &|number, positions: &mut Vec<D::State>| {
            if positions.is_empty() {
                return Ok(());
            }
            self.run.check()?;
            let mut table = spare.take().unwrap_or_default();
            let known = self.kept.iter().flat_map(|layer| &layer[number]);
            leave_new(positions, known, |position| self.space.hash(position), &mut table);
            spare.leave(table);
            positions.shrink_to_fit();
            Ok(())
        })
    }
}

/// Whether so many positions fit `room` beside the earlier layers, of which the first ones are forgotten as far as necessary.
fn has_room<P>(earlier: &mut Vec<Buckets<P>>, positions: usize, room: usize) -> bool {
    let mut held: usize = earlier.iter().map(total).sum();
    while held + positions > room && !earlier.is_empty() {
        held -= total(&earlier.remove(0));
    }
    held + positions <= room
}

/// The positions of a layer in pieces of at most `most`.
fn pieces<P>(layer: &Buckets<P>, most: usize) -> Vec<Vec<&[P]>> {
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
struct Sorter<P> {
    children: Vec<P>,
    buckets: Vec<u32>,
    /// For each bucket, the place of its next child among the sorted ones.
    places: Vec<u32>,
    sorted: Vec<P>,
}

impl<P: Copy> Sorter<P> {
    fn new(buckets: usize) -> Sorter<P> {
        Sorter { children: Vec::new(), buckets: Vec::new(), places: vec![0; buckets], sorted: Vec::new() }
    }

    #[inline(always)]
    fn add(&mut self, child: P, bucket: usize) {
        self.children.push(child);
        // There are fewer than 2^32 buckets.
        self.buckets.push(bucket as u32);
    }

    /// Appends the children to their buckets.
    fn append_to(&mut self, buckets: &[Mutex<&mut Vec<P>>]) {
        let Sorter { children, buckets: of, places, sorted } = self;
        places.fill(0);
        of.iter().for_each(|&bucket| places[bucket as usize] += 1);
        let mut end = 0;
        for place in places.iter_mut() {
            (*place, end) = (end, end + *place);
        }
        // Each place is written below.
        sorted.clone_from(children);
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
fn append<P: Copy>(bucket: &mut Vec<P>, some: &[P]) {
    if bucket.capacity() - bucket.len() < some.len() {
        bucket.reserve_exact(some.len().max(bucket.len() / 2));
    }
    bucket.extend_from_slice(some);
}

/// Leaves each of `positions` once, and none that is known. `table` is room for a table of hashes.
fn leave_new<'a, P: Copy + Eq + 'a>(
    positions: &mut Vec<P>,
    known: impl Iterator<Item = &'a P>,
    hash: impl Fn(&P) -> u64,
    table: &mut Vec<u32>,
) {
    let places = (2 * positions.len()).next_power_of_two();
    table.clear();
    table.resize(places, EMPTY);
    let mut count = 0;
    for at in 0..positions.len() {
        let position = positions[at];
        if let Err(place) = find(&position, &positions[..count], hash(&position), table) {
            // A bucket has fewer than 2^32 positions.
            table[place] = count as u32;
            positions[count] = position;
            count += 1;
        }
    }
    positions.truncate(count);
    let mut is_known = vec![false; count];
    for position in known {
        if let Ok(number) = find(position, positions, hash(position), table) {
            is_known[number] = true;
        }
    }
    let mut is_known = is_known.into_iter();
    positions.retain(|_| !is_known.next().expect("a mark for each"));
}

/// The number of a position, or the place in the table where it belongs.
#[inline(always)]
fn find<P: Eq>(position: &P, positions: &[P], hash: u64, table: &[u32]) -> Result<usize, usize> {
    let last = table.len() - 1;
    // Truncation chooses the low bits; the high ones chose the bucket.
    let mut place = hash as usize & last;
    loop {
        match table[place] {
            EMPTY => return Err(place),
            number if positions[number as usize] == *position => return Ok(number as usize),
            _ => place = (place + 1) & last,
        }
    }
}
