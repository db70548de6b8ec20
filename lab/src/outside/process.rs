//! The process of an engine, and the threads that carry its lines.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, TrySendError};
use std::sync::{Arc, Condvar, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use super::command::EngineCommand;
use super::fault::{Fault, quoted};

/// The longest line of an engine, in bytes: many times the longest line of moves.
const MAX_LINE_BYTES: usize = 1 << 16;
/// The lines that wait for their reader; an engine that writes more waits in turn.
const LINES_WAITING: usize = 64;
/// The lines that wait for the engine to read them. A pipe holds several more.
const LINES_UNREAD: usize = 64;
/// The number of lines of standard error that are kept.
const LAST_WORDS: usize = 5;
/// The bytes of each of them.
const LAST_WORD_BYTES: u64 = 400;
/// The time for a process to end after it has closed its output, and for the rest of its standard error.
const END_WITHIN: Duration = Duration::from_secs(1);
/// The interval at which the end of a process is looked for.
const POLL: Duration = Duration::from_millis(5);

/// A running engine. It is killed when this is dropped.
pub(super) struct Process {
    child: Child,
    input: SyncSender<String>,
    output: Receiver<Output>,
    errors: Arc<StandardError>,
}

/// A piece of standard output.
enum Output {
    Line(String),
    LongLine,
}

/// The reason why there is no line.
pub(super) enum NoLine {
    /// None has come yet.
    Waiting,
    /// A line is longer than [`MAX_LINE_BYTES`].
    TooLong,
    /// The engine has closed its output.
    Ended,
}

impl Process {
    /// Starts a process.
    ///
    /// # Errors
    ///
    /// [`Fault::Start`].
    pub(super) fn start(command: &EngineCommand) -> Result<Self, Fault> {
        let begin = || -> io::Result<Self> {
            let (program, arguments) = command
                .words
                .split_first()
                .ok_or_else(|| io::Error::other("no program is named"))?;
            let mut process = Command::new(program);
            process
                .args(arguments)
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped());
            if let Some(directory) = &command.directory {
                process.current_dir(directory);
            }
            // In a group of its own an engine does not get the interrupt of the terminal, which is the caller's to handle; and the group is
            // killed as a whole, also behind a script.
            #[cfg(unix)]
            std::os::unix::process::CommandExt::process_group(&mut process, 0);
            let mut child = process.spawn()?;
            let (Some(stdin), Some(stdout), Some(stderr)) =
                (child.stdin.take(), child.stdout.take(), child.stderr.take())
            else {
                unreachable!("all three are pipes");
            };
            let (input, lines) = mpsc::sync_channel(LINES_UNREAD);
            let (sender, output) = mpsc::sync_channel(LINES_WAITING);
            let errors = Arc::new(StandardError::default());
            let process = Self {
                child,
                input,
                output,
                errors: Arc::clone(&errors),
            };
            // The threads end with their pipe. They are not joined, because a program that the engine left behind may hold it open.
            let spawn = |name: &str, work: Box<dyn FnOnce() + Send>| {
                thread::Builder::new().name(name.to_owned()).spawn(work)
            };
            spawn("engine-input", Box::new(move || write_lines(stdin, &lines)))?;
            spawn(
                "engine-output",
                Box::new(move || read_lines(BufReader::new(stdout), &sender)),
            )?;
            spawn(
                "engine-errors",
                Box::new(move || errors.read(BufReader::new(stderr))),
            )?;
            Ok(process)
        };
        begin().map_err(|error| Fault::Start(error.to_string()))
    }

    /// Sends a line.
    ///
    /// # Errors
    ///
    /// [`Fault::Unread`]. The end of the process is noticed by reading.
    pub(super) fn send(&self, line: String) -> Result<(), Fault> {
        match self.input.try_send(line) {
            Ok(()) | Err(TrySendError::Disconnected(_)) => Ok(()),
            Err(TrySendError::Full(_)) => Err(Fault::Unread),
        }
    }

    /// The next line of output, which is waited for as long as `patience`.
    pub(super) fn line(&self, patience: Duration) -> Result<String, NoLine> {
        let output = match self.output.try_recv() {
            Ok(output) => Ok(output),
            Err(TryRecvError::Disconnected) => Err(NoLine::Ended),
            Err(TryRecvError::Empty) => match self.output.recv_timeout(patience) {
                Ok(output) => Ok(output),
                Err(RecvTimeoutError::Timeout) => Err(NoLine::Waiting),
                Err(RecvTimeoutError::Disconnected) => Err(NoLine::Ended),
            },
        };
        match output? {
            Output::Line(line) => Ok(line),
            Output::LongLine => Err(NoLine::TooLong),
        }
    }

    /// [`Fault::LongLine`].
    pub(super) fn long_line() -> Fault {
        Fault::LongLine(MAX_LINE_BYTES)
    }

    /// Waits for the end of the process; returns its exit status as text.
    pub(super) fn status(&mut self) -> String {
        match self.wait(END_WITHIN) {
            true => match self.child.wait() {
                Ok(status) => status.to_string(),
                Err(error) => error.to_string(),
            },
            false => "it closed its output".to_owned(),
        }
    }

    /// Waits until the process has ended, but not longer than `patience`; returns whether it has.
    pub(super) fn wait(&mut self, patience: Duration) -> bool {
        let until = Instant::now() + patience;
        loop {
            match self.child.try_wait() {
                Ok(Some(_)) | Err(_) => return true,
                Ok(None) if Instant::now() >= until => return false,
                Ok(None) => thread::sleep(POLL),
            }
        }
    }

    /// Kills the process, if it runs.
    pub(super) fn kill(&mut self) {
        // The number of a process that was waited for may be another's.
        if !matches!(self.child.try_wait(), Ok(None)) {
            return;
        }
        #[cfg(unix)]
        if let Some(group) = i32::try_from(self.child.id())
            .ok()
            .and_then(rustix::process::Pid::from_raw)
        {
            // The group may be gone already.
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// The last lines of standard error, after the end of the process.
    pub(super) fn last_words(&self) -> Vec<String> {
        self.errors.last(END_WITHIN)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

fn write_lines(mut stdin: ChildStdin, lines: &Receiver<String>) {
    for mut line in lines {
        line.push('\n');
        if stdin
            .write_all(line.as_bytes())
            .and_then(|()| stdin.flush())
            .is_err()
        {
            return;
        }
    }
}

fn read_lines(mut stdout: impl BufRead, lines: &SyncSender<Output>) {
    loop {
        let mut line = Vec::new();
        let mut limited = (&mut stdout).take(MAX_LINE_BYTES as u64);
        match limited.read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(MAX_LINE_BYTES) if !line.ends_with(b"\n") => {
                let _ = lines.send(Output::LongLine);
                return;
            }
            Ok(_) => {
                let line = String::from_utf8_lossy(&line).trim().to_owned();
                if lines.send(Output::Line(line)).is_err() {
                    return;
                }
            }
        }
    }
}

/// The last lines of standard error.
#[derive(Default)]
struct StandardError {
    state: Mutex<ErrorState>,
    ended: Condvar,
}

#[derive(Default)]
struct ErrorState {
    lines: VecDeque<String>,
    is_over: bool,
}

impl StandardError {
    fn read(&self, mut stderr: impl BufRead) {
        loop {
            let mut line = Vec::new();
            let read = (&mut stderr)
                .take(LAST_WORD_BYTES)
                .read_until(b'\n', &mut line);
            let is_over = matches!(read, Ok(0) | Err(_));
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            let text = String::from_utf8_lossy(&line);
            if !text.trim().is_empty() {
                state.lines.push_back(quoted(text.trim()));
            }
            if state.lines.len() > LAST_WORDS {
                state.lines.pop_front();
            }
            state.is_over = is_over;
            drop(state);
            if is_over {
                self.ended.notify_all();
                return;
            }
            // The rest of a long line is left out.
            if !line.ends_with(b"\n") && stderr.skip_until(b'\n').is_err() {
                continue;
            }
        }
    }

    /// The last lines; the end of standard error is waited for as long as `patience`.
    fn last(&self, patience: Duration) -> Vec<String> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self
            .ended
            .wait_timeout_while(state, patience, |state| !state.is_over);
        let (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        state.lines.iter().cloned().collect()
    }
}
