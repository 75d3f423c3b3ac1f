//! One valid document for a command that only reads it.

use std::path::Path;

use super::exit::Exit;
use super::input::read_file;
use super::output::{complain, report_on_stderr, shown};
use super::paths::is_stdin;
use crate::check::{Baseline, Verdict, check};
use crate::document::Document;
use crate::protocol::profile::Profile;
use crate::render::{Advice, Judged, Named, concise};

/// Hands the document at `path` to `run`, if it obeys every rule; says on standard error why it does not.
pub(crate) fn with_valid(path: &Path, run: impl FnOnce(&Document<'_>) -> Exit) -> Exit {
    if is_stdin(path) {
        complain("`-` is no file here: name the handoff file; `./-` is a file named `-`");
        return Exit::Unusable;
    }
    let source = match read_file(path) {
        Ok(source) => source,
        Err(error) => {
            complain(&format!("{}: {error}", shown(path)));
            return Exit::Unusable;
        }
    };
    let verdict = check(&source, Profile::Full, Baseline::Standalone);
    if let Verdict::Valid(valid) = &verdict {
        return run(valid.version().document());
    }
    let name = path.to_string_lossy();
    let document = Named::new(&name, &source);
    let judged = Judged { document, previous: None, profile: Profile::Full, verdict: &verdict };
    report_on_stderr(&concise::render(&judged, Advice::Counted));
    complain(&format!(
        "{}: not a valid handoff\nnext: repair it; `handoff-guard check` explains each defect",
        shown(path)
    ));
    Exit::Defects
}
