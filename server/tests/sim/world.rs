//! One match, its players, a spectator, and everything that can go wrong between them, in one thread.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, VecDeque};
use std::ops::AddAssign;

use fastrand::Rng;
use mawe_rules::{BySide, GameKind, Side};
use mawe_server::ids::{ClientId, MatchId};
use mawe_server::protocol::{Command, EventMsg, MatchOptions, TimeControl};
use mawe_server::room::state::{
    Answer, BotQuestion, Effects, Input, MatchSetup, Millis, Now, Proposal, Refusal, RoomState,
    Wanted,
};
use mawe_server::store::Appended;

use crate::client::{Client, ToClient, ToRoom};
use crate::store::SimStore;

/// What may go wrong.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Faults {
    /// Messages and connections.
    pub(crate) losses: bool,
    /// Appends.
    pub(crate) store: bool,
    /// The process.
    pub(crate) crashes: bool,
    /// Another owner, while the old one writes on.
    pub(crate) takeovers: bool,
}

/// What happened, so that a run in which nothing happens is noticed.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Tally {
    pub(crate) entries: u64,
    pub(crate) acknowledged: u64,
    pub(crate) crashes: u64,
    pub(crate) fenced: u64,
    pub(crate) resent: u64,
    pub(crate) again: u64,
    pub(crate) unknown: u64,
    pub(crate) flags: u64,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.entries += other.entries;
        self.acknowledged += other.acknowledged;
        self.crashes += other.crashes;
        self.fenced += other.fenced;
        self.resent += other.resent;
        self.again += other.again;
        self.unknown += other.unknown;
        self.flags += other.flags;
    }
}

/// What becomes of an append.
#[derive(Debug, Clone, Copy)]
enum Fate {
    /// The store answers.
    Answered,
    /// The store does not take it; it is tried again.
    Unavailable,
    /// The line breaks after the commit.
    UnknownDone,
    /// The line breaks before the commit.
    UnknownNotDone,
}

#[derive(Debug, Clone)]
enum Happening {
    /// A message reaches a room.
    Knock {
        room: u64,
        from: usize,
        message: ToRoom,
    },
    /// A message reaches a page.
    Tell {
        to: usize,
        room: u64,
        message: ToClient,
    },
    /// A person thinks again.
    Think { who: usize },
    /// A page looks whether its command was answered.
    Impatience { who: usize },
    /// A connection is made.
    Connect { who: usize },
    /// An append under way gets its fate.
    Commit { room: u64, append: u64, fate: Fate },
    /// A room's timer.
    Timer { room: u64, set_at: u64 },
    /// A bot answers.
    Bot {
        room: u64,
        side: Side,
        ply: u32,
        wanted: Wanted,
    },
    /// The process dies.
    Crash,
    /// Another process takes the match over.
    Takeover,
}

/// A room in some process.
struct Live {
    state: RoomState,
    mailbox: VecDeque<(usize, ToRoom)>,
    bot_mail: VecDeque<(Side, Command, String)>,
    busy: Option<Busy>,
    timer: u64,
}

struct Busy {
    append: u64,
    proposal: Proposal,
    from: Option<(usize, ClientId, u64)>,
}

/// All of it.
pub(crate) struct World {
    rng: Rng,
    faults: Faults,
    now: Millis,
    order: u64,
    queue: BinaryHeap<Reverse<(Millis, u64)>>,
    happenings: BTreeMap<u64, Happening>,
    store: SimStore,
    rooms: BTreeMap<u64, Live>,
    current: u64,
    clients: Vec<Client>,
    tally: Tally,
}

/// After so much virtual time a match must be over: both clocks, all increments, all outages.
const PATIENCE_MS: Millis = 4 * 60 * 60 * 1_000;

impl World {
    pub(crate) fn new(game: GameKind, seed: u64, faults: Faults, bot: bool) -> World {
        let mut rng = Rng::with_seed(seed);
        let setup = MatchSetup {
            id: MatchId::random(),
            game,
            setup: String::new(),
            rated: true,
            time_control: TimeControl::Realtime {
                base_ms: 60_000 * rng.u64(1..5),
                increment_ms: 1_000 * rng.u64(0..3),
            },
            options: MatchOptions::usual(true),
            one_player: false,
            created_ms: 0,
            bots: BySide::new(None, bot.then_some(1)),
        };
        let seats = if bot {
            vec![Some(Side::First), None]
        } else {
            vec![Some(Side::First), Some(Side::Second), None]
        };
        let mut world = World {
            rng,
            faults,
            now: 1_000,
            order: 0,
            queue: BinaryHeap::new(),
            happenings: BTreeMap::new(),
            store: SimStore::new(setup),
            rooms: BTreeMap::new(),
            current: 0,
            clients: seats.into_iter().map(Client::new).collect(),
            tally: Tally::default(),
        };
        world.open_room();
        for who in 0..world.clients.len() {
            world.after(0..500, Happening::Connect { who });
            world.after(500..2_000, Happening::Think { who });
        }
        if faults.crashes {
            world.after(1_000..60_000, Happening::Crash);
        }
        if faults.takeovers {
            world.after(1_000..60_000, Happening::Takeover);
        }
        world
    }

    /// Plays until all is quiet, then asks whether all agree.
    pub(crate) fn play(mut self) -> Tally {
        while let Some(Reverse((at, order))) = self.queue.pop() {
            self.now = self.now.max(at);
            assert!(
                self.now < PATIENCE_MS || self.store.is_finished(),
                "the match does not end"
            );
            let happening = self.happenings.remove(&order).expect("it was queued");
            self.happen(happening);
            self.check();
        }
        self.check_end();
        let replayed = self.store.replay();
        self.tally.entries = replayed.head();
        self.tally.flags = u64::from(
            replayed
                .result()
                .is_some_and(|result| result.reason == "time"),
        );
        for client in &self.clients {
            self.tally.acknowledged += client.acknowledged.len() as u64;
            self.tally.resent += client.resent;
        }
        self.tally
    }

    fn after(&mut self, ms: std::ops::Range<u64>, happening: Happening) {
        let at = self.now + self.rng.u64(ms);
        self.at(at, happening);
    }

    fn at(&mut self, at: Millis, happening: Happening) {
        self.order += 1;
        self.queue.push(Reverse((at, self.order)));
        self.happenings.insert(self.order, happening);
    }

    fn chance(&mut self, one_in: u32) -> bool {
        self.rng.u32(0..one_in) == 0
    }

    fn time(&self) -> Now {
        Now {
            mono: self.now,
            unix_ms: i64::try_from(self.now).expect("a few hours"),
        }
    }

    fn happen(&mut self, happening: Happening) {
        match happening {
            Happening::Knock {
                room,
                from,
                message,
            } => {
                if let Some(live) = self.rooms.get_mut(&room) {
                    live.mailbox.push_back((from, message));
                    self.work(room);
                } else if self.clients[from].room == Some(room) {
                    // The line is dead: the page notices, and comes back.
                    self.clients[from].room = None;
                    self.after(100..3_000, Happening::Connect { who: from });
                }
            }
            Happening::Tell { to, room, message } => {
                if self.clients[to].room == Some(room)
                    && let Some(answer) = self.clients[to].receive(message)
                {
                    self.knock(to, answer);
                }
            }
            Happening::Think { who } => self.think(who),
            Happening::Impatience { who } => {
                if let Some(message) = self.clients[who].resend() {
                    self.knock(who, message);
                    self.after(2_000..6_000, Happening::Impatience { who });
                }
            }
            Happening::Connect { who } => {
                let room = self.current;
                for message in self.clients[who].connected(room) {
                    self.knock(who, message);
                }
            }
            Happening::Commit { room, append, fate } => self.commit(room, append, fate),
            Happening::Timer { room, set_at } => {
                let due = self
                    .rooms
                    .get(&room)
                    .is_some_and(|live| live.timer == set_at && live.busy.is_none());
                if due {
                    self.input(room, Input::Tick, None);
                }
            }
            Happening::Bot {
                room,
                side,
                ply,
                wanted,
            } => self.bot(room, side, ply, wanted),
            Happening::Crash => self.crash(),
            Happening::Takeover => {
                // The old owner knows nothing of it and writes on.
                self.open_room();
                for who in 0..self.clients.len() {
                    if self.rng.bool() {
                        self.clients[who].room = None;
                        self.after(50..1_500, Happening::Connect { who });
                    }
                }
                if !self.store.is_finished() {
                    self.after(20_000..200_000, Happening::Takeover);
                }
            }
        }
    }

    fn think(&mut self, who: usize) {
        if let Some(message) = self.clients[who].act(&mut self.rng) {
            self.knock(who, message);
            if self.faults.losses {
                self.after(2_000..6_000, Happening::Impatience { who });
            }
        }
        if !self.store.is_finished() {
            // Now and then somebody falls asleep, and is flagged.
            let until = if self.chance(600) { 400_000 } else { 4_000 };
            self.after(200..until, Happening::Think { who });
            if self.faults.losses && self.chance(40) {
                self.clients[who].room = None;
                self.after(100..20_000, Happening::Connect { who });
            }
        }
    }

    /// A page sends: late, perhaps twice, perhaps not at all.
    fn knock(&mut self, from: usize, message: ToRoom) {
        let Some(room) = self.clients[from].room else {
            return;
        };
        let happening = Happening::Knock {
            room,
            from,
            message,
        };
        self.deliver(happening);
    }

    fn tell(&mut self, room: u64, to: usize, message: ToClient) {
        self.check_told(&message);
        self.deliver(Happening::Tell { to, room, message });
    }

    fn deliver(&mut self, happening: Happening) {
        if self.faults.losses && self.chance(15) {
            return;
        }
        if self.faults.losses && self.chance(15) {
            self.after(1..800, happening.clone());
        }
        // In calm weather a line keeps the order of what it carries.
        if self.faults.losses {
            self.after(1..400, happening)
        } else {
            self.after(10..11, happening)
        }
    }

    fn open_room(&mut self) {
        let state = self.store.claim();
        self.current += 1;
        let room = self.current;
        self.rooms.insert(
            room,
            Live {
                state,
                mailbox: VecDeque::new(),
                bot_mail: VecDeque::new(),
                busy: None,
                timer: 0,
            },
        );
        self.input(room, Input::Open { up_since_ms: 0 }, None);
    }

    fn crash(&mut self) {
        self.tally.crashes += 1;
        // What was on its way to the disk may arrive there all the same.
        for live in std::mem::take(&mut self.rooms).into_values() {
            if let Some(busy) = live.busy.filter(|_| self.rng.bool()) {
                self.store.append(live.state.epoch(), &busy.proposal);
            }
        }
        // The machine was off for a while.
        self.now += self.rng.u64(100..20_000);
        self.open_room();
        for who in 0..self.clients.len() {
            self.clients[who].room = None;
            self.after(50..5_000, Happening::Connect { who });
        }
        if !self.store.is_finished() {
            self.after(5_000..120_000, Happening::Crash);
        }
    }

    /// A room takes what waits, one at a time, as its actor does.
    fn work(&mut self, room: u64) {
        while let Some(live) = self.rooms.get_mut(&room).filter(|live| live.busy.is_none()) {
            if let Some((side, command, name)) = live.bot_mail.pop_front() {
                let client_id = name.parse().expect("a client id");
                self.input(
                    room,
                    Input::Command {
                        side,
                        client_id,
                        command,
                        lag_ms: 0,
                    },
                    None,
                );
            } else if let Some((from, message)) = live.mailbox.pop_front() {
                self.take(room, from, message);
            } else {
                return;
            }
        }
    }

    fn take(&mut self, room: u64, from: usize, message: ToRoom) {
        match message {
            ToRoom::Join { since } => {
                let state = &self.rooms[&room].state;
                let events = since.map(|since| state.events_since(since));
                let (seq, view) = (state.head(), state.view());
                match events {
                    Some(events) => {
                        for event in events {
                            self.tell(room, from, ToClient::Event(event));
                        }
                    }
                    None => self.tell(room, from, ToClient::Snapshot { seq, state: view }),
                }
            }
            ToRoom::Command {
                client_id,
                seq,
                command,
            } => {
                let Some(side) = self.clients[from].side else {
                    return;
                };
                let lag_ms = self.rng.u64(0..300);
                let input = Input::Command {
                    side,
                    client_id: client_id.clone(),
                    command,
                    lag_ms,
                };
                self.input(room, input, Some((from, client_id, seq)));
            }
        }
    }

    fn input(&mut self, room: u64, input: Input, from: Option<(usize, ClientId, u64)>) {
        let now = self.time();
        let live = self.rooms.get_mut(&room).expect("the room takes an input");
        let before = live.state.clone();
        let effects = live.state.handle(now, input.clone());
        if !matches!(input, Input::Durable) {
            assert!(
                live.state.is_replay_of(&before),
                "nothing changes before it is durable"
            );
            assert!(
                effects.tell.is_empty(),
                "nothing is told before it is durable"
            );
        }
        let Some(proposal) = effects.append.clone() else {
            self.carry_out(room, effects, from);
            return;
        };
        self.order += 1;
        let append = self.order;
        live.busy = Some(Busy {
            append,
            proposal,
            from,
        });
        self.send_append(room, append);
    }

    fn send_append(&mut self, room: u64, append: u64) {
        let fate = match self.rng.u32(0..12) {
            0 | 1 if self.faults.store => Fate::Unavailable,
            2 if self.faults.store => Fate::UnknownDone,
            3 if self.faults.store => Fate::UnknownNotDone,
            _ => Fate::Answered,
        };
        let slow = if self.faults.store && self.chance(50) {
            30_000
        } else {
            30
        };
        self.after(1..slow, Happening::Commit { room, append, fate });
    }

    fn commit(&mut self, room: u64, append: u64, fate: Fate) {
        let Some(live) = self.rooms.get_mut(&room) else {
            return;
        };
        let Some(busy) = live.busy.as_ref().filter(|busy| busy.append == append) else {
            return;
        };
        let (epoch, proposal) = (live.state.epoch(), busy.proposal.clone());
        let outcome = match fate {
            Fate::Unavailable => None,
            Fate::Answered => Some(self.store.append(epoch, &proposal)),
            Fate::UnknownDone | Fate::UnknownNotDone => {
                self.tally.unknown += 1;
                if matches!(fate, Fate::UnknownDone) {
                    self.store.append(epoch, &proposal);
                }
                self.read_back(&proposal)
            }
        };
        match outcome {
            None => self.send_append(room, append),
            Some(Appended::Done) => {
                let busy = self
                    .rooms
                    .get_mut(&room)
                    .and_then(|live| live.busy.take())
                    .expect("it was just there");
                let now = self.time();
                let effects = self
                    .rooms
                    .get_mut(&room)
                    .expect("it was just there")
                    .state
                    .handle(now, Input::Durable);
                self.carry_out(room, effects, busy.from);
                self.work(room);
            }
            Some(Appended::Fenced) => {
                self.tally.fenced += 1;
                assert_ne!(room, self.current, "only an old owner is fenced");
                self.rooms.remove(&room);
            }
        }
    }

    /// As the journal's writer does it: what stands at (match, seq) decides.
    fn read_back(&self, proposal: &Proposal) -> Option<Appended> {
        let head = usize::try_from(proposal.head).expect("a short journal");
        let stored = self.store.journal().get(head..).unwrap_or_default();
        let wanted: Vec<_> = proposal
            .entries
            .iter()
            .map(mawe_server::room::entry::Entry::to_stored)
            .collect();
        match stored {
            [] => None,
            stored if stored.starts_with(&wanted) => Some(Appended::Done),
            _ => Some(Appended::Fenced),
        }
    }

    fn carry_out(&mut self, room: u64, effects: Effects, from: Option<(usize, ClientId, u64)>) {
        for event in effects.tell {
            for to in 0..self.clients.len() {
                if self.clients[to].room == Some(room) {
                    self.tell(room, to, ToClient::Event(event.clone()));
                }
            }
        }
        if let (Some(answer), Some((to, client_id, seq))) = (effects.answer, from) {
            self.answer(room, to, client_id, seq, answer);
        }
        if let Some(BotQuestion {
            side, ply, wanted, ..
        }) = effects.ask
        {
            self.after(
                50..2_000,
                Happening::Bot {
                    room,
                    side,
                    ply,
                    wanted,
                },
            );
        }
        if let Some(at) = effects.wake_at {
            self.order += 1;
            let set_at = self.order;
            self.rooms.get_mut(&room).expect("it works").timer = set_at;
            self.at(at, Happening::Timer { room, set_at });
        }
    }

    fn answer(&mut self, room: u64, to: usize, client_id: ClientId, seq: u64, answer: Answer) {
        let state = &self.rooms[&room].state;
        match answer {
            Answer::Again(stored) => {
                self.tally.again += 1;
                let event = state.events_since(stored - 1).swap_remove(0);
                assert_eq!(
                    event.client_id.as_ref(),
                    Some(&client_id),
                    "the stored answer is that command's"
                );
                self.tell(room, to, ToClient::Event(event));
            }
            Answer::Refused(refusal) => {
                let since = if matches!(refusal, Refusal::StalePly(_)) {
                    state.events_since(seq)
                } else {
                    Vec::new()
                };
                self.tell(room, to, ToClient::Refused { client_id, refusal });
                for event in since {
                    self.tell(room, to, ToClient::Event(event));
                }
            }
        }
    }

    fn bot(&mut self, room: u64, side: Side, ply: u32, wanted: Wanted) {
        // A worker may die over its job: it is given out again.
        if self.faults.losses && self.chance(10) {
            self.after(
                2_000..5_000,
                Happening::Bot {
                    room,
                    side,
                    ply,
                    wanted,
                },
            );
            return;
        }
        let Some(live) = self.rooms.get(&room) else {
            return;
        };
        let accept = self.rng.u32(0..4) == 0;
        let (name, command) = match wanted {
            Wanted::Move => {
                let legal = live.state.record().legal_moves();
                let Some(text) = self.rng.choice(&legal).cloned() else {
                    return;
                };
                (format!("ply-{ply}"), Command::Move { ply, text })
            }
            Wanted::DrawAnswer if accept => (format!("draw-{ply}"), Command::AcceptDraw),
            Wanted::DrawAnswer => (format!("draw-{ply}"), Command::DeclineDraw),
        };
        if let Some(live) = self.rooms.get_mut(&room) {
            live.bot_mail.push_back((side, command, name));
        }
        self.work(room);
    }

    /// The invariants, after every step.
    fn check(&mut self) {
        self.store.follow();
        let current = &self.rooms[&self.current].state;
        // The owner's memory is its journal's replay, but for an append that is durable and of which it has not heard.
        if self.store.journal().len() as u64 == current.head() {
            assert!(current.is_replay_of(&self.store.shadow), "memory is replay");
        } else {
            assert!(
                self.rooms[&self.current].busy.is_some(),
                "the owner is behind its journal without waiting for it"
            );
        }
    }

    /// What is told is durable, and told to all alike.
    fn check_told(&mut self, message: &ToClient) {
        if let ToClient::Event(event) = message {
            self.store.follow();
            let place = usize::try_from(event.seq - 1).expect("a short journal");
            assert_eq!(
                self.store.canon.get(place),
                Some(event),
                "what is told is durable, and told to all alike"
            );
        }
    }

    fn check_end(&self) {
        assert!(self.store.is_finished(), "every match ends");
        let replayed = self.store.replay();
        let journal = self.store.journal();
        assert!(
            replayed.is_replay_of(&self.store.shadow),
            "a replay is a replay"
        );
        check_clocks(&self.store.canon, self.store.setup.time_control);
        for client in &self.clients {
            for (client_id, seq) in &client.acknowledged {
                let side = client.side.expect("only players are acknowledged");
                let named = format!("{side}:{client_id}");
                let at: Vec<u64> = journal
                    .iter()
                    .filter(|entry| entry.client_id.as_deref() == Some(&named))
                    .map(|entry| entry.seq)
                    .collect();
                assert_eq!(
                    at,
                    [*seq],
                    "an acknowledged command stands once, where it was acknowledged"
                );
            }
            // Whoever comes back now, from whatever they had, ends where those end who never left.
            let (mut seq, mut state) = (client.seq, client.state.clone());
            for event in replayed.events_since(seq) {
                assert_eq!(event.seq, seq + 1, "nothing is missed");
                seq = event.seq;
                state = Some(event.state);
            }
            assert_eq!(seq, replayed.head());
            assert!(
                state.is_none_or(|state| state == replayed.view()),
                "a client that resumed differs from one that never left"
            );
        }
    }
}

/// A clock rises by its increment only, and never in the other side's turn.
fn check_clocks(events: &[EventMsg], time_control: TimeControl) {
    let TimeControl::Realtime {
        base_ms,
        increment_ms,
    } = time_control
    else {
        return;
    };
    let mut before = (base_ms, base_ms);
    for event in events {
        let after = (event.state.clock.first_ms, event.state.clock.second_ms);
        assert!(
            after.0 <= before.0 + increment_ms && after.1 <= before.1 + increment_ms,
            "{before:?} {after:?}"
        );
        assert!(
            after.0 <= before.0 || after.1 <= before.1,
            "one clock at a time: {before:?} {after:?}"
        );
        before = after;
    }
}
