//! NATS for tests: a server of one's own on a free port, gone with this value, and also when this process is killed before it can drop it.

use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use tempfile::TempDir;

use super::{AGAIN, PATIENCE};

/// A running nats-server.
pub struct Nats {
    /// `nats://…`.
    pub url: String,
    pub port: u16,
    keeper: Child,
    directory: TempDir,
}

impl Nats {
    pub fn start() -> Nats {
        let directory = tempfile::tempdir().expect("a temporary directory");
        // It takes a free port by itself: one that was found here could be somebody else's by then.
        let keeper = launch(-1, directory.path());
        let port = port_in(directory.path());
        Nats {
            url: format!("nats://127.0.0.1:{port}"),
            port,
            keeper,
            directory,
        }
    }

    /// Ends it as a loss of power would.
    pub fn kill(&mut self) {
        drop(self.keeper.stdin.take());
        self.keeper.wait().expect("it can be waited for");
    }

    /// Starts it again, at the same address.
    pub fn revive(&mut self) {
        self.keeper = launch(self.port.into(), self.directory.path());
    }
}

impl Drop for Nats {
    fn drop(&mut self) {
        drop(self.keeper.stdin.take());
        let _ = self.keeper.wait();
    }
}

/// The port that the server in this directory says it has, once it listens.
fn port_in(directory: &Path) -> u16 {
    let begun = Instant::now();
    loop {
        let files = std::fs::read_dir(directory).expect("the directory is there");
        let port = files
            .filter_map(|file| std::fs::read(file.ok()?.path()).ok())
            .filter_map(|ports| serde_json::from_slice::<serde_json::Value>(&ports).ok())
            .find_map(|ports| ports["nats"][0].as_str()?.rsplit(':').next()?.parse().ok());
        if let Some(port) = port {
            return port;
        }
        assert!(begun.elapsed() < PATIENCE, "nats-server did not start");
        std::thread::sleep(AGAIN);
    }
}

fn launch(port: i32, directory: &Path) -> Child {
    let program = ["/usr/sbin/nats-server", "nats-server"]
        .into_iter()
        .find(|program| {
            let version = Command::new(program).arg("--version").output();
            version.is_ok_and(|output| output.status.success())
        })
        .expect("this test needs NATS: install it (apt-get install nats-server; it need not run)");
    Command::new("/bin/sh")
        .arg("-c")
        .arg(
            "\"$0\" -a 127.0.0.1 -p \"$1\" --ports_file_dir \"$2\" >/dev/null 2>&1 & server=$!; \
             cat >/dev/null; kill -9 $server; wait $server",
        )
        .arg(program)
        .arg(port.to_string())
        .arg(directory)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        // Out of reach of a signal that ends the tests.
        .process_group(0)
        .spawn()
        .expect("/bin/sh runs")
}
