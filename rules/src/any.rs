//! The closed enums over all games, for positions, moves and setups that are stored, sent or exported.
//!
//! `games!` is the one list of the games; the other differences between games are in the traits [`Position`] and
//! [`SetupOptions`].

use std::fmt;

use crate::endgame_clocks::EndgameClocks;
use crate::error::{MoveParseError, PlayError, PositionError, SetupError};
use crate::games::bao::{BaoMove, BaoPosition, BaoSetup};
use crate::games::checkers::{CheckersMove, CheckersPosition, CheckersSetup};
use crate::games::congkak::{CongkakMove, CongkakPosition, CongkakSetup};
use crate::games::draughts::{
    BrazilianMove, BrazilianPosition, DraftiMove, DraftiPosition, InternationalMove,
    InternationalPosition, PoolMove, PoolPosition, RussianMove, RussianPosition,
};
use crate::games::kalah::{KalahMove, KalahPosition, KalahSetup};
use crate::games::mawe::{MaweMove, MawePosition, MaweSetup};
use crate::games::opening::Opening;
use crate::games::options::SetupOptions;
use crate::games::oware::{OwareMove, OwarePosition, OwareSetup};
use crate::games::pallanguzhi::{PallanguzhiMove, PallanguzhiPosition, PallanguzhiSetup};
use crate::games::reversi::{ReversiMove, ReversiPosition, ReversiSetup};
use crate::games::rounds::Next;
use crate::kind::GameKind;
use crate::perft;
use crate::position::Position;
use crate::setup::NoOptions;
use crate::vocab::{BySide, Outcome, Side};

/// Makes the three enums of the games listed, the functions with an arm for each game, and the macros `forward!` and `forward_moves!`.
/// `$d` is a dollar sign, for the variables of those macros.
macro_rules! games {
    ($d:tt $($game:ident: $position:ident, $move:ident, $setup:ident, $name:literal;)*) => {
        /// A position of any game.
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        pub enum AnyPosition {
            $(#[doc = concat!("A position of ", $name)] $game($position),)*
        }

        /// A move of any game. Its text form is its notation.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum AnyMove {
            $(#[doc = concat!("A move of ", $name)] $game($move),)*
        }

        /// A setup of any game. Its text form is `key=value` pairs joined with commas, empty for the
        /// standard game; that of a position is `position=` and the position string, which extends to the end of the text.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum AnySetup {
            $(#[doc = concat!("A setup of ", $name)] $game($setup),)*
            /// A position, of any game, as the start; see [`AnySetup::from_position`] and docs/decisions/0034-position-as-setup.md.
            Position(Box<AnyPosition>),
        }

        /// Evaluates one expression for the game of `$any`, with its contents bound to `$content`.
        macro_rules! forward {
            ($d any_type:ident: $d any:expr, $d content:ident => $d body:expr) => {
                match $d any { $($d any_type::$game($d content) => $d body,)* }
            };
        }

        /// As `forward!` for a position; `$wrap` makes an [`AnyMove`] of its moves.
        macro_rules! forward_moves {
            ($d any:expr, $d pos:ident, $d wrap:ident => $d body:expr) => {
                match $d any {
                    $(AnyPosition::$game($d pos) => {
                        let $d wrap = AnyMove::$game;
                        $d body
                    })*
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
                    $(AnySetup::$game(setup) => Self::$game($position::from_setup(setup)?),)*
                    AnySetup::Position(position) => (**position).clone(),
                })
            }

            /// Reads a position string of the given game.
            ///
            /// # Errors
            ///
            /// [`PositionError`], with the fault and its offset.
            pub fn parse(kind: GameKind, text: &str) -> Result<Self, PositionError> {
                Ok(match kind {
                    $(GameKind::$game => Self::$game(text.parse()?),)*
                })
            }

            /// The game of this position.
            pub fn kind(&self) -> GameKind {
                match self {
                    $(Self::$game(_) => GameKind::$game,)*
                }
            }
        }

        impl AnyMove {
            /// The game of this move.
            pub fn kind(&self) -> GameKind {
                match self {
                    $(Self::$game(_) => GameKind::$game,)*
                }
            }
        }

        impl AnySetup {
            /// The standard game.
            pub fn standard(kind: GameKind) -> Self {
                match kind {
                    $(GameKind::$game => Self::$game($setup::default()),)*
                }
            }

            /// The setup of pools, and of rated play unless the players choose another; see [`SetupOptions::usual`].
            pub fn usual(kind: GameKind) -> Self {
                match kind {
                    $(GameKind::$game => Self::$game(<$setup as SetupOptions>::usual()),)*
                }
            }

            /// The state of a match of rounds after the round of this setup; see [`SetupOptions::next_round`].
            pub(crate) fn next_round(&self, owned: BySide<u16>) -> Option<Next<Self>> {
                match self {
                    $(Self::$game(setup) => setup.next_round(owned).map(|next| next.map(Self::$game)),)*
                    Self::Position(_) => None,
                }
            }

            /// Reads a setup of the given game. The empty text is the standard game.
            ///
            /// # Errors
            ///
            /// [`SetupError`] if the text is no setup of this game.
            pub fn parse(kind: GameKind, text: &str) -> Result<Self, SetupError> {
                if let Some(position) = Self::position_text(text) {
                    let position = AnyPosition::parse(kind, position);
                    return position.map(Self::from_position).map_err(SetupError::Position);
                }
                Ok(match kind {
                    $(GameKind::$game => Self::$game(text.parse()?),)*
                })
            }

            /// Returns this setup with another opening.
            ///
            /// # Errors
            ///
            /// [`SetupError::UnknownOption`] in a game without openings; otherwise the error of the game itself.
            pub fn with_opening(&self, opening: Opening) -> Result<Self, SetupError> {
                match self {
                    $(Self::$game(setup) => SetupOptions::with_opening(setup, opening).map(Self::$game),)*
                    Self::Position(_) if opening == Opening::None => Ok(self.clone()),
                    Self::Position(_) => Err(SetupError::UnknownOption),
                }
            }

            /// Returns this setup with the opening of these plies, which are in the notation of the game.
            ///
            /// # Errors
            ///
            /// As those of [`with_opening`](AnySetup::with_opening); [`SetupError::BadValue`] for plies that are not an opening.
            pub fn with_opening_plies(&self, plies: &[String]) -> Result<Self, SetupError> {
                let written = match self {
                    $(Self::$game(_) => <$setup as SetupOptions>::OPENING,)*
                    Self::Position(_) => None,
                };
                self.with_opening(written.ok_or(SetupError::UnknownOption)?.opening(plies)?)
            }

            /// The plies of the opening, each in the notation of the game; none without an opening.
            pub fn opening_plies(&self) -> Vec<String> {
                let written = match self {
                    $(Self::$game(_) => <$setup as SetupOptions>::OPENING,)*
                    Self::Position(_) => None,
                };
                let opening = self.opening();
                let plies = written.map(|written| opening.plies(written));
                plies.unwrap_or_default().into_iter().map(str::to_owned).collect()
            }

            /// The game of this setup.
            pub fn kind(&self) -> GameKind {
                match self {
                    $(Self::$game(_) => GameKind::$game,)*
                    Self::Position(position) => position.kind(),
                }
            }
        }

        /// As `forward!` for the options of a setup, with another expression for a position.
        macro_rules! forward_setup {
            ($d any:expr, $d content:ident => $d body:expr, Position($d position:pat) => $d other:expr) => {
                match $d any {
                    $(AnySetup::$game($d content) => $d body,)*
                    AnySetup::Position($d position) => $d other,
                }
            };
        }

        $(
            impl From<$position> for AnyPosition {
                fn from(pos: $position) -> Self {
                    Self::$game(pos)
                }
            }

            impl From<$move> for AnyMove {
                fn from(m: $move) -> Self {
                    Self::$game(m)
                }
            }
        )*
    };
}

games! { $
    Mawe: MawePosition, MaweMove, MaweSetup, "Mawe!";
    Reversi: ReversiPosition, ReversiMove, ReversiSetup, "Reversi.";
    Checkers: CheckersPosition, CheckersMove, CheckersSetup, "American checkers.";
    Drafti: DraftiPosition, DraftiMove, NoOptions, "Drafti ya Kitanzania.";
    Brazilian: BrazilianPosition, BrazilianMove, NoOptions, "Brazilian draughts.";
    Russian: RussianPosition, RussianMove, NoOptions, "Russian draughts.";
    International: InternationalPosition, InternationalMove, NoOptions, "international draughts.";
    Pool: PoolPosition, PoolMove, NoOptions, "pool checkers.";
    Kalah: KalahPosition, KalahMove, KalahSetup, "Kalah.";
    Oware: OwarePosition, OwareMove, OwareSetup, "Oware.";
    Congkak: CongkakPosition, CongkakMove, CongkakSetup, "Congkak.";
    Bao: BaoPosition, BaoMove, BaoSetup, "Bao.";
    Pallanguzhi: PallanguzhiPosition, PallanguzhiMove, PallanguzhiSetup, "Pallanguzhi.";
}

/// A ply of a game.
pub(crate) struct Played {
    pub(crate) m: AnyMove,
    /// Whether it made no progress; see [`Position::is_quiet`].
    pub(crate) quiet: bool,
    /// Whether a clock of an ending has reached its limit.
    pub(crate) at_limit: bool,
}

impl AnyPosition {
    /// The side to move.
    pub fn turn(&self) -> Side {
        forward!(AnyPosition: self, pos => pos.turn())
    }

    /// The result if the game is over by its own rules. House draws are decided by
    /// [`Record`](crate::Record).
    pub fn outcome(&self) -> Option<Outcome> {
        forward!(AnyPosition: self, pos => pos.outcome())
    }

    /// The legal moves in the game's own order; empty when the game is over.
    pub fn legal_moves(&self) -> Vec<AnyMove> {
        forward_moves!(self, pos, wrap => pos.legal_moves().into_iter().map(wrap).collect())
    }

    /// The texts of the legal moves in the game's own order; empty when the game is over.
    pub(crate) fn legal_texts(&self) -> Vec<String> {
        forward!(AnyPosition: self, pos => pos.legal_moves().iter().map(ToString::to_string).collect())
    }

    /// The pass, if it is the only legal ply here. Only some games have passes.
    pub fn forced_pass(&self) -> Option<AnyMove> {
        forward_moves!(self, pos, wrap => pos.forced_pass().map(wrap))
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
        forward_moves!(self, pos, wrap => parse(pos, text).map(wrap))
    }

    /// The listed text of a legal move that is written with another path; see [`Position::listed_path`].
    pub(crate) fn listed_path(&self, text: &str) -> Option<String> {
        fn listed<P: Position>(pos: &P, text: &str) -> Option<String> {
            let m = pos.listed_path(text.parse().ok()?)?;
            Some(m.to_string())
        }
        forward!(AnyPosition: self, pos => listed(pos, text))
    }

    /// Plays the move written as `text`.
    ///
    /// # Errors
    ///
    /// The reason of the refusal; the position is then unchanged.
    pub fn play(&mut self, text: &str) -> Result<AnyMove, PlayError> {
        let played = self.play_in_game(text, &mut EndgameClocks::default())?;
        Ok(played.m)
    }

    /// As [`play`](AnyPosition::play) in a game with these clocks; also returns the counts of the rules.
    pub(crate) fn play_in_game(
        &mut self,
        text: &str,
        clocks: &mut EndgameClocks,
    ) -> Result<Played, PlayError> {
        fn play<P: Position>(
            pos: &mut P,
            text: &str,
            clocks: &mut EndgameClocks,
            wrap: fn(P::Move) -> AnyMove,
        ) -> Result<Played, PlayError> {
            match text.parse::<P::Move>() {
                Ok(m) if pos.is_legal(m) => Ok(Played {
                    quiet: pos.is_quiet(m),
                    at_limit: pos.play_with_clocks(m, clocks),
                    m: wrap(m),
                }),
                Ok(_) | Err(MoveParseError) => Err(pos.explain_illegal(text)),
            }
        }
        forward_moves!(self, pos, wrap => play(pos, text, clocks, wrap))
    }

    /// See [`Position::endgame_clocks`].
    pub(crate) fn endgame_clocks(&self) -> EndgameClocks {
        forward!(AnyPosition: self, pos => pos.endgame_clocks())
    }

    /// A hash of everything that equality compares, the same on every machine.
    pub fn zobrist(&self) -> u64 {
        forward!(AnyPosition: self, pos => pos.zobrist())
    }

    /// The number of legal sequences of exactly `depth` plies from here, counted on `threads` threads;
    /// see [`perft`](mod@crate::perft).
    pub fn perft(&self, depth: u32, threads: usize) -> u64 {
        forward!(AnyPosition: self, pos => perft::perft_threads(pos, depth, threads))
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
        forward_moves!(self, pos, wrap => {
            let counts = perft::divide_hashed(pos, depth, threads, table);
            counts.into_iter().map(|(m, nodes)| (wrap(m), nodes)).collect()
        })
    }

    /// The [`perft`](AnyPosition::perft) after each legal move, sorted by the moves' text; empty at
    /// depth 0.
    pub fn divide(&self, depth: u32, threads: usize) -> Vec<(AnyMove, u64)> {
        forward_moves!(self, pos, wrap => {
            let counts = perft::divide(pos, depth, threads);
            counts.into_iter().map(|(m, nodes)| (wrap(m), nodes)).collect()
        })
    }

    /// The number of consecutive quiet plies that ends this game; `None` without such a limit.
    pub(crate) fn quiet_limit(&self) -> Option<u32> {
        fn limit<P: Position>(_: &P) -> Option<u32> {
            P::QUIET_LIMIT
        }
        forward!(AnyPosition: self, pos => limit(pos))
    }

    /// See [`Position::third_occurrence`].
    pub(crate) fn third_occurrence(&mut self) -> Outcome {
        forward!(AnyPosition: self, pos => pos.third_occurrence())
    }
}

impl AnySetup {
    /// The key of a position in the text form, with the sign after it.
    const POSITION: &str = "position=";

    /// The game from a position. The start of the standard game is the standard setup, so that equal games have equal setups.
    pub fn from_position(position: AnyPosition) -> Self {
        let standard = Self::standard(position.kind());
        match AnyPosition::start(position.kind(), &standard).as_ref() == Ok(&position) {
            true => standard,
            false => Self::Position(Box::new(position)),
        }
    }

    /// The position string in the text form of a setup; `None` if the text is that of options. The position is not read.
    pub fn position_text(text: &str) -> Option<&str> {
        text.strip_prefix(Self::POSITION)
    }

    /// Whether players may request a rated match of this setup; see [`SetupOptions::may_be_rated`]. The opening is drawn; the
    /// players do not choose it, and no other position.
    pub fn may_be_rated(&self) -> bool {
        forward_setup!(self, setup => setup.may_be_rated(), Position(_) => false)
            && matches!(self.opening(), Opening::None | Opening::Drawn)
    }

    /// Whether this is the setup of a round of a match of rounds.
    pub(crate) fn is_round(&self) -> bool {
        forward_setup!(self, setup => setup.is_round(), Position(_) => false)
    }

    /// The opening; [`Opening::None`] in a game without openings, and from a position.
    pub fn opening(&self) -> Opening {
        forward_setup!(self, setup => SetupOptions::opening(setup), Position(_) => Opening::None)
    }
}

impl fmt::Display for AnyPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        forward!(AnyPosition: self, pos => pos.fmt(f))
    }
}

impl fmt::Display for AnyMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        forward!(AnyMove: self, m => m.fmt(f))
    }
}

impl fmt::Display for AnySetup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        forward_setup!(self, setup => setup.fmt(f), Position(position) => {
            f.pad(&format!("{}{position}", Self::POSITION))
        })
    }
}
