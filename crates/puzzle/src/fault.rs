//! All faults of an input, reported together.

/// All faults of a definition, a state or a pattern.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.join("; "))]
pub struct Faults(pub Vec<String>);

impl Faults {
    /// `value` if there are no faults.
    ///
    /// # Errors
    /// The faults, if there are any.
    pub fn unless_none<T>(faults: Vec<String>, value: impl FnOnce() -> T) -> Result<T, Faults> {
        if faults.is_empty() { Ok(value()) } else { Err(Faults(faults)) }
    }
}

impl From<String> for Faults {
    fn from(fault: String) -> Faults {
        Faults(vec![fault])
    }
}
