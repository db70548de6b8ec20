//! Computer analyses of matches: requested by accounts, made by workers, stored once and read by everybody.

use std::sync::Arc;

use mawe_rules::{AnySetup, GameKind, Record};
use mawe_server::bots::evaluations::{evaluate, solve};
use mawe_server::bots::exchange::PATH;
use mawe_server::bots::job::{EVALUATION_NODES, Evaluation, VERSION};
use mawe_server::identity::shared_key::SharedKey;
use mawe_server::worker::remote::Remote;
use mawe_server::worker::think;
use mawe_wire::Command;
use reqwest::Method;
use serde_json::{Value, json};

use crate::common::play::Pair;
use crate::common::{Answer, Person, TestServer, eventually};

const KEY: &str = "a-key-of-some-length";

/// Plays some plies of Kalah, from the same start each time; returns the people and the id of the match, which is over.
async fn finished(people: [Person; 2], plies: u32) -> ([Person; 2], String) {
    let (mut pair, id) = running(people, plies).await;
    pair.act(0, Command::Resign).await;
    (pair.people, id)
}

async fn running(mut people: [Person; 2], plies: u32) -> (Pair, String) {
    let [first, second] = &mut people;
    let offer = json!({
        "game": "kalah", "side": "first",
        "time_control": { "kind": "realtime", "base_ms": 600_000, "increment_ms": 0 },
    });
    let id = first.challenge(second, &offer).await;
    let mut pair = Pair::at(people, id.clone()).await;
    pair.plies(plies).await;
    (pair, id)
}

async fn accounts(server: &TestServer) -> [Person; 2] {
    [server.account("Asha").await, server.account("Zofia").await]
}

fn path(id: &str) -> String {
    format!("/api/v1/matches/{id}/analysis")
}

async fn done(person: &Person, id: &str) -> Value {
    eventually("the analysis", || async {
        let answer = person.get(&path(id)).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        let analysis = answer.json();
        (analysis["state"] != "waiting").then_some(analysis)
    })
    .await
}

/// Starts a server without threads of its own for its bots.
async fn without_threads() -> TestServer {
    TestServer::start_with(|config| {
        config.bots.threads = 0;
        config.worker_key = Some(SharedKey::new(KEY).expect("a key"));
    })
    .await
}

/// Checks that each position has the evaluation that this machine finds, too.
async fn assert_right(person: &Person, id: &str, analysis: &Value) {
    assert_eq!(analysis["state"], "done", "{analysis}");
    assert_eq!(analysis["engine"], VERSION);
    let view = person.get(&format!("/api/v1/matches/{id}")).await.json();
    let kind: GameKind = view["game"]
        .as_str()
        .expect("a game")
        .parse()
        .expect("ours");
    let mut game = Record::new(kind, &AnySetup::standard(kind)).expect("every game starts");
    let plies = view["plies"].as_array().expect("plies").clone();
    let positions = analysis["positions"].as_array().expect("positions");
    assert_eq!(positions.len(), plies.len() + 1);
    for (at, position) in positions.iter().enumerate() {
        assert_eq!(position["ply"], at);
        let own = solve(&game).or_else(|| evaluate(&game, &Arc::default()));
        let Evaluation {
            best,
            score,
            proven,
            depth,
            nodes,
            pv,
        } = own.expect("an evaluation");
        assert_eq!(
            json!([best, score, proven, depth, nodes, pv]),
            json!(
                ["best", "score", "proven", "depth", "nodes", "pv"].map(|field| &position[field])
            ),
            "at ply {at}"
        );
        match plies.get(at) {
            Some(ply) => {
                let text = ply["move"].as_str().expect("a move");
                let loss = position["loss"].as_f64().expect("a loss");
                assert!((0.0..=1.0).contains(&loss), "{position}");
                assert!(loss == 0.0 || text != best, "{position}");
                assert_eq!(
                    position.get("mistake").is_some(),
                    loss >= 0.05,
                    "{position}"
                );
                game.play(text).expect("it was played");
            }
            None => assert!(position.get("loss").is_none(), "{position}"),
        }
    }
    for side in ["first", "second"] {
        let report = &analysis["sides"][side];
        let own = || {
            plies
                .iter()
                .zip(positions)
                .filter(|(ply, _)| ply["side"] == side)
        };
        for (count, name) in [
            ("inaccuracies", "inaccuracy"),
            ("mistakes", "mistake"),
            ("blunders", "blunder"),
        ] {
            let named = own().filter(|(_, position)| position["mistake"] == name);
            assert_eq!(report[count], named.count(), "{analysis}");
        }
        let accuracy = report["accuracy"].as_f64().expect("it had a choice");
        assert!((0.0..=1.0).contains(&accuracy), "{report}");
    }
}

#[tokio::test]
async fn an_account_requests_an_analysis_that_everybody_reads() {
    let server = TestServer::start().await;
    let (mut people, id) = finished(accounts(&server).await, 8).await;
    let stranger = server.stranger();
    stranger.get(&path(&id)).await.problem(404, "not-found");
    let asked = people[0].post(&path(&id), &Value::Null).await;
    assert_eq!(asked.status, 202, "{asked:?}");
    let analysis = asked.json();
    assert_eq!(
        (
            &analysis["state"],
            &analysis["nodes"],
            &analysis["positions"]
        ),
        (&json!("waiting"), &json!(EVALUATION_NODES), &json!([]))
    );
    let analysis = done(&stranger, &id).await;
    assert_right(&stranger, &id, &analysis).await;
    // The other player's request finds it.
    let again = people[1].post(&path(&id), &Value::Null).await;
    assert_eq!((again.status.as_u16(), again.json()), (200, analysis));
    server.stop().await;
}

#[tokio::test]
async fn an_analysis_is_refused_for_a_reason() {
    let server = TestServer::start_with(|config| {
        config.bots.threads = 0;
        config.bots.analyses_per_day = 2;
    })
    .await;
    let (mut pair, id) = running(accounts(&server).await, 2).await;
    let request = async |person: &mut Person, id: &str| person.post(&path(id), &Value::Null).await;
    let asha = &mut pair.people[0];
    request(asha, &id).await.problem(409, "match-not-over");
    request(asha, "AAAAAAAAAAAA")
        .await
        .problem(404, "not-found");
    request(&mut server.stranger(), &id)
        .await
        .problem(401, "sign-in-first");
    request(&mut server.guest().await, &id)
        .await
        .problem(403, "account-needed");
    pair.act(0, Command::Resign).await;
    let mut people = pair.people;
    let mut ids = vec![id];
    for _ in 0..2 {
        let (back, id) = finished(people, 1).await;
        people = back;
        ids.push(id);
    }
    let [asha, zofia] = &mut people;
    for id in &ids[..2] {
        for _twice in 0..2 {
            assert_eq!(request(asha, id).await.status, 202);
        }
    }
    let refused = request(asha, &ids[2]).await;
    refused.problem(429, "too-many-analyses");
    let wait: u64 = refused.header("retry-after").parse().expect("seconds");
    assert!((1..=86_400).contains(&wait), "{wait}");
    // A second request costs nothing, and each account has its own number.
    assert_eq!(request(asha, &ids[1]).await.status, 202);
    assert_eq!(request(zofia, &ids[2]).await.status, 202);
    server.stop().await;
}

#[tokio::test]
async fn a_flood_of_requests_makes_one_analysis() {
    let server = without_threads().await;
    let (people, id) = finished(accounts(&server).await, 2).await;
    let asked = (0..40).map(|i| {
        let asked = people[i % 2].request(Method::POST, &path(&id));
        tokio::spawn(async move { Answer::of(asked).await.status.as_u16() })
    });
    for asked in asked.collect::<Vec<_>>() {
        let status = asked.await.expect("no panic");
        assert!(matches!(status, 202 | 429), "{status}");
    }
    let figures = || server.app().rooms.services.bots.figures().evaluations;
    let waiting = eventually("its positions", || async {
        Some(figures().waiting).filter(|waiting| *waiting > 0)
    });
    assert_eq!(waiting.await, 3);
    server.stop().await;
}

#[tokio::test]
async fn a_restarted_server_goes_on_with_what_was_requested() {
    let server = without_threads().await;
    let (mut people, id) = finished(accounts(&server).await, 3).await;
    assert_eq!(people[0].post(&path(&id), &Value::Null).await.status, 202);
    let figures = || server.app().rooms.services.bots.figures().evaluations;
    eventually("its positions", || async {
        (figures().waiting > 0).then_some(())
    })
    .await;
    let directory = server.stop().await;
    let server = TestServer::start_on(directory).await;
    let person = server.stranger();
    let analysis = done(&person, &id).await;
    assert_right(&person, &id, &analysis).await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_elsewhere_analyses_and_one_that_lies_gets_nothing_more() {
    let server = without_threads().await;
    let (mut people, id) = finished(accounts(&server).await, 4).await;
    assert_eq!(people[0].post(&path(&id), &Value::Null).await.status, 202);

    // It answers each job with a legal move and an invented score.
    let mut liar = server.stranger().with_token(KEY);
    let mut result = Value::Null;
    for _ in 0..5 {
        let asked = json!({ "version": VERSION, "worker": "AAAAAAAAAAAA", "result": result });
        let job = liar.post(PATH, &asked).await;
        assert_eq!(job.status, 200, "{job:?}");
        let job = job.json();
        assert_eq!(
            (&job["wanted"], &job["game"]),
            (&json!("evaluation"), &json!("kalah"))
        );
        let mut game = Record::new(GameKind::Kalah, &AnySetup::standard(GameKind::Kalah))
            .expect("every game starts");
        for text in job["moves"].as_array().expect("moves") {
            game.play(text.as_str().expect("a move"))
                .expect("it is legal");
        }
        let best = game.legal_moves()[0].clone();
        result = json!({ "id": job["id"], "evaluation": {
            "best": best, "score": 1234, "proven": false, "depth": 9, "nodes": 300_000, "pv": [best],
        } });
    }
    let last =
        json!({ "version": VERSION, "worker": "AAAAAAAAAAAA", "result": result, "more": false });
    assert_eq!(liar.post(PATH, &last).await.status, 204);
    let figures = || server.app().rooms.services.bots.figures().evaluations;
    let refuted = eventually("the second search", || async {
        Some(figures()).filter(|figures| figures.refuted == 1 && figures.waiting == 5)
    });
    assert_eq!(refuted.await.done, 5);

    let key = SharedKey::new(KEY).expect("a key");
    let honest =
        Remote::new(&format!("http://{}", server.address), &key, None).expect("an address");
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let working = tokio::spawn(async move {
        let think = think::by_engine();
        honest.work(2, &think, async { drop(stopped.await) }).await
    });
    let person = server.stranger();
    let analysis = done(&person, &id).await;
    assert_right(&person, &id, &analysis).await;
    assert_eq!(figures().refuted, 1);
    stop.send(()).expect("it works");
    working
        .await
        .expect("no panic")
        .expect("it was not dismissed");
    server.stop().await;
}
