//! The front matter as typed values (PROTOCOL §4). A value is there only when its key stands once, and its text
//! is one of the legal values; what is wrong with the others is said by the rules.

use super::yaml::{Entry, Mapping, Node, Resolved, Scalar, Sequence};
use crate::protocol::audit::Audit;
use crate::protocol::keys::{EvidenceKey, Key};
use crate::protocol::status::Status;
use crate::protocol::timestamp::Timestamp;
use crate::source::{Span, Spanned};

/// The root mapping, read by key.
#[derive(Clone, Copy, Debug)]
pub struct FrontMatter<'d> {
    /// The mapping.
    pub root: &'d Mapping,
}

/// What an integer field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Integer {
    /// Plain decimal; numbers beyond the range of `i64` are its ends.
    Canonical(i64),
    /// An integer in another notation.
    OtherNotation,
    /// No integer.
    NotInteger,
}

impl<'d> FrontMatter<'d> {
    /// The entry with this key, unless the key stands twice: then nobody can say which value counts.
    pub fn entry(self, key: Key) -> Option<&'d Entry> {
        entry(self.root, key.as_str())
    }

    /// The value of a string field.
    pub fn string(self, key: Key) -> Option<Spanned<&'d str>> {
        string(&self.entry(key)?.value)
    }

    /// `handoff_status`.
    pub fn status(self) -> Option<Spanned<Status>> {
        let word = self.string(Key::HandoffStatus)?;
        Some(Spanned::new(Status::parse(word.value)?, word.span))
    }

    /// `interrogation_round`, when it lies in 0–3.
    pub fn round(self) -> Option<Spanned<u32>> {
        let Node::Scalar(scalar) = &self.entry(Key::InterrogationRound)?.value else { return None };
        match integer(scalar) {
            Integer::Canonical(number @ 0..=3) => Some(Spanned::new(u32::try_from(number).ok()?, scalar.span)),
            _ => None,
        }
    }

    /// `last_audit_status`: null, or a verdict.
    pub fn last_audit(self) -> Option<Spanned<Option<Audit>>> {
        match &self.entry(Key::LastAuditStatus)?.value {
            Node::Scalar(scalar) if is_null(scalar) => Some(Spanned::new(None, scalar.span)),
            value => {
                let word = string(value)?;
                Some(Spanned::new(Some(Audit::parse(word.value)?), word.span))
            }
        }
    }

    /// `created_at` or `updated_at`.
    pub fn timestamp(self, key: Key) -> Option<Spanned<Timestamp>> {
        let text = self.string(key)?;
        Some(Spanned::new(Timestamp::parse(text.value).ok()?, text.span))
    }

    /// `status_evidence`.
    pub fn evidence(self) -> Option<&'d Sequence> {
        match &self.entry(Key::StatusEvidence)?.value {
            Node::Sequence(sequence) => Some(sequence),
            _ => None,
        }
    }
}

/// The entry of `mapping` with this key, unless the key stands twice.
pub fn entry<'d>(mapping: &'d Mapping, key: &str) -> Option<&'d Entry> {
    let mut found = mapping.entries.iter().filter(|entry| entry.key.is_key(key));
    found.next().filter(|_| found.next().is_none())
}

/// The value of an evidence item.
pub fn evidence_value(item: &Mapping, key: EvidenceKey) -> Option<&Node> {
    entry(item, key.as_str()).map(|entry| &entry.value)
}

/// The text of a scalar that is a string.
pub fn string(node: &Node) -> Option<Spanned<&str>> {
    match node {
        Node::Scalar(scalar) if !scalar.tagged && scalar.resolve() == Resolved::String => {
            Some(Spanned::new(&scalar.text, scalar.span))
        }
        _ => None,
    }
}

/// True for an untagged null.
pub fn is_null(scalar: &Scalar) -> bool {
    !scalar.tagged && scalar.resolve() == Resolved::Null
}

/// Reads an integer field.
pub fn integer(scalar: &Scalar) -> Integer {
    let text = scalar.text.as_str();
    let digits = text.strip_prefix('-').unwrap_or(text);
    let decimal = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let plain = scalar.resolve() == Resolved::Integer && decimal;
    if plain && (text == "0" || !digits.starts_with('0')) {
        let end = if text.starts_with('-') { i64::MIN } else { i64::MAX };
        return Integer::Canonical(text.parse().unwrap_or(end));
    }
    if denotes_integer(text) { Integer::OtherNotation } else { Integer::NotInteger }
}

/// True when the core schema, or a reader who ignores quotes, sees a whole number.
fn denotes_integer(text: &str) -> bool {
    let bare = Scalar {
        text: text.trim().to_owned(),
        style: super::yaml::ScalarStyle::Plain,
        span: Span::at(0),
        tagged: false,
    };
    match bare.resolve() {
        Resolved::Integer => true,
        // A number too small for the type is not the integer zero.
        Resolved::Float => bare.text.parse().is_ok_and(|number: f64| {
            let digits = bare.text.split(['e', 'E']).next().unwrap_or_default();
            let zero = digits.bytes().all(|byte| !matches!(byte, b'1'..=b'9'));
            number.is_finite() && number.fract() == 0.0 && (number != 0.0 || zero)
        }),
        Resolved::Null | Resolved::Bool(_) | Resolved::String => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::yaml::ScalarStyle;
    use super::*;

    #[test]
    fn only_plain_decimal_is_canonical() {
        let read =
            |text: &str, style| integer(&Scalar { text: text.to_owned(), style, span: Span::at(0), tagged: false });
        let plain = |text| read(text, ScalarStyle::Plain);
        assert_eq!(plain("2"), Integer::Canonical(2));
        assert_eq!(plain("-1"), Integer::Canonical(-1));
        assert_eq!(plain("99999999999999999999"), Integer::Canonical(i64::MAX));
        for text in ["0x2", "0o2", "02", "+2", "-0", "2.0", "2e0", "20e-1", "00"] {
            assert_eq!(plain(text), Integer::OtherNotation, "{text}");
        }
        assert_eq!(read("2", ScalarStyle::DoubleQuoted), Integer::OtherNotation);
        for text in ["2.5", "two", "", "~", "true", ".inf", "1e999", "1e-400"] {
            assert_eq!(plain(text), Integer::NotInteger, "{text}");
        }
    }
}
