//! The line protocols of other programs.

use clap::ValueEnum;

/// A line protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Protocol {
    /// Programs of Reversi, version 2: `set game (…)`, `go`, answered by `=== d3/…`
    Nboard,
    /// As `mawe engine` speaks: `position startpos moves …`, `go movetime MS`, answered by `bestmove`
    Ugi,
    /// Engines that know positions only: `position fen P`, `go movetime MS`, answered by `bestmove`, or the position after it
    Fen,
    /// Aalina (Oware): as `ugi`, but South's houses are `A` to `F`, North's `a` to `f`, without blanks between
    Aalina,
}
