//! The OpenAPI document: what the handlers say of themselves, and what every route may answer beside; and the messages of the WebSocket
//! as a JSON Schema of their own.

use std::collections::BTreeSet;

use axum::http::Method;
use serde_json::{Value, json};
use utoipa::openapi::path::{Operation, ParameterIn};
use utoipa::openapi::security::{
    ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme,
};
use utoipa::openapi::{Content, OpenApi, Ref, RefOr, Response, ResponseBuilder};

use crate::http::extract::{Need, need};
use crate::sessions::COOKIE;

/// What a problem's status means on any route, by its codes.
const PROBLEMS: [(&str, &str); 11] = [
    ("400", "`bad-request`: the request is malformed"),
    ("401", "`sign-in-first`"),
    ("403", "`foreign-origin`: a page of another origin asks"),
    ("404", "`not-found`"),
    ("409", "it cannot be done as things stand; `code` says why"),
    ("413", "`too-large`: the body has more than 16 KiB"),
    (
        "415",
        "`not-json`: the body is not sent as `application/json`",
    ),
    (
        "422",
        "a value is not acceptable: `field` names it, `code` says why",
    ),
    (
        "429",
        "`too-many-requests`: come back after `Retry-After` seconds",
    ),
    ("500", "`internal`: something went wrong here"),
    (
        "503",
        "`storage-unavailable` or `busy`: come back after `Retry-After` seconds",
    ),
];

/// Adds to every operation what no handler says, because all may answer it.
pub(super) fn complete(document: &mut OpenApi) {
    for (path, item) in &mut document.paths.paths {
        for (operation, method) in [
            (&mut item.get, Method::GET),
            (&mut item.post, Method::POST),
            (&mut item.put, Method::PUT),
            (&mut item.delete, Method::DELETE),
        ] {
            if let Some(operation) = operation {
                operation.security = Some(security(operation, &method, path));
                let expected = expected(operation, method != Method::GET);
                describe(operation, &expected);
            }
        }
    }
    let components = document.components.get_or_insert_default();
    components.add_security_scheme("session", session());
    components.add_security_scheme("token", token());
}

fn session() -> SecurityScheme {
    let cookie = ApiKeyValue::with_description(
        COOKIE,
        "who has logged in, registered, or come as a guest; the browser keeps it. Its name is `__Host-mawe_session` where the server is told that people come over TLS (`--origin https://…`)",
    );
    SecurityScheme::ApiKey(ApiKey::Cookie(cookie))
}

fn token() -> SecurityScheme {
    let bearer = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .bearer_format("mawe_[0-9A-Za-z]{46}")
        .description(Some(
            "a personal token, made by its owner's session: POST /api/v1/me/tokens",
        ));
    SecurityScheme::Http(bearer.build())
}

/// Who may ask: a session, or a token with the scope that is named. Where nobody need be signed in, neither is needed.
fn security(operation: &Operation, method: &Method, path: &str) -> Vec<SecurityRequirement> {
    let signs_in = path == "/api/v1/sessions";
    let asks_who = operation.responses.responses.contains_key("401") && !signs_in;
    let mut ways = Vec::new();
    if !asks_who {
        ways.push(SecurityRequirement::default());
    }
    if signs_in {
        return ways;
    }
    let no_scopes: [&str; 0] = [];
    ways.push(SecurityRequirement::new("session", no_scopes));
    match need(method, path) {
        Need::Any => ways.push(SecurityRequirement::new("token", no_scopes)),
        Need::Scope(scope) => {
            ways.push(SecurityRequirement::new("token", [scope.to_string()]));
        }
        Need::Session => {}
    }
    ways
}

/// The statuses that an operation may answer with, by what it takes.
fn expected(operation: &Operation, changes: bool) -> BTreeSet<&'static str> {
    let takes = |place: ParameterIn| {
        let parameters = operation.parameters.iter().flatten();
        parameters.into_iter().any(|parameter| match parameter {
            RefOr::T(parameter) => parameter.parameter_in == place,
            RefOr::Ref(_) => false,
        })
    };
    let mut expected = BTreeSet::from(["429", "500", "503"]);
    if operation.request_body.is_some() {
        expected.extend(["400", "413", "415", "422"]);
    }
    if changes {
        expected.insert("403");
    }
    if takes(ParameterIn::Query) {
        expected.insert("422");
    }
    if takes(ParameterIn::Path) {
        expected.insert("404");
    }
    expected
}

fn describe(operation: &mut Operation, expected: &BTreeSet<&str>) {
    let responses = &mut operation.responses.responses;
    for (status, meaning) in PROBLEMS {
        match responses.get_mut(status) {
            Some(RefOr::T(said)) if said.description.is_empty() => {
                said.description = meaning.to_owned();
            }
            Some(_) => {}
            None if expected.contains(status) => {
                responses.insert(status.to_owned(), RefOr::T(problem(meaning)));
            }
            None => {}
        }
    }
}

fn problem(meaning: &str) -> Response {
    let content = Content::new(Some(Ref::from_schema_name("Problem")));
    ResponseBuilder::new()
        .description(meaning)
        .content("application/problem+json", content)
        .build()
}

const COMPONENTS: &str = "#/components/schemas/";

/// The messages of the WebSocket and of streams as a JSON Schema (draft 2020-12), which is what OpenAPI 3.1 writes schemas in: a
/// message is one of `ClientMsg` or `ServerMsg`.
///
/// # Panics
/// Never: the document is plain JSON and has both.
#[must_use]
pub fn messages_json() -> String {
    let document: Value =
        serde_json::from_str(&super::openapi_json()).expect("the document is plain JSON");
    let schemas = &document["components"]["schemas"];
    let mut definitions = serde_json::Map::new();
    let mut wanted = vec!["ClientMsg".to_owned(), "ServerMsg".to_owned()];
    while let Some(name) = wanted.pop() {
        if definitions.contains_key(&name) {
            continue;
        }
        let mut schema = schemas[&name].clone();
        relocate(&mut schema, &mut wanted);
        definitions.insert(name, schema);
    }
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The messages of mawe.v1",
        "description": "What a client sends is a ClientMsg, what the server sends a ServerMsg. Fields and messages are added: pass over what you do not know.",
        "oneOf": [{ "$ref": "#/$defs/ClientMsg" }, { "$ref": "#/$defs/ServerMsg" }],
        "$defs": definitions,
    });
    let mut text = serde_json::to_string_pretty(&schema).expect("it is plain JSON");
    text.push('\n');
    text
}

/// Makes references point into the schema itself, and notes what they name.
fn relocate(schema: &mut Value, wanted: &mut Vec<String>) {
    match schema {
        Value::Object(fields) => {
            for (key, value) in fields {
                let name = value
                    .as_str()
                    .filter(|_| key == "$ref")
                    .and_then(|target| target.strip_prefix(COMPONENTS))
                    .map(str::to_owned);
                match name {
                    Some(name) => {
                        *value = format!("#/$defs/{name}").into();
                        wanted.push(name);
                    }
                    None => relocate(value, wanted),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| relocate(item, wanted)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
