//! NATS for tests: a server of one's own on a free port, gone with this value, and also when this process is killed before it can drop it.

use std::net::TcpListener;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};

/// A running nats-server.
pub struct Nats {
    /// `nats://…`.
    pub url: String,
    pub port: u16,
    keeper: Child,
}

impl Nats {
    pub fn start() -> Nats {
        let port = TcpListener::bind("127.0.0.1:0")
            .and_then(|listener| listener.local_addr())
            .expect("a free port")
            .port();
        Nats {
            url: format!("nats://127.0.0.1:{port}"),
            port,
            keeper: launch(port),
        }
    }

    /// Ends it as a loss of power would.
    pub fn kill(&mut self) {
        drop(self.keeper.stdin.take());
        self.keeper.wait().expect("it can be waited for");
    }

    /// Starts it again, at the same address.
    pub fn revive(&mut self) {
        self.keeper = launch(self.port);
    }
}

impl Drop for Nats {
    fn drop(&mut self) {
        drop(self.keeper.stdin.take());
        let _ = self.keeper.wait();
    }
}

fn launch(port: u16) -> Child {
    let program = ["/usr/sbin/nats-server", "nats-server"]
        .into_iter()
        .find(|program| {
            let version = Command::new(program).arg("--version").output();
            version.is_ok_and(|output| output.status.success())
        })
        .expect("this test needs NATS: install it (apt-get install nats-server; it need not run)");
    Command::new("/bin/sh")
        .arg("-c")
        .arg("\"$0\" -a 127.0.0.1 -p \"$1\" >/dev/null 2>&1 & server=$!; cat >/dev/null; kill -9 $server; wait $server")
        .arg(program)
        .arg(port.to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        // Out of reach of a signal that ends the tests.
        .process_group(0)
        .spawn()
        .expect("/bin/sh runs")
}
