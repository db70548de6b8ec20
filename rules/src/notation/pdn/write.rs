//! Writing PDN.

use std::fmt::Write;

use super::game::{GAME_TYPE, Game, GameResult};
use crate::any::{AnyPosition, AnySetup};
use crate::kind::GameKind;
use crate::record::Record;
use crate::vocab::Side;

/// The most characters in a line of movetext, as in PGN's export format.
const LINE: usize = 79;

/// The tags that archives require, in their order; `Result` follows from the game.
const ROSTER: [(&str, &str); 6] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("Black", "?"),
    ("White", "?"),
];

/// The game as PDN, followed by an empty line so that games can be concatenated; `None` if it is
/// not American checkers. Captures are written with every landing square. The plies of an opening precede those of the players, as
/// archives have the games of balloted openings.
pub fn write(game: &Game) -> Option<String> {
    if game.record.kind() != GameKind::Checkers {
        return None;
    }
    let whole = game.record.with_opening_played();
    let record = whole.as_ref().unwrap_or(&game.record);
    let result = GameResult::of(record).unwrap_or(game.result);
    let mut text = String::new();
    let given = |name: &str| game.tags.iter().find(|(known, _)| known == name);
    for (name, unknown) in ROSTER {
        push_tag(
            &mut text,
            name,
            given(name).map_or(unknown, |(_, value)| value),
        );
    }
    push_tag(&mut text, "Result", result.as_str());
    push_tag(&mut text, "GameType", GAME_TYPE);
    let setup = AnySetup::standard(GameKind::Checkers);
    let standard = AnyPosition::start(GameKind::Checkers, &setup);
    if standard.as_ref() != Ok(record.start()) {
        push_tag(&mut text, "SetUp", "1");
        push_tag(&mut text, "FEN", &record.start().to_string());
    }
    let is_further = |name: &str| ROSTER.iter().all(|(known, _)| *known != name);
    for (name, value) in game.tags.iter().filter(|(name, _)| is_further(name)) {
        push_tag(&mut text, name, value);
    }
    text.push('\n');
    push_movetext(&mut text, record, result);
    text.push_str("\n\n");
    Some(text)
}

/// Writes a tag on one line; control characters in its value become blanks.
fn push_tag(text: &mut String, name: &str, value: &str) {
    write!(text, "[{name} \"").expect("a string takes all that is written");
    for symbol in value.chars() {
        match symbol {
            '"' | '\\' => text.extend(['\\', symbol]),
            symbol if symbol.is_control() => text.push(' '),
            symbol => text.push(symbol),
        }
    }
    text.push_str("\"]\n");
}

/// Writes the moves. Numbers count Black's moves; a game that White begins starts with `1...`.
fn push_movetext(text: &mut String, record: &Record, result: GameResult) {
    let begins = match record.start().turn() {
        Side::First => 0,
        Side::Second => 1,
    };
    let mut words = Vec::new();
    for (ply, m) in (begins..).zip(record.moves()) {
        let number = ply / 2 + 1;
        match ply % 2 {
            0 => words.push(format!("{number}. {m}")),
            _ if ply == begins => words.push(format!("{number}... {m}")),
            _ => words.push(m.to_string()),
        }
    }
    words.push(result.as_str().to_owned());
    let mut column = 0;
    for word in words {
        if column > 0 && column + 1 + word.len() > LINE {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(&word);
        column += word.len();
    }
}
