//! Sets of moves, including slices, in which each move counts as one or has a cost. The tables are loaded for the first
//! cube that has a solution, so that no table is built for an unsolvable cube.

use super::lazy::{Lazy, Means};
use super::upper::{EAGER, wants_a_beam};
use super::{Ask, Found, Strategy};
use crate::cube::Cube;
use crate::heuristics::engine::SharedSearch;
use crate::moves::{Group, MoveSet, SetSolver};
use crate::notation::Orientation;
use crate::notation::scramble::Move;
use search_core::ida::Order;
use search_core::record::Used;
use search_core::table::TableError;
use search_core::{Ending, Op, Report};

/// The search with a set of moves.
pub(super) struct Chosen {
    group: Group,
    /// The cost of each operator, for cheapest solutions.
    costs: Option<Vec<u32>>,
    /// The names of tables that are not read.
    avoided: Vec<String>,
    solver: Lazy<SetSolver>,
}

impl Chosen {
    /// The search with `set`, whose operators may have costs, without the tables of the names `avoided`.
    pub(super) fn new(set: MoveSet, costs: Option<Vec<u32>>, avoided: Vec<String>) -> Chosen {
        Chosen { group: Group::new(set), costs, avoided, solver: Lazy::new() }
    }

    /// The solver, with its tables.
    pub(super) fn solver(&self, means: &Means<'_>) -> Result<&SetSolver, TableError> {
        self.solver.get_or_load(|| {
            let name = format!("moves {}", self.group.set());
            means.load(&name, means.run.memory(), |tables, run| {
                SetSolver::load(self.group.clone(), self.costs.as_deref(), &self.avoided, tables, run)
            })
        })
    }

    fn solves(&self, held: &Cube) -> bool {
        self.group.element(held).is_some()
    }
}

impl Strategy for Chosen {
    fn planned(&self) -> Used {
        let bound = self.solver.get().map_or("distances", SetSolver::bound);
        let tables = self.solver.get().map_or(&[][..], SetSolver::tables);
        Used::one(format!("{bound} with the moves {}", self.group.set()), tables)
    }

    fn pruning(&self) -> &'static str {
        "move rules: of turns about one axis that do the same, the first of the shortest strings"
    }

    fn prepare(&self, ask: &Ask, means: &Means<'_>) -> Result<(), TableError> {
        if self.solver.get().is_none() && self.solves(&ask.held_cube()) {
            self.solver(means)?;
        }
        Ok(())
    }

    fn search(&self, ask: &Ask, means: &Means<'_>) -> Result<Found<Vec<Move>>, TableError> {
        let held = ask.held_cube();
        if !self.solves(&held) {
            return Ok((Report { ending: Ending::Exhausted, iterations: Vec::new() }, self.planned()));
        }
        let (solver, config) = (self.solver(means)?, ask.config(Order::Deepest));
        let run = ask.limited(means.run);
        if let Some(incumbent) = wants_a_beam(&config) {
            solver.offer_by_beam(&held, EAGER, incumbent, &run);
        }
        let report = match ask.is_up_to_symmetry {
            true => solver.solve_up_to_symmetry(&held, &config, &run)?,
            false => solver.solve(&held, &config, &run)?,
        };
        Ok((report, self.planned()))
    }

    fn value(&self, cube: &Cube, means: &Means<'_>) -> Result<u8, TableError> {
        Ok(self.solver(means)?.value(cube).unwrap_or(0))
    }

    fn shared<'s>(&'s self, ask: &Ask, means: &Means<'_>) -> Result<Option<SharedSearch<'s>>, TableError> {
        match self.costs {
            Some(_) => Ok(None),
            None => Ok(self.solver(means)?.shared(&ask.held_cube(), ask.order)),
        }
    }

    fn solution(&self, _: Orientation, ops: &[Op]) -> Option<Vec<Move>> {
        self.solver.get()?.solution(ops)
    }
}
