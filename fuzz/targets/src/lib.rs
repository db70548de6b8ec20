//! Arbitrary bytes against every reader of the rules, and of journals of events: properties that must hold for any input.
//!
//! Two drivers use this. The [`short`] run, part of every run of the tests, feeds each target a fixed
//! number of [inputs](inputs::Inputs) made from the committed seeds; the programs in
//! `fuzz/fuzz_targets/` let cargo-fuzz find inputs, guided by coverage.

mod event;
pub mod inputs;
pub mod short;

use std::str::from_utf8;

use mawe_rules::notation::json::JsonRecord;
use mawe_rules::notation::{ggf, pdn, transcript};
use mawe_rules::{AnyPosition, AnySetup, GameKind, Record};

/// A fuzz target: one reader, or the same reader of every game.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// The name of its program in `fuzz/fuzz_targets/` and of its folder of seeds.
    pub name: &'static str,
    /// Panics if a property does not hold; returns whether the bytes were accepted.
    pub run: fn(&[u8]) -> bool,
    /// The number of inputs in the short run: a few seconds on one core.
    pub inputs: u32,
}

/// All targets.
pub const TARGETS: [Target; 8] = [
    Target {
        name: "position",
        run: position,
        inputs: 4_000_000,
    },
    Target {
        name: "moves",
        run: moves,
        inputs: 60_000,
    },
    Target {
        name: "setup",
        run: setup,
        inputs: 4_000_000,
    },
    Target {
        name: "pdn",
        run: pdn,
        inputs: 500_000,
    },
    Target {
        name: "ggf",
        run: ggf,
        inputs: 500_000,
    },
    Target {
        name: "transcript",
        run: transcript,
        inputs: 4_000_000,
    },
    Target {
        name: "json",
        run: json,
        inputs: 600_000,
    },
    Target {
        name: "event",
        run: event,
        inputs: 60_000,
    },
];

/// Position strings of every game: refused, or printed so that they parse to the same; an accepted position can be played on.
pub fn position(bytes: &[u8]) -> bool {
    any_game_reads(bytes, |kind, text| {
        let Ok(pos) = AnyPosition::parse(kind, text) else {
            return false;
        };
        let again = AnyPosition::parse(kind, &pos.to_string());
        assert_eq!(again.as_ref(), Ok(&pos));
        let moves = pos.legal_moves();
        assert_eq!(moves.is_empty(), pos.outcome().is_some());
        assert_eq!(moves.len() as u64, pos.perft(1, 1));
        for m in moves {
            let mut after = pos.clone();
            assert_eq!(after.play(&m.to_string()), Ok(m));
            let fresh = AnyPosition::parse(kind, &after.to_string());
            let fresh = fresh.expect("a printed position parses");
            assert_eq!(fresh.zobrist(), after.zobrist());
        }
        true
    })
}

/// Move strings, one a line, played from the start of every game: an illegal one changes nothing.
pub fn moves(bytes: &[u8]) -> bool {
    any_game_reads(bytes, |kind, text| {
        let mut record = Record::new(kind, &AnySetup::standard(kind)).expect("a start");
        for line in text.lines() {
            let before = record.clone();
            match record.play(line) {
                Ok(m) => assert_eq!(m.to_string(), line),
                Err(_) => assert_eq!(record, before),
            }
        }
        record.ply() > 0
    })
}

/// Setup strings of every game: refused, or printed so that they parse to the same; a complete setup starts a game.
pub fn setup(bytes: &[u8]) -> bool {
    any_game_reads(bytes, |kind, text| {
        let Ok(setup) = AnySetup::parse(kind, text) else {
            return false;
        };
        let printed = setup.to_string();
        assert_eq!(AnySetup::parse(kind, &printed).as_ref(), Ok(&setup));
        if let Ok(record) = Record::new(kind, &setup) {
            assert_eq!(record.setup().to_string(), printed);
        }
        true
    })
}

/// Returns whether a game reads the bytes; all games are tried in any case.
fn any_game_reads(bytes: &[u8], reads: impl Fn(GameKind, &str) -> bool) -> bool {
    let Ok(text) = from_utf8(bytes) else {
        return false;
    };
    let kinds = GameKind::ALL.iter().copied();
    kinds.filter(|kind| reads(*kind, text)).count() > 0
}

/// PDN: refused, or written so that it reads as the same game; a reader of several games continues to the end.
pub fn pdn(bytes: &[u8]) -> bool {
    let (mut games, mut is_read) = (0, false);
    for game in pdn::games(bytes, None) {
        games += 1;
        assert!(games <= bytes.len() + 1, "the reader does not go on");
        let Ok(game) = game else { continue };
        is_read = true;
        let text = pdn::write(&game).expect("a draughts game");
        let again = pdn::games(text.as_bytes(), None).next();
        let again = again.expect("a game").expect("PDN");
        assert_eq!(again.record, game.record);
        assert_eq!(again.result, game.result);
    }
    is_read
}

/// GGF: refused, or written so that it reads as the same game; a reader of several games continues to the end.
pub fn ggf(bytes: &[u8]) -> bool {
    let (mut games, mut is_read) = (0, false);
    for game in ggf::games(bytes) {
        games += 1;
        assert!(games <= bytes.len() + 1, "the reader does not go on");
        let Ok(game) = game else { continue };
        is_read = true;
        let text = ggf::write(&game).expect("Reversi");
        let mut again = ggf::games(text.as_bytes());
        assert_eq!(again.next(), Some(Ok(game)));
        assert_eq!(again.next(), None);
    }
    is_read
}

/// Transcripts of Reversi: refused, or written so that they read as the same game.
pub fn transcript(bytes: &[u8]) -> bool {
    let Ok(record) = transcript::read(bytes) else {
        return false;
    };
    let text = transcript::write(&record).expect("Reversi");
    assert_eq!(transcript::read(text.as_bytes()), Ok(record));
    true
}

/// Games as JSON: refused, or written so that they read as the same game.
pub fn json(bytes: &[u8]) -> bool {
    let Ok(json) = serde_json::from_slice::<JsonRecord>(bytes) else {
        return false;
    };
    if let Ok(record) = json.replay() {
        let again = JsonRecord::from(&record);
        let text = serde_json::to_vec(&again).expect("a record is JSON");
        let read: JsonRecord = serde_json::from_slice(&text).expect("our own JSON");
        assert_eq!(read.replay(), Ok(record));
    }
    true
}

/// Journals of events: refused entry by entry, or replayed to a state that keeps its invariants.
pub fn event(bytes: &[u8]) -> bool {
    from_utf8(bytes).is_ok_and(event::replay)
}
