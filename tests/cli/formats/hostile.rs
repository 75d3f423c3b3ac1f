//! Names and texts that somebody wrote to be misread.

use std::collections::HashSet;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt as _;

use super::{FORMATS, json, results, uri};
use crate::sandbox::{INITIAL, Sandbox};

const NAME: &str =
    "a\n::set-output name=x::y,b%0A::error::\r]]>\"'<&>##[add-path]\u{1b}[31m\u{202e}\u{fffe}🙂任.handoff.md";

const TEXTS: [&str; 6] = [
    "100%\\n::error::fake%0A::stop-commands::x",
    "]]><script>&amp;</failure>",
    "[click](https://example.org) {0} {{",
    "\\e[31m\\u202e\\ufffe",
    "##[stop-commands]x",
    "🙂任务",
];

/// Documents with hostile names, each with hostile text in a message.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    for (index, text) in TEXTS.iter().enumerate() {
        let status = format!("handoff_status: \"{text}\"");
        let document = INITIAL.replacen("handoff_status: COLLECTING", &status, 1);
        sandbox
            .write(format!("{index}{NAME}"), document.replacen("- Write", &format!("- \u{1b}\u{9b}{text} Write"), 1));
    }
    let mut bytes = INITIAL.replacen("- Write", "- WriteX", 1).into_bytes();
    let at = bytes.windows(7).position(|window| window == b"- Write").unwrap();
    bytes[at] = 0xff;
    sandbox.write(invalid_name(), bytes);
    sandbox
}

fn invalid_name() -> OsString {
    OsString::from_vec(b"b\xff\x80.handoff.md".to_vec())
}

/// All of them, and a name that is not there.
fn checked(format: &str) -> String {
    let names = (0..TEXTS.len()).map(|index| OsString::from(format!("{index}{NAME}")));
    let all = names.chain([invalid_name(), OsString::from(format!("missing{NAME}"))]);
    let sandbox = sandbox();
    let command = sandbox.command(crate::sandbox::GUARD).args(["check", "--advice", "--output-format", format]);
    let output = command.args(all).assert().code(2);
    String::from_utf8(output.get_output().stdout.clone()).unwrap()
}

fn has_control(text: &str) -> bool {
    text.contains(|c: char| (c.is_control() && c != '\n') || matches!(c, '\u{202e}' | '\u{fffe}'))
}

#[test]
fn no_workflow_command_can_be_injected() {
    let report = checked("github");
    assert!(!has_control(&report.replace('\u{fffe}', "")), "{report:?}");
    let (summary, commands) = {
        let mut lines: Vec<&str> = report.lines().collect();
        (lines.pop().unwrap(), lines)
    };
    assert!(summary.starts_with("7 files checked: 7 invalid, 1 unreadable; "), "{summary}");
    assert!(commands.len() > 14, "{report}");
    for command in commands {
        let (properties, data) = command.strip_prefix("::error ").unwrap().split_once("::").unwrap();
        for (index, property) in properties.split(',').enumerate() {
            let (key, value) = property.split_once('=').unwrap();
            assert_eq!(key == "file", index == 0, "{command}");
            assert!(["file", "line", "col", "endLine", "endColumn", "title"].contains(&key), "{command}");
            assert!(!value.contains(':'), "{command}");
        }
        for (at, _) in command.match_indices('%') {
            assert!(
                ["%25", "%0A", "%3A", "%2C"].iter().any(|code| command.get(at..).unwrap().starts_with(code)),
                "{command}"
            );
        }
        assert!(!data.is_empty());
    }
    assert!(report.contains("100%25\\n::error::fake%250A"), "{report}");
    assert!(report.contains("file=0a\\n%3A%3Aset-output name=x%3A%3Ay%2Cb%250A%3A%3Aerror%3A%3A\\r]]>"), "{report}");
}

#[test]
fn standard_error_repeats_nothing_that_a_runner_could_obey() {
    let sandbox = Sandbox::new();
    let output = sandbox.guard("check --output-format github ##[stop-commands]x").assert().code(2);
    assert_eq!(String::from_utf8(output.get_output().stderr.clone()).unwrap(), "");
}

#[test]
fn a_junit_report_is_xml_whatever_the_text() {
    let report = checked("junit");
    assert!(!has_control(&report), "{report:?}");
    let xml = roxmltree::Document::parse(&report).unwrap();
    let cases: Vec<_> = xml.descendants().filter(|node| node.has_tag_name("testcase")).collect();
    assert_eq!(cases.len(), TEXTS.len() + 2);
    let suite = xml.descendants().find(|node| node.has_tag_name("testsuite")).unwrap();
    let counts = ["tests", "failures", "errors"].map(|count| suite.attribute(count).unwrap());
    assert_eq!(counts, ["8", "7", "1"]);
    let name = cases[1].attribute("name").unwrap();
    assert!(name.starts_with("1a\\n::set-output") && name.ends_with("\u{fffd}🙂任.handoff.md"), "{name}");
    let text = cases[1].text().unwrap_or_default().to_owned()
        + cases[1].children().find_map(|child| child.text().filter(|text| text.contains("error["))).unwrap();
    assert!(text.contains("]]><script>&amp;</failure>"), "{text}");
    assert_eq!(xml.descendants().filter(|node| node.has_tag_name("error")).count(), 1);
    assert_eq!(xml.descendants().filter(|node| node.has_tag_name("script")).count(), 0);
}

#[test]
fn a_sarif_log_has_uris_that_are_uris_and_messages_that_are_text() {
    let report = checked("sarif");
    assert!(!has_control(&report), "{report:?}");
    let log = json(&report);
    let names: HashSet<String> = results(&log).iter().map(|result| decoded(uri(result))).collect();
    let expected = (0..TEXTS.len()).map(|index| format!("{index}{NAME}"));
    assert_eq!(names, expected.chain(["b\u{fffd}\u{fffd}.handoff.md".to_owned()]).collect());
    let messages: Vec<&str> = results(&log).iter().map(|result| result["message"]["text"].as_str().unwrap()).collect();
    for message in &messages {
        assert!(!has_control(message), "{message:?}");
        let unpaired = message.replace("{{", "").replace("}}", "");
        assert!(!unpaired.contains(['{', '}']), "{message}");
        assert!(!message.contains("[click](") && !message.replace("\\]", "").contains("]("), "{message}");
    }
    assert!(messages.iter().any(|message| message.contains("\\[click\\](https")), "{messages:?}");
    let invocation = &log["runs"][0]["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    let place = &invocation["toolExecutionNotifications"][0]["locations"][0]["physicalLocation"]["artifactLocation"];
    assert_eq!(decoded(place["uri"].as_str().unwrap()), format!("missing{NAME}"));
}

#[test]
fn a_gitlab_report_has_fingerprints_that_are_all_different() {
    let report = checked("gitlab");
    assert!(!has_control(&report.replace('\u{fffe}', "")), "{report:?}");
    let issues = json(&report);
    let issues = issues.as_array().unwrap();
    let fingerprints: HashSet<&str> = issues.iter().map(|issue| issue["fingerprint"].as_str().unwrap()).collect();
    assert_eq!(fingerprints.len(), issues.len());
    assert!(issues.iter().all(|issue| issue["location"]["lines"]["begin"].as_u64() >= Some(1)));
    assert!(issues.iter().all(|issue| !has_control(issue["description"].as_str().unwrap())));
    let last = issues.last().unwrap();
    assert_eq!((&last["severity"], &last["check_name"]), (&"blocker".into(), &"not-checked".into()));
    assert_eq!(last["location"]["path"], format!("missing{NAME}"));
}

/// The text behind a URI, which has only characters that a URI may have.
fn decoded(uri: &str) -> String {
    assert!(uri.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~%/".contains(&byte)), "{uri}");
    let mut parts = uri.split('%');
    let mut bytes = parts.next().unwrap().as_bytes().to_vec();
    for part in parts {
        bytes.push(u8::from_str_radix(part.get(..2).unwrap(), 16).unwrap());
        bytes.extend(part.get(2..).unwrap().bytes());
    }
    String::from_utf8(bytes).unwrap()
}

#[test]
fn no_runner_finds_a_command_on_standard_error() {
    let sandbox = Sandbox::new();
    for format in FORMATS {
        let command = sandbox.guard(&format!("check --output-format {format}")).arg("missing ##[add-mask]e.md");
        let assert = command.assert().code(2);
        let said = std::str::from_utf8(&assert.get_output().stderr).unwrap();
        assert!(!said.contains("##["), "{said}");
        assert!(format == "github" || said.contains("missing ##\\[add-mask]e.md: "), "{said}");
    }
}
