//! Links to a player in the browser that shows a solution.

use crate::cube::Turn;
use crate::notation::{Given, Position, scramble};

/// A link to the Twizzle editor, which starts from the moves of `setup` and plays `moves`.
pub(super) fn twizzle(setup: &str, moves: &str) -> String {
    let parameters = [("alg", moves), ("setup-alg", setup)].into_iter().filter(|(_, text)| !text.is_empty());
    let parameters: Vec<_> = parameters.map(|(name, text)| format!("{name}={}", encoded(text))).collect();
    format!("https://alpha.twizzle.net/edit/?{}", parameters.join("&"))
}

/// Moves from the solved cube, held at home, to `start` as it is held: those that were typed, or else those of the
/// goal followed by the inverse of a solution. `None` if the goal was not given as moves.
pub(super) fn setup(start: &Position, goal: Option<&[Turn]>, solution: &[Turn]) -> Option<String> {
    let turns = match &start.given {
        Given::Moves(turns) => turns.clone(),
        _ => goal?.iter().copied().chain(solution.iter().rev().map(|turn| turn.inverse())).collect(),
    };
    Some(format!("{} {}", scramble::format(turns), start.orientation).trim().to_owned())
}

/// Encodes a text as a value of a query: letters, digits and `*-._` stay, spaces become `+`, all other bytes
/// `%XX`.
fn encoded(text: &str) -> String {
    let byte = |byte: u8| match byte {
        b' ' => "+".to_owned(),
        b'*' | b'-' | b'.' | b'_' => char::from(byte).to_string(),
        _ if byte.is_ascii_alphanumeric() => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(byte).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{facelets, parse};

    #[test]
    fn moves_are_encoded() {
        assert_eq!(
            twizzle("R U2 x'", "U2 R'"),
            "https://alpha.twizzle.net/edit/?alg=U2+R%27&setup-alg=R+U2+x%27"
        );
        assert_eq!(twizzle("", "R"), "https://alpha.twizzle.net/edit/?alg=R");
        assert_eq!(encoded("a&b=c#d%é+_"), "a%26b%3Dc%23d%25%C3%A9%2B_");
    }

    /// Replayed by the referee, the setup leads to the cube as it is held.
    #[test]
    fn the_setup_leads_to_the_cube() {
        let turns = |text| scramble::parse(text).unwrap().turns;
        let shown = |moves: &str| {
            let moves = referee::cube::parse_moves(moves).unwrap();
            referee::cube::Cube::solved().after_all(&moves).to_string()
        };
        for (typed, solution) in [("x R U' M", ""), ("Rw2 y' F", "")] {
            let start = parse(typed, None).unwrap();
            assert_eq!(shown(&setup(&start, None, &turns(solution)).unwrap()), shown(typed));
        }
        // R U F2 held by y x2, given as facelets; F2 U' R' solve it.
        let seen = shown("R U F2 y x2");
        let start = parse(&seen, None).unwrap();
        assert_eq!(shown(&setup(&start, Some(&[]), &turns("F2 U' R'")).unwrap()), seen);
        assert_eq!(setup(&start, None, &[]), None);
        let goal = turns("L D");
        let start = goal.iter().copied().chain(turns("B R'"));
        let start = facelets::format(&crate::Cube::SOLVED.apply_all(start));
        let text = setup(&parse(&start, None).unwrap(), Some(&goal), &turns("R B'")).unwrap();
        assert_eq!((text.as_str(), shown(&text)), ("L D B R'", start));
    }
}
