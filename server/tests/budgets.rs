//! The cost limits of every `GET` of the OpenAPI document: rows read, allocations, and bytes compressed on threads that other requests
//! need. All of these are counted, none is timed. A route without a line here fails.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::alloc::System;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use mawe_play::events::Input;
use mawe_rules::GameKind;
use mawe_server::bots::job::VERSION;
use mawe_server::clock::unix_ms;
use mawe_server::identity::sessions;
use mawe_server::mail::MailSettings;
use mawe_store::{
    AccountChange, Attribution, NewAnalysis, NewChatLine, NewReport, NewSession, RequestedAnalysis,
    Store,
};
use mawe_wire::chat::ChatRoom;
use mawe_wire::grants::Grant;
use mawe_wire::ids::{MatchId, PlayerId, ReportId};
use mawe_wire::reports::ReportReason;
use serde_json::{Value, json};
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tracing::field::{Field, Visit};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};

mod common;
#[path = "common/crowd.rs"]
mod crowd;

use common::{PATIENCE, TestServer};
use crowd::{Crowd, Database};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// The number of requests for each route. The second smallest count is used: background work of the server only adds to a count, and a
/// statement that is logged late is missing from the count of one request alone.
const TIMES: usize = 11;

/// The greatest permitted cost of a request.
struct Budget {
    route: &'static str,
    /// The most expensive query.
    query: &'static str,
    /// Rows that the database returns.
    rows: u64,
    /// Allocations by the server, the database client and the few of the test's own connection.
    allocations: u64,
    /// Bytes compressed on the threads that handle requests.
    compressed: u64,
}

const fn budget(
    route: &'static str,
    query: &'static str,
    rows: u64,
    allocations: u64,
    compressed: u64,
) -> Budget {
    Budget {
        route,
        query,
        rows,
        allocations,
        compressed,
    }
}

/// The number of games.
const GAMES: u64 = GameKind::ALL.len() as u64;

/// The greatest number of bytes that an answer may compress on such a thread.
const INLINE: u64 = 16 * 1024;

/// An export of 200 matches: 8 KiB at a time, each after the reader has taken the one before.
const EXPORT: u64 = 256 * 1024;

/// Each limit was set to about one and a half times the count when its line was written.
const BUDGETS: &[Budget] = &[
    budget("/api/v1/activity", "", 15, 1_000, INLINE),
    budget("/api/v1/banner", "", 3, 600, 0),
    budget("/api/v1/banner/picture", "", 3, 600, 0),
    budget("/api/v1/challenges/{id}", "", 5, 700, INLINE),
    // The reader is an officer of a club with all players, and of others that 99 players have requested to join.
    budget("/api/v1/clubs", "?limit=100", 30, 900, INLINE),
    budget("/api/v1/clubs/{handle}", "", 6, 700, INLINE),
    budget(
        "/api/v1/clubs/{handle}/invitations",
        "?limit=100",
        150,
        3_000,
        INLINE,
    ),
    budget(
        "/api/v1/clubs/{handle}/leaderboards/{game}",
        "?limit=100",
        60,
        1_200,
        INLINE,
    ),
    budget(
        "/api/v1/clubs/{handle}/log",
        "?limit=100",
        150,
        2_000,
        INLINE,
    ),
    budget(
        "/api/v1/clubs/{handle}/club-matches",
        "?limit=100",
        500,
        6_000,
        INLINE,
    ),
    budget("/api/v1/club-matches/{id}", "", 60, 2_500, INLINE),
    budget(
        "/api/v1/club-matches/{id}/players",
        "?limit=100",
        60,
        1_500,
        INLINE,
    ),
    // A hundred players, of whom all have a game.
    budget(
        "/api/v1/events",
        "?limit=100&state=finished",
        80,
        3_000,
        INLINE,
    ),
    budget("/api/v1/event-timetables", "?limit=100", 150, 3_300, INLINE),
    budget("/api/v1/events/{id}", "", 10, 1_500, INLINE),
    budget("/api/v1/events/{id}/stream", "", 60, 2_000, 0),
    budget(
        "/api/v1/events/{id}/standings",
        "?limit=100",
        160,
        3_000,
        INLINE,
    ),
    budget(
        "/api/v1/events/{id}/games",
        "?limit=100&round=1",
        230,
        3_000,
        INLINE,
    ),
    budget("/api/v1/events/{id}/export", "", 160, 4_000, INLINE),
    budget("/api/v1/events/{id}/results.csv", "", 160, 4_000, INLINE),
    budget("/api/v1/events/{id}/results.trf", "", 160, 4_000, INLINE),
    budget("/api/v1/clubs/{handle}/matches", "?limit=100", 7, 700, 0),
    budget(
        "/api/v1/clubs/{handle}/pupils",
        "?limit=100",
        150,
        3_000,
        INLINE,
    ),
    budget("/api/v1/clubs/{handle}/export", "", 150, 3_000, INLINE),
    budget(
        "/api/v1/clubs/{handle}/export/matches",
        "",
        2_500,
        157_000,
        3 * EXPORT,
    ),
    budget(
        "/api/v1/clubs/{handle}/members",
        "?limit=100",
        150,
        3_000,
        INLINE,
    ),
    budget(
        "/api/v1/clubs/{handle}/requests",
        "?limit=100",
        150,
        3_000,
        INLINE,
    ),
    budget("/api/v1/games", "", 0, 500, INLINE),
    budget("/api/v1/invitations", "?limit=100", 150, 2_500, INLINE),
    budget("/api/v1/site/logo", "", 0, 400, 0),
    budget("/api/v1/games/{game}/picture.png", "", 0, 900, 0),
    budget(
        "/api/v1/leaderboards/{game}",
        "?limit=100",
        50,
        1_000,
        INLINE,
    ),
    budget("/api/v1/matches", "", 70, 2_000, INLINE),
    budget("/api/v1/matches/{id}", "", 4, 600, INLINE),
    budget("/api/v1/matches/{id}/conditional-moves", "", 5, 700, 0),
    // The reader has muted half of the players.
    budget("/api/v1/matches/{id}/chat", "", 80, 800, INLINE),
    budget(
        "/api/v1/matches/{id}/chat/{room}",
        "?limit=100",
        160,
        4_000,
        INLINE,
    ),
    budget("/api/v1/matches/{id}/export", "", 4, 700, INLINE),
    budget("/api/v1/matches/{id}/analysis", "", 2, 700, INLINE),
    budget("/api/v1/matches/{id}/picture.png", "?ply=0", 4, 1_000, 0),
    budget("/api/v1/matches/{id}/board.svg", "?ply=0", 4, 1_500, INLINE),
    budget("/api/v1/matches/{id}/animation.gif", "", 6, 1_500, 0),
    budget("/api/v1/matches/{id}/stream", "", 4, 700, 0),
    budget("/api/v1/me", "", 4, 500, 0),
    budget("/api/v1/me/challenges", "", 130, 4_200, INLINE),
    budget("/api/v1/me/decisions", "", 3, 500, INLINE),
    budget("/api/v1/me/matches", "", 10, 700, INLINE),
    // The reader follows half of the players and has blocked others.
    budget("/api/v1/me/follows", "?limit=100", 80, 1_200, INLINE),
    budget("/api/v1/me/followers", "?limit=100", 80, 2_000, INLINE),
    budget("/api/v1/me/followed-matches", "?limit=100", 3, 620, 0),
    budget("/api/v1/me/relations/{name}", "", 6, 600, 0),
    budget("/api/v1/me/blocks", "?limit=100", 80, 2_000, INLINE),
    budget("/api/v1/me/clubs", "?limit=100", 35, 1_200, INLINE),
    budget("/api/v1/me/mutes", "", 80, 1_500, INLINE),
    // All that the reader has, 100 rows at a time.
    budget("/api/v1/me/display-name", "", 4, 500, 0),
    budget("/api/v1/me/email", "", 6, 700, 0),
    budget("/api/v1/me/export", "", 7_200, 45_000, 3 * EXPORT),
    budget("/api/v1/me/name", "", 4, 500, 0),
    budget("/api/v1/me/notices", "", 3, 500, 0),
    budget("/api/v1/me/passkeys", "", 13, 700, INLINE),
    budget("/api/v1/me/preferences", "", 4, 500, 0),
    budget("/api/v1/me/push", "", 3, 500, 0),
    budget("/api/v1/me/recovery-codes", "", 11, 500, 0),
    budget("/api/v1/me/sessions", "", 5, 500, INLINE),
    budget("/api/v1/me/stream", "", 70, 1_700, 0),
    budget("/api/v1/me/tokens", "", 3, 450, INLINE),
    budget("/api/v1/me/vacation", "", 3, 450, 0),
    budget("/api/v1/moderation/audit", "?limit=100", 140, 3_500, INLINE),
    budget("/api/v1/moderation/pairs", "", 3, 450, INLINE),
    budget("/api/v1/moderation/reports", "?limit=100", 14, 700, INLINE),
    budget("/api/v1/moderation/reports/{id}", "", 4, 700, INLINE),
    budget(
        "/api/v1/moderation/reports/{id}/chat",
        "",
        70,
        2_000,
        INLINE,
    ),
    budget(
        "/.well-known/oauth-authorization-server",
        "",
        0,
        500,
        INLINE,
    ),
    budget(
        "/api/v1/oauth/request",
        "?response_type=code&client_id=abc&redirect_uri=https://a.example/&scope=read&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256",
        0,
        600,
        INLINE,
    ),
    budget("/api/v1/positions/{game}", "", 0, 900, INLINE),
    budget("/api/v1/positions/{game}/picture.png", "", 0, 1_200, 0),
    budget("/embed/match/{id}", "?theme=dark&lang=sw", 3, 900, INLINE),
    budget("/embed/tv/{game}", "", 0, 600, INLINE),
    budget(
        "/oembed",
        "?url=http://a.example/embed/tv/mawe",
        0,
        600,
        INLINE,
    ),
    budget(
        "/api/v1/operator/accounts",
        "?limit=100",
        140,
        2_500,
        INLINE,
    ),
    budget("/api/v1/operator/audit", "?limit=100", 140, 3_500, INLINE),
    budget("/api/v1/operator/jobs", "", 3, 500, INLINE),
    budget("/api/v1/operator/pulse", "", 10, 900, INLINE),
    budget("/api/v1/operator/settings", "", 3, 500, INLINE),
    budget("/api/v1/operator/status", "", 12, 900, INLINE),
    budget(
        "/api/v1/players",
        "?search=pl&limit=100",
        130,
        1_400,
        INLINE,
    ),
    // Ratings in each game.
    budget("/api/v1/players/{name}", "", 3 + 7 * GAMES, 900, INLINE),
    // A row for each game that they have played.
    budget(
        "/api/v1/players/{name}/against/{other}",
        "",
        3 + GAMES,
        600,
        INLINE,
    ),
    budget(
        "/api/v1/players/{name}/clubs",
        "?limit=100",
        35,
        1_200,
        INLINE,
    ),
    budget(
        "/api/v1/players/{name}/matches",
        "?limit=100",
        130,
        4_000,
        INLINE,
    ),
    budget(
        "/api/v1/players/{name}/matches/export",
        "",
        500,
        77_200,
        EXPORT,
    ),
    budget(
        "/api/v1/players/{name}/ratings/{game}/{speed}",
        "?limit=1000",
        14,
        800,
        INLINE,
    ),
    budget("/api/v1/pools", "", 0, 235 + 25 * GAMES, INLINE),
    budget("/api/v1/push/key", "", 0, 400, 0),
    budget("/api/v1/seeks", "", 7, 700, INLINE),
    budget("/api/v1/tv", "", 0, 500, INLINE),
    budget("/api/v1/tv/{game}/stream", "", 3, 600, 0),
    budget("/api/v1/ws", "", 3, 400, 0),
    budget("/healthz", "", 0, 400, 0),
    budget("/readyz", "", 3, 400, 0),
];

/// The measured cost of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Cost {
    rows: u64,
    allocations: u64,
    compressed: u64,
}

static ROWS: AtomicU64 = AtomicU64::new(0);

/// Receives from the database client the number of rows of each statement.
struct Ear;

impl<S: tracing::Subscriber> Layer<S> for Ear {
    fn on_event(&self, event: &tracing::Event<'_>, _: Context<'_, S>) {
        event.record(&mut Rows);
    }
}

struct Rows;

impl Visit for Rows {
    fn record_u64(&mut self, field: &Field, value: u64) {
        if field.name() == "rows_returned" {
            ROWS.fetch_add(value, Ordering::Relaxed);
        }
    }

    fn record_debug(&mut self, _: &Field, _: &dyn Debug) {}
}

/// A single test, because it counts the work of the whole process.
#[tokio::test]
async fn every_get_keeps_to_its_budget() {
    let targets = Targets::new().with_target("sqlx::query", LevelFilter::DEBUG);
    let subscriber = tracing_subscriber::registry().with(Ear.with_filter(targets));
    tracing::subscriber::set_global_default(subscriber).unwrap();
    let mut url = String::new();
    let server = TestServer::start_with(|config| {
        url.clone_from(&config.store_url);
        config.operator_page = true;
        let sender = "noreply@club.example".parse().unwrap();
        config.mail = Some(MailSettings::local(1, sender, "mawe.example"));
    })
    .await;
    let world = World::fill(&server, &url).await;

    let document: Value = serde_json::from_str(&mawe_server::api::openapi_json()).unwrap();
    let paths = document["paths"].as_object().unwrap();
    let gets = paths.iter().filter(|(_, item)| item.get("get").is_some());
    let routes: BTreeSet<&str> = gets.map(|(path, _)| path.as_str()).collect();
    let known: BTreeSet<&str> = BUDGETS.iter().map(|budget| budget.route).collect();
    assert_eq!(routes, known, "each route has a budget, and no other has");

    let mut costs = BTreeMap::new();
    let mut faults = Vec::new();
    for budget in BUDGETS {
        let (status, cost) = world.cost(&server, budget).await;
        // Only two refused requests are permitted: a plain request to the socket, and a missing banner or logo.
        let is_answered = matches!(
            (budget.route, status),
            (_, 200)
                | ("/api/v1/ws", 400 | 426)
                | ("/api/v1/banner", 204)
                | ("/api/v1/banner/picture" | "/api/v1/site/logo", 404)
        );
        if !is_answered {
            faults.push(format!("{} answers {status}", budget.route));
        }
        let bounds = [budget.rows, budget.allocations, budget.compressed];
        let counts = [cost.rows, cost.allocations, cost.compressed];
        if counts
            .iter()
            .zip(bounds)
            .any(|(count, bound)| *count > bound)
        {
            faults.push(format!(
                "{}: {cost:?} is more than {bounds:?}",
                budget.route
            ));
        }
        // A limit far above the count is useless. Streams are excluded: the part that arrives with the head varies.
        let is_whole = !budget.route.ends_with("/stream");
        if is_whole && budget.allocations > 4 * cost.allocations {
            faults.push(format!(
                "{}: {cost:?} is far below {bounds:?}",
                budget.route
            ));
        }
        costs.insert(budget.route, cost);
    }
    assert!(faults.is_empty(), "{faults:#?}");

    // Checks the test itself: rows, allocations and compressed bytes are counted.
    let long = costs["/api/v1/players/{name}/matches"];
    let short = costs["/healthz"];
    assert!(long.rows > 100 && short.rows == 0, "{costs:#?}");
    assert!(long.allocations > 4 * short.allocations, "{costs:#?}");
    assert!(costs["/api/v1/me/matches"].compressed > 0, "{costs:#?}");
    server.stop().await;
}

/// Players with long histories, one of them signed in as a moderator and the operator.
struct World {
    cookie: String,
    match_id: String,
    /// A match that is over.
    finished: String,
    challenge: String,
    report: String,
    /// A match of others with a full chat of its spectators.
    watched: String,
    line_report: String,
    /// A finished club match.
    club_match: String,
    /// A running event of all players.
    event: String,
}

impl World {
    async fn fill(server: &TestServer, url: &str) -> World {
        let mut database = Database::open(url).await;
        let crowd = Crowd::fill(&mut database, 100, 1_000).await;
        // The crowd's matches have no journals: the server must not count or wake them.
        let idle = "DELETE FROM outbox; UPDATE matches SET due_ms = NULL";
        database.execute(idle.to_owned()).await;
        let store = &server.app().store;
        let me = crowd.players[0].clone();
        let (token, hash) = sessions::draw();
        let session = NewSession {
            hash,
            player: me.clone(),
            label: String::new(),
            created_ms: 1,
            expires_ms: i64::MAX,
        };
        store.create_session(&session).await.unwrap();
        let attribution = Attribution {
            by: None,
            why: String::new(),
            at_ms: 1,
        };
        for grant in [Grant::Moderator, Grant::Operator] {
            let grant = AccountChange::Grant(grant);
            store
                .change_account(&me, &grant, &attribution)
                .await
                .unwrap();
        }
        let mut person = server.stranger();
        person.token = Some(token);
        let offer = json!({
            "game": "mawe", "side": "first",
            "time_control": { "kind": "realtime", "base_ms": 600_000, "increment_ms": 0 },
        });
        let challenge = person.post("/api/v1/challenges", &offer).await.text("/id");
        let mut against = offer.clone();
        against["level"] = json!(1);
        // The match waits for its first move.
        let of_match = person.post("/api/v1/matches", &against).await;
        fill_analysis(store, &of_match.text("/id"), &me).await;
        let finished = person.post("/api/v1/matches", &against).await.text("/id");
        let abort = json!({ "client_id": "a", "seq": 0, "command": { "kind": "abort" } });
        let path = format!("/api/v1/matches/{finished}/commands");
        assert_eq!(person.post(&path, &abort).await.status, 200);
        let reports = person.get("/api/v1/moderation/reports").await;
        let watched = store.running_matches(None, unix_ms(), 100).await.unwrap();
        let watched = watched
            .into_iter()
            .find(|row| row.players.iter().all(|(_, player)| player.id != me));
        let watched = watched.expect("a match of others").id;
        let line_report = fill_chat(store, &watched, &crowd.players).await;
        World {
            watched: watched.to_string(),
            line_report,
            club_match: crowd.club_matches[3].to_string(),
            event: fill_event(server, &crowd.players).await,
            cookie: person.cookie().unwrap(),
            match_id: of_match.text("/id"),
            finished,
            challenge,
            report: reports.text("/items/0/id"),
        }
    }

    /// Sends a request; returns its status and its cost.
    async fn cost(&self, server: &TestServer, budget: &Budget) -> (u16, Cost) {
        let id = match budget.route.split('/').nth(3) {
            Some("challenges") => &self.challenge,
            Some("club-matches") => &self.club_match,
            Some("events") => &self.event,
            Some("moderation") if budget.route.ends_with("/chat") => &self.line_report,
            Some("moderation") => &self.report,
            Some("matches") if budget.route.contains("/chat") => &self.watched,
            Some("matches") if budget.route.ends_with(".gif") => &self.finished,
            _ => &self.match_id,
        };
        // Nobody is invited to the club of all players.
        let is_of_others = ["/requests", "/invitations"]
            .iter()
            .any(|end| budget.route.ends_with(end));
        let handle = if is_of_others { "crowd1" } else { "crowd0" };
        let path = budget
            .route
            .replace("{id}", id)
            .replace("{handle}", handle)
            .replace("{name}", &Crowd::name(0))
            .replace("{room}", "spectators")
            .replace("{other}", &Crowd::name(1))
            .replace("{game}", "mawe")
            .replace("{speed}", "blitz");
        let request = format!(
            "GET {path}{} HTTP/1.1\r\nHost: a.example\r\nCookie: {}\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n",
            budget.query, self.cookie
        );
        let endless = path.ends_with("/stream");
        let mut status = 0;
        let mut costs = Vec::new();
        let mut answer = Vec::with_capacity(1 << 20);
        for _ in 0..TIMES {
            answer.clear();
            rest().await;
            let before = counters(server);
            let mut line = TcpStream::connect(server.address).await.unwrap();
            line.write_all(request.as_bytes()).await.unwrap();
            timeout(PATIENCE, async {
                while line.read_buf(&mut answer).await.unwrap() > 0 {
                    if endless && answer.windows(4).any(|bytes| bytes == b"\r\n\r\n") {
                        break;
                    }
                }
            })
            .await
            .unwrap();
            let after = counters(server);
            status = std::str::from_utf8(&answer[9..12])
                .unwrap()
                .parse()
                .unwrap();
            costs.push([0, 1, 2].map(|index| after[index] - before[index]));
        }
        let [rows, allocations, compressed] = [0, 1, 2].map(|index| {
            let mut counts: Vec<u64> = costs.iter().map(|cost| cost[index]).collect();
            counts.sort_unstable();
            counts[1]
        });
        let cost = Cost {
            rows,
            allocations,
            compressed,
        };
        (status, cost)
    }
}

/// Creates a Swiss tournament with all players, and pairs its first round.
async fn fill_event(server: &TestServer, players: &[PlayerId]) -> String {
    let mut creator = server.account("Organizer").await;
    let start = jiff::Timestamp::from_millisecond(unix_ms() + 3_600_000).unwrap();
    let body = json!({
        "kind": "swiss", "name": "All of them", "game": "mawe", "rounds": 5, "start_at": start.to_string(),
        "time_control": { "kind": "correspondence", "days": 3 },
    });
    let id = creator.post("/api/v1/events", &body).await.text("/id");
    let key = id.parse().unwrap();
    let lobby = &server.app().lobby;
    for player in players {
        let join = Input::Join {
            player,
            rating: 1_500.0,
            group: None,
        };
        lobby.change_event(&key, unix_ms(), &join).await.unwrap();
    }
    let begin = unix_ms() + 3_601_000;
    lobby.change_event(&key, begin, &Input::Tick).await.unwrap();
    id
}

/// Stores a finished analysis of sixty positions.
async fn fill_analysis(store: &Arc<dyn Store>, id: &str, by: &PlayerId) {
    let id: MatchId = id.parse().unwrap();
    let new = NewAnalysis {
        match_id: id.clone(),
        engine: VERSION.to_owned(),
        by: by.clone(),
        at_ms: 1,
        most: 1,
        since_ms: 0,
    };
    assert_eq!(
        store.request_analysis(&new).await.unwrap(),
        RequestedAnalysis::New
    );
    let position = |ply: u32| {
        json!({
            "ply": ply, "best": "a1b2", "score": 12, "proven": false, "depth": 9, "nodes": 300_000,
            "pv": vec!["a1b2"; 12], "loss": 0.06, "mistake": "inaccuracy",
        })
    };
    let side = json!({ "accuracy": 0.9, "inaccuracies": 30, "mistakes": 0, "blunders": 0 });
    let positions: Vec<Value> = (0..60).map(position).collect();
    let report = json!({ "nodes": 300_000, "positions": positions, "sides": { "first": side, "second": side } });
    let text = report.to_string();
    let ended = store.end_analysis(&id, VERSION, Some(&text)).await;
    assert!(ended.unwrap());
}

/// Fills the chat of a match for its first reader, who has muted many, and reports a line in the middle; returns the report.
async fn fill_chat(store: &Arc<dyn Store>, id: &MatchId, players: &[PlayerId]) -> String {
    let me = &players[0];
    store.set_chat(me, true).await.unwrap();
    for muted in &players[50..] {
        assert!(store.mute_in_chat(me, muted, 200, 1).await.unwrap());
        store.block(me, muted, 200, 1).await.unwrap();
    }
    for followed in &players[1..50] {
        store.follow(me, followed, 200, 1).await.unwrap();
        store.follow(followed, me, 200, 1).await.unwrap();
    }
    for number in 0..300 {
        let line = NewChatLine {
            match_id: id.clone(),
            room: ChatRoom::Spectators,
            player: players[1 + number % 90].clone(),
            text: "a line of some words, as people write them".to_owned(),
            at_ms: 1,
        };
        store.write_chat_line(&line, 300).await.unwrap();
    }
    let report = NewReport {
        id: ReportId::random(),
        reporter: me.clone(),
        reported: players[90].clone(),
        reason: ReportReason::Chat,
        text: String::new(),
        match_id: Some(id.clone()),
        chat_line: Some((ChatRoom::Spectators, 150)),
        club: None,
        at_ms: 1,
    };
    store.create_report(&report).await.unwrap();
    report.id.to_string()
}

/// Waits until no more rows are read: a stream that was left continues for a moment, and would count for the next request.
async fn rest() {
    let resting = async {
        let mut before = ROWS.load(Ordering::Relaxed);
        loop {
            tokio::time::sleep(Duration::from_millis(20)).await;
            let now = ROWS.load(Ordering::Relaxed);
            if std::mem::replace(&mut before, now) == now {
                break;
            }
        }
    };
    timeout(PATIENCE, resting).await.expect("it comes to rest");
}

fn counters(server: &TestServer) -> [u64; 3] {
    let stats = ALLOCATOR.stats();
    let allocations = stats.allocations + stats.reallocations;
    [
        ROWS.load(Ordering::Relaxed),
        u64::try_from(allocations).unwrap(),
        server.app().compression.inline_bytes(),
    ]
}
