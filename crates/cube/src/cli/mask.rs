//! The options for goals that leave something open: `--only`, `--ignore`, `--goal-set`, `--auf` and others.

use crate::cube::{Cube, Face};
use crate::mask::{Axis, Faces, GoalOptions, Goals, InvalidGoal, Mask, Named, PieceOptions, Pieces};
use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};
use puzzle_cli::Failure;

/// The options for what the goal leaves open.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Goal")]
pub(crate) struct MaskArgs {
    /// Named goal, or several separated by commas, of which any will do; `cube-opt help solve` explains
    /// the names
    #[arg(long, value_enum, value_name = "NAME", value_delimiter = ',', conflicts_with = "goal")]
    goal_set: Vec<Named>,
    /// The face at the bottom, for --goal-set and --auf; a list such as D,U, or any, for the best of several
    /// [default: D]
    #[arg(long, value_name = "FACES")]
    bottom: Option<Faces>,
    /// The face at the front, for goals that depend on it: a face, a list, or any [default: F, or U if F is at the
    /// bottom or at the top]
    #[arg(long, value_name = "FACES", requires = "goal_set")]
    front: Option<Faces>,
    /// Ignore a final turn of the top layer (U, or the face opposite --bottom)
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
    #[arg(long, value_name = "PIECES", hide_short_help = true)]
    only_position: Option<String>,
    /// Solve only the orientation of these pieces, wherever they are
    #[arg(long, value_name = "PIECES", hide_short_help = true)]
    only_orientation: Option<String>,
    /// Ignore these pieces
    #[arg(long, value_name = "PIECES", conflicts_with_all = ["only", "only_position", "only_orientation"])]
    ignore: Option<String>,
    /// Ignore the position of these pieces
    #[arg(long, value_name = "PIECES", hide_short_help = true)]
    ignore_position: Option<String>,
    /// Ignore the orientation of these pieces
    #[arg(long, value_name = "PIECES", hide_short_help = true)]
    ignore_orientation: Option<String>,
    /// Treat these pieces as interchangeable; may be repeated
    #[arg(long, value_name = "PIECES", hide_short_help = true)]
    interchangeable: Vec<String>,
    /// The axis of edge orientation: quarter turns around it flip edges [default: F-B]
    #[arg(long, value_enum, value_name = "AXIS", hide_short_help = true)]
    edge_axis: Option<Axis>,
    /// The axis of corner orientation: quarter turns around it do not twist corners [default: U-D]
    #[arg(long, value_enum, value_name = "AXIS", hide_short_help = true)]
    corner_axis: Option<Axis>,
}

impl MaskArgs {
    /// The goals, for cubes whose pieces are renamed so that `goal` becomes the solved cube.
    pub(super) fn read(&self, goal: &Cube) -> Result<Goals, Failure> {
        let pieces = self.pieces.options()?;
        let options = GoalOptions {
            named: self.goal_set.clone(),
            bottom: self.bottom.clone(),
            front: self.front.clone(),
            auf: self.auf,
            pieces,
        };
        options.goals(goal).map_err(refused)
    }
}

impl PieceArgs {
    /// The mask of the options; `None` if none is given.
    pub(super) fn read(&self) -> Result<Option<Mask>, Failure> {
        self.options()?.mask().map_err(refused)
    }

    fn options(&self) -> Result<PieceOptions, Failure> {
        let parse = |option: &str, list: &String| {
            Pieces::parse(list).map_err(|error| Failure::usage(format_args!("{option}: {error}")))
        };
        let read =
            |option: &str, list: &Option<String>| list.as_ref().map(|list| parse(option, list)).transpose();
        let sets = self.interchangeable.iter().map(|list| parse("--interchangeable", list));
        Ok(PieceOptions {
            only: read("--only", &self.only)?,
            only_position: read("--only-position", &self.only_position)?,
            only_orientation: read("--only-orientation", &self.only_orientation)?,
            ignore: read("--ignore", &self.ignore)?,
            ignore_position: read("--ignore-position", &self.ignore_position)?,
            ignore_orientation: read("--ignore-orientation", &self.ignore_orientation)?,
            interchangeable: sets.collect::<Result<_, _>>()?,
            corner_axis: self.corner_axis,
            edge_axis: self.edge_axis,
        })
    }
}

/// The failure for options that describe no goal.
pub(super) fn refused(invalid: InvalidGoal) -> Failure {
    let (message, remedy) = match invalid {
        InvalidGoal::NameAndPieces => (
            "--goal-set already determines what is solved of each piece",
            "leave out --goal-set, or the options that name pieces and axes",
        ),
        InvalidGoal::Bottom => {
            ("--bottom needs --goal-set or --auf", "leave out --bottom, or add one of them")
        }
        InvalidGoal::Front => ("--front needs --goal-set", "leave out --front, or add --goal-set"),
        InvalidGoal::Holding => (
            "no face of --front is beside one of --bottom",
            "name a face at the front that is neither at the bottom nor opposite to it",
        ),
        InvalidGoal::Tops => (
            "--auf and pll leave open a final turn of one top: they need one goal and one face at the bottom",
            "name one goal with --goal-set and one face with --bottom",
        ),
        InvalidGoal::Overlap => (
            "two sets of --interchangeable have a piece in common",
            "name each piece in one set, or join the sets",
        ),
        InvalidGoal::Nothing => {
            ("nothing is left to solve", "name fewer pieces with --ignore, or some with --only")
        }
        InvalidGoal::Compared(_) => return Failure::usage(invalid),
    };
    Failure::usage(message).with_remedy(remedy)
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
        Some(PossibleValue::new(self.name()).aliases(self.other_name()))
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
