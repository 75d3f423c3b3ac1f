//! Every integration test, in one binary.
#![cfg(test)]

mod properties;
mod rules_meta;
mod schema_agrees;
mod support;
