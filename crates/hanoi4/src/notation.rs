//! States as people write them.
//!
//! | form | example: disc 1, the smallest, on the last of four pegs, discs 2 and 3 on the first |
//! | --- | --- |
//! | the peg of each disc | `003`, `0 0 3`, `[0, 0, 3]`, `(0, 0, 3)` |
//! | the discs of each peg | `[[3, 2], [], [], [1]]`, `((3, 2), (), (), (1,))`, `3 2 \| \| \| 1` |
//!
//! The largest disc comes first, on a peg too: from the bottom to the top. Pegs are counted from 0, discs from 1, the
//! smallest. A [`Notation`] changes the order of the discs, or counts pegs from 1.
//!
//! No text has two readings. Only the second form has lists in a list or bars, so the form follows from the text; the
//! order and the first peg follow from the notation alone. A reader consumes the whole text: each number is used once,
//! and what is left over, occurs twice or is in the other order is an error.

use crate::model::{BadInput, Puzzle, State, to_u32};

/// The notation of states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Notation {
    /// Whether the smallest disc comes first; on a peg, the top disc.
    pub smallest_first: bool,
    /// Whether pegs are counted from 1.
    pub pegs_from_1: bool,
}

/// A word, or a list in brackets.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Item<'a> {
    Word(&'a str),
    List(Vec<Item<'a>>),
}

impl Notation {
    /// Reads a state on `pegs` pegs. The number of discs follows from the text, and is `discs` if that is given.
    ///
    /// # Errors
    /// Every fault of the text.
    pub fn read(&self, text: &str, pegs: u32, discs: Option<u32>) -> Result<(Puzzle, State), BadInput> {
        if text.contains('|') {
            let stacks: Result<Vec<Vec<Item<'_>>>, BadInput> = text.split('|').map(items).collect();
            return self.stacks(&stacks?, sized(text, pegs, discs));
        }
        let mut list = items(text)?;
        if let [Item::Word(word)] = list[..] {
            list =
                word.char_indices().map(|(at, digit)| Item::Word(&word[at..][..digit.len_utf8()])).collect();
        } else if let [Item::List(inner)] = &mut list[..] {
            list = std::mem::take(inner);
        }
        let is_list = |item: &Item<'_>| matches!(item, Item::List(_));
        if !list.iter().any(is_list) {
            return self.pegs_of_discs(&list, sized(text, pegs, discs));
        }
        let stacks = list.into_iter().map(|item| match item {
            Item::List(stack) => Ok(stack),
            Item::Word(word) => Err(fault(format!("{word:?} is beside the lists of the pegs"))),
        });
        self.stacks(&stacks.collect::<Result<Vec<_>, _>>()?, sized(text, pegs, discs))
    }

    /// Reads the start and the goal of a path: two states with ` to ` or `->` between them, two words, or two lists.
    ///
    /// # Errors
    /// Every fault of the text.
    pub fn read_ends(&self, text: &str, pegs: u32) -> Result<(Puzzle, State, State), BadInput> {
        let ends: Vec<&str> = match (text.split_once(" to "), text.split_once("->")) {
            (Some((from, to)), None) | (None, Some((from, to))) => vec![from, to],
            (None, None) if text.contains(['[', '(']) => top_level_lists(text),
            _ => text.split_whitespace().collect(),
        };
        let &[from, to] = ends.as_slice() else {
            return Err(fault(format!("{text:?} is not a start and a goal separated by a space")));
        };
        match (self.read(from, pegs, None), self.read(to, pegs, None)) {
            (Ok((puzzle, from)), Ok((other, to))) if puzzle == other => Ok((puzzle, from, to)),
            (Ok((puzzle, _)), Ok((other, _))) => {
                Err(fault(format!("{to:?} has {} discs, not {}", other.discs(), puzzle.discs())))
            }
            (from, to) => Err(BadInput::all([from.err(), to.err()].into_iter().flatten())),
        }
    }

    /// The state with the peg of each disc.
    fn pegs_of_discs(&self, list: &[Item<'_>], size: Size<'_>) -> Result<(Puzzle, State), BadInput> {
        let (puzzle, mut faults) = size.puzzle(list.len())?;
        let first = u32::from(self.pegs_from_1);
        let (mut state, pegs) = (State::START, puzzle.pegs());
        for (at, item) in list.iter().enumerate() {
            let Item::Word(word) = *item else { unreachable!("the list has no lists") };
            let peg = number(word).and_then(|peg| peg.checked_sub(first)).filter(|&peg| peg < pegs);
            let disc = if self.smallest_first { to_u32(at) } else { puzzle.discs() - 1 - to_u32(at) };
            match peg {
                Some(peg) => state = state.with(disc, peg),
                None => faults.push(format!(
                    "'{}' at position {} is not a peg from {first} to {}",
                    word.escape_debug(),
                    at + 1,
                    first + pegs - 1
                )),
            }
        }
        if faults.is_empty() { Ok((puzzle, state)) } else { Err(BadInput { faults }) }
    }

    /// The state with the discs of each peg.
    fn stacks(&self, stacks: &[Vec<Item<'_>>], size: Size<'_>) -> Result<(Puzzle, State), BadInput> {
        if stacks.len() != size.pegs as usize {
            return Err(fault(format!("{:?} has {} pegs, not {}", size.text, stacks.len(), size.pegs)));
        }
        let discs = stacks.iter().map(Vec::len).sum();
        let (puzzle, mut faults) = size.puzzle(discs)?;
        let (mut state, mut found) = (State::START, vec![false; discs]);
        for (peg, stack) in (0..).zip(stacks) {
            let mut before = None;
            for item in stack {
                let disc = match item {
                    Item::Word(word) => {
                        number(word).filter(|disc| (1..=puzzle.discs()).contains(disc)).ok_or(*word)
                    }
                    Item::List(_) => Err("a list"),
                };
                match disc {
                    Ok(disc) if std::mem::replace(&mut found[disc as usize - 1], true) => {
                        faults.push(format!("disc {disc} occurs twice"));
                    }
                    Ok(disc) => {
                        if before.is_some_and(|before| (before < disc) != self.smallest_first) {
                            let order = if self.smallest_first { "smallest" } else { "largest" };
                            faults.push(format!(
                                "disc {disc} is out of order: the {order} disc of a peg comes first"
                            ));
                        }
                        (state, before) = (state.with(disc - 1, peg), Some(disc));
                    }
                    Err(word) => {
                        faults.push(format!("{word:?} is not a disc from 1, the smallest, to {discs}"))
                    }
                }
            }
        }
        if faults.is_empty() { Ok((puzzle, state)) } else { Err(BadInput { faults }) }
    }
}

/// The text of a state, and the size that its puzzle must have.
struct Size<'a> {
    text: &'a str,
    pegs: u32,
    discs: Option<u32>,
}

fn sized(text: &str, pegs: u32, discs: Option<u32>) -> Size<'_> {
    Size { text, pegs, discs }
}

impl Size<'_> {
    /// The puzzle with the number of discs found, and the fault if this is not the wanted one.
    fn puzzle(&self, found: usize) -> Result<(Puzzle, Vec<String>), BadInput> {
        let puzzle = Puzzle::new(to_u32(found), self.pegs)?;
        let wrong = self.discs.filter(|&discs| discs != puzzle.discs());
        Ok((
            puzzle,
            wrong.iter().map(|discs| format!("{:?} has {found} discs, not {discs}", self.text)).collect(),
        ))
    }
}

fn fault(fault: String) -> BadInput {
    BadInput { faults: vec![fault] }
}

/// A number without a sign or leading zeros.
fn number(word: &str) -> Option<u32> {
    let number: u32 = word.parse().ok()?;
    (number.to_string() == word).then_some(number)
}

/// The parts of a text that are in brackets, with these, where nothing else is in the text.
fn top_level_lists(text: &str) -> Vec<&str> {
    let (mut found, mut depth, mut begin) = (Vec::new(), 0, 0);
    for (at, letter) in text.char_indices() {
        match letter {
            '[' | '(' => depth += 1,
            ']' | ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 && matches!(letter, ']' | ')') {
            found.push(&text[begin..=at]);
            begin = at + 1;
        }
    }
    found.extend((!text[begin..].trim().is_empty()).then(|| &text[begin..]));
    found
}

/// The words and lists of a text, separated by white space, or all by commas.
fn items(text: &str) -> Result<Vec<Item<'_>>, BadInput> {
    let mut rest = text.trim();
    let found = list(&mut rest, None)?;
    if rest.is_empty() {
        Ok(found)
    } else {
        Err(fault(format!("{rest:?} is beyond the end of the list in {text:?}")))
    }
}

/// Takes the items up to a closing bracket, or to the end of the text.
fn list<'a>(rest: &mut &'a str, close: Option<char>) -> Result<Vec<Item<'a>>, BadInput> {
    let (mut found, mut commas) = (Vec::new(), 0);
    loop {
        *rest = rest.trim_start();
        let next = rest.chars().next();
        if next == close || matches!(next, None | Some(']' | ')')) {
            break;
        }
        let closing = match next {
            Some('[') => Some(']'),
            Some('(') => Some(')'),
            _ => None,
        };
        if closing.is_some() {
            *rest = &rest[1..];
            found.push(Item::List(list(rest, closing)?));
        } else {
            let end = |letter: char| letter.is_whitespace() || "[](),".contains(letter);
            let (word, after) = rest.split_at(rest.find(end).unwrap_or(rest.len()));
            if word.is_empty() {
                return Err(fault("nothing is before a comma".to_owned()));
            }
            *rest = after;
            found.push(Item::Word(word));
        }
        *rest = rest.trim_start();
        if let Some(after) = rest.strip_prefix(',') {
            (*rest, commas) = (after, commas + 1);
        }
    }
    // A list of one in Python ends with a comma.
    if commas != 0 && commas + 1 != found.len() && !(close.is_some() && commas == found.len()) {
        return Err(fault("a list is separated by commas in some places only".to_owned()));
    }
    match (close, rest.chars().next()) {
        (Some(close), next) if next != Some(close) => Err(fault(format!("{close:?} is missing"))),
        (Some(_), _) => {
            *rest = &rest[1..];
            Ok(found)
        }
        (None, _) => Ok(found),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const PLAIN: Notation = Notation { smallest_first: false, pegs_from_1: false };
    const OTHER: Notation = Notation { smallest_first: true, pegs_from_1: true };

    #[test]
    fn every_form_is_read() {
        for (notation, pegs, text, expected) in [
            (PLAIN, 4, "0021", "0021"),
            (PLAIN, 4, " 0 0 2 1 ", "0021"),
            (PLAIN, 4, "0,0,2,1", "0021"),
            (PLAIN, 4, "(0, 0, 2, 1)", "0021"),
            (PLAIN, 4, "(3,)", "3"),
            (PLAIN, 3, "[[2, 1], [], []]", "00"),
            (PLAIN, 3, "[[2], [1], []]", "01"),
            (PLAIN, 4, "((3, 2), (), (), (1,))", "003"),
            (PLAIN, 4, "[3 2] [] [1] []", "002"),
            (PLAIN, 4, "3 2 1 | | |", "000"),
            (PLAIN, 4, "3 2 | | | 1", "003"),
            (PLAIN, 3, "||12 11 10 9 8 7 6 5 4 3 2 1", "222222222222"),
            (OTHER, 4, "4 2 4 3 1 1", "002313"),
            (OTHER, 4, "111111", "000000"),
            (OTHER, 4, "[[2, 3], [], [], [1]]", "003"),
            (OTHER, 3, "1 2 | | 3", "200"),
        ] {
            let (puzzle, state) =
                notation.read(text, pegs, None).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!((puzzle.pegs(), puzzle.format(state)), (pegs, expected.to_owned()), "{text}");
        }
    }

    #[test]
    fn texts_without_a_unique_reading_are_refused() {
        for (notation, text, message) in [
            (PLAIN, "0041", "'4' at position 3 is not a peg from 0 to 3"),
            (OTHER, "0121", "'0' at position 1 is not a peg from 1 to 4"),
            (PLAIN, "00 1", "'00' at position 1"),
            (PLAIN, "[0021]", "'0021' at position 1"),
            (PLAIN, "+1 0", "'+1' at position 1"),
            (PLAIN, "", "the number of discs must be 1 to 31, not 0"),
            (PLAIN, "0,0 2,1", "commas in some places"),
            (PLAIN, "0,,1", "nothing is before a comma"),
            (PLAIN, "0,1,", "commas in some places"),
            (PLAIN, "[0, 1", "']' is missing"),
            (PLAIN, "(0, 1]", "')' is missing"),
            (PLAIN, "0 1)", "beyond the end"),
            (PLAIN, "[[2, 1], [], []]", "has 3 pegs, not 4"),
            (PLAIN, "[[2, 1], [], [], [[]]]", "is not a disc"),
            (PLAIN, "[[2, 1], [], [], 3]", "beside the lists"),
            (PLAIN, "[[1, 2], [], [], []]", "disc 2 is out of order: the largest"),
            (OTHER, "[[2, 1], [], [], []]", "disc 1 is out of order: the smallest"),
            (PLAIN, "[[2, 1, 0], [], [], []]", "\"0\" is not a disc from 1"),
            (PLAIN, "[[3, 1], [], [], [1]]", "disc 1 occurs twice"),
            (PLAIN, "[[4, 2], [], [], [1]]", "\"4\" is not a disc"),
            (PLAIN, "[[02, 1], [], [], []]", "\"02\" is not a disc"),
            (PLAIN, "2 1 | | | |", "has 5 pegs, not 4"),
            (PLAIN, "[2 1 | | |]", "']' is missing"),
        ] {
            let error = notation.read(text, 4, None).expect_err(text).to_string();
            assert!(error.contains(message), "{text}: {error}");
        }
    }

    #[test]
    fn every_fault_is_named() {
        let error = PLAIN.read("0x47", 4, Some(3)).unwrap_err();
        assert_eq!(error.faults.len(), 4, "{error}");
        assert_eq!(PLAIN.read("[[9], [2, 2], [], []]", 4, Some(2)).unwrap_err().faults.len(), 3);
    }

    #[test]
    fn start_and_goal_are_read_completely() {
        for text in ["001 330", "[0,0,1] to [3,3,0]", "001->330", "[[3,2],[1],[],[]][[1],[],[],[3,2]]"] {
            let (puzzle, from, to) = PLAIN.read_ends(text, 4).unwrap();
            assert_eq!(
                (puzzle.format(from), puzzle.format(to)),
                ("001".to_owned(), "330".to_owned()),
                "{text}"
            );
        }
        for (text, message) in [
            ("001", "not a start and a goal"),
            ("001 330 111", "not a start and a goal"),
            ("001 33", "has 2 discs, not 3"),
            ("001 to 330 to 111", "'330' at position 1"),
            ("[0,0] [1,1] 1", "not a start and a goal"),
            ("901 340", "'4' at position 2"),
        ] {
            let error = PLAIN.read_ends(text, 4).expect_err(text).to_string();
            assert!(error.contains(message), "{text}: {error}");
        }
    }

    fn notations() -> impl Strategy<Value = Notation> {
        (any::<bool>(), any::<bool>())
            .prop_map(|(smallest_first, pegs_from_1)| Notation { smallest_first, pegs_from_1 })
    }

    /// The state in the first form, and in the second with brackets or bars.
    fn forms(notation: Notation, puzzle: &Puzzle, state: State) -> [Vec<String>; 2] {
        let mut discs: Vec<u32> = (0..puzzle.discs()).rev().collect();
        if notation.smallest_first {
            discs.reverse();
        }
        let word = |disc: &u32| (state.peg(*disc) + u32::from(notation.pegs_from_1)).to_string();
        let of_discs: Vec<String> = discs.iter().map(word).collect();
        let stack = |peg: u32| {
            let on = discs.iter().filter(|&&disc| state.peg(disc) == peg);
            on.map(|disc| (disc + 1).to_string()).collect::<Vec<_>>().join(" ")
        };
        [of_discs, (0..puzzle.pegs()).map(stack).collect()]
    }

    /// The words and the marks between lists, without mere separators.
    fn skeleton(text: &str) -> String {
        text.replace(['[', '(', ']', ')', ',', '|'], " ").split_whitespace().collect::<Vec<_>>().join(" ")
    }

    proptest! {
        #[test]
        fn formatted_states_are_read_in_the_same_notation(
            notation in notations(), pegs in 3u32..=4, digits in prop::collection::vec(0u32..4, 1..=31)
        ) {
            let puzzle = Puzzle::new(to_u32(digits.len()), pegs).unwrap();
            let state = digits.iter().zip(0..).fold(State::START, |state, (&peg, disc)| state.with(disc, peg % pegs));
            let [discs, stacks] = forms(notation, &puzzle, state);
            let commas: Vec<String> = stacks.iter().map(|stack| format!("[{}]", stack.replace(' ', ", "))).collect();
            for text in [
                discs.concat(),
                discs.join(" "),
                format!("({})", discs.join(", ") + if discs.len() == 1 { "," } else { "" }),
                stacks.join(" | "),
                format!("[{}]", commas.join(", ")),
            ] {
                prop_assert_eq!(notation.read(&text, pegs, None), Ok((puzzle, state)), "{}", text);
            }
        }

        /// A state that is read formats to the same text, word for word, in the notation's order.
        #[test]
        fn every_part_of_a_text_is_read(
            notation in notations(), pegs in 3u32..=4, text in "[0-4 ,|\\[\\]()]{0,14}"
        ) {
            if let Ok((puzzle, state)) = notation.read(&text, pegs, None) {
                let [discs, stacks] = forms(notation, &puzzle, state);
                let words = skeleton(&text);
                let accepted = [discs.concat(), discs.join(" "), skeleton(&stacks.join(" "))];
                prop_assert!(accepted.contains(&words), "{} is not {:?}", text, accepted);
            }
        }
    }
}
