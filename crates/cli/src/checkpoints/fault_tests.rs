//! A search whose checkpoints are on a disk that fails at one call, for each call in turn.

use super::*;
use search_core::ida::{self, Config, Wanted};
use search_core::record::Method;
use search_core::storage::fault::{Disk, Fault};
use search_core::testing::Pancakes;
use search_core::{Automaton, Ending, Op, Report, Run};

type Stack = [u8; 5];

/// Half of the neighbours that differ by more than one.
fn half_gaps(stack: &Stack) -> u8 {
    stack.windows(2).filter(|pair| pair[0].abs_diff(pair[1]) > 1).count() as u8 / 2
}

/// An answer, and each bound with its counts.
type Outcome = (Ending<Vec<Op>>, Vec<(u32, u64, u64)>);

/// The part of a report that must not depend on faults: the answer, and each iteration without its time.
fn outcome(report: Report<Vec<Op>>) -> Outcome {
    let of = |iteration: &search_core::record::Iteration| {
        (iteration.bound, iteration.generated, iteration.expanded)
    };
    (report.ending, report.iterations.iter().map(of).collect())
}

/// Whichever call fails, the search returns its answer, and so does a search that continues from the files that remain.
#[test]
fn a_search_survives_a_fault_at_any_call() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("tables");
    let disk = Disk::new(&folder);
    let session = Session::build(&crate::CommonArgs { quiet: true, ..Default::default() }).unwrap();
    let session = session.with_state(&folder);
    let args = CheckpointArgs { checkpoint_every: Duration::ZERO, fresh: false };
    let solve = || {
        let file = session.search_file(&args, "pancakes", &Method::default(), "all");
        let checkpoints: Option<Arc<dyn Checkpoints>> = Some(file);
        let config = Config::default().checkpoints(checkpoints).wanted(Wanted::All { extra: 0 });
        let run = Run::new().with_threads(1);
        let automaton = Automaton::unrestricted(4);
        outcome(ida::search(&Pancakes, &half_gaps, &automaton, &[3, 0, 2, 4, 1], &config, &run))
    };
    let forget = || _ = std::fs::remove_dir_all(&folder);
    forget();
    let plain = solve();
    assert!(matches!(&plain.0, Ending::Optimal { solutions, .. } if solutions.len() > 1), "{plain:?}");
    let (calls, _) = disk.arm(None);
    assert!((50..500).contains(&calls), "{calls} calls");
    let failing = (0..calls).flat_map(|at| {
        let error = Fault::Error(if at % 2 == 0 { 5 } else { 28 });
        [(at, error), (at, Fault::Crash(at as u64)), (at, Fault::Crash(1000 + at as u64))]
    });
    let mut cases = 0;
    for (at, fault) in failing.chain((0..4).map(|seed| (0, Fault::Short(seed)))) {
        cases += 1;
        forget();
        disk.arm(Some((at, fault)));
        assert_eq!(solve(), plain, "call {at}, {fault:?}");
        disk.arm(None);
        assert_eq!(solve(), plain, "after call {at}, {fault:?}");
    }
    // The last checkpoint is read with a changed byte.
    for seed in 0..64 {
        disk.arm(Some((0, Fault::Flip(seed))));
        assert_eq!(solve(), plain, "flip {seed}");
    }
    println!("{cases} cases of {calls} calls");
}
