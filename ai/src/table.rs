//! The transposition table: results of earlier visits to positions. One table serves any number of threads without
//! a lock, and consecutive searches: older entries are replaced first.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

/// The relation of a stored score to the true score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    /// The true score is the stored one or higher.
    Lower,
    /// The true score is the stored one or lower.
    Upper,
    /// The stored score is the true one.
    Exact,
}

/// The result of a visit to a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The score from the view of the side to move; wins and losses are counted from this position.
    pub(crate) score: i32,
    /// The depth of the search below; [`SOLVED`] if no evaluation contributed to the score.
    pub(crate) depth: u8,
    pub(crate) bound: Bound,
    /// The index of the best move in the game's own order of legal moves, if one was found.
    pub(crate) best: Option<u16>,
}

/// A depth greater than all others: the score holds at every depth.
pub(crate) const SOLVED: u8 = u8::MAX;

/// The slots of a cluster, which fills a cache line.
const WAYS: usize = 4;
/// The bytes of a cluster.
const CLUSTER: usize = 64;
/// The number of ages of searches, after which they begin again at 0.
const AGES: u8 = 64;

/// A slot is key and packed entry. The key is mixed with the entry so that halves of two entries, written by two
/// threads at once, match no key (Hyatt and Mann, "A lock-less transposition table implementation for parallel
/// search", ICGA Journal 25, 2002). An all-zero slot is empty.
#[derive(Default)]
struct Slot {
    mixed: AtomicU64,
    packed: AtomicU64,
}

impl Slot {
    #[inline(always)]
    fn read(&self) -> (u64, u64) {
        let packed = self.packed.load(Ordering::Relaxed);
        (self.mixed.load(Ordering::Relaxed) ^ packed, packed)
    }

    #[inline(always)]
    fn write(&self, key: u64, packed: u64) {
        self.mixed.store(key ^ packed, Ordering::Relaxed);
        self.packed.store(packed, Ordering::Relaxed);
    }
}

#[derive(Default)]
#[repr(align(64))]
struct Cluster([Slot; WAYS]);

pub(crate) struct Table {
    clusters: Vec<Cluster>,
    age: AtomicU8,
}

impl Table {
    /// A table of about this many bytes, with at least 16 clusters; `None` if the memory cannot be allocated.
    pub(crate) fn new(bytes: usize) -> Option<Self> {
        let count = (bytes / CLUSTER).max(16);
        // The greatest power of two that fits, because the index is a part of the key.
        let count = 1 << count.ilog2();
        let mut clusters = Vec::new();
        clusters.try_reserve_exact(count).ok()?;
        clusters.resize_with(count, Cluster::default);
        Some(Self {
            clusters,
            age: AtomicU8::new(0),
        })
    }

    /// The size in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.clusters.len() * CLUSTER
    }

    /// Begins a new age: present entries are older than later ones.
    pub(crate) fn grow_older(&self) {
        let age = (self.age.load(Ordering::Relaxed) + 1) % AGES;
        self.age.store(age, Ordering::Relaxed);
    }

    /// Removes all entries.
    pub(crate) fn clear(&self) {
        for slot in self.clusters.iter().flat_map(|cluster| &cluster.0) {
            slot.write(0, 0);
        }
    }

    /// The slots that this search has written, per thousand, from a sample.
    pub(crate) fn permille_used(&self) -> u32 {
        let sample = &self.clusters[..self.clusters.len().min(1000)];
        let age = self.age.load(Ordering::Relaxed);
        let slots = sample.iter().flat_map(|cluster| &cluster.0);
        let used = slots.filter(|slot| {
            let (_, packed) = slot.read();
            packed != 0 && age_of(packed) == age
        });
        (used.count() * 1000 / (sample.len() * WAYS)) as u32
    }

    /// The entry for this hash, if there is one.
    #[inline]
    pub(crate) fn get(&self, hash: u64) -> Option<Entry> {
        let slots = self.cluster(hash).iter().map(Slot::read);
        let mut found = slots.filter(|(key, packed)| *key == hash && *packed != 0);
        found.next().and_then(|(_, packed)| unpack(packed))
    }

    /// Starts to load the cluster of a hash, so that a later lookup finds it in the cache: the main memory is slow,
    /// but many loads can be in progress at once. The returned value has no meaning.
    #[inline(always)]
    pub(crate) fn touch(&self, hash: u64) -> u64 {
        self.cluster(hash)[0].packed.load(Ordering::Relaxed)
    }

    /// Stores an entry. A deeper entry of the same search for the same position is kept, unless the new one is
    /// exact. Among other positions, the oldest and least deep entry is replaced.
    #[inline]
    pub(crate) fn put(&self, hash: u64, entry: Entry) {
        let age = self.age.load(Ordering::Relaxed);
        let mut worst = None;
        for slot in self.cluster(hash) {
            let (key, packed) = slot.read();
            if packed != 0 && key == hash {
                let old_depth = depth_of(packed);
                let keeps = old_depth > entry.depth
                    && (old_depth == SOLVED
                        || (age_of(packed) == age && entry.bound != Bound::Exact));
                if !keeps {
                    // An entry without a move keeps the known move.
                    let best = match entry.best {
                        None => best_of(packed),
                        Some(_) => entry.best,
                    };
                    slot.write(hash, pack(Entry { best, ..entry }, age));
                }
                return;
            }
            // One search of age counts as much as eight plies of depth.
            let years = i32::from((AGES + age - age_of(packed)) % AGES);
            let worth = match packed {
                0 => i32::MIN,
                packed => i32::from(depth_of(packed)) - 8 * years,
            };
            if worst.is_none_or(|(least, _)| worth < least) {
                worst = Some((worth, slot));
            }
        }
        if let Some((_, slot)) = worst {
            slot.write(hash, pack(entry, age));
        }
    }

    #[inline(always)]
    fn cluster(&self, hash: u64) -> &[Slot; WAYS] {
        // The length is a power of two.
        &self.clusters[hash as usize & (self.clusters.len() - 1)].0
    }
}

// Bits 0-31 score, 32-39 depth, 40-41 bound (0 is the empty slot), 42-47 age, 48-63 best move (all ones: none).

#[inline(always)]
fn pack(entry: Entry, age: u8) -> u64 {
    let bound = match entry.bound {
        Bound::Lower => 1,
        Bound::Upper => 2,
        Bound::Exact => 3,
    };
    u64::from(entry.score as u32)
        | u64::from(entry.depth) << 32
        | bound << 40
        | u64::from(age) << 42
        | u64::from(entry.best.unwrap_or(u16::MAX)) << 48
}

#[inline(always)]
fn depth_of(packed: u64) -> u8 {
    (packed >> 32) as u8
}

#[inline(always)]
fn age_of(packed: u64) -> u8 {
    (packed >> 42) as u8 % AGES
}

#[inline(always)]
fn best_of(packed: u64) -> Option<u16> {
    let best = (packed >> 48) as u16;
    (best != u16::MAX).then_some(best)
}

#[inline(always)]
fn unpack(packed: u64) -> Option<Entry> {
    let bound = match (packed >> 40) & 3 {
        0 => return None,
        1 => Bound::Lower,
        2 => Bound::Upper,
        _ => Bound::Exact,
    };
    Some(Entry {
        score: packed as u32 as i32,
        depth: depth_of(packed),
        bound,
        best: best_of(packed),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEEP: Entry = Entry {
        score: 1,
        depth: 5,
        bound: Bound::Lower,
        best: Some(3),
    };

    fn table() -> Table {
        Table::new(0).expect("a kilobyte")
    }

    #[test]
    fn what_is_put_is_got() {
        let table = table();
        assert_eq!(table.get(0), None);
        for (i, bound) in [Bound::Lower, Bound::Upper, Bound::Exact]
            .into_iter()
            .enumerate()
        {
            for (score, depth, best) in [(-9_999_983, 0, None), (17, SOLVED, Some(0))] {
                let hash = 77 + 1024 * i as u64;
                let entry = Entry {
                    score,
                    depth,
                    bound,
                    best,
                };
                table.put(hash, entry);
                assert_eq!(table.get(hash), Some(entry));
                assert_eq!(table.get(hash + 1024 * 1024), None);
            }
        }
        table.clear();
        assert_eq!(table.get(77), None);
    }

    #[test]
    fn a_deeper_finding_is_kept_while_it_is_new() {
        let table = table();
        let shallow = Entry {
            score: 2,
            depth: 4,
            best: None,
            ..DEEP
        };
        table.put(9, DEEP);
        table.put(9, shallow);
        assert_eq!(table.get(9), Some(DEEP));
        table.grow_older();
        table.put(9, shallow);
        let with_move = Entry {
            best: Some(3),
            ..shallow
        };
        assert_eq!(table.get(9), Some(with_move));
    }

    #[test]
    fn the_old_and_shallow_gives_way() {
        let table = table();
        let at = |i: u64| 5 + (i << 32);
        for i in 0..WAYS as u64 {
            table.put(
                at(i),
                Entry {
                    depth: 10 + i as u8,
                    ..DEEP
                },
            );
        }
        table.grow_older();
        table.grow_older();
        table.put(at(0), Entry { depth: 1, ..DEEP });
        table.put(at(9), Entry { depth: 1, ..DEEP });
        assert_eq!(table.get(at(1)), None);
        assert!([0, 2, 3, 9].iter().all(|i| table.get(at(*i)).is_some()));
    }

    #[test]
    fn a_torn_slot_is_no_finding() {
        let table = table();
        table.put(5, DEEP);
        let slot = &table.cluster(5)[0];
        slot.packed.fetch_xor(1, Ordering::Relaxed);
        assert_eq!(table.get(5), None);
    }
}
