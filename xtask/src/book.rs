//! `cargo xtask book`: builds the book in `docs` by mdBook, and checks every link of the pages that come out.
//!
//! The pages are read on their own, too, so some of them link to files of the repository outside of `docs`.
//! mdBook gets a copy in which these links lead to the repository on the web. All other links must lead to
//! pages, headings and files of the book, so that it can be read from a folder without a server.

use clap::Args;
use puzzle_cli::{CommonArgs, Exit, Failure, Session};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

/// Where links to other files of the repository lead.
const REPOSITORY: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/");

/// Build the book and check its links
///
/// Needs mdBook: `cargo install mdbook --locked`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  cargo xtask book                   then open target/book/index.html

Exit code 1 if mdBook fails or a link is broken.")]
pub struct BookArgs {
    /// Folder to write to; it is emptied first [default: target/book]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// The program mdbook
    #[arg(long, value_name = "FILE", default_value = "mdbook")]
    mdbook: PathBuf,
    #[command(flatten)]
    common: CommonArgs,
}

/// Runs the task.
///
/// # Errors
/// The failure that ends it.
pub fn run(args: &BookArgs) -> Result<Exit, Failure> {
    let session = Session::build(&args.common)?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let out = args.out.clone().unwrap_or_else(|| root.join("target/book"));
    fs::create_dir_all(&out).and_then(|()| fs::remove_dir_all(&out)).map_err(|error| fault(&out, &error))?;
    let copy = tempfile::tempdir().map_err(|error| fault(&out, &error))?;
    copy_pages(&root.join("docs"), copy.path(), 0).map_err(|error| fault(copy.path(), &error))?;
    let out = std::path::absolute(&out).map_err(|error| fault(&out, &error))?;
    let mut mdbook = Command::new(&args.mdbook);
    mdbook.arg("build").arg(copy.path()).arg("--dest-dir").arg(&out);
    let output = mdbook.output().map_err(|error| {
        fault(&args.mdbook, &error).with_remedy("install mdBook: cargo install mdbook --locked")
    })?;
    if !output.status.success() {
        return Err(Failure::error(format_args!("mdBook: {}", String::from_utf8_lossy(&output.stderr))));
    }
    let pages = pages(&out).map_err(|error| fault(&out, &error))?;
    let broken = broken_links(&pages);
    if !broken.is_empty() {
        return Err(Failure::error("broken links").with_faults(broken));
    }
    let index = out.join("index.html");
    session.output().line(&format!("{} pages: {}", pages.len(), index.display()))?;
    Ok(Exit::Done)
}

fn fault(path: &Path, error: &io::Error) -> Failure {
    Failure::error(format_args!("{}: {error}", path.display()))
}

/// Copies a folder `depth` levels below `docs`.
fn copy_pages(from: &Path, to: &Path, depth: usize) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let (source, target) = {
            let entry = entry?;
            (entry.path(), to.join(entry.file_name()))
        };
        if source.is_dir() {
            copy_pages(&source, &target, depth + 1)?;
        } else if source.extension().is_some_and(|end| end == "md") {
            fs::write(target, with_links_to_repository(&fs::read_to_string(source)?, depth))?;
        } else {
            fs::copy(source, target)?;
        }
    }
    Ok(())
}

/// The text of a page `depth` levels below `docs`, where links that leave `docs` lead to the repository.
fn with_links_to_repository(text: &str, depth: usize) -> String {
    let leaving = format!("]({}", "../".repeat(depth + 1));
    text.replace(&leaving, &format!("]({REPOSITORY}"))
}

/// A page: the headings and other places in it that links can name, and the links.
#[derive(Debug, Default)]
struct Page {
    names: BTreeSet<String>,
    links: Vec<String>,
}

/// All files below a folder; those that are not HTML have neither names nor links. The page for unknown addresses is
/// left out.
fn pages(folder: &Path) -> io::Result<BTreeMap<PathBuf, Page>> {
    let (mut pages, mut folders) = (BTreeMap::new(), vec![folder.to_path_buf()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "html") && !path.ends_with("404.html") {
                let text = fs::read_to_string(&path)?;
                let links = [values(&text, " href=\""), values(&text, " src=\"")].concat();
                pages.insert(path, Page { names: values(&text, " id=\"").into_iter().collect(), links });
            } else {
                pages.insert(path, Page::default());
            }
        }
    }
    Ok(pages)
}

/// The values of an attribute.
fn values(text: &str, attribute: &str) -> Vec<String> {
    let rest = text.split(attribute).skip(1).filter_map(|rest| rest.split_once('"'));
    rest.map(|(value, _)| value.replace("&amp;", "&")).collect()
}

/// The links that lead to no page, file or heading.
fn broken_links(pages: &BTreeMap<PathBuf, Page>) -> Vec<String> {
    let mut broken = Vec::new();
    for (path, page) in pages {
        for link in page.links.iter().filter(|link| !link.contains(':')) {
            let (file, name) = link.split_once('#').unwrap_or((link, ""));
            let file = file.split('?').next().unwrap_or(file);
            let target = if file.is_empty() { path.clone() } else { beside(path, file) };
            // A link to a folder means its index.
            let target = if target.is_dir() { target.join("index.html") } else { target };
            let leads = pages.get(&target).is_some_and(|page| name.is_empty() || page.names.contains(name));
            if !leads {
                broken.push(format!("{}: {link}", path.display()));
            }
        }
    }
    broken
}

/// The path that a link in the page `path` names.
fn beside(path: &Path, link: &str) -> PathBuf {
    let mut target = path.to_path_buf();
    target.pop();
    for part in Path::new(link).components() {
        match part {
            Component::ParentDir => drop(target.pop()),
            Component::Normal(name) => target.push(name),
            _ => (),
        }
    }
    target
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_links_that_leave_the_book_are_changed() {
        let text = "[a](../README.md) [b](../book/ida.md) [c](cube.md#tests)";
        let shallow = with_links_to_repository(text, 0);
        assert_eq!(
            shallow,
            format!("[a]({REPOSITORY}README.md) [b]({REPOSITORY}book/ida.md) [c](cube.md#tests)")
        );
        assert_eq!(with_links_to_repository(text, 1), text);
        let deep = "[a](../../fixtures/x.csv) [b](../cube.md)";
        assert_eq!(
            with_links_to_repository(deep, 1),
            format!("[a]({REPOSITORY}fixtures/x.csv) [b](../cube.md)")
        );
    }

    #[test]
    fn broken_links_are_found() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("a file");
        write(
            "a.html",
            "<h1 id=\"top\">x</h1><a href=\"b.html\"></a><a href=\"#top\"></a><a href=\"b.html#no\"></a>",
        );
        write(
            "b.html",
            "<img src=\"c.svg\"><a href=\"https://example.org\"></a><a href=\"./a.html?x#top\"></a>",
        );
        let broken = broken_links(&pages(folder.path()).expect("pages"));
        let ends: Vec<&str> = broken.iter().filter_map(|link| link.rsplit('/').next()).collect();
        assert_eq!(ends, ["a.html: b.html#no", "b.html: c.svg"]);
    }
}
