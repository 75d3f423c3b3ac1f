//! `handoff-guard audit`: a report becomes a round.

use super::args::AuditArgs;
use super::exit::Exit;
use super::step::{Paths, Step};
use crate::lifecycle::Role;
use crate::lifecycle::audit::audit;
use crate::render::receipt::Command;

pub(crate) fn run(args: &AuditArgs) -> Exit {
    let step = Step { command: Command::Audit, file: &args.file, args: &args.step };
    let paths = Paths::new(Role::Report, &args.from);
    step.record(paths, &args.more, |previous, inputs, more, now| audit(previous, inputs.main(), more, now))
}
