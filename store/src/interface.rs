//! The trait of every store.

use std::path::Path;
use std::time::Duration;

use async_trait::async_trait;
use mawe_play::pairing::penalty::Abandonments;
use mawe_play::room::entry::StoredEntry;
use mawe_rules::GameKind;
use mawe_wire::ids::{ChallengeId, MatchId, NoticeId, PlayerId, ReportId, TokenHash, TokenId};
use mawe_wire::{DeclineReason, Language, Speed};

use super::accounts::{
    Account, AccountChange, AccountFilter, AuditFilter, AuditRow, Changed, Deed, NewAudit,
};
use super::challenges::{ChallengeRow, NewChallenge, Offered};
use super::corrections::Corrections;
use super::error::StoreError;
use super::identity::{DeviceKey, Holder, NewSession, NewToken, SessionRow, TokenRow};
use super::journal::{Append, Appended};
use super::matches::{ClaimedMatch, MatchCursor, MatchFilter, MatchRow, NewMatch};
use super::nodes::{Claim, NewNode, Wished};
use super::players::{NewPlayer, Player};
use super::prune::Stale;
use super::push::{PushSecret, SubscriptionRow};
use super::ratings::{
    HistoryCursor, HistoryOrder, LeaderboardRow, PlacedSeed, RateFn, RatingChange, RatingRow, Seed,
};
use super::reports::{
    Judged, NewReport, NoticeRow, ReportCursor, ReportFilter, ReportRow, Verdict,
};
use super::standings::Standings;
use super::tallies::{GameTally, SideTally, Tally};
use super::voids::{PairFilter, PairToReview, VoidMatches};

/// A backend, with its guarantees.
#[async_trait]
pub trait Store: Send + Sync + 'static {
    // --- the journal ---

    /// Appends entries to many matches in one commit. The answers are in the order of `batch`.
    ///
    /// A match may appear once in a batch. [`Appended::Fenced`] is the answer to any later append for the same match, to an append whose
    /// entries are not numbered consecutively from its head, and to one that names a command that is already in the journal. The rest of
    /// the batch is written.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when nothing was committed; [`StoreError::OutcomeUnknown`] when that is uncertain: read the journal
    /// back.
    async fn append(&self, batch: &[Append]) -> Result<Vec<Appended>, StoreError>;

    /// Returns the entries of a match with `seq` above `after`, in order; empty for an unknown match.
    async fn entries(&self, id: &MatchId, after: u64) -> Result<Vec<StoredEntry>, StoreError>;

    /// Takes over a running match: adds one to its epoch, stores `owner`, and returns the match with its whole journal as of that commit. A
    /// finished match is returned unclaimed: nothing can be appended to it. `None` for an unknown match.
    async fn claim_match(
        &self,
        id: &MatchId,
        owner: &str,
    ) -> Result<Option<ClaimedMatch>, StoreError>;

    // --- nodes of a cluster ---

    /// Like [`Store::claim_match`], unless another live node owns the match. A finished match is claimed too, without a new epoch, so that
    /// its players still meet in one room.
    async fn claim_free_match(&self, id: &MatchId, node: &str)
    -> Result<Option<Claim>, StoreError>;

    /// Returns running realtime matches without a live owner, oldest first. A match that never had an owner is included only 2 s after its
    /// creation, to leave it to the node that created it.
    async fn orphaned_matches(&self, limit: u32) -> Result<Vec<MatchId>, StoreError>;

    /// Returns the running realtime matches that this node owns.
    async fn matches_owned_by(&self, node: &str) -> Result<Vec<MatchId>, StoreError>;

    /// Registers a node for the duration of `lease`. Returns `false`, and writes nothing, while another live process is registered under
    /// the same id.
    async fn join_nodes(&self, node: &NewNode, lease: Duration) -> Result<bool, StoreError>;

    /// Extends a node's lease to `lease` from now, and returns the names of all live nodes. `None` when its lease had already ended: other
    /// nodes may have taken its matches.
    async fn renew_lease(
        &self,
        node: &str,
        lease: Duration,
    ) -> Result<Option<Vec<String>>, StoreError>;

    /// Removes a node: releases its matches and its id, in one transaction.
    async fn leave_nodes(&self, node: &str) -> Result<(), StoreError>;

    /// Stores that a player waits for an opponent, and discards the match that an earlier wish was granted.
    async fn wish(&self, player: &PlayerId) -> Result<(), StoreError>;

    /// Returns the match that a player's wish for an opponent was granted; `None` while the wish is open, and without a wish.
    async fn granted(&self, player: &PlayerId) -> Result<Option<MatchId>, StoreError>;

    /// Returns the state of a player's wish.
    async fn wished(&self, player: &PlayerId) -> Result<Wished, StoreError>;

    /// Creates a match for players with open wishes, grants the wishes, and cancels the players' seeks for realtime matches, in one
    /// transaction.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when one of the wishes is granted already, or does not exist; nothing is written then.
    async fn create_wished_match(
        &self,
        new: &NewMatch,
        players: &[PlayerId],
    ) -> Result<(), StoreError>;

    /// Returns those of these sessions and tokens that no longer exist. An expired one exists until it is deleted from its table.
    async fn ended_sessions(&self, hashes: &[TokenHash]) -> Result<Vec<TokenHash>, StoreError>;

    /// Returns the names of the live nodes.
    async fn living_nodes(&self) -> Result<Vec<String>, StoreError>;

    // --- matches ---

    /// Creates a match with an empty journal (head 0, epoch 0).
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when the match is a rematch of a match that has a rematch already; [`StoreError::TooManyMatches`] when one
    /// of its players, other than a computer opponent, has [`MAX_RUNNING`](super::MAX_RUNNING) running matches. Every method that creates a match can return
    /// the second.
    async fn create_match(&self, new: &NewMatch) -> Result<(), StoreError>;

    /// Returns a match without its journal.
    async fn find_match(&self, id: &MatchId) -> Result<Option<MatchRow>, StoreError>;

    /// Returns the rematch of a match.
    async fn find_rematch(&self, of: &MatchId) -> Result<Option<MatchId>, StoreError>;

    /// Returns the ids of all running realtime matches, oldest first. A starting server opens their rooms.
    async fn live_match_ids(&self) -> Result<Vec<MatchId>, StoreError>;

    /// Returns running matches that are due at `now_ms` ([`Append::due_ms`]), the earliest due first; realtime matches are never due.
    async fn due_match_ids(&self, now_ms: i64, limit: u32) -> Result<Vec<MatchId>, StoreError>;

    /// Returns running public matches for a lobby, the strongest first (by the sum of the ratings at the seats, where a missing rating
    /// counts as 0), then the newest. A match without clocks against a computer opponent is left out when it had no entry in the ten
    /// minutes before `now_ms`.
    async fn running_matches(
        &self,
        game: Option<GameKind>,
        now_ms: i64,
        limit: u32,
    ) -> Result<Vec<MatchRow>, StoreError>;

    /// Returns running public realtime matches of one game in the same order, without those of one player at both seats.
    async fn strongest_live_matches(
        &self,
        game: GameKind,
        limit: u32,
    ) -> Result<Vec<MatchRow>, StoreError>;

    /// Returns the running matches of a player, newest first.
    async fn running_matches_of(
        &self,
        player: &PlayerId,
        limit: u32,
    ) -> Result<Vec<MatchRow>, StoreError>;

    /// Returns a page of a player's matches, newest first (by `created_at`, then id), after `cursor` if given.
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
    /// [`StoreError::Conflict`] when the name is taken (case-insensitive).
    async fn create_player(&self, new: &NewPlayer) -> Result<(), StoreError>;

    /// Turns a guest into an account with the same id, and so with the same matches.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when the name is taken, [`StoreError::NotFound`] when the guest does not exist.
    async fn register_guest(
        &self,
        guest: &PlayerId,
        name: &str,
        password_hash: &str,
    ) -> Result<Player, StoreError>;

    /// Returns the computer opponent of a level; creates it with `name` if it does not exist.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when it does not exist and the name is taken.
    async fn ensure_bot(&self, level: u8, name: &str, now_ms: i64) -> Result<Player, StoreError>;

    /// Finds a player by id.
    async fn find_player(&self, id: &PlayerId) -> Result<Option<Player>, StoreError>;

    /// Finds a player by name, case-insensitively.
    async fn find_player_by_name(&self, name: &str) -> Result<Option<Player>, StoreError>;

    /// Returns players whose names begin with `name_start` (case-insensitive), by name, without guests and disabled accounts.
    async fn find_players(&self, name_start: &str, limit: u32) -> Result<Vec<Player>, StoreError>;

    /// Returns the language that a player has chosen.
    async fn language(&self, player: &PlayerId) -> Result<Option<Language>, StoreError>;

    /// Whether a player refuses challenges by name from guests.
    async fn refuses_guests(&self, player: &PlayerId) -> Result<bool, StoreError>;

    /// Stores whether a player refuses challenges by name from guests.
    async fn set_refuses_guests(&self, player: &PlayerId, refuses: bool) -> Result<(), StoreError>;

    /// Stores a player's language.
    async fn set_language(&self, player: &PlayerId, language: Language) -> Result<(), StoreError>;

    /// Returns a player and the password hash, by name; `None` also for guests and computer opponents.
    async fn credentials(&self, name: &str) -> Result<Option<(Player, String)>, StoreError>;

    /// Returns the password hashes of these players, with their ids; skips players without a password.
    async fn password_hashes(&self, of: &[PlayerId])
    -> Result<Vec<(PlayerId, String)>, StoreError>;

    // --- challenges ---

    /// Creates a challenge.
    async fn create_challenge(&self, new: &NewChallenge) -> Result<(), StoreError>;

    /// Creates a challenge that is not a seek. It is refused when the challenger has `max_open` open challenges, or `max_to_one` to the
    /// same player, or must wait because that player has declined earlier ones; a `patient` challenger need not wait. The limits hold for
    /// concurrent calls.
    async fn create_challenge_within(
        &self,
        new: &NewChallenge,
        max_open: u32,
        max_to_one: u32,
        patient: bool,
    ) -> Result<Offered, StoreError>;

    /// Creates a seek. Returns `false`, and writes nothing, when the seeker has `max_open` open seeks. The limit holds for concurrent
    /// calls.
    async fn create_seek(&self, new: &NewChallenge, max_open: u32) -> Result<bool, StoreError>;

    /// Finds a challenge by id.
    async fn find_challenge(&self, id: &ChallengeId) -> Result<Option<ChallengeRow>, StoreError>;

    /// Accepts an open challenge and creates its match, in one transaction.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when it is not open (accepted, declined, cancelled, or expired at `now_ms`), [`StoreError::NotFound`].
    async fn accept_challenge(
        &self,
        id: &ChallengeId,
        new: &NewMatch,
        now_ms: i64,
    ) -> Result<(), StoreError>;

    /// Like [`Store::accept_challenge`], for a match whose players stop waiting for other opponents: also grants their wishes and cancels
    /// their seeks for realtime matches. Returns `false`, and writes nothing, when one of the wishes has changed since `seats` was read.
    async fn accept_and_seat(
        &self,
        id: &ChallengeId,
        new: &NewMatch,
        now_ms: i64,
        seats: &[Wished],
    ) -> Result<bool, StoreError>;

    /// Cancels an open challenge.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when it is not open, [`StoreError::NotFound`].
    async fn cancel_challenge(&self, id: &ChallengeId) -> Result<(), StoreError>;

    /// Returns the open seeks (listed challenges) of one player or of all, newest first.
    async fn open_seeks(
        &self,
        of: Option<&PlayerId>,
        now_ms: i64,
        limit: u32,
    ) -> Result<Vec<ChallengeRow>, StoreError>;

    /// Cancels all open seeks of a player for realtime matches, when the player has left or got a match. Returns their number.
    async fn cancel_live_seeks(&self, of: &PlayerId) -> Result<u64, StoreError>;

    /// Cancels all open seeks of a player. Returns their number.
    async fn cancel_seeks(&self, of: &PlayerId) -> Result<u64, StoreError>;

    /// Counts a player's abandonments of realtime matches against people since `since_ms`: matches lost by leaving (`abandoned`), rated
    /// matches left before they counted (`left-early`), and first moves never made (`no-show`). Also counts the matches that the player has
    /// called off or not begun since `call_offs_since_ms`, which must not be earlier than `since_ms`.
    async fn abandonments(
        &self,
        player: &PlayerId,
        since_ms: i64,
        call_offs_since_ms: i64,
    ) -> Result<Abandonments, StoreError>;

    /// Declines an open challenge, as the challenged player.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when it is not open, [`StoreError::NotFound`].
    async fn decline_challenge(
        &self,
        id: &ChallengeId,
        reason: DeclineReason,
        now_ms: i64,
    ) -> Result<(), StoreError>;

    /// Returns the open challenges to a player, newest first.
    async fn challenges_to(
        &self,
        player: &PlayerId,
        now_ms: i64,
        limit: u32,
    ) -> Result<Vec<ChallengeRow>, StoreError>;

    /// Returns the open challenges of a player, by name or by link, newest first, without seeks.
    async fn challenges_by(
        &self,
        player: &PlayerId,
        now_ms: i64,
        limit: u32,
    ) -> Result<Vec<ChallengeRow>, StoreError>;

    // --- ratings ---

    /// Returns a player's rating; `None` before the first rated match of this game and speed, except for a computer opponent with a seeded
    /// rating.
    async fn rating(
        &self,
        player: &PlayerId,
        game: GameKind,
        speed: Speed,
    ) -> Result<Option<RatingRow>, StoreError>;

    /// Returns all ratings of a player.
    async fn ratings_of(&self, player: &PlayerId) -> Result<Vec<RatingRow>, StoreError>;

    /// Returns a page of the changes of a player's rating, ordered by time, then by ordinal, after `cursor` if given.
    async fn rating_history(
        &self,
        player: &PlayerId,
        game: GameKind,
        speed: Speed,
        order: HistoryOrder,
        cursor: Option<&HistoryCursor>,
        limit: u32,
    ) -> Result<Vec<RatingChange>, StoreError>;

    /// Returns a player's tally at each side of each game, over all counted matches.
    async fn tallies_of(&self, player: &PlayerId) -> Result<Vec<SideTally>, StoreError>;

    /// Returns a player's tally against one opponent in each game.
    async fn head_to_head(
        &self,
        player: &PlayerId,
        opponent: &PlayerId,
    ) -> Result<Vec<(GameKind, Tally)>, StoreError>;

    /// Returns the tally of each game with at least one counted match.
    async fn game_tallies(&self) -> Result<Vec<GameTally>, StoreError>;

    /// Returns a page of players by rating, highest first, without disabled accounts. A player is included with a stored deviation of at
    /// most `max_deviation` and at least `min_opponents` different opponents (people and bot accounts). The growth of the deviation since
    /// the last match is ignored.
    async fn leaderboard(
        &self,
        game: GameKind,
        speed: Speed,
        max_deviation: f64,
        min_opponents: u32,
        offset: u32,
        limit: u32,
    ) -> Result<Vec<LeaderboardRow>, StoreError>;

    /// Returns finished matches that are not counted yet (the outbox), oldest first.
    async fn uncounted_matches(&self, limit: u32) -> Result<Vec<MatchId>, StoreError>;

    /// Counts a finished match, in one transaction: removes it from the outbox, adds it to the tallies, and, for a rated match, computes
    /// both ratings with `rate` and writes them with their history rows. Returns `false` when the match is not in the outbox, so a repeated
    /// call does nothing. Matches are counted one at a time across all nodes, and numbered in that order. A match that was called off or
    /// made void, or that has one player at both seats, changes no tally and no rating.
    async fn count_match(&self, id: &MatchId, rate: RateFn) -> Result<bool, StoreError>;

    // --- checking the counts ---

    /// Returns the rating changes of the matches counted with an ordinal above `after` and up to `to`, by ordinal, then side.
    async fn rating_changes(&self, after: u64, to: u64) -> Result<Vec<RatingChange>, StoreError>;

    /// Sets the ratings of computer opponents to those of this ladder version, in one transaction. Returns `false`, and sets nothing, when
    /// this version or a later one was applied before. Their tallies are unchanged.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when one of the players is not a computer opponent; nothing is set then.
    async fn seed_ratings(
        &self,
        ladder: u32,
        seeds: &[Seed],
        now_ms: i64,
    ) -> Result<bool, StoreError>;

    /// Returns all seeds that were set after at most `up_to` counted matches, in order.
    async fn rating_seeds(&self, up_to: u64) -> Result<Vec<PlacedSeed>, StoreError>;

    /// Returns a page of finished matches by id, after `after` if given.
    async fn finished_matches(
        &self,
        after: Option<&MatchId>,
        limit: u32,
    ) -> Result<Vec<MatchRow>, StoreError>;

    /// Returns the number of counted matches, which is the last ordinal. While it is unchanged, so are the ratings and tallies made by
    /// counting.
    async fn counted(&self) -> Result<u64, StoreError>;

    /// Returns all ratings and tallies. Loads everything into memory, so it is not for a request handler.
    async fn standings(&self) -> Result<Standings, StoreError>;

    /// Writes corrections of the ratings and tallies, and an audit log entry, in one transaction. Returns `false`, and writes nothing, when
    /// matches were counted since the corrections were computed.
    async fn correct(&self, corrections: &Corrections, deed: &Deed) -> Result<bool, StoreError>;

    // --- matches made void ---

    /// Returns pairs of players, without computer opponents, who share a device, or of whom one has played at least four of five rated
    /// matches against the other; those with the most matches first. Slow, so only for moderators: it reads all rated matches since the
    /// filter's time.
    async fn pairs_to_review(
        &self,
        filter: &PairFilter,
        limit: u32,
    ) -> Result<Vec<PairToReview>, StoreError>;

    /// Makes rated matches void, writes an audit log entry, and puts the recount of the ratings into the outbox, in one transaction.
    /// Returns the number of matches. Skips matches that are void already or were called off.
    async fn void_matches(&self, void: &VoidMatches, deed: &Deed) -> Result<u64, StoreError>;

    /// Returns void matches that may still count in ratings and tallies.
    async fn voids_owed(&self) -> Result<Vec<MatchId>, StoreError>;

    /// Removes void matches from the outbox, after a recount without them.
    async fn settle_voids(&self, ids: &[MatchId]) -> Result<(), StoreError>;

    // --- sessions and tokens ---

    /// Creates a session, and deletes expired ones. The store holds only the SHA-256 of a session's or a token's secret. A player has at
    /// most 50 sessions: returns the hashes of those that were ended to keep the limit.
    async fn create_session(&self, new: &NewSession) -> Result<Vec<TokenHash>, StoreError>;

    /// Returns the holder of a session that has not expired.
    async fn session(&self, hash: &TokenHash, now_ms: i64) -> Result<Option<Holder>, StoreError>;

    /// Returns the sessions of a player that have not expired, the last used first.
    async fn sessions_of(
        &self,
        player: &PlayerId,
        now_ms: i64,
    ) -> Result<Vec<SessionRow>, StoreError>;

    /// Ends a session; no error if it does not exist.
    async fn delete_session(&self, hash: &TokenHash) -> Result<(), StoreError>;

    /// Ends all sessions of a player except `keep`. Returns the hashes of the ended ones.
    async fn delete_other_sessions(
        &self,
        player: &PlayerId,
        keep: &TokenHash,
    ) -> Result<Vec<TokenHash>, StoreError>;

    /// Changes a password. Ends all sessions of the player except `keep`, and with `end_tokens` all tokens; returns the hashes of the ended
    /// ones.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] for a player without a password.
    async fn change_password(
        &self,
        player: &PlayerId,
        password_hash: &str,
        keep: &TokenHash,
        end_tokens: bool,
    ) -> Result<Vec<TokenHash>, StoreError>;

    /// Returns the key that signs the cookies of known devices; stores `new` as the key if there is none.
    async fn device_key(&self, new: &DeviceKey) -> Result<DeviceKey, StoreError>;

    /// Stores that a player has logged in from a browser that these other accounts had used before. Accounts without a password are
    /// skipped. At most 50 others are kept for a player, the last seen.
    async fn note_shared_device(
        &self,
        player: &PlayerId,
        others: &[PlayerId],
        seen_ms: i64,
    ) -> Result<(), StoreError>;

    /// Creates a token. Returns `false`, and creates nothing, when the player has `max` tokens that have not expired.
    async fn create_token(&self, new: &NewToken, max: u32) -> Result<bool, StoreError>;

    /// Returns the holder of a token that has not expired, with the token's scopes.
    async fn token(&self, hash: &TokenHash, now_ms: i64) -> Result<Option<Holder>, StoreError>;

    /// Returns the tokens of a player that have not expired, newest first.
    async fn tokens_of(&self, player: &PlayerId, now_ms: i64) -> Result<Vec<TokenRow>, StoreError>;

    /// Revokes a token of a player; `None` if the player has no token with this id.
    async fn delete_token(
        &self,
        player: &PlayerId,
        id: &TokenId,
    ) -> Result<Option<TokenHash>, StoreError>;

    /// Stores when sessions and tokens were last used; skips those that no longer exist.
    async fn mark_used(
        &self,
        sessions: &[(TokenHash, i64)],
        tokens: &[(TokenHash, i64)],
    ) -> Result<(), StoreError>;

    /// Turns an account into a bot account, and cancels its open seeks.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when the player is not an account, or has a seat in any match.
    async fn become_bot(&self, player: &PlayerId) -> Result<Player, StoreError>;

    // --- push messages ---

    /// Returns the private key that identifies this server to push services; stores `new` as the key if there is none.
    async fn push_key(&self, new: &PushSecret) -> Result<PushSecret, StoreError>;

    /// Stores a session's push subscription; any other session with the same endpoint loses its own. A player has at most `max`
    /// subscriptions; the oldest is deleted. A subscription ends with its session.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] when the session has ended, [`StoreError::Conflict`] when a concurrent call stores the same endpoint.
    async fn subscribe(&self, new: &SubscriptionRow, max: u32) -> Result<(), StoreError>;

    /// Returns the push subscriptions of a player, newest first.
    async fn subscriptions_of(
        &self,
        player: &PlayerId,
        now_ms: i64,
    ) -> Result<Vec<SubscriptionRow>, StoreError>;

    /// Deletes a session's push subscription.
    async fn unsubscribe(&self, session: &TokenHash) -> Result<(), StoreError>;

    /// Deletes the subscription with an endpoint that the push service reports as gone.
    async fn forget_endpoint(&self, endpoint: &str) -> Result<(), StoreError>;

    // --- accounts, as operators and moderators see them ---

    /// Returns an account by player id; `None` also for the server's own computer opponents.
    async fn account(&self, id: &PlayerId) -> Result<Option<Account>, StoreError>;

    /// Returns a page of accounts by name, after the name `after` if given.
    async fn accounts(
        &self,
        filter: &AccountFilter,
        after: Option<&str>,
        limit: u32,
    ) -> Result<Vec<Account>, StoreError>;

    /// Creates an account and writes an audit log entry, in one transaction.
    ///
    /// # Errors
    /// As [`Store::create_player`].
    async fn create_account(&self, new: &NewPlayer, deed: &Deed) -> Result<(), StoreError>;

    /// Changes an account and writes an audit log entry, in one transaction. A change that has no effect writes nothing, neither to the
    /// account nor to the log.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] when the account does not exist, or has no such session or token; [`StoreError::Conflict`] when the name is
    /// taken, the account is deleted, an account to delete has a running match, the change does not apply to guests, or an account with
    /// matches would become a bot account or cease to be one.
    async fn change_account(
        &self,
        id: &PlayerId,
        change: &AccountChange,
        deed: &Deed,
    ) -> Result<Changed, StoreError>;

    /// Writes an audit log entry for an action outside the store.
    async fn write_audit(&self, new: &NewAudit) -> Result<(), StoreError>;

    /// Returns a page of the audit log, newest first, before the entry `before` if given.
    async fn audit(
        &self,
        filter: &AuditFilter,
        before: Option<u64>,
        limit: u32,
    ) -> Result<Vec<AuditRow>, StoreError>;

    /// Enables the accounts whose disabling ends by `now_ms`, and writes audit log entries. Returns their number.
    async fn enable_due(&self, now_ms: i64) -> Result<u64, StoreError>;

    // --- reports ---

    /// Creates a report.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] while another report by the same reporter about the same player is open.
    async fn create_report(&self, new: &NewReport) -> Result<(), StoreError>;

    /// Finds a report by id.
    async fn report(&self, id: &ReportId) -> Result<Option<ReportRow>, StoreError>;

    /// Returns a page of reports, after `cursor` if given: open ones oldest first, resolved ones latest first.
    async fn reports(
        &self,
        filter: &ReportFilter,
        cursor: Option<&ReportCursor>,
        limit: u32,
    ) -> Result<Vec<ReportRow>, StoreError>;

    /// Assigns an open report to a moderator, and writes an audit log entry. Returns `false` when it is not open, or another moderator has
    /// taken it after `stale_ms`.
    async fn take_report(
        &self,
        id: &ReportId,
        deed: &Deed,
        stale_ms: i64,
    ) -> Result<bool, StoreError>;

    /// Resolves a report, as the moderator who has taken it: applies the verdict to the account, creates the player's notice, and writes
    /// the audit log entries, in one transaction.
    ///
    /// # Errors
    /// As [`Store::change_account`]; nothing is changed then.
    async fn resolve_report(
        &self,
        id: &ReportId,
        verdict: &Verdict,
        deed: &Deed,
    ) -> Result<Judged, StoreError>;

    /// Returns a player's unread notices, oldest first.
    async fn notices_of(&self, player: &PlayerId, limit: u32)
    -> Result<Vec<NoticeRow>, StoreError>;

    /// Deletes a notice after its player has read it. Returns `false` when the player has no notice with this id.
    async fn delete_notice(&self, player: &PlayerId, id: &NoticeId) -> Result<bool, StoreError>;

    /// Returns the time until which a player may not send phrases.
    async fn muted_until(&self, player: &PlayerId) -> Result<Option<i64>, StoreError>;

    // --- upkeep ---

    /// Claims the daily upkeep, unless it was claimed after `before_ms`: of several nodes, one gets it.
    async fn claim_upkeep(&self, before_ms: i64, now_ms: i64) -> Result<bool, StoreError>;

    /// Counts the rows of a kind that were stale at `before_ms`.
    async fn count_stale(&self, stale: Stale, before_ms: i64) -> Result<u64, StoreError>;

    /// Deletes at most `limit` rows of a kind that were stale at `before_ms`, the oldest first, with their dependent rows, in one
    /// transaction. Returns the number of rows of that kind.
    async fn delete_stale(
        &self,
        stale: Stale,
        before_ms: i64,
        limit: u32,
    ) -> Result<u64, StoreError>;

    // --- the store itself ---

    /// Checks with a small commit whether the database can be written.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`]; see [`StoreError::is_disk_full`].
    async fn ping(&self) -> Result<(), StoreError>;

    /// Checks whether the disk has room for more matches and players. The writes that add one check it themselves.
    ///
    /// # Errors
    /// [`StoreError::LowSpace`].
    fn check_space(&self) -> Result<(), StoreError>;

    /// Copies the whole database, as of one moment during the call, into an empty file, while it stays in use. Returns `false`, and writes
    /// nothing, for a database that has its own tools for copies.
    async fn copy_into(&self, file: &Path) -> Result<bool, StoreError>;

    /// Closes the store; every acknowledged write is on disk.
    async fn close(&self);
}
