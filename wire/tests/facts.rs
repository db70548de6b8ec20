//! Writes `static/core/facts.js`: the lists and bounds of the wire that the page uses as well.
//!
//! `MAWE_FACTS=write cargo test -p mawe-wire --test facts` writes the file again after a change.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use mawe_wire::end_reason::EndReason;
use mawe_wire::pool::PoolId;
use mawe_wire::{Code, Speed, TimeControl};

const SECOND_MS: u64 = 1_000;

/// Longer than any permitted base time, in seconds.
const DAY_S: u64 = 24 * 60 * 60;

/// The width at which the formatter of the page breaks a line (`biome.jsonc`).
const LINE_WIDTH: usize = 140;

fn control(base_ms: u64, increment_ms: u64) -> TimeControl {
    TimeControl::Realtime {
        base_ms,
        increment_ms,
    }
}

/// The values that fit, of a range without gaps.
fn bounds(values: impl Iterator<Item = u64> + Clone, fits: impl Fn(u64) -> bool) -> String {
    let mut fitting = values.filter(|value| fits(*value));
    let least = fitting.next().expect("one fits");
    let most = fitting.last().unwrap_or(least);
    format!("[{least}, {most}]")
}

/// The bounds of a speed in milliseconds of base time: each speed with clocks but the slowest ends below one.
fn speeds_end() -> Vec<u64> {
    let speeds = (0..DAY_S).map(|base_s| control(base_s * SECOND_MS, 0).speed());
    let mut ends = Vec::new();
    let mut last = Speed::Bullet;
    for (base_s, speed) in (0..).zip(speeds) {
        if speed != last {
            ends.push(base_s * SECOND_MS);
            last = speed;
        }
    }
    ends
}

/// The number of increments that count as base time.
fn increments(first_end_ms: u64) -> u64 {
    let longest = (0..)
        .find(|ms| control(0, *ms).speed() != Speed::Bullet)
        .expect("an increment makes it slower");
    first_end_ms / longest
}

fn list<'a>(words: impl Iterator<Item = &'a str>) -> String {
    let quoted: Vec<String> = words.map(|word| format!("\"{word}\"")).collect();
    format!("[{}]", quoted.join(", "))
}

fn facts() -> String {
    let ends = speeds_end();
    assert_eq!(ends.len(), Speed::ALL.len() - 2, "one speed is daily");
    let times = (0..=DAY_S).map(|seconds| seconds * SECOND_MS);
    let base_ms = bounds(times.clone(), |ms| control(ms, 0).check().is_ok());
    let increment_ms = bounds(times, |ms| control(60 * SECOND_MS, ms).check().is_ok());
    let called_off = EndReason::all().filter(|reason| reason.is_called_off());
    let mut text = String::from(
        "// @ts-check\n// Made by `MAWE_FACTS=write cargo test -p mawe-wire --test facts`: the lists and bounds of the wire.\n",
    );
    let mut fact = |about: &str, name: &str, value: &str| {
        let mut line = format!("export const {name} = /** @type {{const}} */ ({value});");
        if line.len() > LINE_WIDTH {
            let items = value.trim_matches(['[', ']']).replace(", ", ",\n  ");
            line = line.replace(value, &format!("[\n  {items},\n]"));
        }
        write!(text, "\n/** {about} */\n{line}\n").expect("a string takes all text");
    };
    fact(
        "The pools of every game: minutes and seconds a move, by the server's names.",
        "POOLS",
        &list(PoolId::all().map(PoolId::as_str)),
    );
    fact(
        "Every speed, the fastest first.",
        "SPEEDS",
        &list(Speed::ALL.into_iter().map(Speed::as_str)),
    );
    fact(
        "Each speed with clocks, but the slowest, is below its entry here, by base and counted increments.",
        "SPEED_ENDS_MS",
        &format!("{ends:?}"),
    );
    fact(
        "The number of increments that count as base time.",
        "INCREMENTS",
        &increments(ends[0]).to_string(),
    );
    fact("The least and the most base time.", "BASE_MS", &base_ms);
    fact(
        "The least and the most increment.",
        "INCREMENT_MS",
        &increment_ms,
    );
    fact(
        "The reasons of matches that were called off.",
        "CALLED_OFF",
        &list(called_off.map(EndReason::code)),
    );
    let codes = |belongs: fn(&Code) -> bool| {
        list(
            Code::ALL
                .iter()
                .filter(|code| belongs(code))
                .map(Code::as_str),
        )
    };
    fact(
        "The codes of refusals after which a command is sent again.",
        "PASSING",
        &codes(Code::is_passing),
    );
    fact(
        "The codes with which a wait in a pool is refused; none of these refusals names the pool.",
        "POOL_REFUSALS",
        &codes(Code::refuses_pool),
    );
    text
}

#[test]
fn the_page_has_the_facts_of_the_wire() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../static/core/facts.js");
    let facts = facts();
    if std::env::var_os("MAWE_FACTS").is_some_and(|task| task == "write") {
        return fs::write(path, facts).expect("the file can be written");
    }
    let said = fs::read_to_string(path).unwrap_or_default();
    assert!(
        said == facts,
        "static/core/facts.js is older than the wire: run MAWE_FACTS=write cargo test -p mawe-wire --test facts"
    );
}
