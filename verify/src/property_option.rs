//! The values of `--property`: names, or files that are read before anything else is done.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use abi::text;
use program::model::Property;

use crate::properties::Properties;
use crate::property_file::PropertyFile;
use crate::report::PropertyVerdict;
use crate::verdict::{Failure, Verdict};

/// A value of `--property`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PropertyOption {
    /// What is verified.
    Supported(Properties),
    /// The name of a property that a file asks for and that is not supported: its verdict is UNKNOWN.
    Unsupported(&'static str),
    /// A property file that was not read yet; see [`PropertyOption::read`].
    File(PathBuf),
}

impl PropertyOption {
    /// The same with the content of a file in place of the file.
    ///
    /// # Errors
    /// The file cannot be read, is not understood, or nothing of it is supported.
    pub fn read(self) -> Result<Vec<Self>, Failure> {
        match self {
            Self::File(path) => {
                let file = PropertyFile::read(&path)?;
                file.check_supported()?;
                Ok(Self::of_file(&file))
            }
            Self::Supported(_) | Self::Unsupported(_) => Ok(vec![self]),
        }
    }

    /// What a file asks for.
    pub fn of_file(file: &PropertyFile) -> Vec<Self> {
        let checks = file.checks.iter().map(|check| match check.properties() {
            Some(properties) => Self::Supported(properties),
            None => Self::Unsupported(check.name),
        });
        checks.collect()
    }

    /// The property file, if it was not read yet.
    pub(crate) fn file(&self) -> Option<&Path> {
        match self {
            Self::File(path) => Some(path),
            Self::Supported(_) | Self::Unsupported(_) => None,
        }
    }

    /// What is verified, if it is known and supported.
    pub(crate) fn supported(&self) -> Option<&Properties> {
        match self {
            Self::Supported(properties) => Some(properties),
            Self::Unsupported(_) | Self::File(_) => None,
        }
    }

    /// The verdict on what cannot be verified.
    pub(crate) fn open(&self) -> Option<PropertyVerdict> {
        let (name, reason) = match self {
            Self::Supported(_) => return None,
            Self::Unsupported(name) => (
                (*name).to_owned(),
                format!("the property {name} is not supported"),
            ),
            Self::File(path) => (
                text::path(path),
                "the property file was not read".to_owned(),
            ),
        };
        let verdict = Verdict::unknown(reason);
        Some(PropertyVerdict { name, verdict })
    }
}

impl FromIterator<Property> for PropertyOption {
    fn from_iter<I: IntoIterator<Item = Property>>(properties: I) -> Self {
        Self::Supported(properties.into_iter().collect())
    }
}

impl FromStr for PropertyOption {
    type Err = String;

    fn from_str(value: &str) -> Result<Self, String> {
        match PropertyFile::is_named(Path::new(value)) {
            true => Ok(Self::File(value.into())),
            false => {
                let named = value.parse().map(Self::Supported);
                named.map_err(|error| format!("{error}, or a property file (.prp)"))
            }
        }
    }
}

impl fmt::Display for PropertyOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Supported(properties) => properties.fmt(f),
            Self::Unsupported(name) => f.write_str(name),
            Self::File(path) => f.write_str(&text::path(path)),
        }
    }
}
