//! The OpenAPI document: the handlers' annotations, completed with everything common to all operations (problems, descriptions,
//! operation ids, security, the server, bounds, links, the id of the request).

use std::collections::BTreeSet;

use axum::http::Method;
use mawe_wire::Code;
use serde_json::{Value, json};
use utoipa::openapi::extensions::Extensions;
use utoipa::openapi::header::Header;
use utoipa::openapi::path::{Operation, ParameterIn};
use utoipa::openapi::schema::{
    AdditionalProperties, Components, KnownFormat, ObjectBuilder, SchemaFormat, Type,
};
use utoipa::openapi::security::{
    ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme,
};
use utoipa::openapi::{Content, OpenApi, Ref, RefOr, ResponseBuilder, Schema, ServerBuilder};

use crate::api::{bounds, links};
use crate::bots::exchange;
use crate::http::extract::{Need, need};
use crate::identity::sessions::COOKIE;

/// The default description of each problem status, with its usual codes.
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

/// The default description of each success status.
const SUCCESSES: [(&str, &str); 3] = [
    ("200", "done: the body has the result"),
    ("201", "created: the body describes it"),
    ("204", "done: there is no body"),
];

/// The header of every response, as the document names it.
const REQUEST_ID: &str = "X-Request-Id";

/// The schemas of tagged enums in requests. The server rejects unknown fields in them, which the derived schemas do not state.
const CLOSED: [&str; 2] = ["ClientMsg", "Command"];

/// The properties that tell the variants of an enum apart.
const TAGS: [&str; 2] = ["t", "kind"];

/// Adds the parts common to all operations, so that no handler repeats them: the body of every answer from 400 on is a `Problem`.
pub(super) fn complete(document: &mut OpenApi) {
    for (path, item) in &mut document.paths.paths {
        for (operation, method) in [
            (&mut item.get, Method::GET),
            (&mut item.post, Method::POST),
            (&mut item.put, Method::PUT),
            (&mut item.patch, Method::PATCH),
            (&mut item.delete, Method::DELETE),
        ] {
            if let Some(operation) = operation {
                let id = operation_id(&method, path);
                bounds::bound_parameters(&id, operation);
                operation.operation_id = Some(id);
                operation.security = Some(security(operation, &method, path));
                let expected = expected(operation, method != Method::GET);
                describe(operation, &expected);
            }
        }
    }
    // The URL is relative to the document's own address, so it is correct on every server.
    let here = ServerBuilder::new()
        .url("/")
        .description(Some("the server that this document comes from"));
    document.servers = Some(vec![here.build()]);
    let components = document.components.get_or_insert_default();
    components.add_security_scheme("session", session());
    components.add_security_scheme("token", token());
    components.add_security_scheme("worker", worker());
    components
        .headers
        .insert(REQUEST_ID.to_owned(), RefOr::T(request_id()));
    for name in CLOSED {
        if let Some(RefOr::T(Schema::OneOf(variants))) = components.schemas.get_mut(name) {
            variants.items.iter_mut().for_each(close);
        }
    }
    name_variants(components);
    let unused = bounds::bound_schemas(components);
    debug_assert!(unused.is_empty(), "bounds of nothing: {unused:?}");
    document.extensions = Some(Extensions::from_iter([("x-codes", codes())]));
    let missing = links::link(&mut document.paths);
    debug_assert!(missing.is_empty(), "links without an end: {missing:?}");
}

/// Returns the stable codes with their meanings, and the status of those that a response may have.
fn codes() -> Value {
    let row = |code: &Code| match code.status() {
        Some(status) => {
            json!({ "code": code.as_str(), "status": status, "meaning": code.meaning() })
        }
        None => json!({ "code": code.as_str(), "meaning": code.meaning() }),
    };
    Code::ALL.iter().map(row).collect()
}

/// Returns the schema of the bytes of a picture, as generators of clients know it.
fn picture() -> RefOr<Schema> {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .format(Some(SchemaFormat::KnownFormat(KnownFormat::Binary)))
        .into()
}

/// Returns the header of every response.
fn request_id() -> Header {
    let id = ObjectBuilder::new()
        .schema_type(Type::String)
        .pattern(Some("^[0-9a-f]{16}$"))
        .examples([json!("9f86d081884c7d65")]);
    let mut header = Header::new(id);
    header.description = Some("the id of the request, also in the server's log".to_owned());
    header
}

/// Names the variants of tagged enums, by which generators name their types: `TimeControl` with the tag `realtime` is `TimeControlRealtime`. A
/// variant of several parts becomes a schema of its own, since generators do not take it inside of another.
fn name_variants(components: &mut Components) {
    let mut apart = Vec::new();
    for (name, schema) in &mut components.schemas {
        let RefOr::T(Schema::OneOf(one_of)) = schema else {
            continue;
        };
        for variant in &mut one_of.items {
            let RefOr::T(inner) = variant else {
                continue;
            };
            let Some(tag) = tag(inner) else {
                continue;
            };
            let name = format!("{name}{}", capitalized(&tag));
            if let Schema::Object(object) = inner {
                object.title = Some(name);
            } else {
                let reference = RefOr::Ref(Ref::from_schema_name(&name));
                apart.push((name, std::mem::replace(variant, reference)));
            }
        }
    }
    components.schemas.extend(apart);
}

/// Returns the tag of a variant: the only value of one of its properties.
fn tag(schema: &Schema) -> Option<String> {
    match schema {
        Schema::Object(object) => TAGS.iter().find_map(|name| {
            let Some(RefOr::T(Schema::Object(property))) = object.properties.get(*name) else {
                return None;
            };
            match property.enum_values.as_deref() {
                Some([Value::String(only)]) => Some(only.clone()),
                _ => None,
            }
        }),
        Schema::AllOf(all_of) => all_of.items.iter().find_map(|part| match part {
            RefOr::T(part) => tag(part),
            RefOr::Ref(_) => None,
        }),
        _ => None,
    }
}

/// Returns `offer-draw` as `OfferDraw`.
fn capitalized(tag: &str) -> String {
    let mut name = String::new();
    for word in tag.split('-') {
        let (first, rest) = word.split_at(word.len().min(1));
        name.push_str(&first.to_uppercase());
        name.push_str(rest);
    }
    name
}

/// Forbids additional properties of an object.
fn close(schema: &mut RefOr<Schema>) {
    if let RefOr::T(Schema::Object(object)) = schema {
        object.additional_properties = Some(Box::new(AdditionalProperties::FreeForm(false)));
    }
}

/// Returns the name of an operation in generated clients, made from its method and path: `POST /api/v1/matches/{id}/commands` is
/// `post_matches_by_id_commands`. The names of handlers are unique only within their modules.
fn operation_id(method: &Method, path: &str) -> String {
    let mut id = method.as_str().to_lowercase();
    let path = path.strip_prefix("/api/v1").unwrap_or(path);
    for part in path.split('/').filter(|part| !part.is_empty()) {
        id.push('_');
        match part
            .strip_prefix('{')
            .and_then(|part| part.strip_suffix('}'))
        {
            Some(parameter) => {
                id.push_str("by_");
                id.push_str(parameter);
            }
            None => id.push_str(&part.replace(['-', '.'], "_")),
        }
    }
    id
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

fn worker() -> SecurityScheme {
    let bearer = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .description(Some(
            "the key of workers, which the operator sets with --worker-key",
        ));
    SecurityScheme::Http(bearer.build())
}

/// Returns the security requirements of an operation: a session, or a token with the scope of the route; neither if it is public; the key of
/// workers for their jobs.
fn security(operation: &Operation, method: &Method, path: &str) -> Vec<SecurityRequirement> {
    // By what the body has: a password, a code or a token.
    let signs_in = ["/api/v1/sessions", "/oauth/token", "/oauth/revoke"].contains(&path);
    let asks_who = operation.responses.responses.contains_key("401") && !signs_in;
    let mut ways = Vec::new();
    if !asks_who {
        ways.push(SecurityRequirement::default());
    }
    if signs_in {
        return ways;
    }
    let no_scopes: [&str; 0] = [];
    if path == exchange::PATH {
        return vec![SecurityRequirement::new("worker", no_scopes)];
    }
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

/// Returns the problem statuses that an operation may answer with, by its parameters.
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
    for (status, meaning) in SUCCESSES {
        if let Some(RefOr::T(said)) = responses.get_mut(status)
            && said.description.is_empty()
        {
            said.description = meaning.to_owned();
        }
    }
    for (status, meaning) in PROBLEMS {
        match responses.get_mut(status) {
            Some(RefOr::T(said)) if said.description.is_empty() => {
                said.description = meaning.to_owned();
            }
            Some(_) => {}
            None if expected.contains(status) => {
                let response = ResponseBuilder::new().description(meaning).build();
                responses.insert(status.to_owned(), RefOr::T(response));
            }
            None => {}
        }
    }
    for (status, response) in responses {
        let RefOr::T(response) = response else {
            continue;
        };
        let id = Ref::new(format!("#/components/headers/{REQUEST_ID}"));
        response
            .headers
            .insert(REQUEST_ID.to_owned(), RefOr::Ref(id));
        for (kind, content) in &mut response.content {
            if let RefOr::T(content) = content
                && kind.starts_with("image/")
            {
                content.schema = Some(picture());
            }
        }
        if status.as_str() >= "400" {
            let content = Content::new(Some(Ref::from_schema_name("Problem")));
            response
                .content
                .insert("application/problem+json".to_owned(), RefOr::T(content));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// Returns every operation as (method, path, operation).
    fn operations() -> Vec<(String, String, Value)> {
        let document: Value =
            serde_json::from_str(&crate::api::openapi_json()).expect("the document is JSON");
        let paths = document["paths"].as_object().expect("paths");
        let of = |(path, item): (&String, &Value)| {
            let item = item.as_object().expect("an object").clone();
            let path = path.clone();
            item.into_iter()
                .map(move |(method, operation)| (method, path.clone(), operation))
                .collect::<Vec<_>>()
        };
        paths.iter().flat_map(of).collect()
    }

    #[test]
    fn every_response_is_described() {
        for (method, path, operation) in operations() {
            let responses = operation["responses"].as_object().expect("responses");
            for (status, response) in responses {
                assert!(
                    response["description"]
                        .as_str()
                        .is_some_and(|text| !text.is_empty()),
                    "{method} {path}: give the response {status} a description in its handler's annotation, or all of that status one in SUCCESSES or PROBLEMS of http/document.rs"
                );
            }
            let succeeds = |status: &String| status.starts_with('2') || status == "101";
            assert!(
                responses.keys().any(succeeds),
                "{method} {path}: its annotation names no answer for what goes well"
            );
        }
    }

    #[test]
    fn the_document_has_every_code_with_its_meaning() {
        let document: Value =
            serde_json::from_str(&crate::api::openapi_json()).expect("the document is JSON");
        let rows = document["x-codes"].as_array().expect("a list");
        assert_eq!(rows.len(), Code::ALL.len());
        let row = |code: &str| rows.iter().find(|row| row["code"] == code);
        assert_eq!(
            row("not-found").map(|row| &row["status"]),
            Some(&json!(404))
        );
        assert_eq!(
            row("bad-frame").map(|row| &row["status"]),
            Some(&Value::Null)
        );
        assert!(
            rows.iter()
                .all(|row| row["meaning"].as_str().is_some_and(|text| text.len() > 8))
        );
    }

    #[test]
    fn every_operation_has_an_id_of_its_own() {
        let mut ids = BTreeMap::new();
        for (method, path, operation) in operations() {
            let id = operation["operationId"].as_str().unwrap_or_default();
            assert!(
                !id.is_empty(),
                "{method} {path} has no id: `complete` of http/document.rs does not know its method"
            );
            let other = ids.insert(id.to_owned(), format!("{method} {path}"));
            assert_eq!(other, None, "{method} {path} is called {id} too");
        }
        assert_eq!(
            operation_id(&Method::POST, "/api/v1/matches/{id}/commands"),
            "post_matches_by_id_commands"
        );
        assert_eq!(operation_id(&Method::GET, "/healthz"), "get_healthz");
    }
}
