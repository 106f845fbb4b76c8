//! Where tables come from: a directory, or whatever a program without files has instead.

use crate::cast::to_u64;
use crate::run::Run;
use crate::table::error::TableError;
use crate::table::file::Table;
use crate::table::recipe::Recipe;
use crate::table::store::Store;

/// Tables, built where they are missing.
pub trait Tables {
    /// The table of `recipe`: complete and verified.
    ///
    /// # Errors
    /// [`TableError`].
    fn table(&self, recipe: &dyn Recipe, run: &Run<'_>) -> Result<Table, TableError>;

    /// The tables of several recipes, one by one, each within the memory that the others leave.
    ///
    /// # Errors
    /// [`TableError`] of the first that is not available.
    fn tables<R: Recipe>(&self, recipes: &[R], run: &Run<'_>) -> Result<Vec<Table>, TableError> {
        let mut left = run.memory();
        let table = |recipe| {
            let table = self.table(recipe, &run.with_memory(left))?;
            left = left.saturating_sub(to_u64(table.body.len()));
            Ok(table)
        };
        recipes.iter().map(|recipe| recipe as &dyn Recipe).map(table).collect()
    }

    /// Whether the tables of several recipes, loaded or built one by one, fit the memory of `run`.
    fn fit<R: Recipe>(&self, recipes: &[R], run: &Run<'_>) -> bool {
        let (bytes, peak) = recipes.iter().fold((0u64, 0), |(bytes, peak), recipe| {
            let all = bytes.saturating_add(recipe.bytes());
            (all, peak.max(bytes.saturating_add(recipe.peak_bytes())))
        });
        bytes.max(peak) <= run.memory()
    }
}

impl Tables for Store {
    fn table(&self, recipe: &dyn Recipe, run: &Run<'_>) -> Result<Table, TableError> {
        self.get(recipe, run)
    }

    fn tables<R: Recipe>(&self, recipes: &[R], run: &Run<'_>) -> Result<Vec<Table>, TableError> {
        self.get_all(recipes, run)
    }

    fn fit<R: Recipe>(&self, recipes: &[R], run: &Run<'_>) -> bool {
        self.check_memory(recipes, run).is_ok()
    }
}
