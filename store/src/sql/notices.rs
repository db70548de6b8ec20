//! Notices to players.

use std::collections::BTreeSet;

use async_trait::async_trait;
use mawe_rules::{GameKind, Side};
use mawe_wire::end_reason::EndReason;
use mawe_wire::ids::{ChallengeId, MatchId, NoticeId, PlayerId};
use mawe_wire::{NoticeAbout, NoticeKind, NoticeOutcome};
use sqlx::QueryBuilder;

use super::backend::{ALL, Backend, Db, Tx, begin, commit, serialise};
use crate::detached::detached;
use crate::rows::{NoticeRecord, ResultRecord, Stored, id as parsed_id, number, parsed};
use crate::{
    MAX_NOTICES, NewNotice, NoticeCursor, NoticeFilter, NoticeRow, Notices, StoreError,
    WhichNotices,
};

/// The age up to which a challenge that nobody answered is worth a notice: after a longer outage it is forgotten.
const LAPSED_MS: i64 = 24 * 60 * 60 * 1_000;

/// Selects notices as `NoticeRecord`s: `n`, joined to the other player `p`.
const SELECT_NOTICES: &str = "SELECT n.id AS notice_id, n.player_id AS notice_player_id, n.kind AS notice_kind, n.text, n.until_ms,
        n.created_ms AS notice_created_ms, n.data, n.read_ms, p.id, p.name, p.kind, p.level, p.display_name, p.avatar, p.flag, p.created_ms AS player_created_ms
    FROM notices n LEFT JOIN players p ON p.id = n.by_id WHERE ";

/// The kinds of moderators' notices, for SQL.
macro_rules! of_moderators {
    () => {
        "('warning', 'muted', 'chat-muted', 'renamed', 'display-name-removed', 'appeal-accepted', 'appeal-rejected')"
    };
}
pub(super) use of_moderators;

#[async_trait]
impl Notices for Backend {
    async fn notices_of(
        &self,
        player: &PlayerId,
        filter: NoticeFilter,
        cursor: Option<&NoticeCursor>,
        limit: u32,
    ) -> Result<Vec<NoticeRow>, StoreError> {
        let mut query = QueryBuilder::<Db>::new(SELECT_NOTICES);
        query.push("n.player_id = ");
        query.push_bind(player.as_str().to_owned());
        if filter.unread {
            query.push(" AND n.read_ms IS NULL");
        }
        if filter.of_moderators {
            query.push(concat!(" AND n.kind IN ", of_moderators!()));
        }
        if let Some(cursor) = cursor {
            query.push(" AND (n.created_ms, n.id) < (");
            query.push_bind(cursor.at_ms);
            query.push(", ");
            query.push_bind(cursor.id.as_str().to_owned());
            query.push(")");
        }
        query.push(" ORDER BY n.created_ms DESC, n.id DESC LIMIT ");
        query.push_bind(i64::from(limit));
        let rows: Vec<NoticeRecord> = query.build_query_as().fetch_all(self.reader()).await?;
        parsed(rows)
    }

    async fn notices_about(&self, about: &str) -> Result<Vec<NoticeRow>, StoreError> {
        let mut query = QueryBuilder::<Db>::new(SELECT_NOTICES);
        query.push("n.about IS NOT NULL AND n.about = ");
        query.push_bind(about.to_owned());
        query.push(" ORDER BY n.player_id");
        let rows: Vec<NoticeRecord> = query.build_query_as().fetch_all(self.reader()).await?;
        parsed(rows)
    }

    async fn unread_notices(&self, player: &PlayerId) -> Result<u32, StoreError> {
        let unread: i64 = sqlx::query_scalar(
            "SELECT count(*) FROM notices WHERE player_id = $1 AND read_ms IS NULL",
        )
        .bind(player.as_str())
        .fetch_one(self.reader())
        .await?;
        number("number of notices", unread)
    }

    async fn has_notice(
        &self,
        player: &PlayerId,
        about: &str,
        kind: Option<NoticeKind>,
    ) -> Result<bool, StoreError> {
        let found: bool = sqlx::query_scalar(
            "SELECT EXISTS (SELECT 1 FROM notices WHERE about IS NOT NULL AND about = $1 AND player_id = $2
                AND (kind = $3 OR $3 = '' AND read_ms IS NULL))",
        )
        .bind(about)
        .bind(player.as_str())
        .bind(kind.map_or("", Stored::text))
        .fetch_one(self.reader())
        .await?;
        Ok(found)
    }

    async fn write_notice(&self, new: &NewNotice) -> Result<bool, StoreError> {
        let (writer, new) = (self.writer().clone(), new.clone());
        detached(async move {
            let mut tx = begin(&writer).await?;
            let written = write_all(&mut tx, vec![new]).await?;
            commit(tx).await?;
            Ok(written > 0)
        })
        .await
    }

    async fn read_notices(
        &self,
        player: &PlayerId,
        which: &WhichNotices,
        now_ms: i64,
    ) -> Result<u64, StoreError> {
        let (writer, player, which) = (self.writer().clone(), player.clone(), which.clone());
        detached(async move {
            let mut tx = begin(&writer).await?;
            lock(&mut tx, [&player]).await?;
            let mut query = QueryBuilder::<Db>::new("UPDATE notices SET read_ms = ");
            query.push_bind(now_ms);
            query.push(" WHERE read_ms IS NULL AND player_id = ");
            query.push_bind(player.as_str().to_owned());
            match &which {
                WhichNotices::UpTo(at_ms) => query.push(" AND created_ms <= ").push_bind(*at_ms),
                WhichNotices::One(id) => query.push(" AND id = ").push_bind(id.as_str().to_owned()),
                WhichNotices::About(about) => query
                    .push(" AND about IS NOT NULL AND about = ")
                    .push_bind(about.clone()),
            };
            let read = query.build().execute(&mut *tx).await?;
            commit(tx).await?;
            Ok(read.rows_affected())
        })
        .await
    }

    async fn delete_notice(&self, player: &PlayerId, id: &NoticeId) -> Result<bool, StoreError> {
        let (writer, player, id) = (self.writer().clone(), player.clone(), id.clone());
        detached(async move {
            let mut tx = begin(&writer).await?;
            let deleted = sqlx::query("DELETE FROM notices WHERE id = $1 AND player_id = $2")
                .bind(id.as_str())
                .bind(player.as_str())
                .execute(&mut *tx)
                .await?;
            commit(tx).await?;
            Ok(deleted.rows_affected() > 0)
        })
        .await
    }

    async fn delete_notice_about(
        &self,
        player: &PlayerId,
        about: &str,
        kind: NoticeKind,
    ) -> Result<bool, StoreError> {
        let (writer, player, about) = (self.writer().clone(), player.clone(), about.to_owned());
        detached(async move {
            let mut tx = begin(&writer).await?;
            let deleted = delete_about(&mut tx, &player, &about, kind).await?;
            commit(tx).await?;
            Ok(deleted)
        })
        .await
    }

    async fn note_lapsed(&self, now_ms: i64, limit: u32) -> Result<Vec<ChallengeId>, StoreError> {
        // Most calls find nothing, and then nothing is written.
        let due: Option<i32> = sqlx::query_scalar(
            "SELECT 1 FROM challenges WHERE expires_ms > (SELECT value FROM counters WHERE name = 'lapsed')
                AND expires_ms > $1 AND expires_ms <= $2
                AND to_id IS NOT NULL AND match_id IS NULL AND NOT cancelled AND declined IS NULL LIMIT 1",
        )
        .bind(now_ms.saturating_sub(LAPSED_MS))
        .bind(now_ms)
        .fetch_optional(self.reader())
        .await?;
        if due.is_none() {
            return Ok(Vec::new());
        }
        let writer = self.writer().clone();
        detached(async move {
            let mut tx = begin(&writer).await?;
            // Several nodes may run this at once: one holds the row, the others wait here and then find none.
            let noted: i64 = sqlx::query_scalar(
                "UPDATE counters SET value = value WHERE name = 'lapsed' RETURNING value",
            )
            .fetch_one(&mut *tx)
            .await?;
            let lapsed = lapsed(&mut tx, noted, now_ms, limit).await?;
            let Some(last) = lapsed.last() else {
                return Ok(Vec::new());
            };
            sqlx::query("UPDATE counters SET value = $1 WHERE name = 'lapsed'")
                .bind(last.at_ms)
                .execute(&mut *tx)
                .await?;
            let ids = lapsed.iter().map(|one| one.id.clone()).collect();
            note_all_lapsed(&mut tx, lapsed).await?;
            commit(tx).await?;
            Ok(ids)
        })
        .await
    }
}

/// A challenge by name that nobody has answered in time.
struct Lapsed {
    id: ChallengeId,
    challenger: PlayerId,
    to: PlayerId,
    game: GameKind,
    /// The time until which it could be accepted.
    at_ms: i64,
}

/// Returns challenges that have expired after `noted` and by `now_ms`: at least `limit` of them if there are as many, and all those that
/// expired at the same time as the last.
async fn lapsed(
    tx: &mut Tx,
    noted: i64,
    now_ms: i64,
    limit: u32,
) -> Result<Vec<Lapsed>, StoreError> {
    macro_rules! open {
        () => {
            "expires_ms > $1 AND expires_ms <= $2
                AND to_id IS NOT NULL AND match_id IS NULL AND NOT cancelled AND declined IS NULL"
        };
    }
    let rows: Vec<(String, String, String, String, i64)> = sqlx::query_as(concat!(
        "SELECT id, challenger_id, to_id, game, expires_ms FROM challenges WHERE ",
        open!(),
        " AND expires_ms <= coalesce((SELECT expires_ms FROM challenges WHERE ",
        open!(),
        " ORDER BY expires_ms LIMIT 1 OFFSET $3), $2) ORDER BY expires_ms, id"
    ))
    .bind(noted.max(now_ms.saturating_sub(LAPSED_MS)))
    .bind(now_ms)
    .bind(i64::from(limit) - 1)
    .fetch_all(&mut **tx)
    .await?;
    rows.into_iter()
        .map(|(id, challenger, to, game, at_ms)| {
            Ok(Lapsed {
                id: parsed_id("challenge id", id)?,
                challenger: parsed_id("player id", challenger)?,
                to: parsed_id("player id", to)?,
                game: GameKind::from_text(&game)?,
                at_ms,
            })
        })
        .collect()
}

/// The challenger gets a notice. That of the challenged player changes its kind; it is not unread again, because it says nothing new.
async fn note_all_lapsed(tx: &mut Tx, lapsed: Vec<Lapsed>) -> Result<(), StoreError> {
    let players = lapsed.iter().flat_map(|one| [&one.challenger, &one.to]);
    lock(tx, players).await?;
    for Lapsed {
        id,
        challenger,
        to,
        game,
        at_ms,
    } in lapsed
    {
        sqlx::query(
            "UPDATE notices SET kind = $3 WHERE about IS NOT NULL AND about = $1 AND player_id = $2 AND kind = $4",
        )
        .bind(id.as_str())
        .bind(to.as_str())
        .bind(NoticeKind::ChallengeMissed.text())
        .bind(NoticeKind::Challenge.text())
        .execute(&mut **tx)
        .await?;
        let new = NewNotice {
            player: challenger,
            kind: NoticeKind::ChallengeLapsed,
            by: Some(to),
            key: id.to_string(),
            about: NoticeAbout {
                challenge: Some(id),
                game: Some(game),
                ..NoticeAbout::default()
            },
            until_ms: None,
            at_ms,
        };
        write_locked(tx, &new).await?;
    }
    Ok(())
}

/// Locks the notices of players until the commit: all in the same order, so that two transactions never wait for each other.
pub(super) async fn lock(
    tx: &mut Tx,
    players: impl IntoIterator<Item = &PlayerId>,
) -> Result<(), StoreError> {
    let players: BTreeSet<&str> = players.into_iter().map(PlayerId::as_str).collect();
    for player in players {
        serialise(tx, &format!("notices of {player}")).await?;
    }
    Ok(())
}

/// Writes notices as a part of a transaction. Returns the number of those written: a player without an account gets none.
pub(super) async fn write_all(tx: &mut Tx, new: Vec<NewNotice>) -> Result<usize, StoreError> {
    lock(tx, new.iter().map(|one| &one.player)).await?;
    let mut written = 0;
    for one in &new {
        written += usize::from(write_locked(tx, one).await?);
    }
    Ok(written)
}

/// Writes a notice to a player, and deletes those of the player beyond [`MAX_NOTICES`]. The caller has locked the player's notices.
async fn write_locked(tx: &mut Tx, new: &NewNotice) -> Result<bool, StoreError> {
    debug_assert!(!new.kind.is_of_moderator(), "it has words");
    let data = serde_json::to_string(&new.about).expect("codes and ids are plain JSON");
    let written = sqlx::query(
        "INSERT INTO notices (id, player_id, kind, text, until_ms, created_ms, about, by_id, data)
        SELECT $1, p.id, $3, '', $4, $5, $6, $7, $8 FROM players p WHERE p.id = $2 AND p.kind = 'account' AND p.deleted_ms IS NULL
        ON CONFLICT (about, player_id) WHERE about IS NOT NULL DO UPDATE SET kind = excluded.kind, until_ms = excluded.until_ms,
            created_ms = excluded.created_ms, by_id = excluded.by_id, data = excluded.data, read_ms = NULL",
    )
    .bind(NoticeId::random().as_str())
    .bind(new.player.as_str())
    .bind(new.kind.text())
    .bind(new.until_ms)
    .bind(new.at_ms)
    .bind(&new.key)
    .bind(new.by.as_ref().map(PlayerId::as_str))
    .bind(data)
    .execute(&mut **tx)
    .await?;
    if written.rows_affected() == 0 {
        return Ok(false);
    }
    sqlx::query(concat!(
        "DELETE FROM notices WHERE id IN (
            SELECT id FROM notices WHERE player_id = $1 AND (read_ms IS NOT NULL OR kind NOT IN ",
        of_moderators!(),
        ") ORDER BY created_ms DESC, id DESC LIMIT $2 OFFSET $3)"
    ))
    .bind(new.player.as_str())
    .bind(ALL)
    .bind(i64::from(MAX_NOTICES))
    .execute(&mut **tx)
    .await?;
    Ok(true)
}

/// Deletes a player's notice about this if it is of this kind.
pub(super) async fn delete_about(
    tx: &mut Tx,
    player: &PlayerId,
    about: &str,
    kind: NoticeKind,
) -> Result<bool, StoreError> {
    let deleted = sqlx::query(
        "DELETE FROM notices WHERE about IS NOT NULL AND about = $1 AND player_id = $2 AND kind = $3",
    )
    .bind(about)
    .bind(player.as_str())
    .bind(kind.text())
    .execute(&mut **tx)
    .await?;
    Ok(deleted.rows_affected() > 0)
}

/// Writes a moderator's notice.
pub(super) async fn insert_of_moderator(tx: &mut Tx, new: &NoticeRow) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO notices (id, player_id, kind, text, until_ms, created_ms) VALUES ($1, $2, $3, $4, $5, $6)",
    )
    .bind(new.id.as_str())
    .bind(new.player.as_str())
    .bind(new.kind.text())
    .bind(&new.text)
    .bind(new.until_ms)
    .bind(new.at_ms)
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Writes the notices of a match that is counted: to both players if it was not realtime, else to one who has lost it by time or was absent.
/// The room marks it as read for the players at it.
pub(super) async fn note_end(
    tx: &mut Tx,
    id: &MatchId,
    result: &ResultRecord,
    winner: Option<Side>,
) -> Result<(), StoreError> {
    let is_realtime = result.time_control == "realtime";
    let may_be_away = [EndReason::Time, EndReason::Abandoned].map(|reason| reason.to_string());
    if is_realtime && !may_be_away.contains(&result.reason) {
        return Ok(());
    }
    // As `count_rating` has written them.
    let (first, second): (Option<f64>, Option<f64>) =
        sqlx::query_as("SELECT first_change, second_change FROM matches WHERE id = $1")
            .bind(id.as_str())
            .fetch_one(&mut **tx)
            .await?;
    let mut new = Vec::new();
    for (side, change) in [(Side::First, first), (Side::Second, second)] {
        let (player, opponent) = match side {
            Side::First => (&result.first_id, &result.second_id),
            Side::Second => (&result.second_id, &result.first_id),
        };
        let outcome = match winner {
            None => NoticeOutcome::Drawn,
            Some(winner) if winner == side => NoticeOutcome::Won,
            Some(_) => NoticeOutcome::Lost,
        };
        if is_realtime && outcome != NoticeOutcome::Lost {
            continue;
        }
        #[expect(clippy::cast_possible_truncation, reason = "a change is small")]
        let rating_change = change.map(|change| change.round() as i32);
        new.push(NewNotice {
            player: parsed_id("player id", player.clone())?,
            kind: NoticeKind::Ended,
            by: Some(parsed_id("player id", opponent.clone())?),
            key: id.to_string(),
            about: NoticeAbout {
                match_id: Some(id.clone()),
                game: Some(GameKind::from_text(&result.game)?),
                outcome: Some(outcome),
                reason: Some(result.reason.clone()),
                rating_change,
                ..NoticeAbout::default()
            },
            until_ms: None,
            at_ms: result.finished_ms,
        });
    }
    write_all(tx, new).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kinds_of_moderators_are_those_of_the_wire() {
        let of_moderators = NoticeKind::ALL
            .into_iter()
            .filter(|kind| kind.is_of_moderator())
            .map(|kind| format!("'{kind}'", kind = kind.text()));
        let listed: Vec<String> = of_moderators.collect();
        assert_eq!(format!("({})", listed.join(", ")), of_moderators!());
    }
}
