//! What the protocol asks for and no machine can decide, so that nobody takes silence for approval.

/// A demand of the protocol without a rule.
#[derive(Debug)]
pub struct Undecidable {
    /// The section of the protocol, as `§8`.
    pub clause: &'static str,
    /// What is asked for.
    pub demand: &'static str,
    /// Why no rule decides it.
    pub reason: &'static str,
}

/// Every such demand.
pub static UNDECIDABLE: &[Undecidable] = &[
    Undecidable {
        clause: "§4",
        demand: "`session_id` is unique, `repository` names the real repository",
        reason: "a document is judged alone, without the other sessions and without the repository",
    },
    Undecidable {
        clause: "§6",
        demand: "what the TL;DR and the sections say is true and up to date",
        reason: "truth lies outside the file; anchors make it possible to look",
    },
    Undecidable {
        clause: "§6",
        demand: "an anchor leads to something that exists",
        reason: "the file is judged without the repository, the network and the machine where a command ran",
    },
    Undecidable {
        clause: "§8",
        demand: "a question cannot be answered from the repository",
        reason: "that needs the repository and an understanding of the question",
    },
    Undecidable {
        clause: "§8",
        demand: "a path in a round's Evidence is absolute enough to be read by the successor",
        reason: "where the successor will work is not in the file",
    },
    Undecidable {
        clause: "§11",
        demand: "the file holds no personal data and no confidential text without a recognisable form",
        reason: "only credentials with a fixed form can be found without guessing",
    },
];
