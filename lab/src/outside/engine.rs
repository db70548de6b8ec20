//! An engine: its process and its dialogue.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use mawe_rules::{GameKind, Record};

use super::answer::{Answer, Play};
use super::command::EngineCommand;
use super::connection::Connection;
use super::dialogue::{Dialogue, Reply};
use super::fault::{EngineError, Fault};
use super::gtp::Gtp;
use super::hub::Hub;
use super::limits::MoveLimits;
use super::nboard::Nboard;
use super::positions::{Aalina, Fen};
use super::process::Process;
use super::protocol::Protocol;
use super::ugi::{Ugi, UgiLike};

/// An engine of one game. Its process is killed when this is dropped.
///
/// All functions block; a flag that another thread sets ends them within a twentieth of a second, and a search within two seconds. The engine
/// does not think in the opponent's time.
pub struct OutsideEngine {
    command: EngineCommand,
    dialogue: Box<dyn Dialogue>,
    /// `None` after a fault, until the next game.
    connection: Option<Connection>,
    name: String,
}

impl OutsideEngine {
    /// Starts an engine for this game, and waits until it is ready.
    ///
    /// # Errors
    ///
    /// [`EngineError`] if the protocol is another game's, the process does not start, or the handshake fails.
    pub fn start(
        command: EngineCommand,
        kind: GameKind,
        stop: &Arc<AtomicBool>,
    ) -> Result<Self, EngineError> {
        let dialogue: Box<dyn Dialogue> = match command.protocol {
            Protocol::Ugi => Box::new(UgiLike(Ugi)),
            Protocol::Hub => Box::new(Hub::new(kind)),
            Protocol::Gtp => Box::new(Gtp::default()),
            Protocol::Nboard => Box::new(Nboard::default()),
            Protocol::Fen => Box::new(UgiLike(Fen)),
            Protocol::Aalina => Box::new(UgiLike(Aalina)),
        };
        let name = command.words.first().cloned().unwrap_or_default();
        let mut engine = Self {
            command,
            dialogue,
            connection: None,
            name,
        };
        let protocol = engine.command.protocol;
        if !protocol.games().contains(&kind) {
            let games: Vec<&str> = protocol.games().iter().map(|game| game.id()).collect();
            let games = games.join(", ");
            let why = format!("{protocol} is a protocol of {games}, not of {kind}");
            return Err(engine.error(Fault::Unsupported(why)));
        }
        engine.connect(stop).map(|()| engine)
    }

    /// The name that the engine gives itself, or else that of its program.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether the process runs. After a fault it does not, until the next game.
    pub fn is_running(&self) -> bool {
        self.connection.is_some()
    }

    /// Prepares for a new game; starts the process again if a fault has ended it.
    ///
    /// # Errors
    ///
    /// [`EngineError`] if the engine does not get ready.
    pub fn new_game(&mut self, stop: &Arc<AtomicBool>) -> Result<(), EngineError> {
        if self.connection.is_none() {
            self.connect(stop)?;
        }
        self.with(stop, |dialogue, connection| dialogue.begin_game(connection))
    }

    /// The engine's decision in the current position of a game that is not over. The game need not follow from the one of the last call. A
    /// forced pass is answered without the engine.
    ///
    /// # Errors
    ///
    /// [`EngineError`] if the engine gives no legal move in time, or `stop` is set: then with [`Fault::Stopped`]. `ugi` and `hub` end a search
    /// so that the process goes on; with other protocols it is killed, and the next game starts it again.
    pub fn choose(
        &mut self,
        game: &Record,
        limits: &MoveLimits,
        stop: &Arc<AtomicBool>,
    ) -> Result<Answer, EngineError> {
        if let Some(pass) = game.forced_pass() {
            return Ok(Answer {
                play: Play::Move(pass),
                score: None,
                time: Duration::ZERO,
            });
        }
        if stop.load(Ordering::Relaxed) {
            return Err(self.error(Fault::Stopped));
        }
        self.with(stop, |dialogue, connection| {
            judge(game, dialogue.choose(connection, game, limits)?)
        })
    }

    /// Asks the engine to end, and waits until it has, but not longer than `patience`: some engines save their books then.
    pub fn quit(mut self, patience: Duration) {
        if let Some(mut connection) = self.connection.take()
            && connection.send("quit").is_ok()
        {
            connection.process().wait(patience);
        }
    }

    fn connect(&mut self, stop: &Arc<AtomicBool>) -> Result<(), EngineError> {
        let started = Process::start(&self.command);
        let process = started.map_err(|fault| self.error(fault))?;
        let EngineCommand {
            handshake, grace, ..
        } = self.command;
        self.connection = Some(Connection::new(process, handshake, grace));
        let (options, init) = (self.command.options.clone(), self.command.init.clone());
        let protocol = self.command.protocol;
        let name = self.with(stop, |dialogue, connection| {
            let name = dialogue.greet(connection)?;
            for (name, value) in options {
                let line = dialogue.option(&name, &value).ok_or_else(|| {
                    Fault::Unsupported(format!("{protocol} has no options, such as {name:?}"))
                })?;
                connection.send(line)?;
            }
            for line in init {
                connection.send(line)?;
            }
            dialogue.finish_greeting(connection)?;
            Ok(name)
        })?;
        if let Some(name) = name {
            self.name = name;
        }
        Ok(())
    }

    /// Does this with the running process, and kills it after a fault.
    fn with<T>(
        &mut self,
        stop: &Arc<AtomicBool>,
        act: impl FnOnce(&mut dyn Dialogue, &mut Connection) -> Result<T, Fault>,
    ) -> Result<T, EngineError> {
        let Some(connection) = &mut self.connection else {
            let why = "it has ended in this game; the next one starts it again";
            return Err(self.error(Fault::Unsupported(why.to_owned())));
        };
        connection.stop_by(stop);
        let fault = match act(self.dialogue.as_mut(), connection) {
            Ok(done) => return Ok(done),
            Err(fault) => fault,
        };
        let is_usable = match &fault {
            Fault::Unsupported(_) => !connection.is_searching(),
            Fault::Stopped if connection.is_searching() => {
                self.dialogue.interrupt(connection).is_ok()
            }
            _ => false,
        };
        let mut last_words = Vec::new();
        if !is_usable {
            connection.process().kill();
            if fault != Fault::Stopped {
                last_words = connection.process().last_words();
            }
            self.connection = None;
        }
        Err(EngineError {
            last_words,
            ..self.error(fault)
        })
    }

    fn error(&self, fault: Fault) -> EngineError {
        EngineError {
            engine: self.name.clone(),
            fault,
            last_words: Vec::new(),
        }
    }
}

/// Judges the engine's answer by the rules.
fn judge(game: &Record, reply: Reply) -> Result<Answer, Fault> {
    let Reply {
        line,
        text,
        score,
        time,
    } = reply;
    let play = match text {
        None => Play::Resign,
        Some(text) => match game.position().clone().play(&text) {
            Ok(m) => Play::Move(m),
            Err(why) => {
                return Err(Fault::Illegal {
                    answer: line,
                    position: game.position().to_string(),
                    why,
                });
            }
        },
    };
    Ok(Answer { play, score, time })
}
