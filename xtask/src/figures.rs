//! `cargo xtask figures`: draws the figures of the book.

use clap::Args;
use puzzle_cli::{CommonArgs, Exit, Failure, Session};
use repro::figures::{Figure, all};
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

/// The folder of the book's figures.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/book/figures")
}

/// Runs the task.
///
/// # Errors
/// The failure that ends it.
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
