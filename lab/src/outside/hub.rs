//! The Hub protocol, version 2, of programs of draughts such as Scan.
//!
//! A position is the letter of the side to move and one letter for each square in the order of PDN. The parameter `variant` selects the game.

use std::fmt::Write;

use mawe_rules::games::draughts::{Colour, DraughtsPosition, Square, Variant};
use mawe_rules::{AnyMove, AnyPosition, GameKind, Record, Side};

use super::answer::hundredths;
use super::connection::Connection;
use super::dialogue::{Dialogue, Reply, after};
use super::fault::Fault;
use super::limits::MoveLimits;

/// The dialogue about a game of draughts.
pub(super) struct Hub {
    kind: GameKind,
}

impl Hub {
    pub(super) const fn new(kind: GameKind) -> Self {
        Self { kind }
    }

    /// The name of the game among the variants. The protocol itself names the international game; other programs call American checkers
    /// `english`.
    const fn variant(&self) -> &'static str {
        match self.kind {
            GameKind::International => "normal",
            GameKind::Checkers => "english",
            other => other.id(),
        }
    }
}

impl Dialogue for Hub {
    fn greet(&mut self, connection: &mut Connection) -> Result<Option<String>, Fault> {
        let variant = self.variant();
        connection.send("hub")?;
        let mut name = None;
        let mut variants = None;
        connection.await_ready("wait", |line| {
            let declared = after(line, "param").map(arguments).unwrap_or_default();
            if value(&declared, "name") == Some("variant") {
                variants = Some(value(&declared, "values").unwrap_or_default().to_owned());
            }
            if let Some(id) = after(line, "id") {
                let id = arguments(id);
                let parts = ["name", "version"].map(|key| value(&id, key).unwrap_or_default());
                name = Some(parts.join(" ").trim().to_owned());
            }
            Ok((line == "wait").then_some(()))
        })?;
        match variants {
            Some(variants) if variants.split_whitespace().all(|known| known != variant) => {
                Err(Fault::Unsupported(format!(
                    "it plays the variants {variants:?}, not {variant:?}, which is {}",
                    self.kind
                )))
            }
            Some(_) => {
                connection.send(set_param("variant", variant))?;
                Ok(name)
            }
            None => Ok(name),
        }
    }

    fn option(&self, name: &str, value: &str) -> Option<String> {
        Some(set_param(name, value))
    }

    fn finish_greeting(&mut self, connection: &mut Connection) -> Result<(), Fault> {
        connection.send("init")?;
        connection.await_word("ready")
    }

    fn begin_game(&mut self, connection: &mut Connection) -> Result<(), Fault> {
        connection.send("new-game")?;
        ping(connection)
    }

    fn choose(
        &mut self,
        connection: &mut Connection,
        game: &Record,
        limits: &MoveLimits,
    ) -> Result<Reply, Fault> {
        connection.send(position(game)?)?;
        for level in levels(limits, game.turn()) {
            connection.send(level)?;
        }
        ping(connection)?;
        let mut score = None;
        let find = |line: &str| {
            if let Some(why) = after(line, "error") {
                let (command, answer) = ("go think".to_owned(), why.to_owned());
                return Err(Fault::Refused { command, answer });
            }
            if let Some(info) = after(line, "info") {
                score = value(&arguments(info), "score")
                    .and_then(hundredths)
                    .or(score);
            }
            Ok(after(line, "done").map(|done| (line.to_owned(), arguments(done))))
        };
        let ((line, done), time) = connection.ask("go think", limits, game.turn(), find)?;
        let Some(text) = value(&done, "move").filter(|text| !text.is_empty()) else {
            return Err(Fault::Unreadable(line));
        };
        let text = Some(move_of(game, text).unwrap_or_else(|| text.to_owned()));
        Ok(Reply {
            line,
            text,
            score,
            time,
        })
    }

    fn interrupt(&mut self, connection: &mut Connection) -> Result<(), Fault> {
        connection.interrupt("stop", "done")
    }
}

fn ping(connection: &mut Connection) -> Result<(), Fault> {
    connection.send("ping")?;
    connection.await_word("pong")
}

fn set_param(name: &str, value: &str) -> String {
    format!("set-param name={name} value={}", in_quotes(value))
}

/// A value as it stands in a line: in quotation marks, unless it is one plain word.
fn in_quotes(value: &str) -> String {
    let is_plain = |symbol: char| !symbol.is_whitespace() && symbol != '=' && symbol != '"';
    match !value.is_empty() && value.chars().all(is_plain) {
        true => value.to_owned(),
        false => format!("\"{}\"", value.replace('"', "'")),
    }
}

/// Reads `name=value` and flags, separated by blanks; a value in quotation marks may contain blanks.
fn arguments(line: &str) -> Vec<(String, String)> {
    let mut rest = line.trim_start();
    let mut arguments = Vec::new();
    while !rest.is_empty() {
        let end = rest
            .find(|symbol: char| symbol == '=' || symbol.is_whitespace())
            .unwrap_or(rest.len());
        let (name, tail) = rest.split_at(end);
        let (value, tail) = match tail.strip_prefix('=') {
            None => ("", tail),
            Some(tail) => match tail.strip_prefix('"') {
                Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
                None => tail.split_at(tail.find(char::is_whitespace).unwrap_or(tail.len())),
            },
        };
        arguments.push((name.to_owned(), value.to_owned()));
        rest = tail.trim_start();
    }
    arguments
}

fn value<'a>(arguments: &'a [(String, String)], name: &str) -> Option<&'a str> {
    let found = arguments.iter().find(|(known, _)| known == name);
    found.map(|(_, value)| value.as_str())
}

/// The line that sets the position: the last one that cannot occur again, and the quiet moves since, from which the engine sees repetitions.
fn position(game: &Record) -> Result<String, Fault> {
    let mut base = game.clone();
    base.retreat(game.quiet_plies());
    let mut pos = base.position().clone();
    let line = format!("pos pos={}", letters(&pos)?);
    let mut moves = Vec::new();
    for m in &game.moves()[base.moves().len()..] {
        moves.push(notation(&pos, m)?);
        pos.play(&m.to_string()).expect("a move of the record");
    }
    Ok(match moves.is_empty() {
        true => line,
        false => format!("{line} moves=\"{}\"", moves.join(" ")),
    })
}

/// The letter of the side to move, and a letter for each square.
fn letters(position: &AnyPosition) -> Result<String, Fault> {
    match position {
        AnyPosition::Checkers(pos) => Ok(letters_of(pos)),
        AnyPosition::Drafti(pos) => Ok(letters_of(pos)),
        AnyPosition::Brazilian(pos) => Ok(letters_of(pos)),
        AnyPosition::Russian(pos) => Ok(letters_of(pos)),
        AnyPosition::International(pos) => Ok(letters_of(pos)),
        AnyPosition::Pool(pos) => Ok(letters_of(pos)),
        _ => Err(Fault::Unsupported("hub is a protocol of draughts".into())),
    }
}

fn letters_of<V: Variant>(pos: &DraughtsPosition<V>) -> String {
    let of = |square: Square<V>| {
        let holder = Side::ALL
            .into_iter()
            .find(|side| pos.pieces(*side) & square.bit() != 0);
        let Some(side) = holder else { return 'e' };
        let king = letter::<V>(side);
        match pos.kings() & square.bit() != 0 {
            true => king,
            false => king.to_ascii_lowercase(),
        }
    };
    let mut text = String::from(letter::<V>(pos.turn()));
    text.extend((1..).map_while(Square::new).map(of));
    text
}

/// The letter of a side and of its kings.
fn letter<V: Variant>(side: Side) -> char {
    match V::colour(side) {
        Colour::White => 'W',
        Colour::Black => 'B',
    }
}

/// A move in the notation of the protocol: origin and target, and the squares of the captured pieces in order.
fn notation(position: &AnyPosition, m: &AnyMove) -> Result<String, Fault> {
    let text = m.to_string();
    let mut squares = text.split('x');
    let (Some(from), Some(to)) = (squares.next(), squares.next_back()) else {
        return Ok(text);
    };
    let before = letters(position)?;
    let mut position = position.clone();
    position.play(&text).expect("a legal move");
    let after = letters(&position)?;
    let mover = before.starts_with('W');
    let mut text = format!("{from}x{to}");
    for (number, (old, new)) in before.chars().zip(after.chars()).enumerate().skip(1) {
        let is_opponent = old != 'e' && old.eq_ignore_ascii_case(&'W') != mover;
        if is_opponent && new != old {
            write!(text, "x{number}").expect("a string takes all that is written");
        }
    }
    Ok(text)
}

/// The legal move of an answer, whose captured pieces may be in any order. Captures that take the same pieces on different ways have one
/// notation; any of them will do. `None` if no move is written so: it may be in the notation of PDN.
fn move_of(game: &Record, answer: &str) -> Option<String> {
    let position = game.position();
    let mut numbers: Vec<&str> = answer.split('x').collect();
    if let Some(captured) = numbers.get_mut(2..) {
        captured.sort_unstable_by_key(|number| number.parse::<u8>().unwrap_or(0));
    }
    let answer = numbers.join("x");
    let mut moves = position.legal_moves().into_iter();
    moves
        .find(|m| notation(position, m).is_ok_and(|told| told == answer))
        .map(|m| m.to_string())
}

/// The lines that set the limits of a search, in seconds.
fn levels(limits: &MoveLimits, side: Side) -> Vec<String> {
    let mut levels = Vec::new();
    if let Some(clocks) = limits.clocks {
        // In this protocol the increment is added before a move. The time left contains it already.
        let left = clocks.left[side];
        let increment = clocks.increment.min(left);
        let time = (left - increment).as_secs_f64();
        levels.push(match increment.is_zero() {
            true => format!("level time={time:.3}"),
            false => format!("level time={time:.3} inc={:.3}", increment.as_secs_f64()),
        });
    }
    if let Some(movetime) = limits.movetime {
        levels.push(format!("level move-time={:.3}", movetime.as_secs_f64()));
    }
    if let Some(depth) = limits.depth {
        levels.push(format!("level depth={depth}"));
    }
    if let Some(nodes) = limits.nodes {
        levels.push(format!("level nodes={nodes}"));
    }
    levels
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use mawe_rules::{AnySetup, BySide, GameKind};

    use super::super::limits::Clocks;
    use super::*;

    fn game(start: &str, moves: &[&str]) -> Record {
        let position = AnyPosition::parse(GameKind::Checkers, start).expect("a position");
        let mut game = Record::from_position(position);
        for m in moves {
            game.play(m).expect("a legal move");
        }
        game
    }

    #[test]
    fn arguments_may_have_blanks_in_quotation_marks() {
        let line = "name=Scan version=3.1 author=\"Fabien Letouzey\" flag values=\"a b\" empty=\"\" open=\"x y";
        let read = arguments(line);
        for (name, expected) in [
            ("name", "Scan"),
            ("author", "Fabien Letouzey"),
            ("flag", ""),
            ("values", "a b"),
            ("empty", ""),
            ("open", "x y"),
        ] {
            assert_eq!(value(&read, name), Some(expected), "{name}");
        }
        assert_eq!(value(&read, "country"), None);
        assert_eq!(
            set_param("book", "my book"),
            "set-param name=book value=\"my book\""
        );
        assert_eq!(
            set_param("book", "false"),
            "set-param name=book value=false"
        );
    }

    #[test]
    fn a_position_is_told_with_the_quiet_moves_since_the_last_progress() {
        let kind = GameKind::Checkers;
        let start = Record::new(kind, &AnySetup::standard(kind)).expect("it starts");
        assert_eq!(
            position(&start).expect("of checkers"),
            "pos pos=Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww"
        );
        let game = game("B:WK5:BK18,K28,1", &["1-6", "5-1", "28-32"]);
        assert_eq!(
            position(&game).expect("of checkers"),
            "pos pos=WeeeeWbeeeeeeeeeeeBeeeeeeeeeBeeee moves=\"5-1 28-32\""
        );
    }

    #[test]
    fn a_capture_is_told_by_its_pieces_and_read_in_any_order() {
        // Black jumps from 1 over 6 and 15 and 23.
        let game = game("B:W6,15,23:B1", &[]);
        let moves = game.position().legal_moves();
        let [m] = moves.as_slice() else {
            panic!("one capture: {moves:?}");
        };
        let text = m.to_string();
        let told = notation(game.position(), m).expect("of draughts");
        assert_eq!(
            (text.as_str(), told.as_str()),
            ("1x10x19x26", "1x26x6x15x23")
        );
        let other = "1x26x23x6x15";
        assert_eq!(move_of(&game, other), Some(text.clone()));
        assert_eq!(move_of(&game, &text), None, "it is in the notation of PDN");
        assert_eq!(move_of(&game, "1-5"), None);
        assert_eq!(move_of(&game, ""), None);
    }

    #[test]
    fn squares_are_told_in_the_order_of_each_board() {
        let told = |kind: GameKind| {
            let start = Record::new(kind, &AnySetup::standard(kind)).expect("it starts");
            position(&start).expect("a game of draughts")
        };
        let (black, white) = ("b".repeat(20), "w".repeat(20));
        let international = format!("pos pos=W{black}eeeeeeeeee{white}");
        assert_eq!(told(GameKind::International), international);
        let russian = "pos pos=Wbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww";
        assert_eq!(told(GameKind::Russian), russian);
        // A flying king takes a man and a king from afar, and lands far behind the last.
        let position = AnyPosition::parse(GameKind::International, "W:WK46:B37,K14");
        let game = Record::from_position(position.expect("a position"));
        let m = move_of(&game, "46x5x37x14").expect("a capture");
        assert!(m.starts_with("46x") && m.ends_with("x5"), "{m}");
        let kalah = GameKind::Kalah;
        let kalah = Record::new(kalah, &AnySetup::standard(kalah)).expect("it starts");
        assert!(matches!(
            super::position(&kalah),
            Err(Fault::Unsupported(_))
        ));
    }

    #[test]
    fn the_time_left_is_told_without_the_increment() {
        let seconds = Duration::from_secs;
        let clocks = |left: Duration, increment: u64| {
            MoveLimits::clocks(Clocks {
                base: seconds(60),
                increment: seconds(increment),
                left: BySide::new(left, seconds(1)),
            })
        };
        let told = |limits: MoveLimits| levels(&limits, Side::First);
        assert_eq!(
            told(clocks(seconds(31), 2)),
            ["level time=29.000 inc=2.000"]
        );
        assert_eq!(told(clocks(seconds(31), 0)), ["level time=31.000"]);
        let half = Duration::from_millis(500);
        assert_eq!(told(clocks(half, 2)), ["level time=0.000 inc=0.500"]);
        let limits = MoveLimits {
            depth: Some(9),
            ..MoveLimits::movetime(half)
        };
        assert_eq!(told(limits), ["level move-time=0.500", "level depth=9"]);
    }
}
