//! A collector of traces on a separate port: it takes spans as OpenTelemetry's own collector does, and reads them with the published schema.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::common::v1::{AnyValue, KeyValue};
use opentelemetry_proto::tonic::trace::v1::span::SpanKind;
use prost::Message;
use tokio::net::TcpListener;

use super::eventually;

/// A received span, with the node that sent it.
#[derive(Debug, Clone)]
pub struct Received {
    pub name: String,
    pub service: String,
    pub node: Option<String>,
    pub trace: Vec<u8>,
    pub id: Vec<u8>,
    /// Empty for a root.
    pub parent: Vec<u8>,
    pub is_server: bool,
    /// Nanoseconds since the Unix epoch.
    pub time: (u64, u64),
    pub attributes: HashMap<String, String>,
    /// The traces of the linked spans.
    pub links: Vec<Vec<u8>>,
}

#[derive(Default)]
struct Desk {
    spans: Vec<Received>,
    bodies: Vec<Bytes>,
}

/// A running collector.
pub struct Collector {
    pub address: SocketAddr,
    desk: Arc<Mutex<Desk>>,
}

fn text(value: Option<&AnyValue>) -> String {
    match value.and_then(|value| value.value.as_ref()) {
        Some(Value::StringValue(text)) => text.clone(),
        Some(Value::IntValue(number)) => number.to_string(),
        Some(Value::BoolValue(is_so)) => is_so.to_string(),
        other => panic!("no attribute of ours: {other:?}"),
    }
}

fn attributes(list: &[KeyValue]) -> HashMap<String, String> {
    let pairs = list.iter();
    let pairs = pairs.map(|pair| (pair.key.clone(), text(pair.value.as_ref())));
    pairs.collect()
}

async fn take(State(desk): State<Arc<Mutex<Desk>>>, headers: HeaderMap, body: Bytes) -> StatusCode {
    assert_eq!(headers["content-type"], "application/x-protobuf");
    let request = ExportTraceServiceRequest::decode(body.clone()).expect("the schema of OTLP");
    let mut desk = desk.lock().expect("nobody panics here");
    desk.bodies.push(body);
    for of_resource in request.resource_spans {
        let resource = of_resource.resource.expect("a resource");
        let resource = attributes(&resource.attributes);
        let spans = of_resource.scope_spans.into_iter();
        for span in spans.flat_map(|of_scope| of_scope.spans) {
            assert!(span.events.is_empty(), "no line of the log is in a span");
            desk.spans.push(Received {
                service: resource["service.name"].clone(),
                node: resource.get("service.instance.id").cloned(),
                is_server: span.kind == SpanKind::Server as i32,
                time: (span.start_time_unix_nano, span.end_time_unix_nano),
                attributes: attributes(&span.attributes),
                links: span.links.into_iter().map(|link| link.trace_id).collect(),
                name: span.name,
                trace: span.trace_id,
                id: span.span_id,
                parent: span.parent_span_id,
            });
        }
    }
    StatusCode::OK
}

impl Collector {
    pub async fn start() -> Collector {
        let desk = Arc::new(Mutex::new(Desk::default()));
        let router = Router::new()
            .route("/v1/traces", post(take))
            .with_state(Arc::clone(&desk));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        tokio::spawn(async move { axum::serve(listener, router).await });
        Collector { address, desk }
    }

    /// Returns the options of a server that sends its spans here, and traces this share.
    pub fn options(&self, share: &str) -> Vec<String> {
        let collector = format!("http://{}", self.address);
        ["--traces", &collector, "--trace-sample", share]
            .map(str::to_owned)
            .to_vec()
    }

    /// Returns the option of a worker that sends its spans here.
    pub fn option_of_worker(&self) -> [String; 2] {
        ["--traces".to_owned(), format!("http://{}", self.address)]
    }

    /// Returns all spans so far.
    pub fn spans(&self) -> Vec<Received> {
        self.desk.lock().expect("nobody panics here").spans.clone()
    }

    /// Returns whether any request so far had these bytes in it.
    pub fn has_heard(&self, bytes: &[u8]) -> bool {
        let desk = self.desk.lock().expect("nobody panics here");
        let mut bodies = desk.bodies.iter();
        bodies.any(|body| body.windows(bytes.len()).any(|window| window == bytes))
    }

    /// Waits for a trace with a wanted root and with spans of these names at least; returns it.
    pub async fn trace(&self, root: impl Fn(&Received) -> bool, names: &[&str]) -> Trace {
        eventually(&format!("a trace of {names:?}"), async || {
            let spans = self.spans();
            let mut roots = spans
                .iter()
                .filter(|span| span.parent.is_empty() && root(span));
            roots.find_map(|root| {
                let of_trace = spans.iter().filter(|span| span.trace == root.trace);
                let trace = Trace(of_trace.cloned().collect());
                let mut left: Vec<&str> = trace.0.iter().map(|span| span.name.as_str()).collect();
                let is_whole = names.iter().all(|name| {
                    let place = left.iter().position(|found| found == name);
                    place.map(|place| left.swap_remove(place)).is_some()
                });
                is_whole.then_some(trace)
            })
        })
        .await
    }
}

/// Checks that a worker of another process, of this kind, did the job of this trace: its span continues the trace, and it began no trace of
/// its own.
#[track_caller]
pub fn check_job_of_worker(collector: &Collector, trace: &Trace, kind: &str) {
    let job = trace.one("job");
    assert_eq!(job.attributes["worker"], kind, "{trace:#?}");
    let search = trace.below(job, "search");
    assert_eq!(search.attributes["attempt"], job.attributes["attempts"]);
    assert!(search.time.1 <= job.time.1, "{trace:#?}");
    let of_worker = |span: &Received| span.service == "mawe-worker";
    let inside = trace.0.iter().filter(|span| of_worker(span));
    assert_eq!(
        inside.map(|span| &span.id).collect::<Vec<_>>(),
        [&search.id]
    );
    let spans = collector.spans();
    let mut begun = spans.iter().filter(|span| span.parent.is_empty());
    assert!(begun.all(|span| !of_worker(span)), "{spans:#?}");
}

/// The spans of a trace.
#[derive(Debug)]
pub struct Trace(pub Vec<Received>);

impl Trace {
    /// Returns the one span of this name.
    #[track_caller]
    pub fn one(&self, name: &str) -> &Received {
        let mut found = self.0.iter().filter(|span| span.name == name);
        let one = found.next();
        assert!(found.next().is_none(), "two {name} in {self:#?}");
        one.unwrap_or_else(|| panic!("no {name} in {self:#?}"))
    }

    /// Returns the one span of this name below another.
    #[track_caller]
    pub fn below(&self, parent: &Received, name: &str) -> &Received {
        let mut found = self.0.iter();
        let is_it = |span: &&Received| span.name == name && span.parent == parent.id;
        let one = found.find(is_it);
        assert!(!found.any(|span| is_it(&span)), "two {name} in {self:#?}");
        let one = one.unwrap_or_else(|| panic!("no {name} below {parent:?} in {self:#?}"));
        assert!(
            one.time.0 >= parent.time.0 && one.time.0 <= one.time.1,
            "{self:#?}"
        );
        one
    }

    /// Returns the one root.
    #[track_caller]
    pub fn root(&self) -> &Received {
        let mut roots = self.0.iter().filter(|span| span.parent.is_empty());
        let root = roots.next().expect("it has a root");
        assert!(roots.next().is_none(), "two roots in {self:#?}");
        root
    }
}
