//! An export is a complete copy or none, after a crash at any call and whatever call reports an error.

use std::ffi::OsStr;
use std::io;
use std::sync::LazyLock;

use handoff_guard::protocol::digest::Digest;
use handoff_guard::store::Names;
use handoff_guard::store::error::{self, Outcome};
use handoff_guard::store::export::{Error, Existing, Exported, export};
use handoff_guard::store::fs::Kind;
use handoff_guard::store::replace::Success;

use crate::simulation::crash::{Model, crash_states};
use crate::simulation::disk::{Disk, Inode};
use crate::simulation::fault::{self, Effect, Fault, Operation, Plan};
use crate::simulation::{Flavour, SimDirectory};

const READY: &str = include_str!("../fixtures/valid/ready.handoff.md");
const DOCUMENT: &str = "a.handoff.md";
const OLD: &str = "what stood there before";

static COPY: LazyLock<Names> = LazyLock::new(|| Names::new(OsStr::new("copy.md")).unwrap());

/// A document, and perhaps a file at the destination.
fn disk(document: &str, destination: Option<&str>) -> Disk {
    let disk = Disk::default().with(OsStr::new(DOCUMENT), Kind::Regular, document.as_bytes());
    destination.into_iter().fold(disk, |disk, held| disk.with(&COPY.official, Kind::Regular, held.as_bytes()))
}

fn run(directory: &SimDirectory, existing: Existing) -> Result<Exported, Error> {
    export((directory, OsStr::new(DOCUMENT)), (directory, &COPY), existing)
}

fn on(disk: &Disk, plan: Plan) -> SimDirectory {
    SimDirectory::new(disk.clone(), Flavour::Modern, plan)
}

fn copy(disk: &Disk) -> Option<&[u8]> {
    disk.content(&COPY.official).map(|content| &**content)
}

/// The three exports that write: a fresh copy, one over another file, one over the same bytes.
fn exports() -> [(Disk, Existing); 3] {
    [
        (disk(READY, None), Existing::Keep),
        (disk(READY, Some(OLD)), Existing::Replace),
        (disk(READY, Some(READY)), Existing::Keep),
    ]
}

#[test]
fn a_crash_at_any_call_leaves_what_was_there_or_the_whole_copy() {
    for (start, existing) in exports() {
        let directory = on(&start, Plan::Healthy);
        let exported = run(&directory, existing).unwrap();
        assert_eq!(exported.receipt.after, Digest::of(READY.as_bytes()));
        let history = directory.history();
        for (point, disk) in history.iter().enumerate() {
            let states = |model| crash_states(disk, model, &COPY).into_iter().map(move |state| (model, state));
            for (model, state) in Model::ALL.into_iter().flat_map(states) {
                let (held, is_done) = (copy(&state), point + 1 == history.len());
                let is_whole = held == Some(READY.as_bytes());
                let is_lost = held.is_none() && !model.renames_atomically();
                assert!(is_whole || (!is_done && (held == copy(&start) || is_lost)), "{model:?} at {point}");
                assert_eq!(&**state.content(OsStr::new(DOCUMENT)).unwrap(), READY.as_bytes());
            }
        }
    }
}

#[test]
fn what_an_error_says_agrees_with_the_disk() {
    for (start, existing) in exports() {
        let healthy = on(&start, Plan::Healthy);
        run(&healthy, existing).unwrap();
        for (at, call) in healthy.calls().into_iter().enumerate() {
            let (full, taken) = (io::ErrorKind::StorageFull, io::ErrorKind::AlreadyExists);
            for (kind, effect) in [(full, Effect::None), (full, Effect::Happened), (taken, Effect::None)] {
                let directory = on(&start, Plan::Error(Fault { at, kind, effect, extent: fault::Extent::Once }));
                let result = run(&directory, existing);
                let end = directory.disk();
                let context = format!("{call:?} {effect:?}: {result:?}");
                match &result {
                    Ok(_) => assert_eq!(copy(&end), Some(READY.as_bytes()), "{context}"),
                    Err(Error::Transaction(error)) if error.outcome() == Outcome::Indeterminate => {
                        assert!(copy(&end) == copy(&start) || copy(&end) == Some(READY.as_bytes()), "{context}");
                    }
                    Err(_) => assert_eq!(end.contents(), start.contents(), "{context}"),
                }
            }
        }
    }
}

#[test]
fn only_another_sealed_and_valid_document_is_copied_and_nothing_is_overwritten_unasked() {
    let pending = include_str!("../fixtures/valid/review-pending.handoff.md");
    let refused = |start: &Disk| {
        let directory = on(start, Plan::Healthy);
        let error = run(&directory, Existing::Keep).unwrap_err();
        assert_eq!(directory.disk().contents(), start.contents(), "{error}");
        error
    };
    assert!(matches!(refused(&disk(pending, None)), Error::Unsealed { status: Some(_) }));
    assert_eq!(refused(&disk(pending, None)).help(), "seal the session first");
    assert!(refused(&disk(READY, Some(OLD))).help().contains("--overwrite"));
    assert!(matches!(refused(&disk("---\n", None)), Error::Invalid { .. }));
    assert!(matches!(refused(&disk(READY, Some(OLD))), Error::Exists { .. }));
    assert!(matches!(refused(&Disk::default()), Error::Unreadable { .. }));
    let special = Disk::with(disk(READY, None), &COPY.official, Kind::Symlink, b"");
    assert!(matches!(refused(&special), Error::NotRegular { .. }));
    let directory = on(&disk(READY, None), Plan::Healthy);
    let names = Names::new(OsStr::new(DOCUMENT)).unwrap();
    let itself = export((&directory, OsStr::new(DOCUMENT)), (&directory, &names), Existing::Replace);
    assert!(matches!(itself, Err(Error::Itself)));
}

#[test]
fn what_another_program_puts_there_meanwhile_is_kept() {
    for held in [None, Some("older")] {
        let directory = on(&disk(READY, held), Plan::Healthy).meddled(Operation::Create, |disk| {
            let number = disk.create(Inode::durable(Kind::Regular, OLD.as_bytes().into()));
            disk.bind(vec![(COPY.official.clone(), Some(number))]);
        });
        let result = run(&directory, Existing::Replace);
        let told = match held {
            None => matches!(result, Err(Error::Exists { .. })),
            Some(_) => matches!(result, Err(Error::Transaction(error::Error::Changed { .. }))),
        };
        assert!(told, "{result:?}");
        assert_eq!(directory.disk().contents(), disk(READY, Some(OLD)).contents());
    }
}

#[test]
fn the_same_bytes_again_are_no_conflict() {
    let directory = on(&disk(READY, Some(READY)), Plan::Healthy);
    let receipt = run(&directory, Existing::Keep).unwrap().receipt;
    assert_eq!((receipt.outcome, receipt.before, receipt.from), (Success::Unchanged, Some(receipt.after), receipt.to));
}
