//! Prepares matches: seats, ratings and setup.

use mawe_rules::{AnySetup, BySide, GameKind, Side};

use crate::ids::{MatchId, random_number};
use crate::openings;
use crate::protocol::{MatchOptions, TimeControl};
use crate::rating;
use crate::room::timing::UNATTENDED_MS;
use crate::store::{MatchRow, NEVER_DUE, NewChallenge, NewMatch, Player, Store, StoreError};

/// The terms of a match, agreed before it begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Terms {
    /// The game kind.
    pub game: GameKind,
    /// The setup.
    pub setup: AnySetup,
    /// The time control.
    pub time_control: TimeControl,
    /// Whether ratings change.
    pub rated: bool,
    /// The options of the match.
    pub options: MatchOptions,
    /// Whether only clients with the link can see it.
    pub private: bool,
}

impl MatchOptions {
    /// Returns the default options. Takebacks are off in a rated match.
    #[must_use]
    pub fn usual(rated: bool) -> MatchOptions {
        MatchOptions {
            takebacks: !rated,
            give_time: true,
            phrases: true,
            free_takebacks: false,
        }
    }
}

/// Returns the terms of a challenge.
///
/// # Errors
/// [`StoreError::Damaged`].
pub fn terms_of(offer: &NewChallenge) -> Result<Terms, StoreError> {
    Ok(Terms {
        game: offer.game,
        setup: stored_setup(offer.game, &offer.setup)?,
        time_control: offer.time_control,
        rated: offer.rated,
        options: offer.options,
        private: offer.private,
    })
}

fn stored_setup(game: GameKind, text: &str) -> Result<AnySetup, StoreError> {
    AnySetup::parse(game, text).map_err(|error| StoreError::Damaged {
        what: "setup",
        detail: error.to_string(),
    })
}

/// Returns the time of day, in milliseconds since the Unix epoch.
#[must_use]
pub fn unix_ms() -> i64 {
    jiff::Timestamp::now().as_millisecond()
}

/// Returns the side of a player who asked for `wish`; a random one for `None`.
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

/// The time after which an unloaded match is opened to ask its bot, if the bot has not answered since its turn began.
pub(crate) const BOT_DUE_MS: i64 = 60_000;

/// The time of the side to move in a match that is not realtime, after which the match ends; `None` without a limit.
#[must_use]
pub fn turn_ms(control: TimeControl, against_bot: bool) -> Option<u64> {
    match control {
        TimeControl::Unlimited => against_bot.then_some(UNATTENDED_MS),
        TimeControl::Correspondence { .. } | TimeControl::Realtime { .. } => control.turn_ms(),
    }
}

/// Returns the time at which a match that is not realtime must be loaded: the side to move has had `turn_ms` since `since_ms`, or is a bot.
/// `None` for a realtime match.
#[must_use]
pub fn due_ms(
    control: TimeControl,
    turn_ms: Option<u64>,
    bot_to_move: bool,
    since_ms: i64,
) -> Option<i64> {
    if control.is_realtime() {
        None
    } else if bot_to_move {
        Some(since_ms + BOT_DUE_MS)
    } else {
        Some(turn_ms.map_or(NEVER_DUE, |turn_ms| {
            since_ms.saturating_add_unsigned(turn_ms)
        }))
    }
}

/// Prepares a match on these terms, to be created by the caller. This is the only place that draws a match's opening.
///
/// # Errors
/// [`StoreError`] if the store does not answer.
pub async fn prepare(
    store: &dyn Store,
    terms: &Terms,
    players: &BySide<Player>,
    rematch_of: Option<MatchId>,
) -> Result<NewMatch, StoreError> {
    let speed = terms.time_control.speed();
    let created_ms = unix_ms();
    let rating = async |player: &Player| {
        let row = store.rating(&player.id, terms.game, speed).await?;
        let now = row.map(|row| rating::current(&row.rating, created_ms));
        Ok::<_, StoreError>(now.map(|now| (now.rating, now.deviation)))
    };
    let ratings = if players.first.id == players.second.id {
        // A match of one person at both seats says nothing about strength, and lists of strong matches must not contain it.
        BySide::default()
    } else {
        BySide::new(
            rating(&players.first).await?,
            rating(&players.second).await?,
        )
    };
    let has_bot = players.first.level.is_some() || players.second.level.is_some();
    Ok(NewMatch {
        id: MatchId::random(),
        game: terms.game,
        setup: openings::draw(&terms.setup, terms.rated, random_number()).to_string(),
        rated: terms.rated,
        time_control: terms.time_control,
        speed,
        options: terms.options,
        private: terms.private,
        players: BySide::from_fn(|side| players[side].id.clone()),
        ratings,
        rematch_of,
        due_ms: due_ms(
            terms.time_control,
            turn_ms(terms.time_control, has_bot),
            players.first.level.is_some(),
            created_ms,
        ),
        created_ms,
    })
}

/// Creates the rematch of a match, with the sides exchanged, or returns the existing one.
///
/// # Errors
/// [`StoreError`] if the store does not answer.
pub async fn rematch(store: &dyn Store, of: &MatchRow) -> Result<MatchId, StoreError> {
    let terms = Terms {
        game: of.game,
        setup: stored_setup(of.game, &of.setup)?,
        time_control: of.time_control,
        rated: of.rated,
        options: of.options,
        private: of.private,
    };
    let players = BySide::new(of.players.second.clone(), of.players.first.clone());
    let new = prepare(store, &terms, &players, Some(of.id.clone())).await?;
    match store.create_match(&new).await {
        Ok(()) => Ok(new.id),
        Err(StoreError::Conflict) => store
            .find_rematch(&of.id)
            .await?
            .ok_or(StoreError::NotFound),
        Err(error) => Err(error),
    }
}
