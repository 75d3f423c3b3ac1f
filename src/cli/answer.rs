//! `handoff-guard answer`: the answers to the questions of the current round.

use super::args::AnswerArgs;
use super::exit::Exit;
use super::step::{Paths, Step};
use crate::lifecycle::Role;
use crate::lifecycle::answer::answer;
use crate::render::receipt::Command;

pub(crate) fn run(args: &AnswerArgs) -> Exit {
    let step = Step { command: Command::Answer, file: &args.file, args: &args.step };
    let paths = Paths::new(Role::Answers, &args.from);
    step.record(paths, &args.more, |previous, inputs, more, now| answer(previous, inputs.main(), args.stop, more, now))
}
