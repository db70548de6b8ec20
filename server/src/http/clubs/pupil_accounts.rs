//! The accounts of pupils: made from a list, with login cards, and new cards for them.

use std::collections::{HashMap, HashSet};
use std::ops::RangeInclusive;

use axum::Json;
use axum::extract::{DefaultBodyLimit, FromRequest, Request, State};
use axum::http::StatusCode;
use mawe_store::{
    MAX_PUPILS, NewCards, NewPupil, NewPupils, PupilFault, PupilRow, PupilsMade, StoreError,
    name_key, name_look,
};
use mawe_wire::ids::{PlayerId, TokenHash};
use mawe_wire::{Code, PlayerRef, random};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::pupils::{checked_real_name, taught};
use crate::app::App;
use crate::clock::unix_ms;
use crate::http::error::{ApiError, PupilFaultCode, PupilLine};
use crate::http::extract::{Body, Path, SignedIn};
use crate::http::sessions::close_sockets;
use crate::identity::refused_names::RefusedNames;
use crate::identity::{drawn_names, typed_codes};
use crate::live::view;

/// The days for which a login card can be used.
pub(crate) const CARD_DAYS: RangeInclusive<u32> = 1..=90;

const DEFAULT_CARD_DAYS: u32 = 14;

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// The number of attempts to make pupils, each with other drawn names in the place of taken ones.
const ATTEMPTS: usize = 5;

/// The longest list in bytes: 500 of the longest names, each character written as `\u0d05`, and their handles.
const MAX_LIST_BYTES: usize = 256 * 1024;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(make))
        .layer(DefaultBodyLimit::max(MAX_LIST_BYTES))
        .routes(routes!(cards))
}

/// A list of new pupils.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct PupilList {
    /// The pupils: 1 to 500.
    pupils: Vec<PupilWish>,
    /// The days for which the login cards can be used, 1 to 90; 14 by default.
    days: Option<u32>,
}

/// A new pupil.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct PupilWish {
    /// The real name, which the teachers of the class alone see: 1 to 60 characters.
    real_name: String,
    /// The name of the account; without one a name that says nothing about the person is drawn.
    name: Option<String>,
}

/// Pupils for new login cards.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct CardList {
    /// The names of their accounts: 1 to 500.
    pupils: Vec<String>,
    /// The days for which the cards can be used, 1 to 90; 14 by default.
    days: Option<u32>,
}

/// New login cards.
#[derive(Debug, Serialize, ToSchema)]
struct NewLoginCards {
    cards: Vec<NewLoginCard>,
}

/// A new login card.
#[derive(Debug, Serialize, ToSchema)]
struct NewLoginCard {
    player: PlayerRef,
    /// The real name.
    real_name: String,
    /// The code, which is shown only here and not stored.
    code: String,
    expires_at: jiff::Timestamp,
}

/// Returns the time from which a card of so many days cannot be used.
fn expiry(days: Option<u32>, now_ms: i64) -> Result<i64, ApiError> {
    let days = days.unwrap_or(DEFAULT_CARD_DAYS);
    if !CARD_DAYS.contains(&days) {
        let advice = "a card can be used for 1 to 90 days";
        return Err(ApiError::field(Code::BadRange, "days", advice));
    }
    Ok(now_ms + i64::from(days) * DAY_MS)
}

/// Refuses an empty list and one of more than [`MAX_PUPILS`].
fn check_length(length: usize) -> Result<(), ApiError> {
    if (1..=MAX_PUPILS as usize).contains(&length) {
        return Ok(());
    }
    let advice = "give 1 to 500 pupils";
    Err(ApiError::field(Code::BadRange, "pupils", advice))
}

/// The real names and the wanted names of a list that was checked.
type Checked = Vec<(String, Option<String>)>;

/// Checks a list.
///
/// # Errors
/// The lines at fault.
fn checked_list(wishes: Vec<PupilWish>, refused: &RefusedNames) -> Result<Checked, Vec<PupilLine>> {
    let (mut checked, mut faults) = (Vec::new(), Vec::new());
    let (mut real_names, mut names) = (HashSet::new(), HashSet::new());
    for (at, wish) in wishes.into_iter().enumerate() {
        let mut check = || {
            let real_name = checked_real_name(&wish.real_name)?;
            if !real_names.insert(name_key(&real_name)) {
                return Err(PupilFaultCode::Twice);
            }
            if let Some(name) = &wish.name {
                refused
                    .check_name(name)
                    .map_err(|_| PupilFaultCode::BadName)?;
                if !names.insert(name_look(name)) {
                    return Err(PupilFaultCode::NameTaken);
                }
            }
            Ok(real_name)
        };
        match check() {
            Ok(real_name) => checked.push((real_name, wish.name)),
            Err(fault) => faults.push(PupilLine::new(at, fault, wish.name)),
        }
    }
    if faults.is_empty() {
        Ok(checked)
    } else {
        Err(faults)
    }
}

/// Draws a code of a login card, with its hash.
fn draw_code() -> (String, TokenHash) {
    let code = typed_codes::draw();
    let hash = typed_codes::hash(&code).expect("a drawn code is one");
    (code, hash)
}

/// Returns the hash of an unknown password.
async fn unknown_password(app: &App) -> Result<String, ApiError> {
    Ok(app.passwords.hash(random::text(40)).await?)
}

/// Makes accounts of pupils, with a login card for each: all of them, or none.
/// Each pupil is a member of the class at once. The codes are in this response only.
#[utoipa::path(
    post, path = "/api/v1/clubs/{handle}/pupils", tag = "clubs", request_body = PupilList,
    params(("handle" = String, Path, description = "the class's handle")),
    responses(
        (status = 201, body = NewLoginCards),
        (status = 401),
        (status = 403, description = "`officers-only`, `session-needed`"),
        (status = 404),
        (status = 409, description = "`class-full`: a class has 500 pupils at most"),
        (status = 422, description = "`bad-pupils`: `lines` lists the faults; `bad-range`"),
        (status = 429),
    )
)]
async fn make(
    State(app): State<App>,
    me: SignedIn,
    Path(handle): Path<String>,
    request: Request,
) -> Result<(StatusCode, Json<NewLoginCards>), ApiError> {
    // Before the body is read: only teachers of the class may send so much.
    let class = taught(&app, &handle, &me).await?;
    let Body(list) = Body::<PupilList>::from_request(request, &app).await?;
    check_length(list.pupils.len())?;
    let now_ms = unix_ms();
    let expires_ms = expiry(list.days, now_ms)?;
    let wishes =
        checked_list(list.pupils, &app.settings.refused_names).map_err(ApiError::BadPupils)?;
    app.limits.pupils(&me.player.id)?;
    let password_hash = unknown_password(&app).await?;
    let mut codes = Vec::new();
    let mut new = NewPupils {
        pupils: Vec::new(),
        password_hash,
        expires_ms,
        now_ms,
    };
    for (real_name, name) in &wishes {
        let (code, hash) = draw_code();
        codes.push(code);
        new.pupils.push(NewPupil {
            id: PlayerId::random(),
            name: name.clone().unwrap_or_else(drawn_names::draw),
            real_name: real_name.clone(),
            code: hash,
        });
    }
    for _ in 0..ATTEMPTS {
        redraw_twins(&mut new.pupils, &wishes);
        let made = app
            .store
            .make_pupils(&class.id, &me.player.id, &new, MAX_PUPILS);
        match made.await {
            Ok(PupilsMade::Made) => {
                let cards = new.pupils.iter().zip(codes);
                let cards = cards.map(|(pupil, code)| NewLoginCard {
                    player: view::player(&pupil.account(now_ms)),
                    real_name: pupil.real_name.clone(),
                    code,
                    expires_at: view::timestamp(expires_ms),
                });
                let cards = cards.collect();
                return Ok((StatusCode::CREATED, Json(NewLoginCards { cards })));
            }
            Ok(PupilsMade::Faults(faults)) => {
                let mut lines = Vec::new();
                for (at, fault) in faults {
                    match (fault, &wishes[at].1) {
                        (PupilFault::NameTaken, None) => {
                            new.pupils[at].name = drawn_names::draw();
                        }
                        (fault, name) => lines.push(PupilLine::new(at, fault.into(), name.clone())),
                    }
                }
                if !lines.is_empty() {
                    return Err(ApiError::BadPupils(lines));
                }
            }
            // Somebody else has taken one of the names meanwhile: the next attempt finds out which.
            Err(StoreError::Conflict | StoreError::LooksAlike) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Err(ApiError::Busy)
}

/// Draws other names in the place of drawn twins.
fn redraw_twins(pupils: &mut [NewPupil], wishes: &Checked) {
    let mut names: HashSet<String> = wishes
        .iter()
        .filter_map(|(_, name)| name.as_ref())
        .map(|name| name_look(name))
        .collect();
    for (pupil, (_, wanted)) in pupils.iter_mut().zip(wishes) {
        while wanted.is_none() && !names.insert(name_look(&pupil.name)) {
            pupil.name = drawn_names::draw();
        }
    }
}

/// Makes new login cards for pupils: of all of them, or of none.
/// The older cards, the passwords, the recovery codes and all sessions of the pupils end at once. The codes are in this response only.
#[utoipa::path(
    post, path = "/api/v1/clubs/{handle}/cards", tag = "clubs", request_body = CardList,
    params(("handle" = String, Path, description = "the class's handle")),
    responses(
        (status = 201, body = NewLoginCards),
        (status = 401),
        (status = 403, description = "`officers-only`, `session-needed`"),
        (status = 404, description = "also for a name that is not that of a pupil of the class"),
        (status = 422, description = "`bad-range`"),
        (status = 429),
    )
)]
async fn cards(
    State(app): State<App>,
    me: SignedIn,
    Path(handle): Path<String>,
    Body(list): Body<CardList>,
) -> Result<(StatusCode, Json<NewLoginCards>), ApiError> {
    let class = taught(&app, &handle, &me).await?;
    check_length(list.pupils.len())?;
    let now_ms = unix_ms();
    let expires_ms = expiry(list.days, now_ms)?;
    let rows = app.store.pupils(&class.id, None, MAX_PUPILS).await?;
    let mut by_name: HashMap<String, PupilRow> = rows
        .into_iter()
        .map(|row| (row.player.name.to_lowercase(), row))
        .collect();
    let mut chosen = HashSet::new();
    let mut wanted = Vec::new();
    for name in &list.pupils {
        let key = name.to_lowercase();
        if chosen.insert(key.clone()) {
            wanted.push(by_name.remove(&key).ok_or(ApiError::NotFound("pupil"))?);
        }
    }
    app.limits.club_change(&me.player.id)?;
    let drawn: Vec<(String, TokenHash)> = wanted.iter().map(|_| draw_code()).collect();
    let hashes = wanted.iter().zip(&drawn);
    let new = NewCards {
        cards: hashes
            .map(|(row, (_, hash))| (row.player.id.clone(), *hash))
            .collect(),
        password_hash: unknown_password(&app).await?,
        expires_ms,
        now_ms,
    };
    let ended = app.store.renew_cards(&class.id, &me.player.id, &new);
    close_sockets(&app, &ended.await?);
    let cards = wanted.iter().zip(drawn);
    let cards = cards.map(|(row, (code, _))| NewLoginCard {
        player: view::player(&row.player),
        real_name: row.real_name.clone(),
        code,
        expires_at: view::timestamp(expires_ms),
    });
    let cards = cards.collect();
    Ok((StatusCode::CREATED, Json(NewLoginCards { cards })))
}
