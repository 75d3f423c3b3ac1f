//! `handoff-guard schema`: the published JSON Schemas.

use anstream::ColorChoice;

use super::args::{SchemaArgs, SchemaName};
use super::exit::Exit;
use super::output::Output;

const HANDOFF: &str = include_str!("../../schema/task-handoff.v2.schema.json");
const REPORT: &str = include_str!("../../schema/report.v1.schema.json");
const RECEIPT: &str = include_str!("../../schema/receipt.v1.schema.json");

pub(crate) fn run(args: &SchemaArgs) -> Exit {
    let mut output = Output::new(ColorChoice::Never);
    output.write(match args.name {
        SchemaName::Handoff => HANDOFF,
        SchemaName::Report => REPORT,
        SchemaName::Receipt => RECEIPT,
    });
    output.finish()
}
