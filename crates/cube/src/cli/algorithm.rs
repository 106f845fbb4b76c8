//! `--algorithm ida|shamir`, `--order operators|deepest`.

use crate::strategy::Algorithm;
use clap::ValueEnum;
use clap::builder::PossibleValue;
use search_core::ida::Order;

impl ValueEnum for Algorithm {
    fn value_variants<'a>() -> &'a [Algorithm] {
        &[Algorithm::Ida, Algorithm::Shamir]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let help = match self {
            Algorithm::Ida => "Iterative-deepening A* with a heuristic",
            Algorithm::Shamir => {
                "The search of Fiat, Moses, Shamir, Shimshoni and Tardos: from both ends, without tables; \
                 practical up to about 16 moves"
            }
        };
        Some(PossibleValue::new(self.name()).help(help))
    }
}

/// The order in which each bound searches the branches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum BranchOrder {
    /// The order of the moves: plain IDA*, as in the papers
    Operators,
    /// Branches that the previous bound entered most deeply come first
    Deepest,
}

impl From<BranchOrder> for Order {
    fn from(order: BranchOrder) -> Order {
        match order {
            BranchOrder::Operators => Order::Operators,
            BranchOrder::Deepest => Order::Deepest,
        }
    }
}
