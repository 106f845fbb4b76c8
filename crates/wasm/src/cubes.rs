//! Cubes: reading with every fault at its piece, random cubes, tables; shortest solutions are in `solve`, insertions into
//! skeletons in `insert`.
//!
//! The page shows a cube with U up and F in front; a cube held in another way is rotated.

mod asked;
mod insert;
mod solve;

pub use insert::{Insert, Sides};
pub use solve::Solve;

use crate::host::Host;
use crate::refusal::{Fault, Refusal};
use crate::work::MOST_BY_32_BITS;
use chacha20::ChaCha8Rng;
use chacha20::rand_core::SeedableRng;
use cube::cube::{CORNERS, EDGES, Face};
use cube::fmc;
use cube::notation::facelets::{self, of_corners, of_edges};
use cube::notation::{Defect, Format, Given, net, parse, scramble};
use cube::random::random_cube;
use cube::{HeuristicSpec, Metric};
use search_core::table::Recipe;
use serde::{Deserialize, Serialize};

/// The heuristics that the page offers, the one with the smallest table first. Memory with 32-bit addresses cannot contain
/// tables larger than that of `square-7`, 3.8 GB; the host asks the module with 64-bit addresses for `square-8`.
const OFFERED: &[&str] = {
    const ALL: &[&str] =
        &["square-0", "square-2", "square-3", "square-4", "square-5", "square-6", "square-7", "square-8"];
    // Only the compiler that builds modules for threads builds the one with 64-bit addresses.
    const IS_ALONE: bool = cfg!(all(target_family = "wasm", not(target_feature = "atomics")));
    if IS_ALONE { ALL.split_at(7).0 } else { ALL }
};

/// Reads a cube.
#[derive(Debug, Deserialize)]
pub struct Read {
    text: String,
}

/// A legal cube.
#[derive(Debug, Serialize)]
pub struct Position {
    /// Its 54 facelets, held with U up and F in front.
    facelets: String,
    /// The format in which it was written.
    format: &'static str,
    /// For a text of moves, the turns for a cube held this way.
    turns: Option<String>,
    /// The same turns, with those of one face joined: `R R` is `R2`.
    joined: Option<String>,
}

impl Read {
    pub(crate) fn answer(&self) -> Result<Position, Refusal> {
        let position = parse(&self.text, None).map_err(|fault| {
            let is_net = fault.format == Some(Format::Facelets);
            Refusal::Faults(fault.defects.iter().map(|defect| self.fault(defect, is_net)).collect())
        })?;
        let (turns, joined) = match &position.given {
            Given::Moves(turns) => (Some(turns.clone()), Some(fmc::joined(Metric::Htm, turns))),
            _ => (None, None),
        };
        Ok(Position {
            facelets: facelets::format(&position.cube),
            format: position.format().name(),
            turns: turns.map(scramble::format),
            joined: joined.map(scramble::format),
        })
    }

    /// A defect with the facelets that it concerns.
    fn fault(&self, defect: &Defect, is_net: bool) -> Fault {
        let text = net::unfold(&self.text).unwrap_or_else(|| self.text.clone());
        let symbols: Vec<char> = text.chars().filter(|symbol| !symbol.is_whitespace()).collect();
        let at = match (is_net, <&[char; 54]>::try_from(&symbols[..])) {
            (true, Ok(symbols)) => places(defect, symbols),
            _ => Vec::new(),
        };
        match defect {
            // The option of the command line does not help here.
            Defect::Ambiguous(_) => {
                Fault::new("these letters could be moves or facelets: separate moves by spaces")
            }
            Defect::Perhaps(_) => Fault::new("if these are moves, separate them by spaces"),
            Defect::Twist { .. } if !at.is_empty() => {
                Fault::at("A corner is twisted; the marked one fits.", at)
            }
            Defect::Flip if !at.is_empty() => Fault::at("An edge is flipped; the marked one fits.", at),
            Defect::Parity if !at.is_empty() => {
                Fault::at("Two pieces are swapped: check the marked stickers.", at)
            }
            defect => Fault::at(defect, at),
        }
    }
}

/// The facelets that a defect concerns.
fn places(defect: &Defect, symbols: &[char; 54]) -> Vec<usize> {
    let centres: [char; 6] = std::array::from_fn(|face| symbols[9 * face + 4]);
    match defect {
        Defect::Piece { location, .. } => facelets_of(location),
        Defect::Duplicate { locations, .. } => {
            locations.iter().flat_map(|location| facelets_of(location)).collect()
        }
        Defect::SymbolCount { symbol, count } if *count > 9 => {
            (0..54).filter(|&facelet| symbols[facelet] == *symbol).collect()
        }
        Defect::SameCentre { symbol, .. } => {
            (0..6).filter(|&face| centres[face] == *symbol).map(|face| 9 * face + 4).collect()
        }
        Defect::Twist { .. } => at_fault(&turned(&of_corners(), &CORNERS, symbols, &centres), 1),
        Defect::Flip => at_fault(&turned(&of_edges(), &EDGES, symbols, &centres), 1),
        Defect::Parity => {
            let corners = away(&of_corners(), &CORNERS, symbols, &centres);
            let edges = away(&of_edges(), &EDGES, symbols, &centres);
            let (corners, edges) = (at_fault(&corners, 2), at_fault(&edges, 2));
            if corners.is_empty() { edges } else { corners }
        }
        _ => Vec::new(),
    }
}

/// The facelets of these pieces, if there are `count` of them: then these are the ones to repair. Otherwise no pieces
/// in particular are.
fn at_fault<const N: usize>(pieces: &[[usize; N]], count: usize) -> Vec<usize> {
    if pieces.len() == count { pieces.concat() } else { Vec::new() }
}

/// The pieces that are in place but turned.
fn turned<const N: usize, const P: usize>(
    at: &[[usize; N]; P],
    faces: &[[Face; N]; P],
    symbols: &[char; 54],
    centres: &[char; 6],
) -> Vec<[usize; N]> {
    let is_turned = |(at, faces): &(&[usize; N], &[Face; N])| {
        let (seen, home) = (at.map(|facelet| symbols[facelet]), faces.map(|face| centres[face.index()]));
        seen != home && seen.iter().all(|symbol| home.contains(symbol))
    };
    at.iter().zip(faces).filter(is_turned).map(|(at, _)| *at).collect()
}

/// The pieces that are not in place.
fn away<const N: usize, const P: usize>(
    at: &[[usize; N]; P],
    faces: &[[Face; N]; P],
    symbols: &[char; 54],
    centres: &[char; 6],
) -> Vec<[usize; N]> {
    let is_away = |(at, faces): &(&[usize; N], &[Face; N])| {
        let home = faces.map(|face| centres[face.index()]);
        !at.iter().all(|&facelet| home.contains(&symbols[facelet]))
    };
    at.iter().zip(faces).filter(is_away).map(|(at, _)| *at).collect()
}

/// The facelets of a location that is named by its faces, in any order.
fn facelets_of(location: &str) -> Vec<usize> {
    let is_it = |faces: &[Face]| {
        faces.len() == location.len() && faces.iter().all(|face| location.contains(face.letter()))
    };
    let corner = CORNERS.iter().position(|faces| is_it(faces)).map(|at| of_corners()[at].to_vec());
    let edge = || EDGES.iter().position(|faces| is_it(faces)).map(|at| of_edges()[at].to_vec());
    corner.or_else(edge).unwrap_or_default()
}

/// Draws a cube, each equally likely.
#[derive(Debug, Deserialize)]
pub struct Random {
    seed: u64,
}

impl Random {
    pub(crate) fn answer(&self) -> String {
        facelets::format(&random_cube(&mut ChaCha8Rng::seed_from_u64(self.seed)))
    }
}

/// A heuristic that the page offers.
#[derive(Debug, Serialize)]
pub struct Choice {
    heuristic: &'static str,
    /// The bytes of its tables.
    bytes: u64,
    /// The bits of the addresses that reach them.
    addresses: u32,
    /// Whether the host has them.
    kept: bool,
}

/// The heuristics that the page offers.
pub(crate) fn choices(host: &dyn Host) -> Vec<Choice> {
    let choice = |heuristic: &'static str| {
        let spec = solve::spec(heuristic).expect("offered heuristics exist");
        let kept = spec.tables(Metric::Htm).iter().all(|table| host.kept(&table.name()).is_some());
        let (bytes, addresses) = (bytes(&spec, Metric::Htm), addresses(&spec, Metric::Htm));
        Choice { heuristic, bytes, addresses, kept }
    };
    OFFERED.iter().copied().map(choice).collect()
}

/// The size of a heuristic's tables.
fn bytes(spec: &HeuristicSpec, metric: Metric) -> u64 {
    spec.tables(metric).iter().map(Recipe::bytes).sum()
}

/// The bits of the addresses that reach a heuristic's tables.
fn addresses(spec: &HeuristicSpec, metric: Metric) -> u32 {
    if bytes(spec, metric) > MOST_BY_32_BITS { 64 } else { 32 }
}

/// The heuristic that the host uses by default: the one with the largest stored tables that fit in `memory`, else the
/// one whose tables are built soonest.
pub(crate) fn default_heuristic(host: &dyn Host, memory: u64) -> &'static str {
    let mut stored = choices(host).into_iter().filter(|choice| choice.kept && choice.bytes <= memory);
    stored.next_back().map_or(OFFERED[0], |choice| choice.heuristic)
}

impl Clone for Choice {
    fn clone(&self) -> Choice {
        Choice { ..*self }
    }
}
