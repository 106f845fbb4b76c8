//! Ranks, entries and automata: unpacking undoes packing.

use crate::input::Input;
use search_core::automaton::Trie;
use search_core::pdb::Packed;
use search_core::pdb::rank::{combination, orientation, permutation};
use search_core::{Automaton, Op, Run};

/// The first byte selects what is packed.
pub fn check(input: &mut Input<'_>) {
    match input.below(5) {
        0 => permutations(input),
        1 => combinations(input),
        2 => orientations(input),
        3 => entries(input),
        _ => automata(input),
    }
}

fn permutations(input: &mut Input<'_>) {
    let n = 1 + input.below(16);
    let places = 1 + input.below(n);
    let rank = input.word() % permutation::count(n, places);
    let mut values = vec![0; places];
    permutation::unrank(rank, n, &mut values);
    assert_eq!(permutation::rank(&values, n), rank);
    let mut sorted = values.clone();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(sorted.len(), places, "distinct values");
}

fn combinations(input: &mut Input<'_>) {
    let n = 1 + input.below(32);
    let k = input.below(n + 1);
    let rank = (input.word() % u64::from(combination::count(n, k))) as u32;
    let mask = combination::unrank(rank, n, k);
    assert_eq!((mask.count_ones() as usize, combination::rank(mask)), (k, rank));
    assert!(u64::from(mask) < 1 << n);
}

fn orientations(input: &mut Input<'_>) {
    let length = 1 + input.below(12);
    let digits: Vec<u8> = (0..length).map(|_| input.byte() % 3).collect();
    let mut back = vec![0; length];
    orientation::unrank::<3>(orientation::rank::<3>(&digits), &mut back);
    assert_eq!(back, digits);
    let sum = digits.iter().sum::<u8>() % 3;
    let closed: Vec<u8> = digits.iter().copied().chain([(3 - sum) % 3]).collect();
    let mut back = vec![0; length + 1];
    orientation::unrank_closed::<3>(orientation::rank_closed::<3>(&closed), &mut back);
    assert_eq!(back, closed);
}

fn entries(input: &mut Input<'_>) {
    let run = Run::new().with_threads(1);
    let values: Vec<u8> = input.map(|byte| if byte % 16 == 15 { 255 } else { byte % 16 }).collect();
    let wide = Packed::<8, _>::new(&values, values.len() as u64).expect("one byte per entry");
    let narrow = wide.repack::<4>(|value| value, &run).expect("memory");
    let back = narrow.repack::<8>(|value| value, &run).expect("memory");
    assert_eq!(back.as_bytes(), &values);
    let residues = wide.repack::<2>(|value| value % 3, &run).expect("memory");
    for (index, value) in values.iter().enumerate() {
        assert_eq!(residues.get(index as u64), if *value == 255 { 3 } else { value % 3 });
    }
}

/// An automaton that forbids some strings: read back from its table it is the same, and made minimal
/// it forbids the same strings.
fn automata(input: &mut Input<'_>) {
    let ops = 1 + input.below(7);
    let mut trie = Trie::new(ops);
    let count = input.below(8);
    for _ in 0..count {
        let length = 1 + input.below(5);
        let string: Vec<Op> = (0..length).map(|_| Op::new(input.below(ops))).collect();
        trie.insert(&string);
    }
    let automaton = trie.automaton();
    let minimal = automaton.minimized();
    assert_eq!(Automaton::from_table(ops, automaton.table()).as_ref(), Ok(&automaton));
    let (mut state, mut other) = (automaton.start(), minimal.start());
    for byte in input {
        assert_eq!(automaton.allowed(state), minimal.allowed(other));
        let op = Op::new(usize::from(byte) % ops);
        match (automaton.next(state, op), minimal.next(other, op)) {
            (Some(next), Some(same)) => (state, other) = (next, same),
            (None, None) => (),
            different => panic!("{op:?}: {different:?}"),
        }
    }
}
