//! A file of Rust as its items: tokens without comments, documentation, visibility and tests.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// What an item is, as far as reachability treats kinds apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A function, a constant: reached by its name, as a whole.
    Named,
    /// A structure, an enumeration or a union.
    Type,
    /// A trait: its functions are reached one by one.
    Trait,
    /// An `impl` block: its functions are reached one by one, or it is reached as a whole.
    Impl,
    /// A `type` of another name.
    Alias,
    /// A macro by example.
    Macro,
    /// A macro call in the place of an item, or a block of foreign items.
    Call,
}

/// An item, or a function of a trait or `impl` block.
#[derive(Clone, Debug)]
pub struct Item {
    /// What it is.
    pub kind: Kind,
    /// Its name; empty for an `impl` block or a macro call.
    pub name: String,
    /// Its tokens; of a trait or an `impl` block, without the functions.
    pub tokens: Vec<String>,
    /// How many of the tokens stand before the body.
    pub head: usize,
    /// The functions of a trait or an `impl` block.
    pub functions: Vec<Item>,
}

/// A module within a file, or one that has its own file.
#[derive(Clone, Debug)]
pub struct Declared {
    /// Its name.
    pub name: String,
    /// The file that `#[path]` names.
    pub path: Option<String>,
    /// Its contents, if they stand in this file.
    pub inline: Option<Contents>,
}

/// What a module contains.
#[derive(Clone, Debug, Default)]
pub struct Contents {
    /// Its items.
    pub items: Vec<Item>,
    /// The modules that it declares.
    pub modules: Vec<Declared>,
    /// What it imports: a name, and the path that it stands for; the name `*` for all of a module.
    pub uses: Vec<(String, Vec<String>)>,
}

/// The contents of a file.
///
/// # Errors
/// What is not Rust.
pub fn contents(text: &str) -> Result<Contents, String> {
    let stream: TokenStream = text.parse().map_err(|error| format!("not Rust: {error}"))?;
    let mut tokens = Vec::new();
    flatten(stream, &mut tokens);
    let mut reader = Reader { tokens: &tokens, at: 0, end: tokens.len() };
    Ok(reader.contents())
}

/// Attributes that do not change what is computed.
const REMARKS: [&str; 7] = ["doc", "allow", "expect", "warn", "deny", "must_use", "non_exhaustive"];

/// Words after which a parenthesis opens no list of arguments.
const KEYWORDS: [&str; 15] = [
    "as", "break", "const", "dyn", "else", "for", "if", "impl", "in", "let", "match", "move", "mut",
    "return", "while",
];

/// Attributes of what no library contains: tests and command lines.
const LEFT_OUT: [&[&str]; 3] = [
    &["[", "cfg", "(", "test", ")", "]"],
    &["[", "test", "]"],
    &["[", "cfg", "(", "feature", "=", "\"cli\"", ")", "]"],
];

/// Appends tokens: no comments, documentation, lints, visibility or lifetime bounds (`+ 'a`), and no comma before a
/// closing bracket, which only the formatter puts there.
fn flatten(stream: TokenStream, tokens: &mut Vec<String>) {
    let trees: Vec<TokenTree> = stream.into_iter().collect();
    let mut at = 0;
    while at < trees.len() {
        at += match &trees[at..] {
            [TokenTree::Punct(mark), TokenTree::Group(group), ..]
                if mark.as_char() == '#' && is_remark(group.stream()) =>
            {
                2
            }
            [TokenTree::Punct(mark), TokenTree::Punct(not), TokenTree::Group(group), ..]
                if mark.as_char() == '#' && not.as_char() == '!' && is_remark(group.stream()) =>
            {
                3
            }
            [TokenTree::Ident(word), TokenTree::Group(group), ..] if word == "pub" && is_scope(group) => 2,
            [TokenTree::Ident(word), ..] if word == "pub" => 1,
            [TokenTree::Punct(plus), TokenTree::Punct(quote), TokenTree::Ident(_), rest @ ..]
                if (plus.as_char(), quote.as_char()) == ('+', '\'') && !is_mark(rest.first(), ':') =>
            {
                3
            }
            [TokenTree::Punct(quote), TokenTree::Ident(name), ..] if quote.as_char() == '\'' => {
                tokens.push(format!("'{name}"));
                2
            }
            [TokenTree::Punct(a), TokenTree::Punct(b), ..] if (a.as_char(), b.as_char()) == (':', ':') => {
                tokens.push("::".to_owned());
                2
            }
            [TokenTree::Group(group), ..] => {
                flatten_group(group, tokens);
                1
            }
            [tree, ..] => {
                tokens.push(tree.to_string());
                1
            }
            [] => 1,
        };
    }
}

fn flatten_group(group: &proc_macro2::Group, tokens: &mut Vec<String>) {
    let (open, close) = match group.delimiter() {
        Delimiter::Parenthesis => ("(", ")"),
        Delimiter::Brace => ("{", "}"),
        Delimiter::Bracket => ("[", "]"),
        Delimiter::None => ("", ""),
    };
    // `f(a,)` is `f(a)`, but `(a,)` is a tuple and `(a)` is not.
    let is_list = tokens.last().is_some_and(|last| is_name(last) && !KEYWORDS.contains(&&last[..]));
    tokens.push(open.to_owned());
    let commas = group.stream().into_iter().filter(|tree| is_mark(Some(tree), ',')).count();
    flatten(group.stream(), tokens);
    if tokens.last().is_some_and(|last| last == ",") && (open != "(" || is_list || commas > 1) {
        tokens.pop();
    }
    tokens.push(close.to_owned());
}

fn is_mark(tree: Option<&TokenTree>, mark: char) -> bool {
    matches!(tree, Some(TokenTree::Punct(punct)) if punct.as_char() == mark)
}

fn is_remark(attribute: TokenStream) -> bool {
    matches!(attribute.into_iter().next(), Some(TokenTree::Ident(name)) if REMARKS.iter().any(|word| name == word))
}

/// Whether a group is the `(crate)` of `pub(crate)`, not a tuple.
fn is_scope(group: &proc_macro2::Group) -> bool {
    let mut trees = group.stream().into_iter();
    let first = trees.next().map(|tree| tree.to_string()).unwrap_or_default();
    let is_alone = trees.next().is_none();
    let is_paren = group.delimiter() == Delimiter::Parenthesis;
    is_paren && (first == "in" || is_alone && matches!(&first[..], "crate" | "super" | "self"))
}

/// A place in the tokens of a module, a trait or an `impl` block.
struct Reader<'t> {
    tokens: &'t [String],
    at: usize,
    end: usize,
}

impl Reader<'_> {
    fn text(&self, at: usize) -> &str {
        if at < self.end { &self.tokens[at] } else { "" }
    }

    /// The place after a bracket that opens at `at`, or after the token there.
    fn after(&self, at: usize) -> usize {
        let mut depth = 0_usize;
        for place in at..self.end {
            match self.text(place) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                _ => (),
            }
            if depth == 0 {
                return place + 1;
            }
        }
        self.end
    }

    /// The first place from `at` on, outside of brackets, with one of these tokens.
    fn find(&self, mut at: usize, wanted: &[&str]) -> usize {
        while at < self.end && !wanted.contains(&self.text(at)) {
            at = self.after(at);
        }
        at
    }

    fn contents(&mut self) -> Contents {
        let mut contents = Contents::default();
        while self.at < self.end {
            self.next(&mut contents);
        }
        contents
    }

    /// Reads an item with its attributes.
    fn next(&mut self, into: &mut Contents) {
        let start = self.at;
        let (mut is_left_out, mut path) = (false, None);
        while self.text(self.at) == "#" {
            let open = self.at + 1 + usize::from(self.text(self.at + 1) == "!");
            let attribute = &self.tokens[open..self.after(open)];
            let is = |words: &[&str]| attribute.iter().map(String::as_str).eq(words.iter().copied());
            is_left_out |= LEFT_OUT.iter().any(|words| is(words));
            if let [_, name, _, file, _] = attribute
                && name == "path"
            {
                path = Some(file.trim_matches('"').to_owned());
            }
            self.at = self.after(open);
            if open == self.at {
                break;
            }
        }
        let keyword = self.keyword();
        let word = self.text(keyword).to_owned();
        let name = self.text(keyword + 1).to_owned();
        let mut kept = Contents::default();
        match &word[..] {
            "" | ";" => self.at = keyword + 1,
            "use" => {
                self.tree(keyword + 1, Vec::new(), &mut kept.uses);
                self.at = self.find(keyword, &[";"]) + 1;
            }
            "mod" if self.text(keyword + 2) == ";" => {
                kept.modules.push(Declared { name, path, inline: None });
                self.at = keyword + 3;
            }
            "mod" => {
                let end = self.after(keyword + 2);
                let mut inner = Reader { tokens: self.tokens, at: keyword + 3, end: end - 1 };
                kept.modules.push(Declared { name, path, inline: Some(inner.contents()) });
                self.at = end;
            }
            "trait" | "impl" => kept.items.push(self.block(start, keyword)),
            _ => kept.items.push(self.whole(start, keyword)),
        }
        if !is_left_out {
            into.items.append(&mut kept.items);
            into.modules.append(&mut kept.modules);
            into.uses.append(&mut kept.uses);
        }
    }

    /// The place of the word that says what the item is.
    fn keyword(&self) -> usize {
        let mut at = self.at;
        loop {
            let next = self.text(at + 1);
            match self.text(at) {
                "unsafe" | "async" | "default" if next != "!" => at += 1,
                "const" if matches!(next, "fn" | "unsafe" | "async" | "extern") => at += 1,
                "extern" if next == "fn" => at += 1,
                "extern" if next.starts_with('"') && self.text(at + 2) != "{" => at += 2,
                _ => return at,
            }
        }
    }

    /// An item that is reached as a whole.
    fn whole(&mut self, start: usize, keyword: usize) -> Item {
        let (mut kind, mut name) = (Kind::Named, self.text(keyword + 1).to_owned());
        let end = match self.text(keyword) {
            "fn" => self.after(self.find(keyword, &["{", ";"])),
            "struct" | "enum" | "union" => {
                kind = Kind::Type;
                self.after(self.find(keyword, &["{", ";"]))
            }
            "const" | "static" => {
                name = self.text(keyword + 1 + usize::from(name == "mut")).to_owned();
                self.find(keyword, &[";"]) + 1
            }
            "type" => {
                kind = Kind::Alias;
                self.find(keyword, &[";"]) + 1
            }
            "macro_rules" => {
                (kind, name) = (Kind::Macro, self.text(keyword + 2).to_owned());
                self.after(keyword + 3)
            }
            _ => {
                (kind, name) = (Kind::Call, String::new());
                self.after(self.find(keyword, &["(", "[", "{", ";"]))
            }
        };
        self.at = end.min(self.end);
        let tokens = self.tokens[start..self.at].to_vec();
        Item { kind, name, head: tokens.len(), tokens, functions: Vec::new() }
    }

    /// A trait or an `impl` block.
    fn block(&mut self, start: usize, keyword: usize) -> Item {
        let open = self.find(keyword, &["{", ";"]);
        let end = self.after(open);
        let is_trait = self.text(keyword) == "trait";
        let name = if is_trait { self.text(keyword + 1).to_owned() } else { String::new() };
        let mut tokens = self.tokens[start..open].to_vec();
        let head = tokens.len();
        let mut inner = Reader { tokens: self.tokens, at: (open + 1).min(self.end), end: end - 1 };
        let mut functions = Vec::new();
        for item in inner.contents().items {
            let is_function = item.kind == Kind::Named && item.tokens.iter().any(|token| token == "fn");
            match is_function && !is_constant(&item.tokens) {
                true => functions.push(item),
                false => tokens.extend(item.tokens),
            }
        }
        self.at = end;
        let kind = if is_trait { Kind::Trait } else { Kind::Impl };
        Item { kind, name, tokens, head, functions }
    }

    /// Reads a tree of imports, and returns the place after it.
    fn tree(&self, mut at: usize, mut path: Vec<String>, into: &mut Vec<(String, Vec<String>)>) -> usize {
        loop {
            match self.text(at) {
                "::" => (),
                "{" => {
                    let end = self.after(at);
                    at += 1;
                    while at < end - 1 {
                        at = self.tree(at, path.clone(), into);
                        at += usize::from(self.text(at) == ",");
                    }
                    return end;
                }
                "*" => {
                    into.push(("*".to_owned(), path));
                    return at + 1;
                }
                "self" if !path.is_empty() => (),
                part => path.push(part.to_owned()),
            }
            at += 1;
            if self.text(at) == "as" {
                into.push((self.text(at + 1).to_owned(), path));
                return at + 2;
            }
            if self.text(at) != "::" && self.text(at - 1) != "::" {
                into.push((path.last().cloned().unwrap_or_default(), path));
                return at;
            }
        }
    }
}

/// Whether tokens begin, after attributes, with a constant rather than a function.
fn is_constant(tokens: &[String]) -> bool {
    let reader = Reader { tokens, at: 0, end: tokens.len() };
    let mut at = 0;
    while reader.text(at) == "#" {
        at = reader.after(at + 1);
    }
    let keyword = Reader { at, ..reader }.keyword();
    matches!(&tokens[keyword][..], "const" | "static")
}

/// The paths in tokens: each with whether it stands in an import or has several parts.
pub fn paths(tokens: &[String], mut found: impl FnMut(Vec<String>, bool)) {
    let reader = Reader { tokens, at: 0, end: tokens.len() };
    let mut at = 0;
    while at < tokens.len() {
        let before = if at == 0 { "" } else { reader.text(at - 1) };
        match reader.text(at) {
            "use" if reader.text(at + 1) != "<" => {
                let mut uses = Vec::new();
                at = reader.tree(at + 1, Vec::new(), &mut uses);
                uses.into_iter().for_each(|(_, path)| found(path, true));
            }
            text if text.starts_with('"') || text.starts_with("r\"") || text.starts_with("r#\"") => {
                in_string(text, attribute_of(tokens, at), &mut found);
                at += 1;
            }
            text if is_name(text) && before != "." => {
                let mut path = vec![text.to_owned()];
                at += 1;
                while reader.text(at) == "::" && is_name(reader.text(at + 1)) {
                    path.push(reader.text(at + 1).to_owned());
                    at += 2;
                }
                let is_long = path.len() > 1;
                found(path, is_long);
            }
            _ => at += 1,
        }
    }
}

/// The word before the `=` before a literal: `with` in `#[serde(with = "…")]`.
fn attribute_of(tokens: &[String], at: usize) -> &str {
    if at >= 2 && tokens[at - 1] == "=" { &tokens[at - 2] } else { "" }
}

/// The paths in a string: names in the braces of a format, and functions in attributes of serde.
fn in_string(text: &str, attribute: &str, found: &mut impl FnMut(Vec<String>, bool)) {
    const PATHS: [&str; 8] = [
        "with",
        "default",
        "serialize_with",
        "deserialize_with",
        "skip_serializing_if",
        "try_from",
        "from",
        "into",
    ];
    if PATHS.contains(&attribute) {
        let path: Vec<String> = text.trim_matches('"').split("::").map(str::to_owned).collect();
        found(path, true);
    }
    for part in text.split('{').skip(1) {
        let name: String = part.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        if is_name(&name) {
            found(vec![name], false);
        }
    }
    // Widths and precisions: `{:>WIDTH$}`.
    for part in text.split('$').filter(|part| part.contains('{')) {
        let name: String = part.chars().rev().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        let name: String = name.chars().rev().collect();
        if is_name(&name) {
            found(vec![name], false);
        }
    }
}

/// Whether a token is a word.
pub fn is_name(token: &str) -> bool {
    token.starts_with(|first: char| first.is_alphabetic() || first == '_') && !token.contains(['"', '\''])
}

/// The place of the first of `ends` from `from` on, outside of brackets, `<` and `>` included.
pub fn until(tokens: &[String], from: usize, ends: &[&str]) -> usize {
    let reader = Reader { tokens, at: from, end: tokens.len() };
    let (mut at, mut depth) = (from, 0_i32);
    while at < tokens.len() {
        let text = reader.text(at);
        if depth <= 0 && ends.contains(&text) {
            break;
        }
        depth += i32::from(text == "<");
        // The `>` of `->` closes nothing.
        depth -= i32::from(text == ">" && reader.text(at.wrapping_sub(1)) != "-");
        at = reader.after(at);
    }
    at.min(tokens.len())
}
