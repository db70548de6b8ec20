//! The choice of the first side: each player should have both sides equally often, as far as possible.

use mawe_rules::{BySide, Side};

/// Number of latest matches that count.
pub const RECENT: usize = 10;

/// The sides of a player in recent matches of one game.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SideHistory {
    /// Matches as the first side minus matches as the second.
    pub balance: i32,
    /// The side in the latest match.
    pub last: Option<Side>,
}

impl SideHistory {
    /// Counts the sides of the matches, the latest first; those beyond [`RECENT`] are ignored.
    pub fn new(sides: impl IntoIterator<Item = Side>) -> SideHistory {
        let mut history = SideHistory::default();
        for side in sides.into_iter().take(RECENT) {
            history.last.get_or_insert(side);
            history.balance += match side {
                Side::First => 1,
                Side::Second => -1,
            };
        }
        history
    }

    /// The claim to the first side; the greater claim gets it.
    fn claim(self) -> (i32, i32) {
        let turn = match self.last {
            Some(Side::Second) => 1,
            None => 0,
            Some(Side::First) => -1,
        };
        (-self.balance, turn)
    }
}

/// Seats two players. The first side goes to the player who had it less often, then to the one who had the second side last, then by
/// chance.
#[must_use]
pub fn seat<T>(a: (T, SideHistory), b: (T, SideHistory), coin: impl FnOnce() -> bool) -> BySide<T> {
    let a_first = match a.1.claim().cmp(&b.1.claim()) {
        std::cmp::Ordering::Greater => true,
        std::cmp::Ordering::Less => false,
        std::cmp::Ordering::Equal => coin(),
    };
    if a_first {
        BySide::new(a.0, b.0)
    } else {
        BySide::new(b.0, a.0)
    }
}

/// The number of matches that both players have in excess on the same side; 0 if their surpluses are on different sides.
#[must_use]
pub(super) fn clash(a: SideHistory, b: SideHistory) -> i32 {
    if a.balance.signum() == b.balance.signum() {
        a.balance.abs().min(b.balance.abs())
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Side::{First, Second};

    fn first(a: &[Side], b: &[Side], coin: bool) -> &'static str {
        let history = |sides: &[Side]| SideHistory::new(sides.iter().copied());
        seat(("a", history(a)), ("b", history(b)), || coin).first
    }

    #[test]
    fn who_had_the_first_side_less_often_gets_it() {
        let table: [(&[Side], &[Side], &str); 5] = [
            (&[First], &[], "b"),
            (&[], &[First], "a"),
            (&[Second], &[], "a"),
            (&[First, Second, First], &[First, First, First], "a"),
            // Equally often: the player who had the second side last.
            (&[First, Second], &[Second, First], "b"),
        ];
        for (a, b, expected) in table {
            for coin in [false, true] {
                assert_eq!(first(a, b, coin), expected, "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn chance_decides_between_equals() {
        assert_eq!(first(&[], &[], true), "a");
        assert_eq!(first(&[], &[], false), "b");
    }

    #[test]
    fn what_was_long_ago_does_not_count() {
        let sides = std::iter::repeat_n(Second, RECENT).chain([First; 5]);
        let history = SideHistory::new(sides);
        assert_eq!(history.balance, -10);
        assert_eq!(history.last, Some(Second));
    }
}
