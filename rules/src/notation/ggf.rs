//! GGF, the Generic Game Format of game servers, for Reversi: `(;GM[Othello]PB[Amina]PW[Zofia]TY[8]B[d3//1.5]W[c5];)`.
//!
//! The reader accepts the variants of servers and programs: any number of games, with or without the number
//! of a synchronised pair before them; moves with evaluation and time, in upper or lower case; passes as
//! `pa`, `ps`, `pass`, `--`, or left out. Boards of other sizes and other rules (Anti-Othello) are refused.
//!
//! Source: the description of GGF by Michael Buro, <https://www.skatgame.net/mburo/ggsa/ggf>.

use super::reader::{Fault, Reader};
use super::transcript::PASSES;
use super::{NotationError, NotationFault};
use crate::any::{AnyMove, AnyPosition, AnySetup};
use crate::games::reversi::{ReversiMove, ReversiPosition};
use crate::kind::GameKind;
use crate::record::Record;
use crate::vocab::Side;

/// The beginning and the end of a game.
const OPEN: &[u8] = b"(;";
const CLOSE: &[u8] = b";)";

/// The size of the board in `BO` and `TY`.
const SIZE: &str = "8";

/// The squares of the board.
const SQUARES: usize = 64;

/// The properties that follow from the fields of a [`Game`].
const DERIVED: [&str; 4] = ["GM", "TY", "RE", "BO"];

/// A game with the data of its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// Name and value of each property in the file's order, such as `PB` and `PW` for the names of Black and
    /// White, except those that follow from the fields below: `GM`, `TY`, `RE`, `BO`.
    pub tags: Vec<(String, String)>,
    /// The start and the moves. Black is the first side.
    pub record: Record,
    /// The result as written, from the view of Black: `+10.00`, with `:r`, `:t` or `:s` after it for a
    /// resignation, time, or agreement; `None` if the file has none or `?`.
    pub result: Option<String>,
}

/// Iterates over the games of a file.
///
/// ```
/// use mawe_rules::notation::ggf;
///
/// let file = b"(;GM[Othello]PB[Amina]PW[Zofia]RE[?]TY[8]B[F5//1.2]W[d6];)";
/// let game = ggf::games(file).next().expect("a game")?;
/// assert_eq!(game.record.ply(), 2);
/// # Ok::<(), mawe_rules::notation::NotationError>(())
/// ```
pub fn games(text: &[u8]) -> Games<'_> {
    Games(Reader::new(text))
}

/// The iterator of [`games`]. After a game with an error it continues at the next `(;`.
#[derive(Clone, Debug)]
pub struct Games<'a>(Reader<'a>);

impl Iterator for Games<'_> {
    type Item = Result<Game, NotationError>;

    fn next(&mut self) -> Option<Self::Item> {
        let next_game = |reader: &Reader<'_>| reader.find(reader.at, OPEN);
        self.0.game(Reader::ggf, next_game)
    }
}

/// A property: the offset of its name, the name, the offset of its value, the value.
struct Property<'a> {
    at: usize,
    name: &'a [u8],
    value_at: usize,
    value: &'a [u8],
}

impl<'a> Reader<'a> {
    fn ggf(&mut self) -> Result<Option<Game>, Fault> {
        // The number of the game or of the games of a synchronised pair.
        self.skip_while(|byte| byte.is_ascii_whitespace() || byte.is_ascii_digit());
        if self.at == self.text.len() {
            return Ok(None);
        }
        if !self.rest().starts_with(OPEN) {
            return Err((self.at, NotationFault::UnexpectedSymbol));
        }
        let (mut tags, mut result) = (Vec::new(), None);
        let (mut start, mut record) = (None, None);
        self.at += OPEN.len();
        while let Some(property) = self.property()? {
            let Property {
                at,
                name,
                value_at,
                value,
            } = property;
            match name {
                b"B" | b"W" => {
                    let record = record.get_or_insert_with(|| begun(start.take()));
                    let side = match name {
                        b"B" => Side::First,
                        _ => Side::Second,
                    };
                    play(record, side, value).map_err(|(part, why)| match part {
                        Part::Name => (at, why),
                        Part::Value => (value_at, why),
                    })?;
                }
                b"BO" if record.is_some() => return Err((at, NotationFault::UnexpectedSymbol)),
                b"BO" => start = Some(board(value).map_err(|why| (value_at, why))?),
                b"GM" if !value.eq_ignore_ascii_case(b"othello") => {
                    return Err((value_at, NotationFault::OtherGame));
                }
                b"TY" if !is_standard(value) => return Err((value_at, NotationFault::OtherGame)),
                b"GM" | b"TY" => {}
                b"RE" => {
                    let text = String::from_utf8_lossy(value.trim_ascii());
                    result = Some(text.into_owned()).filter(|text| text != "?");
                }
                _ => tags.push((
                    String::from_utf8_lossy(name).into_owned(),
                    String::from_utf8_lossy(value).into_owned(),
                )),
            }
        }
        Ok(Some(Game {
            tags,
            record: record.unwrap_or_else(|| begun(start)),
            result,
        }))
    }

    /// Reads a property, or the end of the game.
    fn property(&mut self) -> Result<Option<Property<'a>>, Fault> {
        self.skip_while(|byte| byte.is_ascii_whitespace());
        let at = self.at;
        let bad = (at, NotationFault::BadProperty);
        if self.rest().starts_with(CLOSE) {
            self.at += CLOSE.len();
            return Ok(None);
        }
        self.skip_while(|byte| byte.is_ascii_uppercase());
        let name = &self.text[at..self.at];
        if name.is_empty() || self.rest().first() != Some(&b'[') {
            return Err(bad);
        }
        self.at += 1;
        let value_at = self.at;
        self.skip_while(|byte| byte != b']');
        let value = &self.text[value_at..self.at];
        if self.rest().is_empty() {
            return Err(bad);
        }
        self.at += 1;
        Ok(Some(Property {
            at,
            name,
            value_at,
            value,
        }))
    }
}

/// The part of a property that has a fault.
enum Part {
    Name,
    Value,
}

/// Begins a record at a position, or at the standard start.
fn begun(start: Option<ReversiPosition>) -> Record {
    match start {
        Some(start) => Record::from_position(AnyPosition::Reversi(start)),
        None => {
            let setup = AnySetup::standard(GameKind::Reversi);
            Record::new(GameKind::Reversi, &setup).expect("the standard game has a start")
        }
    }
}

/// Whether a type is Othello on 64 squares: `8`, with `s` before it for a synchronised pair, and after it `r` and a number for a
/// random start, `k` for komi, `w` or `b` for a colour.
fn is_standard(value: &[u8]) -> bool {
    let value = value.trim_ascii().to_ascii_lowercase();
    let value = value.strip_prefix(b"s").unwrap_or(&value);
    let options = value.strip_prefix(SIZE.as_bytes());
    options.is_some_and(|options| match options.split_first() {
        None => true,
        Some((first, rest)) => {
            matches!(first, b'r' | b'k' | b'w' | b'b')
                && rest
                    .iter()
                    .all(|byte| byte.is_ascii_digit() || matches!(byte, b'r' | b'k' | b'w' | b'b'))
        }
    })
}

/// Reads a board: its size, the squares from a1 on, and the side to move, with any white space between.
fn board(value: &[u8]) -> Result<ReversiPosition, NotationFault> {
    let value = value.trim_ascii();
    let squares = match value.strip_prefix(SIZE.as_bytes()) {
        Some(squares) if squares.first().is_some_and(u8::is_ascii_whitespace) => squares,
        _ => return Err(NotationFault::OtherGame),
    };
    let mut symbols: Vec<u8> = Vec::with_capacity(SQUARES + 2);
    for byte in squares.iter().filter(|byte| !byte.is_ascii_whitespace()) {
        let symbol = match byte {
            b'*' => b'X',
            b'O' | b'o' => b'O',
            b'-' => b'-',
            _ => return Err(NotationFault::UnexpectedSymbol),
        };
        if symbols.len() == SQUARES {
            symbols.push(b' ');
        }
        symbols.push(symbol);
        // Longer than any board; the reader of positions says so.
        if symbols.len() > SQUARES + 2 {
            break;
        }
    }
    let text = std::str::from_utf8(&symbols).expect("ASCII");
    text.parse().map_err(NotationFault::BadPosition)
}

/// Plays the move of a side, after passes that were left out.
fn play(record: &mut Record, side: Side, value: &[u8]) -> Result<(), (Part, NotationFault)> {
    let written = value.split(|byte| *byte == b'/').next().unwrap_or_default();
    let written = written.trim_ascii().to_ascii_lowercase();
    let is_pass = PASSES.iter().any(|pass| pass.as_bytes() == written);
    if is_pass && record.outcome().is_some() {
        return Ok(());
    }
    let bad = |why| (Part::Value, NotationFault::BadMove(why));
    if !is_pass && let Some(pass) = record.forced_pass() {
        record.play(&pass.to_string()).map_err(bad)?;
    }
    if record.outcome().is_none() && record.turn() != side {
        return Err((Part::Name, NotationFault::OtherSide));
    }
    let text = match std::str::from_utf8(&written) {
        Ok(_) if is_pass => "pass",
        Ok(text) => text,
        Err(_) => return Err((Part::Value, NotationFault::UnexpectedSymbol)),
    };
    record.play(text).map(drop).map_err(bad)
}

/// The game in GGF on one line; `None` if the game is not Reversi. A `]` in a value would end it, and is written as `)`.
pub fn write(game: &Game) -> Option<String> {
    let AnyPosition::Reversi(start) = game.record.start() else {
        return None;
    };
    let mut text = String::from("(;GM[Othello]");
    let mut property = |name: &str, value: &str| {
        let value = value.replace(']', ")");
        text.push_str(&format!("{name}[{value}]"));
    };
    for (name, value) in &game.tags {
        if !DERIVED.contains(&name.as_str()) {
            property(name, value);
        }
    }
    property("RE", game.result.as_deref().unwrap_or("?"));
    property("TY", SIZE);
    let position = start.to_string().replace('X', "*");
    let (squares, turn) = position.split_at(SQUARES);
    property("BO", &format!("{SIZE} {squares}{turn}"));
    let mut side = game.record.start().turn();
    for m in game.record.moves() {
        let name = match side {
            Side::First => "B",
            Side::Second => "W",
        };
        match m {
            AnyMove::Reversi(ReversiMove::Place(square)) => property(name, &square.to_string()),
            _ => property(name, "pa"),
        }
        side = side.other();
    }
    text.push_str(";)");
    Some(text)
}
