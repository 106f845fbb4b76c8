//! `--metric htm|qtm`.

use crate::Metric;
use clap::ValueEnum;
use clap::builder::PossibleValue;

impl ValueEnum for Metric {
    fn value_variants<'a>() -> &'a [Metric] {
        &[Metric::Htm, Metric::Qtm]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let help = match self {
            Metric::Htm => "any turn of a face is one move (half-turn or face-turn metric)",
            Metric::Qtm => "a quarter turn of a face is one move, a half turn two",
        };
        Some(PossibleValue::new(self.name()).help(help))
    }
}
