//! `cargo xtask figures`: draws the figures of the book from real computations.
//!
//! | file | figure |
//! | --- | --- |
//! | `search` | nodes by bound; strings by length |
//! | `values` | the values of heuristics; where lookups go |
//! | `spaces` | symmetry classes; the layers of a puzzle; searching from both ends |
//! | `chart` | lines with axes and a legend, as SVG |
//!
//! Every figure is computed in seconds and depends on nothing but the sources, so a test draws all of
//! them again and compares them with the files.

mod chart;
mod search;
mod spaces;
mod values;

use clap::Args;
use puzzle_cli::{CommonArgs, Exit, Failure, Session};
use search_core::Run;
use std::fs;
use std::path::{Path, PathBuf};

/// Draw the figures of the book, as SVG
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  cargo xtask figures                draw them again
  cargo xtask figures --check        compare the files with what would be drawn

Exit code 1 if a file differs.")]
pub struct FiguresArgs {
    /// Folder of the figures [default: docs/book/figures]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Compare the files instead of writing them
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    common: CommonArgs,
}

/// A figure.
pub struct Figure {
    /// The name of its file.
    pub file: &'static str,
    /// The drawing.
    pub svg: String,
}

/// The folder of the book's figures.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/book/figures")
}

/// Computes and draws all figures.
pub fn all(run: &Run<'_>) -> Vec<Figure> {
    type Draw = fn(&Run<'_>) -> String;
    let figures: [(&str, Draw); 7] = [
        ("bounds.svg", search::bounds),
        ("strings.svg", search::strings),
        ("values.svg", values::values),
        ("classes.svg", spaces::classes),
        ("lookups.svg", values::lookups),
        ("layers.svg", spaces::layers),
        ("ends.svg", spaces::ends),
    ];
    figures.map(|(file, draw)| Figure { file, svg: draw(run) }).into()
}

/// Runs the task.
///
/// # Errors
/// What ends it.
pub fn run(args: &FiguresArgs) -> Result<Exit, Failure> {
    let session = Session::build(&args.common)?;
    let folder = args.out.clone().unwrap_or_else(folder);
    let fault =
        |path: &Path, error: std::io::Error| Failure::error(format_args!("{}: {error}", path.display()));
    let mut stale = Vec::new();
    for Figure { file, svg } in all(&session.run()) {
        let path = folder.join(file);
        if args.check {
            if fs::read_to_string(&path).map_err(|error| fault(&path, error))? != svg {
                stale.push(file);
            }
        } else {
            fs::create_dir_all(&folder).map_err(|error| fault(&folder, error))?;
            fs::write(&path, svg).map_err(|error| fault(&path, error))?;
        }
    }
    if !stale.is_empty() {
        let how = "draw them again by `cargo xtask figures`";
        return Err(
            Failure::error(format_args!("these figures differ: {}", stale.join(", "))).with_remedy(how)
        );
    }
    Ok(Exit::Done)
}
