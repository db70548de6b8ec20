//! The open sockets of this node, by player, for messages that do not come from a room.

use std::collections::{HashMap, HashSet, VecDeque};
use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use mawe_store::{MatchRow, Matches, Player};
use mawe_wire::ids::{PlayerId, TokenHash};
use mawe_wire::{PlayerKind, TimeControl};
use parking_lot::Mutex;
use tokio::sync::mpsc;
use tokio_tungstenite::tungstenite::Utf8Bytes;
use tokio_util::task::TaskTracker;

use crate::connections::admission::{Admission, Asks, Permit, Refused};
use crate::live::chat::watchers::{ChatNews, ChatWatchers};
use crate::live::outbox::{CloseReason, Outbox};
use crate::meters::Counter;

/// The number of sockets that one player may have open: enough for tabs and devices, too few to exhaust the server.
const MAX_PER_PLAYER: usize = 32;

/// The number of ended sessions that are kept, so that a socket opened concurrently with the end of its session is closed as well.
const ENDED: usize = 1_000;

/// The time that closing sockets get to send their close frames.
const GOODBYE: Duration = Duration::from_secs(2);

/// The time for which another node's list of players is valid.
const ELSEWHERE: Duration = Duration::from_secs(15);

/// The number of bits of a socket's number on its node; the higher bits are the node's.
const NUMBER_BITS: u32 = 32;

/// A message to other nodes about their sockets.
#[derive(Debug)]
pub enum ClusterEvent {
    /// A frame for all sockets of a player.
    Tell(PlayerId, Utf8Bytes),
    /// A frame for one socket, by its number.
    TellOne(u64, Utf8Bytes),
    /// A session was ended.
    EndSession(TokenHash),
    /// A line of chat is new or has changed.
    Chat(Box<ChatNews>),
    /// A player has switched chat off.
    EndChat(PlayerId),
    /// A reader has muted or blocked a player.
    MuteChat {
        /// The reader.
        reader: PlayerId,
        /// The player.
        muted: PlayerId,
    },
}

/// The losses of sockets and messages since the start.
#[derive(Debug, Default)]
pub struct SocketMeters {
    /// Sockets and streams that the server has closed, in the order of [`CloseReason::ALL`].
    closed: [Counter; CloseReason::ALL.len()],
    /// Messages for other nodes that were dropped, because the queue was full.
    pub dropped: Counter,
}

impl SocketMeters {
    /// Counts a socket that the server closes.
    pub fn note_closed(&self, reason: CloseReason) {
        let place = CloseReason::ALL.iter().position(|known| *known == reason);
        if let Some(place) = place {
            self.closed[place].count();
        }
    }

    /// Returns the number of sockets that the server has closed, by reason.
    pub fn closed(&self) -> impl Iterator<Item = (CloseReason, u64)> {
        let counts = self.closed.iter().map(Counter::get);
        CloseReason::ALL.into_iter().zip(counts)
    }
}

/// The open sockets.
#[derive(Debug)]
pub struct Sockets {
    /// The limits of connections.
    admission: Arc<Admission>,
    /// The channel to other nodes, if there are any.
    others: OnceLock<mpsc::Sender<ClusterEvent>>,
    /// The players with sockets on other nodes, by node, with the time of the list.
    elsewhere: Mutex<HashMap<String, (Instant, HashSet<PlayerId>)>>,
    next: AtomicU64,
    open: Mutex<HashMap<u64, Open>>,
    by_player: Mutex<HashMap<PlayerId, Vec<u64>>>,
    /// The sessions that ended recently.
    ended: Mutex<VecDeque<TokenHash>>,
    /// The sockets that follow chats.
    pub chat: ChatWatchers,
    /// The tasks that serve the sockets.
    pub tasks: TaskTracker,
    /// Losses since the start.
    pub meters: SocketMeters,
}

#[derive(Debug)]
struct Open {
    outbox: Arc<Outbox>,
    session: Option<TokenHash>,
    is_guest: bool,
}

/// The owner of a socket.
#[derive(Debug, Clone)]
pub struct Owner {
    /// The player.
    pub player: PlayerId,
    /// The session or token with which it was opened.
    pub session: TokenHash,
    /// Whether the player is a guest.
    pub is_guest: bool,
}

impl Sockets {
    /// Creates an empty set of sockets.
    #[must_use]
    pub fn new(admission: Arc<Admission>) -> Sockets {
        Sockets {
            admission,
            others: OnceLock::new(),
            elsewhere: Mutex::default(),
            next: AtomicU64::default(),
            open: Mutex::default(),
            by_player: Mutex::default(),
            ended: Mutex::default(),
            chat: ChatWatchers::default(),
            tasks: TaskTracker::new(),
            meters: SocketMeters::default(),
        }
    }

    /// Returns the limits of connections.
    pub(crate) fn admission(&self) -> &Arc<Admission> {
        &self.admission
    }

    /// Admits a socket or a stream, for as long as the permit is kept. If the places for everybody are taken, a player with a running match
    /// may use a reserved one.
    ///
    /// # Errors
    /// [`Refused`].
    pub async fn admit(
        &self,
        matches: &dyn Matches,
        player: Option<&PlayerId>,
        from: IpAddr,
    ) -> Result<Permit, Refused> {
        let refused = match self.admission.socket(from, Asks::Anybody) {
            Ok(permit) => return Ok(permit),
            Err(refused) => refused,
        };
        let Some(player) = player else {
            return Err(refused);
        };
        // If the store does not answer, the player counts as one without a running match.
        let running = matches.running_matches_of(player, None, 1).await;
        if running.is_ok_and(|running| !running.is_empty()) {
            self.admission.socket(from, Asks::Player)
        } else {
            Err(refused)
        }
    }

    /// Registers a socket and returns its number; `None` when its player has too many.
    pub fn add(&self, owner: Option<&Owner>, outbox: &Arc<Outbox>) -> Option<u64> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        if let Some(owner) = owner {
            let mut by_player = self.by_player.lock();
            let numbers = by_player.entry(owner.player.clone()).or_default();
            if numbers.len() >= MAX_PER_PLAYER {
                return None;
            }
            numbers.push(number);
        }
        let open = Open {
            outbox: Arc::clone(outbox),
            session: owner.map(|owner| owner.session),
            is_guest: owner.is_some_and(|owner| owner.is_guest),
        };
        self.open.lock().insert(number, open);
        if owner.is_some_and(|owner| self.ended.lock().contains(&owner.session)) {
            outbox.close(CloseReason::LoggedOut);
        }
        Some(number)
    }

    /// Removes a socket.
    pub fn remove(&self, number: u64, owner: Option<&Owner>) {
        self.open.lock().remove(&number);
        if let Some(owner) = owner {
            let mut by_player = self.by_player.lock();
            if let Some(numbers) = by_player.get_mut(&owner.player) {
                numbers.retain(|other| *other != number);
                if numbers.is_empty() {
                    by_player.remove(&owner.player);
                }
            }
        }
    }

    /// Connects this node to other nodes: from now on, messages for their sockets go through `others`. Must be called before the first
    /// socket is opened: this node's sockets are numbered from `from`, so that numbers are unique.
    pub fn join_others(&self, others: mpsc::Sender<ClusterEvent>, from: u32) {
        self.next
            .store(u64::from(from) << NUMBER_BITS, Ordering::Relaxed);
        // Set only once.
        let _ = self.others.set(others);
    }

    fn forward(&self, what: impl FnOnce() -> ClusterEvent) {
        if let Some(others) = self.others.get()
            && others.try_send(what()).is_err()
        {
            self.meters.dropped.count();
            tracing::warn!("other nodes were not told what is for their sockets: the way is full");
        }
    }

    /// Returns the number of open sockets and streams.
    #[must_use]
    pub fn open_count(&self) -> usize {
        self.open.lock().len()
    }

    /// Returns the number of guests with a socket on this node.
    #[must_use]
    pub fn guest_count(&self) -> usize {
        let by_player = self.by_player.lock();
        let firsts = by_player.values().filter_map(|numbers| numbers.first());
        let firsts: Vec<u64> = firsts.copied().collect();
        drop(by_player);
        let open = self.open.lock();
        let first = firsts.iter().filter_map(|number| open.get(number));
        first.filter(|open| open.is_guest).count()
    }

    /// Returns the players who have sockets here.
    #[must_use]
    pub fn players(&self) -> Vec<PlayerId> {
        self.by_player.lock().keys().cloned().collect()
    }

    /// Stores the players who have sockets on another node.
    pub fn note_elsewhere(&self, node: String, players: HashSet<PlayerId>) {
        let mut elsewhere = self.elsewhere.lock();
        elsewhere.retain(|_, (said, _)| said.elapsed() < ELSEWHERE);
        elsewhere.insert(node, (Instant::now(), players));
    }

    /// Sends a frame to every socket of a player.
    pub fn tell(&self, player: &PlayerId, frame: &Utf8Bytes) {
        self.tell_here(player, frame);
        self.forward(|| ClusterEvent::Tell(player.clone(), frame.clone()));
    }

    /// Sends a frame to every socket of a player on this node.
    pub fn tell_here(&self, player: &PlayerId, frame: &Utf8Bytes) {
        let numbers = self
            .by_player
            .lock()
            .get(player)
            .cloned()
            .unwrap_or_default();
        let open = self.open.lock();
        for open in numbers.iter().filter_map(|number| open.get(number)) {
            open.outbox.push(frame.clone());
        }
    }

    /// Sends a line of chat, new or changed, to the sockets that follow its room on all nodes. Another node may miss it: its clients see that
    /// by the number of the next line.
    pub fn tell_chat(&self, news: ChatNews) {
        self.chat.tell(&news);
        self.forward(|| ClusterEvent::Chat(Box::new(news)));
    }

    /// Makes the sockets of a player follow no chat any more, on all nodes.
    pub fn end_chat(&self, player: &PlayerId) {
        self.chat.end_player(player);
        self.forward(|| ClusterEvent::EndChat(player.clone()));
    }

    /// Hides a player's further lines from the sockets of a reader that follow chats, on all nodes.
    pub fn mute_chat(&self, reader: &PlayerId, muted: &PlayerId) {
        self.chat.mute(reader, muted);
        self.forward(|| ClusterEvent::MuteChat {
            reader: reader.clone(),
            muted: muted.clone(),
        });
    }

    /// Sends a frame to one socket, if it is still open.
    pub fn tell_one(&self, number: u64, frame: &Utf8Bytes) {
        let ours = self.next.load(Ordering::Relaxed) >> NUMBER_BITS;
        if number >> NUMBER_BITS == ours {
            self.tell_one_here(number, frame);
        } else {
            self.forward(|| ClusterEvent::TellOne(number, frame.clone()));
        }
    }

    /// Sends a frame to one socket on this node, if it is still open.
    pub fn tell_one_here(&self, number: u64, frame: &Utf8Bytes) {
        if let Some(open) = self.open.lock().get(&number) {
            open.outbox.push(frame.clone());
        }
    }

    /// Whether a player has a socket open on any node.
    #[must_use]
    pub fn is_here(&self, player: &PlayerId) -> bool {
        let is_elsewhere = || {
            let elsewhere = self.elsewhere.lock();
            let mut fresh = elsewhere
                .values()
                .filter(|(said, _)| said.elapsed() < ELSEWHERE);
            fresh.any(|(_, players)| players.contains(player))
        };
        self.by_player.lock().contains_key(player) || is_elsewhere()
    }

    /// Returns the number of players with a socket on any node.
    #[must_use]
    pub fn player_count(&self) -> usize {
        let mut players: HashSet<PlayerId> = self.by_player.lock().keys().cloned().collect();
        let elsewhere = self.elsewhere.lock();
        for (said, others) in elsewhere.values() {
            if said.elapsed() < ELSEWHERE {
                players.extend(others.iter().cloned());
            }
        }
        players.len()
    }

    /// Whether a running match has begun and has a player present, so that spectators see something. A computer opponent does not count;
    /// a bot account plays over HTTP without a socket and does. A match by the day needs nobody present.
    #[must_use]
    pub fn is_attended(&self, row: &MatchRow) -> bool {
        let is_present = |player: &Player| match player.kind {
            PlayerKind::Guest | PlayerKind::Account => self.is_here(&player.id),
            PlayerKind::Bot => !player.is_computer(),
        };
        let is_daily = matches!(row.time_control, TimeControl::Correspondence { .. });
        let players = [&row.players.first, &row.players.second];
        row.head > 0 && (is_daily || players.into_iter().any(is_present))
    }

    /// Closes the sockets of a session that has ended, or of a token that was revoked.
    pub fn end_session(&self, session: &TokenHash) {
        self.end_session_here(session);
        self.forward(|| ClusterEvent::EndSession(*session));
    }

    /// Returns the sessions and tokens with which sockets here were opened.
    #[must_use]
    pub fn sessions(&self) -> HashSet<TokenHash> {
        self.open
            .lock()
            .values()
            .filter_map(|open| open.session)
            .collect()
    }

    /// Closes the sockets of a session or a token on this node.
    pub fn end_session_here(&self, session: &TokenHash) {
        {
            // Ended sessions are written before open sockets are read; `add` does it in the reverse order, so that no socket is missed.
            let mut ended = self.ended.lock();
            if ended.len() >= ENDED {
                ended.pop_front();
            }
            ended.push_back(*session);
        }
        for open in self
            .open
            .lock()
            .values()
            .filter(|open| open.session.as_ref() == Some(session))
        {
            open.outbox.close(CloseReason::LoggedOut);
        }
    }

    /// Closes all sockets, and waits a short time for their close frames.
    pub async fn stop(&self) {
        for open in self.open.lock().values() {
            open.outbox.close(CloseReason::Restarting);
        }
        self.tasks.close();
        // The clients of the remaining sockets are unreachable.
        let _ = tokio::time::timeout(GOODBYE, self.tasks.wait()).await;
    }
}
