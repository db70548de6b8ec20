//! The server's judgements of scripts of commands, in a file with which the page's tests compare the WebAssembly referee.
//!
//! `MAWE_GOLDEN=write cargo test -p rules-wasm --test referee` writes the file again after a change of the match core.

use std::fs;
use std::path::Path;

use mawe_play::room::io::{Answer, Effects, Input, MatchSetup, Now};
use mawe_play::room::state::RoomState;
use mawe_rules::{BySide, GameKind, Side};
use mawe_wire::{Command, MatchOptions, TimeControl};
use serde_json::{Value, json};

const NOW: Now = Now {
    mono: 0,
    unix_ms: 0,
    up_since_ms: 0,
};

/// The side that gives a command.
#[derive(Clone, Copy)]
enum By {
    /// The side that moves by hand.
    You,
    /// The computer, or the other hand.
    Other,
}

/// One command of a script.
#[derive(Clone)]
enum Step {
    /// The recorded move of this ply, or the first legal one, by the side to move.
    Move,
    /// A move by the side that is not to move.
    OutOfTurn,
    /// A move for the ply before.
    Stale,
    /// A text that is no move.
    Illegal,
    /// Any other command.
    Give(By, Command),
}

/// A match in progress, and the script so far.
struct Script {
    room: RoomState,
    game: GameKind,
    level: Option<u8>,
    you: Side,
    recorded: Vec<String>,
    prefix: Vec<String>,
    steps: Vec<Value>,
}

impl Script {
    fn new(game: GameKind, level: Option<u8>, you: Side, recorded: &[String]) -> Script {
        let setup = MatchSetup {
            id: "Ab3dEf6hIj9l".parse().expect("an id"),
            game,
            setup: String::new(),
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
            one_player: level.is_none(),
            created_ms: 0,
            bots: BySide::from_fn(|side| level.filter(|_| side != you)),
        };
        Script {
            room: RoomState::new(setup, 1).expect("a standard setup"),
            game,
            level,
            you,
            recorded: recorded.to_vec(),
            prefix: Vec::new(),
            steps: Vec::new(),
        }
    }

    /// Plays recorded moves up to a ply; the page opens the match with them.
    fn play_to(mut self, ply: usize) -> Script {
        while (self.room.record().ply() as usize) < ply {
            self.step(Step::Move);
        }
        let moves = self.room.record().moves();
        self.prefix = moves.iter().map(ToString::to_string).collect();
        self.steps.clear();
        self
    }

    fn run(mut self, steps: &[Step]) -> Value {
        for step in steps {
            self.step(step.clone());
        }
        json!({
            "game": self.game.to_string(), "level": self.level, "you": self.you, "moves": self.prefix, "steps": self.steps,
        })
    }

    fn step(&mut self, step: Step) {
        let record = self.room.record();
        let (turn, ply) = (record.turn(), record.ply());
        let legal = record.legal_moves();
        let next = self
            .recorded
            .get(ply as usize)
            .filter(|m| legal.contains(m))
            .or(legal.first());
        let text = next.cloned().unwrap_or_default();
        let (side, command) = match step {
            Step::Move => (turn, Command::Move { ply, text }),
            Step::OutOfTurn => (turn.other(), Command::Move { ply, text }),
            Step::Stale => (
                turn,
                Command::Move {
                    ply: ply.saturating_sub(1),
                    text,
                },
            ),
            Step::Illegal => (
                turn,
                Command::Move {
                    ply,
                    text: "z9z9".to_owned(),
                },
            ),
            Step::Give(By::You, command) => (self.you, command),
            Step::Give(By::Other, command) => (self.you.other(), command),
        };
        let written = json!({ "side": side, "command": command });
        let effects = self.handle(side, command);
        let events: Vec<Value> = effects
            .tell
            .iter()
            .map(|told| json!({ "event": told.event, "state": told.state }))
            .collect();
        let error = effects.answer.map(|answer| match answer {
            Answer::Refused(refusal) => json!({ "code": refusal.code(), "why": refusal.why() }),
            Answer::Again(seq) => panic!("done before, as {seq}"),
        });
        let mut step = written;
        step["events"] = Value::Array(events);
        step["error"] = error.unwrap_or_default();
        self.steps.push(step);
    }

    /// As the server's room: a player of both seats acts for the side to move, and a proposal takes effect once it is durable.
    fn handle(&mut self, side: Side, command: Command) -> Effects {
        let side = match self.level {
            Some(_) => side,
            None => self.room.record().turn(),
        };
        let command = Input::Command {
            side,
            client_id: format!("c-{}-{}", self.prefix.len(), self.room.head())
                .parse()
                .expect("an id"),
            seq: self.room.head(),
            command,
            lag_ms: 0,
        };
        let proposed = self.room.handle(NOW, command);
        match proposed.append {
            Some(_) => self.room.handle(NOW, Input::Durable),
            None => proposed,
        }
    }
}

/// The moves of the recorded games of a kind.
fn recorded(kind: GameKind) -> Vec<Vec<String>> {
    let path = root().join(format!("rules/tests/vectors/{kind}.playouts.json"));
    let vectors: Value =
        serde_json::from_str(&fs::read_to_string(path).expect("the vectors")).expect("JSON");
    let playouts = vectors["playouts"].as_array().expect("playouts");
    playouts
        .iter()
        .filter(|one| one["start"].is_null())
        .map(|one| one["moves"].as_str().expect("moves"))
        .filter(|moves| !moves.is_empty())
        .map(|moves| moves.split(' ').map(str::to_owned).collect())
        .collect()
}

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

fn scripts(kind: GameKind) -> Vec<Value> {
    use By::{Other, You};
    use Step::{Give, Illegal, Move, OutOfTurn, Stale};
    let games = recorded(kind);
    let game = &games[0];
    let give = |by, command: &Command| Give(by, command.clone());
    let talk = [
        give(You, &Command::OfferTakeback),
        Illegal,
        Move,
        Stale,
        OutOfTurn,
        give(You, &Command::OfferTakeback),
        Move,
        Move,
        give(Other, &Command::OfferTakeback),
        give(You, &Command::GiveTime),
        give(You, &Command::ClaimWin),
        give(You, &Command::ClaimDraw),
        give(Other, &Command::AcceptTakeback),
        give(Other, &Command::DeclineTakeback),
        give(You, &Command::AcceptDraw),
        Move,
    ];
    let draw = [
        give(You, &Command::OfferDraw),
        give(You, &Command::OfferDraw),
        give(Other, &Command::DeclineDraw),
        give(You, &Command::OfferDraw),
        Move,
        give(Other, &Command::OfferDraw),
        give(You, &Command::AcceptDraw),
        Move,
    ];
    let abort = [give(You, &Command::Abort), give(You, &Command::Resign)];
    let mut scripts = Vec::new();
    for (level, you) in [(None, Side::First), (Some(3), Side::Second)] {
        let open = |ply| Script::new(kind, level, you, game).play_to(ply);
        scripts.push(open(0).run(&talk));
        scripts.push(open(4).run(&draw));
        for ply in 0..3 {
            scripts.push(open(ply).run(&abort));
        }
        let end = game.len();
        scripts.push(open(end - 2).run(&[Move, Move, give(You, &Command::OfferTakeback)]));
        let with_pass = games
            .iter()
            .find_map(|moves| Some((moves, moves.iter().position(|m| m == "pass")?)));
        if let Some((moves, pass)) = with_pass {
            let script = Script::new(kind, level, you, moves).play_to(pass - 2);
            let steps = [Move, Move, give(You, &Command::OfferTakeback), Move];
            scripts.push(script.run(&steps));
            let after = Script::new(kind, level, you, moves).play_to(pass + 1);
            scripts.push(after.run(&[give(You, &Command::OfferTakeback), Move]));
        }
    }
    scripts
}

#[test]
fn the_file_says_what_the_server_judges() {
    let scripts: Vec<Value> = GameKind::ALL.iter().copied().flat_map(scripts).collect();
    let path = root().join("static/tests/referee.golden.json");
    let lines: Vec<String> = scripts.iter().map(Value::to_string).collect();
    let text = format!("[\n{}\n]\n", lines.join(",\n"));
    for met in [
        "takeback",
        "offer-draw",
        "accept-draw",
        "decline-draw",
        "abort",
        "resign",
    ] {
        assert!(
            text.contains(&format!(r#""event":{{"kind":"{met}""#)),
            "{met}"
        );
    }
    assert!(text.contains(r#""move":"pass""#));
    if std::env::var_os("MAWE_GOLDEN").is_some_and(|task| task == "write") {
        return fs::write(path, text).expect("the file can be written");
    }
    let said = fs::read_to_string(path).expect("the file is there");
    assert!(
        said == text,
        "static/tests/referee.golden.json is older than the match core"
    );
}
