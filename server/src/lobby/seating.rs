//! Seating: makes one match from a pair.

use futures_util::StreamExt;
use futures_util::stream;
use mawe_play::pairing::{Effect, SideHistory, seat};
use mawe_play::rating;
use mawe_rules::BySide;
use mawe_store::{Player, StoreError};
use mawe_wire::ids::{MatchId, PlayerId};
use mawe_wire::pool::{PoolKey, UnknownPool};
use mawe_wire::random;
use mawe_wire::{MatchOptions, ServerMsg};

use super::pools::{Asker, Lobby, PoolRefusal, pool_left};
use crate::bots::ladder;
use crate::cluster::Pairing as _;
use crate::cluster::message::PoolRequestKind;
use crate::live::arrange::{self, Terms};
use crate::live::outbox::encode;
use crate::live::view;

/// Maximum number of matches that are made concurrently.
const AT_ONCE: usize = 16;

/// Players who are being seated; pairing skips them meanwhile. Dropping it releases them, and they wait on; call [`Seating::done`] when
/// they have a match.
pub struct Seating<'a> {
    lobby: &'a Lobby,
    players: Vec<PlayerId>,
}

impl Drop for Seating<'_> {
    fn drop(&mut self) {
        let mut state = self.lobby.state.lock();
        for player in &self.players {
            state.pools.release(player);
        }
    }
}

impl Seating<'_> {
    /// Completes the seating: the players leave all pools, and their real-time seeks are cancelled. Returns the pools they left.
    pub async fn done(mut self) -> Vec<(PlayerId, PoolKey)> {
        let players = std::mem::take(&mut self.players);
        self.lobby.leave_everything(players).await
    }
}

impl Lobby {
    /// Sets players aside to seat them at a match; `None` if one of them is being seated already.
    pub fn seat(&self, players: impl IntoIterator<Item = PlayerId>) -> Option<Seating<'_>> {
        let mut seating = Seating {
            lobby: self,
            players: Vec::with_capacity(2),
        };
        for player in players {
            // The lock must not be held when `seating` is dropped.
            let free = self.state.lock().pools.set_aside(&player);
            if !free {
                return None;
            }
            seating.players.push(player);
        }
        Some(seating)
    }

    /// Records that these players have a match made elsewhere: they leave the pools and are told so, and their real-time seeks are
    /// cancelled.
    pub async fn plays(&self, players: impl IntoIterator<Item = PlayerId>) {
        let left = self.leave_everything(players.into_iter().collect()).await;
        self.tell_left(&left);
    }

    /// Tells players that they have left these pools.
    pub fn tell_left(&self, left: &[(PlayerId, PoolKey)]) {
        for (player, key) in left {
            self.sockets.tell(player, &encode(&pool_left(*key)));
        }
    }

    async fn leave_everything(&self, players: Vec<PlayerId>) -> Vec<(PlayerId, PoolKey)> {
        let mut left = Vec::new();
        for player in &players {
            let keys = self.state.lock().pools.remove(player);
            left.extend(keys.into_iter().map(|key| (player.clone(), key)));
        }
        left.extend(self.wishes_of(&players));
        left.sort();
        left.dedup();
        self.forget_seated(&players);
        if let Some(cluster) = self.cluster() {
            cluster.tell_seated(&players).await;
        }
        if let Err(error) = self.store.cancel_live_seeks(&players).await {
            // Such a seek can still be accepted; the seeker is playing already and can call that match off.
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "the seeks of players who have a match were not cancelled"
            );
        }
        left
    }

    /// Runs a round of pairing.
    pub(super) async fn pair(&self) {
        let now = self.now();
        let effects = self.state.lock().pools.tick(now, random::bit);
        stream::iter(effects)
            .for_each_concurrent(AT_ONCE, async |effect| match effect {
                Effect::Pair { key, players } => self.pair_two(key, players).await,
                Effect::OfferBot {
                    key,
                    player,
                    rating,
                } => self.offer_bot(key, &player, rating.into()).await,
            })
            .await;
    }

    async fn pair_two(&self, key: PoolKey, ids: BySide<PlayerId>) {
        let seating = Seating {
            lobby: self,
            players: vec![ids.first.clone(), ids.second.clone()],
        };
        let made = async {
            let players = BySide::new(
                self.player(&ids.first).await?,
                self.player(&ids.second).await?,
            );
            self.make(key, &players).await
        };
        match made.await {
            Ok(id) => {
                self.note_paired(key.game);
                self.tell_paired(key, &id, seating).await;
            }
            // They are not tried again.
            Err(StoreError::Blocked | StoreError::Club(_)) => {}
            Err(error) => {
                tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    "a pair could not be seated; they wait on"
                );
            }
        }
    }

    /// Reads a waiting player. A player who no longer exists leaves the pools, so as not to be paired again and again.
    async fn player(&self, id: &PlayerId) -> Result<Player, StoreError> {
        let player = self.store.find_player(id).await?;
        if player.is_none() {
            self.state.lock().pools.remove(id);
        }
        player.ok_or(StoreError::NotFound)
    }

    async fn make(&self, key: PoolKey, players: &BySide<Player>) -> Result<MatchId, StoreError> {
        let terms = Terms {
            game: key.game,
            setup: key.setup(),
            time_control: key.pool.time_control(),
            rated: key.rated,
            options: MatchOptions::usual(key.rated),
            private: false,
        };
        let new = arrange::prepare(self.store.as_ref(), &terms, players, None).await?;
        let people = [&players.first, &players.second].into_iter();
        let people = people.filter(|player| !player.is_computer());
        let people: Vec<PlayerId> = people.map(|player| player.id.clone()).collect();
        let made = self.store.create_wished_match(&new, &people).await;
        if matches!(made, Err(StoreError::Conflict)) {
            // One of them has been paired by another node or has accepted another offer; a player still waiting will repeat the request.
            let mut state = self.state.lock();
            for player in &people {
                state.pools.remove(player);
            }
        }
        if let Err(StoreError::TooManyMatches(player)) = &made {
            self.put_out(player);
        }
        if matches!(made, Err(StoreError::Blocked | StoreError::Club(_))) {
            let (first, second) = (&players.first.id, &players.second.id);
            self.state.lock().pools.keep_apart(first, second);
        }
        made?;
        if self.cluster().is_none() {
            // In a cluster the nodes of the players open the match; this spares the pairing node the work.
            self.rooms.open(&new.id);
        }
        Ok(new.id)
    }

    async fn tell_paired(&self, key: PoolKey, id: &MatchId, seating: Seating<'_>) {
        let paired = encode(&ServerMsg::Paired {
            match_id: id.clone(),
            game: key.game,
            pool: key.pool,
            rated: key.rated,
        });
        for player in &seating.players {
            self.sockets.tell(player, &paired);
        }
        // `paired` already implies that they have left the pools.
        seating.done().await;
    }

    async fn offer_bot(&self, key: PoolKey, player: &PlayerId, rating: f64) {
        let Some((bot, bot_rating)) = self.nearest_bot(key, rating).await else {
            return;
        };
        let Some(level) = bot.level else { return };
        let sockets = self.state.lock().pools.offer(player, key, level).to_vec();
        let offer = encode(&ServerMsg::BotOffer {
            game: key.game,
            pool: key.pool,
            rated: key.rated,
            bot: view::player(bot),
            rating: rating::rounded(bot_rating),
        });
        for socket in sockets {
            self.sockets.tell_one(socket, &offer);
        }
    }

    /// Returns the computer opponent with the nearest rating, and that rating.
    async fn nearest_bot(&self, key: PoolKey, rating: f64) -> Option<(&Player, f64)> {
        let speed = key.pool.time_control().speed();
        let mut bots = Vec::with_capacity(self.bots.len());
        for bot in &self.bots {
            let known = self.store.rating(&bot.id, key.game, speed).await;
            // If the store fails, the seeded rating serves.
            let known = known.ok().flatten().map(|row| row.rating.rating);
            let seeded = || ladder::rating(bot.level.unwrap_or(1), key.game);
            bots.push((bot, known.unwrap_or_else(seeded)));
        }
        bots.into_iter()
            .min_by(|(_, a), (_, b)| (a - rating).abs().total_cmp(&(b - rating).abs()))
    }

    /// Handles the acceptance of an offered computer opponent.
    pub async fn accept_bot(&self, asker: Asker<'_>, key: Result<PoolKey, UnknownPool>) {
        if let (Ok(key), Some(player)) = (&key, asker.player)
            && self
                .put_to_pairer(asker.socket, player, *key, PoolRequestKind::AcceptBot)
                .await
        {
            return;
        }
        self.accept_bot_here(asker, key).await;
    }

    pub(super) async fn accept_bot_here(
        &self,
        asker: Asker<'_>,
        key: Result<PoolKey, UnknownPool>,
    ) {
        if let Err(refusal) = self.try_accept_bot(asker, key).await {
            self.refuse(asker, &refusal);
        }
    }

    async fn try_accept_bot(
        &self,
        asker: Asker<'_>,
        key: Result<PoolKey, UnknownPool>,
    ) -> Result<(), PoolRefusal> {
        let key = key?;
        let id = asker.player.ok_or(PoolRefusal::SignInFirst)?;
        let offered = self.state.lock().pools.offered(id, key);
        let (level, sides) = offered.ok_or(PoolRefusal::NoBotOffer)?;
        let seating = self.seat([id.clone()]).ok_or(PoolRefusal::BeingSeated)?;
        let me = self.store.find_player(id).await?;
        let me = me.ok_or(PoolRefusal::SignInFirst)?;
        let bot = self.bots.iter().find(|bot| bot.level == Some(level));
        let bot = bot.ok_or(PoolRefusal::NoBotOffer)?.clone();
        let players = seat((me, sides), (bot, SideHistory::default()), random::bit);
        let made = self.make(key, &players).await?;
        self.tell_paired(key, &made, seating).await;
        Ok(())
    }
}
