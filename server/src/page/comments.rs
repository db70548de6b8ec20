//! Removes comments from scripts and style sheets before they are served: they are a quarter of the bytes of a first visit. The build script
//! (`server/build.rs`) includes this file, so it uses nothing of the crate.

use std::borrow::Cow;

/// Returns a file as it is served. Comments that begin a line of a script or a style sheet become empty lines, so that a line keeps its
/// number; a licence (`/*!`) stays. All other files are unchanged.
///
/// Comments are found line by line, without a parser of JavaScript, so a line within a template literal that begins like a comment would
/// be lost. `tests/browser/served.test.js` compares the syntax of every served script with its source.
pub(crate) fn remove<'a>(name: &str, content: Cow<'a, [u8]>) -> Cow<'a, [u8]> {
    let line_comment = match name.rsplit('.').next() {
        Some("js") => Some("//"),
        Some("css") => None,
        _ => return content,
    };
    let Ok(text) = str::from_utf8(&content) else {
        return content;
    };
    let mut kept = String::with_capacity(text.len());
    let mut is_inside = false;
    for line in text.split_inclusive('\n') {
        let mut rest = line.trim_start_matches([' ', '\t']);
        let is_comment = is_inside
            || (rest.starts_with("/*") && !rest.starts_with("/*!"))
            || line_comment.is_some_and(|start| rest.starts_with(start));
        if !is_comment {
            kept.push_str(line);
            continue;
        }
        if is_inside || rest.starts_with("/*") {
            // `/*/` does not end the comment that it begins.
            let after_start = if is_inside { 0 } else { 2 };
            let end = rest[after_start..].find("*/");
            is_inside = end.is_none();
            rest = end.map_or("\n", |end| {
                rest[after_start + end + 2..].trim_start_matches(' ')
            });
        } else {
            rest = "\n";
        }
        kept.push_str(rest);
    }
    Cow::Owned(kept.into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn served(name: &str, text: &str) -> String {
        let content = remove(name, Cow::Borrowed(text.as_bytes())).into_owned();
        String::from_utf8(content).expect("it was text")
    }

    #[test]
    fn comments_become_empty_lines() {
        let script = "// @ts-check\n/**\n * Two lines. @type {string}\n */\nconst a = 1; // stays\n  /** @type {A} */ (b).c();\n/*/ x */ d();\n";
        assert_eq!(
            served("a.js", script),
            "\n\n\n\nconst a = 1; // stays\n(b).c();\nd();\n"
        );
        assert_eq!(
            served("a.css", "/* a */\n.b {}\n  /* c\n d */ .e {}\n"),
            "\n.b {}\n\n.e {}\n"
        );
    }

    #[test]
    fn what_is_no_comment_stays() {
        for (name, text) in [
            (
                "a.js",
                "/*! Licence\n * of somebody */\nf(\"// no\", `/* no`);\n",
            ),
            ("a.css", "a { background: url(\n//host/x.png\n) }"),
            ("a.json", "/* not a script */"),
            ("a.js", "last line without an end"),
        ] {
            assert_eq!(served(name, text), text);
        }
        let binary = &[0xff, b'/', b'*'][..];
        assert_eq!(&*remove("a.js", Cow::Borrowed(binary)), binary);
    }

    #[test]
    fn a_comment_without_an_end_is_no_panic() {
        assert_eq!(served("a.js", "a();\n/* b\nc"), "a();\n\n\n");
    }
}
