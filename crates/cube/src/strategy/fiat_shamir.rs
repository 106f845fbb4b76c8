//! The search by Fiat and others, from both ends and without tables.

use super::lazy::Means;
use super::{Ask, Found, Strategy};
use crate::cube::Cube;
use crate::metric::Metric;
use crate::notation::scramble::Move;
use crate::shamir;
use search_core::ida::{Config, Order};
use search_core::record::Used;
use search_core::table::TableError;

/// The search in one metric.
pub(super) struct FiatShamir(pub(super) Metric);

impl Strategy for FiatShamir {
    fn planned(&self) -> Used {
        Used::one("none (shamir)", &[])
    }

    fn pruning(&self) -> &'static str {
        "none"
    }

    fn search(&self, ask: &Ask, means: &Means<'_>) -> Result<Found<Vec<Move>>, TableError> {
        let run = ask.limited(means.run);
        let search = |cube: &Cube, config: &Config| {
            let most = config.max_bound.unwrap_or(u32::MAX);
            Ok((shamir::solve(cube, self.0.turns(), most, &run), self.planned()))
        };
        ask.between_ends((self.0, Order::Operators), || self.planned(), search)
    }

    fn value(&self, _: &Cube, _: &Means<'_>) -> Result<u8, TableError> {
        Ok(0)
    }
}
