//! Shortest solutions to goals that are unions ([`Goals`]).
//!
//! The idea: each alternative is a search of its own, for another cube and the goals of a mask. Each bound is searched
//! in all of them before the next. So the first bound with a solution is the length of a shortest solution to any
//! alternative.
//!
//! **Symmetric alternatives.** Alternatives whose masks are images of one another under symmetries of the cube share a
//! solver and its tables: if `σ` maps the mask `m` of the solver to that of the alternative, the alternative accepts `c`
//! just if `m` accepts the conjugate of `c` by `σ⁻¹`, and `σ` maps the solutions of one to those of the other. So all 24
//! goals "a cross with one pair" cost one table, and a bound costs a search of a small tree for each of them.
//!
//! A solution to one alternative may pass a goal of another. In a search for one solution this is impossible, since the
//! solution would not be shortest; in a search for all solutions it is left out. If the last bound is completed in a
//! search for one solution, the result is the least of the alternatives' solutions.
//!
//! The search is that of `search_core::ida`, with a tree for each alternative.

use super::FaceSolver;
use super::symmetric::Images;
use crate::cube::{Cube, Turn};
use crate::mask::{Alternative, Goals, Mask};
use crate::metric::Metric;
use crate::space;
use crate::symmetry::Symmetry;
use search_core::ida::{
    AnyTree, Choice, Config, Incumbent, RenamedTree, RootMoves, TreeSearch, Wanted, search_trees,
};
use search_core::record::TableUse;
use search_core::table::TableError;
use search_core::{Automaton, Op, OpSet, Report, Run};
use std::collections::BTreeSet;

/// Solves cubes for a union of goals in one metric.
pub(crate) struct GoalSolver {
    goals: Goals,
    solvers: Vec<FaceSolver>,
    /// The solver of each alternative.
    servings: Vec<Serving>,
    tables: Vec<TableUse>,
}

/// The solver that serves an alternative.
#[derive(Clone, Copy, Debug)]
struct Serving {
    /// Its number.
    solver: usize,
    /// The symmetry that maps its mask to that of the alternative.
    symmetry: Symmetry,
}

impl GoalSolver {
    /// The solver for `goals`, with the solver that `solver` returns for each mask.
    ///
    /// # Errors
    /// The first error of `solver`.
    pub(crate) fn new<E>(
        goals: Goals,
        solver: impl Fn(&Mask) -> Result<FaceSolver, E>,
    ) -> Result<GoalSolver, E> {
        let (mut masks, mut solvers, mut servings) = (Vec::<Mask>::new(), Vec::new(), Vec::new());
        for Alternative { mask, .. } in goals.alternatives() {
            let by = |(solver, known): (usize, &Mask)| {
                let symmetry = Symmetry::all().find(|&s| known.image(s).is_equivalent(mask))?;
                Some(Serving { solver, symmetry })
            };
            let known = masks.iter().enumerate().find_map(by);
            servings.push(known.unwrap_or(Serving { solver: masks.len(), symmetry: Symmetry::IDENTITY }));
            if known.is_none() {
                masks.push(*mask);
                solvers.push(solver(mask)?);
            }
        }
        let mut tables: Vec<TableUse> = Vec::new();
        for table in solvers.iter().flat_map(FaceSolver::tables) {
            if !tables.contains(table) {
                tables.push(table.clone());
            }
        }
        Ok(GoalSolver { goals, solvers, servings, tables })
    }

    /// The metric.
    pub(crate) fn metric(&self) -> Metric {
        self.solvers[0].metric()
    }

    /// The heuristics' names.
    pub(crate) fn heuristic(&self) -> String {
        let mut names: Vec<String> = Vec::new();
        for name in self.solvers.iter().map(|solver| solver.heuristic().to_string()) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let names = names.join(" | ");
        self.goals.face().map_or_else(|| names.clone(), |face| format!("{names} up to {}", face.letter()))
    }

    /// The tables that are read.
    pub(crate) fn tables(&self) -> &[TableUse] {
        &self.tables
    }

    /// A lower bound on the length of every solution.
    pub(crate) fn value(&self, cube: &Cube) -> u8 {
        self.starts(cube).map(|start| start.solver.value(&start.seen())).min().unwrap_or(0)
    }

    /// The start of each alternative.
    fn starts<'a>(&'a self, cube: &Cube) -> impl Iterator<Item = Start<'a>> {
        let cube = *cube;
        self.goals.alternatives().iter().zip(&self.servings).map(move |(alternative, serving)| {
            let Serving { solver, symmetry } = *serving;
            let cube = alternative.before.compose(&cube);
            Start { mask: &alternative.mask, solver: &self.solvers[solver], symmetry, cube }
        })
    }

    /// Offers a solution to each alternative by a beam search of about `nodes` nodes.
    pub(crate) fn offer_by_beam(&self, cube: &Cube, nodes: u64, incumbent: &Incumbent, run: &Run<'_>) {
        for start in self.starts(cube) {
            let engine = &start.solver.engine;
            if let Some(ops) = engine.beam(&start.seen(), nodes, incumbent.upper_bound(), run) {
                let names = start.names();
                incumbent.offer(&ops.iter().map(|op| names[op.index()]).collect::<Vec<_>>());
            }
        }
    }

    /// Searches for shortest solutions of `cube`: turns that lead from it to a goal. When all are requested,
    /// they are those that follow the move rules, pass no goal on their way and visit no position twice.
    ///
    /// # Errors
    /// [`TableError`] of a table that the search finds to be forged.
    pub(crate) fn solve(
        &self,
        cube: &Cube,
        config: &Config,
        run: &Run<'_>,
    ) -> Result<Report<Vec<Turn>>, TableError> {
        let starts: Vec<Start<'_>> = self.starts(cube).collect();
        // The only alternative has a solver of its own mask.
        if let [Start { solver, cube, .. }] = &starts[..] {
            return solver.solve(cube, config, run);
        }
        self.solve_all(cube, starts, None, config, run)
    }

    /// The same with these turns alone: some of the metric's, with the inverse of each. The caller guarantees that they
    /// lead to a goal; otherwise the search does not end.
    ///
    /// Why this is right: all distances are at most those with some turns alone, so the bounds hold, and every argument for
    /// leaving out a node says that no solution of the bound follows, whatever its turns. The move rules allow, of the strings
    /// that differ in the order of turns about an axis, one of the same turns.
    ///
    /// # Errors
    /// As [`solve`](GoalSolver::solve).
    pub(crate) fn solve_with(
        &self,
        turns: &[Turn],
        cube: &Cube,
        config: &Config,
        run: &Run<'_>,
    ) -> Result<Report<Vec<Turn>>, TableError> {
        self.solve_all(cube, self.starts(cube).collect(), Some(turns), config, run)
    }

    fn solve_all(
        &self,
        cube: &Cube,
        starts: Vec<Start<'_>>,
        turns: Option<&[Turn]>,
        config: &Config,
        run: &Run<'_>,
    ) -> Result<Report<Vec<Turn>>, TableError> {
        let trees = starts.into_iter().map(|start| GoalTree::new(start, turns)).collect();
        let union = Union { metric: self.metric(), trees };
        let report = search_trees(&union, config, run).expect("there is nothing to choose");
        let turns = |ops: Vec<Op>| space::solution(self.metric(), &ops).expect("operators of the domain");
        let Report { ending, iterations } = report.map(turns);
        let ending = match config.wanted {
            Wanted::First => ending,
            Wanted::All { .. } => ending.choose(|all| self.passing_none(cube, union.images(&all))),
        };
        Ok(Report { ending, iterations })
    }

    /// The solutions that reach a goal only at their end.
    fn passing_none(&self, cube: &Cube, mut solutions: Vec<Vec<Turn>>) -> Vec<Vec<Turn>> {
        solutions.retain(|turns| {
            let mut cube = *cube;
            let before_the_end = &turns[..turns.len().saturating_sub(1)];
            let mut passes = !turns.is_empty() && self.goals.accepts(&cube);
            for &turn in before_the_end {
                cube = cube.apply(turn);
                passes |= self.goals.accepts(&cube);
            }
            !passes
        });
        solutions
    }
}

impl FaceSolver {
    /// The operators that make these turns, from one side or from both.
    fn operators(&self, turns: &[Turn]) -> OpSet {
        let (rules, all) = (self.engine.rules(), self.metric.turns().len());
        let front =
            turns.iter().filter_map(|&turn| self.metric.operator(turn)).fold(OpSet::EMPTY, OpSet::with);
        if rules.ops() > all { OpSet(front.0 | front.0 << all) } else { front }
    }
}

/// The search of an alternative.
struct Start<'a> {
    /// The mask of the alternative.
    mask: &'a Mask,
    solver: &'a FaceSolver,
    /// The symmetry that maps the solver's mask to that of the alternative.
    symmetry: Symmetry,
    /// The cube to solve.
    cube: Cube,
}

impl Start<'_> {
    /// The cube as the solver sees it.
    fn seen(&self) -> Cube {
        self.symmetry.inverse().conjugate(&self.cube)
    }

    /// The operators to which the symmetry maps those of the solver, from one side or from both.
    fn names(&self) -> Vec<Op> {
        let (metric, symmetry) = (self.solver.metric, self.symmetry);
        let turns = metric.turns();
        let image = |turn: &Turn| metric.operator(symmetry.turn(*turn)).expect("symmetries keep the metric");
        let front: Vec<Op> = turns.iter().map(image).collect();
        let back = front.iter().map(|op| Op::new(op.index() + turns.len()));
        let names = front.iter().copied().chain(back);
        names.take(self.solver.engine.rules().ops()).collect()
    }
}

/// The tree of one alternative.
struct GoalTree<'a> {
    start: Start<'a>,
    images: Images,
    root_moves: RootMoves,
    /// The names under which the solver sees the search; `None` if it has its own.
    view: Option<View>,
}

/// The search of an alternative as its solver sees it.
struct View {
    names: Vec<Op>,
    /// The move rules of the search, whose operators the solver calls otherwise: so it generates the same strings as a
    /// solver of the alternative's mask.
    rules: Automaton,
}

impl<'a> GoalTree<'a> {
    /// The tree of a start, with all turns of the metric or with `turns` alone.
    fn new(start: Start<'a>, turns: Option<&[Turn]>) -> GoalTree<'a> {
        let (solver, is_its_own) = (start.solver, start.symmetry == Symmetry::IDENTITY && turns.is_none());
        let view = (!is_its_own).then(|| {
            let (names, all) = (start.names(), solver.engine.rules());
            let rules = turns.map_or_else(|| all.clone(), |turns| all.keeping(solver.operators(turns)));
            View { rules: rules.renamed(&names), names }
        });
        // A goal that is an image of another one is not symmetric, so symmetries of the cube are of no use. They need not
        // preserve chosen turns.
        let images = if is_its_own { solver.images(&start.cube) } else { Images::none() };
        let root_moves = images.root_moves(solver.metric, solver.engine.rules());
        GoalTree { start, images, root_moves, view }
    }

    fn with<T>(&self, act: impl FnOnce(&dyn AnyTree) -> T) -> Option<T> {
        let (mut act, mut done) = (Some(act), None);
        let mut once = |tree: &dyn AnyTree| {
            done = act.take().map(|act| match &self.view {
                None => act(tree),
                Some(View { names, .. }) => act(&RenamedTree::new(tree, names)),
            });
        };
        let rules = self.view.as_ref().map(|view| &view.rules);
        self.start.solver.engine.with_tree(&self.start.seen(), rules, &self.root_moves, &mut once);
        done
    }
}

/// The trees of all alternatives.
struct Union<'a> {
    metric: Metric,
    trees: Vec<GoalTree<'a>>,
}

impl Union<'_> {
    /// All solutions and their images under symmetries of an alternative, by length and then in the order of the turns.
    fn images(&self, solutions: &[Vec<Turn>]) -> Vec<Vec<Turn>> {
        let metric = self.metric;
        let all = self.trees.iter().flat_map(|GoalTree { start, images, .. }| {
            let end = |turns: &[Turn]| start.cube.apply_all(turns.iter().copied());
            let own = solutions.iter().filter(|turns| start.mask.accepts(&end(turns)));
            images.all(metric, own.cloned().collect())
        });
        let length = |turns: &[Turn]| turns.iter().map(|&turn| metric.length(turn)).sum::<u32>();
        let sorted: BTreeSet<_> = all.map(|turns| (length(&turns), turns)).collect();
        sorted.into_iter().map(|(_, turns)| turns).collect()
    }
}

impl TreeSearch for Union<'_> {
    fn least(&self, bound: u32) -> u32 {
        let least = self.trees.iter().filter_map(|tree| tree.with(|tree| tree.least(bound)));
        least.min().unwrap_or(bound)
    }

    fn trees(&self) -> usize {
        self.trees.len()
    }

    fn in_order(&self, ops: &[Op]) -> Vec<Op> {
        space::in_order(self.metric.turns().len(), ops)
    }

    fn with_tree(&self, _: &Choice, tree: usize, act: &mut dyn FnMut(&dyn AnyTree)) -> bool {
        self.trees.get(tree).is_some_and(|tree| tree.with(act).is_some())
    }
}
