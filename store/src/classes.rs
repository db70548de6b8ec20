//! Classes: clubs whose teachers make the accounts of their pupils, with login cards and rules.

use async_trait::async_trait;
use mawe_rules::BySide;
use mawe_wire::Look;
use mawe_wire::PlayerKind;
use mawe_wire::clubs::{CardState, ClassRules, ClassRulesEdition};
use mawe_wire::ids::{ClubId, PlayerId, TokenHash};

use crate::{Player, StoreError};

/// Classes.
///
/// A pupil is a member of the class that has made the account, and is no officer of it. Each pupil has one open login card at most. The store
/// holds only the SHA-256 of its code.
#[async_trait]
pub trait Classes: Send + Sync {
    /// Makes accounts of pupils with their login cards, all of them or none. The limit of pupils holds for concurrent calls.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] when there is no such class; [`StoreError::Club`]; [`StoreError::Conflict`] when a name is taken by a
    /// concurrent call.
    async fn make_pupils(
        &self,
        class: &ClubId,
        by: &PlayerId,
        new: &NewPupils,
        max_pupils: u32,
    ) -> Result<PupilsMade, StoreError>;

    /// Gives pupils new login cards in the place of the older ones, and ends their passwords, passkeys, recovery codes, sessions and tokens; for
    /// all of them or none. Returns the hashes of the ended sessions and tokens.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] for a player outside the pupils of the class; [`StoreError::Club`].
    async fn renew_cards(
        &self,
        class: &ClubId,
        by: &PlayerId,
        new: &NewCards,
    ) -> Result<Vec<TokenHash>, StoreError>;

    /// Changes a pupil in the name of a teacher.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] for a player outside the pupils of the class; [`StoreError::Conflict`] when another pupil of the class has the
    /// real name; [`StoreError::Club`].
    async fn change_pupil(
        &self,
        class: &ClubId,
        by: &PlayerId,
        pupil: &PlayerId,
        change: &PupilChange,
        now_ms: i64,
    ) -> Result<(), StoreError>;

    /// Changes rules of a class in the name of a teacher.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] when there is no such class; [`StoreError::Club`].
    async fn change_class_rules(
        &self,
        class: &ClubId,
        by: &PlayerId,
        edition: &ClassRulesEdition,
        now_ms: i64,
    ) -> Result<(), StoreError>;

    /// Returns the rules of a class and the number of its pupils; `None` for a club of another kind.
    async fn class(&self, club: &ClubId) -> Result<Option<ClassRow>, StoreError>;

    /// Returns a page of the pupils in the order of their real names, after this one if given.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] when `after` is no pupil of the class.
    async fn pupils(
        &self,
        class: &ClubId,
        after: Option<&PlayerId>,
        limit: u32,
    ) -> Result<Vec<PupilRow>, StoreError>;

    /// Returns the class that has made an account.
    async fn class_of(&self, pupil: &PlayerId) -> Result<Option<ClubId>, StoreError>;

    /// Whether a player is a teacher of the class that has made the account of another.
    async fn teaches(&self, teacher: &PlayerId, pupil: &PlayerId) -> Result<bool, StoreError>;

    /// Whether the class of a player hides the profile from a reader outside it.
    async fn is_profile_hidden(
        &self,
        player: &PlayerId,
        reader: Option<&PlayerId>,
    ) -> Result<bool, StoreError>;

    /// Returns the rules for a match of two players: the permissions common to their classes.
    async fn class_rules_at(&self, players: BySide<&PlayerId>) -> Result<ClassRules, StoreError>;

    /// Returns a login card by the hash of its code.
    async fn login_card(&self, code: &TokenHash) -> Result<Option<LoginCard>, StoreError>;

    /// Uses up an open login card: sets the password and ends all sessions of the account, whose hashes it returns. Returns `None`, and
    /// changes nothing, where the card is not open any more: of two concurrent uses of one card, the second gets this.
    async fn use_login_card(
        &self,
        code: &TokenHash,
        password_hash: &str,
        now_ms: i64,
    ) -> Result<Option<Vec<TokenHash>>, StoreError>;
}

/// Pupils of a class, and of one call.
pub const MAX_PUPILS: u32 = 500;

/// The number of stored login cards of one account, the latest ones: with them an old card is told from an unknown one.
pub const CARDS_KEPT: u32 = 5;

/// Accounts of pupils to make.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewPupils {
    /// The pupils.
    pub pupils: Vec<NewPupil>,
    /// A hash that no password is known for.
    pub password_hash: String,
    /// The time from which the cards cannot be used.
    pub expires_ms: i64,
    /// The time.
    pub now_ms: i64,
}

/// An account of a pupil to make.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewPupil {
    /// The id.
    pub id: PlayerId,
    /// The name of the account.
    pub name: String,
    /// The real name.
    pub real_name: String,
    /// The SHA-256 of the code of the card.
    pub code: TokenHash,
}

impl NewPupil {
    /// Returns the new account.
    #[must_use]
    pub fn account(&self, created_ms: i64) -> Player {
        Player {
            id: self.id.clone(),
            name: self.name.clone(),
            kind: PlayerKind::Account,
            level: None,
            look: Look::default(),
            created_ms,
        }
    }
}

/// The outcome of making pupils.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PupilsMade {
    /// All were made.
    Made,
    /// Nothing was written, because of these.
    Faults(Vec<(usize, PupilFault)>),
}

/// The reason for which a pupil is not made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PupilFault {
    /// A pupil of the class has this real name.
    InClass,
    /// An account has the name, or it is held for one.
    NameTaken,
}

/// Login cards to make.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewCards {
    /// The pupils, with the SHA-256 of the code of each.
    pub cards: Vec<(PlayerId, TokenHash)>,
    /// A hash that no password is known for.
    pub password_hash: String,
    /// The time from which the cards cannot be used.
    pub expires_ms: i64,
    /// The time.
    pub now_ms: i64,
}

/// A change of a pupil.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PupilChange {
    /// Another real name.
    RealName(String),
    /// The pupil leaves the class with an ordinary account; its login cards end.
    Release,
}

/// A class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClassRow {
    /// The rules.
    pub rules: ClassRules,
    /// The number of pupils.
    pub pupils: u32,
}

/// A pupil.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PupilRow {
    /// The account.
    pub player: Player,
    /// The real name.
    pub real_name: String,
    /// The time at which the account was made.
    pub created_ms: i64,
    /// The latest login card: its state, and the time from which it cannot be used.
    pub card: Option<(CardState, i64)>,
    /// The time of the latest login among the open sessions.
    pub last_login_ms: Option<i64>,
}

/// A login card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoginCard {
    /// The account.
    pub player: Player,
    /// The state.
    pub state: CardState,
    /// The time from which it cannot be used.
    pub expires_ms: i64,
}
