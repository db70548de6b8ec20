//! Retrograde analysis of one material, or of two that differ only in the side to move.
//!
//! First, every position is visited once with its legal moves: the values after moves that leave the
//! slice (captures, crownings) are known already, the other moves are counted. Then a round for each
//! number of plies to the end, from 0 on: the positions decided in that number decide positions one
//! ply earlier.

use std::sync::atomic::{AtomicU8, Ordering};

use super::super::chunks::in_chunks;
use super::super::database::Progress;
use super::game::{Effect, MenAndKings};
use super::index::{Board, Material, Neighbours};
use super::values::{DRAW, NO_POSITION, PiecesDatabase, PiecesValue};

const NEIGHBOURS: Neighbours = Neighbours::new();

/// In `moves`: no move without a capture is legal.
const CAPTURES: u8 = 0x40;
/// In `moves`: a move that leaves the slice does not lose.
const HOLDS: u8 = 0x80;
/// In `moves`: the moves within the slice that are not known to lose.
const COUNT: u8 = 0x3f;

/// The state of a slice while it is solved; plies are counted from 1, as in the values.
struct Work {
    material: Material,
    values: Vec<u8>,
    moves: Vec<u8>,
    /// The fewest plies to a win by a move out of the slice; 0 without such a move.
    exit_wins: Vec<u8>,
    /// The most plies to a loss by a move out of the slice; 0 without such a move.
    exit_losses: Vec<u8>,
}

/// The values of these slices; `before` has all slices to which their moves lead.
pub(super) fn solve<P: MenAndKings>(
    before: &PiecesDatabase<P>,
    materials: &[Material],
    threads: usize,
    told: &mut dyn FnMut(Progress),
) -> Vec<Vec<u8>> {
    let mut works: Vec<Work> = materials
        .iter()
        .map(|material| Work::new(before, *material, threads, told))
        .collect();
    let of = works.iter().map(|work| work.values.len()).sum();
    // A round that decides nothing is not the last if a move out of the slice decides a position in a
    // later one.
    let exits = works
        .iter()
        .flat_map(|work| work.exit_wins.iter().chain(&work.exit_losses));
    let last_exit = exits.copied().max().unwrap_or(0);
    for plies in 1..NO_POSITION {
        let mut done = 0;
        let mut decided = false;
        for turn in 0..works.len() {
            for number in 0..works[turn].values.len() {
                if works[turn].is_decided_in(number, plies) {
                    decided = true;
                    // In the positions one ply earlier the other side is to move.
                    let (material, earlier) = (works[turn].material, works.len() - 1 - turn);
                    let board = material.unrank(number);
                    if let Some(board) = board {
                        decide_before::<P>(&board, plies, &mut works[earlier]);
                    }
                }
            }
            done += works[turn].values.len();
            told(Progress {
                round: u32::from(plies),
                done,
                of,
            });
        }
        if !decided && plies > last_exit {
            break;
        }
    }
    works.into_iter().map(|work| work.values).collect()
}

impl Work {
    fn new<P: MenAndKings>(
        before: &PiecesDatabase<P>,
        material: Material,
        threads: usize,
        told: &mut dyn FnMut(Progress),
    ) -> Self {
        let length = material.length(P::MOST_PIECES);
        let bytes = || -> Vec<AtomicU8> { (0..length).map(|_| AtomicU8::new(0)).collect() };
        let (values, moves, exit_wins, exit_losses) = (bytes(), bytes(), bytes(), bytes());
        let mut told_done = |done| {
            told(Progress {
                round: 0,
                done,
                of: length,
            });
        };
        in_chunks(length, threads, &mut told_done, &|chunk| {
            for number in chunk {
                let Some(board) = material.unrank(number) else {
                    values[number].store(NO_POSITION, Ordering::Relaxed);
                    continue;
                };
                let look = Look::at(before, &board);
                moves[number].store(look.moves, Ordering::Relaxed);
                exit_wins[number].store(look.exit_win, Ordering::Relaxed);
                exit_losses[number].store(look.exit_loss, Ordering::Relaxed);
            }
        });
        let plain = |bytes: Vec<AtomicU8>| bytes.into_iter().map(AtomicU8::into_inner).collect();
        Self {
            material,
            values: plain(values),
            moves: plain(moves),
            exit_wins: plain(exit_wins),
            exit_losses: plain(exit_losses),
        }
    }

    /// Whether a position is decided in exactly this many plies; if so, its value is stored.
    #[inline]
    fn is_decided_in(&mut self, number: usize, plies: u8) -> bool {
        let value = self.values[number];
        if value != DRAW {
            return value == plies;
        }
        let loses =
            self.moves[number] & (COUNT | HOLDS) == 0 && self.exit_losses[number].max(1) == plies;
        if self.exit_wins[number] == plies || loses {
            self.values[number] = plies;
            return true;
        }
        false
    }
}

/// The result of visiting the moves of a position.
struct Look {
    moves: u8,
    exit_win: u8,
    exit_loss: u8,
}

impl Look {
    fn at<P: MenAndKings>(before: &PiecesDatabase<P>, board: &Board) -> Self {
        let mut look = Look {
            moves: 0,
            exit_win: 0,
            exit_loss: 0,
        };
        let pos = board.position::<P>();
        let moves = pos.legal_moves();
        let is_drawn = |pos: &P| pos.outcome().is_some_and(|end| end.winner.is_none());
        if moves.is_empty() && is_drawn(&pos) {
            // A draw by the position alone: nothing is played from it, so no later position decides it.
            look.moves = CAPTURES | HOLDS;
        }
        for m in moves {
            match pos.effect(m) {
                Effect::Step => {
                    look.moves += 1;
                    continue;
                }
                Effect::Crowning => (),
                Effect::Capture => look.moves |= CAPTURES,
            }
            let mut child = pos.clone();
            child.play_unchecked(m);
            let value = before
                .value(&child)
                .expect("what is solved earlier is there");
            match value {
                PiecesValue::Loss(plies) => {
                    let win = byte(plies + 1);
                    if look.exit_win == 0 || win < look.exit_win {
                        look.exit_win = win;
                    }
                    look.moves |= HOLDS;
                }
                PiecesValue::Draw => look.moves |= HOLDS,
                PiecesValue::Win(plies) => {
                    look.exit_loss = look.exit_loss.max(byte(plies + 1));
                }
            }
        }
        look
    }
}

/// The byte of a value.
fn byte(plies: u32) -> u8 {
    let byte = u8::try_from(plies + 1).unwrap_or(NO_POSITION);
    assert!(
        byte < NO_POSITION,
        "no win with so few pieces takes so long"
    );
    byte
}

/// Updates the positions one ply earlier: this one is decided in `plies`.
fn decide_before<P: MenAndKings>(board: &Board, plies: u8, earlier: &mut Work) {
    let is_lost = plies % 2 == 1;
    let empty = !board.all();
    let mut tell = |before: Board| {
        let before = before.turned();
        let number = earlier.material.rank(&before);
        if earlier.values[number] != DRAW || earlier.moves[number] & CAPTURES != 0 {
            return;
        }
        if is_lost {
            earlier.values[number] = plies + 1;
            return;
        }
        earlier.moves[number] -= 1;
        let is_last = earlier.moves[number] & (COUNT | HOLDS) == 0;
        if is_last && earlier.exit_losses[number] <= plies + 1 {
            earlier.values[number] = plies + 1;
        }
    };
    // The other side's men move up the board, so they came from below.
    let mut men = board.other_men;
    while men != 0 {
        let square = men.trailing_zeros() as usize & 31;
        for neighbours in &NEIGHBOURS.below {
            let origin = neighbours[square] & empty;
            if origin != 0 {
                tell(Board {
                    other_men: board.other_men & !(1 << square) | origin,
                    ..*board
                });
            }
        }
        men &= men - 1;
    }
    let mut kings = board.other_kings;
    while kings != 0 {
        let square = kings.trailing_zeros() as usize & 31;
        for neighbours in NEIGHBOURS.below.iter().chain(&NEIGHBOURS.above) {
            let mut origin = neighbours[square] & empty;
            while origin != 0 {
                tell(Board {
                    other_kings: board.other_kings & !(1 << square) | origin,
                    ..*board
                });
                if !P::KINGS_FLY {
                    break;
                }
                // A flying king came over empty squares only.
                origin = neighbours[origin.trailing_zeros() as usize & 31] & empty;
            }
        }
        kings &= kings - 1;
    }
}
