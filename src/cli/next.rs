//! `handoff-guard next`: the state of a session, and what each legal next state still needs.

use super::args::{NextArgs, ReceiptFormat};
use super::exit::Exit;
use super::input::{as_given, read_file};
use super::output::{complain, print, report_on_stderr, shown};
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
    match args.output.output_format {
        ReceiptFormat::Text => print(Ok(page::text(&path, &outlook))),
        ReceiptFormat::Json => print(page::json(&path, &outlook)),
    }
}
