//! What the journal of an event says, counted without the code that pairs and counts: the invariants hold after each append.

use mawe_rules::Side;
use mawe_wire::events::{EventGameResult, EventGameSkipped};

use crate::events::{Entry, Format, Seat, Terms};

/// The journal as a list of players, games and byes.
pub(super) struct Ledger {
    pub(super) format: Format,
    /// Whether a player may have several games at a time: by correspondence all rounds of a round robin begin at once.
    pub(super) plays_at_once: bool,
    pub(super) players: Vec<LedgerPlayer>,
    pub(super) games: Vec<LedgerGame>,
    /// The round, the seat and the halves of points.
    pub(super) byes: Vec<(u32, Seat, u32)>,
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
    pub(super) presence: Presence,
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
            plays_at_once: by_correspondence || terms.format == Format::Simul,
            players: Vec::new(),
            games: Vec::new(),
            byes: Vec::new(),
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
            Entry::Joined { .. } => self.players.push(LedgerPlayer {
                presence: Presence::In,
                games: Vec::new(),
            }),
            Entry::Rejoined { seat } => self.turn(*seat, &[Presence::Withdrawn], Presence::In),
            Entry::Resumed { seat } => self.turn(*seat, &[Presence::Paused], Presence::In),
            Entry::Paused { seat } => self.turn(*seat, &[Presence::In], Presence::Paused),
            Entry::Withdrawn { seat } => {
                let from = [Presence::In, Presence::Paused];
                self.turn(*seat, &from, Presence::Withdrawn);
            }
            Entry::Began { .. } => self.began_with = self.present().count(),
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
                self.running(*game).course = if *forfeit {
                    Course::Forfeit(*result)
                } else {
                    Course::Played(*result)
                };
            }
            Entry::Skipped { game, reason, side } => {
                let row = self.running(*game);
                row.course = Course::Skipped(*reason, *side);
                let seats = row.seats;
                if *reason == EventGameSkipped::Apart {
                    self.apart.push(seats);
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
            Entry::ByeAsked { .. } | Entry::Cancelled { .. } | Entry::Closed | Entry::Finished => {}
        }
    }

    fn turn(&mut self, seat: Seat, from: &[Presence], to: Presence) {
        let player = &mut self.players[seat as usize];
        assert!(
            from.contains(&player.presence),
            "seat {seat} becomes {to:?}"
        );
        player.presence = to;
    }

    fn running(&mut self, game: u32) -> &mut LedgerGame {
        let row = &mut self.games[game as usize - 1];
        assert_eq!(row.course, Course::Running, "game {game} is over");
        row
    }

    /// The number of players without the withdrawn ones.
    pub(super) fn present(&self) -> impl Iterator<Item = &LedgerPlayer> {
        let players = self.players.iter();
        players.filter(|player| player.presence != Presence::Withdrawn)
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
