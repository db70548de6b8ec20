//! A run of an event: the clock, the journal, and the checks of every step.

use std::collections::BTreeSet;

use fastrand::Rng;
use mawe_rules::Side;
use mawe_wire::TimeControl;
use mawe_wire::events::{EventGameResult, EventGameSkipped, EventState};
use mawe_wire::ids::PlayerId;

use crate::events::{Entry, Event, Format, Input, MOST_FILL_INS, Refusal, Seat, Start, Terms};

pub(super) const BLITZ: TimeControl = TimeControl::Realtime {
    base_ms: 180_000,
    increment_ms: 2_000,
};

/// The time of the start.
pub(super) const START: i64 = 1_800_000_000_000;

pub(crate) struct Run {
    pub(crate) event: Event,
    pub(crate) journal: Vec<(i64, Entry)>,
    pub(crate) now: i64,
    pub(crate) rng: Rng,
    /// Whether each step compares the state with a replay from the written journal; it takes long for large events.
    pub(crate) replays: bool,
}

/// The id of a player by number.
pub(super) fn player(number: u32) -> PlayerId {
    format!("player{number:06}").parse().expect("an id")
}

pub(super) fn terms(format: Format) -> Terms {
    Terms {
        format,
        time_control: BLITZ,
        start: Start::At { at_ms: START },
        max_players: format.most_players(),
        fill_to: None,
    }
}

impl Run {
    pub(super) fn new(terms: Terms, seed: u64) -> Run {
        assert_eq!(terms.check(), Ok(()));
        Run {
            event: Event::new(terms),
            journal: Vec::new(),
            now: START - 60_000,
            rng: Rng::with_seed(seed),
            replays: true,
        }
    }

    /// A run in which this many players have joined, with ratings that fall by the seat.
    pub(super) fn with_players(format: Format, players: u32, seed: u64) -> Run {
        Run::with_terms(terms(format), players, seed)
    }

    /// As [`Run::with_players`], with all terms.
    pub(super) fn with_terms(terms: Terms, players: u32, seed: u64) -> Run {
        let mut run = Run::new(terms, seed);
        for number in 0..players {
            let id = player(number);
            let join = Input::Join {
                player: &id,
                rating: f64::from(2_400 - number),
                group: None,
            };
            run.input(&join).expect("a place");
        }
        run
    }

    /// Decides and applies. A refused input changes nothing, and the state is that of a replay.
    pub(super) fn input(&mut self, input: &Input) -> Result<Vec<Entry>, Refusal> {
        let rng = &mut self.rng;
        let mut chance = |below: u32| if below == 0 { 0 } else { rng.u32(..below) };
        let entries = self.event.decide(self.now, input, &mut chance)?;
        for entry in &entries {
            let applied = self.event.apply(self.now, entry);
            assert_eq!(applied, Ok(()), "{input:?} gave {entry:?}");
            self.journal.push((self.now, entry.clone()));
        }
        if self.replays && !entries.is_empty() {
            assert_eq!(self.replayed(), self.event);
        }
        Ok(entries)
    }

    /// The state from the journal as it is written.
    pub(super) fn replayed(&self) -> Event {
        let written = self.journal.iter();
        let read: Vec<(i64, Entry)> = written
            .map(|(at_ms, entry)| (*at_ms, Entry::read(&entry.write()).expect("our own entry")))
            .collect();
        let entries = read.iter().map(|(at_ms, entry)| (*at_ms, entry));
        Event::replay(self.event.terms().clone(), entries).expect("our own journal")
    }

    /// Offers fill-ins as long as the event wants some; returns their number.
    pub(super) fn fill_in(&mut self) -> u32 {
        let wanted = self.event.wanted_fill_ins(self.now);
        for left in (1..=wanted).rev() {
            assert_eq!(self.event.wanted_fill_ins(self.now), left);
            let id = player(900_000 + u32::try_from(self.event.entrants().len()).expect("few"));
            let fill_in = Input::FillIn {
                player: &id,
                rating: 1_800.0,
            };
            let entries = self.input(&fill_in).expect("a fill-in is not refused");
            assert!(matches!(entries[..], [Entry::Joined { bot: true, .. }]));
        }
        wanted
    }

    /// Moves the clock to the next work and does it; returns whether there was any.
    pub(super) fn tick(&mut self) -> bool {
        let Some(due) = self.event.due_ms() else {
            return false;
        };
        self.now = self.now.max(due);
        self.fill_in();
        let entries = self.input(&Input::Tick).expect("a tick is not refused");
        assert!(!entries.is_empty(), "due at {due}, but nothing to do");
        true
    }

    /// The numbers of the pending games.
    pub(super) fn pending(&self) -> Vec<u32> {
        let games = self.event.games().iter().filter(|game| game.is_pending());
        games.map(|game| game.number).collect()
    }

    pub(super) fn end(&mut self, game: u32, result: EventGameResult) {
        let ended = Input::GameEnded {
            game,
            result,
            forfeit: false,
        };
        self.input(&ended).expect("a game");
    }

    /// The seats of the games of a round, as `first-second`.
    pub(super) fn round(&self, round: u32) -> Vec<(Seat, Seat)> {
        let games = self.event.games().iter().filter(|game| game.round == round);
        games
            .map(|game| (game.seats.first, game.seats.second))
            .collect()
    }

    /// Ends a pending game in one of the ways in which games end.
    pub(super) fn settle_one(&mut self) {
        let pending = self.pending();
        let Some(game) = self.rng.choice(pending.iter().copied()) else {
            return;
        };
        self.now += self.rng.i64(0..60_000);
        let result = match self.rng.u32(0..20) {
            0..9 => EventGameResult::First,
            9..16 => EventGameResult::Second,
            16..19 => EventGameResult::Drawn,
            _ => EventGameResult::CalledOff,
        };
        let side = *[None, Some(Side::First), Some(Side::Second)]
            .get(self.rng.usize(0..3))
            .expect("a side");
        let forfeit = self.rng.u32(0..12) == 0;
        let ended = Input::GameEnded {
            game,
            result,
            forfeit: forfeit && matches!(result, EventGameResult::First | EventGameResult::Second),
        };
        let reason = match self.rng.u32(0..40) {
            0 => EventGameSkipped::Apart,
            1 => EventGameSkipped::Busy,
            2 => EventGameSkipped::Absent,
            3 => EventGameSkipped::Withdrawn,
            _ => {
                self.input(&ended).expect("a game");
                return;
            }
        };
        self.input(&Input::GameSkipped { game, reason, side })
            .expect("a game");
    }

    /// A random act of a player or an operator, most of them refused.
    pub(super) fn act(&mut self, players: u32) {
        let id = player(self.rng.u32(0..players));
        let round = self.event.round() + self.rng.u32(0..3);
        let number = self
            .rng
            .u32(0..=u32::try_from(self.event.games().len()).expect("few"));
        let join = Input::Join {
            player: &id,
            rating: self.rng.f64() * 2_000.0 + 400.0,
            group: None,
        };
        let act = match self.rng.u32(0..16) {
            0..5 => join,
            5 => Input::Withdraw(&id),
            6 | 7 => Input::Pause(&id),
            8..11 => Input::Resume(&id),
            11 | 12 => Input::AskBye { player: &id, round },
            13 => Input::Berserk {
                game: number,
                side: Side::First,
            },
            14 => Input::Tick,
            _ => Input::Correct {
                game: number,
                result: EventGameResult::CalledOff,
            },
        };
        let before = self.event.clone();
        if self.input(&act).is_err() {
            assert_eq!(self.event, before, "{act:?} was refused");
        }
    }

    /// The invariants of every event.
    pub(super) fn check(&self) {
        let event = &self.event;
        let mut busy = BTreeSet::new();
        let is_arena_like = matches!(
            event.terms().format,
            Format::Arena { .. } | Format::Swiss { .. } | Format::Knockout | Format::Series { .. }
        );
        let is_fill_in = |seat: Seat| event.entrants()[seat as usize].bot;
        let fill_ins = event.entrants().iter().filter(|one| one.bot).count();
        assert!(fill_ins <= MOST_FILL_INS as usize);
        for game in event.games() {
            assert_ne!(game.seats.first, game.seats.second);
            assert!(!is_fill_in(game.seats.first) || !is_fill_in(game.seats.second));
            if game.is_pending() && is_arena_like {
                for seat in [game.seats.first, game.seats.second] {
                    assert!(busy.insert(seat), "seat {seat} plays twice");
                }
            }
        }
        let standings = event.standings();
        let mut seats = BTreeSet::new();
        for pair in standings.windows(2) {
            assert!(pair[0].place <= pair[1].place);
        }
        for (place, row) in standings.iter().enumerate() {
            assert!(seats.insert(row.seat));
            assert!(row.place as usize <= place + 1);
            assert_eq!(row.tie_breaks.len(), event.tie_breaks().len());
            assert!(row.won <= row.played);
            // A negative zero is written as "-0".
            let mut values = row.tie_breaks.iter();
            assert!(values.all(|value| *value != 0.0 || value.is_sign_positive()));
        }
        if event.state() == EventState::Finished {
            assert_eq!(event.due_ms(), None);
            assert!(event.games().iter().all(|game| !game.is_pending()));
        }
        assert_eq!(self.replayed().standings(), standings);
    }

    /// Plays to the end, with acts in between, and returns the number of steps.
    pub(super) fn play(&mut self, players: u32, acts: u32) {
        let mut steps = 0;
        while self.event.state() == EventState::Coming || self.event.state() == EventState::Running
        {
            steps += 1;
            assert!(steps < 20_000, "the event does not end");
            if self.rng.u32(0..100) < acts {
                self.act(players);
            }
            let due = self.event.due_ms();
            if due.is_some_and(|due| due <= self.now) || self.pending().is_empty() {
                if !self.tick() {
                    assert!(self.event.due_ms().is_none());
                }
            } else {
                self.settle_one();
            }
            if steps % 7 == 0 {
                self.check();
            }
        }
        self.check();
    }
}
