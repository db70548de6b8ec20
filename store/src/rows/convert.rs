//! Conversion of stored values.

use mawe_rules::{GameKind, Side};
use mawe_wire::ids::TokenHash;
use mawe_wire::{Language, PlayerKind, Speed};

use crate::error::StoreError;

/// Implements [`Stored`] for types with `ALL` and `as_str`.
macro_rules! stored {
    ($($type:ident $what:literal,)*) => {$(
        impl $crate::rows::convert::Stored for $type {
            const WHAT: &'static str = $what;
            const ALL: &'static [Self] = &$type::ALL;

            fn text(self) -> &'static str {
                self.as_str()
            }
        }
    )*};
}
pub(super) use stored;

/// A closed set of values, each stored as a text.
pub(crate) trait Stored: Copy + 'static {
    /// The name of the set, for error messages.
    const WHAT: &'static str;
    /// All values.
    const ALL: &'static [Self];

    /// The stored text of a value. It must never change.
    fn text(self) -> &'static str;

    fn from_text(text: &str) -> Result<Self, StoreError> {
        let known = Self::ALL.iter().copied().find(|one| one.text() == text);
        known.ok_or_else(|| damaged(Self::WHAT, text))
    }
}

impl Stored for GameKind {
    const WHAT: &'static str = "game kind";
    const ALL: &'static [Self] = GameKind::ALL;

    fn text(self) -> &'static str {
        self.id()
    }
}

stored! {
    Side "side",
    Speed "speed",
    Language "language",
}

impl Stored for PlayerKind {
    const WHAT: &'static str = "player kind";
    const ALL: &'static [Self] = &[Self::Guest, Self::Account, Self::Bot];

    fn text(self) -> &'static str {
        match self {
            Self::Guest => "guest",
            Self::Account => "account",
            Self::Bot => "bot",
        }
    }
}

/// Parses the stored hash of a secret.
pub(crate) fn token_hash(stored: Vec<u8>) -> Result<TokenHash, StoreError> {
    TokenHash::try_from(stored).map_err(|_| damaged("hash", "it has another length"))
}

/// Converts an unsigned number for the databases. The program's own numbers stay far below the limit; a client's number may exceed it, and
/// then means "the end".
pub(crate) fn int(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Converts a number back from [`int`].
pub(crate) fn number<T: TryFrom<i64>>(what: &'static str, stored: i64) -> Result<T, StoreError> {
    T::try_from(stored).map_err(|_| damaged(what, &stored.to_string()))
}

/// Parses an id.
pub(crate) fn id<T: TryFrom<String>>(what: &'static str, stored: String) -> Result<T, StoreError> {
    T::try_from(stored).map_err(|_| damaged(what, "it is malformed"))
}

/// Converts all rows.
pub(crate) fn parsed<R, T>(rows: Vec<R>) -> Result<Vec<T>, StoreError>
where
    T: TryFrom<R, Error = StoreError>,
{
    rows.into_iter().map(T::try_from).collect()
}

/// Returns the form of a name in which names are compared. It ignores case, and is equal for two names that a reader would take for the
/// same: lower case alone would distinguish `ẞ` from `ss`, and a final sigma from another one.
pub fn name_key(name: &str) -> String {
    let lower = name.chars().flat_map(char::to_lowercase);
    lower
        .flat_map(char::to_uppercase)
        .flat_map(char::to_lowercase)
        .collect()
}

/// Returns the same text for all names in ASCII that look alike, which is what display names have for a key: separators are left out, and the
/// letters that look like others are one of them.
pub fn name_look(name: &str) -> String {
    let key = name_key(name);
    let letters = key.chars().filter(|c| !matches!(c, '-' | '_'));
    let letters = letters.map(|c| match c {
        '0' => 'o',
        '1' | 'i' => 'l',
        other => other,
    });
    letters.collect::<String>().replace('m', "rn")
}

pub(crate) fn damaged(what: &'static str, detail: &str) -> StoreError {
    StoreError::damaged(what, detail.to_owned())
}

#[cfg(test)]
mod tests {
    use mawe_wire::DeclineReason;

    use super::*;

    fn texts_read_back<T: Stored + PartialEq + std::fmt::Debug>() {
        for one in T::ALL {
            assert_eq!(T::from_text(one.text()).expect("its own text"), *one);
        }
        assert!(matches!(
            T::from_text("x'; drop"),
            Err(StoreError::Damaged { .. })
        ));
    }

    #[test]
    fn stored_texts_read_back() {
        texts_read_back::<GameKind>();
        texts_read_back::<Side>();
        texts_read_back::<Speed>();
        texts_read_back::<PlayerKind>();
        texts_read_back::<DeclineReason>();
        texts_read_back::<Language>();
    }

    #[test]
    fn names_that_look_alike_have_one_key() {
        for (one, other) in [
            ("Ana", "aNA"),
            ("ŻÓŁW", "żółw"),
            ("ΣΑΣ", "σας"),
            ("Straße", "STRASSE"),
        ] {
            assert_eq!(name_key(one), name_key(other));
        }
        assert_ne!(name_key("മാവേ"), name_key("മാവ"));
    }
}
