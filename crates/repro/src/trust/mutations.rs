//! Changed tables, checkpoints and inputs neither crash a program nor change an answer.
//!
//! A program must refuse a changed table; with a changed checkpoint it must give the same answer as without one. It
//! must end by itself, with one of its exit codes: not by a signal, not by a panic (101).

use super::Outcome;
use super::certificates::Certificates;
use super::changes::{change, change_numbers, seal_header};
use super::child::{end, program, start};
use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use puzzle_cli::Failure;
use search_core::Run;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::thread::sleep;
use std::time::Duration;

/// The kind of input that is changed.
#[derive(Clone, Copy, Debug)]
enum Subject {
    /// A table, read by a search.
    Table(&'static Reader),
    /// A table whose header's checksum is updated after the change.
    SealedTable(&'static Reader),
    /// The checkpoint of a search.
    Checkpoint,
    /// A checkpoint whose checksum is updated after the change: a forged one may mislead, but must not crash a program.
    SealedCheckpoint,
    /// An instance: the program, its arguments, and sound instances.
    Input(&'static str, &'static str, &'static [&'static str]),
    /// A certificate, any of its bytes.
    Certificate,
    /// A certificate of which digits and words are changed: it stays readable, and claims something else.
    Claim,
}

/// A search that reads a table.
#[derive(Debug)]
struct Reader {
    /// The end of the table's name.
    table: &'static str,
    program: &'static str,
    arguments: &'static str,
    instance: &'static str,
    /// The beginning of its answer.
    answer: &'static str,
}

const PATTERN: Reader = tile_reader("pdb8-1fe.table");
const AUTOMATON: Reader = tile_reader("fsm-12.table");
const EDGES: Reader = Reader {
    table: "edges2-003-htm.table",
    program: "cube-opt",
    arguments: "solve --heuristic edges:UR,UF",
    instance: "R U F'",
    answer: "3 ",
};

const fn tile_reader(table: &'static str) -> Reader {
    Reader {
        table,
        program: "tile24",
        arguments: "solve --heuristic pdb",
        instance: "8 6 7 2 5 4 3 0 1",
        answer: "27 ",
    }
}

const SUBJECTS: [(&str, Subject); 13] = [
    ("pattern database", Subject::Table(&PATTERN)),
    ("pattern database with a sealed header", Subject::SealedTable(&PATTERN)),
    ("automaton", Subject::Table(&AUTOMATON)),
    ("automaton with a sealed header", Subject::SealedTable(&AUTOMATON)),
    ("database of two edges", Subject::Table(&EDGES)),
    ("database of two edges with a sealed header", Subject::SealedTable(&EDGES)),
    ("checkpoint", Subject::Checkpoint),
    ("checkpoint with a sealed line", Subject::SealedCheckpoint),
    (
        "cube",
        Subject::Input(
            "cube-opt",
            "solve --heuristic manhattan-max --max-depth 3 --",
            &[
                "R U R' U'",
                "UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB",
                "UF UR UB UL DF DR DB DL FR FL BR BL UFR URB UBL ULF DRF DFL DLB DBR",
                "(R U2)2 M E' S x y' z2 Rw [R, U]",
            ],
        ),
    ),
    (
        "board",
        Subject::Input(
            "tile24",
            "solve --heuristic md --fsm inverse --max-depth 20 --",
            &["8 6 7 2 5 4 3 0 1", "1,2,3,0", "5 1 2 3 4 0 6 7 8 9 10 11 12 13 14 15", "0 1 2 3 4 5"],
        ),
    ),
    (
        "state of Hanoi",
        Subject::Input("hanoi4", "solve --discs 6 --time-limit 1s --from", &["333333", "012301", "000000"]),
    ),
    ("certificate", Subject::Certificate),
    ("claim of a certificate", Subject::Claim),
];

/// The search that keeps a checkpoint, and its answer.
const LONG_BOARD: &str = "14 1 9 6 4 8 12 5 7 2 3 0 10 11 13 15";
const LONG_ANSWER: &str = "45 ";

/// Changes each subject whose title contains `only`, about `count` times in all.
///
/// # Errors
/// When a program cannot be started, or the sound files cannot be made.
pub fn mutate_all(
    (programs, only): (&Path, &str),
    count: usize,
    seed: u64,
    run: &Run<'_>,
) -> Result<Vec<Outcome>, Failure> {
    let chosen: Vec<_> = SUBJECTS.iter().filter(|(title, _)| title.contains(only)).collect();
    if chosen.is_empty() {
        return Ok(Vec::new());
    }
    let each = count.div_ceil(chosen.len());
    run.progress().begin("changed files and inputs", (each * chosen.len()) as u64);
    let home = tempfile::tempdir().map_err(failed("a folder"))?;
    let sound = Sound::make(programs, home.path())?;
    let mut outcomes = Vec::new();
    for (at, (title, subject)) in chosen.into_iter().enumerate() {
        let lanes: Vec<usize> = (0..run.threads()).collect();
        // Each thread has a folder of its own.
        let parts = run.map(&lanes, |&lane| {
            let folder = home.path().join(format!("lane-{lane}"));
            fs::create_dir_all(&folder).map_err(failed("a folder"))?;
            let mut seen = BTreeMap::new();
            let mut broken = Vec::new();
            for number in (lane..each).step_by(lanes.len()).take_while(|_| !run.is_cancelled()) {
                let mut random = ChaCha8Rng::seed_from_u64(seed);
                random.set_stream((at * count + number) as u64);
                let (what, ending) = subject.try_one(programs, &sound, &folder, &mut random)?;
                match ending {
                    Ok(ending) => *seen.entry(ending).or_insert(0) += 1,
                    Err(why) => broken.push(format!("{title} {number} (seed {seed}), {what}: {why}")),
                }
                if lane == 0 {
                    run.progress().update((at * each + number) as u64);
                }
            }
            Ok((seen, broken))
        });
        let (mut endings, mut broken) = (BTreeMap::new(), Vec::new());
        for part in parts {
            let (seen, also_broken) = part?;
            for (ending, count) in seen {
                *endings.entry(ending).or_insert(0) += count;
            }
            broken.extend(also_broken);
        }
        let endings = endings.into_iter().map(|(ending, count)| (count, ending)).collect();
        outcomes.push(Outcome { title: format!("changed {title}"), endings, broken });
    }
    run.progress().end();
    Ok(outcomes)
}

pub(super) fn failed<E: std::fmt::Display>(what: &str) -> impl Fn(E) -> Failure {
    move |error| Failure::error(format_args!("{what}: {error}"))
}

/// The sound files.
struct Sound {
    tables: PathBuf,
    /// The name and the bytes of a checkpoint.
    checkpoint: (String, Vec<u8>),
    certificates: Certificates,
}

impl Sound {
    /// Creates the sound files by running the programs.
    fn make(programs: &Path, home: &Path) -> Result<Sound, Failure> {
        let tables = home.join("tables");
        for reader in [PATTERN, EDGES] {
            end(start(&mut reader.command(programs, &tables))?)?;
        }
        let certificates = Certificates::make(programs, home)?;
        let mut search = long_search(programs, &tables);
        let states = tables.join(STATES);
        let mut child = start(search.args(["--checkpoint-every", "0s"]))?;
        while checkpoint(&states)?.is_none() && child.try_wait().is_ok_and(|end| end.is_none()) {
            sleep(Duration::from_millis(1));
        }
        let _ = child.kill();
        end(child)?;
        // A checkpoint is replaced atomically, so it exists whenever the kill came.
        let name = checkpoint(&states)?;
        let name = name.ok_or_else(|| Failure::error("a search of some seconds keeps no checkpoint"))?;
        let bytes = fs::read(states.join(&name)).map_err(failed("the checkpoint"))?;
        fs::remove_dir_all(&states).map_err(failed("the checkpoint"))?;
        Ok(Sound { tables, checkpoint: (name, bytes), certificates })
    }

    /// The table whose name has this ending.
    fn table(&self, ending: &str) -> Result<(String, Vec<u8>), Failure> {
        let names = fs::read_dir(&self.tables).map_err(failed("the tables"))?.flatten();
        let mut names = names.map(|entry| entry.file_name().to_string_lossy().into_owned());
        let name = names.find(|name| name.ends_with(ending)).ok_or_else(|| Failure::error(ending))?;
        let bytes = fs::read(self.tables.join(&name)).map_err(failed("a table"))?;
        Ok((name, bytes))
    }
}

impl Reader {
    fn command(&self, programs: &Path, tables: &Path) -> std::process::Command {
        let mut command = program(programs, self.program);
        command.args(self.arguments.split(' ')).args([self.instance, "--tables"]).arg(tables);
        command
    }
}

/// The folder of checkpoints in the folder of tables of a test, which is the state directory too.
const STATES: &str = "optimal-puzzles";

/// The name of the checkpoint in a folder, which need not exist.
fn checkpoint(states: &Path) -> Result<Option<String>, Failure> {
    let names = fs::read_dir(states).into_iter().flatten().flatten();
    let mut names = names.map(|entry| entry.file_name().to_string_lossy().into_owned());
    Ok(names.find(|name| name.ends_with(".checkpoint")))
}

/// A search that takes long enough for a checkpoint.
fn long_search(programs: &Path, tables: &Path) -> std::process::Command {
    let mut search = program(programs, "tile24");
    search
        .args(["solve", "--heuristic", "lc", LONG_BOARD, "--tables"])
        .arg(tables)
        .env("XDG_STATE_HOME", tables);
    search
}

impl Subject {
    /// Changes the subject once. Returns the change, and the ending of the program or its fault.
    fn try_one(
        self,
        programs: &Path,
        sound: &Sound,
        folder: &Path,
        random: &mut ChaCha8Rng,
    ) -> Result<(String, Result<String, String>), Failure> {
        match self {
            Subject::Table(reader) | Subject::SealedTable(reader) => {
                let (name, original) = sound.table(reader.table)?;
                let mut bytes = original.clone();
                let mut what = change(&mut bytes, random);
                if matches!(self, Subject::SealedTable(_)) {
                    what += &seal_header(&mut bytes, random);
                }
                copy(&sound.tables, folder)?;
                let is_changed = bytes != original;
                // Some fields of a header change no answer: the generator, the depth.
                let must_refuse = is_changed && matches!(self, Subject::Table(_));
                // The file in the folder is the sound one itself.
                fs::remove_file(folder.join(&name)).map_err(failed("a table"))?;
                fs::write(folder.join(name), bytes).map_err(failed("a table"))?;
                let mut search = reader.command(programs, folder);
                let output = end(start(search.args(["--time-limit", "10s"]))?)?;
                let ending = match judge(output, Some(reader.answer)) {
                    Ok(ending) if must_refuse && ending != "refused" => {
                        Err("a changed table is read".to_owned())
                    }
                    Ok(_) if !is_changed => Ok("not changed".to_owned()),
                    ending => ending,
                };
                Ok((what, ending))
            }
            Subject::Checkpoint | Subject::SealedCheckpoint => {
                let (name, mut bytes) = sound.checkpoint.clone();
                let is_sealed = matches!(self, Subject::SealedCheckpoint);
                let what =
                    if is_sealed { change_numbers(&mut bytes, random) } else { change(&mut bytes, random) };
                copy(&sound.tables, folder)?;
                let states = folder.join(STATES);
                fs::create_dir_all(&states).map_err(failed("a checkpoint"))?;
                fs::write(states.join(name), bytes).map_err(failed("a checkpoint"))?;
                let mut search = long_search(programs, folder);
                let output = end(start(search.args(["--time-limit", "10s"]))?)?;
                Ok((what, judge(output, (!is_sealed).then_some(LONG_ANSWER))))
            }
            Subject::Input(name, arguments, sound) => {
                let mut bytes = sound[random.next_u32() as usize % sound.len()].as_bytes().to_vec();
                change(&mut bytes, random);
                // Texts that cannot be arguments.
                bytes.retain(|byte| *byte != 0);
                let text = String::from_utf8_lossy(&bytes).into_owned();
                let mut solve = program(programs, name);
                solve.args(arguments.split(' ')).arg(&text).env("OPTIMAL_PUZZLES_TABLES", folder);
                Ok((format!("{text:?}"), judge(end(start(&mut solve)?)?, None)))
            }
            Subject::Certificate | Subject::Claim => {
                let is_claim = matches!(self, Subject::Claim);
                sound.certificates.try_one(programs, folder, is_claim, random)
            }
        }
    }
}

/// Replaces the contents of a folder by the sound tables. No program writes into a finished table, so links suffice.
fn copy(tables: &Path, folder: &Path) -> Result<(), Failure> {
    fs::remove_dir_all(folder).and_then(|()| fs::create_dir(folder)).map_err(failed("a folder"))?;
    for entry in fs::read_dir(tables).map_err(failed("the tables"))?.flatten() {
        if entry.path().extension().is_some_and(|extension| extension == "table") {
            fs::hard_link(entry.path(), folder.join(entry.file_name())).map_err(failed("a table"))?;
        }
    }
    Ok(())
}

/// The ending of a program, or its fault. `length` is the required beginning of its answer, if it answers.
fn judge(output: Option<Output>, length: Option<&str>) -> Result<String, String> {
    let Some(output) = output else { return Err("it does not end".to_owned()) };
    let text = String::from_utf8_lossy(&output.stdout);
    let Some(code) = output.status.code() else { return Err(format!("a signal ends it: {}", output.status)) };
    match (code, length) {
        (0, Some(length)) if text.starts_with(length) => Ok("answered".to_owned()),
        (0, Some(_)) => Err(format!("another answer: {text}")),
        (0, None) => Ok("answered".to_owned()),
        (3 | 6, _) => Ok("refused".to_owned()),
        // A forged checkpoint may begin with any bound.
        (2 | 4, None) => Ok(if code == 2 { "refused" } else { "not solved" }.to_owned()),
        _ => Err(format!("exit code {code}: {}", String::from_utf8_lossy(&output.stderr))),
    }
}
