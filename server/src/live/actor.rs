//! The task of a room: it handles messages one at a time, passes inputs to the match core, and carries out the effects.
//!
//! Log first, answer after: an entry is durable before it is sent to anybody. During an append the core handles no other input; while the
//! store is unavailable the room keeps trying. Messages that only read are answered meanwhile from the durable state; messages that could
//! change the match wait in a bounded queue.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use mawe_play::room::entry::{Action, Entry, StoredEntry};
use mawe_play::room::io::{Answer, Closing, Effects, Input, Now, Proposal, Refusal};
use mawe_play::room::phrases::Phrases;
use mawe_play::room::spectator_delay::SpectatorDelay;
use mawe_play::room::state::RoomState;
use mawe_rules::Side;
use mawe_store::{Append, Claim, StoreError};
use mawe_wire::ids::{ClientId, MatchId, PlayerId};
use mawe_wire::{Code, Command, ErrorMsg, MatchView, ServerMsg, TimeControl};
use tokio::sync::oneshot;
use tokio_tungstenite::tungstenite::Utf8Bytes;

use crate::bots::job::Reply;
use crate::live::audience::Audience;
use crate::live::journal::AppendError;
use crate::live::message::{Caller, Envelope, Mailbox, RoomMsg};
use crate::live::opponent::Opponent;
use crate::live::outbox::{Outbox, encode};
use crate::live::rematch::Rematch;
use crate::live::remote::RemoteMatches;
use crate::live::services::Services;
use crate::trace::Trace;

/// The number of messages that may wait for a room.
pub const MAILBOX: usize = 64;

/// The delay before a change in the number of spectators is sent, so that many changes at once cause one message.
pub(super) const PRESENCE_EVERY: Duration = Duration::from_secs(2);

/// The first and the longest pause between the attempts of an append while the store is unavailable: matches continue within two seconds of
/// its return.
pub(super) const RETRY: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(1));

/// The time for which the ownership of the match may be uncertain before the players are told that they wait.
const DOUBT: Duration = Duration::from_millis(100);

/// The duration of an append after which messages that only read are answered meanwhile. On a healthy disk an append takes a few
/// milliseconds, and messages are handled in the order of arrival.
const SLOW_APPEND: Duration = Duration::from_millis(100);

/// Opens the room of another match, for a rematch.
pub type Opener = Arc<dyn Fn(&MatchId) + Send + Sync>;

/// Runs the room of a match until the match is over and nobody follows it, the server stops, or another node has taken the match.
pub async fn run(
    services: &Arc<Services>,
    opener: Opener,
    id: &MatchId,
    mailbox: &mut Mailbox,
) -> VecDeque<RoomMsg> {
    let mut deferred = VecDeque::new();
    match open(services, opener, id).await {
        Ok(Some(Opened::Here(mut room))) => {
            room.live(mailbox).await;
            deferred = room.deferred;
        }
        Ok(Some(Opened::There { remote, owner })) => {
            services.relays(id, true);
            remote.relay(id, owner, mailbox).await;
            services.relays(id, false);
        }
        Ok(None) => refuse_all(id, mailbox, &Code::UnknownMatch, "there is no such match"),
        Err(error) => {
            tracing::error!(game.match_id = %id, error = &error as &dyn std::error::Error, "a match could not be opened");
            refuse_all(
                id,
                mailbox,
                &Code::StorageUnavailable,
                "the match cannot be read just now; try again soon",
            );
        }
    }
    deferred
}

/// The place where a match runs.
enum Opened {
    Here(Box<Room>),
    /// On another node.
    There {
        remote: Arc<dyn RemoteMatches>,
        owner: String,
    },
}

async fn open(
    services: &Arc<Services>,
    opener: Opener,
    id: &MatchId,
) -> Result<Option<Opened>, StoreError> {
    let remote = services.remote.as_ref();
    // Read before the claim, so that the end of the lease during the claim is noticed.
    let generation = remote.map_or(0, |remote| remote.generation());
    let claimed = match (services.claim(id).await?, remote) {
        (None, _) => return Ok(None),
        (Some(Claim::Taken(claimed)), _) => *claimed,
        (Some(Claim::Owned { by }), Some(remote)) => {
            remote.note_living(&by);
            return Ok(Some(Opened::There {
                remote: Arc::clone(remote),
                owner: by,
            }));
        }
        (Some(Claim::Owned { .. }), None) => return Ok(None),
    };
    let next = if claimed.row.finish.is_some() {
        services.store.find_rematch(id).await?
    } else {
        None
    };
    let state = claimed.rebuild()?;
    let mut room = Room {
        services: Arc::clone(services),
        opener,
        audience: Audience::new(&claimed.row),
        spectator_delay: SpectatorDelay::new(match claimed.row.time_control {
            TimeControl::Realtime { .. } if claimed.row.rated => services.settings.spectator_delay,
            _ => Duration::ZERO,
        }),
        phrases: Phrases::default(),
        opponent: Opponent::of(&claimed.row),
        row: claimed.row,
        state,
        rematch: Rematch::new(next),
        wake_at: None,
        presence_due: None,
        idle_since: Instant::now(),
        deferred: VecDeque::new(),
        is_store_away: false,
        look_at: None,
        generation,
        trace: Trace::default(),
    };
    let now = room.services.run_time.now(Instant::now());
    let effects = room.state.handle(now, Input::Open);
    room.carry_out(effects, None);
    if room.is_new() {
        room.call_to_move(None);
    }
    Ok(Some(Opened::Here(Box::new(room))))
}

/// Refuses the messages that wait for a room that cannot be opened.
fn refuse_all(id: &MatchId, mailbox: &mut Mailbox, code: &Code, message: &str) {
    mailbox.close();
    while let Ok(msg) = mailbox.try_recv() {
        let (caller, client_id) = match *msg {
            RoomMsg::Join { caller, .. } => (caller, None),
            RoomMsg::Client(Envelope {
                caller, message, ..
            }) => (caller, message.client_id().cloned()),
            RoomMsg::Leave { .. }
            | RoomMsg::Bot { .. }
            | RoomMsg::BotAway { .. }
            | RoomMsg::View { .. }
            | RoomMsg::Refresh
            | RoomMsg::Counted
            | RoomMsg::Close { .. }
            | RoomMsg::Lapsed
            | RoomMsg::Stop => {
                continue;
            }
        };
        caller
            .outbox
            .push(error_frame(id, client_id, code.clone(), None, message));
    }
}

pub(crate) fn error_frame(
    id: &MatchId,
    client_id: Option<ClientId>,
    code: Code,
    why: Option<&str>,
    message: &str,
) -> Utf8Bytes {
    encode(&ServerMsg::Error(ErrorMsg {
        match_id: Some(id.clone()),
        client_id,
        code,
        why: why.map(str::to_owned),
        message: message.to_owned(),
        retry_ms: None,
    }))
}

/// The state of a match's task.
pub(super) struct Room {
    pub(super) services: Arc<Services>,
    pub(super) opener: Opener,
    pub(super) row: mawe_store::MatchRow,
    pub(super) state: RoomState,
    pub(super) audience: Audience,
    pub(super) spectator_delay: SpectatorDelay<Utf8Bytes>,
    pub(super) phrases: Phrases,
    pub(super) opponent: Option<Opponent>,
    pub(super) rematch: Rematch,
    pub(super) wake_at: Option<Instant>,
    pub(super) presence_due: Option<Instant>,
    /// The time since which nobody has followed the match.
    pub(super) idle_since: Instant,
    /// Messages that wait for the end of an append, at most [`MAILBOX`].
    deferred: VecDeque<RoomMsg>,
    /// Whether an append has failed and is being retried.
    is_store_away: bool,
    /// The time at which conditional moves are looked for again, because the store did not answer.
    pub(super) look_at: Option<Instant>,
    /// The generation of this node's lease in which the room was opened.
    generation: u64,
    /// The span of the message that is being handled.
    trace: Trace,
}

/// Whether the room continues.
#[derive(PartialEq, Eq)]
pub(super) enum Going {
    On,
    Ends,
}

impl Room {
    async fn live(&mut self, mailbox: &mut Mailbox) {
        // An earlier room may have ended between a move and its answer. The answer comes before a flag falls.
        if Box::pin(self.answer_ahead(mailbox)).await == Going::Ends {
            return;
        }
        loop {
            let alarm = self.next_alarm();
            let msg = if let Some(deferred) = self.deferred.pop_front() {
                Some(deferred)
            } else {
                tokio::select! {
                    // Messages come first, so that a move that arrived in time is handled before the flag falls. (`run_time` handles a
                    // stall of the whole node.)
                    biased;
                    msg = mailbox.recv() => match msg {
                        Some(msg) => Some(*msg),
                        None => return,
                    },
                    () = sleep_until(alarm) => None,
                }
            };
            if !self.is_still_ours().await {
                // The message must go to the match's next room, on this node or another.
                self.send_away(msg);
                return;
            }
            // Boxed: an idle match keeps no place for the state of an append.
            let going = match msg {
                Some(msg) => Box::pin(self.handle_message(msg, mailbox)).await,
                None => Box::pin(self.alarm(mailbox)).await,
            };
            self.trace = Trace::default();
            if going == Going::Ends {
                return;
            }
        }
    }

    /// Whether this node's lease lasts, so that no other node can have claimed the match.
    fn has_lease(&self) -> bool {
        let remote = self.services.remote.as_ref();
        remote.is_none_or(|remote| remote.lasts(self.generation))
    }

    /// Whether this node still owns the match. While that is uncertain, nothing is answered and no flag falls.
    async fn is_still_ours(&self) -> bool {
        let Some(remote) = &self.services.remote else {
            return true;
        };
        if self.has_lease() {
            return true;
        }
        let settled = remote.settled(self.generation);
        tokio::pin!(settled);
        let mut told = false;
        let ours = loop {
            tokio::select! {
                ours = &mut settled => break ours,
                () = tokio::time::sleep(DOUBT) => {
                    if !std::mem::replace(&mut told, true) {
                        self.tell_store_away();
                    }
                    // While the store is unavailable, this would never be settled.
                    if self.services.is_stopping() {
                        break false;
                    }
                }
            }
        };
        ours && !self.services.is_stopping()
    }

    fn tell_store_away(&self) {
        self.audience.tell(&self.store_away());
    }

    fn store_away(&self) -> Utf8Bytes {
        self.error(
            None,
            Code::StorageUnavailable,
            None,
            "moves cannot be written just now; the clocks stand",
        )
    }

    /// Tells all sockets to join again, and also the sender of a message that was not handled.
    fn send_away(&self, untaken: Option<RoomMsg>) {
        let moved = self.error(None, Code::Moved, None, "join the match again");
        self.audience.tell(&moved);
        if let Some(RoomMsg::Join { caller, .. } | RoomMsg::Client(Envelope { caller, .. })) =
            untaken
            && !self.audience.follows(caller.socket)
        {
            caller.outbox.push(moved);
        }
    }

    fn next_alarm(&self) -> Option<Instant> {
        let leave_at = self
            .may_leave()
            .then(|| self.idle_since + self.services.settings.linger);
        [
            self.wake_at,
            self.presence_due,
            self.spectator_delay.due(),
            self.rematch.due(),
            self.look_at,
            leave_at,
        ]
        .into_iter()
        .flatten()
        .min()
    }

    /// Whether the room may end: nobody follows the match, and it is finished or not realtime. A match that is not realtime is loaded again
    /// when somebody joins or it is due.
    fn may_leave(&self) -> bool {
        let sleeps = !self.row.time_control.is_realtime();
        (sleeps || self.state.result().is_some()) && self.audience.is_empty()
    }

    /// Sends messages that are due: presence, events for spectators, and the end of an offer of a rematch.
    fn show_due(&mut self, now: Instant) {
        if self.presence_due.is_some_and(|due| due <= now) {
            self.tell_presence();
        }
        for frame in self.spectator_delay.due_frames(now) {
            self.audience.tell_spectators(&frame);
        }
        if self.rematch.lapse(now) {
            self.tell_rematch(now);
        }
    }

    async fn alarm(&mut self, mailbox: &mut Mailbox) -> Going {
        let now = Instant::now();
        self.show_due(now);
        if self.may_leave() && self.idle_since + self.services.settings.linger <= now {
            return Going::Ends;
        }
        if self.look_at.is_some_and(|due| due <= now)
            && self.answer_ahead(mailbox).await == Going::Ends
        {
            return Going::Ends;
        }
        if self.wake_at.is_some_and(|due| due <= now) {
            return self.step(now, Input::Tick, None, mailbox).await;
        }
        Going::On
    }

    /// Waits for an operation of the store. If it takes long, messages that only read are handled meanwhile, unless another node may own
    /// the match: then they must go there.
    pub(super) async fn serve_until<T>(
        &mut self,
        work: impl Future<Output = T>,
        mailbox: &mut Mailbox,
    ) -> T {
        tokio::pin!(work);
        if !self.is_store_away
            && let Ok(done) = tokio::time::timeout(SLOW_APPEND, &mut work).await
        {
            return done;
        }
        loop {
            let show_at = [
                self.presence_due,
                self.spectator_delay.due(),
                self.rematch.due(),
            ];
            let show_at = show_at.into_iter().flatten().min();
            tokio::select! {
                biased;
                done = &mut work => return done,
                // A closed mailbox gives no more messages; the work is still awaited.
                Some(msg) = mailbox.recv(), if self.has_lease() => self.read_or_defer(*msg),
                () = sleep_until(show_at) => self.show_due(Instant::now()),
            }
        }
    }

    /// Handles a message that does not change the match, and defers any other.
    fn read_or_defer(&mut self, msg: RoomMsg) {
        if !self.has_lease() {
            // The lease has ended while this message was received. No more are received now.
            self.deferred.push_back(msg);
            return;
        }
        match msg {
            RoomMsg::Join {
                caller,
                since,
                answered,
            } => {
                self.join(&caller, since);
                if self.is_store_away {
                    caller.outbox.push(self.store_away());
                }
                drop(answered);
            }
            RoomMsg::Leave { socket } => self.leave(socket),
            RoomMsg::View { player, reply } => self.show(player.as_ref(), reply),
            RoomMsg::Client(envelope) if !Room::may_change_match(&envelope.message) => {
                self.open_envelope(envelope);
            }
            RoomMsg::Client(_)
            | RoomMsg::Bot { .. }
            | RoomMsg::BotAway { .. }
            | RoomMsg::Refresh
            | RoomMsg::Counted
            | RoomMsg::Close { .. }
            | RoomMsg::Lapsed
            | RoomMsg::Stop
                if self.deferred.len() < MAILBOX =>
            {
                self.deferred.push_back(msg);
            }
            // The queue is full only for a client that sends far more commands than any player would.
            RoomMsg::Client(Envelope {
                caller, message, ..
            }) => caller.outbox.push(match message.client_id() {
                Some(client_id) => self.error(
                    Some(client_id.clone()),
                    Code::StorageUnavailable,
                    None,
                    "moves cannot be written just now; send it again when the match goes on",
                ),
                None => self.store_away(),
            }),
            // Dropping these is safe: a computer opponent is asked again, a row is read again, and a stop is noticed when the append ends.
            // The caller who closes the match learns from the dropped channel that the result is unknown.
            RoomMsg::Bot { .. }
            | RoomMsg::BotAway { .. }
            | RoomMsg::Refresh
            | RoomMsg::Counted
            | RoomMsg::Close { .. }
            | RoomMsg::Lapsed
            | RoomMsg::Stop => {}
        }
    }

    fn show(&self, player: Option<&PlayerId>, reply: oneshot::Sender<Option<MatchView>>) {
        let side = self.audience.side_of(player);
        // The receiver may be gone.
        let _ = reply.send(Some(self.view(side)));
    }

    async fn handle_message(&mut self, msg: RoomMsg, mailbox: &mut Mailbox) -> Going {
        match msg {
            RoomMsg::Join {
                caller,
                since,
                answered,
            } => {
                self.join(&caller, since);
                drop(answered);
                Going::On
            }
            RoomMsg::Leave { socket } => {
                self.leave(socket);
                Going::On
            }
            RoomMsg::Client(envelope) => {
                self.trace = envelope.trace.room();
                match self.open_envelope(envelope) {
                    Some(Change::Input(received, input, sender)) => {
                        self.step(received, input, Some(sender), mailbox).await
                    }
                    Some(Change::Rematch(caller)) => {
                        self.rematch(&caller).await;
                        Going::On
                    }
                    None => Going::On,
                }
            }
            RoomMsg::Bot {
                side,
                ply,
                seq,
                reply,
                trace,
            } => {
                self.trace = trace.room();
                self.bot((side, ply, seq, reply), mailbox).await
            }
            RoomMsg::BotAway { side } => {
                if self.state.record().turn() == side && self.state.result().is_none() {
                    self.note_computer(side, false);
                }
                Going::On
            }
            RoomMsg::View { player, reply } => {
                self.show(player.as_ref(), reply);
                Going::On
            }
            RoomMsg::Counted => {
                self.note_counted();
                if self.row.rated {
                    self.refresh().await;
                }
                Going::On
            }
            RoomMsg::Refresh => {
                self.refresh().await;
                Going::On
            }
            RoomMsg::Close { closing, done } => self.close(closing, done, mailbox).await,
            // The lease was checked before this message was handled.
            RoomMsg::Lapsed => Going::On,
            RoomMsg::Stop => Going::Ends,
        }
    }

    async fn close(
        &mut self,
        closing: Closing,
        done: oneshot::Sender<Result<(), Refusal>>,
        mailbox: &mut Mailbox,
    ) -> Going {
        // The receiver may be gone.
        if self.state.result().is_some() {
            let _ = done.send(Err(Refusal::MatchOver));
            return Going::On;
        }
        let closing = Input::Close(closing);
        let going = self.step(Instant::now(), closing, None, mailbox).await;
        if self.state.result().is_some() {
            let _ = done.send(Ok(()));
        }
        going
    }

    async fn bot(
        &mut self,
        (side, ply, seq, reply): (Side, u32, u64, Reply),
        mailbox: &mut Mailbox,
    ) -> Going {
        self.note_computer(side, true);
        // A resignation and an offer name no ply: the room refuses only a late move by itself.
        let is_late = self.state.is_stale(ply, seq);
        let command = match reply {
            Reply::Move { text, offers_draw } => {
                if offers_draw
                    && !is_late
                    && self.offer_draw(side, seq, mailbox).await == Going::Ends
                {
                    return Going::Ends;
                }
                Command::Move { ply, text }
            }
            Reply::Resign if is_late => return Going::On,
            Reply::Resign => Command::Resign,
            Reply::Draw(true) => Command::AcceptDraw,
            Reply::Draw(false) => Command::DeclineDraw,
        };
        // The id makes the answer unique, however often the question was given to workers.
        let client_id = format!("asked-{seq}")
            .parse()
            .expect("letters, digits and a dash");
        self.step(
            Instant::now(),
            Input::Command {
                side,
                client_id,
                seq,
                command,
                lag_ms: 0,
            },
            None,
            mailbox,
        )
        .await
    }

    /// Makes a computer opponent's offer of a draw, before its move: the offer remains with the move, and comes before any conditional
    /// moves of the player, who is to answer it.
    async fn offer_draw(&mut self, side: Side, seq: u64, mailbox: &mut Mailbox) -> Going {
        let offer = Input::Command {
            side,
            client_id: format!("offered-{seq}")
                .parse()
                .expect("letters, digits and a dash"),
            seq,
            command: Command::OfferDraw,
            lag_ms: 0,
        };
        // The room refuses an offer that is too soon after the last one.
        self.pass_input(Instant::now(), offer, None, mailbox).await
    }

    /// Passes one input through the core, then the conditional moves that follow.
    async fn step(
        &mut self,
        at: Instant,
        input: Input,
        sender: Option<Sender>,
        mailbox: &mut Mailbox,
    ) -> Going {
        let by = match &input {
            Input::Command { side, .. } => Some(*side),
            _ => None,
        };
        let is_move = matches!(
            &input,
            Input::Command {
                command: Command::Move { .. },
                ..
            }
        );
        let head = self.state.head();
        let going = self.pass_input(at, input, sender.as_ref(), mailbox).await;
        if going == Going::Ends || self.state.head() == head {
            return going;
        }
        if is_move && sender.is_some() {
            self.services.moves.seconds.record(at.elapsed());
        }
        self.follow_up(by, mailbox).await
    }

    /// Passes one input through the core, after the part of a vacation that keeps a flag from falling with it.
    pub(super) async fn pass_input(
        &mut self,
        at: Instant,
        input: Input,
        sender: Option<&Sender>,
        mailbox: &mut Mailbox,
    ) -> Going {
        let now = self.services.run_time.now(at);
        if matches!(input, Input::Command { .. } | Input::Tick)
            && let Some(turn) = self.state.time_up(now)
        {
            match self.vacation_ms(turn, now, mailbox).await {
                Ok(0) => {}
                Ok(ms) => {
                    let vacation = Input::Vacation { ms };
                    if self.commit(now, vacation, None, mailbox).await == Going::Ends {
                        return Going::Ends;
                    }
                }
                Err(error) => {
                    self.put_off(&error, sender);
                    return Going::On;
                }
            }
        }
        self.commit(now, input, sender, mailbox).await
    }

    /// Hands one input to the core, appends its entries to the journal, and carries out its effects.
    async fn commit(
        &mut self,
        now: Now,
        input: Input,
        sender: Option<&Sender>,
        mailbox: &mut Mailbox,
    ) -> Going {
        let effects = self.state.handle(now, input);
        let Some(proposal) = effects.append else {
            self.carry_out(effects, sender);
            return Going::On;
        };
        let finishes = proposal.finish.is_some();
        let entries = proposal.entries.iter();
        let moves = entries.filter(|entry| matches!(entry.action, Action::Move { .. }));
        let moves = moves.count() as u64;
        match self.append(proposal, mailbox).await {
            Ok(()) => {
                self.services.moves.made.add(moves);
                let now = Instant::now();
                let effects = self
                    .state
                    .handle(self.services.run_time.now(now), Input::Durable);
                if finishes {
                    self.idle_since = now;
                    self.services.count_matches();
                }
                self.carry_out(effects, sender);
                if finishes {
                    self.bid_farewell();
                    self.note_called_off();
                }
                Going::On
            }
            Err(AppendError::Fenced | AppendError::Unavailable) => {
                // Fenced: another owner has written entries, so the state in memory is out of date. (Unavailable: the server is stopping.)
                tracing::warn!(game.match_id = %self.row.id, "the room stops without acknowledging what it could not append");
                let moved = self.error(None, Code::Moved, None, "join the match again");
                self.audience.tell(&moved);
                if let Some(outbox) = self.outside(sender) {
                    outbox.push(moved);
                }
                Going::Ends
            }
        }
    }

    /// Appends entries, and retries while the store is unavailable. The clocks stand meanwhile, because a turn begins with a durable entry.
    async fn append(
        &mut self,
        proposal: Proposal,
        mailbox: &mut Mailbox,
    ) -> Result<(), AppendError> {
        let append = Append {
            match_id: self.row.id.clone(),
            head: proposal.head,
            epoch: self.state.epoch(),
            entries: proposal
                .entries
                .iter()
                .map(Entry::to_stored)
                .collect::<Vec<StoredEntry>>(),
            finish: proposal.finish,
            due_ms: proposal.due_ms,
        };
        let trace = self.trace.append(append.entries.len());
        let mut pause = RETRY.0;
        let outcome = loop {
            let services = Arc::clone(&self.services);
            let appended = services.journal.append(append.clone(), trace.clone());
            match self.serve_until(appended, mailbox).await {
                Err(AppendError::Unavailable) if !self.services.is_stopping() => {
                    if !std::mem::replace(&mut self.is_store_away, true) {
                        self.tell_store_away();
                    }
                    let paused = tokio::time::sleep(pause);
                    self.serve_until(paused, mailbox).await;
                    pause = (pause * 2).min(RETRY.1);
                }
                outcome => break outcome,
            }
        };
        self.is_store_away = false;
        outcome
    }

    pub(super) fn carry_out(&mut self, effects: Effects, sender: Option<&Sender>) {
        // Players are served before spectators, and all get the same bytes.
        let outside = self.outside(sender);
        for event in effects.tell {
            // Without sockets, delayed spectators and an outside sender, nobody needs the encoded event.
            if self.audience.is_empty() && !self.spectator_delay.delays() && outside.is_none() {
                break;
            }
            let seq = event.seq;
            let traced = sender.filter(|sender| {
                sender.trace.is_drawn() && event.client_id.as_ref() == Some(&sender.client_id)
            });
            let frame = encode(&ServerMsg::Event(Box::new(event)));
            match (outside, traced) {
                (Some(outbox), Some(sender)) => outbox.push_traced(frame.clone(), &sender.trace),
                (Some(outbox), None) => outbox.push(frame.clone()),
                (None, _) => {}
            }
            let traced = traced.map(|sender| (sender.caller.socket, &sender.trace));
            self.audience.tell_players(&frame, traced);
            if let Some(frame) = self.spectator_delay.push(Instant::now(), seq, frame) {
                self.audience.tell_spectators(&frame);
            }
        }
        if let (Some(answer), Some(sender)) = (effects.answer, sender) {
            self.answer(answer, sender);
        }
        if let Some(question) = effects.ask {
            self.services.bots.ask(&self.row.id, question, &self.trace);
        }
        self.wake_at = effects.wake_at.map(|at| self.services.run_time.instant(at));
    }

    /// Returns the outbox of a sender who does not follow the match (over REST), and so gets no events otherwise.
    fn outside<'a>(&self, sender: Option<&'a Sender>) -> Option<&'a Outbox> {
        let caller = &sender?.caller;
        let follows = self.audience.follows(caller.socket);
        (!follows).then_some(&*caller.outbox)
    }

    fn answer(&self, answer: Answer, sender: &Sender) {
        let events = match answer {
            Answer::Again(seq) => {
                let mut events = self.state.events_since(seq - 1);
                events.truncate(1);
                events
            }
            Answer::Refused(refusal) => {
                let client_id = Some(sender.client_id.clone());
                let error = self.error(
                    client_id,
                    refusal.code(),
                    refusal.why(),
                    &refusal.to_string(),
                );
                sender.caller.outbox.push_traced(error, &sender.trace);
                match refusal {
                    Refusal::StalePly(_) => self.state.events_since(sender.seq),
                    _ => Vec::new(),
                }
            }
        };
        for event in events {
            let frame = encode(&ServerMsg::Event(Box::new(event)));
            sender.caller.outbox.push_traced(frame, &sender.trace);
        }
    }
}

/// The sender of a command.
pub(super) struct Sender {
    pub(super) caller: Caller,
    pub(super) client_id: ClientId,
    pub(super) seq: u64,
    /// The trace of the command, whose answer is a part of it.
    pub(super) trace: Trace,
}

/// A change that a client's message asks for.
pub(super) enum Change {
    /// An input of the match core, with the time at which the message was read.
    Input(Instant, Input, Sender),
    /// An offer of a rematch, or the consent to one.
    Rematch(Caller),
}

async fn sleep_until(at: Option<Instant>) {
    match at {
        Some(at) => tokio::time::sleep_until(at.into()).await,
        None => std::future::pending().await,
    }
}
