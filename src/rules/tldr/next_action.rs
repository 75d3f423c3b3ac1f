//! `none` in Next Action (PROTOCOL §6).

use crate::diagnostic::{Base, Edit, Example, Rule, Scope, Severity, Sink};
use crate::document::Document;
use crate::protocol::sections::TldrSection;
use crate::protocol::words;

pub(in crate::rules) static NEXT_ACTION: Rule = Rule {
    id: "tldr/next-action",
    severity: Severity::Error,
    clause: "§6",
    scope: Scope::Full,
    summary: "Next Action is `none` only in a terminal state, as the only item `none: <reason>`",
    rationale: "While a session is in progress there always is a next action, at least the next audit.",
    example: Example::of(
        Base::Initial,
        &[
            Edit::Replace(
                "## Next Action\n- Write the adapter between reader and writer.",
                "## Next Action\n- none: the work is done",
            ),
            Edit::Replace("## Pending Work\n- Connect the reader to the ledger writer.", "## Pending Work\n- none"),
        ],
    ),
};

pub(in crate::rules) fn check(document: &Document<'_>, sink: &mut Sink) {
    let Some(content) = document.tldr.content(TldrSection::NextAction) else { return };
    let alone = content.items().count() == 1;
    for item in content.items().filter(|item| words::is_none_item(&item.text)) {
        let (message, help) = if document.status().is_some_and(|status| !status.value.is_terminal()) {
            (
                "`none` in Next Action of a session in progress",
                "write an action that can be carried out, at least the next step of the session",
            )
        } else if words::none_reason(&item.text).is_none() {
            ("`none` in Next Action without a reason", "write `none: <reason>`, in lower case and with a colon")
        } else if !alone {
            ("`none` in Next Action beside other items", "remove `none`, or the other items")
        } else {
            continue;
        };
        sink.push(NEXT_ACTION.at(item.span, message).help(help));
    }
}
