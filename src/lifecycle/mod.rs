//! Composes the text of versions: facts in, text out. Nothing here reads the clock, a file or the environment, and what
//! is composed is judged by `check` like any other text.

pub mod init;
mod text;
