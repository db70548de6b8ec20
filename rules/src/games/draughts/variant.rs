//! The rules of each game as constants, RULES-draughts.md section 3.

use std::fmt::Debug;
use std::hash::Hash;

use super::board::{Geometry, Width};
use super::limits::{Clock, Counts, Resets};
use super::path::{Directions, Squares};
use crate::vocab::Side;

/// The colour of a side's pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// At the bottom of the board, moving up.
    White,
    /// At the top, moving down.
    Black,
}

/// What happens to a man that reaches the far row in the middle of a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crowning {
    /// It is crowned, and the move ends.
    Stops,
    /// It goes on as a man if it can, and is crowned only where the move ends.
    Passes,
    /// It is crowned, and goes on as a king if it can.
    GoesOn,
}

/// The squares behind a captured piece on which a king may land.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KingLanding {
    /// Those from which it can go on capturing, if there is one; otherwise all.
    WhereItGoesOn,
    /// Those up to the first from which it can go on capturing (the reading of the server TzDraft, RULES-draughts.md section 10.1).
    UpToGoingOn,
}

/// The rules of one game.
pub trait Variant: Width + Copy + Debug + Ord + Hash + Send + Sync + 'static {
    /// The rows that each side's men fill at the start.
    const MEN_ROWS: u32;
    /// The colour that begins.
    const BEGINS: Colour;
    /// Whether men capture backwards as well.
    const MEN_CAPTURE_BACKWARDS: bool;
    /// Whether only the captures of most pieces are legal.
    const MAJORITY: bool;
    /// The crowning of a man in the middle of a capture.
    const CROWNING: Crowning;
    /// Whether kings move any number of squares; otherwise they move one.
    const KINGS_FLY: bool = true;
    /// Whether captures that differ in their paths alone are different moves (RULES-draughts.md section 7.3). Otherwise each is listed once.
    const EVERY_PATH_IS_A_MOVE: bool = false;
    /// The landing of a king.
    const KING_LANDING: KingLanding = KingLanding::WhereItGoesOn;
    /// Whether a king against a king is a draw at once, unless there is a capture.
    const KING_AGAINST_KING_IS_DRAWN: bool = false;
    /// The number of consecutive quiet plies with which the game is drawn.
    const QUIET_LIMIT: u32;
    /// The limits of endings, RULES-draughts.md section 6; at most four.
    const CLOCKS: &'static [Clock];
    /// The seed of the keys of the hash; its low bits are 0.
    const KEY_SEED: u64 = 0x6472_6175_0000_0000;

    /// The colour of a side.
    #[inline]
    fn colour(side: Side) -> Colour {
        match (side, Self::BEGINS) {
            (Side::First, colour) => colour,
            (Side::Second, Colour::White) => Colour::Black,
            (Side::Second, Colour::Black) => Colour::White,
        }
    }

    /// The row where a side's men are crowned.
    #[inline]
    fn far_row(side: Side) -> u64 {
        match Self::colour(side) {
            Colour::White => Geometry::<Self>::TOP_ROW,
            Colour::Black => Geometry::<Self>::BOTTOM_ROW,
        }
    }
}

/// American checkers, English draughts; RULES.md section 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct American;

/// Drafti ya Kitanzania, Tanzania Draughts-64.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Drafti;

/// Brazilian draughts, in Polish *warcaby klasyczne*.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Brazilian;

/// Russian draughts, *shashki*.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Russian;

/// International draughts on 10×10 squares, in Polish *warcaby stupolowe*.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct International;

/// American pool checkers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pool;

impl Width for American {
    const ROW: u32 = 4;
    type Landings = Directions;
}

impl Variant for American {
    const MEN_ROWS: u32 = 3;
    const BEGINS: Colour = Colour::Black;
    const MEN_CAPTURE_BACKWARDS: bool = false;
    const MAJORITY: bool = false;
    const CROWNING: Crowning = Crowning::Stops;
    const KINGS_FLY: bool = false;
    const EVERY_PATH_IS_A_MOVE: bool = true;
    /// 40 moves by each side, in plies.
    const QUIET_LIMIT: u32 = 80;
    const CLOCKS: &'static [Clock] = &[];
    const KEY_SEED: u64 = 0x6368_6563_0000_0000;
}

impl Width for Drafti {
    const ROW: u32 = 4;
    type Landings = Squares<2, 4>;
}

impl Variant for Drafti {
    const MEN_ROWS: u32 = 3;
    const BEGINS: Colour = Colour::White;
    const MEN_CAPTURE_BACKWARDS: bool = false;
    const MAJORITY: bool = false;
    const CROWNING: Crowning = Crowning::Stops;
    const KING_AGAINST_KING_IS_DRAWN: bool = true;
    const QUIET_LIMIT: u32 = 80;
    const CLOCKS: &'static [Clock] = &[
        Clock {
            holds: |m| m.lone_king_against(|men, kings| men + kings == 2 && kings >= 1),
            counts: Counts::LoneKing,
            limit: 5,
            resets: Resets::None,
        },
        Clock {
            holds: |m| m.lone_king_against(|_, kings| kings >= 3),
            counts: Counts::StrongerSide,
            limit: 12,
            resets: Resets::None,
        },
        Clock {
            holds: |m| m.men.first + m.men.second == 0,
            counts: Counts::EveryPly,
            limit: 60,
            resets: Resets::Capture,
        },
    ];
}

/// Five moves of each side with a lone king against one or two pieces.
const FIVE_MOVES: Clock = Clock {
    holds: |m| m.lone_king_against(|men, kings| men + kings <= 2 && kings >= 1),
    counts: Counts::EveryPly,
    limit: 10,
    resets: Resets::None,
};

/// The clocks of Russian and of Brazilian draughts.
const CLOCKS_OF_64: &[Clock] = &[
    FIVE_MOVES,
    Clock {
        holds: |m| {
            m.lone_king_against(|men, kings| men + kings == 3 && kings >= 1)
                && m.lone_king_has_road()
        },
        counts: Counts::EveryPly,
        limit: 10,
        resets: Resets::None,
    },
    Clock {
        holds: |m| m.both_have_kings() && matches!(m.pieces(), 4 | 5),
        counts: Counts::EveryPly,
        limit: 60,
        resets: Resets::CaptureOrCrowning,
    },
    Clock {
        holds: |m| m.both_have_kings() && matches!(m.pieces(), 6 | 7),
        counts: Counts::EveryPly,
        limit: 120,
        resets: Resets::CaptureOrCrowning,
    },
];

impl Width for Brazilian {
    const ROW: u32 = 4;
    type Landings = Squares<2, 4>;
}

impl Variant for Brazilian {
    const MEN_ROWS: u32 = 3;
    const BEGINS: Colour = Colour::White;
    const MEN_CAPTURE_BACKWARDS: bool = true;
    const MAJORITY: bool = true;
    const CROWNING: Crowning = Crowning::Passes;
    const QUIET_LIMIT: u32 = 30;
    const CLOCKS: &'static [Clock] = CLOCKS_OF_64;
}

impl Width for Russian {
    const ROW: u32 = 4;
    type Landings = Squares<2, 4>;
}

impl Variant for Russian {
    const MEN_ROWS: u32 = 3;
    const BEGINS: Colour = Colour::White;
    const MEN_CAPTURE_BACKWARDS: bool = true;
    const MAJORITY: bool = false;
    const CROWNING: Crowning = Crowning::GoesOn;
    const QUIET_LIMIT: u32 = 30;
    const CLOCKS: &'static [Clock] = CLOCKS_OF_64;
}

impl Width for International {
    const ROW: u32 = 5;
    type Landings = Squares<4, 5>;
}

impl Variant for International {
    const MEN_ROWS: u32 = 4;
    const BEGINS: Colour = Colour::White;
    const MEN_CAPTURE_BACKWARDS: bool = true;
    const MAJORITY: bool = true;
    const CROWNING: Crowning = Crowning::Passes;
    const QUIET_LIMIT: u32 = 50;
    const CLOCKS: &'static [Clock] = &[
        FIVE_MOVES,
        Clock {
            holds: |m| m.lone_king_against(|men, kings| men + kings <= 3 && kings >= 1),
            counts: Counts::EveryPly,
            limit: 32,
            resets: Resets::None,
        },
    ];
}

impl Width for Pool {
    const ROW: u32 = 4;
    type Landings = Squares<2, 4>;
}

impl Variant for Pool {
    const MEN_ROWS: u32 = 3;
    const BEGINS: Colour = Colour::Black;
    const MEN_CAPTURE_BACKWARDS: bool = true;
    const MAJORITY: bool = false;
    const CROWNING: Crowning = Crowning::Passes;
    const QUIET_LIMIT: u32 = 30;
    const CLOCKS: &'static [Clock] = &[Clock {
        holds: |m| m.lone_king_against(|_, kings| kings >= 3),
        counts: Counts::StrongerSide,
        limit: 13,
        resets: Resets::None,
    }];
}
