//! The options for goals that leave something open: `--only`, `--ignore`, `--goal-set`, `--auf` and others.

use crate::cube::{Cube, Face};
use crate::mask::{Axis, Goals, Mask, Matters, Named, Pieces};
use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};
use puzzle_cli::Failure;

/// The options for what the goal leaves open.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Goal")]
pub(crate) struct MaskArgs {
    /// A goal by its name; `cube-opt help solve` explains the names
    #[arg(long, value_enum, value_name = "NAME", conflicts_with = "goal")]
    goal_set: Option<Named>,
    /// The face at the bottom, for --goal-set and --auf [default: D]
    #[arg(long, value_enum, value_name = "FACE")]
    bottom: Option<Face>,
    /// Leave a final turn of the top open (of U, or the face across from --bottom)
    #[arg(long)]
    auf: bool,
    #[command(flatten)]
    pieces: PieceArgs,
}

/// The options that name pieces.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Goal")]
pub(crate) struct PieceArgs {
    /// Solve these pieces and ignore all others: UF,URF,…, a face's letter for all its pieces,
    /// corners, edges
    #[arg(long, value_name = "PIECES")]
    only: Option<String>,
    /// Solve only the position of these pieces, not their orientation
    #[arg(long, value_name = "PIECES")]
    only_position: Option<String>,
    /// Solve only the orientation of these pieces, wherever they are
    #[arg(long, value_name = "PIECES")]
    only_orientation: Option<String>,
    /// Ignore these pieces
    #[arg(long, value_name = "PIECES", conflicts_with_all = ["only", "only_position", "only_orientation"])]
    ignore: Option<String>,
    /// Ignore the position of these pieces
    #[arg(long, value_name = "PIECES")]
    ignore_position: Option<String>,
    /// Ignore the orientation of these pieces
    #[arg(long, value_name = "PIECES")]
    ignore_orientation: Option<String>,
    /// Let these pieces change places among themselves, but with no others; may be repeated
    #[arg(long, value_name = "PIECES")]
    interchangeable: Vec<String>,
    /// The axis of edge orientation: quarter turns around it flip edges [default: F-B]
    #[arg(long, value_enum, value_name = "AXIS")]
    edge_axis: Option<Axis>,
    /// The axis of corner orientation: quarter turns around it do not twist corners [default: U-D]
    #[arg(long, value_enum, value_name = "AXIS")]
    corner_axis: Option<Axis>,
}

impl MaskArgs {
    /// The goals of cubes renamed so that `goal` is the solved one.
    pub(super) fn read(&self, goal: &Cube) -> Result<Goals, Failure> {
        let pieces = self.pieces.read()?;
        let bottom = self.bottom.unwrap_or(Face::D);
        let goals = match self.goal_set {
            Some(named) if pieces.is_none() => named.goals(bottom),
            Some(_) => {
                return Err(Failure::usage("--goal-set already determines what is solved of each piece")
                    .with_remedy("leave out --goal-set, or the options that name pieces and axes"));
            }
            None if self.bottom.is_some() && !self.auf => {
                return Err(Failure::usage("--bottom needs --goal-set or --auf")
                    .with_remedy("leave out --bottom, or add one of them"));
            }
            None => Goals::any(&[pieces.unwrap_or_default().renamed(goal)]),
        };
        if goals.only().is_some_and(Mask::is_complete) {
            return Err(Failure::usage("nothing is left to solve")
                .with_remedy("name fewer pieces with --ignore, or some with --only"));
        }
        match self.auf && self.goal_set != Some(Named::Pll) {
            true => goals.up_to_turn(bottom.opposite()).map_err(Failure::usage),
            false => Ok(goals),
        }
    }
}

impl PieceArgs {
    /// The mask of the options; `None` if none is given.
    pub(super) fn read(&self) -> Result<Option<Mask>, Failure> {
        let parse = |option: &str, list: &str| {
            Pieces::parse(list).map_err(|error| Failure::usage(format_args!("{option}: {error}")))
        };
        let read = |option: &str, list: &Option<String>| match list {
            Some(list) => parse(option, list).map(Some),
            None => Ok(None),
        };
        let only = read("--only", &self.only)?;
        let position = read("--only-position", &self.only_position)?;
        let orientation = read("--only-orientation", &self.only_orientation)?;
        let ignore = read("--ignore", &self.ignore)?;
        let no_position = read("--ignore-position", &self.ignore_position)?;
        let no_orientation = read("--ignore-orientation", &self.ignore_orientation)?;
        let sets = self.interchangeable.iter().map(|list| parse("--interchangeable", list));
        let sets = sets.collect::<Result<Vec<Pieces>, Failure>>()?;
        let given = [only, position, orientation, ignore, no_position, no_orientation];
        let axes = self.edge_axis.is_some() || self.corner_axis.is_some();
        if given.iter().all(Option::is_none) && sets.is_empty() && !axes {
            return Ok(None);
        }
        if (0..sets.len()).any(|i| sets[..i].iter().any(|other| other.meets(sets[i]))) {
            return Err(Failure::usage("two sets of --interchangeable have a piece in common")
                .with_remedy("name each piece in one set, or join the sets"));
        }
        let none = Pieces::NONE;
        let (only, ignore) = (only.unwrap_or(none), ignore.unwrap_or(none));
        let all = if given[..3].iter().all(Option::is_none) { Pieces::ALL } else { none };
        let matters = |alone: Option<Pieces>, ignored: Option<Pieces>| {
            all.and(only).and(alone.unwrap_or(none)).without(ignore).without(ignored.unwrap_or(none))
        };
        Ok(Some(Mask::of(&Matters {
            position: matters(position, no_position),
            orientation: matters(orientation, no_orientation),
            sets,
            corner_axis: self.corner_axis.unwrap_or(Matters::ALL.corner_axis),
            edge_axis: self.edge_axis.unwrap_or(Matters::ALL.edge_axis),
        })))
    }
}

/// The names of the goals and what they mean, for the help.
pub(super) fn named_help() -> String {
    let line = |named: Named| format!("  {:9}{}\n", named.name(), named.meaning());
    format!("Goals by name (--goal-set):\n{}", Named::ALL.map(line).concat())
}

impl ValueEnum for Named {
    fn value_variants<'a>() -> &'a [Named] {
        &Named::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.name()))
    }
}

impl ValueEnum for Face {
    fn value_variants<'a>() -> &'a [Face] {
        &Face::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(["U", "R", "F", "D", "L", "B"][self.index()]))
    }
}

impl ValueEnum for Axis {
    fn value_variants<'a>() -> &'a [Axis] {
        &Axis::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.name()))
    }
}
