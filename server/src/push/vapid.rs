//! Identification of the sender to a push service (RFC 8292): a token that is signed with this server's key.
//!
//! Implemented here instead of with `web-push-native`: that crate names the service without its port, lets the token last as long as the
//! message (a service refuses more than a day), and brings in every algorithm of its token library. This needs only two JSON texts and a
//! signature of `p256`.

use axum::http::HeaderValue;
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use p256::ecdsa::signature::Signer;
use p256::ecdsa::{Signature, SigningKey};
use serde::Serialize;

use mawe_store::PushSecret;

/// Lifetime of a token, in seconds. The limit is a day, and clocks differ.
const LIFETIME_S: i64 = 12 * 60 * 60;

/// Header of every token.
const HEADER: &str = r#"{"typ":"JWT","alg":"ES256"}"#;

/// The key pair of this server.
pub(super) struct Vapid {
    key: SigningKey,
    /// The public key, in the encoding that browsers take.
    pub(super) public: String,
    /// Contact address for push services: `mailto:…` or `https://…`.
    contact: Option<String>,
}

/// The claims of a token.
#[derive(Serialize)]
struct Claims<'a> {
    aud: &'a str,
    exp: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    sub: Option<&'a str>,
}

/// Draws a new private key.
///
/// # Panics
/// If the operating system has no random source.
pub(super) fn draw() -> PushSecret {
    let mut secret = PushSecret::default();
    // One value in 2^32 is not a valid key of the curve.
    while SigningKey::from_slice(&secret).is_err() {
        getrandom::fill(&mut secret).expect("the operating system gives random bytes");
    }
    secret
}

impl Vapid {
    /// Makes the key pair from its private key; `None` if that is not valid for the curve.
    pub(super) fn new(secret: &PushSecret, contact: Option<String>) -> Option<Vapid> {
        let key = SigningKey::from_slice(secret).ok()?;
        let point = key.verifying_key().to_encoded_point(false);
        Some(Vapid {
            public: BASE64_URL_SAFE_NO_PAD.encode(point.as_bytes()),
            key,
            contact,
        })
    }

    /// Returns the `Authorization` header for a service, which is named by its origin.
    pub(super) fn authorization(&self, audience: &str, now_ms: i64) -> HeaderValue {
        let claims = Claims {
            aud: audience,
            exp: now_ms / 1_000 + LIFETIME_S,
            sub: self.contact.as_deref(),
        };
        let claims = serde_json::to_vec(&claims).expect("claims are plain JSON");
        let said = format!(
            "{}.{}",
            BASE64_URL_SAFE_NO_PAD.encode(HEADER),
            BASE64_URL_SAFE_NO_PAD.encode(claims)
        );
        let signature: Signature = self.key.sign(said.as_bytes());
        let signature = BASE64_URL_SAFE_NO_PAD.encode(signature.to_bytes());
        let text = format!("vapid t={said}.{signature}, k={}", self.public);
        let mut value = HeaderValue::try_from(text).expect("it is letters, digits and signs");
        value.set_sensitive(true);
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_drawn_once_and_is_the_same_again() {
        let secret = draw();
        assert_ne!(secret, draw());
        let key = |contact| Vapid::new(&secret, contact).expect("a key");
        assert_eq!(key(None).public, key(Some("mailto:a@b".to_owned())).public);
        // 65 bytes: an uncompressed point.
        assert_eq!(key(None).public.len(), 87);
        assert!(Vapid::new(&[0; 32], None).is_none());
    }
}
