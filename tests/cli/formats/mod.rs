//! Reports for tools that show findings in their own way.

mod file;
#[cfg(target_os = "linux")]
mod hostile;
mod snapshots;

use serde_json::Value;

use crate::sandbox::Sandbox;

/// Every format of a report.
pub(crate) const FORMATS: [&str; 7] = ["full", "concise", "json", "github", "sarif", "gitlab", "junit"];

/// What `check` with these arguments writes to standard output.
fn report(sandbox: &Sandbox, args: &str) -> String {
    let output = sandbox.guard(&format!("check {args}")).assert();
    String::from_utf8(output.get_output().stdout.clone()).unwrap()
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// The results of the one run of a SARIF log.
fn results(log: &Value) -> &Vec<Value> {
    log["runs"][0]["results"].as_array().unwrap()
}

fn uri(result: &Value) -> &str {
    result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].as_str().unwrap()
}

fn fingerprint(result: &Value) -> &str {
    result["partialFingerprints"]["handoffGuard/v1"].as_str().unwrap()
}
