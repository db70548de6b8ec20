//! The analyst of a node: it takes requested analyses from the store, has the workers evaluate their positions, and stores the results.
//!
//! A node claims the match that it analyses and renews the claim; the claim of a lost node expires. Two nodes at one match do no harm, since
//! their results are the same.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{StreamExt, stream};
use mawe_play::room::vacation::DAY_MS;
use mawe_rules::Record;
use mawe_store::{NewAnalysis, RequestedAnalysis, Store, StoreError};
use mawe_wire::ids::{MatchId, PlayerId, WorkerId};
use tokio::sync::{Notify, watch};
use tokio::task::JoinSet;

use crate::analysis::report::{self, Report};
use crate::bots::evaluations::{Evaluated, NotEvaluated, evaluate, solve};
use crate::bots::job::{Evaluation, VERSION};
use crate::bots::{Bots, WorkerKind};
use crate::clock::unix_ms;
use crate::live::export;

/// Number of matches that a node analyses at a time.
const MATCHES: usize = 2;

/// Number of plies of a match that are analysed: players can make a game go on for thousands.
pub const MOST_PLIES: usize = 600;

/// Number of positions of a match that are with the workers at a time.
const POSITIONS: usize = 16;

/// Time for which a match is claimed, and the interval at which a claim is renewed.
const CLAIM_MS: i64 = 60_000;
const RENEW_EVERY: Duration = Duration::from_secs(20);

/// Interval of the search for requests that another node has left or that were stored without a notification.
const LOOK_EVERY: Duration = Duration::from_secs(15);

/// One evaluation in this many by a remote worker is repeated here, and at least one of each worker in a match.
const RECHECK_ONE_IN: u32 = 16;

/// Number of times that the positions of refuted workers are given out again.
const ROUNDS: u32 = 8;

/// The analyst of a node.
pub struct Analyst {
    store: Arc<dyn Store>,
    bots: Arc<Bots>,
    /// The most requests of an account in a day.
    per_day: u32,
    requested: Notify,
}

impl fmt::Debug for Analyst {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Analyst").finish_non_exhaustive()
    }
}

/// An analysis has no result.
#[derive(Debug, thiserror::Error)]
enum Failure {
    /// The store is unavailable, and the request stays.
    #[error(transparent)]
    Store(StoreError),
    /// The match cannot be analysed.
    #[error("{0}")]
    Match(String),
    /// The workers have failed, or the server is stopping.
    #[error(transparent)]
    Workers(#[from] NotEvaluated),
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Failure {
        match error {
            // A later attempt would read the same.
            StoreError::Damaged { .. } => Failure::Match(error.to_string()),
            _ => Failure::Store(error),
        }
    }
}

impl Analyst {
    /// Creates an analyst; an account may request `per_day` analyses in a day.
    #[must_use]
    pub fn new(store: Arc<dyn Store>, bots: Arc<Bots>, per_day: u32) -> Arc<Analyst> {
        Arc::new(Analyst {
            store,
            bots,
            per_day,
            requested: Notify::new(),
        })
    }

    /// Returns the most requests of an account in a day (UTC).
    #[must_use]
    pub fn per_day(&self) -> u32 {
        self.per_day
    }

    /// Stores the request of an account for the analysis of a match that is over.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn request(
        &self,
        match_id: &MatchId,
        by: &PlayerId,
    ) -> Result<RequestedAnalysis, StoreError> {
        let at_ms = unix_ms();
        let new = NewAnalysis {
            match_id: match_id.clone(),
            engine: VERSION.to_owned(),
            by: by.clone(),
            at_ms,
            most: self.per_day,
            since_ms: next_day_ms(at_ms) - DAY_MS,
        };
        let requested = self.store.request_analysis(&new).await?;
        self.requested.notify_one();
        Ok(requested)
    }

    /// Analyses requested matches until the server stops.
    pub async fn run(self: Arc<Self>, mut stopped: watch::Receiver<bool>) {
        let mut working: JoinSet<MatchId> = JoinSet::new();
        let mut claimed: HashSet<MatchId> = HashSet::new();
        let stop = stopped.wait_for(|stopped| *stopped);
        tokio::pin!(stop);
        loop {
            let free = MATCHES - working.len();
            let mut is_full = false;
            if free > 0 {
                let found = self.claim(free).await;
                is_full = found.len() == free;
                for id in found {
                    // An own claim that was not renewed in time is not a second match.
                    if claimed.insert(id.clone()) {
                        let analyst = Arc::clone(&self);
                        working.spawn(async move {
                            analyst.analyse(&id).await;
                            id
                        });
                    }
                }
            }
            tokio::select! {
                // An error means that the sender is gone, which is a stop too.
                _ = &mut stop => break,
                Some(ended) = working.join_next() => match ended {
                    Ok(id) => {
                        claimed.remove(&id);
                    }
                    Err(error) => {
                        tracing::error!(%error, "the analysis of a match panicked");
                        claimed.clear();
                    }
                },
                () = self.requested.notified(), if !is_full => {}
                () = tokio::time::sleep(LOOK_EVERY), if !is_full => {}
            }
        }
        working.abort_all();
        // The next server takes them up at once.
        for id in &claimed {
            self.hold(id, 0).await;
        }
    }

    async fn claim(&self, most: usize) -> Vec<MatchId> {
        let now = unix_ms();
        let most = u32::try_from(most).unwrap_or(u32::MAX);
        let claimed = self
            .store
            .claim_analyses(VERSION, now, now + CLAIM_MS, most);
        claimed.await.unwrap_or_else(|error| {
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "requested analyses could not be read; trying again soon"
            );
            Vec::new()
        })
    }

    /// Analyses a claimed match, and renews the claim meanwhile.
    async fn analyse(&self, id: &MatchId) {
        let report = {
            let working = self.report(id);
            tokio::pin!(working);
            loop {
                tokio::select! {
                    report = &mut working => break report,
                    () = tokio::time::sleep(RENEW_EVERY) => {
                        self.hold(id, unix_ms() + CLAIM_MS).await;
                    }
                }
            }
        };
        let text = match report {
            Ok(report) => Some(serde_json::to_string(&report).expect("a report is plain JSON")),
            Err(error) => {
                tracing::warn!(game.match_id = %id, %error, "a match was not analysed");
                // It is taken up again when the claim has ended.
                if matches!(error, Failure::Store(_)) || self.bots.is_closed() {
                    return;
                }
                None
            }
        };
        let ended = self.store.end_analysis(id, VERSION, text.as_deref());
        if let Err(error) = ended.await {
            tracing::warn!(
                game.match_id = %id, error = &error as &dyn std::error::Error,
                "an analysis could not be stored; it is made again"
            );
        }
    }

    /// Moves the end of the claim on a match.
    async fn hold(&self, id: &MatchId, until_ms: i64) {
        if let Err(error) = self.store.keep_analysis(id, VERSION, until_ms).await {
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "the claim of an analysis could not be changed"
            );
        }
    }

    async fn report(&self, id: &MatchId) -> Result<Report, Failure> {
        let row = self.store.find_match(id).await?;
        let row = row.ok_or_else(|| Failure::Match("there is no such match".to_owned()))?;
        let view = export::finished(self.store.as_ref(), row).await?;
        let record = export::record(&view).map_err(|error| Failure::Match(error.to_string()))?;
        let solving = tokio::task::spawn_blocking(move || {
            let positions = report::positions(&record, MOST_PLIES);
            let solved = positions.iter().map(|position| solve(position));
            let solved: Vec<Option<Evaluation>> = solved.collect();
            (positions, solved)
        });
        let (positions, mut evaluations) = solving
            .await
            .map_err(|error| Failure::Match(error.to_string()))?;
        let is_open = |&at: &usize| positions[at].outcome().is_none() && evaluations[at].is_none();
        let mut open: Vec<usize> = (0..positions.len()).filter(is_open).collect();
        for _ in 0..ROUNDS {
            let evaluated = self.evaluate(&positions, &open).await?;
            let refuted = self.recheck(&positions, &evaluated).await;
            open.clear();
            for (at, Evaluated { evaluation, by, .. }) in evaluated {
                if refuted.contains(&by) {
                    open.push(at);
                } else {
                    evaluations[at] = Some(evaluation);
                }
            }
            if open.is_empty() {
                return Ok(report::judge(&positions, &evaluations));
            }
        }
        Err(Failure::Match(
            "workers have sent refuted evaluations again and again".to_owned(),
        ))
    }

    /// Has the workers evaluate some positions of a match.
    async fn evaluate(
        &self,
        positions: &[Arc<Record>],
        open: &[usize],
    ) -> Result<Vec<(usize, Evaluated)>, NotEvaluated> {
        let asked = |&at: &usize| {
            let (bots, position) = (Arc::clone(&self.bots), Arc::clone(&positions[at]));
            async move { Ok((at, bots.evaluate(position).await?)) }
        };
        let asked: Vec<_> = open.iter().map(asked).collect();
        let mut asked = stream::iter(asked).buffer_unordered(POSITIONS);
        let mut evaluated = Vec::with_capacity(open.len());
        while let Some(one) = asked.next().await {
            evaluated.push(one?);
        }
        Ok(evaluated)
    }

    /// Repeats some evaluations of remote workers here, and returns the refuted workers.
    async fn recheck(
        &self,
        positions: &[Arc<Record>],
        evaluated: &[(usize, Evaluated)],
    ) -> HashSet<WorkerId> {
        let mut seen = HashSet::new();
        let mut refuted = HashSet::new();
        for (
            at,
            Evaluated {
                evaluation,
                kind,
                by,
            },
        ) in evaluated
        {
            let is_remote = matches!(kind, WorkerKind::Http | WorkerKind::Nats);
            let is_first = is_remote && seen.insert(by.clone());
            if refuted.contains(by) || !(is_first || is_remote && is_sampled()) {
                continue;
            }
            let position = Arc::clone(&positions[*at]);
            let again = tokio::task::spawn_blocking(move || evaluate(&position, &Arc::default()));
            if let Ok(Some(own)) = again.await
                && own != *evaluation
            {
                self.bots.distrust(by.clone());
                refuted.insert(by.clone());
            }
        }
        refuted
    }
}

/// Returns the begin of the day after a time (UTC), in Unix milliseconds: then an account may request more.
#[must_use]
pub fn next_day_ms(at_ms: i64) -> i64 {
    (at_ms.div_euclid(DAY_MS) + 1) * DAY_MS
}

/// Decides by chance whether an evaluation is repeated.
fn is_sampled() -> bool {
    // Without chance each is.
    getrandom::u32().map_or(true, |chance| chance % RECHECK_ONE_IN == 0)
}
