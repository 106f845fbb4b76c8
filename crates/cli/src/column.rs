//! `--column`: the instance of each line is one field of a row of CSV or TSV.
//!
//! The first row shows the separator, and how many fields every other row has; a row with another number of fields is
//! refused, because its fields may belong to other columns.

use crate::failure::Failure;
use csv::ReaderBuilder;
use std::convert::Infallible;
use std::str::FromStr;

/// A column: by its number, from 1, or by its name in the first row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Column {
    /// The number.
    Number(usize),
    /// The name.
    Name(String),
}

impl FromStr for Column {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Column, Infallible> {
        let number = text.parse().ok().filter(|&number| number > 0);
        Ok(number.map_or_else(|| Column::Name(text.to_owned()), Column::Number))
    }
}

/// Reads rows.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    column: Column,
    /// The form of all rows, once the first one is read.
    form: Option<Form>,
}

#[derive(Clone, Copy, Debug)]
struct Form {
    separator: u8,
    fields: usize,
    /// The place of the column, from 0.
    place: usize,
}

/// The content of a row.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Row {
    /// The field in the column.
    Field(String),
    /// The row has the names of the columns.
    Header,
    /// The row is refused; the others may be read.
    Bad(Failure),
    /// No row can be read.
    Unreadable(Failure),
}

impl Rows {
    pub(crate) fn new(column: Column) -> Rows {
        Rows { column, form: None }
    }

    /// The content of the next row, which is neither empty nor a comment.
    pub(crate) fn next(&mut self, line: &str) -> Row {
        if line.matches('"').count() % 2 == 1 {
            let message = "a quotation mark is not closed on this line";
            return Row::Bad(
                Failure::malformed(message).with_remedy("keep each row of the file on one line"),
            );
        }
        match self.form {
            Some(form) => form.field(line),
            None => self.first(line),
        }
    }

    fn first(&mut self, line: &str) -> Row {
        let outside: String = line.split('"').step_by(2).collect();
        let separator = match [b'\t', b';', b','].map(|separator| outside.contains(char::from(separator))) {
            // Fields often contain commas and semicolons, but rarely a tab.
            [true, ..] => b'\t',
            [_, true, true] => {
                let message = "the columns may be separated by semicolons or commas";
                let remedy = "put quotation marks around fields that contain one of them";
                return Row::Unreadable(Failure::malformed(message).with_remedy(remedy));
            }
            [_, true, _] => b';',
            _ => b',',
        };
        let names = fields(line, separator);
        let form = |place| Form { separator, fields: names.len(), place };
        match &self.column {
            Column::Number(number) if *number > names.len() => {
                let message = format!("there is no column {number}: the first row has {}", names.len());
                Row::Unreadable(Failure::usage(message).with_remedy("columns are counted from 1"))
            }
            Column::Number(number) => self.form.insert(form(number - 1)).field(line),
            Column::Name(name) => {
                let mut places = (0..names.len()).filter(|&place| names[place].eq_ignore_ascii_case(name));
                let (Some(place), None) = (places.next(), places.next()) else {
                    let message = format!("no single column is named `{name}`");
                    let remedy = format!("the columns of the first row are {}", names.join(", "));
                    return Row::Unreadable(Failure::usage(message).with_remedy(remedy));
                };
                self.form = Some(form(place));
                Row::Header
            }
        }
    }
}

impl Form {
    fn field(self, line: &str) -> Row {
        let mut fields = fields(line, self.separator);
        if fields.len() == self.fields {
            return Row::Field(fields.swap_remove(self.place));
        }
        let message = format!("the row has {} fields, the first row {}", fields.len(), self.fields);
        let remedy = "put quotation marks around fields that contain a separator";
        Row::Bad(Failure::malformed(message).with_remedy(remedy))
    }
}

/// The fields of a row, without surrounding white space.
fn fields(line: &str, separator: u8) -> Vec<String> {
    let mut reader = ReaderBuilder::new()
        .delimiter(separator)
        .has_headers(false)
        .flexible(true)
        .from_reader(line.as_bytes());
    let row = reader.records().next().and_then(Result::ok).unwrap_or_default();
    row.iter().map(|field| field.trim().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(column: &str, lines: &[&str]) -> Vec<String> {
        let mut rows = Rows::new(column.parse().unwrap());
        let text = |row| match row {
            Row::Field(field) => field,
            Row::Header => "header".to_owned(),
            Row::Bad(failure) | Row::Unreadable(failure) => format!("error: {}", failure.one_line()),
        };
        lines.iter().map(|line| text(rows.next(line))).collect()
    }

    #[test]
    fn the_first_row_shows_the_separator() {
        assert_eq!(read("2", &["1,\"R, U\",x", "2,F,y"]), ["R, U", "F"]);
        assert_eq!(read("2", &["1\tR, U", "2\tF;"]), ["R, U", "F;"]);
        assert_eq!(read("4", &["1;10.25;;R U R';2026-07-27;"]), ["R U R'"]);
        assert_eq!(read("1", &["R U"]), ["R U"]);
        assert!(read("1", &["a;b,c"])[0].contains("semicolons or commas"));
    }

    #[test]
    fn a_name_stands_in_the_first_row() {
        assert_eq!(read("Scramble", &["No.,Time,scramble", "1,9.8,R U"]), ["header", "R U"]);
        assert!(read("cube", &["No.,Time"])[0].contains("the columns of the first row are No., Time"));
        assert!(read("a", &["a,a"])[0].contains("no single column"));
    }

    #[test]
    fn rows_of_another_form_are_refused() {
        let rows = read("2", &["1,R", "2,F,y", "3", "4,\"U", "5,U"]);
        assert!(rows[1].contains("3 fields, the first row 2") && rows[2].contains("1 fields"), "{rows:?}");
        assert!(rows[3].contains("not closed"), "{rows:?}");
        assert_eq!(rows[4], "U");
        assert!(read("3", &["1,R"])[0].contains("there is no column 3"));
        assert_eq!("0".parse(), Ok(Column::Name("0".to_owned())));
    }
}
