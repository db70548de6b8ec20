//! The form of e-mail addresses, and the tokens of links that go to them.

use lettre::Address;
use mawe_store::NewLink;
use mawe_wire::ids::TokenHash;
use mawe_wire::random;

use crate::identity::sessions;

/// The greatest length of an address in characters (RFC 5321).
pub const MAX_ADDRESS_CHARS: usize = 254;

/// The greatest length of the part before the `@`.
const MAX_LOCAL_CHARS: usize = 64;

/// The length of a token in characters: 238 bits, so that a fast hash is enough to store it.
pub const TOKEN_CHARS: usize = 40;

/// The fault of an address and its remedy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadAddress {
    /// It is too long.
    #[error("an address has 254 characters at most, 64 of them before the @")]
    TooLong,
    /// A character is outside the printable ones of ASCII, or quoted.
    #[error(
        "write the address with the letters a to z, digits and signs, without spaces and quotation marks; a domain with other letters in its form with xn--"
    )]
    BadCharacter,
    /// It is no address.
    #[error("write an address like amina@example.org")]
    NoAddress,
}

/// Parses an address. Mail servers understand more forms than these; what nobody types by intent is refused.
///
/// # Errors
/// [`BadAddress`].
pub fn parse(typed: &str) -> Result<Address, BadAddress> {
    let typed = typed.trim_matches(' ');
    let local = typed.split_once('@').map_or(0, |(local, _)| local.len());
    if typed.chars().count() > MAX_ADDRESS_CHARS || local > MAX_LOCAL_CHARS {
        return Err(BadAddress::TooLong);
    }
    let is_bad = |c: char| !c.is_ascii_graphic() || matches!(c, '"' | '\\' | '<' | '>' | '(' | ')');
    if typed.contains(is_bad) {
        return Err(BadAddress::BadCharacter);
    }
    let address: Address = typed.parse().map_err(|_| BadAddress::NoAddress)?;
    // Numbers in brackets lead around the names of the mail system, and a name without a dot is a mistyped one.
    let domain = address.domain();
    if domain.starts_with('[') || !domain.contains('.') {
        return Err(BadAddress::NoAddress);
    }
    Ok(address)
}

/// Draws the token of a link that is good for a time; returns it, which is in the mail alone, and the link for the store.
///
/// # Panics
/// If the operating system has no random source.
#[must_use]
pub fn draw_link(now_ms: i64, lifetime_ms: i64) -> (String, NewLink) {
    let token = random::text(TOKEN_CHARS);
    let link = NewLink {
        token: sessions::hash(&token),
        created_ms: now_ms,
        expires_ms: now_ms + lifetime_ms,
    };
    (token, link)
}

/// Returns the hash of a token; `None` for a text that is none.
#[must_use]
pub fn token_hash(token: &str) -> Option<TokenHash> {
    (token.len() == TOKEN_CHARS).then(|| sessions::hash(token))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_known_by_its_form() {
        for good in [
            "amina@example.org",
            " Amina.M+mawe@mail.example.org ",
            "o'brien_1@xn--bcher-kva.example",
            &format!("{}@example.org", "a".repeat(64)),
        ] {
            let parsed = parse(good).map(|address| address.to_string());
            assert_eq!(parsed.as_deref(), Ok(good.trim()), "{good}");
        }
        let long_domain = format!("a@{}example.org", "b23456789.".repeat(25));
        for (bad, fault) in [
            ("", BadAddress::NoAddress),
            ("amina", BadAddress::NoAddress),
            ("@example.org", BadAddress::NoAddress),
            ("amina@", BadAddress::NoAddress),
            ("amina@example", BadAddress::NoAddress),
            ("amina@[127.0.0.1]", BadAddress::NoAddress),
            ("a@b@example.org", BadAddress::NoAddress),
            ("a..b@example.org", BadAddress::NoAddress),
            ("a@example..org", BadAddress::NoAddress),
            ("a@-example.org", BadAddress::NoAddress),
            ("a,b@example.org", BadAddress::NoAddress),
            (
                "amina@example.org\r\nBcc: b@example.org",
                BadAddress::BadCharacter,
            ),
            ("amina@example.org\n", BadAddress::BadCharacter),
            ("amina\0@example.org", BadAddress::BadCharacter),
            ("amina@bücher.example", BadAddress::BadCharacter),
            ("അമ്മു@example.org", BadAddress::BadCharacter),
            ("\u{202e}a@example.org", BadAddress::BadCharacter),
            ("a b@example.org", BadAddress::BadCharacter),
            ("\"a b\"@example.org", BadAddress::BadCharacter),
            ("Amina <amina@example.org>", BadAddress::BadCharacter),
            (
                &format!("{}@example.org", "a".repeat(65)),
                BadAddress::TooLong,
            ),
            (&long_domain, BadAddress::TooLong),
        ] {
            assert_eq!(parse(bad), Err(fault), "{bad:?}");
        }
    }

    #[test]
    fn each_link_has_a_token_of_its_own() {
        let (token, link) = draw_link(7, 10);
        assert_eq!((link.created_ms, link.expires_ms), (7, 17));
        assert_eq!(token_hash(&token), Some(link.token));
        assert_ne!(draw_link(7, 10).0, token);
        for none in ["", &token[1..], &format!("{token}0")] {
            assert_eq!(token_hash(none), None);
        }
    }
}
