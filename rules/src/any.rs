//! The closed enums over all games, for positions, moves and setups that are stored, sent or exported.

use std::fmt;

use crate::error::{MoveParseError, PlayError, PositionError, SetupError};
use crate::games::checkers::{CheckersMove, CheckersPosition};
use crate::games::congkak::{CongkakMove, CongkakPosition, CongkakSetup, Form};
use crate::games::kalah::{KalahMove, KalahPosition, KalahSetup};
use crate::games::mawe::{MaweMove, MawePosition};
use crate::games::opening::Opening;
use crate::games::oware::{OwareMove, OwarePosition, OwareSetup};
use crate::games::reversi::{ReversiMove, ReversiPosition};
use crate::kind::GameKind;
use crate::perft;
use crate::position::Position;
use crate::setup::NoOptions;
use crate::vocab::{Outcome, Side};

/// A position of any game.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum AnyPosition {
    /// A position of Mawe!
    Mawe(MawePosition),
    /// A position of Reversi.
    Reversi(ReversiPosition),
    /// A position of American checkers.
    Checkers(CheckersPosition),
    /// A position of Kalah.
    Kalah(KalahPosition),
    /// A position of Oware.
    Oware(OwarePosition),
    /// A position of Congkak.
    Congkak(CongkakPosition),
}

/// A move of any game. Its text form is its notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AnyMove {
    /// A move of Mawe!
    Mawe(MaweMove),
    /// A move of Reversi.
    Reversi(ReversiMove),
    /// A move of American checkers.
    Checkers(CheckersMove),
    /// A move of Kalah.
    Kalah(KalahMove),
    /// A move of Oware.
    Oware(OwareMove),
    /// A move of Congkak.
    Congkak(CongkakMove),
}

/// A setup of any game. Its text form is `key=value` pairs joined with commas, empty for the
/// standard game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnySetup {
    /// A setup of Mawe!
    Mawe(NoOptions),
    /// A setup of Reversi.
    Reversi(NoOptions),
    /// A setup of American checkers.
    Checkers(NoOptions),
    /// A setup of Kalah.
    Kalah(KalahSetup),
    /// A setup of Oware.
    Oware(OwareSetup),
    /// A setup of Congkak.
    Congkak(CongkakSetup),
}

/// Evaluates one expression for the game of `$any`: `pos` is bound to the game's own position, and
/// `wrap` makes an [`AnyMove`] of its moves.
macro_rules! forward {
    ($any:expr, $pos:ident => $body:expr) => {
        match $any {
            AnyPosition::Mawe($pos) => $body,
            AnyPosition::Reversi($pos) => $body,
            AnyPosition::Checkers($pos) => $body,
            AnyPosition::Kalah($pos) => $body,
            AnyPosition::Oware($pos) => $body,
            AnyPosition::Congkak($pos) => $body,
        }
    };
    ($any:expr, $pos:ident, $wrap:ident => $body:expr) => {
        match $any {
            AnyPosition::Mawe($pos) => {
                let $wrap = AnyMove::Mawe;
                $body
            }
            AnyPosition::Reversi($pos) => {
                let $wrap = AnyMove::Reversi;
                $body
            }
            AnyPosition::Checkers($pos) => {
                let $wrap = AnyMove::Checkers;
                $body
            }
            AnyPosition::Kalah($pos) => {
                let $wrap = AnyMove::Kalah;
                $body
            }
            AnyPosition::Oware($pos) => {
                let $wrap = AnyMove::Oware;
                $body
            }
            AnyPosition::Congkak($pos) => {
                let $wrap = AnyMove::Congkak;
                $body
            }
        }
    };
}

impl AnyPosition {
    /// The position before the first ply.
    ///
    /// # Errors
    ///
    /// [`SetupError::UnknownOption`] if the setup is another game's; otherwise the error of the game
    /// itself.
    pub fn start(kind: GameKind, setup: &AnySetup) -> Result<Self, SetupError> {
        if setup.kind() != kind {
            return Err(SetupError::UnknownOption);
        }
        Ok(match setup {
            AnySetup::Mawe(setup) => Self::Mawe(MawePosition::from_setup(setup)?),
            AnySetup::Reversi(setup) => Self::Reversi(ReversiPosition::from_setup(setup)?),
            AnySetup::Checkers(setup) => Self::Checkers(CheckersPosition::from_setup(setup)?),
            AnySetup::Kalah(setup) => Self::Kalah(KalahPosition::from_setup(setup)?),
            AnySetup::Oware(setup) => Self::Oware(OwarePosition::from_setup(setup)?),
            AnySetup::Congkak(setup) => Self::Congkak(CongkakPosition::from_setup(setup)?),
        })
    }

    /// Reads a position string of the given game.
    ///
    /// # Errors
    ///
    /// [`PositionError`], with the fault and its offset.
    pub fn parse(kind: GameKind, text: &str) -> Result<Self, PositionError> {
        Ok(match kind {
            GameKind::Mawe => Self::Mawe(text.parse()?),
            GameKind::Reversi => Self::Reversi(text.parse()?),
            GameKind::Checkers => Self::Checkers(text.parse()?),
            GameKind::Kalah => Self::Kalah(text.parse()?),
            GameKind::Oware => Self::Oware(text.parse()?),
            GameKind::Congkak => Self::Congkak(text.parse()?),
        })
    }

    /// The game of this position.
    pub fn kind(&self) -> GameKind {
        fn kind<P: Position>(_: &P) -> GameKind {
            P::KIND
        }
        forward!(self, pos => kind(pos))
    }

    /// The side to move.
    pub fn turn(&self) -> Side {
        forward!(self, pos => pos.turn())
    }

    /// The result if the game is over by its own rules. House draws are decided by
    /// [`Record`](crate::Record).
    pub fn outcome(&self) -> Option<Outcome> {
        forward!(self, pos => pos.outcome())
    }

    /// The legal moves in the game's own order; empty when the game is over.
    pub fn legal_moves(&self) -> Vec<AnyMove> {
        forward!(self, pos, wrap => pos.legal_moves().into_iter().map(wrap).collect())
    }

    /// The pass, if it is the only legal ply here. Only some games have passes.
    pub fn forced_pass(&self) -> Option<AnyMove> {
        forward!(self, pos, wrap => pos.forced_pass().map(wrap))
    }

    /// Reads a move of this game, which need not be legal here.
    ///
    /// # Errors
    ///
    /// [`MoveParseError`] if the text is the notation of no move.
    pub fn parse_move(&self, text: &str) -> Result<AnyMove, MoveParseError> {
        fn parse<P: Position>(_: &P, text: &str) -> Result<P::Move, MoveParseError> {
            text.parse()
        }
        forward!(self, pos, wrap => parse(pos, text).map(wrap))
    }

    /// Plays the move written as `text`.
    ///
    /// # Errors
    ///
    /// The reason of the refusal; the position is then unchanged.
    pub fn play(&mut self, text: &str) -> Result<AnyMove, PlayError> {
        self.play_noting_progress(text).map(|(m, _)| m)
    }

    /// As [`play`](AnyPosition::play); also returns whether the move was quiet.
    pub(crate) fn play_noting_progress(
        &mut self,
        text: &str,
    ) -> Result<(AnyMove, bool), PlayError> {
        fn play<P: Position>(pos: &mut P, text: &str) -> Result<(P::Move, bool), PlayError> {
            match text.parse::<P::Move>() {
                Ok(m) if pos.is_legal(m) => {
                    let quiet = pos.is_quiet(m);
                    pos.play_unchecked(m);
                    Ok((m, quiet))
                }
                Ok(_) | Err(MoveParseError) => Err(pos.explain_illegal(text)),
            }
        }
        forward!(self, pos, wrap => play(pos, text).map(|(m, quiet)| (wrap(m), quiet)))
    }

    /// A hash of everything that equality compares, the same on every machine.
    pub fn zobrist(&self) -> u64 {
        forward!(self, pos => pos.zobrist())
    }

    /// The number of legal sequences of exactly `depth` plies from here, counted on `threads` threads;
    /// see [`perft`](mod@crate::perft).
    pub fn perft(&self, depth: u32, threads: usize) -> u64 {
        forward!(self, pos => perft::perft_threads(pos, depth, threads))
    }

    /// As [`perft`](AnyPosition::perft), with a table of earlier counts. [`Table`](perft::Table)
    /// describes the small risk of a wrong count.
    pub fn perft_hashed(&self, depth: u32, threads: usize, table: &perft::Table) -> u64 {
        if depth == 0 {
            return 1;
        }
        let counts = self.divide_hashed(depth, threads, table);
        counts.iter().map(|(_, nodes)| nodes).sum()
    }

    /// As [`divide`](AnyPosition::divide), with a table of earlier counts.
    pub fn divide_hashed(
        &self,
        depth: u32,
        threads: usize,
        table: &perft::Table,
    ) -> Vec<(AnyMove, u64)> {
        forward!(self, pos, wrap => {
            let counts = perft::divide_hashed(pos, depth, threads, table);
            counts.into_iter().map(|(m, nodes)| (wrap(m), nodes)).collect()
        })
    }

    /// The [`perft`](AnyPosition::perft) after each legal move, sorted by the moves' text; empty at
    /// depth 0.
    pub fn divide(&self, depth: u32, threads: usize) -> Vec<(AnyMove, u64)> {
        forward!(self, pos, wrap => {
            let counts = perft::divide(pos, depth, threads);
            counts.into_iter().map(|(m, nodes)| (wrap(m), nodes)).collect()
        })
    }

    /// The number of consecutive quiet plies that ends this game; `None` without such a limit.
    pub(crate) fn quiet_limit(&self) -> Option<u32> {
        fn limit<P: Position>(_: &P) -> Option<u32> {
            P::QUIET_LIMIT
        }
        forward!(self, pos => limit(pos))
    }

    /// See [`Position::third_occurrence`].
    pub(crate) fn third_occurrence(&mut self) -> Outcome {
        forward!(self, pos => pos.third_occurrence())
    }
}

impl fmt::Display for AnyPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        forward!(self, pos => pos.fmt(f))
    }
}

impl From<MawePosition> for AnyPosition {
    fn from(pos: MawePosition) -> Self {
        Self::Mawe(pos)
    }
}

impl From<ReversiPosition> for AnyPosition {
    fn from(pos: ReversiPosition) -> Self {
        Self::Reversi(pos)
    }
}

impl From<CheckersPosition> for AnyPosition {
    fn from(pos: CheckersPosition) -> Self {
        Self::Checkers(pos)
    }
}

impl From<KalahPosition> for AnyPosition {
    fn from(pos: KalahPosition) -> Self {
        Self::Kalah(pos)
    }
}

impl From<OwarePosition> for AnyPosition {
    fn from(pos: OwarePosition) -> Self {
        Self::Oware(pos)
    }
}

impl From<CongkakPosition> for AnyPosition {
    fn from(pos: CongkakPosition) -> Self {
        Self::Congkak(pos)
    }
}

impl AnyMove {
    /// The game of this move.
    pub fn kind(&self) -> GameKind {
        match self {
            AnyMove::Mawe(_) => GameKind::Mawe,
            AnyMove::Reversi(_) => GameKind::Reversi,
            AnyMove::Checkers(_) => GameKind::Checkers,
            AnyMove::Kalah(_) => GameKind::Kalah,
            AnyMove::Oware(_) => GameKind::Oware,
            AnyMove::Congkak(_) => GameKind::Congkak,
        }
    }
}

impl fmt::Display for AnyMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AnyMove::Mawe(m) => m.fmt(f),
            AnyMove::Reversi(m) => m.fmt(f),
            AnyMove::Checkers(m) => m.fmt(f),
            AnyMove::Kalah(m) => m.fmt(f),
            AnyMove::Oware(m) => m.fmt(f),
            AnyMove::Congkak(m) => m.fmt(f),
        }
    }
}

impl From<MaweMove> for AnyMove {
    fn from(m: MaweMove) -> Self {
        Self::Mawe(m)
    }
}

impl From<ReversiMove> for AnyMove {
    fn from(m: ReversiMove) -> Self {
        Self::Reversi(m)
    }
}

impl From<CheckersMove> for AnyMove {
    fn from(m: CheckersMove) -> Self {
        Self::Checkers(m)
    }
}

impl From<KalahMove> for AnyMove {
    fn from(m: KalahMove) -> Self {
        Self::Kalah(m)
    }
}

impl From<OwareMove> for AnyMove {
    fn from(m: OwareMove) -> Self {
        Self::Oware(m)
    }
}

impl From<CongkakMove> for AnyMove {
    fn from(m: CongkakMove) -> Self {
        Self::Congkak(m)
    }
}

impl AnySetup {
    /// The standard game.
    pub fn standard(kind: GameKind) -> Self {
        match kind {
            GameKind::Mawe => Self::Mawe(NoOptions),
            GameKind::Reversi => Self::Reversi(NoOptions),
            GameKind::Checkers => Self::Checkers(NoOptions),
            GameKind::Kalah => Self::Kalah(KalahSetup::default()),
            GameKind::Oware => Self::Oware(OwareSetup::default()),
            GameKind::Congkak => Self::Congkak(CongkakSetup::default()),
        }
    }

    /// Reads a setup of the given game. The empty text is the standard game.
    ///
    /// # Errors
    ///
    /// [`SetupError`] if the text is no setup of this game.
    pub fn parse(kind: GameKind, text: &str) -> Result<Self, SetupError> {
        Ok(match kind {
            GameKind::Mawe => Self::Mawe(text.parse()?),
            GameKind::Reversi => Self::Reversi(text.parse()?),
            GameKind::Checkers => Self::Checkers(text.parse()?),
            GameKind::Kalah => Self::Kalah(text.parse()?),
            GameKind::Oware => Self::Oware(text.parse()?),
            GameKind::Congkak => Self::Congkak(text.parse()?),
        })
    }

    /// The setup of rated play unless the players choose another: the standard game, but in Congkak its
    /// limited form (RULES.md section 7.3).
    pub fn rated(kind: GameKind) -> Self {
        match kind {
            GameKind::Congkak => Self::Congkak(CongkakSetup::single(Form::Limited)),
            kind => Self::standard(kind),
        }
    }

    /// Whether players may request a rated match of this setup. In Congkak that is the limited form from
    /// the usual start: in the traditional form the first player has too great an advantage, and a later
    /// round begins uneven (RULES.md section 7.3). In Kalah it is the standard game, because only its
    /// even openings are known. The opening is drawn; the players do not choose it.
    pub fn may_be_rated(&self) -> bool {
        let may = match self {
            AnySetup::Congkak(setup) => setup.form() == Form::Limited && setup.place().is_none(),
            AnySetup::Kalah(setup) => setup.seeds() == KalahSetup::default().seeds(),
            AnySetup::Mawe(_)
            | AnySetup::Reversi(_)
            | AnySetup::Checkers(_)
            | AnySetup::Oware(_) => true,
        };
        may && matches!(self.opening(), Opening::None | Opening::Drawn)
    }

    /// The opening; only Kalah and Congkak have openings.
    pub fn opening(&self) -> Opening {
        match self {
            AnySetup::Kalah(setup) => setup.opening(),
            AnySetup::Congkak(setup) => setup.opening(),
            AnySetup::Mawe(_)
            | AnySetup::Reversi(_)
            | AnySetup::Checkers(_)
            | AnySetup::Oware(_) => Opening::None,
        }
    }

    /// Returns this setup with another opening.
    ///
    /// # Errors
    ///
    /// [`SetupError::UnknownOption`] in a game without openings; otherwise the error of the game itself.
    pub fn with_opening(&self, opening: Opening) -> Result<Self, SetupError> {
        match self {
            AnySetup::Kalah(setup) => setup.with_opening(opening).map(Self::Kalah),
            AnySetup::Congkak(setup) => setup.with_opening(opening).map(Self::Congkak),
            AnySetup::Mawe(_)
            | AnySetup::Reversi(_)
            | AnySetup::Checkers(_)
            | AnySetup::Oware(_) => match opening {
                Opening::None => Ok(self.clone()),
                Opening::Drawn | Opening::Plies(_) => Err(SetupError::UnknownOption),
            },
        }
    }

    /// The game of this setup.
    pub fn kind(&self) -> GameKind {
        match self {
            AnySetup::Mawe(_) => GameKind::Mawe,
            AnySetup::Reversi(_) => GameKind::Reversi,
            AnySetup::Checkers(_) => GameKind::Checkers,
            AnySetup::Kalah(_) => GameKind::Kalah,
            AnySetup::Oware(_) => GameKind::Oware,
            AnySetup::Congkak(_) => GameKind::Congkak,
        }
    }
}

impl fmt::Display for AnySetup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AnySetup::Mawe(setup) => setup.fmt(f),
            AnySetup::Reversi(setup) => setup.fmt(f),
            AnySetup::Checkers(setup) => setup.fmt(f),
            AnySetup::Kalah(setup) => setup.fmt(f),
            AnySetup::Oware(setup) => setup.fmt(f),
            AnySetup::Congkak(setup) => setup.fmt(f),
        }
    }
}
