//! The calls of a transaction on the file system that the tests run on.

use std::ffi::{OsStr, OsString};
use std::fs::{self, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::time::Duration;

use handoff_guard::store::fs::{Access, Directory, Kind, NewAccess, RealDirectory};

/// A directory that holds `a` with these bytes.
#[expect(clippy::disallowed_methods, reason = "a test makes its own files")]
fn with_file(bytes: &[u8]) -> (tempfile::TempDir, RealDirectory) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a"), bytes).unwrap();
    let directory = RealDirectory::open(folder.path()).unwrap();
    (folder, directory)
}

fn name(name: &str) -> &OsStr {
    OsStr::new(name)
}

fn refused<T>(result: io::Result<T>) -> io::ErrorKind {
    result.err().unwrap().kind()
}

#[test]
fn a_new_file_never_replaces_one_and_a_rename_only_where_it_may() {
    let (_folder, directory) = with_file(b"old");
    assert_eq!(refused(directory.create(name("a"), NewAccess::Default)), io::ErrorKind::AlreadyExists);
    let mut file = directory.create(name("b"), NewAccess::Default).unwrap();
    directory.write(&mut file, b"new").unwrap();
    directory.flush(file).unwrap();
    assert_eq!(refused(directory.rename_new(name("b"), name("a"))), io::ErrorKind::AlreadyExists);
    assert_eq!(refused(directory.link(name("b"), name("a"))), io::ErrorKind::AlreadyExists);
    directory.rename_new(name("b"), name("c")).unwrap();
    assert_eq!(directory.stat(name("b")).unwrap(), None);
    directory.link(name("c"), name("d")).unwrap();
    assert_eq!(directory.stat(name("d")).unwrap().unwrap().links, 2);
    directory.rename(name("c"), name("a")).unwrap();
    assert_eq!(directory.read(name("a"), 10).unwrap().bytes, b"new");
    directory.unlink(name("d")).unwrap();
    assert_eq!(directory.list().unwrap(), [OsString::from("a")]);
    directory.flush_existing(name("a")).unwrap();
    directory.flush_directory().unwrap();
    assert_eq!(refused(directory.flush_existing(name("d"))), io::ErrorKind::NotFound);
}

#[test]
fn a_file_is_read_up_to_a_limit_and_nothing_else_is_read() {
    let (folder, directory) = with_file(b"12345");
    fs::create_dir(folder.path().join("folder")).unwrap();
    std::os::unix::fs::symlink("a", folder.path().join("link")).unwrap();
    for (limit, bytes) in [(0, b"".as_slice()), (4, b"1234"), (5, b"12345"), (6, b"12345")] {
        let read = directory.read(name("a"), limit).unwrap();
        assert_eq!((&*read.bytes, read.metadata.identity.size), (bytes, 5));
    }
    assert!(directory.read(name("folder"), 10).is_err() && directory.read(name("link"), 10).is_err());
    let kind = |of: &str| directory.stat(name(of)).unwrap().map(|metadata| metadata.kind);
    let kinds = ["a", "folder", "link", "b"].map(kind);
    assert_eq!(kinds, [Some(Kind::Regular), Some(Kind::Directory), Some(Kind::Symlink), None]);
}

#[test]
fn a_file_that_is_written_again_has_another_identity_and_the_same_number() {
    let (folder, directory) = with_file(b"old");
    let before = directory.stat(name("a")).unwrap().unwrap().identity;
    assert_eq!(directory.stat(name("a")).unwrap().unwrap().identity, before);
    let mut file = fs::OpenOptions::new().write(true).open(folder.path().join("a")).unwrap();
    file.write_all(b"new").unwrap();
    // A whole number of seconds apart, so that only they tell the two times from each other.
    let second = Duration::from_secs(1);
    let modified = file.metadata().unwrap().modified().unwrap();
    file.set_modified(modified - second).unwrap();
    let earlier = directory.stat(name("a")).unwrap().unwrap().identity;
    file.set_modified(modified).unwrap();
    let after = directory.stat(name("a")).unwrap().unwrap().identity;
    assert_eq!(after.changed.0 - earlier.changed.0, 1_000_000_000, "times are in nanoseconds");
    assert!(after.file == before.file && after != before);
}

#[test]
fn a_new_file_has_the_mode_of_the_one_that_it_is_like() {
    let (_folder, directory) = with_file(b"");
    let own = directory.stat(name("a")).unwrap().unwrap().access;
    for mode in [0o600, 0o640, 0o444] {
        let like = Access { mode, ..own };
        drop(directory.create(name("b"), NewAccess::Like(like)).unwrap());
        assert_eq!(directory.stat(name("b")).unwrap().unwrap().access, like);
        directory.unlink(name("b")).unwrap();
    }
}

#[test]
fn a_new_file_belongs_to_the_owner_of_the_one_that_it_is_like() {
    let (folder, directory) = with_file(b"");
    if std::os::unix::fs::chown(folder.path().join("a"), Some(12345), Some(23456)).is_err() {
        return eprintln!("skipped: only root may give a file away");
    }
    let access = directory.stat(name("a")).unwrap().unwrap().access;
    assert_eq!((access.user, access.group), (12345, 23456));
    drop(directory.create(name("b"), NewAccess::Like(access)).unwrap());
    assert_eq!(directory.stat(name("b")).unwrap().unwrap().access, access);
}

#[test]
fn one_writer_holds_the_lock_also_where_its_file_cannot_be_written() {
    let (folder, directory) = with_file(b"");
    for mode in [0o644, 0o444] {
        fs::set_permissions(folder.path().join("a"), Permissions::from_mode(mode)).unwrap();
        let held = directory.lock(name("a"), Duration::ZERO).unwrap();
        assert!(held.is_some() && directory.lock(name("a"), Duration::ZERO).unwrap().is_none());
        drop(held);
        assert!(directory.lock(name("a"), Duration::ZERO).unwrap().is_some());
    }
    assert!(directory.lock(name("new"), Duration::ZERO).unwrap().is_some(), "a lock file is made where there is none");
}
