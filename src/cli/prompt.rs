//! `handoff-guard prompt`: what to tell the successor, the auditor or the reviewer.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::args::PromptArgs;
use super::document::with_valid;
use super::exit::Exit;
use super::output::{complain, note, print, shown};
use crate::deliver::estimate::SAFE;
use crate::deliver::prompt::{Kind, Length, Refused, Subject, auditor, compressed, full, reviewer, startup};
use crate::protocol::tokens::Size;

pub(crate) fn run(args: &PromptArgs) -> Exit {
    if args.budget.is_some() && args.kind != Kind::Compressed {
        complain(&format!("--budget is the length of a prompt of `--kind {}`", Kind::Compressed));
        return Exit::Unusable;
    }
    if args.force == Length::Any && args.kind != Kind::Full {
        complain(&format!("--force allows a long prompt of `--kind {}`; nothing else can be forced", Kind::Full));
        return Exit::Unusable;
    }
    with_valid(&args.file, |document| {
        let path = match absolute(&args.file) {
            Ok(path) => path,
            Err(error) => {
                complain(&format!("{}: its absolute path is unknown: {error}", shown(&args.file)));
                return Exit::Unusable;
            }
        };
        let subject = Subject { document, path: &path.to_string_lossy(), language: args.lang };
        match prompt(subject, args) {
            Ok(text) => {
                let tokens = Size::of(&text).tokens();
                if let Some(budget) = args.budget.filter(|&budget| tokens > budget) {
                    note(&format!("what is always kept is longer than --budget {budget}: about {tokens} tokens"));
                }
                print(Ok(text))
            }
            Err(refused) => {
                complain(&format!("{}: {refused}\nnext: {}", shown(&args.file), refused.help()));
                Exit::Unusable
            }
        }
    })
}

fn prompt(subject: Subject<'_, '_>, args: &PromptArgs) -> Result<String, Refused> {
    match args.kind {
        Kind::Startup => startup(subject),
        Kind::Full => full(subject, args.force),
        Kind::Compressed => compressed(subject, args.budget.unwrap_or(SAFE)),
        Kind::Auditor => auditor(subject),
        Kind::Reviewer => reviewer(subject),
    }
}

/// The path by which another process finds the file. On Windows a resolved path has a form that few programs read.
fn absolute(path: &Path) -> io::Result<PathBuf> {
    if cfg!(windows) { std::path::absolute(path) } else { fs::canonicalize(path) }
}
