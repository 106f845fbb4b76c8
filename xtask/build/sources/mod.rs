//! What a function can reach in our crates, and a digest of exactly that.
//!
//! The idea: a result depends on the items (functions, types, constants, …) that its function mentions, on those
//! that they mention, and so on. Two programs in which these have the same text give the same result, whatever else
//! has changed. [`Graph::digest`] is the digest of the text of all that a function reaches.
//!
//! Nothing that is used is left out, because code of ours runs only where live code names it:
//!
//! | what | is reached when |
//! | --- | --- |
//! | a function, type, constant, trait, macro | a path in live code stands for it: through imports, re-exports, globs and other names |
//! | an `impl` block | all of our types and traits in its header are reached |
//! | a function of an `impl` block or of a trait of ours | the block is reached, and its name occurs anywhere in live code |
//! | a function of a foreign trait (`drop`, `next`, `fmt`) | the `impl` block is reached: it is called without its name |
//! | a trait in scope of live code | always, since its functions are called without its name |
//! | a macro call in the place of an item | anything in its module is reached, or a name that it may make |
//! | all of a module | a path mentions the module itself, or a name in it that cannot be found |
//! | a file | a reached item includes it by `include_str!` or `include_bytes!` |
//!
//! Names in the braces of format strings and paths in attributes of serde count as paths. Local variables that are
//! named as an item reach it, too: too much is reached, never too little. The text that counts is that of the
//! tokens without comments, documentation, lints, visibility, lifetime bounds and tests, with what each path stands
//! for. Versions of foreign crates and the compiler are not part of it.
//!
//! The cost: each file is read once, and each function takes time in proportion to what it reaches; a few seconds
//! in all without optimization.

pub mod items;
pub mod reach;
pub mod world;

pub use reach::{Graph, path_of};
pub use world::World;
