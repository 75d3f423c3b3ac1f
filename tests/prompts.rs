//! The prompts, word for word, and what holds for them whatever the document is (the source §6–§8).

use std::fs;
use std::path::Path;

use handoff_guard::check::{Baseline, check};
use handoff_guard::deliver::body;
use handoff_guard::deliver::estimate::SAFE;
use handoff_guard::deliver::prompt::{
    Kind, Language, Length, Refused, Subject, auditor, compressed, full, reviewer, startup,
};
use handoff_guard::document::Document;
use handoff_guard::protocol::profile::Profile;
use handoff_guard::protocol::status::Status;
use handoff_guard::protocol::tokens::Size;
use handoff_guard::source::Source;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use snapbox::data::DataFormat;
use snapbox::{Data, assert_data_eq};

use crate::support;

const PATH: &str = "/srv/temp/handoff-importer-4c81.md";
const READY: &str = include_str!("../fixtures/valid/ready.handoff.md");

fn with_document<T>(text: &str, run: impl FnOnce(&Document<'_>) -> T) -> T {
    let source = Source::new(text);
    let verdict = check(&source, Profile::Full, Baseline::Standalone);
    let handoff_guard::check::Verdict::Valid(valid) = &verdict else { panic!("{:#?}", verdict.diagnostics()) };
    run(valid.version().document())
}

fn made(document: &Document<'_>, kind: Kind, language: Language, budget: usize) -> Result<String, Refused> {
    let subject = Subject { document, path: PATH, language };
    match kind {
        Kind::Startup => startup(subject),
        Kind::Full => full(subject, Length::Safe),
        Kind::Compressed => compressed(subject, budget),
        Kind::Auditor => auditor(subject),
        Kind::Reviewer => reviewer(subject),
    }
}

fn compressed_to(text: &str, budget: usize) -> String {
    with_document(text, |document| made(document, Kind::Compressed, Language::English, budget).unwrap())
}

/// `SNAPSHOTS=overwrite` rewrites the files: read every difference before it is committed.
#[test]
fn every_prompt_is_what_stands_beside_the_fixtures() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let cases = [
        ("startup", "ready", Kind::Startup, SAFE),
        ("startup-blocked", "blocked", Kind::Startup, SAFE),
        ("full", "ready", Kind::Full, SAFE),
        ("compressed", "ready", Kind::Compressed, SAFE),
        ("compressed-short", "ready", Kind::Compressed, 520),
        ("auditor", "collecting", Kind::Auditor, SAFE),
        ("reviewer", "review-pending", Kind::Reviewer, SAFE),
        ("reviewer-after-questions", "early-stop", Kind::Reviewer, SAFE),
    ];
    for (name, document, kind, budget) in cases {
        let text = fs::read_to_string(root.join(format!("valid/{document}.handoff.md"))).unwrap();
        for &language in Language::ALL {
            let prompt = with_document(&text, |document| made(document, kind, language, budget).unwrap());
            let expected = root.join(format!("prompts/{name}.{language}.expected"));
            assert_data_eq!(prompt, Data::read_from(&expected, Some(DataFormat::Text)).raw());
        }
    }
}

#[test]
fn a_prompt_is_given_exactly_when_it_makes_sense() {
    let handover: &[Kind] = &[Kind::Startup, Kind::Full, Kind::Compressed];
    for (path, bytes) in support::valid_fixtures() {
        with_document(std::str::from_utf8(&bytes).unwrap(), |document| {
            let possible = match document.status().unwrap().value {
                Status::Collecting => &[Kind::Auditor],
                Status::NeedsAnswers => &[][..],
                Status::ReviewPending => &[Kind::Reviewer],
                Status::Ready | Status::ReadyWithRisks | Status::Blocked => handover,
            };
            for &kind in Kind::ALL {
                let prompt = made(document, kind, Language::English, SAFE);
                assert_eq!(prompt.is_ok(), possible.contains(&kind), "{kind} of {}: {prompt:?}", path.display());
                if let Err(refused) = prompt {
                    let said = refused.help();
                    let names = |kind: &Kind| said.contains(kind.as_str());
                    assert!(possible.iter().all(names) && !said.is_empty(), "{refused}: {said}");
                }
            }
        });
    }
}

/// What an agent returns that follows the form in its prompt to the letter.
fn returned(prompt: &str) -> String {
    let fields = prompt.lines().map(str::trim).filter(|line| line.starts_with("#### "));
    let content = |heading: &str| match heading {
        "#### Status" => "READY_WITH_RISKS",
        "#### Risks" => "- The job may be slow.",
        "#### Evidence" => "- reason: only the speed is open, /srv/work/ledger/src/import/stream.rs:42",
        _ => "none",
    };
    fields.map(|heading| [heading, "\n", content(heading), "\n\n"].concat()).collect()
}

#[test]
fn what_follows_the_form_of_a_prompt_is_accepted() {
    let [collecting, pending] = [
        include_str!("../fixtures/valid/collecting.handoff.md"),
        include_str!("../fixtures/valid/review-pending.handoff.md"),
    ];
    for &language in Language::ALL {
        let prompt = with_document(collecting, |document| made(document, Kind::Auditor, language, SAFE).unwrap());
        let round = format!("### Round 2\n{}\n\n## Evidence\n", returned(&prompt));
        let audited = collecting
            .replace("COLLECTING", "REVIEW_PENDING")
            .replace("interrogation_round: 1", "interrogation_round: 2")
            .replace("last_audit_status: NEEDS_ANSWERS", "last_audit_status: READY_WITH_RISKS")
            .replace("\n## Evidence\n", &format!("\n{round}"));
        with_document(&audited, |document| assert_eq!(document.round().unwrap().value, 2));

        let prompt = with_document(pending, |document| made(document, Kind::Reviewer, language, SAFE).unwrap());
        let review = format!("### Final Review\n{}\n\n## Evidence\n", returned(&prompt));
        let sealed = pending
            .replace("REVIEW_PENDING", "READY_WITH_RISKS")
            .replace("\n## Evidence\n", &format!("\n{review}"))
            .replace("Final Successor Summary\nnone", "Final Successor Summary\n- Write the adapter next.");
        with_document(&sealed, |document| assert!(document.is_sealed()));
    }
}

#[test]
fn a_path_that_could_pass_for_a_line_of_the_prompt_is_refused() {
    for path in ["/tmp/a\nb.md", "/tmp/\u{202e}b.md", "/tmp/\u{fffd}.md", "/tmp/a\u{200b}.md"] {
        let refused = with_document(READY, |document| startup(Subject { document, path, language: Language::English }));
        assert_eq!(refused, Err(Refused::Path), "{path:?}");
    }
}

#[test]
fn a_full_prompt_is_refused_beyond_the_safe_size_and_can_be_forced() {
    let of = |risks: usize| READY.replace("## Known Risks\n", &format!("## Known Risks\n{}", "- 险\n".repeat(risks)));
    let size = |risks| {
        with_document(&of(risks), |document| {
            let subject = Subject { document, path: PATH, language: Language::English };
            let forced = Size::of(&full(subject, Length::Any).unwrap()).tokens();
            (forced, full(subject, Length::Safe).err())
        })
    };
    let (without, _) = size(0);
    // Each of these risks is three ASCII characters and one other.
    let most = (SAFE - without) * 4 / 7;
    let mut sizes = (most - 2..=most + 2).map(size);
    let crossed = sizes.all(|(tokens, refused)| refused == (tokens > SAFE).then_some(Refused::TooLong { tokens }));
    assert!(crossed);
    assert!(size(most - 2).1.is_none() && size(most + 2).1.is_some());
}

#[test]
fn the_delivery_body_is_the_document_without_its_rounds() {
    let is_plain = |path: &Path| !path.to_string_lossy().contains("decoy");
    for (path, bytes) in support::valid_fixtures().into_iter().filter(|(path, _)| is_plain(path)) {
        let text = std::str::from_utf8(&bytes).unwrap();
        let body = with_document(text, body);
        assert!(!body.contains("\n### Round "), "{}", path.display());
        let lines = |text: &str| text.lines().filter(|line| line.trim_start().starts_with("## ")).count();
        let gone = usize::from(!text.contains("### Final Review"));
        assert_eq!(lines(&body) + gone, lines(text), "{}", path.display());
    }
    let ready = with_document(READY, body);
    assert!(ready.contains("## Interrogation\n\n### Final Review\n#### Status\nREADY\n"), "{ready}");
}

/// The sections of a compressed prompt in the order of the nine priorities.
const PRIORITIES: [&str; 15] = [
    "Objective",
    "Acceptance Criteria",
    "Current State",
    "Completed Work",
    "Constraints and User Preferences",
    "Decisions",
    "Pending Work",
    "Recommended Next Actions",
    "Known Risks",
    "Conflicts",
    "Unverified Assumptions",
    "Changed Files",
    "Evidence",
    "Failed Attempts",
    "Interrogation",
];

/// Where entries can be added, and what stands before the place.
const PLACES: [(&str, &str); 10] = [
    ("Acceptance Criteria", "## Acceptance Criteria\n"),
    ("Completed Work", "## Completed Work\n"),
    ("Constraints and User Preferences", "## Constraints and User Preferences\n"),
    ("Pending Work", "## Pending Work\n"),
    ("Recommended Next Actions", "## Recommended Next Actions\n"),
    ("Known Risks", "## Known Risks\n"),
    ("Unverified Assumptions", "## Unverified Assumptions\n"),
    ("Changed Files", "## Changed Files\n"),
    ("Failed Attempts", "## Failed Attempts\n"),
    ("Evidence", "\n## Evidence\n"),
];

fn entry() -> impl Strategy<Value = String> {
    const PARTS: &[&str] =
        &["word ", "任务", "`code` ", "<b>", "\n  - nested ", "\n\n  more ", "\n  ```\n  ## code\n  ```\n  "];
    vec(select(PARTS), 1..12).prop_map(|parts| parts.concat().trim().to_owned())
}

/// A sealed document with more entries, and each of these entries with its section.
fn document() -> impl Strategy<Value = (String, Vec<(&'static str, String)>)> {
    vec((select(&PLACES[..]), entry()), 0..60).prop_map(|added| {
        let mut text = READY.to_owned();
        let mut entries = Vec::new();
        for (number, ((section, before), entry)) in added.into_iter().enumerate() {
            let entry = format!("- <{number}> x {entry} [{number}]\n");
            text = text.replace(before, &format!("{before}{entry}"));
            entries.push((section, entry));
        }
        (text, entries)
    })
}

/// The text below a heading of a prompt.
fn below<'p>(prompt: &'p str, title: &str) -> &'p str {
    let heading = format!("\n## {title}\n");
    let rest = prompt.split_once(&heading).map_or("", |(_, rest)| rest);
    rest.split("\n\n## ").next().unwrap()
}

proptest! {
    #![proptest_config(support::config(200))]

    #[test]
    fn a_compressed_prompt_keeps_whole_entries_in_order_within_its_budget(
        (text, entries) in document(),
        budget in 0_usize..4000,
    ) {
        let least = Size::of(&compressed_to(&text, 0)).tokens();
        let prompt = compressed_to(&text, budget);
        prop_assert!(Size::of(&prompt).tokens() <= budget.max(least), "{prompt}");

        let shown: Vec<&str> = prompt.lines().filter_map(|line| line.strip_prefix("## ")).collect();
        let places: Vec<usize> =
            shown.iter().map(|title| PRIORITIES.iter().position(|known| known == title).unwrap()).collect();
        prop_assert!(places.is_sorted_by(|one, other| one < other), "{shown:?}");
        prop_assert!(shown.contains(&"Objective") && shown.contains(&"Current State"));

        let mut left_out = 0;
        for (number, (section, entry)) in entries.iter().enumerate() {
            let (is_begun, is_ended) = (prompt.contains(&format!("<{number}> x ")), prompt.contains(&format!(" [{number}]\n")));
            prop_assert_eq!(is_begun, is_ended, "entry {} is cut: {}", number, &prompt);
            prop_assert_eq!(is_begun, below(&prompt, section).contains(entry.trim_end()), "{}", &prompt);
            left_out += usize::from(!is_begun);
        }
        let said = prompt.lines().find(|line| line.starts_with("Left out"));
        let counts = said.into_iter().flat_map(|line| line.split('(').skip(1));
        let counted: usize = counts.filter_map(|rest| rest.split(')').next()?.parse::<usize>().ok()).sum();
        prop_assert!(counted >= left_out, "{counted} are said to be left out, {left_out} are");
        prop_assert!(said.is_none_or(|line| line.ends_with(PATH)));
    }
}

#[test]
fn with_room_for_everything_nothing_is_left_out() {
    let whole = compressed_to(READY, usize::MAX);
    let tokens = Size::of(&whole).tokens();
    assert!(!whole.contains("Left out"));
    assert_eq!(compressed_to(READY, tokens), whole);
    assert!(compressed_to(READY, tokens - 1).contains("Left out"));
}

#[test]
fn a_large_entry_of_a_high_priority_does_not_cost_the_smaller_ones_behind_it() {
    let large = format!("## Constraints and User Preferences\n- {}\n", "约".repeat(3000));
    let text = READY.replace("## Constraints and User Preferences\n", &large);
    let prompt = compressed_to(&text, 1500);
    assert!(prompt.contains(
        "Left out because of their length, with the number of entries: Constraints and User Preferences (1). "
    ));
    assert!(prompt.contains("- Memory-mapping the file broke the Windows build.\n"));
}
