//! The result of an analysis, as it is stored and sent, and the judgement of the moves.

use std::sync::Arc;

use mawe_ai::verdict::{self, Mistake};
use mawe_rules::{BySide, Record, Side};
use mawe_wire::Seats;
use serde::Serialize;
use utoipa::ToSchema;

use crate::bots::job::{EVALUATION_NODES, Evaluation};

/// A finished analysis.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Report {
    /// The positions that the search of one position visits, where the exact result is not found sooner.
    pub nodes: u64,
    /// The positions of the match in which the game was not over, in order.
    pub positions: Vec<AnalysedPosition>,
    /// The judgement of each side's moves.
    pub sides: Seats<SideReport>,
}

/// A position with its evaluation.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct AnalysedPosition {
    /// The number of plies before the position.
    pub ply: u32,
    /// The result of the search of the position.
    #[serde(flatten)]
    pub evaluation: Evaluation,
    /// The loss of expected result by the move that was played here, as a part of a point; left out where none was played.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub loss: Option<f64>,
    /// The name of the loss; left out where it is small.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub mistake: Option<MistakeView>,
}

/// A name of a loss, by the limits of chess sites: 0.05, 0.1 and 0.15 of a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum MistakeView {
    /// A small loss.
    Inaccuracy,
    /// A clear loss.
    Mistake,
    /// A heavy loss.
    Blunder,
}

/// The judgement of a side's moves.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, ToSchema)]
pub struct SideReport {
    /// How close its moves came to the best ones, from 0 to 1: the mean over the moves with a choice; null without one.
    #[schema(required = true)]
    pub accuracy: Option<f64>,
    /// The number of inaccuracies.
    pub inaccuracies: u32,
    /// The number of mistakes.
    pub mistakes: u32,
    /// The number of blunders.
    pub blunders: u32,
}

impl From<Mistake> for MistakeView {
    fn from(mistake: Mistake) -> MistakeView {
        match mistake {
            Mistake::Inaccuracy => MistakeView::Inaccuracy,
            Mistake::Mistake => MistakeView::Mistake,
            Mistake::Blunder => MistakeView::Blunder,
        }
    }
}

/// Returns the positions of a game up to a number of plies, the start first: each with the moves before it.
///
/// # Panics
/// Never: the moves of a record are legal.
#[must_use]
pub fn positions(game: &Record, most_plies: usize) -> Vec<Arc<Record>> {
    let mut position = game.clone();
    position.retreat(game.ply());
    let mut positions = vec![Arc::new(position.clone())];
    for text in game.moves().iter().take(most_plies) {
        let played = position.play(&text.to_string());
        played.expect("it was legal when it was played");
        positions.push(Arc::new(position.clone()));
    }
    positions
}

/// The expected result of the first side in a position; `None` without an evaluation of a position that is not over.
fn worth(position: &Record, evaluation: Option<&Evaluation>) -> Option<f64> {
    if let Some(outcome) = position.outcome() {
        return Some(match outcome.winner {
            Some(Side::First) => 1.0,
            Some(Side::Second) => 0.0,
            None => 0.5,
        });
    }
    let Evaluation { score, proven, .. } = evaluation?;
    let mover = verdict::expected(position.kind(), *score, *proven);
    Some(match position.turn() {
        Side::First => mover,
        Side::Second => 1.0 - mover,
    })
}

/// Judges the moves of a game by the evaluations of its [`positions`], one for each that is not over.
#[must_use]
pub fn judge(positions: &[Arc<Record>], evaluations: &[Option<Evaluation>]) -> Report {
    let mut sides: BySide<SideReport> = BySide::new(SideReport::default(), SideReport::default());
    let mut accuracies: BySide<Vec<f64>> = BySide::new(Vec::new(), Vec::new());
    let played = positions.last().map_or(&[][..], |last| last.moves());
    let mut analysed = Vec::with_capacity(positions.len());
    for (at, position) in positions.iter().enumerate() {
        let Some(evaluation) = evaluations.get(at).and_then(Option::as_ref) else {
            continue;
        };
        let side = position.turn();
        let has_choice = position.legal_moves().len() > 1;
        let loss = played.get(at).and_then(|text| {
            if !has_choice || text.to_string() == evaluation.best {
                return Some(0.0);
            }
            let before = worth(position, Some(evaluation))?;
            let next = evaluations.get(at + 1).and_then(Option::as_ref);
            let after = worth(positions.get(at + 1)?, next)?;
            let loss = match side {
                Side::First => before - after,
                Side::Second => after - before,
            };
            Some(loss.max(0.0))
        });
        let mistake = loss.and_then(Mistake::of_loss);
        match mistake {
            None => {}
            Some(Mistake::Inaccuracy) => sides[side].inaccuracies += 1,
            Some(Mistake::Mistake) => sides[side].mistakes += 1,
            Some(Mistake::Blunder) => sides[side].blunders += 1,
        }
        if let Some(loss) = loss.filter(|_| has_choice) {
            accuracies[side].push(verdict::accuracy(loss));
        }
        analysed.push(AnalysedPosition {
            ply: position.ply(),
            evaluation: evaluation.clone(),
            loss,
            mistake: mistake.map(MistakeView::from),
        });
    }
    for side in [Side::First, Side::Second] {
        let values = &accuracies[side];
        #[allow(clippy::cast_precision_loss)] // a match has far fewer plies than 2^52
        let mean = || values.iter().sum::<f64>() / values.len() as f64;
        sides[side].accuracy = (!values.is_empty()).then(mean);
    }
    Report {
        nodes: EVALUATION_NODES,
        positions: analysed,
        sides: Seats {
            first: sides[Side::First],
            second: sides[Side::Second],
        },
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use mawe_rules::{AnySetup, GameKind};
    use serde_json::{Value, json};

    use super::*;

    /// A game with made-up evaluations, of which some praise the move that was played; and its report.
    fn sample(kind: GameKind, seed: u32) -> Value {
        let mut game = Record::new(kind, &AnySetup::standard(kind)).expect("every game starts");
        let mut state = seed;
        let mut draw = |below: usize| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as usize % below
        };
        while game.outcome().is_none() && game.ply() < 40 {
            let moves = game.legal_moves();
            game.play(&moves[draw(moves.len())]).expect("it is legal");
        }
        let positions = positions(&game, 40);
        let mut evaluate = |position: &Arc<Record>| {
            position.outcome().is_none().then(|| {
                let legal = position.legal_moves();
                let best = match game.moves().get(position.ply() as usize) {
                    Some(played) if draw(3) == 0 => played.to_string(),
                    _ => legal[draw(legal.len())].clone(),
                };
                let scale = i32::try_from(verdict::scale(kind)).expect("it is small");
                let scores = [0, 1, -1, 3, -2, 20_000, 9_999_990, -9_999_983];
                let score = match scores[draw(scores.len())] {
                    small @ -9..=9 => small * scale / 3,
                    large => large,
                };
                Evaluation {
                    pv: vec![best.clone()],
                    best,
                    score,
                    proven: draw(7) == 0,
                    depth: 9,
                    nodes: 1_000,
                }
            })
        };
        let evaluations: Vec<Option<Evaluation>> = positions.iter().map(&mut evaluate).collect();
        let moves: Vec<String> = game.moves().iter().map(ToString::to_string).collect();
        let mut report = json!(judge(&positions, &evaluations));
        // The page and this program may differ in the last digits.
        let round = |value: &mut Value| {
            if let Some(number) = value.as_f64() {
                *value = json!((number * 1e9).round() / 1e9);
            }
        };
        for position in report["positions"].as_array_mut().expect("positions") {
            position.get_mut("loss").map(round);
        }
        for side in ["first", "second"] {
            round(&mut report["sides"][side]["accuracy"]);
        }
        json!({ "game": kind, "moves": moves, "report": report })
    }

    #[test]
    fn a_long_game_is_cut_off_and_its_last_position_has_no_loss() {
        let kind = GameKind::Mawe;
        let mut game = Record::new(kind, &AnySetup::standard(kind)).expect("it starts");
        for _ in 0..9 {
            let moves = game.legal_moves();
            game.play(&moves[0]).expect("it is legal");
        }
        let positions = positions(&game, 6);
        let plies: Vec<u32> = positions.iter().map(|position| position.ply()).collect();
        assert_eq!(plies, [0, 1, 2, 3, 4, 5, 6]);
        assert_eq!(positions[6].moves(), &game.moves()[..6]);
        let evaluate = |position: &Arc<Record>| {
            let best = position.legal_moves()[0].clone();
            Some(Evaluation {
                pv: vec![best.clone()],
                best,
                score: 0,
                proven: false,
                depth: 1,
                nodes: 1,
            })
        };
        let evaluations: Vec<Option<Evaluation>> = positions.iter().map(evaluate).collect();
        let report = judge(&positions, &evaluations);
        let losses = report.positions.iter().filter_map(|position| position.loss);
        assert_eq!((report.positions.len(), losses.count()), (7, 6));
    }

    /// The page judges the same evaluations in `static/tests/analysis.test.js`.
    #[test]
    fn the_page_judges_as_this_program_does() {
        let games = [
            GameKind::Mawe,
            GameKind::Reversi,
            GameKind::Checkers,
            GameKind::Kalah,
            GameKind::Bao,
        ];
        let samples: Vec<Value> = (1..)
            .zip(games)
            .map(|(seed, kind)| sample(kind, seed))
            .collect();
        let mistakes = samples.iter().flat_map(|sample| {
            let positions = sample["report"]["positions"].as_array().expect("a list");
            positions
                .iter()
                .filter_map(|position| position.get("mistake"))
        });
        assert!(mistakes.count() > 20, "they show something");
        let path =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../static/tests/reports.golden.json");
        let text = serde_json::to_string(&samples).expect("plain JSON") + "\n";
        if std::env::var_os("MAWE_GOLDEN").is_some() {
            std::fs::write(&path, &text).expect("the file can be written");
        }
        let stored = std::fs::read_to_string(&path).expect("the file is there");
        assert!(
            stored == text,
            "make it anew: MAWE_GOLDEN=write cargo test -p mawe-server analysis::report"
        );
    }
}
