//! The referee of matches on a device: the match core of the server behind a text interface.
//!
//! Arguments and results are JSON of the wire's types, or the same texts as those of `Game`.

use mawe_play::room::entry::{Action, Entry};
use mawe_play::room::io::{Answer, Input, MatchSetup, Now, Refusal};
use mawe_play::room::state::RoomState;
use mawe_rules::{AnyPosition, AnySetup, BySide, GameKind, Record, Side};
use mawe_wire::end_reason::EndReason;
use mawe_wire::{
    Command, ErrorMsg, EventMsg, MatchOptions, MatchResult, PlyView, Speed, StateView, TimeControl,
};
use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::*;

use crate::texts::{record_from, write_outcome};

/// The id of every match here: the page's records have ids in another form, which it puts in instead.
const ID: &str = "000000000000";

/// Time stands still: matches on a device have no clocks, and wait for their player for as long as it takes.
const NOW: Now = Now {
    mono: 0,
    unix_ms: 0,
    up_since_ms: 0,
};

/// One match on this device, from its record on.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Referee {
    room: RoomState,
}

/// A record as the page stores it, without the fields that judge nothing.
#[derive(Debug, Deserialize)]
struct Kept {
    game: GameKind,
    setup: String,
    /// The position that it begins from; without one, that of the setup.
    start: Option<String>,
    /// The level of the computer; `None` if both sides move by hand.
    level: Option<u8>,
    /// The side that moves by hand; the first if both do.
    you: Side,
    /// The plies, passes among them.
    moves: Vec<String>,
    result: Option<MatchResult>,
}

/// The parts of the wire's `MatchView` that come from the match core.
#[derive(Debug, Serialize)]
struct Table<'a> {
    start: String,
    setup: &'a str,
    rated: bool,
    time_control: TimeControl,
    speed: Speed,
    options: MatchOptions,
    plies: Vec<PlyView>,
    #[serde(flatten)]
    state: StateView,
}

/// The answer to a command: its events, or an error.
#[derive(Debug, Default, Serialize)]
struct Judged {
    events: Vec<EventMsg>,
    error: Option<ErrorMsg>,
}

#[wasm_bindgen]
impl Referee {
    /// Opens a record, as JSON in the page's form.
    ///
    /// # Errors
    ///
    /// `damaged` if it is no match of these rules.
    pub fn open(kept: &str) -> Result<Referee, JsError> {
        open(kept).ok_or_else(|| JsError::new("damaged"))
    }

    /// A match of one player for both sides, from a position on.
    ///
    /// # Errors
    ///
    /// The code of the error in kind or position.
    #[wasm_bindgen(js_name = fromPosition)]
    pub fn from_position(kind: &str, position: &str) -> Result<Referee, JsError> {
        let record = record_from(kind, position).map_err(JsError::new)?;
        Ok(Referee::of_record(record, BySide::default()))
    }

    /// Handles a command of a side, given as `first` or `second`: JSON with the `events` in order, each a pass of its own after the move
    /// that forces it, and the `error` if the command is refused. A player of both sides acts for the side to move.
    ///
    /// # Errors
    ///
    /// `damaged` if side or command cannot be read.
    pub fn command(&mut self, side: &str, command: &str) -> Result<String, JsError> {
        let damaged = || JsError::new("damaged");
        let side: Side = side.parse().map_err(|_| damaged())?;
        let command = serde_json::from_str(command).map_err(|_| damaged())?;
        Ok(write(&self.judge(side, command)))
    }

    /// Plays the passes that a position begins with, and returns their events as JSON. In a running match a pass follows its move.
    #[wasm_bindgen(js_name = playPasses)]
    pub fn play_passes(&mut self) -> String {
        let mut events = Vec::new();
        while let Some(pass) = self.room.record().forced_pass() {
            let pass = self.apply_move(pass.to_string());
            events.push(pass.expect("a forced pass is legal"));
        }
        write(&events)
    }

    /// The terms, the plies and the state as JSON.
    pub fn table(&self) -> String {
        let setup = self.room.setup();
        write(&Table {
            start: self.room.record().start().to_string(),
            setup: &setup.setup,
            rated: setup.rated,
            time_control: setup.time_control,
            speed: setup.time_control.speed(),
            options: setup.options,
            plies: self.room.plies(),
            state: self.room.view(),
        })
    }

    /// The current position.
    pub fn position(&self) -> String {
        self.room.record().position().to_string()
    }

    /// The side to move, `first` or `second`.
    pub fn turn(&self) -> String {
        self.room.record().turn().to_string()
    }

    /// The number of plies played.
    pub fn ply(&self) -> u32 {
        self.room.record().ply()
    }

    /// The legal moves, sorted; none when the game is over.
    #[wasm_bindgen(js_name = legalMoves)]
    pub fn legal_moves(&self) -> Vec<String> {
        self.room.record().legal_moves()
    }

    /// The outcome by the rules, as of a `Game`.
    pub fn outcome(&self) -> Option<String> {
        let record = self.room.record();
        let outcome = record.outcome()?;
        Some(write_outcome(record.kind(), outcome))
    }
}

impl Referee {
    /// A match without plies; `bots` holds the level of the computer, if one plays.
    fn of_record(record: Record, bots: BySide<Option<u8>>) -> Referee {
        let setup = MatchSetup {
            id: ID.parse().expect("it has the form of an id"),
            game: record.kind(),
            setup: record.setup().to_string(),
            rated: false,
            time_control: TimeControl::Unlimited,
            extra_ms: BySide::default(),
            options: MatchOptions {
                berserk: false,
                takebacks: true,
                free_takebacks: false,
                give_time: false,
                phrases: false,
            },
            one_player: bots == BySide::default(),
            created_ms: NOW.unix_ms,
            bots,
        };
        Referee {
            room: RoomState::from_record(setup, record, 0),
        }
    }

    fn judge(&mut self, side: Side, command: Command) -> Judged {
        let side = if self.room.setup().one_player {
            self.room.record().turn()
        } else {
            side
        };
        let seq = self.room.head();
        let proposed = self.room.handle(
            NOW,
            Input::Command {
                side,
                client_id: client_id(seq),
                seq,
                command,
                lag_ms: 0,
            },
        );
        if proposed.append.is_some() {
            return Judged {
                events: self.room.handle(NOW, Input::Durable).tell,
                error: None,
            };
        }
        match proposed.answer {
            Some(Answer::Refused(refusal)) => Judged {
                events: Vec::new(),
                error: Some(error(&refusal)),
            },
            Some(Answer::Again(_)) | None => unreachable!("a command with a new id is judged"),
        }
    }

    /// Appends a ply of the record. `None` if it is not legal.
    fn apply_move(&mut self, text: String) -> Option<EventMsg> {
        let record = self.room.record();
        let is_forced = record
            .forced_pass()
            .is_some_and(|pass| pass.to_string() == text);
        let action = Action::Move {
            text,
            spent_ms: 0,
            lag_ms: 0,
        };
        self.apply(record.turn(), action, !is_forced)
    }

    fn apply(&mut self, side: Side, action: Action, is_by_hand: bool) -> Option<EventMsg> {
        let head = self.room.head();
        let entry = Entry {
            seq: head + 1,
            epoch: 0,
            at_ms: NOW.unix_ms,
            client_id: is_by_hand.then(|| client_id(head)),
            side: Some(side),
            action,
            left: BySide::default(),
            early: false,
        };
        self.room.apply(entry).ok()
    }
}

fn open(kept: &str) -> Option<Referee> {
    let kept: Kept = serde_json::from_str(kept).ok()?;
    let record = match &kept.start {
        Some(start) => Record::from_position(AnyPosition::parse(kept.game, start).ok()?),
        None => Record::new(kept.game, &AnySetup::parse(kept.game, &kept.setup).ok()?).ok()?,
    };
    let bots = BySide::from_fn(|side| kept.level.filter(|_| side != kept.you));
    let mut referee = Referee::of_record(record, bots);
    for text in kept.moves {
        referee.apply_move(text)?;
    }
    if referee.room.result().is_none()
        && let Some((side, action)) = kept.result.and_then(|result| ended_by(&result, kept.you))
    {
        referee.apply(side, action, true)?;
    }
    Some(referee)
}

/// Returns the action that ended a match which the rules did not end. A result by rules that have changed since is none: the match goes on.
fn ended_by(result: &MatchResult, you: Side) -> Option<(Side, Action)> {
    match result.reason.parse().ok()? {
        EndReason::Resign => Some((result.winner?.other(), Action::Resign)),
        EndReason::Agreement => Some((you, Action::AcceptDraw)),
        EndReason::Aborted => Some((you, Action::Abort { closed: false })),
        EndReason::ByRules(_)
        | EndReason::Time
        | EndReason::Abandoned
        | EndReason::NoShow
        | EndReason::LeftEarly
        | EndReason::Closed => None,
    }
}

/// The id of the command whose entry follows `head`: new for each, because a command that is accepted raises the head.
fn client_id(head: u64) -> mawe_wire::ids::ClientId {
    head.to_string().parse().expect("digits are an id")
}

fn error(refusal: &Refusal) -> ErrorMsg {
    ErrorMsg {
        match_id: None,
        client_id: None,
        code: refusal.code(),
        why: refusal.why().map(str::to_owned),
        message: refusal.to_string(),
        retry_ms: None,
    }
}

fn write(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("plain JSON")
}
