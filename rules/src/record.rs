//! A game with its history: the start, the moves, and the rules that depend on them (repetition,
//! the quiet limit, the rounds of a match).

use crate::any::{AnyMove, AnyPosition, AnySetup, Played};
use crate::endgame_clocks::EndgameClocks;
use crate::error::{PlayError, SetupError};
use crate::games::opening::Opening;
use crate::games::rounds::Next;
use crate::kind::GameKind;
use crate::vocab::{BySide, Outcome, Reason, Side};

/// The number of occurrences of a position that ends the game.
pub const OCCURRENCES_TO_END: u32 = 3;

/// One game from its start to its current position, with house draws (RULES.md section 0).
///
/// A match of rounds of Congkak (RULES.md section 7.1) or Pallanguzhi (RULES-pallanguzhi.md section 4) is
/// one record: after the ply that ends a round, the position is the start of the next round. The
/// score of the result is the seeds that each side owns after the last round, or has won in both
/// rounds of a pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    setup: AnySetup,
    start: AnyPosition,
    position: AnyPosition,
    moves: Vec<AnyMove>,
    /// The positions before each of the last quiet plies, the only ones that can occur again. Their
    /// number is the count of quiet plies.
    since_progress: Vec<AnyPosition>,
    /// The clocks of the limits of endings.
    clocks: EndgameClocks,
    /// The rounds, if the setup is that of a match of rounds.
    rounds: Option<Box<Rounds>>,
    outcome: Option<Outcome>,
}

/// The rounds of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Rounds {
    played: Vec<PlayedRound>,
    /// The setup of the current round.
    setup: AnySetup,
    /// The position before the first ply of the current round.
    start: AnyPosition,
    /// The number of plies before the current round.
    plies: usize,
}

/// A finished round of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedRound {
    /// The setup from which the round started.
    pub setup: AnySetup,
    /// The score of the round: the seeds that each side had at its end.
    pub score: BySide<u16>,
}

impl Record {
    /// A new game.
    ///
    /// # Errors
    ///
    /// The errors of [`AnyPosition::start`].
    pub fn new(kind: GameKind, setup: &AnySetup) -> Result<Self, SetupError> {
        let start = AnyPosition::start(kind, setup)?;
        Ok(Self::begin(setup.clone(), start))
    }

    /// A game that starts from the given position, which counts as its first occurrence. Earlier
    /// moves are unknown, and the setup is [`AnySetup::from_position`].
    pub fn from_position(position: AnyPosition) -> Self {
        Self::begin(AnySetup::from_position(position.clone()), position)
    }

    pub(crate) fn begin(setup: AnySetup, start: AnyPosition) -> Self {
        let rounds = setup.is_round().then(|| Rounds {
            played: Vec::new(),
            setup: setup.clone(),
            start: start.clone(),
            plies: 0,
        });
        Self {
            setup,
            rounds: rounds.map(Box::new),
            outcome: start.outcome(),
            clocks: start.endgame_clocks(),
            position: start.clone(),
            start,
            moves: Vec::new(),
            since_progress: Vec::new(),
        }
    }

    /// The game.
    pub fn kind(&self) -> GameKind {
        self.position.kind()
    }

    /// The clocks of the limits of endings.
    pub fn endgame_clocks(&self) -> EndgameClocks {
        self.clocks
    }

    /// The setup of the game.
    pub fn setup(&self) -> &AnySetup {
        &self.setup
    }

    /// The position before the first ply.
    pub fn start(&self) -> &AnyPosition {
        &self.start
    }

    /// The current position.
    pub fn position(&self) -> &AnyPosition {
        &self.position
    }

    /// The side to move. In a finished game, the side that would be next.
    pub fn turn(&self) -> Side {
        self.position.turn()
    }

    /// The number of plies played, including passes.
    pub fn ply(&self) -> u32 {
        u32::try_from(self.moves.len()).unwrap_or(u32::MAX)
    }

    /// The plies played, in order.
    pub fn moves(&self) -> &[AnyMove] {
        &self.moves
    }

    /// The finished rounds of a match, in order; `None` if the setup is not that of a match of rounds.
    pub fn rounds(&self) -> Option<&[PlayedRound]> {
        self.rounds.as_ref().map(|rounds| rounds.played.as_slice())
    }

    /// The setup of the current round; that of the game if it has no rounds.
    pub fn round_setup(&self) -> &AnySetup {
        self.rounds
            .as_ref()
            .map_or(&self.setup, |rounds| &rounds.setup)
    }

    /// The position before the first ply of the current round; the start of the game if it has no
    /// rounds.
    pub fn round_start(&self) -> &AnyPosition {
        self.rounds
            .as_ref()
            .map_or(&self.start, |rounds| &rounds.start)
    }

    /// The plies of the current round, in order; all plies if the game has no rounds.
    pub fn round_moves(&self) -> &[AnyMove] {
        let before = self.rounds.as_ref().map_or(0, |rounds| rounds.plies);
        &self.moves[before..]
    }

    /// The result if the game is over: by the game's own rules first, then the third occurrence,
    /// then the quiet limit, then the limits of endings.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// The number of times that the current position has occurred, this one included; with
    /// [`OCCURRENCES_TO_END`] the game is over.
    pub fn occurrences(&self) -> u32 {
        let earlier = self.since_progress.iter().filter(|p| **p == self.position);
        u32::try_from(earlier.count() + 1).unwrap_or(u32::MAX)
    }

    /// The number of consecutive quiet plies before the current position.
    pub fn quiet_plies(&self) -> u32 {
        u32::try_from(self.since_progress.len()).unwrap_or(u32::MAX)
    }

    /// The number of consecutive quiet plies with which the game is drawn; `None` without such a limit.
    pub fn quiet_limit(&self) -> Option<u32> {
        self.position.quiet_limit()
    }

    /// The legal moves as text, sorted in ASCII order; empty when the game is over.
    pub fn legal_moves(&self) -> Vec<String> {
        if self.outcome.is_some() {
            return Vec::new();
        }
        let mut texts = self.position.legal_texts();
        texts.sort_unstable();
        texts
    }

    /// The pass, if it is the only legal ply. Only some games have passes.
    pub fn forced_pass(&self) -> Option<AnyMove> {
        match self.outcome {
            Some(_) => None,
            None => self.position.forced_pass(),
        }
    }

    /// Plays the move written as `text`.
    ///
    /// # Errors
    ///
    /// [`PlayError::GameOver`] when the game is over, otherwise the reason of the refusal. The
    /// record is then unchanged.
    pub fn play(&mut self, text: &str) -> Result<AnyMove, PlayError> {
        if self.outcome.is_some() {
            return Err(PlayError::GameOver);
        }
        let mut next = self.position.clone();
        let Played { m, quiet, at_limit } = next.play_in_game(text, &mut self.clocks)?;
        let before = std::mem::replace(&mut self.position, next);
        if quiet {
            self.since_progress.push(before);
        } else {
            self.since_progress.clear();
        }
        self.moves.push(m);
        self.outcome = self
            .position
            .outcome()
            .or_else(|| self.house_draw(at_limit));
        self.begin_next_round();
        Ok(m)
    }

    /// After the last ply of a round, sets up the board of the next one, or makes the result of the round that of the match.
    fn begin_next_round(&mut self) {
        let (Some(rounds), Some(outcome)) = (&mut self.rounds, self.outcome) else {
            return;
        };
        let Some(score) = outcome.score else {
            return;
        };
        // A round from a given position may lack some of the seeds; no other round follows it.
        let Some(next) = rounds.setup.next_round(score) else {
            return;
        };
        rounds.played.push(PlayedRound {
            setup: rounds.setup.clone(),
            score,
        });
        match next {
            Next::Over(owned) => self.outcome = Some(Outcome::by_score(owned, outcome.reason)),
            Next::Round(setup) => {
                let start = AnyPosition::start(setup.kind(), &setup)
                    .expect("what follows from a round is a setup");
                rounds.setup = setup;
                rounds.start = start.clone();
                rounds.plies = self.moves.len();
                self.position = start;
                self.since_progress.clear();
                self.outcome = None;
            }
        }
    }

    /// The same game with the plies of its opening as its first plies, for formats in which a game begins at the usual start; `None`
    /// without an opening, or if the game does not begin after it.
    pub(crate) fn with_opening_played(&self) -> Option<Self> {
        let opening = self.setup.opening_plies();
        let is_after = AnyPosition::start(self.kind(), &self.setup).as_ref() == Ok(&self.start);
        if opening.is_empty() || !is_after {
            return None;
        }
        let setup = self.setup.with_opening(Opening::None).ok()?;
        let mut whole = Self::new(self.kind(), &setup).ok()?;
        let played = self.moves.iter().map(AnyMove::to_string);
        for ply in opening.into_iter().chain(played) {
            whole.play(&ply).ok()?;
        }
        Some(whole)
    }

    /// Takes back the last `plies` plies, or all if there are fewer; returns their number.
    ///
    /// The record is then as it was before those plies. The remaining plies are played again, so
    /// that no state of the removed ones is left over.
    pub fn retreat(&mut self, plies: u32) -> u32 {
        let back = plies.min(self.ply());
        let keep = self.moves.len() - usize::try_from(back).unwrap_or(self.moves.len());
        let mut earlier = Self::begin(self.setup.clone(), self.start.clone());
        for m in &self.moves[..keep] {
            let replayed = earlier.play(&m.to_string());
            replayed.expect("a recorded move was legal when it was played");
        }
        *self = earlier;
        back
    }

    /// Applies the house rules, after the game's own end (RULES.md section 0, order of checks).
    fn house_draw(&mut self, is_at_endgame_limit: bool) -> Option<Outcome> {
        if self.occurrences() >= OCCURRENCES_TO_END {
            return Some(self.position.third_occurrence());
        }
        let quiet = self.quiet_plies();
        match self.quiet_limit() {
            Some(limit) if quiet >= limit => Some(Outcome::draw(Reason::QuietLimit)),
            Some(_) | None => is_at_endgame_limit.then(|| Outcome::draw(Reason::EndgameLimit)),
        }
    }
}
