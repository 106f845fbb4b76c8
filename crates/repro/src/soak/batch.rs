//! Seeded batches of instances, bad ones among them, and the answer required for each line.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use referee::{cube, tiles};
use serde_json::Value;

/// The commands that run throughout: cubes, boards.
pub const LONG: [&str; 2] =
    ["cube-opt solve --deterministic --heuristic square-0", "tile24 solve --heuristic pdb"];
/// The commands that are started for each batch, with tables that are built and removed meanwhile.
pub const SHORT: [&str; 2] = ["cube-opt solve --heuristic edges6", "tile24 solve --heuristic lc"];

const CUBES: usize = 1000;
const BOARDS: usize = 300;
/// The number of lines of which one is bad.
const BAD: u32 = 20;
/// The maximum number of random turns and moves, so that an answer takes milliseconds.
const TURNS: u32 = 10;
const MOVES: u32 = 60;

/// One line of a batch.
pub struct Case {
    line: String,
    puzzle: Option<Puzzle>,
}

/// The puzzle of a sound line.
enum Puzzle {
    Cube,
    /// Tiles on a square board of this side.
    Board(usize),
}

/// A batch of one puzzle.
pub struct Batch(Vec<Case>);

impl Batch {
    /// The `number`-th batches: cubes, boards.
    pub fn pair(seed: u64, number: usize) -> [Batch; 2] {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(number as u64);
        let cubes = (0..CUBES).map(|_| cube_case(&mut random)).collect();
        let boards = (0..BOARDS).map(|_| board_case(&mut random)).collect();
        [Batch(cubes), Batch(boards)]
    }

    /// The number of lines.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The lines, as a solver reads them.
    pub fn lines(&self) -> String {
        self.0.iter().map(|case| format!("{}\n", case.line)).collect()
    }

    /// The lines, each with the required answer.
    pub fn cases(&self) -> &[Case] {
        &self.0
    }
}

fn cube_case(random: &mut ChaCha8Rng) -> Case {
    let turns: Vec<String> = (0..=random.next_u32() % TURNS).map(|_| turn(random)).collect();
    let line = turns.join(" ");
    if !random.next_u32().is_multiple_of(BAD) {
        return Case { line, puzzle: Some(Puzzle::Cube) };
    }
    let bad = match random.next_u32() % 4 {
        0 => format!("{line} X"),
        1 => "UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBB".to_owned(),
        2 => "UF UR UB UL DF DR DB DL FR FL BR BL UFR URB UBL ULF DRF DFL DLB BDR".to_owned(),
        _ => "\u{1b}[31m(R U".to_owned(),
    };
    Case { line: bad, puzzle: None }
}

fn turn(random: &mut ChaCha8Rng) -> String {
    let mut one_of = |words: &[&str]| words[random.next_u32() as usize % words.len()].to_owned();
    one_of(&["U", "R", "F", "D", "L", "B"]) + &one_of(&["", "'", "2"])
}

fn board_case(random: &mut ChaCha8Rng) -> Case {
    let side = 2 + random.next_u32() as usize % 3;
    let mut tiles: Vec<usize> = (0..side * side).collect();
    let mut blank = 0;
    for _ in 0..random.next_u32() % MOVES {
        let (row, column) = (blank / side, blank % side);
        let neighbours = [
            (row > 0).then(|| blank - side),
            (column > 0).then(|| blank - 1),
            (row + 1 < side).then(|| blank + side),
            (column + 1 < side).then(|| blank + 1),
        ];
        if let Some(cell) = neighbours[random.next_u32() as usize % 4] {
            tiles.swap(blank, cell);
            blank = cell;
        }
    }
    if !random.next_u32().is_multiple_of(BAD) {
        return Case { line: numbers(&tiles), puzzle: Some(Puzzle::Board(side)) };
    }
    match random.next_u32() % 3 {
        // An odd permutation.
        0 => {
            let (one, other) = if blank < 2 { (2, 3) } else { (0, 1) };
            tiles.swap(one, other);
        }
        1 => tiles[0] = tiles[1],
        _ => tiles.push(side * side),
    }
    Case { line: numbers(&tiles), puzzle: None }
}

fn numbers(tiles: &[usize]) -> String {
    tiles.iter().map(usize::to_string).collect::<Vec<_>>().join(" ")
}

impl Case {
    /// The line.
    pub fn line(&self) -> &str {
        &self.line
    }

    /// The length that an answer claims, after the referee has replayed it; `None` for a bad line that is refused.
    pub fn judge(&self, answer: &str) -> Result<Option<u64>, String> {
        let value: Value = serde_json::from_str(answer).map_err(|error| format!("{error}: {answer}"))?;
        let Some(puzzle) = &self.puzzle else {
            let is_refused = value["error"]["kind"] == "malformed";
            return if is_refused { Ok(None) } else { Err(format!("not refused: {answer}")) };
        };
        let result = &value["result"];
        let (Some(length), Some(solution)) = (result["length"].as_u64(), result["solutions"][0].as_str())
        else {
            return Err(format!("not solved: {answer}"));
        };
        self.replay(puzzle, solution, length).map_err(|refusal| format!("{refusal}: {answer}"))?;
        Ok(Some(length))
    }

    fn replay(&self, puzzle: &Puzzle, solution: &str, length: u64) -> Result<(), referee::Refusal> {
        match puzzle {
            Puzzle::Cube => {
                let goal = cube::Cube::solved();
                let start = goal.after_all(&cube::parse_moves(&self.line)?);
                cube::check(&start, &goal, solution, cube::Metric::HalfTurn, length)
            }
            Puzzle::Board(side) => {
                let goal = numbers(&(0..side * side).collect::<Vec<_>>());
                let board = |text: &str| tiles::Board::parse(*side, *side, text);
                tiles::check(&board(&self.line)?, &board(&goal)?, solution, length)
            }
        }
    }
}
