//! Answering requests.

use crate::host::Host;
use crate::refusal::Refusal;
use crate::{cubes, puzzles, tiles, towers};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// A request of the page.
#[derive(Debug, Deserialize)]
#[serde(tag = "do")]
enum Request {
    #[serde(rename = "version")]
    Version,
    #[serde(rename = "cube.read")]
    ReadCube(cubes::Read),
    #[serde(rename = "cube.sides")]
    SidesOfMoves(cubes::Sides),
    #[serde(rename = "cube.insert")]
    InsertMoves(cubes::Insert),
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
    #[serde(rename = "puzzle.builtins")]
    BuiltinPuzzles,
    #[serde(rename = "puzzle.read")]
    ReadPuzzle(puzzles::Read),
    #[serde(rename = "puzzle.patterns")]
    PatternsOfPuzzle(puzzles::Patterns),
    #[serde(rename = "puzzle.group")]
    GroupOfPuzzle(puzzles::Group),
    #[serde(rename = "puzzle.random")]
    RandomPuzzle(puzzles::Random),
    #[serde(rename = "puzzle.solve")]
    SolvePuzzle(puzzles::Solve),
    #[serde(rename = "puzzle.count")]
    CountPuzzle(puzzles::Counts),
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
        Request::SidesOfMoves(request) => value(request.answer()),
        Request::InsertMoves(request) => value(request.answer(host)),
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
        Request::BuiltinPuzzles => value(Ok(puzzles::builtins())),
        Request::ReadPuzzle(request) => value(request.answer()),
        Request::PatternsOfPuzzle(request) => value(request.answer()),
        Request::GroupOfPuzzle(request) => value(request.answer(host)),
        Request::RandomPuzzle(request) => value(request.answer(host)),
        Request::SolvePuzzle(request) => value(request.answer(host)),
        Request::CountPuzzle(request) => value(request.answer(host)),
    }
}
