//! `tables plan` and `tables build`: the cost of tables, and building them.

use crate::exit::Exit;
use crate::failure::Failure;
use crate::format::{format_bytes, format_duration};
use crate::session::Session;
use search_core::table::{Recipe, Spec, Store, TableError};
use serde::Serialize;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Arguments that select tables.
pub trait Select {
    /// The selected tables.
    ///
    /// # Errors
    /// When the arguments name no table, or a measurement that they ask for fails.
    fn select(&self, store: &Store, session: &Session) -> Result<Vec<Planned>, Failure>;

    /// Prints their cost: by default, that of each selected table.
    ///
    /// # Errors
    /// When the arguments name no table, a measurement fails, or the output cannot be written.
    fn plan(&self, store: &Store, session: &Session) -> Result<Exit, Failure> {
        plan(&self.select(store, session)?, store, session)
    }
}

/// A table to plan or build.
#[derive(Clone, Debug)]
pub struct Planned {
    /// How to build it.
    pub recipe: Arc<dyn Recipe>,
    /// The seconds that building takes, where this machine was measured.
    pub build_seconds: Option<f64>,
    /// The mean seconds that solving a random instance takes with it, where that is known.
    pub solve_seconds: Option<f64>,
    /// The purpose of the table.
    pub purpose: Option<String>,
}

impl<R: Recipe + 'static> From<R> for Planned {
    fn from(recipe: R) -> Planned {
        Planned { recipe: Arc::new(recipe), build_seconds: None, solve_seconds: None, purpose: None }
    }
}

/// The cost of one table, as `--json` prints it.
#[derive(Serialize)]
struct Cost<'a> {
    name: String,
    holds: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    purpose: Option<&'a str>,
    entries: Option<u64>,
    bytes: u64,
    build_seconds: f64,
    solve_seconds: Option<f64>,
    there: bool,
    fits: bool,
}

impl<'a> Cost<'a> {
    fn of(planned: &'a Planned, store: &Store, session: &Session) -> Cost<'a> {
        let Planned { recipe, build_seconds, solve_seconds, purpose } = planned;
        Cost {
            name: recipe.name(),
            holds: recipe.description(),
            purpose: purpose.as_deref(),
            entries: Some(recipe.spec().entries).filter(|entries| *entries != Spec::UNKNOWN),
            bytes: recipe.bytes(),
            build_seconds: build_seconds.unwrap_or_else(|| recipe.build_seconds(session.run().threads())),
            solve_seconds: *solve_seconds,
            there: store.contains(&recipe.name()),
            fits: store.check_memory([&**recipe], &session.run()).is_ok(),
        }
    }

    /// Whether the table exists, or how long building it takes; and how long solving takes.
    fn state(&self, measured: bool) -> String {
        let time = |seconds: f64| format_duration(Duration::from_secs_f64(seconds.max(0.001)));
        let mut state = match (self.there, self.fits) {
            (true, true) => "exists".to_owned(),
            (true, false) => "exists, too large for --memory".to_owned(),
            (false, true) if measured => format!("about {} to build", time(self.build_seconds)),
            (false, true) => format!("at most {} to build", time(self.build_seconds)),
            (false, false) => "too large for --memory".to_owned(),
        };
        if let (Some(seconds), true) = (self.solve_seconds, self.fits) {
            state += &format!(", {} per cube", time(seconds));
        }
        state
    }
}

/// A line of a plan, or about a table that was built.
fn line(tables: &[Planned], name: &str, bytes: u64, state: &str, holds: &str) -> String {
    let width = tables.iter().map(|planned| planned.recipe.name().len()).max().unwrap_or(0).max(24);
    format!("{name:<width$} {:>10}  {state:<40} {holds}", format_bytes(bytes))
}

/// Prints the cost of each table, whether it exists, and its contents.
///
/// # Errors
/// When the output cannot be written.
pub fn plan(tables: &[Planned], store: &Store, session: &Session) -> Result<Exit, Failure> {
    let mut output = session.output();
    for planned in tables {
        output.record(&Cost::of(planned, store, session), |cost| {
            let holds = match cost.purpose {
                Some(purpose) => format!("{}; for {purpose}", cost.holds),
                None => cost.holds.clone(),
            };
            // If the time of building a table was measured, so was that of solving with it.
            let state = cost.state(planned.build_seconds.is_some());
            vec![line(tables, &cost.name, cost.bytes, &state, &holds)]
        })?;
    }
    Ok(Exit::Done)
}

/// A table that exists now, as `--json` prints it.
#[derive(Serialize)]
struct Ready {
    name: String,
    bytes: u64,
    checksum: String,
    built: bool,
    seconds: f64,
}

/// Builds those of the tables that do not exist, and prints each. The memory budget is checked for
/// all before the first is built. `program` is the binary's name.
///
/// # Errors
/// When a table is not available or the output cannot be written.
pub fn build(program: &str, tables: &[Planned], store: &Store, session: &Session) -> Result<Exit, Failure> {
    let failure = |error: TableError| super::failure(program, &error);
    let fits = |planned: &Planned| store.check_memory([&*planned.recipe], &session.run());
    tables.iter().try_for_each(fits).map_err(failure)?;
    if tables.iter().any(|planned| !store.contains(&planned.recipe.name())) {
        let dir = store.writes_to().map_err(|error| super::of_io(&error))?;
        dir.ok_or_else(|| super::no_directory("no directory of tables can be written"))?;
    }
    let mut output = session.output();
    for (number, Planned { recipe, .. }) in (1..).zip(tables) {
        if tables.len() > 1 {
            session.bars().set_place(&format!("{number} of {}", tables.len()));
        }
        let (name, begun) = (recipe.name(), Instant::now());
        let built = !store.contains(&name);
        let bars = session.bars().named(&name);
        let table = store.get(&**recipe, &session.run().with_progress(&bars)).map_err(failure)?;
        let (bytes, checksum) = (table.body.len() as u64, table.used().checksum);
        let ready = Ready { name, bytes, checksum, built, seconds: begun.elapsed().as_secs_f64() };
        output.record(&ready, |ready| {
            let how = if ready.built { "built in" } else { "already existed, read in" };
            let time = format_duration(Duration::from_secs_f64(ready.seconds));
            let state = format!("{how} {time}, {}", ready.checksum);
            vec![line(tables, &ready.name, ready.bytes, &state, &recipe.description())]
        })?;
    }
    Ok(Exit::Done)
}
