//! `explain`, `schema`, help and version.

use snapbox::{IntoData as _, str};

use crate::sandbox::Sandbox;

#[test]
fn every_rule_is_listed_on_a_line_of_its_own() {
    let assert = Sandbox::new().guard("explain").assert().code(0).stderr_eq("");
    let list = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
    let ids: Vec<&str> = list.lines().map(|line| line.split_whitespace().next().unwrap()).collect();
    let rules: Vec<&str> = handoff_guard::rules::RULES.iter().map(|rule| rule.id).collect();
    assert_eq!(ids, rules);
}

#[test]
fn a_rule_is_explained_with_a_bad_and_a_good_example() {
    Sandbox::new().guard("explain fence/missing").assert().code(0).stdout_eq(str![[r#"
fence/missing (error, PROTOCOL §2; profiles full, reference)
...
Bad:
...
Good:
...
"#]]);
}

#[test]
fn every_rule_has_a_page() {
    for rule in handoff_guard::rules::RULES {
        let page = handoff_guard::render::explain::page(rule);
        assert!(!page.contains(|c: char| c.is_control() && c != '\n'), "{page:?}");
        assert!(page.starts_with(rule.id) && page.contains("\nBad:\n    ") && page.contains("\nGood:\n    "), "{page}");
    }
}

#[test]
fn an_unknown_rule_is_answered_with_the_nearest_and_the_others_are_explained() {
    let sandbox = Sandbox::new();
    let assert = sandbox.guard("explain fence/mising fence/missing").assert().code(2).stderr_eq(str![[r#"
error: there is no rule `fence/mising`; did you mean `fence/missing`?

"#]]);
    assert!(assert.get_output().stdout.starts_with(b"fence/missing ("));
    sandbox.guard("explain status-mismatch").assert().code(2).stderr_eq(str![[r#"
error: there is no rule `status-mismatch`; did you mean `tldr/status-mismatch`?

"#]]);
    sandbox.guard("explain \u{1b}[31mwhatever").assert().code(2).stderr_eq(str![[r#"
error: there is no rule `/u{1b}[31mwhatever`; `handoff-guard explain` lists all

"#]]);
}

#[test]
fn the_published_schemas_are_printed() {
    let sandbox = Sandbox::new();
    sandbox.guard("schema report").assert().code(0).stdout_eq(include_str!("../../schema/report.v1.schema.json").raw());
    let receipt = include_str!("../../schema/receipt.v1.schema.json");
    sandbox.guard("schema receipt").assert().code(0).stdout_eq(receipt.raw());
    let handoff = include_str!("../../schema/task-handoff.v2.schema.json");
    sandbox.guard("schema handoff").assert().code(0).stdout_eq(handoff.raw());
    sandbox.guard("schema").assert().code(0).stdout_eq(handoff.raw());
    sandbox.guard("schema other").assert().code(2);
}

#[test]
fn a_finding_has_the_same_form_in_a_report_and_in_a_receipt() {
    let report: serde_json::Value = serde_json::from_str(include_str!("../../schema/report.v1.schema.json")).unwrap();
    let receipt: serde_json::Value = serde_json::from_str(include_str!("../../schema/receipt.v1.schema.json")).unwrap();
    for name in ["diagnostic", "related", "span", "position"] {
        assert_eq!(report["$defs"][name], receipt["$defs"][name], "{name}");
    }
}

#[test]
fn help_and_version_are_results() {
    let sandbox = Sandbox::new();
    let version = format!("handoff-guard {}\n", env!("CARGO_PKG_VERSION"));
    sandbox.guard("--version").assert().code(0).stdout_eq(version).stderr_eq("");
    for args in ["--help", "check --help", "help explain"] {
        let assert = sandbox.guard(args).assert().code(0).stderr_eq("");
        let help = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
        assert!(help.contains("Usage: handoff-guard") && !help.contains('\u{1b}'), "{help}");
    }
}

#[test]
fn a_wrong_argument_is_escaped_on_its_way_to_the_terminal() {
    let assert = Sandbox::new().guard("check --no\u{1b}[31mthing").assert().code(2).stdout_eq("");
    let message = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
    assert!(message.starts_with("error: ") && !message.contains('\u{1b}'), "{message:?}");
}

/// The names of the commands, as the help lists them.
fn commands(sandbox: &Sandbox) -> Vec<String> {
    let help = sandbox.guard("--help").assert().code(0);
    let help = String::from_utf8(help.get_output().stdout.clone()).unwrap();
    let list = help.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let names: Vec<String> = list.lines().map(|line| line.split_whitespace().next().unwrap().to_owned()).collect();
    assert!(names.len() > 6, "{help}");
    names
}

#[test]
fn every_shell_has_completions_of_every_command() {
    let sandbox = Sandbox::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = sandbox.guard(&format!("completions {shell}")).assert().code(0).stderr_eq("");
        let script = String::from_utf8(script.get_output().stdout.clone()).unwrap();
        for command in commands(&sandbox) {
            assert!(script.contains(&command), "{shell}: {command}");
        }
        assert!(script.contains("expect-session"), "{shell}");
    }
    sandbox.guard("completions csh").assert().code(2).stdout_eq("");
}

#[test]
fn bash_reads_its_completions() {
    let sandbox = Sandbox::new();
    let script = sandbox.guard("completions bash").assert().code(0).get_output().stdout.clone();
    sandbox.write("completions", script);
    match std::process::Command::new("bash").arg("-n").arg(sandbox.path("completions")).status() {
        Ok(status) => assert!(status.success()),
        Err(error) => eprintln!("skipped: bash does not run here: {error}"),
    }
}

#[test]
fn the_man_page_names_every_command_and_each_has_its_own() {
    let sandbox = Sandbox::new();
    let page = |args: &str| {
        let page = sandbox.guard(args).assert().code(0).stderr_eq("");
        String::from_utf8(page.get_output().stdout.clone()).unwrap().replace("\\-", "-")
    };
    let main = page("man");
    for command in commands(&sandbox) {
        assert!(main.contains(&format!("handoff-guard-{command}(1)")), "{command} in {main}");
        let own = page(&format!("man {command}"));
        assert!(
            own.starts_with(".ie") && own.contains(&format!(".TH handoff-guard-{command} 1  \"handoff-guard ")),
            "{own}"
        );
    }
    assert!(page("man check").contains("--expect-session"));
    sandbox.guard("man chek").assert().code(2).stdout_eq("").stderr_eq(str![[r#"
error: there is no command `chek`; did you mean `check`?

"#]]);
}
