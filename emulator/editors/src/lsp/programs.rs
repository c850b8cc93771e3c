//! The programs of the workspace: open programs, and unopened programs that share a file with the program in which a
//! name is renamed.

use crate::lsp::documents::has_source;
use crate::lsp::failure::Failure;
use crate::lsp::uri;
use crate::lsp::view::View;
use crate::lsp::workspace::Workspace;
use gen_lsp_types::Uri;
use gray1_assembler::{Analysis, is_built_in};
use std::collections::BTreeSet;
use std::rc::Rc;

impl Workspace {
    /// The current state of a file of an open program.
    pub fn view(&mut self, uri: &Uri, is_stopped: &dyn Fn() -> bool) -> Result<View<'_>, Failure> {
        let path = uri::path(&uri.0);
        if !self.is_open(uri) {
            return Err(Failure::WrongParams(format!("{} is not open", uri.0)));
        }
        let mut root = self.documents.root(&path);
        self.refresh(&root, is_stopped)?;
        if self.documents.root(&path) != root {
            // The file is no longer included, or it now belongs to another program.
            root.clone_from(&path);
            self.refresh(&root, is_stopped)?;
        }
        let analysis = self.documents.analysis(&root);
        let analysis = analysis.ok_or_else(|| Failure::Refused(format!("{path} cannot be read")))?;
        let file = analysis.report.sources.paths().position(|source| source == path);
        let file = file.ok_or_else(|| Failure::Refused(format!("{path} is not part of a program")))?;
        Ok(View::new(self, analysis, file as u32))
    }

    /// Assembles all programs that have changed.
    pub fn refresh_all(&mut self, is_stopped: &dyn Fn() -> bool) -> Result<(), Failure> {
        while let Some(path) = self.documents.first_stale() {
            self.refresh(&path, is_stopped)?;
        }
        Ok(())
    }

    /// The open programs, which are buffers that no other buffer includes; and those of
    /// [`Workspace::find_unopened`].
    pub fn programs(&self) -> impl Iterator<Item = View<'_>> {
        let roots = self.documents.paths().filter(|path| self.documents.root(path) == *path);
        let open = roots.filter_map(|path| self.documents.analysis(path));
        let others = self.unopened.iter().map(|(_, analysis)| Rc::clone(analysis));
        open.chain(others).map(|analysis| View::new(self, analysis, 0))
    }

    /// Assembles the programs of the open folders that share a file with the program of this one.
    pub fn find_unopened(&mut self, uri: &Uri, is_stopped: &dyn Fn() -> bool) -> Result<(), Failure> {
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
            let other = self.documents.assemble(&path, &*self.host, &self.settings, is_stopped)?;
            let own = analysis.report.sources.paths().filter(|file| !is_built_in(file));
            let shared = |other: &Rc<Analysis>| own.into_iter().any(|file| has_source(other, file));
            self.unopened.extend(other.filter(shared).map(|analysis| (path, analysis)));
        }
        Ok(())
    }

    /// Forgets the programs that are not open.
    pub fn forget_unopened(&mut self) {
        self.unopened.clear();
    }
}
