//! `handoff-guard seal`: the final review and the summary seal the session.

use super::args::SealArgs;
use super::exit::Exit;
use super::output::complain;
use super::step::{Paths, Step, evidence, more};
use crate::lifecycle::Role;
use crate::lifecycle::seal::seal;
use crate::render::receipt::Command;

pub(crate) fn run(args: &SealArgs) -> Exit {
    let evidence = match evidence(&args.more) {
        Ok(evidence) => evidence,
        Err(message) => {
            complain(&message);
            return Exit::Unusable;
        }
    };
    let paths = Paths::new(Role::Report, &args.from)
        .with(Role::Updates, args.more.updates.as_ref())
        .with(Role::Summary, args.summary.as_ref());
    let step = Step { command: Command::Seal, file: &args.file, args: &args.step };
    step.take(&paths, |previous, inputs, now| {
        seal(previous, inputs.main(), inputs.other(Role::Summary), &more(&args.more, &evidence, inputs), now)
    })
}
