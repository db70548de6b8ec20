//! The results of a tournament.

use mawe_rules::{BySide, Side};

use super::games::End;
use super::tally::{Pair, Tally};
use super::tournament::Encounter;

/// The results of a tournament, so far.
#[derive(Clone, Debug)]
pub struct Standings {
    players: Vec<Standing>,
    /// The results of each player against each other one.
    against: Vec<Vec<Tally>>,
}

/// The results of one player.
#[derive(Clone, Debug, Default)]
pub struct Standing {
    /// The results against all others together.
    pub tally: Tally,
    /// The games that the player's engine lost by a failure.
    pub failures: u32,
    /// The games lost on time.
    pub timeouts: u32,
    /// The last failure, as text.
    pub last_failure: Option<String>,
}

impl Standings {
    /// The standings of so many players before the first game.
    pub fn new(players: usize) -> Self {
        Self {
            players: vec![Standing::default(); players],
            against: vec![vec![Tally::default(); players]; players],
        }
    }

    /// Adds both games of an encounter.
    pub fn add(&mut self, encounter: &Encounter) {
        let [one, other] = encounter.players;
        let winner = |side| encounter.games[side].winner();
        let pair = Pair::of(BySide::from_fn(winner));
        for (player, opponent, pair) in [(one, other, pair), (other, one, pair.reversed())] {
            self.players[player].tally.add(pair);
            self.against[player][opponent].add(pair);
        }
        for (side, game) in encounter.games.iter() {
            // In this game the first player had `side`.
            let of = |loser: Side| if loser == side { one } else { other };
            match &game.end {
                End::Failed(loser, error) => {
                    let standing = &mut self.players[of(*loser)];
                    standing.failures += 1;
                    standing.last_failure = Some(error.to_string());
                }
                End::Time(loser) => self.players[of(*loser)].timeouts += 1,
                End::Rules(_) | End::PlyLimit | End::Resign(_) | End::Stopped => (),
            }
        }
    }

    /// The results of a player.
    ///
    /// # Panics
    ///
    /// If there is no such player.
    pub fn of(&self, player: usize) -> &Standing {
        &self.players[player]
    }

    /// The results of a player against another, from its view.
    ///
    /// # Panics
    ///
    /// If there is no such player.
    pub fn against(&self, player: usize, opponent: usize) -> &Tally {
        &self.against[player][opponent]
    }

    /// The players by their points a game, the best first; equal ones in their own order.
    pub fn ranking(&self) -> Vec<usize> {
        let mut ranking: Vec<usize> = (0..self.players.len()).collect();
        let score = |player: &usize| self.players[*player].tally.score();
        ranking.sort_by(|one, other| score(other).total_cmp(&score(one)));
        ranking
    }
}

#[cfg(test)]
mod tests {
    use mawe_rules::GameKind;

    use super::super::games::Game;
    use super::*;
    use crate::outside::{EngineError, Fault};

    #[test]
    fn each_game_counts_for_both_players_and_a_failure_for_its_player() {
        let kind = GameKind::Mawe;
        let game = |end: End| Game::unplayed(kind, end);
        let error = EngineError {
            engine: "x".to_owned(),
            fault: Fault::Unread,
            last_words: Vec::new(),
        };
        let mut standings = Standings::new(3);
        // Player 2 has the first side in the first game and resigns; it has the second side in the second, and the first side's engine fails.
        standings.add(&Encounter {
            number: 0,
            players: [2, 0],
            games: BySide::new(
                game(End::Resign(Side::First)),
                game(End::Failed(Side::First, error)),
            ),
        });
        standings.add(&Encounter {
            number: 0,
            players: [1, 2],
            games: BySide::new(game(End::Time(Side::Second)), game(End::PlyLimit)),
        });
        let of = |player: usize| {
            let Standing {
                tally,
                failures,
                timeouts,
                ..
            } = standings.of(player);
            (tally.won, tally.drawn, tally.lost, *failures, *timeouts)
        };
        assert_eq!(of(0), (1, 0, 1, 1, 0));
        assert_eq!(of(1), (1, 1, 0, 0, 0));
        assert_eq!(of(2), (1, 1, 2, 0, 1));
        let failure = standings.of(0).last_failure.as_deref();
        assert_eq!(failure, Some("engine \"x\": it does not read its input"));
        assert_eq!(standings.ranking(), [1, 0, 2]);
        assert_eq!(standings.against(2, 0).won, 1);
        assert_eq!(standings.against(0, 1).games(), 0);
    }
}
