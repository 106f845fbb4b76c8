//! Solutions by the [two-phase search](crate::two_phase), as upper bounds for the search that proves the optimum.
//!
//! The idea: a solution of the next bound's length is shortest once all smaller bounds are excluded, so finding it by other
//! means saves the last bound. The proving search visits the deepest branches first, so it finds a solution of its last bound
//! soon, and the two-phase search may cost little: each time it generates a sixteenth of the nodes of the proving search by
//! then. A small one comes early, so that a solution is known during the proof. A cube that is solved sooner has no
//! two-phase search, and needs none of its tables.
//!
//! Budgets follow from node counts alone. On one thread the solutions depend on nothing else.

use super::choice::bytes;
use super::lazy::{Lazy, Means};
use crate::cube::{Cube, Turn};
use crate::heuristics::HeuristicSpec;
use crate::metric::Metric;
use crate::solver::Improve;
use crate::tables::{Pattern, TableId};
use crate::two_phase::{Limits, TwoPhase};
use search_core::Run;
use search_core::ida::{Config, Incumbent, Look, Schedule};
use search_core::table::Recipe;

/// The two-phase search generates one node for this many nodes of the proving search.
const SHARE: u64 = 16;
/// The number of nodes of the first two-phase search: some milliseconds.
const FIRST: u64 = 1 << 16;
/// The nodes of the proving search before the first two-phase search: some hundredths of a second.
const SOON: u64 = 1 << 20;
/// The least number of nodes of the following two-phase searches.
const LEAST: u64 = 1 << 20;
/// The number of nodes if a solution is wanted soon.
pub(super) const EAGER: u64 = 1 << 20;

/// The incumbent for which a beam search comes first, where the two-phase search does not serve: if a solution near the
/// optimum is enough.
pub(super) fn wants_a_beam(config: &Config) -> Option<&Incumbent> {
    config.incumbent.as_ref().filter(|_| config.within > 0)
}

/// The two-phase search, loaded when a cube needs it.
pub(super) struct Upper {
    metric: Metric,
    two_phase: Lazy<TwoPhase>,
}

impl Upper {
    /// The search in `metric`; nothing is loaded yet.
    pub(super) fn new(metric: Metric) -> Upper {
        Upper { metric, two_phase: Lazy::new() }
    }

    /// The search for solutions of `cube` beside the proving search. `spec` is the heuristic whose tables are in memory too.
    pub(super) fn beside<'a>(
        &'a self,
        cube: &'a Cube,
        spec: &'a HeuristicSpec,
        means: &'a Means<'a>,
    ) -> Beside<'a> {
        Beside { upper: self, cube, spec, means }
    }

    fn search(&self, two_phase: &TwoPhase, cube: &Cube, nodes: u64, incumbent: &Incumbent, run: &Run<'_>) {
        let limits =
            Limits::new().enough(incumbent.lower_bound()).below(incumbent.upper_bound()).nodes(nodes);
        let offer = |turns: &[Turn]| {
            let canonical = self.metric.canonical(turns);
            let ops: Option<Vec<_>> = canonical.iter().map(|&turn| self.metric.operator(turn)).collect();
            incumbent.offer(&ops.expect("a canonical string has turns of the metric"));
        };
        two_phase.solve(cube, &limits, &offer, run);
    }

    /// The search, with the table of cosets if it exists and fits the memory beside the tables of `spec`; `None` if there is
    /// too little memory, or the run was cancelled.
    pub(super) fn load(&self, spec: &HeuristicSpec, means: &Means<'_>, run: &Run<'_>) -> Option<&TwoPhase> {
        let load = || {
            let coset = TableId { pattern: Pattern::Coset, metric: self.metric };
            let both = [&spec.tables(self.metric)[..], &[coset]].concat();
            let is_there = means.tables.contains(&coset.name()) && means.tables.all_fit(&both, means.run);
            // Small tables serve as well, so an error of this one is left to the searches that need it.
            let loaded = is_there.then(|| means.tables.load_all(&[coset], run).ok()).flatten();
            let table =
                loaded.and_then(|mut tables| tables.pop()).map(|table| coset.over(table.body).nibbles());
            TwoPhase::new(self.metric, table, run).map_err(drop)
        };
        let is_enough = bytes(&spec.tables(self.metric)) + TwoPhase::BYTES <= means.run.memory();
        if is_enough { self.two_phase.get_or_load(load).ok() } else { None }
    }
}

/// The two-phase search of a cube beside the proving search.
pub(super) struct Beside<'a> {
    upper: &'a Upper,
    cube: &'a Cube,
    spec: &'a HeuristicSpec,
    means: &'a Means<'a>,
}

impl Improve for Beside<'_> {
    fn schedule(&self, is_eager: bool) -> Schedule {
        let schedule = Schedule::share(SHARE).least(LEAST);
        if is_eager { schedule.first(EAGER, 0) } else { schedule.first(FIRST, SOON) }
    }

    fn improve(&self, look: Look, incumbent: &Incumbent, run: &Run<'_>) {
        let Beside { upper, cube, spec, means } = *self;
        if let Some(two_phase) = upper.load(spec, means, run) {
            run.progress().begin("two-phase search", 0);
            upper.search(two_phase, cube, look.nodes, incumbent, run);
            run.progress().end();
        }
    }
}
