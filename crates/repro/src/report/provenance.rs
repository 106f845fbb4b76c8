//! The provenance of a report: sources, compiler, machine, tables.

use crate::results::Origin;
use puzzle_cli::format::format_bytes;
use search_core::record::TableUse;
use serde::{Deserialize, Serialize};
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};
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
    /// The provenance of this program on this machine, without jobs and tables.
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
            // A published report and recorded results do not make the sources dirty.
            dirty: git(&["status", "--porcelain", "--", ".", ":!docs/repro", ":!fixtures/recorded"])
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

    /// The origin of the results that are computed today, without what each job takes.
    pub fn origin(&self) -> Origin {
        let (cores, memory) = (self.cores, format_bytes(self.memory));
        Origin {
            commit: self.commit.clone(),
            dirty: self.dirty,
            date: today(),
            machine: format!("{}, {cores} cores, {memory} of memory, {}", self.cpu, self.system),
            ..Origin::default()
        }
    }
}

/// The day in universal time, as in `2026-11-24`.
fn today() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    date(now.as_secs() / 86_400)
}

/// The date of a day since 1970. Years are counted from 1 March, so that a leap day ends its year.
fn date(day: u64) -> String {
    let day = day + 719_468; // since 1 March of the year 0
    let (era, day) = (day / 146_097, day % 146_097); // 400 years each
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153; // from March
    let day = day - (153 * month + 2) / 5 + 1;
    let (year, month) = if month < 10 { (year, month + 3) } else { (year + 1, month - 9) };
    format!("{:04}-{month:02}-{day:02}", 400 * era + year)
}

/// The output of git; `None` without git or a repository.
fn git(args: &[&str]) -> Option<String> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let output = Command::new("git").args(["-C", root]).args(args).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn days_are_converted_to_dates() {
        let known =
            [(0, "1970-01-01"), (11_016, "2000-02-29"), (11_017, "2000-03-01"), (20_781, "2026-11-24")];
        for (day, text) in known {
            assert_eq!(date(day), text);
        }
    }
}
