//! The decision of a computer opponent beside its move: to resign, or to offer a draw with the move.
//!
//! The search that chose the move decides, so that each level judges by its own sight. Nothing is kept between moves: a
//! worker sees the record of the game only. The bounds are measured in `docs/lab/resigning.md`.

use mawe_rules::{GameKind, Record};

use crate::level::Level;
use crate::think::Thought;

/// The ply before which no computer opponent resigns or offers a draw.
const FROM_PLY: u32 = 20;

/// The least depth of a decisive search. A single legal move is not searched to this depth, and a book move not at all.
pub const INTENT_DEPTH: u32 = 2;

/// The greatest score, in hundredths, for a resignation: certain losses, and scores with which no level without errors has
/// saved a game.
const LOST: i32 = -1_500;

/// The number of quiet plies before an offer of a draw, and between two offers.
const QUIET_PLIES: u32 = 20;

/// The greatest score, in hundredths either way, for an offer of a draw.
const EVEN: i32 = 30;

/// The decision of a computer opponent beside its move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Intent {
    /// It only plays the move.
    Plays,
    /// It offers a draw with the move.
    OffersDraw,
    /// It resigns, and does not play the move.
    Resigns,
}

impl Intent {
    /// The name on the wire between the engine and the page.
    pub const fn as_str(self) -> &'static str {
        match self {
            Intent::Plays => "plays",
            Intent::OffersDraw => "offers-draw",
            Intent::Resigns => "resigns",
        }
    }
}

/// Whether players of a game resign and agree to draws: not in games of points, because the score counts to the end, nor in
/// rounds, because their seeds count for the match. Bao is played to the end, since its long sowings turn seemingly lost
/// games.
fn may_end_by_choice(kind: GameKind) -> bool {
    match kind {
        GameKind::Mawe
        | GameKind::Checkers
        | GameKind::Drafti
        | GameKind::Brazilian
        | GameKind::Russian
        | GameKind::International
        | GameKind::Pool => true,
        GameKind::Reversi
        | GameKind::Kalah
        | GameKind::Oware
        | GameKind::Congkak
        | GameKind::Bao
        | GameKind::Pallanguzhi => false,
    }
}

/// Returns the decision of a level in the current position of a game, by the search that chose its move there.
///
/// It resigns when the score is that of a lost game, and offers a draw when many quiet plies have passed and the score is
/// even. Levels with errors do neither: they see losses that are none, and their opponents, beginners and children, are to
/// win on the board. Mawe! has no quiet plies, and hence no offers.
pub fn intent(game: &Record, level: Level, thought: &Thought) -> Intent {
    let overlooks_nothing = level.strength(game.kind()).sight(0).sees_all();
    if !may_end_by_choice(game.kind())
        || !overlooks_nothing
        || game.ply() < FROM_PLY
        || thought.depth < INTENT_DEPTH
    {
        return Intent::Plays;
    }
    // Each side moves at every other ply, so that it comes to one of the two, and offers at most once in so many plies.
    let quiet = game.quiet_plies();
    let is_quiet = quiet >= QUIET_PLIES && quiet % QUIET_PLIES < 2;
    if thought.score <= LOST {
        Intent::Resigns
    } else if is_quiet && thought.score.abs() <= EVEN {
        Intent::OffersDraw
    } else {
        Intent::Plays
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use mawe_rules::{AnyPosition, AnySetup, Side};

    use super::*;
    use crate::choose::choose_as;
    use crate::knowledge::Knowledge;
    use crate::strength::Strength;

    /// The search of a level with at most so many nodes.
    fn thought(game: &Record, level: Level, nodes: u64) -> Thought {
        let strength = level.strength(game.kind());
        let strength = Strength {
            nodes: strength.nodes.min(nodes),
            ..strength
        };
        let seed = u64::from(game.ply());
        let stop = Arc::default();
        choose_as(
            game,
            strength,
            &Knowledge::built_in(),
            seed,
            stop,
            Duration::MAX,
        )
        .expect("the game is not over")
    }

    /// A game of the engine, with the first side, against the first legal move. Returns the winner and the sides for which level
    /// 10 resigns.
    fn one_sided(kind: GameKind) -> (Option<Side>, Vec<Side>) {
        let setup = AnySetup::standard(kind);
        let mut game = Record::new(kind, &setup).expect("every game starts");
        let mut resigning = Vec::new();
        while game.outcome().is_none() && game.ply() < 300 {
            let thought = thought(&game, Level::MAX, 2_000);
            assert_eq!(intent(&game, Level::MIN, &thought), Intent::Plays, "{kind}");
            if intent(&game, Level::MAX, &thought) == Intent::Resigns {
                resigning.push(game.turn());
            }
            let text = match game.turn() {
                Side::First => thought.best.to_string(),
                Side::Second => game.legal_moves()[0].clone(),
            };
            game.play(&text).expect("a legal move");
        }
        let outcome = game.outcome();
        (outcome.and_then(|outcome| outcome.winner), resigning)
    }

    #[test]
    fn a_lost_game_is_resigned_where_games_end_by_choice_and_a_won_one_never() {
        let mut resigned = 0;
        for &kind in GameKind::ALL {
            let (winner, resigning) = one_sided(kind);
            if !may_end_by_choice(kind) {
                assert_eq!(resigning, [], "{kind}");
                continue;
            }
            assert_eq!(winner, Some(Side::First), "{kind}");
            assert!(!resigning.contains(&Side::First), "{kind}");
            resigned += u32::from(!resigning.is_empty());
        }
        // After forced last moves, or with a loss before the twentieth ply, there is no resignation.
        assert!(resigned >= 3, "{resigned} games");
    }

    /// Plays quiet moves after which nothing can be taken and the game goes on, until this many have been played.
    fn wander(game: &mut Record, plies: u32) {
        while game.quiet_plies() < plies {
            let goes_on = |text: &String| {
                let mut next = game.clone();
                next.play(text).expect("a legal move");
                let is_calm = next.legal_moves().iter().all(|text| !text.contains('x'));
                next.outcome().is_none() && is_calm
            };
            let mut moves = game.legal_moves();
            moves.retain(goes_on);
            let number = game.ply() as usize * 7 % moves.len();
            game.play(&moves[number]).expect("a legal move");
        }
    }

    #[test]
    fn a_draw_is_offered_after_many_quiet_plies_of_an_even_game() {
        let text = "W:WK29,K30:BK3,K4";
        let pos = AnyPosition::parse(GameKind::Checkers, text).expect("a position");
        let mut game = Record::from_position(pos);
        let eight = Level::try_from(8).expect("a level");
        let seven = Level::try_from(7).expect("a level");
        let scored = |score, depth, game: &Record| Thought {
            score,
            depth,
            ..thought(game, eight, 100)
        };
        for (plies, offers) in [
            (10, false),
            (19, false),
            (20, true),
            (21, true),
            (22, false),
        ] {
            wander(&mut game, plies);
            let offered = if offers {
                Intent::OffersDraw
            } else {
                Intent::Plays
            };
            for (level, score, depth, expected) in [
                (eight, 0, 9, offered),
                (eight, 30, 9, offered),
                (eight, -30, 9, offered),
                (eight, 31, 9, Intent::Plays),
                (eight, -31, 9, Intent::Plays),
                // A book move or a single legal move.
                (eight, 0, 1, Intent::Plays),
                (Level::MAX, 0, 9, offered),
                // A level that overlooks moves.
                (seven, 0, 9, Intent::Plays),
                (Level::MIN, 0, 9, Intent::Plays),
            ] {
                let thought = scored(score, depth, &game);
                let found = intent(&game, level, &thought);
                assert_eq!(found, expected, "level {level}, {plies} plies, {score}");
            }
        }
        // The bound of a resignation, and the same before the twentieth ply.
        for (score, expected) in [(LOST, Intent::Resigns), (LOST + 1, Intent::Plays)] {
            let lost = scored(score, 9, &game);
            assert_eq!(intent(&game, eight, &lost), expected);
            assert_eq!(intent(&game, seven, &lost), Intent::Plays);
            game.retreat(3);
            assert_eq!(intent(&game, eight, &lost), Intent::Plays);
            wander(&mut game, 22);
        }
    }
}
