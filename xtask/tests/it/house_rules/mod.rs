//! The house rules: properties of every file of the repository, checked by reading it as text.
//!
//! One rule per file. A rule with exceptions lists them in a constant, and also fails if an exception is no longer
//! needed, so that the lists only get shorter.

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
