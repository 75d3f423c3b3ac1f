//! `handoff-guard estimate`: how long a document is for its successor, and how to hand it over.

use anstream::ColorChoice;

use super::args::{EstimateArgs, ReceiptFormat};
use super::document::with_valid;
use super::exit::Exit;
use super::output::{Output, complain};
use crate::deliver::body;
use crate::deliver::estimate::Estimate;
use crate::render::estimate::Report;

pub(crate) fn run(args: &EstimateArgs) -> Exit {
    with_valid(&args.file, |document| {
        let Some(status) = document.status() else { return Exit::Internal };
        let estimate = Estimate::new(&body(document), args.limit);
        let report = Report::new(&args.file.to_string_lossy(), status.value, &estimate, args.limit);
        let mut output = Output::new(ColorChoice::Never);
        match args.output.output_format {
            ReceiptFormat::Text => output.write(&report.text()),
            ReceiptFormat::Json => match report.json() {
                Ok(text) => output.write(&text),
                Err(error) => {
                    complain(&format!("the report cannot be made: {error}"));
                    return Exit::Internal;
                }
            },
        }
        output.finish()
    })
}
