//! The messages of the WebSocket as JSON Schemas: one for each direction.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use clap::ValueEnum;
use serde_json::{Value, json};

const COMPONENTS: &str = "#/components/schemas/";

/// The sender of messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Sender {
    /// The messages of a client.
    Client,
    /// The messages of the server, over a socket or a stream.
    Server,
}

impl Sender {
    /// Returns the name of the type, the title of its schema, and the rule for a reader of unknown fields.
    fn about(self) -> [&'static str; 3] {
        match self {
            Sender::Client => [
                "ClientMsg",
                "The messages of a client over a socket of mawe.v1",
                "A message has no other fields than these.",
            ],
            Sender::Server => [
                "ServerMsg",
                "The messages of the server over a socket of mawe.v1, and in streams",
                "Fields and messages are added: pass over what you do not know.",
            ],
        }
    }

    /// Returns the schema, from the OpenAPI document as JSON, in draft 2020-12, the dialect of OpenAPI 3.1.
    ///
    /// # Panics
    /// Never: the document is plain JSON and has the type.
    pub(super) fn schema(self, openapi: &str) -> String {
        let document: Value = serde_json::from_str(openapi).expect("the document is plain JSON");
        let schemas = &document["components"]["schemas"];
        let [name, title, description] = self.about();
        let mut definitions = BTreeMap::new();
        let mut wanted = Vec::new();
        let mut root = schemas[name].clone();
        relocate(&mut root, &mut wanted);
        while let Some(name) = wanted.pop() {
            if let Entry::Vacant(entry) = definitions.entry(name) {
                let mut schema = schemas[entry.key()].clone();
                relocate(&mut schema, &mut wanted);
                entry.insert(schema);
            }
        }
        let schema = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": title,
            "description": description,
            "oneOf": root["oneOf"],
            "$defs": definitions,
        });
        let mut text = serde_json::to_string_pretty(&schema).expect("it is plain JSON");
        text.push('\n');
        text
    }
}

/// Rewrites references to point into the schema itself, and collects the names of their targets.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn schema(sender: Sender) -> Value {
        serde_json::from_str(&crate::api::messages_json(sender)).expect("the schema is JSON")
    }

    #[test]
    fn what_clients_send_has_no_other_fields() {
        let schema = schema(Sender::Client);
        for variants in [&schema["oneOf"], &schema["$defs"]["Command"]["oneOf"]] {
            let variants = variants.as_array().expect("a oneOf: see CLOSED");
            for variant in variants {
                assert_eq!(variant["additionalProperties"], false, "{variant}");
            }
        }
    }

    #[test]
    fn each_schema_has_the_messages_of_its_direction_only() {
        let (client, server) = (schema(Sender::Client), schema(Sender::Server));
        for (schema, other) in [(&client, "ServerMsg"), (&server, "ClientMsg")] {
            assert!(schema["oneOf"].as_array().is_some_and(|all| all.len() > 10));
            assert!(schema["$defs"].get(other).is_none());
            assert!(!schema.to_string().contains(COMPONENTS));
        }
        assert!(server["$defs"].get("Snapshot").is_some());
        assert!(client["$defs"].get("Snapshot").is_none());
    }
}
