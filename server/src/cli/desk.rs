//! The way of the operator's commands to the server or the store, and the form of their output.

use clap::Args;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::admin::api::Ask;
use crate::admin::router;
use crate::admin::socket::{ask_here, ask_server};
use crate::cli::output::{Failure, print, runtime};
use crate::cli::progress;
use crate::config::{ServeOptions, StoreOptions};
use crate::server::Console;

/// The location of the server or the store, and the form of the output.
#[derive(Debug, Args)]
pub(super) struct DeskOptions {
    #[command(flatten)]
    pub(super) store: StoreOptions,
    /// Print JSON, one object a line
    #[arg(long)]
    json: bool,
}

/// An optional reason.
#[derive(Debug, Args)]
pub(super) struct Why {
    /// The reason, for the log
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub(super) why: String,
}

/// Reads the answer of a server.
fn understood<T: DeserializeOwned>(answer: Value) -> Result<T, Failure> {
    serde_json::from_value(answer).map_err(|_| {
        Failure::Failed("the running server answers otherwise than this program expects; use the program of its version".to_owned())
    })
}

impl DeskOptions {
    /// Sends a request to the server, or performs it on the store if no server answers.
    pub(super) fn ask<T: DeserializeOwned>(&self, ask: &Ask) -> Result<T, Failure> {
        let failed = |error: &dyn std::fmt::Display| Failure::Failed(error.to_string());
        let options = ServeOptions::of_store(self.store.clone());
        let config = options.resolve().map_err(|error| failed(&error))?;
        let asking = async {
            if let Some(answer) = ask_server(&config.admin_socket, ask).await? {
                return Ok(answer);
            }
            let console = Console::open(&config).await;
            let console = console.map_err(|error| failed(&error))?;
            let answer = ask_here(router(console.app().clone()), ask).await;
            console.close().await;
            Ok::<_, Failure>(answer?)
        };
        let answer = runtime()?.block_on(progress::awaited("working", asking))?;
        understood(answer)
    }

    /// Sends a request to the server, which must be running.
    pub(super) fn ask_running<T: DeserializeOwned>(&self, ask: &Ask) -> Result<T, Failure> {
        let failed = |error: &dyn std::fmt::Display| Failure::Failed(error.to_string());
        let options = ServeOptions::of_store(self.store.clone());
        let config = options.resolve().map_err(|error| failed(&error))?;
        let socket = &config.admin_socket;
        let answer = runtime()?.block_on(ask_server(socket, ask))?;
        let answer = answer.ok_or_else(|| {
            let socket = socket.display();
            Failure::Failed(format!(
                "no server answers at {socket}; start it, or say --data-dir, --database or --config as to the server"
            ))
        })?;
        understood(answer)
    }

    /// Prints the items one after the other, as text or as JSON.
    pub(super) fn tell<T: Serialize>(
        &self,
        items: &[T],
        text: impl Fn(&T) -> String,
    ) -> Result<(), Failure> {
        let line = |item: &T| {
            let mut line = if self.json {
                serde_json::to_string(item).expect("what is told is plain JSON")
            } else {
                text(item)
            };
            line.push('\n');
            line
        };
        print(&items.iter().map(line).collect::<String>())
    }
}
