//! Requests of OAuth 2 clients: RFC 6749 with PKCE (RFC 7636), for programs on other pages and on devices (RFC 8252).
//!
//! Clients are not registered: a client is known by the address to which its codes are sent, and its person sees the host of that address
//! (`docs/decisions/0025-oauth-clients.md`).

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ops::RangeInclusive;

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use mawe_wire::ids::TokenHash;
use mawe_wire::random;
use mawe_wire::scope::{Scope, Scopes};
use sha2::{Digest, Sha256};
use url::{Host, Url};

use crate::identity::sessions;

/// The length of a client's id in characters.
pub(crate) const CLIENT_ID_CHARS: RangeInclusive<usize> = 3..=80;

/// The longest address of a client, in bytes.
pub(crate) const MAX_REDIRECT_URI_BYTES: usize = 500;

/// The longest `state`, in bytes: it travels in an address.
pub(crate) const MAX_STATE_BYTES: usize = 500;

/// The length of a verifier in characters (RFC 7636, 4.1).
pub(crate) const VERIFIER_CHARS: RangeInclusive<usize> = 43..=128;

/// The length of a code in characters: 238 bits, as a token's.
const CODE_CHARS: usize = 40;

/// The longest name of a token, in characters.
const MAX_NAME_CHARS: usize = 40;

/// The parameters that an answer adds to the client's address, which may not be there already.
const ANSWERED: [&str; 5] = ["code", "state", "iss", "error", "error_description"];

/// Draws a new code: returns the code and its hash for the store.
///
/// # Panics
/// If the operating system has no random source.
pub(crate) fn draw_code() -> (String, TokenHash) {
    let code = random::text(CODE_CHARS);
    let hash = sessions::hash(&code);
    (code, hash)
}

/// Returns the hash of a code; `None` for a text that is none, which needs no query of the store.
pub(crate) fn hash_code(code: &str) -> Option<TokenHash> {
    let is_code = code.len() == CODE_CHARS && code.bytes().all(|byte| byte.is_ascii_alphanumeric());
    is_code.then(|| sessions::hash(code))
}

/// Returns the challenge of a verifier by the method `S256`; `None` if it is malformed.
pub(crate) fn challenge_of(verifier: &str) -> Option<[u8; 32]> {
    let is_unreserved = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    let is_verifier =
        VERIFIER_CHARS.contains(&verifier.len()) && verifier.bytes().all(is_unreserved);
    is_verifier.then(|| Sha256::digest(verifier).into())
}

/// The parameters of a request, by name. Parameters without a value are left out, as if they had not been sent (RFC 6749, 3.1).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Parameters {
    values: BTreeMap<String, String>,
    /// The parameters that were sent more than once.
    repeated: Vec<String>,
}

/// The error for a parameter that was sent more than once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Repeated;

impl Parameters {
    /// Reads parameters in the encoding of forms.
    pub(crate) fn from_form(form: &[u8]) -> Parameters {
        Parameters::from_pairs(form_urlencoded::parse(form).into_owned())
    }

    pub(crate) fn from_pairs(pairs: impl IntoIterator<Item = (String, String)>) -> Parameters {
        let mut parameters = Parameters::default();
        for (name, value) in pairs {
            if value.is_empty() {
                continue;
            }
            match parameters.values.entry(name) {
                Entry::Occupied(there) => parameters.repeated.push(there.key().clone()),
                Entry::Vacant(free) => drop(free.insert(value)),
            }
        }
        parameters
    }

    /// Returns the value of a parameter.
    pub(crate) fn get(&self, name: &str) -> Result<Option<&str>, Repeated> {
        if self.repeated.iter().any(|one| one == name) {
            return Err(Repeated);
        }
        Ok(self.values.get(name).map(String::as_str))
    }
}

/// A request to let a client act for a person.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) client: Client,
    pub(crate) scopes: Scopes,
    pub(crate) challenge: [u8; 32],
    /// A text of the client's, which the answer gives back.
    pub(crate) state: Option<String>,
}

/// A request that cannot be granted.
#[derive(Debug, Clone)]
pub(crate) enum Fault {
    /// There is no address to which an answer could be sent.
    Client(BadClient),
    /// The answer tells the client.
    Request(Box<BadRequest>),
}

/// A request of a good client that cannot be granted.
#[derive(Debug, Clone)]
pub(crate) struct BadRequest {
    pub(crate) client: Client,
    pub(crate) state: Option<String>,
    pub(crate) error: RequestError,
}

/// A bad parameter without which nobody can be answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum BadClient {
    #[error("a client_id has 3 to 80 printable characters of ASCII, and no space")]
    Id,
    #[error(
        "a redirect_uri is an address with https, with http of this device (localhost, 127.0.0.1, [::1]), or with a scheme of an app's own such as com.example.app:/done; it has at most 500 characters of ASCII, no fragment, no user, and no parameter that the answer adds"
    )]
    RedirectUri,
}

impl BadClient {
    /// Returns the name of the parameter.
    pub(crate) fn parameter(self) -> &'static str {
        match self {
            BadClient::Id => "client_id",
            BadClient::RedirectUri => "redirect_uri",
        }
    }
}

/// An error of a request, of which the client is told (RFC 6749, 4.1.2.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RequestError {
    /// A parameter is missing, malformed, or was sent more than once.
    InvalidRequest(&'static str),
    /// Another `response_type` than `code`.
    UnsupportedResponseType,
    /// A scope that does not exist, or that is not given in this way.
    InvalidScope,
}

impl RequestError {
    /// Returns the stable code.
    pub(crate) fn code(self) -> &'static str {
        match self {
            RequestError::InvalidRequest(_) => "invalid_request",
            RequestError::UnsupportedResponseType => "unsupported_response_type",
            RequestError::InvalidScope => "invalid_scope",
        }
    }

    /// Returns the name of the parameter.
    pub(crate) fn parameter(self) -> &'static str {
        match self {
            RequestError::InvalidRequest(parameter) => parameter,
            RequestError::UnsupportedResponseType => "response_type",
            RequestError::InvalidScope => "scope",
        }
    }

    /// Returns the fault and its remedy, in characters that RFC 6749 permits in an `error_description`.
    pub(crate) fn description(self) -> String {
        match self {
            RequestError::InvalidRequest("code_challenge_method") => {
                "code_challenge_method must be S256".to_owned()
            }
            RequestError::InvalidRequest("code_challenge") => {
                "code_challenge must be the SHA-256 of the verifier in base64url: 43 characters"
                    .to_owned()
            }
            RequestError::InvalidRequest(parameter) => {
                format!("{parameter} is missing, too long, or given more than once")
            }
            RequestError::UnsupportedResponseType => "response_type must be code".to_owned(),
            RequestError::InvalidScope => {
                "scope must name at least one of read, play and challenge, and nothing else"
                    .to_owned()
            }
        }
    }
}

impl Request {
    /// Reads a request.
    ///
    /// # Errors
    /// [`Fault`], which says whether the client can be told.
    pub(crate) fn from_parameters(given: &Parameters) -> Result<Request, Fault> {
        let id = given.get("client_id").ok().flatten();
        let redirect_uri = given.get("redirect_uri").ok().flatten();
        let client = Client::new(id.unwrap_or_default(), redirect_uri.unwrap_or_default());
        let client = client.map_err(Fault::Client)?;
        let state = state(given);
        let wish = match &state {
            Ok(_) => wish(given),
            Err(error) => Err(*error),
        };
        let state = state.ok().flatten();
        match wish {
            Ok((scopes, challenge)) => Ok(Request {
                client,
                scopes,
                challenge,
                state,
            }),
            Err(error) => Err(Fault::Request(Box::new(BadRequest {
                client,
                state,
                error,
            }))),
        }
    }
}

fn state(given: &Parameters) -> Result<Option<String>, RequestError> {
    const BAD: RequestError = RequestError::InvalidRequest("state");
    let state = given.get("state").map_err(|Repeated| BAD)?;
    let is_text = |state: &&str| state.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    match state {
        Some(state) if state.len() > MAX_STATE_BYTES || !is_text(&state) => Err(BAD),
        state => Ok(state.map(str::to_owned)),
    }
}

/// Returns the scopes and the challenge of a request.
fn wish(given: &Parameters) -> Result<(Scopes, [u8; 32]), RequestError> {
    use RequestError::{InvalidRequest, InvalidScope, UnsupportedResponseType};
    let get = |name: &'static str| given.get(name).map_err(|Repeated| InvalidRequest(name));
    match get("response_type")? {
        Some("code") => {}
        Some(_) => return Err(UnsupportedResponseType),
        None => return Err(InvalidRequest("response_type")),
    }
    let method = get("code_challenge_method")?;
    let challenge = get("code_challenge")?.ok_or(InvalidRequest("code_challenge"))?;
    if method != Some("S256") {
        return Err(InvalidRequest("code_challenge_method"));
    }
    let challenge = BASE64_URL_SAFE_NO_PAD.decode(challenge).ok();
    let challenge = challenge.and_then(|bytes| bytes.try_into().ok());
    let challenge = challenge.ok_or(InvalidRequest("code_challenge"))?;
    let scopes: Scopes = get("scope")?
        .unwrap_or_default()
        .parse()
        .map_err(|_| InvalidScope)?;
    // The scope `bot` changes the account for good: its owner gives it by hand, in a token of their own.
    if scopes.is_empty() || scopes.iter().any(|scope| scope == Scope::Bot) {
        return Err(InvalidScope);
    }
    Ok((scopes, challenge))
}

/// The scopes that a client can be given.
pub(crate) fn given_scopes() -> impl Iterator<Item = Scope> {
    Scope::ALL.into_iter().filter(|scope| *scope != Scope::Bot)
}

/// A client: its own name, and the address to which answers are sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Client {
    id: String,
    redirect_uri: String,
    /// The same, as a browser reads it.
    url: Url,
}

impl Client {
    /// Reads a client.
    ///
    /// # Errors
    /// [`BadClient`].
    pub(crate) fn new(id: &str, redirect_uri: &str) -> Result<Client, BadClient> {
        let is_id =
            CLIENT_ID_CHARS.contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_graphic());
        if !is_id {
            return Err(BadClient::Id);
        }
        let url = redirect_url(redirect_uri).ok_or(BadClient::RedirectUri)?;
        Ok(Client {
            id: id.to_owned(),
            redirect_uri: redirect_uri.to_owned(),
            url,
        })
    }

    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    pub(crate) fn redirect_uri(&self) -> &str {
        &self.redirect_uri
    }

    /// Returns the host to which answers are sent, with its port if it is an unusual one; of an app on a device its scheme. It is in ASCII:
    /// a letter of another script that looks like a Latin one is seen.
    pub(crate) fn host(&self) -> String {
        match (self.url.host_str(), self.url.port()) {
            _ if is_private(self.url.scheme()) => self.url.scheme().to_owned(),
            (Some(host), Some(port)) => format!("{host}:{port}"),
            (host, _) => host.unwrap_or_default().to_owned(),
        }
    }

    /// Returns a name for the client's token: its host, of a long one the end, which says most.
    pub(crate) fn token_name(&self) -> String {
        let host = self.host();
        match host.len().checked_sub(MAX_NAME_CHARS) {
            Some(excess) if excess > 0 => format!("…{}", &host[excess + 1..]),
            _ => host,
        }
    }

    /// Returns the client's address with further parameters.
    pub(crate) fn address(&self, parameters: &[(&str, Option<&str>)]) -> String {
        let mut url = self.url.clone();
        let given = parameters.iter();
        url.query_pairs_mut()
            .extend_pairs(given.filter_map(|(name, value)| value.map(|value| (*name, value))));
        url.into()
    }
}

/// Returns a client's address as a browser reads it; `None` if it is none to which a code may be sent.
fn redirect_url(text: &str) -> Option<Url> {
    // A browser drops control characters, and reads a backslash as a slash.
    let is_plain = |byte: u8| byte.is_ascii_graphic() && byte != b'\\';
    if text.len() > MAX_REDIRECT_URI_BYTES || !text.bytes().all(is_plain) {
        return None;
    }
    let url = Url::parse(text).ok()?;
    let is_own = match (url.scheme(), url.host()) {
        ("https", Some(_)) => true,
        // Nobody between the browser and a program on the same device reads the code.
        ("http", Some(Host::Domain(host))) => host == "localhost",
        ("http", Some(Host::Ipv4(address))) => address == std::net::Ipv4Addr::LOCALHOST,
        ("http", Some(Host::Ipv6(address))) => address == std::net::Ipv6Addr::LOCALHOST,
        (scheme, _) => is_private(scheme) && text[scheme.len()..].starts_with(":/"),
    };
    let is_bare = url.fragment().is_none() && url.username().is_empty() && url.password().is_none();
    let is_free = !url
        .query_pairs()
        .any(|(name, _)| ANSWERED.contains(&name.as_ref()));
    (is_own && is_bare && is_free).then_some(url)
}

/// Returns whether a scheme is an app's own: a domain name in reverse order (RFC 8252, 7.1), as no scheme of a browser is.
fn is_private(scheme: &str) -> bool {
    scheme.contains('.')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of RFC 7636, appendix B.
    const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
    const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

    fn query(changes: &[(&str, Option<&str>)]) -> Parameters {
        let mut pairs: Vec<(String, String)> = [
            ("response_type", "code"),
            ("client_id", "a-board"),
            ("redirect_uri", "https://app.example/done?theme=dark"),
            ("scope", "play read"),
            ("code_challenge", CHALLENGE),
            ("code_challenge_method", "S256"),
            ("state", "x y"),
        ]
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
        for (name, value) in changes {
            pairs.retain(|(one, _)| one != name);
            pairs.extend(value.map(|value| ((*name).to_owned(), value.to_owned())));
        }
        Parameters::from_pairs(pairs)
    }

    #[test]
    fn a_whole_request_is_read() {
        let request = Request::from_parameters(&query(&[])).expect("it is good");
        assert_eq!(request.scopes.to_string(), "read play");
        assert_eq!(Some(request.challenge), challenge_of(VERIFIER));
        assert_eq!(request.state.as_deref(), Some("x y"));
        assert_eq!(request.client.host(), "app.example");
        let address = request.client.address(&[
            ("code", Some("a&b")),
            ("state", request.state.as_deref()),
            ("iss", None),
        ]);
        assert_eq!(
            address,
            "https://app.example/done?theme=dark&code=a%26b&state=x+y"
        );
        // An unknown parameter is ignored, and an empty one is none.
        let more = query(&[("prompt", Some("login")), ("state", Some(""))]);
        let request = Request::from_parameters(&more).expect("it is good");
        assert_eq!(request.state, None);
    }

    #[test]
    fn a_fault_names_its_parameter_and_gives_the_state_back() {
        use RequestError::{InvalidRequest, InvalidScope, UnsupportedResponseType};
        let long = "x".repeat(MAX_STATE_BYTES + 1);
        for (name, value, expected) in [
            ("response_type", Some("token"), UnsupportedResponseType),
            ("response_type", None, InvalidRequest("response_type")),
            ("scope", None, InvalidScope),
            ("scope", Some("read admin"), InvalidScope),
            ("scope", Some("read bot"), InvalidScope),
            ("code_challenge", None, InvalidRequest("code_challenge")),
            (
                "code_challenge",
                Some("short"),
                InvalidRequest("code_challenge"),
            ),
            (
                "code_challenge",
                Some("*"),
                InvalidRequest("code_challenge"),
            ),
            (
                "code_challenge_method",
                None,
                InvalidRequest("code_challenge_method"),
            ),
            (
                "code_challenge_method",
                Some("plain"),
                InvalidRequest("code_challenge_method"),
            ),
            ("state", Some(long.as_str()), InvalidRequest("state")),
            ("state", Some("é"), InvalidRequest("state")),
        ] {
            let fault = Request::from_parameters(&query(&[(name, value)]));
            let Err(Fault::Request(bad)) = fault else {
                panic!("{name} {value:?}: {fault:?}");
            };
            let BadRequest { error, state, .. } = *bad;
            assert_eq!(error, expected, "{name} {value:?}");
            let given_back = (name != "state").then(|| "x y".to_owned());
            assert_eq!(state, given_back, "{name}");
            assert_eq!(error.parameter(), name);
            let is_permitted = |c: char| matches!(c, ' '..='~') && c != '"' && c != '\\';
            assert!(error.description().chars().all(is_permitted));
        }
        let twice =
            "response_type=code&client_id=abc&redirect_uri=https://a.example&scope=read&scope=play";
        let fault = Request::from_parameters(&Parameters::from_form(
            format!("{twice}&code_challenge={CHALLENGE}&code_challenge_method=S256").as_bytes(),
        ));
        let Err(Fault::Request(bad)) = fault else {
            panic!("{fault:?}");
        };
        assert_eq!(bad.error, InvalidRequest("scope"));
    }

    #[test]
    fn without_a_good_client_nobody_is_told() {
        let long = "x".repeat(81);
        for (name, value, expected) in [
            ("client_id", None, BadClient::Id),
            ("client_id", Some("ab"), BadClient::Id),
            ("client_id", Some("a b"), BadClient::Id),
            ("client_id", Some("żaba"), BadClient::Id),
            ("client_id", Some(long.as_str()), BadClient::Id),
            ("redirect_uri", None, BadClient::RedirectUri),
            ("redirect_uri", Some("/here"), BadClient::RedirectUri),
        ] {
            let fault = Request::from_parameters(&query(&[(name, value)]));
            let Err(Fault::Client(bad)) = fault else {
                panic!("{name} {value:?}: {fault:?}");
            };
            assert_eq!((bad, bad.parameter()), (expected, name), "{value:?}");
        }
        let twice = b"client_id=abc&client_id=def&redirect_uri=https://a.example";
        let fault = Request::from_parameters(&Parameters::from_form(twice));
        assert!(
            matches!(fault, Err(Fault::Client(BadClient::Id))),
            "{fault:?}"
        );
    }

    #[test]
    fn a_code_is_sent_to_a_safe_address_alone() {
        let long = format!("https://a.example/{}", "x".repeat(MAX_REDIRECT_URI_BYTES));
        for (address, host) in [
            ("https://app.example/done", Some("app.example")),
            ("https://app.example", Some("app.example")),
            ("https://App.Example:443/", Some("app.example")),
            ("https://app.example:8443/", Some("app.example:8443")),
            ("https://mawe.example@evil.example/", None),
            ("https://:secret@app.example/", None),
            ("https://app.example\\@evil.example/", None),
            ("https://app.example/#part", None),
            ("https://app.example/#", None),
            ("https://app.example/?code=x", None),
            ("https://app.example/?a=1&state=x", None),
            ("https://app.example/a b", None),
            ("https://app.example/\n", None),
            ("https://äpp.example/", None),
            ("https://xn--pp-uia.example/", Some("xn--pp-uia.example")),
            ("http://app.example/", None),
            ("http://localhost:5173/done", Some("localhost:5173")),
            ("http://localhost.evil.example/", None),
            ("http://127.0.0.1:3000/", Some("127.0.0.1:3000")),
            ("http://127.0.0.2/", None),
            ("http://[::1]:3000/", Some("[::1]:3000")),
            ("http://[::2]/", None),
            ("com.example.app:/done", Some("com.example.app")),
            ("com.example.app://done", Some("com.example.app")),
            ("com.example.app:done", None),
            ("javascript:alert(1)", None),
            ("javascript://app.example/%0aalert(1)", None),
            ("data:text/html,hello", None),
            ("file:///etc/passwd", None),
            ("ftp://app.example/", None),
            ("app:/done", None),
            ("//app.example/", None),
            ("", None),
            (long.as_str(), None),
        ] {
            let client = Client::new("a-board", address);
            let found = client.as_ref().ok().map(Client::host);
            assert_eq!(found.as_deref(), host, "{address}");
        }
    }

    #[test]
    fn a_token_is_called_after_its_host() {
        let client = |address: &str| Client::new("a-board", address).expect("it is good");
        assert_eq!(client("https://app.example/x").token_name(), "app.example");
        let long = format!("https://{}.app.example/", "a".repeat(50));
        let name = client(&long).token_name();
        assert_eq!(name.chars().count(), MAX_NAME_CHARS);
        assert!(
            name.starts_with('…') && name.ends_with(".app.example"),
            "{name}"
        );
        let just = format!("https://{}.app.example/", "a".repeat(28));
        let name = client(&just).token_name();
        assert!(
            name.starts_with('a') && name.len() == MAX_NAME_CHARS,
            "{name}"
        );
    }

    #[test]
    fn an_app_gets_its_answer_in_the_query() {
        let client = Client::new("a-board", "com.example.app:/done").expect("it is good");
        assert_eq!(
            client.address(&[("error", Some("access_denied"))]),
            "com.example.app:/done?error=access_denied"
        );
    }

    #[test]
    fn a_verifier_and_a_code_are_known_by_their_form() {
        let challenge = challenge_of(VERIFIER).map(|digest| BASE64_URL_SAFE_NO_PAD.encode(digest));
        assert_eq!(challenge.as_deref(), Some(CHALLENGE));
        for bad in [
            "",
            &VERIFIER[1..],
            &"a".repeat(129),
            &"é".repeat(30),
            &"a ".repeat(30),
        ] {
            assert_eq!(challenge_of(bad), None, "{bad}");
        }
        assert!(challenge_of(&"a".repeat(128)).is_some());
        let (code, hash) = draw_code();
        assert_eq!(hash_code(&code), Some(hash));
        assert_ne!(draw_code().0, code);
        for bad in ["", &code[1..], &format!("{code}0"), &"-".repeat(40)] {
            assert_eq!(hash_code(bad), None, "{bad}");
        }
    }
}
