//! A text interface of the rules for the browser: one [`Game`] is one record, and one [`Referee`] one match.
//!
//! All arguments and results are text as in RULES.md, numbers or nothing. An error is thrown as an `Error` whose message is the stable
//! code.

use std::fmt::Write;

use mawe_rules::notation::pdn::{self, Dialect, GameResult};
use mawe_rules::notation::{NotationError, transcript};
use mawe_rules::{AnyMove, AnySetup, GameKind, Record, Side};
use wasm_bindgen::prelude::*;

pub use self::referee::Referee;
use self::texts::{parse_kind, record_from, write_outcome};

mod referee;
mod texts;

/// One game from its start to its current position, with house draws.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Game {
    record: Record,
}

#[wasm_bindgen]
impl Game {
    /// A new game of a kind; the empty setup is the standard game.
    ///
    /// # Errors
    ///
    /// The code of the error in kind or setup.
    pub fn start(kind: &str, setup: &str) -> Result<Game, JsError> {
        start(kind, setup).map_err(JsError::new)
    }

    /// A game of a kind from a position, without earlier moves.
    ///
    /// # Errors
    ///
    /// The code of the error in kind or position.
    #[wasm_bindgen(js_name = fromPosition)]
    pub fn from_position(kind: &str, position: &str) -> Result<Game, JsError> {
        from_position(kind, position).map_err(JsError::new)
    }

    /// The first game of a text in Portable Draughts Notation; tags other than those of the start are ignored. `kind` is the game, or empty
    /// for the one that the tags name.
    ///
    /// # Errors
    ///
    /// The code of the error, the line and the column, separated by blanks; only `no-game` if the text holds no game.
    #[wasm_bindgen(js_name = fromPdn)]
    pub fn from_pdn(kind: &str, text: &str) -> Result<Game, JsError> {
        from_pdn(kind, text).map_err(|problem| JsError::new(&problem))
    }

    /// A game of Reversi from a transcript.
    ///
    /// # Errors
    ///
    /// As for `fromPdn`.
    #[wasm_bindgen(js_name = fromTranscript)]
    pub fn from_transcript(text: &str) -> Result<Game, JsError> {
        from_transcript(text).map_err(|problem| JsError::new(&problem))
    }

    /// The game in Portable Draughts Notation, if it is a draughts game. `tags` holds names and values in turn. `winner` is the result of a game
    /// that did not end by the rules: `first`, `second` or `draw`; any other text means that there is no result yet.
    pub fn pdn(&self, tags: Vec<String>, winner: &str) -> Option<String> {
        let pairs = tags.chunks_exact(2);
        pdn::write(&pdn::Game {
            tags: pairs
                .map(|pair| (pair[0].clone(), pair[1].clone()))
                .collect(),
            record: self.record.clone(),
            result: match winner {
                "first" => GameResult::Won(Side::First),
                "second" => GameResult::Won(Side::Second),
                "draw" => GameResult::Drawn,
                _ => GameResult::Open,
            },
        })
    }

    /// A move of this game as it is written in Portable Draughts Notation; as it is in a game without that notation.
    #[wasm_bindgen(js_name = pdnMove)]
    pub fn pdn_move(&self, m: &str) -> String {
        self.dialect()
            .map_or_else(|| m.to_owned(), |dialect| dialect.written(m))
    }

    /// The names of the tags with the two players in Portable Draughts Notation; none in a game without that notation.
    #[wasm_bindgen(js_name = pdnPlayers)]
    pub fn pdn_players(&self) -> Vec<String> {
        let players = self.dialect().map(|dialect| dialect.players());
        let names = players.map_or(Vec::new(), |players| vec![players.first, players.second]);
        names.into_iter().map(str::to_owned).collect()
    }

    /// The winner by a result in Portable Draughts Notation, `first`, `second` or `draw`; none if it is no result, or an open one.
    #[wasm_bindgen(js_name = pdnWinner)]
    pub fn pdn_winner(&self, result: &str) -> Option<String> {
        let dialect = self.dialect()?;
        match GameResult::from_text(result.as_bytes(), dialect)? {
            GameResult::Won(side) => Some(side.as_str().to_owned()),
            GameResult::Drawn => Some("draw".to_owned()),
            GameResult::Open => None,
        }
    }

    /// The game as a transcript, if it is Reversi.
    pub fn transcript(&self) -> Option<String> {
        transcript::write(&self.record)
    }

    /// The id of the game.
    pub fn kind(&self) -> String {
        self.record.kind().to_string()
    }

    /// The current position.
    pub fn position(&self) -> String {
        self.record.position().to_string()
    }

    /// The setup of the game.
    pub fn setup(&self) -> String {
        self.record.setup().to_string()
    }

    /// The side to move, `first` or `second`.
    pub fn turn(&self) -> String {
        self.record.turn().to_string()
    }

    /// The number of plies played.
    pub fn ply(&self) -> u32 {
        self.record.ply()
    }

    /// The plies played, in order.
    pub fn moves(&self) -> Vec<String> {
        self.record.moves().iter().map(AnyMove::to_string).collect()
    }

    /// The legal moves, sorted; none when the game is over.
    #[wasm_bindgen(js_name = legalMoves)]
    pub fn legal_moves(&self) -> Vec<String> {
        self.record.legal_moves()
    }

    /// The pass, if it is the only legal ply. Only some games have passes.
    #[wasm_bindgen(js_name = forcedPass)]
    pub fn forced_pass(&self) -> Option<String> {
        self.record.forced_pass().map(|m| m.to_string())
    }

    /// Plays a move.
    ///
    /// # Errors
    ///
    /// The code of the reason; the game is then unchanged.
    pub fn play(&mut self, text: &str) -> Result<(), JsError> {
        match self.record.play(text) {
            Ok(_) => Ok(()),
            Err(why) => Err(JsError::new(why.code())),
        }
    }

    /// The code of the reason why a move would be refused; nothing if it is legal.
    #[wasm_bindgen(js_name = explainIllegal)]
    pub fn explain_illegal(&self, text: &str) -> Option<String> {
        let refused = self.record.clone().play(text).err();
        refused.map(|why| why.code().to_owned())
    }

    /// The result if the game is over: winner code, reason and, in a game with points, the points of the first and the second side, as in
    /// `s row-empty 26-22`.
    pub fn outcome(&self) -> Option<String> {
        let kind = self.record.kind();
        self.record
            .outcome()
            .map(|outcome| write_outcome(kind, outcome))
    }

    /// Takes back the last plies, or all if there are fewer; returns their number.
    pub fn retreat(&mut self, plies: u32) -> u32 {
        self.record.retreat(plies)
    }
}

/// The ids of all games, in the order in which lists show them.
#[wasm_bindgen]
pub fn games() -> Vec<String> {
    GameKind::ALL.iter().map(GameKind::to_string).collect()
}

/// Plays `moves`, separated by blanks, and returns the input of the digests of RULES.md section 8: a line `POS|LEGAL` for every position
/// from the start to the end. An empty `start` is the standard one.
///
/// # Errors
///
/// The code of the error in kind, start or moves.
#[wasm_bindgen]
pub fn walk(kind: &str, start: &str, moves: &str) -> Result<String, JsError> {
    tell(kind, start, moves).map_err(JsError::new)
}

fn start(kind: &str, setup: &str) -> Result<Game, &'static str> {
    let kind: GameKind = parse_kind(kind)?;
    let setup = AnySetup::parse(kind, setup).map_err(|error| error.code())?;
    let record = Record::new(kind, &setup).map_err(|error| error.code())?;
    Ok(Game { record })
}

fn from_position(kind: &str, position: &str) -> Result<Game, &'static str> {
    let record = record_from(kind, position)?;
    Ok(Game { record })
}

fn from_pdn(kind: &str, text: &str) -> Result<Game, String> {
    let kind = match kind {
        "" => None,
        kind => Some(kind.parse().map_err(|_| "unknown-game".to_owned())?),
    };
    match pdn::games(text.as_bytes(), kind).next() {
        Some(Ok(game)) => Ok(Game {
            record: game.record,
        }),
        Some(Err(error)) => Err(write_problem(error)),
        None => Err("no-game".to_owned()),
    }
}

impl Game {
    fn dialect(&self) -> Option<Dialect> {
        Dialect::of(self.record.kind())
    }
}

fn from_transcript(text: &str) -> Result<Game, String> {
    match transcript::read(text.as_bytes()) {
        Ok(record) => Ok(Game { record }),
        Err(error) => Err(write_problem(error)),
    }
}

fn write_problem(error: NotationError) -> String {
    format!("{} {} {}", error.code(), error.line, error.column)
}

fn tell(kind: &str, position: &str, moves: &str) -> Result<String, &'static str> {
    let Game { mut record } = match position {
        "" => start(kind, "")?,
        position => from_position(kind, position)?,
    };
    let mut told = String::new();
    tell_position(&mut told, &record);
    for m in moves.split_ascii_whitespace() {
        record.play(m).map_err(|why| why.code())?;
        tell_position(&mut told, &record);
    }
    Ok(told)
}

fn tell_position(told: &mut String, record: &Record) {
    let legal = record.legal_moves().join(",");
    writeln!(told, "{}|{legal}", record.position()).expect("a string takes all text");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_played_and_explained_as_text() {
        let mut game = start("kalah", "seeds=3").expect("a game");
        assert_eq!(game.position(), "3,3,3,3,3,3,0/3,3,3,3,3,3,0 s");
        assert!(game.play("4").is_ok());
        assert_eq!((game.turn().as_str(), game.ply()), ("first", 1));
        assert_eq!(game.explain_illegal("4").as_deref(), Some("empty-house"));
        assert_eq!(game.explain_illegal("1"), None);
        assert_eq!(game.retreat(9), 1);
        assert_eq!(start("kalah", "seeds=9").err(), Some("bad-option-value"));
        assert_eq!(start("go", "").err(), Some("unknown-game"));
        let over = from_position("kalah", "0,0,0,0,0,0,26/0,0,0,0,0,0,22 s").expect("a game");
        assert_eq!(over.outcome().as_deref(), Some("s row-empty 26-22"));
    }

    #[test]
    fn games_are_read_as_other_programs_write_them() {
        let text = "[Event \"a\"]\n[Result \"*\"]\n\n1. 11-15 22-18 2. 15x22 *\n";
        let game = from_pdn("", text).expect("a game");
        assert_eq!(game.moves(), ["11-15", "22-18", "15x22"]);
        let told = game.pdn(vec!["Black".to_owned(), "Amina".to_owned()], "");
        let told = told.expect("a game of checkers");
        assert!(told.contains("[Black \"Amina\"]") && told.contains("1. 11-15 22-18 2. 15x22 *"));
        let bad = from_pdn("checkers", "[Event \"a\"]\n\n1. 11-15 11-15 *\n").err();
        assert_eq!(bad.as_deref(), Some("empty-square 3 10"));
        assert_eq!(from_pdn("", "").err().as_deref(), Some("no-game"));
        let pool = from_pdn("pool", "1. 9-13 *").expect("a game");
        assert_eq!(
            (pool.kind(), pool.pdn_move("9-13")),
            ("pool".to_owned(), "9-13".to_owned())
        );
        assert_eq!(pool.pdn_players(), ["Black", "White"]);
        assert_eq!(pool.pdn_winner("1-0").as_deref(), Some("second"));
        let russian = from_pdn("", "[GameType \"25\"] 1. c3-d4 *").expect("a game");
        assert_eq!(russian.moves(), ["22-18"]);
        assert_eq!(russian.pdn_move("22-18"), "c3-d4");
        assert_eq!(russian.pdn_winner("1-0").as_deref(), Some("first"));
        let game = from_transcript("F5 d6 C3").expect("a game");
        assert_eq!(game.transcript().as_deref(), Some("f5d6c3"));
        assert_eq!(game.pdn(Vec::new(), ""), None);
        let bad = from_transcript("f5d6\n?").err();
        assert_eq!(bad.as_deref(), Some("unexpected-symbol 2 1"));
    }

    #[test]
    fn a_walk_tells_every_position() {
        let told = tell("oware", "0,0,0,0,0,1,23/1,0,0,0,0,2,21 s", "6").expect("a walk");
        let told: Vec<&str> = told.lines().collect();
        assert_eq!(
            told,
            [
                "0,0,0,0,0,1,23/1,0,0,0,0,2,21 s|6",
                "0,0,0,0,0,0,25/0,0,0,0,0,2,21 n|"
            ]
        );
    }
}
