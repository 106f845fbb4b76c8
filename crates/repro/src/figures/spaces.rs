//! Figures of state spaces: symmetry classes, layers, and searching from both ends.

use super::chart::{Chart, Series, whole};
use cube::perft::Perft;
use cube::symmetry::Symmetry;
use cube::{Cube, Metric};
use hanoi4::model::{Puzzle, State};
use hanoi4::reference;
use plotters::chart::SeriesLabelPosition;
use search_core::Run;
use std::fmt::Write;

/// The deepest layer of cubes.
const DEEPEST: usize = 5;
/// Memory for the children of a layer.
const ROOM: u64 = 1 << 26;
/// The discs of the puzzle whose states are drawn.
const DISCS: u32 = 5;

/// Cubes at each distance; classes under the 48 symmetries; classes under these and inversion.
pub fn classes(run: &Run<'_>) -> String {
    let (mut cubes, mut symmetric, mut inverse) = (Vec::new(), Vec::new(), Vec::new());
    let mut perft = Perft::new(Metric::Htm);
    for depth in 0..=DEEPEST {
        let [least, least_of_both] = representatives(perft.layer(), run);
        let at = depth as f64;
        cubes.push((at, perft.layer().len() as f64));
        symmetric.push((at, least as f64));
        inverse.push((at, least_of_both as f64));
        if depth < DEEPEST {
            perft.advance(ROOM, run).expect("nothing cancels it");
        }
    }
    let series = vec![
        Series { name: "cubes", points: cubes },
        Series { name: "classes under 48 symmetries", points: symmetric },
        Series { name: "classes under symmetry and inversion", points: inverse },
    ];
    Chart {
        axes: ["distance, in half turns", "number"],
        log: true,
        x_label: whole,
        legend: SeriesLabelPosition::UpperLeft,
        series,
    }
    .draw()
}

/// The number of cubes that are the least of their images under symmetry, and under symmetry and inversion.
fn representatives(layer: &[Cube], run: &Run<'_>) -> [usize; 2] {
    let is_least = |cube: &Cube, of: &Cube| Symmetry::all().all(|symmetry| *cube <= symmetry.conjugate(of));
    let parts: Vec<&[Cube]> = layer.chunks(4096).collect();
    let counts = run.install(|| {
        run.map(&parts, |part| {
            let least: Vec<&Cube> = part.iter().filter(|cube| is_least(cube, cube)).collect();
            [least.len(), least.iter().filter(|cube| is_least(cube, &cube.inverse())).count()]
        })
    });
    [0, 1].map(|at| counts.iter().map(|count| count[at]).sum())
}

/// The states of four pegs, each as a square whose colour is its distance from all discs on one peg.
pub fn layers(_: &Run<'_>) -> String {
    let puzzle = Puzzle::new(DISCS, 4).expect("a size");
    let distances = reference::distances(&puzzle, [State::START]);
    let (side, cell) = (1_usize << DISCS, 14);
    let radius = usize::from(*distances.iter().max().expect("states"));
    let width = side * cell;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {width}\" width=\"{}\" height=\"{width}\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        width + 90,
        width + 90
    );
    for distance in 0..=radius {
        let squares = (0..side * side).filter(|code| usize::from(distances[*code]) == distance);
        let path = squares.fold(String::new(), |mut path, code| {
            let (x, y) = place(code);
            write!(path, "M{} {}h{cell}v{cell}h-{cell}z", x * cell, y * cell).expect("a string");
            path
        });
        let fill = colour(distance, radius);
        writeln!(svg, "<path fill=\"{fill}\" d=\"{path}\"/>").expect("a string");
        let y = 24 + distance * 26;
        writeln!(
            svg,
            "<rect x=\"{}\" y=\"{}\" width=\"20\" height=\"20\" fill=\"{fill}\"/>\
             <text x=\"{}\" y=\"{}\" font-family=\"sans-serif\" font-size=\"15\">{distance}</text>",
            width + 16,
            y - 15,
            width + 44,
            y
        )
        .expect("a string");
    }
    svg + "</svg>\n"
}

/// The square of a state: each disc's peg chooses a quarter of what the larger discs have chosen.
fn place(code: usize) -> (usize, usize) {
    let digits = (0..DISCS).map(|disc| (disc, code >> (2 * disc) & 3));
    digits.fold((0, 0), |(x, y), (disc, peg)| (x | (peg & 1) << disc, y | (peg >> 1) << disc))
}

/// From dark blue to light yellow.
fn colour(distance: usize, radius: usize) -> String {
    let mix = |from: usize, to: usize| (from * (radius - distance) + to * distance) / radius;
    format!("#{:02x}{:02x}{:02x}", mix(20, 255), mix(40, 236), mix(110, 140))
}

/// The states to expand before every cube solution of a given length is excluded, from one end and from both.
pub fn ends(_: &Run<'_>) -> String {
    let known = include_str!("../../../../fixtures/cube/known-counts.json");
    let known: serde_json::Value = serde_json::from_str(known).expect("JSON");
    let layers = known["positions"]["htm"].as_array().expect("counts");
    let layers: Vec<u64> = layers.iter().map(|count| count.as_u64().expect("a count")).collect();
    // To reach depth d, the layers before it are expanded.
    let before = |depth: usize| layers[..depth].iter().sum::<u64>() as f64;
    let one = (1..=layers.len()).map(|moves| (moves as f64, before(moves)));
    let both =
        (1..=2 * layers.len()).map(|moves| (moves as f64, before(moves / 2) + before(moves.div_ceil(2))));
    let series = vec![
        Series { name: "from one end", points: one.collect() },
        Series { name: "from both ends", points: both.collect() },
    ];
    Chart {
        axes: ["greatest length of the excluded solutions", "expanded states"],
        log: true,
        x_label: whole,
        legend: SeriesLabelPosition::LowerRight,
        series,
    }
    .draw()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_the_published_ones() {
        // Numbers of classes at each distance, from the tables of known counts of God's number.
        let mut perft = Perft::new(Metric::Htm);
        let mut counts = Vec::new();
        for _ in 0..4 {
            counts.push(representatives(perft.layer(), &Run::new()));
            perft.advance(ROOM, &Run::new()).expect("nothing cancels it");
        }
        assert_eq!(counts, [[1, 1], [2, 2], [9, 8], [75, 48]]);
    }
}
