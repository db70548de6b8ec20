//! Streams of lines, over any number of connections: each entry of a match comes once.

use std::time::Duration;

use reqwest::Response;
use serde_json::Value;
use tokio::time::{Instant, sleep_until, timeout};

use crate::backoff::{Backoff, asked_ms};
use crate::client::Client;
use crate::errors::Error;
use crate::http::{Request, segment};
use crate::types::ServerMsg;

/// An empty line comes every ten seconds.
const TIMEOUT: Duration = Duration::from_secs(30);
/// The longest line; a match of 400 plies has a tenth of it.
const LONGEST_LINE: usize = 1 << 22;
/// Statuses after which a stream is asked for again.
const PASSING: [u16; 4] = [429, 502, 503, 504];

/// Messages without a socket. It has no end: where a connection breaks it goes on with the next.
#[derive(Debug)]
pub struct MessageStream {
    client: Client,
    path: String,
    state: StreamState,
    connection: Option<Connection>,
    connect_at: Instant,
}

#[derive(Debug)]
struct Connection {
    response: Response,
    /// Bytes after the last whole line.
    rest: Vec<u8>,
}

impl Client {
    /// The messages of a match without a socket, each entry once; those after a `seq`, where there is one.
    #[must_use]
    pub fn match_stream(&self, id: &str, since: Option<u64>) -> MessageStream {
        let path = format!("/api/v1/matches/{}/stream", segment(id));
        MessageStream::new(self.clone(), path, true, since)
    }

    /// The messages to every socket of the player: challenges and pairings.
    #[must_use]
    pub fn me_stream(&self) -> MessageStream {
        MessageStream::new(self.clone(), "/api/v1/me/stream".to_owned(), false, None)
    }

    /// The featured match of a game, then the next.
    #[must_use]
    pub fn tv_stream(&self, game: &str) -> MessageStream {
        let path = format!("/api/v1/tv/{}/stream", segment(game));
        MessageStream::new(self.clone(), path, false, None)
    }
}

impl MessageStream {
    pub(crate) fn new(
        client: Client,
        path: String,
        resumes: bool,
        since: Option<u64>,
    ) -> MessageStream {
        MessageStream {
            client,
            path,
            state: StreamState::new(resumes, since),
            connection: None,
            connect_at: Instant::now(),
        }
    }

    /// Returns the next message. An error is final: the server refuses the stream. Nothing is lost where the future is dropped.
    pub async fn next(&mut self) -> Result<ServerMsg, Error> {
        loop {
            let Some(connection) = &mut self.connection else {
                sleep_until(self.connect_at).await;
                self.connect().await?;
                continue;
            };
            if let Some(line) = connection.line() {
                if let Some(message) = self.state.take(&line) {
                    return Ok(message);
                }
                continue;
            }
            match timeout(TIMEOUT, connection.response.chunk()).await {
                Ok(Ok(Some(bytes))) if connection.rest.len() + bytes.len() <= LONGEST_LINE => {
                    connection.rest.extend_from_slice(&bytes);
                }
                _ => {
                    self.connection = None;
                    self.connect_at = Instant::now() + self.state.pause(Duration::ZERO);
                }
            }
        }
    }

    async fn connect(&mut self) -> Result<(), Error> {
        let mut request = Request::get(&self.path);
        if let Some(since) = self.state.query() {
            request = request.query(&serde_json::json!({ "since": since }));
        }
        let mut asked = Duration::ZERO;
        if let Ok(response) = self.client.open(&request).await {
            if response.status().is_success() {
                self.state.backoff.opened(std::time::Instant::now());
                self.connection = Some(Connection {
                    response,
                    rest: Vec::new(),
                });
                return Ok(());
            }
            if let Ok(answer) = self.client.read(response).await {
                if !PASSING.contains(&answer.status) {
                    return Err(answer.into_problem());
                }
                asked = answer.retry_after.unwrap_or_default();
            }
        }
        self.connect_at = Instant::now() + self.state.pause(asked);
        Ok(())
    }
}

impl Connection {
    /// Takes a whole line.
    fn line(&mut self) -> Option<Vec<u8>> {
        let end = self.rest.iter().position(|byte| *byte == b'\n')?;
        Some(self.rest.drain(..=end).collect())
    }
}

/// The state of a stream without any I/O.
#[derive(Debug)]
struct StreamState {
    /// Whether the stream is one of a match, which goes on after a `seq`.
    resumes: bool,
    /// The last known `seq`.
    since: Option<u64>,
    backoff: Backoff,
    asked: Duration,
}

impl StreamState {
    fn new(resumes: bool, since: Option<u64>) -> StreamState {
        StreamState {
            resumes,
            since,
            backoff: Backoff::new(fastrand::Rng::new()),
            asked: Duration::ZERO,
        }
    }

    /// The `since` of the next connection.
    fn query(&mut self) -> Option<u64> {
        if !self.resumes {
            self.since = None;
        }
        self.since
    }

    /// Reads a line; `None` where it has nothing for the program, or was cut in the middle.
    fn take(&mut self, line: &[u8]) -> Option<ServerMsg> {
        let value: Value = serde_json::from_slice(line).ok()?;
        value.get("t")?;
        let message: ServerMsg = serde_json::from_value(value).ok()?;
        match &message {
            ServerMsg::Closing { retry_ms, .. } => {
                self.asked = asked_ms(*retry_ms);
                return None;
            }
            ServerMsg::Error(error)
                if error.code == "moved" || error.code == "storage-unavailable" =>
            {
                return None;
            }
            ServerMsg::Snapshot(snapshot) => self.since = Some(snapshot.view.seq),
            ServerMsg::Event(event) => {
                if self.since.is_some_and(|since| event.seq <= since) {
                    return None;
                }
                self.since = Some(event.seq);
            }
            _ => {}
        }
        Some(message)
    }

    /// The pause before the next connection.
    fn pause(&mut self, asked: Duration) -> Duration {
        let asked = asked.max(std::mem::take(&mut self.asked));
        self.backoff.pause(std::time::Instant::now(), asked)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STATE: &str = r#""state":{"position":"p","turn":"first","ply":1,"legal":[],"clock":{"first_ms":1,"second_ms":1,"running":null,"first_move_ms":null},"draw_offer":null,"takeback_offer":null,"result":null}"#;

    fn event(seq: u64) -> String {
        format!(
            r#"{{"t":"event","match":"Kx7Rm2Qp9TzA","seq":{seq},"event":{{"kind":"sneeze"}},{STATE},"mood":"good"}}"#
        )
    }

    #[test]
    fn each_entry_comes_once() {
        let mut state = StreamState::new(true, Some(3));
        assert_eq!(state.take(event(3).as_bytes()), None);
        assert!(
            matches!(state.take(event(4).as_bytes()), Some(ServerMsg::Event(event)) if event.seq == 4)
        );
        assert_eq!(state.take(event(4).as_bytes()), None);
        assert_eq!(state.query(), Some(4));
        let mut of_tv = StreamState::new(false, None);
        assert!(of_tv.take(event(4).as_bytes()).is_some());
        assert_eq!(of_tv.query(), None, "the next match begins anew");
    }

    #[test]
    fn what_is_no_message_is_passed_over() {
        let mut state = StreamState::new(true, None);
        for line in [
            "",
            " ",
            "no message",
            "[1]",
            "{\"t\":\"event\",\"ma",
            "{}",
            "null",
        ] {
            assert_eq!(state.take(line.as_bytes()), None, "{line}");
        }
        assert!(matches!(
            state.take(b"{\"t\":\"confetti\"}"),
            Some(ServerMsg::Unknown(_))
        ));
    }

    #[test]
    fn a_server_that_closes_says_when_to_come_back() {
        let mut state = StreamState::new(true, None);
        let closing = br#"{"t":"closing","reason":"restarting","retry_ms":5000}"#;
        assert_eq!(state.take(closing), None);
        assert!(state.pause(Duration::ZERO) >= Duration::from_secs(5));
        assert!(
            state.pause(Duration::ZERO) <= Duration::from_secs(1),
            "once"
        );
    }
}
