//! The reasons for the end of a match.

use std::fmt;
use std::str::FromStr;

use mawe_rules::Reason;

/// The reason for the end of a match. Its text is the `reason` of a result on the wire, in the store and in exports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EndReason {
    /// The rules of the game ended it.
    ByRules(Reason),
    /// A side resigned.
    Resign,
    /// The sides agreed on a draw.
    Agreement,
    /// A side's time ran out.
    Time,
    /// A side was away for too long, and the other claimed the win or a draw.
    Abandoned,
    /// A player called the match off before the second ply, or the sides agreed on a draw before a rated match counted.
    Aborted,
    /// The server called the match off, because a first move was not made in time.
    NoShow,
    /// The match was called off, because one side left a rated match before both had made `MOVES_TO_COUNT`
    /// moves.
    LeftEarly,
    /// The operator called the match off.
    Closed,
}

/// The error of parsing a text that is not a reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnknownEndReason;

impl EndReason {
    /// The reasons outside the rules of the game.
    const OTHERS: [EndReason; 8] = [
        EndReason::Resign,
        EndReason::Agreement,
        EndReason::Time,
        EndReason::Abandoned,
        EndReason::Aborted,
        EndReason::NoShow,
        EndReason::LeftEarly,
        EndReason::Closed,
    ];

    /// Returns every reason.
    pub fn all() -> impl Iterator<Item = EndReason> {
        let by_rules = Reason::ALL.iter().copied().map(EndReason::ByRules);
        by_rules.chain(EndReason::OTHERS)
    }

    /// Returns the stable code, which is also the text form.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            EndReason::ByRules(reason) => reason.as_str(),
            EndReason::Resign => "resign",
            EndReason::Agreement => "agreement",
            EndReason::Time => "time",
            EndReason::Abandoned => "abandoned",
            EndReason::Aborted => "aborted",
            EndReason::NoShow => "no-show",
            EndReason::LeftEarly => "left-early",
            EndReason::Closed => "closed",
        }
    }

    /// Whether the match was called off, and so has no result.
    #[must_use]
    pub fn is_called_off(self) -> bool {
        match self {
            EndReason::Aborted | EndReason::NoShow | EndReason::LeftEarly | EndReason::Closed => {
                true
            }
            EndReason::ByRules(_)
            | EndReason::Resign
            | EndReason::Agreement
            | EndReason::Time
            | EndReason::Abandoned => false,
        }
    }
}

/// Whether a match with this reason's code was called off. An unknown reason, written by a later version, counts as a result.
#[must_use]
pub fn is_called_off(code: &str) -> bool {
    code.parse().is_ok_and(EndReason::is_called_off)
}

impl fmt::Display for EndReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.code())
    }
}

impl FromStr for EndReason {
    type Err = UnknownEndReason;

    fn from_str(text: &str) -> Result<EndReason, UnknownEndReason> {
        EndReason::all()
            .find(|reason| reason.code() == text)
            .ok_or(UnknownEndReason)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_reads_as_itself() {
        for reason in EndReason::all() {
            assert_eq!(reason.code().parse(), Ok(reason));
        }
        assert_eq!("".parse::<EndReason>(), Err(UnknownEndReason));
    }

    #[test]
    fn a_match_that_a_player_the_server_or_the_operator_calls_off_has_no_result() {
        let called_off: Vec<&str> = EndReason::all()
            .filter(|reason| reason.is_called_off())
            .map(EndReason::code)
            .collect();
        assert_eq!(called_off, ["aborted", "no-show", "left-early", "closed"]);
        assert!(is_called_off("closed") && !is_called_off("from-a-later-version"));
    }
}
