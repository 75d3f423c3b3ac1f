//! The length of the TL;DR (PROTOCOL §6).

use unicode_segmentation::UnicodeSegmentation;

use crate::diagnostic::{Base, Edit, Example, Rule, Scope, Severity, Sink};
use crate::document::Document;
use crate::protocol::sections::TLDR_LIMIT;
use crate::protocol::tokens::Size;

pub(in crate::rules) static TOO_LONG: Rule = Rule {
    id: "tldr/too-long",
    severity: Severity::Error,
    clause: "§6",
    scope: Scope::Every,
    summary: "the TL;DR has at most 1500 Unicode scalar values, from its `#` to the `#` of the next level-1 heading",
    rationale: "It is read in full before anything else, in a context that may be almost full. Characters are counted, not bytes, UTF-16 units or graphemes; a CRLF is one.",
    example: Example::of(
        Base::Initial,
        &[Edit::Repeat(
            "- Stream invoices into the ledger instead of loading whole files.\n",
            "- Stream invoices into the ledger instead of loading whole files.\n",
            25,
        )],
    )
    .also(&["tldr/over-target"]),
};

pub(in crate::rules) static OVER_TARGET: Rule = Rule {
    id: "tldr/over-target",
    severity: Severity::Advice,
    clause: "§6",
    scope: Scope::Full,
    summary: "the TL;DR should have at most about 200 tokens",
    rationale: "The estimate is ASCII characters / 4 plus every other character.",
    example: Example::of(
        Base::Initial,
        &[Edit::Repeat(
            "- Stream invoices into the ledger instead of loading whole files.\n",
            "- Stream invoices into the ledger instead of loading whole files.\n",
            10,
        )],
    ),
};

/// Estimated tokens of the whole TL;DR.
const TARGET: usize = 200;

pub(in crate::rules) fn check(document: &Document<'_>, sink: &mut Sink) {
    let heading = document.tldr.heading.and_then(|index| document.outline.heading(index));
    let Some((_, heading)) = heading.filter(|_| !document.is_cut_off()) else { return };
    let text = document.at(document.tldr.span);
    let count = text.chars().count() - text.matches("\r\n").count();
    if count > TLDR_LIMIT {
        let graphemes = text.graphemes(true).count();
        let message = format!(
            "the TL;DR has {count} Unicode scalar values ({graphemes} grapheme clusters), more than {TLDR_LIMIT}"
        );
        let found = TOO_LONG.at(heading, message);
        sink.push(found.help(format!("shorten it to {TLDR_LIMIT}; details belong below `# Handoff Details`")));
    }
    let tokens = Size::of(text).tokens();
    if tokens > TARGET {
        let found =
            OVER_TARGET.at(heading, format!("the TL;DR has about {tokens} tokens, more than the recommended {TARGET}"));
        sink.push(found.help("keep what the next step needs"));
    }
}
