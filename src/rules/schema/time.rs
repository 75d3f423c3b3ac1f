//! The two timestamps (PROTOCOL §4).

use crate::diagnostic::{Base, Edit, Example, Rule, Scope, Severity, Sink};
use crate::document::Document;
use crate::protocol::keys::Key;
use crate::protocol::timestamp::{Expected, Timestamp, TimestampError};

pub(in crate::rules) static TIMESTAMP: Rule = Rule {
    id: "schema/timestamp",
    severity: Severity::Error,
    clause: "§4",
    scope: Scope::Every,
    summary: "`created_at` and `updated_at` are RFC 3339 date-times of real calendar dates",
    rationale: "Recovery chooses the newest version by these instants; a date that does not exist is older and newer than everything.",
    example: Example::of(Base::Initial, &[Edit::Replace("updated_at: \"2026-03-02", "updated_at: \"2026-02-30")]),
};

pub(in crate::rules) static TIMESTAMP_ORDER: Rule = Rule {
    id: "schema/timestamp-order",
    severity: Severity::Error,
    clause: "§4",
    scope: Scope::Every,
    summary: "`updated_at` is not earlier than `created_at`, compared as instants",
    rationale: "A version cannot be made before its session began.",
    example: Example::of(
        Base::Initial,
        &[Edit::Replace("updated_at: \"2026-03-02T09:00:00+08:00\"", "updated_at: \"2026-03-02T00:59:59Z\"")],
    ),
};

pub(in crate::rules) fn check(document: &Document<'_>, sink: &mut Sink) {
    let Some(front_matter) = document.front_matter() else { return };
    for key in [Key::CreatedAt, Key::UpdatedAt] {
        let Some(text) = front_matter.string(key) else { continue };
        if let Err(error) = Timestamp::parse(text.value) {
            let message = format!("`{key}` is no RFC 3339 date-time: {}", problem(error));
            let found = TIMESTAMP.at(text.span, message).label(document.quote(text.span));
            sink.push(found.help("write a date-time such as `2026-03-02T09:00:00+08:00` or `2026-03-02T01:00:00Z`"));
        }
    }
    let (Some(created), Some(updated)) =
        (front_matter.timestamp(Key::CreatedAt), front_matter.timestamp(Key::UpdatedAt))
    else {
        return;
    };
    if updated.value < created.value {
        let found = TIMESTAMP_ORDER.at(updated.span, "`updated_at` is earlier than `created_at`");
        sink.push(
            found
                .related(created.span, "the session begins later")
                .help("offsets count: compare the instants, not the digits"),
        );
    }
}

const fn problem(error: TimestampError) -> &'static str {
    match error {
        TimestampError::Grammar(Expected::Date) => "it does not begin with a date `YYYY-MM-DD`",
        TimestampError::Grammar(Expected::T) => "date and time are not joined by `T`",
        TimestampError::Grammar(Expected::Time) => "the time is not `hh:mm:ss`",
        TimestampError::Grammar(Expected::FractionDigit) => "no digit follows the `.`",
        TimestampError::Grammar(Expected::Offset) => "the time is not followed by `Z` or an offset `+hh:mm`",
        TimestampError::Grammar(Expected::End) => "something follows the offset",
        TimestampError::NoSuchDate => "there is no such date",
        TimestampError::NoSuchTime => "there is no such time",
        TimestampError::NoSuchOffset => "an offset is at most `23:59`",
        TimestampError::NoLeapSecond => "`:60` is a leap second, which ends a month in UTC",
    }
}
