//! Data goes one way: a module uses only modules above it in the list of CONTRIBUTING.md, and no two modules of a folder
//! need each other.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use syn::visit::{self, Visit};
use syn::{ItemMod, ItemUse, UseTree};

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

type ModulePath = Vec<String>;

/// The paths that a file names, in `use` lines and elsewhere, without those of its own tests.
#[derive(Default)]
struct Named(Vec<ModulePath>);

impl Named {
    fn add(&mut self, before: &[String], tree: &UseTree) {
        let with = |name: &syn::Ident| [before, &[name.to_string()]].concat();
        match tree {
            UseTree::Path(path) => self.add(&with(&path.ident), &path.tree),
            UseTree::Name(name) => self.0.push(with(&name.ident)),
            UseTree::Rename(rename) => self.0.push(with(&rename.ident)),
            UseTree::Glob(_) => self.0.push(before.to_vec()),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.add(before, tree)),
        }
    }
}

impl<'a> Visit<'a> for Named {
    fn visit_item_use(&mut self, item: &'a ItemUse) {
        self.add(&[], &item.tree);
    }

    fn visit_item_mod(&mut self, item: &'a ItemMod) {
        if item.ident != "tests" {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        self.0.push(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        visit::visit_path(self, path);
    }
}

/// The module that `path` leads to from inside `here`, when it is one of `modules`.
fn resolved(here: &[String], path: &[String], modules: &BTreeMap<ModulePath, String>) -> Option<ModulePath> {
    let mut at = here.to_vec();
    let mut rest = path.iter().map(String::as_str).peekable();
    match *rest.peek()? {
        "crate" => at.clear(),
        "super" | "self" => {}
        first => {
            at.push(first.to_owned());
            modules.contains_key(&at).then(|| at.pop())?;
        }
    }
    for name in rest {
        match name {
            "crate" | "self" => {}
            "super" => drop(at.pop()),
            name => at.push(name.to_owned()),
        }
    }
    while !at.is_empty() && !modules.contains_key(&at) {
        at.pop();
    }
    (!at.is_empty()).then_some(at)
}

/// Which modules of one folder each of them needs, what lies below them included: by folder, then by module.
fn needs(modules: &BTreeMap<ModulePath, String>) -> BTreeMap<ModulePath, BTreeMap<String, BTreeSet<String>>> {
    let mut needs: BTreeMap<ModulePath, BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
    for (here, text) in modules {
        let mut named = Named::default();
        named.visit_file(&syn::parse_file(text).unwrap());
        for other in named.0.iter().filter_map(|path| resolved(here, path, modules)) {
            let common = here.iter().zip(&other).take_while(|(one, two)| one == two).count();
            if let (Some(one), Some(two)) = (here.get(common), other.get(common)) {
                let folder = needs.entry(here[..common].to_vec()).or_default();
                folder.entry(one.clone()).or_default().insert(two.clone());
            }
        }
    }
    needs
}

/// The modules that need themselves by way of others.
fn in_a_circle(needs: &BTreeMap<String, BTreeSet<String>>) -> Vec<&String> {
    let reaches_itself = |module: &&String| {
        let mut reached: BTreeSet<&String> = BTreeSet::new();
        let mut next = vec![*module];
        while let Some(at) = next.pop() {
            next.extend(needs.get(at).into_iter().flatten().filter(|other| reached.insert(other)));
        }
        reached.contains(module)
    };
    needs.keys().filter(reaches_itself).collect()
}

fn modules() -> BTreeMap<ModulePath, String> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let module = |(path, bytes): (std::path::PathBuf, Vec<u8>)| {
        let inside = path.strip_prefix(&source).unwrap().with_extension("");
        let mut names: ModulePath = inside.iter().map(|name| name.to_str().unwrap().to_owned()).collect();
        if names.last().is_some_and(|name| name == "mod") {
            names.pop();
        }
        let is_crate = ["lib", "main", "bin"].contains(&names[0].as_str());
        (!is_crate).then(|| (names, String::from_utf8(bytes).unwrap()))
    };
    support::files_below(&source).into_iter().filter_map(module).collect()
}

#[test]
fn no_modules_of_a_folder_need_each_other() {
    let modules = modules();
    assert!(modules.len() > 100, "{} modules were read", modules.len());
    for (folder, needs) in needs(&modules) {
        let circle = in_a_circle(&needs);
        assert!(circle.is_empty(), "in `{}`, these need each other: {circle:?}", folder.join("/"));
    }
}

#[test]
fn a_circle_is_seen_through_use_lines_and_through_paths_and_below_folders() {
    let module = |(path, text): (&str, &str)| (path.split('/').map(str::to_owned).collect(), text.to_owned());
    for (one, two) in [
        ("use super::b::{self, Other};", "use crate::x::a::Thing;"),
        ("fn f() { super::b::g() }", "use super::{a};"),
        ("use crate::x::*; fn f() -> super::b::c::T { todo!() }", "mod c; use super::a as other;"),
    ] {
        let modules: BTreeMap<ModulePath, String> =
            [("x", "mod a; mod b;"), ("x/a", one), ("x/b", two), ("x/b/c", "pub struct T;")].map(module).into();
        assert_eq!(in_a_circle(&needs(&modules)[&vec!["x".to_owned()]]), ["a", "b"], "{one} {two}");
    }
    let tested = "use super::b::g; #[cfg(test)] mod tests {}";
    let modules = [("x", "mod a; mod b;"), ("x/a", tested), ("x/b", "#[cfg(test)] mod tests { use super::super::a; }")];
    assert!(in_a_circle(&needs(&modules.map(module).into())[&vec!["x".to_owned()]]).is_empty());
}

#[test]
fn contributors_are_told_the_same_order() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("CONTRIBUTING.md")).unwrap();
    let told: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next()).collect();
    let modules: Vec<&str> = told.into_iter().filter(|name| ORDER.contains(name)).collect();
    assert_eq!(modules, ORDER);
}
