//! Values some of which have names: completions offer these, and every other text that can be parsed is a value too.

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Command, Error};
use std::ffi::OsStr;
use std::fmt::Display;
use std::str::FromStr;

/// A parser of such values. Give the argument `hide_possible_values`, unless its help may list only the names.
#[derive(Clone, Debug)]
pub struct Named<T> {
    names: Vec<&'static str>,
    parse: fn(&str) -> Result<T, String>,
}

impl<T: FromStr<Err: Display>> Named<T> {
    /// A parser that offers `names`.
    pub fn of(names: impl IntoIterator<Item = &'static str>) -> Named<T> {
        let parse = |text: &str| text.parse().map_err(|error: T::Err| error.to_string());
        Named { names: names.into_iter().collect(), parse }
    }
}

impl<T: Clone + Send + Sync + 'static> TypedValueParser for Named<T> {
    type Value = T;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<T, Error> {
        let parse = self.parse;
        StringValueParser::new().try_map(move |text| parse(&text)).parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.names.iter().copied().map(PossibleValue::new)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{CommandFactory, Parser};
    use clap_complete::{Shell, generate};

    #[derive(Parser)]
    struct Program {
        #[arg(long, hide_possible_values = true, value_parser = Named::<Number>::of(["all", "none"]))]
        number: Option<Number>,
    }

    #[derive(Clone, Debug, PartialEq)]
    struct Number(u32);

    impl FromStr for Number {
        type Err = String;
        fn from_str(text: &str) -> Result<Number, String> {
            match text {
                "none" => Ok(Number(0)),
                "all" => Ok(Number(u32::MAX)),
                text => text.parse().map(Number).map_err(|_| format!("`{text}` is no number")),
            }
        }
    }

    #[test]
    fn names_are_offered_and_other_values_are_read() {
        let read = |value: &str| Program::try_parse_from(["x", "--number", value]);
        assert_eq!(read("all").map(|program| program.number).ok(), Some(Some(Number(u32::MAX))));
        assert_eq!(read("7").map(|program| program.number).ok(), Some(Some(Number(7))));
        assert!(read("seven").map(|_| ()).unwrap_err().to_string().contains("`seven` is no number"));
        let mut script = Vec::new();
        generate(Shell::Bash, &mut Program::command(), "x", &mut script);
        assert!(String::from_utf8(script).unwrap().contains(r#"compgen -W "all none""#));
        assert!(!Program::command().render_help().to_string().contains("all"));
    }
}
