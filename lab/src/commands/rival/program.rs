//! The other program as a process.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Instant;

use mawe_rules::{AnyMove, Record, Side};

use super::formats::{dashes, ggf, houses};
use super::options::Options;
use super::protocol::Protocol;
use super::times::Times;
use crate::commands::failure::Failure;

/// The most lines without an answer, after which the match ends with an error.
const MAX_LINES: usize = 100_000;

/// The other program.
pub(super) struct Rival {
    protocol: Protocol,
    movetime: u64,
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    pub(super) times: Times,
    pings: u32,
}

impl Rival {
    pub(super) fn start(options: &Options) -> Result<Self, Failure> {
        let mut words = options.command.split_whitespace();
        let mut child = Command::new(words.next().ok_or("the command is empty")?)
            .args(words)
            .current_dir(&options.directory)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let input = child.stdin.take().ok_or("no standard input")?;
        let output = child.stdout.take().ok_or("no standard output")?;
        let mut rival = Self {
            protocol: options.protocol,
            movetime: options.movetime,
            child,
            input,
            output: BufReader::new(output),
            times: Times::default(),
            pings: 0,
        };
        if rival.protocol == Protocol::Nboard {
            rival.send("nboard 2")?;
        }
        for line in &options.init {
            rival.send(line)?;
        }
        rival.wait_until_ready()?;
        Ok(rival)
    }

    fn send(&mut self, line: &str) -> Result<(), Failure> {
        writeln!(self.input, "{line}")?;
        self.input.flush()?;
        Ok(())
    }

    /// The rest of the next line that begins with one of these words.
    fn hear(&mut self, words: &[&str]) -> Result<String, Failure> {
        for _ in 0..MAX_LINES {
            let mut line = String::new();
            if self.output.read_line(&mut line)? == 0 {
                return Err("the rival has ended".into());
            }
            let heard = words.iter().find_map(|word| line.strip_prefix(word));
            if let Some(rest) = heard {
                return Ok(rest.trim().to_owned());
            }
        }
        Err(format!("the rival never says {words:?}").into())
    }

    /// Waits until the rival has finished earlier work, so that this work does not count as thinking time.
    fn wait_until_ready(&mut self) -> Result<(), Failure> {
        match self.protocol {
            Protocol::Nboard => {
                self.pings += 1;
                let ping = self.pings;
                self.send(&format!("ping {ping}"))?;
                self.hear(&[&format!("pong {ping}")])?;
            }
            Protocol::Ugi | Protocol::Fen | Protocol::Aalina => {
                self.send("isready")?;
                self.hear(&["readyok"])?;
            }
        }
        Ok(())
    }

    pub(super) fn new_game(&mut self) -> Result<(), Failure> {
        match self.protocol {
            Protocol::Nboard => {}
            Protocol::Ugi | Protocol::Fen => self.send("uginewgame")?,
            Protocol::Aalina => self.send("ucinewgame")?,
        }
        self.wait_until_ready()
    }

    /// The rival's ply.
    pub(super) fn choose(&mut self, game: &Record) -> Result<String, Failure> {
        match self.protocol {
            Protocol::Nboard => {
                self.send(&format!("set game {}", ggf(game)))?;
                self.wait_until_ready()?;
                let answer = self.ask("go", "===")?;
                let m = answer.split(['/', ' ']).next().unwrap_or_default();
                Ok(m.to_lowercase())
            }
            Protocol::Ugi => {
                let moves: Vec<String> = game.moves().iter().map(ToString::to_string).collect();
                self.send(&format!("position startpos moves {}", moves.join(" ")))?;
                self.wait_until_ready()?;
                self.ask(&format!("go movetime {}", self.movetime), "bestmove")
            }
            Protocol::Fen => {
                self.send(&format!("position fen {}", game.position()))?;
                self.wait_until_ready()?;
                let go = format!("go movetime {}", self.movetime);
                let answer = self.ask(&go, "bestmove")?;
                // Several captures may lead to the same position; any of them will do.
                let leads = |m: &AnyMove| {
                    let mut after = game.position().clone();
                    after.play(&m.to_string()).is_ok() && after.to_string() == answer
                };
                let m = game.position().legal_moves().into_iter().find(leads);
                Ok(m.map_or(answer, |m| m.to_string()))
            }
            Protocol::Aalina => {
                self.send(&format!("position startpos moves {}", houses(game)?))?;
                self.wait_until_ready()?;
                let go = format!("go movetime {}", self.movetime);
                let mut answer = self.ask(&go, "bestmove")?;
                if answer.starts_with("0000") {
                    // The program took the game for finished (a second occurrence), so it gets the position without the
                    // history.
                    self.send(&format!("position fen {}", dashes(game)))?;
                    self.wait_until_ready()?;
                    answer = self.ask(&go, "bestmove")?;
                }
                let letter = answer.bytes().next().unwrap_or_default();
                let first = match game.turn() {
                    Side::First => b'A',
                    Side::Second => b'a',
                };
                Ok((i32::from(letter) - i32::from(first) + 1).to_string())
            }
        }
    }

    fn ask(&mut self, question: &str, answer: &str) -> Result<String, Failure> {
        let began = Instant::now();
        self.send(question)?;
        let answer = self.hear(&[answer])?;
        self.times.add(began.elapsed());
        Ok(answer)
    }
}

impl Drop for Rival {
    fn drop(&mut self) {
        // The process may have exited already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
