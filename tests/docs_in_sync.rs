//! What the documentation shows is what the program does. `SNAPSHOTS=overwrite cargo test docs_in_sync` makes the
//! generated page and the picture anew; `TRYCMD=overwrite` does so with the output in the README.

use std::path::Path;

use snapbox::data::DataFormat;
use snapbox::{Data, IntoData as _, assert_data_eq, file};

use crate::sandbox::{DROP_IN, GUARD, Sandbox};
use crate::support;

#[test]
fn the_page_about_the_rules_is_made_from_the_rules() {
    assert_data_eq!(handoff_guard::render::explain::rules_markdown(), file!["../RULES.md"].raw());
}

#[test]
fn the_picture_of_a_report_is_a_report() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/docs");
    let command =
        Sandbox::new().command(GUARD).current_dir(root).args(["check", "--color=always", "report.handoff.md"]);
    let report = String::from_utf8(command.assert().code(1).get_output().stdout.clone()).unwrap();
    let picture = Data::read_from(format!("{root}/report.svg").as_ref(), Some(DataFormat::TermSvg));
    assert_data_eq!(report.into_data(), picture.raw());
}

#[test]
fn the_readme_shows_real_output() {
    trycmd::TestCases::new()
        .register_bin("handoff-guard", Path::new(GUARD))
        .register_bin("validate_handoff", Path::new(DROP_IN))
        .case("README.md");
}

/// What no test shows must not look as if one did.
#[test]
fn every_test_that_the_page_about_security_names_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = ["src", "tests"].into_iter().flat_map(|folder| support::files_below(&root.join(folder)));
    let rust = files.filter(|(path, _)| path.extension().is_some_and(|end| end == "rs"));
    let sources: String = rust.map(|(_, bytes)| String::from_utf8(bytes).unwrap()).collect();
    let page = std::fs::read_to_string(root.join("SECURITY.md")).unwrap();
    let is_test = |name: &&str| {
        name.matches('_').count() > 1
            && name.bytes().all(|byte| byte == b'_' || byte.is_ascii_alphanumeric())
            && *name == name.to_ascii_lowercase()
    };
    let named: Vec<&str> = page.split('`').skip(1).step_by(2).filter(is_test).collect();
    assert!(named.len() > 60, "{} names", named.len());
    for name in named {
        assert!(sources.contains(&format!("fn {name}(")), "there is no test `{name}`");
    }
}
