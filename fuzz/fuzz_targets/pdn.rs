//! PDN: refused, or written so that it reads as the same game.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mawe_rules::notation::pdn;

fuzz_target!(|bytes: &[u8]| {
    let games = pdn::games(bytes).inspect(|game| {
        let Ok(game) = game else { return };
        let text = pdn::write(game).expect("checkers");
        let again = pdn::games(text.as_bytes()).next().expect("a game").expect("PDN");
        assert_eq!(again.record, game.record);
        assert_eq!(again.result, game.result);
    });
    assert!(games.count() <= bytes.len() + 1);
});
