//! The digest of the sources of each job.

use crate::sources::items::Kind;
use crate::sources::world::Read;
use crate::sources::{Graph, World, path_of};

/// The crates whose code computes results, with their root files.
pub const CRATES: &[(&str, &str)] = &[
    ("search_core", "crates/search-core/src/lib.rs"),
    ("cube", "crates/cube/src/lib.rs"),
    ("slidetile", "crates/slidetile/src/lib.rs"),
    ("hanoi4", "crates/hanoi4/src/lib.rs"),
    ("xtask", "xtask/src/lib.rs"),
];

/// The folders of these crates, and of the files that they include.
pub const FOLDERS: &[&str] = &[
    "crates/search-core/src",
    "crates/cube/src",
    "crates/slidetile/src",
    "crates/hanoi4/src",
    "xtask/src",
    "xtask/build",
    "fixtures",
];

/// What cannot change a result, and why:
const APART: &[&str] = &[
    // They describe a job: its name, title, tier, cost and promised figures.
    "xtask::job::Job",
    "xtask::job::Cost",
    "xtask::fixture",
    "xtask::paper",
    // They name the tables that a job reads. A result has the checksum of each.
    "xtask::tables",
    // They read and write tables, block by block under that checksum.
    "search_core::table::file",
    "search_core::table::format",
    // They show progress, or stop the work: then there is no result.
    "search_core::progress",
    "search_core::meter",
];

/// The papers, each with the module of its jobs.
pub const PAPERS: [(&str, &str); 3] =
    [("CUBE", "xtask::cube_jobs::"), ("TILES", "xtask::tiles_jobs::"), ("HANOI", "xtask::hanoi_jobs::")];

/// Every function that makes or does a job, and the digest of all that it reaches, sorted by name.
///
/// # Errors
/// A source file that is missing or is not Rust.
pub fn of(read: Read<'_>) -> Result<Vec<(String, String)>, String> {
    let world = World::read(CRATES, read)?;
    let graph = Graph::new(&world, APART, read);
    let is_of_a_job = |id: &usize| {
        let placed = &world.items[*id];
        let path = path_of(&world, *id);
        let has = |word: &str| placed.item.tokens.iter().any(|token| token == word);
        placed.item.kind == Kind::Named
            && placed.block.is_none()
            && PAPERS.iter().any(|(_, module)| path.starts_with(module))
            && has("fn")
            && (has("Job") || has("Outcome"))
    };
    let digest = |id| (path_of(&world, id), format!("{:016x}", graph.digest(id)));
    let mut digests: Vec<_> = (0..world.items.len()).filter(is_of_a_job).map(digest).collect();
    digests.sort();
    Ok(digests)
}
