//! The published wire format: golden examples of every message, and `docs/protocol.md`, which shows the same examples.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use mawe_fuzz_targets::{Target, short};
use mawe_rules::{AnyPosition, PlayError, Record, Side};
use mawe_server::api::Sender;
use mawe_wire::end_reason::EndReason;
use mawe_wire::{
    ClientMsg, ClockView, Command, DeclineReason, Event, MatchResult, ServerMsg, StateView,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn document() -> String {
    std::fs::read_to_string(root().join("docs/protocol.md"))
        .expect("docs/protocol.md is in the repository")
}

/// Returns every golden file with its text.
fn golden() -> BTreeMap<String, String> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/protocol");
    let entries = std::fs::read_dir(&directory).expect("server/tests/protocol is there");
    let read = |entry: std::io::Result<std::fs::DirEntry>| {
        let path = entry.expect("the folder can be listed").path();
        let name = path
            .file_name()
            .expect("a file has a name")
            .to_string_lossy();
        let text = std::fs::read_to_string(&path).expect("a golden file is text");
        (name.into_owned(), text)
    };
    let files: BTreeMap<String, String> = entries.map(read).collect();
    assert!(!files.is_empty(), "{} is empty", directory.display());
    files
}

fn examples<T: DeserializeOwned>(prefix: &str) -> Vec<(String, T)> {
    let files = golden().into_iter();
    files
        .filter(|(name, _)| name.starts_with(prefix))
        .map(|(name, text)| {
            let message = serde_json::from_str(&text);
            let message =
                message.unwrap_or_else(|error| panic!("{name} is no such message: {error}"));
            (name, message)
        })
        .collect()
}

fn value(name: &str, text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn prints_back<T: DeserializeOwned + Serialize>(prefix: &str) {
    let files = golden();
    for (name, message) in examples::<T>(prefix) {
        let printed = serde_json::to_value(&message).expect("a message is plain JSON");
        assert_eq!(printed, value(&name, &files[&name]), "{name}");
    }
}

/// Returns the names of all variants of a tagged type, from its generated schema, which includes new variants.
fn variants(schema: &str, tag: &str) -> BTreeSet<String> {
    let document: Value =
        serde_json::from_str(&mawe_server::api::openapi_json()).expect("the document is JSON");
    let variants = document["components"]["schemas"][schema]["oneOf"]
        .as_array()
        .unwrap_or_else(|| panic!("the schema {schema} lists its variants"));
    let name = |variant: &Value| {
        // A variant of several parts is a schema of its own.
        let reference = variant["$ref"].as_str().unwrap_or_default();
        let target = document.pointer(reference.trim_start_matches('#'));
        let variant = target.filter(|_| !reference.is_empty()).unwrap_or(variant);
        let parts = variant["allOf"].as_array().cloned().unwrap_or_default();
        let name = parts
            .iter()
            .chain([variant])
            .find_map(|part| part["properties"][tag]["enum"][0].as_str());
        name.unwrap_or_else(|| panic!("a variant of {schema} has no {tag}: {variant}"))
            .to_owned()
    };
    variants.iter().map(name).collect()
}

fn shown(pointer: &str, prefix: &str) -> BTreeSet<String> {
    let files = golden().into_iter();
    files
        .filter(|(name, _)| name.starts_with(prefix))
        .filter_map(|(name, text)| {
            value(&name, &text)
                .pointer(pointer)?
                .as_str()
                .map(str::to_owned)
        })
        .collect()
}

#[test]
fn every_client_example_prints_back_as_it_was() {
    prints_back::<ClientMsg>("client-");
}

#[test]
fn every_server_example_prints_back_as_it_was() {
    prints_back::<ServerMsg>("server-");
}

#[test]
fn every_variant_has_an_example_and_every_example_a_variant() {
    for (schema, tag, pointer, prefix) in [
        ("ClientMsg", "t", "/t", "client-"),
        ("ServerMsg", "t", "/t", "server-"),
        ("Command", "kind", "/command/kind", "client-"),
        ("Event", "kind", "/event/kind", "server-"),
    ] {
        assert_eq!(shown(pointer, prefix), variants(schema, tag), "{schema}");
    }
}

#[test]
fn no_golden_file_is_unused() {
    for name in golden().keys() {
        assert!(
            (name.starts_with("client-") || name.starts_with("server-")) && name.ends_with(".json"),
            "{name} is read by no test"
        );
    }
}

/// Messages without fields (`ping`, `resign`) ignore unknown fields; see docs/protocol.md.
#[test]
fn a_client_message_with_a_field_that_nobody_knows_is_refused() {
    let mut refused = 0;
    for (name, text) in golden() {
        if !name.starts_with("client-") {
            continue;
        }
        let whole = value(&name, &text);
        for part in ["", "/command"] {
            let mut message = whole.clone();
            let Some(Value::Object(fields)) = message.pointer_mut(part) else {
                continue;
            };
            if fields.len() == 1 {
                continue;
            }
            fields.insert("surprise".to_owned(), Value::from(1));
            assert!(
                serde_json::from_value::<ClientMsg>(message).is_err(),
                "{name} {part}"
            );
            refused += 1;
        }
    }
    assert!(refused >= 8, "only {refused} messages were tried");
}

/// An impossible example is worse than none: its statements about a position must be true.
#[test]
fn the_examples_are_true() {
    let mut checked = 0;
    for (name, message) in examples::<ServerMsg>("server-") {
        match message {
            ServerMsg::Snapshot(snapshot) => {
                let view = snapshot.view;
                let start = AnyPosition::parse(view.game, &view.start);
                let mut record = Record::from_position(start.expect("the start is a position"));
                for ply in &view.plies {
                    assert_eq!(ply.side, record.turn(), "{name}");
                    record.play(&ply.text).expect("the ply is legal");
                    assert_eq!(ply.position, record.position().to_string(), "{name}");
                }
                assert_eq!(record.ply(), view.state.ply, "{name}");
                check_state(&name, &view.state);
                checked += 1;
            }
            ServerMsg::Event(event) => {
                check_state(&name, &event.state);
                if let Event::Move(ply) = &event.event {
                    assert_eq!(ply.position, event.state.position, "{name}");
                    assert_eq!(
                        clock_of(&event.state.clock, ply.side),
                        ply.clock_ms,
                        "{name}"
                    );
                }
                checked += 1;
            }
            ServerMsg::Hello { .. }
            | ServerMsg::Joined { .. }
            | ServerMsg::Presence { .. }
            | ServerMsg::Rematch { .. }
            | ServerMsg::ChallengeAccepted { .. }
            | ServerMsg::Phrase { .. }
            | ServerMsg::Notice { .. }
            | ServerMsg::NoticesRead { .. }
            | ServerMsg::Error(_)
            | ServerMsg::Pong
            | ServerMsg::Closing { .. }
            | ServerMsg::Challenge { .. }
            | ServerMsg::ChallengeGone { .. }
            | ServerMsg::Tv { .. }
            | ServerMsg::Chat { .. }
            | ServerMsg::Pool { .. }
            | ServerMsg::PoolLeft { .. }
            | ServerMsg::BotOffer { .. }
            | ServerMsg::Paired { .. }
            | ServerMsg::EventPaired { .. }
            | ServerMsg::EventState { .. }
            | ServerMsg::Lobby { .. } => {}
        }
    }
    assert!(checked >= 8, "only {checked} examples show a position");
}

fn check_state(name: &str, state: &StateView) {
    let position = AnyPosition::parse(mawe_rules::GameKind::Mawe, &state.position)
        .expect("the position is one");
    let record = Record::from_position(position);
    assert_eq!(record.turn(), state.turn, "{name}");
    match &state.result {
        None => assert_eq!(record.legal_moves(), state.legal, "{name}"),
        Some(MatchResult { .. }) => {
            assert!(state.legal.is_empty(), "{name}");
            assert_eq!(state.clock.running, None, "{name}");
        }
    }
    // The clock of the side to move runs.
    assert!(
        state
            .clock
            .running
            .is_none_or(|running| running == state.turn),
        "{name}"
    );
}

fn clock_of(clock: &ClockView, side: Side) -> u64 {
    match side {
        Side::First => clock.first_ms,
        Side::Second => clock.second_ms,
    }
}

/// Returns the JSON blocks of the document: the file that each names, and its text.
fn blocks(document: &str) -> Vec<(String, String)> {
    let mut blocks = Vec::new();
    let mut lines = document.lines();
    while let Some(line) = lines.next() {
        let Some(info) = line.strip_prefix("```") else {
            continue;
        };
        let body: Vec<&str> = lines
            .by_ref()
            .take_while(|line| !line.starts_with("```"))
            .collect();
        let name = info.strip_prefix("json ").unwrap_or_else(|| {
            panic!("a block says {info:?} instead of `json` and its golden file")
        });
        blocks.push((name.to_owned(), body.join("\n") + "\n"));
    }
    blocks
}

#[test]
fn the_document_shows_every_golden_file_word_for_word_and_once() {
    let files = golden();
    let blocks = blocks(&document());
    let mut seen = BTreeSet::new();
    for (name, text) in &blocks {
        let file = files
            .get(name)
            .unwrap_or_else(|| panic!("the document shows {name}, which is not there"));
        assert_eq!(text, file, "{name}");
        assert!(seen.insert(name.clone()), "{name} is shown twice");
    }
    let all: BTreeSet<String> = files.into_keys().collect();
    assert_eq!(seen, all);
}

/// Returns the codes in the first column of the table under the header that begins with `header`.
fn table(document: &str, header: &str) -> BTreeSet<String> {
    let rows = document
        .lines()
        .skip_while(|line| !line.starts_with(header))
        .skip(2)
        .take_while(|line| line.starts_with('|'));
    let codes: BTreeSet<String> = rows
        .filter_map(|row| row.split('`').nth(1))
        .map(str::to_owned)
        .collect();
    assert!(!codes.is_empty(), "there is no table {header:?}");
    codes
}

#[test]
fn the_document_explains_every_reason_and_no_other() {
    let document = document();
    let why = PlayError::ALL.iter().map(|why| why.code().to_owned());
    assert_eq!(table(&document, "| `why` |"), why.collect());
    let declined = DeclineReason::ALL
        .iter()
        .map(|reason| reason.as_str().to_owned());
    assert_eq!(
        table(&document, "| `reason` | a challenge was declined"),
        declined.collect()
    );
    let reasons = EndReason::all().map(|reason| reason.code().to_owned());
    assert_eq!(
        table(&document, "| `reason` | the match ended"),
        reasons.collect()
    );
}

/// Returns `METHOD path` of every operation of the OpenAPI document.
fn operations() -> BTreeSet<String> {
    let document: Value =
        serde_json::from_str(&mawe_server::api::openapi_json()).expect("the document is JSON");
    let paths = document["paths"].as_object().expect("there are paths");
    paths
        .iter()
        .flat_map(|(path, item)| {
            let methods = item.as_object().expect("a path has operations").keys();
            methods
                .map(|method| format!("{} {path}", method.to_uppercase()))
                .collect::<Vec<_>>()
        })
        .collect()
}

#[test]
fn the_document_lists_every_route() {
    let mut routes = operations();
    // Not operations of the document: the document itself, its page, and the guides beside it.
    routes.insert("GET /api/openapi.json".to_owned());
    routes.insert("GET /api/docs".to_owned());
    routes.insert("GET /api/docs/{page}".to_owned());
    assert_eq!(table(&document(), "| route |"), routes);
}

/// Programs in other languages are written by these schemas. `tests/api` validates every golden file against that of its direction.
#[test]
fn the_committed_schemas_of_the_messages_are_the_generated_ones() {
    for (sender, name) in [(Sender::Client, "client"), (Sender::Server, "server")] {
        let file = format!("docs/{name}-messages.schema.json");
        let committed = std::fs::read_to_string(root().join(&file));
        let committed = committed.unwrap_or_else(|_| panic!("{file} is in the repository"));
        assert!(
            committed == mawe_server::api::messages_json(sender),
            "write it anew: cargo run -- messages {name} >{file}"
        );
    }
}

#[test]
fn every_operation_says_what_its_problems_mean() {
    let document: Value =
        serde_json::from_str(&mawe_server::api::openapi_json()).expect("the document is JSON");
    let paths = document["paths"].as_object().expect("there are paths");
    let mut checked = 0;
    for (path, item) in paths {
        for (method, operation) in item.as_object().expect("operations") {
            let responses = operation["responses"].as_object().expect("responses");
            for status in ["500", "503"] {
                assert!(responses.contains_key(status), "{method} {path} {status}");
            }
            let has_body = !operation["requestBody"].is_null();
            assert!(
                !has_body || responses.contains_key("415"),
                "{method} {path}"
            );
            for (status, response) in responses {
                if status.as_str() < "400" {
                    continue;
                }
                let schema = &response["content"]["application/problem+json"]["schema"]["$ref"];
                assert_eq!(
                    schema, "#/components/schemas/Problem",
                    "{method} {path} {status}"
                );
                let meaning = response["description"].as_str().unwrap_or_default();
                assert!(!meaning.is_empty(), "{method} {path} {status}");
                checked += 1;
            }
        }
    }
    assert!(checked > 100, "only {checked} problems");
}

#[test]
fn every_message_has_a_heading_in_the_document() {
    let document = document();
    let (_, messages) = document
        .split_once("## What a client sends")
        .expect("the client's messages come first");
    let (client, server) = messages
        .split_once("## What the server sends")
        .expect("then the server's");
    for (part, names) in [
        (client, variants("ClientMsg", "t")),
        (server, variants("ServerMsg", "t")),
    ] {
        for name in names {
            assert!(part.contains(&format!("\n### {name}\n")), "{name}");
        }
    }
}

#[test]
fn a_command_travels_inside_its_message_only() {
    // A command alone is no message: it would name no match.
    let command = serde_json::to_value(Command::Resign).expect("a command is plain JSON");
    assert!(serde_json::from_value::<ClientMsg>(command).is_err());
}

#[test]
fn any_frame_is_refused_or_written_so_that_it_reads_as_the_same_message() {
    let golden = golden();
    let seeds = golden
        .iter()
        .filter(|(name, _)| name.starts_with("client-"));
    let target = Target {
        name: "frame",
        run: |bytes| {
            let Ok(message) = serde_json::from_slice::<ClientMsg>(bytes) else {
                return false;
            };
            let text = serde_json::to_vec(&message).expect("a message is JSON");
            let read: ClientMsg = serde_json::from_slice(&text).expect("our own JSON");
            assert_eq!(read, message);
            true
        },
        inputs: 200_000,
    };
    let seeds = seeds.map(|(_, text)| text.clone().into_bytes());
    short::run(&target, seeds.collect());
}
