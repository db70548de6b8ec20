//! A push service of RFC 8030 on a separate port, and a browser that subscribes there: it returns preset answers, and decodes the messages
//! with other libraries than the server's.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD as BASE64_URL;
use mawe_server::push::Trusted;
use p256::elliptic_curve::sec1::ToEncodedPoint;
use ring::aead::{self, Aad, LessSafeKey, Nonce, UnboundKey};
use ring::{hkdf, signature};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::eventually;

/// A received message.
#[derive(Debug, Clone)]
pub struct Received {
    /// The last part of the address to which it was sent.
    pub browser: String,
    pub headers: HeaderMap,
    pub body: Bytes,
}

#[derive(Default)]
struct Desk {
    received: Vec<Received>,
    /// The next answers, each with the seconds to wait; then 201.
    answers: VecDeque<(StatusCode, Option<u64>)>,
}

/// A running push service.
pub struct PushService {
    pub address: SocketAddr,
    desk: Arc<Mutex<Desk>>,
}

/// A browser with a subscription.
pub struct Browser {
    pub endpoint: String,
    name: String,
    secret: p256::SecretKey,
    auth: [u8; 16],
}

async fn take(
    State(desk): State<Arc<Mutex<Desk>>>,
    Path(browser): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let mut desk = desk.lock().expect("nobody panics here");
    desk.received.push(Received {
        browser,
        headers,
        body,
    });
    let (status, wait) = desk
        .answers
        .pop_front()
        .unwrap_or((StatusCode::CREATED, None));
    let mut answer = status.into_response();
    if let Some(seconds) = wait {
        answer
            .headers_mut()
            .insert(HeaderName::from_static("retry-after"), seconds.into());
    }
    let location = HeaderValue::from_static("/message/1");
    answer.headers_mut().insert("location", location);
    answer
}

impl PushService {
    pub async fn start() -> PushService {
        let desk = Arc::new(Mutex::new(Desk::default()));
        let router = Router::new()
            .route("/push/{browser}", post(take))
            .with_state(Arc::clone(&desk));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        tokio::spawn(async move { axum::serve(listener, router).await });
        PushService { address, desk }
    }

    /// Returns the service as the operator of the server trusts it.
    pub fn trusted(&self) -> Trusted {
        Trusted::new(&self.address.to_string()).expect("a host and a port")
    }

    /// Creates a browser.
    pub fn browser(&self, name: &str) -> Browser {
        let mut secret = [7; 32];
        secret[..name.len()].copy_from_slice(name.as_bytes());
        Browser {
            endpoint: format!("http://{}/push/{name}", self.address),
            name: name.to_owned(),
            secret: p256::SecretKey::from_slice(&secret).expect("a number of the curve"),
            auth: [9; 16],
        }
    }

    /// Sets the answers to the next messages.
    pub fn answer(&self, answers: &[(u16, Option<u64>)]) {
        let mut desk = self.desk.lock().expect("nobody panics here");
        desk.answers.extend(
            answers
                .iter()
                .map(|(status, wait)| (StatusCode::from_u16(*status).expect("a status"), *wait)),
        );
    }

    pub fn received(&self) -> Vec<Received> {
        let desk = self.desk.lock().expect("nobody panics here");
        desk.received.clone()
    }

    /// Waits until there are this many messages, and returns all.
    pub async fn wait_for(&self, count: usize) -> Vec<Received> {
        eventually(&format!("message {count}"), async || {
            Some(self.received()).filter(|received| received.len() >= count)
        })
        .await
    }
}

impl Browser {
    /// Returns the subscription as the page sends it to the server.
    pub fn subscription(&self) -> Value {
        let point = self.secret.public_key().to_encoded_point(false);
        json!({
            "endpoint": self.endpoint,
            "p256dh": BASE64_URL.encode(point.as_bytes()),
            "auth": BASE64_URL.encode(self.auth),
        })
    }

    /// Decrypts a message for this browser: RFC 8291, step by step.
    pub fn read(&self, message: &Received) -> Value {
        assert_eq!(message.browser, self.name);
        assert_eq!(message.headers["content-encoding"], "aes128gcm");
        // The header of RFC 8188: salt, record size, and the sender's public key as the id of the key.
        let (salt, rest) = message.body.split_at(16);
        let (record_size, rest) = rest.split_at(4);
        let record_size = u32::from_be_bytes(record_size.try_into().expect("four bytes"));
        assert_eq!(rest[0], 65, "an uncompressed point");
        let (sender, sealed) = rest[1..].split_at(65);
        assert!(sealed.len() <= record_size as usize, "one record");
        assert!(message.body.len() <= 4_096, "what every service takes");

        let sender_key = p256::PublicKey::from_sec1_bytes(sender).expect("a point");
        let shared =
            p256::ecdh::diffie_hellman(self.secret.to_nonzero_scalar(), sender_key.as_affine());
        let mine = self.secret.public_key().to_encoded_point(false);
        let mut ikm = [0; 32];
        let info = [b"WebPush: info\0", mine.as_bytes(), sender];
        derive(&self.auth, shared.raw_secret_bytes(), &info, &mut ikm);
        let (mut key, mut nonce) = ([0; 16], [0; 12]);
        derive(salt, &ikm, &[b"Content-Encoding: aes128gcm\0"], &mut key);
        derive(salt, &ikm, &[b"Content-Encoding: nonce\0"], &mut nonce);

        let key = UnboundKey::new(&aead::AES_128_GCM, &key).expect("16 bytes");
        let mut sealed = sealed.to_vec();
        let plain = LessSafeKey::new(key)
            .open_in_place(
                Nonce::assume_unique_for_key(nonce),
                Aad::empty(),
                &mut sealed,
            )
            .expect("it is for this browser");
        // The last record ends with a 2, then zeros.
        let end = plain
            .iter()
            .rposition(|byte| *byte != 0)
            .expect("a delimiter");
        assert_eq!(plain[end], 2);
        serde_json::from_slice(&plain[..end]).expect("JSON")
    }
}

/// HKDF-SHA-256.
fn derive(salt: &[u8], secret: &[u8], info: &[&[u8]], out: &mut [u8]) {
    struct Bytes(usize);
    impl hkdf::KeyType for Bytes {
        fn len(&self) -> usize {
            self.0
        }
    }
    let key = hkdf::Salt::new(hkdf::HKDF_SHA256, salt).extract(secret);
    let okm = key.expand(info, Bytes(out.len())).expect("it is short");
    okm.fill(out).expect("as long as was said");
}

/// Returns the claims in the token of a message (RFC 8292), after verifying its signature with this key.
pub fn claims(message: &Received, key: &str) -> Value {
    let authorization = message.headers["authorization"].to_str().expect("ASCII");
    let parameters = authorization.strip_prefix("vapid t=").expect("RFC 8292");
    let (token, public) = parameters.split_once(", k=").expect("the key beside it");
    assert_eq!(public, key, "the key that browsers subscribed with");
    let (said, signed) = token.rsplit_once('.').expect("a signature");
    let public = BASE64_URL.decode(public).expect("base64url");
    signature::UnparsedPublicKey::new(&signature::ECDSA_P256_SHA256_FIXED, public)
        .verify(
            said.as_bytes(),
            &BASE64_URL.decode(signed).expect("base64url"),
        )
        .expect("the signature is of the key");
    let (header, claims) = said.split_once('.').expect("a header");
    let json = |part: &str| -> Value {
        serde_json::from_slice(&BASE64_URL.decode(part).expect("base64url")).expect("JSON")
    };
    assert_eq!(json(header), json!({ "typ": "JWT", "alg": "ES256" }));
    json(claims)
}
