//! The whole interface: all routes together, and their OpenAPI document.

mod bounds;
pub mod document;
mod guides;
mod links;
mod messages;
mod router;

pub use self::messages::Sender;
pub use self::router::{Routes, messages_json, openapi_json, router};
