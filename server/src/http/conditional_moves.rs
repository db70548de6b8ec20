//! Conditional moves: in a match by the day, a player's answers to moves that the opponent may make.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use mawe_play::room::conditional::{ConditionalMoves, Fault};
use mawe_play::room::state::RoomState;
use mawe_rules::Side;
use mawe_store::{MatchRow, StoreError};
use mawe_wire::ids::MatchId;
use mawe_wire::{Code, ErrorMsg};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::http::error::ApiError;
use crate::http::extract::{Body, Path, SignedIn};
use crate::http::lookup;
use crate::http::matches::rebuilt;

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(show, store, withdraw))
}

/// The conditional moves of a player in a match by the day.
#[derive(Debug, Serialize, ToSchema)]
struct ConditionalLines {
    /// The head of the match's journal.
    seq: u64,
    /// The lines from the present position: a move of the opponent, the answer, and so on. Those that the game has left are gone.
    lines: Vec<Vec<String>>,
}

/// Conditional moves, which take the place of all earlier ones of the player in the match.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewConditionalLines {
    /// The last `seq` that the client has received: the lines go on from that position.
    seq: u64,
    /// At most 20 lines of at most 30 plies. Each goes on from the present position, in the opponent's turn, and ends with a move of the
    /// player. A pass that the rules compel may be left out. No two lines may answer the same moves with different ones.
    #[schema(example = json!([["11-15", "22-18", "15x22", "25x18"], ["9-13", "22-18"]]))]
    lines: Vec<Vec<String>>,
}

/// Returns the caller's conditional moves in a match.
#[utoipa::path(
    get, path = "/api/v1/matches/{id}/conditional-moves", tag = "matches",
    params(("id" = MatchId, Path, description = "the match's id")),
    responses(
        (status = 200, body = ConditionalLines),
        (status = 401),
        (status = 403, description = "`not-seated`: one does not play in this match"),
        (status = 404),
    )
)]
async fn show(
    State(app): State<App>,
    me: SignedIn,
    Path(id): Path<MatchId>,
) -> Result<Json<ConditionalLines>, ApiError> {
    let (side, state) = seated(&app, &me, &id).await?;
    let stored = app.store.conditional_moves(&id).await?;
    let mine = stored.into_iter().find(|(of, _)| *of == side);
    let lines = mine.map_or_else(Vec::new, |(_, moves)| moves.remaining(&state));
    let seq = state.head();
    Ok(Json(ConditionalLines { seq, lines }))
}

/// Stores the caller's conditional moves in a match by the day, in the opponent's turn.
/// When the opponent's move is that of a line, the server plays the answer at once, as a move of the caller. Lines that begin with other
/// moves fall away. Nobody else learns that there are any. They end with the match and with a takeback, and wait while the opponent's
/// offer of a draw is not answered.
#[utoipa::path(
    put, path = "/api/v1/matches/{id}/conditional-moves", tag = "matches", request_body = NewConditionalLines,
    params(("id" = MatchId, Path, description = "the match's id")),
    responses(
        (status = 200, body = ConditionalLines, description = "as they are kept: with compulsory passes, without lines that are the beginning of another"),
        (status = 401),
        (status = 403, description = "`not-seated`: one does not play in this match"),
        (status = 404),
        (status = 409, description = "`not-by-the-day`, `your-turn`, `match-over`, or `stale-ply`: the match has gone on from `seq`"),
        (status = 422, description = "`bad-lines`: `field` names the line and the ply"),
        (status = 429),
    )
)]
async fn store(
    State(app): State<App>,
    me: SignedIn,
    Path(id): Path<MatchId>,
    Body(new): Body<NewConditionalLines>,
) -> Result<Json<ConditionalLines>, ApiError> {
    app.limits.conditional_moves(&me.player.id)?;
    let (side, state) = seated(&app, &me, &id).await?;
    let moves =
        ConditionalMoves::new(&state, side, &new.lines).map_err(|fault| refusal(&id, &fault))?;
    let seq = state.head();
    if new.seq != seq {
        return Err(gone_on(&id));
    }
    if moves.lines.is_empty() {
        app.store.delete_conditional_moves(&id, side).await?;
    } else {
        match app.store.set_conditional_moves(&id, side, &moves).await {
            Err(StoreError::Conflict) => return Err(gone_on(&id)),
            stored => stored?,
        }
    }
    let lines = moves.lines;
    Ok(Json(ConditionalLines { seq, lines }))
}

/// Withdraws the caller's conditional moves in a match.
#[utoipa::path(
    delete, path = "/api/v1/matches/{id}/conditional-moves", tag = "matches",
    params(("id" = MatchId, Path, description = "the match's id")),
    responses(
        (status = 204),
        (status = 401),
        (status = 403, description = "`not-seated`: one does not play in this match"),
        (status = 404),
        (status = 429),
    )
)]
async fn withdraw(
    State(app): State<App>,
    me: SignedIn,
    Path(id): Path<MatchId>,
) -> Result<StatusCode, ApiError> {
    app.limits.conditional_moves(&me.player.id)?;
    let row = lookup::find_match(&app, &id).await?;
    let side = seat(&row, &me)?;
    app.store.delete_conditional_moves(&id, side).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Returns the caller's seat in a match, and the match as its journal records it.
async fn seated(app: &App, me: &SignedIn, id: &MatchId) -> Result<(Side, RoomState), ApiError> {
    let row = lookup::find_match(app, id).await?;
    let side = seat(&row, me)?;
    let (_, state) = rebuilt(app, row).await?;
    Ok((side, state))
}

fn seat(row: &MatchRow, me: &SignedIn) -> Result<Side, ApiError> {
    let sits = |side: &Side| row.players[*side].id == me.player.id;
    let side = Side::ALL.into_iter().find(sits);
    side.ok_or_else(|| refused(&row.id, Code::NotSeated, "you do not play in this match"))
}

fn gone_on(id: &MatchId) -> ApiError {
    refused(
        id,
        Code::StalePly,
        "the match has gone on: look at it and send the lines again",
    )
}

fn refusal(id: &MatchId, fault: &Fault) -> ApiError {
    let message = fault.to_string();
    let field = match fault {
        Fault::MatchOver => return refused(id, Code::MatchOver, &message),
        Fault::NotByTheDay => return refused(id, Code::NotByTheDay, &message),
        Fault::YourTurn => return refused(id, Code::YourTurn, &message),
        Fault::TooMany(_) => "lines".to_owned(),
        Fault::Length { line, .. } | Fault::NoAnswer { line } => format!("lines.{line}"),
        Fault::Illegal { line, ply, .. } | Fault::TwoAnswers { line, ply, .. } => {
            format!("lines.{line}.{ply}")
        }
    };
    ApiError::field(Code::BadLines, &field, message)
}

fn refused(id: &MatchId, code: Code, message: &str) -> ApiError {
    ApiError::Refused(Box::new(ErrorMsg {
        match_id: Some(id.clone()),
        client_id: None,
        code,
        why: None,
        message: message.to_owned(),
        retry_ms: None,
    }))
}
