//! Texts with a meaning: ids, codes, and sets of words to which a later server adds some.

/// Defines a type for texts of one meaning, such as the ids of matches.
macro_rules! text_type {
    ($(#[$attribute:meta])* $name:ident) => {
        $(#[$attribute])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        #[serde(transparent)]
        pub struct $name(String);

        impl From<String> for $name {
            fn from(text: String) -> $name {
                $name(text)
            }
        }

        impl From<$name> for String {
            fn from(text: $name) -> String {
                text.0
            }
        }

        crate::text::from_text!($name);
        crate::text::as_text!($name, |text| &text.0);
    };
}

/// Defines a set of words. One of a later server is `Unknown`.
macro_rules! open_set {
    ($(#[$attribute:meta])* $name:ident { $($variant:ident = $word:literal,)* }) => {
        $(#[$attribute])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $(
                #[doc = concat!("`", $word, "`")]
                $variant,
            )*
            /// One of a later server.
            Unknown(String),
        }

        impl From<String> for $name {
            fn from(text: String) -> $name {
                match &*text {
                    $($word => $name::$variant,)*
                    _ => $name::Unknown(text),
                }
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<$name, D::Error> {
                Ok($name::from(<String as serde::Deserialize>::deserialize(deserializer)?))
            }
        }

        crate::text::from_text!($name);
        crate::text::as_text!($name, |text| match text {
            $($name::$variant => $word,)*
            $name::Unknown(text) => text,
        });
    };
}

/// Defines a set of words that stays as it is.
macro_rules! closed_set {
    ($(#[$attribute:meta])* $name:ident { $($variant:ident = $word:literal,)* }) => {
        $(#[$attribute])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        pub enum $name {
            $(
                #[doc = concat!("`", $word, "`")]
                #[serde(rename = $word)]
                $variant,
            )*
        }

        crate::text::as_text!($name, |text| match text {
            $($name::$variant => $word,)*
        });
    };
}

/// Lets a type be made of any text.
macro_rules! from_text {
    ($name:ident) => {
        impl From<&str> for $name {
            fn from(text: &str) -> $name {
                $name::from(text.to_owned())
            }
        }

        impl From<&$name> for $name {
            fn from(text: &$name) -> $name {
                text.clone()
            }
        }
    };
}

/// Lets a type be read as its text.
macro_rules! as_text {
    ($name:ident, |$text:ident| $value:expr) => {
        impl std::ops::Deref for $name {
            type Target = str;

            fn deref(&self) -> &str {
                let $text = self;
                $value
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                self
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str(self)
            }
        }

        impl PartialEq<str> for $name {
            fn eq(&self, text: &str) -> bool {
                **self == *text
            }
        }

        impl PartialEq<&str> for $name {
            fn eq(&self, text: &&str) -> bool {
                **self == **text
            }
        }
    };
}

pub(crate) use {as_text, closed_set, from_text, open_set, text_type};
