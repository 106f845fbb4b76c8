//! The crates as one tree of modules, and what a path stands for in each of them.

use super::items::{Contents, Declared, Item, Kind, contents};
use std::collections::{BTreeMap, BTreeSet};

/// The number of an item, or of a function of a trait or `impl` block.
pub type ItemId = usize;
/// The number of a module.
pub type ModuleId = usize;

/// A module.
pub struct Module {
    /// Its path, as in `hanoi4::corners`.
    pub path: String,
    /// The root of its crate.
    pub root: ModuleId,
    /// The module that declares it; of a root, itself.
    pub parent: ModuleId,
    /// The folder of its file, for files that it includes.
    pub folder: String,
    /// Its items, without the functions of blocks.
    pub items: Vec<ItemId>,
    names: BTreeMap<String, Vec<ItemId>>,
    children: BTreeMap<String, ModuleId>,
    uses: Vec<(String, Vec<String>)>,
}

/// An item and its place.
pub struct Placed {
    /// The item, its functions taken out of it.
    pub item: Item,
    /// Its module.
    pub module: ModuleId,
    /// The trait or `impl` block that it is a function of.
    pub block: Option<ItemId>,
    /// The functions of a trait or `impl` block.
    pub functions: Vec<ItemId>,
}

/// All crates.
#[derive(Default)]
pub struct World {
    /// The modules.
    pub modules: Vec<Module>,
    /// The items.
    pub items: Vec<Placed>,
    crates: BTreeMap<String, ModuleId>,
}

/// What a path stands for.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Meaning {
    /// Items of that name.
    pub items: BTreeSet<ItemId>,
    /// Modules of that name.
    pub modules: BTreeSet<ModuleId>,
    /// Modules that should have such a name and do not: a macro makes it.
    pub unknown: BTreeSet<ModuleId>,
}

impl Meaning {
    fn add(&mut self, other: Meaning) {
        self.items.extend(other.items);
        self.modules.extend(other.modules);
        self.unknown.extend(other.unknown);
    }

    fn is_empty(&self) -> bool {
        *self == Meaning::default()
    }
}

/// Reads a file by its path from the root of the repository; `None` if there is none.
pub type Read<'a> = &'a dyn Fn(&str) -> Option<String>;

impl World {
    /// The crates of these names and root files.
    ///
    /// # Errors
    /// A file that does not exist or is not Rust.
    pub fn read(crates: &[(&str, &str)], read: Read<'_>) -> Result<World, String> {
        let mut world = World::default();
        for (name, file) in crates {
            let id = world.modules.len();
            let folder = parent(file).to_owned();
            let text = read(file).ok_or_else(|| format!("there is no {file}"))?;
            let inside = contents(&text).map_err(|error| format!("{file}: {error}"))?;
            world.crates.insert((*name).to_owned(), id);
            world.add((*name).to_owned(), (id, id), (folder.clone(), folder), inside, read)?;
        }
        Ok(world)
    }

    /// Adds a module and those within it. `folders` are that of its file and that of the modules within it.
    fn add(
        &mut self,
        path: String,
        (root, parent_id): (ModuleId, ModuleId),
        (folder, inner): (String, String),
        inside: Contents,
        read: Read<'_>,
    ) -> Result<ModuleId, String> {
        let id = self.modules.len();
        self.modules.push(Module {
            path: path.clone(),
            root,
            parent: parent_id,
            folder: folder.clone(),
            items: Vec::new(),
            names: BTreeMap::new(),
            children: BTreeMap::new(),
            uses: inside.uses,
        });
        inside.items.into_iter().for_each(|item| self.place(id, item));
        for declared in inside.modules {
            let Declared { name, path: file, inline } = declared;
            let child_path = format!("{path}::{name}");
            let (folders, inside) = match inline {
                Some(inside) => ((folder.clone(), format!("{inner}/{name}")), inside),
                None => file_of(&name, file, &folder, &inner, read)?,
            };
            let child = self.add(child_path, (root, id), folders, inside, read)?;
            self.modules[id].children.insert(name, child);
        }
        Ok(id)
    }

    fn place(&mut self, module: ModuleId, mut item: Item) {
        let id = self.items.len();
        let functions = std::mem::take(&mut item.functions);
        self.modules[module].items.push(id);
        if !item.name.is_empty() && item.name != "_" {
            self.modules[module].names.entry(item.name.clone()).or_default().push(id);
        }
        let placed = |item, block| Placed { item, module, block, functions: Vec::new() };
        self.items.push(placed(item, None));
        for function in functions {
            let function_id = self.items.len();
            self.items.push(placed(function, Some(id)));
            self.items[id].functions.push(function_id);
        }
    }

    /// What a path stands for in a module.
    pub fn meaning(&self, module: ModuleId, path: &[String]) -> Meaning {
        self.resolve(module, path, &mut BTreeSet::new())
    }

    fn resolve(&self, module: ModuleId, path: &[String], seen: &mut BTreeSet<(ModuleId, String)>) -> Meaning {
        let mut at = module;
        let mut rest = path;
        let mut found = Meaning::default();
        while let [first, after @ ..] = rest {
            match &first[..] {
                "crate" => at = self.modules[at].root,
                "super" => at = self.modules[at].parent,
                "self" => (),
                _ => break,
            }
            rest = after;
        }
        let Some((first, after)) = rest.split_first() else {
            found.modules.insert(at);
            return found;
        };
        found = self.lookup(at, first, seen);
        if found.is_empty() && rest.len() == path.len() {
            let extern_crate = self.crates.get(first).filter(|&&root| root != self.modules[module].root);
            found.modules.extend(extern_crate);
        } else if found.is_empty() {
            found.unknown.insert(at);
        }
        for part in after {
            let mut next = Meaning { modules: BTreeSet::new(), ..found.clone() };
            for &within in &found.modules {
                let inner = self.lookup(within, part, seen);
                if inner.is_empty() && next.items.is_empty() {
                    next.unknown.insert(within);
                }
                next.add(inner);
            }
            found = next;
        }
        found
    }

    /// What a single name stands for in a module: its items and modules, and what it imports.
    fn lookup(&self, module: ModuleId, name: &str, seen: &mut BTreeSet<(ModuleId, String)>) -> Meaning {
        let mut found = Meaning::default();
        if !seen.insert((module, name.to_owned())) {
            return found;
        }
        let of = &self.modules[module];
        found.items.extend(of.names.get(name).into_iter().flatten());
        found.modules.extend(of.children.get(name));
        for (_, path) in of.uses.iter().filter(|(alias, _)| alias == name) {
            found.add(self.resolve(module, path, seen));
        }
        if found.is_empty() {
            for (_, path) in of.uses.iter().filter(|(alias, _)| alias == "*") {
                found.add(self.through_glob(module, path, name, seen));
            }
        }
        if found.is_empty() {
            found.items.extend(of.items.iter().filter(|&&id| self.makes(id, name)));
        }
        seen.remove(&(module, name.to_owned()));
        found
    }

    /// Whether an item is a macro call that may make something of this name.
    fn makes(&self, id: ItemId, name: &str) -> bool {
        let Placed { item, module, .. } = &self.items[id];
        let has = |tokens: &[String]| tokens.iter().any(|token| token == name);
        let called = || item.tokens.windows(2).filter(|pair| pair[1] == "!").map(|pair| &pair[0]);
        let by = |called: &String| self.macros(*module, called).any(|id| has(&self.items[id].item.tokens));
        item.kind == Kind::Call && (has(&item.tokens) || called().any(by))
    }

    /// What a name stands for through `use path::*`.
    fn through_glob(
        &self,
        module: ModuleId,
        path: &[String],
        name: &str,
        seen: &mut BTreeSet<(ModuleId, String)>,
    ) -> Meaning {
        let from = self.resolve(module, path, seen);
        let mut found = Meaning::default();
        for &within in &from.modules {
            found.add(self.lookup(within, name, seen));
        }
        // The variants of an enumeration.
        let has_it = |&&id: &&ItemId| self.items[id].item.tokens.iter().any(|token| token == name);
        found.items.extend(from.items.iter().filter(has_it));
        found
    }

    /// The macros by example of this name in the crate of a module.
    pub fn macros(&self, module: ModuleId, name: &str) -> impl Iterator<Item = ItemId> {
        let root = self.modules[module].root;
        let is_it = move |placed: &Placed| {
            placed.item.kind == Kind::Macro
                && placed.item.name == name
                && self.modules[placed.module].root == root
        };
        (0..self.items.len()).filter(move |&id| is_it(&self.items[id]))
    }

    /// The traits whose functions can be called in a module.
    pub fn traits_in_scope(&self, module: ModuleId) -> BTreeSet<ItemId> {
        let mut found = BTreeSet::new();
        let of = &self.modules[module];
        let all = |id: ModuleId| self.modules[id].items.iter().copied();
        found.extend(all(module));
        for (alias, path) in &of.uses {
            let meaning = self.meaning(module, path);
            found.extend(meaning.items);
            if alias == "*" {
                for within in meaning.modules {
                    found.extend(all(within));
                    let again = self.modules[within].uses.iter();
                    found.extend(again.flat_map(|(_, path)| self.meaning(within, path).items));
                }
            }
        }
        found.retain(|&id| self.items[id].item.kind == Kind::Trait);
        found
    }

    /// A module and all modules within it.
    pub fn with_children(&self, module: ModuleId) -> Vec<ModuleId> {
        let mut all = vec![module];
        let mut at = 0;
        while at < all.len() {
            all.extend(self.modules[all[at]].children.values());
            at += 1;
        }
        all
    }
}

/// The folders and the contents of a module that has a file.
fn file_of(
    name: &str,
    path: Option<String>,
    folder: &str,
    inner: &str,
    read: Read<'_>,
) -> Result<((String, String), Contents), String> {
    let candidates = match path {
        Some(path) => {
            let file = format!("{folder}/{path}");
            let inner = parent(&file).to_owned();
            vec![(file, inner)]
        }
        None => vec![
            (format!("{inner}/{name}.rs"), format!("{inner}/{name}")),
            (format!("{inner}/{name}/mod.rs"), format!("{inner}/{name}")),
        ],
    };
    for (file, inner) in candidates {
        if let Some(text) = read(&file) {
            let inside = contents(&text).map_err(|error| format!("{file}: {error}"))?;
            return Ok(((parent(&file).to_owned(), inner), inside));
        }
    }
    Err(format!("module {name} has no file in {inner}"))
}

fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}
