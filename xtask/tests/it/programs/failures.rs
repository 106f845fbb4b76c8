//! Every kind of failure of every program: the exit code and the output. Each case runs in a folder of its own, printed
//! as DIR, with tables in `DIR/tables`.

use super::program::{self, ended, home, texts, words};
use insta::assert_snapshot;
use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A way in which one program fails.
struct Case {
    what: &'static str,
    code: i32,
    /// The arguments, split at spaces; `'…'` keeps a text together.
    line: &'static str,
    input: &'static str,
    before: Before,
    interrupt: Option<Sign>,
}

/// A change to the bytes of a file.
type Change = fn(&mut Vec<u8>);

/// A preparation before the program runs.
enum Before {
    Nothing,
    /// The program's small table is built, and its bytes are changed.
    Damage(Change),
    /// The program's small table is replaced by the other one.
    Exchange,
    /// Another process has locked the small table.
    Hold,
    /// No variable names a folder.
    Homeless,
    /// DIR has a file called `file`.
    File(&'static str),
}

/// The moment at which the program is interrupted.
enum Sign {
    /// It has printed a line.
    Line,
    /// This file is in DIR.
    File(&'static str),
}

impl Case {
    fn new(code: i32, what: &'static str, line: &'static str) -> Case {
        Case { what, code, line, input: "", before: Before::Nothing, interrupt: None }
    }

    fn before(self, before: Before) -> Case {
        Case { before, ..self }
    }

    fn input(self, input: &'static str) -> Case {
        Case { input, ..self }
    }

    fn interrupted(self, sign: Sign) -> Case {
        Case { interrupt: Some(sign), ..self }
    }
}

/// A small table of a program: its name, the commands that build it and a similar one, and a command that reads it.
struct Table {
    name: &'static str,
    build: &'static str,
    other: &'static str,
    build_other: &'static str,
    read: &'static str,
    remove: &'static str,
}

impl Table {
    /// All faults of a table's file, and a table that another process is building.
    fn cases(&self) -> Vec<Case> {
        let damages: [(&str, Change); 7] = [
            ("a file that is no table", |bytes| bytes[0] ^= 1),
            ("a table of another format version", |bytes| bytes[8] = bytes[8].wrapping_add(1)),
            ("a damaged header", |bytes| bytes[100] ^= 1),
            ("a damaged body", |bytes| *bytes.last_mut().expect("a byte") ^= 1),
            ("a table that lacks its end", |bytes| bytes.truncate(bytes.len() - 1)),
            ("a table that goes on", |bytes| bytes.push(0)),
            ("an empty file", Vec::clear),
        ];
        let damaged =
            damages.map(|(what, change)| Case::new(6, what, self.read).before(Before::Damage(change)));
        let mut cases = Vec::from(damaged);
        cases.push(Case::new(6, "another table under the name", self.read).before(Before::Exchange));
        cases
            .push(Case::new(1, "a table that another process is building", self.remove).before(Before::Hold));
        cases
    }
}

/// The failures that are the same for every solver.
fn common() -> Vec<Case> {
    vec![
        Case::new(2, "a command that does not exist", "frobnicate"),
        Case::new(2, "no thread", "--threads 0 man"),
        Case::new(2, "too many threads", "--threads 9999 man"),
        Case::new(2, "a size that is none", "--memory lots man"),
        Case::new(2, "a shell that does not exist", "completions csh"),
    ]
}

#[test]
fn cube_opt() {
    let table = Table {
        name: "cube-edges2-003-htm",
        build: "tables build edges:UR,UF",
        other: "cube-edges2-005-htm",
        build_other: "tables build edges:UR,UL",
        read: "solve --heuristic cube-edges2-003-htm R",
        remove: "tables remove cube-edges2-003-htm",
    };
    let superflip = "solve --heuristic manhattan-max R 'U R2 F B R B2 R U2 L B2 R U D3 R2 F R3 L B2 U2 F2'";
    let mut cases = common();
    cases.extend([
        Case::new(1, "a folder that cannot be made", "solve --heuristic corners --tables DIR/file/below R")
            .before(Before::File("")),
        Case::new(1, "too little memory to search", "solve --heuristic korf97 --memory 60MiB R"),
        Case::new(1, "too little memory to build", "tables build coset --memory 1MiB"),
        Case::new(1, "too little memory to count", "perft 9 --memory 1GiB"),
        Case::new(2, "no folder for tables", "tables list").before(Before::Homeless),
        Case::new(2, "a heuristic that does not exist", "solve --heuristic korf98 R"),
        Case::new(2, "a table that does not exist", "solve --heuristic corner R"),
        Case::new(2, "a table of another metric", "solve --heuristic cube-edges2-003-htm --metric qtm R"),
        Case::new(2, "options that exclude each other", "solve --json --csv R"),
        Case::new(2, "a duration that is none", "solve --time-limit soon R"),
        Case::new(2, "a notation that does not exist", "convert --to pictures"),
        Case::new(2, "no depth", "perft"),
        Case::new(2, "a depth that is no number", "perft six"),
        Case::new(2, "a depth that is too great", "perft 34 --nodes"),
        Case::new(2, "a count that is none", "scramble --count -1"),
        Case::new(2, "a table to build that does not exist", "tables build corner"),
        Case::new(2, "an edge that does not exist", "tables build edges:UR,XY"),
        Case::new(2, "no table to remove", "tables remove"),
        Case::new(3, "moves that are none", "solve --heuristic manhattan-max 'R Q U7'"),
        Case::new(
            3,
            "facelets that are no cube",
            "solve --heuristic manhattan-max UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLBBBBBBBBBL",
        ),
        Case::new(3, "a batch with a bad line", "solve --heuristic manhattan-max --max-depth 1 -")
            .input("R\nR Q\nR U\n"),
        Case::new(4, "no solution within the bound", "solve --heuristic manhattan-max --max-depth 2 'R U F'"),
        Case::new(
            4,
            "no solution within the time",
            "solve --heuristic manhattan-max --time-limit 0s 'R U F'",
        ),
        Case::new(5, "an interrupted search", superflip).interrupted(Sign::Line),
        Case::new(5, "an interrupted build", "tables build coset")
            .interrupted(Sign::File("tables/cube-coset-htm.lock")),
    ]);
    cases.extend(table.cases());
    assert_snapshot!("cube-opt", run_all("cube-opt", Some(&table), &cases));
}

#[test]
fn tile24() {
    let table = Table {
        name: "tiles-3x3-fsm-6",
        build: "fsm learn --size 3x3 --depth 6",
        other: "tiles-3x3-fsm-7",
        build_other: "fsm learn --size 3x3 --depth 7",
        read: "solve --fsm 6 '1 2 0 3 4 5 6 7 8'",
        remove: "tables remove tiles-3x3-fsm-6",
    };
    let hard = "solve --fsm inverse --heuristic md '1 2 0 3 4 5 6 7 8' \
                '17 1 20 9 16 2 22 19 14 5 15 21 0 3 24 23 18 13 12 7 10 8 6 4 11'";
    let mut cases = common();
    cases.extend([
        Case::new(1, "a folder that cannot be made", "solve --tables DIR/file/below '1 2 0 3 4 5 6 7 8'")
            .before(Before::File("")),
        Case::new(2, "no folder for tables", "tables list").before(Before::Homeless),
        Case::new(2, "a heuristic that does not exist", "solve --heuristic korf98 '1 0 2 3'"),
        Case::new(2, "a board that does not exist", "solve --size 11x11 '1 0 2 3'"),
        Case::new(3, "tiles that fill no board", "solve '1 2 3'"),
        Case::new(3, "tiles that do not fill the board", "solve --size 3x3 '1 2 3'"),
        Case::new(3, "tiles that are not those of the board", "solve '1 1 2 3 4 5 6 7 9'"),
        Case::new(3, "words that are no tiles", "solve '1 y 2 3'"),
        Case::new(3, "a state that cannot reach the goal", "solve '0 2 1 3 4 5 6 7 8'"),
        Case::new(3, "a goal that is none", "solve --goal '0 0 1 2' '1 0 2 3'"),
        Case::new(3, "a batch with a bad line", "solve -").input("1 2 0 3 4 5 6 7 8\n1 1 2 3\n1 0 2 3\n"),
        Case::new(4, "no solution within the bound", "solve --max-depth 10 '8 6 7 2 5 4 3 0 1'"),
        Case::new(4, "no solution within the time", "solve --time-limit 0s '8 6 7 2 5 4 3 0 1'"),
        Case::new(5, "an interrupted search", hard).interrupted(Sign::Line),
        Case::new(5, "an interrupted build", "tables build --size 4x4")
            .interrupted(Sign::File("tables/tiles-4x4-pdb8-cccc.lock")),
    ]);
    cases.extend(table.cases());
    assert_snapshot!("tile24", run_all("tile24", Some(&table), &cases));
}

#[test]
fn hanoi4() {
    let table = Table {
        name: "hanoi4-middle-6-6",
        build: "pdb build --discs 6 --drop 0",
        other: "hanoi4-middle-5-5",
        build_other: "pdb build --discs 5 --drop 0",
        read: "pdb value --discs 6 --drop 0 000000",
        remove: "pdb remove hanoi4-middle-6-6",
    };
    let mut cases = common();
    cases.extend([
        Case::new(1, "a folder that cannot be made", "pdb build --discs 6 --drop 0 --tables DIR/file/below")
            .before(Before::File("")),
        Case::new(2, "no folder for tables", "pdb list").before(Before::Homeless),
        Case::new(2, "a method that does not fit", "bfs --discs 4 --method bitmap"),
        Case::new(2, "a database that does not exist", "pdb build --discs 17 --drop 0"),
        Case::new(2, "an option without its directory", "bfs --discs 6 --fresh"),
        Case::new(2, "a folder of something else", "bfs --discs 6 --work-dir DIR").before(Before::File("")),
        Case::new(2, "a disk that is too small", "bfs --discs 10 --work-dir DIR/work --disk 3000"),
        Case::new(3, "a state that is none", "solve --discs 3 --from 0x07"),
        Case::new(3, "a state with a peg that does not exist", "solve --discs 3 --pegs 3 --to 003"),
        Case::new(3, "a state to look up that is none", "pdb value --discs 6 --drop 2 00000"),
        Case::new(3, "no disc", "solve --discs 0"),
        Case::new(3, "too many discs", "solve --discs 32"),
        Case::new(3, "too few discs to verify", "verify --discs 3"),
        Case::new(3, "too many discs and pegs", "bfs --discs 40 --pegs 7"),
        Case::new(4, "no solution within the bound", "solve --discs 10 --max-depth 30"),
        Case::new(5, "an interrupted search", "bfs --discs 16 --work-dir DIR/work")
            .interrupted(Sign::File("work/work.lock")),
        Case::new(5, "a full disk", "bfs --discs 10 --max-depth 48 --work-dir DIR/work --disk 30000"),
        Case::new(5, "an interrupted build", "pdb build --discs 18")
            .interrupted(Sign::File("tables/hanoi4-middle-18-14.lock")),
    ]);
    cases.extend(table.cases());
    assert_snapshot!("hanoi4", run_all("hanoi4", Some(&table), &cases));
}

#[test]
fn puzzle_opt() {
    let table = Table {
        name: "puzzle-61886c683f389baa-4",
        build: "tables build pancake-6",
        other: "puzzle-72ae64c56fa90709-4",
        build_other: "tables build 2x2x2",
        read: "solve pancake-6 f3 --extra 1",
        remove: "tables remove puzzle-61886c683f389baa-4",
    };
    let mut cases = common();
    cases.extend([
        Case::new(1, "a folder that cannot be made", "tables build skewb --tables DIR/file/below")
            .before(Before::File("")),
        Case::new(3, "a puzzle that does not exist", "count pentaminx"),
        Case::new(3, "a file that is no definition", "group DIR/puzzle.json")
            .before(Before::File("puzzle.json")),
        Case::new(3, "a move that does not exist", "solve 2x2x2 'R U Q'"),
        Case::new(3, "a state that no moves reach", "solve m12 '1 0 2 3 4 5 6 7 8 9 10 11'"),
        Case::new(3, "moves that do not exist", "count 2x2x2 --moves 'R Q'"),
        Case::new(3, "a goal that does not exist", "solve 2x2x2 R --goal 'R Q'"),
        Case::new(3, "ignored places that do not exist", "solve 2x2x2 R --ignore CORNERS:0-8"),
        Case::new(3, "a length that no state needs", "random pancake-6 --seed 1 --min-length 8"),
        Case::new(2, "places that are no list", "algs 2x2x2 R --alike CORNERS:3-1"),
        Case::new(4, "no solution within the bound", "solve 2x2x2 'R U F' --max-depth 2"),
        Case::new(5, "an interrupted build", "tables build 3x3x3 --memory 512MiB")
            .interrupted(Sign::File("tables/puzzle-841c09a64c994fe0-4.lock")),
    ]);
    cases.extend(table.cases());
    assert_snapshot!("puzzle-opt", run_all("puzzle-opt", Some(&table), &cases));
}

#[test]
fn xtask() {
    let cases = [
        Case::new(1, "no report to check", "repro-paper --check DIR"),
        Case::new(2, "a paper that does not exist", "repro-paper --paper chess"),
        Case::new(2, "a tier that does not exist", "repro-paper --tier slow"),
        Case::new(2, "a set that does not exist", "gen-tables --set some"),
        Case::new(2, "options that exclude each other", "repro-paper --resume --tier quick"),
        Case::new(2, "nothing to resume", "repro-paper --resume --out DIR"),
        Case::new(2, "a benchmark that does not exist", "bench chess --out DIR"),
        Case::new(5, "an interrupted reproduction", "repro-paper --paper hanoi --out DIR/out --quiet")
            .interrupted(Sign::File("out/cells/hanoi-presumed.json")),
        Case::new(6, "a file that is no table", "gen-tables --memory 4KiB --quiet")
            .before(Before::File("tables/cube-square4-htm.table")),
    ];
    assert_snapshot!("xtask", run_all("xtask", None, &cases));
}

/// Runs every case, and checks that each exit code which a program promises is among them.
fn run_all(program: &str, table: Option<&Table>, cases: &[Case]) -> String {
    let codes: BTreeSet<i32> = cases.iter().map(|case| case.code).collect();
    let promised: &[i32] = if table.is_some() { &[1, 2, 3, 4, 5, 6] } else { &[1, 2, 5, 6] };
    assert!(codes.iter().eq(promised), "{codes:?}");
    cases.iter().map(|case| Scene::new(program, table, case).play()).collect::<Vec<_>>().join("\n")
}

/// A test case with its folder.
struct Scene<'a> {
    program: &'a str,
    table: Option<&'a Table>,
    case: &'a Case,
    dir: tempfile::TempDir,
}

impl<'a> Scene<'a> {
    fn new(program: &'a str, table: Option<&'a Table>, case: &'a Case) -> Scene<'a> {
        let dir = home();
        fs::create_dir(dir.path().join("tables")).expect("a folder");
        Scene { program, table, case, dir }
    }

    /// Runs the case and shows what a user sees.
    fn play(&self) -> String {
        let case = self.case;
        let _held = self.prepare();
        let mut child = self.spawn(case.line);
        child.stdin.take().expect("piped").write_all(case.input.as_bytes()).expect("input");
        if let Some(sign) = &case.interrupt {
            self.interrupt(&mut child, sign);
        }
        let (code, out, err) = texts(ended(child, &case.line));
        // The output of an interrupted program depends on the time.
        let out = if case.interrupt.is_some() { String::new() } else { out };
        let line = format!("# {}\n$ {} {}\nexit code: {}\n", case.what, self.program, case.line, case.code);
        let shown = line + &self.redacted(&out) + &self.redacted(&err);
        assert_eq!(code, Some(case.code), "{shown}");
        shown
    }

    /// Prepares the case; a lock is released when the result is dropped.
    fn prepare(&self) -> Option<fs::File> {
        let build = |line: &str| {
            let (code, out, err) = texts(ended(self.spawn(line), &line));
            assert_eq!(code, Some(0), "{line}: {out}{err}");
        };
        let file = |name: &str| self.dir.path().join(format!("tables/{name}"));
        match (&self.case.before, self.table) {
            (Before::Nothing | Before::Homeless, _) => (),
            (Before::File(name), _) => {
                let name = if name.is_empty() { "file" } else { name };
                fs::write(self.dir.path().join(name), "a text").expect("a file");
            }
            (Before::Damage(change), Some(table)) => {
                build(table.build);
                let path = file(&format!("{}.table", table.name));
                let mut bytes = fs::read(&path).expect("the table");
                change(&mut bytes);
                fs::write(&path, bytes).expect("the table");
            }
            (Before::Exchange, Some(table)) => {
                build(table.build);
                build(table.build_other);
                let [from, to] = [table.other, table.name].map(|name| file(&format!("{name}.table")));
                fs::rename(from, to).expect("the table");
            }
            (Before::Hold, Some(table)) => {
                build(table.build);
                let lock = fs::File::create(file(&format!("{}.lock", table.name))).expect("the lock file");
                lock.lock().expect("the lock");
                return Some(lock);
            }
            (Before::Damage(_) | Before::Exchange | Before::Hold, None) => unreachable!("no table"),
        }
        None
    }

    fn spawn(&self, line: &str) -> Child {
        let dir = self.dir.path().to_str().expect("a name in UTF-8");
        let args: Vec<String> = words(line).iter().map(|word| word.replace("DIR", dir)).collect();
        let mut command = program::command(self.dir.path(), self.program, &args);
        command.env("COLUMNS", "100").stdin(Stdio::piped());
        if matches!(self.case.before, Before::Homeless) {
            for variable in ["OPTIMAL_PUZZLES_TABLES", "XDG_CACHE_HOME", "HOME", "LOCALAPPDATA"] {
                command.env_remove(variable);
            }
        }
        command.spawn().expect("the program starts")
    }

    /// Waits for the sign and interrupts the program as Ctrl-C does.
    fn interrupt(&self, child: &mut Child, sign: &Sign) {
        match sign {
            Sign::Line => {
                let mut output = BufReader::new(child.stdout.take().expect("piped"));
                output.read_line(&mut String::new()).expect("a line");
                child.stdout = Some(output.into_inner());
                // The line is printed before the next search begins, and only a search can be resumed.
                sleep(Duration::from_secs(1));
            }
            Sign::File(name) => {
                let begun = Instant::now();
                while !self.dir.path().join(name).exists() {
                    assert!(begun.elapsed() < Duration::from_secs(60), "there is no {name}");
                    sleep(Duration::from_millis(5));
                }
            }
        }
        program::interrupt(child);
    }

    /// Replaces the parts of the text that differ from run to run.
    fn redacted(&self, text: &str) -> String {
        let text = text.replace(self.dir.path().to_str().expect("a name in UTF-8"), "DIR");
        let is_checksum = |word: &&str| word.len() == 16 && word.chars().all(|c| c.is_ascii_hexdigit());
        // The bound that was proved before the interruption.
        let bounds = ["at least ", "fewer than "].into_iter().filter(|_| self.case.interrupt.is_some());
        let text = bounds.fold(text, |text, words| match text.split_once(words) {
            Some((before, bound)) => {
                format!("{before}{words}N{}", bound.trim_start_matches(char::is_numeric))
            }
            None => text,
        });
        let checksums = text.split(|c: char| !c.is_alphanumeric()).filter(is_checksum);
        checksums.fold(text.clone(), |text, checksum| text.replace(checksum, "CHECKSUM"))
    }
}
