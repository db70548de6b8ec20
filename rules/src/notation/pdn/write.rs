//! Writing PDN.

use std::fmt::Write;

use super::dialect::Dialect;
use super::game::{Game, GameResult};
use crate::any::{AnyPosition, AnySetup};
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
/// no draughts game. Captures are written with every landing square. The plies of an opening precede those of the players, as
/// archives have the games of balloted openings.
pub fn write(game: &Game) -> Option<String> {
    let kind = game.record.kind();
    let dialect = Dialect::of(kind)?;
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
    push_tag(&mut text, "Result", result.text(dialect));
    push_tag(&mut text, "GameType", dialect.game_type);
    if let Some(variant) = dialect.variant {
        push_tag(&mut text, "Variant", variant);
    }
    let standard = AnyPosition::start(kind, &AnySetup::standard(kind));
    if standard.as_ref() != Ok(record.start()) {
        push_tag(&mut text, "SetUp", "1");
        push_tag(&mut text, "FEN", &record.start().to_string());
    }
    let is_further = |name: &str| ROSTER.iter().all(|(known, _)| *known != name);
    for (name, value) in game.tags.iter().filter(|(name, _)| is_further(name)) {
        push_tag(&mut text, name, value);
    }
    text.push('\n');
    push_movetext(&mut text, record, result, dialect);
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

/// Writes the moves. Numbers count the moves of the first side; a game that the second one begins starts with `1...`.
fn push_movetext(text: &mut String, record: &Record, result: GameResult, dialect: Dialect) {
    let begins = match record.start().turn() {
        Side::First => 0,
        Side::Second => 1,
    };
    let mut words = Vec::new();
    for (ply, m) in (begins..).zip(record.moves()) {
        let number = ply / 2 + 1;
        let m = dialect.written(&m.to_string());
        match ply % 2 {
            0 => words.push(format!("{number}. {m}")),
            _ if ply == begins => words.push(format!("{number}... {m}")),
            _ => words.push(m),
        }
    }
    words.push(result.text(dialect).to_owned());
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
