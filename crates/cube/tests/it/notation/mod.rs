//! Every notation, round trip and fault by fault, against the referee's own model of the cube.

mod brackets;
mod cubes;
mod detect;
mod facelets;
mod pasted;
mod reid;
mod scramble;
