//! The filters of a player's matches, shared by the pages of the history and its export.

use mawe_rules::GameKind;
use mawe_store::{MatchFilter, Player, Score};
use mawe_wire::{Code, Speed};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use crate::app::App;
use crate::http::error::ApiError;
use crate::http::extract::SignedIn;
use crate::http::lookup;

/// The query of a page of matches.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct HistoryQuery {
    /// `next` of the previous page.
    pub(crate) cursor: Option<String>,
    /// The size of the page, 1 to 100; 20 by default.
    pub(crate) limit: Option<u32>,
    /// Only matches of this game kind.
    game: Option<GameKind>,
    /// Only matches against this player, by name.
    opponent: Option<String>,
    /// Only rated matches (`true`), or only casual ones (`false`).
    rated: Option<bool>,
    /// Only matches with this result for the player.
    #[param(inline)]
    result: Option<ResultWish>,
    /// Only matches at this speed.
    #[param(inline)]
    speed: Option<Speed>,
    /// Only matches created at this time or later (RFC 3339).
    since: Option<jiff::Timestamp>,
    /// Only matches created before this time (RFC 3339).
    until: Option<jiff::Timestamp>,
}

/// The filters without a page.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Narrowed {
    /// Only matches of this game kind.
    game: Option<GameKind>,
    /// Only matches against this player, by name.
    opponent: Option<String>,
    /// Only rated matches (`true`), or only casual ones (`false`).
    rated: Option<bool>,
    /// Only matches with this result for the player.
    #[param(inline)]
    result: Option<ResultWish>,
    /// Only matches at this speed.
    #[param(inline)]
    speed: Option<Speed>,
    /// Only matches created at this time or later (RFC 3339).
    since: Option<jiff::Timestamp>,
    /// Only matches created before this time (RFC 3339).
    until: Option<jiff::Timestamp>,
}

impl HistoryQuery {
    /// Returns the filters. (In a flattened struct serde would read every parameter as text, also numbers and booleans.)
    pub(crate) fn narrowed(self) -> Narrowed {
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

/// The result of a match for the player of the history.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum ResultWish {
    Won,
    Drawn,
    Lost,
}

/// Returns the filter for the store.
pub(crate) async fn filter(
    app: &App,
    player: Player,
    viewer: Option<SignedIn>,
    wish: Narrowed,
) -> Result<MatchFilter, ApiError> {
    let opponent = match wish.opponent.as_deref() {
        None => None,
        Some(name) => match lookup::find(app, name).await {
            Ok(opponent) => Some(opponent.id),
            Err(ApiError::NotFound(_)) => {
                return Err(ApiError::field(
                    Code::BadFilter,
                    "opponent",
                    "there is no player of this name",
                ));
            }
            Err(error) => return Err(error),
        },
    };
    // Running matches of a player are not listed for a viewer blocked by that player.
    let finished = match &viewer {
        Some(viewer) => {
            let relation = app.store.relation(&viewer.player.id, &player.id).await?;
            relation.blocked_by
        }
        None => false,
    };
    // A teacher sees the matches of a pupil as the pupil does.
    let viewer = match viewer.map(|viewer| viewer.player.id) {
        Some(viewer) if app.store.teaches(&viewer, &player.id).await? => Some(player.id.clone()),
        viewer => viewer,
    };
    Ok(MatchFilter {
        finished,
        viewer,
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

/// Returns the first whole millisecond that is not before `time`: the store has whole milliseconds.
fn ceiling_ms(time: jiff::Timestamp) -> i64 {
    let whole = time.as_millisecond();
    let is_before = time.as_nanosecond() > i128::from(whole) * 1_000_000;
    whole + i64::from(is_before)
}
