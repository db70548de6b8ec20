//! Jobs of computer opponents over NATS: any worker serves any node; and jobs whose worker dies or sends wrong answers.

use std::process::Stdio;
use std::time::{Duration, Instant};

use async_nats::{Client, Message, Subscriber};
use futures_util::StreamExt;
use mawe_rules::Side;
use mawe_server::bots::job::VERSION;
use serde_json::{Value, json};
use tokio::process::{Child, Command};
use tokio::time::timeout;

use super::place::Place;
use crate::common::nats::Nats;
use crate::common::play::Seat;
use crate::common::process::{mawe, run};
use crate::common::{PATIENCE, Person, eventually};

pub(super) fn worker(nats: &str) -> Command {
    let mut command = mawe(["worker", "--threads", "1", "--nats", nats]);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

fn start(nats: &str) -> Child {
    worker(nats).spawn().expect("the binary is there")
}

/// Starts a match on this node against a computer opponent without a clock: it never moves unless a worker thinks for it.
pub(super) async fn against(place: &Place, node: usize, game: &str, level: u8) -> (Person, String) {
    from_setup(place, node, game, "", level).await
}

/// Starts a match on the first node, against a level that thinks for some time from its first move on: the last one, in a setup without an
/// opening book.
async fn thoughtful(place: &Place) -> (Person, String) {
    from_setup(place, 0, "oware", "seeds=6", 10).await
}

async fn from_setup(
    place: &Place,
    node: usize,
    game: &str,
    setup: &str,
    level: u8,
) -> (Person, String) {
    let mut person = place.guest(node).await;
    let new = json!({
        "game": game, "setup": setup, "level": level, "side": "second",
        "time_control": { "kind": "unlimited" },
    });
    let made = person.post("/api/v1/matches", &new).await;
    assert_eq!(made.status, 201, "{made:?}");
    let id = made.text("/id");
    (person, id)
}

/// Plays legal moves until the match has this many plies, or is over.
pub(super) async fn play(seat: &mut Seat, plies: u32) {
    loop {
        let state = &seat.mirror.state;
        if state.result.is_some() || state.ply >= plies {
            return;
        }
        if state.turn == Side::Second && state.legal != ["pass"] {
            let choice = state.ply as usize * 7 % state.legal.len();
            let command = seat.a_move(&state.legal[choice]);
            seat.send(command).await;
        }
        seat.event().await;
    }
}

/// All messages on NATS.
struct Wire {
    client: Client,
    heard: Subscriber,
}

impl Wire {
    async fn of(nats: &Nats) -> Wire {
        let client = async_nats::connect(&nats.url).await.expect("NATS runs");
        let heard = client.subscribe(">").await.expect("it takes anybody");
        client.flush().await.expect("it is heard");
        Wire { client, heard }
    }

    async fn until(&mut self, is_it: impl Fn(&Message) -> bool) -> Message {
        let hearing = async {
            loop {
                let message = self.heard.next().await.expect("the line lasts");
                if is_it(&message) {
                    return message;
                }
            }
        };
        timeout(PATIENCE, hearing).await.expect("it is said")
    }

    /// Returns the next job that is published, and the subject of its answers.
    async fn job(&mut self) -> (Value, String) {
        let message = self
            .until(|message| message.subject.starts_with("mawe.jobs.") && message.reply.is_some())
            .await;
        let job = serde_json::from_slice(&message.payload).expect("a job is JSON");
        (job, message.reply.expect("it is answered").to_string())
    }

    /// Returns the next job that a worker takes, and the subject of its answers. NATS may accept a job for any subscriber, so that some
    /// reach no worker while none has started.
    async fn taken(&mut self) -> (Value, String) {
        let (job, inbox, _) = self.taken_by().await;
        (job, inbox)
    }

    /// Returns the next job that a worker takes, the subject of its answers, and the worker's id.
    async fn taken_by(&mut self) -> (Value, String, Value) {
        let (mut job, mut inbox) = self.job().await;
        loop {
            let next = self
                .until(|message| {
                    let is_job = message.subject.starts_with("mawe.jobs.");
                    (is_job && message.reply.is_some()) || is_word(message, &inbox, "taken")
                })
                .await;
            let said: Value = serde_json::from_slice(&next.payload).expect("it is JSON");
            match next.reply {
                Some(reply) => (job, inbox) = (said, reply.to_string()),
                None => return (job, inbox, said["by"].clone()),
            }
        }
    }

    /// Returns whether a worker has answered the job with this subject by now.
    async fn is_done(&mut self, inbox: &str) -> bool {
        const MARK: &str = "test.mark";
        self.say(MARK, &json!({})).await;
        let next = self
            .until(|message| message.subject.as_str() == MARK || is_word(message, inbox, "done"))
            .await;
        next.subject.as_str() != MARK
    }

    async fn say(&self, subject: &str, word: &Value) {
        let payload = word.to_string().into_bytes();
        let said = self
            .client
            .publish(subject.to_owned(), payload.into())
            .await;
        said.expect("the line lasts");
    }
}

/// Returns whether a message on this subject has this type.
fn is_word(message: &Message, inbox: &str, word: &str) -> bool {
    let payload: Value = serde_json::from_slice(&message.payload).unwrap_or_default();
    message.subject.as_str() == inbox && payload["t"] == word
}

#[tokio::test]
async fn one_worker_thinks_for_all_nodes_also_when_nats_was_away() {
    let mut place = Place::of(0).await;
    let mut wire = Wire::of(&place.nats).await;
    // The worker may start before any node does.
    let mut process = start(&place.nats.url);
    wire.until(|message| message.subject.as_str() == "mawe.versions")
        .await;
    drop(wire);
    place.add().await;
    place.add().await;
    let mut seats = Vec::new();
    // A level that needs little time.
    for (node, game) in [(0, "kalah"), (1, "reversi")] {
        let (person, id) = against(&place, node, game, 5).await;
        seats.push(Seat::take_in_cluster(&person, &id, Side::Second).await);
    }
    let [kalah, reversi] = &mut seats[..] else {
        panic!("two")
    };
    tokio::join!(play(kalah, 6), play(reversi, 6));
    place.nats.kill();
    tokio::time::sleep(Duration::from_millis(300)).await;
    place.nats.revive();
    tokio::join!(play(kalah, u32::MAX), play(reversi, 14));
    let ended = timeout(PATIENCE, async {
        let id = process.id().expect("it runs").to_string();
        let sent = Command::new("kill").args(["-TERM", &id]).status().await;
        assert!(sent.expect("kill runs").success());
        process.wait().await.expect("it is waited for")
    });
    assert!(ended.await.expect("it ends").success());
}

#[tokio::test]
async fn the_threads_of_one_node_think_for_another() {
    let mut place = Place::of(1).await;
    place.threads = 1;
    place.add().await;
    let (person, id) = against(&place, 0, "oware", 5).await;
    let mut seat = Seat::take_in_cluster(&person, &id, Side::Second).await;
    let (own_person, own) = against(&place, 1, "oware", 5).await;
    let mut own_seat = Seat::take_in_cluster(&own_person, &own, Side::Second).await;
    tokio::join!(play(&mut seat, 12), play(&mut own_seat, 12));
}

#[tokio::test]
async fn a_computer_opponent_plays_on_when_its_node_has_lost_its_lease() {
    let place = Place::of(1).await;
    let _worker = start(&place.nats.url);
    let (person, id) = against(&place, 0, "oware", 5).await;
    let mut seat = Seat::take_in_cluster(&person, &id, Side::Second).await;
    play(&mut seat, 5).await;
    place.node(0).signal("STOP").await;
    // Longer than a lease.
    tokio::time::sleep(Duration::from_millis(2_500)).await;
    place.node(0).signal("CONT").await;
    play(&mut seat, 12).await;
    eventually("the lost lease", async || {
        (place.leases_lost().await > 0.0).then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_worker_over_nats_analyses_a_match_that_is_read_on_every_node() {
    let place = Place::of(2).await;
    let (mut person, id) = against(&place, 0, "kalah", 1).await;
    let new = json!({ "name": "Asha", "password": "kiboko-na-twiga-7" });
    assert_eq!(person.post("/api/v1/accounts", &new).await.status, 201);
    let mut seat = Seat::take_in_cluster(&person, &id, Side::Second).await;
    seat.send(mawe_wire::Command::Resign).await;
    assert!(seat.event().await.state.result.is_some());
    let path = format!("/api/v1/matches/{id}/analysis");
    assert_eq!(person.post(&path, &Value::Null).await.status, 202);
    let reader = place.guest(1).await;
    assert_eq!(reader.get(&path).await.json()["state"], "waiting");
    let _worker = start(&place.nats.url);
    let analysis = eventually("the analysis", || async {
        let analysis = reader.get(&path).await.json();
        (analysis["state"] != "waiting").then_some(analysis)
    });
    let analysis = analysis.await;
    assert_eq!(analysis["state"], "done", "{analysis}");
    assert_eq!(
        analysis["positions"].as_array().expect("positions").len(),
        1
    );
}

#[tokio::test]
async fn the_job_of_a_worker_that_is_killed_is_done_by_another() {
    let place = Place::of(1).await;
    let mut wire = Wire::of(&place.nats).await;
    let (person, id, job, inbox, _second) = loop {
        let mut first = start(&place.nats.url);
        wire.until(|message| message.subject.starts_with("mawe.free."))
            .await;
        let (person, id) = thoughtful(&place).await;
        let (job, inbox) = wire.taken().await;
        assert_eq!(job["attempt"], 1, "{job}");
        first.kill().await.expect("it can be killed");
        // It thinks for a part of a second only, and may have been faster.
        if wire.is_done(&inbox).await {
            continue;
        }
        let second = start(&place.nats.url);
        let (again, inbox) = wire.taken().await;
        // Each attempt has an id of its own. On a busy machine the match may have asked anew before a second worker was there.
        if again["attempt"] == 2 {
            break (person, id, again, inbox, second);
        }
    };
    let mut seat = Seat::take_in_cluster(&person, &id, Side::Second).await;
    let done = wire.until(|message| is_word(message, &inbox, "done")).await;
    let done: Value = serde_json::from_slice(&done.payload).expect("it is JSON");
    assert_eq!(done["id"], job["id"]);
    // The worker's move is played, not one of the fallback's.
    seat.event().await;
    assert_eq!(seat.mirror.plies[0].text, done["move"], "{done}");
}

#[tokio::test]
async fn what_is_forged_on_nats_moves_nothing_and_keeps_nobody() {
    let place = Place::of(1).await;
    let mut wire = Wire::of(&place.nats).await;
    // Malformed jobs.
    let jobs = format!("mawe.jobs.{VERSION}");
    for nonsense in [json!(null), json!({ "id": 1 })] {
        wire.say(&jobs, &nonsense).await;
    }
    let _worker = start(&place.nats.url);
    wire.until(|message| message.subject.starts_with("mawe.free."))
        .await;
    for nonsense in [json!({ "t": "done" }), json!("x")] {
        wire.say(&jobs, &nonsense).await;
    }
    let (person, id) = thoughtful(&place).await;
    let mut seat = Seat::take_in_cluster(&person, &id, Side::Second).await;
    let (job, inbox) = wire.taken().await;
    let number = job["id"].as_u64().expect("a number");
    let legal = seat.mirror.state.legal.clone();
    // Garbage, a legal move for another job, and one under no job: the worker's own answer is still accepted.
    wire.say(&inbox, &json!(["garbage"])).await;
    wire.say(
        &inbox,
        &json!({ "t": "done", "id": number + 1, "move": legal[0] }),
    )
    .await;
    wire.say("mawe.jobs.0.0.0-old", &json!({ "t": "done", "id": number }))
        .await;
    let done = wire
        .until(|message| {
            let payload: Value = serde_json::from_slice(&message.payload).unwrap_or_default();
            message.subject.as_str() == inbox && payload["t"] == "done" && payload["id"] == number
        })
        .await;
    let done: Value = serde_json::from_slice(&done.payload).expect("it is JSON");
    seat.event().await;
    assert_eq!(seat.mirror.plies[0].text, done["move"], "{done}");
    // After an illegal move under the right number the job goes to a worker again, and the move is never played.
    let mut given_again = false;
    while !given_again {
        let plies = seat.mirror.state.ply + 1;
        play(&mut seat, plies).await;
        let (job, inbox) = wire.taken().await;
        let illegal = json!({ "t": "done", "id": job["id"], "move": "z9z9" });
        wire.say(&inbox, &illegal).await;
        tokio::select! {
            biased;
            (again, _) = wire.job() => {
                assert_ne!(again["id"], job["id"]);
                // On a busy machine the match may have asked anew, because the first attempt took too long.
                given_again = again["attempt"] == 2;
                seat.event().await;
            }
            // On a busy machine the worker may have been quicker: then the check is repeated at its next move.
            _ = seat.event() => {}
        }
        assert_eq!(seat.mirror.state.ply, plies + 1);
        assert!(seat.mirror.state.result.is_none(), "it was never in time");
    }
}

#[tokio::test]
async fn a_job_goes_to_no_worker_that_has_failed_it() {
    let place = Place::of(1).await;
    let mut wire = Wire::of(&place.nats).await;
    // Two threads each: a job that failed on one thread is offered to the other thread of the worker, which declines it.
    let many = || {
        let mut command = mawe(["worker", "--threads", "2", "--nats", &place.nats.url]);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().expect("the binary is there")
    };
    let _workers = [many(), many()];
    for _ in 0..4 {
        wire.until(|message| message.subject.starts_with("mawe.free."))
            .await;
    }
    // On a busy machine the other worker is often too late, and the node answers itself: then the check is repeated. A single decline may
    // be chance.
    let begun = Instant::now();
    let mut avoided = 0;
    while avoided < 3 && (avoided == 0 || begun.elapsed() < PATIENCE) {
        let (person, id) = thoughtful(&place).await;
        let mut seat = Seat::take_in_cluster(&person, &id, Side::Second).await;
        let (job, inbox, first) = wire.taken_by().await;
        assert!(
            first.is_string() && job["failed_by"].is_null(),
            "{first} {job}"
        );
        let illegal = json!({ "t": "done", "id": job["id"], "move": "z9z9" });
        wire.say(&inbox, &illegal).await;
        tokio::select! {
            (again, _, second) = wire.taken_by() => {
                assert_eq!(again["failed_by"], json!([first]), "{again}");
                assert_ne!(second, first);
                avoided += 1;
            }
            _ = seat.event() => {}
        }
        seat.send(mawe_wire::Command::Resign).await;
        while seat.mirror.state.result.is_none() {
            seat.event().await;
        }
        assert!(begun.elapsed() < 4 * PATIENCE, "no other was ever in time");
    }
}

#[tokio::test]
async fn a_worker_of_another_version_ends_with_one_line() {
    let nats = Nats::start();
    let mut wire = Wire::of(&nats).await;
    let node = async {
        let asked = wire
            .until(|message| message.subject.as_str() == "mawe.versions")
            .await;
        let reply = asked.reply.expect("it wants an answer");
        let told = wire.client.publish(reply, "9.9.9".into()).await;
        told.expect("the line lasts");
        wire.client.flush().await.expect("the line lasts");
    };
    let mut command = mawe(["worker", "--threads", "1", "--nats", &nats.url]);
    command.env("RUST_LOG", "error");
    let (ended, ()) = tokio::join!(run(command), node);
    let complaint = ended.complaint(1);
    assert!(
        complaint.contains("9.9.9") && complaint.contains(VERSION),
        "{complaint}"
    );
    // The address has no listener; and the two options exclude each other.
    let complaint = run(mawe(["worker", "--nats", "nats://user:secret@127.0.0.1:9"])).await;
    let complaint = complaint.complaint(1);
    assert!(
        complaint.contains("127.0.0.1:9") && !complaint.contains("secret"),
        "{complaint}"
    );
    let both = run(mawe([
        "worker",
        "--nats",
        &nats.url,
        "--server",
        "http://127.0.0.1:9",
    ]))
    .await;
    assert_eq!(both.code, Some(2), "{both:?}");
}
