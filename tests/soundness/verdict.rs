//! A verdict: the same twice, pointing into the document, shown in every format, agreeing with the published schema, and
//! the same for a copy.

use std::time::Duration;

use handoff_guard::check::{Baseline, Verdict, check, session_id, verify};
use handoff_guard::diagnostic::{Diagnostics, Place};
use handoff_guard::protocol::profile::Profile;
use handoff_guard::source::{Source, Span};
use handoff_guard::store::fs::Kind;
use handoff_guard::store::recover::{Damage, Leftovers, Outcome, Request, recover};
use handoff_guard::store::replace::Extent;

use super::schema;
use crate::simulation::disk::Disk;
use crate::simulation::fault::Plan;
use crate::simulation::stage::NAMES;
use crate::simulation::{Flavour, SimDirectory};

/// Judges `bytes` in every profile.
pub(crate) fn assert_judged(bytes: &[u8]) {
    for &profile in Profile::ALL {
        assert_sound(bytes, profile, Baseline::Standalone);
    }
}

/// Checks `bytes` and a copy of them, and holds the verdict to everything that never depends on the input. True when the
/// document is valid.
pub(crate) fn assert_sound(bytes: &[u8], profile: Profile, baseline: Baseline<'_>) -> bool {
    let (source, copy) = (Source::new(bytes), Source::new(bytes));
    let (verdict, again) = (check(&source, profile, baseline), check(&copy, profile, baseline));
    let diagnostics = verdict.diagnostics();

    assert_eq!(verdict.is_valid(), again.is_valid());
    assert_eq!(format!("{diagnostics:?}"), format!("{:?}", again.diagnostics()));
    assert_eq!(verdict.is_valid(), diagnostics.errors().next().is_none());

    let previous = match baseline {
        Baseline::Update { previous } | Baseline::Commit { previous } => Some(Source::new(previous.bytes())),
        Baseline::Standalone | Baseline::Session { .. } | Baseline::Initial | Baseline::Init { .. } => None,
    };
    assert_points_into(diagnostics, &source, previous.as_ref());
    // How findings are shown and compared does not depend on the profile.
    if profile == Profile::Full {
        #[cfg(feature = "cli")]
        super::rendered::assert_shown(&source, previous.as_ref(), profile, &verdict);
        schema::assert_agrees(&source, diagnostics);
        assert_verifiable(&source, &verdict, baseline);
    }
    verdict.is_valid()
}

/// Every span is in bounds and on character boundaries; those that are hidden do not overlap.
pub(crate) fn assert_points_into(diagnostics: &Diagnostics, source: &Source, previous: Option<&Source>) {
    let (text, before) = (source.printable(), previous.map(Source::printable));
    for found in diagnostics {
        assert!(is_within(found.span, &text), "{found:?}");
        for label in &found.related {
            let text = match label.place {
                Place::Document => Some(&text),
                Place::Previous => before.as_ref(),
            };
            assert!(text.is_some_and(|text| is_within(label.span, text)), "{found:?}");
        }
    }
    let hidden = diagnostics.hidden();
    assert!(hidden.iter().all(|span| is_within(*span, &text)), "{hidden:?}");
    assert!(hidden.windows(2).all(|pair| pair[0].end() <= pair[1].start()), "{hidden:?}");
}

/// True when `span` is in bounds and on character boundaries of `text`.
pub(crate) fn is_within(span: Span, text: &str) -> bool {
    text.get(span.start()..span.end()).is_some()
}

/// A version is verifiable exactly when nothing but a credential rejects it, and then a copy of it, made by a recovery,
/// has the same bytes and the same verdict.
fn assert_verifiable(source: &Source, verdict: &Verdict<'_>, baseline: Baseline<'_>) {
    let Baseline::Standalone = baseline else { return };
    let is_verifiable = verify(source, Profile::Full).is_ok();
    let rejects = |id: &str| !["security", "succession"].contains(&id.split('/').next().unwrap_or(id));
    assert_eq!(is_verifiable, !verdict.diagnostics().errors().any(|found| rejects(found.rule.id)));
    if !is_verifiable {
        return;
    }
    assert!(session_id(source).is_some());
    let disk = Disk::default().with(&NAMES.backup, Kind::Regular, source.bytes());
    let directory = SimDirectory::new(disk, Flavour::Modern, Plan::Healthy);
    let request = Request {
        session_id: None,
        damage: Damage::NotReported,
        expected: None,
        leftovers: Leftovers::Keep,
        patience: Duration::ZERO,
        extent: Extent::Commit,
    };
    assert_eq!(recover(&directory, &NAMES, request).unwrap().outcome, Outcome::Restored);
    let copy = Source::new(&**directory.disk().content(&NAMES.official).unwrap());
    assert_eq!(copy.bytes(), source.bytes());
    assert_eq!(check(&copy, Profile::Full, baseline).is_valid(), verdict.is_valid());
}
