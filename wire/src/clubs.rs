//! Clubs: their kinds, ways to join, standings, texts and log.

use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Language;

/// A set of codes, each on the wire and in the store.
macro_rules! codes {
    ($(#[$doc:meta])* $name:ident { $($(#[$of:meta])* $variant:ident $code:literal,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
        #[serde(rename_all = "kebab-case")]
        pub enum $name {
            $($(#[$of])* $variant,)*
        }

        impl $name {
            /// All of them.
            pub const ALL: &[$name] = &[$($name::$variant),*];

            /// The code, on the wire and in the store.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $($name::$variant => $code,)*
                }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.as_str())
            }
        }
    };
}

pub(crate) use codes;

codes! {
    /// A kind of club.
    ClubKind {
        /// People who play together.
        Club "club",
        /// A club whose officers, the teachers, make the accounts of their pupils.
        Class "class",
    }
}

codes! {
    /// The way into a club.
    Joining {
        /// At once.
        Open "open",
        /// By a request that an officer accepts.
        Request "request",
        /// By an officer's invitation. Such a club is on no list, and others learn of it no more than its name.
        Invitation "invitation",
    }
}

impl Joining {
    /// Whether the club is listed, and shows others its members.
    #[must_use]
    pub const fn is_public(self) -> bool {
        !matches!(self, Joining::Invitation)
    }
}

codes! {
    /// The standing of a player at a club.
    ClubStanding {
        /// None.
        None "none",
        /// The player has requested to join.
        Requested "requested",
        /// An officer has invited the player.
        Invited "invited",
        /// A member.
        Member "member",
        /// A member who is an officer.
        Officer "officer",
    }
}

impl ClubStanding {
    /// Whether it is that of a member.
    #[must_use]
    pub const fn is_member(self) -> bool {
        matches!(self, ClubStanding::Member | ClubStanding::Officer)
    }
}

codes! {
    /// An action in the log of a club.
    ClubAction {
        /// The club was founded.
        Founded "founded",
        /// Name, description, banner or joining were changed; `detail` lists the fields.
        Changed "changed",
        /// A request was accepted.
        Accepted "accepted",
        /// A request was refused.
        Refused "refused",
        /// A player was invited.
        Invited "invited",
        /// An invitation was taken back.
        InvitationEnded "invitation-ended",
        /// A member was removed.
        Removed "removed",
        /// A member became an officer.
        Appointed "appointed",
        /// An officer became a member.
        Dismissed "dismissed",
        /// The account of the last officer ended or was disabled, and the member of longest standing became an officer.
        Succeeded "succeeded",
        /// A moderator has changed the club; `detail` lists the fields.
        Moderated "moderated",
        /// A teacher has made accounts of pupils; `detail` is their number.
        PupilsMade "pupils-made",
        /// A teacher has made new login cards; `detail` is their number.
        CardsMade "cards-made",
        /// A pupil was released from the class.
        Released "released",
        /// The account of a pupil was deleted by a teacher.
        PupilDeleted "pupil-deleted",
        /// The rules of the class were changed; `detail` lists them with their new values.
        RulesChanged "rules-changed",
        /// An officer has proposed a club match; `detail` is the handle of the other club, as in the following ones.
        MatchProposed "match-proposed",
        /// An officer has accepted a club match.
        MatchAccepted "match-accepted",
        /// An officer has declined a club match.
        MatchDeclined "match-declined",
        /// An officer has withdrawn the proposal of a club match.
        MatchWithdrawn "match-withdrawn",
        /// An officer has cancelled an accepted club match.
        MatchCancelled "match-cancelled",
    }
}

codes! {
    /// The state of the latest login card of a pupil.
    CardState {
        /// It can be used.
        Open "open",
        /// It was used.
        Used "used",
        /// It was replaced by another.
        Replaced "replaced",
    }
}

/// The permissions of the pupils of a class: in a new class none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ClassRules {
    /// Whether pupils play against people outside the class, and join other clubs.
    pub outsiders: bool,
    /// Whether pupils send and get phrases and chat.
    pub phrases: bool,
    /// Whether the matches of pupils are public.
    pub spectators: bool,
    /// Whether people outside the class see the profiles of pupils, and their places in leaderboards and searches.
    pub profiles: bool,
}

/// Rules of a class to change; those left out stay as they are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ClassRulesEdition {
    /// Whether pupils play against people outside the class, and join other clubs.
    pub outsiders: Option<bool>,
    /// Whether pupils send and get phrases and chat.
    pub phrases: Option<bool>,
    /// Whether the matches of pupils are public.
    pub spectators: Option<bool>,
    /// Whether people outside the class see the profiles of pupils, and their places in leaderboards and searches.
    pub profiles: Option<bool>,
}

impl ClassRulesEdition {
    /// Returns the rules after the change, and the changed ones in the form of the log: `outsiders=true phrases=false`.
    #[must_use]
    pub fn applied_to(&self, old: ClassRules) -> (ClassRules, String) {
        let new = ClassRules {
            outsiders: self.outsiders.unwrap_or(old.outsiders),
            phrases: self.phrases.unwrap_or(old.phrases),
            spectators: self.spectators.unwrap_or(old.spectators),
            profiles: self.profiles.unwrap_or(old.profiles),
        };
        let changed = [
            ("outsiders", old.outsiders, new.outsiders),
            ("phrases", old.phrases, new.phrases),
            ("spectators", old.spectators, new.spectators),
            ("profiles", old.profiles, new.profiles),
        ];
        let changed = changed.iter().filter(|(_, old, new)| old != new);
        let changed: Vec<String> = changed
            .map(|(rule, _, new)| format!("{rule}={new}"))
            .collect();
        (new, changed.join(" "))
    }
}

/// The name of a club, with its address.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ClubRef {
    /// The name in addresses, unique without regard to case.
    pub handle: String,
    /// The name, in any script.
    pub name: String,
}

/// A text in the languages of the page, as far as it was written in them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ClubTexts {
    /// English.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub en: Option<String>,
    /// Kiswahili.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sw: Option<String>,
    /// Polski.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pl: Option<String>,
    /// മലയാളം (Malayalam).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ml: Option<String>,
}

impl ClubTexts {
    /// The text in a language.
    pub fn of_mut(&mut self, language: Language) -> &mut Option<String> {
        match language {
            Language::En => &mut self.en,
            Language::Sw => &mut self.sw,
            Language::Pl => &mut self.pl,
            Language::Ml => &mut self.ml,
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Codes are written as themselves.
    pub(crate) fn is_written<T: Serialize + Copy>(all: &[T], code: fn(T) -> &'static str) {
        for one in all {
            let written = serde_json::to_value(one).expect("a code");
            assert_eq!(written, code(*one));
        }
    }

    #[test]
    fn the_code_is_the_one_on_the_wire() {
        is_written(ClubKind::ALL, ClubKind::as_str);
        is_written(Joining::ALL, Joining::as_str);
        is_written(ClubStanding::ALL, ClubStanding::as_str);
        is_written(ClubAction::ALL, ClubAction::as_str);
        is_written(CardState::ALL, CardState::as_str);
    }
}
