//! The only place that asks the clock.

use std::time::UNIX_EPOCH;

use crate::protocol::timestamp::utc;

/// The time as in RFC 3339, in UTC; `None` where the clock is outside of the years 1970 to 9999.
#[expect(clippy::disallowed_methods, reason = "a version says when it was made")]
pub(crate) fn now() -> Option<String> {
    let since = std::time::SystemTime::now().duration_since(UNIX_EPOCH).ok()?;
    utc(i64::try_from(since.as_secs()).ok()?)
}
