//! The computer opponents as players: their names, and ratings seeded from the ladder that measured the engine's levels.

use mawe_ai::{LADDER, Level};
use mawe_rules::GameKind;
use mawe_store::{Player, Seed, Store, StoreError};
use mawe_wire::Speed;

use crate::clock::unix_ms;

/// The beginning of every computer opponent's name. The page leaves it out.
pub const PREFIX: &str = "mawe-";

/// The names of the computer opponents, level 1 first: Swahili words for stones, shells and hills. Each has a portrait
/// (`static/icons/opponents.svg`), a sentence (`bot.1` in `static/i18n/play/`) and a [manner](super::manner).
pub const NAMES: [&str; Level::COUNT] = [
    "mawe-Kokoto",
    "mawe-Changarawe",
    "mawe-Komwe",
    "mawe-Kete",
    "mawe-Jiwe",
    "mawe-Mwamba",
    "mawe-Jabali",
    "mawe-Kilima",
    "mawe-Mlima",
    "mawe-Kilele",
];

/// The deviation of a seeded rating. The ladder measures the differences between levels, not their strength against people. Low enough to
/// count as an established rating.
const DEVIATION: f64 = 100.0;

/// The volatility of a seeded rating: the strength of a program does not change.
const VOLATILITY: f64 = 0.01;

/// Returns the computer opponents, level 1 first, and creates missing ones. Their ratings are set to the ladder's if it has grown since
/// they were last set, and are otherwise the results of their matches.
///
/// # Errors
/// When the store does not answer, or another player has one of their names both without and with the number of its level.
pub async fn players(store: &dyn Store) -> Result<Vec<Player>, StoreError> {
    let now_ms = unix_ms();
    let mut players = Vec::with_capacity(NAMES.len());
    for (level, name) in (1u8..).zip(NAMES) {
        let bot = match store.ensure_bot(level, name, now_ms).await {
            // Levels were added when accounts existed already: one of them may have the name.
            Err(StoreError::Conflict) => {
                let name = format!("{name}-{level}");
                store.ensure_bot(level, &name, now_ms).await?
            }
            made => made?,
        };
        players.push(bot);
    }
    if store.seed_ratings(LADDER, &seeds(&players), now_ms).await? {
        tracing::info!("the computer opponents have the ratings of ladder {LADDER}");
    }
    Ok(players)
}

/// Returns the rating of a level in a game before it has played.
#[must_use]
pub fn rating(level: u8, game: GameKind) -> f64 {
    let level = Level::try_from(level).unwrap_or(Level::MAX);
    f64::from(level.rating(game))
}

/// Returns the seeds for all speeds, equal for each: a level is limited by its search, not by time.
fn seeds(players: &[Player]) -> Vec<Seed> {
    let mut seeds = Vec::new();
    for player in players {
        let Some(level) = player.level else { continue };
        for &game in GameKind::ALL {
            for speed in Speed::ALL {
                seeds.push(Seed {
                    player: player.id.clone(),
                    game,
                    speed,
                    rating: rating(level, game),
                    deviation: DEVIATION,
                    volatility: VOLATILITY,
                });
            }
        }
    }
    seeds
}

#[cfg(test)]
mod tests {
    use mawe_play::rating::is_provisional;

    use super::*;

    #[test]
    fn every_level_has_a_rating_that_counts() {
        assert!(!is_provisional(DEVIATION));
        for &game in GameKind::ALL {
            for level in 2..=Level::MAX.get() {
                assert!(
                    rating(level - 1, game) < rating(level, game),
                    "{game} {level}"
                );
            }
        }
    }
}
