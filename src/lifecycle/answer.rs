//! The whole batch of answers to the questions of the current round (PROTOCOL §8, §9).

use super::draft::Draft;
use super::fragment::{Fidelity, Fragment, Role};
use super::input::Defects;
use super::list::{self, Listed};
use super::merge::{append, merge};
use super::said::{Form, Said, listed, outline};
use super::step::{Composed, More, Refusal, Step, Work, questions, recorded};
use super::text::read;
use crate::check::Verifiable;
use crate::protocol::audit::MOST_ROUNDS;
use crate::protocol::character::is_punctuation_only;
use crate::protocol::sections::{DetailsSection, Field, round_title};
use crate::protocol::status::Status;
use crate::protocol::words::{Answer, answer as kind_of, behind_unknown};
use crate::rules::form::{ANSWERS_MISSING, UNKNOWN_WITHOUT_CHECK};
use crate::source::{Source, Span};

/// What follows the answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Then {
    /// Another audit, while a round is left.
    Collect,
    /// The final review: the rest is for the successor to verify.
    Stop,
}

/// The version that answers `previous`, a session in `NEEDS_ANSWERS`. After the last round it is `REVIEW_PENDING`
/// whatever `then` says.
///
/// # Errors
/// Why nothing could be composed; what is wrong with what was composed is said by [`Composed::judge`].
pub fn answer<'i>(
    previous: &Verifiable<'_>,
    answers: &'i Source,
    then: Then,
    more: &More<'_, 'i>,
    now: &str,
) -> Result<Composed<'i>, Refusal> {
    let mut work = Work::begin(Step::Answer, previous, now)?;
    work.update(more.updates)?;
    let input = work.open(Role::Answers, answers)?;
    let Listed { items: answers, stray } = list::read(input).map_err(Refusal::Unreadable)?;
    let record = previous.document().current_round();
    let asked: Vec<String> = record
        .and_then(|record| record.content(Field::Questions))
        .map(|asked| asked.entries.iter().map(|question| read(&question.text)).collect())
        .unwrap_or_default();
    if let Some(stray) = stray {
        let found = ANSWERS_MISSING.at(stray, "the answers are not one list");
        work.defects.push(Role::Answers, found.help("write each answer as an item of one list"));
    }
    if answers.is_empty() {
        let found = ANSWERS_MISSING.at(Span::at(0), format!("{} and no answer", questions(asked.len())));
        work.defects.push(Role::Answers, found.help("write one list, the k-th answer for the k-th question"));
    }
    unknown_answers(&answers, &mut work.defects);

    let title = round_title(work.head.round);
    put(work.draft.details(DetailsSection::Interrogation), &title, &listed(&answers, Role::Answers));
    let open: Vec<Said> =
        asked.iter().zip(&answers).filter(|(_, said)| kind_of(&said.text) != Answer::Known).map(archived).collect();
    merge(work.draft.details(DetailsSection::UnverifiedAssumptions), &open, Role::Answers);

    let round = work.head.round;
    let stops = then == Then::Stop || round == MOST_ROUNDS;
    let status = if stops { Status::ReviewPending } else { Status::Collecting };
    let goes_on = match (stops, round == MOST_ROUNDS) {
        (false, _) => "the next audit can start",
        (true, true) => "no round is left",
        (true, false) => "auditing stops, the rest is for the successor to verify",
    };
    let reason = format!("round {round} is answered: {goes_on}");
    let asked = recorded(&title, Field::Questions, format!("round {round} asked {}", questions(asked.len())));
    let claim = format!("all are answered, {} of them as unknown", open.len());
    work.move_to(status, more, reason, vec![asked, recorded(&title, Field::Answers, claim)]);
    Ok(work.finish(Draft::finish))
}

/// An unknown answer says how to find out and what depends on it: two clauses.
fn unknown_answers(answers: &[Said], defects: &mut Defects) {
    let clauses = |said: &Said| behind_unknown(&said.text).map(clauses);
    for said in answers.iter().filter(|said| clauses(said) == Some(1)) {
        let message = "an unknown answer says how to find out, and what depends on it";
        let help = "write two clauses, as in `unknown: ask the owner of the job; until then the table stays`";
        defects.push(Role::Answers, UNKNOWN_WITHOUT_CHECK.at(said.span, message).help(help));
    }
}

/// The parts of a text that say something, between commas, semicolons, full stops, brackets, dashes and line breaks.
fn clauses(text: &str) -> usize {
    let text =
        [". ", " - ", " — ", " – "].iter().fold(text.to_owned(), |text, separator| text.replace(separator, "\n"));
    let clauses = text.split([',', '，', ';', '；', '。', '(', '（', '\n']);
    clauses.filter(|clause| !is_punctuation_only(clause)).count()
}

/// The question and its unknown answer, as an assumption of the successor's.
fn archived((question, said): (&String, &Said)) -> Said {
    let text = format!("{question} — {}", said.text);
    Said { text, form: Form::Item, span: said.span, fidelity: Fidelity::Reworked }
}

/// Makes `answers` the Current Agent Answers of a record.
fn put(interrogation: &mut Fragment, title: &str, answers: &Fragment) {
    let text = interrogation.text.clone();
    let outline = outline(&text);
    let headings: Vec<_> = outline.headings(0..outline.blocks.len(), 3..5).collect();
    let mut inside = headings.iter().skip_while(|(_, heading)| heading.level != 3 || heading.raw != title).skip(1);
    let field = inside.find(|(_, heading)| heading.level == 4 && heading.raw == Field::Answers.as_str());
    let Some(&(index, _)) = field else {
        interrogation.push(&format!("\n\n#### {}\n", Field::Answers));
        interrogation.append(answers);
        return;
    };
    let end = headings.iter().map(|&(index, _)| index).find(|&next| next > index);
    let place = outline.between(index + 1..end.unwrap_or(outline.blocks.len()));
    let mut content = Fragment::from(place.of(&text).trim().to_owned());
    append(&mut content, answers);
    let mut framed = Fragment::from("\n".to_owned());
    framed.append(&content);
    framed.push(if end.is_some() { "\n\n" } else { "" });
    interrogation.replace(place, framed);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_answer_has_two_clauses() {
        for (text, count) in [
            ("unknown: ask the owner; the table stays until then", 2),
            ("Unknown - ask the owner, the retry count depends on it", 2),
            ("未知：请运维确认；影响回滚。", 2),
            ("unknown: ask. The drop waits for it.", 2),
            ("unknown; read src/a.rs:3.", 1),
            ("unknown", 0),
        ] {
            assert_eq!(behind_unknown(text).map(clauses), Some(count), "{text}");
        }
        assert_eq!(behind_unknown("It is known."), None);
    }
}
