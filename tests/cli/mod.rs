//! `handoff-guard` as a person or a script uses it.

mod inputs;
mod pages;
mod reports;
mod streams;
