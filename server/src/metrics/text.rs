//! The text of a scrape (OpenMetrics 1.0, which Prometheus reads).

use std::fmt;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, MetricEncoder, NoLabelSet, text::encode};
use prometheus_client::metrics::MetricType;
use prometheus_client::registry::Registry;

use super::families::{Family, Labels, Value, families};
use super::reading::Reading;
use crate::app::App;

/// The type of the text.
pub const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// The families of one scrape, as a collector of the library.
#[derive(Debug)]
struct Scrape(Vec<Family>);

/// Writes a reading.
///
/// # Errors
/// The library refuses a value.
pub fn text(app: &App, reading: &Reading) -> Result<String, fmt::Error> {
    let mut registry = Registry::default();
    registry.register_collector(Box::new(Scrape(families(app, reading))));
    let mut text = String::new();
    encode(&mut text, &registry)?;
    Ok(text)
}

impl Collector for Scrape {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        for family in &self.0 {
            let mut metric =
                encoder.encode_descriptor(family.name, family.help, None, family.kind)?;
            for sample in &family.samples {
                // The labels of an info are its value.
                let is_plain = sample.labels.is_empty() || family.kind == MetricType::Info;
                if is_plain {
                    write(&mut metric, &sample.labels, &sample.value)?;
                } else {
                    let mut labelled = metric.encode_family(&sample.labels)?;
                    write(&mut labelled, &sample.labels, &sample.value)?;
                }
            }
        }
        Ok(())
    }
}

fn write(metric: &mut MetricEncoder<'_>, labels: &Labels, value: &Value) -> fmt::Result {
    match value {
        Value::Counter(value) => metric.encode_counter::<NoLabelSet, _, f64>(value, None),
        Value::Gauge(value) => metric.encode_gauge(value),
        Value::Histogram(reading) => metric.encode_histogram::<NoLabelSet>(
            reading.sum,
            reading.count(),
            &reading.buckets,
            None,
        ),
        Value::Info => metric.encode_info(labels),
    }
}
