//! High-confidence credentials (PROTOCOL §11). The list is complete; every kind is read in its real length.

use crate::source::Span;

/// A credential in a text. Its bytes are never shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Credential {
    /// What kind it is, for people.
    pub kind: &'static str,
    /// Its bytes.
    pub span: Span,
}

/// A token that begins with a fixed text and goes on with characters of one alphabet.
struct Token {
    kind: &'static str,
    prefix: &'static str,
    alphabet: fn(u8) -> bool,
    /// How many characters follow the prefix.
    length: Length,
}

enum Length {
    Exactly(usize),
    AtLeast(usize),
}

const fn alphanumeric(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
}

const fn upper_or_digit(byte: u8) -> bool {
    byte.is_ascii_uppercase() || byte.is_ascii_digit()
}

const fn word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

const fn url_safe(byte: u8) -> bool {
    word(byte) || byte == b'-'
}

const fn base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}

macro_rules! tokens {
    ($($kind:literal: $($prefix:literal)+, $alphabet:ident, $length:expr;)+) => {
        &[$($(Token { kind: $kind, prefix: $prefix, alphabet: $alphabet, length: $length },)+)+]
    };
}

use Length::{AtLeast, Exactly};

/// Longer prefixes stand before their beginnings.
const TOKENS: &[Token] = tokens! {
    "AWS access key id": "AKIA" "ASIA", upper_or_digit, Exactly(16);
    "GitHub token": "ghp_" "gho_" "ghu_" "ghs_" "ghr_", alphanumeric, AtLeast(36);
    "GitHub fine-grained token": "github_pat_", word, AtLeast(82);
    "GitLab token": "glpat-", url_safe, AtLeast(20);
    "Google API key": "AIza", url_safe, Exactly(35);
    "Anthropic API key": "sk-ant-", url_safe, AtLeast(80);
    "OpenAI API key": "sk-proj-" "sk-svcacct-" "sk-admin-", url_safe, AtLeast(40);
    "OpenAI API key": "sk-", alphanumeric, Exactly(48);
    "Stripe live key": "sk_live_" "rk_live_", alphanumeric, AtLeast(24);
    "npm token": "npm_", alphanumeric, Exactly(36);
    "PyPI token": "pypi-", url_safe, AtLeast(85);
};

/// Every credential of `text`, in order, none overlapping.
pub fn credentials(text: &str) -> Vec<Credential> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut free = 0;
    for (at, pair) in bytes.windows(2).enumerate() {
        if at >= free
            && can_begin(pair)
            && let Some(credential) = credential_at(bytes, at)
        {
            free = credential.span.end();
            found.push(credential);
        }
    }
    found
}

/// The first two bytes of the kinds below and of [`TOKENS`].
const fn can_begin(pair: &[u8]) -> bool {
    matches!(
        pair,
        [b'A', b'K' | b'S' | b'I']
            | [b'A' | b'a', b'C' | b'c']
            | [b'e' | b'p', b'y']
            | [b'g', b'h' | b'i' | b'l']
            | [b'n', b'p']
            | [b's' | b'r', b'k']
            | [b'x', b'o']
            | [b'-', b'-']
    )
}

fn credential_at(bytes: &[u8], at: usize) -> Option<Credential> {
    let (before, rest) = bytes.split_at_checked(at)?;
    if let Some(len) = private_key(rest) {
        return Some(Credential { kind: "PEM private key", span: Span::new(at, at + len) });
    }
    // Most places are inside of a word, where nothing else begins.
    if before.last().is_some_and(|&byte| word(byte)) {
        return None;
    }
    // A token does not begin behind a character of its own alphabet; each run of characters is so read only once.
    let begins = |alphabet: fn(u8) -> bool| before.last().is_none_or(|&byte| !alphabet(byte));
    let (kind, len) = token(rest, begins)
        .or_else(|| begins(url_safe).then(|| slack(rest))?.map(|len| ("Slack token", len)))
        .or_else(|| begins(url_safe).then(|| signed_jwt(rest))?.map(|len| ("signed JSON Web Token", len)))
        .or_else(|| begins(word).then(|| azure_key(rest))?.map(|len| ("Azure storage account key", len)))?;
    Some(Credential { kind, span: Span::new(at, at + len) })
}

fn run(bytes: &[u8], alphabet: fn(u8) -> bool) -> usize {
    bytes.iter().take_while(|&&byte| alphabet(byte)).count()
}

fn token(rest: &[u8], begins: impl Fn(fn(u8) -> bool) -> bool) -> Option<(&'static str, usize)> {
    TOKENS.iter().filter(|token| begins(token.alphabet)).find_map(|token| {
        let tail = rest.strip_prefix(token.prefix.as_bytes())?;
        let len = run(tail, token.alphabet);
        let ended = tail.get(len).is_none_or(|&byte| !word(byte));
        let fits = match token.length {
            Exactly(wanted) => len == wanted && ended,
            AtLeast(wanted) => len >= wanted,
        };
        fits.then_some((token.kind, token.prefix.len() + len))
    })
}

/// `xox` and a letter, then groups of letters and digits, the first a number in all kinds that are still issued.
fn slack(rest: &[u8]) -> Option<usize> {
    let tail = rest.strip_prefix(b"xox")?;
    let (kind, tail) = tail.split_first()?;
    let tail = tail.strip_prefix(b"-")?;
    let body = tail.get(..run(tail, |byte| alphanumeric(byte) || byte == b'-'))?;
    let secret = kind.is_ascii_lowercase() && body.len() >= 20 && body.iter().any(u8::is_ascii_digit);
    secret.then_some("xoxb-".len() + body.len())
}

/// Three base64url parts, the first two JSON objects, the third a signature.
fn signed_jwt(rest: &[u8]) -> Option<usize> {
    let mut len = 0;
    for (beginning, least) in [("eyJ", 8), ("eyJ", 3), ("", 22)] {
        let part = rest.get(len..)?;
        let size = run(part, url_safe);
        if size < least || !part.starts_with(beginning.as_bytes()) {
            return None;
        }
        len += size + 1;
        if !beginning.is_empty() && part.get(size) != Some(&b'.') {
            return None;
        }
    }
    Some(len - 1)
}

/// `AccountKey=` and the base64 of 64 bytes. Without the name the same text may be any digest.
fn azure_key(rest: &[u8]) -> Option<usize> {
    const NAME: &[u8] = b"AccountKey=";
    let (name, tail) = rest.split_at_checked(NAME.len())?;
    let key = tail.get(..88)?;
    let whole = key.ends_with(b"==") && key.iter().all(|&byte| base64(byte));
    (whole && name.eq_ignore_ascii_case(NAME)).then_some(NAME.len() + 88)
}

/// A PEM header for a private key with key material behind it, whatever line breaks, quotes or headers stand between.
fn private_key(rest: &[u8]) -> Option<usize> {
    const BEGIN: &[u8] = b"-----BEGIN ";
    let tail = rest.strip_prefix(BEGIN)?;
    let label = tail.get(..run(tail, |byte| byte.is_ascii_uppercase() || byte == b' '))?;
    let body = tail.get(label.len()..)?.strip_prefix(b"-----")?;
    if !(label.ends_with(b"PRIVATE KEY") || label == b"PGP PRIVATE KEY BLOCK") {
        return None;
    }
    let header = rest.len() - body.len();
    // The next block is read for itself, so that nothing is read twice.
    let next = body.windows(BEGIN.len()).position(|window| window == BEGIN);
    let body = body.get(..next.unwrap_or(body.len()))?;
    let start = key_start(body)?;
    let key = body.get(start..)?;
    if run(key, base64) < 20 {
        return None;
    }
    let lines = run(key, |byte| base64(byte) || byte.is_ascii_whitespace() || matches!(byte, b'\\' | b'>' | b'"'));
    let end = key.get(lines..).filter(|tail| tail.starts_with(b"-----END "));
    let trailer = end.map_or(0, |_| b"-----END ".len() + label.len() + b"-----".len());
    Some((header + start + lines + trailer).min(rest.len()))
}

/// Where key material begins behind a PEM header: breaks, also written as escapes, quote marks and header lines skipped.
fn key_start(body: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        let rest = body.get(at..)?;
        if rest.starts_with(b"\\n") || rest.starts_with(b"\\r") {
            at += 2;
        } else if rest
            .first()
            .is_some_and(|&byte| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'"' | b'\'' | b'+'))
        {
            at += 1;
        } else if ["Proc-Type:", "DEK-Info:", "Comment:", "Version:"]
            .iter()
            .any(|name| rest.starts_with(name.as_bytes()))
        {
            at += rest.iter().position(|&byte| byte == b'\n' || byte == b'\\')?;
        } else {
            return Some(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<&'static str> {
        credentials(text).into_iter().map(|credential| credential.kind).collect()
    }

    #[test]
    fn every_kind_is_found_in_its_real_length() {
        let x = |n: usize| "aB3dE5fG7h".chars().cycle().take(n).collect::<String>();
        let up = |n: usize| "ABCDEFG234567".chars().cycle().take(n).collect::<String>();
        for (kind, text) in [
            ("AWS access key id", format!("AKIA{}", up(16))),
            ("AWS access key id", format!("key=ASIA{}.", up(16))),
            ("GitHub token", format!("ghp_{}", x(36))),
            ("GitHub token", format!("ghs_{}", x(36))),
            ("GitHub fine-grained token", format!("github_pat_{}_{}", x(22), x(59))),
            ("GitLab token", format!("glpat-{}", x(20))),
            ("Slack token", format!("xoxb-{}-{}-{}", "1234567890", "1234567890123", x(24))),
            ("Google API key", format!("AIza{}", x(35))),
            ("OpenAI API key", format!("sk-{}", x(48))),
            ("OpenAI API key", format!("sk-proj-{}", x(48))),
            ("Anthropic API key", format!("sk-ant-api03-{}-{}AA", x(40), x(52))),
            ("Stripe live key", format!("sk_live_{}", x(24))),
            ("Stripe live key", format!("rk_live_{}", x(99))),
            ("npm token", format!("npm_{}", x(36))),
            ("PyPI token", format!("pypi-AgEIcHlwaS5vcmc{}", x(100))),
            ("signed JSON Web Token", format!("eyJ{}.eyJ{}.{}", x(17), x(20), x(43))),
            ("Azure storage account key", format!("AccountName=a;AccountKey={}==;", x(86))),
            (
                "PEM private key",
                format!(
                    "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\n{}\n-----END RSA PRIVATE KEY-----",
                    x(64)
                ),
            ),
            ("PEM private key", format!("\"-----BEGIN PRIVATE KEY-----\\n{}\\n", x(64))),
        ] {
            assert_eq!(kinds(&text), [kind], "{text}");
        }
    }

    #[test]
    fn what_only_looks_like_a_credential_is_left_alone() {
        let x = |n: usize| "aB3dE5fG7h".chars().cycle().take(n).collect::<String>();
        for text in [
            "-----BEGIN PRIVATE KEY----- is how a key begins".to_owned(),
            "-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQ".to_owned(),
            format!("AKIA{}", "A".repeat(40)),
            format!("ghp_{}", x(12)),
            format!("task-{}", x(48)),
            format!("sk-{}", x(20)),
            format!("sk_test_{}", x(24)),
            format!("eyJ{}.eyJ{}.", x(17), x(20)),
            format!("sha512-{}==", x(86)),
            "the ghp_ and glpat- prefixes".to_owned(),
            "npm_config_registry, pypi-publish, xoxo-xoxo".to_owned(),
        ] {
            assert_eq!(kinds(&text), [""; 0], "{text}");
        }
    }

    #[test]
    fn a_key_block_is_hidden_to_its_end_line() {
        let text = format!("a -----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY----- z", "QUJD".repeat(16));
        assert_eq!(credentials(&text)[0].span, Span::new(2, text.len() - 2));
    }
}
