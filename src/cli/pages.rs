//! `handoff-guard completions` and `handoff-guard man`: what a packager installs beside the program.

use std::io;

use anstream::ColorChoice;
use clap_complete::generate;
use clap_mangen::Man;

use super::args::{CompletionsArgs, ManArgs, definition};
use super::exit::Exit;
use super::output::{Output, complain};
use crate::protocol::nearest::nearest;

pub(crate) fn completions(args: &CompletionsArgs) -> Exit {
    let mut definition = definition();
    let name = definition.get_name().to_owned();
    let mut script = Vec::new();
    generate(args.shell, &mut definition, name, &mut script);
    print(&script)
}

pub(crate) fn man(args: &ManArgs) -> Exit {
    let mut definition = definition();
    // Only so do the commands know that they are commands of this program.
    definition.build();
    let version = definition.render_version();
    let asked = match &args.command {
        Some(name) => definition.find_subcommand(name).ok_or(name),
        None => Ok(&definition),
    };
    match asked.map(|command| page(command, version.trim_end())) {
        Ok(Ok(page)) => print(&page),
        Ok(Err(error)) => {
            complain(&format!("the page cannot be made: {error}"));
            Exit::Internal
        }
        Err(name) => {
            let commands = definition.get_subcommands().map(clap::Command::get_name);
            let meant = nearest(name, commands).map(|meant| format!("; did you mean `{meant}`?"));
            complain(&format!("there is no command `{name}`{}", meant.unwrap_or_default()));
            Exit::Unusable
        }
    }
}

fn page(command: &clap::Command, version: &str) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    Man::new(command.clone()).source(version).render(&mut page)?;
    Ok(page)
}

fn print(page: &[u8]) -> Exit {
    let mut output = Output::new(ColorChoice::Never);
    output.write(&String::from_utf8_lossy(page));
    output.finish()
}
