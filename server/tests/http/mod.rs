//! The REST interface of a running server: every route, and its refusals.

mod cards;
mod challenges;
mod embeds;
mod floods;
mod framing;
mod imports;
mod login_wall;
mod mail;
mod matches;
mod oauth;
mod origins;
mod own_account;
mod page;
mod passkeys;
mod personal_data;
mod pictures;
mod players;
mod positions;
mod ratings;
mod recoveries;
mod registration;
mod request_keys;
mod sessions;
mod site;
mod versions;

use reqwest::Method;
use serde_json::{Value, json};

use crate::common::{Answer, Person};

/// An id that no match has.
const NOBODYS: &str = "AAAAAAAAAAAA";

fn blitz() -> Value {
    json!({ "kind": "realtime", "base_ms": 300_000, "increment_ms": 3_000 })
}

fn bot_match() -> Value {
    json!({ "game": "mawe", "level": 1, "side": "first", "time_control": blitz() })
}

fn offer() -> Value {
    json!({ "game": "mawe", "side": "first", "time_control": blitz() })
}

/// Returns `body` with one field changed; null removes it.
fn with(mut body: Value, field: &str, value: Value) -> Value {
    let fields = body.as_object_mut().expect("a body is an object");
    if value.is_null() {
        fields.remove(field);
    } else {
        fields.insert(field.to_owned(), value);
    }
    body
}

fn credentials(name: &str, password: &str) -> Value {
    json!({ "name": name, "password": password })
}

async fn raw(person: &Person, path: &str, content_type: Option<&str>, body: String) -> Answer {
    let mut request = person.request(Method::POST, path).body(body);
    if let Some(content_type) = content_type {
        request = request.header("content-type", content_type);
    }
    Answer::of(request).await
}
