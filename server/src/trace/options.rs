//! The options of traces.

use std::str::FromStr;

use axum::http::Uri;
use clap::Args;

use super::sampling::Share;

/// The path of traces at a collector (OTLP over HTTP).
const PATH: &str = "/v1/traces";

/// The option of the collector.
#[derive(Debug, Clone, Args)]
pub struct CollectorOptions {
    /// The collector of traces, which takes OTLP over HTTP: http://host:port or https://host [default: there are no traces]
    #[arg(long, env = "MAWE_TRACES", value_name = "URL", hide_env_values = true)]
    traces: Option<String>,
}

/// The options of traces.
#[derive(Debug, Clone, Args)]
pub struct TraceOptions {
    #[command(flatten)]
    collector: CollectorOptions,
    /// The share of requests and commands that are traced, from 0 to 1; a client cannot choose [default: 0.01]
    #[arg(long, env = "MAWE_TRACE_SAMPLE", value_name = "SHARE")]
    trace_sample: Option<Share>,
}

/// The settings of traces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TraceSettings {
    pub(super) collector: Collector,
    pub(super) sample: Share,
}

/// The address to which spans are sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Collector(pub(super) String);

impl FromStr for Collector {
    type Err = String;

    // The message does not repeat the text: a wrong address may contain a password.
    fn from_str(text: &str) -> Result<Collector, String> {
        let expected = || "give the address of a collector, such as http://127.0.0.1:4318";
        let uri: Uri = text.parse().map_err(|_| expected().to_owned())?;
        let is_http = matches!(uri.scheme_str(), Some("http" | "https"));
        let Some(authority) = uri.authority().filter(|_| is_http) else {
            return Err(expected().to_owned());
        };
        if authority.as_str().contains('@') {
            return Err("a name and a password do not stand in the address of the collector; set a header by the variable OTEL_EXPORTER_OTLP_HEADERS".to_owned());
        }
        if authority.host().is_empty() || authority.port_u16() == Some(0) || uri.query().is_some() {
            return Err(expected().to_owned());
        }
        let base = text.trim_end_matches('/');
        Ok(Collector(match base.ends_with(PATH) {
            true => base.to_owned(),
            false => format!("{base}{PATH}"),
        }))
    }
}

impl CollectorOptions {
    fn resolve(self) -> Result<Option<Collector>, String> {
        // Not by the parser of options, which repeats a wrong value.
        let collector = self.traces.map(|address| address.parse());
        collector
            .transpose()
            .map_err(|fault: String| format!("traces go nowhere: {fault}"))
    }

    /// Checks the option, for a process that continues the traces of others and draws none.
    ///
    /// # Errors
    /// A line for the operator with the fault and its remedy.
    pub(crate) fn resolve_to_continue(self) -> Result<Option<TraceSettings>, String> {
        let settings = |collector| TraceSettings {
            collector,
            sample: Share::NONE,
        };
        Ok(self.resolve()?.map(settings))
    }
}

impl TraceOptions {
    /// Checks the options.
    ///
    /// # Errors
    /// A line for the operator with the fault and its remedy.
    pub(crate) fn resolve(self) -> Result<Option<TraceSettings>, String> {
        match (self.collector.resolve()?, self.trace_sample) {
            (Some(collector), sample) => Ok(Some(TraceSettings {
                collector,
                sample: sample.unwrap_or_default(),
            })),
            (None, Some(_)) => Err(
                "trace-sample is the share of traced requests and commands; name a collector of traces too, with --traces"
                    .to_owned(),
            ),
            (None, None) => Ok(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_go_to_the_path_of_traces() {
        for (text, address) in [
            ("http://127.0.0.1:4318", "http://127.0.0.1:4318/v1/traces"),
            ("http://[::1]:4318/", "http://[::1]:4318/v1/traces"),
            ("https://c.example/otlp", "https://c.example/otlp/v1/traces"),
            ("https://c.example/v1/traces", "https://c.example/v1/traces"),
        ] {
            assert_eq!(text.parse(), Ok(Collector(address.to_owned())), "{text}");
        }
    }

    #[test]
    fn an_address_with_a_fault_is_refused_and_not_repeated() {
        for text in [
            "",
            "127.0.0.1:4318",
            "/v1/traces",
            "grpc://127.0.0.1:4317",
            "http://",
            "http://:4318",
            "http://127.0.0.1:0",
            "http://127.0.0.1:4318?secret=x",
            "http://amina:secret@127.0.0.1:4318",
            "http://127.0.0.1:4318/ secret",
        ] {
            let refused = text.parse::<Collector>();
            let words = refused.expect_err(text);
            assert!(
                !words.contains("secret") && !words.contains('\n'),
                "{words}"
            );
        }
    }
}
