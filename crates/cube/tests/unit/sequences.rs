//! Strings that move few pieces, commutators, and insertions one after another, compared with all strings and all pairs.

use crate::fmc::sequence::{Inserter, MOST_OPEN, Sequence, SequenceError};
use crate::fmc::words::{MOST_MOVES, Open, Words};
use crate::fmc::{bracketed, joined, length};
use crate::notation::scramble;
use crate::{Cube, Metric, Turn};
use search_core::Run;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::LazyLock;

/// All strings of the most moves, which take seconds to list.
static LONGEST: LazyLock<Inserter> =
    LazyLock::new(|| Inserter::new(Metric::Htm, MOST_MOVES, &Run::new()).unwrap());

fn turns(text: &str) -> Vec<Turn> {
    scramble::parse(text).unwrap().turns
}

/// Everything that the strings of a set do, with the strings.
fn listed(words: &Words) -> BTreeSet<(Cube, Vec<Turn>)> {
    words.effects().flat_map(|cube| words.making(cube).map(|word| (*cube, word.to_vec()))).collect()
}

/// All strings of at most `most` moves that move at most five corners, or at most five edges, and nothing else: every
/// string is applied.
fn by_brute_force(most: usize) -> BTreeSet<(Cube, Vec<Turn>)> {
    fn longer(word: &mut Vec<Turn>, cube: Cube, most: usize, found: &mut BTreeSet<(Cube, Vec<Turn>)>) {
        let Open { corners, edges, .. } = Open::of(&cube);
        if (corners == 0 || edges == 0) && (1..=5).contains(&(corners + edges)) {
            found.insert((cube, word.clone()));
        }
        if word.len() == most {
            return;
        }
        // Of strings that differ in the order of opposite faces, one is tried.
        let last = word.last().copied();
        let is_next =
            |turn: &Turn| last.is_none_or(|last| !last.shares_axis(*turn) || last.face() < turn.face());
        for turn in Turn::all().filter(is_next) {
            word.push(turn);
            longer(word, cube.apply(turn), most, found);
            word.pop();
        }
    }
    let mut found = BTreeSet::new();
    longer(&mut Vec::new(), Cube::SOLVED, most, &mut found);
    found
}

#[test]
fn the_strings_are_those_of_brute_force() {
    let expected = by_brute_force(6);
    assert!(expected.len() > 100);
    for most in 3..=6 {
        let shorter = expected.iter().filter(|(_, word)| word.len() <= most).cloned().collect();
        assert_eq!(listed(&Words::new(Metric::Htm, most as u32, &Run::new()).unwrap()), shorter, "{most}");
    }
    let quarters = listed(&Words::new(Metric::Qtm, 6, &Run::new()).unwrap());
    assert!(expected.iter().filter(|(_, word)| length(Metric::Qtm, word) <= 6).eq(&quarters));
}

/// Known numbers: 1,008 cycles of three corners, counted by hand, of which all but 64 have strings of ten moves.
#[test]
fn strings_of_ten_moves_cycle_three_corners() {
    let words = &LONGEST.words;
    let of = |corners, edges| {
        words.effects().filter(|cube| Open::of(cube) == Open { corners, edges, turned: 0 }).count()
    };
    assert_eq!((of(3, 0), of(0, 3), of(2, 0), of(0, 2)), (944, 1464, 0, 0));
    for cube in words.effects().step_by(97) {
        for word in words.making(cube) {
            assert_eq!(Cube::SOLVED.apply_all(word.iter().copied()), *cube);
        }
    }
    let niklas = turns("R U' L' U R' U' L U");
    assert!(words.making(&Cube::SOLVED.apply_all(niklas.iter().copied())).any(|word| word == niklas));
}

/// Every half of at most five moves is tried before every half that completes it.
#[test]
fn strings_of_two_corners_and_two_edges_are_all_pairs_of_halves() {
    let words = &LONGEST.words;
    let is_mixed = |cube: &&Cube| Open::of(cube).corners == 2 && Open::of(cube).edges == 2;
    let found: Vec<Cube> = words.effects().filter(is_mixed).copied().collect();
    let strings: usize = found.iter().map(|cube| words.making(cube).count()).sum();
    assert_eq!((found.len(), strings), (384, 960));
    let mut halves = vec![(Cube::SOLVED, Vec::new())];
    let mut from = 0;
    for _ in 0..5 {
        for at in std::mem::replace(&mut from, halves.len())..halves.len() {
            let (cube, turns) = halves[at].clone();
            let longer = Turn::all().map(|turn| (cube.apply(turn), [&turns[..], &[turn]].concat()));
            halves.extend(longer.filter(|(_, turns)| Metric::Htm.canonical(turns) == *turns));
        }
    }
    let mut by_cube: HashMap<Cube, Vec<&[Turn]>> = HashMap::new();
    halves.iter().for_each(|(cube, turns)| by_cube.entry(*cube).or_default().push(turns));
    // Some that strings make, and conjugates of the T permutation, most of which none makes.
    let swap = turns("R U R' U' R' F R2 U' R' U' R U R' F'");
    let swap = Cube::SOLVED.apply_all(swap);
    assert!(is_mixed(&&swap));
    let conjugates = Turn::all().map(|turn| Cube::of_turn(turn).compose(&swap).apply(turn.inverse()));
    for cube in found.iter().step_by(found.len() / 4).copied().chain(conjugates.step_by(9)) {
        let mut expected = BTreeSet::new();
        for (first, turns) in &halves {
            // What is left after the first half.
            for second in by_cube.get(&first.inverse().compose(&cube)).into_iter().flatten() {
                let whole = [turns, *second].concat();
                if Metric::Htm.canonical(&whole) == whole {
                    expected.insert(whole);
                }
            }
        }
        let listed: BTreeSet<Vec<Turn>> = words.making(&cube).map(<[Turn]>::to_vec).collect();
        assert_eq!(listed, expected, "{cube:?}");
    }
}

/// Two corners and two edges are left, which no strings of corners alone and of edges alone solve.
#[test]
fn two_corners_and_two_edges_take_one_insertion() {
    let run = Run::new();
    let inserter = &*LONGEST;
    let skeleton = turns("R2 U' F D L2 B' U2 R F'");
    let words = &inserter.words;
    let is_mixed = |cube: &&Cube| Open::of(cube).corners == 2 && Open::of(cube).edges == 2;
    let missing = words.making(words.effects().filter(is_mixed).nth(7).unwrap()).next().unwrap().to_vec();
    let whole = [&skeleton[..4], &missing, &skeleton[4..]].concat();
    let cube = Cube::SOLVED.apply_all(whole.iter().copied()).inverse();
    let found = inserter.find(&cube, &skeleton, 20, &run).unwrap();
    let best = &found.solved[0];
    assert!(best.last().length <= length(Metric::Htm, &joined(Metric::Htm, &whole)));
    found.solved.iter().chain(&found.steps).for_each(|sequence| replay(&cube, &skeleton, sequence));
}

#[test]
fn commutators_are_named() {
    for (text, expected) in [
        ("R U R' U'", "[R, U]"),
        ("R U' L' U R' U' L U", "[R, U' L' U]"),
        ("R' U R' D2 R U' R' D2 R2", "[R2: [R U R', D2]]"),
        ("F R U R' U' F'", "[F: [R, U]]"),
    ] {
        assert_eq!(bracketed(&turns(text)).as_deref(), Some(expected));
        assert_eq!(joined(Metric::Htm, &turns(expected)), joined(Metric::Htm, &turns(text)), "{expected}");
    }
    for text in ["", "R", "R U F", "R U F D L B"] {
        assert_eq!(bracketed(&turns(text)), None, "{text}");
    }
}

/// The result of each sequence of one or two insertions, each of which leaves less unsolved, with the pieces left.
fn all_sequences(
    cube: &Cube,
    skeleton: &[Turn],
    words: &[(Cube, Vec<Turn>)],
    most: usize,
) -> BTreeMap<Vec<Turn>, Open> {
    let open = |turns: &[Turn]| Open::of(&cube.apply_all(turns.iter().copied()));
    let mut found = BTreeMap::new();
    for after in 0..=skeleton.len() {
        for (_, word) in words {
            let whole = [&skeleton[..after], word, &skeleton[after..]].concat();
            if open(&whole).left() < open(skeleton).left() {
                found.insert(joined(Metric::Htm, &whole), open(&whole));
                if most > 1 && open(&whole).pieces() > 0 {
                    found.extend(all_sequences(cube, &whole, words, most - 1));
                }
            }
        }
    }
    found
}

#[test]
fn all_sequences_are_those_of_brute_force() {
    let run = Run::new();
    let inserter = Inserter::new(Metric::Htm, 6, &run).unwrap();
    let words: Vec<_> = listed(&Words::new(Metric::Htm, 6, &run).unwrap()).into_iter().collect();
    for (missing, skeleton) in [
        // Two cycles of three edges, and one of them where turns meet.
        (["L' R U2 L R' F2", "U D' F2 U' D R2"], "U L"),
        (["L' R U2 L R' F2", ""], "F2 D R"),
        (["", ""], "B"),
    ] {
        let whole = turns(skeleton);
        let solution =
            [turns(missing[0]), whole[..1].to_vec(), turns(missing[1]), whole[1..].to_vec()].concat();
        let cube = Cube::SOLVED.apply_all(solution).inverse();
        let expected = all_sequences(&cube, &whole, &words, 2);
        let found = inserter.find(&cube, &whole, usize::MAX, &run).unwrap();
        let results = |sequences: &[Sequence]| -> BTreeSet<Vec<Turn>> {
            sequences.iter().map(|sequence| sequence.last().solution.clone()).collect()
        };
        let solved = expected.iter().filter(|(_, open)| open.pieces() == 0).map(|(turns, _)| turns.clone());
        assert_eq!(results(&found.solved), solved.collect(), "{skeleton}");
        let single = all_sequences(&cube, &whole, &words, 1);
        let steps = single.iter().filter(|(_, open)| open.pieces() > 0).map(|(turns, _)| turns.clone());
        assert_eq!(results(&found.steps), steps.collect(), "{skeleton}");
        assert!(found.solved.is_sorted_by_key(|sequence| sequence.last().length));
        found.solved.iter().chain(&found.steps).for_each(|sequence| replay(&cube, &whole, sequence));
        // Fewer are the first of all.
        let few = inserter.find(&cube, &whole, 3, &run).unwrap();
        assert!(few.solved[..] == found.solved[..found.solved.len().min(3)]);
    }
}

/// Makes the insertions one by one.
fn replay(cube: &Cube, skeleton: &[Turn], sequence: &Sequence) {
    let mut whole = skeleton.to_vec();
    for insertion in &sequence.insertions {
        whole.splice(insertion.after..insertion.after, insertion.turns.iter().copied());
        assert_eq!(insertion.solution, joined(Metric::Htm, &whole));
        assert_eq!(insertion.length, length(Metric::Htm, &insertion.solution));
    }
    assert_eq!(Open::of(&cube.apply_all(whole)), sequence.open);
}

/// Five corners, each cycle of which takes eight moves: the best sequence is at most as long as the one that was built in.
#[test]
fn five_corners_take_two_insertions() {
    let run = Run::new();
    let inserter = &*LONGEST;
    let skeleton = turns("R2 U' F D L2 B' U2 R F'");
    let parts = [turns("R U' L' U R' U' L U"), turns("D' F' U F D F' U' F")];
    let whole = [&skeleton[..3], &parts[0], &skeleton[3..6], &parts[1], &skeleton[6..]].concat();
    let cube = Cube::SOLVED.apply_all(whole.iter().copied()).inverse();
    let found = inserter.find(&cube, &skeleton, 20, &run).unwrap();
    let best = &found.solved[0];
    assert!(best.last().length <= length(Metric::Htm, &joined(Metric::Htm, &whole)));
    assert!(found.solved.len() == 20 && found.solved.iter().all(|one| one.open == Open::default()));
    found.solved.iter().chain(&found.steps).for_each(|sequence| replay(&cube, &skeleton, sequence));
    let on_one = inserter.find(&cube, &skeleton, 20, &Run::new().with_threads(1)).unwrap();
    assert!(on_one.solved == found.solved && on_one.steps == found.steps, "threads change nothing");
}

/// Two turned corners are no cycle of three, but two of them.
#[test]
fn turned_corners_take_two_insertions() {
    let run = Run::new();
    let inserter = &*LONGEST;
    let twist = turns("R' D' R D R' D' R D U D' R' D R D' R' D R U'");
    let cube = Cube::SOLVED.apply_all(twist).inverse();
    assert_eq!(Open::of(&cube), Open { corners: 2, edges: 0, turned: 2 });
    let found = inserter.find(&cube, &[], 5, &run).unwrap();
    assert!(found.solved.len() == 5 && found.solved.iter().all(|one| one.insertions.len() == 2));
    found.solved.iter().for_each(|sequence| replay(&cube, &[], sequence));
    assert_eq!(found.steps[0].open, Open { corners: 3, edges: 0, turned: 0 });
}

#[test]
fn skeletons_that_leave_much_unsolved_are_refused() {
    let inserter = Inserter::new(Metric::Htm, 6, &Run::new()).unwrap();
    let cube = Cube::SOLVED.apply_all(turns("R U F"));
    let error = inserter.find(&cube, &[], 5, &Run::new()).unwrap_err();
    assert!(matches!(error, SequenceError::Open(open) if open > MOST_OPEN), "{error}");
}
