//! What a recovery found, what it decided, and why (PROTOCOL §13).

use std::cmp::Ordering;

use serde::Serialize;

use super::concise;
use super::{all_lossy, lossy};
use crate::protocol::credential::without_credentials;
use crate::protocol::timestamp::Timestamp;
use crate::store::Names;
use crate::store::fs::Kind;
use crate::store::recover::{Damage, Found, Origin, Outcome, Recovery, Version};

/// What a recovery was asked for, as far as it explains what was done.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    /// Whether damage was reported.
    pub damage: Damage,
}

/// A recovery, for programs.
#[derive(Debug, Serialize)]
pub(super) struct Recovered {
    session_origin: Option<&'static str>,
    official: File,
    backup: File,
    reason: String,
    set_aside: Option<String>,
    leftovers: Vec<String>,
    leftovers_removed: bool,
    conflict_copies: Vec<String>,
    expected_stands: Option<bool>,
}

/// A file as it was found.
#[derive(Debug, Serialize)]
struct File {
    name: String,
    found: &'static str,
    version: Option<Described>,
    detail: Option<String>,
    defects: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Described {
    session_id: String,
    digest: String,
    status: Option<&'static str>,
    round: Option<u32>,
    updated_at: String,
}

impl Recovered {
    pub(super) fn new(names: &Names, recovery: &Recovery, asked: Asked) -> Self {
        Self {
            session_origin: recovery.session.as_ref().map(|session| match session.origin {
                Origin::Caller => "caller",
                Origin::Official => "official",
                Origin::Backup => "backup",
            }),
            official: File::new(lossy(&names.official), &recovery.official),
            backup: File::new(lossy(&names.backup), &recovery.backup),
            reason: reason(recovery, asked.damage),
            set_aside: recovery.set_aside.as_deref().map(lossy),
            leftovers: all_lossy(&recovery.leftovers),
            leftovers_removed: !recovery.leftovers.is_empty() && recovery.removed == recovery.leftovers,
            conflict_copies: all_lossy(&recovery.conflicts),
            expected_stands: recovery.expected_stands,
        }
    }

    /// For people, not escaped.
    pub(super) fn lines(&self, session: Option<&str>) -> Vec<String> {
        let session = match (session, self.session_origin) {
            (Some(id), Some("caller")) => format!("session: {id}, as given"),
            (Some(id), Some("official")) => format!("session: {id}, taken from the official file"),
            (Some(id), Some(_)) => format!("session: {id}, taken from the backup"),
            _ => "session: unknown, because no front matter can be read".to_owned(),
        };
        let mut lines = vec![session];
        for (label, file) in [("official", &self.official), ("backup", &self.backup)] {
            lines.push(format!("{label}: {}", file.text()));
            lines.extend(file.defects.iter().map(|defect| format!("  {defect}")));
        }
        lines.push(format!("why: {}", self.reason));
        lines.extend(self.set_aside.iter().map(|name| format!("set aside: {name}")));
        let kept = if self.leftovers_removed { "removed" } else { "left by a dead writer, never read; see --prune" };
        lines.extend(self.leftovers.iter().map(|name| format!("leftover: {name}, {kept}")));
        let copies = self.conflict_copies.iter();
        lines.extend(copies.map(|name| format!("conflict copy: {name}, made by a synchronisation service, not read")));
        lines.extend(
            self.expected_stands
                .map(|stands| format!("expected version: {}", if stands { "it stands" } else { "it does not stand" })),
        );
        lines
    }
}

impl File {
    fn new(name: String, found: &Found) -> Self {
        let nothing = Self { name, found: "missing", version: None, detail: None, defects: Vec::new() };
        match found {
            Found::Missing => nothing,
            Found::Verifiable(version) => {
                Self { found: "verifiable", version: Some(Described::new(version)), ..nothing }
            }
            Found::Defective { zeros: true, .. } => {
                let detail = "every byte is NUL: the file system lost a write".to_owned();
                Self { found: "lost-write", detail: Some(detail), ..nothing }
            }
            Found::Defective { source, diagnostics, zeros: false } => {
                Self { found: "defective", defects: concise::lines(source, diagnostics.errors()), ..nothing }
            }
            Found::Unreadable(error) => Self { found: "unreadable", detail: Some(error.to_string()), ..nothing },
            Found::NotRegular(kind) => {
                let detail = match kind {
                    Kind::Symlink => "a symbolic link",
                    Kind::Directory => "a directory",
                    Kind::Special | Kind::Regular => "a device, FIFO or socket",
                };
                Self { found: "not-regular", detail: Some(detail.to_owned()), ..nothing }
            }
        }
    }

    fn text(&self) -> String {
        let found = match self.found {
            "defective" | "lost-write" => "not verifiable",
            "not-regular" => "no regular file",
            found => found,
        };
        let detail = self.detail.iter().map(|detail| format!(", {detail}"));
        let version = self.version.iter().map(|version| format!(", {}", version.text()));
        let more: String = detail.chain(version).collect();
        format!("{}: {found}{more}", self.name)
    }
}

impl Described {
    fn new(version: &Version) -> Self {
        Self {
            session_id: without_credentials(&version.session_id),
            digest: version.digest.to_string(),
            status: version.progress.map(|progress| progress.status.as_str()),
            round: version.progress.map(|progress| progress.round),
            updated_at: version.updated_at.clone(),
        }
    }

    fn text(&self) -> String {
        let progress = self.status.zip(self.round).map(|(status, round)| format!(", {status}, round {round}"));
        let progress = progress.unwrap_or_default();
        format!("session {}{progress}, updated {}, sha256 {}", self.session_id, self.updated_at, self.digest)
    }
}

pub(super) const fn outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Healthy => "healthy",
        Outcome::Restored => "restored",
        Outcome::WouldRestore => "would-restore",
        Outcome::OtherSession => "other-session",
        Outcome::Nothing => "nothing-verifiable",
    }
}

pub(super) fn version(found: &Found) -> Option<&Version> {
    match found {
        Found::Verifiable(version) => Some(version),
        Found::Missing | Found::Defective { .. } | Found::Unreadable(_) | Found::NotRegular(_) => None,
    }
}

/// The version that the recovery decided for.
pub(super) fn standing(recovery: &Recovery) -> Option<&Version> {
    match recovery.outcome {
        Outcome::Healthy => version(&recovery.official),
        Outcome::Restored | Outcome::WouldRestore => version(&recovery.backup),
        Outcome::OtherSession | Outcome::Nothing => None,
    }
}

/// The row of the table that applied, in words.
fn reason(recovery: &Recovery, damage: Damage) -> String {
    let session = recovery.session.as_ref().map(|session| session.id.as_str());
    let ours = |found| version(found).filter(|version| Some(version.session_id.as_str()) == session);
    let both = ours(&recovery.official).zip(ours(&recovery.backup));
    match (recovery.outcome, both, damage) {
        (Outcome::Healthy, Some((official, backup)), Damage::Reported) => {
            format!(
                "damage was reported, both files are verifiable, and {}",
                comparison("official file", official, backup)
            )
        }
        (Outcome::Healthy, None, Damage::Reported) => {
            "damage was reported, but the backup is no verifiable version of this session".to_owned()
        }
        (Outcome::Healthy, _, Damage::NotReported) => {
            "the official file is a verifiable version of this session".to_owned()
        }
        (Outcome::Restored | Outcome::WouldRestore, Some((official, backup)), _) => {
            format!("damage was reported, both files are verifiable, and {}", comparison("backup", backup, official))
        }
        (Outcome::Restored | Outcome::WouldRestore, None, _) => {
            let official = if matches!(recovery.official, Found::Missing) { "is missing" } else { "is not verifiable" };
            format!("the official file {official}, and the backup is a verifiable version of this session")
        }
        (Outcome::OtherSession, ..) => "the official file is a verifiable version of another session".to_owned(),
        (Outcome::Nothing, ..) => "neither file is a verifiable version of this session".to_owned(),
    }
}

/// Why `chosen` was preferred.
fn comparison(name: &str, chosen: &Version, other: &Version) -> String {
    let instant = |version: &Version| Timestamp::parse(&version.updated_at).ok();
    let round = |version: &Version| version.progress.map(|progress| progress.round);
    match (instant(chosen).cmp(&instant(other)), round(chosen).cmp(&round(other))) {
        (Ordering::Greater, _) => format!("the {name} has the later `updated_at`"),
        (_, Ordering::Less) => format!("at the same `updated_at` the {name} has the lower round"),
        (_, Ordering::Equal | Ordering::Greater) => format!("with the same `updated_at` and round the {name} stands"),
    }
}
