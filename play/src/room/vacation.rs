//! Vacations: while a player is on vacation, their own clocks by the day end no match.
//!
//! A turn is extended only when its time is up, by the part of the vacations that lies in it. A vacation lasts whole days from its
//! beginning, and ends early only at the end of a day that has begun. So a turn is never given a day that is not spent: of a vacation that
//! lasts, the day that has begun is counted and no later one.

/// A day of a vacation.
pub const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// The days of vacation of an account in a calendar year (UTC): the most by which one player can delay matches in a year.
pub const DAYS_IN_YEAR: u32 = 30;

/// The longest vacation, in days.
pub const MAX_DAYS: u32 = 14;

/// The time between the end of a vacation and the beginning of the next one; without it, two vacations would be one long one.
pub const PAUSE_MS: i64 = 7 * DAY_MS;

/// The reason why a vacation cannot begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The number of days is outside its bounds.
    #[error("a vacation has 1 to {MAX_DAYS} days")]
    Days,
    /// The account is on vacation.
    #[error("you are on vacation already")]
    OnVacation,
    /// The last vacation was lately.
    #[error("between two vacations there are at least 7 days")]
    Lately {
        /// The time from which a vacation can begin again.
        from_ms: i64,
    },
    /// The year has fewer days of vacation left.
    #[error("{left} days of vacation are left in the year {year}")]
    TooFewLeft {
        /// The year.
        year: i64,
        /// The days that are left in it.
        left: u32,
    },
}

/// A vacation, from its beginning to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Vacation {
    /// Its beginning, in milliseconds since the Unix epoch.
    pub from_ms: i64,
    /// Its end, whole days later.
    pub until_ms: i64,
}

/// A ply, in a match by the day, of which the time is up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeUp {
    /// The side to move.
    pub side: mawe_rules::Side,
    /// The time at which the ply began, in milliseconds since the Unix epoch.
    pub since_ms: i64,
    /// The time at which it must have been played.
    pub until_ms: i64,
    /// The time by which it was extended already.
    pub extended_ms: u64,
}

impl Vacation {
    /// Returns a vacation that begins now, for an account with these earlier ones, which include all that end after the beginning of the
    /// year. A day counts for the year in which it begins.
    ///
    /// # Errors
    /// [`Refused`].
    pub fn begin(earlier: &[Vacation], days: u32, now_ms: i64) -> Result<Vacation, Refused> {
        if !(1..=MAX_DAYS).contains(&days) {
            return Err(Refused::Days);
        }
        if let Some(last_ms) = earlier.iter().map(|vacation| vacation.until_ms).max() {
            if last_ms > now_ms {
                return Err(Refused::OnVacation);
            }
            let from_ms = last_ms.saturating_add(PAUSE_MS);
            if from_ms > now_ms {
                return Err(Refused::Lately { from_ms });
            }
        }
        let new = Vacation {
            from_ms: now_ms,
            until_ms: now_ms.saturating_add(i64::from(days) * DAY_MS),
        };
        for year in new.years() {
            let left = days_left(earlier, year);
            if new.days_in(year) > left {
                return Err(Refused::TooFewLeft { year, left });
            }
        }
        Ok(new)
    }

    /// Returns the vacation ended at `now_ms`: with the day that has begun.
    #[must_use]
    pub fn ended(self, now_ms: i64) -> Vacation {
        Vacation {
            until_ms: self.day_end_ms(now_ms),
            ..self
        }
    }

    /// Returns the beginnings of its days.
    fn days(&self) -> impl Iterator<Item = i64> {
        let day = |at: i64| self.from_ms.saturating_add(at.saturating_mul(DAY_MS));
        // A stored vacation has at most `MAX_DAYS` days.
        let days = (0..i64::from(MAX_DAYS)).map(day);
        days.take_while(|day| *day < self.until_ms)
    }

    fn years(&self) -> impl Iterator<Item = i64> {
        let first = year_of(self.from_ms);
        first..=self.days().last().map_or(first, year_of)
    }

    fn days_in(&self, year: i64) -> u32 {
        let days = self.days().filter(|day| year_of(*day) == year).count();
        u32::try_from(days).unwrap_or(u32::MAX)
    }

    /// Returns the end of the day of the vacation that has begun at `now_ms`, and no later time than its end.
    #[must_use]
    pub fn day_end_ms(&self, now_ms: i64) -> i64 {
        let days = (now_ms - self.from_ms).max(0) / DAY_MS + 1;
        self.until_ms
            .min(self.from_ms.saturating_add(days.saturating_mul(DAY_MS)))
    }
}

/// Returns the days of vacation that are left in a year, after these vacations.
#[must_use]
pub fn days_left(vacations: &[Vacation], year: i64) -> u32 {
    let used: u32 = vacations
        .iter()
        .map(|vacation| vacation.days_in(year))
        .sum();
    DAYS_IN_YEAR.saturating_sub(used)
}

/// Returns the calendar year (UTC) of a time.
#[must_use]
pub fn year_of(unix_ms: i64) -> i64 {
    // Years of 365.2425 days repeat after 400; a year begins on 1 March here, so that a leap day is its last.
    let days = unix_ms.div_euclid(DAY_MS) + 719_468;
    let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day_of_year = day - (365 * year + year / 4 - year / 100);
    era * 400 + year + i64::from(day_of_year >= 306)
}

impl TimeUp {
    /// Returns the time by which vacations, the earliest first, extend the ply further; 0 if its time is up regardless of them.
    #[must_use]
    pub fn extension_ms(&self, vacations: &[Vacation], now_ms: i64) -> u64 {
        let extended_ms = i64::try_from(self.extended_ms).unwrap_or(i64::MAX);
        let without = self.until_ms.saturating_sub(extended_ms);
        let mut until = without;
        let mut counted_to = self.since_ms;
        for vacation in vacations {
            let from = vacation.from_ms.max(counted_to);
            // One that begins after the end of the ply is too late for it.
            if from >= until {
                break;
            }
            let to = vacation.day_end_ms(now_ms);
            if vacation.from_ms <= now_ms && to > from {
                until = until.saturating_add(to - from);
                counted_to = to;
            }
        }
        let extension = until - without - extended_ms;
        u64::try_from(extension).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use mawe_rules::Side;

    use super::*;

    fn days(days: i64) -> i64 {
        days * DAY_MS
    }

    fn vacation(from: i64, until: i64) -> Vacation {
        Vacation {
            from_ms: days(from),
            until_ms: days(until),
        }
    }

    /// A ply of three days from day 10, extended by `extended` days.
    fn time_up(extended: i64) -> TimeUp {
        TimeUp {
            side: Side::First,
            since_ms: days(10),
            until_ms: days(13 + extended),
            extended_ms: days(extended).unsigned_abs(),
        }
    }

    #[test]
    fn a_year_ends_on_its_last_day() {
        for (day, year) in [
            (-1, 1969),
            (0, 1970),
            (364, 1970),
            (365, 1971),
            (789, 1972),
            (10_956, 1999),
            (10_957, 2000),
            (11_016, 2000),
            (11_322, 2000),
            (11_323, 2001),
            (20_818, 2026),
            (20_819, 2027),
        ] {
            assert_eq!(year_of(days(day)), year, "{day}");
            assert_eq!(year_of(days(day + 1) - 1), year, "{day}");
        }
    }

    #[test]
    fn a_vacation_begins_within_the_bounds_of_its_year() {
        // Day 365 begins the year 1971, day 730 the year 1972.
        let begin = |earlier: &[Vacation], length, day| Vacation::begin(earlier, length, days(day));
        assert_eq!(begin(&[], 14, 400), Ok(vacation(400, 414)));
        assert_eq!(begin(&[], 0, 400), Err(Refused::Days));
        assert_eq!(begin(&[], 15, 400), Err(Refused::Days));
        let mut had = vec![vacation(400, 414)];
        assert_eq!(begin(&had, 1, 413), Err(Refused::OnVacation));
        let from_ms = days(421);
        assert_eq!(begin(&had, 1, 414), Err(Refused::Lately { from_ms }));
        had.push(begin(&had, 14, 421).expect("a week later"));
        let few = Refused::TooFewLeft {
            year: 1971,
            left: 2,
        };
        assert_eq!(begin(&had, 3, 500), Err(few));
        assert_eq!(begin(&had, 2, 500), Ok(vacation(500, 502)));
        // Two days are left in 1971, and each day counts for its own year.
        assert_eq!(begin(&had, 14, 728), Ok(vacation(728, 742)));
        assert_eq!(begin(&had, 14, 727), Err(few));
        had.push(vacation(728, 742));
        assert_eq!((days_left(&had, 1971), days_left(&had, 1972)), (0, 18));
    }

    #[test]
    fn an_ended_vacation_keeps_the_day_that_has_begun() {
        let fortnight = vacation(10, 24);
        assert_eq!(fortnight.ended(days(12) + 1), vacation(10, 13));
        assert_eq!(fortnight.ended(days(23) + 1), fortnight);
        assert_eq!(fortnight.ended(days(90)), fortnight);
    }

    #[test]
    fn a_ply_lasts_longer_by_the_days_of_a_vacation_in_it() {
        let day = DAY_MS.unsigned_abs();
        let ask =
            |extended, vacations: &[Vacation], now| time_up(extended).extension_ms(vacations, now);
        assert_eq!(ask(0, &[], days(13)), 0);
        assert_eq!(
            ask(0, &[vacation(2, 9)], days(13)),
            0,
            "over before it began"
        );
        assert_eq!(ask(0, &[vacation(11, 12)], days(13)), day, "over within it");
        assert_eq!(
            ask(0, &[vacation(8, 12)], days(13)),
            2 * day,
            "its days in the ply"
        );
        assert_eq!(ask(0, &[vacation(13, 20)], days(13)), 0, "begun too late");
        let two = [vacation(10, 11), vacation(13, 14)];
        assert_eq!(
            ask(0, &two, days(13)),
            2 * day,
            "the second began in the time that the first gave"
        );
    }

    #[test]
    fn of_a_vacation_that_lasts_only_the_day_that_has_begun_is_given() {
        let day = DAY_MS.unsigned_abs();
        let fortnight = [vacation(12, 26)];
        assert_eq!(
            time_up(0).extension_ms(&fortnight, days(13)),
            2 * day,
            "12 and 13"
        );
        assert_eq!(
            time_up(2).extension_ms(&fortnight, days(15)),
            2 * day,
            "14 and 15"
        );
        let ended = [vacation(12, 14)];
        assert_eq!(
            time_up(2).extension_ms(&ended, days(15)),
            0,
            "it was ended on day 13"
        );
        assert_eq!(
            time_up(14).extension_ms(&fortnight, days(27)),
            0,
            "all of it is given"
        );
        assert_eq!(
            time_up(0).extension_ms(&fortnight, days(90)),
            14 * day,
            "asked late"
        );
    }

    #[test]
    fn the_extension_ends_with_the_vacation_and_takes_few_steps() {
        let fortnight = [Vacation {
            from_ms: days(13) - 60_000,
            until_ms: days(27) - 60_000,
        }];
        let (mut extended, mut steps) = (0, 0);
        loop {
            let turn = TimeUp {
                side: Side::First,
                since_ms: days(10),
                until_ms: days(13).saturating_add_unsigned(extended),
                extended_ms: extended,
            };
            match turn.extension_ms(&fortnight, turn.until_ms) {
                0 => break,
                more => (extended, steps) = (extended + more, steps + 1),
            }
        }
        assert_eq!(extended, days(14).unsigned_abs());
        assert!(steps <= 15, "{steps}");
    }
}
