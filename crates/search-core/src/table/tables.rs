//! Where tables come from: a directory, or whatever a program without files has instead.

use crate::cast::to_u64;
use crate::progress::Prefixed;
use crate::record::TableUse;
use crate::run::Run;
use crate::table::error::TableError;
use crate::table::file::Table;
use crate::table::recipe::Recipe;

/// Tables, built where they are missing.
pub trait Tables: Send + Sync {
    /// The table of `recipe`: complete and verified.
    ///
    /// # Errors
    /// [`TableError`].
    fn table(&self, recipe: &dyn Recipe, run: &Run<'_>) -> Result<Table, TableError>;

    /// Whether the table of this name exists, so that it need not be built.
    fn contains(&self, name: &str) -> bool {
        let _ = name;
        false
    }

    /// The table of this name as a record names it; without a checksum if its header cannot be read.
    fn used(&self, name: &str) -> TableUse {
        TableUse { name: name.to_owned(), checksum: String::new() }
    }

    /// The tables of several recipes, one by one, each within the memory that the others leave.
    ///
    /// # Errors
    /// [`TableError`] of the first that is not available.
    fn all(&self, recipes: &[&dyn Recipe], run: &Run<'_>) -> Result<Vec<Table>, TableError> {
        one_by_one(recipes, run, |recipe, run| self.table(recipe, run))
    }

    /// [`Tables::all`] of recipes of one type.
    ///
    /// # Errors
    /// [`TableError`] of the first that is not available.
    fn tables<R: Recipe>(&self, recipes: &[R], run: &Run<'_>) -> Result<Vec<Table>, TableError>
    where
        Self: Sized,
    {
        self.all(&as_any(recipes), run)
    }

    /// Whether the tables of several recipes, loaded or built one by one, fit the memory of `run`.
    fn fit<R: Recipe>(&self, recipes: &[R], run: &Run<'_>) -> bool
    where
        Self: Sized,
    {
        fit(recipes, |name| self.contains(name), run)
    }
}

impl dyn Tables + '_ {
    /// [`Tables::all`] of recipes of one type.
    ///
    /// # Errors
    /// [`TableError`] of the first that is not available.
    pub fn load_all<R: Recipe>(&self, recipes: &[R], run: &Run<'_>) -> Result<Vec<Table>, TableError> {
        self.all(&as_any(recipes), run)
    }

    /// Whether the tables of several recipes, loaded or built one by one, fit the memory of `run`.
    pub fn all_fit<R: Recipe>(&self, recipes: &[R], run: &Run<'_>) -> bool {
        fit(recipes, |name| self.contains(name), run)
    }
}

fn fit<R: Recipe>(recipes: &[R], contains: impl Fn(&str) -> bool, run: &Run<'_>) -> bool {
    let (table, others, _) = most_memory(recipes, contains);
    others.saturating_add(table) <= run.memory()
}

fn as_any<R: Recipe>(recipes: &[R]) -> Vec<&dyn Recipe> {
    recipes.iter().map(|recipe| recipe as &dyn Recipe).collect()
}

/// The table at which loading or building tables one by one takes most memory: its bytes, those of the tables before
/// it, and its name.
pub(super) fn most_memory<'a, R: Recipe + ?Sized + 'a>(
    recipes: impl IntoIterator<Item = &'a R>,
    contains: impl Fn(&str) -> bool,
) -> (u64, u64, String) {
    let (mut loaded, mut most) = (0u64, (0u64, 0u64, String::new()));
    for recipe in recipes {
        let name = recipe.name();
        let bytes = if contains(&name) { recipe.bytes() } else { recipe.peak_bytes() };
        if loaded.saturating_add(bytes) >= most.0.saturating_add(most.1) {
            most = (bytes, loaded, name);
        }
        loaded = loaded.saturating_add(recipe.bytes());
    }
    most
}

/// Calls `table` with each recipe and a run with the memory that the tables before leave. Of several tables, progress
/// names the number.
pub(super) fn one_by_one(
    recipes: &[&dyn Recipe],
    run: &Run<'_>,
    table: impl Fn(&dyn Recipe, &Run<'_>) -> Result<Table, TableError>,
) -> Result<Vec<Table>, TableError> {
    let mut left = run.memory();
    let all = recipes.len();
    let next = |(number, recipe): (usize, &&dyn Recipe)| {
        let (run, place) = (run.with_memory(left), format!("table {number} of {all}"));
        let progress = Prefixed::new(&place, run.progress());
        let run = if all > 1 { run.with_progress(&progress) } else { run.clone() };
        let table = table(*recipe, &run)?;
        left = left.saturating_sub(to_u64(table.body.len()));
        Ok(table)
    };
    (1..).zip(recipes).map(next).collect()
}
