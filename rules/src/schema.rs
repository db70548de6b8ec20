//! Small closed sets as schemas of an OpenAPI document (feature `schema`).

use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use crate::kind::GameKind;
use crate::vocab::Side;

impl PartialSchema for GameKind {
    fn schema() -> RefOr<Schema> {
        texts("A game kind.", GameKind::ALL.iter().map(|kind| kind.id()))
    }
}

impl ToSchema for GameKind {}

impl PartialSchema for Side {
    fn schema() -> RefOr<Schema> {
        texts(
            "A side of a match: the one that moves first, or the other.",
            [Side::First, Side::Second].map(Side::as_str),
        )
    }
}

impl ToSchema for Side {}

fn texts(about: &str, texts: impl IntoIterator<Item = &'static str>) -> RefOr<Schema> {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .enum_values(Some(texts))
        .description(Some(about))
        .into()
}
