//! Reading PDN.

use super::dialect::{Dialect, number_of};
use super::game::{Game, GameResult};
use crate::any::{AnyPosition, AnySetup};
use crate::error::{MoveParseError, PositionError};
use crate::kind::GameKind;
use crate::notation::reader::{Fault, Reader};
use crate::notation::{NotationError, NotationFault};
use crate::record::Record;

/// The most squares of a written move: the origin, and a landing for each piece that may be taken.
const MAX_SQUARES: usize = 33;

/// The beginning of the next game in a file, with the end of the line before it.
const NEXT_GAME: &[u8] = b"\n[Event";

/// The most digits of a number; a NAG has the longest number in valid files.
const MAX_DIGITS: usize = 5;

/// Iterates over the games of a file, so that a large file is never in memory as games all at once. The game is `kind`, or, without one,
/// that of the tags, with American checkers as the default; tags of another game than `kind` are a fault.
///
/// ```
/// use mawe_rules::notation::pdn;
///
/// let file = b"[Event \"Casual\"] 1. 11-15 23-19 2. 8-11 {the Old Fourteenth} 22-17 *";
/// let game = pdn::games(file, None).next().expect("a game")?;
/// assert_eq!(game.record.ply(), 4);
/// # Ok::<(), mawe_rules::notation::NotationError>(())
/// ```
pub fn games(text: &[u8], kind: Option<GameKind>) -> Games<'_> {
    Games {
        reader: Reader::new(text),
        kind,
    }
}

/// The iterator of [`games`]. After a game with an error it continues at the next line that begins
/// with `[Event`.
#[derive(Clone, Debug)]
pub struct Games<'a> {
    reader: Reader<'a>,
    kind: Option<GameKind>,
}

impl Iterator for Games<'_> {
    type Item = Result<Game, NotationError>;

    fn next(&mut self) -> Option<Self::Item> {
        let kind = self.kind;
        self.reader.game(|reader| reader.pdn(kind), next_game)
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
    fn pdn(&mut self, kind: Option<GameKind>) -> Result<Option<Game>, Fault> {
        let tags = self.tags()?;
        let dialect = dialect_of(&tags, kind)?;
        let mut record = start(&tags, dialect.kind)?;
        let (mut result, mut any) = (None, !tags.is_empty());
        loop {
            self.skip_blanks_and_comments()?;
            let at = self.at;
            match self.token(dialect)? {
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
        let tagged =
            tagged.and_then(|tag| GameResult::from_text(tag.value.trim().as_bytes(), dialect));
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
    fn token(&mut self, dialect: Dialect) -> Result<Token, Fault> {
        let at = self.at;
        let Some(byte) = self.peek() else {
            return Ok(Token::End);
        };
        if let Some(result) = self.result(dialect) {
            return Ok(Token::Result(result));
        }
        match byte {
            b'[' => Ok(Token::End),
            b'0'..=b'9' => self.number_or_move(dialect),
            b'a'..=b'h' | b'A'..=b'H' if dialect.is_algebraic => self.number_or_move(dialect),
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
    fn result(&mut self, dialect: Dialect) -> Option<GameResult> {
        let rest = &self.text[self.at..];
        let is_part =
            |byte: &u8| matches!(byte, b'0'..=b'9' | b'-' | b'/' | b'*' | b'x' | b'X' | b':');
        // One character more than the longest result, so that a longer word does not match.
        let word = rest.iter().take(8).take_while(|byte| is_part(byte)).count();
        let result = GameResult::from_text(&rest[..word], dialect)?;
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
    fn number_or_move(&mut self, dialect: Dialect) -> Result<Token, Fault> {
        let begin = self.at;
        let is_number = self.peek().is_some_and(|byte| byte.is_ascii_digit());
        let mut squares = vec![self.square(dialect)?];
        let mut is_capture = false;
        while let Some(separator) = self.separator(dialect) {
            is_capture |= separator != b'-';
            squares.push(self.square(dialect)?);
            if squares.len() > MAX_SQUARES {
                return Err((begin, NotationFault::BadMove(MoveParseError.into())));
            }
        }
        if squares.len() == 1 && is_number {
            self.skip_while(|byte| byte == b'.');
            return Ok(Token::Nothing);
        }
        if squares.len() == 1 {
            return Err((begin, NotationFault::UnexpectedSymbol));
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

    /// Reads the number of a square, or its name.
    fn square(&mut self, dialect: Dialect) -> Result<u32, Fault> {
        let begin = self.at;
        match *self.rest() {
            [file @ (b'a'..=b'h' | b'A'..=b'H'), rank, ..] if dialect.is_algebraic => {
                self.at += 2;
                let number = number_of(file, rank);
                number.ok_or((begin, NotationFault::BadMove(MoveParseError.into())))
            }
            _ => self.number(),
        }
    }

    /// Reads a separator and the blanks around it, if a square follows.
    fn separator(&mut self, dialect: Dialect) -> Option<u8> {
        let blank = |byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
        let is_square = |byte: u8| {
            byte.is_ascii_digit()
                || dialect.is_algebraic && matches!(byte, b'a'..=b'h' | b'A'..=b'H')
        };
        let begin = self.at;
        self.skip_while(blank);
        if let Some(separator @ (b'-' | b'x' | b'X' | b':')) = self.peek() {
            self.at += 1;
            self.skip_while(blank);
            if self.peek().is_some_and(is_square) {
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
        matches!(
            self.name.as_str(),
            "Result" | "GameType" | "Variant" | "SetUp" | "FEN"
        )
    }
}

fn tag_of<'a>(tags: &'a [Tag], name: &str) -> Option<&'a Tag> {
    tags.iter().find(|tag| tag.name == name)
}

/// The usage of the game that is wanted, or of the one that the tags name.
fn dialect_of(tags: &[Tag], kind: Option<GameKind>) -> Result<Dialect, Fault> {
    let (game_type, variant) = (tag_of(tags, "GameType"), tag_of(tags, "Variant"));
    let named = Dialect::named(
        game_type.map(|tag| tag.value.as_str()),
        variant.map(|tag| tag.value.as_str()),
    );
    let is_named = named.is_some() || game_type.is_some();
    let dialect = match is_named {
        true => named.filter(|named| kind.is_none_or(|kind| kind == named.kind)),
        false => Dialect::of(kind.unwrap_or(GameKind::Checkers)),
    };
    let at = game_type.or(variant).map_or(0, |tag| tag.value_at);
    dialect.ok_or((at, NotationFault::OtherGame))
}

/// The record before the first ply, from the tags.
fn start(tags: &[Tag], kind: GameKind) -> Result<Record, Fault> {
    let Some(tag) = tag_of(tags, "FEN") else {
        let setup = AnySetup::standard(kind);
        return Ok(Record::new(kind, &setup).expect("the standard game has a start"));
    };
    // Other programs write blanks, counts of plies (`:H0:F1`) and a full stop, which the position string does not have.
    let symbols = tag.value.char_indices().filter(|(_, c)| !c.is_whitespace());
    let (places, fen): (Vec<usize>, String) = symbols.unzip();
    let counts = fen.match_indices(':').nth(2).map(|(at, _)| at);
    let fen = &fen[..counts.unwrap_or(fen.len())];
    let fen = fen.strip_suffix('.').unwrap_or(fen);
    let position = AnyPosition::parse(kind, fen).map_err(|error: PositionError| {
        // The text before the fault is ASCII, one byte a symbol.
        let place = places.get(error.at).copied().unwrap_or(tag.value.len());
        (tag.value_at + place, NotationFault::BadPosition(error))
    })?;
    Ok(Record::from_position(position))
}

/// Plays the legal move that fits: written with all its squares, or with origin, target and as many
/// squares between as distinguish it; or with the squares of another path to the same position.
fn play(record: &mut Record, written: &Written) -> Result<(), NotationFault> {
    let legal = record.legal_moves();
    let squares = |text: &str| text.split(['-', 'x']).count();
    let fitting: Vec<String> = legal.into_iter().filter(|m| fits(m, written)).collect();
    let whole = |m: &&String| squares(m) == written.squares.len();
    let text = match (fitting.as_slice(), fitting.iter().find(whole)) {
        (_, Some(m)) | ([m], None) => m.clone(),
        ([], None) => {
            let text = written.to_string();
            record.position().listed_path(&text).unwrap_or(text)
        }
        (_, None) => return Err(NotationFault::AmbiguousMove),
    };
    let played = record.play(&text);
    played.map(drop).map_err(NotationFault::BadMove)
}

/// Whether the written squares are those of the move, some of the middle ones perhaps left out. A
/// hyphen fits any move, because some programs write captures with it.
fn fits(m: &str, written: &Written) -> bool {
    if written.is_capture && !m.contains('x') {
        return false;
    }
    let [from, between @ .., to] = written.squares.as_slice() else {
        return false;
    };
    let mut squares = m.split(['-', 'x']).map(|square| square.parse().ok());
    squares.next() == Some(Some(*from))
        && between
            .iter()
            .all(|square| squares.any(|landing| landing == Some(*square)))
        && squares.next_back() == Some(Some(*to))
}

impl std::fmt::Display for Written {
    /// The move string of RULES.md, for a message about the fault in the move.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let sign = if self.is_capture { "x" } else { "-" };
        let squares: Vec<String> = self.squares.iter().map(u8::to_string).collect();
        f.write_str(&squares.join(sign))
    }
}
