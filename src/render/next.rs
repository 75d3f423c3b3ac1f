//! What a session can do next: for people, and as one JSON object.
//!
//! ```json
//! {"version": 1, "path": "…", "session_id": "…", "status": "COLLECTING", "round": 1, "rounds": 3,
//!  "next": [{"status": "NEEDS_ANSWERS", "command": "audit",
//!            "needs": [{"place": "key", "name": "handoff_status", "says": "NEEDS_ANSWERS", "rules": ["succession/transition"]}]}],
//!  "checklist": [{"point": "…", "proof": "proved|confirm", "shows": "…"}]}
//! ```
//!
//! `place` is `key` (of the front matter), `tldr` or `details` (a section), `field` (of the record `record`), or `repair`:
//! something that the document lacks, whatever the input of the step says; then `name` is null.

use std::fmt::Write as _;

use serde::Serialize;

use super::json;
use crate::lifecycle::checklist::{Point, Proof};
use crate::lifecycle::next::{Need, Outlook, Place, Way};
use crate::lifecycle::step::Step;
use crate::protocol::audit::MOST_ROUNDS;
use crate::protocol::character::visible;
use crate::protocol::credential::without_credentials;
use crate::protocol::sections::Section;

/// The version of this format; it grows when a field is removed, renamed or given another meaning.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct Report<'o> {
    version: u32,
    path: &'o str,
    session_id: String,
    status: &'static str,
    round: u32,
    rounds: u32,
    next: Vec<Next<'o>>,
    checklist: Vec<Checked<'o>>,
}

#[derive(Serialize)]
struct Next<'o> {
    status: &'static str,
    command: &'o str,
    needs: Vec<Needed<'o>>,
}

#[derive(Serialize)]
struct Needed<'o> {
    place: &'static str,
    record: Option<&'o str>,
    name: Option<&'static str>,
    says: &'o str,
    rules: &'o [&'static str],
}

#[derive(Serialize)]
struct Checked<'o> {
    point: &'static str,
    proof: &'static str,
    shows: &'o str,
}

/// The object, ended by a line feed.
///
/// # Errors
/// None that the data can cause.
pub fn json(path: &str, outlook: &Outlook) -> serde_json::Result<String> {
    json::line(&Report {
        version: VERSION,
        path,
        session_id: without_credentials(&outlook.session_id),
        status: outlook.status.as_str(),
        round: outlook.round,
        rounds: MOST_ROUNDS,
        next: outlook.ways.iter().map(way).collect(),
        checklist: outlook.checklist.iter().map(checked).collect(),
    })
}

fn way(way: &Way) -> Next<'_> {
    let needs = way.needs.iter().map(needed).collect();
    Next { status: way.to.as_str(), command: &way.command, needs }
}

fn checked(point: &Point) -> Checked<'_> {
    Checked { point: point.point, proof: word(point.proof), shows: &point.shows }
}

fn needed(need: &Need) -> Needed<'_> {
    let (place, record, name) = match &need.place {
        Place::Key(key) => ("key", None, Some(key.as_str())),
        Place::Section(Section::Tldr(section)) => ("tldr", None, Some(section.as_str())),
        Place::Section(Section::Details(section)) => ("details", None, Some(section.as_str())),
        Place::Field(record, field) => ("field", Some(record.as_str()), Some(field.as_str())),
        Place::Repair => ("repair", None, None),
    };
    Needed { place, record, name, says: &need.says, rules: &need.rules }
}

const fn word(proof: Proof) -> &'static str {
    match proof {
        Proof::Proved => "proved",
        Proof::Confirm => "confirm",
    }
}

/// For people.
pub fn text(path: &str, outlook: &Outlook) -> String {
    let mut lines = vec![format!(
        "{path}: {}, round {} of {MOST_ROUNDS}, session {}",
        outlook.status,
        outlook.round,
        without_credentials(&outlook.session_id)
    )];
    if outlook.status.is_terminal() {
        lines.push("sealed: nothing follows. Before the hand-over:".to_owned());
    } else {
        lines.push(format!("stay in {}: `{}` changes sections", outlook.status, Step::Set));
    }
    for way in &outlook.ways {
        let needs = if way.needs.iter().any(is_for_people) { ", which needs" } else { "" };
        lines.push(format!("to {}: `{}`{needs}", way.to, way.command));
        lines.extend(way.needs.iter().filter(|need| is_for_people(need)).map(|need| format!("  {}", line(need))));
    }
    for point in &outlook.checklist {
        lines.push(format!("  {}: {} ({})", word(point.proof), point.point, point.shows));
    }
    lines.iter().map(|line| visible(line) + "\n").collect()
}

/// The commands write the front matter and the `Status:` line by themselves.
fn is_for_people(need: &Need) -> bool {
    !matches!(need.place, Place::Key(_)) && !need.rules.contains(&"tldr/status-mismatch")
}

fn line(need: &Need) -> String {
    let mut line = match &need.place {
        Place::Key(key) => format!("`{key}`"),
        Place::Section(section) => format!("`# {}` `## {section}`", section.part()),
        Place::Field(record, field) => format!("`### {record}` `#### {field}`"),
        Place::Repair => "repair".to_owned(),
    };
    // Writing to a string cannot fail.
    let _ = write!(line, ": {} [{}]", need.says, need.rules.join(", "));
    line
}
