//! What is not ours: every dependency is in docs/dependencies.md with its reason, comes from
//! crates.io under a checksum, and has one version, unless deny.toml lists it.

use crate::crates::members;
use crate::sources::{assert_known, root};
use std::collections::BTreeSet;
use std::fs;

const CRATES_IO: &str = "registry+https://github.com/rust-lang/crates.io-index";

fn text(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn toml(path: &str) -> toml::Table {
    text(path).parse().unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// A package of a lock file.
struct Package {
    name: String,
    source: Option<String>,
    has_checksum: bool,
}

fn locked(path: &str) -> Vec<Package> {
    let lock = toml(path);
    let packages = lock["package"].as_array().expect("packages").iter();
    let package = |package: &toml::Value| Package {
        name: package["name"].as_str().expect("a name").to_owned(),
        source: package.get("source").map(|source| source.as_str().expect("a source").to_owned()),
        has_checksum: package.get("checksum").is_some(),
    };
    packages.map(package).collect()
}

#[test]
fn every_dependency_has_a_reason() {
    let members = members();
    let ours: BTreeSet<&str> = members.iter().map(|member| &member.name[..]).collect();
    let mut used: BTreeSet<String> =
        members.iter().flat_map(|member| member.dependencies()).map(str::to_owned).collect();
    let fuzz = toml("fuzz/Cargo.toml");
    used.extend(fuzz["dependencies"].as_table().expect("a table").keys().cloned());
    let document = text("docs/dependencies.md");
    let rows = document.lines().filter(|line| line.starts_with("| `"));
    let cells = rows.map(|row| row.split('|').nth(1).expect("a cell"));
    let named: Vec<String> =
        cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).map(str::to_owned).collect();
    assert!(named.len() > 20, "{named:?}");
    let expected: Vec<&str> = used.iter().map(|name| &name[..]).filter(|name| !ours.contains(name)).collect();
    assert_known("docs/dependencies.md names the dependencies", named, &expected);
}

#[test]
fn everything_comes_from_crates_io_under_a_checksum() {
    let mut ours: BTreeSet<String> = members().into_iter().map(|member| member.package).collect();
    ours.insert("puzzle-fuzz".to_owned());
    for lock in ["Cargo.lock", "fuzz/Cargo.lock"] {
        let packages = locked(lock);
        assert!(packages.len() > 50, "{lock} has {} packages", packages.len());
        let foreign = packages.iter().filter(|package| match &package.source {
            Some(source) => source != CRATES_IO || !package.has_checksum,
            None => !ours.contains(&package.name),
        });
        let names = foreign.map(|package| format!("{lock}: {}", package.name));
        assert_known("dependencies come from crates.io", names, &[]);
    }
}

#[test]
fn only_listed_crates_have_two_versions() {
    let deny = toml("deny.toml");
    let skipped = deny["bans"]["skip"].as_array().expect("a list").iter();
    let listed: Vec<&str> = skipped.map(|entry| entry["crate"].as_str().expect("a name")).collect();
    let (mut seen, mut twice) = (BTreeSet::new(), BTreeSet::new());
    for package in locked("Cargo.lock") {
        if !seen.insert(package.name.clone()) {
            twice.insert(package.name);
        }
    }
    assert_known("crates with two versions are in deny.toml", twice, &listed);
}
