//! The recipes of the tables: pattern databases and learned automata.

use std::sync::Arc;

use search_core::Run;
use search_core::automaton::Learned;
use search_core::memory::Memory;
use search_core::table::{Built, Encoding, FileError, Kind, Recipe, Spec, Unfinished};

use crate::board::{Board, TABLE_SIDE};
use crate::fsm::{self, Pruning};
use crate::multi::MultiPattern;
use crate::pdb::{self, MAX_TILES, Pattern, Zones};

/// The version of the functions from states to entries, raised whenever one of them changes.
const RANKING: u32 = 1;
/// The order of the operators, on which an automaton depends: the directions of the blank.
const OPERATORS: &str = "U L R D";
/// The operators in the headers of pattern databases, which do not depend on their order.
const DIRECTIONS: &str = "L R U D";

/// The seconds that one thread takes to fill a byte of a pattern database. Measured: 2 s for 22,626,000 bytes
/// of 6 tiles on 5x5, 29 s for 508,331,880 of 7.
const SECONDS_PER_BYTE: f64 = 1e-7;

/// The bytes of each board's default automaton, by rows and columns from 2 to 6. Counted by learning, to the depths of
/// [`fsm::default_depth`].
const AUTOMATON_BYTES: [[u64; TABLE_SIDE - 1]; TABLE_SIDE - 1] = [
    [512, 672, 7_040, 14_368, 14_368],
    [512, 6_496, 42_656, 285_760, 311_232],
    [7_328, 41_840, 398_928, 643_200, 664_160],
    [14_672, 280_640, 635_488, 868_512, 889_168],
    [14_672, 307_376, 658_432, 891_008, 911_600],
];

/// The recipe of the table of this name.
pub fn recipe_of(name: &str) -> Option<Box<dyn Recipe>> {
    let (board, rest) = name.strip_prefix("tiles-")?.split_once('-')?;
    let board = board.parse().ok().filter(|board: &Board| !board.is_large())?;
    let recipe: Box<dyn Recipe> = match rest.strip_prefix("fsm-") {
        Some(depth) => {
            let depth = depth.parse().ok().filter(|&depth| depth <= Pruning::DEEPEST)?;
            Box::new(LearnedAutomaton { board, depth })
        }
        None if rest.starts_with("multi") => {
            Box::new(MultiPattern::named(board, rest.strip_prefix("multi")?)?)
        }
        None => {
            let mut words = rest.strip_prefix("pdb")?.split('-');
            let tiles = words.next()?.parse().ok()?;
            let homes = u32::from_str_radix(words.next()?, 16).ok()?;
            let blank = words.next().map_or(Some(0), |word| word.strip_prefix("blank")?.parse().ok())?;
            let cells = board.cells();
            let is_pattern = cells <= 32
                && (1..=MAX_TILES.min(cells - 1)).contains(&tiles)
                && homes.count_ones() as usize == tiles
                && u64::from(homes) >> cells == 0
                && usize::from(blank) < cells
                && homes >> blank & 1 == 0;
            is_pattern
                .then(|| Pattern::new(board, homes, blank, Arc::new(Zones::new(board, tiles))))
                .map(Box::new)?
        }
    };
    (recipe.name() == name).then_some(recipe)
}

impl Recipe for Pattern {
    fn name(&self) -> String {
        pdb::table_name(self.board(), self.homes(), self.blank())
    }

    fn description(&self) -> String {
        format!("additive pattern database of {} tiles of {}", self.tiles(), self.board())
    }

    fn spec(&self) -> Spec {
        Spec {
            kind: Kind::PatternDatabase,
            puzzle: format!("slidetile {}", self.board()),
            operators: DIRECTIONS.to_owned(),
            pattern: format!(
                "goal cells {:#x}, blank {}; bit 1 of the cost, by zone, class of orders and order",
                self.homes(),
                self.blank()
            ),
            ranking: RANKING,
            bits: 8,
            encoding: Encoding::Opaque,
            entries: self.table_bytes() as u64,
            complete: true,
        }
    }

    fn peak_bytes(&self) -> u64 {
        self.fill_bytes() as u64
    }

    fn build_seconds(&self, threads: usize) -> f64 {
        self.table_bytes() as f64 * SECONDS_PER_BYTE / threads.max(1) as f64
    }

    fn build(&self, unfinished: &Unfinished, run: &Run<'_>) -> Result<Built, FileError> {
        let (body, depth) = self.resumable_fill(unfinished, run)?;
        Ok(Built { body, depth })
    }
}

/// The automaton learned from duplicate operator strings on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LearnedAutomaton {
    /// The board.
    pub board: Board,
    /// The length of the longest strings.
    pub depth: usize,
}

impl LearnedAutomaton {
    /// The automaton as a table's body.
    ///
    /// # Errors
    /// [`FileError::Memory`].
    pub fn built(&self, learned: &Learned) -> Result<Built, FileError> {
        let words = fsm::automaton(&learned.strings);
        let bytes: Vec<u8> = words.table().iter().flat_map(|word| word.to_le_bytes()).collect();
        Ok(Built { body: Memory::copy_of(&bytes)?, depth: self.depth as u32 })
    }
}

impl Recipe for LearnedAutomaton {
    fn name(&self) -> String {
        format!("tiles-{}-fsm-{}", self.board, self.depth)
    }

    fn description(&self) -> String {
        format!("duplicate operator strings of up to {} moves within {}", self.depth, self.board)
    }

    fn spec(&self) -> Spec {
        Spec {
            kind: Kind::Automaton,
            puzzle: format!("slidetile {}", self.board),
            operators: OPERATORS.to_owned(),
            pattern: format!("duplicate strings of up to {} moves, pruned by bounding boxes", self.depth),
            ranking: RANKING,
            bits: 32,
            encoding: Encoding::Words,
            entries: Spec::UNKNOWN,
            complete: true,
        }
    }

    /// Exact for the default depth of a board.
    fn bytes(&self) -> u64 {
        if self.depth == fsm::default_depth(self.board) {
            return AUTOMATON_BYTES[self.board.rows() - 2][self.board.cols() - 2];
        }
        // Measured on 5x5: 0.1 MB at 12, 0.8 at 14, 4.9 at 16, 6.7 at 17.
        (125e3 * 2.5f64.powi(self.depth as i32 - 12)).min(2f64.powi(33)) as u64
    }

    /// Up to the default depths, the learner's bitmaps (at most 32 MiB) are not counted, so that searches with little
    /// memory can learn too.
    fn peak_bytes(&self) -> u64 {
        let is_default = self.depth <= fsm::default_depth(self.board);
        self.bytes() + if is_default { 0 } else { fsm::learner_bytes(self.depth) }
    }

    fn build_seconds(&self, threads: usize) -> f64 {
        11.0 * 2.4f64.powi(self.depth as i32 - 16) / threads.max(1) as f64
    }

    fn build(&self, _: &Unfinished, run: &Run<'_>) -> Result<Built, FileError> {
        self.built(&fsm::learn_duplicates(self.board, self.depth, run)?)
    }
}
