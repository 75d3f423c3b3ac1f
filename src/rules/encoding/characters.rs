//! Characters that may not stand in a document (PROTOCOL §1).

use memchr::memchr;

use crate::diagnostic::{Base, Diagnostic, Edit, Example, Rule, Scope, Severity, Sink};
use crate::protocol::character::{self, Forbidden};
use crate::source::Span;

pub(in crate::rules) static CONTROL_CHARACTER: Rule = Rule {
    id: "encoding/control-character",
    severity: Severity::Error,
    clause: "§1",
    scope: Scope::Every,
    summary: "a document has no control character but TAB, LF, CR and U+0085",
    rationale: "Control characters move the cursor, hide text or end strings in whatever shows the file next.",
    example: Example::of(
        Base::Initial,
        &[Edit::Replace("nothing audited yet", "nothing \u{1b}[8maudited\u{1b}[0m yet")],
    ),
};

pub(in crate::rules) static BARE_CR: Rule = Rule {
    id: "encoding/bare-cr",
    severity: Severity::Error,
    clause: "§1",
    scope: Scope::Every,
    summary: "every CR is followed by LF",
    rationale: "YAML and CommonMark end a line at a lone CR, most other readers do not, so that they see different documents.",
    example: Example::of(Base::Initial, &[Edit::Replace("into the ledger", "into\rthe ledger")]),
};

pub(in crate::rules) static HIDDEN_CHARACTER: Rule = Rule {
    id: "encoding/hidden-character",
    severity: Severity::Error,
    clause: "§1",
    scope: Scope::Every,
    summary: "a document has no bidirectional override or isolate and no Unicode tag character",
    rationale: "A successor executes this text. What people see must be what it reads.",
    example: Example::of(Base::Initial, &[Edit::Replace("Write the adapter", "Write \u{202e}the\u{202c} adapter")]),
};

/// Reports every forbidden character; neighbours of one kind are one finding.
pub(in crate::rules) fn check(text: &str, sink: &mut Sink) {
    let bytes = text.as_bytes();
    if let Some(first) = memchr(0, bytes).filter(|_| is_wide(bytes)) {
        let found = CONTROL_CHARACTER.at(Span::new(first, first + 1), "every other byte is U+0000");
        return sink.push(found.help("the file looks like UTF-16; save it as UTF-8 without BOM").root_cause());
    }
    let mut run: Option<(Forbidden, Span)> = None;
    let mut bare_crs = BareCrs::default();
    for (at, byte) in suspects(bytes) {
        if byte == b'\r' {
            bare_crs.note(at, bytes.get(at + 1));
            continue;
        }
        let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) else { continue };
        let Some(kind) = character::forbidden(c) else { continue };
        let span = Span::new(at, at + c.len_utf8());
        run = match run {
            Some((last, open)) if last == kind && open.end() == at => Some((kind, open.to(span))),
            finished => {
                sink.extend(finished.map(|finished| report(finished, text)));
                Some((kind, span))
            }
        };
    }
    sink.extend(run.map(|run| report(run, text)));
    sink.extend(bare_crs.report());
}

/// True for text of two bytes a character: zeros are frequent and stand alone.
fn is_wide(bytes: &[u8]) -> bool {
    let zeros = bytes.split(|&byte| byte == 0).count() - 1;
    zeros * 3 > bytes.len() && !bytes.windows(2).any(|pair| pair == [0, 0])
}

/// The first bare CR, and how many there are: a file of another system has one on every line.
#[derive(Default)]
struct BareCrs {
    first: Option<usize>,
    count: usize,
}

impl BareCrs {
    fn note(&mut self, at: usize, next: Option<&u8>) {
        if next != Some(&b'\n') {
            self.first.get_or_insert(at);
            self.count += 1;
        }
    }

    fn report(self) -> Option<Diagnostic> {
        let at = self.first?;
        let message = match self.count {
            1 => "bare CR".to_owned(),
            count => format!("bare CR and {} more", count - 1),
        };
        Some(BARE_CR.at(Span::new(at, at + 1), message).help("end lines with LF or CRLF").root_cause())
    }
}

/// The bytes that [`can_begin`] a finding, with their offsets. Most blocks have none, and are looked at as a whole.
fn suspects(bytes: &[u8]) -> impl Iterator<Item = (usize, u8)> {
    const BLOCK: usize = 64;
    let blocks = (0..).step_by(BLOCK).zip(bytes.chunks(BLOCK));
    blocks
        .filter(|(_, block)| block.iter().fold(false, |any, &byte| any | can_begin(byte)))
        .flat_map(|(start, block)| (start..).zip(block.iter().copied()))
        .filter(|&(_, byte)| can_begin(byte))
}

/// The first bytes of every character that is, or may be, forbidden.
const fn can_begin(byte: u8) -> bool {
    (byte < b' ' && byte != b'\n' && byte != b'\t') || matches!(byte, 0x7F | 0xC2 | 0xE2 | 0xF3)
}

fn report((kind, span): (Forbidden, Span), text: &str) -> Diagnostic {
    let points = character::code_points(span.of(text));
    match kind {
        Forbidden::Control => CONTROL_CHARACTER
            .at(span, format!("control character {points}"))
            .help("remove it; only TAB, LF, CRLF and U+0085 are allowed"),
        Forbidden::Hidden => HIDDEN_CHARACTER
            .at(span, format!("hidden character {points}"))
            .help("remove it: it is invisible to people, but a successor reads it"),
    }
    .root_cause()
}
