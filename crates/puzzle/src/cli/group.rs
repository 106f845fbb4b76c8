//! `puzzle-opt group`: the group that the counted moves generate.

use clap::Args;
use puzzle_cli::{Exit, Failure, Session};
use search_core::Run;
use serde::Serialize;

use super::puzzle_args::PuzzleArgs;
use crate::model::Puzzle;
use crate::positions::Positions;

/// Print the order of the group of moves, the number of positions and the orbits
///
/// Positions that differ by a free rotation are one. The last lines list the sets of places among which the
/// moves carry pieces: the orbit of the definition, the number of places, and the number of orientations in
/// which a piece can return to its place. Where rules block moves, as on square-1, the group is that of the
/// strings of moves that keep the solved shape, and each shape has as many positions.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:\n  puzzle-opt group 3x3x3\n  puzzle-opt group megaminx --moves \"U R F\"")]
pub struct GroupArgs {
    #[command(flatten)]
    puzzle: PuzzleArgs,
}

/// The group, as `--json` prints it.
#[derive(Serialize)]
struct Record<'a> {
    puzzle: &'a str,
    moves: usize,
    /// Decimal digits, since numbers of this size do not fit elsewhere.
    order: String,
    factors: String,
    order_is_proved: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    shapes: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rotations: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    positions: Option<String>,
    orbits: Vec<OrbitRecord<'a>>,
}

/// A set of places that moves connect.
#[derive(Serialize)]
struct OrbitRecord<'a> {
    name: &'a str,
    places: usize,
    orientations: usize,
}

/// The positions of a puzzle whose group is known.
///
/// # Errors
/// Exit code 3 for puzzles with too many points or rules that do not form shapes, 5 for an interruption.
pub(super) fn positions(puzzle: &Puzzle, run: &Run<'_>) -> Result<Positions, Failure> {
    Positions::new(puzzle, run).map_err(Failure::interrupted)?.ok_or_else(|| {
        let name = puzzle.name();
        Failure::malformed(format_args!("{name} has too many points, or rules that do not form shapes"))
    })
}

pub(super) fn run(args: &GroupArgs, session: &Session) -> Result<Exit, Failure> {
    let (_, selected) = args.puzzle.read(session)?;
    let puzzle = &selected.puzzle;
    let positions = positions(puzzle, &session.run())?;
    let count = positions.count(&session.run()).map_err(Failure::interrupted)?;
    let (group, order) = (positions.group(), positions.group().order());
    let orbits =
        group.transitive_sets().filter(|(_, places, orientations)| places.len() > 1 || *orientations > 1);
    let record = Record {
        puzzle: puzzle.name(),
        moves: puzzle.moves().len(),
        order: order.decimal(),
        factors: order.to_string(),
        order_is_proved: group.is_proved(),
        shapes: positions.shapes(),
        rotations: positions.rotations(),
        positions: count.map(|count| count.decimal()),
        orbits: orbits
            .map(|(orbit, places, orientations)| OrbitRecord {
                name: &puzzle.orbits()[orbit].name,
                places: places.len(),
                orientations,
            })
            .collect(),
    };
    if !record.order_is_proved {
        session.remark("the order is a lower bound; proving it would take too long");
    }
    session.output().record(&record, text)?;
    Ok(Exit::Done)
}

fn text(record: &Record<'_>) -> Vec<String> {
    let bound = if record.order_is_proved { "" } else { ">= " };
    let mut lines = vec![
        format!("moves      {}", record.moves),
        format!("order      {bound}{}", record.order),
        format!("           {bound}{}", record.factors),
    ];
    if let Some(rotations) = record.rotations.filter(|&rotations| rotations > 1) {
        lines.push(format!("rotations  {rotations}"));
    }
    if let Some(shapes) = record.shapes {
        lines.push(format!("shapes     {shapes}"));
    }
    match &record.positions {
        Some(positions) => lines.push(format!("positions  {positions}")),
        None => lines.push("positions  not known without a count".to_owned()),
    }
    for OrbitRecord { name, places, orientations } in &record.orbits {
        let more = if *orientations == 1 { "" } else { "s" };
        lines.push(format!("orbit      {name}: {places} places, {orientations} orientation{more}"));
    }
    lines
}
