//! Floods of requests for common resources, and a class of children who open the page at the same time.

use std::collections::BTreeSet;
use std::num::NonZeroU32;

use reqwest::Method;
use serde_json::Value;

use crate::common::{Answer, TestServer};

/// The server's default limit.
const REQUESTS_PER_MINUTE: NonZeroU32 = NonZeroU32::new(6_000).expect("not zero");

#[tokio::test]
async fn thirty_children_behind_one_address_open_the_page_at_once() {
    let server = TestServer::start_with(|config| {
        config.rates.requests_per_minute = REQUESTS_PER_MINUTE;
    })
    .await;
    let stranger = server.stranger();
    // The files that the document names, and then all files that the service worker keeps.
    let document = stranger.get("/").await;
    let document = String::from_utf8(document.body).expect("text");
    let mut first = BTreeSet::from(["/".to_owned(), "/sw.js".to_owned()]);
    for word in ["src=\"/", "href=\"/"] {
        let named = document.split(word).skip(1);
        let named = named.map(|rest| format!("/{}", rest.split('"').next().unwrap_or_default()));
        first.extend(named.filter(|path| path.contains('.') || path.starts_with("/api/")));
    }
    assert!(first.len() > 50, "{first:?}");
    let worker = stranger.get("/sw.js").await;
    let worker = String::from_utf8(worker.body).expect("text");
    let shell = worker.split_once(" = ").expect("the list is at the top").1;
    let mut values = serde_json::Deserializer::from_str(shell).into_iter::<Value>();
    let shell = values.next().expect("the list").expect("JSON");
    let files = shell["files"].as_object().expect("the files");
    let kept: BTreeSet<String> = files.keys().cloned().collect();
    assert!(kept.len() > 100, "{kept:?}");
    let children: Vec<_> = (0..30)
        .map(|_| {
            let child = server.stranger();
            let paths: Vec<String> = first.iter().chain(&kept).cloned().collect();
            tokio::spawn(async move {
                for path in paths {
                    let request = child.request(Method::GET, &path);
                    let answer = Answer::of(request.header("accept-encoding", "br")).await;
                    assert_eq!(answer.status, 200, "{path}");
                }
            })
        })
        .collect();
    for child in children {
        child.await.expect("the page is whole");
    }
    server.stop().await;
}

#[tokio::test]
async fn an_address_that_floods_waits_and_others_do_not() {
    // Four files a minute, one request of each kind to the API.
    let server = TestServer::start_with(|config| {
        config.network.behind_proxy = true;
        config.rates.requests_per_minute = NonZeroU32::MIN;
    })
    .await;
    let from = async |address: &str, path: &str| {
        let request = server.stranger().request(Method::GET, path);
        Answer::of(request.header("x-forwarded-for", address)).await
    };
    for (flooder, path) in [
        ("203.0.113.1", "/icon.svg"),
        ("203.0.113.2", "/"),
        ("203.0.113.3", "/rules/oware"),
        ("203.0.113.4", "/sw.js"),
        // A missing file costs as much.
        ("203.0.113.5", "/nothing"),
        ("2001:db8:0:1::1", "/theme.js"),
    ] {
        let mut answers = Vec::new();
        for _ in 0..20 {
            answers.push(from(flooder, path).await);
        }
        assert!(
            answers[0].status != 429 && answers[1].status != 429,
            "{path}"
        );
        let refused: Vec<&Answer> = answers.iter().filter(|it| it.status == 429).collect();
        assert!(refused.len() > 10, "{path}: {}", refused.len());
        refused[0].problem(429, "too-many-requests");
        let wait: u64 = refused[0]
            .header("retry-after")
            .parse()
            .expect("whole seconds");
        assert!((1..=60).contains(&wait), "{wait}");
    }
    // Other addresses have separate limits, and a network of IPv6 has one.
    assert_eq!(from("203.0.113.6", "/icon.svg").await.status, 200);
    assert_eq!(from("2001:db8:0:1::ffff", "/icon.svg").await.status, 429);
    assert_eq!(from("2001:db8:0:2::1", "/icon.svg").await.status, 200);
    // A file larger than the bytes permitted in a minute is not sent at all.
    let engine = from("203.0.113.7", "/wasm/engine_bg.wasm").await;
    engine.problem(429, "too-many-requests");
    server.stop().await;
}
