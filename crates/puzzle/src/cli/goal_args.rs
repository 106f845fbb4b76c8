//! The arguments that choose goals.

use std::fs;

use clap::Args;
use puzzle_cli::Failure;
use serde::{Deserialize, Serialize};

use super::malformed;
use crate::definition::{Definition, Selected};
use crate::formats::MOST_BYTES;
use crate::goal::{Goal, Open, Places};
use crate::model::Pattern;
use crate::states::{self, Form};

/// The goals, and what they leave open.
#[derive(Args, Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
#[command(next_help_heading = "Goal")]
pub(super) struct GoalArgs {
    /// Target state, in any form of states; @FILE reads it from a file. Repeat it for the nearest of several
    /// states [default: solved]
    #[arg(long = "goal", value_name = "STATE")]
    #[serde(rename = "goal", skip_serializing_if = "Vec::is_empty")]
    goals: Vec<String>,
    /// Ignore the pieces at these places of the goal, such as EDGES or CORNERS:0-3,7; places are numbered from 0,
    /// as in KPuzzle patterns
    #[arg(long, value_name = "ORBIT[:PLACES]")]
    #[serde(with = "texts", skip_serializing_if = "Vec::is_empty")]
    ignore: Vec<Places>,
    /// Ignore the orientations of the pieces at these places of the goal
    #[arg(long, value_name = "ORBIT[:PLACES]")]
    #[serde(with = "texts", skip_serializing_if = "Vec::is_empty")]
    ignore_orientation: Vec<Places>,
    /// Treat the pieces at these places of the goal as interchangeable; repeat it for several sets
    #[arg(long, value_name = "ORBIT[:PLACES]")]
    #[serde(with = "texts", skip_serializing_if = "Vec::is_empty")]
    alike: Vec<Places>,
}

/// Places as a list of texts.
mod texts {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    use crate::goal::Places;

    pub(super) fn serialize<S: Serializer>(places: &[Places], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(places.iter().map(ToString::to_string))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Places>, D::Error> {
        let texts = Vec::<String>::deserialize(deserializer)?;
        texts.iter().map(|text| text.parse().map_err(D::Error::custom)).collect()
    }
}

impl GoalArgs {
    /// Whether the goal is the solved state.
    pub(super) fn is_default(&self) -> bool {
        self.goals.is_empty() && self.open().is_none()
    }

    /// These options as the setting of a shared search, with the contents of the files that they name; `None` for the solved
    /// state.
    ///
    /// # Errors
    /// The failure for a file that cannot be read.
    pub(super) fn to_setting(&self) -> Result<Option<String>, Failure> {
        if self.is_default() {
            return Ok(None);
        }
        let goals = self.goals.iter().map(|text| contents(text)).collect::<Result<_, _>>()?;
        let resolved = GoalArgs { goals, ..self.clone() };
        serde_json::to_string(&resolved).map(Some).map_err(Failure::error)
    }

    /// The options of a setting.
    pub(super) fn from_setting(text: &str) -> Option<GoalArgs> {
        let args: GoalArgs = serde_json::from_str(text).ok()?;
        // No file of this machine is read.
        args.goals.iter().all(|text| !text.starts_with('@')).then_some(args)
    }

    fn open(&self) -> Open {
        let GoalArgs { ignore, ignore_orientation, alike, .. } = self;
        Open::default().ignored(ignore.clone()).unoriented(ignore_orientation.clone()).alike(alike.clone())
    }

    /// Reads the goals. `from` is the form of those whose form is not certain.
    ///
    /// # Errors
    /// Exit code 3 with all faults; the failure for a file that cannot be read.
    pub(super) fn read(
        &self,
        definition: &Definition,
        selected: &Selected,
        from: Option<Form>,
    ) -> Result<Vec<Goal>, Failure> {
        let open = self.open();
        let goal = |state: &Pattern| {
            Goal::new(&selected.puzzle, state, &open).map_err(|faults| malformed("goal", &faults))
        };
        if self.goals.is_empty() {
            return Ok(vec![goal(selected.puzzle.solved())?]);
        }
        let read = |text: &String| {
            let text = contents(text)?;
            let detected = states::read(&text, definition, None);
            let pattern = match from {
                Some(_) if detected.is_err() => states::read(&text, definition, from),
                _ => detected,
            };
            let state = pattern.and_then(|pattern| selected.state(&pattern));
            goal(&state.map_err(|faults| malformed("goal", &faults))?)
        };
        self.goals.iter().map(read).collect()
    }
}

/// The text of an argument, or of the file that it names after `@`.
fn contents(argument: &str) -> Result<String, Failure> {
    let Some(path) = argument.strip_prefix('@') else { return Ok(argument.to_owned()) };
    let refused = |reason: String| {
        Failure::malformed(format_args!("{path}: {reason}"))
            .with_remedy("name a file after @, or give the state itself")
    };
    let size = fs::metadata(path).map_err(|error| refused(error.to_string()))?.len();
    if size > MOST_BYTES as u64 {
        return Err(refused(format!("{size} bytes, above {MOST_BYTES}")));
    }
    fs::read_to_string(path).map_err(|error| refused(error.to_string()))
}
