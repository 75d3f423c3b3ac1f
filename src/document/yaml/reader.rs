//! Turns the events of the YAML parser into the tree, without recursion, and notes every [`Fault`] on the way.

use saphyr_parser::{Event, Parser, ScalarStyle as Style};

use super::{
    Entry, Fault, FaultKind, MAX_BYTES, MAX_DEPTH, MAX_NODES, Mapping, Node, Scalar, ScalarStyle, Sequence, Yaml,
};
use crate::document::fence::lines;
use crate::protocol::character;
use crate::source::Span;

/// How the pinned parser says that flow collections are nested beyond its own limit, which is above ours: it reads ahead.
const TOO_DEEP: &str = "recursion limit exceeded";

/// Reads the front matter that stands at `place` in `text`.
pub fn parse(text: &str, place: Span) -> Yaml {
    let raw = place.of(text);
    if raw.len() > MAX_BYTES {
        let fault = Fault { kind: FaultKind::Bytes(raw.len()), span: Span::new(place.start(), place.start() + 1) };
        return Yaml { faults: vec![fault], root: None };
    }
    let (clean, mut faults) = without_markers(raw);
    let mut builder = Builder::new(&clean);
    let root = builder.run(&mut faults);
    for fault in &mut faults {
        fault.span = fault.span.shifted(place.start());
    }
    let root = root.map(|root| shifted(root, place.start()));
    Yaml { faults, root }
}

/// The text with every directive and document marker turned into a comment of the same length, so that one of them does
/// not hide the rest. Such a line is never part of a scalar: in a mapping, what continues a scalar is indented.
fn without_markers(raw: &str) -> (String, Vec<Fault>) {
    let mut clean = raw.to_owned();
    let mut faults = Vec::new();
    for (line, _) in lines(raw, 0) {
        let content = line.of(raw);
        let marker = |mark: &str| {
            content.strip_prefix(mark).is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t']))
        };
        let kind = match content {
            _ if content.starts_with('%') => FaultKind::Directive,
            _ if marker("...") || marker("---") => FaultKind::DocumentMarker,
            _ => continue,
        };
        faults.push(Fault { kind, span: line });
        clean.replace_range(line.start()..=line.start(), "#");
    }
    (clean, faults)
}

fn shifted(node: Node, base: usize) -> Node {
    match node {
        Node::Scalar(scalar) => Node::Scalar(Scalar { span: scalar.span.shifted(base), ..scalar }),
        Node::Alias(span) => Node::Alias(span.shifted(base)),
        Node::Sequence(Sequence { items, span, flow, tagged }) => {
            let items = items.into_iter().map(|item| shifted(item, base)).collect();
            Node::Sequence(Sequence { items, span: span.shifted(base), flow, tagged })
        }
        Node::Mapping(Mapping { entries, span, flow, tagged }) => {
            let shift = |entry: Entry| Entry { key: shifted(entry.key, base), value: shifted(entry.value, base) };
            let entries = entries.into_iter().map(shift).collect();
            Node::Mapping(Mapping { entries, span: span.shifted(base), flow, tagged })
        }
    }
}

/// Byte offsets of the characters of a text; nothing is stored for ASCII, where they are the same.
struct CharOffsets(Vec<usize>);

impl CharOffsets {
    fn new(text: &str) -> Self {
        let offsets = if text.is_ascii() { Vec::new() } else { text.char_indices().map(|(at, _)| at).collect() };
        Self(offsets)
    }

    fn byte(&self, index: usize, text: &str) -> usize {
        if self.0.is_empty() { index.min(text.len()) } else { self.0.get(index).copied().unwrap_or(text.len()) }
    }
}

/// A collection that is not finished; a mapping alternates keys and values.
struct Open {
    start: usize,
    flow: bool,
    tagged: bool,
    mapping: bool,
    nodes: Vec<Node>,
}

struct Builder<'t> {
    text: &'t str,
    offsets: CharOffsets,
    open: Vec<Open>,
    root: Option<Node>,
    count: usize,
}

impl<'t> Builder<'t> {
    fn new(text: &'t str) -> Self {
        Self { text, offsets: CharOffsets::new(text), open: Vec::new(), root: None, count: 0 }
    }

    /// Reads every event; `None` when the text is not well-formed or goes beyond a limit.
    fn run(&mut self, faults: &mut Vec<Fault>) -> Option<Node> {
        let marked = !faults.is_empty();
        let mut parser = Parser::new_from_str(self.text);
        while let Some(event) = parser.next_event() {
            let (event, place) = match event {
                Ok((event, place)) => (event, self.span(place)),
                Err(error) => {
                    let at = self.offsets.byte(error.marker().index(), self.text);
                    // A marker that cuts a scalar in two is reported as what it is.
                    if error.info() == TOO_DEEP {
                        faults.push(Fault { kind: FaultKind::Depth, span: Span::at(at) });
                    } else if !marked {
                        faults.push(self.syntax_fault(at));
                    }
                    return None;
                }
            };
            if let Err(fault) = self.take(event, place, faults) {
                faults.push(fault);
                return None;
            }
        }
        let empty = Mapping { entries: Vec::new(), span: Span::at(0), flow: false, tagged: false };
        Some(self.root.take().unwrap_or(Node::Mapping(empty)))
    }

    fn span(&self, place: saphyr_parser::Span) -> Span {
        let byte = |marker: saphyr_parser::Marker| self.offsets.byte(marker.index(), self.text);
        Span::new(byte(place.start), byte(place.end))
    }

    /// An alias without an anchor, or a tag that cannot be read, stops the parser; it is still an alias or a tag.
    fn syntax_fault(&self, at: usize) -> Fault {
        let kind = match self.text.as_bytes().get(at) {
            Some(b'*') => FaultKind::Alias,
            Some(b'!') => FaultKind::Tag,
            Some(b'&') => FaultKind::Anchor,
            _ => return Fault { kind: FaultKind::Syntax, span: Span::at(at) },
        };
        Fault { kind, span: self.property(at) }
    }

    fn take(&mut self, event: Event<'_>, place: Span, faults: &mut Vec<Fault>) -> Result<(), Fault> {
        match event {
            Event::Alias(_) => {
                self.counted(place)?;
                faults.push(Fault { kind: FaultKind::Alias, span: place });
                self.place(Node::Alias(place), faults);
            }
            Event::Scalar(text, style, anchor, tag) => {
                self.counted(place)?;
                let start = self.after_properties(place.start(), anchor != 0, tag.is_some(), faults);
                let scalar = self.scalar(text.into_owned(), style, Span::new(start, place.end()), tag.is_some());
                if scalar.style == ScalarStyle::DoubleQuoted {
                    hidden_escapes(scalar.span, self.text, faults);
                }
                self.place(Node::Scalar(scalar), faults);
            }
            Event::SequenceStart(anchor, tag) => self.begin(place, anchor != 0, tag.is_some(), false, faults)?,
            Event::MappingStart(anchor, tag) => self.begin(place, anchor != 0, tag.is_some(), true, faults)?,
            Event::SequenceEnd | Event::MappingEnd => self.end(place, faults),
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentStart(_) | Event::DocumentEnd => {}
        }
        Ok(())
    }

    fn counted(&mut self, place: Span) -> Result<(), Fault> {
        self.count += 1;
        if self.count > MAX_NODES { Err(Fault { kind: FaultKind::Nodes, span: place }) } else { Ok(()) }
    }

    fn begin(
        &mut self,
        place: Span,
        anchor: bool,
        tag: bool,
        mapping: bool,
        faults: &mut Vec<Fault>,
    ) -> Result<(), Fault> {
        self.counted(place)?;
        let start = self.after_properties(place.start(), anchor, tag, faults);
        if self.open.len() == MAX_DEPTH {
            return Err(Fault { kind: FaultKind::Depth, span: Span::at(start) });
        }
        let flow = matches!(self.text.as_bytes().get(start), Some(b'[' | b'{'));
        self.open.push(Open { start, flow, tagged: tag, mapping, nodes: Vec::new() });
        Ok(())
    }

    fn end(&mut self, place: Span, faults: &mut Vec<Fault>) {
        let Some(Open { start, flow, tagged, mapping, nodes }) = self.open.pop() else { return };
        let end = if flow { place.end() } else { nodes.last().map_or(start, |node| node.span().end()) };
        let span = Span::new(start, end);
        let node = if mapping {
            let mut nodes = nodes.into_iter();
            let pairs = std::iter::from_fn(|| Some(Entry { key: nodes.next()?, value: nodes.next()? }));
            Node::Mapping(Mapping { entries: pairs.collect(), span, flow, tagged })
        } else {
            Node::Sequence(Sequence { items: nodes, span, flow, tagged })
        };
        self.place(node, faults);
    }

    /// Puts a finished node into the collection around it.
    fn place(&mut self, node: Node, faults: &mut Vec<Fault>) {
        let Some(open) = self.open.last_mut() else {
            self.root.get_or_insert(node);
            return;
        };
        if open.mapping && open.nodes.len() % 2 == 1 {
            let between = Span::new(open.nodes.last().map_or(0, |key| key.span().end()), node.span().start());
            if let Some(tab) = tab_behind_colon(between.of(self.text)) {
                let at = between.start() + tab;
                faults.push(Fault { kind: FaultKind::Tab, span: Span::new(at, at + 1) });
            }
        }
        open.nodes.push(node);
    }

    /// Notes the anchor and the tag in front of a node; returns where the node itself begins.
    fn after_properties(&self, start: usize, anchor: bool, tag: bool, faults: &mut Vec<Fault>) -> usize {
        let mut at = start;
        for _ in 0..usize::from(anchor) + usize::from(tag) {
            let span = self.property(at);
            let kind = if span.of(self.text).starts_with('&') { FaultKind::Anchor } else { FaultKind::Tag };
            faults.push(Fault { kind, span });
            let rest = self.text.get(span.end()..).unwrap_or_default();
            at = span.end() + (rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\n']).len());
        }
        at
    }

    /// The anchor, alias or tag that begins at `at`.
    fn property(&self, at: usize) -> Span {
        let rest = self.text.get(at..).unwrap_or_default();
        let end = rest.find(|c: char| c.is_ascii_whitespace() || matches!(c, ',' | '[' | ']' | '{' | '}'));
        Span::new(at, at + end.unwrap_or(rest.len()))
    }

    fn scalar(&self, text: String, style: Style, place: Span, tagged: bool) -> Scalar {
        let (style, end) = match style {
            Style::Plain if text.is_empty() => (ScalarStyle::Plain, place.start()),
            Style::Plain => (ScalarStyle::Plain, place.end()),
            Style::SingleQuoted => (ScalarStyle::SingleQuoted, self.closing_quote(place, b'\'')),
            Style::DoubleQuoted => (ScalarStyle::DoubleQuoted, self.closing_quote(place, b'"')),
            Style::Literal => (ScalarStyle::Literal, place.end()),
            Style::Folded => (ScalarStyle::Folded, place.end()),
        };
        Scalar { text, style, span: Span::new(place.start(), end), tagged }
    }

    /// Behind the closing quote: the parser's own end includes a comment on the same line.
    fn closing_quote(&self, place: Span, quote: u8) -> usize {
        let bytes = self.text.as_bytes();
        let mut at = place.start() + 1;
        while let Some(&byte) = bytes.get(at).filter(|_| at < place.end()) {
            at += 1;
            if byte == b'\\' && quote == b'"' || byte == quote && quote == b'\'' && bytes.get(at) == Some(&quote) {
                at += 1;
            } else if byte == quote {
                return at;
            }
        }
        place.end()
    }
}

/// The tab that follows the colon on the line where the value begins. `gap` lies between a key and its value.
fn tab_behind_colon(gap: &str) -> Option<usize> {
    let line = gap.rfind('\n').map_or(0, |end| end + 1);
    let colon = line + gap.get(line..)?.find(':')?;
    Some(colon + gap.get(colon..)?.find('\t')?)
}

/// Notes the escapes of a double-quoted scalar that stand for a character which may not stand in a file.
fn hidden_escapes(span: Span, text: &str, faults: &mut Vec<Fault>) {
    let raw = span.of(text);
    let mut at = 0;
    while let Some(offset) = raw.get(at..).and_then(|rest| rest.find('\\')) {
        let start = at + offset;
        let Some((escape, len)) = raw.get(start + 1..).and_then(decode_escape) else { return };
        at = start + 1 + len;
        if let Some(c) = escape.filter(|&c| character::forbidden(c).is_some()) {
            let span = Span::new(start, at).shifted(span.start());
            faults.push(Fault { kind: FaultKind::HiddenEscape(c), span });
        }
    }
}

/// The character that an escape stands for, when one can be forbidden, and the bytes behind the backslash.
fn decode_escape(rest: &str) -> Option<(Option<char>, usize)> {
    let c = rest.chars().next()?;
    let digits = match c {
        '0' => return Some((Some('\0'), 1)),
        'a' => return Some((Some('\u{7}'), 1)),
        'b' => return Some((Some('\u{8}'), 1)),
        'v' => return Some((Some('\u{b}'), 1)),
        'f' => return Some((Some('\u{c}'), 1)),
        'e' => return Some((Some('\u{1b}'), 1)),
        'x' => 2,
        'u' => 4,
        'U' => 8,
        c => return Some((None, c.len_utf8())),
    };
    let code = rest.get(1..=digits).and_then(|hex| u32::from_str_radix(hex, 16).ok());
    Some((code.and_then(char::from_u32), 1 + digits))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(text: &str) -> Vec<(FaultKind, &str)> {
        let whole = Span::new(0, text.len());
        parse(text, whole).faults.into_iter().map(|fault| (fault.kind, fault.span.of(text))).collect()
    }

    #[test]
    fn what_is_banned_is_noted_at_its_own_bytes() {
        assert_eq!(
            faults("名: &x 1\nb: &y !!str 2\nc: *x\nd: ! z\n"),
            [
                (FaultKind::Anchor, "&x"),
                (FaultKind::Anchor, "&y"),
                (FaultKind::Tag, "!!str"),
                (FaultKind::Alias, "*x"),
                (FaultKind::Tag, "!"),
            ]
        );
        assert_eq!(faults("a: *nowhere\n"), [(FaultKind::Alias, "*nowhere")]);
        assert_eq!(
            faults("%YAML 1.2\na: b\n...\n"),
            [(FaultKind::Directive, "%YAML 1.2"), (FaultKind::DocumentMarker, "...")]
        );
        assert_eq!(faults("a: \tb\ne\t: f\n? c\n: \td\n"), [(FaultKind::Tab, "\t"), (FaultKind::Tab, "\t")]);
        assert_eq!(faults("a: \"x\\0y\\x1B\\u202e\\r\\t\"\n").len(), 3);
        assert_eq!(faults("a: \"\\\\0\" # \\0\nb: '\\0'\n"), []);
    }

    #[test]
    fn limits_stop_the_parser_before_it_builds_a_tree() {
        let deep = "- ".repeat(20_000);
        assert_eq!(faults(&deep), [(FaultKind::Depth, "")]);
        let flow = "[".repeat(20_000);
        assert_eq!(faults(&flow), [(FaultKind::Depth, "")]);
        let wide = "a: b\n".repeat(MAX_NODES);
        assert_eq!(faults(&wide), [(FaultKind::Nodes, "b")]);
        let long = "a".repeat(MAX_BYTES + 1);
        assert_eq!(faults(&long), [(FaultKind::Bytes(MAX_BYTES + 1), "a")]);
        assert_eq!(faults("a: [{b: [c]}]\n"), []);
        assert_eq!(faults("a: [{b: [[c]]}]\n"), [(FaultKind::Depth, "")]);
    }

    #[test]
    fn a_quoted_scalar_ends_at_its_quote_and_not_at_the_comment() {
        let text = "a: \"it\\\"s\" # c\nb: 'it''s' # c\n";
        let Some(Node::Mapping(root)) = parse(text, Span::new(0, text.len())).root else { panic!("no mapping") };
        let spans: Vec<_> = root.entries.iter().map(|entry| entry.value.span().of(text)).collect();
        assert_eq!(spans, ["\"it\\\"s\"", "'it''s'"]);
    }
}
