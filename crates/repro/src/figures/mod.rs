//! The figures of the book, drawn from real computations.
//!
//! | file | figure |
//! | --- | --- |
//! | `search` | nodes by bound; strings by length |
//! | `values` | the values of heuristics; the locality of lookups |
//! | `spaces` | symmetry classes; the layers of a puzzle; searching from both ends |
//! | `gaps` | the gap between both bounds, by the time of a search |
//! | `chart` | lines with axes and a legend, as SVG |
//!
//! Every figure is computed within seconds and depends only on the sources and on recorded data, so a test draws all of them again and
//! compares them with the files.

mod chart;
mod gaps;
mod search;
mod spaces;
mod values;

use search_core::Run;

/// A figure.
pub struct Figure {
    /// The name of its file.
    pub file: &'static str,
    /// The drawing.
    pub svg: String,
}

/// Computes and draws all figures.
pub fn all(run: &Run<'_>) -> Vec<Figure> {
    type Draw = fn(&Run<'_>) -> String;
    let figures: [(&str, Draw); 8] = [
        ("bounds.svg", search::bounds),
        ("strings.svg", search::strings),
        ("values.svg", values::values),
        ("classes.svg", spaces::classes),
        ("lookups.svg", values::lookups),
        ("layers.svg", spaces::layers),
        ("ends.svg", spaces::ends),
        ("gaps.svg", gaps::gaps),
    ];
    figures.map(|(file, draw)| Figure { file, svg: draw(run) }).into()
}
