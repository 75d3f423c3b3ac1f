//! `handoff-guard recover`: which version stands, and the way back to it.

use super::args::RecoverArgs;
use super::exit::Exit;
use super::receipt::Teller;
use super::signals;
use super::target;
use crate::protocol::credential::without_credentials;
use crate::protocol::digest::Digest;
use crate::render::receipt::{Asked, Command, Receipt, Refusal};
use crate::store::recover::{Outcome, Recovery, Request, recover};

pub(crate) fn run(args: &RecoverArgs) -> Exit {
    signals::let_large_writes_fail();
    let teller = Teller::new(Command::Recover, &args.file, args.transaction.output.output_format);
    let target = match target::open(&args.file, args.transaction.follow) {
        Ok(target) => target,
        Err(failure) => return teller.refuse(Exit::Unusable, failure),
    };
    let request = Request {
        session_id: args.session_id.as_deref(),
        damage: args.damaged,
        expected: args.expect_digest,
        leftovers: args.prune,
        patience: args.transaction.lock_timeout,
        extent: args.transaction.dry_run,
    };
    let recovery = match recover(&target.directory, &target.names, request) {
        Ok(recovery) => recovery,
        Err(error) => return teller.refuse(Exit::from(&error), &error),
    };
    let asked = Asked { damage: args.damaged };
    let receipt = Receipt::recovered(teller.path(), &target.names, &recovery, asked);
    match verdict(&recovery, args.expect_digest) {
        (exit, None) => teller.tell(&receipt, "", exit),
        (exit, Some(failure)) => teller.tell(&receipt.failing(failure.into()), "", exit),
    }
}

fn verdict(recovery: &Recovery, expected: Option<Digest>) -> (Exit, Option<Refusal>) {
    let session = match &recovery.session {
        Some(session) => format!("session `{}`", without_credentials(&session.id)),
        None => "unknown session".to_owned(),
    };
    let failure = match recovery.outcome {
        Outcome::OtherSession => Refusal::new(
            format!("the name belongs to another session, not to the {session}; nothing was changed"),
            "name the file of your session; if it is lost, begin a new one with a new session id",
        ),
        Outcome::Nothing => Refusal::new(
            format!("there is no verifiable version of the {session}; nothing was changed or deleted"),
            "report what can be seen in the files above, and begin a new session with a new session id; the old one stays \
             damaged",
        ),
        Outcome::Healthy | Outcome::Restored | Outcome::WouldRestore => {
            let lost = expected.filter(|_| recovery.expected_stands == Some(false));
            let failure = lost.map(|expected| {
                let message = format!("the expected version {expected} does not stand");
                Refusal::new(message, "read the version that stands, and base the next one on it")
            });
            return (if failure.is_some() { Exit::Conflict } else { Exit::Success }, failure);
        }
    };
    (Exit::NothingVerifiable, Some(failure))
}
