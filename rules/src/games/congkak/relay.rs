//! One ply: sowing, lifting and sowing on, until the ply ends.

use super::size::HOUSES;
use crate::games::sowing::{self, Board, HALF, Seeds};

/// The number of lanes that are sown into. They are adjacent: the mover's houses and store, the
/// opponent's houses.
const CYCLE: usize = 15;
const STORE: usize = Board::<HOUSES>::STORE;

const SPREADS: [[Seeds; CYCLE]; CYCLE] =
    sowing::spreads(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]);
const LAP: Seeds = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0];

/// Sows from a lane, around burnt houses (one bit a lane); returns whether the ply ends in the
/// store.
#[inline(always)]
pub(super) fn sow(board: &mut Board<HOUSES>, from: usize, burnt: u16) -> bool {
    match burnt {
        0 => sow_noting(board, from, || ()),
        burnt => sow_around(board, from, burnt, || ()),
    }
}

/// The number of times that seeds are lifted in a ply.
pub(super) fn handfuls(mut board: Board<HOUSES>, from: usize, burnt: u16) -> u32 {
    let mut handfuls = 0;
    match burnt {
        0 => sow_noting(&mut board, from, || handfuls += 1),
        burnt => sow_around(&mut board, from, burnt, || handfuls += 1),
    };
    handfuls
}

/// Sows while no house is burnt, many seeds at a time; calls `lift` for every handful.
#[inline(always)]
fn sow_noting(board: &mut Board<HOUSES>, from: usize, mut lift: impl FnMut()) -> bool {
    let mut at = from;
    loop {
        lift();
        let seeds = board.take(at);
        if seeds == 0 {
            // The move was not legal: the house has no seeds.
            return false;
        }
        let (laps, rest) = (seeds / CYCLE as u16, usize::from(seeds) % CYCLE);
        board.spread(&SPREADS[at][rest], 1);
        if laps > 0 {
            board.spread(&LAP, laps);
        }
        at += rest;
        if at >= CYCLE {
            at -= CYCLE;
        }
        if at == STORE {
            return true;
        }
        if board.get(at) == 1 {
            end_in_empty_house(board, at);
            return false;
        }
    }
}

/// As [`sow_noting`], but seed by seed and around burnt houses.
fn sow_around(board: &mut Board<HOUSES>, from: usize, burnt: u16, mut lift: impl FnMut()) -> bool {
    let mut at = from;
    loop {
        lift();
        let seeds = board.take(at);
        if seeds == 0 {
            // The move was not legal: the house has no seeds.
            return false;
        }
        for _ in 0..seeds {
            at = (at + 1) % CYCLE;
            // The store is never burnt.
            while burnt >> at & 1 != 0 {
                at = (at + 1) % CYCLE;
            }
            board.put(at, 1);
        }
        if at == STORE {
            return true;
        }
        if board.get(at) == 1 {
            end_in_empty_house(board, at);
            return false;
        }
    }
}

/// Ends a ply whose last seed fell into an empty house: a capture (*tembak*) in the own row,
/// otherwise the seed stays.
#[inline(always)]
fn end_in_empty_house(board: &mut Board<HOUSES>, at: usize) {
    if at < HALF {
        let captured = board.take(at) + board.take(Board::<HOUSES>::facing(at));
        board.put(STORE, captured);
    }
}
