//! The features of the learned evaluations of the sowing games: houses, neighbouring houses, and counts.

/// The numbering of the features of a game with `N` houses a side: phase by phase, in each the houses by
/// content, the own before the other side's, then neighbours, then the counts.
pub(super) struct Layout<const N: usize> {
    /// The greatest number of seeds in the houses of each phase; each phase has its own weights.
    pub(super) phases: &'static [u16],
    /// The number of categories of a house by itself.
    pub(super) contents: usize,
    /// The number of categories of a house beside a neighbour.
    pub(super) few: usize,
    /// The number of counts.
    pub(super) counts: usize,
}

impl<const N: usize> Layout<N> {
    const fn pairs_at(&self) -> usize {
        2 * N * self.contents
    }

    const fn counts_at(&self) -> usize {
        self.pairs_at() + 2 * (N - 1) * self.few * self.few
    }

    const fn in_phase(&self) -> usize {
        self.counts_at() + self.counts
    }

    /// The number of features.
    pub(super) const fn features(&self) -> usize {
        self.phases.len() * self.in_phase()
    }

    /// The categories of a house with these seeds, by itself and beside a neighbour.
    #[inline(always)]
    pub(super) fn content(&self, seeds: u16) -> (usize, usize) {
        let seeds = usize::from(seeds);
        (seeds.min(self.contents - 1), seeds.min(self.few - 1))
    }

    /// Calls `found` for the features of a position with `seeds` seeds in its houses. `content` returns the
    /// categories of a house, by itself and beside a neighbour.
    #[inline(always)]
    pub(super) fn tell<H: Copy, const C: usize>(
        &self,
        seeds: u16,
        rows: [[H; N]; 2],
        content: impl Fn(H) -> (usize, usize),
        counts: [i32; C],
        found: &mut impl FnMut(usize, usize, i32),
    ) {
        let phase = self.phases.iter().position(|most| seeds <= *most);
        let base = phase.unwrap_or(0) * self.in_phase();
        for (i, row) in rows.into_iter().enumerate() {
            let row = row.map(&content);
            for (house, (alone, _)) in row.into_iter().enumerate() {
                found(base, (i * N + house) * self.contents + alone, 1);
            }
            for (house, pair) in row.windows(2).enumerate() {
                let together = pair[0].1 * self.few + pair[1].1;
                let pair = i * (N - 1) + house;
                let at = self.pairs_at() + pair * self.few * self.few;
                found(base, at + together, 1);
            }
        }
        for (i, times) in counts.into_iter().enumerate() {
            found(base, self.counts_at() + i, times);
        }
    }
}
