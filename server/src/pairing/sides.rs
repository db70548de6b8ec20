//! Who moves first: both sides the same share of the time, as far as it goes.

use mawe_rules::{BySide, Side};

/// How many of the latest matches count.
pub const RECENT: usize = 10;

/// Which sides somebody had of late, in one game.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SideHistory {
    /// How often they moved first, minus how often second.
    pub balance: i32,
    /// The side of their latest match.
    pub last: Option<Side>,
}

impl SideHistory {
    /// From the sides of their matches, the latest first; those beyond [`RECENT`] do not count.
    pub fn of(sides: impl IntoIterator<Item = Side>) -> SideHistory {
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

    /// How strongly somebody ought to have the first seat: the larger, the more.
    fn claim(self) -> (i32, i32) {
        let turn = match self.last {
            Some(Side::Second) => 1,
            None => 0,
            Some(Side::First) => -1,
        };
        (-self.balance, turn)
    }
}

/// Seats two: whoever had the first side less often gets it, then whoever had the second side last, then chance.
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

/// How ill two fit by their sides: how many matches both have too many on the same side. 0 where one's surplus is the other's lack.
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
        let history = |sides: &[Side]| SideHistory::of(sides.iter().copied());
        seat(("a", history(a)), ("b", history(b)), || coin).first
    }

    #[test]
    fn who_had_the_first_side_less_often_gets_it() {
        let table: [(&[Side], &[Side], &str); 5] = [
            (&[First], &[], "b"),
            (&[], &[First], "a"),
            (&[Second], &[], "a"),
            (&[First, Second, First], &[First, First, First], "a"),
            // As often: whoever had the second side last.
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
        let history = SideHistory::of(sides);
        assert_eq!(history.balance, -10);
        assert_eq!(history.last, Some(Second));
    }
}
