//! Findings in every output format: each can be made, is what its readers parse, and has neither a control character nor a
//! credential of the document in it.

use std::sync::LazyLock;

use handoff_guard::check::Verdict;
use handoff_guard::protocol::character::visible;
use handoff_guard::protocol::credential::credentials;
use handoff_guard::protocol::profile::Profile;
use handoff_guard::render::full::{self, Style};
use handoff_guard::render::json::{File, Report};
use handoff_guard::render::location::Base;
use handoff_guard::render::receipt::{Asked, Receipt};
use handoff_guard::render::{Advice, Judged, Named, Tally, concise, github, gitlab, junit, sarif};
use handoff_guard::source::Source;
use handoff_guard::store::recover::{Damage, Recovery};
use jsonschema::Validator;
use serde_json::Value;

use super::schema::validator;
use crate::simulation::stage::NAMES;

static REPORT: LazyLock<Validator> =
    LazyLock::new(|| validator(&serde_json::from_str(include_str!("../../schema/report.v1.schema.json")).unwrap()));

/// Shows a verdict about `source`, which was perhaps held against `previous`, in every format.
pub(crate) fn assert_shown(source: &Source, previous: Option<&Source>, profile: Profile, verdict: &Verdict<'_>) {
    let judged = Judged {
        document: Named::new("a/b.handoff.md", source),
        previous: previous.map(|previous| Named::new("a/before.handoff.md", previous)),
        profile,
        verdict,
    };
    let base = Base::new("/srv");
    let mut tally = Tally::default();
    tally.count(verdict);
    let count = verdict.diagnostics().iter().count();

    let findings = full::findings(&judged, Advice::Shown, Style::Plain);
    let json = Report::new(vec![File::new(&judged)], Vec::new(), &tally).render().unwrap();
    let parsed: Value = serde_json::from_str(&json).unwrap();
    assert!(REPORT.is_valid(&parsed), "{json}");
    assert_eq!(parsed["files"][0]["diagnostics"].as_array().map(Vec::len), Some(count));
    // A whole log has every rule in it.
    let sarif = serde_json::to_value(sarif::results(&judged, &base)).unwrap();
    assert_eq!(sarif.as_array().map(Vec::len), Some(count));
    let gitlab = gitlab::report(gitlab::issues(&judged, Advice::Shown, &base), &[], &base).unwrap();
    let parsed: Value = serde_json::from_str(&gitlab).unwrap();
    assert_eq!(parsed.as_array().map(Vec::len), Some(count));
    let junit = junit::report(&[junit::case(&judged, Advice::Shown, &base)], &[], &tally, &base);
    roxmltree::Document::parse(&junit).unwrap();
    let concise = concise::render(&judged, Advice::Shown);
    assert_eq!(concise.lines().count(), count);
    let github = github::render(&judged, Advice::Shown, &base);
    assert_eq!(github.lines().count(), count);
    assert_eq!(findings.is_empty(), count == 0);

    let inputs = [Some(source), previous];
    let verdict = full::verdict(&judged, Advice::Shown);
    for shown in [&findings, &verdict, &concise, &github, &json, &gitlab, &junit] {
        assert_harmless(shown, inputs);
    }
    for shown in [full::findings(&judged, Advice::Shown, Style::Styled), sarif.to_string()] {
        assert_no_credential(&shown, inputs);
    }
}

/// An output has no control or invisible character but line feeds, and no credential of its inputs.
pub(super) fn assert_harmless<'s>(shown: &str, inputs: impl IntoIterator<Item = Option<&'s Source>>) {
    let line = shown.split('\n').find(|line| visible(line) != **line);
    assert!(line.is_none(), "{line:?}");
    assert_no_credential(shown, inputs);
}

pub(super) fn assert_no_credential<'s>(shown: &str, inputs: impl IntoIterator<Item = Option<&'s Source>>) {
    for text in inputs.into_iter().flatten().map(Source::printable) {
        let secrets: Vec<&str> = credentials(&text).iter().map(|secret| secret.span.of(&text)).collect();
        if !secrets.is_empty() {
            let echoed = credentials(shown).into_iter().find(|found| secrets.contains(&found.span.of(shown)));
            assert!(echoed.is_none(), "{echoed:?} in {shown}");
        }
    }
}

/// Shows what a recovery over `files` did.
pub(super) fn assert_recovery_shown(recovery: &Recovery, damage: Damage, files: &[&[u8]]) {
    let files: Vec<Source> = files.iter().map(|bytes| Source::new(*bytes)).collect();
    let receipt = Receipt::recovered("a/b.handoff.md", &NAMES, recovery, Asked { damage });
    let json = receipt.json().unwrap();
    serde_json::from_str::<Value>(&json).unwrap();
    for shown in [receipt.text(), json] {
        assert_harmless(&shown, files.iter().map(Some));
    }
}
