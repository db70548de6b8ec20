//! The games of a match.

use mawe_ai::mix;
use mawe_rules::{AnySetup, BySide, Record, Side};

use super::openings::{Openings, opening_of};
use super::player::Player;
use super::tally::Pair;

/// A longer game is a draw.
const MAX_PLIES: u32 = 600;

/// Plays both games of pair `number`.
pub fn play_pair(
    setup: &AnySetup,
    openings: Openings,
    [one, other]: [&Player; 2],
    seed: u64,
    number: u64,
) -> Pair {
    let opening = opening_of(setup, openings, seed, number);
    Pair::of(play_both(&opening, [one, other], seed, number))
}

/// Plays both games of pair `number` of a match with this seed, from this opening. Returns the winner of the game in which the first player
/// had each side.
pub fn play_both(
    opening: &Record,
    [one, other]: [&Player; 2],
    seed: u64,
    number: u64,
) -> BySide<Option<Side>> {
    let seed = mix(seed ^ mix(number));
    BySide::from_fn(|side| {
        one.forget();
        other.forget();
        let (first, second) = match side {
            Side::First => (one, other),
            Side::Second => (other, one),
        };
        play_on(opening.clone(), first, second, seed)
    })
}

/// Plays a game to its end and returns the winner.
fn play_on(mut game: Record, first: &Player, second: &Player, seed: u64) -> Option<Side> {
    while game.ply() < MAX_PLIES {
        if let Some(outcome) = game.outcome() {
            return outcome.winner;
        }
        let player = match game.turn() {
            Side::First => first,
            Side::Second => second,
        };
        let m = player.choose(&game, mix(seed.wrapping_add(u64::from(game.ply()))));
        let played = game.play(&m.to_string());
        played.expect("a player plays by the rules");
    }
    None
}

#[cfg(test)]
mod tests {
    use mawe_rules::GameKind;

    use super::super::openings::setup_of;
    use super::*;

    #[test]
    fn the_same_seed_plays_the_same_games() {
        for kind in GameKind::ALL.iter().copied() {
            let player =
                |text: &str| Player::new(text.parse().expect("a player"), kind).expect("memory");
            let (one, other) = (player("nodes=300,hash=1"), player("1"));
            let setup = setup_of(kind);
            let play = || play_pair(&setup, Openings::default(), [&one, &other], 7, 3);
            let pair = play();
            assert_eq!(pair.won + pair.drawn + pair.lost, 2);
            assert_eq!(play(), pair);
        }
    }
}
