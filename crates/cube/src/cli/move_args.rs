//! Sets of moves as they are typed: `--moves "U R2 M"`, `cube-opt group "U R"`.

use crate::moves::{Counting, InvalidSet, MoveSet};
use clap::ValueEnum;
use clap::builder::PossibleValue;
use puzzle_cli::Failure;

/// The help of an argument that is a set of moves.
pub(super) const HELP: &str = "The moves: faces (U R F D L B), slices (M E S), wide turns (Rw); each stands for all \
                               its turns, with a 2 for its half turn alone (R2)";

impl ValueEnum for Counting {
    fn value_variants<'a>() -> &'a [Counting] {
        &Counting::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let help = match self {
            Counting::Htm => "any turn of a face is one move (half-turn or face-turn metric)",
            Counting::Qtm => "a quarter turn of a face is one move, a half turn two",
            Counting::Stm => "any turn of a face or a slice is one move (slice-turn metric)",
        };
        Some(PossibleValue::new(self.name()).help(help))
    }
}

/// The set that was typed.
pub(super) fn parse(text: &str, metric: Option<Counting>) -> Result<MoveSet, Failure> {
    MoveSet::parse(text, metric).map_err(|error| match error {
        InvalidSet::Fault(fault) => Failure::usage("not a set of moves").with_faults(&fault.defects),
        error => Failure::usage(format_args!("not a set of moves: {error}")),
    })
}
