//! A puzzle, a heuristic and an automaton, ready to solve.

mod choice;
mod forecast;
mod speed;
mod sums;
pub mod units;

use std::fmt;
use std::str::FromStr;

use search_core::ida::{self, Config, Reach};
use search_core::memory::Memory;
use search_core::record::TableUse;
use search_core::table::{Store, Table, TableError, Tables};
use search_core::{Automaton, Heuristic, Op, Report, Run};

use crate::board::Board;
use crate::fsm;
use crate::heuristic::Grouped;
use crate::heuristic::additive;
use crate::heuristic::classic::{Classic, NARROW, Parts, WIDE};
use crate::pdb::{Frames, Pattern, Plan, catalogue};
use crate::puzzle::Puzzle;
use crate::tables::LearnedAutomaton;
use crate::tiles::Tiles;
use sums::Sums;

pub use forecast::{Expected, Probe};
pub use speed::{Catalogue, Speed};

/// A heuristic by name, before its tables are loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeuristicSpec {
    /// Manhattan distance.
    Manhattan,
    /// Manhattan distance and linear conflict.
    Conflicts,
    /// Learned pairwise distances and maximum weighted matching.
    Pairs,
    /// Learned distances of triples and pairs, matched greedily.
    Triples,
    /// All of Korf & Taylor 1996.
    Korf96,
    /// Additive pattern databases of up to 1 GiB.
    Patterns,
    /// As many additive pattern databases as the memory holds.
    AllPatterns,
}

impl HeuristicSpec {
    /// All, weakest first.
    pub const ALL: [HeuristicSpec; 7] = [
        HeuristicSpec::Manhattan,
        HeuristicSpec::Conflicts,
        HeuristicSpec::Pairs,
        HeuristicSpec::Triples,
        HeuristicSpec::Korf96,
        HeuristicSpec::Patterns,
        HeuristicSpec::AllPatterns,
    ];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            HeuristicSpec::Manhattan => "md",
            HeuristicSpec::Conflicts => "lc",
            HeuristicSpec::Pairs => "pairs",
            HeuristicSpec::Triples => "triples",
            HeuristicSpec::Korf96 => "korf96",
            HeuristicSpec::Patterns => "pdb",
            HeuristicSpec::AllPatterns => "pdb-max",
        }
    }

    /// All names, for messages and help.
    pub fn names() -> String {
        HeuristicSpec::ALL.map(HeuristicSpec::name).join(", ")
    }

    /// The heuristic that solves a puzzle soonest: pattern databases where there are any, which are built
    /// within a minute, the paper's heuristics otherwise.
    pub fn default_for(puzzle: &Puzzle) -> HeuristicSpec {
        if Plan::exists(puzzle) { HeuristicSpec::Patterns } else { HeuristicSpec::Korf96 }
    }

    /// The default heuristic, or the paper's if its tables exceed the memory of `run`.
    pub fn best_for(puzzle: &Puzzle, store: &Store, run: &Run<'_>) -> HeuristicSpec {
        let best = HeuristicSpec::default_for(puzzle);
        let patterns = best.patterns(puzzle, run.memory());
        if !patterns.is_empty() && store.check_memory(&patterns, run).is_ok() {
            best
        } else {
            HeuristicSpec::Korf96
        }
    }

    /// The pattern databases that it reads for `puzzle`, with so much memory.
    pub fn patterns(self, puzzle: &Puzzle, memory: u64) -> Vec<Pattern> {
        self.plan(puzzle, memory).map(|plan| plan.patterns).unwrap_or_default()
    }

    /// The pattern databases that it reads for `puzzle` with so much memory, and how; `None` if it reads
    /// none, or there are none for the board.
    pub fn plan(self, puzzle: &Puzzle, memory: u64) -> Option<Plan> {
        let bytes = match self {
            HeuristicSpec::Patterns => memory.min(STANDARD_BYTES),
            HeuristicSpec::AllPatterns => memory,
            _ => return None,
        };
        Plan::new(puzzle, &catalogue::partitions(&Frames::of(puzzle), bytes))
    }
}

impl fmt::Display for HeuristicSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for HeuristicSpec {
    type Err = String;
    fn from_str(name: &str) -> Result<HeuristicSpec, String> {
        let found = HeuristicSpec::ALL.into_iter().find(|heuristic| heuristic.name() == name);
        found.ok_or_else(|| format!("no heuristic is named {name:?}; there are {}", HeuristicSpec::names()))
    }
}

/// The operator strings that are pruned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pruning {
    /// None.
    Off,
    /// Undoing the last move.
    Inverse,
    /// Duplicates found to this depth.
    Learned(usize),
}

impl Pruning {
    /// The greatest depth.
    pub const DEEPEST: usize = 20;

    /// The automaton that searches fastest.
    pub fn default_for(board: Board) -> Pruning {
        Pruning::Learned(fsm::default_depth(board))
    }
}

impl fmt::Display for Pruning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pruning::Off => f.write_str("off"),
            Pruning::Inverse => f.write_str("inverse"),
            Pruning::Learned(depth) => write!(f, "{depth}"),
        }
    }
}

impl FromStr for Pruning {
    type Err = String;
    fn from_str(text: &str) -> Result<Pruning, String> {
        match text {
            "off" => Ok(Pruning::Off),
            "inverse" => Ok(Pruning::Inverse),
            depth => match depth.parse() {
                Ok(depth @ 2..=Pruning::DEEPEST) => Ok(Pruning::Learned(depth)),
                _ => Err(format!("{text:?} is not off, inverse or a depth from 2 to {}", Pruning::DEEPEST)),
            },
        }
    }
}

/// Partitions with their tables.
type Filled = additive::Tables<Memory>;

/// The tables of the default heuristic: built within a minute on two threads.
const STANDARD_BYTES: u64 = 1 << 30;

/// A heuristic with its tables.
enum AnyHeuristic {
    Classic(Box<Classic<NARROW>>),
    Wide(Box<Classic<WIDE>>),
    Additive(Box<Filled>),
    Grouped(Box<Grouped>),
}

/// A puzzle, a heuristic and an automaton.
pub struct Solver {
    puzzle: Puzzle,
    spec: HeuristicSpec,
    heuristic: AnyHeuristic,
    pruning: Pruning,
    automaton: Automaton,
    tables: Vec<TableUse>,
}

impl Solver {
    /// The solver that the command line uses by default: the heuristic that solves the
    /// puzzle soonest within the memory of `run`, and the automaton that searches fastest.
    ///
    /// # Errors
    /// [`SolverError`].
    pub fn best(puzzle: Puzzle, store: &Store, run: &Run<'_>) -> Result<Solver, SolverError> {
        let heuristic = HeuristicSpec::best_for(&puzzle, store, run);
        let pruning = Pruning::default_for(puzzle.board());
        Solver::load(puzzle, heuristic, pruning, store, run)
    }

    /// Builds the heuristic and the automaton, with tables from `store` (built if they are missing).
    ///
    /// # Errors
    /// [`SolverError`].
    pub fn load(
        puzzle: Puzzle,
        spec: HeuristicSpec,
        pruning: Pruning,
        store: &impl Tables,
        run: &Run<'_>,
    ) -> Result<Solver, SolverError> {
        let mut uses = Vec::new();
        let automaton = match pruning {
            Pruning::Off => Automaton::unrestricted(crate::board::OPS),
            Pruning::Inverse => fsm::inverse_automaton(),
            Pruning::Learned(depth) => {
                let table = store.table(&LearnedAutomaton { board: puzzle.board(), depth }, run)?;
                uses.push(table.used());
                table.to_automaton(crate::board::OPS)?
            }
        };
        let heuristic = match spec {
            HeuristicSpec::Manhattan => classic(&puzzle, Parts::MANHATTAN),
            HeuristicSpec::Conflicts => classic(&puzzle, Parts::CONFLICTS),
            HeuristicSpec::Korf96 => classic(&puzzle, Parts::ALL),
            HeuristicSpec::Pairs | HeuristicSpec::Triples if puzzle.board().cells() > 32 => {
                return Err(SolverError::TooLarge);
            }
            HeuristicSpec::Pairs => AnyHeuristic::Grouped(Box::new(Grouped::new(&puzzle, 2, run))),
            HeuristicSpec::Triples => AnyHeuristic::Grouped(Box::new(Grouped::new(&puzzle, 3, run))),
            HeuristicSpec::Patterns | HeuristicSpec::AllPatterns => {
                let plan = spec.plan(&puzzle, run.memory()).ok_or(SolverError::NoPatterns)?;
                let filled = store.tables(&plan.patterns, run)?;
                uses.extend(filled.iter().map(Table::used));
                let filled = filled.into_iter().map(|table| table.body).collect();
                AnyHeuristic::Additive(Box::new(additive::Tables::new(plan, filled)))
            }
        };
        Ok(Solver { puzzle, spec, heuristic, pruning, automaton, tables: uses })
    }

    /// The puzzle.
    pub fn puzzle(&self) -> &Puzzle {
        &self.puzzle
    }

    /// The heuristic.
    pub fn heuristic(&self) -> HeuristicSpec {
        self.spec
    }

    /// The tables that it reads.
    pub fn tables(&self) -> &[TableUse] {
        &self.tables
    }

    /// The heuristic's value of `tiles`.
    pub fn value(&self, tiles: &Tiles) -> u8 {
        match &self.heuristic {
            AnyHeuristic::Classic(heuristic) => heuristic.value(&self.puzzle, tiles),
            AnyHeuristic::Wide(heuristic) => heuristic.value(&self.puzzle, tiles),
            AnyHeuristic::Additive(tables) => tables.value(tiles),
            AnyHeuristic::Grouped(heuristic) => heuristic.value(tiles),
        }
    }

    /// Searches from `tiles`, which must be able to reach the goal.
    pub fn solve(&self, tiles: &Tiles, config: &Config, run: &Run<'_>) -> Report<Vec<Op>> {
        match &self.heuristic {
            AnyHeuristic::Additive(tables) => Sums::new(self, tables, tiles).solve(config, run),
            _ => self.with(tiles, &[], Search { solver: self, config, reach: &mut Reach::default(), run }),
        }
    }

    /// Does something with the heuristic, whose sums read `partitions`.
    fn with<V: Visit>(&self, tiles: &Tiles, partitions: &[usize], visit: V) -> V::Answer {
        match &self.heuristic {
            AnyHeuristic::Classic(heuristic) => visit.with(&**heuristic, tiles),
            AnyHeuristic::Wide(heuristic) => visit.with(&**heuristic, tiles),
            AnyHeuristic::Additive(tables) => Sums::new(self, tables, tiles).with(partitions, visit),
            AnyHeuristic::Grouped(heuristic) => visit.with(&|tiles: &Tiles| heuristic.value(tiles), tiles),
        }
    }
}

/// What is done with the heuristic, whichever it is.
trait Visit {
    type Answer;
    fn with<H: Heuristic<Puzzle>>(self, heuristic: &H, tiles: &Tiles) -> Self::Answer;
}

/// A search.
struct Search<'a> {
    solver: &'a Solver,
    config: &'a Config,
    reach: &'a mut Reach,
    run: &'a Run<'a>,
}

impl Visit for Search<'_> {
    type Answer = Report<Vec<Op>>;

    fn with<H: Heuristic<Puzzle>>(self, heuristic: &H, tiles: &Tiles) -> Report<Vec<Op>> {
        let Search { solver, config, reach, run } = self;
        ida::search_after(&solver.puzzle, heuristic, &solver.automaton, tiles, config, reach, run)
    }
}

fn classic(puzzle: &Puzzle, parts: Parts) -> AnyHeuristic {
    if puzzle.board().rows().max(puzzle.board().cols()) > 5 {
        AnyHeuristic::Wide(Box::new(Classic::new(puzzle, parts)))
    } else {
        AnyHeuristic::Classic(Box::new(Classic::new(puzzle, parts)))
    }
}

/// The reason why a solver is not available.
#[derive(Debug, thiserror::Error)]
pub enum SolverError {
    /// A table is not available.
    #[error(transparent)]
    Table(#[from] TableError),
    /// No pattern databases are known for this board.
    #[error("pattern databases are for boards of at most 32 cells")]
    NoPatterns,
    /// The tables of learned groups have at most 32 cells.
    #[error("learned pairs and triples are for boards of at most 32 cells")]
    TooLarge,
}
