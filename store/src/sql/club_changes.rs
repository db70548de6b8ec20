//! Changes of clubs: each as a part of a transaction.

use mawe_wire::clubs::{ClubAction, ClubKind, ClubRef, ClubTexts, Joining};
use mawe_wire::ids::{ClubId, PlayerId};
use mawe_wire::{Language, NoticeAbout, NoticeKind};

use super::audit::insert_audit;
use super::backend::{ALL, Tx, serialise};
use super::club_members::{
    check_person, close, enter, leave, lock_club, lock_player, log, notice_key, set_officer, settle,
};
use super::notices::{delete_about, lock, write_all};
use super::pupils::{check_may_join, insert_class, is_pupil};
use crate::rows::{Stored, damaged, name_key};
use crate::{
    Attribution, ClubChange, ClubChanged, ClubEdit, ClubLimits, ClubModeration, ClubName,
    ClubRefusal, NewAudit, NewClub, NewNotice, StoreError,
};

/// Founds a club.
pub(super) async fn found(
    tx: &mut Tx,
    new: &NewClub,
    limits: &ClubLimits,
) -> Result<(), StoreError> {
    lock_player(tx, &new.founder).await?;
    lock_names(tx).await?;
    let founded: i64 = sqlx::query_scalar("SELECT count(*) FROM clubs WHERE founder_id = $1")
        .bind(new.founder.as_str())
        .fetch_one(&mut **tx)
        .await?;
    if founded >= i64::from(limits.founded) {
        return Err(ClubRefusal::TooManyFounded.into());
    }
    let handle_key = name_key(&new.handle);
    let is_taken: bool =
        sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM clubs WHERE handle_key = $1)")
            .bind(&handle_key)
            .fetch_one(&mut **tx)
            .await?;
    if is_taken {
        return Err(ClubRefusal::HandleTaken.into());
    }
    check_name(tx, &new.id, &new.name).await?;
    sqlx::query(
        "INSERT INTO clubs (id, handle, handle_key, kind, name, name_key, find_key, joining, descriptions, banner, members, log_entries,
            founder_id, created_ms) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 0, 0, $11, $12)",
    )
    .bind(new.id.as_str())
    .bind(&new.handle)
    .bind(&handle_key)
    .bind(new.kind.text())
    .bind(&new.name.text)
    .bind(&new.name.key)
    .bind(find_key(&new.handle, &new.name.text))
    .bind(new.joining.text())
    .bind(serde_json::to_string(&new.descriptions).expect("texts are plain JSON"))
    .bind(&new.banner)
    .bind(new.founder.as_str())
    .bind(new.created_ms)
    .execute(&mut **tx)
    .await?;
    if new.kind == ClubKind::Class {
        insert_class(tx, &new.id).await?;
    }
    enter(tx, (&new.id, &new.founder), true, limits, new.created_ms).await?;
    let founded = (ClubAction::Founded, None);
    log(tx, &new.id, Some(&new.founder), founded, "", new.created_ms).await
}

/// Locks the names of all clubs until the commit. Names change seldom.
async fn lock_names(tx: &mut Tx) -> Result<(), StoreError> {
    serialise(tx, "names of clubs").await
}

/// Refuses a name that looks like that of another club.
async fn check_name(tx: &mut Tx, club: &ClubId, name: &ClubName) -> Result<(), StoreError> {
    let is_taken: bool =
        sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM clubs WHERE name_key = $1 AND id <> $2)")
            .bind(&name.key)
            .bind(club.as_str())
            .fetch_one(&mut **tx)
            .await?;
    (!is_taken)
        .then_some(())
        .ok_or_else(|| ClubRefusal::NameTaken.into())
}

/// The text in which a search looks.
fn find_key(handle: &str, name: &str) -> String {
    name_key(&format!("{handle} {name}"))
}

/// A change under way: the club with its locks, the actor, and the effects beside the club.
struct Change<'a> {
    club: &'a ClubId,
    by: &'a PlayerId,
    joining: Joining,
    shown: ClubRef,
    limits: &'a ClubLimits,
    now_ms: i64,
    done: ClubChanged,
}

/// Changes a club in the name of a player.
pub(super) async fn change(
    tx: &mut Tx,
    (club, by): (&ClubId, &PlayerId),
    what: &ClubChange,
    limits: &ClubLimits,
    now_ms: i64,
) -> Result<ClubChanged, StoreError> {
    let subject = match what {
        ClubChange::Accept(player)
        | ClubChange::Refuse(player)
        | ClubChange::Invite(player)
        | ClubChange::EndInvitation(player)
        | ClubChange::Remove(player)
        | ClubChange::Appoint(player)
        | ClubChange::Dismiss(player) => player,
        ClubChange::Join(_)
        | ClubChange::Withdraw
        | ClubChange::Decline
        | ClubChange::Leave
        | ClubChange::Edit(_)
        | ClubChange::Close => by,
    };
    lock_player(tx, subject).await?;
    if let ClubChange::Edit(ClubEdit { name: Some(_), .. }) = what {
        lock_names(tx).await?;
    }
    lock_club(tx, club).await?;
    lock(tx, [subject]).await?;
    let (joining, shown) = locked(tx, club).await?;
    // The accounts of all officers may have been disabled while nobody else could act.
    settle(tx, club, now_ms).await?;
    let mut change = Change {
        club,
        by,
        joining,
        shown,
        limits,
        now_ms,
        done: ClubChanged::default(),
    };
    match what {
        ClubChange::Join(line) => change.join(tx, line).await?,
        ClubChange::Withdraw => {
            change.delete(tx, "club_requests", by).await?;
        }
        ClubChange::Decline => change.end_invitation(tx, by).await.map(drop)?,
        ClubChange::Leave => change.leave(tx).await?,
        by_officer => {
            if change.officer(tx, by).await? != Some(true) {
                return Err(ClubRefusal::OfficersOnly.into());
            }
            change.by_officer(tx, by_officer).await?;
        }
    }
    Ok(change.done)
}

/// Returns how a club is joined, and its name.
async fn locked(tx: &mut Tx, club: &ClubId) -> Result<(Joining, ClubRef), StoreError> {
    let row: Option<(String, String, String)> =
        sqlx::query_as("SELECT joining, handle, name FROM clubs WHERE id = $1")
            .bind(club.as_str())
            .fetch_optional(&mut **tx)
            .await?;
    let (joining, handle, name) = row.ok_or(StoreError::NotFound)?;
    Ok((Joining::from_text(&joining)?, ClubRef { handle, name }))
}

impl Change<'_> {
    /// Whether a player is an officer; `None` for one who is no member.
    async fn officer(&self, tx: &mut Tx, player: &PlayerId) -> Result<Option<bool>, StoreError> {
        let officer = sqlx::query_scalar(
            "SELECT officer FROM club_members WHERE club_id = $1 AND player_id = $2",
        )
        .bind(self.club.as_str())
        .bind(player.as_str())
        .fetch_optional(&mut **tx)
        .await?;
        Ok(officer)
    }

    /// Whether the table has a row of the player at this club. The table's name is a constant.
    async fn has(
        &self,
        tx: &mut Tx,
        table: &'static str,
        player: &PlayerId,
    ) -> Result<bool, StoreError> {
        let sql =
            format!("SELECT EXISTS (SELECT 1 FROM {table} WHERE club_id = $1 AND player_id = $2)");
        let has = sqlx::query_scalar(sqlx::AssertSqlSafe(sql))
            .bind(self.club.as_str())
            .bind(player.as_str())
            .fetch_one(&mut **tx)
            .await?;
        Ok(has)
    }

    /// Deletes the player's row of such a table; returns whether there was one.
    async fn delete(
        &self,
        tx: &mut Tx,
        table: &'static str,
        player: &PlayerId,
    ) -> Result<bool, StoreError> {
        let sql = format!("DELETE FROM {table} WHERE club_id = $1 AND player_id = $2");
        let deleted = sqlx::query(sqlx::AssertSqlSafe(sql))
            .bind(self.club.as_str())
            .bind(player.as_str())
            .execute(&mut **tx)
            .await?;
        Ok(deleted.rows_affected() > 0)
    }

    async fn log(
        &self,
        tx: &mut Tx,
        action: ClubAction,
        about: Option<&PlayerId>,
        detail: &str,
    ) -> Result<(), StoreError> {
        let what = (action, about);
        log(tx, self.club, Some(self.by), what, detail, self.now_ms).await
    }

    async fn tell(
        &mut self,
        tx: &mut Tx,
        player: &PlayerId,
        kind: NoticeKind,
    ) -> Result<(), StoreError> {
        let key = notice_key(self.club, player);
        let by_officer = kind == NoticeKind::ClubInvitation;
        let notice = NewNotice {
            player: player.clone(),
            kind,
            by: by_officer.then(|| self.by.clone()),
            key: key.clone(),
            about: NoticeAbout {
                club: Some(self.shown.clone()),
                ..NoticeAbout::default()
            },
            until_ms: None,
            at_ms: self.now_ms,
        };
        write_all(tx, vec![notice]).await?;
        self.done.told.push(key);
        Ok(())
    }

    async fn enter(&mut self, tx: &mut Tx, player: &PlayerId) -> Result<(), StoreError> {
        let at = (self.club, player);
        if enter(tx, at, false, self.limits, self.now_ms).await? {
            self.done.recounted.push(player.clone());
        }
        Ok(())
    }

    async fn join(&mut self, tx: &mut Tx, line: &str) -> Result<(), StoreError> {
        let by = self.by;
        if self.officer(tx, by).await?.is_some() {
            return Ok(());
        }
        let invited: Option<bool> = sqlx::query_scalar(
            "SELECT hidden FROM club_invitations WHERE club_id = $1 AND player_id = $2",
        )
        .bind(self.club.as_str())
        .bind(by.as_str())
        .fetch_optional(&mut **tx)
        .await?;
        if invited == Some(false) {
            return self.enter(tx, by).await;
        }
        match self.joining {
            Joining::Open if self.has(tx, "club_removals", by).await? => {
                Err(ClubRefusal::InvitationNeeded.into())
            }
            Joining::Open => self.enter(tx, by).await,
            Joining::Request => self.request(tx, line).await,
            Joining::Invitation => Err(ClubRefusal::InvitationNeeded.into()),
        }
    }

    async fn request(&self, tx: &mut Tx, line: &str) -> Result<(), StoreError> {
        check_person(tx, self.by).await?;
        check_may_join(tx, self.club, self.by).await?;
        let (mine, all): (i64, i64) = sqlx::query_as(
            "SELECT (SELECT count(*) FROM club_requests WHERE player_id = $2 AND club_id <> $1),
                (SELECT count(*) FROM club_requests WHERE club_id = $1 AND player_id <> $2)",
        )
        .bind(self.club.as_str())
        .bind(self.by.as_str())
        .fetch_one(&mut **tx)
        .await?;
        if mine >= i64::from(self.limits.requests_by_player)
            || all >= i64::from(self.limits.requests)
        {
            return Err(ClubRefusal::TooManyRequests.into());
        }
        sqlx::query(
            "INSERT INTO club_requests (club_id, player_id, line, since_ms) VALUES ($1, $2, $3, $4)
            ON CONFLICT (club_id, player_id) DO UPDATE SET line = excluded.line",
        )
        .bind(self.club.as_str())
        .bind(self.by.as_str())
        .bind(line)
        .bind(self.now_ms)
        .execute(&mut **tx)
        .await?;
        Ok(())
    }

    /// Refuses to take away the only officer who can act while there are other members.
    async fn check_not_last(&self, tx: &mut Tx, officer: &PlayerId) -> Result<(), StoreError> {
        let (others, officers): (i64, i64) = sqlx::query_as(
            "SELECT count(*), count(CASE WHEN m.officer AND p.disabled_ms IS NULL THEN 1 END)
            FROM club_members m JOIN players p ON p.id = m.player_id WHERE m.club_id = $1 AND m.player_id <> $2",
        )
        .bind(self.club.as_str())
        .bind(officer.as_str())
        .fetch_one(&mut **tx)
        .await?;
        if others > 0 && officers == 0 {
            return Err(ClubRefusal::LastOfficer.into());
        }
        Ok(())
    }

    /// Refuses a pupil of the class.
    async fn check_no_pupil(&self, tx: &mut Tx, player: &PlayerId) -> Result<(), StoreError> {
        if is_pupil(tx, self.club, player).await? {
            Err(ClubRefusal::Pupil.into())
        } else {
            Ok(())
        }
    }

    async fn leave(&mut self, tx: &mut Tx) -> Result<(), StoreError> {
        self.check_no_pupil(tx, self.by).await?;
        match self.officer(tx, self.by).await? {
            None => return Err(ClubRefusal::NotAMember.into()),
            Some(true) => self.check_not_last(tx, self.by).await?,
            Some(false) => {}
        }
        leave(tx, self.club, self.by).await?;
        settle(tx, self.club, self.now_ms).await
    }

    async fn end_invitation(&mut self, tx: &mut Tx, player: &PlayerId) -> Result<bool, StoreError> {
        let ended = self.delete(tx, "club_invitations", player).await?;
        let key = notice_key(self.club, player);
        if ended && delete_about(tx, player, &key, NoticeKind::ClubInvitation).await? {
            self.done.recounted.push(player.clone());
        }
        Ok(ended)
    }

    /// Carries out an officer's change.
    async fn by_officer(&mut self, tx: &mut Tx, what: &ClubChange) -> Result<(), StoreError> {
        match what {
            ClubChange::Accept(player) => {
                if !self.has(tx, "club_requests", player).await? {
                    return Err(ClubRefusal::NoRequest.into());
                }
                self.enter(tx, player).await?;
                self.log(tx, ClubAction::Accepted, Some(player), "").await?;
                self.tell(tx, player, NoticeKind::ClubAccepted).await
            }
            ClubChange::Refuse(player) => {
                if !self.delete(tx, "club_requests", player).await? {
                    return Err(ClubRefusal::NoRequest.into());
                }
                self.log(tx, ClubAction::Refused, Some(player), "").await
            }
            ClubChange::Invite(player) => self.invite(tx, player).await,
            ClubChange::EndInvitation(player) => {
                if self.end_invitation(tx, player).await? {
                    let action = ClubAction::InvitationEnded;
                    self.log(tx, action, Some(player), "").await?;
                }
                Ok(())
            }
            ClubChange::Remove(player) => self.remove(tx, player).await,
            ClubChange::Appoint(player) => self.appoint(tx, player).await,
            ClubChange::Dismiss(player) => self.dismiss(tx, player).await,
            ClubChange::Edit(edit) => {
                let fields = self.edit(tx, edit).await?;
                if !fields.is_empty() {
                    self.log(tx, ClubAction::Changed, None, &fields).await?;
                }
                Ok(())
            }
            ClubChange::Close => {
                let officers: i64 = sqlx::query_scalar(
                    "SELECT count(*) FROM club_members WHERE club_id = $1 AND officer",
                )
                .bind(self.club.as_str())
                .fetch_one(&mut **tx)
                .await?;
                if officers > 1 {
                    return Err(ClubRefusal::OtherOfficers.into());
                }
                let has_pupils: bool =
                    sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM pupils WHERE club_id = $1)")
                        .bind(self.club.as_str())
                        .fetch_one(&mut **tx)
                        .await?;
                if has_pupils {
                    return Err(ClubRefusal::HasPupils.into());
                }
                let invited = close(tx, self.club, self.now_ms).await?;
                self.done.recounted.extend(invited);
                Ok(())
            }
            ClubChange::Join(_)
            | ClubChange::Withdraw
            | ClubChange::Decline
            | ClubChange::Leave => {
                unreachable!("these are the player's own")
            }
        }
    }

    async fn invite(&mut self, tx: &mut Tx, player: &PlayerId) -> Result<(), StoreError> {
        check_person(tx, player).await?;
        match check_may_join(tx, self.club, player).await {
            // Not said to the officer: it would tell that the account is that of a pupil.
            Err(StoreError::Club(ClubRefusal::ClassOnly)) => Err(ClubRefusal::NoPerson.into()),
            other => other,
        }?;
        if self.officer(tx, player).await?.is_some()
            || self.has(tx, "club_invitations", player).await?
        {
            return Ok(());
        }
        let (open, theirs, blocked): (i64, i64, bool) = sqlx::query_as(
            "SELECT (SELECT count(*) FROM club_invitations WHERE club_id = $1),
                (SELECT count(*) FROM club_invitations WHERE player_id = $2 AND NOT hidden),
                EXISTS (SELECT 1 FROM blocks WHERE player_id = $2 AND blocked_id = $3)",
        )
        .bind(self.club.as_str())
        .bind(player.as_str())
        .bind(self.by.as_str())
        .fetch_one(&mut **tx)
        .await?;
        if open >= i64::from(self.limits.invitations) {
            return Err(ClubRefusal::TooManyInvitations.into());
        }
        let hidden = blocked || theirs >= i64::from(self.limits.invitations_to_player);
        sqlx::query(
            "INSERT INTO club_invitations (club_id, player_id, by_id, hidden, since_ms) VALUES ($1, $2, $3, $4, $5)",
        )
        .bind(self.club.as_str())
        .bind(player.as_str())
        .bind(self.by.as_str())
        .bind(hidden)
        .bind(self.now_ms)
        .execute(&mut **tx)
        .await?;
        self.log(tx, ClubAction::Invited, Some(player), "").await?;
        if hidden {
            return Ok(());
        }
        self.delete(tx, "club_removals", player).await?;
        self.tell(tx, player, NoticeKind::ClubInvitation).await
    }

    async fn remove(&mut self, tx: &mut Tx, player: &PlayerId) -> Result<(), StoreError> {
        if player == self.by {
            return Err(ClubRefusal::Yourself.into());
        }
        self.check_no_pupil(tx, player).await?;
        if !leave(tx, self.club, player).await? {
            return Err(ClubRefusal::NotAMember.into());
        }
        sqlx::query("INSERT INTO club_removals (club_id, player_id, at_ms) VALUES ($1, $2, $3)")
            .bind(self.club.as_str())
            .bind(player.as_str())
            .bind(self.now_ms)
            .execute(&mut **tx)
            .await?;
        sqlx::query(
            "DELETE FROM club_removals WHERE club_id = $1 AND player_id IN (SELECT player_id FROM club_removals WHERE club_id = $1
                ORDER BY at_ms DESC, player_id DESC LIMIT $2 OFFSET $3)",
        )
        .bind(self.club.as_str())
        .bind(ALL)
        .bind(i64::from(self.limits.removals))
        .execute(&mut **tx)
        .await?;
        self.log(tx, ClubAction::Removed, Some(player), "").await?;
        self.tell(tx, player, NoticeKind::ClubRemoved).await
    }

    async fn appoint(&self, tx: &mut Tx, player: &PlayerId) -> Result<(), StoreError> {
        match self.officer(tx, player).await? {
            None => return Err(ClubRefusal::NotAMember.into()),
            Some(true) => return Ok(()),
            Some(false) => check_person(tx, player).await?,
        }
        self.check_no_pupil(tx, player).await?;
        let officers: i64 =
            sqlx::query_scalar("SELECT count(*) FROM club_members WHERE club_id = $1 AND officer")
                .bind(self.club.as_str())
                .fetch_one(&mut **tx)
                .await?;
        if officers >= i64::from(self.limits.officers) {
            return Err(ClubRefusal::TooManyOfficers.into());
        }
        set_officer(tx, self.club, player, true).await?;
        self.log(tx, ClubAction::Appointed, Some(player), "").await
    }

    async fn dismiss(&self, tx: &mut Tx, player: &PlayerId) -> Result<(), StoreError> {
        match self.officer(tx, player).await? {
            None => return Err(ClubRefusal::NotAMember.into()),
            Some(false) => return Ok(()),
            Some(true) => {}
        }
        if player == self.by {
            // Also in a club of one: it would have no officer.
            let others: bool = sqlx::query_scalar(
                "SELECT EXISTS (SELECT 1 FROM club_members m JOIN players p ON p.id = m.player_id
                    WHERE m.club_id = $1 AND m.officer AND m.player_id <> $2 AND p.disabled_ms IS NULL)",
            )
            .bind(self.club.as_str())
            .bind(player.as_str())
            .fetch_one(&mut **tx)
            .await?;
            if !others {
                return Err(ClubRefusal::LastOfficer.into());
            }
        }
        set_officer(tx, self.club, player, false).await?;
        self.log(tx, ClubAction::Dismissed, Some(player), "").await
    }

    async fn edit(&self, tx: &mut Tx, edit: &ClubEdit) -> Result<String, StoreError> {
        apply(tx, self.club, &self.shown.handle, edit).await
    }
}

/// Changes the data of a club; returns the names of the changed fields, separated by spaces.
async fn apply(
    tx: &mut Tx,
    club: &ClubId,
    handle: &str,
    edit: &ClubEdit,
) -> Result<String, StoreError> {
    let mut fields = Vec::new();
    if let Some(name) = &edit.name {
        check_name(tx, club, name).await?;
        sqlx::query("UPDATE clubs SET name = $2, name_key = $3, find_key = $4 WHERE id = $1")
            .bind(club.as_str())
            .bind(&name.text)
            .bind(&name.key)
            .bind(find_key(handle, &name.text))
            .execute(&mut **tx)
            .await?;
        fields.push("name");
    }
    let descriptions = described(tx, club, &edit.descriptions).await?;
    for (field, sql, value) in [
        (
            "joining",
            "UPDATE clubs SET joining = $2 WHERE id = $1",
            edit.joining.map(Stored::text),
        ),
        (
            "description",
            "UPDATE clubs SET descriptions = $2 WHERE id = $1",
            descriptions.as_deref(),
        ),
        (
            "banner",
            "UPDATE clubs SET banner = $2 WHERE id = $1",
            edit.banner.as_deref(),
        ),
    ] {
        let Some(value) = value else { continue };
        sqlx::query(sql)
            .bind(club.as_str())
            .bind(value)
            .execute(&mut **tx)
            .await?;
        fields.push(field);
    }
    Ok(fields.join(" "))
}

/// Returns the descriptions of a club with the changed languages, as they are stored; `None` without a change.
async fn described(
    tx: &mut Tx,
    club: &ClubId,
    changed: &ClubTexts,
) -> Result<Option<String>, StoreError> {
    if *changed == ClubTexts::default() {
        return Ok(None);
    }
    let stored: String = sqlx::query_scalar("SELECT descriptions FROM clubs WHERE id = $1")
        .bind(club.as_str())
        .fetch_one(&mut **tx)
        .await?;
    let mut texts: ClubTexts =
        serde_json::from_str(&stored).map_err(|error| damaged("club", &error.to_string()))?;
    let mut changed = changed.clone();
    for language in Language::ALL {
        if let Some(text) = changed.of_mut(language).take() {
            *texts.of_mut(language) = Some(text).filter(|text| !text.is_empty());
        }
    }
    Ok(Some(
        serde_json::to_string(&texts).expect("texts are plain JSON"),
    ))
}

/// Changes or closes a club in the name of a moderator.
pub(super) async fn moderate(
    tx: &mut Tx,
    club: &ClubId,
    what: &ClubModeration,
    attribution: &Attribution,
) -> Result<ClubChanged, StoreError> {
    if let ClubModeration::Appoint(player) = what {
        lock_player(tx, player).await?;
    }
    lock_names(tx).await?;
    lock_club(tx, club).await?;
    let (_, ClubRef { handle, name }) = locked(tx, club).await?;
    let mut done = ClubChanged::default();
    let (action, detail) = match what {
        ClubModeration::Edit(edit) => {
            let fields = apply(tx, club, &handle, edit).await?;
            if fields.is_empty() {
                return Ok(done);
            }
            let what = (ClubAction::Moderated, None);
            log(tx, club, None, what, &fields, attribution.at_ms).await?;
            ("change-club", format!("{handle} ({name}): {fields}"))
        }
        ClubModeration::Appoint(player) => {
            let limits = &crate::CLUB_LIMITS;
            appoint_by_moderator(tx, (club, player), limits, attribution.at_ms).await?;
            ("change-club", format!("{handle} ({name}): officer"))
        }
        ClubModeration::Close => {
            done.recounted = close(tx, club, attribution.at_ms).await?;
            ("close-club", format!("{handle} ({name})"))
        }
    };
    let audit = NewAudit {
        attribution: attribution.clone(),
        action,
        about: match what {
            ClubModeration::Appoint(player) => Some(player.clone()),
            _ => None,
        },
        match_id: None,
        detail,
    };
    insert_audit(tx, &audit).await?;
    Ok(done)
}

/// Makes a player an officer of a club, a member or not: a class may have pupils alone.
async fn appoint_by_moderator(
    tx: &mut Tx,
    (club, player): (&ClubId, &PlayerId),
    limits: &ClubLimits,
    now_ms: i64,
) -> Result<(), StoreError> {
    if is_pupil(tx, club, player).await? {
        return Err(ClubRefusal::Pupil.into());
    }
    check_person(tx, player).await?;
    let is_member: bool = sqlx::query_scalar(
        "SELECT EXISTS (SELECT 1 FROM club_members WHERE club_id = $1 AND player_id = $2)",
    )
    .bind(club.as_str())
    .bind(player.as_str())
    .fetch_one(&mut **tx)
    .await?;
    if is_member {
        set_officer(tx, club, player, true).await?;
    } else {
        enter(tx, (club, player), true, limits, now_ms).await?;
    }
    let what = (ClubAction::Moderated, Some(player));
    log(tx, club, None, what, "officer", now_ms).await
}
