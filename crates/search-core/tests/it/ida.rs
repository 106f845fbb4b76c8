//! IDA* on the pancake puzzle against exact breadth-first distances: every kernel, number of
//! threads and automaton gives the same lengths, and complete iterations the same counts.

use search_core::ida::{Checkpoints, Config, Kernel, Order, SearchState, Wanted, search};
use search_core::testing::{self, gaps, half_gaps};
use search_core::{Automaton, Cancel, Domain, Ending, Heuristic, Op, Report, Run};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

pub(crate) const N: usize = 7;

pub(crate) type Stack = [u8; N];
pub(crate) type Pancakes = testing::Pancakes<N>;

pub(crate) const SORTED: Stack = [0, 1, 2, 3, 4, 5, 6];

pub(crate) fn zero(_: &Stack) -> u8 {
    0
}

pub(crate) fn never_twice() -> Automaton {
    Pancakes::never_twice()
}

pub(crate) fn distances() -> HashMap<Stack, u32> {
    let mut known = HashMap::from([(SORTED, 0)]);
    let mut queue = std::collections::VecDeque::from([SORTED]);
    while let Some(state) = queue.pop_front() {
        let depth = known[&state] + 1;
        for op in 0..N - 1 {
            let child = testing::Pancakes.apply(&state, Op::new(op));
            if let std::collections::hash_map::Entry::Vacant(entry) = known.entry(child) {
                entry.insert(depth);
                queue.push_back(child);
            }
        }
    }
    known
}

pub(crate) fn solve<H: Heuristic<Pancakes>>(
    heuristic: &H,
    automaton: &Automaton,
    start: &Stack,
    (run, config): &(Run<'_>, Config),
) -> Report<Vec<Op>> {
    search(&testing::Pancakes, heuristic, automaton, start, config, run)
}

pub(crate) fn replay(start: &Stack, path: &[Op]) -> Stack {
    path.iter().fold(*start, |state, op| testing::Pancakes.apply(&state, *op))
}

/// Every kernel on one, two and three threads.
pub(crate) fn configs() -> Vec<(Run<'static>, Config)> {
    let kernels = [Kernel::DepthFirst, Kernel::Interleaved { lanes: 1 }, Kernel::Interleaved { lanes: 5 }];
    let on = |kernel, threads| (Run::new().with_threads(threads), Config::default().kernel(kernel));
    kernels.iter().flat_map(|&kernel| [1, 2, 3].map(|threads| on(kernel, threads))).collect()
}

#[test]
fn every_configuration_finds_the_exact_length_and_the_same_solution() {
    let distances = distances();
    assert_eq!(distances.len(), 5040);
    let mut states: Vec<_> = distances.iter().collect();
    states.sort();
    for (start, &exact) in states.into_iter().step_by(83) {
        let reference = solve(&gaps, &never_twice(), start, &configs()[0]);
        for config in configs() {
            let report = solve(&gaps, &never_twice(), start, &config);
            let Ending::Optimal { length, solutions, .. } = &report.ending else { panic!("{report:?}") };
            assert_eq!((*length, solutions.len()), (exact, 1));
            assert_eq!(replay(start, &solutions[0]), SORTED);
            assert_eq!(report.ending, reference.ending);
            let complete = report.iterations.iter().filter(|i| i.complete);
            for (ours, theirs) in complete.zip(&reference.iterations) {
                assert_eq!((ours.generated, ours.expanded), (theirs.generated, theirs.expanded));
                assert_eq!(ours.pruned_by_heuristic, theirs.pruned_by_heuristic);
                assert_eq!(ours.stages, theirs.stages);
            }
        }
    }
}

/// A search that gives up before a large iteration, and one that begins there, are the whole search.
#[test]
fn a_search_gives_up_before_a_bound_with_too_many_nodes() {
    let distances = distances();
    let mut states: Vec<_> = distances.iter().collect();
    states.sort();
    let mut handed_over = 0;
    for (start, _) in states.into_iter().step_by(83) {
        for (run, config) in configs() {
            let config = config.order(Order::Operators);
            let whole = solve(&zero, &never_twice(), start, &(run.clone(), config.clone()));
            let most_nodes = Some(500);
            let first = config.clone().most_nodes(most_nodes);
            let first = solve(&zero, &never_twice(), start, &(run.clone(), first));
            let Ending::Bounded { lower_bound, .. } = first.ending else {
                assert_eq!(first.ending, whole.ending);
                continue;
            };
            handed_over += 1;
            let next = config.min_bound(lower_bound);
            let next = solve(&gaps, &never_twice(), start, &(run, next));
            assert_eq!(next.ending.length(), whole.ending.length());
            assert!(next.iterations.iter().all(|one| one.bound >= lower_bound));
            let [.., before, last] = &first.iterations[..] else { panic!("two to judge by") };
            assert!(last.generated * last.generated > 500 * before.generated);
            assert!(first.iterations.iter().all(|one| one.generated <= 500 * 6));
        }
    }
    assert!(handed_over > 100, "{handed_over}");
}

/// Branches that were entered deeply first: the same lengths and complete iterations as in plain order, whatever
/// the kernel and the threads the same solution, and mostly a shorter last iteration.
#[test]
fn the_order_of_branches_loses_no_length_and_depends_on_no_threads() {
    let distances = distances();
    let mut states: Vec<_> = distances.iter().collect();
    states.sort();
    let complete = |report: &Report<Vec<Op>>| {
        let complete = report.iterations.iter().filter(|i| i.complete);
        complete.map(|i| (i.bound, i.generated, i.expanded)).collect::<Vec<_>>()
    };
    let (mut ordered, mut unordered) = (0, 0);
    for (start, &exact) in states.into_iter().step_by(83).filter(|(_, exact)| **exact > 5) {
        let with = |(run, config): (Run<'static>, Config), order| {
            let report = solve(&half_gaps, &never_twice(), start, &(run, config.order(order)));
            let Ending::Optimal { length, solutions, .. } = &report.ending else { panic!("{report:?}") };
            assert_eq!((*length, replay(start, &solutions[0])), (exact, SORTED));
            report
        };
        let plain = with(configs()[0].clone(), Order::Operators);
        let first = with(configs()[0].clone(), Order::Deepest);
        for config in configs() {
            let other = with(config, Order::Deepest);
            assert_eq!((&other.ending, complete(&other)), (&first.ending, complete(&plain)), "{start:?}");
        }
        let last = |report: &Report<Vec<Op>>| report.iterations.last().map_or(0, |last| last.generated);
        (ordered, unordered) = (ordered + last(&first), unordered + last(&plain));
    }
    assert!(ordered < unordered, "{ordered} nodes of last iterations instead of {unordered}");
}

#[test]
fn a_full_last_iteration_counts_the_same_on_every_number_of_threads_and_subtrees() {
    let start = [4, 6, 2, 5, 0, 3, 1];
    let mut counts = Vec::new();
    let subtrees = [None, Some(0), Some(1), Some(7)];
    for ((run, config), subtrees) in
        configs().into_iter().flat_map(|config| subtrees.map(|subtrees| (config.clone(), subtrees)))
    {
        let config = config.full_last_iteration(true).subtrees(subtrees);
        let report = solve(&zero, &never_twice(), &start, &(run, config));
        assert!(report.iterations.iter().all(|i| i.complete));
        assert!(matches!(report.ending, Ending::Optimal { .. }), "{report:?}");
        counts.push(report.iterations.iter().map(|i| (i.generated, i.expanded)).collect::<Vec<_>>());
    }
    assert!(counts.windows(2).all(|pair| pair[0] == pair[1]));
}

/// All solutions up to two moves longer, against plain enumeration of every string that the
/// automaton allows and that passes no goal on its way.
#[test]
fn all_solutions_are_found_once_each() {
    fn enumerate(state: Stack, left: u32, last: Option<usize>, path: &mut Vec<Op>, out: &mut Vec<Vec<Op>>) {
        if state == SORTED {
            if left == 0 {
                out.push(path.clone());
            }
            return;
        }
        for op in (0..N - 1).filter(|op| left > 0 && Some(*op) != last) {
            path.push(Op::new(op));
            enumerate(testing::Pancakes.apply(&state, Op::new(op)), left - 1, Some(op), path, out);
            path.pop();
        }
    }
    let start = [2, 0, 1, 4, 3, 5, 6];
    let mut expected = Vec::new();
    let exact = (0..).find(|&left| {
        enumerate(start, left, None, &mut Vec::new(), &mut expected);
        !expected.is_empty()
    });
    for left in [1, 2].map(|more| exact.unwrap() + more) {
        enumerate(start, left, None, &mut Vec::new(), &mut expected);
    }
    for mut config in configs() {
        config.1.wanted = Wanted::All { extra: 2 };
        let Ending::Optimal { solutions, complete: true, .. } =
            solve(&gaps, &never_twice(), &start, &config).ending
        else {
            panic!()
        };
        assert_eq!(solutions, expected);
    }
}

#[test]
fn limits_cancellation_and_solved_starts_end_a_search() {
    let start = [4, 6, 2, 5, 0, 3, 1];
    let bounded = (Run::new(), Config::default().max_bound(4));
    let report = solve(&gaps, &never_twice(), &start, &bounded);
    assert!(matches!(report.ending, Ending::Bounded { lower_bound: 5.., .. }), "{report:?}");
    assert!(report.iterations.iter().all(|i| i.bound <= 4));

    let late = (Run::new().with_deadline(Instant::now()), Config::default());
    let report = solve(&gaps, &never_twice(), &start, &late);
    assert!(matches!(report.ending, Ending::Cancelled { .. }));

    for wanted in [Wanted::First, Wanted::All { extra: 3 }] {
        let config = (Run::new(), Config::default().wanted(wanted));
        let report = solve(&gaps, &never_twice(), &SORTED, &config);
        let Ending::Optimal { length: 0, solutions, .. } = report.ending else { panic!("{report:?}") };
        assert_eq!(solutions, [vec![]]);
    }
}

#[test]
fn lengths_beyond_the_range_of_numbers_are_limited_by_the_bound() {
    let wanted = Wanted::All { extra: u32::MAX };
    let config = (Run::new(), Config::default().wanted(wanted).max_bound(3));
    let report = solve(&gaps, &never_twice(), &[1, 0, 2, 3, 4, 5, 6], &config);
    let Ending::Optimal { length: 1, solutions, .. } = report.ending else { panic!("{report:?}") };
    assert_eq!(solutions[0].len(), 1);
}

/// A goal that cannot be reached is noticed once nothing is cut any more.
#[test]
fn an_exhausted_space_is_reported() {
    let stuck =
        Automaton::from_rule(N - 1, 3, |state, op| (state < 2 && op.index() < 2).then_some(state + 1));
    let report = solve(&zero, &stuck, &[6, 5, 4, 3, 2, 1, 0], &(Run::new(), Config::default()));
    assert_eq!(report.ending, Ending::Exhausted);
}

/// Keeps the last checkpoint as text, and stops the search after some.
#[derive(Debug)]
pub(crate) struct Stopping {
    pub text: Mutex<Option<String>>,
    /// Checkpoints until the search is stopped.
    pub left: Mutex<usize>,
    pub cancel: Cancel,
}

impl Checkpoints for Stopping {
    fn resume(&self) -> Option<SearchState> {
        self.text.lock().unwrap().as_ref().map(|text| serde_json::from_str(text).unwrap())
    }
    fn pause(&self) -> Duration {
        Duration::ZERO
    }
    fn keep(&self, state: &SearchState) {
        *self.text.lock().unwrap() = Some(serde_json::to_string(state).unwrap());
        let mut left = self.left.lock().unwrap();
        *left = left.saturating_sub(1);
        if *left == 0 {
            self.cancel.cancel();
        }
    }
}

/// The part of a report that does not depend on threads or time: the ending, and each complete bound with its counts.
type Lasting = (Ending<Vec<Op>>, Vec<(u32, [u64; 4])>);

fn lasting(report: &Report<Vec<Op>>) -> Lasting {
    let complete = report.iterations.iter().filter(|iteration| iteration.complete);
    let counts =
        complete.map(|i| (i.bound, [i.generated, i.expanded, i.pruned_by_heuristic, i.pruned_by_fsm]));
    (report.ending.clone(), counts.collect())
}

/// Searches are stopped after one, two, three … checkpoints and continued with other kernels and threads:
/// the answer and the counts are those of a search that was never stopped.
#[test]
fn a_search_resumes_from_any_checkpoint() {
    let mut states: Vec<_> = distances().into_iter().filter(|(_, distance)| *distance > 4).collect();
    states.sort_unstable();
    let wanted = [Wanted::First, Wanted::All { extra: 1 }];
    let kinds =
        wanted.into_iter().flat_map(|wanted| [Order::Operators, Order::Deepest].map(|order| (wanted, order)));
    let mut continued = 0;
    for (kind, (start, _)) in kinds.cycle().zip(states.into_iter().step_by(199)) {
        let (wanted, order) = kind;
        let configs: Vec<_> =
            configs().into_iter().map(|(run, config)| (run, config.wanted(wanted).order(order))).collect();
        let whole = lasting(&solve(&half_gaps, &never_twice(), &start, &configs[0]));
        let mut text = None;
        for (stop, (run, config)) in
            (1..).step_by(if order == Order::Deepest { 1 } else { 3 }).zip(configs.into_iter().cycle())
        {
            let cancel = Cancel::new();
            let (text_now, left) = (Mutex::new(text.take()), Mutex::new(stop));
            let kept = Arc::new(Stopping { text: text_now, left, cancel: cancel.clone() });
            let config = config.checkpoints(Some(kept.clone()));
            let report = solve(&half_gaps, &never_twice(), &start, &(run.with_cancel(&cancel), config));
            if !cancel.is_interrupted() {
                assert_eq!(lasting(&report), whole, "{start:?} {kind:?}");
                break;
            }
            continued += 1;
            text = kept.text.lock().unwrap().take();
        }
    }
    assert!(continued > 100, "{continued}");
}

/// A checkpoint with nonsense in it is not continued from, and no nonsense in it panics.
#[test]
fn a_damaged_checkpoint_is_not_resumed() {
    let start = [4, 6, 2, 5, 0, 3, 1];
    let whole = lasting(&solve(&half_gaps, &never_twice(), &start, &configs()[0]));
    let keep = |text: Option<String>, stop: usize| {
        let cancel = Cancel::new();
        let kept = Stopping { text: Mutex::new(text), left: Mutex::new(stop), cancel: cancel.clone() };
        let kept = Arc::new(kept);
        let config = Config::default().checkpoints(Some(kept.clone()));
        let report = solve(&half_gaps, &never_twice(), &start, &(Run::new().with_cancel(&cancel), config));
        (report, kept.text.lock().unwrap().take())
    };
    let text = keep(None, 9).1.expect("a checkpoint");
    for (sound, damaged) in [
        ("\"bound\":", "\"bound\":1"),
        ("\"end\":", "\"end\":9999"),
        ("\"subtrees\":", "\"subtrees\":3"),
        ("\"is_solved\":false", "\"is_solved\":true"),
    ] {
        let text = text.replace(sound, damaged);
        assert!(text.contains(damaged), "{text}");
        let ending = keep(Some(text), usize::MAX).0.ending;
        assert!(damaged.contains("bound") || ending == whole.0, "{damaged}");
    }
}
