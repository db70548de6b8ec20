//! NATS for tests: a separate server on a free port, which ends when this value is dropped, and also when this process is killed before
//! that.

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
    setting: Setting,
}

/// The command and the address of a server.
#[derive(Clone, Default)]
struct Setting {
    /// Words in front of its command, to start it on another host.
    words: Vec<String>,
    address: Option<String>,
    more: Vec<String>,
    variables: Vec<(String, String)>,
}

impl Nats {
    pub fn start() -> Nats {
        Nats::set_up(Setting::default())
    }

    /// Starts a server with further arguments, and variables for its configuration.
    pub fn with(more: &[&str], variables: &[(&str, &str)]) -> Nats {
        let owned = |(name, value): &(&str, &str)| (name.to_string(), value.to_string());
        Nats::set_up(Setting {
            more: more.iter().map(ToString::to_string).collect(),
            variables: variables.iter().map(owned).collect(),
            ..Setting::default()
        })
    }

    /// Starts a server behind these words, with this address.
    pub fn after(words: Vec<String>, address: &str, more: &[&str]) -> Nats {
        Nats::set_up(Setting {
            words,
            address: Some(address.to_owned()),
            more: more.iter().map(ToString::to_string).collect(),
            variables: Vec::new(),
        })
    }

    fn set_up(setting: Setting) -> Nats {
        let directory = tempfile::tempdir().expect("a temporary directory");
        // It takes a free port by itself: a port found here could be taken by another process before its start.
        let keeper = launch(-1, directory.path(), &setting);
        let port = port_in(directory.path());
        Nats {
            url: format!("nats://{}:{port}", setting.address()),
            port,
            keeper,
            directory,
            setting,
        }
    }

    /// Returns HOST:PORT.
    pub fn place(&self) -> String {
        format!("{}:{}", self.setting.address(), self.port)
    }

    /// Returns the id of the server's process.
    pub fn process(&self) -> u32 {
        process_in(self.directory.path()).expect("it runs")
    }

    /// Kills the server, as a loss of power would.
    pub fn kill(&mut self) {
        drop(self.keeper.stdin.take());
        self.keeper.wait().expect("it can be waited for");
    }

    /// Starts the server again at the same address.
    pub fn revive(&mut self) {
        self.keeper = launch(self.port.into(), self.directory.path(), &self.setting);
    }
}

impl Drop for Nats {
    fn drop(&mut self) {
        drop(self.keeper.stdin.take());
        let _ = self.keeper.wait();
    }
}

impl Setting {
    fn address(&self) -> &str {
        self.address.as_deref().unwrap_or("127.0.0.1")
    }
}

/// Finds the process that wrote its ports file, which it names after itself, in this directory.
fn process_in(directory: &Path) -> Option<u32> {
    let files = std::fs::read_dir(directory).ok()?;
    let mut names = files.filter_map(|file| file.ok()?.file_name().into_string().ok());
    names.find_map(|name| {
        let number = name.strip_suffix(".ports")?.rsplit('_').next()?;
        number.parse().ok()
    })
}

/// Waits until the server in this directory listens; returns its port.
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

fn launch(port: i32, directory: &Path, setting: &Setting) -> Child {
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
            "\"$0\" \"$@\" >/dev/null 2>&1 & server=$!; cat >/dev/null; kill -9 $server; wait $server",
        )
        .args(&setting.words)
        .arg(program)
        .args(["-a", setting.address(), "-p", &port.to_string(), "--ports_file_dir"])
        .arg(directory)
        .args(&setting.more)
        .envs(setting.variables.iter().cloned())
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        // A separate group, so that a signal to the tests does not reach it.
        .process_group(0)
        .spawn()
        .expect("/bin/sh runs")
}
