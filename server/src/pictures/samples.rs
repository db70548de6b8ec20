//! A position from the middle of each game, for pages that show no match.

use mawe_rules::{AnyPosition, AnySetup, GameKind};

use super::last_move::LastMove;

/// The first plies of a recorded game.
pub(super) fn moves(game: GameKind) -> &'static str {
    match game {
        GameKind::Mawe => {
            "d1f3 g8f7 f3g4 f8g7 g1h2 g7h6 g4h5 f7e6 c1b2 e6f5 b2a3 c8b7 h2g3 b7a6 g3h4 b8c7 a3b4 f5d3 b4c5 c7b6 f1c4 h6f4 e1d2 f4g3 d2a5 g3f2 a5c7"
        }
        GameKind::Reversi => {
            "f5 d6 c4 d3 c3 f4 c5 b3 c2 e6 b4 f3 e3 e2 f2 d2 c1 a4 e1 c6 a3 g6 a5 b2 b5 d1 b6"
        }
        GameKind::Checkers => {
            "9-14 22-18 5-9 24-19 11-15 18x11 8x15x24 28x19 4-8 25-22 8-11 22-18 11-16 29-25 7-11 18-15 11x18 21-17 14x21 23x14x5 16x23 26x19 3-7"
        }
        GameKind::Drafti => {
            "23-19 10-14 26-23 9-13 23-18 14x23 27x18 12-16 19x12 11-15 18x11 8x15 21-17 5-9 31-26 15-19 24x15 9-14 17x10 7x14 22-18 14x23"
        }
        GameKind::Brazilian => {
            "22-17 9-14 23-18 14x23 26x19 10-14 17x10 7x14 27-23 14-17 21x14 2-7 19-15 11x18x27x20 30-26 12-16 28-24 20x27 32x23 6-10 25-21 10x17"
        }
        GameKind::Russian => {
            "24-20 10-14 22-17 12-16 17x10 6x15 21-17 8-12 27-24 15-18 23x14 9x18 25-22 18x25 29x22 7-10 17-13 10-14 26-23 2-6 24-19 14-17 30-25 17x26"
        }
        GameKind::International => {
            "31-27 17-22 37-31 11-17 41-37 7-11 35-30 19-24 30x19 14x23 34-29 23x34 39x30 10-14 43-39 14-19 40-34 19-23 45-40 17-21 31-26 22x31 26x17 11x22 36x27 22x31 37x26 12-17 42-37 8-12"
        }
        GameKind::Pool => {
            "9-14 24-20 14-18 23x14 10x17 21x14 11-15 27-24 7-11 24-19 15x24 28x19 11-16 20x11 8x15x24 32-28 24-27 31x24 6-10 14x7 3x10 22-18"
        }
        GameKind::Kalah => "1 3 6 3 2 6 4 3 6 1 4 3 5",
        GameKind::Oware => "1 6 6 2 3 3 6 2 3 3 1 6 1 1 4 4 3 3",
        GameKind::Congkak => "7 5 6 1 7 7 4 3",
        GameKind::Pallanguzhi => "5 6 3 3 4 5",
        GameKind::Bao => "A6R A6L A5R A3L A7R A1 A5R A2L A8 A3R A7L A3L A5R A3R A7R A1 A5L A2R",
    }
}

/// Returns the position, and the move that led to it.
///
/// # Panics
/// Never: a test plays the moves of every game.
pub(crate) fn sample(game: GameKind) -> (AnyPosition, Option<LastMove>) {
    let setup = AnySetup::standard(game);
    let mut position = AnyPosition::start(game, &setup).expect("the standard setup is valid");
    let mut last = None;
    for text in moves(game).split(' ') {
        let side = position.turn();
        let played = position.play(text).expect("the moves are legal");
        last = Some(LastMove { side, played });
    }
    (position, last)
}
