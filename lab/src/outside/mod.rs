//! Engines of other authors as players: programs that are started as commands, and answer over standard input and output in a line protocol.
//!
//! An engine is the user's own program: it runs with the user's rights, and no shell reads its command. It has limits all the same: a
//! handshake and each move have a time, lines have a length and a number, and a program that exceeds one of them is killed with the
//! processes that it started. Every move is judged by `mawe-rules`.
//!
//! ```no_run
//! use std::sync::Arc;
//! use std::sync::atomic::AtomicBool;
//! use std::time::Duration;
//!
//! use mawe_lab::outside::{EngineCommand, MoveLimits, OutsideEngine, Play, Protocol};
//! use mawe_rules::{AnySetup, GameKind, Record};
//!
//! let command = EngineCommand::parse(Protocol::Gtp, "edax -gtp")?;
//! // Another thread that sets this flag ends a search within a twentieth of a second.
//! let stop = Arc::new(AtomicBool::new(false));
//! let mut engine = OutsideEngine::start(command, GameKind::Reversi, &stop)?;
//! engine.new_game(&stop)?;
//! let mut game = Record::new(GameKind::Reversi, &AnySetup::standard(GameKind::Reversi))?;
//! let limits = MoveLimits::movetime(Duration::from_secs(1));
//! match engine.choose(&game, &limits, &stop)?.play {
//!     Play::Move(m) => game.play(&m.to_string())?,
//!     Play::Resign => return Ok(()),
//! };
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answer;
mod command;
mod connection;
mod dialogue;
mod engine;
mod fault;
mod gtp;
mod hub;
mod limits;
mod nboard;
mod positions;
mod process;
mod protocol;
mod ugi;

pub use answer::{Answer, Play, WIN};
pub use command::{CommandError, EngineCommand};
pub use engine::OutsideEngine;
pub use fault::{EngineError, Fault};
pub use limits::{Clocks, MoveLimits};
pub use protocol::{Protocol, UnknownProtocol};
