//! One match, its players, a spectator, and all faults between them, in one thread.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, VecDeque};
use std::ops::AddAssign;
use std::time::Duration;

use fastrand::Rng;
use mawe_play::room::entry::{Action, Entry};
use mawe_play::room::io::{
    Answer, BotQuestion, Closing, Effects, Input, MatchSetup, Millis, Now, Proposal, Refusal,
    Wanted,
};
use mawe_play::room::state::RoomState;
use mawe_play::room::vacation::{DAY_MS, Vacation};
use mawe_rules::{BySide, GameKind, Side};
use mawe_server::live::run_time::{LONGEST_GAP, TimeLine};
use mawe_store::Appended;
use mawe_wire::ids::{ClientId, MatchId};
use mawe_wire::{Command, Event, EventMsg, MatchOptions, TimeControl};

use super::client::{Client, ToClient, ToRoom};
use super::nodes::{Nodes, RENEW_EVERY_MS, Renewal, TAKE_UP_EVERY_MS};
use super::store::SimStore;

/// The kinds of faults that may occur.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Faults {
    /// Faults of messages and connections.
    pub(crate) losses: bool,
    /// Faults of appends.
    pub(crate) store: bool,
    /// Crashes of the process.
    pub(crate) crashes: bool,
    /// Another owner, while the old one continues to write.
    pub(crate) takeovers: bool,
    /// Two nodes with leases, which end now and then while their owner continues to write.
    pub(crate) leases: bool,
    /// The process is stopped for a while, and continues.
    pub(crate) pauses: bool,
}

/// The kind of opponents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Who {
    /// Two people.
    People,
    /// A person against the computer.
    Bot,
    /// One person, both seats.
    Alone,
}

/// Counts of events, so that a run without events is noticed.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Tally {
    pub(crate) entries: u64,
    pub(crate) acknowledged: u64,
    pub(crate) crashes: u64,
    pub(crate) fenced: u64,
    pub(crate) resent: u64,
    pub(crate) again: u64,
    pub(crate) unknown: u64,
    pub(crate) outages: u64,
    pub(crate) flags: u64,
    pub(crate) takebacks: u64,
    pub(crate) gifts: u64,
    pub(crate) halved: u64,
    pub(crate) claims: u64,
    pub(crate) vacations: u64,
    pub(crate) sleeps: u64,
    pub(crate) closed: u64,
    pub(crate) lapses: u64,
    pub(crate) moved: u64,
    pub(crate) pauses: u64,
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
        self.outages += other.outages;
        self.flags += other.flags;
        self.takebacks += other.takebacks;
        self.gifts += other.gifts;
        self.halved += other.halved;
        self.claims += other.claims;
        self.vacations += other.vacations;
        self.closed += other.closed;
        self.sleeps += other.sleeps;
        self.lapses += other.lapses;
        self.moved += other.moved;
        self.pauses += other.pauses;
    }
}

/// The outcome of an append.
#[derive(Debug, Clone, Copy)]
enum Fate {
    /// The store answers.
    Answered,
    /// The store refuses it; it is tried again.
    Unavailable,
    /// The connection is lost after the commit.
    UnknownDone,
    /// The connection is lost before the commit.
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
        // Larger than any other by far.
        message: Box<ToClient>,
    },
    /// A person may act.
    Think { who: usize },
    /// A page checks whether its command was answered.
    Impatience { who: usize },
    /// A connection is made.
    Connect { who: usize },
    /// A pending append gets its outcome.
    Commit { room: u64, append: u64, fate: Fate },
    /// A room's timer.
    Timer { room: u64, set_at: u64 },
    /// A bot answers.
    Bot {
        room: u64,
        side: Side,
        ply: u32,
        seq: u64,
        wanted: Wanted,
    },
    /// A room without clients may leave memory.
    Sleep,
    /// The server checks whether the match is due.
    Wake,
    /// The process dies.
    Crash,
    /// The process is stopped.
    Pause,
    /// The process continues.
    Resume,
    /// Another process takes over the match.
    Takeover,
    /// A node renews its lease.
    Renew { node: usize },
    /// A node checks whether the match has no living owner.
    TakeUp { node: usize },
    /// The operator ends the match.
    Close { closing: Closing },
}

/// A room in some process.
struct Live {
    state: RoomState,
    /// The node and its generation, if there are nodes.
    of: Option<(usize, u64)>,
    mailbox: VecDeque<(usize, ToRoom)>,
    bot_mail: VecDeque<(Side, u64, Command)>,
    busy: Option<Busy>,
    timer: u64,
}

struct Busy {
    append: u64,
    proposal: Proposal,
    from: Option<(usize, ClientId, u64)>,
}

/// The whole simulation.
pub(crate) struct World {
    rng: Rng,
    faults: Faults,
    now: Millis,
    order: u64,
    queue: BinaryHeap<Reverse<(Millis, u64)>>,
    happenings: BTreeMap<u64, Happening>,
    store: SimStore,
    /// The end of an outage of the store, for example a full disk.
    outage_until: Millis,
    nodes: Option<Nodes>,
    rooms: BTreeMap<u64, Live>,
    current: u64,
    /// The start of the process.
    up_since: Millis,
    /// The stalls as the program notices them.
    line: TimeLine,
    /// The end of the last stop; in the past while the process runs.
    paused_until: Millis,
    /// The total length of the stops, counted separately from `line`, and their number.
    paused_ms: Millis,
    /// The time at which the last entry became durable or the match opened: `now`, `paused_ms` and the number of pauses then.
    turn_began: (Millis, Millis, u64),
    clients: Vec<Client>,
    /// The vacations of each side.
    vacations: BySide<Vec<Vacation>>,
    tally: Tally,
}

/// The virtual time after which a match must be over: both clocks, all increments and added time, all outages.
const PATIENCE_MS: Millis = 8 * 60 * 60 * 1_000;

const HOUR_MS: Millis = 60 * 60 * 1_000;

/// The virtual time after which a match must be over if a turn may last days, or is unlimited.
const LONG_PATIENCE_MS: Millis = 3 * 365 * 24 * HOUR_MS;

/// Draws the vacations of a side: a few of some days each, some of them one after the other.
fn vacations(rng: &mut Rng) -> Vec<Vacation> {
    let mut from_ms = 1_000;
    let mut drawn = Vec::new();
    for _ in 0..rng.u8(0..6) {
        from_ms += rng.i64(0..10 * DAY_MS);
        let until_ms = from_ms + rng.i64(1..15) * DAY_MS;
        drawn.push(Vacation { from_ms, until_ms });
        from_ms = until_ms;
    }
    drawn
}

impl World {
    pub(crate) fn new(game: GameKind, seed: u64, faults: Faults, who: Who) -> World {
        let mut rng = Rng::with_seed(seed);
        let setup = MatchSetup {
            id: MatchId::random(),
            game,
            setup: match game {
                GameKind::Congkak if rng.bool() => "rounds=3".to_owned(),
                _ => String::new(),
            },
            rated: rng.bool(),
            // Leases are renewed every second: a correspondence match would have millions of renewals.
            time_control: match rng.u32(if faults.leases { 3 } else { 0 }..10) {
                0 | 1 => TimeControl::Correspondence { days: rng.u8(1..4) },
                2 => TimeControl::Unlimited,
                _ => TimeControl::Realtime {
                    base_ms: 60_000 * rng.u64(1..5),
                    increment_ms: 1_000 * rng.u64(0..3),
                },
            },
            extra_ms: BySide::from_fn(|_| 30_000 * rng.u64(0..3)),
            options: MatchOptions {
                berserk: rng.bool(),
                takebacks: rng.bool(),
                give_time: rng.bool(),
                phrases: true,
                free_takebacks: rng.bool(),
            },
            one_player: who == Who::Alone,
            created_ms: 1_000,
            bots: BySide::new(None, (who == Who::Bot).then_some(1)),
        };
        let seats = match who {
            Who::People => vec![Some(Side::First), Some(Side::Second), None],
            Who::Bot | Who::Alone => vec![Some(Side::First), None],
        };
        let daily = !setup.time_control.is_realtime();
        let vacations = BySide::from_fn(|_| vacations(&mut rng));
        let mut world = World {
            rng,
            faults,
            now: 1_000,
            order: 0,
            queue: BinaryHeap::new(),
            happenings: BTreeMap::new(),
            store: SimStore::new(setup),
            outage_until: 0,
            nodes: faults.leases.then(|| Nodes::at(1_000)),
            rooms: BTreeMap::new(),
            current: 0,
            up_since: 0,
            line: TimeLine::new(0),
            paused_until: 0,
            paused_ms: 0,
            turn_began: (1_000, 0, 0),
            clients: seats
                .into_iter()
                .map(|side| Client::new(side, who == Who::Alone))
                .collect(),
            vacations,
            tally: Tally::default(),
        };
        world.open_room();
        for who in 0..world.clients.len() {
            world.after(0..500, Happening::Connect { who });
            world.after(500..2_000, Happening::Think { who });
        }
        if daily {
            world.after(1_000..HOUR_MS, Happening::Sleep);
            world.after(HOUR_MS..2 * HOUR_MS, Happening::Wake);
        }
        // Rarely, as most matches are to end by play.
        if world.chance(16) {
            let sides = Side::ALL.map(Closing::Leave);
            let closing = [Closing::CallOff, sides[0], sides[1]][world.rng.usize(0..3)];
            world.after(1_000..60_000, Happening::Close { closing });
        }
        if faults.crashes {
            world.after(1_000..60_000, Happening::Crash);
        }
        if faults.pauses {
            world.after(1_000..60_000, Happening::Pause);
        }
        if faults.takeovers {
            world.after(1_000..60_000, Happening::Takeover);
        }
        if faults.leases {
            for node in 0..2 {
                world.after(0..RENEW_EVERY_MS, Happening::Renew { node });
                world.after(0..TAKE_UP_EVERY_MS, Happening::TakeUp { node });
            }
        }
        world
    }

    /// Plays until no events are left, then checks that all agree.
    pub(crate) fn play(mut self) -> Tally {
        while let Some(Reverse((at, order))) = self.queue.pop() {
            self.now = self.now.max(at);
            let patience = if self.is_daily() {
                LONG_PATIENCE_MS
            } else {
                PATIENCE_MS
            };
            assert!(
                self.now < patience || self.store.is_finished(),
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
        for event in &self.store.canon {
            match event.event {
                Event::Takeback { .. } => self.tally.takebacks += 1,
                Event::GiveTime { .. } => self.tally.gifts += 1,
                Event::Berserk { .. } => self.tally.halved += 1,
                Event::Vacation { .. } => self.tally.vacations += 1,
                Event::ClaimWin { .. } | Event::ClaimDraw { .. } => self.tally.claims += 1,
                _ => {}
            }
        }
        for client in &self.clients {
            self.tally.acknowledged += client.acknowledged.len() as u64;
            self.tally.resent += client.resent;
        }
        self.tally
    }

    fn is_daily(&self) -> bool {
        !self.store.setup.time_control.is_realtime()
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
        let run = self.line.run_at(Duration::from_millis(self.now));
        Now {
            mono: u64::try_from(run.as_millis()).expect("a few years"),
            unix_ms: self.unix_ms(),
            up_since_ms: self
                .line
                .up_since_ms()
                .max(i64::try_from(self.up_since).expect("a few years")),
        }
    }

    fn unix_ms(&self) -> i64 {
        i64::try_from(self.now).expect("a few years")
    }

    fn is_paused(&self) -> bool {
        self.now < self.paused_until
    }

    /// Stops the process: for longer than a clock may have, and now and then for too short a time to be noticed.
    fn pause(&mut self) {
        let longest = match self.is_daily() {
            true => 100 * HOUR_MS,
            false if self.chance(4) => 1_000,
            false => HOUR_MS / 6,
        };
        let pause = self.rng.u64(100..longest);
        self.tally.pauses += 1;
        self.paused_ms += pause;
        self.paused_until = self.now + pause;
        let now = Duration::from_millis(self.now);
        self.line.tick(now, self.unix_ms());
        // Before all other waiting events.
        self.at(self.paused_until, Happening::Resume);
        if !self.store.is_finished() {
            let most = if self.is_daily() {
                100 * HOUR_MS
            } else {
                120_000
            };
            let next = self.paused_until + self.rng.u64(5_000..most);
            self.at(next, Happening::Pause);
        }
    }

    fn resume(&mut self) {
        self.line
            .notice(Duration::from_millis(self.now), self.unix_ms());
        // Between pauses it ticks without a gap.
        self.line.end_watch();
        let rooms: Vec<u64> = self.rooms.keys().copied().collect();
        rooms.into_iter().for_each(|room| self.work(room));
    }

    /// Keeps the events of a stopped process for later. Timers fire at once when it continues; sockets are read a little later.
    fn keep_for_later(&mut self, happening: Happening) -> Option<Happening> {
        let later = match &happening {
            _ if !self.is_paused() => return Some(happening),
            Happening::Tell { .. }
            | Happening::Think { .. }
            | Happening::Impatience { .. }
            | Happening::Pause
            | Happening::Resume => return Some(happening),
            Happening::Knock { .. } | Happening::Connect { .. } => 300,
            Happening::Commit { .. }
            | Happening::Timer { .. }
            | Happening::Bot { .. }
            | Happening::Sleep
            | Happening::Wake
            | Happening::Crash
            | Happening::Takeover
            | Happening::Renew { .. }
            | Happening::TakeUp { .. }
            | Happening::Close { .. } => 0,
        };
        self.at(self.paused_until + later, happening);
        None
    }

    /// Checks that a flag falls only when the side to move has had all its time while the process ran, by a separate count.
    fn check_flag(&self, room: u64, proposal: &Proposal) {
        let flags = proposal
            .entries
            .iter()
            .any(|entry| matches!(entry.action, Action::Flag));
        if !flags || self.is_daily() || room != self.current {
            return;
        }
        let (now, paused_ms, pauses) = self.turn_began;
        let state = &self.rooms[&room].state;
        let clock = state.view().clock;
        let left = BySide::new(clock.first_ms, clock.second_ms)[state.record().turn()];
        // A little of each pause is charged.
        let gaps = u64::try_from(LONGEST_GAP.as_millis()).expect("half a second")
            * (self.tally.pauses - pauses);
        let ran = (self.now - now) - (self.paused_ms - paused_ms) + gaps;
        assert!(ran >= left, "flagged after {ran} ms of {left} ms");
    }

    /// Checks that a player has had all the time of a turn by the day outside vacations, by a separate count.
    fn check_days(&self, room: u64, proposal: &Proposal) {
        let ends = |entry: &Entry| match entry.action {
            Action::Flag => true,
            Action::Abort { closed } => !closed && entry.side.is_none(),
            _ => false,
        };
        let control = self.store.setup.time_control;
        let by_day = matches!(control, TimeControl::Correspondence { .. });
        if !by_day || !proposal.entries.iter().any(ends) {
            return;
        }
        let state = &self.rooms[&room].state;
        let side = state.record().turn();
        let journal = state.journal();
        let begins =
            |entry: &&Entry| matches!(entry.action, Action::Move { .. } | Action::Takeback { .. });
        let began = journal.iter().rev().find(begins);
        let since = began.map_or(self.store.setup.created_ms, |entry| entry.at_ms);
        let whole = control.turn_ms().expect("it has days").cast_signed();
        let allowed = began.map_or(whole, |entry| entry.left[side].clock_ms.cast_signed());
        // The clock after the last entry, which extensions have set.
        let (at, left) = journal.last().map_or((since, whole), |entry| {
            (entry.at_ms, entry.left[side].clock_ms.cast_signed())
        });
        let until = at + left;
        let away = |vacation: &Vacation| {
            let (from, to) = (vacation.from_ms.max(since), vacation.until_ms.min(until));
            (to - from).max(0)
        };
        let away: i64 = self.vacations[side].iter().map(away).sum();
        let had = until - since - away;
        assert!(
            had >= allowed,
            "{had} ms of {allowed} ms without a vacation"
        );
        assert!(self.unix_ms() >= until, "the turn has not ended");
    }

    /// Gives a turn of which the time is up the vacation that lies in it, before an input with which a flag would fall. The input comes
    /// again afterwards.
    fn extend(
        &mut self,
        room: u64,
        input: &Input,
        from: Option<&(usize, ClientId, u64)>,
    ) -> Option<Input> {
        if !matches!(input, Input::Command { .. } | Input::Tick) {
            return None;
        }
        let now = self.time();
        let live = self.rooms.get_mut(&room).expect("the room takes an input");
        let turn = live.state.time_up(now)?;
        let ms = turn.extension_ms(&self.vacations[turn.side], now.unix_ms);
        if ms == 0 {
            return None;
        }
        if let Input::Command {
            side,
            client_id,
            seq,
            command,
            ..
        } = input.clone()
        {
            match from {
                Some((who, ..)) => live.mailbox.push_front((
                    *who,
                    ToRoom::Command {
                        client_id,
                        seq,
                        command,
                    },
                )),
                None => live.bot_mail.push_front((side, seq, command)),
            }
        }
        Some(Input::Vacation { ms })
    }

    fn happen(&mut self, happening: Happening) {
        let Some(happening) = self.keep_for_later(happening) else {
            return;
        };
        match happening {
            Happening::Pause => self.pause(),
            Happening::Resume => self.resume(),
            Happening::Knock {
                room,
                from,
                message,
            } => {
                if let Some(live) = self.rooms.get_mut(&room) {
                    live.mailbox.push_back((from, message));
                    self.work(room);
                } else if self.clients[from].room == Some(room) {
                    // The connection is dead: the page notices, and reconnects.
                    self.clients[from].room = None;
                    self.after(100..3_000, Happening::Connect { who: from });
                }
            }
            Happening::Tell { to, room, message } => {
                if self.clients[to].room == Some(room)
                    && let Some(answer) = self.clients[to].receive(*message)
                {
                    self.knock(to, answer);
                }
            }
            Happening::Think { who } => self.think(who),
            Happening::Impatience { who } => {
                // A disconnected page checks after it has reconnected.
                if self.clients[who].room.is_some()
                    && let Some(message) = self.clients[who].resend()
                {
                    self.knock(who, message);
                    // During a stop one more copy is enough, as some days of stop would cause thousands.
                    let next = self.now.max(self.paused_until) + self.rng.u64(2_000..6_000);
                    self.at(next, Happening::Impatience { who });
                }
            }
            Happening::Connect { who } => {
                if !self.rooms.contains_key(&self.current) && !self.open_if_free() {
                    self.after(100..1_000, Happening::Connect { who });
                    return;
                }
                let room = self.current;
                for message in self.clients[who].connected(room) {
                    self.knock(who, message);
                }
                if self.faults.losses {
                    self.after(2_000..6_000, Happening::Impatience { who });
                }
            }
            Happening::Commit { room, append, fate } => self.commit(room, append, fate),
            Happening::Close { closing } => {
                let room = self.current;
                match self.rooms.get(&room) {
                    Some(live) if live.state.result().is_some() => {}
                    Some(live) if live.busy.is_none() && self.speaks(room) => {
                        self.input(room, Input::Close(closing), None);
                        self.tally.closed += 1;
                    }
                    // The operator tries again a little later.
                    _ if self.store.is_finished() => {}
                    _ => self.after(100..1_000, Happening::Close { closing }),
                }
            }
            Happening::Timer { room, set_at } => {
                // A flag must not fall while the lease is in doubt.
                if self.rooms.contains_key(&room) && !self.speaks(room) {
                    self.after(100..400, Happening::Timer { room, set_at });
                    return;
                }
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
                seq,
                wanted,
            } => self.bot(room, side, ply, seq, wanted),
            Happening::Sleep => self.sleep(),
            Happening::Wake => {
                if !self.rooms.contains_key(&self.current) && self.store.is_due(self.now) {
                    self.open_if_free();
                }
                if !self.store.is_finished() {
                    self.after(HOUR_MS / 2..HOUR_MS, Happening::Wake);
                }
            }
            Happening::Crash => self.crash(),
            Happening::Renew { node } => self.renew(node),
            Happening::TakeUp { node } => {
                self.take_up(node);
                if !self.store.is_finished() {
                    self.after(
                        TAKE_UP_EVERY_MS..TAKE_UP_EVERY_MS + 50,
                        Happening::TakeUp { node },
                    );
                }
            }
            Happening::Takeover => {
                // The old owner does not notice and continues to write.
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
            // Now and then a player does not move, and runs out of time.
            let until = match self.is_daily() {
                // Longer than a turn may last: the flag falls, or a vacation extends the turn. Takeovers come every few minutes, so such a
                // time would have thousands.
                true if !self.faults.takeovers && self.chance(100) => 12 * 24 * HOUR_MS,
                true => HOUR_MS / 2,
                false if self.chance(600) => 400_000,
                false => 4_000,
            };
            self.after(200..until, Happening::Think { who });
            if self.faults.losses && self.chance(40) {
                self.leave(who);
                self.after(100..20_000, Happening::Connect { who });
            }
            // Some stay away for longer: until the opponent claims the match, or for hours in a correspondence match.
            if self.chance(if self.is_daily() { 8 } else { 100 }) {
                self.leave(who);
                let most = if self.is_daily() {
                    20 * HOUR_MS
                } else {
                    HOUR_MS / 6
                };
                self.after(1_000..most, Happening::Connect { who });
            }
        }
    }

    /// Closes a client's page; the room notices at once.
    fn leave(&mut self, who: usize) {
        if let Some(room) = self.clients[who].room.take()
            && let Some(live) = self.rooms.get_mut(&room)
        {
            live.mailbox.push_back((who, ToRoom::Leave));
            if !self.is_paused() {
                self.work(room);
            }
        }
    }

    /// A room without a clock by the second leaves memory when it is empty.
    fn sleep(&mut self) {
        let room = self.current;
        let empty = self.clients.iter().all(|client| client.room != Some(room));
        let idle = self.rooms.get(&room).is_some_and(|live| {
            live.busy.is_none() && live.mailbox.is_empty() && live.bot_mail.is_empty()
        });
        if empty && idle {
            self.tally.sleeps += 1;
            self.rooms.remove(&room);
        }
        if !self.store.is_finished() {
            self.after(60_000..HOUR_MS, Happening::Sleep);
        }
    }

    /// Sends a message of a page: late, perhaps twice, perhaps not at all.
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
        let message = Box::new(message);
        self.deliver(Happening::Tell { to, room, message });
    }

    fn deliver(&mut self, happening: Happening) {
        if self.faults.losses && self.chance(15) {
            return;
        }
        if self.faults.losses && self.chance(15) {
            self.after(1..800, happening.clone());
        }
        // Without losses a connection keeps the order of messages.
        if self.faults.losses {
            self.after(1..400, happening)
        } else {
            self.after(10..11, happening)
        }
    }

    /// Returns whether a room belongs to a node that believes in its lease. Any node may report a finished match.
    fn speaks(&self, room: u64) -> bool {
        if self.store.is_finished() {
            return true;
        }
        let (Some(nodes), Some(live)) = (&self.nodes, self.rooms.get(&room)) else {
            return true;
        };
        live.of.is_none_or(|of| nodes.speaks(of, self.now))
    }

    /// Returns whether the lease has ended under which a room was opened.
    fn is_over(&self, room: u64) -> bool {
        let of = self.rooms.get(&room).and_then(|live| live.of);
        self.nodes
            .as_ref()
            .zip(of)
            .is_some_and(|(nodes, of)| nodes.is_over(of))
    }

    fn renew(&mut self, node: usize) {
        let Some(nodes) = &mut self.nodes else { return };
        match nodes.renew(node, self.now, &mut self.rng) {
            Renewal::Cut => {}
            Renewal::Renewed => {
                // Inputs that waited for the renewal are handled now.
                let rooms: Vec<u64> = self.rooms.keys().copied().collect();
                rooms.into_iter().for_each(|room| self.work(room));
            }
            Renewal::Lapsed => {
                self.tally.lapses += 1;
                let nodes = self.nodes.as_ref().expect("there are some");
                // A room ends when its pending append is done or refused.
                let over = |live: &Live| {
                    live.busy.is_none() && live.of.is_some_and(|of| nodes.is_over(of))
                };
                let ended: Vec<u64> = self
                    .rooms
                    .iter()
                    .filter(|(_, live)| over(live))
                    .map(|(room, _)| *room)
                    .collect();
                ended.into_iter().for_each(|room| self.end_room(room));
            }
        }
        if !self.store.is_finished() {
            self.after(
                RENEW_EVERY_MS..RENEW_EVERY_MS + 50,
                Happening::Renew { node },
            );
        }
    }

    /// Claims the match if the node may do so and no room with a valid lease has it open.
    fn take_up(&mut self, node: usize) {
        let Some(nodes) = &self.nodes else { return };
        let of = self.rooms.get(&self.current).and_then(|live| live.of);
        let is_open = of.is_some_and(|(owner, generation)| {
            owner == node && !nodes.is_over((owner, generation))
        });
        // A sleeping match stays asleep.
        if of.is_some() && !is_open && !self.store.is_finished() && nodes.may_claim(node, self.now)
        {
            self.tally.moved += 1;
            self.open_room();
            for who in 0..self.clients.len() {
                self.clients[who].room = None;
                self.after(50..1_500, Happening::Connect { who });
            }
        }
    }

    /// Removes a room; its clients reconnect.
    fn end_room(&mut self, room: u64) {
        self.rooms.remove(&room);
        for who in 0..self.clients.len() {
            if self.clients[who].room == Some(room) {
                self.clients[who].room = None;
                self.after(50..1_500, Happening::Connect { who });
            }
        }
    }

    /// Opens the match, if a node may do so.
    fn open_if_free(&mut self) -> bool {
        let free = self
            .nodes
            .as_ref()
            .is_none_or(|nodes| nodes.opener(self.now).is_some() || self.store.is_finished());
        if free {
            self.open_room();
        }
        free
    }

    fn open_room(&mut self) {
        let of = self.nodes.as_mut().and_then(|nodes| {
            let node = nodes.opener(self.now)?;
            Some((node, nodes.claim(node)))
        });
        let state = self.store.claim();
        self.current += 1;
        let room = self.current;
        self.rooms.insert(
            room,
            Live {
                state,
                of,
                mailbox: VecDeque::new(),
                bot_mail: VecDeque::new(),
                busy: None,
                timer: 0,
            },
        );
        self.turn_began = (self.now, self.paused_ms, self.tally.pauses);
        self.input(room, Input::Open, None);
    }

    fn crash(&mut self) {
        self.tally.crashes += 1;
        // A pending append may become durable all the same.
        for live in std::mem::take(&mut self.rooms).into_values() {
            if let Some(busy) = live.busy.filter(|_| self.rng.bool()) {
                self.store.append(live.state.epoch(), &busy.proposal);
            }
        }
        // The machine was off for a while.
        let longest = if self.is_daily() && self.chance(4) {
            100 * HOUR_MS
        } else {
            20_000
        };
        self.now += self.rng.u64(100..longest);
        self.up_since = self.now;
        self.open_room();
        for who in 0..self.clients.len() {
            self.clients[who].room = None;
            self.after(50..5_000, Happening::Connect { who });
        }
        if !self.store.is_finished() {
            let most = if self.is_daily() {
                100 * HOUR_MS
            } else {
                120_000
            };
            self.after(5_000..most, Happening::Crash);
        }
    }

    /// Handles the waiting inputs of a room one at a time, as its actor does.
    fn work(&mut self, room: u64) {
        while self.speaks(room)
            && let Some(live) = self.rooms.get_mut(&room).filter(|live| live.busy.is_none())
        {
            if let Some((side, seq, command)) = live.bot_mail.pop_front() {
                let client_id = format!("asked-{seq}").parse().expect("a client id");
                self.input(
                    room,
                    Input::Command {
                        side,
                        client_id,
                        seq,
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
            ToRoom::Leave => self.note_presence(room, from, false),
            ToRoom::Join { since } => {
                self.note_presence(room, from, true);
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
                let Some(mut side) = self.clients[from].side else {
                    return;
                };
                if self.store.setup.one_player {
                    side = self.rooms[&room].state.record().turn();
                }
                let lag_ms = self.rng.u64(0..300);
                let input = Input::Command {
                    side,
                    client_id: client_id.clone(),
                    seq,
                    command,
                    lag_ms,
                };
                self.input(room, input, Some((from, client_id, seq)));
            }
        }
    }

    fn note_presence(&mut self, room: u64, who: usize, here: bool) {
        if let Some(side) = self.clients[who].side {
            self.input(room, Input::Presence { side, here }, None);
        }
    }

    fn input(&mut self, room: u64, input: Input, from: Option<(usize, ClientId, u64)>) {
        let (input, from) = match self.extend(room, &input, from.as_ref()) {
            Some(vacation) => (vacation, None),
            None => (input, from),
        };
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
        self.check_flag(room, &proposal);
        self.check_days(room, &proposal);
        self.order += 1;
        let append = self.order;
        let live = self.rooms.get_mut(&room).expect("it was just there");
        live.busy = Some(Busy {
            append,
            proposal,
            from,
        });
        self.send_append(room, append);
    }

    fn send_append(&mut self, room: u64, append: u64) {
        if self.faults.store && self.now >= self.outage_until && self.chance(100) {
            self.outage_until = self.now + self.rng.u64(1_000..30_000);
            self.tally.outages += 1;
        }
        if self.now < self.outage_until {
            // The interval at which a room tries again.
            let fate = Fate::Unavailable;
            self.after(50..1_000, Happening::Commit { room, append, fate });
            return;
        }
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
                if room == self.current {
                    self.turn_began = (self.now, self.paused_ms, self.tally.pauses);
                }
                self.carry_out(room, effects, busy.from);
                if self.is_over(room) {
                    self.end_room(room);
                } else {
                    self.work(room);
                }
            }
            Some(Appended::Fenced) => {
                self.tally.fenced += 1;
                assert_ne!(room, self.current, "only an old owner is fenced");
                self.end_room(room);
            }
        }
    }

    /// Reads the outcome of an append as the journal's writer does: the entry stored at (match, seq) decides.
    fn read_back(&self, proposal: &Proposal) -> Option<Appended> {
        let head = usize::try_from(proposal.head).expect("a short journal");
        let stored = self.store.journal().get(head..).unwrap_or_default();
        let wanted: Vec<_> = proposal
            .entries
            .iter()
            .map(mawe_play::room::entry::Entry::to_stored)
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
            side,
            seq,
            wanted,
            game,
            ..
        }) = effects.ask
        {
            self.after(
                50..2_000,
                Happening::Bot {
                    room,
                    side,
                    ply: game.ply(),
                    seq,
                    wanted,
                },
            );
        }
        if let Some(at) = effects.wake_at {
            self.order += 1;
            let set_at = self.order;
            self.rooms.get_mut(&room).expect("it works").timer = set_at;
            let at = self.line.reached(Duration::from_millis(at));
            let at = u64::try_from(at.as_millis()).expect("a few years");
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

    fn bot(&mut self, mut room: u64, side: Side, ply: u32, seq: u64, wanted: Wanted) {
        // A worker may die during its job: it is lent again.
        if self.faults.losses && self.chance(10) {
            self.after(
                2_000..5_000,
                Happening::Bot {
                    room,
                    side,
                    ply,
                    seq,
                    wanted,
                },
            );
            return;
        }
        // An answer wakes a sleeping match.
        if room == self.current && !self.rooms.contains_key(&room) && self.open_if_free() {
            room = self.current;
        }
        let Some(live) = self.rooms.get(&room) else {
            return;
        };
        let accept = self.rng.u32(0..4) == 0;
        let command = match wanted {
            Wanted::Move => {
                let legal = live.state.record().legal_moves();
                let Some(text) = self.rng.choice(&legal).cloned() else {
                    return;
                };
                Command::Move { ply, text }
            }
            Wanted::DrawAnswer if accept => Command::AcceptDraw,
            Wanted::DrawAnswer => Command::DeclineDraw,
        };
        if let Some(live) = self.rooms.get_mut(&room) {
            live.bot_mail.push_back((side, seq, command));
        }
        self.work(room);
    }

    /// Checks the invariants, after every step.
    fn check(&mut self) {
        self.store.follow();
        if self.nodes.is_some() && !self.store.is_finished() {
            let others = self.rooms.keys().filter(|room| **room != self.current);
            for room in others {
                assert!(!self.speaks(*room), "two owners believe in their leases");
            }
        }
        let Some(live) = self.rooms.get(&self.current) else {
            return;
        };
        let current = &live.state;
        // The owner's state equals the replay of its journal, except for a durable append whose outcome it does not know yet.
        if self.store.journal().len() as u64 == current.head() {
            assert!(current.is_replay_of(&self.store.shadow), "memory is replay");
        } else {
            assert!(
                live.busy.is_some(),
                "the owner is behind its journal without waiting for it"
            );
        }
    }

    /// Checks that sent events are durable, and the same for all clients.
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
        check_clocks(&self.store.canon, &self.store.setup);
        for client in &self.clients {
            for (client_id, seq) in &client.acknowledged {
                let side = client.side.expect("only players are acknowledged");
                let mut named = vec![format!("{side}:{client_id}")];
                if self.store.setup.one_player {
                    named.push(format!("{}:{client_id}", side.other()));
                }
                let at: Vec<u64> = journal
                    .iter()
                    .filter(|entry| {
                        entry
                            .client_id
                            .as_ref()
                            .is_some_and(|id| named.contains(id))
                    })
                    .map(|entry| entry.seq)
                    .collect();
                assert_eq!(
                    at,
                    [*seq],
                    "an acknowledged command stands once, where it was acknowledged"
                );
            }
            // A client that resumes now, from any state, ends in the state of a client that never left.
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

/// Checks that a clock rises by its increment only, and never in the other side's turn; and that a side halves its clock once, before its first
/// move, and gets no increment after that.
fn check_clocks(events: &[EventMsg], setup: &MatchSetup) {
    let TimeControl::Realtime {
        base_ms,
        increment_ms,
    } = setup.time_control
    else {
        assert!(events.iter().all(|event| event.state.berserk.is_empty()));
        return;
    };
    let mut before = BySide::from_fn(|side| base_ms + setup.extra_ms[side]);
    let mut increments = BySide::new(increment_ms, increment_ms);
    let mut has_moved = BySide::new(false, false);
    for event in events {
        let after = BySide::new(event.state.clock.first_ms, event.state.clock.second_ms);
        let gift = |side: Side| match event.event {
            Event::GiveTime { side: giver, ms } if giver != side => ms,
            _ => 0,
        };
        match &event.event {
            Event::Berserk { side } => {
                assert!(setup.options.berserk && !has_moved[*side]);
                assert_eq!(after[*side], before[*side] / 2);
                assert_eq!(after[side.other()], before[side.other()]);
                increments[*side] = 0;
                assert!(event.state.berserk.contains(side));
            }
            Event::Move(ply) => has_moved[ply.side] = true,
            _ => {}
        }
        for side in Side::ALL {
            assert!(
                after[side] <= before[side] + increments[side] + gift(side),
                "{before:?} {after:?}"
            );
        }
        assert!(
            Side::ALL.iter().any(|side| after[*side] <= before[*side]),
            "one clock at a time: {before:?} {after:?}"
        );
        before = after;
    }
}
