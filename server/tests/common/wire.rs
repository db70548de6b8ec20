//! A connection to Postgres that fails at a chosen statement: a proxy that parses the protocol as far as needed to count statements.
//!
//! The messages of a client up to a `Sync`, or a simple query, are one step: parsing a statement, executing it, beginning, committing.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

use super::eventually;

/// The way in which a step fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loss {
    /// The connection is lost before the server receives the step.
    Before,
    /// The connection is lost after the step was executed, and before its answer arrives.
    After,
    /// The database refuses the step with this SQLSTATE.
    Refused(&'static str),
    /// The connection stands still before the server receives the step.
    Held,
}

#[derive(Debug, Default)]
struct Armed {
    loss: Option<Loss>,
    /// The number of steps that still pass.
    left: u32,
    /// The number of steps since the proxy was last armed.
    counted: u32,
}

/// A running proxy.
pub struct Wire {
    target: String,
    near: SocketAddr,
    armed: Arc<Mutex<Armed>>,
    task: JoinHandle<()>,
}

impl Drop for Wire {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Wire {
    /// Starts a proxy to the server of this database.
    pub async fn start(url: &str) -> Wire {
        let target = host_of(url).to_owned();
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let near = listener.local_addr().expect("it is bound");
        let armed: Arc<Mutex<Armed>> = Arc::default();
        let (of_task, to) = (Arc::clone(&armed), target.clone());
        let task = tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let server = TcpStream::connect(&to).await.expect("it listens");
                tokio::spawn(carry(client, server, Arc::clone(&of_task)));
            }
        });
        Wire {
            target,
            near,
            armed,
            task,
        }
    }

    /// Returns the database's address through the proxy.
    pub fn to(&self, url: &str) -> String {
        url.replace(&self.target, &self.near.to_string())
    }

    /// Returns the database's address without the proxy.
    pub fn around(&self, url: &str) -> String {
        url.replace(&self.near.to_string(), &self.target)
    }

    /// Makes the connection fail once, after this many steps.
    pub fn arm(&self, loss: Loss, after: u32) {
        *self.armed.lock().expect("nobody panics with it") = Armed {
            loss: Some(loss),
            left: after,
            counted: 0,
        };
    }

    /// Returns the number of steps since the proxy was last armed, or since its start.
    pub fn steps(&self) -> u32 {
        self.armed.lock().expect("nobody panics with it").counted
    }

    /// Waits until the fault has occurred.
    pub async fn struck(&self) {
        eventually("the fault", async || {
            let armed = self.armed.lock().expect("nobody panics with it");
            armed.loss.is_none().then_some(())
        })
        .await;
    }

    /// Ends the fault; returns whether it has occurred.
    pub fn disarm(&self) -> bool {
        let mut armed = self.armed.lock().expect("nobody panics with it");
        armed.loss.take().is_none()
    }
}

fn host_of(url: &str) -> &str {
    let (_, rest) = url.split_once("://").expect("an address");
    let (before, _) = rest.split_once('/').expect("an address with a name");
    before.rsplit_once('@').map_or(before, |(_, host)| host)
}

fn strike(armed: &Mutex<Armed>) -> Option<Loss> {
    let mut armed = armed.lock().expect("nobody panics with it");
    armed.counted += 1;
    armed.loss?;
    if armed.left > 0 {
        armed.left -= 1;
        return None;
    }
    armed.loss.take()
}

/// Forwards until either end hangs up, or the connection is lost; errors are ignored, as they are wanted.
async fn carry(client: TcpStream, server: TcpStream, armed: Arc<Mutex<Armed>>) {
    // Small writes are forwarded at once, as without a proxy.
    let _ = client.set_nodelay(true);
    let _ = server.set_nodelay(true);
    let (mut from_client, mut to_client) = client.into_split();
    let (mut from_server, mut to_server) = server.into_split();
    let (silence, mut silenced) = tokio::sync::watch::channel(false);
    let down = tokio::spawn(async move {
        let mut bytes = vec![0; 64 * 1024];
        loop {
            let count = match from_server.read(&mut bytes).await {
                Ok(count) if count > 0 => count,
                _ => return,
            };
            if *silenced.borrow_and_update() {
                // The answer to the last step, which was executed, is dropped.
                return;
            }
            if to_client.write_all(&bytes[..count]).await.is_err() {
                return;
            }
        }
    });
    // The first messages have no type byte: the request for encryption, and the startup message.
    let mut is_open = false;
    let mut step = Vec::new();
    loop {
        let Some((kind, message)) = message(&mut from_client, is_open).await else {
            break;
        };
        let wants_encryption = !is_open && message[4..8] == 80_877_103_u32.to_be_bytes();
        is_open = is_open || !wants_encryption;
        step.extend_from_slice(&message);
        // Neither a simple query nor a sync: more messages follow. A password and the startup message are no steps.
        let is_step = matches!(kind, Some(b'Q' | b'S'));
        if !is_step && matches!(kind, Some(b'P' | b'B' | b'D' | b'E' | b'C')) {
            continue;
        }
        let bytes = std::mem::take(&mut step);
        let sent = match is_step.then(|| strike(&armed)).flatten() {
            None => to_server.write_all(&bytes).await,
            Some(Loss::Before) => break,
            Some(Loss::After) => {
                silence.send_replace(true);
                let sent = to_server.write_all(&bytes).await;
                if sent.is_ok() {
                    let _ = down.await;
                }
                return;
            }
            Some(Loss::Held) => {
                // Until the client ends; later messages are dropped.
                let mut bytes = [0; 1_024];
                while from_client
                    .read(&mut bytes)
                    .await
                    .is_ok_and(|read| read > 0)
                {}
                break;
            }
            Some(Loss::Refused(code)) => to_server.write_all(&refusal(code)).await,
        };
        if sent.is_err() {
            break;
        }
    }
    down.abort();
}

/// Returns the next message of a client with its type, which the first ones do not have.
async fn message(
    from: &mut (impl AsyncReadExt + Unpin),
    has_type: bool,
) -> Option<(Option<u8>, Vec<u8>)> {
    let mut bytes = vec![0; if has_type { 5 } else { 4 }];
    from.read_exact(&mut bytes).await.ok()?;
    let kind = has_type.then(|| bytes[0]);
    let length = u32::from_be_bytes(bytes[bytes.len() - 4..].try_into().expect("four")) as usize;
    let head = bytes.len();
    bytes.resize(head + length - 4, 0);
    from.read_exact(&mut bytes[head..]).await.ok()?;
    Some((kind, bytes))
}

/// Returns a simple query that fails with this code.
fn refusal(code: &str) -> Vec<u8> {
    let sql = format!("DO $$ BEGIN RAISE EXCEPTION 'a fault' USING ERRCODE = '{code}'; END $$\0");
    let mut bytes = vec![b'Q'];
    let length = u32::try_from(sql.len() + 4).expect("a short one");
    bytes.extend_from_slice(&length.to_be_bytes());
    bytes.extend_from_slice(sql.as_bytes());
    bytes
}
