//! Defects of a version that follows another (PROTOCOL §10). Each page is a legal next version of its predecessor.

use handoff_guard::check::Baseline;
use handoff_guard::document::rounds::RecordTitle;
use handoff_guard::protocol::audit::{Audit, MOST_ROUNDS};
use handoff_guard::protocol::keys::Key;
use handoff_guard::protocol::sections::{DetailsSection, Field};
use handoff_guard::protocol::status::Status;

use super::page::Page;
use super::{Mutants, Operator};

pub(super) const OPERATORS: &[Operator] =
    &[identity, times, transitions, rounds, updates, batches, history, answers, rewrites, sealed];

/// What `page` is held against: one write after its predecessor.
fn next(page: &'static Page) -> (&'static Page, Baseline<'static>) {
    let previous = page.previous.as_ref().unwrap();
    (previous, Baseline::Update { previous: &previous.version })
}

fn identity(page: &'static Page, mutants: &mut Mutants) {
    let (_, against) = next(page);
    let id = page.front_matter().string(Key::SessionId).unwrap().value;
    let last = id.chars().last().unwrap();
    let others = [
        format!("{id} "),
        format!("{id}\\u200b"),
        id.to_uppercase(),
        id.replace('-', "‐"),
        id.replace('e', "е"),
        id.replace('i', "\u{456}"),
        id.trim_end_matches(last).to_owned(),
        format!("{id}{last}"),
        format!("e\u{301}{id}"),
        "another".to_owned(),
    ];
    for other in page.some(&others).filter(|other| *other != id) {
        let text = page.set(page.entry(Key::SessionId), &format!("\"{other}\""));
        mutants.push_against("succession/session-id", text, against);
    }
    let created = page.front_matter().string(Key::CreatedAt).unwrap().value;
    let others = [
        created.replace('T', "t"),
        created.replace("+08:00", ".0+08:00"),
        created.replace("09:00:00+08:00", "01:00:00Z"),
        created.replace("2026", "2025"),
        "2000-01-01T00:00:00Z".to_owned(),
    ];
    for other in page.some(&others).filter(|other| *other != created) {
        let text = page.set(page.entry(Key::CreatedAt), &format!("\"{other}\""));
        mutants.push_against("succession/created-at", text, against);
    }
}

fn times(page: &'static Page, mutants: &mut Mutants) {
    let (previous, against) = next(page);
    let before = previous.front_matter().string(Key::UpdatedAt).unwrap().value;
    let earlier =
        ["2000-01-01T00:00:00Z".to_owned(), before.replace("+08:00", "+08:01"), before.replace("+08:00", "+23:59")];
    let same = [before.to_owned(), before.replace("+08:00", ".000+08:00"), before.replace('T', "t")];
    let moved = page.status() != previous.status();
    for time in earlier.iter().filter(|earlier| **earlier != before).chain(same.iter().filter(|_| moved)) {
        let text = page.set(page.entry(Key::UpdatedAt), &format!("\"{time}\""));
        mutants.push_against("succession/updated-at", text, against);
    }
}

fn transitions(page: &'static Page, mutants: &mut Mutants) {
    let (previous, against) = next(page);
    for status in Status::ALL {
        if *status != previous.status() && !previous.status().can_become(*status) {
            let text = page.set(page.entry(Key::HandoffStatus), status.as_str());
            mutants.push_against("succession/transition", text, against);
        }
    }
}

fn rounds(page: &'static Page, mutants: &mut Mutants) {
    let (previous, against) = next(page);
    let before = previous.round();
    let edge = (previous.status(), page.status());
    let asks = edge == (Status::Collecting, Status::NeedsAnswers);
    let may_rise = asks || edge == (Status::Collecting, Status::ReviewPending);
    let must_rise = asks || (may_rise && before == 0);
    for round in 0..=MOST_ROUNDS {
        let legal = (round == before && !must_rise) || (round == before + 1 && may_rise);
        if !legal {
            let text = page.set(page.entry(Key::InterrogationRound), &round.to_string());
            mutants.push_against("succession/round", text, against);
        }
    }
}

fn updates(page: &'static Page, mutants: &mut Mutants) {
    let (previous, against) = next(page);
    if page.status() == previous.status() {
        return;
    }
    let kept = |key: Key| (page.value(page.entry(key)), previous.value(previous.entry(key)).of(previous.text));
    let [reason, evidence] = [kept(Key::StatusReason), kept(Key::StatusEvidence)];
    for edits in [&[reason][..], &[evidence], &[reason, evidence]] {
        mutants.push_against("succession/status-update", page.with(edits), against);
    }
    let rule = "succession/status-update";
    let quoted = reason.1.trim_matches(['"', '\'']).replace('\'', "''");
    mutants.push_against(rule, page.set(page.entry(Key::StatusReason), &format!("'{quoted}'")), against);
    let commented = evidence.1.replacen('\n', " # kept\n", 1);
    mutants.push_against(rule, page.with(&[(evidence.0, commented)]), against);
}

fn batches(page: &'static Page, mutants: &mut Mutants) {
    let (previous, against) = next(page);
    if previous.status() != Status::Collecting || page.round() == previous.round() {
        return;
    }
    let records = page.records();
    let (record, place) = records.iter().find(|(record, _)| record.title == RecordTitle::Round(page.round())).unwrap();
    let verdict = Page::field(record, *place, Field::Status).unwrap().edit(Audit::NeedsAnswers.as_str());
    let state = page.value_edit(page.entry(Key::HandoffStatus), Status::ReviewPending.as_str());
    mutants.push_against("succession/two-batches", page.with(&[verdict, state]), against);
}

/// Spellings of other words than `text`, which a recorded field may not become.
fn rewritten(text: &str) -> Vec<String> {
    let text = text.trim();
    vec![
        format!("{text} really"),
        format!("{text}\n- and more"),
        format!("- {text}"),
        format!(" {text}"),
        format!("<!-- recorded -->\n{text}"),
        format!("{text}\n\n<!-- recorded -->"),
        text.to_uppercase() + ".",
        format!("{text}\u{200b}"),
        text.replacen(' ', "  ", 1) + "\u{a0}x",
        String::new(),
        "unverified".to_owned(),
    ]
}

fn history(page: &'static Page, mutants: &mut Mutants) {
    let (previous, against) = next(page);
    let rule = "succession/history";
    for (record, place) in page.records() {
        if !matches!(record.title, RecordTitle::Round(number) if number <= previous.round()) {
            continue;
        }
        mutants.push_against(rule, page.without(place.whole()), against);
        mutants.push_against(rule, page.with(&[(place.heading, "### Round 9")]), against);
        for (field, region) in Page::fields(record, place).into_iter().filter(|(field, _)| *field != Field::Answers) {
            for text in page.some(&rewritten(region.body.of(page.text))) {
                mutants.push_against(rule, page.put(region, text), against);
            }
            mutants.push_against(rule, page.without(region.whole()), against);
            mutants.push_against(rule, page.with(&[(region.heading, format!("#### {field}s"))]), against);
        }
    }
}

fn answers(page: &'static Page, mutants: &mut Mutants) {
    let (previous, against) = next(page);
    let rule = "succession/history";
    let before = previous.records();
    for (record, place) in page.records() {
        let recorded = before.iter().find(|(before, _)| before.title == record.title);
        let Some((before, _)) = recorded.filter(|(before, _)| before.title != RecordTitle::FinalReview) else {
            continue;
        };
        let region = Page::field(record, place, Field::Answers).unwrap();
        let leaves = previous.status() == Status::NeedsAnswers
            && page.status() != Status::NeedsAnswers
            && record.title == RecordTitle::Round(previous.round());
        if before.has_answers() {
            for text in page.some(&rewritten(region.body.of(page.text))) {
                mutants.push_against(rule, page.put(region, text), against);
            }
            mutants.push_against(rule, page.without(region.whole()), against);
            mutants.push_against(rule, page.put(region, "none"), against);
        } else if !leaves {
            for text in page.some(&["- An answer.", "An answer.", "unverified", "None", "1. none\n2. none"]) {
                mutants.push_against(rule, page.put(region, text), against);
            }
        }
    }
}

/// Writes that keep the state and change what only a change of state may.
fn rewrites(page: &'static Page, mutants: &mut Mutants) {
    if page.status().is_terminal() {
        return;
    }
    let (rule, against) = ("succession/same-state", Baseline::Update { previous: &page.version });
    for round in (0..=MOST_ROUNDS).filter(|round| *round != page.round()) {
        mutants.push_against(rule, page.set(page.entry(Key::InterrogationRound), &round.to_string()), against);
    }
    let said = page.front_matter().last_audit().unwrap().value;
    for audit in Audit::ALL.iter().filter(|audit| Some(**audit) != said) {
        mutants.push_against(rule, page.set(page.entry(Key::LastAuditStatus), audit.as_str()), against);
    }
    if said.is_some() {
        mutants.push_against(rule, page.set(page.entry(Key::LastAuditStatus), "null"), against);
    }
    for (record, place) in page.records() {
        if let Some(region) = Page::field(record, place, Field::Answers).filter(|_| !record.has_answers()) {
            for against in [against, Baseline::Commit { previous: &page.version }] {
                mutants.push_against("succession/history", page.put(region, "- An answer."), against);
            }
        }
        mutants.push_against(rule, page.without(place.whole()), against);
        for (_, region) in Page::fields(record, place) {
            for text in page.some(&["- Something else.", "Something else.", "1. a\n2. b"]) {
                mutants.push_against(rule, page.put(region, text), against);
            }
        }
    }
}

fn sealed(page: &'static Page, mutants: &mut Mutants) {
    if !page.status().is_terminal() {
        return;
    }
    let (rule, against) = ("succession/sealed", Baseline::Update { previous: &page.version });
    mutants.push_against(rule, format!("{}\n", page.text), against);
    mutants.push_against(rule, page.text.replace('\n', "\r\n"), against);
    mutants.push_against(rule, page.text.trim_end(), against);
    mutants.push_against(rule, page.set(page.entry(Key::StatusReason), "\"reopened\""), against);
    mutants.push_against(rule, page.set(page.entry(Key::UpdatedAt), "\"2027-01-01T00:00:00Z\""), against);
    mutants.push_against(rule, page.set(page.entry(Key::SessionId), "\"another\""), against);
    for status in Status::ALL.iter().filter(|status| **status != page.status()) {
        mutants.push_against(rule, page.set(page.entry(Key::HandoffStatus), status.as_str()), against);
    }
    for (_, region) in page.details().into_iter().filter(|(section, _)| *section != DetailsSection::Interrogation) {
        mutants.push_against(rule, page.put(region, "- Something else, src/a.rs:1."), against);
    }
    let previous = page.previous.as_ref().unwrap();
    mutants.push_against(rule, previous.text, against);
}
