//! What the learned evaluations of the sowing games look at: houses, neighbouring houses, and counts.

/// How the features of a game with `N` houses a side are numbered: phase by phase, in each the houses by
/// content, the own before the other side's, then neighbours, then the counts.
pub(super) struct Layout<const N: usize> {
    /// Positions are weighed apart by the seeds in the houses: so many, or fewer.
    pub(super) phases: &'static [u16],
    /// How many contents of a house are told apart,
    pub(super) contents: usize,
    /// and how many where two neighbours are looked at together.
    pub(super) few: usize,
    /// How many counts there are.
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

    /// How many features there are.
    pub(super) const fn features(&self) -> usize {
        self.phases.len() * self.in_phase()
    }

    /// What the seeds of a house count as, by themselves and beside a neighbour's.
    #[inline(always)]
    pub(super) fn content(&self, seeds: u16) -> (usize, usize) {
        let seeds = usize::from(seeds);
        (seeds.min(self.contents - 1), seeds.min(self.few - 1))
    }

    /// Tells the features of a position with so many seeds in its houses. `content` says for a house what its
    /// seeds count as, by itself and beside a neighbour.
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
