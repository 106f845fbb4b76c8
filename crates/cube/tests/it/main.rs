//! Tests of the program and of the forms of input, through what is public.

mod as_pasted;
mod cli;
mod notation;
mod recheck;
mod stops;
