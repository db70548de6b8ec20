//! Plays matches against other programs, which are started as commands and driven with their own line protocols. Every
//! ply is checked by our rules. A rival that breaks them, or exits, ends the match; there is no time limit for its
//! answers.
//!
//!     cargo run --release -p mawe-ai --example rival -- reversi nboard "./ntest x a100" --directory DIR \
//!       --games 100 --player movetime=100 --out reversi.tsv
//!
//! Arguments: the game, the protocol, the command (split at blanks), and `--directory DIR` to start it in, `--player
//! SPEC` of ours (`movetime=100`), `--movetime MS` of the rival, if the protocol can set it (100), `--games N` (100),
//! `--seed N` (1), `--openings NODES,LEAD[,PLIES]` (100000,100,8-12), `--init LINE` to be sent at the beginning (any
//! number of times), `--endgames N`: first makes a database of up to N pieces or seeds for our player, `--look-back N`:
//! in Reversi, prints the solver's results of the positions with N empty squares, `--sprt NULL,CLAIM` in Elo to end the
//! match when a sequential test has decided between the two differences. `--out FILE`: a line for every game, the pair,
//! our side, the result and the moves; games in FILE are not played again.
//!
//! | protocol | spoken by | a move |
//! |---|---|---|
//! | `nboard` | programs of Reversi, version 2 | `set game (…)`, `go`, answered by `=== d3/…` |
//! | `ugi` | `mawe engine` | `position startpos moves …`, `go movetime MS`, answered by `bestmove` |
//! | `fen` | wrappers of engines that know positions only | `position fen P`, `go movetime MS`, answered by `bestmove`, or the position after it |
//! | `aalina` | Aalina (Oware) | as `ugi`, but South's houses are `A` to `F`, North's `a` to `f`, without blanks between |
//!
//! The rival's time is measured from the request to the answer; the mean and the longest times of both players are
//! printed at the end. The rival gets no message when a game is over, and keeps its tables if its protocol has no
//! command for a new game.

use std::error::Error;
use std::fs::{self, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use mawe_ai::arena::{Openings, Pair, Player, Tally, Verdict, opening_of, setup_of};
use mawe_ai::endgame::{CheckersDatabase, Database, KalahDatabase, OwareDatabase};
use mawe_ai::reversi::board::Board;
use mawe_ai::reversi::{Counting, Ending};
use mawe_ai::{Endgames, Knowledge, Limits};
use mawe_rules::{AnyMove, AnyPosition, GameKind, Record, Side};

/// The most lines without an answer, after which the match ends with an error.
const MAX_LINES: usize = 100_000;
/// A game of this many plies is a draw.
const MAX_PLIES: u32 = 600;
/// The size of the table of the solver for `--look-back`, in megabytes.
const TABLE: usize = 64;

struct Options {
    kind: GameKind,
    protocol: Protocol,
    command: String,
    directory: PathBuf,
    init: Vec<String>,
    player: String,
    movetime: u64,
    games: u64,
    seed: u64,
    openings: Openings,
    endgames: Option<u8>,
    look_back: Option<u32>,
    sprt: Option<(f64, f64)>,
    out: Option<PathBuf>,
}

fn options() -> Result<Options, Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut next = |what: &str| arguments.next().ok_or_else(|| format!("{what} is wanted"));
    let mut options = Options {
        kind: next("a game")?.parse()?,
        protocol: Protocol::of(&next("a protocol")?)?,
        command: next("a command")?,
        directory: ".".into(),
        init: Vec::new(),
        player: "movetime=100".to_owned(),
        movetime: 100,
        games: 100,
        seed: 1,
        openings: "100000,100,8-12".parse()?,
        endgames: None,
        look_back: None,
        sprt: None,
        out: None,
    };
    while let Ok(name) = next("") {
        let value = next("a value")?;
        match name.as_str() {
            "--directory" => options.directory = value.into(),
            "--init" => options.init.push(value),
            "--player" => options.player = value,
            "--movetime" => options.movetime = value.parse()?,
            "--games" => options.games = value.parse()?,
            "--seed" => options.seed = value.parse()?,
            "--openings" => options.openings = value.parse()?,
            "--endgames" => options.endgames = Some(value.parse()?),
            "--look-back" => options.look_back = Some(value.parse()?),
            "--sprt" => {
                let (null, claim) = value.split_once(',').ok_or("--sprt wants NULL,CLAIM")?;
                options.sprt = Some((null.parse()?, claim.parse()?));
            }
            "--out" => options.out = Some(value.into()),
            _ => return Err(format!("{name}: there is no such option").into()),
        }
    }
    Ok(options)
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = options()?;
    if let Some(up_to) = options.endgames
        && !Knowledge::install(endgames(options.kind, up_to)?)
    {
        return Err("the endgames come too late".into());
    }
    let player = Player::new(options.player.parse()?, options.kind)?;
    let mut rival = Rival::start(&options)?;
    let mut known = read(&options)?;
    let mut tally = Tally::default();
    let mut ours = Times::default();
    let mut stood = Stood::default();
    for number in 0..options.games.div_ceil(2) {
        let opening = opening_of(
            &setup_of(options.kind),
            options.openings,
            options.seed,
            number,
        );
        let mut pair = Pair::default();
        for side in Side::ALL {
            let key = format!("{number}\t{side:?}");
            let game = match known.iter().position(|(of, _)| *of == key) {
                Some(at) => known.swap_remove(at).1,
                None => {
                    player.forget();
                    rival.new_game()?;
                    let game = play(opening.clone(), side, &player, &mut rival, &mut ours)?;
                    write(&options, &key, side, &game)?;
                    game
                }
            };
            count(&mut pair, side, &game);
            if let Some(empties) = options.look_back {
                stood.count(&game, side, empties)?;
            }
        }
        tally.add(pair);
        eprintln!("{}", line(&tally, options.sprt));
        if let Some((null, claim)) = options.sprt
            && tally.verdict(null, claim) != Verdict::Open
        {
            break;
        }
    }
    println!("{}", line(&tally, options.sprt));
    println!("a ply took us {ours}, the rival {}", rival.times);
    if let Some(empties) = options.look_back {
        println!("{}", stood.table(empties));
    }
    Ok(())
}

fn endgames(kind: GameKind, up_to: u8) -> Result<Endgames, String> {
    let mut endgames = Endgames::default();
    match kind {
        GameKind::Checkers => endgames.checkers = Arc::new(CheckersDatabase::solved(up_to, 1)),
        GameKind::Kalah => endgames.kalah = Arc::new(KalahDatabase::solved(up_to, 1)),
        GameKind::Oware => endgames.oware = Arc::new(OwareDatabase::solved(up_to, 1)),
        GameKind::Mawe | GameKind::Reversi | GameKind::Congkak => {
            return Err(format!("{kind} has no database"));
        }
    }
    Ok(endgames)
}

/// The state of the match in the format of `mawe duel`.
fn line(tally: &Tally, sprt: Option<(f64, f64)>) -> String {
    let elo = tally.elo();
    let test = sprt.map_or_else(String::new, |(null, claim)| {
        let verdict = match tally.verdict(null, claim) {
            Verdict::Accepted => "accepted",
            Verdict::Refused => "refused",
            Verdict::Open => "open",
        };
        let likelihood = tally.likelihood(null, claim);
        format!(" llr {likelihood:+.2} {verdict}")
    });
    format!(
        "games {} won {} drawn {} lost {} score {:.1} % elo {:+.0} ± {:.0}{test}",
        tally.games(),
        tally.won,
        tally.drawn,
        tally.lost,
        100.0 * tally.score(),
        elo.difference,
        elo.error
    )
}

/// Plays a game to its end. Forced passes are played for both players.
fn play(
    mut game: Record,
    side: Side,
    player: &Player,
    rival: &mut Rival,
    ours: &mut Times,
) -> Result<Record, Box<dyn Error>> {
    while game.outcome().is_none() && game.ply() < MAX_PLIES {
        let m = if let Some(pass) = game.forced_pass() {
            pass.to_string()
        } else if game.turn() == side {
            let began = Instant::now();
            let m = player.choose(&game, u64::from(game.ply()));
            ours.add(began.elapsed());
            m.to_string()
        } else {
            rival.choose(&game)?
        };
        let played = game.play(&m);
        played.map_err(|error| format!("{m:?} in {}: {error}", game.position()))?;
    }
    Ok(game)
}

fn count(pair: &mut Pair, side: Side, game: &Record) {
    match game.outcome().and_then(|outcome| outcome.winner) {
        Some(winner) if winner == side => pair.won += 1,
        Some(_) => pair.lost += 1,
        None => pair.drawn += 1,
    }
}

/// The line protocol of a rival.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Protocol {
    Nboard,
    Ugi,
    Fen,
    Aalina,
}

impl Protocol {
    fn of(name: &str) -> Result<Self, String> {
        match name {
            "nboard" => Ok(Self::Nboard),
            "ugi" => Ok(Self::Ugi),
            "fen" => Ok(Self::Fen),
            "aalina" => Ok(Self::Aalina),
            _ => Err(format!(
                "{name}: the protocols are nboard, ugi, fen, aalina"
            )),
        }
    }
}

/// The other program.
struct Rival {
    protocol: Protocol,
    movetime: u64,
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    times: Times,
    pings: u32,
}

impl Rival {
    fn start(options: &Options) -> Result<Self, Box<dyn Error>> {
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

    fn send(&mut self, line: &str) -> Result<(), Box<dyn Error>> {
        writeln!(self.input, "{line}")?;
        self.input.flush()?;
        Ok(())
    }

    /// The rest of the next line that begins with one of these words.
    fn hear(&mut self, words: &[&str]) -> Result<String, Box<dyn Error>> {
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
    fn wait_until_ready(&mut self) -> Result<(), Box<dyn Error>> {
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

    fn new_game(&mut self) -> Result<(), Box<dyn Error>> {
        match self.protocol {
            Protocol::Nboard => {}
            Protocol::Ugi | Protocol::Fen => self.send("uginewgame")?,
            Protocol::Aalina => self.send("ucinewgame")?,
        }
        self.wait_until_ready()
    }

    /// The rival's ply.
    fn choose(&mut self, game: &Record) -> Result<String, Box<dyn Error>> {
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

    fn ask(&mut self, question: &str, answer: &str) -> Result<String, Box<dyn Error>> {
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

/// A game of Reversi in the format of the Generic Game Server.
fn ggf(game: &Record) -> String {
    let mut text = String::from(
        "(;GM[Othello]PC[rival]PB[black]PW[white]RE[?]TI[15:00]TY[8]\
         BO[8 ---------------------------O*------*O--------------------------- *]",
    );
    for (colour, m) in coloured(game) {
        let m = if m == "pass" { "PA" } else { &m };
        text += &format!("{colour}[{}]", m.to_uppercase());
    }
    text + ";)"
}

/// The plies of a game of Reversi with their colours; the sides alternate, because passes are plies.
fn coloured(game: &Record) -> impl Iterator<Item = (&'static str, String)> {
    let colours = ["B", "W"].into_iter().cycle();
    colours
        .zip(game.moves())
        .map(|(colour, m)| (colour, m.to_string()))
}

/// The plies of a game of Oware as letters.
fn houses(game: &Record) -> Result<String, Box<dyn Error>> {
    let mut turns = Side::ALL.into_iter().cycle();
    let letter = |m: &str| -> Result<char, Box<dyn Error>> {
        let first = match turns.next() {
            Some(Side::Second) => b'a',
            Some(Side::First) | None => b'A',
        };
        Ok(char::from(first + m.parse::<u8>()? - 1))
    };
    let moves: Vec<String> = game.moves().iter().map(ToString::to_string).collect();
    moves.iter().map(String::as_str).map(letter).collect()
}

/// A position of Oware in Aalina's format: all houses, both stores, and the side to move.
fn dashes(game: &Record) -> String {
    let text = game.position().to_string();
    let numbers: Vec<&str> = text.split(['/', ',', ' ']).collect();
    let side = match game.turn() {
        Side::First => "S",
        Side::Second => "N",
    };
    let houses: Vec<&str> = numbers[..6]
        .iter()
        .chain(&numbers[7..13])
        .copied()
        .collect();
    format!("{}-{}-{}-{side}", houses.join("-"), numbers[6], numbers[13])
}

/// The thinking times of a player.
#[derive(Default)]
struct Times {
    plies: u32,
    sum: Duration,
    longest: Duration,
}

impl Times {
    fn add(&mut self, time: Duration) {
        self.plies += 1;
        self.sum += time;
        self.longest = self.longest.max(time);
    }
}

impl std::fmt::Display for Times {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mean = self.sum.as_secs_f64() * 1e3 / f64::from(self.plies.max(1));
        let longest = self.longest.as_secs_f64() * 1e3;
        write!(f, "{mean:.1} ms ({longest:.0} ms at most)")
    }
}

/// The results of games, by the solver's result of an earlier position.
#[derive(Default)]
struct Stood {
    /// The first index is the solver's result for our side (won, drawn, lost), the second that of the game.
    games: [[u32; 3]; 3],
}

impl Stood {
    /// Counts a game by its first position with at most `empties` empty squares.
    fn count(&mut self, game: &Record, side: Side, empties: u32) -> Result<(), Box<dyn Error>> {
        let mut before = Record::new(game.kind(), &setup_of(game.kind()))?;
        let mut moves = game.moves().iter();
        loop {
            let AnyPosition::Reversi(pos) = before.position() else {
                return Err("only Reversi can be looked back on".into());
            };
            let board = Board::of(pos);
            if board.empties() <= empties {
                let ending = Ending::new(TABLE).map_err(|_| "no memory for the table")?;
                let solution = ending.solve(board, Counting::Discs, &Limits::default());
                let margin = solution.margin.0 * if before.turn() == side { 1 } else { -1 };
                let mut pair = Pair::default();
                count(&mut pair, side, game);
                let became = [pair.won, pair.drawn, pair.lost];
                let was = usize::from(margin <= 0) + usize::from(margin < 0);
                for (sum, one) in self.games[was].iter_mut().zip(became) {
                    *sum += one;
                }
                return Ok(());
            }
            match moves.next() {
                Some(m) => before.play(&m.to_string())?,
                None => return Ok(()),
            };
        }
    }

    fn table(&self, empties: u32) -> String {
        let mut text = format!("with {empties} empty squares, and what became of it (+ = -):");
        for (was, [won, drawn, lost]) in ["won", "drawn", "lost"].iter().zip(self.games) {
            text += &format!("\n{was:>5} {won:>4} {drawn:>4} {lost:>4}");
        }
        text
    }
}

/// The games in the file of results.
fn read(options: &Options) -> Result<Vec<(String, Record)>, Box<dyn Error>> {
    let text = options.out.as_ref().map(fs::read_to_string);
    let Some(Ok(text)) = text else {
        return Ok(Vec::new());
    };
    let mut games = Vec::new();
    for line in text.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let [number, side, _, moves] = fields.as_slice() else {
            // A game whose line was cut short by a kill is played again.
            continue;
        };
        let mut game = Record::new(options.kind, &setup_of(options.kind))?;
        for m in moves.split_whitespace() {
            game.play(m)?;
        }
        if game.outcome().is_none() && game.ply() < MAX_PLIES {
            continue;
        }
        games.push((format!("{number}\t{side}"), game));
    }
    Ok(games)
}

fn write(options: &Options, key: &str, side: Side, game: &Record) -> Result<(), Box<dyn Error>> {
    let Some(path) = &options.out else {
        return Ok(());
    };
    let mut pair = Pair::default();
    count(&mut pair, side, game);
    let result = match (pair.won, pair.lost) {
        (1, _) => "won",
        (_, 1) => "lost",
        _ => "drawn",
    };
    let moves: Vec<String> = game.moves().iter().map(ToString::to_string).collect();
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    writeln!(file, "{key}\t{result}\t{}", moves.join(" "))?;
    Ok(())
}
