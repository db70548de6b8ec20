//! Recounts ratings and tallies from the journals, compares them with the store, and corrects the store if the operator wants it.
//!
//! The results come from replaying the journals, not from the rows of matches. Only the order in which rated matches were counted comes
//! from the store, since the journals do not contain it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use mawe_play::rating;
use mawe_play::rating::{Rating, START_RATING};
use mawe_play::room::io::Finish;
use mawe_play::room::state::RoomState;
use mawe_rules::{BySide, GameKind, Side};
use mawe_wire::Speed;
use mawe_wire::end_reason::is_called_off;
use mawe_wire::ids::{MatchId, PlayerId};

use crate::{
    Attribution, ClaimedMatch, Corrections, GameTally, MatchRow, PlacedSeed, RatedMatch,
    RatingChange, RatingRow, SideTally, Standings, Store, StoreError, Tally,
};

/// The number of counted matches that are read at once.
const CHANGES_AT_ONCE: u64 = 200;

/// The number of finished matches that are read at once.
const MATCHES_AT_ONCE: u32 = 200;

/// The largest number of differences in a report; one is enough to show an error.
const MAX_REPORTED: usize = 1_000;

/// The largest difference of two equal numbers: another build may round the last digits differently.
const NEAR: f64 = 1e-6;

/// The report of a recount.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Recount {
    /// The number of matches that were recounted.
    pub matches: u64,
    /// The number of rated matches among them.
    pub rated: u64,
    /// The number of finished matches that the store has not counted yet; they are left out.
    pub uncounted: u64,
    /// The first thousand differences between the store and the recount.
    pub differences: Vec<Difference>,
    /// The number of further differences.
    pub unlisted: u64,
}

impl Recount {
    /// Returns the number of differences.
    fn difference_count(&self) -> u64 {
        self.differences.len() as u64 + self.unlisted
    }

    /// Whether the store agrees with the recount.
    #[must_use]
    pub fn agrees(&self) -> bool {
        self.differences.is_empty()
    }
}

/// A difference between the store and the recount.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The name of the value.
    pub what: String,
    /// The value in the store.
    pub stored: String,
    /// The value according to the journals.
    pub recounted: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference {
            what,
            stored,
            recounted,
        } = self;
        write!(
            f,
            "{what}: the store has {stored}, the journals say {recounted}"
        )
    }
}

/// The reason why a recount failed.
#[derive(Debug, thiserror::Error)]
pub enum RecountError {
    /// A node counted matches during the recount.
    #[error("another node counted matches meanwhile; try again when it is quiet, or on a backup")]
    Busy,
    /// A finished match has a damaged or unfinished journal, so its result is unknown.
    #[error("nothing was changed, because what ended cannot be read: {0}")]
    Unreadable(Difference),
    /// An error of the store.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Recounts all finished matches and compares. Holds all ratings and tallies in memory, and one match at a time.
///
/// # Errors
/// [`RecountError`]. A damaged match or journal is reported as a difference, not as an error.
pub async fn recount(store: &dyn Store) -> Result<Recount, RecountError> {
    let counted = store.counted().await?;
    let mut counts = Counts::default();
    counts.count_all(store, counted).await?;
    counts.compare(store.standings().await?);
    if store.counted().await? == counted {
        Ok(counts.recount)
    } else {
        Err(RecountError::Busy)
    }
}

/// Like [`recount`], and corrects the store in one transaction with an audit log entry; writes nothing if the store agrees. Rated matches
/// that were never counted, although the store does not list them as uncounted, are counted after all others.
///
/// # Errors
/// [`RecountError`]; nothing is changed then.
pub async fn rebuild(
    store: &dyn Store,
    attribution: &Attribution,
) -> Result<Recount, RecountError> {
    let counted = store.counted().await?;
    let mut counts = Counts::default();
    counts.count_all(store, counted).await?;
    if let Some(unreadable) = counts.unreadable {
        return Err(RecountError::Unreadable(unreadable));
    }
    counts.count_late(counted);
    counts.compare(store.standings().await?);
    if counts.recount.agrees() || store.correct(&counts.corrections, attribution).await? {
        Ok(counts.recount)
    } else {
        Err(RecountError::Busy)
    }
}

/// The state of a recount.
#[derive(Default)]
struct Counts {
    recount: Recount,
    rated: BTreeSet<MatchId>,
    ratings: BTreeMap<RatingKey, (Rating, Tally)>,
    /// The opponents of each rating, without computer opponents.
    opponents: BTreeMap<RatingKey, BTreeSet<PlayerId>>,
    /// The times at which the rated matches of each pair ended; the ids of a pair are in order.
    of_pair: BTreeMap<(PlayerId, PlayerId, GameKind), Vec<i64>>,
    tallies: BTreeMap<(PlayerId, GameKind, Side), (Tally, u64)>,
    pairs: BTreeMap<(PlayerId, PlayerId, GameKind), Tally>,
    games: BTreeMap<GameKind, GameTally>,
    /// Rated matches that should have been counted, but were not.
    late: Vec<Played>,
    /// The first match that cannot be counted, because its journal is damaged or has no end.
    unreadable: Option<Difference>,
    corrections: Corrections,
}

/// A finished match, as replayed from its journal.
struct Played {
    row: MatchRow,
    winner: Option<Side>,
    reason: String,
    score: Option<BySide<u16>>,
    plies: u32,
    at_ms: i64,
    left_by: Option<Side>,
}

/// The kind of weight of a rated match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Weighs {
    /// The full weight: the match was counted before weights existed.
    Whole,
    /// The weight by [`rating::weight`].
    ByPair,
}

/// The player, game kind and speed of a rating.
type RatingKey = (PlayerId, GameKind, Speed);

impl Counts {
    async fn count_all(&mut self, store: &dyn Store, counted: u64) -> Result<(), StoreError> {
        (self.corrections.counted, self.corrections.counted_after) = (counted, counted);
        let seeds = store.rating_seeds(counted).await?;
        let mut seeds = seeds.into_iter().peekable();
        let mut after = 0;
        while after < counted {
            let to = counted.min(after + CHANGES_AT_ONCE);
            let changes = store.rating_changes(after, to).await?;
            for match_changes in changes.chunk_by(|a, b| a.ordinal == b.ordinal) {
                let ordinal = match_changes[0].ordinal;
                while let Some(seed) = seeds.next_if(|seed| seed.ordinal < ordinal) {
                    self.seed(&seed);
                }
                self.rated_match(store, match_changes).await?;
            }
            after = to;
        }
        seeds.for_each(|seed| self.seed(&seed));
        let mut last: Option<MatchId> = None;
        loop {
            let rows = store
                .finished_matches(last.as_ref(), MATCHES_AT_ONCE)
                .await?;
            let Some(row) = rows.last() else {
                return Ok(());
            };
            last = Some(row.id.clone());
            for row in rows {
                self.finished_match(store, row).await?;
            }
        }
    }

    /// Counts the matches that were never counted, after all others, in the order of their ends.
    fn count_late(&mut self, counted: u64) {
        let mut late = std::mem::take(&mut self.late);
        late.sort_by(|a, b| (a.at_ms, &a.row.id).cmp(&(b.at_ms, &b.row.id)));
        for (ordinal, played) in (counted + 1..).zip(late) {
            let rated = self.rate(&played, ordinal, Weighs::ByPair);
            self.corrections.rated.push(rated);
            self.corrections.counted_after = ordinal;
        }
    }

    /// Applies a rated match to the ratings counted so far.
    fn rate(&mut self, played: &Played, ordinal: u64, weighs: Weighs) -> RatedMatch {
        let row = &played.row;
        let key = |side: Side| (row.players[side].id.clone(), row.game, row.speed);
        let before =
            BySide::from_fn(|side| self.ratings.get(&key(side)).map(|(rating, _)| *rating));
        let earlier = self.note_match_of_pair(played);
        let weight = match weighs {
            Weighs::Whole => None,
            Weighs::ByPair => Some(rating::weight(earlier)),
        };
        let after = rating::rate(before, played.winner, weight.unwrap_or(1.0), played.at_ms);
        for side in Side::ALL {
            let opponent = &row.players[side.other()];
            if !opponent.is_computer() {
                let met = self.opponents.entry(key(side)).or_default();
                met.insert(opponent.id.clone());
            }
            let (rating, tally) = self
                .ratings
                .entry(key(side))
                .or_insert((after[side], Tally::default()));
            *rating = after[side];
            add(tally, side, played.winner);
        }
        self.recount.rated += 1;
        RatedMatch {
            match_id: row.id.clone(),
            ordinal,
            players: BySide::from_fn(|side| row.players[side].id.clone()),
            game: row.game,
            speed: row.speed,
            winner: played.winner,
            before,
            after,
            weight,
            at_ms: played.at_ms,
        }
    }

    /// Stores a rated match of a pair; returns the number of earlier ones that its weight depends on.
    fn note_match_of_pair(&mut self, played: &Played) -> u32 {
        let row = &played.row;
        let mut pair = [&row.players.first.id, &row.players.second.id];
        pair.sort();
        let [one, other] = pair.map(PlayerId::clone);
        let ends = self.of_pair.entry((one, other, row.game)).or_default();
        let since = played.at_ms.saturating_sub(rating::PAIR_WINDOW_MS);
        let earlier = ends.iter().filter(|at_ms| **at_ms > since).count();
        ends.push(played.at_ms);
        u32::try_from(earlier).unwrap_or(u32::MAX)
    }

    /// Sets a computer opponent's rating; its tally stays.
    fn seed(&mut self, PlacedSeed { seed, at_ms, .. }: &PlacedSeed) {
        let set = Rating {
            rating: seed.rating,
            deviation: seed.deviation,
            volatility: seed.volatility,
            updated_ms: Some(*at_ms),
        };
        let key = (seed.player.clone(), seed.game, seed.speed);
        let (rating, _) = self.ratings.entry(key).or_insert((set, Tally::default()));
        *rating = set;
    }

    /// Recounts a rated match, in the order of counting, and compares it with its rating changes in the store.
    async fn rated_match(
        &mut self,
        store: &dyn Store,
        changes: &[RatingChange],
    ) -> Result<(), StoreError> {
        let ordinal = changes[0].ordinal;
        let [first, second] = changes else {
            let what = format!("rating changes number {ordinal}");
            self.differs(what, changes.len(), 2);
            self.corrections.struck.push(ordinal);
            return Ok(());
        };
        let id = &first.match_id;
        let what = |what: &str| format!("{what} of match {id}");
        if self.rated.contains(id) || second.match_id != *id {
            self.differs(what("rating changes"), "more than one pair", "one pair");
            self.corrections.struck.push(ordinal);
            return Ok(());
        }
        let Some(row) = store.find_match(id).await? else {
            self.differs(what("rating changes"), "a pair", "no such match");
            self.corrections.struck.push(ordinal);
            return Ok(());
        };
        self.rated.insert(id.clone());
        let Some(played) = self.replay(store, row).await? else {
            return Ok(());
        };
        let row = &played.row;
        if !row.rated || is_called_off(&played.reason) || row.voided_ms.is_some() {
            self.differs(what("rating changes"), "a pair", "none: it does not count");
            self.corrections.struck.push(ordinal);
            self.corrections.unrated.push(id.clone());
            // It may still count in the tallies.
            self.rated.remove(id);
            return Ok(());
        }
        let weighs = match row.rating_weight {
            None => Weighs::Whole,
            Some(_) => Weighs::ByPair,
        };
        let rated = self.rate(&played, ordinal, weighs);
        let found = self.recount.difference_count();
        let row = &played.row;
        if !near_weight(row.rating_weight, rated.weight) {
            let stored = format!("{:?}", row.rating_weight);
            let right = format!("{:?}", rated.weight);
            self.differs(what("the weight"), stored, right);
        }
        for (side, change) in [(Side::First, first), (Side::Second, second)] {
            let opponent = &row.players[side.other()].id;
            let place = (
                &change.player,
                &change.opponent.id,
                change.game,
                change.speed,
                change.side,
            );
            let right = (&row.players[side].id, opponent, row.game, row.speed, side);
            if place != right {
                self.differs(
                    what("a rating change"),
                    format!("{place:?}"),
                    format!("{right:?}"),
                );
            }
            let won = played.winner.map(|winner| winner == side);
            if (change.won, change.at_ms) != (won, played.at_ms) {
                let stored = format!("{:?} at {}", change.won, change.at_ms);
                self.differs(
                    what("the result in a rating change"),
                    stored,
                    format!("{won:?} at {}", played.at_ms),
                );
            }
            let (before, after) = (rated.before[side], rated.after[side]);
            if !(near_or_none(change.before, before) && near(change.after, after)) {
                let stored = step(change.before, change.after);
                self.differs(
                    what(&format!("the {side} rating change")),
                    stored,
                    step(before, after),
                );
            }
            let gain = after.rating - before.map_or(START_RATING, |before| before.rating);
            if row.rating_changes[side].is_none_or(|stored| (stored - gain).abs() > NEAR) {
                self.differs(
                    what(&format!("the {side} change in the row")),
                    format!("{:?}", row.rating_changes[side]),
                    gain,
                );
            }
        }
        if self.recount.difference_count() != found {
            self.corrections.rated.push(rated);
        }
        self.count(&played);
        Ok(())
    }

    /// Recounts a finished match, unless it is a rated one that was recounted already.
    async fn finished_match(&mut self, store: &dyn Store, row: MatchRow) -> Result<(), StoreError> {
        if self.rated.contains(&row.id) {
            return Ok(());
        }
        if row.finish.as_ref().is_some_and(|finish| finish.uncounted) {
            self.recount.uncounted += 1;
            return Ok(());
        }
        let Some(played) = self.replay(store, row).await? else {
            return Ok(());
        };
        let row = &played.row;
        let alone = row.players.first.id == row.players.second.id;
        if alone || is_called_off(&played.reason) || row.voided_ms.is_some() {
            return Ok(());
        }
        if row.rated {
            let what = format!("rating changes of match {}", row.id);
            self.differs(what, "none", "a pair");
            self.count(&played);
            self.late.push(played);
        } else {
            self.count(&played);
        }
        Ok(())
    }

    /// Replays a match. `None`, with a difference, if its journal is damaged or has no end.
    async fn replay(
        &mut self,
        store: &dyn Store,
        row: MatchRow,
    ) -> Result<Option<Played>, StoreError> {
        let id = row.id.clone();
        let entries = store.entries(&id, 0).await?;
        let claimed = ClaimedMatch { row, entries };
        let state = match claimed.rebuild() {
            Ok(state) => state,
            Err(error) => {
                self.unreadable(format!("the journal of match {id}"), error, "a match");
                return Ok(None);
            }
        };
        let played = played(claimed.row, &state);
        let Some(played) = played else {
            self.unreadable(format!("match {id}"), "its end", "it still runs");
            return Ok(None);
        };
        let finish = played.row.finish.as_ref();
        let stored = finish.map(|finish| {
            (
                finish.winner,
                finish.reason.as_str(),
                finish.plies,
                finish.at_ms,
            )
        });
        let replayed = (
            played.winner,
            played.reason.as_str(),
            played.plies,
            played.at_ms,
        );
        if stored != Some(replayed) {
            self.differs(
                format!("the end of match {id}"),
                format!("{stored:?}"),
                format!("{replayed:?}"),
            );
            let finish = Finish {
                winner: played.winner,
                reason: played.reason.clone(),
                score: played.score,
                at_ms: played.at_ms,
                plies: played.plies,
                uncounted: false,
                left_by: played.left_by,
            };
            self.corrections.ends.push((id, finish));
        }
        Ok(Some(played))
    }

    /// Adds a match to the tallies.
    fn count(&mut self, played: &Played) {
        self.recount.matches += 1;
        let Played { row, winner, .. } = played;
        for side in Side::ALL {
            let (player, opponent) = (&row.players[side].id, &row.players[side.other()].id);
            let (tally, plies) = self
                .tallies
                .entry((player.clone(), row.game, side))
                .or_default();
            add(tally, side, *winner);
            *plies += u64::from(played.plies);
            add(
                self.pairs
                    .entry((player.clone(), opponent.clone(), row.game))
                    .or_default(),
                side,
                *winner,
            );
        }
        let game = self.games.entry(row.game).or_insert_with(|| GameTally {
            game: row.game,
            won: BySide::default(),
            drawn: 0,
            plies: 0,
        });
        match winner {
            Some(side) => game.won[*side] += 1,
            None => game.drawn += 1,
        }
        game.plies += u64::from(played.plies);
    }

    /// Compares the recounted ratings and tallies with the stored ones, in both directions.
    fn compare(&mut self, standings: Standings) {
        let mut ratings = std::mem::take(&mut self.ratings);
        let met = std::mem::take(&mut self.opponents);
        let opponents = |key: &RatingKey| {
            let met = met.get(key).map_or(0, BTreeSet::len);
            u32::try_from(met).unwrap_or(u32::MAX)
        };
        let put = |(key, (rating, tally)): (RatingKey, (Rating, Tally))| {
            let opponents = opponents(&key);
            let (player, game, speed) = key;
            let row = RatingRow {
                game,
                speed,
                rating,
                tally,
                opponents,
            };
            (player, row)
        };
        for (player, row) in standings.ratings {
            let what = format!("the {} {} rating of player {player}", row.speed, row.game);
            let key = (player, row.game, row.speed);
            let Some((rating, tally)) = ratings.remove(&key) else {
                self.differs(what, shown(row.rating), "none");
                self.corrections.no_ratings.push(key);
                continue;
            };
            let right = near(rating, row.rating) && rating.updated_ms == row.rating.updated_ms;
            if !right {
                self.differs(what.clone(), shown(row.rating), shown(rating));
            }
            if tally != row.tally {
                self.differs(
                    what.clone(),
                    format!("{:?}", row.tally),
                    format!("{tally:?}"),
                );
            }
            let met = opponents(&key);
            if met != row.opponents {
                let stored = format!("{} opponents", row.opponents);
                self.differs(what, stored, format!("{met} opponents"));
            }
            if !right || tally != row.tally || met != row.opponents {
                self.corrections
                    .standings
                    .ratings
                    .push(put((key, (rating, tally))));
            }
        }
        for (key, (rating, tally)) in ratings {
            let (player, game, speed) = &key;
            self.differs(
                format!("the {speed} {game} rating of player {player}"),
                "none",
                shown(rating),
            );
            self.corrections
                .standings
                .ratings
                .push(put((key, (rating, tally))));
        }

        let stored = standings.tallies.into_iter().map(|(player, row)| {
            let SideTally {
                game,
                side,
                tally,
                plies,
            } = row;
            ((player, game, side), (tally, plies))
        });
        let counted = std::mem::take(&mut self.tallies);
        let (put, gone) = self.compare_maps("the tally", stored.collect(), counted);
        self.corrections.no_tallies = gone;
        let row = |((player, game, side), (tally, plies))| {
            let row = SideTally {
                game,
                side,
                tally,
                plies,
            };
            (player, row)
        };
        self.corrections.standings.tallies = put.into_iter().map(row).collect();

        let stored = standings.head_to_head.into_iter();
        let stored =
            stored.map(|(player, opponent, game, tally)| ((player, opponent, game), tally));
        let counted = std::mem::take(&mut self.pairs);
        let (put, gone) = self.compare_maps("the head-to-head tally", stored.collect(), counted);
        self.corrections.no_pairs = gone;
        let row = |((player, opponent, game), tally)| (player, opponent, game, tally);
        self.corrections.standings.head_to_head = put.into_iter().map(row).collect();

        let stored = standings.games.into_iter().map(|tally| (tally.game, tally));
        let counted = std::mem::take(&mut self.games);
        let (put, gone) = self.compare_maps("the tally of a game", stored.collect(), counted);
        self.corrections.no_games = gone;
        self.corrections.standings.games = put.into_iter().map(|(_, row)| row).collect();
    }

    /// Compares two maps. Returns the entries to write and the keys to delete.
    fn compare_maps<K: Ord + fmt::Debug, V: PartialEq + fmt::Debug>(
        &mut self,
        what: &str,
        stored: BTreeMap<K, V>,
        mut counted: BTreeMap<K, V>,
    ) -> (Vec<(K, V)>, Vec<K>) {
        let (mut put, mut gone) = (Vec::new(), Vec::new());
        for (key, value) in stored {
            let right = counted.remove(&key);
            if right.as_ref() != Some(&value) {
                self.differs(
                    format!("{what} {key:?}"),
                    format!("{value:?}"),
                    format!("{right:?}"),
                );
                match right {
                    Some(right) => put.push((key, right)),
                    None => gone.push(key),
                }
            }
        }
        for (key, value) in counted {
            self.differs(format!("{what} {key:?}"), "none", format!("{value:?}"));
            put.push((key, value));
        }
        (put, gone)
    }

    /// Reports a difference that cannot be corrected.
    fn unreadable(&mut self, what: String, stored: impl fmt::Display, recounted: &str) {
        self.unreadable.get_or_insert_with(|| Difference {
            what: what.clone(),
            stored: stored.to_string(),
            recounted: recounted.to_owned(),
        });
        self.differs(what, stored, recounted);
    }

    fn differs(&mut self, what: String, stored: impl fmt::Display, recounted: impl fmt::Display) {
        if self.recount.differences.len() == MAX_REPORTED {
            self.recount.unlisted += 1;
            return;
        }
        self.recount.differences.push(Difference {
            what,
            stored: stored.to_string(),
            recounted: recounted.to_string(),
        });
    }
}

fn played(row: MatchRow, state: &RoomState) -> Option<Played> {
    let result = state.result()?;
    Some(Played {
        winner: result.winner,
        reason: result.reason.clone(),
        score: result
            .score
            .as_ref()
            .map(|score| BySide::new(score.first, score.second)),
        plies: state.record().ply(),
        left_by: state.left_by(),
        at_ms: state.journal().last()?.at_ms,
        row,
    })
}

fn add(tally: &mut Tally, side: Side, winner: Option<Side>) {
    match winner {
        None => tally.drawn += 1,
        Some(winner) if winner == side => tally.won += 1,
        Some(_) => tally.lost += 1,
    }
}

fn near(a: Rating, b: Rating) -> bool {
    let pairs = [
        (a.rating, b.rating),
        (a.deviation, b.deviation),
        (a.volatility, b.volatility),
    ];
    pairs.iter().all(|(a, b)| (a - b).abs() <= NEAR)
}

fn near_weight(a: Option<f64>, b: Option<f64>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => (a - b).abs() <= NEAR,
        (None, None) => true,
        (Some(_), None) | (None, Some(_)) => false,
    }
}

fn near_or_none(a: Option<Rating>, b: Option<Rating>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => near(a, b),
        (None, None) => true,
        (Some(_), None) | (None, Some(_)) => false,
    }
}

fn shown(rating: Rating) -> String {
    let Rating {
        rating,
        deviation,
        volatility,
        ..
    } = rating;
    format!("{rating} ± {deviation} ({volatility})")
}

fn step(before: Option<Rating>, after: Rating) -> String {
    let before = before.map_or_else(|| "none".to_owned(), shown);
    format!("{before} to {}", shown(after))
}
