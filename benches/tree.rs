//! A folder of valid documents, and the least that any checker of it has to do: find, read and hash every file.

use std::fs;
use std::num::Wrapping;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use handoff_guard::protocol::digest::Digest;

use crate::documents;

/// Sizes of documents, in bytes.
const SMALLEST: u32 = 2 * 1024;
const LARGEST: u32 = 40 * 1024;

/// How many files stand in one folder.
const PER_FOLDER: u32 = 100;

/// Writes `count` valid documents below `folder`, the same ones in every run; their sizes are spread evenly.
pub(crate) fn make(folder: &Path, count: u32) {
    for number in 0..count {
        // Knuth's multiplicative hash.
        let spread = (Wrapping(number) * Wrapping(2_654_435_761)).0;
        let size = SMALLEST + spread % (LARGEST - SMALLEST);
        let folder = folder.join(format!("{:03}", number / PER_FOLDER));
        fs::create_dir_all(&folder).unwrap();
        let document = documents::valid(usize::try_from(size).unwrap());
        fs::write(folder.join(format!("handoff-{number:05}.md")), document).unwrap();
    }
}

/// Reads and hashes every file below `folder` on so many threads; prints how many there were.
pub(crate) fn hash(folder: &Path, threads: usize) {
    let files = files(folder);
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(path) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    std::hint::black_box(Digest::of(&fs::read(path).unwrap()));
                }
            });
        }
    });
    println!("{} files", files.len());
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let list = if entry.file_type().unwrap().is_dir() { &mut open } else { &mut files };
            list.push(entry.path());
        }
    }
    files
}
