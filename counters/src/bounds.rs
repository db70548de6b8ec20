//! The bounds of the counters: reading, comparing and writing `bounds.toml`.

use std::collections::BTreeMap;
use std::fmt;

/// The unit of a counter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unit {
    /// Instructions of this process, as callgrind counts them.
    Instructions,
    /// Calls of the allocator for new or larger memory.
    Allocations,
    /// Bytes handed to the system to be written.
    Bytes,
}

impl Unit {
    /// All units, in the order of the table.
    pub const ALL: [Unit; 3] = [Unit::Instructions, Unit::Allocations, Unit::Bytes];

    /// Returns the name, as the title of a table in `bounds.toml`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Unit::Instructions => "instructions",
            Unit::Allocations => "allocations",
            Unit::Bytes => "bytes",
        }
    }

    /// Returns the difference from a bound at which a figure is still within it.
    #[must_use]
    pub fn tolerance(self, name: &str, bound: f64) -> f64 {
        match self {
            // An incremental and a whole build inline differently, which a tight loop shows.
            Unit::Instructions if name.starts_with("perft/") || name.starts_with("search/") => {
                bound * 0.2
            }
            // Another processor or C library copies memory by other instructions; seeds of hash tables and turns of threads differ from run
            // to run. A short function differs by whole instructions.
            Unit::Instructions => (bound * 0.05).max(50.0),
            // Equal in every run, but for the rounding.
            Unit::Allocations => 0.01,
            // The runtime wakes its threads by writing a few bytes, now and then.
            Unit::Bytes => bound * 0.02,
        }
    }

    fn decimals(self) -> usize {
        match self {
            Unit::Instructions | Unit::Bytes => 0,
            Unit::Allocations => 2,
        }
    }

    /// Returns a figure in the precision of `bounds.toml`.
    #[must_use]
    pub fn text(self, figure: f64) -> String {
        format!("{figure:.*}", self.decimals())
    }
}

/// Figures or bounds by unit and name.
pub type Figures = BTreeMap<(Unit, String), f64>;

/// Returns the figure to be reached, where it is not reached yet or must stay.
#[must_use]
pub fn goal(unit: Unit, name: &str) -> Option<f64> {
    match (unit, name.split_once('/')?) {
        (Unit::Allocations, ("move", _)) => Some(8.0),
        (Unit::Allocations, ("tick", "match" | "pools")) => Some(0.0),
        (Unit::Bytes, ("append", _)) => Some(400.0),
        _ => None,
    }
}

/// A figure that is not within its bound.
#[derive(Debug, Clone, PartialEq)]
pub struct Fault {
    unit: Unit,
    name: String,
    kind: FaultKind,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum FaultKind {
    More { figure: f64, bound: f64 },
    Fewer { figure: f64, bound: f64 },
    NoBound { figure: f64 },
    NoFigure,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, unit) = (&self.name, self.unit.name());
        let text = |figure| self.unit.text(figure);
        let tolerance = |bound| text(self.unit.tolerance(name, bound));
        match self.kind {
            FaultKind::More { figure, bound } => write!(
                f,
                "{name}: {} {unit}, more than the bound of {} and its tolerance of {}: find the cause, or renew the bounds on purpose",
                text(figure),
                text(bound),
                tolerance(bound)
            ),
            FaultKind::Fewer { figure, bound } => write!(
                f,
                "{name}: {} {unit}, fewer than the bound of {} less its tolerance of {}: renew the bounds, so that the gain is kept",
                text(figure),
                text(bound),
                tolerance(bound)
            ),
            FaultKind::NoBound { figure } => {
                write!(
                    f,
                    "{name}: {} {unit}, without a bound: renew the bounds",
                    text(figure)
                )
            }
            FaultKind::NoFigure => {
                write!(
                    f,
                    "{name}: a bound for {unit} that nothing counts: renew the bounds"
                )
            }
        }
    }
}

/// Compares figures with their bounds, in both directions: a bound far above its figure would let the next fault pass.
#[must_use]
pub fn compare(figures: &Figures, bounds: &Figures) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut add = |(unit, name): &(Unit, String), kind| {
        faults.push(Fault {
            unit: *unit,
            name: name.clone(),
            kind,
        });
    };
    for (key, &figure) in figures {
        let Some(&bound) = bounds.get(key) else {
            add(key, FaultKind::NoBound { figure });
            continue;
        };
        let (unit, name) = key;
        let tolerance = unit.tolerance(name, bound);
        if figure > bound + tolerance {
            add(key, FaultKind::More { figure, bound });
        } else if figure < bound - tolerance {
            add(key, FaultKind::Fewer { figure, bound });
        }
    }
    for key in bounds.keys().filter(|key| !figures.contains_key(*key)) {
        add(key, FaultKind::NoFigure);
    }
    faults
}

/// Reads bounds from the text of `bounds.toml`.
///
/// # Errors
/// A message, if it is not a table of numbers for each unit.
pub fn read(text: &str) -> Result<Figures, String> {
    let tables: BTreeMap<String, BTreeMap<String, f64>> =
        toml::from_str(text).map_err(|error| error.to_string())?;
    let mut bounds = Figures::new();
    for (title, table) in tables {
        let unit = Unit::ALL.into_iter().find(|unit| unit.name() == title);
        let unit = unit.ok_or_else(|| format!("{title} is no unit"))?;
        bounds.extend(table.into_iter().map(|(name, bound)| ((unit, name), bound)));
    }
    Ok(bounds)
}

/// Returns the text of `bounds.toml` with these figures as bounds.
#[must_use]
pub fn write(figures: &Figures) -> String {
    let mut text =
        String::from("# Written by `tests/counters write`; see docs/performance.md, Counters.\n");
    for unit in Unit::ALL {
        text.push_str(&format!("\n[{}]\n", unit.name()));
        for ((_, name), figure) in figures.iter().filter(|((of, _), _)| *of == unit) {
            text.push_str(&format!("\"{name}\" = {}\n", unit.text(*figure)));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn instructions(name: &str, figure: f64) -> Figures {
        Figures::from([((Unit::Instructions, name.to_owned()), figure)])
    }

    fn told(figures: &Figures, bounds: &Figures) -> Vec<String> {
        let faults = compare(figures, bounds);
        faults.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_figure_within_the_tolerance_passes() {
        let bounds = instructions("move/mawe", 1_000.0);
        for figure in [950.0, 1_000.0, 1_050.0] {
            assert_eq!(compare(&instructions("move/mawe", figure), &bounds), []);
        }
    }

    #[test]
    fn a_figure_above_its_bound_is_told_with_both() {
        let told = told(
            &instructions("move/mawe", 1_051.0),
            &instructions("move/mawe", 1_000.0),
        );
        assert_eq!(
            told,
            [
                "move/mawe: 1051 instructions, more than the bound of 1000 and its tolerance of 50: find the cause, or renew the bounds on purpose"
            ]
        );
    }

    #[test]
    fn a_gain_is_told_so_that_it_is_kept() {
        let told = told(
            &instructions("move/mawe", 949.0),
            &instructions("move/mawe", 1_000.0),
        );
        assert_eq!(
            told,
            [
                "move/mawe: 949 instructions, fewer than the bound of 1000 less its tolerance of 50: renew the bounds, so that the gain is kept"
            ]
        );
    }

    #[test]
    fn a_figure_without_a_bound_and_a_bound_without_a_figure_are_told() {
        let told = told(&instructions("new", 7.0), &instructions("old", 8.0));
        assert_eq!(
            told,
            [
                "new: 7 instructions, without a bound: renew the bounds",
                "old: a bound for instructions that nothing counts: renew the bounds"
            ]
        );
    }

    #[test]
    fn no_allocation_more_than_none_is_allowed() {
        let tick = |figure| Figures::from([((Unit::Allocations, "tick".to_owned()), figure)]);
        assert_eq!(compare(&tick(0.0), &tick(0.0)), []);
        assert_eq!(compare(&tick(0.02), &tick(0.0)).len(), 1);
    }

    #[test]
    fn bounds_are_read_as_they_were_written() {
        let figures = Figures::from([
            ((Unit::Instructions, "move/mawe".to_owned()), 1_234.0),
            ((Unit::Allocations, "move/mawe".to_owned()), 7.25),
            ((Unit::Bytes, "append/100".to_owned()), 3_700.0),
        ]);
        assert_eq!(read(&write(&figures)), Ok(figures));
        assert!(read("[time]\nmove = 1\n").is_err());
    }
}
