//! A pattern database of some tokens, min-compressed, as a heuristic.
//!
//! The idea: the pattern keeps the places of tokens 1 to p and forgets which of the others is where.
//! Its database holds the distance of each of these arrangements to the goal's. Arrangements with
//! successive ranks differ in the last tokens only, and their distances differ little; so each
//! [`GROUP`] entries are stored as one, their minimum.
//!
//! Why it is admissible: a solution of the puzzle solves the pattern too, and a minimum over entries
//! is not greater than any of them.
//!
//! Source: Felner, Korf, Meshulam & Holte 2007, "Compressed pattern databases".

use crate::puzzle::{Ring, TopSpin};
use search_core::Run;
use search_core::pdb::rank::permutation;
use search_core::pdb::{FillOptions, Graph, Packed, Projection, fill};
use search_core::table::{Built, Encoding, FileError, Kind, Recipe, Spec, Unfinished};

/// Entries of the pattern that are stored as one.
pub const GROUP: usize = 4;

/// The pattern of tokens 1 to `tokens`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// The puzzle.
    pub puzzle: TopSpin,
    /// The number of kept tokens beside token 0: at least 1, and fewer than the ring has.
    pub tokens: usize,
}

impl Pattern {
    /// The recipe of the table of this name.
    pub fn recipe_of(name: &str) -> Option<Box<dyn Recipe>> {
        let (puzzle, tokens) = name.strip_prefix("topspin-")?.split_once("-pdb")?;
        let (size, turnstile) = puzzle.split_once('-')?;
        let puzzle = TopSpin::new(size.parse().ok()?, turnstile.parse().ok()?).ok()?;
        let pattern = Pattern { puzzle, tokens: tokens.parse().ok()? };
        let is_possible = (1..puzzle.tokens()).contains(&pattern.tokens) && pattern.name() == name;
        is_possible.then(|| Box::new(pattern) as Box<dyn Recipe>)
    }

    /// The largest pattern with at most 2^26 arrangements, 8 MiB when stored.
    pub fn default_for(puzzle: TopSpin) -> Pattern {
        let fits = |tokens: &usize| permutation::count(puzzle.tokens() - 1, *tokens) <= 1 << 26;
        let tokens = (1..puzzle.tokens() - 2).take_while(fits).last().expect("one token fits");
        Pattern { puzzle, tokens }
    }

    /// The number of arrangements.
    fn arrangements(self) -> usize {
        permutation::count(self.puzzle.tokens() - 1, self.tokens) as usize
    }

    /// The rank of the places of the pattern's tokens on `ring`.
    fn rank(self, ring: &Ring) -> usize {
        let mut places = [0; 16];
        for (place, token) in (0..).zip(&ring[1..self.puzzle.tokens()]) {
            if usize::from(*token) <= self.tokens {
                places[usize::from(*token) - 1] = place;
            }
        }
        permutation::rank(&places[..self.tokens], self.puzzle.tokens() - 1) as usize
    }

    /// The arrangement that operator `op` leads to from the one with rank `rank`.
    fn neighbour(self, rank: usize, op: usize) -> usize {
        let n = self.puzzle.tokens();
        let mut places = [0; 16];
        permutation::unrank(rank as u64, n - 1, &mut places[..self.tokens]);
        let zero = self.puzzle.turned(op, 0);
        for place in &mut places[..self.tokens] {
            *place = ((self.puzzle.turned(op, usize::from(*place) + 1) + n - zero) % n - 1) as u8;
        }
        permutation::rank(&places[..self.tokens], n - 1) as usize
    }
}

impl Projection<TopSpin> for Pattern {
    type Coordinate = usize;

    fn project(&self, _: &TopSpin, ring: &Ring) -> usize {
        self.rank(ring)
    }

    fn index(&self, rank: &usize) -> usize {
        rank / GROUP
    }
}

impl Recipe for Pattern {
    fn name(&self) -> String {
        format!("{}-pdb{}", self.puzzle.name(), self.tokens)
    }

    fn description(&self) -> String {
        format!("tokens 0 to {}, the least of {GROUP} distances in each entry", self.tokens)
    }

    fn spec(&self) -> Spec {
        Spec {
            kind: Kind::PatternDatabase,
            puzzle: self.puzzle.name(),
            operators: "reversals by place".to_owned(),
            pattern: self.description(),
            ranking: 1,
            bits: 4,
            encoding: Encoding::Exact,
            entries: self.arrangements().div_ceil(GROUP) as u64,
            complete: true,
        }
    }

    fn peak_bytes(&self) -> u64 {
        2 * self.arrangements() as u64
    }

    fn build_seconds(&self, threads: usize) -> f64 {
        (self.arrangements() * self.puzzle.tokens()) as f64 / 2e7 / threads as f64
    }

    fn build(&self, _: &Unfinished, run: &Run<'_>) -> Result<Built, FileError> {
        let goal = self.rank(&self.puzzle.goal());
        let neighbour = |rank, op| Some(self.neighbour(rank, op));
        let space = Graph::new(self.arrangements(), self.puzzle.tokens(), vec![goal], neighbour);
        let filled = fill::<4, _>(&space.undirected(), FillOptions::default(), run)?;
        let distances: Vec<u8> = filled.table.iter().collect();
        let minima = distances.chunks(GROUP).filter_map(|group| group.iter().min().copied());
        let minima: Vec<u8> = minima.collect();
        let (entries, depth) = (minima.len(), minima.iter().max().map_or(0, |depth| (*depth).into()));
        let table = Packed::<8, _>::new(minima, entries as u64).expect("one byte per entry");
        Ok(Built { body: table.repack::<4>(|distance| distance, run)?.into_bytes(), depth })
    }
}
