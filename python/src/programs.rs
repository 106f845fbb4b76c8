//! The programs of the command line, for those who install the package and have no Rust.

use crate::failure::usage;
use puzzle_cli::{Exit, Program, main_within};
use pyo3::prelude::*;
use std::ffi::OsString;
use std::io::Write;

/// The names of the programs.
const NAMES: [&str; 4] = ["cube-opt", "tile24", "hanoi4", "puzzle-opt"];

/// Runs a program with the words of its command line, its name first, and returns the exit code of the process.
#[pyfunction]
pub fn run_program(py: Python<'_>, words: Vec<OsString>) -> PyResult<u8> {
    let name = words.first().and_then(|name| name.to_str()).unwrap_or_default();
    let run: fn(Vec<OsString>) -> Exit = match name {
        "cube-opt" => |words| main_within(words, cube::cli::Args::run),
        "tile24" => |words| main_within(words, slidetile::cli::Args::run),
        "hanoi4" => |words| main_within(words, hanoi4::cli::Args::run),
        "puzzle-opt" => |words| main_within(words, puzzle::cli::Args::run),
        _ => return Err(usage(format_args!("{name:?} is no program: {}", NAMES.join(", ")))),
    };
    let exit = py.detach(|| run(words));
    // An interpreter that ends does not flush the standard output of Rust. If it is closed, nothing can be done.
    let _ = std::io::stdout().flush();
    Ok(exit.code_and_word().0)
}
