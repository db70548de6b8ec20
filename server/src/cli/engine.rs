//! `mawe engine`: the engine for other programs, over standard input and output, one line a command.
//!
//! The Universal Game Interface (UGI), which is UCI without chess: `ugi`, `isready`, `uginewgame`, `setoption name N value V`, `position
//! startpos|fen P [moves M…]`, `go …`, `stop`, `query …`, `quit`. A wrong command is answered with a line that begins with `error`, and
//! changes nothing.

use std::io::{BufRead, Read, Write, stdin, stdout};
use std::mem;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use clap::Args;
use mawe_ai::search::MAX_DEPTH;
use mawe_ai::{Clock, Engine, EngineOptions, Limits, Thought};
use mawe_rules::{AnyPosition, AnySetup, GameKind, Record, Side};
use parking_lot::{Condvar, Mutex};

use crate::bots::endgames;
use crate::cli::analyse::nodes_per_second;
use crate::cli::output::{Failure, output_failed};
use crate::config::DataOptions;

/// The longest line that is read: a hundred times the longest game.
const MAX_LINE_BYTES: u64 = 1 << 20;
/// The largest table, in megabytes.
const MAX_MEGABYTES: u64 = 65_536;
/// The greatest number of threads.
const MAX_THREADS: u64 = 256;
/// The longest time that is accepted: a hundred days.
const MAX_TIME_MS: u64 = 8_640_000_000;

/// The time limit for the move of a stopped search. It needs a fraction of a millisecond if it has a core; on a busy machine it may wait
/// for one, and then the session reports the best move so far.
const LAST_MOVE_WITHIN: Duration = Duration::from_millis(3);

/// `mawe engine`.
#[derive(Debug, Args)]
pub(super) struct EngineCommand {
    /// The game kind: mawe, reversi, checkers, …
    #[arg(value_name = "GAME")]
    game: String,
    #[command(flatten)]
    data: DataOptions,
}

/// The state between two commands.
struct Session {
    kind: GameKind,
    setup: AnySetup,
    game: Record,
    options: EngineOptions,
    /// `None` while a search uses it, and before the first search.
    engine: Option<Engine>,
    search: Option<Search>,
    /// A search whose move the session has reported: it ends as soon as it has a core.
    ending: Option<Search>,
}

struct Search {
    stop: Arc<AtomicBool>,
    told: Arc<SearchOutput>,
    /// Whether it ends by itself.
    is_bounded: bool,
    thread: JoinHandle<Engine>,
}

/// The output of a search, written by the search or by the session that stopped it: the move is reported once, and nothing after it.
#[derive(Default)]
struct SearchOutput {
    state: Mutex<OutputState>,
    changed: Condvar,
}

#[derive(Default)]
struct OutputState {
    /// The `bestmove` line of the last iteration.
    best: Option<String>,
    is_over: bool,
}

impl SearchOutput {
    /// Reports a finished iteration.
    fn report(&self, thought: &Thought, time: Duration, say: impl FnOnce(&str)) {
        let mut state = self.state.lock();
        if !state.is_over {
            state.best = Some(best_move(thought));
            say(&info(thought, time));
        }
    }

    /// Reports the end of the search with this text. The state changes before the output, so that a program that has read the text gets no
    /// error that the search goes on.
    fn finish(&self, text: &str, say: impl FnOnce(&str)) {
        let mut state = self.state.lock();
        if !mem::replace(&mut state.is_over, true) {
            say(text);
        }
        drop(state);
        self.changed.notify_all();
    }

    /// Waits for the move of a stopped search, and then reports the best move so far in its place. Returns false if there is none: the
    /// search is in its first iteration, which is short.
    fn hurry(&self, patience: Duration, say: impl FnOnce(&str)) -> bool {
        let mut state = self.state.lock();
        self.changed
            .wait_while_for(&mut state, |state| !state.is_over, patience);
        if state.is_over {
            return true;
        }
        let Some(best) = state.best.take() else {
            return false;
        };
        state.is_over = true;
        say(&best);
        true
    }

    fn is_over(&self) -> bool {
        self.state.lock().is_over
    }
}

/// Whether the session continues.
#[derive(PartialEq, Eq)]
enum Next {
    GoOn,
    Quit,
}

/// The reason why a command was refused, as a line for the other program.
struct BadCommand(String);

impl<T: Into<String>> From<T> for BadCommand {
    fn from(text: T) -> Self {
        Self(text.into())
    }
}

pub(super) fn engine(command: &EngineCommand) -> Result<(), Failure> {
    let kind = super::rules::kind(&command.game)?;
    let setup = AnySetup::standard(kind);
    let game = Record::new(kind, &setup).map_err(|error| Failure::Failed(error.to_string()))?;
    endgames::install(&command.data.data_dir, |line| eprintln!("mawe: {line}"));
    let mut session = Session {
        kind,
        setup,
        game,
        options: EngineOptions {
            contempt: true,
            ..EngineOptions::default()
        },
        engine: None,
        search: None,
        ending: None,
    };
    let mut input = stdin().lock();
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = (&mut input)
            .take(MAX_LINE_BYTES)
            .read_until(b'\n', &mut line)
            .map_err(|error| Failure::Failed(format!("standard input cannot be read: {error}")))?;
        if read == 0 {
            session.finish();
            return Ok(());
        }
        let obeyed = match std::str::from_utf8(&line) {
            _ if read as u64 == MAX_LINE_BYTES && !line.ends_with(b"\n") => {
                skip_line(&mut input)?;
                Err(format!("a line is longer than {MAX_LINE_BYTES} bytes").into())
            }
            Ok(text) => session.obey(text),
            Err(_) => Err("a line is no text".into()),
        };
        match obeyed {
            Ok(Next::GoOn) => (),
            Ok(Next::Quit) => {
                session.halt();
                return Ok(());
            }
            Err(BadCommand(why)) => {
                if let Err(error) = say(&format!("error {why}\n")) {
                    session.halt();
                    return output_failed(error);
                }
            }
        }
    }
}

/// Skips to the end of a line that is too long.
fn skip_line(input: &mut impl BufRead) -> Result<(), Failure> {
    let skipped = input.skip_until(b'\n');
    skipped
        .map(|_| ())
        .map_err(|error| Failure::Failed(format!("standard input cannot be read: {error}")))
}

/// Writes whole lines at once, as the search and the session write alternately.
fn say(text: &str) -> std::io::Result<()> {
    let mut output = stdout().lock();
    output.write_all(text.as_bytes())?;
    output.flush()
}

/// Writes like [`say`] and ignores errors; a closed output is noticed when standard input ends.
fn tell(text: &str) {
    let _ = say(text);
}

impl Session {
    fn obey(&mut self, line: &str) -> Result<Next, BadCommand> {
        let mut words = line.split_ascii_whitespace();
        let Some(command) = words.next() else {
            return Ok(Next::GoOn);
        };
        match command {
            "ugi" | "uci" => self.introduce(command),
            "isready" => tell("readyok\n"),
            "uginewgame" | "ucinewgame" => {
                self.idle()?;
                if let Some(engine) = &self.engine {
                    engine.forget();
                }
                self.start_over()?;
            }
            "setoption" => self.set_option(words)?,
            "position" => self.set_position(words)?,
            "go" => self.go(words)?,
            "stop" => {
                self.reap();
                if self.search.is_none() {
                    return Err("stop: nothing is being searched".into());
                }
                self.halt();
            }
            "query" => self.query(words)?,
            "quit" => return Ok(Next::Quit),
            _ => {
                let shown: String = command.chars().take(40).collect();
                return Err(format!("{shown:?}: there is no such command").into());
            }
        }
        Ok(Next::GoOn)
    }

    fn introduce(&self, protocol: &str) {
        tell(&format!(
            "id name Mawe! {} ({})\nid author Mawe!\n\
             option name Hash type spin default {} min 1 max {MAX_MEGABYTES}\n\
             option name Threads type spin default 1 min 1 max {MAX_THREADS}\n\
             option name Contempt type check default true\n\
             option name Setup type string default <empty>\n{protocol}ok\n",
            env!("CARGO_PKG_VERSION"),
            self.kind,
            EngineOptions::default().megabytes,
        ));
    }

    /// Refuses a command while a search runs; only `stop`, `query`, `isready` and `quit` may come then.
    fn idle(&mut self) -> Result<(), BadCommand> {
        self.reap();
        match self.search {
            None => {
                let ending = self.ending.take();
                self.take_back(ending);
                Ok(())
            }
            Some(_) => Err("a search goes on: stop it first".into()),
        }
    }

    /// Takes the engine back from a search that has ended by itself.
    fn reap(&mut self) {
        let search = self
            .search
            .take_if(|search| search.told.is_over() || search.thread.is_finished());
        self.take_back(search);
    }

    /// Stops a search; its move is reported before this returns.
    fn halt(&mut self) {
        let Some(search) = self.search.take() else {
            return;
        };
        search.stop.store(true, Ordering::Relaxed);
        if search.told.hurry(LAST_MOVE_WITHIN, tell) {
            self.ending = Some(search);
        } else {
            self.take_back(Some(search));
        }
    }

    /// Handles the end of the input: waits for a search that ends by itself, and stops any other.
    fn finish(&mut self) {
        match self.search.take_if(|search| search.is_bounded) {
            None => self.halt(),
            search => self.take_back(search),
        }
    }

    /// Joins the thread of a search. The engine of a search that panicked is lost; the next search creates another.
    fn take_back(&mut self, search: Option<Search>) {
        if let Some(search) = search {
            self.engine = search.thread.join().ok();
        }
    }

    fn start_over(&mut self) -> Result<(), BadCommand> {
        self.game = Record::new(self.kind, &self.setup).map_err(|error| error.to_string())?;
        Ok(())
    }

    /// Handles `name N value V`.
    fn set_option<'a>(&mut self, words: impl Iterator<Item = &'a str>) -> Result<(), BadCommand> {
        self.idle()?;
        let words: Vec<&str> = words.collect();
        let ["name", name, rest @ ..] = words.as_slice() else {
            return Err("setoption name N value V".into());
        };
        let value = match rest {
            ["value", value @ ..] => value.join(" "),
            _ => String::new(),
        };
        match name.to_ascii_lowercase().as_str() {
            // The limits of both fit in a usize.
            "hash" => {
                self.options.megabytes = number("Hash", &value, 1, MAX_MEGABYTES)? as usize;
                self.engine = None;
            }
            "threads" => {
                self.options.threads = number("Threads", &value, 1, MAX_THREADS)? as usize;
                self.engine = None;
            }
            "contempt" => {
                self.options.contempt = match value.as_str() {
                    "true" => true,
                    "false" => false,
                    _ => return Err(format!("Contempt {value:?}: true or false").into()),
                };
                self.engine = None;
            }
            "setup" => {
                let text = if value == "<empty>" { "" } else { &value };
                let setup = AnySetup::parse(self.kind, text)
                    .map_err(|error| format!("setup {value:?}: {error}"))?;
                self.setup = setup;
                self.start_over()?;
            }
            _ => return Err(format!("{name:?}: there is no such option").into()),
        }
        Ok(())
    }

    /// Handles `startpos|fen P [moves M…]`; `fen` may be omitted.
    fn set_position<'a>(&mut self, words: impl Iterator<Item = &'a str>) -> Result<(), BadCommand> {
        self.idle()?;
        let words: Vec<&str> = words.collect();
        let (place, moves) = match words.iter().position(|word| *word == "moves") {
            Some(at) => (&words[..at], &words[at + 1..]),
            None => (words.as_slice(), [].as_slice()),
        };
        let mut game = match place {
            [] => return Err("position startpos|fen P [moves M…]".into()),
            ["startpos"] => {
                Record::new(self.kind, &self.setup).map_err(|error| error.to_string())?
            }
            ["fen", text @ ..] | text => {
                let text = text.join(" ");
                let position = AnyPosition::parse(self.kind, &text)
                    .map_err(|error| format!("position {text:?}: {error}"))?;
                Record::from_position(position)
            }
        };
        for (number, text) in (1..).zip(moves) {
            game.play(text)
                .map_err(|error| format!("move {number}, {text:?}: {error}"))?;
        }
        self.game = game;
        Ok(())
    }

    fn go<'a>(&mut self, words: impl Iterator<Item = &'a str>) -> Result<(), BadCommand> {
        self.idle()?;
        let mut limits = limits(words, self.game.turn())?;
        if self.game.outcome().is_some() {
            return Err("the game is over".into());
        }
        let stop = Arc::new(AtomicBool::new(false));
        limits.stop = Some(Arc::clone(&stop));
        let is_bounded = limits.depth.is_some()
            || limits.nodes.is_some()
            || limits.movetime.is_some()
            || limits.clock.is_some();
        let engine = match self.engine.take() {
            Some(engine) => engine,
            None => Engine::new(self.options).map_err(|error| error.to_string())?,
        };
        let game = self.game.clone();
        let told: Arc<SearchOutput> = Arc::default();
        let telling = Arc::clone(&told);
        let search = move || {
            let began = Instant::now();
            let mut report = |thought: &Thought| telling.report(thought, began.elapsed(), tell);
            let last = match engine.think(&game, &limits, &mut report) {
                Ok(thought) => info(&thought, began.elapsed()) + &best_move(&thought),
                Err(error) => format!("error {error}\n"),
            };
            telling.finish(&last, tell);
            engine
        };
        let thread = thread::Builder::new()
            .name("search".to_owned())
            .spawn(search)
            .map_err(|error| format!("no thread for the search: {error}"))?;
        self.search = Some(Search {
            stop,
            told,
            is_bounded,
            thread,
        });
        Ok(())
    }

    fn query<'a>(&mut self, mut words: impl Iterator<Item = &'a str>) -> Result<(), BadCommand> {
        let outcome = self.game.outcome();
        let answer = match words.next() {
            Some("p1turn") => (self.game.turn() == Side::First).to_string(),
            Some("gameover") => outcome.is_some().to_string(),
            Some("result") => match outcome.map(|outcome| outcome.winner) {
                None => "none".to_owned(),
                Some(None) => "draw".to_owned(),
                Some(Some(Side::First)) => "p1win".to_owned(),
                Some(Some(Side::Second)) => "p2win".to_owned(),
            },
            _ => return Err("query p1turn|gameover|result".into()),
        };
        tell(&format!("response {answer}\n"));
        Ok(())
    }
}

fn number(name: &str, text: &str, least: u64, most: u64) -> Result<u64, BadCommand> {
    match text.parse() {
        Ok(number) if (least..=most).contains(&number) => Ok(number),
        _ => Err(format!("{name} {text:?}: a number from {least} to {most}").into()),
    }
}

/// Parses the limits of a `go` for this side.
fn limits<'a>(mut words: impl Iterator<Item = &'a str>, side: Side) -> Result<Limits, BadCommand> {
    let mut limits = Limits::default();
    let (mut left, mut increment, mut moves_to_go) = (None, None, None);
    let mine = |word: &str| match side {
        Side::First => word.starts_with("p1") || word.starts_with('w'),
        Side::Second => word.starts_with("p2") || word.starts_with('b'),
    };
    while let Some(word) = words.next() {
        let mut value = |least: u64, most: u64| {
            let text = words.next().unwrap_or_default();
            number(word, text, least, most)
        };
        match word {
            "infinite" => (),
            // Fits in a u32 because of the limit.
            "depth" => limits.depth = Some(value(1, u64::from(MAX_DEPTH))? as u32),
            "nodes" => limits.nodes = Some(value(1, u64::MAX)?),
            "movetime" => {
                limits.movetime = Some(Duration::from_millis(value(1, MAX_TIME_MS)?));
            }
            "movestogo" => moves_to_go = Some(value(1, u64::from(u32::MAX))? as u32),
            "p1time" | "p2time" | "wtime" | "btime" => {
                let time = Duration::from_millis(value(1, MAX_TIME_MS)?);
                left = mem::take(&mut left).or(mine(word).then_some(time));
            }
            "p1inc" | "p2inc" | "winc" | "binc" => {
                let time = Duration::from_millis(value(0, MAX_TIME_MS)?);
                increment = mem::take(&mut increment).or(mine(word).then_some(time));
            }
            _ => return Err(format!("go {word:?}: there is no such limit").into()),
        }
    }
    limits.clock = left.map(|left| Clock {
        left,
        increment: increment.unwrap_or_default(),
        moves_to_go,
    });
    Ok(limits)
}

fn best_move(thought: &Thought) -> String {
    format!("bestmove {}\n", thought.best)
}

fn info(thought: &Thought, time: Duration) -> String {
    let score = match thought.wins_in() {
        Some(plies) => format!("win {plies}"),
        None => format!("cp {}", thought.score),
    };
    let proven = if thought.proven { " proven" } else { "" };
    let pv: Vec<String> = thought.pv.iter().map(ToString::to_string).collect();
    format!(
        "info depth {} score {score}{proven} nodes {} nps {} time {} hashfull {} pv {}\n",
        thought.depth,
        thought.nodes,
        nodes_per_second(thought.nodes, time),
        time.as_millis(),
        thought.table_permille,
        pv.join(" ")
    )
}

#[cfg(test)]
mod tests {
    use mawe_ai::think;

    use super::*;

    fn thought(depth: u32) -> Thought {
        let kind = GameKind::ALL[0];
        let game = Record::new(kind, &AnySetup::standard(kind)).expect("every game starts");
        think(game.position(), &Limits::depth(depth)).expect("there is a move")
    }

    #[test]
    fn a_stop_is_obeyed_though_the_search_gets_no_turn() {
        let told = SearchOutput::default();
        let lines = Mutex::new(Vec::new());
        let say = |text: &str| lines.lock().push(text.to_owned());
        let known = thought(1);
        told.report(&known, Duration::ZERO, say);
        // The search has no core; the reader does not wait for it.
        assert!(told.hurry(Duration::ZERO, say));
        assert!(told.is_over());
        // When it has a core again, its output is dropped.
        let later = thought(2);
        told.report(&later, Duration::ZERO, say);
        told.finish(&best_move(&later), say);
        let lines = lines.into_inner();
        let expected = [info(&known, Duration::ZERO), best_move(&known)];
        assert_eq!(lines, expected);
    }

    #[test]
    fn a_search_tells_its_own_move_if_it_has_one() {
        let told = SearchOutput::default();
        let lines = Mutex::new(Vec::new());
        let say = |text: &str| lines.lock().push(text.to_owned());
        assert!(
            !told.hurry(Duration::ZERO, say),
            "there is nothing to tell yet"
        );
        told.finish("bestmove a1b2\n", say);
        assert!(told.hurry(Duration::ZERO, say));
        assert_eq!(lines.into_inner(), ["bestmove a1b2\n"]);
    }
}
