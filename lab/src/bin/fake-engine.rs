//! An engine that plays legal moves, or fails in a given way: the partner of the tests of outside engines.
//!
//! `fake-engine PROTOCOL GAME [FAULT [FILE]]`; the file gets every line that the engine reads.

use std::fs::File;
use std::io::{self, BufRead, Write, stdin, stdout};
use std::process::ExitCode;
use std::thread;

use mawe_lab::outside::Protocol;
use mawe_rules::games::checkers::{CheckersMove, Square};
use mawe_rules::{AnyMove, AnyPosition, AnySetup, GameKind, Record, Side};

/// Every way to fail.
const FAULTS: &[&str] = &[
    "none",
    "mute",
    "hang",
    "slow",
    "babble",
    "long-line",
    "nonsense",
    "illegal",
    "die",
    "refuse",
    "resign",
    "no-pass",
    "other-variant",
];

struct Engine {
    protocol: Protocol,
    kind: GameKind,
    fault: String,
    game: Record,
    log: Option<File>,
    /// Whether a search of the fault `slow` waits for its end.
    is_searching: bool,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(mut engine) = Engine::new(&arguments) else {
        eprintln!("fake-engine PROTOCOL GAME [FAULT [FILE]]; faults: {FAULTS:?}");
        return ExitCode::FAILURE;
    };
    for line in stdin().lock().lines().map_while(Result::ok) {
        if line == "quit" {
            break;
        }
        match engine.obey(&line) {
            Ok(true) => (),
            // The reader has gone.
            Err(_) => break,
            Ok(false) => {
                eprintln!("a first line\nthe disk is full");
                return ExitCode::from(3);
            }
        }
    }
    ExitCode::SUCCESS
}

fn say(line: &str) -> io::Result<()> {
    let mut output = stdout().lock();
    writeln!(output, "{line}")?;
    output.flush()
}

fn start(kind: GameKind) -> Record {
    Record::new(kind, &AnySetup::standard(kind)).expect("every game starts")
}

impl Engine {
    fn new(arguments: &[String]) -> Option<Self> {
        let [protocol, kind, rest @ ..] = arguments else {
            return None;
        };
        let kind = kind.parse().ok()?;
        let fault = rest.first().cloned().unwrap_or_else(|| "none".to_owned());
        FAULTS.contains(&fault.as_str()).then_some(())?;
        Some(Self {
            protocol: protocol.parse().ok()?,
            kind,
            fault,
            game: start(kind),
            log: rest.get(1).map(|path| File::create(path).expect("a file")),
            is_searching: false,
        })
    }

    /// Obeys a line; returns false if the engine is to die.
    fn obey(&mut self, line: &str) -> io::Result<bool> {
        if let Some(log) = &mut self.log {
            writeln!(log, "{line}")?;
        }
        if self.fault == "mute" {
            loop {
                thread::park();
            }
        }
        match self.protocol {
            Protocol::Ugi | Protocol::Fen | Protocol::Aalina => self.ugi(line),
            Protocol::Hub => self.hub(line),
            Protocol::Gtp => self.gtp(line),
            Protocol::Nboard => self.nboard(line),
        }
    }

    /// The legal move that the engine plays.
    fn pick(&self) -> String {
        let moves = self.game.legal_moves();
        let index = self.game.position().zobrist() % moves.len().max(1) as u64;
        moves.get(index as usize).cloned().unwrap_or_default()
    }

    /// Answers the question for a move with `answer`, or fails; the other texts are an answer that cannot be read, an illegal one and a
    /// refusal.
    fn think(&mut self, answer: &str, [nonsense, illegal, refusal]: [&str; 3]) -> io::Result<bool> {
        match self.fault.as_str() {
            "hang" => loop {
                thread::park();
            },
            "slow" => {
                self.is_searching = true;
                return Ok(true);
            }
            "babble" => loop {
                say("info string still thinking")?;
            },
            "long-line" => loop {
                write!(stdout().lock(), "still thinking ")?;
            },
            "die" => return Ok(false),
            "nonsense" => say(nonsense)?,
            "illegal" => say(illegal)?,
            "refuse" => say(refusal)?,
            _ => say(answer)?,
        }
        Ok(true)
    }

    fn ugi(&mut self, line: &str) -> io::Result<bool> {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["ugi"] => say("id name Fake 1.0\nugiok")?,
            ["isready"] => say("readyok")?,
            ["position", "startpos", moves @ ..] if self.protocol == Protocol::Aalina => {
                self.game = start(self.kind);
                for letter in moves.get(1).into_iter().flat_map(|moves| moves.bytes()) {
                    let house = (letter.to_ascii_lowercase() - b'a' + 1).to_string();
                    self.game.play(&house).expect("a legal move");
                }
            }
            ["position", place @ ..] => {
                let mut parts = place.split(|word| *word == "moves");
                let place = parts.next().unwrap_or_default();
                self.game = match place {
                    ["fen", text @ ..] => {
                        let position = AnyPosition::parse(self.kind, &text.join(" "));
                        Record::from_position(position.expect("a position"))
                    }
                    _ => start(self.kind),
                };
                for m in parts.flatten() {
                    self.game.play(m).expect("a legal move");
                }
            }
            ["go", ..] => {
                let m = self.pick();
                let answer = match self.protocol {
                    Protocol::Fen => {
                        let mut after = self.game.position().clone();
                        after.play(&m).expect("a legal move");
                        after.to_string()
                    }
                    Protocol::Aalina => {
                        let first = if self.game.ply().is_multiple_of(2) {
                            b'A'
                        } else {
                            b'a'
                        };
                        let house: u8 = m.parse().expect("a house");
                        char::from(first + house - 1).to_string()
                    }
                    _ => m,
                };
                let answer = match self.fault.as_str() {
                    "resign" => "resign".to_owned(),
                    _ => answer,
                };
                say("info depth 1 score cp 12 pv x")?;
                let answer = format!("bestmove {answer}");
                let others = ["bestmove", "bestmove z9z9", "error no such command"];
                return self.think(&answer, others);
            }
            ["stop"] if self.is_searching => {
                self.is_searching = false;
                say(&format!("bestmove {}", self.pick()))?;
            }
            _ => (),
        }
        Ok(true)
    }

    fn hub(&mut self, line: &str) -> io::Result<bool> {
        let (command, rest) = line.split_once(' ').unwrap_or((line, ""));
        match command {
            "hub" => {
                say("id name=Fake version=1.0 author=\"Two Words\"")?;
                let variants = match self.fault.as_str() {
                    "other-variant" => "normal frisian",
                    _ => "normal english russian brazilian drafti pool",
                };
                say(&format!(
                    "  param name=variant value=normal type=enum values=\"{variants}\"\n  wait"
                ))?;
            }
            "init" => say("ready")?,
            "ping" => say("pong")?,
            "pos" => {
                let place = rest.strip_prefix("pos=").expect("the position comes first");
                let (letters, moves) = place.split_once(' ').unwrap_or((place, "moves=\"\""));
                let position = AnyPosition::parse(self.kind, &fen(letters));
                self.game = Record::from_position(position.expect("a position"));
                let moves = moves.trim_start_matches("moves=").trim_matches('"');
                for text in moves.split_whitespace() {
                    let moves = self.game.position().legal_moves();
                    let m = moves
                        .into_iter()
                        .find(|m| in_hub(self.game.position(), m) == text);
                    let m = m.expect("a legal move").to_string();
                    self.game.play(&m).expect("a legal move");
                }
            }
            "go" => {
                let position = self.game.position();
                let m = position.parse_move(&self.pick()).expect("a move");
                let answer = format!("done move={} ponder=1-5", in_hub(position, &m));
                say("info depth=1 score=0.12 pv=\"1-5 5-9\"")?;
                let others = ["done", "done move=1-32", "error message=\"no position\""];
                return self.think(&answer, others);
            }
            "stop" if self.is_searching => {
                self.is_searching = false;
                say("done move=1-5")?;
            }
            _ => (),
        }
        Ok(true)
    }

    fn gtp(&mut self, line: &str) -> io::Result<bool> {
        let (id, command) = line.split_once(' ').expect("commands have numbers");
        let words: Vec<&str> = command.split_whitespace().collect();
        let yes = |text: &str| format!("={id} {text}\n");
        let no = |text: &str| format!("?{id} {text}\n");
        match words.as_slice() {
            ["name"] => say(&yes("Fake"))?,
            ["version"] => say(&yes("1.0"))?,
            ["boardsize", "8"] => say(&yes(""))?,
            ["clear_board"] => {
                self.game = start(self.kind);
                say(&yes(""))?;
            }
            ["play", _, "pass"] if self.fault == "no-pass" => say(&no("illegal move"))?,
            ["play", colour, m] => {
                self.pass_for(colour);
                match self.game.play(m) {
                    Ok(_) => say(&yes(""))?,
                    Err(_) => say(&no("illegal move"))?,
                }
            }
            ["genmove", colour] => {
                self.pass_for(colour);
                let m = self.pick();
                if self.fault == "resign" {
                    say(&yes("resign"))?;
                    return Ok(true);
                }
                let answer = yes(&m.to_uppercase());
                let going_on = self.think(&answer, [&yes(""), &yes("A1"), &no("no")])?;
                self.game.play(&m).expect("a legal move");
                return Ok(going_on);
            }
            ["time_settings" | "time_left", ..] => say(&yes(""))?,
            _ => say(&no("unknown command"))?,
        }
        Ok(true)
    }

    /// Passes for the other side if it must.
    fn pass_for(&mut self, colour: &str) {
        let black = self.game.turn() == mawe_rules::Side::First;
        if (colour == "black") != black
            && let Some(pass) = self.game.forced_pass()
        {
            self.game.play(&pass.to_string()).expect("a forced pass");
        }
    }

    fn nboard(&mut self, line: &str) -> io::Result<bool> {
        if let Some(number) = line.strip_prefix("ping ") {
            say(&format!("pong {number}"))?;
        } else if line == "nboard 2" {
            say("set myname Fake 1.0")?;
        } else if let Some(ggf) = line.strip_prefix("set game ") {
            self.game = start(self.kind);
            let moves = ggf.split(']').filter_map(|tag| {
                let m = tag.strip_prefix("B[").or(tag.strip_prefix("W["))?;
                Some(m.to_lowercase())
            });
            for m in moves {
                let m = if m == "pa" { "pass".to_owned() } else { m };
                self.game.play(&m).expect("a legal move");
            }
        } else if line == "go" {
            let answer = format!("=== {}/0.12/0.5", self.pick().to_uppercase());
            say("status thinking")?;
            return self.think(&answer, ["===", "=== A1", "=== Z9"]);
        }
        Ok(true)
    }
}

/// The position of PDN with these letters.
fn fen(letters: &str) -> String {
    let (turn, board) = letters.split_at(1);
    let of = |man: char, king: char| {
        let pieces = (1..).zip(board.chars()).filter_map(|(number, letter)| {
            (letter == man)
                .then(|| number.to_string())
                .or((letter == king).then(|| format!("K{number}")))
        });
        pieces.collect::<Vec<_>>().join(",")
    };
    format!("{turn}:W{}:B{}", of('w', 'W'), of('b', 'B'))
}

/// The row and the column of a square, counted in half-columns.
fn place(square: Square) -> (i32, i32) {
    let index = i32::from(square.number()) - 1;
    let (row, column) = (index / 4, index % 4);
    (row, 2 * column + i32::from(row % 2 == 0))
}

/// A move of draughts in the notation of Hub; the captured pieces are in the order of the jumps, or in falling order.
fn in_hub(position: &AnyPosition, m: &AnyMove) -> String {
    let text = m.to_string();
    let mut squares = text.split('x');
    let (Some(from), Some(to)) = (squares.next(), squares.next_back()) else {
        return text;
    };
    let captured: Vec<u8> = match m {
        AnyMove::Checkers(m) => captured(*m).into_iter().map(Square::number).collect(),
        _ => {
            let mut after = position.clone();
            after.play(&text).expect("a legal move");
            let left = pieces_of(&after, position.turn().other());
            let before = pieces_of(position, position.turn().other());
            let gone = before.into_iter().filter(|number| !left.contains(number));
            gone.rev().collect()
        }
    };
    let captured = captured.iter().map(|number| format!("x{number}"));
    format!("{from}x{to}{}", captured.collect::<String>())
}

/// The squares of a side's pieces in the text of a position, `W:W31-50:B1-19,K24`.
fn pieces_of(position: &AnyPosition, side: Side) -> Vec<u8> {
    let text = position.to_string();
    let first_is_white = position.kind() != GameKind::Pool;
    let colour = match (side == Side::First) == first_is_white {
        true => 'W',
        false => 'B',
    };
    let pieces = text
        .split(':')
        .skip(1)
        .find(|part| part.starts_with(colour));
    let numbers = pieces.expect("both colours are listed")[1..].split(',');
    let number = |text: &str| -> u8 { text.trim_start_matches('K').parse().expect("a number") };
    let ranges = numbers.filter(|text| !text.is_empty()).map(|text| {
        let (from, to) = text.split_once('-').unwrap_or((text, text));
        number(from)..=number(to)
    });
    ranges.flatten().collect()
}

fn captured(m: CheckersMove) -> Vec<Square> {
    let mut from = m.from();
    let between = |one: Square, other: Square| {
        let ((row, column), (to_row, to_column)) = (place(one), place(other));
        let middle = ((row + to_row) / 2, (column + to_column) / 2);
        let mut squares = (1..=32).filter_map(Square::new);
        squares.find(|square| place(*square) == middle)
    };
    let mut squares = Vec::new();
    for to in m.landings() {
        squares.extend(between(from, to));
        from = to;
    }
    squares
}
