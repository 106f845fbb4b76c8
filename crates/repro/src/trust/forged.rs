//! The file of a forged table: any entries, with checksums that fit.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::Rng;
use puzzle_cli::Failure;
use search_core::Run;
use search_core::table::Recipe;
use search_core::table::file::describe;
use std::fs;
use std::path::Path;

/// The recipe of a table of `cube-opt`, `tile24` or `hanoi4`.
pub(super) fn recipe_of(name: &str) -> Option<Box<dyn Recipe>> {
    cube::recipes::recipe_of(name)
        .or_else(|| slidetile::tables::recipe_of(name))
        .or_else(|| hanoi4::tables::recipe_of(name))
}

/// Writes a table with this body and checksums that fit.
pub(super) fn write(
    home: &Path,
    recipe: &dyn Recipe,
    depth: u32,
    body: &[u8],
    run: &Run<'_>,
) -> Result<(), Failure> {
    let header = describe(&recipe.spec(), depth, "forged", body, run);
    let bytes = [&header.to_bytes(), body].concat();
    let name = recipe.name();
    fs::write(home.join(format!("{name}.table")), bytes)
        .map_err(|error| Failure::error(format_args!("the table {name}: {error}")))
}

/// A random number below a limit; 0 for the limit 0.
pub(super) fn below(random: &mut ChaCha8Rng, limit: usize) -> usize {
    random.next_u64() as usize % limit.max(1)
}
