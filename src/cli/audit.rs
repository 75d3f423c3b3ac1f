//! `handoff-guard audit`: a report becomes a round.

use super::args::AuditArgs;
use super::exit::Exit;
use super::output::complain;
use super::step::{Paths, Step, evidence, more};
use crate::lifecycle::Role;
use crate::lifecycle::audit::audit;
use crate::render::receipt::Command;

pub(crate) fn run(args: &AuditArgs) -> Exit {
    let evidence = match evidence(&args.more) {
        Ok(evidence) => evidence,
        Err(message) => {
            complain(&message);
            return Exit::Unusable;
        }
    };
    let paths = Paths::new(Role::Report, &args.from).with(Role::Updates, args.more.updates.as_ref());
    let step = Step { command: Command::Audit, file: &args.file, args: &args.step };
    step.take(&paths, |previous, inputs, now| audit(previous, inputs.main(), &more(&args.more, &evidence, inputs), now))
}
