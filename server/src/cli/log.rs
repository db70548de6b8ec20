//! The log: lines on standard error.

use std::ffi::OsStr;
use std::fmt::{self, Write as _};
use std::io::IsTerminal;

use opentelemetry_sdk::trace::SdkTracer;
use serde::Serialize;
use serde_json::{Map, Value};
use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::field::RecordFields;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields, FormattedFields};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::registry::{LookupSpan, Scope};
use tracing_subscriber::util::SubscriberInitExt;

use crate::config::{LogFormat, LogOptions};
use crate::trace;

/// Logs to standard error; text is in colour on a terminal, unless `NO_COLOR` is set. The spans of traces go to the tracer, if there is one.
pub(super) fn start(options: &LogOptions, tracer: Option<SdkTracer>) {
    if options.log_format == LogFormat::Json {
        // The standard library would write it as lines of text.
        std::panic::set_hook(Box::new(|panic| tracing::error!("{panic}")));
    }
    let registry = tracing_subscriber::registry();
    // A second call in one process (a test) keeps the first.
    let _ = match tracer {
        // One filter for all is cheaper than one for each layer.
        None => registry
            .with(options.filter())
            .with(lines(options))
            .try_init(),
        Some(tracer) => {
            let no_spans = format!("{}=off", trace::TARGET);
            let no_spans = no_spans.parse().expect("a target and a level");
            let filter = options.filter().add_directive(no_spans);
            registry
                .with(lines(options).with_filter(filter))
                .with(trace::layer(tracer))
                .try_init()
        }
    };
}

/// Returns the layer that writes the lines.
fn lines<S>(options: &LogOptions) -> Box<dyn Layer<S> + Send + Sync>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    let layer = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
    match options.log_format {
        LogFormat::Text => layer
            .with_ansi(in_colour(
                std::io::stderr().is_terminal(),
                std::env::var_os("NO_COLOR").as_deref(),
            ))
            .compact()
            .fmt_fields(OneLine)
            .boxed(),
        LogFormat::Json => layer.event_format(JsonLines).fmt_fields(JsonFields).boxed(),
    }
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

/// Writes text with its unsafe characters escaped.
struct Escape<'a, 'writer>(&'a mut Writer<'writer>);

impl fmt::Write for Escape<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for c in text.chars() {
            if is_unsafe(c) {
                write!(self.0, "{}", c.escape_default())?;
            } else {
                self.0.write_char(c)?;
            }
        }
        Ok(())
    }
}

/// Returns whether a character can command a terminal: control characters, and those that change the direction of text.
fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Writes an event as a JSON object in one line. The format of `tracing-subscriber` drops the causes of errors, and leaves some control
/// characters as they are.
#[derive(Debug)]
struct JsonLines;

/// An event, with its members in the order in which they are written.
#[derive(Serialize)]
struct Line<'a> {
    time: String,
    level: &'a str,
    target: &'a str,
    message: Value,
    fields: Map<String, Value>,
    spans: Vec<Map<String, Value>>,
}

impl<S, N> FormatEvent<S, N> for JsonLines
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let mut fields = Members::default();
        event.record(&mut fields);
        let Members(mut fields) = fields;
        // Events of the `log` crate have fields that repeat their source, which their metadata does not have.
        let of_log = fields.remove("log.target");
        fields.retain(|name, _| !name.starts_with("log."));
        let scope = context.event_scope().into_iter().flat_map(Scope::from_root);
        let spans = scope.map(|span| {
            let extensions = span.extensions();
            let written = extensions.get::<FormattedFields<N>>();
            let mut members = members(written.map_or("", |written| written.fields.as_str()));
            members.insert("name".to_owned(), span.name().into());
            members
        });
        let metadata = event.metadata();
        let line = Line {
            time: format!("{:.6}", jiff::Timestamp::now()),
            level: metadata.level().as_str(),
            target: of_log
                .as_ref()
                .and_then(Value::as_str)
                .unwrap_or_else(|| metadata.target()),
            // Some libraries log fields alone.
            message: fields.remove("message").unwrap_or_else(|| "".into()),
            spans: spans.collect(),
            fields,
        };
        let text = serde_json::to_string(&line).map_err(|_| fmt::Error)?;
        // Within JSON such a character can only stand in a string, where it may be escaped.
        for c in text.chars() {
            if is_unsafe(c) {
                write!(writer, "\\u{:04x}", u32::from(c))?;
            } else {
                writer.write_char(c)?;
            }
        }
        writer.write_char('\n')
    }
}

/// Writes the fields of a span as a JSON object, which [`JsonLines`] reads for each event in the span.
#[derive(Debug)]
struct JsonFields;

impl<'writer> FormatFields<'writer> for JsonFields {
    fn format_fields<R: RecordFields>(
        &self,
        mut writer: Writer<'writer>,
        fields: R,
    ) -> fmt::Result {
        let mut members = Members::default();
        fields.record(&mut members);
        let text = serde_json::to_string(&members.0).map_err(|_| fmt::Error)?;
        writer.write_str(&text)
    }
}

/// Reads the fields of a span: an object for each time that fields were recorded.
fn members(written: &str) -> Map<String, Value> {
    let objects = serde_json::Deserializer::from_str(written).into_iter::<Map<String, Value>>();
    objects.filter_map(Result::ok).flatten().collect()
}

/// Collects fields as the members of a JSON object.
#[derive(Default)]
struct Members(Map<String, Value>);

impl Members {
    fn note(&mut self, field: &Field, value: impl Into<Value>) {
        let name = field.name().trim_start_matches("r#");
        self.0.insert(name.to_owned(), value.into());
    }
}

impl Visit for Members {
    fn record_f64(&mut self, field: &Field, value: f64) {
        self.note(field, value);
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.note(field, value);
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.note(field, value);
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.note(field, value);
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.note(field, value);
    }

    fn record_error(&mut self, field: &Field, value: &(dyn std::error::Error + 'static)) {
        let chain = std::iter::successors(Some(value), |error| error.source());
        let texts: Vec<String> = chain.map(ToString::to_string).collect();
        self.note(field, texts.join(": "));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.note(field, format!("{value:?}"));
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

    fn logged(format: LogFormat, log: impl FnOnce()) -> String {
        let kept = Kept::default();
        let writer = kept.clone();
        let subscriber = tracing_subscriber::fmt()
            .with_writer(move || writer.clone())
            .with_ansi(false);
        match format {
            LogFormat::Text => {
                let subscriber = subscriber.without_time().compact().fmt_fields(OneLine);
                tracing::subscriber::with_default(subscriber.finish(), log);
            }
            LogFormat::Json => {
                let subscriber = subscriber.event_format(JsonLines).fmt_fields(JsonFields);
                tracing::subscriber::with_default(subscriber.finish(), log);
            }
        }
        let bytes = kept.0.lock().expect("nobody has panicked").clone();
        String::from_utf8(bytes).expect("a log is text")
    }

    const HOSTILE: &str =
        "\u{1b}[2J\u{1b}]0;owned\u{7}\r\nINFO root logged in\u{9b}31m\u{202e}\0\tżółw";

    /// Logs [`HOSTILE`] in every kind of field, and in a span.
    fn log_hostile() {
        let error = Outer(io::Error::other(HOSTILE));
        let _span = tracing::info_span!("request", of = HOSTILE).entered();
        tracing::warn!(
            user_agent = HOSTILE,
            name = %HOSTILE,
            path = ?HOSTILE,
            error = &error as &dyn std::error::Error,
            "somebody said {HOSTILE}"
        );
    }

    /// Checks that a log is one line without unsafe characters; returns the line.
    fn one_plain_line(text: &str) -> &str {
        assert_eq!(text.matches('\n').count(), 1, "{text:?}");
        let line = text.strip_suffix('\n').expect("a line");
        assert!(!line.contains(is_unsafe), "{line:?}");
        line
    }

    #[test]
    fn what_strangers_say_stays_in_its_line_and_commands_no_terminal() {
        let text = logged(LogFormat::Text, log_hostile);
        let line = one_plain_line(&text);
        assert!(line.contains("somebody said \\u{1b}[2J"), "{line}");
        for field in ["user_agent=", "name=", "path=", "error=", "of="] {
            assert!(line.contains(&format!(" {field}")), "{line}");
        }
        assert!(line.contains(" error=it failed: \\u{1b}[2J"), "{line}");
        assert_eq!(line.matches("żółw").count(), 6, "{line}");
    }

    #[test]
    fn a_line_of_json_says_the_same_and_reads_back() {
        let text = logged(LogFormat::Json, log_hostile);
        let line: Value = serde_json::from_str(one_plain_line(&text)).expect("it is JSON");
        assert_eq!(line["message"], format!("somebody said {HOSTILE}"));
        assert_eq!(line["level"], "WARN");
        assert_eq!(line["target"], module_path!());
        assert_eq!(line["fields"]["user_agent"], HOSTILE);
        assert_eq!(line["fields"]["name"], HOSTILE);
        assert_eq!(line["fields"]["path"], format!("{HOSTILE:?}"));
        assert_eq!(line["fields"]["error"], format!("it failed: {HOSTILE}"));
        let span = serde_json::json!({ "name": "request", "of": HOSTILE });
        assert_eq!(line["spans"], serde_json::json!([span]));
        let time = line["time"].as_str().expect("a time");
        assert!(time.parse::<jiff::Timestamp>().is_ok(), "{time}");
    }

    #[test]
    fn numbers_are_numbers_in_json_and_a_span_may_get_fields_later() {
        let text = logged(LogFormat::Json, || {
            let span = tracing::info_span!("request", status = tracing::field::Empty, id = 7);
            span.record("status", 404);
            let _entered = span.enter();
            tracing::info!(
                count = 3,
                share = 0.5,
                is_late = true,
                below = -1,
                "took up"
            );
        });
        let line: Value = serde_json::from_str(&text).expect("it is JSON");
        let fields = serde_json::json!({ "count": 3, "share": 0.5, "is_late": true, "below": -1 });
        assert_eq!(line["fields"], fields);
        let span = serde_json::json!({ "name": "request", "id": 7, "status": 404 });
        assert_eq!(line["spans"], serde_json::json!([span]));
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
        let text = logged(
            LogFormat::Text,
            || tracing::info!(count = 3, name = %"Amina", "took up {} matches", 2),
        );
        assert!(
            text.ends_with(": took up 2 matches count=3 name=Amina\n"),
            "{text}"
        );
    }
}
