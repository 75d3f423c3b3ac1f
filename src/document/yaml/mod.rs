//! The front matter as YAML 1.2 (PROTOCOL §3): parser events become a tree, and what the protocol bans is noted where it
//! stands, before any expansion.
//!
//! Accepted here: one document of scalars, sequences and mappings in block or flow style. Noted as a [`Fault`]: what is
//! not well-formed, anchors, aliases, tags, directives, document markers, escapes for characters that may not stand in a
//! file, a tab between a colon and its value, and what goes beyond the limits. Nothing recurses on the depth of the
//! input, and a tree is never deeper than [`MAX_DEPTH`] nor larger than [`MAX_NODES`].
//!
//! The parser counts characters and calls them bytes; they become bytes here and nowhere else. Its messages are not used.

mod reader;

pub use reader::parse;

use crate::source::Span;

/// Collections may be nested this deep; the root counts.
pub const MAX_DEPTH: usize = 4;
/// Scalars, collections and aliases, keys included.
pub const MAX_NODES: usize = 4096;
/// Raw bytes between the fence lines.
pub const MAX_BYTES: usize = 64 * 1024;

/// What the front matter holds.
#[derive(Debug)]
pub struct Yaml {
    /// Everything the protocol bans, in the order found.
    pub faults: Vec<Fault>,
    /// The root, unless the text is not well-formed or goes beyond a limit. Nothing at all is an empty mapping.
    pub root: Option<Node>,
}

/// Something that the protocol bans in YAML, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What it is.
    pub kind: FaultKind,
    /// Its bytes; for [`FaultKind::Syntax`] the place where reading stopped.
    pub span: Span,
}

/// The kinds of [`Fault`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// Not well-formed.
    Syntax,
    /// `&name`.
    Anchor,
    /// `*name`.
    Alias,
    /// `!name`, `!!name`, `!`.
    Tag,
    /// A line that begins with `%`.
    Directive,
    /// A line `...`, or a line that begins with `---` and is not the fence.
    DocumentMarker,
    /// An escape for a character that may not stand in a file.
    HiddenEscape(char),
    /// A tab between a colon and its value.
    TabBehindColon,
    /// A tab before a collection that begins on the same line: it is used as indentation.
    TabAsIndentation,
    /// Nested deeper than [`MAX_DEPTH`].
    Depth,
    /// More than [`MAX_NODES`] nodes.
    Nodes,
    /// Longer than [`MAX_BYTES`].
    Bytes(usize),
}

/// A node of the tree.
#[derive(Clone, Debug)]
pub enum Node {
    /// A scalar.
    Scalar(Scalar),
    /// A sequence.
    Sequence(Sequence),
    /// A mapping.
    Mapping(Mapping),
    /// An alias; what it stands for is never looked up.
    Alias(Span),
}

/// A scalar with its decoded text.
#[derive(Clone, Debug)]
pub struct Scalar {
    /// The text after resolving quotes, escapes and folding.
    pub text: String,
    /// How it is written.
    pub style: ScalarStyle,
    /// Where it stands, quotes included, without tag and anchor.
    pub span: Span,
    /// It carries a tag, so its type is unknown.
    pub tagged: bool,
}

/// How a scalar is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScalarStyle {
    /// Without quotes.
    Plain,
    /// In single quotes.
    SingleQuoted,
    /// In double quotes.
    DoubleQuoted,
    /// A literal block scalar.
    Literal,
    /// A folded block scalar.
    Folded,
}

/// What a scalar is in the core schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resolved {
    /// Null.
    Null,
    /// A boolean.
    Bool(bool),
    /// An integer, in any notation.
    Integer,
    /// A floating point number.
    Float,
    /// A string.
    String,
}

/// A sequence.
#[derive(Clone, Debug)]
pub struct Sequence {
    /// Its items.
    pub items: Vec<Node>,
    /// From its first to its last byte.
    pub span: Span,
    /// Written in brackets.
    pub flow: bool,
    /// It carries a tag, so its type is unknown.
    pub tagged: bool,
}

/// A mapping; duplicate keys are kept.
#[derive(Clone, Debug)]
pub struct Mapping {
    /// Its entries, in order.
    pub entries: Vec<Entry>,
    /// From its first to its last byte.
    pub span: Span,
    /// Written in braces.
    pub flow: bool,
    /// It carries a tag, so its type is unknown.
    pub tagged: bool,
}

/// A key and its value.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The key.
    pub key: Node,
    /// The value.
    pub value: Node,
}

impl Node {
    /// Where the node stands.
    pub fn span(&self) -> Span {
        match self {
            Self::Scalar(scalar) => scalar.span,
            Self::Sequence(sequence) => sequence.span,
            Self::Mapping(mapping) => mapping.span,
            Self::Alias(span) => *span,
        }
    }

    /// The nodes directly inside, keys included.
    pub fn children(&self) -> impl Iterator<Item = &Self> {
        let (items, entries) = match self {
            Self::Scalar(_) | Self::Alias(_) => (&[][..], &[][..]),
            Self::Sequence(sequence) => (sequence.items.as_slice(), &[][..]),
            Self::Mapping(mapping) => (&[][..], mapping.entries.as_slice()),
        };
        items.iter().chain(entries.iter().flat_map(|entry| [&entry.key, &entry.value]))
    }

    /// What the node is, for people.
    pub fn describe(&self) -> &'static str {
        match self {
            Self::Sequence(_) => "a list",
            Self::Mapping(_) => "a mapping",
            Self::Alias(_) => "an alias",
            Self::Scalar(scalar) => match scalar.resolve() {
                Resolved::Null => "null",
                Resolved::Bool(_) => "a boolean",
                Resolved::Integer | Resolved::Float => "a number",
                Resolved::String => "a string",
            },
        }
    }

    /// True for a plain `<<`.
    pub fn is_merge_key(&self) -> bool {
        matches!(self, Self::Scalar(scalar) if scalar.style == ScalarStyle::Plain && scalar.text == "<<")
    }

    /// True for an alias and for what carries a tag: its type cannot be judged.
    pub fn is_opaque(&self) -> bool {
        match self {
            Self::Alias(_) => true,
            Self::Scalar(scalar) => scalar.tagged,
            Self::Sequence(sequence) => sequence.tagged,
            Self::Mapping(mapping) => mapping.tagged,
        }
    }

    /// The text of a key that is a string scalar.
    pub fn as_key(&self) -> Option<&str> {
        match self {
            Self::Scalar(scalar) if scalar.tagged || scalar.resolve() == Resolved::String => Some(&scalar.text),
            _ => None,
        }
    }

    /// True for a key that is this string.
    pub fn is_key(&self, key: &str) -> bool {
        matches!(self, Self::Scalar(scalar) if scalar.text == key) && self.as_key().is_some()
    }
}

impl Mapping {
    /// True when the key stands in the mapping, once or more.
    pub fn has_key(&self, key: &str) -> bool {
        self.entries.iter().any(|entry| entry.key.is_key(key))
    }
}

impl Scalar {
    /// The type in the core schema; quoted and block scalars are strings whatever they contain.
    pub fn resolve(&self) -> Resolved {
        if self.style == ScalarStyle::Plain { resolve_plain(&self.text) } else { Resolved::String }
    }
}

fn resolve_plain(text: &str) -> Resolved {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Resolved::Null,
        "true" | "True" | "TRUE" => Resolved::Bool(true),
        "false" | "False" | "FALSE" => Resolved::Bool(false),
        _ if !text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.')) => Resolved::String,
        _ if is_integer(text) => Resolved::Integer,
        _ if is_float(text) => Resolved::Float,
        _ => Resolved::String,
    }
}

fn all(text: &str, test: impl Fn(u8) -> bool) -> bool {
    !text.is_empty() && text.bytes().all(test)
}

fn unsigned(text: &str) -> &str {
    text.strip_prefix(['+', '-']).unwrap_or(text)
}

fn is_integer(text: &str) -> bool {
    all(unsigned(text), |byte| byte.is_ascii_digit())
        || text.strip_prefix("0o").is_some_and(|digits| all(digits, |byte| (b'0'..=b'7').contains(&byte)))
        || text.strip_prefix("0x").is_some_and(|digits| all(digits, |byte| byte.is_ascii_hexdigit()))
}

/// `[-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?`, infinity, or not a number.
fn is_float(text: &str) -> bool {
    if matches!(unsigned(text), ".inf" | ".Inf" | ".INF") || matches!(text, ".nan" | ".NaN" | ".NAN") {
        return true;
    }
    let digits = |text: &str| all(text, |byte| byte.is_ascii_digit());
    let (number, exponent) = match unsigned(text).split_once(['e', 'E']) {
        Some((number, exponent)) => (number, Some(exponent)),
        None => (unsigned(text), None),
    };
    let mantissa = match number.split_once('.') {
        Some(("", fraction)) => digits(fraction),
        Some((whole, fraction)) => digits(whole) && (fraction.is_empty() || digits(fraction)),
        None => digits(number),
    };
    mantissa && exponent.is_none_or(|exponent| digits(unsigned(exponent)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_scalars_follow_the_core_schema() {
        for (text, resolved) in [
            ("~", Resolved::Null),
            ("true", Resolved::Bool(true)),
            ("no", Resolved::String),
            ("0005747", Resolved::Integer),
            ("0x2F", Resolved::Integer),
            ("6063e25", Resolved::Float),
            ("83e2010", Resolved::Float),
            (".5", Resolved::Float),
            ("-.inf", Resolved::Float),
            ("1_000", Resolved::String),
            ("8f3ab12c", Resolved::String),
            ("2026-08-23T10:00:00Z", Resolved::String),
            ("1e", Resolved::String),
            (".", Resolved::String),
        ] {
            assert_eq!(resolve_plain(text), resolved, "{text}");
        }
    }
}
