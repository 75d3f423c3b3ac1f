//! The names that belong to one handoff file.

use std::ffi::{OsStr, OsString};

use crate::protocol::digest::Digest;

/// Longest name of a file on the file systems that we know, in bytes.
const LONGEST: usize = 255;

/// What follows the official name where the newest rejected candidate is kept; no other fixed ending is longer.
const REJECTED: &str = ".rejected";

/// What follows the official name where a damaged file is set aside.
const DAMAGED: &str = ".damaged-";

/// The names that belong to an official file, all in its directory.
#[derive(Clone, Debug)]
pub struct Names {
    /// The official file.
    pub official: OsString,
    /// The last verifiable version before it.
    pub backup: OsString,
    /// The newest candidate that validation rejected; never read as truth.
    pub rejected: OsString,
    /// The lock file.
    pub lock: OsString,
    /// How every temporary file of this official file begins; the same length for every name.
    temporary: String,
}

/// What a temporary file is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Temporary {
    /// It is to become the official file.
    Candidate,
    /// It is to become the backup.
    Backup,
}

impl Temporary {
    const fn suffix(self) -> &'static str {
        match self {
            Self::Candidate => ".cand",
            Self::Backup => ".bak",
        }
    }
}

impl Names {
    /// The longest name of an official file, in bytes: the names beside it must fit too.
    pub const LONGEST_OFFICIAL: usize = LONGEST - REJECTED.len();

    /// The names around `official`; `None` when one of them would be longer than a file system allows.
    pub fn new(official: &OsStr) -> Option<Self> {
        let with = |before: &str, after: &str| {
            let mut name = OsString::from(before);
            name.push(official);
            name.push(after);
            name
        };
        let digest = Digest::of(official.as_encoded_bytes()).to_string();
        let names = Self {
            official: official.to_owned(),
            backup: with("", ".bak"),
            rejected: with("", REJECTED),
            lock: with(".", ".lock"),
            temporary: format!(".handoff-{}-", digest.get(..8)?),
        };
        (names.rejected.len() <= LONGEST && !official.is_empty()).then_some(names)
    }

    /// True for a name that belongs to another official file: a backup, a rejected candidate, a lock, a damaged or
    /// temporary file.
    pub fn is_reserved(official: &OsStr) -> bool {
        let name = official.to_string_lossy();
        let beside = [".bak", ".rejected"].iter().any(|end| name.ends_with(end)) || name.contains(DAMAGED);
        let hidden = name.starts_with('.') && [".lock", ".cand", ".damaged"].iter().any(|end| name.ends_with(end));
        beside || hidden
    }

    /// The name of a temporary file.
    pub fn temporary(&self, kind: Temporary, random: u64) -> OsString {
        OsString::from(format!("{}{random:016x}{}", self.temporary, kind.suffix()))
    }

    /// True for a temporary file of this official file that some writer left behind or still writes.
    pub fn is_temporary(&self, name: &OsStr) -> bool {
        let own = name.to_str().and_then(|name| name.strip_prefix(&self.temporary));
        own.and_then(|rest| rest.split_at_checked(16)).is_some_and(|(random, suffix)| {
            let hexadecimal = random.bytes().all(|byte| byte.is_ascii_hexdigit());
            hexadecimal && [Temporary::Candidate, Temporary::Backup].iter().any(|kind| kind.suffix() == suffix)
        })
    }

    /// True for a name made by [`Self::damaged`].
    pub fn is_damaged(&self, name: &OsStr) -> bool {
        let name = name.as_encoded_bytes();
        let rest = name.strip_prefix(self.official.as_encoded_bytes());
        let number = rest.and_then(|rest| rest.strip_prefix(DAMAGED.as_bytes()));
        let short = number.is_some_and(|digits| digits.len() == 4 && digits.iter().all(u8::is_ascii_hexdigit));
        short || (name.starts_with(self.temporary.as_bytes()) && name.ends_with(b".damaged"))
    }

    /// A name under which a damaged official file is set aside.
    pub fn damaged(&self, random: u64) -> OsString {
        let mut name = self.official.clone();
        name.push(format!("{DAMAGED}{:04x}", random & 0xffff));
        if name.len() <= LONGEST { name } else { OsString::from(format!("{}{random:016x}.damaged", self.temporary)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_temporary_file_belongs_to_one_official_file() {
        let (one, other) = (Names::new(OsStr::new("a.md")).unwrap(), Names::new(OsStr::new("b.md")).unwrap());
        let candidate = one.temporary(Temporary::Candidate, 7);
        assert_eq!(candidate.len(), other.temporary(Temporary::Candidate, u64::MAX).len());
        assert!(one.is_temporary(&candidate) && !other.is_temporary(&candidate));
        assert!(!one.is_temporary(&one.official) && !one.is_temporary(&one.backup));
    }

    #[test]
    fn a_name_beside_an_official_file_is_no_official_name() {
        let names = Names::new(OsStr::new("a.md")).unwrap();
        let candidate = names.temporary(Temporary::Candidate, 7);
        for own in [&names.backup, &names.rejected, &names.lock, &candidate, &names.damaged(7)] {
            assert!(Names::is_reserved(own), "{own:?}");
        }
        for other in ["a.md", ".a.md", "a.lock", "a.cand", "a.damaged", ".a.lock.md", "bak", "a.bak.md"] {
            assert!(!Names::is_reserved(OsStr::new(other)), "{other}");
        }
    }

    #[test]
    fn a_damaged_file_belongs_to_one_official_file() {
        let (one, other) = (Names::new(OsStr::new("a.md")).unwrap(), Names::new(OsStr::new("b.md")).unwrap());
        let long = Names::new(OsStr::new(&"x".repeat(246))).unwrap();
        for random in [7, 0xabcd, u64::MAX] {
            assert!(one.is_damaged(&one.damaged(random)) && !other.is_damaged(&one.damaged(random)));
            assert!(long.is_damaged(&long.damaged(random)) && !one.is_damaged(&long.damaged(random)));
        }
        for name in ["a.md.damaged-123", "a.md.damaged-12345", "a.md.damaged-123g", "a.md.damaged-", "a.md"] {
            assert!(!one.is_damaged(OsStr::new(name)), "{name}");
        }
        assert!(!one.is_damaged(&one.temporary(Temporary::Backup, 7)));
    }

    #[test]
    fn a_name_that_leaves_no_room_is_refused() {
        assert!(Names::new(OsStr::new(&"x".repeat(246))).is_some());
        assert!(Names::new(OsStr::new(&"x".repeat(247))).is_none());
        assert!(Names::new(OsStr::new("")).is_none());
    }
}
