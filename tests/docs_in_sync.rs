//! Generated pages are current. `SNAPSHOTS=overwrite cargo test docs_in_sync` makes them anew.

use snapbox::{assert_data_eq, file};

#[test]
fn the_page_about_the_rules_is_made_from_the_rules() {
    assert_data_eq!(handoff_guard::render::explain::rules_markdown(), file!["../RULES.md"].raw());
}
