//! The choice of a product that is reduced by symmetries: the orientations of all pieces, and where sets of them are.
//!
//! The idea: orientations are measured along an axis, so some symmetries keep them and others do not. Those that keep them divide
//! the pieces into sets that they do not mix. Orientations together with the places of such sets are the cosets of a subgroup,
//! as those of Kociemba's first phase on the 3x3x3 cube are: its twists, its flips, and the slice. They are many more than
//! the arrangements of the few pieces that fit a pattern database, the symmetries divide the number of entries, and the other
//! symmetries look up the same table along the other axes.
//!
//! Source: M. Reid, cube-lovers, 7 January 1995.

use search_core::{Cancelled, Run};

use crate::coordinate::{Coordinate, MOST_STATES, Projection};
use crate::product::Table;
use crate::reduced::{MOST_LEADING, Reduced, keeping};
use crate::symmetry::Symmetry;
use crate::system::System;

/// The maximum number of sets of a part's pieces from which coordinates are made.
const MOST_SETS: usize = 4;
/// The maximum number of products that are compared.
const MOST_PRODUCTS: usize = 64;
/// The margin of the number of entries that is expected: some states are fixed by symmetries.
pub(crate) const MARGIN: f64 = 1.15;

/// A product of coordinates, reduced by symmetries.
pub(crate) struct Cosets {
    /// The leading coordinates, and last the following one.
    pub coordinates: Vec<Coordinate>,
    pub reduced: Reduced,
}

/// A product that may be chosen.
struct Choice {
    leading: Vec<usize>,
    following: usize,
    positions: f64,
    entries: f64,
}

/// The product with the most states of those that have at most `most` entries; `None` if there is none. `symmetries` are those of
/// the puzzle.
///
/// # Errors
/// [`Cancelled`].
pub(crate) fn cosets(
    system: &System,
    symmetries: &[Symmetry],
    most: f64,
    run: &Run<'_>,
) -> Result<Option<Cosets>, Cancelled> {
    let turns = orientations(system, run)?;
    if turns.is_empty() || symmetries.is_empty() {
        return Ok(None);
    }
    let generators = system.generators();
    let mut renamings: Vec<Vec<usize>> = symmetries.iter().map(|symmetry| symmetry.moves.clone()).collect();
    let mut coordinates: Vec<Coordinate> = turns;
    let mut keep = vec![true; symmetries.len()];
    for coordinate in &coordinates {
        let table = Table::of(coordinate);
        let keeps = keeping(&[&table], &generators, &renamings);
        keep.iter_mut().zip(keeps).for_each(|(all, its)| *all &= its);
    }
    let keeping_all = symmetries.iter().zip(&keep).filter(|(_, keep)| **keep).map(|(symmetry, _)| symmetry);
    let orbits = orbits(system, &keeping_all.collect::<Vec<_>>());
    let all_turns: Vec<usize> = (0..coordinates.len()).collect();
    let mut products = vec![all_turns];
    for (number, part) in system.parts.iter().enumerate() {
        let without = products.clone();
        for sets in unions(&orbits[number]) {
            let projection = Projection::sets(number, part, &sets);
            if let Some(coordinate) = small(system, number, projection, run)? {
                let added = |product: &Vec<usize>| [&product[..], &[coordinates.len()]].concat();
                products.extend(without.iter().map(added));
                coordinates.push(coordinate);
            }
        }
    }
    products.truncate(MOST_PRODUCTS);
    let tables: Vec<Table> = coordinates.iter().map(Table::of).collect();
    let choices = products.iter().flat_map(|product| {
        product.iter().map(|&following| {
            let leading: Vec<usize> = product.iter().copied().filter(|&of| of != following).collect();
            choice(&tables, leading, following, &generators, &renamings)
        })
    });
    let allowed = choices.flatten().filter(|choice| choice.entries <= most);
    let best = allowed
        .max_by(|a, b| (a.positions, -a.entries).partial_cmp(&(b.positions, -b.entries)).expect("numbers"));
    let Some(Choice { leading, following, .. }) = best else { return Ok(None) };
    let of = |number: &usize| &tables[*number];
    let leading_tables: Vec<&Table> = leading.iter().map(of).collect();
    let keeps = [
        keeping(&leading_tables, &generators, &renamings),
        keeping(&[of(&following)], &generators, &renamings),
    ];
    let mut at = 0;
    renamings.retain(|_| {
        at += 1;
        keeps.iter().all(|keeps| keeps[at - 1])
    });
    run.check()?;
    let leading_tables = leading_tables.into_iter().cloned().collect();
    let reduced = Reduced::new(leading_tables, of(&following).clone(), &generators, &renamings);
    let chosen = leading.iter().chain([&following]).map(|&number| coordinates[number].clone()).collect();
    Ok(reduced.map(|reduced| Cosets { coordinates: chosen, reduced }))
}

/// The orientations of each part that has some.
fn orientations(system: &System, run: &Run<'_>) -> Result<Vec<Coordinate>, Cancelled> {
    let mut all = Vec::new();
    for (number, part) in system.parts.iter().enumerate() {
        if part.kinds().iter().any(|kind| kind.1 > 1) {
            all.extend(small(system, number, Projection::orientations(number, part), run)?);
        }
    }
    Ok(all)
}

/// The coordinate of a projection, if it is small.
fn small(
    system: &System,
    number: usize,
    projection: Projection,
    run: &Run<'_>,
) -> Result<Option<Coordinate>, Cancelled> {
    let part = &system.parts[number];
    // Sums of turns that moves keep make the states fewer than the upper limit.
    match projection.most_states(part) <= 4.0 * MOST_STATES as f64 {
        true => Coordinate::new(part, projection, MOST_STATES, run),
        false => Ok(None),
    }
}

/// For each place of each part, the number of the set of places of the part that symmetries do not leave.
fn orbits(system: &System, symmetries: &[&Symmetry]) -> Vec<Vec<usize>> {
    let parts = &system.parts;
    let mut first: Vec<usize> = parts
        .iter()
        .scan(0, |next, part| {
            let first = *next;
            *next += part.places.len();
            Some(first)
        })
        .collect();
    let count = parts.iter().map(|part| part.places.len()).sum();
    first.push(count);
    let mut least: Vec<usize> = (0..count).collect();
    let mut has_changed = true;
    while std::mem::take(&mut has_changed) {
        for symmetry in symmetries {
            for (number, part) in parts.iter().enumerate() {
                for place in 0..part.places.len() {
                    let (its, image) = symmetry.place(parts, number, place);
                    let [a, b] = [first[number] + place, first[its] + image];
                    let both = least[a].min(least[b]);
                    has_changed |= least[a] != least[b];
                    (least[a], least[b]) = (both, both);
                }
            }
        }
    }
    let numbered = |range: &[usize]| {
        let mut known = Vec::new();
        let number = |&orbit: &usize| {
            known.iter().position(|&of| of == orbit).unwrap_or_else(|| {
                known.push(orbit);
                known.len() - 1
            })
        };
        range.iter().map(number).collect()
    };
    first.windows(2).map(|pair| numbered(&least[pair[0]..pair[1]])).collect()
}

/// All ways to unite the sets of places of a part to fewer ones, but at least two.
fn unions(of_places: &[usize]) -> Vec<Vec<usize>> {
    let sets = of_places.iter().max().map_or(0, |last| last + 1);
    if !(2..=MOST_SETS).contains(&sets) {
        return Vec::new();
    }
    // Each set joins one of those before it, or begins a new union.
    let mut all = vec![vec![0]];
    for _ in 1..sets {
        let longer = |of: &Vec<usize>| {
            let of = of.clone();
            (0..=of.iter().max().map_or(0, |most| most + 1)).map(move |next| [&of[..], &[next]].concat())
        };
        all = all.iter().flat_map(longer).collect();
    }
    let all = all.into_iter().filter(|of| of.contains(&1));
    all.map(|of| of_places.iter().map(|&set| of[set]).collect()).collect()
}

/// A product with its expected size; `None` if it has too many leading states.
fn choice(
    tables: &[Table],
    leading: Vec<usize>,
    following: usize,
    generators: &[usize],
    renamings: &[Vec<usize>],
) -> Option<Choice> {
    let of_leading: Vec<&Table> = leading.iter().map(|&number| &tables[number]).collect();
    let states: f64 = of_leading.iter().map(|table| table.states as f64).product();
    if leading.is_empty() || states > MOST_LEADING as f64 {
        return None;
    }
    let keeps =
        [keeping(&of_leading, generators, renamings), keeping(&[&tables[following]], generators, renamings)];
    let kept = keeps[0].iter().zip(&keeps[1]).filter(|(a, b)| **a && **b).count();
    let positions = states * tables[following].states as f64;
    let entries = MARGIN * positions / (kept + 1) as f64;
    Some(Choice { leading, following, positions, entries })
}
