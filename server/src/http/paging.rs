//! Pages of lists: their query, their size, and the cursor after which the next page begins.

use std::str::FromStr;

use mawe_store::MatchCursor;
use mawe_wire::Code;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::http::error::ApiError;

const DEFAULT_PAGE: u32 = 20;
pub(crate) const MAX_PAGE: u32 = 100;

/// The query of a list without a filter.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ListQuery {
    /// `next` of the previous page.
    pub(crate) cursor: Option<String>,
    /// The size of the page, 1 to 100; 20 by default.
    pub(crate) limit: Option<u32>,
}

/// Returns the size of a page, in rows. One row more is read: it shows whether there is a next page.
pub(crate) fn page_size(limit: Option<u32>) -> Result<u32, ApiError> {
    let limit = limit.unwrap_or(DEFAULT_PAGE);
    let fits = (1..=MAX_PAGE).contains(&limit);
    fits.then_some(limit)
        .ok_or_else(|| ApiError::field(Code::BadFilter, "limit", "limit is 1 to 100"))
}

/// Removes the additional row of a page, if it is there, and returns the cursor of the next page, which `cursor` makes of the last row.
pub(crate) fn cut<T>(
    rows: &mut Vec<T>,
    limit: u32,
    cursor: impl FnOnce(&T) -> String,
) -> Option<String> {
    let more = rows.len() > limit as usize;
    rows.truncate(limit as usize);
    rows.last().filter(|_| more).map(cursor)
}

/// Parses a cursor of two parts with a dot between them.
pub(crate) fn parts<A: FromStr, B: FromStr>(
    cursor: Option<&str>,
) -> Result<Option<(A, B)>, ApiError> {
    let parse = |text: &str| {
        let (first, second) = text.split_once('.')?;
        Some((first.parse().ok()?, second.parse().ok()?))
    };
    cursor
        .map(|text| parse(text).ok_or_else(bad_cursor))
        .transpose()
}

/// Parses a cursor of one part.
pub(crate) fn part<A: FromStr>(cursor: Option<&str>) -> Result<Option<A>, ApiError> {
    cursor
        .map(|text| text.parse().map_err(|_| bad_cursor()))
        .transpose()
}

/// Parses the cursor of a list of matches.
pub(crate) fn match_cursor(cursor: Option<&str>) -> Result<Option<MatchCursor>, ApiError> {
    let parts = parts(cursor)?;
    Ok(parts.map(|(created_ms, id)| MatchCursor { created_ms, id }))
}

/// Returns the error for a cursor that no page has given.
pub(crate) fn bad_cursor() -> ApiError {
    ApiError::field(
        Code::BadFilter,
        "cursor",
        "give `next` of the page before, or leave cursor out",
    )
}
