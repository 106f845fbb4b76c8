//! The plots, drawn as SVG by plotters.
//!
//! Colours are placeholders that become CSS variables, so that one drawing suits light and dark themes.
//! Logarithmic axes are drawn as linear ones of the logarithm, with powers of ten as labels.

use super::layout::Plot;
use crate::job::Curve;
use plotters::prelude::*;
use std::ops::Range;

const SIZE: (u32, u32) = (640, 400);
/// Placeholders, and the variables that replace them. The first two are for axes and grid.
const COLOURS: [(RGBColor, &str); 9] = [
    (RGBColor(1, 2, 3), "--ink"),
    (RGBColor(4, 5, 6), "--grid"),
    (RGBColor(7, 8, 10), "--s0"),
    (RGBColor(7, 8, 11), "--s1"),
    (RGBColor(7, 8, 12), "--s2"),
    (RGBColor(7, 8, 13), "--s3"),
    (RGBColor(7, 8, 14), "--s4"),
    (RGBColor(7, 8, 15), "--s5"),
    (RGBColor(7, 8, 16), "--s6"),
];
const INK: RGBColor = COLOURS[0].0;
const GRID: RGBColor = COLOURS[1].0;
/// The number of colours for series; the paper's is always the first.
const SERIES: usize = 7;

/// The number of the colour of curve `at`. Only the paper's points have the first colour.
pub fn colour(curves: &[&Curve], at: usize) -> usize {
    if is_papers(curves[at]) {
        return 0;
    }
    let before = curves[..at].iter().filter(|curve| !is_papers(curve)).count();
    1 + before % (SERIES - 1)
}

/// Whether a curve shows the paper's figures.
pub fn is_papers(curve: &Curve) -> bool {
    curve.name.starts_with("paper")
}

/// Whether a curve is a theoretical line, without marks.
fn is_line(curve: &Curve) -> bool {
    curve.name.starts_with("t =")
}

/// Draws the plot; `None` if it has no points.
pub fn draw(plot: &Plot, curves: &[&Curve]) -> Option<String> {
    let place = |(x, y): (f64, f64)| (scaled(x, plot.log[0]), scaled(y, plot.log[1]));
    let points: Vec<Vec<(f64, f64)>> = curves
        .iter()
        .map(|curve| {
            curve.points.iter().copied().map(place).filter(|p| p.0.is_finite() && p.1.is_finite()).collect()
        })
        .collect();
    let all: Vec<(f64, f64)> = points.concat();
    if all.is_empty() {
        return None;
    }
    let x = range(all.iter().map(|p| p.0), plot.log[0]);
    let y = if plot.rows.is_empty() {
        range(all.iter().map(|p| p.1), plot.log[1])
    } else {
        0.4..plot.rows.len() as f64 + 0.6
    };
    let mut svg = String::new();
    chart(plot, curves, &points, x, y, &mut svg).expect("a string can always be drawn on");
    Some(styled(&svg))
}

fn chart(
    plot: &Plot,
    curves: &[&Curve],
    points: &[Vec<(f64, f64)>],
    x: Range<f64>,
    y: Range<f64>,
    svg: &mut String,
) -> Result<(), Box<dyn std::error::Error>> {
    let root = SVGBackend::with_string(svg, SIZE).into_drawing_area();
    let named = !plot.rows.is_empty();
    let mut chart = ChartBuilder::on(&root)
        .margin(10)
        .margin_right(22)
        .x_label_area_size(58)
        .y_label_area_size(if named { 215 } else { 92 })
        .build_cartesian_2d(x.clone(), y.clone())?;
    let text = ("sans-serif", 21).into_font().color(&INK);
    let ticks = |range: &Range<f64>, log: bool| if log { decades(range) } else { 8 };
    chart
        .configure_mesh()
        .axis_style(INK.stroke_width(1))
        .bold_line_style(GRID.stroke_width(1))
        .light_line_style(TRANSPARENT)
        .label_style(text.clone())
        .axis_desc_style(text)
        .x_labels(ticks(&x, plot.log[0]))
        .y_labels(if named { plot.rows.len() } else { ticks(&y, plot.log[1]) })
        .x_desc(&plot.axes[0])
        .y_desc(&plot.axes[1])
        .x_label_formatter(&|at| label(*at, plot.log[0], &[]))
        .y_label_formatter(&|at| label(*at, plot.log[1], &plot.rows))
        .draw()?;
    for (at, (curve, points)) in curves.iter().zip(points).enumerate() {
        let colour = COLOURS[2 + colour(curves, at)].0;
        if !named && !is_papers(curve) {
            chart.draw_series(LineSeries::new(points.iter().copied(), colour.stroke_width(2)))?;
        }
        if is_papers(curve) {
            chart.draw_series(points.iter().map(|&p| TriangleMarker::new(p, 7, colour.filled())))?;
        } else if points.len() < 60 && !is_line(curve) {
            chart.draw_series(points.iter().map(|&p| Circle::new(p, 4, colour.filled())))?;
        }
    }
    drop(chart);
    root.present()?;
    drop(root);
    Ok(())
}

/// The coordinate of a value.
fn scaled(value: f64, log: bool) -> f64 {
    if log { value.log10() } else { value }
}

/// A range around the values; whole decades on logarithmic axes.
fn range(values: impl Iterator<Item = f64> + Clone, log: bool) -> Range<f64> {
    let (least, most) = values
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), value| (least.min(value), most.max(value)));
    if log {
        return least.floor()..most.ceil().max(least.floor() + 1.0);
    }
    let room = ((most - least) * 0.05).max(0.05);
    // An axis of counts begins at 0, not a little below.
    let least = if (0.0..=room).contains(&least) { 0.0 } else { least - room };
    least..most + room
}

/// The number of labels, at most eight, that show powers of ten at whole exponents.
fn decades(range: &Range<f64>) -> usize {
    let span = (range.end - range.start).round() as usize;
    let step = [1, 2, 5, 10].into_iter().find(|step| span / step <= 8).unwrap_or(20);
    span / step + 1
}

/// The text at a tick.
fn label(at: f64, log: bool, rows: &[String]) -> String {
    if !rows.is_empty() {
        let row = (at.round() as usize).checked_sub(1).and_then(|row| rows.get(row));
        return row.filter(|_| (at - at.round()).abs() < 1e-6).map_or_else(String::new, String::clone);
    }
    if !log {
        let text = format!("{at:.2}");
        return text.trim_end_matches('0').trim_end_matches('.').to_owned();
    }
    if (at - at.round()).abs() > 1e-6 {
        return String::new();
    }
    match at.round() as i32 {
        exponent @ 0..=2 => format!("{}", 10i32.pow(exponent as u32)),
        exponent => format!("10{}", superscript(exponent)),
    }
}

/// A whole number as superscript digits.
pub fn superscript(exponent: i32) -> String {
    let digit = |c: char| match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        c => char::from_u32('⁰' as u32 + c as u32 - '0' as u32).expect("a superscript digit"),
    };
    exponent.to_string().chars().map(digit).collect()
}

/// The drawing with CSS variables for colours and without a fixed size.
fn styled(svg: &str) -> String {
    let mut svg = svg.replacen(&format!("width=\"{}\" height=\"{}\" ", SIZE.0, SIZE.1), "", 1);
    for (RGBColor(r, g, b), variable) in COLOURS {
        svg = svg.replace(&format!("\"#{r:02X}{g:02X}{b:02X}\""), &format!("\"var({variable})\""));
    }
    svg.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::layout::SECTIONS;

    #[test]
    fn a_plot_has_every_point_and_no_placeholder() {
        let plot =
            SECTIONS.iter().flat_map(|section| &section.plots).find(|plot| plot.id == "iterations").unwrap();
        let curve = |name: &str, points: &[(f64, f64)]| Curve {
            plot: plot.id.clone(),
            name: name.into(),
            points: points.to_vec(),
            timed: false,
        };
        let ours = curve("ours", &[(10.0, 240.0), (11.0, 3100.0)]);
        let paper = curve("paper", &[(17.0, 122e9)]);
        let svg = draw(plot, &[&ours, &paper]).unwrap();
        assert_eq!(svg.matches("<circle").count(), 2);
        assert!(svg.contains("var(--s1)") && svg.contains("var(--s0)") && svg.contains("10¹²"));
        assert!(!svg.contains("#0708") && !svg.contains("width=\"640\""), "{svg}");
        assert_eq!(draw(plot, &[]), None);
    }

    #[test]
    fn ticks_are_powers_of_ten_or_decimals() {
        assert_eq!(label(0.0, true, &[]), "1");
        assert_eq!(label(12.0, true, &[]), "10¹²");
        assert_eq!(label(2.5, true, &[]), "");
        assert_eq!(label(8.50, false, &[]), "8.5");
        assert_eq!(label(2.0, false, &["a".into(), "b".into()]), "b");
        assert_eq!(range([3.2, 7.7].into_iter(), true), 3.0..8.0);
    }
}
