//! `handoff-guard explain`: what a rule wants and why.

use anstream::ColorChoice;

use super::args::ExplainArgs;
use super::exit::Exit;
use super::output::{Output, complain};
use crate::diagnostic::Rule;
use crate::protocol::nearest::nearest;
use crate::render::explain::{list, page};
use crate::rules::RULES;

pub(crate) fn run(args: &ExplainArgs) -> Exit {
    let mut output = Output::new(ColorChoice::Never);
    if args.rules.is_empty() {
        output.write(&list());
        return output.finish();
    }
    let mut pages = Vec::new();
    let mut exit = Exit::Success;
    for id in &args.rules {
        // The first part of an id stands for every rule that begins with it.
        let asked = RULES.iter().filter(|rule| rule.id == id || rule.family() == id);
        let before = pages.len();
        pages.extend(asked.map(|rule| page(rule)));
        if pages.len() == before {
            complain(&why_unknown(id));
            exit = Exit::Unusable;
        }
    }
    output.write(&pages.join("\n"));
    output.finish().max(exit)
}

fn why_unknown(id: &str) -> String {
    let meant = nearest(id, RULES.iter().map(|rule| rule.id)).or_else(|| named(id).map(|rule| rule.id));
    match meant {
        Some(rule) => format!("there is no rule `{id}`; did you mean `{rule}`?"),
        None => format!("there is no rule `{id}`; `handoff-guard explain` lists all"),
    }
}

/// The rule whose id ends with `name`, when the family was left out.
fn named(name: &str) -> Option<&'static Rule> {
    RULES.iter().copied().find(|rule| rule.id.split('/').nth(1) == Some(name))
}
