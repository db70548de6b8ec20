//! The program of a bot account: answers challenges, sends them, and begins a task for each match.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use mawe_client::types::{
    Challenge, ClientMsg, Decline, DeclineReason, GetMeMatchesQuery, MatchId, Offer,
};
use mawe_client::{Account, AccountEvent, Client, Error, Live};
use tokio::sync::{Semaphore, mpsc};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until};

use super::conduct::Conduct;
use super::engines::Engines;
use super::filter::ChallengeFilter;
use super::matches::{MatchEvent, Matches};
use crate::cli::output::{Failure, print};
use crate::cli::signals::Signals;

/// The interval at which a bot without a match looks whether its challenge still waits: it may have expired.
const LOOK: Duration = Duration::from_secs(10);
/// The matches that a line to the server follows at a time, with those that are over.
const PLACES: usize = 12;
const REMATCHES: usize = 3;

/// The numbers of matches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Those at the same time.
    pub(super) concurrency: usize,
    /// Those until the end.
    pub(super) matches: u64,
}

/// The program of a bot account.
pub(super) struct Program {
    client: Client,
    live: Live,
    account: Account,
    engines: Arc<Engines>,
    filter: ChallengeFilter,
    limits: Limits,
    /// The challenge to send.
    offer: Option<Offer>,
    matches: Matches,
    events: mpsc::UnboundedReceiver<MatchEvent>,
    tasks: JoinSet<Result<(), Error>>,
    /// The matches that are not over.
    running: HashSet<MatchId>,
    finished: u64,
    /// Whether no further match begins.
    is_ending: bool,
    look_at: Instant,
}

impl Program {
    /// Opens the line to the server.
    pub(super) async fn begin(
        client: Client,
        engines: Engines,
        filter: &ChallengeFilter,
        conduct: Conduct,
        limits: Limits,
        offer: Option<Offer>,
    ) -> Result<Self, Failure> {
        let live = client.live().await.map_err(failed)?;
        let (sender, events) = mpsc::unbounded_channel();
        let engines = Arc::new(engines);
        let matches = Matches {
            live: live.clone(),
            engines: Arc::clone(&engines),
            conduct,
            events: sender,
            places: Arc::new(Semaphore::new(PLACES)),
            rematches: Arc::new(Semaphore::new(REMATCHES)),
        };
        Ok(Self {
            account: Account::new(&client, &live),
            client,
            live,
            engines,
            filter: filter.clone(),
            limits,
            offer,
            matches,
            events,
            tasks: JoinSet::new(),
            running: HashSet::new(),
            finished: 0,
            is_ending: false,
            look_at: Instant::now(),
        })
    }

    /// Plays until a signal comes and the running matches are over, until a second signal comes, or until the number of matches is reached.
    pub(super) async fn run(mut self, mut signals: Signals) -> Result<(), Failure> {
        while !(self.is_done() && self.running.is_empty()) {
            let may_challenge = self.offer.is_some() && self.running.is_empty() && !self.is_done();
            tokio::select! {
                event = self.account.next() => match event.map_err(failed)? {
                    None => return Err(Failure::Failed("the line to the server was closed".to_owned())),
                    Some(AccountEvent::Match(id)) => self.start(id),
                    Some(AccountEvent::Challenge(challenge)) => self.answer(&challenge).await,
                    Some(_) => {}
                },
                Some(event) = self.events.recv() => self.handle(event)?,
                Some(ended) = self.tasks.join_next() => match ended {
                    Ok(Err(goodbye @ Error::Goodbye(_))) => return Err(failed(goodbye)),
                    Ok(Err(error)) => tracing::error!("a match is left alone: {error}"),
                    Err(error) => tracing::error!("a match is left alone: {error}"),
                    Ok(Ok(())) => {}
                },
                () = sleep_until(self.look_at), if may_challenge => {
                    self.look_at = Instant::now() + LOOK;
                    if let Err(error) = self.challenge().await {
                        tracing::warn!("no challenge: {error}");
                    }
                }
                () = signals.stop() => {
                    if self.is_ending {
                        break;
                    }
                    self.is_ending = true;
                    let running = self.running.len();
                    tracing::info!("ending after {running} running matches; a second signal ends at once");
                }
            }
        }
        if let Err(error) = self.take_back().await {
            tracing::warn!("the challenge stays open: {error}");
        }
        self.live.close().await;
        Ok(())
    }

    fn is_done(&self) -> bool {
        self.is_ending || self.finished >= self.limits.matches
    }

    /// Whether a further match may begin.
    fn has_room(&self) -> bool {
        let begun = self.finished + self.running.len() as u64;
        !self.is_ending
            && begun < self.limits.matches
            && self.running.len() < self.limits.concurrency
    }

    fn start(&mut self, id: MatchId) {
        if self.running.insert(id.clone()) {
            self.tasks.spawn(self.matches.clone().play(id));
        }
    }

    fn handle(&mut self, event: MatchEvent) -> Result<(), Failure> {
        match event {
            MatchEvent::Over(id, line) => {
                self.running.remove(&id);
                self.look_at = Instant::now();
                if let Some(line) = line {
                    self.finished += 1;
                    print(&format!("{line}\n"))?;
                }
            }
            MatchEvent::RematchOffered(id) if self.has_room() => {
                let accepted = self.live.send(&ClientMsg::Rematch { match_id: id });
                accepted.map_err(failed)?;
            }
            MatchEvent::RematchOffered(_) => {}
            MatchEvent::Rematch(id) => self.account.begun(id),
        }
        Ok(())
    }

    /// Accepts a challenge by the filter and the room, or declines it.
    async fn answer(&mut self, challenge: &Challenge) {
        let refusal = self.filter.refusal(challenge, self.engines.games());
        let refusal = refusal.or_else(|| (!self.has_room()).then_some(DeclineReason::Later));
        let about = format!(
            "challenge of {} to {} ({}, {})",
            challenge.challenger.name,
            &*challenge.game,
            &*challenge.speed,
            if challenge.rated { "rated" } else { "casual" }
        );
        let answered = match refusal {
            None => {
                tracing::info!("{about}: accepted");
                let accepted = self.client.post_challenges_by_id_accept(&challenge.id);
                accepted.await.map(|accepted| {
                    self.start(accepted.id.clone());
                    self.account.begun(accepted.id);
                })
            }
            Some(reason) => {
                tracing::info!("{about}: declined ({})", &*reason);
                let decline = Decline::default().reason(reason);
                let declined = self
                    .client
                    .post_challenges_by_id_decline(&challenge.id, &decline);
                declined.await
            }
        };
        if let Err(error) = answered {
            // It is withdrawn, or the answer was lost and the match has begun.
            tracing::warn!("{about}: {error}");
            self.account.look_again();
        }
    }

    /// Challenges the opponent, unless a challenge waits.
    async fn challenge(&mut self) -> Result<(), Error> {
        let Some(offer) = &self.offer else {
            return Ok(());
        };
        let running = self
            .client
            .get_me_matches(&GetMeMatchesQuery::default())
            .await?
            .items;
        if !self.waiting().await?.is_empty() || !running.is_empty() {
            return Ok(());
        }
        // A computer opponent accepts at once.
        if let Some(id) = self.client.post_challenges(offer).await?.match_id {
            self.account.begun(id);
        }
        Ok(())
    }

    /// Takes back the challenge that waits.
    async fn take_back(&self) -> Result<(), Error> {
        if self.offer.is_some() {
            for challenge in self.waiting().await? {
                self.client.delete_challenges_by_id(&challenge.id).await?;
            }
        }
        Ok(())
    }

    /// The open challenges to the opponent.
    async fn waiting(&self) -> Result<Vec<Challenge>, Error> {
        let opponent = self.offer.as_ref().and_then(|offer| offer.to.as_deref());
        let mut waiting = self.client.get_me_challenges().await?.outgoing;
        waiting.retain(|challenge| {
            let to = challenge.to.as_ref().map(|to| &*to.name);
            to.zip(opponent)
                .is_some_and(|(to, opponent)| to.eq_ignore_ascii_case(opponent))
        });
        Ok(waiting)
    }
}

fn failed(error: Error) -> Failure {
    Failure::Failed(error.to_string())
}
