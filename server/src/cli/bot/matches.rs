//! One match of a bot, from the first look at it to the end of the time for a rematch.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use mawe_client::types::{Command, MatchId, MatchView, Presence, ServerMsg, Side};
use mawe_client::{Error, Live, Match, Messages, Turn};
use mawe_lab::outside::{Answer, Play};
use mawe_rules::{AnySetup, GameKind, Record};
use serde_json::{Value, json};
use tokio::sync::{Semaphore, mpsc};
use tokio::time::{Instant, sleep, sleep_until};

use super::conduct::Conduct;
use super::engines::{Engine, Engines, Search};

/// The failures of an engine in one match after which the bot gives the match up.
const MAX_FAILURES: usize = 3;
/// The time after a match in which the opponent may offer a rematch.
const REMATCH: Duration = Duration::from_secs(60);
/// The pause before a match is joined again after an error of the line.
const PAUSE: Duration = Duration::from_secs(2);
/// The errors of the line in one match after which the bot leaves it alone.
const MAX_ERRORS: u32 = 5;

/// An event of a match for the program.
#[derive(Debug)]
pub(super) enum MatchEvent {
    /// The match is over; with its line of output, unless it was no match of this bot.
    Over(MatchId, Option<Value>),
    /// The opponent offers a rematch.
    RematchOffered(MatchId),
    /// A rematch has begun.
    Rematch(MatchId),
}

/// The common parts of all matches of a bot.
#[derive(Clone)]
pub(super) struct Matches {
    pub(super) live: Live,
    pub(super) engines: Arc<Engines>,
    pub(super) conduct: Conduct,
    pub(super) events: mpsc::UnboundedSender<MatchEvent>,
    /// The places on the line; matches beyond them wait.
    pub(super) places: Arc<Semaphore>,
    /// The places of matches that are over.
    pub(super) rematches: Arc<Semaphore>,
}

impl Matches {
    /// Plays a match to its end. It is also over after an error.
    pub(super) async fn play(self, id: MatchId) -> Result<(), Error> {
        let mut errors = 0;
        let played = loop {
            match self.try_play(&id).await {
                Err(error) if errors < MAX_ERRORS && !matches!(error, Error::Goodbye(_)) => {
                    tracing::warn!("match {id}: {error}");
                    errors += 1;
                    sleep(PAUSE * errors).await;
                }
                played => break played,
            }
        };
        if played.is_err() {
            self.tell(MatchEvent::Over(id, None));
        }
        played
    }

    async fn try_play(&self, id: &MatchId) -> Result<(), Error> {
        let place = Arc::clone(&self.places).acquire_owned().await;
        // Its presence comes with the answer to the join.
        let mut messages = self.live.messages();
        let playing = self.live.join(id.clone()).await?;
        let seat = playing.you().zip(kind(&playing.view()));
        let Some((you, kind)) = seat else {
            tracing::warn!("match {id} is none that this bot can play");
            playing.leave();
            self.tell(MatchEvent::Over(id.clone(), None));
            return Ok(());
        };
        let opponent = playing.view().seats.of(you.other()).player.name.clone();
        tracing::info!("match {id}: {kind} against {opponent}");
        let mut game = Game {
            matches: self,
            playing: &playing,
            you,
            scores: Vec::new(),
            failures: 0,
            seed: fastrand::u64(..),
        };
        match self.engines.engine(kind).await {
            Ok(engine) => game.play(engine, &mut messages).await?,
            Err(why) => {
                tracing::error!("match {id} is given up: {why}");
                game.give_up().await?;
            }
        }
        self.tell(MatchEvent::Over(id.clone(), Some(line(&playing, you))));
        drop(place);
        if let Ok(_place) = self.rematches.try_acquire() {
            self.await_rematch(&playing, you, &mut messages).await?;
        }
        playing.leave();
        Ok(())
    }

    /// Tells of an offer of the opponent, and the match that becomes of it.
    async fn await_rematch(
        &self,
        playing: &Match,
        you: Side,
        messages: &mut Messages,
    ) -> Result<(), Error> {
        let mut is_over = pin!(sleep(REMATCH));
        loop {
            let message = tokio::select! {
                () = &mut is_over => return Ok(()),
                message = messages.next() => message?,
            };
            let rematch = match message {
                None => return Ok(()),
                Some(ServerMsg::Rematch {
                    match_id, rematch, ..
                }) if match_id == *playing.id() => rematch,
                Some(_) => continue,
            };
            if let Some(next) = rematch.next {
                self.tell(MatchEvent::Rematch(next));
                return Ok(());
            }
            if rematch.offered_by == Some(you.other()) {
                self.tell(MatchEvent::RematchOffered(playing.id().clone()));
            }
        }
    }

    fn tell(&self, event: MatchEvent) {
        // The program that does not listen any more has ended.
        let _ = self.events.send(event);
    }
}

/// A match that is being played.
struct Game<'a> {
    matches: &'a Matches,
    playing: &'a Match,
    you: Side,
    /// The engine's scores of the own turns.
    scores: Vec<Option<i32>>,
    failures: usize,
    seed: u64,
}

impl Game<'_> {
    async fn play(&mut self, engine: Engine, messages: &mut Messages) -> Result<(), Error> {
        let mut turns = self.playing.turns();
        let mut engine = Some(engine);
        let mut search: Option<(Search, Turn)> = None;
        let mut claim_at = None;
        loop {
            let answered = async {
                match &mut search {
                    Some((search, _)) => search.answer().await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                turn = turns.next() => {
                    // The position of an earlier search is gone.
                    if let Some((stopped, _)) = search.take() {
                        engine = stopped.stop().await;
                    }
                    let Some(turn) = turn? else { break };
                    let Some(idle) = engine.take() else {
                        tracing::error!("match {}: the engine is gone", self.playing.id());
                        return self.give_up().await;
                    };
                    match self.begin(idle, &turn) {
                        Ok(begun) => search = Some((begun, turn)),
                        Err(why) => {
                            tracing::error!("match {}: {why}", self.playing.id());
                            return self.give_up().await;
                        }
                    }
                }
                answered = answered => {
                    let Some((_, turn)) = search.take() else { continue };
                    let (idle, answer) = match answered {
                        Ok(answered) => answered,
                        Err(why) => {
                            tracing::error!("match {}: {why}", self.playing.id());
                            return self.give_up().await;
                        }
                    };
                    match answer {
                        Ok(answer) => {
                            engine = Some(idle);
                            self.carry_out(&turn, answer).await?;
                        }
                        Err(error) => {
                            self.failures += 1;
                            tracing::warn!("match {}: {error}", self.playing.id());
                            match self.begin(idle, &turn) {
                                Ok(again) if self.failures < MAX_FAILURES => search = Some((again, turn)),
                                _ => return self.give_up().await,
                            }
                        }
                    }
                }
                message = messages.next() => {
                    if let Some(presence) = message?.and_then(|message| self.presence(message)) {
                        claim_at = claim_time(self.you, &presence);
                    }
                }
                () = sleep_until(claim_at.unwrap_or_else(Instant::now)), if claim_at.is_some() => {
                    claim_at = None;
                    self.try_command(Command::ClaimWin).await?;
                }
            }
        }
        if let Some(engine) = engine {
            self.matches.engines.release(engine);
        }
        Ok(())
    }

    /// Begins the search of a turn.
    fn begin(&self, engine: Engine, turn: &Turn) -> Result<Search, String> {
        let game = record(turn.view())?;
        let clocks = self.matches.conduct.clocks(turn);
        Ok(engine.search(game, clocks, self.seed))
    }

    /// Carries out the decision of the engine, or of the conduct.
    async fn carry_out(&mut self, turn: &Turn, answer: Answer) -> Result<(), Error> {
        self.scores.push(answer.score);
        let conduct = &self.matches.conduct;
        let is_draw_offered = self.playing.view().state.draw_offer == Some(self.you.other());
        if is_draw_offered && conduct.agrees(&self.scores) {
            // Where the offer is gone, the move is still due.
            if self.try_command(Command::AcceptDraw).await? {
                return Ok(());
            }
        }
        match answer.play {
            Play::Resign => self.try_command(Command::Resign).await.map(drop),
            Play::Move(_) if conduct.resigns(&self.scores) => {
                self.try_command(Command::Resign).await.map(drop)
            }
            Play::Move(m) => turn.play(m.to_string()).await.map(drop),
        }
    }

    /// Calls the match off if it has not begun, and resigns otherwise.
    async fn give_up(&self) -> Result<(), Error> {
        if !self.try_command(Command::Abort).await? {
            self.try_command(Command::Resign).await?;
        }
        Ok(())
    }

    /// Returns whether the command was done: it may be refused because the match has gone on.
    async fn try_command(&self, command: Command) -> Result<bool, Error> {
        match self.playing.command(command).await {
            Ok(_) => Ok(true),
            Err(Error::Refused(_)) => Ok(false),
            Err(error) => Err(error),
        }
    }

    fn presence(&self, message: ServerMsg) -> Option<Presence> {
        let (id, presence) = match message {
            ServerMsg::Snapshot(snapshot) => (snapshot.view.id, snapshot.presence),
            ServerMsg::Joined {
                match_id, presence, ..
            }
            | ServerMsg::Presence {
                match_id, presence, ..
            } => (match_id, presence),
            _ => return None,
        };
        (id == *self.playing.id()).then_some(presence)
    }
}

/// The time at which the opponent has been gone for so long that the match can be claimed.
fn claim_time(you: Side, presence: &Presence) -> Option<Instant> {
    let gone = presence.gone_ms.of(you.other()).as_ref()?;
    let left = presence.claim_after_ms?.saturating_sub(*gone);
    // The server's clock decides: a claim that comes too early is refused.
    Some(Instant::now() + Duration::from_millis(left) + Duration::from_secs(1))
}

/// The game of a match, if this version knows it.
fn kind(view: &MatchView) -> Option<GameKind> {
    view.game.parse().ok()
}

/// The game so far, by our own rules.
fn record(view: &MatchView) -> Result<Record, String> {
    let kind = kind(view).ok_or_else(|| format!("the game {} is not known", &*view.game))?;
    let setup = match view.setup.as_str() {
        "" => AnySetup::standard(kind),
        text => AnySetup::parse(kind, text).map_err(|error| error.to_string())?,
    };
    let mut game = Record::new(kind, &setup).map_err(|error| error.to_string())?;
    if game.position().to_string() != view.start {
        return Err(format!("the game begins from {}", view.start));
    }
    for text in view.moves() {
        game.play(text)
            .map_err(|error| format!("{text}: {error}"))?;
    }
    Ok(game)
}

/// The line of output of a match that is over.
fn line(playing: &Match, you: Side) -> Value {
    let view = playing.view();
    let result = playing.result();
    let reason = result.as_ref().map(|result| result.reason.as_str());
    let outcome = match result.as_ref().map(|result| result.winner) {
        Some(Some(winner)) if winner == you => "won",
        Some(Some(_)) => "lost",
        Some(None) if reason.is_some_and(mawe_wire::end_reason::is_called_off) => "called-off",
        Some(None) => "drawn",
        None => "unknown",
    };
    json!({
        "match": view.id, "game": view.game, "opponent": view.seats.of(you.other()).player.name, "side": you, "rated": view.rated,
        "result": outcome, "reason": reason, "plies": view.plies.len(),
    })
}
