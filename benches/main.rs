//! `cargo bench`: what each stage costs beside reading and hashing the same bytes, then how hostile input scales.
//!
//! - `cargo bench` measures everything
//! - `cargo bench -- stages` or `-- scaling` measures one of the two
//! - `cargo bench -- scaling TEXT` measures the hostile families whose names contain `TEXT`
//! - `cargo bench -- document SIZE` prints a valid document of at least `SIZE` bytes
//! - `cargo bench -- tree FOLDER COUNT` writes `COUNT` valid documents of 2 to 40 KiB below `FOLDER`
//! - `cargo bench -- hash FOLDER THREADS` only reads and hashes the files below `FOLDER`
#![allow(clippy::print_stdout, reason = "a benchmark reports on standard output")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a benchmark that cannot go on stops")]
#![allow(clippy::disallowed_methods, reason = "a benchmark makes its own files")]

mod documents;
mod families;
mod harness;
mod scaling;
mod stages;
mod tree;

fn main() {
    // Cargo adds `--bench`.
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args.as_slice() {
        [] => {
            stages::run();
            scaling::run("");
        }
        ["stages"] => stages::run(),
        ["scaling"] => scaling::run(""),
        ["scaling", filter] => scaling::run(filter),
        ["document", size] => print!("{}", documents::valid(size.parse().unwrap())),
        ["tree", folder, count] => tree::make(folder.as_ref(), count.parse().unwrap()),
        ["hash", folder, threads] => tree::hash(folder.as_ref(), threads.parse().unwrap()),
        other => println!("what is {other:?}? see benches/main.rs"),
    }
}
