//! Words: one move with its amount, or several moves without spaces between them.
//!
//! A word that is one move is read as that. Any other word is split into moves, and refused unless there is exactly
//! one way to split it: `BLR` may be `B L R` or `BL R`.

use std::collections::HashMap;

/// The greatest amount of a move or bracket.
pub(super) const MOST_TIMES: i64 = 100_000;

/// The maximum number of characters of a word of several moves, and of a name in it.
const LONGEST_WORD: usize = 200;
const LONGEST_NAME: usize = 20;

/// The names of a puzzle's moves.
#[derive(Clone, Debug, Default)]
pub struct Names {
    index: HashMap<String, usize>,
    /// The number of characters of the longest name.
    longest: usize,
    /// Whether a name has a dot, so that dots do not separate moves.
    has_dot: bool,
}

impl Names {
    /// Numbers names in their order. A name that occurs twice keeps its first number.
    pub fn new<'a>(names: impl IntoIterator<Item = &'a str>) -> Names {
        let mut index = HashMap::new();
        for (number, name) in names.into_iter().enumerate() {
            index.entry(name.to_owned()).or_insert(number);
        }
        let longest = index.keys().map(|name| name.chars().count()).max().unwrap_or(0);
        let has_dot = index.keys().any(|name| name.contains('.'));
        Names { index, longest, has_dot }
    }

    /// Whether a dot ends a move.
    pub(super) fn dot_separates(&self) -> bool {
        !self.has_dot
    }

    /// The number of a name.
    pub fn get(&self, name: &str) -> Option<usize> {
        self.index.get(name).copied()
    }

    /// Some of the names in alphabetical order, for messages.
    pub(super) fn examples(&self) -> String {
        const MOST: usize = 12;
        let mut names: Vec<&str> = self.index.keys().map(String::as_str).collect();
        names.sort_unstable();
        let more = if names.len() > MOST { ", …" } else { "" };
        names.truncate(MOST);
        format!("{}{more}", names.join(", "))
    }
}

/// The name of a move's power: `U`, `U2`, `U'`; half of the powers are written as inverses.
pub fn power_name(name: &str, power: u64, order: u64) -> String {
    let inverse = 2 * power > order;
    let amount = if inverse { order - power } else { power };
    let mark = if inverse { "'" } else { "" };
    match amount {
        1 => format!("{name}{mark}"),
        _ if name.ends_with(|c: char| c.is_ascii_digit()) => {
            format!("{name}^{}{amount}", if inverse { "-" } else { "" })
        }
        _ => format!("{name}{amount}{mark}"),
    }
}

/// The reason why a word is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Refused {
    /// No sequence of moves is written this way.
    Unknown,
    /// Several are: two of them.
    Ambiguous(String, String),
    /// An amount is 0 or too large.
    Amount,
}

/// Whether a character inverts the move before it: `'` in any typographic form.
pub(super) fn inverts(c: char) -> bool {
    matches!(c, '\'' | '’' | '‘' | '‛' | '´' | '`' | '′' | 'ʹ' | 'ʼ' | '＇')
}

/// The amount that some characters begin with, and its length. Digits need a `^` unless `plain`.
pub(super) fn amount(characters: &[char], plain: bool) -> Option<(i64, usize)> {
    let at = |i: usize| characters.get(i).copied().unwrap_or(' ');
    let (mut used, mut sign) = (0, 1);
    let powered = at(0) == '^';
    if powered {
        used += 1;
        if at(used) == '-' {
            (used, sign) = (used + 1, -1);
        }
    } else if inverts(at(0)) {
        (used, sign) = (1, -1);
    }
    let digits: String = characters[used..].iter().take_while(|c| c.is_ascii_digit()).collect();
    if digits.is_empty() || !(plain || powered) {
        return (!powered).then_some((sign, used));
    }
    used += digits.len();
    if sign == 1 && inverts(at(used)) {
        (used, sign) = (used + 1, -1);
    }
    // A number that does not fit is beyond every limit.
    Some((sign * digits.parse::<i64>().unwrap_or(i64::MAX), used))
}

/// The moves of a word: the number of each name, and its amount.
pub(super) fn read(word: &[char], names: &Names) -> Result<Vec<(usize, i64)>, Refused> {
    if let Some(one) = single(word, names) {
        return one.map(|one| vec![one]);
    }
    if word.len() > LONGEST_WORD {
        return Err(Refused::Unknown);
    }
    // The ways to read the rest of the word from each place: none, one or more; and the first two next steps.
    let mut ways = vec![0_u8; word.len() + 1];
    let mut steps: Vec<Vec<(usize, i64, usize)>> = vec![Vec::new(); word.len()];
    ways[word.len()] = 1;
    for from in (0..word.len()).rev() {
        for end in from + 1..=word.len().min(from + names.longest.min(LONGEST_NAME)) {
            let name: String = word[from..end].iter().collect();
            let Some(index) = names.get(&name) else { continue };
            for (times, next) in amounts(word, end) {
                if ways[next] > 0 {
                    ways[from] = ways[from].saturating_add(ways[next]).min(2);
                    steps[from].push((index, times, next));
                }
            }
        }
    }
    match ways[0] {
        0 => Err(Refused::Unknown),
        1 => follow(&steps, word.len(), &[]).0.into_iter().map(checked).collect(),
        _ => {
            let choices: Vec<usize> = (0..word.len()).filter(|&at| steps[at].len() > 1).collect();
            let first = follow(&steps, word.len(), &[]).1;
            let mut texts: Vec<String> = vec![spell(word, &first)];
            for &at in &choices {
                let path = follow(&steps, word.len(), &[at]).1;
                texts.push(spell(word, &path));
            }
            texts.dedup();
            let second = texts.get(1).cloned().unwrap_or_default();
            Err(Refused::Ambiguous(texts.swap_remove(0), second))
        }
    }
}

/// The word as one move, if it is one.
fn single(word: &[char], names: &Names) -> Option<Result<(usize, i64), Refused>> {
    // The longest name wins: what remains is an amount, of which no one writes many characters.
    let shortest = word.len().saturating_sub(LONGEST_NAME).max(1);
    (shortest..=word.len().min(names.longest)).rev().find_map(|end| {
        let name: String = word[..end].iter().collect();
        let index = names.get(&name)?;
        let plain = !word[end - 1].is_ascii_digit();
        let (times, used) = amount(&word[end..], plain)?;
        (end + used == word.len()).then(|| checked((index, times)))
    })
}

fn checked((index, times): (usize, i64)) -> Result<(usize, i64), Refused> {
    if times != 0 && times.abs() <= MOST_TIMES { Ok((index, times)) } else { Err(Refused::Amount) }
}

/// The ways to read an amount after a name that ends at `end`: none, or the digits up to each place.
fn amounts(word: &[char], end: usize) -> Vec<(i64, usize)> {
    let plain = !word[end - 1].is_ascii_digit();
    let mut found = Vec::new();
    let Some((times, used)) = amount(&word[end..], plain) else { return found };
    found.push((times, end + used));
    // Digits may also begin the next name: `R2F` is `R2 F` or `R 2F`.
    for shorter in 0..used {
        if let Some((times, length)) = amount(&word[end..end + shorter], plain)
            && length == shorter
            && (shorter == 0 || word[end + shorter - 1].is_ascii_digit())
            && word[end + shorter].is_ascii_digit()
        {
            found.push((times, end + shorter));
        }
    }
    found
}

/// The moves along the first steps, but the last at each place in `others`, and where each move ends.
fn follow(
    steps: &[Vec<(usize, i64, usize)>],
    length: usize,
    others: &[usize],
) -> (Vec<(usize, i64)>, Vec<usize>) {
    let (mut moves, mut ends, mut at) = (Vec::new(), Vec::new(), 0);
    while at < length {
        let choices = &steps[at];
        let step = if others.contains(&at) { choices.last() } else { choices.first() };
        let &(index, times, next) = step.expect("the rest can be read");
        moves.push((index, times));
        ends.push(next);
        at = next;
    }
    (moves, ends)
}

/// The word with spaces where moves end.
fn spell(word: &[char], ends: &[usize]) -> String {
    let mut text = String::new();
    for (at, &c) in word.iter().enumerate() {
        if ends.contains(&at) {
            text.push(' ');
        }
        text.push(c);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(word: &str) -> Result<Vec<(usize, i64)>, Refused> {
        let names = Names::new(["R", "U", "B", "L", "BL", "2R", "f1", "f12", "Rw"]);
        read(&word.chars().collect::<Vec<_>>(), &names)
    }

    #[test]
    fn a_word_is_one_move_or_has_one_reading() {
        assert_eq!(moves("BL2'"), Ok(vec![(4, -2)]));
        assert_eq!(moves("RUR'U'"), Ok(vec![(0, 1), (1, 1), (0, -1), (1, -1)]));
        assert_eq!(moves("R2U'"), Ok(vec![(0, 2), (1, -1)]));
        assert_eq!(moves("R’3"), Ok(vec![(0, -3)]));
        assert_eq!(moves("U^-2"), Ok(vec![(1, -2)]));
        assert_eq!((moves("f12"), moves("f1^2")), (Ok(vec![(7, 1)]), Ok(vec![(6, 2)])));
        assert_eq!(moves("f1'"), Ok(vec![(6, -1)]));
        assert_eq!(moves("Rw2"), Ok(vec![(8, 2)]));
        assert_eq!(moves("BLR"), Err(Refused::Ambiguous("B L R".to_owned(), "BL R".to_owned())));
        assert_eq!(moves("U2R"), Err(Refused::Ambiguous("U2 R".to_owned(), "U 2R".to_owned())));
        assert_eq!(moves("RX"), Err(Refused::Unknown));
        assert_eq!((moves("R0"), moves("R1000000000")), (Err(Refused::Amount), Err(Refused::Amount)));
    }

    #[test]
    fn powers_are_written_shortest() {
        let named = |order: u64| (1..order).map(|power| power_name("U", power, order)).collect::<Vec<_>>();
        assert_eq!(named(2), ["U"]);
        assert_eq!(named(4), ["U", "U2", "U'"]);
        assert_eq!(named(5), ["U", "U2", "U2'", "U'"]);
        assert_eq!(power_name("f1", 3, 5), "f1^-2");
    }
}
