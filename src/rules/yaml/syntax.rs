//! Well-formedness (PROTOCOL §3), and what the frequent causes look like.

use crate::diagnostic::{Base, Diagnostic, Edit, Example, Rule, Scope, Severity, Sink};
use crate::document::Document;
use crate::document::content::trimmed;
use crate::document::fence::lines;
use crate::document::yaml::FaultKind;
use crate::protocol::character;
use crate::source::Span;

pub(in crate::rules) static SYNTAX: Rule = Rule {
    id: "yaml/syntax",
    severity: Severity::Error,
    clause: "§3",
    scope: Scope::Every,
    summary: "the front matter is well-formed YAML 1.2, and no tab stands between a colon and its value",
    rationale: "A lenient reader guesses, and every one guesses differently.",
    example: Example::of(
        Base::Initial,
        &[Edit::Replace("\"first version, nothing audited yet\"", "first version: nothing audited yet")],
    ),
};

const QUOTE: &str = "quote the value: put it in single quotes, and double every `'` inside";

pub(in crate::rules) fn check(document: &Document<'_>, sink: &mut Sink) {
    for fault in &document.yaml.faults {
        match fault.kind {
            FaultKind::TabBehindColon => sink.push(tab(fault.span)),
            FaultKind::TabAsIndentation => sink.push(indentation_tab(fault.span)),
            FaultKind::Syntax => sink.extend(syntax(document, fault.span.start())),
            _ => {}
        }
    }
}

fn tab(span: Span) -> Diagnostic {
    SYNTAX.at(span, "a tab between the colon and its value").help("put one space behind the colon").root_cause()
}

fn indentation_tab(span: Span) -> Diagnostic {
    SYNTAX.at(span, "a tab in the indentation").help("indent with spaces").root_cause()
}

fn syntax(document: &Document<'_>, at: usize) -> Option<Diagnostic> {
    let front_matter = document.fence.front_matter;
    let place = Place::new(document, at);
    // A forbidden character may stop the parser; `encoding/*` reports it as what it is.
    if place.nearby().any(|line| document.at(line).contains(|c| c == '\r' || character::forbidden(c).is_some())) {
        return None;
    }
    let found = place
        .tab()
        .or_else(|| place.no_break_space())
        .or_else(|| place.value())
        .or_else(|| place.bracket())
        .or_else(|| place.colon())
        .unwrap_or_else(|| place.other());
    let missing_fence = lines(document.text, front_matter.start()).map(|(line, _)| line);
    let heading = missing_fence
        .take_while(|line| line.end() < front_matter.end())
        .find(|line| line.of(document.text).starts_with("# "));
    let found = match heading.filter(|heading| heading.start() <= at) {
        Some(line) => found.related(line, "this looks like the body: is the closing `---` missing before it?"),
        None => found,
    };
    Some(found.root_cause())
}

/// Where the parser stopped: that line, and the one before it, where a scalar may have begun.
struct Place<'d> {
    document: &'d Document<'d>,
    line: Span,
    before: Option<Span>,
}

impl<'d> Place<'d> {
    fn new(document: &'d Document<'d>, at: usize) -> Self {
        let front_matter = document.fence.front_matter;
        let mut before = None;
        let mut line = Span::new(front_matter.start(), front_matter.start());
        for (next, _) in lines(document.text, front_matter.start())
            .take_while(|(next, _)| next.start() <= at && next.start() < front_matter.end())
        {
            before = (!line.is_empty()).then_some(line);
            line = next;
        }
        Self { document, line, before }
    }

    fn text(&self, span: Span) -> &'d str {
        span.of(self.document.text)
    }

    /// The line after the one where the parser stopped: a scalar that began here may fail there.
    fn after(&self) -> Option<Span> {
        let next = lines(self.document.text, self.line.start()).nth(1).map(|(next, _)| next);
        next.filter(|next| next.start() < self.document.fence.front_matter.end())
    }

    fn nearby(&self) -> impl Iterator<Item = Span> {
        [Some(self.line), self.after(), self.before].into_iter().flatten()
    }

    fn tab(&self) -> Option<Diagnostic> {
        let indented = self.nearby().find_map(|line| {
            let text = self.text(line);
            let indentation = text.len() - text.trim_start_matches([' ', '\t']).len();
            let tab = line.start() + text.find('\t').filter(|&tab| tab < indentation)?;
            Some(indentation_tab(Span::new(tab, tab + 1)))
        });
        indented.or_else(|| {
            let colon = self.text(self.line).find(":\t")?;
            let start = self.line.start() + colon + 1;
            Some(tab(Span::new(start, start + 1)))
        })
    }

    /// U+00A0 where a space belongs, or U+FEFF anywhere.
    fn no_break_space(&self) -> Option<Diagnostic> {
        self.nearby().find_map(|line| {
            let text = self.text(line);
            let leading = text.trim_start_matches([' ', '\u{a0}']);
            let indentation = text.get(..text.len() - leading.len())?.find('\u{a0}');
            let blank = indentation.or_else(|| text.find(":\u{a0}").map(|colon| colon + 1));
            let (offset, c) =
                blank.map(|at| (at, '\u{a0}')).or_else(|| text.find('\u{feff}').map(|at| (at, '\u{feff}')))?;
            let start = line.start() + offset;
            let span = Span::new(start, start + c.len_utf8());
            Some(match c {
                '\u{a0}' => SYNTAX
                    .at(span, "U+00A0 where a space belongs")
                    .help("replace the no-break spaces (U+00A0) by spaces"),
                _ => SYNTAX.at(span, "U+FEFF, which is invisible, inside the front matter").help("remove it"),
            })
        })
    }

    /// Looks at the value of `key: value` on the line.
    fn value(&self) -> Option<Diagnostic> {
        let text = self.text(self.line);
        let colon = text.find(": ")?;
        let value = text.get(colon + 2..)?.trim_start();
        let start = self.line.start() + (text.len() - value.len());
        let span = Span::new(start, start + value.trim_end().len());
        let indentation = colon - text.get(..colon)?.trim_start_matches(['-', ' ']).len();
        let key = self.document.quote(Span::new(self.line.start() + indentation, self.line.start() + colon));
        let first = value.chars().next()?;
        let found = match first {
            '"' => return self.double_quoted(span),
            '\'' => match value.get(1..)?.replace("''", "  ").find('\'') {
                Some(end) => return self.behind_quote(span, end + 2),
                None => SYNTAX.at(span, "the single quote is not closed").help("close it with `'`"),
            },
            '`' | '@' | '%' | '-' | '?' | ',' | ']' | '}' => {
                let begin = Span::new(start, start + 1);
                SYNTAX.at(begin, format!("the value of `{key}` begins with `{first}`")).help(QUOTE)
            }
            '|' | '>' | '[' | '{' => return None,
            _ => {
                let inner = value.find(": ").or_else(|| value.trim_end().strip_suffix(':').map(str::len))?;
                let at = start + inner;
                SYNTAX.at(Span::new(at, at + 1), format!("`: ` inside the unquoted value of `{key}`")).help(QUOTE)
            }
        };
        Some(found)
    }

    /// The escape that YAML does not have, or what follows the closing quote.
    fn double_quoted(&self, value: Span) -> Option<Diagnostic> {
        let text = self.text(Span::new(value.start(), self.document.fence.front_matter.end()));
        let mut chars = text.char_indices().skip(1);
        while let Some((at, c)) = chars.next() {
            match c {
                '"' if value.start() + at < self.line.end() => return self.behind_quote(value, at + 1),
                // The quote that closes it stands on a later line, where another value seems to begin.
                '"' => break,
                '\\' => {
                    let (_, escaped) = chars.next()?;
                    let digits = match escaped {
                        'x' => 2,
                        'u' => 4,
                        'U' => 8,
                        '0' | 'a' | 'b' | 't' | '\t' | 'n' | 'v' | 'f' | 'r' | 'e' | ' ' | '"' | '/' | '\\' | 'N'
                        | '_' | 'L' | 'P' | '\n' | '\r' => continue,
                        _ => return Some(self.unknown_escape(value.start() + at, 1 + escaped.len_utf8())),
                    };
                    let hex = text.get(at + 2..at + 2 + digits);
                    match hex.and_then(|hex| u32::from_str_radix(hex, 16).ok()).map(char::from_u32) {
                        Some(Some(_)) => {}
                        Some(None) => return Some(self.no_character(value.start() + at, 2 + digits)),
                        None => return Some(self.short_escape(value.start() + at, digits)),
                    }
                }
                _ => {}
            }
        }
        Some(SYNTAX.at(value, "the double quote is not closed").help("close it with `\"`; inside, write `\\\"`"))
    }

    fn no_character(&self, at: usize, len: usize) -> Diagnostic {
        let span = Span::new(at, at + len);
        let message = format!("the escape `{}` stands for no character", self.document.quote(span));
        SYNTAX.at(span, message).help("write the character itself; a pair of surrogates is one escape `\\UXXXXXXXX`")
    }

    fn short_escape(&self, at: usize, digits: usize) -> Diagnostic {
        let span = Span::new(at, at + 2);
        let message = format!("the escape `{}` needs {digits} hexadecimal digits", self.document.quote(span));
        SYNTAX.at(span, message).help("write `\\\\` for a backslash, or put the value in single quotes")
    }

    fn unknown_escape(&self, at: usize, len: usize) -> Diagnostic {
        let span = Span::new(at, at + len);
        let message = format!("`{}` is no escape of a double-quoted value", self.document.quote(span));
        SYNTAX.at(span, message).help("write `\\\\` for a backslash, or put the value in single quotes")
    }

    /// `end` is the offset behind the closing quote, counted from the start of the value.
    fn behind_quote(&self, value: Span, end: usize) -> Option<Diagnostic> {
        let behind = Span::new(value.start() + end, value.end());
        let text = self.text(behind);
        let rest = text.trim_start();
        if rest.is_empty() || (rest.starts_with('#') && rest.len() < text.len()) {
            return None;
        }
        let span = Span::new(behind.end() - rest.len(), behind.end());
        Some(
            SYNTAX
                .at(span, "text behind the closing quote")
                .help("put the whole value in one pair of quotes, or quote none of it"),
        )
    }

    /// A line near the place where the parser stopped that is no `key: value`.
    fn colon(&self) -> Option<Diagnostic> {
        [Some(self.line), self.before].into_iter().flatten().find_map(|line| {
            let text = self.text(line);
            let content = trimmed(line, self.document.text);
            let shown = content.of(self.document.text);
            let no_key = shown.is_empty() || shown.starts_with(['#', '-', '?', '"', '\'', '[', '{', '}', ']']);
            if no_key || text.contains(": ") || shown.ends_with(':') {
                return None;
            }
            let found = |at: usize, len: usize, message: &str| {
                let start = line.start() + at;
                SYNTAX.at(Span::new(start, start + len), message)
            };
            if let Some(at) = text.find('：') {
                return Some(
                    found(at, '：'.len_utf8(), "a full-width colon behind the key")
                        .help("write `: `, an ASCII colon and a space"),
                );
            }
            if let Some(at) = text.find(':').filter(|&at| {
                text.get(..at)
                    .is_some_and(|key| key.trim().bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'))
            }) {
                return Some(
                    found(at, 1, "no space behind the colon").help("write `key: value`, with a space behind the colon"),
                );
            }
            let related = self.before.filter(|before| *before != line);
            let found = SYNTAX.at(content, "this line is neither a key with a value nor part of one");
            let found = related.into_iter().fold(found, |found, before| found.related(before, "the line before"));
            Some(found.help("write `key: value`, or indent the line to continue a quoted value"))
        })
    }

    /// A flow collection that begins near here and is not closed on its line.
    fn bracket(&self) -> Option<Diagnostic> {
        [self.before, Some(self.line)].into_iter().flatten().find_map(|line| {
            let text = self.text(line);
            let value = text.find(": ").map_or(0, |colon| colon + 2);
            let open = value + text.get(value..)?.find(['[', '{']).filter(|&at| at == 0)?;
            let count = |brackets: [char; 2]| text.matches(brackets).count();
            let at = line.start() + open;
            (count(['[', '{']) > count([']', '}'])).then(|| {
                let found = SYNTAX.at(Span::new(at, at + 1), "this bracket is not closed");
                found.help("close it, or quote the value if it is meant as text")
            })
        })
    }

    fn other(&self) -> Diagnostic {
        let line = self.text(self.line);
        let indentation = |text: &str| text.len() - text.trim_start().len();
        let start = self.line.start() + indentation(line);
        let place = Span::new(start.min(self.line.end()), self.line.end());
        let found = SYNTAX.at(place, "the front matter is not well-formed YAML here");
        if self.before.is_some_and(|before| indentation(line) > indentation(self.text(before))) {
            return found.help("is the line indented too far? keys of one mapping begin in the same column");
        }
        found.help("keep to the template: one `key: value` a line, text in quotes, brackets and braces closed")
    }
}
