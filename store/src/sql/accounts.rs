//! Changes of accounts by operators and moderators, each with its audit log entry.

use async_trait::async_trait;
use mawe_wire::PlayerKind;
use mawe_wire::grants::Grant;
use mawe_wire::ids::{ClubId, PlayerId, TokenHash};

use super::audit::insert_audit;
use super::backend::{Backend, Tx, begin, commit};
use super::club_members::{forget, lock_clubs_of, settle};
use super::email_ends::delete_email;
use super::held_display_names::{forget_display_names, take_display_name};
use super::held_names::{forget_names, take_name};
use super::looks::take_look;
use super::notices::lock;
use super::passkeys::delete_passkeys;
use super::players::{can_be_stored, insert_player};
use super::pupils::check_not_only_teacher;
use super::recovery_codes::delete_recovery_codes;
use super::sessions::{end_all, end_sessions};
use crate::detached::detached;
use crate::rows::{AccountRecord, PlayerRecord, Stored, name_key, parsed, token_hash};
use crate::{
    Account, AccountChange, AccountFilter, Accounts, Attribution, Changed, NewAudit, NewPlayer,
    Player, StoreError,
};

/// Selects accounts as `AccountRecord`s: `p`.
macro_rules! select_accounts {
    ($rest:literal) => {
        concat!(
            "SELECT p.id, p.name, p.kind, p.level, p.display_name, p.avatar, p.flag, p.created_ms AS player_created_ms, p.grants, p.disabled_ms,
                p.disabled_why, p.disabled_until_ms, p.deleted_ms
            FROM players p WHERE p.level IS NULL AND ",
            $rest
        )
    };
}

#[async_trait]
impl Accounts for Backend {
    async fn account(&self, id: &PlayerId) -> Result<Option<Account>, StoreError> {
        let row: Option<AccountRecord> = sqlx::query_as(select_accounts!("p.id = $1"))
            .bind(id.as_str())
            .fetch_optional(self.reader())
            .await?;
        row.map(Account::try_from).transpose()
    }

    async fn accounts(
        &self,
        filter: &AccountFilter,
        after: Option<&str>,
        limit: u32,
    ) -> Result<Vec<Account>, StoreError> {
        if !can_be_stored(&filter.name_part) || !after.is_none_or(can_be_stored) {
            return Ok(Vec::new());
        }
        let escaped = name_key(&filter.name_part).replace('\\', "\\\\");
        let escaped = escaped.replace('%', "\\%").replace('_', "\\_");
        let grant = filter
            .grant
            .map_or("%".to_owned(), |grant| format!("% {grant} %"));
        let rows: Vec<AccountRecord> = sqlx::query_as(select_accounts!(
            "p.name_key > $1 AND p.name_key LIKE $2 ESCAPE '\\' AND (' ' || p.kind || ' ' || p.grants || ' ') LIKE $3
                AND (p.disabled_ms IS NOT NULL OR NOT $4) AND (p.kind <> 'guest' OR $5)
            ORDER BY p.name_key LIMIT $6"
        ))
        .bind(after.map(name_key).unwrap_or_default())
        .bind(format!("%{escaped}%"))
        .bind(grant)
        .bind(filter.disabled)
        .bind(filter.guests)
        .bind(i64::from(limit))
        .fetch_all(self.reader())
        .await?;
        parsed(rows)
    }

    async fn create_account(
        &self,
        new: &NewPlayer,
        attribution: &Attribution,
    ) -> Result<(), StoreError> {
        let (writer, new, attribution) = (self.writer().clone(), new.clone(), attribution.clone());
        detached(async move {
            let mut tx = begin(&writer).await?;
            insert_player(&mut tx, &new).await?;
            let audit = NewAudit {
                attribution,
                action: "create",
                about: Some(new.player.id),
                match_id: None,
                detail: String::new(),
            };
            insert_audit(&mut tx, &audit).await?;
            commit(tx).await
        })
        .await
    }

    async fn change_account(
        &self,
        id: &PlayerId,
        change: &AccountChange,
        attribution: &Attribution,
    ) -> Result<Changed, StoreError> {
        let (writer, id) = (self.writer().clone(), id.clone());
        let (change, attribution) = (change.clone(), attribution.clone());
        detached(async move {
            let mut tx = begin(&writer).await?;
            let changed = change_in(&mut tx, &id, &change, &attribution).await?;
            commit(tx).await?;
            Ok(changed)
        })
        .await
    }

    async fn enable_due(&self, now_ms: i64) -> Result<u64, StoreError> {
        let due: Option<i32> = sqlx::query_scalar(
            "SELECT 1 FROM players WHERE disabled_until_ms <= $1 AND disabled_until_ms IS NOT NULL LIMIT 1",
        )
        .bind(now_ms)
        .fetch_optional(self.reader())
        .await?;
        if due.is_none() {
            return Ok(0);
        }
        let writer = self.writer().clone();
        detached(async move {
            let mut tx = begin(&writer).await?;
            // Several nodes may run this at once: one updates the rows, the others wait here and then find none.
            let ids: Vec<String> = sqlx::query_scalar(
                "UPDATE players SET disabled_ms = NULL, disabled_why = NULL, disabled_until_ms = NULL
                WHERE disabled_until_ms <= $1 AND disabled_until_ms IS NOT NULL RETURNING id",
            )
            .bind(now_ms)
            .fetch_all(&mut *tx)
            .await?;
            for id in &ids {
                let audit = NewAudit {
                    attribution: Attribution {
                        by: None,
                        why: "its time is over".to_owned(),
                        at_ms: now_ms,
                    },
                    action: AccountChange::Enable.action(),
                    about: Some(crate::rows::id("player id", id.clone())?),
                    match_id: None,
                    detail: String::new(),
                };
                insert_audit(&mut tx, &audit).await?;
            }
            commit(tx).await?;
            Ok(ids.len() as u64)
        })
        .await
    }

    async fn become_bot(&self, player: &PlayerId, now_ms: i64) -> Result<Player, StoreError> {
        let (writer, player) = (self.writer().clone(), player.clone());
        detached(async move {
            let mut tx = begin(&writer).await?;
            let clubs = lock_clubs_of(&mut tx, &player).await?;
            check_not_only_teacher(&mut tx, &player).await?;
            let bot = make_bot(&mut tx, &player).await?;
            forget(&mut tx, &player, &clubs, None, now_ms).await?;
            commit(tx).await?;
            Ok(bot)
        })
        .await
    }
}

/// Changes an account and writes an audit log entry, as a part of a transaction.
pub(super) async fn change_in(
    tx: &mut Tx,
    id: &PlayerId,
    change: &AccountChange,
    attribution: &Attribution,
) -> Result<Changed, StoreError> {
    let clubs = if ends_offices(change) {
        lock_clubs_of(tx, id).await?
    } else {
        Vec::new()
    };
    if let AccountChange::Rename(_) | AccountChange::Delete(_) = change {
        // A new name locks the row also against new notices, whose writers hold this already.
        lock(tx, [id]).await?;
    }
    let before = locked(tx, id).await?;
    let is_own = attribution.by.as_ref() == Some(id);
    if ends_membership(change) && (is_own || !matches!(change, AccountChange::Delete(_))) {
        check_not_only_teacher(tx, id).await?;
    }
    let done = apply(tx, &before, change, attribution).await?;
    end_offices(tx, (id, &clubs), change, attribution).await?;
    let Some(Done { ended, detail }) = done else {
        return Ok(Changed {
            account: before,
            ended: Vec::new(),
        });
    };
    let audit = NewAudit {
        attribution: attribution.clone(),
        action: change.action(),
        about: Some(id.clone()),
        match_id: None,
        detail,
    };
    insert_audit(tx, &audit).await?;
    let account = locked(tx, id).await?;
    Ok(Changed { account, ended })
}

/// Whether the account cannot be an officer of a club after this change.
fn ends_offices(change: &AccountChange) -> bool {
    matches!(
        change,
        AccountChange::Disable
            | AccountChange::DisableUntil(_)
            | AccountChange::Delete(_)
            | AccountChange::Grant(Grant::Bot)
    )
}

/// Whether the account cannot be a member of a club after this change.
fn ends_membership(change: &AccountChange) -> bool {
    matches!(
        change,
        AccountChange::Delete(_) | AccountChange::Grant(Grant::Bot)
    )
}

/// Applies the effects of such a change on the clubs of the account.
async fn end_offices(
    tx: &mut Tx,
    (id, clubs): (&PlayerId, &[ClubId]),
    change: &AccountChange,
    attribution: &Attribution,
) -> Result<(), StoreError> {
    let now_ms = attribution.at_ms;
    if ends_membership(change) {
        let by = attribution.by.as_ref().filter(|by| *by != id);
        return forget(tx, id, clubs, by, now_ms).await;
    }
    for club in clubs {
        settle(tx, club, now_ms).await?;
    }
    Ok(())
}

/// Returns an account and locks its row until the commit.
pub(super) async fn locked(tx: &mut Tx, id: &PlayerId) -> Result<Account, StoreError> {
    sqlx::query("UPDATE players SET created_ms = created_ms WHERE id = $1")
        .bind(id.as_str())
        .execute(&mut **tx)
        .await?;
    let row: Option<AccountRecord> = sqlx::query_as(select_accounts!("p.id = $1"))
        .bind(id.as_str())
        .fetch_optional(&mut **tx)
        .await?;
    row.ok_or(StoreError::NotFound)?.try_into()
}

/// The effect of a change: the sessions and tokens that ended, and details for the log.
#[derive(Default)]
struct Done {
    ended: Vec<TokenHash>,
    detail: String,
}

/// Applies a change; `None` if it has no effect.
async fn apply(
    tx: &mut Tx,
    account: &Account,
    change: &AccountChange,
    attribution: &Attribution,
) -> Result<Option<Done>, StoreError> {
    let id = &account.player.id;
    let is_guest = account.player.kind == PlayerKind::Guest;
    if account.deleted_ms.is_some() {
        return Err(StoreError::Conflict);
    }
    let done = match change {
        AccountChange::Disable => Done {
            ended: disable(tx, id, attribution, None).await?,
            ..Done::default()
        },
        AccountChange::DisableUntil(until_ms) => Done {
            ended: disable(tx, id, attribution, Some(*until_ms)).await?,
            detail: until(*until_ms),
        },
        AccountChange::MuteUntil(until_ms) | AccountChange::MuteChatUntil(until_ms) => {
            let sql = if matches!(change, AccountChange::MuteUntil(_)) {
                "UPDATE players SET muted_until_ms = $2 WHERE id = $1"
            } else {
                "UPDATE players SET chat_muted_until_ms = $2 WHERE id = $1"
            };
            sqlx::query(sql)
                .bind(id.as_str())
                .bind(until_ms)
                .execute(&mut **tx)
                .await?;
            Done {
                detail: until(*until_ms),
                ..Done::default()
            }
        }
        AccountChange::Enable if account.disabled.is_none() => return Ok(None),
        AccountChange::Enable => {
            sqlx::query(
                "UPDATE players SET disabled_ms = NULL, disabled_why = NULL, disabled_until_ms = NULL WHERE id = $1",
            )
            .bind(id.as_str())
            .execute(&mut **tx)
            .await?;
            Done::default()
        }
        AccountChange::Rename(_)
        | AccountChange::SetPassword(_)
        | AccountChange::Grant(_)
        | AccountChange::Revoke(_)
            if is_guest =>
        {
            return Err(StoreError::Conflict);
        }
        AccountChange::Rename(name) if *name == account.player.name => return Ok(None),
        AccountChange::Rename(name) => {
            let old = account.player.name.as_str();
            rename(tx, id, name).await?;
            take_name(tx, id, name, attribution.at_ms).await?;
            take_look(tx, id, (Some(old), name), attribution.at_ms).await?;
            Done {
                detail: format!("from {} to {name}", account.player.name),
                ..Done::default()
            }
        }
        AccountChange::RemoveDisplayName => {
            let Some(old) = &account.player.look.display_name else {
                return Err(StoreError::Conflict);
            };
            take_display_name(tx, id, attribution.at_ms).await?;
            Done {
                detail: old.clone(),
                ..Done::default()
            }
        }
        AccountChange::SetPassword(hash) => {
            sqlx::query("UPDATE players SET password_hash = $2 WHERE id = $1")
                .bind(id.as_str())
                .bind(hash)
                .execute(&mut **tx)
                .await?;
            // Somebody else may have known the old password, and made codes and passkeys or set an address with it.
            delete_recovery_codes(tx, id).await?;
            delete_passkeys(tx, id).await?;
            delete_email(tx, id).await?;
            Done {
                ended: end_sessions(tx, id).await?,
                ..Done::default()
            }
        }
        AccountChange::Grant(grant) if account.grants.has(*grant) => return Ok(None),
        AccountChange::Grant(grant) => {
            match grant {
                Grant::Bot => drop(make_bot(tx, id).await?),
                grant => set_grants(tx, account, |grants| grants.with(*grant)).await?,
            }
            Done {
                detail: grant.to_string(),
                ..Done::default()
            }
        }
        AccountChange::Revoke(grant) if !account.grants.has(*grant) => return Ok(None),
        AccountChange::Revoke(grant) => {
            match grant {
                Grant::Bot => make_account(tx, id).await?,
                grant => set_grants(tx, account, |grants| grants.without(*grant)).await?,
            }
            Done {
                detail: grant.to_string(),
                ..Done::default()
            }
        }
        AccountChange::EndSession(hash) => {
            let ended: Option<Vec<u8>> = sqlx::query_scalar(
                "DELETE FROM sessions WHERE player_id = $1 AND token_hash = $2 RETURNING token_hash",
            )
            .bind(id.as_str())
            .bind(hash.to_vec())
            .fetch_optional(&mut **tx)
            .await?;
            Done {
                ended: vec![token_hash(ended.ok_or(StoreError::NotFound)?)?],
                ..Done::default()
            }
        }
        AccountChange::EndToken(token) => {
            let ended: Option<Vec<u8>> = sqlx::query_scalar(
                "DELETE FROM tokens WHERE player_id = $1 AND id = $2 RETURNING token_hash",
            )
            .bind(id.as_str())
            .bind(token.as_str())
            .fetch_optional(&mut **tx)
            .await?;
            Done {
                ended: vec![token_hash(ended.ok_or(StoreError::NotFound)?)?],
                ..Done::default()
            }
        }
        AccountChange::EndSessions => Done {
            ended: end_all(tx, id).await?,
            ..Done::default()
        },
        AccountChange::Delete(name) => {
            let ended = delete(tx, id, name, attribution).await?;
            Done {
                ended,
                ..Done::default()
            }
        }
    };
    Ok(Some(done))
}

/// Disables an account, and returns the sessions and tokens that ended.
async fn disable(
    tx: &mut Tx,
    id: &PlayerId,
    attribution: &Attribution,
    until_ms: Option<i64>,
) -> Result<Vec<TokenHash>, StoreError> {
    sqlx::query(
        "UPDATE players SET disabled_ms = $2, disabled_why = $3, disabled_until_ms = $4 WHERE id = $1",
    )
    .bind(id.as_str())
    .bind(attribution.at_ms)
    .bind(&attribution.why)
    .bind(until_ms)
    .execute(&mut **tx)
    .await?;
    withdraw(tx, id).await?;
    end_all(tx, id).await
}

/// Formats the end of a measure for the audit log.
fn until(until_ms: i64) -> String {
    jiff::Timestamp::from_millisecond(until_ms)
        .map_or_else(|_| "for good".to_owned(), |until| format!("until {until}"))
}

pub(super) async fn rename(tx: &mut Tx, id: &PlayerId, name: &str) -> Result<(), StoreError> {
    sqlx::query("UPDATE players SET name = $2, name_key = $3 WHERE id = $1")
        .bind(id.as_str())
        .bind(name)
        .bind(name_key(name))
        .execute(&mut **tx)
        .await?;
    Ok(())
}

/// Stores the grants of an account. [`Grant::Bot`] is not among them: the kind of the player says it.
async fn set_grants(
    tx: &mut Tx,
    account: &Account,
    change: impl FnOnce(mawe_wire::grants::Grants) -> mawe_wire::grants::Grants,
) -> Result<(), StoreError> {
    let grants = change(account.grants).without(Grant::Bot);
    sqlx::query("UPDATE players SET grants = $2 WHERE id = $1")
        .bind(account.player.id.as_str())
        .bind(grants.to_string())
        .execute(&mut **tx)
        .await?;
    Ok(())
}

/// Turns an account that has never played into a bot account.
async fn make_bot(tx: &mut Tx, player: &PlayerId) -> Result<Player, StoreError> {
    let bot: Option<PlayerRecord> = sqlx::query_as(
        "UPDATE players SET kind = $2 WHERE id = $1 AND kind = $3
            AND NOT EXISTS (SELECT 1 FROM matches WHERE first_id = $1)
            AND NOT EXISTS (SELECT 1 FROM matches WHERE second_id = $1)
        RETURNING id, name, kind, level, display_name, avatar, flag, created_ms AS player_created_ms",
    )
    .bind(player.as_str())
    .bind(PlayerKind::Bot.text())
    .bind(PlayerKind::Account.text())
    .fetch_optional(&mut **tx)
    .await?;
    // A program has no mailbox, and its owner would no longer see the address.
    delete_email(tx, player).await?;
    // The open seeks were made by a person.
    sqlx::query(
        "UPDATE challenges SET cancelled = $2
        WHERE challenger_id = $1 AND listed AND match_id IS NULL AND NOT cancelled AND declined IS NULL",
    )
    .bind(player.as_str())
    .bind(true)
    .execute(&mut **tx)
    .await?;
    bot.ok_or(StoreError::Conflict)?.try_into()
}

/// Turns a bot account into a person's account, if it has never played.
async fn make_account(tx: &mut Tx, id: &PlayerId) -> Result<(), StoreError> {
    let made = sqlx::query(
        "UPDATE players SET kind = $2 WHERE id = $1
            AND NOT EXISTS (SELECT 1 FROM matches WHERE first_id = $1)
            AND NOT EXISTS (SELECT 1 FROM matches WHERE second_id = $1)",
    )
    .bind(id.as_str())
    .bind(PlayerKind::Account.text())
    .execute(&mut **tx)
    .await?;
    if made.rows_affected() == 0 {
        return Err(StoreError::Conflict);
    }
    Ok(())
}

/// Cancels a player's open seeks and challenges, and the open challenges to the player.
async fn withdraw(tx: &mut Tx, id: &PlayerId) -> Result<(), StoreError> {
    for sql in [
        "UPDATE challenges SET cancelled = $2
        WHERE challenger_id = $1 AND match_id IS NULL AND NOT cancelled AND declined IS NULL",
        "UPDATE challenges SET cancelled = $2
        WHERE to_id = $1 AND to_id IS NOT NULL AND match_id IS NULL AND NOT cancelled AND declined IS NULL",
    ] {
        sqlx::query(sql)
            .bind(id.as_str())
            .bind(true)
            .execute(&mut **tx)
            .await?;
    }
    Ok(())
}

/// Removes all personal data from an account. The row stays, because matches refer to it.
async fn delete(
    tx: &mut Tx,
    id: &PlayerId,
    name: &str,
    attribution: &Attribution,
) -> Result<Vec<TokenHash>, StoreError> {
    let plays: bool = sqlx::query_scalar(
        "SELECT EXISTS (SELECT 1 FROM matches WHERE first_id = $1 AND finished_ms IS NULL)
            OR EXISTS (SELECT 1 FROM matches WHERE second_id = $1 AND finished_ms IS NULL)",
    )
    .bind(id.as_str())
    .fetch_one(&mut **tx)
    .await?;
    if plays {
        return Err(StoreError::Conflict);
    }
    rename(tx, id, name).await?;
    sqlx::query(
        "UPDATE players SET password_hash = NULL, grants = '', language = NULL, avatar = NULL, flag = NULL, chat = $3, challenges_from = NULL, challenge_min_rating = NULL, challenge_max_rating = NULL, deleted_ms = $2, disabled_ms = coalesce(disabled_ms, $2),
            disabled_why = 'deleted', disabled_until_ms = NULL WHERE id = $1",
    )
    .bind(id.as_str())
    .bind(attribution.at_ms)
    .bind(false)
    .execute(&mut **tx)
    .await?;
    for sql in [
        "DELETE FROM notices WHERE player_id = $1",
        "DELETE FROM vacations WHERE player_id = $1",
        "UPDATE analyses SET requested_by = NULL WHERE requested_by = $1",
        "UPDATE chat_lines SET text = '', player_id = NULL WHERE player_id = $1",
        "DELETE FROM chat_mutes WHERE player_id = $1",
        "DELETE FROM chat_mutes WHERE muted_id = $1",
        "DELETE FROM follows WHERE player_id = $1",
        "DELETE FROM follows WHERE followed_id = $1",
        "DELETE FROM blocks WHERE player_id = $1",
        "DELETE FROM blocks WHERE blocked_id = $1",
        "DELETE FROM request_keys WHERE player_id = $1",
        "DELETE FROM shared_devices WHERE player_id = $1",
        "DELETE FROM shared_devices WHERE other_id = $1",
        "UPDATE reports SET text = '', why = '' WHERE reported_id = $1",
        "UPDATE reports SET appeal = '', appeal_note = '' WHERE reported_id = $1 AND appeal_ms IS NOT NULL",
        "UPDATE reports SET text = '' WHERE reporter_id = $1",
        "UPDATE invitations SET note = '' WHERE created_by = $1",
        // The name stays: the players know the event by it.
        "UPDATE events SET description = '', password_hash = NULL WHERE by_id = $1",
        "DELETE FROM event_timetables WHERE by_id = $1",
    ] {
        sqlx::query(sql)
            .bind(id.as_str())
            .execute(&mut **tx)
            .await?;
    }
    delete_recovery_codes(tx, id).await?;
    delete_passkeys(tx, id).await?;
    delete_email(tx, id).await?;
    forget_names(tx, id).await?;
    forget_display_names(tx, id).await?;
    // Log entries about the account may contain its former names and statements about the person.
    sqlx::query("UPDATE audit SET detail = '', why = '' WHERE about_id = $1")
        .bind(id.as_str())
        .execute(&mut **tx)
        .await?;
    withdraw(tx, id).await?;
    end_all(tx, id).await
}
