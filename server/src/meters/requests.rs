//! Requests by route template, method and status.

use std::collections::HashMap;
use std::sync::OnceLock;
use std::time::Duration;

use axum::http::{Method, StatusCode};

use super::{Counter, DURATIONS, Histogram, HistogramReading};

/// The label of all requests without a template: files of the page, and addresses that do not exist.
pub const OTHER: &str = "other";

/// The methods that are told apart, by their label.
const METHODS: [&str; 6] = ["GET", "POST", "PUT", "PATCH", "DELETE", OTHER];

/// The statuses that the server sends; any other counts as [`OTHER`].
const STATUSES: [u16; 30] = [
    101, 200, 201, 202, 204, 206, 301, 302, 303, 304, 307, 308, 400, 401, 403, 404, 405, 406, 408,
    409, 410, 412, 413, 415, 416, 422, 426, 429, 500, 503,
];

/// The requests since the start. The templates are known before the first request, and the counts of one are made at its first request,
/// so that neither a lock nor a name from outside is needed to count.
#[derive(Debug)]
pub struct RequestMeters {
    routes: HashMap<String, Route>,
    other: Route,
}

/// The requests of a template by method.
#[derive(Debug, Default)]
struct Route([OnceLock<Box<Requests>>; METHODS.len()]);

#[derive(Debug)]
struct Requests {
    statuses: [Counter; STATUSES.len() + 1],
    seconds: Histogram,
}

/// The requests of one template and method.
#[derive(Debug, Clone, PartialEq)]
pub struct RequestsReading<'a> {
    /// The template, or [`OTHER`].
    pub route: &'a str,
    /// The method, or [`OTHER`].
    pub method: &'static str,
    /// The number of requests by status; those that did not occur are absent.
    pub statuses: Vec<(String, u64)>,
    /// The seconds from the head of the request to the head of the answer.
    pub seconds: HistogramReading,
}

impl RequestMeters {
    /// Creates empty counts for these templates.
    #[must_use]
    pub fn new(templates: impl IntoIterator<Item = String>) -> RequestMeters {
        let routes = templates.into_iter().map(|route| (route, Route::default()));
        RequestMeters {
            routes: routes.collect(),
            other: Route::default(),
        }
    }

    /// Counts an answer. `template` is that of the route, if the request has one.
    pub fn count(
        &self,
        template: Option<&str>,
        method: &Method,
        status: StatusCode,
        took: Duration,
    ) {
        let route = template.and_then(|template| self.routes.get(template));
        let Route(methods) = route.unwrap_or(&self.other);
        let requests = methods[method_place(method)].get_or_init(|| {
            Box::new(Requests {
                statuses: Default::default(),
                seconds: Histogram::new(DURATIONS),
            })
        });
        let place = STATUSES.binary_search(&status.as_u16());
        requests.statuses[place.unwrap_or(STATUSES.len())].count();
        requests.seconds.record(took);
    }

    /// Returns the number of all requests, and of those that were answered with a known status from 500.
    #[must_use]
    pub fn totals(&self) -> (u64, u64) {
        let (mut all, mut failed) = (0, 0);
        let routes = self.routes.values().chain([&self.other]);
        for requests in routes.flat_map(|Route(methods)| methods.iter().filter_map(OnceLock::get)) {
            for (place, count) in requests.statuses.iter().enumerate() {
                let count = count.get();
                all += count;
                if STATUSES.get(place).is_some_and(|status| *status >= 500) {
                    failed += count;
                }
            }
        }
        (all, failed)
    }

    /// Returns the counts, in the order of the templates.
    #[must_use]
    pub fn read(&self) -> Vec<RequestsReading<'_>> {
        let routes = self.routes.iter().map(|(name, route)| (&**name, route));
        let mut routes: Vec<(&str, &Route)> = routes.chain([(OTHER, &self.other)]).collect();
        routes.sort_unstable_by_key(|(name, _)| *name);
        let mut read = Vec::new();
        for (route, Route(methods)) in routes {
            for (method, requests) in METHODS.into_iter().zip(methods) {
                if let Some(requests) = requests.get() {
                    read.push(RequestsReading {
                        route,
                        method,
                        statuses: requests.statuses(),
                        seconds: requests.seconds.read(),
                    });
                }
            }
        }
        read
    }
}

impl Requests {
    fn statuses(&self) -> Vec<(String, u64)> {
        let names = STATUSES.iter().map(ToString::to_string);
        let counts = self.statuses.iter().map(Counter::get);
        let all = names.chain([OTHER.to_owned()]).zip(counts);
        all.filter(|(_, count)| *count > 0).collect()
    }
}

/// A `HEAD` is answered by the route of `GET`, and counts there.
fn method_place(method: &Method) -> usize {
    match *method {
        Method::GET | Method::HEAD => 0,
        Method::POST => 1,
        Method::PUT => 2,
        Method::PATCH => 3,
        Method::DELETE => 4,
        _ => 5,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_from_outside_make_no_further_counts() {
        let meters = RequestMeters::new(["/a/{id}".to_owned()]);
        for number in 0..100 {
            let method = Method::from_bytes(format!("M{number}").as_bytes()).expect("a method");
            let status = StatusCode::from_u16(900 + number).expect("a status");
            let template = format!("/b/{number}");
            meters.count(Some(&template), &method, status, Duration::ZERO);
        }
        meters.count(
            Some("/a/{id}"),
            &Method::HEAD,
            StatusCode::OK,
            Duration::ZERO,
        );
        meters.count(None, &Method::GET, StatusCode::NOT_FOUND, Duration::ZERO);
        assert_eq!(meters.totals(), (102, 0));
        let read = meters.read();
        let rows: Vec<_> = read
            .iter()
            .map(|row| (row.route, row.method, row.statuses.clone()))
            .collect();
        let one = |status: &str, count| vec![(status.to_owned(), count)];
        assert_eq!(
            rows,
            [
                ("/a/{id}", "GET", one("200", 1)),
                (OTHER, "GET", one("404", 1)),
                (OTHER, OTHER, one(OTHER, 100)),
            ]
        );
        let fault = StatusCode::INTERNAL_SERVER_ERROR;
        meters.count(None, &Method::GET, fault, Duration::ZERO);
        assert_eq!(meters.totals(), (103, 1));
    }

    #[test]
    fn the_statuses_are_sorted_for_the_search() {
        assert!(STATUSES.is_sorted());
    }
}
