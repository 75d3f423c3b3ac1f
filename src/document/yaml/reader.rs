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

/// How often the text is read again after what stopped the parser was blanked out.
const ATTEMPTS: usize = 16;

/// Reads the front matter that stands at `place` in `text`.
pub fn parse(text: &str, place: Span) -> Yaml {
    let raw = place.of(text);
    let mut yaml = if raw.len() > MAX_BYTES {
        let fault = Fault { kind: FaultKind::Bytes(raw.len()), span: Span::new(0, 1) };
        Yaml { faults: vec![fault], root: None }
    } else {
        read(raw)
    };
    for fault in &mut yaml.faults {
        fault.span = fault.span.shifted(place.start());
    }
    Yaml { root: yaml.root.map(|root| shifted(root, place.start())), ..yaml }
}

/// Reads a whole text. An alias, anchor or tag that stops the parser is noted and blanked out, so that it does not hide
/// what follows.
fn read(raw: &str) -> Yaml {
    let (mut clean, mut known) = without_markers(raw);
    let mut attempts = 0;
    loop {
        attempts += 1;
        let mut builder = Builder::new(&clean, &known);
        let (root, stop) = match builder.run() {
            Ok(root) => (Some(root), None),
            Err(fault) => (None, Some(fault)),
        };
        let faults = builder.faults;
        let reference =
            stop.as_ref().filter(|stop| matches!(stop.kind, FaultKind::Alias | FaultKind::Anchor | FaultKind::Tag));
        if let Some(Fault { span, .. }) = reference.filter(|_| attempts < ATTEMPTS) {
            clean.replace_range(span.start()..span.end(), &"_".repeat(span.end() - span.start()));
            known.extend(stop);
            continue;
        }
        // What is blanked out may cut a scalar in two; that is no fault of its own.
        let stop =
            stop.filter(|stop| stop.kind != FaultKind::Syntax || !known.iter().any(|fault| is_near(raw, fault, stop)));
        let faults = known.into_iter().chain(faults).chain(stop).collect();
        return Yaml { faults, root };
    }
}

/// True when two faults stand on the same line or on neighbours.
fn is_near(text: &str, one: &Fault, other: &Fault) -> bool {
    let (first, last) = (one.span.start().min(other.span.start()), one.span.start().max(other.span.start()));
    Span::new(first, last).of(text).matches('\n').count() <= 1
}

/// The text with every directive and document marker turned into a comment of the same length, so that none of them
/// hides the rest. Such a line is never part of a scalar: in a mapping, what continues a scalar is indented.
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
    /// What was blanked out before.
    known: &'t [Fault],
    offsets: CharOffsets,
    open: Vec<Open>,
    root: Option<Node>,
    count: usize,
    faults: Vec<Fault>,
}

impl<'t> Builder<'t> {
    fn new(text: &'t str, known: &'t [Fault]) -> Self {
        let offsets = CharOffsets::new(text);
        Self { text, known, offsets, open: Vec::new(), root: None, count: 0, faults: Vec::new() }
    }

    /// Reads every event.
    ///
    /// # Errors
    /// What stopped the reading.
    fn run(&mut self) -> Result<Node, Fault> {
        let mut parser = Parser::new_from_str(self.text);
        while let Some(event) = parser.next_event() {
            match event {
                Ok((event, place)) => self.take(event, self.span(place))?,
                Err(error) => {
                    let at = self.offsets.byte(error.marker().index(), self.text);
                    let too_deep = error.info() == TOO_DEEP;
                    return Err(if too_deep {
                        Fault { kind: FaultKind::Depth, span: Span::at(at) }
                    } else {
                        self.stop(at)
                    });
                }
            }
        }
        let empty = Mapping { entries: Vec::new(), span: Span::at(0), flow: false, tagged: false };
        Ok(self.root.take().unwrap_or(Node::Mapping(empty)))
    }

    fn span(&self, place: saphyr_parser::Span) -> Span {
        let byte = |marker: saphyr_parser::Marker| self.offsets.byte(marker.index(), self.text);
        Span::new(byte(place.start), byte(place.end))
    }

    /// An alias without an anchor, an anchor that takes the colon of its key, or a tag that cannot be read stops the
    /// parser; it is still an alias, an anchor or a tag.
    fn stop(&self, at: usize) -> Fault {
        let line_before = |at: usize| self.text.get(..at).and_then(|before| before.rfind('\n'));
        let start = line_before(at).map_or(0, |end| end + 1);
        let start_before = line_before(start.saturating_sub(1)).map_or(0, |end| end + 1);
        let content = |line: usize| {
            let rest = self.text.get(line..).unwrap_or_default();
            line + (rest.len() - rest.trim_start_matches([' ', '-']).len())
        };
        for place in [at, content(start), content(start_before)] {
            let kind = match self.text.as_bytes().get(place) {
                Some(b'*') => FaultKind::Alias,
                Some(b'!') => FaultKind::Tag,
                Some(b'&') => FaultKind::Anchor,
                _ => continue,
            };
            return Fault { kind, span: self.property(place) };
        }
        Fault { kind: FaultKind::Syntax, span: Span::at(at) }
    }

    /// True where something on the same line was blanked out: what is left there has no type.
    fn is_blanked(&self, at: usize) -> bool {
        self.known.iter().any(|fault| {
            let (first, last) = (fault.span.start().min(at), fault.span.start().max(at));
            !Span::new(first, last).of(self.text).contains('\n')
        })
    }

    fn take(&mut self, event: Event<'_>, place: Span) -> Result<(), Fault> {
        match event {
            Event::Alias(_) => {
                self.counted(place)?;
                self.faults.push(Fault { kind: FaultKind::Alias, span: place });
                self.place(Node::Alias(place));
            }
            Event::Scalar(text, style, anchor, tag) => {
                self.counted(place)?;
                let start = self.after_properties(place.start(), anchor != 0, tag.is_some());
                let scalar = self.scalar(text.into_owned(), style, Span::new(start, place.end()), tag.is_some());
                // In braces and brackets the parser takes what would begin a block scalar for text.
                if scalar.style == ScalarStyle::Plain && scalar.text.starts_with(['|', '>']) {
                    return Err(Fault { kind: FaultKind::Syntax, span: Span::at(start) });
                }
                if scalar.style == ScalarStyle::DoubleQuoted {
                    hidden_escapes(scalar.span, self.text, &mut self.faults);
                }
                self.place(Node::Scalar(scalar));
            }
            Event::SequenceStart(anchor, tag) => self.begin(place, anchor != 0, tag.is_some(), false)?,
            Event::MappingStart(anchor, tag) => self.begin(place, anchor != 0, tag.is_some(), true)?,
            Event::SequenceEnd | Event::MappingEnd => self.end(place),
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentStart(_) | Event::DocumentEnd => {}
        }
        Ok(())
    }

    fn counted(&mut self, place: Span) -> Result<(), Fault> {
        self.count += 1;
        if self.count > MAX_NODES { Err(Fault { kind: FaultKind::Nodes, span: place }) } else { Ok(()) }
    }

    fn begin(&mut self, place: Span, anchor: bool, tag: bool, mapping: bool) -> Result<(), Fault> {
        self.counted(place)?;
        let start = self.after_properties(place.start(), anchor, tag);
        if self.open.len() == MAX_DEPTH {
            return Err(Fault { kind: FaultKind::Depth, span: Span::at(start) });
        }
        let flow = matches!(self.text.as_bytes().get(start), Some(b'[' | b'{'));
        let line = self.text.get(..start).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1);
        if let Some(tab) = Span::new(line, start).of(self.text).find('\t').filter(|_| !flow) {
            self.faults.push(Fault { kind: FaultKind::TabAsIndentation, span: Span::new(line + tab, line + tab + 1) });
        }
        self.open.push(Open { start, flow, tagged: tag, mapping, nodes: Vec::new() });
        Ok(())
    }

    fn end(&mut self, place: Span) {
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
        self.place(node);
    }

    /// Puts a finished node into the collection around it.
    fn place(&mut self, node: Node) {
        let Some(open) = self.open.last_mut() else {
            self.root.get_or_insert(node);
            return;
        };
        if open.mapping && open.nodes.len() % 2 == 1 {
            let between = Span::new(open.nodes.last().map_or(0, |key| key.span().end()), node.span().start());
            if let Some(tab) = tab_behind_colon(up_to_header(between.of(self.text), &node)) {
                let at = between.start() + tab;
                self.faults.push(Fault { kind: FaultKind::TabBehindColon, span: Span::new(at, at + 1) });
            }
        }
        open.nodes.push(node);
    }

    /// Notes the anchor and the tag in front of a node; returns where the node itself begins.
    fn after_properties(&mut self, start: usize, anchor: bool, tag: bool) -> usize {
        let mut at = start;
        for _ in 0..usize::from(anchor) + usize::from(tag) {
            let span = self.property(at);
            let kind = if span.of(self.text).starts_with('&') { FaultKind::Anchor } else { FaultKind::Tag };
            self.faults.push(Fault { kind, span });
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
        let tagged = tagged || self.is_blanked(place.start());
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

/// What of `gap` lies before a block scalar's header, which stands on the line of the colon; all of it before others.
fn up_to_header<'g>(gap: &'g str, value: &Node) -> &'g str {
    let Node::Scalar(Scalar { style: ScalarStyle::Literal | ScalarStyle::Folded, .. }) = value else { return gap };
    let line = gap.trim_end();
    let header = line.rfind('\n').unwrap_or(0);
    line.get(header..).and_then(|line| line.find(['|', '>'])).and_then(|at| gap.get(..header + at)).unwrap_or(gap)
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
            faults("名: &x 1\nb: &y  !!str 2\nc: *x\nd: ! z\n"),
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
        assert_eq!(
            faults("a: \tb\ne\t: f\n? c\n: \td\n"),
            [(FaultKind::TabBehindColon, "\t"), (FaultKind::TabBehindColon, "\t")]
        );
        assert_eq!(faults("a:\t| # b:\tc\n\n d\n? e # f |\n:\t>-\n g:\th\n").len(), 2);
        assert_eq!(faults("a: | # b:\tc\n d\te\nf:\t\n  - g\n"), []);
        assert_eq!(faults("a: \"x\\0y\\x1B\\u202e\\r\\t\"\n").len(), 3);
        assert_eq!(faults("a: \"\\\\0\" # \\0\nb: '\\0'\n"), []);
    }

    #[test]
    fn there_are_no_block_scalars_in_braces() {
        for text in ["a: {b: |}\n", "a: {b: >-\n  c}\n", "a: [|x]\n", "{>x: y}\n"] {
            assert!(faults(text).iter().any(|(kind, _)| *kind == FaultKind::Syntax), "{text}");
        }
        assert_eq!(faults("a: [x|y, \"|\", '>', x > y]\nb: x |\nc: |\n  |\n"), []);
    }

    #[test]
    fn what_stops_the_parser_is_noted_a_limited_number_of_times() {
        let text: String = (0..2 * ATTEMPTS).map(|key| ["k", &key.to_string(), ": *x\n"].concat()).collect();
        assert_eq!(faults(&text), [(FaultKind::Alias, "*x")].repeat(ATTEMPTS));
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
