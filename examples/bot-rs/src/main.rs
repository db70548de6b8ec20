//! A complete bot for Mawe!: accepts challenges, or sends one, and plays random legal moves. Only `choose` needs to be changed.
//! It needs a token of a bot account with the scope `bot`, see docs/api-bots.md; for https, TLS features in Cargo.toml.
//! `MAWE_TOKEN=mawe_… cargo run -p bot-rs -- http://127.0.0.1:8080 [CHALLENGE-NAME [GAME [MATCHES]]]`

use std::collections::{HashMap, HashSet};
use std::{error::Error, time::Duration};

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::{Message, client::IntoClientRequest, protocol::frame::coding::CloseCode};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

type Failure = Box<dyn Error + Send + Sync>;
type Socket = WebSocketStream<MaybeTlsStream<tokio::net::TcpStream>>;

/// Returns the move to play, one of `legal`. `position` is in the notation of the game, as in rules/RULES.md.
fn choose<'a>(_game: &str, _position: &Value, legal: &'a [Value]) -> &'a Value {
    &legal[fastrand::usize(..legal.len())]
}

#[derive(Default)]
pub struct Bot {
    pub url: String,
    pub token: String,
    pub opponent: Option<String>, // the player to challenge; `None` waits for challenges
    pub game: String,
    pub matches: usize, // the number of matches after which to stop
    pub http: reqwest::Client,
    pub running: HashMap<String, Game>, // match id -> its last known state
    pub asked: bool,
}

/// A running match.
#[derive(Default)]
pub struct Game {
    game: String, // the game kind, empty until the match is shown
    seat: String,
    seq: Option<u64>, // the seq of the last event, and the state after it
    state: Value,
    joins: u32, // the number of joins without an answer yet
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let mut words = std::env::args().skip(1);
    let url = words.next().unwrap_or("http://127.0.0.1:8080".into());
    let (opponent, game) = (words.next(), words.next().unwrap_or("mawe".into()));
    let matches = words.next().map_or(usize::MAX, |number| number.parse().expect("a number"));
    let token = std::env::var("MAWE_TOKEN").expect("MAWE_TOKEN holds the token");
    Bot { url, token, opponent, game, matches, ..Bot::default() }.run().await
}

impl Bot {
    /// Plays until `matches` matches are over; reconnects after a failure, with a longer pause each time.
    pub async fn run(mut self) {
        let mut pause_ms = 500;
        while let Err(failure) = self.play(&mut pause_ms).await {
            eprintln!("{failure}; again in a moment");
            tokio::time::sleep(Duration::from_millis(fastrand::u64(pause_ms / 2..pause_ms))).await;
            pause_ms = (2 * pause_ms).min(60_000);
        }
    }

    /// Sends one request, a `POST` if it has a body; returns the answer.
    async fn rest(&self, path: &str, body: Option<Value>) -> Result<Value, Failure> {
        let url = format!("{}/api/v1/{path}", self.url);
        let request = body.map_or(self.http.get(&url), |body| self.http.post(&url).json(&body));
        let answer = request.bearer_auth(&self.token).send().await?;
        match answer.status().is_success() {
            true => Ok(answer.json().await?),
            false => Err(format!("{path}: {}", answer.text().await?).into()),
        }
    }

    async fn play(&mut self, pause_ms: &mut u64) -> Result<(), Failure> {
        let mut request = format!("{}/api/v1/ws", self.url.replacen("http", "ws", 1)).into_client_request()?;
        request.headers_mut().insert("authorization", format!("Bearer {}", self.token).parse()?);
        request.headers_mut().insert("sec-websocket-protocol", "mawe.v1".parse()?);
        let (mut socket, _) = connect_async(request).await?;
        // Events from before the connection: running and finished matches, open challenges.
        let (matches, challenges) = (self.rest("me/matches", None).await?, self.rest("me/challenges", None).await?);
        let running = matches["items"].as_array().into_iter().flatten().map(|one| text(&one["id"]));
        self.running.values_mut().for_each(|game| game.joins = 0);
        for id in running.chain(self.running.keys().cloned()).collect::<HashSet<_>>() {
            self.join(&mut socket, &id).await?;
        }
        self.asked = challenges["outgoing"] != json!([]);
        for challenge in challenges["incoming"].as_array().into_iter().flatten() {
            self.answer(&mut socket, challenge).await?;
        }
        *pause_ms = 500;
        while self.matches > 0 {
            if let Some(name) = self.opponent.as_ref().filter(|_| !self.asked && self.running.is_empty()) {
                let clock = json!({ "kind": "realtime", "base_ms": 180_000, "increment_ms": 2_000 });
                let offer = json!({ "to": name, "game": self.game, "rated": true, "time_control": clock });
                match self.rest("challenges", Some(offer)).await?["match"].as_str() {
                    Some(id) => self.join(&mut socket, id).await?, // a computer opponent accepts at once
                    None => self.asked = true,
                }
            }
            match socket.next().await.ok_or("the line is gone")?? {
                Message::Text(frame) => self.hear(&mut socket, &serde_json::from_str(&frame)?).await?,
                // The token is revoked, or the server does not support this bot's protocol.
                Message::Close(Some(why)) if matches!(why.code, CloseCode::Normal | CloseCode::Unsupported) => {
                    eprintln!("the server does not want this bot back: {why}");
                    return Ok(());
                }
                _ => {}
            }
        }
        Ok(socket.close(None).await?)
    }

    /// Requests all events after the known ones; no move is made until they have arrived.
    async fn join(&mut self, socket: &mut Socket, id: &str) -> Result<(), Failure> {
        let game = self.running.entry(id.to_owned()).or_default();
        (game.joins, self.asked) = (game.joins + 1, false);
        let join = game.seq.map_or(json!({ "t": "join", "match": id }), |seq| json!({ "t": "join", "match": id, "since": seq }));
        Ok(socket.send(Message::text(join.to_string())).await?)
    }

    async fn answer(&mut self, socket: &mut Socket, challenge: &Value) -> Result<(), Failure> {
        match self.rest(&format!("challenges/{}/accept", text(&challenge["id"])), Some(json!({}))).await {
            Ok(accepted) => self.join(socket, &text(&accepted["id"])).await?,
            Err(refused) => eprintln!("{refused}"), // withdrawn meanwhile, or too many matches
        }
        Ok(())
    }

    async fn hear(&mut self, socket: &mut Socket, message: &Value) -> Result<(), Failure> {
        match message["t"].as_str() {
            Some("challenge") => self.answer(socket, &message["challenge"]).await?,
            Some("challenge-accepted") => self.join(socket, &text(&message["match"])).await?,
            Some("snapshot") => {
                let (view, seat) = (&message["match"], text(&message["you"]));
                // A finished match may be shown again, when its ratings are counted; it is no longer in `running`.
                if let Some(known) = self.running.get_mut(&text(&view["id"])) {
                    let (game, seq) = (text(&view["game"]), view["seq"].as_u64());
                    *known = Game { game, seat, seq, state: view.clone(), joins: 0 };
                }
                self.act(socket, &text(&view["id"])).await?;
            }
            Some("event") => {
                let (id, seq) = (text(&message["match"]), message["seq"].as_u64());
                // The answer to a move sent twice may be older than the known state.
                if let Some(known) = self.running.get_mut(&id).filter(|known| known.seq < seq) {
                    (known.seq, known.state) = (seq, message["state"].clone());
                    self.act(socket, &id).await?;
                }
            }
            Some("joined") => {
                // All events since then have arrived, or there were none: a move that was due is still due.
                let id = text(&message["match"]);
                self.running.entry(id.clone()).and_modify(|known| known.joins = 0);
                self.act(socket, &id).await?;
            }
            // The match has moved to another server, or the server or this bot is too busy: wait longer each time, and not as long as
            // others.
            Some("error")
                if ["moved", "storage-unavailable", "too-fast"].contains(&message["code"].as_str().unwrap_or_default()) =>
            {
                let id = text(&message["match"]);
                if let Some(known) = self.running.get(&id) {
                    let most = 200 << known.joins.min(5);
                    tokio::time::sleep(Duration::from_millis(fastrand::u64(most / 2..most))).await;
                    self.join(socket, &id).await?;
                }
            }
            Some("error" | "challenge-gone") => eprintln!("{message}"),
            _ => {}
        }
        Ok(())
    }

    /// Moves if it is this bot's turn, and counts a match that is over.
    async fn act(&mut self, socket: &mut Socket, id: &str) -> Result<(), Failure> {
        let Some(Game { game, seat, seq: Some(seq), state, joins: 0 }) = self.running.get(id) else {
            return Ok(());
        };
        if !state["result"].is_null() {
            println!("{}", json!({ "match": id, "you": seat, "result": state["result"] }));
            self.running.remove(id);
            self.matches -= 1;
        } else if state["turn"] == seat.as_str() {
            let chosen = choose(game, &state["position"], state["legal"].as_array().ok_or("no moves")?);
            let command = json!({ "kind": "move", "ply": state["ply"], "move": chosen });
            tokio::time::sleep(Duration::from_millis(80)).await; // a socket may send 15 frames a second; further ones are ignored
            // The id is derived from the seq that the move answers: sent again after a reconnect, the move is played once.
            let message =
                json!({ "t": "command", "match": id, "client_id": format!("bot-{seq}"), "seq": seq, "command": command });
            socket.send(Message::text(message.to_string())).await?;
        }
        Ok(())
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
