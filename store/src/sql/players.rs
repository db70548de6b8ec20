//! Players.

use async_trait::async_trait;
use mawe_wire::ids::PlayerId;
use mawe_wire::{Avatar, Language, PlayerKind};

use super::backend::{Backend, Tx, begin, commit};
use super::held_names::take_name;
use super::invitations::use_invitation;
use super::looks::take_look;
use super::pupils::class_forbids;
use super::recovery_codes::insert_recovery_codes;
use super::sessions::insert_session;
use crate::detached::detached;
use crate::rows::{CredentialsRecord, PlayerRecord, Stored, name_key, parsed};
use crate::{
    InvitationUse, LookChange, NewPlayer, NewSession, Player, Players, RecoveryCodeSet, StoreError,
};

/// Selects players as `PlayerRecord`s: `p`.
macro_rules! select_players {
    ($rest:literal) => {
        concat!(
            "SELECT p.id, p.name, p.kind, p.level, p.display_name, p.avatar, p.flag, p.created_ms AS player_created_ms FROM players p ",
            $rest
        )
    };
}

/// Selects players with a name in the range from `$1` to `$2`, as `PlayerRecord`s with the key of their name in ASCII.
macro_rules! select_found {
    ($key:literal) => {
        concat!(
            "SELECT p.id, p.name, p.kind, p.level, p.display_name, p.avatar, p.flag, p.created_ms AS player_created_ms, p.name_key AS found_key
            FROM players p WHERE ",
            $key,
            " >= $1 AND ",
            $key,
            " < $2 "
        )
    };
}

#[async_trait]
impl Players for Backend {
    async fn create_player(
        &self,
        new: &NewPlayer,
        session: Option<&NewSession>,
    ) -> Result<(), StoreError> {
        self.has_space()?;
        let (writer, new, session) = (self.writer().clone(), new.clone(), session.cloned());
        detached(async move {
            let mut tx = begin(&writer).await?;
            insert_player(&mut tx, &new).await?;
            if let Some(session) = session {
                insert_session(&mut tx, &session).await?;
            }
            commit(tx).await
        })
        .await
    }

    async fn register_account(
        &self,
        new: &NewPlayer,
        session: &NewSession,
        codes: &RecoveryCodeSet,
        invitation: Option<InvitationUse>,
    ) -> Result<(), StoreError> {
        self.has_space()?;
        let writer = self.writer().clone();
        let (new, session, codes) = (new.clone(), session.clone(), codes.clone());
        detached(async move {
            let mut tx = begin(&writer).await?;
            insert_player(&mut tx, &new).await?;
            insert_session(&mut tx, &session).await?;
            insert_recovery_codes(&mut tx, &new.player.id, &codes).await?;
            if let Some(invitation) = invitation {
                use_invitation(&mut tx, invitation).await?;
            }
            commit(tx).await
        })
        .await
    }

    async fn register_guest(
        &self,
        guest: &PlayerId,
        name: &str,
        password_hash: &str,
        codes: &RecoveryCodeSet,
        invitation: Option<InvitationUse>,
    ) -> Result<Player, StoreError> {
        self.has_space()?;
        let (writer, guest, codes) = (self.writer().clone(), guest.clone(), codes.clone());
        let (name, password_hash) = (name.to_owned(), password_hash.to_owned());
        detached(async move {
            let mut tx = begin(&writer).await?;
            let player: Option<PlayerRecord> = sqlx::query_as(
                "UPDATE players SET name = $2, name_key = $3, password_hash = $4, kind = $5
                WHERE id = $1 AND kind = $6
                RETURNING id, name, kind, level, display_name, avatar, flag, created_ms AS player_created_ms",
            )
            .bind(guest.as_str())
            .bind(&name)
            .bind(name_key(&name))
            .bind(password_hash)
            .bind(PlayerKind::Account.text())
            .bind(PlayerKind::Guest.text())
            .fetch_optional(&mut *tx)
            .await?;
            let player = player.ok_or(StoreError::NotFound)?.try_into()?;
            take_name(&mut tx, &guest, &name, codes.created_ms).await?;
            take_look(&mut tx, &guest, (None, &name), codes.created_ms).await?;
            insert_recovery_codes(&mut tx, &guest, &codes).await?;
            if let Some(invitation) = invitation {
                use_invitation(&mut tx, invitation).await?;
            }
            commit(tx).await?;
            Ok(player)
        })
        .await
    }

    async fn ensure_bot(&self, level: u8, name: &str, now_ms: i64) -> Result<Player, StoreError> {
        let (writer, name) = (self.writer().clone(), name.to_owned());
        detached(async move {
            let mut tx = begin(&writer).await?;
            // The conflict may be with an existing bot of this level or with a player of this name; both leave the table unchanged.
            sqlx::query(
                "INSERT INTO players (id, name, name_key, kind, level, created_ms)
                VALUES ($1, $2, $3, 'bot', $4, $5) ON CONFLICT DO NOTHING",
            )
            .bind(PlayerId::random().as_str())
            .bind(&name)
            .bind(name_key(&name))
            .bind(i64::from(level))
            .bind(now_ms)
            .execute(&mut *tx)
            .await?;
            let bot: Option<PlayerRecord> =
                sqlx::query_as(select_players!("WHERE p.kind = 'bot' AND p.level = $1"))
                    .bind(i64::from(level))
                    .fetch_optional(&mut *tx)
                    .await?;
            let bot = bot.ok_or(StoreError::Conflict)?.try_into()?;
            commit(tx).await?;
            Ok(bot)
        })
        .await
    }

    async fn find_player(&self, id: &PlayerId) -> Result<Option<Player>, StoreError> {
        let row: Option<PlayerRecord> = sqlx::query_as(select_players!("WHERE p.id = $1"))
            .bind(id.as_str())
            .fetch_optional(self.reader())
            .await?;
        row.map(Player::try_from).transpose()
    }

    async fn find_player_by_name(&self, name: &str) -> Result<Option<Player>, StoreError> {
        if !can_be_stored(name) {
            return Ok(None);
        }
        let row: Option<PlayerRecord> = sqlx::query_as(select_players!("WHERE p.name_key = $1"))
            .bind(name_key(name))
            .fetch_optional(self.reader())
            .await?;
        row.map(Player::try_from).transpose()
    }

    async fn find_players(&self, name_start: &str, limit: u32) -> Result<Vec<Player>, StoreError> {
        if !can_be_stored(name_start) {
            return Ok(Vec::new());
        }
        let from = name_key(name_start);
        // The last of all characters occurs in no name, so it marks the end of the range.
        let to = format!("{from}{}", char::MAX);
        // The class of a pupil may hide the name; a pupil has no display name.
        let rows: Vec<PlayerRecord> = sqlx::query_as(concat!(
            "SELECT * FROM (",
            select_found!("p.name_key"),
            "AND p.kind <> 'guest' AND p.disabled_ms IS NULL AND NOT ",
            class_forbids!("profiles", "p.id"),
            " ORDER BY p.name_key LIMIT $3) AS at_name UNION SELECT * FROM (",
            select_found!("p.display_find"),
            "AND p.display_find IS NOT NULL AND p.disabled_ms IS NULL ORDER BY p.display_find LIMIT $3) AS at_display_name
            ORDER BY found_key LIMIT $3"
        ))
        .bind(from)
        .bind(to)
        .bind(i64::from(limit))
        .fetch_all(self.reader())
        .await?;
        parsed(rows)
    }

    async fn language(&self, player: &PlayerId) -> Result<Option<Language>, StoreError> {
        let text: Option<Option<String>> =
            sqlx::query_scalar("SELECT language FROM players WHERE id = $1")
                .bind(player.as_str())
                .fetch_optional(self.reader())
                .await?;
        let text = text.flatten();
        text.as_deref().map(Language::from_text).transpose()
    }

    async fn change_look(&self, player: &PlayerId, change: LookChange) -> Result<(), StoreError> {
        let (writer, player) = (self.writer().clone(), player.clone());
        detached(async move {
            let mut tx = begin(&writer).await?;
            sqlx::query(
                "UPDATE players SET avatar = CASE WHEN $2 THEN $3 ELSE avatar END, flag = CASE WHEN $4 THEN $5 ELSE flag END
                WHERE id = $1",
            )
            .bind(player.as_str())
            .bind(change.avatar.is_some())
            .bind(change.avatar.flatten().map(Avatar::as_str))
            .bind(change.flag.is_some())
            .bind(change.flag.flatten().map(String::from))
            .execute(&mut *tx)
            .await?;
            commit(tx).await
        })
        .await
    }

    async fn set_language(&self, player: &PlayerId, language: Language) -> Result<(), StoreError> {
        let (writer, player) = (self.writer().clone(), player.clone());
        detached(async move {
            let mut tx = begin(&writer).await?;
            sqlx::query("UPDATE players SET language = $2 WHERE id = $1")
                .bind(player.as_str())
                .bind(language.text())
                .execute(&mut *tx)
                .await?;
            commit(tx).await
        })
        .await
    }

    async fn credentials(&self, name: &str) -> Result<Option<(Player, String)>, StoreError> {
        if !can_be_stored(name) {
            return Ok(None);
        }
        let row: Option<CredentialsRecord> = sqlx::query_as(
            "SELECT id, name, kind, level, display_name, avatar, flag, created_ms AS player_created_ms, password_hash FROM players
            WHERE name_key = $1 AND password_hash IS NOT NULL",
        )
        .bind(name_key(name))
        .fetch_optional(self.reader())
        .await?;
        row.map(|row| Ok((row.player.try_into()?, row.password_hash)))
            .transpose()
    }

    async fn password_hashes(
        &self,
        of: &[PlayerId],
    ) -> Result<Vec<(PlayerId, String)>, StoreError> {
        let mut found = Vec::new();
        for player in of {
            let hash: Option<String> = sqlx::query_scalar(
                "SELECT password_hash FROM players WHERE id = $1 AND password_hash IS NOT NULL",
            )
            .bind(player.as_str())
            .fetch_optional(self.reader())
            .await?;
            found.extend(hash.map(|hash| (player.clone(), hash)));
        }
        Ok(found)
    }
}

pub(super) async fn insert_player(tx: &mut Tx, new: &NewPlayer) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO players (id, name, name_key, kind, level, password_hash, created_ms)
        VALUES ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(new.player.id.as_str())
    .bind(&new.player.name)
    .bind(name_key(&new.player.name))
    .bind(new.player.kind.text())
    .bind(new.player.level.map(i64::from))
    .bind(&new.password_hash)
    .bind(new.player.created_ms)
    .execute(&mut **tx)
    .await?;
    let (id, name, now_ms) = (&new.player.id, &new.player.name, new.player.created_ms);
    take_name(tx, id, name, now_ms).await?;
    // The server draws the names of guests; no other name may look so.
    if new.player.kind != PlayerKind::Guest {
        take_look(tx, id, (None, name), now_ms).await?;
    }
    Ok(())
}

/// Whether a player can have this name. Postgres refuses a text with a null character, also in a query.
pub(super) fn can_be_stored(name: &str) -> bool {
    !name.contains('\0')
}
