//! The measured servers.

use std::path::PathBuf;

use mawe_server::load::UNLIMITED;
use mawe_server::load::playing::Pair;
use mawe_wire::ids::MatchId;
use serde_json::json;
use tempfile::TempDir;
use tokio::process::Command;
use tokio::sync::OnceCell;

use crate::Options;
use crate::common::Person;
use crate::common::postgres::Postgres;
use crate::common::process::{Process, mawe};
use crate::usage;

/// The size of a typical event of Reversi in bytes, for the bare server (`docs/performance.md`).
const EVENT_BYTES: usize = 600;

/// A kind of server.
pub(crate) enum Peer {
    /// A bare WebSocket server.
    Bare,
    /// A build of the program.
    Mawe {
        name: &'static str,
        /// Another program than the one that is built with this bench.
        program: Option<PathBuf>,
    },
}

/// A running server.
pub(crate) struct Running {
    pub(crate) process: Process,
    pub(crate) is_bare: bool,
    pub(crate) data: TempDir,
    postgres: Option<&'static Postgres>,
}

impl Peer {
    /// Returns the servers to measure.
    pub(crate) fn all(options: &Options) -> Vec<Peer> {
        let old = options.against.as_ref().map(|program| Peer::Mawe {
            name: "old",
            program: Some(program.clone()),
        });
        let new = Peer::Mawe {
            name: "new",
            program: None,
        };
        [Some(Peer::Bare), old, Some(new)]
            .into_iter()
            .flatten()
            .collect()
    }

    pub(crate) fn name(&self) -> &'static str {
        match self {
            Peer::Bare => "bare",
            Peer::Mawe { name, .. } => name,
        }
    }

    pub(crate) fn is_bare(&self) -> bool {
        matches!(self, Peer::Bare)
    }

    /// Starts the server, with empty data.
    pub(crate) async fn start(&self, options: &Options) -> Running {
        let data = match &options.directory {
            Some(directory) => tempfile::tempdir_in(directory),
            None => tempfile::tempdir(),
        };
        let data = data.expect("a temporary directory");
        let (process, postgres) = match self {
            Peer::Bare => (Process::of(bare()).await, None),
            Peer::Mawe { program, .. } => {
                let mut command = program_at(program.as_ref());
                command.arg("--data-dir").arg(data.path());
                let postgres = if options.postgres {
                    let postgres = postgres().await;
                    command.args(["--database", &postgres.fresh_database().await]);
                    Some(postgres)
                } else {
                    None
                };
                (Process::of(command).await, postgres)
            }
        };
        Running {
            process,
            is_bare: self.is_bare(),
            data,
            postgres,
        }
    }

    /// Starts the server on the data of an earlier one.
    pub(crate) async fn start_again(&self, data: &TempDir) -> Process {
        match self {
            Peer::Bare => Process::of(bare()).await,
            Peer::Mawe { program, .. } => {
                let mut command = program_at(program.as_ref());
                command.arg("--data-dir").arg(data.path());
                Process::of(command).await
            }
        }
    }
}

impl Running {
    /// Returns the processor time so far in seconds, with that of Postgres.
    pub(crate) fn used(&self) -> f64 {
        let used = usage::used_by(self.process.id()).map_or(0.0, |(used, _)| used);
        let postgres = self.postgres.and_then(Postgres::process);
        used + postgres.map_or(0.0, usage::used_by_family)
    }

    /// Creates two players with a match; the first moves first. The bare server knows no people.
    pub(crate) async fn pair(&self) -> Pair {
        if self.is_bare {
            return Pair {
                id: MatchId::random(),
                cookies: [None, None],
            };
        }
        let mut first = Person::guest_at(self.process.address).await;
        let mut second = first.beside();
        second.become_guest().await;
        let offer = json!({
            "game": "reversi",
            "side": "first",
            "rated": false,
            "time_control": { "kind": "realtime", "base_ms": 600_000, "increment_ms": 0 },
        });
        let id = first.challenge(&mut second, &offer).await;
        let id = id.parse().expect("a match id");
        Pair {
            id,
            cookies: [first.cookie(), second.cookie()],
        }
    }
}

async fn postgres() -> &'static Postgres {
    static POSTGRES: OnceCell<Postgres> = OnceCell::const_new();
    POSTGRES.get_or_init(async || Postgres::durable()).await
}

fn bare() -> Command {
    let mut command = Command::new(std::env::current_exe().expect("this program has a path"));
    command.args(["--echo", &EVENT_BYTES.to_string()]);
    command.kill_on_drop(true);
    command
}

fn program_at(program: Option<&PathBuf>) -> Command {
    match program {
        None => mawe(UNLIMITED),
        Some(program) => {
            let mut command = Command::new(program);
            command.args(UNLIMITED).kill_on_drop(true);
            command
        }
    }
}
