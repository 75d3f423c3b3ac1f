//! The only module that writes (PROTOCOL §12, §13): a new version as one transaction, and recovery after any crash.
//!
//! Names, all in one directory: the *official* file `X`; its backup `X.bak`; `X.rejected`, the newest candidate that
//! was refused, by a rule or because another version was there first; `.X.lock`, which only `discard` removes; and temporary
//! files `.handoff-<of X>-<random>.cand` and `.bak`.
//!
//! The official name and the backup's are only ever bound to files whose whole content was flushed, read back and
//! validated before. So whatever a crash keeps of the directory operations, each name holds a complete version:
//!
//! ```text
//!  1 lock                      8 flush the directory      F3: the backup is durable before the official is touched
//!  2 read, verify the official 9 the official is still the file that was read
//!  3 validate the new bytes   10 rename the candidate over the official
//!  4 write it, flush       F1 11 flush the directory      F4: success is durable
//!  5 read it back, validate   12 read the official, compare
//!  6 write the backup, flush F2, read it back
//!  7 rename it
//! ```
//!
//! Before 10 a failure means *not committed*: the old state, exactly. After 10 it means *indeterminate*: nothing is rolled
//! back, no flush is tried again (a second one reports success and lies), and `recover` says which version stands.

pub mod candidate;
pub mod discard;
pub mod error;
pub mod export;
pub mod fs;
mod names;
pub mod recover;
pub mod replace;
pub mod report;

pub use names::Names;
