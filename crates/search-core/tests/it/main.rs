//! The crate's integration tests, one program: it is linked once.

mod beside;
mod ida;
mod incumbent;
mod tables_damage;
mod tables_fill;
mod tables_lookup;
mod tables_store;
