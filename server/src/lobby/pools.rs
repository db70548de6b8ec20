//! The pools of a node, as sockets use them.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::{Duration, Instant};

use mawe_play::pairing::{self, Entrant, Millis, Pools, RECENT, SideHistory, Standing, penalty};
use mawe_play::rating;
use mawe_rules::{GameKind, Side};
use mawe_store::{MAX_RUNNING, MatchFilter, MatchRow, Player, Store, StoreError};
use mawe_wire::ids::{ChallengeId, PlayerId};
use mawe_wire::pool::PoolKey;
use mawe_wire::pool::UnknownPool;
use mawe_wire::{Code, ErrorMsg, PlayerKind, PoolCount, RatingRef, ServerMsg};
use parking_lot::Mutex;

use super::event_states::EventStates;
use super::event_watch::EventWatch;
use crate::clock::unix_ms;
use crate::cluster::Cluster;
use crate::cluster::message::PoolRequestKind;
use crate::live::outbox::encode;
use crate::live::rooms::Rooms;
use crate::live::sockets::Sockets;
use crate::meters::Counter;

/// Rating and deviation of a player without a rating.
pub(crate) const UNKNOWN: (f64, f64) = (1_500.0, 350.0);

/// Number of a player's latest matches, of any game, that are read for the sides in one game.
const LOOK_BACK: u32 = 3 * RECENT as u32;

/// The lobby of a node.
pub struct Lobby {
    pub(super) store: Arc<dyn Store>,
    pub(super) rooms: Arc<Rooms>,
    pub(super) sockets: Arc<Sockets>,
    pub(super) bots: Vec<Player>,
    /// The other nodes, if there are any.
    pub(super) cluster: Option<Arc<Cluster>>,
    pub(super) began: Instant,
    /// The states of events.
    pub events: EventStates,
    /// The watchers of events.
    pub event_watch: EventWatch,
    pub(super) state: Mutex<State>,
    /// Pairs made by this node since the start, in the order of [`GameKind::ALL`].
    pub(super) paired: [Counter; GameKind::ALL.len()],
}

/// The present load of a pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PoolFigures {
    /// The pool.
    pub key: PoolKey,
    /// The number of waiting players.
    pub waiting: u32,
    /// The longest wait so far; none where another node pairs.
    pub longest: Duration,
}

pub(super) struct State {
    pub(super) pools: Pools,
    /// Sockets that watch the lobby, by number.
    pub(super) watchers: BTreeMap<u64, Watcher>,
    /// Players who wait, by socket on this node and pool; kept whether or not this node pairs.
    pub(super) wishes: BTreeMap<(u64, PoolKey), PlayerId>,
    /// While this node pairs: the time of the last request of each socket on other nodes.
    pub(super) renewed: HashMap<(u64, PoolKey), (PlayerId, Instant)>,
    /// Numbers of waiting players as the pairing node last sent them.
    pub(super) elsewhere: BTreeMap<PoolKey, u32>,
    /// Ratings of seekers, with the time of the lookup.
    pub(super) ratings: HashMap<ChallengeId, (Instant, Option<RatingRef>)>,
}

/// A socket that watches the lobby.
pub(super) struct Watcher {
    /// The player behind the socket; `None` for an anonymous visitor.
    pub(super) player: Option<PlayerId>,
    /// Whether the whole lobby has been sent.
    pub(super) has_all: bool,
    /// The player's own seeks that were sent although the list has no room for them.
    pub(super) own: Vec<ChallengeId>,
}

/// The caller of the lobby.
#[derive(Debug, Clone, Copy)]
pub struct Asker<'a> {
    /// Number of the caller's socket.
    pub socket: u64,
    /// The caller's id; `None` for an anonymous visitor.
    pub player: Option<&'a PlayerId>,
}

/// Reason for which the lobby refuses a request.
#[derive(Debug, thiserror::Error)]
pub enum PoolRefusal {
    /// The caller is an anonymous visitor.
    #[error("sign in first, or come as a guest: POST /api/v1/guests")]
    SignInFirst,
    /// There is no such pool.
    #[error(transparent)]
    UnknownPool(#[from] UnknownPool),
    /// The caller is a guest, and the pool is rated.
    #[error("rated matches need an account")]
    AccountNeeded,
    /// The caller is a bot account; pools are for people.
    #[error("pools are for people; a bot account plays by challenge")]
    NoBots,
    /// The player has abandoned matches or called them off too often.
    #[error("you have left matches or called them off again and again; wait before the next")]
    PoolWait {
        /// Remaining wait.
        retry_ms: Millis,
    },
    /// The player waits in the maximum number of pools.
    #[error("one waits in {} pools at most", pairing::MAX_POOLS)]
    TooManyPools,
    /// No computer opponent was offered, or the player no longer waits.
    #[error("no computer opponent is offered to you in this pool")]
    NoBotOffer,
    /// The player is being seated at another match.
    #[error("you are just being seated at a match")]
    BeingSeated,
    /// The disk is nearly full, so no match is made.
    #[error("the disk of this server is nearly full, and no new matches are made for now")]
    StoreLow,
    /// The player has the maximum number of running matches.
    #[error("finish some of your running matches first")]
    TooManyRunning,
    /// The store failed.
    #[error("the store does not answer just now; nothing was changed")]
    Store(#[source] StoreError),
}

impl PoolRefusal {
    /// The stable error code on the wire.
    #[must_use]
    pub fn code(&self) -> Code {
        match self {
            PoolRefusal::SignInFirst => Code::SignInFirst,
            PoolRefusal::UnknownPool(_) => Code::UnknownPool,
            PoolRefusal::AccountNeeded => Code::AccountNeeded,
            PoolRefusal::NoBots => Code::NoBots,
            PoolRefusal::PoolWait { .. } => Code::PoolWait,
            PoolRefusal::TooManyPools => Code::TooManyPools,
            PoolRefusal::NoBotOffer => Code::NoBotOffer,
            PoolRefusal::BeingSeated => Code::BeingSeated,
            PoolRefusal::StoreLow => Code::StorageLow,
            PoolRefusal::TooManyRunning => Code::TooManyRunning,
            PoolRefusal::Store(_) => Code::StorageUnavailable,
        }
    }
}

impl From<StoreError> for PoolRefusal {
    fn from(error: StoreError) -> PoolRefusal {
        match error {
            StoreError::LowSpace => PoolRefusal::StoreLow,
            StoreError::TooManyMatches(_) => PoolRefusal::TooManyRunning,
            StoreError::NotFound
            | StoreError::Conflict
            | StoreError::Blocked
            | StoreError::Unavailable(_)
            | StoreError::OutcomeUnknown(_)
            | StoreError::NotInvited
            | StoreError::LooksAlike
            | StoreError::Club(_)
            | StoreError::Damaged { .. } => PoolRefusal::Store(error),
        }
    }
}

impl From<pairing::Refused> for PoolRefusal {
    fn from(refused: pairing::Refused) -> PoolRefusal {
        match refused {
            pairing::Refused::NotYet { retry_ms } => PoolRefusal::PoolWait { retry_ms },
            pairing::Refused::TooManyPools => PoolRefusal::TooManyPools,
        }
    }
}

/// Parses the name of a pool into its key.
///
/// # Errors
/// [`UnknownPool`] if there is no such pool.
pub fn key(game: GameKind, pool: &str, rated: bool) -> Result<PoolKey, UnknownPool> {
    PoolKey::new(game, pool.parse()?, rated)
}

impl Lobby {
    /// Creates a lobby without waiting players or watchers.
    #[must_use]
    pub fn new(
        store: Arc<dyn Store>,
        rooms: Arc<Rooms>,
        sockets: Arc<Sockets>,
        bots: Vec<Player>,
        bot_offer_after: Option<Duration>,
        cluster: Option<Arc<Cluster>>,
    ) -> Arc<Lobby> {
        let state = State {
            pools: Pools::new(bot_offer_after.map(millis)),
            watchers: BTreeMap::new(),
            wishes: BTreeMap::new(),
            renewed: HashMap::new(),
            elsewhere: BTreeMap::new(),
            ratings: HashMap::new(),
        };
        Arc::new(Lobby {
            store,
            rooms,
            sockets,
            bots,
            cluster,
            began: Instant::now(),
            events: EventStates::default(),
            event_watch: EventWatch::default(),
            state: Mutex::new(state),
            paired: Default::default(),
        })
    }

    /// Returns this node among the others, if there are any.
    pub(crate) fn node(&self) -> Option<&Arc<Cluster>> {
        self.cluster.as_ref()
    }

    /// Counts a pair.
    pub(super) fn note_paired(&self, game: GameKind) {
        let place = GameKind::ALL.iter().position(|known| *known == game);
        if let Some(place) = place {
            self.paired[place].count();
        }
    }

    /// Returns the number of pairs that this node has made, by game.
    pub fn paired(&self) -> impl Iterator<Item = (GameKind, u64)> {
        GameKind::ALL
            .iter()
            .copied()
            .zip(self.paired.iter().map(Counter::get))
    }

    /// Returns the present load of every pool.
    #[must_use]
    pub fn figures(&self) -> Vec<PoolFigures> {
        let counts = self.counts();
        let mut longest: BTreeMap<PoolKey, Millis> = BTreeMap::new();
        for (key, standing, _) in self.state.lock().pools.standings(self.now()) {
            let longest = longest.entry(key).or_default();
            *longest = standing.waited.max(*longest);
        }
        let figures = |key| PoolFigures {
            key,
            waiting: counts.get(&key).copied().unwrap_or_default(),
            longest: Duration::from_millis(longest.get(&key).copied().unwrap_or_default()),
        };
        PoolKey::all().map(figures).collect()
    }

    /// Handles a request to wait in a pool.
    pub async fn join_pool(&self, asker: Asker<'_>, key: Result<PoolKey, UnknownPool>) {
        if let Err(refusal) = self.try_join(asker, key).await {
            self.refuse(asker, &refusal);
        }
    }

    pub(super) async fn try_join(
        &self,
        asker: Asker<'_>,
        key: Result<PoolKey, UnknownPool>,
    ) -> Result<(), PoolRefusal> {
        let key = key?;
        let player = asker.player.ok_or(PoolRefusal::SignInFirst)?;
        self.request_pairing(asker.socket, player, key).await?;
        if self
            .put_to_pairer(asker.socket, player, key, PoolRequestKind::Join)
            .await
        {
            return Ok(());
        }
        let waits = self.wait_here(asker, player, key).await;
        if waits.is_err() {
            self.wish_no_more(player, key);
        }
        waits
    }

    /// Adds a player to a pool of this node and sends the standing.
    pub(super) async fn wait_here(
        &self,
        asker: Asker<'_>,
        player: &PlayerId,
        key: PoolKey,
    ) -> Result<(), PoolRefusal> {
        if !self.state.lock().pools.ask_again(player, key, asker.socket) {
            let entrant = self.entrant(player, key).await?;
            let now = self.now();
            self.state
                .lock()
                .pools
                .join(now, key, entrant, asker.socket)?;
        }
        let standing = self.state.lock().pools.standing(self.now(), player, key);
        if let Some(standing) = standing {
            self.tell_standing(&[asker.socket], key, standing);
        }
        Ok(())
    }

    /// Handles a request to leave a pool.
    pub async fn leave_pool(&self, asker: Asker<'_>, key: Result<PoolKey, UnknownPool>) {
        let (key, player) = match (key, asker.player) {
            (Err(unknown), _) => return self.refuse(asker, &unknown.into()),
            (_, None) => return self.refuse(asker, &PoolRefusal::SignInFirst),
            (Ok(key), Some(player)) => (key, player),
        };
        self.wish_no_more(player, key);
        if !self
            .put_to_pairer(asker.socket, player, key, PoolRequestKind::Leave)
            .await
        {
            self.leave_here(asker, player, key);
        }
    }

    pub(super) fn leave_here(&self, asker: Asker<'_>, player: &PlayerId, key: PoolKey) {
        let left = encode(&pool_left(key));
        if self.state.lock().pools.leave(player, key) {
            self.sockets.tell(player, &left);
        } else {
            self.sockets.tell_one(asker.socket, &left);
        }
    }

    /// Removes a socket that has closed.
    pub fn close_socket(&self, asker: Asker<'_>) {
        self.event_watch.forget(asker.socket);
        let mut state = self.state.lock();
        state.watchers.remove(&asker.socket);
        if let Some(player) = asker.player {
            state.pools.close_socket(player, asker.socket);
            drop(state);
            self.close_wishes(player, asker.socket);
        }
    }

    /// Adds a watcher of the lobby; it gets the whole lobby in the next round.
    pub fn watch(&self, asker: Asker<'_>) {
        let watcher = Watcher {
            player: asker.player.cloned(),
            has_all: false,
            own: Vec::new(),
        };
        self.state.lock().watchers.insert(asker.socket, watcher);
    }

    /// Removes a watcher of the lobby.
    pub fn unwatch(&self, socket: u64) {
        self.state.lock().watchers.remove(&socket);
    }

    /// Returns all pools with their numbers of waiting players.
    #[must_use]
    pub fn pools(&self) -> Vec<PoolCount> {
        let counts = self.counts();
        let count = |key| counts.get(&key).copied().unwrap_or_default();
        PoolKey::all()
            .map(|key| pool_count(key, count(key)))
            .collect()
    }

    /// Numbers of waiting players in the pools that are not empty, as the pairing node counts them.
    pub(super) fn counts(&self) -> BTreeMap<PoolKey, u32> {
        let pairs_here = self.pairs_here();
        let state = self.state.lock();
        if pairs_here {
            state.pools.counts().clone()
        } else {
            state.elsewhere.clone()
        }
    }

    /// Reads the data that pairing needs about a player.
    pub(super) async fn entrant(
        &self,
        id: &PlayerId,
        key: PoolKey,
    ) -> Result<Entrant, PoolRefusal> {
        let store = self.store.as_ref();
        store.check_space()?;
        let player = store
            .find_player(id)
            .await?
            .ok_or(PoolRefusal::SignInFirst)?;
        if player.kind == PlayerKind::Bot {
            return Err(PoolRefusal::NoBots);
        }
        if key.rated && player.kind != PlayerKind::Account {
            return Err(PoolRefusal::AccountNeeded);
        }
        // The store decides when a match is made; this check only keeps out players who could not be seated.
        let unix_now = unix_ms();
        if store.running_counts(id, unix_now).await?.counted >= MAX_RUNNING {
            return Err(PoolRefusal::TooManyRunning);
        }
        let theirs = MatchFilter::of(id.clone());
        let (rating, matches, still) = tokio::try_join!(
            store.rating(id, key.game, key.pool.time_control().speed()),
            store.matches_of(&theirs, None, LOOK_BACK),
            self.wait_ms(id),
        )?;
        let (rating, deviation) = rating.map_or(UNKNOWN, |row| {
            let now = rating::current(&row.rating, unix_now);
            (now.rating, now.deviation)
        });
        Ok(Entrant {
            player: id.clone(),
            rating,
            deviation,
            sides: SideHistory::new(sides_of(&matches, id, key.game)),
            last_opponent: last_opponent(&matches, id),
            not_before: self.now() + still,
        })
    }

    /// Returns the remaining time before the player may wait for the next opponent, after abandoning matches or calling them off
    /// repeatedly.
    ///
    /// # Errors
    /// The store failed.
    pub async fn wait_ms(&self, id: &PlayerId) -> Result<Millis, StoreError> {
        let now = unix_ms();
        let since = |remembered| now.saturating_sub_unsigned(millis(remembered));
        let left = self.store.abandonments(
            id,
            since(penalty::REMEMBERED),
            since(penalty::CALL_OFFS_REMEMBERED),
        );
        Ok(penalty::still_ms(&left.await?, now))
    }

    /// Sends all waiting players their standing.
    pub(super) fn tell_standings(&self) {
        let now = self.now();
        let state = self.state.lock();
        for (key, standing, sockets) in state.pools.standings(now) {
            self.tell_standing(sockets, key, standing);
        }
    }

    pub(super) fn tell_standing(&self, sockets: &[u64], key: PoolKey, standing: Standing) {
        let frame = encode(&ServerMsg::Pool {
            game: key.game,
            pool: key.pool,
            rated: key.rated,
            waited_ms: standing.waited,
            within: standing.within,
            waiting: standing.waiting,
        });
        for socket in sockets {
            self.sockets.tell_one(*socket, &frame);
        }
    }

    /// Takes a player who has no room for another match out of all pools, and tells them so.
    pub(super) fn put_out(&self, player: &PlayerId) {
        let left = self.state.lock().pools.remove(player);
        self.sockets
            .tell(player, &encode(&refused(&PoolRefusal::TooManyRunning)));
        let left: Vec<_> = left.into_iter().map(|key| (player.clone(), key)).collect();
        self.tell_left(&left);
    }

    pub(super) fn refuse(&self, asker: Asker<'_>, refusal: &PoolRefusal) {
        if let PoolRefusal::Store(error) = refusal {
            tracing::warn!(
                error = error as &dyn std::error::Error,
                "the store did not answer the lobby"
            );
        }
        let frame = encode(&refused(refusal));
        self.sockets.tell_one(asker.socket, &frame);
    }

    /// The time for pairing: milliseconds since the lobby was created.
    pub(super) fn now(&self) -> Millis {
        millis(self.began.elapsed())
    }
}

pub(super) fn refused(refusal: &PoolRefusal) -> ServerMsg {
    let retry_ms = match refusal {
        PoolRefusal::PoolWait { retry_ms } => Some(*retry_ms),
        _ => None,
    };
    ServerMsg::Error(ErrorMsg {
        match_id: None,
        client_id: None,
        code: refusal.code(),
        why: None,
        message: refusal.to_string(),
        retry_ms,
    })
}

pub(super) fn millis(duration: Duration) -> Millis {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

pub(super) fn pool_left(key: PoolKey) -> ServerMsg {
    ServerMsg::PoolLeft {
        game: key.game,
        pool: key.pool,
        rated: key.rated,
    }
}

pub(super) fn pool_count(key: PoolKey, waiting: u32) -> PoolCount {
    PoolCount {
        game: key.game,
        pool: key.pool,
        rated: key.rated,
        time_control: key.pool.time_control(),
        waiting,
    }
}

/// Keeps matches against other people, with the player's side; only these count here.
pub(super) fn against_people<'a>(
    matches: &'a [MatchRow],
    id: &'a PlayerId,
) -> impl Iterator<Item = (&'a MatchRow, Side)> {
    matches.iter().filter_map(move |row| {
        let side = if row.players.first.id == *id {
            Side::First
        } else {
            Side::Second
        };
        let other = &row.players[side.other()];
        (other.id != *id && other.kind != PlayerKind::Bot).then_some((row, side))
    })
}

/// The player's sides in matches of this game, the latest first.
pub(super) fn sides_of<'a>(
    matches: &'a [MatchRow],
    id: &'a PlayerId,
    game: GameKind,
) -> impl Iterator<Item = Side> {
    let of_game = against_people(matches, id).filter(move |(row, _)| row.game == game);
    of_game.map(|(_, side)| side)
}

/// The player's last opponent.
pub(super) fn last_opponent(matches: &[MatchRow], id: &PlayerId) -> Option<PlayerId> {
    let (row, side) = against_people(matches, id).next()?;
    Some(row.players[side.other()].id.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether the refusal answers `join-pool`; the others answer the acceptance of a computer opponent. Without a wildcard, so that a new
    /// refusal is given a place here.
    fn answers_join(refusal: &PoolRefusal) -> bool {
        match refusal {
            PoolRefusal::SignInFirst
            | PoolRefusal::UnknownPool(_)
            | PoolRefusal::AccountNeeded
            | PoolRefusal::NoBots
            | PoolRefusal::PoolWait { .. }
            | PoolRefusal::TooManyPools
            | PoolRefusal::StoreLow
            | PoolRefusal::TooManyRunning
            | PoolRefusal::Store(_) => true,
            PoolRefusal::NoBotOffer | PoolRefusal::BeingSeated => false,
        }
    }

    #[test]
    fn the_page_knows_every_refusal_of_a_wait() {
        let refusals = [
            PoolRefusal::SignInFirst,
            PoolRefusal::UnknownPool(UnknownPool::Name),
            PoolRefusal::AccountNeeded,
            PoolRefusal::NoBots,
            PoolRefusal::PoolWait { retry_ms: 1 },
            PoolRefusal::TooManyPools,
            PoolRefusal::StoreLow,
            PoolRefusal::TooManyRunning,
            PoolRefusal::Store(StoreError::NotFound),
            PoolRefusal::NoBotOffer,
            PoolRefusal::BeingSeated,
        ];
        for refusal in &refusals {
            assert_eq!(
                refusal.code().refuses_pool(),
                answers_join(refusal),
                "{refusal}"
            );
        }
        let known = refusals.iter().filter(|refusal| answers_join(refusal));
        let listed = Code::ALL.iter().filter(|code| code.refuses_pool());
        assert_eq!(known.count(), listed.count());
    }
}
