//! Cubes as they are typed and printed: `--from`, `--to`, `--format`.

use crate::cube::Turn;
use crate::notation::{self, Format, Orientation, Position, is_blank, scramble};
use clap::ValueEnum;
use clap::builder::PossibleValue;
use puzzle_cli::{Exit, Failure, Instance, Session};

/// The help of every subcommand that reads cubes.
pub(super) const INPUT_HELP: &str = "\
A cube is written as
  moves      from the solved cube: R U2 F' (also Rw r M x R3 R- and // comments);
             [R, U] is a commutator, [R: U] a conjugate, (R U)3 a repetition, (R U)' the inverse
  facelets   54 symbols, the faces in the order U R F D L B, each by rows; any six symbols,
             the cube held in any way; or a net of nine lines, as it is printed
  reid       the 20 cubies in the order UF UR UB UL DF DR DB DL FR FL BR BL
             UFR URB UBL ULF DRF DFL DLB DBR
  name       solved, superflip, checkerboard, zigzag, four spots, six spots,
             superflip four spots, cube in a cube, cube in a cube in a cube, plummer's cross,
             christman's cross, gift box, kilt, stripes, wire, tetris, twister, anaconda, python
and each argument, or each line of standard input, is one cube. An empty argument is the solved
cube. Lines exported by csTimer (12. 23.45 R U R' @2024-01-31) are also accepted.";

impl ValueEnum for Format {
    fn value_variants<'a>() -> &'a [Format] {
        &Format::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let help = match self {
            Format::Moves => "moves from the solved cube",
            Format::Facelets => "54 facelets in the order U R F D L B",
            Format::Reid => "Reid's 20 cubies",
        };
        Some(PossibleValue::new(self.name()).help(help))
    }
}

/// Reads an instance; nothing in a comment. An empty text, which only an argument can be, is the solved
/// cube.
pub(super) fn read_instance(text: &str, from: Option<Format>) -> Result<Option<Position>, Failure> {
    match text {
        "" if from.is_none_or(|format| format == Format::Moves) => read("solved", None).map(Some),
        comment if !comment.is_empty() && is_blank(comment) => Ok(None),
        text => read(text, from).map(Some),
    }
}

/// Whether no argument can be a cube. Then no table is built to say so.
pub(super) fn none_is_a_cube(arguments: &[String], from: Option<Format>) -> bool {
    let is_cube = |text: &String| text == "-" || matches!(read_instance(text.trim(), from), Ok(Some(_)));
    !arguments.is_empty() && !arguments.iter().any(is_cube)
}

/// Says of each argument why it is no cube.
pub(super) fn refuse_all(
    arguments: &[String],
    from: Option<Format>,
    session: &Session,
) -> Result<Exit, Failure> {
    let refuse = |instance: &Instance| read_instance(&instance.text, from).map(|_| Exit::Done);
    session.batch::<super::Args>(arguments, |instance, _| refuse(instance))
}

/// Reads a cube; a failure names every fault.
pub(super) fn read(text: &str, from: Option<Format>) -> Result<Position, Failure> {
    notation::parse(text, from).map_err(|fault| {
        let message = match fault.format {
            Some(format) => format!("not a cube (read as {format})"),
            None => "not a cube".to_owned(),
        };
        Failure::malformed(message).with_faults(&fault.defects)
    })
}

/// Why moves on the inverse of a scramble that turns the whole cube are refused.
pub(super) fn held_otherwise() -> Failure {
    Failure::malformed("the scramble turns the whole cube, so moves on its inverse have other names")
        .with_remedy("write the scramble as turns of faces: cube-opt convert --to moves")
}

/// Turns for someone who holds the cube like this.
pub(super) fn moves(turns: &[Turn], held: Orientation) -> String {
    scramble::format(turns.iter().map(|&turn| held.to_held(turn)))
}
