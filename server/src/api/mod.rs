//! The whole interface: all routes together, and their OpenAPI document.

pub mod document;
mod router;

pub use self::router::{messages_json, openapi_json, router};
