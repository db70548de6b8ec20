//! The latency of moves over the time of a scenario, as an SVG. By hand: a library for charts would be compiled with every test of the
//! server.

use std::fmt::Write;
use std::time::Duration;

/// The interval of a point.
const STEP: Duration = Duration::from_millis(100);

/// The size of the plot in pixels.
const WIDTH: f64 = 840.0;
const HEIGHT: f64 = 300.0;

/// The room for names at its left and above it.
const LEFT: f64 = 70.0;
const TOP: f64 = 40.0;

/// The colour of each server in turn.
const COLOURS: [&str; 3] = ["#777777", "#c05a2b", "#2b6cb0"];

/// A received move: the time since the first move of the scenario, and the time from mover to opponent.
pub(crate) type Point = (Duration, Duration);

/// The latencies of each server.
#[derive(Default)]
pub(crate) struct Picture {
    servers: Vec<(&'static str, Vec<Point>)>,
}

impl Picture {
    /// Sets the points of a server; those of an earlier round are replaced.
    pub(crate) fn set(&mut self, server: &'static str, points: Vec<Point>) {
        self.servers.retain(|(name, _)| *name != server);
        self.servers.push((server, points));
    }

    /// Draws for each server the median (thin) and the longest time (thick) of every tenth of a second, on a logarithmic scale.
    pub(crate) fn svg(&self) -> String {
        let points = self.servers.iter().flat_map(|(_, points)| points);
        let seconds = points.map(|(at, _)| at.as_secs_f64()).fold(1.0, f64::max);
        let x = |seconds_in: f64| LEFT + seconds_in / seconds * WIDTH;
        // From 0.1 ms at the bottom to 10 s at the top.
        let y = |ms: f64| TOP + HEIGHT - (ms.clamp(0.1, 10_000.0).log10() + 1.0) / 5.0 * HEIGHT;
        let (whole_width, whole_height) = (LEFT + WIDTH + 20.0, TOP + HEIGHT + 40.0);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {whole_width} {whole_height}\" font-family=\"sans-serif\" font-size=\"13\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
        );
        for (ms, name) in [
            (1.0, "1 ms"),
            (10.0, "10 ms"),
            (100.0, "100 ms"),
            (1_000.0, "1 s"),
            (10_000.0, "10 s"),
        ] {
            line(
                &mut svg,
                "#dddddd",
                1.0,
                &[(x(0.0), y(ms)), (x(seconds), y(ms))],
            );
            text(&mut svg, (LEFT - 8.0, y(ms) + 4.0), "end", name);
        }
        for second in 0..=seconds as u32 {
            text(
                &mut svg,
                (x(f64::from(second)), TOP + HEIGHT + 22.0),
                "middle",
                &format!("{second} s"),
            );
        }
        for ((index, (name, points)), colour) in self.servers.iter().enumerate().zip(COLOURS) {
            let of = |q| -> Vec<(f64, f64)> {
                let steps = steps(points, q);
                steps
                    .into_iter()
                    .map(|(at, time)| (x(at), y(time.as_secs_f64() * 1_000.0)))
                    .collect()
            };
            line(&mut svg, colour, 1.0, &of(0.5));
            line(&mut svg, colour, 2.5, &of(1.0));
            let place = LEFT + index as f64 * 100.0;
            line(
                &mut svg,
                colour,
                2.5,
                &[(place, 20.0), (place + 24.0, 20.0)],
            );
            text(&mut svg, (place + 30.0, 24.0), "start", name);
        }
        svg + "</svg>\n"
    }
}

/// Returns a quantile of the times of each step, with the middle of the step in seconds.
fn steps(points: &[Point], q: f64) -> Vec<(f64, Duration)> {
    let step_of = |at: &Duration| at.as_millis() / STEP.as_millis();
    let mut sorted = points.to_vec();
    sorted.sort_unstable();
    sorted
        .chunk_by(|(one, _), (other, _)| step_of(one) == step_of(other))
        .map(|chunk| {
            let mut times: Vec<Duration> = chunk.iter().map(|(_, time)| *time).collect();
            times.sort_unstable();
            let middle = (step_of(&chunk[0].0) as f64 + 0.5) * STEP.as_secs_f64();
            (middle, mawe_server::load::quantile(&times, q))
        })
        .collect()
}

fn line(svg: &mut String, colour: &str, width: f64, points: &[(f64, f64)]) {
    let points: Vec<String> = points
        .iter()
        .map(|(x, y)| format!("{x:.1},{y:.1}"))
        .collect();
    let points = points.join(" ");
    let _ = writeln!(
        svg,
        "<polyline points=\"{points}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"/>"
    );
}

fn text(svg: &mut String, (x, y): (f64, f64), anchor: &str, words: &str) {
    let _ = writeln!(
        svg,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" fill=\"#333333\">{words}</text>"
    );
}
