//! A successor's report becomes a round (PROTOCOL §8, §9): the record, the counter, the findings merged into their
//! sections, the TL;DR, the front matter and the next state are one version.

use super::draft::Draft;
use super::fragment::{Fragment, Role};
use super::merge::{append, merge};
use super::projection::{Shows, project};
use super::report::{Report, Seventh};
use super::said::{Said, outline};
use super::step::{Composed, More, Refusal, Step, Work, questions, recorded};
use crate::check::Verifiable;
use crate::protocol::audit::Audit;
use crate::protocol::sections::{DetailsSection, Field, TldrSection, round_title};
use crate::protocol::status::Status;
use crate::protocol::words::{GROUNDS, NONE};
use crate::source::Source;

/// The version after an audit of `previous`, a session in COLLECTING: `NEEDS_ANSWERS` when the report asks, else
/// `REVIEW_PENDING`. `now` is an RFC 3339 time.
///
/// # Errors
/// Why nothing could be composed; what is wrong with what was composed is said by [`Composed::judge`].
pub fn audit<'i>(
    previous: &Verifiable<'_>,
    report: &'i Source,
    more: &More<'_, 'i>,
    now: &str,
) -> Result<Composed<'i>, Refusal> {
    let mut work = Work::begin(Step::Audit, previous, now)?;
    work.update(more.updates)?;
    let (report, verdict) = work.report(report, Seventh::Refused, Audit::OF_ROUND)?;
    let verdict = verdict.unwrap_or(Audit::NeedsAnswers);

    work.head.round += 1;
    work.head.last_audit = Some(verdict);
    let title = round_title(work.head.round);
    let mut record = report.record(&title);
    record.push(&format!("\n\n#### {}\n{NONE}", Field::Answers));
    add_record(&mut work, &record);

    let round = work.head.round;
    let asked = questions(report.said(Field::Questions).len());
    let (status, does, waits) = match verdict {
        Audit::NeedsAnswers => (Status::NeedsAnswers, format!("asks {asked}"), format!("{asked} must be answered")),
        _ => (Status::ReviewPending, format!("says {verdict}: auditing stops"), "nothing is asked".to_owned()),
    };
    let says = recorded(&title, Field::Status, format!("the audit of round {round} says {verdict}"));
    let evidence = vec![says, recorded(&title, Field::Questions, waits)];
    work.move_to(status, more, format!("round {round} {does}"), evidence);
    merge_findings(&mut work, &report);
    Ok(work.finish(Draft::finish))
}

/// The version after auditing stops without another round: `previous`, a session in COLLECTING that was audited before, is
/// `REVIEW_PENDING`.
///
/// # Errors
/// Why nothing could be composed; what is wrong with what was composed is said by [`Composed::judge`].
pub fn stop<'i>(previous: &Verifiable<'_>, more: &More<'_, 'i>, now: &str) -> Result<Composed<'i>, Refusal> {
    let mut work = Work::begin(Step::Stop, previous, now)?;
    work.update(more.updates)?;
    let round = work.head.round;
    let title = round_title(round);
    let evidence = vec![
        recorded(&title, Field::Questions, format!("round {round} is the last that asked")),
        recorded(&title, Field::Answers, "all of its questions are answered".to_owned()),
    ];
    let reason = format!("auditing stops after round {round}: the rest is for the successor to verify");
    work.move_to(Status::ReviewPending, more, reason, evidence);
    Ok(work.finish(Draft::finish))
}

/// Puts a record behind the others.
pub(super) fn add_record(work: &mut Work<'_, '_>, record: &Fragment) {
    let first = work.head.round <= 1 && work.head.status == Status::Collecting;
    let interrogation = work.draft.details(DetailsSection::Interrogation);
    if first {
        // Headings are the skeleton of the template.
        let text = interrogation.text.clone();
        let before = text.get(..first_heading(&text)).unwrap_or_default().trim_end();
        *interrogation = Fragment::from(before.to_owned());
        append(interrogation, record);
    } else {
        interrogation.push("\n\n");
        interrogation.append(record);
    }
}

fn first_heading(text: &str) -> usize {
    let outline = outline(text);
    let first = outline.headings(0..outline.blocks.len(), 1..7).next();
    first.and_then(|(index, _)| outline.heading(index)).map_or(text.len(), |(_, span)| span.start())
}

/// Brings what a report found into the sections that a successor reads, and into the TL;DR.
pub(super) fn merge_findings(work: &mut Work<'_, '_>, report: &Report) {
    let evidence: Vec<Said> = report.said(Field::Evidence).iter().filter(|said| is_evidence(said)).cloned().collect();
    let findings = [
        (report.said(Field::Risks), DetailsSection::KnownRisks),
        (report.said(Field::Unknowns), DetailsSection::UnverifiedAssumptions),
        (&evidence, DetailsSection::Evidence),
    ];
    for (said, section) in findings {
        merge(work.draft.details(section), said, Role::Report);
    }
    let risks = report.said(Field::Risks);
    project(&mut work.draft, TldrSection::BlockersAndRisks, DetailsSection::KnownRisks, Shows::Entries, risks);
    project(&mut work.draft, TldrSection::EvidenceAnchors, DetailsSection::Evidence, Shows::Anchored, &evidence);
}

/// A ground that names no place belongs to the review only.
fn is_evidence(said: &Said) -> bool {
    let is_ground = GROUNDS.iter().any(|ground| said.text.starts_with(ground));
    !is_ground || said.has_anchor()
}
