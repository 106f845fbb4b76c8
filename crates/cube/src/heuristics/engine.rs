//! A heuristic, its tables and the search wired together.
//!
//! Which vector instructions run is decided here, once: everything below is generic over them, and
//! [`Engine`] hides it.

use crate::cube::{Cube, Turn};
use crate::lanes::{Everywhere, Lanes};
use crate::metric::Metric;
use crate::space::{CubeSpace, State};
use crate::tables::{AnyTable, LoadedTable, Pattern};
use search_core::ida::{self, AnyTree, Config, RootMoves, Tree};
use search_core::table::TableError;
use search_core::{Automaton, Heuristic, Report, Run};

/// A search in which everything but the cube is fixed.
pub trait Engine: Send + Sync {
    /// Searches for shortest solutions.
    ///
    /// # Errors
    /// [`TableError`] of a table that the search finds to be forged.
    fn search(&self, cube: &Cube, config: &Config, run: &Run<'_>) -> Result<Report<Vec<Turn>>, TableError>;

    /// Calls `act` with the tree of a search with these root moves.
    fn with_tree(&self, cube: &Cube, root_moves: &RootMoves, act: &mut dyn FnMut(&dyn AnyTree));

    /// The heuristic's value.
    fn value(&self, cube: &Cube) -> u8;

    /// The move rules of the search, from one side or from both.
    fn rules(&self) -> &Automaton;
}

/// The implementation of the byte shuffles to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Instructions {
    /// The best that this machine has.
    #[default]
    Best,
    /// What every machine has for which the program is compiled: plain arrays, on most.
    Portable,
}

/// A heuristic that can be wired for any vector instructions.
pub trait Wire {
    /// Whether it gains from AVX-512, or only from vectors up to those of AVX2.
    const GAINS_FROM_AVX512: bool = false;

    /// The search with this heuristic.
    fn wire<V: Lanes>(&self, wiring: &Wiring<'_>) -> Box<dyn Engine>;
}

/// What a heuristic is connected with to form a search.
#[derive(Clone, Copy, Debug)]
pub struct Wiring<'a> {
    /// The moves of the search.
    pub metric: Metric,
    /// The loaded tables.
    pub tables: &'a [LoadedTable],
    /// The instructions to run.
    pub instructions: Instructions,
}

impl Wiring<'_> {
    /// The table of a pattern.
    ///
    /// # Panics
    /// If it is not loaded.
    pub fn table(&self, pattern: Pattern) -> AnyTable {
        let is_it = |(id, ..): &&LoadedTable| id.pattern == pattern && id.metric == self.metric;
        self.tables.iter().find(is_it).expect("all tables of the heuristic are loaded").1.clone()
    }

    /// The engine of a heuristic.
    pub fn engine<W: Wire>(&self, heuristic: &W) -> Box<dyn Engine> {
        #[cfg(target_arch = "x86_64")]
        if self.instructions == Instructions::Best {
            use crate::lanes::{Avx2, Avx512};
            // A constant block, so that what it excludes is not even compiled.
            if const { W::GAINS_FROM_AVX512 } && Avx512::is_available() {
                return heuristic.wire::<Avx512>(self);
            }
            if Avx2::is_available() {
                return heuristic.wire::<Avx2>(self);
            }
        }
        heuristic.wire::<Everywhere>(self)
    }
}

/// A domain, a heuristic and the move rules.
pub(super) struct Wired<V, H> {
    pub(super) space: CubeSpace<V>,
    pub(super) heuristic: H,
    pub(super) automaton: Automaton,
}

impl<V: Lanes, H> Wired<V, H> {
    /// With the move rules of the domain.
    pub(super) fn new(space: CubeSpace<V>, heuristic: H) -> Wired<V, H> {
        let automaton = space.automaton();
        Wired { space, heuristic, automaton }
    }
}

impl<V: Lanes, H: Heuristic<CubeSpace<V>> + Send> Engine for Wired<V, H> {
    fn search(&self, cube: &Cube, config: &Config, run: &Run<'_>) -> Result<Report<Vec<Turn>>, TableError> {
        let start = State::new(cube);
        let report = ida::search(&self.space, &self.heuristic, &self.automaton, &start, config, run);
        Ok(report.map(|ops| self.space.solution(&ops)))
    }

    fn with_tree(&self, cube: &Cube, root_moves: &RootMoves, act: &mut dyn FnMut(&dyn AnyTree)) {
        let Wired { space: domain, heuristic, automaton } = self;
        act(&Tree { domain, heuristic, automaton, start: &State::new(cube), root_moves });
    }

    fn value(&self, cube: &Cube) -> u8 {
        self.heuristic.value(&self.space, &State::new(cube))
    }

    fn rules(&self) -> &Automaton {
        &self.automaton
    }
}

/// The search of `space` with `heuristic`.
pub fn wired<V: Lanes, H: Heuristic<CubeSpace<V>> + Send + 'static>(
    space: CubeSpace<V>,
    heuristic: H,
) -> Box<dyn Engine> {
    Box::new(Wired::new(space, heuristic))
}
