//! TV: one featured match for each game, for spectators who do not want to choose.
//!
//! The core, `Channel`, gets the running matches and the time, and decides which match is featured. One task reads the store every two
//! seconds. Each node decides for itself: for a while two nodes may feature different matches, both among the strongest.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::{Duration, Instant};

use mawe_rules::{GameKind, Side};
use mawe_store::{MatchRow, Matches, StoreError};
use mawe_wire::ServerMsg;
use mawe_wire::ids::MatchId;
use parking_lot::Mutex;
use tokio::sync::watch;

use crate::live::outbox::{Outbox, encode};
use crate::live::sockets::Sockets;

/// The pause between two readings of the store.
const LOOK_EVERY: Duration = Duration::from_secs(2);

/// The time for which a match stays featured after its end, so that its spectators see it, or after the departure of its players, so that
/// they may return.
const AFTER_THE_END: Duration = Duration::from_secs(6);

/// The difference in strength at which another match replaces a running one. The strength is the sum of both players' ratings.
const MUCH_STRONGER: f64 = 200.0;

/// The number of the strongest matches that are read. It is more than one because, among equals, a match between people is preferred.
const CANDIDATES: u32 = 20;

/// A running match that could be featured.
#[derive(Debug, Clone, PartialEq)]
struct Candidate {
    id: MatchId,
    /// The sum of the ratings of the people in it; a missing rating counts as 0.
    strength: f64,
    /// The number of people in it.
    people: usize,
    created_ms: i64,
}

impl Candidate {
    fn from_row(row: &MatchRow) -> Candidate {
        let is_person = |side: &Side| row.players[*side].level.is_none();
        let rating = |side: Side| {
            let rating = row.ratings[side].filter(|_| is_person(&side));
            rating.map_or(0.0, |(rating, _)| rating)
        };
        let people = Side::ALL.iter().filter(|side| is_person(side)).count();
        Candidate {
            id: row.id.clone(),
            strength: rating(Side::First) + rating(Side::Second),
            people,
            created_ms: row.created_ms,
        }
    }

    /// Orders two candidates: by strength, then by the number of people, then by age, the newer being the greater.
    fn order(&self, other: &Candidate) -> std::cmp::Ordering {
        let strength = self.strength.total_cmp(&other.strength);
        strength
            .then(self.people.cmp(&other.people))
            .then(self.created_ms.cmp(&other.created_ms))
            .then(self.id.cmp(&other.id))
    }
}

/// The featured match of one game.
#[derive(Debug, Default, PartialEq)]
struct Channel {
    on: Option<On>,
}

#[derive(Debug, PartialEq)]
struct On {
    id: MatchId,
    strength: f64,
    /// The time since which it is over, or has no player present.
    ended: Option<Instant>,
}

impl Channel {
    /// Handles a reading: the running matches, and whether the featured match is still running with a player present. Returns whether the
    /// featured match has changed.
    fn look(&mut self, now: Instant, candidates: &[Candidate], runs: bool) -> bool {
        let best = candidates.iter().max_by(|a, b| a.order(b));
        let stays = match &mut self.on {
            None => false,
            Some(on) if runs => {
                on.ended = None;
                best.is_none_or(|best| {
                    best.id == on.id || best.strength < on.strength + MUCH_STRONGER
                })
            }
            Some(on) => now < *on.ended.get_or_insert(now) + AFTER_THE_END,
        };
        if stays {
            return false;
        }
        let before = self.on.take();
        self.on = best.map(|best| On {
            id: best.id.clone(),
            strength: best.strength,
            ended: None,
        });
        before.map(|on| on.id) != self.on.as_ref().map(|on| on.id.clone())
    }
}

/// The channels of a node, with their spectators.
#[derive(Debug, Default)]
pub struct Tv {
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    channels: BTreeMap<GameKind, Channel>,
    /// The rows of the featured matches, as last read.
    rows: BTreeMap<GameKind, MatchRow>,
    /// The spectators' sockets; a socket is in the map of each game that it watches.
    watchers: HashMap<GameKind, HashMap<u64, Arc<Outbox>>>,
}

impl Tv {
    /// Returns the featured match of each game.
    #[must_use]
    pub fn now(&self) -> Vec<(GameKind, Option<MatchRow>)> {
        let inner = self.inner.lock();
        let on = |game: &GameKind| (*game, inner.rows.get(game).cloned());
        GameKind::ALL.iter().map(on).collect()
    }

    /// Sends a socket the featured match, now and at each change.
    pub fn watch(&self, game: GameKind, socket: u64, outbox: &Arc<Outbox>) {
        let mut inner = self.inner.lock();
        // Sent under the lock, so that it precedes the next change.
        outbox.push(encode(&inner.message(game)));
        let watchers = inner.watchers.entry(game).or_default();
        watchers.insert(socket, Arc::clone(outbox));
    }

    /// Stops sending a socket this game's featured match.
    pub fn unwatch(&self, game: GameKind, socket: u64) {
        if let Some(watchers) = self.inner.lock().watchers.get_mut(&game) {
            watchers.remove(&socket);
        }
    }

    /// Removes a socket from all games.
    pub fn forget(&self, socket: u64) {
        for watchers in self.inner.lock().watchers.values_mut() {
            watchers.remove(&socket);
        }
    }

    /// Returns the featured match of a game, to check whether it is still running.
    fn on(&self, game: GameKind) -> Option<MatchId> {
        let inner = self.inner.lock();
        let on = inner.channels.get(&game)?.on.as_ref()?;
        Some(on.id.clone())
    }

    /// Handles a reading: `rows` are the strongest running matches of a game with a player present, `on` is the featured match if it is not
    /// among them.
    fn look(
        &self,
        now: Instant,
        game: GameKind,
        rows: Vec<MatchRow>,
        on: Option<MatchRow>,
        is_attended: impl Fn(&MatchRow) -> bool,
    ) {
        let candidates: Vec<Candidate> = rows.iter().map(Candidate::from_row).collect();
        let mut inner = self.inner.lock();
        let channel = inner.channels.entry(game).or_default();
        let is_on = |row: &MatchRow| channel.on.as_ref().is_some_and(|on| on.id == row.id);
        let runs = rows.iter().any(is_on)
            || on
                .as_ref()
                .is_some_and(|row| is_on(row) && row.finish.is_none() && is_attended(row));
        let changed = channel.look(now, &candidates, runs);
        let id = channel.on.as_ref().map(|on| on.id.clone());
        let row = rows
            .into_iter()
            .chain(on)
            .find(|row| Some(&row.id) == id.as_ref());
        match (id, row) {
            (None, _) => drop(inner.rows.remove(&game)),
            (Some(_), Some(row)) => drop(inner.rows.insert(game, row)),
            // The featured match was not read this time: the earlier row is kept.
            (Some(_), None) => {}
        }
        if changed {
            let frame = encode(&inner.message(game));
            for outbox in inner
                .watchers
                .get(&game)
                .into_iter()
                .flat_map(HashMap::values)
            {
                outbox.push(frame.clone());
            }
        }
    }
}

impl Inner {
    fn message(&self, game: GameKind) -> ServerMsg {
        let on = self
            .channels
            .get(&game)
            .and_then(|channel| channel.on.as_ref());
        ServerMsg::Tv {
            game,
            match_id: on.map(|on| on.id.clone()),
        }
    }
}

/// Keeps the channels up to date until the server stops.
pub async fn run(
    tv: Arc<Tv>,
    store: Arc<dyn Matches>,
    sockets: Arc<Sockets>,
    mut stopped: watch::Receiver<bool>,
) {
    loop {
        for game in GameKind::ALL {
            if let Err(error) = look(&tv, store.as_ref(), &sockets, *game).await {
                tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    "what runs could not be read; the channels stay as they are"
                );
                break;
            }
        }
        tokio::select! {
            _ = stopped.wait_for(|stopped| *stopped) => return,
            () = tokio::time::sleep(LOOK_EVERY) => {}
        }
    }
}

async fn look(
    tv: &Tv,
    store: &dyn Matches,
    sockets: &Sockets,
    game: GameKind,
) -> Result<(), StoreError> {
    let mut rows = store.strongest_live_matches(game, CANDIDATES).await?;
    rows.retain(|row| sockets.is_attended(row));
    let on = match tv.on(game) {
        Some(id) if rows.iter().all(|row| row.id != id) => store.find_match(&id).await?,
        Some(_) | None => None,
    };
    tv.look(Instant::now(), game, rows, on, |row| {
        sockets.is_attended(row)
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(number: u8, strength: f64, people: usize) -> Candidate {
        let id = format!("{number:012}").parse().expect("an id");
        Candidate {
            id,
            strength,
            people,
            created_ms: number.into(),
        }
    }

    fn on(channel: &Channel) -> Option<String> {
        let id = channel.on.as_ref().map(|on| on.id.to_string())?;
        Some(id.trim_start_matches('0').to_owned())
    }

    #[test]
    fn the_strongest_then_people_then_the_newest_is_on() {
        let now = Instant::now();
        for (candidates, best) in [
            (vec![], None),
            (vec![candidate(1, 0.0, 2)], Some("1")),
            (
                vec![candidate(1, 3_000.0, 1), candidate(2, 2_900.0, 2)],
                Some("1"),
            ),
            (vec![candidate(1, 0.0, 2), candidate(2, 0.0, 1)], Some("1")),
            (vec![candidate(1, 0.0, 2), candidate(2, 0.0, 2)], Some("2")),
        ] {
            let mut channel = Channel::default();
            assert_eq!(channel.look(now, &candidates, false), best.is_some());
            assert_eq!(on(&channel).as_deref(), best);
        }
    }

    #[test]
    fn a_match_stays_on_while_no_much_stronger_one_runs() {
        let now = Instant::now();
        let mut channel = Channel::default();
        let first = candidate(1, 2_000.0, 2);
        assert!(channel.look(now, std::slice::from_ref(&first), false));
        let stronger = candidate(2, 2_199.0, 2);
        assert!(!channel.look(now, &[stronger.clone(), first.clone()], true));
        // Nor while it is not among the matches that were read.
        assert!(!channel.look(now, &[stronger], true));
        assert_eq!(on(&channel).as_deref(), Some("1"));
        assert!(channel.look(now, &[candidate(3, 2_200.0, 1), first], true));
        assert_eq!(on(&channel).as_deref(), Some("3"));
    }

    #[test]
    fn a_match_that_has_ended_stays_on_for_a_moment() {
        let start = Instant::now();
        let mut channel = Channel::default();
        channel.look(start, &[candidate(1, 2_000.0, 2)], false);
        let next = [candidate(2, 4_000.0, 2)];
        let ended = start + Duration::from_secs(100);
        assert!(!channel.look(ended, &next, false));
        assert!(!channel.look(ended + AFTER_THE_END / 2, &next, false));
        assert!(channel.look(ended + AFTER_THE_END, &next, false));
        assert_eq!(on(&channel).as_deref(), Some("2"));
        // Without a successor, no match is featured.
        let over = ended + AFTER_THE_END * 2;
        assert!(!channel.look(over, &[], false));
        assert!(channel.look(over + AFTER_THE_END, &[], false));
        assert_eq!(on(&channel), None);
        assert!(!channel.look(over + AFTER_THE_END * 2, &[], false));
    }
}
