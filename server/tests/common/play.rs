//! Pairs who play, and what a client makes of what it hears.

use mawe_rules::Side;
use mawe_server::protocol::{
    Command, Event, EventMsg, MatchView, PlyView, ServerMsg, Snapshot, StateView,
};

use super::socket::Socket;
use super::{Person, TestServer};

/// A match as a client knows it from what it has heard.
#[derive(Debug, Clone, PartialEq)]
pub struct Mirror {
    pub seq: u64,
    pub plies: Vec<PlyView>,
    pub state: StateView,
}

impl Mirror {
    pub fn of(view: &MatchView) -> Mirror {
        Mirror {
            seq: view.seq,
            plies: view.plies.clone(),
            state: view.state.clone(),
        }
    }

    /// Takes an event; the next one, or something is wrong.
    #[track_caller]
    pub fn take(&mut self, event: &EventMsg) {
        assert_eq!(event.seq, self.seq + 1, "a gap or a fork: {event:?}");
        self.seq = event.seq;
        match &event.event {
            Event::Move(ply) => self.plies.push(ply.clone()),
            Event::Takeback { .. } => self.plies.truncate(event.state.ply as usize),
            _ => {}
        }
        self.state = event.state.clone();
    }

    /// Takes the answer to a `join`: a snapshot, or events and `joined`.
    pub async fn resume(&mut self, socket: &mut Socket) -> Resumed {
        let mut events = 0;
        loop {
            match socket.next().await {
                ServerMsg::Snapshot(snapshot) => {
                    *self = Mirror::of(&snapshot.view);
                    return Resumed::BySnapshot(snapshot);
                }
                ServerMsg::Event(event) => {
                    self.take(&event);
                    events += 1;
                }
                ServerMsg::Joined { seq, you, .. } => {
                    assert_eq!(seq, self.seq, "joined says the head");
                    return Resumed::ByEvents { events, you };
                }
                ServerMsg::Presence { .. } | ServerMsg::Rematch { .. } => {}
                other => panic!("no answer to a join: {other:?}"),
            }
        }
    }
}

/// How a client came back.
pub enum Resumed {
    BySnapshot(Box<Snapshot>),
    ByEvents { events: u64, you: Option<Side> },
}

/// A player at the board.
pub struct Seat {
    pub socket: Socket,
    pub mirror: Mirror,
    pub id: String,
    commands: u64,
}

impl Seat {
    /// Sits down.
    pub async fn take(person: &Person, id: &str, side: Side) -> Seat {
        let mut socket = Socket::open(person).await;
        let snapshot = socket.joined(id).await;
        assert_eq!(snapshot.you, Some(side));
        Seat {
            socket,
            mirror: Mirror::of(&snapshot.view),
            id: id.to_owned(),
            // One who comes back does not use a name again.
            commands: snapshot.view.seq,
        }
    }

    /// Sends a command under a new name.
    pub async fn send(&mut self, command: Command) -> String {
        self.commands += 1;
        let client_id = format!("c-{}", self.commands);
        self.socket
            .command(&self.id, &client_id, self.mirror.seq, command)
            .await;
        client_id
    }

    /// The present ply, with this move.
    pub fn a_move(&self, text: &str) -> Command {
        Command::Move {
            ply: self.mirror.state.ply,
            text: text.to_owned(),
        }
    }

    /// Hears the next event.
    pub async fn event(&mut self) -> EventMsg {
        let event = self.socket.event().await;
        self.mirror.take(&event);
        event
    }

    /// Sends a command that must be refused; the refusal's code.
    pub async fn refused(&mut self, command: Command) -> String {
        let client_id = self.send(command).await;
        let error = self.socket.error().await;
        assert_eq!(
            error.client_id.as_ref().map(|id| id.as_str()),
            Some(client_id.as_str())
        );
        assert_eq!(
            error.match_id.as_ref().map(|id| id.as_str()),
            Some(self.id.as_str())
        );
        error.code
    }
}

/// Two at a board.
pub struct Pair {
    pub id: String,
    pub people: [Person; 2],
    pub seats: [Seat; 2],
}

impl Pair {
    /// Two guests, and a match between them.
    pub async fn of_guests(server: &TestServer) -> Pair {
        let people = [server.guest().await, server.guest().await];
        Pair::of(people, false).await
    }

    /// A match between these two; the first has the first move.
    pub async fn of(mut people: [Person; 2], rated: bool) -> Pair {
        let [first, second] = &mut people;
        let id = first.play_with(second, "first", rated).await;
        Pair::at(people, id).await
    }

    /// The two sit down at their match.
    pub async fn at(people: [Person; 2], id: String) -> Pair {
        let seats = [
            Seat::take(&people[0], &id, Side::First).await,
            Seat::take(&people[1], &id, Side::Second).await,
        ];
        Pair { id, people, seats }
    }

    /// Whose turn it is.
    pub fn turn(&self) -> usize {
        match self.seats[0].mirror.state.turn {
            Side::First => 0,
            Side::Second => 1,
        }
    }

    pub fn is_over(&self) -> bool {
        self.seats[0].mirror.state.result.is_some()
    }

    /// The side to move does something; both hear of it.
    pub async fn act(&mut self, seat: usize, command: Command) -> EventMsg {
        let client_id = self.seats[seat].send(command).await;
        let heard = [self.seats[0].event().await, self.seats[1].event().await];
        assert_eq!(heard[0], heard[1], "both hear the same");
        assert_eq!(
            heard[0].client_id.as_ref().map(|id| id.as_str()),
            Some(client_id.as_str())
        );
        let [event, _] = heard;
        event
    }

    /// One ply; which of the legal moves depends on the ply, so that games are the same in each run, and not all of one kind.
    pub async fn ply(&mut self) -> EventMsg {
        let turn = self.turn();
        let state = &self.seats[turn].mirror.state;
        let choice = (state.ply as usize * 7 + 3) % state.legal.len();
        let command = self.seats[turn].a_move(&state.legal[choice]);
        self.act(turn, command).await
    }

    pub async fn plies(&mut self, count: u32) {
        for _ in 0..count {
            self.ply().await;
        }
    }

    /// Plays on until the game ends.
    pub async fn play_out(&mut self) {
        while !self.is_over() {
            self.ply().await;
        }
    }
}
