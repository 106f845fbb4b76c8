//! Rust sources as a flat list of tokens, without comments, including the bodies of macros.

use super::sources::File;
use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// A word, a literal or a mark such as `{` or `::`.
pub struct Token {
    /// Its text; for a string, including the quotes.
    pub text: String,
    /// The number of its line, from 1.
    pub line: usize,
}

/// All tokens of a file.
///
/// # Panics
/// When its text is not Rust.
pub fn tokens(file: &File) -> Vec<Token> {
    let stream: TokenStream = file.text.parse().unwrap_or_else(|error| panic!("{}: {error}", file.path));
    let mut tokens = Vec::new();
    flatten(stream, &mut tokens);
    tokens
}

/// The tokens of a file that are compiled into its crate: no item under `#[cfg(test)]`.
pub fn tokens_without_tests(file: &File) -> Vec<Token> {
    const TEST: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
    let mut kept = Vec::new();
    let mut tokens = tokens(file).into_iter();
    while let Some(token) = tokens.next() {
        kept.push(token);
        if ends_with(&kept, &TEST) {
            kept.truncate(kept.len() - TEST.len());
            let mut depth = 0;
            // The item under the attribute ends with its block or a semicolon.
            tokens.by_ref().find(|token| {
                depth += i32::from(matches!(&token.text[..], "(" | "[" | "{"));
                depth -= i32::from(matches!(&token.text[..], ")" | "]" | "}"));
                depth == 0 && matches!(&token.text[..], "}" | ";")
            });
        }
    }
    kept
}

fn flatten(stream: TokenStream, tokens: &mut Vec<Token>) {
    for tree in stream {
        let line = tree.span().start().line;
        match tree {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::None => ("", ""),
                };
                tokens.push(Token { text: open.into(), line });
                flatten(group.stream(), tokens);
                tokens.push(Token { text: close.into(), line: group.span_close().start().line });
            }
            // The two halves of `::` are separate tokens.
            TokenTree::Punct(mark) if mark.as_char() == ':' && ends_with(tokens, &[":"]) => {
                tokens.last_mut().expect("a colon").text.push(':');
            }
            tree => tokens.push(Token { text: tree.to_string(), line }),
        }
    }
}

fn ends_with(tokens: &[Token], end: &[&str]) -> bool {
    let last = tokens.iter().rev().map(|token| &token.text[..]);
    tokens.len() >= end.len() && last.take(end.len()).eq(end.iter().rev().copied())
}

/// A path in the code, such as `crate::pdb::rank`, made absolute within its crate.
pub struct Name {
    /// Its parts after `crate`.
    pub parts: Vec<String>,
    /// The line on which it begins.
    pub line: usize,
    /// Whether it is in a `pub use`, so that its module re-exports it.
    pub reexported: bool,
}

/// Every path that begins with `crate`, `self`, `super` or one of `children`, in a file that is the
/// module `module` of its crate; of an import, each leaf of its tree.
pub fn names(tokens: &[Token], module: &[String], children: &[String]) -> Vec<Name> {
    let text = |at: usize| tokens.get(at).map_or("", |token| &token.text[..]);
    let mut found = Vec::new();
    // The modules around the current place, each with the number of braces open at its beginning.
    let mut around: Vec<(usize, &str)> = Vec::new();
    let mut open = 0;
    let mut at = 0;
    while at < tokens.len() {
        let begins = text(at + 1) == "::" && (at == 0 || !matches!(text(at - 1), "::" | "."));
        let own = matches!(text(at), "crate" | "self" | "super") || children.iter().any(|c| c == text(at));
        if begins && own {
            let import = at > 0 && text(at - 1) == "use";
            let reexported = import && at > 1 && matches!(text(at - 2), "pub" | ")");
            let base = module.iter().cloned().chain(around.iter().map(|(_, name)| (*name).to_owned()));
            let line = tokens[at].line;
            let mut leaf = |parts| found.push(Name { parts, line, reexported });
            at = tree(tokens, at, base.collect(), &mut leaf);
            continue;
        }
        match text(at) {
            "mod" if text(at + 2) == "{" => around.push((open, text(at + 1))),
            "{" => open += 1,
            "}" => {
                open -= 1;
                around.pop_if(|(before, _)| *before == open);
            }
            _ => (),
        }
        at += 1;
    }
    found
}

/// Reads one path, or the rest of an import's tree, and returns the place after it.
fn tree(
    tokens: &[Token],
    mut at: usize,
    mut parts: Vec<String>,
    leaf: &mut impl FnMut(Vec<String>),
) -> usize {
    let text = |at: usize| tokens.get(at).map_or("", |token| &token.text[..]);
    loop {
        match text(at) {
            "crate" => parts.clear(),
            "super" => drop(parts.pop()),
            "self" => (),
            "{" => {
                at += 1;
                while !matches!(text(at), "}" | "") {
                    at = tree(tokens, at, parts.clone(), leaf);
                    // The comma, or `as` and another name.
                    while !matches!(text(at), "," | "}" | "") {
                        at += 1;
                    }
                    at += usize::from(text(at) == ",");
                }
                return at + 1;
            }
            // What follows `::` in `f::<T>()`.
            "<" => {
                leaf(parts);
                return at;
            }
            part => parts.push(part.to_owned()),
        }
        if text(at + 1) != "::" {
            leaf(parts);
            return at + 1;
        }
        at += 2;
    }
}

#[test]
fn names_are_made_absolute() {
    let text = r##"
        use crate::{a::{self, B as C}, d};
        mod inner { use super::super::e::*; fn f() { $crate::g::<u8>(r#"crate::no"#) } }
        pub use kept::Thing; // crate::no
        #[cfg(test)] mod tests { use crate::no; }
        fn h(x: [u8; 2]) -> self::own::Type { other::f() }
    "##;
    let file = File { path: String::new(), text: text.replace("$crate", "crate") };
    let module = ["room".to_owned(), "part".to_owned()];
    let found = names(&tokens_without_tests(&file), &module, &["kept".to_owned()]);
    let shown: Vec<String> = found.iter().map(|name| name.parts.join("::")).collect();
    let expected = ["a", "a::B", "d", "room::e::*", "g", "room::part::kept::Thing", "room::part::own::Type"];
    assert_eq!(shown, expected);
    assert_eq!(found.iter().filter(|name| name.reexported).count(), 1);
}
