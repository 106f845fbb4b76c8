//! Dependencies: every one is in docs/dependencies.md with its reason, comes from
//! crates.io under a checksum, has a licence that deny.toml allows, and one version, unless deny.toml lists it.

use super::crates::{members, metadata};
use super::sources::{assert_known, root};
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
        members.iter().flat_map(|member| member.dependencies.iter().cloned()).collect();
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

/// Whether licences that are allowed suffice for an expression such as `(MIT OR Apache-2.0) AND Unicode-3.0`. `AND`
/// binds closer than `OR`; the slash of old manifests means `OR`.
fn is_allowed(expression: &str, allowed: &[&str]) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut rest = &words[..];
    any_of(&mut rest, allowed) && rest.is_empty()
}

fn any_of(rest: &mut &[&str], allowed: &[&str]) -> bool {
    let mut is_met = all_of(rest, allowed);
    while let ["OR", after @ ..] = *rest {
        *rest = after;
        is_met |= all_of(rest, allowed);
    }
    is_met
}

fn all_of(rest: &mut &[&str], allowed: &[&str]) -> bool {
    let mut is_met = one_of(rest, allowed);
    while let ["AND", after @ ..] = *rest {
        *rest = after;
        is_met &= one_of(rest, allowed);
    }
    is_met
}

fn one_of(rest: &mut &[&str], allowed: &[&str]) -> bool {
    match *rest {
        ["(", after @ ..] => {
            *rest = after;
            let is_met = any_of(rest, allowed);
            let [")", after @ ..] = *rest else { return false };
            *rest = after;
            is_met
        }
        [name, "WITH", exception, after @ ..] => {
            *rest = after;
            allowed.contains(&&format!("{name} WITH {exception}")[..])
        }
        [name, after @ ..] => {
            *rest = after;
            allowed.contains(name)
        }
        [] => false,
    }
}

#[test]
fn expressions_of_licences_are_read() {
    let allowed = ["MIT", "Apache-2.0", "GPL-3.0 WITH X"];
    let yes = [
        "MIT",
        "MIT/Apache-2.0",
        "GPL-3.0 OR MIT",
        "(MIT OR GPL-3.0) AND Apache-2.0",
        "GPL-3.0 WITH X",
        "ISC OR MIT",
    ];
    let no = [
        "",
        "GPL-3.0",
        "MIT WITH X",
        "MIT AND ISC",
        "(MIT",
        "MIT MIT",
        "ISC OR MIT AND ISC",
        "MIT AND (ISC OR Zlib)",
    ];
    assert!(yes.iter().all(|text| is_allowed(text, &allowed)));
    assert!(!no.iter().any(|text| is_allowed(text, &allowed)));
}

/// As `cargo deny check licenses` does, without that tool.
#[test]
fn every_licence_is_allowed() {
    let deny = toml("deny.toml");
    let allowed = deny["licenses"]["allow"].as_array().expect("a list").iter();
    let allowed: Vec<&str> = allowed.map(|name| name.as_str().expect("a name")).collect();
    let metadata = metadata(&[]);
    let packages = metadata["packages"].as_array().expect("packages");
    assert!(packages.len() > 100, "{} packages", packages.len());
    let refused = packages.iter().filter(|package| {
        let licence = package["license"].as_str();
        !licence.is_some_and(|licence| is_allowed(licence, &allowed))
    });
    let named = refused.map(|package| format!("{}: {}", package["name"], package["license"]));
    assert_known("licences are those of deny.toml", named, &[]);
}
