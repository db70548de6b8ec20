//! The pictures of a node: drawn on blocking threads, few at a time, and kept within bounds. Those of positions and those of whole matches
//! have separate bounds: a match takes as long as many positions.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::body::Bytes;
use parking_lot::Mutex;
use sha2::{Digest, Sha256};
use tokio::sync::Semaphore;

use super::canvas::Drawing;

/// The bounds of one kind of pictures.
#[derive(Debug, Clone, Copy)]
struct Bounds {
    /// The number of pictures that are drawn at a time.
    drawn: usize,
    /// The number of requests that may wait for it; more are refused.
    waiting: usize,
    /// The greatest number of pictures kept, and of their bytes.
    kept: usize,
    kept_bytes: usize,
}

const OF_POSITIONS: Bounds = Bounds {
    drawn: 2,
    waiting: 32,
    kept: 256,
    kept_bytes: 16 * 1024 * 1024,
};

const OF_MATCHES: Bounds = Bounds {
    drawn: 1,
    waiting: 8,
    kept: 64,
    kept_bytes: 32 * 1024 * 1024,
};

/// The reasons why there is no picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refused {
    /// Too many are being drawn.
    Busy,
    /// The renderer failed.
    Failed,
}

/// The digest of a drawing: the same for the same position after the same move, another when the look changes.
pub(crate) type Key = [u8; 32];

/// The pictures drawn last, the oldest first.
#[derive(Debug)]
struct Kept {
    bounds: Bounds,
    pictures: HashMap<Key, Bytes>,
    order: VecDeque<Key>,
    bytes: usize,
}

impl Kept {
    fn new(bounds: Bounds) -> Kept {
        Kept {
            bounds,
            pictures: HashMap::new(),
            order: VecDeque::new(),
            bytes: 0,
        }
    }

    fn put(&mut self, key: Key, picture: Bytes) {
        if picture.len() > self.bounds.kept_bytes || self.pictures.contains_key(&key) {
            return;
        }
        self.bytes += picture.len();
        self.pictures.insert(key, picture);
        self.order.push_back(key);
        while self.order.len() > self.bounds.kept || self.bytes > self.bounds.kept_bytes {
            let oldest = self.order.pop_front();
            let Some(gone) = oldest.and_then(|key| self.pictures.remove(&key)) else {
                return;
            };
            self.bytes -= gone.len();
        }
    }
}

/// The pictures of one kind.
#[derive(Debug)]
pub struct Pictures {
    kept: Mutex<Kept>,
    drawing: Arc<Semaphore>,
    waiting: Arc<Semaphore>,
    drawn: AtomicU64,
}

impl Pictures {
    /// Creates the pictures of positions.
    #[must_use]
    pub fn of_positions() -> Arc<Pictures> {
        Pictures::new(OF_POSITIONS)
    }

    /// Creates the moving pictures of matches.
    #[must_use]
    pub fn of_matches() -> Arc<Pictures> {
        Pictures::new(OF_MATCHES)
    }

    fn new(bounds: Bounds) -> Arc<Pictures> {
        Arc::new(Pictures {
            kept: Mutex::new(Kept::new(bounds)),
            drawing: Arc::new(Semaphore::new(bounds.drawn)),
            waiting: Arc::new(Semaphore::new(bounds.drawn + bounds.waiting)),
            drawn: AtomicU64::new(0),
        })
    }

    /// Returns the number of pictures drawn since the start.
    #[must_use]
    pub fn drawn(&self) -> u64 {
        self.drawn.load(Ordering::Relaxed)
    }

    /// Returns the number of pictures kept, and of their bytes.
    #[must_use]
    pub fn kept(&self) -> (usize, usize) {
        let kept = self.kept.lock();
        (kept.pictures.len(), kept.bytes)
    }

    /// Returns the key of a drawing.
    pub(crate) fn key(drawing: &Drawing) -> Key {
        Sha256::digest(drawing.as_str()).into()
    }

    /// Returns a picture that is kept.
    pub(crate) fn get(&self, key: &Key) -> Option<Bytes> {
        self.kept.lock().pictures.get(key).cloned()
    }

    /// Draws a picture by a function that runs on a blocking thread, and keeps it. Requests for the same picture at the same time draw it
    /// once.
    pub(crate) async fn draw(
        self: &Arc<Self>,
        key: Key,
        draw: impl FnOnce() -> Option<Bytes> + Send + 'static,
    ) -> Result<Bytes, Refused> {
        let waiting = Arc::clone(&self.waiting);
        let waiting = waiting.try_acquire_owned().map_err(|_| Refused::Busy)?;
        let turn = Arc::clone(&self.drawing).acquire_owned().await;
        let turn = turn.map_err(|_| Refused::Failed)?;
        if let Some(picture) = self.get(&key) {
            return Ok(picture);
        }
        let pictures = Arc::clone(self);
        // The places are held by the thread: it goes on when the client disconnects.
        let drawing = tokio::task::spawn_blocking(move || {
            let _places = (waiting, turn);
            let picture = draw()?;
            pictures.drawn.fetch_add(1, Ordering::Relaxed);
            pictures.kept.lock().put(key, picture.clone());
            Some(picture)
        });
        drawing.await.ok().flatten().ok_or(Refused::Failed)
    }
}

#[cfg(test)]
mod tests {
    use mawe_rules::GameKind;

    use super::*;
    use crate::pictures::{drawing, png, sample};

    const MAX_KEPT: usize = OF_POSITIONS.kept;
    const MAX_KEPT_BYTES: usize = OF_POSITIONS.kept_bytes;

    #[test]
    fn the_oldest_pictures_give_way() {
        let mut kept = Kept::new(OF_POSITIONS);
        let key = |number: usize| {
            let mut key = [0; 32];
            key[..8].copy_from_slice(&number.to_le_bytes());
            key
        };
        for number in 0..3 * MAX_KEPT {
            kept.put(key(number), Bytes::from(vec![0; 1_000]));
            assert!(kept.pictures.len() <= MAX_KEPT);
            assert_eq!(kept.bytes, 1_000 * kept.pictures.len());
        }
        assert!(kept.pictures.contains_key(&key(3 * MAX_KEPT - 1)));
        assert!(!kept.pictures.contains_key(&key(0)));
        // Few large ones are as many as are kept.
        for number in 0..40 {
            kept.put(
                key(10_000 + number),
                Bytes::from(vec![0; MAX_KEPT_BYTES / 8]),
            );
            assert!(kept.bytes <= MAX_KEPT_BYTES);
        }
        assert_eq!(kept.pictures.len(), 8);
        kept.put(key(1), Bytes::from(vec![0; MAX_KEPT_BYTES + 1]));
        assert_eq!((kept.pictures.len(), kept.order.len()), (8, 8));
    }

    #[tokio::test]
    async fn a_picture_is_drawn_once_and_few_wait() {
        for bounds in [OF_POSITIONS, OF_MATCHES] {
            let pictures = Pictures::new(bounds);
            let (position, last) = sample(GameKind::Kalah);
            let drawing = drawing(&position, last);
            let key = Pictures::key(&drawing);
            let mut drawn = tokio::task::JoinSet::new();
            for _ in 0..3 * bounds.waiting {
                let (pictures, drawing) = (Arc::clone(&pictures), drawing.clone());
                drawn.spawn(async move { pictures.draw(key, move || png(&drawing)).await });
            }
            let answers = drawn.join_all().await;
            let refused = answers.iter().filter(|one| **one == Err(Refused::Busy));
            assert!(refused.count() >= bounds.waiting - bounds.drawn);
            assert!(answers.iter().all(|one| *one != Err(Refused::Failed)));
            assert!(pictures.drawn() <= u64::try_from(bounds.drawn).expect("few"));
            assert_eq!(pictures.kept().0, 1);
            assert!(pictures.get(&key).is_some());
        }
    }
}
