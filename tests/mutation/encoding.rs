//! Defects of the bytes, of the two fence lines, and credentials (PROTOCOL §1, §2, §11).

use handoff_guard::protocol::sections::DetailsSection;
use handoff_guard::source::Source;

use super::page::Page;
use super::{Mutants, Operator};

pub(super) const OPERATORS: &[Operator] = &[bytes, control_characters, hidden_characters, bare_cr, fence, credentials];

/// Offsets in the front matter, in headings and in text, and the two ends of the body.
fn places(page: &Page) -> Vec<usize> {
    let document = page.version.document();
    let tldr = page.tldr();
    let middle = tldr[tldr.len() / 2].1;
    let details = page.details();
    vec![
        document.fence.front_matter.start(),
        document.fence.front_matter.end(),
        middle.heading.end(),
        details[0].1.heading.end(),
        details[details.len() / 2].1.body.start(),
        page.text.len(),
    ]
}

fn bytes(page: &'static Page, mutants: &mut Mutants) {
    const BROKEN: &[&[u8]] = &[
        b"\xff",
        b"\xfe\xff",
        b"\xc0\xaf",
        b"\xc3",
        b"\xe4\xbd",
        b"\xed\xa0\x80",
        b"\xf0\x9f\x98",
        b"\xf4\x90\x80\x80",
        b"\xf5\x80\x80\x80",
        b"\x80",
        b"\xc4\xe3\xba\xc3",
    ];
    mutants.push("encoding/bom", format!("\u{feff}{}", page.text));
    let places = places(page);
    for broken in page.some(BROKEN) {
        for &at in page.some(&places) {
            let (before, behind) = page.text.as_bytes().split_at(at);
            mutants.push("encoding/invalid-utf8", [before, broken, behind].concat());
        }
    }
    if page.name == "initial" {
        for padding in [" ", "\n", "x", "\0"] {
            let missing = Source::MAX_BYTES + 1 - page.text.len();
            mutants.push("encoding/too-large", page.text.to_owned() + &padding.repeat(missing));
        }
    }
}

fn control_characters(page: &'static Page, mutants: &mut Mutants) {
    let all: Vec<char> = ('\0'..='\u{9f}').filter(|c| c.is_control() && !"\t\n\r\u{85}".contains(*c)).collect();
    insert_each(page, "encoding/control-character", &all, mutants);
}

fn hidden_characters(page: &'static Page, mutants: &mut Mutants) {
    let tags = ['\u{e0000}', '\u{e0001}', '\u{e0020}', '\u{e0041}', '\u{e007f}'];
    let all: Vec<char> = ('\u{202a}'..='\u{202e}').chain('\u{2066}'..='\u{2069}').chain(tags).collect();
    insert_each(page, "encoding/hidden-character", &all, mutants);
}

fn insert_each(page: &Page, rule: &'static str, characters: &[char], mutants: &mut Mutants) {
    let places = places(page);
    for (index, c) in page.some(characters).enumerate() {
        mutants.push(rule, page.inserted(places[index % places.len()], &c.to_string()));
    }
    let comment = page.version.document().fence.front_matter.start();
    mutants.push(rule, page.inserted(comment, &format!("# {}\n", characters[0])));
    mutants.push(rule, page.inserted(page.text.len(), &format!("\n<!-- {} -->\n", characters[1])));
    mutants.push(rule, page.inserted(page.text.len(), &format!("\n```\n{}\n```\n", characters[2])));
}

fn bare_cr(page: &'static Page, mutants: &mut Mutants) {
    for at in places(page) {
        mutants.push("encoding/bare-cr", page.inserted(at, "\rx"));
    }
    mutants.push("encoding/bare-cr", format!("{}\r", page.text));
    mutants.push("encoding/bare-cr", page.text.replace("\r\n", "\n").replace('\n', "\r"));
    mutants.push("encoding/bare-cr", page.text.replacen('\n', "\r\r\n", 1));
}

fn fence(page: &'static Page, mutants: &mut Mutants) {
    const OPENING: &[&str] = &[
        "",
        "--- ",
        "---\t",
        " ---",
        "---yaml",
        "--- yaml",
        "----",
        "--",
        "- - -",
        "***",
        "+++",
        "...",
        "—",
        "\n---",
        "# handoff\n---",
        "\u{200b}---",
        "\u{a0}---",
        "```yaml",
        "<!-- -->\n---",
        "---#",
        "%YAML 1.2\n---",
    ];
    const CLOSING: &[&str] =
        &["", "--- ", "---\t", " ---", "----", "--", "...", "***", "---yaml", "--- # end", "+++", "-- -", "---\u{a0}"];
    let fence = page.version.document().fence;
    for opening in page.some(OPENING) {
        mutants.push("fence/missing", page.with(&[(fence.opening, opening)]));
    }
    mutants.push("fence/missing", fence.body.of(page.text));
    let closes_later = fence.body.of(page.text).lines().any(|line| line == "---");
    for closing in page.some(CLOSING).filter(|_| !closes_later) {
        mutants.push("fence/unclosed", page.with(&[(fence.closing, closing)]));
    }
    mutants.push("fence/unclosed", page.before(fence.front_matter.end()));
}

/// What begins like a real credential; letters and digits make up the length.
const CREDENTIALS: &[(&str, usize, &str)] = &[
    ("AKIA", 16, ""),
    ("ASIA", 16, ""),
    ("ghp_", 36, ""),
    ("gho_", 36, ""),
    ("ghu_", 36, ""),
    ("ghs_", 36, ""),
    ("ghr_", 36, ""),
    ("github_pat_", 82, ""),
    ("glpat-", 20, ""),
    ("xoxb-", 40, ""),
    ("AIza", 35, ""),
    ("sk-", 48, ""),
    ("sk-proj-", 100, ""),
    ("sk-svcacct-", 60, ""),
    ("sk-admin-", 40, ""),
    ("sk-ant-api03-", 95, ""),
    ("sk_live_", 24, ""),
    ("rk_live_", 24, ""),
    ("npm_", 36, ""),
    ("pypi-AgEIcHlwaS5vcmc", 150, ""),
    ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.", 43, ""),
    ("AccountKey=", 86, "=="),
    ("-----BEGIN PRIVATE KEY-----\n", 64, "\n-----END PRIVATE KEY-----"),
    ("-----BEGIN RSA PRIVATE KEY-----\n", 64, "\n-----END RSA PRIVATE KEY-----"),
    ("-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n", 64, "\n-----END PGP PRIVATE KEY BLOCK-----"),
    ("-----BEGIN ENCRYPTED PRIVATE KEY-----\n", 64, ""),
    ("-----BEGIN OPENSSH PRIVATE KEY-----\n", 64, "\n-----END OPENSSH PRIVATE KEY-----"),
];

fn credentials(page: &'static Page, mutants: &mut Mutants) {
    let document = page.version.document();
    for (start, length, end) in page.some(CREDENTIALS) {
        let letters: String = "K7Q2ZB9XW4PT".chars().cycle().take(*length).collect();
        let credential = format!("{start}{letters}{end}");
        let places = [
            (document.fence.front_matter.start(), format!("# {}\n", credential.replace('\n', "\n# "))),
            (page.text.len(), format!("\n{credential}\n")),
            (page.text.len(), format!("\n```\n{credential}\n```\n")),
            (page.text.len(), format!("\n<!-- {credential} -->\n")),
            (page.section(DetailsSection::ChangedFiles).body.end(), format!("- token={credential}\n")),
        ];
        for (at, text) in page.some(&places) {
            mutants.push("security/secret", page.inserted(*at, text));
        }
    }
}
