//! `validate_handoff FILE`: the contract of the two reference scripts (PROTOCOL §14).
//!
//! A valid document prints `VALID` and `DIGEST <sha256>` and ends with 0; defects go to standard error, one a line, and
//! end with 1; wrong usage and a file that cannot be read end with 2.

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::Path;

use anstream::ColorChoice;

use super::exit::Exit;
use super::input::read_file;
use super::output::{Output, complain, report_on_stderr, shown};
use crate::check::{Baseline, Verdict, check};
use crate::protocol::profile::Profile;
use crate::render::{Advice, Judged, Named, concise};

const USAGE: &str = "\
usage: validate_handoff [--profile full|reference] [--] FILE

Prints VALID and the SHA-256 digest of a valid task-handoff v2 file.
Exit codes: 0 valid; 1 defects, one a line on standard error; 2 wrong usage, or the file cannot be read;
70 internal error. The profile is `reference` unless told otherwise.
";

const VERSION: &str = concat!("validate_handoff ", env!("CARGO_PKG_VERSION"), "\n");

/// What the arguments ask for.
#[derive(Debug, PartialEq, Eq)]
enum Request<'a> {
    Validate(Profile, &'a OsStr),
    Print(&'static str),
    Misuse,
}

pub(super) fn run() -> Exit {
    let args: Vec<OsString> = env::args_os().skip(1).collect();
    let args: Vec<&OsStr> = args.iter().map(OsString::as_os_str).collect();
    match request(&args, |path| Path::new(path).symlink_metadata().is_ok()) {
        Request::Validate(profile, path) => validate(profile, Path::new(path)),
        Request::Print(text) => print(text),
        Request::Misuse => {
            report_on_stderr(USAGE);
            Exit::Unusable
        }
    }
}

/// Reads the arguments. A single one is the path, whatever it looks like: a file may be named `--help`.
fn request<'a>(args: &[&'a OsStr], exists: impl Fn(&OsStr) -> bool) -> Request<'a> {
    let (profile, rest) = match args {
        [path] if *path == "--help" && !exists(path) => return Request::Print(USAGE),
        [path] if *path == "--version" && !exists(path) => return Request::Print(VERSION),
        [path] => return Request::Validate(Profile::Reference, path),
        [option, profile, rest @ ..] if *option == "--profile" => (profile.to_str(), rest),
        [option, rest @ ..] => match option.to_str().and_then(|option| option.strip_prefix("--profile=")) {
            Some(profile) => (Some(profile), rest),
            None => (Some(Profile::Reference.as_str()), args),
        },
        [] => return Request::Misuse,
    };
    match (profile.and_then(Profile::parse), rest) {
        (Some(profile), [path]) => Request::Validate(profile, path),
        (Some(profile), [separator, path]) if *separator == "--" => Request::Validate(profile, path),
        _ => Request::Misuse,
    }
}

fn validate(profile: Profile, path: &Path) -> Exit {
    let name = path.to_string_lossy();
    let source = match read_file(path) {
        Ok(source) => source,
        Err(error) => {
            complain(&format!("{}: {error}", shown(path)));
            return Exit::Unusable;
        }
    };
    let verdict = check(&source, profile, Baseline::Standalone);
    match &verdict {
        Verdict::Valid(validated) => print(&format!("VALID\nDIGEST {}\n", validated.version().digest())),
        Verdict::Invalid(_) => {
            let document = Named::new(&name, &source);
            let judged = Judged { document, previous: None, profile, verdict: &verdict };
            report_on_stderr(&concise::render(&judged, Advice::Counted));
            Exit::Defects
        }
    }
}

fn print(text: &str) -> Exit {
    let mut output = Output::new(ColorChoice::Never);
    output.write(text);
    output.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked<'a>(args: &[&'a str]) -> Request<'a> {
        let args: Vec<&OsStr> = args.iter().map(|&arg| OsStr::new(arg)).collect();
        request(&args, |_| false)
    }

    fn reference(path: &str) -> Request<'_> {
        Request::Validate(Profile::Reference, OsStr::new(path))
    }

    #[test]
    fn a_single_argument_is_the_path_whatever_it_looks_like() {
        for path in ["a.md", "-", "--", "-x", "--profile=full", "--profile", "a=b", ""] {
            assert_eq!(asked(&[path]), reference(path));
        }
        assert_eq!(request(&[OsStr::new("--help")], |_| true), reference("--help"));
        assert_eq!(asked(&["--help"]), Request::Print(USAGE));
    }

    #[test]
    fn the_profile_may_precede_the_path() {
        let full = Request::Validate(Profile::Full, OsStr::new("-x"));
        assert_eq!(asked(&["--profile", "full", "-x"]), full);
        assert_eq!(asked(&["--profile=full", "--", "-x"]), full);
        assert_eq!(asked(&["--", "--help"]), reference("--help"));
    }

    #[test]
    fn anything_else_is_misuse() {
        for args in [&[][..], &["a", "b"], &["--", "--"], &["--profile", "full"], &["--profile=none", "a"]] {
            let expected = if args == ["--", "--"] { reference("--") } else { Request::Misuse };
            assert_eq!(asked(args), expected, "{args:?}");
        }
    }
}
