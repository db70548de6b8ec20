//! The transposition table: what an earlier visit to a position found.

/// What a stored score says of the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    /// The true score is this or higher.
    Lower,
    /// The true score is this or lower.
    Upper,
    /// The true score is this.
    Exact,
}

/// One finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// From the view of the side to move there; wins and losses counted from there.
    pub(crate) score: i32,
    /// Plies searched below; [`SOLVED`] if no evaluation had a part in the score.
    pub(crate) depth: u8,
    pub(crate) bound: Bound,
    /// Index of the best move in the game's own order of legal moves, if one was found.
    pub(crate) best: Option<u16>,
}

/// A depth beyond all others: the score holds at every depth.
pub(crate) const SOLVED: u8 = u8::MAX;

/// Slots a table never exceeds: 32 MiB of 16 bytes each.
const MAX_SLOTS: u64 = 1 << 21;
/// Slots a table always has: 16 KiB.
const MIN_SLOTS: u64 = 1 << 10;

/// A slot is key and packed entry; an all-zero slot is empty, which lets the allocator hand out
/// fresh zero pages that cost nothing until they are used.
pub(crate) struct Table {
    slots: Vec<[u64; 2]>,
}

impl Table {
    /// A table for a search of about this many nodes.
    pub(crate) fn for_nodes(nodes: u64) -> Self {
        let slots = nodes.clamp(MIN_SLOTS, MAX_SLOTS).next_power_of_two();
        Self {
            slots: vec![[0, 0]; slots as usize],
        }
    }

    /// The finding for this hash, if there is one.
    #[inline]
    pub(crate) fn get(&self, hash: u64) -> Option<Entry> {
        let [key, packed] = self.slots[self.slot(hash)];
        if key == hash { unpack(packed) } else { None }
    }

    /// Stores a finding; a deeper one for the same position is kept.
    #[inline]
    pub(crate) fn put(&mut self, hash: u64, entry: Entry) {
        let slot = self.slot(hash);
        let [key, packed] = self.slots[slot];
        let deeper = key == hash && unpack(packed).is_some_and(|old| old.depth > entry.depth);
        if !deeper {
            self.slots[slot] = [hash, pack(entry)];
        }
    }

    #[inline]
    fn slot(&self, hash: u64) -> usize {
        hash as usize & (self.slots.len() - 1)
    }
}

// Bits 0-31 score, 32-39 depth, 40-41 bound (0 is the empty slot), 48-63 best move (all ones: none).

fn pack(entry: Entry) -> u64 {
    let bound = match entry.bound {
        Bound::Lower => 1,
        Bound::Upper => 2,
        Bound::Exact => 3,
    };
    u64::from(entry.score as u32)
        | u64::from(entry.depth) << 32
        | bound << 40
        | u64::from(entry.best.unwrap_or(u16::MAX)) << 48
}

fn unpack(packed: u64) -> Option<Entry> {
    let bound = match (packed >> 40) & 3 {
        0 => return None,
        1 => Bound::Lower,
        2 => Bound::Upper,
        _ => Bound::Exact,
    };
    let best = (packed >> 48) as u16;
    Some(Entry {
        score: packed as u32 as i32,
        depth: (packed >> 32) as u8,
        bound,
        best: (best != u16::MAX).then_some(best),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_is_got() {
        let mut table = Table::for_nodes(0);
        assert_eq!(table.get(0), None);
        for (i, bound) in [Bound::Lower, Bound::Upper, Bound::Exact]
            .into_iter()
            .enumerate()
        {
            for (score, depth, best) in [(-999_983, 0, None), (17, SOLVED, Some(0))] {
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
    }

    #[test]
    fn a_deeper_finding_is_kept() {
        let mut table = Table::for_nodes(0);
        let deep = Entry {
            score: 1,
            depth: 5,
            bound: Bound::Exact,
            best: None,
        };
        table.put(9, deep);
        table.put(
            9,
            Entry {
                score: 2,
                depth: 4,
                ..deep
            },
        );
        assert_eq!(table.get(9), Some(deep));
    }
}
