//! Invitations to register: make, list, revoke.

use mawe_store::InvitationCursor;
use mawe_wire::ids::InvitationId;

use super::api::{InvitationList, InvitationView, Invite, MadeInvitation};
use super::refusal::{Refused, attribution};
use crate::app::App;
use crate::identity::invitations::{self, MAX_INVITATIONS, Wanted};
use crate::live::view::timestamp;

/// Maximum number of invitations in one list.
const MAX_LISTED: u32 = 1_000;

pub(super) async fn invite(app: &App, new: Invite) -> Result<MadeInvitation, Refused> {
    let attribution = attribution(new.why);
    let wanted = Wanted {
        uses: new.uses,
        days: new.days,
        note: new.note,
    };
    let (code, stored) = invitations::draw(wanted, attribution.at_ms)
        .map_err(|error| Refused::BadInput(error.to_string()))?;
    let made = app
        .store
        .create_invitation(&stored, MAX_INVITATIONS, &attribution);
    if !made.await? {
        return Err(Refused::Failed(format!(
            "{MAX_INVITATIONS} invitations have not expired; let one of them make more accounts, or wait"
        )));
    }
    let origin = app.settings.origin.as_deref().unwrap_or_default();
    Ok(MadeInvitation {
        id: stored.id.to_string(),
        link: origin.trim_end_matches('/').to_owned() + &invitations::path(&code),
        code,
        uses: stored.uses,
        expires_at: timestamp(stored.expires_ms),
        registration: app.settings.site.registration,
    })
}

pub(super) async fn list(app: &App, list: InvitationList) -> Result<Vec<InvitationView>, Refused> {
    let after = match list.before {
        None => None,
        Some(id) => Some(cursor(app, &id).await?),
    };
    let limit = list.limit.min(MAX_LISTED);
    let rows = app.store.invitations(after.as_ref(), limit).await?;
    Ok(rows.into_iter().map(InvitationView::from).collect())
}

/// Returns the position of an invitation in the list.
async fn cursor(app: &App, id: &str) -> Result<InvitationCursor, Refused> {
    let id = parsed(id)?;
    let row = app.store.invitation(&id).await?;
    let row = row.ok_or_else(|| unknown(id.as_str()))?;
    Ok(InvitationCursor {
        created_ms: row.created_ms,
        id,
    })
}

pub(super) async fn revoke(app: &App, id: &str, why: String) -> Result<InvitationView, Refused> {
    let known = parsed(id)?;
    let found = app.store.invitation(&known).await?;
    if found.is_none() {
        return Err(unknown(id));
    }
    app.store
        .revoke_invitation(&known, &attribution(why))
        .await?;
    let row = app.store.invitation(&known).await?;
    row.map(InvitationView::from).ok_or_else(|| unknown(id))
}

fn parsed(id: &str) -> Result<InvitationId, Refused> {
    id.parse().map_err(|_| unknown(id))
}

fn unknown(id: &str) -> Refused {
    Refused::BadInput(format!(
        "there is no invitation {id:?}; `mawe admin invite list` lists them"
    ))
}
