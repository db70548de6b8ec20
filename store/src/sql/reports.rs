//! Reports and their resolution.

use async_trait::async_trait;
use mawe_wire::ids::{MatchId, NoticeId, PlayerId, ReportId};
use mawe_wire::reports::Resolution;
use mawe_wire::{NoticeAbout, NoticeKind};
use sqlx::QueryBuilder;

use super::accounts::change_in;
use super::audit::insert_audit;
use super::backend::{Backend, Db, Tx, begin, commit, run};
use super::club_members::lock_clubs_of;
use super::held_display_names::free_display_name;
use super::notices::{insert_of_moderator, lock, write_all};
use crate::detached::detached;
use crate::rows::{ReportRecord, Stored, parsed};
use crate::{
    AccountChange, AppealDecided, Attribution, Changed, Judged, NewAudit, NewNotice, NewReport,
    NoticeRow, ReportCursor, ReportFilter, ReportRow, ReportState, Reports, StoreError, Verdict,
};

/// Selects reports as `ReportRecord`s: `r`, joined to the reporter `a`, the reported `p`, and the moderators `t` and `v`.
const SELECT_REPORTS: &str = "SELECT r.id AS report_id, r.reason, r.text, r.match_id, r.chat_room, r.chat_number, r.created_ms AS report_created_ms,
        r.club_name, (SELECT c.handle FROM clubs c WHERE c.id = r.club_id) AS club_handle,
        p.id, p.name, p.kind, p.level, p.display_name, p.avatar, p.flag, p.created_ms AS player_created_ms,
        a.id AS reporter_id, a.name AS reporter_name, a.kind AS reporter_kind, a.display_name AS reporter_display_name, a.created_ms AS reporter_created_ms,
        (SELECT count(*) FROM reports o WHERE o.reported_id = r.reported_id AND o.resolved_ms IS NULL) AS open_about,
        r.taken_by, t.name AS taken_name, r.taken_ms,
        r.resolved_by, v.name AS resolved_name, r.resolved_ms, r.resolution, r.why, r.until_ms AS resolved_until_ms,
        r.appeal, r.appeal_ms, r.appeal_by, j.name AS appeal_name, r.appeal_end_ms, r.appeal_accepted, r.appeal_note
    FROM reports r JOIN players p ON p.id = r.reported_id JOIN players a ON a.id = r.reporter_id
        LEFT JOIN players t ON t.id = r.taken_by LEFT JOIN players v ON v.id = r.resolved_by
        LEFT JOIN players j ON j.id = r.appeal_by ";

/// The columns of an open appeal against a measure: its player, the moderator, the time and kind of the measure, and the match.
type OpenAppeal = (String, String, i64, String, Option<String>);

#[async_trait]
impl Reports for Backend {
    async fn create_report(&self, new: &NewReport) -> Result<(), StoreError> {
        let (writer, new) = (self.writer().clone(), new.clone());
        detached(async move {
            let mut tx = begin(&writer).await?;
            sqlx::query(
                "INSERT INTO reports (id, reporter_id, reported_id, reason, text, match_id, created_ms, chat_room, chat_number, club_id, club_name)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
            )
            .bind(new.id.as_str())
            .bind(new.reporter.as_str())
            .bind(new.reported.as_str())
            .bind(new.reason.text())
            .bind(&new.text)
            .bind(new.match_id.as_ref().map(MatchId::as_str))
            .bind(new.at_ms)
            .bind(new.chat_line.map(|(room, _)| room.text()))
            .bind(new.chat_line.map(|(_, number)| i64::from(number)))
            .bind(new.club.as_ref().map(|(club, _)| club.as_str()))
            .bind(new.club.as_ref().map(|(_, name)| name))
            .execute(&mut *tx)
            .await?;
            commit(tx).await
        })
        .await
    }

    async fn report(&self, id: &ReportId) -> Result<Option<ReportRow>, StoreError> {
        let mut query = QueryBuilder::<Db>::new(SELECT_REPORTS);
        query
            .push("WHERE r.id = ")
            .push_bind(id.as_str().to_owned());
        let row: Option<ReportRecord> =
            query.build_query_as().fetch_optional(self.reader()).await?;
        row.map(ReportRow::try_from).transpose()
    }

    async fn reports(
        &self,
        filter: &ReportFilter,
        cursor: Option<&ReportCursor>,
        limit: u32,
    ) -> Result<Vec<ReportRow>, StoreError> {
        let (state, at, is_latest_first) = match filter.state {
            ReportState::Open => ("r.resolved_ms IS NULL", "r.created_ms", false),
            ReportState::Resolved => ("r.resolved_ms IS NOT NULL", "r.resolved_ms", true),
            ReportState::Appealed => (
                "r.appeal_ms IS NOT NULL AND r.appeal_end_ms IS NULL",
                "r.appeal_ms",
                false,
            ),
            ReportState::AppealDecided => ("r.appeal_end_ms IS NOT NULL", "r.appeal_end_ms", true),
        };
        let (beyond, direction) = if is_latest_first {
            ("<", "DESC")
        } else {
            (">", "ASC")
        };
        let mut query = QueryBuilder::<Db>::new(SELECT_REPORTS);
        query.push(format_args!("WHERE {state}"));
        if let Some(about) = &filter.about {
            query.push(" AND r.reported_id = ");
            query.push_bind(about.as_str().to_owned());
        }
        if let Some(cursor) = cursor {
            query.push(format_args!(" AND ({at}, r.id) {beyond} ("));
            query.push_bind(cursor.at_ms);
            query.push(", ");
            query.push_bind(cursor.id.as_str().to_owned());
            query.push(")");
        }
        query.push(format_args!(
            " ORDER BY {at} {direction}, r.id {direction} LIMIT "
        ));
        query.push_bind(i64::from(limit));
        let rows: Vec<ReportRecord> = query.build_query_as().fetch_all(self.reader()).await?;
        parsed(rows)
    }

    async fn take_report(
        &self,
        id: &ReportId,
        attribution: &Attribution,
        stale_ms: i64,
    ) -> Result<bool, StoreError> {
        let (writer, id, attribution) = (self.writer().clone(), id.clone(), attribution.clone());
        detached(async move {
            let mut tx = begin(&writer).await?;
            let taken: Option<(String, Option<String>)> = sqlx::query_as(
                "UPDATE reports SET taken_by = $2, taken_ms = $3
                WHERE id = $1 AND resolved_ms IS NULL AND (taken_by IS NULL OR taken_by = $2 OR taken_ms <= $4)
                RETURNING reported_id, match_id",
            )
            .bind(id.as_str())
            .bind(attribution.by.as_ref().map(PlayerId::as_str))
            .bind(attribution.at_ms)
            .bind(stale_ms)
            .fetch_optional(&mut *tx)
            .await?;
            let Some((reported, match_id)) = taken else {
                return Ok(false);
            };
            let audit = NewAudit {
                attribution,
                action: "take-report",
                about: Some(crate::rows::id("player id", reported)?),
                match_id: match_id.map(super::backend::match_id).transpose()?,
                detail: id.to_string(),
            };
            insert_audit(&mut tx, &audit).await?;
            commit(tx).await?;
            Ok(true)
        })
        .await
    }

    async fn resolve_report(
        &self,
        id: &ReportId,
        verdict: &Verdict,
        attribution: &Attribution,
    ) -> Result<Judged, StoreError> {
        let (writer, id) = (self.writer().clone(), id.clone());
        let (verdict, attribution) = (verdict.clone(), attribution.clone());
        detached(async move {
            let mut tx = begin(&writer).await?;
            let resolution = verdict.resolution();
            let resolved: Option<(String, String, Option<String>)> = sqlx::query_as(
                "UPDATE reports SET resolved_by = $2, resolved_ms = $3, resolution = $4, why = $5, until_ms = $6
                WHERE id = $1 AND resolved_ms IS NULL AND taken_by = $2
                RETURNING reporter_id, reported_id, match_id",
            )
            .bind(id.as_str())
            .bind(attribution.by.as_ref().map(PlayerId::as_str))
            .bind(attribution.at_ms)
            .bind(resolution.text())
            .bind(&attribution.why)
            .bind(verdict.until_ms())
            .fetch_optional(&mut *tx)
            .await?;
            let Some((reporter, reported, match_id)) = resolved else {
                return Ok(Judged::NotTheirs);
            };
            let reported: PlayerId = crate::rows::id("player id", reported)?;
            let reporter: PlayerId = crate::rows::id("player id", reporter)?;
            // Both before the row of the account is locked: everybody who writes notices takes the locks in this order.
            lock_clubs_of(&mut tx, &reported).await?;
            lock(&mut tx, [&reporter, &reported]).await?;
            let audit = NewAudit {
                attribution: attribution.clone(),
                action: action(resolution),
                about: Some(reported.clone()),
                match_id: match_id.map(super::backend::match_id).transpose()?,
                detail: id.to_string(),
            };
            insert_audit(&mut tx, &audit).await?;
            let change = match &verdict {
                Verdict::Dismiss | Verdict::Warn => None,
                Verdict::Mute(until_ms) => {
                    Some(AccountChange::MuteUntil(until_ms.unwrap_or(i64::MAX)))
                }
                Verdict::MuteChat(until_ms) => {
                    Some(AccountChange::MuteChatUntil(until_ms.unwrap_or(i64::MAX)))
                }
                Verdict::Disable(None) => Some(AccountChange::Disable),
                Verdict::Disable(Some(until_ms)) => Some(AccountChange::DisableUntil(*until_ms)),
                Verdict::Rename(name) => Some(AccountChange::Rename(name.clone())),
                Verdict::RemoveDisplayName => Some(AccountChange::RemoveDisplayName),
            };
            let changed = match change {
                Some(change) => Some(Box::new(
                    change_in(&mut tx, &reported, &change, &attribution).await?,
                )),
                None => None,
            };
            let notice = verdict.notice().map(|(kind, until_ms)| NoticeRow {
                id: NoticeId::random(),
                player: reported.clone(),
                kind,
                text: attribution.why,
                until_ms,
                at_ms: attribution.at_ms,
                read: false,
                by: None,
                about: NoticeAbout::default(),
            });
            let told = NewNotice {
                player: reporter,
                kind: NoticeKind::Report,
                by: Some(reported.clone()),
                key: id.to_string(),
                about: NoticeAbout {
                    upheld: Some(resolution != Resolution::Dismiss),
                    ..NoticeAbout::default()
                },
                until_ms: None,
                at_ms: attribution.at_ms,
            };
            write_all(&mut tx, vec![told]).await?;
            if let Some(notice) = &notice {
                insert_of_moderator(&mut tx, notice).await?;
            }
            commit(tx).await?;
            let notice = notice.map(Box::new);
            Ok(Judged::Done { changed, notice })
        })
        .await
    }

    async fn decisions_about(
        &self,
        player: &PlayerId,
        limit: u32,
    ) -> Result<Vec<ReportRow>, StoreError> {
        let mut query = QueryBuilder::<Db>::new(SELECT_REPORTS);
        query.push("WHERE r.resolved_ms IS NOT NULL AND r.reported_id = ");
        query.push_bind(player.as_str().to_owned());
        query.push(" AND r.resolution <> ");
        query.push_bind(Resolution::Dismiss.text());
        query.push(" ORDER BY r.resolved_ms DESC, r.id DESC LIMIT ");
        query.push_bind(i64::from(limit));
        let rows: Vec<ReportRecord> = query.build_query_as().fetch_all(self.reader()).await?;
        parsed(rows)
    }

    async fn decision_at(
        &self,
        player: &PlayerId,
        resolution: Resolution,
        at_ms: i64,
    ) -> Result<Option<ReportRow>, StoreError> {
        let mut query = QueryBuilder::<Db>::new(SELECT_REPORTS);
        query.push("WHERE r.reported_id = ");
        query.push_bind(player.as_str().to_owned());
        query.push(" AND r.resolution = ");
        query.push_bind(resolution.text());
        query.push(" AND r.resolved_ms = ");
        query.push_bind(at_ms);
        query.push(" ORDER BY r.id LIMIT 1");
        let rows: Vec<ReportRecord> = query.build_query_as().fetch_all(self.reader()).await?;
        Ok(parsed(rows)?.pop())
    }

    async fn create_appeal(
        &self,
        id: &ReportId,
        player: &PlayerId,
        text: &str,
        at_ms: i64,
    ) -> Result<bool, StoreError> {
        let (writer, id, player) = (self.writer().clone(), id.clone(), player.clone());
        let text = text.to_owned();
        detached(async move {
            let statement = sqlx::query(
                "UPDATE reports SET appeal = $3, appeal_ms = $4
                WHERE id = $1 AND reported_id = $2 AND resolved_ms IS NOT NULL AND resolution <> $5 AND appeal_ms IS NULL",
            )
            .bind(id.as_str())
            .bind(player.as_str())
            .bind(&text)
            .bind(at_ms)
            .bind(Resolution::Dismiss.text());
            let stored = run(&writer, statement).await?;
            Ok(stored.rows_affected() > 0)
        })
        .await
    }

    async fn decide_appeal(
        &self,
        id: &ReportId,
        is_accepted: bool,
        attribution: &Attribution,
    ) -> Result<Option<AppealDecided>, StoreError> {
        let (writer, id, attribution) = (self.writer().clone(), id.clone(), attribution.clone());
        detached(async move {
            let mut tx = begin(&writer).await?;
            let open: Option<OpenAppeal> = sqlx::query_as(
                "UPDATE reports SET appeal_by = $2, appeal_end_ms = $3, appeal_accepted = $4, appeal_note = $5
                WHERE id = $1 AND appeal_ms IS NOT NULL AND appeal_end_ms IS NULL
                RETURNING reported_id, resolved_by, resolved_ms, resolution, match_id",
            )
            .bind(id.as_str())
            .bind(attribution.by.as_ref().map(PlayerId::as_str))
            .bind(attribution.at_ms)
            .bind(is_accepted)
            .bind(&attribution.why)
            .fetch_optional(&mut *tx)
            .await?;
            let Some((player, resolver, resolved_ms, resolution, match_id)) = open else {
                return Ok(None);
            };
            let player: PlayerId = crate::rows::id("player id", player)?;
            let resolver: PlayerId = crate::rows::id("player id", resolver)?;
            let resolution = Resolution::from_text(&resolution)?;
            // Before the row of the account is locked, as in every write of notices.
            lock(&mut tx, [&player, &resolver]).await?;
            let audit = NewAudit {
                attribution: attribution.clone(),
                action: if is_accepted {
                    "accept-appeal"
                } else {
                    "reject-appeal"
                },
                about: Some(player.clone()),
                match_id: match_id.map(super::backend::match_id).transpose()?,
                detail: id.to_string(),
            };
            insert_audit(&mut tx, &audit).await?;
            let changed = if is_accepted {
                take_back(&mut tx, &player, resolution, resolved_ms, &attribution).await?
            } else {
                answer_at_login(&mut tx, &player, resolved_ms, &attribution.why).await?;
                None
            };
            let told = NewNotice {
                player: resolver.clone(),
                kind: NoticeKind::AppealDecided,
                by: Some(player.clone()),
                key: id.to_string(),
                about: NoticeAbout {
                    upheld: Some(is_accepted),
                    ..NoticeAbout::default()
                },
                until_ms: None,
                at_ms: attribution.at_ms,
            };
            if attribution.by.as_ref() != Some(&resolver) {
                write_all(&mut tx, vec![told]).await?;
            }
            let notice = NoticeRow {
                id: NoticeId::random(),
                player,
                kind: if is_accepted {
                    NoticeKind::AppealAccepted
                } else {
                    NoticeKind::AppealRejected
                },
                text: attribution.why,
                until_ms: None,
                at_ms: attribution.at_ms,
                read: false,
                by: None,
                about: NoticeAbout::default(),
            };
            insert_of_moderator(&mut tx, &notice).await?;
            commit(tx).await?;
            Ok(Some(AppealDecided {
                changed: changed.map(Box::new),
                notice: Box::new(notice),
            }))
        })
        .await
    }

    async fn muted_until(&self, player: &PlayerId) -> Result<Option<i64>, StoreError> {
        let until_ms: Option<Option<i64>> =
            sqlx::query_scalar("SELECT muted_until_ms FROM players WHERE id = $1")
                .bind(player.as_str())
                .fetch_optional(self.reader())
                .await?;
        Ok(until_ms.flatten())
    }
}

/// Ends a measure that was resolved at this time, unless a later one of its kind is in force. A warning and a name stay, and a removed display
/// name can be set again.
async fn take_back(
    tx: &mut Tx,
    player: &PlayerId,
    resolution: Resolution,
    resolved_ms: i64,
    attribution: &Attribution,
) -> Result<Option<Changed>, StoreError> {
    let is_replaced: bool = sqlx::query_scalar(
        "SELECT EXISTS (SELECT 1 FROM reports WHERE reported_id = $1 AND resolved_ms IS NOT NULL AND resolved_ms > $2 AND resolution = $3)",
    )
    .bind(player.as_str())
    .bind(resolved_ms)
    .bind(resolution.text())
    .fetch_one(&mut **tx)
    .await?;
    let change = match resolution {
        _ if is_replaced => return Ok(None),
        Resolution::Dismiss | Resolution::Warn | Resolution::Rename => return Ok(None),
        Resolution::RemoveDisplayName => {
            free_display_name(tx, player).await?;
            return Ok(None);
        }
        Resolution::Mute => AccountChange::MuteUntil(attribution.at_ms),
        Resolution::MuteChat => AccountChange::MuteChatUntil(attribution.at_ms),
        // The operator may have disabled it since.
        Resolution::Disable if !is_disabled_since(tx, player, resolved_ms).await? => {
            return Ok(None);
        }
        Resolution::Disable => AccountChange::Enable,
    };
    Ok(Some(change_in(tx, player, &change, attribution).await?))
}

async fn is_disabled_since(tx: &mut Tx, player: &PlayerId, at_ms: i64) -> Result<bool, StoreError> {
    let is_disabled = sqlx::query_scalar(
        "SELECT EXISTS (SELECT 1 FROM players WHERE id = $1 AND disabled_ms = $2 AND deleted_ms IS NULL)",
    )
    .bind(player.as_str())
    .bind(at_ms)
    .fetch_one(&mut **tx)
    .await?;
    Ok(is_disabled)
}

/// Adds the answer to the reason that the login of a disabled account shows: its owner reads no notices.
async fn answer_at_login(
    tx: &mut Tx,
    player: &PlayerId,
    resolved_ms: i64,
    note: &str,
) -> Result<(), StoreError> {
    sqlx::query(
        "UPDATE players SET disabled_why = disabled_why || ' – ' || $3 WHERE id = $1 AND disabled_ms = $2 AND deleted_ms IS NULL",
    )
    .bind(player.as_str())
    .bind(resolved_ms)
    .bind(note)
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Returns the code of the audit log entry about the report itself. The change of the account has an entry of its own.
const fn action(resolution: Resolution) -> &'static str {
    match resolution {
        Resolution::Dismiss => "dismiss-report",
        Resolution::Warn => "warn",
        Resolution::Mute
        | Resolution::MuteChat
        | Resolution::Disable
        | Resolution::Rename
        | Resolution::RemoveDisplayName => "uphold-report",
    }
}
