//! Finding the reason why a move is refused.

use super::board::{Board, HOUSE_POWER, Stage};
use super::legal;
use super::moves::{BaoMove, Letter};
use super::ply::Broken;
use super::refusal::Refusal;
use super::ring::Pit;

/// The reason why a move is not legal on a board on which the game is not over.
pub(super) fn explain(board: &Board, m: BaoMove) -> Refusal {
    let pit = m.pit();
    if board.mover.get(pit) == 0 {
        return Refusal::EmptyPit;
    }
    match (board.stage(), board.has_capture(), m.letter()) {
        (Stage::Namua, true, letter) => namua_capture(board, m, letter),
        (Stage::Mtaji | Stage::Namua, _, None) => Refusal::DirectionMissing,
        (Stage::Mtaji, true, Some(letter)) => match board.reaches_capture(pit, letter) {
            None => Refusal::CaptureCompulsory,
            Some(_) => sowing(board, m),
        },
        (Stage::Namua, false, Some(_)) => {
            namua_start(board, pit).unwrap_or_else(|| sowing(board, m))
        }
        (Stage::Mtaji, false, Some(_)) => {
            mtaji_start(board, pit).unwrap_or_else(|| sowing(board, m))
        }
    }
}

fn namua_capture(board: &Board, m: BaoMove, letter: Option<Letter>) -> Refusal {
    if !m.pit().is_front() {
        Refusal::SeedGoesInFront
    } else if !board.captures_at(m.pit()) {
        Refusal::CaptureCompulsory
    } else if letter.is_some() && m.pit().forced_kichwa().is_some() {
        Refusal::KichwaIsForced
    } else {
        sowing(board, m)
    }
}

/// The reason why a pit starts no takata of the namua stage.
fn namua_start(board: &Board, pit: Pit) -> Option<Refusal> {
    if !pit.is_front() {
        Some(Refusal::SeedGoesInFront)
    } else if board.namua_starts().any(|start| start == pit) {
        None
    } else if pit == Pit::HOUSE && board.mover.get(pit) >= HOUSE_POWER {
        Some(Refusal::HouseIsKept)
    } else {
        Some(Refusal::Singleton)
    }
}

/// The reason why a pit starts no takata of the mtaji stage.
fn mtaji_start(board: &Board, pit: Pit) -> Option<Refusal> {
    if board.mover.get(pit) == 1 {
        Some(Refusal::Singleton)
    } else if board.takasia == Some(pit) {
        Some(Refusal::Takasia)
    } else if !pit.is_front() && board.must_start_in_front() {
        Some(Refusal::FrontRowFirst)
    } else {
        None
    }
}

/// The fault of the sowing of a move whose opening is legal. Without one, `>` is the only part of
/// the move that can be wrong.
fn sowing(board: &Board, m: BaoMove) -> Refusal {
    match legal::trial(board, m) {
        Err(Broken::TooLong) => Refusal::TooLong,
        Err(Broken::FrontRowEmptied) => Refusal::FrontRowEmptied,
        Err(Broken::NoSeeds) => Refusal::EmptyPit,
        Ok(_) => Refusal::NoHouseToPlay,
    }
}
