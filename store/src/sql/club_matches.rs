//! Club matches: proposals, answers, sign-ups, and the pairing at the start. Games are in `club_match_games`, lists in `club_match_lists`.

use async_trait::async_trait;
use mawe_play::club_match::{Board, Entrant, boards, home_side};
use mawe_play::rating::START_RATING;
use mawe_rules::GameKind;
use mawe_wire::club_matches::{
    ClubGameSkipped, ClubGameState, ClubMatchList, ClubMatchState, ClubSide,
};
use mawe_wire::clubs::{ClubAction, ClubRef};
use mawe_wire::ids::{ClubId, ClubMatchId, PlayerId};
use mawe_wire::{NoticeAbout, NoticeKind, TimeControl};
use sqlx_macros::FromRow;

use super::backend::{Backend, Tx, begin, commit};
use super::club_match_cancellations::tell_entrants;
use super::club_match_games::{end, seat, skip};
use super::club_match_rows::{delete_entry, delete_unplayed};
use super::club_members::{check_person, lock_club, lock_player, log};
use super::notices::write_all;
use super::pupils::class_forbids;
use crate::detached::detached;
use crate::rows::{Stored, TimeColumns, id as parsed_id, number};
use crate::{
    ByClub, ClubBoardRow, ClubGameKey, ClubGameSeated, ClubMatchChange, ClubMatchChanged,
    ClubMatchCursor, ClubMatchEntries, ClubMatchLimits, ClubMatchPlayer, ClubMatchRow,
    ClubMatchStep, ClubMatches, ClubPlayerCursor, ClubRefusal, NewClubMatch, NewMatch, NewNotice,
    ReadyClubGame, StoreError, WishState,
};

#[async_trait]
impl ClubMatches for Backend {
    async fn propose_club_match(
        &self,
        new: &NewClubMatch,
        limits: &ClubMatchLimits,
    ) -> Result<ClubMatchChanged, StoreError> {
        self.has_space()?;
        let (writer, new, limits) = (self.writer().clone(), new.clone(), *limits);
        detached(async move {
            let mut tx = begin(&writer).await?;
            let changed = propose(&mut tx, &new, &limits).await?;
            commit(tx).await?;
            Ok(changed)
        })
        .await
    }

    async fn change_club_match(
        &self,
        id: &ClubMatchId,
        by: &PlayerId,
        what: ClubMatchChange,
        limits: &ClubMatchLimits,
        now_ms: i64,
    ) -> Result<ClubMatchChanged, StoreError> {
        let (writer, id, by, limits) = (self.writer().clone(), id.clone(), by.clone(), *limits);
        detached(async move {
            let mut tx = begin(&writer).await?;
            lock_player(&mut tx, &by).await?;
            let mut change = Change {
                row: locked(&mut tx, &id).await?,
                id,
                by,
                limits,
                now_ms,
                done: ClubMatchChanged::default(),
            };
            change.apply(&mut tx, what).await?;
            commit(tx).await?;
            Ok(change.done)
        })
        .await
    }

    async fn find_club_match(&self, id: &ClubMatchId) -> Result<Option<ClubMatchRow>, StoreError> {
        let ids = vec![id.as_str().to_owned()];
        Ok(self.club_matches_by_id(ids).await?.pop())
    }

    async fn club_match_entries(
        &self,
        id: &ClubMatchId,
        reader: Option<&PlayerId>,
    ) -> Result<ClubMatchEntries, StoreError> {
        self.entries_of_club_match(id, reader).await
    }

    async fn club_match_players(
        &self,
        id: &ClubMatchId,
        side: ClubSide,
        after: Option<&ClubPlayerCursor>,
        limit: u32,
    ) -> Result<Vec<ClubMatchPlayer>, StoreError> {
        self.players_of_club_match(id, side, after, limit).await
    }

    async fn club_match_boards(&self, id: &ClubMatchId) -> Result<Vec<ClubBoardRow>, StoreError> {
        self.boards_of_club_match(id).await
    }

    async fn club_matches_of(
        &self,
        club: &ClubId,
        list: ClubMatchList,
        after: Option<&ClubMatchCursor>,
        limit: u32,
    ) -> Result<Vec<ClubMatchRow>, StoreError> {
        self.list_of_club_matches(club, list, after, limit).await
    }

    async fn due_club_matches(
        &self,
        now_ms: i64,
        limit: u32,
    ) -> Result<Vec<ClubMatchId>, StoreError> {
        let ids: Vec<String> = sqlx::query_scalar(
            "SELECT id FROM club_matches WHERE due_ms IS NOT NULL AND due_ms <= $1 ORDER BY due_ms LIMIT $2",
        )
        .bind(now_ms)
        .bind(i64::from(limit))
        .fetch_all(self.reader())
        .await?;
        ids.into_iter()
            .map(|id| parsed_id("club match id", id))
            .collect()
    }

    async fn step_club_match(
        &self,
        id: &ClubMatchId,
        now_ms: i64,
    ) -> Result<ClubMatchStep, StoreError> {
        let (writer, id) = (self.writer().clone(), id.clone());
        detached(async move {
            let mut tx = begin(&writer).await?;
            let row = match locked(&mut tx, &id).await {
                // Both of its clubs were closed meanwhile.
                Err(StoreError::NotFound) => return Ok(ClubMatchStep::NotDue),
                other => other?,
            };
            let step = if row.state == ClubMatchState::Cancelled {
                tell(&mut tx, &id, &row, now_ms).await?
            } else {
                start(&mut tx, &id, &row, now_ms).await?
            };
            commit(tx).await?;
            Ok(step)
        })
        .await
    }

    async fn ended_club_games(&self, limit: u32) -> Result<Vec<ClubGameKey>, StoreError> {
        self.games_that_ended(limit).await
    }

    async fn end_club_game(&self, key: &ClubGameKey, now_ms: i64) -> Result<bool, StoreError> {
        let (writer, key) = (self.writer().clone(), key.clone());
        detached(async move {
            let mut tx = begin(&writer).await?;
            let ended = end(&mut tx, &key, now_ms).await?;
            commit(tx).await?;
            Ok(ended)
        })
        .await
    }

    async fn ready_club_games(&self, limit: u32) -> Result<Vec<ReadyClubGame>, StoreError> {
        self.games_to_begin(limit).await
    }

    async fn seat_club_game(
        &self,
        key: &ClubGameKey,
        new: &NewMatch,
        seats: &[WishState],
    ) -> Result<ClubGameSeated, StoreError> {
        self.has_space()?;
        let (writer, key, new) = (self.writer().clone(), key.clone(), new.clone());
        let seats = seats.to_vec();
        detached(async move {
            let mut tx = begin(&writer).await?;
            let seated = seat(&mut tx, &key, &new, &seats).await?;
            if seated == ClubGameSeated::Seated {
                commit(tx).await?;
            }
            Ok(seated)
        })
        .await
    }

    async fn skip_club_game(
        &self,
        key: &ClubGameKey,
        reason: ClubGameSkipped,
        now_ms: i64,
    ) -> Result<bool, StoreError> {
        let (writer, key) = (self.writer().clone(), key.clone());
        detached(async move {
            let mut tx = begin(&writer).await?;
            let skipped = skip(&mut tx, &key, reason, now_ms).await?;
            commit(tx).await?;
            Ok(skipped)
        })
        .await
    }
}

/// Locks clubs until the commit, in the order of their ids.
async fn lock_clubs(tx: &mut Tx, mut clubs: Vec<ClubId>) -> Result<(), StoreError> {
    clubs.sort();
    for club in &clubs {
        lock_club(tx, club).await?;
    }
    Ok(())
}

/// A club match with its locks.
struct Locked {
    clubs: ByClub<Option<ClubId>>,
    state: ClubMatchState,
    start_ms: i64,
    /// The time of the next step; `None` if none is to be taken.
    due_ms: Option<i64>,
    game: String,
    speed: &'static str,
    boards: u32,
    games: u32,
}

#[derive(FromRow)]
struct LockedRecord {
    home_id: Option<String>,
    away_id: Option<String>,
    state: String,
    start_ms: i64,
    due_ms: Option<i64>,
    game: String,
    #[sqlx(flatten)]
    time: TimeColumns,
    boards: i64,
    games: i64,
}

/// Locks the clubs of a club match, and its row.
async fn locked(tx: &mut Tx, id: &ClubMatchId) -> Result<Locked, StoreError> {
    let stored: Option<(Option<String>, Option<String>)> =
        sqlx::query_as("SELECT home_id, away_id FROM club_matches WHERE id = $1")
            .bind(id.as_str())
            .fetch_optional(&mut **tx)
            .await?;
    let (home, away) = stored.ok_or(StoreError::NotFound)?;
    let clubs: Result<Vec<ClubId>, StoreError> = [home, away]
        .into_iter()
        .flatten()
        .map(|club| parsed_id("club id", club))
        .collect();
    lock_clubs(tx, clubs?).await?;
    // A club may have been closed before it was locked.
    let row: Option<LockedRecord> = sqlx::query_as(concat!(
        "SELECT home_id, away_id, state, start_ms, due_ms, game, time_control, base_ms, increment_ms, days, boards, games
        FROM club_matches WHERE id = $1",
        for_update!()
    ))
    .bind(id.as_str())
    .fetch_optional(&mut **tx)
    .await?;
    let row = row.ok_or(StoreError::NotFound)?;
    let club = |stored: Option<String>| stored.map(|club| parsed_id("club id", club)).transpose();
    Ok(Locked {
        clubs: ByClub {
            home: club(row.home_id)?,
            away: club(row.away_id)?,
        },
        state: ClubMatchState::from_text(&row.state)?,
        start_ms: row.start_ms,
        due_ms: row.due_ms,
        game: row.game,
        speed: TimeControl::try_from(row.time)?.speed().text(),
        boards: number("number of boards", row.boards)?,
        games: number("number of games", row.games)?,
    })
}

/// Whether a player is an officer of a club; `None` for one who is no member.
async fn office(tx: &mut Tx, club: &ClubId, player: &PlayerId) -> Result<Option<bool>, StoreError> {
    let officer = sqlx::query_scalar(
        "SELECT officer FROM club_members WHERE club_id = $1 AND player_id = $2",
    )
    .bind(club.as_str())
    .bind(player.as_str())
    .fetch_optional(&mut **tx)
    .await?;
    Ok(officer)
}

async fn check_officer(tx: &mut Tx, club: &ClubId, player: &PlayerId) -> Result<(), StoreError> {
    match office(tx, club, player).await? {
        Some(true) => Ok(()),
        Some(false) | None => Err(ClubRefusal::OfficersOnly.into()),
    }
}

/// Refuses a class whose pupils play among themselves.
async fn check_outsiders(tx: &mut Tx, clubs: [&ClubId; 2]) -> Result<(), StoreError> {
    let closed: bool = sqlx::query_scalar(
        "SELECT EXISTS (SELECT 1 FROM classes WHERE club_id IN ($1, $2) AND NOT outsiders)",
    )
    .bind(clubs[0].as_str())
    .bind(clubs[1].as_str())
    .fetch_one(&mut **tx)
    .await?;
    (!closed)
        .then_some(())
        .ok_or_else(|| ClubRefusal::ClassOnly.into())
}

/// Refuses a club that has too many club matches: accepted ones and its own proposals, or with `incoming` the proposals of others.
async fn check_number(
    tx: &mut Tx,
    club: &ClubId,
    incoming: bool,
    limit: u32,
) -> Result<(), StoreError> {
    let sql = if incoming {
        "SELECT count(*) FROM club_matches WHERE away_id = $1 AND state = 'proposed'"
    } else {
        "SELECT (SELECT count(*) FROM club_matches WHERE home_id = $1 AND state IN ('proposed', 'accepted'))
            + (SELECT count(*) FROM club_matches WHERE away_id = $1 AND state = 'accepted')"
    };
    let coming: i64 = sqlx::query_scalar(sql)
        .bind(club.as_str())
        .fetch_one(&mut **tx)
        .await?;
    (coming < i64::from(limit))
        .then_some(())
        .ok_or_else(|| ClubRefusal::TooManyMatches.into())
}

/// Returns the name of a club that is locked.
async fn reference(tx: &mut Tx, club: &ClubId) -> Result<ClubRef, StoreError> {
    let row: Option<(String, String)> =
        sqlx::query_as("SELECT handle, name FROM clubs WHERE id = $1")
            .bind(club.as_str())
            .fetch_optional(&mut **tx)
            .await?;
    let (handle, name) = row.ok_or(StoreError::NotFound)?;
    Ok(ClubRef { handle, name })
}

/// Tells the officers of a club about a club match against another.
async fn tell_officers(
    tx: &mut Tx,
    (club, other): (&ClubId, &ClubRef),
    (id, game): (&ClubMatchId, GameKind),
    (kind, by): (NoticeKind, &PlayerId),
    now_ms: i64,
) -> Result<String, StoreError> {
    let officers: Vec<String> = sqlx::query_scalar(
        "SELECT player_id FROM club_members WHERE club_id = $1 AND officer ORDER BY player_id",
    )
    .bind(club.as_str())
    .fetch_all(&mut **tx)
    .await?;
    let mut notices = Vec::with_capacity(officers.len());
    for officer in officers {
        let player: PlayerId = parsed_id("player id", officer)?;
        if player == *by {
            continue;
        }
        notices.push(NewNotice {
            player,
            kind,
            by: Some(by.clone()),
            key: id.to_string(),
            about: NoticeAbout {
                game: Some(game),
                club: Some(other.clone()),
                club_match: Some(id.clone()),
                ..NoticeAbout::default()
            },
            until_ms: None,
            at_ms: now_ms,
        });
    }
    write_all(tx, notices).await?;
    Ok(id.to_string())
}

async fn propose(
    tx: &mut Tx,
    new: &NewClubMatch,
    limits: &ClubMatchLimits,
) -> Result<ClubMatchChanged, StoreError> {
    debug_assert_ne!(new.home, new.away, "the caller has checked it");
    lock_clubs(tx, vec![new.home.clone(), new.away.clone()]).await?;
    let home = reference(tx, &new.home).await?;
    let away = reference(tx, &new.away).await?;
    check_officer(tx, &new.home, &new.by).await?;
    check_outsiders(tx, [&new.home, &new.away]).await?;
    check_number(tx, &new.home, false, limits.coming).await?;
    check_number(tx, &new.away, true, limits.incoming).await?;
    let before_ms = new.created_ms.saturating_sub(limits.kept_ms);
    delete_unplayed(tx, &new.home, before_ms).await?;
    let time = TimeColumns::from(new.time_control);
    sqlx::query(
        "INSERT INTO club_matches (id, home_id, home_name, away_id, away_name, hidden, game, time_control, base_ms, increment_ms, days,
            rated, boards, games, state, start_ms, due_ms, created_ms)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $16, $17)",
    )
    .bind(new.id.as_str())
    .bind(new.home.as_str())
    .bind(&home.name)
    .bind(new.away.as_str())
    .bind(&away.name)
    .bind(false)
    .bind(new.game.text())
    .bind(time.time_control)
    .bind(time.base_ms)
    .bind(time.increment_ms)
    .bind(time.days)
    .bind(new.rated)
    .bind(i64::from(new.boards))
    .bind(i64::from(new.games))
    .bind(ClubMatchState::Proposed.text())
    .bind(new.start_ms)
    .bind(new.created_ms)
    .execute(&mut **tx)
    .await?;
    let proposed = (ClubAction::MatchProposed, None);
    let (by, now_ms) = (Some(&new.by), new.created_ms);
    log(tx, &new.home, by, proposed, &away.handle, now_ms).await?;
    let kind = (NoticeKind::ClubMatchProposed, &new.by);
    let about = (&new.id, new.game);
    let told = tell_officers(tx, (&new.away, &home), about, kind, now_ms).await?;
    Ok(ClubMatchChanged { told: vec![told] })
}

/// A change under way, with its locks and its effects.
struct Change {
    id: ClubMatchId,
    by: PlayerId,
    row: Locked,
    limits: ClubMatchLimits,
    now_ms: i64,
    done: ClubMatchChanged,
}

impl Change {
    async fn apply(&mut self, tx: &mut Tx, what: ClubMatchChange) -> Result<(), StoreError> {
        match what {
            ClubMatchChange::Accept => self.accept(tx).await,
            ClubMatchChange::Decline => self.decline(tx).await,
            ClubMatchChange::End => self.end(tx).await,
            ClubMatchChange::SignUp(side) => self.sign_up(tx, side).await,
            ClubMatchChange::SignOff => self.sign_off(tx).await,
        }
    }

    /// Returns the two clubs of a match in this state, before its start.
    fn clubs_in(&self, state: ClubMatchState) -> Result<ByClub<ClubId>, StoreError> {
        match &self.row.clubs {
            ByClub {
                home: Some(home),
                away: Some(away),
            } if self.row.state == state && self.now_ms < self.row.start_ms => Ok(ByClub {
                home: home.clone(),
                away: away.clone(),
            }),
            _ => Err(ClubRefusal::MatchClosed.into()),
        }
    }

    /// Refuses everybody but the officers of these clubs, as far as they exist. The refusal of a stranger comes first: it does not depend on the
    /// state.
    async fn check_leads(
        &self,
        tx: &mut Tx,
        clubs: Vec<Option<ClubId>>,
    ) -> Result<Vec<ClubId>, StoreError> {
        let mut led = Vec::new();
        for club in clubs.into_iter().flatten() {
            if office(tx, &club, &self.by).await? == Some(true) {
                led.push(club);
            }
        }
        if led.is_empty() {
            return Err(ClubRefusal::OfficersOnly.into());
        }
        Ok(led)
    }

    async fn set(
        &self,
        tx: &mut Tx,
        state: ClubMatchState,
        due_ms: Option<i64>,
    ) -> Result<(), StoreError> {
        set_state(tx, &self.id, state, due_ms).await
    }

    async fn log(
        &self,
        tx: &mut Tx,
        (club, other): (&ClubId, &ClubId),
        action: ClubAction,
    ) -> Result<(), StoreError> {
        let other = reference(tx, other).await?.handle;
        let by = Some(&self.by);
        log(tx, club, by, (action, None), &other, self.now_ms).await
    }

    async fn answer(
        &mut self,
        tx: &mut Tx,
        clubs: &ByClub<ClubId>,
        (action, kind): (ClubAction, NoticeKind),
    ) -> Result<(), StoreError> {
        self.log(tx, (&clubs.away, &clubs.home), action).await?;
        let away = reference(tx, &clubs.away).await?;
        let about = (&self.id, GameKind::from_text(&self.row.game)?);
        let to = (&clubs.home, &away);
        let told = tell_officers(tx, to, about, (kind, &self.by), self.now_ms).await?;
        self.done.told.push(told);
        Ok(())
    }

    async fn accept(&mut self, tx: &mut Tx) -> Result<(), StoreError> {
        self.check_leads(tx, vec![self.row.clubs.away.clone()])
            .await?;
        let clubs = self.clubs_in(ClubMatchState::Proposed)?;
        check_outsiders(tx, [&clubs.home, &clubs.away]).await?;
        check_number(tx, &clubs.away, false, self.limits.coming).await?;
        self.set(tx, ClubMatchState::Accepted, Some(self.row.start_ms))
            .await?;
        let answer = (ClubAction::MatchAccepted, NoticeKind::ClubMatchAccepted);
        self.answer(tx, &clubs, answer).await
    }

    async fn decline(&mut self, tx: &mut Tx) -> Result<(), StoreError> {
        self.check_leads(tx, vec![self.row.clubs.away.clone()])
            .await?;
        let clubs = self.clubs_in(ClubMatchState::Proposed)?;
        self.set(tx, ClubMatchState::Declined, None).await?;
        let answer = (ClubAction::MatchDeclined, NoticeKind::ClubMatchDeclined);
        self.answer(tx, &clubs, answer).await
    }

    async fn end(&mut self, tx: &mut Tx) -> Result<(), StoreError> {
        let (home, away) = (self.row.clubs.home.clone(), self.row.clubs.away.clone());
        if self.row.state == ClubMatchState::Proposed {
            self.check_leads(tx, vec![home]).await?;
            let clubs = self.clubs_in(ClubMatchState::Proposed)?;
            self.set(tx, ClubMatchState::Withdrawn, None).await?;
            let at = (&clubs.home, &clubs.away);
            return self.log(tx, at, ClubAction::MatchWithdrawn).await;
        }
        let led = self.check_leads(tx, vec![home, away]).await?;
        let clubs = self.clubs_in(ClubMatchState::Accepted)?;
        self.set(tx, ClubMatchState::Cancelled, Some(self.now_ms))
            .await?;
        // All other entrants get a notice by the next steps.
        delete_entry(tx, &self.id, &self.by).await?;
        for club in &led {
            let other = if *club == clubs.home {
                &clubs.away
            } else {
                &clubs.home
            };
            self.log(tx, (club, other), ClubAction::MatchCancelled)
                .await?;
        }
        Ok(())
    }

    async fn sign_up(&self, tx: &mut Tx, side: ClubSide) -> Result<(), StoreError> {
        let club = self.row.clubs.at(side).as_ref();
        let club = club.ok_or(ClubRefusal::MatchClosed)?;
        if office(tx, club, &self.by).await?.is_none() {
            return Err(ClubRefusal::NotAMember.into());
        }
        self.clubs_in(ClubMatchState::Accepted)?;
        check_person(tx, &self.by).await?;
        let (kept, others): (bool, i64) = sqlx::query_as(concat!(
            "SELECT ",
            class_forbids!("outsiders", "$1"),
            ", (SELECT count(*) FROM club_match_players WHERE club_match_id = $2 AND home = $3 AND player_id <> $1)"
        ))
        .bind(self.by.as_str())
        .bind(self.id.as_str())
        .bind(side == ClubSide::Home)
        .fetch_one(&mut **tx)
        .await?;
        if kept {
            return Err(ClubRefusal::ClassOnly.into());
        }
        if others >= i64::from(self.limits.players) {
            return Err(ClubRefusal::MatchFull.into());
        }
        sqlx::query(
            "INSERT INTO club_match_players (club_match_id, home, player_id, since_ms) VALUES ($1, $2, $3, $4)
            ON CONFLICT (club_match_id, player_id) DO UPDATE SET home = excluded.home",
        )
        .bind(self.id.as_str())
        .bind(side == ClubSide::Home)
        .bind(self.by.as_str())
        .bind(self.now_ms)
        .execute(&mut **tx)
        .await?;
        Ok(())
    }

    async fn sign_off(&self, tx: &mut Tx) -> Result<(), StoreError> {
        self.clubs_in(ClubMatchState::Accepted)?;
        delete_entry(tx, &self.id, &self.by).await
    }
}

async fn set_state(
    tx: &mut Tx,
    id: &ClubMatchId,
    state: ClubMatchState,
    due_ms: Option<i64>,
) -> Result<(), StoreError> {
    sqlx::query("UPDATE club_matches SET state = $2, due_ms = $3 WHERE id = $1")
        .bind(id.as_str())
        .bind(state.text())
        .bind(due_ms)
        .execute(&mut **tx)
        .await?;
    Ok(())
}

/// Takes a step of a cancelled club match.
async fn tell(
    tx: &mut Tx,
    id: &ClubMatchId,
    row: &Locked,
    now_ms: i64,
) -> Result<ClubMatchStep, StoreError> {
    if row.due_ms.is_none() {
        return Ok(ClubMatchStep::NotDue);
    }
    let mut clubs = ByClub::default();
    if let Some(home) = &row.clubs.home {
        clubs.home = Some(reference(tx, home).await?);
    }
    if let Some(away) = &row.clubs.away {
        clubs.away = Some(reference(tx, away).await?);
    }
    let game = GameKind::from_text(&row.game)?;
    tell_entrants(tx, id, &clubs, game, now_ms).await
}

/// Begins an accepted club match whose time has come, or ends a proposal without an answer.
async fn start(
    tx: &mut Tx,
    id: &ClubMatchId,
    row: &Locked,
    now_ms: i64,
) -> Result<ClubMatchStep, StoreError> {
    if now_ms < row.start_ms {
        return Ok(ClubMatchStep::NotDue);
    }
    let clubs = match (row.state, &row.clubs) {
        (ClubMatchState::Proposed, _) => {
            set_state(tx, id, ClubMatchState::Lapsed, None).await?;
            return Ok(ClubMatchStep::Taken);
        }
        (
            ClubMatchState::Accepted,
            ByClub {
                home: Some(home),
                away: Some(away),
            },
        ) => [home, away],
        (ClubMatchState::Accepted, _) => {
            // A server of an earlier version has closed a club.
            set_state(tx, id, ClubMatchState::Cancelled, Some(now_ms)).await?;
            return Ok(ClubMatchStep::Taken);
        }
        _ => return Ok(ClubMatchStep::NotDue),
    };
    let home = entrants(tx, (id, clubs[0]), ClubSide::Home, row).await?;
    let away = entrants(tx, (id, clubs[1]), ClubSide::Away, row).await?;
    let paired = boards(home, away, row.boards);
    let (state, due_ms) = if paired.is_empty() {
        (ClubMatchState::Cancelled, Some(now_ms))
    } else {
        (ClubMatchState::Running, None)
    };
    set_state(tx, id, state, due_ms).await?;
    for (number, board) in (1..).zip(&paired) {
        insert_board(tx, id, number, board, row.games).await?;
    }
    Ok(ClubMatchStep::Taken)
}

/// An entrant, and the stored rating.
#[derive(Clone)]
struct Entry {
    player: String,
    rating: Option<f64>,
}

/// Returns the players of a side who can play: members with an account that is not disabled, and no pupils who are kept among themselves.
async fn entrants(
    tx: &mut Tx,
    (id, club): (&ClubMatchId, &ClubId),
    side: ClubSide,
    row: &Locked,
) -> Result<Vec<Entrant<Entry>>, StoreError> {
    let rows: Vec<(String, Option<f64>)> = sqlx::query_as(concat!(
        "SELECT r.player_id, s.rating FROM club_match_players r
            JOIN club_members m ON m.club_id = $3 AND m.player_id = r.player_id
            JOIN players p ON p.id = r.player_id
            LEFT JOIN ratings s ON s.player_id = r.player_id AND s.game = $4 AND s.speed = $5
        WHERE r.club_match_id = $1 AND r.home = $2 AND p.kind = 'account' AND p.disabled_ms IS NULL AND p.deleted_ms IS NULL AND NOT ",
        class_forbids!("outsiders", "r.player_id"),
        " ORDER BY r.since_ms, r.player_id"
    ))
    .bind(id.as_str())
    .bind(side == ClubSide::Home)
    .bind(club.as_str())
    .bind(&row.game)
    .bind(row.speed)
    .fetch_all(&mut **tx)
    .await?;
    let entrant = |(player, rating): (String, Option<f64>)| Entrant {
        rating: rating.unwrap_or(START_RATING),
        player: Entry { player, rating },
    };
    Ok(rows.into_iter().map(entrant).collect())
}

async fn insert_board(
    tx: &mut Tx,
    id: &ClubMatchId,
    number: u32,
    board: &Board<Entry>,
    games: u32,
) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO club_match_boards (club_match_id, number, home_player_id, away_player_id, home_rating, away_rating)
        VALUES ($1, $2, $3, $4, $5, $6)",
    )
    .bind(id.as_str())
    .bind(i64::from(number))
    .bind(&board.home.player.player)
    .bind(&board.away.player.player)
    .bind(board.home.player.rating)
    .bind(board.away.player.rating)
    .execute(&mut **tx)
    .await?;
    for game in 1..=games {
        let state = if game == 1 {
            ClubGameState::Ready
        } else {
            ClubGameState::Waiting
        };
        sqlx::query(
            "INSERT INTO club_match_games (club_match_id, board, game, home_side, state) VALUES ($1, $2, $3, $4, $5)",
        )
        .bind(id.as_str())
        .bind(i64::from(number))
        .bind(i64::from(game))
        .bind(home_side(number, game).text())
        .bind(state.text())
        .execute(&mut **tx)
        .await?;
    }
    Ok(())
}
