//! A changed certificate never crashes the referee, and a claim that the referee calls proved is true.
//!
//! A certificate that is changed is malformed, refuted, or claims something that may still be true: the same as
//! before, or less (a smaller lower bound), or of another instance. So where the referee proves another claim
//! than the original one, a solver, which shares no code with the referee, solves the instance that the
//! certificate now names.

use super::changes::{change, change_words};
use super::child::{end, program, start};
use super::mutations::failed;
use chacha20::ChaCha8Rng;
use chacha20::rand_core::Rng;
use puzzle_cli::Failure;
use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Command;

/// The searches that write sound certificates: the program, its arguments, the instance.
const ASKED: [(&str, &str, &str); 11] = [
    ("cube-opt", "solve --heuristic manhattan-max", "R U F2 L"),
    ("cube-opt", "solve --heuristic manhattan-max --metric qtm", "R U' F2"),
    ("cube-opt", "solve --heuristic manhattan-max --max-depth 3", "R U F2 L D'"),
    ("tile24", "solve --heuristic md --fsm inverse", "8 6 7 2 5 4 3 0 1"),
    ("tile24", "solve --heuristic md --fsm inverse --notation tile --size 2x3", "5 4 3 2 1 0"),
    ("tile24", "solve --heuristic md --fsm inverse --max-depth 18", "8 6 7 2 5 4 3 0 1"),
    ("puzzle-opt", "solve pancake-5", "f3 f5 f2 f4"),
    ("puzzle-opt", "solve 2x2x2", "R U F2"),
    ("puzzle-opt", "solve pyraminx-without-tips --max-depth 2", "R U B'"),
    ("hanoi4", "solve --discs 5", ""),
    ("hanoi4", "solve --discs 6 --to 012301", ""),
];

/// The maximum number of states that the referee expands: enough for the sound certificates, few for a hard instance.
const EFFORT: &str = "20000";

/// Sound certificates.
pub struct Certificates(Vec<String>);

impl Certificates {
    /// Lets the solvers write them.
    pub fn make(programs: &Path, home: &Path) -> Result<Certificates, Failure> {
        let file = home.join("certificates");
        for (name, arguments, instance) in ASKED {
            let mut solve = program(programs, name);
            solve.args(arguments.split(' ')).args(Some(instance).filter(|text| !text.is_empty()));
            end(start(solve.arg("--certificate").arg(&file).arg("--tables").arg(home.join("tables")))?)?;
        }
        let text = fs::read_to_string(&file).map_err(failed("certificates"))?;
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        if lines.len() == ASKED.len() {
            return Ok(Certificates(lines));
        }
        Err(Failure::error(format_args!("{} certificates instead of {}", lines.len(), ASKED.len())))
    }

    /// Changes one. Returns the change, and the referee's ending or the fault.
    pub fn try_one(
        &self,
        programs: &Path,
        folder: &Path,
        is_claim: bool,
        random: &mut ChaCha8Rng,
    ) -> Result<(String, Result<String, String>), Failure> {
        let original = &self.0[random.next_u32() as usize % self.0.len()];
        let mut changed = original.clone();
        let (what, bytes) = if is_claim {
            (change_words(&mut changed, random), changed.into_bytes())
        } else {
            let mut bytes = changed.into_bytes();
            (change(&mut bytes, random), bytes)
        };
        let file = folder.join("certificate");
        fs::write(&file, &bytes).map_err(failed("a certificate"))?;
        let mut check = program(programs, "referee");
        check.args(["check", "--json", "--effort", EFFORT]).arg(&file);
        let Some(output) = end(start(&mut check)?)? else {
            return Ok((what, Err("the referee does not end".to_owned())));
        };
        let ending = match output.status.code() {
            Some(3) => Ok("malformed"),
            Some(4) => Ok("refuted"),
            Some(0) => confirmed(programs, original, &bytes, &output.stdout)?,
            _ => Err(format!("{}: {}", output.status, String::from_utf8_lossy(&output.stderr))),
        };
        let what = format!("{what}: {}", String::from_utf8_lossy(&bytes));
        Ok((what, ending.map(str::to_owned)))
    }
}

/// The claim of a certificate: the puzzle, the metric, the result, and which solutions are listed.
fn claim(certificate: &Value) -> [Value; 5] {
    let result = &certificate["result"];
    let [kind, length] = ["kind", "length"].map(|field| result[field].clone());
    [certificate["puzzle"].clone(), certificate["metric"].clone(), kind, length, certificate["all"].clone()]
}

/// Judges a changed certificate that the referee does not refute.
fn confirmed(
    programs: &Path,
    original: &str,
    bytes: &[u8],
    report: &[u8],
) -> Result<Result<&'static str, String>, Failure> {
    if bytes == original.as_bytes() {
        return Ok(Ok("not changed"));
    }
    // A change may have split one line into several, or removed it.
    let text = String::from_utf8_lossy(bytes);
    let reports = String::from_utf8_lossy(report);
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let (&[line], [report]) = (&lines[..], &reports.lines().collect::<Vec<_>>()[..]) else {
        return Ok(if lines.is_empty() { Ok("empty") } else { Err("lines are passed over".to_owned()) });
    };
    let parse = |text: &str| serde_json::from_str::<Value>(text).map_err(failed("a certificate"));
    let (now, report) = (parse(line)?, parse(report)?);
    if claim(&now) == claim(&parse(original)?) {
        return Ok(Ok("the same claim"));
    }
    if report["proved"] != true {
        return Ok(Ok("another claim, partly taken on trust"));
    }
    is_true(programs, &now)
}

/// Whether a solver confirms the claim of a certificate.
fn is_true(programs: &Path, certificate: &Value) -> Result<Result<&'static str, String>, Failure> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let (puzzle, claimed) = (&certificate["puzzle"], certificate["result"]["length"].as_u64());
    let (begin, goal) = (text(&puzzle["start"]), text(&puzzle["goal"]));
    let mut file = tempfile::NamedTempFile::with_suffix(".json").map_err(failed("a definition"))?;
    let mut solve = match puzzle["kind"].as_str() {
        Some("permutation") => {
            let definition = definition(puzzle);
            file.write_all(definition.to_string().as_bytes()).map_err(failed("a definition"))?;
            any_puzzle(programs, puzzle, file.path())
        }
        _ => solver(programs, puzzle, &text(&certificate["metric"]), &begin, &goal),
    };
    let Some(output) = end(start(solve.args(["--json", "--time-limit", "20s"]))?)? else {
        return Ok(Err("proved, and a solver does not end".to_owned()));
    };
    let found: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let (kind, length) = (text(&found["result"]["kind"]), found["result"]["length"].as_u64());
    let is_true = match &certificate["result"]["kind"] {
        claimed_kind if claimed_kind == "optimal" => kind == "optimal" && length == claimed,
        _ => length.is_some() && length >= claimed,
    };
    Ok(if is_true { Ok("another claim, which is true") } else { Err(format!("proved, and false: {found}")) })
}

/// The puzzle of a certificate as a KPuzzle: one orbit, with a piece at each point.
fn definition(puzzle: &Value) -> Value {
    let points = puzzle["goal"].as_array().map_or(0, Vec::len);
    let no_turns = vec![0; points];
    let steps = |kind: &str, letter: &str| {
        let all = puzzle[kind].as_array().cloned().unwrap_or_default().into_iter().enumerate();
        let step = |(number, step): (usize, Value)| {
            let part = json!({"permutation": step["from"], "orientationDelta": no_turns});
            (format!("{letter}{number}"), json!({"P": part}))
        };
        all.map(step).collect::<Vec<(String, Value)>>()
    };
    let moves: serde_json::Map<String, Value> =
        steps("moves", "M").into_iter().chain(steps("rotations", "R")).collect();
    json!({
        "name": "changed",
        "orbits": [{"orbitName": "P", "numPieces": points, "numOrientations": 1}],
        "defaultPattern": {"P": {"pieces": puzzle["goal"], "orientation": no_turns}},
        "moves": moves,
    })
}

/// The search for the start of a permutation puzzle, by its definition in a file.
fn any_puzzle(programs: &Path, puzzle: &Value, definition: &Path) -> Command {
    let names = |kind: &str, letter: &str| {
        let count = puzzle[kind].as_array().map_or(0, Vec::len);
        (0..count).map(|number| format!("{letter}{number}")).collect::<Vec<_>>().join(" ")
    };
    let points = puzzle["start"].as_array().map_or(0, Vec::len);
    let start = json!({"P": {"pieces": puzzle["start"], "orientation": vec![0; points]}});
    let mut solve = program(programs, "puzzle-opt");
    solve.arg("solve").arg(definition).args(["--metric", "generators", "--moves", &names("moves", "M")]);
    solve.args(["--rotations", &names("rotations", "R"), &start.to_string()]);
    solve
}

fn solver(programs: &Path, puzzle: &Value, metric: &str, begin: &str, goal: &str) -> Command {
    match puzzle["kind"].as_str() {
        Some("cube") => {
            let mut solve = program(programs, "cube-opt");
            solve.args(["solve", "--heuristic", "manhattan-max", "--metric", metric, "--goal", goal, begin]);
            solve
        }
        Some("tiles") => {
            let size = format!("{}x{}", puzzle["rows"], puzzle["columns"]);
            let mut solve = program(programs, "tile24");
            solve.args(["solve", "--heuristic", "md", "--fsm", "inverse", "--size", &size, "--goal", goal]);
            solve.arg(begin);
            solve
        }
        _ => {
            let (discs, pegs) = (begin.len().to_string(), puzzle["pegs"].to_string());
            let mut solve = program(programs, "hanoi4");
            solve.args(["solve", "--discs", &discs, "--pegs", &pegs, "--from", begin, "--to", goal]);
            solve
        }
    }
}
