//! Each stage and the whole, beside reading and hashing the same bytes.

use std::fs;
use std::io::Write as _;

use handoff_guard::check::{Baseline, check};
use handoff_guard::document::outline::Outline;
use handoff_guard::document::{Document, fence, sections, yaml};
use handoff_guard::protocol::credential::{Redacted, credentials};
use handoff_guard::protocol::digest::Digest;
use handoff_guard::protocol::profile::Profile;
use handoff_guard::source::Source;

use crate::documents;
use crate::harness::{Stage, interleaved};

pub(crate) fn run() {
    for document in [documents::SMALL.to_owned(), documents::valid(12 * 1024), documents::valid(1024 * 1024)] {
        measure(&document);
    }
}

fn measure(text: &str) {
    let source = Source::new(text);
    assert!(check(&source, Profile::Full, Baseline::Standalone).is_valid(), "the document is not valid");

    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(text.as_bytes()).unwrap();
    let fence = fence::split(text).unwrap();
    let outline = Outline::parse(text, fence.body, Profile::Full);

    let mut stages = [
        Stage::new("read + SHA-256", || Digest::of(&fs::read(file.path()).unwrap())),
        Stage::new("SHA-256", || Digest::of(text.as_bytes())),
        Stage::new("UTF-8", || std::str::from_utf8(text.as_bytes()).is_ok()),
        Stage::new("fence", || fence::split(text)),
        Stage::new("YAML", || yaml::parse(text, fence.front_matter)),
        Stage::new("Markdown outline", || Outline::parse(text, fence.body, Profile::Full)),
        Stage::new("sections", || sections::find(&outline, Profile::Full)),
        Stage::new("credentials", || credentials(text)),
        Stage::new("document (the five above)", || Document::parse(text, Redacted::new(text), fence, Profile::Full)),
        Stage::new("check (document and rules)", || check(&source, Profile::Full, Baseline::Standalone).is_valid()),
        Stage::new("read + whole check", || {
            let source = Source::new(fs::read(file.path()).unwrap());
            check(&source, Profile::Full, Baseline::Standalone).is_valid()
        }),
    ];
    let measured = interleaved(&mut stages);

    println!("\n{} bytes{:>34} {:>10} {:>24}", text.len(), "ns", "MB/s", "ratio to read + SHA-256");
    for (stage, measured) in stages.iter().zip(measured) {
        #[allow(clippy::cast_precision_loss, reason = "no document has 2^52 bytes")]
        let rate = text.len() as f64 * 1e3 / measured.nanoseconds;
        println!("{:<30} {:>11.0} {rate:>10.0} {:>24.3}", stage.name, measured.nanoseconds, measured.ratio);
    }
}
