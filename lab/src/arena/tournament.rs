//! Tournaments: each player against each other one.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;

use mawe_rules::{BySide, GameKind, Record};

use super::games::{End, Game, play_both};
use super::player::Player;
use super::spec::{BadSpec, Spec};

/// A round robin: every two players play pairs of games from the same openings.
pub struct Tournament<'a> {
    /// The game.
    pub kind: GameKind,
    /// The players, two or more.
    pub players: &'a [Spec],
    /// The pairs of games of every two players.
    pub pairs: u64,
    /// The number that selects the moves of the players that are not strictly determined.
    pub seed: u64,
    /// The number of games that are played at the same time.
    pub concurrency: usize,
    /// A flag that another thread sets to end the tournament.
    pub stop: Arc<AtomicBool>,
}

/// Both games of two players from one opening.
#[derive(Clone, Debug, PartialEq)]
pub struct Encounter {
    /// The number of the opening.
    pub number: u64,
    /// The indices of the players.
    pub players: [usize; 2],
    /// The game in which the first of them had each side.
    pub games: BySide<Game>,
}

impl Tournament<'_> {
    /// The number of encounters.
    pub fn encounters(&self) -> u64 {
        self.pairings().len() as u64 * self.pairs
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Every two players, by their indices.
    fn pairings(&self) -> Vec<[usize; 2]> {
        let all = 0..self.players.len();
        let with = |one| (one + 1..self.players.len()).map(move |other| [one, other]);
        all.flat_map(with).collect()
    }

    /// Plays all games; `opening` makes the opening of a number. Each finished encounter is reported, in the order in which they finish, until
    /// `report` breaks off. Games that run then, or when the flag is set, are lost.
    ///
    /// # Errors
    ///
    /// [`BadSpec`] with the index of a player that cannot be made.
    ///
    /// # Panics
    ///
    /// If the system gives no threads.
    pub fn play(
        &self,
        opening: impl Fn(u64) -> Record + Sync,
        mut report: impl FnMut(Encounter) -> ControlFlow<()>,
    ) -> Result<(), (usize, BadSpec)> {
        let pairings = self.pairings();
        let next = AtomicU64::new(0);
        let of_all = (0..self.players.len()).map(|index| self.player(index));
        // All are made once before the first game, so that a mistake is told at once.
        let ready = of_all.map(|player| player.map(Some));
        let mut ready: Vec<Option<Player>> = match ready.collect() {
            Ok(ready) => ready,
            // An engine that was stopped in its greeting has not failed.
            Err(_) if self.is_stopped() => return Ok(()),
            Err(error) => return Err(error),
        };
        let (sender, finished) = mpsc::sync_channel(self.concurrency);
        thread::scope(|scope| {
            for _ in 0..self.concurrency.max(1) {
                let mut players = std::mem::take(&mut ready);
                let (sender, next, pairings, opening) =
                    (sender.clone(), &next, &pairings, &opening);
                scope.spawn(move || {
                    players.resize_with(self.players.len(), || None);
                    while !self.is_stopped() {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        // All pairings have the same opening before the next one begins, so that the table fills evenly.
                        let (number, pairing) =
                            (index / pairings.len() as u64, index % pairings.len() as u64);
                        if number >= self.pairs {
                            return;
                        }
                        let pairing = pairings[pairing as usize];
                        let played = self.meet(&mut players, pairing, number, opening);
                        let is_over = played.is_err();
                        if is_over && self.is_stopped() {
                            return;
                        }
                        if sender.send(played).is_err() || is_over {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            let mut failed = Ok(());
            for played in &finished {
                match played {
                    Ok(encounter) if failed.is_ok() && encounter.is_finished() => {
                        if report(encounter).is_break() {
                            self.stop.store(true, Ordering::Relaxed);
                            break;
                        }
                    }
                    Ok(_) => (),
                    Err(error) => {
                        self.stop.store(true, Ordering::Relaxed);
                        failed = failed.and(Err(error));
                    }
                }
            }
            // The results of workers that still play are not read.
            drop(finished);
            failed
        })
    }

    fn meet(
        &self,
        players: &mut [Option<Player>],
        pairing: [usize; 2],
        number: u64,
        opening: impl Fn(u64) -> Record,
    ) -> Result<Encounter, (usize, BadSpec)> {
        for index in pairing {
            if players[index].is_none() {
                players[index] = Some(self.player(index)?);
            }
        }
        let of = |index: usize| players[index].as_ref().expect("it was made just now");
        let games = play_both(&opening(number), pairing.map(of), self.seed, number);
        Ok(Encounter {
            number,
            players: pairing,
            games,
        })
    }

    fn player(&self, index: usize) -> Result<Player, (usize, BadSpec)> {
        let spec = self.players[index].clone();
        let player = Player::stopped_by(spec, self.kind, Arc::clone(&self.stop));
        player.map_err(|error| (index, error))
    }
}

impl Encounter {
    /// Whether both games have a result.
    fn is_finished(&self) -> bool {
        self.games.iter().all(|(_, game)| game.end != End::Stopped)
    }
}

#[cfg(test)]
mod tests {
    use super::super::openings::{Openings, opening_of, setup_of};
    use super::*;

    /// The encounters of a tournament that breaks off after so many.
    fn play(concurrency: usize, most: usize) -> Vec<Encounter> {
        let kind = GameKind::Reversi;
        let players = ["1", "random", "2"].map(|text| text.parse().expect("a player"));
        let tournament = Tournament {
            kind,
            players: &players,
            pairs: 2,
            seed: 5,
            concurrency,
            stop: Arc::default(),
        };
        assert_eq!(tournament.encounters(), 6);
        let opening = |number| opening_of(&setup_of(kind), Openings::default(), 5, number);
        let mut encounters = Vec::new();
        let played = tournament.play(opening, |encounter| {
            encounters.push(encounter);
            match encounters.len() == most {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        assert_eq!(played, Ok(()));
        encounters.sort_by_key(|encounter| (encounter.number, encounter.players));
        encounters
    }

    #[test]
    fn every_two_meet_from_the_same_openings_however_many_play_at_once() {
        let one = play(1, usize::MAX);
        let pairings: Vec<_> = one.iter().map(|met| (met.number, met.players)).collect();
        let expected = [0, 1].map(|number| [[0, 1], [0, 2], [1, 2]].map(|met| (number, met)));
        assert_eq!(pairings, expected.concat());
        for met in &one {
            let starts = |game: &Game| game.record.moves()[..game.opening as usize].to_vec();
            let first = starts(&met.games.first);
            assert_eq!(starts(&met.games.second), first);
            assert_eq!(starts(&one[3 * met.number as usize].games.first), first);
        }
        assert_eq!(play(3, usize::MAX), one);
    }

    #[test]
    fn a_report_may_end_the_tournament() {
        for concurrency in [1, 3] {
            assert_eq!(play(concurrency, 2).len(), 2);
        }
    }

    #[test]
    fn a_tournament_that_is_stopped_before_its_first_game_has_none() {
        let players = ["1", "movetime=5,cmd:ugi:sleep 600"];
        let players = players.map(|text| text.parse().expect("a player"));
        let tournament = Tournament {
            kind: GameKind::Mawe,
            players: &players,
            pairs: 1,
            seed: 1,
            concurrency: 1,
            stop: Arc::new(true.into()),
        };
        let opening = |_| panic!("no game begins");
        assert_eq!(tournament.play(opening, |_| panic!("no game ends")), Ok(()));
    }

    #[test]
    fn a_player_that_does_not_start_is_named_before_the_first_game() {
        let players = ["1", "movetime=5,cmd:ugi:/nowhere/engine"];
        let players = players.map(|text| text.parse().expect("a player"));
        let tournament = Tournament {
            kind: GameKind::Mawe,
            players: &players,
            pairs: 1,
            seed: 1,
            concurrency: 1,
            stop: Arc::default(),
        };
        let opening = |_| panic!("no game begins");
        let played = tournament.play(opening, |_| panic!("no game ends"));
        let (index, error) = played.expect_err("there is no such program");
        assert_eq!(index, 1);
        assert!(error.to_string().contains("cannot be started"), "{error}");
    }
}
