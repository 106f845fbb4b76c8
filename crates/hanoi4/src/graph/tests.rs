//! The search against a naive one, and against published terms.

use super::*;
use crate::presumed::Presumed;
use std::collections::HashMap;

/// One peg per disc, the smallest first.
type Discs = Vec<u8>;

/// For each state, its distance from all discs on a peg and the number of shortest paths to it, computed state by state
/// from the rule alone: the top disc of a peg moves along an edge to a peg whose top disc is larger. Numbers that do
/// not fit 64 bits are given as `u64::MAX`.
fn naive(graph: &PegGraph, discs: u32, from: u32) -> HashMap<Discs, (u32, u64)> {
    let start: Discs = vec![from as u8; discs as usize];
    let mut found = HashMap::from([(start.clone(), (0, 1u64))]);
    let (mut layer, mut depth) = (vec![start], 0);
    while !layer.is_empty() {
        depth += 1;
        let mut next = Vec::new();
        for state in layer {
            let paths = found[&state].1;
            for &(a, b) in graph.edges() {
                let top = |peg: u32| state.iter().position(|&on| u32::from(on) == peg);
                let Some(disc) = top(a).filter(|&disc| top(b).is_none_or(|other| disc < other)) else {
                    continue;
                };
                let mut child = state.clone();
                child[disc] = b as u8;
                let known = found.entry(child.clone()).or_insert((depth, 0));
                if known.0 == depth {
                    if known.1 == 0 {
                        next.push(child);
                    }
                    known.1 = known.1.saturating_add(paths);
                }
            }
        }
        layer = next;
    }
    found
}

/// The expected report of [`explore`], from the naive search; without numbers of paths if one of them does
/// not fit.
fn expected(graph: &PegGraph, discs: u32, from: u32) -> (Vec<u64>, Vec<Option<Reached>>, bool) {
    let found = naive(graph, discs, from);
    let mut layers = Vec::new();
    for &(depth, _) in found.values() {
        layers.resize(layers.len().max(depth as usize + 1), 0);
        layers[depth as usize] += 1;
    }
    let fits = found.values().all(|&(_, paths)| paths < u64::MAX);
    let reached = |&(length, paths): &(u32, u64)| Reached { length, paths: fits.then_some(paths) };
    let perfect = (0..graph.pegs()).map(|peg| found.get(&vec![peg as u8; discs as usize]).map(reached));
    (layers, perfect.collect(), fits)
}

/// Graphs with one-way edges, cycles, pendant pegs, no symmetry; the last cannot move everything.
const ODD_GRAPHS: [(&str, u32); 10] = [
    ("0-1,1>2,2>0", 3),
    ("0-1,1>2", 3),
    ("0-1,1-2,0-2,2-3", 4),
    ("0-1,1-2,2-3,3-0", 4),
    ("0>1,1>2,2>3,3>0,0-2", 4),
    ("0-1,2-3", 4),
    ("0-1,1-2,2-3,3-4,4-0", 5),
    ("0>1,1>2,2>0,2-3,3>4,4>2", 5),
    ("0-1,1-2,2-0,3-4,4-5,5-3,0-3", 6),
    ("1>0,2-3", 4),
];

/// Compares searches from the first `starts` pegs with the naive one.
fn check(name: &str, pegs: u32, discs: u32, starts: u32, run: &Run<'_>) {
    let graph = PegGraph::parse(name, pegs).unwrap();
    for from in 0..starts.min(pegs) {
        let (layers, perfect, paths) = expected(&graph, discs, from);
        for word_discs in [None, Some(1)] {
            let task = GraphTask { graph: &graph, discs, from, word_discs };
            let limits = GraphLimits { paths, ..GraphLimits::default() };
            for report in [explore_in::<u64>(&task, &limits, run), explore_in::<u128>(&task, &limits, run)] {
                let report = report.unwrap();
                let case = format!("{name}, {pegs} pegs, {discs} discs from {from}, {word_discs:?}");
                assert_eq!(report.layers, layers, "{case}");
                assert_eq!(report.perfect, perfect, "{case}");
                assert!(report.exhausted);
            }
            if !paths {
                let all = GraphLimits { paths: true, ..limits };
                assert!(matches!(explore(&task, &all, run), Err(SearchError::Overflow)));
            }
        }
    }
}

#[test]
fn every_graph_agrees_with_a_naive_search() {
    let run = Run::new();
    for pegs in PEGS {
        let (all, one) = [(5, 7), (5, 6), (4, 5), (3, 5)][pegs as usize - 3];
        let odd = ODD_GRAPHS.iter().filter(|graph| graph.1 == pegs).map(|graph| graph.0);
        for name in PegGraph::NAMES.into_iter().chain(odd) {
            (1..=all).for_each(|discs| check(name, pegs, discs, pegs, &run));
            (all + 1..=one).for_each(|discs| check(name, pegs, discs, 1, &run));
        }
    }
}

#[test]
#[ignore = "a quarter of a minute: the naive search of 8 discs on 3 and 4 pegs, 7 on 5 pegs, 6 on 6 pegs"]
fn large_sizes_agree_with_a_naive_search() {
    for pegs in PEGS {
        let most = [8, 8, 7, 6][pegs as usize - 3];
        let odd = ODD_GRAPHS.iter().filter(|graph| graph.1 == pegs).map(|graph| graph.0);
        for name in PegGraph::NAMES.into_iter().chain(odd) {
            check(name, pegs, most, 2, &Run::new());
        }
    }
}

/// The published terms; see the file for their sources.
pub(super) fn known_terms() -> Vec<(String, String, u32, u32, Vec<u64>)> {
    include_str!("../../../../fixtures/hanoi/peg-graphs.csv")
        .lines()
        .filter(|line| !line.starts_with('#') && !line.starts_with("sequence,"))
        .map(|line| {
            let fields: Vec<&str> = line.split(',').collect();
            let terms = fields[4].split(' ').map(|term| term.parse().unwrap()).collect();
            let peg = |at: usize| fields[at].parse().unwrap();
            (fields[0].to_owned(), fields[1].to_owned(), peg(2), peg(3), terms)
        })
        .collect()
}

/// Compares the terms with up to `most` discs.
fn check_terms(most: usize) {
    let run = Run::new();
    for (sequence, name, from, to, terms) in known_terms() {
        let graph = PegGraph::parse(&name, 4).unwrap();
        for (term, discs) in terms.into_iter().zip(1..).take(most) {
            let task = GraphTask { graph: &graph, discs, from, word_discs: None };
            let limits = GraphLimits { to: Some(to), paths: sequence == "A143807", ..GraphLimits::default() };
            let reached = explore(&task, &limits, &run).unwrap().perfect[to as usize].unwrap();
            let found = reached.paths.unwrap_or(u64::from(reached.length));
            assert_eq!(found, term, "{sequence}, {discs} discs");
        }
    }
}

#[test]
fn the_first_published_terms_are_reproduced() {
    check_terms(10);
}

#[test]
#[ignore = "seconds, or a minute where the machine is busy: published terms of 11 and 12 discs"]
fn further_published_terms_are_reproduced() {
    check_terms(12);
}

#[test]
fn half_depth_search_finds_the_same_lengths_and_counts() {
    let run = Run::new();
    for pegs in PEGS {
        let graph = PegGraph::parse("complete", pegs).unwrap();
        for discs in 1..=[9, 9, 7, 6][pegs as usize - 3] {
            let presumed = Presumed::new(discs, pegs).length(discs);
            for (from, to) in [(0, pegs - 1), (2, 1)] {
                let task = GraphTask { graph: &graph, discs, from, word_discs: None };
                let limits = GraphLimits { paths: true, ..GraphLimits::default() };
                let whole = explore(&task, &limits, &run).unwrap().perfect[to as usize].unwrap();
                let half = half_depth_sorted(&task, &run).unwrap();
                assert_eq!(u128::from(half.length), presumed, "{pegs} pegs, {discs} discs");
                assert_eq!(half.length, whole.length);
                assert_eq!(half.paths, whole.paths.map(u128::from), "{pegs} pegs, {discs} discs");
                for big in 1..discs.saturating_sub(1) {
                    let pruned = half_depth_pruned(&task, big, true, &run).unwrap();
                    let case = format!("{pegs} pegs, {discs} discs, {big} in the database");
                    assert_eq!((pruned.length, pruned.paths), (half.length, half.paths), "{case}");
                    assert!(pruned.states <= half.states);
                }
            }
        }
    }
}

/// Compares the new terms with up to `most` discs, with databases and without.
fn check_new_terms(most: u32) {
    let graph = PegGraph::parse("complete", 4).unwrap();
    let file = include_str!("../../../../fixtures/hanoi/shortest-paths.csv");
    let rows = file.lines().filter(|line| line.starts_with(|digit: char| digit.is_ascii_digit()));
    let mut checked = 0;
    for row in rows {
        let fields: Vec<u128> = row.split(',').map(|field| field.parse().unwrap()).collect();
        let discs = fields[0] as u32;
        if discs > most {
            continue;
        }
        let task = GraphTask { graph: &graph, discs, from: 0, word_discs: Some(discs % 5 + 1) };
        let sorted = half_depth_sorted(&task, &Run::new()).unwrap();
        let pruned = half_depth_pruned(&task, pruning_database(discs), true, &Run::new()).unwrap();
        assert_eq!((u128::from(sorted.length), sorted.paths), (fields[1], Some(fields[2])));
        assert_eq!((pruned.length, pruned.paths), (sorted.length, sorted.paths));
        checked += 1;
    }
    assert_eq!(checked, most - 11);
}

#[test]
fn new_terms_are_found_with_and_without_databases() {
    check_new_terms(12);
}

#[test]
#[ignore = "minutes"]
fn further_new_terms_are_found_with_and_without_databases() {
    check_new_terms(15);
}

#[test]
fn distances_use_the_symmetry_of_the_graph() {
    let run = Run::new();
    for (name, pegs, discs, searches) in [
        ("complete", 5, 5, 1),
        ("linear", 4, 6, 2),
        ("cyclic", 4, 6, 1),
        ("star", 4, 6, 2),
        ("0-1,1>2", 3, 3, 3),
    ] {
        let graph = PegGraph::parse(name, pegs).unwrap();
        let found = distances(&graph, discs, &run).unwrap();
        assert_eq!(found.searches, searches, "{name}");
        for from in 0..pegs {
            let (layers, perfect, _) = expected(&graph, discs, from);
            let lengths: Vec<Option<u32>> =
                perfect.iter().map(|reached| reached.map(|reached| reached.length)).collect();
            assert_eq!(found.lengths[from as usize], lengths, "{name} from {from}");
            assert_eq!(found.radii[from as usize] as usize, layers.len() - 1);
        }
    }
}

#[test]
fn limits_end_a_search_and_threads_do_not_change_it() {
    let graph = PegGraph::parse("linear", 4).unwrap();
    let task = GraphTask { graph: &graph, discs: 9, from: 0, word_discs: Some(2) };
    let limits = GraphLimits { to: Some(3), ..GraphLimits::default() };
    let report = explore(&task, &limits, &Run::new().with_threads(3)).unwrap();
    assert_eq!(report, explore(&task, &limits, &Run::new().with_threads(1)).unwrap());
    assert_eq!((report.depth(), report.exhausted), (253, false));
    let limits = GraphLimits { max_depth: Some(7), ..limits };
    let report = explore(&task, &limits, &Run::new()).unwrap();
    assert_eq!((report.depth(), report.layers.len(), report.perfect[3]), (7, 8, None));
}

#[test]
fn memory_is_checked_before_it_is_taken() {
    for (pegs, discs) in [(4, 9), (6, 31), (3, 12)] {
        let graph = PegGraph::parse("complete", pegs).unwrap();
        let task = GraphTask { graph: &graph, discs, from: 0, word_discs: None };
        let run = Run::new().with_memory(1000);
        let Err(SearchError::Budget { need, .. }) = explore(&task, &GraphLimits::default(), &run) else {
            panic!("{discs} discs do not fit 1000 bytes");
        };
        if discs < 20 {
            let enough = Run::new().with_memory(need as u64);
            assert_eq!(u128::from(explore(&task, &GraphLimits::default(), &enough).unwrap().bytes), need);
        }
    }
}

#[test]
fn a_cancelled_search_stops() {
    let graph = PegGraph::parse("star", 4).unwrap();
    let task = GraphTask { graph: &graph, discs: 8, from: 0, word_discs: None };
    let run = Run::new();
    run.cancel().cancel();
    assert!(matches!(explore(&task, &GraphLimits::default(), &run), Err(SearchError::Cancelled(_))));
}
