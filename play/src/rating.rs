//! Ratings: Glicko-2 (Mark Glickman, "Example of the Glicko-2 system", 2013), by the `skillratings` crate. Each match is a rating period of
//! its own, and the deviation grows with the time since the last one.

use mawe_rules::{BySide, Side};
use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, decay_deviation, glicko2};

use mawe_wire::RatingRef;

/// A Glicko-2 rating.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rating {
    /// The rating, on the scale that starts at 1500.
    pub rating: f64,
    /// Its deviation, 350 at first.
    pub deviation: f64,
    /// Its volatility, 0.06 at first.
    pub volatility: f64,
    /// The time of the last change; `None` before the first rated match.
    pub updated_ms: Option<i64>,
}

/// The rating of a player without rated matches, from which the first change is computed.
pub const START_RATING: f64 = 1500.0;

/// The deviation above which a rating is provisional, and not ranked.
pub const PROVISIONAL_DEVIATION: f64 = 110.0;

/// The largest deviation: that of a player without rated matches.
const START_DEVIATION: f64 = 350.0;

/// The lowest rating.
const FLOOR: f64 = 400.0;

/// The constraint on volatility over time; Glickman suggests 0.3 to 1.2, and the lower end for games with little chance in them.
const TAU: f64 = 0.5;

/// The length of a rating period for the growth of the deviation: with the usual volatility of 0.06, a settled rating with a deviation of
/// 60 is provisional again after about a year.
const PERIOD_MS: i64 = 4 * 24 * 60 * 60 * 1_000;

/// The largest number of periods that is computed: after that the deviation is back at its start.
const MAX_PERIODS: i64 = 1_200;

/// The number of different people and bot accounts that a player must have played for a leaderboard: a rating from a few opponents says
/// little, and is easily faked. Computer opponents do not count, for the same reason.
pub const MIN_OPPONENTS: u32 = 8;

/// The time in which repeated rated matches of one pair in one game get a lower weight.
pub const PAIR_WINDOW_MS: i64 = 24 * 60 * 60 * 1_000;

/// The weights of the first, second, third … rated match of a pair within [`PAIR_WINDOW_MS`]; further ones have none. They limit the effect
/// of two players on each other's ratings in a day, while two matches have the full weight.
const WEIGHTS: [f64; 5] = [1.0, 1.0, 0.5, 0.25, 0.125];

/// Returns the weight of a rated match when `earlier` ones of the same pair and game, counted before it, ended less than [`PAIR_WINDOW_MS`]
/// before it.
#[must_use]
pub fn weight(earlier: u32) -> f64 {
    let place = usize::try_from(earlier).unwrap_or(usize::MAX);
    WEIGHTS.get(place).copied().unwrap_or(0.0)
}

/// Returns the new ratings of both players after a match that `winner` won (`None` for a draw). `weight` is from 0 (the ratings stay) to 1
/// (the result of the formulas), and interpolates between them.
#[must_use]
pub fn rate(
    before: BySide<Option<Rating>>,
    winner: Option<Side>,
    weight: f64,
    at_ms: i64,
) -> BySide<Rating> {
    let stored = before;
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
    let after = BySide::new(first, second);
    BySide::from_fn(|side| {
        let (new, old) = (&after[side], &before[side]);
        // The formulas divide by zero far beyond any rating that people reach; then the match changes nothing.
        let known = [new.rating, new.deviation, new.volatility]
            .iter()
            .all(|value| value.is_finite());
        let new = if known { new } else { old };
        // A match without weight changes nothing, not even the time of the last change.
        if let Some(stored) = stored[side]
            && weight <= 0.0
        {
            return stored;
        }
        Rating {
            rating: between(old.rating, new.rating, weight).max(FLOOR),
            // One period of ageing may add more uncertainty than a match against an opponent of very different strength removes.
            deviation: between(old.deviation, new.deviation, weight).min(START_DEVIATION),
            volatility: between(old.volatility, new.volatility, weight),
            updated_ms: Some(at_ms),
        }
    })
}

/// A full weight gives exactly `new`, as before weights existed.
fn between(old: f64, new: f64, weight: f64) -> f64 {
    if weight >= 1.0 {
        new
    } else {
        old + weight * (new - old)
    }
}

/// Returns a stored rating as of now: its deviation has grown since its last change. Clients are sent this rating, and players are paired
/// by it.
#[must_use]
pub fn current(stored: &Rating, now_ms: i64) -> Rating {
    Rating {
        deviation: aged(Some(*stored), now_ms).deviation,
        ..*stored
    }
}

/// Returns a stored rating as of now, for the wire.
#[must_use]
pub fn shown_now(stored: &Rating, now_ms: i64) -> RatingRef {
    let now = current(stored, now_ms);
    shown(now.rating, now.deviation)
}

/// Returns a rating with the deviation grown since its last change.
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

/// Returns a rating for the wire.
#[must_use]
pub fn shown(rating: f64, deviation: f64) -> RatingRef {
    RatingRef {
        rating: rounded(rating),
        deviation: rounded(deviation),
        provisional: is_provisional(deviation),
    }
}

/// Rounds a rating, deviation or change for the wire.
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
                        1.0,
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
        let after = rate(BySide::default(), None, 1.0, 5);
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

    /// Glickman's paper, step by step, for one player and any number of opponents (rating, deviation, score). The names are those of the
    /// paper.
    fn by_the_paper(player: (f64, f64, f64), opponents: &[(f64, f64, f64)]) -> (f64, f64, f64) {
        const SCALE: f64 = 173.7178;
        let (r, rd, sigma) = player;
        let (mu, phi) = ((r - 1_500.0) / SCALE, rd / SCALE);
        let g = |phi: f64| 1.0 / (1.0 + 3.0 * phi * phi / std::f64::consts::PI.powi(2)).sqrt();
        let games = opponents.iter().map(|(r, rd, s)| {
            let (mu_j, g_j) = ((r - 1_500.0) / SCALE, g(rd / SCALE));
            let e = 1.0 / (1.0 + (-g_j * (mu - mu_j)).exp());
            (g_j * g_j * e * (1.0 - e), g_j * (s - e))
        });
        let (information, surprise) =
            games.fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        let v = 1.0 / information;
        let delta = v * surprise;
        let a = (sigma * sigma).ln();
        let f = |x: f64| {
            let d = phi * phi + v + x.exp();
            x.exp() * (delta * delta - d) / (2.0 * d * d) - (x - a) / (TAU * TAU)
        };
        // Step 5.2 of the paper brackets a root; bisection finds it, slower and simpler than step 5.4.
        let (mut low, mut high) = if delta * delta > phi * phi + v {
            (a, (delta * delta - phi * phi - v).ln())
        } else {
            let below = (1..).map(|k| a - f64::from(k) * TAU).find(|x| f(*x) >= 0.0);
            (below.expect("f grows without end that way"), a)
        };
        for _ in 0..200 {
            let middle = f64::midpoint(low, high);
            if f(middle) > 0.0 {
                low = middle
            } else {
                high = middle
            }
        }
        let sigma = (low / 2.0).exp();
        let phi = 1.0 / (1.0 / (phi * phi + sigma * sigma) + information).sqrt();
        (
            SCALE * (mu + phi * phi * surprise) + 1_500.0,
            SCALE * phi,
            sigma,
        )
    }

    #[test]
    fn ratings_change_as_in_the_paper() {
        let opponents = [
            (1_400.0, 30.0, 1.0),
            (1_550.0, 100.0, 0.0),
            (1_700.0, 300.0, 0.0),
        ];
        let (r, rd, sigma) = by_the_paper((1_500.0, 200.0, 0.06), &opponents);
        assert!(
            (r - 1_464.06).abs() < 0.01 && (rd - 151.52).abs() < 0.01,
            "{r} {rd}"
        );
        assert!((sigma - 0.059_99).abs() < 0.000_01, "{sigma}");

        // When a player who is hundreds of points stronger loses, f has more than one root in the bracket. The paper's method finds the one
        // near the old volatility, as it should; bisection may not.
        let mut tried = 0;
        for one in [420.0, 1_200.0, 1_500.0, 1_837.5, 2_900.0] {
            for difference in [-450.0, 0.0, 500.0] {
                let other = one + difference;
                for (deviation, other_deviation) in [(45.0, 350.0), (110.0, 60.0), (349.0, 30.0)] {
                    for (winner, score) in [
                        (Some(Side::First), 1.0),
                        (None, 0.5),
                        (Some(Side::Second), 0.0),
                    ] {
                        let before =
                            BySide::new(rating(one, deviation), rating(other, other_deviation));
                        let after = rate(before, winner, 1.0, 1);
                        let seats = [
                            (
                                (one, deviation, 0.06),
                                (other, other_deviation, score),
                                after.first,
                            ),
                            (
                                (other, other_deviation, 0.06),
                                (one, deviation, 1.0 - score),
                                after.second,
                            ),
                        ];
                        for (player, opponent, after) in seats {
                            let (r, rd, sigma) = by_the_paper(player, &[opponent]);
                            assert!(
                                (after.rating - r.max(FLOOR)).abs() < 1e-3,
                                "{player:?} {opponent:?} {after:?} {r}"
                            );
                            assert!(
                                (after.deviation - rd.min(350.0)).abs() < 1e-3,
                                "{player:?} {opponent:?} {after:?} {rd}"
                            );
                            assert!(
                                (after.volatility - sigma).abs() < 1e-6,
                                "{player:?} {opponent:?} {after:?} {sigma}"
                            );
                            tried += 1;
                        }
                    }
                }
            }
        }
        assert_eq!(tried, 270);
    }

    #[test]
    fn no_rating_is_ever_no_number() {
        for far in [1e4, 1e6, 1e300] {
            for winner in [Some(Side::First), Some(Side::Second), None] {
                let after = rate(
                    BySide::new(rating(far, 30.0), rating(400.0, 350.0)),
                    winner,
                    1.0,
                    1,
                );
                for side in Side::ALL {
                    let Rating {
                        rating,
                        deviation,
                        volatility,
                        ..
                    } = after[side];
                    assert!(
                        rating.is_finite()
                            && (0.0..=350.0).contains(&deviation)
                            && volatility.is_finite()
                    );
                }
            }
        }
    }

    #[test]
    fn what_is_shown_has_decayed() {
        let stored = rating(1_500.0, 60.0).expect("one");
        let year_ms = 365 * 24 * 60 * 60 * 1_000;
        assert!(!shown_now(&stored, 0).provisional);
        assert!(shown_now(&stored, 2 * year_ms).provisional);
        assert_eq!(current(&stored, 2 * year_ms).updated_ms, stored.updated_ms);
    }

    #[test]
    fn nobody_falls_through_the_floor() {
        let after = rate(
            BySide::new(rating(401.0, 350.0), rating(400.0, 350.0)),
            Some(Side::Second),
            1.0,
            1,
        );
        assert!(after.first.rating >= FLOOR);
    }

    #[test]
    fn a_pair_s_matches_weigh_less_and_less() {
        let weights: Vec<f64> = (0..7).map(weight).collect();
        assert_eq!(weights, [1.0, 1.0, 0.5, 0.25, 0.125, 0.0, 0.0]);
        assert_eq!(weight(u32::MAX).to_bits(), 0f64.to_bits());
    }

    #[test]
    fn a_match_changes_as_much_as_it_weighs() {
        let before = BySide::new(rating(1_500.0, 200.0), rating(1_600.0, 90.0));
        let gain = |weight| {
            let after = rate(before, Some(Side::First), weight, 9);
            assert!(after.first.rating >= 1_500.0 && after.first.deviation <= 200.0);
            (after.first.rating - 1_500.0, 200.0 - after.first.deviation)
        };
        let (whole, half) = (gain(1.0), gain(0.5));
        assert!(whole.0 > 50.0 && whole.1 > 1.0, "{whole:?}");
        assert!((half.0 - whole.0 / 2.0).abs() < 1e-9 && (half.1 - whole.1 / 2.0).abs() < 1e-9);
        // Without weight nothing changes, not even the time from which the deviation grows; a player without a rating gets the first one.
        let none = rate(before, Some(Side::First), 0.0, 9);
        assert_eq!(
            (Some(none.first), Some(none.second)),
            (before.first, before.second)
        );
        let fresh = rate(BySide::default(), Some(Side::First), 0.0, 9).first;
        assert!((fresh.rating - 1_500.0).abs() < 1e-9 && (fresh.deviation - 350.0).abs() < 1e-9);
    }
}
