//! The lobby as sockets see it: the list of seeks, and the numbers of players who wait in the pools.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use mawe_play::rating;
use mawe_store::{ChallengeRow, Player, StoreError};
use mawe_wire::ids::{ChallengeId, PlayerId};
use mawe_wire::{PlayerKind, PoolCount, RatingRef, SeekView, ServerMsg};

use super::pools::{Lobby, pool_count};
use crate::clock::unix_ms;
use crate::live::outbox::encode;
use crate::live::view;

/// Maximum number of seeks in the list: one page, and far less than the output queue of a socket holds.
const SHOWN: usize = 50;

/// Number of seeks that are read to fill the list: those of absent seekers are not shown.
const LOOKED_AT: u32 = 500;

/// Time that a seek for a real-time match stays after its seeker has left: a page may be reloading.
const AWAY: Duration = Duration::from_secs(60);

/// Time that any seek of an absent guest stays: a guest who has closed the page seldom returns, and many guests may be made to fill the
/// list.
const GUEST_AWAY: Duration = Duration::from_secs(15 * 60);

/// Time that any seek of an absent account stays: players of correspondence matches may visit once a day.
const ACCOUNT_AWAY: Duration = Duration::from_secs(36 * 60 * 60);

/// Time that a seeker's rating is cached.
const RATING_FRESH: Duration = Duration::from_secs(60);

/// The last list sent to watchers, and since when absent seekers have been away.
#[derive(Default)]
pub(super) struct Board {
    seeks: Option<Vec<SeekView>>,
    pools: Option<Vec<PoolCount>>,
    away: HashMap<PlayerId, Instant>,
}

impl Lobby {
    /// Returns the seeks that can be accepted, in turns by seeker, the newest first. Real-time seeks are listed only while their
    /// seekers have a socket open.
    ///
    /// # Errors
    /// The store failed.
    pub async fn seeks(&self) -> Result<Vec<SeekView>, StoreError> {
        Ok(self.list().await?.0)
    }

    /// Returns the list of seeks, and by seeker the rows that the list has no room for.
    async fn list(
        &self,
    ) -> Result<(Vec<SeekView>, HashMap<PlayerId, Vec<ChallengeRow>>), StoreError> {
        let rows = self.store.open_seeks(None, unix_ms(), LOOKED_AT).await?;
        let met = rows.into_iter().filter(|row| self.can_be_met(row));
        let mut rows = fairly(met.collect()).into_iter();
        let mut views = Vec::new();
        for row in rows.by_ref().take(SHOWN) {
            let rating = self.seeker_rating(&row).await?;
            views.push(seek_view(row, rating));
        }
        let mut rest: HashMap<PlayerId, Vec<ChallengeRow>> = HashMap::new();
        for row in rows {
            let seeker = row.challenger.id.clone();
            rest.entry(seeker).or_default().push(row);
        }
        self.state
            .lock()
            .ratings
            .retain(|_, (looked_up, _)| looked_up.elapsed() < RATING_FRESH);
        Ok((views, rest))
    }

    /// Makes the view of a seek.
    ///
    /// # Errors
    /// The store failed.
    pub async fn seek(&self, row: ChallengeRow) -> Result<SeekView, StoreError> {
        let rating = self.seeker_rating(&row).await?;
        Ok(seek_view(row, rating))
    }

    /// Whether the seek can be accepted now: for a real-time match, the seeker must have a socket open.
    #[must_use]
    pub fn can_be_met(&self, row: &ChallengeRow) -> bool {
        !row.offer.time_control.is_realtime() || self.sockets.is_here(&row.challenger.id)
    }

    async fn seeker_rating(&self, row: &ChallengeRow) -> Result<Option<RatingRef>, StoreError> {
        let offer = &row.offer;
        let known = self.state.lock().ratings.get(&offer.id).copied();
        if let Some((_, rating)) = known.filter(|(at, _)| at.elapsed() < RATING_FRESH) {
            return Ok(rating);
        }
        let speed = offer.time_control.speed();
        let row = self
            .store
            .rating(&offer.challenger, offer.game, speed)
            .await?;
        let shown = row.map(|row| rating::shown_now(&row.rating, unix_ms()));
        let id: ChallengeId = offer.id.clone();
        self.state
            .lock()
            .ratings
            .insert(id, (Instant::now(), shown));
        Ok(shown)
    }

    /// Sends watchers the changes since the last round; new watchers get the whole lobby.
    pub(super) async fn publish(&self, board: &mut Board) {
        if self.state.lock().watchers.is_empty() {
            (board.seeks, board.pools) = (None, None);
            return;
        }
        let (seeks, rest) = match self.list().await {
            Ok(listed) => listed,
            Err(error) => {
                tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    "the seeks could not be read; the lobby hears of them later"
                );
                return;
            }
        };
        let counts = self.counts();
        let pools: Vec<PoolCount> = counts
            .into_iter()
            .map(|(key, waiting)| pool_count(key, waiting))
            .collect();
        let new_seeks = board.seeks.as_ref() != Some(&seeks);
        let new_pools = board.pools.as_ref() != Some(&pools);
        let news = (new_seeks || new_pools).then(|| {
            encode(&ServerMsg::Lobby {
                seeks: new_seeks.then(|| seeks.clone()),
                pools: new_pools.then(|| pools.clone()),
            })
        });
        let whole = encode(&ServerMsg::Lobby {
            seeks: Some(seeks.clone()),
            pools: Some(pools.clone()),
        });
        for (socket, watcher) in &mut self.state.lock().watchers {
            let own = watcher.player.as_ref().and_then(|player| rest.get(player));
            let own = own.map_or(&[][..], Vec::as_slice);
            let ids: Vec<ChallengeId> = own.iter().map(|row| row.offer.id.clone()).collect();
            let has_all = std::mem::replace(&mut watcher.has_all, true);
            let same_own = std::mem::replace(&mut watcher.own, ids.clone()) == ids;
            let frame = if !has_all || !same_own || (new_seeks && !own.is_empty()) {
                // Seekers see all their own seeks, even when those of others fill the list.
                Some(if own.is_empty() {
                    whole.clone()
                } else {
                    // Seekers know their own rating, so it is not looked up.
                    let own = own.iter().map(|row| seek_view(row.clone(), None));
                    encode(&ServerMsg::Lobby {
                        seeks: Some(seeks.iter().cloned().chain(own).collect()),
                        pools: Some(pools.clone()),
                    })
                })
            } else {
                news.clone()
            };
            if let Some(frame) = frame {
                self.sockets.tell_one(*socket, &frame);
            }
        }
        (board.seeks, board.pools) = (Some(seeks), Some(pools));
    }

    /// Cancels the seeks of absent players: real-time ones after [`AWAY`], all others later.
    pub(super) async fn sweep(&self, board: &mut Board, now: Instant) {
        let rows = match self.store.open_seeks(None, unix_ms(), LOOKED_AT).await {
            Ok(rows) => rows,
            // A request for the list of seeks reports the error.
            Err(_) => return,
        };
        let away = rows.into_iter().map(|row| row.challenger);
        let away = away.filter(|seeker| !self.sockets.is_here(&seeker.id));
        let away: HashMap<PlayerId, Player> =
            away.map(|seeker| (seeker.id.clone(), seeker)).collect();
        board.away.retain(|player, _| away.contains_key(player));
        for (id, seeker) in away {
            let since = *board.away.entry(id.clone()).or_insert(now);
            let away_for = now.saturating_duration_since(since);
            // If this fails, the next sweep tries again.
            let taken_back = if away_for >= away_for_good(&seeker) {
                self.store.cancel_seeks(&id).await
            } else if away_for >= AWAY {
                self.store
                    .cancel_live_seeks(std::slice::from_ref(&id))
                    .await
            } else {
                Ok(0)
            };
            if let Err(error) = taken_back {
                tracing::debug!(
                    error = &error as &dyn std::error::Error,
                    "the seeks of somebody who is away could not be taken back; trying again soon"
                );
            }
        }
    }
}

/// Orders the rows round robin: the first seek of each seeker in the given order, then the second of each, and so on, so that no seeker
/// fills the list alone.
fn fairly(rows: Vec<ChallengeRow>) -> Vec<ChallengeRow> {
    let mut had: HashMap<PlayerId, u32> = HashMap::new();
    let mut placed: Vec<(u32, ChallengeRow)> = Vec::with_capacity(rows.len());
    for row in rows {
        let place = had.entry(row.challenger.id.clone()).or_default();
        placed.push((*place, row));
        *place += 1;
    }
    placed.sort_by_key(|(place, _)| *place);
    placed.into_iter().map(|(_, row)| row).collect()
}

/// Time of absence after which all seeks of a player are cancelled, including those for correspondence matches.
fn away_for_good(player: &Player) -> Duration {
    match player.kind {
        PlayerKind::Guest => GUEST_AWAY,
        PlayerKind::Account | PlayerKind::Bot => ACCOUNT_AWAY,
    }
}

fn seek_view(row: ChallengeRow, rating: Option<RatingRef>) -> SeekView {
    let offer = row.offer;
    SeekView {
        id: offer.id,
        game: offer.game,
        setup: offer.setup,
        side: offer.side,
        time_control: offer.time_control,
        speed: offer.time_control.speed(),
        rated: offer.rated,
        options: offer.options,
        seeker: view::player(&row.challenger),
        seeker_rating: rating,
        min_rating: offer.rating_range.0,
        max_rating: offer.rating_range.1,
        created_at: view::timestamp(offer.created_ms),
        expires_at: view::timestamp(offer.expires_ms),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use mawe_rules::GameKind;
    use mawe_store::{ExtraTime, NewChallenge, NewPlayer};
    use mawe_wire::ids::PlayerId;
    use mawe_wire::{MatchOptions, TimeControl};

    use super::*;
    use crate::bots::Bots;
    use crate::connections::admission::{Admission, ConnectionLimits};
    use crate::live::journal::Journal;
    use crate::live::notices;
    use crate::live::rooms::Rooms;
    use crate::live::services::{Services, Settings};
    use crate::live::sockets::Sockets;

    /// A lobby that is not running.
    async fn lobby(directory: &std::path::Path) -> Arc<Lobby> {
        let url = format!("sqlite:{}", directory.join("mawe.sqlite").display());
        let store = mawe_store::open(&url).await.expect("a new store");
        let (journal, _) = Journal::start(store.clone());
        let (bots, _) = Bots::new();
        let settings = Settings {
            spectator_delay: Duration::ZERO,
            linger: Duration::ZERO,
            rematch_offer: Duration::ZERO,
        };
        let owner = "test".to_owned();
        let admission = Admission::new(&ConnectionLimits::default(), u64::MAX);
        let sockets = Arc::new(Sockets::new(admission));
        let (notices, _) = notices::queue(&store, &sockets);
        let services = Services::new(
            Arc::clone(&store),
            journal,
            bots,
            owner,
            settings,
            None,
            None,
            notices,
        );
        let rooms = Rooms::new(services);
        Lobby::new(store, rooms, sockets, Vec::new(), None, None)
    }

    async fn seek(lobby: &Lobby, time_control: TimeControl) -> ChallengeId {
        let id = PlayerId::random();
        let player = Player {
            id: id.clone(),
            name: id.to_string(),
            kind: PlayerKind::Guest,
            level: None,
            look: mawe_wire::Look::default(),
            created_ms: 0,
        };
        let password_hash = None;
        let new = NewPlayer {
            player,
            password_hash,
        };
        lobby
            .store
            .create_player(&new, None)
            .await
            .expect("a new player");
        let seek = NewChallenge {
            id: ChallengeId::random(),
            challenger: id,
            game: GameKind::ALL[0],
            setup: String::new(),
            side: None,
            time_control,
            extra: ExtraTime::default(),
            rated: false,
            options: MatchOptions::usual(false),
            private: false,
            to: None,
            listed: true,
            rating_range: (None, None),
            created_ms: unix_ms(),
            expires_ms: unix_ms() + 1_000_000,
        };
        let created = lobby.store.create_challenge(&seek).await;
        created.expect("a new seek");
        seek.id
    }

    #[tokio::test]
    async fn who_is_away_for_a_minute_seeks_no_longer() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let lobby = lobby(directory.path()).await;
        let control = TimeControl::Realtime {
            base_ms: 60_000,
            increment_ms: 0,
        };
        let now = seek(&lobby, control).await;
        let by_days = seek(&lobby, TimeControl::Correspondence { days: 1 }).await;
        let mut board = Board::default();
        let begin = Instant::now();
        let open = async |id: &ChallengeId| {
            let row = lobby.store.find_challenge(id).await.expect("it answers");
            !row.expect("it is there").cancelled
        };
        for seconds in [0, 30, 59] {
            lobby
                .sweep(&mut board, begin + Duration::from_secs(seconds))
                .await;
            assert!(open(&now).await, "after {seconds} s");
        }
        lobby.sweep(&mut board, begin + AWAY).await;
        assert!(!open(&now).await);
        assert!(open(&by_days).await, "that one can wait");
        lobby.sweep(&mut board, begin + GUEST_AWAY).await;
        assert!(!open(&by_days).await, "but not for a guest who has gone");
    }

    #[tokio::test]
    async fn nobody_fills_the_lobby_alone() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let lobby = lobby(directory.path()).await;
        let days = TimeControl::Correspondence { days: 1 };
        let honest = seek(&lobby, days).await;
        let row = lobby
            .store
            .find_challenge(&honest)
            .await
            .expect("it answers");
        let row = row.expect("it is there");
        // Eleven other seekers with five newer seeks each.
        for _ in 0..11 {
            let first = seek(&lobby, days).await;
            let theirs = lobby
                .store
                .find_challenge(&first)
                .await
                .expect("it answers");
            let theirs = theirs.expect("it is there").offer;
            for n in 1..5 {
                let more = NewChallenge {
                    id: ChallengeId::random(),
                    created_ms: theirs.created_ms + n,
                    ..theirs.clone()
                };
                lobby
                    .store
                    .create_challenge(&more)
                    .await
                    .expect("a new seek");
            }
        }
        let shown = lobby.seeks().await.expect("it answers");
        assert_eq!(shown.len(), SHOWN);
        assert!(shown.iter().any(|seek| seek.id == honest));
        let firsts = shown.iter().take(12).map(|seek| seek.seeker.name.clone());
        let firsts: std::collections::BTreeSet<String> = firsts.collect();
        assert_eq!(firsts.len(), 12, "one of each before anybody's second");
        assert!(firsts.contains(&row.challenger.name));
    }
}
