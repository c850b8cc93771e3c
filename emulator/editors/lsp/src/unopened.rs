//! Programs of the open folders that are not open themselves, but share a file with the one that a name is renamed in.

use crate::server::{Failure, Server};
use gen_lsp_types::Uri;
use gray1_assembler::{Analysis, is_built_in};
use std::collections::BTreeSet;
use std::rc::Rc;

impl Server {
    /// Assembles the programs of the open folders that share a file with the program of this one.
    pub(crate) fn find_unopened(&mut self, uri: &Uri, is_stopped: &dyn Fn() -> bool) -> Result<(), Failure> {
        let analysis = self.view(uri, is_stopped)?.analysis;
        let folders = self.client.folders.clone();
        for path in folders.iter().flat_map(|folder| self.host.sources(folder)).collect::<BTreeSet<_>>() {
            let is_known = self.documents.paths().any(|root| {
                let analysis = self.documents.analysis(root);
                root == path || analysis.is_some_and(|analysis| has_source(&analysis, &path))
            });
            let includes = || {
                let bytes = self.host.read(&path).unwrap_or_default();
                String::from_utf8_lossy(&bytes).to_ascii_lowercase().contains(".include")
            };
            if is_known || !includes() {
                continue;
            }
            let other = self.documents.unopened(&path, &*self.host, &self.settings, is_stopped)?;
            let own = analysis.report.sources.paths().filter(|file| !is_built_in(file));
            let shared = |other: &Rc<Analysis>| own.into_iter().any(|file| has_source(other, file));
            self.unopened.extend(other.filter(shared).map(|analysis| (path, analysis)));
        }
        Ok(())
    }

    /// Forgets the programs that are not open.
    pub(crate) fn forget_unopened(&mut self) {
        self.unopened.clear();
    }
}

fn has_source(analysis: &Analysis, path: &str) -> bool {
    analysis.report.sources.paths().any(|source| source == path)
}
