//! The documents of the operator: Markdown, read and rendered when the server starts.

use std::path::{Path, PathBuf};

use mawe_wire::Language;
use pulldown_cmark::{Event, LinkType, Options, Parser, Tag, TagEnd, html};

use crate::page::operator_file;

/// The greatest size of a file, in bytes: more than an hour's reading.
const MAX_BYTES: usize = 256 * 1024;

/// The starts of links that lead somewhere. All others (`javascript:`, paths of this server) are shown as text.
const SCHEMES: [&str; 3] = ["http://", "https://", "mailto:"];

/// A document, in one language or more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// The file of the option, whose language is not known.
    main: DocumentText,
    /// The files beside it.
    variants: Vec<(Language, DocumentText)>,
}

/// A document in one language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentText {
    /// The text of its first heading, not escaped; `None` without one.
    pub title: Option<String>,
    /// Its content as HTML.
    pub html: String,
}

impl Document {
    /// Reads a file and those beside it: `imprint.sw.md` beside `imprint.md`.
    ///
    /// # Errors
    /// A line for the operator with the fault and its remedy.
    pub(crate) fn read(option: &str, path: &Path) -> Result<Document, String> {
        let main = read_text(option, path)?;
        let mut variants = Vec::new();
        for language in Language::ALL {
            let beside = variant(path, language);
            if beside.exists() {
                variants.push((language, read_text(option, &beside)?));
            }
        }
        Ok(Document { main, variants })
    }

    /// Returns the text in a language, with that language; where there is none, that of the option, whose language is not known.
    #[must_use]
    pub fn text(&self, language: Language) -> (&DocumentText, Option<Language>) {
        let found = self.variants.iter().find(|(of, _)| *of == language);
        found.map_or((&self.main, None), |(of, text)| (text, Some(*of)))
    }

    /// Returns the languages of the files beside that of the option.
    pub fn languages(&self) -> impl Iterator<Item = Language> + '_ {
        self.variants.iter().map(|(language, _)| *language)
    }
}

/// Returns the path of a file in a language.
fn variant(path: &Path, language: Language) -> PathBuf {
    let part = |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_owned();
    let mut name = part(path.file_stem());
    name.push(".");
    name.push(language.as_str());
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}

fn read_text(option: &str, path: &Path) -> Result<DocumentText, String> {
    let bytes = operator_file::read(option, path, MAX_BYTES)?;
    let shown = path.display();
    let text = String::from_utf8(bytes)
        .map_err(|_| format!("{option} {shown} is not text in UTF-8; save it as such"))?;
    let rendered = rendered(&text);
    if rendered.html.trim().is_empty() {
        return Err(format!(
            "{option} {shown} has no text; fill it, or leave the option out"
        ));
    }
    Ok(rendered)
}

/// Renders Markdown. HTML in it is shown as text, and so are pictures and links to anything but the web and mail addresses.
fn rendered(text: &str) -> DocumentText {
    let mut written: Vec<Event<'_>> = Vec::new();
    let mut title: Option<String> = None;
    let mut is_in_title = false;
    // Whether each open link leads somewhere.
    let mut links = Vec::new();
    for event in Parser::new_ext(text, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH) {
        match event {
            Event::Html(text) | Event::InlineHtml(text) => written.push(Event::Text(text)),
            Event::Start(Tag::HtmlBlock) => written.push(Event::Start(Tag::Paragraph)),
            Event::End(TagEnd::HtmlBlock) => written.push(Event::End(TagEnd::Paragraph)),
            Event::Start(Tag::Image { .. }) | Event::End(TagEnd::Image) => {}
            Event::Start(Tag::Link {
                link_type,
                ref dest_url,
                ..
            }) => {
                // `<office@school.example>` has no scheme until it is written.
                let leads = link_type == LinkType::Email || leads_somewhere(dest_url);
                links.push(leads);
                if leads {
                    written.push(event);
                }
            }
            Event::End(TagEnd::Link) => {
                if links.pop().unwrap_or_default() {
                    written.push(event);
                }
            }
            Event::Start(Tag::Heading { .. }) => {
                is_in_title = title.is_none();
                written.push(event);
            }
            Event::End(TagEnd::Heading(_)) => {
                is_in_title = false;
                written.push(event);
            }
            event => {
                if is_in_title && let Event::Text(part) | Event::Code(part) = &event {
                    title.get_or_insert_default().push_str(part);
                }
                written.push(event);
            }
        }
    }
    let mut content = String::with_capacity(2 * text.len());
    html::push_html(&mut content, written.into_iter());
    DocumentText {
        title,
        html: content,
    }
}

fn leads_somewhere(target: &str) -> bool {
    let target = target.to_ascii_lowercase();
    SCHEMES.iter().any(|scheme| target.starts_with(scheme))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn markdown_is_rendered_and_html_is_text() {
        let text = rendered(
            "# The *imprint* & more\n\nWrite to <office@school.example> or [us](https://school.example/a?b=\"c\").\n\n\
             | a | b |\n|---|---|\n| 1 | 2 |\n\n## Second\n",
        );
        assert_eq!(text.title.as_deref(), Some("The imprint & more"));
        for part in [
            "<h1>The <em>imprint</em> &amp; more</h1>",
            "<a href=\"mailto:office@school.example\">office@school.example</a>",
            "<a href=\"https://school.example/a?b=%22c%22\">us</a>",
            "<table>",
            "<h2>Second</h2>",
        ] {
            assert!(text.html.contains(part), "{part}: {}", text.html);
        }
    }

    #[test]
    fn nothing_runs_and_nothing_is_loaded() {
        for source in [
            "<script>alert(1)</script>",
            "a <img src=x onerror=alert(1)> b",
            "<div onclick=\"x()\">\n\ntext\n\n</div>",
            "<!-- a comment -->",
            "<iframe src=\"https://evil.example\"></iframe>",
            "[a](javascript:alert(1))",
            "[a](JAVASCRIPT:alert(1))",
            "[a](data:text/html,<script>)",
            "[a](vbscript:x)",
            "<javascript:alert(1)>",
            "[a](/api/v1/me)",
            "[a](//evil.example)",
            "![a picture](https://evil.example/x.png)",
            "[![in](https://evil.example/x.png)](javascript:x)",
            "[a]: javascript:alert(1)\n\n[a]",
            "`<b>`\n\n    <script>x</script>\n",
            "&lt;script&gt;",
        ] {
            let html = rendered(source).html;
            for part in ["<script", "<img", "<iframe", "<div", "<!--"] {
                assert!(!html.contains(part), "{source}: {html}");
            }
            // `<` and `>` of text are escaped, so an attribute cannot begin in it.
            let tags = html
                .split('<')
                .skip(1)
                .filter_map(|rest| rest.split('>').next());
            for tag in tags {
                assert!(!tag.contains('='), "{source}: {html}");
            }
        }
        assert!(
            rendered("[a](https://a.example/\"onclick=\"x)")
                .html
                .contains("%22onclick")
        );
        assert_eq!(rendered("no heading").title, None);
    }

    #[test]
    fn the_files_beside_it_are_its_languages() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let write = |name: &str, text: &[u8]| {
            let path = directory.path().join(name);
            fs::write(&path, text).expect("it can be written");
            path
        };
        let main = write("imprint.md", b"# Imprint\n");
        write("imprint.sw.md", b"# Taarifa\n");
        write("imprint.de.md", b"# Impressum\n");
        let document = Document::read("imprint", &main).expect("it is right");
        assert_eq!(document.languages().collect::<Vec<_>>(), [Language::Sw]);
        let title = |language| {
            let (text, of) = document.text(language);
            (text.title.as_deref(), of)
        };
        assert_eq!(title(Language::Sw), (Some("Taarifa"), Some(Language::Sw)));
        assert_eq!(title(Language::Pl), (Some("Imprint"), None));
        for (name, text, word) in [
            ("latin.md", &b"caf\xe9"[..], "UTF-8"),
            ("blank.md", b" \n\n", "no text"),
            ("nothing.md", b"", "empty"),
            ("huge.md", &[b'x'; MAX_BYTES + 1], "256 KiB"),
        ] {
            let fault = Document::read("privacy", &write(name, text)).expect_err(name);
            assert!(
                fault.starts_with("privacy ") && fault.contains(word),
                "{fault}"
            );
            assert!(fault.contains(name) && !fault.contains('\n'), "{fault}");
        }
        // A broken variant is named, too.
        write("imprint.pl.md", b"");
        let fault = Document::read("imprint", &main).expect_err("it is refused");
        assert!(fault.contains("imprint.pl.md"), "{fault}");
        let bare = write("notice", b"text");
        write("notice.ml", b"text");
        let document = Document::read("privacy", &bare).expect("it is right");
        assert_eq!(document.languages().collect::<Vec<_>>(), [Language::Ml]);
    }
}
