//! Commutators, conjugates, repetitions and inverses, compared with an expansion by text.

use super::cubes::{below, referee_facelets, rng};
use chacha20::ChaCha8Rng;
use cube::notation::scramble::{self, MOST_MOVES};
use cube::notation::{Defect, facelets, parse};
use proptest::prelude::*;

/// Moves as their plain text, one word each.
type Plain = Vec<String>;

fn inverse(plain: &[String]) -> Plain {
    let one = |word: &String| match word.strip_suffix('\'') {
        Some(base) => base.to_owned(),
        None if word.ends_with('2') => word.clone(),
        None => format!("{word}'"),
    };
    plain.iter().rev().map(one).collect()
}

fn repeated(plain: &[String], times: usize) -> Plain {
    plain.iter().cycle().take(times * plain.len()).cloned().collect()
}

/// A random text with brackets, and its expansion.
fn random(rng: &mut ChaCha8Rng, depth: usize) -> (String, Plain) {
    let (mut text, mut plain) = (Vec::new(), Vec::new());
    for _ in 0..1 + below(rng, 3) {
        let (part, meaning) =
            if depth == 0 || below(rng, 2) == 0 { single(rng) } else { bracket(rng, depth - 1) };
        text.push(part);
        plain.extend(meaning);
    }
    (text.join([" ", "", "\n"][below(rng, 3)]), plain)
}

fn single(rng: &mut ChaCha8Rng) -> (String, Plain) {
    let faces = ["U", "R", "F", "D", "L", "B", "r", "u", "M", "E", "S", "x", "y", "z"];
    let word = format!("{}{}", faces[below(rng, faces.len())], ["", "2", "'"][below(rng, 3)]);
    (word.clone(), vec![word])
}

fn bracket(rng: &mut ChaCha8Rng, depth: usize) -> (String, Plain) {
    let ((a, first), (b, second)) = (random(rng, depth), random(rng, depth));
    let (text, plain) = match below(rng, 4) {
        0 => (
            format!("[{a}, {b}]"),
            [first.clone(), second.clone(), inverse(&first), inverse(&second)].concat(),
        ),
        1 => (format!("[{a}:{b}]"), [first.clone(), second, inverse(&first)].concat()),
        2 => (format!("({a})"), first),
        _ => (format!("[ {a} ]"), first),
    };
    match below(rng, 5) {
        0 => (format!("{text}3 "), repeated(&plain, 3)),
        1 => (text + "' ", inverse(&plain)),
        2 => (text + "×2' ", inverse(&repeated(&plain, 2))),
        _ => (text + " ", plain),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..Default::default() })]

    #[test]
    fn brackets_mean_their_expansion(seed: u64) {
        let (text, plain) = random(&mut rng(seed), 3);
        prop_assume!(plain.len() < 2000);
        let read = scramble::parse(&text).unwrap();
        prop_assert_eq!(&read, &scramble::parse(&plain.join(" ")).unwrap(), "{}", text);
        if plain.len() < 60 {
            let seen = facelets::parse(&referee_facelets(&plain.join(" "))).unwrap();
            prop_assert_eq!((seen.cube, seen.orientation), (read.cube(), read.orientation));
        }
    }
}

#[test]
fn usual_brackets_expand() {
    let expands = |text: &str, plain: &str| {
        assert_eq!(scramble::parse(text).unwrap(), scramble::parse(plain).unwrap(), "{text}");
        assert_eq!(parse(text, None).unwrap().cube, scramble::parse(plain).unwrap().cube());
    };
    expands("[R, U]", "R U R' U'");
    expands("[R,U]2", "R U R' U' R U R' U'");
    expands("[R: U]", "R U R'");
    expands("[R: [U, D'] F2]", "R U D' U' D F2 R'");
    expands("[[R: U], D]", "R U R' D R U' R' D'");
    expands("[R U R', D] // a corner cycle", "R U R' D R U' R' D'");
    expands("(R U R' U')3", &["R U R' U'"; 3].join(" "));
    expands("(R U R' U')*3 F", &(["R U R' U'"; 3].join(" ") + " F"));
    expands("(R2 U)'", "U' R2");
    expands("((R U)2 F)'2", "F' U' R' U' R' F' U' R' U' R'");
    expands("(x R)2", "x R x R");
    expands("[r: U]", "r U r'");
    expands("(R U)12", &["R U"; 12].join(" "));
    // These were accepted before amounts were, and keep their meaning.
    expands("(R U)2Rw F", "R U 2Rw F");
    expands("(R U)x' F", "R U x' F");
    expands("(R U) x3", "R U x'");
    expands("(R U)³", "R U R U R U");
    // The inverse, then a wide turn.
    expands("(R U)'2Rw", "U' R' Rw");
}

fn fault(text: &str) -> String {
    scramble::parse(text).unwrap_err().to_string()
}

#[test]
fn faulty_brackets_are_located() {
    for (text, expected) in [
        ("(R U", "column 1: \"(\": it is never closed"),
        ("R U] F)", "column 4: \"]\": no open bracket to close"),
        ("(R [U) F]", "column 6: \")\": it does not match the open bracket"),
        ("(R U)3 (F", "column 8: \"(\": it is never closed"),
        ("(R U)3 F)", "column 9: \")\": no open bracket to close"),
        ("([R, U)]", "column 7: \")\": it does not match the open bracket"),
        ("[R, U, F]", "column 6: \",\": a bracket may have only one comma or colon; write [A: [B, C]]"),
        ("R\n[, U]", "line 2, column 2: \",\": no moves on one side of it"),
        ("[R:]", "column 3: \":\": no moves on one side of it"),
        ("(R U)12Rw", "column 6: \"12Rw\" is not a move"),
        ("(R U)*", "column 6: \"*\" is not a move"),
        ("(R U) 3", "column 7: \"3\" is not a move"),
        ("F (R U)x3 F'", "column 8: \"x3\" is not a move; expected a space before the x"),
        ("(R U)x2", "no x to repeat the bracket"),
    ] {
        assert!(fault(text).contains(expected), "{text}: {}", fault(text));
    }
}

/// A few characters can stand for a very large number of moves.
#[test]
fn an_expansion_is_bounded() {
    let nested = |n: usize| "(".repeat(n) + "R" + &")9".repeat(n);
    let commutators = |n: usize| (0..n).fold("R".to_owned(), |text, _| format!("[{text}, U]"));
    assert_eq!(scramble::parse(&nested(5)).unwrap().turns.len(), 59_049);
    for text in [
        nested(6),
        nested(40),
        commutators(40),
        "(R)99999999999999999999".to_owned(),
        "(R U)50001".to_owned(),
    ] {
        let defects = scramble::parse(&text).unwrap_err().defects;
        assert_eq!(defects, [Defect::TooManyMoves(MOST_MOVES)], "{text}");
    }
    assert_eq!(scramble::parse("()99999999999999 R").unwrap().turns.len(), 1);
    let deep = "(".repeat(100_000) + "R" + &")".repeat(100_000);
    assert!(fault(&deep).contains("it is nested too deeply"));
    assert!(fault(&(deep + "2")).contains("it is nested too deeply"));
}
