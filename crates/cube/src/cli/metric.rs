//! `--metric htm|qtm|stm|axial`.

use crate::metric::Metric;
use clap::ValueEnum;
use clap::builder::PossibleValue;

impl ValueEnum for Metric {
    fn value_variants<'a>() -> &'a [Metric] {
        &Metric::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let help = match self {
            Metric::Htm => "any turn of a face is one move (half-turn or face-turn metric)",
            Metric::Qtm => "a quarter turn of a face is one move, a half turn two",
            Metric::Stm => "any turn of a face or a slice is one move (slice-turn metric)",
            Metric::Axial => {
                "any turn of a face, or of two opposite faces at once, is one move (axial metric)"
            }
        };
        Some(PossibleValue::new(self.name()).help(help))
    }
}

/// A metric of face turns, where slices are not available.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct FaceMetric(pub(super) Metric);

impl From<FaceMetric> for Metric {
    fn from(FaceMetric(metric): FaceMetric) -> Metric {
        metric
    }
}

impl ValueEnum for FaceMetric {
    fn value_variants<'a>() -> &'a [FaceMetric] {
        &[FaceMetric(Metric::Htm), FaceMetric(Metric::Qtm)]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        self.0.to_possible_value()
    }
}
