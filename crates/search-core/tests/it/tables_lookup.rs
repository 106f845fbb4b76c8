//! Tables as heuristics, alone and combined, against exact distances on the pancake puzzle.

use search_core::heuristic::{ChildBound, Max, NodeRef, Sum};
use search_core::memory::Memory;
use search_core::pdb::rank::permutation;
use search_core::pdb::{ByIndex, FillOptions, Filled, Graph, Lookup, Mod3Lookup, Packed, fill};
use search_core::testing::Pancakes;
use search_core::{Domain, Op, Run};

const N: usize = 7;

type Pancake = Pancakes<N>;

fn state(rank: usize) -> [u8; N] {
    let mut state = [0; N];
    permutation::unrank(rank as u64, N, &mut state);
    state
}

/// The places of the pancakes `from..to`, as an index.
fn index(state: &[u8; N], from: u8, to: u8) -> usize {
    let places: Vec<u8> = (from..to).map(|v| state.iter().position(|&w| w == v).unwrap() as u8).collect();
    permutation::rank(&places, N) as usize
}

fn database(from: u8, to: u8, max_depth: Option<u8>) -> Packed<4, Memory> {
    let pieces = usize::from(to - from);
    let goal = index(&state(0), from, to);
    let space = Graph::new(permutation::count(N, pieces) as usize, N - 1, vec![goal], move |entry, op| {
        let mut places = vec![0; pieces];
        permutation::unrank(entry as u64, N, &mut places);
        let flipped = places.iter().map(|&p| if usize::from(p) < op + 2 { op as u8 + 1 - p } else { p });
        Some(permutation::rank(&flipped.collect::<Vec<_>>(), N) as usize)
    });
    let options = FillOptions { max_depth, ..FillOptions::default() };
    let filled: Filled<4> = fill(&space.undirected(), options, &Run::new()).unwrap();
    filled.table
}

fn projection(from: u8, to: u8) -> ByIndex<impl Fn(&[u8; N]) -> usize + Sync> {
    ByIndex(move |state: &[u8; N]| index(state, from, to))
}

fn lookup(from: u8, to: u8, max_depth: Option<u8>) -> Lookup<impl Heur, 4, Memory> {
    Lookup::new(projection(from, to), database(from, to, max_depth), &Run::new())
}

/// Shorthand for the projections of this file.
trait Heur: search_core::pdb::Projection<Pancake> {}
impl<P: search_core::pdb::Projection<Pancake>> Heur for P {}

/// Along operators from every state: what is located and read is the value from scratch, and so it
/// stays with what is carried from child to child.
fn check_two_phases<H: ChildBound<Pancake>>(heuristic: &H) {
    for rank in (0..5040).step_by(7) {
        let mut parent = state(rank);
        let mut carry = heuristic.carry(&Pancakes, &parent);
        for step in 0..6 {
            let node = NodeRef { domain: &Pancakes, state: &parent, carry: &carry };
            let op = Op::new((rank + step * step) % (N - 1));
            let child = Pancakes.apply(&parent, op);
            let mut memo = H::Memo::default();
            let values = (0..heuristic.stages()).map(|stage| {
                let probe = heuristic.locate(node, op, stage);
                heuristic.read(probe, stage, &mut memo)
            });
            let value = values.max().unwrap();
            assert_eq!(value, heuristic.value(&Pancakes, &child), "{parent:?} {op:?}");
            carry = heuristic.carry_child(node, op, &child, &memo);
            parent = child;
        }
    }
}

fn check_admissible<H: ChildBound<Pancake>>(heuristic: &H) {
    let exact = database(0, N as u8, None);
    for rank in 0..5040 {
        let state = state(rank);
        let distance = exact.get(index(&state, 0, N as u8) as u64);
        let value = heuristic.value(&Pancakes, &state);
        assert!(value <= distance, "{state:?}: {value} of {distance}");
    }
}

#[test]
fn one_database_is_admissible_in_two_phases() {
    let heuristic = lookup(0, 4, None);
    check_two_phases(&heuristic);
    check_admissible(&heuristic);
    let exact = lookup(0, N as u8, None);
    check_two_phases(&exact);
    assert_eq!(exact.max_value(), 8);
}

#[test]
fn a_database_filled_to_a_depth_is_admissible() {
    let cut = lookup(0, N as u8, Some(4));
    check_two_phases(&cut);
    check_admissible(&cut);
    assert_eq!(cut.max_value(), 5);
}

#[test]
fn residues_give_the_same_values() {
    for (from, to) in [(0, 4), (3, 7), (0, N as u8)] {
        let table = database(from, to, None);
        let residues = table.repack::<2>(|value| value % 3, &Run::new()).unwrap();
        let exact = Lookup::new(projection(from, to), table, &Run::new());
        let max = exact.max_value();
        let heuristic = Mod3Lookup::new(projection(from, to), residues, max);
        check_two_phases(&heuristic);
        for rank in 0..5040 {
            let state = state(rank);
            assert_eq!(heuristic.value(&Pancakes, &state), exact.value(&Pancakes, &state));
        }
    }
}

#[test]
fn the_maximum_is_tried_in_stages() {
    let heuristic = Max(lookup(0, 3, None), Max(lookup(2, 6, None), zero));
    assert_eq!(ChildBound::<Pancake>::stages(&heuristic), 3);
    check_two_phases(&heuristic);
    check_admissible(&heuristic);
    for rank in 0..5040 {
        let state = state(rank);
        let parts = heuristic.0.value(&Pancakes, &state).max(heuristic.1.0.value(&Pancakes, &state));
        assert_eq!(heuristic.value(&Pancakes, &state), parts);
    }
}

/// (Not admissible here: flips move pancakes of both patterns. What is tested is the addition.)
#[test]
fn the_sum_is_read_in_one_stage() {
    let maximum = Max(lookup(0, 2, None), lookup(2, 4, None));
    let heuristic = Sum::new::<Pancake>(maximum, lookup(4, 7, None));
    assert_eq!(ChildBound::<Pancake>::stages(&heuristic), 1);
    check_two_phases(&heuristic);
    let residues = database(0, 3, None).repack::<2>(|value| value % 3, &Run::new()).unwrap();
    let nested = Max(zero, Sum::new::<Pancake>(Mod3Lookup::new(projection(0, 3), residues, 9), zero));
    check_two_phases(&nested);
}

#[test]
#[should_panic(expected = "at most 4 stages")]
fn a_sum_has_parts_of_few_stages() {
    let four = || Max(Max(zero, zero), Max(zero, zero));
    let _ = Sum::new::<Pancake>(four(), Sum::new::<Pancake>(four(), four()));
    let _ = Sum::new::<Pancake>(zero, Max(zero, four()));
}

fn zero(_: &[u8; N]) -> u8 {
    0
}
