//! Clubs: a module for founding and changing them, for memberships, for lists, and for moderators.

mod founding;
mod lists;
mod membership;
mod moderation;
mod shared;

use utoipa_axum::router::OpenApiRouter;

use crate::app::App;

pub(crate) use founding::{MAX_BANNER_CHARS, MAX_DESCRIPTION_CHARS, NAME_CHARS};
pub(crate) use membership::MAX_LINE_CHARS;

pub(crate) fn router() -> OpenApiRouter<App> {
    founding::router()
        .merge(membership::router())
        .merge(lists::router())
        .merge(moderation::router())
}
