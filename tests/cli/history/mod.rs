//! `check --since` and `check --staged` in scratch repositories.

#[cfg(unix)]
mod attacks;
mod lineage;
mod places;
mod staged;
mod troubles;

use snapbox::cmd::OutputAssert;

use crate::sandbox::{Sandbox, git};

/// One session from its first version to the sealed one.
const LIFE: [&str; 8] = [
    include_str!("../../../fixtures/succession/legal/three-rounds-to-ready/01-opened.handoff.md"),
    include_str!("../../../fixtures/succession/legal/three-rounds-to-ready/02-round-1-asks.handoff.md"),
    include_str!("../../../fixtures/succession/legal/three-rounds-to-ready/03-round-1-answered.handoff.md"),
    include_str!("../../../fixtures/succession/legal/three-rounds-to-ready/04-round-2-asks.handoff.md"),
    include_str!("../../../fixtures/succession/legal/three-rounds-to-ready/05-round-2-answered.handoff.md"),
    include_str!("../../../fixtures/succession/legal/three-rounds-to-ready/06-round-3-asks.handoff.md"),
    include_str!("../../../fixtures/succession/legal/three-rounds-to-ready/07-review-pending.handoff.md"),
    include_str!("../../../fixtures/succession/legal/three-rounds-to-ready/08-ready.handoff.md"),
];

/// The only handoff file of most tests.
const FILE: &str = "handoff-x.md";

struct Repository(Sandbox);

impl Repository {
    /// A repository with one commit, tagged `start`, and no handoff file; `None` where there is no git.
    fn new() -> Option<Self> {
        let sandbox = Sandbox::new();
        sandbox.write("notes.md", "notes\n");
        git(&sandbox, "", "init --quiet --initial-branch=main")?;
        let repository = Self(sandbox);
        repository.git("config core.autocrlf false");
        repository.commit();
        repository.git("tag start");
        Some(repository)
    }

    fn git(&self, args: &str) -> String {
        git(&self.0, "", args).unwrap()
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        self.0.write(name, text);
    }

    fn remove(&self, name: &str) {
        self.git(&format!("rm --quiet {name}"));
    }

    /// Commits everything; the first ten digits of the commit.
    fn commit(&self) -> String {
        self.git("add --all");
        self.git("commit --quiet --allow-empty -m x");
        self.head()
    }

    /// The first ten digits of the commit that stands last.
    fn head(&self) -> String {
        self.git("rev-parse HEAD").chars().take(10).collect()
    }

    /// Commits a version of [`FILE`].
    fn version(&self, text: impl AsRef<[u8]>) -> String {
        self.write(FILE, text);
        self.commit()
    }

    fn check(&self, args: &str) -> OutputAssert {
        self.0.guard(&format!("check --output-format concise {args}")).assert()
    }
}

/// `label: error[rule]` of each line of a concise report.
fn findings(assert: &OutputAssert) -> Vec<String> {
    let report = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
    let finding = |line: &str| {
        let (place, rest) = line.split_once(": ").unwrap();
        let name = place.rsplitn(3, ':').last().unwrap();
        format!("{name}: {}", rest.split(']').next().unwrap().rsplit('[').next().unwrap())
    };
    report.lines().map(finding).collect()
}

fn stderr(assert: &OutputAssert) -> String {
    String::from_utf8(assert.get_output().stderr.clone()).unwrap()
}

/// The same version with another text, at the same instant.
fn reworded(version: &str) -> String {
    assert!(version.contains("overshooting"));
    version.replace("overshooting", "swinging")
}
