//! Prepares matches: seats, ratings and setup.

use mawe_play::openings;
use mawe_play::rating;
use mawe_play::room::due::{due_ms, turn_ms};
use mawe_rules::{AnyPosition, AnySetup, BySide, GameKind, SetupError, Side};
use mawe_store::{MatchRow, NewChallenge, NewMatch, Player, Store, StoreError};
use mawe_wire::ids::MatchId;
use mawe_wire::random;
use mawe_wire::{MatchOptions, TimeControl};

use crate::clock::unix_ms;

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
    AnySetup::parse(game, text).map_err(damaged_setup)
}

fn damaged_setup(error: SetupError) -> StoreError {
    StoreError::Damaged {
        what: "setup",
        detail: error.to_string(),
    }
}

/// Returns the side of a player who asked for `wish`; a random one for `None`.
#[must_use]
pub fn side_for(wish: Option<Side>) -> Side {
    wish.unwrap_or_else(|| {
        if mawe_wire::random::bit() {
            Side::First
        } else {
            Side::Second
        }
    })
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
    // What the class of a player forbids is off in the match, whatever was agreed.
    let class = store
        .class_rules_at(BySide::new(&players.first.id, &players.second.id))
        .await?;
    let options = MatchOptions {
        phrases: terms.options.phrases && class.phrases,
        ..terms.options
    };
    let setup = openings::draw(&terms.setup, terms.rated, random::number());
    let start = AnyPosition::start(terms.game, &setup).map_err(damaged_setup)?;
    let has_bot = players.first.level.is_some() || players.second.level.is_some();
    Ok(NewMatch {
        id: MatchId::random(),
        game: terms.game,
        setup: setup.to_string(),
        rated: terms.rated,
        time_control: terms.time_control,
        speed,
        extra_ms: BySide::default(),
        options,
        private: terms.private || !class.spectators,
        players: BySide::from_fn(|side| players[side].id.clone()),
        ratings,
        rematch_of,
        due_ms: due_ms(
            terms.time_control,
            turn_ms(terms.time_control, has_bot),
            players[start.turn()].level.is_some(),
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
        // One more point is of the event, which the rematch is no part of.
        options: MatchOptions {
            berserk: false,
            ..of.options
        },
        private: of.private,
    };
    let players = BySide::new(of.players.second.clone(), of.players.first.clone());
    let mut new = prepare(store, &terms, &players, Some(of.id.clone())).await?;
    // A rated match has equal clocks outside an event.
    if !of.rated {
        new.extra_ms = BySide::new(of.extra_ms.second, of.extra_ms.first);
    }
    match store.create_match(&new).await {
        Ok(()) => Ok(new.id),
        Err(StoreError::Conflict) => store
            .find_rematch(&of.id)
            .await?
            .ok_or(StoreError::NotFound),
        Err(error) => Err(error),
    }
}
