//! The results of pairing in a simulated day: prints the tables of `docs/pairing.md`.

mod day;

fn main() {
    print!("{}", day::tables(&day::all()));
}
