//! A simulated day of pairing: its invariants, and the agreement of `docs/pairing.md` with its results.

#[path = "../examples/pairing_day/day.rs"]
mod day;

use std::path::Path;

#[test]
fn a_day_of_pairing_is_as_the_document_says() {
    let days = day::all();
    for (rate, day) in &days {
        let paired = 2 * day.made.len();
        let gone = usize::try_from(day.arrivals - day.gave_up).expect("fewer");
        assert!(
            paired <= gone && gone - paired < rate.population / 10 + 10,
            "{}: who came was paired, gave up, or still waits at midnight",
            rate.name
        );
        for made in &day.made {
            assert!(made.apart <= 500.0, "{}: {made:?}", rate.name);
        }
        for (surplus, played) in &day.surplus {
            assert!(
                surplus.unsigned_abs() <= 2 + played / 3,
                "{}: {surplus} of {played} matches on one side",
                rate.name
            );
        }
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/pairing.md");
    let document = std::fs::read_to_string(path).expect("docs/pairing.md is in the repository");
    let tables = day::tables(&days);
    assert!(
        document.contains(&tables),
        "docs/pairing.md shows other figures; now they are\n\n{tables}"
    );
    let charts = day::charts(&days);
    let sections: Vec<&str> = charts.trim_start().split("\n\n").collect();
    assert_eq!(sections.len(), days.len(), "{charts}");
    for (section, (rate, _)) in sections.iter().zip(&days) {
        let mut lines = section.lines();
        let title = format!("{}: people by their wait", rate.name);
        assert_eq!(lines.next(), Some(title.as_str()));
        let share = |line: &str| -> f64 {
            let words: Vec<&str> = line.split_whitespace().collect();
            words[words.len() - 2].parse().expect("a number")
        };
        let all: f64 = lines.map(share).sum();
        assert!((99.5..100.5).contains(&all), "everybody once: {section}");
    }
}
