//! A heuristic, its tables and the search wired together.
//!
//! The vector instructions are chosen here, once: everything below is generic over them, and [`Engine`] hides the
//! choice.

use crate::cube::Cube;
use crate::lanes::{Everywhere, Lanes};
use crate::metric::Metric;
use crate::space::{CubeDomain, CubeSpace, in_order};
use crate::tables::{AnyTable, LoadedTable, Pattern};
use search_core::beam::{self, Beam};
use search_core::ida::work_units::{DistributedSearch, Settings};
use search_core::ida::{self, AnyTree, Choice, Config, Order, RootMoves, Tree, TreeSearch};
use search_core::record::TableUse;
use search_core::table::TableError;
use search_core::{Automaton, Heuristic, Lengths, Op, Report, Run};

/// A beam may use this fraction of the memory of the run.
const BEAM_MEMORY: u64 = 8;
/// A solution by a beam has at most this many moves more than four times the heuristic's value: beyond, a narrow beam is
/// lost.
const LONGER: u32 = 40;

/// A search in which everything but the cube is fixed.
pub(crate) trait Engine: Send + Sync {
    /// Searches for shortest solutions of a cube that the moves can solve. Solutions are numbers of moves, in order.
    ///
    /// # Errors
    /// [`TableError`] if the search finds a table to be forged.
    fn search(&self, cube: &Cube, config: &Config, run: &Run<'_>) -> Result<Report<Vec<Op>>, TableError>;

    /// Calls `act` with the search tree of `cube` under these move rules, by default its own, and root moves.
    fn with_tree(
        &self,
        cube: &Cube,
        rules: Option<&Automaton>,
        root_moves: &RootMoves,
        act: &mut dyn FnMut(&dyn AnyTree),
    );

    /// A solution by a beam search of about `nodes` nodes, shorter than `below` if that is given: numbers of moves, in
    /// order. `None` if the beam finds none, or the run must stop.
    fn beam(&self, cube: &Cube, nodes: u64, below: Option<u32>, run: &Run<'_>) -> Option<Vec<Op>>;

    /// The heuristic's value.
    fn value(&self, cube: &Cube) -> u8;

    /// The lengths that solutions can have.
    fn lengths(&self, cube: &Cube) -> Lengths;

    /// Converts operators of a tree, which may come from a file, to numbers of moves, in order; `None` if one is
    /// invalid.
    fn in_order(&self, ops: &[Op]) -> Option<Vec<Op>>;

    /// The move rules of the search, from one side or from both.
    fn rules(&self) -> &Automaton;
}

/// The search for the shortest solution of one cube as work units, for processes that share only files or messages.
///
/// See [`search_core::ida::work_units`] for the invariant. The root moves are those of a search by one process, so the
/// nodes are the same.
pub(crate) struct SharedSearch<'a> {
    pub(crate) engine: &'a dyn Engine,
    pub(crate) cube: Cube,
    pub(crate) root_moves: RootMoves,
    pub(crate) settings: Settings,
    pub(crate) tables: &'a [TableUse],
    pub(crate) order: Order,
    /// The expected growth of the work per bound, used until it has been measured.
    pub(crate) growth: f64,
}

impl DistributedSearch for SharedSearch<'_> {
    fn settings(&self) -> Settings {
        self.settings.clone()
    }

    fn tables(&self) -> &[TableUse] {
        self.tables
    }

    fn order(&self) -> Order {
        self.order
    }

    fn growth_per_move(&self) -> f64 {
        self.growth
    }
}

impl TreeSearch for SharedSearch<'_> {
    fn least(&self, bound: u32) -> u32 {
        let value = self.engine.value(&self.cube).into();
        self.engine.lengths(&self.cube).at_least(bound.max(value))
    }

    fn with_tree(&self, choice: &Choice, _: usize, act: &mut dyn FnMut(&dyn AnyTree)) -> bool {
        let is_ours = choice.parts.is_empty();
        if is_ours {
            self.engine.with_tree(&self.cube, None, &self.root_moves, act);
        }
        is_ours
    }
}

/// Settings by their names.
pub(crate) fn settings<const N: usize>(settings: [(&str, &str); N]) -> Settings {
    settings.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec()
}

/// The implementation of the byte shuffles to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Instructions {
    /// The best instructions that this machine has.
    #[default]
    Best,
    /// The instructions that every machine has for which the program is compiled: plain arrays on most.
    Portable,
}

/// A heuristic that can be compiled for any vector instructions.
pub(crate) trait Wire {
    /// Whether it benefits from AVX-512, or only from vectors up to AVX2.
    #[cfg(target_arch = "x86_64")]
    const GAINS_FROM_AVX512: bool = false;

    /// The search with this heuristic.
    fn wire<V: Lanes>(&self, wiring: &Wiring<'_>) -> Box<dyn Engine>;
}

/// Everything that is combined with a heuristic to form a search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wiring<'a> {
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
    pub(crate) fn table(&self, pattern: Pattern) -> AnyTable {
        let is_it = |(id, ..): &&LoadedTable| id.pattern == pattern && id.metric == self.metric;
        self.tables.iter().find(is_it).expect("all tables of the heuristic are loaded").1.clone()
    }

    /// The engine of a heuristic.
    pub(crate) fn engine<W: Wire>(&self, heuristic: &W) -> Box<dyn Engine> {
        #[cfg(target_arch = "x86_64")]
        use crate::lanes::{Avx2, Avx512};
        match self.instructions {
            // A constant block, so that excluded code is not even compiled.
            #[cfg(target_arch = "x86_64")]
            Instructions::Best if const { W::GAINS_FROM_AVX512 } && Avx512::is_available() => {
                heuristic.wire::<Avx512>(self)
            }
            #[cfg(target_arch = "x86_64")]
            Instructions::Best if Avx2::is_available() => heuristic.wire::<Avx2>(self),
            Instructions::Best | Instructions::Portable => heuristic.wire::<Everywhere>(self),
        }
    }
}

/// A domain, a heuristic and the move rules.
pub(crate) struct Wired<D, H> {
    pub(crate) space: D,
    pub(crate) heuristic: H,
    pub(crate) automaton: Automaton,
}

impl<V: Lanes, H> Wired<CubeSpace<V>, H> {
    /// Creates the search with the move rules of the domain.
    pub(super) fn new(space: CubeSpace<V>, heuristic: H) -> Wired<CubeSpace<V>, H> {
        let automaton = space.automaton();
        Wired { space, heuristic, automaton }
    }
}

impl<D: CubeDomain + Send, H: Heuristic<D> + Send> Engine for Wired<D, H> {
    fn search(&self, cube: &Cube, config: &Config, run: &Run<'_>) -> Result<Report<Vec<Op>>, TableError> {
        let Wired { space, heuristic, automaton } = self;
        let report = ida::search(space, heuristic, automaton, &space.state_of(cube), config, run);
        Ok(report.map(|ops| in_order(space.move_count(), &ops)))
    }

    fn with_tree(
        &self,
        cube: &Cube,
        rules: Option<&Automaton>,
        root_moves: &RootMoves,
        act: &mut dyn FnMut(&dyn AnyTree),
    ) {
        let Wired { space: domain, heuristic, automaton } = self;
        let automaton = rules.unwrap_or(automaton);
        act(&Tree { domain, heuristic, automaton, start: &domain.state_of(cube), root_moves });
    }

    fn beam(&self, cube: &Cube, nodes: u64, below: Option<u32>, run: &Run<'_>) -> Option<Vec<Op>> {
        let Wired { space, heuristic, .. } = self;
        let value = u32::from(self.value(cube)).max(1);
        let width = nodes / (space.op_count() as u64 * u64::from(value));
        let most = Beam::most::<D, H>(run.memory() / BEAM_MEMORY, 2 * value);
        let width = usize::try_from(width).unwrap_or(usize::MAX).clamp(1, most.max(1));
        let beam = Beam { width, below: below.unwrap_or(4 * value + LONGER) };
        run.progress().begin(&format!("beam of {width} positions"), 0);
        let found = beam::search(space, heuristic, &space.state_of(cube), &beam, run).ok().flatten();
        run.progress().end();
        found.map(|ops| in_order(space.move_count(), &ops))
    }

    fn value(&self, cube: &Cube) -> u8 {
        self.heuristic.value(&self.space, &self.space.state_of(cube))
    }

    fn lengths(&self, cube: &Cube) -> Lengths {
        self.space.lengths(&self.space.state_of(cube))
    }

    fn in_order(&self, ops: &[Op]) -> Option<Vec<Op>> {
        let are_operators = ops.iter().all(|op| op.index() < self.space.op_count());
        are_operators.then(|| in_order(self.space.move_count(), ops))
    }

    fn rules(&self) -> &Automaton {
        &self.automaton
    }
}

/// The search of `space` with `heuristic`.
pub(crate) fn wired<V: Lanes, H: Heuristic<CubeSpace<V>> + Send + 'static>(
    space: CubeSpace<V>,
    heuristic: H,
) -> Box<dyn Engine> {
    Box::new(Wired::new(space, heuristic))
}
