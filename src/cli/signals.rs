//! Signals that would end a transaction half-way.
//!
//! The runtime ignores SIGPIPE already: a closed pipe is an error of the write. SIGXFSZ ends a process that writes beyond
//! its file size limit; with a handler the write fails, the temporary file is removed, and the old version stands.

/// Lets writes beyond the file size limit fail. Where no handler can be registered such a write ends the process, like
/// any crash: the old version stands, and a temporary file is left behind.
#[cfg(unix)]
pub(crate) fn let_large_writes_fail() {
    use signal_hook::consts::SIGXFSZ;
    let _ = signal_hook::flag::register(SIGXFSZ, std::sync::Arc::default());
}

/// There is no such signal.
#[cfg(not(unix))]
pub(crate) fn let_large_writes_fail() {}
