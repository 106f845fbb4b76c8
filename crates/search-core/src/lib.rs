//! Optimal search for any domain: IDA*, learned automata, pattern databases, frontier search.
//!
//! Bring a [`Domain`] and a [`Heuristic`]; get shortest solutions with a proof. The crate knows no
//! puzzle, prints nothing and parses no arguments.
//!
//! | module | contents |
//! | --- | --- |
//! | [`domain`] | the contract that a puzzle fulfils |
//! | [`heuristic`] | the two-phase contract of lower bounds, and how bounds combine |
//! | [`matching`] | counting the costs of groups of subgoals together |
//! | [`automaton`] | finite automata that restrict which operator may follow which string |
//! | [`Search`] | a search as one expression |
//! | [`ida`] | iterative-deepening A*: the driver and its kernels |
//! | [`beam`] | beam search: a solution soon, as an upper bound |
//! | [`improve`] | shortening a long path by optimal windows |
//! | [`planning`] | a puzzle in the languages of planners, PDDL and SAS+ |
//! | [`prediction`] | the expected nodes of an iteration, from the values of its heuristic |
//! | [`queue`] | searches in the order of their expected nodes, within a budget of time |
//! | [`batched`] | IDA* with a heuristic that evaluates many states at once |
//! | [`calibration`] | measuring how fast a machine is |
//! | [`clock`] | the clock, also on systems without one |
//! | [`simd`] | hot code compiled for the vector instructions of this machine |
//! | [`prefetch`] | fetching memory before it is read |
//! | [`pdb`] | pattern databases: ranking, fill, packed storage, lookup |
//! | [`frontier`] | frontier search: layers in memory or on disk, delayed duplicate detection |
//! | [`table`] | the table file, and a directory of tables built on first use |
//! | [`memory`] | memory for tables, on huge pages where the system offers them |
//! | [`storage`] | files, budgets and work directories, for tables, layers and checkpoints |
//! | [`pace`] | when long work saves its state |
//! | [`record`] | the result of every search |
//! | [`progress`] | reporting progress, and cancellation |
//! | [`run`] | progress, cancellation, threads and memory budget of a piece of work |
//!
//! # A domain of your own
//!
//! The pancake puzzle, from nothing to a proved shortest solution: eight pancakes in a stack, an
//! operator turns the topmost two, three, .. over. The automaton is learned, the heuristic is a
//! pattern database of the four largest pancakes, and IDA* does the rest.
//!
//! ```
//! use search_core::pdb::rank::permutation;
//! use search_core::pdb::{ByIndex, FillOptions, Graph, Lookup, fill};
//! use search_core::{Automaton, Domain, Ending, Op, Run, Search};
//!
//! type Stack = [u8; 8]; // the pancake at each place, from the top
//! const SORTED: Stack = [0, 1, 2, 3, 4, 5, 6, 7];
//!
//! /// Operator `i` turns the topmost `i + 2` pancakes over.
//! struct Pancakes;
//!
//! impl Domain for Pancakes {
//!     type State = Stack;
//!     fn op_count(&self) -> usize {
//!         7
//!     }
//!     fn apply(&self, stack: &Stack, op: Op) -> Stack {
//!         let mut turned = *stack;
//!         turned[..op.index() + 2].reverse();
//!         turned
//!     }
//!     fn is_goal(&self, stack: &Stack) -> bool {
//!         *stack == SORTED
//!     }
//! }
//!
//! let run = Run::new(); // silent, on all cores, without a memory limit
//!
//! // 1. Duplicate operator strings up to six operators become an automaton. The shortest are the
//! //    seven pairs that undo each other.
//! let automaton = Automaton::learn(&Pancakes, &SORTED, 6);
//! let turn = |state, op| automaton.next(state, Op::new(op));
//! assert!((0..7).all(|op| turn(automaton.start(), op).is_some_and(|next| turn(next, op).is_none())));
//!
//! // 2. A pattern database: where the four largest pancakes are, 8!/4! = 1,680 entries.
//! let places = |stack: &Stack| {
//!     let place = |pancake| stack.iter().position(|&p| p == pancake).unwrap() as u8;
//!     permutation::rank(&[4, 5, 6, 7].map(place), 8) as usize
//! };
//! let space = Graph::new(1680, 7, vec![places(&SORTED)], |entry, op| {
//!     let mut at = [0; 4];
//!     permutation::unrank(entry as u64, 8, &mut at);
//!     let turned = at.map(|place| if place < op as u8 + 2 { op as u8 + 1 - place } else { place });
//!     Some(permutation::rank(&turned, 8) as usize)
//! })
//! .undirected();
//! let filled = fill::<4, _>(&space, FillOptions::default(), &run)?;
//! let heuristic = Lookup::new(ByIndex(places), filled.table, &run);
//!
//! // 3. The search, with many table reads in flight on each thread.
//! let start = [3, 6, 1, 7, 0, 5, 2, 4];
//! let report = Search::new(&Pancakes, &heuristic)?.automaton(&automaton).solve(&start);
//! let Ending::Optimal { length, solutions, .. } = report.ending else { panic!("every stack can be sorted") };
//! let end = solutions[0].iter().fold(start, |stack, op| Pancakes.apply(&stack, *op));
//! assert_eq!((length, end), (8, SORTED));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// The size of a memory with 64-bit addresses: for the nightly compiler alone.
#![cfg_attr(target_arch = "wasm64", feature(simd_wasm64))]

pub mod automaton;
pub mod batched;
pub mod beam;
pub mod calibration;
mod cast;
pub mod clock;
pub mod domain;
pub mod frontier;
pub mod heuristic;
pub mod ida;
pub mod improve;
pub mod matching;
pub mod memory;
mod meter;
pub mod pace;
pub mod pdb;
pub mod planning;
pub mod prediction;
pub mod prefetch;
pub mod progress;
pub mod queue;
pub mod record;
pub mod run;
mod search;
pub mod simd;
pub mod storage;
pub mod table;
#[doc(hidden)]
pub mod testing;
pub mod zero_bytes;

pub use automaton::Automaton;
pub use domain::{Domain, InvalidOpCount, Lengths, Op, OpSet, PerOp};
pub use heuristic::Heuristic;
pub use progress::{BoundAhead, BoundOver, Cancel, Cancelled, Expected, Prefixed, Progress, Silent};
pub use record::{Answer, Ending, Report, Solution};
pub use run::Run;
pub use search::Search;
