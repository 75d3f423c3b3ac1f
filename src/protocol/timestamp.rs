//! RFC 3339 date-times (PROTOCOL §4, `schema/timestamp`).
//!
//! ```text
//! date-time = 4DIGIT "-" 2DIGIT "-" 2DIGIT ("T" / "t") 2DIGIT ":" 2DIGIT ":" 2DIGIT [ "." 1*DIGIT ] offset
//! offset    = "Z" / "z" / ("+" / "-") 2DIGIT ":" 2DIGIT
//! ```
//!
//! ASCII digits only, a real calendar date, an offset of at most `23:59`, and `:60` only where UTC is 23:59:60 on the
//! last day of a month. The `time` crate accepts more than this grammar, so it only answers for the calendar.

use std::cmp::Ordering;

use time::{Date, Month, OffsetDateTime};

/// An instant, exact to the last written digit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timestamp {
    /// Seconds since 0000-01-01 (proleptic, UTC); a leap second counts as the second before it.
    seconds: i64,
    leap: bool,
    /// Digits of the fraction without trailing zeros.
    fraction: String,
}

/// Why a text is not an RFC 3339 date-time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimestampError {
    /// The text does not follow the grammar.
    Grammar(Expected),
    /// The month, day, hour, minute or second does not exist.
    NoSuchDate,
    /// The clock fields are out of range.
    NoSuchTime,
    /// The offset is out of range.
    NoSuchOffset,
    /// `:60` where no leap second can be.
    NoLeapSecond,
}

/// What the grammar wants where it stopped reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// `YYYY-MM-DD`.
    Date,
    /// The letter between date and time.
    T,
    /// `hh:mm:ss`.
    Time,
    /// A digit after the point.
    FractionDigit,
    /// `Z` or `±hh:mm`.
    Offset,
    /// Nothing more.
    End,
}

struct Reader<'t> {
    rest: &'t [u8],
}

impl Reader<'_> {
    fn byte(&mut self, wanted: &[u8], expected: Expected) -> Result<u8, TimestampError> {
        match self.rest.split_first() {
            Some((byte, rest)) if wanted.contains(byte) => {
                self.rest = rest;
                Ok(*byte)
            }
            _ => Err(TimestampError::Grammar(expected)),
        }
    }

    fn digits(&mut self, count: usize, expected: Expected) -> Result<i32, TimestampError> {
        (0..count).try_fold(0, |number, _| Ok(number * 10 + i32::from(self.byte(b"0123456789", expected)? - b'0')))
    }

    fn fraction(&mut self) -> Result<String, TimestampError> {
        if self.rest.first() != Some(&b'.') {
            return Ok(String::new());
        }
        let digits = self.rest.iter().skip(1).take_while(|byte| byte.is_ascii_digit()).count();
        if digits == 0 {
            return Err(TimestampError::Grammar(Expected::FractionDigit));
        }
        let (fraction, rest) = self.rest.split_at(digits + 1);
        self.rest = rest;
        Ok(fraction.iter().skip(1).map(|&byte| char::from(byte)).collect::<String>().trim_end_matches('0').to_owned())
    }

    fn offset_minutes(&mut self) -> Result<i64, TimestampError> {
        let sign = match self.byte(b"Zz+-", Expected::Offset)? {
            b'+' => 1,
            b'-' => -1,
            _ => return Ok(0),
        };
        let hours = self.digits(2, Expected::Offset)?;
        self.byte(b":", Expected::Offset)?;
        let minutes = self.digits(2, Expected::Offset)?;
        if hours > 23 || minutes > 59 {
            return Err(TimestampError::NoSuchOffset);
        }
        Ok(sign * i64::from(hours * 60 + minutes))
    }
}

impl Timestamp {
    /// Reads a whole text as one date-time.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn parse(text: &str) -> Result<Self, TimestampError> {
        let mut reader = Reader { rest: text.as_bytes() };
        let year = reader.digits(4, Expected::Date)?;
        reader.byte(b"-", Expected::Date)?;
        let month = reader.digits(2, Expected::Date)?;
        reader.byte(b"-", Expected::Date)?;
        let day = reader.digits(2, Expected::Date)?;
        reader.byte(b"Tt", Expected::T)?;
        let hour = reader.digits(2, Expected::Time)?;
        reader.byte(b":", Expected::Time)?;
        let minute = reader.digits(2, Expected::Time)?;
        reader.byte(b":", Expected::Time)?;
        let second = reader.digits(2, Expected::Time)?;
        let fraction = reader.fraction()?;
        let offset = reader.offset_minutes()?;
        if !reader.rest.is_empty() {
            return Err(TimestampError::Grammar(Expected::End));
        }

        let days = day_number(year, month, day).ok_or(TimestampError::NoSuchDate)?;
        if hour > 23 || minute > 59 || second > 60 {
            return Err(TimestampError::NoSuchTime);
        }
        let leap = second == 60;
        let minutes = days * 1440 + i64::from(hour * 60 + minute) - offset;
        if leap && !is_last_minute_of_a_month(minutes) {
            return Err(TimestampError::NoLeapSecond);
        }
        Ok(Self { seconds: minutes * 60 + i64::from(second.min(59)), leap, fraction })
    }
}

/// The date-time of a number of seconds since 1970-01-01T00:00:00Z, in UTC; `None` outside the years 0 to 9999.
pub fn utc(unix_seconds: i64) -> Option<String> {
    let moment = OffsetDateTime::from_unix_timestamp(unix_seconds).ok().filter(|moment| moment.year() >= 0)?;
    let (date, (hour, minute, second)) = (moment.date(), moment.to_hms());
    let (year, month, day) = (date.year(), u8::from(date.month()), date.day());
    Some(format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z"))
}

/// The later of `now` and one second after `previous`; `None` when `now` is no date-time, or that second is in a year
/// that cannot be written.
pub fn after(now: &str, previous: &Timestamp) -> Option<String> {
    let next = Timestamp { seconds: previous.seconds + 1, leap: false, fraction: previous.fraction.clone() };
    if Timestamp::parse(now).ok()? >= next {
        return Some(now.to_owned());
    }
    let next = utc(next.seconds - UNIX_EPOCH)?;
    let fraction = Some(&previous.fraction).filter(|fraction| !fraction.is_empty());
    Some(fraction.map_or(next.clone(), |fraction| next.replace('Z', &format!(".{fraction}Z"))))
}

/// Seconds from 0000-01-01 to 1970-01-01.
const UNIX_EPOCH: i64 = 719_528 * 86_400;

/// Days since 0000-01-01 of a real calendar date.
fn day_number(year: i32, month: i32, day: i32) -> Option<i64> {
    let month = Month::try_from(u8::try_from(month).ok()?).ok()?;
    let date = Date::from_calendar_date(year, month, u8::try_from(day).ok()?).ok()?;
    Some(i64::from(date.to_julian_day()) - DAY_ZERO)
}

/// Julian day of 0000-01-01.
const DAY_ZERO: i64 = 1_721_060;

fn is_last_minute_of_a_month(minutes: i64) -> bool {
    let next = (minutes + 1).div_euclid(1440) + DAY_ZERO;
    let next = i32::try_from(next).ok().and_then(|day| Date::from_julian_day(day).ok());
    // The calendar of the `time` crate ends with the year 9999, on the last day of a month.
    (minutes + 1).rem_euclid(1440) == 0 && next.is_none_or(|date| date.day() == 1)
}

impl Ord for Timestamp {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.seconds, self.leap, &self.fraction).cmp(&(other.seconds, other.leap, &other.fraction))
    }
}

impl PartialOrd for Timestamp {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn instant(text: &str) -> Timestamp {
        Timestamp::parse(text).unwrap_or_else(|error| panic!("{text}: {error:?}"))
    }

    #[test]
    fn the_next_version_is_later_whatever_the_clock_says() {
        let after = |now, previous| after(now, &instant(previous));
        for (now, previous, expected) in [
            ("2026-03-02T09:00:05Z", "2026-03-02T09:00:04Z", "2026-03-02T09:00:05Z"),
            ("2026-03-02T09:00:04Z", "2026-03-02T17:00:04+08:00", "2026-03-02T09:00:05Z"),
            ("2020-01-01T00:00:00Z", "2026-12-31T23:59:59.25Z", "2027-01-01T00:00:00.25Z"),
            ("2010-01-01T00:00:00Z", "2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z"),
        ] {
            assert_eq!(after(now, previous).as_deref(), Some(expected));
        }
        assert_eq!(after("2026-03-02T09:00:05Z", "9999-12-31T23:59:59Z"), None);
        assert_eq!(after("now", "2026-03-02T09:00:05Z"), None);
    }

    #[test]
    fn what_rfc_3339_allows_is_accepted() {
        for text in [
            "2026-08-23T10:00:00+08:00",
            "2026-08-23t10:00:00z",
            "2024-02-29T00:00:00-00:00",
            "2016-12-31T23:59:60Z",
            "2017-01-01T07:59:60.5+08:00",
            "2015-06-30T16:29:60-07:30",
            "9999-12-31T23:59:60Z",
            "0000-01-01T00:00:00+23:59",
            "9999-12-31T23:59:59.123456789012345678-23:59",
        ] {
            instant(text);
        }
    }

    #[test]
    fn what_it_does_not_allow_names_its_first_fault() {
        use Expected::{Date, End, FractionDigit, Offset, T, Time};
        use TimestampError::{Grammar, NoLeapSecond, NoSuchDate, NoSuchOffset, NoSuchTime};
        for (text, error) in [
            ("2026-02-30T00:00:00Z", NoSuchDate),
            ("2026-13-01T00:00:00Z", NoSuchDate),
            ("2025-02-29T00:00:00Z", NoSuchDate),
            ("2026-01-01T24:00:00Z", NoSuchTime),
            ("2026-01-01T23:59:61Z", NoSuchTime),
            ("2026-01-01T10:00:00+24:00", NoSuchOffset),
            ("2026-01-01T10:00:00-05:60", NoSuchOffset),
            ("2026-01-02T23:59:60Z", NoLeapSecond),
            ("2016-12-31T23:59:60+08:00", NoLeapSecond),
            ("2016-12-31T12:00:60Z", NoLeapSecond),
            ("2026-01-01 10:00:00Z", Grammar(T)),
            ("2026-01-01_10:00:00Z", Grammar(T)),
            ("2026-01-01T10:00Z", Grammar(Time)),
            ("2026-01-01T10:00:00.Z", Grammar(FractionDigit)),
            ("2026-01-01T10:00:00,5Z", Grammar(Offset)),
            ("2026-01-01T10:00:00-0500", Grammar(Offset)),
            ("2026-01-01T10:00:00", Grammar(Offset)),
            ("2026-01-01T10:00:00Z[UTC]", Grammar(End)),
            ("20260101T100000Z", Grammar(Date)),
            ("2026-01-01T10:00:00Z ", Grammar(End)),
            ("٢٠٢٦-01-01T10:00:00Z", Grammar(Date)),
            ("", Grammar(Date)),
        ] {
            assert_eq!(Timestamp::parse(text), Err(error), "{text}");
        }
    }

    #[test]
    fn instants_are_compared_and_fractions_are_not_cut() {
        let ascending = [
            "2026-01-01T03:00:00.5+01:00",
            "2026-01-01T02:00:00.50000000000000000001Z",
            "2026-01-01T02:00:01Z",
            "2026-06-30T23:59:59.999Z",
            "2026-06-30T23:59:60Z",
            "2026-06-30T23:59:60.1Z",
            "2026-07-01T00:00:00Z",
        ];
        assert!(ascending.windows(2).all(|pair| instant(pair[0]) < instant(pair[1])));
        assert_eq!(instant("2026-01-01T02:00:00Z"), instant("2026-01-01T10:00:00.000+08:00"));
    }

    #[test]
    fn seconds_since_1970_become_a_date_time_in_utc() {
        assert_eq!(utc(0).as_deref(), Some("1970-01-01T00:00:00Z"));
        assert_eq!(utc(1_772_416_800).as_deref(), Some("2026-03-02T02:00:00Z"));
        assert_eq!(utc(253_402_300_799).as_deref(), Some("9999-12-31T23:59:59Z"));
        assert_eq!(utc(253_402_300_800), None);
        assert_eq!(utc(i64::MIN), None);
    }
}
