//! Pools where there are several nodes: one of them pairs, the others put to it what their sockets wish.
//!
//! A wish is said again every few seconds, so that nothing depends on who paired before, and a node that is gone is forgotten. That nobody
//! gets two matches for one wish rests on the store alone ([`crate::store::Store::create_wished_match`]), also where a node is alone.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::{Asker, Lobby, Refusal, key};
use crate::cluster::Cluster;
use crate::cluster::words::{PoolWaiting, PoolWish, Wish};
use crate::ids::PlayerId;
use crate::outbox::encode;
use crate::pairing::{PoolKey, Pools};
use crate::protocol::ServerMsg;
use crate::store::{Player, StoreError, Wished};

/// A socket elsewhere that has not said for so long that it waits, does not.
const RENEWED_WITHIN: Duration = Duration::from_secs(8);

/// Every so many rounds it is said how many wait though nothing has changed.
const SAY_WAITING_EVERY: u64 = 5;

impl Lobby {
    pub(super) fn cluster(&self) -> Option<&Arc<Cluster>> {
        self.rooms.cluster.get()
    }

    /// Whether people are paired here.
    pub(super) fn pairs_here(&self) -> bool {
        self.cluster().is_none_or(|cluster| cluster.is_pairer())
    }

    /// A socket here waits from now on, until it is told otherwise.
    pub(super) async fn wish(
        &self,
        socket: u64,
        player: &PlayerId,
        key: PoolKey,
    ) -> Result<(), Refusal> {
        let waits = {
            let wishes = &self.lock().wishes;
            wishes.values().any(|other| other == player)
        };
        if !waits {
            self.store.wish(player).await?;
        }
        self.lock().wishes.insert((socket, key), player.clone());
        Ok(())
    }

    /// Somebody waits in a pool no longer, from whatever socket here.
    pub(super) fn wish_no_more(&self, player: &PlayerId, key: PoolKey) {
        self.lock()
            .wishes
            .retain(|(_, other), of| *other != key || of != player);
    }

    /// What these wish for from sockets here.
    pub(super) fn wishes_of(&self, players: &[PlayerId]) -> Vec<(PlayerId, PoolKey)> {
        let state = self.lock();
        let theirs = state.wishes.iter().filter(|(_, of)| players.contains(of));
        theirs.map(|((_, key), of)| (of.clone(), *key)).collect()
    }

    /// What the wishes of these have come to, to be shown when they are seated. To be read before what they are seated by.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn wished(&self, players: &[&Player]) -> Result<Vec<Wished>, StoreError> {
        let mut wished = Vec::new();
        for player in players.iter().filter(|player| !player.is_computer()) {
            wished.push(self.store.wished(&player.id).await?);
        }
        Ok(wished)
    }

    /// Whether somebody has just been paired, and has not come to that match yet: what they accept meanwhile crosses with it.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn is_just_paired(
        &self,
        wished: &[Wished],
        id: &PlayerId,
    ) -> Result<bool, StoreError> {
        let mine = wished.iter().find(|wished| wished.player == *id);
        let Some(Some(Some(got))) = mine.map(|wished| &wished.got) else {
            return Ok(false);
        };
        let row = self.store.find_match(got).await?;
        Ok(row.is_some_and(|row| row.head == 0 && row.finish.is_none()))
    }

    /// They play: whatever they wished for is done.
    pub(crate) fn forget_seated(&self, players: &[PlayerId]) {
        let mut state = self.lock();
        state.wishes.retain(|_, of| !players.contains(of));
        state.renewed.retain(|_, (of, _)| !players.contains(of));
        for player in players {
            state.pools.remove(player);
        }
    }

    /// A socket here is gone.
    pub(super) fn close_wishes(&self, player: &PlayerId, socket: u64) {
        let keys: Vec<PoolKey> = {
            let mut state = self.lock();
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
                wish_of(socket, player, key, Wish::Close),
            );
            // Whoever closes does not wait for it; lost, it is forgotten in time.
            self.sockets
                .tasks
                .spawn(async move { cluster.wish(wish).await });
        }
    }

    /// Puts a wish to the node that pairs; `false` if that is this one.
    pub(super) async fn put_to_pairer(
        &self,
        socket: u64,
        player: &PlayerId,
        key: PoolKey,
        wish: Wish,
    ) -> bool {
        let Some(cluster) = self.cluster().filter(|_| !self.pairs_here()) else {
            return false;
        };
        cluster.wish(wish_of(socket, player, key, wish)).await;
        true
    }

    /// Says again who waits here, and forgets who has not said so elsewhere.
    pub(super) async fn renew_wishes(&self) {
        let wishes = self.lock().wishes.clone();
        if !self.pairs_here() {
            {
                // Whoever waited here waits there now.
                let mut state = self.lock();
                state.renewed.clear();
                if !state.pools.counts().is_empty() {
                    let offer_after = state.pools.offer_after();
                    state.pools = Pools::new(offer_after);
                }
            }
            for ((socket, key), player) in wishes {
                self.put_to_pairer(socket, &player, key, Wish::Join).await;
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
        let mut state = self.lock();
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

    /// Says to the other nodes how many wait: what has changed, and now and then all the same, for who has missed it.
    pub(super) async fn tell_waiting(&self, round: u64) {
        let Some(cluster) = self.cluster() else {
            return;
        };
        let counts = {
            let mut state = self.lock();
            let counts = state.pools.counts().clone();
            // While this node pairs, what it has said last stands here.
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

    /// The node that pairs says how many wait there.
    pub(crate) fn note_waiting(&self, pools: Vec<PoolWaiting>) {
        let known = |pool: PoolWaiting| {
            let key = key(pool.game, &pool.pool, pool.rated).ok()?;
            Some((key, pool.waiting))
        };
        let counts = pools.into_iter().filter_map(known).collect();
        self.lock().elsewhere = counts;
    }

    /// Another node says what one of its sockets wishes.
    pub(crate) async fn take_wish(&self, wish: PoolWish) {
        if !self.pairs_here() {
            // It will find out who does, and says it again.
            return;
        }
        let PoolWish {
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
            Wish::Join => {
                let said = (player.clone(), Instant::now());
                self.lock().renewed.insert((socket, key), said);
                self.wait_again(asker, &player, key).await;
            }
            Wish::Leave => {
                let mut state = self.lock();
                state
                    .renewed
                    .retain(|(_, other), (of, _)| *other != key || *of != player);
                drop(state);
                self.leave_here(asker, &player, key);
            }
            Wish::Close => {
                let mut state = self.lock();
                state.renewed.retain(|(other, _), _| *other != socket);
                state.pools.close_socket(&player, socket);
            }
            Wish::AcceptBot => self.accept_bot_here(asker, Ok(key)).await,
        }
    }

    /// Somebody waits, here or elsewhere, and says so again. Whoever has got a match meanwhile, and did not hear of it, hears of it now.
    async fn wait_again(&self, asker: Asker<'_>, player: &PlayerId, key: PoolKey) {
        if self.lock().pools.ask_again(player, key, asker.socket) {
            return;
        }
        match self.store.granted(player).await {
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
            Ok(None) => {
                if let Err(refusal) = self.wait_here(asker, player, key).await {
                    self.refuse(asker, &refusal);
                    self.forget_seated(std::slice::from_ref(player));
                }
            }
            // They say it again.
            Err(_) => {}
        }
    }
}

fn wish_of(socket: u64, player: &PlayerId, key: PoolKey, wish: Wish) -> PoolWish {
    PoolWish {
        socket,
        player: player.clone(),
        game: key.game,
        pool: key.pool.to_string(),
        rated: key.rated,
        wish,
    }
}
