//! The tables that the cube's heuristics read: names, contents, sizes, how they are built.

use crate::choice::SQUARES;
use crate::cube::{EDGES, Turn};
use crate::estimate::Speed;
use crate::heuristics::{AnyTable, square};
use crate::lanes::{Lanes, Portable};
use crate::mask::{Freedom, Mask};
use crate::metric::Metric;
use crate::patterns::square::{MOST_FLIPS, fill as enumerate};
use crate::patterns::{Corners, Coset, Edges, Square, coset, edges};
use search_core::Run;
use search_core::memory::Memory;
use search_core::pdb::{FillOptions, Packed, PatternSpace, fill};
use search_core::record::TableUse;
use search_core::table::{Built, Encoding, FileError, Kind, Spec, Store, TableError, Unfinished};

/// What a table holds the distances of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// The eight corners.
    Corners,
    /// A set of edges, bit `i` for edge `i`; 1 to [`edges::MOST`] of them.
    Edges(u16),
    /// The eight corners up to what a goal leaves out of account.
    CornersUpTo(Freedom),
    /// A set of edges up to the flips of some of them.
    EdgesUpTo {
        /// As in [`Edges`](Pattern::Edges).
        set: u16,
        /// Those of them whose flips are left out.
        turned: u16,
    },
    /// The cosets of ⟨U, D, R2, L2, F2, B2⟩.
    Coset,
    /// The cosets that half turns leave, with this many flips, 0 to [`MOST_FLIPS`]: two bits an
    /// entry, distances above [`square_base`].
    Square(u8),
    /// The least distances of groups of them, up to [`square_base`].
    SquareFloor(u8),
}

/// One table: a pattern in a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TableId {
    /// What it holds the distances of.
    pub pattern: Pattern,
    /// In which moves.
    pub metric: Metric,
}

/// The version of the functions from cubes to entries. Raised whenever one of them changes.
const RANKING: u32 = 3;
/// Entries that one thread fills in a second, at the least, on a machine of ten years ago.
const ENTRIES_PER_SECOND: u64 = 10_000_000;
/// Strings of turns that one thread enumerates in a second, at the least, where entries are filled
/// by enumeration.
const STRINGS_PER_SECOND: u64 = 50_000_000;
/// Bytes of such a table that are made and written in a second, at the least, on any number of threads.
const BYTES_PER_SECOND: u64 = 150_000_000;

impl TableId {
    /// The file's name without its ending.
    pub fn name(&self) -> String {
        let metric = self.metric.name();
        match self.pattern {
            Pattern::Corners => format!("cube-corners-{metric}"),
            Pattern::Edges(set) => format!("cube-edges{}-{set:03x}-{metric}", set.count_ones()),
            Pattern::CornersUpTo(Freedom { ignored, turned }) => {
                format!("cube-corners-{ignored:02x}-{turned:02x}-{metric}")
            }
            Pattern::EdgesUpTo { set, turned } => {
                format!("cube-edges{}-{set:03x}-{turned:03x}-{metric}", set.count_ones())
            }
            Pattern::Coset => format!("cube-coset-{metric}"),
            Pattern::Square(flips) => format!("cube-square{flips}-{metric}"),
            Pattern::SquareFloor(flips) => format!("cube-square{flips}floor-{metric}"),
        }
    }

    /// The table of a name that [`name`](TableId::name) gives.
    pub fn from_name(name: &str) -> Option<TableId> {
        let (front, metric) = name.strip_prefix("cube-")?.rsplit_once('-')?;
        let metric = [Metric::Htm, Metric::Qtm].into_iter().find(|m| m.name() == metric)?;
        let pattern = match front {
            "corners" => Pattern::Corners,
            "coset" => Pattern::Coset,
            square if square.starts_with("square") => {
                let rest = &square["square".len()..];
                match rest.strip_suffix("floor") {
                    Some(flips) => Pattern::SquareFloor(flips_of(flips)?),
                    None => Pattern::Square(flips_of(rest)?),
                }
            }
            pattern => {
                let mut parts = pattern.split('-');
                let kind = parts.next()?;
                let sets: Option<Vec<u16>> = parts.map(|set| u16::from_str_radix(set, 16).ok()).collect();
                match (kind, &sets?[..]) {
                    ("corners", &[ignored, turned]) => Pattern::CornersUpTo(Freedom { ignored, turned }),
                    (_, &[set]) => Pattern::Edges(set),
                    (_, &[set, turned]) => Pattern::EdgesUpTo { set, turned },
                    _ => return None,
                }
            }
        };
        let id = TableId { pattern, metric };
        let exists = match pattern {
            Pattern::Edges(set) => Edges::new(metric, set).is_ok(),
            Pattern::EdgesUpTo { set, turned } => {
                Edges::new(metric, set).is_ok() && turned != 0 && turned & !set == 0
            }
            Pattern::CornersUpTo(Freedom { ignored, turned }) => {
                (1..256).contains(&(ignored | turned)) && ignored & turned == 0
            }
            _ => true,
        };
        (exists && id.name() == name).then_some(id)
    }

    /// What the table is, for a person.
    pub fn describe(&self) -> String {
        match self.pattern {
            Pattern::Corners => "the eight corners".to_owned(),
            Pattern::Edges(set) => format!("the edges {}", edge_names(set)),
            Pattern::CornersUpTo(corners) => {
                format!("the eight corners; {}", Mask { corners, edges: Freedom::default() })
            }
            Pattern::EdgesUpTo { set, turned } => {
                format!("the edges {}; any flip of {}", edge_names(set), edge_names(turned))
            }
            Pattern::Coset => "the cosets of <U,D,R2,L2,F2,B2>, up to 16 symmetries".to_owned(),
            Pattern::Square(flips) => {
                format!(
                    "twists, tetrads, slices and {flips} flips, up to 48 symmetries, {} and more",
                    square_base(flips, self.metric)
                )
            }
            Pattern::SquareFloor(flips) => {
                format!("what square{flips} cannot tell: distances up to {}", square_base(flips, self.metric))
            }
        }
    }

    /// How many entries the table has.
    ///
    /// # Panics
    /// If the set of edges is no pattern.
    pub fn entries(&self) -> u64 {
        match self.pattern {
            Pattern::Corners | Pattern::CornersUpTo(_) => 88_179_840,
            Pattern::Edges(set) | Pattern::EdgesUpTo { set, .. } => {
                let edges = self.edges(set);
                (edges.rows() * edges.columns()) as u64
            }
            Pattern::Coset => (coset::CLASSES * coset::SLICES * coset::FLIPS) as u64,
            Pattern::Square(flips) => Square::<Portable>::entries(flips),
            Pattern::SquareFloor(flips) => Square::<Portable>::entries(flips).div_ceil(1 << square::GROUP),
        }
    }

    /// The space of a set of edges that is known to be a pattern.
    fn edges(&self, set: u16) -> Edges {
        Edges::new(self.metric, set).expect("a set of edges that is a pattern")
    }

    /// The width of an entry.
    pub fn bits(&self) -> u8 {
        if let Pattern::Square(_) = self.pattern { 2 } else { 4 }
    }

    /// The bytes of the table in memory.
    pub fn bytes(&self) -> u64 {
        (self.entries() * u64::from(self.bits())).div_ceil(8)
    }

    /// The seconds that building takes: as measured where that is known and counts, else a careful
    /// guess.
    pub fn build_seconds(&self, threads: usize, speed: Option<&Speed>) -> f64 {
        let threads = threads.max(1) as u64;
        if let Pattern::Square(_) | Pattern::SquareFloor(_) = self.pattern {
            let depth = self.plan().depth;
            let strings = enumerate::strings(self.metric, depth);
            let guess = strings as f64 / (STRINGS_PER_SECOND * threads) as f64;
            let fill = speed.map_or(guess, |speed| speed.fill_seconds(self.metric, depth));
            return fill + self.bytes() as f64 / BYTES_PER_SECOND as f64;
        }
        self.entries() as f64 / (ENTRIES_PER_SECOND * threads) as f64
    }

    /// The mean seconds that a random cube takes with this table, where that is known.
    pub fn solve_seconds(&self, speed: &Speed) -> Option<f64> {
        match self.pattern {
            Pattern::Square(flips) => speed.solve_seconds(flips, self.metric),
            _ => None,
        }
    }

    /// What the fill of a table of square cosets writes.
    fn plan(&self) -> enumerate::Plan {
        match self.pattern {
            Pattern::Square(flips) => {
                let base = square_base(flips, self.metric);
                enumerate::Plan { group: 0, base: base.into(), depth: u32::from(base) + 2 }
            }
            Pattern::SquareFloor(flips) => enumerate::Plan {
                group: square::GROUP,
                base: 0,
                depth: square_base(flips, self.metric).into(),
            },
            _ => unreachable!("only square cosets are enumerated"),
        }
    }

    /// What the file must be.
    pub fn spec(&self) -> Spec {
        let turns = self.metric.turns().iter().map(Turn::to_string).collect::<Vec<_>>();
        Spec {
            kind: Kind::PatternDatabase,
            puzzle: "cube".to_owned(),
            operators: turns.join(" "),
            pattern: self.describe(),
            ranking: RANKING,
            bits: self.bits(),
            encoding: if self.bits() == 2 { Encoding::Above } else { Encoding::Exact },
            entries: self.entries(),
            // Deeper square cosets are not reached, by choice.
            complete: !matches!(self.pattern, Pattern::Square(_) | Pattern::SquareFloor(_)),
        }
    }

    /// Fills the table.
    ///
    /// # Errors
    /// Cancelled, or no memory.
    pub fn build(&self, run: &Run<'_>) -> Result<Built, FileError> {
        self.build_in_steps(&Unfinished::NOWHERE, run)
    }

    /// The same, and a fill by enumeration goes on with what an earlier one kept.
    ///
    /// # Errors
    /// [`FileError`]: cancelled, or no memory.
    pub fn build_in_steps(&self, unfinished: &Unfinished, run: &Run<'_>) -> Result<Built, FileError> {
        match self.pattern {
            Pattern::Corners => fill_from(&Corners::new(self.metric), run),
            Pattern::CornersUpTo(freedom) => fill_from(&Corners::up_to(self.metric, freedom), run),
            Pattern::Coset => fill_from(&Coset::new(self.metric), run),
            Pattern::Edges(set) => fill_from(&self.edges(set), run),
            Pattern::EdgesUpTo { set, turned } => fill_from(&self.edges(set).turned(turned), run),
            Pattern::Square(flips) => self.enumerate::<2>(flips, unfinished, run),
            Pattern::SquareFloor(flips) => self.enumerate::<4>(flips, unfinished, run),
        }
    }

    fn enumerate<const BITS: u32>(
        &self,
        flips: u8,
        unfinished: &Unfinished,
        run: &Run<'_>,
    ) -> Result<Built, FileError> {
        #[cfg(target_arch = "x86_64")]
        {
            use crate::lanes::{Avx2, Avx512};
            if Avx512::is_available() {
                return self.enumerate_with::<Avx512, BITS>(flips, unfinished, run);
            }
            if Avx2::is_available() {
                return self.enumerate_with::<Avx2, BITS>(flips, unfinished, run);
            }
        }
        self.enumerate_with::<Portable, BITS>(flips, unfinished, run)
    }

    fn enumerate_with<V: Lanes, const BITS: u32>(
        &self,
        flips: u8,
        unfinished: &Unfinished,
        run: &Run<'_>,
    ) -> Result<Built, FileError> {
        let square = Square::<V>::new(flips);
        enumerate::fill::<V, BITS>(&square, self.metric, self.plan(), unfinished, run)
    }

    /// The table over its bytes.
    ///
    /// # Panics
    /// If there are more or fewer bytes than the entries need.
    pub fn over(&self, body: Memory) -> AnyTable {
        let entries = usize::try_from(self.entries()).expect("a body in memory has addressable entries");
        let fits = "a body of the table's length";
        match self.bits() {
            2 => AnyTable::Crumbs(Packed::new(body, entries).expect(fits).into()),
            _ => AnyTable::Nibbles(Packed::new(body, entries).expect(fits).into()),
        }
    }

    /// The table from `store`, built if it is not there.
    ///
    /// # Errors
    /// [`TableError`]; its kind tells what helps.
    pub fn get(&self, store: &Store, run: &Run<'_>) -> Result<(AnyTable, TableUse), TableError> {
        let name = self.name();
        let build = |unfinished: &Unfinished| self.build_in_steps(unfinished, run);
        let table = store.get_or_build_in_steps(&name, &self.spec(), run, build)?;
        let checksum = format!("{:016x}", table.header.body_checksum());
        Ok((self.over(table.body), TableUse { name, checksum }))
    }
}

fn fill_from(space: &impl PatternSpace, run: &Run<'_>) -> Result<Built, FileError> {
    Ok(fill::<4, _>(space, FillOptions::default(), run)?.into())
}

/// The number of flips of a table's name.
fn flips_of(digits: &str) -> Option<u8> {
    digits.parse().ok().filter(|flips| *flips <= MOST_FLIPS)
}

/// The distance that a table of square cosets with `flips` flips tells no more: 0 stands for it and
/// all smaller ones, 1 to 3 for the next, the last of which stands for all greater ones too.
///
/// Each flip more makes distances longer, and the base follows. With four flips, the table of the
/// first run, a base of 9 takes 9% fewer nodes, but half a minute to fill instead of seconds; from
/// eight on a base of 10 would take minutes more, and its nodes were not counted.
pub fn square_base(flips: u8, metric: Metric) -> u8 {
    match metric {
        Metric::Htm => 7 + u8::from(flips >= 1) + u8::from(flips >= 5),
        Metric::Qtm => 9 + u8::from(flips >= 4),
    }
}

/// The names of the edges in a set: "UR UF".
pub fn edge_names(set: u16) -> String {
    let name = |i: usize| EDGES[i].map(|face| face.letter()).iter().collect::<String>();
    (0..12).filter(|i| set >> i & 1 == 1).map(name).collect::<Vec<_>>().join(" ")
}

/// The tables that ship under short names: what `tables plan` lists.
pub fn catalogue(metric: Metric) -> Vec<TableId> {
    let small = [Pattern::Coset, Pattern::Corners, Pattern::Edges(edges::KORF), Pattern::Edges(edges::SEVEN)];
    let patterns = small.into_iter().chain(SQUARES.map(Pattern::Square));
    patterns.map(|pattern| TableId { pattern, metric }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip_and_sizes_are_the_papers() {
        for metric in [Metric::Htm, Metric::Qtm] {
            let floors =
                (0..=MOST_FLIPS).map(|flips| TableId { pattern: Pattern::SquareFloor(flips), metric });
            for id in catalogue(metric).into_iter().chain(floors) {
                assert_eq!(TableId::from_name(&id.name()), Some(id));
            }
        }
        let bytes: Vec<u64> = catalogue(Metric::Htm).iter().map(TableId::bytes).collect();
        assert_eq!(bytes[1..3], [44_089_920, 21_288_960]);
        assert_eq!(catalogue(Metric::Htm)[3].entries(), 510_935_040);
        let free = Freedom { ignored: 0x0f, turned: 0x30 };
        for pattern in [Pattern::CornersUpTo(free), Pattern::EdgesUpTo { set: 0x30f, turned: 0x101 }] {
            let id = TableId { pattern, metric: Metric::Qtm };
            assert_eq!(TableId::from_name(&id.name()), Some(id));
        }
        for bad in [
            "cube-edges6-fff-htm",
            "cube-edges6-30f-0f0-htm",
            "cube-corners-0f-htm",
            "cube-corners-00-00-htm",
            "cube-corners-0f-01-htm",
            "cube-corners-1ff-00-htm",
            "cube-edges0-000-htm",
        ] {
            assert_eq!(TableId::from_name(bad), None, "{bad}");
        }
        assert_eq!(TableId::from_name("cube-edges2-003-htm").map(|id| id.entries()), Some(528));
    }

    #[test]
    fn the_coset_table_is_as_large_as_its_space() {
        assert_eq!(Coset::new(Metric::Htm).classes(), coset::CLASSES);
    }
}
