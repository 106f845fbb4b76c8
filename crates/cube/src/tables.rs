//! The tables that the cube's heuristics read: names, contents, sizes, how they are built.

use crate::cube::{EDGES, Turn};
use crate::heuristics::Table;
use crate::metric::Metric;
use crate::patterns::{Corners, Coset, Edges, coset, edges};
use search_core::pdb::{FillOptions, PatternSpace, fill};
use search_core::record::TableUse;
use search_core::table::{Built, Encoding, FileError, Kind, Spec, Store, TableError};
use search_core::{Cancel, Progress};

/// What a table holds the distances of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// The eight corners.
    Corners,
    /// A set of edges, bit `i` for edge `i`; 1 to [`edges::MOST`] of them.
    Edges(u16),
    /// The cosets of ⟨U, D, R2, L2, F2, B2⟩.
    Coset,
}

/// One table: a pattern in a metric, four bits an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TableId {
    /// What it holds the distances of.
    pub pattern: Pattern,
    /// In which moves.
    pub metric: Metric,
}

/// The version of the functions from cubes to entries. Raised whenever one of them changes.
const RANKING: u32 = 2;
/// Entries that one thread fills in a second, at the least, on a machine of ten years ago.
const ENTRIES_PER_SECOND: u64 = 10_000_000;

impl TableId {
    /// The file's name without its ending.
    pub fn name(&self) -> String {
        let metric = self.metric.name();
        match self.pattern {
            Pattern::Corners => format!("cube-corners-{metric}"),
            Pattern::Edges(set) => format!("cube-edges{}-{set:03x}-{metric}", set.count_ones()),
            Pattern::Coset => format!("cube-coset-{metric}"),
        }
    }

    /// The table of a name that [`name`](TableId::name) gives.
    pub fn from_name(name: &str) -> Option<TableId> {
        let (front, metric) = name.strip_prefix("cube-")?.rsplit_once('-')?;
        let metric = [Metric::Htm, Metric::Qtm].into_iter().find(|m| m.name() == metric)?;
        let pattern = match front {
            "corners" => Pattern::Corners,
            "coset" => Pattern::Coset,
            edges => {
                let set = u16::from_str_radix(edges.strip_prefix("edges")?.split_once('-')?.1, 16).ok()?;
                Edges::new(metric, set).ok()?;
                Pattern::Edges(set)
            }
        };
        let id = TableId { pattern, metric };
        (id.name() == name).then_some(id)
    }

    /// What the table is, for a person.
    pub fn describe(&self) -> String {
        match self.pattern {
            Pattern::Corners => "the eight corners".to_owned(),
            Pattern::Edges(set) => format!("the edges {}", edge_names(set)),
            Pattern::Coset => "the cosets of <U,D,R2,L2,F2,B2>, up to 16 symmetries".to_owned(),
        }
    }

    /// How many entries the table has.
    ///
    /// # Panics
    /// If the set of edges is no pattern.
    pub fn entries(&self) -> u64 {
        match self.pattern {
            Pattern::Corners => 88_179_840,
            Pattern::Edges(set) => {
                let edges = Edges::new(self.metric, set).expect("a set of edges that is a pattern");
                (edges.rows() * edges.columns()) as u64
            }
            Pattern::Coset => (coset::CLASSES * coset::SLICES * coset::FLIPS) as u64,
        }
    }

    /// The bytes of the table in memory.
    pub fn bytes(&self) -> u64 {
        self.entries().div_ceil(2)
    }

    /// A careful guess at the seconds that building takes.
    pub fn build_seconds(&self, threads: usize) -> f64 {
        self.entries() as f64 / (ENTRIES_PER_SECOND * threads.max(1) as u64) as f64
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
            bits: 4,
            encoding: Encoding::Exact,
            entries: self.entries(),
            complete: true,
        }
    }

    /// Fills the table on the current rayon pool.
    ///
    /// # Errors
    /// Cancelled, or no memory.
    pub fn build(&self, progress: &dyn Progress, cancel: &Cancel) -> Result<Built, FileError> {
        match self.pattern {
            Pattern::Corners => fill_from(&Corners::new(self.metric), progress, cancel),
            Pattern::Coset => fill_from(&Coset::new(self.metric), progress, cancel),
            Pattern::Edges(set) => {
                let edges = Edges::new(self.metric, set).expect("a set of edges that is a pattern");
                fill_from(&edges, progress, cancel)
            }
        }
    }

    /// The table from `store`, built on the current rayon pool if it is not there.
    ///
    /// # Errors
    /// [`TableError`]; its kind tells what helps.
    pub fn get(
        &self,
        store: &Store,
        progress: &dyn Progress,
        cancel: &Cancel,
    ) -> Result<(Table, TableUse), TableError> {
        let name = self.name();
        let table = store.get_or_build(&name, &self.spec(), progress, cancel, |progress, cancel| {
            self.build(progress, cancel)
        })?;
        let checksum = format!("{:016x}", table.header.body_checksum());
        Ok((table.into_packed(), TableUse { name, checksum }))
    }
}

fn fill_from(
    space: &impl PatternSpace,
    progress: &dyn Progress,
    cancel: &Cancel,
) -> Result<Built, FileError> {
    Ok(fill::<4, _>(space, FillOptions::default(), progress, cancel)?.into())
}

/// The names of the edges in a set: "UR UF".
pub fn edge_names(set: u16) -> String {
    let name = |i: usize| EDGES[i].map(|face| face.letter()).iter().collect::<String>();
    (0..12).filter(|i| set >> i & 1 == 1).map(name).collect::<Vec<_>>().join(" ")
}

/// The tables that ship under short names: what `tables plan` lists.
pub fn catalogue(metric: Metric) -> Vec<TableId> {
    [Pattern::Coset, Pattern::Corners, Pattern::Edges(edges::KORF), Pattern::Edges(edges::SEVEN)]
        .map(|pattern| TableId { pattern, metric })
        .to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip_and_sizes_are_the_papers() {
        for metric in [Metric::Htm, Metric::Qtm] {
            for id in catalogue(metric) {
                assert_eq!(TableId::from_name(&id.name()), Some(id));
            }
        }
        let bytes: Vec<u64> = catalogue(Metric::Htm).iter().map(TableId::bytes).collect();
        assert_eq!(bytes[1..3], [44_089_920, 21_288_960]);
        assert_eq!(catalogue(Metric::Htm)[3].entries(), 510_935_040);
        assert_eq!(TableId::from_name("cube-edges6-fff-htm"), None);
        assert_eq!(TableId::from_name("cube-edges2-003-htm").map(|id| id.entries()), Some(528));
    }

    #[test]
    fn the_coset_table_is_as_large_as_its_space() {
        assert_eq!(Coset::new(Metric::Htm).classes(), coset::CLASSES);
    }
}
