//! Data goes one way: a module uses only modules above it in the list of CONTRIBUTING.md.

use std::fs;
use std::path::Path;

use crate::support;

const ORDER: [&str; 11] = [
    "source",
    "diagnostic",
    "protocol",
    "document",
    "rules",
    "check",
    "store",
    "lifecycle",
    "deliver",
    "render",
    "cli",
];

fn place(module: &str) -> usize {
    ORDER.iter().position(|known| *known == module).unwrap_or_else(|| panic!("`{module}` is not in ORDER"))
}

#[test]
fn a_module_uses_only_modules_above_it() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for (path, bytes) in support::files_below(&source) {
        let inside = path.strip_prefix(&source).unwrap();
        let module = inside.components().next().unwrap().as_os_str().to_str().unwrap().trim_end_matches(".rs");
        if ["lib", "main", "bin"].contains(&module) {
            continue;
        }
        let text = String::from_utf8(bytes).unwrap();
        let used =
            text.split("crate::").skip(1).filter_map(|rest| rest.split(|c: char| !c.is_ascii_lowercase()).next());
        for other in used.filter(|other| ORDER.contains(other)) {
            assert!(place(other) <= place(module), "{} uses `{other}`, which stands below it", inside.display());
        }
    }
}

#[test]
fn contributors_are_told_the_same_order() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("CONTRIBUTING.md")).unwrap();
    let told: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next()).collect();
    let modules: Vec<&str> = told.into_iter().filter(|name| ORDER.contains(name)).collect();
    assert_eq!(modules, ORDER);
}
