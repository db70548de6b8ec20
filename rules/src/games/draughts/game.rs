//! The games of the family that have a [`GameKind`].

use std::fmt::{Debug, Display};
use std::str::FromStr;

use super::moves::DraughtsMove;
use super::play::PositionEnd;
use super::position::DraughtsPosition;
use super::variant::{Brazilian, Drafti, International, Pool, Russian, Variant};
use crate::endgame_clocks::EndgameClocks;
use crate::error::{PlayError, SetupError};
use crate::kind::GameKind;
use crate::position::Position;
use crate::setup::NoOptions;
use crate::vocab::{Outcome, Reason, Side};

/// A variant that is a game of the server.
pub trait Listed: Variant {
    /// Its game.
    const KIND: GameKind;
    /// The options of its start.
    type Setup: Clone + Default + Eq + Debug + Display + FromStr<Err = SetupError> + Send + Sync;

    /// The position of a setup, from the standard start.
    ///
    /// # Errors
    ///
    /// A [`SetupError`] if options that are valid one by one contradict each other.
    fn set_up(
        setup: &Self::Setup,
        start: DraughtsPosition<Self>,
    ) -> Result<DraughtsPosition<Self>, SetupError>;
}

/// Lists a variant without options, and names its positions and moves.
macro_rules! listed {
    ($($variant:ident: $position:ident, $move:ident, $name:literal;)*) => {
        $(
            impl Listed for $variant {
                const KIND: GameKind = GameKind::$variant;
                type Setup = NoOptions;

                fn set_up(_: &NoOptions, start: $position) -> Result<$position, SetupError> {
                    Ok(start)
                }
            }

            #[doc = concat!("A position of ", $name)]
            pub type $position = DraughtsPosition<$variant>;

            #[doc = concat!("A move of ", $name)]
            pub type $move = DraughtsMove<$variant>;
        )*
    };
}

listed! {
    Drafti: DraftiPosition, DraftiMove, "Drafti ya Kitanzania.";
    Brazilian: BrazilianPosition, BrazilianMove, "Brazilian draughts.";
    Russian: RussianPosition, RussianMove, "Russian draughts.";
    International: InternationalPosition, InternationalMove, "international draughts.";
    Pool: PoolPosition, PoolMove, "pool checkers.";
}

impl<V: Listed> Position for DraughtsPosition<V> {
    type Move = DraughtsMove<V>;
    type Setup = V::Setup;
    const KIND: GameKind = <V as Listed>::KIND;
    const QUIET_LIMIT: Option<u32> = Some(V::QUIET_LIMIT);

    fn from_setup(setup: &V::Setup) -> Result<Self, SetupError> {
        V::set_up(setup, Self::start())
    }

    #[inline]
    fn turn(&self) -> Side {
        self.turn
    }

    #[inline]
    fn legal_moves_into(&self, moves: &mut Vec<Self::Move>) {
        self.list_moves(moves);
    }

    #[inline]
    fn play_unchecked(&mut self, m: Self::Move) {
        self.play_ply(m);
    }

    fn outcome(&self) -> Option<Outcome> {
        let lost = |reason| Outcome {
            winner: Some(self.turn.other()),
            reason,
            score: None,
        };
        Some(match self.end()? {
            PositionEnd::NoPieces => lost(Reason::NoPieces),
            PositionEnd::Blocked => lost(Reason::Blocked),
            PositionEnd::Material => Outcome::draw(Reason::Material),
        })
    }

    #[inline]
    fn zobrist(&self) -> u64 {
        self.hash
    }

    fn explain_illegal(&self, text: &str) -> PlayError {
        self.explain(text)
    }

    fn listed_path(&self, m: Self::Move) -> Option<Self::Move> {
        self.canonical(m)
    }

    #[inline]
    fn count_legal(&self) -> usize {
        self.count_moves(self.turn) as usize
    }

    #[inline]
    fn is_quiet(&self, m: Self::Move) -> bool {
        !m.is_capture() && self.kings & m.from().bit() != 0
    }

    fn endgame_clocks(&self) -> EndgameClocks {
        self.start_of_clocks()
    }

    fn play_with_clocks(&mut self, m: Self::Move, clocks: &mut EndgameClocks) -> bool {
        let ply = self.play_ply(m);
        self.note_ply(ply, clocks)
    }
}
