//! Transcripts of Reversi: the squares in order, `f5d6c3…`.
//!
//! The reader accepts the variants of other programs: upper or lower case, with or without blanks,
//! with move numbers, passes written (`--`, `pa`, `ps`, `pass`) or left out. A missing pass is
//! inserted; a pass after the end of the game, as some programs write it, is ignored.

use super::{Line, NotationError, NotationFault};
use crate::any::{AnyMove, AnyPosition, AnySetup};
use crate::error::PlayError;
use crate::games::reversi::{ReversiMove, ReversiPosition};
use crate::kind::GameKind;
use crate::record::Record;

/// The most digits of a move number.
const NUMBER_DIGITS: usize = 3;

/// Reads a transcript that begins at the standard start.
///
/// ```
/// use mawe_rules::notation::transcript;
///
/// let record = transcript::read(b"F5 d6 C3")?;
/// assert_eq!(transcript::write(&record).as_deref(), Some("f5d6c3"));
/// # Ok::<(), mawe_rules::notation::NotationError>(())
/// ```
///
/// # Errors
///
/// The first fault and its place.
pub fn read(text: &[u8]) -> Result<Record, NotationError> {
    let setup = AnySetup::standard(GameKind::Reversi);
    let record = Record::new(GameKind::Reversi, &setup).expect("the standard game has a start");
    read_on(record, text)
}

/// As [`read`], from another position.
///
/// # Errors
///
/// The first fault and its place.
pub fn read_from(start: ReversiPosition, text: &[u8]) -> Result<Record, NotationError> {
    read_on(Record::from_position(AnyPosition::Reversi(start)), text)
}

fn read_on(mut record: Record, text: &[u8]) -> Result<Record, NotationError> {
    let first = Line::first(text);
    let mut at = first.start;
    while let Some((token, length)) = token(&text[at..]) {
        let fault = |why| first.fault(text, at, why);
        match token {
            Token::Nothing => (),
            Token::Pass if record.outcome().is_some() => (),
            Token::Pass => play(&mut record, "pass").map_err(fault)?,
            Token::Disc(square) => {
                // Programs that write discs only leave out passes.
                if let Some(pass) = record.forced_pass() {
                    play(&mut record, &pass.to_string()).map_err(fault)?;
                }
                let [column, row] = square.map(char::from);
                play(&mut record, &format!("{column}{row}")).map_err(fault)?;
            }
            Token::Unknown => return Err(fault(NotationFault::UnexpectedSymbol)),
        }
        at += length;
    }
    Ok(record)
}

fn play(record: &mut Record, text: &str) -> Result<(), NotationFault> {
    let played = record.play(text);
    played
        .map(drop)
        .map_err(|why: PlayError| NotationFault::BadMove(why))
}

/// An element of a transcript.
enum Token {
    /// White space, or a move number.
    Nothing,
    Pass,
    /// Column and row, lower case.
    Disc([u8; 2]),
    Unknown,
}

/// The spellings of a pass in lower case; a longer word precedes its prefixes.
pub(super) const PASSES: [&str; 4] = ["pass", "pa", "ps", "--"];

/// The next token and its length in bytes, at least 1; `None` at the end.
fn token(text: &[u8]) -> Option<(Token, usize)> {
    let first = *text.first()?;
    let second = text.get(1).copied().unwrap_or(b' ');
    let is_pass = |pass: &&&str| {
        text.len() >= pass.len() && text[..pass.len()].eq_ignore_ascii_case(pass.as_bytes())
    };
    Some(match (first.to_ascii_lowercase(), second) {
        (b' ' | b'\t' | b'\r' | b'\n', _) => (Token::Nothing, 1),
        (column @ b'a'..=b'h', row @ b'1'..=b'8') => (Token::Disc([column, row]), 2),
        (b'0'..=b'9', _) => number(text),
        (_, _) => match PASSES.iter().find(is_pass) {
            Some(pass) => (Token::Pass, pass.len()),
            None => (Token::Unknown, 1),
        },
    })
}

/// Reads a move number with the dots or bracket after it.
fn number(text: &[u8]) -> (Token, usize) {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if digits > NUMBER_DIGITS {
        return (Token::Unknown, 1);
    }
    let marks = text[digits..].iter();
    let marks = marks.take_while(|byte| matches!(byte, b'.' | b')')).count();
    (Token::Nothing, digits + marks)
}

/// The squares in lower case without separators, passes written `--`, so that a reader need not
/// infer them; `None` if the game is not Reversi. The plies of an opening precede those of the players. A transcript does not hold
/// another start position.
pub fn write(record: &Record) -> Option<String> {
    let AnyPosition::Reversi(_) = record.position() else {
        return None;
    };
    let whole = record.with_opening_played();
    let mut text = String::new();
    for m in whole.as_ref().unwrap_or(record).moves() {
        if let AnyMove::Reversi(ReversiMove::Place(square)) = m {
            text.push_str(&square.to_string());
        } else {
            text.push_str("--");
        }
    }
    Some(text)
}
