//! Panels with two logarithmic axes, as SVG.

use std::fmt::Write as _;

/// One panel.
pub struct Panel {
    /// Above the panel.
    pub title: &'static str,
    /// What the vertical axis tells.
    pub y_name: &'static str,
    /// Names for powers of ten on the vertical axis.
    pub units: &'static [(f64, &'static str)],
    /// Lines of so much of y for each x, with their names.
    pub guides: &'static [(f64, &'static str)],
    /// The lines with points.
    pub series: Vec<Series>,
}

/// A line with points.
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// Its colour.
    pub colour: &'static str,
    /// How it is drawn.
    pub style: Style,
    /// Its points, from left to right.
    pub points: Vec<Point>,
}

/// How a line is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// With filled points.
    Solid,
    /// With hollow points.
    Dashed,
}

/// A point, with the model's size.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    /// The size, written beside the last points.
    pub n: u32,
    /// Horizontal.
    pub x: f64,
    /// Vertical.
    pub y: f64,
}

const WIDTH: f64 = 460.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 70.0;
const TOP: f64 = 40.0;
const GAP: f64 = 50.0;
/// Keeps text readable across lines.
const HALO: &str = "stroke=\"#ffffff\" stroke-width=\"4\" paint-order=\"stroke\"";

/// A drawing of panels side by side, with one legend below.
pub fn page(panels: &[Panel]) -> String {
    let width = LEFT + panels.len() as f64 * (WIDTH + LEFT) - 20.0;
    let legend = panels.first().map_or(&[][..], |panel| &panel.series[..]);
    let height = TOP + HEIGHT + GAP + 15.0 + 22.0 * legend.len().div_ceil(2) as f64;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
    );
    for (i, panel) in panels.iter().enumerate() {
        let at = LEFT + i as f64 * (WIDTH + LEFT);
        let _ = writeln!(svg, "<g transform=\"translate({at} {TOP})\">");
        panel.draw(&mut svg);
        svg.push_str("</g>\n");
    }
    for (i, series) in legend.iter().enumerate() {
        let (x, y) = (LEFT + (i % 2) as f64 * 300.0, TOP + HEIGHT + GAP + 15.0);
        let y = y + 22.0 * (i / 2) as f64;
        let _ = writeln!(
            svg,
            "<line x1=\"{x}\" y1=\"{y}\" x2=\"{}\" y2=\"{y}\" {}/>{}\
             <text x=\"{}\" y=\"{}\">{}</text>",
            x + 40.0,
            series.stroke(),
            series.mark(x + 20.0, y),
            x + 50.0,
            y + 4.0,
            series.name
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{}\" y=\"{}\" fill=\"#555555\">A number beside a point is the n of the largest \
         instance drawn.</text>",
        LEFT + 600.0,
        TOP + HEIGHT + GAP + 19.0
    );
    svg.push_str("</svg>\n");
    svg
}

/// Where a value stands between two powers of ten.
struct Axis {
    low: f64,
    high: f64,
    length: f64,
}

impl Axis {
    fn new(values: impl Iterator<Item = f64> + Clone, length: f64) -> Axis {
        let low = values.clone().fold(f64::INFINITY, f64::min).log10().floor();
        let high = values.fold(f64::NEG_INFINITY, f64::max).log10().ceil();
        let (low, high) = if low < high { (low, high) } else { (0.0, 1.0) };
        Axis { low, high, length }
    }

    fn at(&self, value: f64) -> f64 {
        (value.log10() - self.low) / (self.high - self.low) * self.length
    }

    fn powers(&self) -> impl Iterator<Item = f64> {
        (self.low as i32..=self.high as i32).map(|power| 10f64.powi(power))
    }
}

impl Panel {
    fn draw(&self, svg: &mut String) {
        let points = self.series.iter().flat_map(|s| &s.points);
        let x = Axis::new(points.clone().map(|p| p.x), WIDTH);
        let y = Axis::new(points.map(|p| p.y.max(1e-9)), HEIGHT);
        self.grid(&x, &y, svg);
        for &(slope, name) in self.guides {
            guide(&x, &y, slope, name, svg);
        }
        for series in &self.series {
            series.draw(&x, &y, svg);
        }
    }

    fn grid(&self, x: &Axis, y: &Axis, svg: &mut String) {
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"-14\" text-anchor=\"middle\" font-size=\"14\" \
             font-weight=\"bold\">{}</text>\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" \
             fill=\"none\" stroke=\"#888888\"/>\n<text x=\"{}\" y=\"{}\" \
             text-anchor=\"middle\">states</text>",
            WIDTH / 2.0,
            self.title,
            WIDTH / 2.0,
            HEIGHT + 38.0
        );
        for power in x.powers() {
            let at = x.at(power);
            let _ = writeln!(
                svg,
                "<line x1=\"{at:.1}\" x2=\"{at:.1}\" y2=\"{HEIGHT}\" stroke=\"#e4e4e4\"/>\
                 <text x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
                HEIGHT + 18.0,
                count(power)
            );
        }
        for power in y.powers() {
            let at = HEIGHT - y.at(power);
            let named = |unit: &&(f64, &str)| (unit.0 / power).log10().abs() < 0.1;
            let name = self.units.iter().find(named).map_or("", |unit| unit.1);
            let _ = writeln!(
                svg,
                "<line y1=\"{at:.1}\" x2=\"{WIDTH}\" y2=\"{at:.1}\" stroke=\"#e4e4e4\"/>\
                 <text x=\"-8\" y=\"{:.1}\" text-anchor=\"end\">{name}</text>",
                at + 4.0
            );
        }
    }
}

/// The line y = slope · x as far as it is inside, with its name at its upper end.
fn guide(x: &Axis, y: &Axis, slope: f64, name: &str, svg: &mut String) {
    let from = 10f64.powf(x.low.max(y.low - slope.log10()));
    let to = 10f64.powf(x.high.min(y.high - slope.log10()));
    if from >= to {
        return;
    }
    let (x1, y1) = (x.at(from), HEIGHT - y.at(slope * from));
    let (x2, y2) = (x.at(to), HEIGHT - y.at(slope * to));
    let angle = (y2 - y1).atan2(x2 - x1).to_degrees();
    // Along the line, a little below its lower end.
    let (tx, ty) = (x1 + 0.04 * (x2 - x1), y1 + 0.04 * (y2 - y1));
    let _ = writeln!(
        svg,
        "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"#9a9a9a\" \
         stroke-dasharray=\"2 3\"/><text transform=\"translate({tx:.1} {ty:.1}) \
         rotate({angle:.1})\" y=\"12\" font-size=\"11\" fill=\"#777777\" {HALO}>{name}</text>"
    );
}

/// A power of ten in few characters.
fn count(power: f64) -> String {
    match power {
        p if p >= 1e9 => format!("{} G", p / 1e9),
        p if p >= 1e6 => format!("{} M", p / 1e6),
        p if p >= 1e3 => format!("{} k", p / 1e3),
        p => p.to_string(),
    }
}

impl Series {
    fn stroke(&self) -> String {
        let dashes = match self.style {
            Style::Solid => "",
            Style::Dashed => " stroke-dasharray=\"6 4\"",
        };
        format!("stroke=\"{}\" stroke-width=\"1.8\" fill=\"none\"{dashes}", self.colour)
    }

    fn mark(&self, x: f64, y: f64) -> String {
        let fill = match self.style {
            Style::Solid => self.colour,
            Style::Dashed => "#ffffff",
        };
        format!(
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\" stroke=\"{}\" stroke-width=\"1.5\" \
             fill=\"{fill}\"/>",
            self.colour
        )
    }

    fn draw(&self, x: &Axis, y: &Axis, svg: &mut String) {
        let place = |p: &Point| (x.at(p.x), HEIGHT - y.at(p.y.max(1e-9)));
        let line: Vec<String> =
            self.points.iter().map(place).map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let _ = writeln!(svg, "<polyline points=\"{}\" {}/>", line.join(" "), self.stroke());
        for point in &self.points {
            let (px, py) = place(point);
            let _ = writeln!(svg, "{}", self.mark(px, py));
        }
        // The size of the largest, on the side where no line goes.
        if let Some(last) = self.points.last() {
            let (px, py) = place(last);
            let (dx, dy, anchor) = match self.style {
                Style::Solid => (7.0, 13.0, "start"),
                Style::Dashed => (-7.0, -6.0, "end"),
            };
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\" font-size=\"11\" \
                 fill=\"{}\" {HALO}>{}</text>",
                px + dx,
                py + dy,
                self.colour,
                last.n
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_spans_whole_powers_of_ten() {
        let axis = Axis::new([30.0, 4000.0].into_iter(), 300.0);
        assert_eq!((axis.at(10.0), axis.at(100.0), axis.at(10_000.0)), (0.0, 100.0, 300.0));
        assert_eq!(axis.powers().collect::<Vec<_>>(), [10.0, 100.0, 1000.0, 10_000.0]);
    }
}
