//! The types of this library read and write every example of the protocol, as the server does.

use std::fs;
use std::path::Path;

use mawe_client::types::{ClientMsg, Event, GameKind, MatchView, ServerMsg, TimeControl};
use serde_json::Value;

/// Returns the examples whose names begin with a word.
fn examples(word: &str) -> Vec<(String, Value)> {
    let place = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../server/tests/protocol");
    let files = fs::read_dir(place).expect("they are in the repository");
    let examples: Vec<(String, Value)> = files
        .map(|file| file.expect("it can be read").path())
        .filter_map(|path| {
            let name = path.file_name()?.to_string_lossy().into_owned();
            let text = fs::read_to_string(&path).expect("it is there");
            let value = serde_json::from_str(&text).expect("it is JSON");
            name.starts_with(word).then_some((name, value))
        })
        .collect();
    assert!(examples.len() > 20, "{word}: {}", examples.len());
    examples
}

/// Removes fields that are null: one that is left out says the same.
fn without_nulls(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|_, value| !value.is_null());
            fields.values_mut().for_each(without_nulls);
        }
        Value::Array(items) => items.iter_mut().for_each(without_nulls),
        _ => {}
    }
}

#[test]
fn every_message_of_the_server_is_known_and_read_whole() {
    for (name, mut value) in examples("server-") {
        let message: ServerMsg = serde_json::from_value(value.clone()).expect("any object is one");
        assert!(!matches!(message, ServerMsg::Unknown(_)), "{name}");
        if let ServerMsg::Event(event) = &message {
            assert!(!matches!(event.event, Event::Unknown(_)), "{name}");
        }
        let mut printed = serde_json::to_value(&message).expect("it has a JSON form");
        without_nulls(&mut value);
        without_nulls(&mut printed);
        assert_eq!(printed, value, "{name}");
    }
}

#[test]
fn every_message_of_a_client_can_be_sent() {
    for (name, value) in examples("client-") {
        let message: ClientMsg = serde_json::from_value(value.clone()).expect(&name);
        let printed = serde_json::to_value(&message).expect("it has a JSON form");
        assert_eq!(printed, value, "{name}");
    }
}

#[test]
fn further_fields_and_values_of_a_later_server_change_nothing_else() {
    let examples = examples("server-");
    let mut later = examples
        .iter()
        .find(|(name, _)| name == "server-snapshot.json")
        .expect("it is there")
        .1["match"]
        .clone();
    later["weather"] = "rain".into();
    later["game"] = "seega".into();
    later["speed"] = "glacial".into();
    later["time_control"] = serde_json::json!({ "kind": "hourglass", "grains": 7 });
    later["seats"]["first"]["player"]["kind"] = "oracle".into();
    let view: MatchView = serde_json::from_value(later.clone()).expect("it is a match");
    assert_eq!(view.game, GameKind::Unknown("seega".to_owned()));
    assert_eq!(view.game, "seega");
    assert!(matches!(view.time_control, TimeControl::Unknown(_)));
    let printed = serde_json::to_value(&view).expect("it has a JSON form");
    for field in ["game", "speed", "time_control"] {
        assert_eq!(printed[field], later[field]);
    }
    assert_eq!(view.seats.first.player.kind, "oracle");
}

#[test]
fn a_word_of_a_set_is_read_from_any_text() {
    assert_eq!(GameKind::from("oware"), GameKind::Oware);
    assert_eq!(GameKind::Oware.to_string(), "oware");
    assert_eq!(GameKind::from(String::from("seega")), "seega");
}
