//! How the games of the family are told apart and written, RULES-draughts.md section 7.5.

use crate::kind::GameKind;
use crate::vocab::{BySide, Side};

/// The files of a board of eight by eight, from the left of White.
const FILES: &[u8; 8] = b"abcdefgh";

/// The dark squares of a row of such a board.
const IN_ROW: u32 = 4;

/// The usage of one game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dialect {
    /// The game.
    pub kind: GameKind,
    /// The value of the tag `GameType`; in a file its first number decides.
    pub(super) game_type: &'static str,
    /// The value of the tag `Variant`, for a game without a number of its own.
    pub(super) variant: Option<&'static str>,
    /// Whether squares are written as in chess; where they are, they are read as numbers, too.
    pub(super) is_algebraic: bool,
    /// Whether the first number of a result is that of the first side.
    is_first_before: bool,
}

const fn dialect(kind: GameKind, game_type: &'static str, is_algebraic: bool) -> Dialect {
    Dialect {
        kind,
        game_type,
        variant: None,
        is_algebraic,
        is_first_before: true,
    }
}

/// The games with PDN, that of the tags alone before the one with a variant.
const DIALECTS: [Dialect; 6] = [
    dialect(GameKind::Checkers, "21", false),
    Dialect {
        variant: Some("Tanzanian"),
        ..dialect(GameKind::Drafti, "21", true)
    },
    dialect(GameKind::Brazilian, "26,W,8,8,A0,0", true),
    dialect(GameKind::Russian, "25,W,8,8,A0,0", true),
    dialect(GameKind::International, "20,W,10,10,N2,0", false),
    Dialect {
        // White's number comes first, although Black begins.
        is_first_before: false,
        ..dialect(GameKind::Pool, "23,B,8,8,N1,0", false)
    },
];

impl Dialect {
    /// The usage of a game; `None` if it has no PDN.
    pub fn of(kind: GameKind) -> Option<Dialect> {
        DIALECTS.into_iter().find(|dialect| dialect.kind == kind)
    }

    /// The usage that the tags of a file name.
    pub(super) fn named(game_type: Option<&str>, variant: Option<&str>) -> Option<Dialect> {
        let number = |text: &str| text.split(',').next().unwrap_or_default().trim().to_owned();
        let told = game_type.map(number);
        let by_variant = DIALECTS.into_iter().find(|dialect| {
            let names = dialect.variant.zip(variant);
            names.is_some_and(|(name, told)| name.eq_ignore_ascii_case(told.trim()))
        });
        by_variant.or_else(|| {
            DIALECTS.into_iter().find(|dialect| {
                dialect.variant.is_none() && Some(number(dialect.game_type)) == told
            })
        })
    }

    /// The names of the tags with the players.
    pub fn players(self) -> BySide<&'static str> {
        match self.kind.side_code(Side::First) {
            "B" => BySide::new("Black", "White"),
            _ => BySide::new("White", "Black"),
        }
    }

    /// The side of the first number of a result.
    pub(super) fn first_in_results(self) -> Side {
        match self.is_first_before {
            true => Side::First,
            false => Side::Second,
        }
    }

    /// A move string of RULES-draughts.md, section 7.2, with the squares of this usage.
    pub fn written(self, m: &str) -> String {
        if !self.is_algebraic {
            return m.to_owned();
        }
        let mut text = String::new();
        for part in m.split_inclusive(['-', 'x']) {
            let digits = part.trim_end_matches(['-', 'x']);
            match digits.parse().map(name_of) {
                Ok(name) => text.extend(name),
                Err(_) => text.push_str(digits),
            }
            text.push_str(&part[digits.len()..]);
        }
        text
    }
}

/// The name of a square of a board of eight by eight, RULES-draughts.md section 7.4.
fn name_of(number: u32) -> [char; 2] {
    let row = number.saturating_sub(1) / IN_ROW;
    let column = 2 * (number.saturating_sub(1) % IN_ROW) + (row + 1) % 2;
    let file = FILES[column as usize % FILES.len()];
    let rank = char::from_digit(8_u32.saturating_sub(row), 10);
    [char::from(file), rank.unwrap_or('?')]
}

/// The number of the square with a name, which is a dark one.
pub(super) fn number_of(file: u8, rank: u8) -> Option<u32> {
    let numbers = 1..=2 * IN_ROW * IN_ROW;
    let wanted = [char::from(file.to_ascii_lowercase()), char::from(rank)];
    numbers
        .into_iter()
        .find(|number| name_of(*number) == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_have_the_names_of_the_rule_book() {
        let names = [(1, "b8"), (32, "g1"), (29, "a1"), (4, "h8")];
        for (number, name) in names {
            assert_eq!(name_of(number).iter().collect::<String>(), name);
        }
        let drafti = Dialect::of(GameKind::Drafti).expect("a game with PDN");
        assert_eq!(drafti.written("22-18"), "c3-d4");
        assert_eq!(drafti.written("1x10x21x30"), "b8xd6xa3xc1");
        assert_eq!(number_of(b'c', b'3'), Some(22));
        assert_eq!([number_of(b'a', b'2'), number_of(b'h', b'9')], [None; 2]);
    }

    #[test]
    fn a_variant_comes_before_the_number_of_a_game() {
        let kind = |game_type, variant| Dialect::named(game_type, variant).map(|found| found.kind);
        assert_eq!(kind(Some("21"), None), Some(GameKind::Checkers));
        assert_eq!(kind(Some("21"), Some("tanzanian")), Some(GameKind::Drafti));
        assert_eq!(
            kind(Some("20,W,10,10,N2,0"), None),
            Some(GameKind::International)
        );
        assert_eq!(kind(Some("22"), None), None);
    }

    #[test]
    fn every_game_of_draughts_has_a_usage_of_its_own() {
        for kind in GameKind::ALL.iter().copied() {
            let is_draughts = matches!(
                kind.family(),
                crate::Family::Checkers | crate::Family::Draughts
            );
            assert_eq!(Dialect::of(kind).is_some(), is_draughts, "{kind}");
        }
    }
}
