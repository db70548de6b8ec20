//! The conduct of a bot beside its moves: resignation, draws, and the clock that the engine gets.

use std::str::FromStr;
use std::time::Duration;

use mawe_client::types::{Side, TimeControl};
use mawe_client::{Seats, Turn};
use mawe_lab::outside::Clocks;
use mawe_rules::BySide;

/// The greatest number of turns of a threshold.
const MAX_TURNS: usize = 1_000;

/// The settings of the conduct.
#[derive(Clone, Copy, Debug)]
pub(super) struct Conduct {
    pub(super) resign: Option<Threshold>,
    pub(super) draw: Option<Threshold>,
    /// The part of the own clock that the engine does not get.
    pub(super) move_overhead: Duration,
}

/// A score, in hundredths of the game's unit, that must hold in a number of turns in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Threshold {
    score: i32,
    turns: usize,
}

impl FromStr for Threshold {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once(',').and_then(|(score, turns)| {
            let score = score.parse().ok().filter(|score| *score >= 0)?;
            let turns = turns.parse().ok()?;
            (1..=MAX_TURNS)
                .contains(&turns)
                .then_some(Threshold { score, turns })
        });
        numbers.ok_or_else(|| {
            format!("a score in hundredths and a number of turns up to {MAX_TURNS} are wanted, like 500,3")
        })
    }
}

impl Threshold {
    /// Whether all scores of the last turns are known, and are such.
    fn holds(self, scores: &[Option<i32>], is_such: impl Fn(i32) -> bool) -> bool {
        let last = scores.len().checked_sub(self.turns);
        last.is_some_and(|last| {
            scores[last..]
                .iter()
                .all(|score| score.is_some_and(&is_such))
        })
    }
}

impl Conduct {
    /// Whether to resign after these scores of the own turns, the latest last.
    pub(super) fn resigns(&self, scores: &[Option<i32>]) -> bool {
        self.resign
            .is_some_and(|resign| resign.holds(scores, |score| score <= -resign.score))
    }

    /// Whether to accept a draw after these scores.
    pub(super) fn agrees(&self, scores: &[Option<i32>]) -> bool {
        self.draw.is_some_and(|draw| {
            draw.holds(scores, |score| {
                score.unsigned_abs() <= draw.score.unsigned_abs()
            })
        })
    }

    /// The clocks for the engine at this turn; `None` in a match without clocks, or with days.
    pub(super) fn clocks(&self, turn: &Turn) -> Option<Clocks> {
        let TimeControl::Realtime {
            base_ms,
            increment_ms,
        } = turn.view().time_control
        else {
            return None;
        };
        let left = |side| turn.time_left(side).unwrap_or_default();
        let first_move = turn.view().state.clock.first_move_ms;
        Some(Clocks {
            base: Duration::from_millis(base_ms),
            increment: Duration::from_millis(increment_ms),
            left: self.left(
                turn.you(),
                Seats {
                    first: left(Side::First),
                    second: left(Side::Second),
                },
                first_move.map(Duration::from_millis),
            ),
        })
    }

    /// The time left of each side as the engine sees it. The first moves are due before the clock runs out.
    fn left(
        &self,
        you: Side,
        left: Seats<Duration>,
        first_move: Option<Duration>,
    ) -> BySide<Duration> {
        let own = |side, left: Duration| match side == you {
            false => left,
            true => {
                let left = first_move.map_or(left, |due| left.min(due));
                left - self.move_overhead.min(left / 2)
            }
        };
        BySide::new(own(Side::First, left.first), own(Side::Second, left.second))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn conduct(resign: &str, draw: &str) -> Conduct {
        Conduct {
            resign: Some(resign.parse().expect("a threshold")),
            draw: Some(draw.parse().expect("a threshold")),
            move_overhead: Duration::from_millis(200),
        }
    }

    #[test]
    fn a_threshold_is_a_score_and_a_number_of_turns() {
        for text in ["", "5", "5,", "5,0", "-5,3", "5,1001", "a,b", "5,3,1"] {
            assert!(text.parse::<Threshold>().is_err(), "{text:?}");
        }
        let (score, turns) = (500, 3);
        assert_eq!("500,3".parse(), Ok(Threshold { score, turns }));
    }

    #[test]
    fn it_resigns_after_enough_bad_scores_in_a_row() {
        let conduct = conduct("500,2", "10,2");
        let scores = |scores: &[i32]| scores.iter().copied().map(Some).collect::<Vec<_>>();
        assert!(conduct.resigns(&scores(&[0, -500, -9_999_990])));
        assert!(!conduct.resigns(&scores(&[-500, -499])));
        assert!(!conduct.resigns(&scores(&[-600])));
        assert!(!conduct.resigns(&[Some(-600), None, Some(-600)]));
    }

    #[test]
    fn it_agrees_to_a_draw_after_enough_even_scores() {
        let conduct = conduct("500,2", "10,2");
        assert!(conduct.agrees(&[Some(300), Some(-10), Some(10)]));
        assert!(!conduct.agrees(&[Some(-11), Some(10)]));
        assert!(!conduct.agrees(&[Some(0)]));
        let never = Conduct {
            draw: None,
            ..conduct
        };
        assert!(!never.agrees(&[Some(0), Some(0)]));
    }

    #[test]
    fn the_engine_sees_less_than_its_clock_has_and_never_nothing() {
        let conduct = conduct("1,1", "1,1");
        let ms = Duration::from_millis;
        let left = |first, first_move: Option<u64>| {
            let second = ms(5_000);
            let seats = Seats {
                first: ms(first),
                second,
            };
            let left = conduct.left(Side::First, seats, first_move.map(ms));
            assert_eq!(left[mawe_rules::Side::Second], second);
            left[mawe_rules::Side::First]
        };
        assert_eq!(left(60_000, None), ms(59_800));
        assert_eq!(left(300, None), ms(150));
        assert_eq!(left(600_000, Some(30_000)), ms(29_800));
    }
}
