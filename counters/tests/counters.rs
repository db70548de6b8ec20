//! Runs the program of this package, and compares its counts with `bounds.toml`: `tests/counters`, or `tests/counters write` to write the
//! bounds anew.
//!
//! Nothing here depends on the speed of the machine or on its load. The bounds are of Linux on x86-64.

#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use mawe_counters::bounds::{Figures, Unit, compare, goal, read, write};

const PROGRAM: &str = env!("CARGO_BIN_EXE_mawe-counters");

/// The function that the program calls once for each counter.
const COUNTED: &str = "mawe_counters::counted";

#[test]
#[ignore = "takes half a minute and valgrind: tests/counters runs it"]
fn every_counter_is_within_its_bound() {
    if cfg!(not(debug_assertions)) {
        panic!("the bounds are of the dev profile: run tests/counters");
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("bounds.toml");
    let bounds = fs::read_to_string(&file).expect("the bounds are in the repository");
    let bounds = read(&bounds).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let figures = count();
    print(&figures, &bounds);
    if std::env::var("MAWE_COUNTERS").is_ok_and(|wish| wish == "write") {
        fs::write(&file, write(&figures)).expect("the bounds can be written");
        return;
    }
    let faults = compare(&figures, &bounds);
    let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
    assert!(
        faults.is_empty(),
        "\n{}\n`tests/counters write` renews the bounds; the commit says why.",
        faults.join("\n")
    );
}

fn count() -> Figures {
    let place = tempfile::tempdir().expect("a temporary directory");
    let directory = |name| {
        let directory = place.path().join(name);
        fs::create_dir(&directory).expect("it can be made");
        directory
    };
    let (written, counted) = (directory("bytes"), directory("instructions"));
    output(program().arg("prepare").arg(&written));
    let database = "mawe.sqlite";
    fs::copy(written.join(database), counted.join(database)).expect("it was prepared");

    let mut figures = Figures::new();
    let mut add = |unit, lines: &str| {
        for line in lines.lines() {
            let (name, figure) = name_and_number(line);
            figures.insert((unit, name), figure);
        }
    };
    add(Unit::Allocations, &output(program().arg("allocations")));
    add(Unit::Bytes, &output(program().arg("bytes").arg(&written)));
    for (name, figure) in instructions(&counted) {
        figures.insert((Unit::Instructions, name), figure);
    }
    figures
}

/// Runs the program under callgrind, which writes a file for each call of [`COUNTED`].
fn instructions(directory: &Path) -> Vec<(String, f64)> {
    let out = directory.join("callgrind");
    let mut valgrind = bare("valgrind");
    valgrind
        .arg("--tool=callgrind")
        .arg(format!("--zero-before={COUNTED}"))
        .arg(format!("--dump-after={COUNTED}"))
        .arg(format!("--callgrind-out-file={}", out.display()))
        .args([PROGRAM, "instructions"])
        .arg(directory);
    let lines = output(&mut valgrind);
    let figure = |(line, part)| {
        let (name, times) = name_and_number(line);
        (name, total(&out, part) / times)
    };
    lines.lines().zip(1..).map(figure).collect()
}

/// Returns the instructions of all threads in a part of callgrind's output.
fn total(out: &Path, part: usize) -> f64 {
    let file = PathBuf::from(format!("{}.{part}", out.display()));
    let text = fs::read_to_string(&file).expect("callgrind writes a file for each call");
    let total = text.lines().find_map(|line| line.strip_prefix("totals: "));
    let total = total.expect("callgrind writes the total");
    total.trim().parse().expect("it is a number")
}

fn program() -> Command {
    bare(PROGRAM)
}

/// Returns a command without the caller's environment, which could change the counts.
fn bare(program: &str) -> Command {
    let mut command = Command::new(program);
    command.env_clear();
    command.envs(std::env::vars().filter(|(name, _)| name == "PATH" || name == "TMPDIR"));
    command
}

fn output(command: &mut Command) -> String {
    let ran = command.output().unwrap_or_else(|error| {
        panic!("{command:?}: {error}; is it installed? (Debian: apt-get install valgrind)")
    });
    let errors = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{command:?}: {errors}");
    String::from_utf8(ran.stdout).expect("the program prints text")
}

fn name_and_number(line: &str) -> (String, f64) {
    let parts = line.split_once(' ');
    let parts = parts.and_then(|(name, number)| Some((name.to_owned(), number.parse().ok()?)));
    parts.unwrap_or_else(|| panic!("not a name and a number: {line}"))
}

fn print(figures: &Figures, bounds: &Figures) {
    let cell = |unit: Unit, figure: Option<f64>| {
        figure.map_or_else(String::new, |figure| unit.text(figure))
    };
    println!("| counter | figure | bound | goal |\n|---|---|---|---|");
    for (key, figure) in figures {
        let (unit, name) = key;
        println!(
            "| {}, {name} | {} | {} | {} |",
            unit.name(),
            unit.text(*figure),
            cell(*unit, bounds.get(key).copied()),
            cell(*unit, goal(*unit, name)),
        );
    }
}
