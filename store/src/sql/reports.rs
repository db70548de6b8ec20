//! Reports and their resolution.

use async_trait::async_trait;
use mawe_wire::ids::{MatchId, NoticeId, PlayerId, ReportId};
use mawe_wire::reports::Resolution;
use mawe_wire::{NoticeAbout, NoticeKind};
use sqlx::QueryBuilder;

use super::accounts::change_in;
use super::audit::insert_audit;
use super::backend::{Backend, Db, begin, commit};
use super::notices::{insert_of_moderator, lock, write_all};
use crate::detached::detached;
use crate::rows::{ReportRecord, Stored, parsed};
use crate::{
    AccountChange, Attribution, Judged, NewAudit, NewNotice, NewReport, NoticeRow, ReportCursor,
    ReportFilter, ReportRow, Reports, StoreError, Verdict,
};

/// Selects reports as `ReportRecord`s: `r`, joined to the reporter `a`, the reported `p`, and the moderators `t` and `v`.
const SELECT_REPORTS: &str = "SELECT r.id AS report_id, r.reason, r.text, r.match_id, r.chat_room, r.chat_number, r.created_ms AS report_created_ms,
        p.id, p.name, p.kind, p.level, p.avatar, p.flag, p.created_ms AS player_created_ms,
        a.id AS reporter_id, a.name AS reporter_name, a.kind AS reporter_kind, a.created_ms AS reporter_created_ms,
        (SELECT count(*) FROM reports o WHERE o.reported_id = r.reported_id AND o.resolved_ms IS NULL) AS open_about,
        r.taken_by, t.name AS taken_name, r.taken_ms,
        r.resolved_by, v.name AS resolved_name, r.resolved_ms, r.resolution, r.why
    FROM reports r JOIN players p ON p.id = r.reported_id JOIN players a ON a.id = r.reporter_id
        LEFT JOIN players t ON t.id = r.taken_by LEFT JOIN players v ON v.id = r.resolved_by ";

#[async_trait]
impl Reports for Backend {
    async fn create_report(&self, new: &NewReport) -> Result<(), StoreError> {
        let (writer, new) = (self.writer().clone(), new.clone());
        detached(async move {
            let mut tx = begin(&writer).await?;
            sqlx::query(
                "INSERT INTO reports (id, reporter_id, reported_id, reason, text, match_id, created_ms, chat_room, chat_number)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
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
        let (state, at, beyond, direction) = if filter.resolved {
            ("NOT NULL", "r.resolved_ms", "<", "DESC")
        } else {
            ("NULL", "r.created_ms", ">", "ASC")
        };
        let mut query = QueryBuilder::<Db>::new(SELECT_REPORTS);
        query.push(format_args!("WHERE r.resolved_ms IS {state}"));
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
                "UPDATE reports SET resolved_by = $2, resolved_ms = $3, resolution = $4, why = $5
                WHERE id = $1 AND resolved_ms IS NULL AND taken_by = $2
                RETURNING reporter_id, reported_id, match_id",
            )
            .bind(id.as_str())
            .bind(attribution.by.as_ref().map(PlayerId::as_str))
            .bind(attribution.at_ms)
            .bind(resolution.text())
            .bind(&attribution.why)
            .fetch_optional(&mut *tx)
            .await?;
            let Some((reporter, reported, match_id)) = resolved else {
                return Ok(Judged::NotTheirs);
            };
            let reported: PlayerId = crate::rows::id("player id", reported)?;
            let reporter: PlayerId = crate::rows::id("player id", reporter)?;
            // Before the row of the account is locked: everybody who writes notices takes the locks in this order.
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

    async fn muted_until(&self, player: &PlayerId) -> Result<Option<i64>, StoreError> {
        let until_ms: Option<Option<i64>> =
            sqlx::query_scalar("SELECT muted_until_ms FROM players WHERE id = $1")
                .bind(player.as_str())
                .fetch_optional(self.reader())
                .await?;
        Ok(until_ms.flatten())
    }
}

/// Returns the code of the audit log entry about the report itself. The change of the account has an entry of its own.
const fn action(resolution: Resolution) -> &'static str {
    match resolution {
        Resolution::Dismiss => "dismiss-report",
        Resolution::Warn => "warn",
        Resolution::Mute | Resolution::MuteChat | Resolution::Disable | Resolution::Rename => {
            "uphold-report"
        }
    }
}
