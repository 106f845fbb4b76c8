//! `--moves` and `--metric stm`: searches with a set of moves.

use super::referee_check;
use super::search_args::SearchArgs;
use super::{NAME, VERSION, move_args};
use crate::cube::Cube;
use crate::moves::{Counting, Group, MoveSet, SetSolver};
use crate::notation::Position;
use crate::notation::scramble::{Move, format_moves};
use puzzle_cli::{Failure, Session, tables};
use search_core::ida::Config;
use search_core::record::TableUse;
use search_core::{Ending, Report, Run, Solution};
use std::cell::OnceCell;

/// A search with a set of moves. Its tables are loaded for the first cube that has a solution, so that nothing
/// is built to say that one has none.
pub(super) struct Chosen {
    group: Group,
    solver: OnceCell<SetSolver>,
    /// The names of the moves.
    allowed: Vec<String>,
}

/// The set of moves that was asked for, if any was.
pub(super) fn set(moves: Option<&str>, search: &SearchArgs) -> Result<Option<MoveSet>, Failure> {
    match (moves, search.counting()) {
        (Some(text), counting) => move_args::parse(text, counting).map(Some),
        (None, Some(counting @ Counting::Stm)) => Ok(Some(MoveSet::all(counting))),
        (None, _) => Ok(None),
    }
}

/// The solver of all slice turns, if they were asked for.
pub(super) fn slices(search: &SearchArgs, session: &Session) -> Result<Option<SetSolver>, Failure> {
    let Some(set) = set(None, search)? else { return Ok(None) };
    if search.asks_for_heuristic() {
        return Err(Failure::usage("--metric stm cannot be combined with --heuristic or --table")
            .with_remedy("leave them out: it has a table of its own"));
    }
    load(Group::new(set), session).map(Some)
}

/// Loads the solver of a group, and builds the tables that it lacks.
fn load(group: Group, session: &Session) -> Result<SetSolver, Failure> {
    let progress = session.bars().named(&format!("moves {}", group.set()));
    let run = session.run().with_progress(&progress);
    SetSolver::load(group, &session.store(VERSION)?, &run).map_err(|error| tables::failure(NAME, &error))
}

impl Chosen {
    /// A search with `set`.
    pub(super) fn new(set: MoveSet) -> Chosen {
        let allowed = set.names().iter().map(Move::to_string).collect();
        Chosen { group: Group::new(set), solver: OnceCell::new(), allowed }
    }

    /// Loads the tables if the moves solve `cube`, and builds those that are missing.
    pub(super) fn prepare(&self, position: &Position, cube: &Cube, session: &Session) -> Result<(), Failure> {
        let held = position.orientation.held_from_cube(cube);
        if self.solver.get().is_some() || self.group.element(&held).is_none() {
            return Ok(());
        }
        let solver = load(self.group.clone(), session)?;
        self.solver.get_or_init(|| solver);
        Ok(())
    }

    /// What counts as one move.
    pub(super) fn metric(&self) -> &'static str {
        self.group.set().counting().name()
    }

    /// The heuristic's description for run records, which names the set.
    pub(super) fn heuristic(&self) -> String {
        let bound = self.solver.get().map_or("distances", SetSolver::bound);
        format!("{bound} with the moves {}", self.group.set())
    }

    /// What prunes duplicate strings of moves, for certificates.
    pub(super) fn automaton(&self) -> &'static str {
        "move rules: of turns about one axis that do the same, the first of the shortest strings"
    }

    /// The tables that it reads.
    pub(super) fn tables(&self) -> &[TableUse] {
        self.solver.get().map_or(&[], SetSolver::tables)
    }

    /// Searches for the shortest solutions of `cube`, which leads from `position` to `goal` and for which the
    /// search was [prepared](Chosen::prepare); for one of each class of equivalent ones where `unique`. Each is
    /// replayed by the referee.
    pub(super) fn solve(
        &self,
        (position, goal): (&Position, &Cube),
        cube: &Cube,
        (config, unique): (&Config, bool),
        run: &Run<'_>,
    ) -> Result<Report<Solution>, Failure> {
        let Some(solver) = self.solver.get() else {
            return Ok(Report { ending: Ending::Exhausted, iterations: Vec::new() });
        };
        let held = position.orientation.held_from_cube(cube);
        let report = match unique {
            true => solver.solve_up_to_symmetry(&held, config, run),
            false => solver.solve(&held, config, run),
        };
        report.try_map(|solution| {
            let (length, moves) = (solution.len(), format_moves(solution));
            referee_check::check_moves(position, goal, &moves, &self.allowed, length)?;
            Ok(Solution { length: length as u32, moves })
        })
    }

    /// Says why a cube has no solution.
    pub(super) fn explain(&self, ending: &Ending<Solution>, session: &Session) {
        if matches!(ending, Ending::Exhausted) {
            let group = &self.group;
            session.remark(&format!(
                "the moves {} do not solve this cube: it is not one of the {} positions that they generate",
                group.set(),
                group.positions()
            ));
        }
    }
}
