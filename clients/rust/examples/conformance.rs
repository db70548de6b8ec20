//! The program of `tests/clients/conformance.py` with this library.

use mawe_client::types::{ClientMsg, Command, ServerMsg};
use mawe_client::{Client, Error, Messages};
use serde_json::json;

const MATCH: &str = "Kx7Rm2Qp9TzA";
const OF_A_MATCH: [&str; 4] = ["hello", "snapshot", "event", "joined"];

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let urls = std::env::args().skip(1);
    let tasks: Vec<_> = urls.map(|url| tokio::spawn(play(url))).collect();
    for task in tasks {
        task.await.expect("no scenario makes the library panic")?;
    }
    Ok(())
}

async fn play(url: String) -> Result<(), Error> {
    let (address, wish) = url.split_once('#').unwrap_or((&url, ""));
    let client = Client::builder(address).token("mawe_test").build()?;
    assert!(client.get_me().await?.player.is_some());
    let (mut seen, mut others, mut ended) = (Vec::new(), Vec::new(), None);
    match follow(&client, wish).await {
        Ok(mut messages) => {
            // All messages until the end of the line.
            while let Some(message) = messages.next().await? {
                let value = serde_json::to_value(&message).expect("it came as JSON");
                let kind = value["t"].as_str().expect("a message has a kind").to_owned();
                if let ServerMsg::Event(event) = message {
                    seen.push(event.seq);
                } else if !OF_A_MATCH.contains(&&*kind) {
                    others.push(kind);
                }
            }
        }
        Err(Error::Goodbye(code)) => ended = Some(code),
        Err(error) => return Err(error),
    }
    println!("{}", json!({ "url": url, "seen": seen, "others": others, "ended": ended }));
    Ok(())
}

/// Plays the match to its end and closes the line; returns all messages that came.
async fn follow(client: &Client, wish: &str) -> Result<Messages, Error> {
    let live = client.live().await?;
    let messages = live.messages();
    if wish == "lobby" {
        live.send(&ClientMsg::WatchLobby)?;
    }
    let playing = live.join(MATCH).await?;
    let mut turns = playing.turns();
    while let Some(turn) = turns.next().await? {
        turn.play(&*turn.legal()[0]).await?;
    }
    live.close().await;
    let view = playing.view();
    assert_eq!(view.plies.len(), view.state.ply as usize, "every ply is kept once");
    assert!(matches!(playing.command(Command::Resign).await, Err(Error::Closed)));
    Ok(messages)
}
