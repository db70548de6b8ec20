//! Administration of accounts: create, show, list, change, delete.

use mawe_play::room::io::Closing;
use mawe_rules::Side;
use mawe_store::{Account, AccountChange, AccountFilter, MatchRow, NewPlayer, Player, StoreError};
use mawe_wire::grants::Grant;
use mawe_wire::ids::{MatchId, PlayerId};
use mawe_wire::{Look, PlayerKind};

use super::api::{AccountView, Create, List, SessionView, Step};
use super::refusal::{Refused, attribution};
use crate::app::App;
use crate::clock::unix_ms;
use crate::identity::names::check_given_name;
use crate::identity::passwords::check_password;
use crate::moderation::effects;

/// Maximum number of accounts in one list.
const MAX_LISTED: u32 = 1_000;

/// Number of running matches of an account that are read and ended at a time.
const ENDED_AT_ONCE: u32 = 100;

/// Number of attempts to end a match, and to delete an account under a random name.
const ATTEMPTS: usize = 5;

pub(super) async fn create(app: &App, new: Create) -> Result<AccountView, Refused> {
    check_given_name(&new.name).map_err(|advice| bad(format!("{:?}: {advice}", new.name)))?;
    check_password(&new.password, &new.name).map_err(bad)?;
    let password_hash = hashed(app, new.password).await?;
    let player = Player {
        id: PlayerId::random(),
        name: new.name,
        kind: PlayerKind::Account,
        level: None,
        look: Look::default(),
        created_ms: unix_ms(),
    };
    let id = player.id.clone();
    let name = player.name.clone();
    let new_player = NewPlayer {
        player,
        password_hash: Some(password_hash),
    };
    let attribution = attribution(new.why);
    let created = app.store.create_account(&new_player, &attribution).await;
    created.map_err(|error| taken(error, &name))?;
    for grant in new.grants {
        let grant = AccountChange::Grant(grant);
        effects::change(app, &id, &grant, &attribution).await?;
    }
    show(app, &name).await
}

pub(super) async fn show(app: &App, name: &str) -> Result<AccountView, Refused> {
    Ok(find(app, name).await?.into())
}

pub(super) async fn list(app: &App, list: List) -> Result<Vec<AccountView>, Refused> {
    let filter = AccountFilter {
        name_part: list.part,
        grant: list.grant,
        disabled: list.disabled,
        guests: list.guests,
    };
    let limit = list.limit.min(MAX_LISTED);
    let found = app
        .store
        .accounts(&filter, list.after.as_deref(), limit)
        .await?;
    Ok(found.into_iter().map(AccountView::from).collect())
}

pub(super) async fn change(
    app: &App,
    name: &str,
    step: Step,
    why: String,
) -> Result<AccountView, Refused> {
    let account = find(app, name).await?;
    let name = account.player.name.as_str();
    if account.deleted_ms.is_some() {
        return Err(Refused::Failed(format!(
            "{name} is a deleted account; nothing of it is left to change"
        )));
    }
    let for_accounts = matches!(
        step,
        Step::Rename(_) | Step::SetPassword(_) | Step::Grant(_) | Step::Revoke(_)
    );
    if for_accounts && account.player.kind == PlayerKind::Guest {
        return Err(Refused::Failed(format!(
            "{name} is a guest; only an account has a name of its own, a password and grants"
        )));
    }
    let is_bot = |step: &Step| matches!(step, Step::Grant(Grant::Bot) | Step::Revoke(Grant::Bot));
    let to_bot = is_bot(&step);
    let step = match step {
        Step::Disable => AccountChange::Disable,
        Step::Enable => AccountChange::Enable,
        Step::Rename(new) => {
            check_given_name(&new).map_err(|advice| bad(format!("{new:?}: {advice}")))?;
            AccountChange::Rename(new)
        }
        Step::SetPassword(password) => {
            check_password(&password, name).map_err(bad)?;
            AccountChange::SetPassword(hashed(app, password).await?)
        }
        Step::Grant(grant) => AccountChange::Grant(grant),
        Step::Revoke(grant) => AccountChange::Revoke(grant),
        Step::EndSession(id) => end_session(app, &account, &id).await?,
        Step::EndSessions => AccountChange::EndSessions,
    };
    let changed = effects::change(app, &account.player.id, &step, &attribution(why)).await;
    let changed = changed.map_err(|error| match (&step, error) {
        (AccountChange::Rename(new), error) => taken(error, new),
        (_, StoreError::Conflict) if to_bot => Refused::Failed(format!(
            "{name} has played: what is a bot account stays one, and what is none does not become one"
        )),
        (_, error) => error.into(),
    })?;
    Ok(changed.account.into())
}

pub(super) async fn sessions(app: &App, name: &str) -> Result<Vec<SessionView>, Refused> {
    let account = find(app, name).await?;
    // Uses of the last minute are still in memory; write them before reading.
    app.used.write(app.store.as_ref()).await?;
    let (id, now) = (&account.player.id, unix_ms());
    let sessions = app.store.sessions_of(id, now).await?;
    let tokens = app.store.tokens_of(id, now).await?;
    let sessions = sessions.into_iter().map(SessionView::from);
    Ok(sessions
        .chain(tokens.into_iter().map(SessionView::from))
        .collect())
}

/// Ends the running matches of an account and deletes it. The account is disabled first; if this fails halfway, another call continues.
pub(super) async fn delete(app: &App, name: &str, why: String) -> Result<AccountView, Refused> {
    let account = find(app, name).await?;
    if account.deleted_ms.is_some() {
        return Err(Refused::Failed(format!(
            "{} is deleted already",
            account.player.name
        )));
    }
    let (id, attribution) = (&account.player.id, attribution(why));
    if account.disabled.is_none() {
        effects::change(app, id, &AccountChange::Disable, &attribution).await?;
    }
    for _ in 0..ATTEMPTS {
        leave_all(app, id).await?;
        // Otherwise the name is taken, or a match has just begun.
        if let Some(changed) = effects::delete(app, id, &attribution).await? {
            return Ok(changed.account.into());
        }
    }
    Err(Refused::Failed(
        "it is disabled, but not deleted: matches of it began again and again; try once more"
            .to_owned(),
    ))
}

async fn leave_all(app: &App, id: &PlayerId) -> Result<(), Refused> {
    loop {
        let running = app
            .store
            .running_matches_of(id, None, ENDED_AT_ONCE)
            .await?;
        if running.is_empty() {
            return Ok(());
        }
        for row in &running {
            let side = seat_of(row, id);
            end(app, &row.id, Closing::Leave(side)).await?;
        }
    }
}

fn seat_of(row: &MatchRow, id: &PlayerId) -> Side {
    if row.players.first.id == *id {
        Side::First
    } else {
        Side::Second
    }
}

/// Ends a match through its room; `false` if it had just ended by itself.
pub(super) async fn end(app: &App, id: &MatchId, closing: Closing) -> Result<bool, Refused> {
    for _ in 0..ATTEMPTS {
        match app.rooms.close(id, closing).await {
            Some(Ok(())) => return Ok(true),
            Some(Err(_over)) => return Ok(false),
            // Another node owns the match, or its room was just closing.
            None => {}
        }
    }
    Err(Refused::Failed(format!(
        "match {id} could not be ended just now; try again"
    )))
}

async fn end_session(app: &App, account: &Account, id: &str) -> Result<AccountChange, Refused> {
    let (player, now) = (&account.player.id, unix_ms());
    for row in app.store.sessions_of(player, now).await? {
        if crate::identity::sessions::id(&row.hash) == id {
            return Ok(AccountChange::EndSession(row.hash));
        }
    }
    let tokens = app.store.tokens_of(player, now).await?;
    if let Some(token) = tokens.into_iter().find(|token| token.id.as_str() == id) {
        return Ok(AccountChange::EndToken(token.id));
    }
    let name = &account.player.name;
    Err(bad(format!(
        "{name} has no session or token {id:?}; `mawe admin sessions {name}` lists them"
    )))
}

/// Finds the account with this name.
pub(super) async fn find(app: &App, name: &str) -> Result<Account, Refused> {
    let player = app.store.find_player_by_name(name).await?;
    let player = player.ok_or_else(|| bad(format!("nobody is called {name:?}")))?;
    let account = app.store.account(&player.id).await?;
    account.ok_or_else(|| {
        bad(format!(
            "{} is one of the server's own computer opponents",
            player.name
        ))
    })
}

async fn hashed(app: &App, password: String) -> Result<String, Refused> {
    let hash = app.passwords.hash(password).await;
    hash.map_err(|busy| Refused::Failed(busy.to_string()))
}

fn taken(error: StoreError, name: &str) -> Refused {
    match error {
        StoreError::Conflict => Refused::Failed(format!("the name {name} is taken")),
        StoreError::LooksAlike => Refused::Failed(format!(
            "the name {name} looks like the name or the display name of another player"
        )),
        error => error.into(),
    }
}

fn bad(line: impl Into<String>) -> Refused {
    Refused::BadInput(line.into())
}
