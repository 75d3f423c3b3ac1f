//! Size and UTF-8 (PROTOCOL §1).

use crate::diagnostic::{Base, Edit, Example, Rule, Scope, Severity, Sink};
use crate::source::{Source, Span};

pub(in crate::rules) static TOO_LARGE: Rule = Rule {
    id: "encoding/too-large",
    severity: Severity::Error,
    clause: "§1",
    scope: Scope::Every,
    summary: "a document has at most 4 MiB",
    rationale: "A handoff has to fit a successor's context. The limit is checked before anything is parsed, so that no input can exhaust the machine.",
    example: Example::of(Base::Initial, &[Edit::Repeat("nothing audited yet", "audited ", 600_000)]),
};

pub(in crate::rules) static INVALID_UTF8: Rule = Rule {
    id: "encoding/invalid-utf8",
    severity: Severity::Error,
    clause: "§1",
    scope: Scope::Every,
    summary: "a document is strict UTF-8",
    rationale: "Readers replace or drop undecodable bytes in different ways, so that two of them see two documents.",
    example: Example::of(Base::Initial, &[Edit::Bytes("importer-4c81", b"importer-\xF0\x90\x8D-4c81")]),
};

pub(in crate::rules) static BOM: Rule = Rule {
    id: "encoding/bom",
    severity: Severity::Error,
    clause: "§1",
    scope: Scope::Every,
    summary: "a document does not begin with a byte-order mark",
    rationale: "The first byte of a state file is the `-` of its fence; a mark before it makes strict readers see no front matter at all.",
    example: Example::of(Base::Initial, &[Edit::Replace("---\nschema_version", "\u{feff}---\nschema_version")]),
};

/// The mark that some editors put in front of UTF-8.
pub(in crate::rules) const BYTE_ORDER_MARK: &str = "\u{feff}";

/// Judges the bytes; the text, without a byte-order mark's harm, is returned when there is one to parse.
pub(in crate::rules) fn check<'s>(source: &'s Source, sink: &mut Sink) -> Option<&'s str> {
    let len = source.bytes().len();
    if len > Source::MAX_BYTES {
        let found = TOO_LARGE.at(Span::at(0), format!("the file has more than {} bytes", Source::MAX_BYTES));
        sink.push(found.help("keep a handoff short: link to long logs instead of copying them").root_cause());
        return None;
    }
    match source.text() {
        Ok(text) => {
            if text.starts_with(BYTE_ORDER_MARK) {
                let found = BOM.at(Span::new(0, BYTE_ORDER_MARK.len()), "the file begins with a UTF-8 byte-order mark");
                sink.push(found.help("save the file as UTF-8 without BOM: its first byte must be `-`").root_cause());
            }
            Some(text)
        }
        Err(invalid) => {
            let bytes: Vec<String> = source
                .bytes()
                .get(invalid.start()..invalid.end())
                .unwrap_or_default()
                .iter()
                .map(|byte| format!("{byte:02X}"))
                .collect();
            let message = format!("the bytes `{}` at offset {} are not UTF-8", bytes.join(" "), invalid.start());
            sink.push(INVALID_UTF8.at(invalid, message).help(encoding_advice(source.bytes())).root_cause());
            None
        }
    }
}

/// Guesses what the bytes are, from byte-order marks, from zero bytes, and from pairs that GBK has and UTF-8 does not.
fn encoding_advice(bytes: &[u8]) -> &'static str {
    let zeros = bytes.split(|&byte| byte == 0).count() - 1;
    let half_zero = zeros * 3 > bytes.len();
    if bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]) || half_zero {
        return "the file looks like UTF-16; save it as UTF-8 without BOM";
    }
    let high = bytes.iter().filter(|&&byte| byte >= 0x80).count();
    if high >= 4 && gbk_pairs(bytes) * 2 == high {
        return "the file looks like GBK; save it as UTF-8 without BOM";
    }
    "write the file as UTF-8; a cut in the middle of a character also looks like this"
}

/// How many two-byte characters GBK reads in `bytes`; every high byte belongs to one when the text is GBK.
fn gbk_pairs(bytes: &[u8]) -> usize {
    let mut pairs = 0;
    let mut rest = bytes.iter();
    while let Some(&byte) = rest.next() {
        if (0x81..=0xFE).contains(&byte) && rest.next().is_some_and(|&trail| (0xA1..=0xFE).contains(&trail)) {
            pairs += 1;
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_advice_names_the_likely_encoding() {
        assert!(encoding_advice(b"\xFF\xFE-\0-\0-\0").contains("UTF-16"));
        assert!(encoding_advice(b"---\nclaim: \"\xC8\xCE\xCE\xF1\xBD\xBB\xBD\xD3\"\n").contains("GBK"));
        assert!(encoding_advice(b"---\nclaim: \"\xF0\x90\x8D\"\n").contains("UTF-8; a cut"));
    }
}
