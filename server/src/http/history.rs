//! Which matches of a player are asked for: the filters that the pages of a history and its export share.

use mawe_rules::GameKind;
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use crate::http::error::ApiError;
use crate::http::extract::SignedIn;
use crate::http::{App, players};
use crate::protocol::Speed;
use crate::store::{MatchFilter, Player, Score};

/// Which page of which matches.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct HistoryQuery {
    /// `next` of the page before.
    pub(super) cursor: Option<String>,
    /// How many, 1 to 100; 20 by default.
    #[param(minimum = 1, maximum = 100)]
    pub(super) limit: Option<u32>,
    /// Only of this game kind.
    #[param(value_type = Option<String>)]
    game: Option<GameKind>,
    /// Only against this player, by name.
    opponent: Option<String>,
    /// Only rated ones (`true`), only others (`false`).
    rated: Option<bool>,
    /// Only those that ended so for the player.
    #[param(inline)]
    result: Option<ResultWish>,
    /// Only at this speed.
    #[param(inline)]
    speed: Option<Speed>,
    /// Only those created at this time or later (RFC 3339).
    #[param(value_type = Option<String>, format = DateTime)]
    since: Option<jiff::Timestamp>,
    /// Only those created before this time.
    #[param(value_type = Option<String>, format = DateTime)]
    until: Option<jiff::Timestamp>,
}

/// Which matches: as for a page, without the page.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct Narrowed {
    /// Only of this game kind.
    #[param(value_type = Option<String>)]
    game: Option<GameKind>,
    /// Only against this player, by name.
    opponent: Option<String>,
    /// Only rated ones (`true`), only others (`false`).
    rated: Option<bool>,
    /// Only those that ended so for the player.
    #[param(inline)]
    result: Option<ResultWish>,
    /// Only at this speed.
    #[param(inline)]
    speed: Option<Speed>,
    /// Only those created at this time or later (RFC 3339).
    #[param(value_type = Option<String>, format = DateTime)]
    since: Option<jiff::Timestamp>,
    /// Only those created before this time.
    #[param(value_type = Option<String>, format = DateTime)]
    until: Option<jiff::Timestamp>,
}

impl HistoryQuery {
    /// Without the page. (Flattening one struct into the other would make every parameter a text, which numbers and booleans are not.)
    pub(super) fn narrowed(self) -> Narrowed {
        Narrowed {
            game: self.game,
            opponent: self.opponent,
            rated: self.rated,
            result: self.result,
            speed: self.speed,
            since: self.since,
            until: self.until,
        }
    }
}

/// How a match ended for the player whose history it is.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum ResultWish {
    Won,
    Drawn,
    Lost,
}

/// The filter for the store.
pub(super) async fn filter(
    app: &App,
    player: Player,
    viewer: Option<SignedIn>,
    wish: Narrowed,
) -> Result<MatchFilter, ApiError> {
    let opponent = match wish.opponent.as_deref() {
        None => None,
        Some(name) => match players::find(app, name).await {
            Ok(opponent) => Some(opponent.id),
            Err(ApiError::NotFound(_)) => {
                return Err(ApiError::field(
                    "bad-filter",
                    "opponent",
                    "there is no player of this name",
                ));
            }
            Err(error) => return Err(error),
        },
    };
    Ok(MatchFilter {
        viewer: viewer.map(|viewer| viewer.player.id),
        game: wish.game,
        opponent,
        rated: wish.rated,
        score: wish.result.map(|result| match result {
            ResultWish::Won => Score::Won,
            ResultWish::Drawn => Score::Drawn,
            ResultWish::Lost => Score::Lost,
        }),
        speed: wish.speed,
        since_ms: wish.since.map(ceiling_ms),
        until_ms: wish.until.map(ceiling_ms),
        ..MatchFilter::of(player.id)
    })
}

/// The first whole millisecond that is not before `time`: what is stored is whole milliseconds.
fn ceiling_ms(time: jiff::Timestamp) -> i64 {
    let whole = time.as_millisecond();
    let is_before = time.as_nanosecond() > i128::from(whole) * 1_000_000;
    whole + i64::from(is_before)
}
