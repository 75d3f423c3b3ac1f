//! A repository's history, index and working tree, as far as they hold handoff files. Paths are bytes below the top of the
//! repository, separated by `/`; no answer is quoted, and no name is taken for an option or a pattern.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, BufRead, Read};
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use super::{Failure, Git, read_to_end};
use crate::cli::paths::path_of;
use crate::source::Source;

/// How long git may take for one answer.
const PATIENCE: Duration = Duration::from_secs(120);

/// How many bytes of versions are held at a time.
const MOST_BYTES: usize = 1024 * 1024 * 1024;

/// The id of an object, in hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Id(String);

/// A commit of the history.
#[derive(Debug)]
pub(crate) struct Commit {
    pub(crate) id: Id,
    pub(crate) parents: Vec<Id>,
}

/// What became of one path.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) path: Vec<u8>,
    /// What stood there; `None` for nothing.
    pub(crate) old: Option<Entry>,
    /// What stands there; `None` for nothing.
    pub(crate) new: Option<Entry>,
    /// A merge left several versions of it in the index.
    pub(crate) conflict: bool,
}

/// What stands at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Entry {
    /// A file whose bytes the repository has.
    File(Id),
    /// A file of the working tree.
    OnDisk,
    /// Something else.
    Other(&'static str),
}

/// Which changes are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Only {
    Everything,
    Deletions,
}

/// A repository and where in it the process stands.
#[derive(Debug)]
pub(crate) struct Repository {
    git: Git,
    /// The top of the working tree; a bare repository has none.
    pub(crate) top: Option<PathBuf>,
    /// A part of the history is missing.
    pub(crate) shallow: bool,
    /// The current directory below the top, with a `/` at its end.
    prefix: Vec<u8>,
}

impl Id {
    /// All digits.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    fn read(bytes: &[u8]) -> Result<Self, Failure> {
        let text = str::from_utf8(bytes).ok().map(str::trim_end).filter(|text| !text.is_empty());
        let id = text.filter(|text| text.bytes().all(|byte| byte.is_ascii_hexdigit()));
        id.map(|id| Self(id.to_owned())).ok_or_else(|| unexpected("an object id"))
    }

    /// The id of a file's bytes; git writes zeros when it does not know it.
    fn known(self) -> Option<Self> {
        Some(self).filter(|id| id.0.bytes().any(|digit| digit != b'0'))
    }
}

impl Repository {
    /// The repository around `directory`.
    ///
    /// # Errors
    /// There is none, or git does not say.
    pub(crate) fn around(directory: &Path) -> Result<Self, Failure> {
        let git = Git::new(directory, PATIENCE);
        let kind = git.ask(&["rev-parse", "--is-bare-repository", "--is-shallow-repository", "--show-prefix"])?;
        let mut lines = kind.splitn(3, |&byte| byte == b'\n');
        let (bare, shallow) = (lines.next() == Some(b"true"), lines.next() != Some(b"false"));
        if bare {
            return Ok(Self { git, top: None, shallow, prefix: Vec::new() });
        }
        let top = git.ask(&["rev-parse", "--show-toplevel"])?;
        let top = path_of(top.strip_suffix(b"\n").unwrap_or(&top));
        let prefix = lines.next().map(|prefix| prefix.strip_suffix(b"\n").unwrap_or(prefix)).unwrap_or_default();
        Ok(Self { git: Git::new(&top, PATIENCE), top: Some(top), shallow, prefix: prefix.to_owned() })
    }

    /// Takes the index that a hook of git names, which is the one that will be committed.
    pub(crate) fn use_index_of_hook(&mut self) {
        let given = env::var_os("GIT_INDEX_FILE").map(PathBuf::from);
        self.git.index = given.and_then(|index| std::path::absolute(index).ok()).map(PathBuf::into_os_string);
    }

    /// The path below the top that the process means by `path`; `None` when it lies outside.
    pub(crate) fn inside(&self, path: &Path) -> Option<Vec<u8>> {
        let (mut parts, rest) = if path.is_absolute() {
            (Vec::new(), below(self.top.as_deref()?, path)?)
        } else {
            let prefix = self.prefix.split(|&byte| byte == b'/').filter(|part| !part.is_empty());
            (prefix.map(<[u8]>::to_vec).collect(), path.to_owned())
        };
        for part in rest.components() {
            match part {
                Component::Normal(name) => parts.push(name.as_encoded_bytes().to_vec()),
                Component::CurDir => {}
                Component::ParentDir => drop(parts.pop()?),
                Component::Prefix(_) | Component::RootDir => return None,
            }
        }
        Some(parts.join(&b'/'))
    }

    /// A path below the top, as the process would name it.
    pub(crate) fn as_seen(&self, path: &[u8]) -> PathBuf {
        let mut up = Vec::new();
        let mut here = self.prefix.as_slice();
        let rest = loop {
            if let Some(rest) = path.strip_prefix(here) {
                break rest;
            }
            up.extend(b"../");
            let parent = here.strip_suffix(b"/").unwrap_or(here).iter().rposition(|&byte| byte == b'/');
            here = here.get(..parent.map_or(0, |slash| slash + 1)).unwrap_or_default();
        };
        path_of(&[&up, rest].concat())
    }

    /// The commit that `revision` names; `None` when it names none.
    ///
    /// # Errors
    /// Git cannot be asked.
    pub(crate) fn commit(&self, revision: &str) -> Result<Option<Id>, Failure> {
        let commit = format!("{revision}^{{commit}}");
        match self.git.ask(&["rev-parse", "--verify", "--quiet", "--end-of-options", &commit]) {
            Ok(id) => Id::read(&id).map(Some),
            Err(Failure::Refused(_)) => Ok(None),
            Err(failure) => Err(failure),
        }
    }

    /// The last commit that two have in common, if any.
    ///
    /// # Errors
    /// Git cannot be asked.
    pub(crate) fn merge_base(&self, one: &Id, other: &Id) -> Result<Option<Id>, Failure> {
        match self.git.ask(&["merge-base", &one.0, &other.0]) {
            Ok(id) => Id::read(&id).map(Some),
            Err(Failure::Refused(said)) if said.is_empty() => Ok(None),
            Err(failure) => Err(failure),
        }
    }

    /// The commits that lead to `until` and not to `since`, parents first.
    ///
    /// # Errors
    /// Git cannot be asked.
    pub(crate) fn commits(&self, since: Option<&Id>, until: &Id) -> Result<Vec<Commit>, Failure> {
        let without = since.map(|id| format!("^{}", id.0));
        let range = ["rev-list", "--topo-order", "--reverse", "--parents", &until.0].into_iter();
        let answer = self.git.ask(&range.chain(without.as_deref()).collect::<Vec<_>>())?;
        let lines = answer.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
        let commit = |line: &[u8]| {
            let mut ids = line.split(|&byte| byte == b' ').map(Id::read);
            let id = ids.next().unwrap_or_else(|| Err(unexpected("a commit")))?;
            Ok(Commit { id, parents: ids.collect::<Result<_, _>>()? })
        };
        lines.map(commit).collect()
    }

    /// What each commit changed in each of its parents, in their order; in nothing, when it has no parent.
    ///
    /// # Errors
    /// Git cannot be asked.
    pub(crate) fn changes(
        &self,
        commits: &[Commit],
        only: Only,
        specs: &[OsString],
    ) -> Result<Vec<Vec<Vec<Change>>>, Failure> {
        let mut input = String::new();
        for Commit { id, parents } in commits {
            input.extend(parents.iter().map(|parent| format!("{} {}\n", id.0, parent.0)));
            if parents.is_empty() {
                input.extend([&id.0, "\n"]);
            }
        }
        let mut args = words(&["diff-tree", "--stdin", "--always", "--root", "-r"]);
        args.extend(words(RAW));
        args.extend((only == Only::Deletions).then(|| "--diff-filter=D".into()));
        let answer = self.git.run(&with_specs(args, specs), input.into_bytes(), read_to_end)?;
        // What stands before the first header is nothing.
        let mut groups = groups(&answer)?.into_iter().skip(1);
        let all = commits.iter().map(|commit| groups.by_ref().take(commit.parents.len().max(1)).collect()).collect();
        let complete =
            commits.iter().zip(&all).all(|(commit, of): (_, &Vec<_>)| of.len() == commit.parents.len().max(1));
        if complete && groups.next().is_none() { Ok(all) } else { Err(unexpected("the changes of each commit")) }
    }

    /// Every file of a commit, as what it changed in nothing.
    ///
    /// # Errors
    /// Git cannot be asked.
    pub(crate) fn tree(&self, commit: &Id, specs: &[OsString]) -> Result<Vec<Change>, Failure> {
        let mut args = words(&["diff-tree", "-r"]);
        args.extend(words(RAW));
        args.extend(words(&[&self.nothing()?.0, &commit.0]));
        self.diff(args, specs)
    }

    /// What the index changes in a commit; in nothing, when there is no commit yet.
    ///
    /// # Errors
    /// Git cannot be asked.
    pub(crate) fn staged(&self, commit: Option<&Id>, specs: &[OsString]) -> Result<Vec<Change>, Failure> {
        let mut args = words(&["diff-index", "--cached", "--ita-invisible-in-index"]);
        args.extend(words(RAW));
        args.push(match commit {
            Some(commit) => (&commit.0).into(),
            None => self.nothing()?.0.into(),
        });
        self.diff(args, specs)
    }

    /// What the working tree changes in a commit, files included that git does not track and does not ignore.
    ///
    /// # Errors
    /// Git cannot be asked.
    pub(crate) fn unstaged(&self, commit: &Id, specs: &[OsString]) -> Result<Vec<Change>, Failure> {
        // What lies inside a submodule is its own repository's, with a configuration of its own.
        let mut args = words(&["diff", "--no-ext-diff", "--ignore-submodules=dirty"]);
        args.extend(words(RAW));
        args.push((&commit.0).into());
        let mut changes = last_group(&self.git.ask_about_files(&with_specs(args, specs))?)?;
        let untracked = with_specs(words(&["ls-files", "--others", "--exclude-standard", "-z"]), specs);
        let untracked = self.git.ask(&untracked)?;
        let paths = untracked.split(|&byte| byte == 0).filter(|path| !path.is_empty());
        changes.extend(paths.map(|path| Change {
            path: path.to_owned(),
            old: None,
            new: Some(Entry::OnDisk),
            conflict: false,
        }));
        Ok(changes)
    }

    /// The bytes of files, in the order of their ids; of one that is too large for a document, a byte more than fits.
    ///
    /// # Errors
    /// Git cannot be asked, or does not have one of them.
    pub(crate) fn files(&self, ids: &[Id]) -> Result<Vec<Source>, Failure> {
        let input: String = ids.iter().flat_map(|id| [&id.0, "\n"]).collect();
        let count = ids.len();
        self.git.run(&["cat-file", "--batch"], input.into_bytes(), move |mut answer| {
            let mut room = MOST_BYTES;
            (0..count).map(|_| next_file(&mut answer, &mut room)).collect()
        })
    }

    fn diff(&self, args: Vec<OsString>, specs: &[OsString]) -> Result<Vec<Change>, Failure> {
        last_group(&self.git.ask(&with_specs(args, specs))?)
    }

    /// The tree without any file, which every repository knows.
    fn nothing(&self) -> Result<Id, Failure> {
        Id::read(&self.git.ask(&["hash-object", "-t", "tree", "--stdin"])?)
    }
}

/// Changes as records that end with NUL; a moved file is one that is gone and one that is new.
const RAW: &[&str] = &["--raw", "-z", "--no-abbrev", "--no-renames"];

fn words(args: &[&str]) -> Vec<OsString> {
    args.iter().map(Into::into).collect()
}

fn with_specs(mut args: Vec<OsString>, specs: &[OsString]) -> Vec<OsString> {
    args.push("--".into());
    args.extend_from_slice(specs);
    args
}

fn unexpected(what: &str) -> Failure {
    Failure::Unreadable(io::Error::new(io::ErrorKind::InvalidData, format!("{what} was expected")))
}

/// `path` below `top`, whichever links lead there.
fn below(top: &Path, path: &Path) -> Option<PathBuf> {
    if let Ok(rest) = path.strip_prefix(top) {
        return Some(rest.to_owned());
    }
    let (top, folder) = (fs::canonicalize(top).ok()?, fs::canonicalize(path.parent()?).ok()?);
    Some(folder.strip_prefix(top).ok()?.join(path.file_name()?))
}

/// Reads records of changes; whatever else stands there is a header that begins another group.
fn groups(answer: &[u8]) -> Result<Vec<Vec<Change>>, Failure> {
    let mut groups = vec![Vec::new()];
    let mut fields = answer.split(|&byte| byte == 0).filter(|field| !field.is_empty());
    while let Some(field) = fields.next() {
        match (field.strip_prefix(b":"), groups.last_mut()) {
            (Some(record), Some(group)) => {
                let path = fields.next().ok_or_else(|| unexpected("a path"))?;
                group.push(change(record, path)?);
            }
            _ => groups.push(Vec::new()),
        }
    }
    Ok(groups)
}

fn last_group(answer: &[u8]) -> Result<Vec<Change>, Failure> {
    groups(answer)?.pop().ok_or_else(|| unexpected("changes"))
}

/// Reads `mode mode id id status`.
fn change(record: &[u8], path: &[u8]) -> Result<Change, Failure> {
    let fields: Vec<&[u8]> = record.split(|&byte| byte == b' ').collect();
    let [old_mode, new_mode, old_id, new_id, status] = fields.as_slice() else { return Err(unexpected("a change")) };
    Ok(Change {
        path: path.to_owned(),
        old: entry(old_mode, Id::read(old_id)?),
        new: entry(new_mode, Id::read(new_id)?),
        conflict: *status == b"U",
    })
}

fn entry(mode: &[u8], id: Id) -> Option<Entry> {
    match mode {
        b"000000" => None,
        b"120000" => Some(Entry::Other("a symbolic link")),
        b"160000" => Some(Entry::Other("a submodule")),
        _ => Some(id.known().map_or(Entry::OnDisk, Entry::File)),
    }
}

/// Reads `id type size`, that many bytes, and a line feed.
fn next_file(answer: &mut impl BufRead, room: &mut usize) -> io::Result<Source> {
    let invalid = |message: &str| io::Error::new(io::ErrorKind::InvalidData, message);
    let mut header = String::new();
    answer.by_ref().take(256).read_line(&mut header)?;
    let fields: Vec<&str> = header.split_whitespace().collect();
    let size: u64 = match fields.as_slice() {
        [_, "blob", size] => size.parse().map_err(|_| invalid("a size was expected"))?,
        [_, "missing"] => {
            return Err(invalid("a version is missing from the repository; a partial clone must be completed first"));
        }
        _ => return Err(invalid("a file was expected")),
    };
    let limit = Source::MAX_BYTES as u64 + 1;
    let mut bytes = Vec::new();
    answer.by_ref().take(size.min(limit)).read_to_end(&mut bytes)?;
    let rest = size.saturating_sub(limit) + 1;
    if io::copy(&mut answer.by_ref().take(rest), &mut io::sink())? < rest {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    *room = room.checked_sub(bytes.len()).ok_or_else(|| {
        io::Error::new(
            io::ErrorKind::FileTooLarge,
            "the versions are larger than 1 GiB: name a later revision, or files",
        )
    })?;
    Ok(Source::new(bytes))
}

/// The pattern of all files that look so, in every folder.
pub(crate) fn pattern(glob: &str) -> OsString {
    format!(":(top,glob)**/{glob}").into()
}

/// The pattern of exactly this path.
pub(crate) fn exactly(path: &[u8]) -> OsString {
    let mut spec = OsString::from(":(top,literal)");
    spec.push::<&OsStr>(path_of(path).as_ref());
    spec
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(prefix: &str) -> Repository {
        let git = Git::new(Path::new("/r"), PATIENCE);
        Repository { git, top: Some("/r".into()), shallow: false, prefix: prefix.into() }
    }

    #[test]
    fn paths_are_those_of_the_current_directory() {
        for (prefix, path, here) in [
            ("", "a.md", "a.md"),
            ("d/e/", "a.md", "../../a.md"),
            ("d/e/", "d/a.md", "../a.md"),
            ("d/e/", "d/e/f/a.md", "f/a.md"),
            ("d/e/", "d/eat/a.md", "../eat/a.md"),
        ] {
            assert_eq!(at(prefix).as_seen(path.as_bytes()), Path::new(here));
            assert_eq!(at(prefix).inside(Path::new(here)).as_deref(), Some(path.as_bytes()));
        }
        assert_eq!(at("d/").inside(Path::new("./../.")), Some(Vec::new()));
        assert_eq!(at("d/").inside(Path::new("../../a.md")), None);
        assert_eq!(at("d/").inside(Path::new("/r/a.md")).as_deref(), Some(b"a.md".as_slice()));
    }

    #[test]
    fn records_that_make_no_sense_are_no_changes() {
        for answer in ["x\0:1 2 3\0a\0", ":100644 100644 0a 0b M\0", ":100644 100644 zz 0b M\0a\0"] {
            assert!(groups(answer.as_bytes()).is_err(), "{answer}");
        }
    }

    #[test]
    fn files_are_read_to_their_ends_or_not_at_all() {
        let read = |answer: &str| next_file(&mut answer.as_bytes(), &mut 10);
        assert_eq!(read("0a blob 3\nabc\n").unwrap().bytes(), b"abc");
        for answer in
            ["", "0a missing\n", "0a tree 3\nabc\n", "0a blob 3\nabc", "0a blob 3\na", "0a blob 11\n01234567890\n"]
        {
            assert!(read(answer).is_err(), "{answer}");
        }
    }
}
