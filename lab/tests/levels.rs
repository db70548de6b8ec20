//! The levels against each other: the strong beat the weak.

use mawe_lab::arena::{Openings, Player, Tally, play_pair, setup_of};
use mawe_rules::GameKind;

/// The points of a player against another, 0 to 1, in games of many openings with sides exchanged.
fn score(kind: GameKind, one: &str, other: &str, pairs: u64) -> f64 {
    tally(kind, one, other, pairs).score()
}

/// The results of games of many openings with sides exchanged, from the first player's view.
fn tally(kind: GameKind, one: &str, other: &str, pairs: u64) -> Tally {
    let player = |text: &str| Player::new(text.parse().expect("a player"), kind).expect("memory");
    let (one, other) = (player(one), player(other));
    let mut tally = Tally::default();
    (0..pairs).for_each(|i| {
        tally.add(play_pair(
            &setup_of(kind),
            Openings::default(),
            [&one, &other],
            1,
            i,
        ))
    });
    tally
}

#[test]
fn two_levels_make_a_difference() {
    // Two levels differ by at least 300 Elo, which a dozen games distinguish from a score of 0.5.
    for kind in GameKind::ALL.iter().copied() {
        for number in 1..=4 {
            let (strong, weak) = ((number + 2).to_string(), number.to_string());
            let score = score(kind, &strong, &weak, 6);
            assert!(score > 0.5, "{kind}: {strong} against {weak}: {score}");
        }
    }
}

#[test]
fn a_beginner_holds_out_against_the_first_level_and_not_the_sixth() {
    for kind in GameKind::ALL.iter().copied() {
        // A hundred games, since the error of forty is as large as the distance to the bound.
        let first = score(kind, "beginner", "1", 50);
        // Fifty games, because ten games at a fifth of the points are too few for a result.
        let sixth = score(kind, "beginner", "6", 25);
        // Level 1 resolves captures in checkers, because otherwise it would lose to random moves; so a beginner scores less than half
        // there.
        assert!(first > 0.35, "{kind}: {first} against level 1");
        assert!(sixth < 0.3, "{kind}: {sixth} against level 6");
    }
}

/// The share of the games that level 1 must win against random moves, and lose to a search of one ply. In Pallanguzhi one ply ahead is worth
/// only 94 Elo more than random moves; there level 1 stands in the middle.
fn least_share(kind: GameKind) -> f64 {
    match kind {
        GameKind::Pallanguzhi => 0.45,
        _ => 0.75,
    }
}

/// Level 1 must beat random moves to be an opponent, and must lose to a search of one ply to suit a beginner.
#[test]
fn the_first_level_beats_random_moves_and_loses_to_a_ply_ahead() {
    const PAIRS: u64 = 300;
    for kind in GameKind::ALL.iter().copied() {
        let least = least_share(kind) * f64::from(2 * PAIRS as u32);
        let random = tally(kind, "1", "random", PAIRS);
        let ply = tally(kind, "1", "depth=1", PAIRS);
        assert!(
            f64::from(random.won) >= least && random.won > random.lost,
            "{kind}: won {} against random moves",
            random.won
        );
        assert!(
            f64::from(ply.lost) >= least && ply.lost > ply.won,
            "{kind}: lost {} against one ply",
            ply.lost
        );
    }
}
