//! Fills the corpus of each target with what is made of the fixtures.

use std::fs;
use std::io;
use std::path::Path;

use handoff_guard::protocol::digest::Digest;
use handoff_guard_fuzz::{Target, seeds};

fn main() -> io::Result<()> {
    for &target in Target::ALL {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target.name());
        fs::create_dir_all(&folder)?;
        for seed in seeds(target) {
            fs::write(folder.join(Digest::of(&seed).to_string()), seed)?;
        }
    }
    Ok(())
}
