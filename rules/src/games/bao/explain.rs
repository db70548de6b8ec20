//! Finding the reason why a move is refused.

use super::board::{Board, HOUSE_POWER, Stage};
use super::legal;
use super::moves::{BaoMove, Letter};
use super::ply::Broken;
use super::ring::Pit;
use crate::error::PlayError;

/// The reason why a move is not legal on a board on which the game is not over.
pub(super) fn explain(board: &Board, m: BaoMove) -> PlayError {
    let pit = m.pit();
    if board.mover.get(pit) == 0 {
        return PlayError::EmptyPit;
    }
    match (board.stage(), board.has_capture(), m.letter()) {
        (Stage::Namua, true, letter) => namua_capture(board, m, letter),
        (Stage::Mtaji | Stage::Namua, _, None) => PlayError::DirectionMissing,
        (Stage::Mtaji, true, Some(letter)) => match board.reaches_capture(pit, letter) {
            None => PlayError::CaptureCompulsory,
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

fn namua_capture(board: &Board, m: BaoMove, letter: Option<Letter>) -> PlayError {
    if !m.pit().is_front() {
        PlayError::SeedGoesInFront
    } else if !board.captures_at(m.pit()) {
        PlayError::CaptureCompulsory
    } else if letter.is_some() && m.pit().forced_kichwa().is_some() {
        PlayError::KichwaIsForced
    } else {
        sowing(board, m)
    }
}

/// The reason why a pit starts no takata of the namua stage.
fn namua_start(board: &Board, pit: Pit) -> Option<PlayError> {
    if !pit.is_front() {
        Some(PlayError::SeedGoesInFront)
    } else if board.namua_starts().any(|start| start == pit) {
        None
    } else if pit == Pit::HOUSE && board.mover.get(pit) >= HOUSE_POWER {
        Some(PlayError::HouseIsKept)
    } else {
        Some(PlayError::Singleton)
    }
}

/// The reason why a pit starts no takata of the mtaji stage.
fn mtaji_start(board: &Board, pit: Pit) -> Option<PlayError> {
    if board.mover.get(pit) == 1 {
        Some(PlayError::Singleton)
    } else if board.takasia == Some(pit) {
        Some(PlayError::Takasia)
    } else if !pit.is_front() && board.must_start_in_front() {
        Some(PlayError::FrontRowFirst)
    } else {
        None
    }
}

/// The fault of the sowing of a move whose opening is legal. Without one, `>` is the only part of
/// the move that can be wrong.
fn sowing(board: &Board, m: BaoMove) -> PlayError {
    match legal::trial(board, m) {
        Err(Broken::TooLong) => PlayError::SowingTooLong,
        Err(Broken::FrontRowEmptied) => PlayError::FrontRowEmptied,
        Err(Broken::NoSeeds) => PlayError::EmptyPit,
        Ok(_) => PlayError::NoHouseToPlay,
    }
}
