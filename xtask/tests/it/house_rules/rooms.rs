//! No import cycles between the rooms of a crate. A room is a top-level module, declared by the crate's root; it
//! imports another room if its code (not its tests) names it by `crate::` or `super::`. A name that the root re-exports
//! counts for the room that defines it; if the root defines names itself, it is also a room.

use super::crates::members;
use super::sources::{File, root};
use super::syntax::{Name, Token, names, tokens_without_tests};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// The name of a crate's root if it is a room.
const ROOT: &str = "the root";

#[test]
fn no_import_cycles_between_the_modules_of_a_crate() {
    let mut faults = String::new();
    for member in members() {
        let house = House::read(&member.root);
        for circle in house.circles() {
            faults += &format!("\n{}: {circle:?}{}", member.name, house.imports_within(&circle));
        }
    }
    assert!(faults.is_empty(), "rooms reach each other:{faults}");
}

/// The rooms of a crate and who imports whom.
pub struct House {
    /// The rooms, as the root declares them.
    pub rooms: Vec<String>,
    /// For each room and each other room that it imports, the first place where it does.
    imports: BTreeMap<(String, String), String>,
    /// The names that the root re-exports, each with its room.
    reexports: BTreeMap<String, String>,
}

impl House {
    /// Reads the crate whose root is this file.
    pub fn read(root_file: &str) -> House {
        let tokens = tokens_of(root_file);
        let declared = modules(&tokens, parent(root_file));
        let rooms: Vec<String> = declared.iter().map(|module| module.name.clone()).collect();
        let (offered, used): (Vec<Name>, Vec<Name>) =
            names(&tokens, &[], &rooms).into_iter().partition(|name| name.reexported);
        let reexport = |name: &Name| Some((name.parts.last()?.clone(), name.parts.first()?.clone()));
        let reexports = offered.iter().filter_map(reexport).collect();
        let mut house = House { rooms, imports: BTreeMap::new(), reexports };
        house.add(ROOT, root_file, &used);
        for module in &declared {
            house.add_module(&module.name, module, &[]);
        }
        house
    }

    /// Adds what a module of `room` imports, and what the modules within it import.
    fn add_module(&mut self, room: &str, module: &Module, around: &[String]) {
        let tokens = tokens_of(&module.file);
        let path = [around, std::slice::from_ref(&module.name)].concat();
        self.add(room, &module.file, &names(&tokens, &path, &[]));
        for inner in modules(&tokens, &module.folder) {
            self.add_module(room, &inner, &path);
        }
    }

    fn add(&mut self, room: &str, file: &str, names: &[Name]) {
        for name in names {
            let first = name.parts.first().map_or("", String::as_str);
            let other = match self.reexports.get(first) {
                _ if self.rooms.iter().any(|room| room == first) => first,
                Some(defined_in) => defined_in,
                None => ROOT,
            };
            if other != room {
                let place = || format!("{file}:{}", name.line);
                self.imports.entry((room.to_owned(), other.to_owned())).or_insert_with(place);
            }
        }
    }

    /// The rooms that a room imports, without the root.
    pub fn imports_of(&self, room: &str) -> BTreeSet<String> {
        let imports = self.imports.keys().filter(|(from, to)| from == room && to != ROOT);
        imports.map(|(_, to)| to.clone()).collect()
    }

    /// The sets of rooms that import each other, directly or not.
    fn circles(&self) -> BTreeSet<Vec<&str>> {
        let mut reach: BTreeSet<(&str, &str)> =
            self.imports.keys().map(|(from, to)| (&from[..], &to[..])).collect();
        let all: BTreeSet<&str> = reach.iter().flat_map(|(from, to)| [*from, *to]).collect();
        for by in &all {
            for from in all.iter().filter(|from| reach.contains(&(from, by))).copied().collect::<Vec<_>>() {
                let further: Vec<&str> = all.iter().filter(|to| reach.contains(&(by, to))).copied().collect();
                reach.extend(further.into_iter().map(|to| (from, to)));
            }
        }
        let circle = |room: &&str| {
            let both = |other: &&&str| reach.contains(&(room, other)) && reach.contains(&(other, room));
            all.iter().filter(both).copied().collect::<Vec<_>>()
        };
        all.iter().map(circle).filter(|circle| !circle.is_empty()).collect()
    }

    fn imports_within(&self, circle: &[&str]) -> String {
        let inside = |room: &String| circle.contains(&&room[..]);
        let imports = self.imports.iter().filter(|((from, to), _)| inside(from) && inside(to));
        imports.map(|((from, to), place)| format!("\n  {from} imports {to} in {place}")).collect()
    }
}

/// A module in a file of its own.
struct Module {
    name: String,
    file: String,
    /// The folder of the files of the modules within it.
    folder: String,
}

/// The modules that a file declares by `mod name;`; their files are in `folder`.
fn modules(tokens: &[Token], folder: &str) -> Vec<Module> {
    let text = |at: usize| tokens.get(at).map_or("", |token| &token.text[..]);
    let declares = |at: &usize| text(*at) == "mod" && text(at + 2) == ";";
    let module = |at: usize| {
        let name = text(at + 1).to_owned();
        // `#[path = "…"]`, perhaps with `pub` between.
        let attribute = at - usize::from(at > 0 && text(at - 1) == "pub");
        if attribute >= 6 && text(attribute - 4) == "path" {
            let file = format!("{folder}/{}", text(attribute - 2).trim_matches('"'));
            return Module { folder: parent(&file).to_owned(), name, file };
        }
        let inner = format!("{folder}/{name}");
        let file = format!("{inner}.rs");
        let file = if root().join(&file).exists() { file } else { format!("{inner}/mod.rs") };
        Module { name, file, folder: inner }
    };
    (0..tokens.len()).filter(declares).map(module).collect()
}

fn tokens_of(path: &str) -> Vec<Token> {
    let text = fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    tokens_without_tests(&File { path: path.to_owned(), text })
}

fn parent(path: &str) -> &str {
    path.rsplit_once('/').expect("a file in a folder").0
}
