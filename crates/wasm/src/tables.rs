//! Tables kept by the host.
//!
//! A stored table is read block by block and compared with its checksums, like a file; a table that is damaged or of
//! another version is removed and built again. A table that the host cannot store is used all the same. A table that
//! exceeds the memory budget is refused.

use crate::host::Host;
use search_core::Run;
use search_core::storage::{IoError, Source};
use search_core::table::file::{describe, read};
use search_core::table::{Built, FileError, Recipe, Table, TableError, Tables, Unfinished};
use std::io::ErrorKind::UnexpectedEof;
use std::path::{Path, PathBuf};

/// The program that the headers of new tables name.
const GENERATOR: &str = concat!("optimal-puzzles-wasm ", env!("CARGO_PKG_VERSION"));

/// The tables of a host.
#[derive(Clone, Copy, Debug)]
pub struct HostTables(pub &'static dyn Host);

/// The bytes of one table.
struct Kept<'a> {
    host: &'a dyn Host,
    name: &'a str,
    bytes: u64,
}

impl Source for Kept<'_> {
    fn bytes(&self) -> Result<u64, IoError> {
        Ok(self.bytes)
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> Result<(), IoError> {
        match self.host.read(self.name, buffer, offset) {
            true => Ok(()),
            false => Err(IoError { path: PathBuf::from(self.name), error: UnexpectedEof.into() }),
        }
    }

    fn is_for_all_threads(&self) -> bool {
        false
    }
}

impl Tables for HostTables {
    fn contains(&self, name: &str) -> bool {
        self.0.kept(name).is_some()
    }

    fn table(&self, recipe: &dyn Recipe, run: &Run<'_>) -> Result<Table, TableError> {
        let name = recipe.name();
        let path = Path::new(&name).with_extension("table");
        self.get(&name, recipe, &path, run).map_err(|error| error.of(&name, &path))
    }
}

impl HostTables {
    fn get(&self, name: &str, recipe: &dyn Recipe, path: &Path, run: &Run<'_>) -> Result<Table, FileError> {
        let (host, spec, path) = (self.0, recipe.spec(), path.to_owned());
        if recipe.bytes() > run.memory() {
            return Err(FileError::OverBudget { table: recipe.bytes(), others: 0, budget: run.memory() });
        }
        if let Some(bytes) = host.kept(name) {
            match read(&Kept { host, name, bytes }, &spec, run) {
                Ok((header, body)) => return Ok(Table { path, header, body }),
                Err(FileError::Format(_) | FileError::Io(_)) => {
                    run.progress().note(&format!("the stored table {name} is damaged and is being rebuilt"));
                    host.remove(name);
                }
                Err(error) => return Err(error),
            }
        }
        run.progress().note(&format!("building the table {name}"));
        let Built { body, depth } = recipe.build(&Unfinished::NOWHERE, run)?;
        let header = describe(&spec, depth, GENERATOR, &body, run);
        if !host.keep(name, &header.to_bytes(), &body) {
            run.progress().note(&format!("not enough space to store the table {name}"));
        }
        Ok(Table { path, header, body })
    }
}
