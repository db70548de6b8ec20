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
