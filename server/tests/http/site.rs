//! The look of the site, and the operator's documents.

use std::path::{Path, PathBuf};

use clap::Parser;
use mawe_server::config::ServeOptions;
use mawe_server::page::site::Site;
use serde_json::{Value, json};

use crate::common::{Answer, Person, TestServer};

#[derive(Parser)]
struct Program {
    #[command(flatten)]
    options: ServeOptions,
}

fn resolved(arguments: &[&str]) -> Result<Site, String> {
    let line = ["mawe"].iter().chain(arguments);
    let program = Program::try_parse_from(line).map_err(|error| error.to_string())?;
    let config = program.options.resolve();
    Ok(config.map_err(|error| error.to_string())?.site)
}

/// Returns the site of these options.
fn site(arguments: &[&str]) -> Site {
    resolved(arguments).unwrap_or_else(|error| panic!("{error}"))
}

fn written(directory: &Path, name: &str, content: &[u8]) -> PathBuf {
    let path = directory.join(name);
    std::fs::write(&path, content).expect("it can be written");
    path
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a plain path")
}

async fn open(person: &Person, path: &str, language: &str) -> Answer {
    let request = person.request(reqwest::Method::GET, path);
    let request = request.header("accept", "text/html");
    Answer::of(request.header("accept-language", language)).await
}

fn body(answer: &Answer) -> String {
    assert_eq!(answer.status, 200, "{answer:?}");
    String::from_utf8(answer.body.clone()).expect("text")
}

const PNG: &[u8] = b"\x89PNG\r\n\x1a\nrest";

#[tokio::test]
async fn a_site_shows_its_name_its_logo_and_its_colour() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let logo = written(directory.path(), "logo.png", PNG);
    let name = "Shule & <b>\"Mlimani\"</b>";
    let furnished = site(&[
        "--site-name",
        name,
        "--site-logo",
        text(&logo),
        "--site-colour",
        "#2a6f4e",
    ]);
    let server = TestServer::start_with(|config| config.site = furnished).await;
    let nobody = server.stranger();
    let me = nobody.get("/api/v1/me").await.json();
    assert_eq!(
        me["site"],
        json!({
            "registration": "open", "public": true, "name": name, "logo": "/api/v1/site/logo",
            "style_sheet": "/site-colour.css", "manifest": "/site.webmanifest", "imprint": null, "privacy": null,
        })
    );
    let picture = nobody.get("/api/v1/site/logo").await;
    assert_eq!(
        (&*picture.body, picture.header("content-type")),
        (PNG, "image/png")
    );
    let escaped = "Shule &amp; &lt;b&gt;&quot;Mlimani&quot;&lt;/b&gt;";
    for path in ["/", "/watch", "/players"] {
        let page = body(&open(&nobody, path, "en").await);
        let (head, _) = page.split_once("</head>").expect("a head");
        let title = head.split("<title>").nth(1).expect("a title");
        let title = title.split("</title>").next().expect("its end");
        assert!(
            title.contains(escaped) && !title.contains("Mawe!"),
            "{title}"
        );
        assert!(!page.contains("<b>\"Mlimani"), "{page}");
        let manifests: Vec<_> = head.match_indices("rel=\"manifest\" href=\"").collect();
        let first = &head[manifests[0].0..];
        assert!(
            first.starts_with("rel=\"manifest\" href=\"/site.webmanifest\""),
            "{first}"
        );
        assert!(head.contains("<link rel=\"stylesheet\" href=\"/site-colour.css\">"));
        // The header of another name would be shown first.
        assert!(!page.contains("brand-word"), "{page}");
    }
    let manifest = nobody.get("/site.webmanifest").await;
    assert_eq!(manifest.header("content-type"), "application/manifest+json");
    let manifest = manifest.json();
    assert_eq!(
        (&manifest["name"], &manifest["short_name"]),
        (&json!(name), &json!(name))
    );
    assert_eq!(
        (&manifest["id"], &manifest["theme_color"]),
        (&json!("/"), &json!("#2a6f4e"))
    );
    let sheet = nobody.get("/site-colour.css").await;
    assert_eq!(sheet.header("content-type"), "text/css; charset=utf-8");
    assert!(body(&sheet).starts_with(":root{--accent:#"), "{sheet:?}");
    server.stop().await;
}

#[tokio::test]
async fn without_options_nothing_of_it_is_there() {
    let server = TestServer::start().await;
    let nobody = server.stranger();
    assert_eq!(nobody.get("/api/v1/me").await.json()["site"], Value::Null);
    for path in [
        "/site-colour.css",
        "/site.webmanifest",
        "/imprint",
        "/privacy",
        "/api/v1/site/logo",
    ] {
        nobody.get(path).await.problem(404, "not-found");
    }
    let page = body(&open(&nobody, "/", "en").await);
    assert!(page.contains("brand-word\">Mawe!<") && !page.contains("site.webmanifest"));
    server.stop().await;
}

#[tokio::test]
async fn the_documents_are_pages_without_scripts_of_their_own() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let imprint = written(
        directory.path(),
        "imprint.md",
        b"# The imprint\n\n<script>alert(1)</script>\n\n[us](https://school.example) [x](javascript:alert(1))\n",
    );
    written(directory.path(), "imprint.sw.md", b"# Taarifa\n\nShule\n");
    let privacy = written(
        directory.path(),
        "privacy.md",
        b"Nothing is given to others.\n",
    );
    let furnished = site(&[
        "--site-name",
        "Shule <i>",
        "--imprint",
        text(&imprint),
        "--privacy",
        text(&privacy),
        "--public",
        "false",
    ]);
    let server = TestServer::start_with(|config| config.site = furnished).await;
    // Also on a site that is for its accounts alone.
    let nobody = server.stranger();
    let english = body(&open(&nobody, "/imprint", "en").await);
    for part in [
        "<html lang=\"en\">",
        "<title>The imprint · Shule &lt;i&gt;</title>",
        "<article class=\"card document\">\n<h1>The imprint</h1>",
        "<a href=\"https://school.example\">us</a>",
        "&lt;script&gt;alert(1)&lt;/script&gt;",
        "<a href=\"?lang=sw\" lang=\"sw\" hreflang=\"sw\">Kiswahili</a>",
        "<a href=\"/privacy\">",
    ] {
        assert!(english.contains(part), "{part}: {english}");
    }
    assert_eq!(
        english.matches("<script").count(),
        1,
        "that of the theme: {english}"
    );
    assert!(!english.contains("javascript:"), "{english}");
    assert!(!english.contains("<i>"), "{english}");
    for (path, language) in [("/imprint", "sw, en;q=0.5"), ("/imprint?lang=sw", "pl")] {
        let swahili = body(&open(&nobody, path, language).await);
        assert!(
            swahili.contains("<article class=\"card document\" lang=\"sw\">"),
            "{swahili}"
        );
        assert!(swahili.contains("<h1>Taarifa</h1>"), "{swahili}");
    }
    let policy = open(&nobody, "/privacy", "pl").await;
    assert!(
        policy
            .header("content-security-policy")
            .contains("script-src 'self'")
    );
    // A document without a heading has one of the page's.
    let polish = body(&policy);
    assert!(
        polish.contains("<html lang=\"pl\">") && polish.matches("<h1>").count() == 1,
        "{polish}"
    );
    let me = nobody.get("/api/v1/me").await.json();
    assert_eq!(me["site"]["imprint"], "/imprint");
    assert_eq!(me["site"]["privacy"], "/privacy");
    server.stop().await;
}

#[test]
fn options_with_nonsense_are_refused_in_one_line_that_names_them() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let directory = directory.path();
    let file = |name: &str, content: &[u8]| text(&written(directory, name, content)).to_owned();
    let mut huge = PNG.to_vec();
    huge.resize(64 * 1024 + 1, 0);
    let huge = file("huge.png", &huge);
    let not_a_picture = file("logo.svg", b"<svg/>");
    let empty = file("empty.md", b"");
    let long = file("long.md", &vec![b'x'; 256 * 1024 + 1]);
    let missing = text(&directory.join("missing")).to_owned();
    let folder = text(directory).to_owned();
    let name = "x".repeat(41);
    for (option, value) in [
        ("--registration", "sometimes"),
        ("--registration", ""),
        ("--public", "perhaps"),
        ("--site-name", ""),
        ("--site-name", &name),
        ("--site-name", "a\u{202e}b"),
        ("--site-colour", "green"),
        ("--site-colour", "#12345"),
        ("--site-logo", &missing),
        ("--site-logo", &folder),
        ("--site-logo", &not_a_picture),
        ("--site-logo", &huge),
        ("--imprint", &missing),
        ("--imprint", &folder),
        ("--imprint", &empty),
        ("--privacy", &long),
        ("--privacy", &not_a_picture.replace(".svg", ".txt")),
    ] {
        let Err(fault) = resolved(&[option, value]) else {
            panic!("{option} {value:?} is taken");
        };
        let named = option.trim_start_matches("--");
        assert!(fault.contains(named), "{option} {value:?}: {fault}");
    }
}
