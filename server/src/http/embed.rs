//! Boards on pages of other origins: documents that any page may frame, and their description for programs (oEmbed).
//!
//! These are the only documents that may be framed. Each is sandboxed by its own policy, as if it came from an origin of its own: it has no
//! cookies and no storage, and a press on it opens the full page in a tab of its own. The same document is sent to every reader.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use mawe_play::rating;
use mawe_rules::{GameKind, Side};
use mawe_store::MatchRow;
use mawe_wire::ids::MatchId;
use mawe_wire::{Code, Language, TimeControl};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::http::catalogues::{self, PARAMETER, escaped, say};
use crate::http::error::ApiError;
use crate::http::extract::{From, Path, Query};
use crate::http::pages::{self, Object};
use crate::http::{cards, lookup, origin};
use crate::pictures;

/// Any page may frame the document. The sandbox takes the rights of its origin from it, and lets the full page open with all of its own.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors *; sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox",
);

/// The width of a board on another page where nobody asks for another, in pixels.
const WIDTH: u32 = 480;

/// The height of the lines above and below the board.
const LINES_HEIGHT: u32 = 110;

/// The start of the addresses of these documents.
const MATCH: &str = "/embed/match/";
const TV: &str = "/embed/tv/";

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(of_match))
        .routes(routes!(of_tv))
        .routes(routes!(oembed))
}

/// The colours of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum Theme {
    Light,
    Dark,
}

impl Theme {
    fn as_str(self) -> &'static str {
        match self {
            Theme::Light => "light",
            Theme::Dark => "dark",
        }
    }
}

/// The query of a document for frames.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Look {
    /// The colours; by default those of the reader's system.
    #[param(inline)]
    theme: Option<Theme>,
    /// The language; by default the first in the browser's list that the page has.
    #[param(inline)]
    lang: Option<Language>,
}

/// Returns a document for a frame on another page: the board of a match, live.
/// It uses no cookies, and a press on it opens the match in a new tab.
#[utoipa::path(
    get, path = "/embed/match/{id}", tag = "embeds",
    params(("id" = MatchId, Path, description = "the match's id"), Look),
    responses((status = 200, content_type = "text/html", body = String), (status = 404))
)]
async fn of_match(
    State(app): State<App>,
    From(address): From,
    Path(id): Path<MatchId>,
    Query(look): Query<Look>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    app.quotas.file(address, 0)?;
    let row = lookup::find_match(&app, &id).await?;
    let frame = Frame {
        language: look.language(&headers),
        theme: look.theme,
        page: format!("/match/{id}"),
        stream: match row.finish {
            None => format!("/api/v1/matches/{id}/stream"),
            // Nothing more happens: a stream would take a connection of the reader's address.
            Some(_) => String::new(),
        },
        game: row.game,
        shown: Some(row),
    };
    Ok(frame.respond())
}

/// Returns a document for a frame on another page: the featured match of a game, live, and after it the next.
/// It uses no cookies, and a press on it opens the match in a new tab.
#[utoipa::path(
    get, path = "/embed/tv/{game}", tag = "embeds",
    params(("game" = GameKind, Path, description = "the game's id"), Look),
    responses((status = 200, content_type = "text/html", body = String), (status = 404))
)]
async fn of_tv(
    State(app): State<App>,
    From(address): From,
    Path(game): Path<GameKind>,
    Query(look): Query<Look>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    app.quotas.file(address, 0)?;
    let mut channels = app.tv.now().into_iter();
    let shown = channels.find(|(kind, _)| *kind == game);
    let shown = shown.and_then(|(_, row)| row);
    let page = match &shown {
        Some(row) => format!("/match/{}", row.id),
        None => "/watch".to_owned(),
    };
    let frame = Frame {
        language: look.language(&headers),
        theme: look.theme,
        page,
        stream: format!("/api/v1/tv/{game}/stream"),
        game,
        shown,
    };
    Ok(frame.respond())
}

impl Look {
    fn language(&self, headers: &HeaderMap) -> Language {
        let preferred = || catalogues::language(None, headers);
        self.lang.unwrap_or_else(preferred)
    }
}

/// The content of a document for frames.
struct Frame {
    language: Language,
    theme: Option<Theme>,
    /// The address of the full page.
    page: String,
    /// The public stream that the document follows.
    stream: String,
    game: GameKind,
    /// The match; `None` while none is featured.
    shown: Option<MatchRow>,
}

impl Frame {
    fn respond(&self) -> Response {
        let headers = [
            (header::CONTENT_SECURITY_POLICY, POLICY),
            (
                header::CONTENT_TYPE,
                HeaderValue::from_static("text/html; charset=utf-8"),
            ),
            (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
            (header::VARY, HeaderValue::from_static("accept-language")),
            // A sandboxed document with another value is refused where it is opened in a tab.
            (
                HeaderName::from_static("cross-origin-opener-policy"),
                HeaderValue::from_static("unsafe-none"),
            ),
            // Pages that isolate themselves may frame it, too.
            (
                HeaderName::from_static("cross-origin-resource-policy"),
                HeaderValue::from_static("cross-origin"),
            ),
        ];
        (headers, self.document()).into_response()
    }

    fn document(&self) -> String {
        let language = self.language;
        let tag = language.as_str();
        let game = cards::game_name(self.game, language);
        let theme = self.theme.map_or_else(String::new, |theme| {
            format!(" data-theme=\"{}\"", theme.as_str())
        });
        let (title, content, id) = match &self.shown {
            Some(row) => {
                let title = cards::headline_of(row, language);
                (title, self.board(row, &game), row.id.as_str())
            }
            None => {
                let none = escaped(&say(language, "watch.none", &[]));
                let picture = format!(
                    "<img src=\"/api/v1/games/{}/picture.png\" alt=\"\" crossorigin>",
                    self.game
                );
                let content = format!(
                    "{picture}<p class=\"status\"><span>{} · {none}</span></p>",
                    escaped(&game)
                );
                (game, content, "")
            }
        };
        format!(
            "<!doctype html>
<html lang=\"{tag}\"{theme}>
<head>
<meta charset=\"utf-8\">
<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">
<meta name=\"robots\" content=\"noindex\">
<meta name=\"color-scheme\" content=\"light dark\">
<title>{} · Mawe!</title>
<link rel=\"stylesheet\" href=\"/css/base.css\">
<link rel=\"stylesheet\" href=\"/embed/embed.css\">
<script src=\"/embed/embed.js\" defer></script>
</head>
<body class=\"embed\" data-stream=\"{}\" data-match=\"{id}\">
<a href=\"{}?{PARAMETER}={tag}\" target=\"_blank\" rel=\"noopener\">{content}</a>
</body>
</html>
",
            escaped(&title),
            self.stream,
            self.page,
        )
    }

    /// Returns the seats, the board between them, and the result or the name of the game.
    fn board(&self, row: &MatchRow, game: &str) -> String {
        let language = self.language;
        let [first, second] = [Side::First, Side::Second].map(|side| seat(row, side, language));
        let status = match &row.finish {
            None => game.to_owned(),
            Some(finish) => format!("{game}: {}", cards::result_of(row.game, finish, language)),
        };
        let alt = say(language, "match.board", &[("game", game)]);
        format!(
            "{second}<img src=\"/api/v1/matches/{}/board.svg\" alt=\"{}\" crossorigin>{first}<p class=\"status\"><span>{}</span><span>Mawe!</span></p>",
            row.id,
            escaped(&alt),
            escaped(&status)
        )
    }
}

fn seat(row: &MatchRow, side: Side, language: Language) -> String {
    let name = if cards::is_on_one_device(row) {
        say(language, &format!("game.{}.side.{side}", row.game), &[])
    } else {
        cards::name_of(&row.players[side], language)
    };
    let rating = row.ratings[side].map(|(value, deviation)| rating::shown(value, deviation));
    let rating = rating.map_or_else(String::new, |shown| {
        format!(" ({})", cards::rating_text(shown))
    });
    let clock = match row.time_control {
        TimeControl::Realtime { .. } if row.finish.is_none() => "<time></time>",
        TimeControl::Realtime { .. }
        | TimeControl::Unlimited
        | TimeControl::Correspondence { .. } => "",
    };
    format!(
        "<p class=\"{side}\"><span>{}{rating}</span>{clock}</p>",
        escaped(&name)
    )
}

/// The formats of oEmbed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum Format {
    Json,
}

/// The query of oEmbed.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Asked {
    /// The address of a match, `https://…/match/ID`, or of a document for frames, on this server.
    url: String,
    /// The format; there is only this one.
    #[serde(rename = "format")]
    #[param(inline)]
    _format: Option<Format>,
    /// The greatest width in pixels.
    maxwidth: Option<u32>,
    /// The greatest height in pixels.
    maxheight: Option<u32>,
}

/// The description of an address for other pages (oEmbed 1.0).
#[derive(Debug, Serialize, ToSchema)]
struct Embed {
    version: &'static str,
    #[serde(rename = "type")]
    kind: &'static str,
    title: String,
    provider_name: &'static str,
    provider_url: String,
    /// The time for which it may be kept, in seconds.
    cache_age: u32,
    /// The frame, as HTML.
    html: String,
    width: u32,
    height: u32,
    /// A picture of the position; left out if it is larger than the caller allows.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    thumbnail_url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    thumbnail_width: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    thumbnail_height: Option<u32>,
}

/// Describes a match of this server for other pages (oEmbed 1.0).
/// Private matches and addresses of other servers are not found.
#[utoipa::path(
    get, path = "/oembed", tag = "embeds", params(Asked),
    responses((status = 200, body = Embed), (status = 404))
)]
async fn oembed(
    State(app): State<App>,
    From(address): From,
    Query(asked): Query<Asked>,
    headers: HeaderMap,
) -> Result<Json<Embed>, ApiError> {
    app.quotas.file(address, 0)?;
    for (name, most) in [("maxwidth", asked.maxwidth), ("maxheight", asked.maxheight)] {
        if most == Some(0) {
            let advice = format!("{name} is 1 or more");
            return Err(ApiError::field(Code::BadFilter, name, advice));
        }
    }
    let origin = origin::of_links(&headers, app.settings.origin.as_deref());
    let origin = origin.ok_or(ApiError::NotFound("page"))?;
    let subject = Subject::from_url(&asked.url, &origin);
    let language = catalogues::language(None, &headers);
    let (path, game, title, picture) = match subject.ok_or(ApiError::NotFound("page"))? {
        Subject::Match(id) => {
            let row = lookup::find_match(&app, &id).await?;
            if row.private {
                return Err(ApiError::NotFound("match"));
            }
            let picture = format!("/api/v1/matches/{id}/picture.png");
            let title = cards::headline_of(&row, language);
            (format!("{MATCH}{id}"), row.game, title, picture)
        }
        Subject::Tv(game) => {
            let picture = format!("/api/v1/games/{game}/picture.png");
            let title = [
                cards::game_name(game, language),
                say(language, "watch.title", &[]),
            ];
            (format!("{TV}{game}"), game, title.join(" · "), picture)
        }
    };
    let [most_width, most_height] =
        [asked.maxwidth, asked.maxheight].map(|most| most.unwrap_or(u32::MAX));
    let width = WIDTH.min(most_width);
    let (wide, high) = pictures::shape(game);
    let height = (width * high / wide + LINES_HEIGHT).min(most_height);
    let has_room = pictures::WIDTH <= most_width && pictures::HEIGHT <= most_height;
    let thumbnail_url = has_room.then(|| format!("{origin}{picture}"));
    let html = format!(
        "<iframe src=\"{}{path}\" width=\"{width}\" height=\"{height}\" title=\"{}\" style=\"border:0\" loading=\"lazy\"></iframe>",
        escaped(&origin),
        escaped(&title)
    );
    Ok(Json(Embed {
        version: "1.0",
        kind: "rich",
        title,
        provider_name: "Mawe!",
        provider_url: origin,
        cache_age: 60 * 60,
        html,
        width,
        height,
        thumbnail_url,
        thumbnail_width: has_room.then_some(pictures::WIDTH),
        thumbnail_height: has_room.then_some(pictures::HEIGHT),
    }))
}

/// The object of an address that can be framed.
#[derive(Debug, PartialEq, Eq)]
enum Subject {
    Match(MatchId),
    Tv(GameKind),
}

impl Subject {
    /// Returns the object of an address on this server; `None` for any other address.
    fn from_url(url: &str, origin: &str) -> Option<Subject> {
        let path = url.strip_prefix(origin)?;
        let path = path.split(['?', '#']).next().unwrap_or_default();
        if let Some(game) = path.strip_prefix(TV) {
            return game.parse().ok().map(Subject::Tv);
        }
        if let Some(id) = path.strip_prefix(MATCH) {
            return id.parse().ok().map(Subject::Match);
        }
        if !path.starts_with('/') {
            return None;
        }
        match pages::address(path)?.object {
            Object::Match(id) => id.parse().ok().map(Subject::Match),
            Object::None | Object::Player(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_this_server_have_an_object() {
        let id = "Kx7Rm2Qp9TzA";
        let of_match = || Some(Subject::Match(id.parse().expect("an id")));
        let origin = "https://mawe.example";
        for (url, expected) in [
            (format!("{origin}/match/{id}"), of_match()),
            (format!("{origin}/match/{id}?lang=pl#x"), of_match()),
            (format!("{origin}/analysis/{id}"), of_match()),
            (format!("{origin}/embed/match/{id}"), of_match()),
            (
                format!("{origin}/embed/tv/oware"),
                Some(Subject::Tv(GameKind::Oware)),
            ),
            (format!("{origin}/embed/tv/chess"), None),
            (format!("{origin}/player/Amina"), None),
            (format!("{origin}/"), None),
            (origin.to_owned(), None),
            (format!("{origin}.evil.example/match/{id}"), None),
            (format!("{origin}:8080/match/{id}"), None),
            (format!("{origin}@evil.example/match/{id}"), None),
            (format!("http://mawe.example/match/{id}"), None),
            (format!("{origin}/match/x\"><script>"), None),
            (String::new(), None),
        ] {
            assert_eq!(Subject::from_url(&url, origin), expected, "{url}");
        }
    }
}
