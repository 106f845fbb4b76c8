//! The crate's integration tests, one program: it is linked once. `threads` needs a process of its own.

mod fixtures;
mod forgeries;
mod miniature;
mod records;
