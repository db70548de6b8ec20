//! Statistics of a match.

use mawe_rules::{BySide, Side};

/// The results of a match, from the first player's view.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    /// Games won.
    pub won: u32,
    /// Games drawn.
    pub drawn: u32,
    /// Games lost.
    pub lost: u32,
    pairs: u32,
    /// The sum of the squares of the pairs' scores, each from 0 to 1.
    squares: f64,
}

/// The results of two games with sides exchanged, from the first player's view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pair {
    /// Games won by the first player.
    pub won: u32,
    /// Games drawn.
    pub drawn: u32,
    /// Games lost by the first player.
    pub lost: u32,
}

impl Pair {
    /// The results of two games from one opening: `winners` has the winner of the game in which the first player had each side.
    pub fn of(winners: BySide<Option<Side>>) -> Self {
        let mut pair = Self::default();
        for side in Side::ALL {
            pair.count(winners[side], side);
        }
        pair
    }

    /// The same results from the other player's view.
    #[must_use]
    pub fn reversed(self) -> Self {
        Self {
            won: self.lost,
            drawn: self.drawn,
            lost: self.won,
        }
    }

    fn count(&mut self, winner: Option<Side>, first_player: Side) {
        match winner {
            Some(winner) if winner == first_player => self.won += 1,
            Some(_) => self.lost += 1,
            None => self.drawn += 1,
        }
    }
}

/// The result of a sequential test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The first player is stronger by the claimed difference.
    Accepted,
    /// The first player is not stronger by the claimed difference.
    Refused,
    /// More games are needed.
    Open,
}

/// A difference in strength.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elo {
    /// The lead of the first player in Elo, negative if it is weaker.
    pub difference: f64,
    /// Half the width of the 95 % confidence interval, in Elo.
    pub error: f64,
}

impl Tally {
    /// Adds a pair.
    pub fn add(&mut self, pair: Pair) {
        self.won += pair.won;
        self.drawn += pair.drawn;
        self.lost += pair.lost;
        self.pairs += 1;
        let score = (f64::from(pair.won) + f64::from(pair.drawn) / 2.0) / 2.0;
        self.squares += score * score;
    }

    /// The number of games played.
    pub fn games(&self) -> u32 {
        self.won + self.drawn + self.lost
    }

    /// The points of the first player per game, 0 to 1.
    pub fn score(&self) -> f64 {
        let points = f64::from(self.won) + f64::from(self.drawn) / 2.0;
        points / f64::from(self.games().max(1))
    }

    /// The logarithm of the likelihood ratio of the results under a lead of the first player by `claim` Elo and
    /// under one by `null` Elo: the generalised sequential probability ratio test of M. Van den Bergh, on pairs
    /// of games.
    pub fn likelihood(&self, null: f64, claim: f64) -> f64 {
        let pairs = f64::from(self.pairs);
        // Two half pairs, one won and one lost, give the first pairs a variance.
        let mean = (self.score() * pairs + 1.0) / (pairs + 2.0);
        let variance = (self.squares + 1.0) / (pairs + 2.0) - mean * mean;
        let expected = |elo: f64| 1.0 / (1.0 + 10_f64.powf(-elo / 400.0));
        let (low, high) = (expected(null), expected(claim));
        pairs * (high - low) * (2.0 * mean - low - high) / (2.0 * variance.max(1e-6))
    }

    /// Decides whether the first player is stronger by `claim` Elo rather than by `null`, with an error
    /// probability of 5 % either way.
    pub fn verdict(&self, null: f64, claim: f64) -> Verdict {
        let bound = (0.95_f64 / 0.05).ln();
        let likelihood = self.likelihood(null, claim);
        if likelihood >= bound {
            Verdict::Accepted
        } else if likelihood <= -bound {
            Verdict::Refused
        } else {
            Verdict::Open
        }
    }

    /// The difference in strength. The error is computed from pairs, because the games of one pair are not
    /// independent. A won and a lost pair are added, because otherwise a match that one player won completely
    /// would have no finite difference.
    pub fn elo(&self) -> Elo {
        let pairs = f64::from(self.pairs) + 2.0;
        // Adds one pair with everything won and one with everything lost.
        let mean = (self.score() * f64::from(self.pairs) + 1.0) / pairs;
        let variance = (self.squares + 1.0) / pairs - mean * mean;
        let error = 1.96 * (variance.max(0.0) / pairs).sqrt();
        let elo = |score: f64| {
            let score = score.clamp(1e-4, 1.0 - 1e-4);
            400.0 * (score / (1.0 - score)).log10()
        };
        Elo {
            difference: elo(mean),
            error: (elo(mean + error) - elo(mean - error)) / 2.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sequential_test_ends_on_the_right_side_and_not_too_soon() {
        let tally_of = |pairs: u32, better: u32| {
            let mut tally = Tally::default();
            for pair in 0..pairs {
                // `better` of a hundred pairs are won in both games; the others are even.
                let won = if pair % 100 < better { 2 } else { 1 };
                tally.add(Pair {
                    won,
                    drawn: 0,
                    lost: 2 - won,
                });
            }
            tally
        };
        assert_eq!(tally_of(4, 100).verdict(0.0, 10.0), Verdict::Open);
        assert_eq!(tally_of(2000, 10).verdict(0.0, 10.0), Verdict::Accepted);
        assert_eq!(tally_of(2000, 0).verdict(0.0, 10.0), Verdict::Refused);
        let (even, ahead) = (tally_of(500, 0), tally_of(500, 4));
        assert!(even.likelihood(0.0, 10.0) < ahead.likelihood(0.0, 10.0));
    }

    #[test]
    fn elo_follows_from_the_score() {
        let tally = |won, lost, pairs| {
            let mut tally = Tally::default();
            let pair = Pair {
                won,
                drawn: 2 - won - lost,
                lost,
            };
            (0..pairs).for_each(|_| tally.add(pair));
            tally
        };
        assert!(tally(1, 1, 50).elo().difference.abs() < 1e-9);
        let three_to_one = tally(1, 0, 1000).elo();
        assert!(
            (three_to_one.difference - 190.8).abs() < 2.0,
            "{three_to_one:?}"
        );
        let whitewash = tally(2, 0, 50).elo();
        assert!(whitewash.difference > 600.0 && whitewash.error > 100.0);
        assert!(tally(2, 0, 5).elo().difference < whitewash.difference);
    }
}
