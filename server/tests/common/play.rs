//! Pairs of players, and a client's state of a match.

use mawe_rules::Side;
use mawe_wire::{
    Code, Command, Event, EventMsg, MatchView, PlyView, ServerMsg, Snapshot, StateView,
};

use super::socket::Socket;
use super::{Person, TestServer};

/// A match as known to a client from its messages.
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

    /// Applies an event, which must be the next one.
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

    /// Applies the answer to a `join`: a snapshot, or events and `joined`.
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

/// The way in which a client resumed.
pub enum Resumed {
    BySnapshot(Box<Snapshot>),
    ByEvents { events: u64, you: Option<Side> },
}

/// A player with a seat in a match.
pub struct Seat {
    pub socket: Socket,
    pub mirror: Mirror,
    pub id: String,
    commands: u64,
    cluster: Option<InCluster>,
}

/// What a player needs whose match may move: a busy machine renews the lease of a node late.
#[derive(Default)]
struct InCluster {
    must_join: bool,
    /// The command without an answer, which is sent again.
    pending: Option<(String, Command)>,
}

impl Seat {
    /// Joins a match, and checks the side.
    pub async fn take(person: &Person, id: &str, side: Side) -> Seat {
        let mut socket = Socket::open(person).await;
        let snapshot = socket.joined(id).await;
        assert_eq!(snapshot.you, Some(side));
        Seat {
            socket,
            mirror: Mirror::of(&snapshot.view),
            id: id.to_owned(),
            // A returning client does not use a client id again.
            commands: snapshot.view.seq,
            cluster: None,
        }
    }

    /// Joins a match on a node of a cluster, and joins again whenever it has moved.
    pub async fn take_in_cluster(person: &Person, id: &str, side: Side) -> Seat {
        let mut seat = Seat::take(person, id, side).await;
        seat.cluster = Some(InCluster::default());
        seat
    }

    /// Sends a command with a new client id, and returns the id.
    pub async fn send(&mut self, command: Command) -> String {
        self.commands += 1;
        let client_id = format!("c-{}", self.commands);
        if let Some(cluster) = &mut self.cluster {
            cluster.pending = Some((client_id.clone(), command.clone()));
        }
        self.socket
            .command(&self.id, &client_id, self.mirror.seq, command)
            .await;
        client_id
    }

    /// Returns a command that plays this move at the present ply.
    pub fn a_move(&self, text: &str) -> Command {
        Command::Move {
            ply: self.mirror.state.ply,
            text: text.to_owned(),
        }
    }

    /// Receives the next event.
    pub async fn event(&mut self) -> EventMsg {
        let event = match self.cluster {
            None => self.socket.event().await,
            Some(_) => self.event_of_cluster().await,
        };
        self.mirror.take(&event);
        event
    }

    /// Receives the next event; a match that has moved is joined again, and the unanswered command is sent again.
    async fn event_of_cluster(&mut self) -> EventMsg {
        let cluster = self.cluster.as_mut().expect("the match is in a cluster");
        loop {
            if cluster.must_join {
                assert!(
                    self.socket.try_join(&self.id, Some(self.mirror.seq)).await,
                    "the node is there"
                );
                cluster.must_join = false;
            }
            match self.socket.next().await {
                // Told again, because the match moved twice.
                ServerMsg::Event(event) if event.seq <= self.mirror.seq => {}
                ServerMsg::Event(event) => {
                    let answers = |(id, _): &mut (String, Command)| {
                        event.client_id.as_ref().map(|it| it.as_str()) == Some(id.as_str())
                    };
                    cluster.pending.take_if(answers);
                    return *event;
                }
                ServerMsg::Joined { .. } => {
                    if let Some((client_id, command)) = &cluster.pending {
                        let (id, seq) = (&self.id, self.mirror.seq);
                        self.socket
                            .command(id, client_id, seq, command.clone())
                            .await;
                    }
                }
                ServerMsg::Error(error) if error.code == Code::Moved => cluster.must_join = true,
                ServerMsg::Error(error) => panic!("refused: {error:?}"),
                other => assert!(
                    !matches!(other, ServerMsg::Snapshot(_)),
                    "the events since the last one are told"
                ),
            }
        }
    }

    /// Sends a command that must be refused; returns the code of the refusal.
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
        error.code.to_string()
    }
}

/// The two players of a match.
pub struct Pair {
    pub id: String,
    pub people: [Person; 2],
    pub seats: [Seat; 2],
}

impl Pair {
    /// Creates two guests, and a match between them.
    pub async fn of_guests(server: &TestServer) -> Pair {
        let people = [server.guest().await, server.guest().await];
        Pair::of(people, false).await
    }

    /// Makes a match between these two; the first has the first move.
    pub async fn of(mut people: [Person; 2], rated: bool) -> Pair {
        let [first, second] = &mut people;
        let id = first.play_with(second, "first", rated).await;
        Pair::at(people, id).await
    }

    /// Joins both players to their match.
    pub async fn at(people: [Person; 2], id: String) -> Pair {
        let seats = [
            Seat::take(&people[0], &id, Side::First).await,
            Seat::take(&people[1], &id, Side::Second).await,
        ];
        Pair { id, people, seats }
    }

    /// Returns the index of the player whose turn it is.
    pub fn turn(&self) -> usize {
        match self.seats[0].mirror.state.turn {
            Side::First => 0,
            Side::Second => 1,
        }
    }

    pub fn is_over(&self) -> bool {
        self.seats[0].mirror.state.result.is_some()
    }

    /// Sends a command of one player; both receive its event.
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

    /// Plays one ply; its number selects the legal move, so that games are the same in each run, and not all alike.
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

    /// Plays until the game ends.
    pub async fn play_out(&mut self) {
        while !self.is_over() {
            self.ply().await;
        }
    }
}
