//! Composes the text of versions: facts, reports and the version before in, the next version's text out. Nothing here
//! reads a file or asks a clock.
//!
//! [`init`] makes the first version. [`audit`], [`answer`] and [`seal`] take a session from state to state, each in one
//! version, so that no illegal state between can be written; [`set`] changes a section. What they compose is
//! [`Composed`](step::Composed) until the rules have judged it, and a defect that came from an input is shown there.

pub mod answer;
pub mod audit;
pub mod checklist;
mod draft;
mod fragment;
mod front_matter;
pub mod init;
mod input;
mod json;
mod list;
mod malformed;
mod merge;
pub mod next;
mod projection;
mod report;
mod said;
pub mod seal;
pub mod set;
pub mod step;
mod text;
mod updates;

pub use fragment::Role;
pub use front_matter::Evidence;
pub use input::Unreadable;
pub use malformed::Malformed;
pub use text::read;
pub use updates::Mode;
