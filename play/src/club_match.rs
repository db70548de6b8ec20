//! The pairing of a club match: the players of two clubs, board by board in the order of their ratings.

use mawe_rules::Side;

/// An entrant, as far as the pairing needs to know.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Entrant<P> {
    /// The player.
    pub player: P,
    /// The rating in the game and at the speed of the match; a player without one has [`START_RATING`](crate::rating::START_RATING).
    pub rating: f64,
}

/// A board: a player of each club.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Board<P> {
    /// The player of the club that has proposed the match.
    pub home: Entrant<P>,
    /// The player of the other club.
    pub away: Entrant<P>,
}

/// Pairs the players of two clubs: the strongest of both at the first board, and so on to the end of the shorter list, or to `max` boards.
/// Players with the same rating keep their order.
#[must_use]
pub fn boards<P>(mut home: Vec<Entrant<P>>, mut away: Vec<Entrant<P>>, max: u32) -> Vec<Board<P>> {
    for side in [&mut home, &mut away] {
        side.sort_by(|a, b| b.rating.total_cmp(&a.rating));
    }
    let pairs = home.into_iter().zip(away).take(max as usize);
    pairs.map(|(home, away)| Board { home, away }).collect()
}

/// Returns the side that the player of the proposing club has in a game: the first at odd boards, the second at even ones, and the other one in
/// the second game. Boards and games count from 1.
#[must_use]
pub fn home_side(board: u32, game: u32) -> Side {
    if (board + game).is_multiple_of(2) {
        Side::First
    } else {
        Side::Second
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn side(ratings: &[f64]) -> Vec<Entrant<usize>> {
        let entrants = ratings.iter().enumerate();
        entrants
            .map(|(player, rating)| Entrant {
                player,
                rating: *rating,
            })
            .collect()
    }

    #[test]
    fn the_strongest_of_both_meet_and_nobody_plays_twice() {
        let pairs = |home: &[f64], away: &[f64], max| -> Vec<(usize, usize)> {
            boards(side(home), side(away), max)
                .iter()
                .map(|board| (board.home.player, board.away.player))
                .collect()
        };
        let home = [1500.0, 2100.0, 1800.0];
        assert_eq!(pairs(&home, &[1700.0, 1900.0], 50), [(1, 1), (2, 0)]);
        assert_eq!(pairs(&home, &[1700.0, 1900.0], 1), [(1, 1)]);
        assert_eq!(pairs(&home, &[], 50), []);
        assert_eq!(pairs(&home, &home, 0), []);
        // Equal ratings keep the order of the sign-ups.
        assert_eq!(pairs(&[1500.0; 2], &[1500.0; 3], 50), [(0, 0), (1, 1)]);
    }

    #[test]
    fn sides_alternate_by_board_and_by_game() {
        let sides = [(1, 1), (2, 1), (3, 1), (1, 2), (2, 2)].map(|(b, g)| home_side(b, g));
        let first = sides.map(|side| side == Side::First);
        assert_eq!(first, [true, false, true, false, true]);
    }
}
