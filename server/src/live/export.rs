//! Records of matches, for other programs and for `mawe replay`.
//!
//! A record has the moves and the players of a match, but not the thinking times. Moves that were taken back are left out.

use mawe_rules::notation::json::{JsonRecord, JsonRecordError, JsonResult};
use mawe_rules::notation::pdn::{self, Dialect, GameResult};
use mawe_rules::notation::transcript;
use mawe_rules::{AnyPosition, AnySetup, GameKind, Side};
use mawe_store::{ClaimedMatch, Journal, MatchRow, StoreError};
use mawe_wire::end_reason::is_called_off;
use mawe_wire::ids::MatchId;
use mawe_wire::{MatchResult, MatchView, SeatView, Seats, Speed, TimeControl};
use serde::Serialize;
use utoipa::ToSchema;

use crate::live::view;

/// A match as one JSON object. `mawe replay` accepts it: it reads `setup`, `start` and `moves`, and ignores the rest.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct MatchRecord {
    /// The match's id.
    pub id: MatchId,
    /// The game kind.
    pub game: GameKind,
    /// The setup's text; left out for the standard game.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[schema(required = false)]
    pub setup: String,
    /// The position before the first ply; left out if the setup determines it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub start: Option<String>,
    /// Every ply in the notation of the game, including passes, separated by spaces.
    pub moves: String,
    /// The result; left out while the match runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub result: Option<RecordResult>,
    /// The players.
    pub seats: Seats<SeatView>,
    /// Whether ratings changed.
    pub rated: bool,
    /// The time control.
    pub time_control: TimeControl,
    /// The speed of the time control.
    pub speed: Speed,
    /// The time of creation (RFC 3339).
    pub created_at: jiff::Timestamp,
    /// The time of the end (RFC 3339); left out while the match runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub finished_at: Option<jiff::Timestamp>,
}

/// The result of a recorded match.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct RecordResult {
    /// The winner's code in the notation of the game (`W`, `S`, …), `draw`, or `none` for a match that was called off.
    pub winner: String,
    /// The winning side, as everywhere else in the API; left out for a draw and for a match that was called off.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub winning_side: Option<Side>,
    /// The reason, like `reason` of a match's result.
    pub reason: String,
    /// The scores of the first and the second side, in games that have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub score: Option<[u16; 2]>,
}

/// The code in place of the winner for a match that was called off.
const NOBODY: &str = "none";

impl RecordResult {
    fn new(game: GameKind, result: &MatchResult) -> RecordResult {
        let winner = match result.winner {
            None if is_called_off(&result.reason) => NOBODY,
            winner => game.winner_code(winner),
        };
        RecordResult {
            winner: winner.to_owned(),
            winning_side: result.winner,
            reason: result.reason.clone(),
            score: result.score.map(|score| [score.first, score.second]),
        }
    }
}

impl MatchRecord {
    /// Creates the record of a match.
    #[must_use]
    pub fn from_view(view: &MatchView) -> MatchRecord {
        // A position as the start is written as the start, and not once more as the setup.
        let setup = match AnySetup::position_text(&view.setup) {
            Some(_) => "",
            None => &view.setup,
        };
        let parsed = AnySetup::parse(view.game, setup).ok();
        let usual = parsed.and_then(|setup| AnyPosition::start(view.game, &setup).ok());
        let is_usual = usual.is_some_and(|start| start.to_string() == view.start);
        let moves: Vec<&str> = view.plies.iter().map(|ply| ply.text.as_str()).collect();
        MatchRecord {
            id: view.id.clone(),
            game: view.game,
            setup: setup.to_owned(),
            start: (!is_usual).then(|| view.start.clone()),
            moves: moves.join(" "),
            result: view
                .state
                .result
                .as_ref()
                .map(|result| RecordResult::new(view.game, result)),
            seats: view.seats.clone(),
            rated: view.rated,
            time_control: view.time_control,
            speed: view.speed,
            created_at: view.created_at,
            finished_at: view.finished_at,
        }
    }

    /// Appends the record to `into` as one line of NDJSON.
    ///
    /// # Panics
    /// Never: a record is plain JSON.
    pub fn write_line(&self, into: &mut Vec<u8>) {
        serde_json::to_writer(&mut *into, self).expect("a record is plain JSON");
        into.push(b'\n');
    }

    fn replayed(&self) -> Result<mawe_rules::Record, JsonRecordError> {
        let result = self.result.as_ref().map(|result| JsonResult {
            winner: result.winner.clone(),
            reason: result.reason.clone(),
            score: result.score,
        });
        let record = JsonRecord {
            game: self.game,
            setup: self.setup.clone(),
            start: self.start.clone(),
            moves: self.moves.clone(),
            result,
        };
        record.replay()
    }
}

/// Returns the game of a match.
///
/// # Errors
/// [`JsonRecordError`] if the record breaks the rules.
pub fn record(view: &MatchView) -> Result<mawe_rules::Record, JsonRecordError> {
    MatchRecord::from_view(view).replayed()
}

/// Writes a match in Portable Draughts Notation. `None` if the game is not a draughts game.
///
/// # Errors
/// [`JsonRecordError`] if the record breaks the rules.
pub fn pdn(view: &MatchView) -> Result<Option<String>, JsonRecordError> {
    let record = record(view)?;
    let result = match view.state.result.as_ref() {
        Some(result) if !is_called_off(&result.reason) => {
            result.winner.map_or(GameResult::Drawn, GameResult::Won)
        }
        Some(_) | None => GameResult::Open,
    };
    let kind = if view.rated { "Rated" } else { "Casual" };
    let name = |seat: &SeatView| seat.player.name.clone();
    let mut tags = vec![
        ("Event", format!("{kind} {} match", view.speed.as_str())),
        ("Site", format!("Mawe! {}", view.id)),
        ("Date", view.created_at.strftime("%Y.%m.%d").to_string()),
        ("Round", "-".to_owned()),
    ];
    let Some(dialect) = Dialect::of(view.game) else {
        return Ok(None);
    };
    let players = dialect.players();
    tags.push((players.first, name(&view.seats.first)));
    tags.push((players.second, name(&view.seats.second)));
    if let Some(result) = &view.state.result {
        tags.push(("Termination", result.reason.clone()));
    }
    let tags = tags.into_iter().map(|(tag, value)| (tag.to_owned(), value));
    Ok(pdn::write(&pdn::Game {
        tags: tags.collect(),
        record,
        result,
    }))
}

/// Writes a match as a transcript of Reversi, with a final newline. `None` if the game is not Reversi.
///
/// # Errors
/// [`JsonRecordError`] if the record breaks the rules.
pub fn transcript(view: &MatchView) -> Result<Option<String>, JsonRecordError> {
    let record = record(view)?;
    Ok(transcript::write(&record).map(|text| text + "\n"))
}

/// Rebuilds the view of a finished match from its journal.
///
/// # Errors
/// [`StoreError`].
pub async fn finished(journal: &dyn Journal, row: MatchRow) -> Result<MatchView, StoreError> {
    let entries = journal.entries(&row.id, 0).await?;
    let claimed = ClaimedMatch { row, entries };
    let state = claimed.rebuild()?;
    let clock = state.view().clock;
    Ok(view::of_match(&claimed.row, &state, clock))
}

#[cfg(test)]
mod tests {
    use super::*;
    use mawe_rules::Side;
    use mawe_wire::end_reason::EndReason;
    use mawe_wire::{ClockView, MatchOptions, PlayerKind, PlayerRef, StateView};

    fn a_match_that_ended_for(reason: EndReason) -> MatchView {
        let start = AnyPosition::start(GameKind::Checkers, &AnySetup::standard(GameKind::Checkers))
            .expect("the standard game")
            .to_string();
        let seat = SeatView {
            player: PlayerRef {
                name: "Asha".to_owned(),
                kind: PlayerKind::Guest,
                level: None,
                look: mawe_wire::Look::default(),
            },
            rating: None,
            rating_change: None,
        };
        MatchView {
            id: MatchId::random(),
            game: GameKind::Checkers,
            setup: String::new(),
            start: start.clone(),
            rated: false,
            rating_weight: None,
            voided: false,
            time_control: TimeControl::Unlimited,
            speed: Speed::Daily,
            extra_ms: None,
            options: MatchOptions::usual(false),
            private: false,
            seats: Seats {
                first: seat.clone(),
                second: seat,
            },
            created_at: jiff::Timestamp::UNIX_EPOCH,
            finished_at: None,
            seq: 1,
            plies: Vec::new(),
            state: StateView {
                position: start,
                turn: Side::First,
                ply: 0,
                berserk: Vec::new(),
                legal: Vec::new(),
                clock: ClockView {
                    first_ms: 0,
                    second_ms: 0,
                    running: None,
                    first_move_ms: None,
                },
                draw_offer: None,
                takeback_offer: None,
                result: Some(MatchResult {
                    winner: None,
                    reason: reason.to_string(),
                    score: None,
                }),
            },
        }
    }

    #[test]
    fn what_was_called_off_for_whatever_reason_has_no_result_in_any_notation() {
        for reason in EndReason::all() {
            let view = a_match_that_ended_for(reason);
            let result = MatchRecord::from_view(&view).result.expect("it is over");
            // The last word of the PDN text is the result.
            let pdn = pdn(&view).expect("a record").expect("it is checkers");
            let told = (
                result.winner.as_str(),
                pdn.split_whitespace().next_back().expect("a result"),
            );
            let expected = if reason.is_called_off() {
                ("none", "*")
            } else {
                ("draw", "1/2-1/2")
            };
            assert_eq!(told, expected, "{reason}");
        }
    }
}
