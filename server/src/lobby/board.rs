//! What the lobby shows: seeks, and how many wait in the pools.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use super::{Lobby, pool_count};
use crate::arrange::unix_ms;
use crate::ids::{ChallengeId, PlayerId};
use crate::outbox::encode;
use crate::protocol::{PoolCount, RatingRef, SeekView, ServerMsg};
use crate::rating;
use crate::room::view;
use crate::store::{ChallengeRow, StoreError};

/// How many seeks the lobby shows: a page, and far less than may wait for a socket.
const SHOWN: usize = 50;

/// How many are looked at to find them: those of seekers who are away are not shown.
const LOOKED_AT: u32 = 200;

/// A seek for a match now outlives its seeker by this: pages are reloaded.
const AWAY: Duration = Duration::from_secs(60);

/// For so long a seeker's rating is not looked up again.
const RATING_FRESH: Duration = Duration::from_secs(60);

/// What watchers were told last, and what the sweep remembers.
#[derive(Default)]
pub(super) struct Board {
    seeks: Option<Vec<SeekView>>,
    pools: Option<Vec<PoolCount>>,
    away: HashMap<PlayerId, Instant>,
}

impl Lobby {
    /// The seeks that can be accepted, newest first: those for a match now only while their seekers have a socket open.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn seeks(&self) -> Result<Vec<SeekView>, StoreError> {
        let rows = self.store.open_seeks(None, unix_ms(), LOOKED_AT).await?;
        let shown = rows.into_iter().filter(|row| self.can_be_met(row));
        let mut views = Vec::new();
        for row in shown.take(SHOWN) {
            let rating = self.seeker_rating(&row).await?;
            views.push(seek_view(row, rating));
        }
        self.lock()
            .ratings
            .retain(|_, (looked_up, _)| looked_up.elapsed() < RATING_FRESH);
        Ok(views)
    }

    /// A seek as it is shown.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn seek(&self, row: ChallengeRow) -> Result<SeekView, StoreError> {
        let rating = self.seeker_rating(&row).await?;
        Ok(seek_view(row, rating))
    }

    /// Whether the seeker is there, where that matters.
    #[must_use]
    pub fn can_be_met(&self, row: &ChallengeRow) -> bool {
        !row.offer.time_control.is_realtime() || self.sockets.is_here(&row.challenger.id)
    }

    /// Marks somebody as making a seek; `None` when they are making one already. Keep it until the seek is there.
    pub fn seeking(&self, player: &PlayerId) -> Option<MakingSeek<'_>> {
        let first = self.lock().seeking.insert(player.clone());
        first.then(|| MakingSeek {
            lobby: self,
            player: player.clone(),
        })
    }

    async fn seeker_rating(&self, row: &ChallengeRow) -> Result<Option<RatingRef>, StoreError> {
        let offer = &row.offer;
        let known = self.lock().ratings.get(&offer.id).copied();
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
        self.lock().ratings.insert(id, (Instant::now(), shown));
        Ok(shown)
    }

    /// Tells watchers what has changed since the last round, and those who are new everything.
    pub(super) async fn publish(&self, board: &mut Board) {
        if self.lock().watchers.is_empty() {
            (board.seeks, board.pools) = (None, None);
            return;
        }
        let seeks = match self.seeks().await {
            Ok(seeks) => seeks,
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
        let news = ServerMsg::Lobby {
            seeks: (board.seeks.as_ref() != Some(&seeks)).then(|| seeks.clone()),
            pools: (board.pools.as_ref() != Some(&pools)).then(|| pools.clone()),
        };
        let has_news = board.seeks.as_ref() != Some(&seeks) || board.pools.as_ref() != Some(&pools);
        let news = has_news.then(|| encode(&news));
        let whole = encode(&ServerMsg::Lobby {
            seeks: Some(seeks.clone()),
            pools: Some(pools.clone()),
        });
        (board.seeks, board.pools) = (Some(seeks), Some(pools));
        for (socket, has_all) in &mut self.lock().watchers {
            let frame = if *has_all {
                news.as_ref()
            } else {
                Some(&whole)
            };
            *has_all = true;
            if let Some(frame) = frame {
                self.sockets.tell_one(*socket, frame);
            }
        }
    }

    /// Takes back the seeks for a match now of those who have been away for some time.
    pub(super) async fn sweep(&self, board: &mut Board, now: Instant) {
        let rows = match self.store.open_seeks(None, unix_ms(), LOOKED_AT).await {
            Ok(rows) => rows,
            // It is said where it matters: when somebody asks for the seeks.
            Err(_) => return,
        };
        let gone = rows.iter().filter(|row| !self.can_be_met(row));
        let gone: Vec<PlayerId> = gone.map(|row| row.challenger.id.clone()).collect();
        board.away.retain(|player, _| gone.contains(player));
        for player in gone {
            let since = *board.away.entry(player.clone()).or_insert(now);
            // A failure is no harm: the next sweep finds them again.
            if now.saturating_duration_since(since) >= AWAY
                && self.store.cancel_live_seeks(&player).await.is_ok()
            {
                board.away.remove(&player);
            }
        }
    }
}

/// Somebody is making a seek.
pub struct MakingSeek<'a> {
    lobby: &'a Lobby,
    player: PlayerId,
}

impl Drop for MakingSeek<'_> {
    fn drop(&mut self) {
        self.lobby.lock().seeking.remove(&self.player);
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

    use super::*;
    use crate::bots::Bots;
    use crate::connections::admission::{Admission, ConnectionLimits};
    use crate::ids::PlayerId;
    use crate::journal::Journal;
    use crate::protocol::{MatchOptions, PlayerKind, TimeControl};
    use crate::rooms::{self, Rooms};
    use crate::sockets::Sockets;
    use crate::store::{self, NewChallenge, NewPlayer, Player};

    /// A lobby that nobody runs.
    async fn lobby(directory: &std::path::Path) -> Arc<Lobby> {
        let url = format!("sqlite:{}", directory.join("mawe.sqlite").display());
        let store = store::open(&url).await.expect("a new store");
        let (journal, _) = Journal::start(Arc::clone(&store));
        let (bots, _) = Bots::new();
        let settings = rooms::Settings {
            spectator_delay: Duration::ZERO,
            linger: Duration::ZERO,
        };
        let owner = "test".to_owned();
        let rooms = Rooms::new(Arc::clone(&store), journal, bots, owner, settings);
        let admission = Admission::new(&ConnectionLimits::default(), u64::MAX);
        let sockets = Arc::new(Sockets::new(admission));
        Lobby::new(store, rooms, sockets, Vec::new(), None)
    }

    async fn seek(lobby: &Lobby, time_control: TimeControl) -> ChallengeId {
        let id = PlayerId::random();
        let player = Player {
            id: id.clone(),
            name: id.to_string(),
            kind: PlayerKind::Guest,
            level: None,
            created_ms: 0,
        };
        let password_hash = None;
        let new = NewPlayer {
            player,
            password_hash,
        };
        lobby.store.create_player(&new).await.expect("a new player");
        let seek = NewChallenge {
            id: ChallengeId::random(),
            challenger: id,
            game: GameKind::ALL[0],
            setup: String::new(),
            side: None,
            time_control,
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
    }
}
