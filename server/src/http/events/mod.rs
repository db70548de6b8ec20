//! Events: a module for creating and cancelling them, for lists, for taking part, for standings, games and
//! results, for the judging of games, for the export of matches, and for timetables.

mod creation;
mod export;
mod judging;
mod lists;
mod results;
mod standings;
mod taking_part;
mod timetables;
mod trf;
mod views;

use utoipa_axum::router::OpenApiRouter;

use crate::app::App;

pub(crate) use creation::{
    CYCLES, DURATION_MINUTES, GAMES, LEVELS, MAX_DESCRIPTION_CHARS, MAX_MIN_MATCHES, NAME_CHARS,
    PASSWORD_CHARS, PLAYERS, ROUNDS,
};

pub(crate) use timetables::{AT_CHARS, WEEKDAYS, ZONE_CHARS};
pub(crate) use views::seen as find_seen;

pub(crate) fn router() -> OpenApiRouter<App> {
    creation::router()
        .merge(lists::router())
        .merge(taking_part::router())
        .merge(standings::router())
        .merge(results::router())
        .merge(judging::router())
        .merge(export::router())
        .merge(timetables::router())
}
