//! Inputs that are JSON, read so that each string keeps its place.

use std::fmt;
use std::iter;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::fragment::Fidelity;
use super::malformed::Malformed;
use super::said::{Form, Said};
use crate::protocol::credential;
use crate::protocol::words::NONE;
use crate::source::Span;

/// A member of an object.
#[derive(Debug)]
pub(super) struct Member {
    pub(super) key: String,
    pub(super) key_span: Span,
    pub(super) value: Vec<Said>,
}

/// The members of an object in their order, each a string or a list of strings; an empty list says `none`.
pub(super) fn object(text: &str) -> Result<Vec<Member>, Malformed> {
    let Members(members) = serde_json::from_str(text).map_err(|error| malformed(text, &error))?;
    let mut end = 0;
    let mut read = Vec::new();
    for (key, value) in members {
        let span = Span::of_part(text, value.get());
        let between = Span::new(end, span.start());
        let start = between.start() + between.of(text).find('"').unwrap_or_default();
        let key_end = between.start() + between.of(text).rfind('"').map_or(between.of(text).len(), |at| at + 1);
        end = span.end();
        read.push(Member { key, key_span: Span::new(start, key_end), value: said(text, value)? });
    }
    Ok(read)
}

/// The strings of a list.
fn list(text: &str) -> Result<Vec<Said>, Malformed> {
    let elements: Vec<&RawValue> = serde_json::from_str(text).map_err(|error| malformed(text, &error))?;
    strings(text, elements)
}

/// True for a text that is meant to be a JSON object.
pub(super) fn is_object(text: &str) -> bool {
    text.trim_start().starts_with('{')
}

/// The entries of a text that is meant as a JSON list of strings; nothing for Markdown.
///
/// # Errors
/// The text is JSON, and no list of strings.
pub(super) fn entries(text: &str) -> Result<Option<Vec<Said>>, Malformed> {
    if is_list(text) {
        return list(text).map(Some);
    }
    match serde_json::from_str::<&RawValue>(text) {
        Ok(value) => Err(Malformed {
            message: format!(
                "the text is {}, not a list of entries: write a JSON list of strings, as in \
                 `[\"first\", \"second\"]`, or Markdown",
                kind(value.get())
            ),
            span: Span::of_part(text, value.get()),
        }),
        Err(_) => Ok(None),
    }
}

/// What a JSON value is, for people.
fn kind(value: &str) -> &'static str {
    match value.as_bytes().first() {
        Some(b'{') => "a JSON object",
        Some(b'[') => "a JSON list of other values than strings",
        Some(b'"') => "one JSON string",
        Some(b't' | b'f' | b'n') => "a JSON word",
        _ => "a number",
    }
}

/// True for a text that is meant to be a JSON list of strings, and no Markdown that begins like one.
fn is_list(text: &str) -> bool {
    let Some(list) = text.trim_start().strip_prefix('[') else { return false };
    if !list.trim_start().starts_with([']', '"']) {
        return false;
    }
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<&RawValue>();
    let goes_on = values.next().is_some_and(|first| first.is_ok())
        && text.get(values.byte_offset()..).is_some_and(|rest| !rest.trim().is_empty());
    !goes_on
}

/// The strings whose decoded text holds a credential.
pub(super) fn credentials(text: &str) -> impl Iterator<Item = Span> {
    literals(text).filter(|literal| {
        let string: Result<String, _> = serde_json::from_str(literal.of(text));
        string.is_ok_and(|string| !credential::credentials(&string).is_empty())
    })
}

/// The places of the strings of a JSON text, quotation marks included.
fn literals(text: &str) -> impl Iterator<Item = Span> {
    let mut at = 0;
    iter::from_fn(move || {
        let start = at + text.get(at..)?.find('"')?;
        let mut end = start + 1;
        loop {
            end += text.get(end..)?.find(['"', '\\'])? + 1;
            if text.get(..end)?.ends_with('"') {
                at = end;
                return Some(Span::new(start, end));
            }
            end += text.get(end..)?.chars().next()?.len_utf8();
        }
    })
}

fn said(text: &str, value: &RawValue) -> Result<Vec<Said>, Malformed> {
    if value.get().starts_with('[') {
        let elements: Vec<&RawValue> = serde_json::from_str(value.get()).map_err(|error| {
            let inner = malformed(value.get(), &error);
            Malformed { span: inner.span.shifted(Span::of_part(text, value.get()).start()), ..inner }
        })?;
        if elements.is_empty() {
            let span = Span::of_part(text, value.get());
            let nothing = Said { text: NONE.to_owned(), form: Form::Paragraph, span, fidelity: Fidelity::Reworked };
            return Ok(vec![nothing]);
        }
        return strings(text, elements);
    }
    strings(text, vec![value])
}

fn strings(text: &str, values: Vec<&RawValue>) -> Result<Vec<Said>, Malformed> {
    let mut said = Vec::new();
    for value in values {
        let span = Span::of_part(text, value.get());
        let string: String = serde_json::from_str(value.get())
            .map_err(|_| Malformed { message: "this is no string, and no list of strings".to_owned(), span })?;
        // What a passage says may be blank, but then it is there, and a rule says so.
        let blank = || Said { text: String::new(), form: Form::Item, span, fidelity: Fidelity::Reworked };
        said.push(Said::reworked(&string, Form::Item, span).unwrap_or_else(blank));
    }
    Ok(said)
}

fn malformed(text: &str, error: &serde_json::Error) -> Malformed {
    let line = text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum::<usize>();
    let at = (line + error.column().saturating_sub(1)).min(text.len());
    let message = error.to_string();
    let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(message, _)| message);
    let at = (0..=at).rev().find(|&at| text.is_char_boundary(at)).unwrap_or_default();
    Malformed { message: format!("this is no valid JSON: {message}"), span: Span::at(at) }
}

/// Members in their order, also of keys that stand twice.
struct Members<'j>(Vec<(String, &'j RawValue)>);

impl<'de: 'j, 'j> Deserialize<'de> for Members<'j> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collect;
        impl<'de> Visitor<'de> for Collect {
            type Value = Vec<(String, &'de RawValue)>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(members)
            }
        }
        deserializer.deserialize_map(Collect).map(Members)
    }
}
