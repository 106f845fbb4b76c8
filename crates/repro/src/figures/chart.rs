//! Lines with axes and a legend, as SVG.

use crate::number;
use crate::report::plots::superscript;
use plotters::prelude::*;

const SIZE: (u32, u32) = (720, 440);
const COLOURS: [RGBColor; 5] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(90, 90, 90),
];

/// One line of a chart.
pub struct Series {
    /// Its name in the legend.
    pub name: &'static str,
    /// Its points, from left to right.
    pub points: Vec<(f64, f64)>,
}

/// A chart.
pub struct Chart {
    /// The labels of the axes.
    pub axes: [&'static str; 2],
    /// Whether the vertical axis is logarithmic.
    pub log: bool,
    /// The labels of the horizontal axis.
    pub x_label: fn(f64) -> String,
    /// The position of the legend.
    pub legend: SeriesLabelPosition,
    /// The lines.
    pub series: Vec<Series>,
}

impl Chart {
    /// The drawing.
    pub fn draw(&self) -> String {
        let mut svg = String::new();
        self.draw_on(&mut svg).expect("a string can always be drawn on");
        svg.push('\n');
        svg
    }

    /// Logarithmic axes are linear ones of the logarithm, with powers of ten as labels.
    fn draw_on(&self, svg: &mut String) -> Result<(), Box<dyn std::error::Error>> {
        let height = |y: f64| if self.log { y.log10() } else { y };
        let points = || self.series.iter().flat_map(|series| &series.points);
        let most = |values: &mut dyn Iterator<Item = f64>| values.fold(f64::NEG_INFINITY, f64::max);
        let right = most(&mut points().map(|point| point.0));
        let left = -most(&mut points().map(|point| -point.0));
        let top = most(&mut points().map(|point| height(point.1)));
        let top = if self.log { top.ceil() } else { top * 1.03 };

        let root = SVGBackend::with_string(svg, SIZE).into_drawing_area();
        root.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&root)
            .margin(14)
            .margin_right(26)
            .x_label_area_size(46)
            .y_label_area_size(74)
            .build_cartesian_2d(left..right, 0.0..top)?;
        let text = ("sans-serif", 16).into_font();
        let y_labels = if self.log { (top as usize).min(9) + 1 } else { 8 };
        chart
            .configure_mesh()
            .bold_line_style(BLACK.mix(0.12))
            .light_line_style(TRANSPARENT)
            .label_style(text.clone())
            .axis_desc_style(text.clone())
            .x_labels(10)
            .y_labels(y_labels)
            .x_desc(self.axes[0])
            .y_desc(self.axes[1])
            .x_label_formatter(&|x| (self.x_label)(*x))
            .y_label_formatter(&|y| if self.log { power(*y) } else { grouped(*y, top) })
            .draw()?;
        for (series, colour) in self.series.iter().zip(COLOURS) {
            let line = series.points.iter().map(|&(x, y)| (x, height(y)));
            chart
                .draw_series(LineSeries::new(line, colour.stroke_width(2)).point_size(3))?
                .label(series.name)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(3)));
        }
        chart
            .configure_series_labels()
            .position(self.legend.clone())
            .background_style(WHITE.mix(0.9))
            .border_style(BLACK.mix(0.3))
            .label_font(text)
            .margin(10)
            .draw()?;
        drop(chart);
        root.present()?;
        Ok(())
    }
}

/// A whole number.
pub fn whole(x: f64) -> String {
    format!("{x:.0}")
}

/// A number with its thousands apart; with one decimal where the axis is short.
fn grouped(y: f64, top: f64) -> String {
    if top < 10.0 {
        return format!("{y:.1}");
    }
    number::grouped(&whole(y))
}

/// A power of ten.
fn power(exponent: f64) -> String {
    format!("10{}", superscript(exponent.round() as i32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axis_labels_are_formatted() {
        assert_eq!(grouped(1_234_567.0, 2e6), "1,234,567");
        assert_eq!(grouped(120.0, 150.0), "120");
        assert_eq!(grouped(1.25, 2.0), "1.2");
        assert_eq!(power(12.0), "10¹²");
    }
}
