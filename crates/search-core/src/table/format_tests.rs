//! Tests that every kind of damage to a header is detected. (Also the layout of docs/formats.md.)

use super::*;
use proptest::prelude::*;

fn file_len(header: &Header) -> u64 {
    header.header_len() + header.body_len()
}

/// The header with `change` made to its bytes and its checksum made to fit.
fn resealed(change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut bytes = sample().to_bytes();
    change(&mut bytes);
    reseal(&mut bytes);
    bytes
}

fn reseal(bytes: &mut [u8]) {
    let (content, sum) = bytes.split_at_mut(bytes.len() - 8);
    sum.copy_from_slice(&xxh3_64(content).to_le_bytes());
}

#[test]
fn headers_round_trip() {
    let header = sample();
    let bytes = header.to_bytes();
    assert_eq!(bytes.len() as u64, header.header_len());
    assert_eq!(header_len(&bytes[..FIXED], file_len(&header)), Ok(4096));
    assert_eq!(parse(&bytes, file_len(&header)), Ok(header));
}

/// The layout that docs/formats.md gives, byte for byte.
#[test]
fn the_documented_layout() {
    let bytes = sample().to_bytes();
    let hex = |range: std::ops::Range<usize>| {
        bytes[range].iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(hex(0..8), "89 4f 50 54 41 42 0d 0a", "magic");
    assert_eq!(hex(8..10), "01 00", "format version");
    assert_eq!(hex(10..12), "00 00", "reserved");
    assert_eq!(hex(12..16), "0d 0c 0b 0a", "endianness mark");
    assert_eq!(hex(16..20), "00 10 00 00", "header length");
    assert_eq!(hex(20..24), "00 10 00 00", "block size");
    assert_eq!(hex(24..32), "c0 4e 00 00 00 00 00 00", "body length");
    assert_eq!(hex(32..40), "7f 9d 00 00 00 00 00 00", "entry count");
    assert_eq!(hex(40..44), "03 00 00 00", "ranking version");
    assert_eq!(hex(44..48), "09 00 00 00", "depth reached");
    assert_eq!(hex(48..52), "01 04 01 01", "kind, entry width, encoding, completeness");
    assert_eq!(hex(52..60), "09 00 09 00 05 00 08 00", "lengths of the strings");
    assert_eq!(hex(60..64), "00 00 00 00", "reserved");
    assert_eq!(&bytes[64..95], b"pancake 8flip 2..8wholetest 1.0");
    assert_eq!(hex(95..96), "00", "padding");
    assert_eq!(hex(96..112), "01 00 00 00 00 00 00 00 02 00 00 00 00 00 00 00", "block checksums");
    assert!(bytes[136..4088].iter().all(|&byte| byte == 0), "padding");
    assert_eq!(hex(4088..4096), "bc 27 a2 55 5a 37 c9 4b", "header checksum");
}

#[test]
fn every_flipped_bit_is_found() {
    let header = sample();
    let (bytes, file_len) = (header.to_bytes(), file_len(&header));
    for at in 0..bytes.len() {
        for bit in 0..8 {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << bit;
            assert!(parse(&damaged, file_len).is_err(), "bit {bit} of byte {at}");
        }
    }
}

#[test]
fn every_truncation_is_found() {
    let header = sample();
    let (bytes, file_len) = (header.to_bytes(), file_len(&header));
    for len in 0..bytes.len() {
        assert!(matches!(parse(&bytes[..len], file_len), Err(FormatError::Truncated { .. })), "{len} bytes");
        assert!(parse(&bytes[..len], len as u64).is_err(), "{len} bytes");
    }
    for got in [file_len - 1, file_len + 1, u64::MAX, 0] {
        assert_eq!(parse(&bytes, got), Err(FormatError::Length { expected: file_len, got }));
    }
    assert_eq!(parse(b"something", 9), Err(FormatError::NotATable));
}

/// With a fitting checksum, each field's own check has to find what is wrong.
#[test]
fn each_field_has_its_own_check() {
    let header = sample();
    let cases: &[(&str, usize, &[u8])] = &[
        ("endianness mark", 12, &[0x0a, 0x0b, 0x0c, 0x0d]),
        ("header length", 16, &[0, 0x20, 0, 0]),
        ("header length", 16, &[0xff; 4]),
        ("block size", 20, &[0; 4]),
        ("block size", 20, &[0xff; 4]),
        ("block size", 20, &[0, 8, 0, 0]),
        ("body length", 24, &[0xff; 8]),
        ("body length", 32, &[0xff; 8]),
        ("body length", 49, &[8]),
        ("header length", 52, &[0xff, 0xff]),
        ("kind", 48, &[0]),
        ("kind", 48, &[4]),
        ("encoding", 50, &[0]),
        ("encoding", 50, &[6]),
        ("entry width", 50, &[2]),
        ("completeness", 51, &[2]),
        ("padding", 10, &[1]),
        ("padding", 63, &[1]),
        ("padding", 95, &[1]),
        ("padding", 4087, &[1]),
        ("puzzle", 64, &[0xff]),
        ("operator order", 73, &[0xff]),
        ("pattern", 82, &[0xff]),
        ("generator", 87, &[0xff]),
    ];
    for (expected, at, change) in cases {
        let bytes = resealed(|bytes| bytes[*at..at + change.len()].copy_from_slice(change));
        let error = parse(&bytes, file_len(&header)).unwrap_err();
        let FormatError::Field { field, .. } = &error else { panic!("{expected} at {at}: {error}") };
        assert_eq!(field, expected, "{error}");
    }
    let older = resealed(|bytes| bytes[8] = 0);
    assert_eq!(parse(&older, file_len(&header)), Err(FormatError::Version { expected: 1, got: 0 }));
}

#[test]
fn another_table_is_named_by_the_field_that_differs() {
    let spec = sample().spec;
    assert_eq!(spec.check(&spec), Ok(()));
    type Change = fn(&mut Spec);
    let changes: [(&str, Change); 9] = [
        ("kind", |spec| spec.kind = Kind::Data),
        ("puzzle", |spec| spec.puzzle.push('9')),
        ("operator order", |spec| spec.operators.clear()),
        ("pattern", |spec| spec.pattern.push('s')),
        ("ranking version", |spec| spec.ranking = 4),
        ("encoding", |spec| spec.encoding = Encoding::Opaque),
        ("entry width", |spec| spec.bits = 8),
        ("entry count", |spec| spec.entries += 1),
        ("completeness", |spec| spec.complete = false),
    ];
    for (expected, change) in changes {
        let mut other = spec.clone();
        change(&mut other);
        let error = spec.check(&other).unwrap_err();
        assert!(matches!(error, FormatError::Mismatch { field, .. } if field == expected), "{error}");
    }
    let mut other = spec.clone();
    other.ranking = 9;
    let text = spec.check(&other).unwrap_err().to_string();
    assert_eq!(text, "the table is another one: its ranking version is 9, expected 3");
}

#[test]
fn an_empty_table_has_a_header() {
    let mut header = sample();
    header.spec.entries = 0;
    header.checksums.clear();
    assert_eq!(parse(&header.to_bytes(), file_len(&header)), Ok(header));
}

proptest! {
    #[test]
    fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..300), len: u64) {
        prop_assert!(parse(&bytes, len).is_err());
        prop_assert!(header_len(&bytes, bytes.len() as u64).is_err());
    }

    /// Damage behind a fitting checksum: whatever is accepted is a header that means these bytes.
    #[test]
    fn mutations_with_a_fitting_checksum_never_panic(
        changes in prop::collection::vec((8..140usize, any::<u8>()), 1..6), extra in 0..3u64
    ) {
        let len = file_len(&sample()) + extra;
        let bytes = resealed(|bytes| changes.iter().for_each(|&(at, value)| bytes[at] = value));
        if let Ok(header) = parse(&bytes, len) {
            prop_assert_eq!(header.to_bytes(), bytes);
            prop_assert_eq!(file_len(&header), len);
        }
    }

    #[test]
    fn all_headers_round_trip(
        strings in prop::array::uniform4("\\PC{0,40}"), entries in 0..1u64 << 24, ranking: u32, depth: u32,
        (encoding, width) in prop::sample::select(vec![(Encoding::Exact, 4), (Encoding::Exact, 8), (Encoding::Mod3, 2), (Encoding::Above, 2), (Encoding::Words, 32), (Encoding::Opaque, 8)]),
        kind in prop::sample::select(Kind::ALL.to_vec()), complete: bool, block in 12..31u32, seed: u64,
    ) {
        let [puzzle, operators, pattern, generator] = strings;
        let spec = Spec { kind, puzzle, operators, pattern, ranking, bits: width, encoding, entries, complete };
        let blocks = spec.body_len().div_ceil(1 << block);
        let checksums = (0..blocks).map(|i| seed.wrapping_mul(2 * i + 1)).collect();
        let header = Header { spec, depth, generator, block: 1 << block, checksums };
        prop_assert_eq!(parse(&header.to_bytes(), file_len(&header)), Ok(header));
    }
}
