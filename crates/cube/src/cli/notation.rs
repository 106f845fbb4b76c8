//! Cubes as they are typed and printed: `--from`, `--to`, `--format`.

use crate::cube::{Face, Turn};
use crate::notation::{self, Fault, Format, Orientation, Position, facelets, is_blank, scramble};
use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};
use puzzle_cli::{Exit, Failure, Instance, Session, refuse_parts};

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
cube. Lines exported by csTimer (12. 23.45 R U R' @2024-01-31), rows of csTimer's and TwistyTimer's
files and links to alg.cubing.net and Twizzle are also accepted.";

/// The notation of the cubes.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct FromArgs {
    /// The notation of the cubes [default: detected]
    #[arg(long, value_enum)]
    from: Option<Format>,
    /// Read facelets in this order of the faces, such as ULFRBD [default: URFDLB]
    #[arg(long, value_name = "ORDER", hide_short_help = true, value_parser = facelets::face_order)]
    faces: Option<[Face; 6]>,
}

impl FromArgs {
    /// For cubes that are facelets.
    pub(super) fn facelets() -> FromArgs {
        FromArgs { from: Some(Format::Facelets), faces: None }
    }

    /// For cubes that are moves.
    pub(super) fn moves() -> FromArgs {
        FromArgs { from: Some(Format::Moves), faces: None }
    }

    fn parse(self, text: &str) -> Result<Position, Fault> {
        match self.faces {
            Some(order) => notation::parse(&facelets::reordered(text, order)?, Some(Format::Facelets)),
            None => notation::parse(text, self.from),
        }
    }

    /// Whether an option is given.
    pub(super) fn is_given(self) -> bool {
        self.from.is_some() || self.faces.is_some()
    }

    fn may_be_moves(self) -> bool {
        self.faces.is_none() && self.from.is_none_or(|format| format == Format::Moves)
    }
}

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

/// Reads an instance; `None` for a comment. An empty text, which only an argument can be, is the solved cube.
pub(super) fn read_instance(text: &str, from: FromArgs) -> Result<Option<Position>, Failure> {
    match text {
        "" if from.may_be_moves() => read("solved", FromArgs::default()).map(Some),
        comment if !comment.is_empty() && is_blank(comment) => Ok(None),
        text => read(text, from).map(Some),
    }
}

/// Refuses arguments that are single moves: probably one cube without quotes.
pub(super) fn refuse_single_moves(arguments: &[String], from: FromArgs) -> Result<(), Failure> {
    let is_move = |text: &str| scramble::parse_moves(text).is_ok_and(|moves| moves.len() == 1);
    if !from.may_be_moves() {
        return Ok(());
    }
    refuse_parts(arguments, is_move, "a single move, and each argument is one cube")
}

/// Whether no argument can be a cube. Then the failure is reported before any table is built.
pub(super) fn none_is_a_cube(arguments: &[String], from: FromArgs) -> bool {
    let is_cube = |text: &String| text == "-" || matches!(read_instance(text.trim(), from), Ok(Some(_)));
    !arguments.is_empty() && !arguments.iter().any(is_cube)
}

/// Reports for each argument why it is not a cube.
pub(super) fn refuse_all(arguments: &[String], from: FromArgs, session: &Session) -> Result<Exit, Failure> {
    let refuse = |instance: &Instance| read_instance(&instance.text, from).map(|_| Exit::Done);
    session.batch::<super::Args>(arguments, |instance, _| refuse(instance))
}

/// Reads a cube; a failure names every fault.
pub(super) fn read(text: &str, from: FromArgs) -> Result<Position, Failure> {
    from.parse(text).map_err(|fault| {
        let message = match fault.format {
            Some(format) => format!("not a cube (read as {format})"),
            None => "not a cube".to_owned(),
        };
        let failure = Failure::malformed(message).with_faults(&fault.defects);
        match fault.remedy() {
            Some(remedy) => failure.with_remedy(remedy),
            None => failure,
        }
    })
}

/// Reads moves, which may rotate the cube: the turns of the faces at their places before the first move.
pub(super) fn read_moves(text: &str) -> Result<Vec<Turn>, Failure> {
    let refused = |fault: Fault| Failure::malformed("not a list of moves").with_faults(&fault.defects);
    Ok(scramble::parse(text).map_err(refused)?.turns)
}

/// The failure for moves on the inverse of a scramble that rotates the whole cube.
pub(super) fn held_otherwise() -> Failure {
    Failure::malformed("the scramble rotates the whole cube, so moves on its inverse have other names")
        .with_remedy("write the scramble as turns of faces: cube-opt convert --to moves")
}

/// The text of turns for a cube held in this orientation.
pub(super) fn moves(turns: &[Turn], held: Orientation) -> String {
    scramble::format(turns.iter().map(|&turn| held.to_held(turn)))
}
