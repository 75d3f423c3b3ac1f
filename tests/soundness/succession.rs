//! A version and one that may follow it.

use std::path::Path;

use handoff_guard::check::{Baseline, check, session_id, verify};
use handoff_guard::protocol::profile::Profile;
use handoff_guard::source::Source;

use super::Aim;
use super::verdict::assert_sound as assert_judged;

/// Holds `next` against `previous`, when that is verifiable, as one write and as several.
pub(crate) fn assert_sound(previous: &[u8], next: &[u8]) -> Aim {
    let before = Source::new(previous);
    let Ok(previous) = verify(&before, Profile::Full) else { return Aim::Missed };
    let session = session_id(&before).unwrap_or_default();
    let is_write = assert_judged(next, Profile::Full, Baseline::Update { previous: &previous });
    let is_commit = assert_judged(next, Profile::Full, Baseline::Commit { previous: &previous });
    assert!(is_commit || !is_write, "what one write may do, a commit may do");
    let next = Source::new(next);
    let is_valid = |baseline| check(&next, Profile::Full, baseline).is_valid();
    if is_write {
        assert!(is_valid(Baseline::Session { session_id: &session }), "a session keeps its name");
    }
    if is_valid(Baseline::Init { session_id: &session }) {
        assert!(is_valid(Baseline::Initial), "a first version of this session is a first version");
    }
    Aim::Hit
}

/// Fixtures of which the second may be meant to follow the first: neighbours in one folder.
pub(super) fn pairs<'f>(documents: &[(&'f Path, &'f [u8])]) -> impl Iterator<Item = (&'f [u8], &'f [u8])> {
    let of_sessions = |path: &Path| path.components().any(|part| part.as_os_str() == "succession");
    let neighbours = documents.windows(2).filter_map(move |pair| match pair {
        [(one, before), (other, after)] if one.parent() == other.parent() && of_sessions(one) => {
            let is_candidate = one.to_string_lossy().ends_with("candidate.handoff.md");
            Some(if is_candidate { (*after, *before) } else { (*before, *after) })
        }
        _ => None,
    });
    neighbours.collect::<Vec<_>>().into_iter()
}
