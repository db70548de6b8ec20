//! How a player is shown: a display name, an avatar from a set, and a flag.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The display name, the picture and the flag that a player has chosen; a player without a picture is shown by one made of the name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Look {
    /// The display name, in any script, beside the name in addresses; never shown alone where two people have to be told apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
    /// The avatar.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub avatar: Option<Avatar>,
    /// The flag.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flag: Option<Flag>,
}

/// An avatar: the name of a file in `static/looks/avatars/`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Avatar {
    /// A light stone.
    Stone,
    /// Four stones on each other.
    Pebbles,
    /// Five seeds.
    Seeds,
    /// A cowrie.
    Cowrie,
    /// A house with seeds.
    House,
    /// A board of two rows.
    Board,
    /// Two stones on squares.
    Squares,
    /// A disc of two colours.
    Disc,
    /// A crowned man.
    Crown,
    /// A fish.
    Fish,
    /// A turtle.
    Turtle,
    /// A crab.
    Crab,
    /// An octopus.
    Octopus,
    /// A dolphin.
    Dolphin,
    /// A heron.
    Heron,
    /// A starfish.
    Starfish,
    /// A shell.
    Shell,
    /// A jellyfish.
    Jellyfish,
    /// A ray.
    Ray,
    /// A snail.
    Snail,
    /// A dhow.
    Dhow,
    /// A palm.
    Palm,
    /// A baobab.
    Baobab,
    /// A wave.
    Wave,
}

impl Avatar {
    /// All of them, in the order in which the settings show them.
    pub const ALL: [Avatar; 24] = [
        Avatar::Stone,
        Avatar::Pebbles,
        Avatar::Seeds,
        Avatar::Cowrie,
        Avatar::House,
        Avatar::Board,
        Avatar::Squares,
        Avatar::Disc,
        Avatar::Crown,
        Avatar::Fish,
        Avatar::Turtle,
        Avatar::Crab,
        Avatar::Octopus,
        Avatar::Dolphin,
        Avatar::Heron,
        Avatar::Starfish,
        Avatar::Shell,
        Avatar::Jellyfish,
        Avatar::Ray,
        Avatar::Snail,
        Avatar::Dhow,
        Avatar::Palm,
        Avatar::Baobab,
        Avatar::Wave,
    ];

    /// The code, on the wire and in the store.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Avatar::Stone => "stone",
            Avatar::Pebbles => "pebbles",
            Avatar::Seeds => "seeds",
            Avatar::Cowrie => "cowrie",
            Avatar::House => "house",
            Avatar::Board => "board",
            Avatar::Squares => "squares",
            Avatar::Disc => "disc",
            Avatar::Crown => "crown",
            Avatar::Fish => "fish",
            Avatar::Turtle => "turtle",
            Avatar::Crab => "crab",
            Avatar::Octopus => "octopus",
            Avatar::Dolphin => "dolphin",
            Avatar::Heron => "heron",
            Avatar::Starfish => "starfish",
            Avatar::Shell => "shell",
            Avatar::Jellyfish => "jellyfish",
            Avatar::Ray => "ray",
            Avatar::Snail => "snail",
            Avatar::Dhow => "dhow",
            Avatar::Palm => "palm",
            Avatar::Baobab => "baobab",
            Avatar::Wave => "wave",
        }
    }
}

/// The flag of a country: its code of ISO 3166-1, two capital letters.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "String", into = "String")]
#[schema(value_type = String, example = "TZ")]
pub struct Flag([u8; 2]);

/// The codes of ISO 3166-1, in alphabetical order; each has a file in `static/looks/flags/`.
const CODES: &str = "\
    AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI \
    BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN \
    CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK \
    FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM \
    HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN \
    KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK \
    ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP \
    NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW \
    SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF \
    TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI \
    VN VU WF WS YE YT ZA ZM ZW";

/// A text that is no code of a country.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoFlag;

impl fmt::Display for NoFlag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a flag is two capital letters of ISO 3166-1")
    }
}

impl std::error::Error for NoFlag {}

impl Flag {
    /// Returns all flags, in the order of their codes.
    pub fn all() -> impl Iterator<Item = Flag> {
        CODES.split(' ').filter_map(|code| code.parse().ok())
    }

    /// The code, on the wire and in the store.
    #[must_use]
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

impl FromStr for Flag {
    type Err = NoFlag;

    fn from_str(text: &str) -> Result<Self, NoFlag> {
        let is_known = text.len() == 2 && CODES.split(' ').any(|code| code == text);
        match text.as_bytes() {
            [first, second] if is_known => Ok(Flag([*first, *second])),
            _ => Err(NoFlag),
        }
    }
}

impl TryFrom<String> for Flag {
    type Error = NoFlag;

    fn try_from(text: String) -> Result<Self, NoFlag> {
        text.parse()
    }
}

impl From<Flag> for String {
    fn from(flag: Flag) -> String {
        flag.as_str().to_owned()
    }
}

impl fmt::Debug for Flag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flag_is_a_code_of_the_standard() {
        assert_eq!(Flag::all().count(), 249);
        for flag in Flag::all() {
            assert_eq!(flag.as_str().parse(), Ok(flag));
        }
        for wrong in [
            "", "P", "pl", "PL ", "EU", "XX", "POL", "P\u{141}", "../PL", " ",
        ] {
            assert_eq!(wrong.parse::<Flag>(), Err(NoFlag), "{wrong}");
        }
    }

    #[test]
    fn a_look_is_short_on_the_wire() {
        let look = Look {
            display_name: Some("Łukasz".to_owned()),
            avatar: Some(Avatar::Jellyfish),
            flag: "TZ".parse().ok(),
        };
        let text = serde_json::to_string(&look).expect("plain JSON");
        assert_eq!(
            text,
            r#"{"display_name":"Łukasz","avatar":"jellyfish","flag":"TZ"}"#
        );
        assert_eq!(
            serde_json::to_string(&Look::default()).expect("plain JSON"),
            "{}"
        );
        assert_eq!(
            serde_json::from_str::<Look>(&text).expect("its own text"),
            look
        );
        for avatar in Avatar::ALL {
            let text = serde_json::to_string(&avatar).expect("plain JSON");
            assert_eq!(text, format!("\"{}\"", avatar.as_str()));
        }
    }
}
