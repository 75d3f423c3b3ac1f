//! `handoff-guard stop`: auditing stops without another round.

use super::args::StopArgs;
use super::exit::Exit;
use super::step::{Paths, Step};
use crate::lifecycle::audit::stop;
use crate::render::receipt::Command;

pub(crate) fn run(args: &StopArgs) -> Exit {
    let step = Step { command: Command::Stop, file: &args.file, args: &args.step };
    step.record(Paths::default(), &args.more, |previous, _, more, now| stop(previous, more, now))
}
