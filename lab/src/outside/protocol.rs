//! The line protocols of engines.

use std::fmt;
use std::str::FromStr;

use clap::ValueEnum;
use mawe_rules::GameKind;

/// A line protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, ValueEnum)]
pub enum Protocol {
    /// As `mawe engine` speaks: `position startpos moves …`, `go movetime MS`, answered by `bestmove`
    Ugi,
    /// Programs of draughts, version 2: `pos pos=… moves="…"`, `level time=… inc=…`, `go think`, answered by `done move=…`
    Hub,
    /// Programs of Reversi that speak the Go Text Protocol: `play black d3`, `genmove white`
    Gtp,
    /// Programs of Reversi, version 2: `set game (…)`, `go`, answered by `=== d3/…`
    Nboard,
    /// Engines that know positions only: `position fen P`, `go movetime MS`, answered by `bestmove`, or the position after it
    Fen,
    /// Aalina (Oware): as `ugi`, but South's houses are `A` to `F`, North's `a` to `f`, without blanks between
    Aalina,
}

impl Protocol {
    /// Every protocol.
    pub const ALL: &[Protocol] = &[
        Protocol::Ugi,
        Protocol::Hub,
        Protocol::Gtp,
        Protocol::Nboard,
        Protocol::Fen,
        Protocol::Aalina,
    ];

    /// The text form.
    pub const fn as_str(self) -> &'static str {
        match self {
            Protocol::Ugi => "ugi",
            Protocol::Hub => "hub",
            Protocol::Gtp => "gtp",
            Protocol::Nboard => "nboard",
            Protocol::Fen => "fen",
            Protocol::Aalina => "aalina",
        }
    }

    /// The games that the protocol can express.
    pub const fn games(self) -> &'static [GameKind] {
        match self {
            Protocol::Ugi | Protocol::Fen => GameKind::ALL,
            Protocol::Hub => &[
                GameKind::Checkers,
                GameKind::Drafti,
                GameKind::Brazilian,
                GameKind::Russian,
                GameKind::International,
                GameKind::Pool,
            ],
            Protocol::Gtp | Protocol::Nboard => &[GameKind::Reversi],
            Protocol::Aalina => &[GameKind::Oware],
        }
    }

    /// Whether it can express a limit of depth.
    pub const fn has_depth(self) -> bool {
        !matches!(self, Protocol::Gtp)
    }

    /// Whether it can express a limit of positions visited.
    pub const fn has_nodes(self) -> bool {
        !matches!(self, Protocol::Gtp | Protocol::Nboard)
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// The error of a text that names no [`Protocol`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the protocols are ugi, hub, gtp, nboard, fen and aalina")]
pub struct UnknownProtocol;

impl FromStr for Protocol {
    type Err = UnknownProtocol;

    fn from_str(text: &str) -> Result<Self, UnknownProtocol> {
        let known = Self::ALL
            .iter()
            .copied()
            .find(|known| known.as_str() == text);
        known.ok_or(UnknownProtocol)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_protocol_has_one_name() {
        for protocol in Protocol::ALL.iter().copied() {
            assert_eq!(protocol.to_string().parse(), Ok(protocol));
            let value = protocol.to_possible_value().expect("none is skipped");
            assert_eq!(value.get_name(), protocol.as_str());
        }
        assert_eq!(Protocol::ALL, Protocol::value_variants());
        let error = "uci".parse::<Protocol>().expect_err("there is none");
        for protocol in Protocol::ALL {
            assert!(error.to_string().contains(protocol.as_str()));
        }
    }
}
