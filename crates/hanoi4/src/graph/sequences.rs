//! The files of integer sequences for the On-Line Encyclopedia, against published and recorded terms.

use super::tests::known_terms;
use super::{GraphTask, PegGraph, half_depth_pruned, pruning_database};
use crate::model::{Puzzle, State};
use crate::reference;
use search_core::Run;

/// The numbers of a text's lines that begin with a digit, separated by `separator`.
fn numbers(text: &str, separator: char) -> Vec<Vec<u128>> {
    let lines = text.lines().filter(|line| line.starts_with(|digit: char| digit.is_ascii_digit()));
    lines.map(|line| line.split(separator).map(|number| number.parse().unwrap()).collect()).collect()
}

/// Checks that a file has the terms from `first` on without gaps, and returns them.
fn terms(file: &str, first: u128) -> Vec<u128> {
    let lines = numbers(file, ' ');
    assert!(lines.iter().map(|line| line[0]).eq((first..).take(lines.len())), "{file}");
    lines.iter().map(|line| line[1]).collect()
}

#[test]
fn files_of_sequences_have_the_published_terms_and_the_recorded_ones() {
    let files = [
        (
            "A143807",
            include_str!("../../../../fixtures/hanoi/sequences/b143807.txt"),
            include_str!("../../../../fixtures/hanoi/shortest-paths.csv"),
        ),
        (
            "A291877",
            include_str!("../../../../fixtures/hanoi/sequences/b291877.txt"),
            include_str!("../../../../fixtures/hanoi/star.csv"),
        ),
    ];
    for (sequence, file, recorded) in files {
        let published = known_terms().into_iter().find(|known| known.0 == sequence).unwrap().4;
        let recorded = numbers(recorded, ',').into_iter().map(|row| *row.last().unwrap());
        let expected = published.into_iter().map(u128::from).chain(recorded);
        assert!(terms(file, 1).into_iter().eq(expected), "{sequence}");
    }
}

/// The greatest distance from all discs on a peg: by the reference search up to 9 discs, from there by recorded searches.
#[test]
fn greatest_distances_are_those_of_searches() {
    let terms = terms(include_str!("../../../../fixtures/hanoi/sequences/b382111.txt"), 0);
    for discs in 1..=9 {
        let distances = reference::distances(&Puzzle::new(discs, 4).unwrap(), [State::START]);
        assert_eq!(u128::from(*distances.iter().max().unwrap()), terms[discs as usize], "{discs} discs");
    }
    for row in numbers(include_str!("../../../../fixtures/hanoi/known-counts.csv"), ',') {
        assert_eq!(row[2], terms[row[0] as usize], "{} discs", row[0]);
    }
    let complete = [
        (20, include_str!("../../../../fixtures/hanoi/complete-20.csv")),
        (21, include_str!("../../../../fixtures/hanoi/complete-21.csv")),
        (22, include_str!("../../../../fixtures/hanoi/complete-22.csv")),
        (23, include_str!("../../../../fixtures/hanoi/complete-23.csv")),
    ];
    for (discs, file) in complete {
        let rows = numbers(file, ',');
        assert_eq!(rows.last().unwrap()[0], terms[discs], "{discs} discs");
        assert_eq!(rows.iter().map(|row| row[1]).sum::<u128>(), 1 << (2 * discs), "{discs} discs");
    }
    assert_eq!(terms.len(), 24);
}

#[test]
fn numbers_of_shortest_paths_on_five_pegs_are_found_again() {
    let graph = PegGraph::parse("complete", 5).unwrap();
    let rows = numbers(include_str!("../../../../fixtures/hanoi/five-pegs.csv"), ',');
    for row in rows.iter().filter(|row| row[0] <= 14) {
        let discs = row[0] as u32;
        let task = GraphTask { graph: &graph, discs, from: 0, word_discs: None };
        let found = half_depth_pruned(&task, pruning_database(discs), true, &Run::new()).unwrap();
        assert_eq!((u128::from(found.length), found.paths), (row[1], Some(row[2])), "{discs} discs");
    }
    assert!(rows.len() > 5);
}
