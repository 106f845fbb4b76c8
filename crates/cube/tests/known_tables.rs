//! The distributions of the paper's tables against known counts.

use cube::Metric;
use cube::patterns::{Corners, Coset, Edges, edges};
use search_core::pdb::{FillOptions, PatternSpace, fill};
use search_core::{Cancel, Silent};
use std::time::Instant;

fn distances(space: &impl PatternSpace) -> (Vec<u64>, f64) {
    let begun = Instant::now();
    let filled = fill::<4, _>(space, FillOptions::default(), &Silent, &Cancel::new()).unwrap();
    println!("{} entries in {:?}", filled.table.len(), begun.elapsed());
    assert!(filled.complete);
    (filled.histogram.counts.clone(), filled.histogram.expected())
}

#[test]
fn corners() {
    let (counts, expected) = distances(&Corners::new(Metric::Htm));
    let known = [1, 18, 243, 2874, 28000, 205416, 1168516, 5402628, 20776176, 45391616, 15139616, 64736];
    assert_eq!(counts, known);
    assert!((expected - 8.764).abs() < 5e-4, "{expected}");
}

#[test]
fn six_edges() {
    let (counts, expected) = distances(&Edges::new(Metric::Htm, edges::KORF).unwrap());
    let known = [1, 15, 182, 2208, 25329, 258827, 2165560, 12222708, 24596752, 3305973, 365];
    assert_eq!(counts, known);
    assert!((expected - 7.668).abs() < 5e-4, "{expected}");
}

#[test]
fn cosets() {
    let coset = Coset::new(Metric::Htm);
    println!("{} classes", coset.classes());
    let (counts, expected) = distances(&coset);
    println!("{counts:?} {expected}");
    assert_eq!(counts.len(), 13);
}
