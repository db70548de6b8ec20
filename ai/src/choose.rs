//! The moves of the levels.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use mawe_rules::{AnyPosition, Record};

use crate::error::ThinkError;
use crate::knowledge::Knowledge;
use crate::level::Level;
use crate::limits::Limits;
use crate::strength::Strength;
use crate::think::{Thought, think_seeing};

/// The move of a player of this level.
///
/// The same arguments give the same result, unless `stop` is set or `deadline` (from the call; [`Duration::MAX`] for none)
/// passes before the level's own limits are reached. `proven` is never set, because a player with errors is never certain.
///
/// # Errors
///
/// [`ThinkError::GameOver`] if the game is over.
pub fn choose(
    pos: &AnyPosition,
    level: Level,
    seed: u64,
    stop: Arc<AtomicBool>,
    deadline: Duration,
) -> Result<Thought, ThinkError> {
    let game = Record::from_position(pos.clone());
    let knowledge = &Knowledge::built_in();
    choose_as(
        &game,
        level.strength(pos.kind()),
        knowledge,
        seed,
        stop,
        deadline,
    )
}

/// As [`choose`], in the current position of a game, whose earlier positions count for repetition, and with `knowledge`. Only
/// a player that overlooks nothing uses it; the others use none. A player of full strength plays book moves while there are
/// any.
///
/// # Errors
///
/// The errors of [`choose`].
pub fn choose_as(
    game: &Record,
    strength: Strength,
    knowledge: &Knowledge,
    seed: u64,
    stop: Arc<AtomicBool>,
    deadline: Duration,
) -> Result<Thought, ThinkError> {
    if strength == Strength::FULL
        && let Some(m) = knowledge.opening(game.position(), seed)
    {
        return Ok(Thought::from_book(m));
    }
    let limits = Limits {
        // A single legal move needs no search.
        depth: Some(match game.position().legal_moves().len() {
            1 => 1,
            _ => strength.depth,
        }),
        nodes: Some(strength.nodes),
        movetime: (deadline < Duration::MAX).then_some(deadline),
        stop: Some(stop),
        clock: None,
    };
    think_seeing(
        game,
        &limits,
        strength.features(),
        strength.sight(seed),
        knowledge,
    )
}
