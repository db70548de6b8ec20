//! The endgame databases of an engine that plays for a measurement.

use std::sync::Arc;

use mawe_ai::Endgames;
use mawe_ai::endgame::Database;
use mawe_rules::GameKind;

/// Makes the database of a game of up to so many pieces or seeds.
///
/// # Errors
///
/// When the game has none.
pub(super) fn databases(kind: GameKind, up_to: u8) -> Result<Endgames, String> {
    fn solved<D: Database>(up_to: u8) -> Arc<D> {
        Arc::new(D::solved(up_to, 1))
    }
    let mut endgames = Endgames::default();
    match kind {
        GameKind::Checkers => endgames.checkers = solved(up_to),
        GameKind::Drafti => endgames.drafti = solved(up_to),
        GameKind::Brazilian => endgames.brazilian = solved(up_to),
        GameKind::Russian => endgames.russian = solved(up_to),
        GameKind::Pool => endgames.pool = solved(up_to),
        GameKind::Kalah => endgames.kalah = solved(up_to),
        GameKind::Oware => endgames.oware = solved(up_to),
        GameKind::Mawe
        | GameKind::Reversi
        | GameKind::International
        | GameKind::Congkak
        | GameKind::Bao
        | GameKind::Pallanguzhi => {
            return Err(format!("{kind} has no database"));
        }
    }
    Ok(endgames)
}
