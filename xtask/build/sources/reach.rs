//! What an item reaches, and the digest of it.

use super::items::{Kind, is_name, paths, until};
use super::world::{ItemId, Meaning, ModuleId, Placed, Read, World};
use std::collections::{BTreeSet, HashMap};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// What an item mentions.
#[derive(Default)]
struct Mentions {
    /// The items that its paths stand for.
    items: BTreeSet<ItemId>,
    /// Modules that it mentions as a whole.
    modules: BTreeSet<ModuleId>,
    /// Modules in which it mentions what cannot be found.
    unknown: BTreeSet<ModuleId>,
    /// Every word, by its number.
    words: BTreeSet<usize>,
    /// The digest of its text, and of what its paths stand for.
    digest: u64,
}

/// What an `impl` block is for.
struct Header {
    /// Our types and traits that it names, each with all its meanings.
    needed: Vec<BTreeSet<ItemId>>,
    /// Whether it is for a trait that is not ours.
    is_foreign: bool,
}

/// All crates, ready for questions.
pub struct Graph<'w> {
    world: &'w World,
    mentions: Vec<Mentions>,
    /// The traits, and the `impl` blocks with what they are for.
    blocks: Vec<(ItemId, Option<Header>)>,
    /// The traits whose functions can be called in each module.
    traits: Vec<BTreeSet<ItemId>>,
    /// The number of each item's name.
    names: Vec<usize>,
    /// How many words there are.
    words: usize,
    /// The items that are never reached.
    apart: Vec<bool>,
}

impl<'w> Graph<'w> {
    /// Follows the paths of all items. What `apart` names (an item, or a module with all in it) is never reached.
    pub fn new(world: &'w World, apart: &[&str], read: Read<'_>) -> Graph<'w> {
        let mut follow = Follow { world, meanings: HashMap::new(), words: HashMap::new(), read };
        let mentions = world.items.iter().map(|placed| follow.mentions(placed)).collect();
        let names = world.items.iter().map(|placed| follow.number(&placed.item.name)).collect();
        let block = |(id, placed): (ItemId, &Placed)| match placed.item.kind {
            Kind::Trait => Some((id, None)),
            Kind::Impl => Some((id, Some(header_of(world, placed)))),
            _ => None,
        };
        let blocks = world.items.iter().enumerate().filter_map(block).collect();
        let traits = (0..world.modules.len()).map(|module| world.traits_in_scope(module)).collect();
        let is_apart = |id| {
            let path = path_of(world, id);
            apart.iter().any(|name| path == *name || path.starts_with(&format!("{name}::")))
        };
        let apart = (0..world.items.len()).map(is_apart).collect();
        Graph { world, mentions, blocks, traits, names, words: follow.words.len(), apart }
    }

    /// What an item reaches, itself included.
    pub fn reached(&self, root: ItemId) -> Vec<ItemId> {
        let mut search = Search {
            graph: self,
            live: vec![false; self.world.items.len()],
            modules: vec![false; self.world.modules.len()],
            words: vec![false; self.words],
            due: vec![root],
        };
        while !search.due.is_empty() {
            while let Some(id) = search.due.pop() {
                search.add(id);
            }
            search.blocks();
        }
        (0..search.live.len()).filter(|&id| search.live[id]).collect()
    }

    /// The digest of what an item reaches.
    pub fn digest(&self, root: ItemId) -> u64 {
        let mut parts: Vec<u64> = self.reached(root).iter().map(|&id| self.mentions[id].digest).collect();
        // The order of modules and items does not matter.
        parts.sort_unstable();
        let mut digest = Xxh3::new();
        parts.iter().for_each(|part| digest.update(&part.to_le_bytes()));
        digest.digest()
    }
}

/// A search through what is reached.
struct Search<'g, 'w> {
    graph: &'g Graph<'w>,
    live: Vec<bool>,
    modules: Vec<bool>,
    words: Vec<bool>,
    due: Vec<ItemId>,
}

impl Search<'_, '_> {
    /// Adds an item and what it mentions.
    fn add(&mut self, id: ItemId) {
        let Graph { world, mentions, traits, apart, .. } = self.graph;
        if apart[id] || self.live[id] {
            return;
        }
        self.live[id] = true;
        let module = world.items[id].module;
        if !self.modules[module] {
            self.modules[module] = true;
            self.due.extend(&traits[module]);
            self.due.extend(self.calls(module));
        }
        let Mentions { items, modules, unknown, words, .. } = &mentions[id];
        self.due.extend(items);
        words.iter().for_each(|&word| self.words[word] = true);
        let whole = modules.iter().flat_map(|&module| world.with_children(module));
        for module in whole.chain(unknown.iter().copied()) {
            self.due.extend(self.all(module));
        }
    }

    /// The macro calls among the items of a module.
    fn calls(&self, module: ModuleId) -> Vec<ItemId> {
        let World { modules, items, .. } = self.graph.world;
        let is_call = |id: &ItemId| items[*id].item.kind == Kind::Call;
        modules[module].items.iter().copied().filter(is_call).collect()
    }

    /// All items of a module, with all functions.
    fn all(&self, module: ModuleId) -> Vec<ItemId> {
        let World { modules, items, .. } = self.graph.world;
        let with_functions = |&id: &ItemId| [id].into_iter().chain(items[id].functions.iter().copied());
        modules[module].items.iter().flat_map(with_functions).collect()
    }

    /// Adds `impl` blocks of what is reached, and functions of blocks whose names are mentioned.
    fn blocks(&mut self) {
        let Graph { world, blocks, names, .. } = self.graph;
        for (id, header) in blocks {
            let is_reached = match header {
                None => self.live[*id],
                Some(header) => header.needed.iter().all(|ids| ids.iter().any(|&id| self.live[id])),
            };
            if is_reached {
                let is_foreign = header.as_ref().is_some_and(|header| header.is_foreign);
                let is_called = |id: &ItemId| is_foreign || self.words[names[*id]];
                let functions = world.items[*id].functions.iter().copied().filter(is_called);
                self.due.extend(functions.chain([*id]));
            }
        }
        let (live, apart) = (&self.live, &self.graph.apart);
        self.due.retain(|&id| !live[id] && !apart[id]);
    }
}

/// The path of an item, as in `hanoi4::corners::complete::CompleteSearch`.
pub fn path_of(world: &World, id: ItemId) -> String {
    let Placed { item, module, block, .. } = &world.items[id];
    let head = |of: &super::items::Item| of.tokens[..of.head].join(" ");
    let block = block.map_or_else(String::new, |block| format!("<{}>::", head(&world.items[block].item)));
    let name = if item.name.is_empty() { format!("<{}>", head(item)) } else { item.name.clone() };
    format!("{}::{block}{name}", world.modules[*module].path)
}

/// Follows the paths of items, and remembers where they lead.
struct Follow<'w> {
    world: &'w World,
    meanings: HashMap<(ModuleId, Vec<String>), Meaning>,
    words: HashMap<String, usize>,
    read: Read<'w>,
}

impl Follow<'_> {
    fn number(&mut self, word: &str) -> usize {
        let next = self.words.len();
        *self.words.entry(word.to_owned()).or_insert(next)
    }

    fn mentions(&mut self, placed: &Placed) -> Mentions {
        let world = self.world;
        let (tokens, module) = (&placed.item.tokens, placed.module);
        let mut found = Mentions::default();
        found.words.extend(tokens.iter().filter(|token| is_name(token)).map(|token| self.number(token)));
        found.items.extend(placed.block);
        let calls = tokens.windows(2).filter(|pair| pair[1] == "!" && is_name(&pair[0]));
        let macros: Vec<ItemId> = calls.flat_map(|pair| world.macros(module, &pair[0])).collect();
        // What a macro of ours does with the name of a module is not known.
        let takes_modules = placed.item.kind == Kind::Call || !macros.is_empty();
        found.items.extend(macros);
        let mut meant = BTreeSet::new();
        paths(tokens, |path, is_long| {
            let meaning = self.meanings.entry((module, path));
            let meaning = meaning.or_insert_with_key(|(module, path)| world.meaning(*module, path));
            meant.extend(meaning.items.iter().map(|&id| path_of(world, id)));
            found.items.extend(&meaning.items);
            if is_long {
                found.unknown.extend(&meaning.unknown);
            }
            if is_long || takes_modules {
                found.modules.extend(&meaning.modules);
            }
        });
        let mut text = vec![world.modules[module].path.clone(), placed.item.name.clone()];
        text.extend(placed.block.map(|block| path_of(world, block)));
        text.extend(tokens.iter().cloned());
        text.extend(meant);
        text.extend(included(tokens, &world.modules[module].folder, self.read));
        found.digest = xxh3_64(text.join("\n").as_bytes());
        found
    }
}

/// The contents of the files that `include_str!` and `include_bytes!` name.
fn included(tokens: &[String], folder: &str, read: Read<'_>) -> Vec<String> {
    let includes =
        |four: &&[String]| matches!(&four[0][..], "include_str" | "include_bytes") && four[1] == "!";
    let contents = |four: &[String]| {
        let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
        for part in four[3].trim_matches('"').split('/') {
            match part {
                ".." => drop(parts.pop()),
                part => parts.push(part),
            }
        }
        let file = parts.join("/");
        read(&file).unwrap_or_else(|| panic!("there is no {file} to include"))
    };
    tokens.windows(4).filter(includes).map(contents).collect()
}

/// What an `impl` block is for: `impl<T: Bound> Trait<T> for Type where …`. Bounds do not count.
fn header_of(world: &World, placed: &Placed) -> Header {
    let head = &placed.item.tokens[..placed.item.head];
    let mut at = head.iter().position(|token| token == "impl").map_or(0, |at| at + 1);
    let mut parameters: &[String] = &[];
    if head.get(at).is_some_and(|token| token == "<") {
        let end = until(head, at + 1, &[">"]);
        parameters = &head[at + 1..end];
        at = end + 1;
    }
    let is_for_trait = head.get(until(head, at, &["for", "where"])).is_some_and(|token| token == "for");
    let mut header = Header { needed: Vec::new(), is_foreign: is_for_trait };
    let kind = |id: &ItemId| world.items[*id].item.kind;
    let mut is_first = true;
    paths(&head[at..until(head, at, &["where"])], |path, _| {
        let is_trait = std::mem::take(&mut is_first) && is_for_trait;
        if path.len() == 1 && is_parameter(parameters, &path[0]) {
            return;
        }
        let items = world.meaning(placed.module, &path).items;
        header.is_foreign &= !(is_trait && items.iter().any(|id| kind(id) == Kind::Trait));
        // Another name for a type, or a constant, may be written otherwise elsewhere.
        let must_be_named = |id: &ItemId| matches!(kind(id), Kind::Type | Kind::Trait | Kind::Call);
        if !items.is_empty() && items.iter().all(must_be_named) {
            header.needed.push(items);
        }
    });
    header
}

/// Whether a name is one of the parameters between `<` and `>`.
fn is_parameter(parameters: &[String], name: &str) -> bool {
    let begins = |at: usize| at == 0 || matches!(&parameters[at - 1][..], "," | "const");
    (0..parameters.len()).any(|at| begins(at) && parameters[at] == name)
}
