//! The file that a report goes to holds all of it or what it held before, whatever fails and whenever the machine stops.

use std::ffi::OsStr;
use std::io;
use std::sync::LazyLock;

use handoff_guard::store::Names;
use handoff_guard::store::error::{Error, Outcome};
use handoff_guard::store::fs::{Kind, RealDirectory};
use handoff_guard::store::report::write;

use crate::simulation::crash::{Model, crash_states};
use crate::simulation::disk::Disk;
use crate::simulation::fault::{Effect, Extent, Fault, Operation, Plan};
use crate::simulation::{Flavour, SimDirectory};

const REPORT: &[u8] = b"{\"version\":1}\n";
const OLD: &[u8] = b"the report of the last run";

static NAMES: LazyLock<Names> = LazyLock::new(|| Names::new(OsStr::new("report.json")).unwrap());

fn starts() -> [Disk; 2] {
    [Disk::default(), Disk::default().with(&NAMES.official, Kind::Regular, OLD)]
}

fn on(disk: &Disk, plan: Plan) -> SimDirectory {
    SimDirectory::new(disk.clone(), Flavour::Modern, plan)
}

fn held(disk: &Disk) -> Option<&[u8]> {
    disk.content(&NAMES.official).map(|content| &**content)
}

#[test]
fn a_crash_at_any_call_leaves_what_was_there_or_the_whole_report() {
    for start in starts() {
        let directory = on(&start, Plan::Healthy);
        write(&directory, &NAMES, REPORT).unwrap();
        let history = directory.history();
        for (point, disk) in history.iter().enumerate() {
            let states = |model| crash_states(disk, model, &NAMES).into_iter().map(move |state| (model, state));
            for (model, state) in Model::ALL.into_iter().flat_map(states) {
                let is_done = point + 1 == history.len();
                let is_lost = held(&state).is_none() && !model.renames_atomically();
                let is_whole = held(&state) == Some(REPORT);
                assert!(is_whole || (!is_done && (held(&state) == held(&start) || is_lost)), "{model:?} at {point}");
            }
        }
    }
}

#[test]
fn what_an_error_says_agrees_with_the_disk() {
    for start in starts() {
        let healthy = on(&start, Plan::Healthy);
        write(&healthy, &NAMES, REPORT).unwrap();
        for (at, call) in healthy.calls().into_iter().enumerate() {
            for effect in [Effect::None, Effect::Happened] {
                let fault = Fault { at, kind: io::ErrorKind::StorageFull, effect, extent: Extent::Once };
                let directory = on(&start, Plan::Error(fault));
                let result = write(&directory, &NAMES, REPORT);
                let (end, context) = (directory.disk(), format!("{call:?} {effect:?}: {result:?}"));
                match &result {
                    Ok(()) => assert_eq!(held(&end), Some(REPORT), "{context}"),
                    Err(error) if error.outcome() == Outcome::Indeterminate => {
                        let had_no_effect = call.operation == Operation::Rename && effect == Effect::None;
                        assert!(!had_no_effect, "nothing is in doubt: {context}");
                        assert!(held(&end) == held(&start) || held(&end) == Some(REPORT), "{context}");
                    }
                    Err(_) => assert_eq!(end.contents(), start.contents(), "{context}"),
                }
            }
        }
    }
}

#[test]
fn only_a_regular_file_is_replaced() {
    for kind in [Kind::Directory, Kind::Special, Kind::Symlink] {
        let start = Disk::default().with(&NAMES.official, kind, b"");
        let directory = on(&start, Plan::Healthy);
        assert!(matches!(write(&directory, &NAMES, REPORT), Err(Error::Unsuitable { .. })), "{kind:?}");
        assert_eq!(directory.disk().contents(), start.contents());
    }
}

#[test]
fn a_report_may_be_longer_than_a_document() {
    let folder = tempfile::tempdir().unwrap();
    let report = vec![b' '; 5 * 1024 * 1024];
    write(&RealDirectory::open(folder.path()).unwrap(), &NAMES, &report).unwrap();
    assert_eq!(std::fs::read(folder.path().join(&NAMES.official)).unwrap().len(), report.len());
}
