//! From a request to its answer.

use crate::host::Host;
use crate::{cubes, tiles, towers};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// What the page asks for.
#[derive(Debug, Deserialize)]
#[serde(tag = "do")]
enum Request {
    #[serde(rename = "version")]
    Version,
    #[serde(rename = "cube.read")]
    ReadCube(cubes::Read),
    #[serde(rename = "cube.random")]
    RandomCube(cubes::Random),
    #[serde(rename = "cube.tables")]
    CubeTables,
    #[serde(rename = "cube.solve")]
    SolveCube(cubes::Solve),
    #[serde(rename = "tiles.read")]
    ReadTiles(tiles::Read),
    #[serde(rename = "tiles.random")]
    RandomTiles(tiles::Random),
    #[serde(rename = "tiles.explain")]
    ExplainTiles(tiles::Read),
    #[serde(rename = "tiles.solve")]
    SolveTiles(tiles::Solve),
    #[serde(rename = "towers.read")]
    ReadTowers(towers::Ends),
    #[serde(rename = "towers.random")]
    RandomTowers(towers::Random),
    #[serde(rename = "towers.solve")]
    SolveTowers(towers::Ends),
    #[serde(rename = "towers.counts")]
    CountTowers(towers::Counts),
}

/// One thing that is wrong with an input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// What is wrong.
    pub message: String,
    /// Where: facelets of a cube, cells of a board, characters of a state.
    pub at: Vec<usize>,
}

impl Fault {
    /// A fault of the input as a whole.
    pub fn new(message: impl ToString) -> Fault {
        Fault { message: message.to_string(), at: Vec::new() }
    }

    /// A fault at some places.
    pub fn at(message: impl ToString, at: Vec<usize>) -> Fault {
        Fault { message: message.to_string(), at }
    }
}

/// Why there is no answer: everything that is wrong with the input, or what failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Refusal {
    /// What is wrong with the input.
    Faults(Vec<Fault>),
    /// What failed.
    Error(String),
}

impl Refusal {
    /// What failed.
    pub fn error(error: impl ToString) -> Refusal {
        Refusal::Error(error.to_string())
    }
}

/// The answer to a request, both as JSON: an object with `ok`, or with `faults` or `error`.
pub fn answer(request: &str, host: &'static dyn Host) -> String {
    let answer = match serde_json::from_str(request) {
        Ok(request) => answered(request, host),
        Err(error) => Err(Refusal::Error(format!("no request: {error}"))),
    };
    match answer {
        Ok(answer) => json!({ "ok": answer }).to_string(),
        Err(refusal) => json!(refusal).to_string(),
    }
}

fn answered(request: Request, host: &'static dyn Host) -> Result<Value, Refusal> {
    fn value(answer: Result<impl Serialize, Refusal>) -> Result<Value, Refusal> {
        serde_json::to_value(answer?).map_err(Refusal::error)
    }
    match request {
        Request::Version => Ok(json!(env!("CARGO_PKG_VERSION"))),
        Request::ReadCube(request) => value(request.answer()),
        Request::RandomCube(request) => value(Ok(request.answer())),
        Request::CubeTables => value(Ok(cubes::choices(host))),
        Request::SolveCube(request) => value(request.answer(host)),
        Request::ReadTiles(request) => value(request.answer()),
        Request::RandomTiles(request) => value(request.answer()),
        Request::ExplainTiles(request) => value(request.explain()),
        Request::SolveTiles(request) => value(request.answer(host)),
        Request::ReadTowers(request) => value(request.answer()),
        Request::RandomTowers(request) => value(request.answer()),
        Request::SolveTowers(request) => value(request.solve(host)),
        Request::CountTowers(request) => value(request.answer(host)),
    }
}
