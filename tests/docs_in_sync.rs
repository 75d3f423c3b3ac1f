//! What the documentation shows is what the program does. `SNAPSHOTS=overwrite cargo test docs_in_sync` makes the
//! generated page and the picture anew; `TRYCMD=overwrite` does so with the output in the README.

use snapbox::data::DataFormat;
use snapbox::{Data, IntoData as _, assert_data_eq, file};

use crate::sandbox::{DROP_IN, GUARD, Sandbox};

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
        .register_bin("handoff-guard", std::path::Path::new(GUARD))
        .register_bin("validate_handoff", std::path::Path::new(DROP_IN))
        .case("README.md");
}
