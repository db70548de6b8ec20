//! An authenticator in software: it makes passkeys with P-256 and answers challenges as a browser with a device does, or wrongly.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD as BASE64;
use p256::ecdsa::signature::Signer;
use p256::ecdsa::{Signature, SigningKey};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// The user was present.
const PRESENT: u8 = 0x01;
/// The user was verified.
const VERIFIED: u8 = 0x04;
/// The data holds a new credential.
const WITH_CREDENTIAL: u8 = 0x40;

/// A passkey on a device, with the browser that uses it. Tests change its fields to answer wrongly.
#[derive(Clone)]
pub struct Authenticator {
    pub credential_id: Vec<u8>,
    /// The account's handle, in base64url; empty before the registration.
    pub handle: String,
    /// The counter, which each answer raises.
    pub counter: u32,
    /// Whether the device has a counter; without one it is 0.
    pub counts: bool,
    /// The origin of the page.
    pub origin: String,
    /// The domain for which the passkey answers.
    pub domain: String,
    /// Whether the device verifies its user.
    pub verifies: bool,
    key: SigningKey,
}

impl Authenticator {
    /// Makes a device with a page of this origin in its browser.
    pub fn new(origin: &str) -> Authenticator {
        let mut seed = [0; 32];
        getrandom::fill(&mut seed).expect("random bytes");
        let host = origin.split("//").nth(1).expect("an origin");
        Authenticator {
            credential_id: seed[..20].to_vec(),
            handle: String::new(),
            counter: 0,
            counts: true,
            origin: origin.to_owned(),
            domain: host.split(':').next().expect("a host").to_owned(),
            verifies: true,
            // A number below the order of the curve, but for one seed in 2^32.
            key: SigningKey::from_slice(&seed).expect("a key"),
        }
    }

    /// Answers the options of a registration.
    pub fn register(&mut self, options: &Value) -> Value {
        self.handle = options["user"]["id"].as_str().expect("a handle").to_owned();
        let client_data = self.client_data("webauthn.create", options);
        let point = self.key.verifying_key().to_encoded_point(false);
        let mut data = self.data(WITH_CREDENTIAL);
        data.extend([0; 16]);
        data.extend(
            u16::try_from(self.credential_id.len())
                .expect("short")
                .to_be_bytes(),
        );
        data.extend(&self.credential_id);
        // {1: 2, 3: -7, -1: 1, -2: x, -3: y} in CBOR.
        data.extend([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]);
        data.extend(point.x().expect("a point"));
        data.extend([0x22, 0x58, 0x20]);
        data.extend(point.y().expect("a point"));
        // {"fmt": "none", "attStmt": {}, "authData": …}
        let mut object = vec![0xa3, 0x63];
        object.extend(b"fmt");
        object.push(0x64);
        object.extend(b"none");
        object.push(0x67);
        object.extend(b"attStmt");
        object.extend([0xa0, 0x68]);
        object.extend(b"authData");
        object.extend([0x58, u8::try_from(data.len()).expect("short")]);
        object.extend(data);
        self.credential(&json!({
            "clientDataJSON": BASE64.encode(client_data),
            "attestationObject": BASE64.encode(object),
            "transports": ["internal"],
        }))
    }

    /// Answers the options of a login.
    pub fn log_in(&mut self, options: &Value) -> Value {
        let client_data = self.client_data("webauthn.get", options);
        let data = self.data(0);
        let mut signed = data.clone();
        signed.extend(Sha256::digest(&client_data));
        let signature: Signature = self.key.sign(&signed);
        self.credential(&json!({
            "clientDataJSON": BASE64.encode(client_data),
            "authenticatorData": BASE64.encode(data),
            "signature": BASE64.encode(signature.to_der()),
            "userHandle": self.handle,
        }))
    }

    /// The credential with this response, as its `toJSON()` writes it.
    fn credential(&self, response: &Value) -> Value {
        let id = BASE64.encode(&self.credential_id);
        json!({
            "id": id,
            "rawId": id,
            "type": "public-key",
            "response": response,
            "authenticatorAttachment": "platform",
            "clientExtensionResults": {},
        })
    }

    fn client_data(&self, kind: &str, options: &Value) -> Vec<u8> {
        let challenge = options["challenge"].as_str().expect("a challenge");
        let origin = &self.origin;
        format!(r#"{{"type":"{kind}","challenge":"{challenge}","origin":"{origin}","crossOrigin":false}}"#)
            .into_bytes()
    }

    /// The first part of the authenticator's data; the counter goes up.
    fn data(&mut self, flags: u8) -> Vec<u8> {
        self.counter += u32::from(self.counts);
        let verified = if self.verifies { VERIFIED } else { 0 };
        let mut data = Sha256::digest(self.domain.as_bytes()).to_vec();
        data.push(flags | PRESENT | verified);
        data.extend(self.counter.to_be_bytes());
        data
    }
}
