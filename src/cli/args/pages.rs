//! The arguments of the commands that print pages: `explain`, `schema`, `completions`, `man`.

use clap::ValueEnum;
use clap_complete::Shell;

#[derive(Debug, clap::Args)]
pub(crate) struct ExplainArgs {
    /// The rules to explain
    #[arg(value_name = "RULE")]
    pub(crate) rules: Vec<String>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct SchemaArgs {
    /// Of what
    #[arg(value_enum, default_value_t = SchemaName::Handoff)]
    pub(crate) name: SchemaName,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum SchemaName {
    /// The front matter of a handoff file
    Handoff,
    /// What `check --output-format json` prints
    Report,
    /// What `write`, `recover`, `init`, `export` and `discard` print with `--output-format json`
    Receipt,
}

#[derive(Debug, clap::Args)]
pub(crate) struct CompletionsArgs {
    /// For which shell
    #[arg(value_enum)]
    pub(crate) shell: Shell,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ManArgs {
    /// The command whose page is printed, not the page about all of them
    #[arg(value_name = "COMMAND")]
    pub(crate) command: Option<String>,
}
