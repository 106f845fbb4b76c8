//! Sets of moves as they are typed: `--moves "U R2 M"`, `cube-opt group "U R"`.

use crate::metric::Metric;
use crate::moves::{InvalidSet, MoveSet};
use puzzle_cli::Failure;

/// The help of an argument that is a set of moves.
pub(super) const HELP: &str = "The moves: faces (U R F D L B), slices (M E S), wide turns (Rw); R stands \
                               for all turns of the face, R2 for its half turn";

/// Parses a set of moves.
pub(super) fn parse(text: &str, metric: Option<Metric>) -> Result<MoveSet, Failure> {
    MoveSet::parse(text, metric).map_err(|error| match error {
        InvalidSet::Fault(fault) => Failure::usage("not a set of moves").with_faults(&fault.defects),
        error => Failure::usage(format_args!("not a set of moves: {error}")),
    })
}

/// The set of moves that replaces face turns: `moves` if given, or all moves of a metric with slices.
pub(super) fn set(moves: Option<&str>, metric: Option<Metric>) -> Result<Option<MoveSet>, Failure> {
    match (moves, metric) {
        (Some(text), metric) => parse(text, metric).map(Some),
        (None, metric) => Ok(metric.filter(|metric| !metric.is_of_faces()).map(MoveSet::all)),
    }
}
