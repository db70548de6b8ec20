//! Rules for the names of players.
//!
//! A name must have the right form, and must not suggest that its owner speaks for this server. A name is *folded* before it is compared
//! with the reserved ones: without separators, in lower case, with digits as the letters that they resemble, so that `Adm1n_` equals
//! `admin`. Only the operator gives reserved names (`mawe admin`).

/// The length of a name in characters.
pub(crate) const NAME_CHARS: std::ops::RangeInclusive<usize> = 2..=20;

/// The prefixes of names that the server gives: guests, its computer opponents, deleted accounts. The operator cannot give them either.
const OWN_PREFIXES: [&str; 3] = ["guest-", "mawe-", "deleted-"];

/// The roles of a server's staff in English, Polish, Swahili and Malayalam, as far as they are written in these letters. Reserved as a
/// whole name, and as one of the words of which a name consists (`mod-2`, `Jan_admin`).
const ROLES: [&str; 42] = [
    // English, and usual names of programs.
    "admin",
    "administration",
    "administrator",
    "helpdesk",
    "mod",
    "moderation",
    "moderator",
    "mods",
    "official",
    "operator",
    "owner",
    "root",
    "security",
    "staff",
    "superuser",
    "support",
    "sysadmin",
    "sysop",
    "system",
    "webmaster",
    // Polish.
    "administracja",
    "administratorka",
    "moderacja",
    "moderatorka",
    "obsluga",
    "oficjalna",
    "oficjalne",
    "oficjalny",
    "pomoctechniczna",
    "redakcja",
    "wlasciciel",
    "wsparcie",
    "zaloga",
    // Swahili: overseers, operator, owner, workers, help.
    "msimamizi",
    "wasimamizi",
    "mwendeshaji",
    "mmiliki",
    "wafanyakazi",
    "usaidizi",
    // Malayalam: overseer, controller, official.
    "bharanadhikari",
    "niyanthrakan",
    "oudyogikam",
];

/// Names that mislead as a whole, but not as a part of another name.
const WHOLE: [&str; 12] = [
    "anonymous",
    "api",
    "bot",
    "computer",
    "everyone",
    "guest",
    "help",
    "mawe",
    "me",
    "nobody",
    "server",
    "team",
];

/// Affixes that do not change the meaning of a role (`maweadmin`, `TheModerator`, `supportteam`).
const AFFIXES: [&str; 5] = ["mawe", "official", "real", "team", "the"];

/// Checks whether a player may choose this name.
///
/// # Errors
/// A message for the player with the fault of the name.
pub fn check_name(name: &str) -> Result<(), &'static str> {
    check_form(name)?;
    if is_reserved(name) {
        Err("this name is reserved: it would mislead about who speaks for this server")
    } else {
        Ok(())
    }
}

/// Whether a name begins like those that the server gives.
pub(super) fn is_of_server(name: &str) -> bool {
    let lower = name.to_lowercase();
    OWN_PREFIXES.iter().any(|prefix| lower.starts_with(prefix))
}

/// Returns the form of a name as a regular expression. Not every name of this form may be taken.
pub(crate) fn pattern() -> String {
    let rest = NAME_CHARS.start() - 1..=NAME_CHARS.end() - 1;
    format!("^[A-Za-z][0-9A-Za-z_-]{{{},{}}}$", rest.start(), rest.end())
}

/// Checks whether the operator may give this name, which may be a reserved one.
///
/// # Errors
/// A message with the fault of the name.
pub fn check_given_name(name: &str) -> Result<(), &'static str> {
    check_form(name)
}

fn check_form(name: &str) -> Result<(), &'static str> {
    if !NAME_CHARS.contains(&name.len()) {
        Err("a name has 2 to 20 characters")
    } else if !name
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
    {
        Err("a name is made of the letters a to z, digits, - and _")
    } else if !name.starts_with(|first: char| first.is_ascii_alphabetic()) {
        Err("a name begins with a letter")
    } else if is_of_server(name) {
        Err("names that begin so are reserved for the server itself")
    } else {
        Ok(())
    }
}

/// Whether the name suggests that its owner speaks for this server.
pub(super) fn is_reserved(name: &str) -> bool {
    let is = |list: &[&str], word: &str| list.iter().any(|reserved| fold(reserved) == word);
    let is_role = |word: &str| {
        let without = |affix: &&str| {
            let affix = fold(affix);
            let rest = word
                .strip_prefix(&affix)
                .or_else(|| word.strip_suffix(&affix));
            rest.is_some_and(|rest| is(&ROLES, rest))
        };
        is(&ROLES, word) || AFFIXES.iter().any(without)
    };
    // Digits after a word may be a number as well as letters.
    let readings = |text: &str| {
        [
            fold(text),
            fold(text.trim_end_matches(|c: char| c.is_ascii_digit())),
        ]
    };
    let whole: String = name.split(['-', '_']).collect();
    let words = name.split(['-', '_']).filter(|word| !word.is_empty());
    readings(&whole)
        .iter()
        .any(|word| is_role(word) || is(&WHOLE, word))
        || words.flat_map(readings).any(|word| is_role(&word))
}

/// Folds a word: in lower case, and with the letters that digits resemble. `l`, `i` and `1` become one letter.
fn fold(word: &str) -> String {
    let letters = word.chars().map(|c| match c.to_ascii_lowercase() {
        '0' => 'o',
        '1' | 'l' => 'i',
        '2' => 'z',
        '3' => 'e',
        '4' => 'a',
        '5' => 's',
        '6' | '9' => 'g',
        '7' => 't',
        '8' => 'b',
        other => other,
    });
    letters.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_plain() {
        for name in ["Amina", "j_k-3", "Zofia-1999", "Ola2", "Ml"] {
            assert_eq!(check_name(name), Ok(()), "{name}");
        }
        for name in [
            "",
            "a",
            "-a",
            "1abc",
            "żółw",
            "a b",
            "Guest-x1",
            "deleted-x1",
            "mawe-Kete",
            "a'; drop",
            "abcdefghijklmnopqrstu",
        ] {
            assert!(check_name(name).is_err(), "{name}");
            assert!(check_given_name(name).is_err(), "{name}");
        }
    }

    #[test]
    fn who_speaks_for_the_server_is_reserved_however_it_is_written() {
        for name in [
            "admin",
            "ADMIN",
            "Adm1n_",
            "a-d-m-i-n",
            "admin2026",
            "mod-2",
            "M0derat0r",
            "mod_",
            "mods",
            "staff",
            "St4ff",
            "Support7",
            "s-upport",
            "root",
            "r00t",
            "system",
            "official",
            "Jan_admin",
            "admin-jan",
            "mawe",
            "Mawe1",
            "maweadmin",
            "mawe_support",
            "TheModerator",
            "supportteam",
            "moderatorka",
            "Obs1uga",
            "wsparcie",
            "msimamizi",
            "wa5imamizi",
            "niyanthrakan",
            "me",
            "bot1",
        ] {
            assert!(check_name(name).is_err(), "{name}");
            assert_eq!(check_given_name(name), Ok(()), "{name}");
        }
    }

    #[test]
    fn other_names_have_such_words_in_them_and_are_free() {
        for name in [
            "Modesta",
            "Rooted",
            "Botanist",
            "Meena",
            "Systema",
            "Adminah",
            "Staffan",
            "Theo",
            "Mawezi",
            "Realist",
            "Owneroo",
            "server-fan",
            "me-too",
            "Sahayam",
        ] {
            assert_eq!(check_name(name), Ok(()), "{name}");
        }
    }

    #[test]
    fn no_list_has_a_word_that_is_no_name() {
        for word in ROLES.iter().chain(&WHOLE) {
            assert_eq!(check_given_name(word), Ok(()), "{word}");
            assert!(check_name(word).is_err(), "{word}");
        }
    }
}
