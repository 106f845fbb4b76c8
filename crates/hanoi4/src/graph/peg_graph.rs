//! Peg graphs: the pairs of pegs between which discs may move.
//!
//! A graph is written by its name (`complete`, `linear`, `cyclic`, `star`) or as a list of edges:
//! `0-1` allows moves both ways, `2>0` only from peg 2 to peg 0.

use crate::model::BadInput;
use std::fmt;
use std::ops::RangeInclusive;

/// The suitable numbers of pegs.
pub const PEGS: RangeInclusive<u32> = 3..=6;

/// The pegs and the moves allowed between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PegGraph {
    pegs: u32,
    /// Ordered pairs of pegs, source first; sorted, each once.
    edges: Vec<(u32, u32)>,
}

impl PegGraph {
    /// The names that [`parse`](PegGraph::parse) knows.
    pub const NAMES: [&str; 4] = ["complete", "linear", "cyclic", "star"];

    /// Parses a graph of `pegs` pegs: a name or a list of edges separated by commas.
    ///
    /// - `complete`: moves between any two pegs.
    /// - `linear`: moves between neighbours in the row 0, 1, 2, …
    /// - `cyclic`: moves from each peg to the next one and from the last to peg 0, not back.
    /// - `star`: moves between peg 0, the centre, and any other peg.
    ///
    /// # Errors
    /// Lists each fault: a number of pegs that is out of range, an invalid edge.
    pub fn parse(text: &str, pegs: u32) -> Result<PegGraph, BadInput> {
        if !PEGS.contains(&pegs) {
            let fault = format!("the number of pegs must be {} to {}, not {pegs}", PEGS.start(), PEGS.end());
            return Err(BadInput { faults: vec![fault] });
        }
        let both = |pairs: Vec<(u32, u32)>| pairs.iter().flat_map(|&(a, b)| [(a, b), (b, a)]).collect();
        let edges: Vec<(u32, u32)> = match text {
            "complete" => both((0..pegs).flat_map(|a| (0..a).map(move |b| (a, b))).collect()),
            "linear" => both((1..pegs).map(|a| (a - 1, a)).collect()),
            "cyclic" => (0..pegs).map(|a| (a, (a + 1) % pegs)).collect(),
            "star" => both((1..pegs).map(|a| (0, a)).collect()),
            list => {
                let (mut edges, mut faults) = (Vec::new(), Vec::new());
                for item in list.split(',').map(str::trim) {
                    match parse_edge(item, pegs) {
                        Ok(found) => edges.extend(found),
                        Err(fault) => faults.push(fault),
                    }
                }
                if !faults.is_empty() {
                    faults.push(format!("a graph is {}, or edges such as 0-1,1>2", Self::NAMES.join(", ")));
                    return Err(BadInput { faults });
                }
                edges
            }
        };
        let mut graph = PegGraph { pegs, edges };
        graph.edges.sort_unstable();
        graph.edges.dedup();
        Ok(graph)
    }

    /// The number of pegs.
    pub fn pegs(&self) -> u32 {
        self.pegs
    }

    /// The allowed moves as ordered pairs of pegs, source first; sorted.
    pub fn edges(&self) -> &[(u32, u32)] {
        &self.edges
    }

    /// Whether discs may move between any two pegs.
    pub fn is_complete(&self) -> bool {
        self.edges.len() as u32 == self.pegs * (self.pegs - 1)
    }

    /// Whether discs move only between peg 0 and any other peg.
    pub fn is_star(&self) -> bool {
        self.edges.len() as u32 == 2 * (self.pegs - 1) && self.edges.iter().all(|&(a, b)| a == 0 || b == 0)
    }

    /// The permutations of the pegs that map edges to edges, as the image of each peg. The first one
    /// is the identity.
    pub fn automorphisms(&self) -> Vec<Vec<u32>> {
        let mut found = Vec::new();
        self.extend(&mut Vec::new(), &mut found);
        found
    }

    /// Adds to `found` the automorphisms whose images begin with `images`.
    fn extend(&self, images: &mut Vec<u32>, found: &mut Vec<Vec<u32>>) {
        let at = images.len() as u32;
        if at == self.pegs {
            found.push(images.clone());
            return;
        }
        for image in (0..self.pegs).filter(|image| !images.contains(image)).collect::<Vec<_>>() {
            images.push(image);
            let has = |a: u32, b: u32| self.edges.binary_search(&(a, b)).is_ok();
            let of = |peg: u32| images[peg as usize];
            if (0..=at).all(|a| has(a, at) == has(of(a), image) && has(at, a) == has(image, of(a))) {
                self.extend(images, found);
            }
            images.pop();
        }
    }
}

/// The edges as `0-1,1>2`.
impl fmt::Display for PegGraph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let both = |&(a, b): &(u32, u32)| self.edges.binary_search(&(b, a)).is_ok();
        let once = self.edges.iter().filter(|edge| edge.0 < edge.1 || !both(edge));
        let mut items =
            once.map(|edge| format!("{}{}{}", edge.0, if both(edge) { '-' } else { '>' }, edge.1));
        write!(f, "{}", items.next().unwrap_or_default())?;
        items.try_for_each(|item| write!(f, ",{item}"))
    }
}

/// Parses `a-b` or `a>b`.
fn parse_edge(text: &str, pegs: u32) -> Result<Vec<(u32, u32)>, String> {
    let (sign, sides) = match (text.split_once('-'), text.split_once('>')) {
        (Some(sides), None) => ('-', sides),
        (None, Some(sides)) => ('>', sides),
        _ => return Err(format!("{text:?} is not an edge")),
    };
    let peg = |text: &str| match text.trim().parse::<u32>() {
        Ok(peg) if peg < pegs => Ok(peg),
        _ => Err(format!("{text:?} is not a peg from 0 to {}", pegs - 1)),
    };
    let (a, b) = (peg(sides.0)?, peg(sides.1)?);
    match (a == b, sign) {
        (true, _) => Err(format!("{text:?} joins a peg to itself")),
        (false, '-') => Ok(vec![(a, b), (b, a)]),
        (false, _) => Ok(vec![(a, b)]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(text: &str, pegs: u32) -> PegGraph {
        PegGraph::parse(text, pegs).unwrap()
    }

    #[test]
    fn names_are_lists_of_edges() {
        for (name, pegs, list) in [
            ("complete", 4, "0-1,0-2,0-3,1-2,1-3,2-3"),
            ("linear", 5, "0-1,1-2,2-3,3-4"),
            ("cyclic", 4, "0>1,1>2,2>3,3>0"),
            ("star", 4, "0-1,0-2,0-3"),
        ] {
            assert_eq!(graph(name, pegs), graph(list, pegs), "{name}");
            assert_eq!(graph(list, pegs), PegGraph::parse(&graph(name, pegs).to_string(), pegs).unwrap());
        }
        assert_eq!(graph("1-0, 2>0,0-1", 3).to_string(), "0-1,2>0");
        assert!(graph("complete", 6).is_complete() && !graph("star", 3).is_complete());
    }

    #[test]
    fn every_fault_is_named() {
        let faults = |text: &str, pegs| PegGraph::parse(text, pegs).unwrap_err().faults.len();
        assert_eq!(faults("0-1,1-4,2-2,round,", 4), 5);
        assert_eq!((faults("complete", 2), faults("complete", 7), faults("", 4)), (1, 1, 2));
    }

    #[test]
    fn automorphisms_are_counted() {
        for (name, pegs, count) in
            [("complete", 5, 120), ("linear", 4, 2), ("cyclic", 6, 6), ("star", 4, 6), ("0-1,1>2", 3, 1)]
        {
            let found = graph(name, pegs).automorphisms();
            assert_eq!(found.len(), count, "{name}");
            assert_eq!(found[0], (0..pegs).collect::<Vec<_>>());
        }
    }
}
