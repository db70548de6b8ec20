//! The events of an account: challenges that arrive, and matches that begin.

use std::collections::{HashSet, VecDeque};
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

use crate::backoff::doubled;
use crate::client::Client;
use crate::errors::Error;
use crate::live::{Live, Messages};
use crate::types::{
    Challenge, ChallengeId, ChallengeStatus, DeclineReason, GetMeMatchesQuery, MatchId, ServerMsg,
};

const FIRST_PAUSE: Duration = Duration::from_millis(500);
const LONGEST_PAUSE: Duration = Duration::from_secs(60);
/// Matches that began since the last list, at most; then there is a new list, without those that are over.
const MOST_SINCE: usize = 1_000;

/// An event of an account.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
#[allow(clippy::large_enum_variant, reason = "each is read once")]
pub enum AccountEvent {
    /// A player challenges this one by name, and waits for an answer.
    Challenge(Challenge),
    /// A challenge by name, from or to this player, is no longer open.
    ChallengeGone {
        /// The challenge.
        id: ChallengeId,
        /// The new status.
        status: ChallengeStatus,
        /// The reason, if it was declined.
        reason: Option<DeclineReason>,
    },
    /// A match of this player goes on: one that ran already, or one that begins because a challenge or seek was accepted or an opponent was
    /// found.
    Match(MatchId),
}

/// The challenges and matches of this player, each once, through restarts of the server and of the program: with each connection it asks for
/// those that were missed.
///
/// ```no_run
/// # async fn play(client: mawe_client::Client, live: mawe_client::Live) -> Result<(), mawe_client::Error> {
/// use mawe_client::{Account, AccountEvent};
///
/// let mut account = Account::new(&client, &live);
/// while let Some(event) = account.next().await? {
///     match event {
///         AccountEvent::Challenge(challenge) => {
///             account.begun(client.post_challenges_by_id_accept(&challenge.id).await?.id);
///         }
///         AccountEvent::Match(id) => println!("{id} goes on"),
///         _ => {}
///     }
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Account {
    client: Client,
    messages: Messages,
    known: Known,
    /// Whether something may have been missed.
    is_stale: bool,
    ask_at: Instant,
    failures: u32,
    chance: fastrand::Rng,
}

impl Account {
    /// Begins with everything that is open and running now.
    #[must_use]
    pub fn new(client: &Client, live: &Live) -> Account {
        Account {
            client: client.clone(),
            messages: live.messages(),
            known: Known::default(),
            is_stale: true,
            ask_at: Instant::now(),
            failures: 0,
            chance: fastrand::Rng::new(),
        }
    }

    /// Says that a match has begun by an answer to this program: a challenge that it accepted, or one that a computer opponent accepted at
    /// once. It is an event, unless it has been one.
    pub fn begun(&mut self, id: MatchId) {
        self.known.begin(id);
    }

    /// Asks the server for everything that is open and running: the outcome of a request of this program is unknown.
    pub fn look_again(&mut self) {
        self.is_stale = true;
    }

    /// Waits for the next event; `None` once the line was closed. Nothing is lost where the future is dropped.
    pub async fn next(&mut self) -> Result<Option<AccountEvent>, Error> {
        loop {
            if let Some(event) = self.known.events.pop_front() {
                return Ok(Some(event));
            }
            if self.is_stale {
                tokio::select! {
                    biased;
                    message = self.messages.next() => {
                        let Some(message) = message? else { return Ok(None) };
                        self.take(message);
                        continue;
                    }
                    () = sleep_until(self.ask_at) => {}
                }
                self.ask().await?;
                continue;
            }
            let Some(message) = self.messages.next().await? else {
                return Ok(None);
            };
            self.take(message);
        }
    }

    fn take(&mut self, message: ServerMsg) {
        if matches!(message, ServerMsg::Hello { .. }) {
            self.is_stale = true;
        }
        self.known.take(message);
        self.is_stale |= self.known.matches.len() > self.known.listed + MOST_SINCE;
    }

    /// Returns the ids of all running matches.
    async fn running(&self) -> Result<Vec<MatchId>, Error> {
        let mut ids = Vec::new();
        let mut query = GetMeMatchesQuery {
            limit: Some(100),
            ..GetMeMatchesQuery::default()
        };
        loop {
            let page = self.client.get_me_matches(&query).await?;
            ids.extend(page.items.into_iter().map(|each| each.id));
            if page.next.is_none() {
                return Ok(ids);
            }
            query.cursor = page.next;
        }
    }

    /// Asks for everything that is open and running. A server that is away is asked again later.
    async fn ask(&mut self) -> Result<(), Error> {
        let asked = async {
            let ids = self.running().await?;
            Ok((ids, self.client.get_me_challenges().await?))
        };
        match asked.await {
            Ok((ids, challenges)) => {
                self.known.listed(ids, challenges.incoming);
                self.is_stale = false;
                self.failures = 0;
                Ok(())
            }
            Err(error) if is_passing(&error) => {
                let pause = doubled(FIRST_PAUSE, LONGEST_PAUSE, self.failures, &mut self.chance);
                self.ask_at = Instant::now() + pause;
                self.failures = self.failures.saturating_add(1);
                Ok(())
            }
            Err(error) => Err(error),
        }
    }
}

/// Whether the same request may have a better answer later.
fn is_passing(error: &Error) -> bool {
    match error {
        Error::Problem(problem) => problem.status == 429 || problem.status >= 500,
        Error::Unreachable { .. } => true,
        _ => false,
    }
}

/// Challenges and matches that the program has heard of, without any I/O.
#[derive(Debug, Default)]
struct Known {
    challenges: HashSet<ChallengeId>,
    matches: HashSet<MatchId>,
    /// The number of matches in the last list.
    listed: usize,
    events: VecDeque<AccountEvent>,
}

impl Known {
    fn take(&mut self, message: ServerMsg) {
        match message {
            ServerMsg::Challenge { challenge } => self.challenge(challenge),
            ServerMsg::ChallengeGone {
                challenge: id,
                status,
                reason,
            } => {
                self.challenges.remove(&id);
                self.events
                    .push_back(AccountEvent::ChallengeGone { id, status, reason });
            }
            ServerMsg::ChallengeAccepted { match_id, .. } | ServerMsg::Paired { match_id, .. } => {
                self.begin(match_id);
            }
            _ => {}
        }
    }

    fn challenge(&mut self, challenge: Challenge) {
        if self.challenges.insert(challenge.id.clone()) {
            self.events.push_back(AccountEvent::Challenge(challenge));
        }
    }

    fn begin(&mut self, id: MatchId) {
        if self.matches.insert(id.clone()) {
            self.events.push_back(AccountEvent::Match(id));
        }
    }

    /// Takes the lists of running matches and open challenges; those that are in none any more are forgotten.
    fn listed(&mut self, matches: Vec<MatchId>, challenges: Vec<Challenge>) {
        let old = std::mem::take(&mut self.matches);
        for id in matches {
            if old.contains(&id) {
                self.matches.insert(id);
            } else {
                self.begin(id);
            }
        }
        self.listed = self.matches.len();
        let old = std::mem::take(&mut self.challenges);
        for challenge in challenges {
            if old.contains(&challenge.id) {
                self.challenges.insert(challenge.id);
            } else {
                self.challenge(challenge);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn challenge(id: &str) -> Challenge {
        let player = json!({ "name": "Amina", "kind": "account" });
        let options = json!({ "takebacks": false, "give_time": true, "phrases": true, "free_takebacks": false });
        serde_json::from_value(json!({
            "id": id, "challenger": player, "challenger_rating": null, "to": player, "game": "oware", "setup": "", "rated": false,
            "time_control": { "kind": "unlimited" }, "speed": "daily", "side": "random", "private": false, "options": options, "status": "open", "match": null,
            "created_at": "2026-11-20T15:04:05Z", "expires_at": "2026-11-21T15:04:05Z", "declined": null
        }))
        .expect("it is a challenge")
    }

    fn message(value: serde_json::Value) -> ServerMsg {
        serde_json::from_value(value).expect("it is a message")
    }

    fn events(known: &mut Known) -> Vec<String> {
        let name = |event| match event {
            AccountEvent::Challenge(challenge) => challenge.id.to_string(),
            AccountEvent::ChallengeGone { id, .. } => format!("gone {id}"),
            AccountEvent::Match(id) => format!("match {id}"),
        };
        known.events.drain(..).map(name).collect()
    }

    #[test]
    fn each_challenge_and_match_is_an_event_once() {
        let mut known = Known::default();
        known.listed(vec!["first".into()], vec![challenge("one")]);
        known.take(ServerMsg::Challenge {
            challenge: challenge("one"),
        });
        known.take(ServerMsg::Challenge {
            challenge: challenge("two"),
        });
        let accepted = json!({ "t": "challenge-accepted", "challenge": "mine", "match": "second" });
        known.take(message(accepted.clone()));
        known.begin("second".into());
        assert_eq!(
            events(&mut known),
            ["match first", "one", "two", "match second"]
        );
        // A new connection: the first match is over, and a third began meanwhile.
        known.listed(
            vec!["second".into(), "third".into()],
            vec![challenge("two")],
        );
        known.take(message(accepted));
        assert_eq!(events(&mut known), ["match third"]);
        assert_eq!(
            (known.matches.len(), known.challenges.len(), known.listed),
            (2, 1, 2)
        );
    }

    #[test]
    fn a_challenge_that_is_gone_may_come_again() {
        let mut known = Known::default();
        known.take(ServerMsg::Challenge {
            challenge: challenge("one"),
        });
        known.take(message(json!({ "t": "challenge-gone", "challenge": "one", "status": "evaporated", "reason": null })));
        known.take(ServerMsg::Challenge {
            challenge: challenge("one"),
        });
        assert_eq!(events(&mut known), ["one", "gone one", "one"]);
    }
}
