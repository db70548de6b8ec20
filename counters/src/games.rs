//! Games that are the same in every run.

use fastrand::Rng;
use mawe_play::room::io::MatchSetup;
use mawe_rules::{AnySetup, BySide, GameKind, Record};
use mawe_wire::ids::MatchId;
use mawe_wire::{MatchOptions, TimeControl};

/// The time control of every match: its clocks run, so that each move is charged.
pub const TIME_CONTROL: TimeControl = TimeControl::Realtime {
    base_ms: 300_000,
    increment_ms: 3_000,
};

/// Returns a whole game of random moves, another one for each seed.
///
/// # Panics
/// Never: every game has a standard start, and only legal moves are chosen.
#[must_use]
pub fn game(kind: GameKind, seed: u64) -> Vec<String> {
    let mut rng = Rng::with_seed(seed);
    let mut record = Record::new(kind, &AnySetup::standard(kind)).expect("every game starts");
    let mut moves = Vec::new();
    while let Some(text) = rng.choice(record.legal_moves()) {
        record.play(&text).expect("it is legal");
        moves.push(text);
    }
    moves
}

/// Returns the text of the id with this number. Neighbours in number are not neighbours in order, as with ids that are drawn: the order
/// decides which pages of an index a batch changes.
#[must_use]
pub fn id_text(number: u64) -> String {
    let mut rng = Rng::with_seed(number);
    (0..mawe_wire::ids::ID_CHARS)
        .map(|_| rng.alphanumeric())
        .collect()
}

/// Returns the id of a match.
///
/// # Panics
/// Never: the text has the form of an id.
#[must_use]
pub fn match_id(number: u64) -> MatchId {
    id_text(number).parse().expect("it has the form of an id")
}

/// Returns the setup of a rated match between people.
#[must_use]
pub fn match_setup(kind: GameKind) -> MatchSetup {
    MatchSetup {
        id: match_id(0),
        game: kind,
        setup: String::new(),
        rated: true,
        time_control: TIME_CONTROL,
        extra_ms: BySide::default(),
        options: MatchOptions::usual(true),
        one_player: false,
        created_ms: 0,
        bots: BySide::default(),
    }
}
