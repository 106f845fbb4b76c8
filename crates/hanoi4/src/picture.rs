//! Drawings of states, as SVG: one for each orbit under permutations of pegs 1 to 3.

use crate::model::State;
use crate::pegs::PegGroup;
use std::collections::BTreeMap;

/// The number of pegs, drawn side by side.
const PEGS: u32 = 4;
/// The width of a peg's column, the height of a disc, the gap between drawings and the height of a line of text, in
/// pixels.
const COLUMN: u32 = 60;
const DISC: u32 = 6;
const GAP: u32 = 28;
const TEXT: u32 = 18;
/// The number of drawings in a row.
const ACROSS: u32 = 4;
/// Two colours distinguish neighbouring discs.
const COLOURS: [&str; 2] = ["#2166ac", "#92c5de"];

/// Draws states of `discs` discs on four pegs, below each its digits (the largest disc first) and the number of the
/// states that are its images.
pub fn svg(discs: u32, states: &[State]) -> String {
    let group = PegGroup::fixing(0);
    let mut orbits: BTreeMap<State, usize> = BTreeMap::new();
    for &state in states {
        *orbits.entry(group.canonical(state, discs).0).or_default() += 1;
    }
    let (wide, high) = (PEGS * COLUMN, discs * DISC + TEXT);
    let count = orbits.len() as u32;
    let (width, height) =
        (count.clamp(1, ACROSS) * (wide + GAP) + GAP, count.div_ceil(ACROSS) * (high + GAP) + GAP);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
    );
    for (number, (state, images)) in (0..).zip(orbits) {
        let (x, y) = (GAP + number % ACROSS * (wide + GAP), GAP + number / ACROSS * (high + GAP));
        svg += &format!("<g transform=\"translate({x} {y})\">\n{}", towers(discs, state));
        let digits: String = (0..discs).rev().map(|disc| state.peg(disc).to_string()).collect();
        let (middle, line) = (wide / 2, discs * DISC + TEXT - 4);
        svg += &format!(
            "<text x=\"{middle}\" y=\"{line}\" font-family=\"monospace\" font-size=\"11\" text-anchor=\"middle\">{digits} × {images}</text>\n</g>\n"
        );
    }
    svg + "</svg>\n"
}

/// Draws the discs of a state and the base line.
fn towers(discs: u32, state: State) -> String {
    let floor = discs * DISC;
    let mut svg =
        format!("<path d=\"M0 {floor}H{}\" stroke=\"#333\" stroke-width=\"1.5\"/>\n", PEGS * COLUMN);
    let mut on = [0; PEGS as usize];
    for disc in (0..discs).rev() {
        let peg = state.peg(disc);
        on[peg as usize] += 1;
        let width = 6 + (COLUMN - 10) * (disc + 1) / discs;
        let (x, y) = (peg * COLUMN + (COLUMN - width) / 2, floor - on[peg as usize] * DISC);
        let colour = COLOURS[disc as usize % 2];
        svg += &format!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{DISC}\" rx=\"2\" fill=\"{colour}\"/>\n"
        );
    }
    svg
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Puzzle;

    #[test]
    fn an_orbit_is_drawn_once_with_each_disc_on_its_peg() {
        let puzzle = Puzzle::new(3, 4).expect("three discs");
        let state = |digits| puzzle.parse(digits).expect("a state");
        let svg = svg(3, &["022", "011", "033", "000"].map(state));
        assert_eq!(svg.matches("<g ").count(), 2);
        assert!(svg.contains(">000 × 1<") && svg.contains(">011 × 3<"));
        // 011: the largest disc on peg 0, the second on peg 1 below the smallest.
        let group = svg.split("<g ").nth(2).expect("the second drawing");
        let discs: Vec<&str> = group.lines().filter(|line| line.starts_with("<rect")).collect();
        let place = |line: &str| {
            let number = |name: &str| {
                let value = line.split(&format!(" {name}=\"")).nth(1).expect("an attribute");
                value.split('"').next().expect("a value").parse::<u32>().expect("a number")
            };
            ((number("x") + number("width") / 2) / COLUMN, number("y") / DISC, number("width"))
        };
        let [large, middle, small] = [0, 1, 2].map(|at| place(discs[at]));
        assert_eq!([(large.0, large.1), (middle.0, middle.1), (small.0, small.1)], [(0, 2), (1, 2), (1, 1)]);
        assert!(large.2 > middle.2 && middle.2 > small.2);
    }
}
