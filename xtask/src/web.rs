//! `cargo xtask web`: builds the static page in `web`, tests it in a browser, and serves it.
//!
//! Four steps: the solvers to WebAssembly, npm's packages at the versions of `web/package-lock.json`, the package in
//! `npm`, and the page by Vite, which uses it. Only those packages are installed, into the folder of the page.
//!
//! Threads share memory, for which the standard library must have atomics. A nightly compiler builds it from its source;
//! without one the solvers are compiled for one thread. The page finds out which of the two it has (`npm/src/wasm.ts`).
//! The nightly compiler also compiles them a second time, for a memory with 64-bit addresses.

use clap::Args;
use puzzle_cli::{CommonArgs, Exit, Failure, Session};
use std::ffi::OsStr;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The file that the compiler writes.
const MODULE: &str = "optimal_puzzles_wasm.wasm";
/// The target of the solvers.
const NARROW: Target = Target { name: "wasm32-unknown-unknown", module: MODULE, memory: 4 << 30 };
/// The same with 64-bit addresses, of which browsers grant 16 GiB.
const WIDE: Target =
    Target { name: "wasm64-unknown-unknown", module: "optimal_puzzles_wasm64.wasm", memory: 16 << 30 };
/// The command that installs the toolchain for threads.
const NIGHTLY: &str = "rustup toolchain install nightly --component rust-src";

/// A module of the solvers.
#[derive(Clone, Copy, PartialEq)]
struct Target {
    /// The name that the compiler has for it.
    name: &'static str,
    /// The file in the package.
    module: &'static str,
    /// The maximum size in bytes of a memory that threads share.
    memory: u64,
}

/// Vector instructions.
const VECTORS: &str = "-Ctarget-feature=+simd128";

/// Flags for threads: instructions for shared memory, and the memory layout for the linker. The page provides the
/// memory (`npm/src/wasm.ts`), of the size given here and the maximum size of the target, and gives each thread its
/// stack and thread-local storage by the symbols that are exported.
const FLAGS: [&str; 10] = [
    "-Ctarget-feature=+atomics,+bulk-memory,+mutable-globals",
    "-Clink-arg=--shared-memory",
    "-Clink-arg=--import-memory",
    "-Clink-arg=--initial-memory=16777216",
    "-Clink-arg=-zstack-size=4194304",
    "-Clink-arg=--export=__stack_pointer",
    "-Clink-arg=--export=__wasm_init_tls",
    "-Clink-arg=--export=__tls_size",
    "-Clink-arg=--export=__tls_align",
    "-Clink-arg=--export=__tls_base",
];

/// Build the page that solves in the browser, and the npm package that it uses
///
/// Needs Node.js with npm, and a nightly compiler with the source of the standard library. Without that compiler the
/// page is built for one thread and without the largest tables, which needs the target wasm32-unknown-unknown.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  cargo xtask web                    then put target/web on any host
  cargo xtask web --serve            then open http://localhost:4173
  cargo xtask web --test             also test the page and the package, in Chromium and Node.js

Exit code 1 if a step fails.")]
pub struct WebArgs {
    /// Serve the page afterwards, with the headers that isolate it from other origins
    #[arg(long)]
    serve: bool,
    /// Test the page and the package afterwards; needs Chromium
    #[arg(long)]
    test: bool,
    #[command(flatten)]
    common: CommonArgs,
}

/// Runs the task.
///
/// # Errors
/// A list of missing programs, or the step that failed.
pub fn run(args: &WebArgs) -> Result<Exit, Failure> {
    let session = Session::build(&args.common)?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let nightly = nightly(&root);
    let missing = missing(&root, nightly.is_some());
    if !missing.is_empty() {
        return Err(Failure::error("the page cannot be built").with_faults(missing));
    }
    let (web, package) = (root.join("web"), root.join("npm"));
    if nightly.is_none() {
        session.remark(&format!("the page has one thread and no tables beyond 3.8 GB; for more: {NIGHTLY}"));
    }
    compile(&root, &package, NARROW, nightly.as_deref())?;
    match &nightly {
        Some(nightly) => compile(&root, &package, WIDE, Some(nightly))?,
        None => remove(&package.join("wasm").join(WIDE.module))?,
    }
    if !is_installed(&web) {
        step(npm(&web).args(["ci", "--no-audit", "--no-fund"]), "npm ci")?;
    }
    step(npm(&web).args(["run", "build"]), "npm run build")?;
    let page = root.join("target/web/index.html");
    let page = page.canonicalize().map_err(|error| Failure::error(format!("{}: {error}", page.display())))?;
    session.output().line(&format!("the page: {}", page.display()))?;
    if args.test {
        step(npm(&web).args(["test"]), "npm test")?;
        step(npm(&package).args(["test"]), "npm test of the package")?;
    }
    if args.serve {
        step(npm(&web).args(["run", "serve"]), "npm run serve")?;
    }
    Ok(Exit::Done)
}

/// The programs that this machine lacks, and how to install them.
fn missing(root: &Path, has_nightly: bool) -> Vec<String> {
    let mut missing = Vec::new();
    // `npm` comes with Node.js.
    match npm(root).arg("--version").output() {
        Ok(output) if output.status.success() => {}
        _ => missing.push("Node.js 20.19 or later, with npm: https://nodejs.org".to_owned()),
    }
    let libraries =
        Command::new("rustc").args(["--print", "target-libdir", "--target", NARROW.name]).output();
    let folder = libraries.ok().and_then(|output| String::from_utf8(output.stdout).ok()).unwrap_or_default();
    if !has_nightly && !Path::new(folder.trim()).is_dir() {
        missing.push(format!("the compiler's target: rustup target add {}", NARROW.name));
    }
    missing
}

/// npm in a folder.
fn npm(folder: &Path) -> Command {
    let mut npm = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    npm.current_dir(folder);
    npm
}

/// Compiles the solvers, for threads if there is a nightly compiler, and copies them to the place where the package
/// finds them.
fn compile(root: &Path, package: &Path, target: Target, nightly: Option<&Path>) -> Result<(), Failure> {
    // With an explicit folder the output is found, whatever the user's own target folder is.
    let folder = root.join(if nightly.is_some() { "target/threads" } else { "target" });
    let mut cargo = match nightly {
        Some(rustc) => with_threads(rustc, target),
        None => Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())),
    };
    let what = ["-p", "optimal-puzzles-wasm", "--lib", "--profile", "wasm", "--target", target.name];
    cargo.current_dir(root).arg("build").args(what).arg("--target-dir").arg(&folder);
    step(&mut cargo, "cargo build")?;
    let (from, to) = (folder.join(target.name).join("wasm").join(MODULE), package.join("wasm"));
    let copied = fs::create_dir_all(&to).and_then(|()| fs::copy(&from, to.join(target.module)));
    copied.map(|_| ()).map_err(|error| Failure::error(format!("{}: {error}", from.display())))
}

/// Removes a module that an earlier call compiled.
fn remove(module: &Path) -> Result<(), Failure> {
    match fs::remove_file(module) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(Failure::error(format!("{}: {error}", module.display())))
        }
        _ => Ok(()),
    }
}

/// The cargo of a nightly compiler, which builds the standard library too.
fn with_threads(rustc: &Path, target: Target) -> Command {
    let mut cargo = Command::new(rustc.with_file_name(if cfg!(windows) { "cargo.exe" } else { "cargo" }));
    cargo.arg("-Zbuild-std=std,panic_abort");
    let memory = format!("-Clink-arg=--max-memory={}", target.memory);
    let mut flags = [&FLAGS[..], &[&memory]].concat();
    if target == WIDE {
        // The hash of tables imports its vector instructions from a module of 32-bit targets, so it is compiled without
        // them. Flags in the environment would follow, and replace, those of a package.
        let vectors = format!("profile.wasm.rustflags=['{VECTORS}']");
        cargo.args(["-Zprofile-rustflags", "--config", &vectors]);
        for plain in ["package.xxhash-rust", "build-override"] {
            cargo.arg("--config").arg(format!("profile.wasm.{plain}.rustflags=[]"));
        }
    } else {
        flags.push(VECTORS);
    }
    // The flags replace those in `.cargo/config.toml`, and the toolchain that of `rust-toolchain.toml`.
    cargo.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\x1f")).env("RUSTC", rustc);
    cargo.env_remove("RUSTUP_TOOLCHAIN").env_remove("CARGO").env_remove("RUSTFLAGS");
    cargo
}

/// The nightly compiler, if it is installed with the source of the standard library.
fn nightly(root: &Path) -> Option<PathBuf> {
    let which = ["which", "--toolchain", "nightly", "rustc"];
    let output = Command::new("rustup").args(which).current_dir(root).output().ok()?;
    let rustc = PathBuf::from(String::from_utf8(output.stdout).ok()?.trim());
    let source = rustc.parent()?.parent()?.join("lib/rustlib/src/rust/library/Cargo.lock");
    (output.status.success() && source.is_file()).then_some(rustc)
}

/// Whether npm has installed the versions of the lock file, of which it keeps a copy.
fn is_installed(web: &Path) -> bool {
    let changed = |path: PathBuf| fs::metadata(path).and_then(|file| file.modified()).ok();
    let installed = changed(web.join("node_modules/.package-lock.json"));
    installed.is_some_and(|at| changed(web.join("package-lock.json")).is_some_and(|wanted| wanted <= at))
}

/// Runs a step, whose output is shown.
fn step(command: &mut Command, name: &str) -> Result<(), Failure> {
    let program =
        Path::new(command.get_program()).file_stem().and_then(OsStr::to_str).unwrap_or(name).to_owned();
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(Failure::error(format!("{name}: {status}"))),
        Err(error) => Err(Failure::error(format!("{program} does not start: {error}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_are_installed_anew_when_the_lock_file_is_newer() {
        let folder = tempfile::tempdir().expect("a folder");
        let web = folder.path();
        let write = |file: &str| fs::write(web.join(file), "{}").expect("a file");
        write("package-lock.json");
        assert!(!is_installed(web));
        fs::create_dir(web.join("node_modules")).expect("a folder");
        write("node_modules/.package-lock.json");
        assert!(is_installed(web));
        let later = std::time::SystemTime::now() + std::time::Duration::from_secs(60);
        let lock = fs::File::options().write(true).open(web.join("package-lock.json")).expect("a file");
        lock.set_modified(later).expect("a time");
        assert!(!is_installed(web));
    }

    #[test]
    fn a_step_that_fails_is_named() {
        let web = tempfile::tempdir().expect("a folder");
        let failure = step(&mut Command::new("no-such-program-anywhere"), "a step").expect_err("no program");
        assert!(failure.to_string().contains("does not start"), "{failure}");
        assert!(step(npm(web.path()).arg("no-such-command"), "npm").is_err());
    }
}
