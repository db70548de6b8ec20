//! The export of spans: a bounded queue, and a task that sends batches from it to the collector. A span that finds no place is dropped and
//! counted, so that a collector that is slow or away delays nobody. (The batch processor of the SDK counts its drops in its own log only,
//! and has a thread of its own.)

use std::sync::LazyLock;
use std::time::Duration;

use async_trait::async_trait;
use axum::body::Bytes;
use axum::http::{Request, Response};
use http_body_util::{BodyExt, Limited};
use opentelemetry::KeyValue;
use opentelemetry::trace::TracerProvider;
use opentelemetry_http::HttpError;
use opentelemetry_otlp::{Protocol, RetryPolicy, SpanExporter, WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{
    Sampler, SdkTracer, SdkTracerProvider, Span, SpanData, SpanExporter as _, SpanProcessor,
};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::options::TraceSettings;
use super::sampling;
use crate::meters::Counter;
use crate::outbound::{HttpClient, Reach};

/// The number of spans that may wait.
const QUEUE: usize = 2_048;

/// The largest number of spans in one request.
const MAX_BATCH: usize = 512;

/// The time for which spans are gathered.
const GATHER: Duration = Duration::from_secs(1);

/// The time limit of a request to the collector.
const SEND_WITHIN: Duration = Duration::from_secs(5);

/// The time that the last spans get at a stop.
const STOP_WITHIN: Duration = Duration::from_secs(2);

/// The number of bytes of an answer that are read.
const MAX_ANSWER: usize = 64 * 1024;

/// The most attributes and links of a span.
const MAX_ATTRIBUTES: u32 = 16;

/// The spans since the start.
#[derive(Debug, Default)]
pub struct TraceMeters {
    /// Spans that the collector has taken.
    pub exported: Counter,
    /// Spans that found no place in the queue.
    pub queue_full: Counter,
    /// Spans of requests that failed.
    pub not_taken: Counter,
}

static METERS: LazyLock<TraceMeters> = LazyLock::new(TraceMeters::default);

/// Returns the counters of this process.
#[must_use]
pub fn meters() -> &'static TraceMeters {
    &METERS
}

/// The end of the queue from which spans are sent.
#[derive(Debug)]
pub struct Exporter {
    exporter: SpanExporter,
    spans: mpsc::Receiver<SpanData>,
}

/// The task that sends spans.
#[derive(Debug)]
pub struct Exporting {
    stop: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

/// Begins to make traces. Their spans wait in the queue until the exporter is started. `service` is the name of this kind of process in
/// them.
///
/// # Errors
/// A line for the operator.
pub fn begin(
    settings: &TraceSettings,
    service: &'static str,
    node: Option<&str>,
) -> Result<(SdkTracer, Exporter), String> {
    let failed = |error: &dyn std::fmt::Display| format!("traces cannot be sent: {error}");
    let client = HttpClient::new(Reach::Everywhere, 1).map_err(|error| failed(&error))?;
    // It also reads the headers that OpenTelemetry's own variables name. A lost batch is not sent again: more follow.
    let exporter = SpanExporter::builder()
        .with_http()
        .with_endpoint(&settings.collector.0)
        .with_protocol(Protocol::HttpBinary)
        .with_timeout(SEND_WITHIN)
        .with_retry_policy(RetryPolicy::disabled())
        .with_http_client(Transport(client))
        .build();
    let mut exporter = exporter.map_err(|error| failed(&error))?;
    let instance = node.map(|node| KeyValue::new("service.instance.id", node.to_owned()));
    let version = KeyValue::new("service.version", env!("CARGO_PKG_VERSION"));
    let resource = Resource::builder_empty()
        .with_service_name(service)
        .with_attributes(instance.into_iter().chain([version]))
        .build();
    exporter.set_resource(&resource);
    let (sender, spans) = mpsc::channel(QUEUE);
    let provider = SdkTracerProvider::builder()
        .with_span_processor(Queue(sender))
        .with_sampler(Sampler::AlwaysOn)
        .with_max_attributes_per_span(MAX_ATTRIBUTES)
        .with_max_links_per_span(MAX_ATTRIBUTES)
        .with_resource(resource)
        .build();
    sampling::begin(settings.sample).map_err(|error| failed(&error))?;
    Ok((provider.tracer("mawe"), Exporter { exporter, spans }))
}

/// Puts the spans that have ended into the queue.
#[derive(Debug)]
struct Queue(mpsc::Sender<SpanData>);

impl SpanProcessor for Queue {
    fn on_start(&self, _: &mut Span, _: &opentelemetry::Context) {}

    fn on_end(&self, span: SpanData) {
        if self.0.try_send(span).is_err() {
            METERS.queue_full.count();
        }
    }

    fn force_flush(&self) -> OTelSdkResult {
        Ok(())
    }

    fn shutdown_with_timeout(&self, _: Duration) -> OTelSdkResult {
        Ok(())
    }
}

impl Exporter {
    /// Starts the task that sends the spans.
    #[must_use]
    pub fn start(self) -> Exporting {
        let (stop, stopped) = oneshot::channel();
        let task = tokio::spawn(self.run(stopped));
        Exporting { stop, task }
    }

    async fn run(mut self, mut stopped: oneshot::Receiver<()>) {
        let mut batch = Vec::new();
        let mut is_away = false;
        loop {
            let is_closed = self.spans.is_closed();
            let gathered = timeout(GATHER, async {
                loop {
                    let room = MAX_BATCH - batch.len();
                    if room == 0 || self.spans.recv_many(&mut batch, room).await == 0 {
                        return;
                    }
                }
            });
            tokio::select! {
                // A full batch, the end of its time, or the end of the queue.
                _ = gathered => {}
                _ = &mut stopped, if !is_closed => {
                    self.spans.close();
                    continue;
                }
            }
            if !batch.is_empty() {
                self.send(std::mem::take(&mut batch), &mut is_away).await;
            } else if is_closed {
                return;
            }
        }
    }

    async fn send(&self, batch: Vec<SpanData>, is_away: &mut bool) {
        let count = batch.len() as u64;
        let sent = timeout(SEND_WITHIN, self.exporter.export(batch)).await;
        let fault = match sent {
            Ok(Ok(())) => None,
            Ok(Err(error)) => Some(error.to_string()),
            Err(_) => Some("no answer in time".to_owned()),
        };
        match &fault {
            None => METERS.exported.add(count),
            Some(_) => METERS.not_taken.add(count),
        }
        // One line for each change, however many batches are lost.
        match (&fault, std::mem::replace(is_away, fault.is_some())) {
            (Some(fault), false) => {
                tracing::warn!(%fault, "the collector of traces takes no spans; they are dropped until it does");
            }
            (None, true) => tracing::info!("the collector of traces takes spans again"),
            (Some(_), true) | (None, false) => {}
        }
    }
}

impl Exporting {
    /// Sends the waiting spans, for two seconds at most, and ends the task.
    pub async fn stop(self) {
        // The task does not end before.
        let _ = self.stop.send(());
        let mut task = self.task;
        match timeout(STOP_WITHIN, &mut task).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::error!(%error, "the export of traces did not end well"),
            Err(_) => task.abort(),
        }
    }
}

/// The HTTP client of this program, as the exporter uses it.
#[derive(Debug)]
struct Transport(HttpClient);

#[async_trait]
impl opentelemetry_http::HttpClient for Transport {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let response = self.0.send(request.map(Vec::from)).await?;
        let (head, body) = response.into_parts();
        let body = Limited::new(body, MAX_ANSWER).collect().await?;
        Ok(Response::from_parts(head, body.to_bytes()))
    }
}
