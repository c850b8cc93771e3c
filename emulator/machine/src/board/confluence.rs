//! Confluence: the order of lookups makes no difference on a board. Only then may an engine leave lookups out, or
//! evaluate the board partially.
//!
//! The two built-in boards are confluent. For any other board, a crate above this one has to prove it by a
//! [`ConfluenceTest`].

use super::netlist::Netlist;
use std::sync::{Arc, OnceLock};

/// Proves that a board is confluent. Returns false if it is not, or if that is not certain.
pub type ConfluenceTest = fn(&Netlist) -> bool;

/// Whether a board is confluent, if known. Its machines and their copies share it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Confluence {
    pub test: Option<ConfluenceTest>,
    pub verdict: Arc<OnceLock<bool>>,
}

impl Confluence {
    /// Confluence that this test decides.
    pub fn tested_by(test: ConfluenceTest) -> Confluence {
        Confluence { test: Some(test), verdict: Arc::default() }
    }

    /// The confluence of another board, decided by the same test.
    pub fn of_another(&self) -> Confluence {
        Confluence { test: self.test, verdict: Arc::default() }
    }

    /// Confluence that is proved already.
    pub fn proved() -> Confluence {
        Confluence { test: None, verdict: Arc::new(OnceLock::from(true)) }
    }
}
