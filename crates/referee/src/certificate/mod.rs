//! Certificates: a solver's claims about an answer, as a JSON object, and the referee's verdict on them.
//!
//! A certificate is read as untrusted input ([`Certificate::parse`]) and checked claim by claim
//! ([`Certificate::check`]): the referee replays the solutions, searches for a shorter one within its effort,
//! compares the exhausted bounds with the length, and lists the claims that it takes on trust. The format is
//! described in docs/certificate.md.
//!
//! ```
//! use referee::certificate::{Certificate, Effort, Verdict};
//!
//! let line = r#"{"certificate":1,"instance":"1 2 0 3","puzzle":{"kind":"tiles","rows":2,"columns":2,
//!     "start":"1 0 2 3","goal":"0 1 2 3","notation":"blank"},"metric":"moves",
//!     "result":{"kind":"optimal","length":1,"solutions":["L"]},"search":"ida","exhausted":[],
//!     "heuristic":"md","automaton":"off","tables":[],"program":"by hand",
//!     "build":{"target":"none","profile":"none"}}"#;
//! let report = Certificate::parse(line)?.check(Effort::default());
//! // The instance as it was typed is another board than the start.
//! let refuted: Vec<_> = report.findings.iter().filter(|finding| finding.verdict == Verdict::Refuted).collect();
//! assert_eq!(refuted.len(), 1);
//! assert!(refuted[0].claim.contains("instance"));
//! # Ok::<(), referee::certificate::Malformed>(())
//! ```

mod bounds;
mod check;
mod cube;
mod game;
mod hanoi;
mod permutation;
mod search;
mod tiles;

use serde::{Deserialize, Serialize};
use std::fmt;

/// The version of the format.
pub const VERSION: u32 = 2;

/// The first version with the best solution of an answer that is not proved.
const FIRST_WITH_BEST: u32 = 2;

/// The maximum length of a certificate, in bytes: enough for eight million moves of discs.
pub const MAX_BYTES: usize = 64 << 20;

/// A solver's claims about one answer. docs/certificate.md describes the fields.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    /// The version of the format.
    pub certificate: u32,
    /// The instance as it was typed.
    pub instance: String,
    /// The start and the goal.
    pub puzzle: Puzzle,
    /// The cost of a move.
    pub metric: Metric,
    /// The result.
    pub result: Answer,
    /// The best solution, if the result is a lower bound and a solution is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub best: Option<Best>,
    /// The range of lengths in which all solutions are listed, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub all: Option<All>,
    /// The meaning of the bounds.
    pub search: Search,
    /// The bounds that were searched to the end.
    pub exhausted: Vec<Exhausted>,
    /// The heuristic.
    pub heuristic: String,
    /// The method that pruned duplicate strings of moves.
    pub automaton: String,
    /// The tables that were read.
    pub tables: Vec<Table>,
    /// The program and its version.
    pub program: String,
    /// The build of the program.
    pub build: Build,
}

/// The start and the goal of each puzzle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Puzzle {
    /// Rubik's cube: 54 stickers each, faces in the order URFDLB, each row by row.
    Cube {
        /// The start.
        start: String,
        /// The goal.
        goal: String,
        /// The pieces that the goal ignores, each by the colours of its stickers.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        ignored: Vec<String>,
        /// The pieces whose orientation it ignores.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        orientation_ignored: Vec<String>,
        /// In place of these two: the alternatives of what may differ from the goal.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        alternatives: Vec<Open>,
        /// A face, by the colour of its centre: the goal accepts any final turn of it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        final_turn: Option<char>,
    },
    /// Sliding tiles: lists of tiles row by row, 0 for the blank.
    Tiles {
        /// The number of rows.
        rows: usize,
        /// The number of columns.
        columns: usize,
        /// The start.
        start: String,
        /// The goal.
        goal: String,
        /// The notation of the moves.
        notation: Notation,
    },
    /// Any permutation puzzle: colours at points.
    Permutation {
        /// Its name.
        name: String,
        /// The counted moves.
        moves: Vec<Named>,
        /// The rotations of the whole puzzle, which are not counted.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        rotations: Vec<Named>,
        /// The colours that may not be at some points.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        blocked: Vec<Blocked>,
        /// The colour at each point at the start.
        start: Vec<u8>,
        /// The colour at each point of the goal.
        goal: Vec<u8>,
        /// The same start with further goals, each in colours of its own: what solves one of them is a solution.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        others: Vec<Colours>,
    },
    /// Towers of Hanoi: one peg digit per disc, the largest disc first.
    Hanoi {
        /// The number of pegs.
        pegs: usize,
        /// The start.
        start: String,
        /// The goal.
        goal: String,
    },
}

/// A start and a goal of a permutation puzzle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Colours {
    /// The colour at each point at the start.
    pub start: Vec<u8>,
    /// The colour at each point of the goal.
    pub goal: Vec<u8>,
}

/// A move or a rotation of a permutation puzzle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Named {
    /// Its name.
    pub name: String,
    /// For each point, the point whose colour it carries there.
    pub from: Vec<u8>,
}

/// A rule of a permutation puzzle: this colour is never at this point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Blocked {
    /// The point.
    pub point: u8,
    /// The colour.
    pub colour: u8,
}

/// The pieces that a goal of the cube leaves open.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Open {
    /// Sets of corners and sets of edges whose pieces may change places, named by the colours of their stickers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub interchangeable: Vec<Vec<String>>,
    /// The pieces whose orientation is ignored.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub orientation_ignored: Vec<String>,
    /// The axis of corner orientation, by the colour of a centre on it; by default, the axis through the first face.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub corner_axis: Option<char>,
    /// The axis of edge orientation, likewise; by default, the axis through the third face.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edge_axis: Option<char>,
    /// Whether half turns of all faces may follow in addition.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub half_turns: bool,
}

/// The notations for moves of sliding tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Notation {
    /// The directions of the blank: L, U, R, D.
    Blank,
    /// The numbers of the tiles that move.
    Tile,
    /// The cells that the blank moves to, from 0.
    Positions,
}

/// The cost of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Metric {
    /// (Cube) a turn of a face by any angle costs 1.
    Htm,
    /// (Cube) a quarter turn costs 1, a half turn 2.
    Qtm,
    /// (Cube) a turn of a face or of a slice by any angle costs 1.
    Stm,
    /// Every move costs 1.
    Moves,
    /// (Sliding tiles) a move of any number of tiles of a row or column costs 1.
    Multi,
}

/// The result of a solver.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Answer {
    /// A shortest solution.
    Optimal {
        /// Its length.
        length: u32,
        /// The solutions, the shortest first.
        solutions: Vec<String>,
    },
    /// No solution was found; every solution has at least this length.
    LowerBound {
        /// The bound.
        length: u32,
    },
    /// There is no solution.
    Exhausted,
}

/// A solution that is not claimed to be shortest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Best {
    /// Its length.
    pub length: u32,
    /// The solution.
    pub solution: String,
}

/// The claim that all solutions up to some length are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct All {
    /// The length.
    pub up_to: u32,
    /// Whether only one solution of each class under symmetry is listed.
    pub up_to_symmetry: bool,
}

/// The meaning of the bounds of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Search {
    /// IDA*: apart from those listed, no solution has at most this number of moves.
    Ida,
    /// Fiat and others: no solution has exactly this number of moves.
    Shamir,
    /// Breadth-first from one or both ends: the bound is the length of the path.
    Layers,
    /// (Hanoi) breadth-first to the middle of the path: no solution has at most twice this number of moves.
    HalfDepth,
}

/// A bound that was searched to the end, with its counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exhausted {
    /// The bound.
    pub bound: u32,
    /// Children that were generated.
    pub generated: u64,
    /// Nodes that were expanded.
    pub expanded: u64,
    /// Generated nodes that the heuristic cut.
    pub pruned_by_heuristic: u64,
    /// Applicable operators that the automaton forbade.
    pub pruned_by_fsm: u64,
}

/// A table, identified by its content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// Its name.
    pub name: String,
    /// The checksum of its body.
    pub checksum: String,
}

/// The build of a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Build {
    /// The target platform.
    pub target: String,
    /// The profile: `debug` or `release`.
    pub profile: String,
}

/// The reason why a text is not a certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed(pub String);

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not a certificate: {}", self.0)
    }
}

impl std::error::Error for Malformed {}

/// Limits of the referee's own search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// The maximum number of states that a search expands. If that does not suffice, the same number again is spent to
    /// exclude as many lengths as possible. The memory that a search needs is proportional to this number.
    pub states: u64,
}

impl Default for Effort {
    /// Five million states: some seconds, and some hundred megabytes.
    fn default() -> Effort {
        Effort { states: 5_000_000 }
    }
}

/// The referee's verdict on a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The referee established it by itself.
    Verified,
    /// It is false.
    Refuted,
    /// The referee cannot check it.
    Trusted,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Verified => "verified",
            Verdict::Refuted => "refuted",
            Verdict::Trusted => "taken on trust",
        })
    }
}

/// A claim and the referee's verdict on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The verdict.
    pub verdict: Verdict,
    /// The claim.
    pub claim: String,
    /// The method of the check, or the evidence against the claim.
    pub reason: String,
}

/// `verified: the claim (the reason)`.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.verdict, self.claim)?;
        if self.reason.is_empty() { Ok(()) } else { write!(f, " ({})", self.reason) }
    }
}

/// The referee's verdict on a certificate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Report {
    /// The findings, one per claim.
    pub findings: Vec<Finding>,
    /// The lower bound that the referee derived by itself: every solution has at least this length.
    pub lower_bound: Option<u32>,
    /// Whether the length is verified without trust in the solver.
    pub proved: bool,
}

impl Report {
    /// Whether no claim is refuted.
    pub fn stands(&self) -> bool {
        self.findings.iter().all(|finding| finding.verdict != Verdict::Refuted)
    }
}

/// The version alone, which distinguishes another version from a damaged certificate.
#[derive(Deserialize)]
struct Version {
    certificate: u64,
}

impl Certificate {
    /// Reads a certificate. No text makes it panic.
    ///
    /// # Errors
    /// [`Malformed`]: not JSON, missing or unknown fields, a number that is too large, nested too deeply, too long, or
    /// of another version of the format.
    pub fn parse(text: &str) -> Result<Certificate, Malformed> {
        if text.len() > MAX_BYTES {
            return Err(Malformed(format!("it is longer than {MAX_BYTES} bytes")));
        }
        match serde_json::from_str::<Version>(text) {
            Ok(Version { certificate }) if !(1..=u64::from(VERSION)).contains(&certificate) => {
                Err(Malformed(format!(
                    "its format is version {certificate}; this program reads versions up to {VERSION}"
                )))
            }
            _ => serde_json::from_str(text)
                .map_err(|error| Malformed(error.to_string()))
                .and_then(Certificate::without_later_fields),
        }
    }

    /// The certificate, if its version has all of its fields.
    fn without_later_fields(self) -> Result<Certificate, Malformed> {
        match &self.best {
            Some(_) if self.certificate < FIRST_WITH_BEST => {
                Err(Malformed(format!("version {} has no field `best`", self.certificate)))
            }
            _ => Ok(self),
        }
    }

    /// Checks every claim. The time is limited by `effort`, apart from that of replaying the solutions.
    pub fn check(&self, effort: Effort) -> Report {
        check::check(self, effort)
    }
}
