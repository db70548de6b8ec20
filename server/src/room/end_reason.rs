//! Why a match ended, and which ends are no result.

use std::fmt;
use std::str::FromStr;

use mawe_rules::Reason;

/// Why a match ended. Its text is the `reason` of a result on the wire, in the store and in exports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EndReason {
    /// The rules of the game ended it.
    ByRules(Reason),
    /// A side gave up.
    Resign,
    /// The sides agreed on a draw.
    Agreement,
    /// A side's time ran out.
    Time,
    /// A side had gone for good, and the other claimed the win or a draw.
    Abandoned,
    /// A player called it off before it had begun in earnest.
    Aborted,
    /// The server called it off, because a first move did not come.
    NoShow,
    /// It was called off, because one side left a rated match before both had made [`MOVES_TO_COUNT`](super::judge::MOVES_TO_COUNT) moves.
    LeftEarly,
    /// The operator called it off.
    Closed,
}

/// A text that is no reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnknownEndReason;

impl EndReason {
    /// The reasons that are not the rules'.
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

    /// Every reason.
    pub fn all() -> impl Iterator<Item = EndReason> {
        let by_rules = Reason::ALL.iter().copied().map(EndReason::ByRules);
        by_rules.chain(EndReason::OTHERS)
    }

    /// The stable code, which is also the text form.
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

    /// Whether the match was called off: it has no result, and counts for nothing.
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

/// Whether a match that ended for the reason with this code was called off. A reason that a later version wrote is a result.
#[must_use]
pub fn is_called_off(code: &str) -> bool {
    code.parse().is_ok_and(EndReason::is_called_off)
}

/// The codes of the reasons for which a match is called off, as a list for SQL: each is a word of this program's own.
#[must_use]
pub fn called_off_in_sql() -> String {
    let called_off = EndReason::all().filter(|reason| reason.is_called_off());
    let quoted: Vec<String> = called_off.map(|reason| format!("'{reason}'")).collect();
    quoted.join(", ")
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
        assert_eq!(
            called_off_in_sql(),
            "'aborted', 'no-show', 'left-early', 'closed'"
        );
        assert!(is_called_off("closed") && !is_called_off("from-a-later-version"));
    }
}
