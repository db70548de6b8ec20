//! `mawe replay`: game records checked ply by ply, and their results.

use std::io::{BufRead, Read, Write, stdin, stdout};

use clap::{Args, ValueEnum};
use mawe_rules::notation::digest::Digest;
use mawe_rules::notation::json::{JsonRecord, JsonRecordError, JsonResult};
use mawe_rules::notation::{NotationError, ggf, pdn, transcript};
use mawe_rules::{GameKind, Record};
use serde::{Deserialize, Serialize};

use crate::cli::output::{Failure, output_failed};
use crate::cli::progress;

/// The longest line that is read: a hundred times the longest game.
const MAX_LINE_BYTES: u64 = 1 << 20;

/// The longest file of games in PDN or GGF, which is read as a whole: some 300,000 games.
const MAX_FILE_BYTES: u64 = 256 << 20;

const BYTES: &str = "{wide_bar} {bytes} of {total_bytes}, {eta} left";
const GAMES: &str = "{wide_bar} {human_pos} of {human_len} games, {eta} left";

/// `mawe replay`.
#[derive(Debug, Args)]
pub(super) struct ReplayOptions {
    /// The game kind: mawe, reversi, checkers, …
    #[arg(value_name = "GAME")]
    game: String,
    /// The format of the records
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Format::Json)]
    format: Format,
}

/// A format of game records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A JSON object a line: `{"moves":"…","setup":"…","start":"…"}`
    Json,
    /// A file of Portable Draughts Notation with any number of games, for checkers
    Pdn,
    /// A file of the Generic Game Format with any number of games, for Reversi
    Ggf,
    /// A transcript a line, such as `f5d6c3`, for Reversi
    Transcript,
}

/// A game of a file: its record and its written result.
type Game = Result<(Record, Option<String>), NotationError>;

/// A record in the input. Other keys are ignored.
#[derive(Deserialize)]
struct RecordInput {
    moves: String,
    #[serde(default)]
    setup: String,
    start: Option<String>,
}

/// The result of a record (RULES.md section 8).
#[derive(Serialize)]
#[serde(untagged)]
enum ReplayResult {
    Played(Played),
    Refused {
        error: String,
        code: &'static str,
        /// The number of the refused ply, counted from 1; left out if the fault is not a ply.
        #[serde(skip_serializing_if = "Option::is_none")]
        ply: Option<u32>,
    },
}

/// A record that is by the rules.
#[derive(Serialize)]
struct Played {
    plies: u32,
    result: Option<JsonResult>,
    #[serde(rename = "final")]
    last: String,
    /// The number of legal moves before each ply.
    counts: String,
    digest: String,
    /// The result that stands in a file of PDN or GGF, which may come from outside the rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    written: Option<String>,
}

pub(super) fn replay(options: &ReplayOptions) -> Result<(), Failure> {
    let kind = super::rules::kind(&options.game)?;
    let only = |game: GameKind, format: &str| match kind == game {
        true => Ok(()),
        false => Err(Failure::BadInput(format!(
            "{format} has games of {game}; records of {kind} are read with --format json"
        ))),
    };
    match options.format {
        Format::Json => lines(|line| {
            let record = serde_json::from_slice(line).map_err(|error| error.to_string())?;
            Ok(answer(kind, record))
        }),
        Format::Transcript => {
            only(GameKind::Reversi, "a transcript")?;
            lines(|line| Ok(judge(transcript::read(line), None)))
        }
        Format::Pdn => {
            let Some(dialect) = pdn::Dialect::of(kind) else {
                return only(GameKind::Checkers, "PDN");
            };
            games("[Event", |text| {
                let written = move |game: pdn::Game| {
                    let result = game.result.text(dialect);
                    (game.record, Some(result.to_owned()))
                };
                Box::new(pdn::games(text, Some(kind)).map(move |game| game.map(written)))
            })
        }
        Format::Ggf => {
            only(GameKind::Reversi, "GGF")?;
            games("(;", |text| {
                let written = |game: ggf::Game| (game.record, game.result);
                Box::new(ggf::games(text).map(move |game| game.map(written)))
            })
        }
    }
}

/// Answers each line at once, so that a reader need not wait for the end.
fn lines(answer: impl Fn(&[u8]) -> Result<ReplayResult, String>) -> Result<(), Failure> {
    let mut input = stdin().lock();
    let mut line = Vec::new();
    let bar = progress::bar_of_results(input_bytes(), BYTES);
    for number in 1_u64.. {
        line.clear();
        let read = (&mut input)
            .take(MAX_LINE_BYTES)
            .read_until(b'\n', &mut line)
            .map_err(unreadable)?;
        if read == 0 {
            break;
        }
        let bad = |why: String| Failure::BadInput(format!("line {number}: {why}"));
        if !line.ends_with(b"\n") && read as u64 == MAX_LINE_BYTES {
            return Err(bad(format!("longer than {MAX_LINE_BYTES} bytes")));
        }
        bar.inc(read as u64);
        if line.trim_ascii().is_empty() {
            continue;
        }
        if !write(&answer(line.trim_ascii()).map_err(bad)?)? {
            break;
        }
    }
    bar.finish_and_clear();
    Ok(())
}

/// Answers each game of a file, by its record and its written result; `beginning` begins a game.
fn games(
    beginning: &str,
    read: impl for<'a> Fn(&'a [u8]) -> Box<dyn Iterator<Item = Game> + 'a>,
) -> Result<(), Failure> {
    let mut text = Vec::new();
    let input = stdin()
        .lock()
        .take(MAX_FILE_BYTES + 1)
        .read_to_end(&mut text);
    if input.map_err(unreadable)? as u64 > MAX_FILE_BYTES {
        return Err(Failure::BadInput(format!(
            "standard input is longer than {MAX_FILE_BYTES} bytes: divide the file before a line `{beginning}`"
        )));
    }
    let bar = progress::bar_of_results(0, GAMES);
    if !bar.is_hidden() {
        let windows = text.windows(beginning.len());
        let begun = windows.filter(|window| *window == beginning.as_bytes());
        bar.set_length(begun.count() as u64);
    }
    for game in read(&text) {
        let (record, written) = match game {
            Ok((record, written)) => (Ok(record), written),
            Err(error) => (Err(error), None),
        };
        if !write(&judge(record, written))? {
            break;
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(())
}

/// Returns the number of bytes of standard input if it is a file; otherwise 0, as nobody knows it.
fn input_bytes() -> u64 {
    #[cfg(unix)]
    let input = {
        use std::os::fd::AsFd;
        stdin()
            .as_fd()
            .try_clone_to_owned()
            .map(std::fs::File::from)
    };
    #[cfg(windows)]
    let input = {
        use std::os::windows::io::AsHandle;
        let input = stdin().as_handle().try_clone_to_owned();
        input.map(std::fs::File::from)
    };
    input
        .and_then(|file| file.metadata())
        .map_or(0, |file| file.len())
}

fn unreadable(error: std::io::Error) -> Failure {
    Failure::Failed(format!("standard input cannot be read: {error}"))
}

/// Prints an answer; returns false once nobody reads standard output.
fn write(answer: &ReplayResult) -> Result<bool, Failure> {
    let mut text = serde_json::to_string(answer)
        .map_err(|error| Failure::Failed(format!("an answer cannot be written: {error}")))?;
    text.push('\n');
    match stdout().lock().write_all(text.as_bytes()) {
        Ok(()) => Ok(true),
        Err(error) => output_failed(error).map(|()| false),
    }
}

/// Returns the answer to a game in the notation of other programs.
fn judge(record: Result<Record, NotationError>, written: Option<String>) -> ReplayResult {
    match record {
        Ok(record) => match played(&JsonRecord::from(&record)) {
            Ok(played) => ReplayResult::Played(Played { written, ..played }),
            Err(error) => refused(error),
        },
        Err(error) => ReplayResult::Refused {
            error: error.to_string(),
            code: error.code(),
            ply: None,
        },
    }
}

fn answer(game: GameKind, asked: RecordInput) -> ReplayResult {
    let record = JsonRecord {
        game,
        setup: asked.setup,
        start: asked.start,
        moves: asked.moves,
        result: None,
    };
    match played(&record) {
        Ok(played) => ReplayResult::Played(played),
        Err(error) => refused(error),
    }
}

fn refused(error: JsonRecordError) -> ReplayResult {
    ReplayResult::Refused {
        ply: match error {
            JsonRecordError::Move { ply, .. } => Some(ply),
            JsonRecordError::Setup(_)
            | JsonRecordError::Start(_)
            | JsonRecordError::OtherResult => None,
        },
        code: error.code(),
        error: error.to_string(),
    }
}

fn played(record: &JsonRecord) -> Result<Played, JsonRecordError> {
    let mut now = record.begin()?;
    let mut digest = Digest::new();
    let mut counts = Vec::new();
    for (ply, text) in (1..).zip(record.plies()) {
        counts.push(tell(&mut digest, &now).to_string());
        let judged = now.play(text);
        judged.map_err(|why| JsonRecordError::Move { ply, why })?;
    }
    tell(&mut digest, &now);
    Ok(Played {
        plies: now.ply(),
        result: now.outcome().map(|end| JsonResult::new(now.kind(), end)),
        last: now.position().to_string(),
        counts: counts.join(" "),
        digest: digest.finish(),
        written: None,
    })
}

/// Adds a position to the digest; returns the number of its legal moves.
fn tell(digest: &mut Digest, now: &Record) -> usize {
    let legal = now.legal_moves();
    digest.tell(now.position(), &legal);
    legal.len()
}
