//! The meaning of scores for people: the expected result, and the loss of it by a move.

use mawe_rules::GameKind;

use crate::search::WIN_BOUND;

/// The score, in hundredths of the game's unit, with which a side gets 73 % of the points: measured by
/// `tests/browser/expectation.js`.
pub const fn scale(kind: GameKind) -> u32 {
    match kind {
        GameKind::Mawe => 68,
        GameKind::Reversi => 2045,
        GameKind::Checkers => 706,
        GameKind::Drafti => 609,
        GameKind::Brazilian => 495,
        GameKind::Russian => 665,
        GameKind::International => 480,
        GameKind::Pool | GameKind::Kalah => 574,
        GameKind::Oware => 749,
        GameKind::Congkak => 453,
        // Games of Bao turn at this level; those of Pallanguzhi are decided after six plies.
        GameKind::Bao => 3093,
        GameKind::Pallanguzhi => 61,
    }
}

/// An error of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mistake {
    /// A small loss of the expected result.
    Inaccuracy,
    /// A clear loss.
    Mistake,
    /// A heavy loss.
    Blunder,
}

impl Mistake {
    /// All, the lightest first.
    pub const ALL: [Mistake; 3] = [Mistake::Inaccuracy, Mistake::Mistake, Mistake::Blunder];

    /// The loss, as a part of a point, from which a move has this name; the limits are those of chess sites.
    pub const fn least_loss(self) -> f64 {
        match self {
            Mistake::Inaccuracy => 0.05,
            Mistake::Mistake => 0.1,
            Mistake::Blunder => 0.15,
        }
    }

    /// The name of a loss; `None` for a small one.
    pub fn of_loss(loss: f64) -> Option<Mistake> {
        let reached = |mistake: &Mistake| loss >= mistake.least_loss();
        Mistake::ALL.into_iter().rev().find(reached)
    }
}

/// The expected result of the side to move: 0 is a loss, 1 a win.
pub fn expected(kind: GameKind, score: i32, proven: bool) -> f64 {
    if proven || score.abs() >= WIN_BOUND {
        return match score {
            1.. => 1.0,
            0 => 0.5,
            _ => 0.0,
        };
    }
    1.0 / (1.0 + (-f64::from(score) / f64::from(scale(kind))).exp())
}

/// The factor, the exponent and the shift of [`accuracy`].
pub const ACCURACY_CURVE: [f64; 3] = [1.0317, 4.354, 0.0317];

/// How close a move with this loss comes to the best one, from 0 to 1: by the curve that lichess publishes for chess.
pub fn accuracy(loss: f64) -> f64 {
    let [factor, exponent, shift] = ACCURACY_CURVE;
    (factor * (-exponent * loss).exp() - shift).clamp(0.0, 1.0)
}
