//! The results of actions, and of the rules.

use mawe_rules::{Outcome, Side};
use mawe_wire::end_reason::EndReason;
use mawe_wire::{MatchResult, Seats};

use super::entry::Action;

/// Whether an action ends a match by a player's choice or absence, and not on the board.
pub(super) fn ends_by_choice(action: &Action) -> bool {
    match action {
        Action::Resign
        | Action::AcceptDraw
        | Action::Flag
        | Action::ClaimWin
        | Action::ClaimDraw => true,
        Action::Move { .. }
        | Action::OfferDraw
        | Action::DeclineDraw
        | Action::Abort { .. }
        | Action::OfferTakeback
        | Action::Takeback { .. }
        | Action::DeclineTakeback
        | Action::GiveTime { .. }
        | Action::Berserk
        | Action::Vacation { .. } => false,
    }
}

/// Returns the side that has left when this action of `side` calls the match off; `turn` is the side to move.
pub(super) fn left_by(action: &Action, side: Option<Side>, turn: Side) -> Option<Side> {
    match action {
        Action::Resign | Action::Flag => side,
        Action::ClaimWin | Action::ClaimDraw => side.map(Side::other),
        // Without a side, the server has called the match off because a first move was not made.
        Action::Abort { closed: false } => Some(side.unwrap_or(turn)),
        Action::Abort { closed: true }
        | Action::AcceptDraw
        | Action::Move { .. }
        | Action::OfferDraw
        | Action::DeclineDraw
        | Action::OfferTakeback
        | Action::Takeback { .. }
        | Action::DeclineTakeback
        | Action::GiveTime { .. }
        | Action::Berserk
        | Action::Vacation { .. } => None,
    }
}

/// Returns the result of an action that is not a move, if it ends the match; `early` is [`Entry::early`](super::entry::Entry::early).
pub(super) fn result_of(action: &Action, side: Option<Side>, early: bool) -> Option<MatchResult> {
    let ended = |winner, reason: EndReason| {
        Some(MatchResult {
            winner,
            reason: reason.to_string(),
            score: None,
        })
    };
    match action {
        // Both sides agreed, so neither has left.
        Action::AcceptDraw if early => ended(None, EndReason::Aborted),
        Action::Resign | Action::Flag | Action::ClaimWin | Action::ClaimDraw if early => {
            ended(None, EndReason::LeftEarly)
        }
        Action::Resign => ended(side.map(Side::other), EndReason::Resign),
        Action::AcceptDraw => ended(None, EndReason::Agreement),
        Action::Flag => ended(side.map(Side::other), EndReason::Time),
        Action::Abort { closed: true } => ended(None, EndReason::Closed),
        Action::Abort { closed: false } if side.is_some() => ended(None, EndReason::Aborted),
        Action::Abort { closed: false } => ended(None, EndReason::NoShow),
        Action::ClaimWin => ended(side, EndReason::Abandoned),
        Action::ClaimDraw => ended(None, EndReason::Abandoned),
        Action::Move { .. }
        | Action::OfferDraw
        | Action::DeclineDraw
        | Action::OfferTakeback
        | Action::Takeback { .. }
        | Action::DeclineTakeback
        | Action::GiveTime { .. }
        | Action::Berserk
        | Action::Vacation { .. } => None,
    }
}

pub(super) fn by_rules(outcome: Outcome) -> MatchResult {
    MatchResult {
        winner: outcome.winner,
        reason: EndReason::ByRules(outcome.reason).to_string(),
        score: outcome.score.map(|score| Seats {
            first: score[Side::First],
            second: score[Side::Second],
        }),
    }
}
