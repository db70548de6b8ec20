//! A player's preferences about other players, and the look that others see; stored with the account.

use axum::Json;
use axum::extract::State;
use mawe_store::{ChallengeRule, LookChange};
use mawe_wire::people::ChallengesFrom;
use mawe_wire::{Avatar, Flag, PlayerKind};
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::http::error::ApiError;
use crate::http::extract::{Body, SignedIn};
use crate::http::lobby::check_range;
use crate::moderation::effects::show_running_anew;

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(show, change))
}

/// The caller's preferences.
#[derive(Debug, Serialize, ToSchema)]
struct Preferences {
    /// Whether guests may challenge the caller by name; true by default. `challenges_from` says more.
    guests_may_challenge: bool,
    /// The permitted challengers by name; everybody by default.
    challenges_from: ChallengesFrom,
    /// The lowest rating of a challenger by name, in the game and at the speed of the challenge; null for any. A player without a rating
    /// counts as 1500.
    #[schema(required = true)]
    challenge_min_rating: Option<i32>,
    /// The highest such rating; null for any.
    #[schema(required = true)]
    challenge_max_rating: Option<i32>,
    /// Whether chat is on; false by default. Null where there is no choice: for guests and bot accounts, and where the operator has switched
    /// chat off.
    #[schema(required = true)]
    chat: Option<bool>,
    /// The chosen avatar; null for the picture that the page makes of the name.
    #[schema(required = true)]
    avatar: Option<Avatar>,
    /// The chosen flag; null for none, as by default.
    #[schema(required = true)]
    flag: Option<Flag>,
}

/// The preferences to change; those left out stay as they are.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct PreferenceChange {
    /// Whether guests may challenge the caller by name: true is `everybody` and false `registered`, where `challenges_from` is one of the two.
    guests_may_challenge: Option<bool>,
    /// The permitted challengers by name.
    challenges_from: Option<ChallengesFrom>,
    /// The lowest rating of a challenger by name, 0 to 4000; null for any.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<i32>)]
    challenge_min_rating: Option<Option<i32>>,
    /// The highest such rating, 0 to 4000; null for any.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<i32>)]
    challenge_max_rating: Option<Option<i32>>,
    /// Whether chat is on.
    chat: Option<bool>,
    /// The avatar; null for none. Accounts only.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<Avatar>)]
    avatar: Option<Option<Avatar>>,
    /// The flag; null for none. Accounts only.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<Flag>)]
    flag: Option<Option<Flag>>,
}

impl PreferenceChange {
    /// Returns the changed rule about challenges, checked; `None` where nothing of it changes.
    async fn challenge_rule(
        &self,
        app: &App,
        me: &SignedIn,
    ) -> Result<Option<ChallengeRule>, ApiError> {
        let old = app.store.challenge_rule(&me.player.id).await?;
        let by_guests = match (old.from, self.guests_may_challenge) {
            (ChallengesFrom::Everybody, Some(false)) => ChallengesFrom::Registered,
            (ChallengesFrom::Registered, Some(true)) => ChallengesFrom::Everybody,
            (from, _) => from,
        };
        let rule = ChallengeRule {
            from: self.challenges_from.unwrap_or(by_guests),
            min_rating: self.challenge_min_rating.unwrap_or(old.min_rating),
            max_rating: self.challenge_max_rating.unwrap_or(old.max_rating),
        };
        let fields = ["challenge_min_rating", "challenge_max_rating"];
        check_range(rule.min_rating, rule.max_rating, fields)?;
        Ok((rule != old).then_some(rule))
    }
}

/// Reads a field that is there, of which null is a value.
fn given<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

/// Returns the caller's preferences.
#[utoipa::path(
    get, path = "/api/v1/me/preferences", tag = "accounts",
    responses((status = 200, body = Preferences), (status = 401))
)]
async fn show(State(app): State<App>, me: SignedIn) -> Result<Json<Preferences>, ApiError> {
    let rule = app.store.challenge_rule(&me.player.id).await?;
    let chat = match has_choice(&app, &me) {
        Ok(()) => Some(app.store.has_chat(&me.player.id).await?),
        Err(_) => None,
    };
    Ok(Json(Preferences {
        guests_may_challenge: rule.from == ChallengesFrom::Everybody,
        challenges_from: rule.from,
        challenge_min_rating: rule.min_rating,
        challenge_max_rating: rule.max_rating,
        chat,
        avatar: me.player.look.avatar,
        flag: me.player.look.flag,
    }))
}

/// Changes the caller's preferences on all devices.
/// The response has all preferences as they are afterwards.
#[utoipa::path(
    patch, path = "/api/v1/me/preferences", tag = "accounts", request_body = PreferenceChange,
    responses(
        (status = 200, body = Preferences),
        (status = 401),
        (status = 403, description = "`session-needed`; for `chat`: `account-needed`, `no-bots`, `chat-disabled`; for an avatar or a flag: `account-needed`"),
        (status = 422, description = "`bad-range` for the ratings"),
    )
)]
async fn change(
    State(app): State<App>,
    mut me: SignedIn,
    Body(change): Body<PreferenceChange>,
) -> Result<Json<Preferences>, ApiError> {
    if change.chat.is_some() {
        has_choice(&app, &me)?;
    }
    let rule = change.challenge_rule(&app, &me).await?;
    let look = LookChange {
        avatar: change.avatar,
        flag: change.flag,
    };
    if look != LookChange::default() {
        if me.player.kind == PlayerKind::Guest {
            return Err(ApiError::AccountNeeded);
        }
        app.store.change_look(&me.player.id, look).await?;
        let shown = &mut me.player.look;
        shown.avatar = look.avatar.unwrap_or(shown.avatar);
        shown.flag = look.flag.unwrap_or(shown.flag);
        show_running_anew(&app, &me.player.id).await?;
    }
    if let Some(rule) = rule {
        app.store.set_challenge_rule(&me.player.id, rule).await?;
    }
    if let Some(on) = change.chat {
        app.store.set_chat(&me.player.id, on).await?;
        if !on {
            app.sockets.end_chat(&me.player.id);
        }
    }
    show(State(app), me).await
}

/// Checks that the caller may choose whether chat is on.
fn has_choice(app: &App, me: &SignedIn) -> Result<(), ApiError> {
    if !app.settings.chat {
        return Err(ApiError::ChatDisabled);
    }
    me.check_person()
}
