//! The reasons why a move is refused.

use std::error::Error;
use std::fmt;

use crate::error::{MoveParseError, PlayError};

/// The reason for refusing a move of Bao. The position is as it was before the attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Refusal {
    /// The game has ended.
    GameOver,
    /// The text is not the notation of any move.
    MalformedMove,
    /// The pit holds no seeds.
    EmptyPit,
    /// A capture is possible and must be made.
    CaptureCompulsory,
    /// The kichwa of a capture at a kimbi is not chosen, so the move has no letter.
    KichwaIsForced,
    /// The move needs the letter of its direction.
    DirectionMissing,
    /// `>` although no lap of a capture ends in a house that can be played.
    NoHouseToPlay,
    /// The seed from the store goes into the front row.
    SeedGoesInFront,
    /// The house is not the start while another front pit holds seeds.
    HouseIsKept,
    /// The pit holds one seed only.
    Singleton,
    /// The pit is takasia-ed.
    Takasia,
    /// A back pit, while a front pit can start.
    FrontRowFirst,
    /// The ply would sow more than 512 seeds.
    TooLong,
    /// The ply would leave the own front row empty.
    FrontRowEmptied,
}

impl Refusal {
    /// The stable code. It is that of [`PlayError`] where both have the reason.
    pub const fn code(self) -> &'static str {
        match self {
            Refusal::GameOver => PlayError::GameOver.code(),
            Refusal::MalformedMove => PlayError::MalformedMove.code(),
            Refusal::EmptyPit => "empty-pit",
            Refusal::CaptureCompulsory => PlayError::CaptureCompulsory.code(),
            Refusal::KichwaIsForced => "kichwa-is-forced",
            Refusal::DirectionMissing => "direction-missing",
            Refusal::NoHouseToPlay => "no-house-to-play",
            Refusal::SeedGoesInFront => "seed-goes-in-front",
            Refusal::HouseIsKept => "house-is-kept",
            Refusal::Singleton => "singleton",
            Refusal::Takasia => "takasia",
            Refusal::FrontRowFirst => "front-row-first",
            Refusal::TooLong => "too-long",
            Refusal::FrontRowEmptied => "front-row-emptied",
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Refusal::GameOver => "the game is over",
            Refusal::MalformedMove => "this is not how a move is written",
            Refusal::EmptyPit => "there are no seeds in the pit",
            Refusal::CaptureCompulsory => "a capture is possible, so it has to be made",
            Refusal::KichwaIsForced => "here the kichwa of the capture cannot be chosen",
            Refusal::DirectionMissing => "the move needs a direction",
            Refusal::NoHouseToPlay => "the move does not end in a house that could be played",
            Refusal::SeedGoesInFront => "a seed from the store is put into the front row",
            Refusal::HouseIsKept => "the house is not sown while another front pit has seeds",
            Refusal::Singleton => "a single seed cannot be sown here",
            Refusal::Takasia => "the pit is takasia-ed for this ply",
            Refusal::FrontRowFirst => "a pit of the front row can be sown, so it has to be",
            Refusal::TooLong => "the sowing would be too long",
            Refusal::FrontRowEmptied => "the own front row must not become empty",
        })
    }
}

impl Error for Refusal {}

impl From<MoveParseError> for Refusal {
    fn from(_: MoveParseError) -> Self {
        Refusal::MalformedMove
    }
}
