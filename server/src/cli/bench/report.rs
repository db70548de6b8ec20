//! The results of a bench: as text, as JSON, and as a number of players.

use serde::Serialize;

use crate::load::playing::Moves;

/// The longest p99 of a rate that counts for the number of players, in milliseconds: players notice a tenth of a second.
const GOOD_P99_MS: f64 = 100.0;

/// The part of a wanted rate that must be reached.
const REACHED: f64 = 0.95;

/// The time between two moves of a match at 3+2, in seconds: with 40 moves each and two thirds of the time used.
const SECONDS_A_MOVE: f64 = 4.0;

/// The significant digits of the number of players.
const DIGITS: u32 = 2;

/// The part of the free memory that sockets may take.
const MEMORY_SHARE: f64 = 0.5;

/// The moves of a period.
#[derive(Debug, Clone, Serialize)]
pub(super) struct MovesFigures {
    /// The wanted moves a second; none for as fast as they can.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wanted: Option<f64>,
    /// The moves a second that reached the opponent, each of them stored before.
    pub moves_per_second: f64,
    /// Quantiles of the time from mover to opponent.
    pub p50_ms: f64,
    pub p99_ms: f64,
}

/// Open sockets.
#[derive(Debug, Clone, Serialize)]
pub(super) struct SocketFigures {
    pub number: usize,
    /// The memory of each with its share of a match; none for a server elsewhere.
    pub bytes_each: Option<u64>,
}

/// The spectators of a match.
#[derive(Debug, Clone, Serialize)]
pub(super) struct SpectatorFigures {
    pub number: usize,
    /// The median of the time from mover to the last spectator.
    pub last_ms: f64,
}

/// All results.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    pub version: &'static str,
    /// The measured server, if it is not one of the bench's own.
    pub url: Option<String>,
    pub cores: usize,
    /// The memory that programs may still take; none where the system does not tell.
    pub free_memory_bytes: Option<u64>,
    /// None for a server elsewhere, where a socket may send so many messages a second.
    pub throughput: Option<MovesFigures>,
    pub rates: Vec<MovesFigures>,
    pub sockets: SocketFigures,
    pub spectators: SpectatorFigures,
    pub verdict: Verdict,
}

/// The number of players at 3+2, and its bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(super) struct Verdict {
    pub players: u64,
    pub bound: Bound,
}

/// The bound of the number of players.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Bound {
    /// At a higher rate moves are late.
    Moves,
    /// Higher rates were not tried.
    Tried,
    Memory,
    /// Moves were late at every rate.
    Late,
}

impl MovesFigures {
    pub(super) fn of(wanted: Option<f64>, moves: &Moves) -> MovesFigures {
        let [p50_ms, p99_ms] = moves.quantiles_ms([0.5, 0.99]);
        MovesFigures {
            wanted,
            moves_per_second: moves.per_second(),
            p50_ms,
            p99_ms,
        }
    }

    fn is_good(&self) -> bool {
        let wanted = self.wanted.unwrap_or_default();
        self.p99_ms <= GOOD_P99_MS && self.moves_per_second >= wanted * REACHED
    }
}

impl Verdict {
    /// The number of players at the highest rate, of rising ones, up to which no move is late; within the memory.
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a rough number of players"
    )]
    pub(super) fn of(
        rates: &[MovesFigures],
        bytes_each: Option<u64>,
        free_bytes: Option<u64>,
    ) -> Verdict {
        let good = rates.iter().take_while(|rate| rate.is_good());
        let (count, best) = good.fold((0, 0.0), |(count, _), rate| {
            (count + 1, rate.moves_per_second)
        });
        let by_moves = (2.0 * best * SECONDS_A_MOVE) as u64;
        let bound = match count {
            0 => Bound::Late,
            _ if count == rates.len() => Bound::Tried,
            _ => Bound::Moves,
        };
        let by_memory = bytes_each.zip(free_bytes).map(|(each, free)| {
            let share = (free as f64 * MEMORY_SHARE) as u64;
            share / each.max(1)
        });
        match by_memory {
            Some(players) if players < by_moves => Verdict {
                players,
                bound: Bound::Memory,
            },
            _ => Verdict {
                players: by_moves,
                bound,
            },
        }
        .rounded()
    }

    fn rounded(self) -> Verdict {
        let digits = self.players.checked_ilog10().unwrap_or_default() + 1;
        let unit = 10_u64.pow(digits.saturating_sub(DIGITS));
        Verdict {
            players: self.players / unit * unit,
            ..self
        }
    }

    fn text(self) -> String {
        let players = self.players;
        let why = match self.bound {
            Bound::Late => {
                return format!(
                    "verdict: at every rate one move in a hundred took longer than {GOOD_P99_MS} ms; look for what else this machine does"
                );
            }
            Bound::Moves => "moves are late at a higher rate",
            Bound::Tried => "no higher rate was tried",
            Bound::Memory => "with half of the free memory",
        };
        format!(
            "verdict: about {players} players at 3+2 ({why}; a move of each match every {SECONDS_A_MOVE} s)"
        )
    }
}

impl Report {
    /// Returns the results as lines for people.
    pub(super) fn text(&self) -> String {
        let mut lines = vec![match &self.url {
            Some(url) => format!("{url}, measured by mawe {}", self.version),
            None => format!(
                "mawe {}, {} cores shared with its players",
                self.version, self.cores
            ),
        }];
        let moves = |name: String, moves: &MovesFigures| {
            format!(
                "{name:<34} {:>8.0} a second   p50 {:>6.1} ms   p99 {:>6.1} ms",
                moves.moves_per_second, moves.p50_ms, moves.p99_ms
            )
        };
        if let Some(throughput) = &self.throughput {
            lines.push(moves(
                "durable moves, as fast as they can".to_owned(),
                throughput,
            ));
        }
        for rate in &self.rates {
            let wanted = rate.wanted.unwrap_or_default();
            lines.push(moves(
                format!("durable moves at {wanted:.0} a second"),
                rate,
            ));
        }
        let SocketFigures { number, bytes_each } = self.sockets;
        let each = bytes_each.map_or(String::new(), |bytes| {
            format!(
                "   {:.1} KiB each, with their matches",
                bytes as f64 / 1_024.0
            )
        });
        lines.push(format!("{:<34} {number:>8}{each}", "open sockets"));
        let SpectatorFigures { number, last_ms } = self.spectators;
        lines.push(format!(
            "{:<34} {number:>8}   the last one sees a move after {last_ms:.1} ms",
            "spectators of one match"
        ));
        lines.push(self.verdict.text());
        lines.join("\n") + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rate(wanted: f64, moves_per_second: f64, p99_ms: f64) -> MovesFigures {
        MovesFigures {
            wanted: Some(wanted),
            moves_per_second,
            p50_ms: 1.0,
            p99_ms,
        }
    }

    #[test]
    fn the_players_follow_from_the_last_rate_before_moves_are_late() {
        let verdict = |rates: &[MovesFigures], each, free| {
            let Verdict { players, bound } = Verdict::of(rates, each, free);
            (players, bound)
        };
        let good = rate(100.0, 100.0, 5.0);
        let better = rate(200.0, 199.0, 90.0);
        let late = rate(400.0, 400.0, 101.0);
        let short = rate(400.0, 300.0, 5.0);
        let by_luck = rate(800.0, 800.0, 5.0);
        let both = [good.clone(), better.clone()];
        assert_eq!(verdict(&both, None, None), (1_500, Bound::Tried));
        let rates = [good.clone(), better.clone(), late.clone(), by_luck];
        assert_eq!(verdict(&rates, None, None), (1_500, Bound::Moves));
        let rates = [good.clone(), short];
        assert_eq!(verdict(&rates, None, None), (800, Bound::Moves));
        assert_eq!(
            verdict(std::slice::from_ref(&late), None, None),
            (0, Bound::Late)
        );
        let half = Some(20_000 * 500);
        assert_eq!(verdict(&both, Some(10_000), half), (500, Bound::Memory));
        assert_eq!(verdict(&[late], Some(10_000), half), (0, Bound::Late));
        assert_eq!(verdict(&[], Some(0), Some(0)), (0, Bound::Late));
    }
}
