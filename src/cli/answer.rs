//! `handoff-guard answer`: the answers to the questions of the current round.

use super::args::AnswerArgs;
use super::exit::Exit;
use super::output::complain;
use super::step::{Paths, Step, evidence, more};
use crate::lifecycle::Role;
use crate::lifecycle::answer::answer;
use crate::render::receipt::Command;

pub(crate) fn run(args: &AnswerArgs) -> Exit {
    let evidence = match evidence(&args.more) {
        Ok(evidence) => evidence,
        Err(message) => {
            complain(&message);
            return Exit::Unusable;
        }
    };
    let paths = Paths::new(Role::Answers, &args.from).with(Role::Updates, args.more.updates.as_ref());
    let step = Step { command: Command::Answer, file: &args.file, args: &args.step };
    step.take(&paths, |previous, inputs, now| {
        answer(previous, inputs.main(), args.stop, &more(&args.more, &evidence, inputs), now)
    })
}
