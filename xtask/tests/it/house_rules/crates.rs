//! Imports between crates. Each crate is on a floor and imports only from lower floors, so puzzle crates never import
//! each other, and the referee imports no other crate of the workspace. Libraries print nothing and parse no arguments;
//! only the module `cli` of a puzzle crate does.

use super::sources::{File, assert_known, files, root};
use super::syntax::{Token, tokens_without_tests};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;

/// The floor of each crate, by its folder; `*` stands for any name.
const FLOORS: &[(&str, u32)] = &[
    ("crates/search-core", 1),
    ("crates/referee", 1),
    ("crates/cli", 2),
    ("crates/cube", 3),
    ("crates/slidetile", 3),
    ("crates/hanoi4", 3),
    ("crates/puzzle", 3),
    ("crates/checks", 4),
    ("crates/repro", 4),
    ("benches", 4),
    ("examples/*", 4),
    ("python", 4),
    ("crates/wasm", 4),
    ("xtask", 5),
];

/// The crates that print nothing and parse no arguments outside of their module `cli`.
const SILENT: &[&str] =
    &["search-core", "referee", "cube", "slidetile", "hanoi4", "puzzle", "optimal_puzzles_wasm"];

/// The attribute by which a library's enum lists the values of an option: it is compiled with the command line alone.
const VALUES_OF_OPTIONS: &str = r#"#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]"#;

/// The words that show that code prints, reads arguments, or uses code that does.
const SPEECH: &[&str] = &[
    "print",
    "println",
    "eprint",
    "eprintln",
    "dbg",
    "stdout",
    "stderr",
    "stdin",
    "args_os",
    "clap",
    "puzzle_cli",
];

/// A crate of the workspace.
pub struct Member {
    /// The name of its library, or of its package if that is the same.
    pub name: String,
    /// The name of its package in a registry.
    pub package: String,
    /// Its folder, from the root of the repository.
    pub folder: String,
    /// The file with the root of its library or, without one, of its program.
    pub root: String,
    /// The names of the crates that it depends on, in any section of its manifest.
    pub dependencies: Vec<String>,
    /// Its description by `cargo metadata`.
    pub description: Value,
}

/// The crates of the workspace, as `cargo metadata` describes them.
pub fn members() -> Vec<Member> {
    static METADATA: LazyLock<Value> = LazyLock::new(|| metadata(&["--no-deps"]));
    METADATA["packages"].as_array().expect("packages").iter().map(member).collect()
}

/// The output of `cargo metadata` with these options.
pub fn metadata(options: &[&str]) -> Value {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["metadata", "--locked", "--format-version", "1"]).args(options).current_dir(root());
    let output = cargo.output().expect("cargo");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn member(description: &Value) -> Member {
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let path = |value: &Value| {
        let path =
            Path::new(value.as_str().expect("a path")).strip_prefix(root()).expect("in the repository");
        path.to_str().expect("Unicode").replace('\\', "/")
    };
    let package = text(&description["name"]);
    let targets = description["targets"].as_array().expect("targets");
    let is = |target: &&Value, kinds: &[&str]| {
        let of = target["kind"].as_array().expect("kinds");
        of.iter().any(|kind| kinds.iter().any(|name| kind == name))
    };
    let library = targets.iter().find(|target| is(target, &["lib", "cdylib"]));
    let target = library.or_else(|| targets.iter().find(|target| is(target, &["bin"]))).expect("a target");
    let name = text(&target["name"]);
    let dependency = |of: &Value| text(if of["rename"].is_null() { &of["name"] } else { &of["rename"] });
    let manifest = path(&description["manifest_path"]);
    Member {
        name: if name == package.replace('-', "_") { package.clone() } else { name },
        package,
        folder: manifest.strip_suffix("/Cargo.toml").expect("a manifest").to_owned(),
        root: path(&target["src_path"]),
        dependencies: description["dependencies"]
            .as_array()
            .expect("a list")
            .iter()
            .map(dependency)
            .collect(),
        description: description.clone(),
    }
}

/// The floor of a crate.
fn floor(folder: &str) -> Option<u32> {
    let stands_for = |pattern: &str| match pattern.strip_suffix('*') {
        Some(parent) => folder.starts_with(parent),
        None => folder == pattern,
    };
    FLOORS.iter().find(|(pattern, _)| stands_for(pattern)).map(|(_, floor)| *floor)
}

#[test]
fn every_crate_imports_only_from_lower_floors() {
    let members = members();
    let floors: BTreeMap<&str, u32> = members
        .iter()
        .map(|member| {
            (
                &member.name[..],
                floor(&member.folder).unwrap_or_else(|| panic!("{} has no floor", member.folder)),
            )
        })
        .collect();
    assert!(floors.len() > 7, "{floors:?}");
    let upwards = members.iter().flat_map(|member| {
        let ours = member.dependencies.iter().filter(|name| floors.contains_key(&name[..]));
        let wrong = ours.filter(|name| floors[&name[..]] >= floors[&member.name[..]]);
        wrong.map(|name| format!("{} imports {name}", member.name)).collect::<Vec<_>>()
    });
    assert_known("a crate imports only from lower floors", upwards, &[]);
}

#[test]
fn libraries_print_nothing_and_parse_no_arguments() {
    let members = members();
    let mut found = Vec::new();
    for member in members.iter().filter(|member| SILENT.contains(&&member.name[..])) {
        let source = format!("{}/src/", member.folder);
        let speaks = |file: &File| {
            let spoken = ["cli.rs", "cli/", "bin/"].map(|part| format!("{source}{part}"));
            spoken.iter().any(|start| file.path.starts_with(start))
        };
        for file in files(".rs").iter().filter(|file| file.path.starts_with(&source) && !speaks(file)) {
            let tokens = tokens_without_tests(file);
            let lines: Vec<&str> = file.text.lines().collect();
            let named_for_options = |token: &Token| lines[token.line - 1].trim() == VALUES_OF_OPTIONS;
            let words = tokens.iter().filter(|token| SPEECH.contains(&&token.text[..]));
            let words = words.filter(|token| !named_for_options(token));
            found.extend(words.map(|word| format!("{}:{}: {}", file.path, word.line, word.text)));
        }
    }
    assert_known("libraries print nothing and parse no arguments", found, &[]);
}
