//! Small closed sets as text for serde (feature `serde`).

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::kind::GameKind;
use crate::vocab::{Reason, Side};

/// A visitor that parses the text of a `T`.
struct Text<T>(&'static str, PhantomData<T>);

impl<T: FromStr<Err: fmt::Display>> Visitor<'_> for Text<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }
}

macro_rules! as_text {
    ($($Type:ty, $to_str:ident, $expecting:literal;)+) => {$(
        impl Serialize for $Type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.$to_str())
            }
        }

        impl<'de> Deserialize<'de> for $Type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_str(Text($expecting, PhantomData))
            }
        }
    )+};
}

as_text! {
    GameKind, id, "the id of a game";
    Side, as_str, "`first` or `second`";
    Reason, as_str, "the code of an end reason";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_travel_as_their_text() {
        let words = (GameKind::Mawe, Side::Second, Reason::QuietLimit);
        let json = r#"["mawe","second","quiet-limit"]"#;
        assert_eq!(serde_json::to_string(&words).expect("JSON"), json);
        let read: (GameKind, Side, Reason) = serde_json::from_str(json).expect("words");
        assert_eq!(read, words);
        assert!(serde_json::from_str::<Side>("\"third\"").is_err());
        assert!(serde_json::from_str::<Side>("1").is_err());
    }
}
