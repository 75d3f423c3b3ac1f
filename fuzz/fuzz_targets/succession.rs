#![no_main]

use handoff_guard_fuzz::{Target, fuzz};

libfuzzer_sys::fuzz_target!(|input: &[u8]| -> libfuzzer_sys::Corpus { fuzz(Target::Succession, input) });
