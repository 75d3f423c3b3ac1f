//! The final review and the successor summary seal the session (PROTOCOL §8, §9).

use super::audit::{add_record, merge_findings};
use super::draft::Draft;
use super::fragment::{Fragment, Role};
use super::list;
use super::merge::append;
use super::projection::{LIST, Shows, project};
use super::report::{Report, SUMMARY, Seventh};
use super::said::{Said, entries, listed};
use super::step::{Composed, More, Refusal, Step, Work, recorded};
use super::text::{item, shortened};
use crate::check::Verifiable;
use crate::protocol::audit::Audit;
use crate::protocol::sections::{DetailsSection, FINAL_REVIEW, Field, TLDR_LIMIT, TldrSection};
use crate::protocol::status::Status;
use crate::rules::form::SUMMARY_MISSING;
use crate::source::{Source, Span};

/// The version that seals `previous`, a session in `REVIEW_PENDING`, in the state of the review's verdict. Without a
/// `summary` of its own the review ends with it, as a seventh field `Final Successor Summary`.
///
/// # Errors
/// Why nothing could be composed; what is wrong with what was composed is said by [`Composed::judge`].
pub fn seal<'i>(
    previous: &Verifiable<'_>,
    review: &'i Source,
    summary: Option<&'i Source>,
    more: &More<'_, 'i>,
    now: &str,
) -> Result<Composed<'i>, Refusal> {
    let mut work = Work::begin(Step::Seal, previous, now)?;
    work.update(more.updates)?;
    let seventh = if summary.is_some() { Seventh::Refused } else { Seventh::Summary };
    let (review, verdict) = work.report(review, seventh, Audit::OF_REVIEW)?;
    let points = if let Some(summary) = summary {
        let input = work.open(Role::Summary, summary)?;
        let points = list::read(input).map_err(Refusal::Unreadable)?.items;
        if !points.iter().any(Said::is_real) {
            let span = points.first().map_or(Span::at(0), |point| point.span);
            let found = SUMMARY_MISSING.at(span, "the summary says nothing");
            work.defects.push(Role::Summary, found.help("write at most 10 points for the successor"));
        }
        listed(&points, Role::Summary)
    } else {
        if review.summary().is_empty() && work.defects.0.is_empty() {
            let message = format!("there is no summary: the review does not end with `{SUMMARY}`");
            let help = format!("give it as an input of its own, or as the seventh field `{SUMMARY}`");
            work.defects.push(Role::Report, SUMMARY_MISSING.at(Span::at(0), message).help(help));
        }
        listed(review.summary(), Role::Report)
    };
    let verdict = verdict.unwrap_or(Audit::ReadyWithRisks);
    let status = verdict.terminal_status().unwrap_or(Status::ReadyWithRisks);

    work.head.last_audit = Some(verdict);
    add_record(&mut work, &review.record(FINAL_REVIEW));
    let says = recorded(FINAL_REVIEW, Field::Status, format!("the final review says {verdict}"));
    let evidence = vec![says, recorded(FINAL_REVIEW, Field::Evidence, "the review names its grounds".to_owned())];
    work.move_to(status, more, format!("the final review says {verdict}"), evidence);
    merge_findings(&mut work, &review);
    if status != Status::Ready {
        say_what_is_open(&mut work, &review);
    }
    let section = work.draft.details(DetailsSection::FinalSuccessorSummary);
    if entries(&section.text).iter().any(Said::is_real) {
        *section = points;
    } else {
        append(section, &points);
    }
    Ok(work.finish(Draft::finish))
}

/// A session that is not READY says in its TL;DR what is open, if only there is something.
fn say_what_is_open(work: &mut Work<'_, '_>, review: &Report) {
    let risks = TldrSection::BlockersAndRisks;
    project(&mut work.draft, risks, DetailsSection::UnverifiedAssumptions, Shows::Entries, &[]);
    let nothing = !entries(&work.draft.tldr(risks).text).iter().any(Said::is_real);
    let conflict = review.said(Field::Conflicts).iter().find(|said: &&Said| said.is_real());
    if let (true, Some(conflict)) = (nothing, conflict) {
        let room = TLDR_LIMIT.saturating_sub(work.draft.tldr_size()).clamp(1, LIST);
        let line = shortened(&conflict.text, room, item);
        append(work.draft.tldr(risks), &Fragment::from(format!("- {line}")));
    }
}
