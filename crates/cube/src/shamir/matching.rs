//! The last step for a small class: generating its products and finding those that both sides have.
//!
//! Each product is reduced to a key, a mixture of its next four images. A product whose key the other side does not
//! have is dropped, on the right and then on the left; the few that remain are compared in full. A dropped product has
//! a key, and so an image, that no product of the other side has, so no match is lost.

use super::images::{IMAGES, Images, kind};
use super::join::{Class, Match, Pair, Product, Stream};

/// The maximum number of products on a side of a small class.
pub(super) const SMALL: usize = 4096;

/// The number of different keys: many more than [`SMALL`], so that few products agree by accident.
const KEYS: usize = 1 << 17;

/// The matcher of one thread.
pub(super) struct Matcher<'a> {
    streams: [Stream<'a>; 2],
    candidates: [Vec<Candidate>; 2],
    keys: KeySet,
    small: usize,
    /// Products generated on each side.
    pub(super) generated: [u64; 2],
}

#[derive(Clone, Copy, Debug)]
struct Candidate {
    key: u32,
    x: u32,
    y: u32,
}

impl<'a> Matcher<'a> {
    /// Creates a matcher for classes of at most `small` products on each side.
    pub(super) fn new(streams: [Stream<'a>; 2], small: usize) -> Matcher<'a> {
        Matcher { streams, candidates: Default::default(), keys: KeySet::new(), small, generated: [0; 2] }
    }

    /// Whether both sides of a class have few products.
    pub(super) fn is_small(&self, class: Class) -> bool {
        class.iter().zip(&self.streams).all(|(pairs, stream)| {
            let mut sizes = pairs.iter().map(|pair| stream.trie.numbers(pair.node).len());
            let within = |sum, size| if sum + size <= self.small { Some(sum + size) } else { None };
            pairs.len() <= self.small && sizes.try_fold(0, within).is_some()
        })
    }

    /// The first common product of a class whose first `image` images are fixed.
    pub(super) fn first_match(&mut self, image: usize, class: Class) -> Option<Match> {
        for (side, pairs) in class.into_iter().enumerate() {
            self.generate(side, image, pairs);
        }
        let [left, right] = &mut self.candidates;
        self.keys.keep_common(left, right);
        if right.is_empty() {
            return None;
        }
        self.keys.keep_common(right, left);
        let left = in_order(&self.streams[0], left);
        let right = in_order(&self.streams[1], right);
        left.iter().find_map(|(images, one)| {
            let at = right.partition_point(|(other, _)| other < images);
            right.get(at).filter(|(other, _)| other == images).map(|(_, other)| [*one, *other])
        })
    }

    /// Lists the products of one side with their keys.
    fn generate(&mut self, side: usize, image: usize, pairs: &[Pair]) {
        let (stream, candidates) = (&self.streams[side], &mut self.candidates[side]);
        let first = image.min(IMAGES - 4);
        candidates.clear();
        for pair in pairs {
            let map = &stream.maps[pair.x as usize];
            let maps: [_; 4] = std::array::from_fn(|i| map.of_kind(kind(first + i)));
            for y in stream.trie.numbers(pair.node) {
                let images = &stream.trie.images(y)[first..first + 4];
                let four = [0, 1, 2, 3].map(|i| maps[i][images[i] as usize & 31]);
                let key = u32::from_le_bytes(four).wrapping_mul(0x9e37_79b1) >> (32 - KEYS.ilog2());
                candidates.push(Candidate { key, x: pair.x, y: y as u32 });
            }
        }
        self.generated[side] += candidates.len() as u64;
    }
}

/// The candidates as permutations, in lexicographic order.
fn in_order(stream: &Stream, candidates: &[Candidate]) -> Vec<(Images, Product)> {
    let full = |c: &Candidate| {
        let (map, images) = (&stream.maps[c.x as usize], stream.trie.images(c.y as usize));
        let product = std::array::from_fn(|i| map.of_kind(kind(i))[images[i] as usize]);
        (product, (c.x as usize, c.y as usize))
    };
    let mut all: Vec<_> = candidates.iter().map(full).collect();
    all.sort_unstable();
    all
}

/// A set of keys, empty between uses.
struct KeySet {
    words: Vec<u64>,
}

impl KeySet {
    fn new() -> KeySet {
        KeySet { words: vec![0; KEYS / 64] }
    }

    /// Keeps those of `some` whose key also occurs in `others`.
    fn keep_common(&mut self, others: &[Candidate], some: &mut Vec<Candidate>) {
        for c in others {
            self.words[c.key as usize / 64] |= 1 << (c.key % 64);
        }
        some.retain(|c| self.words[c.key as usize / 64] >> (c.key % 64) & 1 == 1);
        for c in others {
            self.words[c.key as usize / 64] = 0;
        }
    }
}
