//! Files that describe puzzles and states.
//!
//! | module | contents |
//! | --- | --- |
//! | [`kpuzzle`] | the JSON of cubing.js and twips |
//! | [`tws`] | the files of twsearch and ksolve |
//! | [`gap`] | permutations in the notation of GAP |
//! | [`santa`] | the puzzles of the competition Santa 2023 |
//! | `json` | JSON values in little memory |

pub mod gap;
mod json;
pub mod kpuzzle;
pub mod santa;
#[cfg(test)]
mod tests;
pub mod tws;

use crate::definition::{Definition, Role};
use crate::fault::Faults;

/// The maximum size of a file in bytes.
pub const MOST_BYTES: usize = 10 << 20;

/// A form of definitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The JSON of cubing.js and twips.
    KPuzzle,
    /// The lines of twsearch and ksolve.
    Tws,
    /// Generators as permutations in the notation of GAP.
    Gap,
}

impl Form {
    /// All forms.
    pub const ALL: [Form; 3] = [Form::KPuzzle, Form::Tws, Form::Gap];

    /// The name of the form.
    pub fn name(self) -> &'static str {
        match self {
            Form::KPuzzle => "kpuzzle",
            Form::Tws => "tws",
            Form::Gap => "gap",
        }
    }

    /// The form that a text is in, by its first characters.
    fn of(text: &str) -> Option<Form> {
        let text = text.trim_start_matches('\u{feff}');
        if text.trim_start().starts_with('{') {
            return Some(Form::KPuzzle);
        }
        let first = text
            .split(['\n', '\r'])
            .find_map(|line| line.split_whitespace().next().filter(|word| !word.starts_with('#')));
        match first {
            Some("Name" | "Set") => Some(Form::Tws),
            _ if gap::is_gap(text) => Some(Form::Gap),
            _ => None,
        }
    }
}

/// Reads a definition in any form.
///
/// # Errors
/// All faults of the form that the text is in.
pub fn read(text: &str) -> Result<Definition, Faults> {
    if text.len() > MOST_BYTES {
        return Err(format!("the file has {} bytes, above the limit of {MOST_BYTES}", text.len()).into());
    }
    if santa::is_info(text) {
        return santa::parse_info(text, None);
    }
    match Form::of(text) {
        Some(Form::KPuzzle) => kpuzzle::parse(text),
        Some(Form::Tws) => tws::parse(text),
        Some(Form::Gap) => gap::parse(text),
        None => {
            Err("not a definition: it is neither KPuzzle JSON, nor begins with Name or Set as a .tws or \
                     .def file does, nor lists permutations such as a := (1,2,3);"
                .to_owned()
                .into())
        }
    }
}

/// Writes a definition, and remarks on what the form cannot express.
///
/// # Errors
/// All parts that the form cannot express and that must not be left out.
pub fn write(definition: &Definition, form: Form) -> Result<(String, Vec<String>), Faults> {
    let (text, mut remarks) = match form {
        Form::KPuzzle => (kpuzzle::write(definition)?, kpuzzle_remark(definition).into_iter().collect()),
        Form::Tws => tws::write(definition)?,
        Form::Gap => gap::write(definition)?,
    };
    if definition.moves.iter().any(|named| named.role == Role::Single) {
        remarks.push("powers of moves do not count; read the file with --metric generators".to_owned());
    }
    Ok((text, remarks))
}

/// The remark that all moves of a KPuzzle file count, where some of the definition do not.
fn kpuzzle_remark(definition: &Definition) -> Option<String> {
    let named = |is: fn(Role) -> bool| -> Vec<&str> {
        let moves = definition.moves.iter().filter(|named| is(named.role));
        moves.map(|named| named.name.as_str()).collect()
    };
    let option = |option: &str, names: Vec<&str>| {
        (!names.is_empty()).then(|| format!(" --{option} \"{}\"", names.join(" ")))
    };
    let counted = named(|role| matches!(role, Role::Counted | Role::Single));
    let moves = option("moves", counted).filter(|_| !named(|role| role == Role::Derived).is_empty());
    let rotations = option("rotations", named(|role| role == Role::Rotation));
    let options: String = [moves, rotations].into_iter().flatten().collect();
    (!options.is_empty())
        .then(|| format!("a KPuzzle file does not list the moves that count; read it with{options}"))
}
