//! The integration tests of the repository's tasks, one program: it is linked once.

mod book;
mod chromium;
mod cli;
mod datasets;
mod house_rules;
mod programs;
