//! The checker of certificates: distances found here by plain search are verified, other lengths are refuted, and no
//! text makes it panic.
#![cfg(feature = "certificate")]

use proptest::prelude::*;
use referee::certificate::{
    Answer, Best, Build, Certificate, Effort, Exhausted, Metric, Notation, Puzzle, Report, Search, VERSION,
    Verdict,
};
use referee::{cube, hanoi, tiles};
use std::collections::BTreeMap;

/// A certificate of an answer with the required fields only.
pub(super) fn certificate(instance: &str, puzzle: Puzzle, metric: Metric, result: Answer) -> Certificate {
    Certificate {
        certificate: VERSION,
        instance: instance.into(),
        puzzle,
        metric,
        result,
        best: None,
        all: None,
        search: Search::Ida,
        exhausted: Vec::new(),
        heuristic: "none".into(),
        automaton: "none".into(),
        tables: Vec::new(),
        program: "a test".into(),
        build: Build { target: "here".into(), profile: "now".into() },
    }
}

pub(super) fn optimal(length: u32, solution: &str) -> Answer {
    Answer::Optimal { length, solutions: vec![solution.into()] }
}

fn tiles(rows: usize, columns: usize, start: &str, result: Answer) -> Certificate {
    let goal = (0..rows * columns).map(|tile| tile.to_string()).collect::<Vec<_>>().join(" ");
    let puzzle = Puzzle::Tiles { rows, columns, start: start.into(), goal, notation: Notation::Blank };
    certificate(start, puzzle, Metric::Moves, result)
}

fn towers(start: &str, goal: &str, result: Answer) -> Certificate {
    let puzzle = Puzzle::Hanoi { pegs: 4, start: start.into(), goal: goal.into() };
    let certificate = certificate(&format!("{start} {goal}"), puzzle, Metric::Moves, result);
    Certificate { search: Search::Layers, ..certificate }
}

fn scramble(moves: &str, metric: Metric, result: Answer) -> Certificate {
    let solved = cube::Cube::solved();
    let start = solved.after_all(&cube::parse_moves(moves).unwrap()).to_string();
    let goal = solved.to_string();
    let (ignored, orientation_ignored, alternatives) = (Vec::new(), Vec::new(), Vec::new());
    let puzzle = Puzzle::Cube { start, goal, ignored, orientation_ignored, alternatives, final_turn: None };
    certificate(moves, puzzle, metric, result)
}

pub(super) fn check(certificate: &Certificate) -> Report {
    certificate.check(Effort::default())
}

fn exhausted(bounds: &[u32]) -> Vec<Exhausted> {
    let one =
        |&bound| Exhausted { bound, generated: 1, expanded: 1, pruned_by_heuristic: 0, pruned_by_fsm: 0 };
    bounds.iter().map(one).collect()
}

#[track_caller]
pub(super) fn assert_proved(certificate: &Certificate) {
    let report = check(certificate);
    assert!(report.stands() && report.proved, "{certificate:?}\n{report:?}");
}

#[track_caller]
pub(super) fn assert_refuted(certificate: &Certificate, why: &str) {
    let report = check(certificate);
    let refuted = report.findings.iter().find(|finding| finding.verdict == Verdict::Refuted);
    let refuted = refuted.unwrap_or_else(|| panic!("it stands: {certificate:?}\n{report:?}"));
    assert!(refuted.to_string().contains(why), "{refuted}");
}

/// A shortest sequence of moves to every state that can be reached, by plain search from `start`.
fn ways<S: Clone + Ord>(start: S, moves: impl Fn(&S) -> Vec<(String, S)>) -> BTreeMap<S, Vec<String>> {
    let mut ways = BTreeMap::from([(start.clone(), Vec::new())]);
    let mut layer = vec![start];
    while !layer.is_empty() {
        let mut next = Vec::new();
        for state in layer {
            for (name, child) in moves(&state) {
                if !ways.contains_key(&child) {
                    let way = [&ways[&state][..], &[name]].concat();
                    ways.insert(child.clone(), way);
                    next.push(child);
                }
            }
        }
        layer = next;
    }
    ways
}

/// Checks that answers of these lengths are proved, and answers with one move more refuted. `of` makes a certificate.
fn assert_lengths(length: usize, moves: &str, longer: &str, step: u32, of: impl Fn(Answer) -> Certificate) {
    let length = length as u32;
    assert_proved(&of(optimal(length, moves)));
    assert_proved(&of(Answer::LowerBound { length }));
    assert_refuted(&of(Answer::LowerBound { length: length + 1 }), "no solution of fewer than");
    if length > 0 {
        assert_refuted(&of(optimal(length - 1, moves)), "solution 1: it has");
        assert_refuted(&of(optimal(length - 1, "")), "the moves end at");
    }
    // A longer solution is valid, but not shortest.
    let longer = of(optimal(length + step, longer));
    assert_refuted(&longer, "no solution of fewer than");
    let report = check(&longer);
    assert_eq!(report.lower_bound, Some(length));
    assert!(
        report.findings.iter().any(|finding| finding.claim.contains("leads from start to goal")
            && finding.verdict == Verdict::Verified)
    );
}

#[test]
fn boards_have_the_lengths_of_a_plain_search() {
    for (rows, columns) in [(2, 2), (2, 3), (3, 2)] {
        let goal = (0..rows * columns).map(|tile| tile.to_string()).collect::<Vec<_>>().join(" ");
        let slide = |text: &String| {
            let step = |letter: &str| {
                let board = tiles::Board::parse(rows, columns, text).unwrap();
                let after = board.after_all(&tiles::parse_moves(letter).unwrap()).ok()?;
                Some((letter.to_owned(), after.to_string()))
            };
            ["L", "U", "R", "D"].into_iter().filter_map(step).collect()
        };
        // The search begins at the goal, so the moves are reversed.
        let all = ways(goal, slide);
        let back = |way: &[String]| {
            let opposite = |letter: &String| match &letter[..] {
                "L" => 'R',
                "R" => 'L',
                "U" => 'D',
                _ => 'U',
            };
            way.iter().rev().map(opposite).collect::<String>()
        };
        assert_eq!(all.len(), if rows * columns == 4 { 12 } else { 360 });
        for (board, way) in all.iter().step_by(7) {
            // Two moves back and forth at the goal, whose blank is in the first cell.
            let longer = back(way) + "RL";
            assert_lengths(way.len(), &back(way), &longer, 2, |result| tiles(rows, columns, board, result));
        }
    }
}

#[test]
fn the_hardest_eight_puzzles_and_a_fifteen_puzzle_are_proved() {
    // 31 moves is the greatest distance of 8-puzzles; the bound is checked from both sides.
    for hardest in ["8 7 6 0 4 1 2 5 3", "8 0 6 5 4 7 2 3 1"] {
        assert_proved(&tiles(3, 3, hardest, Answer::LowerBound { length: 31 }));
        assert_refuted(&tiles(3, 3, hardest, Answer::LowerBound { length: 32 }), "a shorter one: ");
    }
    // The first of Korf's hundred 15-puzzles.
    let fifteen = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3";
    assert_proved(&tiles(4, 4, fifteen, Answer::LowerBound { length: 57 }));
    let unsolvable = tiles(3, 3, "0 2 1 3 4 5 6 7 8", Answer::Exhausted);
    assert_proved(&unsolvable);
    assert_refuted(&tiles(3, 3, "0 2 1 3 4 5 6 7 8", optimal(1, "R")), "parity");
    assert_refuted(&tiles(3, 3, "1 0 2 3 4 5 6 7 8", Answer::Exhausted), "there is one of 1 move");
    let thirty_one = "8 7 6 0 4 1 2 5 3";
    for states in [0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000] {
        let report = tiles(3, 3, thirty_one, Answer::LowerBound { length: 31 }).check(Effort { states });
        assert!(
            report.stands() && report.lower_bound.is_some_and(|bound| bound <= 31),
            "{states}: {report:?}"
        );
        // A bound of 33 is wrong. With any effort it is refuted or taken on trust, never proved.
        let report = tiles(3, 3, thirty_one, Answer::LowerBound { length: 33 }).check(Effort { states });
        assert!(
            !report.proved && report.lower_bound.is_some_and(|bound| bound <= 31),
            "{states}: {report:?}"
        );
    }
    let little = tiles(3, 3, thirty_one, Answer::LowerBound { length: 31 }).check(Effort { states: 50 });
    assert!(little.stands() && !little.proved, "{little:?}");
    let trusted = little.findings.iter().find(|finding| finding.verdict == Verdict::Trusted).unwrap();
    let bound = little.lower_bound.unwrap();
    assert_eq!(trusted.claim, format!("no solution of {bound} to 30 moves"), "the rest is named");
}

#[test]
fn towers_have_the_lengths_of_a_plain_search() {
    let play = |text: &String| {
        let state = hanoi::Towers::parse(4, text).unwrap();
        let pairs = (0..4).flat_map(|from| (0..4).map(move |to| format!("{from}>{to}")));
        let step = |text: String| {
            let after = state.after_all(&hanoi::parse_moves(&text).unwrap()).ok()?;
            Some((text, after.to_string()))
        };
        pairs.filter_map(step).collect()
    };
    let all = ways("00000".to_owned(), play);
    assert_eq!(all.len(), 1 << 10);
    for (state, way) in all.iter().step_by(13) {
        // The smallest disc moves to another peg and back.
        let smallest = state.as_bytes()[4] - b'0';
        let other = (smallest + 1) % 4;
        let longer = format!("{} {smallest}>{other} {other}>{smallest}", way.join(" "));
        assert_lengths(way.len(), &way.join(" "), &longer, 2, |result| towers("00000", state, result));
    }
    assert_proved(&towers("0000000000", "3333333333", Answer::LowerBound { length: 49 }));
    assert_refuted(&towers("0000000000", "3333333333", Answer::LowerBound { length: 50 }), "a shorter one: ");
}

#[test]
fn cubes_have_their_known_lengths() {
    for (moves, metric, length, solution, longer) in [
        ("", Metric::Htm, 0, "", "U U'"),
        ("R U R' U'", Metric::Htm, 4, "U R U' R'", "U R U' R' F F'"),
        ("R2 L2 U2 D2 F2 B2", Metric::Htm, 6, "B2 F2 D2 U2 L2 R2", "B2 F2 D2 U2 L2 R2 F F'"),
        ("R2 U", Metric::Qtm, 3, "U' R2", "U' R2 F F'"),
        ("R L U", Metric::Stm, 3, "U' L2 M'", "U' R' L' F F'"),
        ("R L' U", Metric::Stm, 2, "U' M'", "U' M' F F'"),
        ("M2 E2 S2", Metric::Stm, 3, "M2 E2 S2", "S2 E2 M2 F F'"),
    ] {
        let of = |result| scramble(moves, metric, result);
        assert_lengths(length, solution, longer, 2, of);
    }
    assert_refuted(&scramble("R U", Metric::Qtm, Answer::LowerBound { length: 3 }), "a shorter one: U' R'");
    // A slice is one move in this metric and two in others; rotations of the whole cube are no moves.
    assert_refuted(&scramble("R L' U", Metric::Htm, optimal(2, "U' M")), "may turn only faces");
    assert_refuted(&scramble("R U", Metric::Stm, optimal(3, "U' R' x")), "may turn only faces and slices");
    assert_refuted(&scramble("R U", Metric::Stm, optimal(2, "U' M'")), "the moves end at");
    assert_refuted(
        &scramble("R L' U", Metric::Stm, Answer::LowerBound { length: 3 }),
        "of 2 moves: U' M' x'",
    );
    // The superflip needs 20 half turns; the referee's own search reaches 12.
    let solution = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2";
    let report = check(&scramble(solution, Metric::Htm, optimal(20, solution)));
    assert!(report.stands() && !report.proved && report.lower_bound == Some(13), "{report:?}");
    let claims: Vec<String> = report.findings.iter().map(ToString::to_string).collect();
    assert!(claims.iter().any(|claim| claim.starts_with("taken on trust: no solution of 13 to 19 moves")));
}

#[test]
fn each_claim_that_is_changed_is_refuted() {
    let whole = || Certificate {
        exhausted: exhausted(&[2, 3]),
        ..scramble("R U R' U'", Metric::Htm, optimal(4, "U R U' R'"))
    };
    assert_proved(&whole());
    let changed = |change: &dyn Fn(&mut Certificate)| {
        let mut certificate = whole();
        change(&mut certificate);
        certificate
    };
    let refuted = |change: &dyn Fn(&mut Certificate), why: &str| assert_refuted(&changed(change), why);
    refuted(&|c| c.result = optimal(4, "U R U' R"), "the moves end at");
    refuted(&|c| c.result = optimal(4, "U R U' M"), "may turn only faces");
    refuted(&|c| c.result = optimal(5, "U R U' R'"), "it has only 4 moves");
    refuted(&|c| c.result = optimal(3, "U R U' R'"), "it has 4 moves");
    refuted(&|c| c.result = Answer::Optimal { length: 4, solutions: Vec::new() }, "no solution is listed");
    refuted(&|c| c.result = Answer::Exhausted, "there is one of 4 moves");
    refuted(&|c| c.exhausted = exhausted(&[2, 3, 4, 5]), "beyond");
    refuted(&|c| c.exhausted = exhausted(&[3, 2]), "bound 2 comes after bound 3");
    refuted(&|c| c.instance = "R U".into(), "another state");
    refuted(&|c| c.metric = Metric::Moves, "of another puzzle");
    refuted(
        &|c| (c.result, c.exhausted) = (Answer::LowerBound { length: 4 }, exhausted(&[4])),
        "every solution is longer",
    );
    // A missing bound is not a contradiction, but the claim is no longer verified.
    let gap = changed(&|c| c.exhausted = exhausted(&[1, 3]));
    let report = check(&gap);
    let finding = report.findings.iter().find(|finding| finding.claim.contains("exhausted bounds")).unwrap();
    assert_eq!(finding.verdict, Verdict::Trusted);
    let with_start = |text: String| {
        changed(&|c| {
            if let Puzzle::Cube { start, .. } = &mut c.puzzle {
                *start = text.clone();
            }
        })
    };
    assert_refuted(&with_start("UUU".into()), "3 stickers instead of 54");
    let solved = cube::Cube::solved().to_string();
    assert_refuted(&with_start(solved.replacen("UUU", "UUR", 1)), "not a cube");
    assert_refuted(&with_start(solved), "another state");
}

#[test]
fn best_solutions_of_bounded_answers_are_replayed() {
    let best = |length, solution: &str| Some(Best { length, solution: solution.into() });
    let bounded = |least, best| Certificate {
        best,
        ..tiles(3, 3, "1 2 5 3 4 8 6 7 0", Answer::LowerBound { length: least })
    };
    let report = check(&bounded(4, best(6, "UULRLL")));
    let found = |report: &Report| {
        let about = |finding: &&referee::certificate::Finding| finding.claim.starts_with("the best solution");
        report.findings.iter().find(about).map(|finding| (finding.verdict, finding.reason.clone()))
    };
    assert!(report.stands() && report.proved && report.lower_bound == Some(4), "{report:?}");
    assert_eq!(found(&report), Some((Verdict::Verified, "replayed".to_owned())));
    assert_eq!(found(&check(&bounded(4, None))), None);
    for (least, known, why) in [
        (4, best(6, "UULL"), "it has 4 moves"),
        (4, best(4, "UULR"), "the moves end at"),
        (4, best(3, "UUL"), "the lower bound is 4 moves"),
        (4, best(4, "UULX"), "not one of L, U, R, D"),
    ] {
        assert_refuted(&bounded(least, known), why);
    }
    let proved =
        Certificate { best: best(4, "UULL"), ..tiles(3, 3, "1 2 5 3 4 8 6 7 0", optimal(4, "UULL")) };
    assert_refuted(&proved, "a shortest solution is listed");
    // The first version has no such field.
    let text = serde_json::to_string(&bounded(4, best(6, "UULRLL"))).unwrap();
    assert!(Certificate::parse(&text).is_ok());
    let older = text.replace("\"certificate\":2", "\"certificate\":1");
    assert!(Certificate::parse(&older).unwrap_err().to_string().contains("version 1 has no field `best`"));
}

#[test]
fn malformed_certificates_are_refused() {
    let good = serde_json::to_string(&scramble("R U", Metric::Htm, optimal(2, "U' R'"))).unwrap();
    assert!(Certificate::parse(&good).is_ok());
    let refused = |text: &str| Certificate::parse(text).unwrap_err().to_string();
    for cut in 0..good.len() {
        assert!(Certificate::parse(&good[..cut]).is_err(), "cut off after {cut} bytes");
    }
    for version in [0, 3] {
        let other = good.replace("\"certificate\":2", &format!("\"certificate\":{version}"));
        assert!(refused(&other).contains(&format!("version {version}")), "{other}");
    }
    // Certificates of the first version are read as before.
    assert!(Certificate::parse(&good.replace("\"certificate\":2", "\"certificate\":1")).is_ok());
    assert!(
        refused(&good.replace("\"length\":2", "\"length\":99999999999999999999")).contains("expected u32")
    );
    assert!(refused(&good.replace("\"length\":2", "\"length\":4294967296")).contains("expected u32"));
    assert!(refused(&good.replace("\"length\":2", "\"length\":-1")).contains("expected u32"));
    assert!(refused(&good.replace("\"length\":2", "\"length\":2,\"luck\":1")).contains("unknown field"));
    assert!(refused(&good.replacen('{', "{\"more\":1,", 1)).contains("unknown field"));
    assert!(refused(&good.replace("\"tables\":[],", "")).contains("missing field"));
    assert!(refused(&format!("{good}{good}")).contains("trailing characters"));
    assert!(refused(&"[".repeat(100_000)).contains("not a certificate"));
    assert!(refused(&good.replace("[]", &"[".repeat(100_000))).contains("not a certificate"));
    assert!(refused(&format!("{{\"certificate\":{}", "[".repeat(1000))).contains("not a certificate"));
}

#[test]
fn numbers_that_are_too_large_for_the_puzzle_are_refuted() {
    let solved = "0 1 2 3";
    for (rows, columns) in [(0, 0), (1, 4), (11, 11), (usize::MAX, usize::MAX), (usize::MAX, 2)] {
        let puzzle = Puzzle::Tiles {
            rows,
            columns,
            start: solved.into(),
            goal: solved.into(),
            notation: Notation::Tile,
        };
        assert_refuted(
            &certificate(solved, puzzle, Metric::Moves, optimal(0, "")),
            "2 to 10 rows and columns",
        );
    }
    for pegs in [0, 2, 5, usize::MAX] {
        let puzzle = Puzzle::Hanoi { pegs, start: "00".into(), goal: "11".into() };
        assert_refuted(&certificate("", puzzle, Metric::Moves, optimal(0, "")), "pegs");
    }
    assert_refuted(&towers(&"0".repeat(33), &"1".repeat(33), optimal(0, "")), "33 discs");
    assert_refuted(&towers("", "", optimal(0, "")), "0 discs");
    assert_refuted(&towers("00", "111", optimal(0, "")), "2 discs and the goal 3");
    assert_refuted(&towers(&"0".repeat(5000), "1", optimal(0, "")), "longer than 1000 bytes");
    let far = Answer::LowerBound { length: u32::MAX };
    let mut far = scramble("R U", Metric::Qtm, far);
    far.exhausted = exhausted(&[u32::MAX - 2]);
    assert_refuted(&far, "a shorter one");
}

/// Certificates to change, one of each kind.
fn samples() -> Vec<String> {
    let mut all = scramble("R U", Metric::Qtm, optimal(2, "U' R'"));
    all.exhausted = exhausted(&[0, 2]);
    let samples = [
        all,
        scramble("x R2 U", Metric::Htm, Answer::LowerBound { length: 2 }),
        tiles(2, 3, "1 0 2 3 4 5", optimal(1, "L")),
        tiles(3, 3, "0 2 1 3 4 5 6 7 8", Answer::Exhausted),
        towers("000", "333", optimal(5, "0>1 0>2 0>3 2>3 1>3")),
    ];
    samples.iter().map(|certificate| serde_json::to_string(certificate).unwrap()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn no_changed_text_makes_the_checker_panic(
        sample in 0..5usize,
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..4u8, any::<char>()), 1..6),
    ) {
        let mut text: Vec<char> = samples()[sample].chars().collect();
        for (at, other, kind, new) in edits {
            if text.is_empty() { break }
            let (at, other) = (at.index(text.len()), other.index(text.len()));
            match kind {
                0 => text[at] = new,
                1 => text[at] = text[other],
                2 => drop(text.drain(at.min(other)..at.max(other).min(at.min(other) + 9))),
                _ => {
                    let some: Vec<char> = text[at.min(other)..at.max(other)].iter().take(40).copied().collect();
                    let tail = text.split_off(at);
                    text.extend(some.into_iter().chain(tail));
                }
            }
        }
        let text: String = text.into_iter().collect();
        if let Ok(certificate) = Certificate::parse(&text) {
            let report = certificate.check(Effort { states: 2000 });
            prop_assert!(!report.findings.is_empty());
        }
    }

    /// Replacing a digit or letter by another more often leaves a valid certificate.
    #[test]
    fn no_changed_letter_makes_the_checker_panic(
        sample in 0..5usize,
        edits in prop::collection::vec((any::<prop::sample::Index>(), "[0-9A-Za-z '\\-]"), 1..4),
    ) {
        let mut text: Vec<char> = samples()[sample].chars().collect();
        for (at, new) in edits {
            let at = at.index(text.len());
            text[at] = new.chars().next().unwrap_or('0');
        }
        if let Ok(certificate) = Certificate::parse(&text.into_iter().collect::<String>()) {
            certificate.check(Effort { states: 2000 });
        }
    }
}
