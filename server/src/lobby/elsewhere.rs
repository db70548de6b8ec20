//! Pools in a cluster: one node pairs, and the others send it the pool requests of their sockets.
//!
//! Requests are repeated every few seconds. So a new pairing node learns them all, and those of a dead node expire. The rule that a request
//! gives one match at most rests on the store alone ([`mawe_store::Wishes::create_wished_match`]), on a single node too.

use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use mawe_play::pairing::Pools;
use mawe_store::{Player, StoreError, WishState};
use mawe_wire::ServerMsg;
use mawe_wire::ids::PlayerId;
use mawe_wire::pool::PoolKey;

use super::pools::{Asker, Lobby, PoolRefusal, key};
use crate::cluster::message::{PoolRequest, PoolRequestKind, PoolWaiting};
use crate::cluster::{Cluster, Pairing};
use crate::live::outbox::encode;

/// A socket on another node stops waiting when its request has not been repeated for this long.
const RENEWED_WITHIN: Duration = Duration::from_secs(8);

/// Number of rounds after which the counts are sent again even if nothing has changed.
const SAY_WAITING_EVERY: u64 = 5;

impl Lobby {
    pub(super) fn cluster(&self) -> Option<&Arc<Cluster>> {
        self.cluster.as_ref()
    }

    /// Whether this node pairs.
    pub(super) fn pairs_here(&self) -> bool {
        self.cluster().is_none_or(|cluster| cluster.is_pairer())
    }

    /// Records that a socket on this node waits in a pool, until it leaves or its player is seated.
    pub(super) async fn request_pairing(
        &self,
        socket: u64,
        player: &PlayerId,
        key: PoolKey,
    ) -> Result<(), PoolRefusal> {
        let waits = {
            let wishes = &self.state.lock().wishes;
            wishes.values().any(|other| other == player)
        };
        if !waits {
            self.store.set_wish(player).await?;
        }
        self.state
            .lock()
            .wishes
            .insert((socket, key), player.clone());
        Ok(())
    }

    /// Removes a player's request for a pool, for all sockets on this node.
    pub(super) fn wish_no_more(&self, player: &PlayerId, key: PoolKey) {
        self.state
            .lock()
            .wishes
            .retain(|(_, other), of| *other != key || of != player);
    }

    /// Returns the pools that these players wait in, by the sockets on this node.
    pub(super) fn wishes_of(&self, players: &[PlayerId]) -> Vec<(PlayerId, PoolKey)> {
        let state = self.state.lock();
        let theirs = state.wishes.iter().filter(|(_, of)| players.contains(of));
        theirs.map(|((_, key), of)| (of.clone(), *key)).collect()
    }

    /// Returns the state of the players' pool requests, for the store to check when they are seated. Read it before the data that decides
    /// on their seats.
    ///
    /// # Errors
    /// The store failed.
    pub async fn pairing_states(&self, players: &[&Player]) -> Result<Vec<WishState>, StoreError> {
        let mut wished = Vec::new();
        for player in players.iter().filter(|player| !player.is_computer()) {
            wished.push(self.store.wish_state(&player.id).await?);
        }
        Ok(wished)
    }

    /// Whether the player has just been paired and no move has been made in that match yet. An acceptance at this moment crosses with the
    /// pairing.
    ///
    /// # Errors
    /// The store failed.
    pub async fn is_just_paired(
        &self,
        wished: &[WishState],
        id: &PlayerId,
    ) -> Result<bool, StoreError> {
        let mine = wished.iter().find(|wished| wished.player == *id);
        let Some(Some(Some(got))) = mine.map(|wished| &wished.got) else {
            return Ok(false);
        };
        let row = self.store.find_match(got).await?;
        Ok(row.is_some_and(|row| row.head == 0 && row.finish.is_none()))
    }

    /// Removes the pool requests of a socket on this node that has closed.
    pub(super) fn close_wishes(&self, player: &PlayerId, socket: u64) {
        let keys: Vec<PoolKey> = {
            let mut state = self.state.lock();
            let theirs = |(at, _): &&(u64, PoolKey)| *at == socket;
            let keys = state.wishes.keys().filter(theirs).map(|(_, key)| *key);
            let keys = keys.collect();
            state.wishes.retain(|(at, _), _| *at != socket);
            keys
        };
        let Some(cluster) = self.cluster().filter(|_| !self.pairs_here()) else {
            return;
        };
        for key in keys {
            let (cluster, wish) = (
                Arc::clone(cluster),
                request_of(socket, player, key, PoolRequestKind::Close),
            );
            // The closing socket does not wait for this. If the message is lost, the request expires.
            self.sockets
                .tasks
                .spawn(async move { cluster.wish(wish).await });
        }
    }

    /// Sends a request to the node that pairs; `false` if this node pairs.
    pub(super) async fn put_to_pairer(
        &self,
        socket: u64,
        player: &PlayerId,
        key: PoolKey,
        wish: PoolRequestKind,
    ) -> bool {
        let Some(cluster) = self.cluster().filter(|_| !self.pairs_here()) else {
            return false;
        };
        cluster.wish(request_of(socket, player, key, wish)).await;
        true
    }

    /// Repeats the requests of sockets on this node, and drops expired requests of other nodes.
    pub(super) async fn renew_wishes(&self) {
        let wishes = self.state.lock().wishes.clone();
        if !self.pairs_here() {
            {
                // Players who waited here now wait on the node that pairs.
                let mut state = self.state.lock();
                state.renewed.clear();
                if !state.pools.counts().is_empty() {
                    let offer_after = state.pools.offer_after();
                    state.pools = Pools::new(offer_after);
                }
            }
            for ((socket, key), player) in wishes {
                self.put_to_pairer(socket, &player, key, PoolRequestKind::Join)
                    .await;
            }
            return;
        }
        for ((socket, key), player) in wishes {
            let asker = Asker {
                socket,
                player: Some(&player),
            };
            self.wait_again(asker, &player, key).await;
        }
        let mut state = self.state.lock();
        let late = |said: &Instant| said.elapsed() > RENEWED_WITHIN;
        let gone: Vec<(u64, PlayerId)> = state
            .renewed
            .iter()
            .filter(|(_, (_, said))| late(said))
            .map(|((socket, _), (player, _))| (*socket, player.clone()))
            .collect();
        state.renewed.retain(|_, (_, said)| !late(said));
        for (socket, player) in gone {
            state.pools.close_socket(&player, socket);
        }
    }

    /// Tells the other nodes the numbers of waiting players: when they change, and at intervals for nodes that missed a message.
    pub(super) async fn tell_waiting(&self, round: u64) {
        let Some(cluster) = self.cluster() else {
            return;
        };
        let counts = {
            let mut state = self.state.lock();
            let counts = state.pools.counts().clone();
            // While this node pairs, `elsewhere` holds the counts that it sent last.
            if state.elsewhere == counts && !round.is_multiple_of(SAY_WAITING_EVERY) {
                return;
            }
            state.elsewhere.clone_from(&counts);
            counts
        };
        let pools = counts.into_iter().map(|(key, waiting)| PoolWaiting {
            game: key.game,
            pool: key.pool.to_string(),
            rated: key.rated,
            waiting,
        });
        cluster.tell_waiting(pools.collect()).await;
    }

    /// Handles a repeated request, from this node or another. If the player has got a match meanwhile and missed the message, it is sent
    /// again.
    async fn wait_again(&self, asker: Asker<'_>, player: &PlayerId, key: PoolKey) {
        if self.state.lock().pools.ask_again(player, key, asker.socket) {
            return;
        }
        match self.store.granted_match(player).await {
            Ok(Some(match_id)) => {
                let paired = encode(&ServerMsg::Paired {
                    match_id,
                    game: key.game,
                    pool: key.pool,
                    rated: key.rated,
                });
                self.sockets.tell(player, &paired);
                self.forget_seated(std::slice::from_ref(player));
                if let Some(cluster) = self.cluster() {
                    cluster.tell_seated(std::slice::from_ref(player)).await;
                }
            }
            Ok(None) => match self.wait_here(asker, player, key).await {
                // A store that fails costs nobody their place: the request will be repeated.
                Ok(()) | Err(PoolRefusal::Store(_)) => {}
                Err(refusal) => {
                    self.refuse(asker, &refusal);
                    self.forget_seated(std::slice::from_ref(player));
                }
            },
            // The request will be repeated.
            Err(_) => {}
        }
    }
}

#[async_trait]
impl Pairing for Lobby {
    /// Removes the pool requests and tickets of players who have been seated.
    fn forget_seated(&self, players: &[PlayerId]) {
        let mut state = self.state.lock();
        state.wishes.retain(|_, of| !players.contains(of));
        state.renewed.retain(|_, (of, _)| !players.contains(of));
        for player in players {
            state.pools.remove(player);
        }
    }

    /// Records the counts of the node that pairs.
    fn note_waiting(&self, pools: Vec<PoolWaiting>) {
        let known = |pool: PoolWaiting| {
            let key = key(pool.game, &pool.pool, pool.rated).ok()?;
            Some((key, pool.waiting))
        };
        let counts = pools.into_iter().filter_map(known).collect();
        self.state.lock().elsewhere = counts;
    }

    /// Handles a pool request from another node.
    async fn handle_request(&self, wish: PoolRequest) {
        if !self.pairs_here() {
            // The other node learns which node pairs, and repeats the request.
            return;
        }
        let PoolRequest {
            socket,
            player,
            game,
            pool,
            rated,
            wish,
        } = wish;
        let Ok(key) = key(game, &pool, rated) else {
            return;
        };
        let asker = Asker {
            socket,
            player: Some(&player),
        };
        match wish {
            PoolRequestKind::Join => {
                let said = (player.clone(), Instant::now());
                self.state.lock().renewed.insert((socket, key), said);
                self.wait_again(asker, &player, key).await;
            }
            PoolRequestKind::Leave => {
                let mut state = self.state.lock();
                state
                    .renewed
                    .retain(|(_, other), (of, _)| *other != key || *of != player);
                drop(state);
                self.leave_here(asker, &player, key);
            }
            PoolRequestKind::Close => {
                let mut state = self.state.lock();
                state.renewed.retain(|(other, _), _| *other != socket);
                state.pools.close_socket(&player, socket);
            }
            PoolRequestKind::AcceptBot => self.accept_bot_here(asker, Ok(key)).await,
        }
    }
}

fn request_of(socket: u64, player: &PlayerId, key: PoolKey, wish: PoolRequestKind) -> PoolRequest {
    PoolRequest {
        socket,
        player: player.clone(),
        game: key.game,
        pool: key.pool.to_string(),
        rated: key.rated,
        wish,
    }
}
