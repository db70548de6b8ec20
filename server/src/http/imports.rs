//! Imports: games in the notations of other programs, read and judged by the rules. Nothing is stored.

use axum::Json;
use axum::extract::State;
use mawe_rules::notation::json::{JsonRecord, JsonRecordError};
use mawe_rules::notation::{NotationError, ggf, pdn, transcript};
use mawe_rules::{AnyMove, Family, GameKind, Record};
use mawe_wire::Code;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::http::error::ApiError;
use crate::http::extract::{Body, From as ClientAddress};
use crate::http::positions::{MAX_SEEDS, OutcomeView, outcome_view, seeds_of};

/// The longest text, in bytes: with its JSON it stays below the limit of a body.
pub(crate) const MAX_TEXT_BYTES: usize = 12_000;

/// The most games of one import, and the most plies of all of them.
pub(crate) const MAX_GAMES: usize = 50;
const MAX_PLIES: usize = 2_000;

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(import))
}

/// A text with games.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "game": "reversi", "text": "(;GM[Othello]PB[Amina]PW[Zofia]TY[8]B[f5]W[d6];)" }))]
struct ImportRequest {
    /// The game.
    game: GameKind,
    /// The games, 12,000 bytes at most: PDN for checkers and the draughts family; GGF or a transcript a line for Reversi; for the others the moves of a game a line;
    /// for all of them a JSON record a line, as in exports.
    text: String,
}

/// The notation of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum Notation {
    /// JSON records, one a line.
    Json,
    /// Portable Draughts Notation.
    Pdn,
    /// The Generic Game Format.
    Ggf,
    /// A transcript of Reversi a line.
    Transcript,
    /// The moves of a game a line, separated by blanks.
    Moves,
}

/// The games of a text.
#[derive(Debug, Serialize, ToSchema)]
struct ImportView {
    /// The notation of the text.
    notation: Notation,
    /// The games in the order of the text, 50 at most with 2,000 plies together.
    games: Vec<ImportedGame>,
    /// Whether the text has further games, which were not read.
    more: bool,
}

/// A game of a text.
#[derive(Debug, Serialize, ToSchema)]
struct ImportedGame {
    /// Names and values of the data beside the moves, such as `White` in PDN and `PW` in GGF.
    tags: Vec<Tag>,
    /// The setup; empty for the standard game.
    setup: String,
    /// The position before the first ply; null if it is that of the setup.
    #[schema(required = true)]
    start: Option<String>,
    /// All plies in the notation of the game, with passes; up to the fault if there is one in a list of moves.
    moves: Vec<String>,
    /// The position after the last ply; empty where the game cannot begin.
    position: String,
    /// Null while the game goes on by the rules.
    #[schema(required = true)]
    outcome: Option<OutcomeView>,
    /// The result as written, which may come from outside the rules; null if there is none.
    #[schema(required = true)]
    written: Option<String>,
    /// The path of the page on which the game is analysed.
    analysis: String,
    /// The reason for which the game was not read to its end; null if it was.
    #[schema(required = true)]
    fault: Option<FaultView>,
}

/// A name and a value beside the moves of a game.
#[derive(Debug, Serialize, ToSchema)]
struct Tag {
    name: String,
    value: String,
}

/// A fault of a game's text, and its place.
#[derive(Debug, Serialize, ToSchema)]
struct FaultView {
    /// A stable code, such as `flips-nothing`.
    code: String,
    /// The fault in words.
    detail: String,
    /// The line of the text, counted from 1.
    line: usize,
    /// The character in the line, counted from 1; null where the fault is a ply of a list of moves.
    #[schema(required = true)]
    column: Option<usize>,
    /// The ply, counted from 1, of a list of moves; null otherwise.
    #[schema(required = true)]
    ply: Option<u32>,
}

/// A game as read.
struct Read {
    tags: Vec<(String, String)>,
    record: Option<Record>,
    written: Option<String>,
    fault: Option<FaultView>,
}

/// Reads games in the notations of other programs, and judges every ply by the rules.
/// Nothing is stored: the answer has the moves in the notation of the game, and a link that opens them in the analysis. A game with a fault
/// is told with its place, and the others are read.
#[utoipa::path(
    post, path = "/api/v1/imports", tag = "games", request_body = ImportRequest,
    responses(
        (status = 200, body = ImportView),
        (status = 422, description = "`bad-field`: the text is empty or too long"),
    )
)]
async fn import(
    State(app): State<App>,
    ClientAddress(address): ClientAddress,
    Body(wanted): Body<ImportRequest>,
) -> Result<Json<ImportView>, ApiError> {
    let bad = |advice: String| ApiError::field(Code::BadField, "text", advice);
    if wanted.text.len() > MAX_TEXT_BYTES {
        let advice = format!("a text has {MAX_TEXT_BYTES} bytes at most: divide it");
        return Err(bad(advice));
    }
    app.quotas.import(address)?;
    // It takes milliseconds of a processor.
    let reading = tokio::task::spawn_blocking(move || imported(wanted.game, &wanted.text));
    let view = reading.await.map_err(|_| ApiError::Internal)?;
    if view.games.is_empty() {
        return Err(bad("there is no game in it".to_owned()));
    }
    Ok(Json(view))
}

fn imported(game: GameKind, text: &str) -> ImportView {
    let notation = notation_of(game, text);
    let bytes = text.as_bytes();
    match notation {
        Notation::Pdn => collected(notation, pdn::games(bytes, Some(game)).map(of_pdn)),
        Notation::Ggf => collected(notation, ggf::games(bytes).map(of_ggf)),
        Notation::Transcript => collected(
            notation,
            lines(text).map(|(number, line)| of_transcript(number, line)),
        ),
        Notation::Json => collected(
            notation,
            lines(text).map(|(number, line)| of_json(game, number, line)),
        ),
        Notation::Moves => collected(
            notation,
            lines(text).map(|(number, line)| of_moves(game, number, line)),
        ),
    }
}

/// Finds the notation of a text out.
fn notation_of(game: GameKind, text: &str) -> Notation {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let is_ggf = text
        .trim_start_matches(|symbol: char| symbol.is_ascii_digit() || symbol.is_whitespace())
        .starts_with("(;");
    // Numbers of moves, which lists of moves do not have.
    let is_pdn = text.starts_with('[')
        || text
            .trim_start_matches(|symbol: char| symbol.is_ascii_digit())
            .starts_with('.');
    match game.family() {
        _ if text.starts_with('{') => Notation::Json,
        Family::Checkers => Notation::Pdn,
        Family::Reversi if is_ggf => Notation::Ggf,
        Family::Reversi => Notation::Transcript,
        Family::Draughts if is_pdn => Notation::Pdn,
        Family::Mawe
        | Family::Draughts
        | Family::Kalah
        | Family::Oware
        | Family::Congkak
        | Family::Bao
        | Family::Pallanguzhi => Notation::Moves,
    }
}

/// Takes games up to the limits.
fn collected(notation: Notation, mut all: impl Iterator<Item = Read>) -> ImportView {
    let (mut games, mut plies) = (Vec::new(), 0);
    let more = loop {
        let Some(read) = all.next() else { break false };
        let number = read
            .record
            .as_ref()
            .map_or(0, |record| record.moves().len());
        if games.len() == MAX_GAMES || (plies + number > MAX_PLIES && !games.is_empty()) {
            break true;
        }
        plies += number;
        games.push(view(read));
    };
    ImportView {
        notation,
        games,
        more,
    }
}

/// The lines of a text that are not empty, with their numbers.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let text = text.trim_start_matches('\u{feff}');
    let lines = (1..).zip(text.lines());
    lines.filter(|(_, line)| !line.trim().is_empty())
}

fn of_pdn(game: Result<pdn::Game, NotationError>) -> Read {
    match game {
        Ok(game) => Read {
            written: pdn::Dialect::of(game.record.kind())
                .map(|dialect| game.result.text(dialect).to_owned())
                .filter(|result| result != "*"),
            tags: game.tags,
            record: Some(game.record),
            fault: None,
        },
        Err(error) => refused(error, 0),
    }
}

fn of_ggf(game: Result<ggf::Game, NotationError>) -> Read {
    match game {
        Ok(game) => Read {
            tags: game.tags,
            record: Some(game.record),
            written: game.result,
            fault: None,
        },
        Err(error) => refused(error, 0),
    }
}

fn of_transcript(number: usize, line: &str) -> Read {
    match transcript::read(line.as_bytes()) {
        Ok(record) => Read {
            tags: Vec::new(),
            record: Some(record),
            written: None,
            fault: None,
        },
        Err(error) => refused(error, number - 1),
    }
}

/// The fault of a game in a text that begins after a number of lines.
fn refused(error: NotationError, lines_before: usize) -> Read {
    Read {
        tags: Vec::new(),
        record: None,
        written: None,
        fault: Some(FaultView {
            code: error.code().to_owned(),
            detail: error.why.to_string(),
            line: lines_before + error.line,
            column: Some(error.column),
            ply: None,
        }),
    }
}

fn of_json(game: GameKind, number: usize, line: &str) -> Read {
    let fault = |code: &str, detail: String| Read {
        tags: Vec::new(),
        record: None,
        written: None,
        fault: Some(FaultView {
            code: code.to_owned(),
            detail,
            line: number,
            column: None,
            ply: None,
        }),
    };
    let json: JsonRecord = match serde_json::from_str(line) {
        Ok(json) => json,
        Err(error) => return fault("bad-json", error.to_string()),
    };
    if json.game != game {
        return fault("other-game", format!("this is a game of {}", json.game));
    }
    if json
        .start
        .as_ref()
        .is_some_and(|start| seeds_of(game, start) > MAX_SEEDS)
    {
        let most = format!("a board has {MAX_SEEDS} seeds at most here");
        return fault("too-many-seeds", most);
    }
    match json.begin() {
        Ok(record) => Read {
            written: json.result.as_ref().map(|result| result.winner.clone()),
            ..played(record, json.plies(), number)
        },
        Err(error) => fault(error.code(), error.to_string()),
    }
}

fn of_moves(game: GameKind, number: usize, line: &str) -> Read {
    let standard = JsonRecord {
        game,
        setup: String::new(),
        start: None,
        moves: line.to_owned(),
        result: None,
    };
    match standard.begin() {
        Ok(record) => played(record, line.split_ascii_whitespace(), number),
        Err(error) => unreachable!("the standard game begins: {error}"),
    }
}

/// Plays a list of moves, up to the first fault.
fn played<'a>(mut record: Record, moves: impl Iterator<Item = &'a str>, line: usize) -> Read {
    let mut fault = None;
    for (ply, text) in (1..).zip(moves.take(MAX_PLIES)) {
        if let Err(why) = record.play(text) {
            let error = JsonRecordError::Move { ply, why };
            fault = Some(FaultView {
                code: error.code().to_owned(),
                detail: error.to_string(),
                line,
                column: None,
                ply: Some(ply),
            });
            break;
        }
    }
    Read {
        tags: Vec::new(),
        record: Some(record),
        written: None,
        fault,
    }
}

fn view(read: Read) -> ImportedGame {
    let tags = read.tags.into_iter();
    let json = read.record.as_ref().map(JsonRecord::from);
    let moves = read.record.iter().flat_map(Record::moves);
    ImportedGame {
        tags: tags.map(|(name, value)| Tag { name, value }).collect(),
        moves: moves.map(AnyMove::to_string).collect(),
        position: read
            .record
            .as_ref()
            .map_or_else(String::new, |record| record.position().to_string()),
        outcome: read.record.as_ref().and_then(outcome_view),
        written: read.written,
        analysis: json.as_ref().map_or_else(String::new, analysis),
        setup: json
            .as_ref()
            .map_or_else(String::new, |json| json.setup.clone()),
        start: json.and_then(|json| json.start),
        fault: read.fault,
    }
}

/// Returns the path of the page that analyses a game (`static/analysis/writing.js` reads it).
fn analysis(json: &JsonRecord) -> String {
    let page = String::from("/analysis#");
    let begin = page.len();
    let mut fields = form_urlencoded::Serializer::for_suffix(page, begin);
    fields.append_pair("game", &json.game.to_string());
    if !json.setup.is_empty() {
        fields.append_pair("setup", &json.setup);
    }
    if let Some(start) = &json.start {
        fields.append_pair("start", start);
    }
    fields.append_pair("moves", &json.moves);
    fields.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_taken_up_to_the_bounds() {
        let plies = |view: &ImportView| {
            view.games
                .iter()
                .map(|game| game.moves.len())
                .sum::<usize>()
        };
        // One of 60 plies: the first legal move each time.
        let mut record = JsonRecord {
            game: GameKind::Reversi,
            setup: String::new(),
            start: None,
            moves: String::new(),
            result: None,
        }
        .begin()
        .expect("a start");
        while let Some(text) = record.legal_moves().first() {
            record.play(text).expect("it is legal");
        }
        let game = transcript::write(&record).expect("Reversi");
        let most = MAX_PLIES / record.moves().len();
        let view = imported(GameKind::Reversi, &format!("{game}\n").repeat(most + 3));
        assert_eq!((view.games.len(), view.more), (most, true));
        assert!(plies(&view) <= MAX_PLIES);
        let view = imported(GameKind::Reversi, &format!("{game}\n").repeat(most));
        assert_eq!((view.games.len(), view.more), (most, false));
        let view = imported(GameKind::Reversi, &"c4\n".repeat(MAX_GAMES + 1));
        assert_eq!((view.games.len(), view.more), (MAX_GAMES, true));
    }
}
