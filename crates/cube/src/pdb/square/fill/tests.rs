//! Fills, compared with plain enumeration.

use super::*;
use crate::lanes::{Everywhere, Portable};
use crate::pdb::square::Half;
use crate::space::{State, View};
use crate::tests::common::reference::Ball;
use search_core::pdb::Packed;
use std::collections::{HashMap, HashSet};

/// The least depth of each entry by plain enumeration of all cubes within a depth, which include all their images.
fn plain(square: &Square<Portable>, metric: Metric, depth: u8) -> HashMap<u64, u8> {
    let mut least = HashMap::new();
    for (layer, at) in Ball::new(metric, depth.into()).layers.iter().zip(0..) {
        for cube in layer {
            let entry = square.entry(State::<Portable>::new(cube).by_location(), View::Position);
            least.entry(entry).or_insert(at);
        }
    }
    least
}

fn filled<V: Lanes, const BITS: u32>(
    flips: u8,
    metric: Metric,
    spec: FillSpec,
    listed_depth: u32,
) -> Packed<BITS, Memory> {
    filled_by::<V, BITS>(flips, None, metric, spec, listed_depth)
}

/// With `all` cosets, the last depth is reached by turning whole rows.
fn filled_by<V: Lanes, const BITS: u32>(
    flips: u8,
    all: Option<&Square<V>>,
    metric: Metric,
    spec: FillSpec,
    listed_depth: u32,
) -> Packed<BITS, Memory> {
    let square = Square::<V>::new(flips);
    let entries = entries_of(spec.classes.len(), flips).div_ceil(1 << spec.group);
    let work = FillWork::<V>::new(&square, all, metric, (spec, BITS), listed_depth, &Run::new());
    let built = work.fill(&Unfinished::NOWHERE, &Run::new());
    Packed::new(built.unwrap().body, entries).unwrap()
}

/// The number of reached entries, counted by bytes: there are hundreds of millions of entries.
fn reached(table: &Packed<4, Memory>) -> usize {
    let is_reached = |entry: u8| usize::from(entry != 15);
    // Padding is not reached.
    table.as_bytes().iter().map(|byte| is_reached(byte & 15) + is_reached(byte >> 4)).sum()
}

/// Includes endings of no, one and two turns at the greatest depth.
#[test]
fn entries_are_the_least_depths_of_all_strings() {
    for (metric, flips, depth) in [(Metric::Htm, 0, 5), (Metric::Qtm, 0, 6), (Metric::Htm, 1, 4)] {
        let least = plain(&Square::new(flips), metric, depth);
        let depth = u32::from(depth);
        for listed_depth in depth - 2..=depth {
            let exact = FillSpec { classes: 0..CLASSES, group: 0, base: 0, depth };
            let table = filled::<Portable, 4>(flips, metric, exact, listed_depth);
            assert_eq!(reached(&table), least.len());
            assert!(least.iter().all(|(entry, depth)| table.get(*entry) == *depth));
        }
        let above = FillSpec { classes: 0..CLASSES, group: 0, base: depth - 2, depth };
        let above = filled::<Portable, 2>(flips, metric, above, depth - 2);
        for (entry, least) in &least {
            let expected = u32::from(*least).saturating_sub(depth - 2);
            assert_eq!(u32::from(above.get(*entry)), expected);
        }
        let minima = filled::<Portable, 4>(
            flips,
            metric,
            FillSpec { classes: 0..CLASSES, group: 8, base: 0, depth },
            depth - 1,
        );
        let mut of_groups = HashMap::new();
        for (entry, least) in least {
            let of_group = of_groups.entry(entry >> 8).or_insert(least);
            *of_group = least.min(*of_group);
        }
        assert_eq!(reached(&minima), of_groups.len());
        assert!(of_groups.iter().all(|(group, least)| minima.get(*group) == *least));
    }
}

#[test]
fn two_halves_equal_the_whole_table() {
    for flips in [0, 1] {
        let spec = |classes| FillSpec { classes, group: 0, base: 4, depth: 6 };
        let of = |classes| filled::<Portable, 2>(flips, Metric::Htm, spec(classes), 4).into_bytes().to_vec();
        assert!(Half::BOTH.map(|half| of(half.classes())).concat() == of(0..CLASSES));
    }
}

/// The entries of some classes, the last depth of which is reached by turning whole rows.
fn by_rows<V: Lanes>(flips: u8, metric: Metric, spec: FillSpec) -> Packed<2, Memory> {
    let (all, listed_depth) = (Square::new(MOST_FLIPS), spec.depth - 2);
    filled_by::<V, 2>(flips, Some(&all), metric, spec, listed_depth)
}

/// Classes whose representative is symmetric, and others.
const SOME_CLASSES: [Range<usize>; 3] = [0..2, 1_695..1_697, CLASSES - 2..CLASSES];

#[test]
fn turned_rows_equal_enumerated_strings() {
    fn check<V: Lanes>(metric: Metric, flips: u8, classes: Range<usize>, depth: u32) {
        let spec = || FillSpec { classes: classes.clone(), group: 0, base: depth - 2, depth };
        let strings = filled::<V, 2>(flips, metric, spec(), depth - 2);
        let rows = by_rows::<V>(flips, metric, spec());
        assert!(strings.as_bytes() == rows.as_bytes(), "{flips} flips, classes {classes:?}");
        let values: HashSet<u8> = rows.iter().collect();
        assert!(values.contains(&1) && values.contains(&2), "{flips} flips, classes {classes:?}");
    }
    for (flips, classes) in (FEWEST_FLIPS..=MOST_FLIPS).zip(SOME_CLASSES.into_iter().cycle()) {
        match flips % 3 {
            0 => check::<Portable>(Metric::Htm, flips, classes.clone(), 7),
            1 => check::<Everywhere>(Metric::Qtm, flips, classes.clone(), 8),
            _ => {}
        }
        #[cfg(target_arch = "x86_64")]
        {
            use crate::lanes::{Avx2, Avx512};
            // The strings of one more turn take thirteen times as long.
            let depth = if flips == FEWEST_FLIPS { 8 } else { 7 };
            if Avx2::is_available() {
                check::<Avx2>(Metric::Htm, flips, classes.clone(), depth);
            }
            if Avx512::is_available() {
                check::<Avx512>(Metric::Htm, flips, classes, depth);
            }
        }
    }
}

#[test]
fn turned_rows_have_the_least_depths_of_all_strings() {
    for (metric, depth) in [(Metric::Htm, 5), (Metric::Qtm, 6)] {
        let flips = FEWEST_FLIPS;
        let least = plain(&Square::new(flips), metric, depth as u8);
        for classes in SOME_CLASSES {
            let first = entries_of(classes.start, flips);
            let spec = FillSpec { classes, group: 0, base: depth - 2, depth };
            let table = by_rows::<Portable>(flips, metric, spec);
            for (entry, found) in (first..).zip(table.iter()) {
                let expected =
                    least.get(&entry).map_or(3, |least| u32::from(*least).saturating_sub(depth - 2));
                assert_eq!(u32::from(found), expected, "entry {entry}");
            }
        }
    }
}

/// So a build can be interrupted anywhere.
#[test]
fn a_repeated_stage_changes_nothing() {
    let (flips, run) = (FEWEST_FLIPS, Run::new());
    let (square, all) = (Square::<Portable>::new(flips), Square::new(MOST_FLIPS));
    let spec = FillSpec { classes: 0..2, group: 0, base: 5, depth: 7 };
    let work = FillWork::new(&square, Some(&all), Metric::Htm, (spec, 2), 5, &Run::new());
    let built = work.fill(&Unfinished::NOWHERE, &run).unwrap().body;
    let mut again = Memory::copy_of(&built).unwrap();
    let stages = work.stages();
    assert_eq!(stages.len(), 2);
    for stage in stages {
        work.fill_stage(&stage, (0, &mut 0), &mut again, &Unfinished::NOWHERE, &run).unwrap();
    }
    assert!(built[..] == again[..]);
}

/// The bytes are the same with every set of instructions.
#[test]
#[cfg(target_arch = "x86_64")]
fn tables_do_not_depend_on_the_instructions() {
    use crate::lanes::{Avx2, Avx512};
    let spec = || FillSpec { classes: 0..CLASSES, group: 0, base: 5, depth: 7 };
    let of = |table: Packed<2, Memory>| table.into_bytes().to_vec();
    let portable = of(filled::<Portable, 2>(0, Metric::Htm, spec(), 5));
    if Avx2::is_available() {
        assert!(portable == of(filled::<Avx2, 2>(0, Metric::Htm, spec(), 5)));
    }
    if Avx512::is_available() {
        assert!(portable == of(filled::<Avx512, 2>(0, Metric::Htm, spec(), 5)));
    }
}

#[test]
fn a_cancelled_fill_ends() {
    let run = Run::new();
    run.cancel().cancel();
    let spec = FillSpec { classes: 0..CLASSES, group: 8, base: 0, depth: 9 };
    let square = Square::<Portable>::new(0);
    let nowhere = &Unfinished::NOWHERE;
    assert!(fill(&square, Metric::Htm, (spec, 4), nowhere, &run).is_err());
}
