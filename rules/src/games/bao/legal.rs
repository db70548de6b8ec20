//! The legal moves (RULES-bao.md sections 3, 5, 6, 7 and 10).

use std::ops::ControlFlow;

use super::board::{Board, Stage};
use super::moves::{BaoMove, Letter};
use super::ply::{self, Broken};
use super::ring::Pit;
use super::step::PlyEnd;

/// Calls `push` for every legal move, sorted by text.
#[inline]
pub(super) fn for_each(board: &Board, mut push: impl FnMut(BaoMove)) {
    let _ = visit(board, |m| {
        push(m);
        ControlFlow::Continue(())
    });
}

/// Whether there is a legal move.
#[inline]
pub(super) fn is_any(board: &Board) -> bool {
    visit(board, |_| ControlFlow::Break(())).is_break()
}

/// Calls `push` for the legal moves, sorted by text, until it breaks.
#[inline]
fn visit(board: &Board, mut push: impl FnMut(BaoMove) -> ControlFlow<()>) -> ControlFlow<()> {
    if board.has_empty_front() {
        return ControlFlow::Continue(());
    }
    match (board.stage(), board.has_capture()) {
        (Stage::Namua, true) => namua_captures(board, &mut push),
        (Stage::Mtaji, true) => mtaji_captures(board, &mut push),
        (Stage::Namua, false) => takatas(board, board.namua_starts(), &mut push),
        (Stage::Mtaji, false) => takatas(board, board.mtaji_starts(), &mut push),
    }
}

/// The end of the sowing of a move whose opening is legal.
pub(super) fn trial(board: &Board, m: BaoMove) -> Result<PlyEnd, Broken> {
    let mut board = *board;
    ply::sow(&mut board, m, &mut |_| ())
}

fn namua_captures(
    board: &Board,
    push: &mut impl FnMut(BaoMove) -> ControlFlow<()>,
) -> ControlFlow<()> {
    for pit in Pit::front_row().filter(|pit| board.captures_at(*pit)) {
        if pit.forced_kichwa().is_some() {
            namua_capture(board, BaoMove::new(pit, None), push)?;
        } else {
            for letter in Letter::BOTH {
                namua_capture(board, BaoMove::new(pit, Some(letter)), push)?;
            }
        }
    }
    ControlFlow::Continue(())
}

/// The two spellings of a capture, of which `>` plays a house that the other one stops at.
fn namua_capture(
    board: &Board,
    m: BaoMove,
    push: &mut impl FnMut(BaoMove) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let Ok(end) = trial(board, m) else {
        return ControlFlow::Continue(());
    };
    push(m)?;
    let played = m.with_house_played(true);
    if end == PlyEnd::House && trial(board, played).is_ok() {
        push(played)?;
    }
    ControlFlow::Continue(())
}

fn mtaji_captures(
    board: &Board,
    push: &mut impl FnMut(BaoMove) -> ControlFlow<()>,
) -> ControlFlow<()> {
    for pit in Pit::ALL {
        for letter in Letter::BOTH {
            let m = BaoMove::new(pit, Some(letter));
            if board.reaches_capture(pit, letter).is_some() && trial(board, m).is_ok() {
                push(m)?;
            }
        }
    }
    ControlFlow::Continue(())
}

fn takatas(
    board: &Board,
    starts: impl Iterator<Item = Pit>,
    push: &mut impl FnMut(BaoMove) -> ControlFlow<()>,
) -> ControlFlow<()> {
    for pit in starts {
        for letter in Letter::BOTH {
            let m = BaoMove::new(pit, Some(letter));
            if trial(board, m).is_ok() {
                push(m)?;
            }
        }
    }
    ControlFlow::Continue(())
}
