//! `tile24 heuristic`: the value of every heuristic with reasons, and the gains of the parts on random boards.

use clap::Args;
use puzzle_cli::{Exit, Failure, Instance, Output, Session};
use serde::Serialize;

use super::instance::PuzzleArgs;
use crate::heuristic::classic::Parts;
use crate::heuristic::explain::explain;
use crate::heuristic::{Grouped, corners};
use crate::random::Instances;

/// Show the value of every heuristic for a board, with reasons, conflict by conflict
#[derive(Args, Clone, Debug)]
pub struct HeuristicArgs {
    /// Boards; with none, or with -, they are read from standard input, one per line
    #[arg(value_name = "TILES")]
    tiles: Vec<String>,
    /// Learn triples too, which takes some seconds on 5x5
    #[arg(long)]
    triples: bool,
    /// Show instead how often each part increases the value on N random boards of --size
    #[arg(long, value_name = "N", conflicts_with = "tiles")]
    sample: Option<usize>,
    /// Random seed
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    puzzle: PuzzleArgs,
}

#[derive(Serialize)]
struct Values {
    instance: String,
    manhattan: u32,
    linear_conflict: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pairs: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    triples: Option<u8>,
    korf96: u32,
    why: String,
}

/// Mean values of random boards, and the share of boards whose value a part increases.
#[derive(Serialize)]
struct Shares {
    size: String,
    seed: u64,
    sample: usize,
    manhattan: f64,
    korf96: f64,
    gain_from_conflicts: f64,
    gain_from_last_move: f64,
    gain_from_last_two_moves: f64,
    gain_from_corners: f64,
}

pub(super) fn run(args: &HeuristicArgs, session: &Session) -> Result<Exit, Failure> {
    args.puzzle.refuse_multi("heuristic")?;
    match args.sample {
        Some(sample) => shares(args, sample, session),
        None => args.puzzle.batch::<super::Args>(&args.tiles, session, |instance, output| {
            values(args, instance, output, session)
        }),
    }
}

fn values(
    args: &HeuristicArgs,
    instance: &Instance,
    output: &mut Output,
    session: &Session,
) -> Result<Exit, Failure> {
    let (puzzle, tiles) = args.puzzle.read(&instance.text)?;
    let all = explain(&puzzle, Parts::ALL, &tiles);
    // Tables have at most 32 cells.
    let learned = |size, wanted: bool| {
        let grouped = || Grouped::new(&puzzle, size, &session.run()).value(&tiles);
        (wanted && puzzle.board().cells() <= 32).then(grouped)
    };
    let mut why = all.to_string();
    if !corners::applies(puzzle.board()) {
        why += "\n      (the corner heuristic is off on boards with a side of 2)";
    }
    let values = Values {
        instance: instance.text.clone(),
        manhattan: all.manhattan,
        linear_conflict: explain(&puzzle, Parts::CONFLICTS, &tiles).value(),
        pairs: learned(2, true),
        triples: learned(3, args.triples),
        korf96: all.value(),
        why,
    };
    output.record(&values, |v| {
        let shown = [
            ("md", Some(v.manhattan)),
            ("lc", Some(v.linear_conflict)),
            ("pairs", v.pairs.map(u32::from)),
            ("triples", v.triples.map(u32::from)),
            ("korf96", Some(v.korf96)),
        ];
        let line: Vec<String> =
            shown.iter().filter_map(|(name, value)| Some(format!("{name} {}", (*value)?))).collect();
        std::iter::once(line.join(", ")).chain(v.why.lines().map(str::to_owned)).collect()
    })?;
    Ok(Exit::Done)
}

fn shares(args: &HeuristicArgs, sample: usize, session: &Session) -> Result<Exit, Failure> {
    let board = args.puzzle.board()?;
    let puzzle = args.puzzle.on(board)?;
    let none = Parts::MANHATTAN;
    let parts = [
        none,
        Parts::CONFLICTS,
        Parts { last_moves: 1, ..none },
        Parts { last_moves: 2, ..none },
        Parts { corners: true, ..none },
        Parts::ALL,
    ];
    let (mut sums, mut gains) = ([0u64; 6], [0u64; 6]);
    for tiles in Instances::new(board, *puzzle.goal(), args.seed).take(sample) {
        session.run().check().map_err(Failure::interrupted)?;
        let values = parts.map(|parts| explain(&puzzle, parts, &tiles).value());
        for (at, value) in values.into_iter().enumerate() {
            sums[at] += u64::from(value);
            gains[at] += u64::from(value > values[0]);
        }
    }
    let mean = |sum: u64| sum as f64 / sample.max(1) as f64;
    let shares = Shares {
        size: board.to_string(),
        seed: args.seed,
        sample,
        manhattan: mean(sums[0]),
        korf96: mean(sums[5]),
        gain_from_conflicts: mean(gains[1]),
        gain_from_last_move: mean(gains[2]),
        gain_from_last_two_moves: mean(gains[3]),
        gain_from_corners: mean(gains[4]),
    };
    session.output().record(&shares, |s| {
        vec![
            format!("{} random boards of {}, seed {}", s.sample, s.size, s.seed),
            format!("mean Manhattan distance {:.2}, mean korf96 {:.2}", s.manhattan, s.korf96),
            format!("gain from linear conflict {:.1}%", 100.0 * s.gain_from_conflicts),
            format!("gain from the last move {:.1}%", 100.0 * s.gain_from_last_move),
            format!("gain from the last two moves {:.1}%", 100.0 * s.gain_from_last_two_moves),
            format!("gain from corner tiles {:.1}%", 100.0 * s.gain_from_corners),
        ]
    })?;
    Ok(Exit::Done)
}
