//! The guides beside the reference of the API: pages of `docs/` as HTML documents, and the files that they link to, so that a server
//! without a way to the internet has all of them.
//!
//! They are part of the program. Each is rendered at its first request, into the document of the reference, whose script puts navigation and
//! search around it.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, LazyLock};

use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use parking_lot::Mutex;
use pulldown_cmark::{Alignment, CodeBlockKind, CowStr, Event, Options, Parser, Tag, TagEnd};

use crate::api::messages::Sender;
use crate::app::App;
use crate::http::assets;
use crate::http::catalogues::escaped;
use crate::http::error::ApiError;
use crate::http::extract::From;
use crate::http::files::{Kept, Stamp, keep, kept, text_of};
use crate::page::precompressed::Resource;

/// The address of a guide or of a file.
pub(super) const ROUTE: &str = "/api/docs/{page}";

/// The start of these addresses.
const PLACE: &str = "/api/docs/";

/// The document into which guides are written, its title, and the place of their contents.
const SHELL: &str = "apidocs/index.html";
const TITLE: &str = "<title>Mawe! – the API</title>";
const CONTENT: &str = "<!--content-->";

/// A page or a file.
#[derive(Debug)]
struct Entry {
    /// Its name in the address.
    name: &'static str,
    /// Its path in the repository, by which guides link to it.
    source: &'static str,
    content: Content,
}

#[derive(Debug, Clone, Copy)]
enum Content {
    /// A page in Markdown.
    Guide(&'static str),
    /// A program.
    Program(&'static str),
    /// The schema of the messages of a sender.
    Schema(Sender),
}

macro_rules! entry {
    ($name:literal, $content:ident, $source:literal) => {
        Entry {
            name: $name,
            source: $source,
            content: Content::$content(include_str!(concat!("../../../", $source))),
        }
    };
}

static ENTRIES: [Entry; 11] = [
    entry!("api", Guide, "docs/api.md"),
    entry!("api-bots", Guide, "docs/api-bots.md"),
    entry!("clients", Guide, "docs/clients.md"),
    entry!("protocol", Guide, "docs/protocol.md"),
    entry!("pairing", Guide, "docs/pairing.md"),
    entry!("moderation", Guide, "docs/moderation.md"),
    entry!("bot.py", Program, "examples/bot.py"),
    entry!("bot.mjs", Program, "examples/bot.mjs"),
    entry!("bot.rs", Program, "examples/bot-rs/src/main.rs"),
    Entry {
        name: "client-messages.schema.json",
        source: "docs/client-messages.schema.json",
        content: Content::Schema(Sender::Client),
    },
    Entry {
        name: "server-messages.schema.json",
        source: "docs/server-messages.schema.json",
        content: Content::Schema(Sender::Server),
    },
];

/// One resource for each entry.
static RENDERED: Kept<&'static str, Stamp> = LazyLock::new(Mutex::default);

/// Serves a guide, or a file that one links to. `schema` writes the schema of the messages of a sender.
pub(super) async fn serve(
    app: &App,
    from: From,
    name: &str,
    headers: &HeaderMap,
    schema: fn(Sender) -> String,
) -> Response {
    let Some(entry) = ENTRIES.iter().find(|entry| entry.name == name) else {
        return ApiError::NotFound("page").into_response();
    };
    match resource(entry, schema).await {
        Some(resource) => assets::send(app, from, &resource, headers).await,
        None => ApiError::Internal.into_response(),
    }
}

async fn resource(entry: &'static Entry, schema: fn(Sender) -> String) -> Option<Arc<Resource>> {
    let stamp = Stamp::from_path(SHELL);
    if let Some(resource) = kept(&RENDERED, &entry.name, &stamp) {
        return Some(resource);
    }
    let rendering = tokio::task::spawn_blocking(move || {
        // The name tells the media type.
        let made = match entry.content {
            Content::Guide(text) => {
                Resource::new("guide.html", document(entry, text)?.into_bytes())
            }
            Content::Program(text) => Resource::new("program.txt", text.as_bytes()),
            Content::Schema(sender) => Resource::new(entry.name, schema(sender).into_bytes()),
        };
        Some(keep(&RENDERED, entry.name, stamp, made))
    });
    rendering.await.ok().flatten()
}

/// Returns the document of a guide.
fn document(entry: &Entry, markdown: &str) -> Option<String> {
    let shell = text_of(SHELL)?;
    let (title, content) = render(entry.source, markdown);
    let title = format!("<title>{title} – Mawe!</title>");
    Some(
        shell
            .replacen(TITLE, &title, 1)
            .replacen(CONTENT, &content, 1),
    )
}

/// Returns the title of a page and its content as HTML. `source` is its path in the repository.
fn render(source: &str, markdown: &str) -> (String, String) {
    let events: Vec<Event<'_>> = Parser::new_ext(markdown, Options::ENABLE_TABLES).collect();
    let mut slugs = Slugs::default();
    let mut title = String::new();
    let mut written = Vec::with_capacity(events.len());
    // The files that links lead to and that are not here: the links are left out, and the paths named.
    let mut absent: Vec<Option<String>> = Vec::new();
    for (place, event) in events.iter().enumerate() {
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                let text = text_of_heading(&events[place..]);
                let slug = slugs.next(&text);
                let id = format!("<{level} id=\"{}\">", escaped(&slug));
                if title.is_empty() {
                    title = escaped(&text);
                }
                written.push(Event::Html(id.into()));
            }
            Event::Start(Tag::Link { dest_url, .. }) => match target(source, dest_url) {
                Target::Here(url) => {
                    absent.push(None);
                    let link = format!("<a href=\"{}\">", escaped(&url));
                    written.push(Event::InlineHtml(link.into()));
                }
                Target::Absent(path) => absent.push(Some(path)),
            },
            Event::End(TagEnd::Link) => match absent.pop().flatten() {
                None => written.push(Event::InlineHtml("</a>".into())),
                Some(path) => written.extend([
                    Event::Text(" (".into()),
                    Event::Code(path.into()),
                    Event::Text(")".into()),
                ]),
            },
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(about))) => {
                written.push(Event::Html(code_start(about)));
            }
            Event::End(TagEnd::CodeBlock) => written.push(Event::Html("</code></pre>\n".into())),
            Event::Start(Tag::CodeBlock(CodeBlockKind::Indented)) => {
                written.push(Event::Html("<pre><code>".into()));
            }
            Event::Start(Tag::Table(alignments)) => {
                // A region that can be scrolled needs a name and the keyboard's focus.
                let region =
                    "<div class=\"scrolled\" role=\"region\" aria-label=\"Table\" tabindex=\"0\">";
                written.push(Event::Html(region.into()));
                // An alignment would be a style attribute, which the policy of the page forbids.
                let alignments = vec![Alignment::None; alignments.len()];
                written.push(Event::Start(Tag::Table(alignments)));
            }
            Event::End(TagEnd::Table) => {
                written.push(event.clone());
                written.push(Event::Html("</div>\n".into()));
            }
            other => written.push(other.clone()),
        }
    }
    let mut html = String::new();
    pulldown_cmark::html::push_html(&mut html, written.into_iter());
    (title, html)
}

/// Returns the start of a block of code. Its second word names an example: a file of `server/tests/protocol`.
fn code_start(about: &str) -> CowStr<'static> {
    let mut words = about.split_whitespace();
    let language = words.next().unwrap_or_default();
    let example = words.next().map(|file| {
        let name = file.strip_suffix(".json").unwrap_or(file);
        format!(" data-example=\"{}\"", escaped(name))
    });
    let example = example.unwrap_or_default();
    format!(
        "<pre{example}><code class=\"language-{}\">",
        escaped(language)
    )
    .into()
}

/// Returns the text of the heading that these events begin with.
fn text_of_heading(events: &[Event<'_>]) -> String {
    let inside = events
        .iter()
        .take_while(|event| !matches!(event, Event::End(TagEnd::Heading(_))));
    let texts = inside.filter_map(|event| match event {
        Event::Text(text) | Event::Code(text) => Some(&**text),
        _ => None,
    });
    texts.collect()
}

/// The target of a link.
#[derive(Debug, PartialEq, Eq)]
enum Target {
    /// An address.
    Here(String),
    /// A path of the repository that this server does not have.
    Absent(String),
}

/// Returns the target of a link of a page with this path in the repository.
fn target(source: &str, link: &str) -> Target {
    if link.starts_with('#') || link.contains("://") {
        return Target::Here(link.to_owned());
    }
    let (path, fragment) = link.split_once('#').unwrap_or((link, ""));
    let mut parts: Vec<&str> = source.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    let path = parts.join("/");
    let entry = ENTRIES.iter().find(|entry| {
        // The example in Rust is a crate, of which one file is here.
        entry.source == path || entry.source.strip_suffix("/src/main.rs") == Some(&path)
    });
    match entry {
        None => Target::Absent(path),
        Some(entry) if fragment.is_empty() => Target::Here(format!("{PLACE}{}", entry.name)),
        Some(entry) => Target::Here(format!("{PLACE}{}#{fragment}", entry.name)),
    }
}

/// The ids of headings, as the usual viewers of repositories make them: the links within `docs/` are written for those.
#[derive(Debug, Default)]
struct Slugs {
    repetitions: HashMap<String, usize>,
    taken: HashSet<String>,
}

impl Slugs {
    fn next(&mut self, heading: &str) -> String {
        let kept = heading.chars().filter_map(|c| match c {
            ' ' => Some('-'),
            '-' | '_' => Some(c),
            c if c.is_alphanumeric() => Some(c),
            _ => None,
        });
        let slug: String = kept.flat_map(char::to_lowercase).collect();
        let count = self.repetitions.entry(slug.clone()).or_default();
        loop {
            let id = match *count {
                0 => slug.clone(),
                count => format!("{slug}-{count}"),
            };
            *count += 1;
            if self.taken.insert(id.clone()) {
                return id;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guides() -> impl Iterator<Item = (&'static Entry, String)> {
        ENTRIES.iter().filter_map(|entry| match entry.content {
            Content::Guide(text) => Some((entry, render(entry.source, text).1)),
            Content::Program(_) | Content::Schema(_) => None,
        })
    }

    /// Returns the values of an attribute.
    fn values<'a>(html: &'a str, attribute: &str) -> Vec<&'a str> {
        let start = format!(" {attribute}=\"");
        let parts = html.split(start.as_str()).skip(1);
        parts.filter_map(|part| part.split('"').next()).collect()
    }

    #[test]
    fn every_link_of_a_guide_leads_somewhere() {
        let pages: HashMap<String, String> = guides()
            .map(|(entry, html)| (format!("{PLACE}{}", entry.name), html))
            .collect();
        let mut checked = 0;
        for (page, html) in &pages {
            for link in values(html, "href") {
                let (path, fragment) = link.split_once('#').unwrap_or((link, ""));
                let path = if path.is_empty() { page } else { path };
                let name = path
                    .strip_prefix(PLACE)
                    .unwrap_or_else(|| panic!("{page}: {link}"));
                assert!(
                    ENTRIES.iter().any(|entry| entry.name == name),
                    "{page}: {link}"
                );
                if !fragment.is_empty() {
                    assert!(
                        values(&pages[path], "id").contains(&fragment),
                        "{page}: {link}"
                    );
                }
                checked += 1;
            }
        }
        assert!(checked > 60, "{checked}");
    }

    #[test]
    fn a_file_that_is_not_here_is_named() {
        let (title, html) = render(
            "docs/a.md",
            "# A `b` & c\n\n[other](../Cargo.toml#x), [here](api.md#go), [self](#a)\n",
        );
        assert_eq!(title, "A b &amp; c");
        assert_eq!(
            html,
            "<h1 id=\"a-b--c\">A <code>b</code> &amp; c</h1>\n<p>other (<code>Cargo.toml</code>), <a href=\"/api/docs/api#go\">here</a>, <a href=\"#a\">self</a></p>\n"
        );
    }

    #[test]
    fn repeated_headings_have_ids_of_their_own() {
        let mut slugs = Slugs::default();
        let ids = ["rematch", "Rematch", "rematch-1", "What a client must do"]
            .map(|heading| slugs.next(heading));
        assert_eq!(
            ids,
            [
                "rematch",
                "rematch-1",
                "rematch-1-1",
                "what-a-client-must-do"
            ]
        );
    }

    #[test]
    fn blocks_of_the_protocol_name_their_examples() {
        let (_, html) = guides()
            .find(|(entry, _)| entry.name == "protocol")
            .expect("it is listed");
        let examples = values(&html, "data-example");
        let clients = examples.iter().filter(|name| name.starts_with("client-"));
        assert!(clients.count() > 20, "{examples:?}");
        assert!(examples.contains(&"server-snapshot"));
    }

    #[test]
    fn a_guide_has_no_script_and_no_style_of_its_own() {
        for (entry, html) in guides() {
            let tags = html.split('<').skip(1);
            for tag in tags.filter_map(|tag| tag.split('>').next()) {
                assert!(!tag.starts_with("script"), "{}: <{tag}>", entry.name);
                for forbidden in ["style=", "javascript:", "img ", " on"] {
                    assert!(!tag.contains(forbidden), "{}: <{tag}>", entry.name);
                }
            }
        }
    }

    #[test]
    fn the_document_has_a_place_for_a_guide_and_a_link_to_each() {
        let shell = text_of(SHELL).expect("it is a file of the page");
        assert_eq!(shell.matches(TITLE).count(), 1);
        assert_eq!(shell.matches(CONTENT).count(), 1);
        for (entry, _) in guides() {
            let link = format!("<a href=\"{PLACE}{}\">", entry.name);
            assert!(shell.contains(&link), "its navigation has {link}");
        }
    }
}
