//! Session tokens: opaque, drawn at random, stored only as their hash.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

use mawe_wire::ids::TokenHash;

/// The cookie that carries the token.
pub const COOKIE: &str = "mawe_session";

/// The name of the cookie over TLS. With this prefix a browser accepts the cookie only from this host itself, over TLS: neither another
/// host of the same domain nor an attacker on an open network can replace it.
pub const HOST_COOKIE: &str = "__Host-mawe_session";

/// The number of tokens of one request that are looked up: a browser sends one, or two if an old one is left under another path or name.
const MAX_TRIED: usize = 4;

/// The length of a token: 256 bits in base64.
const TOKEN_CHARS: usize = 43;

/// The duration of a session, in days.
pub const LIFETIME_DAYS: i64 = 180;

/// The least interval between two stored times of the last use of a session or a token: its owner wants to know the day, not the second.
pub const USED_EVERY_MS: i64 = 60 * 60 * 1_000;

/// The longest label, in bytes.
const LABEL_BYTES: usize = 40;

/// Browsers by a part of their `User-Agent`: many contain several of these, so the order decides.
const BROWSERS: [(&str, &str); 6] = [
    ("Edg/", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
];

/// Operating systems by a part of the `User-Agent`, likewise in order.
const SYSTEMS: [(&str, &str); 6] = [
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
];

/// Returns the age of a session, by its expiry: nothing else moves it.
#[must_use]
pub fn age_ms(expires_ms: i64, now_ms: i64) -> i64 {
    let began_ms = expires_ms.saturating_sub(LIFETIME_DAYS * 24 * 60 * 60 * 1_000);
    now_ms.saturating_sub(began_ms)
}

/// Returns the id of a session for display to its owner; it is unique and cannot be used to log in.
#[must_use]
pub fn id(hash: &TokenHash) -> String {
    // The store knows a token by its hash; the id is the hash of that hash, and reveals neither.
    let digest = Sha256::digest(hash);
    digest[..6]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// Returns a short description of the browser by its `User-Agent`: just enough for the owner to recognise it.
#[must_use]
pub fn label(user_agent: &str) -> String {
    let found = |known: &[(&str, &'static str)]| {
        let mut known = known.iter();
        known
            .find(|(part, _)| user_agent.contains(part))
            .map(|(_, name)| *name)
    };
    match (found(&BROWSERS), found(&SYSTEMS)) {
        (Some(browser), Some(system)) => format!("{browser}, {system}"),
        (Some(one), None) => one.to_owned(),
        // A program: the first word is its name.
        (None, _) => {
            let name = user_agent.split([' ', '/']).next().unwrap_or_default();
            let plain = name.chars().filter(char::is_ascii_graphic);
            plain.take(LABEL_BYTES).collect()
        }
    }
}

/// Draws a new token: returns the browser's token, and its hash for the store.
///
/// # Panics
/// If the operating system has no random source.
#[must_use]
pub fn draw() -> (String, TokenHash) {
    let mut bytes = [0u8; 32];
    getrandom::fill(&mut bytes).expect("the operating system gives random bytes");
    let token = BASE64_URL_SAFE_NO_PAD.encode(bytes);
    let hash = hash(&token);
    (token, hash)
}

/// Returns the hash of a token.
#[must_use]
pub fn hash(token: &str) -> TokenHash {
    Sha256::digest(token.as_bytes()).into()
}

/// Returns the name of the session's cookie; `secure` if the page is served over TLS.
fn cookie_name(secure: bool) -> &'static str {
    if secure { HOST_COOKIE } else { COOKIE }
}

/// Returns the `Set-Cookie` values that give the browser a token. Over TLS they delete the cookie of the other name, which earlier versions
/// set.
#[must_use]
pub fn set_cookies(token: &str, secure: bool) -> Vec<String> {
    let seconds = LIFETIME_DAYS * 24 * 60 * 60;
    let mut cookies = vec![cookie(cookie_name(secure), token, seconds, secure)];
    if secure {
        cookies.push(cookie(COOKIE, "", 0, secure));
    }
    cookies
}

/// Returns the `Set-Cookie` values that delete the token.
#[must_use]
pub fn clear_cookies(secure: bool) -> Vec<String> {
    let mut cookies = vec![cookie(cookie_name(secure), "", 0, secure)];
    if secure {
        cookies.push(cookie(COOKIE, "", 0, secure));
    }
    cookies
}

fn cookie(name: &str, token: &str, seconds: i64, secure: bool) -> String {
    let secure = if secure { "; Secure" } else { "" };
    format!("{name}={token}; Path=/; HttpOnly; SameSite=Lax; Max-Age={seconds}{secure}")
}

/// Returns the tokens in the `Cookie` headers of a request, in the order in which they are tried: an invalid one must not hide a valid one.
/// Over TLS those of the old name come last. A jar, as libraries have it, keeps one cookie of each name.
#[must_use]
pub fn from_cookies<'a>(headers: &[&'a str], secure: bool) -> Vec<&'a str> {
    let named = |name: &'static str| {
        let cookies = headers.iter().flat_map(|header| header.split(';'));
        cookies
            .filter_map(|cookie| cookie.trim().split_once('='))
            .filter(move |(found, token)| *found == name && is_well_formed(token))
            .map(|(_, token)| token)
    };
    let others = named(COOKIE).filter(|_| secure);
    named(cookie_name(secure))
        .chain(others)
        .take(MAX_TRIED)
        .collect()
}

/// Returns the token with this hash if it came over TLS under the cookie name of earlier versions and must move to the new name.
#[must_use]
pub fn under_old_name<'a>(headers: &[&'a str], hash: &TokenHash, secure: bool) -> Option<&'a str> {
    let is_it = |token: &&str| self::hash(token) == *hash;
    let tokens = from_cookies(headers, false);
    let old = tokens.into_iter().find(is_it).filter(|_| secure)?;
    let renamed = format!("{HOST_COOKIE}={old}");
    let mut cookies = headers.iter().flat_map(|header| header.split(';'));
    (!cookies.any(|cookie| cookie.trim() == renamed)).then_some(old)
}

fn is_well_formed(token: &str) -> bool {
    let is_base64 = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    token.len() == TOKEN_CHARS && token.bytes().all(is_base64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_names_browser_and_system() {
        for (user_agent, expected) in [
            (
                "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
                "Firefox, Linux",
            ),
            (
                "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Mobile Safari/537.36",
                "Chrome, Android",
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0",
                "Edge, Windows",
            ),
            ("curl/8.14.1", "curl"),
            ("", ""),
            ("\u{202e}evil\u{7}", "evil"),
        ] {
            assert_eq!(label(user_agent), expected, "{user_agent}");
        }
        assert_eq!(label(&"x".repeat(9_000)).len(), LABEL_BYTES);
    }

    #[test]
    fn a_session_s_name_gives_nothing_away() {
        let (_, stored) = draw();
        assert_eq!(id(&stored).len(), 12);
        assert_ne!(id(&stored), id(&draw().1));
        let hex: String = stored.iter().map(|byte| format!("{byte:02x}")).collect();
        assert!(!hex.contains(&id(&stored)));
    }

    #[test]
    fn tokens_are_found_among_other_cookies() {
        let [a, b, c] = ["a", "b", "c"].map(|letter| letter.repeat(TOKEN_CHARS));
        let header = format!("x=y; {COOKIE}={a}; x{COOKIE}={b}; {COOKIE}=short; z");
        assert_eq!(from_cookies(&[&header], false), [&a]);
        let second = format!("{COOKIE}={c}");
        assert_eq!(from_cookies(&[&header, &second], false), [&a, &c]);
        // Over TLS the name that only this host can set goes first; otherwise it is ignored.
        let host = format!("{HOST_COOKIE}={b}");
        assert_eq!(from_cookies(&[&header, &host], true), [&b, &a]);
        assert_eq!(from_cookies(&[&header, &host], false), [&a]);
        // Only a limited number of tokens is looked up.
        let many = [header.as_str(); 10];
        assert_eq!(from_cookies(&many, true).len(), MAX_TRIED);
    }

    #[test]
    fn what_is_set_is_found_again() {
        for secure in [false, true] {
            let (token, stored) = draw();
            let set = set_cookies(&token, secure);
            let first = set[0].split(';').next().expect("a first part");
            let found = from_cookies(&[first], secure);
            assert_eq!(
                found.iter().map(|one| hash(one)).collect::<Vec<_>>(),
                [stored]
            );
            assert_eq!(set[0].ends_with("; Secure"), secure);
            assert_eq!(set[0].starts_with("__Host-"), secure);
            let cleared = clear_cookies(secure);
            assert_eq!(cleared.len(), set.len());
            assert!(
                cleared
                    .iter()
                    .all(|one| one.contains("=; ") && one.contains("Max-Age=0"))
            );
        }
    }

    #[test]
    fn a_session_of_an_earlier_version_is_due_for_the_new_name() {
        let (token, stored) = draw();
        let old = format!("{COOKIE}={token}");
        let new = format!("{HOST_COOKIE}={token}");
        assert_eq!(under_old_name(&[&old], &stored, true), Some(&*token));
        assert_eq!(under_old_name(&[&old], &stored, false), None);
        assert_eq!(under_old_name(&[&old, &new], &stored, true), None);
        assert_eq!(under_old_name(&[&new], &stored, true), None);
        assert_eq!(under_old_name(&[&old], &draw().1, true), None);
    }
}
