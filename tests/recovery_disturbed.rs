//! Recovery while something else happens: another program is at work, a name is taken, a file cannot be read.

use std::ffi::OsStr;
use std::io;
use std::time::Duration;

use handoff_guard::store::error::Error;
use handoff_guard::store::fs::Kind;
use handoff_guard::store::recover::{Damage, Leftovers, Outcome, Recovery, Request, recover};
use handoff_guard::store::replace::Extent;

use crate::simulation::disk::{Disk, Inode};
use crate::simulation::fault::{self, Effect, Fault, Operation, Plan};
use crate::simulation::stage::{Age, NAMES, disk};
use crate::simulation::{Flavour, SimDirectory};

const TORN: &[u8] = b"---\nschema_version";

fn run(directory: &SimDirectory) -> Result<Recovery, Error> {
    let request = Request {
        session_id: None,
        damage: Damage::NotReported,
        expected: None,
        leftovers: Leftovers::Keep,
        patience: Duration::ZERO,
        extent: Extent::Commit,
    };
    recover(directory, &NAMES, request)
}

/// The directory on which the first such call on `name` fails.
fn failing(start: &Disk, operation: Operation, name: &OsStr) -> SimDirectory {
    let healthy = SimDirectory::new(start.clone(), Flavour::Modern, Plan::Healthy);
    let _ = run(&healthy);
    let at = healthy.calls().iter().position(|call| call.operation == operation && call.name == name).unwrap();
    let fault = Fault { at, kind: io::ErrorKind::PermissionDenied, effect: Effect::None, extent: fault::Extent::Once };
    SimDirectory::new(start.clone(), Flavour::Modern, Plan::Error(fault))
}

#[test]
fn what_was_set_aside_stays_when_another_program_replaces_the_damaged_file() {
    let start = disk(Some(TORN), Some(&Age::Old.bytes()));
    let directory = failing(&start, Operation::Rename, &NAMES.official).meddled(Operation::Rename, |disk| {
        let number = disk.create(Inode::durable(Kind::Regular, b"another program's".as_slice().into()));
        disk.bind(vec![(NAMES.official.clone(), Some(number))]);
    });
    let error = run(&directory).unwrap_err();
    let held = directory.disk();
    assert!(held.contents().values().any(|content| *content == TORN), "the damaged file is lost: {error}");
}

#[test]
fn a_taken_name_is_not_the_one_that_the_damaged_file_is_set_aside_under() {
    let start = disk(Some(TORN), Some(&Age::Old.bytes()));
    let first = run(&SimDirectory::new(start.clone(), Flavour::Modern, Plan::Healthy)).unwrap().set_aside.unwrap();
    let taken = start.clone().with(&first, Kind::Regular, b"of an earlier recovery");
    let directory = SimDirectory::new(taken, Flavour::Modern, Plan::Healthy);
    let second = run(&directory).unwrap().set_aside.unwrap();
    let held = directory.disk();
    assert_eq!(held.content(&first).map(|content| &**content), Some(b"of an earlier recovery".as_slice()));
    assert_eq!(held.number(&second), start.number(&NAMES.official), "it is the file itself");
}

#[test]
fn a_backup_that_cannot_be_read_matters_only_where_nothing_else_is_there() {
    let healthy = disk(Some(&Age::Old.bytes()), Some(&Age::Previous.bytes()));
    assert_eq!(run(&failing(&healthy, Operation::Read, &NAMES.backup)).unwrap().outcome, Outcome::Healthy);
    let lost = disk(None, Some(&Age::Old.bytes()));
    let error = run(&failing(&lost, Operation::Read, &NAMES.backup)).unwrap_err();
    assert!(matches!(&error, Error::Failed { path, .. } if *path == NAMES.backup), "{error}");
}
