//! `handoff-guard init`: the first version of a new session.

use std::collections::hash_map::RandomState;
use std::env;
use std::ffi::OsStr;
use std::fs;
use std::hash::{BuildHasher as _, Hasher as _};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::args::{InitArgs, Links};
use super::clock::now;
use super::exit::Exit;
use super::receipt::{Candidate, Teller};
use super::target::{self, Target};
use super::{git, signals};
use crate::check::{Baseline, Verdict, check, session_id};
use crate::lifecycle::init::{Facts, compose};
use crate::protocol::credential::without_credentials;
use crate::protocol::profile::Profile;
use crate::render::receipt::{Command, Refusal};
use crate::source::Source;
use crate::store::error::Error;
use crate::store::fs::{Directory as _, Kind};
use crate::store::replace::{Extent, Request, Start, write};

/// How long to wait for another writer: nobody else should know the new name.
const PATIENCE: Duration = Duration::from_secs(10);

pub(crate) fn run(args: &InitArgs) -> Exit {
    signals::let_large_writes_fail();
    let session_id = args.session_id.clone().unwrap_or_else(random_id);
    let default = PathBuf::from(format!("handoff-{session_id}.md"));
    let file = args.file.as_ref().unwrap_or(&default);
    let teller = Teller::new(Command::Init, file, args.output.output_format);
    if args.file.is_none() && !is_plain(&session_id) {
        let failure = Refusal::new("the session id makes no good file name", "say FILE");
        return teller.refuse(Exit::Unusable, failure);
    }
    let target = match target::open(file, Links::Refuse) {
        Ok(target) => target,
        Err(failure) => return teller.refuse(Exit::Unusable, failure),
    };
    if let Err((exit, failure)) = allowed(args, &session_id, &target) {
        return teller.refuse(exit, failure);
    }
    let text = match composed(args, &session_id) {
        Ok(text) => text,
        Err(failure) => return teller.refuse(Exit::Unusable, failure),
    };
    let source = Source::new(text);
    let candidate = Candidate { name: teller.path(), source: &source, previous: None };
    let baseline = Baseline::Init { session_id: &session_id };
    if let Verdict::Invalid(diagnostics) = check(&source, Profile::Full, baseline) {
        let failure = Refusal::new("what the arguments say makes no valid handoff; nothing was written", "change them");
        return teller.reject(&diagnostics, failure, &candidate);
    }
    let start = Start::First { session_id: &session_id };
    let (bytes, extent) = (source.bytes(), Extent::Commit);
    let request = Request { bytes, start, expected: None, patience: PATIENCE, extent };
    match write(&target.directory, &target.names, request) {
        Ok(receipt) => teller.wrote(&source, &receipt),
        Err(error) => teller.failed(&error, &candidate),
    }
}

/// 128 random bits.
fn random_id() -> String {
    let half = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", half(), half())
}

/// True for a session id that can stand in a file name everywhere.
fn is_plain(session_id: &str) -> bool {
    session_id.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
}

/// Refuses the root of a repository, a name that is taken, and a session that was there before.
fn allowed(args: &InitArgs, session_id: &str, target: &Target) -> Result<(), (Exit, Refusal)> {
    target::outside_root(target, args.here).map_err(|failure| (Exit::Unusable, failure))?;
    if let Ok(Some(_)) = target.directory.stat(&target.names.official) {
        let error = Error::Exists { path: target.names.official.clone(), kept: None };
        let failure = Refusal::new(error.to_string(), "choose another name, or write the version that follows it");
        return Err((Exit::from(&error), failure));
    }
    match earlier(session_id, target) {
        Ok(None) => Ok(()),
        Ok(Some(name)) => {
            let message = format!(
                "the session `{}` has been here before: `{name}` belongs to it",
                without_credentials(session_id)
            );
            let help = "begin a new session with another id; an old one is continued with `write` or restored with \
                        `recover`, and a damaged one stays damaged";
            Err((Exit::Conflict, Refusal::new(message, help)))
        }
        Err(error) => {
            let failure = Refusal::new(format!("the directory cannot be read: {error}"), "make it readable");
            Err((Exit::Unusable, failure))
        }
    }
}

/// A file in the directory that belongs to the session already: a version, a damaged one, a backup, a rejected candidate.
fn earlier(session_id: &str, target: &Target) -> io::Result<Option<String>> {
    let default = format!("handoff-{session_id}.md");
    let mut names = target.directory.list()?;
    names.sort();
    for name in names.iter().filter(|name| may_be_a_version(name)) {
        let shown = name.to_string_lossy();
        let named = shown.strip_prefix(&default).is_some_and(|rest| rest.starts_with('.') || rest.is_empty());
        if named || holds(session_id, name, target) {
            return Ok(Some(shown.into_owned()));
        }
    }
    Ok(None)
}

fn may_be_a_version(name: &OsStr) -> bool {
    let bytes = name.as_encoded_bytes();
    let ended = [&b".md"[..], b".bak", b".rejected", b".damaged"].iter().any(|end| bytes.ends_with(end));
    ended || bytes.windows(b".damaged-".len()).any(|part| part == b".damaged-")
}

fn holds(session_id: &str, name: &OsStr, target: &Target) -> bool {
    let regular = target.directory.stat(name).is_ok_and(|found| found.is_some_and(|found| found.kind == Kind::Regular));
    let read = || target.directory.read(name, Source::MAX_BYTES + 1).ok();
    regular && read().and_then(|read| self::session_id(&Source::new(read.bytes))).as_deref() == Some(session_id)
}

/// The text of the first version.
///
/// # Errors
/// Why a fact cannot be had.
fn composed(args: &InitArgs, session_id: &str) -> Result<String, Refusal> {
    let here = env::current_dir().map_err(|error| {
        Refusal::new(format!("the current directory is unknown: {error}"), "change into another one")
    })?;
    let given = args.repository.as_deref();
    let directory = given.and_then(|given| fs::canonicalize(given).ok()).filter(|path| path.is_dir());
    let git = git::facts(directory.as_ref().unwrap_or(&here));
    let repository = match (directory, given) {
        (Some(directory), _) => text_of(&directory),
        (None, Some(identifier)) => identifier.to_owned(),
        (None, None) => text_of(git.top.as_deref().unwrap_or(&here)),
    };
    let now = now().ok_or_else(|| Refusal::new("the clock is not between the years 1970 and 9999", "set the clock"))?;
    Ok(compose(&Facts {
        session_id,
        repository: &repository,
        branch: git.branch.as_deref(),
        base_commit: git.commit.as_deref(),
        working_tree: git.tree,
        now: &now,
        objective: &args.objective,
        next_action: &args.next_action,
        acceptance: &args.acceptance,
        completed: &args.completed,
        pending: &args.pending,
        constraints: &args.constraint,
        changed_files: &args.changed_file,
        failed_attempts: &args.failed_attempt,
        risks: &args.risk,
        assumptions: &args.assumption,
        evidence: &args.evidence,
        modified: &args.modified,
        verified: &args.verified,
    }))
}

fn text_of(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
