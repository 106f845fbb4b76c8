//! The driver: searches bound after bound on the threads of one process, and saves the state of the search.
//!
//! The idea: a bound is one tree, or several for a union of goals. The driver [opens](Driver::open) the next tree,
//! which splits it into subtrees, and searches them in order. One loop over one [state](SearchState) serves a complete
//! search (`search`), a search that saves checkpoints, and a search that stops at a bound large enough to be shared
//! ([`work_units`](super::work_units)).

use super::distributed::{Choice, Look, TreeSearch, with};
use super::search_state::{self, ActiveSearch, SearchState, TreeProgress};
use super::tree::{AnyTree, SearchMode, Subtrees, Tree, UnitError};
use super::{Config, Incumbent, Schedule, Wanted, split};
use crate::automaton::Automaton;
use crate::cast::to_u64;
use crate::clock::Instant;
use crate::domain::{Domain, Op};
use crate::heuristic::Heuristic;
use crate::pace::Pace;
use crate::progress::{BoundAhead, BoundOver};
use crate::record::{Iteration, Report};
use crate::run::Run;

/// Searches for the shortest solutions of `start`.
///
/// `automaton` restricts the operators; [`Automaton::unrestricted`] does not. Progress is reported
/// for each bound, in subtrees. The result does not depend on the number of threads, except for
/// the counts of an iteration that was cut short.
///
/// # Panics
/// If `automaton` and `domain` differ in their number of operators.
///
/// Source: Korf 1985; splitting among processors as in Korf's letter of May 1997.
pub fn search<D: Domain, H: Heuristic<D>>(
    domain: &D,
    heuristic: &H,
    automaton: &Automaton,
    start: &D::State,
    config: &Config,
    run: &Run<'_>,
) -> Report<Vec<Op>> {
    assert_eq!(automaton.ops(), domain.op_count(), "the automaton is over the domain's operators");
    let root_moves = &config.root_moves;
    let tree = OneTree(Tree { domain, heuristic, automaton, start, root_moves });
    search_trees(&tree, config, run).expect("there is nothing to choose")
}

/// A search with one tree and no choice of heuristic parts.
struct OneTree<'a, D: Domain, H: Heuristic<D>>(Tree<'a, D, H>);

impl<D: Domain, H: Heuristic<D>> TreeSearch for OneTree<'_, D, H> {
    fn least(&self, bound: u32) -> u32 {
        self.0.least(bound)
    }

    fn with_tree(&self, _: &Choice, _: usize, act: &mut dyn FnMut(&dyn AnyTree)) -> bool {
        act(&self.0);
        true
    }
}

/// Searches the trees of `search` for shortest solutions. The root moves are those of its trees, not of `config`.
///
/// # Errors
/// [`UnitError::Heuristic`] if `search` has no tree for its own choice.
pub fn search_trees(
    search: &dyn TreeSearch,
    config: &Config,
    run: &Run<'_>,
) -> Result<Report<Vec<Op>>, UnitError> {
    let mut driver = Driver::resume(search, config, run);
    let stopped = driver.search(None)?;
    if config.wanted == Wanted::First {
        driver.active.solutions.sort_by_cached_key(|path| search.in_order(&path.to_ops()));
    }
    Ok(driver.active.report(stopped == Stopped::Cancelled))
}

/// How finely a bound is divided into units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SplitPolicy {
    /// Upper limit on the number of units.
    pub units: usize,
    /// The number of subtrees per unit: more make units more equal; fewer make splitting faster.
    pub grain: usize,
}

/// Chooses how the next bound is divided, from the iterations so far.
pub type ChooseSplit<'a> = dyn FnMut(&[Iteration]) -> SplitPolicy + 'a;

/// The reason why the driver returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stopped {
    /// There is no further bound.
    Over,
    /// The run was cancelled.
    Cancelled,
    /// The open tree is to be searched in at most this many units.
    Units(usize),
}

/// A running search.
pub(super) struct Driver<'a> {
    search: &'a dyn TreeSearch,
    config: &'a Config,
    run: &'a Run<'a>,
    pub active: ActiveSearch,
    /// The pace of checkpoints, if there are any.
    pace: Option<Pace>,
}

impl<'a> Driver<'a> {
    /// A search that continues from `state`.
    pub(super) fn new(
        search: &'a dyn TreeSearch,
        state: SearchState,
        config: &'a Config,
        run: &'a Run<'a>,
    ) -> Self {
        let active = ActiveSearch::of(state, config);
        let pace = config.checkpoints.as_ref().map(|checkpoints| Pace::new(checkpoints.pause()));
        Driver { search, config, run, active, pace }
    }

    /// Resumes from the state that an earlier run saved, if there is one that can be used.
    fn resume(search: &'a dyn TreeSearch, config: &'a Config, run: &'a Run<'a>) -> Self {
        let begin = SearchState::before(search.least(config.min_bound));
        let saved = config.checkpoints.as_ref().and_then(|checkpoints| checkpoints.resume());
        let saved = saved.filter(|saved| saved.is_plausible(begin.bound));
        let mut driver = Driver::new(search, begin, config, run);
        let Some(mut saved) = saved else { return driver };
        let choice = saved.part.as_ref().map(|part| part.choice.clone());
        let mut is_at_work = saved.part.as_ref().is_none_or(|part| part.trees == search.trees());
        let choice = choice.unwrap_or_else(|| driver.choose());
        // A solution read from a file counts only after a tree has replayed it.
        let is_solution = |ops: &[Op]| {
            let mut trees = 0..search.trees();
            trees.any(|tree| with(search, &choice, tree, |tree| tree.is_solution(ops)).unwrap_or(false))
        };
        let leads_to_goal = |ops: &[Op]| {
            let mut trees = 0..search.trees();
            trees.any(|tree| with(search, &choice, tree, |tree| tree.leads_to_goal(ops)).unwrap_or(false))
        };
        let is_known = config.incumbent.is_some() && saved.incumbent().is_some_and(|ops| leads_to_goal(&ops));
        if !is_known {
            saved.incumbent = None;
        }
        let are_solutions = |saved: &SearchState| saved.solutions().all(|path| is_solution(&path));
        let bound = saved.bound;
        if let (Some(part), Some(TreeProgress { partition, outcome })) = (&saved.part, &saved.tree) {
            let end = outcome.items.end;
            let fits = (partition.bound, outcome.bound, outcome.items.start) == (bound, bound, 0);
            let again = with(search, &choice, part.done, |tree| {
                tree.partition_again(partition, driver.mode()).is_ok()
            });
            is_at_work &= fits && end <= partition.subtrees && again == Ok(true);
        }
        is_at_work &= are_solutions(&saved);
        let saved = if is_at_work { saved } else { saved.between_bounds() };
        if !are_solutions(&saved) {
            return driver;
        }
        if is_at_work {
            let trees = saved.part.as_ref().filter(|part| part.trees > 1);
            let trees =
                trees.map(|part| format!(" of tree {} of {}", part.done + 1, part.trees)).unwrap_or_default();
            let done = saved.tree.as_ref().map_or_else(String::new, |tree| {
                format!(", after {} of {} subtrees{trees}", tree.outcome.items.end, tree.partition.subtrees)
            });
            run.progress().remark(&format!("resuming with bound {bound}{done}"));
        } else {
            run.progress().remark("the checkpoint is damaged: the bound begins anew");
        }
        driver.active = ActiveSearch::of(saved, config);
        driver
    }

    /// Searches until the search is over or cancelled, or until `policy` asks for more than one unit and the bound has
    /// as many: then its tree is split but not searched.
    ///
    /// # Errors
    /// [`UnitError::Heuristic`].
    pub(super) fn search(&mut self, mut policy: Option<&mut ChooseSplit<'_>>) -> Result<Stopped, UnitError> {
        loop {
            let policy = policy.as_mut().map(|policy| policy(self.active.bounds.iterations()));
            let Some(subtrees) = self.open(policy)? else { return Ok(Stopped::Over) };
            if let (Some(SplitPolicy { units, .. }), Some(TreeProgress { partition, .. })) =
                (policy, &self.active.tree)
                && partition.shares(units.max(1)).len() > 1
                && !partition.is_solved
            {
                return Ok(if self.run.is_cancelled() { Stopped::Cancelled } else { Stopped::Units(units) });
            }
            self.search_tree(&subtrees)?;
            self.active.close_tree();
            if self.run.is_cancelled() {
                self.close_bound(true);
                return Ok(Stopped::Cancelled);
            }
            if self.active.bounds.is_close() {
                self.close_bound(true);
                return Ok(Stopped::Over);
            }
        }
    }

    /// Splits the next tree: the next one of the current bound, or the first one of the next bound. `None` if there is
    /// no further bound.
    ///
    /// # Errors
    /// [`UnitError`].
    pub(super) fn open(&mut self, policy: Option<SplitPolicy>) -> Result<Option<Subtrees>, UnitError> {
        loop {
            if self.active.is_bound_done() {
                self.close_bound(false);
            }
            if self.active.part.is_none() {
                let least = self.search.least(self.active.bounds.lower_bound());
                self.active.bounds.raise(least);
                self.improve();
                if self.active.bounds.bound().is_none() {
                    return Ok(None);
                }
                let choice = self.choose();
                // The chosen parts may show that solutions are longer.
                if self.search.least(least) > least {
                    continue;
                }
                self.active.begin_bound(choice, self.search.trees());
            }
            let begun = Instant::now();
            let (bound, enough, mode) = (self.active.bounds.lower_bound(), self.enough(policy), self.mode());
            let depths = self.active.orders_branches().then_some(&self.active.depths);
            let Some(part) = &self.active.part else { continue };
            let opened = with(self.search, &part.choice, part.done, |tree| match &self.active.tree {
                Some(TreeProgress { partition, .. }) => {
                    tree.partition_again(partition, mode).map(|subtrees| Ok((None, subtrees)))
                }
                None => Ok(match tree.least(bound) {
                    least if least > bound => Err(least),
                    _ => {
                        let (partition, subtrees) = tree.partition(bound, enough, depths, mode, self.run);
                        Ok((Some(partition), subtrees))
                    }
                }),
            })?;
            match opened? {
                Err(least) => self.active.skip_tree(least),
                Ok((partition, subtrees)) => {
                    if let Some(partition) = partition {
                        self.active.tree = Some(TreeProgress::new(partition, begun.elapsed().as_secs_f64()));
                    }
                    return Ok(Some(subtrees));
                }
            }
        }
    }

    /// The schedule of a quicker method that looks for a better incumbent, if the search has both.
    fn schedule(&self) -> Option<(&'a Incumbent, Schedule)> {
        let incumbent = self.config.incumbent.as_ref().filter(|_| self.config.wanted == Wanted::First)?;
        Some((incumbent, self.search.schedule(self.is_eager())?))
    }

    /// Whether a solution soon is wanted more than a proof.
    fn is_eager(&self) -> bool {
        self.config.within > 0
    }

    /// Looks for a better incumbent by a quicker method, if it is due: also at the end of a search without one from which
    /// a solution is wanted soon.
    fn improve(&mut self) {
        let Some((incumbent, schedule)) = self.schedule() else { return };
        let (bounds, last, is_eager) = (&self.active.bounds, self.active.looked, self.is_eager());
        let nodes = match bounds.bound() {
            Some(_) => schedule.due(self.active.generated(), last),
            None => {
                let is_unsolved = bounds.shortest().is_none() && incumbent.upper_bound().is_none();
                (is_eager && is_unsolved && last == 0).then(|| schedule.next(0))
            }
        };
        if let Some(nodes) = nodes {
            let look = Look { nodes, is_first: last == 0, is_eager };
            self.search.improve(look, incumbent, self.run);
            self.active.looked = nodes;
        }
    }

    /// The choice for the next bound. It no longer changes once a solution is known.
    fn choose(&self) -> Choice {
        let last = self.active.last.as_ref();
        match last.filter(|_| self.active.bounds.shortest().is_some()) {
            Some((_, choice)) => choice.clone(),
            None => {
                let last = last.map(|(bound, choice)| (*bound, choice));
                self.search.choose(self.active.bounds.iterations(), last, self.run)
            }
        }
    }

    /// The number of subtrees at which splitting stops.
    fn enough(&self, policy: Option<SplitPolicy>) -> usize {
        if let Some(SplitPolicy { units, grain }) = policy {
            return units.max(1).saturating_mul(grain);
        }
        if let Some(subtrees) = self.config.subtrees {
            return subtrees;
        }
        let least = split::enough(self.run.threads());
        if self.pace.is_none() {
            return least;
        }
        search_state::enough(least, self.active.bounds.expected_nodes().unwrap_or(0.0))
    }

    fn mode(&self) -> SearchMode {
        let Config { wanted, kernel, .. } = *self.config;
        let wait = self.schedule().map(|(_, schedule)| schedule.wait(self.active.looked));
        let nodes = wait.map(|wait| wait.saturating_sub(self.active.generated()));
        SearchMode { wanted, leave: self.active.leave(), kernel, nodes }
    }

    /// Searches the remaining subtrees of the open tree, saves checkpoints, and pauses for quicker methods.
    fn search_tree(&mut self, subtrees: &Subtrees) -> Result<(), UnitError> {
        while self.search_until_pause(subtrees)? && !self.run.is_cancelled() {
            self.improve();
            if self.active.bounds.is_close() {
                break;
            }
        }
        Ok(())
    }

    /// Searches the remaining subtrees of the open tree until a quicker method is due. Returns whether one is.
    fn search_until_pause(&mut self, subtrees: &Subtrees) -> Result<bool, UnitError> {
        let (run, mut mode, exhaustive) = (self.run, self.mode(), self.active.exhaustive);
        let (Some(part), Some(TreeProgress { partition, .. })) = (&self.active.part, &self.active.tree)
        else {
            return Ok(false);
        };
        let (choice, number, bound, all) =
            (part.choice.clone(), part.done, partition.bound, partition.subtrees);
        let (expected, upper_bound) = (self.active.bounds.expected(), self.active.upper_bound());
        run.progress().begin_bound(&BoundAhead { bound, upper_bound, subtrees: to_u64(all), expected });
        let searched = with(self.search, &choice, number, |tree| {
            while let Some(TreeProgress { outcome, .. }) = &mut self.active.tree
                && outcome.items.end < all
            {
                let until = self.pace.as_ref().and_then(Pace::due);
                let done = outcome.items.end;
                let begun = |begun| run.progress().update(to_u64(done + begun));
                let next = tree.search(bound, subtrees, (done..all, until), mode.clone(), &begun, run)?;
                mode.nodes = mode.nodes.map(|left| left.saturating_sub(next.counts.generated));
                let is_solved = !exhaustive && !next.solutions.is_empty();
                let is_over = run.is_cancelled() || is_solved || self.active.bounds.is_close();
                if is_over {
                    // Some of the subtrees begun are not finished.
                    if run.is_cancelled() {
                        self.keep(Pace::is_worth);
                    }
                    if let Some(TreeProgress { outcome, .. }) = &mut self.active.tree {
                        outcome.extend(next);
                    }
                    break;
                }
                outcome.extend(next);
                let is_done = outcome.items.end == all;
                self.keep(|pace| if is_done { pace.is_worth() } else { pace.is_due() });
                if mode.nodes == Some(0) {
                    return Ok(!is_done);
                }
            }
            Ok(false)
        })?;
        run.progress().end();
        searched
    }

    /// Ends the current bound and records its counts.
    fn close_bound(&mut self, is_cancelled: bool) {
        if let Some(iteration) = self.active.close_bound(is_cancelled) {
            let bounds = &self.active.bounds;
            let is_ruled_out =
                iteration.complete && bounds.shortest().is_none_or(|shortest| shortest > iteration.bound);
            let expected = bounds.expected();
            self.run.progress().end_bound(&BoundOver { iteration: &iteration, is_ruled_out, expected });
        }
    }

    /// Saves a checkpoint if one is due.
    fn keep(&mut self, is_time: impl FnOnce(&Pace) -> bool) {
        if let (Some(pace), Some(checkpoints)) = (&mut self.pace, &self.config.checkpoints)
            && is_time(pace)
        {
            pace.save(|| checkpoints.keep(&self.active.state()));
        }
    }
}
