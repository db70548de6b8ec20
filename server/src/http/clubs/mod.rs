//! Clubs: a module for founding and changing them, for memberships, for lists, for club matches, for moderators and reports to them, and for
//! classes.

mod class_export;
mod club_matches;
mod founding;
mod lists;
mod match_views;
mod membership;
mod moderation;
mod pupil_accounts;
mod pupils;
mod reports;
mod shared;

use utoipa_axum::router::OpenApiRouter;

use crate::app::App;

pub(crate) use club_matches::{BOARD_GAMES, BOARDS};
pub(crate) use founding::{MAX_BANNER_CHARS, MAX_DESCRIPTION_CHARS, NAME_CHARS};
pub(crate) use membership::MAX_LINE_CHARS;
pub(crate) use pupil_accounts::CARD_DAYS;
pub(crate) use pupils::REAL_NAME_CHARS;

pub(crate) fn router() -> OpenApiRouter<App> {
    founding::router()
        .merge(membership::router())
        .merge(lists::router())
        .merge(club_matches::router())
        .merge(moderation::router())
        .merge(reports::router())
        .merge(pupils::router())
        .merge(pupil_accounts::router())
        .merge(class_export::router())
}
