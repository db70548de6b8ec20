//! Challenges: creating, finding, accepting, declining and cancelling them.

use async_trait::async_trait;
use mawe_rules::GameKind;
use mawe_wire::ids::{ChallengeId, PlayerId};
use mawe_wire::{DeclineReason, NoticeAbout, NoticeKind};

use super::backend::{Backend, Tx, begin, commit, serialise};
use super::matches::insert_match;
use super::notices::{delete_about, lock, write_all};
use super::pupils::check_class;
use super::seating::{cancel_locked, lock_seeks, take_seats};
use crate::challenges::{DECLINES_REMEMBERED_MS, decline_wait_ms};
use crate::detached::detached;
use crate::rows::{ChallengeRecord, Stored, TimeColumns, id as parsed_id, int, number, parsed};
use crate::{
    ChallengeRow, Challenges, NewChallenge, NewMatch, NewNotice, Offered, StoreError, WishState,
};

/// Selects challenges as `ChallengeRecord`s: `c`, joined to the challenger `p`.
macro_rules! select_challenges {
    ($rest:literal) => {
        concat!(
            "SELECT c.id AS challenge_id, c.game, c.setup, c.side, c.time_control, c.base_ms, c.increment_ms, c.days, c.challenger_extra_ms, c.opponent_extra_ms,
                c.rated, c.takebacks, c.give_time, c.phrases, c.free_takebacks, c.private, c.to_id, c.listed, c.min_rating, c.max_rating,
                c.created_ms, c.expires_ms, c.match_id, c.cancelled, c.declined,
                p.id, p.name, p.kind, p.level, p.display_name, p.avatar, p.flag, p.created_ms AS player_created_ms
            FROM challenges c JOIN players p ON p.id = c.challenger_id ",
            $rest
        )
    };
}
pub(super) use select_challenges;

#[async_trait]
impl Challenges for Backend {
    async fn create_challenge(&self, new: &NewChallenge) -> Result<(), StoreError> {
        let (writer, new) = (self.writer().clone(), new.clone());
        detached(async move {
            let mut tx = begin(&writer).await?;
            insert_challenge(&mut tx, &new).await?;
            commit(tx).await
        })
        .await
    }

    async fn create_challenge_within(
        &self,
        new: &NewChallenge,
        max_open: u32,
        max_to_one: u32,
        patient: bool,
    ) -> Result<Offered, StoreError> {
        let (writer, new) = (self.writer().clone(), new.clone());
        detached(async move {
            let mut tx = begin(&writer).await?;
            // Concurrent calls for the same challenger wait here, so that each counts the challenges of the one before.
            serialise(&mut tx, &format!("challenges of {}", new.challenger)).await?;
            let to = new.to.as_ref().map(PlayerId::as_str);
            if let Some(to) = to {
                // After a block no challenge is created: it would not be closed by the block.
                serialise(&mut tx, &format!("relations of {to}")).await?;
                let is_blocked: bool = sqlx::query_scalar(
                    "SELECT EXISTS (SELECT 1 FROM blocks WHERE player_id = $1 AND blocked_id = $2)",
                )
                .bind(to)
                .bind(new.challenger.as_str())
                .fetch_one(&mut *tx)
                .await?;
                if is_blocked {
                    return Err(StoreError::Blocked);
                }
                check_class(&mut tx, (to, new.challenger.as_str())).await?;
            }
            if let Some(to) = to.filter(|_| !patient) {
                let (times, last_ms): (i64, Option<i64>) = sqlx::query_as(
                    "SELECT count(*), max(declined_ms) FROM challenges
                    WHERE challenger_id = $1 AND to_id = $2 AND declined_ms > $3",
                )
                .bind(new.challenger.as_str())
                .bind(to)
                .bind(new.created_ms.saturating_sub(DECLINES_REMEMBERED_MS))
                .fetch_one(&mut *tx)
                .await?;
                let wait_until_ms = last_ms.map_or(0, |last_ms| last_ms + decline_wait_ms(times));
                if wait_until_ms > new.created_ms {
                    return Ok(Offered::Declined { wait_until_ms });
                }
            }
            let (open, to_one): (i64, i64) = sqlx::query_as(
                "SELECT count(*), count(*) FILTER (WHERE to_id = $3) FROM challenges
                WHERE challenger_id = $1 AND NOT listed AND expires_ms > $2
                    AND match_id IS NULL AND NOT cancelled AND declined IS NULL",
            )
            .bind(new.challenger.as_str())
            .bind(new.created_ms)
            .bind(to)
            .fetch_one(&mut *tx)
            .await?;
            if open >= i64::from(max_open) || to_one >= i64::from(max_to_one) {
                return Ok(Offered::TooMany);
            }
            insert_challenge(&mut tx, &new).await?;
            if let Some(to) = &new.to {
                note_challenge(&mut tx, &new, to).await?;
            }
            commit(tx).await?;
            let unanswered = number("number of challenges", to_one)?;
            Ok(Offered::Made { unanswered })
        })
        .await
    }

    async fn find_challenge(&self, id: &ChallengeId) -> Result<Option<ChallengeRow>, StoreError> {
        let row: Option<ChallengeRecord> = sqlx::query_as(select_challenges!("WHERE c.id = $1"))
            .bind(id.as_str())
            .fetch_optional(self.reader())
            .await?;
        row.map(ChallengeRow::try_from).transpose()
    }

    async fn accept_challenge(
        &self,
        id: &ChallengeId,
        new: &NewMatch,
        now_ms: i64,
    ) -> Result<(), StoreError> {
        self.has_space()?;
        let seated = self.accept_and_seat(id, new, now_ms, &[]).await?;
        debug_assert!(seated, "nobody was to be seated");
        Ok(())
    }

    async fn accept_and_seat(
        &self,
        id: &ChallengeId,
        new: &NewMatch,
        now_ms: i64,
        seats: &[WishState],
    ) -> Result<bool, StoreError> {
        self.has_space()?;
        let (writer, id, new) = (self.writer().clone(), id.clone(), new.clone());
        let seats = seats.to_vec();
        detached(async move {
            let mut tx = begin(&writer).await?;
            let players: Vec<PlayerId> = seats.iter().map(|seat| seat.player.clone()).collect();
            let seeks = lock_seeks(&mut tx, &players, Some(&id)).await?;
            insert_match(&mut tx, &new).await?;
            // Of two concurrent calls, the second waits here for the first, and then finds the match set.
            let accepted: Option<(String, Option<String>)> = sqlx::query_as(
                "UPDATE challenges SET match_id = $2
                WHERE id = $1 AND match_id IS NULL AND NOT cancelled AND declined IS NULL AND expires_ms > $3
                RETURNING challenger_id, to_id",
            )
            .bind(id.as_str())
            .bind(new.id.as_str())
            .bind(now_ms)
            .fetch_optional(&mut *tx)
            .await?;
            let Some((challenger, to)) = accepted else {
                return Err(why_not_open(&mut tx, &id).await?);
            };
            // A seek is for anybody; by any other challenge the players have chosen each other.
            sqlx::query(
                "UPDATE matches SET by_challenge = $3
                WHERE id = $2 AND EXISTS (SELECT 1 FROM challenges WHERE id = $1 AND NOT listed)",
            )
            .bind(id.as_str())
            .bind(new.id.as_str())
            .bind(true)
            .execute(&mut *tx)
            .await?;
            cancel_locked(&mut tx, &seeks, Some(&id)).await?;
            if !take_seats(&mut tx, &seats, &new.id).await? {
                return Ok(false);
            }
            if let Some(to) = to {
                let about = NoticeAbout {
                    match_id: Some(new.id.clone()),
                    game: Some(new.game),
                    ..NoticeAbout::default()
                };
                let answer = Answer {
                    challenge: &id,
                    challenger,
                    to,
                    kind: NoticeKind::ChallengeAccepted,
                    // From now on it is about the match.
                    key: new.id.to_string(),
                    about,
                    at_ms: now_ms,
                };
                note_answer(&mut tx, answer).await?;
            }
            commit(tx).await?;
            Ok(true)
        })
        .await
    }

    async fn cancel_challenge(&self, id: &ChallengeId) -> Result<(), StoreError> {
        let (writer, id) = (self.writer().clone(), id.clone());
        detached(async move {
            let mut tx = begin(&writer).await?;
            let cancelled: Option<Option<String>> = sqlx::query_scalar(
                "UPDATE challenges SET cancelled = $2
                WHERE id = $1 AND match_id IS NULL AND NOT cancelled AND declined IS NULL
                RETURNING to_id",
            )
            .bind(id.as_str())
            .bind(true)
            .fetch_optional(&mut *tx)
            .await?;
            let Some(to) = cancelled else {
                return Err(why_not_open(&mut tx, &id).await?);
            };
            if let Some(to) = to {
                let to: PlayerId = parsed_id("player id", to)?;
                delete_about(&mut tx, &to, id.as_str(), NoticeKind::Challenge).await?;
            }
            commit(tx).await
        })
        .await
    }

    async fn decline_challenge(
        &self,
        id: &ChallengeId,
        reason: DeclineReason,
        now_ms: i64,
    ) -> Result<(), StoreError> {
        let (writer, id) = (self.writer().clone(), id.clone());
        detached(async move {
            let mut tx = begin(&writer).await?;
            let declined: Option<(String, Option<String>, String)> = sqlx::query_as(
                "UPDATE challenges SET declined = $2, declined_ms = $3
                WHERE id = $1 AND match_id IS NULL AND NOT cancelled AND declined IS NULL AND expires_ms > $3
                RETURNING challenger_id, to_id, game",
            )
            .bind(id.as_str())
            .bind(reason.text())
            .bind(now_ms)
            .fetch_optional(&mut *tx)
            .await?;
            let Some((challenger, to, game)) = declined else {
                return Err(why_not_open(&mut tx, &id).await?);
            };
            if let Some(to) = to {
                let about = NoticeAbout {
                    challenge: Some(id.clone()),
                    game: Some(GameKind::from_text(&game)?),
                    reason: Some(reason.text().to_owned()),
                    ..NoticeAbout::default()
                };
                let answer = Answer {
                    challenge: &id,
                    challenger,
                    to,
                    kind: NoticeKind::ChallengeDeclined,
                    key: id.to_string(),
                    about,
                    at_ms: now_ms,
                };
                note_answer(&mut tx, answer).await?;
            }
            commit(tx).await
        })
        .await
    }

    async fn challenges_to(
        &self,
        player: &PlayerId,
        now_ms: i64,
        limit: u32,
    ) -> Result<Vec<ChallengeRow>, StoreError> {
        let rows: Vec<ChallengeRecord> = sqlx::query_as(select_challenges!(
            "WHERE c.to_id = $1 AND c.to_id IS NOT NULL AND c.expires_ms > $2
                AND c.match_id IS NULL AND NOT c.cancelled AND c.declined IS NULL
            ORDER BY c.created_ms DESC LIMIT $3"
        ))
        .bind(player.as_str())
        .bind(now_ms)
        .bind(i64::from(limit))
        .fetch_all(self.reader())
        .await?;
        parsed(rows)
    }

    async fn challenges_by(
        &self,
        player: &PlayerId,
        now_ms: i64,
        limit: u32,
    ) -> Result<Vec<ChallengeRow>, StoreError> {
        let rows: Vec<ChallengeRecord> = sqlx::query_as(select_challenges!(
            "WHERE c.challenger_id = $1 AND NOT c.listed AND c.expires_ms > $2
                AND c.match_id IS NULL AND NOT c.cancelled AND c.declined IS NULL
            ORDER BY c.created_ms DESC LIMIT $3"
        ))
        .bind(player.as_str())
        .bind(now_ms)
        .bind(i64::from(limit))
        .fetch_all(self.reader())
        .await?;
        parsed(rows)
    }
}

/// Writes the notice of a challenge by name to the challenged player.
async fn note_challenge(tx: &mut Tx, new: &NewChallenge, to: &PlayerId) -> Result<(), StoreError> {
    let notice = NewNotice {
        player: to.clone(),
        kind: NoticeKind::Challenge,
        by: Some(new.challenger.clone()),
        key: new.id.to_string(),
        about: NoticeAbout {
            challenge: Some(new.id.clone()),
            game: Some(new.game),
            ..NoticeAbout::default()
        },
        until_ms: Some(new.expires_ms),
        at_ms: new.created_ms,
    };
    write_all(tx, vec![notice]).await.map(drop)
}

/// The answer to a challenge by name.
struct Answer<'a> {
    challenge: &'a ChallengeId,
    challenger: String,
    to: String,
    kind: NoticeKind,
    key: String,
    about: NoticeAbout,
    at_ms: i64,
}

/// Writes the notice of an answer to the challenger, and deletes that of the challenge. A computer opponent answers in the same request,
/// which needs no notice.
async fn note_answer(tx: &mut Tx, answer: Answer<'_>) -> Result<(), StoreError> {
    let to: PlayerId = parsed_id("player id", answer.to)?;
    let is_computer: bool = sqlx::query_scalar(
        "SELECT EXISTS (SELECT 1 FROM players WHERE id = $1 AND level IS NOT NULL)",
    )
    .bind(to.as_str())
    .fetch_one(&mut **tx)
    .await?;
    if is_computer {
        return Ok(());
    }
    let notice = NewNotice {
        player: parsed_id("player id", answer.challenger)?,
        kind: answer.kind,
        by: Some(to.clone()),
        key: answer.key,
        about: answer.about,
        until_ms: None,
        at_ms: answer.at_ms,
    };
    lock(tx, [&notice.player, &to]).await?;
    delete_about(tx, &to, answer.challenge.as_str(), NoticeKind::Challenge).await?;
    write_all(tx, vec![notice]).await.map(drop)
}

/// Returns the reason why a challenge could not be changed: it is not open, or does not exist.
async fn why_not_open(tx: &mut Tx, id: &ChallengeId) -> Result<StoreError, StoreError> {
    let found: Option<String> = sqlx::query_scalar("SELECT id FROM challenges WHERE id = $1")
        .bind(id.as_str())
        .fetch_optional(&mut **tx)
        .await?;
    Ok(found.map_or(StoreError::NotFound, |_| StoreError::Conflict))
}

pub(super) async fn insert_challenge(tx: &mut Tx, new: &NewChallenge) -> Result<(), StoreError> {
    let time = TimeColumns::from(new.time_control);
    sqlx::query(
        "INSERT INTO challenges (id, challenger_id, game, setup, side, time_control, base_ms,
            increment_ms, days, rated, takebacks, give_time, phrases, private, to_id, listed,
            min_rating, max_rating, created_ms, expires_ms, cancelled, free_takebacks,
            challenger_extra_ms, opponent_extra_ms)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22,
            $23, $24)",
    )
    .bind(new.id.as_str())
    .bind(new.challenger.as_str())
    .bind(new.game.text())
    .bind(&new.setup)
    .bind(new.side.map(Stored::text))
    .bind(time.time_control)
    .bind(time.base_ms)
    .bind(time.increment_ms)
    .bind(time.days)
    .bind(new.rated)
    .bind(new.options.takebacks)
    .bind(new.options.give_time)
    .bind(new.options.phrases)
    .bind(new.private)
    .bind(new.to.as_ref().map(PlayerId::as_str))
    .bind(new.listed)
    .bind(new.rating_range.0.map(i64::from))
    .bind(new.rating_range.1.map(i64::from))
    .bind(new.created_ms)
    .bind(new.expires_ms)
    .bind(false)
    .bind(new.options.free_takebacks)
    .bind(int(new.extra.challenger_ms))
    .bind(int(new.extra.opponent_ms))
    .execute(&mut **tx)
    .await?;
    Ok(())
}
