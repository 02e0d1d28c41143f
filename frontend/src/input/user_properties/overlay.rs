//! What the compiler reads in place of the program's files: an overlay of its virtual file system.

use std::collections::{BTreeMap, BTreeSet};
use std::env::current_dir;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::json;

use super::dependencies::lexical;
use super::edited::EditedFile;
use super::insertions::Insertions;
use crate::operand;

/// The files of a compilation that are read in another form, in a folder of their own.
pub(super) struct Overlay<'insertions> {
    insertions: &'insertions Insertions,
    folder: PathBuf,
    /// Each name by which the compiler finds an edited file.
    names: BTreeMap<PathBuf, &'insertions EditedFile>,
    /// The file that is compiled, if it is preprocessed already: the declarations stand in it then.
    preprocessed: Option<PathBuf>,
}

impl<'insertions> Overlay<'insertions> {
    /// For the compilation of a file that reads these; `None` if there is nothing in them to edit.
    pub fn of(
        insertions: &'insertions Insertions,
        folder: &Path,
        compiled: &Path,
        read: &[PathBuf],
    ) -> io::Result<Option<Self>> {
        let current = current_dir()?;
        let found = read
            .iter()
            .filter_map(|path| Some((lexical(&current, path), insertions.file(path)?)));
        let names: BTreeMap<_, _> = found.collect();
        let is_preprocessed = compiled.extension().is_some_and(|ending| ending == "i");
        Ok((!names.is_empty()).then(|| Self {
            insertions,
            folder: folder.to_owned(),
            names,
            preprocessed: is_preprocessed.then(|| compiled.to_owned()),
        }))
    }

    /// The numbers of the properties that are about these files.
    pub fn properties(&self) -> BTreeSet<usize> {
        let places = self.names.values().flat_map(|file| file.places.values());
        places
            .flat_map(|(_, properties)| properties.iter().copied())
            .collect()
    }

    /// Whether macros may stand in the code that is inserted.
    pub fn has_macros(&self) -> bool {
        self.preprocessed.is_none()
    }

    /// Writes the files, and gives the compiler's arguments for them. `types` are the names that must be types, by property.
    ///
    /// # Errors
    /// A file cannot be written, or a name is no text.
    pub fn write(&self, types: &BTreeMap<usize, BTreeSet<String>>) -> io::Result<Vec<String>> {
        let markers = &self.insertions.markers;
        let declarations: String = markers.iter().map(|marker| marker.declarations()).collect();
        let mut roots = Vec::new();
        for (name, file) in &self.names {
            let mut text = file.text(markers, types);
            if let Some(compiled) = &self.preprocessed {
                let name = json!(in_text(&operand(compiled))?);
                let before = format!("{declarations}\n# 1 {name}\n");
                text.splice(0..0, before.into_bytes());
            }
            // One file, whatever it is called: `#pragma once` asks for that.
            let (device, number) = file.identity;
            let content = self.store(&format!("{device}-{number}"), &text)?;
            roots.push(
                json!({"type": "file", "name": in_text(name)?, "external-contents": content}),
            );
        }
        let overlay = json!({
            "version": 0,
            "case-sensitive": true,
            "use-external-names": false,
            "roots": roots,
        });
        let overlay = self.store("overlay", overlay.to_string().as_bytes())?;
        // The driver has no overlays for what is preprocessed, but the compiler has.
        let mut arguments = ["-Xclang", "-ivfsoverlay", "-Xclang", &overlay]
            .map(str::to_owned)
            .to_vec();
        if self.has_macros() {
            let header = self.store("declarations.h", declarations.as_bytes())?;
            arguments.extend(["-include".to_owned(), header]);
        }
        Ok(arguments)
    }

    fn store(&self, name: &str, content: &[u8]) -> io::Result<String> {
        let path = self.folder.join(name);
        fs::write(&path, content)?;
        in_text(&path).map(str::to_owned)
    }
}

fn in_text(path: &Path) -> io::Result<&str> {
    path.to_str().ok_or_else(|| {
        let message = format!(
            "the name `{}` is no text in UTF-8: rename the file",
            abi::text::path(path)
        );
        io::Error::new(io::ErrorKind::InvalidInput, message)
    })
}
