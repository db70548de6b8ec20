//! Administration of matches, ratings, the audit log and backups.

use std::path::PathBuf;

use mawe_play::room::io::Closing;
use mawe_rules::Side;
use mawe_store::backup;
use mawe_store::pruning::{self, Pruned};
use mawe_store::recount::{self, Recount, RecountError};
use mawe_store::{AuditFilter, NewAudit, VoidMatches};
use mawe_wire::ids::MatchId;

use super::accounts::{end, find};
use super::api::{
    AuditPage, AuditView, BackupView, ClosedView, PruneView, RecountView, Void, VoidedView,
};
use super::refusal::{Refused, attribution};
use crate::app::App;
use crate::clock::unix_ms;

/// Maximum number of lines of the log in one answer.
const MAX_LINES: u32 = 1_000;

/// Goes through the room, so that clients at the match see the end. If another node owns the match, this one takes it over.
pub(super) async fn close_match(
    app: &App,
    id: &str,
    loser: Option<Side>,
    why: String,
) -> Result<ClosedView, Refused> {
    let unknown = || Refused::BadInput(format!("there is no match {id:?}"));
    let id: MatchId = id.parse().map_err(|_| unknown())?;
    app.store.find_match(&id).await?.ok_or_else(unknown)?;
    let closing = loser.map_or(Closing::CallOff, Closing::Leave);
    if !end(app, &id, closing).await? {
        return Err(Refused::Failed(format!("match {id} is over already")));
    }
    let row = app.store.find_match(&id).await?.ok_or_else(unknown)?;
    let finish = row
        .finish
        .ok_or_else(|| Refused::Failed(format!("match {id} runs on")))?;
    let audit = NewAudit {
        attribution: attribution(why),
        action: "close-match",
        about: loser.map(|side| row.players[side].id.clone()),
        match_id: Some(id.clone()),
        detail: finish.reason.clone(),
    };
    app.store.write_audit(&audit).await?;
    Ok(ClosedView {
        id: id.to_string(),
        winner: finish.winner,
        reason: finish.reason,
    })
}

pub(super) async fn audit(app: &App, page: AuditPage) -> Result<Vec<AuditView>, Refused> {
    let mut filter = AuditFilter::default();
    if let Some(name) = &page.about {
        filter.about = Some(find(app, name).await?.player.id);
    }
    if let Some(name) = &page.by {
        filter.actor = Some(find(app, name).await?.player.id);
    }
    let limit = page.limit.min(MAX_LINES);
    let lines = app.store.audit(&filter, page.before, limit).await?;
    Ok(lines.into_iter().map(AuditView::from).collect())
}

/// Also counts all ratings again, so that the answer contains the result.
pub(super) async fn void_matches(app: &App, void: Void) -> Result<VoidedView, Refused> {
    let player = find(app, &void.name).await?.player.id;
    let opponent = match &void.against {
        Some(name) => Some(find(app, name).await?.player.id),
        None => None,
    };
    let matches = VoidMatches {
        player,
        opponent,
        since_ms: void.since.map(jiff::Timestamp::as_millisecond),
        until_ms: void.until.map(jiff::Timestamp::as_millisecond),
    };
    let attribution = attribution(void.why);
    let matches = app.store.void_matches(&matches, &attribution).await?;
    let _quiet = app.rooms.services.counting.acquire().await;
    let pending = app.store.pending_voids().await?;
    let recounted = recount::rebuild(app.store.as_ref(), &attribution)
        .await?
        .into();
    app.store.settle_voids(&pending).await?;
    Ok(VoidedView { matches, recounted })
}

pub(super) async fn check_ratings(app: &App) -> Result<RecountView, Refused> {
    // This node counts nothing meanwhile: matches that end now are counted afterwards.
    let _quiet = app.rooms.services.counting.acquire().await;
    Ok(recount::recount(app.store.as_ref()).await?.into())
}

pub(super) async fn rebuild_ratings(app: &App, why: String) -> Result<RecountView, Refused> {
    let _quiet = app.rooms.services.counting.acquire().await;
    Ok(recount::rebuild(app.store.as_ref(), &attribution(why))
        .await?
        .into())
}

pub(super) async fn prune(app: &App, dry_run: bool) -> Result<PruneView, Refused> {
    let store = app.store.as_ref();
    let Pruned {
        sessions,
        challenges,
        matches,
        guests,
        chat_lines,
        shared_devices,
        notices,
    } = if dry_run {
        pruning::count(store, unix_ms()).await?
    } else {
        pruning::prune(store, unix_ms()).await?
    };
    Ok(PruneView {
        dry_run,
        sessions,
        challenges,
        matches,
        guests,
        chat_lines,
        shared_devices,
        notices,
    })
}

/// Waits for a backup that is being written: two would slow each other down.
pub(super) async fn backup(app: &App, file: PathBuf, force: bool) -> Result<BackupView, Refused> {
    let _alone = app.backing_up.lock().await;
    let began_ms = unix_ms();
    let size_bytes = backup::write(app.store.as_ref(), &file, force).await?;
    app.meters.backups.note(began_ms);
    Ok(BackupView { file, size_bytes })
}

impl From<Recount> for RecountView {
    fn from(found: Recount) -> RecountView {
        RecountView {
            matches: found.matches,
            rated: found.rated,
            uncounted: found.uncounted,
            differences: found.differences.iter().map(ToString::to_string).collect(),
            unlisted: found.unlisted,
        }
    }
}

impl From<RecountError> for Refused {
    fn from(error: RecountError) -> Refused {
        match error {
            RecountError::Store(error) => error.into(),
            RecountError::Busy | RecountError::Unreadable(_) => Refused::Failed(error.to_string()),
        }
    }
}
