//! Every fixture gets the verdict and the findings that are written beside it.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use handoff_guard::check::{Baseline, Verdict, Verifiable, check, verify};
use handoff_guard::diagnostic::{Diagnostics, Place, Severity};
use handoff_guard::protocol::profile::Profile;
use handoff_guard::rules::RULES;
use handoff_guard::source::{LineIndex, Source, Span};
use snapbox::data::DataFormat;
use snapbox::{Data, assert_data_eq};

use crate::support;

fn fixtures(folder: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(folder);
    let files = support::files_below(&root).into_iter().map(|(path, _)| path);
    let documents: Vec<_> = files.filter(|path| path.to_string_lossy().ends_with(".handoff.md")).collect();
    assert!(!documents.is_empty(), "fixtures/{folder} holds no document");
    documents
}

fn verifiable(source: &Source) -> Verifiable<'_> {
    verify(source, Profile::Full).unwrap_or_else(|found| panic!("{}", report(source, &found)))
}

fn read(path: &Path) -> Source {
    Source::new(fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
}

/// One line a finding: place, severity, rule and message; its label, other places and help indented below.
fn report(source: &Source, diagnostics: &Diagnostics) -> String {
    let text = source.printable();
    let index = LineIndex::new(&text);
    let place = |span: Span| {
        let (start, end) = (index.position(span.start()), index.position(span.end()));
        let line = if start.line == end.line { String::new() } else { format!("{}:", end.line) };
        format!("{}:{}-{line}{}", start.line, start.column, end.column)
    };
    let mut report = String::new();
    for found in diagnostics {
        let (severity, rule) = (found.rule.severity.as_str(), found.rule.id);
        writeln!(report, "{} {severity}[{rule}] {}", place(found.span), found.message).unwrap();
        if let Some(label) = &found.label {
            writeln!(report, "    label: {label}").unwrap();
        }
        for other in &found.related {
            match other.place {
                Place::Document => writeln!(report, "    {}: {}", place(other.span), other.text).unwrap(),
                Place::Previous => writeln!(report, "    before: {}", other.text).unwrap(),
            }
        }
        writeln!(report, "    help: {}", found.help.as_deref().unwrap_or_default()).unwrap();
    }
    report
}

/// Holds a report against the file of the same name that ends in `.expected`. `SNAPSHOTS=overwrite` rewrites them all:
/// read every difference before it is committed.
fn assert_expected(document: &Path, report: String) {
    let expectation = document.with_extension("").with_extension("expected");
    assert_data_eq!(report, Data::read_from(&expectation, Some(DataFormat::Text)).raw());
}

#[test]
fn valid_documents_are_accepted() {
    for path in fixtures("valid") {
        let source = read(&path);
        let verdict = check(&source, Profile::Full, Baseline::Standalone);
        assert!(verdict.is_valid(), "{}\n{}", path.display(), report(&source, verdict.diagnostics()));
    }
}

#[test]
fn reference_documents_are_accepted_in_that_profile_only() {
    for path in fixtures("reference") {
        let source = read(&path);
        let reference = check(&source, Profile::Reference, Baseline::Standalone);
        assert!(reference.is_valid(), "{}\n{}", path.display(), report(&source, reference.diagnostics()));
        assert!(!check(&source, Profile::Full, Baseline::Standalone).is_valid(), "{}", path.display());
    }
}

#[test]
fn invalid_documents_report_what_stands_beside_them() {
    for path in fixtures("invalid") {
        let source = read(&path);
        let verdict = check(&source, Profile::Full, Baseline::Standalone);
        let rule = rule_of(&path);
        assert!(!verdict.is_valid(), "{} is accepted", path.display());
        let named = verdict.diagnostics().errors().any(|found| found.rule.id == rule);
        assert!(named, "{} does not report {rule}\n{}", path.display(), report(&source, verdict.diagnostics()));
        assert_expected(&path, report(&source, verdict.diagnostics()));
    }
}

#[test]
fn advice_is_given_and_the_document_accepted() {
    for path in fixtures("advice") {
        let source = read(&path);
        let verdict = check(&source, Profile::Full, Baseline::Standalone);
        let Verdict::Valid(validated) = &verdict else {
            panic!("{}\n{}", path.display(), report(&source, verdict.diagnostics()))
        };
        let rule = rule_of(&path);
        assert!(
            validated.advice().iter().any(|found| found.rule.id == rule),
            "{} does not advise {rule}",
            path.display()
        );
        assert_expected(&path, report(&source, validated.advice()));
    }
}

#[test]
fn every_step_of_a_legal_life_is_accepted() {
    let versions = fixtures("succession/legal");
    for pair in versions.windows(2).filter(|pair| pair[0].parent() == pair[1].parent()) {
        let (earlier, later) = (read(&pair[0]), read(&pair[1]));
        let previous = verify(&earlier, Profile::Full)
            .unwrap_or_else(|found| panic!("{}\n{}", pair[0].display(), report(&earlier, &found)));
        let verdict = check(&later, Profile::Full, Baseline::Update { previous: &previous });
        assert!(verdict.is_valid(), "{}\n{}", pair[1].display(), report(&later, verdict.diagnostics()));
    }
}

#[test]
fn between_commits_a_life_goes_forward_only() {
    let versions: Vec<_> = fixtures("succession/legal").into_iter().map(|path| (read(&path), path)).collect();
    for (at, (earlier, earlier_path)) in versions.iter().enumerate() {
        let life = |path: &Path| path.parent() == earlier_path.parent();
        for (later, later_path) in versions[at + 1..].iter().filter(|(_, path)| life(path)) {
            let (old, new) = (verifiable(earlier), verifiable(later));
            let verdict = check(later, Profile::Full, Baseline::Commit { previous: &old });
            let report = report(later, verdict.diagnostics());
            assert!(verdict.is_valid(), "{} after {}\n{report}", later_path.display(), earlier_path.display());
            let back = check(earlier, Profile::Full, Baseline::Commit { previous: &new });
            let place = |version: &Verifiable<'_>| {
                [version.document().status().unwrap().value as u32, version.document().round().unwrap().value]
            };
            let rewritten = place(&old) == place(&new);
            assert!(rewritten || !back.is_valid(), "{} after {}", earlier_path.display(), later_path.display());
        }
    }
}

#[test]
fn between_commits_every_sequence_of_legal_writes_is_legal() {
    let folders = ["succession/legal", "succession/commits/legal"];
    let sources: Vec<Source> = folders.into_iter().flat_map(fixtures).map(|path| read(&path)).collect();
    let versions: Vec<_> = sources.iter().map(verifiable).collect();
    let follows = |new: usize, baseline| check(&sources[new], Profile::Full, baseline).is_valid();
    let all = 0..sources.len();
    let pairs = all.clone().flat_map(|old| all.clone().map(move |new| (old, new)));
    let mut reached: BTreeSet<_> =
        pairs.clone().filter(|&(old, new)| follows(new, Baseline::Update { previous: &versions[old] })).collect();
    for through in all.clone() {
        let onward: Vec<_> = all.clone().filter(|&new| reached.contains(&(through, new))).collect();
        let into: Vec<_> = all.clone().filter(|&old| reached.contains(&(old, through))).collect();
        reached.extend(into.iter().flat_map(|&old| onward.iter().map(move |&new| (old, new))));
    }
    assert!(reached.len() > 200, "only {} pairs", reached.len());
    for (old, new) in reached {
        assert!(follows(new, Baseline::Commit { previous: &versions[old] }), "{old} → {new}");
    }
}

/// The illegal steps of one write that several writes make legal, and why.
const LEGAL_BETWEEN_COMMITS: &[(&str, &str)] = &[
    ("round/rises-by-two", "round 1 was asked and answered before round 2 was asked"),
    ("round/rises-on-answering", "the answers were written, then the next round"),
    ("round/rises-on-early-stop", "the answers were written, then a round that found nothing to ask"),
    ("same-state/round-added-while-collecting", "the round was asked, then answered"),
    ("status-update/both-kept", "the old reason and evidence may come back with a rewrite in the same state"),
    ("status-update/evidence-kept", "likewise"),
    ("status-update/reason-kept", "likewise"),
    ("transition/collecting-to-blocked", "auditing stopped in between"),
    ("transition/collecting-to-ready", "likewise"),
    ("transition/collecting-to-ready-with-risks", "likewise"),
    ("transition/needs-answers-to-blocked", "likewise"),
    ("transition/needs-answers-to-ready", "likewise"),
    ("transition/needs-answers-to-ready-with-risks", "likewise"),
    ("two-batches/first-round", "the questions were written first"),
    ("two-batches/second-round", "likewise"),
    ("two-batches/third-round", "likewise"),
];

#[test]
fn between_commits_what_no_sequence_of_writes_can_do_stays_illegal() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/succession/illegal");
    let mut legal = Vec::new();
    for path in fixtures("succession/illegal").iter().filter(|path| path.ends_with("candidate.handoff.md")) {
        let previous = path.with_file_name("previous.handoff.md");
        let case = path.parent().unwrap().strip_prefix(&folder).unwrap().to_string_lossy().replace('\\', "/");
        if previous.exists() {
            let (source, earlier) = (read(path), read(&previous));
            let verdict = check(&source, Profile::Full, Baseline::Commit { previous: &verifiable(&earlier) });
            legal.extend(verdict.is_valid().then_some(case));
        }
    }
    let expected: Vec<&str> = LEGAL_BETWEEN_COMMITS.iter().map(|(case, _)| *case).collect();
    assert_eq!(legal, expected);
}

#[test]
fn commits_follow_each_other_as_stands_beside_them() {
    for path in fixtures("succession/commits").iter().filter(|path| path.ends_with("candidate.handoff.md")) {
        let (source, earlier) = (read(path), read(&path.with_file_name("previous.handoff.md")));
        let previous = verifiable(&earlier);
        assert!(check(&source, Profile::Full, Baseline::Standalone).is_valid(), "{}", path.display());
        let verdict = check(&source, Profile::Full, Baseline::Commit { previous: &previous });
        let report = report(&source, verdict.diagnostics());
        let legal = path.iter().any(|part| part == "legal");
        assert_eq!(verdict.is_valid(), legal, "{}\n{report}", path.display());
        if !legal {
            let defect = path.ancestors().nth(2).and_then(Path::file_name).unwrap().to_string_lossy();
            let rule = format!("succession/{defect}");
            assert!(verdict.diagnostics().errors().any(|found| found.rule.id == rule), "{}\n{report}", path.display());
            assert_expected(path, report);
        }
    }
}

#[test]
fn the_first_version_of_a_legal_life_is_an_initial_one() {
    for path in fixtures("succession/legal")
        .iter()
        .filter(|path| path.file_name().unwrap().to_string_lossy().starts_with("01-"))
    {
        let source = read(path);
        assert!(check(&source, Profile::Full, Baseline::Initial).is_valid(), "{}", path.display());
    }
}

#[test]
fn successors_report_what_stands_beside_them() {
    let documents = fixtures("succession/illegal").into_iter().chain(fixtures("succession/advice"));
    for path in documents.filter(|path| path.ends_with("candidate.handoff.md")) {
        let source = read(&path);
        let defect = path.ancestors().nth(2).and_then(Path::file_name).unwrap().to_string_lossy();
        let (rule, initial) = (format!("succession/{defect}"), defect == "initial-state");
        let earlier = if initial { Source::new("") } else { read(&path.with_file_name("previous.handoff.md")) };
        let previous = verify(&earlier, Profile::Full);
        let baseline = match &previous {
            _ if initial => Baseline::Initial,
            Ok(previous) => Baseline::Update { previous },
            Err(found) => panic!("{}\n{}", path.display(), report(&earlier, found)),
        };
        let verdict = check(&source, Profile::Full, baseline);
        let illegal = path.iter().any(|part| part == "illegal");
        assert_eq!(verdict.is_valid(), !illegal, "{}\n{}", path.display(), report(&source, verdict.diagnostics()));
        let named = verdict.diagnostics().iter().any(|found| found.rule.id == rule);
        assert!(named, "{} does not report {rule}\n{}", path.display(), report(&source, verdict.diagnostics()));
        assert_expected(&path, report(&source, verdict.diagnostics()));
    }
}

#[test]
fn the_same_bytes_may_be_written_again_in_every_state() {
    for path in fixtures("valid").into_iter().chain(fixtures("succession/identical")) {
        let source = read(&path);
        let previous = verify(&source, Profile::Full).unwrap();
        assert!(
            check(&source, Profile::Full, Baseline::Update { previous: &previous }).is_valid(),
            "{}",
            path.display()
        );
    }
}

#[test]
fn every_rule_has_a_fixture_that_shows_it() {
    // One document of this size would be most of the repository; a test of the command line makes it.
    let made_by_tests = ["encoding/too-large"];
    for rule in RULES.iter().filter(|rule| !made_by_tests.contains(&rule.id)) {
        let (family, defect) = rule.id.split_once('/').unwrap();
        let folder = match (family, rule.severity) {
            ("succession", Severity::Error) => format!("fixtures/succession/illegal/{defect}"),
            ("succession", Severity::Advice) => format!("fixtures/succession/advice/{defect}"),
            (_, Severity::Error) => format!("fixtures/invalid/{family}/{defect}"),
            (_, Severity::Advice) => format!("fixtures/advice/{family}/{defect}"),
        };
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(&folder);
        assert!(path.is_dir(), "`{}` has no fixture: make {folder}/<case>.handoff.md", rule.id);
    }
}

/// `family/defect`, as the folders of a fixture say it.
fn rule_of(path: &Path) -> String {
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    let defect = path.parent().unwrap();
    format!("{}/{}", name(defect.parent().unwrap()), name(defect))
}
