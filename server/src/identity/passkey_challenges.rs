//! Challenges of passkeys: the server signs each one and keeps none. The beginning of a registration or a login stores nothing, and any node
//! takes the answer.
//!
//! A challenge is bound to its purpose and to a secret of the browser: for a registration that is the session, for a login a cookie. It is
//! valid for `LIFETIME_MS`. The store notes the answered ones ([`mawe_store::Passkeys`]), so that each is answered once.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use mawe_store::{DeviceKey, StoreError, UsedChallenge};
use mawe_wire::ids::TokenHash;
use mawe_wire::random;
use sha2::{Digest, Sha256};

use crate::identity::sessions;

/// The name of the cookie; prefixed by `__Host-` if the page is served over TLS.
const COOKIE: &str = "mawe_passkey";
const HOST_COOKIE: &str = "__Host-mawe_passkey";

/// The length of the cookie's secret in characters: 142 bits.
const SECRET_CHARS: usize = 24;

/// The time for which a challenge is valid: the library of WebAuthn tells browsers the same.
pub const LIFETIME_MS: i64 = 5 * 60 * 1_000;

/// The longest challenge that is read, in characters; ours are some 150.
pub(crate) const MAX_CHARS: usize = 400;

/// The prefix of the signed bytes, so that no other signature with the same key is valid as a challenge.
const SIGNED: &[u8] = b"mawe passkey challenge 1";

const SIGNATURE_BYTES: usize = 32;

/// The purpose of a challenge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// The registration of a passkey.
    Registration,
    /// A login.
    Login,
}

/// Signs and verifies challenges, with the key that all nodes share in the store.
pub struct PasskeyChallenges {
    key: DeviceKey,
}

/// A challenge that this server has made, for this browser, lately.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoodChallenge {
    /// The state with which the answer is checked.
    pub state: Vec<u8>,
    /// The note for the store.
    pub used: UsedChallenge,
}

impl PasskeyChallenges {
    /// Opens the store's key, which is drawn at the first use.
    ///
    /// # Errors
    /// When the store does not answer.
    ///
    /// # Panics
    /// If the operating system has no random source.
    pub async fn open(store: &dyn mawe_store::Devices) -> Result<PasskeyChallenges, StoreError> {
        let mut new = DeviceKey::default();
        getrandom::fill(&mut new).expect("the operating system gives random bytes");
        let key = store.device_key(&new).await?;
        Ok(PasskeyChallenges { key })
    }

    /// Returns the text of a challenge with this state, bound to the hash of a secret of the browser.
    #[must_use]
    pub fn seal(&self, purpose: Purpose, browser: &TokenHash, state: &[u8], now_ms: i64) -> String {
        let expires = (now_ms + LIFETIME_MS).to_be_bytes();
        let signature = self.signer(purpose, browser, &expires, state).finalize();
        let mut bytes = signature.into_bytes().to_vec();
        bytes.extend(expires);
        bytes.extend(state);
        BASE64_URL_SAFE_NO_PAD.encode(bytes)
    }

    /// Reads a challenge; `None` if it has expired, is for another purpose or of another browser, or was not made here.
    #[must_use]
    pub fn open_sealed(
        &self,
        purpose: Purpose,
        browser: &TokenHash,
        text: &str,
        now_ms: i64,
    ) -> Option<GoodChallenge> {
        if text.len() > MAX_CHARS {
            return None;
        }
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(text).ok()?;
        let (signature, rest) = bytes.split_first_chunk::<SIGNATURE_BYTES>()?;
        let (expires, state) = rest.split_first_chunk()?;
        let signer = self.signer(purpose, browser, expires, state);
        signer.verify_slice(signature).ok()?;
        let expires_ms = i64::from_be_bytes(*expires);
        (now_ms < expires_ms).then(|| GoodChallenge {
            state: state.to_vec(),
            used: UsedChallenge {
                hash: Sha256::digest(rest).into(),
                expires_ms,
            },
        })
    }

    fn signer(
        &self,
        purpose: Purpose,
        browser: &TokenHash,
        expires: &[u8; 8],
        state: &[u8],
    ) -> Hmac<Sha256> {
        let mut signer =
            Hmac::<Sha256>::new_from_slice(&self.key).expect("a key of any length will do");
        let purpose = match purpose {
            Purpose::Registration => b"r",
            Purpose::Login => b"l",
        };
        // Only the last part has a variable length: no byte can move from one part into the next.
        for part in [SIGNED, purpose, browser, expires, state] {
            signer.update(part);
        }
        signer
    }
}

// The key must not appear in a log.
impl std::fmt::Debug for PasskeyChallenges {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PasskeyChallenges").finish_non_exhaustive()
    }
}

/// Returns the secret that the cookies of a request hold.
#[must_use]
pub fn secret<'a>(cookies: &[&'a str], secure: bool) -> Option<&'a str> {
    let wanted = if secure { HOST_COOKIE } else { COOKIE };
    let cookies = cookies.iter().flat_map(|header| header.split(';'));
    let mut pairs = cookies.filter_map(|cookie| cookie.trim().split_once('='));
    let (_, secret) = pairs.find(|(name, _)| *name == wanted)?;
    let is_ours =
        secret.len() == SECRET_CHARS && secret.bytes().all(|byte| byte.is_ascii_alphanumeric());
    is_ours.then_some(secret)
}

/// Draws a secret for a browser.
#[must_use]
pub fn draw_secret() -> String {
    random::text(SECRET_CHARS)
}

/// Returns the hash by which a challenge is bound to a secret.
#[must_use]
pub fn bound_to(secret: &str) -> TokenHash {
    sessions::hash(secret)
}

/// Returns the `Set-Cookie` value that gives the browser a secret, for as long as its challenges are valid.
#[must_use]
pub fn cookie(secret: &str, secure: bool) -> String {
    let (name, attribute) = match secure {
        true => (HOST_COOKIE, "; Secure"),
        false => (COOKIE, ""),
    };
    let seconds = LIFETIME_MS / 1_000;
    format!("{name}={secret}; Path=/; HttpOnly; SameSite=Strict; Max-Age={seconds}{attribute}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: i64 = 1_800_000_000_000;

    fn challenges() -> PasskeyChallenges {
        PasskeyChallenges { key: [7; 32] }
    }

    #[test]
    fn a_challenge_is_good_for_its_browser_and_its_purpose_for_five_minutes() {
        let challenges = challenges();
        let text = challenges.seal(Purpose::Login, &[1; 32], b"state", NOW);
        let open = |purpose, browser: &TokenHash, at| {
            challenges
                .open_sealed(purpose, browser, &text, at)
                .map(|good| good.state)
        };
        let state = Some(b"state".to_vec());
        assert_eq!(open(Purpose::Login, &[1; 32], NOW), state);
        assert_eq!(open(Purpose::Login, &[1; 32], NOW + LIFETIME_MS - 1), state);
        assert_eq!(open(Purpose::Login, &[1; 32], NOW + LIFETIME_MS), None);
        assert_eq!(open(Purpose::Login, &[2; 32], NOW), None);
        assert_eq!(open(Purpose::Registration, &[1; 32], NOW), None);
        let foreign = PasskeyChallenges { key: [8; 32] };
        let elsewhere = foreign.open_sealed(Purpose::Login, &[1; 32], &text, NOW);
        assert_eq!(elsewhere, None);
    }

    #[test]
    fn a_challenge_with_one_bit_changed_is_none_and_no_text_panics() {
        let challenges = challenges();
        let text = challenges.seal(Purpose::Login, &[1; 32], b"state", NOW);
        let open = |text: &str| challenges.open_sealed(Purpose::Login, &[1; 32], text, NOW);
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(&text).expect("base64");
        for bit in 0..bytes.len() * 8 {
            let mut changed = bytes.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(open(&BASE64_URL_SAFE_NO_PAD.encode(changed)), None, "{bit}");
        }
        for bad in [
            "",
            "A",
            "é",
            &text[..50],
            &"A".repeat(500),
            &format!("{text}="),
        ] {
            assert_eq!(open(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_browser_shows_its_secret() {
        let secret = draw_secret();
        for secure in [false, true] {
            let cookie = cookie(&secret, secure);
            assert_eq!(cookie.contains("Secure"), secure);
            let pair = cookie.split(';').next().expect("a pair");
            let header = format!("x=y; {pair}");
            assert_eq!(super::secret(&[&header], secure), Some(secret.as_str()));
            assert_eq!(super::secret(&[&header], !secure), None);
        }
        for bad in ["mawe_passkey=", "mawe_passkey=short", "mawe_passkey", "x"] {
            assert_eq!(super::secret(&[bad], false), None, "{bad}");
        }
    }
}
