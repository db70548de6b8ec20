//! What the journal of an event says, counted without the code that pairs and counts: the invariants hold after each append.

use std::collections::BTreeSet;

use mawe_rules::Side;
use mawe_wire::events::{EventGameResult, EventGameSkipped};

use crate::events::{Entry, Format, Seat, Start, Terms};

/// The journal as a list of players, games and byes.
pub(super) struct Ledger {
    pub(super) format: Format,
    pub(super) start: Start,
    /// The number of players up to which fill-ins come.
    pub(super) fill_to: Option<u32>,
    /// Whether a player may have several games at a time: by correspondence all rounds of a round robin begin at once.
    pub(super) plays_at_once: bool,
    pub(super) players: Vec<LedgerPlayer>,
    pub(super) games: Vec<LedgerGame>,
    /// The round, the seat and the halves of points.
    pub(super) byes: Vec<(u32, Seat, u32)>,
    /// The rounds with the seats of those who have asked for a bye.
    pub(super) asked: BTreeSet<(u32, Seat)>,
    pub(super) began_with: usize,
    pub(super) round: u32,
    pub(super) paired_ms: Option<i64>,
    /// The pairs that were found not to play each other.
    pub(super) apart: Vec<[Seat; 2]>,
    last_ms: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Presence {
    In,
    Paused,
    Withdrawn,
}

pub(super) struct LedgerPlayer {
    pub(super) is_fill_in: bool,
    pub(super) group: Option<u32>,
    pub(super) presence: Presence,
    /// The time since which the player waits for a game, if there is none.
    pub(super) free_ms: i64,
    /// The indexes of the player's games.
    pub(super) games: Vec<usize>,
}

pub(super) struct LedgerGame {
    pub(super) round: u32,
    pub(super) seats: [Seat; 2],
    pub(super) berserk: [bool; 2],
    pub(super) course: Course,
}

/// The course of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Course {
    Running,
    Played(EventGameResult),
    /// Without a game: the winner, if one side did not come.
    Forfeit(EventGameResult),
    Skipped(EventGameSkipped, Option<Side>),
}

impl Ledger {
    pub(super) fn new(terms: &Terms) -> Ledger {
        let by_correspondence = !terms.time_control.is_realtime();
        Ledger {
            format: terms.format,
            start: terms.start,
            fill_to: terms.fill_to,
            plays_at_once: by_correspondence || terms.format == Format::Simul,
            players: Vec::new(),
            games: Vec::new(),
            byes: Vec::new(),
            asked: BTreeSet::new(),
            began_with: 0,
            round: 0,
            paired_ms: None,
            apart: Vec::new(),
            last_ms: i64::MIN,
        }
    }

    /// Enters an entry.
    pub(super) fn enter(&mut self, at_ms: i64, entry: &Entry) {
        assert!(at_ms >= self.last_ms, "the journal goes back in time");
        self.last_ms = at_ms;
        match entry {
            Entry::Joined { bot, group, .. } => self.players.push(LedgerPlayer {
                is_fill_in: *bot,
                group: *group,
                presence: Presence::In,
                free_ms: at_ms,
                games: Vec::new(),
            }),
            Entry::Rejoined { seat } => self.turn(*seat, &[Presence::Withdrawn], Presence::In),
            Entry::Resumed { seat } => self.turn(*seat, &[Presence::Paused], Presence::In),
            Entry::Paused { seat } => self.turn(*seat, &[Presence::In], Presence::Paused),
            Entry::Withdrawn { seat } => {
                let from = [Presence::In, Presence::Paused];
                self.turn(*seat, &from, Presence::Withdrawn);
            }
            Entry::ByeAsked { seat, round } => {
                self.asked.insert((*round, *seat));
            }
            Entry::Began { .. } => {
                self.began_with = self.present().count();
                self.players
                    .iter_mut()
                    .for_each(|player| player.free_ms = at_ms);
            }
            Entry::Paired { round, games, byes } => {
                self.round = *round;
                self.paired_ms = Some(at_ms);
                for game in games {
                    let seats = [game.first, game.second];
                    for seat in seats {
                        self.players[seat as usize].games.push(self.games.len());
                    }
                    self.games.push(LedgerGame {
                        round: *round,
                        seats,
                        berserk: [false; 2],
                        course: Course::Running,
                    });
                }
                let byes = byes.iter();
                self.byes
                    .extend(byes.map(|bye| (*round, bye.seat, bye.points.halves())));
            }
            Entry::Berserk { game, side } => {
                self.running(*game).berserk[usize::from(*side == Side::Second)] = true;
            }
            Entry::Ended {
                game,
                result,
                forfeit,
            } => {
                let course = if *forfeit {
                    Course::Forfeit(*result)
                } else {
                    Course::Played(*result)
                };
                self.settle(*game, course);
            }
            Entry::Skipped { game, reason, side } => {
                self.settle(*game, Course::Skipped(*reason, *side));
                if *reason == EventGameSkipped::Apart {
                    self.apart.push(self.games[*game as usize - 1].seats);
                }
            }
            Entry::Corrected { game, result } => {
                let row = &mut self.games[*game as usize - 1];
                assert_ne!(
                    row.course,
                    Course::Running,
                    "a correction of a running game"
                );
                row.course = Course::Played(*result);
            }
            Entry::Cancelled { .. } | Entry::Closed | Entry::Finished => {}
        }
    }

    fn turn(&mut self, seat: Seat, from: &[Presence], to: Presence) {
        let player = &mut self.players[seat as usize];
        assert!(
            from.contains(&player.presence),
            "seat {seat} becomes {to:?}"
        );
        player.presence = to;
        player.free_ms = self.last_ms;
    }

    fn running(&mut self, game: u32) -> &mut LedgerGame {
        let row = &mut self.games[game as usize - 1];
        assert_eq!(row.course, Course::Running, "game {game} is over");
        row
    }

    /// Gives a running game its end.
    fn settle(&mut self, game: u32, course: Course) {
        let row = self.running(game);
        row.course = course;
        for seat in row.seats {
            self.players[seat as usize].free_ms = self.last_ms;
        }
    }

    /// The number of players without the withdrawn ones.
    pub(super) fn present(&self) -> impl Iterator<Item = &LedgerPlayer> {
        let players = self.players.iter();
        players.filter(|player| player.presence != Presence::Withdrawn)
    }

    /// The seats of the players who may be paired, whether or not they play.
    pub(super) fn active(&self) -> impl Iterator<Item = Seat> {
        let seats = (0..).zip(&self.players);
        seats.filter_map(|(seat, player)| (player.presence == Presence::In).then_some(seat))
    }

    pub(super) fn is_fill_in(&self, seat: Seat) -> bool {
        self.players[seat as usize].is_fill_in
    }

    /// The number of people without the withdrawn ones.
    pub(super) fn people(&self) -> usize {
        self.present().filter(|player| !player.is_fill_in).count()
    }

    pub(super) fn are_of_one_group(&self, a: Seat, b: Seat) -> bool {
        let [a, b] = [a, b].map(|seat| self.players[seat as usize].group);
        a.is_some() && a == b
    }

    /// The games of a seat, the first one first.
    pub(super) fn games_of(&self, seat: Seat) -> impl DoubleEndedIterator<Item = &LedgerGame> {
        let games = self.players[seat as usize].games.iter();
        games.map(|index| &self.games[*index])
    }

    pub(super) fn is_playing(&self, seat: Seat) -> bool {
        self.games_of(seat)
            .any(|game| game.course == Course::Running)
    }
}

impl LedgerGame {
    pub(super) fn opponent_of(&self, seat: Seat) -> Seat {
        let [first, second] = self.seats;
        if first == seat { second } else { first }
    }

    /// Whether both came and there is a result.
    pub(super) fn is_played(&self) -> bool {
        match self.course {
            Course::Played(result) => result != EventGameResult::CalledOff,
            Course::Running | Course::Forfeit(_) | Course::Skipped(..) => false,
        }
    }
}
