//! Structure becomes findings: every rule of PROTOCOL §1–§11, one file a subject.
//!
//! A rule is data ([`Rule`]) and a check that reads the document and pushes findings. It never prints, reads files or
//! asks the clock. What a check needs and cannot find, it skips: the reason is reported where it belongs.

mod details;
mod encoding;
mod fence;
mod outline;
mod portability;
mod rounds;
mod schema;
pub(crate) mod security;
mod state;
pub(crate) mod succession;
mod tldr;
mod undecidable;
mod yaml;

use crate::diagnostic::{Diagnostics, Rule, Sink};
use crate::document::Document;
use crate::protocol::credential::Redacted;
use crate::protocol::profile::Profile;
use crate::source::Source;
use succession::Expectation;
pub use undecidable::{UNDECIDABLE, Undecidable};

/// The rules about the form of an input that is no document.
#[cfg(feature = "lifecycle")]
pub(crate) mod form {
    pub(crate) use super::details::sections::DUPLICATE_SECTION as DUPLICATE_DETAILS_SECTION;
    pub(crate) use super::outline::top::TOP_LEVEL;
    pub(crate) use super::rounds::answers::{ANSWERS_MISSING, UNKNOWN_WITHOUT_CHECK};
    pub(crate) use super::rounds::count::UNKNOWN_HEADING;
    pub(crate) use super::rounds::fields::FIELD_MISSING;
    pub(crate) use super::rounds::questions::QUESTIONS_LIST;
    pub(crate) use super::state::review::SUMMARY_MISSING;
    pub(crate) use super::tldr::sections::{
        DUPLICATE_SECTION as DUPLICATE_TLDR_SECTION, EMPTY_SECTION as EMPTY_TLDR_SECTION, UNKNOWN_SECTION,
    };
}

/// Every rule, sorted by id.
pub static RULES: &[&Rule] = &[
    &details::decisions::DECISION_EVIDENCE,
    &details::decisions::DECISIONS_TABLE,
    &details::entries::DUPLICATE_ENTRY,
    &details::sections::DUPLICATE_SECTION,
    &details::sections::EMPTY_SECTION,
    &details::sections::MISSING_SECTION,
    &details::sections::SECTION_ORDER,
    &details::entries::SUMMARY_LENGTH,
    &details::conflict::TLDR_CONFLICT,
    &details::sections::UNKNOWN_SECTION,
    &encoding::characters::BARE_CR,
    &encoding::bytes::BOM,
    &encoding::characters::CONTROL_CHARACTER,
    &encoding::characters::HIDDEN_CHARACTER,
    &encoding::bytes::INVALID_UTF8,
    &encoding::bytes::TOO_LARGE,
    &schema::evidence::MISSING_REF,
    &schema::evidence::SOLE_UNVERIFIED,
    &schema::evidence::UNVERIFIED_KIND,
    &fence::MISSING,
    &fence::UNCLOSED,
    &outline::top::FIRST_HEADING,
    &outline::form::HEADING_MARKUP,
    &outline::form::SETEXT_HEADING,
    &outline::top::TOP_LEVEL,
    &outline::form::UNCLOSED_CODE_FENCE,
    &portability::BLOCK_SCALAR,
    &portability::BODY_MARKER,
    &portability::FLOW_COLLECTION,
    &portability::SINGLE_QUOTES,
    &portability::SOLE_EVIDENCE,
    &portability::TRAILING_COMMENT,
    &portability::YAML11_VALUE,
    &rounds::answers::ANSWERS_EARLY,
    &rounds::answers::ANSWERS_MISSING,
    &rounds::answers::ANSWERS_UNEXPECTED,
    &rounds::count::COUNT,
    &rounds::evidence::EVIDENCE,
    &rounds::fields::FIELD_EMPTY,
    &rounds::fields::FIELD_MISSING,
    &rounds::fields::FIELD_ORDER,
    &state::review::FINAL_REVIEW_EARLY,
    &state::review::FINAL_REVIEW_MISSING,
    &rounds::evidence::NOT_MERGED,
    &rounds::questions::QUESTIONS_LIST,
    &rounds::questions::QUESTIONS_MISSING,
    &rounds::questions::QUESTIONS_UNEXPECTED,
    &rounds::evidence::REVIEW_EVIDENCE,
    &rounds::verdict::RISKS_MISSING,
    &rounds::verdict::STATUS,
    &rounds::questions::TOO_MANY_QUESTIONS,
    &rounds::count::UNKNOWN_HEADING,
    &rounds::answers::UNKNOWN_WITHOUT_CHECK,
    &schema::values::BASE_COMMIT,
    &schema::values::EMPTY,
    &schema::values::ENUM,
    &schema::keys::MISSING_KEY,
    &schema::types::ROUND_RANGE,
    &schema::time::TIMESTAMP,
    &schema::time::TIMESTAMP_ORDER,
    &schema::types::TYPE,
    &schema::keys::UNKNOWN_KEY,
    &schema::types::VERSION,
    &security::EXAMPLE_CREDENTIAL,
    &security::SECRET,
    &state::audit::LAST_AUDIT,
    &state::audit::NEEDS_ROUND,
    &state::audit::NOT_ASKING,
    &state::archive::RISKS_NOT_ARCHIVED,
    &state::audit::ROUNDS_EXHAUSTED,
    &state::audit::STOP_REACHED,
    &state::archive::STOP_UNJUSTIFIED,
    &state::review::SUMMARY_MISSING,
    &state::review::TERMINAL_MISMATCH,
    &state::archive::UNKNOWN_NOT_ARCHIVED,
    &state::review::VERDICT_CHANGE,
    &succession::session::CREATED_AT,
    &succession::history::HISTORY,
    &succession::session::INITIAL_STATE,
    &succession::session::REPOSITORY,
    &succession::transition::ROUND,
    &succession::transition::SAME_STATE,
    &succession::SEALED,
    &succession::session::SESSION_ID,
    &succession::transition::STATUS_UPDATE,
    &succession::transition::TRANSITION,
    &succession::transition::TWO_BATCHES,
    &succession::time::UPDATED_AT,
    &tldr::items::ANCHOR,
    &tldr::sections::DUPLICATE_SECTION,
    &tldr::sections::EMPTY_SECTION,
    &tldr::sections::MISSING_SECTION,
    &tldr::state_lines::MODIFIED_LINE,
    &tldr::next_action::NEXT_ACTION,
    &tldr::nothing::NONE_NOT_ALONE,
    &tldr::nothing::NONE_SPELLING,
    &tldr::state_lines::NONE_WITHOUT_REASON,
    &tldr::length::OVER_TARGET,
    &tldr::items::PLACEHOLDER,
    &tldr::items::RISKS_REQUIRED,
    &tldr::sections::SECTION_ORDER,
    &tldr::status::STATUS_LINE,
    &tldr::status::STATUS_MISMATCH,
    &tldr::length::TOO_LONG,
    &tldr::sections::UNKNOWN_SECTION,
    &tldr::state_lines::VERIFIED_ANCHOR,
    &tldr::state_lines::VERIFIED_LINE,
    &yaml::banned::ALIAS,
    &yaml::banned::ANCHOR,
    &yaml::banned::DIRECTIVE,
    &yaml::banned::DOCUMENT_MARKER,
    &yaml::keys::DUPLICATE_KEY,
    &yaml::banned::HIDDEN_ESCAPE,
    &yaml::banned::LIMITS,
    &yaml::keys::MERGE_KEY,
    &yaml::integer::NON_CANONICAL_INTEGER,
    &yaml::keys::NON_STRING_KEY,
    &yaml::syntax::SYNTAX,
    &yaml::banned::TAG,
];

/// The checks of a parsed document, in the order of the protocol. The sink keeps what the profile applies.
const PASSES: &[fn(&Document<'_>, &mut Sink)] = &[
    yaml::banned::check,
    yaml::syntax::check,
    yaml::keys::check,
    yaml::integer::check,
    schema::keys::check,
    schema::types::check,
    schema::values::check,
    schema::time::check,
    schema::evidence::check,
    outline::form::check,
    outline::top::check,
    tldr::sections::check,
    tldr::status::check,
    tldr::state_lines::check,
    tldr::next_action::check,
    tldr::nothing::check,
    tldr::items::check,
    tldr::length::check,
    details::sections::check,
    details::decisions::check,
    details::entries::check,
    details::conflict::check,
    rounds::count::check,
    rounds::fields::check,
    rounds::verdict::check,
    rounds::questions::check,
    rounds::answers::check,
    rounds::evidence::check,
    state::audit::check,
    state::archive::check,
    state::review::check,
    security::check,
    portability::check,
];

/// The text of an input that is no document, held to the rules about bytes.
#[cfg(feature = "lifecycle")]
pub(crate) fn decoded<'s>(source: &'s Source, sink: &mut Sink) -> Option<&'s str> {
    let text = encoding::bytes::check(source, sink)?;
    encoding::characters::check(text, sink);
    Some(text)
}

/// Parses `source` as far as it goes and holds it to the rules of `profile`.
pub(crate) fn run<'s>(
    source: &'s Source,
    profile: Profile,
    expectation: Expectation<'_>,
) -> (Option<Document<'s>>, Diagnostics) {
    let mut sink = Sink::new(profile.scope());
    let Some(text) = encoding::bytes::check(source, &mut sink) else {
        let printable = source.printable();
        let redacted = Redacted::new(&printable);
        security::report(&redacted, &mut sink);
        return (None, sink.finish(redacted.hidden()));
    };
    let redacted = Redacted::new(text);
    encoding::characters::check(text, &mut sink);
    let Some(fence) = fence::check(text, &redacted, &mut sink) else {
        security::report(&redacted, &mut sink);
        return (None, sink.finish(redacted.hidden()));
    };
    let document = Document::parse(text, redacted, fence, profile);
    for pass in PASSES {
        pass(&document, &mut sink);
    }
    succession::check(&document, expectation, &mut sink);
    let hidden = document.redacted.hidden();
    (Some(document), sink.finish(hidden))
}
