//! The descriptions of the published packages, as a registry shows them.

use super::crates::members;
use super::sources::{assert_known, files, root};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;

/// The packages that are not published.
const UNPUBLISHED: &[&str] = &[
    "optimal-puzzles-python",
    "optimal-puzzles-wasm",
    "puzzle-benches",
    "puzzle-checks",
    "repro",
    "topspin",
    "xtask",
];

/// The fields that the manifest of a published package has.
const FIELDS: &[&str] = &["description", "license", "repository", "rust_version", "keywords", "categories"];

#[test]
fn published_packages_have_all_fields() {
    let (mut faults, mut unpublished) = (Vec::new(), Vec::new());
    for member in members() {
        let folder = root().join(&member.folder);
        // A package that must not be published has an empty list of registries.
        if member.description["publish"].is_array() {
            unpublished.push(member.package);
            continue;
        }
        let has = |field: &str| match &member.description[field] {
            Value::Array(values) => !values.is_empty(),
            value => value.is_string(),
        };
        let missing = FIELDS.iter().filter(|field| !has(field));
        faults.extend(missing.map(|field| format!("{}: {field}", member.package)));
        let files = ["README.md", "LICENSE-MIT", "LICENSE-APACHE"];
        let missing = files.iter().filter(|file| !folder.join(file).exists());
        faults.extend(missing.map(|file| format!("{}: {file}", member.package)));
    }
    assert_known("packages have these fields and files", faults, &[]);
    assert_known("these packages are not published", unpublished, UNPUBLISHED);
}

#[test]
fn all_parts_have_one_version() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).expect("the workspace's manifest");
    let manifest: toml::Table = manifest.parse().expect("a manifest");
    let version = manifest["workspace"]["package"]["version"].as_str().expect("a version");
    let dependencies = manifest["workspace"]["dependencies"].as_table().expect("a table");
    let ours = dependencies.iter().filter(|(_, value)| value.get("path").is_some());
    let other = ours.filter(|(_, value)| value.get("version").and_then(toml::Value::as_str) != Some(version));
    assert_known("our dependencies are of our version", other.map(|(name, _)| name), &[]);
    let citation = fs::read_to_string(root().join("CITATION.cff")).expect("the citation");
    assert!(citation.lines().any(|line| line == format!("version: {version}")), "CITATION.cff: {version}");
}

/// Renaming a package may leave its old name in commands that are rarely run.
#[test]
fn commands_name_packages_of_the_workspace() {
    let packages: BTreeSet<String> = members().into_iter().map(|member| member.package).collect();
    let mut faults = Vec::new();
    for file in [".md", ".rs", ".yml", ".sh", ".ci/run", ".ci/package"].into_iter().flat_map(files) {
        // For `mkdir`, `-p` names no package.
        for line in file.text.lines().filter(|line| !line.contains("mkdir")) {
            let words: Vec<&str> = line.split([' ', '"', '`']).filter(|word| !word.is_empty()).collect();
            let named = words.windows(2).filter(|pair| pair[0] == "-p").map(|pair| pair[1]);
            let is_name = |name: &&str| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
            let unknown = named.filter(is_name).filter(|name| !packages.contains(*name));
            faults.extend(unknown.map(|name| format!("{}: {name}", file.path)));
        }
    }
    assert_known("each package that a command names is one of ours", faults, &[]);
}
