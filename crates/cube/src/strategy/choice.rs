//! The heuristic that is used where none is named.

use crate::heuristics::HeuristicSpec;
use crate::heuristics::family::{Candidate, candidates};
use crate::heuristics::masked::{self, Masked, Parts};
use crate::mask::Mask;
use crate::metric::Metric;
use crate::tables::TableId;
use search_core::Run;
use search_core::table::{Recipe, Tables};
use std::mem::discriminant;

/// Tables of this many bytes are loaded in a fraction of a second.
const SMALL: u64 = 1 << 30;

/// The longest time for which tables are built without being requested, in seconds.
pub(super) const PATIENCE: f64 = 60.0;

/// The strongest heuristic whose tables fit the memory of `run` and exist in `tables` or can be built within a minute.
/// The largest tables are never built for this.
pub fn strongest(metric: Metric, tables: &dyn Tables, run: &Run<'_>) -> HeuristicSpec {
    strongest_within(PATIENCE, metric, tables, run)
}

/// [`strongest`] with another limit on the time of building.
pub(super) fn strongest_within(
    seconds: f64,
    metric: Metric,
    tables: &dyn Tables,
    run: &Run<'_>,
) -> HeuristicSpec {
    let is_soon = |Candidate { spec, is_built }: &Candidate| match is_built {
        true => is_soon(&spec.tables(metric), seconds, tables, run),
        false => exist(&spec.tables(metric), tables),
    };
    let fits = |candidate: &Candidate| tables.all_fit(&candidate.spec.tables(metric), run);
    let strongest = candidates().filter(fits).find(is_soon);
    strongest.expect("the weakest needs no table").spec
}

/// The strongest heuristic, as [`strongest`] finds it, that reads none of the tables with these names; of another family
/// than theirs, unless only Manhattan distance is left.
pub(super) fn another(
    avoided: &[String],
    metric: Metric,
    tables: &dyn Tables,
    run: &Run<'_>,
) -> HeuristicSpec {
    let reading = |name: &String| HeuristicSpec::reading(TableId::from_name(name)?.pattern);
    let families: Vec<_> = avoided.iter().filter_map(reading).map(|spec| discriminant(&spec)).collect();
    let is_other = |Candidate { spec, is_built }: &Candidate| {
        let ids = spec.tables(metric);
        !families.contains(&discriminant(spec))
            && ids.iter().all(|id| !avoided.contains(&id.name()))
            && tables.all_fit(&ids, run)
            && if *is_built { is_soon(&ids, PATIENCE, tables, run) } else { exist(&ids, tables) }
    };
    candidates().find(is_other).expect("Manhattan distance reads no table").spec
}

/// The heuristic for the goal of `mask`: the strongest if nothing is left open, and otherwise patterns that fit the memory
/// of `run` and exist in `tables` or can be built within `seconds`.
pub(super) fn for_goal(
    mask: &Mask,
    seconds: f64,
    metric: Metric,
    tables: &dyn Tables,
    run: &Run<'_>,
) -> HeuristicSpec {
    if mask.is_none() {
        return strongest_within(seconds, metric, tables, run);
    }
    let of = |edges| HeuristicSpec::Masked(Masked { mask: *mask, edges, parts: Parts::All });
    let many = of(masked::MANY_EDGES);
    let ids = many.tables(metric);
    let is_worth_it = masked::gains_from_many_edges(mask) && bytes(&ids) <= masked::MOST_BYTES;
    if is_worth_it && is_soon(&ids, seconds, tables, run) && tables.all_fit(&ids, run) {
        many
    } else {
        of(masked::FEW_EDGES)
    }
}

/// A heuristic for the goal of `mask` that reads none of the tables with these names: smaller sets of edges, and a table
/// of the corners for a goal that leaves more of them open. `None` if there is none that fits the memory of `run`.
pub(super) fn another_for_goal(
    mask: &Mask,
    avoided: &[String],
    metric: Metric,
    tables: &dyn Tables,
    run: &Run<'_>,
) -> Option<HeuristicSpec> {
    if mask.is_none() {
        return Some(another(avoided, metric, tables, run));
    }
    let of = |parts, edges| HeuristicSpec::Masked(Masked { mask: *mask, edges, parts });
    let all = [Parts::Others, Parts::Edges].into_iter();
    let mut all = all.flat_map(|parts| (1..=masked::FEW_EDGES).rev().map(move |edges| of(parts, edges)));
    let is_other = |spec: &HeuristicSpec| {
        let ids = spec.tables(metric);
        !ids.is_empty() && ids.iter().all(|id| !avoided.contains(&id.name())) && tables.all_fit(&ids, run)
    };
    all.find(is_other)
}

/// Where the tables of `spec` take long to load, a heuristic for the first stage: the strongest of the family whose tables
/// exist, are loaded quickly, and fit the memory of `run` together with those of `spec`.
pub(super) fn first_stage(
    spec: &HeuristicSpec,
    metric: Metric,
    tables: &dyn Tables,
    run: &Run<'_>,
) -> Option<HeuristicSpec> {
    let large = spec.tables(metric);
    if bytes(&large) <= SMALL {
        return None;
    }
    let of_family = candidates().map(|candidate| candidate.spec);
    let mut of_family = of_family.filter(|other| discriminant(other) == discriminant(spec));
    of_family.find(|small| {
        let small = small.tables(metric);
        let both = [&large[..], &small].concat();
        bytes(&small) <= SMALL && exist(&small, tables) && tables.all_fit(&both, run)
    })
}

/// The bytes of some tables.
pub(super) fn bytes(ids: &[TableId]) -> u64 {
    ids.iter().map(Recipe::bytes).sum()
}

fn exist(ids: &[TableId], tables: &dyn Tables) -> bool {
    ids.iter().all(|id| tables.contains(&id.name()))
}

/// Whether they exist or can be built within this time.
fn is_soon(ids: &[TableId], seconds: f64, tables: &dyn Tables, run: &Run<'_>) -> bool {
    let missing = ids.iter().filter(|id| !tables.contains(&id.name()));
    missing.map(|id| id.build_seconds(run.threads())).sum::<f64>() <= seconds
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::Face;
    use crate::mask::Named;
    use search_core::table::Store;

    #[test]
    fn another_heuristic_for_an_open_goal_reads_none_of_the_tables() {
        let (store, run) = (Store::over([], "test"), Run::new().with_memory(1 << 28));
        for name in [Named::F2l, Named::Oll, Named::Cross, Named::Htr] {
            let mask = *name.goals(Face::D).only().expect("one mask");
            let spec = for_goal(&mask, PATIENCE, Metric::Htm, &store, &run);
            let mut names: Vec<String> = spec.tables(Metric::Htm).iter().map(Recipe::name).collect();
            // Again, until none is left.
            let mut rounds = 0;
            while let Some(other) = another_for_goal(&mask, &names, Metric::Htm, &store, &run) {
                let own: Vec<String> = other.tables(Metric::Htm).iter().map(Recipe::name).collect();
                assert!(!own.is_empty() && own.iter().all(|name| !names.contains(name)), "{name:?}: {own:?}");
                names.extend(own);
                rounds += 1;
            }
            assert!((1..20).contains(&rounds), "{name:?}");
        }
    }

    #[test]
    fn another_heuristic_reads_none_of_the_tables_and_is_of_another_family() {
        let (store, run) = (Store::over([], "test"), Run::new().with_threads(2));
        let all: Vec<HeuristicSpec> = HeuristicSpec::defaults().collect();
        for metric in [Metric::Htm, Metric::Qtm] {
            for spec in &all {
                let names: Vec<String> = spec.tables(metric).iter().map(Recipe::name).collect();
                let other = another(&names, metric, &store, &run);
                let is_same = discriminant(&other) == discriminant(spec);
                assert!(!is_same, "{spec} and {other}");
                assert!(other.tables(metric).iter().all(|id| !names.contains(&id.name())));
            }
        }
    }
}
