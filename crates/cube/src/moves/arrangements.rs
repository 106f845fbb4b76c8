//! Positions of some pieces under a set of moves, numbered without gaps: a space for a breadth-first fill.
//!
//! The idea: the group of the moves permutes the pieces among themselves (all corners, all edges, or all pieces), so it
//! acts on their facelets as a group of its own, and an arrangement of the pieces is an element of this group. Its
//! number is made of its places in the orbits of a [`Chain`]. The first levels give the *row*, the last ones the
//! *column*: the columns are the elements of a stabiliser `H`, and each row is a coset of it, `H t`. A move `m` maps `h
//! t` to `h s t'`, where `t'` is the factor of another row and `s = t m t'⁻¹` is in `H` and depends on the row alone.
//! So a move has the same effect on all columns of a row: it multiplies them by `s`. The products of all pairs in `H`
//! are a table, and a fill processes whole rows with one lookup per entry ([`PatternSpace`]).
//!
//! Invariant: exactly the arrangements that the moves reach have a number, so a table has no gaps, and
//! the number of entries is the order of the group.
//!
//! Cost: a row's step takes some hundred table reads, an entry one. The table of products takes
//! 2 |H|² bytes, at most 8 MiB.

use super::chain::Chain;
use super::permutation::Permutation;
use super::set::MoveSet;
use search_core::pdb::{PatternSpace, Step};

/// The maximum number of columns of a row.
const MOST_COLUMNS: usize = 2048;

/// The arrangements of some pieces that a set of moves reaches.
#[derive(Clone, Debug)]
pub(crate) struct Arrangements {
    chain: Chain,
    /// The number of levels that give the row.
    row_levels: usize,
    rows: usize,
    columns: usize,
    moves: Vec<Permutation>,
    /// The solved arrangements: one for each way of holding the cube that the moves lead to.
    goals: Vec<usize>,
    /// `products[s][h]`: the column of `h s`.
    products: Vec<Vec<u16>>,
}

impl Arrangements {
    /// An upper limit on the number of levels of a chain.
    pub(crate) const MOST_BASES: usize = 32;

    /// The arrangements of the pieces with these facelets, one of each piece; `None` if there are more
    /// than `most`. `goals` are the solved positions, elements of the group.
    pub(crate) fn new(
        set: &MoveSet,
        facelets: &[u8],
        goals: &[Permutation],
        most: u64,
    ) -> Option<Arrangements> {
        let chain = acting_on(set, facelets);
        usize::try_from(chain.order()).ok().filter(|&order| order as u64 <= most)?;
        let lengths: Vec<usize> = chain.levels().iter().map(|level| level.orbit_length()).collect();
        let (mut row_levels, mut columns) = (lengths.len(), 1);
        while row_levels > 0 && columns * lengths[row_levels - 1] <= MOST_COLUMNS {
            row_levels -= 1;
            columns *= lengths[row_levels];
        }
        let rows = lengths[..row_levels].iter().product();
        let moves = set.operators().iter().map(|operator| operator.effect).collect();
        let mut space =
            Arrangements { chain, row_levels, rows, columns, moves, goals: Vec::new(), products: Vec::new() };
        space.products = space.products();
        space.goals = goals.iter().map(|goal| space.entry(goal)).collect();
        Some(space)
    }

    /// The number of entries.
    pub(crate) fn entries(&self) -> usize {
        self.rows * self.columns
    }

    /// The facelets whose images give the entry, in the order of [`Arrangements::entry_of`].
    pub(crate) fn bases(&self) -> impl Iterator<Item = u8> {
        self.chain.levels().iter().map(|level| level.base())
    }

    /// The entry of an element of the group.
    ///
    /// # Panics
    /// If it moves a piece to a place that the moves cannot reach.
    pub(crate) fn entry(&self, element: &Permutation) -> usize {
        let mut images = [0; Self::MOST_BASES];
        let bases = self.chain.levels().iter().map(|level| level.base());
        images.iter_mut().zip(bases).for_each(|(image, base)| *image = element.image(base));
        self.entry_of(images)
    }

    /// The entry of an element that carries the [`bases`](Arrangements::bases) to these facelets.
    ///
    /// # Panics
    /// If the moves cannot bring them there.
    #[inline]
    pub(crate) fn entry_of(&self, mut images: [u8; Self::MOST_BASES]) -> usize {
        let levels = self.chain.levels();
        let mut entry = 0;
        for (i, level) in levels.iter().enumerate() {
            let place = level.place(images[i]).expect("an arrangement that the moves reach");
            entry = entry * level.orbit_length() + place;
            let from = level.from(place);
            images[i + 1..levels.len()].iter_mut().for_each(|image| *image = from.image(*image));
        }
        entry
    }

    /// The element of an entry; pieces that are not arranged stay in place.
    pub(crate) fn element(&self, entry: usize) -> Permutation {
        self.unranked(entry, 0, self.chain.levels().len())
    }

    /// The product of the factors of levels `from..to` with this rank.
    fn unranked(&self, mut rank: usize, from: usize, to: usize) -> Permutation {
        // The last level's factor comes first.
        let mut places = Vec::with_capacity(to - from);
        for level in self.chain.levels()[from..to].iter().rev() {
            places.push(rank % level.orbit_length());
            rank /= level.orbit_length();
        }
        let levels = self.chain.levels()[from..to].iter().rev();
        levels.zip(places).fold(Permutation::IDENTITY, |so_far, (level, place)| so_far.then(level.to(place)))
    }

    /// The rank of an element within levels `from..to`, and the remaining factor.
    fn ranked(&self, mut element: Permutation, from: usize, to: usize) -> (usize, Permutation) {
        let mut rank = 0;
        for level in &self.chain.levels()[from..to] {
            let place = level.place(element.image(level.base())).expect("an element of the group");
            rank = rank * level.orbit_length() + place;
            element = element.then(level.from(place));
        }
        (rank, element)
    }

    /// The table of products: of the whole stabiliser, level by level from the last one.
    fn products(&self) -> Vec<Vec<u16>> {
        let levels = self.chain.levels();
        let elements: Vec<Permutation> =
            (0..self.columns).map(|h| self.unranked(h, self.row_levels, levels.len())).collect();
        let times = |factor: &Permutation| -> Vec<u16> {
            let product =
                |h: &Permutation| self.ranked(h.then(factor), self.row_levels, levels.len()).0 as u16;
            elements.iter().map(product).collect()
        };
        let mut products: Vec<Vec<u16>> = vec![(0..self.columns).map(|h| h as u16).collect()];
        for level in levels[self.row_levels..].iter().rev() {
            let factors: Vec<Vec<u16>> =
                (0..level.orbit_length()).map(|place| times(level.to(place))).collect();
            // An element is one of the levels below, then the factor.
            let then = |below: &Vec<u16>, factor: &Vec<u16>| {
                below.iter().map(|&product| factor[usize::from(product)]).collect()
            };
            products = factors
                .iter()
                .flat_map(|factor| products.iter().map(move |below| then(below, factor)))
                .collect();
        }
        products
    }
}

impl PatternSpace for Arrangements {
    fn rows(&self) -> usize {
        self.rows
    }
    fn columns(&self) -> usize {
        self.columns
    }
    fn ops(&self) -> usize {
        self.moves.len()
    }
    fn step(&self, row: usize, op: usize) -> Step {
        let factor = self.unranked(row, 0, self.row_levels);
        let (row, left) = self.ranked(factor.then(&self.moves[op]), 0, self.row_levels);
        let (column, _) = self.ranked(left, self.row_levels, self.chain.levels().len());
        Step { row: row as u32, map: column as u16, flip: 0 }
    }
    fn map(&self, id: u16) -> Option<&[u16]> {
        (id > 0).then(|| &self.products[usize::from(id)][..])
    }
    fn goals(&self) -> Vec<usize> {
        self.goals.clone()
    }
    fn is_undirected(&self) -> bool {
        true
    }
}

/// The group that the moves generate on the facelets of the pieces that have these; all other facelets stay in place.
fn acting_on(set: &MoveSet, facelets: &[u8]) -> Chain {
    let generators: Vec<Permutation> =
        set.operators().iter().map(|operator| operator.effect.on_pieces_of(facelets)).collect();
    Chain::new(facelets, &generators)
}
