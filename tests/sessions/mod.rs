//! Whole sessions by the commands only: `init`, `audit`, `answer`, `seal`, `set`.

mod defects;
mod hostile;
mod lives;
#[cfg(unix)]
mod readme;
mod sections;
mod wrong_steps;

use handoff_guard::check::{Baseline, check, verify};
use handoff_guard::protocol::profile::Profile;
use handoff_guard::source::Source;
use serde_json::Value;
use snapbox::cmd::OutputAssert;

use crate::sandbox::{GUARD, Sandbox};

pub(crate) const FILE: &str = "h.md";

/// The six fields of a report, each a list of passages; an empty one is `none`.
pub(crate) struct Report<'r> {
    pub(crate) status: &'r str,
    pub(crate) questions: &'r [&'r str],
    pub(crate) conflicts: &'r [&'r str],
    pub(crate) risks: &'r [&'r str],
    pub(crate) unknowns: &'r [&'r str],
    pub(crate) evidence: &'r [&'r str],
}

/// A round that asks one question and finds nothing.
pub(crate) const ASKS: Report<'_> =
    Report { status: "NEEDS_ANSWERS", questions: &["Why?"], conflicts: &[], risks: &[], unknowns: &[], evidence: &[] };

/// A round, or a review, that finds everything in order.
pub(crate) const FINE: Report<'_> = Report { status: "READY", questions: &[], evidence: &["src/a.rs:3"], ..ASKS };

impl Report<'_> {
    fn fields(&self) -> [(&'static str, Vec<&str>); 6] {
        [
            ("Status", vec![self.status]),
            ("Questions", self.questions.to_vec()),
            ("Conflicts", self.conflicts.to_vec()),
            ("Risks", self.risks.to_vec()),
            ("Unknowns", self.unknowns.to_vec()),
            ("Evidence", self.evidence.to_vec()),
        ]
    }

    /// With headings of `level`.
    pub(crate) fn markdown(&self, level: usize) -> String {
        let field = |(title, said): (&str, Vec<&str>)| {
            let content = match said.as_slice() {
                [] => "none".to_owned(),
                [word] if title == "Status" => (*word).to_owned(),
                said => said.iter().map(|text| format!("- {text}")).collect::<Vec<_>>().join("\n"),
            };
            format!("{} {title}\n{content}\n", "#".repeat(level))
        };
        self.fields().map(field).join("\n")
    }

    /// An object with its members in the order of the contract.
    pub(crate) fn json(&self) -> String {
        let field = |(title, said): (&str, Vec<&str>)| {
            let value = match said.as_slice() {
                [] => Value::from("none"),
                [word] if title == "Status" => Value::from(*word),
                said => Value::from(said.to_vec()),
            };
            format!("\"{title}\":{value}")
        };
        format!("{{{}}}", self.fields().map(field).join(","))
    }
}

/// A session on disk, of which every version is checked against the one before.
pub(crate) struct Life {
    pub(crate) sandbox: Sandbox,
    version: Vec<u8>,
}

impl Life {
    /// A session that has begun, about `objective`.
    pub(crate) fn begin(objective: &str, next_action: &str) -> Self {
        let sandbox = Sandbox::new();
        let args = ["init", FILE, "--session-id", "s-1", "--objective", objective, "--next-action", next_action];
        sandbox.command(GUARD).args(args).assert().code(0);
        let version = sandbox.read(FILE);
        Self { sandbox, version }
    }

    /// A session whose official file is `version`.
    pub(crate) fn at(version: impl Into<Vec<u8>>) -> Self {
        let (sandbox, version) = (Sandbox::new(), version.into());
        sandbox.write(FILE, &version);
        Self { sandbox, version }
    }

    /// Runs a step with `input` on standard input; it may end in any way.
    pub(crate) fn attempt(&self, args: &[&str], input: &str) -> OutputAssert {
        self.sandbox.command(GUARD).arg(args[0]).arg(FILE).args(&args[1..]).stdin(input).assert()
    }

    /// Takes a step that must succeed and lead to `status`; its version can follow the one before.
    pub(crate) fn step(&mut self, args: &[&str], input: &str, status: &str) {
        self.attempt(args, input).code(0).stderr_eq("");
        let (before, now) = (Source::new(self.version.clone()), Source::new(self.sandbox.read(FILE)));
        let previous = verify(&before, Profile::Full).unwrap();
        let verdict = check(&now, Profile::Full, Baseline::Update { previous: &previous });
        assert!(verdict.is_valid(), "{args:?}\n{input}\n{:#?}", verdict.diagnostics());
        let reached = verify(&now, Profile::Full).unwrap().document().status().unwrap().value;
        assert_eq!(reached.as_str(), status, "{args:?}");
        assert_eq!(self.sandbox.read(format!("{FILE}.bak")), self.version);
        self.version = now.bytes().to_vec();
    }

    /// Takes a step that must be refused with `code` and change nothing; what it says on standard error.
    pub(crate) fn refused(&self, args: &[&str], input: &str, code: i32) -> String {
        let names = self.sandbox.names("");
        let output = self.attempt(args, input).code(code).get_output().clone();
        assert_eq!(self.sandbox.read(FILE), self.version, "{args:?}");
        assert_eq!(self.sandbox.names(""), names, "{args:?}");
        String::from_utf8(output.stderr).unwrap()
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.version.clone()).unwrap()
    }
}
