//! `cube-opt convert`: prints cubes in another notation.

use super::cube_writer::CubeWriter;
use super::notation::{self, FromArgs};
use super::search_args::SearchArgs;
use crate::notation::{Format, Given, Orientation};
use clap::Args;
use puzzle_cli::{Exit, Failure, InputArgs, Instance, Output, Session};
use serde::Serialize;

/// Print cubes in another notation
///
/// Facelets and cubies are printed with all centres in their home positions. Wide turns, slices and
/// rotations become turns of the six faces. For a cube that is not given as moves, `--to moves` searches for a
/// shortest sequence from the solved cube, which can take minutes; with `--metric stm` it may contain
/// slices, which leave the cube in another orientation.
#[derive(Args, Clone, Debug)]
#[command(after_help = notation::INPUT_HELP)]
pub(crate) struct ConvertArgs {
    /// Cubes; with none, or with -, they are read from standard input, one per line
    #[arg(value_name = "CUBE")]
    cubes: Vec<String>,
    #[command(flatten)]
    from: FromArgs,
    #[command(flatten)]
    input: InputArgs,
    /// The notation to print
    #[arg(long, value_enum, default_value_t = Format::Facelets)]
    to: Format,
    #[command(flatten)]
    search: SearchArgs,
}

/// One cube in another notation.
#[derive(Serialize)]
struct Record<'a> {
    instance: &'a str,
    from: &'static str,
    to: &'static str,
    cube: String,
}

pub(super) fn run(args: &ConvertArgs, session: &Session) -> Result<Exit, Failure> {
    let session = &session.with_input(&args.input);
    let writer = CubeWriter::new(&args.search, session);
    notation::refuse_single_moves(&args.cubes, args.from)?;
    session.batch::<super::Args>(&args.cubes, |instance, output| convert(args, &writer, instance, output))
}

fn convert(
    args: &ConvertArgs,
    writer: &CubeWriter<'_>,
    instance: &Instance,
    output: &mut Output,
) -> Result<Exit, Failure> {
    let Some(position) = notation::read_instance(&instance.text, args.from)? else { return Ok(Exit::Done) };
    let cube = match (&position.given, args.to) {
        (Given::Moves(turns), Format::Moves) => notation::moves(turns, Orientation::HOME),
        (_, format) => writer.write(&position.cube, format)?,
    };
    let record =
        Record { instance: &instance.text, from: position.format().name(), to: args.to.name(), cube };
    output.record(&record, |record| vec![record.cube.clone()])?;
    Ok(Exit::Done)
}
