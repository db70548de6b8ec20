//! A queue of future items, which ends with the line or because of an error.

use std::sync::{Arc, OnceLock};

use tokio::sync::mpsc;

use crate::errors::Error;

/// Items that wait for the program to read them, at most.
const MOST_WAITING: usize = 4_096;

/// The end of a queue at which items come in.
#[derive(Debug)]
pub(crate) struct Sender<T> {
    items: mpsc::Sender<T>,
    end: Arc<OnceLock<Error>>,
}

/// The end of a queue at which a program reads.
#[derive(Debug)]
pub(crate) struct Feed<T> {
    items: mpsc::Receiver<T>,
    end: Arc<OnceLock<Error>>,
}

/// Returns the two ends of a queue.
pub(crate) fn feed<T>() -> (Sender<T>, Feed<T>) {
    let (sender, receiver) = mpsc::channel(MOST_WAITING);
    let end = Arc::new(OnceLock::new());
    let items = sender;
    let of_sender = Arc::clone(&end);
    (
        Sender {
            items,
            end: of_sender,
        },
        Feed {
            items: receiver,
            end,
        },
    )
}

impl<T> Sender<T> {
    /// Returns whether the queue goes on: the program reads it, and not too slowly.
    pub(crate) fn put(&self, item: T) -> bool {
        match self.items.try_send(item) {
            Ok(()) => true,
            Err(mpsc::error::TrySendError::Closed(_)) => false,
            Err(mpsc::error::TrySendError::Full(_)) => {
                let reason = format!("{MOST_WAITING} messages wait to be read");
                let _ = self.end.set(Error::Overrun(reason));
                false
            }
        }
    }

    /// Ends the queue after the items in it, with an error if there is one.
    pub(crate) fn end(self, error: Option<&Error>) {
        if let Some(error) = error {
            let _ = self.end.set(error.clone());
        }
    }

    /// Whether nobody reads it any more.
    pub(crate) fn is_abandoned(&self) -> bool {
        self.items.is_closed()
    }
}

impl<T> Feed<T> {
    /// Returns the next item, `None` at the end. Nothing is lost where the future is dropped.
    pub(crate) async fn next(&mut self) -> Result<Option<T>, Error> {
        match self.items.recv().await {
            Some(item) => Ok(Some(item)),
            None => self.end.get().cloned().map_or(Ok(None), Err),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_program_that_does_not_read_gets_the_first_items_and_an_error() {
        let (sender, mut feed) = feed();
        let put = (0..2 * MOST_WAITING)
            .take_while(|item| sender.put(*item))
            .count();
        assert_eq!(put, MOST_WAITING);
        drop(sender);
        for item in 0..MOST_WAITING {
            assert_eq!(feed.next().await.expect("it was put"), Some(item));
        }
        assert!(matches!(feed.next().await, Err(Error::Overrun(_))));
        assert!(matches!(feed.next().await, Err(Error::Overrun(_))));
    }
}
