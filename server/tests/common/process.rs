//! The program as a process, as an operator runs it.

use std::ffi::OsStr;
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Output, Stdio};

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdout, Command};
use tokio::time::timeout;

use super::PATIENCE;

/// Returns a command of `mawe` without any configuration from this environment.
pub fn mawe<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Command {
    mawe_after(&[], arguments)
}

/// Returns a command of `mawe` behind other words, which start it on another host.
pub fn mawe_after<S: AsRef<OsStr>>(
    words: &[String],
    arguments: impl IntoIterator<Item = S>,
) -> Command {
    let program = env!("CARGO_BIN_EXE_mawe").to_owned();
    let mut all = words.iter().chain([&program]);
    let mut command = Command::new(all.next().expect("there is one at least"));
    command
        .args(all)
        .args(arguments)
        .stdin(Stdio::null())
        .kill_on_drop(true);
    let ours = std::env::vars_os().map(|(name, _)| name);
    for name in ours.filter(|name| {
        let name = name.to_string_lossy();
        name.starts_with("MAWE_")
            || name.starts_with("OTEL_")
            || name.starts_with("PG")
            || name == "RUST_LOG"
    }) {
        command.env_remove(name);
    }
    // A server would take the processor from others with databases that no test needs; one test says so itself.
    command.env("MAWE_SOLVE_ENDGAMES", "false");
    command
}

/// The output and the exit code of a command.
#[derive(Debug)]
pub struct Ended {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

/// Runs a command to its end.
pub async fn run(mut command: Command) -> Ended {
    let output = timeout(PATIENCE, command.output()).await;
    Ended::of(
        output
            .expect("the command ends by itself")
            .expect("the binary is there"),
    )
}

impl Ended {
    fn of(output: Output) -> Ended {
        Ended {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).expect("results are text"),
            stderr: String::from_utf8(output.stderr).expect("complaints are text"),
        }
    }

    /// Checks that it succeeded, without error output; returns the result.
    #[track_caller]
    pub fn result(self) -> String {
        assert_eq!((self.code, self.stderr.as_str()), (Some(0), ""), "{self:?}");
        self.stdout
    }

    /// Checks that it failed with this code, no result, and one error line; returns the line.
    #[track_caller]
    pub fn complaint(self, code: i32) -> String {
        assert_eq!(self.code, Some(code), "{self:?}");
        assert_eq!(self.stdout, "", "{self:?}");
        assert_eq!(self.stderr.lines().count(), 1, "{self:?}");
        assert!(
            self.stderr.starts_with("mawe: ") && self.stderr.ends_with('\n'),
            "{self:?}"
        );
        self.stderr
    }
}

/// Runs a command to its end, with this text as standard input.
pub async fn run_with(mut command: Command, input: &str) -> Ended {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary is there");
    let mut stdin = child.stdin.take().expect("it is piped");
    // A command that reads no input may have ended before.
    let _ = stdin.write_all(input.as_bytes()).await;
    drop(stdin);
    let output = timeout(PATIENCE, child.wait_with_output()).await;
    Ended::of(
        output
            .expect("the command ends by itself")
            .expect("it can be waited for"),
    )
}

/// Sends a server's log to a file in the directory MAWE_TEST_LOGS; without that variable the log is dropped.
fn log_of(command: &mut Command) {
    let Some(directory) = std::env::var_os("MAWE_TEST_LOGS") else {
        command.stderr(Stdio::null());
        return;
    };
    let file = tempfile::Builder::new()
        .prefix("server-")
        .suffix(".log")
        .disable_cleanup(true)
        .tempfile_in(directory);
    let file = file.expect("MAWE_TEST_LOGS is a directory").into_file();
    command
        .stderr(file)
        .env("RUST_LOG", "mawe_server=debug,mawe_store=debug");
}

/// Sends a process a signal.
pub async fn send_signal(id: u32, signal: &str) {
    let sent = Command::new("sh")
        .args(["-c", &format!("kill -{signal} {id}")])
        .status()
        .await;
    assert!(sent.expect("a shell").success());
}

/// A server in a separate process.
pub struct Process {
    pub address: SocketAddr,
    child: Child,
    // Kept open, so that the server's next line there does not fail.
    _stdout: BufReader<ChildStdout>,
}

impl Process {
    /// Starts a server with the data in `directory`, and waits until it prints its address.
    pub async fn start(directory: &Path) -> Process {
        let mut command = mawe(["--listen", "127.0.0.1:0", "--bots", "1"]);
        command
            .args(["--sign-ups-per-minute", "10000"])
            .args(["--requests-per-minute", "1000000"])
            .args(["--sockets-per-address", "100000", "--data-dir"])
            .arg(directory);
        Process::of(command).await
    }

    pub async fn of(mut command: Command) -> Process {
        log_of(&mut command);
        let mut child = command
            .stdout(Stdio::piped())
            .spawn()
            .expect("the binary is there");
        let mut stdout = BufReader::new(child.stdout.take().expect("it is piped"));
        let mut line = String::new();
        timeout(PATIENCE, stdout.read_line(&mut line))
            .await
            .expect("it starts")
            .expect("it speaks");
        let address = line
            .trim_end()
            .strip_prefix("Mawe! is at http://")
            .and_then(|address| address.parse().ok())
            .unwrap_or_else(|| panic!("it does not say where it is: {line:?}"));
        Process {
            address,
            child,
            _stdout: stdout,
        }
    }

    /// Returns the id of the process.
    pub fn id(&self) -> u32 {
        self.child.id().expect("it runs")
    }

    /// Kills the process at once, as a power cut would.
    pub async fn kill(mut self) {
        self.child.kill().await.expect("it can be killed");
    }

    /// Sends the process a signal.
    pub async fn signal(&self, signal: &str) {
        send_signal(self.id(), signal).await;
    }

    /// Sends the process a signal; returns its exit code.
    pub async fn stop(mut self, signal: &str) -> Option<i32> {
        self.signal(signal).await;
        let status = timeout(PATIENCE, self.child.wait()).await;
        status
            .expect("it stops")
            .expect("it can be waited for")
            .code()
    }
}
