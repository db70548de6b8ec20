//! The times of a timetable: a local time in a time zone, each day or on days of the week.
//!
//! The database of time zones is a part of the program, so that each node computes the same times. A local time that a change of the clock leaves out
//! is the first moment after the change; one that comes twice is the first of the two. A date that a zone leaves out as a whole has no time.

use std::sync::LazyLock;

use jiff::civil::{Date, Time};
use jiff::tz::{AmbiguousOffset, TimeZone, TimeZoneDatabase};
use jiff::{Timestamp, ToSpan};
use mawe_store::EventRecurrence;
use mawe_wire::events::{EventInterval, Weekday};

/// The zones that the program knows.
static ZONES: LazyLock<TimeZoneDatabase> = LazyLock::new(TimeZoneDatabase::bundled);

/// The length of the name of a zone, in characters.
pub const ZONE_CHARS: std::ops::RangeInclusive<usize> = 1..=64;

const DAY_MINUTES: u32 = 24 * 60;

/// The number of dates among which there is a next one, even if a zone leaves out one of them.
const DATES: i32 = 16;

/// The times of a timetable.
#[derive(Debug, Clone)]
pub struct Timetable {
    at: Time,
    zone: TimeZone,
    /// The days of the week, from Monday.
    days: [bool; 7],
}

/// The fault of a timetable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadTimetable {
    /// The local time is none of a day.
    #[error("a time is written as 18:30, from 00:00 to 23:59")]
    At,
    /// There is no such zone.
    #[error("a zone has a name of the IANA database, such as Europe/Warsaw")]
    Zone,
    /// The days of the week do not fit the interval.
    #[error("a weekly timetable names its weekdays, each once; a daily one has none")]
    Weekdays,
}

impl Timetable {
    /// Reads the times of a timetable.
    ///
    /// # Errors
    /// The first fault.
    pub fn new(of: &EventRecurrence) -> Result<Timetable, BadTimetable> {
        let (hour, minute) = (of.at_minute / 60, of.at_minute % 60);
        let at = (of.at_minute < DAY_MINUTES)
            .then(|| Time::new(hour.try_into().ok()?, minute.try_into().ok()?, 0, 0).ok())
            .flatten();
        let mut days = [of.every == EventInterval::Daily; 7];
        let expected = match of.every {
            EventInterval::Daily => 0..=0,
            EventInterval::Weekly => 1..=days.len(),
        };
        if !expected.contains(&of.weekdays.len()) {
            return Err(BadTimetable::Weekdays);
        }
        for day in &of.weekdays {
            if std::mem::replace(&mut days[place(*day)], true) {
                return Err(BadTimetable::Weekdays);
            }
        }
        Ok(Timetable {
            at: at.ok_or(BadTimetable::At)?,
            zone: zone(&of.zone).ok_or(BadTimetable::Zone)?,
            days,
        })
    }

    /// Returns the next time after this one, both in milliseconds since the Unix epoch; `None` beyond the years that a calendar has.
    #[must_use]
    pub fn next_after(&self, after_ms: i64) -> Option<i64> {
        let after = Timestamp::from_millisecond(after_ms).ok()?;
        // A time of yesterday's date may be after a change of the clock at midnight.
        let first = self.zone.to_datetime(after).date().yesterday().ok()?;
        let dates = (0..DATES).map_while(|days| first.checked_add(days.days()).ok());
        let chosen = dates.filter(|date| {
            let day = date.weekday().to_monday_zero_offset();
            usize::try_from(day).is_ok_and(|day| self.days[day])
        });
        let mut times = chosen.filter_map(|date| self.time_on(date));
        times
            .find(|time| *time > after)
            .map(Timestamp::as_millisecond)
    }

    /// Returns the time of a local date; `None` for a date that the zone leaves out.
    fn time_on(&self, date: Date) -> Option<Timestamp> {
        let local = self.zone.to_ambiguous_timestamp(date.to_datetime(self.at));
        let AmbiguousOffset::Gap { before, after } = local.offset() else {
            return local.earlier().ok();
        };
        // Read with the offset after the change, the local time is before it; read with the one before, it is not.
        let early = after.to_timestamp(date.to_datetime(self.at)).ok()?;
        let late = before.to_timestamp(date.to_datetime(self.at)).ok()?;
        let mut changes = self.zone.following(early);
        let change = changes
            .find(|change| change.offset() == after)?
            .timestamp()
            .min(late);
        let midnight = self
            .zone
            .to_ambiguous_timestamp(date.to_datetime(Time::midnight()));
        let is_left_out = matches!(midnight.offset(), AmbiguousOffset::Gap { .. })
            && self.zone.to_datetime(change).date() > date;
        (!is_left_out).then_some(change)
    }
}

/// Returns the name of a zone as the database writes it; `None` for an unknown one.
#[must_use]
pub fn zone_name(name: &str) -> Option<String> {
    Some(zone(name)?.iana_name()?.to_owned())
}

fn zone(name: &str) -> Option<TimeZone> {
    let fits = ZONE_CHARS.contains(&name.chars().count());
    fits.then(|| ZONES.get(name).ok()).flatten()
}

const fn place(day: Weekday) -> usize {
    match day {
        Weekday::Monday => 0,
        Weekday::Tuesday => 1,
        Weekday::Wednesday => 2,
        Weekday::Thursday => 3,
        Weekday::Friday => 4,
        Weekday::Saturday => 5,
        Weekday::Sunday => 6,
    }
}

/// Reads a local time, `HH:MM`, as minutes since midnight.
///
/// # Errors
/// [`BadTimetable::At`].
pub fn minute_of(text: &str) -> Result<u32, BadTimetable> {
    let two = |text: &str| {
        let is_number = text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| text.parse().ok()).flatten()
    };
    let parts = text
        .split_once(':')
        .and_then(|(hour, minute)| Some((two(hour)?, two(minute)?)));
    match parts {
        Some((hour @ 0..24, minute @ 0..60)) => Ok(hour * 60 + minute),
        _ => Err(BadTimetable::At),
    }
}

/// Writes minutes since midnight as a local time, `HH:MM`.
#[must_use]
pub fn time_of(minute: u32) -> String {
    format!("{:02}:{:02}", minute / 60, minute % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ZONES: [&str; 8] = [
        "Europe/Warsaw",
        "Africa/Dar_es_Salaam",
        "Asia/Kolkata",
        "America/New_York",
        // Half an hour.
        "Australia/Lord_Howe",
        "UTC",
        // From midnight to one o'clock.
        "Africa/Cairo",
        // From 23 o'clock to midnight.
        "America/Nuuk",
    ];

    fn daily(at: &str, zone: &str) -> Timetable {
        let of = EventRecurrence {
            every: EventInterval::Daily,
            weekdays: Vec::new(),
            at_minute: minute_of(at).expect("a time"),
            zone: zone.to_owned(),
        };
        Timetable::new(&of).expect("a timetable")
    }

    fn weekly(at: &str, zone: &str, days: &[Weekday]) -> Result<Timetable, BadTimetable> {
        Timetable::new(&EventRecurrence {
            every: EventInterval::Weekly,
            weekdays: days.to_vec(),
            at_minute: minute_of(at)?,
            zone: zone.to_owned(),
        })
    }

    fn ms(text: &str) -> i64 {
        text.parse::<Timestamp>().expect("a time").as_millisecond()
    }

    #[track_caller]
    fn check(timetable: &Timetable, after: &str, expected: &[&str]) {
        let mut time = ms(after);
        for expected in expected {
            time = timetable.next_after(time).expect("a next one");
            assert_eq!(time, ms(expected), "{expected}");
        }
    }

    #[test]
    fn a_local_time_follows_the_clocks_of_its_zone() {
        check(
            &daily("18:30", "Europe/Warsaw"),
            "2026-03-27T17:30:00Z",
            &["2026-03-28T17:30:00Z", "2026-03-29T16:30:00Z"],
        );
        check(
            &daily("18:30", "Africa/Dar_es_Salaam"),
            "2026-03-28T15:29:59Z",
            &["2026-03-28T15:30:00Z", "2026-03-29T15:30:00Z"],
        );
        check(
            &daily("00:15", "Asia/Kolkata"),
            "2026-03-28T00:00:00Z",
            &["2026-03-28T18:45:00Z"],
        );
    }

    #[test]
    fn a_time_that_is_left_out_is_the_first_moment_after_the_change() {
        // From 2 to 3 o'clock.
        check(
            &daily("02:30", "Europe/Warsaw"),
            "2026-03-28T01:30:00Z",
            &["2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z"],
        );
        check(
            &daily("02:00", "America/New_York"),
            "2026-03-07T12:00:00Z",
            &["2026-03-08T07:00:00Z", "2026-03-09T06:00:00Z"],
        );
        // From 2 o'clock to half past.
        check(
            &daily("02:15", "Australia/Lord_Howe"),
            "2026-10-03T12:00:00Z",
            &["2026-10-03T15:30:00Z", "2026-10-04T15:15:00Z"],
        );
    }

    #[test]
    fn a_time_that_comes_twice_is_the_first_of_the_two() {
        check(
            &daily("02:30", "Europe/Warsaw"),
            "2026-10-24T12:00:00Z",
            &["2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"],
        );
        check(
            &daily("01:45", "Australia/Lord_Howe"),
            "2026-04-04T12:00:00Z",
            &["2026-04-04T14:45:00Z", "2026-04-05T15:15:00Z"],
        );
    }

    #[test]
    fn a_date_that_a_zone_leaves_out_has_no_time() {
        // There was no 30 December 2011 in Samoa.
        check(
            &daily("12:00", "Pacific/Apia"),
            "2011-12-29T00:00:00Z",
            &["2011-12-29T22:00:00Z", "2011-12-30T22:00:00Z"],
        );
        let friday = weekly("12:00", "Pacific/Apia", &[Weekday::Friday]).expect("a timetable");
        check(&friday, "2011-12-24T00:00:00Z", &["2012-01-05T22:00:00Z"]);
    }

    #[test]
    fn a_week_has_the_chosen_days() {
        let days = [Weekday::Saturday, Weekday::Monday];
        let timetable = weekly("20:00", "Europe/Warsaw", &days).expect("a timetable");
        check(
            &timetable,
            "2026-03-23T19:00:00Z",
            &[
                "2026-03-28T19:00:00Z",
                "2026-03-30T18:00:00Z",
                "2026-04-04T18:00:00Z",
            ],
        );
    }

    #[test]
    fn each_local_day_has_one_time_and_they_increase() {
        let end = ms("2029-01-01T00:00:00Z");
        for name in ZONES {
            let zone = zone(name).expect("a zone");
            for at in [
                "00:00", "00:30", "01:45", "02:00", "02:15", "02:30", "03:00", "12:00", "22:59",
            ] {
                let timetable = daily(at, name);
                let mut time = ms("2026-01-01T00:00:00Z");
                let mut date: Option<Date> = None;
                while time < end {
                    let next = timetable.next_after(time).expect("a next one");
                    assert!(next > time, "{name} {at}: {next}");
                    // Whatever is asked in between, it is the same.
                    assert_eq!(timetable.next_after(next - 1), Some(next));
                    let local =
                        zone.to_datetime(Timestamp::from_millisecond(next).expect("a time"));
                    assert!(
                        date.is_none_or(|date| date.tomorrow().ok() == Some(local.date())),
                        "{name} {at}: {local}"
                    );
                    let late = local.time().duration_since(timetable.at);
                    assert!(
                        (0..=3_600).contains(&late.as_secs()),
                        "{name} {at}: {local}"
                    );
                    date = Some(local.date());
                    time = next;
                }
            }
        }
    }

    #[test]
    fn bad_times_zones_and_days_are_refused() {
        for text in [
            "", "18", "18:3", "24:00", "12:60", "1a:00", "+1:00", " 1:00", "12:00:00",
        ] {
            assert_eq!(minute_of(text), Err(BadTimetable::At), "{text:?}");
        }
        assert_eq!(minute_of("23:59").map(time_of).as_deref(), Ok("23:59"));
        let friday = [Weekday::Friday];
        let long = "x".repeat(99);
        for name in [
            "",
            "Nowhere",
            "Europe/",
            "../etc/passwd",
            "CEST",
            "+01:00",
            long.as_str(),
        ] {
            let refused = weekly("12:00", name, &friday).map(drop);
            assert_eq!(refused, Err(BadTimetable::Zone), "{name:?}");
        }
        for days in [&[][..], &[Weekday::Friday, Weekday::Friday]] {
            let refused = weekly("12:00", "UTC", days).map(drop);
            assert_eq!(refused, Err(BadTimetable::Weekdays));
        }
        assert_eq!(zone_name("europe/warsaw").as_deref(), Some("Europe/Warsaw"));
        assert_eq!(zone_name("Asia/Calcutta").as_deref(), Some("Asia/Calcutta"));
    }
}
