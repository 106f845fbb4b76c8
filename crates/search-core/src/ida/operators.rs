//! Strings of operators as text, for checkpoints and outcomes.

use crate::domain::Op;
use serde::{Deserialize, Serialize};

/// A string of operators as text: one character per operator, from `0` on.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct Operators(String);

impl Operators {
    /// The operators. An invalid character becomes an operator that may not be applicable, so a caller who follows the
    /// string must check each operator.
    pub(super) fn to_ops(&self) -> Vec<Op> {
        self.0.bytes().map(|byte| Op::new(usize::from(byte.wrapping_sub(b'0').min(63)))).collect()
    }

    /// Whether the string begins with another.
    pub(super) fn starts_with(&self, other: &Operators) -> bool {
        self.0.starts_with(&other.0)
    }
}

impl From<&[Op]> for Operators {
    fn from(ops: &[Op]) -> Operators {
        Operators(ops.iter().map(|op| char::from(b'0' + op.index() as u8)).collect())
    }
}
