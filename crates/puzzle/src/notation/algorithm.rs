//! Algorithms: nested sequences of moves.
//!
//! An algorithm is kept as it is written, so that its effect is computed with one product per node, whatever its
//! length. Its length is measured before it is expanded, and both the length and the depth of nesting are limited,
//! because a few characters can stand for any number of moves.

use super::lexer::{Item, What, lex, partner, place};
use super::word::{MOST_TIMES, Names};
use crate::fault::Faults;
use crate::model::{Orbit, Transformation};

/// The maximum number of moves that an algorithm may stand for.
pub const MOST_MOVES: u64 = 100_000;
/// The maximum depth of nested brackets.
const DEEPEST: usize = 50;

/// A move by the number of its name, and its amount.
pub type Step = (usize, i64);

/// A sequence of moves as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Algorithm(Vec<Node>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Node {
    Move(Step),
    Repeated(Vec<Node>, i64),
    /// Two sequences and the mark between them: `,` or `:`.
    Pair(Vec<Node>, Vec<Node>, char),
}

impl Algorithm {
    /// Reads a text. An empty one is an algorithm too.
    ///
    /// # Errors
    /// All words that are not moves, or the first bracket that cannot be read, or a length beyond [`MOST_MOVES`].
    pub fn parse(text: &str, names: &Names) -> Result<Algorithm, Faults> {
        let items = lex(text, names).map_err(Faults)?;
        let mut parser = Parser { items: &items, at: 0, depth: 0 };
        let nodes = parser.sequence()?;
        match parser.next() {
            None => {}
            Some(item) => return Err(fault(&item, "no open bracket to close").into()),
        }
        let algorithm = Algorithm(nodes);
        if algorithm.length(|_| 1) > MOST_MOVES {
            return Err(format!("the brackets expand to more than {MOST_MOVES} moves").into());
        }
        Ok(algorithm)
    }

    /// The number of moves, if each name stands for `of` of its number; [`u64::MAX`] if it does not fit. An amount
    /// of a single move counts once, since a power is one product.
    pub fn length(&self, of: impl Fn(usize) -> u64 + Copy) -> u64 {
        length(&self.0, of)
    }

    /// The numbers of the names that occur.
    pub fn names(&self) -> Vec<usize> {
        let mut found = Vec::new();
        collect(&self.0, &mut found);
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The moves one after the other, with brackets expanded.
    pub fn steps(&self) -> Vec<Step> {
        steps(&self.0)
    }

    /// The effect, if each name has the effect `of` its number.
    pub fn effect<'a>(
        &self,
        orbits: &[Orbit],
        of: impl Fn(usize) -> &'a Transformation + Copy,
    ) -> Transformation {
        effect(&self.0, orbits, of)
    }
}

fn length(nodes: &[Node], of: impl Fn(usize) -> u64 + Copy) -> u64 {
    let of_node = |node: &Node| match node {
        Node::Move((name, _)) => of(*name),
        Node::Repeated(inner, times) => length(inner, of).saturating_mul(times.unsigned_abs()),
        Node::Pair(a, b, mark) => {
            let twice = length(a, of).saturating_mul(2);
            twice.saturating_add(length(b, of).saturating_mul(if *mark == ',' { 2 } else { 1 }))
        }
    };
    nodes.iter().map(of_node).fold(0, u64::saturating_add)
}

fn collect(nodes: &[Node], found: &mut Vec<usize>) {
    for node in nodes {
        match node {
            Node::Move((name, _)) => found.push(*name),
            Node::Repeated(inner, _) => collect(inner, found),
            Node::Pair(a, b, _) => {
                collect(a, found);
                collect(b, found);
            }
        }
    }
}

fn inverted(steps: &[Step]) -> Vec<Step> {
    steps.iter().rev().map(|&(name, times)| (name, -times)).collect()
}

fn steps(nodes: &[Node]) -> Vec<Step> {
    let mut all = Vec::new();
    for node in nodes {
        match node {
            Node::Move(step) => all.push(*step),
            Node::Repeated(inner, times) => {
                let once = if *times < 0 { inverted(&steps(inner)) } else { steps(inner) };
                let many = usize::try_from(times.unsigned_abs()).expect("at most 100000 times");
                all.extend(once.repeat(if once.is_empty() { 0 } else { many }));
            }
            Node::Pair(a, b, mark) => {
                let (a, b) = (steps(a), steps(b));
                all.extend([&a[..], &b, &inverted(&a)].concat());
                if *mark == ',' {
                    all.extend(inverted(&b));
                }
            }
        }
    }
    all
}

/// `base` to a power that may be negative.
fn powered(base: &Transformation, times: i64) -> Transformation {
    let power = base.power(times.unsigned_abs());
    if times < 0 { power.inverse() } else { power }
}

fn effect<'a>(
    nodes: &[Node],
    orbits: &[Orbit],
    of: impl Fn(usize) -> &'a Transformation + Copy,
) -> Transformation {
    let mut all = Transformation::identity(orbits);
    for node in nodes {
        let next = match node {
            Node::Move((name, times)) => powered(of(*name), *times),
            Node::Repeated(inner, times) => powered(&effect(inner, orbits, of), *times),
            Node::Pair(a, b, mark) => {
                let (a, b) = (effect(a, orbits, of), effect(b, orbits, of));
                let conjugate = a.then(&b).then(&a.inverse());
                if *mark == ',' { conjugate.then(&b.inverse()) } else { conjugate }
            }
        };
        all = all.then(&next);
    }
    all
}

fn fault(item: &Item, why: &str) -> String {
    let text = match item.what {
        What::Open(c) | What::Close(c, _) | What::Mark(c) => c,
        What::Move(..) => unreachable!("a move is no bracket"),
    };
    format!("{}: \"{text}\": {why}", place(item.line, item.column))
}

/// The state of reading brackets: the items, the next one, and the depth of nesting.
struct Parser<'a> {
    items: &'a [Item],
    at: usize,
    depth: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<Item> {
        self.items.get(self.at).copied()
    }

    fn next(&mut self) -> Option<Item> {
        let item = self.peek();
        self.at += 1;
        item
    }

    /// The nodes up to a closing bracket, a comma, a colon or the end of the text.
    fn sequence(&mut self) -> Result<Vec<Node>, Faults> {
        let mut nodes = Vec::new();
        while let Some(item) = self.peek() {
            match item.what {
                What::Move(name, times) => {
                    self.at += 1;
                    nodes.push(Node::Move((name, times)));
                }
                What::Open(open) => {
                    self.at += 1;
                    nodes.push(self.bracket(&item, open)?);
                }
                What::Close(..) | What::Mark(_) => break,
            }
        }
        Ok(nodes)
    }

    /// The contents of an open bracket, and what closes it.
    fn bracket(&mut self, begin: &Item, open: char) -> Result<Node, Faults> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(fault(begin, "it is nested too deeply").into());
        }
        let first = self.sequence()?;
        let inner = match self.peek() {
            Some(item @ Item { what: What::Mark(mark), .. }) => {
                self.at += 1;
                let second = self.sequence()?;
                if first.is_empty() || second.is_empty() {
                    return Err(fault(&item, "no moves on one side of it").into());
                }
                vec![Node::Pair(first, second, mark)]
            }
            _ => first,
        };
        self.depth -= 1;
        match self.next() {
            Some(item @ Item { what: What::Close(close, times), .. }) if close == partner(open) => {
                if times == 0 || times.abs() > MOST_TIMES {
                    return Err(fault(&item, "its amount is not from 1 to 100000").into());
                }
                Ok(Node::Repeated(inner, times))
            }
            Some(item @ Item { what: What::Mark(_), .. }) => {
                Err(fault(&item, "a bracket may have only one comma or colon; write [A: [B, C]]").into())
            }
            Some(item) => Err(fault(&item, "it does not match the open bracket").into()),
            None => Err(fault(begin, "it is never closed").into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Names {
        Names::new(["A", "B", "(3,-1)", "/"])
    }

    fn steps_of(text: &str) -> Vec<Step> {
        Algorithm::parse(text, &names()).expect("an algorithm").steps()
    }

    #[test]
    fn brackets_expand() {
        let pair = [(0, 1), (1, 1), (0, -1), (1, -1)];
        assert_eq!(steps_of("[A, B]"), pair);
        assert_eq!(steps_of("[A: B]"), pair[..3]);
        assert_eq!(steps_of("(A B)2 (A B2)'"), [(0, 1), (1, 1), (0, 1), (1, 1), (1, -2), (0, -1)]);
        assert_eq!(steps_of("A, B"), pair[..2]);
        assert_eq!(steps_of("(3, -1) / (3,-1)/"), [(2, 1), (3, 1), (2, 1), (3, 1)]);
        assert_eq!(steps_of("A // B\n/* B */"), pair[..1]);
        assert!(steps_of("() [ ] .").is_empty());
    }

    #[test]
    fn faults_name_the_token_and_its_place() {
        let fault = |text: &str| Algorithm::parse(text, &names()).expect_err("a fault").to_string();
        for (text, message) in [
            ("A Q B", "column 3: \"Q\" is not a move; moves are (3,-1), /, A, B"),
            ("A\nQ", "line 2, column 1: \"Q\" is not a move; moves are (3,-1), /, A, B"),
            ("(A", "column 1: \"(\": it is never closed"),
            ("A)", "column 2: \")\": no open bracket to close"),
            ("[A)", "column 3: \")\": it does not match the open bracket"),
            ("[A, ]", "column 3: \",\": no moves on one side of it"),
            ("[A, B, A]", "column 6: \",\": a bracket may have only one comma or colon; write [A: [B, C]]"),
            ("A B, A B", "column 4: \",\" may only separate single moves; give one scramble per line"),
            ("(A)1000000000", "column 3: \")\": its amount is not from 1 to 100000"),
            ("((((A)99)99)99)99", "the brackets expand to more than 100000 moves"),
            ("(2,2)", "column 1: \"(2,2)\" is not a move"),
        ] {
            assert_eq!(fault(text), message, "{text}");
        }
        assert!(fault(&"(".repeat(100_000)).contains("nested too deeply"));
    }
}
