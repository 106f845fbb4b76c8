//! The provenance of a report: sources, compiler, machine, tables.

use search_core::record::TableUse;
use serde::{Deserialize, Serialize};
use std::process::Command;
use sysinfo::{CpuRefreshKind, MemoryRefreshKind, RefreshKind, System};

/// The program, the machine and the tables that figures depend on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    /// The program's version.
    pub version: String,
    /// The commit, if known.
    pub commit: String,
    /// Whether files differed from the commit.
    pub dirty: bool,
    /// The compiler.
    pub compiler: String,
    /// Profile, target and flags.
    pub build: String,
    /// The processor.
    pub cpu: String,
    /// Its cores, as counted by the operating system.
    pub cores: usize,
    /// The number of threads used.
    pub threads: usize,
    /// Bytes of memory in the machine.
    pub memory: u64,
    /// The operating system.
    pub system: String,
    /// The tables that were read, with their checksums.
    pub tables: Vec<TableUse>,
}

impl Provenance {
    /// The provenance of this program on this machine, without tables.
    pub fn here(threads: usize) -> Provenance {
        let refresh = RefreshKind::nothing()
            .with_cpu(CpuRefreshKind::nothing())
            .with_memory(MemoryRefreshKind::nothing().with_ram());
        let system = System::new_with_specifics(refresh).ok();
        let cpus = system.as_ref().map_or(&[][..], System::cpus);
        let cpu = cpus.first().map_or_else(String::new, |cpu| cpu.brand().trim().to_owned());
        let commit = git(&["rev-parse", "HEAD"]).unwrap_or_else(|| "unknown".to_owned());
        Provenance {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            // A published report does not make the sources dirty.
            dirty: git(&["status", "--porcelain", "--", ".", ":!docs/repro"])
                .is_none_or(|files| !files.is_empty()),
            commit,
            compiler: env!("COMPILER").to_owned(),
            build: env!("BUILD").to_owned(),
            cpu,
            cores: cpus.len(),
            threads,
            memory: system.as_ref().map_or(0, System::total_memory),
            system: System::long_os_version().unwrap_or_else(|_| std::env::consts::OS.to_owned()),
            tables: Vec::new(),
        }
    }
}

/// The output of git; `None` without git or a repository.
fn git(args: &[&str]) -> Option<String> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let output = Command::new("git").args(["-C", root]).args(args).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
