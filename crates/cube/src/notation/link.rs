//! Links to a player or a timer that contain a scramble.
//!
//! The parameters of alpha.twizzle.net and alg.cubing.net are `alg` and `setup`. The former encodes them with
//! percent and plus signs, the latter writes `_` for a space and `-` for an apostrophe. cstimer.net has
//! `scramble`. A link with both an algorithm and a setup is ambiguous and refused, as is a link to another
//! puzzle.

use super::fault::Defect;

/// The names of the parameters that hold moves.
const MOVES: [&str; 5] = ["alg", "setup", "setup-alg", "experimental-setup-alg", "scramble"];

/// The moves in a link; `None` if the text is not a link.
pub(super) fn moves(text: &str) -> Option<Result<String, Defect>> {
    let text = text.trim();
    let address = ["https://", "http://"].iter().find_map(|scheme| text.strip_prefix(scheme));
    let known = ["alpha.twizzle.net/", "twizzle.net/", "alg.cubing.net/", "cstimer.net/", "www.cstimer.net/"];
    let address = address.or_else(|| known.iter().any(|host| text.starts_with(host)).then_some(text))?;
    let (_, parameters) = address.split_once(['?', '#']).unwrap_or((address, ""));
    let is_plain = address.starts_with("alg.cubing.net");
    let parameters: Vec<(&str, String)> = parameters
        .split(['&', '#', '?'])
        .filter_map(|pair| pair.split_once('='))
        .map(|(name, value)| (name, decoded(value, is_plain)))
        .collect();
    Some(chosen(&parameters))
}

fn chosen(parameters: &[(&str, String)]) -> Result<String, Defect> {
    let puzzle = parameters.iter().find(|(name, _)| *name == "puzzle").map(|(_, puzzle)| puzzle.as_str());
    if let Some(other) = puzzle.filter(|puzzle| !matches!(*puzzle, "" | "3x3x3" | "333")) {
        return Err(Defect::Link(format!("the link is for the puzzle {other}, not for 3x3x3")));
    }
    let given = parameters.iter().filter(|(name, moves)| MOVES.contains(name) && !moves.trim().is_empty());
    match given.collect::<Vec<_>>().as_slice() {
        [] => {
            Err(Defect::Link("a link without moves: none of its parameters is alg, setup or scramble".into()))
        }
        [(_, moves)] => Ok(moves.clone()),
        [(one, _), (other, _), ..] => {
            Err(Defect::Link(format!("the link has {one} and {other}: paste the moves of one of them")))
        }
    }
}

/// Decodes a parameter. With `is_plain`, `_` stands for a space and `-` for an apostrophe.
fn decoded(value: &str, is_plain: bool) -> String {
    let (bytes, mut decoded, mut at) = (value.as_bytes(), Vec::new(), 0);
    while let Some(&byte) = bytes.get(at) {
        let hexadecimal = value.get(at + 1..at + 3).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        at += 1;
        decoded.push(match byte {
            b'+' => b' ',
            b'_' if is_plain => b' ',
            b'-' if is_plain => b'\'',
            b'%' => match hexadecimal {
                Some(byte) => {
                    at += 2;
                    byte
                }
                None => b'%',
            },
            other => other,
        });
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_decoded() {
        let read = |text: &str| moves(text).unwrap().unwrap();
        assert_eq!(read("https://alpha.twizzle.net/edit/?alg=R+U+R%27+D2"), "R U R' D2");
        assert_eq!(read("https://alg.cubing.net/?setup=R_U-_F2%0AD&type=alg"), "R U' F2\nD");
        assert_eq!(read("http://cstimer.net/#scramble=R%20U"), "R U");
        assert_eq!(read("twizzle.net/edit/?puzzle=3x3x3&alg=R%&setup="), "R%");
    }

    #[test]
    fn links_without_one_scramble_are_refused() {
        let refused = |text: &str| moves(text).unwrap().unwrap_err().to_string();
        assert!(refused("https://alpha.twizzle.net/edit/?alg=R&puzzle=2x2x2").contains("2x2x2"));
        assert!(refused("https://alg.cubing.net/?alg=R&setup=U").contains("alg and setup"));
        assert!(refused("https://example.org/").contains("without moves"));
        assert!(moves("R U").is_none());
    }
}
