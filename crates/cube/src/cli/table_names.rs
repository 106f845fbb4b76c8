//! Names of tables as they are typed.

use crate::heuristics::HeuristicSpec;
use crate::heuristics::family::planned_tables;
use crate::metric::Metric;
use crate::tables::TableId;
use puzzle_cli::Failure;
use search_core::table::Recipe;

/// The help on names of tables.
pub(super) const TABLES_HELP: &str = "\
A table is named as `cube-opt tables plan` prints it (cube-corners-htm), or as heuristics are
(corners, edges6, edges7, coset, edges:UR,UF,UL for any 1 to 8 edges); the name of a heuristic with
several tables (korf97, square-0 to square-11) stands for all of them.";

/// The tables with this name, in `metric` if the name does not include one.
pub(super) fn all(name: &str, metric: Metric) -> Result<Vec<TableId>, Failure> {
    if let Some(id) = TableId::from_name(name) {
        return Ok(vec![id]);
    }
    match name.parse().map(|heuristic: HeuristicSpec| heuristic.tables(metric)) {
        Ok(tables) if !tables.is_empty() => Ok(tables),
        Err(reason) if name.contains(':') => Err(Failure::usage(reason)),
        _ => {
            let listed: Vec<String> = planned_tables(metric).iter().map(Recipe::name).collect();
            Err(Failure::usage(format_args!("there is no table `{name}`"))
                .with_remedy(format_args!("tables are {}, edges:UR,UF,…, korf97", listed.join(", "))))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdb::edges;
    use crate::tables::Pattern;

    #[test]
    fn short_and_long_names_mean_the_same() {
        let of = |name| match all(name, Metric::Htm).unwrap()[..] {
            [id] => id,
            _ => panic!("{name}"),
        };
        let corners = TableId { pattern: Pattern::Corners, metric: Metric::Htm };
        assert_eq!((of("corners"), of("cube-corners-htm")), (corners, corners));
        assert_eq!(of("cube-corners-qtm").metric, Metric::Qtm);
        assert_eq!(of("edges6").pattern, Pattern::Edges(edges::KORF));
        assert_eq!(of("edges:UF,RU").pattern, Pattern::Edges(3));
        assert_eq!(of("cube-edges2-003-htm").pattern, Pattern::Edges(3));
        assert_eq!(all("korf97", Metric::Htm).unwrap().len(), 2);
    }

    #[test]
    fn unknown_tables_are_refused() {
        for name in ["", "edges", "cube-edges6-fff-htm", "corner", "cube-corners-stm", "manhattan-max"] {
            assert!(all(name, Metric::Htm).is_err(), "{name}");
        }
    }
}
