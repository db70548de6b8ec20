//! The files for search engines: `sitemap.xml`, and the rules for robots.

use std::fmt::Write;

use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};

use crate::app::App;
use crate::http::cards::{address_in, alternates};
use crate::http::catalogues::escaped;
use crate::http::files::text_of;
use crate::http::{origin, pages};

const SITEMAP: &str = "sitemap.xml";
const ROBOTS: &str = "robots.txt";

/// The rules for robots of a site that is for its accounts alone.
const NO_ROBOTS: &str = "User-agent: *\nDisallow: /\n";

/// Returns the content of one of these files; `None` for any other path, and for a site map without an origin, since its addresses are
/// absolute.
pub(crate) fn content(app: &App, path: &str, headers: &HeaderMap) -> Option<String> {
    let configured = app.settings.origin.as_deref();
    match path {
        SITEMAP => origin::of_links(headers, configured).map(|origin| sitemap(&origin)),
        ROBOTS if !app.settings.site.is_public => Some(NO_ROBOTS.to_owned()),
        ROBOTS => robots(configured),
        _ => None,
    }
}

/// Sends the content of one of these files.
pub(crate) fn send(path: &str, content: String) -> Response {
    let kind = if path == SITEMAP {
        "text/xml; charset=utf-8"
    } else {
        "text/plain; charset=utf-8"
    };
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(kind)),
        (
            header::CACHE_CONTROL,
            HeaderValue::from_static("public, max-age=3600"),
        ),
    ];
    (headers, content).into_response()
}

/// Returns the rules for robots, with the address of the site map under a configured origin: a host of a request's own choice is no reason
/// to tell it.
fn robots(configured: Option<&str>) -> Option<String> {
    let mut rules = text_of(ROBOTS)?;
    if let Some(origin) = configured {
        let _ = write!(
            rules,
            "\nSitemap: {}/{SITEMAP}\n",
            origin.trim_end_matches('/')
        );
    }
    Some(rules)
}

/// Returns the site map (sitemaps.org 0.9), with the address of each page in each language.
fn sitemap(origin: &str) -> String {
    let origin = escaped(origin);
    let mut map = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" xmlns:xhtml=\"http://www.w3.org/1999/xhtml\">\n",
    );
    // Writing to a string does not fail.
    for path in pages::listed_paths() {
        let _ = writeln!(map, "<url><loc>{}</loc>", address_in(&origin, &path, None));
        for (tag, language) in alternates() {
            let _ = writeln!(
                map,
                "<xhtml:link rel=\"alternate\" hreflang=\"{tag}\" href=\"{}\"/>",
                address_in(&origin, &path, language)
            );
        }
        map.push_str("</url>\n");
    }
    map.push_str("</urlset>\n");
    map
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_site_map_has_every_listed_page_in_every_language() {
        let map = sitemap("https://mawe.example");
        assert_eq!(map.matches("<url>").count(), pages::listed_paths().len());
        for line in [
            "<loc>https://mawe.example/</loc>",
            "<loc>https://mawe.example/players/oware</loc>",
            "hreflang=\"ml\" href=\"https://mawe.example/rules/mawe?lang=ml\"/>",
            "hreflang=\"x-default\" href=\"https://mawe.example/about\"/>",
        ] {
            assert!(map.contains(line), "{line}");
        }
        assert!(!map.contains("/settings"));
    }

    #[test]
    fn robots_learn_of_the_site_map_under_a_configured_origin() {
        let rules = robots(Some("https://mawe.example/")).expect("rules");
        assert!(rules.ends_with("\nSitemap: https://mawe.example/sitemap.xml\n"));
        assert!(!robots(None).expect("rules").contains("Sitemap"));
    }
}
