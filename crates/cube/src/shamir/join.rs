//! Two streams of products, generated in lexicographic order and matched as they are generated.
//!
//! The idea: a stream is all products `x after y`, `x` from one list, `y` from another. Those that begin with given
//! images are, for each `x`, one node in the tree of the `y`: the product's next image is `v` exactly for the child
//! whose value `x` maps to `v`. So a *class*, all products with the same first images, is a set of pairs (x, node), at
//! most one for each `x`. It is split by the next image into at most 24 classes, and entering these in order of `v`
//! generates the stream in order. Both streams are split together, and a class is entered only if both have it. A class
//! with few products is generated completely and matched at once (`matching`).
//!
//! Invariant: the two sides of a class are exactly the products of the two streams that begin with the images chosen so
//! far. So no common product is lost.
//!
//! Cost: a product is processed once for each image until its class is small (four images for lists of tens of
//! thousands), and once to be generated. Memory: one class per level on each side, at most 24 pairs for each `x`, in
//! addition to the lists.
//!
//! Threads take classes of the first two images in order. The answer is the first match of the first class that has
//! one, so it does not depend on the number of threads.

use super::images::{IMAGES, Map, VALUES, kind};
use super::matching::{Matcher, SMALL};
use super::trie::{At, NodeId, Trie};
use search_core::{Cancelled, Run};
use std::sync::atomic::{AtomicUsize, Ordering};

/// One stream: all products `x after y`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stream<'a> {
    /// The maps `x`.
    pub maps: &'a [Map],
    /// The list of the `y`, as a tree.
    pub trie: &'a Trie,
}

/// A product: the numbers of `x` and `y` in their lists.
pub(crate) type Product = (usize, usize);

/// A product of each stream that are the same permutation.
pub(crate) type Match = [Product; 2];

/// The result of a join.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Joined {
    /// The first match.
    pub found: Option<Match>,
    /// Products generated on each side.
    pub generated: [u64; 2],
}

/// Some products with the same `x`: those with the `y` of a node.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pair {
    pub(super) x: u32,
    pub(super) node: NodeId,
}

/// The products of both streams with the same first images.
pub(super) type Class<'a> = [&'a [Pair]; 2];

/// The number of classes of the first two images, which are distributed among the threads.
pub(super) const SHARES: usize = VALUES * VALUES;

/// The first product, in lexicographic order, that both streams have. Progress is the number of finished classes of the
/// first two images.
///
/// # Errors
/// [`Cancelled`].
pub(crate) fn join(streams: [Stream; 2], run: &Run<'_>) -> Result<Joined, Cancelled> {
    join_by(streams, SMALL, run)
}

/// Like [`join`]; a class is small if it has at most `small` products on each side.
fn join_by(streams: [Stream; 2], small: usize, run: &Run<'_>) -> Result<Joined, Cancelled> {
    let whole = streams.map(|stream| -> Vec<Pair> {
        (0..stream.maps.len() as u32).map(|x| Pair { x, node: stream.trie.root() }).collect()
    });
    let mut first = Split::default();
    first.fill(&streams, 0, [&whole[0], &whole[1]]);
    let deal = Deal { next: AtomicUsize::new(0), first_hit: AtomicUsize::new(usize::MAX) };
    let all: Vec<Share> = run.each(|| Worker::new(streams, small, &deal, run).shares(&first));
    let generated = [0, 1].map(|side| all.iter().map(|share| share.generated[side]).sum());
    let hits = all.iter().filter_map(|share| share.hit);
    match hits.min() {
        None if all.iter().any(|share| share.cancelled) => Err(Cancelled),
        hit => Ok(Joined { found: hit.map(|(_, found)| found), generated }),
    }
}

/// The next class, and the first one so far that has a match: later ones need not be searched.
struct Deal {
    next: AtomicUsize,
    first_hit: AtomicUsize,
}

/// The work done by one worker.
#[derive(Clone, Copy, Debug, Default)]
struct Share {
    hit: Option<(usize, Match)>,
    generated: [u64; 2],
    cancelled: bool,
}

/// Why a worker stops searching a class.
enum Stop {
    Hit(Match),
    Late,
    Cancelled,
}

struct Worker<'a> {
    streams: [Stream<'a>; 2],
    deal: &'a Deal,
    run: &'a Run<'a>,
    matcher: Matcher<'a>,
    /// The class of the first two images being searched.
    share: usize,
}

impl<'a> Worker<'a> {
    fn new(streams: [Stream<'a>; 2], small: usize, deal: &'a Deal, run: &'a Run<'a>) -> Worker<'a> {
        Worker { streams, deal, run, matcher: Matcher::new(streams, small), share: 0 }
    }

    /// Searches the classes of the first two images one after another. `first` is the class of all products, split.
    fn shares(mut self, first: &Split) -> Share {
        let mut result = Share::default();
        let mut levels = vec![Split::default(); IMAGES - 1];
        let mut split = None;
        loop {
            self.share = self.deal.next.fetch_add(1, Ordering::Relaxed);
            if self.share >= SHARES || self.is_late() {
                break;
            }
            let (one, two) = (self.share / VALUES, self.share % VALUES);
            let (here, deeper) = levels.split_first_mut().expect("there is a level for each image");
            if split != Some(one) {
                here.fill(&self.streams, 1, first.of(one));
                split = Some(one);
            }
            match self.search(here.of(two), deeper) {
                Ok(()) | Err(Stop::Late) => {}
                Err(Stop::Cancelled) => {
                    result.cancelled = true;
                    break;
                }
                Err(Stop::Hit(found)) => {
                    self.deal.first_hit.fetch_min(self.share, Ordering::Relaxed);
                    result.hit = Some((self.share, found));
                    break;
                }
            }
            self.run.progress().update(self.share as u64 + 1);
        }
        result.generated = self.matcher.generated;
        result
    }

    fn is_late(&self) -> bool {
        self.share > self.deal.first_hit.load(Ordering::Relaxed)
    }

    /// Searches a class for a match; `levels` is storage for a split by each remaining image.
    fn search(&mut self, class: Class, levels: &mut [Split]) -> Result<(), Stop> {
        if class.iter().any(|side| side.is_empty()) {
            return Ok(());
        }
        let image = IMAGES - levels.len();
        if levels.is_empty() || self.matcher.is_small(class) {
            return self.matcher.first_match(image, class).map_or(Ok(()), |found| Err(Stop::Hit(found)));
        }
        if self.is_late() {
            return Err(Stop::Late);
        }
        self.run.check().map_err(|_| Stop::Cancelled)?;
        let (here, deeper) = levels.split_first_mut().expect("some image is left");
        here.fill(&self.streams, image, class);
        (0..VALUES).try_for_each(|value| self.search(here.of(value), deeper))
    }
}

/// A class, split by an image.
#[derive(Clone, Debug, Default)]
struct Split {
    sides: [Side; 2],
}

#[derive(Clone, Debug, Default)]
struct Side {
    /// The pairs, by value of the image.
    pairs: Vec<Pair>,
    /// The end of the pairs of each value.
    ends: [usize; VALUES],
    /// The pairs with their values, before they are sorted.
    unsorted: Vec<(u8, Pair)>,
}

impl Split {
    /// The class of a value.
    fn of(&self, value: usize) -> Class<'_> {
        self.sides.each_ref().map(|side| {
            let begin = if value == 0 { 0 } else { side.ends[value - 1] };
            &side.pairs[begin..side.ends[value]]
        })
    }

    /// Splits a class by an image, and drops classes that only one side has.
    fn fill(&mut self, streams: &[Stream; 2], image: usize, class: Class) {
        let counts = [0, 1].map(|i| self.sides[i].generate(&streams[i], image, class[i]));
        for (side, own) in self.sides.iter_mut().zip(&counts) {
            let kept = std::array::from_fn(|v| if counts.iter().all(|c| c[v] > 0) { own[v] } else { 0 });
            side.sort(&kept);
        }
    }
}

impl Side {
    /// Lists the children of `pairs` with their values, and counts the values.
    fn generate(&mut self, stream: &Stream, image: usize, pairs: &[Pair]) -> [usize; VALUES] {
        let mut counts = [0; VALUES];
        self.unsorted.clear();
        for &Pair { x, node } in pairs {
            let map = stream.maps[x as usize].of_kind(kind(image));
            let mut add = |value: u8, node| {
                let value = map[value as usize & 31];
                counts[value as usize] += 1;
                self.unsorted.push((value, Pair { x, node }));
            };
            match stream.trie.at(node) {
                At::Single(images) => add(images[image], node),
                At::Several(children) => children.iter().for_each(|&(value, node)| add(value, node)),
            }
        }
        counts
    }

    /// Sorts by value the pairs of the values that are kept; `kept` is the number of pairs of each value.
    fn sort(&mut self, kept: &[usize; VALUES]) {
        let mut total = 0;
        for (end, n) in self.ends.iter_mut().zip(kept) {
            *end = total;
            total += n;
        }
        self.pairs.resize(total, Pair::default());
        for &(value, pair) in self.unsorted.iter().filter(|(value, _)| kept[*value as usize] > 0) {
            let end = &mut self.ends[value as usize];
            self.pairs[*end] = pair;
            *end += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::images::{Images, images};
    use super::super::layers::Layers;
    use super::*;
    use crate::{Cube, Metric, Turn};
    use std::collections::BTreeSet;

    /// All products, by composition of cubes.
    fn products(first: &Cube, x: &[Cube], y: &[Cube]) -> BTreeSet<Images> {
        let with = |x: &Cube| first.compose(x);
        x.iter().flat_map(|x| y.iter().map(move |y| images(&with(x).compose(y)))).collect()
    }

    /// The reference implementation lists both streams and takes the least common product; every size of small
    /// classes, down to none, finds the same one.
    #[test]
    fn the_first_common_product_is_found() {
        let mut layers = Layers::new(Metric::Htm.turns().to_vec());
        layers.extend_to(2);
        for (moves, lists) in [(5, [1, 2, 1, 1]), (6, [1, 2, 1, 2]), (4, [2, 1, 0, 1]), (9, [1, 2, 2, 1])] {
            let start =
                Cube::SOLVED.apply_all((0..moves).map(|i: usize| Turn::from_index((i * i * 7 + 3 * i) % 18)));
            let [a, b, c, d] = lists.map(|depth| layers.at(depth));
            let left_products = products(&start, a, b);
            let right_products = products(&Cube::SOLVED, d, c);
            let least = left_products.intersection(&right_products).next();
            let left: Vec<Map> = a.iter().map(|a| Map::of(&start.compose(a))).collect();
            let right: Vec<Map> = d.iter().map(Map::of).collect();
            let tries = [Trie::new(b), Trie::new(c)];
            let streams = [Stream { maps: &left, trie: &tries[0] }, Stream { maps: &right, trie: &tries[1] }];
            for small in [0, 1, 20, 300, SMALL] {
                let joined = join_by(streams, small, &Run::new().with_threads(2)).unwrap();
                let found = joined.found.map(|[(x, y), (v, w)]| {
                    let one = images(&start.compose(&a[x]).compose(&b[y]));
                    assert_eq!(one, images(&d[v].compose(&c[w])), "a match is one permutation");
                    one
                });
                assert_eq!(found.as_ref(), least, "{moves} moves, small {small}");
            }
        }
    }
}
