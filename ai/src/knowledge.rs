//! The knowledge of the engine about each game besides its rules.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, OnceLock, PoisonError, RwLock};

use mawe_rules::games::bao::BaoPosition;
use mawe_rules::games::checkers::CheckersPosition;
use mawe_rules::games::congkak::CongkakPosition;
use mawe_rules::games::draughts::{
    Brazilian, BrazilianPosition, Drafti, DraftiPosition, InternationalPosition, Pool,
    PoolPosition, Russian, RussianPosition,
};
use mawe_rules::games::kalah::KalahPosition;
use mawe_rules::games::mawe::MawePosition;
use mawe_rules::games::oware::OwarePosition;
use mawe_rules::games::pallanguzhi::PallanguzhiPosition;
use mawe_rules::games::reversi::ReversiPosition;
use mawe_rules::{AnyMove, AnyPosition, GameKind};

use crate::book::Book;
use crate::endgame::{CheckersDatabase, DraughtsDatabase, KalahDatabase, OwareDatabase};
use crate::eval::{Evaluate, Learn};
use crate::weights::{BadWeights, Weights};

type Known<P> = <P as Evaluate>::Known;

/// The weights that are part of the program, made by `lab learn` and `lab reversi-train`; see docs/engine.md.
const WEIGHTS: &[(GameKind, &[u8])] = &[
    (GameKind::Mawe, include_bytes!("../weights/mawe.weights")),
    (
        GameKind::Reversi,
        include_bytes!("../weights/reversi.weights"),
    ),
    (
        GameKind::Checkers,
        include_bytes!("../weights/checkers.weights"),
    ),
    (
        GameKind::Drafti,
        include_bytes!("../weights/drafti.weights"),
    ),
    (
        GameKind::Brazilian,
        include_bytes!("../weights/brazilian.weights"),
    ),
    (
        GameKind::Russian,
        include_bytes!("../weights/russian.weights"),
    ),
    (
        GameKind::International,
        include_bytes!("../weights/international.weights"),
    ),
    (GameKind::Pool, include_bytes!("../weights/pool.weights")),
    (GameKind::Kalah, include_bytes!("../weights/kalah.weights")),
    (GameKind::Oware, include_bytes!("../weights/oware.weights")),
    (
        GameKind::Congkak,
        include_bytes!("../weights/congkak.weights"),
    ),
    (GameKind::Bao, include_bytes!("../weights/bao.weights")),
];

/// The opening books that are part of the program, made by `lab book`.
const BOOKS: &[(GameKind, &str)] = &[
    (GameKind::Mawe, include_str!("../weights/mawe.book")),
    (GameKind::Reversi, include_str!("../weights/reversi.book")),
    (GameKind::Checkers, include_str!("../weights/checkers.book")),
    (GameKind::Drafti, include_str!("../weights/drafti.book")),
    (
        GameKind::Brazilian,
        include_str!("../weights/brazilian.book"),
    ),
    (GameKind::Russian, include_str!("../weights/russian.book")),
    (
        GameKind::International,
        include_str!("../weights/international.book"),
    ),
    (GameKind::Pool, include_str!("../weights/pool.book")),
    (GameKind::Kalah, include_str!("../weights/kalah.book")),
    (GameKind::Oware, include_str!("../weights/oware.book")),
    (GameKind::Congkak, include_str!("../weights/congkak.book")),
    (GameKind::Bao, include_str!("../weights/bao.book")),
];

fn read<P: Learn>(file: &[u8]) -> Result<Known<P>, BadWeights> {
    Weights::read(file, P::KIND, P::WEIGHTS).map(P::knowing)
}

/// The endgame databases, each as far as its files were found.
#[derive(Clone, Default)]
pub struct Endgames {
    /// American checkers with few pieces.
    pub checkers: Arc<CheckersDatabase>,
    /// Drafti with few pieces.
    pub drafti: Arc<DraughtsDatabase<Drafti>>,
    /// Brazilian draughts with few pieces.
    pub brazilian: Arc<DraughtsDatabase<Brazilian>>,
    /// Russian draughts with few pieces.
    pub russian: Arc<DraughtsDatabase<Russian>>,
    /// Pool checkers with few pieces.
    pub pool: Arc<DraughtsDatabase<Pool>>,
    /// Kalah with few seeds in the houses.
    pub kalah: Arc<KalahDatabase>,
    /// Oware with few seeds on the board.
    pub oware: Arc<OwareDatabase>,
}

static BUILT_IN: OnceLock<RwLock<Arc<Knowledge>>> = OnceLock::new();

/// The knowledge of all games, which is immutable once searches share it.
#[derive(Default)]
pub struct Knowledge {
    pub(crate) mawe: Known<MawePosition>,
    pub(crate) reversi: Known<ReversiPosition>,
    pub(crate) checkers: Known<CheckersPosition>,
    pub(crate) drafti: Known<DraftiPosition>,
    pub(crate) brazilian: Known<BrazilianPosition>,
    pub(crate) russian: Known<RussianPosition>,
    pub(crate) international: Known<InternationalPosition>,
    pub(crate) pool: Known<PoolPosition>,
    pub(crate) kalah: Known<KalahPosition>,
    pub(crate) oware: Known<OwarePosition>,
    pub(crate) congkak: Known<CongkakPosition>,
    pub(crate) bao: Known<BaoPosition>,
    pub(crate) pallanguzhi: Known<PallanguzhiPosition>,
    books: HashMap<GameKind, Book>,
}

impl Knowledge {
    /// The knowledge of a player with the rules and a few rules of thumb: evaluations by hand, nothing else.
    /// The levels with errors use no more, so that their measured strength remains valid.
    pub fn by_hand() -> &'static Arc<Self> {
        static BY_HAND: LazyLock<Arc<Knowledge>> = LazyLock::new(Arc::default);
        &BY_HAND
    }

    /// Adds these endgame databases to [`built_in`](Knowledge::built_in), in place of earlier ones. Searches that have begun go on
    /// without them.
    pub fn install(endgames: &Endgames) {
        let knowledge = Arc::new(Knowledge::read_embedded().with(endgames));
        let current = BUILT_IN.get_or_init(|| RwLock::new(Arc::clone(&knowledge)));
        *current.write().unwrap_or_else(PoisonError::into_inner) = knowledge;
    }

    /// The knowledge that is part of the program, with the [installed](Knowledge::install) endgame databases.
    pub fn built_in() -> Arc<Self> {
        let current = BUILT_IN.get_or_init(|| RwLock::new(Knowledge::embedded()));
        Arc::clone(&current.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// The knowledge that is part of the program, without endgame databases: the same on every machine.
    pub fn embedded() -> Arc<Self> {
        static EMBEDDED: LazyLock<Arc<Knowledge>> =
            LazyLock::new(|| Arc::new(Knowledge::read_embedded()));
        Arc::clone(&EMBEDDED)
    }

    /// As [`Knowledge::built_in`], with the weights of one game from a file.
    ///
    /// # Errors
    ///
    /// [`BadWeights`], with the fault of the file.
    pub fn built_in_with(kind: GameKind, file: &[u8]) -> Result<Self, BadWeights> {
        let mut knowledge = Self::read_embedded();
        knowledge.set_weights(kind, file)?;
        Ok(knowledge.with(&Self::built_in().endgames()))
    }

    fn read_embedded() -> Self {
        let mut knowledge = Self::default();
        for (kind, file) in WEIGHTS {
            // A test reads all weights; without them the engine evaluates by hand.
            let _ = knowledge.set_weights(*kind, file);
        }
        for (kind, text) in BOOKS {
            if let Ok(book) = Book::read(text, *kind) {
                knowledge.books.insert(*kind, book);
            }
        }
        knowledge
    }

    fn endgames(&self) -> Endgames {
        Endgames {
            checkers: Arc::clone(&self.checkers.endgame),
            drafti: Arc::clone(&self.drafti.endgame),
            brazilian: Arc::clone(&self.brazilian.endgame),
            russian: Arc::clone(&self.russian.endgame),
            pool: Arc::clone(&self.pool.endgame),
            kalah: Arc::clone(&self.kalah.endgame),
            oware: Arc::clone(&self.oware.endgame),
        }
    }

    /// Returns this knowledge with these endgame databases.
    #[must_use]
    pub fn with(mut self, endgames: &Endgames) -> Self {
        let Endgames {
            checkers,
            drafti,
            brazilian,
            russian,
            pool,
            kalah,
            oware,
        } = endgames.clone();
        self.checkers.endgame = checkers;
        self.drafti.endgame = drafti;
        self.brazilian.endgame = brazilian;
        self.russian.endgame = russian;
        self.pool.endgame = pool;
        self.kalah.endgame = kalah;
        self.oware.endgame = oware;
        self
    }

    /// One of the book moves of a position; `None` if the position is not in the book.
    pub(crate) fn opening(&self, pos: &AnyPosition, seed: u64) -> Option<AnyMove> {
        self.books.get(&pos.kind())?.reply(pos, seed)
    }

    fn set_weights(&mut self, kind: GameKind, file: &[u8]) -> Result<(), BadWeights> {
        match kind {
            GameKind::Mawe => self.mawe = read::<MawePosition>(file)?,
            GameKind::Reversi => self.reversi = crate::reversi::Known::read(file)?,
            GameKind::Checkers => self.checkers = read::<CheckersPosition>(file)?,
            GameKind::Drafti => self.drafti = read::<DraftiPosition>(file)?,
            GameKind::Brazilian => self.brazilian = read::<BrazilianPosition>(file)?,
            GameKind::Russian => self.russian = read::<RussianPosition>(file)?,
            GameKind::International => self.international = read::<InternationalPosition>(file)?,
            GameKind::Pool => self.pool = read::<PoolPosition>(file)?,
            GameKind::Kalah => self.kalah = read::<KalahPosition>(file)?,
            GameKind::Oware => self.oware = read::<OwarePosition>(file)?,
            GameKind::Congkak => self.congkak = read::<CongkakPosition>(file)?,
            GameKind::Bao => self.bao = read::<BaoPosition>(file)?,
            // Its evaluation is by hand only.
            GameKind::Pallanguzhi => return Err(BadWeights::Game),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::endgame::Database;

    #[test]
    fn later_searches_have_the_databases_that_are_installed_meanwhile() {
        let before = Knowledge::built_in();
        assert_eq!(before.kalah.endgame.seeds(), None);
        for seeds in [2, 3] {
            Knowledge::install(&Endgames {
                kalah: Arc::new(KalahDatabase::solved(seeds, 1)),
                ..Endgames::default()
            });
            assert_eq!(Knowledge::built_in().kalah.endgame.seeds(), Some(seeds));
            let file = WEIGHTS.iter().find(|(kind, _)| *kind == GameKind::Kalah);
            let (kind, file) = file.expect("it has weights");
            let with_file = Knowledge::built_in_with(*kind, file).expect("weights");
            assert_eq!(with_file.kalah.endgame.seeds(), Some(seeds));
        }
        assert_eq!(
            before.kalah.endgame.seeds(),
            None,
            "a search that has begun"
        );
    }

    #[test]
    fn what_comes_with_the_program_can_be_used() {
        for (kind, file) in WEIGHTS {
            let set = Knowledge::default().set_weights(*kind, file);
            assert_eq!(set, Ok(()), "the weights of {kind}");
        }
        for (kind, text) in BOOKS {
            assert!(Book::read(text, *kind).is_ok(), "the openings of {kind}");
        }
    }
}
