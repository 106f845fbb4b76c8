//! The load that other programs put on the machine while a job runs, so that a time measured beside
//! them is not published as a speed.
//!
//! On Linux it is read from the counters of the kernel: the time that all processors were busy, without
//! the time of this process. Elsewhere it is unknown.

use std::fs;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The shortest time over which the counters, which advance a hundred times a second, show a load.
const SHORTEST: Duration = Duration::from_millis(500);

/// The counters at the beginning of a measurement.
#[derive(Clone, Copy, Debug)]
pub struct Load {
    begun: Instant,
    ticks: Option<Ticks>,
}

/// Time in ticks of the kernel's clock, over all processors.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Ticks {
    all: u64,
    busy: u64,
    own: u64,
}

impl Load {
    /// Begins a measurement.
    pub fn begin() -> Load {
        Load { begun: Instant::now(), ticks: Ticks::now() }
    }

    /// Waits until enough time has passed to measure the load.
    pub fn wait(&self) {
        sleep(SHORTEST.saturating_sub(self.begun.elapsed()));
    }

    /// The share of the machine's processors that other programs used since the beginning; `None` if
    /// it is unknown, or if too little time has passed.
    pub fn others(&self) -> Option<f64> {
        let long_enough = self.begun.elapsed() >= SHORTEST;
        Some(Ticks::now()?.others_since(self.ticks?)).filter(|_| long_enough)
    }
}

impl Ticks {
    fn now() -> Option<Ticks> {
        let (all, busy) = machine(&fs::read_to_string("/proc/stat").ok()?)?;
        Some(Ticks { all, busy, own: process(&fs::read_to_string("/proc/self/stat").ok()?)? })
    }

    fn others_since(self, before: Ticks) -> f64 {
        let since = |of: fn(&Ticks) -> u64| of(&self).saturating_sub(of(&before)) as f64;
        let others = since(|ticks| ticks.busy) - since(|ticks| ticks.own);
        (others / since(|ticks| ticks.all).max(1.0)).clamp(0.0, 1.0)
    }
}

/// All ticks and the busy ones, from the first line of `/proc/stat`: user, nice, system, idle, waiting for input and
/// output, interrupts (two), and time that a host used for other guests.
fn machine(text: &str) -> Option<(u64, u64)> {
    let fields = text.lines().next()?.strip_prefix("cpu ")?.split_whitespace();
    let ticks: Vec<u64> = fields.take(8).map(|field| field.parse().ok()).collect::<Option<_>>()?;
    let all = ticks.iter().sum();
    Some((all, all - ticks.get(3)? - ticks.get(4)?))
}

/// The ticks of this process in user and kernel mode, from `/proc/self/stat`. Its second field is the
/// name of the program in parentheses, which may contain anything.
fn process(text: &str) -> Option<u64> {
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    Some(fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_are_read_and_subtracted() {
        let stat = "cpu  400 10 90 480 20 0 5 15 0 0\ncpu0 1 1 1 1 1 1 1 1 1 1\n";
        assert_eq!(machine(stat), Some((1020, 520)));
        assert_eq!(machine("intr 1 2 3"), None);
        let own = "17 (a) b (c) R 1 2 3 4 5 6 7 8 9 10 300 40 0 0 20 0 2 0";
        assert_eq!(process(own), Some(340));
        let before = Ticks { all: 1000, busy: 500, own: 300 };
        let ticks = |all, busy, own| Ticks { all, busy, own }.others_since(before);
        assert_eq!(ticks(1200, 700, 500), 0.0);
        assert_eq!(ticks(1200, 700, 400), 0.5);
        assert_eq!(ticks(1000, 500, 300), 0.0);
    }

    #[test]
    fn this_process_is_not_another_program() {
        let load = Load::begin();
        while load.begun.elapsed() < SHORTEST {
            std::hint::spin_loop();
        }
        let others = load.others();
        assert_eq!(Load::begin().others(), None, "too little time has passed");
        assert_eq!(others.is_some(), cfg!(target_os = "linux"));
        if let Some((before, now)) = load.ticks.zip(Ticks::now()) {
            assert!(now.own > before.own, "the time of this process is counted");
            let own = (now.own - before.own) as f64 / (now.all - before.all) as f64;
            assert!(others.is_some_and(|share| share <= 1.05 - own), "{others:?} beside {own}");
        }
    }
}
