//! `handoff-guard` as a person or a script uses it.

#[cfg(unix)]
mod attacks;
mod deliver;
mod formats;
mod history;
mod init;
mod inputs;
mod pages;
mod recover;
mod reports;
mod search;
mod streams;
mod write;
