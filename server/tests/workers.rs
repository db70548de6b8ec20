//! Workers: faulty ones through the same interface as real ones, remote ones over HTTP, and many bot games at once.

use std::collections::HashSet;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::common::play::Seat;
use crate::common::socket::Socket;
use crate::common::{PATIENCE, Person, TestServer, eventually};
use mawe_play::room::io::{BotQuestion, Wanted};
use mawe_rules::{AnySetup, GameKind, Record, Side};
use mawe_server::bots::exchange::PATH;
use mawe_server::bots::job::{Job, JobResult, Outcome, Reply, VERSION};
use mawe_server::bots::{BotNews, Bots};
use mawe_server::identity::shared_key::SharedKey;
use mawe_server::trace::Trace;
use mawe_server::worker::remote::Remote;
use mawe_server::worker::think::{self, Think};
use mawe_server::worker::{Jobs, ThreadPool};
use mawe_wire::ids::{MatchId, WorkerId};
use mawe_wire::{Command, Event};
use serde_json::{Value, json};
use tokio::io::AsyncReadExt;
use tokio::process::Command as Process;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::timeout;

const KEY: &str = "a-key-of-some-length";

/// Starts a server without threads of its own for its bots.
async fn without_threads() -> TestServer {
    TestServer::start_with(|config| {
        config.bots.threads = 0;
        config.worker_key = Some(SharedKey::new(KEY).expect("a key"));
    })
    .await
}

/// Starts a match against a bot, with a clock or without.
async fn against(
    person: &mut Person,
    game: &str,
    level: u8,
    side: &str,
    base_ms: Option<u64>,
) -> String {
    let time_control = match base_ms {
        Some(base_ms) => json!({ "kind": "realtime", "base_ms": base_ms, "increment_ms": 0 }),
        None => json!({ "kind": "unlimited" }),
    };
    let new = json!({ "game": game, "level": level, "side": side, "time_control": time_control });
    let made = person.post("/api/v1/matches", &new).await;
    assert_eq!(made.status, 201, "{made:?}");
    made.text("/id")
}

/// Plays legal moves until the match is over.
async fn play_out(seat: &mut Seat, side: Side) {
    loop {
        let state = &seat.mirror.state;
        if state.result.is_some() {
            return;
        }
        // The server plays a pass that is the only legal ply.
        if state.turn == side && state.legal != ["pass"] {
            // Not always the first move: some games would go to and fro.
            let choice = state.ply as usize * 7 % state.legal.len();
            let command = seat.a_move(&state.legal[choice]);
            seat.send(command).await;
        }
        seat.event().await;
    }
}

fn ask(bots: &Bots, kind: GameKind, level: u8, clock_ms: Option<u64>) -> MatchId {
    let id = MatchId::random();
    let question = BotQuestion {
        side: Side::First,
        level,
        seq: 0,
        wanted: Wanted::Move,
        game: Record::new(kind, &AnySetup::standard(kind)).expect("every game starts"),
        clock_ms,
    };
    bots.ask(&id, question, &Trace::default());
    id
}

/// Runs a worker that answers each job with the result of `act`.
fn faulty<J: Jobs>(jobs: &Arc<J>, mut act: impl FnMut(&Job) -> Option<JobResult> + Send + 'static) {
    let jobs = Arc::clone(jobs);
    tokio::spawn(async move {
        let me = WorkerId::random();
        let mut result = None;
        while let Some(job) = jobs.exchange(&me, result.take()).await {
            result = act(&job);
        }
    });
}

fn plays(text: String) -> Reply {
    Reply::Move {
        text,
        offers_draw: false,
    }
}

fn move_of(job: &Job, text: &str) -> JobResult {
    JobResult {
        id: job.id,
        outcome: Outcome::Answer(plays(text.to_owned())),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_faulty_workers_do_harms_no_job() {
    let (bots, mut news) = Bots::new();
    // The workers: one never answers, one sends garbage, one reports a failure, one answers every job with an illegal move, one answers the
    // previous job.
    faulty(&bots, |_| None);
    faulty(&bots, |job| Some(move_of(job, "zz99")));
    faulty(&bots, |job| {
        let (id, outcome) = (job.id, Outcome::Failed);
        Some(JobResult { id, outcome })
    });
    faulty(&bots, |job| {
        let other = mawe_server::bots::job::JobId(job.id.0.saturating_sub(1));
        let text = job.game.legal_moves()[0].clone();
        Some(JobResult {
            id: other,
            ..move_of(job, &text)
        })
    });
    let mut last = None;
    faulty(&bots, move |job| {
        let text = job.game.legal_moves()[0].clone();
        last.replace(move_of(job, &text))
    });
    let crew = ThreadPool::start(&bots, 1, &think::by_engine()).expect("threads");
    let mut asked = HashSet::new();
    for _ in 0..10 {
        for &kind in GameKind::ALL {
            asked.insert(ask(&bots, kind, 1, Some(60_000)));
        }
    }
    while !asked.is_empty() {
        let told = timeout(PATIENCE, news.recv())
            .await
            .expect("all are answered");
        if let Some(BotNews::Answer(answer)) = told {
            assert!(matches!(answer.reply, Reply::Move { .. }), "{answer:?}");
            assert!(asked.remove(&answer.match_id), "each is answered once");
        }
    }
    assert!(bots.tally.taken_away.load(Ordering::Relaxed) > 0);
    tokio::task::spawn_blocking(|| crew.stop())
        .await
        .expect("it stops");
}

/// The match of the next answer. On a busy machine a job may wait so long that its bot is called away first.
async fn answered(news: &mut UnboundedReceiver<BotNews>) -> MatchId {
    loop {
        match timeout(PATIENCE, news.recv())
            .await
            .expect("it is answered")
        {
            Some(BotNews::Answer(answer)) => return answer.match_id,
            told => assert!(matches!(told, Some(BotNews::Away { .. })), "{told:?}"),
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thread_that_panics_goes_on_and_one_that_hangs_is_replaced() {
    let (bots, mut news) = Bots::new();
    let (calls, free) = (
        Arc::new(AtomicUsize::new(0)),
        Arc::new(AtomicBool::new(false)),
    );
    let engine = think::by_engine();
    let think: Think = {
        let (calls, free) = (Arc::clone(&calls), Arc::clone(&free));
        Arc::new(move |job| match calls.fetch_add(1, Ordering::Relaxed) {
            0 => panic!("on purpose, in a test"),
            1 => {
                // It ignores its stop flag, too.
                while !free.load(Ordering::Relaxed) {
                    std::thread::sleep(Duration::from_millis(5));
                }
                Ok(Outcome::Answer(Reply::Draw(true)))
            }
            _ => engine(job),
        })
    };
    let crew = ThreadPool::start(&bots, 1, &think).expect("a thread");
    // Enough time for a thread of low priority, also on a busy machine.
    for by_fallback in 1..=2 {
        let id = ask(&bots, GameKind::ALL[0], 1, Some(20_000));
        assert_eq!(answered(&mut news).await, id);
        assert_eq!(bots.tally.by_fallback.load(Ordering::Relaxed), by_fallback);
    }
    // The only thread hangs; a new one replaces it, and thinks.
    let id = ask(&bots, GameKind::ALL[0], 1, None);
    assert_eq!(answered(&mut news).await, id);
    // However long it took on a busy machine, there was always another worker.
    assert_eq!(calls.load(Ordering::Relaxed), 3);
    free.store(true, Ordering::Relaxed);
    tokio::task::spawn_blocking(|| crew.stop())
        .await
        .expect("it stops");
}

fn request(worker: &str, result: Value) -> Value {
    json!({ "version": VERSION, "worker": worker, "result": result, "more": false })
}

#[tokio::test]
async fn the_door_for_workers_is_closed_without_the_key() {
    let closed = TestServer::start().await;
    let body = request("0123456789ab", Value::Null);
    let mut anybody = closed.stranger().with_token(KEY);
    anybody.post(PATH, &body).await.problem(403, "workers-off");
    closed.stop().await;

    let server = without_threads().await;
    for shown in ["", "wrong", &KEY[1..], &format!("{KEY}x")] {
        let mut stranger = server.stranger().with_token(shown);
        let refused = stranger.post(PATH, &body).await;
        refused.problem(401, "bad-worker-key");
        assert!(refused.header("www-authenticate").starts_with("Bearer"));
    }
    server
        .stranger()
        .post(PATH, &body)
        .await
        .problem(401, "bad-worker-key");
    // A caller who guesses keys must wait, which does not affect a caller with a valid key.
    let mut guesser = server.stranger().with_token("guess");
    for _ in 0..5 {
        guesser
            .post(PATH, &body)
            .await
            .problem(401, "bad-worker-key");
    }
    guesser
        .post(PATH, &body)
        .await
        .problem(429, "too-many-requests");
    let mut worker = server.stranger().with_token(KEY);
    assert_eq!(worker.post(PATH, &body).await.status, 204);

    let old = json!({ "version": "0.0.0-old", "worker": "0123456789ab", "more": false });
    let refused = worker.post(PATH, &old).await.problem(409, "other-version");
    let detail = refused["detail"].as_str().expect("text");
    assert!(
        detail.contains("0.0.0-old") && detail.contains(VERSION),
        "{detail}"
    );
    let long = json!({ "version": "9".repeat(10_000), "worker": "0123456789ab" });
    let refused = worker.post(PATH, &long).await.problem(409, "other-version");
    assert!(refused["detail"].as_str().expect("text").len() < 200);

    for (body, field) in [
        (json!({}), "version"),
        (json!({ "version": VERSION }), "worker"),
        (
            json!({ "version": VERSION, "worker": "too-short" }),
            "worker",
        ),
        (request("0123456789ab", json!({})), "result.id"),
        (request("0123456789ab", json!({ "id": -1 })), "result.id"),
        (
            request("0123456789ab", json!({ "id": 1, "move": 7 })),
            "result.move",
        ),
    ] {
        worker.post(PATH, &body).await.bad_field("bad-field", field);
    }
    // Answers to an unknown job, and two answers in one, change nothing.
    for result in [
        json!({ "id": u64::MAX, "move": "a1b2" }),
        json!({ "id": 0, "move": "", "draw": true }),
        json!({ "id": 1 }),
    ] {
        let answer = worker.post(PATH, &request("0123456789ab", result)).await;
        assert_eq!(answer.status, 204);
    }
    server.stop().await;
}

#[tokio::test]
async fn a_worker_elsewhere_is_judged_like_anybody() {
    let server = without_threads().await;
    let mut person = server.guest().await;
    let id = against(&mut person, "mawe", 2, "second", Some(600_000)).await;
    let mut seat = Seat::take(&person, &id, Side::Second).await;
    let mut worker = server.stranger().with_token(KEY);
    let ask = |name: &str| json!({ "version": VERSION, "worker": name });

    let first = worker.post(PATH, &ask("AAAAAAAAAAAA")).await;
    assert_eq!(first.status, 200);
    let job = first.json();
    assert_eq!(
        (
            &job["wanted"],
            &job["level"],
            &job["game"],
            &job["side"],
            &job["moves"]
        ),
        (
            &json!("move"),
            &json!(2),
            &json!("mawe"),
            &json!("first"),
            &json!([])
        )
    );
    let number = &job["id"];
    let legal = &seat.mirror.state.legal;
    // A result for another worker's job, with a guessed number.
    let stolen = request("BBBBBBBBBBBB", json!({ "id": number, "move": legal[0] }));
    assert_eq!(worker.post(PATH, &stolen).await.status, 204);
    // A result for its own job, with an illegal move.
    let illegal = request("AAAAAAAAAAAA", json!({ "id": number, "move": "z9z9" }));
    assert_eq!(worker.post(PATH, &illegal).await.status, 204);
    // The job is lent to another worker, under a new number; a better answer of the first is too late.
    let again = worker.post(PATH, &ask("BBBBBBBBBBBB")).await.json();
    assert_eq!(again["attempt"], 2);
    assert_ne!(&again["id"], number);
    let late = request("AAAAAAAAAAAA", json!({ "id": number, "move": legal[0] }));
    assert_eq!(worker.post(PATH, &late).await.status, 204);
    let good = request(
        "BBBBBBBBBBBB",
        json!({ "id": again["id"], "move": legal[1] }),
    );
    for _twice in 0..2 {
        assert_eq!(worker.post(PATH, &good).await.status, 204);
    }
    let expected = legal[1].clone();
    let event = seat.event().await;
    assert_eq!(event.state.ply, 1);
    assert_eq!(seat.mirror.plies[0].text, expected);
    let bots = &server.app().rooms.services.bots;
    assert_eq!(bots.tally.answered.load(Ordering::Relaxed), 1);
    server.stop().await;
}

/// Takes the job of the bot's next move, as a worker over HTTP does.
async fn job_over_http(worker: &mut Person) -> Value {
    let asked = json!({ "version": VERSION, "worker": "AAAAAAAAAAAA" });
    let job = worker.post(PATH, &asked).await;
    assert_eq!(job.status, 200, "{job:?}");
    let job = job.json();
    assert_eq!(job["wanted"], "move");
    job
}

/// Brings the result of a job.
async fn answer_over_http(worker: &mut Person, result: Value) {
    let answer = worker.post(PATH, &request("AAAAAAAAAAAA", result)).await;
    assert_eq!(answer.status, 204);
}

#[tokio::test]
async fn a_bot_resigns_and_the_person_has_won_also_after_a_restart() {
    let server = without_threads().await;
    let mut person = server.guest().await;
    let id = against(&mut person, "checkers", 8, "second", Some(600_000)).await;
    let mut seat = Seat::take(&person, &id, Side::Second).await;
    let mut worker = server.stranger().with_token(KEY);
    let job = job_over_http(&mut worker).await;
    let first = seat.mirror.state.legal[0].clone();
    answer_over_http(&mut worker, json!({ "id": job["id"], "move": first })).await;
    assert_eq!(seat.event().await.state.ply, 1);
    let second = seat.mirror.state.legal[0].clone();
    let command = seat.a_move(&second);
    seat.send(command).await;
    assert_eq!(seat.event().await.state.ply, 2);

    let job = job_over_http(&mut worker).await;
    answer_over_http(&mut worker, json!({ "id": job["id"], "resign": true })).await;
    let event = seat.event().await;
    assert_eq!(event.event, Event::Resign { side: Side::First });
    let expected = json!({ "winner": "second", "reason": "resign", "score": null });
    assert_eq!(json!(event.state.result), expected);
    let server = server.restart().await;
    let again = server
        .stranger()
        .get(&format!("/api/v1/matches/{id}"))
        .await;
    assert_eq!(again.json()["result"], expected);
    server.stop().await;
}

#[tokio::test]
async fn a_bot_offers_a_draw_with_its_move_and_the_person_may_accept() {
    let server = without_threads().await;
    let mut person = server.guest().await;
    let id = against(&mut person, "checkers", 8, "second", Some(600_000)).await;
    let mut seat = Seat::take(&person, &id, Side::Second).await;
    let mut worker = server.stranger().with_token(KEY);
    let job = job_over_http(&mut worker).await;
    let text = seat.mirror.state.legal[0].clone();
    let result = json!({ "id": job["id"], "move": text, "offers_draw": true });
    answer_over_http(&mut worker, result).await;
    let offer = seat.event().await;
    assert_eq!(offer.event, Event::OfferDraw { side: Side::First });
    let played = seat.event().await.state;
    assert_eq!((played.ply, played.draw_offer), (1, Some(Side::First)));

    // A move declines it, and an offer too soon after it is none, but its move counts.
    let second = seat.mirror.state.legal[0].clone();
    let command = seat.a_move(&second);
    seat.send(command).await;
    assert_eq!(seat.event().await.state.draw_offer, None);
    let job = job_over_http(&mut worker).await;
    let text = seat.mirror.state.legal[0].clone();
    let result = json!({ "id": job["id"], "move": text, "offers_draw": true });
    answer_over_http(&mut worker, result).await;
    let played = seat.event().await.state;
    assert_eq!((played.ply, played.draw_offer), (3, None));

    // Ten plies after the first offer the next one counts, and is accepted.
    for ply in 3..11 {
        let text = seat.mirror.state.legal[0].clone();
        if seat.mirror.state.turn == Side::Second {
            let command = seat.a_move(&text);
            seat.send(command).await;
        } else {
            let job = job_over_http(&mut worker).await;
            let result = json!({ "id": job["id"], "move": text, "offers_draw": ply == 10 });
            answer_over_http(&mut worker, result).await;
        }
        seat.event().await;
    }
    assert_eq!(seat.mirror.state.draw_offer, Some(Side::First));
    assert_eq!(seat.event().await.state.ply, 11);
    seat.send(Command::AcceptDraw).await;
    let result = seat.event().await.state.result.expect("it is over");
    assert_eq!((result.winner, &*result.reason), (None, "agreement"));
    server.stop().await;
}

#[tokio::test]
async fn a_bot_does_not_resign_a_position_that_was_taken_back() {
    let server = without_threads().await;
    let mut person = server.guest().await;
    let id = against(&mut person, "checkers", 8, "first", Some(600_000)).await;
    let mut seat = Seat::take(&person, &id, Side::First).await;
    let text = seat.mirror.state.legal[0].clone();
    let command = seat.a_move(&text);
    seat.send(command.clone()).await;
    assert_eq!(seat.event().await.state.ply, 1);
    let mut worker = server.stranger().with_token(KEY);
    let late = job_over_http(&mut worker).await;
    seat.send(Command::OfferTakeback).await;
    assert_eq!(seat.event().await.state.ply, 0);
    seat.send(command).await;
    assert_eq!(seat.event().await.state.ply, 1);
    // The ply is the same, and the question is another one.
    answer_over_http(&mut worker, json!({ "id": late["id"], "resign": true })).await;
    let job = job_over_http(&mut worker).await;
    let text = seat.mirror.state.legal[0].clone();
    answer_over_http(&mut worker, json!({ "id": job["id"], "move": text })).await;
    let state = seat.event().await.state;
    assert_eq!((state.ply, state.result), (2, None));
    server.stop().await;
}

#[tokio::test]
async fn while_nobody_thinks_the_computer_is_away_and_comes_back_with_a_worker() {
    let server = without_threads().await;
    let mut person = server.guest().await;
    let id = against(&mut person, "mawe", 1, "second", None).await;
    let mut seat = Seat::take(&person, &id, Side::Second).await;
    assert_eq!(seat.socket.here(), Some((true, true, 0)));
    seat.socket.until_present((false, true, 0)).await;
    // A client that joins now sees it at once.
    let mut other = Socket::open(&server.stranger()).await;
    other.joined(&id).await;
    assert!(!other.presence.expect("it was told").first);

    let url = format!("http://{}", server.address);
    let remote = Remote::new(&url, &SharedKey::new(KEY).expect("a key"), None).expect("an address");
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let engine = think::by_engine();
    let working = tokio::spawn(async move {
        let until = async {
            let _ = stopped.await;
        };
        remote.work(2, &engine, until).await
    });
    other.until_present((true, true, 1)).await;
    play_out(&mut seat, Side::Second).await;
    stop.send(()).expect("it works still");
    working
        .await
        .expect("it does not panic")
        .expect("it ends well");
    server.stop().await;
}

/// Returns a command of `mawe worker` for this server.
fn worker_process(url: &str, key: &str) -> Process {
    let mut command = Process::new(env!("CARGO_BIN_EXE_mawe"));
    command
        .args(["worker", "--server", url, "--threads", "1"])
        .env("MAWE_WORKER_KEY", key)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    command
}

#[tokio::test]
async fn a_worker_process_outlives_its_server_and_ends_on_sigterm() {
    let server = without_threads().await;
    let address = server.address;
    let mut process = worker_process(&format!("http://{address}"), KEY)
        .spawn()
        .expect("it starts");
    let mut person = server.guest().await;
    let id = against(&mut person, "reversi", 1, "second", Some(600_000)).await;
    let mut seat = Seat::take(&person, &id, Side::Second).await;
    assert_eq!(seat.event().await.state.ply, 1);
    // The server is restarted at the same address; the worker reconnects.
    let directory = server.stop().await;
    let again = TestServer::start_on_as(directory, |config| {
        config.network.listen = address;
        config.bots.threads = 0;
        config.worker_key = Some(SharedKey::new(KEY).expect("a key"));
    })
    .await;
    let mut seat = Seat::take(&person, &id, Side::Second).await;
    let text = seat.mirror.state.legal[0].clone();
    let command = seat.a_move(&text);
    seat.send(command).await;
    assert_eq!(seat.event().await.state.ply, 2);
    assert_eq!(seat.event().await.state.ply, 3);
    let pid = process.id().expect("it runs").to_string();
    let killed = Process::new("kill").args(["-TERM", &pid]).status().await;
    assert!(killed.expect("kill runs").success());
    let status = timeout(PATIENCE, process.wait()).await.expect("it ends");
    assert!(status.expect("it is waited for").success());
    again.stop().await;
}

#[tokio::test]
async fn a_worker_that_is_not_wanted_ends_with_one_line() {
    let server = without_threads().await;
    let url = format!("http://{}", server.address);
    for (url, key, code, word) in [
        (
            url.as_str(),
            "another-key-of-some-length",
            1,
            "--worker-key",
        ),
        (url.as_str(), "short", 2, "at least 16"),
        ("not-an-address", KEY, 2, "not-an-address"),
    ] {
        let mut process = worker_process(url, key).spawn().expect("it starts");
        let mut said = String::new();
        let mut stderr = process.stderr.take().expect("it is piped");
        timeout(PATIENCE, stderr.read_to_string(&mut said))
            .await
            .expect("it ends")
            .expect("it is text");
        let status = process.wait().await.expect("it is waited for");
        assert_eq!(status.code(), Some(code), "{said}");
        let last = said.lines().last().unwrap_or_default();
        assert!(last.starts_with("mawe: ") && last.contains(word), "{said}");
        assert!(
            !said.contains(key) || key == "short",
            "no key is shown: {said}"
        );
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn sixty_bot_games_at_once_all_finish_and_no_bot_loses_on_time() {
    const GAMES: usize = 60;
    let server = Arc::new(TestServer::start().await);
    let kinds = ["mawe", "reversi", "checkers", "kalah", "oware", "congkak"];
    let results = Arc::new(Mutex::new(Vec::new()));
    let mut games = Vec::new();
    for number in 0..GAMES {
        let (server, results) = (Arc::clone(&server), Arc::clone(&results));
        let game = kinds[number % kinds.len()];
        let level = u8::try_from(number % 4).expect("small") + 1;
        games.push(tokio::spawn(async move {
            let mut person = server.guest().await;
            // A short clock, so that the bots must hurry.
            let id = against(&mut person, game, level, "first", Some(20_000)).await;
            let mut seat = Seat::take(&person, &id, Side::First).await;
            play_out(&mut seat, Side::First).await;
            let result = seat.mirror.state.result.clone().expect("it is over");
            results
                .lock()
                .expect("nobody panicked")
                .push((game, result));
        }));
    }
    for game in games {
        game.await.expect("it is played to the end");
    }
    let results = std::mem::take(&mut *results.lock().expect("nobody panicked"));
    assert_eq!(results.len(), GAMES);
    for (game, result) in &results {
        let bot_flagged = result.reason == "time" && result.winner == Some(Side::First);
        assert!(!bot_flagged, "{game}: {result:?}");
    }
    let answered = server
        .app()
        .rooms
        .services
        .bots
        .tally
        .answered
        .load(Ordering::Relaxed);
    assert!(answered > GAMES as u64);
    eventually("all matches are counted", async || {
        let uncounted = server.app().store.uncounted_matches(1).await.ok()?;
        uncounted.is_empty().then_some(())
    })
    .await;
}
