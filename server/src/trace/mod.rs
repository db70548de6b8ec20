//! Traces: spans of requests, commands, appends and jobs of computer opponents, sent to a collector of OpenTelemetry.
//!
//! A trace is drawn at its head, a request or a command, by this server alone (`sampling.rs`); everything that follows from a head that was
//! not drawn has an empty [`Trace`], which is one null pointer and costs nothing. The spans have a target of their own, so that the log
//! does not show them, and that no event of the log becomes a part of them. Their fields are the kinds of things, match ids and numbers:
//! no name, no address of a network, no path, no text of a client.
//!
//! The sampler and the counters belong to the process, as the subscriber of `tracing` does.

pub mod export;
mod options;
mod sampling;

use mawe_rules::GameKind;
use mawe_wire::Command;
use mawe_wire::ids::MatchId;
use opentelemetry::Context;
use opentelemetry::trace::{SpanContext, SpanId, TraceContextExt, TraceFlags, TraceId, TraceState};
use opentelemetry_sdk::trace::SdkTracer;
use tracing::{Level, Span, Subscriber, field, info_span};
use tracing_opentelemetry::OpenTelemetrySpanExt;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::registry::LookupSpan;

pub use self::export::TraceMeters;
pub use self::options::{CollectorOptions, TraceOptions, TraceSettings};

/// The target of all spans of traces.
pub(crate) const TARGET: &str = "mawe_trace";

/// The length of a `traceparent` of version 00.
const TRACEPARENT_BYTES: usize = 55;

/// An open span of a trace, or nothing. The span ends with the last copy, and after the spans below it that are made by its methods.
#[derive(Debug, Clone, Default)]
pub struct Trace(Option<Box<Span>>);

/// The place of a span in its trace, also after its end or on another node; or nothing.
#[derive(Debug, Clone, Default)]
pub struct TraceContext(Option<Box<SpanContext>>);

// A trace is no part of the message that it follows.
impl PartialEq for TraceContext {
    fn eq(&self, _: &TraceContext) -> bool {
        true
    }
}

impl Eq for TraceContext {}

impl Trace {
    /// Begins the trace of a command that came over a socket, if it is drawn.
    #[must_use]
    #[inline]
    pub fn command(match_id: &MatchId, command: &Command) -> Trace {
        if !sampling::is_drawn() {
            return Trace(None);
        }
        Trace::of(info_span!(
            target: TARGET,
            parent: None,
            "command",
            otel.kind = "server",
            game.match_id = %match_id,
            command.kind = kind_of(command),
        ))
    }

    /// Begins the trace of a request, if it is drawn. `traceparent` is the header of the client: it decides nothing, and becomes a link of
    /// the span.
    #[must_use]
    #[inline]
    pub fn request<'a>(
        method: &'static str,
        route: &str,
        traceparent: impl FnOnce() -> Option<&'a str>,
    ) -> Trace {
        if !sampling::is_drawn() {
            return Trace(None);
        }
        let span = info_span!(
            target: TARGET,
            parent: None,
            "request",
            otel.name = format!("{method} {route}"),
            otel.kind = "server",
            http.request.method = method,
            http.route = route,
            http.response.status_code = field::Empty,
            request_id = field::Empty,
        );
        if let Some(linked) = traceparent().and_then(parsed) {
            span.add_link(linked);
        }
        Trace::of(span)
    }

    fn of(span: Span) -> Trace {
        Trace((!span.is_disabled()).then(|| Box::new(span)))
    }

    fn child(&self, span: impl FnOnce(&Span) -> Span) -> Trace {
        match &self.0 {
            Some(parent) => Trace::of(span(parent)),
            None => Trace(None),
        }
    }

    /// Returns whether there is a span.
    #[must_use]
    #[inline]
    pub fn is_drawn(&self) -> bool {
        self.0.is_some()
    }

    /// Begins the span of a room that handles the message.
    #[must_use]
    pub fn room(&self) -> Trace {
        self.child(|parent| info_span!(target: TARGET, parent: parent, "room"))
    }

    /// Begins the span of an append: it waits for the writer and for the commit.
    #[must_use]
    pub fn append(&self, entries: usize) -> Trace {
        self.child(|parent| info_span!(target: TARGET, parent: parent, "append", entries))
    }

    /// Begins the span of the commit that writes an append together with others.
    #[must_use]
    pub fn commit(&self, appends: usize) -> Trace {
        self.child(
            |parent| info_span!(target: TARGET, parent: parent, "commit", otel.kind = "client", appends),
        )
    }

    /// Begins the span of a frame that answers the message, from its queue to the socket.
    #[must_use]
    pub fn deliver(&self) -> Trace {
        self.child(|parent| info_span!(target: TARGET, parent: parent, "deliver"))
    }

    /// Begins the span of a job of a computer opponent, which goes on after the move that caused it.
    #[must_use]
    pub fn job(&self, game: GameKind, level: u8) -> Trace {
        self.context().child(|| {
            info_span!(
                target: TARGET,
                parent: None,
                "job",
                game = game.id(),
                level,
                attempts = field::Empty,
                worker = field::Empty,
            )
        })
    }

    /// Records the worker that has answered a job.
    pub fn note_worker(&self, worker: &'static str, attempts: u32) {
        if let Some(span) = &self.0 {
            span.record("worker", worker);
            span.record("attempts", attempts);
        }
    }

    /// Records the answer of a request.
    pub fn note_answer(&self, request_id: impl std::fmt::Display, status: u16) {
        if let Some(span) = &self.0 {
            span.record("request_id", field::display(request_id));
            span.record("http.response.status_code", status);
            if status >= 500 {
                span.set_status(opentelemetry::trace::Status::error(""));
            }
        }
    }

    /// Returns the place of the span in its trace.
    #[must_use]
    pub fn context(&self) -> TraceContext {
        let context = self.0.as_ref().map(|span| {
            let context = span.context();
            Box::new(context.span().span_context().clone())
        });
        TraceContext(context.filter(|context| context.is_valid()))
    }
}

impl TraceContext {
    /// Reads a `traceparent` of another node or of the server of a worker; nothing if it is none of a trace that was drawn, or if this process
    /// sends no spans.
    #[must_use]
    pub fn from_node(traceparent: Option<&str>) -> TraceContext {
        let context = traceparent
            .filter(|_| sampling::is_exporting())
            .and_then(parsed);
        TraceContext(context.filter(SpanContext::is_sampled).map(Box::new))
    }

    /// Returns the `traceparent` for another node or a worker.
    #[must_use]
    pub fn traceparent(&self) -> Option<String> {
        let context = self.0.as_ref()?;
        Some(format!(
            "00-{:032x}-{:016x}-{:02x}",
            context.trace_id(),
            context.span_id(),
            context.trace_flags()
        ))
    }

    /// Returns whether both are of one trace.
    #[must_use]
    pub fn is_of(&self, other: &TraceContext) -> bool {
        match (&self.0, &other.0) {
            (Some(one), Some(other)) => one.trace_id() == other.trace_id(),
            _ => false,
        }
    }

    fn child(&self, span: impl FnOnce() -> Span) -> Trace {
        let Some(context) = &self.0 else {
            return Trace(None);
        };
        let span = span();
        let parent = Context::new().with_remote_span_context((**context).clone());
        // It fails for a disabled span alone, which is dropped here.
        let _ = span.set_parent(parent);
        Trace::of(span)
    }

    /// Begins the span of a command from another node, at the owner of the match.
    #[must_use]
    pub fn relayed(&self, match_id: &MatchId) -> Trace {
        self.child(|| {
            info_span!(
                target: TARGET,
                parent: None,
                "relayed",
                otel.kind = "server",
                game.match_id = %match_id,
            )
        })
    }

    /// Begins the span of a thread that does a job, here or in another process.
    #[must_use]
    pub fn search(&self, plies: u32, attempt: u32) -> Trace {
        self.child(|| info_span!(target: TARGET, parent: None, "search", plies, attempt))
    }

    /// Begins the span of a room that handles the answer of a job.
    #[must_use]
    pub fn room(&self) -> Trace {
        self.child(|| info_span!(target: TARGET, parent: None, "room"))
    }
}

/// Returns the name of a kind of command, as it stands in messages.
fn kind_of(command: &Command) -> &'static str {
    match command {
        Command::Move { .. } => "move",
        Command::Resign => "resign",
        Command::OfferDraw => "offer-draw",
        Command::AcceptDraw => "accept-draw",
        Command::DeclineDraw => "decline-draw",
        Command::Abort => "abort",
        Command::OfferTakeback => "offer-takeback",
        Command::AcceptTakeback => "accept-takeback",
        Command::DeclineTakeback => "decline-takeback",
        Command::GiveTime => "give-time",
        Command::Berserk => "berserk",
        Command::ClaimWin => "claim-win",
        Command::ClaimDraw => "claim-draw",
    }
}

/// Reads a `traceparent` of the W3C, of version 00.
fn parsed(text: &str) -> Option<SpanContext> {
    if text.len() != TRACEPARENT_BYTES {
        return None;
    }
    let mut parts = text.split('-');
    let mut hex = |length: usize| {
        let part = parts.next()?;
        let is_hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        (part.len() == length && part.bytes().all(is_hex)).then_some(part)
    };
    let (version, trace, span, flags) = (hex(2)?, hex(32)?, hex(16)?, hex(2)?);
    if version != "00" {
        return None;
    }
    let flags = TraceFlags::new(u8::from_str_radix(flags, 16).ok()?) & TraceFlags::SAMPLED;
    let context = SpanContext::new(
        TraceId::from_hex(trace).ok()?,
        SpanId::from_hex(span).ok()?,
        flags,
        true,
        TraceState::default(),
    );
    context.is_valid().then_some(context)
}

/// Returns the layer of `tracing` that gives the spans of traces to this tracer.
pub(crate) fn layer<S>(tracer: SdkTracer) -> impl Layer<S>
where
    S: Subscriber + for<'a> LookupSpan<'a> + Send + Sync,
{
    tracing_opentelemetry::layer()
        .with_tracer(tracer)
        .with_location(false)
        .with_threads(false)
        .with_tracked_inactivity(false)
        .with_filter(Targets::new().with_target(TARGET, Level::INFO))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARENT: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    #[test]
    fn a_traceparent_reads_back_as_it_was_written() {
        let context = TraceContext(parsed(PARENT).map(Box::new));
        assert_eq!(context.traceparent().as_deref(), Some(PARENT));
        assert!(context.is_of(&context));
        assert!(!context.is_of(&TraceContext::default()));
    }

    #[test]
    fn a_traceparent_with_a_fault_is_none() {
        for text in [
            "",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
            "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
            "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e473-+00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0é",
        ] {
            assert_eq!(parsed(text), None, "{text}");
        }
    }

    #[test]
    fn without_a_collector_there_is_no_trace_and_no_node_can_begin_one() {
        let trace = Trace::command(&MatchId::random(), &Command::Resign);
        assert!(!trace.is_drawn() && !trace.room().append(1).is_drawn());
        let context = TraceContext::from_node(Some(PARENT));
        assert!(!context.relayed(&MatchId::random()).is_drawn());
        assert_eq!(trace.context().traceparent(), None);
    }

    #[test]
    fn an_empty_trace_is_a_null_pointer() {
        assert_eq!(size_of::<Trace>(), size_of::<usize>());
        assert_eq!(size_of::<TraceContext>(), size_of::<usize>());
    }
}
