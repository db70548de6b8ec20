//! Notices to players that are written after their cause, and the messages about all of them.
//!
//! Challenges, reports and counted matches write their notices in the transaction of the cause. A turn has no such transaction, because an
//! append is as narrow as it can be: its notice enters a bounded queue after the entry is durable. A full queue, a crash or a store that
//! is away at that moment lose it, and nothing else. [`NoticeQueue`] is the sender's side, [`NoticeWriter`] the task.

use std::sync::Arc;

use mawe_store::{NewNotice, NoticeRow, Store, StoreError, WhichNotices};
use mawe_wire::ids::PlayerId;
use mawe_wire::{Notice, NoticeKind, ServerMsg};
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{mpsc, watch};

use crate::clock::unix_ms;
use crate::live::outbox::encode;
use crate::live::sockets::Sockets;
use crate::live::view;

/// Maximum number of tasks in the queue.
const QUEUE: usize = 4_096;

/// The number of places in the queue that are left to writes: a player makes the other tasks as often as they like, by joining a match
/// again and again, and those of others must not be lost by it.
const FOR_WRITES: usize = QUEUE / 2;

/// A task of the writer. They are done one after the other, so that those of one match keep their order.
enum Task {
    /// Writes a notice and sends it.
    Write(Box<NewNotice>),
    /// Deletes a notice that has become pointless.
    Withdraw(PlayerId, String, NoticeKind),
    /// Marks the notice about a match as read: the player sees it.
    Seen(PlayerId, String),
    /// Sends the unread notices about a match, a challenge or a report, which somebody else has written.
    Announce(String),
    /// Sends a player the number of unread notices, of which some are gone.
    Recount(PlayerId),
}

/// The sender's side of the queue. No caller waits for it.
#[derive(Debug, Clone)]
pub struct NoticeQueue {
    queue: mpsc::Sender<Task>,
}

impl std::fmt::Debug for Task {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Task")
    }
}

/// The task that writes and sends notices.
pub struct NoticeWriter {
    queue: mpsc::Receiver<Task>,
    store: Arc<dyn Store>,
    sockets: Arc<Sockets>,
}

/// Creates both ends of the queue.
#[must_use]
pub fn queue(store: &Arc<dyn Store>, sockets: &Arc<Sockets>) -> (NoticeQueue, NoticeWriter) {
    let (sender, queue) = mpsc::channel(QUEUE);
    let writer = NoticeWriter {
        queue,
        store: Arc::clone(store),
        sockets: Arc::clone(sockets),
    };
    (NoticeQueue { queue: sender }, writer)
}

impl NoticeQueue {
    fn add(&self, task: Task) {
        let is_write = matches!(task, Task::Write(_) | Task::Withdraw(..));
        if !is_write && self.queue.capacity() <= FOR_WRITES {
            // The player's next request finds the same; a line in the log for each would fill the disk.
            return;
        }
        if let Err(TrySendError::Full(_)) = self.queue.try_send(task) {
            tracing::warn!("a notice was not written: too many wait to be");
        }
    }

    /// Writes a notice after its cause, and sends it.
    pub fn write(&self, new: NewNotice) {
        self.add(Task::Write(Box::new(new)));
    }

    /// Deletes a player's notice about this if it is of this kind.
    pub fn withdraw(&self, player: &PlayerId, about: &str, kind: NoticeKind) {
        self.add(Task::Withdraw(player.clone(), about.to_owned(), kind));
    }

    /// Marks a player's notice about this as read.
    pub fn seen(&self, player: &PlayerId, about: &str) {
        self.add(Task::Seen(player.clone(), about.to_owned()));
    }

    /// Sends the unread notices about this, which the transaction of their cause has written. That of a new match is announced before its
    /// room is opened: the room writes the notice of the first turn, which replaces it.
    pub fn announce(&self, about: &str) {
        self.add(Task::Announce(about.to_owned()));
    }

    /// Sends a player the number of unread notices, after some were read or deleted.
    pub fn recount(&self, player: &PlayerId) {
        self.add(Task::Recount(player.clone()));
    }
}

impl NoticeWriter {
    /// Does the tasks until the server stops, and then those that are in the queue.
    pub async fn run(mut self, mut stopped: watch::Receiver<bool>) {
        loop {
            let task = tokio::select! {
                biased;
                task = self.queue.recv() => task,
                // An error means that the sender is gone, which is a stop too.
                _ = stopped.wait_for(|stopped| *stopped) => None,
            };
            let Some(task) = task else { return };
            if let Err(error) = self.carry_out(task).await {
                tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    "a notice was not written or not sent"
                );
            }
        }
    }

    async fn carry_out(&self, task: Task) -> Result<(), StoreError> {
        let store = self.store.as_ref();
        match task {
            Task::Write(new) => {
                if store.write_notice(&new).await? {
                    self.announce(&new.key).await?;
                }
            }
            Task::Withdraw(player, about, kind) => {
                // Most have no such notice, and then nothing is written.
                if store.has_notice(&player, &about, Some(kind)).await?
                    && store.delete_notice_about(&player, &about, kind).await?
                {
                    self.recount(&player).await?;
                }
            }
            Task::Seen(player, about) => {
                if store.has_notice(&player, &about, None).await? {
                    let which = WhichNotices::About(about);
                    if store.read_notices(&player, &which, unix_ms()).await? > 0 {
                        self.recount(&player).await?;
                    }
                }
            }
            Task::Announce(about) => self.announce(&about).await?,
            Task::Recount(player) => self.recount(&player).await?,
        }
        Ok(())
    }

    async fn announce(&self, about: &str) -> Result<(), StoreError> {
        for row in self.store.notices_about(about).await? {
            if !row.read {
                tell(self.store.as_ref(), &self.sockets, row).await?;
            }
        }
        Ok(())
    }

    async fn recount(&self, player: &PlayerId) -> Result<(), StoreError> {
        if self.sockets.is_here(player) {
            let unread = self.store.unread_notices(player).await?;
            let read = encode(&ServerMsg::NoticesRead { unread });
            self.sockets.tell(player, &read);
        }
        Ok(())
    }
}

/// Sends a notice to the sockets of its player on all nodes, if there are any. It may be lost: the next request finds the notice.
///
/// # Errors
/// When the store does not answer.
pub async fn tell(store: &dyn Store, sockets: &Sockets, row: NoticeRow) -> Result<(), StoreError> {
    let player = row.player.clone();
    if sockets.is_here(&player) {
        let unread = store.unread_notices(&player).await?;
        let notice = shown(row);
        sockets.tell(&player, &encode(&ServerMsg::Notice { notice, unread }));
    }
    Ok(())
}

/// Returns a notice as the wire shows it.
#[must_use]
pub fn shown(row: NoticeRow) -> Notice {
    Notice {
        id: row.id,
        kind: row.kind,
        text: row.text,
        until: row.until_ms.map(view::timestamp),
        at: view::timestamp(row.at_ms),
        read: row.read,
        by: row.by.as_ref().map(view::player),
        about: row.about,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_player_who_joins_again_and_again_takes_no_place_of_a_write() {
        let (sender, mut receiver) = mpsc::channel(QUEUE);
        let queue = NoticeQueue { queue: sender };
        let player = PlayerId::random();
        for _ in 0..3 * QUEUE {
            queue.seen(&player, "match");
            queue.announce("match");
            queue.recount(&player);
        }
        assert_eq!(receiver.len(), QUEUE - FOR_WRITES);
        for _ in 0..FOR_WRITES {
            queue.withdraw(&player, "match", NoticeKind::Turn);
        }
        assert_eq!(receiver.len(), QUEUE);
        queue.withdraw(&player, "match", NoticeKind::Turn);
        assert_eq!(receiver.len(), QUEUE, "the queue has a bound");
        let first = receiver.try_recv().expect("it is full");
        assert!(matches!(first, Task::Seen(..)));
    }
}
