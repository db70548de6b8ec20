//! The program of `tests/clients/conformance.py` with this library.

use std::time::Duration;

use mawe_client::types::{ClientMsg, Command, GameKind, Offer, ServerMsg, TimeControl};
use mawe_client::{Client, Error, Live, Match};
use serde_json::{Value, json};

const MATCH: &str = "Kx7Rm2Qp9TzA";
const CHALLENGE: &str = "9sHq4UvJ2kXn";
/// The time for an answer, for the wish `me`.
const TIMEOUT: Duration = Duration::from_secs(3);
const OF_A_MATCH: [&str; 4] = ["hello", "snapshot", "event", "joined"];

/// The report about one address.
#[derive(Default)]
struct Report {
    seen: Vec<u64>,
    others: Vec<String>,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let urls = std::env::args().skip(1);
    let tasks: Vec<_> = urls.map(|url| tokio::spawn(run(url))).collect();
    for task in tasks {
        task.await.expect("no scenario makes the library panic")?;
    }
    Ok(())
}

async fn run(url: String) -> Result<(), Error> {
    let (address, wish) = url.split_once('#').unwrap_or((&url, ""));
    let builder = Client::builder(address).token("mawe_test");
    let client = if wish == "me" { builder.timeout(TIMEOUT) } else { builder }.build()?;
    let mut report = Report::default();
    let end = match wish {
        "me" | "challenge" | "accept" | "stream" => ask(&client, wish, &mut report).await,
        _ => play(&client, wish, &mut report).await,
    };
    let ended = match end {
        Ok(()) => Value::Null,
        Err(Error::Goodbye(code)) => code.into(),
        Err(Error::Refused(refused)) => refused.code.to_string().into(),
        Err(Error::Problem(problem)) => problem.status.into(),
        Err(Error::Unreachable { .. }) => "unreachable".into(),
        Err(Error::Closed) => "closed".into(),
        Err(error) => return Err(error),
    };
    println!("{}", json!({ "url": url, "seen": report.seen, "others": report.others, "ended": ended }));
    Ok(())
}

impl Report {
    fn note(&mut self, message: &ServerMsg) {
        let value = serde_json::to_value(message).expect("it came as JSON");
        let kind = value["t"].as_str().expect("a message has a kind");
        if let ServerMsg::Event(event) = message {
            self.seen.push(event.seq);
        } else if !OF_A_MATCH.contains(&kind) {
            self.others.push(kind.to_owned());
        }
    }
}

/// Makes the requests of a scenario without a socket.
async fn ask(client: &Client, wish: &str, report: &mut Report) -> Result<(), Error> {
    match wish {
        "me" => assert!(client.get_me().await?.player.is_some()),
        "challenge" => {
            client.post_challenges(&Offer::new(GameKind::Oware, TimeControl::Unlimited).to("Zofia")).await?;
        }
        "accept" => {
            client.post_challenges_by_id_accept(CHALLENGE).await?;
        }
        _ => {
            let mut stream = client.match_stream(MATCH, None);
            while report.seen.last() != Some(&4) {
                report.note(&stream.next().await?);
            }
        }
    }
    Ok(())
}

/// Plays the match to its end and closes the line; takes all messages that came.
async fn play(client: &Client, wish: &str, report: &mut Report) -> Result<(), Error> {
    assert!(client.get_me().await?.player.is_some());
    let live = client.live().await?;
    let mut messages = live.messages();
    if wish == "lobby" {
        live.send(&ClientMsg::WatchLobby)?;
    }
    let end = follow(&live, wish).await;
    live.close().await;
    loop {
        match messages.next().await {
            Ok(Some(message)) => report.note(&message),
            Ok(None) => break,
            Err(error) => return end.and(Err(error)),
        }
    }
    let playing = end?;
    let view = playing.view();
    assert_eq!(view.plies.len(), view.state.ply as usize, "every ply is kept once");
    // A closed line has no further messages and turns, and takes no command.
    assert_eq!(live.messages().next().await?, None);
    assert!(live.turns().next().await?.is_none() && playing.turns().next().await?.is_none());
    assert!(matches!(playing.resign().await, Err(Error::Closed)));
    Ok(())
}

async fn follow(live: &Live, wish: &str) -> Result<Match, Error> {
    if wish == "misuse" {
        assert_refused(live.join("no match").await, "unknown-match");
    }
    let playing = live.join(MATCH).await?;
    if wish == "misuse" {
        assert_refused(playing.command_named(Command::Resign, "no name").await, "bad-frame");
    }
    let (turns, retired) =
        tokio::join!(turns(&playing, wish), async { if wish == "retire" { retire(live, &playing).await } else { Ok(()) } });
    turns.and(retired)?;
    Ok(playing)
}

async fn turns(playing: &Match, wish: &str) -> Result<(), Error> {
    let mut turns = playing.turns();
    while let Some(turn) = turns.next().await? {
        if wish == "leave" {
            let (resigned, ()) = tokio::join!(playing.resign(), async { playing.leave() });
            resigned?;
        } else {
            turn.play(&*turn.legal()[0]).await?;
        }
    }
    Ok(())
}

/// Leaves the match as soon as an event says its result.
async fn retire(live: &Live, playing: &Match) -> Result<(), Error> {
    let mut messages = live.messages();
    while let Some(message) = messages.next().await? {
        if matches!(&message, ServerMsg::Event(event) if event.state.result.is_some()) {
            playing.leave();
            break;
        }
    }
    Ok(())
}

fn assert_refused<T>(answer: Result<T, Error>, code: &str) {
    assert!(matches!(answer, Err(Error::Refused(refused)) if refused.code == *code), "{code}");
}
