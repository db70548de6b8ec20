//! Reading PDN.

use super::game::{GAME_TYPE, Game, GameResult};
use crate::any::{AnyPosition, AnySetup};
use crate::error::{MoveParseError, PositionError};
use crate::games::checkers::{CheckersMove, CheckersPosition, Square};
use crate::kind::GameKind;
use crate::notation::reader::{Fault, Reader};
use crate::notation::{NotationError, NotationFault};
use crate::position::Position;
use crate::record::Record;

/// The most squares of a written move: the origin and the landings of the longest capture.
const MAX_SQUARES: usize = 10;

/// The beginning of the next game in a file, with the end of the line before it.
const NEXT_GAME: &[u8] = b"\n[Event";

/// The most digits of a number; a NAG has the longest number in valid files.
const MAX_DIGITS: usize = 5;

/// Iterates over the games of a file, so that a large file is never in memory as games all at once.
///
/// ```
/// use mawe_rules::notation::pdn;
///
/// let file = b"[Event \"Casual\"] 1. 11-15 23-19 2. 8-11 {the Old Fourteenth} 22-17 *";
/// let game = pdn::games(file).next().expect("a game")?;
/// assert_eq!(game.record.ply(), 4);
/// # Ok::<(), mawe_rules::notation::NotationError>(())
/// ```
pub fn games(text: &[u8]) -> Games<'_> {
    Games(Reader::new(text))
}

/// The iterator of [`games`]. After a game with an error it continues at the next line that begins
/// with `[Event`.
#[derive(Clone, Debug)]
pub struct Games<'a>(Reader<'a>);

impl Iterator for Games<'_> {
    type Item = Result<Game, NotationError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.game(Reader::pdn, next_game)
    }
}

/// Returns the offset of the next game, as far as it can be recognised.
fn next_game(reader: &Reader<'_>) -> usize {
    // The reader may have stopped at the beginning of the next game, so the search includes the line end before it.
    let line_end = reader.find(reader.at.saturating_sub(1), NEXT_GAME);
    (line_end + 1).min(reader.text.len())
}

/// The elements of movetext.
enum Token {
    /// The first tag of the next game, or the end of the file.
    End,
    Result(GameResult),
    Move(Written),
    /// A move number, a NAG or an annotation.
    Nothing,
    /// The beginning of a variation.
    Variation,
}

/// A move as written in the file.
struct Written {
    squares: Vec<u8>,
    is_capture: bool,
}

impl Reader<'_> {
    fn pdn(&mut self) -> Result<Option<Game>, Fault> {
        let tags = self.tags()?;
        let mut record = start(&tags)?;
        let (mut result, mut any) = (None, !tags.is_empty());
        loop {
            self.skip_blanks_and_comments()?;
            let at = self.at;
            match self.token()? {
                Token::End => break,
                Token::Nothing => (),
                Token::Variation => self.skip_variation()?,
                Token::Move(written) => play(&mut record, &written).map_err(|why| (at, why))?,
                Token::Result(told) => result = Some(told),
            }
            any = true;
            if result.is_some() {
                break;
            }
        }
        if !any {
            // Blanks and comments only: the file is at its end.
            return Ok(None);
        }
        let tagged = tags.iter().find(|tag| tag.name == "Result");
        let tagged = tagged.and_then(|tag| GameResult::from_text(tag.value.trim().as_bytes()));
        // The outcome of the moves is certain; next comes the terminator, which is closer to them
        // than the tag.
        let result = GameResult::of(&record).or(result).or(tagged);
        let kept = tags.into_iter().filter(|tag| !tag.is_derived());
        Ok(Some(Game {
            tags: kept.map(|tag| (tag.name, tag.value)).collect(),
            record,
            result: result.unwrap_or(GameResult::Open),
        }))
    }

    fn is_line_start(&self) -> bool {
        self.at == 0 || self.text[self.at - 1] == b'\n'
    }

    fn skip_blanks_and_comments(&mut self) -> Result<(), Fault> {
        loop {
            match self.peek() {
                Some(b' ' | b'\t' | b'\r' | b'\n') => self.at += 1,
                Some(b';') => self.skip_while(|byte| byte != b'\n'),
                Some(b'%') if self.is_line_start() => self.skip_while(|byte| byte != b'\n'),
                Some(b'{') => {
                    let open = self.at;
                    self.skip_while(|byte| byte != b'}');
                    if self.peek().is_none() {
                        return Err((open, NotationFault::OpenComment));
                    }
                    self.at += 1;
                }
                Some(_) | None => return Ok(()),
            }
        }
    }

    fn tags(&mut self) -> Result<Vec<Tag>, Fault> {
        let mut tags = Vec::new();
        loop {
            self.skip_blanks_and_comments()?;
            if self.peek() != Some(b'[') {
                return Ok(tags);
            }
            let at = self.at;
            tags.push(self.tag().ok_or((at, NotationFault::BadTag))?);
        }
    }

    /// Reads `[Name "value"]`; in the value, `\"` and `
    /// ` are escapes as in PGN.
    fn tag(&mut self) -> Option<Tag> {
        let blank = |byte| matches!(byte, b' ' | b'\t');
        self.at += 1;
        self.skip_while(blank);
        let begin = self.at;
        self.skip_while(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let name = String::from_utf8_lossy(&self.text[begin..self.at]).into_owned();
        self.skip_while(blank);
        if name.is_empty() || self.peek()? != b'"' {
            return None;
        }
        self.at += 1;
        let value_at = self.at;
        let mut value = Vec::new();
        loop {
            let byte = self.peek()?;
            self.at += 1;
            match (byte, self.peek()) {
                (b'"', _) => break,
                (b'\r' | b'\n', _) => return None,
                (b'\\', Some(escaped @ (b'"' | b'\\'))) => {
                    value.push(escaped);
                    self.at += 1;
                }
                (byte, _) => value.push(byte),
            }
        }
        self.skip_while(blank);
        if self.peek()? != b']' {
            return None;
        }
        self.at += 1;
        let value = String::from_utf8_lossy(&value).into_owned();
        Some(Tag {
            name,
            value,
            value_at,
        })
    }

    /// The next token of movetext, after blanks and comments.
    fn token(&mut self) -> Result<Token, Fault> {
        let at = self.at;
        let Some(byte) = self.peek() else {
            return Ok(Token::End);
        };
        if let Some(result) = self.result() {
            return Ok(Token::Result(result));
        }
        match byte {
            b'[' => Ok(Token::End),
            b'0'..=b'9' => self.number_or_move(),
            b'$' => {
                self.at += 1;
                self.number().map(|_| Token::Nothing)
            }
            b'!' | b'?' | b'.' => {
                self.at += 1;
                Ok(Token::Nothing)
            }
            b'(' => {
                self.at += 1;
                Ok(Token::Variation)
            }
            b')' => Err((at, NotationFault::OpenVariation)),
            _ => Err((at, NotationFault::UnexpectedSymbol)),
        }
    }

    /// Skips a variation and those nested in it, after its opening bracket. Its content is ignored
    /// like a comment.
    fn skip_variation(&mut self) -> Result<(), Fault> {
        let open = self.at - 1;
        let mut depth = 1;
        while depth > 0 {
            self.skip_blanks_and_comments()?;
            match self.peek() {
                Some(b'(') => depth += 1,
                Some(b')') => depth -= 1,
                // A missing bracket must not consume the games that follow.
                Some(b'[') if self.is_line_start() => {
                    return Err((open, NotationFault::OpenVariation));
                }
                None => return Err((open, NotationFault::OpenVariation)),
                Some(_) => (),
            }
            self.at += 1;
        }
        Ok(())
    }

    /// Reads a result, if the next word is one.
    fn result(&mut self) -> Option<GameResult> {
        let rest = &self.text[self.at..];
        let is_part =
            |byte: &u8| matches!(byte, b'0'..=b'9' | b'-' | b'/' | b'*' | b'x' | b'X' | b':');
        // One character more than the longest result, so that a longer word does not match.
        let word = rest.iter().take(8).take_while(|byte| is_part(byte)).count();
        let result = GameResult::from_text(&rest[..word])?;
        self.at += word;
        Some(result)
    }

    fn number(&mut self) -> Result<u32, Fault> {
        let begin = self.at;
        self.skip_while(|byte| byte.is_ascii_digit());
        let digits = &self.text[begin..self.at];
        if digits.is_empty() || digits.len() > MAX_DIGITS {
            return Err((begin, NotationFault::UnexpectedSymbol));
        }
        let value = |number, digit: &u8| number * 10 + u32::from(digit - b'0');
        Ok(digits.iter().fold(0, value))
    }

    /// Reads a move or a move number: a number begins a move if a separator follows it.
    fn number_or_move(&mut self) -> Result<Token, Fault> {
        let begin = self.at;
        let first = self.number()?;
        let mut squares = vec![first];
        let mut is_capture = false;
        while let Some(separator) = self.separator() {
            is_capture |= separator != b'-';
            squares.push(self.number()?);
            if squares.len() > MAX_SQUARES {
                return Err((begin, NotationFault::BadMove(MoveParseError.into())));
            }
        }
        if squares.len() == 1 {
            self.skip_while(|byte| byte == b'.');
            return Ok(Token::Nothing);
        }
        let squares: Result<Vec<u8>, _> = squares.into_iter().map(u8::try_from).collect();
        match squares {
            Ok(squares) => Ok(Token::Move(Written {
                squares,
                is_capture,
            })),
            Err(_) => Err((begin, NotationFault::BadMove(MoveParseError.into()))),
        }
    }

    /// Reads a separator and the blanks around it, if a number follows.
    fn separator(&mut self) -> Option<u8> {
        let blank = |byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
        let begin = self.at;
        self.skip_while(blank);
        if let Some(separator @ (b'-' | b'x' | b'X' | b':')) = self.peek() {
            self.at += 1;
            self.skip_while(blank);
            if self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
                return Some(separator);
            }
        }
        self.at = begin;
        None
    }
}

struct Tag {
    name: String,
    value: String,
    /// The offset in bytes of the value in the file.
    value_at: usize,
}

impl Tag {
    /// Whether the record and the result hold the same information.
    fn is_derived(&self) -> bool {
        matches!(self.name.as_str(), "Result" | "GameType" | "SetUp" | "FEN")
    }
}

/// The record before the first ply, from the tags.
fn start(tags: &[Tag]) -> Result<Record, Fault> {
    let value_of = |name: &str| tags.iter().find(|tag| tag.name == name);
    if let Some(tag) = value_of("GameType") {
        // Board size, colours and other parameters may follow the number.
        let kind = tag.value.split(',').next().unwrap_or_default();
        if kind.trim() != GAME_TYPE {
            return Err((tag.value_at, NotationFault::OtherGame));
        }
    }
    let Some(tag) = value_of("FEN") else {
        let setup = AnySetup::standard(GameKind::Checkers);
        return Ok(Record::new(GameKind::Checkers, &setup).expect("the standard game has a start"));
    };
    // Other programs write blanks and a full stop, which the position string does not have.
    let symbols = tag.value.char_indices().filter(|(_, c)| !c.is_whitespace());
    let (places, fen): (Vec<usize>, String) = symbols.unzip();
    let fen = fen.strip_suffix('.').unwrap_or(&fen);
    let position: CheckersPosition = fen.parse().map_err(|error: PositionError| {
        // The text before the fault is ASCII, one byte a symbol.
        let place = places.get(error.at).copied().unwrap_or(tag.value.len());
        (tag.value_at + place, NotationFault::BadPosition(error))
    })?;
    Ok(Record::from_position(AnyPosition::Checkers(position)))
}

/// Plays the legal move that fits: written with all its squares, or with origin, target and as many
/// squares between as distinguish it.
fn play(record: &mut Record, written: &Written) -> Result<(), NotationFault> {
    let legal = match (record.outcome(), record.position()) {
        (None, AnyPosition::Checkers(position)) => position.legal_moves(),
        (_, _) => Vec::new(),
    };
    let fitting: Vec<CheckersMove> = legal.into_iter().filter(|m| fits(*m, written)).collect();
    let whole = |m: &&CheckersMove| 1 + m.landings().count() == written.squares.len();
    let text = match (fitting.as_slice(), fitting.iter().find(whole)) {
        (_, Some(m)) | ([m], None) => m.to_string(),
        ([], None) => written.to_string(),
        (_, None) => return Err(NotationFault::AmbiguousMove),
    };
    let played = record.play(&text);
    played.map(drop).map_err(NotationFault::BadMove)
}

/// Whether the written squares are those of the move, some of the middle ones perhaps left out. A
/// hyphen fits any move, because some programs write captures with it.
fn fits(m: CheckersMove, written: &Written) -> bool {
    if written.is_capture && !m.is_capture() {
        return false;
    }
    let [from, between @ .., to] = written.squares.as_slice() else {
        return false;
    };
    let mut landings = m.landings().map(Square::number);
    m.from().number() == *from
        && between
            .iter()
            .all(|square| landings.any(|landing| landing == *square))
        && landings.last() == Some(*to)
}

impl std::fmt::Display for Written {
    /// The move string of RULES.md, for a message about the fault in the move.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let sign = if self.is_capture { "x" } else { "-" };
        let squares: Vec<String> = self.squares.iter().map(u8::to_string).collect();
        f.write_str(&squares.join(sign))
    }
}
