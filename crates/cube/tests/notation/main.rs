//! Every notation, round trip and fault by fault, against the referee's own model of the cube.

mod cubes;
mod detect;
mod facelets;
mod reid;
mod scramble;
