//! The times at which a match that is not in memory must be loaded.

use mawe_wire::TimeControl;

use super::timing::UNATTENDED_MS;

/// The `due_ms` of a match that need not be loaded until somebody opens it.
pub const NEVER_DUE: i64 = i64::MAX;

/// The time after which an unloaded match is opened to ask its bot, if the bot has not answered since its turn began.
pub const BOT_DUE_MS: i64 = 60_000;

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
