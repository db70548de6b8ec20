//! The games of a match.

use std::time::Duration;

use mawe_ai::mix;
use mawe_rules::{AnySetup, BySide, GameKind, Outcome, Record, Side};

use super::openings::{Openings, opening_of, setup_of};
use super::player::Player;
use super::spec::TimeControl;
use super::tally::Pair;
use crate::outside::{Clocks, EngineError, Play};

/// A longer game is a draw.
const MAX_PLIES: u32 = 600;

/// A finished game.
#[derive(Clone, Debug, PartialEq)]
pub struct Game {
    /// The start and the moves.
    pub record: Record,
    /// The plies of the opening, which no player chose.
    pub opening: u32,
    /// The reason of the end.
    pub end: End,
}

/// The reason for the end of a game.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// The rules of the game.
    Rules(Outcome),
    /// The game is a draw, because it is too long.
    PlyLimit,
    /// A side resigned.
    Resign(Side),
    /// A side's time ran out.
    Time(Side),
    /// The engine of a side failed, which loses the game.
    Failed(Side, EngineError),
    /// A player was stopped. The game has no result.
    Stopped,
}

impl Game {
    /// Returns a game from the standard setup that ends so before its first move.
    #[must_use]
    pub fn unplayed(kind: GameKind, end: End) -> Game {
        Game {
            record: Record::new(kind, &setup_of(kind)).expect("every game starts"),
            opening: 0,
            end,
        }
    }

    /// The winner; `None` for a draw, and for a game without a result.
    pub fn winner(&self) -> Option<Side> {
        match &self.end {
            End::Rules(outcome) => outcome.winner,
            End::Resign(side) | End::Time(side) | End::Failed(side, _) => Some(side.other()),
            End::PlyLimit | End::Stopped => None,
        }
    }

    /// The side whose engine failed, and the failure.
    pub fn failure(&self) -> Option<(Side, &EngineError)> {
        match &self.end {
            End::Failed(side, error) => Some((*side, error)),
            End::Rules(_) | End::PlyLimit | End::Resign(_) | End::Time(_) | End::Stopped => None,
        }
    }
}

/// Plays both games of pair `number`.
pub fn play_pair(
    setup: &AnySetup,
    openings: Openings,
    [one, other]: [&Player; 2],
    seed: u64,
    number: u64,
) -> Pair {
    let opening = opening_of(setup, openings, seed, number);
    let games = play_both(&opening, [one, other], seed, number);
    Pair::of(games.map(|game| game.winner()))
}

/// Plays both games of pair `number` of a match with this seed, from this opening. Returns the game in which the first player had each side.
pub fn play_both(
    opening: &Record,
    [one, other]: [&Player; 2],
    seed: u64,
    number: u64,
) -> BySide<Game> {
    let seed = mix(seed ^ mix(number));
    BySide::from_fn(|side| {
        let players = match side {
            Side::First => BySide::new(one, other),
            Side::Second => BySide::new(other, one),
        };
        let mut record = opening.clone();
        let end = play_on(&mut record, players, seed);
        Game {
            record,
            opening: opening.ply(),
            end,
        }
    })
}

/// Plays a game to its end.
fn play_on(game: &mut Record, players: BySide<&Player>, seed: u64) -> End {
    let is_stopped = || players.iter().any(|(_, player)| player.is_stopped());
    for (side, player) in players.iter() {
        if let Err(error) = player.begin_game() {
            return match is_stopped() {
                true => End::Stopped,
                false => End::Failed(side, error),
            };
        }
    }
    let mut clocks = GameClocks::new(players.map(Player::time_control));
    while game.ply() < MAX_PLIES {
        if let Some(outcome) = game.outcome() {
            return End::Rules(outcome);
        }
        let side = game.turn();
        let seed = mix(seed.wrapping_add(u64::from(game.ply())));
        let answer = players[side].choose(game, clocks.of(side), seed);
        if is_stopped() {
            return End::Stopped;
        }
        let answer = match answer {
            Ok(answer) => answer,
            Err(error) => return End::Failed(side, error),
        };
        if !clocks.spend(side, answer.time) {
            return End::Time(side);
        }
        match answer.play {
            Play::Resign => return End::Resign(side),
            Play::Move(m) => {
                let played = game.play(&m.to_string());
                played.expect("a player plays by the rules");
            }
        }
    }
    game.outcome().map_or(End::PlyLimit, End::Rules)
}

/// The clocks of the players that have one.
struct GameClocks {
    controls: BySide<Option<TimeControl>>,
    left: BySide<Duration>,
}

impl GameClocks {
    fn new(controls: BySide<Option<TimeControl>>) -> Self {
        let left = controls.map(|control| control.map_or(Duration::ZERO, |control| control.base));
        Self { controls, left }
    }

    /// The clocks as a player sees them. An opponent without a clock has the player's own time.
    fn of(&self, side: Side) -> Option<Clocks> {
        let control = self.controls[side]?;
        let left = BySide::from_fn(|of| match self.controls[of] {
            Some(_) => self.left[of],
            None => self.left[side],
        });
        Some(Clocks {
            base: control.base,
            increment: control.increment,
            left,
        })
    }

    /// Takes the time of a move off a clock; returns false if there was not enough.
    fn spend(&mut self, side: Side, time: Duration) -> bool {
        let Some(control) = self.controls[side] else {
            return true;
        };
        let left = self.left[side].checked_sub(time);
        self.left[side] = left.unwrap_or_default() + control.increment;
        left.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_plays_the_same_games() {
        for kind in GameKind::ALL.iter().copied() {
            let player =
                |text: &str| Player::new(text.parse().expect("a player"), kind).expect("memory");
            let (one, other) = (player("nodes=300,hash=1"), player("1"));
            let setup = setup_of(kind);
            let play = || play_pair(&setup, Openings::default(), [&one, &other], 7, 3);
            let pair = play();
            assert_eq!(pair.won + pair.drawn + pair.lost, 2);
            assert_eq!(play(), pair);
        }
    }

    #[test]
    fn a_clock_gains_its_increment_and_runs_out() {
        let seconds = Duration::from_secs;
        let control: TimeControl = "10+2".parse().expect("a clock");
        let mut clocks = GameClocks::new(BySide::new(Some(control), None));
        assert_eq!(clocks.of(Side::Second), None);
        assert!(clocks.spend(Side::First, seconds(7)));
        let seen = clocks.of(Side::First).expect("it has one");
        assert_eq!(seen.left, BySide::new(seconds(5), seconds(5)));
        assert!(clocks.spend(Side::Second, seconds(100)));
        assert!(clocks.spend(Side::First, seconds(5)));
        assert!(!clocks.spend(Side::First, seconds(3)));
    }

    #[test]
    fn a_stopped_player_ends_the_game_without_a_result() {
        let kind = GameKind::Oware;
        let player = || {
            let stop = std::sync::Arc::new(true.into());
            Player::stopped_by("1".parse().expect("a player"), kind, stop).expect("memory")
        };
        let opening = opening_of(&setup_of(kind), Openings::default(), 1, 1);
        let games = play_both(&opening, [&player(), &player()], 1, 1);
        for (_, game) in games.iter() {
            assert_eq!((&game.end, game.winner()), (&End::Stopped, None));
            assert_eq!(game.record, opening);
        }
    }
}
