//! `validate_handoff` and the scripts that stand in for the reference scripts (PROTOCOL §14).

use snapbox::str;

use crate::sandbox::{DROP_IN, INITIAL, Sandbox};

/// What the reference scripts print for a valid document.
fn valid(document: &str) -> String {
    let digest = handoff_guard::protocol::digest::Digest::of(document.as_bytes());
    format!("VALID\nDIGEST {digest}\n")
}

#[test]
fn the_contract_of_the_reference_scripts_is_kept() {
    let sandbox = Sandbox::with_documents();
    let run = |args: &[&str]| sandbox.command(DROP_IN).args(args).assert();
    run(&["good.handoff.md"]).code(0).stdout_eq(valid(INITIAL)).stderr_eq("");
    run(&["bad.handoff.md"]).code(1).stdout_eq("").stderr_eq(str![[r#"
bad.handoff.md:1:[..]: error[fence/missing] [..]

"#]]);
    run(&["nowhere"]).code(2).stdout_eq("").stderr_eq(str![[r#"
error: nowhere: [..]

"#]]);
    run(&["."]).code(2).stdout_eq("").stderr_eq(str![[r#"
error: .: a directory, not a regular file

"#]]);
    for misuse in [&[][..], &["good.handoff.md", "good.handoff.md"], &["--profile", "other", "good.handoff.md"]] {
        run(misuse).code(2).stdout_eq("").stderr_eq(str![[r#"
usage: validate_handoff [..]
...
"#]]);
    }
}

#[test]
fn a_single_argument_is_a_path_and_help_is_printed_only_without_such_a_file() {
    let sandbox = Sandbox::new();
    let run = |args: &[&str]| sandbox.command(DROP_IN).args(args).assert();
    run(&["--help"]).code(0).stdout_eq(str![[r#"
usage: validate_handoff [..]
...
"#]]);
    run(&["--version"]).code(0).stdout_eq(format!("validate_handoff {}\n", env!("CARGO_PKG_VERSION")));
    for name in ["--help", "--version", "-x.md", "--profile=full", "a b=c.md"] {
        sandbox.write(name, INITIAL);
        run(&[name]).code(0).stdout_eq(valid(INITIAL));
        run(&["--", name]).code(0).stdout_eq(valid(INITIAL));
        run(&["--profile=full", name]).code(0).stdout_eq(valid(INITIAL));
        run(&["--profile", "full", "--", name]).code(0).stdout_eq(valid(INITIAL));
    }
}

#[test]
fn a_document_that_ends_after_its_tldr_is_fine_unless_the_full_profile_is_asked_for() {
    let sandbox = Sandbox::new();
    let (summary, _) = INITIAL.split_once("# Handoff Details").unwrap();
    sandbox.write("tldr.md", summary);
    sandbox.command(DROP_IN).arg("tldr.md").assert().code(0).stdout_eq(valid(summary));
    sandbox.command(DROP_IN).args(["--profile", "full", "tldr.md"]).assert().code(1).stdout_eq("");
}

#[cfg(unix)]
mod script {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/drop-in/validate_handoff.sh");
    const SYSTEM: &str = "/usr/bin:/bin";

    fn copy_script(sandbox: &Sandbox, name: &str) -> String {
        sandbox.script(name, fs::read(SCRIPT).unwrap()).to_str().unwrap().to_owned()
    }

    fn link_program(sandbox: &Sandbox, name: &str) {
        let path = sandbox.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        symlink(DROP_IN, path).unwrap();
    }

    #[test]
    fn arguments_and_exit_codes_pass_unchanged() {
        let sandbox = Sandbox::with_documents();
        let script = copy_script(&sandbox, "scripts/validate_handoff.sh");
        link_program(&sandbox, "scripts/validate_handoff");
        let run = |args: &[&str]| sandbox.command("sh").arg(&script).args(args).env("PATH", SYSTEM).assert();
        for name in ["a b.md", "-x", "k=v", "back\\slash", "quo'te\"s", "new\nline", "*", "$HOME", "--help"] {
            sandbox.write(name, INITIAL);
            run(&[name]).code(0).stdout_eq(valid(INITIAL)).stderr_eq("");
        }
        run(&["--profile", "full", "--", "-x"]).code(0).stdout_eq(valid(INITIAL));
        run(&["bad.handoff.md"]).code(1).stdout_eq("");
        run(&["nowhere"]).code(2).stdout_eq("");
        run(&[]).code(2).stdout_eq("");
        run(&[""]).code(2).stdout_eq("");
    }

    #[test]
    fn the_program_is_named_or_beside_or_on_the_path() {
        let sandbox = Sandbox::with_documents();
        let script = copy_script(&sandbox, "scripts/validate_handoff.sh");
        let path = format!("{}:{SYSTEM}", sandbox.path("with space").display());
        let run = |path: &str, named: &str| {
            let command = sandbox.command("sh").arg(&script).arg("good.handoff.md");
            command.env("PATH", path).env("VALIDATE_HANDOFF", named).assert()
        };
        run(&path, "").code(2).stdout_eq("").stderr_eq(str![[r#"
error: the program validate_handoff was not found; install handoff-guard, which brings it ('cargo install --path . --locked' in its checkout), or set VALIDATE_HANDOFF

"#]]);
        run(&path, "nowhere").code(2).stdout_eq("").stderr_eq(str![[r#"
error: VALIDATE_HANDOFF names no program

"#]]);
        run(&path, DROP_IN).code(0).stdout_eq(valid(INITIAL));
        link_program(&sandbox, "with space/validate_handoff");
        run(&path, "").code(0).stdout_eq(valid(INITIAL));
        run(&path, "validate_handoff").code(0).stdout_eq(valid(INITIAL));
    }

    #[test]
    fn a_script_under_the_name_of_the_program_does_not_find_itself() {
        let sandbox = Sandbox::with_documents();
        let script = copy_script(&sandbox, "scripts/validate_handoff");
        copy_script(&sandbox, "other/validate_handoff");
        let directories = ["scripts", "other", "bin"].map(|name| sandbox.path(name).display().to_string());
        let path = format!("{}:{SYSTEM}", directories.join(":"));
        let run = || sandbox.command("sh").args(["-c", "validate_handoff good.handoff.md"]).env("PATH", &path).assert();
        run().code(2).stdout_eq("");
        let named =
            sandbox.command(&script).arg("good.handoff.md").env("PATH", SYSTEM).env("VALIDATE_HANDOFF", &script);
        named.assert().code(2).stdout_eq("");
        link_program(&sandbox, "bin/validate_handoff");
        run().code(0).stdout_eq(valid(INITIAL));
    }
}
