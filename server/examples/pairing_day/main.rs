//! The results of pairing in a simulated day: prints the tables of `docs/pairing.md`, and with `--chart` bars of the waits.

mod day;

fn main() {
    let days = day::all();
    print!("{}", day::tables(&days));
    if std::env::args().any(|argument| argument == "--chart") {
        print!("{}", day::charts(&days));
    }
}
