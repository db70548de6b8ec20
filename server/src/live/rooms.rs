//! The rooms of this node, by match: a room is opened by its first message, and ends when it is no longer needed.

use std::collections::{HashMap, VecDeque};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::join_all;
use mawe_play::room::io::{Closing, Refusal};
use mawe_store::StoreError;
use mawe_wire::MatchView;
use mawe_wire::ids::{MatchId, PlayerId};
use parking_lot::Mutex;
use tokio::sync::{mpsc, oneshot, watch};
use tokio_util::task::TaskTracker;

use crate::bots::{BotAnswer, BotNews};
use crate::live::actor::{self, MAILBOX, Opener};
use crate::live::message::{Mailbox, RoomMsg};
use crate::live::services::Services;

/// The number of attempts to send a message to a room that is ending: each attempt opens a new room.
const ATTEMPTS: usize = 8;

/// The time that a stop waits for rooms while the store does not answer.
const END_WITHIN: Duration = Duration::from_secs(3);

/// The number of attempts, and the pause between them, to read the view of a match on another node.
const VIEW_ATTEMPTS: usize = 20;
const VIEW_AGAIN: Duration = Duration::from_millis(150);

/// The rooms of a node.
pub struct Rooms {
    /// The services that the rooms share.
    pub services: Arc<Services>,
    mailboxes: Mutex<HashMap<MatchId, mpsc::Sender<Box<RoomMsg>>>>,
    tasks: TaskTracker,
}

impl Rooms {
    /// Creates an empty set of rooms.
    #[must_use]
    pub fn new(services: Services) -> Arc<Rooms> {
        Arc::new(Rooms {
            services: Arc::new(services),
            mailboxes: Mutex::default(),
            tasks: TaskTracker::new(),
        })
    }

    /// Opens the rooms of all running realtime matches, so that their clocks run on, and bots to move are asked again.
    ///
    /// # Errors
    /// [`StoreError`] if the store does not answer.
    pub async fn open_live(self: &Arc<Self>) -> Result<usize, StoreError> {
        let ids = self.services.store.live_match_ids().await?;
        for id in &ids {
            self.open(id);
        }
        Ok(ids.len())
    }

    /// Opens the room of a match, unless it is open.
    pub fn open(self: &Arc<Self>, id: &MatchId) {
        if self.is_draining() {
            return;
        }
        let _mailbox = self.mailbox(id);
    }

    /// Sends a message to a room, and opens the room if needed. Waits while its mailbox is full.
    pub async fn send(self: &Arc<Self>, id: &MatchId, msg: RoomMsg) {
        let mut msg = Box::new(msg);
        for _ in 0..ATTEMPTS {
            if self.is_draining() {
                // A client that waits for an answer is told to reconnect, and asks the match's next owner.
                return;
            }
            match self.mailbox(id).send(msg).await {
                Ok(()) => return,
                // The room has just ended: the next attempt opens a new one.
                Err(mpsc::error::SendError(back)) => msg = back,
            }
            tokio::task::yield_now().await;
        }
        tracing::error!(game.match_id = %id, "a room could not be reached");
    }

    /// Sends a message to a room, if it is open. Returns whether it was.
    pub async fn send_if_open(&self, id: &MatchId, msg: RoomMsg) -> bool {
        let mailbox = self.mailboxes.lock().get(id).cloned();
        match mailbox {
            // A room that has just ended does not need the message.
            Some(mailbox) => mailbox.send(Box::new(msg)).await.is_ok(),
            None => false,
        }
    }

    /// Like [`Rooms::send_if_open`], without waiting: one busy room must not delay messages to many others.
    pub(crate) fn nudge(&self, id: &MatchId, msg: RoomMsg) {
        if let Some(mailbox) = self.mailboxes.lock().get(id) {
            // The message is lost if the mailbox is full; the room then reads its row at another occasion.
            let _ = mailbox.try_send(Box::new(msg));
        }
    }

    /// Sends a message to all rooms.
    pub(crate) fn tell_all(&self, msg: impl Fn() -> RoomMsg) {
        let mailboxes: Vec<_> = self.mailboxes.lock().values().cloned().collect();
        for mailbox in mailboxes {
            // The message is lost if a mailbox is full; that room checks for itself when it handles its next message.
            let _ = mailbox.try_send(Box::new(msg()));
        }
    }

    /// Sends a message from another node to a room. Returns `false` if this node certainly does not own the match.
    pub(crate) async fn send_hosted(self: &Arc<Self>, id: &MatchId, msg: RoomMsg) -> bool {
        if self.services.is_stopping() || self.services.is_relayed(id) {
            return false;
        }
        self.send(id, msg).await;
        true
    }

    /// Returns the view of a match for a player or an anonymous visitor; `None` if the match does not exist.
    pub async fn view(
        self: &Arc<Self>,
        id: &MatchId,
        player: Option<PlayerId>,
    ) -> Option<MatchView> {
        for _ in 0..VIEW_ATTEMPTS {
            let (reply, answer) = oneshot::channel();
            let player = player.clone();
            self.send(id, RoomMsg::View { player, reply }).await;
            let view = answer.await.ok().flatten();
            // Between nodes, an answer may be lost, and a match may have no owner for a moment.
            let is_lost = view.is_none()
                && self.services.remote.is_some()
                && !self.services.is_stopping()
                && matches!(self.services.store.find_match(id).await, Ok(Some(_)));
            if !is_lost {
                return view;
            }
            tokio::time::sleep(VIEW_AGAIN).await;
        }
        None
    }

    /// Closes a match for the operator. `None` if it is unknown whether it has ended: the caller should try again.
    pub async fn close(
        self: &Arc<Self>,
        id: &MatchId,
        closing: Closing,
    ) -> Option<Result<(), Refusal>> {
        let (done, answer) = oneshot::channel();
        self.send(id, RoomMsg::Close { closing, done }).await;
        answer.await.ok()
    }

    /// Delivers bots' answers to their rooms, each not before its time, and reports of absent bots, until the server stops.
    pub async fn deliver_bot_news(
        self: Arc<Self>,
        mut news: mpsc::UnboundedReceiver<BotNews>,
        mut stopped: watch::Receiver<bool>,
    ) {
        loop {
            let told = tokio::select! {
                _ = stopped.wait_for(|stopped| *stopped) => return,
                told = news.recv() => told,
            };
            let rooms = Arc::clone(&self);
            let answer = match told {
                None => return,
                Some(BotNews::Answer(answer)) => answer,
                Some(BotNews::Away { match_id, side }) => {
                    self.tasks.spawn(async move {
                        rooms
                            .send_if_open(&match_id, RoomMsg::BotAway { side })
                            .await;
                    });
                    continue;
                }
            };
            self.tasks.spawn(async move {
                tokio::time::sleep_until(answer.not_before.into()).await;
                if !rooms.services.is_stopping() {
                    let BotAnswer {
                        match_id,
                        side,
                        ply,
                        seq,
                        reply,
                        trace,
                        ..
                    } = answer;
                    let msg = RoomMsg::Bot {
                        side,
                        ply,
                        seq,
                        reply,
                        trace,
                    };
                    rooms.send(&match_id, msg).await;
                }
            });
        }
    }

    /// Returns the number of matches in memory.
    #[must_use]
    pub fn open_count(&self) -> usize {
        self.mailboxes.lock().len()
    }

    /// Whether no more rooms may be opened, because the matches go to other nodes.
    fn is_draining(&self) -> bool {
        self.services.is_stopping() && self.services.remote.is_some()
    }

    /// Ends all rooms. Their appends are completed or refused when this returns, unless the store is unavailable: then they are not
    /// acknowledged, and the next owner of the match reads their outcome from the journal.
    pub async fn stop(&self) {
        self.services.stop();
        let ending = async {
            let mailboxes: Vec<_> = self.mailboxes.lock().values().cloned().collect();
            // Sent to all at once, so that a slow room does not delay the others. A room that has ended needs no message.
            let stops = mailboxes.iter();
            join_all(stops.map(|mailbox| mailbox.send(Box::new(RoomMsg::Stop)))).await;
            self.tasks.close();
            self.tasks.wait().await;
        };
        if tokio::time::timeout(END_WITHIN, ending).await.is_err() {
            let left = self.tasks.len();
            tracing::warn!(
                "{left} rooms still wait for the store; stopping all the same, nothing acknowledged is lost"
            );
        }
    }

    /// Removes a room that ends; the messages left in its mailbox go to its successor.
    async fn forget(
        self: &Arc<Self>,
        id: &MatchId,
        deferred: VecDeque<RoomMsg>,
        mut mailbox: Mailbox,
    ) {
        self.mailboxes.lock().remove(id);
        mailbox.close();
        for msg in deferred {
            if !self.services.is_stopping() {
                Box::pin(self.send(id, msg)).await;
            }
        }
        while let Some(msg) = mailbox.recv().await {
            if !self.services.is_stopping() {
                Box::pin(self.send(id, *msg)).await;
            }
        }
    }

    fn mailbox(self: &Arc<Self>, id: &MatchId) -> mpsc::Sender<Box<RoomMsg>> {
        let mut mailboxes = self.mailboxes.lock();
        if let Some(mailbox) = mailboxes.get(id) {
            return mailbox.clone();
        }
        let (sender, mut receiver) = mpsc::channel(MAILBOX);
        mailboxes.insert(id.clone(), sender.clone());
        drop(mailboxes);
        let (rooms, id) = (Arc::clone(self), id.clone());
        let opener: Opener = {
            let rooms = Arc::downgrade(self);
            Arc::new(move |id: &MatchId| {
                if let Some(rooms) = rooms.upgrade() {
                    rooms.open(id);
                }
            })
        };
        self.tasks.spawn(async move {
            let room = actor::run(&rooms.services, opener, &id, &mut receiver);
            match AssertUnwindSafe(room).catch_unwind().await {
                Ok(deferred) => rooms.forget(&id, deferred, receiver).await,
                Err(_) => {
                    // Its state is lost, its journal is not: the next message opens it anew.
                    tracing::error!(game.match_id = %id, "a room panicked");
                    rooms.mailboxes.lock().remove(&id);
                }
            }
        });
        sender
    }
}
