//! `handoff-guard` as a person or a script uses it.

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
