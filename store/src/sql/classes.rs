//! Classes: their pupils, login cards and rules.

use std::collections::HashSet;

use async_trait::async_trait;
use mawe_rules::BySide;
use mawe_wire::clubs::{CardState, ClassRules, ClassRulesEdition, ClubAction};
use mawe_wire::ids::{ClubId, PlayerId, TokenHash};
use sqlx::QueryBuilder;

use super::backend::{ALL, Backend, Db, Tx, begin, commit};
use super::club_members::{leave, lock_club, lock_player, log};
use super::passkeys::delete_passkeys;
use super::players::insert_player;
use super::pupils::{forget_pupil, is_pupil, profile_hidden};
use super::recovery_codes::delete_recovery_codes;
use super::sessions::{end_all, end_sessions};
use crate::detached::detached;
use crate::rows::{
    ClassRecord, ClassRulesRecord, LoginCardRecord, PupilRecord, Stored, id as parsed_id, name_key,
    parsed,
};
use crate::{
    CARDS_KEPT, ClassRow, Classes, ClubRefusal, LoginCard, NewCards, NewPlayer, NewPupil,
    NewPupils, PupilChange, PupilFault, PupilRow, PupilsMade, StoreError,
};

#[async_trait]
impl Classes for Backend {
    async fn make_pupils(
        &self,
        class: &ClubId,
        by: &PlayerId,
        new: &NewPupils,
        max_pupils: u32,
    ) -> Result<PupilsMade, StoreError> {
        self.has_space()?;
        let (writer, class, by) = (self.writer().clone(), class.clone(), by.clone());
        let new = new.clone();
        detached(async move {
            let mut tx = begin(&writer).await?;
            lock_as_teacher(&mut tx, &class, &by).await?;
            let made = make(&mut tx, (&class, &by), &new, max_pupils).await?;
            if made == PupilsMade::Made {
                commit(tx).await?;
            }
            Ok(made)
        })
        .await
    }

    async fn renew_cards(
        &self,
        class: &ClubId,
        by: &PlayerId,
        new: &NewCards,
    ) -> Result<Vec<TokenHash>, StoreError> {
        let (writer, class, by) = (self.writer().clone(), class.clone(), by.clone());
        let mut new = new.clone();
        // A fixed order, so that concurrent calls lock the accounts without a deadlock.
        new.cards.sort_by(|(one, _), (other, _)| one.cmp(other));
        detached(async move {
            let mut tx = begin(&writer).await?;
            lock_as_teacher(&mut tx, &class, &by).await?;
            let mut ended = Vec::new();
            for (pupil, code) in &new.cards {
                check_pupil(&mut tx, &class, pupil).await?;
                insert_card(&mut tx, pupil, code, (new.now_ms, new.expires_ms)).await?;
                sqlx::query("UPDATE players SET password_hash = $2 WHERE id = $1")
                    .bind(pupil.as_str())
                    .bind(&new.password_hash)
                    .execute(&mut *tx)
                    .await?;
                delete_recovery_codes(&mut tx, pupil).await?;
                delete_passkeys(&mut tx, pupil).await?;
                ended.extend(end_all(&mut tx, pupil).await?);
            }
            let (number, now_ms) = (new.cards.len().to_string(), new.now_ms);
            let made = (ClubAction::CardsMade, None);
            log(&mut tx, &class, Some(&by), made, &number, now_ms).await?;
            commit(tx).await?;
            Ok(ended)
        })
        .await
    }

    async fn change_pupil(
        &self,
        class: &ClubId,
        by: &PlayerId,
        pupil: &PlayerId,
        change: &PupilChange,
        now_ms: i64,
    ) -> Result<(), StoreError> {
        let (writer, class, by) = (self.writer().clone(), class.clone(), by.clone());
        let (pupil, change) = (pupil.clone(), change.clone());
        detached(async move {
            let mut tx = begin(&writer).await?;
            lock_player(&mut tx, &pupil).await?;
            lock_as_teacher(&mut tx, &class, &by).await?;
            check_pupil(&mut tx, &class, &pupil).await?;
            match change {
                PupilChange::RealName(real_name) => {
                    sqlx::query(
                        "UPDATE pupils SET real_name = $2, real_name_key = $3 WHERE player_id = $1",
                    )
                    .bind(pupil.as_str())
                    .bind(&real_name)
                    .bind(name_key(&real_name))
                    .execute(&mut *tx)
                    .await?;
                }
                PupilChange::Release => {
                    forget_pupil(&mut tx, &pupil).await?;
                    leave(&mut tx, &class, &pupil).await?;
                    let released = (ClubAction::Released, Some(&pupil));
                    log(&mut tx, &class, Some(&by), released, "", now_ms).await?;
                }
            }
            commit(tx).await
        })
        .await
    }

    async fn change_class_rules(
        &self,
        class: &ClubId,
        by: &PlayerId,
        edition: &ClassRulesEdition,
        now_ms: i64,
    ) -> Result<(), StoreError> {
        let (writer, class, by) = (self.writer().clone(), class.clone(), by.clone());
        let edition = *edition;
        detached(async move {
            let mut tx = begin(&writer).await?;
            lock_as_teacher(&mut tx, &class, &by).await?;
            let old: ClassRulesRecord = sqlx::query_as(
                "SELECT outsiders, phrases, spectators, profiles FROM classes WHERE club_id = $1",
            )
            .bind(class.as_str())
            .fetch_one(&mut *tx)
            .await?;
            let (rules, changed) = edition.applied_to(old.into());
            if changed.is_empty() {
                return Ok(());
            }
            sqlx::query(
                "UPDATE classes SET outsiders = $2, phrases = $3, spectators = $4, profiles = $5 WHERE club_id = $1",
            )
            .bind(class.as_str())
            .bind(rules.outsiders)
            .bind(rules.phrases)
            .bind(rules.spectators)
            .bind(rules.profiles)
            .execute(&mut *tx)
            .await?;
            let what = (ClubAction::RulesChanged, None);
            log(&mut tx, &class, Some(&by), what, &changed, now_ms).await?;
            commit(tx).await
        })
        .await
    }

    async fn class(&self, club: &ClubId) -> Result<Option<ClassRow>, StoreError> {
        let row: Option<ClassRecord> = sqlx::query_as(
            "SELECT outsiders, phrases, spectators, profiles,
                (SELECT count(*) FROM pupils WHERE club_id = $1) AS pupils FROM classes WHERE club_id = $1",
        )
        .bind(club.as_str())
        .fetch_optional(self.reader())
        .await?;
        row.map(ClassRow::try_from).transpose()
    }

    async fn pupils(
        &self,
        class: &ClubId,
        after: Option<&PlayerId>,
        limit: u32,
    ) -> Result<Vec<PupilRow>, StoreError> {
        let after_key: String = match after {
            Some(pupil) => sqlx::query_scalar(
                "SELECT real_name_key FROM pupils WHERE player_id = $1 AND club_id = $2",
            )
            .bind(pupil.as_str())
            .bind(class.as_str())
            .fetch_optional(self.reader())
            .await?
            .ok_or(StoreError::NotFound)?,
            None => String::new(),
        };
        let rows: Vec<PupilRecord> = sqlx::query_as(
            "SELECT p.id, p.name, p.kind, p.level, p.avatar, p.flag, p.created_ms AS player_created_ms,
                q.real_name, q.created_ms AS pupil_created_ms, k.state AS card_state, k.expires_ms AS card_expires_ms,
                (SELECT max(s.created_ms) FROM sessions s WHERE s.player_id = q.player_id) AS last_login_ms
            FROM pupils q JOIN players p ON p.id = q.player_id
                LEFT JOIN login_cards k ON k.code_hash = (SELECT l.code_hash FROM login_cards l WHERE l.player_id = q.player_id
                    ORDER BY l.created_ms DESC, l.code_hash LIMIT 1)
            WHERE q.club_id = $1 AND q.real_name_key > $2 ORDER BY q.real_name_key LIMIT $3",
        )
        .bind(class.as_str())
        .bind(after_key)
        .bind(i64::from(limit))
        .fetch_all(self.reader())
        .await?;
        parsed(rows)
    }

    async fn class_of(&self, pupil: &PlayerId) -> Result<Option<ClubId>, StoreError> {
        let class: Option<String> =
            sqlx::query_scalar("SELECT club_id FROM pupils WHERE player_id = $1")
                .bind(pupil.as_str())
                .fetch_optional(self.reader())
                .await?;
        class.map(|class| parsed_id("club id", class)).transpose()
    }

    async fn teaches(&self, teacher: &PlayerId, pupil: &PlayerId) -> Result<bool, StoreError> {
        let teaches = sqlx::query_scalar(
            "SELECT EXISTS (SELECT 1 FROM pupils q JOIN club_members m ON m.club_id = q.club_id
                WHERE q.player_id = $2 AND m.player_id = $1 AND m.officer)",
        )
        .bind(teacher.as_str())
        .bind(pupil.as_str())
        .fetch_one(self.reader())
        .await?;
        Ok(teaches)
    }

    async fn is_profile_hidden(
        &self,
        player: &PlayerId,
        reader: Option<&PlayerId>,
    ) -> Result<bool, StoreError> {
        let hidden = sqlx::query_scalar(concat!("SELECT ", profile_hidden!("$1", "$2")))
            .bind(player.as_str())
            .bind(reader.map_or("", PlayerId::as_str))
            .fetch_one(self.reader())
            .await?;
        Ok(hidden)
    }

    async fn class_rules_at(&self, players: BySide<&PlayerId>) -> Result<ClassRules, StoreError> {
        let rows: Vec<ClassRulesRecord> = sqlx::query_as(
            "SELECT c.outsiders, c.phrases, c.spectators, c.profiles
            FROM pupils q JOIN classes c ON c.club_id = q.club_id WHERE q.player_id IN ($1, $2)",
        )
        .bind(players.first.as_str())
        .bind(players.second.as_str())
        .fetch_all(self.reader())
        .await?;
        let all = ClassRules {
            outsiders: true,
            phrases: true,
            spectators: true,
            profiles: true,
        };
        let both = rows
            .into_iter()
            .map(ClassRules::from)
            .fold(all, |all, rules| ClassRules {
                outsiders: all.outsiders && rules.outsiders,
                phrases: all.phrases && rules.phrases,
                spectators: all.spectators && rules.spectators,
                profiles: all.profiles && rules.profiles,
            });
        Ok(both)
    }

    async fn login_card(&self, code: &TokenHash) -> Result<Option<LoginCard>, StoreError> {
        let row: Option<LoginCardRecord> = sqlx::query_as(
            "SELECT p.id, p.name, p.kind, p.level, p.avatar, p.flag, p.created_ms AS player_created_ms, k.state, k.expires_ms
            FROM login_cards k JOIN players p ON p.id = k.player_id WHERE k.code_hash = $1",
        )
        .bind(code.to_vec())
        .fetch_optional(self.reader())
        .await?;
        row.map(LoginCard::try_from).transpose()
    }

    async fn use_login_card(
        &self,
        code: &TokenHash,
        password_hash: &str,
        now_ms: i64,
    ) -> Result<Option<Vec<TokenHash>>, StoreError> {
        let (writer, code) = (self.writer().clone(), code.to_vec());
        let password_hash = password_hash.to_owned();
        detached(async move {
            let mut tx = begin(&writer).await?;
            let pupil: Option<String> = sqlx::query_scalar(
                "UPDATE login_cards SET state = $2 WHERE code_hash = $1 AND state = $3 AND expires_ms > $4 RETURNING player_id",
            )
            .bind(code)
            .bind(CardState::Used.text())
            .bind(CardState::Open.text())
            .bind(now_ms)
            .fetch_optional(&mut *tx)
            .await?;
            let Some(pupil) = pupil else {
                return Ok(None);
            };
            let pupil: PlayerId = parsed_id("player id", pupil)?;
            sqlx::query("UPDATE players SET password_hash = $2 WHERE id = $1")
                .bind(pupil.as_str())
                .bind(password_hash)
                .execute(&mut *tx)
                .await?;
            let ended = end_sessions(&mut tx, &pupil).await?;
            commit(tx).await?;
            Ok(Some(ended))
        })
        .await
    }
}

/// Locks a class until the commit, and refuses all but its teachers.
async fn lock_as_teacher(tx: &mut Tx, class: &ClubId, by: &PlayerId) -> Result<(), StoreError> {
    lock_club(tx, class).await?;
    let officer: Option<bool> = sqlx::query_scalar(
        "SELECT m.officer FROM classes c JOIN club_members m ON m.club_id = c.club_id AND m.player_id = $2 WHERE c.club_id = $1",
    )
    .bind(class.as_str())
    .bind(by.as_str())
    .fetch_optional(&mut **tx)
    .await?;
    match officer {
        Some(true) => Ok(()),
        Some(false) => Err(ClubRefusal::OfficersOnly.into()),
        None => {
            let exists: bool =
                sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM classes WHERE club_id = $1)")
                    .bind(class.as_str())
                    .fetch_one(&mut **tx)
                    .await?;
            if exists {
                Err(ClubRefusal::OfficersOnly.into())
            } else {
                Err(StoreError::NotFound)
            }
        }
    }
}

/// Refuses a player outside the pupils of the class.
async fn check_pupil(tx: &mut Tx, class: &ClubId, pupil: &PlayerId) -> Result<(), StoreError> {
    if is_pupil(tx, class, pupil).await? {
        Ok(())
    } else {
        Err(StoreError::NotFound)
    }
}

/// Makes accounts of pupils. The caller has locked the class.
async fn make(
    tx: &mut Tx,
    (class, by): (&ClubId, &PlayerId),
    new: &NewPupils,
    max_pupils: u32,
) -> Result<PupilsMade, StoreError> {
    let present: Vec<String> =
        sqlx::query_scalar("SELECT real_name_key FROM pupils WHERE club_id = $1")
            .bind(class.as_str())
            .fetch_all(&mut **tx)
            .await?;
    if present.len() + new.pupils.len() > max_pupils as usize {
        return Err(ClubRefusal::ClassFull.into());
    }
    let present: HashSet<String> = present.into_iter().collect();
    let taken = taken_names(tx, &new.pupils, new.now_ms).await?;
    let fault = |pupil: &NewPupil| {
        if present.contains(&name_key(&pupil.real_name)) {
            Some(PupilFault::InClass)
        } else if taken.contains(&name_key(&pupil.name)) {
            Some(PupilFault::NameTaken)
        } else {
            None
        }
    };
    let faults = new.pupils.iter().enumerate();
    let faults: Vec<_> = faults
        .filter_map(|(at, pupil)| Some((at, fault(pupil)?)))
        .collect();
    if !faults.is_empty() {
        return Ok(PupilsMade::Faults(faults));
    }
    for pupil in &new.pupils {
        insert_pupil(tx, class, pupil, new).await?;
    }
    let number = i64::try_from(new.pupils.len()).unwrap_or(i64::MAX);
    sqlx::query("UPDATE clubs SET members = members + $2 WHERE id = $1")
        .bind(class.as_str())
        .bind(number)
        .execute(&mut **tx)
        .await?;
    let made = (ClubAction::PupilsMade, None);
    log(tx, class, Some(by), made, &number.to_string(), new.now_ms).await?;
    Ok(PupilsMade::Made)
}

/// Returns the keys of the taken names, of accounts and held ones.
async fn taken_names(
    tx: &mut Tx,
    pupils: &[NewPupil],
    now_ms: i64,
) -> Result<HashSet<String>, StoreError> {
    let mut taken = HashSet::new();
    for table in [
        "SELECT name_key FROM players WHERE name_key IN (",
        "SELECT name_key FROM former_names WHERE name_key IN (",
    ] {
        let mut query: QueryBuilder<Db> = QueryBuilder::new(table);
        let mut keys = query.separated(", ");
        for pupil in pupils {
            keys.push_bind(name_key(&pupil.name));
        }
        query.push(")");
        if table.contains("former_names") {
            query.push(" AND until_ms > ").push_bind(now_ms);
        }
        let found: Vec<String> = query.build_query_scalar().fetch_all(&mut **tx).await?;
        taken.extend(found);
    }
    Ok(taken)
}

async fn insert_pupil(
    tx: &mut Tx,
    class: &ClubId,
    pupil: &NewPupil,
    new: &NewPupils,
) -> Result<(), StoreError> {
    let account = NewPlayer {
        player: pupil.account(new.now_ms),
        password_hash: Some(new.password_hash.clone()),
    };
    insert_player(tx, &account).await?;
    sqlx::query(
        "INSERT INTO pupils (player_id, club_id, real_name, real_name_key, created_ms) VALUES ($1, $2, $3, $4, $5)",
    )
    .bind(pupil.id.as_str())
    .bind(class.as_str())
    .bind(&pupil.real_name)
    .bind(name_key(&pupil.real_name))
    .bind(new.now_ms)
    .execute(&mut **tx)
    .await?;
    sqlx::query(
        "INSERT INTO club_members (club_id, player_id, officer, since_ms) VALUES ($1, $2, $3, $4)",
    )
    .bind(class.as_str())
    .bind(pupil.id.as_str())
    .bind(false)
    .bind(new.now_ms)
    .execute(&mut **tx)
    .await?;
    insert_card(tx, &pupil.id, &pupil.code, (new.now_ms, new.expires_ms)).await
}

/// Gives a pupil a login card in the place of the open one, and deletes the oldest ones.
async fn insert_card(
    tx: &mut Tx,
    pupil: &PlayerId,
    code: &TokenHash,
    (now_ms, expires_ms): (i64, i64),
) -> Result<(), StoreError> {
    sqlx::query("UPDATE login_cards SET state = $2 WHERE player_id = $1 AND state = $3")
        .bind(pupil.as_str())
        .bind(CardState::Replaced.text())
        .bind(CardState::Open.text())
        .execute(&mut **tx)
        .await?;
    // Later than all others also where the clock of another node is ahead.
    sqlx::query(
        "INSERT INTO login_cards (code_hash, player_id, state, created_ms, expires_ms)
        VALUES ($1, $2, $3, (SELECT max(now_ms) FROM (SELECT CAST($4 AS bigint) AS now_ms
            UNION ALL SELECT created_ms + 1 FROM login_cards WHERE player_id = $2) AS at_card), $5)",
    )
    .bind(code.to_vec())
    .bind(pupil.as_str())
    .bind(CardState::Open.text())
    .bind(now_ms)
    .bind(expires_ms)
    .execute(&mut **tx)
    .await?;
    sqlx::query(
        "DELETE FROM login_cards WHERE code_hash IN (SELECT code_hash FROM login_cards WHERE player_id = $1
            ORDER BY created_ms DESC, code_hash LIMIT $2 OFFSET $3)",
    )
    .bind(pupil.as_str())
    .bind(ALL)
    .bind(i64::from(CARDS_KEPT))
    .execute(&mut **tx)
    .await?;
    Ok(())
}
