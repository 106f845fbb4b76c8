//! `cargo xtask reproducible`: builds the released programs twice, in different directories, and compares them.
//!
//! A build depends on the sources of a commit, `Cargo.lock`, the compiler that `rust-toolchain.toml` names, and
//! the linker. Paths of sources would be in the programs (in the messages of panics); those of the
//! repository are relative to it, and those of dependencies are given another prefix by the flag below.

use clap::Args;
use puzzle_cli::{CommonArgs, Exit, Failure, Session};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use xxhash_rust::xxh3::xxh3_64;

/// The packages whose programs are released, and these programs.
const RELEASED: [(&str, &str); 5] = [
    ("cube-opt", "cube-opt"),
    ("slidetile", "tile24"),
    ("hanoi4", "hanoi4"),
    ("puzzle-opt", "puzzle-opt"),
    ("referee", "referee"),
];

/// Build the released programs twice, in different directories, and compare the files
///
/// Both builds are of the last commit, from scratch. Prints each program's checksum.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  cargo xtask reproducible                        all five programs
  cargo xtask reproducible --program referee      one of them

Exit code 1 if two builds of a program differ.")]
pub struct ReproducibleArgs {
    /// Only this program [default: all]
    #[arg(long, value_name = "NAME", value_parser = RELEASED.map(|(_, program)| program))]
    program: Option<String>,
    #[command(flatten)]
    common: CommonArgs,
}

/// Runs the task.
///
/// # Errors
/// The failure that ends it.
pub fn run(args: &ReproducibleArgs) -> Result<Exit, Failure> {
    let session = Session::build(&args.common)?;
    let is_asked = |program: &str| args.program.as_deref().is_none_or(|asked| asked == program);
    let released: Vec<_> = RELEASED.into_iter().filter(|(_, program)| is_asked(program)).collect();
    let home = tempfile::tempdir().map_err(|error| Failure::error(format_args!("a folder: {error}")))?;
    let commit = last_commit()?;
    let mut built = Vec::new();
    // The paths have different lengths.
    for place in ["one", "another/deep/down"] {
        session.remark(&format!("building in {}", home.path().join(place).display()));
        built.push(build(&home.path().join(place), &commit, &released)?);
        if session.is_interrupted() {
            return Err(Failure::interrupted("interrupted: nothing was compared"));
        }
    }
    let mut output = session.output();
    let mut differ = Vec::new();
    for ((_, program), files) in released.iter().zip(built[0].iter().zip(&built[1])) {
        let (one, other) = files;
        output.line(&format!("{program}: {} bytes, {:016x}", one.len(), xxh3_64(one)))?;
        if one != other {
            differ.push(format!(
                "{program}: the other build has {} bytes, {:016x}",
                other.len(),
                xxh3_64(other)
            ));
        }
    }
    if differ.is_empty() {
        return Ok(Exit::Done);
    }
    Err(Failure::error("two builds differ").with_faults(differ))
}

/// The flag that hides the paths of the dependencies' sources.
fn flag() -> Result<String, Failure> {
    let default = || env::home_dir().map(|home| home.join(".cargo"));
    let home = env::var_os("CARGO_HOME").map(PathBuf::from).or_else(default);
    let home = home.ok_or_else(|| Failure::error("the folder of cargo is not known: set CARGO_HOME"))?;
    Ok(format!("--remap-path-prefix={}=/cargo", home.display()))
}

/// The name of the last commit. Both builds are of it, even if another one is made meanwhile.
fn last_commit() -> Result<String, Failure> {
    let mut git = Command::new("git");
    git.args(["rev-parse", "HEAD"]).current_dir(env!("CARGO_MANIFEST_DIR"));
    let said = git.output().map_err(|error| Failure::error(format_args!("git: {error}")))?;
    let commit = String::from_utf8_lossy(&said.stdout).trim().to_owned();
    if said.status.success() { Ok(commit) } else { Err(Failure::error("git knows no last commit")) }
}

/// The programs of a commit, built in a folder.
fn build(place: &Path, commit: &str, released: &[(&str, &str)]) -> Result<Vec<Vec<u8>>, Failure> {
    let failed = |error| Failure::error(format_args!("{}: {error}", place.display()));
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    fs::create_dir_all(place).map_err(failed)?;
    let mut clone = Command::new("git");
    clone.args(["clone", "--quiet", "--no-hardlinks"]).arg(&repository).arg(place);
    ended(&mut clone)?;
    ended(Command::new("git").args(["checkout", "--quiet", "--detach", commit]).current_dir(place))?;
    let mut cargo = Command::new("cargo");
    cargo.args(["build", "--release", "--locked", "--quiet", "--target-dir", "target"]).current_dir(place);
    cargo.args(released.iter().flat_map(|(package, _)| ["-p", package]));
    cargo.env("RUSTFLAGS", flag()?).env_remove("CARGO_ENCODED_RUSTFLAGS").env_remove("CARGO_TARGET_DIR");
    ended(&mut cargo)?;
    let file = |program| place.join("target/release").join(format!("{program}{}", env::consts::EXE_SUFFIX));
    released.iter().map(|(_, program)| fs::read(file(program)).map_err(failed)).collect()
}

fn ended(command: &mut Command) -> Result<(), Failure> {
    let name = command.get_program().to_string_lossy().into_owned();
    let status = command.status().map_err(|error| Failure::error(format_args!("{name}: {error}")))?;
    if status.success() {
        return Ok(());
    }
    Err(Failure::error(format_args!("{name}: {status}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_packages_have_the_programs() {
        let mut cargo = Command::new("cargo");
        cargo
            .args(["metadata", "--no-deps", "--format-version", "1"])
            .current_dir(env!("CARGO_MANIFEST_DIR"));
        let metadata = cargo.output().expect("what cargo says of the workspace").stdout;
        let metadata: serde_json::Value = serde_json::from_slice(&metadata).expect("JSON");
        for (name, program) in RELEASED {
            let packages = metadata["packages"].as_array().expect("packages");
            let package = packages.iter().find(|package| package["name"] == name).expect(name);
            let targets = package["targets"].as_array().expect("targets");
            assert!(
                targets.iter().any(|target| target["name"] == program && target["kind"][0] == "bin"),
                "{name}: no program {program}"
            );
        }
    }
}
