//! The release archive, as a user gets it: packed from the programs under test, unpacked in an empty folder, and run
//! there without access to the repository or to this machine's cache.

use super::program::{self, home};
use crate::house_rules::sources::root;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Runs a command to its end in a folder, with an almost empty environment.
fn run(folder: &Path, program: impl AsRef<std::ffi::OsStr>, arguments: &[&str]) -> Output {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder).env_clear();
    command.env("PATH", "/usr/bin:/bin").env("HOME", folder);
    let output = command.output().expect("the program runs");
    let shown = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {}\n{shown}", output.status);
    output
}

/// The line that a script of `.ci` prints.
fn script(name: &str, arguments: &[&Path], target: &str) -> PathBuf {
    let mut script = Command::new(root().join(".ci").join(name));
    script.args(arguments).env("TARGET", target);
    let output = script.output().expect("the script runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    PathBuf::from(String::from_utf8(output.stdout).expect("UTF-8").trim_end())
}

/// Packs the programs into `folder` and unpacks the archive in an empty folder within it.
fn unpacked(folder: &Path) -> PathBuf {
    let archive = script("package", &[folder, &program::folder()], "x86_64-test");
    let empty = folder.join("empty");
    fs::create_dir(&empty).expect("a folder");
    run(&empty, "tar", &["-xzf", archive.to_str().expect("UTF-8")]);
    let name = archive.file_name().and_then(|name| name.to_str()).expect("a name");
    assert_eq!(name, concat!("optimal-puzzles-", env!("CARGO_PKG_VERSION"), "-x86_64-test.tar.gz"));
    let sum = fs::read_to_string(folder.join(format!("{name}.sha256"))).expect("the checksum");
    let (digits, named) = sum.split_once("  ").expect("a checksum and a name");
    assert!(digits.len() == 64 && named.trim_end() == name, "{sum}");
    empty.join(name.strip_suffix(".tar.gz").expect("an archive"))
}

#[test]
#[ignore = ".ci/run runs it with the released programs"]
fn a_packaged_program_solves_without_other_files() {
    let folder = home();
    let package = unpacked(folder.path());
    for (page, title) in [
        ("cube-opt", "cube"),
        ("tile24-solve", "tiles"),
        ("hanoi4-bfs", "hanoi4"),
        ("puzzle-opt-count", "positions"),
    ] {
        let text = fs::read_to_string(package.join(format!("man/{page}.1"))).expect("a manual page");
        assert!(text.contains(".TH") && text.to_lowercase().contains(title), "{text}");
    }
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        for program in ["cube-opt", "tile24", "hanoi4", "puzzle-opt"] {
            let script = fs::read_to_string(package.join(format!("completions/{program}.{shell}")));
            assert!(script.expect("a script").contains(program));
        }
    }
    for text in ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"] {
        assert_eq!(fs::read(package.join(text)).ok(), fs::read(root().join(text)).ok(), "{text}");
    }

    // A small budget: the best heuristic that it allows needs a small table or none.
    let solve =
        ["solve", "R U R' U' F2", "--memory", "50MiB", "--tables", "tables", "--certificate", "answer.jsonl"];
    let answer = run(&package, package.join("cube-opt"), &solve);
    assert_eq!(answer.stdout, b"5 F2 U R U' R'\n");
    run(&package, package.join("referee"), &["check", "answer.jsonl"]);
    let answer = run(&package, package.join("tile24"), &["solve", "4 1 2 0 5 3 6 7 8", "--tables", "tables"]);
    assert!(answer.stdout.starts_with(b"13 "), "{}", String::from_utf8_lossy(&answer.stdout));
    let answer = run(&package, package.join("hanoi4"), &["solve", "--discs", "5", "--tables", "tables"]);
    assert!(answer.stdout.starts_with(b"13 "), "{}", String::from_utf8_lossy(&answer.stdout));
    let answer =
        run(&package, package.join("puzzle-opt"), &["solve", "2x2x2", "R U R' F2", "--tables", "tables"]);
    assert!(answer.stdout.starts_with(b"4 "), "{}", String::from_utf8_lossy(&answer.stdout));
}

/// The packages that are meant for others.
const PACKAGES: [&str; 7] =
    ["search-core", "puzzle-cli", "referee", "cube-opt", "slidetile", "hanoi4", "puzzle-opt"];

#[test]
#[ignore = ".ci/run runs it with the released programs"]
fn every_published_package_can_be_packed() {
    let folder = home();
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["package", "--no-verify", "--allow-dirty", "--offline", "--locked"]);
    cargo.args(PACKAGES.iter().flat_map(|package| ["-p", package]));
    cargo.arg("--target-dir").arg(folder.path()).current_dir(root());
    let output = cargo.output().expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for package in PACKAGES {
        let file = format!("package/{package}-{}.crate", env!("CARGO_PKG_VERSION"));
        let packed = run(folder.path(), "tar", &["-tzf", &file]);
        let listed = String::from_utf8(packed.stdout).expect("UTF-8");
        for part in ["src/lib.rs", "README.md", "LICENSE-MIT", "LICENSE-APACHE"] {
            assert!(listed.lines().any(|line| line.ends_with(part)), "{file}: {part}\n{listed}");
        }
    }
}

/// The package has the programs where Debian has them; they run from there. (It is unpacked, not installed: that needs an
/// administrator.)
#[cfg(target_os = "linux")]
#[test]
#[ignore = ".ci/run runs it with the released programs"]
fn a_debian_package_has_programs_that_solve() {
    if Command::new("dpkg-deb").arg("--version").output().is_err() {
        eprintln!("there is no dpkg-deb: no package is made");
        return;
    }
    let folder = home();
    let archive = script("package", &[folder.path(), &program::folder()], "x86_64-test");
    let package = script("debian", &[&archive], "");
    let package = package.to_str().expect("UTF-8");
    let expected = concat!("optimal-puzzles_", env!("CARGO_PKG_VERSION"), "_amd64.deb");
    assert!(package.ends_with(expected), "{package}");
    let control = run(folder.path(), "dpkg-deb", &["--field", package, "Package", "Version", "Depends"]);
    let control = String::from_utf8(control.stdout).expect("UTF-8");
    let version =
        concat!("Package: optimal-puzzles\nVersion: ", env!("CARGO_PKG_VERSION"), "\nDepends: libc6 (>= 2.");
    assert!(control.starts_with(version), "{control}");
    run(folder.path(), "dpkg-deb", &["--extract", package, "root"]);
    let installed = |path: &str| folder.path().join("root/usr").join(path);
    for path in [
        "bin/referee",
        "share/man/man1/cube-opt-solve.1.gz",
        "share/bash-completion/completions/tile24",
        "share/zsh/vendor-completions/_hanoi4",
        "share/fish/vendor_completions.d/puzzle-opt.fish",
        "share/doc/optimal-puzzles/LICENSE-MIT",
    ] {
        assert!(installed(path).is_file(), "{path}");
    }
    let solve = ["solve", "R U F2", "--heuristic", "manhattan-max"];
    assert!(run(folder.path(), installed("bin/cube-opt"), &solve).stdout.starts_with(b"3 "));
}

/// The formula names the archives of a release with their checksums; Ruby reads it, where there is one.
#[test]
fn the_formula_names_the_archives() {
    let folder = home();
    let targets = [
        "aarch64-apple-darwin",
        "x86_64-apple-darwin",
        "aarch64-unknown-linux-gnu",
        "x86_64-unknown-linux-gnu",
    ];
    let archive = |target: &str| format!("optimal-puzzles-{}-{target}.tar.gz", env!("CARGO_PKG_VERSION"));
    for (digit, target) in ('a'..).zip(targets) {
        let (name, sum) = (archive(target), digit.to_string().repeat(64));
        fs::write(folder.path().join(format!("{name}.sha256")), format!("{sum}  {name}\n")).expect("a file");
    }
    let file = script("formula", &[folder.path()], "");
    let formula = fs::read_to_string(&file).expect("the formula");
    for (digit, target) in ('a'..).zip(targets) {
        let (name, sum) = (archive(target), digit.to_string().repeat(64));
        let named = format!("/v{}/{name}\"\n      sha256 \"{sum}\"\n", env!("CARGO_PKG_VERSION"));
        assert!(formula.contains(&named), "{named}\n{formula}");
    }
    if let Ok(output) = Command::new("ruby").arg("-c").arg(&file).output() {
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

/// `cargo binstall` finds each program in the archive that `.ci/package` writes, on every system of the workflow.
#[test]
fn binstall_finds_the_archives() {
    let workflow = fs::read_to_string(root().join(".github/workflows/release.yml")).expect("the workflow");
    let targets: Vec<&str> =
        workflow.lines().filter_map(|line| line.split("target: ").nth(1)?.split(' ').next()).collect();
    assert_eq!(targets.len(), 5, "{targets:?}");
    for (folder, program) in [
        ("cube", "cube-opt"),
        ("slidetile", "tile24"),
        ("hanoi4", "hanoi4"),
        ("puzzle", "puzzle-opt"),
        ("referee", "referee"),
    ] {
        let manifest = root().join("crates").join(folder).join("Cargo.toml");
        let manifest: toml::Table = fs::read_to_string(manifest).expect("a manifest").parse().expect("TOML");
        let metadata = &manifest["package"]["metadata"]["binstall"];
        for target in &targets {
            let (version, is_windows) = (env!("CARGO_PKG_VERSION"), target.contains("windows"));
            let suffix = if is_windows { ".exe" } else { "" };
            let filled = |key: &str| {
                let own = metadata.get("overrides").and_then(|all| all.get(target)?.get(key));
                let text = own.or(metadata.get(key)).and_then(toml::Value::as_str).expect("a text");
                let names =
                    [("version", version), ("target", target), ("bin", program), ("binary-ext", suffix)];
                let names = names.into_iter().chain([("repo", env!("CARGO_PKG_REPOSITORY"))]);
                names.fold(text.to_owned(), |text, (name, value)| {
                    text.replace(&format!("{{ {name} }}"), value)
                })
            };
            let (name, form) =
                (format!("optimal-puzzles-{version}-{target}"), if is_windows { "zip" } else { "tgz" });
            let archive = format!("{name}.{}", if is_windows { "zip" } else { "tar.gz" });
            let url = format!("{}/releases/download/v{version}/{archive}", env!("CARGO_PKG_REPOSITORY"));
            assert_eq!((filled("pkg-url"), filled("pkg-fmt")), (url, form.to_owned()), "{folder}");
            assert_eq!(filled("bin-dir"), format!("{name}/{program}{suffix}"), "{folder}");
        }
    }
}
