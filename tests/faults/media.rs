//! File systems that refuse: full, read-only, a file that is a mount point, limits of the process. Mounts are made in a
//! mount namespace of their own, which needs root.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

use super::scene::{Scenario, Scene};
use super::works;
use crate::sandbox::GUARD;

fn mounts_work() -> bool {
    works("unshare", &["-m", "mount", "-t", "tmpfs", "none", "/mnt"])
}

/// Runs the command of a scene in a namespace where `mount`, a script, was run in the scene's folder first.
fn mounted(scenario: &Scenario, scene: &Scene, mount: &str) -> Output {
    let script = format!("set -e; {mount}; set +e; cd \"$PWD\"; \"$GUARD\" {}", scenario.args);
    let mut unshare = Command::new("unshare");
    unshare.args(["-m", "sh", "-c", &script]).current_dir(scene.path()).env("GUARD", GUARD);
    unshare.output().unwrap()
}

/// Runs the command of a scenario in a file system of `pages` pages, and copies what is there then back to the scene.
fn within(scenario: &Scenario, pages: u32) -> (Scene, Output) {
    let (scene, disk) = (scenario.build(), TempDir::new().unwrap());
    let script = format!(
        "set -e; scene=$PWD; mount -t tmpfs -o size={} none \"$DISK\"; \
         for file in h.md h.md.bak; do if test -e $file; then mv $file \"$DISK\"; fi; done; \
         set +e; cd \"$DISK\"; \"$GUARD\" {}; code=$?; cp -a . \"$scene\"; exit $code",
        pages * 4096,
        scenario.args.replace("next.md", "\"$scene\"/next.md")
    );
    let mut unshare = Command::new("unshare");
    unshare.args(["-m", "sh", "-c", &script]).current_dir(scene.path()).env("GUARD", GUARD).env("DISK", disk.path());
    let output = unshare.output().unwrap();
    (scene, output)
}

fn refused(scene: &Scene, output: &Output, step: &str, help: &str) {
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(5), "{message}");
    assert!(message.contains(step) && message.contains(help), "{message}");
    assert!(scene.is_old(), "{message}");
    assert_eq!(scene.leftovers(), [""; 0], "{message}");
    scene.holds(step);
}

#[test]
fn a_full_disk_refuses_the_candidate_or_the_backup_and_keeps_both_versions() {
    if !mounts_work() {
        return;
    }
    for (scenario, pages) in [(Scenario::update(), 1), (Scenario::update_with_backup(), 2)] {
        let help = "next: make room and write again";
        let (scene, output) = within(&scenario, pages);
        refused(&scene, &output, "could not write the candidate", help);
        scene.goes_on("full disk");
        let (scene, output) = within(&scenario, pages + 1);
        refused(&scene, &output, "could not write the new backup", help);
        scene.goes_on("full disk");
        let (scene, output) = within(&scenario, pages + 2);
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(scene.is_new());
    }
}

#[test]
fn a_read_only_mount_can_be_checked_and_not_written() {
    if !mounts_work() {
        return;
    }
    let mount = "mount --bind . .; mount -o remount,ro,bind \"$PWD\"";
    let scenario = Scenario::update_with_backup();
    let scene = scenario.build();
    let output = mounted(&scenario, &scene, mount);
    refused(&scene, &output, "could not take the lock", "the directory must be writable");
    let check = scenario.with_args("check h.md");
    assert_eq!(mounted(&check, &scene, mount).status.code(), Some(0));
    scene.goes_on("read-only mount");
}

#[test]
fn a_file_that_is_a_mount_point_is_refused_with_advice_and_leaves_no_temporary_file() {
    if !mounts_work() {
        return;
    }
    for scenario in [
        Scenario::update(),
        Scenario::update_with_backup(),
        Scenario::again(),
        Scenario::confirm(),
        Scenario::restore(),
    ] {
        let scene = scenario.build();
        let output = mounted(&scenario, &scene, "mount --bind h.md h.md");
        refused(&scene, &output, "rename the candidate over the official file", "mount its directory instead");
        let names: Vec<_> = std::fs::read_dir(scene.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert!(!names.iter().any(|name| name.to_string_lossy().contains("damaged")), "{names:?}");
        scene.goes_on("mount point");
    }
}

fn set_mode(path: &Path, mode: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
#[expect(clippy::disallowed_methods, reason = "another user cannot reach the command where it was built")]
fn a_directory_that_another_user_owns_refuses_and_stays() {
    let nobody = ["--reuid=65534", "--regid=65534", "--clear-groups"];
    if !works("setpriv", &[&nobody[..], &["true"]].concat()) {
        return;
    }
    let tools = TempDir::new().unwrap();
    set_mode(tools.path(), 0o755);
    let guard = tools.path().join("handoff-guard");
    std::fs::copy(GUARD, &guard).unwrap();
    for scenario in [Scenario::update_with_backup(), Scenario::restore(), Scenario::init()] {
        let scene = scenario.build();
        set_mode(scene.path(), 0o555);
        let mut setpriv = Command::new("setpriv");
        setpriv.args(nobody).arg(&guard).args(scenario.args.split_whitespace()).current_dir(scene.path());
        refused(&scene, &setpriv.output().unwrap(), "could not take the lock", "the directory must be writable");
        set_mode(scene.path(), 0o755);
        scene.goes_on("read-only directory");
    }
}

#[test]
fn a_limit_for_the_size_of_files_fails_every_command_and_kills_none() {
    for scenario in [Scenario::init(), Scenario::update(), Scenario::again(), Scenario::restore(), Scenario::confirm()]
    {
        let scene = scenario.build();
        let mut shell = Command::new("sh");
        shell.args(["-c", "ulimit -f 0; exec \"$@\"", "sh", GUARD]).args(scenario.args.split_whitespace());
        let output = shell.current_dir(scene.path()).output().unwrap();
        refused(&scene, &output, "could not write the candidate", "raise the limit");
        scene.goes_on("file size limit");
    }
}

#[test]
fn a_receipt_that_nobody_reads_changes_no_command() {
    for scenario in [Scenario::init(), Scenario::update(), Scenario::again(), Scenario::restore(), Scenario::confirm()]
    {
        let scene = scenario.build();
        let (_, stdout) = std::io::pipe().unwrap();
        let mut guard = Command::new(GUARD);
        guard.args(scenario.args.split_whitespace()).current_dir(scene.path()).stdout(stdout);
        assert_eq!(guard.status().unwrap().code(), Some(0), "{}", scenario.name);
        assert!(scene.is_new(), "{}", scenario.name);
        scene.goes_on("closed pipe");
    }
}
