//! One ply: sowing, capturing and carrying on (RULES-bao.md section 4).

use super::board::{Board, Stage};
use super::moves::BaoMove;
use super::ring::{Direction, Pit};
use super::step::{BaoStep, Owner, PlyEnd, PlyKind, Source};

/// The most seeds that may be sown in a ply (RULES-bao.md section 10). It also bounds the time of a
/// ply.
pub const MAX_SOWN: u16 = 512;

/// The number of seeds that are sown from a house that is taxed.
const TAX: u8 = 2;

/// The reason why a sowing is broken off: the ply is not legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Broken {
    /// More than [`MAX_SOWN`] seeds.
    TooLong,
    /// A takata leaves the mover's front row empty after a seed.
    FrontRowEmptied,
    /// The start holds no seeds.
    NoSeeds,
}

/// Plays a move on the board of its mover, and turns the board. Every step is given to `observe`.
///
/// A move that is not legal leaves an unspecified board.
#[inline]
pub(super) fn play(board: &mut Board, m: BaoMove, mut observe: impl FnMut(BaoStep)) {
    let (stage, kind) = (board.stage(), board.kind_of(m));
    // A sowing that is broken off belongs to no legal move.
    let _ = sow(board, m, &mut observe);
    if (stage, kind) == (Stage::Mtaji, PlyKind::Capture) {
        for (owner, half) in [
            (Owner::Mover, &mut board.mover),
            (Owner::Opponent, &mut board.opponent),
        ] {
            if std::mem::take(&mut half.owns_house) {
                observe(BaoStep::LoseHouse { owner });
            }
        }
    }
    *board = board.turned();
    if kind == PlyKind::Takata && board.has_empty_stores() {
        board.takasia = board.threatened_pit();
        if let Some(pit) = board.takasia {
            observe(BaoStep::Takasia { pit });
        }
    }
}

/// Sows a move whose opening is legal, and returns how the sowing ends. The board stays that of the
/// mover.
#[inline]
pub(super) fn sow(
    board: &mut Board,
    m: BaoMove,
    observe: &mut impl FnMut(BaoStep),
) -> Result<PlyEnd, Broken> {
    let mut ply = Ply::new(board, m, observe);
    let lap = ply.open(m)?;
    ply.carry_on(lap)
}

/// A ply that is being sown.
struct Ply<'a, O> {
    board: &'a mut Board,
    stage: Stage,
    kind: PlyKind,
    plays_house: bool,
    direction: Direction,
    laps: u16,
    sown: u16,
    observe: &'a mut O,
}

/// Seeds in the hand.
struct Lap {
    source: Source,
    first: Pit,
    seeds: u8,
}

impl<'a, O: FnMut(BaoStep)> Ply<'a, O> {
    #[inline(always)]
    fn new(board: &'a mut Board, m: BaoMove, observe: &'a mut O) -> Self {
        let (stage, kind) = (board.stage(), board.kind_of(m));
        observe(BaoStep::Begin { stage, kind });
        let direction = match (stage, kind, m.letter()) {
            // A letter is missing only where the capture decides the direction.
            (_, _, None) => Direction::Clockwise,
            (Stage::Namua, PlyKind::Capture, Some(letter)) => away_from(letter.kichwa()),
            (_, _, Some(letter)) => letter.direction(m.pit()),
        };
        Self {
            board,
            stage,
            kind,
            plays_house: m.plays_house(),
            direction,
            laps: 0,
            sown: 0,
            observe,
        }
    }

    /// Opens the ply: brings in the seed of the namua stage, and takes the first seeds in hand.
    #[inline(always)]
    fn open(&mut self, m: BaoMove) -> Result<Lap, Broken> {
        if self.stage == Stage::Mtaji {
            return self.lift(m.pit());
        }
        let is_taxed = self.kind == PlyKind::Takata
            && m.pit() == Pit::HOUSE
            && self.board.mover.has_strong_house();
        self.board.mover.store -= 1;
        self.board.mover.ring.put(m.pit(), 1);
        (self.observe)(BaoStep::Put { pit: m.pit() });
        match self.kind {
            PlyKind::Capture => Ok(self.capture(m.pit())),
            PlyKind::Takata if is_taxed => self.lift_some(Pit::HOUSE, TAX),
            PlyKind::Takata => self.lift(m.pit()),
        }
    }

    /// Sows lap after lap until the ply ends.
    #[inline(always)]
    fn carry_on(&mut self, mut lap: Lap) -> Result<PlyEnd, Broken> {
        loop {
            let last = self.sow_lap(&lap)?;
            if let Some(why) = self.end_at(last, lap.source) {
                (self.observe)(BaoStep::End { at: last, why });
                return Ok(why);
            }
            lap = if self.captures_at(last) {
                self.capture(last)
            } else {
                if self.kind == PlyKind::Capture && self.is_at_house(last) {
                    (self.observe)(BaoStep::Safari);
                }
                self.lift(last)?
            };
        }
    }

    #[inline(always)]
    fn sow_lap(&mut self, lap: &Lap) -> Result<Pit, Broken> {
        self.sown += u16::from(lap.seeds);
        if self.sown > MAX_SOWN {
            return Err(Broken::TooLong);
        }
        self.laps += 1;
        let ring = &mut self.board.mover.ring;
        let last = ring.sow(lap.first, lap.seeds, self.direction);
        (self.observe)(BaoStep::Sow {
            lap: self.laps,
            source: lap.source,
            first: lap.first,
            direction: self.direction,
            seeds: lap.seeds,
            last,
        });
        Ok(last)
    }

    /// The reason why the ply ends when a lap has ended in a pit: the lines a, b, d and e of
    /// RULES-bao.md section 4, in their order.
    #[inline(always)]
    fn end_at(&self, last: Pit, source: Source) -> Option<PlyEnd> {
        if source == Source::Capture && self.board.opponent.ring.is_front_empty() {
            Some(PlyEnd::FrontEmpty)
        } else if self.board.mover.get(last) == 1 {
            Some(PlyEnd::EmptyPit)
        } else if self.captures_at(last) {
            None
        } else if self.is_at_house(last) && !(self.kind == PlyKind::Capture && self.plays_house) {
            Some(PlyEnd::House)
        } else if self.kind == PlyKind::Takata && self.board.takasia == Some(last) {
            Some(PlyEnd::Takasia)
        } else {
            None
        }
    }

    /// Whether a lap that has ended in an occupied pit captures.
    #[inline(always)]
    fn captures_at(&self, last: Pit) -> bool {
        self.kind == PlyKind::Capture && last.is_front() && self.board.facing(last) != 0
    }

    /// Whether a pit is a house that can end the ply.
    #[inline(always)]
    fn is_at_house(&self, last: Pit) -> bool {
        self.stage == Stage::Namua && last == Pit::HOUSE && self.board.mover.has_strong_house()
    }

    /// Captures at a front pit, which may turn the direction round.
    #[inline(always)]
    fn capture(&mut self, at: Pit) -> Lap {
        let from = at.facing();
        let opponent = &mut self.board.opponent;
        let seeds = opponent.get(from);
        opponent.ring.remove(from, seeds);
        (self.observe)(BaoStep::Capture { at, from, seeds });
        if from == Pit::HOUSE && std::mem::take(&mut opponent.owns_house) {
            let owner = Owner::Opponent;
            (self.observe)(BaoStep::LoseHouse { owner });
        }
        if let Some(kichwa) = at.forced_kichwa() {
            self.direction = away_from(kichwa);
        }
        Lap {
            source: Source::Capture,
            first: match self.direction {
                Direction::Clockwise => Pit::LEFT_KICHWA,
                Direction::AntiClockwise => Pit::RIGHT_KICHWA,
            },
            seeds,
        }
    }

    /// Lifts all seeds of a pit.
    #[inline(always)]
    fn lift(&mut self, pit: Pit) -> Result<Lap, Broken> {
        if pit == Pit::HOUSE && std::mem::take(&mut self.board.mover.owns_house) {
            let owner = Owner::Mover;
            (self.observe)(BaoStep::LoseHouse { owner });
        }
        self.lift_some(pit, self.board.mover.get(pit))
    }

    #[inline(always)]
    fn lift_some(&mut self, pit: Pit, seeds: u8) -> Result<Lap, Broken> {
        if seeds == 0 {
            return Err(Broken::NoSeeds);
        }
        let ring = &mut self.board.mover.ring;
        ring.remove(pit, seeds);
        let first = pit.after(1, self.direction);
        // Sowing only adds seeds: a front row that is empty after some seed is empty after the
        // first one.
        if self.kind == PlyKind::Takata && ring.is_front_empty() && !first.is_front() {
            return Err(Broken::FrontRowEmptied);
        }
        Ok(Lap {
            source: Source::Pit(pit),
            first,
            seeds,
        })
    }
}

/// The direction in which captured seeds are sown from a kichwa.
#[inline(always)]
const fn away_from(kichwa: Pit) -> Direction {
    match kichwa {
        Pit::LEFT_KICHWA => Direction::Clockwise,
        _ => Direction::AntiClockwise,
    }
}
