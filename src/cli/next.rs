//! `handoff-guard next`: the state of a session, and what each legal next state still needs.

use anstream::ColorChoice;

use super::args::{NextArgs, ReceiptFormat};
use super::check::as_given;
use super::exit::Exit;
use super::input::read_file;
use super::output::{Output, complain, report_on_stderr, shown};
use crate::check::verify;
use crate::lifecycle::next::next;
use crate::protocol::profile::Profile;
use crate::render::{concise, next as page};

pub(crate) fn run(args: &NextArgs) -> Exit {
    let path = as_given(&args.file);
    let source = match read_file(&args.file) {
        Ok(source) => source,
        Err(error) => {
            complain(&format!("{}: {error}", shown(&args.file)));
            return Exit::Unusable;
        }
    };
    let outlook = match verify(&source, Profile::Full) {
        Ok(version) => next(&version),
        Err(defects) => {
            let lines = concise::lines(&source, defects.errors()).join("\n");
            report_on_stderr(&format!("{lines}\n"));
            complain(&format!("{}: not a verifiable version\nnext: run `recover`, or repair it", shown(&args.file)));
            return Exit::NotVerifiable;
        }
    };
    let Some(outlook) = outlook else {
        complain(&format!("{}: its state cannot be read", shown(&args.file)));
        return Exit::Internal;
    };
    let mut output = Output::new(ColorChoice::Never);
    match args.output.output_format {
        ReceiptFormat::Text => output.write(&page::text(&path, &outlook)),
        ReceiptFormat::Json => match page::json(&path, &outlook) {
            Ok(text) => output.write(&text),
            Err(error) => {
                complain(&format!("the page cannot be made: {error}"));
                return Exit::Internal;
            }
        },
    }
    output.finish()
}
