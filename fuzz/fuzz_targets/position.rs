//! Position strings of every game: refused, or printed so that they parse to the same; what parses
//! can be played on.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mawe_rules::{AnyPosition, GameKind};

fuzz_target!(|text: &str| {
    for kind in GameKind::ALL.iter().copied() {
        let Ok(pos) = AnyPosition::parse(kind, text) else {
            continue;
        };
        assert_eq!(AnyPosition::parse(kind, &pos.to_string()).as_ref(), Ok(&pos));
        let moves = pos.legal_moves();
        assert_eq!(moves.is_empty(), pos.outcome().is_some());
        assert_eq!(moves.len() as u64, pos.perft(1, 1));
        for m in moves {
            let mut after = pos.clone();
            assert_eq!(after.play(&m.to_string()), Ok(m));
            let fresh = AnyPosition::parse(kind, &after.to_string()).expect("a printed position parses");
            assert_eq!(fresh.zobrist(), after.zobrist());
        }
    }
});
