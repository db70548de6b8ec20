//! A line to Postgres that fails at a statement: a proxy that understands as much of the protocol as it takes to count them.
//!
//! What a client sends up to a `Sync`, or as a simple query, is one step: parsing a statement, carrying it out, beginning, committing.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// How a step fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loss {
    /// The line is lost before the step was heard.
    Before,
    /// The line is lost when the step was carried out, and nobody has heard of it.
    After,
    /// The database refuses the step with this SQLSTATE.
    Refused(&'static str),
}

#[derive(Debug, Default)]
struct Armed {
    loss: Option<Loss>,
    /// How many steps still pass.
    left: u32,
}

/// The line.
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
    /// A line to the server of this database.
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

    /// The same database, over the line.
    pub fn to(&self, url: &str) -> String {
        url.replace(&self.target, &self.near.to_string())
    }

    /// The same database, not over the line.
    pub fn around(&self, url: &str) -> String {
        url.replace(&self.near.to_string(), &self.target)
    }

    /// The line fails once, after so many steps.
    pub fn arm(&self, loss: Loss, after: u32) {
        *self.armed.lock().expect("nobody panics with it") = Armed {
            loss: Some(loss),
            left: after,
        };
    }

    /// It does not fail any more; whether it has.
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
    armed.loss?;
    if armed.left > 0 {
        armed.left -= 1;
        return None;
    }
    armed.loss.take()
}

/// Until either end hangs up, or the line is lost; what goes wrong on the way is what is wanted.
async fn carry(client: TcpStream, server: TcpStream, armed: Arc<Mutex<Armed>>) {
    // Small writes go on at once, as without a proxy.
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
                // The answer to the last step: it was carried out, and this is as far as word of it comes.
                return;
            }
            if to_client.write_all(&bytes[..count]).await.is_err() {
                return;
            }
        }
    });
    // What has no type byte yet: whether there may be encryption, and who is there.
    let mut is_open = false;
    let mut step = Vec::new();
    loop {
        let Some((kind, message)) = message(&mut from_client, is_open).await else {
            break;
        };
        let wants_encryption = !is_open && message[4..8] == 80_877_103_u32.to_be_bytes();
        is_open = is_open || !wants_encryption;
        step.extend_from_slice(&message);
        // Neither a simple query nor a sync: more comes. A password and the beginning are no steps.
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
            Some(Loss::Refused(code)) => to_server.write_all(&refusal(code)).await,
        };
        if sent.is_err() {
            break;
        }
    }
    down.abort();
}

/// The next message of a client with its type, which the first ones do not have.
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

/// A simple query that fails with this code.
fn refusal(code: &str) -> Vec<u8> {
    let sql = format!("DO $$ BEGIN RAISE EXCEPTION 'a fault' USING ERRCODE = '{code}'; END $$\0");
    let mut bytes = vec![b'Q'];
    let length = u32::try_from(sql.len() + 4).expect("a short one");
    bytes.extend_from_slice(&length.to_be_bytes());
    bytes.extend_from_slice(sql.as_bytes());
    bytes
}
