//! What is remembered: one trait, two backends (SQLite, Postgres), the same promises.
//!
//! The heart is [`Store::append`]: a compare-and-set on a match's `head` and `epoch` together with the insertion of entries, for many
//! matches in one commit. **The log is the lock**: an append whose `head` or `epoch` is not what the store has is refused, alone,
//! without harm to the others of its batch.
//!
//! Every write is atomic: after a crash at any point it is there whole or not at all. A call that returns `Ok` is durable. A write
//! that was begun is carried through even when the caller's future is dropped (a cancelled HTTP request must not leave a transaction
//! open on a pooled connection).
//!
//! Times are milliseconds since the Unix epoch, UTC. Every write that adds a match or a player may fail with [`StoreError::LowSpace`].

mod accounts;
mod carried;
mod challenges;
mod copies;
mod corrections;
mod error;
mod identity;
mod journal;
mod matches;
mod migrate;
mod nodes;
mod players;
mod postgres;
mod prune;
mod push;
mod ratings;
mod reports;
mod rows;
mod space;
mod sqlite;
mod tallies;
mod voids;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use mawe_rules::GameKind;

use crate::ids::{ChallengeId, MatchId, NoticeId, PlayerId, ReportId, TokenId};
use crate::protocol::{DeclineReason, Language, Speed};
use crate::sessions::TokenHash;

pub use accounts::{
    Account, AccountChange, AccountFilter, AuditFilter, AuditRow, Changed, Deed, Disabled, NewAudit,
};
pub use challenges::{ChallengeRow, NewChallenge, Offered};
pub use copies::check_copy;
pub use corrections::{Corrections, RatedMatch};
pub use error::{OpenError, StoreError};
pub use identity::{DeviceKey, Holder, NewSession, NewToken, SessionRow, TokenRow};
pub use journal::{Append, Appended, Finish, NEVER_DUE, StoredEntry};
pub use matches::{ClaimedMatch, MAX_RUNNING, MatchCursor, MatchFilter, MatchRow, NewMatch, Score};
pub use nodes::{Claim, NewNode, Wished};
pub use players::{Abandonments, NewPlayer, Player};
pub use prune::Stale;
pub use push::{PushSecret, SubscriptionRow};
pub(crate) use ratings::START_RATING;
pub use ratings::{
    HistoryCursor, HistoryOrder, LeaderboardRow, PlacedSeed, RateFn, Rating, RatingChange,
    RatingRow, Seed,
};
pub use reports::{
    Judged, NewReport, NoticeRow, PlayerName, ReportCursor, ReportFilter, ReportRow, Resolved,
    Verdict,
};
pub use space::MinFreeSpace;
pub use tallies::{GameTally, SideTally, Standings, Tally};

pub use voids::{PairFilter, PairToReview, VoidMatches};

use carried::{LINE_LIMIT, LONG_WRITE_LIMIT, carried_through, carried_within};
use journal::admitted;

/// The promises of a backend.
#[async_trait]
pub trait Store: Send + Sync + 'static {
    // --- the journal ---

    /// Appends entries to many matches in one commit; the answers are in the order of `batch`.
    ///
    /// A match comes once in a batch: of two appends to it the later is answered [`Appended::Fenced`], whatever it says, and so is one
    /// whose entries are not numbered as they must be, or name a command that the journal has already (that one alone: the rest of
    /// the batch is written).
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when nothing was committed, [`StoreError::OutcomeUnknown`] when that cannot be told: read back.
    async fn append(&self, batch: &[Append]) -> Result<Vec<Appended>, StoreError>;

    /// The entries of a match with `seq` above `after`, in order; empty for an unknown match.
    async fn entries(&self, id: &MatchId, after: u64) -> Result<Vec<StoredEntry>, StoreError>;

    /// Takes a running match over: adds one to its epoch, writes `owner` down, and returns it with its whole journal as of that
    /// commit. A finished match is returned as it is, unclaimed: nothing can be appended to it. `None` for an unknown one.
    async fn claim_match(
        &self,
        id: &MatchId,
        owner: &str,
    ) -> Result<Option<ClaimedMatch>, StoreError>;

    // --- nodes, where there are several ---

    /// As [`Store::claim_match`], unless another node that lives owns the match. A finished match is taken too, without a new epoch: its
    /// players still meet in one room.
    async fn claim_free_match(&self, id: &MatchId, node: &str)
    -> Result<Option<Claim>, StoreError>;

    /// Running matches whose clocks run by the second and which no node that lives owns, oldest first; one that nobody has ever owned
    /// only when it has waited a little for the node that made it.
    async fn orphaned_matches(&self, limit: u32) -> Result<Vec<MatchId>, StoreError>;

    /// Running matches whose clocks run by the second and which this node owns.
    async fn matches_owned_by(&self, node: &str) -> Result<Vec<MatchId>, StoreError>;

    /// Writes down that a node lives from now on for `lease`; `false`, and nothing is written, while another process is called the same
    /// and lives.
    async fn join_nodes(&self, node: &NewNode, lease: Duration) -> Result<bool, StoreError>;

    /// Lets a node live on for `lease` from now, and tells the names of all that live; `None` when its lease has ended before: others
    /// may have taken its matches.
    async fn renew_lease(
        &self,
        node: &str,
        lease: Duration,
    ) -> Result<Option<Vec<String>>, StoreError>;

    /// A node goes: all its matches are free, and so is its id, in one transaction.
    async fn leave_nodes(&self, node: &str) -> Result<(), StoreError>;

    /// Somebody wants an opponent from now on, whatever they got before.
    async fn wish(&self, player: &PlayerId) -> Result<(), StoreError>;

    /// The match that somebody got who wanted an opponent; `None` while they want one, or if they never did.
    async fn granted(&self, player: &PlayerId) -> Result<Option<MatchId>, StoreError>;

    /// What somebody's wish has come to.
    async fn wished(&self, player: &PlayerId) -> Result<Wished, StoreError>;

    /// Creates a match for players who want an opponent, grants their wishes with it, and takes their seeks for matches now back, in one
    /// transaction.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when one of them has got a match already, or never wanted one; nothing is written then.
    async fn create_wished_match(
        &self,
        new: &NewMatch,
        players: &[PlayerId],
    ) -> Result<(), StoreError>;

    /// Of these sessions and tokens, those that are no more. One whose time is over counts as long as it stands in its table.
    async fn ended_sessions(&self, hashes: &[TokenHash]) -> Result<Vec<TokenHash>, StoreError>;

    /// The names of the nodes that live.
    async fn living_nodes(&self) -> Result<Vec<String>, StoreError>;

    // --- matches ---

    /// Creates a match with an empty journal (head 0, epoch 0).
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when the match that it is the rematch of has one already; [`StoreError::TooManyMatches`] when one of its
    /// players, other than a computer opponent, has [`MAX_RUNNING`] running matches. The second holds for every method that makes a match.
    async fn create_match(&self, new: &NewMatch) -> Result<(), StoreError>;

    /// A match without its journal.
    async fn find_match(&self, id: &MatchId) -> Result<Option<MatchRow>, StoreError>;

    /// The rematch of a match.
    async fn find_rematch(&self, of: &MatchId) -> Result<Option<MatchId>, StoreError>;

    /// The ids of all running matches whose clocks run by the second, oldest first: what a starting server takes up again.
    async fn live_match_ids(&self) -> Result<Vec<MatchId>, StoreError>;

    /// Running matches of the other kind that are due at `now_ms` ([`Append::due_ms`]), the longest due first.
    async fn due_match_ids(&self, now_ms: i64, limit: u32) -> Result<Vec<MatchId>, StoreError>;

    /// Running public matches for a lobby, the strongest first (by the sum of the ratings at the seats, none counting as 0), then the newest.
    /// One without clocks against a computer opponent is not among them when nothing has happened in it for ten minutes before `now_ms`.
    async fn running_matches(
        &self,
        game: Option<GameKind>,
        now_ms: i64,
        limit: u32,
    ) -> Result<Vec<MatchRow>, StoreError>;

    /// The same of one game without those that are played by the day, nor those of one player at both seats.
    async fn strongest_live_matches(
        &self,
        game: GameKind,
        limit: u32,
    ) -> Result<Vec<MatchRow>, StoreError>;

    /// The running matches of a player, newest first.
    async fn running_matches_of(
        &self,
        player: &PlayerId,
        limit: u32,
    ) -> Result<Vec<MatchRow>, StoreError>;

    /// A page of the matches of a player, newest first (by `created_at`, then id), after `cursor` where one is given.
    async fn matches_of(
        &self,
        filter: &MatchFilter,
        cursor: Option<&MatchCursor>,
        limit: u32,
    ) -> Result<Vec<MatchRow>, StoreError>;

    // --- players ---

    /// Creates a player.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when the name is taken (without regard to case).
    async fn create_player(&self, new: &NewPlayer) -> Result<(), StoreError>;

    /// Makes a guest an account with the same id, and so with the same matches.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when the name is taken, [`StoreError::NotFound`] when there is no such guest (any more).
    async fn register_guest(
        &self,
        guest: &PlayerId,
        name: &str,
        password_hash: &str,
    ) -> Result<Player, StoreError>;

    /// The bot of a level; created under `name` when it is not there yet.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when it is not there yet and somebody else has the name.
    async fn ensure_bot(&self, level: u8, name: &str, now_ms: i64) -> Result<Player, StoreError>;

    /// A player by id.
    async fn find_player(&self, id: &PlayerId) -> Result<Option<Player>, StoreError>;

    /// A player by name, without regard to case.
    async fn find_player_by_name(&self, name: &str) -> Result<Option<Player>, StoreError>;

    /// Players whose names begin so, without regard to case, by name; guests and disabled accounts are not among them.
    async fn find_players(&self, name_start: &str, limit: u32) -> Result<Vec<Player>, StoreError>;

    /// What a player reads, if they have chosen.
    async fn language(&self, player: &PlayerId) -> Result<Option<Language>, StoreError>;

    /// Whether a player wants no challenges by name from guests.
    async fn refuses_guests(&self, player: &PlayerId) -> Result<bool, StoreError>;

    /// Writes down whether a player wants no challenges by name from guests.
    async fn set_refuses_guests(&self, player: &PlayerId, refuses: bool) -> Result<(), StoreError>;

    /// Writes down what a player reads.
    async fn set_language(&self, player: &PlayerId, language: Language) -> Result<(), StoreError>;

    /// A player and the hash of the password, by name; `None` also for guests and computer opponents.
    async fn credentials(&self, name: &str) -> Result<Option<(Player, String)>, StoreError>;

    /// The password hashes of these players, with their ids; one without a password is passed over.
    async fn password_hashes(&self, of: &[PlayerId])
    -> Result<Vec<(PlayerId, String)>, StoreError>;

    // --- challenges ---

    /// Writes a challenge down.
    async fn create_challenge(&self, new: &NewChallenge) -> Result<(), StoreError>;

    /// Writes a challenge down that is no seek, unless its challenger has `max_open` such open already, or `max_to_one` to the same player,
    /// or must wait because that player has declined others; `patient` challengers need not wait. Of several at once no more are written
    /// than there is room for.
    async fn create_challenge_within(
        &self,
        new: &NewChallenge,
        max_open: u32,
        max_to_one: u32,
        patient: bool,
    ) -> Result<Offered, StoreError>;

    /// Writes a seek down; `false`, and nothing is written, when its seeker has `max_open` open already. Of several at once no more are
    /// written than there is room for.
    async fn create_seek(&self, new: &NewChallenge, max_open: u32) -> Result<bool, StoreError>;

    /// A challenge by id.
    async fn find_challenge(&self, id: &ChallengeId) -> Result<Option<ChallengeRow>, StoreError>;

    /// Makes the match of an open challenge: both in one transaction.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when it is not open (accepted, cancelled or expired at `now_ms`), [`StoreError::NotFound`].
    async fn accept_challenge(
        &self,
        id: &ChallengeId,
        new: &NewMatch,
        now_ms: i64,
    ) -> Result<(), StoreError>;

    /// The same for a challenge whose match makes its players wait for nobody else: their wishes are granted with it, and their seeks for
    /// matches now are taken back. `false`, and nothing is written, when one of them has been seated since `seats` was read.
    async fn accept_and_seat(
        &self,
        id: &ChallengeId,
        new: &NewMatch,
        now_ms: i64,
        seats: &[Wished],
    ) -> Result<bool, StoreError>;

    /// Takes an open challenge back.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when it is no longer open, [`StoreError::NotFound`].
    async fn cancel_challenge(&self, id: &ChallengeId) -> Result<(), StoreError>;

    /// The open seeks (listed challenges), newest first; of one player or of all.
    async fn open_seeks(
        &self,
        of: Option<&PlayerId>,
        now_ms: i64,
        limit: u32,
    ) -> Result<Vec<ChallengeRow>, StoreError>;

    /// Takes back all open seeks of a player for matches whose clocks run by the second: they are gone, or play. How many there were.
    async fn cancel_live_seeks(&self, of: &PlayerId) -> Result<u64, StoreError>;

    /// Takes back all open seeks of a player. How many there were.
    async fn cancel_seeks(&self, of: &PlayerId) -> Result<u64, StoreError>;

    /// How often a player has walked away from people since a time, in matches whose clocks run by the second: left one that then was
    /// theirs to lose (`abandoned`), left a rated one before it counted (`left-early`), or never made the first move (`no-show`). And how
    /// often they have called one off or never made the first move since `call_offs_since_ms`, which is not the earlier time.
    async fn abandonments(
        &self,
        player: &PlayerId,
        since_ms: i64,
        call_offs_since_ms: i64,
    ) -> Result<Abandonments, StoreError>;

    /// Writes down that the one who was asked says no to an open challenge.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when it is not open (any more), [`StoreError::NotFound`].
    async fn decline_challenge(
        &self,
        id: &ChallengeId,
        reason: DeclineReason,
        now_ms: i64,
    ) -> Result<(), StoreError>;

    /// The open challenges to a player, newest first.
    async fn challenges_to(
        &self,
        player: &PlayerId,
        now_ms: i64,
        limit: u32,
    ) -> Result<Vec<ChallengeRow>, StoreError>;

    /// The open challenges of a player, to somebody or by link, newest first; seeks are not among them.
    async fn challenges_by(
        &self,
        player: &PlayerId,
        now_ms: i64,
        limit: u32,
    ) -> Result<Vec<ChallengeRow>, StoreError>;

    // --- ratings ---

    /// A player's rating, if they have played rated matches of this kind and speed; a computer opponent has one before.
    async fn rating(
        &self,
        player: &PlayerId,
        game: GameKind,
        speed: Speed,
    ) -> Result<Option<RatingRow>, StoreError>;

    /// All ratings of a player.
    async fn ratings_of(&self, player: &PlayerId) -> Result<Vec<RatingRow>, StoreError>;

    /// How a player's rating came about: a page of its changes by time, then by the order of counting, oldest or newest first, from
    /// beyond `cursor` where one is given.
    async fn rating_history(
        &self,
        player: &PlayerId,
        game: GameKind,
        speed: Speed,
        order: HistoryOrder,
        cursor: Option<&HistoryCursor>,
        limit: u32,
    ) -> Result<Vec<RatingChange>, StoreError>;

    /// How often a player has won, drawn and lost at each side of each game, over all counted matches.
    async fn tallies_of(&self, player: &PlayerId) -> Result<Vec<SideTally>, StoreError>;

    /// The same of one player against another, by game.
    async fn head_to_head(
        &self,
        player: &PlayerId,
        opponent: &PlayerId,
    ) -> Result<Vec<(GameKind, Tally)>, StoreError>;

    /// How the counted matches of each game went; a game of which none was is not there.
    async fn game_tallies(&self) -> Result<Vec<GameTally>, StoreError>;

    /// A page of players by rating, highest first, without disabled accounts, of those whose stored deviation is at most `max_deviation` and who
    /// have played `min_opponents` different people and bot accounts, from `offset` on. Stored: what it has grown by since then is not
    /// reckoned with.
    async fn leaderboard(
        &self,
        game: GameKind,
        speed: Speed,
        max_deviation: f64,
        min_opponents: u32,
        offset: u32,
        limit: u32,
    ) -> Result<Vec<LeaderboardRow>, StoreError>;

    /// Finished matches that have not been counted yet (the outbox), oldest first.
    async fn uncounted_matches(&self, limit: u32) -> Result<Vec<MatchId>, StoreError>;

    /// Counts a finished match: adds it to the tallies, and where it is rated reads both players' ratings, asks `rate`, writes both and
    /// both history rows; takes the debt off the outbox; all in one transaction. `false` when nothing was owed (any more): calling
    /// again is harmless. Matches are counted one after the other, whoever counts, and numbered in that order. A match that was called
    /// off, or of one player against themselves, leaves everything as it is.
    async fn count_match(&self, id: &MatchId, rate: RateFn) -> Result<bool, StoreError>;

    // --- checking the counts ---

    /// The rating changes of the rated matches that were counted with a number above `after` and up to `to`, by number, then side.
    async fn rating_changes(&self, after: u64, to: u64) -> Result<Vec<RatingChange>, StoreError>;

    /// Sets ratings of computer opponents to those of this ladder, all at once, unless it or a later one was used before; says whether it
    /// did. What they have won and lost stays.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when one of them is no computer opponent; nothing is set then.
    async fn seed_ratings(
        &self,
        ladder: u32,
        seeds: &[Seed],
        now_ms: i64,
    ) -> Result<bool, StoreError>;

    /// All that was ever set after `up_to` matches at most, in order.
    async fn rating_seeds(&self, up_to: u64) -> Result<Vec<PlacedSeed>, StoreError>;

    /// A page of finished matches by id, from beyond `after` where one is given.
    async fn finished_matches(
        &self,
        after: Option<&MatchId>,
        limit: u32,
    ) -> Result<Vec<MatchRow>, StoreError>;

    /// How many matches have been counted: the last number given. While it stays the same, so does everything that counting makes.
    async fn counted(&self) -> Result<u64, StoreError>;

    /// Everything that counting has made. Not for a request: it is all in memory.
    async fn standings(&self) -> Result<Standings, StoreError>;

    /// Writes down what counting should have made, and that into the log, in one transaction; `false`, and nothing is written, when
    /// matches were counted meanwhile.
    async fn correct(&self, corrections: &Corrections, deed: &Deed) -> Result<bool, StoreError>;

    // --- matches made void ---

    /// Pairs of players, computer opponents left out, whose rated matches with each other were four of five of all that one of them has
    /// played, or who share a device; those with the most matches first. Not for a list that everybody reads: it looks at all rated matches
    /// since the filter's time.
    async fn pairs_to_review(
        &self,
        filter: &PairFilter,
        limit: u32,
    ) -> Result<Vec<PairToReview>, StoreError>;

    /// Makes rated matches void, writes that into the log, and that ratings are owed a recount, in one transaction: how many matches. None
    /// is made void twice, nor one that was called off.
    async fn void_matches(&self, void: &VoidMatches, deed: &Deed) -> Result<u64, StoreError>;

    /// Matches that were made void and still stand in ratings and tallies, or may.
    async fn voids_owed(&self) -> Result<Vec<MatchId>, StoreError>;

    /// Everything was counted again without these.
    async fn settle_voids(&self, ids: &[MatchId]) -> Result<(), StoreError>;

    // --- sessions and tokens ---

    /// Writes a session down, and forgets those that have expired. Only the SHA-256 of its token comes here, and that of any other
    /// below. A player has 50 at most: which others ended with it.
    async fn create_session(&self, new: &NewSession) -> Result<Vec<TokenHash>, StoreError>;

    /// Whose session it is, if it has not expired.
    async fn session(&self, hash: &TokenHash, now_ms: i64) -> Result<Option<Holder>, StoreError>;

    /// The sessions of a player that have not expired, the one that was used last first.
    async fn sessions_of(
        &self,
        player: &PlayerId,
        now_ms: i64,
    ) -> Result<Vec<SessionRow>, StoreError>;

    /// Ends a session; no error if there is none.
    async fn delete_session(&self, hash: &TokenHash) -> Result<(), StoreError>;

    /// Ends all sessions of a player but one: which.
    async fn delete_other_sessions(
        &self,
        player: &PlayerId,
        keep: &TokenHash,
    ) -> Result<Vec<TokenHash>, StoreError>;

    /// Changes a password, and ends all sessions of the player but one, and with `end_tokens` all tokens: which.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] for one who has no password.
    async fn change_password(
        &self,
        player: &PlayerId,
        password_hash: &str,
        keep: &TokenHash,
        end_tokens: bool,
    ) -> Result<Vec<TokenHash>, StoreError>;

    /// The key by which the cookies of known devices are signed; `new` is kept as that where there is none yet.
    async fn device_key(&self, new: &DeviceKey) -> Result<DeviceKey, StoreError>;

    /// Writes down that a player has logged in from a browser from which these other accounts had logged in before. One without a password
    /// (any more) is passed over. Of a player 50 others are kept at most, those that were seen last.
    async fn note_shared_device(
        &self,
        player: &PlayerId,
        others: &[PlayerId],
        seen_ms: i64,
    ) -> Result<(), StoreError>;

    /// Writes a token down, unless its player has `max` that have not expired: `false`.
    async fn create_token(&self, new: &NewToken, max: u32) -> Result<bool, StoreError>;

    /// For whom a token speaks, and what it may do, if it has not expired.
    async fn token(&self, hash: &TokenHash, now_ms: i64) -> Result<Option<Holder>, StoreError>;

    /// The tokens of a player that have not expired, newest first.
    async fn tokens_of(&self, player: &PlayerId, now_ms: i64) -> Result<Vec<TokenRow>, StoreError>;

    /// Revokes a token of a player; `None` when they have no such one.
    async fn delete_token(
        &self,
        player: &PlayerId,
        id: &TokenId,
    ) -> Result<Option<TokenHash>, StoreError>;

    /// Writes down when sessions and tokens were last shown; one that is gone is passed over.
    async fn mark_used(
        &self,
        sessions: &[(TokenHash, i64)],
        tokens: &[(TokenHash, i64)],
    ) -> Result<(), StoreError>;

    /// Makes an account a bot account, and takes its open seeks back.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when it is no account, or sits at any match.
    async fn become_bot(&self, player: &PlayerId) -> Result<Player, StoreError>;

    // --- push messages ---

    /// The private key by which push services know this server; `new` is kept as that where there is none yet.
    async fn push_key(&self, new: &PushSecret) -> Result<PushSecret, StoreError>;

    /// Writes down that the browser with this session is called from now on, and by this address no other; a player has `max` at most,
    /// of more the oldest goes. A session that ends takes it along.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] when the session has ended, [`StoreError::Conflict`] when another has said the same address at the same
    /// moment.
    async fn subscribe(&self, new: &SubscriptionRow, max: u32) -> Result<(), StoreError>;

    /// The browsers of a player that are to be called, the newest first.
    async fn subscriptions_of(
        &self,
        player: &PlayerId,
        now_ms: i64,
    ) -> Result<Vec<SubscriptionRow>, StoreError>;

    /// The browser with this session is not called any more.
    async fn unsubscribe(&self, session: &TokenHash) -> Result<(), StoreError>;

    /// The push service says that there is no browser at this address any more.
    async fn forget_endpoint(&self, endpoint: &str) -> Result<(), StoreError>;

    // --- accounts, as operators and moderators see them ---

    /// An account by the player's id; `None` also for the server's own computer opponents.
    async fn account(&self, id: &PlayerId) -> Result<Option<Account>, StoreError>;

    /// A page of accounts by name, from beyond the name `after` where one is given.
    async fn accounts(
        &self,
        filter: &AccountFilter,
        after: Option<&str>,
        limit: u32,
    ) -> Result<Vec<Account>, StoreError>;

    /// Creates an account and writes that into the log, in one transaction.
    ///
    /// # Errors
    /// As [`Store::create_player`].
    async fn create_account(&self, new: &NewPlayer, deed: &Deed) -> Result<(), StoreError>;

    /// Changes an account and writes that into the log, in one transaction. What is so already is left alone, and not written into the
    /// log.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] for no account, and for a session that it does not have; [`StoreError::Conflict`] for a name that is
    /// taken, for a deleted account, for one to delete that still plays, for a guest where that makes no sense, and where one that has played would become a bot account
    /// or cease to be one.
    async fn change_account(
        &self,
        id: &PlayerId,
        change: &AccountChange,
        deed: &Deed,
    ) -> Result<Changed, StoreError>;

    /// Writes into the log what was done elsewhere than in the store.
    async fn write_audit(&self, new: &NewAudit) -> Result<(), StoreError>;

    /// A page of the log, newest first, from before the line `before` where one is given.
    async fn audit(
        &self,
        filter: &AuditFilter,
        before: Option<u64>,
        limit: u32,
    ) -> Result<Vec<AuditRow>, StoreError>;

    /// Enables the accounts that were disabled until a time that has come, and writes that into the log: how many.
    async fn enable_due(&self, now_ms: i64) -> Result<u64, StoreError>;

    // --- reports ---

    /// Writes a report down.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] while one of the same player by the same is open.
    async fn create_report(&self, new: &NewReport) -> Result<(), StoreError>;

    /// A report by id.
    async fn report(&self, id: &ReportId) -> Result<Option<ReportRow>, StoreError>;

    /// A page of reports, from beyond `cursor` where one is given: open ones oldest first, resolved ones latest first.
    async fn reports(
        &self,
        filter: &ReportFilter,
        cursor: Option<&ReportCursor>,
        limit: u32,
    ) -> Result<Vec<ReportRow>, StoreError>;

    /// A moderator takes an open report, and that is written into the log: `false` when it is not open, or another has taken it after
    /// `stale_ms`.
    async fn take_report(
        &self,
        id: &ReportId,
        deed: &Deed,
        stale_ms: i64,
    ) -> Result<bool, StoreError>;

    /// The moderator who has taken a report resolves it: with all that follows for the account, what its owner is told, and the lines in
    /// the log, in one transaction.
    ///
    /// # Errors
    /// As [`Store::change_account`]; nothing is changed then.
    async fn resolve_report(
        &self,
        id: &ReportId,
        verdict: &Verdict,
        deed: &Deed,
    ) -> Result<Judged, StoreError>;

    /// What a player was let know and has not read, oldest first.
    async fn notices_of(&self, player: &PlayerId, limit: u32)
    -> Result<Vec<NoticeRow>, StoreError>;

    /// A player has read a notice: `false` when there is no such one of theirs.
    async fn delete_notice(&self, player: &PlayerId, id: &NoticeId) -> Result<bool, StoreError>;

    /// Until when a player says no phrases.
    async fn muted_until(&self, player: &PlayerId) -> Result<Option<i64>, StoreError>;

    // --- upkeep ---

    /// Takes the day's upkeep, unless it was taken after `before_ms`: of several nodes that ask, one gets it.
    async fn claim_upkeep(&self, before_ms: i64, now_ms: i64) -> Result<bool, StoreError>;

    /// How many rows of a kind were of no use any more at `before_ms`.
    async fn count_stale(&self, stale: Stale, before_ms: i64) -> Result<u64, StoreError>;

    /// Deletes so many of them at most, the oldest first, with all that belongs to them, in one transaction; how many.
    async fn delete_stale(
        &self,
        stale: Stale,
        before_ms: i64,
        limit: u32,
    ) -> Result<u64, StoreError>;

    // --- the store itself ---

    /// Whether it can be written to: a small commit.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`]; see [`StoreError::is_disk_full`].
    async fn ping(&self) -> Result<(), StoreError>;

    /// Whether its disk has room for more matches and players; the writes that add one refuse it by themselves.
    ///
    /// # Errors
    /// [`StoreError::LowSpace`].
    fn check_space(&self) -> Result<(), StoreError>;

    /// Copies the whole database, as it is at one moment from now, into an empty file, while others go on using it. `false`, and
    /// nothing is written, for one that is copied with tools of its own.
    async fn copy_into(&self, file: &Path) -> Result<bool, StoreError>;

    /// Closes it; what was acknowledged is on disk.
    async fn close(&self);
}

/// Opens a store and brings its schema up to date.
///
/// `url` is `postgres://…` (or `postgresql://…`), or `sqlite:PATH` with the path of the file, which is made if it is not there.
///
/// # Errors
/// A line for the operator: what is wrong and how to mend it.
pub async fn open(url: &str) -> Result<Arc<dyn Store>, OpenError> {
    open_with(url, MinFreeSpace::Off).await
}

/// As [`open`], for a server: on a disk with less room than this an embedded store takes no new matches and players, so that the running
/// matches can end.
///
/// # Errors
/// As [`open`].
pub async fn open_with(url: &str, min_free: MinFreeSpace) -> Result<Arc<dyn Store>, OpenError> {
    if let Some(path) = url.strip_prefix("sqlite:") {
        let store = sqlite::SqliteStore::open(path.as_ref(), min_free).await?;
        Ok(Arc::new(store))
    } else if url.starts_with("postgres://") || url.starts_with("postgresql://") {
        Ok(Arc::new(postgres::PostgresStore::open(url).await?))
    } else {
        Err(OpenError(
            "the database must be postgres://… or sqlite:PATH".to_owned(),
        ))
    }
}

/// Takes the lock that says "a server uses this embedded database", for as long as what is returned lives.
///
/// # Errors
/// A line for the operator: one is in use.
pub fn lock(database: &Path) -> Result<std::fs::File, OpenError> {
    sqlite::lock(database)
}
