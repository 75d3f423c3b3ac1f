//! `handoff-guard seal`: the final review and the summary seal the session.

use super::args::SealArgs;
use super::exit::Exit;
use super::step::{Paths, Step};
use crate::lifecycle::Role;
use crate::lifecycle::seal::seal;
use crate::render::receipt::Command;

pub(crate) fn run(args: &SealArgs) -> Exit {
    let step = Step { command: Command::Seal, file: &args.file, args: &args.step };
    let paths = Paths::new(Role::Report, &args.from).with(Role::Summary, args.summary.as_ref());
    step.record(paths, &args.more, |previous, inputs, more, now| {
        seal(previous, inputs.main(), inputs.other(Role::Summary), more, now)
    })
}
