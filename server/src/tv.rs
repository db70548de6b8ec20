//! TV: one featured match for each game, which people watch without choosing.
//!
//! The core, `Channel`, is told what runs and what time it is, and says what is on. Around it is one task that looks at the store
//! every other second. Each node looks for itself: two may for a while show different matches, both among the strongest.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use mawe_rules::{GameKind, Side};
use tokio::sync::watch;

use crate::ids::MatchId;
use crate::outbox::{Outbox, encode};
use crate::protocol::ServerMsg;
use crate::store::{MatchRow, Store, StoreError};

/// How often the task looks.
const LOOK_EVERY: Duration = Duration::from_secs(2);

/// How long a match that has ended stays on: its spectators want to see how.
const AFTER_THE_END: Duration = Duration::from_secs(6);

/// By how much another match must be stronger to take the place of one that runs. Both players together.
const MUCH_STRONGER: f64 = 200.0;

/// How many of the strongest matches are looked at, to find among equals one between people.
const CANDIDATES: u32 = 20;

/// A running match that could be on.
#[derive(Debug, Clone, PartialEq)]
struct Candidate {
    id: MatchId,
    /// The sum of people's ratings, none counting 0.
    strength: f64,
    /// How many people play in it.
    people: usize,
    created_ms: i64,
}

impl Candidate {
    fn of(row: &MatchRow) -> Candidate {
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

    /// Which of two is rather shown: the stronger, then the one between people, then the newer.
    fn order(&self, other: &Candidate) -> std::cmp::Ordering {
        let strength = self.strength.total_cmp(&other.strength);
        strength
            .then(self.people.cmp(&other.people))
            .then(self.created_ms.cmp(&other.created_ms))
            .then(self.id.cmp(&other.id))
    }
}

/// What is on in one game.
#[derive(Debug, Default, PartialEq)]
struct Channel {
    on: Option<On>,
}

#[derive(Debug, PartialEq)]
struct On {
    id: MatchId,
    strength: f64,
    /// Since when it is over.
    ended: Option<Instant>,
}

impl Channel {
    /// Takes what runs now, and whether the match that is on is still among it; says whether another is on than before.
    fn look(&mut self, now: Instant, candidates: &[Candidate], runs: bool) -> bool {
        let best = candidates.iter().max_by(|a, b| a.order(b));
        let stays = match &mut self.on {
            None => false,
            Some(on) if runs => best
                .is_none_or(|best| best.id == on.id || best.strength < on.strength + MUCH_STRONGER),
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

/// The channels of a node, and who watches them.
#[derive(Debug, Default)]
pub struct Tv {
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    channels: BTreeMap<GameKind, Channel>,
    /// The matches that are on, as they were last read.
    rows: BTreeMap<GameKind, MatchRow>,
    /// By socket: a socket is in the map of each game it watches.
    watchers: HashMap<GameKind, HashMap<u64, Arc<Outbox>>>,
}

impl Tv {
    /// What is on in each game.
    #[must_use]
    pub fn now(&self) -> Vec<(GameKind, Option<MatchRow>)> {
        let inner = self.lock();
        let on = |game: &GameKind| (*game, inner.rows.get(game).cloned());
        GameKind::ALL.iter().map(on).collect()
    }

    /// Tells a socket what is on, now and at each change.
    pub fn watch(&self, game: GameKind, socket: u64, outbox: &Arc<Outbox>) {
        let mut inner = self.lock();
        // Told under the lock: a change comes after it, not before.
        outbox.push(encode(&inner.message(game)));
        let watchers = inner.watchers.entry(game).or_default();
        watchers.insert(socket, Arc::clone(outbox));
    }

    /// Tells a socket no more of this game.
    pub fn unwatch(&self, game: GameKind, socket: u64) {
        if let Some(watchers) = self.lock().watchers.get_mut(&game) {
            watchers.remove(&socket);
        }
    }

    /// Forgets a socket.
    pub fn forget(&self, socket: u64) {
        for watchers in self.lock().watchers.values_mut() {
            watchers.remove(&socket);
        }
    }

    /// Which match is on in a game, to ask whether it still runs.
    fn on(&self, game: GameKind) -> Option<MatchId> {
        let inner = self.lock();
        let on = inner.channels.get(&game)?.on.as_ref()?;
        Some(on.id.clone())
    }

    /// Takes what runs in a game, and the match that is on as it is now where it is not among them.
    fn look(&self, now: Instant, game: GameKind, rows: Vec<MatchRow>, on: Option<MatchRow>) {
        let candidates: Vec<Candidate> = rows.iter().map(Candidate::of).collect();
        let mut inner = self.lock();
        let channel = inner.channels.entry(game).or_default();
        let is_on = |row: &MatchRow| channel.on.as_ref().is_some_and(|on| on.id == row.id);
        let runs = rows
            .iter()
            .chain(&on)
            .any(|row| is_on(row) && row.finish.is_none());
        let changed = channel.look(now, &candidates, runs);
        let id = channel.on.as_ref().map(|on| on.id.clone());
        let row = rows
            .into_iter()
            .chain(on)
            .find(|row| Some(&row.id) == id.as_ref());
        match (id, row) {
            (None, _) => drop(inner.rows.remove(&game)),
            (Some(_), Some(row)) => drop(inner.rows.insert(game, row)),
            // It is on, and was not read this time: what was read before will do.
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

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
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
pub async fn run(tv: Arc<Tv>, store: Arc<dyn Store>, mut stopped: watch::Receiver<bool>) {
    loop {
        for game in GameKind::ALL {
            if let Err(error) = look(&tv, store.as_ref(), *game).await {
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

async fn look(tv: &Tv, store: &dyn Store, game: GameKind) -> Result<(), StoreError> {
    let rows = store.strongest_live_matches(game, CANDIDATES).await?;
    let on = match tv.on(game) {
        Some(id) if rows.iter().all(|row| row.id != id) => store.find_match(&id).await?,
        Some(_) | None => None,
    };
    tv.look(Instant::now(), game, rows, on);
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
        // Also while it is not among those that were read.
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
        // With none to follow it, nothing is on.
        let over = ended + AFTER_THE_END * 2;
        assert!(!channel.look(over, &[], false));
        assert!(channel.look(over + AFTER_THE_END, &[], false));
        assert_eq!(on(&channel), None);
        assert!(!channel.look(over + AFTER_THE_END * 2, &[], false));
    }
}
