//! All user properties of a program, with the places where they are checked.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use rustix::rand::{GetRandomFlags, getrandom};

use super::edited::{EditedFile, Identity, Marker};
use super::error::UserPropertyError;
use super::expression::{Calls, check};
use super::statement::find;
use super::{Demand, UserProperty};

/// The properties, the files that they are about, and the names by which they are found again.
#[derive(Debug)]
pub(in crate::input) struct Insertions {
    pub(super) properties: Vec<UserProperty>,
    /// One for each property.
    pub(super) markers: Vec<Marker>,
    pub(super) files: Vec<EditedFile>,
}

impl Insertions {
    /// Looks up the statements that properties are about.
    ///
    /// # Errors
    /// A file cannot be read, no statement begins on a line, or an expression may do more than to read; there are no random numbers.
    pub fn of(properties: &[UserProperty]) -> Result<Self, UserPropertyError> {
        let mut files: Vec<EditedFile> = Vec::new();
        for (number, property) in properties.iter().enumerate() {
            if let Demand::Holds(expression) = &property.demand {
                check(expression, Calls::MayBeMacros)
                    .map_err(|what| expression_error(property, what))?;
            }
            let path = &property.place.file;
            let unreadable = |cause: io::Error| UserPropertyError::Unreadable {
                property: property.to_string(),
                path: path.clone(),
                cause,
            };
            let identity = identity(path).map_err(unreadable)?;
            let known = files.iter().position(|file| file.identity == identity);
            let index = match known {
                Some(index) => index,
                None => {
                    files.push(EditedFile {
                        identity,
                        source: fs::read(path).map_err(unreadable)?,
                        places: BTreeMap::new(),
                    });
                    files.len() - 1
                }
            };
            let place = find(&files[index].source, property.place.line);
            let place = place.map_err(|nearest| UserPropertyError::NoStatement {
                property: property.to_string(),
                nearest: in_words(nearest),
            })?;
            files[index].add(place, number);
        }
        let names = names(properties.len()).map_err(UserPropertyError::Prepare)?;
        let markers = properties.iter().zip(names).map(|(property, name)| Marker {
            name,
            expression: match &property.demand {
                Demand::Holds(expression) => Some(expression.clone()),
                Demand::Unreached => None,
            },
        });
        Ok(Self {
            markers: markers.collect(),
            properties: properties.to_vec(),
            files,
        })
    }

    /// The edited file that a name stands for.
    pub(super) fn file(&self, path: &Path) -> Option<&EditedFile> {
        let identity = identity(path).ok()?;
        self.files.iter().find(|file| file.identity == identity)
    }
}

/// An error about the expression of a property.
pub(super) fn expression_error(property: &UserProperty, what: String) -> UserPropertyError {
    UserPropertyError::Expression {
        property: property.to_string(),
        what,
    }
}

fn identity(path: &Path) -> io::Result<Identity> {
    let metadata = fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(io::Error::other("it is no regular file"));
    }
    Ok((metadata.dev(), metadata.ino()))
}

/// Names that the program does not have: nobody knows them before.
fn names(count: usize) -> io::Result<impl Iterator<Item = String>> {
    let mut secret = [0; 16];
    if getrandom(&mut secret, GetRandomFlags::empty())? != secret.len() {
        return Err(io::Error::other("there are no random numbers"));
    }
    let digits = u128::from_ne_bytes(secret);
    Ok((0..count).map(move |number| format!("__user_property_{digits:032x}_{number}")))
}

/// Where statements begin, as the end of a sentence.
fn in_words(nearest: [Option<u32>; 2]) -> String {
    match nearest {
        [None, None] => ", nor on any other of the file".to_owned(),
        [Some(line), None] | [None, Some(line)] => {
            format!("; the nearest line on which one does is {line}")
        }
        [Some(before), Some(behind)] => {
            format!("; the nearest lines on which one does are {before} and {behind}")
        }
    }
}
