//! The log: lines on standard error.

use std::ffi::OsStr;
use std::fmt::{self, Write as _};
use std::io::IsTerminal;

use tracing::field::{Field, Visit};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::field::RecordFields;
use tracing_subscriber::fmt::FormatFields;
use tracing_subscriber::fmt::format::Writer;

/// Logs to standard error at the level of `RUST_LOG`; in colour on a terminal, unless `NO_COLOR` is set.
pub(super) fn start() {
    let filter = EnvFilter::try_from_default_env()
        .unwrap_or_else(|_| EnvFilter::new("info,sqlx=warn,async_nats=error"));
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(in_colour(
            std::io::stderr().is_terminal(),
            std::env::var_os("NO_COLOR").as_deref(),
        ))
        .compact()
        .fmt_fields(OneLine);
    // A second call in one process (a test) keeps the first.
    let _ = subscriber.try_init();
}

/// Returns whether the output is in colour: a file gets no escape codes.
fn in_colour(to_terminal: bool, no_color: Option<&OsStr>) -> bool {
    to_terminal && no_color.is_none_or(OsStr::is_empty)
}

/// Writes the message and the fields of an event in one line, so that they cannot send commands to a terminal: any of them may contain text
/// of strangers, above all errors from other programs. Control characters are escaped in a file as well, as it may be shown on a terminal
/// later.
#[derive(Debug)]
struct OneLine;

impl<'writer> FormatFields<'writer> for OneLine {
    fn format_fields<R: RecordFields>(&self, writer: Writer<'writer>, fields: R) -> fmt::Result {
        let mut visitor = Fields {
            writer,
            is_first: true,
            result: Ok(()),
        };
        fields.record(&mut visitor);
        visitor.result
    }
}

struct Fields<'writer> {
    writer: Writer<'writer>,
    is_first: bool,
    result: fmt::Result,
}

impl Fields<'_> {
    fn write(&mut self, field: &Field, value: fmt::Arguments<'_>) -> fmt::Result {
        if !std::mem::take(&mut self.is_first) {
            self.writer.write_char(' ')?;
        }
        match field.name() {
            "message" => {}
            name => write!(self.writer, "{}=", name.trim_start_matches("r#"))?,
        }
        Escape(&mut self.writer).write_fmt(value)
    }

    fn note(&mut self, field: &Field, value: fmt::Arguments<'_>) {
        // Events of the `log` crate have fields that repeat their source.
        if self.result.is_ok() && !field.name().starts_with("log.") {
            self.result = self.write(field, value);
        }
    }
}

impl Visit for Fields<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.note(field, format_args!("{value:?}"));
    }

    fn record_error(&mut self, field: &Field, value: &(dyn std::error::Error + 'static)) {
        self.note(field, format_args!("{value}"));
        let mut cause = value.source();
        while let Some(error) = cause {
            if self.result.is_ok() {
                self.result = write!(Escape(&mut self.writer), ": {error}");
            }
            cause = error.source();
        }
    }
}

/// Writes text with its control characters escaped, and those that change the direction of text.
struct Escape<'a, 'writer>(&'a mut Writer<'writer>);

impl fmt::Write for Escape<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for c in text.chars() {
            match c {
                '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
                    write!(self.0, "{}", c.escape_unicode())?;
                }
                c if c.is_control() => write!(self.0, "{}", c.escape_default())?,
                c => self.0.write_char(c)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::{Arc, Mutex};

    use super::*;

    /// The contents of a log.
    #[derive(Clone, Default)]
    struct Kept(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Kept {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0
                .lock()
                .expect("nobody has panicked")
                .extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// An error with a cause.
    #[derive(Debug, thiserror::Error)]
    #[error("it failed")]
    struct Outer(#[source] io::Error);

    fn logged(log: impl FnOnce()) -> String {
        let kept = Kept::default();
        let writer = kept.clone();
        let subscriber = tracing_subscriber::fmt()
            .with_writer(move || writer.clone())
            .with_ansi(false)
            .without_time()
            .compact()
            .fmt_fields(OneLine)
            .finish();
        tracing::subscriber::with_default(subscriber, log);
        let bytes = kept.0.lock().expect("nobody has panicked").clone();
        String::from_utf8(bytes).expect("a log is text")
    }

    #[test]
    fn what_strangers_say_stays_in_its_line_and_commands_no_terminal() {
        let hostile =
            "\u{1b}[2J\u{1b}]0;owned\u{7}\r\nINFO root logged in\u{9b}31m\u{202e}\0\tżółw";
        let error = Outer(io::Error::other(hostile));
        let text = logged(|| {
            tracing::warn!(
                user_agent = hostile,
                name = %hostile,
                path = ?hostile,
                error = &error as &dyn std::error::Error,
                "somebody said {hostile}"
            );
        });
        assert_eq!(text.matches('\n').count(), 1, "{text:?}");
        let line = text.strip_suffix('\n').expect("a line");
        assert!(
            !line.contains(|c: char| c.is_control() || c == '\u{202e}'),
            "{line:?}"
        );
        assert!(line.contains("somebody said \\u{1b}[2J"), "{line}");
        for field in ["user_agent=", "name=", "path=", "error="] {
            assert!(line.contains(&format!(" {field}")), "{line}");
        }
        assert!(line.contains(" error=it failed: \\u{1b}[2J"), "{line}");
        assert_eq!(line.matches("żółw").count(), 5, "{line}");
    }

    #[test]
    fn a_terminal_has_colours_unless_they_are_not_wanted() {
        for (to_terminal, no_color, expected) in [
            (true, None, true),
            (true, Some(""), true),
            (true, Some("1"), false),
            (false, None, false),
            (false, Some(""), false),
        ] {
            let no_color = no_color.map(OsStr::new);
            assert_eq!(in_colour(to_terminal, no_color), expected, "{no_color:?}");
        }
    }

    #[test]
    fn an_event_is_a_sentence_and_its_fields() {
        let text = logged(|| tracing::info!(count = 3, name = %"Amina", "took up {} matches", 2));
        assert!(
            text.ends_with(": took up 2 matches count=3 name=Amina\n"),
            "{text}"
        );
    }
}
