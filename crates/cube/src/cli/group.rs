//! `cube-opt group`: the group that chosen moves generate.

use super::{move_args, referee_check};
use crate::metric::Metric;
use crate::moves::Group;
use crate::notation::scramble::format_moves;
use clap::Args;
use puzzle_cli::format::format_bytes;
use puzzle_cli::{Exit, Failure, Session};
use search_core::pdb::FillError;
use serde::Serialize;

/// Count the positions that chosen moves reach, at each depth
///
/// The number of positions is exact (Schreier-Sims). If one byte per position fits --memory, the number of
/// positions at each depth follows, and some of those at the greatest depth, each as a shortest sequence of
/// moves from the solved cube. Positions that differ by a rotation of the whole cube count as one; this
/// matters if slices or wide turns move the centres.
#[derive(Args, Clone, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct GroupArgs {
    #[arg(help = move_args::HELP)]
    moves: String,
    /// The metric [default: htm, or stm with slices]
    #[arg(long, value_enum)]
    metric: Option<Metric>,
    /// Print up to N positions at the greatest depth
    #[arg(long, value_name = "N", default_value_t = 3)]
    examples: usize,
    /// Print the number of positions only
    #[arg(long)]
    order: bool,
}

const AFTER_HELP: &str = "\
Examples:
  cube-opt group \"U R\"                   73483200 positions within 20 moves
  cube-opt group --metric qtm \"U R\"      the same positions within 25 quarter turns
  cube-opt group \"U2 R2 F2\"              half turns alone
  cube-opt group \"M U\"                   a slice and a face
  cube-opt group --order \"U R F D L B\"   all positions of the cube";

/// The result for a group.
#[derive(Serialize)]
struct Record {
    moves: String,
    metric: &'static str,
    positions: u128,
    #[serde(skip_serializing_if = "Option::is_none", flatten)]
    depths: Option<Depths>,
}

#[derive(Serialize)]
struct Depths {
    diameter: u8,
    /// The number of positions at each depth.
    counts: Vec<u64>,
    /// Sequences of moves to some positions at the greatest depth.
    farthest: Vec<String>,
}

pub(super) fn run(args: &GroupArgs, session: &Session) -> Result<Exit, Failure> {
    let group = Group::new(move_args::parse(&args.moves, args.metric)?);
    let fits = group.bytes_needed() <= u128::from(session.run().memory());
    let depths = match !args.order && fits {
        true => match depths(&group, args.examples, session)? {
            None => {
                session.remark("interrupted; nothing was saved, run the same command again");
                return Ok(Exit::Interrupted);
            }
            depths => depths,
        },
        false => None,
    };
    let record = Record {
        moves: format_moves(group.set().names()),
        metric: group.set().metric().name(),
        positions: group.positions(),
        depths,
    };
    session.output().record(&record, lines)?;
    if !args.order && !fits {
        let needed = u64::try_from(group.bytes_needed()).map(format_bytes);
        session.remark(&format!(
            "counting them by depth takes {} of memory; the budget is {}",
            needed.unwrap_or_else(|_| "more than 16 EiB".to_owned()),
            format_bytes(session.run().memory())
        ));
    }
    Ok(Exit::Done)
}

/// The counts and farthest positions; `None` when interrupted.
fn depths(group: &Group, examples: usize, session: &Session) -> Result<Option<Depths>, Failure> {
    let distances = match group.distances(&session.run()) {
        Ok(distances) => distances,
        Err(FillError::Cancelled(_)) => return Ok(None),
        Err(error) => {
            return Err(Failure::error(error).with_remedy(
                "lower --memory to skip the depths, or use --order to print only the number of positions",
            ));
        }
    };
    let farthest = distances.farthest(examples);
    for (element, moves) in &farthest {
        referee_check::check_string(element, &format_moves(moves.iter().copied()), moves.len())?;
    }
    Ok(Some(Depths {
        diameter: distances.diameter(),
        farthest: farthest.into_iter().map(|(_, moves)| format_moves(moves)).collect(),
        counts: distances.counts,
    }))
}

fn lines(record: &Record) -> Vec<String> {
    let Record { moves, metric, positions, depths } = record;
    let mut lines = vec![format!("{positions} positions with {moves} ({metric})")];
    let Some(Depths { diameter, counts, farthest }) = depths else { return lines };
    lines.push(format!("depth{:>40}", "positions"));
    lines.extend(counts.iter().enumerate().map(|(depth, count)| format!("{depth:>5}{count:>40}")));
    if !farthest.is_empty() {
        lines.push("at the greatest depth:".to_owned());
    }
    lines.extend(farthest.iter().map(|moves| format!("{diameter} {moves}").trim_end().to_owned()));
    lines
}
