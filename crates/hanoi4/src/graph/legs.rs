//! The distance between two perfect states on any graph of four pegs, by the times of corners.
//!
//! The idea: the largest disc blocks no other disc. So on some shortest path it visits no peg twice: between two
//! visits, its own moves can be left out, and the moves of the other discs remain possible. Its moves are a simple path
//! in the graph, and divide the others' moves into **legs**, searches with one disc less. While it moves between two
//! pegs, the others are on the other two: in one of 2ⁿ⁻¹ states, the **gate** of the move. The first leg searches from
//! all discs on one peg to the first gate; each further leg starts from all states of a gate, at the times at which the
//! leg before has reached them, plus one.
//!
//! The searches keep only the times of corners, as [`corners`](crate::corners) explains; here with the pairs of
//! pegs that an edge of the graph makes corners, with one-way edges, with times of two bytes, and without symmetry. Between the
//! centre and a leaf of a star, symmetry and times of one byte save five sixths of the memory: there,
//! `star` of [`corners`](crate::corners) searches.
//!
//! **Half of the legs.** Where a permutation of the pegs reverses the path of the largest disc, and maps each edge
//! to one that leads the other way, it maps the last legs, backwards, to the first ones. So the search ends at
//! the middle of the path: its distance from there to the goal is one from the start to the image.
//!
//! Cost, with `p` pairs and `k` small discs: 2 · p · 2ᵏ bytes for each of the 4^(n − 1 − k) blocks, and 2 · (p · 2ᵏ)²
//! for the table, a sixteenth more for bounds; up to half as many searches as the path has legs.

use super::PegGraph;
use crate::corners::databases::{first_fitting, memory_needed};
use crate::corners::geometry::Geometry;
use crate::corners::search::{CornerSearch, DONE, offer};
use crate::corners::star;
use crate::error::SearchError;
use crate::layer_loop::each_layer;
use crate::model::{State, to_u32, to_u64};
use crate::pegs::PegGroup;
use rayon::prelude::*;
use search_core::Run;
use std::ops::ControlFlow::{Break, Continue};
use std::ops::RangeInclusive;

/// The suitable numbers of small discs: with more, distances within a block would not fit a byte on a star.
pub const SMALL: RangeInclusive<u32> = 1..=14;

/// The numbers of discs whose distances can be found.
pub const DISCS: RangeInclusive<u32> = 2..=25;

/// All discs on one peg, and all on another, on a graph of four pegs.
#[derive(Clone, Copy, Debug)]
pub struct Ends<'a> {
    /// The pegs and the moves.
    pub graph: &'a PegGraph,
    /// The number of discs.
    pub discs: u32,
    /// The peg that all discs start on.
    pub from: u32,
    /// The peg that all discs end on.
    pub to: u32,
}

impl Ends<'_> {
    /// Whether [`length`] can find the distance.
    pub fn are_suitable(&self) -> bool {
        let pegs = self.graph.pegs();
        pegs == 4 && self.from < pegs && self.to < pegs && DISCS.contains(&self.discs)
    }

    /// Whether these are the centre and a leaf of a star: then [`star`] finds the distance with less memory.
    fn are_centre_and_leaf(&self) -> bool {
        self.graph.is_star() && (self.from == 0) != (self.to == 0)
    }
}

/// The best number of small discs for a distance within `memory` bytes, and the bytes that the search takes.
///
/// # Errors
/// The least memory that suffices, in bytes.
///
/// # Panics
/// If the ends are not [suitable](Ends::are_suitable).
pub fn fitting(ends: &Ends<'_>, memory: u64) -> Result<(u32, u64), u64> {
    assert!(ends.are_suitable(), "{ends:?}");
    let most = (ends.discs - 1).min(*SMALL.end());
    // The fastest, as measured at 15 to 20 discs.
    let needs = ((ends.discs / 2 + 1).min(most)..=most).map(|small| (small, bytes(ends, small)));
    first_fitting(needs, memory).map(|small| (small, bytes(ends, small)))
}

/// The bytes of a search with `small` small discs.
///
/// # Panics
/// If the ends are not [suitable](Ends::are_suitable).
pub fn bytes(ends: &Ends<'_>, small: u32) -> u64 {
    assert!(ends.are_suitable(), "{ends:?}");
    if ends.are_centre_and_leaf() {
        return star::bytes(ends.discs, small);
    }
    // The states of a gate: their times, those of the gate before, and the seeds.
    let gates = 24u64 << (ends.discs - 1);
    memory_needed::<u16>(&Geometry::of(ends.graph.edges()), ends.discs - 1, small, 1) + gates
}

/// The distance, `None` where the goal cannot be reached; with `small` small discs. Returns the number of corners of all
/// searches too.
///
/// # Errors
/// [`SearchError`] when the search is cancelled, the memory is not available, or distances within a block are too large.
///
/// # Panics
/// If the ends are not [suitable](Ends::are_suitable), or the number of small discs is not in [`SMALL`] or not less than
/// that of all.
pub fn length(ends: &Ends<'_>, small: u32, run: &Run<'_>) -> Result<(Option<u32>, u64), SearchError> {
    assert!(ends.are_suitable(), "{ends:?}");
    assert!(SMALL.contains(&small) && small < ends.discs, "{small} small discs");
    if ends.are_centre_and_leaf() {
        let (length, corners) = star::length(ends.discs, small, run)?;
        return Ok((Some(length), corners));
    }
    by_legs(ends, small, run)
}

fn by_legs(ends: &Ends<'_>, small: u32, run: &Run<'_>) -> Result<(Option<u32>, u64), SearchError> {
    let &Ends { graph, discs, from, to } = ends;
    let paths = simple_paths(graph, from, to);
    let (mut least, mut corners) = (None, 0);
    run.install(|| {
        let mut search = Legs::new(graph, discs - 1, small, run)?;
        for path in paths {
            let (length, legs) = along(graph, &path, &mut search, run)?;
            least = [least, length].into_iter().flatten().min();
            corners += legs * search.search.corners();
        }
        Ok((least, corners))
    })
}

/// The length of the shortest path on which the largest disc goes along `path`, and the number of legs searched.
fn along(
    graph: &PegGraph,
    path: &[u32],
    search: &mut Legs,
    run: &Run<'_>,
) -> Result<(Option<u32>, u64), SearchError> {
    let (from, to) = (path[0], path[path.len() - 1]);
    let moves = path.len() - 1;
    let reversal = reversal(graph, path);
    let mut before = Vec::new();
    let mut seeds = vec![search.perfect(from)];
    for leg in 1..=moves {
        search.run(&seeds, leg, run)?;
        let pair = rest((path[leg - 1], path[leg]));
        let now = search.search.times_on(pair);
        if let Some(perm) = reversal.filter(|_| moves + 1 - leg <= leg) {
            // The image of the gate of this move is the gate of move `moves + 1 − leg`, which is this or the last one.
            let there = if moves + 1 - leg == leg { &now } else { &before };
            let (c, d) = (perm[pair.0 as usize], perm[pair.1 as usize]);
            let image = |set: usize| if c < d { set } else { now.len() - 1 - set };
            let sums =
                (0..now.len()).filter_map(|set| now[set].checked_add(there[image(set)])?.checked_add(1));
            return Ok((sums.min(), to_u64(leg)));
        }
        seeds = search.seeds_on(pair, &now);
        before = now;
    }
    search.run(&seeds, moves + 1, run)?;
    Ok((search.time_of(search.perfect(to)), to_u64(moves + 1)))
}

/// A state that a leg starts from: a column of a block, reached at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Seed {
    time: u32,
    block: u32,
    column: u32,
}

/// The searches of the legs, one after the other.
struct Legs {
    search: CornerSearch<u16>,
    /// The number of large discs.
    large: u32,
}

impl Legs {
    fn new(graph: &PegGraph, discs: u32, small: u32, run: &Run<'_>) -> Result<Legs, SearchError> {
        run.progress().begin("distances within blocks", 0);
        let search =
            CornerSearch::new(Geometry::of(graph.edges()), (discs, small), PegGroup::trivial(), run)?;
        run.progress().end();
        Ok(Legs { search, large: discs - small })
    }

    /// The number of a block; blocks are in the order of their configurations.
    fn block(&self, large: State) -> u32 {
        self.search.blocks().find(large).expect("every configuration has a block")
    }

    /// All discs on a peg, at time 0.
    fn perfect(&self, peg: u32) -> Seed {
        let column = to_u32(self.search.rows().corners()) + peg;
        Seed { time: 0, block: self.block(State::all_on(peg, self.large)), column }
    }

    /// The time of a state; that of `at` is ignored. `None` if the state was not reached.
    fn time_of(&self, at: Seed) -> Option<u32> {
        Some(self.search.time_at(at.block, at.column as usize)).filter(|&time| time != DONE)
    }

    /// The state of all discs on the two pegs of `pair`, those of `set` on the second.
    fn on(&self, pair: (u32, u32), set: usize) -> Seed {
        let (rows, small) = (self.search.rows(), self.search.rows().discs());
        let block = self.block(State::on_pair(pair, to_u64(set >> small), self.large));
        let column = rows.geometry().column(small, pair.0, pair.1, set & ((1 << small) - 1));
        Seed { time: 0, block, column: to_u32(column) }
    }

    /// The states on the two pegs of `pair`, each one move after its time.
    fn seeds_on(&self, pair: (u32, u32), times: &[u32]) -> Vec<Seed> {
        let reached = times.iter().enumerate().filter(|&(_, &time)| time != DONE);
        let mut seeds: Vec<Seed> =
            reached.map(|(set, &time)| Seed { time: time + 1, ..self.on(pair, set) }).collect();
        seeds.par_sort_unstable();
        seeds
    }

    /// Searches a leg from its seeds, which are sorted, until all times are known.
    fn run(&mut self, mut seeds: &[Seed], leg: usize, run: &Run<'_>) -> Result<(), SearchError> {
        self.search.clear(run)?;
        let mut offers = Vec::new();
        each_layer(&format!("leg {leg} of the largest disc"), 0, run, || {
            run.check()?;
            if offers.is_empty() {
                let seed = seeds.first().map_or(DONE, |seed| seed.time);
                match seed.min(self.search.earliest()) {
                    DONE => return Ok(Break(())),
                    now => self.search.skip_to(now),
                }
            }
            let now = self.search.now();
            let due = seeds.partition_point(|seed| seed.time == now);
            offers.extend(seeds[..due].iter().map(|seed| offer(seed.block, seed.column as usize)));
            seeds = &seeds[due..];
            offers.par_sort_unstable();
            self.search.accept(&offers)?;
            offers = self.search.collect(run)?;
            self.search.skip_to(now + 1);
            Ok(Continue(now))
        })
    }
}

/// The other two pegs, in ascending order.
fn rest((a, b): (u32, u32)) -> (u32, u32) {
    let mut others = (0..4).filter(|&peg| peg != a && peg != b);
    let first = others.next().expect("two others");
    (first, others.next().expect("two others"))
}

/// The paths from one peg to another that visit no peg twice.
fn simple_paths(graph: &PegGraph, from: u32, to: u32) -> Vec<Vec<u32>> {
    let (mut found, mut open) = (Vec::new(), vec![vec![from]]);
    while let Some(path) = open.pop() {
        let end = path[path.len() - 1];
        if end == to {
            found.push(path);
            continue;
        }
        let next = graph.edges().iter().filter(|&&(a, b)| a == end && !path.contains(&b));
        open.extend(next.map(|&(_, b)| [&path[..], &[b]].concat()));
    }
    found
}

/// A permutation of the pegs that reverses `path` and maps each edge to one that leads the other way.
fn reversal(graph: &PegGraph, path: &[u32]) -> Option<[u32; 4]> {
    let has = |a: u32, b: u32| graph.edges().contains(&(a, b));
    let perms = (0..256u32).map(|code| [0, 2, 4, 6].map(|shift| code >> shift & 3));
    let is_reversal = |perm: &[u32; 4]| {
        let of = |peg: u32| perm[peg as usize];
        (0..4).all(|peg| perm.contains(&peg))
            && path.iter().zip(path.iter().rev()).all(|(&peg, &image)| of(peg) == image)
            && graph.edges().iter().all(|&(a, b)| has(of(b), of(a)))
    };
    perms.into_iter().find(is_reversal)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::tests::known_terms;
    use crate::graph::{GraphLimits, GraphTask, explore};

    const GRAPHS: [&str; 9] = [
        "complete",
        "linear",
        "cyclic",
        "star",
        "0-1,1-2,2-0,2-3",
        "0-1,1-2,2-3,3-0",
        "0>1,1>2,2>0,2-3",
        "0>1,1-2,2>3,3>0,0>2",
        "0>1,1>2,2-3",
    ];

    #[test]
    fn lengths_are_those_of_a_search_of_all_states() {
        for name in GRAPHS {
            let graph = PegGraph::parse(name, 4).unwrap();
            for discs in 2..=7 {
                for from in 0..4 {
                    let task = GraphTask { graph: &graph, discs, from, word_discs: None };
                    let all = explore(&task, &GraphLimits::default(), &Run::new()).unwrap();
                    for to in 0..4 {
                        let small = 1 + (from + to) % (discs - 1);
                        let ends = Ends { graph: &graph, discs, from, to };
                        let found = by_legs(&ends, small, &Run::new()).unwrap();
                        let expected = all.perfect[to as usize].map(|reached| reached.length);
                        assert_eq!(found.0, expected, "{name}: {discs} discs, {from} to {to}, {small} small");
                    }
                }
            }
        }
    }

    fn check_published(discs: RangeInclusive<u32>, memory: u64) {
        let sequences = known_terms().into_iter().filter(|terms| terms.0 != "A143807");
        assert_eq!(sequences.clone().count(), 5);
        for (_, graph, from, to, terms) in sequences {
            let graph = PegGraph::parse(&graph, 4).unwrap();
            for discs in discs.clone().take_while(|&discs| discs as usize <= terms.len()) {
                let ends = Ends { graph: &graph, discs, from, to };
                let found = length(&ends, fitting(&ends, memory).unwrap().0, &Run::new()).unwrap();
                assert_eq!(found.0.map(u64::from), Some(terms[discs as usize - 1]), "{graph}: {discs} discs");
            }
        }
    }

    #[test]
    fn lengths_are_the_published_ones() {
        check_published(8..=11, u64::MAX);
    }

    #[test]
    #[ignore = "minutes: 12 to 18 discs"]
    fn more_lengths_are_the_published_ones() {
        check_published(12..=18, 4 << 30);
    }

    #[test]
    #[ignore = "hours and 16 GB: 19 to 23 discs"]
    fn all_lengths_are_the_published_ones() {
        check_published(19..=23, 16 << 30);
    }
}
