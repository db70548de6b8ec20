//! Session tokens: opaque, drawn at random, kept only as their hash.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

/// The cookie that carries the token.
pub const COOKIE: &str = "mawe_session";

/// How long a session lasts, in days.
pub const LIFETIME_DAYS: i64 = 180;

/// What the store keeps of a token: its SHA-256. A token is 256 random bits, so a fast hash is enough.
pub type TokenHash = [u8; 32];

/// How often it is written down that a session or a token was shown: its owner wants to know the day, not the second.
pub const USED_EVERY_MS: i64 = 60 * 60 * 1_000;

/// The longest label, in bytes.
const LABEL_BYTES: usize = 40;

/// Browsers, by what their `User-Agent` has: many have more than one of these, so the order decides.
const BROWSERS: [(&str, &str); 6] = [
    ("Edg/", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
];

/// Systems, likewise.
const SYSTEMS: [(&str, &str); 6] = [
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
];

/// The name of a session that its owner sees: nobody else's, and of no use for logging in.
#[must_use]
pub fn id(hash: &TokenHash) -> String {
    // A token is known by its hash, this is the hash of the hash: neither can be had from it.
    let digest = Sha256::digest(hash);
    digest[..6]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// Which browser it is in a few words, by its `User-Agent`: so much that its owner knows it again, and no more.
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

/// A new token: what the browser gets, and what the store keeps.
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

/// The hash of a token.
#[must_use]
pub fn hash(token: &str) -> TokenHash {
    Sha256::digest(token.as_bytes()).into()
}

/// The `Set-Cookie` value that gives the browser a token; `secure` where the page is served over TLS.
#[must_use]
pub fn set_cookie(token: &str, secure: bool) -> String {
    let seconds = LIFETIME_DAYS * 24 * 60 * 60;
    format!(
        "{COOKIE}={token}; Path=/; HttpOnly; SameSite=Lax; Max-Age={seconds}{}",
        if secure { "; Secure" } else { "" }
    )
}

/// The `Set-Cookie` value that takes it away.
#[must_use]
pub fn clear_cookie(secure: bool) -> String {
    format!(
        "{COOKIE}=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0{}",
        if secure { "; Secure" } else { "" }
    )
}

/// The token in a `Cookie` header.
#[must_use]
pub fn from_cookies(header: &str) -> Option<&str> {
    let mut cookies = header
        .split(';')
        .filter_map(|cookie| cookie.trim().split_once('='));
    cookies
        .find(|(name, _)| *name == COOKIE)
        .map(|(_, token)| token)
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
    fn a_token_is_found_among_other_cookies() {
        assert_eq!(
            from_cookies("a=b; mawe_session=tok-en; c=d"),
            Some("tok-en")
        );
        assert_eq!(from_cookies("xmawe_session=no; a"), None);
        let (token, stored) = draw();
        assert_eq!(
            hash(from_cookies(&set_cookie(&token, true)).expect("it is there")),
            stored
        );
    }
}
