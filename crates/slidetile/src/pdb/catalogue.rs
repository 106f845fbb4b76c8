//! The patterns of each board and goal cell of the blank, and the partitions that they form.
//!
//! With the goal's blank in a corner, the 24-puzzle has 2,182 partitions into four connected patterns of six tiles,
//! made of 367 patterns and their reflections. The number of nodes of a search with one partition differs by an order
//! of magnitude from board to board, so many partitions are better than a single good one (`strategy::trials` chooses
//! some for each board). The patterns are listed with the most useful first, so any number of the first ones is a good
//! catalogue for a given memory. With the blank elsewhere, the patterns of the most compact partitions come first.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::frames::Frames;
use super::partition::Partition;
use super::zones::cells;
use crate::board::Board;

/// The partitions for a goal in its frames. For the 24-puzzle, those whose tables take at most `bytes`, or those of the
/// smallest number of tables that form a partition; for other boards a single one. Empty for boards of more than 32 cells,
/// and if there is none without the tables that are `avoided`, by name.
pub fn partitions(frames: &Frames, bytes: u64, avoided: &[String]) -> Vec<Partition> {
    let (board, blank) = (frames.board(), frames.blank());
    let is_avoided = |homes: &u32| {
        let homes = (*homes).min(frames.reflected(*homes));
        !avoided.is_empty() && avoided.contains(&table_name(board, homes, blank))
    };
    let single = |partition: Partition| {
        if partition.iter().any(is_avoided) { Vec::new() } else { vec![partition] }
    };
    let several = |mut patterns: Vec<u32>| {
        patterns.retain(|homes| !is_avoided(homes));
        fitting(frames, &patterns, bytes)
    };
    match (board.rows(), board.cols(), blank) {
        (4, 4, 0) => single(FIFTEEN.to_vec()),
        (5, 5, 0) => several(TWENTY_FOUR.to_vec()),
        (5, 5, _) => several(compact(frames)),
        _ if board.cells() <= 32 && !board.is_large() => single(strips(board, blank)),
        _ => Vec::new(),
    }
}

/// The name of the table of a pattern.
pub(crate) fn table_name(board: Board, homes: u32, blank: u8) -> String {
    let name = format!("tiles-{board}-pdb{}-{homes:x}", homes.count_ones());
    // Most goals have the blank in a corner and use the tables of the first cell.
    if blank == 0 { name } else { format!("{name}-blank{blank}") }
}

/// The partitions of the 24-puzzle into the first patterns that fit `bytes`, or into more if these form none. Empty if all
/// of them form none.
fn fitting(frames: &Frames, patterns: &[u32], bytes: u64) -> Vec<Partition> {
    // Filling a table takes twice its size.
    let fit = (bytes / SIX_TILES).saturating_sub(1).min(patterns.len() as u64) as usize;
    let mut catalogues = (fit..=patterns.len()).map(|count| covers(frames, &patterns[..count]));
    catalogues.find(|partitions| !partitions.is_empty()).unwrap_or_default()
}

/// The partition of the 15-puzzle of Korf & Felner 2002.
const FIFTEEN: [u32; 2] = [0x3332, 0xcccc];

/// The bytes of a table of the 24-puzzle, header included.
const SIX_TILES: u64 = 22_626_000 + 4096;

/// The 24-puzzle's patterns of six tiles.
const TWENTY_FOUR: [u32; 367] = [
    0x00004e6, 0x0001398, 0x0006318, 0x18c6000, 0x0043188, 0x1884210, 0x0043908, 0x000046e, 0x0006390,
    0x0001b90, 0x0043980, 0x007e000, 0x000039c, 0x00010e6, 0x000007e, 0x0007380, 0x0217800, 0x0001f80,
    0x004218c, 0x0084318, 0x10e1800, 0x10e1080, 0x10e6000, 0x0085380, 0x0084390, 0x00e7000, 0x1084380,
    0x0004398, 0x0063180, 0x18c3000, 0x1084218, 0x10e3000, 0x0063108, 0x1c84200, 0x0086310, 0x0063900,
    0x10c3800, 0x00001e6, 0x0007218, 0x00f1800, 0x00f3000, 0x0021390, 0x00000ee, 0x0007310, 0x1084310,
    0x00e1084, 0x0063880, 0x00e3800, 0x10c7000, 0x0086380, 0x000431c, 0x00008e6, 0x00030e2, 0x00e1880,
    0x0063084, 0x0077000, 0x0043d00, 0x004310c, 0x10c3080, 0x0003198, 0x18c4200, 0x0023118, 0x10e4200,
    0x0003918, 0x0037800, 0x0042318, 0x1c86000, 0x0043380, 0x000219c, 0x0003d80, 0x00e3080, 0x0043184,
    0x000311c, 0x000086e, 0x0086218, 0x0023980, 0x10c4210, 0x0003988, 0x0023188, 0x0046310, 0x000318c,
    0x0023908, 0x00c4310, 0x002308c, 0x10a7000, 0x0003318, 0x18e4000, 0x0003390, 0x0003862, 0x0003b10,
    0x0025380, 0x0013980, 0x00c6210, 0x0043310, 0x1887000, 0x0046218, 0x0046380, 0x004308c, 0x0013908,
    0x00f1080, 0x0021b80, 0x0042390, 0x008421c, 0x1086300, 0x00c3880, 0x00c7800, 0x0062118, 0x0003b80,
    0x0042198, 0x00b7000, 0x0061380, 0x0023184, 0x00c4218, 0x0033180, 0x1086210, 0x0011988, 0x0066210,
    0x0053880, 0x000016e, 0x0007290, 0x0043c80, 0x000198c, 0x005b800, 0x001b880, 0x00d3800, 0x0067800,
    0x00c4380, 0x0002398, 0x1cc4000, 0x0005390, 0x18e2000, 0x000231c, 0x00014e2, 0x00e5800, 0x0023380,
    0x10e5000, 0x00018e2, 0x0043118, 0x0005b80, 0x0023310, 0x00f5000, 0x00005e2, 0x000621c, 0x00011e2,
    0x0023d00, 0x0053900, 0x1884300, 0x004211c, 0x0011b80, 0x000429c, 0x00c3900, 0x18c2100, 0x0076800,
    0x10c3100, 0x10f1000, 0x000390c, 0x0073100, 0x00e3100, 0x001bc00, 0x002310c, 0x1886200, 0x000119c,
    0x10c6200, 0x0001998, 0x0062380, 0x0021198, 0x00e6200, 0x0097800, 0x0057800, 0x10f0800, 0x00009e2,
    0x00e4210, 0x00a7800, 0x10c4300, 0x000309c, 0x0023884, 0x0013c80, 0x00f6000, 0x0013d00, 0x0013884,
    0x0043884, 0x000bc80, 0x00e5080, 0x0003984, 0x00f0c00, 0x10e2100, 0x10f4000, 0x0062188, 0x00021e2,
    0x10f2000, 0x0062310, 0x00e1180, 0x002109c, 0x00f4800, 0x00f4200, 0x000388c, 0x00c6300, 0x000189c,
    0x0066300, 0x0072300, 0x001b900, 0x0011984, 0x000bd00, 0x004bc00, 0x006210c, 0x0031380, 0x0053c00,
    0x0062184, 0x00f2100, 0x00f2800, 0x0076200, 0x0033108, 0x0072108, 0x1087800, 0x00e5200, 0x0009d80,
    0x000129c, 0x10c6100, 0x1886100, 0x0076100, 0x00e6100, 0x0072180, 0x00e4300, 0x00001ce, 0x0043c20,
    0x000118e, 0x0023086, 0x0043086, 0x00000de, 0x0003d20, 0x000031e, 0x00008ce, 0x00018c6, 0x00009c6,
    0x00070e0, 0x000421e, 0x00c3180, 0x000085e, 0x00031e0, 0x0007a10, 0x0007842, 0x004210e, 0x00034e0,
    0x00085e0, 0x000015e, 0x0003ca0, 0x0007a80, 0x0000de0, 0x0067080, 0x000094e, 0x000029e, 0x00019e0,
    0x00019c2, 0x0007b00, 0x000211e, 0x00025e0, 0x00430e0, 0x00015e0, 0x00038e0, 0x00078c0, 0x00c7100,
    0x00230e0, 0x00039c0, 0x00a7080, 0x0043842, 0x000109e, 0x0043b00, 0x0003960, 0x000184e, 0x0067100,
    0x0013842, 0x0007940, 0x00109c2, 0x00421e0, 0x0003942, 0x0027880, 0x00138c0, 0x000025e, 0x0001da0,
    0x00c7080, 0x0007980, 0x0023b00, 0x00038c2, 0x00029e0, 0x0001986, 0x000019e, 0x0003c60, 0x00c7200,
    0x0007a40, 0x00630c0, 0x0027210, 0x00a7200, 0x0067200, 0x0047210, 0x00011c6, 0x0087210, 0x0047300,
    0x00030c6, 0x1087200, 0x0027280, 0x0047180, 0x000218e, 0x0027a00, 0x0013860, 0x0047280, 0x0063300,
    0x0027180, 0x0017880, 0x00021c6, 0x0003186, 0x00270c0, 0x00438c0, 0x0043940, 0x00430c2, 0x1086180,
    0x0037080, 0x0047880, 0x0013c20, 0x0027300, 0x00431c0, 0x00230c2, 0x0047a00, 0x0023940, 0x0017a00,
    0x000214e, 0x0003846, 0x00a7100, 0x00470c0, 0x0027900, 0x00231c0, 0x00870c0, 0x0087280, 0x00010ce,
    0x00029c2, 0x0047900, 0x0043860, 0x00129c0, 0x000310e, 0x00429c0, 0x0087300, 0x0066180, 0x0087a00,
    0x000bc20, 0x0013b00, 0x0087880, 0x0003886, 0x0017900, 0x10c2180, 0x0037100, 0x1087080, 0x000308e,
    0x0037200, 0x000188e, 0x00621c0, 0x0087180, 0x0013940, 0x1087100, 0x00c21c0, 0x00c6180, 0x0042186,
    0x00031c2, 0x00421c2, 0x0087900, 0x00e2180, 0x0033300, 0x00119c0, 0x00238c0,
];

/// All partitions of the 24-puzzle into some patterns and their reflections, one of each partition and its
/// reflection.
fn covers(frames: &Frames, patterns: &[u32]) -> Vec<Partition> {
    let reflections = patterns.iter().map(|&homes| frames.reflected(homes));
    let all: BTreeSet<u32> = patterns.iter().copied().chain(reflections).collect();
    let mut by_first = vec![Vec::new(); frames.board().cells()];
    for set in all {
        by_first[set.trailing_zeros() as usize].push(set);
    }
    let (mut found, mut partition) = (BTreeSet::new(), Vec::new());
    let tiles = u32::MAX >> (32 - frames.board().cells()) & !(1 << frames.blank());
    cover(&by_first, tiles, &mut partition, &mut |partition| {
        let mut other: Partition = partition.iter().map(|&homes| frames.reflected(homes)).collect();
        other.sort_unstable_by_key(|homes| homes.trailing_zeros());
        found.insert(partition.to_vec().min(other));
    });
    found.into_iter().collect()
}

/// The connected patterns of six tiles that occur in partitions, the lesser of each pattern and its reflection. Those
/// of compact partitions, with the most pairs of neighbours in one pattern, come first.
fn compact(frames: &Frames) -> Vec<u32> {
    let board = frames.board();
    let mut partitions = covers(frames, &connected(board, frames.blank()));
    let neighbours = |set: u32| {
        let inside = |cell: usize| board.neighbours(cell).filter(|next| set >> next & 1 == 1).count();
        cells(set).map(inside).sum::<usize>()
    };
    // A stable sort: equal ones keep their order.
    partitions.sort_by_key(|sets| Reverse(sets.iter().map(|&set| neighbours(set)).sum::<usize>()));
    let (mut patterns, mut known) = (Vec::new(), BTreeSet::new());
    for set in partitions.into_iter().flatten() {
        let homes = set.min(frames.reflected(set));
        if known.insert(homes) {
            patterns.push(homes);
        }
    }
    patterns
}

/// All connected sets of six cells without the blank's.
fn connected(board: Board, blank: u8) -> Vec<u32> {
    let mut sets: BTreeSet<u32> = (0..board.cells()).map(|cell| 1 << cell).collect();
    for _ in 1..6 {
        let larger = |&set: &u32| {
            let next = cells(set).flat_map(move |cell| board.neighbours(cell));
            next.filter(move |cell| set >> cell & 1 == 0).map(move |cell| set | 1 << cell)
        };
        sets = sets.iter().flat_map(larger).collect();
    }
    sets.retain(|set| set >> blank & 1 == 0);
    sets.into_iter().collect()
}

/// Calls `each` with every way to cover `rest` by disjoint sets, in the order of their first cells.
fn cover(by_first: &[Vec<u32>], rest: u32, partition: &mut Partition, each: &mut impl FnMut(&[u32])) {
    if rest == 0 {
        return each(partition);
    }
    for &set in by_first[rest.trailing_zeros() as usize].iter().filter(|&set| set & !rest == 0) {
        partition.push(set);
        cover(by_first, rest & !set, partition, each);
        partition.pop();
    }
}

/// The greatest number of tiles in a pattern of [`strips`], chosen so that all tables are built within seconds.
fn strip_tiles(board: Board) -> usize {
    match board.cells() {
        ..=16 => 8,
        17..=20 => 7,
        _ => 6,
    }
}

/// The partition into patterns of nearly equal size along a path that winds through the columns.
fn strips(board: Board, blank: u8) -> Partition {
    let down = |col| (0..board.rows()).map(move |row| board.cell(row, col));
    let column = |col: usize| -> Vec<usize> {
        if col.is_multiple_of(2) { down(col).collect() } else { down(col).rev().collect() }
    };
    let path: Vec<usize> =
        (0..board.cols()).flat_map(column).filter(|&cell| cell != usize::from(blank)).collect();
    let patterns = path.len().div_ceil(strip_tiles(board));
    let cut = |pattern: usize| pattern * path.len() / patterns;
    (0..patterns)
        .map(|pattern| path[cut(pattern)..cut(pattern + 1)].iter().fold(0, |set, &cell| set | 1 << cell))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::Puzzle;
    use crate::tiles::Tiles;
    use std::collections::HashSet;

    /// The frames of a goal of the 24-puzzle.
    fn frames(blank: usize) -> Frames {
        let board = Board::new(5, 5).unwrap();
        let mut tiles: Vec<usize> = (1..board.cells()).collect();
        tiles.insert(blank, 0);
        Frames::of(&Puzzle::new(board, Tiles::new(board, &tiles).unwrap()))
    }

    #[test]
    fn the_24_puzzle_has_all_partitions_into_connected_patterns_of_six() {
        let (corner, board) = (frames(0), Board::new(5, 5).unwrap());
        let all = partitions(&corner, u64::MAX, &[]);
        assert_eq!((all.len(), TWENTY_FOUR.len()), (1093, 367));
        let connected = |set: u32| {
            let mut reached = set & set.wrapping_neg();
            for _ in 0..6 {
                reached |=
                    cells(reached).flat_map(|cell| board.neighbours(cell)).fold(0, |a, b| a | 1 << b) & set;
            }
            reached == set
        };
        for partition in &all {
            assert!(partition.iter().all(|&set| set.count_ones() == 6 && connected(set)));
            assert_eq!(partition.iter().sum::<u32>(), (1 << 25) - 2, "each cell but the first once");
        }
        // Each set of partitions, and of patterns, has one of two reflections.
        let key = |partition: &Partition| -> Vec<u32> {
            let mut sets: Vec<u32> = partition.iter().map(|&set| corner.reflected(set)).collect();
            sets.sort_unstable_by_key(|set| set.trailing_zeros());
            sets
        };
        let known: HashSet<&Partition> = all.iter().collect();
        assert!(all.iter().all(|partition| key(partition) == *partition || !known.contains(&key(partition))));
        let patterns: HashSet<u32> = TWENTY_FOUR.into_iter().collect();
        assert_eq!(patterns.len(), 367);
        assert!(patterns.iter().all(|&set| set <= corner.reflected(set)));
    }

    /// Listing all partitions gives the patterns of the table above.
    #[test]
    fn listing_all_partitions_gives_the_patterns_of_the_table() {
        let listed: BTreeSet<u32> = compact(&frames(0)).into_iter().collect();
        assert_eq!(listed, TWENTY_FOUR.into_iter().collect());
    }

    #[test]
    fn a_smaller_memory_has_fewer_partitions() {
        let counts = |blank| {
            [0, 100_000_000, 1 << 30, 4 << 30].map(|bytes| partitions(&frames(blank), bytes, &[]).len())
        };
        assert_eq!(counts(0), [1, 1, 53, 430]);
        for blank in [1, 2, 6, 7, 12] {
            let counts = counts(blank);
            assert!(counts[0] >= 1 && counts.is_sorted() && counts[3] > 100, "{blank}: {counts:?}");
        }
    }

    #[test]
    fn avoided_tables_are_in_no_partition() {
        let corner = frames(0);
        let names = |partitions: &[Partition]| -> HashSet<String> {
            let name = |&homes: &u32| table_name(corner.board(), homes.min(corner.reflected(homes)), 0);
            partitions.iter().flatten().map(name).collect()
        };
        let first = names(&partitions(&corner, 1 << 30, &[]));
        let avoided: Vec<String> = first.iter().cloned().collect();
        let others = partitions(&corner, 1 << 30, &avoided);
        assert!(!others.is_empty() && names(&others).is_disjoint(&first));
        let all: Vec<String> = names(&partitions(&corner, u64::MAX, &[])).into_iter().collect();
        assert!(partitions(&corner, 1 << 30, &all).is_empty());
    }
}
