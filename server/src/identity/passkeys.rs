//! Passkeys (WebAuthn): the site as the relying party, and the checks of the answers of browsers, by the library `webauthn_rp`.
//!
//! A passkey belongs to the domain of the site, and a browser uses it on pages of that domain only, over https or on `localhost`. An answer
//! counts only if the browser names exactly the origin of the site, and if the authenticator has verified its user (by a PIN, a finger, a face):
//! a passkey stands for name and password together.

use mawe_store::{LoginPasskey, PasskeyRow, Player};
use mawe_wire::ids::{ID_CHARS, PlayerId};
use serde::Serialize;
use serde_json::Value;
use url::{Host, Url};
use webauthn_rp::bin::{Decode, Encode};
use webauthn_rp::request::auth::AuthenticationVerificationOptions;
use webauthn_rp::request::register::{
    CredProtect, PublicKeyCredentialUserEntity, RegistrationVerificationOptions, UserHandle,
};
use webauthn_rp::request::{AsciiDomain, PublicKeyCredentialDescriptor, RpId};
use webauthn_rp::response::auth::ser_relaxed::{
    AuthenticationRelaxed, DiscoverableAuthenticationRelaxed,
};
use webauthn_rp::response::register::ser_relaxed::RegistrationRelaxed;
use webauthn_rp::response::register::{CompressedPubKey, DynamicState, StaticState};
use webauthn_rp::response::{AuthTransports, CredentialId};
use webauthn_rp::{
    AuthenticatedCredential, DiscoverableAuthenticationServerState,
    DiscoverableCredentialRequestOptions, PublicKeyCredentialCreationOptions,
    RegistrationServerState,
};

/// A stored public key.
type PublicKey = CompressedPubKey<[u8; 32], [u8; 32], [u8; 48], Vec<u8>>;

/// The site, as browsers name it: its domain and its one origin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RelyingParty {
    id: RpId,
    origin: String,
}

/// A challenge that was just made.
#[derive(Debug, Clone)]
pub struct BegunCeremony {
    /// The state with which the answer is checked.
    pub state: Vec<u8>,
    /// The options for the browser: those of `parseCreationOptionsFromJSON` or of `parseRequestOptionsFromJSON`.
    pub options: Value,
}

/// A registration that was checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegisteredPasskey {
    /// The authenticator's id for the passkey.
    pub credential_id: Vec<u8>,
    /// The public key.
    pub public_key: Vec<u8>,
    /// The counter and the state of backup.
    pub state: Vec<u8>,
    /// The ways to the authenticator.
    pub transports: u8,
}

/// The answer of a browser to the challenge of a login, not yet checked.
#[derive(Debug)]
pub struct LoginAnswer(DiscoverableAuthenticationRelaxed<ID_CHARS>);

impl RelyingParty {
    /// Returns the relying party of a site with this origin; `None` where browsers have no passkeys: without https but on `localhost`, and
    /// where the host is an address.
    #[must_use]
    pub fn new(origin: &str) -> Option<RelyingParty> {
        let url = Url::parse(origin).ok()?;
        let Some(Host::Domain(domain)) = url.host() else {
            return None;
        };
        let is_local = domain == "localhost" || domain.ends_with(".localhost");
        if !(url.scheme() == "https" || (url.scheme() == "http" && is_local)) {
            return None;
        }
        Some(RelyingParty {
            id: RpId::Domain(AsciiDomain::try_from(domain.to_owned()).ok()?),
            origin: url.origin().ascii_serialization(),
        })
    }

    /// Begins the registration of a passkey beside the registered ones of the player; `None` if the library refuses the name.
    #[must_use]
    pub fn begin_registration(
        &self,
        player: &Player,
        registered: &[PasskeyRow],
    ) -> Option<BegunCeremony> {
        let handle = handle(&player.id);
        let user = PublicKeyCredentialUserEntity {
            name: player.name.as_str().try_into().ok()?,
            id: &handle,
            display_name: Some(player.name.as_str().try_into().ok()?),
        };
        let registered = registered.iter().filter_map(descriptor).collect();
        let mut options = PublicKeyCredentialCreationOptions::passkey(&self.id, user, registered);
        // The library asks for a protection that many authenticators lack, and browsers refuse those then.
        options.extensions.cred_protect = CredProtect::None;
        let (server, client) = options.start_ceremony().ok()?;
        Some(BegunCeremony {
            state: server.encode().ok()?,
            options: json(&client)?,
        })
    }

    /// Checks the answer to a registration that began with `state`.
    #[must_use]
    pub fn finish_registration(&self, state: &[u8], answer: &Value) -> Option<RegisteredPasskey> {
        let server = RegistrationServerState::<ID_CHARS>::decode(state).ok()?;
        let RegistrationRelaxed(answer) = parse(answer)?;
        let origins = [self.origin.as_str()];
        let options = RegistrationVerificationOptions::<&str, &str> {
            allowed_origins: &origins,
            // Browsers ask some authenticators for more protection than the options do.
            error_on_unsolicited_extensions: false,
            ..RegistrationVerificationOptions::default()
        };
        let checked = server.verify(&self.id, &answer, &options);
        let checked = noted(checked)?;
        let Ok(transports) = checked.transports().encode();
        let Ok(public_key) = checked.static_state().encode();
        let Ok(state) = checked.dynamic_state().encode();
        Some(RegisteredPasskey {
            credential_id: checked.id().as_ref().to_vec(),
            public_key,
            state: state.to_vec(),
            transports,
        })
    }

    /// Begins a login by whichever passkey the browser has.
    #[must_use]
    pub fn begin_login(&self) -> Option<BegunCeremony> {
        let options = DiscoverableCredentialRequestOptions::passkey(&self.id);
        let (server, client) = options.start_ceremony().ok()?;
        Some(BegunCeremony {
            state: server.encode().ok()?,
            options: json(&client)?,
        })
    }

    /// Checks the answer to a login that began with `state`, by the passkey that it names. Returns the state of the passkey after it.
    #[must_use]
    pub fn finish_login(
        &self,
        state: &[u8],
        answer: &LoginAnswer,
        passkey: &LoginPasskey,
    ) -> Option<Vec<u8>> {
        let server = DiscoverableAuthenticationServerState::decode(state).ok()?;
        let AuthenticationRelaxed(answer) = &answer.0;
        let static_state: StaticState<PublicKey> =
            StaticState::decode(passkey.public_key.as_slice()).ok()?;
        let dynamic_state = DynamicState::decode(passkey.state.as_slice().try_into().ok()?).ok()?;
        let handle = handle(&passkey.player.id);
        let id = answer.raw_id();
        let mut credential =
            AuthenticatedCredential::new(id, &handle, static_state, dynamic_state).ok()?;
        let origins = [self.origin.as_str()];
        let options = AuthenticationVerificationOptions::<&str, &str> {
            allowed_origins: &origins,
            error_on_unsolicited_extensions: false,
            ..AuthenticationVerificationOptions::default()
        };
        let checked = server.verify(&self.id, answer, &mut credential, &options);
        noted(checked)?;
        let Ok(state) = credential.dynamic_state().encode();
        Some(state.to_vec())
    }
}

impl LoginAnswer {
    /// Parses an answer.
    #[must_use]
    pub fn parse(answer: &Value) -> Option<LoginAnswer> {
        // The library panics where the handle is null: only devices with passkeys that need no name send one.
        answer.pointer("/response/userHandle")?.as_str()?;
        parse(answer).map(LoginAnswer)
    }

    /// Returns the id of the passkey that the answer names.
    #[must_use]
    pub fn credential_id(&self) -> &[u8] {
        let AuthenticationRelaxed(answer) = &self.0;
        answer.raw_id().into_inner()
    }
}

/// Returns the id of an account as authenticators keep it: it names no person, and is the same for all passkeys of the account.
fn handle(player: &PlayerId) -> UserHandle<ID_CHARS> {
    let id = player.as_str().as_bytes().first_chunk();
    let Ok(handle) = UserHandle::decode(*id.expect("every id is so long"));
    handle
}

fn descriptor(passkey: &PasskeyRow) -> Option<PublicKeyCredentialDescriptor<Vec<u8>>> {
    Some(PublicKeyCredentialDescriptor {
        id: CredentialId::decode(passkey.credential_id.clone()).ok()?,
        transports: AuthTransports::decode(passkey.transports).ok()?,
    })
}

fn json(options: &impl Serialize) -> Option<Value> {
    serde_json::to_value(options).ok()
}

/// Parses an answer, in the form of `toJSON` of browsers. The library borrows from the text, so the value is written out again.
fn parse<T: serde::de::DeserializeOwned>(answer: &Value) -> Option<T> {
    let text = answer.to_string();
    noted(serde_json::from_str(&text))
}

/// Drops an error after a note for the developer: a client is not told which check has failed.
fn noted<T, E: std::fmt::Display>(checked: Result<T, E>) -> Option<T> {
    checked
        .inspect_err(|error| tracing::debug!("an answer of a passkey was refused: {error}"))
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_has_passkeys_over_https_and_on_localhost() {
        for (origin, expected) in [
            (
                "https://play.example.org",
                Some(("play.example.org", "https://play.example.org")),
            ),
            (
                "https://Play.Example.org:443/",
                Some(("play.example.org", "https://play.example.org")),
            ),
            (
                "https://play.example.org:8443",
                Some(("play.example.org", "https://play.example.org:8443")),
            ),
            (
                "https://mąwe.example",
                Some(("xn--mwe-ipa.example", "https://xn--mwe-ipa.example")),
            ),
            (
                "http://localhost:8080",
                Some(("localhost", "http://localhost:8080")),
            ),
            (
                "http://a.localhost",
                Some(("a.localhost", "http://a.localhost")),
            ),
            ("http://play.example.org", None),
            ("http://localhost.example.org", None),
            ("http://notlocalhost", None),
            ("http://127.0.0.1:8080", None),
            ("https://192.0.2.7", None),
            ("https://[::1]", None),
            ("ftp://localhost", None),
            ("play.example.org", None),
            ("", None),
        ] {
            let party = RelyingParty::new(origin);
            let found = party
                .as_ref()
                .map(|party| (party.id.as_ref(), party.origin.as_str()));
            assert_eq!(found, expected, "{origin}");
        }
    }

    /// A later version of the library must read the keys in databases.
    #[test]
    fn a_stored_key_is_read() {
        let party = RelyingParty::new("https://play.example.org").expect("it has https");
        assert!(party.begin_login().is_some());
        // P-256, the byte of the sign, the first half of the generator, and no extension.
        let mut stored = vec![1];
        stored.extend(GENERATOR_X);
        stored.extend([0, 0, 0]);
        let read: Result<StaticState<PublicKey>, _> = StaticState::decode(stored.as_slice());
        assert!(read.is_ok(), "{read:?}");
        let state = DynamicState::decode([1, 2, 7, 0, 0, 0, 1]).expect("a state");
        assert_eq!((state.user_verified, state.sign_count), (true, 7));
    }

    const GENERATOR_X: [u8; 32] = [
        0x6b, 0x17, 0xd1, 0xf2, 0xe1, 0x2c, 0x42, 0x47, 0xf8, 0xbc, 0xe6, 0xe5, 0x63, 0xa4, 0x40,
        0xf2, 0x77, 0x03, 0x7d, 0x81, 0x2d, 0xeb, 0x33, 0xa0, 0xf4, 0xa1, 0x39, 0x45, 0xd8, 0x98,
        0xc2, 0x96,
    ];
}
