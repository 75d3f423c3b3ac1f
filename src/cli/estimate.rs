//! `handoff-guard estimate`: how long a document is for its successor, and how to hand it over.

use super::args::{EstimateArgs, ReceiptFormat};
use super::document::with_valid;
use super::exit::Exit;
use super::output::print;
use crate::deliver::body;
use crate::deliver::estimate::Estimate;
use crate::render::estimate::Report;

pub(crate) fn run(args: &EstimateArgs) -> Exit {
    with_valid(&args.file, |document| {
        let Some(status) = document.status() else { return Exit::Internal };
        let estimate = Estimate::new(&body(document), args.limit);
        let report = Report::new(&args.file.to_string_lossy(), status.value, &estimate, args.limit);
        match args.output.output_format {
            ReceiptFormat::Text => print(Ok(report.text())),
            ReceiptFormat::Json => print(report.json()),
        }
    })
}
