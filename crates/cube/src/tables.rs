//! The tables that the cube's heuristics read: their names, contents, sizes and recipes.

mod distances;
mod loaded;

pub use distances::Distances;
use distances::OpenDistances;
pub use loaded::{AnyTable, Table};
pub(crate) use loaded::{Crumbs, LoadedTable};

use crate::cube::{EDGES, Turn, name};
use crate::lanes::{Everywhere, Portable};
use crate::mask::{Freedom, Kind, Mask};
use crate::metric::Metric;
use crate::pdb::square::{CLASSES, GROUP, Half, MOST_FLIPS, entries_of, fill as enumerate, sample};
use crate::pdb::{Corners, Coset, Edges, OpenCorners, Square, corners, coset};
use search_core::Run;
use search_core::memory::Memory;
use search_core::pdb::{Packed, PatternSpace};
use search_core::record::TableUse;
use search_core::table::{
    self, Built, Encoding, FileError, Proof, Recipe, Spec, Store, TableError, Unfinished, proof,
};

/// The pattern whose distances are in a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// The eight corners.
    Corners,
    /// A set of edges, bit `i` for edge `i`; 1 to [`MOST`](crate::pdb::edges::MOST) of them.
    Edges(u16),
    /// The eight corners, up to the freedom that a goal leaves.
    CornersUpTo(Freedom),
    /// A set of edges, up to the freedom that a goal leaves.
    EdgesUpTo {
        /// As in [`Edges`](Pattern::Edges).
        set: u16,
        /// The freedom that the goal leaves, limited [to the set](Freedom::of).
        freedom: Freedom,
    },
    /// The cosets of ⟨U, D, R2, L2, F2, B2⟩.
    Coset,
    /// The half-turn cosets with this number of flips, 0 to `MOST_FLIPS`: two bits per entry, distances
    /// above `square_base`.
    Square(u8),
    /// One half of a table of half-turn cosets, for addresses that are too short for the whole.
    SquareHalf(u8, Half),
    /// The least distances of groups of half-turn cosets with this number of flips, up to `square_base`.
    SquareFloor(u8),
}

/// One table: a pattern in a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TableId {
    /// The pattern of its distances.
    pub pattern: Pattern,
    /// The metric of its distances.
    pub metric: Metric,
}

/// The version of the functions from cubes to entries, raised whenever one of them changes.
const RANKING: u32 = 3;
/// A lower estimate of the entries that one thread fills per second, for a machine of ten years ago.
const ENTRIES_PER_SECOND: f64 = 10e6;
/// A lower estimate of the strings of turns that one thread enumerates per second, where entries are filled by
/// enumeration.
const STRINGS_PER_SECOND: f64 = 50e6;
/// A lower estimate of the bytes of an enumerated table that are made and written per second.
const BYTES_PER_SECOND: f64 = 150e6;
/// The estimated seconds of a build that is repeated to prove a table.
const REBUILT_SECONDS: f64 = 60.0;

impl TableId {
    /// The table with this name, as [`name`](Recipe::name) returns it.
    pub(crate) fn from_name(name: &str) -> Option<TableId> {
        let (front, metric) = name.strip_prefix("cube-")?.rsplit_once('-')?;
        let metric = [Metric::Htm, Metric::Qtm].into_iter().find(|m| m.name() == metric)?;
        let set = |digits: &str| u16::from_str_radix(digits, 16).ok();
        let pattern = match front.split('-').collect::<Vec<_>>()[..] {
            ["corners"] => Pattern::Corners,
            ["corners", ref freedom @ ..] => {
                Pattern::CornersUpTo(Freedom::from_code(Kind::Corners, freedom)?)
            }
            ["coset"] => Pattern::Coset,
            [_, edges] => Pattern::Edges(set(edges)?),
            [_, edges, ref freedom @ ..] if !freedom.is_empty() => {
                let freedom = Freedom::from_code(Kind::Edges, freedom)?;
                Pattern::EdgesUpTo { set: set(edges)?, freedom }
            }
            [square] => {
                let flips = square.strip_prefix("square")?;
                match flips.trim_start_matches(|c: char| c.is_ascii_digit()) {
                    "" => Pattern::Square(flips_of(flips)?),
                    "floor" => Pattern::SquareFloor(flips_of(flips.strip_suffix("floor")?)?),
                    what => {
                        let half = Half::BOTH.into_iter().find(|half| what == half_name(*half))?;
                        Pattern::SquareHalf(flips_of(flips.strip_suffix(what)?)?, half)
                    }
                }
            }
            _ => return None,
        };
        let id = TableId { pattern, metric };
        let exists = match pattern {
            Pattern::Edges(set) => Edges::new(metric, set).is_ok(),
            Pattern::EdgesUpTo { set, freedom } => {
                Edges::new(metric, set).is_ok()
                    && !freedom.is_none()
                    && freedom.of(Kind::Edges, set) == freedom
            }
            Pattern::CornersUpTo(freedom) => {
                !freedom.is_none()
                    && (freedom.is_of_half_turns() || freedom.of(Kind::Corners, 0xff) == freedom)
            }
            _ => true,
        };
        (exists && id.name() == name).then_some(id)
    }

    /// The number of entries of the table.
    ///
    /// # Panics
    /// If the set of edges is not a pattern.
    pub fn entries(&self) -> u64 {
        self.facts().entries
    }

    /// The work of the fill, as a number of strings of turns, for a table that is filled by enumeration.
    pub(crate) fn strings(&self) -> Option<f64> {
        match self.facts().fill {
            Fill::Enumeration { flips, spec, above } => {
                Some(enumerate::work(self.metric, flips, &spec, if above { 2 } else { 4 }))
            }
            Fill::Search(_) => None,
        }
    }

    /// The time in seconds to make and write an enumerated table, without its enumeration.
    pub(crate) fn writing_seconds(&self) -> f64 {
        self.bytes() as f64 / BYTES_PER_SECOND
    }

    /// The properties that depend on the pattern.
    fn facts(&self) -> Facts {
        let metric = self.metric;
        match self.pattern {
            Pattern::Corners => all_corners(metric, Freedom::default()),
            Pattern::CornersUpTo(freedom) => all_corners(metric, freedom),
            Pattern::Edges(set) => edge_set(metric, set, Freedom::default()),
            Pattern::EdgesUpTo { set, freedom } => edge_set(metric, set, freedom),
            Pattern::Coset => Facts {
                stem: "coset".to_owned(),
                description: "the cosets of <U,D,R2,L2,F2,B2>, up to 16 symmetries".to_owned(),
                entries: (coset::CLASSES * coset::SLICES * coset::FLIPS) as u64,
                fill: Fill::Search(Box::new(move || Box::new(Coset::new(metric)))),
            },
            Pattern::Square(flips) => square(metric, flips, None),
            Pattern::SquareHalf(flips, half) => square(metric, flips, Some(half)),
            Pattern::SquareFloor(flips) => square_floor(metric, flips),
        }
    }

    /// A table with these bytes.
    ///
    /// # Panics
    /// If there are more or fewer bytes than the entries need.
    pub fn over(&self, body: Memory) -> AnyTable {
        let entries = self.entries();
        let fits = "a body of the table's length";
        match self.spec().bits {
            2 => AnyTable::Crumbs(Packed::new(body, entries).expect(fits).into()),
            _ => AnyTable::Nibbles(Packed::new(body, entries).expect(fits).into()),
        }
    }

    /// The table from `store`, built if it does not exist.
    ///
    /// # Errors
    /// [`TableError`].
    pub fn get(&self, store: &Store, run: &Run<'_>) -> Result<(AnyTable, TableUse), TableError> {
        let table = store.get(self, run)?;
        let used = table.used();
        Ok((self.over(table.body), used))
    }
}

impl Recipe for TableId {
    fn name(&self) -> String {
        format!("cube-{}-{}", self.facts().stem, self.metric.name())
    }

    fn description(&self) -> String {
        self.facts().description
    }

    fn spec(&self) -> Spec {
        let turns = self.metric.turns().iter().map(Turn::to_string).collect::<Vec<_>>();
        let Facts { description, entries, fill, .. } = self.facts();
        let (bits, encoding, complete) = match fill {
            Fill::Search(_) => (4, Encoding::Exact, true),
            // Deeper cosets are deliberately not reached.
            Fill::Enumeration { above: true, .. } => (2, Encoding::Above, false),
            Fill::Enumeration { above: false, .. } => (4, Encoding::Exact, false),
        };
        Spec {
            kind: table::Kind::PatternDatabase,
            puzzle: "cube".to_owned(),
            operators: turns.join(" "),
            pattern: description,
            ranking: RANKING,
            bits,
            encoding,
            entries,
            complete,
        }
    }

    /// Where a goal leaves corners open, includes the smaller table that is filled first, and the list of its goals.
    fn peak_bytes(&self) -> u64 {
        let more = match &self.pattern {
            Pattern::CornersUpTo(freedom) => {
                let (entries, goals) = OpenCorners::size(freedom);
                Packed::<4, Memory>::bytes_for(entries) + goals * size_of::<usize>() as u64
            }
            _ => size_of::<usize>() as u64,
        };
        self.bytes() + more
    }

    fn build_seconds(&self, threads: usize) -> f64 {
        let (entries, threads) = (self.entries(), threads.max(1) as f64);
        match self.strings() {
            None => entries as f64 / (ENTRIES_PER_SECOND * threads),
            Some(strings) => strings / (STRINGS_PER_SECOND * threads) + self.writing_seconds(),
        }
    }

    fn build(&self, unfinished: &Unfinished, run: &Run<'_>) -> Result<Built, FileError> {
        match self.facts().fill {
            Fill::Search(space) => space().fill(None, run),
            Fill::Enumeration { flips, spec, above: true } => {
                enumerated(self.metric, flips, (spec, 2), unfinished, run)
            }
            Fill::Enumeration { flips, spec, above: false } => {
                enumerated(self.metric, flips, (spec, 4), unfinished, run)
            }
        }
    }

    /// Distances are proved by their neighbours. Cosets that are filled by enumeration are built again if that takes at
    /// most a minute and the memory allows it, and otherwise compared with random strings of turns.
    fn prove(&self, body: &[u8], run: &Run<'_>) -> Result<Proof, FileError> {
        match self.facts().fill {
            Fill::Search(space) => space().prove(body, None, run),
            Fill::Enumeration { flips, spec, above } => {
                let bytes = self.peak_bytes().saturating_add(self.bytes());
                if self.build_seconds(run.threads()) <= REBUILT_SECONDS && bytes <= run.memory() {
                    return proof::rebuild(self, body, run);
                }
                match above {
                    true => sample::<2>(self.metric, flips, &spec, body, run),
                    false => sample::<4>(self.metric, flips, &spec, body, run),
                }
            }
        }
    }
}

/// The properties of a table that depend on the pattern.
struct Facts {
    /// The name without the puzzle and the metric.
    stem: String,
    description: String,
    entries: u64,
    fill: Fill,
}

/// The way in which a table is filled.
enum Fill {
    /// Breadth-first in this space, four bits per entry.
    Search(Box<dyn Fn() -> Box<dyn Distances>>),
    /// By enumerating strings of turns: half-turn cosets.
    Enumeration {
        flips: u8,
        spec: enumerate::FillSpec,
        /// Whether entries have two bits, for distances above the base, or four, for all distances.
        above: bool,
    },
}

/// The eight corners with the given freedom.
fn all_corners(metric: Metric, freedom: Freedom) -> Facts {
    let (mut stem, mut description) = ("corners".to_owned(), "the eight corners".to_owned());
    if !freedom.is_none() {
        stem += &format!("-{}", freedom.code(Kind::Corners));
        description += &format!("; {}", Mask { corners: freedom, edges: Freedom::default() });
    }
    let space = move || match freedom.is_none() {
        true => Box::new(Corners::new(metric)) as Box<dyn Distances>,
        false => Box::new(OpenDistances { metric, freedom }),
    };
    let entries = (corners::ROWS * corners::TWISTS) as u64;
    Facts { stem, description, entries, fill: Fill::Search(Box::new(space)) }
}

/// A set of edges with the given freedom.
fn edge_set(metric: Metric, set: u16, freedom: Freedom) -> Facts {
    let space = Edges::new(metric, set).expect("a set of edges that is a pattern").up_to(freedom);
    let mut stem = format!("edges{}-{set:03x}", set.count_ones());
    let mut description = format!("the edges {}", edge_names(set));
    if !freedom.is_none() {
        stem += &format!("-{}", freedom.code(Kind::Edges));
        description += &format!("; {}", Mask { corners: Freedom::default(), edges: freedom });
    }
    let entries = (space.rows() * space.columns()) as u64;
    let space = move || Box::new(space.clone()) as Box<dyn Distances>;
    Facts { stem, description, entries, fill: Fill::Search(Box::new(space)) }
}

/// The distances of half-turn cosets beyond the base.
fn square(metric: Metric, flips: u8, half: Option<Half>) -> Facts {
    let base = u32::from(square_base(flips, metric));
    let classes = half.map_or(0..CLASSES, Half::classes);
    let entries = entries_of(classes.len(), flips);
    let what = half.map_or("", |half| match half {
        Half::First => "; the first half",
        Half::Second => "; the second half",
    });
    let spec = enumerate::FillSpec { classes, group: 0, base, depth: base + 2 };
    Facts {
        stem: format!("square{flips}{}", half.map_or("", half_name)),
        description: format!(
            "twists, tetrads, slices and {flips} flips, up to 48 symmetries, {base} and more{what}"
        ),
        entries,
        fill: Fill::Enumeration { flips, spec, above: true },
    }
}

/// The least distances of groups of half-turn cosets, up to the base.
fn square_floor(metric: Metric, flips: u8) -> Facts {
    let base = square_base(flips, metric);
    let spec = enumerate::FillSpec { classes: 0..CLASSES, group: GROUP, base: 0, depth: base.into() };
    Facts {
        stem: format!("square{flips}floor"),
        description: format!("what square{flips} cannot tell: distances up to {base}"),
        entries: Square::<Portable>::entries(flips).div_ceil(1 << spec.group),
        fill: Fill::Enumeration { flips, spec, above: false },
    }
}

/// Builds a table of half-turn cosets, with entries of 2 or 4 bits, by the best vector instructions of this machine.
fn enumerated(
    metric: Metric,
    flips: u8,
    spec: (enumerate::FillSpec, u32),
    unfinished: &Unfinished,
    run: &Run<'_>,
) -> Result<Built, FileError> {
    #[cfg(target_arch = "x86_64")]
    {
        use crate::lanes::{Avx2, Avx512};
        if Avx512::is_available() {
            return enumerate::fill::<Avx512>(&Square::new(flips), metric, spec, unfinished, run);
        }
        if Avx2::is_available() {
            return enumerate::fill::<Avx2>(&Square::new(flips), metric, spec, unfinished, run);
        }
    }
    enumerate::fill::<Everywhere>(&Square::new(flips), metric, spec, unfinished, run)
}

/// The suffix of a half in the name of a table.
fn half_name(half: Half) -> &'static str {
    match half {
        Half::First => "first",
        Half::Second => "second",
    }
}

/// The number of flips in the name of a table.
fn flips_of(digits: &str) -> Option<u8> {
    digits.parse().ok().filter(|flips| *flips <= MOST_FLIPS)
}

/// The base of a table of half-turn cosets with `flips` flips: entry 0 stands for this distance and all
/// smaller ones, 1 and 2 for the next two, 3 for all greater ones.
///
/// Each additional flip makes distances longer, and the base follows. With four flips (the table of the first
/// run), a base of 9 saves 9% of the nodes, but takes half a minute to fill instead of seconds. With eight flips, 6% of
/// the values would exceed 12, the greatest value that a base of 9 distinguishes; with nine, 18% do, with ten 36% and
/// with eleven 56% (docs/measurements/cube.md, "Shares of values").
pub(crate) fn square_base(flips: u8, metric: Metric) -> u8 {
    match metric {
        Metric::Htm | Metric::Stm | Metric::Axial => {
            7 + u8::from(flips >= 1) + u8::from(flips >= 5) + u8::from(flips >= 9)
        }
        Metric::Qtm => 9 + u8::from(flips >= 4),
    }
}

/// The names of the edges in a set: "UR UF".
pub fn edge_names(set: u16) -> String {
    let members = EDGES.iter().enumerate().filter(|(i, _)| set >> i & 1 == 1);
    members.map(|(_, edge)| name(edge)).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mask::Axis;
    use crate::pdb::edges::{KORF, SEVEN};

    #[test]
    fn names_round_trip_and_sizes_are_the_papers() {
        for metric in [Metric::Htm, Metric::Qtm] {
            let squares = (0..=MOST_FLIPS)
                .flat_map(|flips| {
                    let [first, second] = Half::BOTH.map(|half| Pattern::SquareHalf(flips, half));
                    [Pattern::Square(flips), first, second, Pattern::SquareFloor(flips)]
                })
                .map(|pattern| TableId { pattern, metric });
            let patterns = [Pattern::Coset, Pattern::Corners, Pattern::Edges(KORF), Pattern::Edges(SEVEN)];
            for id in patterns.map(|pattern| TableId { pattern, metric }).into_iter().chain(squares) {
                assert_eq!(TableId::from_name(&id.name()), Some(id));
            }
        }
        let table = |pattern| TableId { pattern, metric: Metric::Htm };
        let bytes = [Pattern::Corners, Pattern::Edges(KORF)].map(|pattern| table(pattern).bytes());
        assert_eq!(bytes, [44_089_920, 21_288_960]);
        assert_eq!(table(Pattern::Edges(SEVEN)).entries(), 510_935_040);
        let corners = Freedom::new(Kind::Corners, &[0x0f], 0x3f, Axis::Ud);
        let edges = Freedom::new(Kind::Edges, &[0xf00], 0x101, Axis::Rl);
        let free = [corners, Freedom::half_turn_corners()].map(Pattern::CornersUpTo);
        let sets = [0x30f, 0x00f].map(|set| Pattern::EdgesUpTo { set, freedom: edges.of(Kind::Edges, set) });
        for pattern in free.into_iter().chain(sets) {
            let id = TableId { pattern, metric: Metric::Qtm };
            assert_eq!(TableId::from_name(&id.name()), Some(id));
        }
        let names = free.map(|pattern| TableId { pattern, metric: Metric::Htm }.name());
        assert_eq!(names, ["cube-corners-00004567-3f-htm", "cube-corners-01011010-00-u-h-htm"]);
        for bad in [
            "cube-edges6-fff-htm",
            "cube-edges6-30f-0123456789ab-0f0-htm",
            "cube-edges6-30f-0123456789ab-000-htm",
            "cube-edges6-30f-000-htm",
            "cube-corners-0f-htm",
            "cube-corners-01234567-00-htm",
            "cube-corners-11234567-01-htm",
            "cube-corners-01234567-1ff-htm",
            "cube-edges0-000-htm",
        ] {
            assert_eq!(TableId::from_name(bad), None, "{bad}");
        }
        assert_eq!(TableId::from_name("cube-edges2-003-htm").map(|id| id.entries()), Some(528));
    }
}
