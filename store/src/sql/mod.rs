//! The part of the store whose SQL is the same on both databases, which is nearly all of it; one file for each subject.
//!
//! This module is a child of each backend, and so compiled twice: `super::Db` is the database, `super::Backend` the store. The parent has
//! the differences (opening, the append, beginning a transaction, locking rows). Both databases support `$1`, `RETURNING`, `ON CONFLICT`,
//! row comparisons and `FILTER`; use only features of both.

mod accounts;
mod audit;
mod backend;
mod challenges;
mod corrections;
mod counting;
pub(super) mod history;
mod identity;
mod journal;
mod matches;
mod nodes;
mod players;
mod prune;
mod push;
mod ratings;
mod reports;
mod seeds;
mod seeks;
mod tallies;
mod upkeep;
mod voids;

use std::path::Path;
use std::time::Duration;

use self::backend::Backend;
use crate::{
    Account, AccountChange, AccountFilter, Append, Appended, AuditFilter, AuditRow, ChallengeRow,
    Changed, Claim, ClaimedMatch, Corrections, Deed, DeviceKey, GameTally, HistoryCursor,
    HistoryOrder, Holder, Judged, LeaderboardRow, MatchCursor, MatchFilter, MatchRow, NewAudit,
    NewChallenge, NewMatch, NewNode, NewPlayer, NewReport, NewSession, NewToken, NoticeRow,
    Offered, PairFilter, PairToReview, PlacedSeed, Player, PushSecret, RateFn, RatingChange,
    RatingRow, ReportCursor, ReportFilter, ReportRow, Seed, SessionRow, SideTally, Stale,
    Standings, Store, StoreError, SubscriptionRow, Tally, TokenRow, Verdict, VoidMatches, Wished,
};
use async_trait::async_trait;
use mawe_play::pairing::penalty::Abandonments;
use mawe_play::room::entry::StoredEntry;
use mawe_rules::GameKind;
use mawe_wire::ids::TokenHash;
use mawe_wire::ids::{ChallengeId, MatchId, NoticeId, PlayerId, ReportId, TokenId};
use mawe_wire::{DeclineReason, Language, Speed};

#[async_trait]
impl Store for Backend {
    async fn append(&self, batch: &[Append]) -> Result<Vec<Appended>, StoreError> {
        journal::append(self, batch).await
    }

    async fn entries(&self, id: &MatchId, after: u64) -> Result<Vec<StoredEntry>, StoreError> {
        journal::entries(self, id, after).await
    }

    async fn claim_match(
        &self,
        id: &MatchId,
        owner: &str,
    ) -> Result<Option<ClaimedMatch>, StoreError> {
        journal::claim_match(self, id, owner).await
    }

    async fn claim_free_match(
        &self,
        id: &MatchId,
        node: &str,
    ) -> Result<Option<Claim>, StoreError> {
        journal::claim_free_match(self, id, node).await
    }

    async fn orphaned_matches(&self, limit: u32) -> Result<Vec<MatchId>, StoreError> {
        nodes::orphaned_matches(self, limit).await
    }

    async fn matches_owned_by(&self, node: &str) -> Result<Vec<MatchId>, StoreError> {
        nodes::matches_owned_by(self, node).await
    }

    async fn join_nodes(&self, node: &NewNode, lease: Duration) -> Result<bool, StoreError> {
        nodes::join_nodes(self, node, lease).await
    }

    async fn renew_lease(
        &self,
        node: &str,
        lease: Duration,
    ) -> Result<Option<Vec<String>>, StoreError> {
        nodes::renew_lease(self, node, lease).await
    }

    async fn leave_nodes(&self, node: &str) -> Result<(), StoreError> {
        nodes::leave_nodes(self, node).await
    }

    async fn wish(&self, player: &PlayerId) -> Result<(), StoreError> {
        nodes::wish(self, player).await
    }

    async fn granted(&self, player: &PlayerId) -> Result<Option<MatchId>, StoreError> {
        nodes::granted(self, player).await
    }

    async fn wished(&self, player: &PlayerId) -> Result<Wished, StoreError> {
        nodes::wished(self, player).await
    }

    async fn create_wished_match(
        &self,
        new: &NewMatch,
        players: &[PlayerId],
    ) -> Result<(), StoreError> {
        self.has_space()?;
        nodes::create_wished_match(self, new, players).await
    }

    async fn ended_sessions(&self, hashes: &[TokenHash]) -> Result<Vec<TokenHash>, StoreError> {
        identity::ended_sessions(self, hashes).await
    }

    async fn living_nodes(&self) -> Result<Vec<String>, StoreError> {
        nodes::living_nodes(self).await
    }

    async fn create_match(&self, new: &NewMatch) -> Result<(), StoreError> {
        self.has_space()?;
        matches::create_match(self, new).await
    }

    async fn find_match(&self, id: &MatchId) -> Result<Option<MatchRow>, StoreError> {
        matches::find_match(self, id).await
    }

    async fn find_rematch(&self, of: &MatchId) -> Result<Option<MatchId>, StoreError> {
        matches::find_rematch(self, of).await
    }

    async fn live_match_ids(&self) -> Result<Vec<MatchId>, StoreError> {
        matches::live_match_ids(self).await
    }

    async fn due_match_ids(&self, now_ms: i64, limit: u32) -> Result<Vec<MatchId>, StoreError> {
        matches::due_match_ids(self, now_ms, limit).await
    }

    async fn running_matches(
        &self,
        game: Option<GameKind>,
        now_ms: i64,
        limit: u32,
    ) -> Result<Vec<MatchRow>, StoreError> {
        matches::running_matches(self, game, now_ms, limit).await
    }

    async fn strongest_live_matches(
        &self,
        game: GameKind,
        limit: u32,
    ) -> Result<Vec<MatchRow>, StoreError> {
        matches::strongest_live_matches(self, game, limit).await
    }

    async fn running_matches_of(
        &self,
        player: &PlayerId,
        limit: u32,
    ) -> Result<Vec<MatchRow>, StoreError> {
        matches::running_matches_of(self, player, limit).await
    }

    async fn matches_of(
        &self,
        filter: &MatchFilter,
        cursor: Option<&MatchCursor>,
        limit: u32,
    ) -> Result<Vec<MatchRow>, StoreError> {
        history::matches_of(self, filter, cursor, limit).await
    }

    async fn create_player(&self, new: &NewPlayer) -> Result<(), StoreError> {
        self.has_space()?;
        players::create_player(self, new).await
    }

    async fn register_guest(
        &self,
        guest: &PlayerId,
        name: &str,
        password_hash: &str,
    ) -> Result<Player, StoreError> {
        self.has_space()?;
        players::register_guest(self, guest, name, password_hash).await
    }

    async fn ensure_bot(&self, level: u8, name: &str, now_ms: i64) -> Result<Player, StoreError> {
        players::ensure_bot(self, level, name, now_ms).await
    }

    async fn find_player(&self, id: &PlayerId) -> Result<Option<Player>, StoreError> {
        players::find_player(self, id).await
    }

    async fn find_player_by_name(&self, name: &str) -> Result<Option<Player>, StoreError> {
        players::find_player_by_name(self, name).await
    }

    async fn find_players(&self, name_start: &str, limit: u32) -> Result<Vec<Player>, StoreError> {
        players::find_players(self, name_start, limit).await
    }

    async fn language(&self, player: &PlayerId) -> Result<Option<Language>, StoreError> {
        players::language(self, player).await
    }

    async fn refuses_guests(&self, player: &PlayerId) -> Result<bool, StoreError> {
        players::refuses_guests(self, player).await
    }

    async fn set_refuses_guests(&self, player: &PlayerId, refuses: bool) -> Result<(), StoreError> {
        players::set_refuses_guests(self, player, refuses).await
    }

    async fn set_language(&self, player: &PlayerId, language: Language) -> Result<(), StoreError> {
        players::set_language(self, player, language).await
    }

    async fn credentials(&self, name: &str) -> Result<Option<(Player, String)>, StoreError> {
        players::credentials(self, name).await
    }

    async fn password_hashes(
        &self,
        of: &[PlayerId],
    ) -> Result<Vec<(PlayerId, String)>, StoreError> {
        players::password_hashes(self, of).await
    }

    async fn create_challenge(&self, new: &NewChallenge) -> Result<(), StoreError> {
        challenges::create_challenge(self, new).await
    }

    async fn create_challenge_within(
        &self,
        new: &NewChallenge,
        max_open: u32,
        max_to_one: u32,
        patient: bool,
    ) -> Result<Offered, StoreError> {
        challenges::create_challenge_within(self, new, max_open, max_to_one, patient).await
    }

    async fn create_seek(&self, new: &NewChallenge, max_open: u32) -> Result<bool, StoreError> {
        challenges::create_seek(self, new, max_open).await
    }

    async fn find_challenge(&self, id: &ChallengeId) -> Result<Option<ChallengeRow>, StoreError> {
        challenges::find_challenge(self, id).await
    }

    async fn accept_challenge(
        &self,
        id: &ChallengeId,
        new: &NewMatch,
        now_ms: i64,
    ) -> Result<(), StoreError> {
        self.has_space()?;
        challenges::accept_challenge(self, id, new, now_ms).await
    }

    async fn accept_and_seat(
        &self,
        id: &ChallengeId,
        new: &NewMatch,
        now_ms: i64,
        seats: &[Wished],
    ) -> Result<bool, StoreError> {
        self.has_space()?;
        challenges::accept_and_seat(self, id, new, now_ms, seats).await
    }

    async fn cancel_challenge(&self, id: &ChallengeId) -> Result<(), StoreError> {
        challenges::cancel_challenge(self, id).await
    }

    async fn decline_challenge(
        &self,
        id: &ChallengeId,
        reason: DeclineReason,
        now_ms: i64,
    ) -> Result<(), StoreError> {
        challenges::decline_challenge(self, id, reason, now_ms).await
    }

    async fn challenges_to(
        &self,
        player: &PlayerId,
        now_ms: i64,
        limit: u32,
    ) -> Result<Vec<ChallengeRow>, StoreError> {
        challenges::challenges_to(self, player, now_ms, limit).await
    }

    async fn challenges_by(
        &self,
        player: &PlayerId,
        now_ms: i64,
        limit: u32,
    ) -> Result<Vec<ChallengeRow>, StoreError> {
        challenges::challenges_by(self, player, now_ms, limit).await
    }

    async fn open_seeks(
        &self,
        of: Option<&PlayerId>,
        now_ms: i64,
        limit: u32,
    ) -> Result<Vec<ChallengeRow>, StoreError> {
        challenges::open_seeks(self, of, now_ms, limit).await
    }

    async fn cancel_live_seeks(&self, of: &PlayerId) -> Result<u64, StoreError> {
        challenges::cancel_live_seeks(self, of).await
    }

    async fn cancel_seeks(&self, of: &PlayerId) -> Result<u64, StoreError> {
        challenges::cancel_seeks_of(self, of).await
    }

    async fn abandonments(
        &self,
        player: &PlayerId,
        since_ms: i64,
        call_offs_since_ms: i64,
    ) -> Result<Abandonments, StoreError> {
        matches::abandonments(self, player, since_ms, call_offs_since_ms).await
    }

    async fn rating(
        &self,
        player: &PlayerId,
        game: GameKind,
        speed: Speed,
    ) -> Result<Option<RatingRow>, StoreError> {
        ratings::rating(self, player, game, speed).await
    }

    async fn ratings_of(&self, player: &PlayerId) -> Result<Vec<RatingRow>, StoreError> {
        ratings::ratings_of(self, player).await
    }

    async fn rating_history(
        &self,
        player: &PlayerId,
        game: GameKind,
        speed: Speed,
        order: HistoryOrder,
        cursor: Option<&HistoryCursor>,
        limit: u32,
    ) -> Result<Vec<RatingChange>, StoreError> {
        ratings::rating_history(self, player, game, speed, order, cursor, limit).await
    }

    async fn tallies_of(&self, player: &PlayerId) -> Result<Vec<SideTally>, StoreError> {
        tallies::tallies_of(self, player).await
    }

    async fn head_to_head(
        &self,
        player: &PlayerId,
        opponent: &PlayerId,
    ) -> Result<Vec<(GameKind, Tally)>, StoreError> {
        tallies::head_to_head(self, player, opponent).await
    }

    async fn game_tallies(&self) -> Result<Vec<GameTally>, StoreError> {
        tallies::game_tallies(self).await
    }

    async fn leaderboard(
        &self,
        game: GameKind,
        speed: Speed,
        max_deviation: f64,
        min_opponents: u32,
        offset: u32,
        limit: u32,
    ) -> Result<Vec<LeaderboardRow>, StoreError> {
        ratings::leaderboard(
            self,
            game,
            speed,
            max_deviation,
            min_opponents,
            offset,
            limit,
        )
        .await
    }

    async fn uncounted_matches(&self, limit: u32) -> Result<Vec<MatchId>, StoreError> {
        counting::uncounted_matches(self, limit).await
    }

    async fn count_match(&self, id: &MatchId, rate: RateFn) -> Result<bool, StoreError> {
        counting::count_match(self, id, rate).await
    }

    async fn rating_changes(&self, after: u64, to: u64) -> Result<Vec<RatingChange>, StoreError> {
        ratings::rating_changes(self, after, to).await
    }

    async fn seed_ratings(
        &self,
        ladder: u32,
        seeds: &[Seed],
        now_ms: i64,
    ) -> Result<bool, StoreError> {
        seeds::seed_ratings(self, ladder, seeds, now_ms).await
    }

    async fn rating_seeds(&self, up_to: u64) -> Result<Vec<PlacedSeed>, StoreError> {
        seeds::rating_seeds(self, up_to).await
    }

    async fn finished_matches(
        &self,
        after: Option<&MatchId>,
        limit: u32,
    ) -> Result<Vec<MatchRow>, StoreError> {
        matches::finished_matches(self, after, limit).await
    }

    async fn counted(&self) -> Result<u64, StoreError> {
        tallies::counted(self).await
    }

    async fn standings(&self) -> Result<Standings, StoreError> {
        tallies::standings(self).await
    }

    async fn correct(&self, corrections: &Corrections, deed: &Deed) -> Result<bool, StoreError> {
        corrections::correct(self, corrections, deed).await
    }

    async fn pairs_to_review(
        &self,
        filter: &PairFilter,
        limit: u32,
    ) -> Result<Vec<PairToReview>, StoreError> {
        voids::pairs_to_review(self, filter, limit).await
    }

    async fn void_matches(&self, void: &VoidMatches, deed: &Deed) -> Result<u64, StoreError> {
        voids::void_matches(self, void, deed).await
    }

    async fn voids_owed(&self) -> Result<Vec<MatchId>, StoreError> {
        voids::voids_owed(self).await
    }

    async fn settle_voids(&self, ids: &[MatchId]) -> Result<(), StoreError> {
        voids::settle_voids(self, ids).await
    }

    async fn create_session(&self, new: &NewSession) -> Result<Vec<TokenHash>, StoreError> {
        identity::create_session(self, new).await
    }

    async fn session(&self, hash: &TokenHash, now_ms: i64) -> Result<Option<Holder>, StoreError> {
        identity::session(self, hash, now_ms).await
    }

    async fn sessions_of(
        &self,
        player: &PlayerId,
        now_ms: i64,
    ) -> Result<Vec<SessionRow>, StoreError> {
        identity::sessions_of(self, player, now_ms).await
    }

    async fn delete_session(&self, hash: &TokenHash) -> Result<(), StoreError> {
        identity::delete_session(self, hash).await
    }

    async fn delete_other_sessions(
        &self,
        player: &PlayerId,
        keep: &TokenHash,
    ) -> Result<Vec<TokenHash>, StoreError> {
        identity::delete_other_sessions(self, player, keep).await
    }

    async fn change_password(
        &self,
        player: &PlayerId,
        password_hash: &str,
        keep: &TokenHash,
        end_tokens: bool,
    ) -> Result<Vec<TokenHash>, StoreError> {
        identity::change_password(self, player, password_hash, keep, end_tokens).await
    }

    async fn device_key(&self, new: &DeviceKey) -> Result<DeviceKey, StoreError> {
        identity::device_key(self, new).await
    }

    async fn note_shared_device(
        &self,
        player: &PlayerId,
        others: &[PlayerId],
        seen_ms: i64,
    ) -> Result<(), StoreError> {
        identity::note_shared_device(self, player, others, seen_ms).await
    }

    async fn create_token(&self, new: &NewToken, max: u32) -> Result<bool, StoreError> {
        identity::create_token(self, new, max).await
    }

    async fn token(&self, hash: &TokenHash, now_ms: i64) -> Result<Option<Holder>, StoreError> {
        identity::token(self, hash, now_ms).await
    }

    async fn tokens_of(&self, player: &PlayerId, now_ms: i64) -> Result<Vec<TokenRow>, StoreError> {
        identity::tokens_of(self, player, now_ms).await
    }

    async fn delete_token(
        &self,
        player: &PlayerId,
        id: &TokenId,
    ) -> Result<Option<TokenHash>, StoreError> {
        identity::delete_token(self, player, id).await
    }

    async fn mark_used(
        &self,
        sessions: &[(TokenHash, i64)],
        tokens: &[(TokenHash, i64)],
    ) -> Result<(), StoreError> {
        identity::mark_used(self, sessions, tokens).await
    }

    async fn push_key(&self, new: &PushSecret) -> Result<PushSecret, StoreError> {
        push::push_key(self, new).await
    }

    async fn subscribe(&self, new: &SubscriptionRow, max: u32) -> Result<(), StoreError> {
        push::subscribe(self, new, max).await
    }

    async fn subscriptions_of(
        &self,
        player: &PlayerId,
        now_ms: i64,
    ) -> Result<Vec<SubscriptionRow>, StoreError> {
        push::subscriptions_of(self, player, now_ms).await
    }

    async fn unsubscribe(&self, session: &TokenHash) -> Result<(), StoreError> {
        push::unsubscribe(self, session).await
    }

    async fn forget_endpoint(&self, endpoint: &str) -> Result<(), StoreError> {
        push::forget_endpoint(self, endpoint).await
    }

    async fn become_bot(&self, player: &PlayerId) -> Result<Player, StoreError> {
        identity::become_bot(self, player).await
    }

    async fn account(&self, id: &PlayerId) -> Result<Option<Account>, StoreError> {
        accounts::account(self, id).await
    }

    async fn accounts(
        &self,
        filter: &AccountFilter,
        after: Option<&str>,
        limit: u32,
    ) -> Result<Vec<Account>, StoreError> {
        accounts::accounts(self, filter, after, limit).await
    }

    async fn create_account(&self, new: &NewPlayer, deed: &Deed) -> Result<(), StoreError> {
        accounts::create_account(self, new, deed).await
    }

    async fn change_account(
        &self,
        id: &PlayerId,
        change: &AccountChange,
        deed: &Deed,
    ) -> Result<Changed, StoreError> {
        accounts::change_account(self, id, change, deed).await
    }

    async fn write_audit(&self, new: &NewAudit) -> Result<(), StoreError> {
        audit::write_audit(self, new).await
    }

    async fn audit(
        &self,
        filter: &AuditFilter,
        before: Option<u64>,
        limit: u32,
    ) -> Result<Vec<AuditRow>, StoreError> {
        audit::audit(self, filter, before, limit).await
    }

    async fn enable_due(&self, now_ms: i64) -> Result<u64, StoreError> {
        accounts::enable_due(self, now_ms).await
    }

    async fn create_report(&self, new: &NewReport) -> Result<(), StoreError> {
        reports::create_report(self, new).await
    }

    async fn report(&self, id: &ReportId) -> Result<Option<ReportRow>, StoreError> {
        reports::report(self, id).await
    }

    async fn reports(
        &self,
        filter: &ReportFilter,
        cursor: Option<&ReportCursor>,
        limit: u32,
    ) -> Result<Vec<ReportRow>, StoreError> {
        reports::reports(self, filter, cursor, limit).await
    }

    async fn take_report(
        &self,
        id: &ReportId,
        deed: &Deed,
        stale_ms: i64,
    ) -> Result<bool, StoreError> {
        reports::take_report(self, id, deed, stale_ms).await
    }

    async fn resolve_report(
        &self,
        id: &ReportId,
        verdict: &Verdict,
        deed: &Deed,
    ) -> Result<Judged, StoreError> {
        reports::resolve_report(self, id, verdict, deed).await
    }

    async fn notices_of(
        &self,
        player: &PlayerId,
        limit: u32,
    ) -> Result<Vec<NoticeRow>, StoreError> {
        reports::notices_of(self, player, limit).await
    }

    async fn delete_notice(&self, player: &PlayerId, id: &NoticeId) -> Result<bool, StoreError> {
        reports::delete_notice(self, player, id).await
    }

    async fn muted_until(&self, player: &PlayerId) -> Result<Option<i64>, StoreError> {
        reports::muted_until(self, player).await
    }

    async fn claim_upkeep(&self, before_ms: i64, now_ms: i64) -> Result<bool, StoreError> {
        prune::claim_upkeep(self, before_ms, now_ms).await
    }

    async fn count_stale(&self, stale: Stale, before_ms: i64) -> Result<u64, StoreError> {
        prune::count_stale(self, stale, before_ms).await
    }

    async fn delete_stale(
        &self,
        stale: Stale,
        before_ms: i64,
        limit: u32,
    ) -> Result<u64, StoreError> {
        prune::delete_stale(self, stale, before_ms, limit).await
    }

    async fn ping(&self) -> Result<(), StoreError> {
        upkeep::ping(self).await
    }

    fn check_space(&self) -> Result<(), StoreError> {
        self.has_space()
    }

    async fn copy_into(&self, file: &Path) -> Result<bool, StoreError> {
        self.copy_into(file).await
    }

    async fn close(&self) {
        self.shut().await;
    }
}
