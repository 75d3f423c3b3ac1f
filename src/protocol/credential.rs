//! High-confidence credentials (PROTOCOL §11). The list is complete; every kind is read in its real length.

use std::ops::Range;

use super::character;
use crate::source::Span;

/// A credential in a text. Its bytes are never shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Credential {
    /// What kind it is, for people.
    pub kind: &'static str,
    /// Whether somebody could use it.
    pub standing: Standing,
    /// Its bytes.
    pub span: Span,
}

/// What the disclosure of a credential means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It may open something.
    Secret,
    /// Its issuer publishes it as an example: it opens nothing, or only an emulator.
    Example,
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

/// Credentials that their issuers publish as examples, each as a whole token: AWS General Reference and IAM User Guide;
/// Microsoft's documentation of the Azurite storage emulator.
const EXAMPLES: [&str; 4] = [
    "AKIAIOSFODNN7EXAMPLE",
    "AKIAI44QH8DHBEXAMPLE",
    "ASIAIOSFODNN7EXAMPLE",
    "AccountKey=Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==",
];

/// Every credential of `text`, in order, none overlapping.
pub fn credentials(text: &str) -> Vec<Credential> {
    let mut scanner = Scanner { bytes: text.as_bytes(), run: 0..0, last_digit: None, dashes: 0 };
    let mut found: Vec<Credential> = Vec::new();
    let mut free = 0;
    for at in beginnings(text.as_bytes()) {
        if at >= free
            && let Some(credential) = scanner.credential(at)
        {
            free = credential.span.end();
            found.push(credential);
        }
    }
    found
}

/// Where two bytes stand that [`can_begin`] a credential. Most blocks have none, and are looked at as a whole.
fn beginnings(bytes: &[u8]) -> impl Iterator<Item = usize> {
    let (firsts, _) = bytes.as_chunks::<BLOCK>();
    let (seconds, _) = bytes.get(1..).unwrap_or_default().as_chunks::<BLOCK>();
    let blocks = firsts.iter().zip(seconds).map(|(firsts, seconds)| any_begins(firsts, seconds));
    // What is left is no whole block with a byte behind it.
    (0..bytes.len()).step_by(BLOCK).zip(blocks.chain([true])).filter(|&(_, any)| any).flat_map(|(start, _)| {
        let block = bytes.get(start..bytes.len().min(start + BLOCK + 1)).unwrap_or_default();
        let pairs = (start..).zip(block.iter().zip(block.get(1..).unwrap_or_default()));
        pairs.filter_map(|(at, (&first, &second))| can_begin(first, second).then_some(at))
    })
}

/// How many bytes are looked at in one step.
const BLOCK: usize = 16;

fn any_begins(firsts: &[u8; BLOCK], seconds: &[u8; BLOCK]) -> bool {
    firsts.iter().zip(seconds).fold(false, |any, (&first, &second)| any | can_begin(first, second))
}

/// True for the first two bytes of the kinds below and of [`TOKENS`]. Nothing is decided before the end, so that many
/// places are looked at in one step.
#[allow(clippy::needless_bitwise_bool, reason = "see above")]
const fn can_begin(first: u8, second: u8) -> bool {
    let (a, b) = (first, second);
    ((a == b'A') & ((b == b'K') | (b == b'S') | (b == b'I')))
        | ((a | 0x20 == b'a') & (b | 0x20 == b'c'))
        | ((b == b'y') & ((a == b'e') | (a == b'p')))
        | ((a == b'g') & ((b == b'h') | (b == b'i') | (b == b'l')))
        | ((a == b'n') & (b == b'p'))
        | ((b == b'k') & ((a == b's') | (a == b'r')))
        | ((a == b'x') & (b == b'o'))
        | ((a == b'-') & (b == b'-'))
}

/// Reads forward, and remembers what it would otherwise read again.
struct Scanner<'t> {
    bytes: &'t [u8],
    /// The last run of URL-safe characters.
    run: Range<usize>,
    /// The last digit in it.
    last_digit: Option<usize>,
    /// Where the last `-----` that was looked for stands.
    dashes: usize,
}

impl<'t> Scanner<'t> {
    fn rest(&self, at: usize) -> &'t [u8] {
        self.bytes.get(at..).unwrap_or_default()
    }

    fn credential(&mut self, at: usize) -> Option<Credential> {
        let rest = self.rest(at);
        let (kind, len) = if rest.starts_with(PEM_BEGIN) {
            ("PEM private key", self.private_key(at)?)
        } else if begins_word(self.bytes, at) {
            self.token(at)
                .or_else(|| slack(rest).map(|len| ("Slack token", len)))
                .or_else(|| self.signed_jwt(at).map(|len| ("signed JSON Web Token", len)))
                .or_else(|| azure_key(rest).map(|len| ("Azure storage account key", len)))?
        } else {
            return None;
        };
        Some(Credential { kind, standing: self.standing(at, len), span: Span::new(at, at + len) })
    }

    /// A part of a longer token is no example.
    fn standing(&self, at: usize, len: usize) -> Standing {
        let value = self.bytes.get(at..at + len).unwrap_or_default();
        let joined = |byte: Option<&u8>| byte.is_some_and(|&byte| matches!(byte, b'_' | b'-'));
        let before = at.checked_sub(1).and_then(|at| self.bytes.get(at));
        let behind = self.bytes.get(at + len);
        let whole = !joined(before) && !joined(behind) && behind.is_none_or(|byte| !base64(*byte) || *byte == b'/');
        let published = EXAMPLES.iter().any(|example| example.as_bytes() == value);
        if whole && published { Standing::Example } else { Standing::Secret }
    }

    fn token(&mut self, at: usize) -> Option<(&'static str, usize)> {
        TOKENS.iter().find_map(|token| {
            let tail = self.rest(at).strip_prefix(token.prefix.as_bytes())?;
            let start = at + token.prefix.len();
            let (Exactly(least) | AtLeast(least)) = token.length;
            let least_read = run(tail.get(..least)?, token.alphabet);
            let len = match token.length {
                _ if least_read < least => return None,
                Exactly(len) => tail.get(len).is_none_or(|byte| !byte.is_ascii_alphanumeric()).then_some(len)?,
                // Only in an alphabet with hyphens can another token begin, and the same run be read again.
                AtLeast(_) if (token.alphabet)(b'-') => self.url_safe_end(start) - start,
                AtLeast(_) => run(tail, token.alphabet),
            };
            let body = tail.get(..len)?;
            (!self.is_slug(start, body)).then_some((token.kind, token.prefix.len() + len))
        })
    }

    /// Words joined by hyphens, as in a title made into a name.
    fn is_slug(&self, start: usize, body: &[u8]) -> bool {
        let has_digit = if self.run.contains(&start) && start + body.len() == self.run.end {
            self.last_digit.is_some_and(|at| at >= start)
        } else {
            body.iter().any(u8::is_ascii_digit)
        };
        !has_digit && body.iter().filter(|&&byte| byte == b'-').take(2).count() == 2
    }

    /// The end of the run of URL-safe characters that `at` lies in.
    fn url_safe_end(&mut self, at: usize) -> usize {
        if !self.run.contains(&at) {
            self.run = at..at + run(self.rest(at), url_safe);
            let digit = self.bytes.get(self.run.clone()).and_then(|run| run.iter().rposition(u8::is_ascii_digit));
            self.last_digit = digit.map(|offset| at + offset);
        }
        self.run.end
    }

    /// Three base64url parts, the first two JSON objects, the third a signature.
    fn signed_jwt(&mut self, start: usize) -> Option<usize> {
        let mut at = start;
        for (beginning, least) in [("eyJ", 8), ("eyJ", 3), ("", 22)] {
            if !self.rest(at).starts_with(beginning.as_bytes()) {
                return None;
            }
            let end = self.url_safe_end(at);
            let last = beginning.is_empty();
            if end - at < least || (!last && self.bytes.get(end) != Some(&b'.')) {
                return None;
            }
            at = if last { end } else { end + 1 };
        }
        Some(at - start)
    }

    /// A PEM header for a private key with key material behind it, however its lines are broken, quoted or prefixed.
    fn private_key(&mut self, start: usize) -> Option<usize> {
        let label = self.rest(start + PEM_BEGIN.len());
        let label = label.get(..run(label, |byte| byte.is_ascii_uppercase() || byte == b' '))?;
        let header = start + PEM_BEGIN.len() + label.len() + DASHES.len();
        let closed = self.bytes.get(header - DASHES.len()..header) == Some(DASHES);
        if !closed || !(label.ends_with(b"PRIVATE KEY") || label == b"PGP PRIVATE KEY BLOCK") {
            return None;
        }
        let end = self.next_dashes(header);
        let body = self.bytes.get(header..end)?;
        if self.rest(end).starts_with(PEM_END) {
            let trailer = (PEM_END.len() + label.len() + DASHES.len()).min(self.bytes.len() - end);
            return longest_run(body).is_some_and(|(_, len)| len >= 16).then_some(end + trailer - start);
        }
        // The end line is missing: the material must be long, or begin at once.
        let near = body.get(..body.len().min(UNENDED_REACH))?;
        let (at, len) = longest_run(near)?;
        let mixed = near.get(at..at + len).is_some_and(is_mixed);
        (len >= 40 || (len >= 20 && mixed)).then(|| header + material_end(body, at + len) - start)
    }

    /// Where the next `-----` stands; the end of the text when there is none.
    fn next_dashes(&mut self, at: usize) -> usize {
        if self.dashes < at {
            let found = self.rest(at).windows(DASHES.len()).position(|window| window == DASHES);
            self.dashes = found.map_or(self.bytes.len(), |offset| at + offset);
        }
        self.dashes
    }
}

const DASHES: &[u8] = b"-----";
const PEM_BEGIN: &[u8] = b"-----BEGIN ";
const PEM_END: &[u8] = b"-----END ";
/// How far behind a header without an end line its key material may begin.
const UNENDED_REACH: usize = 512;
/// How far apart the lines of one key may stand.
const LINE_GAP: usize = 64;

/// A token begins where no letter or digit stands before it, unless that is the tail of an escape such as `\n` or `%3D`.
fn begins_word(bytes: &[u8], at: usize) -> bool {
    let before = |distance: usize| at.checked_sub(distance).and_then(|at| bytes.get(at)).copied();
    let Some(byte) = before(1).filter(u8::is_ascii_alphanumeric) else { return true };
    let escaped = before(2) == Some(b'\\') && byte.is_ascii_alphabetic();
    let encoded =
        before(3) == Some(b'%') && byte.is_ascii_hexdigit() && before(2).is_some_and(|byte| byte.is_ascii_hexdigit());
    escaped || encoded
}

fn run(bytes: &[u8], alphabet: fn(u8) -> bool) -> usize {
    bytes.iter().take_while(|&&byte| alphabet(byte)).count()
}

/// `xox` and a letter, then groups of letters and digits, the first a number in all kinds that are still issued.
fn slack(rest: &[u8]) -> Option<usize> {
    let (kind, tail) = rest.strip_prefix(b"xox")?.split_first()?;
    let tail = tail.strip_prefix(b"-")?;
    let in_body = |byte: u8| alphanumeric(byte) || byte == b'-';
    let beginning = tail.get(..20)?;
    let secret = kind.is_ascii_lowercase()
        && beginning.iter().all(|&byte| in_body(byte))
        && beginning.iter().any(u8::is_ascii_digit);
    secret.then(|| "xoxb-".len() + run(tail, in_body))
}

/// `AccountKey=` and the base64 of 64 bytes. Without the name the same text may be any digest.
fn azure_key(rest: &[u8]) -> Option<usize> {
    const NAME: &[u8] = b"AccountKey=";
    let (name, tail) = rest.split_at_checked(NAME.len())?;
    let key = tail.get(..88)?;
    let whole = key.ends_with(b"==") && key.iter().all(|&byte| base64(byte));
    (whole && name.eq_ignore_ascii_case(NAME)).then_some(NAME.len() + 88)
}

/// Offset and length of the longest run of base64 characters.
fn longest_run(bytes: &[u8]) -> Option<(usize, usize)> {
    let runs = bytes.split(|&byte| !base64(byte)).scan(0, |next, run| {
        let at = *next;
        *next += run.len() + 1;
        Some((at, run.len()))
    });
    runs.max_by_key(|&(_, len)| len)
}

/// Upper-case, lower-case letters and digits: base64 rather than a word or a path.
fn is_mixed(run: &[u8]) -> bool {
    let has = |test: fn(&u8) -> bool| run.iter().any(test);
    has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase) && has(u8::is_ascii_digit)
}

/// The end of the last line of key material that follows, each close behind the one before.
fn material_end(body: &[u8], mut end: usize) -> usize {
    while let Some(gap) = body.get(end..).and_then(|rest| rest.iter().take(LINE_GAP).position(|&byte| base64(byte))) {
        let len = run(body.get(end + gap..).unwrap_or_default(), base64);
        end += gap + len;
    }
    end
}

/// The text of a document with its credentials known: the only way to quote one.
#[derive(Debug)]
pub struct Redacted<'t> {
    text: &'t str,
    credentials: Vec<Credential>,
}

impl<'t> Redacted<'t> {
    /// Looks for the credentials of `text`.
    pub fn new(text: &'t str) -> Self {
        Self { text, credentials: credentials(text) }
    }

    /// The credentials, in order, none overlapping.
    pub fn credentials(&self) -> &[Credential] {
        &self.credentials
    }

    /// Adds what is a credential only once decoded, unless a part of it is known already; a published example does not
    /// stand for a secret.
    pub fn add(&mut self, credential: Credential) {
        let from = self.credentials.partition_point(|known| known.span.end() <= credential.span.start());
        let to = self.credentials.partition_point(|known| known.span.start() < credential.span.end());
        let weaker =
            |known: &Credential| known.standing == Standing::Example && credential.standing == Standing::Secret;
        if self.credentials.get(from..to).is_some_and(|known| known.iter().all(weaker)) {
            self.credentials.splice(from..to, [credential]);
        }
    }

    /// The bytes that no output may show.
    pub fn hidden(&self) -> Vec<Span> {
        self.credentials.iter().map(|credential| credential.span).collect()
    }

    /// The text at `span` for a message: on one line, shortened, without credentials, control and invisible characters.
    pub fn quote(&self, span: Span) -> String {
        let first = self.credentials.partition_point(|known| known.span.end() <= span.start());
        match self.credentials.get(first).filter(|known| known.span.start() < span.end()) {
            Some(known) if known.span.start() <= span.start() => "…".to_owned(),
            Some(known) => character::quoted(Span::new(span.start(), known.span.start()).of(self.text)) + "…",
            None => character::quoted(span.of(self.text)),
        }
    }
}

/// `text` as it is, but for its credentials.
pub fn without_credentials(text: &str) -> String {
    let mut kept = String::new();
    let mut at = 0;
    for credential in credentials(text) {
        kept.push_str(Span::new(at, credential.span.start()).of(text));
        kept.push('…');
        at = credential.span.end();
    }
    kept + Span::new(at, text.len()).of(text)
}

/// `text` for a message, without credentials.
pub fn quoted(text: &str) -> String {
    Redacted::new(text).quote(Span::new(0, text.len()))
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
            ("PEM private key", format!("-----BEGIN EC PRIVATE KEY-----\n- {}\n- {}\n", x(64), x(20))),
            ("PEM private key", format!("| -----BEGIN PGP PRIVATE KEY BLOCK-----\n| Hash: SHA1\n| {}", x(64))),
            ("GitHub token", format!("line\\nghp_{}", x(36))),
            ("GitHub token", format!("_ghp_{}_", x(36))),
            ("GitHub token", format!("q=%3Dghp_{}", x(36))),
            ("GitLab token", format!("key-glpat-{}", x(20))),
            ("Google API key", format!("AIza{}-old", x(35))),
        ] {
            assert_eq!(kinds(&text), [kind], "{text}");
        }
    }

    #[test]
    fn what_an_issuer_publishes_is_an_example_as_a_whole_token_only() {
        let standings = |text: &str| credentials(text).iter().map(|found| found.standing).collect::<Vec<_>>();
        for example in EXAMPLES {
            for text in [
                example.to_owned(),
                format!("the key `{example}`, as documented"),
                format!("密钥{example}。"),
                format!("\"line\\n{example}\\n\""),
                format!("({example})"),
            ] {
                assert_eq!(standings(&text), [Standing::Example], "{text}");
            }
            for text in [format!("_{example}"), format!("x-{example}"), format!("{example}_2"), format!("{example}-2")]
            {
                assert_eq!(standings(&text), [Standing::Secret], "{text}");
            }
            let real = format!("ghp_{}", "a1B2".repeat(9));
            assert_eq!(standings(&format!("{example} {real}")), [Standing::Example, Standing::Secret]);
        }
        assert_eq!(standings("AKIAIOSFODNN7EXAMPLF"), [Standing::Secret]);
        assert_eq!(standings("AKIAIOSFODNN7EXAMPL7 ASIAI44QH8DHBEXAMPLE"), [Standing::Secret; 2]);
    }

    #[test]
    fn an_example_does_not_stand_for_a_secret_that_is_decoded_around_it() {
        let text = "\"\\x67hp_… and AKIAIOSFODNN7EXAMPLE\"";
        let mut redacted = Redacted::new(text);
        let whole = Span::new(0, text.len());
        let found = |standing| Credential { kind: "GitHub token", standing, span: whole };
        redacted.add(found(Standing::Example));
        assert_eq!(redacted.hidden().len(), 1);
        assert_ne!(redacted.hidden(), [whole]);
        redacted.add(found(Standing::Secret));
        assert_eq!(redacted.hidden(), [whole]);
        redacted.add(found(Standing::Secret));
        assert_eq!(redacted.hidden(), [whole]);
    }

    #[test]
    fn a_credential_is_found_wherever_it_stands_in_the_blocks_that_are_looked_at() {
        let token = format!("ghp_{}", "a1".repeat(18));
        for before in 0..2 * BLOCK {
            for behind in 0..2 * BLOCK {
                let text = format!("{}{token}{}", " ".repeat(before), " ".repeat(behind));
                let spans: Vec<Span> = credentials(&text).iter().map(|credential| credential.span).collect();
                assert_eq!(spans, [Span::new(before, before + token.len())]);
            }
        }
        for len in 0..=2 * BLOCK {
            let pairs: Vec<usize> = beginnings("--".repeat(BLOCK + 1).as_bytes().get(..len).unwrap()).collect();
            assert_eq!(pairs, (0..len.saturating_sub(1)).collect::<Vec<_>>());
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
            "glpat-the-token-goes-in-here-ok".to_owned(),
            "between -----BEGIN PRIVATE KEY----- and -----END PRIVATE KEY----- stands the key".to_owned(),
            "-----BEGIN PRIVATE KEY----- is written to crates/handoff/src/secret by EncryptedPrivateKeyInfo".to_owned(),
            "npm_config_registry, pypi-publish, xoxo-xoxo".to_owned(),
        ] {
            assert_eq!(kinds(&text), [""; 0], "{text}");
        }
    }

    #[test]
    fn a_key_block_is_hidden_to_its_end_line() {
        let text =
            format!("a -----BEGIN PRIVATE KEY-----'\\n' +\n{}\n# x\n-----END PRIVATE KEY----- z", "QUJD".repeat(16));
        assert_eq!(credentials(&text)[0].span, Span::new(2, text.len() - 2));
    }

    #[test]
    fn a_key_block_without_a_whole_end_line_is_hidden_as_far_as_it_goes() {
        let line = "QUJD".repeat(16);
        let key = format!("-----BEGIN PRIVATE KEY-----\n{line}\n> {line}\n> QUJDRA==");
        let spans = |text: &str| credentials(text).into_iter().map(|found| found.span).collect::<Vec<_>>();
        assert_eq!(spans(&format!("a {key}")), [Span::new(2, 2 + key.len())]);
        assert_eq!(spans(&format!("{key}\n-----END PRIV")), [Span::new(0, key.len() + 14)]);
    }

    #[test]
    fn a_message_never_quotes_a_credential() {
        let secret = format!("ghp_{}", "a1B2".repeat(9));
        let text = format!("key {secret} end");
        let redacted = Redacted::new(&text);
        assert_eq!(redacted.quote(Span::new(0, text.len())), "key …");
        assert_eq!(redacted.quote(Span::new(10, 20)), "…");
        assert_eq!(redacted.quote(Span::new(text.len() - 3, text.len())), "end");
        assert_eq!(quoted(&secret), "…");
    }
}
