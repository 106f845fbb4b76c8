//! Ctrl-C and SIGTERM: the first asks the work to stop, a later one ends the process. Two signals in quick
//! succession are one request: `timeout` sends its signal to a process and to its group.
//!
//! A file that grows beyond the limit of the shell (`ulimit -f`) is an error of writing, as a full disk is,
//! and does not end the process by SIGXFSZ.

use crate::exit::Exit;
use search_core::Cancel;
use std::process;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// Signals within this time after the first belong to the same request.
const SAME: Duration = Duration::from_millis(200);

/// The flag that signals set, the same one for the whole process. The first call installs the
/// handler.
///
/// # Errors
/// When the system refuses the handler.
pub fn flag() -> Result<Cancel, ctrlc::Error> {
    static FLAG: OnceLock<Cancel> = OnceLock::new();
    static INSTALLING: Mutex<()> = Mutex::new(());
    let _alone = INSTALLING.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(cancel) = FLAG.get() {
        return Ok(cancel.clone());
    }
    let cancel = Cancel::new();
    let handled = cancel.clone();
    let mut first = None;
    ctrlc::set_handler(move || on_signal(&handled, &mut first))?;
    #[cfg(unix)]
    survive_large_files();
    Ok(FLAG.get_or_init(|| cancel).clone())
}

/// Handles SIGXFSZ by doing nothing, so that writing fails instead.
#[cfg(unix)]
fn survive_large_files() {
    let unread = std::sync::Arc::default();
    // If the system refuses, the signal ends the process as before.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, unread);
}

fn on_signal(cancel: &Cancel, first: &mut Option<Instant>) {
    if first.get_or_insert_with(Instant::now).elapsed() > SAME {
        process::exit(i32::from(Exit::Interrupted.code_and_word().0));
    }
    cancel.cancel();
}
