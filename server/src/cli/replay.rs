//! `mawe replay`: game records checked ply by ply, and their results.

use std::io::{BufRead, Read, Write, stdin, stdout};

use clap::Args;
use mawe_rules::notation::digest::Digest;
use mawe_rules::notation::json::{JsonRecord, JsonRecordError, JsonResult};
use mawe_rules::{GameKind, Record};
use serde::{Deserialize, Serialize};

use crate::cli::output::{Failure, output_failed};

/// The longest line that is read: a hundred times the longest game.
const MAX_LINE_BYTES: u64 = 1 << 20;

/// `mawe replay`.
#[derive(Debug, Args)]
pub(super) struct ReplayOptions {
    /// The game kind: mawe, reversi, checkers, …
    #[arg(value_name = "GAME")]
    game: String,
}

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
    Played {
        plies: u32,
        result: Option<JsonResult>,
        #[serde(rename = "final")]
        last: String,
        /// The number of legal moves before each ply.
        counts: String,
        digest: String,
    },
    Refused {
        error: String,
        code: &'static str,
        /// The number of the refused ply, counted from 1; left out if the fault is not a ply.
        #[serde(skip_serializing_if = "Option::is_none")]
        ply: Option<u32>,
    },
}

/// Answers each line at once, so that a reader need not wait for the end.
pub(super) fn replay(options: &ReplayOptions) -> Result<(), Failure> {
    let kind = super::rules::kind(&options.game)?;
    let mut input = stdin().lock();
    let mut output = stdout().lock();
    let mut line = Vec::new();
    for number in 1_u64.. {
        line.clear();
        let read = (&mut input)
            .take(MAX_LINE_BYTES)
            .read_until(b'\n', &mut line)
            .map_err(|error| Failure::Failed(format!("standard input cannot be read: {error}")))?;
        if read == 0 {
            break;
        }
        let bad = |why: &dyn std::fmt::Display| Failure::BadInput(format!("line {number}: {why}"));
        if !line.ends_with(b"\n") && read as u64 == MAX_LINE_BYTES {
            return Err(bad(&format!("longer than {MAX_LINE_BYTES} bytes")));
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        let asked: RecordInput =
            serde_json::from_slice(line.trim_ascii()).map_err(|error| bad(&error))?;
        let answer = answer(kind, asked);
        let mut text = serde_json::to_string(&answer).map_err(|error| bad(&error))?;
        text.push('\n');
        if let Err(error) = output.write_all(text.as_bytes()) {
            return output_failed(error);
        }
    }
    Ok(())
}

fn answer(game: GameKind, asked: RecordInput) -> ReplayResult {
    let record = JsonRecord {
        game,
        setup: asked.setup,
        start: asked.start,
        moves: asked.moves,
        result: None,
    };
    played(&record).unwrap_or_else(|error| ReplayResult::Refused {
        ply: match error {
            JsonRecordError::Move { ply, .. } => Some(ply),
            JsonRecordError::Setup(_)
            | JsonRecordError::Start(_)
            | JsonRecordError::OtherResult => None,
        },
        code: error.code(),
        error: error.to_string(),
    })
}

fn played(record: &JsonRecord) -> Result<ReplayResult, JsonRecordError> {
    let mut now = record.begin()?;
    let mut digest = Digest::new();
    let mut counts = Vec::new();
    for (ply, text) in (1..).zip(record.plies()) {
        counts.push(tell(&mut digest, &now).to_string());
        let judged = now.play(text);
        judged.map_err(|why| JsonRecordError::Move { ply, why })?;
    }
    tell(&mut digest, &now);
    Ok(ReplayResult::Played {
        plies: now.ply(),
        result: now.outcome().map(|end| JsonResult::new(now.kind(), end)),
        last: now.position().to_string(),
        counts: counts.join(" "),
        digest: digest.finish(),
    })
}

/// Adds a position to the digest; returns the number of its legal moves.
fn tell(digest: &mut Digest, now: &Record) -> usize {
    let legal = now.legal_moves();
    digest.tell(now.position(), &legal);
    legal.len()
}
