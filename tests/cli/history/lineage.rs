//! Which version each version must be able to follow.

use serde_json::json;

use super::{FILE, LIFE, Repository, findings, reworded, stderr};
use crate::cli::reports::checked;
use crate::sandbox::INITIAL;

#[test]
fn a_life_is_legal_commit_by_commit_and_in_leaps() {
    let Some(repository) = Repository::new() else { return };
    for version in LIFE {
        repository.version(version);
    }
    repository.check("--since start").code(0).stdout_eq("").stderr_eq("");
    repository.check("--since start --every-write").code(0).stdout_eq("").stderr_eq("");
    let report = checked(&repository.0, "--since start", 0);
    assert_eq!(report["summary"]["checked"], 8);

    let Some(repository) = Repository::new() else { return };
    for version in [LIFE[1], LIFE[4], LIFE[7]] {
        repository.version(version);
    }
    repository.check("--since start").code(0).stdout_eq("").stderr_eq("");
    let strict = repository.check("--since start --every-write").code(1);
    let rules: Vec<String> = findings(&strict).iter().map(|line| line.split(": ").nth(1).unwrap().to_owned()).collect();
    assert!(rules.contains(&"succession/initial-state".to_owned()), "{rules:?}");
    assert!(rules.contains(&"succession/transition".to_owned()), "{rules:?}");
}

#[test]
fn a_state_that_goes_back_is_refused_with_its_commit_its_line_and_its_reason() {
    let Some(repository) = Repository::new() else { return };
    let asked = repository.version(LIFE[1]);
    let reviewed = repository.version(LIFE[6]);
    let back = repository.version(LIFE[1].replace("T14:20:00+02:00", "T17:00:00+02:00"));
    let report = repository.check("--since start").code(1);
    let text = String::from_utf8(report.get_output().stdout.clone()).unwrap();
    let line = format!("{FILE}@{back}:8:17: error[succession/transition] NEEDS_ANSWERS cannot follow REVIEW_PENDING\n");
    assert!(text.contains(&line), "{text}");
    assert!(!text.contains(&asked) && !text.contains(&reviewed), "{text}");

    let full = repository.0.guard("check --since start").assert().code(1);
    let text = String::from_utf8(full.get_output().stdout.clone()).unwrap();
    assert!(text.contains(&format!("--> {FILE}@{back}:8:17\n")), "{text}");
    assert!(text.contains(&format!("note: in the previous version\n   --> {FILE}@{reviewed}:8:17\n")), "{text}");
    assert!(text.contains(&format!("{FILE}@{back}: invalid, ")), "{text}");

    let report = checked(&repository.0, "--since start", 1);
    let commit = repository.git("rev-parse HEAD");
    assert_eq!(report["files"][2]["path"], FILE);
    assert_eq!(report["files"][2]["revision"], commit);
    assert_eq!(report["files"][2]["previous"], json!({ "path": FILE, "revision": repository.git("rev-parse HEAD^") }));
}

#[test]
fn a_recorded_round_is_never_edited() {
    let Some(repository) = Repository::new() else { return };
    repository.version(LIFE[2]);
    let edited = repository.version(LIFE[4].replacen("DN20", "DN15", 1));
    let report = repository.check("--since start").code(1);
    assert_eq!(findings(&report), [format!("{FILE}@{edited}: succession/history")]);
}

#[test]
fn a_sealed_file_is_never_touched_wherever_it_goes() {
    let Some(repository) = Repository::new() else { return };
    repository.version(LIFE[7]);
    repository.git("tag sealed");
    let refused = |name: &str, commit: &str| {
        let report = repository.check("--since sealed").code(1);
        assert_eq!(findings(&report), [format!("{name}@{commit}: succession/sealed")]);
        repository.git("reset --quiet --hard sealed");
    };
    let heavy =
        reworded(LIFE[7]).replace("## Known Risks\n", &format!("## Known Risks\n{}", "- A risk.\n".repeat(400)));

    let commit = repository.version(reworded(LIFE[7]));
    refused(FILE, &commit);

    for edited in [reworded(LIFE[7]), heavy] {
        // Renamed and edited, more or less.
        repository.remove(FILE);
        repository.write("d/handoff-y.md", &edited);
        let commit = repository.commit();
        refused("d/handoff-y.md", &commit);
        // Deleted and added again, under its own name or another.
        for name in [FILE, "d/handoff-y.md"] {
            repository.remove(FILE);
            repository.commit();
            repository.write(name, &edited);
            let commit = repository.commit();
            refused(name, &commit);
        }
    }
    // Copied and edited, so that the original can be discarded.
    repository.write("d/handoff-y.md", reworded(LIFE[7]));
    let commit = repository.commit();
    repository.remove(FILE);
    repository.commit();
    refused("d/handoff-y.md", &commit);
    // Replaced by another session, and back.
    repository.version(INITIAL);
    let commit = repository.version(reworded(LIFE[7]));
    refused(FILE, &commit);
    // Deleted before the range begins.
    repository.remove(FILE);
    repository.commit();
    repository.git("tag gone");
    repository.write("d/handoff-y.md", reworded(LIFE[7]));
    let commit = repository.commit();
    let report = repository.check("--since gone").code(1);
    assert_eq!(findings(&report), [format!("d/handoff-y.md@{commit}: succession/sealed")]);
}

#[test]
fn a_file_may_move_be_copied_be_discarded_and_give_room_to_another_session() {
    let Some(repository) = Repository::new() else { return };
    repository.version(LIFE[3]);
    repository.git("mv handoff-x.md renamed.handoff.md");
    repository.commit();
    repository.write("renamed.handoff.md", LIFE[7]);
    repository.write("copy.handoff.md", LIFE[7]);
    repository.commit();
    repository.remove("renamed.handoff.md");
    repository.commit();
    repository.write("copy.handoff.md", INITIAL);
    repository.commit();
    repository.check("--since start").code(0).stdout_eq("").stderr_eq("");
    assert_eq!(checked(&repository.0, "--since start", 0)["summary"]["checked"], 5);
}

#[test]
fn the_history_of_a_named_file_goes_on_under_its_old_name() {
    let Some(repository) = Repository::new() else { return };
    repository.version(LIFE[2]);
    let edited = repository.version(LIFE[4].replacen("DN20", "DN15", 1));
    repository.git("mv handoff-x.md state.md");
    repository.commit();
    let report = repository.check("--since start state.md").code(1);
    assert_eq!(findings(&report), [format!("{FILE}@{edited}: succession/history")]);
    // A file whose name says nothing is seen only when it is named.
    repository.write("state.md", "nonsense");
    let commit = repository.commit();
    let report = repository.check("--since HEAD^ state.md").code(1);
    assert_eq!(findings(&report), [format!("state.md@{commit}: fence/missing")]);
    repository.check("--since HEAD^").code(0).stderr_eq("note: nothing changed since HEAD^\n");
}

#[test]
fn the_history_of_a_named_file_goes_on_under_its_new_name() {
    let Some(repository) = Repository::new() else { return };
    repository.version(LIFE[1]);
    repository.git("mv handoff-x.md handoff-y.md");
    repository.commit();
    repository.write("handoff-y.md", "broken");
    let commit = repository.commit();
    let report = repository.check(&format!("--since HEAD~2 {FILE}")).code(1).stderr_eq("");
    assert_eq!(findings(&report), [format!("handoff-y.md@{commit}: fence/missing")]);
}

#[test]
fn a_deletion_is_said_when_the_package_was_not_sealed() {
    let Some(repository) = Repository::new() else { return };
    repository.version(LIFE[1]);
    repository.remove(FILE);
    let commit = repository.commit();
    let notes = stderr(&repository.check("--since start").code(0));
    let expected = "in the state NEEDS_ANSWERS, before it was sealed";
    assert_eq!(notes, format!("note: {FILE}: commit {commit} deletes it {expected}\n"));
    repository.version(LIFE[7]);
    repository.remove(FILE);
    repository.commit();
    repository.check("--since HEAD^").code(0).stdout_eq("").stderr_eq("");
}

#[test]
fn a_broken_version_is_reported_and_passed_over() {
    let Some(repository) = Repository::new() else { return };
    repository.version(LIFE[6]);
    let broken = repository.version(LIFE[6].replacen("---", "--- ", 1));
    repository.version(LIFE[7]);
    let report = repository.check("--since start").code(1);
    assert_eq!(findings(&report), [format!("{FILE}@{broken}: fence/missing")]);
    // It does not make the past go away, whether or not its session can be read.
    repository.version(LIFE[7].replace("- Status: READY", "- Status: BLOCKED"));
    let repaired = repository.version(reworded(LIFE[7]));
    let report = findings(&repository.check("--since HEAD~2").code(1));
    assert_eq!(report.last(), Some(&format!("{FILE}@{repaired}: succession/sealed")));
    repository.version(LIFE[7]);
    let broken = repository.version("garbage \u{0}\u{1}");
    let repaired = repository.version(reworded(LIFE[7]));
    let report = findings(&repository.check("--since HEAD~2").code(1));
    assert_eq!(report.first(), Some(&format!("{FILE}@{broken}: encoding/control-character")));
    assert_eq!(report.last(), Some(&format!("{FILE}@{repaired}: succession/sealed")));
}

#[test]
fn a_merge_follows_every_parent() {
    let Some(repository) = Repository::new() else { return };
    repository.version(LIFE[2]);
    repository.git("checkout --quiet -b topic");
    repository.write("other", "1");
    repository.commit();
    repository.git("checkout --quiet main");
    repository.version(LIFE[3]);
    repository.version(LIFE[4]);
    // The branch takes what the main line did: nothing of it is news but that it may be taken.
    repository.git("checkout --quiet topic");
    repository.git("merge --quiet --no-edit main");
    repository.check("--since main").code(0).stdout_eq("").stderr_eq("");
    repository.check("--since main --every-write").code(0).stdout_eq("").stderr_eq("");
    // What the main line brings along is the main line's business.
    repository.git("checkout --quiet main");
    repository.write("handoff-y.md", "broken");
    repository.commit();
    repository.git("checkout --quiet topic");
    repository.git("merge --quiet --no-edit main");
    repository.check("--since main").code(0).stdout_eq("").stderr_eq("");
    // Going on from there is what a branch does.
    repository.version(LIFE[5]);
    repository.check("--since main").code(0).stdout_eq("").stderr_eq("");

    // A merge that drops what the main line recorded.
    repository.git("checkout --quiet -B topic start^0");
    repository.git("merge --quiet --no-edit main~2");
    repository.write("other", "2");
    repository.commit();
    repository.git("merge --quiet --no-edit --strategy=ours main");
    let merge = repository.head();
    let report = findings(&repository.check("--since main").code(1));
    assert!(report.contains(&format!("{FILE}@{merge}: succession/history")), "{report:?}");
    assert!(report.iter().all(|line| line.contains(&merge)), "{report:?}");
}

#[test]
fn two_branches_that_both_went_on_cannot_be_merged() {
    let Some(repository) = Repository::new() else { return };
    repository.version(LIFE[2]);
    repository.git("checkout --quiet -b topic");
    repository.version(LIFE[3].replace("May the clamp differ", "Must the clamp differ"));
    repository.git("checkout --quiet main");
    repository.version(LIFE[3]);
    repository.git("checkout --quiet topic");
    for strategy in ["--strategy=ours", "--strategy-option=theirs"] {
        repository.git(&format!("merge --quiet --no-edit {strategy} main"));
        let merge = repository.head();
        let report = findings(&repository.check("--since main").code(1));
        assert!(report.contains(&format!("{FILE}@{merge}: succession/history")), "{strategy}: {report:?}");
        repository.git("reset --quiet --hard HEAD^");
    }
}

#[test]
fn a_branch_is_compared_from_where_it_left() {
    let Some(repository) = Repository::new() else { return };
    repository.version(LIFE[0]);
    repository.git("checkout --quiet -b topic");
    repository.version(LIFE[1]);
    repository.git("checkout --quiet main");
    repository.version("the main line is broken");
    repository.git("checkout --quiet topic");
    repository.check("--since main").code(0).stdout_eq("").stderr_eq("");
    assert_eq!(checked(&repository.0, "--since main", 0)["summary"]["checked"], 1);
}

#[test]
fn versions_that_no_document_can_be_are_refused() {
    let Some(repository) = Repository::new() else { return };
    repository.version(vec![b'\n'; 4 * 1024 * 1024 + 2]);
    let report = repository.check("--since start").code(1);
    assert!(findings(&report)[0].ends_with(": encoding/too-large"));
    let commit = repository.version(b"\xff\xfe\x00\x01".repeat(1000));
    let report = findings(&repository.check("--since HEAD^").code(1));
    assert_eq!(report, [format!("{FILE}@{commit}: encoding/invalid-utf8")]);
}
