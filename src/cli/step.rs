//! What the steps of a session have in common: the version before and the inputs are read, the next version is composed,
//! judged, and written in one transaction that expects the version before.

use std::path::{Path, PathBuf};

use super::args::{MoreArgs, StepArgs};
use super::clock::now;
use super::exit::Exit;
use super::input::{read_named, reported};
use super::output::complain;
use super::paths::is_stdin;
use super::receipt::{Candidate, Teller};
use super::signals;
use super::target::{self, Target};
use crate::check::{Verifiable, verify};
use crate::diagnostic::Diagnostics;
use crate::lifecycle::step::{Composed, More, Refusal as NotComposed, Rejection};
use crate::lifecycle::{Evidence, Role, Unreadable};
use crate::protocol::evidence::{Kind, Verification};
use crate::protocol::profile::Profile;
use crate::render::Named;
use crate::render::receipt::{Command, Refusal};
use crate::source::{LineIndex, Source};
use crate::store::error::Error;
use crate::store::replace::{Request, Start, standing, write};

/// What a step reads beside the official file.
pub(crate) struct Inputs {
    all: Vec<Input>,
    nothing: Source,
}

struct Input {
    role: Role,
    name: String,
    source: Source,
}

impl Inputs {
    /// What the step is about, the first input; of a step without any, an empty text.
    pub(crate) fn main(&self) -> &Source {
        self.all.first().map_or(&self.nothing, |input| &input.source)
    }

    /// Another input, when it was given.
    pub(crate) fn other(&self, role: Role) -> Option<&Source> {
        self.all.iter().find(|input| input.role == role).map(|input| &input.source)
    }

    fn named(&self, role: Role) -> Option<Named<'_>> {
        let input = self.all.iter().find(|input| input.role == role)?;
        Some(Named::new(&input.name, &input.source))
    }

    fn read(paths: &Paths<'_>) -> Result<Self, Refusal> {
        if paths.0.iter().filter(|(_, path)| is_stdin(path)).count() > 1 {
            return Err(Refusal::new("standard input can be read only once", "name files for the other inputs"));
        }
        let read = |&(role, path): &(Role, &Path)| {
            let name = reported(path);
            match read_named(path) {
                Ok(source) => Ok(Input { role, name, source }),
                Err(error) => {
                    let message = format!("an input cannot be read: {name}: {error}");
                    Err(Refusal::new(message, "name a file, or use standard input"))
                }
            }
        };
        Ok(Self { all: paths.0.iter().map(read).collect::<Result<_, _>>()?, nothing: Source::new("") })
    }
}

/// Where the inputs of a step are.
#[derive(Default)]
pub(crate) struct Paths<'p>(Vec<(Role, &'p Path)>);

impl<'p> Paths<'p> {
    pub(crate) fn new(role: Role, main: &'p Path) -> Self {
        Self(vec![(role, main)])
    }

    /// Adds an input, when it was given.
    pub(crate) fn with(mut self, role: Role, path: Option<&'p PathBuf>) -> Self {
        self.0.extend(path.map(|path| (role, path.as_path())));
        self
    }
}

/// A step on a file.
pub(crate) struct Step<'a> {
    pub(crate) command: Command,
    pub(crate) file: &'a Path,
    pub(crate) args: &'a StepArgs,
}

impl Step<'_> {
    /// Takes a step that changes the state, and what `args` want in the same write.
    pub(crate) fn record(
        &self,
        paths: Paths<'_>,
        args: &MoreArgs,
        compose: impl for<'i> FnOnce(&Verifiable<'_>, &'i Inputs, &More<'_, 'i>, &str) -> Result<Composed<'i>, NotComposed>,
    ) -> Exit {
        let evidence = match evidence(args) {
            Ok(evidence) => evidence,
            Err(message) => {
                complain(&message);
                return Exit::Unusable;
            }
        };
        self.take(&paths.with(Role::Updates, args.updates.as_ref()), |previous, inputs, now| {
            let updates = inputs.other(Role::Updates);
            compose(previous, inputs, &More { reason: args.reason.as_deref(), evidence: &evidence, updates }, now)
        })
    }

    /// Takes the step that `compose` makes of the version before, the inputs and the time.
    pub(crate) fn take(
        &self,
        paths: &Paths<'_>,
        compose: impl for<'i> FnOnce(&Verifiable<'_>, &'i Inputs, &str) -> Result<Composed<'i>, NotComposed>,
    ) -> Exit {
        signals::let_large_writes_fail();
        let transaction = &self.args.transaction;
        let teller = Teller::new(self.command, self.file, transaction.output.output_format);
        let opened = target::open(self.file, transaction.follow).and_then(|target| Ok((target, Inputs::read(paths)?)));
        let (target, inputs) = match opened {
            Ok(opened) => opened,
            Err(failure) => return teller.refuse(Exit::Unusable, failure),
        };
        let Some(now) = now() else {
            let failure = Refusal::new("the clock is not between the years 1970 and 9999", "set the clock");
            return teller.refuse(Exit::Unusable, failure);
        };
        let before = match standing(&target.directory, &target.names) {
            Ok(before) => before,
            Err(error) => return teller.refuse(Exit::from(&error), &error),
        };
        let previous = match verify(&before, Profile::Full) {
            Ok(previous) => previous,
            Err(diagnostics) => {
                let error = Error::NotVerifiable { path: target.names.official.clone(), diagnostics };
                return teller.refuse(Exit::from(&error), &error);
            }
        };
        let composed = match compose(&previous, &inputs, &now) {
            Ok(composed) => composed,
            Err(refusal) => return not_composed(&teller, refusal, &inputs),
        };
        match composed.judge(&previous) {
            Ok(source) => self.commit(&teller, &target, &previous, &source),
            Err(rejection) => rejected(&teller, &rejection, &inputs, &before),
        }
    }

    fn commit(&self, teller: &Teller, target: &Target, previous: &Verifiable<'_>, source: &Source) -> Exit {
        let transaction = &self.args.transaction;
        let request = Request {
            bytes: source.bytes(),
            start: Start::Follow,
            expected: Some(self.args.expect_digest.unwrap_or_else(|| previous.digest())),
            patience: transaction.lock_timeout,
            extent: transaction.dry_run,
        };
        match write(&target.directory, &target.names, request) {
            Ok(receipt) => teller.wrote(source, &receipt),
            Err(error) => teller.failed(&error, &Candidate { name: COMPOSED, source, previous: None }),
        }
    }
}

/// The name of the composed version in reports.
const COMPOSED: &str = "<composed version>";

fn rejected(teller: &Teller, rejection: &Rejection, inputs: &Inputs, before: &Source) -> Exit {
    let found: Vec<(Named<'_>, Diagnostics)> = rejection
        .inputs
        .iter()
        .filter_map(|(&role, diagnostics)| Some((inputs.named(role)?, diagnostics.clone())))
        .collect();
    let composed = Candidate { name: COMPOSED, source: &rejection.text, previous: Some(before) };
    let failure = if found.is_empty() {
        Refusal::new(
            "the version that this step makes would break rules; nothing was written",
            "repair the sections with `set`, or in the same write with --updates",
        )
    } else {
        Refusal::new("the input breaks rules; nothing was written", "repair it, and run the same step again")
    };
    teller.reject_inputs(&found, Some((&rejection.document, &composed)), failure)
}

fn not_composed(teller: &Teller, refusal: NotComposed, inputs: &Inputs) -> Exit {
    match refusal {
        NotComposed::WrongStep(wrong) => teller.refuse(Exit::Unusable, Refusal::new(wrong.to_string(), wrong.help())),
        NotComposed::NoLaterTime => {
            let failure = Refusal::new(
                "`updated_at` is so late that no later time can be written",
                "begin a new session with `init`; this one has no future",
            );
            teller.refuse(Exit::Unusable, failure)
        }
        NotComposed::Unreadable(Unreadable::Bytes(role, diagnostics)) => {
            let found: Vec<_> = inputs.named(role).into_iter().map(|named| (named, diagnostics.clone())).collect();
            let failure = Refusal::new("an input is no text; nothing was written", "save it as UTF-8 without BOM");
            teller.reject_inputs(&found, None, failure)
        }
        NotComposed::Unreadable(Unreadable::Text(role, malformed)) => {
            let place = inputs.named(role).map(|named| {
                let text = named.source.printable();
                let at = LineIndex::new(&text).position(malformed.span.start());
                format!("{}:{}:{}", named.path, at.line, at.column)
            });
            let message = format!("{}: {}", place.unwrap_or_default(), malformed.message);
            teller.reject_inputs(&[], None, Refusal::new(message, "repair it, and run the same step again"))
        }
    }
}

/// The elements of `--status-evidence`.
///
/// # Errors
/// Which word is none of the protocol's.
fn evidence(args: &MoreArgs) -> Result<Vec<Evidence>, String> {
    let mut read = Vec::new();
    for element in args.status_evidence.chunks_exact(4) {
        let [kind, reference, claim, verification] = element else { continue };
        let wrong =
            |word: &str, words: Vec<&str>| format!("--status-evidence: `{word}` is none of {}", words.join(", "));
        read.push(Evidence {
            kind: Kind::parse(kind).ok_or_else(|| wrong(kind, Kind::words().collect()))?,
            reference: Some(reference.clone()).filter(|reference| reference != "-"),
            claim: claim.clone(),
            verification: Verification::parse(verification)
                .ok_or_else(|| wrong(verification, Verification::words().collect()))?,
        });
    }
    Ok(read)
}
