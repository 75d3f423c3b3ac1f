//! Where a repository is looked at from, and what its files are called.

use std::path::Path;

use super::{FILE, LIFE, Repository, findings, reworded};
use crate::cli::reports::checked;
use crate::sandbox::{GUARD, INITIAL, git};

#[test]
fn paths_are_those_of_the_current_folder() {
    let Some(repository) = Repository::new() else { return };
    repository.write("d/notes.md", "");
    repository.write("d/e/handoff-y.md", "broken");
    let commit = repository.version("broken");
    let check = |args: &[&str]| {
        let command = repository.0.command(GUARD).current_dir(repository.0.path("d"));
        let report = command.args(["check", "--output-format=concise", "--since=start"]).args(args).assert();
        findings(&report.code(1))
    };
    let (above, below) = (format!("../{FILE}@{commit}"), format!("e/handoff-y.md@{commit}"));
    let line = |name: &str| format!("{name}: fence/missing");
    assert_eq!(check(&[]), [line(&below), line(&above)]);
    assert_eq!(check(&["."]), [line(&below)]);
    assert_eq!(check(&["../d/./e/handoff-y.md"]), [line(&below)]);
    assert_eq!(check(&[&format!("../{FILE}")]), [line(&above)]);
    let absolute = std::fs::canonicalize(repository.0.path(FILE)).unwrap();
    assert_eq!(check(&[absolute.to_str().unwrap()]), [line(&above)]);
}

#[test]
fn a_working_tree_and_what_it_holds_comes_last() {
    let Some(repository) = Repository::new() else { return };
    repository.version(LIFE[7]);
    repository.write(FILE, reworded(LIFE[7]));
    repository.write("new.handoff.md", "broken");
    repository.write(".gitignore", "ignored.handoff.md\n");
    repository.write("ignored.handoff.md", "broken");
    let report = repository.check("--since start").code(1);
    assert_eq!(findings(&report), [format!("{FILE}: succession/sealed"), "new.handoff.md: fence/missing".to_owned()]);
    let report = checked(&repository.0, &format!("--since HEAD {FILE}"), 1);
    assert_eq!(report["files"].as_array().unwrap().len(), 1);
    assert!(report["files"][0].get("revision").is_none());
    let refused = repository.check("--since start ignored.handoff.md").code(2);
    assert!(super::stderr(&refused).contains("git knows no version of it"));
}

#[test]
fn line_ends_that_git_converts_change_nothing() {
    let Some(repository) = Repository::new() else { return };
    repository.version(LIFE[2]);
    repository.write(FILE, LIFE[4].replace('\n', "\r\n"));
    repository.check("--since start").code(0).stdout_eq("");
    repository.git("config core.autocrlf true");
    repository.write(FILE, LIFE[2].replace('\n', "\r\n"));
    repository.check("--since HEAD").code(0).stderr_eq("note: nothing changed since HEAD\n");
}

#[test]
fn a_name_is_never_a_pattern_or_an_option() {
    let Some(repository) = Repository::new() else { return };
    repository.version(INITIAL);
    for name in ["*.md", ":(glob)handoff-x.md", ":!x", "--help"] {
        let command = repository.0.command(GUARD).args(["check", "--since", "start", "--", name]);
        command.assert().code(2).stdout_eq("");
        if cfg!(unix) {
            repository.write(name, "broken");
            let command = repository.0.command(GUARD).args(["check", "--output-format=concise", "--since=start", "--"]);
            let report = command.arg(name).assert().code(1);
            assert_eq!(findings(&report), [format!("{name}: fence/missing")]);
        }
    }
}

#[cfg(unix)]
#[test]
fn bytes_that_are_no_text_and_line_breaks_may_be_in_a_name() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let Some(repository) = Repository::new() else { return };
    let name = OsStr::from_bytes(b"caf\xe9\n\t\"::error::\x1b[31m.handoff.md");
    repository.0.write(name, "broken");
    let commit = repository.commit();
    let shown = format!("caf\u{fffd}/n/t\"::error::/u{{1b}}[31m.handoff.md@{commit}:1:1: [..]\n");
    repository.check("--since start").code(1).stdout_eq(shown.clone());
    let command = repository.0.command(GUARD).args(["check", "--output-format=concise", "--since=start"]).arg(name);
    command.assert().code(1).stdout_eq(shown);
}

#[test]
fn a_linked_working_tree_a_submodule_and_a_bare_repository_are_repositories() {
    let Some(repository) = Repository::new() else { return };
    let commit = repository.version("broken");
    let expected = [format!("{FILE}@{commit}: fence/missing")];
    let run = |folder: &str, args: &str| git(&repository.0, folder, args).unwrap();
    let check = |folder: &Path| {
        let command = repository.0.command(GUARD).current_dir(repository.0.path(folder));
        // What a hook's environment says about another repository does not matter.
        let command = command.env("GIT_DIR", "/nowhere").env("GIT_WORK_TREE", "/nowhere");
        findings(&command.args(["check", "--output-format=concise", "--since=start"]).assert().code(1))
    };
    run("", "worktree add --quiet ignored/tree");
    assert_eq!(check("ignored/tree".as_ref()), expected);
    run("", "clone --quiet --bare . ignored/bare");
    assert_eq!(check("ignored/bare".as_ref()), expected);
    repository.write("ignored/outer/x", "");
    run("ignored/outer", "init --quiet");
    run("ignored/outer", "submodule --quiet add ../bare inner");
    assert_eq!(check("ignored/outer/inner".as_ref()), expected);
}

#[cfg(unix)]
#[test]
fn a_link_or_a_submodule_is_no_document() {
    let Some(repository) = Repository::new() else { return };
    std::os::unix::fs::symlink("notes.md", repository.0.path(FILE)).unwrap();
    let commit = repository.commit();
    let refused = |what: &str| format!("error: {FILE}@{commit}: {what}, not a document\n");
    repository.check("--since start").code(2).stdout_eq("").stderr_eq(refused("a symbolic link"));
    let failure = &checked(&repository.0, "--since start", 2)["errors"][0];
    assert_eq!((&failure["path"], &failure["revision"]), (&FILE.into(), &repository.git("rev-parse HEAD").into()));

    repository.remove(FILE);
    repository.commit();
    let head = repository.git("rev-parse HEAD");
    repository.git(&format!("update-index --add --cacheinfo 160000,{head},{FILE}"));
    repository.git("commit --quiet -m x");
    let commit = repository.head();
    let refused = format!("error: {FILE}@{commit}: a submodule, not a document\n");
    repository.git("worktree prune");
    let stderr = super::stderr(&repository.check("--since HEAD^").code(2));
    assert!(stderr.starts_with(&refused), "{stderr}");

    repository.git("reset --quiet --hard HEAD^");
    std::os::unix::fs::symlink("notes.md", repository.0.path(FILE)).unwrap();
    let refused = repository.check("--since HEAD").code(2);
    refused.stderr_eq(format!("error: {FILE}: a symbolic link, not a regular file\n"));
}

#[cfg(unix)]
#[test]
fn a_mode_is_no_content() {
    use std::os::unix::fs::PermissionsExt as _;
    let Some(repository) = Repository::new() else { return };
    repository.version(LIFE[7]);
    std::fs::set_permissions(repository.0.path(FILE), std::fs::Permissions::from_mode(0o755)).unwrap();
    repository.commit();
    repository.check("--since start").code(0).stdout_eq("").stderr_eq("");
}

#[test]
fn hundreds_of_commits_ask_git_as_often_as_one() {
    let Some(repository) = Repository::new() else { return };
    let mut stream = String::new();
    for number in 0..400 {
        let (text, name) = (LIFE[number % 8], format!("handoff-{}.md", number / 8));
        let text = text.replace("thermo-2026-05-11-a", &format!("s{}", number / 8));
        let from = if number == 0 { "from refs/heads/main^0\n" } else { "" };
        let commit = format!("commit refs/heads/main\ncommitter a <a@example.org> {number} +0000\ndata 1\nx\n{from}");
        let file = format!("M 100644 inline {name}\ndata {}\n{text}\n", text.len());
        stream.extend([commit, file]);
    }
    repository.0.write("stream", stream);
    let import = std::fs::File::open(repository.0.path("stream")).unwrap();
    let mut git = std::process::Command::new("git");
    git.args(["fast-import", "--quiet", "--force"]).stdin(import).current_dir(repository.0.path(""));
    assert!(git.status().unwrap().success());
    repository.git("reset --quiet --hard");
    let report = checked(&repository.0, "--since start", 0);
    assert_eq!(report["summary"]["checked"], 400);
    let alone = repository.check("--since start --advice --threads 1").code(0);
    assert!(!alone.get_output().stdout.is_empty());
    repository.check("--since start --advice --threads 5").code(0).stdout_eq(alone.get_output().stdout.clone());

    #[cfg(unix)]
    {
        let real = std::process::Command::new("sh").args(["-c", "command -v git"]).output().unwrap().stdout;
        let real = String::from_utf8(real).unwrap();
        let log = repository.0.path("ignored/log");
        let script = format!("#!/bin/sh\necho x >> '{}'\nexec {} \"$@\"\n", log.display(), real.trim());
        let shim = repository.0.script("ignored/git", script);
        let path = format!("{}:{}", shim.parent().unwrap().display(), std::env::var_os("PATH").unwrap().display());
        let calls = |range: &str| {
            repository.write("ignored/log", "");
            repository.0.guard(&format!("check --since {range}")).env("PATH", &path).assert().code(0);
            repository.0.read("ignored/log").len()
        };
        assert_eq!(calls("HEAD~300"), calls("HEAD~8"));
    }
}

#[test]
fn a_repository_without_handoffs_has_nothing_to_refuse() {
    let Some(repository) = Repository::new() else { return };
    repository.check("--since start -- .").code(0).stderr_eq("note: nothing changed since start\n");
    repository.check("--staged -- .").code(0);
    repository.check("--since start -- nowhere").code(2);
}
