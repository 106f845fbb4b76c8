//! A row of a timer's export or of a table: fields separated by semicolons, tabs or commas, some quoted.
//!
//! csTimer writes `1;10.25;;R U R';2026-07-27 14:35:19;`, TwistyTimer
//! `"333";"normal";"27410";"1531747540455";"R U R' F2";"0";""`. The field that is a cube is found by trying
//! each; a row in which several fields can be a cube is refused.

/// The fields of a row, without quotes and outer white space; `None` if the text is not a row.
pub(super) fn fields(text: &str) -> Option<Vec<String>> {
    let text = text.trim();
    if text.contains(['\n', '\r']) {
        return None;
    }
    let delimiter =
        [';', '\t', ','].into_iter().find(|&delimiter| outside_quotes(text).any(|c| c == delimiter))?;
    // Commas alone separate moves or symbols.
    if delimiter == ',' && !text.contains('"') {
        return None;
    }
    let (mut fields, mut quoted) = (vec![String::new()], false);
    for c in text.chars() {
        match c {
            '"' => quoted = !quoted,
            c if c == delimiter && !quoted => fields.push(String::new()),
            c => fields.last_mut().expect("there is a field").push(c),
        }
    }
    Some(fields.into_iter().map(|field| field.trim().to_owned()).collect())
}

/// The fields of a row whose tabs separate more than single moves: at least two fields, of which one is empty or has
/// several words. `None` for other texts, in which a tab is white space.
pub(super) fn of_tabs(text: &str) -> Option<Vec<String>> {
    let line = text.trim_matches(' ');
    if !line.contains('\t') || line.contains(['\n', '\r']) {
        return None;
    }
    let words = |field: &str| field.split_whitespace().count();
    let is_filled = line.split('\t').filter(|field| words(field) > 0).count() > 1;
    if is_filled && line.split('\t').any(|field| words(field) != 1) { fields(text) } else { None }
}

fn outside_quotes(text: &str) -> impl Iterator<Item = char> {
    text.split('"').step_by(2).flat_map(str::chars)
}

/// Whether a text is the first row of a timer's export, which names the columns.
pub(super) fn is_header(text: &str) -> bool {
    fields(text).is_some_and(|fields| fields.iter().any(|field| field.eq_ignore_ascii_case("scramble")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_fields_keep_delimiters() {
        assert_eq!(fields("1;10.25;;R U;").unwrap(), ["1", "10.25", "", "R U", ""]);
        assert_eq!(fields(r#""a;b";" c""#).unwrap(), ["a;b", "c"]);
        assert_eq!(fields(r#"1,"R, U",x"#).unwrap(), ["1", "R, U", "x"]);
        assert_eq!(fields("R, U"), None);
        assert_eq!(fields("R U;\nF"), None);
        assert_eq!(of_tabs("R\tU\tF2"), None);
        assert_eq!(of_tabs("R U\tF").unwrap(), ["R U", "F"]);
        assert_eq!(of_tabs("R\t\tF").unwrap(), ["R", "", "F"]);
        assert_eq!(of_tabs("\tR U F\t"), None);
        assert!(is_header("No.;Time;Comment;Scramble;Date;P.1") && !is_header("R;U"));
    }
}
