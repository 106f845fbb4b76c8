//! Cheapest solutions with a set of moves, each of which has a cost of its own.
//!
//! The idea: IDA\* whose bounds are costs. A node's lower bound is the cost of its moves plus, for each move that the
//! distance tables of the set still require, the cost of the cheapest move. The next bound is the least pruned lower
//! bound, but at least the last bound plus half the cost of the cheapest move, so that iterations grow by a factor.
//! ([`Bounds`] has the loop over bounds; the kernels of `search_core::ida` count moves, so they cannot search by
//! costs.)
//!
//! Why no cheaper solution is lost: the tables never exceed the number of moves left, and no move costs less than the
//! cheapest one. So every node on a solution of cost *c* has a lower bound of at most *c*, and a bound of *c* or more
//! does not prune it. A bound may exceed the least pruned lower bound. So a search that finds a solution continues for
//! cheaper ones, or equally cheap ones in earlier subtrees. Of all cheapest solutions it returns the first in the order
//! of the operators, on any number of threads. Of all strings about one axis with the same effect, the [rules] allow
//! one of the cheapest.
//!
//! Cost: memory linear in the length; the table entries of all children of a node are fetched before the first is read.
//!
//! [rules]: super::rules

use super::bound::SetBound;
use super::group::Group;
use super::rules::Rules;
use super::set::MoveSet;
use super::space::{MoveSpace, Places};
use crate::cube::Cube;
use crate::heuristics::engine::Engine;
use crate::notation::scramble::{Layers, Move};
use crate::space::CubeDomain;
use search_core::automaton::StateId;
use search_core::clock::Instant;
use search_core::heuristic::{ChildBound, NodeRef};
use search_core::ida::{AnyTree, Bounds, Config, RootMoves};
use search_core::record::Iteration;
use search_core::table::TableError;
use search_core::{Automaton, Domain, Lengths, Op, Report, Run};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// The number of subtrees per thread.
const SUBTREES_PER_THREAD: usize = 256;
/// Nodes between cancellation checks.
const NODES_PER_CHECK: u64 = 1 << 12;

/// The reason why a search by these costs is not possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidCosts {
    /// A move costs nothing.
    #[error("{0} costs nothing; each move must cost something")]
    Free(Move),
    /// The name of a turn, and so its cost, depends on the orientation of the cube.
    #[error("after {0} the moves of this set have other names, so what they cost depends on those before")]
    Renamed(Move),
}

/// A node of the tree.
#[derive(Clone)]
struct Node {
    places: Places,
    rules: StateId,
    /// The cost of its moves.
    spent: u32,
}

/// The search for a cheapest solution with a set of moves. Lengths and bounds of its reports are costs.
pub(super) struct Cheapest {
    rules: Automaton,
    space: MoveSpace,
    bound: SetBound,
    /// The cost of each operator.
    costs: Vec<u32>,
    least: u32,
}

/// The cost of each operator of a set, from that of its name.
///
/// # Errors
/// [`InvalidCosts`].
pub(crate) fn costs_of(set: &MoveSet, cost: impl Fn(Move) -> u32) -> Result<Vec<u32>, InvalidCosts> {
    let turning = |name: &Move| !set.is_in_space() && name.layers != Layers::Outer;
    if let Some(name) = set.names().into_iter().find(turning) {
        return Err(InvalidCosts::Renamed(name));
    }
    let of = |name: Move| Some(cost(name)).filter(|&cost| cost > 0).ok_or(InvalidCosts::Free(name));
    set.operators().iter().map(|operator| operator.names().map(of).sum()).collect()
}

impl Cheapest {
    /// The search with these tables, where the operators have these costs ([`costs_of`]).
    ///
    /// # Panics
    /// If there is no table, or not one cost for each operator, or one is 0.
    pub(super) fn new(group: &Group, costs: &[u32], bound: SetBound) -> Cheapest {
        Cheapest {
            rules: Rules::with_costs(group.set(), costs).automaton(),
            space: MoveSpace::new(group),
            bound,
            least: costs.iter().copied().min().unwrap_or(1),
            costs: costs.to_vec(),
        }
    }
}

impl Engine for Cheapest {
    fn search(&self, cube: &Cube, config: &Config, run: &Run<'_>) -> Result<Report<Vec<Op>>, TableError> {
        let root = Node { places: self.space.state_of(cube), rules: self.rules.start(), spent: 0 };
        let least = self.least * u32::from(Engine::value(self, cube));
        let mut bounds = Bounds::new(least, Lengths::ANY).with_config(config).rising_by(self.least / 2);
        let mut solutions = Vec::new();
        while let Some(bound) = bounds.bound() {
            let begun = Instant::now();
            let pass = Pass::new(self, bound, run);
            pass.search(&root);
            let is_cancelled = run.is_cancelled();
            let found = pass.found.into_inner().unwrap_or_else(PoisonError::into_inner);
            let (expanded, complete) = (pass.expanded.into_inner(), !is_cancelled && found.is_none());
            let seconds = begun.elapsed().as_secs_f64();
            let iteration = Iteration { bound, expanded, complete, seconds, ..Iteration::default() };
            if is_cancelled {
                // The solution found may not be the cheapest.
                bounds.cancelled(iteration);
                return Ok(bounds.report(Vec::new(), true));
            }
            if let Some((key, ops)) = found {
                bounds.found(key.cost());
                solutions.push(ops);
            }
            let next = pass.next.into_inner();
            bounds.searched(iteration, (next < u32::MAX).then_some(next));
        }
        Ok(bounds.report(solutions, false))
    }

    /// There is no tree whose bounds are numbers of moves.
    fn with_tree(&self, _: &Cube, _: Option<&Automaton>, _: &RootMoves, _: &mut dyn FnMut(&dyn AnyTree)) {}

    /// A beam would count moves, not costs.
    fn beam(&self, _: &Cube, _: u64, _: Option<u32>, _: &Run<'_>) -> Option<Vec<Op>> {
        None
    }

    fn value(&self, cube: &Cube) -> u8 {
        ChildBound::value(&self.bound, &self.space, &self.space.state_of(cube))
    }

    fn lengths(&self, _: &Cube) -> Lengths {
        Lengths::ANY
    }

    fn in_order(&self, ops: &[Op]) -> Option<Vec<Op>> {
        Some(ops.to_vec())
    }

    fn rules(&self) -> &Automaton {
        &self.rules
    }
}

/// A solution's cost, and the subtree in which it was found: the better one is less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key(u64);

impl Key {
    const NONE: Key = Key(u64::MAX);

    fn new(cost: u32, subtree: usize) -> Key {
        Key(u64::from(cost) << 32 | subtree as u64)
    }

    fn cost(self) -> u32 {
        (self.0 >> 32) as u32
    }

    /// The greatest cost of a better solution in a subtree.
    #[inline(always)]
    fn limit(self, subtree: usize) -> u32 {
        let is_later = subtree as u64 >= self.0 & u64::from(u32::MAX);
        self.cost() - u32::from(is_later)
    }
}

/// The search with one bound.
struct Pass<'a> {
    solver: &'a Cheapest,
    bound: u32,
    run: &'a Run<'a>,
    /// The best solution so far.
    best: AtomicU64,
    found: Mutex<Option<(Key, Vec<Op>)>>,
    /// The least lower bound that was pruned.
    next: AtomicU32,
    expanded: AtomicU64,
}

/// The work of one thread in a subtree.
struct SubtreeWork {
    subtree: usize,
    /// The operators to the current node.
    path: Vec<Op>,
    /// The locations of the children's bounds, for each node of the path.
    probes: Vec<usize>,
    next: u32,
    expanded: u64,
    is_cancelled: bool,
}

impl SubtreeWork {
    fn new(subtree: usize, path: Vec<Op>) -> SubtreeWork {
        SubtreeWork { subtree, path, probes: Vec::new(), next: u32::MAX, expanded: 0, is_cancelled: false }
    }
}

impl<'a> Pass<'a> {
    fn new(solver: &'a Cheapest, bound: u32, run: &'a Run<'a>) -> Pass<'a> {
        Pass {
            solver,
            bound,
            run,
            best: AtomicU64::new(Key::NONE.0),
            found: Mutex::new(None),
            next: AtomicU32::new(u32::MAX),
            expanded: AtomicU64::new(0),
        }
    }

    fn search(&self, root: &Node) {
        let subtrees: Vec<_> = self.split(root).into_iter().enumerate().collect();
        let (progress, done) = (self.run.progress(), AtomicU64::new(0));
        progress.begin(&format!("cost {}", f64::from(self.bound) / 1000.0), subtrees.len() as u64);
        self.run.map(&subtrees, |(subtree, (path, node))| {
            // Within a subtree the question is asked rarely.
            if self.run.is_cancelled() {
                return;
            }
            let mut work = SubtreeWork::new(*subtree, path.clone());
            self.visit(node, &mut work);
            self.add(&work);
            progress.update(done.fetch_add(1, Ordering::Relaxed) + 1);
        });
        progress.end();
    }

    fn add(&self, work: &SubtreeWork) {
        self.next.fetch_min(work.next, Ordering::Relaxed);
        self.expanded.fetch_add(work.expanded, Ordering::Relaxed);
        self.run.progress().nodes(work.expanded);
    }

    /// Subtrees, in the order of the operators, enough for all threads.
    fn split(&self, root: &Node) -> Vec<(Vec<Op>, Node)> {
        let mut subtrees = vec![(Vec::new(), root.clone())];
        while subtrees.len() < SUBTREES_PER_THREAD * self.run.threads() && !self.run.is_cancelled() {
            let (mut longer, mut is_split) = (Vec::new(), false);
            for (path, node) in subtrees {
                if self.solver.space.is_goal(&node.places) {
                    longer.push((path, node));
                    continue;
                }
                is_split = true;
                let mut work = SubtreeWork::new(0, path);
                self.children(&node, &mut work, |work, child| longer.push((work.path.clone(), child)));
                self.add(&work);
            }
            subtrees = longer;
            if !is_split {
                break;
            }
        }
        subtrees
    }

    /// Searches the subtree of a node that the bound does not prune.
    fn visit(&self, node: &Node, work: &mut SubtreeWork) {
        if self.solver.space.is_goal(&node.places) {
            self.solved(node.spent, work);
        } else {
            self.children(node, work, |work, child| self.visit(&child, work));
        }
    }

    /// Calls `enter` with each child that the bound does not prune; the path then ends at it.
    #[inline(always)]
    fn children(&self, node: &Node, work: &mut SubtreeWork, mut enter: impl FnMut(&mut SubtreeWork, Node)) {
        let Cheapest { rules, space, bound, costs, least, .. } = self.solver;
        work.expanded += 1;
        if work.expanded.is_multiple_of(NODES_PER_CHECK) {
            work.is_cancelled |= self.run.is_cancelled();
        }
        let (stages, first) = (ChildBound::stages(bound), work.probes.len());
        let seen = NodeRef { domain: space, state: &node.places, carry: &() };
        for op in rules.allowed(node.rules) {
            let probes = (0..stages).map(|stage| ChildBound::locate(bound, seen, op, stage));
            work.probes.extend(probes);
        }
        for (number, op) in rules.allowed(node.rules).into_iter().enumerate() {
            if work.is_cancelled {
                break;
            }
            let spent = node.spent + costs[op.index()];
            let limit = Key(self.best.load(Ordering::Relaxed)).limit(work.subtree).min(self.bound);
            let probes = first + number * stages..first + (number + 1) * stages;
            let values =
                probes.clone().zip(0..).map(|(at, stage)| bound.read(work.probes[at], stage, &mut ()));
            let Some(cut) = values.map(|value| spent + least * u32::from(value)).find(|&least| least > limit)
            else {
                let places = space.apply(&node.places, op);
                let rules = rules.next(node.rules, op).expect("the rules allow the operator");
                work.path.push(op);
                enter(work, Node { places, rules, spent });
                work.path.pop();
                continue;
            };
            work.next = work.next.min(cut);
        }
        work.probes.truncate(first);
    }

    /// Keeps a solution if it is the best so far.
    #[cold]
    fn solved(&self, cost: u32, work: &SubtreeWork) {
        let key = Key::new(cost, work.subtree);
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        if found.as_ref().is_none_or(|(best, _)| key < *best) {
            *found = Some((key, work.path.clone()));
            self.best.store(key.0, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::permutation::Permutation;
    use super::super::solver::SetSolver;
    use super::super::tables::SetTable;
    use super::*;
    use crate::notation;
    use crate::notation::scramble::{format_moves, parse_moves};
    use search_core::Ending;
    use search_core::table::Store;
    use search_core::testing::Random;
    use std::collections::{BTreeSet, HashMap};

    /// The costs of all positions that moves of a set reach from the solved cube for at most `most` (Dijkstra 1959).
    fn distances(group: &Group, costs: &[u32], most: u32) -> HashMap<Permutation, u32> {
        let mut known = HashMap::new();
        let start = group.element(&Cube::SOLVED).expect("it is solved");
        let mut open = BTreeSet::from([(0, start)]);
        while let Some((spent, element)) = open.pop_first() {
            if known.contains_key(&element) {
                continue;
            }
            known.insert(element, spent);
            let operators = group.set().operators().iter().zip(costs);
            let next = operators.map(|(operator, cost)| (spent + cost, element.then(&operator.effect)));
            open.extend(next.filter(|(spent, next)| *spent <= most && !known.contains_key(next)));
        }
        known
    }

    /// The solver of a set, and the costs of its operators.
    fn solver(text: &str, cost: impl Fn(Move) -> u32, entries: u64) -> (SetSolver, Vec<u32>) {
        let (dir, run) = (tempfile::tempdir().expect("a folder"), Run::new());
        let group = Group::new(MoveSet::parse(text, None).expect("a set"));
        let costs = costs_of(group.set(), cost).expect("costs");
        let tables = SetTable::plan(&group, entries, &[]);
        let store = Store::new(dir.path(), "test");
        let solver = SetSolver::with_tables(group, Some(&costs), &tables, &store, &run);
        (solver.expect("tables"), costs)
    }

    fn solve(solver: &SetSolver, cube: &Cube, run: &Run<'_>) -> Report<Vec<Move>> {
        solver.solve(cube, &Config::default(), run).expect("no table is forged")
    }

    /// The cube after some moves, in its final orientation.
    fn after(moves: &str) -> Cube {
        let position = notation::parse(moves, None).expect("moves");
        position.orientation.held_from_cube(&position.cube)
    }

    fn scramble(set: &MoveSet, seed: u64, length: usize) -> Vec<usize> {
        let mut random = Random::new(seed);
        (0..length).map(|_| random.below(set.operators().len())).collect()
    }

    /// Costs that differ by direction and by turn; half turns that are dearer than two quarter turns; nearly equal
    /// costs.
    const COSTS: [fn(Move) -> u32; 4] = [
        |_| 1000,
        |name| 700 + 100 * name.face as u32 + 300 * u32::from(name.quarters == 2),
        |name| if name.quarters == 2 { 2500 } else { 1000 + u32::from(name.quarters == 3) * 50 },
        |name| 1 + (name.face as u32 * 7 + u32::from(name.quarters) * 3) % 11,
    ];

    #[test]
    fn no_solution_is_cheaper() {
        for text in ["U R", "U R2 F2", "M U", "U2 R2 F2 D2", "U R F"] {
            for cost in COSTS {
                let (solver, costs) = solver(text, cost, 20_000);
                let group = solver.group();
                let most = 5 * costs.iter().sum::<u32>() / costs.len() as u32;
                let (exact, mut compared) = (distances(group, &costs, most), 0);
                for seed in 0..15 {
                    let ops = scramble(group.set(), seed, 4);
                    let cube = after(&format_moves(group.set().spell(ops)));
                    let Some(element) = group.element(&cube) else { continue };
                    // Moves to the solved cube cost as much as their inverses from it.
                    let inverse = element.inverse();
                    let same = group.solved().iter().filter_map(|held| exact.get(&inverse.then(held)));
                    let Some(&expected) = same.min() else { continue };
                    compared += 1;
                    for threads in [1, 2] {
                        let report = solve(&solver, &cube, &Run::new().with_threads(threads));
                        let (iterations, found) = (&report.iterations, expected);
                        assert_eq!(report.ending.length(), Some(found), "{text}, seed {seed}");
                        let moves = &report.ending.solutions()[0];
                        assert_eq!(found, moves.iter().map(|&name| cost(name)).sum::<u32>());
                        assert!(iterations.iter().rev().skip(1).all(|one| one.complete));
                        assert!(iterations.iter().filter(|one| one.complete).all(|one| one.bound < found));
                    }
                }
                assert!(compared > 5, "{text}: {compared} were compared");
            }
        }
    }

    #[test]
    fn a_half_turn_that_two_quarters_beat_is_not_used() {
        let (solver, _) = solver("U R", COSTS[2], 20_000);
        let ending = solve(&solver, &after("U2 R"), &Run::new()).ending;
        assert_eq!(ending, Ending::solved(3050, parse_moves("R' U U").expect("moves")));
    }

    #[test]
    fn unsolvable_cubes_and_costs_that_cannot_be_searched_are_refused() {
        let (solver, _) = solver("U R", COSTS[0], 20_000);
        assert_eq!(solve(&solver, &after("F"), &Run::new()).ending, Ending::Exhausted);
        assert_eq!(solve(&solver, &Cube::SOLVED, &Run::new()).ending, Ending::solved(0, Vec::new()));
        let run = Run::new();
        run.cancel().cancel();
        let ending = solve(&solver, &after("U R U"), &run).ending;
        assert!(matches!(ending, Ending::Cancelled { lower_bound, .. } if lower_bound <= 3000));
        let dear = Config::default().max_bound(2999);
        let ending = solver.solve(&after("U R U"), &dear, &Run::new()).expect("no table is forged").ending;
        assert!(
            matches!(ending, Ending::Bounded { lower_bound, .. } if (2999..=3000).contains(&lower_bound))
        );
        let set = MoveSet::parse("U R2", None).expect("a set");
        let free = costs_of(&set, |name| u32::from(name.quarters != 2)).unwrap_err();
        assert!(free.to_string().starts_with("U2 costs nothing"));
        let slices = MoveSet::all(crate::metric::Metric::Stm);
        assert!(matches!(costs_of(&slices, |_| 1), Err(InvalidCosts::Renamed(_))));
        assert!(costs_of(&MoveSet::parse("M U", None).expect("a set"), |_| 1).is_ok());
    }
}
