//! Positions: legal moves, outcome, the state of draws, and the exact value where it is known.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use mawe_rules::{AnyPosition, AnySetup, Family, GameKind, OCCURRENCES_TO_END, Record, Side};
use mawe_wire::{Code, Seats};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::bots::exact::ExactValue;
use crate::http::error::ApiError;
use crate::http::extract::{From as ClientAddress, Path, Query};

/// The longest text of a position. The longest of a game has 130 characters.
pub(crate) const MAX_POSITION_CHARS: usize = 300;

/// The longest list of moves, and the most moves in it.
pub(crate) const MAX_MOVES_CHARS: usize = 3_000;
const MAX_MOVES: usize = 400;

/// The most seeds on a board: ten times those of any game, so that a move takes no longer than in a game.
pub(crate) const MAX_SEEDS: u64 = 1_000;

/// The answer is the same for every caller and at any time; a later version may know more.
const LASTING: HeaderValue = HeaderValue::from_static("public, max-age=3600");
const PASSING: HeaderValue = HeaderValue::from_static("public, max-age=60");

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(find))
}

/// The query of a position.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Asked {
    /// The position; by default the start of the standard game.
    #[param(example = "4,4,4,4,4,4,0/4,4,4,4,4,4,0 s")]
    position: Option<String>,
    /// The moves played from it, separated by spaces, 400 at most. Earlier positions count for repetition.
    #[param(example = "3 4")]
    moves: Option<String>,
    /// Whether the exact value is wanted, too.
    #[serde(default)]
    #[param(required = false)]
    value: bool,
}

/// A position after some moves.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({
    "game": "checkers", "position": "B:WK32:BK1", "turn": "first", "ply": 0,
    "legal": [
        { "move": "1-5", "position": "W:WK32:BK5" },
        { "move": "1-6", "position": "W:WK32:BK6" },
    ],
    "outcome": null,
    "draw": { "occurrences": 1, "occurrences_to_end": 3, "quiet_plies": 0, "quiet_limit": 80 },
    "value": null,
}))]
struct PositionView {
    game: GameKind,
    /// The position in its usual text.
    position: String,
    /// The side to move; the side that would be next if the game is over.
    turn: Side,
    /// The number of moves played.
    ply: u32,
    /// The legal moves, in ASCII order; empty if the game is over.
    legal: Vec<LegalMove>,
    /// Null while the game goes on.
    #[schema(required = true)]
    outcome: Option<OutcomeView>,
    draw: DrawView,
    /// The exact value; null where it was not asked for, where the game is over, and where it is not known.
    #[schema(required = true)]
    value: Option<ValueView>,
}

/// A legal move.
#[derive(Debug, Serialize, ToSchema)]
struct LegalMove {
    /// The move in the notation of the game.
    #[serde(rename = "move")]
    text: String,
    /// The position after it.
    position: String,
}

/// The result of a game that is over.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct OutcomeView {
    /// Null for a draw.
    #[schema(required = true)]
    winner: Option<Side>,
    /// The code of the winner in the notation of the game (`W`, `S`, …), or `draw`.
    letter: String,
    /// The reason.
    #[schema(example = "no-moves")]
    reason: String,
    /// The scores, in games that have one.
    #[schema(required = true)]
    score: Option<Seats<u16>>,
}

/// The state of the rules of draws.
#[derive(Debug, Serialize, ToSchema)]
struct DrawView {
    /// The number of times that the position has occurred, this one included.
    occurrences: u32,
    /// The number of occurrences that ends the game.
    occurrences_to_end: u32,
    /// The number of consecutive plies without progress.
    quiet_plies: u32,
    /// The number of such plies that ends the game; null in games without that rule.
    #[schema(required = true)]
    quiet_limit: Option<u32>,
}

/// A result from the view of the side to move.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum ExactResult {
    Win,
    Draw,
    Loss,
}

/// The exact value of a position, from the view of the side to move.
#[derive(Debug, Serialize, ToSchema)]
struct ValueView {
    result: ExactResult,
    /// The number of plies to the end, if it is known.
    #[schema(required = true)]
    plies: Option<u32>,
    /// The difference of the scores at the end, in games that count points; negative for a loss.
    #[schema(required = true)]
    points: Option<i32>,
    /// The best move.
    best: String,
}

impl From<ExactValue> for ValueView {
    fn from(value: ExactValue) -> ValueView {
        ValueView {
            result: match value.sign {
                1.. => ExactResult::Win,
                0 => ExactResult::Draw,
                _ => ExactResult::Loss,
            },
            plies: value.plies,
            points: value.points,
            best: value.best,
        }
    }
}

/// Returns the legal moves of a position, its outcome, the state of draws and, with `value=true`, its exact value.
/// A value is exact by the endgame databases of the server, by a solver, or by a search to the end of the game. The search is short: most
/// values are not known.
#[utoipa::path(
    get, path = "/api/v1/positions/{game}", tag = "games",
    params(("game" = GameKind, Path, description = "the game's id"), Asked),
    responses(
        (status = 200, body = PositionView),
        (status = 404),
        (status = 422, description = "`bad-filter`: the position or a move cannot be read, or is not legal"),
    )
)]
async fn find(
    State(app): State<App>,
    ClientAddress(address): ClientAddress,
    Path(game): Path<GameKind>,
    Query(asked): Query<Asked>,
) -> Result<Response, ApiError> {
    let record = played(game, &asked)?;
    let value = if asked.value && record.outcome().is_none() {
        app.quotas.value(address)?;
        let found = app.exact.find(record.clone()).await;
        found.map_err(|_| ApiError::TooManyValues)?
    } else {
        None
    };
    // A slow machine may find a value at the next request.
    let caching = match asked.value && record.outcome().is_none() && value.is_none() {
        true => PASSING,
        false => LASTING,
    };
    let view = view(&record, value);
    Ok(([(header::CACHE_CONTROL, caching)], Json(view)).into_response())
}

/// Returns the number of seeds in the text of a position; 0 for games of stones.
pub(crate) fn seeds_of(game: GameKind, text: &str) -> u64 {
    match game.family() {
        Family::Kalah | Family::Oware | Family::Congkak | Family::Bao | Family::Pallanguzhi => {
            let numbers = text.split(|symbol: char| !symbol.is_ascii_digit());
            numbers
                .filter_map(|number| number.parse::<u64>().ok())
                .sum()
        }
        Family::Mawe | Family::Reversi | Family::Checkers | Family::Draughts => 0,
    }
}

fn bad(field: &str, detail: impl Into<String>) -> ApiError {
    ApiError::field(Code::BadFilter, field, detail.into())
}

/// Reads the position of a query, which is not larger than those of a game; by default the start of the standard game.
///
/// # Errors
/// `bad-filter`, naming the field `position`.
pub(crate) fn read(game: GameKind, text: Option<&str>) -> Result<AnyPosition, ApiError> {
    let Some(text) = text else {
        let start = AnyPosition::start(game, &AnySetup::standard(game));
        return start.map_err(|why| bad("position", why.to_string()));
    };
    parse(game, text).map_err(|why| bad("position", why))
}

/// Parses a position that is not larger than those of a game. The error says what is wrong with it.
pub(crate) fn parse(game: GameKind, text: &str) -> Result<AnyPosition, String> {
    if text.chars().count() > MAX_POSITION_CHARS {
        return Err(format!(
            "position has {MAX_POSITION_CHARS} characters at most"
        ));
    }
    if seeds_of(game, text) > MAX_SEEDS {
        return Err(format!("a board has {MAX_SEEDS} seeds at most here"));
    }
    AnyPosition::parse(game, text).map_err(|why| why.to_string())
}

/// Plays the moves of a query.
fn played(game: GameKind, asked: &Asked) -> Result<Record, ApiError> {
    if let Some(moves) = &asked.moves
        && moves.chars().count() > MAX_MOVES_CHARS
    {
        let advice = format!("moves has {MAX_MOVES_CHARS} characters at most");
        return Err(bad("moves", advice));
    }
    let mut record = Record::from_position(read(game, asked.position.as_deref())?);
    let moves = asked.moves.as_deref().unwrap_or_default();
    for (ply, text) in (1..).zip(moves.split_ascii_whitespace()) {
        if ply > MAX_MOVES {
            return Err(bad("moves", format!("give {MAX_MOVES} moves at most")));
        }
        record
            .play(text)
            .map_err(|why| bad("moves", format!("ply {ply}: {why}")))?;
    }
    Ok(record)
}

fn view(record: &Record, value: Option<ExactValue>) -> PositionView {
    let game = record.kind();
    let legal = record.legal_moves().into_iter();
    let legal = legal.filter_map(|text| {
        let mut next = record.position().clone();
        next.play(&text).ok()?;
        Some(LegalMove {
            text,
            position: next.to_string(),
        })
    });
    PositionView {
        game,
        position: record.position().to_string(),
        turn: record.turn(),
        ply: record.ply(),
        legal: legal.collect(),
        outcome: outcome_view(record),
        draw: DrawView {
            occurrences: record.occurrences(),
            occurrences_to_end: OCCURRENCES_TO_END,
            quiet_plies: record.quiet_plies(),
            quiet_limit: record.quiet_limit(),
        },
        value: value.map(ValueView::from),
    }
}

/// Returns the result of a game that is over by the rules.
pub(crate) fn outcome_view(record: &Record) -> Option<OutcomeView> {
    record.outcome().map(|outcome| OutcomeView {
        winner: outcome.winner,
        letter: record.kind().winner_code(outcome.winner).to_owned(),
        reason: outcome.reason.to_string(),
        score: outcome.score.map(|score| Seats {
            first: score.first,
            second: score.second,
        }),
    })
}
