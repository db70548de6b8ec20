//! A day of people who come, wait, play and come back, in one pool, on a virtual clock.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use fastrand::Rng;
use mawe_lab::chart::{self, Bar};
use mawe_play::pairing::{Effect, Entrant, Millis, Pools, RATED, SideHistory};
use mawe_rules::{GameKind, Side};
use mawe_wire::ids::PlayerId;
use mawe_wire::pool::{PoolId, PoolKey};

const SECOND: Millis = 1_000;
const MINUTE: Millis = 60 * SECOND;
const HOUR: Millis = 60 * MINUTE;
const DAY: Millis = 24 * HOUR;

/// The wait after which a person gives up.
const PATIENCE: Millis = 5 * MINUTE;

/// The wait after which a computer opponent is offered. Nobody accepts it here: the figures are of people alone.
const OFFER_AFTER: Millis = 20 * SECOND;

/// The range of the length of a match.
const PLAYS: std::ops::Range<Millis> = 3 * MINUTE..10 * MINUTE;

/// The share of people who stay for another match.
const STAYS: f64 = 0.6;

/// The longest pause before such a person joins the pool again.
const LINGERS: Millis = 30 * SECOND;

/// A rate of arrivals.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rate {
    pub(crate) name: &'static str,
    /// New arrivals in an hour, on the average of the day; people who stay for another match come on top.
    pub(crate) per_hour: u32,
    /// The number of people from whom arrivals are drawn.
    pub(crate) population: usize,
}

pub(crate) const RATES: [Rate; 3] = [
    Rate {
        name: "quiet",
        per_hour: 30,
        population: 150,
    },
    Rate {
        name: "normal",
        per_hour: 200,
        population: 1_000,
    },
    Rate {
        name: "busy",
        per_hour: 1_500,
        population: 8_000,
    },
];

/// The upper limits of the bands of rating differences in the table.
const BANDS: [f64; 5] = [25.0, 50.0, 100.0, 200.0, f64::INFINITY];

/// A pair made by the pool.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Made {
    /// The wait of each of the two.
    pub(crate) waited: [Millis; 2],
    /// The difference of their ratings.
    pub(crate) apart: f64,
    /// Whether one of them had played the other in their last match.
    pub(crate) again: bool,
    /// Whether another person was waiting at that moment whom one of them could have played after a longer wait.
    pub(crate) others: bool,
}

/// The results of a day.
#[derive(Debug, Default)]
pub(crate) struct Day {
    /// The number of times that a person began to wait.
    pub(crate) arrivals: u32,
    /// The number of people who found no opponent in time.
    pub(crate) gave_up: u32,
    /// The number of offers of a computer opponent.
    pub(crate) offered: u32,
    pub(crate) made: Vec<Made>,
    /// By person with at least four matches: the number of matches as first side minus those as second side, and the number of matches.
    pub(crate) surplus: Vec<(i32, u32)>,
}

#[derive(Debug, Clone)]
struct Someone {
    rating: f64,
    deviation: f64,
    sides: Vec<Side>,
    last: Option<usize>,
    /// The end of the current or last match; 0 before the first.
    busy_until: Millis,
    waits_since: Option<Millis>,
}

/// Draws from an approximate normal distribution, the same on every machine: the sum of twelve uniform numbers.
fn normal(rng: &mut Rng, mean: f64, deviation: f64) -> f64 {
    let sum: f64 = (0..12).map(|_| rng.f64()).sum();
    mean + deviation * (sum - 6.0)
}

fn someone(rng: &mut Rng) -> Someone {
    let (rating, deviation) = match rng.u32(..100) {
        // New players without a known strength.
        0..15 => (1_500.0, 350.0),
        15..40 => (normal(rng, 1_500.0, 250.0), 80.0 + 100.0 * rng.f64()),
        _ => (normal(rng, 1_500.0, 250.0), 45.0 + 35.0 * rng.f64()),
    };
    Someone {
        rating: rating.max(400.0),
        deviation,
        sides: Vec::new(),
        last: None,
        busy_until: 0,
        waits_since: None,
    }
}

/// Returns the share of the average rate at this time of day: lowest at four in the morning, highest at four in the afternoon.
#[allow(clippy::cast_precision_loss)]
fn of_average(now: Millis) -> f64 {
    let from_peak = (now as f64 / HOUR as f64 - 16.0).abs();
    let from_peak = from_peak.min(24.0 - from_peak);
    1.8 - 1.6 * from_peak / 12.0
}

fn id(number: usize) -> PlayerId {
    format!("{number:012}").parse().expect("12 digits")
}

fn number(id: &PlayerId) -> usize {
    id.as_str().parse().expect("12 digits")
}

/// Returns the key of the simulated pool.
fn key() -> PoolKey {
    PoolKey {
        game: GameKind::ALL[0],
        pool: PoolId::all().nth(2).expect("there are five"),
        rated: true,
    }
}

struct Simulation {
    rng: Rng,
    people: Vec<Someone>,
    pools: Pools,
    waiting: BTreeSet<usize>,
    /// The people who come back, by time.
    returning: BTreeMap<Millis, Vec<usize>>,
    day: Day,
}

/// Simulates a day.
#[must_use]
pub(crate) fn spend(rate: Rate, seed: u64) -> Day {
    let mut rng = Rng::with_seed(seed);
    let mut simulation = Simulation {
        people: (0..rate.population).map(|_| someone(&mut rng)).collect(),
        rng,
        pools: Pools::new(Some(OFFER_AFTER)),
        waiting: BTreeSet::new(),
        returning: BTreeMap::new(),
        day: Day::default(),
    };
    let per_second = f64::from(rate.per_hour) / 3_600.0;
    for now in (0..DAY).step_by(1_000) {
        simulation.arrive(now, per_second * of_average(now));
        simulation.give_up(now);
        simulation.pair(now);
    }
    simulation.day.surplus = simulation
        .people
        .iter()
        .filter(|person| person.sides.len() >= 4)
        .map(|person| {
            let firsts = person.sides.iter().filter(|side| **side == Side::First);
            let (firsts, all) = (firsts.count(), person.sides.len());
            let surplus =
                2 * i32::try_from(firsts).expect("few") - i32::try_from(all).expect("few");
            (surplus, u32::try_from(all).expect("few"))
        })
        .collect();
    simulation.day
}

impl Simulation {
    fn arrive(&mut self, now: Millis, expected: f64) {
        let later = self.returning.split_off(&(now + 1));
        let back = std::mem::replace(&mut self.returning, later);
        for person in back.into_values().flatten() {
            self.join(now, person);
        }
        // Several tries a second: near enough to independent arrivals.
        const TRIES: u32 = 20;
        for _ in 0..TRIES {
            if self.rng.f64() < expected / f64::from(TRIES) {
                let person = self.rng.usize(..self.people.len());
                self.join(now, person);
            }
        }
    }

    fn join(&mut self, now: Millis, number: usize) {
        let person = &mut self.people[number];
        if person.waits_since.is_some() || person.busy_until > now {
            return;
        }
        person.waits_since = Some(now);
        self.day.arrivals += 1;
        self.waiting.insert(number);
        let entrant = Entrant {
            player: id(number),
            rating: person.rating,
            deviation: person.deviation,
            sides: SideHistory::new(person.sides.iter().rev().copied()),
            last_opponent: person.last.map(id),
            not_before: 0,
        };
        let joined = self.pools.join(now, key(), entrant, 0);
        assert_eq!(joined, Ok(()));
    }

    fn give_up(&mut self, now: Millis) {
        let tired = |number: &usize| {
            let since = self.people[*number].waits_since;
            since.is_some_and(|since| now - since >= PATIENCE)
        };
        let tired: Vec<usize> = self.waiting.iter().copied().filter(tired).collect();
        for number in tired {
            assert!(self.pools.leave(&id(number), key()));
            self.people[number].waits_since = None;
            self.waiting.remove(&number);
            self.day.gave_up += 1;
        }
    }

    fn pair(&mut self, now: Millis) {
        let rng = &mut self.rng;
        for effect in self.pools.tick(now, || rng.bool()) {
            match effect {
                Effect::OfferBot { .. } => self.day.offered += 1,
                Effect::Pair { players, .. } => {
                    let pair = [number(&players.first), number(&players.second)];
                    self.play(now, pair);
                }
            }
        }
    }

    /// Starts a match in which `pair[0]` moves first.
    fn play(&mut self, now: Millis, pair: [usize; 2]) {
        let [a, b] = pair;
        assert_ne!(a, b, "nobody plays oneself");
        let again = self.people[a].last == Some(b) || self.people[b].last == Some(a);
        let apart = (self.people[a].rating - self.people[b].rating).abs();
        let until = now + self.rng.u64(PLAYS);
        let mut waited = [0; 2];
        for (place, (person, other)) in [(a, b), (b, a)].into_iter().enumerate() {
            assert!(self.waiting.remove(&person), "nobody is paired twice");
            assert!(!self.pools.remove(&id(person)).is_empty());
            let someone = &mut self.people[person];
            let since = someone.waits_since.take().expect("whoever waits came");
            waited[place] = now - since;
            someone.sides.push(Side::ALL[place]);
            someone.last = Some(other);
            someone.busy_until = until;
            if self.rng.f64() < STAYS {
                let back = until + self.rng.u64(..LINGERS);
                self.returning.entry(back).or_default().push(person);
            }
        }
        let near = |other: &usize| {
            let apart = |one: usize| (self.people[*other].rating - self.people[one].rating).abs();
            pair.iter().any(|one| apart(*one) <= RATED.most)
        };
        self.day.made.push(Made {
            waited,
            apart,
            again,
            others: self.waiting.iter().any(near),
        });
    }
}

/// Returns the value below which `percent` of the values are; the values must be sorted.
fn percentile(sorted: &[f64], percent: usize) -> f64 {
    let last = sorted.len().saturating_sub(1);
    sorted
        .get(last * percent / 100)
        .copied()
        .unwrap_or(f64::NAN)
}

#[allow(clippy::cast_precision_loss)]
fn waits<'a>(made: impl Iterator<Item = &'a Made>) -> Vec<f64> {
    let mut waits: Vec<f64> = made
        .flat_map(|made| made.waited)
        .map(|ms| ms as f64 / 1_000.0)
        .collect();
    waits.sort_by(f64::total_cmp);
    waits
}

impl Day {
    fn apart(&self) -> Vec<f64> {
        let mut apart: Vec<f64> = self.made.iter().map(|made| made.apart).collect();
        apart.sort_by(f64::total_cmp);
        apart
    }
}

/// Simulates a day at each rate.
#[must_use]
pub(crate) fn all() -> Vec<(Rate, Day)> {
    let days = (1..).zip(RATES);
    days.map(|(seed, rate)| (rate, spend(rate, seed))).collect()
}

/// Returns the tables of the document.
#[must_use]
pub(crate) fn tables(days: &[(Rate, Day)]) -> String {
    let mut text = String::from(
        "| rate | came to wait | paired | wait, median | wait, p90 | difference, median | difference, p90 | waited 20 s or more | found nobody in 5 min |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    for (rate, day) in days {
        let (waits, apart) = (waits(day.made.iter()), day.apart());
        let share = |count: u32| 100.0 * f64::from(count) / f64::from(day.arrivals);
        let paired = u32::try_from(2 * day.made.len()).expect("fewer");
        writeln!(
            text,
            "| {}, {} an hour | {} | {:.1} % | {:.0} s | {:.0} s | {:.0} | {:.0} | {:.1} % | {:.1} % |",
            rate.name,
            rate.per_hour,
            day.arrivals,
            share(paired),
            percentile(&waits, 50),
            percentile(&waits, 90),
            percentile(&apart, 50),
            percentile(&apart, 90),
            share(day.offered),
            share(day.gave_up),
        )
        .expect("text takes text");
    }
    text.push_str("\nBy how far the two are apart:\n\n| difference |");
    for (rate, _) in days {
        write!(text, " {}: pairs | wait, median | wait, p90 |", rate.name)
            .expect("text takes text");
    }
    text.push_str("\n|---|");
    text.push_str(&"--:|--:|--:|".repeat(days.len()));
    text.push('\n');
    let mut above = -1.0;
    for up_to in BANDS {
        match (above < 0.0, up_to.is_finite()) {
            (true, _) => write!(text, "| up to {up_to} |"),
            (false, true) => write!(text, "| {above} to {up_to} |"),
            (false, false) => write!(text, "| above {above} |"),
        }
        .expect("text takes text");
        for (_, day) in days {
            let band = |made: &&Made| made.apart > above && made.apart <= up_to;
            let waits = waits(day.made.iter().filter(band));
            if waits.is_empty() {
                text.push_str(" 0 % | – | – |");
                continue;
            }
            #[allow(clippy::cast_precision_loss)]
            let share = 100.0 * waits.len() as f64 / (2 * day.made.len()) as f64;
            let (median, p90) = (percentile(&waits, 50), percentile(&waits, 90));
            write!(text, " {share:.0} % | {median:.0} s | {p90:.0} s |").expect("text takes text");
        }
        text.push('\n');
        above = up_to;
    }
    text.push_str("\n| rate | matches with whom one had just played | of these, somebody else was there | people whose sides differ by more than two matches |\n|---|--:|--:|--:|\n");
    for (rate, day) in days {
        let again: Vec<&Made> = day.made.iter().filter(|made| made.again).collect();
        let skewed = day.surplus.iter().filter(|(surplus, _)| surplus.abs() > 2);
        writeln!(
            text,
            "| {} | {} of {} | {} | {} of {} |",
            rate.name,
            again.len(),
            day.made.len(),
            again.iter().filter(|made| made.others).count(),
            skewed.count(),
            day.surplus.len(),
        )
        .expect("text takes text");
    }
    text
}

/// The upper bounds of the waits in the charts, in seconds.
const WAITS: [f64; 7] = [1.0, 5.0, 10.0, 20.0, 60.0, 120.0, f64::INFINITY];

/// Returns a chart for each rate: the share of people by their waits.
#[must_use]
pub(crate) fn charts(days: &[(Rate, Day)]) -> String {
    let mut text = String::new();
    for (rate, day) in days {
        writeln!(text, "\n{}: people by their wait", rate.name).expect("text takes text");
        text.push_str(&chart::bars(&bars(&waits(day.made.iter()))));
    }
    text
}

#[allow(clippy::cast_precision_loss)]
fn bars(waits: &[f64]) -> Vec<Bar> {
    let mut above = f64::NEG_INFINITY;
    let bands = WAITS.map(|up_to| {
        let band = above..up_to;
        above = up_to;
        band
    });
    let rows = bands.iter().map(|band| {
        let count = waits.iter().filter(|wait| band.contains(*wait)).count();
        let value = 100.0 * count as f64 / waits.len().max(1) as f64;
        let label = match band.end.is_finite() {
            true => format!("below {} s", band.end),
            false => format!("{} s or more", band.start),
        };
        let note = format!("{value:.1} %");
        Bar { label, value, note }
    });
    rows.collect()
}
