//! `handoff-guard write`: one version, one transaction.

use super::args::WriteArgs;
use super::exit::Exit;
use super::input::{read_named, reported};
use super::receipt::{Candidate, Teller};
use super::signals;
use super::target::{self, Target};
use crate::render::receipt::{Command, Refusal};
use crate::source::Source;
use crate::store::error::Error;
use crate::store::fs::Directory as _;
use crate::store::replace::{Request, Start, write};

pub(crate) fn run(args: &WriteArgs) -> Exit {
    signals::let_large_writes_fail();
    let teller = Teller::new(Command::Write, &args.file, args.transaction.output.output_format);
    let target = match target::open(&args.file, args.transaction.follow) {
        Ok(target) => target,
        Err(failure) => return teller.refuse(Exit::Unusable, failure),
    };
    let name = reported(&args.from);
    let source = match read_named(&args.from) {
        Ok(source) => source,
        Err(error) => {
            let message = format!("the new version cannot be read: {name}: {error}");
            return teller
                .refuse(Exit::Unusable, Refusal::new(message, "name a file with --from, or use standard input"));
        }
    };
    let request = Request {
        bytes: source.bytes(),
        start: match &args.expect_session {
            Some(session_id) => Start::First { session_id },
            None => Start::Follow,
        },
        expected: args.expect_digest,
        patience: args.transaction.lock_timeout,
        extent: args.transaction.dry_run,
    };
    match write(&target.directory, &target.names, request) {
        Ok(receipt) => teller.wrote(&source, &receipt),
        Err(error) => {
            let previous = previous(&target, &error);
            teller.failed(&error, &Candidate { name: &name, source: &source, previous: previous.as_ref() })
        }
    }
}

/// The official file that a rejected candidate was held against, for its reader.
fn previous(target: &Target, error: &Error) -> Option<Source> {
    let Error::Rejected { .. } = error else { return None };
    let read = target.directory.read(&target.names.official, Source::MAX_BYTES + 1).ok()?;
    Some(Source::new(read.bytes))
}
