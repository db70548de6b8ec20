//! The notices of a cancelled club match.
//!
//! A cancellation leaves the entrants and makes the club match due. Each step then replaces some entrants by their notices, in one transaction:
//! every entrant gets one, also after a crash, and no transaction locks the notices of a whole club.

use mawe_rules::GameKind;
use mawe_wire::clubs::ClubRef;
use mawe_wire::ids::ClubMatchId;
use mawe_wire::{NoticeAbout, NoticeKind};

use super::backend::Tx;
use super::notices::write_all;
use crate::rows::id as parsed_id;
use crate::{ByClub, CANCELLATIONS, ClubMatchStep, NewNotice, StoreError};

/// Writes the notices of the next entrants of a cancelled club match, and deletes these entrants. The caller holds the lock of its row. A closed
/// club has no reference.
pub(super) async fn tell_entrants(
    tx: &mut Tx,
    id: &ClubMatchId,
    clubs: &ByClub<Option<ClubRef>>,
    game: GameKind,
    now_ms: i64,
) -> Result<ClubMatchStep, StoreError> {
    // One more than a step takes: it says whether another step follows.
    let mut entrants: Vec<(String, bool)> = sqlx::query_as(
        "SELECT player_id, home FROM club_match_players WHERE club_match_id = $1 ORDER BY player_id LIMIT $2",
    )
    .bind(id.as_str())
    .bind(i64::from(CANCELLATIONS) + 1)
    .fetch_all(&mut **tx)
    .await?;
    let has_more = entrants.len() > CANCELLATIONS as usize;
    entrants.truncate(CANCELLATIONS as usize);
    if let Some((last, _)) = entrants.last() {
        // Nobody signs up for a cancelled club match.
        sqlx::query("DELETE FROM club_match_players WHERE club_match_id = $1 AND player_id <= $2")
            .bind(id.as_str())
            .bind(last)
            .execute(&mut **tx)
            .await?;
    }
    let notice = |(player, is_home): (String, bool)| {
        let other = if is_home { &clubs.away } else { &clubs.home };
        Ok(NewNotice {
            player: parsed_id("player id", player)?,
            kind: NoticeKind::ClubMatchCancelled,
            by: None,
            key: id.to_string(),
            about: NoticeAbout {
                game: Some(game),
                club: other.clone(),
                club_match: Some(id.clone()),
                ..NoticeAbout::default()
            },
            until_ms: None,
            at_ms: now_ms,
        })
    };
    let notices: Result<Vec<NewNotice>, StoreError> = entrants.into_iter().map(notice).collect();
    let written = write_all(tx, notices?).await?;
    if has_more {
        return Ok(ClubMatchStep::Taken);
    }
    sqlx::query("UPDATE club_matches SET due_ms = NULL WHERE id = $1")
        .bind(id.as_str())
        .execute(&mut **tx)
        .await?;
    Ok(if written == 0 {
        ClubMatchStep::Taken
    } else {
        ClubMatchStep::Told
    })
}
