//! The database behind the statements: its types, and the ends of transactions.

pub(super) use super::super::{
    Backend, Db, RUNS_ALONE, Tx, Writer, begin, begin_alone, commit, run, serialise,
};
use mawe_wire::end_reason::EndReason;
use mawe_wire::ids::MatchId;

use crate::error::StoreError;
use crate::rows::id as parsed_id;

/// Selects matches as `MatchRecord`s: `m`, joined to the players `f` and `s`.
macro_rules! select_matches {
    ($($rest:expr),+) => {
        concat!(
            "SELECT m.id, m.game, m.setup, m.rated, m.time_control, m.base_ms, m.increment_ms, m.days, m.speed,
                m.takebacks, m.give_time, m.phrases, m.free_takebacks, m.berserk, m.first_extra_ms, m.second_extra_ms, m.private,
                m.first_id, f.name AS first_name, f.kind AS first_kind, f.level AS first_level,
                f.display_name AS first_display_name, f.avatar AS first_avatar, f.flag AS first_flag, f.created_ms AS first_created_ms,
                m.second_id, s.name AS second_name, s.kind AS second_kind, s.level AS second_level,
                s.display_name AS second_display_name, s.avatar AS second_avatar, s.flag AS second_flag, s.created_ms AS second_created_ms,
                m.first_rating, m.first_deviation, m.second_rating, m.second_deviation,
                m.first_change, m.second_change, m.created_ms, m.finished_ms, m.winner, m.reason,
                m.score_first, m.score_second, m.plies, m.epoch, m.left_by, m.rating_weight, m.voided_ms, ",
            head!(),
            " AS head,
                EXISTS (SELECT 1 FROM outbox o WHERE o.match_id = m.id AND o.effect = 'count') AS uncounted
            FROM matches m JOIN players f ON f.id = m.first_id JOIN players s ON s.id = m.second_id ",
            $($rest),+
        )
    };
}
pub(super) use select_matches;

/// Selects rows of `ratings` as `RatingRecord`s.
macro_rules! select_ratings {
    ($rest:literal) => {
        concat!(
            "SELECT game, speed, rating, deviation, volatility, updated_ms, won, drawn, lost, opponents FROM ratings ",
            $rest
        )
    };
}
pub(super) use select_ratings;

/// A practically unlimited `LIMIT`: SQLite allows no `OFFSET` without one.
pub(super) const ALL: i64 = 1_000_000;

/// Returns the codes of the reasons for which a match is called off, as a list for SQL. They need no escaping, because they are constants.
pub(super) fn called_off_in_sql() -> String {
    let called_off = EndReason::all().filter(|reason| reason.is_called_off());
    let quoted: Vec<String> = called_off.map(|reason| format!("'{reason}'")).collect();
    quoted.join(", ")
}

pub(super) fn match_id(text: String) -> Result<MatchId, StoreError> {
    parsed_id("match id", text)
}
