//! The search over bitmaps and the library's frontier search, compared with the reference implementation.

use hanoi4::bitmap::search::{NoPruning, Pruner, Setup};
use hanoi4::bitmap::shape::Word256;
use hanoi4::goals::Goals;
use hanoi4::layer_search::{LayerReport, SearchOptions, search_layers};
use hanoi4::model::{Puzzle, State};
use hanoi4::pdb::Database;
use hanoi4::pegs::PegGroup;
use hanoi4::presumed::four_peg_length;
use hanoi4::reference;
use hanoi4::splittings::fits;
use hanoi4::tables::DatabaseId;
use hanoi4::verify::{MIN_DISCS, Threshold, default_database, verify};
use search_core::Run;
use search_core::frontier::{FrontierSearch, Options};
use search_core::storage::Budget;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Mutex;

fn search(
    discs: u32,
    small: u32,
    group: PegGroup,
    memory: u64,
    work_dir: Option<PathBuf>,
    run: &Run<'_>,
) -> LayerReport {
    let mut setup = Setup::new(discs, small, group);
    (setup.target, setup.budget) = (Some(State::all_on(3, discs)), Budget::new(memory, u64::MAX));
    let options = SearchOptions { work_dir, ..SearchOptions::default() };
    search_layers(setup, &NoPruning, &options, run).unwrap()
}

fn states(report: &LayerReport) -> Vec<u64> {
    report.layers.iter().map(|layer| layer.states).collect()
}

/// The number of orbits at each depth, counted one by one.
fn orbits(discs: u32, distances: &[u16]) -> Vec<u64> {
    let group = PegGroup::fixing(0);
    let least = |state: &State| group.canonical(*state, discs).0 == *state;
    let states = (0..1 << (2 * discs)).map(State::from_code);
    let depths: Vec<u16> = states.filter(least).map(|state| distances[state.index()]).collect();
    reference::histogram(&depths)
}

#[test]
fn counts_agree_with_the_reference_for_every_size_and_configuration() {
    let home = tempfile::tempdir().unwrap();
    for discs in 5..=10 {
        let puzzle = Puzzle::new(discs, 4).unwrap();
        let distances = reference::distances(&puzzle, [State::START]);
        let (expected, orbits) = (reference::histogram(&distances), orbits(discs, &distances));
        for threads in [1, 2] {
            let run = Run::new().with_threads(threads);
            for small in 5..=discs.min(8) {
                for symmetry in [true, false] {
                    let group = || if symmetry { PegGroup::fixing(0) } else { PegGroup::trivial() };
                    let path = home.path().join(format!("{discs}-{small}-{symmetry}-{threads}"));
                    // Spilling waits for the disk at each layer, so only one layout is spilled.
                    let spilled = (small == 5 + threads as u32).then_some((2000, Some(path)));
                    for (memory, work_dir) in [(u64::MAX, None)].into_iter().chain(spilled) {
                        let report = search(discs, small, group(), memory, work_dir, &run);
                        assert_eq!(states(&report), expected, "{discs} discs, {small} small, {symmetry}");
                        if symmetry {
                            let found: Vec<u64> = report.layers.iter().map(|layer| layer.orbits).collect();
                            assert_eq!(found, orbits, "orbits of {discs} discs");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn twelve_discs_agree_with_the_reference() {
    let home = tempfile::tempdir().unwrap();
    for discs in [11, 12] {
        let puzzle = Puzzle::new(discs, 4).unwrap();
        let expected = reference::histogram(&reference::distances(&puzzle, [State::START]));
        for threads in [1, 2] {
            let run = Run::new().with_threads(threads);
            for (name, group) in [("orbits", PegGroup::fixing(0)), ("states", PegGroup::trivial())] {
                let report = search(discs, 8, group.clone(), u64::MAX, None, &run);
                assert_eq!(states(&report), expected, "{discs} discs, {name}, {threads} threads");
                let path = home.path().join(format!("{discs}-{name}-{threads}"));
                let report = search(discs, 8, group, 50_000, Some(path), &run);
                assert_eq!(states(&report), expected, "{discs} discs, {name}, {threads} threads, spilled");
            }
        }
    }
}

#[test]
fn lengths_and_radii_to_14_discs() {
    for discs in 5..=14 {
        let report = search(discs, discs.min(8), PegGroup::fixing(0), u64::MAX, None, &Run::new());
        assert_eq!(report.goal_depth(), Some(four_peg_length(discs)));
        assert_eq!(report.depth(), four_peg_length(discs), "the radius is the length");
        assert_eq!(report.total(|layer| layer.states), 1 << (2 * discs));
    }
}

#[test]
#[ignore = "complete searches of 15 to 17 discs: about a minute"]
fn lengths_and_radii_to_17_discs() {
    for (discs, length, radius, last) in [(15, 129, 130, 588), (16, 161, 161, 6), (17, 193, 193, 6)] {
        let report = search(discs, 8, PegGroup::fixing(0), u64::MAX, None, &Run::new());
        assert_eq!(report.goal_depth(), Some(length));
        assert_eq!((report.depth(), report.layers.last().unwrap().states), (radius, last));
        assert_eq!(report.total(|layer| layer.states), 1 << (2 * discs));
    }
}

#[test]
fn the_librarys_frontier_search_agrees_on_three_and_four_pegs() {
    for (pegs, discs) in [(3, 1), (3, 8), (4, 1), (4, 3), (4, 7)] {
        let puzzle = Puzzle::new(discs, pegs).unwrap();
        let mut search = FrontierSearch::new(&puzzle, Options::in_memory(2), [State::START]).unwrap();
        let mut counts = vec![1];
        loop {
            match search.step(&Run::new()).unwrap().states {
                0 => break,
                states => counts.push(states),
            }
        }
        assert_eq!(counts, reference::histogram(&reference::distances(&puzzle, [State::START])));
    }
}

#[test]
fn many_seeds_are_searched_at_once() {
    for discs in [6, 9] {
        let puzzle = Puzzle::new(discs, 4).unwrap();
        let goals: BTreeSet<State> = Goals::Middle.states(discs).into_iter().collect();
        let expected = reference::histogram(&reference::distances(&puzzle, goals));
        let mut setup = Setup::new(discs, 5, Goals::Middle.group());
        setup.seeds = Goals::Middle.states(discs);
        let report = search_layers(setup, &NoPruning, &SearchOptions::default(), &Run::new()).unwrap();
        assert_eq!(states(&report), expected);
    }
}

#[test]
fn heuristic_search_proves_the_same_lengths_as_plain_search() {
    for discs in MIN_DISCS..=14 {
        let puzzle = Puzzle::new(discs, 4).unwrap();
        let length = match discs {
            ..=10 => {
                u32::from(reference::distances(&puzzle, [State::START])[State::all_on(3, discs).index()])
            }
            _ => four_peg_length(discs),
        };
        // Every database that fits, with 1 to 4 discs left out; and none.
        let sizes = (5..=discs.saturating_sub(5).min(9))
            .flat_map(|d| (5..=d.min(8)).map(move |small| Some((d, small))));
        for choice in sizes.chain([None]) {
            let build = |(d, small)| Database::compressed(d, small - 4, Goals::Middle, &Run::new()).unwrap();
            let database = choice.map(build);
            let options = SearchOptions::default();
            let found = [Threshold::Full, Threshold::Below].map(|threshold| {
                let budget = Budget::unlimited();
                verify(discs, threshold, database.as_ref(), budget, &options, &Run::new()).unwrap()
            });
            let lengths = found.each_ref().map(|found| found.ending.length());
            assert_eq!(lengths, [Some(length); 2], "{discs} discs, database {choice:?}");
            let goals = found.each_ref().map(|found| found.search.layers().and_then(LayerReport::goal_depth));
            assert_eq!(goals, [Some(length / 2), None], "{discs} discs, database {choice:?}");
            assert!(found[1].threshold + 1 == found[0].threshold);
        }
    }
}

#[test]
fn default_databases_fit() {
    for discs in MIN_DISCS..=31 {
        if let Some(id) = default_database(discs).map(DatabaseId::middle) {
            assert!(id.is_possible() && fits(discs - 1, id.discs, id.dropped), "{discs} discs");
        }
    }
}

/// Notes the depth at which a search first reaches each configuration of the large discs and the four
/// largest small ones, in all images under the group; 255 where it has not.
struct FirstTouch {
    large: u32,
    group: PegGroup,
    depths: Mutex<Vec<u8>>,
}

impl Pruner for FirstTouch {
    fn admits(&self, _: State, _: u32) -> bool {
        true
    }

    fn prune(&self, large: State, depth: u32, bits: &mut [Word256]) -> bool {
        let mut depths = self.depths.lock().unwrap();
        let depth = u8::try_from(depth).unwrap();
        let any = bits.iter().fold([0; 4], |any, unit| std::array::from_fn(|word| any[word] | unit[word]));
        for at in (0..256).filter(|at| any[at / 64] >> (at % 64) & 1 == 1) {
            let kept = large.with_smaller(State::from_code(at as u64), 4);
            for perm in self.group.perms() {
                let entry = &mut depths[perm.state(kept, self.large + 4).index()];
                *entry = depth.min(*entry);
            }
        }
        false
    }
}

/// The values of the database that leaves out the `dropped` smallest discs, by a complete search, layer by
/// layer: the reference implementation.
fn by_layers(discs: u32, dropped: u32, goals: Goals) -> Vec<u8> {
    let (small, group) = (dropped + 4, goals.group());
    let mut depths = vec![255; 1 << (2 * (discs - dropped))];
    goals.states(discs).iter().for_each(|goal| depths[goal.above(dropped).index()] = 0);
    let first = FirstTouch { large: discs - small, group: group.clone(), depths: Mutex::new(depths) };
    let mut setup = Setup::new(discs, small, group);
    setup.seeds = goals.states(discs);
    search_layers(setup, &first, &SearchOptions::default(), &Run::new()).unwrap();
    first.depths.into_inner().unwrap()
}

#[test]
fn databases_do_not_depend_on_the_threads_and_equal_the_reference() {
    for goals in [Goals::Middle, Goals::Peg(3), Goals::Peg(0)] {
        for (discs, dropped) in [(5, 1), (6, 1), (8, 2), (8, 3), (8, 4), (9, 3)] {
            let database = Database::compressed(discs, dropped, goals, &Run::new()).unwrap();
            let expected = by_layers(discs, dropped, goals);
            assert!(database.values() == expected, "{discs} discs, {dropped} dropped");
            let complete = Database::complete(discs, goals);
            let least =
                complete.values().chunks(1 << (2 * dropped)).map(|chunk| *chunk.iter().min().unwrap());
            assert!(expected.into_iter().eq(least), "{discs} discs, {dropped} dropped");
        }
    }
    let build =
        |threads| Database::compressed(13, 4, Goals::Middle, &Run::new().with_threads(threads)).unwrap();
    let (one, two) = (build(1), build(2));
    assert!(one.values() == two.values());
    assert!(one.values() == by_layers(13, 4, Goals::Middle));
}

#[test]
#[ignore = "databases of 15 and 16 discs by the reference implementation: about 10 s"]
fn big_databases_equal_the_reference() {
    for (discs, dropped) in [(15, 3), (16, 4)] {
        let database = Database::compressed(discs, dropped, Goals::Middle, &Run::new()).unwrap();
        assert!(database.values() == by_layers(discs, dropped, Goals::Middle), "{discs} discs");
    }
}
