//! A run of an event: the clock, the journal and the generator of random numbers.

use std::time::Instant;

use fastrand::Rng;
use mawe_play::events::{Entry, Event, Format, Input, Start, Terms};
use mawe_wire::TimeControl;
use mawe_wire::events::{EventGameResult, EventState};
use mawe_wire::ids::PlayerId;

pub(crate) struct Run {
    pub(crate) event: Event,
    journal: Vec<(i64, Entry)>,
    pub(crate) now: i64,
    pub(crate) rng: Rng,
}

/// The id of a player by number.
pub(crate) fn player(number: u32) -> PlayerId {
    format!("player{number:06}").parse().expect("an id")
}

impl Run {
    /// An event that begins at the time 0, in which this many players have joined.
    pub(crate) fn new(format: Format, players: u32) -> Run {
        let terms = Terms {
            format,
            time_control: TimeControl::Realtime {
                base_ms: 180_000,
                increment_ms: 2_000,
            },
            start: Start::At { at_ms: 0 },
            max_players: format.most_players(),
            fill_to: None,
        };
        let mut run = Run {
            event: Event::new(terms),
            journal: Vec::new(),
            now: -1,
            rng: Rng::with_seed(1),
        };
        for number in 0..players {
            let rating = f64::from(run.rng.u32(800..2_400));
            run.input(&Input::Join {
                player: &player(number),
                rating,
                group: None,
            });
        }
        run
    }

    /// Decides and applies; a refused input changes nothing.
    pub(crate) fn input(&mut self, input: &Input) {
        let rng = &mut self.rng;
        let entries = self
            .event
            .decide(self.now, input, &mut |below| rng.u32(..below));
        for entry in entries.unwrap_or_default() {
            self.event.apply(self.now, &entry).expect("our own entry");
            self.journal.push((self.now, entry));
        }
    }

    /// Ends a game with a win of either side.
    pub(crate) fn end(&mut self, game: u32) {
        let result = [EventGameResult::First, EventGameResult::Second][self.rng.usize(..2)];
        self.input(&Input::GameEnded {
            game,
            result,
            forfeit: false,
        });
    }

    pub(crate) fn is_over(&self) -> bool {
        matches!(
            self.event.state(),
            EventState::Finished | EventState::Cancelled
        )
    }

    /// Prints the size of the journal and the time of a replay.
    pub(crate) fn print_journal(&self) {
        let sizes = self.journal.iter().map(|(_, entry)| entry.write().len());
        let (entries, bytes) = (self.journal.len(), sizes.sum::<usize>());
        let begun = Instant::now();
        let journal = self.journal.iter().map(|(at_ms, entry)| (*at_ms, entry));
        let again = Event::replay(self.event.terms().clone(), journal).expect("our own journal");
        let took = begun.elapsed();
        assert_eq!(again, self.event);
        let games = self.event.games().len();
        println!(
            "{games} games, a journal of {entries} entries and {bytes} bytes, replayed in {took:.1?}"
        );
    }
}
