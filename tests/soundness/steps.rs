//! What a session is told: every report, answer and review is composed into a version that can follow, or refused with the
//! reason at its place.

use std::sync::LazyLock;

use handoff_guard::check::{Baseline, Verdict, Verifiable, check, verify};
use handoff_guard::diagnostic::Diagnostics;
use handoff_guard::lifecycle::answer::{Then, answer};
use handoff_guard::lifecycle::audit::audit;
use handoff_guard::lifecycle::seal::seal;
use handoff_guard::lifecycle::step::{Composed, More, Refusal, Rejection};
use handoff_guard::lifecycle::{Role, Unreadable, read};
use handoff_guard::protocol::profile::Profile;
use handoff_guard::protocol::sections::Field;
use handoff_guard::protocol::status::Status;
use handoff_guard::source::Source;
use serde_json::Value;

use super::{Aim, files, parts, verdict};

const NOW: &str = "2030-01-01T00:00:00Z";

/// A version in each state that a step leads on from.
static BEFORE: LazyLock<[Source; 4]> = LazyLock::new(|| {
    [
        include_str!("../../fixtures/valid/initial.handoff.md"),
        include_str!("../../fixtures/valid/collecting.handoff.md"),
        include_str!("../../fixtures/valid/needs-answers.handoff.md"),
        include_str!("../../fixtures/valid/review-pending.handoff.md"),
    ]
    .map(Source::new)
});

/// What a step reads.
struct Told {
    main: Source,
    updates: Option<Source>,
    summary: Option<Source>,
}

impl Told {
    fn compose(&self, previous: &Verifiable<'_>) -> Result<Composed<'_>, Refusal> {
        let more = More { updates: self.updates.as_ref(), ..More::default() };
        match previous.document().status().unwrap().value {
            Status::Collecting => audit(previous, &self.main, &more, NOW),
            Status::NeedsAnswers => answer(previous, &self.main, Then::Collect, &more, NOW),
            Status::ReviewPending => seal(previous, &self.main, self.summary.as_ref(), &more, NOW),
            Status::Ready | Status::ReadyWithRisks | Status::Blocked => panic!("a step follows a sealed version"),
        }
    }

    fn source(&self, role: Role) -> &Source {
        let source = match role {
            Role::Report | Role::Answers => Some(&self.main),
            Role::Updates => self.updates.as_ref(),
            Role::Summary => self.summary.as_ref(),
            Role::Entries => None,
        };
        source.unwrap_or_else(|| panic!("no {role:?} was given"))
    }
}

/// Takes a step from the version that the first byte chooses, with what it is told: a report or answers, updates, a summary.
pub(super) fn assert_sound(input: &[u8]) -> Aim {
    let Some((&choice, told)) = input.split_first() else { return Aim::Missed };
    let before = &BEFORE[usize::from(choice) % BEFORE.len()];
    let told: Vec<&[u8]> = parts(told).collect();
    let source = |at: usize| told.get(at).map(|bytes| Source::new(*bytes));
    let told = Told { main: source(0).unwrap_or_else(|| Source::new("")), updates: source(1), summary: source(2) };
    let previous = verify(before, Profile::Full).unwrap();
    let composed = told.compose(&previous);
    assert_eq!(format!("{composed:?}"), format!("{:?}", told.compose(&previous)));
    match composed.map(|composed| composed.judge(&previous)) {
        Ok(Ok(next)) => assert_follows(&next, &previous),
        Ok(Err(rejection)) => assert_rejected(&rejection, &told, before),
        Err(Refusal::Unreadable(Unreadable::Bytes(role, found))) => assert_found(&found, told.source(role), None),
        Err(Refusal::Unreadable(Unreadable::Text(role, malformed))) => {
            assert!(verdict::is_within(malformed.span, &told.source(role).printable()), "{malformed:?}");
            #[cfg(feature = "cli")]
            super::rendered::assert_no_credential(&malformed.message, [Some(told.source(role))]);
        }
        Err(refusal @ (Refusal::WrongStep(_) | Refusal::NoLaterTime)) => panic!("{refusal:?}"),
    }
    Aim::Hit
}

/// What a step composed can follow, also between two commits, and is as sound as any document.
fn assert_follows(next: &Source, previous: &Verifiable<'_>) {
    assert!(verdict::assert_sound(next.bytes(), Profile::Full, Baseline::Standalone), "{:?}", next.text());
    for baseline in [Baseline::Update { previous }, Baseline::Commit { previous }] {
        assert!(check(&Source::new(next.bytes()), Profile::Full, baseline).is_valid(), "{:?}", next.text());
    }
    let status = |version: &Verifiable<'_>| version.document().status().unwrap().value;
    let reached = status(&verify(next, Profile::Full).unwrap());
    assert!(status(previous).successors().contains(&reached), "{reached:?}");
}

/// A refusal names a defect, and each at its place.
fn assert_rejected(rejection: &Rejection, told: &Told, before: &Source) {
    let Rejection { text, document, inputs } = rejection;
    let says_something = !document.is_empty() || inputs.values().any(|found| !found.is_empty());
    assert!(says_something, "a refusal that says nothing about {:?}", text.text());
    for (&role, found) in inputs {
        assert_found(found, told.source(role), Some(before));
    }
    assert_found(document, text, Some(before));
}

fn assert_found(found: &Diagnostics, source: &Source, previous: Option<&Source>) {
    verdict::assert_points_into(found, source, previous);
    #[cfg(feature = "cli")]
    super::rendered::assert_shown(source, previous, Profile::Full, &Verdict::Invalid(found.clone()));
}

/// The reports and answers that are recorded in a document, for each version that they may be meant for: in both forms,
/// broken off, and with updates and a summary.
pub(super) fn recorded(text: &str) -> Vec<Vec<u8>> {
    let source = Source::new(text);
    let Ok(version) = verify(&source, Profile::Full) else { return Vec::new() };
    let mut told = Vec::new();
    for record in version.document().records() {
        let said = |field: Field| -> Vec<String> {
            let entries = record.content(field).map(|content| content.entries.as_slice()).unwrap_or_default();
            entries.iter().map(|entry| read(&entry.text)).collect()
        };
        let markdown = |field: &Field| {
            let said: Vec<String> = said(*field).iter().map(|text| text.replace('\n', "\n  ")).collect();
            match &said[..] {
                [word] => format!("## {field}\n{word}\n"),
                said => format!("## {field}\n{}", list(said)),
            }
        };
        let markdown: String = Field::AUDIT.iter().map(markdown).collect();
        let member = |field: &Field| format!("{}: {}", Value::from(field.as_str()), Value::from(said(*field)));
        let json = format!("{{{}}}", Field::AUDIT.iter().map(member).collect::<Vec<_>>().join(",\n"));
        let answers = list(&said(Field::Answers));
        let updates = b"## Known Risks +\n- A risk.\n\n## Pending Work\n- The rest.\n";
        for choice in *b"0123" {
            let first = |text: &str| [&[choice], text.as_bytes()].concat();
            told.extend([first(&markdown), first(&json), first(json.trim_end_matches('}')), first(&answers)]);
            told.push(files([&first(&markdown), updates, b"- Go on.\n- Ask.\n"]));
        }
    }
    told
}

fn list(items: &[String]) -> String {
    items.iter().flat_map(|text| ["- ", text, "\n"]).collect()
}
