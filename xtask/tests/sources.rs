//! The digests of the jobs' sources: what changes them, and what does not.

#[path = "../build/digests.rs"]
mod digests;
#[path = "../build/sources/mod.rs"]
mod sources;

use sources::items::Kind;
use sources::{Graph, World, path_of};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A little library and a job that uses part of it.
const LIBRARY: &str = r##"
//! A library.
pub mod shapes;
mod inner { pub fn deep() -> u32 { super::BASE + 1 } pub fn unused_deep() -> u32 { 2 } }
pub mod names;
mod made;
pub use inner::deep as shallow;
pub use made::Made;
const BASE: u32 = 7;
/// Used.
pub fn used(x: u32) -> u32 { helper(x) }
fn helper(x: u32) -> u32 { x + 1 }
pub fn unused() -> u32 { other() }
fn other() -> u32 { 3 }
macro_rules! twice { ($x:expr) => { $x + $x }; }
pub fn doubled(x: u32) -> u32 { twice!(x) }
"##;
const SHAPES: &str = r##"
use std::fmt;
pub trait Area { const UNIT: u32 = 1; fn area(&self) -> u32; fn half(&self) -> u32 { self.area() / 2 } fn third(&self) -> u32 { 3 } }
pub trait Colour { fn colour(&self) -> u32 { 1 } }
#[derive(Clone)]
pub struct Square { pub side: u32 }
pub struct Circle;
impl Square { pub fn grown(&self) -> Square { Square { side: self.side + STEP } } pub fn shrunk(&self) -> u32 { 9 } }
const STEP: u32 = 4;
const WIDTH: usize = 5;
impl Area for Square { fn area(&self) -> u32 { self.side * self.side } }
impl Area for Circle { fn area(&self) -> u32 { 30 } }
impl Colour for Square { fn colour(&self) -> u32 { 2 } }
impl fmt::Display for Square { fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { write!(f, "{:>WIDTH$}", self.side) } }
impl Drop for Circle { fn drop(&mut self) { crate::unused(); } }
impl From<Circle> for Square { fn from(_: Circle) -> Square { Square { side: 31 } } }
impl<T: Area> Colour for Vec<T> { fn colour(&self) -> u32 { 77 } }
#[cfg(test)] mod tests { fn area() -> u32 { 5 } }
"##;
const NAMES: &str = r##"
pub enum Colours { Red, Green }
pub fn listed() -> u32 { 11 }
pub fn serde_default() -> u32 { 12 }
pub fn by_glob() -> u32 { 13 }
pub fn not_by_glob() -> u32 { 14 }
pub mod far { pub fn taken() -> u32 { 15 } pub fn taken_too() -> u32 { 16 } }
"##;
const MADE: &str = r##"
macro_rules! make { ($name:ident) => { pub struct $name; impl $name { pub fn made(&self) -> u32 { 50 } } }; }
make!(Made);
"##;
const JOB: &str = r##"
use lib::shapes::{Area as _, Square};
use lib::{names::*, shallow as renamed};
/// Does it.
pub fn job() -> u32 {
    let square = Square { side: lib::used(2) };
    let text = format!("{square} {LABEL}");
    lib::Made.made() + square.half() + square.grown().side + renamed() + by_glob() + text.len() as u32
        + include_str!("../data/rows.txt").len() as u32 + lib::doubled(1) + with_attribute().field
}
const LABEL: &str = "label";
#[derive(Deserialize)]
struct Row { #[serde(default = "lib::names::serde_default")] field: u32 }
fn with_attribute() -> Row { use lib::names::far; Row { field: far::taken() } }
pub fn another() -> u32 { lib::unused() }
"##;

fn files() -> BTreeMap<&'static str, String> {
    let files = [
        ("lib/src/lib.rs", LIBRARY),
        ("lib/src/shapes.rs", SHAPES),
        ("lib/src/names/mod.rs", NAMES),
        ("lib/src/made.rs", MADE),
        ("jobs/src/lib.rs", JOB),
        ("jobs/data/rows.txt", "a row"),
    ];
    files.into_iter().map(|(name, text)| (name, text.to_owned())).collect()
}

fn digest(files: &BTreeMap<&'static str, String>, function: &str, apart: &[&str]) -> u64 {
    let read = |file: &str| files.get(file).cloned();
    let crates = [("lib", "lib/src/lib.rs"), ("jobs", "jobs/src/lib.rs")];
    let world = World::read(&crates, &read).expect("sound files");
    let root = (0..world.items.len()).find(|&id| path_of(&world, id) == function).expect("the function");
    Graph::new(&world, apart, &read).digest(root)
}

/// Whether replacing a text in a file changes the digest of the job.
fn changes(file: &'static str, from: &str, to: &str) -> bool {
    let (before, mut after) = (files(), files());
    let text = after.get_mut(file).expect("a file");
    assert_eq!(text.matches(from).count(), 1, "{from} occurs once in {file}");
    *text = text.replace(from, to);
    digest(&before, "jobs::job", &[]) != digest(&after, "jobs::job", &[])
}

#[test]
fn a_change_of_what_a_job_reaches_changes_its_digest() {
    for (file, from, to) in [
        ("jobs/src/lib.rs", "side: lib::used(2)", "side: lib::used(3)"),
        ("jobs/src/lib.rs", "\"label\"", "\"Label\""),
        ("jobs/data/rows.txt", "row", "line"),
        // Through calls, constants, re-exports under another name, globs and imports within a function.
        ("lib/src/lib.rs", "x + 1 }\npub", "x + 2 }\npub"),
        ("lib/src/lib.rs", "BASE: u32 = 7", "BASE: u32 = 8"),
        ("lib/src/lib.rs", "super::BASE + 1", "super::BASE + 2"),
        ("lib/src/lib.rs", "inner::deep as", "inner::unused_deep as"),
        ("lib/src/lib.rs", "$x + $x", "$x * 2"),
        ("lib/src/names/mod.rs", "13", "0"),
        ("lib/src/names/mod.rs", "15", "0"),
        ("lib/src/names/mod.rs", "12", "0"),
        // Through methods, default methods of traits, and traits that are called without their names.
        ("lib/src/shapes.rs", "self.side + STEP", "self.side"),
        ("lib/src/shapes.rs", "STEP: u32 = 4", "STEP: u32 = 5"),
        ("lib/src/shapes.rs", "self.area() / 2", "self.area() / 4"),
        ("lib/src/shapes.rs", "self.side * self.side", "self.side"),
        ("lib/src/shapes.rs", "write!(f, \"{:>", "write!(f, \"{:<"),
        ("lib/src/shapes.rs", "WIDTH: usize = 5", "WIDTH: usize = 6"),
        ("lib/src/shapes.rs", "#[derive(Clone)]", "#[derive(Clone, Default)]"),
        ("lib/src/shapes.rs", "UNIT: u32 = 1", "UNIT: u32 = 2"),
        // Through what a macro makes.
        ("lib/src/made.rs", "50", "51"),
        ("lib/src/made.rs", "make!(Made)", "make! { Made }"),
    ] {
        assert!(changes(file, from, to), "{file}: {from} -> {to}");
    }
}

#[test]
fn a_change_of_anything_else_does_not() {
    for (file, from, to) in [
        ("jobs/src/lib.rs", "/// Does it.", "/// Does it well.\n#[must_use]"),
        ("jobs/src/lib.rs", "lib::unused()", "lib::used(1)"),
        ("lib/src/lib.rs", "/// Used.", "// Used by the job.\n#[allow(clippy::all)]"),
        (
            "lib/src/lib.rs",
            "fn helper(x: u32) -> u32 { x + 1 }",
            "pub(crate) fn helper(\n x: u32,\n) -> u32 {\n    x + 1\n}",
        ),
        ("lib/src/lib.rs", "fn other() -> u32 { 3 }", "fn other() -> u32 { 4 }\nfn new() -> u32 { other() }"),
        ("lib/src/lib.rs", "unused_deep() -> u32 { 2 }", "unused_deep() -> u32 { 1 }"),
        ("lib/src/names/mod.rs", "14", "0"),
        ("lib/src/names/mod.rs", "Red, Green", "Red, Green, Blue"),
        // Functions that nothing calls, and blocks of types and traits that nothing names.
        ("lib/src/shapes.rs", "u32 { 9 }", "u32 { 8 }"),
        ("lib/src/shapes.rs", "u32 { 3 }", "u32 { 4 }"),
        ("lib/src/shapes.rs", "u32 { 30 }", "u32 { 0 }"),
        ("lib/src/shapes.rs", "side: 31", "side: 0"),
        ("lib/src/shapes.rs", "crate::unused();", ""),
        ("lib/src/shapes.rs", "u32 { 5 }", "u32 { 6 }"),
        ("lib/src/shapes.rs", "u32 { 77 }", "u32 { 78 }"),
        // A lifetime bound decides nothing.
        ("lib/src/shapes.rs", "impl<T: Area> Colour", "impl<T: Area + 'static> Colour"),
    ] {
        assert!(!changes(file, from, to), "{file}: {from} -> {to}");
    }
}

#[test]
fn what_is_set_apart_does_not_count() {
    let (before, mut after) = (files(), files());
    let names = after.get_mut("lib/src/names/mod.rs").expect("a file");
    *names = names.replace("13", "0");
    let digest = |files, apart: &[&str]| digest(files, "jobs::job", apart);
    assert_ne!(digest(&before, &[]), digest(&after, &[]));
    assert_eq!(digest(&before, &["lib::names"]), digest(&after, &["lib::names"]));
    assert_eq!(digest(&before, &["lib::names::by_glob"]), digest(&after, &["lib::names::by_glob"]));
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(file: &str) -> Option<String> {
    fs::read_to_string(root().join(file)).ok()
}

#[test]
fn a_job_reaches_its_own_puzzle_and_what_it_uses_of_the_library() {
    let world = World::read(digests::CRATES, &read).expect("sound files");
    let graph = Graph::new(&world, &[], &read);
    let digests = digests::of(&read).expect("sound files");
    assert!(digests.len() > 30, "{digests:?}");
    let reached = |function: &str| -> BTreeSet<String> {
        let id = (0..world.items.len()).find(|&id| path_of(&world, id) == function).expect("a function");
        graph.reached(id).into_iter().map(|id| path_of(&world, id)).collect()
    };
    for (function, puzzle) in [
        ("xtask::cube_jobs::iterations::deep", "cube"),
        ("xtask::tiles_jobs::searches::by_1996", "slidetile"),
        ("xtask::hanoi_jobs::complete::jobs", "hanoi4"),
    ] {
        assert!(digests.iter().any(|(name, _)| name == function), "{function}");
        let reached = reached(function);
        let has = |start: &str| reached.iter().any(|path| path.starts_with(start));
        assert!(has(&format!("{puzzle}::")) && has("search_core::run::Run"), "{function}");
        assert!(!has("xtask::report") && !has("search_core::frontier"), "{function}");
    }
    let complete = reached("xtask::hanoi_jobs::complete::jobs");
    for part in ["hanoi4::corners::layers", "hanoi4::bitmap::kernel", "search_core::storage::work_dir"] {
        assert!(complete.iter().any(|path| path.starts_with(part)), "{part}");
    }
    assert!(!complete.iter().any(|path| path.starts_with("search_core::ida")));
    let iterations = reached("xtask::cube_jobs::iterations::deep");
    for part in ["search_core::ida::interleaved", "cube::patterns::edges", "xtask::keep::Steps"] {
        assert!(iterations.iter().any(|path| path.starts_with(part)), "{part}");
    }
}

/// A macro that implements a trait for a type of another module would be reached too late.
#[test]
fn macro_calls_in_the_place_of_items_are_known() {
    let world = World::read(digests::CRATES, &read).expect("sound files");
    let calls = world.items.iter().filter(|placed| placed.item.kind == Kind::Call && placed.block.is_none());
    let called: BTreeSet<String> = calls
        .map(|placed| format!("{}: {}", world.modules[placed.module].path, placed.item.tokens[0]))
        .collect();
    let known = [
        "cube::heuristics::family: families",
        "hanoi4::graph::shape: word",
        "search_core::prefetch::noted: thread_local",
        "xtask::number: counts",
    ];
    assert_eq!(called.iter().map(String::as_str).collect::<Vec<_>>(), known);
}

/// A crate that is missing from the list would count for nothing.
#[test]
fn all_crates_that_compute_are_read() {
    let listed: BTreeSet<&str> = digests::CRATES.iter().map(|(name, _)| *name).collect();
    // Command lines, the checker of answers, and benchmarks.
    let apart = ["puzzle-cli", "referee", "puzzle-benches"];
    let mut due = vec!["xtask/Cargo.toml".to_owned()];
    let mut seen = BTreeSet::new();
    let workspace: toml::Table = read("Cargo.toml").expect("a manifest").parse().expect("TOML");
    let ours = workspace["workspace"]["dependencies"].as_table().expect("a table");
    while let Some(manifest) = due.pop() {
        let manifest: toml::Table = read(&manifest).expect("a manifest").parse().expect("TOML");
        let dependencies = manifest.get("dependencies").and_then(toml::Value::as_table);
        for name in dependencies.into_iter().flat_map(toml::Table::keys) {
            let path = ours.get(name).and_then(|entry| entry.get("path")).and_then(toml::Value::as_str);
            if let Some(path) = path.filter(|_| !apart.contains(&&name[..]) && seen.insert(name.clone())) {
                due.push(format!("{path}/Cargo.toml"));
            }
        }
    }
    assert!(seen.len() >= 4, "{seen:?}");
    for name in &seen {
        assert!(listed.contains(&name.replace('-', "_")[..]), "{name} is not in the list");
    }
    // A change of any of their files computes the digests again.
    for (name, file) in digests::CRATES {
        assert!(digests::FOLDERS.iter().any(|folder| file.starts_with(&format!("{folder}/"))), "{name}");
    }
}

/// The program's digests are those of the files, and each job has one.
#[test]
fn every_job_has_the_digest_of_its_sources() {
    let digests: BTreeMap<String, String> = digests::of(&read).expect("sound files").into_iter().collect();
    let fixtures = xtask::fixture::all().expect("the fixtures are sound");
    for job in xtask::jobs(&fixtures) {
        assert!(digests.values().any(|digest| digest == job.sources), "{}", job.id);
    }
    let sources = |id: &str| {
        let job = xtask::jobs(&fixtures).into_iter().find(|job| job.id == id);
        job.unwrap_or_else(|| panic!("there is no job {id}")).sources
    };
    for (id, function) in [
        ("hanoi/complete-22", "xtask::hanoi_jobs::complete::jobs"),
        ("tiles/nineteen", "xtask::tiles_jobs::searches::nineteen_puzzles"),
        ("tiles/table-1-1996/2", "xtask::tiles_jobs::searches::by_1996"),
    ] {
        assert_eq!(sources(id), digests[function], "{id}");
    }
}
