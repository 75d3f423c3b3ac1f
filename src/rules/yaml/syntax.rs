//! Well-formedness (PROTOCOL §3), and what the frequent causes look like.

use crate::diagnostic::{Base, Diagnostic, Edit, Example, Rule, Scope, Severity, Sink};
use crate::document::Document;
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
            FaultKind::Tab => sink.push(tab(fault.span)),
            FaultKind::Syntax => sink.extend(syntax(document, fault.span.start())),
            _ => {}
        }
    }
}

fn tab(span: Span) -> Diagnostic {
    SYNTAX.at(span, "a tab between the colon and its value").help("put one space behind the colon").root_cause()
}

fn syntax(document: &Document<'_>, at: usize) -> Option<Diagnostic> {
    let front_matter = document.fence.front_matter;
    // A forbidden character may stop the parser; `encoding/*` reports it as what it is.
    if document.at(front_matter).contains(|c| character::forbidden(c).is_some()) {
        return None;
    }
    let place = Place::new(document, at);
    let found =
        place.tab().or_else(|| place.no_break_space()).or_else(|| place.value()).unwrap_or_else(|| place.other());
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
    at: usize,
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
        Self { document, at, line, before }
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
            let tab = text.find('\t').filter(|&tab| tab < indentation)?;
            let span = Span::at(line.start() + tab);
            Some(
                SYNTAX
                    .at(Span::new(span.start(), span.start() + 1), "a tab in the indentation")
                    .help("indent with spaces"),
            )
        });
        indented.or_else(|| {
            let colon = self.text(self.line).find(":\t")?;
            let start = self.line.start() + colon + 1;
            Some(tab(Span::new(start, start + 1)))
        })
    }

    fn no_break_space(&self) -> Option<Diagnostic> {
        self.nearby().find_map(|line| {
            let text = self.text(line);
            let leading = text.trim_start_matches([' ', '\u{a0}']);
            let indentation = text.get(..text.len() - leading.len())?.find('\u{a0}');
            let offset = indentation.or_else(|| text.find(":\u{a0}").map(|colon| colon + 1))?;
            let start = line.start() + offset;
            let found = SYNTAX.at(Span::new(start, start + '\u{a0}'.len_utf8()), "U+00A0 where a space belongs");
            Some(found.help("replace the no-break spaces (U+00A0) by spaces"))
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
                '"' => return self.behind_quote(value, at + 1),
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
                    let hex = text.get(at + 2..at + 2 + digits).and_then(|hex| u32::from_str_radix(hex, 16).ok());
                    if hex.and_then(char::from_u32).is_none() {
                        return Some(self.unknown_escape(value.start() + at, 2));
                    }
                }
                _ => {}
            }
        }
        Some(SYNTAX.at(value, "the double quote is not closed").help("close it with `\"`; inside, write `\\\"`"))
    }

    fn unknown_escape(&self, at: usize, len: usize) -> Diagnostic {
        let span = Span::new(at, at + len);
        let message = format!("`{}` is no escape of a double-quoted value", character::quoted(self.text(span)));
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

    fn other(&self) -> Diagnostic {
        let line = self.text(self.line);
        let indentation = line.len() - line.trim_start().len();
        let end = self.at.clamp(self.line.start() + indentation, self.line.end());
        if let Some(before) = self
            .before
            .filter(|_| !line.contains(':') && !line.trim().is_empty() && !line.trim_start().starts_with('-'))
        {
            let found = SYNTAX.at(
                crate::document::content::trimmed(self.line, self.document.text),
                "this line is neither a key with a value nor part of one",
            );
            return found
                .related(before, "the line before")
                .help("write `key: value`, or indent the line to continue a quoted value");
        }
        let indented = self
            .before
            .is_some_and(|before| indentation > self.text(before).len() - self.text(before).trim_start().len());
        let found = SYNTAX.at(
            Span::new(end.min(self.line.start() + indentation), self.line.end()),
            "the front matter is not well-formed YAML here",
        );
        if indented {
            return found.help("is the line indented too far? keys of one mapping begin in the same column");
        }
        found.help("keep to the template: one `key: value` a line, text in quotes, brackets and braces closed")
    }
}
