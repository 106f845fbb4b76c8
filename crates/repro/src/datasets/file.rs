//! The files of a set: `NAME.jsonl` with a row per line, `NAME.csv` with the same rows, and `NAME.json` with the
//! provenance.
//!
//! Rows are appended to the JSON lines as they are found. A line that a kill truncated is removed when the run resumes;
//! the CSV file is written at the end.

use super::sets::SetName;
use super::solve::AnySolver;
use puzzle_cli::Failure;
use search_core::record::TableUse;
use serde::{Deserialize, Serialize};
use std::fmt::Display;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// An instance with its length.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
pub struct InstanceRow {
    /// The part of the set.
    pub section: String,
    /// Its number among the instances that were drawn for this part, from 0.
    pub draw: u64,
    /// The instance: 54 facelets (faces in the order URFDLB), or tiles by rows, 0 the blank.
    pub instance: String,
    /// The length of a shortest solution.
    pub length: u32,
    /// A shortest solution: turns, or directions of the blank.
    pub solution: String,
}

/// The origin of the rows.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
pub struct Provenance {
    /// The set.
    pub set: SetName,
    /// How its instances are chosen.
    pub sampling: String,
    /// The definitions of a move and of the goal.
    pub convention: String,
    /// The random seed.
    pub seed: u64,
    /// The solver's heuristic.
    pub heuristic: String,
    /// The tables that it read.
    pub tables: Vec<TableUse>,
    /// The program and its version.
    pub program: String,
    /// The properties of each row that were checked.
    pub checked: String,
}

impl Provenance {
    /// The origin of a set with this seed and solver.
    pub fn new(set: SetName, seed: u64, solver: &AnySolver) -> Provenance {
        let convention = match set.board() {
            None => {
                "half-turn metric: a turn of one face by any angle is one move; the goal is the solved cube"
            }
            Some(_) => {
                "each slide of one tile is a move; solutions are the blank's directions; the goal has the \
                        blank in the first cell and the tiles in order"
            }
        };
        Provenance {
            set,
            sampling: set.sampling().to_owned(),
            convention: convention.to_owned(),
            seed,
            heuristic: solver.heuristic(),
            tables: solver.tables().to_vec(),
            program: concat!("optimal-puzzles ", env!("CARGO_PKG_VERSION")).to_owned(),
            checked:
                "each solution was replayed by the referee; that no shorter one exists was proved by IDA*"
                    .to_owned(),
        }
    }
}

/// The files of a set.
pub struct Files {
    base: PathBuf,
    name: String,
    lines: File,
    rows: Vec<InstanceRow>,
}

impl Files {
    /// Opens the files of a set in `folder`, or creates them.
    ///
    /// # Errors
    /// Files that cannot be read or written, or that come from another seed, heuristic or version.
    pub fn open(folder: &Path, provenance: &Provenance) -> Result<Files, Failure> {
        let name = format!("{}-seed-{}", provenance.set.name(), provenance.seed);
        let base = folder.join(&name);
        fs::create_dir_all(folder).map_err(|error| fault(folder, error))?;
        let path = base.with_extension("json");
        if path.exists() {
            let text = fs::read_to_string(&path).map_err(|error| fault(&path, error))?;
            if serde_json::from_str(&text).ok().as_ref() != Some(provenance) {
                let remedy =
                    "remove its files, choose another --out, or give the same --heuristic and version";
                return Err(Failure::error(format_args!("{}: made with other settings", path.display()))
                    .with_remedy(remedy));
            }
        } else {
            let text = serde_json::to_string_pretty(provenance).expect("plain data") + "\n";
            fs::write(&path, text).map_err(|error| fault(&path, error))?;
        }
        let (lines, rows) = rows_of(&base.with_extension("jsonl"))?;
        Ok(Files { base, name, lines, rows })
    }

    /// The set's name, with its seed.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The rows so far.
    pub fn rows(&self) -> &[InstanceRow] {
        &self.rows
    }

    /// Adds a row.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&mut self, row: InstanceRow) -> Result<(), Failure> {
        let line = serde_json::to_string(&row).expect("plain data") + "\n";
        self.lines.write_all(line.as_bytes()).map_err(|error| fault(&self.base, error))?;
        self.rows.push(row);
        Ok(())
    }

    /// Writes the CSV file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_csv(&self) -> Result<(), Failure> {
        let path = self.base.with_extension("csv");
        let mut csv = csv::Writer::from_path(&path).map_err(|error| fault(&path, error))?;
        self.rows.iter().try_for_each(|row| csv.serialize(row)).map_err(|error| fault(&path, error))?;
        csv.flush().map_err(|error| fault(&path, error))
    }
}

/// The rows of a file, which is opened for appending; an incomplete last row is removed.
fn rows_of(path: &Path) -> Result<(File, Vec<InstanceRow>), Failure> {
    let mut options = OpenOptions::new();
    let file = options.create(true).append(true).read(true).open(path).map_err(|error| fault(path, error))?;
    let text = fs::read_to_string(path).map_err(|error| fault(path, error))?;
    let whole = text.rfind('\n').map_or(0, |at| at + 1);
    let rows: Result<Vec<InstanceRow>, _> = text[..whole].lines().map(serde_json::from_str).collect();
    let rows = rows.map_err(|error| fault(path, error))?;
    file.set_len(whole as u64).map_err(|error| fault(path, error))?;
    Ok((file, rows))
}

fn fault(path: &Path, error: impl Display) -> Failure {
    Failure::error(format_args!("{}: {error}", path.display()))
}
