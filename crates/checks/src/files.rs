//! Table files, automata and layers: readers of untrusted bytes.
//!
//! Most random bytes fail the first checksum. So some inputs are lists of changes to a valid file, and
//! checksums are made to fit afterwards: then the check of each field must find what is wrong.

use crate::input::Input;
use hanoi4::bitmap::codec::{Reader, encode};
use hanoi4::bitmap::shape::{EMPTY, Word256};
use search_core::table::file::{load, open, verify};
use search_core::table::format::{self, Encoding, Header, Kind, Spec};
use search_core::{Automaton, Op, Run};
use std::fs;
use xxhash_rust::xxh3::xxh3_64;

/// Checks a file; the first byte selects its kind.
///
/// # Panics
/// When a promise is broken.
pub fn check(data: &[u8]) {
    let mut input = Input(data);
    match input.below(6) {
        0 => header(input.0, input.0.len() as u64),
        1 => changed_header(&mut input),
        2 => table(&mut input),
        3 => automaton(&mut input),
        4 => layer(&mut input),
        _ => written_layer(&mut input),
    }
}

/// The header of a small table with three blocks, and its body.
fn sample() -> (Header, Vec<u8>) {
    let body: Vec<u8> = (0..9000u32).map(|at| (at * at % 251) as u8).collect();
    let spec = Spec {
        kind: Kind::PatternDatabase,
        puzzle: "pancake 8".into(),
        operators: "flip 2..8".into(),
        pattern: "whole".into(),
        ranking: 3,
        bits: 4,
        encoding: Encoding::Exact,
        entries: 18_000,
        complete: true,
    };
    let checksums = body.chunks(4096).map(xxh3_64).collect();
    (Header { spec, depth: 9, generator: "test 1.0".into(), block: 4096, checksums }, body)
}

/// Changes bytes: two bytes say where, one what to add.
fn change(bytes: &mut [u8], input: &mut Input<'_>, changes: usize) {
    for _ in 0..changes {
        let at = usize::from(input.byte()) | usize::from(input.byte()) << 8;
        let length = bytes.len();
        bytes[at % length] = bytes[at % length].wrapping_add(input.byte());
    }
}

/// Makes the checksum of a header of `length` bytes fit.
fn seal(bytes: &mut [u8], length: usize) {
    let (content, sum) = bytes[..length].split_at_mut(length - 8);
    sum.copy_from_slice(&xxh3_64(content).to_le_bytes());
}

/// A header that is accepted means its bytes, and no others.
fn header(bytes: &[u8], file_len: u64) {
    if let Ok(length) = format::header_len(bytes, file_len) {
        assert!(length <= file_len);
    }
    match format::parse(bytes, file_len) {
        Ok(header) => {
            let written = header.to_bytes();
            assert_eq!(bytes[..written.len()], written);
            assert_eq!(header.header_len() + header.body_len(), file_len);
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

fn changed_header(input: &mut Input<'_>) {
    let (header, body) = sample();
    let mut bytes = header.to_bytes();
    let changes = 1 + input.below(6);
    // Most fields lie in the first 150 bytes.
    change(&mut bytes[..150], input, changes);
    let length = bytes.len();
    seal(&mut bytes, length);
    let longer = i64::from(input.byte() as i8);
    self::header(&bytes, (length + body.len()) as u64 + longer.max(0) as u64);
}

/// A table file with changes, and its checksums made to fit or not.
fn table(input: &mut Input<'_>) {
    let (header, body) = sample();
    let run = Run::new().with_threads(1);
    let start = header.header_len() as usize;
    let original = [header.to_bytes(), body].concat();
    let mut bytes = original.clone();
    let (sealed, changes) = (input.byte(), 1 + input.below(6));
    change(&mut bytes, input, changes);
    let cut = usize::from(input.byte()) | usize::from(input.byte()) << 8;
    if sealed & 4 != 0 {
        bytes.truncate(cut);
    }
    if sealed & 2 != 0 && bytes.len() == original.len() {
        let sums: Vec<u8> =
            bytes[start..].chunks(4096).flat_map(|block| xxh3_64(block).to_le_bytes()).collect();
        bytes[96..96 + sums.len()].copy_from_slice(&sums);
    }
    if sealed & 1 != 0 && bytes.len() >= start {
        seal(&mut bytes, start);
    }
    let home = tempfile::tempdir().expect("a temporary directory");
    let path = home.path().join("a.table");
    fs::write(&path, &bytes).expect("a file");
    let (opened, verified) = (open(&path), verify(&path, &run));
    match load(&path, &header.spec, &run) {
        Ok(table) => {
            assert_eq!(table.header.to_bytes(), bytes[..start]);
            assert_eq!(*table.body, bytes[start..]);
            assert!(opened.is_ok() && verified.is_ok());
            assert!(bytes == original || sealed & 1 != 0, "damage is found");
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    assert!(verified.is_err() || opened.is_ok());
}

/// Words as an automaton: what is accepted can be followed anywhere, and is written as the same words.
fn automaton(input: &mut Input<'_>) {
    let (ops, premultiply) = (input.below(70), input.byte() % 2 == 1);
    let path: Vec<u8> = (0..16).map(|_| input.byte()).collect();
    let stride = ops.max(1).next_power_of_two() as u32;
    // Small numbers are rows more often than random words are.
    let table: Vec<u32> = if premultiply {
        input.map(|byte| u32::from(byte) * stride).collect()
    } else {
        input
            .0
            .chunks(4)
            .map(|word| word.iter().rev().fold(0, |sum, &byte| sum << 8 | u32::from(byte)))
            .collect()
    };
    let automaton = match Automaton::from_table(ops, table.clone()) {
        Ok(automaton) => automaton,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    assert_eq!(automaton.table(), table);
    let mut state = automaton.start();
    for byte in path {
        let op = Op::new(usize::from(byte) % ops);
        let next = automaton.next(state, op);
        assert_eq!(next.is_some(), automaton.allowed(state).contains(op));
        state = next.unwrap_or(automaton.start());
        assert!(automaton.number(state) < automaton.states());
    }
}

/// Words as a layer's stream, read block by block.
fn layer(input: &mut Input<'_>) {
    let mut bits = vec![EMPTY; 1 << (2 * input.below(5))];
    let words = input.words();
    let mut reader = Reader::new(&words);
    for _ in 0..=words.len() {
        let Some(place) = reader.place() else { return };
        if reader.read(place, &mut bits).is_err() {
            return;
        }
    }
    panic!("the stream has more records than words");
}

/// A layer that is written is read as the same.
fn written_layer(input: &mut Input<'_>) {
    let units = 1 << (2 * (1 + input.below(4)));
    let mut blocks: Vec<(usize, Vec<Word256>)> = Vec::new();
    let mut place = 0;
    for _ in 0..input.below(5) {
        place += 1 + input.below(200);
        let mut bits = vec![EMPTY; units];
        for _ in 0..input.below(9) {
            let at = (usize::from(input.byte()) | usize::from(input.byte()) << 8) % (4 * units);
            bits.as_flattened_mut()[at] = input.word();
        }
        blocks.push((place, bits));
    }
    let mut stream = Vec::new();
    blocks.iter().for_each(|(place, bits)| encode(*place, bits, &mut stream));
    let mut reader = Reader::new(&stream);
    for (place, expected) in &blocks {
        let mut bits = vec![EMPTY; units];
        assert_eq!(reader.read(*place, &mut bits), Ok(true));
        assert_eq!(bits, *expected);
    }
    assert_eq!(reader.place(), None);
}
