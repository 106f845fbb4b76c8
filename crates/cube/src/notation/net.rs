//! Printed nets: U above F, the row L F R B, D below F.
//!
//! ```text
//!       U U U
//!       U U U
//!       U U U
//! L L L F F F R R R B B B
//! L L L F F F R R R B B B
//! L L L F F F R R R B B B
//!       D D D
//!       D D D
//!       D D D
//! ```
//!
//! A net is recognized by its shape: nine lines of 3, 3, 3, 12, 12, 12, 3, 3 and 3 symbols. Spaces and frames
//! between them are ignored, and so is the indentation, which is easily lost; but a net whose indentation puts
//! U above R or B is not read.

use super::text::{self, is_space};

/// The symbols in each line.
const SHAPE: [usize; 9] = [3, 3, 3, 12, 12, 12, 3, 3, 3];

/// The symbols of a net in the order of facelets: the faces U R F D L B, each row by row. `None` if the text
/// is not a net.
pub fn unfold(text: &str) -> Option<String> {
    let lines: Vec<Vec<(usize, char)>> =
        text::lines(text).iter().map(|line| symbols(line)).filter(|line| !line.is_empty()).collect();
    let is_net = lines.len() == SHAPE.len() && lines.iter().zip(SHAPE).all(|(line, n)| line.len() == n);
    if !is_net || is_above_another(&lines) {
        return None;
    }
    let face = |row: usize, column: usize| {
        let rows = lines[row..row + 3].iter().flat_map(move |line| &line[column..column + 3]);
        rows.map(|(_, symbol)| *symbol)
    };
    let faces = [(0, 0), (3, 6), (3, 3), (6, 0), (3, 0), (3, 9)];
    Some(faces.into_iter().flat_map(|(row, column)| face(row, column)).collect())
}

/// The symbols of a line, each with its column.
fn symbols(line: &str) -> Vec<(usize, char)> {
    let is_symbol = |&(_, c): &(usize, char)| !is_space(c) && !matches!(c, ',' | '\u{fe0f}') && !is_frame(c);
    let symbols: Vec<_> = line.chars().enumerate().filter(is_symbol).collect();
    // A line that consists of frame characters only.
    if symbols.iter().all(|(_, c)| matches!(c, '+' | '-' | '=')) { Vec::new() } else { symbols }
}

fn is_frame(c: char) -> bool {
    c == '|' || ('\u{2500}'..='\u{257f}').contains(&c)
}

/// Whether the columns show the top face above R or B. The first line may have lost its indentation, so the
/// second is compared.
fn is_above_another(lines: &[Vec<(usize, char)>]) -> bool {
    let narrow = lines.iter().flatten().all(|(_, c)| c.is_ascii());
    let column = |line: usize, at: usize| lines[line][at].0;
    narrow && [6, 9].iter().any(|&at| column(1, 0) == column(4, at))
}
