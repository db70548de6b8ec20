//! The files of a tournament's games.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use mawe_lab::arena::{Encounter, End, Game};
use mawe_rules::notation::json::{JsonRecord, JsonResult};
use mawe_rules::notation::pdn::{self, Dialect, GameResult};
use mawe_rules::notation::transcript;
use mawe_rules::{BySide, GameKind, Side};
use mawe_wire::end_reason::EndReason;
use serde::Serialize;

use crate::cli::output::Failure;

/// The reason code of a game that is a draw because of its length.
const PLY_LIMIT: &str = "ply-limit";
/// The reason code of a game that an engine lost by a failure.
const FAILURE: &str = "failure";

/// The files for the games.
#[derive(Debug, Args)]
pub(super) struct RecordOptions {
    /// Checkers and the draughts family: add the games to a file of Portable Draughts Notation
    #[arg(long, value_name = "FILE")]
    pdn: Option<PathBuf>,
    /// Reversi: add the games to a file, a transcript a line
    #[arg(long, value_name = "FILE")]
    transcripts: Option<PathBuf>,
    /// Add the games to a file, a JSON record a line, as `mawe replay` reads them
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// The open files.
pub(super) struct RecordFiles {
    files: Vec<(PathBuf, File, Format)>,
}

#[derive(Clone, Copy)]
enum Format {
    Json,
    Pdn,
    Transcript,
}

/// A game as one JSON object. `mawe replay` accepts it, and ignores the further keys.
#[derive(Serialize)]
struct ArenaRecord<'a> {
    #[serde(flatten)]
    record: JsonRecord,
    players: Players<'a>,
    /// The number of the opening, which both games of a pair have.
    pair: u64,
    /// The plies of the opening, which no player chose.
    opening_plies: u32,
    /// The failure of the loser's engine.
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<String>,
}

/// The names of the players.
#[derive(Clone, Copy, Serialize)]
struct Players<'a> {
    first: &'a str,
    second: &'a str,
}

impl RecordFiles {
    /// Opens the files, to which games are added; fails if a format is another game's.
    pub(super) fn open(options: &RecordOptions, kind: GameKind) -> Result<Self, Failure> {
        let only = |option: &str, game: GameKind| match kind == game {
            true => Ok(()),
            false => Err(Failure::BadInput(format!(
                "{option} has games of {game}; games of {kind} go into --json"
            ))),
        };
        if options.pdn.is_some() && Dialect::of(kind).is_none() {
            only("--pdn", GameKind::Checkers)?;
        }
        if options.transcripts.is_some() {
            only("--transcripts", GameKind::Reversi)?;
        }
        let wanted = [
            (&options.json, Format::Json),
            (&options.pdn, Format::Pdn),
            (&options.transcripts, Format::Transcript),
        ];
        let wanted = wanted
            .into_iter()
            .filter_map(|(path, format)| Some((path.as_ref()?, format)));
        let open = |(path, format): (&PathBuf, Format)| {
            let file = OpenOptions::new().create(true).append(true).open(path);
            let file = file.map_err(|error| unwritable(path, &error))?;
            Ok((path.clone(), file, format))
        };
        Ok(Self {
            files: wanted.map(open).collect::<Result<_, Failure>>()?,
        })
    }

    /// Adds both games of an encounter.
    pub(super) fn write(&mut self, encounter: &Encounter, names: &[&str]) -> Result<(), Failure> {
        let [one, other] = encounter.players.map(|player| names[player]);
        for (side, game) in encounter.games.iter() {
            let players = match side {
                Side::First => BySide::new(one, other),
                Side::Second => BySide::new(other, one),
            };
            for (path, file, format) in &mut self.files {
                let text = match format {
                    Format::Json => json(game, encounter.number, players)?,
                    Format::Pdn => pdn(game, encounter.number, players),
                    Format::Transcript => {
                        transcript::write(&game.record).unwrap_or_default() + "\n"
                    }
                };
                // Whole games only: a reader of the file may come at any time.
                let written = file.write_all(text.as_bytes());
                written.map_err(|error| unwritable(path, &error))?;
            }
        }
        Ok(())
    }
}

fn unwritable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::Failed(format!("{} cannot be written: {error}", path.display()))
}

/// Returns the result of a game; `None` if it has none.
fn result(game: &Game) -> Option<JsonResult> {
    let kind = game.record.kind();
    let reason = match &game.end {
        End::Rules(outcome) => return Some(JsonResult::new(kind, *outcome)),
        End::PlyLimit => PLY_LIMIT,
        End::Resign(_) => EndReason::Resign.code(),
        End::Time(_) => EndReason::Time.code(),
        End::Failed(..) => FAILURE,
        End::Stopped => return None,
    };
    Some(JsonResult {
        winner: kind.winner_code(game.winner()).to_owned(),
        reason: reason.to_owned(),
        score: None,
    })
}

fn json(game: &Game, pair: u64, players: BySide<&str>) -> Result<String, Failure> {
    let record = ArenaRecord {
        record: JsonRecord {
            result: result(game),
            ..JsonRecord::from(&game.record)
        },
        players: Players {
            first: players.first,
            second: players.second,
        },
        pair,
        opening_plies: game.opening,
        failure: game.failure().map(|(_, error)| error.to_string()),
    };
    match serde_json::to_string(&record) {
        Ok(line) => Ok(line + "\n"),
        Err(error) => Err(Failure::Failed(error.to_string())),
    }
}

fn pdn(game: &Game, pair: u64, players: BySide<&str>) -> String {
    let tag = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let date = jiff::Zoned::now().strftime("%Y.%m.%d").to_string();
    let mut tags = vec![
        tag("Event", "mawe arena"),
        tag("Date", &date),
        tag("Round", &(pair + 1).to_string()),
    ];
    let sides = Dialect::of(game.record.kind()).map(Dialect::players);
    for (side, name) in sides.iter().flat_map(BySide::iter) {
        tags.push(tag(name, players[side]));
    }
    // A result by the rules follows from the moves.
    if let Some(result) = result(game).filter(|_| !matches!(game.end, End::Rules(_))) {
        tags.push(tag("Termination", &result.reason));
    }
    let result = match (game.winner(), &game.end) {
        (Some(side), _) => GameResult::Won(side),
        (None, End::Stopped) => GameResult::Open,
        (None, _) => GameResult::Drawn,
    };
    let record = game.record.clone();
    pdn::write(&pdn::Game {
        tags,
        record,
        result,
    })
    .unwrap_or_default()
}
