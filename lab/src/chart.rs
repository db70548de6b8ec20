//! Charts in text: a bar a line, which needs no library.

use std::fmt::Write;

/// The length of the longest bar, in characters.
const LONGEST: u32 = 50;

/// A full character, and the parts of one from an eighth on.
const FULL: char = '█';
const EIGHTHS: [char; 7] = ['▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/// A line of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    /// The text before the bar.
    pub label: String,
    /// The length of the bar; a value below zero has none.
    pub value: f64,
    /// The text after the bar.
    pub note: String,
}

/// Returns the lines of a chart. The greatest value has the longest bar, and bars begin at zero.
#[must_use]
pub fn bars(rows: &[Bar]) -> String {
    let width = |text: &str| text.chars().count();
    let labels = rows.iter().map(|row| width(&row.label)).max().unwrap_or(0);
    let greatest = rows.iter().map(|row| row.value).fold(0.0, f64::max);
    let mut text = String::new();
    for Bar { label, value, note } in rows {
        let share = if greatest > 0.0 {
            value / greatest
        } else {
            0.0
        };
        let line = format!("{label:labels$} {} {note}", bar(share));
        writeln!(text, "{}", line.trim_end()).expect("text takes text");
    }
    text
}

/// Returns a bar for a share of the longest.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the share is between 0 and 1"
)]
fn bar(share: f64) -> String {
    let eighths = (share.clamp(0.0, 1.0) * f64::from(LONGEST * 8)).round() as usize;
    let mut bar = FULL.to_string().repeat(eighths / 8);
    bar.extend((eighths % 8).checked_sub(1).map(|rest| EIGHTHS[rest]));
    bar
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(label: &str, value: f64, note: &str) -> Bar {
        Bar {
            label: label.to_owned(),
            value,
            note: note.to_owned(),
        }
    }

    #[test]
    fn bars_are_in_proportion_and_begin_in_one_column() {
        let rows = [
            row("level 1", 25.0, "25"),
            row("10", 100.0, "100 ± 3"),
            row("zażółć", 50.0 / 8.0, ""),
            row("x", -40.0, "-40"),
            row("", f64::NAN, "?"),
        ];
        let full = |count: usize| "█".repeat(count);
        let expected = format!(
            "level 1 {}▌ 25\n10      {} 100 ± 3\nzażółć  {}▏\nx        -40\n         ?\n",
            full(12),
            full(50),
            full(3)
        );
        assert_eq!(bars(&rows), expected);
    }

    #[test]
    fn a_chart_of_nothing_has_no_bar() {
        assert_eq!(bars(&[]), "");
        assert_eq!(bars(&[row("a", 0.0, "0")]), "a  0\n");
        assert_eq!(bars(&[row("a", -1.0, "-1")]), "a  -1\n");
    }
}
