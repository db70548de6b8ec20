//! Ratings: Glicko-2 (Mark Glickman, "Example of the Glicko-2 system", 2013), by the `skillratings` crate; each match is a rating
//! period of its own, and certainty decays with the time since the last one.

use mawe_rules::{BySide, Side};
use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, decay_deviation, glicko2};

use crate::protocol::RatingRef;
use crate::store::Rating;

/// Above this deviation a rating is provisional, and not ranked.
pub const PROVISIONAL_DEVIATION: f64 = 110.0;

/// No rating falls below this.
const FLOOR: f64 = 400.0;

/// The constraint on volatility over time; Glickman suggests 0.3 to 1.2, and the lower end for games with little chance in them.
const TAU: f64 = 0.5;

/// How long one rating period is for the decay of certainty: with the usual volatility of 0.06 a settled rating of deviation 60 is
/// provisional again after about a year.
const PERIOD_MS: i64 = 4 * 24 * 60 * 60 * 1_000;

/// More periods than this change nothing: the deviation is back at its start.
const MAX_PERIODS: i64 = 1_200;

/// The new ratings of both after a match that `winner` won (`None`: a draw).
#[must_use]
pub fn rate(before: BySide<Option<Rating>>, winner: Option<Side>, at_ms: i64) -> BySide<Rating> {
    let before = before.map(|rating| aged(rating, at_ms));
    let outcome = match winner {
        Some(Side::First) => Outcomes::WIN,
        Some(Side::Second) => Outcomes::LOSS,
        None => Outcomes::DRAW,
    };
    let config = Glicko2Config {
        tau: TAU,
        ..Glicko2Config::default()
    };
    let (first, second) = glicko2(&before.first, &before.second, &outcome, &config);
    BySide::new(first, second).map(|new| Rating {
        rating: new.rating.max(FLOOR),
        deviation: new.deviation,
        volatility: new.volatility,
        updated_ms: Some(at_ms),
    })
}

/// A rating with the certainty it has lost since it last changed.
fn aged(rating: Option<Rating>, at_ms: i64) -> Glicko2Rating {
    let Some(rating) = rating else {
        return Glicko2Rating::new();
    };
    let mut aged = Glicko2Rating {
        rating: rating.rating,
        deviation: rating.deviation,
        volatility: rating.volatility,
    };
    let idle_ms = rating
        .updated_ms
        .map_or(0, |updated| at_ms.saturating_sub(updated));
    for _ in 0..(idle_ms / PERIOD_MS).clamp(0, MAX_PERIODS) {
        aged = decay_deviation(&aged);
    }
    aged
}

/// Whether a rating of this deviation is provisional.
#[must_use]
pub fn is_provisional(deviation: f64) -> bool {
    deviation > PROVISIONAL_DEVIATION
}

/// A rating as it is shown.
#[must_use]
pub fn shown(rating: f64, deviation: f64) -> RatingRef {
    RatingRef {
        rating: rounded(rating),
        deviation: rounded(deviation),
        provisional: is_provisional(deviation),
    }
}

/// A rating, deviation or change as it is shown.
#[must_use]
#[allow(clippy::cast_possible_truncation)] // ratings are far from the ends of i32
pub fn rounded(value: f64) -> i32 {
    value.round() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rating(rating: f64, deviation: f64) -> Option<Rating> {
        Some(Rating {
            rating,
            deviation,
            volatility: 0.06,
            updated_ms: Some(0),
        })
    }

    #[test]
    fn a_win_never_lowers_and_a_loss_never_raises() {
        for a in [500.0, 1_200.0, 1_500.0, 2_400.0] {
            for b in [500.0, 1_500.0, 2_300.0] {
                for deviation in [40.0, 120.0, 350.0] {
                    let after = rate(
                        BySide::new(rating(a, deviation), rating(b, 80.0)),
                        Some(Side::First),
                        1,
                    );
                    assert!(
                        after.first.rating >= a && after.second.rating <= b,
                        "{a} {b} {deviation}"
                    );
                }
            }
        }
    }

    #[test]
    fn equals_who_draw_stay_equal() {
        let after = rate(BySide::default(), None, 5);
        assert!(
            (after.first.rating - 1_500.0).abs() < 1e-9
                && (after.second.rating - 1_500.0).abs() < 1e-9
        );
        assert!(after.first.deviation < 350.0);
        assert_eq!(after.first.updated_ms, Some(5));
    }

    #[test]
    fn certainty_decays_with_time() {
        let year_ms = 365 * 24 * 60 * 60 * 1_000;
        let aged_by = |ms| aged(rating(1_500.0, 60.0), ms).deviation;
        assert!((aged_by(1_000) - 60.0).abs() < 1e-9);
        assert!(
            (100.0..130.0).contains(&aged_by(year_ms)),
            "{}",
            aged_by(year_ms)
        );
        assert!(aged_by(i64::MAX) <= 350.0);
    }

    #[test]
    fn the_paper_s_example_is_met_for_a_single_game() {
        // Glickman's player 1500/200 against 1400/30, one win: computed by hand with tau 0.5.
        let after = rate(
            BySide::new(rating(1_500.0, 200.0), rating(1_400.0, 30.0)),
            Some(Side::First),
            1,
        );
        assert!(
            (after.first.rating - 1_563.6).abs() < 0.5,
            "{}",
            after.first.rating
        );
        assert!(
            (after.first.deviation - 175.4).abs() < 0.5,
            "{}",
            after.first.deviation
        );
    }

    #[test]
    fn nobody_falls_through_the_floor() {
        let after = rate(
            BySide::new(rating(401.0, 350.0), rating(400.0, 350.0)),
            Some(Side::Second),
            1,
        );
        assert!(after.first.rating >= FLOOR);
    }
}
