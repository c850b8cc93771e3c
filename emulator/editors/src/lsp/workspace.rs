//! The state that requests are answered from: files, settings, the editor, and the open buffers with their programs.

use crate::lsp::client::Client;
use crate::lsp::documents::{Documents, Interrupted};
use crate::lsp::host::{Host, Settings};
use crate::lsp::library::{Idiom, idioms};
use crate::lsp::uri;
use gen_lsp_types::Uri;
use gray1_assembler::Analysis;
use std::rc::Rc;

/// The state that requests are answered from.
pub struct Workspace {
    pub host: Box<dyn Host>,
    pub settings: Settings,
    pub client: Client,
    pub documents: Documents,
    /// The macros of the library.
    pub idioms: Vec<Idiom>,
    /// The programs of the open folders that are not open themselves, but share a file with the one of a request. They
    /// are known only while that is answered.
    pub unopened: Vec<(String, Rc<Analysis>)>,
}

impl Workspace {
    pub fn new(host: Box<dyn Host>, settings: Settings) -> Workspace {
        let (client, documents) = (Client::default(), Documents::default());
        Workspace { host, settings, client, documents, idioms: idioms(), unopened: Vec::new() }
    }

    /// Assembles a program again if it has changed.
    pub fn refresh(&mut self, root: &str, is_stopped: &dyn Fn() -> bool) -> Result<(), Interrupted> {
        self.documents.refresh(root, &*self.host, &self.settings, is_stopped)
    }

    /// Whether a file is open.
    pub fn is_open(&self, uri: &Uri) -> bool {
        self.documents.get(&uri::path(&uri.0)).is_some()
    }

    /// The URI of a file in the spelling of the editor; `None` for a library file that has no copy on the disk.
    pub fn uri(&self, path: &str) -> Option<Uri> {
        if let Some(document) = self.documents.get(path) {
            return Some(Uri(document.uri.clone()));
        }
        let Some(built_in) = path.strip_prefix("gray1:lib/") else { return Some(Uri(uri::uri(path))) };
        self.host.library_file(built_in).map(|path| Uri(uri::uri(&path)))
    }
}
