//! Errors of text and moves. Every error that a person can meet has a stable `code` (for the wire and
//! the message catalogues) and an English phrase (its `Display`).

use std::error::Error;
use std::fmt;

/// A word outside its closed set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnknownWord {
    /// Not the id of a game.
    GameKind,
    /// Neither `first` nor `second`.
    Side,
    /// Not a reason code.
    Reason,
}

impl UnknownWord {
    /// The stable code.
    pub const fn code(self) -> &'static str {
        match self {
            UnknownWord::GameKind => "unknown-game",
            UnknownWord::Side => "unknown-side",
            UnknownWord::Reason => "unknown-reason",
        }
    }
}

impl fmt::Display for UnknownWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            UnknownWord::GameKind => "there is no game of this name",
            UnknownWord::Side => "a side is `first` or `second`",
            UnknownWord::Reason => "there is no end reason of this name",
        })
    }
}

impl Error for UnknownWord {}

/// The error of an invalid position string: a fault and its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PositionError {
    /// Offset of the offending character in bytes, counted from 0; the length of the text if it ends too
    /// early.
    pub at: usize,
    /// The fault at that place.
    pub why: PositionFault,
}

impl PositionError {
    /// The stable code of [`why`](PositionError::why).
    pub const fn code(self) -> &'static str {
        self.why.code()
    }
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The text before `at` was valid, hence ASCII: its bytes and its characters agree in number.
        write!(f, "{} at character {}", self.why, self.at + 1)
    }
}

impl Error for PositionError {}

/// The kinds of faults in a position string.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PositionFault {
    /// A character that cannot stand here.
    UnexpectedSymbol,
    /// The text ends before the position is complete.
    EndsEarly,
    /// A row holds more squares or houses than the board.
    RowTooLong,
    /// A row holds fewer squares or houses than the board.
    RowTooShort,
    /// Two runs of empty squares stand next to each other.
    SplitRun,
    /// A number begins with a zero.
    LeadingZero,
    /// More seeds than a position may hold.
    TooManySeeds,
    /// Not a code of the side to move.
    UnknownSide,
    /// There is text after the complete position.
    TrailingText,
    /// A square that already holds a piece.
    RepeatedSquare,
    /// A number that is no square of the board.
    NoSuchSquare,
    /// A man on the row that would have crowned it.
    UncrownedMan,
    /// A burnt house behind one that is not burnt, or a row of burnt houses only.
    MisplacedBurntHouse,
    /// A rubbish hole before one that is none, or a row of rubbish holes only.
    MisplacedRubbishHole,
    /// The mark of an owned house of Bao at another pit, or at an empty one.
    MisplacedHouseMark,
    /// The mark of takasia of Bao at a pit that cannot have it.
    MisplacedTakasiaMark,
    /// Stores of Bao that cannot occur with this side to move.
    UnfitStores,
}

impl PositionFault {
    /// The stable code.
    pub const fn code(self) -> &'static str {
        match self {
            PositionFault::UnexpectedSymbol => "unexpected-symbol",
            PositionFault::EndsEarly => "ends-early",
            PositionFault::RowTooLong => "row-too-long",
            PositionFault::RowTooShort => "row-too-short",
            PositionFault::SplitRun => "split-run",
            PositionFault::LeadingZero => "leading-zero",
            PositionFault::TooManySeeds => "too-many-seeds",
            PositionFault::UnknownSide => "unknown-side-to-move",
            PositionFault::TrailingText => "trailing-text",
            PositionFault::RepeatedSquare => "repeated-square",
            PositionFault::NoSuchSquare => "no-such-square",
            PositionFault::UncrownedMan => "uncrowned-man",
            PositionFault::MisplacedBurntHouse => "misplaced-burnt-house",
            PositionFault::MisplacedRubbishHole => "misplaced-rubbish-hole",
            PositionFault::MisplacedHouseMark => "misplaced-house-mark",
            PositionFault::MisplacedTakasiaMark => "misplaced-takasia-mark",
            PositionFault::UnfitStores => "unfit-stores",
        }
    }
}

impl fmt::Display for PositionFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PositionFault::UnexpectedSymbol => "unexpected symbol",
            PositionFault::EndsEarly => "the position ends too early",
            PositionFault::RowTooLong => "the row is too long",
            PositionFault::RowTooShort => "the row is too short",
            PositionFault::SplitRun => "two numbers of empty squares in a row",
            PositionFault::LeadingZero => "a number begins with a zero",
            PositionFault::TooManySeeds => "more seeds than a board can hold",
            PositionFault::UnknownSide => "unknown side to move",
            PositionFault::TrailingText => "text after the position",
            PositionFault::RepeatedSquare => "the square is named twice",
            PositionFault::NoSuchSquare => "there is no square of this number",
            PositionFault::UncrownedMan => "a man on the row that crowns it",
            PositionFault::MisplacedBurntHouse => {
                "burnt are the lowest houses of a row, and never all"
            }
            PositionFault::MisplacedRubbishHole => {
                "rubbish holes are the highest pits of a row, and never all"
            }
            PositionFault::MisplacedHouseMark => "only a pit A5 with seeds is an owned house",
            PositionFault::MisplacedTakasiaMark => {
                "takasia marks one front pit with seeds of the side to move, when both stores are empty"
            }
            PositionFault::UnfitStores => "the stores do not fit the side to move",
        })
    }
}

/// The error of a setup string that is invalid for its game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SetupError {
    /// Not `key=value` pairs joined with commas.
    Malformed,
    /// The game has no option of this name.
    UnknownOption,
    /// The option does not take this value.
    BadValue,
    /// The same option twice.
    RepeatedOption,
    /// Options that are valid one by one but contradict each other.
    Contradiction,
    /// The opening has not been drawn yet, so no game can start.
    UndrawnOpening,
    /// The position as the start is not one of the game.
    Position(PositionError),
}

impl SetupError {
    /// The stable code.
    pub const fn code(self) -> &'static str {
        match self {
            SetupError::Malformed => "malformed-setup",
            SetupError::UnknownOption => "unknown-option",
            SetupError::BadValue => "bad-option-value",
            SetupError::RepeatedOption => "repeated-option",
            SetupError::Contradiction => "contradictory-options",
            SetupError::UndrawnOpening => "undrawn-opening",
            SetupError::Position(error) => error.code(),
        }
    }
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SetupError::Malformed => "a setup is `key=value` pairs joined with commas",
            SetupError::UnknownOption => "the game has no such option",
            SetupError::BadValue => "the option does not take this value",
            SetupError::RepeatedOption => "the option is given twice",
            SetupError::Contradiction => "the options do not go together",
            SetupError::UndrawnOpening => {
                "the opening is drawn by the server that makes the match; a game starts from the plies of one, such as opening=2514"
            }
            SetupError::Position(error) => return write!(f, "position: {error}"),
        })
    }
}

impl Error for SetupError {}

/// The error of text that is a move of the game in no position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MoveParseError;

impl MoveParseError {
    /// The stable code, which is that of [`PlayError::MalformedMove`].
    pub const fn code(self) -> &'static str {
        PlayError::MalformedMove.code()
    }
}

impl fmt::Display for MoveParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        PlayError::MalformedMove.fmt(f)
    }
}

impl Error for MoveParseError {}

impl From<MoveParseError> for PlayError {
    fn from(_: MoveParseError) -> Self {
        PlayError::MalformedMove
    }
}

/// The reason for refusing a move. The position is as it was before the attempt.
///
/// One closed set for all games, so that the page's message catalogue has one list to translate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PlayError {
    /// The game has ended.
    GameOver,
    /// The text is not the notation of any move.
    MalformedMove,
    /// A move of the game, but not legal here; used where no more specific reason is known.
    NoSuchMove,
    /// There is no stone or piece on the square of origin.
    EmptySquare,
    /// The stone belongs to the opponent.
    NotYourStone,
    /// The stone is pinned.
    Pinned,
    /// The target lies behind the stone.
    NotForward,
    /// The target lies on no line along which the stone moves.
    NotOnALine,
    /// Sideways a stone can only jump, by exactly two squares.
    SidewaysNeedsJump,
    /// There is no stone or piece to jump over.
    NothingToJump,
    /// A pinned opponent cannot be jumped.
    CannotJumpPinnedOpponent,
    /// An unpinned ally cannot be jumped.
    CannotJumpUnpinnedAlly,
    /// The target square is taken.
    Occupied,
    /// A stone stands in the way.
    Blocked,
    /// A jump must end on the square just beyond the jumped stone.
    JumpGoesNoFurther,
    /// A pass although a disc can be placed.
    CannotPass,
    /// A disc although none can be placed anywhere.
    MustPass,
    /// The disc would turn no other disc over.
    FlipsNothing,
    /// The piece belongs to the opponent.
    NotYourPiece,
    /// The target is not on a diagonal of the square of origin, or not within reach of a step or a jump.
    NotDiagonal,
    /// A man moves and captures forwards only.
    MenMoveForward,
    /// A capture is possible and must be made.
    CaptureCompulsory,
    /// The capture can continue and must.
    CaptureMustContinue,
    /// An own piece cannot be jumped.
    CannotJumpOwnPiece,
    /// No piece is jumped twice in one move.
    JumpedTwice,
    /// A man that is crowned stops there.
    CrowningEndsMove,
    /// A capture is written with `x`, a step to the next square with `-`.
    StepNotCapture,
    /// A king moves along a diagonal.
    KingNotDiagonal,
    /// A king jumps over one piece at a time.
    JumpsOverOne,
    /// A capture of more pieces is possible and must be made.
    TakeTheMost,
    /// The house holds no seeds.
    EmptyHouse,
    /// The house belongs to the opponent.
    NotYourHouse,
    /// The house is burnt for this round.
    BurntHouse,
    /// The pit is a rubbish hole for this round.
    RubbishHole,
    /// There is no house of this number.
    NoSuchHouse,
    /// The opponent has no seeds, and the move would give it none.
    MustFeedOpponent,
    /// Seeds in a store cannot be played.
    StoreIsNotPlayed,
    /// The game has no pass.
    NoPassInThisGame,
    /// The pit of Bao holds no seeds.
    EmptyPit,
    /// The kichwa of a capture at a kimbi is not chosen, so the move has no letter.
    KichwaIsForced,
    /// The move needs the letter of its direction.
    DirectionMissing,
    /// `>` although no lap of a capture ends in a nyumba that can be played.
    NoHouseToPlay,
    /// The seed from the store goes into the front row.
    SeedGoesInFront,
    /// The nyumba is not the start while another front pit holds seeds.
    HouseIsKept,
    /// The pit holds one seed only.
    Singleton,
    /// The pit is takasia-ed.
    Takasia,
    /// A pit of the back row, while one of the front row can start.
    FrontRowFirst,
    /// The sowing would be longer than the rules allow.
    SowingTooLong,
    /// The sowing would leave the own front row empty.
    FrontRowEmptied,
}

impl PlayError {
    /// Every reason, for message catalogues that must cover all.
    pub const ALL: &[PlayError] = &[
        PlayError::GameOver,
        PlayError::MalformedMove,
        PlayError::NoSuchMove,
        PlayError::EmptySquare,
        PlayError::NotYourStone,
        PlayError::Pinned,
        PlayError::NotForward,
        PlayError::NotOnALine,
        PlayError::SidewaysNeedsJump,
        PlayError::NothingToJump,
        PlayError::CannotJumpPinnedOpponent,
        PlayError::CannotJumpUnpinnedAlly,
        PlayError::Occupied,
        PlayError::Blocked,
        PlayError::JumpGoesNoFurther,
        PlayError::CannotPass,
        PlayError::MustPass,
        PlayError::FlipsNothing,
        PlayError::NotYourPiece,
        PlayError::NotDiagonal,
        PlayError::MenMoveForward,
        PlayError::CaptureCompulsory,
        PlayError::CaptureMustContinue,
        PlayError::CannotJumpOwnPiece,
        PlayError::JumpedTwice,
        PlayError::CrowningEndsMove,
        PlayError::StepNotCapture,
        PlayError::KingNotDiagonal,
        PlayError::JumpsOverOne,
        PlayError::TakeTheMost,
        PlayError::EmptyHouse,
        PlayError::NotYourHouse,
        PlayError::BurntHouse,
        PlayError::RubbishHole,
        PlayError::NoSuchHouse,
        PlayError::MustFeedOpponent,
        PlayError::StoreIsNotPlayed,
        PlayError::NoPassInThisGame,
        PlayError::EmptyPit,
        PlayError::KichwaIsForced,
        PlayError::DirectionMissing,
        PlayError::NoHouseToPlay,
        PlayError::SeedGoesInFront,
        PlayError::HouseIsKept,
        PlayError::Singleton,
        PlayError::Takasia,
        PlayError::FrontRowFirst,
        PlayError::SowingTooLong,
        PlayError::FrontRowEmptied,
    ];

    /// The stable code.
    pub const fn code(self) -> &'static str {
        match self {
            PlayError::GameOver => "game-over",
            PlayError::MalformedMove => "malformed-move",
            PlayError::NoSuchMove => "no-such-move",
            PlayError::EmptySquare => "empty-square",
            PlayError::NotYourStone => "not-your-stone",
            PlayError::Pinned => "pinned",
            PlayError::NotForward => "not-forward",
            PlayError::NotOnALine => "not-on-a-line",
            PlayError::SidewaysNeedsJump => "sideways-needs-jump",
            PlayError::NothingToJump => "nothing-to-jump",
            PlayError::CannotJumpPinnedOpponent => "cannot-jump-pinned-opponent",
            PlayError::CannotJumpUnpinnedAlly => "cannot-jump-unpinned-ally",
            PlayError::Occupied => "occupied",
            PlayError::Blocked => "blocked",
            PlayError::JumpGoesNoFurther => "jump-goes-no-further",
            PlayError::CannotPass => "cannot-pass",
            PlayError::MustPass => "must-pass",
            PlayError::FlipsNothing => "flips-nothing",
            PlayError::NotYourPiece => "not-your-piece",
            PlayError::NotDiagonal => "not-diagonal",
            PlayError::MenMoveForward => "men-move-forward",
            PlayError::CaptureCompulsory => "capture-compulsory",
            PlayError::CaptureMustContinue => "capture-must-continue",
            PlayError::CannotJumpOwnPiece => "cannot-jump-own-piece",
            PlayError::JumpedTwice => "jumped-twice",
            PlayError::CrowningEndsMove => "crowning-ends-move",
            PlayError::StepNotCapture => "step-not-capture",
            PlayError::KingNotDiagonal => "king-not-diagonal",
            PlayError::JumpsOverOne => "jumps-over-one",
            PlayError::TakeTheMost => "take-the-most",
            PlayError::EmptyHouse => "empty-house",
            PlayError::NotYourHouse => "not-your-house",
            PlayError::BurntHouse => "burnt-house",
            PlayError::RubbishHole => "rubbish-hole",
            PlayError::NoSuchHouse => "no-such-house",
            PlayError::MustFeedOpponent => "must-feed-opponent",
            PlayError::StoreIsNotPlayed => "store-is-not-played",
            PlayError::NoPassInThisGame => "no-pass-in-this-game",
            PlayError::EmptyPit => "empty-pit",
            PlayError::KichwaIsForced => "kichwa-is-forced",
            PlayError::DirectionMissing => "direction-missing",
            PlayError::NoHouseToPlay => "no-house-to-play",
            PlayError::SeedGoesInFront => "seed-goes-in-front",
            PlayError::HouseIsKept => "house-is-kept",
            PlayError::Singleton => "singleton",
            PlayError::Takasia => "takasia",
            PlayError::FrontRowFirst => "front-row-first",
            PlayError::SowingTooLong => "sowing-too-long",
            PlayError::FrontRowEmptied => "front-row-emptied",
        }
    }
}

impl fmt::Display for PlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PlayError::GameOver => "the game is over",
            PlayError::MalformedMove => "this is not how a move is written",
            PlayError::NoSuchMove => "this move is not possible here",
            PlayError::EmptySquare => "there is nothing on the first square",
            PlayError::NotYourStone => "the stone belongs to the opponent",
            PlayError::Pinned => "the stone is pinned",
            PlayError::NotForward => "stones never move backwards",
            PlayError::NotOnALine => "a stone moves along a forward diagonal or jumps sideways",
            PlayError::SidewaysNeedsJump => {
                "sideways a stone moves only by jumping one other stone"
            }
            PlayError::NothingToJump => "there is nothing to jump over",
            PlayError::CannotJumpPinnedOpponent => "a pinned opponent cannot be jumped",
            PlayError::CannotJumpUnpinnedAlly => "an unpinned ally cannot be jumped",
            PlayError::Occupied => "the target square is occupied",
            PlayError::Blocked => "something stands in the way",
            PlayError::JumpGoesNoFurther => "a jump ends just beyond the jumped stone",
            PlayError::CannotPass => "a disc can be placed, so passing is not possible",
            PlayError::MustPass => "no disc can be placed, so the only move is to pass",
            PlayError::FlipsNothing => "the disc would turn nothing over",
            PlayError::NotYourPiece => "the piece belongs to the opponent",
            PlayError::NotDiagonal => {
                "a piece moves to the next square of a diagonal, or jumps to the one behind it"
            }
            PlayError::MenMoveForward => "men move and capture forwards only",
            PlayError::CaptureCompulsory => "a capture is possible, so it has to be made",
            PlayError::CaptureMustContinue => "the piece can capture on, so it has to",
            PlayError::CannotJumpOwnPiece => "an own piece cannot be jumped",
            PlayError::JumpedTwice => "no piece is jumped twice in one move",
            PlayError::CrowningEndsMove => "a man that is crowned goes no further in the same move",
            PlayError::StepNotCapture => {
                "a capture is written with x, a step to the next square with -"
            }
            PlayError::KingNotDiagonal => "a king moves along a diagonal",
            PlayError::JumpsOverOne => "a king jumps over one piece at a time",
            PlayError::TakeTheMost => {
                "another capture takes more pieces, and the one that takes the most has to be made"
            }
            PlayError::EmptyHouse => "there are no seeds in the house",
            PlayError::NotYourHouse => "the house belongs to the opponent",
            PlayError::BurntHouse => "the house is burnt for this round",
            PlayError::RubbishHole => "the pit is a rubbish hole for this round",
            PlayError::NoSuchHouse => "there is no house of this number",
            PlayError::MustFeedOpponent => "the opponent has no seeds and must be given some",
            PlayError::StoreIsNotPlayed => "seeds in a store stay there",
            PlayError::NoPassInThisGame => "there is no pass in this game",
            PlayError::EmptyPit => "there are no seeds in the pit",
            PlayError::KichwaIsForced => "here the kichwa of the capture cannot be chosen",
            PlayError::DirectionMissing => "the move needs a direction",
            PlayError::NoHouseToPlay => "the sowing does not end in a nyumba that could be played",
            PlayError::SeedGoesInFront => "a seed from the store is put into the front row",
            PlayError::HouseIsKept => {
                "the nyumba is not sown while another pit of the front row has seeds"
            }
            PlayError::Singleton => "a single seed cannot be sown here",
            PlayError::Takasia => "the pit is takasia-ed for this move",
            PlayError::FrontRowFirst => "a pit of the front row can be sown, so it has to be",
            PlayError::SowingTooLong => {
                "the sowing would go on for more seeds than the limit (512, in Pallanguzhi 1000)"
            }
            PlayError::FrontRowEmptied => "the own front row must not become empty",
        })
    }
}

impl Error for PlayError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn play_error_codes_are_distinct_and_spelled_for_the_wire() {
        for (i, error) in PlayError::ALL.iter().enumerate() {
            assert!(
                PlayError::ALL[..i]
                    .iter()
                    .all(|other| other.code() != error.code())
            );
            assert!(
                error
                    .code()
                    .bytes()
                    .all(|b| b == b'-' || b.is_ascii_lowercase())
            );
        }
    }

    #[test]
    fn a_position_error_says_what_and_where() {
        let error = PositionError {
            at: 8,
            why: PositionFault::RowTooLong,
        };
        assert_eq!(error.to_string(), "the row is too long at character 9");
        assert_eq!(error.code(), "row-too-long");
    }
}
