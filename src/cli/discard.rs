//! `handoff-guard discard`: a session that was taken over goes, with everything beside it.

use super::args::{DiscardArgs, Links};
use super::exit::Exit;
use super::receipt::Teller;
use super::signals;
use super::target;
use crate::render::receipt::{Command, Receipt, Refusal};
use crate::store::discard::{Request, discard};

pub(crate) fn run(args: &DiscardArgs) -> Exit {
    signals::let_large_writes_fail();
    let teller = Teller::new(Command::Discard, &args.file, args.output.output_format);
    let target = match target::open(&args.file, Links::Refuse) {
        Ok(target) => target,
        Err(failure) => return teller.refuse(Exit::Unusable, failure),
    };
    let request = Request { force: args.force, patience: args.lock_timeout, extent: args.yes };
    match discard(&target.directory, &target.names, request) {
        Ok(discarded) => teller.tell(&Receipt::discarded(teller.path(), &discarded, args.yes), "", Exit::Success),
        Err(error) => teller.refuse(Exit::from(&error), Refusal::new(error.to_string(), error.help())),
    }
}
