//! The house rules: what holds for every file of the repository, checked by reading it as text.
//!
//! One rule per file. A rule that does not hold everywhere yet has a constant with the exceptions,
//! and fails as well when an exception is no longer needed, so that the lists only get shorter.

mod crates;
mod floors;
mod packages;
mod paths;
mod phrases;
mod rooms;
mod size;
mod soundness;
pub mod sources;
mod supply;
mod syntax;
mod system;
