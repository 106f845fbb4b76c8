//! Which crate may import which. Crates stand on floors, and each imports only from lower ones; so
//! puzzle crates never import each other, and the referee imports nothing of ours. Libraries print
//! nothing and parse no arguments; only the module `cli` of a puzzle crate does.

use super::sources::{File, assert_known, files, root};
use super::syntax::tokens_without_tests;
use std::collections::BTreeMap;
use std::fs;

/// The floor of each crate, by its folder; `*` stands for any name.
const FLOORS: &[(&str, u32)] = &[
    ("crates/search-core", 1),
    ("crates/referee", 1),
    ("crates/cli", 2),
    ("crates/cube", 3),
    ("crates/slidetile", 3),
    ("crates/hanoi4", 3),
    ("crates/permutation", 3),
    ("crates/checks", 4),
    ("benches", 4),
    ("examples/*", 4),
    ("python", 4),
    ("crates/wasm", 4),
    ("xtask", 5),
];

/// The crates that print nothing and parse no arguments outside of their module `cli`.
const SILENT: &[&str] =
    &["search-core", "referee", "cube", "slidetile", "hanoi4", "permutation", "optimal_puzzles_wasm"];

/// The words by which a program prints, reads its arguments, or uses what does.
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
    /// The name of its library where that differs from the package's, else the package's.
    pub name: String,
    /// The name of its package, under which a registry has it.
    pub package: String,
    /// Its folder, from the root of the repository.
    pub folder: String,
    /// The file with the root of its library or, without one, of its program.
    pub root: String,
    /// What the manifest says it depends on, in any section.
    dependencies: Vec<String>,
}

impl Member {
    /// The names of the crates that it depends on, in any section.
    pub fn dependencies(&self) -> impl Iterator<Item = &str> {
        self.dependencies.iter().map(String::as_str)
    }
}

/// The crates of the workspace.
pub fn members() -> Vec<Member> {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).expect("the workspace's manifest");
    let list =
        manifest.lines().find_map(|line| line.strip_prefix("members = ")).expect("members on one line");
    let patterns = list.trim_matches(['[', ']']).split(", ").map(|pattern| pattern.trim_matches('"'));
    patterns.flat_map(folders).map(|folder| member(&folder)).collect()
}

/// The folders that a pattern of the workspace's members stands for.
fn folders(pattern: &str) -> Vec<String> {
    let Some(parent) = pattern.strip_suffix("/*") else { return vec![pattern.to_owned()] };
    let entries = fs::read_dir(root().join(parent)).expect("a folder").flatten();
    let crates = entries.filter(|entry| entry.path().join("Cargo.toml").exists());
    let mut folders: Vec<String> =
        crates.map(|entry| format!("{parent}/{}", entry.file_name().to_string_lossy())).collect();
    folders.sort();
    folders
}

fn member(folder: &str) -> Member {
    let manifest = fs::read_to_string(root().join(folder).join("Cargo.toml")).expect("a manifest");
    let mut section = "";
    let mut member = Member {
        name: String::new(),
        package: String::new(),
        folder: folder.into(),
        root: String::new(),
        dependencies: Vec::new(),
    };
    for line in manifest.lines() {
        let (key, value) = line.split_once('=').unwrap_or((line, ""));
        let (key, value) = (key.trim(), value.trim().trim_matches('"'));
        match section {
            _ if line.starts_with('[') => section = line.trim_matches(['[', ']']),
            "package" if key == "name" => {
                member.package = value.into();
                member.name = value.into();
            }
            "lib" if key == "name" => member.name = value.into(),
            "lib" if key == "path" => member.root = format!("{folder}/{value}"),
            section if section.ends_with("dependencies") && !value.is_empty() => {
                let name = key.split('.').next().unwrap_or(key);
                member.dependencies.push(name.into());
            }
            _ => (),
        }
    }
    if member.root.is_empty() {
        let library = format!("{folder}/src/lib.rs");
        let is_library = root().join(&library).exists();
        member.root = if is_library { library } else { format!("{folder}/src/main.rs") };
    }
    member
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
            let words = tokens.iter().filter(|token| SPEECH.contains(&&token.text[..]));
            found.extend(words.map(|word| format!("{}:{}: {}", file.path, word.line, word.text)));
        }
    }
    assert_known("libraries print nothing and parse no arguments", found, &[]);
}
