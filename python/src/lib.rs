//! The extension module of the Python package `optimal_puzzles`.
//!
//! It translates: arrays arrive as bytes, records leave as the JSON lines that the command lines print,
//! failures become exceptions. What searches is in the crates below. Long work runs on threads without
//! the interpreter's lock, in `supervise`, so that Ctrl-C and progress are noticed.
//!
//! | module | contents |
//! | --- | --- |
//! | `failure` | failures as Python exceptions, with every fault |
//! | `settings` | threads, memory and tables |
//! | `supervise` | work without the interpreter's lock, its progress and interruption |
//! | `batch` | a list of instances, each answered by a record |
//! | `arrays` | rows of bytes |
//! | `cubes`, `tiles`, `towers`, `permutations` | the puzzles |
//! | `permutation_solver` | the solver of a permutation puzzle |
//! | `bounds` | lower bounds for towers |
//! | `units` | iterations as units for many processes |
//! | `owners` | a complete search of Hanoi that processes share |
//! | `improve` | shorter solutions from long ones |
//! | `prediction` | the expected nodes of iterations |
//! | `programs` | the programs of the command line |
//! | `replay` | solutions from elsewhere, replayed by the referee |
//! | `valued` | IDA\* with a heuristic in Python |

mod arrays;
mod batch;
mod bounds;
mod cubes;
mod failure;
mod improve;
mod owners;
mod permutation_solver;
mod permutations;
mod prediction;
mod programs;
mod replay;
mod settings;
mod supervise;
mod tiles;
mod towers;
mod units;
mod valued;

/// The functions that the package's Python modules call.
#[pyo3::pymodule]
mod _native {
    #[pymodule_export]
    use crate::batch::first_move;
    #[pymodule_export]
    use crate::bounds::TowerHeuristic;
    #[pymodule_export]
    use crate::cubes::{
        CubeSolver, cube_apply, cube_counts, cube_expand, cube_parse, cube_random, cube_text, facelet_texts,
    };
    #[pymodule_export]
    use crate::improve::{cube_improve, permutation_improve, tile_improve, tower_improve};
    #[pymodule_export]
    use crate::owners::{TowerOwner, safe_memory, tower_sharing};
    #[pymodule_export]
    use crate::permutation_solver::PermutationSolver;
    #[pymodule_export]
    use crate::permutations::{PermutationPuzzle, permutation_builtins};
    #[pymodule_export]
    use crate::prediction::{cube_expanded, tile_expanded};
    #[pymodule_export]
    use crate::programs::run_program;
    #[pymodule_export]
    use crate::replay::{cube_replay, permutation_replay, tile_replay, tower_replay};
    #[pymodule_export]
    use crate::tiles::{TileSolver, tile_apply, tile_counts, tile_expand, tile_parse, tile_random};
    #[pymodule_export]
    use crate::towers::{
        TowerSolver, tower_apply, tower_counts, tower_expand, tower_radius, tower_random, tower_verify,
    };
    #[pymodule_export]
    use crate::units::{Stop, UnitIteration, UnitPlan, unit_bound, unit_cut};
    #[pymodule_export]
    use crate::valued::{cube_search, permutation_search, tile_search};
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
