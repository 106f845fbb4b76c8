//! The recipes of tables by their names.

use crate::metric::Metric;
use crate::moves::cosets::CosetTable;
use crate::moves::tables::{MOST_ENTRIES, SetTable};
use crate::moves::{Group, MoveSet};
use crate::tables::TableId;
use search_core::table::Recipe;

/// The recipe of the table of this name, if there is one.
pub fn recipe_of(name: &str) -> Option<Box<dyn Recipe>> {
    match TableId::from_name(name) {
        Some(id) => Some(Box::new(id)),
        None => of_moves(name),
    }
}

/// The recipe of the table of a set of moves.
fn of_moves(name: &str) -> Option<Box<dyn Recipe>> {
    let (front, metric) = name.strip_prefix("cube-moves-")?.rsplit_once('-')?;
    let metric = Metric::ALL.into_iter().find(|known| known.name() == metric)?;
    let (stem, pieces) = front.rsplit_once('-')?;
    let group = Group::new(MoveSet::parse(&stem.replace('-', " "), Some(metric)).ok()?);
    if let Some(table) = CosetTable::of(&group).filter(|table| table.name() == name) {
        return Some(Box::new(table));
    }
    // The tables of a group depend on the memory of the run that built them.
    let most =
        std::iter::successors(Some(MOST_ENTRIES), |most| Some(most / 2)).take_while(|most| *most >= 500);
    let mut tables = most.flat_map(|most| SetTable::plan(&group, most, &[]));
    let edges = || {
        let (_, chosen) = pieces.strip_prefix("edges")?.split_once('.')?;
        SetTable::of_edges(&group, u16::from_str_radix(chosen, 16).ok()?).filter(|table| table.name() == name)
    };
    Some(Box::new(edges().or_else(|| tables.find(|table| table.name() == name))?))
}
