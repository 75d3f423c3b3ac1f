//! `cargo bench`: what each stage costs beside reading and hashing the same bytes, then how hostile input scales.
//!
//! - `cargo bench` measures everything
//! - `cargo bench -- stages` or `-- scaling` measures one of the two
//! - `cargo bench -- scaling TEXT` measures the hostile families whose names contain `TEXT`
//! - `cargo bench -- document SIZE` prints a valid document of at least `SIZE` bytes
#![allow(clippy::print_stdout, reason = "a benchmark reports on standard output")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a benchmark that cannot go on stops")]

mod documents;
mod harness;
mod scaling;
mod stages;

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
        other => println!("what is {other:?}? see benches/main.rs"),
    }
}
