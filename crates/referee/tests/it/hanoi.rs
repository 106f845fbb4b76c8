//! The referee's Towers of Hanoi against cases worked out by hand and the known lengths.

use referee::Refusal;
use referee::hanoi::{Move, Towers, check, parse_moves};

fn towers(text: &str) -> Towers {
    Towers::parse(4, text).unwrap()
}

#[test]
fn three_discs_take_five_moves_on_four_pegs() {
    let (start, goal) = (towers("000"), towers("333"));
    assert_eq!(check(&start, &goal, "1:0>1 2:0>2 3:0>3 2:2>3 1:1>3", 5), Ok(()));
    assert_eq!(check(&start, &goal, "0>1, 0>2, 0>3, 2>3, 1>3", 5), Ok(()));
    assert_eq!(
        check(&start, &goal, "0>1 0>2 0>3 2>3 1>3", 4),
        Err(Refusal::Length { claimed: 4, replayed: 5 })
    );
    assert!(matches!(check(&start, &goal, "0>1 0>2 0>3 2>3", 4), Err(Refusal::Goal { .. })));
}

#[test]
fn a_state_is_one_digit_a_disc_the_largest_first() {
    let mut state = towers("0000");
    state.play(Move::parse("1:0>2").unwrap()).unwrap();
    assert_eq!(state.to_string(), "0002");
    assert_eq!(towers("0312").to_string(), "0312");
    assert_eq!(towers("").discs(), 0);
    assert!(Towers::parse(4, "0400").is_err() && Towers::parse(4, "0x").is_err());
}

#[test]
fn impossible_moves_are_named() {
    let start = towers("000");
    let refused = |text| check(&start, &start, text, 0).unwrap_err().to_string();
    assert_eq!(refused("0>1 0>1"), "move 2 (0>1): disc 2 cannot lie on the smaller disc 1");
    assert_eq!(refused("1>2"), "move 1 (1>2): peg 1 is empty");
    assert_eq!(refused("2:0>1"), "move 1 (2:0>1): disc 1, not 2, is on top of peg 0");
    assert_eq!(refused("0>4"), "move 1 (0>4): there is no peg 4");
    assert_eq!(refused("0>0"), "move 1 (0>0): the disc does not move");
    assert_eq!(refused("0>1 01"), "move 2 (01): not of the form disc:from>to or from>to");
    assert_eq!(refused("a:0>1"), "move 1 (a:0>1): \"a\" is not a number");
}

/// The solution of Frame and Stewart from `pegs[0]` to `pegs[1]`: the smallest discs move aside to `pegs[2]` over all
/// pegs, the others across over all but that one, and the smallest ones on top of them.
fn frame_stewart(discs: usize, pegs: &[usize], moves: &mut Vec<String>) {
    let (from, to) = (pegs[0], pegs[1]);
    if discs == 0 {
        return;
    }
    if discs == 1 {
        return moves.push(format!("{from}>{to}"));
    }
    let (aside, rest) = (pegs[2], &pegs[3..]);
    let aside_discs = if rest.is_empty() { discs - 1 } else { best_split(discs) };
    frame_stewart(aside_discs, &[&[from, aside, to], rest].concat(), moves);
    frame_stewart(discs - aside_discs, &[&[from, to], rest].concat(), moves);
    frame_stewart(aside_discs, &[&[aside, to, from], rest].concat(), moves);
}

/// The length on four pegs: the minimum over all splittings.
fn presumed(discs: usize) -> u64 {
    (0..discs).map(|k| 2 * presumed(k) + (1 << (discs - k)) - 1).min().unwrap_or(0)
}

fn best_split(discs: usize) -> usize {
    (0..discs).min_by_key(|&k| 2 * presumed(k) + (1 << (discs - k)) - 1).unwrap()
}

#[test]
fn presumed_optimal_solutions_have_the_known_lengths() {
    for (discs, length) in [(1, 1), (2, 3), (3, 5), (4, 9), (5, 13), (6, 17), (7, 25), (8, 33), (15, 129)] {
        let mut moves = Vec::new();
        frame_stewart(discs, &[0, 3, 1, 2], &mut moves);
        let (start, goal) = (towers(&"0".repeat(discs)), towers(&"3".repeat(discs)));
        assert_eq!(check(&start, &goal, &moves.join(" "), length), Ok(()), "{discs} discs");
        assert_eq!(presumed(discs), length);
        assert_eq!(parse_moves(&moves.join(" ")).unwrap().len() as u64, length);
    }
}
