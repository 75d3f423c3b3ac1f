//! What happens to the calls of a [`super::SimDirectory`]: a crash at one of them, or an error.

use std::ffi::OsString;
use std::io;

/// The calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Lock,
    Stat,
    Read,
    Create,
    Write,
    Flush,
    FlushExisting,
    FlushDirectory,
    Rename,
    RenameNew,
    Link,
    Unlink,
    List,
}

/// A call that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Call {
    pub(crate) operation: Operation,
    /// The name that it changes or looks at.
    pub(crate) name: OsString,
    /// The test made it report an error.
    pub(crate) is_hit: bool,
}

/// Which calls fail; they are counted from zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Plan {
    /// None.
    Healthy,
    /// This one and everything after it: the process is dead.
    CrashBefore(usize),
    /// This one takes effect, but the process does not live to see it.
    CrashAfter(usize),
    /// Those that an error hits.
    Error(Fault),
}

/// An error that hits calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// The first call that it hits.
    pub(crate) at: usize,
    pub(crate) kind: io::ErrorKind,
    pub(crate) effect: Effect,
    pub(crate) extent: Extent,
}

/// Whether a call that reports an error did what it was to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    None,
    Happened,
    /// Of a rename that is not atomic: what the new name was bound to is gone.
    TargetLost,
}

/// Which calls an error hits after the first one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    Once,
    /// All further calls of the same operation.
    Operation(Operation),
    /// All further calls; none of them has an effect.
    Everything,
}

/// What happens to one call.
pub(crate) enum Fate {
    Works,
    Fails(io::Error),
    WorksAndFails(io::Error),
    LosesTheTarget(io::Error),
}

impl Plan {
    /// What happens to the call number `at`.
    pub(crate) fn fate(self, at: usize, operation: Operation) -> Fate {
        let crashed = || io::Error::other("the simulated process is dead");
        match self {
            Self::CrashBefore(point) if at >= point => Fate::Fails(crashed()),
            Self::CrashAfter(point) if at == point => Fate::WorksAndFails(crashed()),
            Self::CrashAfter(point) if at > point => Fate::Fails(crashed()),
            Self::Error(fault) if fault.hits(at, operation) => match fault.effect {
                Effect::Happened if at == fault.at || fault.extent != Extent::Everything => {
                    Fate::WorksAndFails(fault.kind.into())
                }
                Effect::TargetLost => Fate::LosesTheTarget(fault.kind.into()),
                Effect::Happened | Effect::None => Fate::Fails(fault.kind.into()),
            },
            Self::Healthy | Self::CrashBefore(_) | Self::CrashAfter(_) | Self::Error(_) => Fate::Works,
        }
    }
}

impl Fault {
    fn hits(self, at: usize, operation: Operation) -> bool {
        match self.extent {
            Extent::Once => at == self.at,
            Extent::Operation(hit) => at >= self.at && operation == hit,
            Extent::Everything => at >= self.at,
        }
    }
}
