//! `handoff-guard set`: new entries for one section.

use super::args::SetArgs;
use super::exit::Exit;
use super::output::complain;
use super::step::{Paths, Step};
use crate::lifecycle::Role;
use crate::lifecycle::set::{named, set};
use crate::protocol::character::visible;
use crate::render::receipt::Command;

pub(crate) fn run(args: &SetArgs) -> Exit {
    let Some(section) = named(&args.section) else {
        complain(&format!(
            "`{}` is no section that can be set: say its title, and `tldr/Objective` or `details/Objective`",
            visible(&args.section)
        ));
        return Exit::Unusable;
    };
    let paths = Paths::new(Role::Entries, &args.from);
    let step = Step { command: Command::Set, file: &args.file, args: &args.step };
    step.take(&paths, |previous, inputs, now| set(previous, section, args.append, inputs.main(), now))
}
