//! The tables of the three programs.

use cube::tables::TableId;
use hanoi4::tables::DatabaseId;
use search_core::table::Recipe;
use std::sync::Arc;

/// A table and the program that reads it.
#[derive(Clone, Debug)]
pub struct ProgramTable {
    /// The program, which can also remove the table.
    pub program: &'static str,
    /// Its recipe.
    pub recipe: Arc<dyn Recipe>,
}

impl ProgramTable {
    /// A table of `cube-opt`.
    pub fn cube(id: TableId) -> ProgramTable {
        ProgramTable { program: "cube-opt", recipe: Arc::new(id) }
    }

    /// A table of `tile24`.
    pub fn tiles(recipe: impl Recipe + 'static) -> ProgramTable {
        ProgramTable { program: "tile24", recipe: Arc::new(recipe) }
    }

    /// A table of `hanoi4`.
    pub fn hanoi(id: DatabaseId) -> ProgramTable {
        ProgramTable { program: "hanoi4", recipe: Arc::new(id) }
    }
}

impl PartialEq for ProgramTable {
    /// Tables with the same name are equal.
    fn eq(&self, other: &ProgramTable) -> bool {
        self.recipe.name() == other.recipe.name()
    }
}
