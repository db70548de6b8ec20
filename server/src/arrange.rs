//! Arranges matches: who sits where, with which ratings, and whether it is rated.

use mawe_rules::{AnySetup, BySide, GameKind, Side};

use crate::ids::{MatchId, PlayerId};
use crate::protocol::TimeControl;
use crate::store::{MatchRow, NewMatch, Store, StoreError};

/// What is agreed on before a match begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Terms {
    /// The game kind.
    pub game: GameKind,
    /// The setup.
    pub setup: AnySetup,
    /// How much time.
    pub time_control: TimeControl,
    /// Whether ratings change.
    pub rated: bool,
}

/// The time of day, in milliseconds since the Unix epoch.
#[must_use]
pub fn unix_ms() -> i64 {
    jiff::Timestamp::now().as_millisecond()
}

/// Which side the player gets who asked for `wish`; `None` leaves it to chance.
#[must_use]
pub fn side_for(wish: Option<Side>) -> Side {
    wish.unwrap_or_else(|| {
        if crate::ids::random_bit() {
            Side::First
        } else {
            Side::Second
        }
    })
}

/// A match on these terms, ready to be created.
///
/// # Errors
/// When the store does not answer.
pub async fn prepare(
    store: &dyn Store,
    terms: &Terms,
    players: BySide<PlayerId>,
    rematch_of: Option<MatchId>,
) -> Result<NewMatch, StoreError> {
    let speed = terms.time_control.speed();
    let rating = async |player: &PlayerId| {
        let row = store.rating(player, terms.game, speed).await?;
        Ok::<_, StoreError>(row.map(|row| (row.rating.rating, row.rating.deviation)))
    };
    let ratings = BySide::new(
        rating(&players.first).await?,
        rating(&players.second).await?,
    );
    Ok(NewMatch {
        id: MatchId::random(),
        game: terms.game,
        setup: terms.setup.to_string(),
        rated: terms.rated,
        time_control: terms.time_control,
        speed,
        players,
        ratings,
        rematch_of,
        created_ms: unix_ms(),
    })
}

/// The rematch of a match, sides exchanged: made now, or the one that is there already.
///
/// # Errors
/// When the store does not answer.
pub async fn rematch(store: &dyn Store, of: &MatchRow) -> Result<MatchId, StoreError> {
    let setup = AnySetup::parse(of.game, &of.setup);
    let setup = setup.map_err(|error| StoreError::Damaged {
        what: "match",
        detail: error.to_string(),
    })?;
    let terms = Terms {
        game: of.game,
        setup,
        time_control: of.time_control,
        rated: of.rated,
    };
    let players = BySide::new(of.players.second.id.clone(), of.players.first.id.clone());
    let new = prepare(store, &terms, players, Some(of.id.clone())).await?;
    match store.create_match(&new).await {
        Ok(()) => Ok(new.id),
        Err(StoreError::Conflict) => store
            .find_rematch(&of.id)
            .await?
            .ok_or(StoreError::NotFound),
        Err(error) => Err(error),
    }
}
