//! Rows as both databases give them, and the way from there to the types of the store: whatever does not parse is damage.

use mawe_rules::{BySide, GameKind, Side};
use sqlx::FromRow;

use super::{
    Abandonments, Account, AuditRow, ChallengeRow, Disabled, Finish, GameTally, Holder,
    LeaderboardRow, MatchRow, NewChallenge, NoticeRow, PlacedSeed, Player, PlayerName, Rating,
    RatingChange, RatingRow, ReportRow, Resolved, Seed, SessionRow, SideTally, StoreError,
    StoredEntry, SubscriptionRow, Tally, TokenRow,
};
use crate::grants::{Grant, Grants};
use crate::protocol::{
    DeclineReason, Language, MatchOptions, NoticeKind, PlayerKind, Speed, TimeControl,
};
use crate::reports::{ReportReason, Resolution};
use crate::sessions::TokenHash;
use crate::tokens::Scopes;

/// A closed set that is stored as a text.
pub(super) trait Stored: Copy + 'static {
    /// What it is, for who reads of damage.
    const WHAT: &'static str;
    /// All of them.
    const ALL: &'static [Self];

    /// Its text; once written, never changed.
    fn text(self) -> &'static str;

    fn from_text(text: &str) -> Result<Self, StoreError> {
        let known = Self::ALL.iter().copied().find(|one| one.text() == text);
        known.ok_or_else(|| damaged(Self::WHAT, text))
    }
}

impl Stored for GameKind {
    const WHAT: &'static str = "game kind";
    const ALL: &'static [Self] = GameKind::ALL;

    fn text(self) -> &'static str {
        self.id()
    }
}

impl Stored for Side {
    const WHAT: &'static str = "side";
    const ALL: &'static [Self] = &Side::ALL;

    fn text(self) -> &'static str {
        self.as_str()
    }
}

impl Stored for Speed {
    const WHAT: &'static str = "speed";
    const ALL: &'static [Self] = &Speed::ALL;

    fn text(self) -> &'static str {
        self.as_str()
    }
}

impl Stored for DeclineReason {
    const WHAT: &'static str = "reason to decline";
    const ALL: &'static [Self] = &DeclineReason::ALL;

    fn text(self) -> &'static str {
        self.as_str()
    }
}

impl Stored for Language {
    const WHAT: &'static str = "language";
    const ALL: &'static [Self] = &Language::ALL;

    fn text(self) -> &'static str {
        self.as_str()
    }
}

impl Stored for PlayerKind {
    const WHAT: &'static str = "player kind";
    const ALL: &'static [Self] = &[Self::Guest, Self::Account, Self::Bot];

    fn text(self) -> &'static str {
        match self {
            Self::Guest => "guest",
            Self::Account => "account",
            Self::Bot => "bot",
        }
    }
}

/// A time control as its four columns.
#[derive(FromRow)]
pub(super) struct TimeColumns {
    pub(super) time_control: String,
    pub(super) base_ms: Option<i64>,
    pub(super) increment_ms: Option<i64>,
    pub(super) days: Option<i64>,
}

impl From<TimeControl> for TimeColumns {
    fn from(control: TimeControl) -> Self {
        let columns = |kind: &str| Self {
            time_control: kind.to_owned(),
            base_ms: None,
            increment_ms: None,
            days: None,
        };
        match control {
            TimeControl::Realtime {
                base_ms,
                increment_ms,
            } => Self {
                base_ms: Some(int(base_ms)),
                increment_ms: Some(int(increment_ms)),
                ..columns("realtime")
            },
            TimeControl::Correspondence { days } => Self {
                days: Some(days.into()),
                ..columns("correspondence")
            },
            TimeControl::Unlimited => columns("unlimited"),
        }
    }
}

impl TryFrom<TimeColumns> for TimeControl {
    type Error = StoreError;

    fn try_from(row: TimeColumns) -> Result<Self, StoreError> {
        match (row.time_control.as_str(), row.base_ms, row.increment_ms) {
            ("realtime", Some(base_ms), Some(increment_ms)) => Ok(Self::Realtime {
                base_ms: number("base_ms", base_ms)?,
                increment_ms: number("increment_ms", increment_ms)?,
            }),
            ("correspondence", ..) => match row.days {
                Some(days) => Ok(Self::Correspondence {
                    days: number("days", days)?,
                }),
                None => Err(damaged("time control", "correspondence without days")),
            },
            ("unlimited", ..) => Ok(Self::Unlimited),
            (kind, ..) => Err(damaged("time control", kind)),
        }
    }
}

/// Options as their columns.
#[derive(FromRow)]
pub(super) struct OptionColumns {
    takebacks: bool,
    give_time: bool,
    phrases: bool,
}

impl From<OptionColumns> for MatchOptions {
    fn from(row: OptionColumns) -> Self {
        Self {
            takebacks: row.takebacks,
            give_time: row.give_time,
            phrases: row.phrases,
        }
    }
}

/// A player.
#[derive(FromRow)]
pub(super) struct PlayerRecord {
    id: String,
    name: String,
    kind: String,
    level: Option<i64>,
    // The table has more than one `created_ms` in some joins.
    player_created_ms: i64,
}

impl TryFrom<PlayerRecord> for Player {
    type Error = StoreError;

    fn try_from(row: PlayerRecord) -> Result<Self, StoreError> {
        Ok(Self {
            id: id("player id", row.id)?,
            name: row.name,
            kind: PlayerKind::from_text(&row.kind)?,
            level: row
                .level
                .map(|level| number("bot level", level))
                .transpose()?,
            created_ms: row.player_created_ms,
        })
    }
}

/// A player who can log in, with the password's hash.
#[derive(FromRow)]
pub(super) struct CredentialsRecord {
    #[sqlx(flatten)]
    pub(super) player: PlayerRecord,
    pub(super) password_hash: String,
}

/// An entry.
#[derive(FromRow)]
pub(super) struct EntryRecord {
    seq: i64,
    epoch: i64,
    kind: String,
    payload: String,
    client_id: Option<String>,
    at_ms: i64,
}

impl TryFrom<EntryRecord> for StoredEntry {
    type Error = StoreError;

    fn try_from(row: EntryRecord) -> Result<Self, StoreError> {
        Ok(Self {
            seq: number("seq", row.seq)?,
            epoch: number("epoch", row.epoch)?,
            kind: row.kind,
            payload: row.payload,
            client_id: row.client_id,
            at_ms: row.at_ms,
        })
    }
}

/// A match joined to its two players.
#[derive(FromRow)]
pub(super) struct MatchRecord {
    id: String,
    game: String,
    setup: String,
    rated: bool,
    #[sqlx(flatten)]
    time: TimeColumns,
    speed: String,
    #[sqlx(flatten)]
    options: OptionColumns,
    private: bool,
    first_id: String,
    first_name: String,
    first_kind: String,
    first_level: Option<i64>,
    first_created_ms: i64,
    second_id: String,
    second_name: String,
    second_kind: String,
    second_level: Option<i64>,
    second_created_ms: i64,
    first_rating: Option<f64>,
    first_deviation: Option<f64>,
    second_rating: Option<f64>,
    second_deviation: Option<f64>,
    first_change: Option<f64>,
    second_change: Option<f64>,
    created_ms: i64,
    finished_ms: Option<i64>,
    winner: Option<String>,
    reason: Option<String>,
    score_first: Option<i64>,
    score_second: Option<i64>,
    plies: Option<i64>,
    owed: bool,
    head: i64,
    epoch: i64,
}

impl TryFrom<MatchRecord> for MatchRow {
    type Error = StoreError;

    fn try_from(row: MatchRecord) -> Result<Self, StoreError> {
        let first = PlayerRecord {
            id: row.first_id,
            name: row.first_name,
            kind: row.first_kind,
            level: row.first_level,
            player_created_ms: row.first_created_ms,
        };
        let second = PlayerRecord {
            id: row.second_id,
            name: row.second_name,
            kind: row.second_kind,
            level: row.second_level,
            player_created_ms: row.second_created_ms,
        };
        let finish = match (row.finished_ms, row.reason, row.plies) {
            (None, None, None) => None,
            (Some(at_ms), Some(reason), Some(plies)) => Some(Finish {
                winner: row.winner.as_deref().map(Side::from_text).transpose()?,
                reason,
                score: match (row.score_first, row.score_second) {
                    (Some(first), Some(second)) => Some(BySide::new(
                        number("score", first)?,
                        number("score", second)?,
                    )),
                    _ => None,
                },
                at_ms,
                plies: number("number of plies", plies)?,
                owed: row.owed,
            }),
            _ => return Err(damaged("match", "it is half finished")),
        };
        Ok(Self {
            id: id("match id", row.id)?,
            game: GameKind::from_text(&row.game)?,
            setup: row.setup,
            rated: row.rated,
            time_control: row.time.try_into()?,
            speed: Speed::from_text(&row.speed)?,
            options: row.options.into(),
            private: row.private,
            players: BySide::new(first.try_into()?, second.try_into()?),
            ratings: BySide::new(
                row.first_rating.zip(row.first_deviation),
                row.second_rating.zip(row.second_deviation),
            ),
            rating_changes: BySide::new(row.first_change, row.second_change),
            created_ms: row.created_ms,
            finish,
            head: number("head", row.head)?,
            epoch: number("epoch", row.epoch)?,
        })
    }
}

/// What a finished match means for tallies and ratings.
#[derive(FromRow)]
pub(super) struct ResultRecord {
    pub(super) game: String,
    pub(super) speed: String,
    pub(super) first_id: String,
    pub(super) second_id: String,
    pub(super) winner: Option<String>,
    pub(super) reason: String,
    pub(super) plies: i64,
    pub(super) finished_ms: i64,
    pub(super) rated: bool,
}

/// A challenge joined to its challenger.
#[derive(FromRow)]
pub(super) struct ChallengeRecord {
    challenge_id: String,
    game: String,
    setup: String,
    side: Option<String>,
    #[sqlx(flatten)]
    time: TimeColumns,
    rated: bool,
    #[sqlx(flatten)]
    options: OptionColumns,
    private: bool,
    to_id: Option<String>,
    listed: bool,
    min_rating: Option<i64>,
    max_rating: Option<i64>,
    created_ms: i64,
    expires_ms: i64,
    match_id: Option<String>,
    cancelled: bool,
    declined: Option<String>,
    #[sqlx(flatten)]
    challenger: PlayerRecord,
}

impl TryFrom<ChallengeRecord> for ChallengeRow {
    type Error = StoreError;

    fn try_from(row: ChallengeRecord) -> Result<Self, StoreError> {
        let challenger = Player::try_from(row.challenger)?;
        Ok(Self {
            offer: NewChallenge {
                id: id("challenge id", row.challenge_id)?,
                challenger: challenger.id.clone(),
                game: GameKind::from_text(&row.game)?,
                setup: row.setup,
                side: row.side.as_deref().map(Side::from_text).transpose()?,
                time_control: row.time.try_into()?,
                rated: row.rated,
                options: row.options.into(),
                private: row.private,
                to: row.to_id.map(|text| id("player id", text)).transpose()?,
                listed: row.listed,
                rating_range: (
                    row.min_rating.map(|r| number("rating", r)).transpose()?,
                    row.max_rating.map(|r| number("rating", r)).transpose()?,
                ),
                created_ms: row.created_ms,
                expires_ms: row.expires_ms,
            },
            challenger,
            match_id: row.match_id.map(|text| id("match id", text)).transpose()?,
            cancelled: row.cancelled,
            declined: row
                .declined
                .as_deref()
                .map(DeclineReason::from_text)
                .transpose()?,
        })
    }
}

/// A rating and record.
#[derive(FromRow)]
pub(super) struct RatingRecord {
    game: String,
    speed: String,
    rating: f64,
    deviation: f64,
    volatility: f64,
    updated_ms: i64,
    won: i64,
    drawn: i64,
    lost: i64,
}

impl TryFrom<RatingRecord> for RatingRow {
    type Error = StoreError;

    fn try_from(row: RatingRecord) -> Result<Self, StoreError> {
        let rating = Rating {
            rating: row.rating,
            deviation: row.deviation,
            volatility: row.volatility,
            updated_ms: Some(row.updated_ms),
        };
        let tally = TallyRecord {
            won: row.won,
            drawn: row.drawn,
            lost: row.lost,
        };
        Ok(Self {
            game: GameKind::from_text(&row.game)?,
            speed: Speed::from_text(&row.speed)?,
            rating,
            tally: tally.try_into()?,
        })
    }
}

/// What a rating was set to.
#[derive(FromRow)]
pub(super) struct SeedRecord {
    player_id: String,
    game: String,
    speed: String,
    rating: f64,
    deviation: f64,
    volatility: f64,
    ordinal: i64,
    at_ms: i64,
}

impl TryFrom<SeedRecord> for PlacedSeed {
    type Error = StoreError;

    fn try_from(row: SeedRecord) -> Result<Self, StoreError> {
        Ok(Self {
            seed: Seed {
                player: id("player id", row.player_id)?,
                game: GameKind::from_text(&row.game)?,
                speed: Speed::from_text(&row.speed)?,
                rating: row.rating,
                deviation: row.deviation,
                volatility: row.volatility,
            },
            ordinal: number("seed", row.ordinal)?,
            at_ms: row.at_ms,
        })
    }
}

/// Won, drawn, lost.
#[derive(FromRow)]
pub(super) struct TallyRecord {
    won: i64,
    drawn: i64,
    lost: i64,
}

impl TryFrom<TallyRecord> for Tally {
    type Error = StoreError;

    fn try_from(row: TallyRecord) -> Result<Self, StoreError> {
        Ok(Self {
            won: number("number of matches", row.won)?,
            drawn: number("number of matches", row.drawn)?,
            lost: number("number of matches", row.lost)?,
        })
    }
}

/// How often, and the last time.
#[derive(FromRow)]
pub(super) struct AbandonmentsRecord {
    times: i64,
    last_ms: Option<i64>,
}

impl TryFrom<AbandonmentsRecord> for Abandonments {
    type Error = StoreError;

    fn try_from(row: AbandonmentsRecord) -> Result<Self, StoreError> {
        Ok(Self {
            times: number("number of matches", row.times)?,
            last_ms: row.last_ms,
        })
    }
}

/// A tally at one side of a game.
#[derive(FromRow)]
pub(super) struct SideTallyRecord {
    game: String,
    side: String,
    #[sqlx(flatten)]
    tally: TallyRecord,
    plies: i64,
}

impl TryFrom<SideTallyRecord> for SideTally {
    type Error = StoreError;

    fn try_from(row: SideTallyRecord) -> Result<Self, StoreError> {
        Ok(Self {
            game: GameKind::from_text(&row.game)?,
            side: Side::from_text(&row.side)?,
            tally: row.tally.try_into()?,
            plies: number("number of plies", row.plies)?,
        })
    }
}

/// A tally of one game against one opponent.
#[derive(FromRow)]
pub(super) struct OpponentTallyRecord {
    game: String,
    #[sqlx(flatten)]
    tally: TallyRecord,
}

impl TryFrom<OpponentTallyRecord> for (GameKind, Tally) {
    type Error = StoreError;

    fn try_from(row: OpponentTallyRecord) -> Result<Self, StoreError> {
        Ok((GameKind::from_text(&row.game)?, row.tally.try_into()?))
    }
}

/// A game's tally.
#[derive(FromRow)]
pub(super) struct GameTallyRecord {
    game: String,
    first_won: i64,
    drawn: i64,
    second_won: i64,
    plies: i64,
}

impl TryFrom<GameTallyRecord> for GameTally {
    type Error = StoreError;

    fn try_from(row: GameTallyRecord) -> Result<Self, StoreError> {
        let matches = |stored| number("number of matches", stored);
        Ok(Self {
            game: GameKind::from_text(&row.game)?,
            won: BySide::new(matches(row.first_won)?, matches(row.second_won)?),
            drawn: matches(row.drawn)?,
            plies: number("number of plies", row.plies)?,
        })
    }
}

/// A rating change joined to the opponent.
#[derive(FromRow)]
pub(super) struct ChangeRecord {
    ordinal: i64,
    match_id: String,
    side: String,
    player_id: String,
    game: String,
    speed: String,
    score: f64,
    rating_before: Option<f64>,
    deviation_before: Option<f64>,
    volatility_before: Option<f64>,
    rating_after: f64,
    deviation_after: f64,
    volatility_after: f64,
    at_ms: i64,
    #[sqlx(flatten)]
    opponent: PlayerRecord,
}

impl TryFrom<ChangeRecord> for RatingChange {
    type Error = StoreError;

    fn try_from(row: ChangeRecord) -> Result<Self, StoreError> {
        let before = match (
            row.rating_before,
            row.deviation_before,
            row.volatility_before,
        ) {
            (Some(rating), Some(deviation), Some(volatility)) => Some(Rating {
                rating,
                deviation,
                volatility,
                updated_ms: None,
            }),
            _ => None,
        };
        let won = match row.score {
            1.0 => Some(true),
            0.5 => None,
            0.0 => Some(false),
            score => return Err(damaged("score", &score.to_string())),
        };
        Ok(Self {
            ordinal: number("ordinal", row.ordinal)?,
            match_id: id("match id", row.match_id)?,
            side: Side::from_text(&row.side)?,
            player: id("player id", row.player_id)?,
            opponent: row.opponent.try_into()?,
            game: GameKind::from_text(&row.game)?,
            speed: Speed::from_text(&row.speed)?,
            won,
            before,
            after: Rating {
                rating: row.rating_after,
                deviation: row.deviation_after,
                volatility: row.volatility_after,
                updated_ms: Some(row.at_ms),
            },
            at_ms: row.at_ms,
        })
    }
}

/// Anything of a player.
#[derive(FromRow)]
pub(super) struct OfPlayer<T> {
    of_player: String,
    #[sqlx(flatten)]
    row: T,
}

impl<T, U> TryFrom<OfPlayer<T>> for (crate::ids::PlayerId, U)
where
    U: TryFrom<T, Error = StoreError>,
{
    type Error = StoreError;

    fn try_from(record: OfPlayer<T>) -> Result<Self, StoreError> {
        Ok((id("player id", record.of_player)?, record.row.try_into()?))
    }
}

/// A line of a leaderboard.
#[derive(FromRow)]
pub(super) struct LeaderboardRecord {
    #[sqlx(flatten)]
    player: PlayerRecord,
    #[sqlx(flatten)]
    row: RatingRecord,
}

impl TryFrom<LeaderboardRecord> for LeaderboardRow {
    type Error = StoreError;

    fn try_from(record: LeaderboardRecord) -> Result<Self, StoreError> {
        Ok(Self {
            player: record.player.try_into()?,
            row: record.row.try_into()?,
        })
    }
}

/// A session.
#[derive(FromRow)]
pub(super) struct SessionRecord {
    token_hash: Vec<u8>,
    label: String,
    created_ms: i64,
    last_used_ms: i64,
    expires_ms: i64,
}

impl TryFrom<SessionRecord> for SessionRow {
    type Error = StoreError;

    fn try_from(row: SessionRecord) -> Result<Self, StoreError> {
        Ok(Self {
            hash: token_hash(row.token_hash)?,
            label: row.label,
            created_ms: row.created_ms,
            last_used_ms: row.last_used_ms,
            expires_ms: row.expires_ms,
        })
    }
}

/// A browser that wants to be called.
#[derive(FromRow)]
pub(super) struct SubscriptionRecord {
    session_hash: Vec<u8>,
    endpoint: String,
    p256dh: Vec<u8>,
    auth: Vec<u8>,
    language: Option<String>,
    created_ms: i64,
}

impl TryFrom<SubscriptionRecord> for SubscriptionRow {
    type Error = StoreError;

    fn try_from(row: SubscriptionRecord) -> Result<Self, StoreError> {
        let language = row.language.as_deref().map(Language::from_text);
        Ok(Self {
            session: token_hash(row.session_hash)?,
            endpoint: row.endpoint,
            p256dh: row.p256dh,
            auth: row.auth,
            language: language.transpose()?,
            created_ms: row.created_ms,
        })
    }
}

/// A token, without its hash.
#[derive(FromRow)]
pub(super) struct TokenRecord {
    id: String,
    name: String,
    scopes: String,
    created_ms: i64,
    expires_ms: i64,
    last_used_ms: Option<i64>,
}

impl TryFrom<TokenRecord> for TokenRow {
    type Error = StoreError;

    fn try_from(row: TokenRecord) -> Result<Self, StoreError> {
        Ok(Self {
            id: id("token id", row.id)?,
            name: row.name,
            scopes: scopes(&row.scopes)?,
            created_ms: row.created_ms,
            expires_ms: row.expires_ms,
            last_used_ms: row.last_used_ms,
        })
    }
}

/// A session or a token joined to its player.
#[derive(FromRow)]
pub(super) struct HolderRecord {
    #[sqlx(flatten)]
    player: PlayerRecord,
    grants: String,
    disabled_ms: Option<i64>,
    scopes: Option<String>,
    last_used_ms: Option<i64>,
    expires_ms: i64,
}

impl TryFrom<HolderRecord> for Holder {
    type Error = StoreError;

    fn try_from(row: HolderRecord) -> Result<Self, StoreError> {
        let player = Player::try_from(row.player)?;
        Ok(Self {
            grants: grants(&row.grants, player.kind)?,
            is_disabled: row.disabled_ms.is_some(),
            player,
            scopes: row.scopes.as_deref().map(scopes).transpose()?,
            last_used_ms: row.last_used_ms,
            expires_ms: row.expires_ms,
        })
    }
}

/// An account.
#[derive(FromRow)]
pub(super) struct AccountRecord {
    #[sqlx(flatten)]
    player: PlayerRecord,
    grants: String,
    disabled_ms: Option<i64>,
    disabled_why: Option<String>,
    disabled_until_ms: Option<i64>,
    deleted_ms: Option<i64>,
}

impl TryFrom<AccountRecord> for Account {
    type Error = StoreError;

    fn try_from(row: AccountRecord) -> Result<Self, StoreError> {
        let player = Player::try_from(row.player)?;
        let disabled = |at_ms| Disabled {
            at_ms,
            why: row.disabled_why.unwrap_or_default(),
            until_ms: row.disabled_until_ms,
        };
        Ok(Self {
            grants: grants(&row.grants, player.kind)?,
            player,
            disabled: row.disabled_ms.map(disabled),
            deleted_ms: row.deleted_ms,
        })
    }
}

/// A line of the log.
#[derive(FromRow)]
pub(super) struct AuditRecord {
    audit_id: i64,
    at_ms: i64,
    action: String,
    match_id: Option<String>,
    detail: String,
    why: String,
    actor_id: Option<String>,
    actor_name: Option<String>,
    actor_kind: Option<String>,
    actor_level: Option<i64>,
    actor_created_ms: Option<i64>,
    about_id: Option<String>,
    about_name: Option<String>,
    about_kind: Option<String>,
    about_level: Option<i64>,
    about_created_ms: Option<i64>,
}

impl TryFrom<AuditRecord> for AuditRow {
    type Error = StoreError;

    fn try_from(row: AuditRecord) -> Result<Self, StoreError> {
        let player = |id, name, kind, level, created_ms| {
            let (id, name, kind, created_ms) = (id?, name?, kind?, created_ms?);
            Some(Player::try_from(PlayerRecord {
                id,
                name,
                kind,
                level,
                player_created_ms: created_ms,
            }))
        };
        Ok(Self {
            id: number("audit id", row.audit_id)?,
            at_ms: row.at_ms,
            actor: player(
                row.actor_id,
                row.actor_name,
                row.actor_kind,
                row.actor_level,
                row.actor_created_ms,
            )
            .transpose()?,
            action: row.action,
            about: player(
                row.about_id,
                row.about_name,
                row.about_kind,
                row.about_level,
                row.about_created_ms,
            )
            .transpose()?,
            match_id: row
                .match_id
                .map(|match_id| id("match id", match_id))
                .transpose()?,
            detail: row.detail,
            why: row.why,
        })
    }
}

/// A report.
#[derive(FromRow)]
pub(super) struct ReportRecord {
    report_id: String,
    reason: String,
    text: String,
    match_id: Option<String>,
    report_created_ms: i64,
    #[sqlx(flatten)]
    reported: PlayerRecord,
    reporter_id: String,
    reporter_name: String,
    reporter_kind: String,
    reporter_created_ms: i64,
    open_about: i64,
    taken_by: Option<String>,
    taken_name: Option<String>,
    taken_ms: Option<i64>,
    resolved_by: Option<String>,
    resolved_name: Option<String>,
    resolved_ms: Option<i64>,
    resolution: Option<String>,
    why: Option<String>,
}

impl TryFrom<ReportRecord> for ReportRow {
    type Error = StoreError;

    fn try_from(row: ReportRecord) -> Result<Self, StoreError> {
        let moderator = |by: Option<String>, name: Option<String>| match (by, name) {
            (Some(by), Some(name)) => Ok(Some(PlayerName {
                id: id("player id", by)?,
                name,
            })),
            _ => Ok::<_, StoreError>(None),
        };
        let resolved_by = moderator(row.resolved_by, row.resolved_name)?;
        let resolved = match (resolved_by, row.resolved_ms, row.resolution) {
            (None, None, None) => None,
            (Some(by), Some(at_ms), Some(resolution)) => Some(Resolved {
                by,
                at_ms,
                resolution: Resolution::from_text(&resolution)?,
                why: row.why.unwrap_or_default(),
            }),
            _ => return Err(damaged("report", "it is half resolved")),
        };
        Ok(Self {
            id: id("report id", row.report_id)?,
            reporter: Player::try_from(PlayerRecord {
                id: row.reporter_id,
                name: row.reporter_name,
                kind: row.reporter_kind,
                level: None,
                player_created_ms: row.reporter_created_ms,
            })?,
            reported: row.reported.try_into()?,
            reason: ReportReason::from_text(&row.reason)?,
            text: row.text,
            match_id: row
                .match_id
                .map(|match_id| id("match id", match_id))
                .transpose()?,
            at_ms: row.report_created_ms,
            open_about: number("number of reports", row.open_about)?,
            taken: moderator(row.taken_by, row.taken_name)?.zip(row.taken_ms),
            resolved,
        })
    }
}

impl Stored for ReportReason {
    const WHAT: &'static str = "reason of a report";
    const ALL: &'static [Self] = &ReportReason::ALL;

    fn text(self) -> &'static str {
        self.as_str()
    }
}

impl Stored for Resolution {
    const WHAT: &'static str = "resolution of a report";
    const ALL: &'static [Self] = &Resolution::ALL;

    fn text(self) -> &'static str {
        self.as_str()
    }
}

/// Something that a player is let know.
#[derive(FromRow)]
pub(super) struct NoticeRecord {
    id: String,
    player_id: String,
    kind: String,
    text: String,
    until_ms: Option<i64>,
    created_ms: i64,
}

impl TryFrom<NoticeRecord> for NoticeRow {
    type Error = StoreError;

    fn try_from(row: NoticeRecord) -> Result<Self, StoreError> {
        Ok(Self {
            id: id("notice id", row.id)?,
            player: id("player id", row.player_id)?,
            kind: NoticeKind::from_text(&row.kind)?,
            text: row.text,
            until_ms: row.until_ms,
            at_ms: row.created_ms,
        })
    }
}

impl Stored for NoticeKind {
    const WHAT: &'static str = "kind of notice";
    const ALL: &'static [Self] = &NoticeKind::ALL;

    fn text(self) -> &'static str {
        self.as_str()
    }
}

/// Grants as they are stored; being a bot account stands in the kind.
fn grants(text: &str, kind: PlayerKind) -> Result<Grants, StoreError> {
    let grants: Grants = text.parse().map_err(|_| damaged("grants", text))?;
    Ok(match kind {
        PlayerKind::Bot => grants.with(Grant::Bot),
        PlayerKind::Guest | PlayerKind::Account => grants,
    })
}

/// Scopes as they are stored.
fn scopes(text: &str) -> Result<Scopes, StoreError> {
    text.parse().map_err(|_| damaged("scopes", text))
}

/// The hash of a secret as it is stored.
pub(super) fn token_hash(stored: Vec<u8>) -> Result<TokenHash, StoreError> {
    TokenHash::try_from(stored).map_err(|_| damaged("hash", "it has another length"))
}

/// An unsigned number as the databases hold it. None of ours comes near the limit; what a client sends may, and then means "the end".
pub(super) fn int(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// A number as it was before [`int`].
pub(super) fn number<T: TryFrom<i64>>(what: &'static str, stored: i64) -> Result<T, StoreError> {
    T::try_from(stored).map_err(|_| damaged(what, &stored.to_string()))
}

/// An id.
pub(super) fn id<T: TryFrom<String>>(what: &'static str, stored: String) -> Result<T, StoreError> {
    T::try_from(stored).map_err(|_| damaged(what, "it is malformed"))
}

/// All rows as what they stand for.
pub(super) fn parsed<R, T>(rows: Vec<R>) -> Result<Vec<T>, StoreError>
where
    T: TryFrom<R, Error = StoreError>,
{
    rows.into_iter().map(T::try_from).collect()
}

/// A name without regard to case: equal for two names that a reader would take for one. Lower case alone would keep `ẞ` from `ss` and
/// a final sigma from the other.
pub(super) fn name_key(name: &str) -> String {
    let lower = name.chars().flat_map(char::to_lowercase);
    lower
        .flat_map(char::to_uppercase)
        .flat_map(char::to_lowercase)
        .collect()
}

pub(super) fn damaged(what: &'static str, detail: &str) -> StoreError {
    StoreError::Damaged {
        what,
        detail: detail.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts_read_back<T: Stored + PartialEq + std::fmt::Debug>() {
        for one in T::ALL {
            assert_eq!(T::from_text(one.text()).expect("its own text"), *one);
        }
        assert!(matches!(
            T::from_text("x'; drop"),
            Err(StoreError::Damaged { .. })
        ));
    }

    #[test]
    fn stored_texts_read_back() {
        texts_read_back::<GameKind>();
        texts_read_back::<Side>();
        texts_read_back::<Speed>();
        texts_read_back::<PlayerKind>();
        texts_read_back::<DeclineReason>();
        texts_read_back::<Language>();
    }

    #[test]
    fn names_that_look_alike_have_one_key() {
        for (one, other) in [
            ("Ana", "aNA"),
            ("ŻÓŁW", "żółw"),
            ("ΣΑΣ", "σας"),
            ("Straße", "STRASSE"),
        ] {
            assert_eq!(name_key(one), name_key(other));
        }
        assert_ne!(name_key("മാവേ"), name_key("മാവ"));
    }
}
