//! The header of a table file: bytes to meaning and back.
//!
//! The header binds the body's bytes to what they mean: which puzzle, operators, pattern and
//! ranking; how wide the entries are; what each block of the body hashes to. docs/formats.md gives
//! the layout, and a test holds it to that.
//!
//! Reading is one ordered validation. Every length is checked against the file's length before
//! anything is read or allocated by it, so no bytes can cause a panic, an overflow, a read out of
//! bounds or an allocation greater than the file.

use crate::cast::{to_u64, to_usize};
use crate::table::error::FormatError;
use xxhash_rust::xxh3::xxh3_64;

/// The first eight bytes of every table file.
pub const MAGIC: [u8; 8] = *b"\x89OPTAB\r\n";
/// The version of the format that this program writes and reads.
pub const VERSION: u16 = 1;
/// A number whose bytes show the byte order of the file's numbers.
pub const ENDIANNESS: u32 = 0x0A0B_0C0D;
/// The bytes of one block of the body, each with a checksum of its own, in the tables that this
/// program writes.
pub const BLOCK: u32 = 4 << 20;
/// The bytes before the first string.
pub const FIXED: usize = 64;
/// The header's length is a multiple of this, so that the body begins on a page.
const PAGE: u64 = 4096;

/// The use of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Distances in a pattern space.
    PatternDatabase = 1,
    /// The transitions of a finite automaton.
    Automaton = 2,
    /// Other data, which the pattern describes.
    Data = 3,
}

/// How the entries of a body are to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// 4 or 8 bits: the distance; all bits set: not reached.
    Exact = 1,
    /// 2 bits: the distance modulo 3; 3: not reached.
    Mod3 = 2,
    /// 32 bits: unsigned numbers, least significant byte first.
    Words = 3,
    /// 8 bits: bytes whose meaning the puzzle, the pattern and the ranking version define.
    Opaque = 4,
    /// 2 bits: the distance above a base that the pattern names; 0: the base or less; 3: three
    /// above it or more.
    Above = 5,
}

impl Kind {
    const ALL: [Kind; 3] = [Kind::PatternDatabase, Kind::Automaton, Kind::Data];
}

impl Encoding {
    const ALL: [Encoding; 5] =
        [Encoding::Exact, Encoding::Mod3, Encoding::Words, Encoding::Opaque, Encoding::Above];

    /// The widths that entries can have.
    pub(crate) const fn widths(self) -> &'static [u8] {
        match self {
            Encoding::Exact => &[4, 8],
            Encoding::Mod3 | Encoding::Above => &[2],
            Encoding::Words => &[32],
            Encoding::Opaque => &[8],
        }
    }
}

/// The specification of a table: known before it is built, and compared field by field with the
/// header of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    /// The use of the table.
    pub kind: Kind,
    /// The puzzle ("cube", "slidetile 5x5").
    pub puzzle: String,
    /// The operators in their order, as the puzzle names them.
    pub operators: String,
    /// The pattern or projection, with the goal where it is not the usual one.
    pub pattern: String,
    /// The version of the function from states to indexes. A change of what an index means changes this
    /// number.
    pub ranking: u32,
    /// The width of an entry in bits.
    pub bits: u8,
    /// How entries are read.
    pub encoding: Encoding,
    /// The number of entries; [`Spec::UNKNOWN`] where it is known only once they are built.
    pub entries: u64,
    /// Whether every entry that can be reached must be (`false`: the fill stopped at a depth, by choice).
    pub complete: bool,
}

impl Spec {
    /// The number of entries of a recipe whose build finds out how many there are: it matches any number.
    pub const UNKNOWN: u64 = 0;

    /// The bytes of the body.
    ///
    /// # Panics
    /// If there are more than 2^63 bytes, or the width is not one of the encoding's.
    pub fn body_len(&self) -> u64 {
        assert!(
            self.encoding.widths().contains(&self.bits),
            "{:?} entries of {} bits",
            self.encoding,
            self.bits
        );
        body_len(self.entries, self.bits).expect("a body that can be addressed")
    }

    /// Compares this specification with that of a file.
    ///
    /// # Errors
    /// [`FormatError::Mismatch`] names the first field that differs.
    pub fn check(&self, got: &Spec) -> Result<(), FormatError> {
        let entries = if self.entries == Spec::UNKNOWN { got.entries } else { self.entries };
        let fields = [
            ("kind", format!("{:?}", self.kind), format!("{:?}", got.kind)),
            ("puzzle", self.puzzle.clone(), got.puzzle.clone()),
            ("operator order", self.operators.clone(), got.operators.clone()),
            ("pattern", self.pattern.clone(), got.pattern.clone()),
            ("ranking version", self.ranking.to_string(), got.ranking.to_string()),
            ("encoding", format!("{:?}", self.encoding), format!("{:?}", got.encoding)),
            ("entry width", self.bits.to_string(), got.bits.to_string()),
            ("entry count", entries.to_string(), got.entries.to_string()),
            ("completeness", self.complete.to_string(), got.complete.to_string()),
        ];
        match fields.into_iter().find(|(_, expected, got)| expected != got) {
            None => Ok(()),
            Some((field, expected, got)) => Err(FormatError::Mismatch { field, expected, got }),
        }
    }
}

fn body_len(entries: u64, bits: u8) -> Option<u64> {
    let bytes = (u128::from(entries) * u128::from(bits)).div_ceil(8);
    u64::try_from(bytes).ok().filter(|&bytes| i64::try_from(bytes).is_ok())
}

/// Everything that a table file says about its body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The specification of the table.
    pub spec: Spec,
    /// The greatest distance that the fill reached (0 where there is none).
    pub depth: u32,
    /// The program that wrote the file, with its version.
    pub generator: String,
    /// The bytes of a block.
    pub block: u32,
    /// The checksum (xxh3, 64 bits) of each block of the body.
    pub checksums: Vec<u64>,
}

/// The lengths and positions that follow from the fixed part alone.
struct Layout {
    strings: [usize; 4],
    body: u64,
    blocks: u64,
    /// Where the checksums begin.
    checksums_at: u64,
    header: u64,
}

impl Layout {
    fn new(strings: [usize; 4], body: u64, block: u32) -> Layout {
        let blocks = body.div_ceil(u64::from(block));
        let checksums_at =
            (to_u64(FIXED) + strings.iter().map(|&len| to_u64(len)).sum::<u64>()).next_multiple_of(8);
        let header = (checksums_at + 8 * blocks + 8).next_multiple_of(PAGE);
        Layout { strings, body, blocks, checksums_at, header }
    }
}

impl Header {
    /// The bytes of the body.
    pub fn body_len(&self) -> u64 {
        self.spec.body_len()
    }

    /// The bytes of the header, after which the body begins.
    ///
    /// # Panics
    /// If a string has 2^16 bytes or more.
    pub fn header_len(&self) -> u64 {
        self.layout().header
    }

    /// The checksum of the whole body, which is that of its blocks' checksums, as run records name it: 16
    /// hexadecimal digits.
    pub fn checksum(&self) -> String {
        let bytes: Vec<u8> = self.checksums.iter().flat_map(|sum| sum.to_le_bytes()).collect();
        format!("{:016x}", xxh3_64(&bytes))
    }

    fn strings(&self) -> [&str; 4] {
        [&self.spec.puzzle, &self.spec.operators, &self.spec.pattern, &self.generator]
    }

    fn layout(&self) -> Layout {
        let strings = self.strings().map(str::len);
        assert!(strings.iter().all(|&len| u16::try_from(len).is_ok()), "a header's string is too long");
        Layout::new(strings, self.body_len(), self.block)
    }

    /// The header as bytes.
    ///
    /// # Panics
    /// If a string has 2^16 bytes or more, or there is not one checksum for each block.
    pub fn to_bytes(&self) -> Vec<u8> {
        let layout = self.layout();
        assert_eq!(to_u64(self.checksums.len()), layout.blocks, "one checksum for each block");
        let spec = &self.spec;
        let mut bytes = Vec::with_capacity(to_usize(layout.header));
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend([0; 2]);
        bytes.extend(ENDIANNESS.to_le_bytes());
        bytes.extend(u32::try_from(layout.header).expect("a header below 4 GiB").to_le_bytes());
        bytes.extend(self.block.to_le_bytes());
        bytes.extend(layout.body.to_le_bytes());
        bytes.extend(spec.entries.to_le_bytes());
        bytes.extend(spec.ranking.to_le_bytes());
        bytes.extend(self.depth.to_le_bytes());
        bytes.extend([spec.kind as u8, spec.bits, spec.encoding as u8, u8::from(spec.complete)]);
        layout.strings.iter().for_each(|&len| bytes.extend((len as u16).to_le_bytes()));
        bytes.resize(FIXED, 0);
        self.strings().iter().for_each(|string| bytes.extend(string.as_bytes()));
        bytes.resize(to_usize(layout.checksums_at), 0);
        self.checksums.iter().for_each(|sum| bytes.extend(sum.to_le_bytes()));
        bytes.resize(to_usize(layout.header) - 8, 0);
        bytes.extend(xxh3_64(&bytes).to_le_bytes());
        bytes
    }
}

/// Reads numbers at fixed offsets of the fixed part.
struct Fixed<'a>(&'a [u8; FIXED]);

impl Fixed<'_> {
    fn bytes<const N: usize>(&self, at: usize) -> [u8; N] {
        std::array::from_fn(|i| self.0[at + i])
    }
    fn u16(&self, at: usize) -> u16 {
        u16::from_le_bytes(self.bytes(at))
    }
    fn u32(&self, at: usize) -> u32 {
        u32::from_le_bytes(self.bytes(at))
    }
    fn u64(&self, at: usize) -> u64 {
        u64::from_le_bytes(self.bytes(at))
    }

    /// Checks magic, version and byte order, in this order: they decide how to read the rest.
    fn check_identity(&self) -> Result<(), FormatError> {
        if self.bytes(0) != MAGIC {
            return Err(FormatError::NotATable);
        }
        if self.u16(8) != VERSION {
            return Err(FormatError::Version { expected: VERSION, got: self.u16(8) });
        }
        field("endianness mark", self.u32(12), ENDIANNESS)
    }

    /// All lengths, checked against each other and against the file's length.
    fn layout(&self, file_len: u64) -> Result<Layout, FormatError> {
        let (block, body, entries, bits) = (self.u32(20), self.u64(24), self.u64(32), self.0[49]);
        if !block.is_power_of_two() || u64::from(block) < PAGE {
            return Err(bad("block size", "a power of two of at least 4096", block));
        }
        let expected = body_len(entries, bits);
        if expected != Some(body) {
            let expected = expected.map_or("less than 2^63".to_owned(), |len| len.to_string());
            return Err(FormatError::Field { field: "body length", expected, got: body.to_string() });
        }
        let strings = [52, 54, 56, 58].map(|at| usize::from(self.u16(at)));
        let layout = Layout::new(strings, body, block);
        field("header length", u64::from(self.u32(16)), layout.header)?;
        let expected = layout.header + layout.body;
        if expected != file_len {
            return Err(FormatError::Length { expected, got: file_len });
        }
        Ok(layout)
    }

    fn kind(&self) -> Result<Kind, FormatError> {
        let found = Kind::ALL.into_iter().find(|&kind| kind as u8 == self.0[48]);
        found.ok_or_else(|| bad("kind", &format!("1 to {}", Kind::ALL.len()), self.0[48]))
    }

    fn encoding(&self) -> Result<Encoding, FormatError> {
        let (bits, code) = (self.0[49], self.0[50]);
        let found = Encoding::ALL.into_iter().find(|&encoding| encoding as u8 == code);
        let encoding =
            found.ok_or_else(|| bad("encoding", &format!("1 to {}", Encoding::ALL.len()), code))?;
        if !encoding.widths().contains(&bits) {
            return Err(bad("entry width", &format!("one of {:?}", encoding.widths()), bits));
        }
        Ok(encoding)
    }

    fn complete(&self) -> Result<bool, FormatError> {
        match self.0[51] {
            0 => Ok(false),
            1 => Ok(true),
            other => Err(bad("completeness", "0 or 1", other)),
        }
    }
}

fn bad(field: &'static str, expected: &str, got: impl ToString) -> FormatError {
    FormatError::Field { field, expected: expected.to_owned(), got: got.to_string() }
}

fn field<T: PartialEq + ToString>(field: &'static str, got: T, expected: T) -> Result<(), FormatError> {
    if got == expected { Ok(()) } else { Err(bad(field, &expected.to_string(), got)) }
}

/// The header's length, from the file's first [`FIXED`] bytes (fewer if the file is shorter) and
/// its length. It is less than the file's.
///
/// # Errors
/// [`FormatError`]: what is wrong with these bytes.
pub fn header_len(start: &[u8], file_len: u64) -> Result<u64, FormatError> {
    let fixed = Fixed(start.first_chunk().ok_or_else(|| too_short(start))?);
    fixed.check_identity()?;
    Ok(fixed.layout(file_len)?.header)
}

/// Fewer bytes than a header has: a truncated table, if they begin like one.
fn too_short(start: &[u8]) -> FormatError {
    let is_table = start.iter().zip(MAGIC).all(|(&byte, magic)| byte == magic);
    if is_table { FormatError::Truncated { got: to_u64(start.len()) } } else { FormatError::NotATable }
}

/// Reads the header of a file of `file_len` bytes from its first bytes: [`header_len`] of them, or
/// more.
///
/// # Errors
/// [`FormatError`]: what is wrong with the bytes.
pub fn parse(bytes: &[u8], file_len: u64) -> Result<Header, FormatError> {
    let fixed = Fixed(bytes.first_chunk().ok_or_else(|| too_short(bytes))?);
    fixed.check_identity()?;
    let layout = fixed.layout(file_len)?;
    let header = usize::try_from(layout.header).ok().and_then(|len| bytes.get(..len));
    let header = header.ok_or(FormatError::Truncated { got: to_u64(bytes.len()) })?;
    check_sum(header)?;
    let (kind, encoding, complete) = (fixed.kind()?, fixed.encoding()?, fixed.complete()?);
    let mut rest = &header[FIXED..];
    let mut string = |index: usize| {
        let (string, after) = rest.split_at(layout.strings[index]);
        rest = after;
        String::from_utf8(string.to_vec()).map_err(|_| bad(STRINGS[index], "UTF-8", "something else"))
    };
    let (puzzle, operators) = (string(0)?, string(1)?);
    let (pattern, generator) = (string(2)?, string(3)?);
    check_padding(header, &layout)?;
    let sums = &header[to_usize(layout.checksums_at)..][..to_usize(8 * layout.blocks)];
    let (words, _) = sums.as_chunks::<8>();
    Ok(Header {
        spec: Spec {
            kind,
            puzzle,
            operators,
            pattern,
            ranking: fixed.u32(40),
            bits: header[49],
            encoding,
            entries: fixed.u64(32),
            complete,
        },
        depth: fixed.u32(44),
        generator,
        block: fixed.u32(20),
        checksums: words.iter().map(|&word| u64::from_le_bytes(word)).collect(),
    })
}

const STRINGS: [&str; 4] = ["puzzle", "operator order", "pattern", "generator"];

fn check_sum(header: &[u8]) -> Result<(), FormatError> {
    let (content, sum) = header.split_at(header.len() - 8);
    let expected = u64::from_le_bytes(std::array::from_fn(|i| sum[i]));
    let got = xxh3_64(content);
    field("its checksum", format!("{got:016x}"), format!("{expected:016x}"))
}

/// Checks that reserved bytes and padding are zero, so that each header has one form only.
fn check_padding(header: &[u8], layout: &Layout) -> Result<(), FormatError> {
    let strings_end = FIXED + layout.strings.iter().sum::<usize>();
    let checksums_end = to_usize(layout.checksums_at + 8 * layout.blocks);
    let gaps =
        [10..12, 60..FIXED, strings_end..to_usize(layout.checksums_at), checksums_end..header.len() - 8];
    match gaps.into_iter().flatten().find(|&at| header[at] != 0) {
        None => Ok(()),
        Some(at) => Err(bad("padding", "0", header[at])),
    }
}

/// A sound header of a small table, for tests.
#[cfg(test)]
pub(crate) fn sample() -> Header {
    let spec = Spec {
        kind: Kind::PatternDatabase,
        puzzle: "pancake 8".to_owned(),
        operators: "flip 2..8".to_owned(),
        pattern: "whole".to_owned(),
        ranking: 3,
        bits: 4,
        encoding: Encoding::Exact,
        entries: 40_319,
        complete: true,
    };
    Header { spec, depth: 9, generator: "test 1.0".to_owned(), block: 4096, checksums: vec![1, 2, 3, 4, 5] }
}

#[cfg(test)]
#[path = "format_tests.rs"]
mod tests;
