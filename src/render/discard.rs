//! Which files of a session go, what each of them is, and why that matters (the source §7).

use serde::Serialize;

use super::lossy;
use crate::protocol::credential::without_credentials;
use crate::store::discard::{self, Discarded, Fate, Role};
use crate::store::replace::Extent;

/// One file, for programs.
#[derive(Debug, Serialize)]
pub(super) struct File {
    name: String,
    role: &'static str,
    fate: &'static str,
    detail: Option<String>,
    #[serde(skip)]
    described: &'static str,
}

const WOULD_REMOVE: &str = "would-remove";

/// What somebody should know before the files are gone.
const EFFECT: &str = "these files are the only record of the session that can be verified, and nothing brings them back; \
                      `export` keeps a copy";

/// Every file, in the order of removal.
pub(super) fn files(discarded: &Discarded, extent: Extent) -> Vec<File> {
    discarded.files.iter().map(|file| File::new(file, extent)).collect()
}

/// For people.
pub(super) fn lines(files: &[File]) -> Vec<String> {
    let mut lines: Vec<String> = files.iter().map(File::line).collect();
    if files.iter().any(|file| file.fate == WOULD_REMOVE) {
        lines.extend([format!("why it matters: {EFFECT}"), "next: say --yes to remove them".to_owned()]);
    }
    lines
}

impl File {
    fn new(file: &discard::File, extent: Extent) -> Self {
        let (fate, detail) = match (&file.fate, extent) {
            (Fate::Goes, Extent::Commit) => ("removed", None),
            (Fate::Goes, Extent::DryRun) => (WOULD_REMOVE, None),
            (Fate::OtherSession(session), _) => {
                let detail =
                    format!("it belongs to the session `{}`; --force removes it", without_credentials(session));
                ("left", Some(detail))
            }
            (Fate::NotRegular, _) => ("left", Some("it is no regular file".to_owned())),
            (Fate::Stuck(error), _) => ("left", Some(format!("it could not be removed: {error}; it holds nothing"))),
        };
        let (role, described) = words(file.role);
        Self { name: lossy(&file.name), role, fate, detail, described }
    }

    fn line(&self) -> String {
        let Self { name, fate, described, .. } = self;
        let detail = self.detail.as_ref().map(|detail| format!("; {detail}")).unwrap_or_default();
        format!("{}: {name}: {described}{detail}", fate.replace('-', " "))
    }
}

/// A role for programs and for people.
const fn words(role: Role) -> (&'static str, &'static str) {
    match role {
        Role::Leftover => ("leftover", "a temporary file of a writer that died"),
        Role::Rejected => ("rejected", "the newest candidate that was refused"),
        Role::Damaged => ("damaged", "a damaged file that was set aside"),
        Role::Backup => ("backup", "the version before"),
        Role::Official => ("official", "the handoff itself"),
        Role::Lock => ("lock", "the lock file, which holds nothing"),
    }
}
