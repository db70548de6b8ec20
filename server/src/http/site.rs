//! The site as the operator has furnished it: its facts for the page, its logo, its style sheet, its manifest and its documents.

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use mawe_wire::Language;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::http::catalogues::{self, PARAMETER, escaped, say};
use crate::http::error::ApiError;
use crate::http::extract::From;
use crate::http::files::text_of;
use crate::http::shell::Shell;
use crate::page::site::{Document, Registration, Site};

/// The address of the logo.
const LOGO: &str = "/api/v1/site/logo";

/// The addresses of the documents, of the style sheet and of the manifest.
pub(crate) const IMPRINT: &str = "/imprint";
pub(crate) const PRIVACY: &str = "/privacy";
pub(crate) const STYLE_SHEET: &str = "/site-colour.css";
pub(crate) const MANIFEST: &str = "/site.webmanifest";

/// The cache life of the operator's choices: until the next start of the server at the longest, so each use is checked.
const CHECKED: HeaderValue = HeaderValue::from_static("no-cache");

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(logo))
}

/// The operator's choices for this site.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SiteView {
    /// The rule of registration.
    registration: Registration,
    /// Whether the site can be seen without an account. Where it cannot, all but a few addresses answer `sign-in-first`.
    public: bool,
    /// The name of the site; null where it has that of the product.
    #[schema(required = true)]
    name: Option<String>,
    /// The path of the picture beside the name; null without one.
    #[schema(required = true)]
    logo: Option<&'static str>,
    /// The path of a style sheet with the colour of links and buttons; null where they have the product's.
    #[schema(required = true)]
    style_sheet: Option<&'static str>,
    /// The path of the manifest of the installed app; null where it is the product's.
    #[schema(required = true)]
    manifest: Option<&'static str>,
    /// The path of the imprint; null without one.
    #[schema(required = true)]
    imprint: Option<&'static str>,
    /// The path of the notice about personal data; null without one.
    #[schema(required = true)]
    privacy: Option<&'static str>,
    /// Whether the server sends mail, by which owners of accounts set a new password; not there where it does not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    mail: bool,
}

impl SiteView {
    /// Returns the view of the site; `None` where everything is as on any other.
    pub(crate) fn of(app: &App) -> Option<SiteView> {
        let (site, mail) = (&app.settings.site, app.mail.is_some());
        if *site == Site::default() && !mail {
            return None;
        }
        Some(SiteView {
            registration: site.registration,
            public: site.is_public,
            name: site.name.clone(),
            logo: site.logo.as_ref().map(|_| LOGO),
            style_sheet: site.colour.map(|_| STYLE_SHEET),
            manifest: site.has_look().then_some(MANIFEST),
            imprint: site.imprint.as_ref().map(|_| IMPRINT),
            privacy: site.privacy.as_ref().map(|_| PRIVACY),
            mail,
        })
    }
}

/// Returns the operator's picture beside the name of the site: PNG, JPEG, GIF or WebP.
#[utoipa::path(
    get, path = "/api/v1/site/logo", tag = "operation",
    responses(
        (status = 200, content_type = "image/*", body = Vec<u8>),
        (status = 404),
    )
)]
async fn logo(State(app): State<App>) -> Result<impl IntoResponse, ApiError> {
    let logo = app.settings.site.logo.as_ref();
    let logo = logo.ok_or(ApiError::NotFound("picture"))?;
    let headers = [
        (
            header::CACHE_CONTROL,
            HeaderValue::from_static("max-age=3600"),
        ),
        (header::CONTENT_TYPE, HeaderValue::from_static(logo.kind)),
    ];
    Ok((headers, logo.bytes.clone()))
}

/// Responds with the style sheet, the manifest or a document; `None` for any other path, and for what the operator has not set.
pub(crate) async fn respond(
    app: &App,
    From(address): From,
    uri: &Uri,
    headers: &HeaderMap,
) -> Option<Response> {
    let site = &app.settings.site;
    let (kind, content) = match uri.path() {
        STYLE_SHEET => ("text/css; charset=utf-8", site.colour?.style_sheet()),
        MANIFEST if site.has_look() => ("application/manifest+json", manifest(site)?),
        IMPRINT => page(site, Title::Imprint, uri, headers).await?,
        PRIVACY => page(site, Title::Privacy, uri, headers).await?,
        _ => return None,
    };
    if let Err(refusal) = app.quotas.file(address, content.len()) {
        return Some(ApiError::from(refusal).into_response());
    }
    let about = [
        (header::CONTENT_TYPE, HeaderValue::from_static(kind)),
        (header::CACHE_CONTROL, CHECKED),
        (header::VARY, HeaderValue::from_static("accept-language")),
    ];
    Some((StatusCode::OK, about, content).into_response())
}

/// Returns the page's manifest with the name of the site.
fn manifest(site: &Site) -> Option<String> {
    let text = text_of("manifest.webmanifest")?;
    let mut manifest: serde_json::Value = serde_json::from_str(&text).ok()?;
    for key in ["name", "short_name"] {
        manifest[key] = site.shown_name().into();
    }
    if let Some(colour) = site.colour {
        manifest["theme_color"] = colour.to_string().into();
    }
    Some(manifest.to_string())
}

/// A document by its title.
#[derive(Debug, Clone, Copy)]
enum Title {
    Imprint,
    Privacy,
}

impl Title {
    /// The key of the title in the catalogues.
    fn key(self) -> &'static str {
        match self {
            Title::Imprint => "site.imprint",
            Title::Privacy => "site.privacy",
        }
    }

    fn of(self, site: &Site) -> Option<&Document> {
        match self {
            Title::Imprint => site.imprint.as_ref(),
            Title::Privacy => site.privacy.as_ref(),
        }
    }
}

/// Returns a document as a page that needs no script.
async fn page(
    site: &Site,
    title: Title,
    uri: &Uri,
    headers: &HeaderMap,
) -> Option<(&'static str, String)> {
    let document = title.of(site)?;
    let reader = catalogues::language(uri.query(), headers);
    let shell = Shell::current().await?;
    let written = written(site, title, document, reader, &shell);
    Some(("text/html; charset=utf-8", written))
}

fn written(
    site: &Site,
    title: Title,
    document: &Document,
    reader: Language,
    shell: &Shell,
) -> String {
    let (text, language) = document.text(reader);
    let usual = say(reader, title.key(), &[]);
    let name = escaped(site.shown_name());
    let heading = escaped(text.title.as_deref().unwrap_or(&usual));
    let colour = site.colour.map_or(String::new(), |_| {
        format!("<link rel=\"stylesheet\" href=\"{STYLE_SHEET}\">\n")
    });
    let logo = site.logo.as_ref().map_or_else(
        || "<span class=\"brand-mark\" aria-hidden=\"true\"></span>".to_owned(),
        |_| format!("<img class=\"brand-logo\" src=\"{LOGO}\" alt=\"\">"),
    );
    // The language of the operator's main file is not known, so nothing claims it.
    let lang = language.map_or(String::new(), |of| format!(" lang=\"{}\"", of.as_str()));
    let own_title = if text.title.is_some() {
        String::new()
    } else {
        format!("<h1>{heading}</h1>\n")
    };
    let start = format!(
        "<!doctype html>
<html lang=\"{reader}\">
<head>
<meta charset=\"utf-8\">
<meta name=\"viewport\" content=\"width=device-width, initial-scale=1, viewport-fit=cover\">
<title>{heading} · {name}</title>
<meta name=\"color-scheme\" content=\"light dark\">
<script src=\"/apidocs/theme.js\"></script>
<link rel=\"icon\" href=\"/icon.svg\" type=\"image/svg+xml\">
<link rel=\"stylesheet\" href=\"/css/base.css\">
<link rel=\"stylesheet\" href=\"/css/frame.css\">
<link rel=\"stylesheet\" href=\"/css/site.css\">
{colour}</head>
<body>
<header class=\"site\">
<a class=\"brand\" href=\"/\">{logo}<span class=\"brand-word\">{name}</span></a>
</header>
<main class=\"page narrow\">
",
        reader = reader.as_str()
    );
    // Only text of ours has links to files of the page.
    let start = shell.versioned(&start);
    let links = links(site, title, document, reader);
    format!(
        "{start}<article class=\"card document\"{lang}>\n{own_title}{}</article>\n{links}</main>\n</body>\n</html>\n",
        text.html
    )
}

/// Returns the name of a language in itself, as `static/core/i18n.js` has it.
fn own_name(language: Language) -> &'static str {
    match language {
        Language::En => "English",
        Language::Sw => "Kiswahili",
        Language::Pl => "Polski",
        Language::Ml => "മലയാളം",
    }
}

/// Returns the links below a document: to its other languages, to the other document, and to the site.
fn links(site: &Site, title: Title, document: &Document, reader: Language) -> String {
    let mut links = Vec::new();
    for language in document.languages() {
        let tag = language.as_str();
        let name = own_name(language);
        links.push(format!(
            "<a href=\"?{PARAMETER}={tag}\" lang=\"{tag}\" hreflang=\"{tag}\">{name}</a>"
        ));
    }
    let other = match title {
        Title::Imprint => site.privacy.as_ref().map(|_| (PRIVACY, Title::Privacy)),
        Title::Privacy => site.imprint.as_ref().map(|_| (IMPRINT, Title::Imprint)),
    };
    if let Some((path, other)) = other {
        let text = escaped(&say(reader, other.key(), &[]));
        links.push(format!("<a href=\"{path}\">{text}</a>"));
    }
    let back = escaped(&say(reader, "card.back", &[]));
    links.push(format!("<a href=\"/\">{back}</a>"));
    let label = escaped(&say(reader, "menu.more", &[]));
    format!(
        "<nav class=\"document-links\" aria-label=\"{label}\">{}</nav>\n",
        links.join(" ")
    )
}
