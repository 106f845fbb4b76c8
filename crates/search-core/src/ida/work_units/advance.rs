//! Advancing a search in one process to the next bound that is shared.

use super::super::distributed::DistributedSearch;
use super::super::driver::{ChooseSplit, Driver, SplitPolicy, Stopped};
use super::super::search_state::SearchState;
use super::super::tree::{Subtrees, UnitError};
use super::super::{Config, Order};
use super::plan::{LastPartition, Names, Plan};
use crate::domain::Op;
use crate::record::{Ending, Iteration, Report};
use crate::run::Run;

/// The point at which a process has stopped advancing.
#[derive(Clone, Debug, PartialEq)]
pub enum Advance {
    /// A bound divided into units.
    Units(Box<Plan>),
    /// The end of the search.
    Over(Ending<Vec<Op>>, Vec<Iteration>),
    /// A bound in which the search was cancelled.
    Cancelled(Box<SearchState>),
}

impl SearchState {
    /// The configuration of a shared search: one shortest solution, the first one in the order of the operators, or any
    /// one in another order. It may be the incumbent if there is one.
    pub(super) fn config(&self, order: Order) -> Config {
        let any_solution = order != Order::Operators || self.incumbent.is_some();
        Config::default().order(order).any_solution(any_solution)
    }

    /// Divides the next tree into units. A search with the same `last` need not split it again.
    ///
    /// # Errors
    /// [`UnitError`] if this is the state of another solver, the search is over, or it was cancelled.
    pub fn partition(
        &self,
        search: &dyn DistributedSearch,
        names: Names<'_>,
        policy: SplitPolicy,
        last: &LastPartition,
        run: &Run<'_>,
    ) -> Result<Plan, UnitError> {
        let config = self.config(search.order());
        let mut driver = Driver::new(search, self.clone(), &config, run);
        let subtrees: Option<Subtrees> = driver.open(Some(policy))?;
        run.check()?;
        let plan = Plan::new(search, names, policy.units, driver.active.state()).ok_or(UnitError::Over)?;
        last.keep(&plan, subtrees.ok_or(UnitError::Over)?);
        Ok(plan)
    }

    /// Searches bounds in this process while `policy` returns one unit, or the bound has only one; then divides the
    /// next bound into units. Bounds greater than `most` are not searched.
    ///
    /// # Errors
    /// [`UnitError`] if this is the state of another solver.
    pub fn advance(
        self,
        search: &dyn DistributedSearch,
        names: Names<'_>,
        most: Option<u32>,
        policy: &mut ChooseSplit<'_>,
        run: &Run<'_>,
    ) -> Result<Advance, UnitError> {
        let config = self.config(search.order()).max_bound(most);
        let mut driver = Driver::new(search, self, &config, run);
        Ok(match driver.search(Some(policy))? {
            Stopped::Units(units) => {
                let plan = Plan::new(search, names, units, driver.active.state());
                Advance::Units(Box::new(plan.ok_or(UnitError::Over)?))
            }
            Stopped::Over => {
                let Report { ending, iterations } = driver.active.report(false);
                Advance::Over(ending, iterations)
            }
            Stopped::Cancelled => Advance::Cancelled(Box::new(driver.active.into_complete())),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::outcomes::Outcomes;
    use super::super::plan::{Next, PlanMismatch};
    use super::super::testing::{Pancakes, whole};
    use super::*;
    use crate::record::TableUse;

    const NAMES: Names<'static> = Names { version: "test 1", instance: "cakes" };

    /// Length and iterations are those of one search, whatever the division of each bound, the number of threads, and
    /// the order and repetition of outcomes; in the order of the operators the solution is, too.
    #[test]
    fn units_give_the_result_of_one_search() {
        for number in 0..10 {
            let order = if number % 2 == 0 { Order::Operators } else { Order::Deepest };
            let cakes = Pancakes { order, ..Pancakes::random(number) };
            let (expected, iterations) = whole(&cakes);
            for (units, grain, threads, locally) in
                [(1, 512, 1, 9), (5, 7, 2, 3), (40, 3, 1, 0), (9, 100, 3, 4)]
            {
                let run = Run::new().with_threads(threads);
                let mut state = SearchState::begin(&cakes);
                let (ending, found) = loop {
                    let mut division = |done: &[Iteration]| SplitPolicy {
                        units: if done.len() < locally { 1 } else { units },
                        grain,
                    };
                    let plan = match state.advance(&cakes, NAMES, None, &mut division, &run).unwrap() {
                        Advance::Units(plan) => *plan,
                        Advance::Over(ending, iterations) => break (ending, iterations),
                        Advance::Cancelled(_) => panic!("not cancelled"),
                    };
                    match plan.next(&searched(&cakes, &plan, &run)).unwrap() {
                        Next::Longer(next) => state = *next,
                        Next::Over { ending, iterations } => break (ending, iterations),
                    }
                };
                assert_eq!(ending.length(), expected.length());
                assert!(ending == expected || order == Order::Deepest, "{number} {units}");
                assert_eq!(complete(&found), complete(&iterations), "{number} {units}");
            }
        }
    }

    /// The outcomes of all units as JSON, the last unit first and the first one twice.
    fn searched(cakes: &Pancakes, plan: &Plan, run: &Run<'_>) -> Outcomes {
        let plan: Plan = serde_json::from_str(&serde_json::to_string(plan).unwrap()).unwrap();
        plan.check(cakes).unwrap();
        let (mut outcomes, shares, last) = (plan.outcomes(), plan.shares(), LastPartition::new());
        assert_eq!(plan.expected(cakes, &last, run).unwrap().len(), shares.len());
        for (number, items) in shares.iter().enumerate().rev().chain([(0, &shares[0])]) {
            if items.is_empty() {
                continue;
            }
            let outcome = plan.search(cakes, items.clone(), &last, run).unwrap();
            let text = serde_json::to_string(&outcome).unwrap();
            assert!(outcomes.add(serde_json::from_str(&text).unwrap()), "unit {number}");
        }
        outcomes
    }

    fn complete(iterations: &[Iteration]) -> Vec<Iteration> {
        let complete = iterations.iter().filter(|iteration| iteration.complete);
        complete.map(|iteration| Iteration { seconds: 0.0, ..iteration.clone() }).collect()
    }

    /// A known solution travels with the state and its plans. It is the answer if every shorter length is excluded, and
    /// the last bound is then not searched.
    #[test]
    fn a_known_solution_ends_a_shared_search() {
        let run = Run::new();
        for number in 0..10 {
            let cakes = Pancakes::random(number);
            let (expected, iterations) = whole(&cakes);
            let (best, optimal) = (expected.best().unwrap().clone(), expected.length().unwrap());
            let longer = [best.clone(), vec![Op::new(0); 2]].concat();
            for (known, is_optimal) in [(best, true), (longer, false)] {
                let mut state = SearchState::begin(&cakes).with_incumbent(&known);
                let (ending, found) = loop {
                    let mut many = |_: &[Iteration]| SplitPolicy { units: 5, grain: 3 };
                    let plan = match state.advance(&cakes, NAMES, None, &mut many, &run).unwrap() {
                        Advance::Units(plan) => *plan,
                        Advance::Over(ending, iterations) => break (ending, iterations),
                        Advance::Cancelled(_) => panic!("not cancelled"),
                    };
                    match plan.next(&searched(&cakes, &plan, &run)).unwrap() {
                        Next::Longer(next) => state = *next,
                        Next::Over { ending, iterations } => break (ending, iterations),
                    }
                };
                assert_eq!((ending.length(), ending.is_proved()), (Some(optimal), true));
                if is_optimal {
                    assert_eq!(ending, Ending::solved(optimal, known));
                    assert_eq!(complete(&found), complete(&iterations));
                    assert!(found.iter().all(|iteration| iteration.bound < optimal));
                }
            }
        }
    }

    /// The last bound of some search, and its outcomes without those of the units before the first solution.
    fn with_one_solution(cakes: &Pancakes, run: &Run<'_>) -> (Plan, Outcomes) {
        let mut state = SearchState::begin(cakes);
        loop {
            let mut many = |_: &[Iteration]| SplitPolicy { units: 40, grain: 3 };
            let advance = state.advance(cakes, NAMES, None, &mut many, run).unwrap();
            let Advance::Units(plan) = advance else { panic!("units") };
            let last = LastPartition::new();
            let search = |items| plan.search(cakes, items, &last, run).unwrap();
            let outcomes = plan.shares().into_iter().filter(|items| !items.is_empty()).map(search);
            let outcomes: Vec<_> = outcomes.collect();
            let solved = outcomes.iter().rposition(|outcome| !outcome.solutions.is_empty());
            if let Some(solved) = solved {
                let mut one = plan.outcomes();
                assert!(solved > 0 && one.add(outcomes[solved].clone()));
                return (*plan, one);
            }
            let mut all = plan.outcomes();
            assert!(outcomes.into_iter().all(|outcome| all.add(outcome)));
            let Some(Next::Longer(next)) = plan.next(&all) else { panic!("a longer bound") };
            state = *next;
        }
    }

    /// A solution of one unit ends a bound, and no other unit need be searched. In the order of the operators, the units
    /// before it come first.
    #[test]
    fn a_solution_of_any_unit_ends_a_bound() {
        let run = Run::new().with_threads(2);
        for number in 0..4 {
            for order in [Order::Deepest, Order::Operators] {
                let cakes = Pancakes { order, ..Pancakes::random(number) };
                let (plan, one) = with_one_solution(&cakes, &run);
                let next = plan.next(&one);
                if order == Order::Operators {
                    assert_eq!(next, None);
                    continue;
                }
                let Some(Next::Over { ending, iterations }) = next else { panic!("over") };
                let (expected, before) = whole(&cakes);
                assert_eq!((ending.length(), ending.is_proved()), (expected.length(), true));
                assert!(plan.is_solution(&cakes, ending.best().unwrap()));
                assert_eq!(complete(&iterations), complete(&before));
                assert!(!iterations.last().unwrap().complete);
            }
        }
    }

    #[test]
    fn a_plan_of_another_search_is_refused_by_name() {
        let (cakes, run) = (Pancakes::random(1), Run::new());
        let mut many = |_: &[Iteration]| SplitPolicy { units: 3, grain: 4 };
        let partition = SearchState::begin(&cakes).advance(&cakes, NAMES, None, &mut many, &run).unwrap();
        let Advance::Units(plan) = partition else { panic!("units") };
        let plan = *plan;
        assert_eq!(plan.check(&cakes), Ok(()));
        let other = Pancakes { name: "butter", ..Pancakes::random(1) };
        let refused = plan.check(&other).unwrap_err().to_string();
        assert_eq!(refused, "the units were created with heuristic gap, not butter");
        let other =
            Plan { tables: vec![TableUse { name: "a".into(), checksum: "b".into() }], ..plan.clone() };
        assert_eq!(other.check(&cakes), Err(PlanMismatch::Tables { planned: 1, here: 0 }));
        assert!(plan.check_version("test 1").is_ok());
        let refused = plan.check_version("test 2").unwrap_err().to_string();
        assert_eq!(refused, "the units were created by test 1; this is test 2");
        let other = Pancakes::random(2);
        let refused = plan.search(&other, 0..1, &LastPartition::new(), &run).unwrap_err();
        assert!(matches!(refused, UnitError::Other { .. }), "{refused}");
    }

    #[test]
    fn a_start_that_is_a_goal_and_bounds_that_are_too_great_need_no_unit() {
        let run = Run::new();
        let mut many = |_: &[Iteration]| SplitPolicy { units: 9, grain: 9 };
        let solved = Pancakes::solved();
        let over = SearchState::begin(&solved).advance(&solved, NAMES, None, &mut many, &run).unwrap();
        let Advance::Over(ending, iterations) = over else { panic!("over") };
        assert_eq!((ending, iterations.len()), (Ending::solved(0, Vec::new()), 1));
        let cakes = Pancakes::random(1);
        let least = SearchState::begin(&cakes).next_bound(&cakes);
        let over =
            SearchState::begin(&cakes).advance(&cakes, NAMES, Some(least - 1), &mut many, &run).unwrap();
        assert_eq!(over, Advance::Over(Ending::bounded(least), Vec::new()));
        run.cancel().cancel();
        let state = SearchState::begin(&cakes);
        let cancelled = state.clone().advance(&cakes, NAMES, None, &mut many, &run).unwrap();
        assert_eq!(cancelled, Advance::Cancelled(Box::new(state)));
    }
}
